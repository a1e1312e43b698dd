//! Names that people could take for each other, and signs that nobody sees.
//!
//! A new account must never look like one that is there: it would be a fresh budget for the same people by a slip of
//! the hand or on purpose. Names that are in a book already stay what they are. It is separate from `account_name.rs`,
//! which says what any book may hold. Read `ledger.rs` for when it is asked.

use std::collections::HashMap;
use std::fmt;
use unicode_normalization::UnicodeNormalization;
use unicode_security::{GeneralSecurityProfile, RestrictionLevel, RestrictionLevelDetection, skeleton};

/// Why a name is not given to anything new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameFault {
    /// A blank at an end, or several together.
    Blanks,
    /// A sign that is not seen, or is none of those that names are written with.
    Sign(char),
    /// Letters and marks apart that are one sign together.
    Composed,
    /// Letters of scripts that are not written together, such as Latin and Cyrillic ones.
    Scripts,
}

impl fmt::Display for NameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameFault::Blanks => f.write_str("has blanks at an end, or several together"),
            NameFault::Sign(sign) => {
                write!(f, "has the sign U+{:04X}, which is not seen or not for names", u32::from(*sign))
            }
            NameFault::Composed => {
                f.write_str("has letters and marks apart, which look like one letter (it is not in form NFC)")
            }
            NameFault::Scripts => f.write_str("mixes letters of scripts that look alike"),
        }
    }
}

/// Refuses a name that is not seen as it is.
pub(crate) fn check(name: &str) -> Result<(), NameFault> {
    if name.trim() != name || name.contains("  ") {
        return Err(NameFault::Blanks);
    }
    let known = |sign: char| (' '..='~').contains(&sign) || sign.identifier_allowed();
    // Marks that make one sign with the letter before them are told as that.
    if !name.nfc().eq(name.chars()) && name.nfc().all(known) {
        return Err(NameFault::Composed);
    }
    if let Some(sign) = name.chars().find(|sign| !known(*sign)) {
        return Err(NameFault::Sign(sign));
    }
    let letters: String = name.chars().filter(|sign| !sign.is_ascii() || sign.is_ascii_alphanumeric()).collect();
    match letters.is_empty() || letters.check_restriction_level(RestrictionLevel::HighlyRestrictive) {
        true => Ok(()),
        false => Err(NameFault::Scripts),
    }
}

/// Whether somebody could take one name for the other: they differ by capitals, blanks, invisible signs or signs that
/// look alike.
pub(crate) fn are_similar(one: &str, other: &str) -> bool {
    let (one, other) = (looks(one), looks(other));
    one.iter().zip(&other).any(|(one, other)| one == other)
}

/// Returns the names that could be taken for one before them, each with that one.
pub(crate) fn look_alikes<'a>(names: impl Iterator<Item = &'a str>) -> Vec<(&'a str, &'a str)> {
    let mut known: [HashMap<String, &str>; 2] = [HashMap::new(), HashMap::new()];
    let mut found = Vec::new();
    for name in names {
        let earlier = known.iter_mut().zip(looks(name)).map(|(known, look)| *known.entry(look).or_insert(name));
        if let Some(other) = earlier.collect::<Vec<_>>().into_iter().find(|other| *other != name) {
            found.push((name, other));
        }
    }
    found
}

/// What is seen of a name, as it is and in small letters: names that have one of the two in common look alike.
fn looks(name: &str) -> [String; 2] {
    let bare: String = name.nfkc().filter(|sign| !sign.is_whitespace() && is_seen(*sign)).collect();
    [skeleton(&bare).collect(), skeleton(&bare.to_lowercase()).collect()]
}

fn is_seen(sign: char) -> bool {
    sign.is_ascii() || sign.is_alphanumeric() || sign.identifier_allowed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_seen_as_they_are_are_refused() {
        for name in [
            "employees-2026",
            "People of Zürich",
            "Åland",
            "Ärztinnen 2026",
            "пациенты-2026",
            "患者2026",
            "データ-a",
            "visits_2026.v2 (north)",
            "1",
            "#",
        ] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        for (name, fault) in [
            (" employees", NameFault::Blanks),
            ("employees ", NameFault::Blanks),
            ("employees  2026", NameFault::Blanks),
            ("employees\u{a0}2026", NameFault::Sign('\u{a0}')),
            ("employees\u{200b}", NameFault::Sign('\u{200b}')),
            ("emp\u{ad}loyees", NameFault::Sign('\u{ad}')),
            ("\u{202e}employees", NameFault::Sign('\u{202e}')),
            ("employees\u{e0041}", NameFault::Sign('\u{e0041}')),
            ("employees\u{fe0f}", NameFault::Sign('\u{fe0f}')),
            ("employees\u{3164}", NameFault::Sign('\u{3164}')),
            ("employees\u{2066}", NameFault::Sign('\u{2066}')),
            ("employees\u{fffd}", NameFault::Sign('\u{fffd}')),
            ("\u{435}mployees", NameFault::Scripts),
            ("employee\u{455}", NameFault::Scripts),
            ("empl\u{3bf}yees", NameFault::Scripts),
            ("Zu\u{308}rich", NameFault::Composed),
        ] {
            assert_eq!(check(name), Err(fault), "{name:?}");
        }
        assert!(check("\u{ff45}mployees").is_err(), "full width");
    }

    #[test]
    fn of_many_names_those_that_look_like_one_before_them_are_found() {
        let names = ["a", "employees", "\u{435}mployees", "visits", "Employees", "visits-2"];
        assert_eq!(look_alikes(names.into_iter()), [("\u{435}mployees", "employees"), ("Employees", "employees")]);
    }

    #[test]
    fn names_that_could_be_taken_for_each_other_are_similar() {
        let name = "employees-2026";
        for other in [
            "Employees-2026",
            "EMPLOYEES-2026",
            "employees- 2026",
            "employees-2026 ",
            "employees-\u{200b}2026",
            "emp\u{ad}loyees-2026",
            "\u{202e}employees-2026",
            "\u{435}mployees-2026",
            "\u{ff45}mployees-2026",
            "employees-2O26",
            "ernployees-2026",
            "employees\u{2010}2026",
        ] {
            assert!(are_similar(name, other) && are_similar(other, name), "{other:?}");
        }
        for other in ["employees-2027", "employees-2026b", "employee-2026", "employees 2026", "employees_2026", "e"] {
            assert!(!are_similar(name, other), "{other:?}");
        }
        assert!(
            are_similar("Z\u{fc}rich", "Zu\u{308}rich")
                && are_similar("a1", "al")
                && are_similar("scope", "\u{455}\u{441}\u{43e}\u{440}\u{435}")
        );
    }
}
