//! `incrowd init`: names and types, and no value of the data.

use crate::place::Place;

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
