//! A forger who knows how to compute the chain still cannot write what the ledger would not.

use crate::chain::tamper;
use crate::{costing, half_spent, now};
use incrowd_ledger::{DamagedPart, Fault, LedgerError};
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use std::path::Path;

/// The fields of an entry in the order of the chain; computed here a second time, from the page that describes it.
const HASHED: [&str; 13] = [
    "previous_hash",
    "seq",
    "account",
    "time",
    "kind",
    "charge_id",
    "snapshot",
    "plan_hash",
    "binning_hash",
    "promise",
    "epsilon",
    "delta",
    "policy",
];

/// Recomputes the whole chain after an edit.
pub(crate) fn rechain(path: &Path) {
    let tool = Connection::open(path).expect("a database");
    let last: i64 = tool.query_row("SELECT max(seq) FROM entry", [], |row| row.get(0)).expect("entries");
    drop(tool);
    let mut previous = "0".repeat(64);
    for seq in 1..=last {
        let tool = Connection::open(path).expect("a database");
        let kind: String =
            tool.query_row("SELECT kind FROM entry WHERE seq = ?1", [seq], |row| row.get(0)).expect("an entry");
        let mut hasher = Sha256::new();
        let mut add = |field: Option<Vec<u8>>| match field {
            None => hasher.update([0]),
            Some(bytes) => {
                hasher.update([1]);
                hasher.update((bytes.len() as u64).to_le_bytes());
                hasher.update(&bytes);
            }
        };
        add(Some(b"incrowd ledger entry, version 1".to_vec()));
        for column in HASHED.iter().chain(&["outcome", "certificate_hash", "signature", "details"]) {
            let sql = format!("SELECT CAST({column} AS BLOB) FROM entry WHERE seq = ?1");
            let value: Option<Vec<u8>> = tool.query_row(&sql, [seq], |row| row.get(0)).expect("a field");
            // What later versions added is left out behind the last that is there.
            let added = ["certificate_hash", "signature", "details"];
            if let Some(place) = added.iter().position(|name| name == column) {
                let rest = added[place..].iter().map(|name| format!("{name} IS NOT NULL")).collect::<Vec<_>>();
                let sql = format!("SELECT {} FROM entry WHERE seq = ?1", rest.join(" OR "));
                if !tool.query_row(&sql, [seq], |row| row.get::<_, bool>(0)).expect("a field") {
                    continue;
                }
            }
            add(match *column {
                "previous_hash" => Some(previous.clone().into_bytes()),
                "charge_id" if kind != "outcome" => None,
                _ => value,
            });
        }
        let hash: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        drop(tool);
        tamper(
            path,
            &format!(
                "UPDATE entry SET previous_hash = '{previous}', hash = '{hash}' WHERE seq = {seq};
                 UPDATE entry SET charge_id = substr(hash, 1, 32) WHERE seq = {seq} AND kind = 'charge'"
            ),
        );
        previous = hash;
    }
}

/// Returns what a charge finds after an edit whose chain was recomputed.
fn found_after(sql: &str) -> Result<(), (DamagedPart, Fault)> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = half_spent(&path);
    tamper(&path, sql);
    rechain(&path);
    match ledger.charge(&costing("a", "1/10"), now()) {
        Ok(_) => Ok(()),
        Err(LedgerError::Damaged { part, fault, .. }) => Err((part, fault)),
        Err(other) => panic!("not damaged but {other}"),
    }
}

#[test]
fn the_chain_is_computed_as_its_page_says() {
    // Rewritten from the second entry on: the outcome's reference has to follow, so it is the charge alone that stays.
    let only_the_charge = "DELETE FROM entry WHERE seq = 3; UPDATE sqlite_sequence SET seq = 2";
    assert_eq!(found_after(only_the_charge), Ok(()));
}

#[test]
fn forged_numbers_are_damage_at_their_entry() {
    let long = "9".repeat(5000);
    let (nines, tail) = (format!("1/{long}"), "DELETE FROM entry WHERE seq = 3; UPDATE sqlite_sequence SET seq = 2");
    for forged in
        ["-1", "1/0", "0/0", "nan", "NaN", "inf", "-infinite", "1e-9", "2/4", "01", "", " 1", "1\u{0}", &long, &nines]
    {
        for column in ["epsilon", "delta"] {
            let forged = forged.replace('\0', "' || char(0) || '");
            let sql = format!("{tail}; UPDATE entry SET {column} = '{forged}' WHERE seq = 2");
            assert_eq!(found_after(&sql), Err((DamagedPart::Entry(2), Fault::Unreadable)), "{column} {forged:.20}");
        }
    }
    for (column, forged) in [("delta", "infinite"), ("delta", "1"), ("delta", "3/2")] {
        let sql = format!("{tail}; UPDATE entry SET {column} = '{forged}' WHERE seq = 2");
        assert_eq!(found_after(&sql), Err((DamagedPart::Entry(2), Fault::Unreadable)), "{column} {forged}");
    }
    for forged in ["-1", "infinite", "1/0"] {
        let sql = format!("{tail}; UPDATE entry SET epsilon = '{forged}' WHERE seq = 1");
        assert_eq!(found_after(&sql), Err((DamagedPart::Entry(1), Fault::Unreadable)), "budget {forged}");
    }
}

#[test]
fn forged_texts_are_damage_at_their_entry() {
    let tail = "DELETE FROM entry WHERE seq = 3; UPDATE sqlite_sequence SET seq = 2";
    for account in ["''", "'a' || char(27)"] {
        let sql = format!("{tail}; UPDATE entry SET account = {account} WHERE seq = 2");
        assert_eq!(found_after(&sql), Err((DamagedPart::Entry(2), Fault::Unreadable)), "{account}");
    }
    for change in [
        "time = 'yesterday'",
        "time = '2026-02-30T00:00:00Z'",
        "snapshot = char(27) || '[2J'",
        "promise = NULL",
        "policy = ''",
        "outcome = 'delivered'",
        "kind = 'refund', charge_id = NULL",
        "promise = CAST(x'ff' AS TEXT)",
    ] {
        let sql = format!("{tail}; UPDATE entry SET {change} WHERE seq = 2");
        assert_eq!(found_after(&sql), Err((DamagedPart::Entry(2), Fault::Unreadable)), "{change}");
    }
}

#[test]
fn events_that_cannot_have_happened_are_damage() {
    let copy = |kind: &str, account: &str| {
        format!(
            "INSERT INTO entry (account, kind, policy, time, previous_hash, hash)
             VALUES ('{account}', '{kind}', '', '2026-01-01T00:00:00Z', '', '');
             DELETE FROM entry WHERE seq IN (2, 3); UPDATE entry SET seq = 2 WHERE seq = 4;
             UPDATE sqlite_sequence SET seq = 2"
        )
    };
    assert_eq!(found_after(&copy("open", "a")), Err((DamagedPart::Entry(2), Fault::Impossible)));
    assert_eq!(found_after(&copy("policy", "b")), Err((DamagedPart::Entry(2), Fault::Impossible)));
    // The outcome of a charge whose name changed with its price.
    let cheaper = "UPDATE entry SET epsilon = '1/2' WHERE seq = 2";
    assert_eq!(found_after(cheaper), Err((DamagedPart::Entry(3), Fault::Impossible)));
}

#[test]
fn a_file_with_flipped_bytes_never_panics_and_never_grants_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    drop(half_spent(&path));
    let intact = std::fs::read(&path).expect("a file");
    let broken = folder.path().join("broken.sqlite");
    for place in (0..intact.len()).step_by(19) {
        let mut bytes = intact.clone();
        bytes[place] ^= 1 << (place % 8);
        std::fs::write(&broken, &bytes).expect("written");
        let Ok(mut ledger) = incrowd_ledger::Ledger::open(&broken) else { continue };
        // Budget 2, spent 1: a further 3/2 may never be granted.
        let answer = ledger.charge(&costing("a", "3/2"), now());
        assert!(answer.is_err(), "byte {place}");
    }
}

#[test]
fn a_file_of_anything_never_panics_and_never_grants_more() {
    // The same xorshift everywhere: a failure can be repeated.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    drop(half_spent(&path));
    let intact = std::fs::read(&path).expect("a file");
    let broken = folder.path().join("broken.sqlite");
    for turn in 0..400 {
        let mut bytes = intact.clone();
        match turn % 4 {
            // Noise over a stretch.
            0 => {
                let (from, length) = (draw(bytes.len()), draw(600) + 1);
                bytes.iter_mut().skip(from).take(length).for_each(|byte| *byte = draw(256) as u8);
            }
            // A cut end.
            1 => bytes.truncate(draw(bytes.len())),
            // A stretch copied to another place.
            2 => {
                let (from, to, length) = (draw(bytes.len()), draw(bytes.len()), draw(2000));
                let stretch: Vec<u8> = bytes.iter().skip(from).take(length).copied().collect();
                bytes.iter_mut().skip(to).zip(stretch).for_each(|(byte, new)| *byte = new);
            }
            // Zeros.
            _ => {
                let (from, length) = (draw(bytes.len()), draw(5000) + 1);
                bytes.iter_mut().skip(from).take(length).for_each(|byte| *byte = 0);
            }
        }
        std::fs::write(&broken, &bytes).expect("written");
        if let Ok(ledger) = incrowd_ledger::Ledger::open_existing(&broken) {
            let _ = (ledger.accounts(), ledger.history(None), ledger.verify(&[]));
        }
        let Ok(mut ledger) = incrowd_ledger::Ledger::open(&broken) else { continue };
        let answer = ledger.charge(&costing("a", "3/2"), now());
        assert!(answer.is_err(), "turn {turn}");
    }
}

#[test]
fn a_definition_that_is_not_what_its_hash_says_is_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = half_spent(&path);
    let tool = Connection::open(&path).expect("a database");
    tool.execute_batch(
        "DROP TRIGGER definition_is_never_changed; UPDATE definition SET text = 'b146';
         CREATE TRIGGER definition_is_never_changed BEFORE UPDATE ON definition
BEGIN SELECT RAISE(ABORT, 'a definition is never changed'); END",
    )
    .expect("changed");
    match ledger.charge(&costing("a", "1/10"), now()) {
        Err(LedgerError::Damaged { part: DamagedPart::Definitions, fault: Fault::Changed, .. }) => {}
        other => panic!("{other:?}"),
    }
    // Without a definition nothing is proved about bins, and nothing is lost.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = half_spent(&path);
    let tool = Connection::open(&path).expect("a database");
    tool.execute_batch(
        "DROP TRIGGER definition_is_never_removed; DELETE FROM definition;
         CREATE TRIGGER definition_is_never_removed BEFORE DELETE ON definition
BEGIN SELECT RAISE(ABORT, 'a definition is never removed'); END",
    )
    .expect("removed");
    drop(ledger.charge(&costing("a", "1"), now()).expect("paid"));
    assert!(ledger.charge(&costing("a", "1/10"), now()).is_err());
}
