//! Columns that the names of folders say, in every format.
//!
//! A test must never count a file twice. It is separate because formats know nothing of folders. Read
//! `source/tests/folders.rs` for which files there are.

use super::folder::{Folder, Texts, table};
use arrow_array::{ArrayRef, Int32Array, RecordBatch};
use std::sync::Arc;

fn sorted(mut rows: Texts) -> Texts {
    rows.sort();
    rows
}

fn parquet(numbers: &[i32]) -> Vec<u8> {
    let column: ArrayRef = Arc::new(Int32Array::from(numbers.to_vec()));
    let batch = RecordBatch::try_from_iter([("n", column)]).expect("a batch");
    let mut file = Vec::new();
    let mut writer = parquet::arrow::ArrowWriter::try_new(&mut file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
    file
}

fn arrow(numbers: &[i32]) -> Vec<u8> {
    let column: ArrayRef = Arc::new(Int32Array::from(numbers.to_vec()));
    let batch = RecordBatch::try_from_iter([("n", column)]).expect("a batch");
    let mut file = Vec::new();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(&mut file, &batch.schema()).expect("a writer");
    writer.write(&batch).expect("written");
    writer.finish().expect("finished");
    drop(writer);
    file
}

#[test]
fn folders_say_columns_in_every_format() {
    let lines = |numbers: &[i32]| numbers.iter().map(|number| format!("{number}\n")).collect::<String>();
    let objects = |numbers: &[i32]| numbers.iter().map(|number| format!("{{\"n\":{number}}}\n")).collect::<String>();
    type Written<'a> = (&'a str, Box<dyn Fn(&[i32]) -> Vec<u8> + 'a>);
    let formats: [Written<'_>; 5] = [
        ("part.parquet", Box::new(parquet)),
        ("part.arrow", Box::new(arrow)),
        ("part.csv", Box::new(|numbers| format!("n\n{}", lines(numbers)).into_bytes())),
        ("part.csv.gz", Box::new(|numbers| format!("n\n{}", lines(numbers)).into_bytes())),
        ("part.ndjson", Box::new(|numbers| objects(numbers).into_bytes())),
    ];
    for (name, written) in formats {
        let folder = Folder::new();
        folder.write(&format!("t/year=2020/month=03/{name}"), &written(&[1, 2]));
        folder.write(&format!("t/year=2020/month=04/{name}"), &written(&[3]));
        folder.write(&format!("t/year=__HIVE_DEFAULT_PARTITION__/month=Z%C3%BCrich/{name}"), &written(&[4]));
        folder.write("t/_SUCCESS", b"");
        folder.write("t/year=2020/_temporary/x.csv", b"other\n1\n");
        let expected =
            table(&[&["-", "4", "Zürich"], &["2020", "1", "03"], &["2020", "2", "03"], &["2020", "3", "04"]]);
        assert_eq!(folder.rows("t", &["year", "n", "month"]).map(sorted), Ok(expected), "{name}");
        let years = table(&[&["-"], &["2020"], &["2020"], &["2020"]]);
        assert_eq!(folder.rows("t", &["year"]).map(sorted), Ok(years), "{name}: what no file holds");
        assert_eq!(folder.rows("t/year=*", &["year", "n"]).map(|rows| rows.len()), Ok(4), "{name}");
        let files = folder.files("t");
        let names: Vec<&String> = files.schema.fields().iter().map(|field| field.name()).collect();
        let own = if name.ends_with("json") { vec!["year", "month"] } else { vec!["n", "year", "month"] };
        assert_eq!(names, own, "{name}");
    }
}
