//! Where the data lies: which files, of which format, with which columns.
//!
//! It must never look at more than names and types, because it runs before the charge: a CSV header record, a Parquet
//! or Arrow schema, the first row of a sheet, the columns of a table, never a row or a statistic. It is separate from
//! `scan.rs`, which reads the rows once they are paid for. Read `source/listing.rs` for the files, `source/schema.rs`
//! for the columns.

mod file_error;
mod header;
mod keys;
mod listing;
mod machine;
mod schema;
#[cfg(test)]
mod tests;

use crate::file::Signs;
pub(crate) use crate::file::{Format, OneFile};
pub(crate) use file_error::FileError;
pub(crate) use machine::{Machine, Passes};
pub(crate) use schema::{parquet_options, parquet_schema};

use crate::file::{Compression, Content, Delivery, Keys, Seekable, how_to_read, zipped};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use incrowd_engine::written::TextReading;
use incrowd_engine::{ColumnType, DeliveredRows, Dialect, Header, PrepareError, SourceError};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files of one format with the same columns.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    /// What they are.
    pub(crate) format: Format,
    /// At least one, in the order of their names.
    pub(crate) files: Vec<OneFile>,
    /// How they write rows and values down.
    pub(crate) dialect: Dialect,
    /// How the texts of columns are read, where not as they are written.
    pub(crate) texts: BTreeMap<String, TextReading>,
    /// The columns of every file: all `Utf8` for texts, none for JSON, and otherwise as the files declare them; behind
    /// them those that the names of folders say, which are texts.
    pub(crate) schema: SchemaRef,
    /// The columns that the names of folders say.
    keys: Vec<String>,
}

/// Standard input, in place of a file.
pub(crate) const STANDARD_INPUT: &str = "-";

/// Returns the files that a location of data names; none where it names none, or cannot be listed.
pub(crate) fn files_of(location: &str) -> Vec<PathBuf> {
    if location == STANDARD_INPUT {
        return Vec::new();
    }
    listing::find(location).unwrap_or_default().into_iter().map(|found| found.path).collect()
}

/// Returns the first file that a location names and what it is, whatever its columns are; nothing where there is none.
pub(crate) fn first_file(location: &str, dialect: &Dialect) -> Result<Option<(Format, OneFile)>, PrepareError> {
    if location == STANDARD_INPUT {
        return Ok(None);
    }
    let first = listing::find(location)?.into_iter().next();
    Ok(first.map(|found| OneFile::look_at(found.path, found.keys, dialect)).transpose()?)
}

/// Returns the files that a location names and what each of them is, whatever their columns are; without those of which
/// that cannot be told.
pub(crate) fn all_files(location: &str, dialect: &Dialect) -> Vec<(Format, OneFile)> {
    if location == STANDARD_INPUT {
        return Vec::new();
    }
    let found = listing::find(location).unwrap_or_default().into_iter();
    found.filter_map(|found| OneFile::look_at(found.path, found.keys, dialect).ok()).collect()
}

impl Files {
    /// Returns the files that a location names, which is a file, a folder, a pattern, or standard input.
    pub(crate) fn resolve(location: &str, dialect: &Dialect) -> Result<Files, PrepareError> {
        Files::resolve_on(&Machine::default(), location, dialect)
    }

    /// Returns the files that a location names on a machine.
    pub(crate) fn resolve_on(machine: &Machine, location: &str, dialect: &Dialect) -> Result<Files, PrepareError> {
        let mut formats = Vec::new();
        let mut files = Vec::new();
        if location == STANDARD_INPUT {
            let (format, file) = machine.standard_input(dialect)?;
            formats.push(format);
            files.push(file);
        } else {
            for found in listing::find(location)? {
                let (format, file) = OneFile::look_at(found.path, found.keys, dialect)?;
                formats.push(format);
                files.push(file);
            }
        }
        let Some(&format) = formats.first() else {
            return Err(FileError::NoFilesInside { location: location.into() }.into());
        };
        if formats.iter().any(|other| *other != format) {
            return Err(FileError::MixedFormats { location: location.into() }.into());
        }
        if matches!(format, Format::Csv | Format::Tsv) && Signs::of(format, dialect).are_one() {
            return Err(FileError::SameSigns { location: location.into() }.into());
        }
        refuse_keys_of_others(format, dialect)?;
        let keys = keys::same_keys(&files)?;
        let mut schema = same_columns(format, dialect, &files)?;
        if !keys.is_empty() {
            schema = with_keys(schema, &keys)?;
        }
        Ok(Files { format, files, dialect: dialect.clone(), texts: BTreeMap::new(), schema: Arc::new(schema), keys })
    }

    /// Returns rows that somebody delivers as if they were a file of Arrow batches.
    pub(crate) fn delivered(rows: Box<dyn DeliveredRows>, dialect: &Dialect) -> Result<Files, PrepareError> {
        let schema = rows.columns();
        refuse_twins(&schema)?;
        let (path, keys) = (PathBuf::new(), Keys::default());
        let content = Content::Delivered(Delivery::of(rows));
        let only = OneFile { path, bytes: 0, compression: Compression::Plain, content, keys };
        // Which table is meant was for whoever delivers its rows.
        let dialect = Dialect { table: None, ..dialect.clone() };
        let format = Format::Arrow;
        Ok(Files { format, files: vec![only], dialect, texts: BTreeMap::new(), schema, keys: Vec::new() })
    }

    /// Returns the same files, whose texts are read by the dialect and by the types that these columns are declared as.
    pub(crate) fn read_as(mut self, columns: &Schema, types: &BTreeMap<String, ColumnType>) -> Files {
        let reading = |field: &Arc<Field>| {
            let name = field.name();
            Some((name.clone(), TextReading::of(&self.dialect, types.get(name).copied())?))
        };
        self.texts = columns.fields().iter().filter_map(reading).collect();
        self
    }

    /// Returns the problem, with what the names of the columns tell about it: a file whose first line is one name with
    /// other signs in it was cut by the wrong one.
    pub(crate) fn explained(&self, problem: PrepareError) -> PrepareError {
        let [only] = self.schema.fields().as_ref() else { return problem };
        let is_cut = matches!(self.format, Format::Csv | Format::Tsv) && self.dialect.header == Header::Names;
        let signs = [(";", "semicolons"), ("\t", "tabs"), ("|", "upright strokes"), (",", "commas")];
        let found = signs.into_iter().find(|(sign, _)| only.name().contains(sign));
        match (&problem, found) {
            (PrepareError::NoColumn { .. }, Some((sign, signs))) if is_cut => {
                let said = if sign == "\t" { "tab" } else { sign };
                let hint = format!("the first line has one name with {signs} in it: [data] delimiter = {said:?}");
                PrepareError::Source(SourceError { message: problem.to_string(), hint })
            }
            _ => problem,
        }
    }

    /// Returns one of them alone, with the columns of all.
    pub(crate) fn only(&self, file: &OneFile) -> Files {
        let mut only = self.clone();
        only.files = vec![file.clone()];
        only
    }

    /// Returns the same files, read in another dialect.
    pub(crate) fn in_dialect(&self, dialect: &Dialect) -> Files {
        let mut other = self.clone();
        other.dialect.clone_from(dialect);
        other
    }

    /// Returns the columns and what can be done with them.
    pub(crate) fn columns(&self) -> Vec<(String, Option<ColumnType>)> {
        let fields = self.schema.fields().iter();
        fields.map(|field| (field.name().clone(), kind(field.data_type()))).collect()
    }

    /// Returns the columns that the names of folders say.
    pub(crate) fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Returns whether the names of folders say this column.
    pub(crate) fn is_key(&self, column: &str) -> bool {
        self.keys.iter().any(|key| key == column)
    }

    /// Returns how the texts of those columns are read.
    pub(crate) fn texts_of_keys(&self) -> BTreeMap<String, TextReading> {
        let keys = self.texts.iter().filter(|(column, _)| self.is_key(column));
        keys.map(|(column, reading)| (column.clone(), reading.clone())).collect()
    }

    /// Returns how many bytes there are to read, if that can be told.
    pub(crate) fn bytes(&self) -> Option<u64> {
        let is_stream = |file: &OneFile| matches!(file.content, Content::Stream(_) | Content::Delivered(_));
        if self.files.iter().any(is_stream) {
            return None;
        }
        Some(self.files.iter().fold(0, |sum, file| sum.saturating_add(file.bytes)))
    }
}

impl OneFile {
    fn look_at(path: PathBuf, keys: Keys, dialect: &Dialect) -> Result<(Format, OneFile), FileError> {
        let location = shown(&path);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let metadata = fs::metadata(&path).map_err(|error| listing::unreachable_file(&error, &location));
        let is_archive = name.to_lowercase().ends_with(".zip");
        let known = if is_archive { inside(&path, dialect)? } else { Format::of_name(&name, dialect.format) };
        let Some((format, compression)) = known else {
            // A file that is not there is missing first of all.
            metadata?;
            return Err(match how_to_read(&name) {
                Some(advice) => FileError::OtherFormat { location, advice },
                None => FileError::UnknownFormat { location },
            });
        };
        let metadata = metadata?;
        // A pipe could be read only once, and its header would be gone.
        if !metadata.is_file() {
            return Err(FileError::NotReadable { location });
        }
        Ok((format, OneFile { path, bytes: metadata.len(), compression, content: Content::Named, keys }))
    }
}

/// Returns what the one file in an archive is, by its own name.
fn inside(path: &Path, dialect: &Dialect) -> Result<Option<(Format, Compression)>, FileError> {
    let location = shown(path);
    let archive = fs::File::open(path).and_then(Seekable::of);
    let archive = archive.map_err(|error| listing::unreachable_file(&error, &location))?;
    let only = zipped::only_file(&archive).map_err(|why| FileError::NotOneFile { location, why })?;
    let known = Format::of_name(&only.name, dialect.format);
    let readable =
        known.filter(|(format, packed)| *packed == Compression::Plain && format.is_read_from_its_beginning());
    Ok(readable.map(|(format, _)| (format, Compression::Zip)))
}

/// A sheet of what has none, or a table, is a mistake of the request.
fn refuse_keys_of_others(format: Format, dialect: &Dialect) -> Result<(), FileError> {
    let has_sheets = matches!(format, Format::Xlsx | Format::Ods);
    if dialect.sheet.is_some() && !has_sheets {
        return Err(FileError::NoSuchPart { key: "sheet" });
    }
    if dialect.table.is_some() && format != Format::Sqlite {
        return Err(FileError::NoSuchPart { key: "table" });
    }
    Ok(())
}

/// Returns columns with those that the names of folders say behind them.
fn with_keys(schema: Schema, keys: &[String]) -> Result<Schema, FileError> {
    let mut fields: Vec<_> = schema.fields().iter().cloned().collect();
    for key in keys {
        if schema.field_with_name(key).is_ok() {
            return Err(FileError::KeyIsColumn { key: key.clone() });
        }
        fields.push(Arc::new(Field::new(key, DataType::Utf8, true)));
    }
    Ok(Schema::new(fields))
}

/// Returns a path as messages show it.
fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn same_columns(format: Format, dialect: &Dialect, files: &[OneFile]) -> Result<Schema, PrepareError> {
    let mut common: Option<Schema> = None;
    for file in files {
        let schema = schema::of_file(format, dialect, file)?;
        common = Some(match common {
            None => {
                refuse_twins(&schema)?;
                schema
            }
            Some(common) => schema::common_to(&common, &schema)
                .ok_or_else(|| FileError::DifferentColumns { location: shown(&file.path) })?,
        });
    }
    Ok(common.unwrap_or_else(Schema::empty))
}

fn refuse_twins(schema: &Schema) -> Result<(), PrepareError> {
    let mut names = HashSet::new();
    for field in schema.fields() {
        if !names.insert(field.name()) {
            return Err(PrepareError::TwinColumns { column: field.name().clone() });
        }
    }
    Ok(())
}

/// Returns what a column can be declared as, or nothing if it cannot be binned.
fn kind(data_type: &DataType) -> Option<ColumnType> {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(ColumnType::Text),
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32
        | DataType::UInt64 => Some(ColumnType::Integer),
        DataType::Float16
        | DataType::Float32
        | DataType::Float64
        | DataType::Decimal32(_, _)
        | DataType::Decimal64(_, _)
        | DataType::Decimal128(_, _)
        | DataType::Decimal256(_, _) => Some(ColumnType::Number),
        DataType::Boolean => Some(ColumnType::Boolean),
        DataType::Date32 | DataType::Date64 => Some(ColumnType::Date),
        DataType::Timestamp(_, _) => Some(ColumnType::Timestamp),
        DataType::Dictionary(_, values) => kind(values),
        _ => None,
    }
}
