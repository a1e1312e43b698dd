//! `release = "top"`: the most frequent items, chosen by an exact mechanism.

use crate::place::Place;
use std::collections::BTreeSet;

const REQUEST: &str = r#"release = "top"
[data]
source = "d.csv"
person = "id"
bins-per-person = 2
[[bins]]
name = "item"
column = "item"
[top]
items = 3
counts = true
epsilon-stabilise = 2
epsilon-select = 3
epsilon-counts = 2
[promise]
kind = "differential-privacy"
epsilon = 7
delta = 1e-6
[ledger]
dataset = "baskets"
[output]
folder = "out"
formats = ["csv", "parquet"]
"#;

/// People 0 to 399: each has item 0 with the first 400, item 1 with 350, and so on; nobody more than two.
fn place() -> Place {
    let place = Place::new();
    let mut rows = String::from("id,item\n");
    let mut person = 0;
    for (item, people) in [("tea", 400), ("milk", 350), ("bread", 300), ("salt", 40), ("figs", 30), ("caviar", 1)] {
        for _ in 0..people {
            // Every row twice: a person counts once.
            rows.push_str(&format!("{person},{item}\n{person},{item}\n"));
            person = (person + 1) % 600;
        }
    }
    place.write("d.csv", rows);
    place.write("request.toml", REQUEST);
    place
}

fn published(place: &Place) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(place.path("out/counts.csv")).expect("CSV");
    let headings: Vec<String> = reader.headers().expect("headings").iter().map(String::from).collect();
    let quality = (!headings.is_empty() && headings.len() > 6).then_some("quality");
    let expected: Vec<&str> = ["rank", "item", "counted", "low", "high", "status"].into_iter().chain(quality).collect();
    assert_eq!(headings, expected, "a person may have more items than she is counted in");
    reader.records().map(|row| row.expect("a row").iter().map(String::from).collect()).collect()
}

#[test]
fn the_items_that_lead_are_chosen_with_their_counts() {
    let place = place();
    let said = place.released();
    assert!(said.stdout.contains("charged      epsilon 7"), "{}", said.stdout);
    let rows = published(&place);
    let ranks: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(ranks, ["1", "2", "3"]);
    let items: BTreeSet<&str> = rows.iter().map(|row| row[1].as_str()).collect();
    assert_eq!(items, BTreeSet::from(["tea", "milk", "bread"]));
    for row in &rows {
        let truth = [("tea", 400i64), ("milk", 350), ("bread", 300)];
        let truth = truth.iter().find(|(item, _)| *item == row[1]).expect("an item").1;
        assert!((row[2].parse::<i64>().expect("a count") - truth).abs() < 60, "{row:?}");
    }
    let said = place.run(&["verify", "out"]);
    assert_eq!(said.code, 0, "{}", said.stdout);
    let page = std::fs::read_to_string(place.path("out/report.html")).expect("a page");
    assert!(page.contains("The 3 most frequent: item"), "a title");
}

/// What a plan says about who is found and chosen: (others, count, lead, chance of all).
fn leads(place: &Place) -> Vec<(f64, f64, f64, f64)> {
    let said = place.run(&["plan", "request.toml", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    let number = |value: &serde_json::Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
    let read = |lead: &serde_json::Value| {
        let [others, count, ahead, chance] = ["others", "count", "lead", "chance_of_all"]
            .map(|name| number(&lead[name]).unwrap_or_else(|| panic!("no {name} in {lead}")));
        (others, count, ahead, chance)
    };
    object["top"]["leads"].as_array().expect("leads").iter().map(read).collect()
}

#[test]
fn the_chance_of_all_top_items_counts_in_that_they_must_first_be_found() {
    let place = place();
    // items, bins per person, threshold given, epsilons of the first two steps.
    for (items, bins, stabilise, select) in [(3, 2, 2.0, 3.0), (20, 10, 2.0, 4.0), (2, 1, 0.1, 10.0)] {
        let request = REQUEST
            .replace("items = 3", &format!("items = {items}"))
            .replace("bins-per-person = 2", &format!("bins-per-person = {bins}"))
            .replace("epsilon-stabilise = 2", &format!("epsilon-stabilise = {stabilise}"))
            .replace("epsilon-select = 3", &format!("epsilon-select = {select}"))
            .replace("epsilon = 7", "epsilon = 20");
        place.write("request.toml", request);
        let plan = place.run(&["plan", "request.toml"]).stdout;
        let threshold = plan.split("reaches ").nth(1).and_then(|rest| rest.split(';').next()).expect("a threshold");
        let threshold: f64 = threshold.parse().expect("a number");
        for (others, count, lead, said) in leads(&place) {
            // Written from the definitions: noise that reaches the threshold, and permute-and-flip among the others.
            let rate = stabilise / f64::from(bins);
            let z = (-rate).exp();
            let tail = |distance: f64| (-rate * distance).exp() / (1.0 + z);
            let found = if count < threshold { tail(threshold - count) } else { 1.0 - tail(count - threshold + 1.0) };
            let q = (-select / f64::from(items) * lead).exp();
            let chosen = (1.0 - (1.0 - q).powf(others + 1.0)) / ((others + 1.0) * q);
            let truth = (found * chosen).powi(items);
            assert!(said >= 0.95 && said <= truth * (1.0 + 1e-6), "{items} {others}: {said}, and {truth} is true");
            assert!(truth - said < 1e-5, "{items} {others}: {said}, and {truth} is true");
            assert!(count > threshold, "{items}: {count} people, and {threshold} are asked for");
            assert!(plan.replace('\n', " ").contains(&format!("{lead} of at most")), "{plan}");
        }
    }
}

#[test]
fn items_with_the_stated_counts_are_chosen_and_items_below_the_threshold_are_not() {
    let place = place();
    let request = REQUEST.replace("person = \"id\"", "person = \"id\"\nsynthetic = true").replace(", \"parquet\"", "");
    place.write("request.toml", &request);
    let (_, count, lead, _) = leads(&place)[0];
    let (count, lead) = (count as i64, lead as i64);
    let chosen = |top: i64, low: i64| {
        let mut rows = String::from("id,item\n");
        let items =
            (0..3).map(|item| (format!("top {item}"), top)).chain((0..5).map(|item| (format!("low {item}"), low)));
        let mut person = 0;
        for (item, people) in items {
            for _ in 0..people {
                rows.push_str(&format!("{person},{item}\n"));
                person += 1;
            }
        }
        place.write("d.csv", rows);
        let all = |seed: u32| {
            let said = place.run(&["release", "request.toml", "--replace", "--test-seed", &seed.to_string()]);
            assert_eq!(said.code, 0, "{}", said.stderr);
            published(&place).iter().filter(|row| row[1].starts_with("top")).count() == 3
        };
        (1..=10).filter(|seed| all(*seed)).count()
    };
    // The seeds are fixed; of ten times nine and a half are promised.
    let top = count.max(lead + 1);
    assert!(chosen(top, top - lead) >= 8);
    // The same lead, with counts that are hardly ever found.
    assert_eq!(chosen(lead.max(3), 1), 0);
}

#[test]
fn what_the_steps_cost_holds_for_groups_that_the_promise_leaves_out() {
    let place = place();
    place.write(
        "request.toml",
        REQUEST.replace("kind = \"differential-privacy\"\nepsilon = 7", "kind = \"table\"\nvalues = [7, \"infinite\"]"),
    );
    let said = place.run(&["plan", "request.toml"]);
    assert!(
        said.stdout.replace("\n               ", " ").contains("epsilon 7 is kept for people in groups of any size"),
        "{}{}",
        said.stdout,
        said.stderr
    );
}

#[test]
fn without_counts_only_ranks_are_published() {
    let place = place();
    let without = REQUEST
        .replace("counts = true\n", "")
        .replace("epsilon-counts = 2\n", "")
        .replace("epsilon = 7", "epsilon = 5");
    place.write("request.toml", without);
    place.released();
    let rows = published(&place);
    assert!(rows.iter().all(|row| row[2..] == ["", "", "", "chosen"]), "{rows:?}");
    assert_eq!(place.run(&["verify", "out"]).code, 0);
}

#[test]
fn what_the_request_names_is_always_a_candidate() {
    let place = place();
    let always = REQUEST.replace("items = 3", "items = 7\nalways = [\"caviar\", \"nothing\"]");
    place.write("request.toml", always.replace(", \"parquet\"", ""));
    place.released();
    let items: Vec<String> = published(&place).into_iter().map(|row| row[1].clone()).collect();
    assert!(items.contains(&"caviar".to_string()) && items.contains(&"nothing".to_string()), "{items:?}");
    assert_eq!(place.run(&["verify", "out"]).code, 0);
    // Both are surely chosen: a table with one item is forged.
    let text = std::fs::read_to_string(place.path("out/counts.csv")).expect("a table");
    let few: String = text.lines().take(2).map(|line| format!("{line}\n")).collect();
    let said = place.verify_forged("counts.csv", &few);
    assert!(said.stdout.contains("surely chosen"), "{}", said.stdout);
}

#[test]
fn forged_choices_are_noticed() {
    let place = place();
    place.write("request.toml", REQUEST.replace(", \"parquet\"", ""));
    place.released();
    let path = place.path("out/counts.csv");
    let text = std::fs::read_to_string(&path).expect("a table");
    let lines: Vec<&str> = text.lines().collect();
    let mut swapped = lines.clone();
    swapped.swap(1, 2);
    let dropped: Vec<&str> = [lines[0], lines[2], lines[3]].to_vec();
    let again = lines[2].replacen("2,", "3,", 1);
    let twice: Vec<&str> = vec![lines[0], lines[1], lines[2], &again];
    for forged in [swapped, dropped, twice] {
        let said = place.verify_forged("counts.csv", &(forged.join("\n") + "\n"));
        assert_eq!(said.code, 1, "{}", said.stdout);
        assert!(said.stdout.contains("WRONG        table contents"), "{}", said.stdout);
    }
}

#[test]
fn steps_that_cost_more_than_is_promised_are_refused() {
    let place = place();
    for (from, to, code, words) in [
        ("epsilon = 7", "epsilon = 6", 1, "spend epsilon 7 together"),
        ("delta = 1e-6\n", "", 1, "needs a `delta`"),
        ("name = \"item\"", "name = \"rank\"", 2, "already has a column"),
        ("items = 3", "items = 3\nalways = [1]", 2, "`always` lists texts"),
        ("column = \"item\"", "column = \"item\"\nvalues = [\"tea\"]\n[top.x]", 2, ""),
    ] {
        place.write("request.toml", REQUEST.replace(from, to));
        let said = place.run(&["plan", "request.toml"]);
        assert_eq!(said.code, code, "{to}: {}", said.stderr);
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    }
}

/// Pairs of items that people have together, cut to so many for each.
#[test]
fn pairs_of_items_are_counted_and_cut() {
    let place = Place::new();
    let mut rows = String::from("id,item\n");
    for person in 0..300 {
        for item in ["tea", "milk", "bread"] {
            rows.push_str(&format!("{person},{item}\n"));
        }
    }
    place.write("d.csv", rows);
    let request = "[data]\nsource = \"d.csv\"\nperson = \"id\"\nbins-per-person = 3\n[[bins]]\nname = \"item\"\ncolumn = \"item\"\nitems = \"pairs\"\n[promise]\nkind = \"differential-privacy\"\nepsilon = 9\ndelta = 1e-6\n[ledger]\ndataset = \"p\"\n[output]\nfolder = \"out\"\n";
    place.write("request.toml", request);
    let said = place.run(&["plan", "request.toml"]);
    assert!(said.stdout.contains("with 5 values 3 of 10 pairs (30 %)"), "{}", said.stdout);
    place.released();
    let mut reader = csv::Reader::from_path(place.path("out/counts.csv")).expect("CSV");
    assert_eq!(reader.headers().expect("headings").iter().take(2).collect::<Vec<_>>(), ["item 1", "item 2"]);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let pairs: Vec<(&str, &str)> = rows.iter().map(|row| (&row[0], &row[1])).collect();
    assert_eq!(pairs, [("bread", "milk"), ("bread", "tea"), ("milk", "tea")]);
    assert!(rows.iter().all(|row| (row[2].parse::<i64>().expect("a count") - 300).abs() < 60), "{rows:?}");
    assert_eq!(place.run(&["verify", "out"]).code, 0);
    let text = std::fs::read_to_string(place.path("out/counts.csv")).expect("a table");
    for forged in [text.replace("bread,milk", "milk,bread"), text.replace("bread,milk", "bread,bread")] {
        let said = place.verify_forged("counts.csv", &forged);
        assert!(said.stdout.contains("a pair whose first side"), "{}", said.stdout);
        place.verify_forged("counts.csv", &text);
    }
    // With one pair each, they share 300 people.
    place.write("request.toml", request.replace("bins-per-person = 3", "bins-per-person = 1"));
    assert_eq!(place.run(&["release", "request.toml", "--replace", "--again"]).code, 0);
    let mut reader = csv::Reader::from_path(place.path("out/counts.csv")).expect("CSV");
    let sum: i64 = reader.records().map(|row| row.expect("a row")[2].parse::<i64>().expect("a count")).sum();
    assert!((sum - 300).abs() < 60, "{sum}");
    for (from, to, words) in [
        ("person = \"id\"\nbins-per-person = 3\n", "", "needs `person`"),
        ("items = \"pairs\"", "items = \"pairs\"\nvalues = [\"tea\"]", "found in the data"),
        ("items = \"pairs\"", "items = \"triples\"", "each, pairs"),
    ] {
        place.write("request.toml", request.replace(from, to));
        let said = place.run(&["plan", "request.toml"]);
        assert_eq!(said.code, 2, "{to}: {}", said.stderr);
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    }
}
