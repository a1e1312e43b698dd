//! Names that become public with a request, because a hierarchy is published word for word.
//!
//! It must never leave a column out that has such names. It is separate because few kinds have them. Read `words.rs`
//! next.

use crate::plan::Plan;
use crate::request::printable;
use serde_json::{Value, json};

/// So many names are shown before they are published.
const SHOWN: usize = 3;

impl Plan {
    /// Returns which names become public with the request, whoever is in the data.
    pub fn names_words(&self) -> Vec<String> {
        let words = |(column, pairs): (&str, &[(String, String)])| {
            let some: Vec<String> =
                pairs.iter().take(SHOWN).map(|(value, name)| format!("{value:?} is {name:?}")).collect();
            let more = if pairs.len() > SHOWN { format!(", and {} more", pairs.len() - SHOWN) } else { String::new() };
            let what = if pairs.len() == 1 { "this value".into() } else { format!("these {} values", pairs.len()) };
            printable(&format!(
                "{what} of {column} and their names will be published, word for word, in certificate, report and ledger: {}{more}",
                some.join(", ")
            ))
        };
        self.kind.published_names().into_iter().map(words).collect()
    }

    /// Returns the same for machines.
    pub fn names_json(&self) -> Value {
        let object = |(column, pairs): (&str, &[(String, String)])| {
            let some: Vec<Value> = pairs.iter().take(SHOWN).map(|(value, name)| json!([value, name])).collect();
            json!({ "column": column, "values": pairs.len(), "some": some })
        };
        self.kind.published_names().into_iter().map(object).collect()
    }
}
