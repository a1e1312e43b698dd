//! What can be wrong with a query, found out before anything is charged or read.
//!
//! Messages quote the request and the names of columns and files, never a row; it must never carry an engine's own sentence
//! about data. It is separate from `CountError`, which is all that may be said once reading has begun. Read `query.rs` next.

use crate::query::ColumnType;
use std::fmt;

/// Which part of the request a problem is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// `[data] where`.
    Condition,
    /// `[data] person`.
    Person,
    /// `[data] people`.
    People,
    /// `[data.types]`.
    Types,
    /// `[data.split]`.
    Split,
    /// A bin, by its heading.
    Bin(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Condition => f.write_str("`where`"),
            Place::Person => f.write_str("`person`"),
            Place::People => f.write_str("`people`"),
            Place::Types => f.write_str("[data.types]"),
            Place::Split => f.write_str("[data.split]"),
            Place::Bin(name) => write!(f, "bin {name:?}"),
        }
    }
}

/// Why a query cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// There is no such file.
    NoFile {
        /// As the request names it.
        location: String,
    },
    /// A folder or a pattern without files.
    NoFilesInside {
        /// As the request names it.
        location: String,
    },
    /// A file that may not be read.
    NotReadable {
        /// The file.
        location: String,
    },
    /// An ending that is not known.
    UnknownFormat {
        /// The file.
        location: String,
    },
    /// Files of more than one format.
    MixedFormats {
        /// As the request names them.
        location: String,
    },
    /// Files whose columns differ.
    DifferentColumns {
        /// The file that differs from the first.
        location: String,
    },
    /// The header or schema of a file cannot be read.
    NoSchema {
        /// The file.
        location: String,
    },
    /// A column that does not exist.
    NoColumn {
        /// Where it is asked for.
        place: Place,
        /// Its name.
        column: String,
        /// What it may have meant.
        nearest: Option<String>,
    },
    /// A name that two columns have.
    TwinColumns {
        /// The name.
        column: String,
    },
    /// An expression that is not SQL.
    NotAnExpression {
        /// Where it is.
        place: Place,
        /// What the parser says about the text of the request.
        message: String,
    },
    /// An expression that looks beyond its row, or whose value is not a function of the row.
    NotRowWise {
        /// Where it is.
        place: Place,
        /// What is refused, by name.
        what: String,
    },
    /// A value of the wrong type.
    WrongType {
        /// Where it is.
        place: Place,
        /// What is needed.
        wanted: &'static str,
        /// What it is.
        has: String,
    },
    /// A declared type that the column cannot have.
    NoSuchCast {
        /// The column.
        column: String,
        /// The declared type.
        kind: ColumnType,
    },
    /// A time zone that is not known.
    UnknownTimezone {
        /// Its name.
        name: String,
    },
    /// More bins than can be numbered or kept.
    TooManyBins {
        /// Where they are.
        place: Place,
    },
    /// The engine could not be started.
    NoEngine {
        /// Why, without data.
        reason: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NoFile { location } => write!(f, "there is no file {location:?}"),
            Problem::NoFilesInside { location } => write!(f, "there are no data files in {location:?}"),
            Problem::NotReadable { location } => write!(f, "{location:?} may not be read"),
            Problem::UnknownFormat { location } => write!(f, "the format of {location:?} is not known"),
            Problem::MixedFormats { location } => write!(f, "{location:?} has files of more than one format"),
            Problem::DifferentColumns { location } => {
                write!(f, "{location:?} has other columns than the first file")
            }
            Problem::NoSchema { location } => write!(f, "the columns of {location:?} cannot be read"),
            Problem::NoColumn { place, column, .. } => write!(f, "{place}: there is no column {column:?}"),
            Problem::TwinColumns { column } => write!(f, "two columns are named {column:?}"),
            Problem::NotAnExpression { place, message } => write!(f, "{place} is not an expression: {message}"),
            Problem::NotRowWise { place, what } => {
                write!(f, "{place}: {what} is refused, because the result must depend on one row alone")
            }
            Problem::WrongType { place, wanted, has } => write!(f, "{place} must be {wanted}, but is {has}"),
            Problem::NoSuchCast { column, kind } => {
                write!(f, "[data.types]: column {column:?} cannot be read as {}", kind.as_str())
            }
            Problem::UnknownTimezone { name } => write!(f, "there is no time zone {name:?}"),
            Problem::TooManyBins { place } => write!(f, "{place} has too many bins"),
            Problem::NoEngine { reason } => write!(f, "the engine did not start: {reason}"),
        }
    }
}

impl Problem {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            Problem::NoFile { .. } => "paths are relative to the folder of the request".into(),
            Problem::NoFilesInside { .. } => {
                "files end in .csv, .parquet, .json, .ndjson or .arrow, also with .gz or .zst".into()
            }
            Problem::NotReadable { .. } => "look at the permissions of the file and of the folders above it".into(),
            Problem::UnknownFormat { .. } => {
                "a name must end in .csv, .parquet, .json, .ndjson or .arrow, also with .gz or .zst".into()
            }
            Problem::MixedFormats { .. } => "name a pattern such as \"data/*.parquet\"".into(),
            Problem::DifferentColumns { .. } => "all files of a source have the same columns, in the same order".into(),
            Problem::NoSchema { .. } => {
                "is the file whole, and what its name says? A CSV file begins with names".into()
            }
            Problem::NoColumn { nearest: Some(nearest), .. } => format!("did you mean {nearest:?}?"),
            Problem::NoColumn { nearest: None, .. } => "incrowd init DATA lists the columns of a file".into(),
            Problem::TwinColumns { .. } => "give every column a name of its own".into(),
            Problem::NotAnExpression { .. } => {
                "an SQL expression on one row, such as upper(department) or age >= 18; texts in single quotes".into()
            }
            Problem::NotRowWise { .. } => "prepare such columns before, and give incrowd the prepared table".into(),
            Problem::WrongType { .. } | Problem::NoSuchCast { .. } => {
                "in CSV and JSON a column is text unless [data.types] says otherwise".into()
            }
            Problem::UnknownTimezone { .. } => "use a name such as \"Europe/Zurich\"".into(),
            Problem::TooManyBins { .. } => "use fewer or wider bins".into(),
            Problem::NoEngine { .. } => "free some memory or disk space, and try again".into(),
        }
    }
}

impl std::error::Error for Problem {}

impl ColumnType {
    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            ColumnType::Text => "text",
            ColumnType::Integer => "integer",
            ColumnType::Number => "number",
            ColumnType::Boolean => "boolean",
            ColumnType::Date => "date",
            ColumnType::Timestamp => "timestamp",
        }
    }
}
