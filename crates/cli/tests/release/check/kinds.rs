//! Every example, clean and dirty: `check` of each kind of release sees what a few lines of Rust count, names what is
//! wrong, and its fix mends it.

use super::{check, object};
use crate::place::Place;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How many people are in each bin.
type CountedBins = BTreeMap<Vec<String>, u64>;

/// A place with an example as its request.
fn example(name: &str) -> Place {
    let place = Place::new();
    assert_eq!(place.run(&["example", name, "."]).code, 0);
    place
}

fn lines(place: &Place, data: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(place.path(data)).expect("CSV");
    reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect()
}

/// Bins, people in them, and bins of more than 20 people, as `check` says.
fn said(object: &Value) -> (u64, u64, u64) {
    let ranges = object["bins_by_size"].as_array().expect("ranges");
    let number = |range: &Value, key: &str| range[key].as_u64().expect("a number");
    let is_large = |range: &&Value| {
        let least = range["people_in_bin"].as_str().expect("a range").split(' ').next().expect("a number");
        least.parse::<u64>().expect("a number") > 20
    };
    (
        ranges.iter().map(|range| number(range, "bins")).sum(),
        ranges.iter().map(|range| number(range, "people")).sum(),
        ranges.iter().filter(is_large).map(|range| number(range, "bins")).sum(),
    )
}

fn of(bins: &CountedBins) -> (u64, u64, u64) {
    let large = bins.values().filter(|people| **people > 20).count();
    (bins.len() as u64, bins.values().sum(), large as u64)
}

/// The bins of persons who are in each of theirs once, whatever is cut.
fn distinct(pairs: impl Iterator<Item = (String, Vec<String>)>) -> CountedBins {
    let pairs: BTreeSet<(String, Vec<String>)> = pairs.collect();
    let mut bins = CountedBins::new();
    for (_, bin) in pairs {
        *bins.entry(bin).or_default() += 1;
    }
    bins
}

/// How many items each person has.
fn baskets(rows: &[Vec<String>]) -> Vec<u64> {
    let mut items: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows {
        items.entry(&row[0]).or_default().insert(&row[1]);
    }
    items.values().map(|items| items.len() as u64).collect()
}

#[test]
fn the_bins_of_a_series_are_those_of_each_period() {
    let place = example("series");
    let mut bins = CountedBins::new();
    for row in lines(&place, "births.csv") {
        *bins.entry(row[..2].to_vec()).or_default() += row[2].parse::<u64>().expect("births");
    }
    let object = object(&place, &[]);
    assert_eq!(said(&object), of(&bins));
    assert_eq!((&object["verdict"], &object["lost"]), (&Value::from("well"), &Value::from(0)));
}

#[test]
fn the_items_of_a_list_of_the_most_frequent_are_all_items() {
    let place = example("top");
    let bins = distinct(lines(&place, "purchases.csv").into_iter().map(|row| (row[0].clone(), vec![row[1].clone()])));
    let object = object(&place, &[]);
    assert_eq!(said(&object), of(&bins));
    assert_eq!(object["verdict"], "well");
}

#[test]
fn the_kinds_of_rows_are_those_behind_the_hierarchy() {
    let place = example("rows");
    let hierarchy = std::fs::read_to_string(place.path("departments.csv")).expect("a hierarchy");
    let coarser: BTreeMap<&str, &str> = hierarchy.lines().filter_map(|line| line.split_once(',')).collect();
    let edges = [0, 40_000, 60_000, 80_000, 100_000, 140_000, 200_000];
    let kind = |row: &Vec<String>| {
        let salary: u64 = row[2].parse().expect("a salary");
        vec![coarser[row[1].as_str()].to_owned(), edges.iter().filter(|edge| **edge <= salary).count().to_string()]
    };
    let bins = distinct(lines(&place, "employees.csv").iter().map(|row| (row[0].clone(), kind(row))));
    let object = object(&place, &[]);
    assert_eq!(said(&object), of(&bins));
    assert_eq!(object["verdict"], "well");
}

#[test]
fn the_groups_of_points_are_cells_and_not_places_of_the_grid() {
    let place = example("points");
    let mut bins = CountedBins::new();
    for row in lines(&place, "accidents.csv") {
        // Cells are a hundredth of a degree wide.
        *bins.entry(row.iter().map(|at| at[..at.find('.').expect("a point") + 3].to_owned()).collect()).or_default() +=
            1;
    }
    let object = object(&place, &[]);
    assert_eq!(said(&object), of(&bins));
    // From 20 people on a cell is shown: what is forecast is what is published.
    place.released();
    let published = std::fs::read_to_string(place.path("out/points.csv")).expect("points").lines().count() - 1;
    let shown: u64 = bins.values().filter(|people| **people >= 20).sum();
    assert_eq!(published as u64, shown);
    assert_eq!(object["forecast"]["shown_expected"].as_f64().map(f64::round), Some(count_from(&bins, 20)));
}

fn count_from(bins: &CountedBins, least: u64) -> f64 {
    bins.values().filter(|people| **people >= least).count() as f64
}

#[test]
fn points_in_none_of_the_boxes_are_lost() {
    let place = Place::new();
    let mut rows = String::from("x,y\n");
    (0..30).for_each(|point| rows.push_str(&format!("{}.5,1\n", point % 10)));
    (0..25).for_each(|_| rows.push_str("15,3.5\n"));
    (0..5).for_each(|_| rows.push_str("15,1\n"));
    place.write("d.csv", rows);
    let axis = |name: &str, boxes: &str| {
        format!("[[axes]]\nname = \"{name}\"\ncolumn = \"{name}\"\nboxes = {boxes}\nstep = 0.5\n")
    };
    place.write(
        "request.toml",
        format!(
            "release = \"points\"\n[data]\nsource = \"d.csv\"\n[data.types]\nx = \"number\"\ny = \"number\"\n{}{}[promise]\n\
             kind = \"crowd-blending\"\ncrowd = 20\nepsilon = 2\n[ledger]\ndataset = \"places\"\n[output]\nfolder = \"out\"\n",
            axis("x", "[[0, 10], [10, 20]]"),
            axis("y", "[[-5, 5], [3, 4]]"),
        ),
    );
    let object = object(&place, &[]);
    assert_eq!(said(&object), (2, 55, 2));
    assert_eq!((&object["people"], &object["lost"]), (&Value::from(60), &Value::from(5)));
    assert_eq!(object["losses"][0]["cause"], "no-box");
    let page = check(&place).stdout;
    assert!(page.contains("their points are in none of the boxes"), "{page}");
}

#[test]
fn pairs_are_told_with_what_the_limit_leaves_of_them() {
    let place = example("baskets");
    let sizes = baskets(&lines(&place, "purchases.csv"));
    let pairs: Vec<u64> = sizes.iter().map(|items| items * (items - 1) / 2).collect();
    let object = object(&place, &[]);
    let limits = &object["limits"];
    assert_eq!(limits["person_bins"], pairs.iter().sum::<u64>());
    assert_eq!(limits["counted"], pairs.iter().map(|pairs| pairs.min(&10)).sum::<u64>());
    assert_eq!(limits["people_cut_by_bins_per_person"], pairs.iter().filter(|pairs| **pairs > 10).count());
    assert_eq!(said(&object).1, limits["counted"].as_u64().expect("a number"));
    assert_eq!(object["verdict"], "well");
    // Four of each leave out more, and the smallest limit that leaves out at most a fifth is told.
    let text = std::fs::read_to_string(place.path("request.toml")).expect("a request");
    place.write("request.toml", text.replace("bins-per-person = 10", "bins-per-person = 2"));
    let counted = |limit: u64| pairs.iter().map(|pairs| *pairs.min(&limit)).sum::<u64>();
    let enough = (1..).find(|limit| counted(*limit) * 5 >= counted(u64::MAX) * 4).expect("a limit");
    let cut = super::object(&place, &[]);
    assert_eq!(
        (&cut["verdict"], &cut["limits"]["wider"]["bins_per_person"]),
        (&Value::from("cuts"), &Value::from(enough))
    );
    assert_eq!(cut["limits"]["wider"]["counted"], counted(enough));
}

#[test]
fn a_sample_is_looked_at_as_all_people() {
    let place = example("sampled");
    let bins = distinct(lines(&place, "people.csv").into_iter().map(|row| (row[0].clone(), row[1..].to_vec())));
    let object = object(&place, &[]);
    assert_eq!(said(&object), of(&bins), "nobody tosses a coin to look");
    assert_eq!(object["verdict"], "well");
}

#[test]
fn every_example_goes_well() {
    for name in ["salaries", "diagnoses", "keywords", "series", "top", "rows", "points", "baskets", "sampled"] {
        let said = check(&example(name));
        assert_eq!(said.code, 0, "{name}: {}{}", said.stdout, said.stderr);
    }
}

/// A fault of an example's data.
struct Dirty {
    example: &'static str,
    data: &'static str,
    make: fn(&str) -> String,
    /// What `check` says.
    says: &'static [&'static str],
    /// How `check` ends with what it advises: it goes well, or there is something that no key mends.
    ends: i32,
}

/// Changes fields of every n-th row.
fn every(n: usize, text: &str, change: fn(Vec<String>) -> Vec<String>) -> String {
    let mut rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let head = rows.next().expect("names");
    let rows = rows.enumerate().map(|(at, row)| if at % n == 0 { change(row) } else { row });
    [head].into_iter().chain(rows).map(|row| row.join(",") + "\n").collect()
}

fn with_last(mut row: Vec<String>, change: impl Fn(&str) -> String) -> Vec<String> {
    if let Some(last) = row.last_mut() {
        *last = change(last);
    }
    row
}

fn dirty() -> Vec<Dirty> {
    let semicolons: fn(&str) -> String = |text| text.replace(',', ";");
    let not_there: fn(&str) -> String = |text| every(5, text, |row| with_last(row, |_| "N/A".into()));
    let thousands: fn(&str) -> String = |text| {
        every(1, text, |row| {
            with_last(row, |number| match number.len() {
                4.. => format!("\"{},{}\"", &number[..number.len() - 3], &number[number.len() - 3..]),
                _ => number.to_owned(),
            })
        })
    };
    vec![
        Dirty {
            example: "series",
            data: "births.csv",
            make: semicolons,
            says: &["the sign \";\" 2 times", "[data] delimiter = \";\""],
            ends: 0,
        },
        Dirty {
            example: "series",
            data: "births.csv",
            make: thousands,
            // One row of a thousand children is more than one person.
            says: &[
                "% of the rows, which cannot be read or do not say for how many people",
                "[data] thousands = \",\"",
            ],
            ends: 0,
        },
        Dirty {
            example: "series",
            data: "births.csv",
            make: not_there,
            says: &["% of the rows, which", "[data] missing = [\"N/A\"]"],
            ends: 1,
        },
        Dirty {
            example: "series",
            data: "births.csv",
            make: |text| text.replace("\n20", "\n19"),
            says: &["everybody is lost", "\"year\": it is in none of the periods", "before the first, 2001"],
            ends: 1,
        },
        Dirty {
            example: "top",
            data: "purchases.csv",
            make: |text| every(7, text, |row| vec![row.join(",") + ",x"]),
            says: &["line 2", "3 fields, where 2 are expected", "on-bad-row = \"skip\""],
            // A seventh of the rows is lost then.
            ends: 1,
        },
        Dirty {
            example: "top",
            data: "purchases.csv",
            make: |text| every(3, text, |row| vec![String::new(), row[1].clone()]),
            says: &["no identifier in \"customer\""],
            ends: 1,
        },
        Dirty {
            example: "rows",
            data: "employees.csv",
            make: |text| every(3, text, |row| vec![row[0].clone(), format!(" {}", row[1]), row[2].clone()]),
            // Columns of rows take no expression, and what they do not have is not advised.
            says: &[
                "is \"Sales\" but for blanks around it",
                "takes no expression: write its values into the file as `trim(",
            ],
            ends: 1,
        },
        Dirty {
            example: "rows",
            data: "employees.csv",
            make: not_there,
            says: &["counted as missing, for the value cannot be read", "[data] missing = [\"N/A\"]"],
            ends: 0,
        },
        Dirty {
            example: "points",
            data: "accidents.csv",
            make: |text| text.replace(',', ";").replace('.', ","),
            says: &["the sign \";\" once", "[data] delimiter = \";\""],
            // Then come the decimal commas, which are looked for again.
            ends: 0,
        },
        Dirty {
            example: "points",
            data: "accidents.csv",
            make: |text| every(2, text, |row| row.into_iter().rev().collect()),
            says: &["\"lng\": the value is in none of its bins", "from the last edge on, 8.64"],
            ends: 1,
        },
        Dirty {
            example: "baskets",
            data: "purchases.csv",
            make: not_there,
            says: &["\"N/A\",", "[data] missing = [\"N/A\"]"],
            ends: 0,
        },
        Dirty {
            example: "sampled",
            data: "people.csv",
            make: |text| every(2, text, |row| row.into_iter().map(|field| field.to_uppercase()).collect()),
            says: &["is \"south\" but for capital letters", "lower(trim(region))"],
            ends: 0,
        },
    ]
}

#[test]
fn faults_are_named_in_every_kind_and_what_is_advised_helps() {
    for fault in dirty() {
        let place = example(fault.example);
        let text = std::fs::read_to_string(place.path(fault.data)).expect("data");
        place.write(fault.data, (fault.make)(&text));
        let said = check(&place);
        let title = format!("{}, {:?}", fault.example, fault.says);
        let words = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in fault.says {
            assert!(words.contains(part), "{title}: {}{}", said.stdout, said.stderr);
        }
        let is_silent = !words.contains("What would help");
        if is_silent {
            assert_eq!((said.code, fault.ends), (1, 1), "{title}: {}", said.stdout);
            continue;
        }
        let fixed = place.run(&["check", "request.toml", "--fix", "fixed.toml"]);
        assert_eq!(fixed.code, said.code, "{title}");
        // What only a human can decide is not written.
        if !place.path("fixed.toml").exists() {
            assert_eq!((said.code, fault.ends), (1, 1), "{title}: {}", fixed.stderr);
            continue;
        }
        let again = place.run(&["check", "fixed.toml"]);
        assert_eq!(again.code, fault.ends, "{title}: {}{}", again.stdout, again.stderr);
    }
}

#[test]
fn decimal_commas_of_points_are_mended_at_once_though_the_second_step_needs_the_first() {
    let place = example("points");
    let text = std::fs::read_to_string(place.path("accidents.csv")).expect("data");
    place.write("accidents.csv", text.replace(',', ";").replace('.', ","));
    let said = place.run(&["check", "request.toml", "--fix", "read.toml"]);
    assert!(said.code == 1 && said.stderr.contains("and with them a release would go well"), "{}", said.stderr);
    let said = place.run(&["check", "read.toml"]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
}
