//! How a file writes its rows and values down: signs, letters, names for nothing, and days.
//!
//! All of it is said by the request and none of it is learnt from a row, so that what a row counts as is a function of
//! that row. It must never be guessed while a release runs. It is separate because requests say it, engines read by it,
//! and two dialects are two readings of one file. Read `reading.rs` next.

use crate::canonical::sorted_text;
use crate::encoding::Encoding;
use serde_json::{Map, Value, json};
use std::fmt;

/// How a file writes its rows and values down. The default is that of plain CSV files: commas or, in `.tsv`, tabs;
/// UTF-8; a first line with names; points; days as 2026-11-18.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dialect {
    /// What files are, where their names do not say it.
    pub format: Option<DataFormat>,
    /// The sheet of a workbook; the first one unless said otherwise.
    pub sheet: Option<String>,
    /// The table of a database.
    pub table: Option<String>,
    /// The sign between fields; nothing for what the name of the file says: a comma, or a tab in `.tsv`.
    pub delimiter: Option<Sign>,
    /// The sign around fields that hold signs.
    pub quote: Quote,
    /// How letters are written.
    pub encoding: Encoding,
    /// So many lines of a text, or rows of a sheet, stand before the first that is read.
    pub skip_lines: u64,
    /// What the first line is.
    pub header: Header,
    /// What becomes of rows that have too few or too many fields.
    pub bad_rows: BadRows,
    /// The sign before the fraction of a number; nothing for the point.
    pub decimal: Option<Sign>,
    /// The sign between groups of three digits, if there is one.
    pub thousands: Option<Sign>,
    /// Texts that stand for nothing, beside the empty one, which always does; sorted.
    pub missing: Vec<String>,
    /// How days and moments are written: no two read one text as two days. What is read without them is, too.
    pub dates: Vec<String>,
}

/// One sign of ASCII that is no letter, digit, or line's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sign(u8);

impl Sign {
    /// The tab.
    pub const TAB: Sign = Sign(b'\t');

    /// Returns the sign that a text stands for: itself, or `tab`.
    pub fn of(text: &str) -> Option<Sign> {
        match text.as_bytes() {
            b"tab" => Some(Sign::TAB),
            [byte] if byte.is_ascii_punctuation() || b"\t ".contains(byte) => Some(Sign(*byte)),
            _ => None,
        }
    }

    /// Returns it as a byte.
    pub fn byte(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Sign::TAB { f.write_str("tab") } else { write!(f, "{}", self.0 as char) }
    }
}

/// The sign around fields that hold signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quote {
    /// `"`
    #[default]
    Double,
    /// Another one.
    Other(Sign),
    /// None: every sign is what it is.
    None,
}

/// What the first line of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Header {
    /// The names of the columns.
    #[default]
    Names,
    /// A row. Columns are then named by their places, `column1` on: no value of a row becomes a name.
    Row,
}

/// What becomes of rows that have too few or too many fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BadRows {
    /// The release fails: it is paid for and not delivered.
    #[default]
    Stop,
    /// They are not counted.
    Skip,
}

impl BadRows {
    /// Both.
    pub const ALL: [BadRows; 2] = [BadRows::Stop, BadRows::Skip];

    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            BadRows::Stop => "stop",
            BadRows::Skip => "skip",
        }
    }
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataFormat {
    /// Fields between signs, a row a line.
    Csv,
    /// The same between tabs.
    Tsv,
    /// An array of objects, or one object per line.
    Json,
    /// Apache Parquet.
    Parquet,
    /// An Apache Arrow file or stream.
    Arrow,
    /// A workbook of Excel.
    Xlsx,
    /// A workbook of LibreOffice.
    Ods,
    /// A database of SQLite.
    Sqlite,
}

impl DataFormat {
    /// All of them.
    pub const ALL: [DataFormat; 8] = [
        DataFormat::Csv,
        DataFormat::Tsv,
        DataFormat::Json,
        DataFormat::Parquet,
        DataFormat::Arrow,
        DataFormat::Xlsx,
        DataFormat::Ods,
        DataFormat::Sqlite,
    ];

    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            DataFormat::Csv => "csv",
            DataFormat::Tsv => "tsv",
            DataFormat::Json => "json",
            DataFormat::Parquet => "parquet",
            DataFormat::Arrow => "arrow",
            DataFormat::Xlsx => "xlsx",
            DataFormat::Ods => "ods",
            DataFormat::Sqlite => "sqlite",
        }
    }

    /// Returns the format of files whose names end so, in small letters and without the point.
    pub fn of_ending(ending: &str) -> Option<DataFormat> {
        Some(match ending {
            "csv" | "txt" => DataFormat::Csv,
            "tsv" | "tab" => DataFormat::Tsv,
            "parquet" => DataFormat::Parquet,
            "json" | "ndjson" | "jsonl" => DataFormat::Json,
            "arrow" | "ipc" | "feather" => DataFormat::Arrow,
            "xlsx" | "xlsm" => DataFormat::Xlsx,
            "ods" => DataFormat::Ods,
            "sqlite" | "sqlite3" | "db" => DataFormat::Sqlite,
            _ => return None,
        })
    }

    /// Returns the format that the name of a file, or a pattern of names, says, packed or not.
    pub fn of_name(name: &str) -> Option<DataFormat> {
        let name = name.to_lowercase();
        let rest = [".gz", ".zst", ".zip"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
        DataFormat::of_ending(rest.rsplit_once('.')?.1)
    }
}

impl Dialect {
    /// Returns the canonical form: the keys of a request that say something else than the default.
    pub fn canonical(&self) -> Map<String, Value> {
        let quote = match self.quote {
            Quote::Double => None,
            Quote::Other(sign) => Some(json!(sign.to_string())),
            Quote::None => Some(json!("none")),
        };
        let texts = |texts: &[String]| (!texts.is_empty()).then(|| json!(texts));
        let entries = [
            ("format", self.format.map(|format| json!(format.as_str()))),
            ("sheet", self.sheet.as_ref().map(|sheet| json!(sheet))),
            ("table", self.table.as_ref().map(|table| json!(table))),
            ("delimiter", self.delimiter.map(|sign| json!(sign.to_string()))),
            ("quote", quote),
            ("encoding", (self.encoding != Encoding::default()).then(|| json!(self.encoding.as_str()))),
            ("skip-lines", (self.skip_lines > 0).then(|| json!(self.skip_lines))),
            ("header", (self.header == Header::Row).then_some(json!(false))),
            ("on-bad-row", (self.bad_rows == BadRows::Skip).then(|| json!(self.bad_rows.as_str()))),
            ("decimal", self.decimal.map(|sign| json!(sign.to_string()))),
            ("thousands", self.thousands.map(|sign| json!(sign.to_string()))),
            ("missing", texts(&self.missing)),
            ("dates", texts(&self.dates)),
        ];
        entries.into_iter().filter_map(|(key, value)| Some((key.to_string(), value?))).collect()
    }

    /// Returns the same dialect without the keys that say what holds anyway, of files whose names say a format: that
    /// format, and the sign that it has between fields.
    pub fn without_defaults_of(&self, named: Option<DataFormat>) -> Dialect {
        let usual = match self.format.or(named) {
            Some(DataFormat::Csv) => Some(Sign(b',')),
            Some(DataFormat::Tsv) => Some(Sign::TAB),
            Some(
                DataFormat::Json
                | DataFormat::Parquet
                | DataFormat::Arrow
                | DataFormat::Xlsx
                | DataFormat::Ods
                | DataFormat::Sqlite,
            )
            | None => None,
        };
        Dialect {
            format: self.format.filter(|said| Some(*said) != named),
            delimiter: self.delimiter.filter(|said| Some(*said) != usual),
            ..self.clone()
        }
    }

    /// Returns the canonical text.
    pub fn text(&self) -> String {
        sorted_text(&Value::Object(self.canonical()))
    }

    /// Returns whether it is that of plain CSV files.
    pub fn is_default(&self) -> bool {
        *self == Dialect::default()
    }

    /// Returns whether texts are read otherwise than they are written: numbers, days, or names for nothing.
    pub fn rewrites_values(&self) -> bool {
        self.decimal.is_some() || self.thousands.is_some() || !self.missing.is_empty() || !self.dates.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_one_sign() {
        for (text, byte) in [(",", b','), (";", b';'), ("|", b'|'), ("tab", b'\t'), ("\t", b'\t'), (" ", b' ')] {
            assert_eq!(Sign::of(text).map(Sign::byte), Some(byte), "{text:?}");
        }
        for text in ["", ",,", "a", "7", "\n", "\r", "é", "\u{1f}", "TAB"] {
            assert_eq!(Sign::of(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_the_name_of_a_file_says_need_not_be_said() {
        let said = |format: Option<DataFormat>, sign: &str| Dialect {
            format,
            delimiter: Sign::of(sign),
            ..Dialect::default()
        };
        let csv = Some(DataFormat::Csv);
        for name in ["people.csv", "d/PEOPLE.CSV.gz", "d/*.txt", "a.csv.zip"] {
            let named = DataFormat::of_name(name);
            assert_eq!(said(csv, ",").without_defaults_of(named), Dialect::default(), "{name}");
            assert_eq!(said(None, ",").without_defaults_of(named), Dialect::default(), "{name}");
            assert_eq!(said(csv, ";").without_defaults_of(named), said(None, ";"), "{name}");
            let tabs = said(Some(DataFormat::Tsv), "tab");
            assert_eq!(tabs.without_defaults_of(named), said(Some(DataFormat::Tsv), ""), "{name}");
        }
        for name in ["-", "people", "people.zip", "people.dat", "csv"] {
            let named = DataFormat::of_name(name);
            assert_eq!(said(csv, ",").without_defaults_of(named), said(csv, ""), "{name}");
            // Nobody knows what is usual there.
            assert_eq!(said(None, ",").without_defaults_of(named), said(None, ","), "{name}");
        }
        let named = DataFormat::of_name("people.tsv");
        assert_eq!(said(None, ",").without_defaults_of(named), said(None, ","));
        assert_eq!(said(None, "tab").without_defaults_of(named), Dialect::default());
    }

    #[test]
    fn the_default_says_nothing_and_everything_else_something() {
        assert!(Dialect::default().canonical().is_empty());
        let all = Dialect {
            format: Some(DataFormat::Csv),
            sheet: Some("a".into()),
            table: Some("t".into()),
            delimiter: Some(Sign::TAB),
            quote: Quote::None,
            encoding: Encoding::ALL[1],
            skip_lines: 2,
            header: Header::Row,
            bad_rows: BadRows::Skip,
            decimal: Sign::of(","),
            thousands: Sign::of("."),
            missing: vec!["NA".into()],
            dates: vec!["%d.%m.%Y".into()],
        };
        assert_eq!(all.canonical().len(), 13);
    }
}
