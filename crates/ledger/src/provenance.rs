//! Who wrote an entry, on which machine, of which table and for which folder.
//!
//! Words for people, hashed with the entry: they must never hold a value of the data, and nothing is decided by them.
//! Whoever writes says them, so they are no proof against somebody who writes entries by hand. It is separate from what
//! was charged because accounts are judged without them. Read `line.rs` for where they stand.

use serde_json::{Map, Value};

/// Most characters of one of the texts.
const MOST: usize = 500;

/// Who, where, of what and why; whatever is not known is left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Provenance {
    /// Who it is, as she says.
    pub by: Option<String>,
    /// The folder that is, or would have been, delivered.
    pub folder: Option<String>,
    /// The machine.
    pub host: Option<String>,
    /// A number that no other account has: an opening is told from another one of the same second by it.
    pub nonce: Option<String>,
    /// Why.
    pub note: Option<String>,
    /// The table, by the names of its columns and its source.
    pub table: Option<String>,
    /// Who it is, as the system says.
    pub user: Option<String>,
}

impl Provenance {
    /// The texts with their names, in the order of the alphabet.
    fn texts(&self) -> [(&'static str, &Option<String>); 7] {
        [
            ("by", &self.by),
            ("folder", &self.folder),
            ("host", &self.host),
            ("nonce", &self.nonce),
            ("note", &self.note),
            ("table", &self.table),
            ("user", &self.user),
        ]
    }

    /// Returns the object that the book keeps, in its only spelling; nothing where nothing is known.
    pub(crate) fn text(&self) -> Option<String> {
        let known = self.texts().into_iter().filter_map(|(name, text)| Some((name, text.as_ref()?)));
        let object: Map<String, Value> = known.map(|(name, text)| (name.into(), line(text).into())).collect();
        (!object.is_empty()).then(|| Value::Object(object).to_string())
    }

    /// Returns what the book keeps so, or nothing.
    pub(crate) fn read(text: &str) -> Option<Provenance> {
        let object: Value = serde_json::from_str(text).ok()?;
        let own = |name: &str| object.get(name).and_then(Value::as_str).map(str::to_string);
        let [by, folder, host, nonce] = ["by", "folder", "host", "nonce"].map(own);
        let [note, table, user] = ["note", "table", "user"].map(own);
        let read = Provenance { by, folder, host, nonce, note, table, user };
        // Other names, other orders, other kinds of values and texts that are too long all fail here.
        (read.text().as_deref() == Some(text)).then_some(read)
    }

    /// Returns what is said of an ending, whose charge says the rest.
    pub(crate) fn of_ending(&self) -> Provenance {
        Provenance { by: self.by.clone(), host: self.host.clone(), user: self.user.clone(), ..Provenance::default() }
    }

    /// Returns what is said of terms.
    pub(crate) fn of_terms(&self) -> Provenance {
        Provenance { table: None, folder: None, ..self.clone() }
    }

    /// Returns what is said of a charge, made or refused.
    pub(crate) fn of_charge(&self) -> Provenance {
        Provenance { nonce: None, ..self.clone() }
    }
}

/// A text as one line that is not too long.
fn line(text: &str) -> String {
    let plain = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign });
    let kept: String = plain.clone().take(MOST).collect();
    if plain.count() > MOST { kept.chars().take(MOST - 1).chain(['…']).collect() } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_read_back_in_one_spelling() {
        let known = Provenance {
            by: Some("Ada \"L\"".into()),
            note: Some("two\nlines".into()),
            table: Some("x".repeat(2000)),
            ..Provenance::default()
        };
        let text = known.text().expect("a text");
        let read = Provenance::read(&text).expect("read back");
        assert_eq!(read.note.as_deref(), Some("two lines"));
        assert_eq!(read.table.as_ref().map(|table| table.chars().count()), Some(MOST));
        assert_eq!(read.text(), Some(text));
        assert_eq!(Provenance::default().text(), None);
        for wrong in [
            "",
            "{}",
            "[]",
            r#"{"by":1}"#,
            r#"{"by": "a"}"#,
            r#"{"who":"a"}"#,
            r#"{"user":"a","by":"b"}"#,
            r#"{"by":"a\nb"}"#,
        ] {
            assert_eq!(Provenance::read(wrong), None, "{wrong}");
        }
    }
}
