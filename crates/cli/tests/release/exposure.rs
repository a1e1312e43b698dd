//! `incrowd ledger exposure`: what people have accumulated over releases that were really charged, beside sums by hand
//! and by a few lines that know only the CSV file.

use crate::place::{EXACT, PLAIN, Place, Said, TOWNS, request};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const INTERNAL: &str = "INTERNAL: THIS DEPENDS ON THE DATA WITHOUT PROTECTION. NEVER PUBLISH IT.";

/// Towns of two lands; nobody counts Uri, and Wien only has a land.
const DATA: &str = "town,land\nBern,CH\nBern,CH\nBern,CH\nBern,CH\nBern,CH\nBern,CH\nChur,CH\nChur,CH\nChur,CH\nDavos,CH\n\
                    Wien,AT\nWien,AT\nUri,\n";
const FINE: &str = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"Bern\", \"Chur\", \"Davos\"]\n";
const COARSE: &str = "[[bins]]\nname = \"land\"\ncolumn = \"land\"\nvalues = [\"CH\", \"AT\"]\n";
const OUTLIERS_OF_4: &str = "kind = \"simple-outlier-dp\"\ngroup = 4\nepsilon = 1";
const OUTLIERS_OF_5: &str = "kind = \"simple-outlier-dp\"\ngroup = 5\nepsilon = \"1/2\"";

fn place() -> Place {
    let place = Place::new();
    place.write("d.csv", DATA);
    place.write("fine.toml", request("d.csv", "", FINE, OUTLIERS_OF_4));
    place.write("coarse.toml", request("d.csv", "", COARSE, OUTLIERS_OF_5));
    place
}

fn release(place: &Place, name: &str) {
    let said = place.run(&["release", name, "--folder", &format!("out-{name}"), "--replace", "--again", "--open"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
}

fn exposure(place: &Place, names: &[&str]) -> Value {
    let said = place.run(&[&["ledger", "exposure", "--format", "json"], names].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    serde_json::from_str(&said.stdout).expect("JSON")
}

fn refused(place: &Place, names: &[&str]) -> Said {
    let said = place.run(&[&["ledger", "exposure"], names].concat());
    assert!(said.code == 1 || said.code == 2, "{}", said.stderr);
    assert!(said.stdout.is_empty() && said.stderr.contains("hint:"), "{}", said.stderr);
    assert!(!said.stderr.contains("INTERNAL"), "nothing was computed: {}", said.stderr);
    said
}

#[test]
fn losses_in_fine_and_coarse_bins_add_up() {
    let place = place();
    release(&place, "fine.toml");
    release(&place, "coarse.toml");
    let mut found = exposure(&place, &["fine.toml", "coarse.toml"]);
    for named in found["requests"].as_array_mut().expect("requests") {
        assert_eq!(named["request_hash"].take().as_str().map(str::len), Some(64));
    }
    // Bern has 6 of more than 4: 1; Chur 3 and Davos 1: 1/4. CH has 10 of more than 5: 1/2; AT 2: 1/10.
    let expected = json!({
        "version": 1,
        "internal": true,
        "warning": INTERNAL,
        "account": "people",
        "command": "ledger exposure",
        "requests": [
            { "request": "fine.toml", "request_hash": null, "charges": 1 },
            { "request": "coarse.toml", "request_hash": null, "charges": 1 },
        ],
        "not_included": 0,
        "contradicting": 0,
        "delta": "0",
        "people": 12,
        "exposure": [
            { "epsilon": "1/10", "people": 2 },
            { "epsilon": "3/4", "people": 4 },
            { "epsilon": "3/2", "people": 6 },
        ],
        "median": { "epsilon": "3/4", "at_most_sure_percent": "68", "but_for_a_chance_of": "0" },
        "maximum": { "epsilon": "3/2", "at_most_sure_percent": "81.8", "but_for_a_chance_of": "0", "people": 6 },
    });
    assert_eq!(found, expected);
    let one = exposure(&place, &["coarse.toml"]);
    assert_eq!(one["exposure"], json!([{ "epsilon": "1/10", "people": 2 }, { "epsilon": "1/2", "people": 10 }]));
    assert_eq!(one["not_included"], 1);
}

#[test]
fn what_was_charged_twice_was_lost_twice_whatever_came_of_it() {
    let place = place();
    release(&place, "fine.toml");
    release(&place, "fine.toml");
    // Charged, and not delivered: the charge stands.
    place.write("d.csv", "town,land\nBern,CH,too,many,fields\n");
    assert_eq!(place.run(&["release", "fine.toml", "--replace", "--again"]).code, 3);
    place.write("d.csv", DATA);
    let events = place.events();
    let book = std::fs::read(place.path("ledger.sqlite")).expect("a book");
    let found = exposure(&place, &["fine.toml"]);
    assert_eq!(found["requests"][0]["charges"], 3);
    assert_eq!(found["exposure"], json!([{ "epsilon": "3/4", "people": 4 }, { "epsilon": "3", "people": 6 }]));
    assert_eq!(place.events(), events);
    assert_eq!(std::fs::read(place.path("ledger.sqlite")).expect("a book"), book, "nothing is written to the book");
}

#[test]
fn whoever_is_counted_exactly_has_no_bound() {
    let place = place();
    place.write("exact.toml", request("d.csv", "", FINE, EXACT));
    release(&place, "exact.toml");
    let found = exposure(&place, &["exact.toml"]);
    assert_eq!(found["exposure"], json!([{ "epsilon": "0", "people": 1 }, { "epsilon": "infinite", "people": 9 }]));
    assert_eq!(found["maximum"]["at_most_sure_percent"], Value::Null);
    let said = place.run(&["ledger", "exposure", "exact.toml"]);
    assert!(said.stdout.contains("no bound (9 people)"), "{}", said.stdout);
}

#[test]
fn everything_that_is_shown_says_that_it_is_internal() {
    let place = place();
    release(&place, "fine.toml");
    release(&place, "coarse.toml");
    let said = place.run(&["ledger", "exposure", "fine.toml", "--chart", "chart.svg"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.starts_with(INTERNAL), "{}", said.stdout);
    assert!(said.stderr.contains(&format!("warning: {INTERNAL}")), "{}", said.stderr);
    for words in [
        "1 other charge of this account is not included: name its request too",
        "10 were counted in at least one of them",
        "1/4          56.3 %       4        40 %",
        "1            73.2 %       6       100 %",
        "Nothing has been charged",
    ] {
        assert!(said.stdout.contains(words), "{words}: {}", said.stdout);
    }
    let drawing = std::fs::read_to_string(place.path("chart.svg")).expect("a chart");
    let drawing = roxmltree::Document::parse(&drawing).expect("an SVG file");
    let titles = drawing.root_element().children().filter(|node| node.has_tag_name("title"));
    let titles: Vec<&str> = titles.filter_map(|title| title.text()).collect();
    assert!(titles.len() == 1 && titles[0].starts_with("INTERNAL"), "{titles:?}");
    let written = drawing.descendants().filter(|node| node.has_tag_name("text"));
    assert!(written.filter_map(|text| text.text()).any(|text| text.contains("INTERNAL")));
    let said = place.run(&["ledger", "exposure", "fine.toml", "--chart", "chart.svg"]);
    assert_eq!(said.code, 2, "a chart is not overwritten: {}", said.stderr);
    let said = place.run(&["ledger", "exposure", "fine.toml", "--format", "json"]);
    assert!(said.stderr.contains(INTERNAL), "{}", said.stderr);
    assert!(said.stdout.contains("\"internal\": true") && said.stdout.contains(INTERNAL), "{}", said.stdout);
}

#[test]
fn what_was_not_released_or_cannot_be_linked_is_refused() {
    let place = place();
    let said = refused(&place, &["fine.toml"]);
    assert_eq!(said.code, 2, "there is no book: {}", said.stderr);
    release(&place, "fine.toml");
    let said = refused(&place, &["fine.toml", "coarse.toml"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("coarse.toml was never charged to account people"), "{}", said.stderr);
    assert!(said.stderr.contains("changed since"), "{}", said.stderr);

    place.write("copy.csv", DATA);
    place.write("copy.toml", request("copy.csv", "", COARSE, PLAIN));
    release(&place, "copy.toml");
    let said = refused(&place, &["fine.toml", "copy.toml"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(
        said.stderr.contains("the people of copy.toml cannot be linked with those of fine.toml"),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("same files"), "{}", said.stderr);

    place
        .write("later.toml", request("d.csv", "", COARSE, PLAIN).replace("snapshot = \"2026\"", "snapshot = \"2027\""));
    release(&place, "later.toml");
    assert!(refused(&place, &["fine.toml", "later.toml"]).stderr.contains("same snapshot"));

    // Another meaning of one person is not even charged to the same account.
    place.write("named.toml", request("d.csv", "person = \"town\"", COARSE, PLAIN));
    assert_eq!(place.run(&["release", "named.toml", "--folder", "named"]).code, 1);
    let said = place.run(&["ledger", "exposure", "fine.toml", "named.toml"]);
    assert!(said.code == 1 && said.stderr.contains("hint:"), "{}", said.stderr);

    let said = refused(&place, &["fine.toml", "fine.toml"]);
    assert!(said.code == 2 && said.stderr.contains("the same request"), "{}", said.stderr);
    place.write("others.toml", request("d.csv", "", FINE, PLAIN).replace("\"people\"", "\"others\""));
    release(&place, "others.toml");
    let said = refused(&place, &["fine.toml", "others.toml"]);
    assert!(said.code == 2 && said.stderr.contains("different accounts"), "{}", said.stderr);

    std::fs::remove_file(place.path("d.csv")).expect("the data");
    let said = refused(&place, &["fine.toml"]);
    assert!(said.code == 2 && said.stderr.contains("there is no file"), "{}", said.stderr);
    place.write("d.csv", "town,land\nBern,CH,secret\n");
    let said = refused(&place, &["fine.toml"]);
    assert!(said.code == 2 && !said.stderr.contains("secret"), "{}", said.stderr);
}

/// Rows of nobody in particular, always the same.
fn made_up(rows: usize) -> Vec<(usize, usize, u64)> {
    let mut state = 1u64;
    let mut below = |most: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % most
    };
    (0..rows).map(|_| (below(60) as usize, below(9).min(below(9)) as usize, below(90))).collect()
}

/// Returns an exposure in 300ths.
fn in_300ths(found: &Value) -> BTreeMap<u64, u64> {
    let levels = found["exposure"].as_array().expect("levels");
    let whole = |level: &Value| {
        let text = level["epsilon"].as_str().expect("a text");
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let (above, below): (u64, u64) = (above.parse().expect("a number"), below.parse().expect("a number"));
        assert_eq!(above * 300 % below, 0);
        (above * 300 / below, level["people"].as_u64().expect("a number"))
    };
    levels.iter().map(whole).collect()
}

#[test]
fn rows_have_lost_what_a_few_lines_of_rust_add_up() {
    let place = Place::new();
    let rows = made_up(700);
    let lines = rows.iter().map(|(_, town, age)| format!("town{town},{age}\n"));
    place.write("d.csv", format!("town,age\n{}", lines.collect::<String>()));
    let ages =
        "[[bins]]\nname = \"age\"\ncolumn = \"age\"\nedges = [10, 30, 40, 80]\n[data.types]\nage = \"integer\"\n";
    let types = "[data.types]\nage = \"integer\"\n";
    let towns = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\n";
    let staircase = "kind = \"staircase\"\nthresholds = [120, 40]\nepsilons = [1, \"1/2\", \"1/10\"]\ndelta = \"1e-6\"";
    place.write(
        "ages.toml",
        request("d.csv", "", ages, "kind = \"linear\"\nslope = \"1/300\"\nfloor = 0\ncap = \"1/2\""),
    );
    place.write("towns.toml", request("d.csv", "where = \"age < 70\"", &format!("{types}{towns}"), staircase));
    release(&place, "ages.toml");
    release(&place, "towns.toml");
    release(&place, "towns.toml");

    let age = |age: u64| [10..30, 30..40, 40..80].iter().position(|range| range.contains(&age));
    let town = |town: usize, age: u64| (age < 70).then_some(town);
    let mut by_age = [0u64; 3];
    let mut by_town = [0u64; 9];
    for (_, home, years) in &rows {
        age(*years).into_iter().for_each(|bin| by_age[bin] += 1);
        town(*home, *years).into_iter().for_each(|bin| by_town[bin] += 1);
    }
    let mut expected: BTreeMap<u64, u64> = BTreeMap::new();
    for (_, home, years) in &rows {
        let linear = age(*years).map(|bin| by_age[bin].min(150));
        let stairs = town(*home, *years).map(|bin| match by_town[bin] {
            0..=40 => 30,
            41..=120 => 150,
            _ => 300,
        });
        if linear.is_some() || stairs.is_some() {
            *expected.entry(linear.unwrap_or(0) + 2 * stairs.unwrap_or(0)).or_default() += 1;
        }
    }
    assert!(expected.len() > 5, "too easy: {expected:?}");
    let found = exposure(&place, &["towns.toml", "ages.toml"]);
    assert_eq!(in_300ths(&found), expected);
    assert_eq!(found["delta"], "1/500000");
    assert_eq!(found["people"], expected.values().sum::<u64>());
}

/// Somebody in three bins counts in two of them. Which, is read off a release of the same bins with exact counts.
#[test]
fn persons_have_lost_what_they_lost_in_the_bins_that_were_chosen() {
    let place = Place::new();
    let visits = [
        ("a", "Bern"),
        ("a", "Bern"),
        ("b", "Bern"),
        ("b", "Chur"),
        ("c", "Bern"),
        ("d", "Bern"),
        ("d", "Chur"),
        ("e", "Chur"),
        ("f", "Davos"),
        ("f", "Davos"),
        ("g", "Davos"),
        ("g", "Uri"),
        ("h", "Bern"),
        ("h", "Chur"),
        ("h", "Davos"),
        ("", "Bern"),
        ("a", "Bern"),
        ("i", "Uri"),
    ];
    let lines = visits.iter().map(|(person, town)| format!("{person},{town}\n"));
    place.write("d.csv", format!("person,town\n{}", lines.collect::<String>()));
    let two = "person = \"person\"\nbins-per-person = 2";
    place.write("request.toml", request("d.csv", two, FINE, EXACT));
    // In a book of its own: exact counts of people in several bins add up with nothing else.
    assert_eq!(place.run(&["release", "request.toml", "--ledger", "exact.sqlite"]).code, 0);
    place.write("two.toml", request("d.csv", two, FINE, "kind = \"simple-outlier-dp\"\ngroup = 3\nepsilon = 2"));
    release(&place, "two.toml");
    // The same people later, some of them gone, in one bin each, and in another file.
    place.write("later.csv", "town,person\nBern,a\nChur,h\nChur,h\nChur,z\nBern,\n");
    let later = request("later.csv", "person = \"person\"", TOWNS, "kind = \"table\"\nvalues = [\"1/3\", \"2/3\"]");
    place.write("later.toml", later.replace("snapshot = \"2026\"", "snapshot = \"2027\""));
    release(&place, "later.toml");

    let towns = ["Bern", "Chur", "Davos"];
    let mut bins: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (person, town) in visits.iter().filter(|(person, _)| !person.is_empty()) {
        let town = towns.iter().position(|listed| listed == town);
        bins.entry(person).or_default().extend(town);
    }
    let counts = |left_out: usize| {
        let kept = |person: &str, town: &usize| !(person == "h" && *town == left_out);
        let mut counts = [0u64; 3];
        for (person, towns) in &bins {
            towns.iter().filter(|town| kept(person, town)).for_each(|town| counts[*town] += 1);
        }
        counts
    };
    let published: Vec<u64> = place.counts().iter().filter_map(|line| line.split(',').nth(1)?.parse().ok()).collect();
    let left_out = (0..3).find(|left_out| counts(*left_out).as_slice() == published).expect("one of three bins");
    let sizes = counts(left_out);
    bins.get_mut("h").expect("h").remove(&left_out);

    // Half of 2/3 in a group of up to 3, half of 2 in a larger one; in 300ths.
    let loss = |town: &usize| if sizes[*town] <= 3 { 100 } else { 300 };
    let mut lost: BTreeMap<&str, u64> = BTreeMap::new();
    for (person, towns) in bins.iter().filter(|(_, towns)| !towns.is_empty()) {
        lost.insert(person, towns.iter().map(loss).sum());
    }
    let people = |lost: &BTreeMap<&str, u64>| {
        let mut people: BTreeMap<u64, u64> = BTreeMap::new();
        lost.values().for_each(|loss| *people.entry(*loss).or_default() += 1);
        people
    };
    let found = exposure(&place, &["two.toml"]);
    assert_eq!(in_300ths(&found), people(&lost));
    assert_eq!((&found["people"], &found["not_included"]), (&json!(8), &json!(1)));
    // Alone in Bern: 1/3; two in Chur: 2/3.
    for (person, loss) in [("a", 100), ("h", 200), ("z", 200)] {
        *lost.entry(person).or_default() += loss;
    }
    let found = exposure(&place, &["two.toml", "later.toml"]);
    assert_eq!(in_300ths(&found), people(&lost));
    assert_eq!(found["people"], 9);
}

#[test]
fn people_who_are_in_two_parts_contradict_the_account() {
    let place = Place::new();
    let people = ["a", "b", "c"].map(|person| format!("{person},Bern\n")).concat();
    place.write("d.csv", format!("person,town\n{people}"));
    let open = ["ledger", "open", "people", "--epsilon", "1", "--people", "disjoint-per-period", "--refresh", "month"];
    assert_eq!(place.run(&open).code, 0);
    for month in ["2026-01", "2026-02"] {
        let text = request("d.csv", "person = \"person\"", TOWNS, PLAIN);
        place.write(&format!("{month}.toml"), text.replace("snapshot = \"2026\"", &format!("snapshot = \"{month}\"")));
        release(&place, &format!("{month}.toml"));
    }
    let names = ["2026-01.toml", "2026-02.toml"];
    assert_eq!(exposure(&place, &names)["contradicting"], 3);
    let said = place.run(&[&["ledger", "exposure"][..], &names].concat());
    assert!(said.stdout.contains("3 people are in more than one"), "{}", said.stdout);
    assert_eq!(exposure(&place, &names[..1])["contradicting"], 0);
}
