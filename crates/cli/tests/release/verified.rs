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
