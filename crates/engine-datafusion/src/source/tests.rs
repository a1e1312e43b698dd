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
use incrowd_engine::{ColumnType, Dialect, Encoding, Header, PrepareError, Quote, RequestField, Sign};
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

fn problem_in(name: &str, bytes: &[u8], dialect: &Dialect) -> (FileError, PrepareError) {
    let folder = Folder::new();
    let location = folder.write(name, bytes);
    let problem = Files::resolve(&folder.path(name), dialect).expect_err("a problem");
    let whole = FileError::NoSchema { location: location.clone() };
    let utf16 = ["utf-16", "utf-16le", "utf-16be"];
    let utf16 = utf16.map(|encoding| FileError::LikeUtf16 { location: location.clone(), encoding });
    let letters = FileError::NotInEncoding { location: location.clone(), encoding: dialect.encoding };
    let signs = FileError::SameSigns { location };
    let is = [whole, letters, signs].into_iter().chain(utf16).find(|each| PrepareError::from(each.clone()) == problem);
    (is.expect("an error of ours"), problem)
}

#[test]
fn letters_that_were_not_said_are_told_by_the_first_line() {
    let plain = Dialect::default();
    for (bytes, encoding) in
        [(&b"\xff\xfea\0,\0b\0\n\0"[..], "utf-16"), (b"a\0,\0b\0\n\0", "utf-16le"), (b"\0a\0,\0b\0\n", "utf-16be")]
    {
        let (error, problem) = problem_in("a.csv", bytes, &plain);
        assert!(matches!(error, FileError::LikeUtf16 { .. }), "{bytes:?}");
        assert_eq!(problem.hint(), format!("set [data] encoding = {encoding:?}, or run `incrowd init`"));
        // With what it says the names can be read.
        let encoding = Encoding::ALL.into_iter().find(|each| each.as_str() == encoding).expect("an encoding");
        let folder = Folder::new();
        folder.write("a.csv", bytes);
        let columns = folder.files_in("a.csv", &Dialect { encoding, ..Dialect::default() }).columns();
        assert_eq!(columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    }
    let (error, problem) = problem_in("a.csv", b"Stra\xdfe,b\n1,2\n", &plain);
    assert!(matches!(error, FileError::NotInEncoding { .. }));
    assert!(problem.to_string().ends_with("is not utf-8"), "{problem}");
    // What is behind the first line is not judged, and so not told.
    let folder = Folder::new();
    folder.write("a.csv", b"a,b\n\xff\xff\0\n");
    assert_eq!(folder.files("a.csv").columns().len(), 2);
}

#[test]
fn letters_that_were_said_and_are_none_are_told() {
    let encoding = Encoding::ALL.into_iter().find(|each| each.as_str() == "utf-16").expect("an encoding");
    let wide = Dialect { encoding, ..Dialect::default() };
    let (error, problem) = problem_in("a.csv", b"a\0,\0\x00\xd8b\0\n\0", &wide);
    assert!(matches!(error, FileError::NotInEncoding { .. }));
    assert!(problem.to_string().ends_with("is not utf-16"), "{problem}");
    let folder = Folder::new();
    folder.write("a.csv", b"a\0,\0b\0\n\0\x00\xd8\x00\xd8");
    assert_eq!(folder.files_in("a.csv", &wide).columns().len(), 2, "nothing behind the first line is judged");
}

#[test]
fn one_sign_cannot_stand_between_fields_and_around_them() {
    let comma = Dialect { quote: Quote::Other(Sign::of(",").expect("a sign")), ..Dialect::default() };
    assert!(matches!(problem_in("a.csv", b"a,b\n", &comma).0, FileError::SameSigns { .. }));
    let tab = Dialect { quote: Quote::Other(Sign::TAB), ..Dialect::default() };
    assert!(matches!(problem_in("a.tsv", b"a\tb\n", &tab).0, FileError::SameSigns { .. }));
    let folder = Folder::new();
    folder.write("a.csv", b"a,b\n");
    assert_eq!(folder.files_in("a.csv", &tab).columns().len(), 2);
}

#[test]
fn a_row_of_too_many_fields_has_no_columns() {
    let headless = Dialect { header: Header::Row, ..Dialect::default() };
    let (error, _) = problem_in("a.csv", &vec![b','; 1_000_000], &headless);
    assert!(matches!(error, FileError::NoSchema { .. }));
}

#[test]
fn a_column_that_is_missing_because_of_the_wrong_sign_is_explained() {
    let missing = || PrepareError::NoColumn { place: RequestField::Person, column: "id".into(), nearest: None };
    let folder = Folder::new();
    for (text, sign) in [("id;age\n", ";"), ("id\tage\n", "tab"), ("id|age\n", "|")] {
        folder.write("a.csv", text.as_bytes());
        let explained = folder.files("a.csv").explained(missing());
        assert_eq!(explained.to_string(), missing().to_string());
        assert!(explained.hint().ends_with(&format!("[data] delimiter = {sign:?}")), "{}", explained.hint());
    }
    folder.write("a.csv", b"id\n");
    assert_eq!(folder.files("a.csv").explained(missing()), missing());
    folder.write("a.csv", b"a;b,c\n");
    assert_eq!(folder.files("a.csv").explained(missing()), missing());
}

#[test]
fn notes_in_a_folder_of_data_are_no_data_unless_they_are_named() {
    let folder = Folder::new();
    folder.write("a.txt", b"x,y\n");
    folder.write("b.tsv", b"x\ty\n");
    assert_eq!(names(&folder.files("")), ["b.tsv"]);
    assert_eq!(names(&folder.files("*.txt")), ["a.txt"]);
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
    let damaged: [(&str, &[u8]); 6] = [
        ("open.csv", b"a,\"b\n1,2\n"),
        ("cut.parquet", &whole[..whole.len() - 5]),
        ("half.parquet", &whole[..whole.len() / 2]),
        ("csv.parquet", b"a,b\n1,2\n"),
        ("csv.arrow", b"a,b\n1,2\n3,4\n"),
        ("mark.arrow", b"ARROW1\0\0"),
    ];
    for (name, bytes) in damaged {
        folder.write(name, bytes);
        assert_eq!(problem(&folder, name), FileError::NoSchema { location: folder.path(name) }.into());
    }
    for name in ["empty.csv", "empty.parquet", "empty.arrow"] {
        folder.write(name, b"");
        assert_eq!(problem(&folder, name), FileError::Empty { location: folder.path(name) }.into());
        assert!(problem(&folder, name).to_string().ends_with("is empty"));
    }
    folder.write("latin.csv", b"na\xefve,b\n1,2\n");
    let said = problem(&folder, "latin.csv");
    assert!(said.to_string().contains("is not utf-8") && said.hint().contains("encoding = "), "{said}");
    // Longer than the first bytes of what is packed.
    folder.write_as_is("plain.csv.gz", b"a,b\n1,2\n3,4\n5,6\n");
    assert_eq!(problem(&folder, "plain.csv.gz"), FileError::NoSchema { location: folder.path("plain.csv.gz") }.into());
    folder.write_as_is("cut.csv.gz", &[0x1f, 0x8b, 8, 0]);
    assert_eq!(problem(&folder, "cut.csv.gz"), FileError::CutOff { location: folder.path("cut.csv.gz") }.into());
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

#[test]
fn no_row_is_made_the_names_by_passing_over_others() {
    let folder = Folder::new();
    folder.write("rows.csv", b"name,illness\nAlice,flu\nBob,Bob\nCarl,gout\n");
    folder.write("titled.csv", b"Export, 2026\r\n\r\nname,illness,town\r\nAlice,,\r\n,flu,Bern\r\n");
    folder.write("one.csv", b"Title\nname\nAlice\n");
    let behind = |lines: u64| Dialect { skip_lines: lines, ..Dialect::default() };
    let schema = |name: &str, lines: u64| Files::resolve(&folder.path(name), &behind(lines));
    assert!(schema("titled.csv", 2).is_ok(), "two lines of titles");
    for (name, lines) in
        [("rows.csv", 1), ("rows.csv", 2), ("rows.csv", 3), ("titled.csv", 3), ("titled.csv", 4), ("one.csv", 1)]
    {
        let Err(said) = schema(name, lines) else { panic!("{name} {lines}") };
        let said = said.to_string();
        assert!(said.contains("skip-lines would pass over rows"), "{name} {lines}: {said}");
        assert!(!["Alice", "Bob", "flu"].iter().any(|value| said.contains(value)), "{said}");
    }
}
