use super::*;
use crate::example::PlainFolder;
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, Date32Array, Decimal128Array, Float64Array, Int64Array, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Instant;

/// Formats of which each table has a file of its own.
const APART: [Format; 3] = [Format::Csv, Format::Parquet, Format::Arrow];

/// Rows as they are.
fn bare() -> FileLayout {
    FileLayout { spelling: Spelling::BARE, places: KeyPlaces::First(0), beside: Beside::NOTHING, uncertain_from: None }
}

fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("key", DataType::Utf8, true),
        Field::new("count", DataType::Int64, true),
        Field::new("status", DataType::Utf8, false),
    ]))
}

fn batch(rows: &[(Option<String>, Option<i64>)]) -> RecordBatch {
    let keys: ArrayRef = Arc::new(rows.iter().map(|(key, _)| key.as_deref()).collect::<StringArray>());
    let counts: ArrayRef = Arc::new(rows.iter().map(|(_, count)| *count).collect::<Int64Array>());
    let statuses: ArrayRef = Arc::new(StringArray::from(vec!["published"; rows.len()]));
    RecordBatch::try_new(schema(), vec![keys, counts, statuses]).expect("a batch")
}

/// Writes batches in all formats and returns the folder's files: names, hashes and bytes.
fn written(schema: &SchemaRef, batches: &[RecordBatch]) -> Vec<(String, String, Vec<u8>)> {
    let home = tempfile::tempdir().expect("a folder");
    let folder = PlainFolder::create(home.path());
    let mut files = TableFiles::create("counts", &APART, (schema, bare()), &folder).expect("files");
    batches.iter().for_each(|batch| files.write(batch).expect("written"));
    let tables = files.finish().expect("finished").tables;
    let read = |table: WrittenTable| {
        let bytes = std::fs::read(folder.path.join(&table.name)).expect("a file");
        (table.name, table.sha256, bytes)
    };
    tables.into_iter().map(read).collect()
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    hex(sha2::Sha256::new_with_prefix(bytes))
}

#[test]
fn the_same_rows_give_the_same_bytes_however_they_arrive() {
    let rows: Vec<(Option<String>, Option<i64>)> = (0..20_000)
        .map(|row| {
            (
                (row % 97 != 0).then(|| format!("key {row} {}", "x".repeat(row % 50))),
                (row % 31 != 0).then_some(row as i64),
            )
        })
        .collect();
    let reference = written(&schema(), &[batch(&rows)]);
    for sizes in [vec![1, 8191, 3, 1000], vec![8192], vec![7, 20_000], vec![12_345]] {
        let mut batches = Vec::new();
        let (mut from, mut turn) = (0, 0);
        while from < rows.len() {
            let to = (from + sizes[turn % sizes.len()]).min(rows.len());
            batches.push(batch(&rows[from..to]));
            // An empty batch says nothing either.
            batches.push(batch(&[]));
            // Nor does a slice of something larger.
            let whole = batch(&rows);
            if turn % 3 == 0 {
                batches.pop();
                batches.pop();
                batches.push(whole.slice(from, to - from));
            }
            (from, turn) = (to, turn + 1);
        }
        let again = written(&schema(), &batches);
        for (before, after) in reference.iter().zip(&again) {
            assert!(before == after, "{} differs with {sizes:?}", before.0);
        }
    }
    for (name, hash, bytes) in reference {
        assert_eq!(hash, sha256(&bytes), "{name}");
    }
}

#[test]
fn a_slice_leaves_nothing_of_what_it_was_cut_from() {
    let rows =
        [(Some("kept by everybody".to_string()), Some(1)), (Some("CANARY in the coal mine".to_string()), Some(2))];
    for (name, _, bytes) in written(&schema(), &[batch(&rows).slice(0, 1)]) {
        assert!(!bytes.windows(6).any(|window| window == b"CANARY"), "{name}");
    }
}

#[test]
fn a_table_without_rows_has_its_columns() {
    let files = written(&schema(), &[]);
    assert_eq!(files[0].2, b"key,count,status\n");
    let bytes = bytes_of(&files, "counts.parquet");
    assert_eq!(parquet_rows(bytes).iter().map(RecordBatch::num_rows).sum::<usize>(), 0);
}

fn bytes_of(files: &[(String, String, Vec<u8>)], name: &str) -> Vec<u8> {
    files.iter().find(|file| file.0 == name).expect("a file").2.clone()
}

fn parquet_rows(bytes: Vec<u8>) -> Vec<RecordBatch> {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(&bytes).expect("written");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("parquet").build().expect("a reader");
    reader.collect::<Result<_, _>>().expect("rows")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn hostile_keys_survive_csv_and_parquet(keys in proptest::collection::vec(proptest::option::of("[\\x00a,\"\r\n =+@é🎈\\-]{0,8}"), 1..40)) {
        let rows: Vec<_> = keys.iter().cloned().zip((0..).map(|count| (count % 3 > 0).then_some(count))).collect();
        let files = written(&schema(), &[batch(&rows)]);
        let mut reader = ::csv::ReaderBuilder::new().from_reader(files[0].2.as_slice());
        let read: Vec<(String, String)> = reader.records().map(|record| {
            let record = record.expect("a record");
            (record[0].to_string(), record[1].to_string())
        }).collect();
        let expected: Vec<(String, String)> = rows.iter()
            .map(|(key, count)| (key.clone().unwrap_or_default(), count.map_or_else(String::new, |count| count.to_string())))
            .collect();
        prop_assert_eq!(read, expected);
        // Our own reader also tells missing from empty.
        let mut lines = crate::csv::Lines::new(files[0].2.as_slice());
        lines.next().expect("a header");
        for (key, _) in &rows {
            let fields = lines.next().expect("a line").expect("fields");
            prop_assert_eq!(&fields[0], key);
        }
        prop_assert_eq!(&parquet_rows(bytes_of(&files, "counts.parquet"))[0], &batch(&rows));
    }
}

#[test]
fn a_megabyte_of_text_is_a_key_like_others() {
    let long = "é\"\n,".repeat(200_000);
    let files = written(&schema(), &[batch(&[(Some(long.clone()), Some(-5))])]);
    let mut reader = ::csv::Reader::from_reader(files[0].2.as_slice());
    let record = reader.records().next().expect("a record").expect("a record");
    assert!(record[0] == long);
    assert_eq!(&record[1], "-5");
}

#[test]
fn formulas_are_harmless_in_csv_files_and_missing_keys_have_a_name() {
    let rows = batch(&[(Some("=1+1".into()), None), (Some("@x".into()), Some(i64::MIN)), (None, Some(3))]);
    assert_eq!(
        written(&schema(), std::slice::from_ref(&rows))[0].2,
        b"key,count,status\n=1+1,,published\n@x,-9223372036854775808,published\n,3,published\n",
        "as they are, within this program"
    );
    let spelling = Spelling::of(&crate::request::OutputRequest::default());
    let layout = FileLayout { spelling, places: KeyPlaces::First(1), beside: Beside::NOTHING, uncertain_from: None };
    let home = tempfile::tempdir().expect("a folder");
    let folder = PlainFolder::create(home.path());
    let mut files = TableFiles::create("counts", &[Format::Csv], (&schema(), layout), &folder).expect("files");
    files.write(&rows).expect("written");
    files.finish().expect("finished");
    assert_eq!(
        std::fs::read(folder.path.join("counts.csv")).expect("a file"),
        b"key,count,status\n'=1+1,,published\n'@x,-9223372036854775808,published\n(missing),3,published\n"
    );
}

#[test]
fn every_type_of_key_has_its_text() {
    let schema = Arc::new(Schema::new(vec![
        Field::new("f", DataType::Float64, true),
        Field::new("d", DataType::Decimal128(10, 2), true),
        Field::new("day", DataType::Date32, true),
    ]));
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Float64Array::from(vec![Some(0.1), Some(-0.0), Some(1e300), Some(2.5e-9), None])),
        Arc::new(
            Decimal128Array::from(vec![Some(-5), Some(12345), Some(0), Some(100), None])
                .with_precision_and_scale(10, 2)
                .expect("decimals"),
        ),
        Arc::new(Date32Array::from(vec![Some(0), Some(-1), None, Some(20_000), None])),
    ];
    let rows = RecordBatch::try_new(schema, columns).expect("a batch");
    let text = String::from_utf8(CsvText::bare().rows(&rows).expect("text").to_vec()).expect("text");
    assert_eq!(text, "0.1,-0.05,1970-01-01\n0,123.45,1969-12-31\n1e300,0.00,\n2.5e-9,1.00,2024-10-04\n,,\n");
}

#[test]
fn rows_of_another_shape_are_refused() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = PlainFolder::create(home.path());
    let mut files = TableFiles::create("counts", &[Format::Csv], (&schema(), bare()), &folder).expect("files");
    let other = RecordBatch::try_from_iter([("a", Arc::new(Int64Array::from(vec![1])) as ArrayRef)]).expect("a batch");
    assert_eq!(files.write(&other), Err(WriteError::Other));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_so_in_every_format() {
    let rows: Vec<_> = (0..200_000).map(|row| (Some(format!("{row}{}", row * row)), Some(row))).collect();
    let rows = batch(&rows);
    for format in APART {
        let full = File::options().write(true).open("/dev/full").expect("a device");
        let mut chunks = Chunks::new(&schema(), ROWS_AT_A_TIME).expect("chunks");
        let outcome = TableFile::create(format, full, &schema(), &bare()).and_then(|mut file| {
            let mut from = 0;
            while from < rows.num_rows() {
                from += chunks.append(&rows, from)?;
                let chunk = chunks.take()?;
                file.write(&chunk, &chunk)?;
            }
            file.finish()
        });
        assert_eq!(outcome, Err(WriteError::DiskFull), "{format:?}");
    }
}

/// Five million rows; run with `--ignored --nocapture` to see how long they take.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stderr, reason = "a measurement is to be read")]
fn how_fast_files_are_written() {
    let schema = Arc::new(Schema::new(vec![
        Field::new("key", DataType::Utf8, false),
        Field::new("count", DataType::Int64, true),
        Field::new("low", DataType::Int64, true),
        Field::new("high", DataType::Int64, true),
        Field::new("status", DataType::Utf8, false),
    ]));
    let batches: Vec<RecordBatch> = (0..611)
        .map(|part| {
            let mut keys = StringBuilder::new();
            (0..8192).for_each(|row| keys.append_value(format!("keyword number {}", part * 8192 + row)));
            let counts = |shift: i64| -> ArrayRef {
                Arc::new((0..8192).map(|row: i64| Some((row * 7919 + part) % 5000 + shift)).collect::<Int64Array>())
            };
            let statuses: ArrayRef = Arc::new(StringArray::from(vec!["published"; 8192]));
            RecordBatch::try_new(
                schema.clone(),
                vec![Arc::new(keys.finish()), counts(0), counts(-3), counts(3), statuses],
            )
            .expect("a batch")
        })
        .collect();
    for format in APART {
        let home = tempfile::tempdir().expect("a folder");
        let folder = PlainFolder::create(home.path());
        let start = Instant::now();
        let mut files = TableFiles::create("counts", &[format], (&schema, bare()), &folder).expect("files");
        batches.iter().for_each(|batch| files.write(batch).expect("written"));
        files.finish().expect("finished");
        eprintln!("{}: 5,005,312 rows in {:?}", format.as_str(), start.elapsed());
    }
}
