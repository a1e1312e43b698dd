//! What is declared to be made up says so, wherever somebody may take it for people.

use crate::place::{PLAIN, Place, TOWNS, request};
use serde_json::Value;

#[test]
fn made_up_data_says_so_in_everything_that_comes_of_it() {
    for (more, book) in [(&[][..], true), (&["--ledger", ":memory:"], false)] {
        let place = Place::new();
        place.write("d.csv", "town\nBern\nBern\n");
        let text = request("d.csv", "synthetic = true", TOWNS, PLAIN);
        place.write("request.toml", text.replace("[\"csv\", \"parquet\"]", "[\"csv\", \"xlsx\"]"));
        let words =
            "the data is declared to be made up (synthetic = true), with no person in it: asserted, not checked";
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat(&place.run(&["plan", "request.toml"]).stdout).contains(words));
        let said = place.run(&[&["release", "request.toml"], more].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(flat(&said.stdout).contains(&format!("MADE UP {words}")), "{}", said.stdout);
        assert_eq!(place.path("ledger.sqlite").exists(), book);
        let certificate = std::fs::read_to_string(place.path("out/certificate.json")).expect("a certificate");
        let certificate: Value = serde_json::from_str(&certificate).expect("JSON");
        assert_eq!(certificate["assumptions"][0], words);
        let report = std::fs::read_to_string(place.path("out/report.html")).expect("a report");
        assert!(report.contains("<body class=\"made-up\">") && report.contains("role=\"alert\">MADE UP: "), "{report}");
        assert!(report.contains("<title>MADE UP: ") && report.contains("<h1>MADE UP: "), "{report}");
        let verified = place.run(&["verify", "out"]);
        assert_eq!(verified.code, 0, "{}", verified.stderr);
        assert!(verified.stdout.starts_with("MADE UP: the data is declared to be made up"), "{}", verified.stdout);
        let entry = place.run(&["export", "out", "--as", "registry"]);
        assert!(entry.stdout.contains("MADE UP: the data is declared to be made up"), "{}", entry.stdout);
        let said = place.run(&["release", "request.toml", "--folder", "json", "--again", "--format", "json"]);
        let object: Value = serde_json::from_str(&said.stdout).expect("JSON");
        assert_eq!(object["made_up"], true);
    }
}

#[test]
fn a_release_about_people_does_not_say_that_they_are_made_up() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    let said = place.released();
    let report = std::fs::read_to_string(place.path("out/report.html")).expect("a report");
    let verified = place.run(&["verify", "out"]).stdout;
    let body = report.split("</style>").nth(1).expect("a body");
    for text in [said.stdout.as_str(), body, &verified] {
        assert!(!text.to_lowercase().contains("made up") && !text.contains("made-up"), "{text}");
    }
}
