//! The columns of a file as it declares them, and the columns that several files have in common.
//!
//! It must never decode a statistic, and whatever a library says when a schema is damaged stops here. It is separate
//! because this is all that may be read before the charge. Read `header.rs` next.

use super::file_error::FileError;
use super::header::{self, NoHeader};
use super::{Format, OneFile, listing, shown};
use crate::file::arrow_file::{ArrowFooter, has_footer};
use crate::file::bytes::open_beginning;
use crate::file::database::{Database, NoTable};
use crate::file::letters::in_utf8;
use crate::file::lines::behind_lines;
use crate::file::{Content, Signs, arrow_stream, workbook};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use incrowd_engine::{Dialect, Header};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::basic::Type as PhysicalType;
use parquet::file::metadata::ParquetStatisticsPolicy;
use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// So much of a file is looked at for what stands above its names.
const LONGEST_TITLES: u64 = 1 << 20;

/// Returns the columns of one file.
pub(super) fn of_file(format: Format, dialect: &Dialect, file: &OneFile) -> Result<Schema, FileError> {
    let location = shown(&file.path);
    if let Content::Named = file.content {
        let unreachable = |error| listing::unreachable_file(&error, &location);
        let opened = File::open(&file.path).and_then(|file| file.metadata()).map_err(unreachable)?;
        // JSON says nothing of columns: without an object there is nobody in it.
        if opened.is_file() && opened.len() == 0 && format != Format::Json {
            return Err(FileError::Empty { location });
        }
    }
    // A library that gives up on a damaged file has read no schema either.
    let schema = catch_unwind(AssertUnwindSafe(|| declared(format, dialect, file)));
    schema.unwrap_or(Err(FileError::NoSchema { location }))
}

fn declared(format: Format, dialect: &Dialect, file: &OneFile) -> Result<Schema, FileError> {
    let location = shown(&file.path);
    let beginning = || open_beginning(file).ok();
    let schema = match format {
        Format::Csv | Format::Tsv => {
            let columns = csv_columns(format, dialect, file).map_err(|why| why.of(location.clone(), dialect))?;
            Some(columns)
        }
        Format::Parquet => file.seekable().ok().and_then(|bytes| {
            let options = parquet_options().with_encoding_stats_policy(ParquetStatisticsPolicy::SkipAll);
            ArrowReaderMetadata::load(&bytes, options).ok().map(|footer| parquet_schema(&footer))
        }),
        Format::Json => Some(Schema::empty()),
        Format::Arrow if has_footer(file) => ArrowFooter::of(file).map(|footer| footer.schema().clone()),
        Format::Arrow => beginning().and_then(|content| arrow_stream::schema_of(file, content)),
        Format::Xlsx | Format::Ods => {
            let columns = workbook::columns(file, format, dialect);
            let columns = columns.map_err(|why| FileError::Workbook { location: location.clone(), why })?;
            Some(all_texts(columns.into_iter().map(|(_, name)| name).collect()))
        }
        Format::Sqlite => {
            let columns = Database::open(file, dialect).and_then(|table| table.columns().map_err(|_| NoTable::Damaged));
            let columns = columns.map_err(|why| FileError::Database { location: location.clone(), why })?;
            Some(all_texts(columns))
        }
    };
    let schema = schema.ok_or_else(|| FileError::NoSchema { location: location.clone() })?;
    let has_names = dialect.skip_lines > 0 && dialect.header == Header::Names;
    if has_names && !above_are_titles(format, dialect, file, schema.fields().len()) {
        return Err(FileError::NotOnlyTitles { location });
    }
    Ok(schema)
}

/// Whether only titles stand above so many names, by how many fields they have: whoever chooses a line must not choose
/// a row, which would be told before the charge. A row of a text has as many fields as there are names, however many of
/// them are empty; of a row of a sheet only cells that hold something are known, so that half of them are a row.
fn above_are_titles(format: Format, dialect: &Dialect, file: &OneFile, names: usize) -> bool {
    let most = usize::try_from(dialect.skip_lines).unwrap_or(usize::MAX);
    let (fields, most_of_title): (Vec<usize>, usize) = match format {
        Format::Csv | Format::Tsv => {
            let mut text = Vec::new();
            let read = open_beginning(file)
                .and_then(|bytes| in_utf8(bytes, dialect.encoding).take(LONGEST_TITLES).read_to_end(&mut text));
            if read.is_err() {
                return false;
            }
            let delimiter = char::from(Signs::of(format, dialect).delimiter);
            let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
            let fields = text.split(['\n', '\r']).take(most).map(|line| line.split(delimiter).count());
            (fields.collect(), names.saturating_sub(1))
        }
        Format::Xlsx | Format::Ods => {
            let whole = Dialect { skip_lines: 0, ..dialect.clone() };
            let Ok(rows) = workbook::first_widths(file, format, &whole, most) else { return false };
            let above = rows.into_iter().filter(|row| row.number <= dialect.skip_lines);
            (above.map(|row| row.cells).collect(), names.saturating_sub(1) / 2)
        }
        Format::Parquet | Format::Json | Format::Arrow | Format::Sqlite => return true,
    };
    names > 1 && fields.iter().all(|fields| *fields <= most_of_title.max(1))
}

/// Returns the columns of a CSV file: those that its first record names, or as many as that record has fields.
fn csv_columns(format: Format, dialect: &Dialect, file: &OneFile) -> Result<Schema, NoHeader> {
    let bytes = open_beginning(file).map_err(|_| NoHeader::NotWhole)?;
    let text = behind_lines(in_utf8(bytes, dialect.encoding), dialect.skip_lines);
    let signs = Signs::of(format, dialect);
    Ok(all_texts(match dialect.header {
        Header::Names => header::names(text, signs)?,
        Header::Row => (1..=header::width(text, signs)?).map(|place| format!("column{place}")).collect(),
    }))
}

impl NoHeader {
    fn of(self, location: String, dialect: &Dialect) -> FileError {
        match self {
            NoHeader::NotWhole => FileError::NoSchema { location },
            NoHeader::NotLetters => FileError::NotInEncoding { location, encoding: dialect.encoding },
            // Said already.
            NoHeader::LikeUtf16(_) if dialect.encoding.as_str().starts_with("utf-16") => {
                FileError::NoSchema { location }
            }
            NoHeader::LikeUtf16(encoding) => FileError::LikeUtf16 { location, encoding },
            NoHeader::CutOff => FileError::CutOff { location },
        }
    }
}

fn all_texts(names: Vec<String>) -> Schema {
    Schema::new(names.into_iter().map(|name| Field::new(name, DataType::Utf8, true)).collect::<Vec<_>>())
}

/// Returns how footers are read: without what they say about values.
pub(crate) fn parquet_options() -> ArrowReaderOptions {
    ArrowReaderOptions::new()
        .with_column_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_size_stats_policy(ParquetStatisticsPolicy::SkipAll)
}

/// Returns the columns of a Parquet file.
///
/// The old 96-bit timestamps are declared in microseconds: in nanoseconds, their default, the year 9999 would overflow.
pub(crate) fn parquet_schema(footer: &ArrowReaderMetadata) -> Schema {
    let described = footer.parquet_schema();
    let fields = footer.schema().fields().iter().zip(described.root_schema().get_fields());
    let fields = fields.map(|(field, stored)| {
        let is_old_timestamp = stored.is_primitive() && stored.get_physical_type() == PhysicalType::INT96;
        match field.data_type() {
            DataType::Timestamp(_, zone) if is_old_timestamp => {
                let micros = DataType::Timestamp(TimeUnit::Microsecond, zone.clone());
                Arc::new(field.as_ref().clone().with_data_type(micros))
            }
            _ => field.clone(),
        }
    });
    Schema::new(fields.collect::<Vec<_>>())
}

/// Returns columns that can hold both, or nothing if names, order or types differ.
pub(super) fn common_to(one: &Schema, other: &Schema) -> Option<Schema> {
    if one.fields().len() != other.fields().len() {
        return None;
    }
    let pairs = one.fields().iter().zip(other.fields());
    let fields = pairs.map(|(one, other)| {
        let data_type = wider(one.data_type(), other.data_type())?;
        (one.name() == other.name()).then(|| one.as_ref().clone().with_data_type(data_type))
    });
    Some(Schema::new(fields.collect::<Option<Vec<_>>>()?))
}

/// Returns the type that holds both: programs drift between integer widths and between ways to store a text.
fn wider(one: &DataType, other: &DataType) -> Option<DataType> {
    if one.equals_datatype(other) {
        return Some(one.clone());
    }
    let both = |rank: fn(&DataType) -> Option<u8>| Some((rank(one)?, rank(other)?));
    if let Some((left, right)) = both(signed_width).or_else(|| both(unsigned_width)) {
        return Some(if left < right { other.clone() } else { one.clone() });
    }
    match (text_in(one)?, text_in(other)?) {
        (Text::Words, Text::Words) => Some(DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))),
        (Text::Plain, _) | (_, Text::Plain) => Some(DataType::Utf8),
    }
}

fn signed_width(data_type: &DataType) -> Option<u8> {
    match data_type {
        DataType::Int8 => Some(8),
        DataType::Int16 => Some(16),
        DataType::Int32 => Some(32),
        DataType::Int64 => Some(64),
        _ => None,
    }
}

fn unsigned_width(data_type: &DataType) -> Option<u8> {
    match data_type {
        DataType::UInt8 => Some(8),
        DataType::UInt16 => Some(16),
        DataType::UInt32 => Some(32),
        DataType::UInt64 => Some(64),
        _ => None,
    }
}

/// How texts are stored.
enum Text {
    Plain,
    Words,
}

fn text_in(data_type: &DataType) -> Option<Text> {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(Text::Plain),
        DataType::Dictionary(_, words) => text_in(words).map(|_| Text::Words),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wider_integer_wins() {
        assert_eq!(wider(&DataType::Int32, &DataType::Int64), Some(DataType::Int64));
        assert_eq!(wider(&DataType::Int64, &DataType::Int16), Some(DataType::Int64));
        assert_eq!(wider(&DataType::UInt8, &DataType::UInt32), Some(DataType::UInt32));
    }

    #[test]
    fn types_of_different_kinds_have_nothing_in_common() {
        let date = DataType::Date32;
        assert_eq!(wider(&DataType::Int32, &DataType::UInt32), None);
        assert_eq!(wider(&DataType::Int32, &DataType::Float64), None);
        assert_eq!(wider(&DataType::Utf8, &date), None);
        assert_eq!(wider(&date, &DataType::Date64), None);
    }
}
