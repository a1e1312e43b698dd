//! What `verify` finds: a folder as it was delivered, and one that was changed.

use crate::place::{PLAIN, Place, TOWNS, request};

#[test]
fn a_changed_table_or_certificate_is_found() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place.released();
    let said = place.run(&["verify", "out"]);
    assert_eq!(said.code, 0, "{}", said.stdout);
    assert!(!said.stdout.contains("WRONG"));
    let table = std::fs::read_to_string(place.path("out/counts.csv")).expect("a table");
    place.write("out/counts.csv", table.replace("Bern", "Born"));
    let said = place.run(&["verify", "out"]);
    assert!(said.code == 1 && said.stdout.contains("WRONG"), "{}", said.stdout);
    place.write("out/counts.csv", &table);
    let certificate = std::fs::read_to_string(place.path("out/certificate.json")).expect("a certificate");
    place.write("out/certificate.json", certificate.replacen("\"delta\": \"0\"", "\"delta\": \"1/10\"", 1));
    assert_eq!(place.run(&["verify", "out"]).code, 1);
    place.write("out/certificate.json", "{}");
    assert_ne!(place.run(&["verify", "out"]).code, 0);
    assert_eq!(place.run(&["verify", "nowhere"]).code, 2);
}

#[test]
fn a_rehearsal_passes_and_is_no_release_in_the_first_line() {
    let place = Place::new();
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    assert_eq!(place.run(&["release", "request.toml", "--rehearse", "--quiet"]).code, 0);
    let said = place.run(&["verify", "out-rehearsal"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let first = said.stdout.split("Certificate of").next().expect("a beginning");
    assert!(
        first.contains("NOT PRIVATE") && first.contains("made up") && first.contains("no release"),
        "{}",
        said.stdout
    );
    let last = said.stdout.trim_end().lines().last().expect("a last line");
    assert!(last.contains("checks passed") && last.contains("and no release"), "{last}");
    let object: serde_json::Value =
        serde_json::from_str(&place.run(&["verify", "out-rehearsal", "--format", "json"]).stdout).expect("JSON");
    assert_eq!(object["notes"][0]["name"], "NOT PRIVATE");
    // A release says nothing of the kind.
    place.write("d.csv", "town\nBern\n");
    place.released();
    let said = place.run(&["verify", "out"]);
    assert!(!said.stdout.contains("NOT PRIVATE") && said.stdout.starts_with("Certificate of"), "{}", said.stdout);
}
