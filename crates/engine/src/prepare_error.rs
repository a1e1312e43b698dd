//! What can be wrong with a query, found out before anything is charged or read.
//!
//! Messages quote the request and names of places and columns, never a row; it must never carry an engine's own
//! sentence about data. It is separate from `CountError`, which is all that may be said once reading has begun. Read
//! `query.rs` next.

use incrowd_definition::ColumnType;
use std::fmt;

/// Which part of the request a problem is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestField {
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

impl fmt::Display for RequestField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestField::Condition => f.write_str("`where`"),
            RequestField::Person => f.write_str("`person`"),
            RequestField::People => f.write_str("`people`"),
            RequestField::Types => f.write_str("[data.types]"),
            RequestField::Split => f.write_str("[data.split]"),
            RequestField::Bin(name) => write!(f, "bin {name:?}"),
        }
    }
}

/// What an engine says of its source in its own words, because only it knows whether that is files or a database.
///
/// It quotes names of places and columns, never a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// Why a query cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrepareError {
    /// The source cannot be used as it lies there.
    Source(SourceError),
    /// A column that does not exist.
    NoColumn {
        /// Where it is asked for.
        place: RequestField,
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
        place: RequestField,
        /// What the parser says about the text of the request.
        message: String,
    },
    /// An expression that looks beyond its row, or whose value is not a function of the row.
    NotRowWise {
        /// Where it is.
        place: RequestField,
        /// What is refused, by name.
        what: String,
    },
    /// A value of the wrong type.
    WrongType {
        /// Where it is.
        place: RequestField,
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
        place: RequestField,
    },
    /// The engine could not be started.
    NoEngine {
        /// Why, without data.
        reason: String,
    },
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrepareError::Source(error) => f.write_str(&error.message),
            PrepareError::NoColumn { place, column, .. } => write!(f, "{place}: there is no column {column:?}"),
            PrepareError::TwinColumns { column } => write!(f, "two columns are named {column:?}"),
            PrepareError::NotAnExpression { place, message } => write!(f, "{place} is not an expression: {message}"),
            PrepareError::NotRowWise { place, what } => {
                write!(f, "{place}: {what} is refused, because the result must depend on one row alone")
            }
            PrepareError::WrongType { place, wanted, has } => write!(f, "{place} must be {wanted}, but is {has}"),
            PrepareError::NoSuchCast { column, kind } => {
                write!(f, "[data.types]: column {column:?} cannot be read as {}", kind.as_str())
            }
            PrepareError::UnknownTimezone { name } => write!(f, "there is no time zone {name:?}"),
            PrepareError::TooManyBins { place } => write!(f, "{place} has too many bins"),
            PrepareError::NoEngine { reason } => write!(f, "the engine did not start: {reason}"),
        }
    }
}

impl PrepareError {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            PrepareError::Source(error) => error.hint.clone(),
            PrepareError::NoColumn { nearest: Some(nearest), .. } => format!("did you mean {nearest:?}?"),
            PrepareError::NoColumn { nearest: None, .. } => "incrowd init DATA lists the columns of a file".into(),
            PrepareError::TwinColumns { .. } => "give every column a name of its own".into(),
            PrepareError::NotAnExpression { .. } => {
                "an SQL expression on one row, such as upper(department) or age >= 18; texts in single quotes".into()
            }
            PrepareError::NotRowWise { .. } => {
                "prepare such columns before, and give incrowd the prepared table".into()
            }
            PrepareError::WrongType { .. } | PrepareError::NoSuchCast { .. } => {
                "in CSV and JSON a column is text unless [data.types] says otherwise".into()
            }
            PrepareError::UnknownTimezone { .. } => "use a name such as \"Europe/Zurich\"".into(),
            PrepareError::TooManyBins { .. } => "use fewer or wider bins".into(),
            PrepareError::NoEngine { .. } => "free some memory or disk space, and try again".into(),
        }
    }
}

impl std::error::Error for PrepareError {}
