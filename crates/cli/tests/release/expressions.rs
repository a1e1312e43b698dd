//! Mistakes in `where` and `expression` are seen by `plan` and `check` as `release` sees them, before anything is paid.

use crate::place::{EXACT, Place, Said, TOWNS, request};

fn place(more_data: &str, bins: &str) -> Place {
    let place = Place::new();
    place.write("d.csv", "town,salary\nBern,5\nBern,6\n");
    place.write("request.toml", request("d.csv", more_data, bins, EXACT));
    place
}

fn spoken(said: &Said) -> String {
    said.stderr.split_once("error: ").map(|(_, error)| error.to_owned()).unwrap_or_default()
}

#[test]
fn plan_and_check_say_what_release_says() {
    let salaries = "[data.types]\nsalary = \"number\"\ntown = \"text\"\n";
    let bin = |expression: &str| format!("[[bins]]\nname = \"x\"\nexpression = \"{expression}\"\nedges = [0, 10]\n");
    for (title, data, bins) in [
        ("no function of ours", "where = \"soundex(town) = 'B'\"\n".to_owned(), TOWNS.to_owned()),
        ("other rows", "where = \"salary > avg(salary)\"\n".to_owned(), TOWNS.to_owned()),
        ("not an expression", String::new(), bin("salary +")),
        ("a number like a text", format!("where = \"salary like 'x%'\"\n{salaries}"), TOWNS.to_owned()),
        ("no truth", format!("where = \"salary + 1\"\n{salaries}"), TOWNS.to_owned()),
    ] {
        let place = place(&data, &bins);
        let [plan, check, release] = ["plan", "check", "release"].map(|command| place.run(&[command, "request.toml"]));
        assert_eq!((plan.code, release.code), (2, 2), "{title}: {}{}", plan.stderr, release.stderr);
        assert_eq!(spoken(&plan), spoken(&release), "{title}");
        assert!(spoken(&release).contains("hint:"), "{title}: {}", release.stderr);
        let message = spoken(&release).lines().next().expect("a message").to_owned();
        assert!(matches!(check.code, 1 | 2) && check.stderr.contains(&message), "{title}: {}", check.stderr);
        assert!(!place.events().contains(&"charge".to_owned()), "{title}");
    }
}

#[test]
fn what_only_the_data_can_tell_is_left_to_it() {
    // Nobody has said what a salary is: in a file of CSV it is a text, in others a number.
    let place = place("where = \"salary > 5\"\n", TOWNS);
    assert_eq!(place.run(&["plan", "request.toml"]).code, 0);
    // A column that the data does not have is a mistake that a plan cannot know.
    let missing = Place::new();
    missing.write("d.csv", "town\nBern\n");
    missing.write(
        "request.toml",
        request("d.csv", "where = \"age > 5\"\n[data.types]\nage = \"integer\"\n", TOWNS, EXACT),
    );
    assert_eq!(missing.run(&["plan", "request.toml"]).code, 0);
    assert_eq!(missing.run(&["check", "request.toml"]).code, 1);
}
