//! Definitions from outside: canonical texts are read back, and labels and numbers of bins belong together.

use incrowd_definition::{
    BinSource, BinValue, Binning, CellCount, Codes, ColumnType, CountedState, Cut, Date, Definition, Dimension, Edges,
    Items, Label, Labels, ListedValues, Nulls, Other, OtherIsListed, PeriodUnit, Periods, Reading, Split, Unit,
};
use incrowd_exact::Rational;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};

fn day(text: &str) -> Date {
    Date::from_text(text).expect("a day")
}

fn cuts() -> Vec<Cut> {
    let rational = |above: i64, below: u64| Rational::from_parts(above.into(), below.into());
    let months = Periods::between(PeriodUnit::Month, day("2020-11-01"), day("2021-02-01")).expect("months");
    vec![
        Cut::Found,
        Cut::Truncated(PeriodUnit::Week),
        Cut::Values(ListedValues::Texts(vec!["b".into(), String::new(), "2020-01-01".into()])),
        Cut::Values(ListedValues::Integers(vec![7, i64::MIN, 0])),
        Cut::Values(ListedValues::Booleans(vec![true])),
        Cut::Values(ListedValues::Days(vec![day("2020-02-29"), day("0001-01-01")])),
        Cut::Edges(Edges::Regular { from: rational(-1, 3), width: rational(1, 2), intervals: 5 }),
        Cut::Edges(Edges::Regular { from: rational(0, 1), width: rational(1, 1), intervals: 1_000_000_000_000 }),
        Cut::Edges(Edges::Numbers(vec![rational(0, 1), rational(1, 1), rational(7, 2)])),
        Cut::Edges(Edges::Dates(vec![day("2020-01-01"), day("2020-01-08"), day("9999-12-31")])),
        Cut::Periods(months),
    ]
}

fn dimensions() -> Vec<Dimension> {
    let mut all = Vec::new();
    for cut in cuts() {
        for (other, nulls) in [Other::NotCounted, Other::Counted].into_iter().flat_map(|o| Nulls::ALL.map(|n| (o, n))) {
            for source in [BinSource::Column("c".into()), BinSource::Expression("c || 'x'".into())] {
                let items = if cut == Cut::Found { Items::Pairs } else { Items::Each };
                all.push(Dimension { name: "b".into(), source, cut: cut.clone(), other, nulls, items });
            }
        }
    }
    all.retain(|dimension| dimension.other == Other::NotCounted || dimension.cut.may_count_others());
    all
}

#[test]
fn every_dimension_is_read_back_from_its_canonical_text() {
    let mut texts = HashSet::new();
    for dimension in dimensions() {
        let canonical = dimension.canonical();
        assert_eq!(Dimension::from_canonical("b", &canonical), Some(dimension), "{canonical}");
        assert!(texts.insert(canonical.to_string()), "two dimensions have one text: {canonical}");
        for key in ["cut", "nulls", "other", "source", "more"] {
            let mut changed = canonical.clone();
            match changed.as_object_mut().expect("an object") {
                object if object.contains_key(key) => drop(object.remove(key)),
                object => drop(object.insert(key.into(), json!(1))),
            }
            assert_eq!(Dimension::from_canonical("b", &changed), None, "{changed}");
        }
    }
    let found = |items: Value| json!({ "cut": "found", "nulls": "drop", "other": false, "source": { "column": "c" }, "items": items });
    assert!(Dimension::from_canonical("b", &found(json!("pairs"))).is_some());
    for other in [json!("each"), json!("triples"), json!(null)] {
        assert_eq!(Dimension::from_canonical("b", &found(other)), None);
    }
}

#[test]
fn shared_names_are_written_and_never_read() {
    let named = Cut::Named(vec![("nurse".into(), "care".into()), ("cook".into(), "kitchen".into())]);
    assert_eq!(named.canonical(), json!({ "names": [["nurse", "care"], ["cook", "kitchen"]] }));
    assert_eq!(Cut::from_canonical(&named.canonical()), None);
}

#[test]
fn units_and_splits_are_read_back() {
    let column = || "id".to_string();
    for unit in [Unit::Row, Unit::People { column: column() }, Unit::Person { column: column(), bins_per_person: 3 }] {
        assert_eq!(Unit::from_canonical(&unit.canonical()), Some(unit));
    }
    for part in [BinValue::Text("1".into()), BinValue::Integer(1)] {
        let split = Split { column: column(), part };
        assert_eq!(Split::from_canonical(&split.canonical()), Some(split));
    }
}

#[test]
fn a_definition_is_understood_by_the_book() {
    let types = BTreeMap::from([("c".to_string(), ColumnType::Integer)]);
    let (split, reading) = (Split { column: "r".into(), part: BinValue::Integer(3) }, Reading::default().canonical());
    let all = dimensions();
    let definition = Definition {
        dataset: Some("d"),
        condition: Some("c > 1"),
        split: Some(&split),
        unit: &Unit::Row,
        types: &types,
        timezone: "UTC",
        kind: Value::Null,
        dimensions: &all,
    };
    let state = CountedState { snapshot: Some("2026"), sample: None, reading: Some(&reading) };
    let binning = Binning::read(&definition.text_in(state)).expect("a binning");
    assert_eq!(binning.split_column(), Some("r"));
    assert!(binning.names_its_snapshot());
    let unnamed = CountedState { snapshot: None, ..state };
    assert!(!Binning::read(&definition.text_in(unnamed)).expect("a binning").names_its_snapshot());
    assert_eq!(Binning::read(&definition.text()), None, "no state of the data was counted");
}

#[test]
fn labels_and_numbers_of_bins_belong_together() {
    for dimension in dimensions() {
        let Some(labels) = Labels::of(&dimension).expect("different labels") else {
            assert_eq!(dimension.size(), None);
            continue;
        };
        let (size, codes) = (labels.size(), Codes::of(&labels));
        assert_eq!(dimension.size(), Some(size));
        assert_eq!(labels.label(size), None);
        let mut seen = HashSet::new();
        for code in (0..size.min(20)).chain(size.saturating_sub(20)..size) {
            let text = labels.label(code).expect("a label").text();
            assert_eq!(codes.code(text.as_deref()), Some(code), "{dimension:?} {text:?}");
            seen.insert(text);
        }
        assert_eq!(seen.len() as u64, size.min(40), "{dimension:?}");
        for wrong in ["nobody", "[0, 2)", "[1/2, 3/2)", "[-1, 0)", "[1000000000000, 1000000000001)", "07"] {
            assert_eq!(codes.code(Some(wrong)), None, "{dimension:?} {wrong}");
        }
        let label = |code: Option<u64>| code.map(|code| labels.label(code).expect("a label"));
        assert!(label(dimension.other_code()).is_none_or(|label| label == Label::Text("other".into())));
        assert_eq!(label(dimension.null_code()), (dimension.nulls == Nulls::Bin).then_some(Label::Missing));
        assert_eq!(codes.code(None), dimension.null_code());
    }
}

#[test]
fn a_listed_other_cannot_be_told_from_the_others() {
    let dimension = |other| Dimension {
        name: "b".into(),
        source: BinSource::Column("c".into()),
        cut: Cut::Values(ListedValues::Texts(vec!["other".into()])),
        other,
        nulls: Nulls::Drop,
        items: Items::Each,
    };
    assert_eq!(Labels::of(&dimension(Other::Counted)).err(), Some(OtherIsListed));
    assert!(Labels::of(&dimension(Other::NotCounted)).is_ok());
}

#[test]
fn cells_are_counted_only_where_all_are_declared() {
    assert_eq!(CellCount::of([]), CellCount::Unstated);
    assert_eq!(CellCount::of([Some(3), Some(4)]), CellCount::Declared(12));
    assert_eq!(CellCount::of([Some(3), None, Some(4)]), CellCount::Found);
    assert_eq!(CellCount::of([Some(u64::MAX); 3]), CellCount::Declared(u128::MAX));
}
