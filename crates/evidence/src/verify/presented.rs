//! Folders with hostile keys in every format: all of them verify, and no cell in them can be forged.

use super::tests::explain;
use super::*;
use crate::certificate::{Randomness, certificate_text};
use crate::example::{deliver, plan_of, value};
use arrow_array::{Array, ArrayRef, Date32Array, RecordBatch, StringArray, UInt64Array};
use incrowd_published::{Keys, PublishedBatch};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sha2::{Digest, Sha256};
use std::fs;
use std::sync::Arc;

const REQUEST: &str = "[[bins]]\nname = \"=word\"\ncolumn = \"w\"\nnulls = \"bin\"\n[[bins]]\nname = \"week\"\ncolumn = \"d\"\ntruncate = \"week\"\n[[bins]]\nname = \"age\"\ncolumn = \"a\"\nedges = [0, 17.5, 65]\nother = true\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n[ledger]\ndataset = \"d\"\n[output]\nmargins = true\n";

/// Keys in the order in which they are published.
fn words() -> Vec<Option<String>> {
    let long = "z".repeat(40_000);
    let keys = [
        "",
        "\0",
        "\t=1",
        "\ncmd",
        "''=1",
        "'(all)",
        "'(missing)",
        "'=1",
        "(all)",
        "(missing)",
        "+1",
        "-2+3",
        "-3",
        "=HYPERLINK(\"http://x\",\"y\")",
        "@x",
        "a\u{202e}b",
    ];
    keys.into_iter().map(String::from).chain([long]).map(Some).chain([None]).collect()
}

fn delivered(output: &str, home: &Path) -> std::path::PathBuf {
    let plan = plan_of(&format!("{REQUEST}{output}"));
    let words: ArrayRef = Arc::new(StringArray::from(words()));
    let weeks: ArrayRef = Arc::new(Date32Array::from(vec![4; words.len()]));
    let ages: ArrayRef = Arc::new((0..words.len() as u64).map(|at| Some(at % 3)).collect::<UInt64Array>());
    let shown = (0..words.len()).map(|at| value(40 + at as i64)).collect();
    let batch = PublishedBatch { keys: Keys::Columns(vec![words, weeks, ages]), shown };
    deliver(&plan, vec![batch], home, Randomness::OperatingSystem)
}

fn verdict(folder: &Path) -> Verdict {
    verify(folder, MOST_WORK).expect("a verdict")
}

/// Writes another file in place of one, with its hash in the certificate.
fn exchange(folder: &Path, name: &str, bytes: &[u8]) {
    fs::write(folder.join(name), bytes).expect("written");
    let path = folder.join("certificate.json");
    let mut certificate: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    for table in certificate["tables"].as_array_mut().expect("tables") {
        if table["name"] == name {
            table["sha256"] = json!(crate::files::hex(Sha256::new_with_prefix(bytes)));
        }
    }
    fs::write(&path, certificate_text(&certificate)).expect("written");
}

fn failed(folder: &Path, name: &str) -> bool {
    let verdict = verdict(folder);
    verdict.checks.iter().any(|check| check.name == name && check.result == CheckResult::Failed)
}

const ALL: &str = "formats = [\"csv\", \"parquet\", \"arrow\", \"xlsx\"]\n";

#[test]
fn hostile_keys_verify_in_every_format_with_and_without_a_mark() {
    for output in [ALL, "csv-bom = true\n", "missing = \"n/a\"\n", "formats = [\"arrow\", \"xlsx\"]\ncsv-bom = true\n"]
    {
        let home = tempfile::tempdir().expect("a folder");
        let found = verdict(&delivered(output, home.path()));
        assert!(found.is_passed(), "{output}{}", explain(&found));
    }
}

#[test]
fn a_csv_cell_that_is_spelt_otherwise_is_found() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = delivered("", home.path());
    let text = fs::read_to_string(folder.join("counts.csv")).expect("a table");
    for (from, to) in [
        ("'@x", "@x"),
        ("'+1,", "+1,"),
        ("\n-3,", "\n'-3,"),
        ("\n'(missing),", "\n(missing),"),
        ("\n(missing),", "\n,"),
        ("'=word,", "=word,"),
        ("'=word,", "\u{feff}'=word,"),
    ] {
        assert!(text.contains(from), "{from:?} in {text:?}");
        exchange(&folder, "counts.csv", text.replacen(from, to, 1).as_bytes());
        assert!(failed(&folder, "table contents"), "{from:?} as {to:?}");
    }
    exchange(&folder, "counts.csv", text.as_bytes());
    assert!(verdict(&folder).is_passed());
    let totals = fs::read_to_string(folder.join("margins.csv")).expect("totals");
    // A label that reads as if something was added up over it has an apostrophe more, and so has one that has some.
    for row in ["\n'@x,(all),(all),", "\n(missing),(all),(all),", "\n'(all),(all),(all),", "\n''(all),(all),(all),"] {
        assert!(totals.contains(row), "{row:?} in {totals}");
    }
    for (from, to) in [("\n(missing),(all),", "\n,(all),"), ("\n'(all),(all),", "\n(all),(all),")] {
        exchange(&folder, "margins.csv", totals.replacen(from, to, 1).as_bytes());
        assert!(failed(&folder, "sums"), "{from:?} as {to:?}");
    }
}

#[test]
fn bounds_that_are_not_those_of_their_label_are_found() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = delivered(ALL, home.path());
    let path = folder.join("counts.parquet");
    let read = || {
        let file = File::open(&path).expect("a file");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet").build().expect("a reader");
        reader.map(|batch| batch.expect("rows")).collect::<Vec<RecordBatch>>()
    };
    let rows = read().remove(0);
    let names: Vec<String> = rows.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(
        names[..8],
        ["=word", "week", "week_from", "week_to", "age", "age_from", "age_to", "count"].map(String::from)
    );
    assert!(rows.column(6).is_null(2), "other has no bounds");
    let mut columns = rows.columns().to_vec();
    columns[3] = Arc::new(Date32Array::from(vec![12; rows.num_rows()]));
    let forged = RecordBatch::try_new(rows.schema(), columns).expect("rows");
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, rows.schema(), None).expect("a writer");
    writer.write(&forged).expect("written");
    writer.close().expect("closed");
    exchange(&folder, "counts.parquet", &bytes);
    assert!(failed(&folder, "table contents"), "{}", explain(&verdict(&folder)));
}

#[test]
fn another_workbook_is_found_whatever_is_in_it() {
    let (home, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let folder = delivered(ALL, home.path());
    let bytes = fs::read(folder.join("counts.xlsx")).expect("a workbook");
    let of_others = fs::read(delivered(&format!("{ALL}missing = \"n/a\"\n"), other.path()).join("counts.xlsx"));
    let mut longer = bytes.clone();
    longer.extend_from_slice(b"true counts");
    for forged in [longer, of_others.expect("a workbook"), b"PK".to_vec(), Vec::new()] {
        exchange(&folder, "counts.xlsx", &forged);
        assert!(failed(&folder, "same rows"), "{} bytes", forged.len());
    }
    exchange(&folder, "counts.xlsx", &bytes);
    assert!(verdict(&folder).is_passed(), "{}", explain(&verdict(&folder)));
}
