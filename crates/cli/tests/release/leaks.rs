//! Nothing leaks on the side: what is not published is in no byte that leaves.

use crate::place::{Place, WITH_DELTA, request};
use arrow_array::{ArrayRef, DictionaryArray, RecordBatch, StringArray, types::Int32Type};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use std::io::Read;
use std::sync::Arc;

/// Starts every value that must not be seen.
const CANARY: &str = "Canary";

/// A hundred keys of one person each, beside three of many; a lonely key is shown with a chance of about one in 10^6.
fn towns() -> Vec<String> {
    let mut towns = Vec::new();
    for _ in 0..200 {
        towns.extend(["Bern", "Chur", "Uri"].map(str::to_string));
    }
    towns.extend((0..100).map(|lonely| format!("{CANARY}-{lonely:03}")));
    towns
}

fn parquet(place: &Place, name: &str) {
    let towns = towns();
    let town: DictionaryArray<Int32Type> = towns.iter().map(String::as_str).collect();
    let secret = StringArray::from_iter_values(towns.iter().map(|town| format!("{CANARY}-secret-of-{town}")));
    let columns: Vec<ArrayRef> = vec![Arc::new(town), Arc::new(secret)];
    let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let schema = Schema::new(vec![Field::new("town", kind, true), Field::new("secret", DataType::Utf8, true)]);
    let batch = RecordBatch::try_new(Arc::new(schema), columns).expect("a batch");
    let file = std::fs::File::create(place.path(name)).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
}

fn csv(place: &Place, name: &str) {
    let rows: String = towns().iter().map(|town| format!("{town},{CANARY}-secret-of-{town}\n")).collect();
    place.write(name, format!("town,secret\n{rows}"));
}

#[test]
fn no_byte_that_leaves_holds_a_key_that_was_not_published() {
    type Maker = fn(&Place, &str);
    let sources: [(&str, Maker); 2] = [("d.parquet", parquet), ("d.csv", csv)];
    let found = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\n";
    let declared =
        "[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"Bern\", \"Chur\", \"Uri\"]\nother = true\n";
    for (name, make) in sources {
        for bins in [found, declared] {
            let place = Place::new();
            make(&place, name);
            let formats = "\"parquet\", \"arrow\", \"xlsx\"]";
            let text = request(name, "", bins, WITH_DELTA).replace("\"parquet\"]", formats);
            place.write("request.toml", text);
            let said = place.run(&["release", "request.toml", "--verbose"]);
            assert_eq!(said.code, 0, "{}", said.stderr);
            assert_eq!(place.run(&["render", "out", "--to", "again", "--formats", "csv,xlsx"]).code, 0);
            std::fs::remove_file(place.path(name)).expect("the data goes away");
            let talk = (place.path("talk"), [said.stdout.as_bytes(), said.stderr.as_bytes()].concat());
            let files = place.files();
            assert!(files.len() >= 7, "tables, certificate, report, ledger and request: {}", files.len());
            let members = ["out", "again"].map(|folder| unpacked(&place, folder));
            for (path, bytes) in files.into_iter().chain([talk]).chain(members.into_iter().flatten()) {
                let leaked = bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes());
                assert!(!leaked, "{} holds a key that was not published", path.display());
            }
            assert!(place.counts().iter().any(|line| line.starts_with("Bern,")));
        }
    }
}

/// What a workbook holds, unpacked: names nobody, no machine, no folder and no moment.
fn unpacked(place: &Place, folder: &str) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let path = place.path(folder).join("counts.xlsx");
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&path).expect("a file")).expect("a workbook");
    let mut members = Vec::new();
    for at in 0..archive.len() {
        let mut member = archive.by_index(at).expect("a member");
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).expect("bytes");
        let text = String::from_utf8_lossy(&bytes);
        let home = place.path("").display().to_string();
        let own = ["USER", "HOSTNAME", "LOGNAME"].map(|name| std::env::var(name).unwrap_or_default());
        for secret in own.iter().chain([&home]).filter(|secret| secret.len() > 4) {
            assert!(!text.contains(secret.as_str()), "member {at}");
        }
        assert!(!text.contains(&today()), "member {at}");
        members.push((path.join(at.to_string()), bytes));
    }
    assert!(members.len() > 5, "sheets, styles and properties");
    members
}

/// The day on which the test runs, as properties of workbooks have it.
fn today() -> String {
    let database = rusqlite::Connection::open_in_memory().expect("a database");
    database.query_row("SELECT date('now')", [], |row| row.get(0)).expect("a day")
}

#[test]
fn the_scan_for_canaries_would_find_one() {
    let place = Place::new();
    csv(&place, "d.csv");
    // A promise that nobody should make: every key of two people and more is exact, so a canary of two is published.
    let rows: String = (0..2).map(|_| format!("{CANARY}-pair,x\n")).collect();
    place.write("d.csv", format!("town,secret\n{rows}"));
    let bins = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\n[mechanism]\nname = \"suppress-below\"\n";
    place.write("request.toml", request("d.csv", "", bins, "kind = \"crowd-blending\"\ncrowd = 2\nepsilon = 0"));
    place.released();
    let table = std::fs::read(place.path("out/counts.parquet")).expect("a table");
    let found = |bytes: &[u8]| bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes());
    assert!(found(&table));
    assert_eq!(place.run(&["render", "out", "--to", "again", "--formats", "csv,xlsx"]).code, 0);
    assert!(unpacked(&place, "again").iter().any(|(_, bytes)| found(bytes)), "in the workbook, too");
}

/// What is told about a release does not depend on the data at all, but for the published values.
#[test]
fn talk_ledger_and_certificate_are_the_same_for_other_data() {
    let told = |rows: &str| {
        let place = Place::new();
        place.write("d.csv", format!("town\n{rows}"));
        let bins = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\n";
        place.write("request.toml", request("d.csv", "", bins, WITH_DELTA));
        place.released();
        let text = std::fs::read_to_string(place.path("out/certificate.json")).expect("a certificate");
        let mut certificate: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        // The head of the chain carries the time of the charge; the tables are what is published.
        for field in ["ledger", "tables"] {
            certificate[field] = serde_json::Value::Null;
        }
        (certificate, place.events())
    };
    assert_eq!(told("Bern\n"), told(&"Chur\nUri\n".repeat(500)));
}
