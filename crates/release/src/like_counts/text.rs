//! Lists of sizes as text: CSV with a column `count` or `counted`, or with one column of whole numbers.
//!
//! A header is optional; the delimiter is a comma, a semicolon or a tab, whichever the first line has most of. What is
//! no size must never be guessed or left out. It is separate because only lists have to be understood. Read
//! `../like_counts.rs` first.

use super::{LikeCounts, LikeError, MOST_PEOPLE, NoSize, SizesFrom, unreadable};
use csv::{ByteRecord, ReaderBuilder};
use incrowd_request::{COUNT, COUNTED};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// The longest list that is read.
const MOST_BYTES: u64 = 1 << 30;
/// The longest first line.
const MOST_IN_A_LINE: u64 = 1 << 20;

/// Reads the sizes in a file.
pub(super) fn read(path: &Path) -> Result<LikeCounts, LikeError> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let mut input = BufReader::new(file);
    let mut first = Vec::new();
    input.by_ref().take(MOST_IN_A_LINE).read_until(b'\n', &mut first).map_err(|error| unreadable(path, error))?;
    let first = first.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(first);
    let delimiter = delimiter(&first);
    let rest = input.take(MOST_BYTES);
    let mut lines = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(Cursor::new(first).chain(rest));
    let mut list = List::default();
    let mut record = ByteRecord::new();
    while lines.read_byte_record(&mut record).map_err(|_| LikeError::NotATable { path: path.to_path_buf() })? {
        let line = record.position().map_or(0, csv::Position::line);
        list.add(&record, line).map_err(|(line, reason)| LikeError::Line { path: path.to_path_buf(), line, reason })?;
    }
    if lines.into_inner().into_inner().1.limit() == 0 {
        return Err(LikeError::TooLong { path: path.to_path_buf() });
    }
    list.sizes(path)
}

/// The delimiter that a line has most of.
fn delimiter(line: &[u8]) -> u8 {
    let many = |delimiter: &u8| line.iter().filter(|byte| *byte == delimiter).count();
    [b'\t', b';', b','].into_iter().max_by_key(many).unwrap_or(b',')
}

/// Every column, until it is known which one is meant.
#[derive(Default)]
struct List {
    known: Option<Known>,
    columns: Vec<ColumnOfSizes>,
    lines: u64,
}

/// The column that is meant, from its name on.
struct Known {
    place: usize,
    like: LikeCounts,
}

/// One column of a list without a column `count`.
struct ColumnOfSizes {
    like: LikeCounts,
    /// The first line without a size that is no name.
    broken: Option<(u64, NoSize)>,
    /// Whether its first line is a name, and not `count`.
    is_named: bool,
}

impl List {
    fn add(&mut self, record: &ByteRecord, line: u64) -> Result<(), (u64, NoSize)> {
        let is_first = self.lines == 0;
        self.lines += 1;
        if is_first && let Some(known) = Known::named(record) {
            self.known = Some(known);
            return Ok(());
        }
        if let Some(known) = &mut self.known {
            return known.add(record, line);
        }
        if is_first {
            self.columns = record.iter().map(|field| ColumnOfSizes::headed(field, line)).collect();
            return Ok(());
        }
        for (place, column) in self.columns.iter_mut().enumerate() {
            column.add(size(record.get(place).unwrap_or_default()), line);
        }
        Ok(())
    }

    fn sizes(self, path: &Path) -> Result<LikeCounts, LikeError> {
        if let Some(known) = self.known {
            return Ok(known.like);
        }
        let path = path.to_path_buf();
        if self.columns.is_empty() {
            return Err(LikeError::Empty { path });
        }
        // Of a single column it is said what is wrong with it.
        if let [ColumnOfSizes { broken: Some((line, reason)), .. }] = self.columns.as_slice() {
            return Err(LikeError::Line { path, line: *line, reason: *reason });
        }
        let is_whole = |column: &ColumnOfSizes| column.broken.is_none() && !column.like.sizes.is_empty();
        let candidates = self.columns.iter().filter(|column| is_whole(column)).count();
        let single = self.columns.len() == 1;
        match (candidates, self.columns.into_iter().enumerate().find(|(_, column)| is_whole(column))) {
            // Numbers and nothing else are a list of sizes.
            (1, Some((_, column))) if single && !column.is_named => Ok(column.like),
            (1, Some((place, column))) => {
                Ok(LikeCounts { origin: SizesFrom::Column { place: place + 1 }, ..column.like })
            }
            (0, _) if single => Err(LikeError::Empty { path }),
            (candidates, _) => Err(LikeError::WhichColumn { path, candidates }),
        }
    }
}

impl Known {
    /// Finds the column by its name; one of a release has its status beside it.
    fn named(names: &ByteRecord) -> Option<Known> {
        let is = |field: &[u8], name: &str| field.trim_ascii().eq_ignore_ascii_case(name.as_bytes());
        let named = |name: &str| names.iter().position(|field| is(field, name));
        let place = named(COUNT).or_else(|| named(COUNTED))?;
        let published = ["low", "high", "status"].iter().all(|name| names.iter().any(|field| is(field, name)));
        let origin = if published { SizesFrom::Release { without_count: 0 } } else { SizesFrom::List };
        Some(Known { place, like: LikeCounts::none(origin) })
    }

    fn add(&mut self, record: &ByteRecord, line: u64) -> Result<(), (u64, NoSize)> {
        let field = record.get(self.place).unwrap_or_default();
        match (self.like.origin, size(field)) {
            (_, Ok(people)) => self.like.sizes.add(people),
            (SizesFrom::Release { .. }, Err(NoSize::Missing)) => self.like.add_published(None),
            // Noise may go below zero.
            (SizesFrom::Release { .. }, Err(NoSize::Negative)) => self.like.add_published(Some(0)),
            (SizesFrom::Release { .. }, Err(reason @ (NoSize::NotWhole | NoSize::TooLarge)))
            | (SizesFrom::List | SizesFrom::Column { .. }, Err(reason)) => return Err((line, reason)),
        }
        Ok(())
    }
}

impl ColumnOfSizes {
    /// A first line that is no number at all is a name.
    fn headed(first: &[u8], line: u64) -> Self {
        let is_number = std::str::from_utf8(first).is_ok_and(|text| text.trim().parse::<f64>().is_ok());
        let mut column = ColumnOfSizes { like: LikeCounts::none(SizesFrom::List), broken: None, is_named: !is_number };
        if is_number {
            column.add(size(first), line);
        }
        column
    }

    fn add(&mut self, size: Result<u64, NoSize>, line: u64) {
        match size {
            Ok(people) => self.like.sizes.add(people),
            Err(reason) => self.broken = self.broken.or(Some((line, reason))),
        }
    }
}

/// Reads a number of people: digits, with a sign or with decimals that are all zero.
fn size(field: &[u8]) -> Result<u64, NoSize> {
    let text = std::str::from_utf8(field).map_err(|_| NoSize::NotWhole)?.trim();
    if text.is_empty() {
        return Err(NoSize::Missing);
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || !all_digits(decimals) {
        return Err(NoSize::NotWhole);
    }
    if negative && digits.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
        return Err(NoSize::Negative);
    }
    if decimals.bytes().any(|byte| byte != b'0') {
        return Err(NoSize::NotWhole);
    }
    match whole.parse::<u64>() {
        Ok(people) if people <= MOST_PEOPLE => Ok(people),
        Ok(_) | Err(_) => Err(NoSize::TooLarge),
    }
}
