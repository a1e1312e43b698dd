//! The ledger as a release meets it: budgets, policies, and books that cannot be used.

use crate::place::{FOUND_TOWNS, PLAIN, Place, TOWNS, WITH_DELTA, request};

fn place() -> Place {
    let place = Place::new();
    place.write("d.csv", "town\nBern\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place
}

#[test]
fn a_budget_is_spent_and_then_refuses() {
    let place = place();
    let said = place.run(&["ledger", "open", "people", "--epsilon", "2"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(place.run(&["ledger", "open", "people"]).code, 2, "an account is opened once");
    assert!(place.released().stdout.contains("epsilon 1 of 2"));
    let again = ["release", "request.toml", "--replace", "--again"];
    assert!(place.run(&again).stdout.contains("epsilon 0 of 2"));
    let said = place.run(&again);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("hint:"), "{}", said.stderr);
    assert_eq!(place.events(), ["open", "charge", "delivered", "charge", "delivered"]);
    let said = place.run(&["ledger", "show"]);
    assert!(said.stdout.contains("epsilon 2, delta 0 for 2 charges"), "{}", said.stdout);
    let said = place.run(&["ledger", "history", "people"]);
    assert_eq!(said.stdout.matches("delivered").count(), 2, "{}", said.stdout);
}

#[test]
fn the_first_account_of_a_fresh_book_is_opened_without_a_limit_and_says_so() {
    let place = place();
    let said = place.released();
    assert!(said.stdout.contains("opened now, without a limit"), "{}", said.stdout);
    assert!(said.stderr.ends_with("ledger.sqlite, and has no limit now\n"), "{}", said.stderr);
    assert_eq!(place.run(&["release", "request.toml", "--replace", "--again"]).stderr, "", "said once");
}

#[test]
fn an_account_beside_others_is_opened_only_where_that_is_said() {
    let place = place();
    assert_eq!(place.run(&["ledger", "open", "peoples", "--epsilon", "1"]).code, 0);
    let said = place.release();
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(
        said.stderr.contains("there is no account \"people\" in ") && said.stderr.contains("which has \"peoples\"")
    );
    assert!(said.stderr.contains("did you mean \"peoples\"?") && said.stderr.contains("--open"), "{}", said.stderr);
    assert!(!place.path("out").exists());
    assert_eq!(place.events(), ["open"], "nothing was charged, and no account was opened");
    let planned = place.run(&["plan", "request.toml", "--no-chart"]).stdout;
    assert!(planned.split_whitespace().collect::<Vec<_>>().join(" ").contains("refused, unless it says --open"));
    let said = place.run(&["release", "request.toml", "--open"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("opened now, without a limit"), "{}", said.stdout);
    assert!(said.stderr.contains("has no limit now; it has peoples"), "{}", said.stderr);
    assert_eq!(place.run(&["release", "request.toml", "--replace", "--again"]).stderr, "", "said once");
}

#[test]
fn a_policy_refuses_before_anything_is_read() {
    let place = place();
    place.run(&["ledger", "open", "people", "--allow", "simple-outlier-dp"]);
    let said = place.release();
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("differential-privacy"), "{}", said.stderr);
    assert_eq!(place.events(), ["open"]);
    assert_eq!(place.run(&["ledger", "open", "x", "--allow", "nonsense"]).code, 2);
    assert_eq!(place.run(&["ledger", "open", "x", "--epsilon", "nan"]).code, 2);
}

#[test]
fn terms_can_be_changed_and_what_was_spent_stays_spent() {
    let place = place();
    place.run(&["ledger", "open", "people", "--epsilon", "1"]);
    place.released();
    let again = ["release", "request.toml", "--replace", "--again"];
    assert_eq!(place.run(&again).code, 1);
    assert_eq!(place.run(&["ledger", "policy", "people", "--epsilon", "2"]).code, 0);
    assert!(place.run(&again).stdout.contains("epsilon 0 of 2"));
    assert_eq!(place.events(), ["open", "charge", "delivered", "policy", "charge", "delivered"]);
    assert_ne!(place.run(&["ledger", "policy", "nobody", "--epsilon", "2"]).code, 0);
    assert_eq!(place.run(&["ledger", "history", "nobody"]).code, 2);
}

#[test]
fn a_plan_says_what_share_of_the_budget_goes_and_a_release_takes_it() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\nBern\n");
    place.write("request.toml", request("d.csv", "", FOUND_TOWNS, WITH_DELTA));
    let share = || {
        let said = place.run(&["plan", "request.toml", "--no-chart"]).stdout;
        let from = said.find("What share of the budget goes?").expect("the question");
        said[from..said.find("What is released").expect("the rest")].split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(share().contains("there is no budget yet: `incrowd ledger open people`"), "{}", share());
    assert!(!place.path("ledger.sqlite").exists() && !place.path("home").exists(), "a plan makes no ledger");
    assert_eq!(place.run(&["ledger", "open", "people", "--epsilon", "3", "--delta", "1e-5"]).code, 0);
    let before = place.events();
    let told = share();
    assert!(told.contains("This spends epsilon 1 of 3 (33 %) of account people; 2 is left after it"), "{told}");
    assert!(
        told.contains("delta 1 in a million of 1 in 100,000 (10 %) of account people; 9 in a million is left"),
        "{told}"
    );
    assert_eq!(place.events(), before, "a plan charges nothing");
    let said = place.released().stdout;
    assert!(said.contains("left         epsilon 2 of 3, delta 9 in a million of 1 in 100,000"), "{said}");
    let told = share();
    assert!(told.contains("This request was delivered already"), "{told}");
    assert!(told.contains("This spends epsilon 1 of 3 (33 %) of account people; 1 is left after it"), "{told}");
    let object = place.run(&["plan", "request.toml", "--format", "json"]).stdout;
    let object: serde_json::Value = serde_json::from_str(&object).expect("JSON");
    assert_eq!(object["account"]["left_after"]["epsilon"], "1");
    assert!(object["questions"].as_array().is_some_and(|all| all.len() >= 6), "{object}");
    // What its terms do not allow is told before, too.
    assert_eq!(place.run(&["ledger", "policy", "people", "--max-epsilon-per-release", "1/2"]).code, 0);
    assert!(share().contains("Account people would not pay: this release needs epsilon 1"), "{}", share());
}

#[test]
fn a_refused_second_table_names_two_cells_and_what_would_work() {
    let place = Place::new();
    place.write("d.csv", "native_country,occupation\nMexico,Sales\nMexico,Sales\nMexico,Tech\n");
    let country = "[[bins]]\nname = \"country\"\ncolumn = \"native_country\"\nvalues = [\"Mexico\", \"Cuba\"]\n";
    let occupation = "[[bins]]\nname = \"occupation\"\ncolumn = \"occupation\"\n";
    let exact = "kind = \"crowd-blending\"\ncrowd = 2\nepsilon = 0";
    let listed = format!("{occupation}values = [\"Sales\", \"Tech\"]\n");
    place.write("request.toml", request("d.csv", "", &format!("{country}{listed}"), exact));
    place.released();
    place.write("totals.toml", request("d.csv", "", country, exact));
    let said = place.run(&["release", "totals.toml", "--replace"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    let equation = "all of native_country Mexico minus native_country Mexico, occupation Sales = everybody else in native_country Mexico, however few";
    for words in
        [equation, "what works: a promise that is finite for everybody", "incrowd render FOLDER --to NEW --margins all"]
    {
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    }
    // It is true: two of the three are counted exactly, and the third is the difference.
    let counts = place.counts();
    assert!(counts.iter().any(|row| row.starts_with("Mexico,Sales,2,")), "{counts:?}");
    // A value that is found in the data is not named.
    let place = Place::new();
    place.write("d.csv", "native_country,occupation\nMexico,Sales\nMexico,Sales\nMexico,Tech\n");
    place.write("request.toml", request("d.csv", "", &format!("{country}{occupation}"), exact));
    place.released();
    place.write("totals.toml", request("d.csv", "", country, exact));
    let said = place.run(&["release", "totals.toml", "--replace"]).stderr;
    let equation = "all of native_country Mexico minus native_country Mexico, one value of occupation = everybody else in native_country Mexico";
    assert!(said.contains(equation) && !said.contains("Sales"), "{said}");
}

/// CB Proposition 7: two tables with exact counts of large groups isolate whoever is in the difference of two cells.
#[test]
fn exact_counts_of_large_groups_in_a_second_table_are_refused() {
    let place = place();
    let infinite = "kind = \"crowd-blending\"\ncrowd = 2\nepsilon = 0";
    place.write("request.toml", request("d.csv", "", TOWNS, infinite));
    place.released();
    place.write("other.toml", request("d.csv", "", &TOWNS.replace("\"Chur\"", "\"Uri\""), infinite));
    let said = place.run(&["release", "other.toml", "--replace", "--again"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("would promise nothing"), "{}", said.stderr);
    assert_eq!(place.events(), ["open", "charge", "delivered"]);
    // The same table again, and another one with a finite promise, may be released.
    assert_eq!(place.run(&["release", "request.toml", "--replace", "--again"]).code, 0);
    place.write("finite.toml", request("d.csv", "", &TOWNS.replace("\"Chur\"", "\"Uri\""), PLAIN));
    assert_eq!(place.run(&["release", "finite.toml", "--replace", "--again"]).code, 0);
}

#[test]
fn a_book_that_cannot_be_used_stops_everything() {
    let place = place();
    place.write("broken.sqlite", "this is not a ledger, whatever its name says");
    let said = place.run(&["release", "request.toml", "--ledger", "broken.sqlite"]);
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(!place.path("out").exists());
    assert_eq!(place.run(&["release", "request.toml", "--ledger", "."]).code, 2);
    assert_eq!(place.run(&["ledger", "show", "--ledger", "nowhere.sqlite"]).code, 2);
    let said = place.run(&["release", "request.toml", "--ledger", ":memory:"]);
    assert_eq!(said.code, 2, "real data needs a real book: {}", said.stderr);
}

/// What two tables of exact counts tell together, read off the delivered files: the count of the first bin of each.
fn first_counts(place: &Place) -> [i64; 2] {
    ["first", "second"].map(|folder| {
        let text = std::fs::read_to_string(place.path(folder).join("counts.csv")).expect("counts.csv");
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let row = rows.records().next().expect("a row").expect("CSV");
        row[1].parse().expect("a large group is published as it is")
    })
}

/// Values 1, 2 and 3: many people with 1 and 3, and so many with 2.
fn three_values(place: &Place, twos: usize, assumption: &str) {
    let values = [vec!["1"; 40], vec!["2"; twos], vec!["3"; 40]].concat();
    place.write("d.csv", format!("value\n{}\n", values.join("\n")));
    let promise = "kind = \"crowd-blending\"\ncrowd = 20\nepsilon = 0";
    for (name, edges) in [("first.toml", "[1, 3, 4]"), ("second.toml", "[1, 2, 4]")] {
        let bins = format!("[[bins]]\nname = \"value\"\ncolumn = \"value\"\nedges = {edges}\n");
        place.write(name, request("d.csv", assumption, &bins, promise));
    }
}

/// CB Proposition 7, and `docs/errata.md` 4.2: the same with data that was sampled once.
#[test]
fn the_second_of_two_tables_that_would_count_one_person_is_refused() {
    for assumption in ["", "[data.sampled]\nprobability = \"1/10\"\n"] {
        // The leak, with a ledger for each table, as if nobody kept a book: one person with the value 2 is counted
        // exactly.
        for twos in [0, 1] {
            let place = Place::new();
            three_values(&place, twos, assumption);
            for name in ["first", "second"] {
                let (file, book) = (format!("{name}.toml"), format!("{name}.sqlite"));
                let said = place.run(&["release", &file, "--folder", name, "--ledger", &book]);
                assert_eq!(said.code, 0, "{}", said.stderr);
            }
            let [ones_and_twos, ones] = first_counts(&place);
            assert_eq!(ones_and_twos - ones, twos as i64, "the difference tells whether she is there");
        }
        // With one ledger the second table is refused, and the reason names the cells.
        let place = Place::new();
        three_values(&place, 1, assumption);
        assert_eq!(place.run(&["release", "first.toml", "--folder", "first"]).code, 0);
        let said = place.run(&["release", "second.toml", "--folder", "second"]);
        assert_eq!(said.code, 1, "{}", said.stderr);
        for words in ["all of value [1, 3) minus value [1, 2) = value [2, 3), however few", "--margins all"] {
            assert!(said.stderr.contains(words), "{}", said.stderr);
        }
        assert!(!place.path("second").exists());
        assert_eq!(place.events(), ["open", "charge", "delivered"]);
    }
}

#[test]
fn the_odds_of_all_releases_have_a_chance_that_follows_from_their_sums_and_is_not_delta() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\nBern\n");
    place.write("request.toml", request("d.csv", "", FOUND_TOWNS, WITH_DELTA));
    place.released();
    assert_eq!(place.run(&["release", "request.toml", "--replace", "--again"]).code, 0);
    let said = place.run(&["ledger", "show", "--format", "json"]).stdout;
    let found: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    let row = &found["accounts"][0]["in_all"][0]["by_group"][0];
    let number = |name: &str| row[name].as_str().and_then(|text| text.parse::<f64>().ok()).expect("a number");
    assert_eq!((row["epsilon"].as_str(), row["is"].as_str()), (Some("2"), Some("at most")), "{row}");
    let (percent, chance) = (number("at_most_sure_percent"), number("but_for_a_chance_of"));
    // Of (2, 2e-6): P[L > ln R] <= delta R/(R - e^eps), at the first tenth of a percent with R >= 10/9 e^eps.
    let odds = |percent: f64| percent / (100.0 - percent);
    let least = 10.0 / 9.0 * 2f64.exp();
    assert!(odds(percent) >= least && odds(percent - 0.1) < least, "{percent}");
    let truth = 2e-6 * odds(percent) / (odds(percent) - 2f64.exp());
    assert!((chance / truth - 1.0).abs() < 1e-9 && chance > 2e-6 && chance <= 2e-5, "{chance:e} {truth:e}");
    let said = place.run(&["ledger", "show"]).stdout;
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("89.2 % (epsilon 2), but for a chance of at most 19 in a million"), "{said}");
}
