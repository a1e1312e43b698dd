//! `verify` and `ledger show` as pages for browsers, also of names that would rather act than be seen.

use crate::browser::{same_words, words};
use crate::place::{PLAIN, Place, TOWNS, request};

#[test]
fn a_verdict_and_an_account_are_pages_for_browsers() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place.released();
    for arguments in [&["verify", "out"][..], &["ledger", "show"]] {
        let of = |format| place.run(&[arguments, &["--format", format]].concat());
        let (text, html) = (of("text"), of("html"));
        assert_eq!((text.code, html.code), (0, 0), "{}", html.stderr);
        same_words(&text.stdout, &html.stdout);
    }
    place.write("out/counts.csv", "forged");
    let html = place.run(&["verify", "out", "--format", "html"]);
    assert_eq!(html.code, 1, "a page changes no exit code");
    assert!(words(&html.stdout).contains(&"WRONG".to_string()) && !html.stdout.contains("checks passed"));
}

#[test]
fn a_hostile_folder_neither_speaks_to_a_terminal_nor_becomes_markup() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place.released();
    let name = "out\u{1b}[31m\u{202e}<b>&\u{9b}x";
    std::fs::rename(place.path("out"), place.path(name)).expect("another name");
    let (text, html) = (place.run(&["verify", name]), place.run(&["verify", name, "--format", "html"]));
    assert!(text.stdout.starts_with("Certificate of out\u{fffd}[31m\u{fffd}<b>&\u{fffd}x\n"), "{}", text.stdout);
    words(&html.stdout);
    assert!(html.stdout.contains("<h1>Certificate of out\u{fffd}[31m\u{fffd}&lt;b&gt;&amp;\u{fffd}x</h1>"));
}

#[test]
fn a_missing_value_has_its_name_on_the_screen_as_in_the_table() {
    let place = Place::new();
    place.write("d.csv", "id,town\n1,Bern\n2,\n");
    let bins = format!("{TOWNS}nulls = \"bin\"\n");
    place.write("request.toml", request("d.csv", "", &bins, PLAIN));
    let said = place.released();
    let lines = said.stdout.lines().filter(|line| line.trim_start().starts_with("(missing) "));
    assert_eq!(lines.count(), 1, "{}", said.stdout);
    let table = std::fs::read_to_string(place.path("out/counts.csv")).expect("a table");
    assert!(table.contains("\n(missing),"), "{table}");
}
