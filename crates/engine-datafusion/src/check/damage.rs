//! What is wrong with files that cannot be read to their ends, with lines, and what would help.
//!
//! A release says nothing of all this after its charge; here the files are looked through again, by rules of their
//! own that go on behind damage. It must never decide what a release reads. It is separate from the scans, which end
//! at the first fault and keep its cause to themselves. Read `letters.rs` for letters, `records.rs` for lines,
//! `packed.rs` for what is packed.

use super::advice::Advice;
use super::findings::Spot;
use std::fmt;

/// Something that is wrong with a file.
pub struct Damage {
    /// What.
    pub kind: DamageKind,
    /// Where, as far as it can be told.
    pub spot: Option<Spot>,
    /// What would help.
    pub advice: Option<Advice>,
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DamageKind {
    /// There is nothing in it.
    Empty,
    /// A byte that is no letter of UTF-8.
    NotUtf8 {
        /// The byte.
        byte: u8,
        /// Its place in the line, from 1.
        place: u64,
        /// The line, read as Windows-1252.
        reads: String,
    },
    /// Two bytes for each letter.
    Utf16,
    /// A byte of zero, which no text has.
    Nul,
    /// Rows with too few or too many fields.
    Ragged {
        /// So many fields has the first of them.
        fields: usize,
        /// So many fields have the others.
        expected: usize,
        /// So many such rows there are.
        rows: u64,
    },
    /// A quote that is never closed.
    OpenQuote,
    /// A quote that only another quote closes, in the middle of a later line.
    LateQuote {
        /// On this line.
        closed: u64,
        /// So many lines are read as one field.
        lines: u64,
        /// So many fields are like that.
        fields: u64,
    },
    /// A record that is longer than any may be.
    TooLong,
    /// One column, whose name has many of a sign: another one is between the fields.
    OneColumn {
        /// The sign.
        sign: String,
        /// How many of them.
        times: usize,
    },
    /// Fields that begin and end with a sign that is taken for a part of them.
    OtherQuote {
        /// The sign.
        sign: String,
    },
    /// Another sheet or table has the columns that the request asks for.
    OtherPart {
        /// The key of the request that names it.
        key: &'static str,
    },
    /// Lines that look like titles before the names.
    Titles {
        /// How many.
        lines: u64,
    },
    /// The bytes of another format than the file's name says.
    OtherFormat {
        /// Its name in a request.
        format: &'static str,
    },
    /// A first line that is a row.
    FirstLineIsARow {
        /// Those of its fields that are no names.
        values: Vec<String>,
        /// How many columns there are.
        columns: usize,
    },
    /// Packed data without its end.
    CutOff,
    /// Packed data that does not unpack.
    PackedBadly,
    /// What stands there is not what the format wants.
    Broken,
    /// Nothing could be found out.
    Unknown,
}

impl fmt::Display for DamageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DamageKind::Empty => f.write_str("the file is empty"),
            DamageKind::NotUtf8 { byte, place, reads } => write!(
                f,
                "byte {byte:#04x} at place {place} of the line is not UTF-8; as windows-1252 the line reads {reads:?}"
            ),
            DamageKind::Utf16 => f.write_str("this is UTF-16, with two bytes for each letter"),
            DamageKind::Nul => f.write_str("a byte of zero, which no text has"),
            DamageKind::Ragged { fields, expected, rows } => {
                let fields_words = if *fields == 1 { "1 field".to_owned() } else { format!("{fields} fields") };
                let others = match rows.saturating_sub(1) {
                    0 => String::new(),
                    1 => "; 1 more row is like that".to_owned(),
                    more => format!("; {more} more rows are like that"),
                };
                write!(f, "{fields_words}, where {expected} are expected{others}")
            }
            DamageKind::OpenQuote => f.write_str("a quote is opened here and never closed"),
            DamageKind::LateQuote { closed, lines, fields } => {
                let others = match fields.saturating_sub(1) {
                    0 => String::new(),
                    1 => "; 1 more field is like that".to_owned(),
                    more => format!("; {more} more fields are like that"),
                };
                write!(
                    f,
                    "a quote is opened here that only another quote closes, on line {closed}, and more stands behind it: \
                     {lines} lines are read as one field{others}"
                )
            }
            DamageKind::TooLong => f.write_str("a record begins here that is longer than 16 MiB"),
            DamageKind::OneColumn { sign, times } => {
                let times = if *times == 1 { "once".to_owned() } else { format!("{times} times") };
                write!(f, "there is one column, and its name has the sign {sign:?} {times}")
            }
            DamageKind::OtherQuote { sign } => {
                write!(f, "fields begin and end with the quote {sign:?}, which is taken for a part of them")
            }
            DamageKind::OtherPart { key } => write!(f, "what the request asks for is in another {key} of the file"),
            DamageKind::Titles { lines: 1 } => f.write_str("the first line looks like a title, and not like names"),
            DamageKind::Titles { lines } => write!(f, "the first {lines} lines look like titles, and not like names"),
            DamageKind::OtherFormat { format } => {
                write!(f, "it begins like a file of {format}, whatever its name says")
            }
            DamageKind::FirstLineIsARow { values, columns } => {
                let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
                write!(f, "the first line looks like a row and not like {columns} names: {}", values.join(", "))
            }
            DamageKind::CutOff => f.write_str("the file ends in the middle of the packed data"),
            DamageKind::PackedBadly => f.write_str("the packed data is damaged, and does not unpack"),
            DamageKind::Broken => f.write_str("what stands here cannot be read"),
            DamageKind::Unknown => f.write_str("the data cannot be read to its end"),
        }
    }
}
