//! What every command prints, kept as pages: a change of a word, a number or a file shows as a difference.
//!
//! Releases are drawn from a known seed on the made-up data of `tests/kinds`, so that a page has every byte but times,
//! folders and hashes that hang on a time; a number is never left out. It is separate so that each command's pages are
//! one file. Read `pages/kinds.rs` next.

mod book;
mod folders;
mod kinds;
mod like;
mod presented;
mod rejections;

use crate::kept::kept;
use crate::place::{Place, Said};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The requests of `tests/kinds`, one for each kind of release and for each way that a report differs.
pub(crate) const KINDS: [&str; 11] =
    ["histogram", "series", "top", "rows", "points", "pairs", "sampled", "collected", "relay", "staircase", "crowd"];

fn kinds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kinds")
}

/// A folder with the requests of every kind and their data.
pub(crate) fn place() -> Place {
    let place = Place::new();
    for entry in std::fs::read_dir(kinds()).expect("a folder") {
        let path = entry.expect("an entry").path();
        place.write(
            path.file_name().and_then(|name| name.to_str()).expect("a name"),
            std::fs::read(&path).expect("a file"),
        );
    }
    place
}

/// A page of runs in one folder, and the texts that are never the same again with the names they get instead.
struct Page<'p> {
    place: &'p Place,
    text: String,
    names: Vec<(String, String)>,
}

impl<'p> Page<'p> {
    fn of(place: &'p Place) -> Self {
        let folder = place.path("");
        let folder = folder.to_str().expect("a path").trim_end_matches('/').to_string();
        Page { place, text: String::new(), names: vec![(folder, "FOLDER".into())] }
    }

    /// Runs the binary, and writes down what it said and how it ended.
    fn run(&mut self, arguments: &[&str], code: i32) -> Said {
        let said = self.place.run(arguments);
        assert_eq!(said.code, code, "{arguments:?}: {}{}", said.stdout, said.stderr);
        let shown: Vec<String> = arguments
            .iter()
            .map(|each| if each.contains(' ') { format!("\"{each}\"") } else { (*each).into() })
            .collect();
        writeln!(self.text, "$ incrowd {}", shown.join(" ")).expect("a string takes all");
        self.text.push_str(&said.stdout);
        for line in said.stderr.lines() {
            writeln!(self.text, "! {line}").expect("a string takes all");
        }
        writeln!(self.text, "exit {}\n", said.code).expect("a string takes all");
        said
    }

    /// Writes a file down.
    fn file(&mut self, name: &str) {
        let content = std::fs::read_to_string(self.place.path(name)).expect("a text");
        writeln!(self.text, "=== {name}\n{content}").expect("a string takes all");
    }

    /// Writes a title down.
    fn title(&mut self, title: &str) {
        writeln!(self.text, "=== {title}").expect("a string takes all");
    }

    /// Gives names to the hashes of a certificate that hang on the time of its charge.
    fn name_charge_of(&mut self, folder: &str) {
        let certificate = certificate(self.place, folder);
        self.name(&certificate["ledger"]["head"], "HASH-OF-THE-CHARGE");
        self.name(&certificate["ledger"]["charge_id"], "CHARGE");
    }

    /// Gives names to all hashes of the book that hang on a time or on chance: what was counted and planned keeps its
    /// own.
    fn name_book(&mut self) {
        let said = self.place.run(&["ledger", "history", "--format", "json"]);
        let object: Value = serde_json::from_str(&said.stdout).expect("JSON");
        for entry in object["entries"].as_array().expect("a list") {
            let seq = entry["seq"].as_u64().expect("a number");
            let time = entry["time"].as_str().expect("a moment");
            let (day, minute) = (&time[..10], &time[11..16]);
            self.name(&entry["time"], "YYYY-MM-DDThh:mm:ssZ");
            self.names.push((format!("{day} {minute} UTC"), "YYYY-MM-DD hh:mm UTC".into()));
            for (before, behind) in [("  ", "  "), ("<th scope=\"row\">", "</th>")] {
                self.names.push((format!("{before}{day}{behind}"), format!("{before}YYYY-MM-DD{behind}")));
            }
            for field in ["user", "host", "nonce"] {
                if let Some(text) = entry["provenance"][field].as_str() {
                    let shown = |text: &str| format!("\"{field}\": \"{text}\"");
                    self.names.push((shown(text), shown(&field.to_uppercase())));
                }
            }
            if let (Some(user), Some(host)) =
                (entry["provenance"]["user"].as_str(), entry["provenance"]["host"].as_str())
            {
                self.names.push((format!(",{user},{host},"), ",USER,HOST,".into()));
                self.names.push((format!("user is {user} on {host}"), "user is USER on HOST".into()));
            }
            self.name(&entry["hash"], &format!("HASH-OF-ENTRY-{seq}"));
            self.name(&entry["event"]["certificate_hash"], &format!("CERTIFICATE-OF-ENTRY-{seq}"));
            self.name_key(&entry["event"]["terms"]["signed_by"], &format!("KEY-OF-ENTRY-{seq}"));
            self.name(&entry["event"]["signature"], &format!("SIGNATURE-OF-ENTRY-{seq}"));
            if ["open", "policy"].contains(&entry["event"]["kind"].as_str().expect("a kind")) {
                let short = entry["hash"].as_str().expect("a hash")[..12].to_string();
                self.names.push((short, format!("ENTRY-{seq:06}")));
            }
            if entry["event"]["kind"] == "charge" {
                self.name(&entry["charge_id"], &format!("CHARGE-{seq}"));
                // Tables show the beginning: a name of the same width.
                let short = entry["charge_id"].as_str().expect("a name")[..12].to_string();
                self.names.push((short, format!("CHARGE-{seq:05}")));
            }
        }
    }

    /// Gives names to a key and to its beginning, of the same width.
    fn name_key(&mut self, value: &Value, name: &str) {
        if let Some(value) = value.as_str() {
            self.names.push((value.to_string(), name.to_string()));
            self.names.push((value.chars().take(16).collect(), format!("{name:-<16.16}")));
        }
    }

    fn name(&mut self, value: &Value, name: &str) {
        if let Some(value) = value.as_str() {
            self.names.push((value.to_string(), name.to_string()));
        }
    }

    /// Compares the page with the one that is kept.
    fn check(self, name: &str) {
        kept(name, &named(&self.text, &self.names));
    }

    /// Compares a file with the one that is kept.
    fn check_file(&self, file: &str, name: &str) {
        let text = std::fs::read_to_string(self.place.path(file)).expect("a text");
        kept(name, &named(&text, &self.names));
    }
}

pub(crate) fn certificate(place: &Place, folder: &str) -> Value {
    let text = std::fs::read_to_string(place.path(folder).join("certificate.json")).expect("a certificate");
    serde_json::from_str(&text).expect("JSON")
}

fn named(text: &str, names: &[(String, String)]) -> String {
    // The longer one first: the name of a charge is how its hash begins.
    let mut names: Vec<_> = names.iter().collect();
    names.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
    without_times(&names.into_iter().fold(text.to_string(), |text, (from, to)| text.replace(from.as_str(), to)))
}

/// Puts a text of the same width in the place of each moment.
fn without_times(text: &str) -> String {
    const SHAPE: &[u8] = b"dddd-dd-ddTdd:dd:ddZ";
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("T").map(|found| found.saturating_sub(10)) {
        let here = rest.as_bytes()[at..].get(..SHAPE.len());
        let is_moment = here.is_some_and(|here| {
            here.iter()
                .zip(SHAPE)
                .all(|(byte, shape)| if *shape == b'd' { byte.is_ascii_digit() } else { byte == shape })
        });
        let (taken, said) = match is_moment {
            true => (at + SHAPE.len(), "YYYY-MM-DDThh:mm:ssZ"),
            false => (rest.find('T').map_or(rest.len(), |found| found + 1), ""),
        };
        shown.push_str(if is_moment { &rest[..at] } else { &rest[..taken] });
        shown.push_str(said);
        rest = &rest[taken..];
    }
    shown + rest
}

#[test]
fn every_request_of_the_kinds_has_a_page() {
    let entries = std::fs::read_dir(kinds()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<String> = entries
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| path.file_stem().and_then(|name| name.to_str()).expect("a name").to_string())
        .collect();
    let mut named = KINDS.map(String::from);
    found.sort();
    named.sort();
    assert_eq!(found, named);
}

#[test]
fn moments_are_the_only_times_that_are_left_out() {
    assert_eq!(
        without_times("at 2026-11-18T04:13:04Z, Tea <2026-11-18T04:13:04Z> T 2026-11-18"),
        "at YYYY-MM-DDThh:mm:ssZ, Tea <YYYY-MM-DDThh:mm:ssZ> T 2026-11-18"
    );
}
