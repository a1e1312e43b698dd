//! `release = "series"`: counts period after period, each run where the last one ended.

use crate::place::Place;
use std::collections::BTreeMap;

const REQUEST: &str = r#"release = "series"
[data]
source = "d.csv"
people = "births"
[data.types]
year = "integer"
births = "integer"
[[bins]]
name = "name"
column = "name"
[series]
period = "year"
from = 2001
up-to = 2002
people = "once"
[promise]
kind = "simple-outlier-dp"
group = 10
epsilon = 1
delta = 1e-6
[ledger]
dataset = "births"
snapshot = "2026"
[output]
folder = "out"
"#;

fn place(rows: &str) -> Place {
    let place = Place::new();
    place.write("d.csv", format!("year,name,births\n{rows}"));
    place.write("request.toml", REQUEST);
    place
}

/// Published counts by year and name.
fn published(place: &Place, folder: &str) -> BTreeMap<(String, String), i64> {
    let mut reader = csv::Reader::from_path(place.path(folder).join("counts.csv")).expect("CSV");
    assert_eq!(reader.headers().expect("headings").iter().take(3).collect::<Vec<_>>(), ["year", "name", "count"]);
    let row = |row: csv::StringRecord| ((row[0].to_string(), row[1].to_string()), row[2].parse().expect("a count"));
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

fn total(place: &Place) -> (String, String) {
    let said = place.run(&["ledger", "show", "births", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    let total = &object["accounts"][0]["in_all"][0]["promised"];
    let text = |name: &str| total[name].as_str().unwrap_or_else(|| panic!("{object}")).to_string();
    (text("epsilon"), text("delta"))
}

const LARGE: &str = "2001,Ann,900\n2001,Bo,500\n2002,Ann,800\n2003,Ann,700\n2003,Cy,600\n2004,Cy,400\n";

#[test]
fn a_second_run_goes_on_where_the_first_ended_and_costs_nothing_more() {
    let place = place(LARGE);
    place.released();
    let first = published(&place, "out");
    let keys: Vec<(&str, &str)> = first.keys().map(|(year, name)| (year.as_str(), name.as_str())).collect();
    assert_eq!(keys, [("2001", "Ann"), ("2001", "Bo"), ("2002", "Ann")]);
    let once = total(&place);
    // The data has grown.
    place.write("request.toml", REQUEST.replace("up-to = 2002", "up-to = 2003"));
    let said = place.run(&["release", "request.toml", "--folder", "more"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let keys: Vec<(String, String)> = published(&place, "more").into_keys().collect();
    assert_eq!(keys, [("2003".to_string(), "Ann".to_string()), ("2003".into(), "Cy".into())]);
    assert_eq!(total(&place), once, "nobody is in two periods: the maximum");
    // In another state of the data people may have moved.
    place.write(
        "request.toml",
        REQUEST
            .replace("up-to = 2002", "up-to = 2004\nafter = 2003")
            .replace("snapshot = \"2026\"", "snapshot = \"2027\""),
    );
    assert_eq!(place.run(&["release", "request.toml", "--folder", "moved"]).code, 0);
    assert_eq!(total(&place).0, "2");
    place.write("request.toml", REQUEST.replace("up-to = 2002", "up-to = 2003"));
    for folder in ["out", "more"] {
        let said = place.run(&["verify", folder]);
        assert_eq!(said.code, 0, "{}", said.stdout);
    }
    let said = place.run(&["release", "request.toml", "--folder", "again"]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("every period up to `up-to` was released before"), "{}", said.stderr);
    // Whoever releases a period again says so, and pays for it.
    place.write("request.toml", REQUEST.replace("up-to = 2002", "up-to = 2002\nafter = 2001"));
    assert_eq!(place.run(&["release", "request.toml", "--folder", "again"]).code, 0);
    assert_ne!(total(&place), once);
}

/// Nobody multiplies a budget by a word in a request: people with many rows may be in every run.
#[test]
fn people_with_many_rows_pay_for_each_run_unless_the_account_says_otherwise() {
    let rows: String = (0..300).flat_map(|id| (2001..=2004).map(move |year| format!("{year},Ann,{id}\n"))).collect();
    let request = REQUEST.replace("people = \"births\"", "person = \"births\"").replace("births = \"integer\"\n", "");
    for (declared, both) in [(false, "2"), (true, "1")] {
        let place = place(&rows);
        if declared {
            assert_eq!(place.run(&["ledger", "open", "births", "--splits", "year"]).code, 0);
        }
        for up_to in ["2002", "2003"] {
            place.write("request.toml", request.replace("up-to = 2002", &format!("up-to = {up_to}")));
            let said = place.run(&["release", "request.toml", "--folder", up_to]);
            assert_eq!(said.code, 0, "{}", said.stderr);
        }
        assert_eq!(total(&place).0, both, "declared: {declared}");
    }
    // Nor are parts of an undeclared split other people.
    let place = place(&rows);
    let exact = request.replace("kind = \"simple-outlier-dp\"", "kind = \"simple-outlier\"");
    for (part, folder, code) in [("Ann", "a", 0), ("Bo", "b", 1)] {
        place.write(
            "request.toml",
            exact.replace("[[bins]]", &format!("[data.split]\ncolumn = \"name\"\npart = \"{part}\"\n[[bins]]")),
        );
        let said = place.run(&["release", "request.toml", "--folder", folder]);
        assert_eq!(said.code, code, "{part}: {}", said.stderr);
    }
}

#[test]
fn people_in_many_periods_pay_for_each() {
    let place = place(LARGE);
    let many = REQUEST.replace("people = \"once\"", "people = \"many\"");
    place.write("request.toml", &many);
    let said = place.released();
    assert!(said.stdout.contains("charged      epsilon 2, delta 2 in a million"), "{}", said.stdout);
    assert_eq!(place.run(&["verify", "out"]).code, 0);
    place.write("request.toml", many.replace("up-to = 2002", "up-to = 2004"));
    assert_eq!(place.run(&["release", "request.toml", "--folder", "more"]).code, 0);
    assert_eq!(total(&place).0, "4");
    // Exact counts of the same people in two periods can be subtracted.
    let place = self::place(LARGE);
    let exact = many.replace("kind = \"simple-outlier-dp\"\ngroup", "kind = \"simple-outlier\"\ngroup");
    place.write("request.toml", exact);
    let said = place.run(&["release", "request.toml", "--folder", "exact"]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("two exact counts can be subtracted"), "{}", said.stderr);
}

#[test]
fn running_counts_hold_all_that_was_before() {
    let place = place(LARGE);
    place.write(
        "request.toml",
        REQUEST.replace("people = \"once\"", "mode = \"cumulative\"").replace("up-to = 2002", "up-to = 2004"),
    );
    let said = place.released();
    assert!(said.stdout.contains("charged      epsilon 4"), "{}", said.stdout);
    let counts = published(&place, "out");
    let near = |year: &str, name: &str, truth: i64| {
        let shown = counts[&(year.to_string(), name.to_string())];
        assert!((shown - truth).abs() < 40, "{year} {name}: {shown}, not {truth}");
    };
    for (year, ann, bo) in [("2001", 900, 500), ("2002", 1700, 500), ("2003", 2400, 500), ("2004", 2400, 500)] {
        near(year, "Ann", ann);
        near(year, "Bo", bo);
    }
    near("2004", "Cy", 1000);
    assert!(!counts.contains_key(&("2002".into(), "Cy".into())));
    // A later run starts from all that was before it.
    let place = self::place(LARGE);
    let request = REQUEST
        .replace("people = \"once\"", "mode = \"cumulative\"\nafter = 2003")
        .replace("up-to = 2002", "up-to = 2004");
    place.write("request.toml", request);
    place.released();
    let counts = published(&place, "out");
    assert!(counts.keys().all(|(year, _)| year == "2004"));
    let shown = counts[&("2004".to_string(), "Ann".to_string())];
    assert!((shown - 2400).abs() < 40, "{shown}");
}

/// Names of one size are as many draws of it: the plan's chance to be shown is what happens.
#[test]
fn a_name_is_published_as_often_as_the_plan_says() {
    const NAMES: u32 = 2000;
    for size in [20u32, 24, 28] {
        let mut rows = String::new();
        (0..NAMES).for_each(|name| rows.push_str(&format!("2001,n{name:04},{size}\n")));
        let place = place(&rows);
        let said = place.run(&["plan", "request.toml", "--format", "json", "--counts", &size.to_string()]);
        let object: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
        let hidden = &object["utility"][0]["suppressed"];
        let hidden = hidden.as_f64().or_else(|| hidden.as_str()?.parse().ok()).expect("a chance");
        place.released();
        let shown = published(&place, "out").len() as f64 / f64::from(NAMES);
        // Hoeffding at 1e-12 for each of three sizes.
        let slack = ((2e12f64).ln() / (2.0 * f64::from(NAMES))).sqrt();
        assert!((shown - (1.0 - hidden)).abs() <= slack, "{size}: shown {shown}, planned {}", 1.0 - hidden);
    }
}

/// One more birth, under a new name: nothing else changes, and the newcomer does not show.
#[test]
fn an_arrival_changes_no_other_name() {
    let request = REQUEST.replace("source =", "synthetic = true\nsource =");
    let (one, other) = (place(LARGE), place(&format!("{LARGE}2002,Zoe,1\n")));
    for place in [&one, &other] {
        place.write("request.toml", &request);
    }
    for seed in 0..20 {
        let seed = seed.to_string();
        for place in [&one, &other] {
            let said = place.run(&["release", "request.toml", "--test-seed", &seed, "--replace", "--quiet"]);
            assert_eq!(said.code, 0, "{}", said.stderr);
        }
        assert_eq!(published(&one, "out"), published(&other, "out"), "seed {seed}");
    }
}

#[test]
fn periods_that_are_none_are_refused() {
    let place = place(LARGE);
    for (from, to, words) in [
        ("from = 2001", "", "needs `from`"),
        ("up-to = 2002", "", "needs `up-to`"),
        ("up-to = 2002", "up-to = 2000", "must be at least `from`"),
        ("up-to = 2002", "up-to = 2002\nafter = 2002", "later than `after`"),
        ("up-to = 2002", "up-to = 200200", "at most 10000 periods"),
        ("from = 2001", "from = 2001-01-01", "must be a whole number"),
        ("period = \"year\"", "period = { column = \"day\", truncate = \"month\" }", "not a day"),
        ("name = \"name\"", "name = \"year\"", "the same name"),
    ] {
        place.write("request.toml", REQUEST.replace(from, to));
        let said = place.run(&["plan", "request.toml"]);
        assert_eq!(said.code, 2, "{to}: {}", said.stderr);
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    }
}

#[test]
fn the_axis_of_a_series_shows_dates_and_rehearsed_periods_begin_where_periods_do() {
    for (unit, from, to, first) in [
        ("week", "2010-11-29", "2011-01-17", "2010-12-13"),
        ("month", "2020-01-01", "2020-12-01", "2020-03"),
        ("year", "2015-01-01", "2020-01-01", "2016"),
    ] {
        let place = Place::new();
        let request = REQUEST
            .replace("people = \"births\"\n", "")
            .replace("year = \"integer\"\nbirths = \"integer\"", "day = \"date\"")
            .replace(
                "period = \"year\"\nfrom = 2001\nup-to = 2002",
                &format!("period = {{ column = \"day\", truncate = \"{unit}\" }}\nfrom = {from}\nup-to = {to}"),
            );
        // Nine hundred people in each of the two ends, and in some day between.
        let rows: String = [from, to].iter().flat_map(|day| (0..900).map(move |_| format!("{day},Ann\n"))).collect();
        place.write("d.csv", format!("day,name\n{rows}"));
        place.write("request.toml", &request);
        place.released();
        let page = std::fs::read_to_string(place.path("out/report.html")).expect("a page");
        let (_, chart) = page.split_once("Published counts over time").expect("a chart");
        let chart = &chart[..chart.find("</svg>").expect("a drawing")];
        assert!(chart.contains(&format!("\n{first}\n")) || chart.contains(&format!(">{first}<")), "{unit}: {chart}");
        assert!(!chart.contains("counted from"), "{chart}");
        assert_eq!(place.run(&["verify", "out"]).code, 0);
    }
}

#[test]
fn found_periods_of_a_rehearsal_are_mondays_and_first_days() {
    for (unit, is_first) in [
        ("week", (|day: &str| weekday(day) == 0) as fn(&str) -> bool),
        ("month", |day| day.ends_with("-01")),
        ("year", |day| day.ends_with("-01-01")),
    ] {
        let place = Place::new();
        place.write(
            "request.toml",
            format!(
                "[data]\nsource = \"d.csv\"\n[data.types]\nday = \"date\"\n[[bins]]\nname = \"day\"\ncolumn = \"day\"\ntruncate = \"{unit}\"\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = 1e-6\n[ledger]\ndataset = \"d\"\n[output]\nfolder = \"out\"\n"
            ),
        );
        let said = place.run(&["release", "request.toml", "--rehearse"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let mut reader = csv::Reader::from_path(place.path("out-rehearsal/counts.csv")).expect("CSV");
        let days: Vec<String> = reader.records().map(|row| row.expect("a row")[0].to_string()).collect();
        assert!(days.len() > 10 && days.iter().all(|day| is_first(day)), "{unit}: {days:?}");
    }
}

/// Monday is 0, by Sakamoto's rule.
fn weekday(day: &str) -> u32 {
    let number = |part: &str| part.parse::<u32>().expect("a number");
    let (year, month, day) = (number(&day[..4]), number(&day[5..7]), number(&day[8..]));
    let year = if month < 3 { year - 1 } else { year };
    let shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month as usize - 1];
    (year + year / 4 - year / 100 + year / 400 + shift + day + 6) % 7
}
