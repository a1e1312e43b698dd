//! Arrow files and streams, whole and damaged.
//!
//! A part must never be taken for the whole. It is separate because dictionaries may change within a file. Read
//! `partitions.rs` next.

use super::folder::{Folder, Texts, read, table};
use crate::scan::{Fault, LONGEST_RECORD, delivered};
use crate::source::{FileError, Files};
use arrow_array::types::{Int8Type, Int32Type, UInt16Type};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int8Array, Int64Array, LargeStringArray, RecordBatch, StringArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{DictionaryHandling, FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::DataType;
use incrowd_engine::{Dialect, Unwatched};
use std::sync::Arc;

fn batch(column: ArrayRef) -> RecordBatch {
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..column.len() as i64));
    RecordBatch::try_from_iter_with_nullable([("n", numbers, true), ("a", column, true)]).expect("a batch")
}

fn stream(batches: &[RecordBatch], options: IpcWriteOptions) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = StreamWriter::try_new_with_options(&mut file, &batches[0].schema(), options).expect("a writer");
    batches.iter().for_each(|batch| writer.write(batch).expect("written"));
    writer.finish().expect("finished");
    file
}

fn file(batches: &[RecordBatch], options: IpcWriteOptions) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = FileWriter::try_new_with_options(&mut file, &batches[0].schema(), options).expect("a writer");
    batches.iter().for_each(|batch| writer.write(batch).expect("written"));
    writer.finish().expect("finished");
    file
}

fn texts() -> RecordBatch {
    batch(Arc::new(StringArray::from(vec![Some("x"), None, Some("a longer text than twelve"), Some("")])))
}

#[test]
fn files_and_streams_have_the_same_rows_packed_or_not() {
    let expected = table(&[&["x", "0"], &["-", "1"], &["a longer text than twelve", "2"], &["-", "3"]]);
    for inner in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        let options = IpcWriteOptions::default().try_with_compression(inner).expect("options");
        let forms = [file(&[texts()], options.clone()), stream(&[texts()], options)];
        for name in ["d.arrow", "d.ipc", "d.feather", "d.arrow.gz", "d.arrow.zst"] {
            for form in &forms {
                let folder = Folder::new();
                folder.write(name, form);
                assert_eq!(folder.rows(name, &["a", "n"]), Ok(expected.clone()), "{name}");
                assert_eq!(folder.rows(name, &[]).map(|rows| rows.len()), Ok(4));
            }
        }
    }
}

#[test]
fn texts_become_views_and_dictionaries_of_texts_become_words() {
    let small: ArrayRef = Arc::new(vec![Some("x"), None].into_iter().collect::<DictionaryArray<UInt16Type>>());
    let values: ArrayRef = Arc::new(LargeStringArray::from(vec!["x"]));
    let keys = Int8Array::from(vec![Some(0), None]);
    let large: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::try_new(keys.clone(), values).expect("a dictionary"));
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![7]));
    let numbers: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::try_new(keys, numbers).expect("a dictionary"));
    let cases = [
        (small, delivered::words(), "x"),
        (large, delivered::words(), "x"),
        (numbers, DataType::Int64, "7"),
        (Arc::new(LargeStringArray::from(vec![Some("x"), None])), DataType::Utf8View, "x"),
    ];
    for (column, data_type, value) in cases {
        let folder = Folder::new();
        folder.write("d.arrow", &stream(&[batch(column)], IpcWriteOptions::default()));
        let (schema, rows) = read(&folder.files("d.arrow"), &["a"], 1, 10, Arc::new(Unwatched)).expect("rows");
        assert_eq!(schema.field(0).data_type(), &data_type);
        assert_eq!(rows, table(&[&[value], &["-"]]));
    }
}

#[test]
fn dictionaries_may_grow_or_change_between_batches() {
    let words = |values: &[&str], keys: Vec<i32>| -> RecordBatch {
        let values: ArrayRef = Arc::new(StringArray::from(values.to_vec()));
        batch(Arc::new(DictionaryArray::<Int32Type>::try_new(keys.into(), values).expect("a dictionary")))
    };
    let grows = [words(&["x", "y"], vec![0, 1]), words(&["x", "y", "z"], vec![2, 0])];
    let changes = [words(&["x", "y"], vec![0, 1]), words(&["z", "x"], vec![0, 1])];
    let delta = IpcWriteOptions::default().with_dictionary_handling(DictionaryHandling::Delta);
    let expected: Texts = table(&[&["x"], &["y"], &["z"], &["x"]]);
    let forms = [
        stream(&grows, delta.clone()),
        file(&grows, delta),
        stream(&grows, IpcWriteOptions::default()),
        stream(&changes, IpcWriteOptions::default()),
    ];
    for form in forms {
        let folder = Folder::new();
        folder.write("d.arrow", &form);
        assert_eq!(folder.rows("d.arrow", &["a"]), Ok(expected.clone()));
    }
}

#[test]
fn a_word_that_is_missing_is_a_missing_value() {
    let values: ArrayRef = Arc::new(StringArray::from(vec![Some("x"), None]));
    let words = DictionaryArray::<Int32Type>::try_new(vec![0, 1, 0].into(), values).expect("a dictionary");
    let folder = Folder::new();
    folder.write("a.arrow", &file(&[batch(Arc::new(words))], IpcWriteOptions::default()));
    let files = folder.files("a.arrow");
    let wanted = Arc::new(files.schema.project(&[1]).expect("a column"));
    let (_, partitions) = crate::scan::partitions(&files, wanted, 1, 10, Arc::new(Unwatched)).expect("partitions");
    let stream = partitions[0].execute(Default::default());
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let batches = runtime.block_on(datafusion_physical_plan::common::collect(stream)).expect("batches");
    assert_eq!(batches[0].column(0).null_count(), 1);

    // Beside a file of plain texts, words become texts.
    folder.write("b.arrow", &file(&[texts()], IpcWriteOptions::default()));
    let (schema, rows) = read(&folder.files("*.arrow"), &["a"], 1, 10, Arc::new(Unwatched)).expect("rows");
    assert_eq!(schema.field(0).data_type(), &DataType::Utf8View);
    assert_eq!(rows[..3], table(&[&["x"], &["-"], &["x"]]));
}

#[test]
fn large_batches_are_cut() {
    let column: ArrayRef = Arc::new(StringArray::from_iter_values((0..1000).map(|row| row.to_string())));
    let folder = Folder::new();
    folder.write("d.arrow", &file(&[batch(column.clone()), batch(column)], IpcWriteOptions::default()));
    let expected: Texts = (0..1000).chain(0..1000).map(|row| vec![Some(row.to_string())]).collect();
    assert_eq!(folder.rows("d.arrow", &["a"]), Ok(expected));
}

#[test]
fn a_part_of_a_file_or_stream_is_damage() {
    let batches = [texts(), texts()];
    for whole in [file(&batches, IpcWriteOptions::default()), stream(&batches, IpcWriteOptions::default())] {
        let folder = Folder::new();
        folder.write("d.arrow", &whole);
        let files = folder.files("d.arrow");
        for kept in 0..whole.len() {
            folder.write("d.arrow", &whole[..kept]);
            let rows = read(&files, &["a"], 1, 10, Arc::new(Unwatched)).map(|(_, rows)| rows);
            assert_eq!(rows, Err(Fault::Damaged), "{kept} of {}", whole.len());
        }
    }
}

#[test]
fn bytes_behind_a_stream_are_damage() {
    let folder = Folder::new();
    let once = stream(&[texts()], IpcWriteOptions::default());
    folder.write("d.arrow", &[once.clone(), once].concat());
    assert_eq!(folder.rows("d.arrow", &["a"]), Err(Fault::Damaged));
}

/// Returns the bytes with the last place of a number replaced by another number.
fn patched(bytes: &[u8], number: i64, by: i64) -> Vec<u8> {
    let place = bytes.windows(8).rposition(|window| window == number.to_le_bytes()).expect("the number");
    let mut patched = bytes.to_vec();
    patched[place..place + 8].copy_from_slice(&by.to_le_bytes());
    patched
}

#[test]
fn a_length_that_a_file_cannot_have_is_damage() {
    let letters = "z".repeat(5000);
    let batch = || batch(Arc::new(StringArray::from(vec![letters.as_str()])));
    let plain = stream(&[batch()], IpcWriteOptions::default());
    // The text and its padding, two offsets, a number, and what says which rows are missing: found by its value.
    let body = (5000..6000).find(|body| {
        let found = plain.windows(8).filter(|window| *window == i64::to_le_bytes(*body)).count();
        body % 64 == 0 && found == 1
    });
    for name in ["d.arrow", "d.arrow.gz"] {
        let folder = Folder::new();
        folder.write(name, &plain);
        assert_eq!(folder.rows(name, &["n"]).map(|rows| rows.len()), Ok(1));
        folder.write(name, &patched(&plain, body.expect("a body"), 1 << 31));
        assert_eq!(folder.rows(name, &["n"]), Err(Fault::Damaged), "{name}");
    }
    let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::LZ4_FRAME)).expect("options");
    let packed = stream(&[batch()], options);
    let folder = Folder::new();
    folder.write("d.arrow", &patched(&packed, 5000, 1 << 40));
    assert_eq!(folder.rows("d.arrow", &["n"]), Err(Fault::Damaged));
}

#[test]
fn a_text_that_is_too_long_is_damage_as_in_csv() {
    for (length, expected) in [(LONGEST_RECORD, Ok(1)), (LONGEST_RECORD + 1, Err(Fault::Damaged))] {
        let folder = Folder::new();
        let long = "x".repeat(length);
        folder.write(
            "d.arrow",
            &file(&[batch(Arc::new(StringArray::from(vec![long.as_str()])))], IpcWriteOptions::default()),
        );
        assert_eq!(folder.rows("d.arrow", &["a"]).map(|rows| rows.len()), expected);
    }
}

#[test]
fn a_part_of_a_file_is_refused_before_the_charge() {
    let whole = [file(&[texts()], IpcWriteOptions::default()), stream(&[texts()], IpcWriteOptions::default())];
    for whole in whole {
        let folder = Folder::new();
        folder.write("d.arrow", &whole);
        assert!(Files::resolve(&folder.path("d.arrow"), &Dialect::default()).is_ok());
        for cut in [1, 6, 8, 20] {
            folder.write("d.arrow", &whole[..whole.len() - cut]);
            let location = folder.path("d.arrow");
            let problem = Files::resolve(&location, &Dialect::default()).expect_err("not whole");
            assert_eq!(problem, FileError::NoSchema { location }.into(), "{cut}");
        }
    }
}
