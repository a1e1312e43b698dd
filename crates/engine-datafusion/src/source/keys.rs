//! What names of folders say: `year=2020` is a column `year`, as Hive, Spark and others write their tables.
//!
//! It must never take a value for another: names are written with `%` and two digits where they could not be written
//! otherwise, and read back so. It is separate because it knows no files. Read `listing.rs` for the folders.

use super::file_error::FileError;
use super::shown;
use crate::file::{Keys, OneFile};
use std::path::Path;

/// What stands for nothing, beside the empty name.
const MISSING: &str = "__HIVE_DEFAULT_PARTITION__";

/// Returns what the name of a folder says, if it says something.
pub(super) fn key_of(name: &str, folder: &Path) -> Result<Option<(String, Option<String>)>, FileError> {
    let Some((key, value)) = name.split_once('=').filter(|(key, _)| !key.is_empty()) else { return Ok(None) };
    let wrong = || FileError::WrongKey { location: shown(folder) };
    if name.contains(char::REPLACEMENT_CHARACTER) {
        return Err(wrong());
    }
    let (key, value) = (decoded(key).ok_or_else(wrong)?, decoded(value).ok_or_else(wrong)?);
    let is_missing = value.is_empty() || value == MISSING;
    Ok(Some((key, (!is_missing).then_some(value))))
}

/// Returns the names of the columns that the folders of all files say, which must be the same.
pub(super) fn same_keys(files: &[OneFile]) -> Result<Vec<String>, FileError> {
    let names = |keys: &Keys| -> Vec<String> {
        let mut names: Vec<String> = keys.iter().map(|(key, _)| key.clone()).collect();
        names.sort();
        names
    };
    let Some(first) = files.first() else { return Ok(Vec::new()) };
    let expected = names(&first.keys);
    for file in files {
        let found = names(&file.keys);
        let has_twins = found.windows(2).any(|pair| pair[0] == pair[1]);
        if has_twins || found != expected {
            return Err(FileError::DifferentKeys { location: shown(&file.path) });
        }
    }
    Ok(first.keys.iter().map(|(key, _)| key.clone()).collect())
}

/// Returns a name without `%` and two digits; nothing if it is no text then.
fn decoded(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_say_columns_and_values() {
        let said = |name: &str| key_of(name, Path::new("x")).expect("a name");
        let value = |key: &str, value: &str| Some((key.to_string(), Some(value.to_string())));
        assert_eq!(said("year=2020"), value("year", "2020"));
        assert_eq!(said("a=b=c"), value("a", "b=c"));
        assert_eq!(said("place=Z%C3%BCrich%20West%2F1"), value("place", "Zürich West/1"));
        assert_eq!(said("share=100%"), value("share", "100%"));
        assert_eq!(said("share=%+1"), value("share", "%+1"));
        assert_eq!(said("year="), Some(("year".into(), None)));
        assert_eq!(said("year=__HIVE_DEFAULT_PARTITION__"), Some(("year".into(), None)));
        assert_eq!(said("archive"), None);
        assert_eq!(said("=x"), None);
        assert!(key_of("a=%FF", Path::new("x")).is_err());
    }
}
