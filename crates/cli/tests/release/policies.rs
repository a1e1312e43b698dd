//! Policies from end to end: what stands in a delivered folder, and an attack by subtraction over three linked tables
//! of one account, computed from the laws that `incrowd law` prints.

use crate::place::Place;
use serde_json::Value;
use std::collections::BTreeMap;

/// So many people by region, age and sex. The last region has three people in all.
const CELLS: [(&str, &str, &str, u32); 7] = [
    ("North", "young", "f", 20),
    ("North", "young", "m", 13),
    ("North", "old", "f", 3),
    ("North", "old", "m", 4),
    ("South", "young", "f", 30),
    ("South", "old", "m", 25),
    ("East", "old", "f", 3),
];
const DIMENSIONS: [(&str, &str); 3] =
    [("region", "\"North\", \"South\", \"East\""), ("age", "\"young\", \"old\""), ("sex", "\"f\", \"m\"")];

/// Three tables about the same people, each finer than the one before.
fn linked() -> Place {
    let place = Place::new();
    let mut rows = String::from("region,age,sex\n");
    for (region, age, sex, people) in CELLS {
        (0..people).for_each(|_| rows += &format!("{region},{age},{sex}\n"));
    }
    place.write("people.csv", rows);
    for bins in 1..=3 {
        let bins: String = DIMENSIONS[..bins]
            .iter()
            .map(|(name, values)| format!("[[bins]]\nname = \"{name}\"\ncolumn = \"{name}\"\nvalues = [{values}]\n"))
            .collect();
        let request = format!(
            "policy = \"fewer-than-6\"\n[data]\nsource = \"people.csv\"\n{bins}[ledger]\ndataset = \"people\"\nsnapshot = \"1\"\n"
        );
        place.write(&format!("by-{}.toml", bins.matches("[[bins]]").count()), request);
    }
    place
}

/// What a cell of so many people shows, and how likely.
fn law(place: &Place, count: u64) -> BTreeMap<i64, f64> {
    let said = place.run(&["law", "by-1.toml", "--count", &count.to_string(), "--format", "json"]);
    let object: Value = serde_json::from_str(&said.stdout).expect("JSON");
    let outcomes = object["outcomes"].as_array().expect("a list").iter().map(|outcome| {
        let chance: f64 = outcome["probability"].as_str().expect("a text").parse().expect("a number");
        (outcome["value"].as_i64().expect("an integer"), chance)
    });
    outcomes.collect()
}

/// How sure somebody becomes from even odds who finds one of two chances to hold.
fn sure(with: f64, without: f64) -> f64 {
    100.0 * with.max(without) / (with + without)
}

/// The surest that anybody becomes who sees what all cells of a person show, each of them once with and once without
/// her: every combination of outcomes is tried.
fn surest(cells: &[[BTreeMap<i64, f64>; 2]]) -> f64 {
    // Combinations that change the odds alike are one, as chances multiply.
    let mut seen: Vec<(f64, f64)> = vec![(1.0, 1.0)];
    for [without, with] in cells {
        let mut next: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
        for (a, b) in &seen {
            for value in with.keys().chain(without.keys().filter(|value| !with.contains_key(value))) {
                let [q, p] = [without, with].map(|law| law.get(value).copied().unwrap_or(0.0));
                // Beyond, laws are not listed to the end.
                if p.max(q) < 1e-10 {
                    continue;
                }
                let (p, q) = (a * p, b * q);
                let loss = if q > 0.0 { (1e9 * (p / q).ln()).round() as i64 } else { i64::MAX };
                let both = next.entry(loss).or_insert((0.0, 0.0));
                *both = (both.0 + p, both.1 + q);
            }
        }
        seen = next.into_values().collect();
    }
    seen.into_iter().map(|(with, without)| sure(with, without)).fold(50.0, f64::max)
}

/// What is left of a total when other cells are subtracted from it: the law of the difference.
fn subtracted(total: &BTreeMap<i64, f64>, others: &[BTreeMap<i64, f64>]) -> BTreeMap<i64, f64> {
    let mut left = total.clone();
    for other in others {
        let mut next = BTreeMap::new();
        for (a, p) in &left {
            for (b, q) in other {
                *next.entry(a - b).or_insert(0.0) += p * q;
            }
        }
        left = next;
    }
    left
}

#[test]
fn subtraction_over_three_linked_tables_attains_no_more_than_the_account_says() {
    let place = linked();
    for table in 1..=3 {
        let (request, folder) = (format!("by-{table}.toml"), format!("out-{table}"));
        let said = place.run(&["release", &request, "--folder", &folder]);
        assert_eq!(said.code, 0, "{}", said.stderr);
    }
    let said = place.run(&["ledger", "show", "people", "--format", "json"]);
    let object: Value = serde_json::from_str(&said.stdout).expect("JSON");
    let rows = object.pointer("/accounts/0/in_all/0/by_group").and_then(Value::as_array).expect("sums");
    let promised: Vec<(Option<u64>, bool, f64)> = rows
        .iter()
        .map(|row| {
            let percent = row["at_most_sure_percent"].as_str().expect("a percentage").parse().expect("a number");
            (row["up_to"].as_u64(), row["in_every_table"] == true, percent)
        })
        .collect();
    let anybody = promised.iter().find(|row| row.0.is_none()).expect("a sum for all").2;
    let small = promised.iter().filter(|row| row.0.is_some()).map(|row| row.2).fold(anybody, f64::min);
    // e^(3 x 1.098) and e^(3 x 0.2), from even odds.
    assert!((96.4..=96.5).contains(&anybody), "{promised:?}");
    let laws: BTreeMap<u64, BTreeMap<i64, f64>> =
        [2, 3, 4, 6, 7, 33, 39, 40].into_iter().map(|count| (count, law(&place, count))).collect();
    let cell = |people: u64| [laws[&(people - 1)].clone(), laws[&people].clone()];
    // One of the three old women of the North, among 7 old people and 40 in all: whatever is subtracted from what is a
    // function of what her three cells show, as all others know nothing of her.
    let all = surest(&[cell(40), cell(7), cell(3)]);
    assert!(all <= anybody, "{all} is more than the account says, {anybody}");
    let alone = surest(&[cell(3)]);
    assert!(alone < 55.0 && all > alone + 20.0, "three tables do tell more than one: {all}, {alone}");
    // In the East hers are small in every table.
    let in_every_table = surest(&[cell(3), cell(3), cell(3)]);
    let limit = if promised.iter().any(|row| row.1 && row.0 == Some(5)) { small } else { anybody };
    assert!(in_every_table <= limit && in_every_table > 64.5, "{in_every_table} and {promised:?}");
    // By plain subtraction: the region, less the young of the second table and the old men of the third.
    let others = [laws[&33].clone(), laws[&4].clone()];
    let [without, with] = [39, 40].map(|count| subtracted(&laws[&count], &others));
    let by_subtraction = surest(&[[without, with]]);
    assert!(by_subtraction < all, "{by_subtraction} is not more than what all cells tell together, {all}");
    // Were totals and large cells published as they are, as the rule has it, the same subtraction would tell
    // everything.
    let exact = |count: i64| BTreeMap::from([(count, 1.0)]);
    let told = surest(&[[39, 40].map(|region| subtracted(&exact(region), &[exact(33), exact(4)]))]);
    assert!(told > 99.9, "{told}");
}

#[test]
fn a_delivered_folder_names_its_policy_and_both_say_what_it_gives() {
    let place = linked();
    let said = place.run(&["release", "by-2.toml", "--folder", "out"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let text = std::fs::read_to_string(place.path("out/certificate.json")).expect("a certificate");
    let certificate: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(certificate["request"]["policy"], "fewer-than-6");
    let counts = std::fs::read_to_string(place.path("out/counts.csv")).expect("a table");
    assert!(counts.lines().next().is_some_and(|head| head.ends_with(",shown,quality")), "{counts}");
    let verified = place.run(&["verify", "out"]);
    assert_eq!(verified.code, 0, "{}", verified.stdout);
    assert!(verified.stdout.contains("fewer-than-6 gives the promise"), "{}", verified.stdout);
    std::fs::write(place.path("out/certificate.json"), text.replace("\"fewer-than-6\"", "\"fewer-than-5\""))
        .expect("a file");
    let forged = place.run(&["verify", "out", "--format", "json"]);
    assert_eq!(forged.code, 1, "{}", forged.stdout);
    assert!((forged.stdout + &forged.stderr).contains("does not give the promise"), "a policy with other numbers");
}

#[test]
fn init_writes_the_rule_that_was_asked_for() {
    let place = linked();
    for (arguments, line) in [
        (&[][..], "policy = \"fewer-than-11\""),
        (&["--policy", "k-20"], "policy = \"k-20\""),
        (&["--protect-below", "7"], "small      = 7 "),
    ] {
        let file = format!("request{}.toml", arguments.join(""));
        let said = place.run(&[&["init", "people.csv", "--output", &file][..], arguments].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        let text = std::fs::read_to_string(place.path(&file)).expect("a request");
        assert!(text.contains(line), "{text}");
        let plan = place.run(&["plan", &file, "--no-chart"]);
        assert_eq!(plan.code, 0, "{}", plan.stderr);
        assert!(plan.stdout.contains("55 %") || plan.stdout.contains("rightly become surer"), "{}", plan.stdout);
    }
    for (arguments, words) in [
        (&["--policy", "fewer-than-7"][..], "there is no policy \"fewer-than-7\""),
        (&["--policy", "k-20", "--protect-below", "6"], "cannot be used with"),
        (&["--protect-below", "1"], "2.."),
    ] {
        let said = place.run(&[&["init", "people.csv"][..], arguments].concat());
        assert_eq!(said.code, 2, "{arguments:?}");
        assert!(said.stderr.contains(words), "{arguments:?}: {}", said.stderr);
    }
}
