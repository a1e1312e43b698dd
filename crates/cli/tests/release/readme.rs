//! What README says can be typed and read.

use crate::place::Place;

const README: &str = include_str!("../../../../README.md");
const DEMO: &str = include_str!("../../../../demo");

/// Runs a line of README.
fn typed(place: &Place, line: &str) -> String {
    let line = line.split("  #").next().unwrap_or_default().trim();
    let arguments: Vec<&str> = line.strip_prefix("incrowd ").expect("a command").split_whitespace().collect();
    let said = place.run(&arguments);
    assert_eq!(said.code, 0, "{line}: {}", said.stderr);
    said.stdout
}

#[test]
fn the_commands_of_the_first_pages_work_after_the_demo_and_print_what_is_shown() {
    let place = Place::new();
    // What `./demo` does after it has built the binary.
    for line in DEMO.lines().filter_map(|line| line.strip_prefix("\"$incrowd\" ")) {
        let line = line.replace("\"$folder", "demo-salaries").replace("$folder", "demo-salaries").replace('"', "");
        typed(&place, &format!("incrowd {line}"));
    }
    let (_, seen) = README.split_once("## What you see").expect("a chapter");
    let (seen, _) = seen.split_once("\n## ").expect("a next chapter");
    let mut commands = 0;
    for block in seen.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        let mut lines = block.lines();
        let line = lines.next().and_then(|line| line.strip_prefix("$ ")).expect("a command");
        let printed = typed(&place, line);
        commands += 1;
        // Numbers differ from run to run; the rows do not.
        let row =
            |line: &str| line.split(')').next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let rows: Vec<String> = printed.lines().map(row).collect();
        for shown in lines.filter(|line| line.contains("published")) {
            assert!(rows.contains(&row(shown)), "{shown} is not printed by {line}: {printed}");
        }
        assert!(block.contains("Administration") && printed.contains("Administration"), "the managers are seen");
        assert!(block.lines().all(|line| !line.contains("ledger  ") || printed.contains(line)), "{printed}");
    }
    for line in seen.lines().filter_map(|line| line.strip_prefix("    incrowd ")) {
        typed(&place, &format!("incrowd {line}"));
        commands += 1;
    }
    assert_eq!(commands, 3);
}

#[test]
fn the_commands_for_a_release_of_ones_own_work_in_their_order() {
    let place = Place::new();
    place.write("people.csv", "town,age\nBern,30\nChur,40\n");
    let (_, own) = README.split_once("## A release of your own").expect("a chapter");
    let (own, _) = own.split_once("\n- ").expect("a list");
    let lines: Vec<&str> = own.lines().filter(|line| line.starts_with("    incrowd ")).collect();
    assert_eq!(lines.len(), 5);
    for line in lines {
        typed(&place, line.trim());
    }
}
