//! Lists and tables of sizes, good and bad.

use super::*;
use arrow_array::{ArrayRef, Int64Array, StringArray};
use std::sync::Arc;

/// The sizes of a text in a file; or what is wrong with it.
fn read(text: impl AsRef<[u8]>) -> Result<LikeCounts, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sizes.csv");
    std::fs::write(&path, text).expect("a file");
    LikeCounts::read(&path).map_err(|error| {
        assert!(!error.hint().is_empty());
        error.to_string().replace(&path.display().to_string(), "FILE")
    })
}

fn same(like: &LikeCounts, sizes: &[u64]) -> bool {
    // Sizes are mute: what is forecast of them tells whether they are the same.
    let plan = crate::plan::Plan::of(
        &incrowd_request::Request::parse("[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n[[bins]]\nname = \"a\"\ncolumn = \"a\"\n")
            .expect("a request"),
        None,
    )
    .expect("a plan");
    let told = like.forecast(&plan).expect("a forecast").forecast;
    told == Forecast::of(&plan, &sizes.iter().copied().collect()).expect("a forecast")
}

#[test]
fn lists_are_read_with_and_without_names() {
    for text in [
        "12\n30\n16\n",
        "12\r\n30\r\n16",
        "people\n12\n30\n16\n",
        "count\n12\n30\n16\n",
        "\u{feff}count\n12\n30\n16\n",
        "\u{feff}\"Count\"\n\"12\"\n\"30\"\n\"16\"\n",
        "name,count\na,12\n\"b, c\",30\nd,16\n",
        "name;count\na;12\n\"b; c\";30\nd;16\n",
        "name\tpeople\na\t12\nb\t30\nc\t16\n",
        "a,12\nb,30\nc,16\n",
        "year,count,other\n2020,12,1\n2021,30,1\n2022,16,1\n",
        "12.0\n30.\n+16\n".replace("30.", "30.00").as_str(),
    ] {
        let like = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert!(same(&like, &[12, 16, 30]), "{text:?}");
        assert!(!same(&like, &[12, 16, 31]) && !same(&like, &[12, 16]), "{text:?}");
        // What nobody called `count` may be something else, such as identifiers, and is said.
        let taken = match text {
            text if text.to_lowercase().contains("count") || text.starts_with("12") => SizesFrom::List,
            text if text.starts_with("people") => SizesFrom::Column { place: 1 },
            _ => SizesFrom::Column { place: 2 },
        };
        assert_eq!(like.origin, taken, "{text:?}");
    }
    // Names in another encoding are not looked at.
    assert!(same(&read(b"name,count\nZ\xfcrich,12\nB,16\nC,30\n").expect("sizes"), &[12, 16, 30]));
}

#[test]
fn what_is_no_size_is_told_with_its_line_and_without_its_value() {
    for (text, said) in [
        ("", "--like: FILE has no sizes"),
        ("count\n", "--like: FILE has no sizes"),
        ("people\n", "--like: FILE has no sizes"),
        ("count\n5\n-3\n", "--like: FILE, line 3: the number is below zero"),
        ("count\n5\nNaN\n", "--like: FILE, line 3: this is not a whole number"),
        ("count\n5\n7.5\n", "--like: FILE, line 3: this is not a whole number"),
        ("count\n5\n\"1,234\"\n", "--like: FILE, line 3: this is not a whole number"),
        ("count\n5\n99999999999999999999999\n", "--like: FILE, line 3: the number is larger than any group of people"),
        ("name,count\na,5\nb,\n", "--like: FILE, line 3: there is no number"),
        ("name,count\na,5\nb\n", "--like: FILE, line 3: there is no number"),
        ("5\nsecret\n", "--like: FILE, line 2: this is not a whole number"),
        ("-5\n6\n", "--like: FILE, line 1: the number is below zero"),
        ("7.5\n6\n", "--like: FILE, line 1: this is not a whole number"),
        ("NaN\n6\n", "--like: FILE, line 1: this is not a whole number"),
        ("1e400\n6\n", "--like: FILE, line 1: this is not a whole number"),
        ("a,b\n1,2\n3,4\n", "--like: 2 columns of FILE have whole numbers, and none is called count"),
        ("a,b\nx,y\n", "--like: FILE has no column of whole numbers"),
    ] {
        assert_eq!(read(text).err().as_deref(), Some(said), "{text:?}");
    }
    let nowhere = LikeCounts::read(Path::new("no/such/file.csv"));
    assert!(matches!(nowhere, Err(LikeError::Unreadable { .. })));
}

#[test]
fn a_delivered_folder_gives_its_counts_in_every_format() {
    let text =
        "item,count,low,high,status\na,12,1,20,published\nb,30,1,40,published\nc,,0,9,at-most\nd,-4,0,3,published\n";
    // With a column of quality, and where people were cut to some of their bins.
    let cut = text.replace("count,", "counted,").replace("status\n", "status,quality\n").replace("shed\n", "shed,F\n");
    for text in [text, cut.replace("at-most\n", "at-most,F\n").as_str()] {
        let like = read(text).expect("sizes");
        assert!(same(&like, &[12, 30, 0]));
        assert_eq!(like.origin, SizesFrom::Release { without_count: 1 });
    }
    let items: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c", "d"]));
    let counts: ArrayRef = Arc::new(Int64Array::from(vec![Some(12), Some(30), None, Some(-4)]));
    let batch =
        |heading| RecordBatch::try_from_iter([("item", items.clone()), (heading, counts.clone())]).expect("a table");
    for (format, batch) in [Format::Csv, Format::Parquet, Format::Arrow]
        .into_iter()
        .flat_map(|format| ["count", "counted"].map(|heading| (format, batch(heading))))
    {
        let folder = tempfile::tempdir().expect("a folder");
        let empty = LikeCounts::read(folder.path());
        assert!(matches!(empty, Err(LikeError::NoTable { .. })));
        let path = folder.path().join(format!("counts.{}", format.as_str()));
        match format {
            Format::Csv => std::fs::write(&path, text).expect("a file"),
            Format::Parquet => {
                let file = File::create(&path).expect("a file");
                let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
                writer.write(&batch).expect("rows");
                writer.close().expect("a file");
            }
            Format::Arrow => {
                let file = File::create(&path).expect("a file");
                let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &batch.schema()).expect("a writer");
                writer.write(&batch).expect("rows");
                writer.finish().expect("a file");
            }
            Format::Xlsx => unreachable!("a workbook is for people"),
        }
        let refused = |has| matches!(LikeCounts::read(folder.path()), Err(LikeError::NotDelivered { has_certificate, .. }) if has_certificate == has);
        assert!(refused(false), "{format:?}: nothing says what this is");
        let certify = |hash: &str| {
            let name = format!("counts.{}", format.as_str());
            let certificate = json!({ "tables": [{ "name": name, "sha256": hash }] });
            std::fs::write(folder.path().join("certificate.json"), certificate.to_string()).expect("a file");
        };
        certify(&"ab".repeat(32));
        assert!(refused(true), "{format:?}: another table");
        let hash = Sha256::digest(std::fs::read(&path).expect("a table"));
        certify(&hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        let like = LikeCounts::read(folder.path()).unwrap_or_else(|error| panic!("{format:?}: {error}"));
        assert!(same(&like, &[12, 30, 0]), "{format:?}");
        assert_eq!(like.origin, SizesFrom::Release { without_count: 1 }, "{format:?}");
        std::fs::write(&path, "\0\0\0\0").expect("a file");
        assert!(refused(true), "{format:?}");
        let hash = Sha256::digest(b"\0\0\0\0");
        certify(&hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        assert!(LikeCounts::read(folder.path()).is_err() && !refused(true), "{format:?}");
    }
}
