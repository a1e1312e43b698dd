//! What adds up and what is refused, through the book itself, and the leaks that refusals prevent.

use crate::{budget, name, now, number, pay};
use incrowd_exact::Rational;
use incrowd_ledger::{Authority, Charge, ChargeRefusal, Ledger, LedgerError, Terms};
use incrowd_privacy::{Epsilon, Total};
use std::collections::BTreeSet;

/// A table of one column of integers, cut at these edges.
pub fn edges(edges: &[i64]) -> String {
    let edges: Vec<String> = edges.iter().map(|edge| format!("\"{edge}\"")).collect();
    binning(&format!("{{\"edges\":[{}]}}", edges.join(",")), "2026", None)
}

pub fn binning(cut: &str, snapshot: &str, part: Option<&str>) -> String {
    let split =
        part.map(|part| format!(",\"split\":{{\"column\":\"region\",\"part\":\"{part}\"}}")).unwrap_or_default();
    format!(
        "{{\"bins\":[{{\"cut\":{cut},\"nulls\":\"drop\",\"other\":false,\"source\":{{\"column\":\"value\"}}}}],\
         \"dataset\":\"a\",\"kind\":null,\"snapshot\":\"{snapshot}\"{split},\"timezone\":\"UTC\",\"types\":{{}},\
         \"unit\":{{\"bins-per-person\":1}},\"where\":null}}"
    )
}

fn charge(binning: String, promise: &str, kind: &str, epsilon: Epsilon) -> Charge {
    Charge {
        account: name("a"),
        snapshot: "1".into(),
        plan_hash: "5eed".into(),
        binning,
        promise: promise.into(),
        kind: kind.into(),
        epsilon,
        delta: Rational::ZERO,
        smallest_group: Some(20),
    }
}

pub fn crowds(binning: String, epsilon: &str) -> Charge {
    let promise = format!(r#"{{"crowd":20,"delta":null,"epsilon":"{epsilon}","kind":"crowd-blending"}}"#);
    charge(binning, &promise, "crowd-blending", Epsilon::Infinite)
}

pub fn private(binning: String, epsilon: &str) -> Charge {
    let promise = format!(r#"{{"delta":null,"epsilon":"{epsilon}","kind":"differential-privacy"}}"#);
    charge(binning, &promise, "differential-privacy", Epsilon::Finite(number(epsilon)))
}

pub fn outliers(binning: String, group: u64, epsilon: &str) -> Charge {
    let promise = format!(r#"{{"delta":null,"epsilon":"{epsilon}","group":{group},"kind":"simple-outlier-dp"}}"#);
    charge(binning, &promise, "simple-outlier-dp", Epsilon::Finite(number(epsilon)))
}

pub fn endless(binning: String) -> Charge {
    let promise = r#"{"cap":"infinite","delta":null,"floor":"0","kind":"linear","slope":"1/100"}"#;
    charge(binning, promise, "linear", Epsilon::Infinite)
}

fn refused(ledger: &mut Ledger, charge: &Charge) -> ChargeRefusal {
    match ledger.charge(charge, now()) {
        Err(LedgerError::Refused(refusal)) => *refusal,
        other => panic!("not refused: {other:?}"),
    }
}

fn account(ledger: &Ledger) -> incrowd_ledger::Account {
    ledger.account(&name("a")).expect("a book").expect("an account")
}

fn total(ledger: &Ledger) -> Total {
    account(ledger).standings().remove(0).total.expect("a total")
}

#[test]
fn curves_add_up_by_group_in_the_same_and_in_coarser_bins() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let (fine, coarse) = (edges(&[0, 10, 20, 30]), edges(&[0, 20, 30]));
    pay(&mut ledger, &outliers(fine.clone(), 100, "1")).expect("paid");
    pay(&mut ledger, &outliers(fine, 50, "1/2")).expect("paid");
    let small = || account(&ledger).by_group(None, 50);
    assert_eq!(small(), Epsilon::Finite(number("1/100") + number("1/100")));
    pay(&mut ledger, &outliers(coarse, 100, "1")).expect("paid");
    // The group in the coarser table may be large where the fine one is small.
    assert_eq!(account(&ledger).by_group(None, 50), Epsilon::Finite(number("1/50") + number("1")));
    assert_eq!(total(&ledger), Total::Everybody { epsilon: number("5/2"), delta: Rational::ZERO });
    pay(&mut ledger, &outliers(edges(&[0, 15, 30]), 100, "1")).expect("paid");
    assert_eq!(account(&ledger).by_group(None, 50), Epsilon::Finite(number("7/2")), "no binning is finest");
}

#[test]
fn exact_counts_in_other_bins_are_refused_with_the_cells_that_would_be_subtracted() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    pay(&mut ledger, &crowds(edges(&[20, 30, 40]), "0")).expect("paid");
    let refusal = refused(&mut ledger, &crowds(edges(&[20, 25, 30, 40]), "0"));
    let ChargeRefusal::OtherBinning { subtraction: Some(subtraction), .. } = &refusal else { panic!("{refusal:?}") };
    assert_eq!(subtraction.larger, "value [20, 30)");
    assert_eq!(subtraction.smaller, "value [20, 25)");
    assert_eq!(subtraction.left, "value [25, 30)");
    let equation = "all of value [20, 30) minus value [20, 25) = value [25, 30), however few";
    assert!(refusal.to_string().contains(equation), "{refusal}");
    for instead in ["finite for everybody", "--margins all", "the same bins of the same snapshot again"] {
        assert!(refusal.hint().contains(instead), "{}", refusal.hint());
    }
    pay(&mut ledger, &crowds(edges(&[20, 30, 40]), "0")).expect("the same bins again");
}

/// CB Proposition 7: three values, two tables, one person with the middle value.
#[test]
fn three_values_in_two_tables_would_count_one_person_exactly() {
    // The leak: two tables that each hide groups below 20.
    let tables = |twos: u64| {
        let shown = |count: u64| (count >= 20).then_some(count);
        let (ones, threes) = (500, 400);
        ([shown(ones + twos), shown(threes)], [shown(ones), shown(twos + threes)])
    };
    let told = |twos| {
        let ([one_and_two, _], [one, _]) = tables(twos);
        one_and_two.zip(one).map(|(both, one)| both - one)
    };
    assert_eq!((told(0), told(1)), (Some(0), Some(1)), "nobody with the value 2 stays hidden");
    // The ledger lets the first table out, and not the second.
    let mut ledger = Ledger::in_memory().expect("a ledger");
    pay(&mut ledger, &crowds(edges(&[1, 3, 4]), "0")).expect("paid");
    let refusal = refused(&mut ledger, &crowds(edges(&[1, 2, 4]), "0"));
    assert!(matches!(refusal, ChargeRefusal::OtherBinning { .. }), "{refusal:?}");
    assert!(refusal.to_string().contains("value [1, 3)"), "{refusal}");
    assert_eq!(account(&ledger).charges(), 1);
}

/// `docs/errata.md` 4.2: one collected sample does not make two tables of exact counts safe.
#[test]
fn one_sample_for_two_tables_would_tell_with_the_chance_of_being_sampled() {
    // Each person is in the sample with chance 1/10. Many have the values 1 and 3, at most one has 2: from one sample,
    // the difference of two exact counts is 1 if she was sampled, and never 1 if she does not exist.
    let chance = number("1/10");
    let (mut with, mut without) = (Rational::ZERO, Rational::ZERO);
    for (sampled, weight) in [(1u64, chance.clone()), (0, Rational::ONE - &chance)] {
        let (ones, threes) = (300u64, 200u64);
        let difference = |twos: u64| (ones + twos) - ones;
        if difference(sampled) == 1 {
            with += &weight;
        }
        if difference(0) == 1 {
            without += &weight;
        }
        assert!(threes + sampled >= 20);
    }
    // No epsilon covers an event of chance 0: delta is at least the whole chance of being sampled.
    assert_eq!((with, without), (chance, Rational::ZERO));
    // What is charged for a table of a collected sample has an infinite epsilon, and the ledger treats it as exact
    // counts.
    let mut ledger = Ledger::in_memory().expect("a ledger");
    pay(&mut ledger, &crowds(edges(&[1, 3, 4]), "0")).expect("paid");
    assert!(matches!(refused(&mut ledger, &crowds(edges(&[1, 2, 4]), "0")), ChargeRefusal::OtherBinning { .. }));
    // A fresh sample for each release earns a finite statement, which adds up.
    let mut ledger = Ledger::in_memory().expect("a ledger");
    for table in [edges(&[1, 3, 4]), edges(&[1, 2, 4])] {
        let fresh = Charge { epsilon: Epsilon::Finite(number("1/5")), ..crowds(table, "0") };
        pay(&mut ledger, &fresh).expect("paid");
    }
    assert_eq!(total(&ledger), Total::Everybody { epsilon: number("2/5"), delta: Rational::ZERO });
}

#[test]
fn a_budget_bounds_what_crowds_and_private_releases_cost_together() {
    let allow = ["crowd-blending", "differential-privacy"].map(String::from);
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let terms = Terms { allow: Some(BTreeSet::from(allow)), ..budget("2") };
    ledger.open_account(&name("a"), &terms, now()).expect("opened");
    pay(&mut ledger, &crowds(edges(&[0, 10]), "1/2")).expect("paid");
    pay(&mut ledger, &private(edges(&[0, 5]), "1/2")).expect("paid");
    assert_eq!(total(&ledger), Total::Crowd { crowd: 20, epsilon: number("3/2"), delta: Rational::ZERO });
    let refusal = refused(&mut ledger, &private(edges(&[0, 5]), "1/2"));
    let overdrawn = ChargeRefusal::Overdrawn {
        account: name("a"),
        asked: number("1"),
        left: number("1/2"),
        overdrawn: None,
        fits: Some(number("1/4")),
    };
    assert_eq!(refusal, overdrawn);
    pay(&mut ledger, &private(edges(&[0, 5]), "1/4")).expect("what was said to fit");
    assert_eq!(account(&ledger).left("1").epsilon, Some(Rational::ZERO));
}

#[test]
fn a_curve_without_an_end_stays_with_its_own_bins() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    pay(&mut ledger, &endless(edges(&[0, 10]))).expect("paid");
    pay(&mut ledger, &private(edges(&[0, 10]), "1")).expect("the same bins");
    let refusal = refused(&mut ledger, &private(edges(&[0, 5]), "1"));
    assert!(matches!(refusal, ChargeRefusal::Endless { .. }), "{refusal:?}");
    assert!(refusal.hint().contains("cap"));
    assert_eq!(account(&ledger).by_group(None, 100), Epsilon::Finite(number("2")));
}

#[test]
fn parts_of_a_split_cost_the_largest_of_one_snapshot_only() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let splits = BTreeSet::from(["region".to_string()]);
    ledger.open_account(&name("a"), &Terms { splits: splits.clone(), ..budget("1") }, now()).expect("opened");
    let cut = r#"{"edges":["0","10"]}"#;
    for part in ["north", "south", "west"] {
        pay(&mut ledger, &private(binning(cut, "2026", Some(part)), "1")).expect("other people");
    }
    assert_eq!(total(&ledger), Total::Everybody { epsilon: number("1"), delta: Rational::ZERO });
    assert!(matches!(
        refused(&mut ledger, &private(binning(cut, "2026", Some("north")), "1/10")),
        ChargeRefusal::Overdrawn { .. }
    ));
    // People move: the north of another snapshot may hold the south of this one.
    let later = Charge { snapshot: "2".into(), ..private(binning(cut, "2", Some("east")), "1/10") };
    assert!(matches!(refused(&mut ledger, &later), ChargeRefusal::Overdrawn { .. }));
    assert!(matches!(refused(&mut ledger, &private(edges(&[0, 10]), "1/10")), ChargeRefusal::Overdrawn { .. }));
    // Exact counts of other people do not clash.
    let mut ledger = Ledger::in_memory().expect("a ledger");
    ledger.open_account(&name("a"), &Terms { splits: splits.clone(), ..Terms::unlimited() }, now()).expect("opened");
    pay(&mut ledger, &crowds(binning(cut, "2026", Some("north")), "0")).expect("paid");
    pay(&mut ledger, &crowds(binning(r#"{"edges":["0","5"]}"#, "2026", Some("south")), "0")).expect("paid");
    assert!(matches!(
        refused(&mut ledger, &crowds(binning(r#"{"edges":["0","5"]}"#, "2026", Some("north")), "0")),
        ChargeRefusal::OtherBinning { .. }
    ));
}

#[test]
fn parts_add_up_unless_the_account_declares_the_split() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    ledger.open_account(&name("a"), &budget("1"), now()).expect("opened");
    let part = |name: &str| private(binning(r#"{"edges":["0","10"]}"#, "2026", Some(name)), "3/4");
    pay(&mut ledger, &part("north")).expect("paid");
    assert!(matches!(refused(&mut ledger, &part("south")), ChargeRefusal::Overdrawn { .. }));
    // Declared afterwards, it would refund what was spent.
    let declared = Terms { splits: BTreeSet::from(["region".to_string()]), ..budget("1") };
    let late = ledger.change_terms(&name("a"), &declared, Authority::Nobody, now());
    assert_eq!(late, Err(LedgerError::PeopleDeclared { account: name("a") }));
}

#[test]
fn one_account_has_one_meaning_of_person() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let rows = edges(&[0, 10]);
    let persons = rows.replace(r#"{"bins-per-person":1}"#, r#"{"bins-per-person":1,"person":"id"}"#);
    pay(&mut ledger, &private(rows.clone(), "1/2")).expect("paid");
    let refusal = refused(&mut ledger, &private(persons, "1/2"));
    let ChargeRefusal::OtherPeople { before, now, .. } = &refusal else { panic!("{refusal:?}") };
    assert_eq!((before.as_str(), now.as_str()), ("each row", "each value of column id"));
    pay(&mut ledger, &private(rows, "1/2")).expect("the same people");
}

#[test]
fn a_budget_bounds_exact_counts_of_people_in_several_bins_too() {
    let several = edges(&[0, 10]).replace(r#"{"bins-per-person":1}"#, r#"{"bins-per-person":3,"person":"id"}"#);
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let allow = Some(BTreeSet::from(["crowd-blending".to_string()]));
    ledger.open_account(&name("a"), &Terms { allow, ..budget("1") }, now()).expect("opened");
    pay(&mut ledger, &crowds(several.clone(), "1/2")).expect("paid");
    assert!(matches!(total(&ledger), Total::Growing { up_to: Some((19, _)), .. }));
    pay(&mut ledger, &crowds(several.clone(), "1/2")).expect("paid");
    assert!(matches!(refused(&mut ledger, &crowds(several, "1/2")), ChargeRefusal::Overdrawn { .. }));
}

#[test]
fn ten_releases_cost_less_than_ten_times_one() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    for _ in 0..10 {
        pay(&mut ledger, &private(edges(&[0, 10]), "1/10")).expect("paid");
    }
    assert_eq!(total(&ledger), Total::Everybody { epsilon: number("1"), delta: Rational::ZERO });
    let losses = account(&ledger).losses(None).expect("finite");
    let tight = incrowd_privacy::Losses::of(&losses).expect("composed").epsilon(&number("1e-3")).expect("an epsilon");
    assert!(tight < number("0.95") && tight > number("1/10"), "{}", tight.to_f64().value());
}

/// One year of a series over persons, of the declared part `north`.
fn year(year: i64, period: &str) -> String {
    format!(
        r#"{{"bins":[{{"cut":{{"values":["flu"]}},"nulls":"drop","other":false,"source":{{"column":"illness"}}}}],"dataset":"a","kind":{{"first":{year},"from":2020,"last":{year},"mode":"per-period","people":"once","period":{{"column":"{period}"}},"periods":1}},"reading":{{"columns":{{"illness":"text","region":"text","who":"text","{period}":"text"}},"person":"text"}},"snapshot":"2026","split":{{"column":"region","part":"north"}},"timezone":"UTC","types":{{}},"unit":{{"bins-per-person":1,"person":"who"}},"where":null}}"#
    )
}

#[test]
fn a_declared_split_says_nothing_about_periods() {
    let splits = |columns: &[&str]| columns.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    let opened = |columns: &[&str]| {
        let mut ledger = Ledger::in_memory().expect("a ledger");
        let terms = Terms { splits: splits(columns), ..Terms::unlimited() };
        ledger.open_account(&name("a"), &terms, now()).expect("opened");
        pay(&mut ledger, &crowds(year(2020, "year"), "0")).expect("paid");
        ledger
    };
    // All of them are of the north in both years: 100 with flu, then 99, is one person.
    for columns in [&[][..], &["region"]] {
        let refusal = refused(&mut opened(columns), &crowds(year(2021, "year"), "0"));
        assert!(matches!(refusal, ChargeRefusal::OtherBinning { .. }), "{columns:?}: {refusal:?}");
    }
    pay(&mut opened(&["year"]), &crowds(year(2021, "year"), "0")).expect("nobody is in two years, somebody declares");
}

/// The same table, as a version that records readings writes it: null where nobody names the state of the data.
fn read_as(unit: &str, snapshot: &str, reading: &str) -> String {
    format!(
        r#"{{"bins":[{{"cut":{{"edges":["0","3/10","1"]}},"nulls":"drop","other":false,"source":{{"column":"value"}}}}],"dataset":"a","kind":null,"reading":{reading},"snapshot":{snapshot},"timezone":"UTC","types":{{}},"unit":{unit},"where":null}}"#
    )
}

const ROWS: &str = r#"{"bins-per-person":1}"#;

#[test]
fn the_same_bins_of_values_that_are_read_otherwise_are_not_the_same() {
    let text = |reading: &str| read_as(ROWS, "\"2026\"", reading);
    let stored = |kind: &str| format!(r#"{{"columns":{{"value":"{kind}"}},"person":null}}"#);
    let (texts, floats, json) = (stored("text"), stored("float64"), stored("json"));
    for (first, second) in [(&texts, &floats), (&texts, &json), (&json, &floats)] {
        let mut ledger = Ledger::in_memory().expect("a ledger");
        pay(&mut ledger, &crowds(text(first), "0")).expect("paid");
        let refusal = refused(&mut ledger, &crowds(text(second), "0"));
        assert!(matches!(refusal, ChargeRefusal::OtherReading { .. }), "{refusal:?}");
        pay(&mut ledger, &crowds(text(first), "0")).expect("the same");
        // What has a finite end adds up, however it is read.
        pay(&mut ledger, &private(text(second), "1/2")).expect("paid");
    }
    // A version that did not record it may have read anything.
    let unrecorded = text(&texts).replace(&format!(r#""reading":{texts},"#), "");
    let mut ledger = Ledger::in_memory().expect("a ledger");
    pay(&mut ledger, &crowds(unrecorded, "0")).expect("paid");
    assert!(matches!(refused(&mut ledger, &crowds(text(&texts), "0")), ChargeRefusal::OtherReading { .. }));
}

#[test]
fn one_column_of_identifiers_read_as_two_types_is_two_meanings_of_person() {
    let persons = r#"{"bins-per-person":1,"person":"id"}"#;
    let read_with = |id: &str, person: &str| {
        let reading = format!(r#"{{"columns":{{"id":"{id}","value":"text"}},"person":"{person}"}}"#);
        read_as(persons, "\"2026\"", &reading)
    };
    let stored = |kind: &str| read_with(kind, kind);
    // Texts that the request declares to be integers.
    let declared = read_with("text", "integer").replace(r#""types":{}"#, r#""types":{"id":"integer"}"#);
    let mut ledger = Ledger::in_memory().expect("a ledger");
    pay(&mut ledger, &private(stored("text"), "1")).expect("paid");
    for other in [stored("integer"), declared.clone()] {
        let refusal = refused(&mut ledger, &private(other, "1"));
        let ChargeRefusal::OtherPeople { before, now, .. } = &refusal else { panic!("{refusal:?}") };
        let expected = ("each value of column id, read as text", "each value of column id, read as integer");
        assert_eq!((before.as_str(), now.as_str()), expected);
    }
    pay(&mut ledger, &private(stored("text"), "1")).expect("the same persons");
    let mut ledger = Ledger::in_memory().expect("a ledger");
    pay(&mut ledger, &private(declared, "1")).expect("paid");
    pay(&mut ledger, &private(stored("integer"), "1")).expect("declared or stored, an integer is an integer");
}

#[test]
fn exact_counts_of_a_state_that_nobody_named_are_released_once() {
    let reading = r#"{"columns":{"value":"text"},"person":null}"#;
    let (unnamed, named) = (read_as(ROWS, "null", reading), read_as(ROWS, "\"2026\"", reading));
    for second in [&unnamed, &named] {
        let mut ledger = Ledger::in_memory().expect("a ledger");
        pay(&mut ledger, &crowds(unnamed.clone(), "0")).expect("paid");
        let refusal = refused(&mut ledger, &crowds(second.clone(), "0"));
        assert!(matches!(refusal, ChargeRefusal::SnapshotNotNamed { .. }), "{refusal:?}");
        // The data may have grown in between: by group size nothing but the weakest protection is known.
        pay(&mut ledger, &outliers(unnamed.clone(), 100, "1")).expect("paid");
    }
    let mut ledger = Ledger::in_memory().expect("a ledger");
    for _ in 0..3 {
        pay(&mut ledger, &outliers(unnamed.clone(), 100, "1")).expect("finite promises add up");
    }
    assert_eq!(total(&ledger), Total::Everybody { epsilon: number("3"), delta: Rational::ZERO });
    assert_eq!(account(&ledger).by_group(None, 10), Epsilon::Finite(number("3")));
    assert_eq!(account(&ledger).in_every_table(None, 10), Epsilon::Finite(number("3/100")));
    let mut ledger = Ledger::in_memory().expect("a ledger");
    for _ in 0..3 {
        pay(&mut ledger, &crowds(named.clone(), "0")).expect("one state has one name");
    }
}

#[test]
fn the_name_that_an_older_version_gave_to_every_state_names_none() {
    let older = |snapshot: &str| binning(r#"{"edges":["0","10"]}"#, snapshot, None);
    let mut ledger = Ledger::in_memory().expect("a ledger");
    pay(&mut ledger, &crowds(older("1"), "0")).expect("paid");
    assert!(matches!(refused(&mut ledger, &crowds(older("1"), "0")), ChargeRefusal::SnapshotNotNamed { .. }));
    let mut ledger = Ledger::in_memory().expect("a ledger");
    pay(&mut ledger, &crowds(older("2026"), "0")).expect("paid");
    pay(&mut ledger, &crowds(older("2026"), "0")).expect("the same");
}
