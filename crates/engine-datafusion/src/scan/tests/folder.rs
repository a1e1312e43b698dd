//! A folder of files that a test writes, and their rows as texts.
//!
//! It must never read in another way than the engine does. It is separate because all tests begin here. Read the tests
//! of a format next.

use crate::file::Compression;
use crate::scan::{Fault, partitions};
use crate::source::{Files, Format};
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use datafusion_execution::TaskContext;
use datafusion_physical_plan::common::collect;
use incrowd_engine::{Dialect, Unwatched, Watch};
use std::io::Write;
use std::sync::Arc;

/// Rows of texts.
pub(crate) type Texts = Vec<Vec<Option<String>>>;

/// A folder that disappears with the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Writes a file, packed as its ending says.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> String {
        if let Some(inside) = name.to_lowercase().strip_suffix(".zip") {
            return self.write_as_is(name, &zipped(&[(inside, bytes)]));
        }
        let compression = Format::of_name(name, None).map_or(Compression::Plain, |(_, compression)| compression);
        self.write_as_is(name, &packed(compression, bytes))
    }

    pub(crate) fn write_as_is(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(std::path::Path::new(&path).parent().expect("a parent")).expect("a folder");
        std::fs::write(&path, bytes).expect("written");
        path
    }

    pub(crate) fn files(&self, name: &str) -> Files {
        self.files_in(name, &Dialect::default())
    }

    pub(crate) fn files_in(&self, name: &str, dialect: &Dialect) -> Files {
        Files::resolve(&self.path(name), dialect).unwrap_or_else(|problem| panic!("{problem}"))
    }

    /// Returns the rows of these columns of a file in a dialect.
    pub(crate) fn rows_in(&self, name: &str, dialect: &Dialect, columns: &[&str]) -> Result<Texts, Fault> {
        read(&self.files_in(name, dialect), columns, 2, 3, Arc::new(Unwatched)).map(|(_, rows)| rows)
    }

    /// Returns the rows of these columns.
    pub(crate) fn rows(&self, name: &str, columns: &[&str]) -> Result<Texts, Fault> {
        read(&self.files(name), columns, 2, 3, Arc::new(Unwatched)).map(|(_, rows)| rows)
    }
}

pub(crate) fn packed(compression: Compression, bytes: &[u8]) -> Vec<u8> {
    match compression {
        Compression::Plain => bytes.to_vec(),
        Compression::Gzip => {
            let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            packer.write_all(bytes).expect("packed");
            packer.finish().expect("packed")
        }
        Compression::Zstandard => zstd::encode_all(bytes, 1).expect("packed"),
        Compression::Zip => zipped(&[("inside", bytes)]),
    }
}

/// Returns an archive of these files, as they are.
pub(crate) fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in files {
        archive.start_file(*name, stored).expect("a file");
        archive.write_all(bytes).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}

/// Returns an archive of one file that is packed, and says of it what it is told to say.
pub(crate) fn deflated(name: &str, bytes: &[u8], said: u32) -> Vec<u8> {
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).expect("packed");
    let packed = packer.finish().expect("packed");
    let mut sum = flate2::Crc::new();
    sum.update(bytes);
    let numbers = |all: &[&[u8]]| all.concat();
    let (crc, length) = (sum.sum().to_le_bytes(), u32::try_from(packed.len()).expect("short").to_le_bytes());
    let name_length = u16::try_from(name.len()).expect("short").to_le_bytes();
    let same =
        numbers(&[&[20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0], &crc, &length, &said.to_le_bytes(), &name_length, &[0, 0]]);
    let local = numbers(&[b"PK\x03\x04", &same, name.as_bytes(), &packed]);
    let central = numbers(&[b"PK\x01\x02", &[20, 0], &same, &[0; 14], name.as_bytes()]);
    let (start, size) = (local.len() as u32, central.len() as u32);
    let end = numbers(&[b"PK\x05\x06", &[0, 0, 0, 0, 1, 0, 1, 0], &size.to_le_bytes(), &start.to_le_bytes(), &[0, 0]]);
    numbers(&[&local, &central, &end])
}

/// Returns the delivered schema and the rows of all partitions, one partition after the other.
pub(crate) fn read(
    files: &Files,
    columns: &[&str],
    at_most: usize,
    batch_rows: usize,
    watch: Arc<dyn Watch>,
) -> Result<(SchemaRef, Texts), Fault> {
    let wanted = columns.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect::<Vec<_>>();
    let fault = |error| Fault::behind(&error).expect("a fault of our own");
    let (schema, partitions) =
        partitions(files, Arc::new(Schema::new(wanted)), at_most, batch_rows, watch).map_err(fault)?;
    assert!(!partitions.is_empty() && partitions.len() <= at_most.max(1));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut rows = Vec::new();
    for partition in partitions {
        assert_eq!(partition.schema(), &schema);
        let stream = partition.execute(Arc::new(TaskContext::default()));
        for batch in runtime.block_on(collect(stream)).map_err(fault)? {
            assert_eq!(batch.schema(), schema);
            assert!((1..=batch_rows).contains(&batch.num_rows()));
            rows.extend(texts(&batch));
        }
    }
    Ok((schema, rows))
}

fn texts(batch: &RecordBatch) -> Texts {
    let columns: Vec<_> = batch.columns().iter().map(|column| cast(column, &DataType::Utf8).expect("texts")).collect();
    let text = |column: &dyn Array, row| column.is_valid(row).then(|| column.as_string::<i32>().value(row).to_string());
    (0..batch.num_rows()).map(|row| columns.iter().map(|column| text(column, row)).collect()).collect()
}

/// Returns rows of texts from a table in which `-` is missing.
pub(crate) fn table(rows: &[&[&str]]) -> Texts {
    let cell = |cell: &&str| (*cell != "-").then(|| cell.to_string());
    rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}
