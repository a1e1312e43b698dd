//! Standard input, in every format that it is read in.
//!
//! A test must never take the standard input of its process. It is separate because a stream passes once. Read
//! `file/standard_input.rs` for how.

use super::folder::{Folder, read, table};
use crate::file::{Content, StandardInput};
use crate::scan::Fault;
use crate::source::{FileError, Files, Machine, Passes};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use incrowd_engine::{DataFormat, Dialect, Unwatched};
use std::io::Cursor;
use std::sync::Arc;

fn batch() -> RecordBatch {
    let a: ArrayRef = Arc::new(StringArray::from(vec!["1", "2"]));
    let b: ArrayRef = Arc::new(StringArray::from(vec!["x", "y"]));
    RecordBatch::try_from_iter([("a", a), ("b", b)]).expect("a batch")
}

fn given(format: Option<DataFormat>, bytes: Vec<u8>) -> (Machine, Dialect) {
    let machine = Machine { input: StandardInput::given(Box::new(Cursor::new(bytes))), ..Machine::default() };
    (machine, Dialect { format, ..Dialect::default() })
}

#[test]
fn every_format_but_databases_is_read_from_standard_input() {
    let mut parquet = Vec::new();
    let mut writer = parquet::arrow::ArrowWriter::try_new(&mut parquet, batch().schema(), None).expect("a writer");
    writer.write(&batch()).expect("written");
    writer.close().expect("closed");
    let mut file = Vec::new();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(&mut file, &batch().schema()).expect("a writer");
    writer.write(&batch()).expect("written");
    writer.finish().expect("finished");
    drop(writer);
    let mut stream = Vec::new();
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(&mut stream, &batch().schema()).expect("a writer");
    writer.write(&batch()).expect("written");
    writer.finish().expect("finished");
    drop(writer);
    let rows = [["a", "b"], ["1", "x"], ["2", "y"]].map(|row| row.map(str::to_string).to_vec());
    let xlsx = super::workbook::xlsx(&[("S", &super::workbook::texts(&rows))]);
    let ods = super::workbook::ods(&[("S", &super::workbook::texts(&rows))]);
    let cases: [(DataFormat, Vec<u8>, bool); 8] = [
        (DataFormat::Csv, b"a,b\n1,x\n2,y\n".to_vec(), false),
        (DataFormat::Tsv, b"a\tb\n1\tx\n2\ty\n".to_vec(), false),
        (DataFormat::Json, b"{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n".to_vec(), false),
        (DataFormat::Arrow, stream, false),
        (DataFormat::Arrow, file, true),
        (DataFormat::Parquet, parquet, true),
        (DataFormat::Xlsx, xlsx, true),
        (DataFormat::Ods, ods, true),
    ];
    for (format, bytes, is_copied) in cases {
        let length = bytes.len() as u64;
        let (machine, dialect) = given(Some(format), bytes);
        let files =
            Files::resolve_on(&machine, "-", &dialect).unwrap_or_else(|problem| panic!("{format:?}: {problem}"));
        assert_eq!(matches!(files.files[0].content, Content::Copy(_)), is_copied, "{format:?}");
        assert!(!is_copied || machine.may_copy(&dialect), "{format:?}: nothing is copied without a word");
        assert_eq!(files.bytes(), is_copied.then_some(length), "{format:?}");
        let rows = read(&files, &["b", "a"], 2, 3, Arc::new(Unwatched)).map(|(_, rows)| rows);
        assert_eq!(rows, Ok(table(&[&["x", "1"], &["y", "2"]])), "{format:?}");
        let again = read(&files, &["b", "a"], 2, 3, Arc::new(Unwatched)).map(|(_, rows)| rows.len());
        assert_eq!(again, if is_copied { Ok(2) } else { Err(Fault::Damaged) }, "{format:?}: a stream passes once");
        let taken = Files::resolve_on(&machine, "-", &dialect).expect_err("taken");
        assert_eq!(taken, FileError::NoInput(crate::file::NoInput::Taken).into());
    }
}

#[test]
fn what_is_read_twice_is_copied_in_every_format() {
    for (format, bytes) in [(DataFormat::Csv, &b"a\n1\n"[..]), (DataFormat::Json, b"{\"a\":1}")] {
        let (machine, dialect) = given(Some(format), bytes.to_vec());
        let machine = Machine { passes: Passes::Many, ..machine };
        assert!(machine.may_copy(&dialect));
        let files = Files::resolve_on(&machine, "-", &dialect).expect("columns");
        for _ in 0..2 {
            let rows = read(&files, &["a"], 2, 3, Arc::new(Unwatched)).map(|(_, rows)| rows);
            assert_eq!(rows, Ok(table(&[&["1"]])), "{format:?}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_refused_before_anything_is_taken() {
    let (machine, dialect) = given(None, b"a\n".to_vec());
    assert_eq!(Files::resolve_on(&machine, "-", &dialect).expect_err("no format"), FileError::NoFormat.into());
    let (machine, dialect) = given(Some(DataFormat::Sqlite), b"a\n".to_vec());
    assert_eq!(Files::resolve_on(&machine, "-", &dialect).expect_err("a database"), FileError::DatabaseAsStream.into());
    assert!(machine.input.take().is_ok(), "it is still there");
    for format in [DataFormat::Csv, DataFormat::Arrow, DataFormat::Parquet, DataFormat::Xlsx, DataFormat::Ods] {
        let (machine, dialect) = given(Some(format), Vec::new());
        assert!(Files::resolve_on(&machine, "-", &dialect).is_err(), "{format:?}: nothing has no columns");
    }
}

#[test]
fn a_copy_leaves_nothing_where_it_was_made() {
    let folder = Folder::new();
    let place = folder.path("");
    let (mut machine, dialect) = given(Some(DataFormat::Parquet), b"no Parquet".repeat(1000));
    machine.place = Some(place.clone().into());
    assert!(Files::resolve_on(&machine, "-", &dialect).is_err());
    assert_eq!(std::fs::read_dir(place).expect("a folder").count(), 0);
}
