//! The mark of a state that was looked at: said at a terminal, and no value in it.

use super::{check, towns};
use crate::place::Place;
#[cfg(target_os = "linux")]
use crate::question::at_a_terminal;

/// The file with the marks.
fn marks(place: &Place) -> String {
    std::fs::read_to_string(place.path("home/incrowd/checked")).unwrap_or_default()
}

#[test]
fn a_mark_is_a_hash_and_a_word() {
    let place = towns("town\nBern\nBern\n", "");
    check(&place);
    let first = marks(&place);
    let (hash, word) = first.trim_end().split_once(' ').expect("two words");
    assert!(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{first}");
    assert_eq!(word, "passed");
    check(&place);
    assert_eq!(marks(&place), first, "the same state is one line");
    place.write("d.csv", "town\nParis\nParis\n");
    check(&place);
    assert!(marks(&place).lines().any(|line| line.ends_with(" not-passed")), "{}", marks(&place));
    place.write("d.csv", "town\nBern\nBern\nParis\n");
    check(&place);
    assert!(marks(&place).lines().any(|line| line.ends_with(" loses")), "{}", marks(&place));
    assert_eq!(place.run(&["check", "request.toml", "--most-lost", "40%"]).code, 0);
    assert!(marks(&place).lines().any(|line| line.ends_with(" passed-with-more")), "{}", marks(&place));
}

#[cfg(target_os = "linux")]
#[test]
fn a_release_at_a_terminal_says_when_nobody_looked() {
    let place = towns("town\nBern\nBern\n", "");
    let note = "this state of d.csv was not checked; `incrowd check request.toml` charges nothing";
    let release = |place: &Place, folder: &str| {
        let (code, screen) = at_a_terminal(place, &["release", "request.toml", "--folder", folder], b"y\n");
        assert_eq!(code, 0, "{screen}");
        screen
    };
    assert!(release(&place, "one").contains(note));
    std::fs::remove_file(place.path("ledger.sqlite")).expect("a new book");
    check(&place);
    assert!(!release(&place, "two").contains("this state of"), "it was checked");
    std::fs::remove_file(place.path("ledger.sqlite")).expect("a new book");
    place.write("d.csv", "town\nBern\nBern\nParis\n");
    assert!(release(&place, "three").contains(note), "another state");
    std::fs::remove_file(place.path("ledger.sqlite")).expect("a new book");
    check(&place);
    assert!(release(&place, "four").contains("was checked and did not pass: more people would be lost than its"));
    // Who has allowed it said so, and is told no more than that.
    std::fs::remove_file(place.path("ledger.sqlite")).expect("a new book");
    assert_eq!(place.run(&["check", "request.toml", "--most-lost", "40%"]).code, 0);
    let screen = release(&place, "five");
    assert!(screen.contains("was checked with a larger --most-lost or --most-cut than usual"), "{screen}");
}

#[test]
fn without_a_terminal_nothing_is_said_of_it() {
    let place = towns("town\nBern\nBern\n", "");
    let said = place.released();
    assert!(!said.stderr.contains("not checked"), "{}", said.stderr);
}
