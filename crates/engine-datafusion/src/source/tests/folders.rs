//! Folders in folders: which files there are, and what the names of folders say.

use super::{FileError, Files, names, problem};
use crate::scan::tests::folder::Folder;
use crate::source::files_of;
use incrowd_engine::Dialect;

#[test]
fn folders_are_looked_into_whatever_their_names_say() {
    let folder = Folder::new();
    for name in ["t/a.csv", "t/old/b.csv", "t/old/older/c.csv", "t/_tmp/d.csv", "t/.git/e.csv", "t/old/_SUCCESS"] {
        folder.write(name, b"x\n");
    }
    folder.write("t/~$f.xlsx", b"x");
    assert_eq!(names(&folder.files("t")), ["a.csv", "b.csv", "c.csv"]);
    assert_eq!(names(&folder.files("t/o*")), ["b.csv", "c.csv"]);
    assert_eq!(files_of(&folder.path("t")).len(), 3, "what the guard of hierarchies sees");
    assert!(files_of("-").is_empty());
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_circles_end() {
    let folder = Folder::new();
    folder.write("t/x/a.csv", b"x\n");
    folder.write("t/y/b.csv", b"x\n");
    for (from, to) in [("t/x/up", "t"), ("t/x/self", "t/x"), ("t/x/other", "t/y"), ("t/y/other", "t/x")] {
        std::os::unix::fs::symlink(folder.path(to), folder.path(from)).expect("a link");
    }
    let files = folder.files("t");
    assert!(files.files.len() >= 2 && files.files.len() < 10, "{:?}", names(&files));
}

#[test]
fn all_files_have_the_columns_that_folders_say() {
    let folder = Folder::new();
    folder.write("t/year=2020/a.csv", b"x\n");
    folder.write("t/month=03/b.csv", b"x\n");
    let other = folder.path("t/year=2020/a.csv");
    assert_eq!(problem(&folder, "t"), FileError::DifferentKeys { location: other }.into());
    folder.write("u/year=2020/a.csv", b"x\n");
    folder.write("u/b.csv", b"x\n");
    let other = folder.path("u/year=2020/a.csv");
    assert_eq!(problem(&folder, "u"), FileError::DifferentKeys { location: other }.into());
    folder.write("v/year=2020/year=2021/a.csv", b"x\n");
    let twice = folder.path("v/year=2020/year=2021/a.csv");
    assert_eq!(problem(&folder, "v"), FileError::DifferentKeys { location: twice }.into());
    folder.write("w/x=2020/a.csv", b"x\n");
    assert_eq!(problem(&folder, "w"), FileError::KeyIsColumn { key: "x".into() }.into());
    folder.write("z/x=%FF/a.csv", b"y\n");
    assert_eq!(problem(&folder, "z"), FileError::WrongKey { location: folder.path("z/x=%FF") }.into());
}

#[test]
fn the_folder_that_is_named_says_nothing() {
    let folder = Folder::new();
    folder.write("t/year=2020/month=03/a.csv", b"x\n");
    let columns = |name: &str| -> Vec<String> {
        folder.files(name).schema.fields().iter().map(|field| field.name().clone()).collect()
    };
    assert_eq!(columns("t"), ["x", "year", "month"]);
    assert_eq!(columns("t/year=2020"), ["x", "month"]);
    assert_eq!(columns("t/year=2020/month=03/a.csv"), ["x"]);
    assert_eq!(columns("t/*/*/*.csv"), ["x", "year", "month"]);
    assert_eq!(columns("t/year=2020/*"), ["x", "month"]);
}

#[test]
fn what_is_elsewhere_or_of_another_kind_says_what_to_do() {
    let said = |location: &str| {
        let problem = Files::resolve(location, &Dialect::default()).expect_err("a problem");
        (problem.to_string(), problem.hint())
    };
    let (message, hint) = said("https://user:secret@example.com/people.csv");
    assert!(message.contains("https") && !message.contains("secret") && hint.contains("download"), "{message}: {hint}");
    assert!(said("s3://bucket/people.parquet").1.contains("download"));
    assert!(said("postgres://host/db").1.contains("export"));
    let folder = Folder::new();
    for (name, advice) in [
        ("a.xls", "CSV UTF-8"),
        ("a.duckdb", "COPY"),
        ("a.sas7bdat", "haven"),
        ("a.dta", "export"),
        ("a.sav", "haven"),
        ("a.rds", "write_parquet"),
        ("a.mdb", "mdb-export"),
        ("a.pdf", "table"),
        ("a.csv.bz2", "unpack"),
    ] {
        folder.write_as_is(name, b"Canary");
        let (message, hint) = said(&folder.path(name));
        assert!(message.contains("not read") && hint.contains(advice), "{name}: {hint}");
        assert!(!message.contains("Canary") && !hint.contains("Canary"));
    }
}
