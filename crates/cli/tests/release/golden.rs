//! What version 0.1.0 delivered still verifies, and `verify` says what is known to be wrong in it.

use crate::place::Place;
use std::path::{Path, PathBuf};

fn folders() -> Vec<PathBuf> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/0.1.0");
    let entries = std::fs::read_dir(golden).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.join("certificate.json").is_file()).collect()
}

#[test]
fn folders_of_an_earlier_version_are_verified_and_what_they_say_wrongly_is_named() {
    let place = Place::new();
    let folders = folders();
    assert!(folders.len() >= 11);
    for folder in folders {
        let name = folder.to_str().expect("a path");
        let said = place.run(&["verify", name]);
        assert_eq!(said.code, 0, "{name}: {}", said.stdout);
        let words = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in
            ["delta bounds by how much", "numbers epsilon and delta hold", "stated by incrowd 0.1.0, not recomputed"]
        {
            assert!(words.contains(part), "{name}: {}", said.stdout);
        }
    }
}

#[test]
fn forged_numbers_of_an_earlier_version_are_found() {
    let place = Place::new();
    for folder in folders() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let entry = entry.expect("an entry");
            place.write(
                &format!("out/{}", entry.file_name().to_str().expect("a name")),
                std::fs::read(entry.path()).expect("a file"),
            );
        }
        let certificate = std::fs::read_to_string(place.path("out/certificate.json")).expect("a certificate");
        assert_eq!(place.run(&["verify", "out"]).code, 0);
        for (from, to) in [
            ("\"epsilon\": \"", "\"epsilon\": \"1"),
            ("\"delta\": \"", "\"delta\": \"1"),
            ("\"sha256\": \"", "\"sha256\": \"0"),
        ] {
            place.write("out/certificate.json", certificate.replacen(from, to, 1));
            let said = place.run(&["verify", "out"]);
            assert_eq!(said.code, 1, "{}: {to}\n{}", folder.display(), said.stdout);
        }
        std::fs::remove_dir_all(place.path("out")).expect("removed");
    }
}
