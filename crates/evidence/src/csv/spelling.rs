//! How texts and missing values are spelt where files have no types.
//!
//! A text that a spreadsheet would take for a formula, or a reader for a missing value, has an apostrophe before it,
//! and so has one that would look like such a text: no two keys are ever spelt alike, and each is read back. It must
//! never put a sign before a number or a day. It is separate because CSV files and workbooks share it, and verifiers
//! read it back. Read `text.rs` for the writer, `unspelt.rs` for the way back.

use crate::request::{CsvStart, KeyCells, OutputRequest};
use std::borrow::Cow;

/// How texts and missing values are spelt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spelling {
    cells: KeyCells,
    start: CsvStart,
}

/// What a cell may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellOf {
    /// A key, which may be missing.
    Key,
    /// Anything else, where nothing has a name.
    Rest,
}

/// Where the keys of a table stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyPlaces {
    /// In so many columns, before all others.
    First(usize),
    /// In the second column, where the first says of which bin: totals.
    Second,
}

/// What a spreadsheet may take for the beginning of a formula (OWASP, "CSV Injection"), also in full width.
const SIGNS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// The mark by which spreadsheet programs know UTF-8.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

impl Spelling {
    /// Everything as it is, and nothing where a value is missing: rows within this program, and files of version 2.
    pub(crate) const BARE: Spelling = Spelling { cells: KeyCells::Bare, start: CsvStart::Plain };

    /// Returns how a request wants its files.
    pub(crate) fn of(output: &OutputRequest) -> Spelling {
        Spelling { cells: output.keys.clone(), start: output.csv_start }
    }

    /// Returns what stands before the first column.
    pub(crate) fn start(&self) -> &'static str {
        match self.start {
            CsvStart::Plain => "",
            CsvStart::ByteOrderMark => BYTE_ORDER_MARK,
        }
    }

    /// Returns the name of missing keys, if they have one.
    pub(crate) fn missing(&self) -> Option<&str> {
        match &self.cells {
            KeyCells::Bare => None,
            KeyCells::Named { missing } => Some(missing),
        }
    }

    /// Returns how a text is written.
    pub(crate) fn spelt<'t>(&self, text: &'t str, cell: CellOf) -> Cow<'t, str> {
        if self.is_marked(text, cell) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
    }

    /// Returns the text behind what is written; nothing if no text is written so.
    pub(crate) fn read(&self, written: &str, cell: CellOf) -> Option<String> {
        let text = match written.strip_prefix('\'') {
            Some(rest) if self.is_marked(written, cell) => rest,
            Some(_) | None => written,
        };
        let is_missing = cell == CellOf::Key && self.missing() == Some(written);
        (!is_missing && self.spelt(text, cell) == written).then(|| text.to_string())
    }

    /// Whether an apostrophe comes before a text: one that acts, that reads as missing, or that has apostrophes before
    /// such a text already.
    ///
    /// Two texts are never written alike: if `'t` is what is written for `t`, then `'t` itself is marked, too.
    fn is_marked(&self, text: &str, cell: CellOf) -> bool {
        match &self.cells {
            KeyCells::Bare => false,
            KeyCells::Named { missing } => {
                acts(text) || (cell == CellOf::Key && text.trim_start_matches('\'') == missing)
            }
        }
    }
}

impl KeyPlaces {
    /// Whether a cell holds a key; `first_is_there` says whether the first cell of its row is.
    pub(crate) fn cell(self, column: usize, first_is_there: bool) -> CellOf {
        let is_key = match self {
            KeyPlaces::First(keys) => column < keys,
            KeyPlaces::Second => column == 1 && first_is_there,
        };
        if is_key { CellOf::Key } else { CellOf::Rest }
    }
}

/// Whether a spreadsheet may evaluate a text.
pub(crate) fn acts(text: &str) -> bool {
    text.trim_start_matches(['\'', ' ']).starts_with(SIGNS) && !is_number(text) && !is_day(text)
}

/// Whether a text is a number below zero as incrowd writes them: evaluated, it is itself.
fn is_number(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('-') else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = rest.split_once('e').map_or((rest, None), |(before, after)| (before, Some(after)));
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(before, after)| (before, Some(after)));
    let exponent = exponent.map(|exponent| exponent.strip_prefix('-').unwrap_or(exponent));
    rest == "inf" || (digits(whole) && fraction.is_none_or(digits) && exponent.is_none_or(digits))
}

/// Whether a text is a day or a moment of a year with a sign, as incrowd writes them: evaluated, it is a number.
fn is_day(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['-', '+']) else { return false };
    let (day, time) = rest.split_once('T').map_or((rest, None), |(day, time)| (day, Some(time)));
    let like = |text: &str, form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                exactly => byte == exactly,
            })
    };
    let Some((year, rest)) = day.split_once('-') else { return false };
    let years = year.len() >= 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = |time: &str| {
        let time = time.strip_suffix('Z').unwrap_or(time);
        let (seconds, fraction) = time.split_once('.').map_or((time, "0"), |(before, after)| (before, after));
        like(seconds, "00:00:00") && !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())
    };
    years && like(rest, "00-00") && time.is_none_or(is_time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn named() -> Spelling {
        Spelling::of(&OutputRequest::default())
    }

    #[test]
    fn what_a_spreadsheet_would_run_has_an_apostrophe_before_it() {
        for text in [
            "=HYPERLINK(\"http://x\",\"y\")",
            "+1",
            "-2+3",
            "-",
            "@SUM(1)",
            "\t=1",
            "\r=1",
            "\n=1",
            " =1",
            "'=1",
            "''=1",
            "\u{ff1d}1",
            "-1e",
            "-1.",
            "-2026-01-31x",
            "+12026-01-31T00:00",
        ] {
            let spelt = named().spelt(text, CellOf::Rest).into_owned();
            assert_eq!(spelt, format!("'{text}"));
            assert_eq!(named().read(&spelt, CellOf::Rest).as_deref(), Some(text));
            assert_eq!(Spelling::BARE.spelt(text, CellOf::Key), text);
        }
    }

    #[test]
    fn numbers_days_and_other_texts_stay_as_they_are() {
        for text in [
            "-3",
            "-0.5",
            "-1.5e-7",
            "-inf",
            "-0044-03-15",
            "+10000-01-01",
            "-0044-03-15T12:00:00.000Z",
            "",
            "a",
            "'",
            "'a",
            "a=1",
            "[0, 1)",
            "1-2",
            "(missing) ",
            "(missing)x",
        ] {
            assert_eq!(named().spelt(text, CellOf::Key), text);
            assert_eq!(named().read(text, CellOf::Key).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_key_that_reads_as_missing_is_told_apart_from_a_missing_one() {
        for (text, spelt) in [("(missing)", "'(missing)"), ("'(missing)", "''(missing)")] {
            assert_eq!(named().spelt(text, CellOf::Key), spelt);
            assert_eq!(named().read(spelt, CellOf::Key).as_deref(), Some(text));
            assert_eq!(named().spelt(text, CellOf::Rest), text);
        }
        assert_eq!(named().read("(missing)", CellOf::Key), None, "that is nothing");
        assert_eq!(named().read("'-3", CellOf::Key), None, "a needless sign");
        assert_eq!(named().read("=1", CellOf::Key), None, "a sign that is not there");
    }

    proptest! {
        #[test]
        fn every_text_is_read_back_and_nothing_else_is(text in "['=+@\\-\t\r\n a1(missing).]{0,12}") {
            for cell in [CellOf::Key, CellOf::Rest] {
                let spelt = named().spelt(&text, cell).into_owned();
                prop_assert_eq!(named().read(&spelt, cell), Some(text.clone()));
                // Whatever is read from a text is written as that text: two keys are never spelt alike.
                if let Some(read) = named().read(&text, cell) {
                    prop_assert_eq!(named().spelt(&read, cell), text.as_str());
                }
            }
        }
    }
}
