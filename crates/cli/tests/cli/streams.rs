//! Where output goes: pipes that close, disks that are full, terminals that want no colour.

use crate::requests::{MECHANISMS, PROMISES, promising};
use crate::run::{binary, example, finish, incrowd};
use std::fs::OpenOptions;
use std::process::Stdio;

#[test]
fn a_request_on_standard_input_is_the_same_as_one_in_a_file() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), example("salaries")).expect("a file");
    let path = file.path().to_str().expect("a path");
    for more in [&["plan"][..], &["compare"], &["law", "--count", "3"]] {
        // Only a file can be named in the next command.
        let next = format!(" Next: incrowd release {path}");
        let from_file = incrowd(&[more, &[path]].concat(), "").done().stdout.replace(&next, "");
        assert_eq!(from_file, incrowd(&[more, &["-"]].concat(), example("salaries")).done().stdout);
    }
}

#[test]
fn colours_appear_only_where_they_are_wanted() {
    let cases: [(&[&str], &str); 6] = [
        (&["plan", "-"], ""),
        (&["compare", "-"], ""),
        (&["law", "-", "--count", "3"], ""),
        (&["plan", "-"], "[mechanism]\nname = \"geometric\""),
        (&["plan", "-"], "[mechanisms]"),
        (&["plan", "--counts", "x", "-"], ""),
    ];
    for (arguments, rest) in cases {
        let request = promising(PROMISES[4].1, rest);
        let with = |name: &str, value: &str| {
            let mut command = binary(arguments);
            command.env(name, value);
            let said = finish(command, &request);
            said.stdout + &said.stderr
        };
        let plain = with("TERM", "xterm-256color");
        assert!(!plain.contains('\u{1b}'), "no terminal, no colour: {plain}");
        assert_eq!(with("NO_COLOR", "1"), plain, "NO_COLOR");
        let forced = with("CLICOLOR_FORCE", "1");
        assert_eq!(without_escapes(&forced), plain, "colour is never meaning");
    }
    let json = incrowd(&["plan", "-", "--format", "json"], example("salaries")).stdout;
    assert!(!json.contains('\u{1b}'));
}

#[test]
fn hostile_names_cannot_speak_to_the_terminal() {
    let long = "x".repeat(1000);
    for name in
        ["\\u001b[31mred", "two\\nlines", "\\u0007bell", "a\\tb", "🎉👩‍👩‍👧", "\\u202egnirts", &long, "'; drop table"]
    {
        for place in 0..4 {
            let [bin, value, source, dataset] = std::array::from_fn(|at| if at == place { name } else { "plain" });
            let rest = format!(
                "[[bins]]\nname = \"{bin}\"\ncolumn = \"c\"\nvalues = [\"{value}\"]\n\
             [data]\nsource = \"{source}\"\nperson = \"{source}\"\n[ledger]\ndataset = \"{dataset}\"\n"
            );
            let request = promising(PROMISES[4].1, &rest);
            let mut forced = binary(&["plan", "-", "--no-chart"]);
            forced.env("CLICOLOR_FORCE", "1");
            let said = finish(forced, &request);
            let shown = without_escapes(&said.stdout) + &without_escapes(&said.stderr);
            assert!(!said.stdout.contains("\u{1b}[31mred"), "a name's own escape codes are not passed on: {shown}");
            let control = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!shown.contains(control), "{name}: {shown:?}");
            assert!(!shown.contains("two\nlines"), "a name stays on its line: {shown}");
            let json = incrowd(&["plan", "-", "--format", "json"], &request);
            assert_eq!(json.code, said.code);
        }
    }
}

#[test]
fn a_reader_that_stops_reading_is_no_failure() {
    let ranges = MECHANISMS.iter().find(|case| case.title == "geometric").expect("a case").request();
    let cases: [&[&str]; 6] = [
        &["plan", "-"],
        &["compare", "-", "--format", "json"],
        &["law", "-", "--count", "3", "--all"],
        &["draw", "-", "--count", "3", "--times", "1000000"],
        &["schema"],
        &["completions", "bash"],
    ];
    for arguments in cases {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = binary(arguments);
        command.stdout(writer);
        let said = finish(command, &ranges);
        assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn a_full_disk_is_said_and_is_not_success() {
    let Ok(_) = OpenOptions::new().write(true).open("/dev/full") else { return };
    let cases: [&[&str]; 6] = [
        &["plan", "-"],
        &["compare", "-", "--format", "json"],
        &["law", "-", "--count", "3"],
        &["draw", "-", "--count", "3"],
        &["schema"],
        &["completions", "bash"],
    ];
    for arguments in cases {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let mut command = binary(arguments);
        command.stdout(Stdio::from(full));
        let said = finish(command, example("salaries"));
        assert_eq!(said.code, 2, "{arguments:?}");
        assert!(said.stderr.contains("could not be written") && said.stderr.contains("hint"), "{}", said.stderr);
    }
}

/// The text without the escape codes that set colours.
fn without_escapes(text: &str) -> String {
    let mut plain = String::new();
    let mut parts = text.split("\u{1b}[");
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        plain.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    plain
}
