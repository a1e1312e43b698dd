//! What can be wrong with files before a row is read, in words about files.
//!
//! The contract knows no files, so these words stand here, with the engine that has them. It must never quote more than
//! a path and the names of sheets, tables and columns. It is separate because listing, schemas and columns all find
//! such errors. Read `listing.rs` next.

use crate::file::NoInput;
use crate::file::database::NoTable;
use crate::file::workbook::NoColumns;
use crate::file::zipped::NotOneFile;
use incrowd_engine::{Encoding, PrepareError, SourceError};
use std::borrow::Cow;
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
        /// Which of them.
        encoding: &'static str,
    },
    /// One sign is said to stand between fields and around them.
    SameSigns {
        /// The files.
        location: String,
    },
    /// A packed file that ends before its names do.
    CutOff {
        /// The file.
        location: String,
    },
    /// What stands above the names is more than titles.
    NotOnlyTitles {
        /// The file.
        location: String,
    },
    /// A file of no bytes.
    Empty {
        /// The file.
        location: String,
    },
    /// The header or schema of a file cannot be read.
    NoSchema {
        /// The file.
        location: String,
    },
    /// An ending that is known for something that is not read.
    OtherFormat {
        /// The file.
        location: String,
        /// How to make it readable.
        advice: &'static str,
    },
    /// An address of another machine; it may hold a password, and is not repeated.
    Remote {
        /// How it begins.
        scheme: String,
    },
    /// An archive that is not one file.
    NotOneFile {
        /// The archive.
        location: String,
        /// Why.
        why: NotOneFile,
    },
    /// A workbook whose columns cannot be told.
    Workbook {
        /// The workbook.
        location: String,
        /// Why.
        why: NoColumns,
    },
    /// A database whose table cannot be told or read.
    Database {
        /// The database.
        location: String,
        /// Why.
        why: NoTable,
    },
    /// A part of a file that files of its format do not have.
    NoSuchPart {
        /// The key of the request.
        key: &'static str,
    },
    /// Folders whose names do not say the same columns.
    DifferentKeys {
        /// The file that differs from the first.
        location: String,
    },
    /// The name of a folder that says a column which the files have, too.
    KeyIsColumn {
        /// The column.
        key: String,
    },
    /// The name of a folder that is no text.
    WrongKey {
        /// The folder.
        location: String,
    },
    /// More folders than are looked into.
    TooManyFolders {
        /// The one too many.
        location: String,
    },
    /// Standard input of which nobody says what it is.
    NoFormat,
    /// Standard input that is not there.
    NoInput(NoInput),
    /// Standard input whose beginning does not tell what it holds.
    NotLookedAt {
        /// How to look at it.
        advice: &'static str,
    },
    /// A database that passes by.
    DatabaseAsStream,
    /// Standard input that could not be kept.
    NotCopied {
        /// Where.
        place: String,
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
            FileError::LikeUtf16 { location, .. } => write!(f, "{location:?} looks like UTF-16"),
            FileError::SameSigns { location } => {
                write!(f, "one sign stands between the fields of {location:?} and around them")
            }
            FileError::CutOff { location } => write!(f, "{} {CUT_OFF}", Shown(location)),
            FileError::NotOnlyTitles { location } => {
                write!(f, "skip-lines would pass over rows of {}, or make one of them the names", Shown(location))
            }
            FileError::Empty { location } => write!(f, "{} is empty", Shown(location)),
            FileError::NoSchema { location } => write!(f, "the columns of {} cannot be read", Shown(location)),
            FileError::OtherFormat { location, .. } => write!(f, "{location:?} is of a format that is not read"),
            FileError::Remote { scheme } => write!(f, "{scheme}:// is not on this machine"),
            FileError::NotOneFile { location, why } => match why {
                NotOneFile::Damaged => write!(f, "{location:?} is no whole archive"),
                NotOneFile::CutOff => write!(f, "{} {CUT_OFF}", Shown(location)),
                NotOneFile::Files(files) => write!(f, "{location:?} holds {files} files, and not one"),
                NotOneFile::Unreadable => write!(f, "{location:?} is packed with a password, or in a rare way"),
            },
            FileError::Workbook { location, why } => match why {
                NoColumns::Damaged => write!(f, "the columns of {} cannot be read", Shown(location)),
                NoColumns::NoSheet(sheets) => {
                    write!(f, "{} has no such sheet; it has {}", Shown(location), listed(sheets))
                }
                NoColumns::TooLong => write!(f, "the texts of {} unpack to more than 1 GiB", Shown(location)),
            },
            FileError::Database { location, why } => match why {
                NoTable::Damaged => write!(f, "{location:?} is no whole database of SQLite"),
                NoTable::Ledger => write!(f, "{location:?} is an account book, and no data"),
                NoTable::Unfinished => write!(f, "{location:?} has changes that lie beside it"),
                NoTable::Tables { tables } => {
                    write!(f, "`table` must name one of the tables of {location:?}: {}", listed(tables))
                }
            },
            FileError::NoSuchPart { key } => write!(f, "`{key}` is said of data that has none"),
            FileError::DifferentKeys { location } => {
                write!(f, "the folders of {location:?} say other columns than those of the first file")
            }
            FileError::KeyIsColumn { key } => write!(f, "{key:?} is a column of the files and of their folders"),
            FileError::WrongKey { location } => write!(f, "the name of {location:?} is no text"),
            FileError::TooManyFolders { location } => write!(f, "there are too many folders, up to {location:?}"),
            FileError::NoFormat => f.write_str("nothing says what standard input is"),
            FileError::NoInput(NoInput::Terminal) => f.write_str("standard input is a keyboard"),
            FileError::NoInput(NoInput::Taken) => f.write_str("standard input was read already"),
            FileError::NotLookedAt { .. } => f.write_str("the beginning of standard input does not tell its columns"),
            FileError::DatabaseAsStream => f.write_str("a database cannot be read from standard input"),
            FileError::NotCopied { place } => {
                write!(f, "standard input could not be read to its end, or not be kept in {place:?}")
            }
        }
    }
}

/// A file as messages name it, or standard input.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == super::STANDARD_INPUT { f.write_str("standard input") } else { write!(f, "{:?}", self.0) }
    }
}

/// What is said of packed files without an end.
const CUT_OFF: &str = "ends in the middle of the packed data";

/// Most names that a message lists.
const MOST_LISTED: usize = 20;

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    let mut shown: Vec<String> = names.iter().take(MOST_LISTED).map(|name| format!("{name:?}")).collect();
    if names.len() > MOST_LISTED {
        shown.push(format!("{} more", names.len() - MOST_LISTED));
    }
    shown.join(", ")
}

impl FileError {
    fn hint(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            FileError::NoFile { .. } => "paths are relative to the folder of the request",
            FileError::NoFilesInside { .. } => {
                "files end in .csv, .tsv, .parquet, .json, .ndjson, .arrow, .xlsx, .ods or .sqlite; texts also in \
                 .gz, .zst or .zip"
            }
            FileError::NotReadable { .. } => "look at the permissions of the file and of the folders above it",
            FileError::UnknownFormat { .. } => {
                "say [data] format, or give it a name that ends in .csv, .tsv, .parquet, .json, .ndjson, .arrow, .xlsx, \
                 .ods or .sqlite; texts also in .gz, .zst or .zip"
            }
            FileError::MixedFormats { .. } => "name a pattern such as \"data/*.parquet\"",
            FileError::DifferentColumns { .. } => "all files of a source have the same columns, in the same order",
            FileError::NotInEncoding { .. } => {
                "set [data] encoding = \"windows-1252\", or another one; `incrowd init` guesses it"
            }
            FileError::LikeUtf16 { encoding, .. } => {
                return Cow::Owned(format!("set [data] encoding = {encoding:?}, or run `incrowd init`"));
            }
            FileError::CutOff { .. } | FileError::NotOneFile { why: NotOneFile::CutOff, .. } => {
                "its end is missing: copy or download it again, or pack it again"
            }
            FileError::SameSigns { .. } => "[data] quote = \"none\" for files without quotes",
            FileError::NotOnlyTitles { .. } => {
                "it is for titles: lines with fewer fields than there are names, rows of a sheet with less than half as many. Is the number right? Titles with as many signs between fields as the names (`Report;;;`) cannot be told from rows: take them out of the file"
            }
            FileError::Empty { .. } => "there is nothing in it: was it written to its end, and is it the right file?",
            FileError::NoSchema { .. } => "is the file whole, and what its name says? A CSV file begins with names",
            FileError::OtherFormat { advice, .. } | FileError::NotLookedAt { advice } => advice,
            FileError::Remote { scheme } => match scheme.as_str() {
                "postgres" | "postgresql" | "mysql" | "jdbc" | "odbc" => {
                    "export the table to a file first, such as with \\copy people to 'people.csv' csv header"
                }
                _ => "download it first, and name the file",
            },
            FileError::NotOneFile { why: NotOneFile::Damaged, .. } => "is the file whole, and a .zip?",
            FileError::NotOneFile { why: NotOneFile::Files(_) | NotOneFile::Unreadable, .. } => {
                "unpack it into a folder, and name the folder"
            }
            FileError::Workbook { why: NoColumns::Damaged, .. } => {
                "is the file whole, without a password, and what its name says? The first row of a sheet has the names"
            }
            FileError::Workbook { why: NoColumns::NoSheet(_), .. } => {
                "say [data] sheet = \"...\", or nothing for the first"
            }
            FileError::Workbook { why: NoColumns::TooLong, .. } => "save the sheet as CSV UTF-8",
            FileError::Database { why: NoTable::Damaged, .. } => {
                "is the file whole? sqlite3 FILE 'PRAGMA integrity_check' tells"
            }
            FileError::Database { why: NoTable::Ledger, .. } => "name the database with the people",
            FileError::Database { why: NoTable::Unfinished, .. } => {
                "close what writes to it, then: sqlite3 FILE 'PRAGMA wal_checkpoint(TRUNCATE)'"
            }
            FileError::Database { why: NoTable::Tables { .. }, .. } => "say [data] table = \"...\"",
            FileError::NoSuchPart { .. } => "`sheet` is for .xlsx and .ods, `table` for .sqlite; leave it out",
            FileError::DifferentKeys { .. } => {
                "all files lie in folders such as year=2020/month=03, with the same columns"
            }
            FileError::KeyIsColumn { .. } => "rename the column or the folders: nobody can tell which of them is meant",
            FileError::WrongKey { .. } => "write names of folders in UTF-8, signs such as / as %2F",
            FileError::TooManyFolders { .. } => "name a folder further down, or a pattern; do links lead in circles?",
            FileError::NoFormat => {
                "say [data] format = \"csv\", \"tsv\", \"json\", \"parquet\", \"arrow\", \"xlsx\" or \"ods\""
            }
            FileError::NoInput(NoInput::Terminal) => {
                "give it data, such as with: zcat people.csv.gz | incrowd release REQUEST"
            }
            FileError::NoInput(NoInput::Taken) => "it passes once: save it as a file to read it again",
            FileError::DatabaseAsStream => "save it as a file, and name that",
            FileError::NotCopied { .. } => {
                "was its program ended? Free some disk space, or name another place with --spill"
            }
        })
    }
}

impl From<FileError> for PrepareError {
    fn from(error: FileError) -> PrepareError {
        PrepareError::Source(SourceError { message: error.to_string(), hint: error.hint().into_owned() })
    }
}
