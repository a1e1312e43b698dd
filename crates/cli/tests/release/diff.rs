//! `incrowd diff` from end to end: free, verified, and never of folders that cannot be compared.

use crate::place::{PLAIN, Place, TOWNS, request};
use serde_json::Value;
use std::fs;

/// A place with two deliveries of one table: Bern grows from 70 to 500 people.
fn place() -> Place {
    let place = Place::new();
    for (name, people) in [("2025", 70), ("2026", 500)] {
        place.write(&format!("{name}.csv"), format!("town\n{}Chur\n", "Bern\n".repeat(people)));
        let file = format!("{name}.csv");
        let text = request(&file, "", TOWNS, PLAIN).replace("snapshot = \"2026\"", &format!("snapshot = \"{name}\""));
        place.write(&format!("{name}.toml"), text);
        let said = place.run(&["release", &format!("{name}.toml"), "--folder", name, "--quiet"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        fs::remove_file(place.path(&file)).expect("no data is needed");
    }
    place
}

#[test]
fn a_comparison_is_free_and_says_what_is_more_than_noise() {
    let place = place();
    let book = fs::read(place.path("ledger.sqlite")).expect("a book");
    let said = place.run(&["diff", "2025", "2026"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("yes, more") && said.stdout.contains("at most 5 % in all"), "{}", said.stdout);
    let said = place.run(&["diff", "2025", "2026", "--format", "json"]);
    let object: Value = serde_json::from_str(&said.stdout).expect("an object");
    assert_eq!((object["command"].as_str(), object["relation"].as_str()), (Some("diff"), Some("same")));
    let bern = object["cells"].as_array().expect("cells").iter().find(|cell| cell["key"][0]["label"] == "Bern");
    let bern = bern.expect("a cell");
    assert_eq!(bern["verdict"], "up");
    let end = |end: &str| bern[end].as_str().expect("a number").parse::<i64>().expect("a number");
    assert!(end("low") < 430 + 60 && end("high") > 430 - 60 && end("low") > 0, "{bern}");
    for (name, begins) in [("a.csv", "town,old,new,"), ("a.json", "{"), ("a.html", "<!doctype html>"), ("a.txt", "")] {
        let said = place.run(&["diff", "2025", "2026", "--only-changed", "--to", name]);
        assert_eq!((said.code, said.stdout.as_str()), (0, ""), "{}", said.stderr);
        let text = fs::read_to_string(place.path(name)).expect("a file");
        assert!(text.to_lowercase().starts_with(begins) && text.contains("Bern"), "{text}");
        assert!(!text.contains('\u{1b}'), "no escape codes in files");
    }
    assert_eq!(place.run(&["diff", "2025", "2026", "--to", "a.csv"]).code, 2, "files are not overwritten");
    let said = place.run(&["diff", "2025", "2026", "--format", "html"]);
    assert!(said.code == 0 && said.stdout.contains("yes, more"), "{}", said.stdout);
    assert_eq!(fs::read(place.path("ledger.sqlite")).expect("a book"), book, "the ledger is not touched");
}

#[test]
fn folders_that_cannot_be_compared_end_with_one_and_those_that_cannot_be_read_with_two() {
    let place = place();
    assert_eq!(place.run(&["diff", "2025", "nowhere"]).code, 2);
    assert_eq!(place.run(&["diff", "2025", "2026", "--periods", "1"]).code, 2);
    assert_eq!(place.run(&["diff", "2025", "2026", "--periods", "1,2"]).code, 2);
    let said = place.run(&["diff", "2025", "2025"]);
    assert!(said.code == 0 && said.stdout.contains("the same draw"), "{}", said.stdout);
    let table = place.path("2026/counts.csv");
    let forged = fs::read_to_string(&table).expect("a table").replace("Bern,", "Bern,1");
    fs::write(table, forged).expect("written");
    let said = place.run(&["diff", "2025", "2026"]);
    assert!(said.code == 1 && said.stderr.contains("NEW does not verify"), "{}", said.stderr);
}
