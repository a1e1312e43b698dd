//! Entries as somebody with another program than incrowd writes them to a team's book.

use crate::{now, officer};
use postgres::Client;
use sha2::{Digest, Sha256};

/// The texts of an entry, in the order of the table's columns.
#[derive(Clone, Debug)]
pub struct Written {
    pub seq: i64,
    pub texts: Vec<Option<String>>,
}

const NAMES: [&str; 17] = [
    "account",
    "snapshot",
    "kind",
    "charge_id",
    "plan_hash",
    "binning_hash",
    "promise",
    "epsilon",
    "delta",
    "policy",
    "outcome",
    "time",
    "previous_hash",
    "hash",
    "certificate_hash",
    "signature",
    "details",
];

/// The hash of what bins are.
pub fn bins(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Written {
    /// An entry that could follow the last one of the book, with nothing in it.
    pub fn next(tool: &mut Client, kind: &str) -> Written {
        let row =
            tool.query_one("SELECT seq, hash FROM incrowd.entries ORDER BY seq DESC LIMIT 1", &[]).expect("may look");
        let mut next = Written { seq: row.get::<_, i64>(0) + 1, texts: vec![None; 17] };
        next.set("account", "a").set("kind", kind).set("time", &now().to_string());
        next.set("previous_hash", row.get::<_, &str>(1));
        next
    }

    pub fn charge(tool: &mut Client, epsilon: &str) -> Written {
        let mut next = Written::next(tool, "charge");
        next.set("snapshot", "1").set("plan_hash", "5eed").set("binning_hash", &bins("b145")).set("promise", "none");
        next.set("epsilon", epsilon).set("delta", "0");
        next
    }

    pub fn policy(tool: &mut Client, epsilon: &str) -> Written {
        let mut next = Written::next(tool, "policy");
        let key = format!("signed-by={}", officer(1).public().digits());
        next.set("epsilon", epsilon).set("policy", &key);
        next
    }

    fn at(name: &str) -> usize {
        NAMES.iter().position(|known| *known == name).expect("a column")
    }

    pub fn set(&mut self, name: &str, text: &str) -> &mut Written {
        self.texts[Written::at(name)] = Some(text.to_string());
        self
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.texts[Written::at(name)].as_deref()
    }

    /// Gives the entry the hash of what it says, as `docs/the-book.md` tells strangers to compute it.
    pub fn hashed(&mut self) -> &mut Written {
        let seq = self.seq.to_string();
        let about = self.get("charge_id").filter(|_| self.get("kind") == Some("outcome"));
        let mut fields = vec![Some("incrowd ledger entry, version 1"), self.get("previous_hash"), Some(&seq)];
        fields.extend(["account", "time", "kind"].map(|name| self.get(name)));
        fields.push(about);
        let rest = ["snapshot", "plan_hash", "binning_hash", "promise", "epsilon", "delta", "policy", "outcome"];
        fields.extend(rest.map(|name| self.get(name)));
        let added = ["certificate_hash", "signature", "details"].map(|name| self.get(name));
        let there = added.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        fields.extend(&added[..there]);
        let mut bytes = Vec::new();
        for field in fields {
            match field {
                None => bytes.push(0),
                Some(text) => {
                    bytes.push(1);
                    bytes.extend((text.len() as u64).to_le_bytes());
                    bytes.extend(text.as_bytes());
                }
            }
        }
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        self.set("hash", &hash);
        if self.get("kind") == Some("charge") && self.get("charge_id").is_none() {
            self.set("charge_id", &hash[..32]);
        }
        self
    }

    /// Asks a function of the book to append it; returns the code of its refusal.
    pub fn append(&self, tool: &mut Client, function: &str) -> Result<(), String> {
        let defined = if function == "append_release" { ", 'b145'" } else { "" };
        let sql = format!("SELECT incrowd.{function}($1, $2{defined})");
        match tool.execute(&sql, &[&self.seq, &self.texts]) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.code().map(|code| code.code().to_string()).unwrap_or_default()),
        }
    }
}
