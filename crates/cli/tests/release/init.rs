//! `incrowd init`: names and types, and no value of the data.

use crate::place::Place;
#[cfg(unix)]
use crate::question::{AtATerminal, at_a_terminal};
use std::io::Write;
use std::process::Stdio;

#[test]
fn columns_without_names_on_top_are_named_by_their_places_and_no_value_is_told() {
    for rows in [
        "4711,Muster,Bern\n4712,Beispiel,Chur\n",
        "Muster,1970-01-31,Bern\nBeispiel,1971-02-28,Chur\n",
        "Muster,true,x\nBeispiel,false,y\n",
        "Muster,,Bern\nBeispiel,3,Chur\n",
        // Nothing but texts, of which one comes again.
        "Muster,Bern\nBeispiel,Chur\nProbe,Bern\n",
    ] {
        let place = Place::new();
        place.write("d.csv", rows);
        for arguments in
            [&["init", "d.csv"][..], &["init", "d.csv", "--format", "json"], &["init", "d.csv", "-o", "r.toml"]]
        {
            let output = place.command(arguments).output().expect("the binary runs");
            let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
            assert_eq!(output.status.code(), Some(0), "{rows}: {text}");
            assert!(text.contains("looks like somebody's values"), "{text}");
            let request = std::fs::read_to_string(place.path("r.toml")).unwrap_or_default();
            let text = text + &request;
            for value in ["4711", "Muster", "Bern", "1970"] {
                assert!(!text.contains(value), "{text}");
            }
            assert!(text.contains("header = false") && text.contains("column2"), "{text}");
        }
        assert!(place.path("r.toml").exists());
    }
}

#[test]
fn names_are_taken_and_may_look_like_numbers_if_the_steward_says_so() {
    let place = Place::new();
    place.write("d.csv", "town,2019,2020\nBern,1,2\nChur,3,4\n");
    let guessed = place.run(&["init", "d.csv"]);
    assert!(guessed.stdout.contains("column1") && !guessed.stdout.contains("2019"), "{}", guessed.stdout);
    let said = place.run(&["init", "d.csv", "--names-on-top"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("2019") && !said.stdout.contains("Bern"), "{}", said.stdout);
    place.write("d.csv", "town,age\nBern,30\n");
    assert_eq!(place.run(&["init", "d.csv"]).code, 0);
}

#[test]
fn codes_get_no_bands_and_fractions_with_commas_do_not_cut_rows() {
    let place = Place::new();
    let rows: String = (0..60).map(|row| format!("{};{},{}5\n", 1001 + row % 7, row % 17, row % 9)).collect();
    place.write("d.csv", format!("county_fips;amount\n{rows}1003;-\n1004;n/a\n"));
    let said = place.run(&["init", "d.csv", "--by", "county_fips,amount", "--output", "r.toml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let text = std::fs::read_to_string(place.path("r.toml")).expect("a request");
    for words in ["delimiter = \";\"", "decimal = \",\"", "\"amount\" = \"number\"", "missing = [\"-\", \"n/a\"]"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let code = text.split("[[bins]]").nth(1).expect("a bin");
    assert!(code.contains("by its name a code") && !code.contains("edges") && !code.contains("1001"), "{code}");
    assert!(text.split("[[bins]]").nth(2).expect("a bin").contains("edges"), "an amount has bands: {text}");
    assert_eq!(place.run(&["plan", "r.toml"]).code, 0, "{text}");
}

#[test]
fn a_file_of_excel_in_germany_can_be_released_as_init_guesses() {
    let place = Place::new();
    let mut rows = String::from("Personalnummer;Abteilung;Gehalt;Eintritt\n");
    for row in 0..400 {
        let salary = if row == 7 { "k. A.".into() } else { format!("{}.{:03},50", 20 + row % 60, row) };
        let salary = if row % 50 == 9 { "-".into() } else { salary.replace("k. A.", "NA") };
        rows += &format!("{row};K\u{fc}che;{salary};{:02}.{:02}.2020\n", row % 28 + 1, row % 12 + 1);
    }
    let latin: Vec<u8> = rows.chars().map(|letter| u8::try_from(letter as u32).expect("Latin-1")).collect();
    std::fs::write(place.path("d.csv"), latin).expect("a file");
    let said = place.run(&["init", "d.csv", "--by", "Gehalt,Eintritt", "--output", "r.toml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let text = std::fs::read_to_string(place.path("r.toml")).expect("a request");
    for line in [
        "person = \"Personalnummer\"",
        "delimiter = \";\"",
        "encoding = \"windows-1252\"",
        "decimal = \",\"",
        "thousands = \".\"",
        "dates = [\"%d.%m.%Y\"]",
        "missing = [\"-\", \"NA\"]",
        "\"Gehalt\" = \"number\"",
        "\"Eintritt\" = \"date\"",
        "width  = 20000",
        "truncate = \"month\"",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("K\u{fc}che") && !text.contains("50"), "{text}");
    assert!(said.stderr.contains("decimal") && said.stderr.contains("delimiter"), "{}", said.stderr);
    let checked = place.run(&["check", "r.toml"]);
    // Everything is read; but in so small a file no bin is large enough.
    assert_eq!(checked.code, 1, "{}{}", checked.stdout, checked.stderr);
    let words = ["lost         9, 2.2 % of them", "a release would be charged and is expected to show nothing"];
    assert!(words.iter().all(|words| checked.stdout.contains(words)), "{}", checked.stdout);
}

#[test]
fn options_say_by_what_and_by_whom() {
    let place = Place::new();
    place.write("d.csv", "RECID,region,age,email\n1,North,30,a@x\n2,South,40,b@x\n");
    let said = place.run(&["init", "d.csv", "--by", "region,age"]);
    assert!(said.stdout.contains("person = \"email\"") && said.stdout.contains("by its name"), "{}", said.stdout);
    assert_eq!(said.stdout.matches("[[bins]]").count(), 2, "{}", said.stdout);
    let said = place.run(&["init", "d.csv", "--person", "RECID"]);
    assert!(
        said.stdout.contains("person = \"RECID\"") && said.stdout.contains("column = \"region\""),
        "{}",
        said.stdout
    );
    let said = place.run(&["init", "d.csv", "--person", "rows"]);
    assert!(!said.stdout.contains("\nperson ="), "{}", said.stdout);
    for (arguments, words) in [
        (&["--by", "regoin"][..], "did you mean \"region\"?"),
        (&["--by", "email"], "a bin for each person"),
        (&["--by", "region,region"], "stands twice"),
        (&["--person", "nobody"], "there is no column"),
        (&["--interactive"], "there is none"),
        (&["--interactive", "--by", "age"], "cannot be used with"),
    ] {
        let said = place.run(&[&["init", "d.csv"][..], arguments].concat());
        assert_eq!(said.code, 2, "{arguments:?}");
        assert!(said.stderr.contains(words), "{arguments:?}: {}", said.stderr);
    }
}

/// Runs `init` with this on standard input.
fn init_with(place: &Place, arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut command = place.command(&[&["init", "-"], arguments].concat());
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // Whoever looks at a beginning does not wait for the end.
    let _ = pipe.write_all(input);
    drop(pipe);
    let output = child.wait_with_output().expect("the binary ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn the_beginning_of_standard_input_can_be_looked_at_and_the_request_reads_all_of_it() {
    let place = Place::new();
    let mut rows = String::from("town;salary;day\n");
    (0..300).for_each(|row| rows += &format!("Bern;{},5;{:02}.03.2020\n", row % 90, row % 28 + 1));
    let (code, _, stderr) =
        init_with(&place, &["--by", "town,salary", "--person", "rows", "--output", "sub.toml"], rows.as_bytes());
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("format: standard input begins like this"), "{stderr}");
    let text = std::fs::read_to_string(place.path("sub.toml")).expect("a request");
    for line in ["source = \"-\"", "format = \"csv\"", "delimiter = \";\"", "decimal = \",\"", "dates = [\"%d.%m.%Y\"]"]
    {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("Bern") && !stderr.contains("Bern"), "{text}");
    for command in ["check", "release"] {
        let mut run = place.command(&[command, "sub.toml"]);
        let mut child = run.stdin(Stdio::piped()).spawn().expect("the binary starts");
        child.stdin.take().expect("a pipe").write_all(rows.as_bytes()).expect("all is read");
        let output = child.wait_with_output().expect("the binary ends");
        assert_eq!(output.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn standard_input_of_every_kind_is_looked_at_or_says_how() {
    let place = Place::new();
    let (code, request, _) = init_with(&place, &[], b"{\"town\":\"Bern\",\"age\":3}\n{\"town\":\"Chur\",\"age\":4}\n");
    assert_eq!(code, 0);
    assert!(
        request.contains("format = \"json\"")
            && request.contains("age = \"integer\"") | request.contains("\"age\" = \"integer\""),
        "{request}"
    );
    // A stream without an end has a beginning.
    let endless = ["town,age\n".to_owned(), "Bern,3\n".repeat(2_000_000)].concat();
    let (code, request, _) = init_with(&place, &[], endless.as_bytes());
    assert_eq!(code, 0);
    assert!(request.contains("format = \"csv\""), "{request}");
    for (input, hint) in [
        (&b"PAR1\x15\x04"[..], "save it as a file"),
        (b"PK\x03\x04\x14\0", "save it as a file"),
        (b"\x1f\x8b\x08\0", "zcat people.csv.gz | incrowd init -"),
        (b"", "A CSV file begins with names"),
    ] {
        let (code, _, stderr) = init_with(&place, &[], input);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(hint), "{stderr}");
    }
    let (code, _, stderr) = init_with(&place, &["--interactive"], b"town\nBern\n");
    assert_eq!(code, 2);
    assert!(stderr.contains("standard input is the data") && stderr.contains("--by COLUMN"), "{stderr}");
}

#[cfg(unix)]
mod at_a_terminal {
    use super::*;

    fn people() -> Place {
        let place = Place::new();
        place.write("people.csv", format!("id,region,age\n{}", "1,North,30\n2,South,41\n".repeat(40)));
        place
    }

    #[test]
    fn a_dialogue_ends_with_a_request_that_can_be_planned() {
        let place = people();
        // The second answer is wrong, and is asked again; no value of the data is on the screen.
        let typed = b"id\nnowhere\nregion, 3\nNorth, South\n0, 18, 65\n25\n60 %\n70 %\nmine.toml\n";
        let (code, screen) = at_a_terminal(&place, &["init", "people.csv", "--interactive"], typed);
        assert_eq!(code, 0, "{screen}");
        for part in [
            "1  id (integer)",
            "2  region (text)",
            "Which column says whose row it is?",
            "there is no such column: a name or a number from the list",
            "proposed from its name",
            "Write the request to which file? [request.toml]",
            "Wrote mine.toml",
        ] {
            assert!(screen.contains(part), "{part}: {screen}");
        }
        assert!(!screen.replace("North, South", "").contains("South"), "{screen}");
        let text = std::fs::read_to_string(place.path("mine.toml")).expect("a request");
        for line in ["person = \"id\"", "values = [\"North\", \"South\"]", "edges  = [0, 18, 65]", "small      = 25"] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        for command in ["plan", "check"] {
            let said = place.run(&[command, "mine.toml"]);
            assert_eq!(said.code, 0, "{command}: {}{}", said.stdout, said.stderr);
        }
    }

    #[test]
    fn enter_takes_what_is_proposed_and_an_existing_file_stays() {
        let place = people();
        place.write("request.toml", "mine");
        let (code, screen) = at_a_terminal(&place, &["init", "people.csv", "--interactive"], &b"\n".repeat(8));
        assert_eq!(code, 2, "{screen}");
        assert!(screen.contains("could not be written"), "{screen}");
        assert_eq!(std::fs::read_to_string(place.path("request.toml")).expect("a file"), "mine");
        let (code, screen) =
            at_a_terminal(&place, &["init", "people.csv", "--interactive", "-o", "new.toml"], &b"\n".repeat(8));
        assert_eq!(code, 0, "{screen}");
        assert!(place.path("new.toml").exists());
    }

    #[test]
    fn who_stops_answering_gets_nothing_written() {
        // The end of what is typed, in the middle of the questions.
        let place = people();
        let before = place.files().len();
        let (code, screen) = at_a_terminal(&place, &["init", "people.csv", "--interactive"], b"id\nregion\n\x04");
        assert_eq!(code, 2, "{screen}");
        assert!(screen.contains("nobody answered: nothing was written"), "{screen}");
        assert_eq!(place.files().len(), before);
        // Stopped at the last question.
        let mut terminal = AtATerminal::start(&place, &["init", "people.csv", "--interactive"]);
        terminal.type_in(&b"\n".repeat(4));
        terminal.wait_for("Write the request to which file?");
        terminal.stop();
        let (code, screen) = terminal.end();
        assert_ne!(code, 0, "{screen}");
        assert!(!screen.contains("Wrote"), "{screen}");
        assert_eq!(place.files().len(), before);
    }
}
