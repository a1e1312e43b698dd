//! The question before a release, of what it spends and whether it would show anything: asked at a terminal, noted
//! elsewhere, and never charged for where the answer is no.

use crate::place::{FOUND_TOWNS, PLAIN, Place, TOWNS, WITH_DELTA, request};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, Stdio};

/// Half of the bins of 204 people show.
const STRICT: &str = "kind = \"differential-privacy\"\nepsilon = \"1/20\"\ndelta = \"1e-6\"";
const ASKED: &str = "[y/N]";

fn place(promise: &str) -> Place {
    let place = Place::new();
    place.write("d.csv", format!("town\n{}", "Bern\n".repeat(50)));
    place.write("request.toml", request("d.csv", "", FOUND_TOWNS, promise));
    place
}

/// The binary at a terminal of its own.
pub struct AtATerminal {
    child: Child,
    keyboard_and_screen: File,
    shown: Vec<u8>,
}

impl AtATerminal {
    /// Starts the binary.
    pub fn start(place: &Place, arguments: &[&str]) -> AtATerminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal");
        let name = ptsname(&master, Vec::new()).expect("a name");
        let name = std::ffi::OsStr::from_bytes(name.as_bytes());
        let screen = || OpenOptions::new().read(true).write(true).open(name).expect("a terminal");
        let mut command = place.command(arguments);
        command.stdin(Stdio::from(screen())).stdout(Stdio::from(screen())).stderr(Stdio::from(screen()));
        let child = command.spawn().expect("the binary starts");
        // The command kept its ends of the terminal open until here: without it, reading ends with the process.
        AtATerminal { child, keyboard_and_screen: File::from(master), shown: Vec::new() }
    }

    /// Types.
    pub fn type_in(&mut self, typed: &[u8]) {
        self.keyboard_and_screen.write_all(typed).expect("somebody types");
    }

    /// Reads on until this is on the screen.
    pub fn wait_for(&mut self, words: &str) {
        while !String::from_utf8_lossy(&self.shown).contains(words) {
            assert!(self.read_on(), "{words}: {}", String::from_utf8_lossy(&self.shown));
        }
    }

    /// Stops it from outside: not by the signal of Ctrl-C, which is ignored by whatever a script starts in the
    /// background, this test among it.
    pub fn stop(&mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("a signal").success());
    }

    /// Returns the exit code, -1 after a signal, and all that is on the screen.
    pub fn end(mut self) -> (i32, String) {
        while self.read_on() {}
        let code = self.child.wait().expect("the binary ends").code().unwrap_or(-1);
        (code, String::from_utf8_lossy(&self.shown).into_owned())
    }

    /// At the end of the last process a terminal gives an error instead of an end.
    fn read_on(&mut self) -> bool {
        let mut some = [0; 4096];
        let Ok(read @ 1..) = self.keyboard_and_screen.read(&mut some) else { return false };
        self.shown.extend_from_slice(&some[..read]);
        true
    }
}

/// Runs the binary at a terminal at which somebody types this; returns the exit code and all that is on the screen.
pub fn at_a_terminal(place: &Place, arguments: &[&str], typed: &[u8]) -> (i32, String) {
    let mut terminal = AtATerminal::start(place, arguments);
    terminal.type_in(typed);
    terminal.end()
}

#[test]
fn no_charges_nothing() {
    for typed in [&b"n\n"[..], b"\n", b"what?\n", b"\x04"] {
        let place = place(STRICT);
        let (code, screen) = at_a_terminal(&place, &["release", "request.toml"], typed);
        assert_eq!(code, 1, "{screen}");
        let (said, _) = screen.split_once(ASKED).expect("a question");
        assert!(
            said.contains("bins show from about ") && said.contains("this release charges epsilon 1/20, delta "),
            "{said}"
        );
        assert!(screen.contains("nothing was charged"), "{screen}");
        assert!(place.events().is_empty() && !place.path("out").exists(), "{:?}", place.events());
    }
}

#[test]
fn yes_is_charged_and_delivered() {
    let place = place(STRICT);
    let (code, screen) = at_a_terminal(&place, &["release", "request.toml"], b"y\n");
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains(ASKED), "{screen}");
    // What the screen says of an empty release is where bins would have shown.
    assert!(screen.contains("nothing was shown") && screen.matches("bins show").count() == 2, "{screen}");
    assert_eq!(place.events(), ["open", "charge", "delivered"]);
}

#[test]
fn who_says_yes_beforehand_is_not_asked() {
    let place = place(STRICT);
    let (code, screen) = at_a_terminal(&place, &["release", "request.toml", "--yes"], b"");
    assert_eq!(code, 0, "{screen}");
    assert!(!screen.contains(ASKED) && screen.contains("note:"), "{screen}");
}

#[test]
fn nobody_is_asked_about_what_is_refused_anyway() {
    let place = place(STRICT);
    assert_eq!(place.run(&["release", "request.toml", "--quiet"]).code, 0);
    let (code, screen) = at_a_terminal(&place, &["release", "request.toml", "--replace"], b"");
    assert_eq!(code, 1, "{screen}");
    assert!(!screen.contains(ASKED) && screen.contains("--again"), "{screen}");
}

#[test]
fn machines_are_not_asked_at_a_terminal_either() {
    let place = place(STRICT);
    let (code, screen) = at_a_terminal(&place, &["release", "request.toml", "--format", "json"], b"");
    assert_eq!(code, 0, "{screen}");
    assert!(!screen.contains(ASKED) && screen.contains("\"note\""), "{screen}");
}

#[test]
fn scripts_get_a_note_and_are_not_asked() {
    for (more, note) in [(&[][..], true), (&["--yes"], true), (&["--quiet"], false), (&["--rehearse"], false)] {
        let place = place(STRICT);
        let said = place.run(&[&["release", "request.toml"], more].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(!said.stderr.contains(ASKED), "{}", said.stderr);
        assert_eq!(said.stderr.contains("note: bins show from about"), note, "{}", said.stderr);
    }
    let place = place(STRICT);
    let said = place.run(&["release", "request.toml", "--format", "json"]);
    let note: serde_json::Value =
        serde_json::from_str(said.stderr.lines().next().expect("a note")).expect("an object for machines");
    assert!(note["note"].as_str().is_some_and(|note| note.contains("bins show from about")), "{note}");
}

#[test]
fn a_release_that_shows_something_says_what_it_spends_and_asks_once() {
    let place = place(WITH_DELTA);
    let (code, screen) = at_a_terminal(&place, &["release", "request.toml"], b"n\n");
    assert_eq!(code, 1, "{screen}");
    assert_eq!(screen.matches(ASKED).count(), 1, "{screen}");
    let said = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    let ledger = place.path("ledger.sqlite").display().to_string();
    let spent = format!(
        "this release charges epsilon 1, delta 1 in a million to account people in {ledger} (it is not open, and would \
         have no limit) and delivers out"
    );
    assert!(said.contains(&spent), "{said}");
    assert!(place.events().is_empty() && !place.path("out").exists(), "{:?}", place.events());
    assert_eq!(place.run(&["ledger", "open", "people", "--epsilon", "3", "--delta", "1e-5"]).code, 0);
    let (code, screen) = at_a_terminal(&place, &["release", "request.toml"], b"y\n");
    assert_eq!(code, 0, "{screen}");
    assert_eq!(screen.matches(ASKED).count(), 1, "{screen}");
    let said = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("(left there: epsilon 3 of 3, delta 1 in 100,000 of 1 in 100,000)"), "{said}");
    assert_eq!(place.events(), ["open", "charge", "delivered"]);
}

#[test]
fn nobody_is_asked_about_what_costs_nothing_that_lasts() {
    for more in [&["--rehearse"][..], &["--test-seed", "7"], &["--ledger", ":memory:"]] {
        let place = place(WITH_DELTA);
        place.write("declared.toml", request("d.csv", "synthetic = true", TOWNS, PLAIN));
        let (code, screen) = at_a_terminal(&place, &[&["release", "declared.toml"], more].concat(), b"");
        assert_eq!(code, 0, "{screen}");
        assert!(!screen.contains(ASKED), "{screen}");
    }
}

#[test]
fn sizes_that_are_given_know_better() {
    let tiny = place(WITH_DELTA);
    tiny.write("sizes.csv", "3\n".repeat(40));
    let (code, screen) = at_a_terminal(&tiny, &["release", "request.toml", "--like", "sizes.csv"], b"n\n");
    assert_eq!(code, 1, "{screen}");
    assert!(screen.contains("of 40 bins about 0 will be shown") && tiny.events().is_empty(), "{screen}");
    let large = place(STRICT);
    large.write("sizes.csv", "count\n5000\n6000\n");
    let (code, screen) = at_a_terminal(&large, &["release", "request.toml", "--like", "sizes.csv"], b"y\n");
    assert_eq!(code, 0, "{screen}");
    let (before, _) = screen.split_once(ASKED).expect("a question");
    assert!(!before.contains("hardly anything") && !before.contains("bins show"), "{screen}");
    let wrong = place(WITH_DELTA);
    wrong.write("declared.toml", request("d.csv", "", TOWNS, WITH_DELTA));
    wrong.write("sizes.csv", "1\n2\n3\n");
    let said = wrong.run(&["release", "declared.toml", "--like", "sizes.csv"]);
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("3 sizes") && wrong.events().is_empty(), "{}", said.stderr);
}
