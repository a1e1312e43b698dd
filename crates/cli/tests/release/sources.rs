//! Workbooks, databases, archives, folders and standard input: the same table from all of them, and nothing left
//! behind.
//!
//! Every source holds a value that nobody may see, looked for in all that leaves and in the place for long copies. It
//! is separate because these sources are more than a file of rows. Read `engine-datafusion/src/scan/tests` for their
//! faults.

use crate::place::{EXACT, Place, Said, TOWNS, request};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use std::io::Write;
use std::process::Stdio;
use std::sync::Arc;

/// A value that nobody may see.
const CANARY: &str = "Canary-9d1e";

/// What is counted: two in Bern, three in Chur, one elsewhere.
const COUNTED: [&str; 2] = ["Bern,2,2,2,published,A", "Chur,3,3,3,published,A"];

fn towns() -> Vec<&'static str> {
    vec!["Bern", "Chur", "Chur", CANARY, "Bern", "Chur"]
}

fn csv() -> String {
    let rows: String = towns().iter().map(|town| format!("{town},{CANARY}\n")).collect();
    format!("town,secret\n{rows}")
}

fn parquet() -> Vec<u8> {
    let town: ArrayRef = Arc::new(StringArray::from(towns()));
    let secret: ArrayRef = Arc::new(StringArray::from(vec![CANARY; 6]));
    let batch = RecordBatch::try_from_iter([("town", town), ("secret", secret)]).expect("a batch");
    let mut file = Vec::new();
    let mut writer = parquet::arrow::ArrowWriter::try_new(&mut file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
    file
}

fn sqlite(place: &Place, name: &str) {
    let connection = rusqlite::Connection::open(place.path(name)).expect("a database");
    connection.execute_batch("CREATE TABLE people (town TEXT, secret TEXT)").expect("made");
    for town in towns() {
        connection.execute("INSERT INTO people VALUES (?1, ?2)", [town, CANARY]).expect("a row");
    }
}

/// Releases with these bytes on standard input.
fn piped(place: &Place, arguments: &[&str], input: &[u8]) -> Said {
    let mut child = place.command(arguments).stdin(Stdio::piped()).spawn().expect("the binary runs");
    // Somebody who refuses does not read on.
    let _ = child.stdin.take().expect("an input").write_all(input);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Said { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn has_canary(bytes: &[u8]) -> bool {
    bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes())
}

/// Nothing but the data itself holds what nobody may see.
fn check_secrecy(place: &Place, said: &Said, data: &str) {
    assert!(!has_canary(said.stdout.as_bytes()) && !has_canary(said.stderr.as_bytes()));
    for (path, bytes) in place.files() {
        let is_data = path.starts_with(place.path(data)) && !data.is_empty();
        assert!(is_data || !has_canary(&bytes), "{}", path.display());
    }
}

#[test]
fn databases_archives_and_folders_are_tables() {
    let place = Place::new();
    sqlite(&place, "people.sqlite");
    for (town, rows) in [("Bern", 2), ("Chur", 3), (CANARY, 1)] {
        place.write(&format!("folders/town={town}/part.csv"), format!("secret\n{}", "x\n".repeat(rows)));
    }
    // Exact counts of two readings do not go into one book.
    for (source, book) in [("people.sqlite", "ledger.sqlite"), ("folders", "other.sqlite")] {
        place.write("request.toml", request(source, "", TOWNS, EXACT));
        let said = place.run(&["release", "request.toml", "--replace", "--ledger", book]);
        assert_eq!(said.code, 0, "{source}: {}", said.stderr);
        assert_eq!(place.counts(), COUNTED, "{source}");
        check_secrecy(&place, &said, "people.sqlite");
    }
    place.write("request.toml", request("people.sqlite", "table = \"persons\"", TOWNS, EXACT));
    let said = place.run(&["release", "request.toml", "--replace", "--again"]);
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("\"people\"") && !has_canary(said.stderr.as_bytes()), "{}", said.stderr);
    place.write("request.toml", request("ledger.sqlite", "", TOWNS, EXACT));
    let said = place.run(&["release", "request.toml", "--replace", "--again"]);
    assert!(said.code == 2 && said.stderr.contains("account book"), "{}", said.stderr);
}

#[test]
fn a_sheet_is_a_table() {
    let place = Place::new();
    let workbooks = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/workbooks");
    let tall = "[[bins]]\nname = \"tall\"\ncolumn = \"tall\"\nvalues = [true, false]\n";
    let types = "[data.types]\ntall = \"boolean\"\n";
    for name in ["openpyxl.xlsx", "odfpy.ods"] {
        place.write(name, std::fs::read(workbooks.join(name)).expect("a workbook"));
        place.write("request.toml", request(name, types, tall, EXACT));
        let said = place.run(&["release", "request.toml", "--replace", "--ledger", &format!("{name}.book")]);
        assert_eq!(said.code, 0, "{name}: {}", said.stderr);
        let counts = place.counts();
        assert!(counts[0] == "true,2,2,2,published,A" && counts[1].starts_with("false,"), "{name}: {counts:?}");
        place.write("request.toml", request(name, &format!("sheet = \"nowhere\"\n{types}"), tall, EXACT));
        let said = place.run(&["release", "request.toml", "--replace", "--again"]);
        assert!(said.code == 2 && said.stderr.contains("no such sheet"), "{name}: {}", said.stderr);
    }
}

#[test]
fn standard_input_is_a_table_and_leaves_nothing_behind() {
    let lines: String =
        towns().iter().map(|town| format!("{{\"town\":\"{town}\",\"secret\":\"{CANARY}\"}}\n")).collect();
    for (format, input, is_copied) in [
        ("csv", csv().into_bytes(), false),
        ("tsv", csv().replace(',', "\t").into_bytes(), false),
        ("json", lines.into_bytes(), false),
        ("parquet", parquet(), true),
    ] {
        let place = Place::new();
        std::fs::create_dir(place.path("spill")).expect("a folder");
        place.write("request.toml", request("-", &format!("format = \"{format}\""), TOWNS, EXACT));
        let said = piped(&place, &["release", "request.toml", "--spill", "spill"], &input);
        assert_eq!(said.code, 0, "{format}: {}", said.stderr);
        assert_eq!(place.counts(), COUNTED, "{format}");
        assert_eq!(said.stderr.contains("copied before it is read"), is_copied, "{format}: {}", said.stderr);
        assert_eq!(std::fs::read_dir(place.path("spill")).expect("a folder").count(), 0, "{format}");
        check_secrecy(&place, &said, "");
    }
}

#[test]
fn a_request_and_its_data_do_not_both_come_from_standard_input() {
    let place = Place::new();
    let said = piped(&place, &["release", "-"], request("-", "format = \"csv\"", TOWNS, EXACT).as_bytes());
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("both") && said.stderr.contains("hint:"), "{}", said.stderr);
    assert!(!place.events().contains(&"charge".to_string()));
}

#[test]
fn damage_behind_the_names_is_charged_and_says_the_same_in_every_source() {
    let mut texts = Vec::new();
    let damaged = |place: &Place, said: Said, data: &str, texts: &mut Vec<String>| {
        assert_eq!(said.code, 3, "{}", said.stderr);
        check_secrecy(place, &said, data);
        let message = said.stderr.lines().filter(|line| !line.starts_with("warning:"));
        texts.push(message.map(|line| line.split("charge ").next().unwrap_or(line)).collect::<Vec<_>>().join("\n"));
    };
    let place = Place::new();
    place.write("request.toml", request("-", "format = \"csv\"", TOWNS, EXACT));
    let said = piped(&place, &["release", "request.toml"], format!("{}\"{CANARY}", csv()).as_bytes());
    damaged(&place, said, "", &mut texts);
    let place = Place::new();
    sqlite(&place, "data.sqlite");
    let connection = rusqlite::Connection::open(place.path("data.sqlite")).expect("a database");
    connection.execute_batch(&format!("INSERT INTO people VALUES (CAST(x'ff' AS TEXT), '{CANARY}')")).expect("a row");
    drop(connection);
    place.write("request.toml", request("data.sqlite", "", TOWNS, EXACT));
    let said = place.release();
    damaged(&place, said, "data.sqlite", &mut texts);
    assert_eq!(texts[0], texts[1]);
}

#[cfg(unix)]
#[test]
fn a_kill_while_standard_input_is_copied_leaves_nothing_behind() {
    let place = Place::new();
    std::fs::create_dir(place.path("spill")).expect("a folder");
    place.write("request.toml", request("-", "format = \"parquet\"", TOWNS, EXACT));
    let mut command = place.command(&["release", "request.toml", "--spill", "spill"]);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary runs");
    let mut input = child.stdin.take().expect("an input");
    // Longer than what stays in memory, and no end yet.
    let block = format!("{CANARY} ").repeat(100_000).into_bytes();
    let mut written = 0;
    while written < (300 << 20) {
        input.write_all(&block).expect("taken");
        written += block.len();
    }
    assert_eq!(std::fs::read_dir(place.path("spill")).expect("a folder").count(), 0, "it has no name");
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert_eq!(std::fs::read_dir(place.path("spill")).expect("a folder").count(), 0, "and leaves none");
    assert!(!place.events().contains(&"charge".to_string()));
}
