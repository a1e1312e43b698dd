//! Sizes to forecast from: an earlier delivered folder, or a public list of sizes.
//!
//! It reads one column of whole numbers and nothing else, of a folder only what its certificate states, and must never
//! repeat what a file says in a message, or take a column that nobody named without saying so. It is separate because
//! `plan --like` and `release --like` read the same files. Read `like_counts/text.rs` for lists, and `incrowd_plan`'s
//! `forecast.rs` for what becomes of the sizes.

mod text;

use crate::forecast::{BinSizes, Forecast, ForecastError, ONLY_THESE_SIZES};
use crate::plan::Plan;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use incrowd_evidence::verify::read_certificate;
use incrowd_request::{COUNT, COUNTED, Format};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Endings of workbooks.
const WORKBOOKS: [&str; 4] = ["xlsx", "xlsm", "xls", "ods"];

/// No group of people is larger.
const MOST_PEOPLE: u64 = 100_000_000_000;

/// Sizes of bins, and where they are from.
pub struct LikeCounts {
    sizes: BinSizes,
    origin: SizesFrom,
}

/// Where sizes are from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizesFrom {
    /// A list that somebody wrote.
    List,
    /// A list in which nothing is called `count`: the one column that has whole numbers alone.
    Column {
        /// Which, from 1.
        place: usize,
    },
    /// A release: its published counts.
    Release {
        /// So many of its rows have no count.
        without_count: u64,
    },
}

/// What is wrong with one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSize {
    /// There is none.
    Missing,
    /// It is something else, or no whole number.
    NotWhole,
    /// It is below zero.
    Negative,
    /// There are not so many people.
    TooLarge,
}

/// Why there are no sizes.
#[derive(Debug)]
pub enum LikeError {
    /// The file cannot be read.
    Unreadable {
        /// Its name.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The folder has no table of counts.
    NoTable {
        /// Its name.
        path: PathBuf,
    },
    /// The folder's table is not the one that its certificate states.
    NotDelivered {
        /// The folder.
        path: PathBuf,
        /// Whether there is a certificate.
        has_certificate: bool,
    },
    /// The folder has a line for each person, and no counts.
    NoCounts {
        /// Its name.
        path: PathBuf,
        /// What its lines are.
        table: &'static str,
    },
    /// The file is a workbook.
    Workbook {
        /// Its name.
        path: PathBuf,
    },
    /// The file is not a table with a count in each row.
    NotATable {
        /// Its name.
        path: PathBuf,
    },
    /// No column, or more than one, could be the sizes.
    WhichColumn {
        /// Its name.
        path: PathBuf,
        /// How many columns have whole numbers alone.
        candidates: usize,
    },
    /// A line has no size.
    Line {
        /// The file's name.
        path: PathBuf,
        /// Which, from 1.
        line: u64,
        /// Why.
        reason: NoSize,
    },
    /// There is no size in it.
    Empty {
        /// The file's name.
        path: PathBuf,
    },
    /// It is longer than any list of sizes.
    TooLong {
        /// The file's name.
        path: PathBuf,
    },
    /// The sizes do not fit the request.
    Forecast(ForecastError),
}

impl fmt::Display for LikeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LikeError::Unreadable { path, error } => write!(f, "--like: {} cannot be read: {error}", path.display()),
            LikeError::NoTable { path } => write!(f, "--like: {} has no table of counts", path.display()),
            LikeError::NotDelivered { path, has_certificate: true } => {
                write!(f, "--like: the table of counts in {} is not the one of its certificate", path.display())
            }
            LikeError::NotDelivered { path, has_certificate: false } => {
                write!(f, "--like: {} has no certificate that says what its counts are", path.display())
            }
            LikeError::NoCounts { path, table } => {
                write!(f, "--like: {} has {table}, one for each person, and no counts", path.display())
            }
            LikeError::Workbook { path } => write!(f, "--like: {} is a workbook, and not read", path.display()),
            LikeError::NotATable { path } => write!(f, "--like: {} is no table of counts", path.display()),
            LikeError::WhichColumn { path, candidates: 0 } => {
                write!(f, "--like: {} has no column of whole numbers", path.display())
            }
            LikeError::WhichColumn { path, candidates } => {
                write!(
                    f,
                    "--like: {candidates} columns of {} have whole numbers, and none is called count",
                    path.display()
                )
            }
            LikeError::Line { path, line, reason } => {
                let reason = match reason {
                    NoSize::Missing => "there is no number",
                    NoSize::NotWhole => "this is not a whole number",
                    NoSize::Negative => "the number is below zero",
                    NoSize::TooLarge => "the number is larger than any group of people",
                };
                write!(f, "--like: {}, line {line}: {reason}", path.display())
            }
            LikeError::Empty { path } => write!(f, "--like: {} has no sizes", path.display()),
            LikeError::TooLong { path } => write!(f, "--like: {} is too long for a list of sizes", path.display()),
            LikeError::Forecast(error) => write!(f, "--like: {error}"),
        }
    }
}

impl LikeError {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            LikeError::Unreadable { .. } => "name a folder that incrowd delivered, or a CSV file of sizes",
            LikeError::NoTable { .. } => {
                "name a folder with counts.csv, counts.parquet or counts.arrow, or a CSV file of sizes"
            }
            LikeError::NotDelivered { .. } => {
                "name a folder as incrowd delivered it (`incrowd verify FOLDER`), or the file itself as a list of sizes"
            }
            LikeError::NoCounts { .. } => {
                "count the people of each kind or cell in it, and write a CSV file with one of these numbers in each line"
            }
            LikeError::Workbook { .. } => {
                "name the delivered folder, which has the same counts in another file, or save the sheet as CSV"
            }
            LikeError::NotATable { .. } | LikeError::TooLong { .. } => {
                "write a CSV file with the number of people of one bin in each line"
            }
            LikeError::WhichColumn { .. } => "call the column with the numbers of people `count`",
            LikeError::Line { reason: NoSize::Missing | NoSize::NotWhole, .. } => {
                "every line needs the number of people of one bin, such as 120, without separators of thousands"
            }
            LikeError::Line { reason: NoSize::Negative | NoSize::TooLarge, .. } => {
                "every line needs the number of people of one bin, from 0 to 100000000000"
            }
            LikeError::Empty { path } if path.is_dir() => {
                "nothing was shown there, so it tells no sizes: name another folder, or a file with the number of people of \
                 one bin in each line"
            }
            LikeError::Empty { .. } => "write the number of people of one bin in each line",
            LikeError::Forecast(error) => error.hint(),
        }
    }
}

impl LikeCounts {
    /// Reads the counts of a delivered folder, or the sizes in a CSV file.
    pub fn read(path: &Path) -> Result<LikeCounts, LikeError> {
        let is_folder = std::fs::metadata(path).map_err(|error| unreadable(path, error))?.is_dir();
        let is_workbook =
            path.extension().is_some_and(|ending| WORKBOOKS.iter().any(|known| ending.eq_ignore_ascii_case(known)));
        let like = match (is_folder, is_workbook) {
            (true, _) => of_folder(path)?,
            (false, true) => return Err(LikeError::Workbook { path: path.to_path_buf() }),
            (false, false) => text::read(path)?,
        };
        if like.sizes.is_empty() {
            return Err(LikeError::Empty { path: path.to_path_buf() });
        }
        Ok(like)
    }

    /// Returns what a release of this plan would show of such bins.
    pub fn forecast(&self, plan: &Plan) -> Result<LikeForecast, LikeError> {
        let forecast = Forecast::of(plan, &self.sizes).map_err(LikeError::Forecast)?;
        Ok(LikeForecast { forecast, origin: self.origin })
    }

    fn none(origin: SizesFrom) -> Self {
        LikeCounts { sizes: BinSizes::default(), origin }
    }

    /// Adds what a release has published of a bin: noise may have made it negative.
    fn add_published(&mut self, count: Option<i64>) {
        match (count, &mut self.origin) {
            (Some(count), _) => self.sizes.add(u64::try_from(count).unwrap_or(0)),
            (None, SizesFrom::Release { without_count }) => *without_count += 1,
            (None, SizesFrom::List | SizesFrom::Column { .. }) => {}
        }
    }
}

/// A forecast, and where its sizes are from.
#[derive(Debug, Clone, PartialEq)]
pub struct LikeForecast {
    /// The figures.
    pub forecast: Forecast,
    /// Where the sizes are from.
    pub origin: SizesFrom,
}

impl LikeForecast {
    /// Returns the forecast, where its sizes are from, and what choosing by them means.
    pub fn words(&self, plan: &Plan) -> Vec<String> {
        let mut lines = vec![self.forecast.words(plan)];
        match self.origin {
            SizesFrom::List => {}
            SizesFrom::Column { place } => lines.push(format!(
                "column {place} of the file was taken for numbers of people: it alone has whole numbers in every line, and \
                 nothing is called `count`. If they are something else, such as identifiers or years, this forecast means nothing"
            )),
            SizesFrom::Release { without_count: 0 } => {
                lines.push("sizes are as published then: with their noise, and without bins that were hidden".into());
            }
            SizesFrom::Release { without_count } => lines.push(format!(
                "sizes are as published then: with their noise, without bins that were hidden and {without_count} that had no count"
            )),
        }
        lines.push(ONLY_THESE_SIZES.into());
        lines
    }

    /// Returns the same for machines.
    pub fn to_json(&self, plan: &Plan) -> Value {
        let mut object = self.forecast.to_json(plan);
        object["sizes_from"] = match self.origin {
            SizesFrom::List | SizesFrom::Column { .. } => json!("list"),
            SizesFrom::Release { .. } => json!("release"),
        };
        object["without_count"] = match self.origin {
            SizesFrom::List | SizesFrom::Column { .. } => json!(0),
            SizesFrom::Release { without_count } => json!(without_count),
        };
        object["column_taken"] = match self.origin {
            SizesFrom::Column { place } => json!(place),
            SizesFrom::List | SizesFrom::Release { .. } => Value::Null,
        };
        object
    }
}

fn unreadable(path: &Path, error: io::Error) -> LikeError {
    LikeError::Unreadable { path: path.to_path_buf(), error }
}

/// Refuses a table that is not the one of the folder's certificate, by its hash.
fn as_delivered(folder: &Path, name: &str) -> Result<(), LikeError> {
    let not_delivered = |has_certificate| LikeError::NotDelivered { path: folder.to_path_buf(), has_certificate };
    let certificate = read_certificate(folder).map_err(|_| not_delivered(false))?;
    let tables = certificate["tables"].as_array().map_or(&[][..], Vec::as_slice);
    let stated = tables.iter().find(|table| table["name"] == name).and_then(|table| table["sha256"].as_str());
    let path = folder.join(name);
    let found = hash_of(&path).map_err(|error| unreadable(&path, error))?;
    if stated == Some(found.as_str()) { Ok(()) } else { Err(not_delivered(true)) }
}

fn hash_of(path: &Path) -> io::Result<String> {
    let (mut file, mut hash) = (BufReader::new(File::open(path)?), Sha256::new());
    loop {
        let chunk = file.fill_buf()?;
        if chunk.is_empty() {
            return Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect());
        }
        hash.update(chunk);
        let taken = chunk.len();
        file.consume(taken);
    }
}

/// The first of the folder's tables of counts: all hold the same.
fn of_folder(folder: &Path) -> Result<LikeCounts, LikeError> {
    for format in Format::ALL {
        let name = format!("counts.{}", format.as_str());
        let path = folder.join(&name);
        // Workbooks are for people; `render` makes another table of one.
        if !path.is_file() || format == Format::Xlsx {
            continue;
        }
        as_delivered(folder, &name)?;
        return match format {
            Format::Csv => text::read(&path),
            Format::Parquet => {
                let file = File::open(&path).map_err(|error| unreadable(&path, error))?;
                let builder = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file);
                of_batches(&path, builder.and_then(|builder| builder.build()).map_err(|_| ()))
            }
            Format::Arrow => {
                let file = File::open(&path).map_err(|error| unreadable(&path, error))?;
                of_batches(&path, arrow_ipc::reader::FileReader::try_new_buffered(file, None).map_err(|_| ()))
            }
            Format::Xlsx => continue,
        };
    }
    let has =
        |table: &&&str| Format::ALL.iter().any(|format| folder.join(format!("{table}.{}", format.as_str())).is_file());
    Err(match ["rows", "points"].iter().find(has) {
        Some(table) => LikeError::NoCounts { path: folder.to_path_buf(), table },
        None => LikeError::NoTable { path: folder.to_path_buf() },
    })
}

fn of_batches<E>(
    path: &Path,
    batches: Result<impl Iterator<Item = Result<RecordBatch, E>>, ()>,
) -> Result<LikeCounts, LikeError> {
    let not_a_table = || LikeError::NotATable { path: path.to_path_buf() };
    let mut like = LikeCounts::none(SizesFrom::Release { without_count: 0 });
    for batch in batches.map_err(|()| not_a_table())? {
        let batch = batch.map_err(|_| not_a_table())?;
        let column = batch.column_by_name(COUNT).or_else(|| batch.column_by_name(COUNTED)).ok_or_else(not_a_table)?;
        let counts = column.as_primitive_opt::<Int64Type>().ok_or_else(not_a_table)?;
        (0..counts.len()).for_each(|row| like.add_published(counts.is_valid(row).then(|| counts.value(row))));
    }
    Ok(like)
}

#[cfg(test)]
mod tests;
