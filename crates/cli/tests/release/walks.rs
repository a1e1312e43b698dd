//! The walks of `docs/walks`: each is typed again from its first command to its last, and prints what is shown.
//!
//! Draws differ from run to run, so numbers of a walk are compared by their place and never by their value; words,
//! names and the order of lines are compared as they are. It is separate because a walk is a document that people
//! read. `SNAPSHOTS=overwrite` writes what was printed into the walk, and a reviewer reads the difference.

use crate::place::Place;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a total adds up over.
const ALL: &str = "(all)";

/// A command of a walk, and what is shown below it.
struct Step {
    command: String,
    shown: Vec<String>,
    /// Where the shown lines stand in the document: from, and up to.
    lines: (usize, usize),
}

fn walks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/walks")
}

/// Returns the commands of blocks that begin with `console`, in order.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        match (inside, line) {
            (false, "```console") => inside = true,
            (true, "```") => inside = false,
            (false, _) => {}
            (true, line) => match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => {
                    steps.push(Step { command: command.into(), shown: vec![], lines: (number + 1, number + 1) })
                }
                (None, Some(step)) => {
                    step.shown.push(line.into());
                    step.lines.1 = number + 1;
                }
                (None, None) => panic!("{line} is said by nobody"),
            },
        }
    }
    steps
}

/// Returns the words of a line: quotes keep blanks together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in command.split('"').enumerate() {
        match place % 2 {
            0 => words.extend(part.split_whitespace().map(String::from)),
            _ => words.push(part.into()),
        }
    }
    words
}

/// Returns the words of lines with every number, hash and time as the same sign: where a line is broken hangs on them.
fn shape(lines: &[String]) -> Vec<String> {
    let is_number = |word: &str| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        digits > 0 && word.chars().all(|c| c.is_ascii_hexdigit() || ".,-:;TZ+%()[]".contains(c))
    };
    let words = lines.iter().flat_map(|line| line.split_whitespace());
    words.map(|word| if is_number(word) { "#".into() } else { word.to_string() }).collect()
}

/// Whether what is shown is what was printed; a line `...` stands for anything that is left out.
fn is_shown(shown: &[String], printed: &[String]) -> Result<(), String> {
    let parts: Vec<Vec<String>> = shown.split(|line| line.trim() == "...").map(shape).collect();
    let printed = shape(printed);
    let mut rest = printed.as_slice();
    for (place, part) in parts.iter().enumerate() {
        let is_last = place + 1 == parts.len();
        let at = match (place, is_last) {
            (0, _) => rest.starts_with(part).then_some(0),
            (_, true) => rest.ends_with(part).then(|| rest.len() - part.len()),
            (_, false) => (0..=rest.len().saturating_sub(part.len())).find(|at| rest[*at..].starts_with(part)),
        };
        let Some(at) = at else { return Err(part.join(" ")) };
        rest = &rest[at + part.len()..];
        if is_last && !rest.is_empty() {
            return Err(format!("{} is printed and not shown", rest.join(" ")));
        }
    }
    Ok(())
}

/// Types a walk again, and returns the folder that it leaves.
fn walk(name: &str) -> Place {
    let path = walks().join(name);
    let text = std::fs::read_to_string(&path).expect("a walk");
    let place = Place::new();
    let overwrite = std::env::var("SNAPSHOTS").is_ok_and(|how| how == "overwrite");
    let mut written: Vec<String> = text.lines().map(String::from).collect();
    let mut moved = 0isize;
    let folder = format!("{}/", place.path("").to_str().expect("a path").trim_end_matches('/'));
    let steps = steps(&text);
    assert!(steps.len() >= 4, "{name} has {} commands", steps.len());
    for step in &steps {
        let words = words(&step.command);
        let Some(("incrowd", arguments)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) else {
            panic!("{name} has a line that nobody runs: {}", step.command);
        };
        let said = place.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(said.code, 0, "{name}, {}: {}", step.command, said.stderr);
        // Names are told from the folder on in which somebody types.
        let here = |line: &str| line.replace(&folder, "").trim_end().to_string();
        let printed: Vec<String> = said.stderr.lines().chain(said.stdout.lines()).map(here).collect();
        if let Err(line) = is_shown(&step.shown, &printed) {
            assert!(overwrite, "{name}, {}: {line}\n\nprinted:\n{}", step.command, printed.join("\n"));
            let (from, to) = step.lines;
            let at = |line: usize| line.saturating_add_signed(moved);
            written.splice(at(from)..at(to), printed.iter().cloned());
            moved += printed.len() as isize - (to - from) as isize;
        }
    }
    if overwrite {
        std::fs::write(&path, written.join("\n") + "\n").expect("written");
    }
    place
}

/// Returns how many commands of a walk are needed before somebody holds its result, without the one that makes up data.
fn commands(name: &str) -> usize {
    let text = std::fs::read_to_string(walks().join(name)).expect("a walk");
    steps(&text).iter().filter(|step| !step.command.starts_with("incrowd example")).count()
}

#[test]
fn the_hospitals_rule_from_a_file_to_a_report() {
    walk("hospital.md");
    assert!(commands("hospital.md") <= 6, "{} commands", commands("hospital.md"));
}

#[test]
fn linked_tables_add_up_in_every_region_and_for_every_diagnosis() {
    let place = walk("linked-tables.md");
    let mut reader = csv::Reader::from_path(place.path("clinic/linked/consistent.csv")).expect("a table");
    let headings = reader.headers().expect("headings").clone();
    let at = |name: &str| headings.iter().position(|heading| heading == name).expect("a column");
    let (diagnosis, region, number) = (at("diagnosis"), at("region"), at("consistent"));
    let (mut totals, mut sums) = (BTreeMap::new(), BTreeMap::new());
    for row in reader.records().map(|row| row.expect("a row")) {
        let count: u64 = row[number].parse().expect("a whole number that is not below zero");
        let key = (row[diagnosis].to_string(), row[region].to_string());
        if key.0 == "(all)" || key.1 == "(all)" {
            totals.insert(key, count);
        } else {
            for sum in [(ALL, key.1.as_str()), (key.0.as_str(), ALL), (ALL, ALL)] {
                *sums.entry((sum.0.to_string(), sum.1.to_string())).or_insert(0) += count;
            }
        }
    }
    assert_eq!(totals.len(), 4 + 11 + 1, "four regions, ten chapters and the others, and all");
    assert_eq!(totals, sums);
}

#[test]
fn the_loss_of_keywords_is_known_before() {
    walk("keywords.md");
}

#[test]
fn a_line_that_is_not_printed_is_found_out() {
    let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
    let printed = lines("  Sales  31 0 102\n  Mines  4 0 101\ndone");
    assert!(is_shown(&lines("Sales 77 0 99\n...\ndone"), &printed).is_ok());
    assert!(is_shown(&lines("Sales 77 0 99\nMines 1 1 1\ndone"), &printed).is_ok());
    assert!(is_shown(&lines("Sales 77\n0 99 Mines\n...\n101 done"), &printed).is_ok(), "broken elsewhere");
    for wrong in ["Sales 77 0 99", "Sales 77 0 99 5\n...", "Sales 77 0 99\n...\nMore", "Towns 77 0 99\n..."] {
        assert!(is_shown(&lines(wrong), &printed).is_err(), "{wrong}");
    }
}
