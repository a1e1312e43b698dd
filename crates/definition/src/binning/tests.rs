//! One test for each rule: what is granted, what is refused, and what an example says.

use super::{Binning, Difference, Side};
use incrowd_privacy::{Apart, Relation};
use serde_json::{Value, json};

/// A binning of one or more dimensions, with changes.
fn text(bins: Value, change: impl Fn(&mut Value)) -> String {
    let mut binning = json!({
        "dataset": "employees", "snapshot": "2026", "where": null, "unit": { "bins-per-person": 1 },
        "types": { "age": "integer" }, "timezone": "UTC", "kind": null, "bins": bins,
    });
    change(&mut binning);
    binning.to_string()
}

fn read(bins: Value) -> Binning {
    changed(bins, |_| {})
}

fn changed(bins: Value, change: impl Fn(&mut Value)) -> Binning {
    let text = text(bins, change);
    Binning::read(&text).unwrap_or_else(|| panic!("{text}"))
}

fn bin(column: &str, cut: Value, other: bool, nulls: &str) -> Value {
    json!({ "source": { "column": column }, "cut": cut, "other": other, "nulls": nulls })
}

/// A dimension that drops what it does not list, and what is missing.
fn silent(column: &str, cut: Value) -> Value {
    bin(column, cut, false, "drop")
}

/// A dimension that drops nothing.
fn full(column: &str, cut: Value) -> Value {
    let other = ["values", "edges", "days", "from"].iter().any(|key| cut.get(key).is_some());
    bin(column, cut, other, "bin")
}

fn values(values: Value) -> Value {
    json!({ "values": values })
}

fn edges(edges: &[&str]) -> Value {
    json!({ "edges": edges })
}

fn regular(from: &str, width: &str, intervals: u64) -> Value {
    json!({ "from": from, "width": width, "intervals": intervals })
}

fn relation(first: Value, second: Value) -> Relation {
    read(json!([first])).relation(&read(json!([second])))
}

#[test]
fn what_is_not_exactly_understood_is_not_read() {
    let good = silent("age", values(json!([1, 2])));
    assert!(Binning::read(&text(json!([good]), |_| {})).is_some());
    for cut in [
        json!("Found"),
        json!(null),
        json!({}),
        json!({ "prefix": 2 }),
        values(json!([])),
        values(json!([1, "1"])),
        values(json!([1, 1])),
        values(json!([1.5])),
        values(json!([null])),
        values(json!([{ "date": "2021-02-29" }])),
        values(json!([{ "date": "2021-02-28", "zone": "UTC" }])),
        edges(&["1"]),
        edges(&["1", "1"]),
        edges(&["2", "1"]),
        edges(&["0.5", "1"]),
        edges(&["2/4", "1"]),
        edges(&["+1", "2"]),
        json!({ "edges": [1, 2] }),
        json!({ "edges": ["0", "1"], "closed": "right" }),
        regular("0", "0", 1),
        regular("0", "-1", 1),
        regular("0", "1", 0),
        json!({ "from": "0", "width": "1", "intervals": 1.0 }),
        json!({ "days": ["2020-01-01", "20200102"] }),
        json!({ "truncate": "quarter" }),
        json!({ "truncate": "month", "first": "2020-01-02", "last": "2020-02-01" }),
        json!({ "truncate": "month", "first": "2020-03-01", "last": "2020-02-01" }),
        json!({ "truncate": "week", "first": "2020-01-01", "last": "2020-01-06" }),
        json!({ "truncate": "month", "first": "2020-01-01" }),
    ] {
        assert_eq!(Binning::read(&text(json!([silent("age", cut.clone())]), |_| {})), None, "{cut}");
    }
    for (key, value) in [
        ("other", json!(1)),
        ("nulls", json!("keep")),
        ("nulls", json!(true)),
        ("name", json!("age")),
        ("source", json!("age")),
        ("source", json!({ "column": "age", "expression": "age" })),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        assert_eq!(Binning::read(&text(json!([bad]), |_| {})), None, "{bad}");
    }
    for cut in [json!("found"), json!({ "truncate": "day" })] {
        assert_eq!(Binning::read(&text(json!([bin("age", cut, true, "drop")]), |_| {})), None);
    }
    for (key, value) in [
        ("weights", json!("1/2")),
        ("dataset", json!(1)),
        ("snapshot", json!(null)),
        ("where", json!(true)),
        ("unit", json!({})),
        ("unit", json!({ "bins-per-person": 0 })),
        ("unit", json!({ "bins-per-person": 2 })),
        ("unit", json!({ "people": "n", "bins-per-person": 2 })),
        ("unit", json!({ "person": "id", "people": "n", "bins-per-person": 1 })),
        ("types", json!({ "age": "float" })),
        ("bins", json!([])),
        ("split", json!(null)),
        ("split", json!({ "column": "region" })),
        ("split", json!({ "column": "region", "part": null })),
        ("split", json!({ "column": "region", "part": "north", "of": 4 })),
    ] {
        let bad = text(json!([good]), |binning| binning[key] = value.clone());
        assert_eq!(Binning::read(&bad), None, "{bad}");
    }
    let good = text(json!([good]), |_| {});
    for bad in [
        good.replace("{\"bins\"", "{ \"bins\""),
        good.replacen("{\"", "{\"dataset\":\"employees\",\"", 1),
        good[1..].into(),
    ] {
        assert_eq!(Binning::read(&bad), None, "{bad}");
    }
    assert_eq!(Binning::read(""), None);
}

#[test]
fn the_same_text_is_the_same_binning_whatever_the_unit() {
    for unit in [json!({ "bins-per-person": 1 }), json!({ "person": "id", "bins-per-person": 3 })] {
        let one = changed(json!([silent("age", json!("found"))]), |binning| binning["unit"] = unit.clone());
        assert_eq!(one.relation(&one.clone()), Relation::Same);
    }
    // A found key is an integer or a text: the definitions tell them apart.
    assert_eq!(relation(silent("x", values(json!([1]))), silent("x", values(json!(["1"])))), Relation::Different);
    assert_eq!(
        relation(silent("x", values(json!(["2020-01-01"]))), silent("x", values(json!([{ "date": "2020-01-01" }])))),
        Relation::Different
    );
}

#[test]
fn whatever_else_differs_makes_a_coarser_binning_different() {
    let (fine, coarse) = (json!([full("age", values(json!([1, 2])))]), json!([full("age", values(json!([1])))]));
    let first = read(fine.clone());
    assert_eq!(first.relation(&read(coarse.clone())), Relation::Coarser);
    for (key, value) in [
        ("dataset", json!("others")),
        ("snapshot", json!("2")),
        ("where", json!("age > 1")),
        ("unit", json!({ "people": "n", "bins-per-person": 1 })),
        ("types", json!({})),
        ("timezone", json!("Asia/Tokyo")),
        ("kind", json!([])),
        ("split", json!({ "column": "region", "part": "north" })),
    ] {
        let second = changed(coarse.clone(), |binning| binning[key] = value.clone());
        assert_eq!(first.relation(&second), Relation::Different, "{key}");
        assert_eq!(second.relation(&first), Relation::Different, "{key}");
        let both = changed(fine.clone(), |binning| binning[key] = value.clone());
        let expected = if key == "kind" { Relation::Different } else { Relation::Coarser };
        assert_eq!(both.relation(&second), expected, "{key}");
    }
}

#[test]
fn which_bin_of_a_person_is_kept_is_not_a_function_of_another_binning() {
    let person = |binning: &mut Value| binning["unit"] = json!({ "person": "id", "bins-per-person": 1 });
    let first = changed(json!([full("age", json!("found"))]), person);
    let second = changed(json!([full("age", values(json!([1])))]), person);
    assert_eq!((first.relation(&second), second.relation(&first)), (Relation::Different, Relation::Different));
}

#[test]
fn fewer_values_are_coarser_if_the_others_are_treated_alike_or_dropped_later() {
    let cut = |list: Value, other: bool, nulls: &str| bin("x", values(list), other, nulls);
    let (fine, coarse) = (json!(["b", "a", "c"]), json!(["a", "b"]));
    for (other, nulls, later_other, later_nulls, expected) in [
        (true, "bin", true, "bin", Relation::Coarser),
        (true, "bin", false, "bin", Relation::Coarser),
        (true, "bin", true, "drop", Relation::Coarser),
        (true, "bin", false, "drop", Relation::Coarser),
        (false, "drop", false, "drop", Relation::Coarser),
        (false, "drop", true, "drop", Relation::Different),
        (false, "drop", false, "bin", Relation::Different),
        (true, "drop", true, "bin", Relation::Different),
    ] {
        let (first, second) = (cut(fine.clone(), other, nulls), cut(coarse.clone(), later_other, later_nulls));
        assert_eq!(relation(first.clone(), second.clone()), expected, "{first} {second}");
    }
    assert_eq!(relation(cut(coarse, true, "bin"), cut(fine, true, "bin")), Relation::Finer);
    assert_eq!(relation(cut(json!(["a", "b"]), true, "bin"), cut(json!(["b", "c"]), true, "bin")), Relation::Different);
}

#[test]
fn fewer_edges_are_coarser() {
    for (first, second, expected) in [
        (edges(&["0", "1", "3"]), regular("0", "3", 1), Relation::Coarser),
        (edges(&["0", "1", "3", "7"]), edges(&["0", "3", "7"]), Relation::Coarser),
        (edges(&["0", "1", "3"]), edges(&["0", "2", "3"]), Relation::Different),
        (regular("0", "1/3", 300), regular("1", "2/3", 10), Relation::Coarser),
        (regular("0", "1/3", 300), regular("1/6", "1/3", 10), Relation::Different),
        (regular("0", "1/3", 300), regular("1", "1/2", 10), Relation::Different),
        (regular("0", "1", 10), regular("0", "2", 6), Relation::Different),
        (regular("0", "1", 1_000_000_000_000), regular("7", "10", 99_999_999_999), Relation::Coarser),
        (regular("0", "1", 1_000_000_000_000), edges(&["0", "10", "1000"]), Relation::Coarser),
        (regular("0", "1", 1_000_000_000_000), edges(&["-1", "10", "1000"]), Relation::Different),
        (edges(&["0", "1", "2", "4"]), regular("0", "1", 1_000_000_000_000), Relation::Finer),
        (edges(&["0", "1", "2", "9/2"]), regular("0", "1", 1_000_000_000_000), Relation::Different),
        (regular("0", "1", 10), values(json!([1])), Relation::Different),
    ] {
        assert_eq!(relation(full("pay", first.clone()), full("pay", second.clone())), expected, "{first} {second}");
        assert_eq!(relation(silent("pay", first.clone()), silent("pay", second)), expected, "{first}");
    }
}

#[test]
fn a_found_value_determines_every_other_cut_of_it() {
    for cut in [values(json!(["a"])), values(json!([1])), edges(&["0", "1", "5"]), json!({ "truncate": "year" })] {
        assert_eq!(relation(full("x", json!("found")), full("x", cut.clone())), Relation::Coarser, "{cut}");
        assert_eq!(relation(silent("x", json!("found")), silent("x", cut.clone())), Relation::Coarser, "{cut}");
        assert_eq!(relation(silent("x", json!("found")), full("x", cut.clone())), Relation::Different, "{cut}");
        assert_eq!(relation(full("y", json!("found")), full("x", cut)), Relation::Different);
    }
    let expression = json!({ "source": { "expression": "x" }, "cut": "found", "other": false, "nulls": "bin" });
    assert_eq!(relation(expression, full("x", values(json!(["a"])))), Relation::Different);
}

#[test]
fn days_determine_weeks_months_and_years_but_weeks_nothing_else() {
    let names = ["day", "week", "month", "year"];
    for (first, second, coarser) in [
        (0, 1, true),
        (0, 2, true),
        (0, 3, true),
        (2, 3, true),
        (1, 2, false),
        (1, 3, false),
        (2, 1, false),
        (3, 0, false),
    ] {
        let cut = |name: usize| json!({ "truncate": names[name] });
        let found = relation(full("x", cut(first)), full("x", cut(second)));
        assert_eq!(found == Relation::Coarser, coarser, "{first} {second}");
    }
}

#[test]
fn listed_periods_drop_what_is_outside_of_them() {
    let periods =
        |unit: &str, first: &str, last: &str| silent("x", json!({ "truncate": unit, "first": first, "last": last }));
    let found = |unit: &str| silent("x", json!({ "truncate": unit }));
    let months = periods("month", "2020-01-01", "2021-06-01");
    assert_eq!(relation(found("day"), months.clone()), Relation::Coarser);
    assert_eq!(relation(found("month"), months.clone()), Relation::Coarser);
    assert_eq!(relation(found("week"), months.clone()), Relation::Different);
    assert_eq!(relation(found("week"), periods("week", "2020-01-06", "2020-02-03")), Relation::Coarser);
    assert_eq!(relation(months.clone(), periods("year", "2020-01-01", "2020-01-01")), Relation::Coarser);
    assert_eq!(relation(months.clone(), periods("year", "2020-01-01", "2021-01-01")), Relation::Different);
    assert_eq!(relation(months.clone(), found("year")), Relation::Different);
    assert_eq!(relation(periods("day", "2020-01-01", "2021-12-31"), months.clone()), Relation::Coarser);
    assert_eq!(relation(months, silent("x", json!({ "days": ["2020-01-01", "2020-04-01"] }))), Relation::Coarser);
    let all = periods("month", "0001-01-01", "9999-12-01");
    assert_eq!(relation(periods("day", "0001-01-01", "9999-12-31"), all.clone()), Relation::Coarser);
    assert_eq!(relation(all, periods("year", "0001-01-01", "9999-01-01")), Relation::Coarser);
}

#[test]
fn a_period_without_a_first_day_is_not_taken_for_a_day_outside() {
    let days = json!({ "days": ["2020-01-01", "2020-04-01"] });
    let month = full("x", json!({ "truncate": "month" }));
    assert_eq!(relation(month.clone(), silent("x", days.clone())), Relation::Coarser);
    assert_eq!(relation(month, full("x", days.clone())), Relation::Different);
    assert_eq!(relation(full("x", json!({ "truncate": "day" })), full("x", days)), Relation::Coarser);
}

#[test]
fn listed_integers_determine_intervals_that_hold_no_others() {
    let list = values(json!([3, 1, 2, 0, 9]));
    assert_eq!(relation(full("age", list.clone()), full("age", regular("0", "2", 2))), Relation::Coarser);
    assert_eq!(relation(silent("age", list.clone()), silent("age", regular("-1/2", "2", 2))), Relation::Coarser);
    assert_eq!(relation(full("age", list.clone()), full("age", regular("0", "5", 1))), Relation::Different);
    // Nobody declared that this column holds integers: the text 1.5 is no integer, and lies in an interval.
    assert_eq!(relation(full("x", list), full("x", regular("0", "2", 2))), Relation::Different);
    let days = values(json!([{ "date": "2020-02-28" }, { "date": "2020-02-29" }]));
    let interval = |end: &str| full("x", json!({ "days": ["2020-02-28", end] }));
    assert_eq!(relation(full("x", days.clone()), interval("2020-03-01")), Relation::Coarser);
    assert_eq!(relation(full("x", days), interval("2020-03-02")), Relation::Different);
}

#[test]
fn a_dimension_may_vanish_only_if_it_drops_nothing() {
    let kept = silent("x", values(json!(["a", "b"])));
    let alone = read(json!([kept]));
    for (gone, expected) in [
        (full("y", values(json!(["a"]))), Relation::Coarser),
        (full("y", json!("found")), Relation::Coarser),
        (full("y", json!({ "truncate": "week" })), Relation::Coarser),
        (bin("y", values(json!([true, false])), false, "bin"), Relation::Coarser),
        (bin("y", values(json!([true])), false, "bin"), Relation::Different),
        (bin("y", values(json!(["a"])), true, "drop"), Relation::Different),
        (bin("y", values(json!(["a"])), false, "bin"), Relation::Different),
        (silent("y", json!("found")), Relation::Different),
        (silent("y", json!({ "truncate": "month", "first": "2020-01-01", "last": "2020-01-01" })), Relation::Different),
    ] {
        assert_eq!(read(json!([gone, kept])).relation(&alone), expected, "{gone}");
        let back = if expected == Relation::Coarser { Relation::Finer } else { Relation::Different };
        assert_eq!(alone.relation(&read(json!([gone, kept]))), back, "{gone}");
    }
    let turned = [kept.clone(), full("y", json!("found"))];
    let back: Vec<Value> = turned.iter().rev().cloned().collect();
    assert_eq!(read(json!(turned)).relation(&read(json!(back))), Relation::Coarser);
}

#[test]
fn two_dimensions_of_one_source_need_one_that_decides_and_all_that_drop() {
    let (few, many) = (silent("x", values(json!(["a"]))), full("x", values(json!(["a", "b"]))));
    let both = read(json!([few, many]));
    // The first drops what the second alone would count.
    assert_eq!(both.relation(&read(json!([many]))), Relation::Finer);
    assert_eq!(both.relation(&read(json!([few]))), Relation::Coarser);
    assert_eq!(read(json!([many])).relation(&both), Relation::Coarser);
}

#[test]
fn parts_of_a_public_split_are_disjoint_in_one_snapshot() {
    let part = |part: Value, change: fn(&mut Value)| {
        changed(json!([silent("age", json!("found"))]), move |binning| {
            binning["split"] = json!({ "column": "region", "part": part });
            change(binning);
        })
    };
    let north = part(json!("north"), |_| {});
    let south = part(json!("south"), |binning| binning["where"] = json!("age > 1"));
    assert_eq!(
        (north.relation(&south), south.relation(&north)),
        (Relation::Disjoint(Apart::Parts), Relation::Disjoint(Apart::Parts))
    );
    let person = |binning: &mut Value| binning["unit"] = json!({ "person": "id", "bins-per-person": 2 });
    assert_eq!(part(json!(1), person).relation(&part(json!(2), person)), Relation::Disjoint(Apart::Parts));
    for (other, change) in [
        (json!("south"), (|binning| binning["snapshot"] = json!("2")) as fn(&mut Value)),
        (json!("south"), |binning| binning["dataset"] = json!("others")),
        (json!("south"), |binning| binning["unit"] = json!({ "people": "n", "bins-per-person": 1 })),
        (json!("south"), |binning| binning["types"] = json!({})),
        (json!("south"), |binning| binning["timezone"] = json!("Asia/Tokyo")),
        (json!("south"), |binning| binning["split"]["column"] = json!("country")),
        (json!(1), |_| {}),
        (json!("north"), |binning| binning["where"] = json!("age > 1")),
    ] {
        assert_eq!(north.relation(&part(other, change)), Relation::Different);
    }
    assert_eq!(north.relation(&read(json!([silent("age", json!("found"))]))), Relation::Different);
}

fn difference(first: Value, second: Value) -> Option<[String; 3]> {
    read(first).difference(&read(second)).map(|Difference { larger, smaller, left, .. }| [larger, smaller, left])
}

fn example(larger: &str, smaller: &str, left: &str) -> Option<[String; 3]> {
    Some([larger, smaller, left].map(str::to_owned))
}

#[test]
fn an_interval_less_a_part_of_it_leaves_the_rest() {
    let (wide, narrow) =
        (json!([silent("age", edges(&["20", "30", "50"]))]), json!([silent("age", regular("20", "5", 6))]));
    let expected = example("age [20, 30)", "age [20, 25)", "age [25, 30)");
    assert_eq!(difference(wide.clone(), narrow.clone()), expected);
    assert_eq!(difference(narrow.clone(), wide.clone()), expected);
    let sides = |found: Difference| (found.larger_of, found.smaller_of);
    let found = read(wide.clone()).difference(&read(narrow.clone())).map(sides);
    assert_eq!(found, Some((Side::First, Side::Second)));
    assert_eq!(read(narrow).difference(&read(wide)).map(sides), Some((Side::Second, Side::First)));
    assert_eq!(
        difference(json!([silent("pay", edges(&["0", "30"]))]), json!([silent("pay", edges(&["1/2", "3"]))])),
        example("pay [0, 30)", "pay [1/2, 3)", "pay [0, 1/2) or [3, 30)")
    );
    assert_eq!(
        difference(
            json!([silent("pay", regular("0", "1", 1_000_000_000_000))]),
            json!([silent("pay", regular("999999999", "1/2", 2))])
        ),
        example("pay [999999999, 1000000000)", "pay [999999999, 1999999999/2)", "pay [1999999999/2, 1000000000)")
    );
}

#[test]
fn intervals_that_hold_the_same_integers_isolate_nobody() {
    let cut = |column: &str, low: &str| json!([silent(column, edges(&[low, "30"]))]);
    assert_eq!(difference(cut("age", "20"), cut("age", "39/2")), None);
    assert!(difference(cut("pay", "20"), cut("pay", "39/2")).is_some());
    assert_eq!(
        difference(json!([silent("age", values(json!([20])))]), json!([silent("age", edges(&["20", "21"]))])),
        None
    );
}

#[test]
fn a_cell_less_one_that_says_more_leaves_the_others() {
    let department = silent("department", values(json!(["Sales", "Research"])));
    let band = silent("band", values(json!([1, 2])));
    assert_eq!(
        difference(json!([department]), json!([band, department])),
        example("department Sales", "department Sales, band 1", "everybody else in department Sales")
    );
    assert_eq!(
        difference(json!([silent("keyword", json!("found"))]), json!([silent("keyword", json!("found")), band])),
        example(
            "any one value of keyword",
            "the same value of keyword, band 1",
            "everybody else in the same value of keyword"
        )
    );
    assert_eq!(
        difference(json!([department]), json!([department, silent("keyword", json!("found"))])),
        example("department Sales", "department Sales, one value of keyword", "everybody else in department Sales")
    );
    // Two tables that share no source: no cell lies within another.
    assert_eq!(difference(json!([department]), json!([band])), None);
}

#[test]
fn other_less_other_leaves_what_only_one_lists() {
    let cut = |list: Value| json!([full("department", values(list))]);
    assert_eq!(
        difference(cut(json!(["a", "b"])), cut(json!(["a", "b", "c"]))),
        example("department other", "department other", "department c")
    );
    assert_eq!(
        difference(cut(json!([1])), cut(json!([1, 2, 3, 4, 5, 6]))),
        example("department other", "department other", "department 2 or 3 or 4 or one of 2 more values")
    );
    assert_eq!(
        difference(cut(json!(["a", "b"])), cut(json!(["b", "c"]))),
        example("department other", "department c", "everybody else in department other")
    );
    assert_eq!(
        difference(json!([full("age", edges(&["20", "30"]))]), json!([full("age", edges(&["10", "20", "30"]))])),
        example("age other", "age other", "age [10, 20)")
    );
    assert_eq!(difference(cut(json!([true])), cut(json!([false]))), None);
    // Listed in another order, or with missing values counted as well: the same cells, and one that is told anyway.
    assert_eq!(difference(cut(json!(["a", "b"])), cut(json!(["b", "a"]))), None);
    assert_eq!(
        difference(json!([bin("x", values(json!(["a"])), true, "drop")]), json!([full("x", values(json!(["a"])))])),
        None
    );
}

#[test]
fn found_values_are_never_named() {
    let found = json!([silent("age", json!("found"))]);
    assert_eq!(
        difference(found.clone(), json!([silent("age", edges(&["20", "30"]))])),
        example("age [20, 30)", "one value of age in it", "everybody else in age [20, 30)")
    );
    let months = |unit: &str| json!([silent("hired", json!({ "truncate": unit }))]);
    assert_eq!(
        difference(months("month"), months("day")),
        example("any one month of hired", "one day of hired in it", "everybody else in the same month of hired")
    );
    assert_eq!(
        difference(months("month"), json!([silent("hired", json!({ "days": ["2020-02-01", "2020-02-08"] }))])),
        example("hired [2020-02-01, 2020-03-01)", "hired [2020-02-01, 2020-02-08)", "hired [2020-02-08, 2020-03-01)")
    );
    assert_eq!(difference(found.clone(), found), None);
}

#[test]
fn conditions_splits_and_snapshots_isolate_those_who_are_in_one_only() {
    let bins = json!([silent("department", values(json!(["Sales"])))]);
    let with = |key: &'static str, value: Value| changed(bins.clone(), move |binning| binning[key] = value.clone());
    let words = |one: &Binning, other: &Binning| {
        one.difference(other).map(|Difference { larger, smaller, left, .. }| [larger, smaller, left])
    };
    let (all, sales) = (read(bins.clone()), "department Sales");
    let active = with("where", json!("status = 'active'"));
    let expected = example(
        sales,
        "department Sales where (status = 'active')",
        "everybody in department Sales who does not meet the condition (status = 'active')",
    );
    assert_eq!(words(&all, &active), expected);
    assert_eq!(words(&active, &all), expected);
    assert_eq!(
        words(&active, &with("where", json!("age < 50"))),
        example(
            "department Sales where (status = 'active')",
            "department Sales where (age < 50)",
            "whoever of department Sales meets only one of the conditions (status = 'active') and (age < 50)"
        )
    );
    assert_eq!(
        words(&all, &with("snapshot", json!("2"))),
        example(
            "department Sales in snapshot \"2026\"",
            "department Sales in snapshot \"2\"",
            "whoever of department Sales came, went or changed between the two snapshots"
        )
    );
    let north = with("split", json!({ "column": "region", "part": "north" }));
    assert_eq!(
        words(&all, &north),
        example(sales, "department Sales, region north", "everybody else in department Sales")
    );
    assert_eq!(words(&north, &with("split", json!({ "column": "region", "part": "south" }))), None);
    for (key, value) in [
        ("dataset", json!("others")),
        ("kind", json!([])),
        ("types", json!({})),
        ("timezone", json!("Asia/Tokyo")),
        ("unit", json!({ "person": "id", "bins-per-person": 1 })),
    ] {
        assert_eq!(words(&active, &with(key, value)), None, "{key}");
    }
    let twice = |condition: Value| {
        changed(bins.clone(), move |binning| {
            binning["unit"] = json!({ "person": "id", "bins-per-person": 2 });
            binning["where"] = condition.clone();
        })
    };
    assert_eq!(words(&twice(json!(null)), &twice(json!("age < 50"))), None);
}

#[test]
fn several_reasons_are_told_together() {
    let wide = read(json!([silent("age", edges(&["20", "30"]))]));
    let narrow = changed(json!([silent("age", edges(&["20", "25"])), silent("sex", json!("found"))]), |binning| {
        binning["where"] = json!("active");
    });
    let found = wide.difference(&narrow).map(|found| found.left);
    assert_eq!(found.as_deref(), Some("everybody else in age [20, 30)"));
}

#[test]
fn a_total_less_all_other_cells_leaves_one() {
    let words = |bins: Value| {
        read(bins).margin().map(|found| {
            assert_eq!((found.larger_of, found.smaller_of), (Side::First, Side::First));
            [found.larger, found.smaller, found.left]
        })
    };
    let department = silent("department", values(json!(["Sales", "Research"])));
    let band = bin("band", values(json!([1])), false, "bin");
    assert_eq!(
        words(json!([department, band])),
        example("department Sales", "department Sales, all of band but 1", "department Sales, band 1")
    );
    assert_eq!(
        words(json!([department, silent("band", values(json!([1])))])),
        example("band 1", "band 1, all of department but Sales", "band 1, department Sales")
    );
    assert_eq!(
        words(json!([silent("keyword", json!("found"))])),
        example("everybody who is counted", "every other value of keyword", "one value of keyword")
    );
    assert_eq!(
        words(json!([silent("hired", json!({ "truncate": "week" }))])),
        example("everybody who is counted", "every other week of hired", "one week of hired")
    );
    assert_eq!(words(json!([silent("band", values(json!([1])))])), None);
    assert_eq!(words(json!([silent("pay", regular("0", "1", 1))])), None);
}

#[test]
fn cuts_that_no_column_could_have_together_are_compared_without_harm() {
    let far = "9223372036854775807";
    let cuts = [
        json!("found"),
        values(json!(["a"])),
        values(json!([i64::MIN, i64::MAX])),
        values(json!([true, false])),
        values(json!([{ "date": "0001-01-01" }, { "date": "9999-12-31" }])),
        regular("-9223372036854775808", "1", u64::MAX),
        regular(&format!("{far}/4"), &format!("1/{}", "9".repeat(400)), 1 << 40),
        edges(&["-9223372036854775808", "0", far]),
        json!({ "days": ["0001-01-01", "9999-12-31"] }),
        json!({ "truncate": "week" }),
        json!({ "truncate": "year" }),
        json!({ "truncate": "week", "first": "0001-01-01", "last": "9999-12-27" }),
        json!({ "truncate": "month", "first": "9999-12-01", "last": "9999-12-01" }),
    ];
    for (one, other) in cuts.iter().flat_map(|one| cuts.iter().map(move |other| (one, other))) {
        for column in ["age", "x"] {
            let (first, second) =
                (read(json!([full(column, one.clone())])), read(json!([full(column, other.clone())])));
            assert_eq!(first.relation(&second) == Relation::Same, one == other, "{one} {other}");
            assert!(one != other || first.difference(&second).is_none(), "{one}");
            assert!(first.margin().is_some());
        }
    }
}

#[test]
fn names_are_short_and_on_one_line() {
    let long = "x".repeat(1000);
    let bins = |list: Value| json!([full("a\nb\u{202e}", values(list))]);
    let left = difference(bins(json!(["\u{1b}[31m"])), bins(json!(["\u{1b}[31m", long]))).map(|[_, _, left]| left);
    assert_eq!(left, Some(format!("a\\u{{a}}b\\u{{202e}} {}...", "x".repeat(60))));
}

#[test]
fn a_sample_is_the_same_only_as_itself_and_subtracts_from_nothing() {
    let bins = json!([full("age", values(json!([1, 2])))]);
    let coarse = json!([full("age", values(json!([1])))]);
    let sampled = |bins: &Value, chance: &str| changed(bins.clone(), |binning| binning["sample"] = json!(chance));
    let (everybody, tenth) = (read(bins.clone()), sampled(&bins, "1/10"));
    assert_eq!(read(bins.clone()).relation(&read(coarse.clone())), Relation::Coarser);
    assert_eq!(tenth.relation(&sampled(&bins, "1/10")), Relation::Same);
    for other in [sampled(&bins, "1/5"), sampled(&coarse, "1/10"), read(coarse.clone()), everybody.clone()] {
        assert_eq!((tenth.relation(&other), other.relation(&tenth)), (Relation::Different, Relation::Different));
        assert_eq!((tenth.difference(&other), other.difference(&tenth)), (None, None));
    }
    assert!(everybody.margin().is_some() && tenth.margin().is_none());
    let part = |sample: bool| {
        changed(bins.clone(), |binning| {
            binning["split"] = json!({ "column": "region", "part": "north" });
            if sample {
                binning["sample"] = json!("1/10");
            }
        })
    };
    assert!(part(false).part().is_some() && part(true).part().is_none());
    for wrong in [json!("0"), json!("1"), json!("2/20"), json!("-1/10"), json!(0.1), json!(null)] {
        assert!(Binning::read(&text(bins.clone(), |binning| binning["sample"] = wrong.clone())).is_none(), "{wrong}");
    }
}

/// A run of a series, as canonical text.
fn run(first: i64, last: i64, people: &str, snapshot: &str) -> Binning {
    let periods = last - first + 1;
    let text = format!(
        r#"{{"bins":[],"dataset":"d","kind":{{"first":{first},"from":1,"last":{last},"mode":"per-period","people":"{people}","period":{{"column":"year"}},"periods":{periods}}},"snapshot":"{snapshot}","timezone":"UTC","types":{{}},"unit":{{"bins-per-person":1}},"where":null}}"#
    );
    Binning::read(&text).expect("a run")
}

#[test]
fn runs_of_a_series_are_apart_in_one_snapshot_and_where_nobody_repeats() {
    let first = run(1, 3, "once", "2026");
    assert_eq!(first.relation(&run(4, 4, "once", "2026")), Relation::Disjoint(Apart::Periods));
    assert_eq!(first.relation(&run(1, 3, "once", "2026")), Relation::Same);
    for other in [run(3, 4, "once", "2026"), run(4, 4, "many", "2026"), run(4, 4, "once", "2027")] {
        assert_eq!(first.relation(&other), Relation::Different, "{other:?}");
    }
    assert_eq!((first.bins_per_person(), run(1, 3, "many", "2026").bins_per_person()), (1, 3));
    let identity = |binning: &Binning| binning.series().expect("a series").identity.clone();
    assert_eq!(identity(&first), identity(&run(4, 9, "once", "2027")), "one series, whatever its state");
    assert_ne!(identity(&first), identity(&run(4, 9, "many", "2026")));
}

#[test]
fn pairs_and_top_items_are_read_but_related_to_nothing() {
    let text = |bin: &str, kind: &str| {
        format!(
            r#"{{"bins":[{{"cut":"found",{bin}"nulls":"drop","other":false,"source":{{"column":"x"}}}}],"dataset":"d","kind":{kind},"snapshot":"2026","timezone":"UTC","types":{{}},"unit":{{"bins-per-person":2,"person":"id"}},"where":null}}"#
        )
    };
    let read = |bin: &str, kind: &str| Binning::read(&text(bin, kind));
    let (plain, pairs, top) = (read("", "null"), read(r#""items":"pairs","#, "null"), read("", r#""top""#));
    let (plain, pairs, top) = (plain.expect("bins"), pairs.expect("pairs"), top.expect("items"));
    assert_eq!(pairs.unit(), plain.unit(), "who is one person is known all the same");
    for other in [&pairs, &top] {
        assert_eq!(plain.relation(other), Relation::Different);
        assert!(!other.draws_bin_by_bin() && plain.draws_bin_by_bin());
    }
    assert!(read(r#""items":"triples","#, "null").is_none());
}
