//! Any two small binnings, against every row that there could be.
//!
//! Outcomes are computed from the JSON in the plainest way, row by row; it must never use a proof to check a proof. It
//! is separate from the examples because it needs binnings that nobody would think of. Read `tests.rs` for the
//! examples.

use super::cell::{Part, Within};
use super::judged::Scale;
use super::{Binning, Relation, pair};
use crate::bin_value::BinValue;
use crate::dimension::BinSource;
use incrowd_exact::Rational;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A value that a column may have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Cell {
    Null,
    Integer(i64),
    /// So many days after 2019-11-20, which was a Wednesday, and whether it is noon.
    Moment(usize, bool),
    /// A day whose week, month and year begin before the first day that an engine knows.
    FarAway,
    Text(String),
}

const COLUMNS: [&str; 3] = ["age", "hired", "note"];
const DAYS: usize = 85;

/// Every value of a column: beyond all edges and lists that are generated.
fn domain(column: &str) -> Vec<Cell> {
    let eighths = (-4..=52).map(|eighth| Cell::Text((f64::from(eighth) / 8.0).to_string()));
    let words = ["01", "7", "-7", "x", "", "true", "t", "false", "1.0"].map(|word| Cell::Text(word.into()));
    let some: Vec<Cell> = match column {
        "age" => (-3..=14).map(Cell::Integer).collect(),
        "hired" => {
            let moments = (0..DAYS).flat_map(|day| [Cell::Moment(day, false), Cell::Moment(day, true)]);
            moments.chain([Cell::FarAway]).collect()
        }
        _ => eighths.chain(words).collect(),
    };
    some.into_iter().chain([Cell::Null]).collect()
}

fn iso(day: usize) -> String {
    match day {
        0..=10 => format!("2019-11-{:02}", day + 20),
        11..=41 => format!("2019-12-{:02}", day - 10),
        42..=72 => format!("2020-01-{:02}", day - 41),
        _ => format!("2020-02-{:02}", day - 72),
    }
}

fn monday(day: usize) -> String {
    match (day + 2) % 7 {
        since if since <= day => iso(day - since),
        _ => "2019-11-18".into(),
    }
}

fn period(unit: &str, day: usize) -> String {
    match unit {
        "day" => iso(day),
        "week" => monday(day),
        "month" => format!("{}-01", &iso(day)[..7]),
        _ => format!("{}-01-01", &iso(day)[..4]),
    }
}

fn float(text: &Value) -> f64 {
    let text = text.as_str().expect("a number");
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    above.parse::<f64>().expect("digits") / below.parse::<f64>().expect("digits")
}

/// What a row's value is read as, or nothing if it is missing.
fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Integer(integer) => Some(*integer as f64),
        Cell::Text(text) => text.parse().ok(),
        Cell::Null | Cell::Moment(_, _) | Cell::FarAway => None,
    }
}

fn whole(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Integer(integer) => Some(*integer),
        Cell::Text(text) => text.parse().ok(),
        Cell::Null | Cell::Moment(_, _) | Cell::FarAway => None,
    }
}

fn truth(cell: &Cell) -> Option<bool> {
    match cell {
        Cell::Text(text) if ["true", "t", "1"].contains(&text.as_str()) => Some(true),
        Cell::Text(text) if ["false", "0"].contains(&text.as_str()) => Some(false),
        Cell::Null | Cell::Integer(_) | Cell::Moment(_, _) | Cell::FarAway | Cell::Text(_) => None,
    }
}

/// The day as a text that sorts; far away is before all others.
fn day(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Moment(day, _) => Some(iso(*day)),
        Cell::FarAway => Some(String::new()),
        Cell::Null | Cell::Integer(_) | Cell::Text(_) => None,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Outcome {
    Dropped,
    Missing,
    Other,
    In(String),
}

/// The plainest way: where does a value fall?
fn outcome(dimension: &Value, cell: &Cell) -> Outcome {
    let cut = &dimension["cut"];
    let place = |found: Option<Option<String>>| match found {
        None if dimension["nulls"] == "bin" => Outcome::Missing,
        Some(None) if dimension["other"] == true => Outcome::Other,
        None | Some(None) => Outcome::Dropped,
        Some(Some(label)) => Outcome::In(label),
    };
    if cut == "found" {
        return place((*cell != Cell::Null).then(|| Some(format!("{cell:?}"))));
    }
    if let Some(values) = cut["values"].as_array() {
        let read = match &values[0] {
            Value::String(_) => match cell {
                Cell::Text(text) => Some(json!(text)),
                _ => None,
            },
            Value::Bool(_) => truth(cell).map(|truth| json!(truth)),
            Value::Object(_) => day(cell).map(|day| json!({ "date": day })),
            _ => whole(cell).map(|whole| json!(whole)),
        };
        return place(read.map(|value| values.contains(&value).then(|| value.to_string())));
    }
    if let Some(unit) = cut["truncate"].as_str() {
        let found = match (cell, cut["first"].as_str(), cut["last"].as_str()) {
            (Cell::Moment(day, _), None, _) => Some(Some(period(unit, *day))),
            (Cell::Moment(day, _), Some(first), last) => {
                let period = period(unit, *day);
                Some((first <= period.as_str() && Some(period.as_str()) <= last).then_some(period))
            }
            (Cell::FarAway, None, _) if unit == "day" => Some(Some("far away".into())),
            (Cell::FarAway, Some(_), _) => Some(None),
            _ => None,
        };
        return place(found);
    }
    if let Some(days) = cut["days"].as_array() {
        let between = |day: String| {
            let at = |edge: &Value| edge.as_str().is_some_and(|edge| edge <= day.as_str());
            days.windows(2).position(|pair| at(&pair[0]) && !at(&pair[1])).map(|place| place.to_string())
        };
        return place(day(cell).map(between));
    }
    let edges: Vec<f64> = match cut["edges"].as_array() {
        Some(edges) => edges.iter().map(float).collect(),
        None => {
            let intervals = cut["intervals"].as_u64().expect("a number");
            (0..=intervals).map(|place| float(&cut["from"]) + float(&cut["width"]) * place as f64).collect()
        }
    };
    let between = |number: f64| {
        let place = edges.windows(2).position(|pair| pair[0] <= number && number < pair[1]);
        place.map(|place| place.to_string())
    };
    place(number(cell).map(between))
}

/// A row's outcome: the numbers of its bins, or nothing if one of its dimensions drops it.
type Place = Option<Vec<usize>>;

/// The outcomes of every row in two binnings.
fn outcomes(first: &[Value], second: &[Value]) -> Vec<[Place; 2]> {
    let column = |bin: &Value| bin["source"]["column"].as_str().expect("a column").to_owned();
    let used: BTreeSet<String> = first.iter().chain(second).map(column).collect();
    let domains: Vec<Vec<Cell>> = used.iter().map(|column| domain(column)).collect();
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    for domain in &domains {
        let with = |row: &Vec<usize>, cell| row.iter().copied().chain([cell]).collect();
        rows = rows.iter().flat_map(|row| (0..domain.len()).map(move |cell| with(row, cell))).collect();
    }
    // Each dimension looks at each value once.
    let table = |bin: &Value| {
        let place = used.iter().position(|used| *used == column(bin)).expect("a column");
        let all: Vec<Outcome> = domains[place].iter().map(|cell| outcome(bin, cell)).collect();
        let number = |one: &Outcome| all.iter().position(|other| other == one).filter(|_| *one != Outcome::Dropped);
        (place, all.iter().map(number).collect::<Vec<Option<usize>>>())
    };
    let tables = [first, second].map(|bins| bins.iter().map(table).collect::<Vec<_>>());
    let places = |row: &Vec<usize>| {
        tables.each_ref().map(|tables| tables.iter().map(|(place, numbers)| numbers[row[*place]]).collect::<Place>())
    };
    rows.iter().map(places).collect()
}

/// Whether the second outcome is a function of the first that maps dropped to dropped, over all rows.
fn is_function(first: &[Value], second: &[Value]) -> bool {
    let mut known: HashMap<Place, Place> = HashMap::from([(None, None)]);
    outcomes(first, second).into_iter().all(|[one, other]| *known.entry(one).or_insert(other.clone()) == other)
}

/// Whether some cell of the first lies strictly within one of the second.
fn lies_within(first: &[Value], second: &[Value]) -> bool {
    let mut sizes: HashMap<Vec<usize>, usize> = HashMap::new();
    let mut inside: HashMap<Vec<usize>, (BTreeSet<Place>, usize)> = HashMap::new();
    for [one, other] in outcomes(first, second) {
        if let Some(one) = one {
            let (around, size) = inside.entry(one).or_default();
            around.insert(other.clone());
            *size += 1;
        }
        if let Some(other) = other {
            *sizes.entry(other).or_default() += 1;
        }
    }
    inside.into_values().any(|(around, size)| match around.first() {
        Some(Some(other)) if around.len() == 1 => sizes[other] > size,
        Some(_) | None => false,
    })
}

fn binning(bins: &[Value]) -> Binning {
    let text = json!({
        "dataset": "d", "snapshot": "2026", "where": null, "unit": { "bins-per-person": 1 },
        "types": { "age": "integer" }, "timezone": "UTC", "kind": null, "bins": bins,
    });
    Binning::read(&text.to_string()).unwrap_or_else(|| panic!("{text}"))
}

fn ratio(above: i64, below: i64) -> String {
    let value = Rational::from_parts(above.into(), u64::try_from(below).expect("above zero").into());
    incrowd_exact::rational_text(&value)
}

/// Edges in units of `1/below`, as the request writes them.
fn edges(list: Vec<i64>, below: i64) -> Value {
    let width = list[1] - list[0];
    if list.windows(2).all(|pair| pair[1] - pair[0] == width) {
        return json!({ "from": ratio(list[0], below), "width": ratio(width, below), "intervals": list.len() - 1 });
    }
    json!({ "edges": list.into_iter().map(|edge| ratio(edge, below)).collect::<Vec<_>>() })
}

fn numbers(most: i64, below: i64) -> BoxedStrategy<Value> {
    let list = prop::collection::btree_set(0..=most * below, 2..6);
    let listed = list.prop_map(move |list| edges(list.into_iter().collect(), below));
    let regular = (0..=most, 1..=2 * below, 1i64..6).prop_map(move |(from, width, intervals)| {
        let end = (most * below - from * below) / width;
        let intervals = intervals.min(end).max(1);
        edges((0..=intervals).map(|place| from * below + place * width).collect(), below)
    });
    prop_oneof![listed, regular].boxed()
}

fn list_of(values: Vec<Value>) -> BoxedStrategy<Value> {
    let most = values.len();
    let some = prop::sample::subsequence(values, 1..=most).prop_shuffle();
    some.prop_map(|values| json!({ "values": values })).boxed()
}

fn cut(column: &str) -> BoxedStrategy<Value> {
    let found = Just(json!("found"));
    match column {
        "age" => {
            let listed = list_of((0..=10).map(|integer| json!(integer)).collect());
            prop_oneof![1 => found, 3 => listed, 4 => numbers(9, 2)].boxed()
        }
        "hired" => {
            let unit = || prop::sample::select(vec!["day", "week", "month", "year"]);
            let days = prop::collection::btree_set(
                prop_oneof![3usize..80, Just(11), Just(42), Just(73), Just(40), Just(47)],
                2..5,
            );
            let days = days.prop_map(|days| json!({ "days": days.into_iter().map(iso).collect::<Vec<_>>() }));
            let dates = prop::collection::btree_set(44usize..54, 1..10);
            let date = |day: usize| json!({ "date": iso(day) });
            let dates = dates.prop_map(move |days| json!({ "values": days.into_iter().map(date).collect::<Vec<_>>() }));
            let periods = (unit(), 0usize..80, 0usize..80).prop_map(|(unit, one, other)| {
                let (first, last) = (period(unit, one.min(other)), period(unit, one.max(other)));
                json!({ "truncate": unit, "first": first, "last": last })
            });
            let truncated = unit().prop_map(|unit| json!({ "truncate": unit }));
            prop_oneof![1 => found, 3 => days, 2 => dates, 3 => periods, 3 => truncated].boxed()
        }
        _ => {
            let texts = list_of(["1", "01", "x", "", "true", "0.25"].map(|text| json!(text)).to_vec());
            let integers = list_of((0..=4).map(|integer| json!(integer)).collect());
            let truths = list_of(vec![json!(true), json!(false)]);
            prop_oneof![1 => found, 2 => texts, 2 => integers, 1 => truths, 2 => numbers(4, 4)].boxed()
        }
    }
}

fn dimension_of(column: &'static str, cut: Value) -> impl Strategy<Value = Value> {
    let can_be_outside = ["values", "edges", "days", "from"].iter().any(|key| cut.get(key).is_some());
    let other = if can_be_outside { any::<bool>().boxed() } else { Just(false).boxed() };
    (other, prop::sample::select(vec!["drop", "bin", "bin"])).prop_map(move |(other, nulls)| {
        json!({ "source": { "column": column }, "cut": cut.clone(), "other": other, "nulls": nulls })
    })
}

fn dimension() -> impl Strategy<Value = Value> {
    prop::sample::select(COLUMNS.to_vec())
        .prop_flat_map(|column| cut(column).prop_flat_map(move |cut| dimension_of(column, cut)))
}

/// A dimension with fewer values or edges, or another cut of the same column.
fn narrowed(dimension: &Value) -> BoxedStrategy<Value> {
    let column = COLUMNS.into_iter().find(|column| dimension["source"]["column"] == *column).expect("a column");
    let cut_of = &dimension["cut"];
    let some = |list: &Value, least: usize| {
        let list = list.as_array().expect("a list").clone();
        let most = list.len();
        prop::sample::subsequence(list, least..=most)
    };
    let fewer: BoxedStrategy<Value> = if cut_of.get("values").is_some() {
        some(&cut_of["values"], 1).prop_map(|values| json!({ "values": values })).boxed()
    } else if cut_of.get("days").is_some() {
        some(&cut_of["days"], 2).prop_map(|days| json!({ "days": days })).boxed()
    } else if cut_of.get("edges").is_some() || cut_of.get("from").is_some() {
        let quarters = match cut_of["edges"].as_array() {
            Some(edges) => edges.iter().map(|edge| (float(edge) * 4.0) as i64).collect::<Vec<_>>(),
            None => {
                let intervals = cut_of["intervals"].as_u64().expect("a number") as i64;
                let (from, width) = ((float(&cut_of["from"]) * 4.0) as i64, (float(&cut_of["width"]) * 4.0) as i64);
                (0..=intervals).map(|place| from + place * width).collect()
            }
        };
        let most = quarters.len();
        prop::sample::subsequence(quarters, 2..=most).prop_map(|edges_left| edges(edges_left, 4)).boxed()
    } else {
        cut(column)
    };
    let cut = prop_oneof![4 => fewer, 1 => cut(column), 2 => Just(cut_of.clone())];
    let (other, nulls) = (dimension["other"].clone(), dimension["nulls"].clone());
    let changed = cut.prop_flat_map(move |cut| {
        let (kept_other, kept_nulls) = (other.clone(), nulls.clone());
        let kept = move |mut changed: Value, keep: bool| {
            let can_be_outside =
                ["values", "edges", "days", "from"].iter().any(|key| changed["cut"].get(key).is_some());
            if keep && can_be_outside {
                changed["other"] = kept_other.clone();
            }
            if keep {
                changed["nulls"] = kept_nulls.clone();
            }
            changed
        };
        (dimension_of(column, cut), any::<bool>()).prop_map(move |(changed, keep)| kept(changed, keep))
    });
    changed.boxed()
}

type Bins = Vec<Value>;

/// Two binnings; mostly, the second is made from the first.
fn two_binnings() -> impl Strategy<Value = (Bins, Bins)> {
    let first = prop::collection::vec(dimension(), 1..=2);
    first.prop_flat_map(|first| {
        let second: Vec<BoxedStrategy<Value>> = first.iter().map(narrowed).collect();
        let fewer = (second, any::<bool>(), any::<bool>()).prop_map(|(mut second, drop, turn)| {
            if turn {
                second.reverse();
            }
            if drop && second.len() == 2 {
                second.pop();
            }
            second
        });
        let second = prop_oneof![4 => fewer, 1 => prop::collection::vec(dimension(), 1..=2)];
        (Just(first), second)
    })
}

/// The values of a column that a bin holds, for each bin that it may stand for.
fn held(part: &Part, bin: &Value, column: &str, inside: Option<&BTreeSet<Cell>>) -> Vec<BTreeSet<Cell>> {
    let all = domain(column);
    let set = |holds: &dyn Fn(&Cell) -> bool| vec![all.iter().filter(|cell| holds(cell)).cloned().collect()];
    let on_scale = |scale: &Scale, cell: &Cell| match scale {
        Scale::Number => number(cell).map(|number| Rational::try_from(number).expect("finite")),
        // Days since 1970: 2019-11-20 was number 18220.
        Scale::Day => match cell {
            Cell::Moment(day, _) => Some(Rational::from(18_220 + *day as i64)),
            Cell::FarAway => Some(Rational::from(i64::from(i32::MIN))),
            Cell::Null | Cell::Integer(_) | Cell::Text(_) => None,
        },
    };
    let is = |key: &BinValue, cell: &Cell| match key {
        BinValue::Text(text) => *cell == Cell::Text(text.clone()),
        BinValue::Integer(integer) => whole(cell) == Some(*integer),
        BinValue::Boolean(flag) => truth(cell) == Some(*flag),
        BinValue::Date(_) => on_scale(&Scale::Day, cell) == key.whole().map(Rational::from),
    };
    match part {
        Part::Value(key) => set(&|cell| is(key, cell)),
        Part::Interval(scale, low, high) => {
            set(&|cell| on_scale(scale, cell).is_some_and(|number| *low <= number && number < *high))
        }
        Part::Outside(scale, low, high) => {
            set(&|cell| on_scale(scale, cell).is_some_and(|number| number < *low || *high <= number))
        }
        Part::Unlisted(_) => set(&|cell| outcome(bin, cell) == Outcome::Other),
        Part::Missing => set(&|cell| outcome(bin, cell) == Outcome::Missing),
        Part::Any | Part::AnyPeriod(_) => {
            let mut classes: BTreeMap<Outcome, BTreeSet<Cell>> = BTreeMap::new();
            for cell in &all {
                if let Outcome::In(_) = outcome(bin, cell) {
                    classes.entry(outcome(bin, cell)).or_default().insert(cell.clone());
                }
            }
            // A day far away has no week: it is in no period of its own.
            classes
                .into_values()
                .filter(|class| inside.is_none_or(|larger| class.iter().any(|cell| larger.contains(cell))))
                .collect()
        }
    }
}

/// Whether what a bin holds is what the JSON puts into one bin, and nothing else.
fn is_bin(bin: &Value, column: &str, held: &BTreeSet<Cell>) -> bool {
    let outcomes: BTreeSet<Outcome> = held.iter().map(|cell| outcome(bin, cell)).collect();
    let Some(only) = outcomes.first().filter(|only| outcomes.len() == 1 && **only != Outcome::Dropped) else {
        return held.is_empty();
    };
    domain(column).iter().filter(|cell| outcome(bin, cell) == *only).all(|cell| held.contains(cell))
}

/// Checks an example against every row; returns whether there was one.
fn check_example(larger: &[Value], smaller: &[Value]) -> Result<bool, TestCaseError> {
    let (wide, narrow) = (binning(larger), binning(smaller));
    let Some(pair) = pair::contained(&wide, &narrow) else { return Ok(false) };
    let find = |bins: &[Value], source: &BinSource| {
        let BinSource::Column(column) = source else { panic!("a column") };
        let bin = bins.iter().find(|bin| bin["source"]["column"] == *column).cloned();
        (column.clone(), bin.unwrap_or_else(|| panic!("{column}")))
    };
    let mut narrower = false;
    prop_assert_eq!(pair.shared.len(), larger.len());
    prop_assert_eq!(pair.shared.len() + pair.extra.len(), smaller.len());
    for shared in &pair.shared {
        let (column, wide) = find(larger, &shared.dimension.source);
        let (_, narrow) = find(smaller, &shared.dimension.source);
        let mut seen = 0;
        for outer in held(&shared.larger, &wide, &column, None) {
            prop_assert!(is_bin(&wide, &column, &outer), "{:?} of {}", shared.larger, wide);
            for inner in held(&shared.smaller, &narrow, &column, Some(&outer)) {
                seen += 1;
                prop_assert!(is_bin(&narrow, &column, &inner), "{:?} of {}", shared.smaller, narrow);
                prop_assert!(inner.is_subset(&outer), "{:?} {} {}", shared, wide, narrow);
                prop_assert_eq!(inner == outer, shared.within == Within::Equal, "{:?} {} {}", shared, wide, narrow);
            }
        }
        prop_assert!(seen > 0, "{:?} {} {}", shared, wide, narrow);
        narrower |= shared.within == Within::Strictly;
    }
    for (dimension, part) in &pair.extra {
        let (column, narrow) = find(smaller, &dimension.source);
        for inner in held(part, &narrow, &column, None) {
            prop_assert!(is_bin(&narrow, &column, &inner) && inner.len() < domain(&column).len());
            narrower = true;
        }
    }
    prop_assert!(narrower);
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn what_is_granted_is_so_for_every_row((first, second) in two_binnings()) {
        match binning(&first).relation(&binning(&second)) {
            Relation::Same => prop_assert_eq!(first, second),
            Relation::Coarser => prop_assert!(is_function(&first, &second)),
            Relation::Finer => prop_assert!(is_function(&second, &first)),
            Relation::Disjoint(_) => prop_assert!(false, "there is no split"),
            Relation::Different => {}
        }
    }

    #[test]
    fn an_example_is_a_cell_strictly_within_another((first, second) in two_binnings()) {
        check_example(&first, &second)?;
        check_example(&second, &first)?;
    }
}

/// Proofs and examples that are never found would be sound too; and without refusals the tests above could not fail.
#[test]
fn most_of_what_is_so_is_found() {
    let mut runner = TestRunner::deterministic();
    let (mut coarser, mut proved, mut refused, mut subtracted, mut shown) = (0u32, 0u32, 0u32, 0u32, 0u32);
    for _ in 0..1_000 {
        let (first, second) = two_binnings().new_tree(&mut runner).expect("two binnings").current();
        let (one, other) = (binning(&first), binning(&second));
        if first != second && is_function(&first, &second) {
            coarser += 1;
            proved += u32::from(one.relation(&other) == Relation::Coarser);
        }
        refused += u32::from(one.relation(&other) == Relation::Different);
        if lies_within(&first, &second) || lies_within(&second, &first) {
            subtracted += 1;
            shown += u32::from(one.difference(&other).is_some());
        }
    }
    let measured = format!("{proved} of {coarser} proved, {refused} refused, {shown} of {subtracted} shown");
    assert!(coarser > 200 && refused > 200 && subtracted > 200, "{measured}");
    assert!(proved * 10 >= coarser * 9 && shown * 10 >= subtracted * 5, "{measured}");
}
