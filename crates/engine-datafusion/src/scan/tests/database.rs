//! Tables of SQLite files, whole and damaged.
//!
//! A test must never look at a library's sentence. It is separate because rows are asked for. Read
//! `file/database.rs` for how.

use super::folder::{Folder, read, table};
use crate::file::database::NoTable;
use crate::scan::Fault;
use crate::source::{FileError, Files};
use incrowd_engine::{Dialect, PrepareError, Sign, Unwatched, Watch};
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn made(folder: &Folder, name: &str, statements: &str) {
    let connection = Connection::open(folder.path(name)).expect("a database");
    connection.execute_batch(statements).expect("made");
}

fn named(table: &str) -> Dialect {
    Dialect { table: Some(table.into()), ..Dialect::default() }
}

fn problem(folder: &Folder, name: &str, dialect: &Dialect) -> PrepareError {
    Files::resolve(&folder.path(name), dialect).expect_err("a problem")
}

fn refused(folder: &Folder, name: &str, why: NoTable) -> PrepareError {
    FileError::Database { location: folder.path(name), why }.into()
}

#[test]
fn every_value_has_one_spelling() {
    let folder = Folder::new();
    made(
        &folder,
        "d.sqlite",
        "CREATE TABLE people (t TEXT, n, \"a \"\"quoted\"\"; name\" TEXT);
         INSERT INTO people VALUES ('x', 1, 'p'), ('', 1.5, 'q'), (NULL, 1e300, 'r'), ('é', x'ff00', 's'),
             ('0.10', -0.0, 't'), (7, 9007199254740993, 'u'), (0.1, 9e999, NULL);",
    );
    let columns = ["t", "n", "a \"quoted\"; name"];
    let expected = table(&[
        &["x", "1", "p"],
        &["-", "1.5", "q"],
        &["-", &1e300.to_string(), "r"],
        &["é", "-", "s"],
        &["0.10", "0", "t"],
        &["7", "9007199254740993", "u"],
        &["0.1", "-", "-"],
    ]);
    assert_eq!(folder.rows("d.sqlite", &columns), Ok(expected.clone()));
    assert_eq!(folder.rows("d.sqlite", &[]).map(|rows| rows.len()), Ok(7));
    let decimal = Dialect { decimal: Sign::of(","), ..Dialect::default() };
    let (_, rows) = read(&folder.files_in("d.sqlite", &decimal), &["n"], 1, 10, Arc::new(Unwatched)).expect("rows");
    assert_eq!(rows[1], [Some("1,5".to_string())]);
    let beside = std::fs::read_dir(folder.path("")).expect("a folder").count();
    assert_eq!(beside, 1, "nothing is written beside a database");
}

#[test]
fn one_table_needs_no_name_and_several_do() {
    let folder = Folder::new();
    made(
        &folder,
        "two.db",
        "CREATE TABLE \"a\"\"; DROP TABLE b; --\" (x); INSERT INTO \"a\"\"; DROP TABLE b; --\" VALUES ('a');
         CREATE TABLE b (x); INSERT INTO b VALUES ('b'), ('c'); CREATE VIEW v AS SELECT x || x AS y FROM b;",
    );
    let tables = vec!["a\"; DROP TABLE b; --".to_string(), "b".into()];
    assert_eq!(
        problem(&folder, "two.db", &Dialect::default()),
        refused(&folder, "two.db", NoTable::Tables { tables: tables.clone() })
    );
    // A view may be computed from other people's rows, and need not end.
    for other in ["c", "v"] {
        let why = NoTable::Tables { tables: tables.clone() };
        assert_eq!(problem(&folder, "two.db", &named(other)), refused(&folder, "two.db", why), "{other}");
    }
    let rows = |name: &str, column: &str| {
        read(&folder.files_in("two.db", &named(name)), &[column], 1, 10, Arc::new(Unwatched)).map(|(_, rows)| rows)
    };
    assert_eq!(rows("b", "x"), Ok(table(&[&["b"], &["c"]])));
    assert_eq!(rows("a\"; DROP TABLE b; --", "x"), Ok(table(&[&["a"]])));
    assert_eq!(rows("b", "x"), Ok(table(&[&["b"], &["c"]])), "and b is still there");
    made(&folder, "none.sqlite3", "CREATE VIEW v AS SELECT 1 AS x");
    let tables = Vec::new();
    assert_eq!(
        problem(&folder, "none.sqlite3", &Dialect::default()),
        refused(&folder, "none.sqlite3", NoTable::Tables { tables })
    );
    folder.write("d.csv", b"a\n");
    assert_eq!(problem(&folder, "d.csv", &named("b")), FileError::NoSuchPart { key: "table" }.into());
}

#[test]
fn a_database_with_a_log_is_read_when_its_log_is_empty() {
    let folder = Folder::new();
    let connection = Connection::open(folder.path("d.sqlite")).expect("a database");
    connection
        .execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE p (a); INSERT INTO p VALUES (1), (2);")
        .expect("made");
    assert_eq!(problem(&folder, "d.sqlite", &Dialect::default()), refused(&folder, "d.sqlite", NoTable::Unfinished));
    drop(connection);
    assert_eq!(folder.rows("d.sqlite", &["a"]), Ok(table(&[&["1"], &["2"]])));
    assert_eq!(std::fs::read_dir(folder.path("")).expect("a folder").count(), 1, "nothing is written beside it");
    folder.write_as_is("d.sqlite-journal", b"\xd9\xd5\x05\xf9");
    assert_eq!(problem(&folder, "d.sqlite", &Dialect::default()), refused(&folder, "d.sqlite", NoTable::Unfinished));
}

#[test]
fn an_account_book_is_no_data() {
    let folder = Folder::new();
    drop(incrowd_ledger::Ledger::open(std::path::Path::new(&folder.path("book.sqlite"))).expect("a book"));
    assert_eq!(problem(&folder, "book.sqlite", &Dialect::default()), refused(&folder, "book.sqlite", NoTable::Ledger));
    assert_eq!(problem(&folder, "book.sqlite", &named("entry")), refused(&folder, "book.sqlite", NoTable::Ledger));
}

#[test]
fn what_is_no_database_is_refused_and_a_broken_page_is_damage() {
    let folder = Folder::new();
    folder.write_as_is("d.db", b"");
    let empty = FileError::Empty { location: folder.path("d.db") };
    assert_eq!(problem(&folder, "d.db", &Dialect::default()), empty.into());
    for bytes in [&b"a,b\n1,2\n"[..], b"SQLite format 3\0"] {
        folder.write_as_is("d.db", bytes);
        assert_eq!(problem(&folder, "d.db", &Dialect::default()), refused(&folder, "d.db", NoTable::Damaged));
    }
    let filled = "CREATE TABLE p (a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO p SELECT 'a text that fills the pages ' || i FROM n;";
    made(&folder, "e.db", filled);
    let whole = std::fs::read(folder.path("e.db")).expect("a file");
    assert_eq!(folder.rows("e.db", &["a"]).map(|rows| rows.len()), Ok(5000));
    let mut broken = whole.clone();
    let middle = whole.len() / 2 / 4096 * 4096;
    broken[middle..middle + 4096].fill(0xff);
    folder.write_as_is("e.db", &broken);
    assert_eq!(folder.rows("e.db", &["a"]), Err(Fault::Damaged));
    folder.write_as_is("e.db", &whole[..middle]);
    let part = Files::resolve(&folder.path("e.db"), &Dialect::default());
    let read = part.map(|files| read(&files, &["a"], 1, 100, Arc::new(Unwatched)).map(|(_, rows)| rows));
    assert!(!matches!(read, Ok(Ok(_))), "a part is not taken for the whole");
    made(&folder, "f.db", "CREATE TABLE p (a); INSERT INTO p VALUES (CAST(x'ff' AS TEXT));");
    assert_eq!(folder.rows("f.db", &["a"]), Err(Fault::Damaged), "what is no text");
}

#[test]
fn all_bytes_are_told_once() {
    struct Told(AtomicU64);
    impl Watch for Told {
        fn read(&self, bytes: u64) {
            self.0.fetch_add(bytes, Ordering::Relaxed);
        }
        fn is_cancelled(&self) -> bool {
            false
        }
    }
    let folder = Folder::new();
    made(&folder, "d.db", "CREATE TABLE p (a); INSERT INTO p VALUES ('x'), ('y');");
    let told = Arc::new(Told(AtomicU64::new(0)));
    let files = folder.files("d.db");
    read(&files, &["a"], 1, 10, Arc::clone(&told) as Arc<dyn Watch>).expect("rows");
    assert_eq!(Some(told.0.load(Ordering::Relaxed)), files.bytes());
}
