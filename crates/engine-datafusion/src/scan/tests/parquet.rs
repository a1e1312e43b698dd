//! Parquet files, stored as words and as texts, whole and damaged.
//!
//! How a column is stored must never change its values. It is separate because Parquet stores one text in many ways.
//! Read `arrow.rs` next.

use super::folder::{Folder, Texts, read, table};
use crate::scan::{Fault, delivered};
use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BinaryArray, DictionaryArray, Int32Array, Int64Array, LargeStringArray, RecordBatch, StringArray,
    StringViewArray, TimestampMillisecondArray,
};
use arrow_schema::DataType;
use incrowd_engine::Unwatched;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use std::sync::Arc;

pub(super) fn parquet(columns: Vec<(&str, ArrayRef)>, properties: WriterPropertiesBuilder) -> Vec<u8> {
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true)));
    let batch = batch.expect("a batch");
    let mut file = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties.build())).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
    file
}

fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder()
}

fn types(folder: &Folder, name: &str, columns: &[&str]) -> Vec<DataType> {
    let (schema, _) = read(&folder.files(name), columns, 2, 3, Arc::new(Unwatched)).expect("read");
    schema.fields().iter().map(|field| field.data_type().clone()).collect()
}

fn cities(rows: usize) -> Vec<Option<String>> {
    (0..rows).map(|row| (row % 7 != 0).then(|| format!("a city with a long name {}", row % 5))).collect()
}

#[test]
fn words_and_texts_are_the_same_values() {
    let mut expected: Texts = cities(100).into_iter().map(|city| vec![city]).collect();
    expected.sort();
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(cities(100))),
        Arc::new(LargeStringArray::from(cities(100))),
        Arc::new(StringViewArray::from(cities(100))),
        Arc::new(cities(100).iter().map(Option::as_deref).collect::<DictionaryArray<Int8Type>>()),
    ];
    let versions = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];
    let codecs =
        [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::ZSTD(ZstdLevel::default()), Compression::LZ4_RAW];
    for array in arrays {
        for version in versions {
            for codec in codecs {
                for is_words in [true, false] {
                    let folder = Folder::new();
                    let properties = properties()
                        .set_writer_version(version)
                        .set_compression(codec)
                        .set_dictionary_enabled(is_words)
                        .set_max_row_group_row_count(Some(30));
                    folder.write("data.parquet", &parquet(vec![("city", array.clone())], properties));
                    let mut rows = folder.rows("data.parquet", &["city"]).expect("rows");
                    rows.sort();
                    assert_eq!(rows, expected);
                    let stored_as_words = matches!(array.data_type(), DataType::Dictionary(_, _));
                    let delivered = if is_words || stored_as_words { delivered::words() } else { DataType::Utf8View };
                    assert_eq!(types(&folder, "data.parquet", &["city"]), vec![delivered]);
                }
            }
        }
    }
}

#[test]
fn a_column_whose_words_overflowed_is_delivered_as_texts() {
    let ids: Vec<String> = (0..5000).map(|row| format!("person {row}")).collect();
    let array: ArrayRef = Arc::new(StringArray::from(ids.clone()));
    let expected: Texts = ids.into_iter().map(|id| vec![Some(id)]).collect();
    // Pages after the first thousand rows are plain; or all are words, but too many.
    for limit in [10_000, 10_000_000] {
        let folder = Folder::new();
        let properties = properties()
            .set_dictionary_page_size_limit(limit)
            .set_write_batch_size(100)
            .set_data_page_row_count_limit(500);
        folder.write("data.parquet", &parquet(vec![("id", array.clone())], properties));
        assert_eq!(types(&folder, "data.parquet", &["id"]), vec![DataType::Utf8View]);
        assert_eq!(folder.rows("data.parquet", &["id"]), Ok(expected.clone()));
    }
}

#[test]
fn one_file_of_texts_makes_all_files_texts() {
    let folder = Folder::new();
    for (name, is_words) in [("a.parquet", true), ("b.parquet", false)] {
        let array: ArrayRef = Arc::new(StringArray::from(cities(10)));
        folder.write(name, &parquet(vec![("city", array)], properties().set_dictionary_enabled(is_words)));
    }
    assert_eq!(types(&folder, "a.parquet", &["city"]), vec![delivered::words()]);
    assert_eq!(types(&folder, "", &["city"]), vec![DataType::Utf8View]);
    assert_eq!(folder.rows("", &["city"]).map(|rows| rows.len()), Ok(20));
}

#[test]
fn integers_of_two_widths_become_the_wider() {
    let folder = Folder::new();
    let narrow: ArrayRef = Arc::new(Int32Array::from(vec![Some(1), None]));
    let wide: ArrayRef = Arc::new(Int64Array::from(vec![1 << 40]));
    folder.write("a.parquet", &parquet(vec![("n", narrow)], properties()));
    folder.write("b.parquet", &parquet(vec![("n", wide)], properties()));
    assert_eq!(types(&folder, "", &["n"]), vec![DataType::Int64]);
    let mut rows = folder.rows("", &["n"]).expect("rows");
    rows.sort();
    assert_eq!(rows, table(&[&["-"], &["1"], &["1099511627776"]]));
}

#[test]
fn other_columns_may_have_any_type() {
    let folder = Folder::new();
    let number: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
    let bytes: ArrayRef = Arc::new(BinaryArray::from(vec![&b"\xff"[..], b"x"]));
    let time: ArrayRef = Arc::new(TimestampMillisecondArray::from(vec![0, 1]).with_timezone("UTC"));
    folder.write("d.parquet", &parquet(vec![("b", bytes), ("t", time), ("n", number)], properties()));
    assert_eq!(folder.rows("d.parquet", &["n"]), Ok(table(&[&["1"], &["2"]])));
    assert_eq!(folder.rows("d.parquet", &["n", "t"]).map(|rows| rows.len()), Ok(2));
    assert_eq!(folder.rows("d.parquet", &[]), Ok(vec![vec![], vec![]]));
}

#[test]
fn a_file_without_rows_is_whole() {
    let folder = Folder::new();
    let nobody: ArrayRef = Arc::new(StringArray::from(Vec::<String>::new()));
    folder.write("d.parquet", &parquet(vec![("a", nobody)], properties()));
    assert_eq!(folder.rows("d.parquet", &["a"]), Ok(vec![]));
}

#[test]
fn a_damaged_page_in_the_middle_is_damage() {
    let array: ArrayRef = Arc::new(StringArray::from((0..20_000).map(|row| format!("{row:x}")).collect::<Vec<_>>()));
    let properties = properties()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(5000));
    let mut file = parquet(vec![("a", array)], properties);
    let folder = Folder::new();
    folder.write("d.parquet", &file);
    assert_eq!(folder.rows("d.parquet", &["a"]).map(|rows| rows.len()), Ok(20_000));
    let middle = file.len() / 2;
    file[middle..middle + 1000].fill(0xff);
    folder.write("d.parquet", &file);
    assert_eq!(folder.rows("d.parquet", &["a"]), Err(Fault::Damaged));
}

#[test]
fn invalid_text_is_damage_however_it_is_annotated() {
    let json = "message m { optional binary a (JSON); }";
    let utf8 = "message m { optional binary a (UTF8); }";
    let logical = "message m { optional binary a (STRING); }";
    for schema in [json, utf8, logical] {
        for is_words in [true, false] {
            for (bytes, expected) in [(&b"ok"[..], Ok(table(&[&["ok"][..]; 3]))), (b"\xc3\x28", Err(Fault::Damaged))] {
                let folder = Folder::new();
                folder.write("d.parquet", &three_times(bytes, schema, is_words));
                assert_eq!(folder.rows("d.parquet", &["a"]), expected, "{schema} {is_words}");
            }
        }
    }
}

/// Writes bytes as a text without asking whether they are one.
fn three_times(bytes: &[u8], schema: &str, is_words: bool) -> Vec<u8> {
    use parquet::data_type::{ByteArray, ByteArrayType};
    let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).expect("a schema"));
    let properties = Arc::new(properties().set_dictionary_enabled(is_words).build());
    let mut file = Vec::new();
    let mut writer = parquet::file::writer::SerializedFileWriter::new(&mut file, schema, properties).expect("a writer");
    let mut group = writer.next_row_group().expect("a group");
    let mut column = group.next_column().expect("a column").expect("a column");
    let value = ByteArray::from(bytes.to_vec());
    column.typed::<ByteArrayType>().write_batch(&vec![value; 3], Some(&[1, 1, 1]), None).expect("written");
    column.close().expect("closed");
    group.close().expect("closed");
    writer.close().expect("closed");
    file
}

#[test]
fn old_timestamps_reach_the_year_9999() {
    use parquet::data_type::{Int96, Int96Type};
    let schema =
        Arc::new(parquet::schema::parser::parse_message_type("message m { required int96 t; }").expect("a schema"));
    let mut file = Vec::new();
    let mut writer =
        parquet::file::writer::SerializedFileWriter::new(&mut file, schema, Default::default()).expect("a writer");
    let mut group = writer.next_row_group().expect("a group");
    let mut column = group.next_column().expect("a column").expect("a column");
    let mut last_day = Int96::new();
    // The Julian day of 9999-12-31.
    last_day.set_data(0, 0, 5_373_484);
    column.typed::<Int96Type>().write_batch(&[last_day], None, None).expect("written");
    column.close().expect("closed");
    group.close().expect("closed");
    writer.close().expect("closed");
    let folder = Folder::new();
    folder.write("d.parquet", &file);
    assert_eq!(folder.rows("d.parquet", &["t"]), Ok(table(&[&["9999-12-31T00:00:00"]])));
}
