//! What can be wrong with files before a row is read, in words about files.
//!
//! The contract knows no files, so these words stand here, with the engine that has them. It must never quote more than
//! a path. It is separate because listing, schemas and columns all find such errors. Read `listing.rs` next.

use incrowd_engine::{Encoding, PrepareError, SourceError};
use std::fmt;

/// Why files cannot be a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileError {
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
    /// The names of a file are not written in the encoding that was said.
    NotInEncoding {
        /// The file.
        location: String,
        /// What was said, or nothing was.
        encoding: Encoding,
    },
    /// A file that seems to be UTF-16, which was not said.
    LikeUtf16 {
        /// The file.
        location: String,
    },
    /// One sign is said to stand between fields and around them.
    SameSigns {
        /// The files.
        location: String,
    },
    /// The header or schema of a file cannot be read.
    NoSchema {
        /// The file.
        location: String,
    },
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::NoFile { location } => write!(f, "there is no file {location:?}"),
            FileError::NoFilesInside { location } => write!(f, "there are no data files in {location:?}"),
            FileError::NotReadable { location } => write!(f, "{location:?} may not be read"),
            FileError::UnknownFormat { location } => write!(f, "the format of {location:?} is not known"),
            FileError::MixedFormats { location } => write!(f, "{location:?} has files of more than one format"),
            FileError::DifferentColumns { location } => {
                write!(f, "{location:?} has other columns than the first file")
            }
            FileError::NotInEncoding { location, encoding } => {
                write!(f, "the first line of {location:?} is not {}", encoding.as_str())
            }
            FileError::LikeUtf16 { location } => write!(f, "{location:?} looks like UTF-16"),
            FileError::SameSigns { location } => {
                write!(f, "one sign stands between the fields of {location:?} and around them")
            }
            FileError::NoSchema { location } => write!(f, "the columns of {location:?} cannot be read"),
        }
    }
}

impl FileError {
    fn hint(&self) -> &'static str {
        match self {
            FileError::NoFile { .. } => "paths are relative to the folder of the request",
            FileError::NoFilesInside { .. } => {
                "files end in .csv, .tsv, .parquet, .json, .ndjson or .arrow, also with .gz or .zst"
            }
            FileError::NotReadable { .. } => "look at the permissions of the file and of the folders above it",
            FileError::UnknownFormat { .. } => {
                "a name ends in .csv, .tsv, .txt, .parquet, .json, .ndjson or .arrow, also with .gz or .zst; or set \
                 [data] format"
            }
            FileError::MixedFormats { .. } => "name a pattern such as \"data/*.parquet\"",
            FileError::DifferentColumns { .. } => "all files of a source have the same columns, in the same order",
            FileError::NotInEncoding { .. } => {
                "set [data] encoding = \"windows-1252\", or another one; `incrowd init` guesses it"
            }
            FileError::LikeUtf16 { .. } => "set [data] encoding = \"utf-16\", or run `incrowd init`",
            FileError::SameSigns { .. } => "[data] quote = \"none\" for files without quotes",
            FileError::NoSchema { .. } => "is the file whole, and what its name says? A CSV file begins with names",
        }
    }
}

impl From<FileError> for PrepareError {
    fn from(error: FileError) -> PrepareError {
        PrepareError::Source(SourceError { message: error.to_string(), hint: error.hint().to_owned() })
    }
}
