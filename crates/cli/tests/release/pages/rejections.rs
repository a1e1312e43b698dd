//! `verify` on folders that were changed: one of each kind of rejection.

use super::{Page, place};
use crate::place::Place;
use sha2::{Digest, Sha256};
use std::path::Path;

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Changes a file of the folder, which must then differ.
fn change(place: &Place, name: &str, from: &str, to: &str) {
    let path = place.path("out").join(name);
    let text = std::fs::read_to_string(&path).expect("a text");
    let changed = text.replacen(from, to, 1);
    assert!(changed != text, "{from} is not in {name}");
    std::fs::write(path, changed).expect("written");
}

/// Changes a table, and its hash in the certificate with it.
fn forge(place: &Place, name: &str, from: &str, to: &str) {
    let path = place.path("out").join(name);
    let before = hash(&std::fs::read(&path).expect("a table"));
    change(place, name, from, to);
    change(place, "certificate.json", &before, &hash(&std::fs::read(&path).expect("a table")));
}

fn remove(place: &Place, name: &str) {
    std::fs::remove_file(place.path("out").join(name)).expect("removed");
}

type Case = (&'static str, &'static str, i32, fn(&Place));

const CASES: [Case; 33] = [
    ("the table has another count", "histogram", 1, |place| change(place, "counts.csv", ",157,", ",158,")),
    ("a table is missing", "histogram", 1, |place| remove(place, "margins.csv")),
    ("a file too many", "histogram", 1, |place| place.write("out/notes.txt", "more")),
    ("the report is missing", "histogram", 1, |place| remove(place, "report.html")),
    ("the report says something else", "histogram", 1, |place| change(place, "report.html", "people", "persons")),
    ("an interval is narrower", "histogram", 1, |place| forge(place, "counts.csv", ",154,160,", ",155,159,")),
    ("keys change places", "crowd", 1, |place| forge(place, "counts.csv", "asthma", "gout")),
    ("a sum does not add up", "histogram", 1, |place| forge(place, "margins.csv", "7", "8")),
    ("a row of a kind too few", "rows", 1, |place| {
        let text = std::fs::read_to_string(place.path("out/rows.csv")).expect("a table");
        let kind = text.lines().last().expect("a row").to_string() + "\n";
        forge(place, "rows.csv", &kind.repeat(text.matches(&kind).count()), &kind.repeat(19));
    }),
    ("a point beside the grid", "points", 1, |place| forge(place, "points.csv", "-3.8,", "-3.75,")),
    ("a rank twice", "top", 1, |place| forge(place, "counts.csv", "2,milk", "1,milk")),
    ("a table of another format is listed", "crowd", 1, |place| {
        change(place, "certificate.json", "\"name\": \"counts.csv\"", "\"name\": \"rows.csv\"");
    }),
    ("the certificate is spelt otherwise", "crowd", 1, |place| change(place, "certificate.json", "\n", "\n\n")),
    ("another request", "crowd", 1, |place| {
        change(place, "certificate.json", "\"request_hash\": \"", "\"request_hash\": \"0")
    }),
    ("another data set", "crowd", 1, |place| change(place, "certificate.json", "\"people-crowd\"", "\"others\"")),
    ("a smaller epsilon", "histogram", 1, |place| {
        change(place, "certificate.json", "\"epsilon\": \"1\"", "\"epsilon\": \"1/2\"")
    }),
    ("another mechanism", "histogram", 1, |place| {
        change(place, "certificate.json", "\"name\": \"tailored-geometric\"", "\"name\": \"geometric\"");
    }),
    ("a smaller delta", "staircase", 1, |place| change(place, "certificate.json", "\"delta\": \"", "\"delta\": \"0")),
    ("another worst count", "staircase", 1, |place| {
        change(place, "certificate.json", "\"worst\": {\"count\": ", "\"worst\": {\"count\": 1");
    }),
    ("another step", "crowd", 1, |place| {
        change(place, "certificate.json", "\"step\": \"interval\"", "\"step\": \"rounding\"");
    }),
    ("a field too many", "crowd", 1, |place| {
        change(place, "certificate.json", "\"version\": 3,", "\"version\": 3,\n  \"approved\": true,");
    }),
    ("a request that is none", "crowd", 1, |place| {
        change(place, "certificate.json", "\"release\": \"histogram\"", "\"release\": \"rows\"");
    }),
    ("a rounding that the table does not have", "histogram", 1, |place| {
        change(place, "certificate.json", "\"to\": \"5\"", "\"to\": \"10\"")
    }),
    ("draws that claim to be secret", "crowd", 1, |place| {
        change(place, "certificate.json", "\"known-seed\"", "\"operating-system\"")
    }),
    ("other words", "crowd", 1, |place| change(place, "certificate.json", "may be published", "is never published")),
    ("more work than is allowed", "staircase", 2, |_| {}),
    ("no certificate", "crowd", 2, |place| remove(place, "certificate.json")),
    ("no JSON", "crowd", 2, |place| change(place, "certificate.json", "{", "[")),
    ("a step says more than it did", "crowd", 1, |place| {
        change(
            place,
            "certificate.json",
            "\"step\": \"interval\"",
            "\"level\": \"99 %\",\n      \"step\": \"interval\"",
        );
    }),
    ("an entry of the ledger says more than it has", "crowd", 1, |place| {
        change(place, "certificate.json", "\"after\": {", "\"after\": {\"audited\": true, ");
    }),
    ("a mechanism that misses its promise", "staircase", 1, |place| {
        change(place, "certificate.json", "\"levels\": [49, 62]", "\"levels\": [49, 20]");
    }),
    ("parameters of nothing", "staircase", 1, |place| {
        change(place, "certificate.json", "\"levels\": [49, 62]", "\"levels\": [49]");
    }),
    ("an author who is not known", "crowd", 2, |place| {
        change(place, "certificate.json", concat!("incrowd ", env!("CARGO_PKG_VERSION")), "incrowd 99.0.0");
    }),
];

/// Copies the folder of an earlier version, as `out`.
fn earlier(place: &Place, kind: &str) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/0.1.0").join(kind);
    for entry in std::fs::read_dir(golden).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        place.write(&format!("out/{name}"), std::fs::read(&path).expect("a file"));
    }
}

#[test]
fn folders_of_an_earlier_version_are_verified_and_what_is_stated_alone_is_named() {
    let place = place();
    let mut page = Page::of(&place);
    for kind in ["histogram", "points", "series"] {
        earlier(&place, kind);
        page.title(kind);
        page.run(&["verify", "out"], 0);
        std::fs::remove_dir_all(place.path("out")).expect("removed");
    }
    let forgeries = [
        ("another row in the report", "<td class=\"number\">177</td>", "<td class=\"number\">178</td>"),
        ("a script in the report", "</main>", "<script>alert(1)</script></main>"),
        ("a report with another look", "<style>\n", "<style>\ntable { display: none; }\n"),
        ("another certificate in the report", "request_hash", "hash"),
    ];
    for (title, from, to) in forgeries {
        earlier(&place, "histogram");
        change(&place, "report.html", from, to);
        page.title(title);
        page.run(&["verify", "out"], 1);
        std::fs::remove_dir_all(place.path("out")).expect("removed");
    }
    page.check("verify-earlier.txt");
}

#[test]
fn every_kind_of_rejection_says_what_is_wrong() {
    let place = place();
    let mut page = Page::of(&place);
    for (title, kind, code, change) in CASES {
        let request = format!("{kind}.toml");
        let said = place.run(&["release", &request, "--test-seed", "7", "--folder", "out", "--quiet"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        page.name_charge_of("out");
        change(&place);
        page.title(&format!("{title} ({kind})"));
        let limit = ["verify", "out", "--most-work", "10"];
        page.run(if title.starts_with("more work") { &limit } else { &limit[..2] }, code);
        std::fs::remove_dir_all(place.path("out")).expect("removed");
    }
    page.title("no folder");
    page.run(&["verify", "out"], 2);
    page.title("a version that is not known");
    place.write("out/certificate.json", "{\"version\": 99}");
    page.run(&["verify", "out"], 2);
    page.check("verify-rejected.txt");
}
