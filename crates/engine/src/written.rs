//! What a text says in a dialect, written as every engine reads it: numbers with a point, days as 2026-11-18.
//!
//! A function of one text and of the request. It must never make another number or day of a text than the one that it
//! says: what is not written as the dialect says is unreadable, and counts as missing. It is separate from any engine,
//! so that two of them cannot read one file in two ways, and so that whoever looks at a file before it is paid for
//! reads it as a release does. Read `written/number.rs` for numbers, `incrowd_definition::DateWay` for days.

mod number;

pub use incrowd_definition::{DateWay, date_written, read_differently};
pub use number::{NumberSigns, number_written};

use incrowd_definition::{ColumnType, Dialect};
use std::borrow::Cow;
use std::collections::HashSet;

/// How the texts of one column are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextReading {
    missing: HashSet<String>,
    values: Values,
}

/// What values are made of texts that are not missing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Values {
    /// Those that they are.
    AsWritten,
    Numbers(NumberSigns),
    Dates(Vec<DateWay>, UsualDays),
}

/// Whether days such as 2026-11-18 are read beside the ways that are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UsualDays {
    Read,
    /// One of the ways reads such a text as another day: only what it fits is a day.
    NotRead,
}

/// What a text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextRead<'t> {
    /// This, written as every engine reads it.
    Said(Cow<'t, str>),
    /// Nothing: it is empty, or one of the texts that stand for nothing.
    Missing,
    /// No number or day of the dialect.
    Unreadable,
}

impl TextReading {
    /// Returns how a column with a declared type is read; nothing where texts are what they are.
    pub fn of(dialect: &Dialect, declared: Option<ColumnType>) -> Option<TextReading> {
        let values = match declared {
            Some(ColumnType::Number | ColumnType::Integer) => match NumberSigns::of(dialect) {
                Some(signs) => Values::Numbers(signs),
                None => Values::AsWritten,
            },
            Some(ColumnType::Date | ColumnType::Timestamp) if !dialect.dates.is_empty() => {
                // A way that says nothing fits nothing; a request refuses it.
                let ways: Vec<DateWay> = dialect.dates.iter().filter_map(|way| DateWay::of(way)).collect();
                let usual = usual_days(&ways);
                Values::Dates(ways, usual)
            }
            Some(ColumnType::Date | ColumnType::Timestamp | ColumnType::Text | ColumnType::Boolean) | None => {
                Values::AsWritten
            }
        };
        let missing: HashSet<String> = dialect.missing.iter().cloned().collect();
        let says_something = !missing.is_empty() || values != Values::AsWritten;
        says_something.then_some(TextReading { missing, values })
    }

    /// Returns what a text says.
    pub fn read<'t>(&self, text: &'t str) -> TextRead<'t> {
        if self.is_missing(text) {
            return TextRead::Missing;
        }
        match &self.values {
            Values::AsWritten => TextRead::Said(Cow::Borrowed(text)),
            Values::Numbers(signs) => number_written(text, signs).map_or(TextRead::Unreadable, TextRead::Said),
            Values::Dates(ways, usual) => {
                let mut fits = ways.iter().filter_map(|way| date_written(text, way));
                match fits.next() {
                    // What two ways read as two days is neither of them.
                    Some(day) if fits.any(|other| other != day) => TextRead::Unreadable,
                    Some(day) => TextRead::Said(Cow::Owned(day)),
                    // Digits alone are not read: they may be of a way that they do not fit.
                    None if *usual == UsualDays::Read && is_like_usual(text) => TextRead::Said(Cow::Borrowed(text)),
                    None => TextRead::Unreadable,
                }
            }
        }
    }

    /// Returns what the text of a number says that its format calls a number, as JSON does: it has a point in every
    /// dialect.
    pub fn read_number<'t>(&self, text: &'t str) -> TextRead<'t> {
        match &self.values {
            Values::Numbers(_) if self.is_missing(text) => TextRead::Missing,
            Values::Numbers(_) => TextRead::Said(Cow::Borrowed(text)),
            Values::AsWritten | Values::Dates(_, _) => self.read(text),
        }
    }

    /// Returns whether texts that are not missing stay what they are.
    pub fn keeps_texts(&self) -> bool {
        self.values == Values::AsWritten
    }

    /// Returns whether a text stands for nothing.
    pub fn is_missing(&self, text: &str) -> bool {
        text.is_empty() || self.missing.contains(text)
    }
}

/// The ways in which days and moments are read where no other is said.
const USUAL: [&str; 4] = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"];

fn usual_days(ways: &[DateWay]) -> UsualDays {
    let usual: Vec<DateWay> = USUAL.iter().filter_map(|way| DateWay::of(way)).collect();
    let differs = ways.iter().any(|way| usual.iter().any(|usual| read_differently(way, usual).is_some()));
    if differs { UsualDays::NotRead } else { UsualDays::Read }
}

/// Returns whether a text begins like 2026-11-18.
fn is_like_usual(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.get(..4).is_some_and(|year| year.iter().all(u8::is_ascii_digit)) && bytes.get(4) == Some(&b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_definition::Sign;

    fn dialect() -> Dialect {
        Dialect {
            decimal: Sign::of(","),
            thousands: Sign::of("."),
            missing: vec!["-".into(), "1,5".into(), "NA".into()],
            dates: vec!["%d.%m.%Y".into(), "%m/%d/%y".into()],
            ..Dialect::default()
        }
    }

    fn read(kind: Option<ColumnType>, text: &str) -> String {
        match TextReading::of(&dialect(), kind).expect("a dialect").read(text) {
            TextRead::Said(text) => text.into_owned(),
            TextRead::Missing => ".".into(),
            TextRead::Unreadable => "?".into(),
        }
    }

    #[test]
    fn the_plain_dialect_reads_no_column_otherwise() {
        for kind in ColumnType::ALL.into_iter().map(Some).chain([None]) {
            assert_eq!(TextReading::of(&Dialect::default(), kind), None);
        }
        // A dialect of numbers alone is nothing to a column of texts or days, and one of days nothing to numbers.
        let numbers = Dialect { decimal: Sign::of(","), ..Dialect::default() };
        let days = Dialect { dates: vec!["%d.%m.%Y".into()], ..Dialect::default() };
        assert_eq!(TextReading::of(&numbers, Some(ColumnType::Date)), None);
        assert_eq!(TextReading::of(&numbers, None), None);
        assert_eq!(TextReading::of(&days, Some(ColumnType::Integer)), None);
    }

    #[test]
    fn a_column_is_read_by_its_declared_type() {
        assert_eq!(read(Some(ColumnType::Number), "1.234,50"), "1234.50");
        assert_eq!(read(Some(ColumnType::Integer), "1.234"), "1234");
        assert_eq!(read(Some(ColumnType::Date), "18.11.2026"), "2026-11-18");
        assert_eq!(read(Some(ColumnType::Timestamp), "11/18/26"), "2026-11-18");
        for kind in [None, Some(ColumnType::Text), Some(ColumnType::Boolean)] {
            assert_eq!(read(kind, "1.234,50"), "1.234,50");
            assert_eq!(read(kind, "18.11.2026"), "18.11.2026");
        }
    }

    #[test]
    fn names_for_nothing_come_before_everything_else_and_are_exact() {
        for kind in ColumnType::ALL.into_iter().map(Some).chain([None]) {
            for text in ["NA", "-", "", "1,5"] {
                assert_eq!(read(kind, text), ".", "{kind:?} {text}");
            }
        }
        assert_eq!(read(None, "na"), "na");
        assert_eq!(read(None, " NA"), " NA");
        assert_eq!(read(Some(ColumnType::Number), "na"), "?");
    }

    #[test]
    fn what_a_format_calls_a_number_has_a_point() {
        let numbers = TextReading::of(&dialect(), Some(ColumnType::Number)).expect("a dialect");
        assert_eq!(numbers.read_number("1.234"), TextRead::Said("1.234".into()));
        assert_eq!(numbers.read("1.234"), TextRead::Said("1234".into()));
        assert_eq!(numbers.read_number("NA"), TextRead::Missing);
    }

    #[test]
    fn days_that_no_way_fits_are_left_to_what_is_always_read() {
        assert_eq!(read(Some(ColumnType::Date), "2026-11-18"), "2026-11-18");
        assert_eq!(read(Some(ColumnType::Timestamp), "2026-11-18T23:05:00Z"), "2026-11-18T23:05:00Z");
        for text in ["31.02.2026", "13/02/26", "20261118", "30021012", "2026", "26-11-18", "11-18-2026"] {
            assert_eq!(read(Some(ColumnType::Date), text), "?", "{text}");
        }
    }

    #[test]
    fn a_text_that_two_ways_read_as_two_days_is_neither() {
        let read = |ways: &[&str], text: &str| {
            let dates = ways.iter().map(|way| (*way).to_owned()).collect();
            let dialect = Dialect { dates, ..Dialect::default() };
            match TextReading::of(&dialect, Some(ColumnType::Date)).expect("a dialect").read(text) {
                TextRead::Said(day) => day.into_owned(),
                TextRead::Missing => ".".into(),
                TextRead::Unreadable => "?".into(),
            }
        };
        let both = ["%d/%m/%Y", "%m/%d/%Y"];
        assert_eq!(read(&both, "01/02/2020"), "?");
        assert_eq!(read(&both, "03/03/2020"), "2020-03-03");
        assert_eq!(read(&both, "13/02/2020"), "2020-02-13");
        assert_eq!(read(&both, "02/13/2020"), "2020-02-13");
        // Where years come first and days next, 2026-11-18 is no day of November.
        assert_eq!(read(&["%Y-%d-%m"], "2026-11-12"), "2026-12-11");
        assert_eq!(read(&["%Y-%d-%m"], "2026-11-18"), "?");
        assert_eq!(read(&["%Y/%d/%m"], "2026-11-18"), "2026-11-18");
    }
}
