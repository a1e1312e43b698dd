//! What README says can be typed and read: every command of its code blocks runs, in the order given, after `./demo`;
//! and `docs/commands.md` has every command.

use crate::place::{Place, Said};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../../README.md");
const COMMANDS: &str = include_str!("../../../../docs/commands.md");
const DEMO: &str = include_str!("../../../../demo");

/// A place where `./demo` has run: the same lines, with the binary of this test.
fn after_the_demo() -> (Place, String) {
    let place = Place::new();
    let (_, lines) = DEMO.split_once("folder=demo-salaries\n").expect("a folder");
    let lines: String = lines
        .lines()
        .filter(|line| !line.starts_with("cargo ") && !line.starts_with("incrowd="))
        .map(|line| format!("{line}\n"))
        .collect();
    let binary = env!("CARGO_BIN_EXE_incrowd");
    let script = format!("set -euo pipefail\nincrowd={binary}\nfolder=demo-salaries\n{lines}");
    let output = Command::new("bash").args(["-c", &script]).current_dir(place.path("")).output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    (place, said)
}

/// A line of README, without its comment.
fn words(line: &str) -> Vec<&str> {
    line.split("  #").next().unwrap_or_default().split_whitespace().collect()
}

/// Runs a line of README; nothing where it needs what a test may lack.
fn typed(place: &Place, line: &str) -> Option<Said> {
    let words = words(line);
    match words[..] {
        ["incrowd", ref arguments @ ..] => {
            let said = place.run(arguments);
            assert_eq!(said.code, 0, "{line}: {}", said.stderr);
            Some(said)
        }
        ["python3", "verify.py", ref arguments @ ..] => {
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verify.py");
            let run = Command::new("python3").arg(script).args(arguments).current_dir(place.path("")).output();
            // A machine without Python has the verifier that needs none.
            let output = run.ok()?;
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stdout));
            None
        }
        // What builds and tests everything runs this test.
        ["./demo" | "./test", ..] => None,
        ref other => panic!("README has a line that nobody runs: {other:?}"),
    }
}

/// The commands of README's code blocks, in order, each with what is shown below it.
fn commands() -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    let mut fence: Option<&str> = None;
    for line in README.lines() {
        match (fence, line.strip_prefix("```")) {
            (None, Some(kind)) => fence = Some(kind),
            (Some(_), Some(_)) => fence = None,
            (Some("console"), None) => match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command.to_string(), Vec::new())),
                (None, Some((_, shown))) => shown.push(line.to_string()),
                (None, None) => panic!("{line} is said by nobody"),
            },
            (Some(_), None) => {}
            (None, None) => {
                if let Some(command) = line.strip_prefix("    ").filter(|command| !command.starts_with(' ')) {
                    commands.push((command.to_string(), Vec::new()));
                }
            }
        }
    }
    commands
}

#[test]
fn every_command_works_after_the_demo_in_the_order_given_and_prints_what_is_shown() {
    let (place, _) = after_the_demo();
    place.write("people.csv", format!("town,age\n{}", "Bern,30\nChur,40\n".repeat(1000)));
    let commands = commands();
    assert!(commands.len() >= 11, "{commands:?}");
    let mut shown_lines = 0;
    for (line, shown) in &commands {
        let Some(said) = typed(&place, line) else { continue };
        // Numbers differ from run to run; the rows do not.
        let row =
            |line: &str| line.split(')').next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let rows: Vec<String> = said.stdout.lines().map(row).collect();
        for shown in shown.iter().filter(|line| line.contains("published")) {
            assert!(rows.contains(&row(shown)), "{shown} is not printed by {line}: {}", said.stdout);
            shown_lines += 1;
        }
        for shown in shown.iter().filter(|line| line.starts_with("  ledger  ") || line.starts_with("  delivered  ")) {
            assert!(said.stdout.contains(shown.as_str()), "{shown} is not printed by {line}: {}", said.stdout);
        }
    }
    assert!(shown_lines >= 14, "only {shown_lines} lines were compared");
}

#[test]
fn the_demo_and_the_pages_show_the_managers() {
    let (place, said) = after_the_demo();
    let administration =
        |text: &str| text.lines().filter(|line| line.trim_start().starts_with("Administration")).count();
    // Ten bands on the screen and ten from the file, of each of two releases.
    assert_eq!(administration(&said), 40, "{said}");
    let mut seen = 0;
    for (line, shown) in
        commands().iter().filter(|(line, _)| line.contains("demo-salaries") && line.contains("release"))
    {
        let said = typed(&place, line).expect("a command of incrowd");
        assert_eq!(administration(&said.stdout), 10, "{line}");
        assert!(shown.iter().any(|line| line.contains("Administration")), "{line}");
        seen += 1;
    }
    assert_eq!(seen, 2);
}

#[test]
fn the_table_of_commands_has_every_command_and_no_other() {
    let place = Place::new();
    place.run(&["man", "pages"]);
    let pages = std::fs::read_dir(place.path("pages")).expect("a folder");
    let known: BTreeSet<String> = pages
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".1")?.replace('-', " ")))
        .filter(|name| !["incrowd", "incrowd ledger", "incrowd policy"].contains(&name.as_str()))
        .collect();
    let (_, table) = COMMANDS.split_once("| command | what it does |").expect("a table");
    let (table, _) = table.split_once("\n\n").expect("an end");
    let is_word =
        |word: &&str| !word.starts_with('-') && word.chars().all(|sign| sign.is_ascii_lowercase() || sign == '-');
    let mut listed = BTreeSet::new();
    for cell in table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()) {
        let mut family = String::new();
        for code in cell.split('`').skip(1).step_by(2) {
            let words = code.split_whitespace().take_while(is_word).collect::<Vec<_>>().join(" ").replace('-', " ");
            // `incrowd ledger open`, `policy`: the second is of the same family.
            let full = if words.starts_with("incrowd ") { words } else { format!("{family} {words}") };
            // The longest: `ledger key new` is not `ledger key`.
            let name = known.iter().rev().find(|name| full == **name || full.starts_with(&format!("{name} ")));
            let name = name.unwrap_or_else(|| panic!("{full} is no command"));
            family = name.rsplit_once(' ').map(|(family, _)| family.to_string()).unwrap_or_default();
            listed.insert(name.clone());
        }
    }
    assert_eq!(listed, known);
}
