//! Locations, formats and columns, found before anything is charged.
//!
//! A test must never need a row. They are separate from the scans because nothing here may read one. Read
//! `scan/tests.rs` next.

mod folders;

use super::{FileError, Files, Format};
use crate::scan::tests::folder::Folder;
use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    RecordBatch, StringArray, TimestampSecondArray,
};
use arrow_schema::DataType;
use incrowd_engine::{ColumnType, Dialect, PrepareError};
use parquet::arrow::ArrowWriter;
use std::sync::Arc;

fn parquet(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns).expect("a batch");
    let mut file = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
    file
}

fn numbers(name: &str) -> Vec<u8> {
    parquet(vec![(name, Arc::new(Int32Array::from(vec![1])))])
}

fn names(files: &Files) -> Vec<String> {
    files.files.iter().map(|file| file.path.file_name().expect("a name").to_string_lossy().into_owned()).collect()
}

fn problem(folder: &Folder, name: &str) -> PrepareError {
    Files::resolve(&folder.path(name), &Dialect::default()).expect_err("a problem")
}

#[test]
fn a_folder_is_its_data_files_in_order() {
    let folder = Folder::new();
    for name in ["b.csv", "a.CSV.gz", "c.csv.zst", "_d.csv", ".e.csv"] {
        folder.write(name, b"x,y\n");
    }
    folder.write("readme.txt", b"hello");
    std::fs::create_dir(folder.path("sub.csv")).expect("a folder");
    let files = folder.files("");
    assert_eq!(names(&files), ["a.CSV.gz", "b.csv", "c.csv.zst"]);
    assert_eq!(files.format, Format::Csv);
    assert!(files.schema.fields().iter().all(|field| *field.data_type() == DataType::Utf8));
}

#[test]
fn a_pattern_is_what_it_matches_unless_a_file_has_its_name() {
    let folder = Folder::new();
    for name in ["a1.csv", "a2.csv", "b1.csv", ".a3.csv"] {
        folder.write(name, b"x\n");
    }
    assert_eq!(names(&folder.files("a*.csv")), ["a1.csv", "a2.csv"]);
    assert_eq!(names(&folder.files("*[12].csv")), ["a1.csv", "a2.csv", "b1.csv"]);
    assert_eq!(names(&folder.files("?1.csv")), ["a1.csv", "b1.csv"]);
    folder.write("a[1].csv", b"x\n");
    assert_eq!(names(&folder.files("a[1].csv")), ["a[1].csv"]);
}

#[test]
fn a_folder_named_like_a_file_is_a_folder() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("x.parquet")).expect("a folder");
    folder.write("x.parquet/part-1.parquet", &numbers("n"));
    folder.write("x.parquet/_SUCCESS", b"");
    assert_eq!(names(&folder.files("x.parquet")), ["part-1.parquet"]);
    assert_eq!(names(&folder.files("*.parquet")), ["part-1.parquet"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_pipes_are_not_read() {
    let folder = Folder::new();
    folder.write("a.csv", b"x\n");
    std::os::unix::fs::symlink(folder.path("a.csv"), folder.path("b.csv")).expect("a link");
    assert_eq!(names(&folder.files("b.csv")), ["b.csv"]);
    std::os::unix::fs::symlink("/dev/null", folder.path("c.csv")).expect("a link");
    assert_eq!(problem(&folder, "c.csv"), FileError::NotReadable { location: folder.path("c.csv") }.into());
}

#[test]
fn a_location_without_files_says_which_kind_it_is() {
    let folder = Folder::new();
    assert_eq!(problem(&folder, "a.csv"), FileError::NoFile { location: folder.path("a.csv") }.into());
    assert_eq!(problem(&folder, "*.csv"), FileError::NoFilesInside { location: folder.path("*.csv") }.into());
    assert_eq!(problem(&folder, ""), FileError::NoFilesInside { location: folder.path("") }.into());
    assert_eq!(
        Files::resolve("", &Dialect::default()).expect_err("a problem"),
        FileError::NoFile { location: "".into() }.into()
    );
    folder.write("a.log", b"x\n");
    assert_eq!(problem(&folder, "a.log"), FileError::UnknownFormat { location: folder.path("a.log") }.into());
    assert_eq!(problem(&folder, "a.*"), FileError::UnknownFormat { location: folder.path("a.log") }.into());
    assert_eq!(problem(&folder, "a.log/b.csv"), FileError::NoFile { location: folder.path("a.log/b.csv") }.into());
    assert_eq!(problem(&folder, "a[.csv"), FileError::NoFile { location: folder.path("a[.csv") }.into());
}

#[test]
fn files_of_two_formats_are_refused() {
    let folder = Folder::new();
    folder.write("a.csv", b"x\n");
    folder.write("b.json", b"");
    assert_eq!(problem(&folder, ""), FileError::MixedFormats { location: folder.path("") }.into());
}

#[test]
fn files_must_have_the_same_columns_in_the_same_order() {
    for other in [&b"y,x\n"[..], b"x\n", b"x,y,z\n", b"x,Y\n"] {
        let folder = Folder::new();
        folder.write("a.csv", b"x,y\n");
        folder.write("b.csv", other);
        assert_eq!(problem(&folder, ""), FileError::DifferentColumns { location: folder.path("b.csv") }.into());
    }
    let folder = Folder::new();
    folder.write("a.parquet", &numbers("n"));
    folder.write("b.parquet", &parquet(vec![("n", Arc::new(Float64Array::from(vec![1.0])))]));
    assert_eq!(problem(&folder, ""), FileError::DifferentColumns { location: folder.path("b.parquet") }.into());
}

#[test]
fn files_may_differ_in_the_width_of_integers_and_the_way_of_texts() {
    let folder = Folder::new();
    let text: ArrayRef = Arc::new(StringArray::from(vec!["x"]));
    let words: ArrayRef = Arc::new(vec!["x"].into_iter().collect::<DictionaryArray<Int8Type>>());
    folder.write("a.parquet", &parquet(vec![("n", Arc::new(Int32Array::from(vec![1]))), ("a", words)]));
    folder.write("b.parquet", &parquet(vec![("n", Arc::new(Int64Array::from(vec![1]))), ("a", text)]));
    let schema = folder.files("").schema;
    assert_eq!(schema.field(0).data_type(), &DataType::Int64);
    assert_eq!(schema.field(1).data_type(), &DataType::Utf8);
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let folder = Folder::new();
    folder.write("a.csv", b"x,y,x\n");
    assert_eq!(problem(&folder, "a.csv"), PrepareError::TwinColumns { column: "x".into() });
}

#[test]
fn a_file_without_a_readable_schema_is_named() {
    let folder = Folder::new();
    let whole = numbers("n");
    let damaged: [(&str, &[u8]); 10] = [
        ("empty.csv", b""),
        ("latin.csv", b"na\xefve,b\n1,2\n"),
        ("open.csv", b"a,\"b\n1,2\n"),
        ("cut.parquet", &whole[..whole.len() - 5]),
        ("half.parquet", &whole[..whole.len() / 2]),
        ("empty.parquet", b""),
        ("csv.parquet", b"a,b\n1,2\n"),
        ("csv.arrow", b"a,b\n1,2\n3,4\n"),
        ("empty.arrow", b""),
        ("mark.arrow", b"ARROW1\0\0"),
    ];
    for (name, bytes) in damaged {
        folder.write(name, bytes);
        assert_eq!(problem(&folder, name), FileError::NoSchema { location: folder.path(name) }.into());
    }
    folder.write_as_is("plain.csv.gz", b"a,b\n1,2\n");
    assert_eq!(problem(&folder, "plain.csv.gz"), FileError::NoSchema { location: folder.path("plain.csv.gz") }.into());
    folder.write_as_is("cut.csv.gz", &[0x1f, 0x8b, 8, 0]);
    assert_eq!(problem(&folder, "cut.csv.gz"), FileError::NoSchema { location: folder.path("cut.csv.gz") }.into());
}

#[test]
fn damage_behind_the_schema_is_not_seen_before_the_charge() {
    let folder = Folder::new();
    folder.write("a.csv", b"a,b\n\xff\n\"");
    folder.write("a.json", b"not json");
    assert_eq!(folder.files("a.csv").columns().len(), 2);
    assert_eq!(folder.files("a.json").columns(), vec![]);
}

#[test]
fn columns_have_the_kinds_that_a_request_can_name() {
    let words = vec!["x"].into_iter().collect::<DictionaryArray<Int8Type>>();
    let columns: Vec<(&str, ArrayRef, Option<ColumnType>)> = vec![
        ("text", Arc::new(StringArray::from(vec!["x"])), Some(ColumnType::Text)),
        ("words", Arc::new(words), Some(ColumnType::Text)),
        ("integer", Arc::new(Int64Array::from(vec![1])), Some(ColumnType::Integer)),
        ("number", Arc::new(Float64Array::from(vec![1.0])), Some(ColumnType::Number)),
        ("boolean", Arc::new(BooleanArray::from(vec![true])), Some(ColumnType::Boolean)),
        ("date", Arc::new(Date32Array::from(vec![1])), Some(ColumnType::Date)),
        ("timestamp", Arc::new(TimestampSecondArray::from(vec![1])), Some(ColumnType::Timestamp)),
        ("bytes", Arc::new(BinaryArray::from(vec![&b"x"[..]])), None),
    ];
    let expected: Vec<_> = columns.iter().map(|(name, _, kind)| ((*name).to_string(), *kind)).collect();
    let folder = Folder::new();
    folder.write("a.parquet", &parquet(columns.into_iter().map(|(name, column, _)| (name, column)).collect()));
    assert_eq!(folder.files("a.parquet").columns(), expected);
}
