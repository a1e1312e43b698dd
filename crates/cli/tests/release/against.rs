//! `ledger verify --against`: a folder was paid for and delivered by this book, as it is, or it is refused.

use crate::place::{PLAIN, Place, Said, TOWNS, request};
use serde_json::Value;
use std::path::Path;

const DEAR: &str = "kind = \"differential-privacy\"\nepsilon = 20";

/// A book with two deliveries of epsilon 1, and `big`, a release of epsilon 20 that was paid into another book.
fn place() -> Place {
    let place = Place::new();
    place.write("d.csv", format!("town,region\n{}Chur,south\n", "Bern,north\n".repeat(70)));
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place.write("dear.toml", request("d.csv", "", TOWNS, DEAR));
    place.released();
    assert_eq!(place.run(&["release", "request.toml", "--folder", "second", "--again"]).code, 0);
    let dear = ["release", "dear.toml", "--folder", "big", "--ledger", "throwaway.sqlite"];
    assert_eq!(place.run(&dear).code, 0);
    place
}

fn certificate(place: &Place, folder: &str) -> Value {
    let text = std::fs::read_to_string(place.path(folder).join("certificate.json")).expect("a certificate");
    serde_json::from_str(&text).expect("JSON")
}

/// Puts texts of a certificate in the place of others, in the certificate and in the report.
fn forge(place: &Place, folder: &str, changes: &[(String, String)]) {
    for name in ["certificate.json", "report.html"] {
        let path = place.path(folder).join(name);
        let text = std::fs::read_to_string(&path).expect("a file");
        let forged = changes.iter().fold(text, |text, (old, new)| text.replace(old, new));
        std::fs::write(path, forged).expect("written");
    }
}

/// Gives a folder the entry of a history as its charge.
fn transplant(place: &Place, folder: &str, hash: &str, seq: u64) {
    let ledger = &certificate(place, folder)["ledger"];
    let text = |name: &str| ledger[name].as_str().expect("a text").to_string();
    // The longer one first: the name of a charge is how its hash begins.
    let changes = [
        (text("head"), hash.to_string()),
        (text("charge_id"), hash[..32].to_string()),
        (format!("\"seq\": {}", ledger["seq"]), format!("\"seq\": {seq}")),
    ];
    forge(place, folder, &changes);
}

fn against(place: &Place, folders: &[&str]) -> Said {
    place.run(&[&["ledger", "verify", "--against"], folders].concat())
}

/// The entries of the book: kind and hash.
fn entries(place: &Place) -> Vec<(String, String)> {
    let said = place.run(&["ledger", "history", "--format", "json"]);
    let object: Value = serde_json::from_str(&said.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let all = object["entries"].as_array().expect("a list").iter();
    all.map(|entry| (text(&entry["event"]["kind"]), text(&entry["hash"]))).collect()
}

#[test]
fn a_release_that_was_paid_elsewhere_passes_for_no_entry_of_this_book() {
    let place = place();
    let entries = entries(&place);
    assert_eq!(entries.len(), 5);
    for (number, (kind, hash)) in entries.iter().enumerate() {
        transplant(&place, "big", hash, number as u64 + 1);
        let said = against(&place, &["big"]);
        assert_eq!(said.code, 1, "{kind}: {}", said.stdout);
        let words = if kind == "charge" { "for another plan" } else { "is not a charge" };
        assert!(said.stderr.contains(words), "{kind}: {}", said.stderr);
    }
    // Even with the identity of the plan that was paid for: the price and the certificate differ.
    let hash = |folder: &str| certificate(&place, folder)["request_hash"].as_str().expect("a hash").to_string();
    transplant(&place, "big", &entries[1].1, 2);
    forge(&place, "big", &[(hash("big"), hash("out"))]);
    let said = against(&place, &["big"]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("of another epsilon"), "{}", said.stderr);
    forge(&place, "big", &[("\"epsilon\": \"20\"".into(), "\"epsilon\": \"1\"".into())]);
    let said = against(&place, &["big"]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("with another certificate"), "{}", said.stderr);
}

#[test]
fn one_charge_pays_for_one_folder_and_its_copies() {
    let place = place();
    let copy = |from: &str, to: &str| {
        std::fs::create_dir(place.path(to)).expect("made");
        for entry in std::fs::read_dir(place.path(from)).expect("a folder").flatten() {
            std::fs::copy(entry.path(), place.path(to).join(entry.file_name())).expect("copied");
        }
    };
    copy("out", "copy");
    let said = against(&place, &["out", "second", "copy"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("1 folder is a copy of another one"), "{}", said.stdout);
    assert!(said.stdout.contains("3 folders are what was paid for, delivered and certified"), "{}", said.stdout);
    // The second release with the charge of the first: what differs is the noise that was drawn.
    let (_, hash) = &entries(&place)[1];
    transplant(&place, "second", hash, 2);
    for folders in [&["second"][..], &["second", "out"]] {
        let said = against(&place, folders);
        assert_eq!(said.code, 1, "{}", said.stdout);
    }
    let said = against(&place, &["out", "second"]);
    assert!(said.stderr.contains("names the same charge as out"), "{}", said.stderr);
}

#[test]
fn tables_that_were_exchanged_are_found() {
    let place = place();
    let path = place.path("out").join("counts.csv");
    let text = std::fs::read_to_string(&path).expect("a table");
    std::fs::write(&path, text.replace("Bern", "Chur")).expect("written");
    let said = against(&place, &["out"]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("counts.csv is not the table"), "{}", said.stderr);
    // With a certificate that fits: then the certificate is not the one that was delivered.
    let said = place.verify_forged("counts.csv", &text.replace("Bern", "Chur"));
    assert_eq!(said.code, 1);
    let said = against(&place, &["out"]);
    assert_eq!(said.code, 1);
    assert!(
        said.stderr.contains("with another certificate") || said.stderr.contains("not the table"),
        "{}",
        said.stderr
    );
}

#[test]
fn what_was_charged_and_never_delivered_is_not_taken_for_delivered() {
    let place = place();
    // The outcome of the last release is cut off, with everything that remembers its number.
    let tool = rusqlite::Connection::open(place.path("ledger.sqlite")).expect("a database");
    let guard: String = tool
        .query_row("SELECT sql FROM sqlite_schema WHERE name = 'entry_is_never_removed'", [], |row| row.get(0))
        .expect("a trigger");
    tool.execute_batch("DROP TRIGGER entry_is_never_removed; DELETE FROM entry WHERE seq = 5").expect("cut");
    tool.execute_batch("UPDATE sqlite_sequence SET seq = 4").expect("cut");
    tool.execute_batch(&guard).expect("guarded");
    drop(tool);
    let said = against(&place, &["second"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stderr.contains("does not say that its charge was delivered"), "{}", said.stderr);
}

#[test]
fn folders_of_the_first_version_are_paid_for_and_said_to_be_unchecked() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/0.1.0");
    let place = Place::new();
    std::fs::copy(golden.join("ledger.sqlite"), place.path("ledger.sqlite")).expect("a copy");
    let folders = ["histogram", "crowd", "relay", "rows", "sampled", "series", "staircase", "top", "points", "pairs"];
    for folder in folders {
        let path = golden.join(folder).display().to_string();
        let said = against(&place, &[&path]);
        assert_eq!(said.code, 0, "{folder}: {}", said.stderr);
        assert!(said.stdout.contains("entry is older than that"), "{folder}: {}", said.stdout);
    }
    let said = place.run(&["ledger", "history", "--format", "json"]);
    assert!(said.stdout.contains("\"certificate_hash\": null"), "{}", said.stdout);
}
