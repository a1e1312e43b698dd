//! Four eyes and rehearsals: only the reviewed plan runs, and a dry run touches neither data nor budget.

use crate::place::{FOUND_TOWNS, PLAIN, Place, TOWNS, WITH_DELTA, request};

#[test]
fn only_the_plan_that_was_reviewed_runs() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    let said = place.run(&["plan", "request.toml", "--save", "plan.json"]);
    let flat = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let here = std::fs::canonicalize(place.path("")).expect("a folder").display().to_string();
    assert_eq!(said.code, 0, "{}", said.stderr);
    for pinned in ["saved as plan.json", &format!("source {here}/d.csv"), &format!("ledger {here}/ledger.sqlite")] {
        assert!(flat.contains(pinned), "{pinned}: {flat}");
    }
    assert!(
        flat.contains(&format!("output {here}/out"))
            && flat.contains("Next: incrowd release request.toml --plan plan.json")
    );
    assert_eq!(place.run(&["plan", "request.toml", "--save", "plan.json"]).code, 2, "a saved plan is not overwritten");
    place.write("changed.toml", request("d.csv", "", TOWNS, "kind = \"differential-privacy\"\nepsilon = 2"));
    let said = place.run(&["release", "changed.toml", "--plan", "plan.json"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("not the plan that was reviewed"), "{}", said.stderr);
    // Another book, another folder, another file of the same name behind a link.
    for more in [["--ledger", "throwaway.sqlite"], ["--folder", "elsewhere"]] {
        let said = place.run(&[&["release", "request.toml", "--plan", "plan.json"], &more[..]].concat());
        assert_eq!(said.code, 1, "{}", said.stderr);
        assert!(
            said.stderr
                .contains(&format!("reviewed: {} changed", if more[0] == "--ledger" { "ledger" } else { "output" }))
        );
    }
    // Other tables and other words beside them are another publication, if not another charge.
    let text = request("d.csv", "", TOWNS, PLAIN);
    for other in [
        "formats = [\"csv\"]",
        "formats = [\"csv\", \"parquet\"]\nrounding = 10",
        "formats = [\"csv\", \"parquet\"]\nmargins = true",
    ] {
        place.write("presented.toml", text.replace("formats = [\"csv\", \"parquet\"]", other));
        let said = place.run(&["release", "presented.toml", "--plan", "plan.json"]);
        assert_eq!(said.code, 1, "{other}: {}", said.stderr);
        assert!(said.stderr.contains("reviewed: presentation changed"), "{other}: {}", said.stderr);
    }
    assert!(!place.path("throwaway.sqlite").exists() && place.events().is_empty());
    let said = place.run(&["release", "request.toml", "--plan", "plan.json"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    place.write("other.json", "{}");
    assert_eq!(place.run(&["release", "request.toml", "--plan", "other.json", "--replace"]).code, 1);
    place.write("other.json", "not a plan");
    assert_eq!(place.run(&["release", "request.toml", "--plan", "other.json", "--replace"]).code, 2);
}

#[test]
fn a_rehearsal_needs_no_data_and_spends_nothing() {
    for (bins, promise) in [(TOWNS, PLAIN), (FOUND_TOWNS, WITH_DELTA)] {
        let place = Place::new();
        place.write("request.toml", request("there-is-no-such-file.csv", "", bins, promise));
        let said = place.run(&["release", "request.toml", "--rehearse"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(said.stdout.contains("REHEARSAL"), "{}", said.stdout);
        assert!(!place.path("ledger.sqlite").exists() && !place.path("out").exists());
        let certificate = std::fs::read_to_string(place.path("out-rehearsal/certificate.json")).expect("a certificate");
        assert!(certificate.contains("\"not_private\": true"), "{certificate}");
        let said = place.run(&["verify", "out-rehearsal"]);
        assert!(said.code == 0 && said.stdout.contains("checks passed"), "{}", said.stdout);
    }
}

#[test]
fn a_known_seed_needs_made_up_data() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    let said = place.run(&["release", "request.toml", "--test-seed", "7"]);
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("synthetic"), "{}", said.stderr);
    place.write("request.toml", request("d.csv", "synthetic = true", TOWNS, PLAIN));
    let mut tables = Vec::new();
    for folder in ["one", "two"] {
        let said = place.run(&["release", "request.toml", "--test-seed", "7", "--folder", folder]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(said.stdout.contains("NOT PRIVATE"), "{}", said.stdout);
        tables.push(std::fs::read(place.path(folder).join("counts.csv")).expect("a table"));
    }
    assert_eq!(tables[0], tables[1]);
    assert!(!place.path("ledger.sqlite").exists());
}
