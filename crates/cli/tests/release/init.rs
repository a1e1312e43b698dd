//! `incrowd init`: names and types, and no value of the data.

use crate::place::Place;

#[test]
fn a_file_without_names_on_top_is_refused_and_none_of_its_values_is_told() {
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
            assert_eq!(output.status.code(), Some(2), "{rows}: {text}");
            assert!(text.contains("looks like somebody's values"), "{text}");
            for value in ["4711", "Muster", "Bern", "1970"] {
                assert!(!text.contains(value), "{text}");
            }
            assert!(!place.path("r.toml").exists());
        }
    }
}

#[test]
fn names_are_taken_and_may_look_like_numbers_if_the_steward_says_so() {
    let place = Place::new();
    place.write("d.csv", "town,2019,2020\nBern,1,2\nChur,3,4\n");
    assert_eq!(place.run(&["init", "d.csv"]).code, 2);
    let said = place.run(&["init", "d.csv", "--names-on-top"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("2019") && !said.stdout.contains("Bern"), "{}", said.stdout);
    place.write("d.csv", "town,age\nBern,30\n");
    assert_eq!(place.run(&["init", "d.csv"]).code, 0);
}
