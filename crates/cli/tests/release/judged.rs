//! Tables that do not mislead: small values by name, letters for what is uncertain, and counts of people who were cut.

use crate::place::{EXACT, PLAIN, Place, TOWNS, request};
use std::fs;

/// Five people in Bern, six in Chur.
fn place(more_data: &str, promise: &str, output: &str) -> Place {
    let place = Place::new();
    let rows: String =
        (0..11).map(|person| format!("{person},{}\n", if person < 5 { "Bern" } else { "Chur" })).collect();
    place.write("d.csv", format!("id,town\n{rows}"));
    place.write("request.toml", format!("{}{output}\n", request("d.csv", more_data, TOWNS, promise)));
    place
}

fn table(place: &Place, folder: &str) -> Vec<String> {
    let text = fs::read_to_string(place.path(folder).join("counts.csv")).expect("a table");
    text.lines().map(String::from).collect()
}

#[test]
fn small_values_are_shown_by_name_and_a_rendering_takes_the_name_off_again() {
    let place = place("", EXACT, "small = \"fewer than 6\"");
    let said = place.released();
    assert!(said.stdout.contains("fewer than 6"), "{}", said.stdout);
    let delivered = table(&place, "out");
    assert_eq!(
        delivered,
        ["town,count,low,high,status,shown,quality", "Bern,5,5,5,published,fewer than 6,A", "Chur,6,6,6,published,6,A"]
    );
    let said = place.run(&["render", "out", "--to", "plain", "--small", "none", "--quality", "false"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(table(&place, "plain")[1..], ["Bern,5,5,5,published", "Chur,6,6,6,published"]);
    for (to, small) in [("same", "6"), ("again", "fewer than 6")] {
        let said = place.run(&["render", "plain", "--to", to, "--small", small, "--quality"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert_eq!(table(&place, to), delivered);
    }
    let said = place.run(&["verify", "again", "--parent", "plain"]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
}

#[test]
fn limits_that_are_none_are_refused_and_nothing_is_made() {
    let place = place("", EXACT, "");
    place.released();
    for small in ["0", "1", "-6", "6.5", "fewer than x", "up to 5", "<6", "1000000000001", ""] {
        let said = place.run(&["render", "out", "--to", "new", &format!("--small={small}")]);
        assert_eq!(said.code, 2, "{small}: {}", said.stdout);
        assert!(said.stderr.contains("--small \"fewer than 6\""), "{small}: {}", said.stderr);
    }
    let said = place.run(&["render", "out", "--to", "new", "--small", "6", "--rounding", "5"]);
    assert_eq!(said.code, 2, "{}", said.stdout);
    assert!(said.stderr.contains("would be rounded to a small one"), "{}", said.stderr);
    assert!(!place.path("new").exists());
}

#[test]
fn rows_have_nothing_small_and_nothing_is_charged() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\nBern\n");
    let rows = "release = \"rows\"\n[data]\nsource = \"d.csv\"\n[[columns]]\nname = \"town\"\ncolumn = \"town\"\nkeep = true\n[promise]\nkind = \"crowd-blending\"\ncrowd = 2\nepsilon = 0\n[ledger]\ndataset = \"people\"\n[output]\nfolder = \"out\"\n";
    place.write("request.toml", format!("{rows}small = 6\n"));
    let said = place.release();
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stderr.contains("`small` is for counts, and this release publishes none"), "{}", said.stderr);
    assert!(!place.path("ledger.sqlite").exists() || place.events().is_empty(), "something was charged");
    place.write("request.toml", rows);
    place.released();
}

#[test]
fn people_who_may_have_been_cut_are_counted_and_not_a_count() {
    let place = place("person = \"id\"", PLAIN, "");
    let said = place.released();
    assert!(said.stdout.contains("counted"), "{}", said.stdout);
    let flat = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("a person is counted in at most 1 of her bins, however many she has"), "{flat}");
    assert_eq!(table(&place, "out")[0], "town,counted,low,high,status,quality");
    for like in ["out", "out/counts.csv"] {
        let said = place.run(&["plan", "request.toml", "--like", like]);
        assert_eq!(said.code, 0, "{}", said.stderr);
    }
    assert_eq!(place.run(&["verify", "out"]).code, 0);
    let said = place.run(&["export", "out", "--as", "registry"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
}

#[test]
fn uncertain_values_have_words_on_the_screen() {
    // Among eleven people with such noise intervals begin at 0; a known seed draws no rare value.
    let place = place("synthetic = true", "kind = \"differential-privacy\"\nepsilon = \"1/100\"", "");
    let said = place.run(&["release", "request.toml", "--test-seed", "7"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("read as") && said.stdout.contains("at most "), "{}", said.stdout);
    let rows = table(&place, "out");
    assert!(rows[1..].iter().all(|row| row.ends_with(",F")), "{rows:?}");
}
