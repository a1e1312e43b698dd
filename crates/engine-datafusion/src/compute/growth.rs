//! Every function, nested, with arguments that make texts longer: none makes a text beyond the bound.
//!
//! It must never leave a function out: the list here must be the list of `engine::Function`. It is separate because it
//! asks one question of all functions. Read `bound.rs` first.

use super::asked::{columns, of_expression};
use super::bound::rows_at_a_time;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use incrowd_engine::{Function, LONGEST_TEXT};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Each function as a text of a text `{}`, as long as it can be made.
const CALLS: [(&str, &str); 51] = [
    ("abs", "left({}, cast(abs(n) as integer))"),
    ("ascii", "{} || cast(ascii({}) as text)"),
    ("btrim", "btrim({} || {}, ' ')"),
    ("ceil", "left({}, cast(ceil(n) as integer))"),
    ("ceiling", "left({}, cast(ceiling(n) as integer))"),
    ("char_length", "{} || cast(char_length({}) as text)"),
    ("character_length", "{} || cast(character_length({}) as text)"),
    ("coalesce", "coalesce({} || {}, 'x')"),
    ("concat", "concat({}, {}, {}, {})"),
    ("concat_ws", "concat_ws({}, {}, {}, {})"),
    ("contains", "case when contains({}, 'w') then {} || {} end"),
    ("date_part", "{} || cast(date_part('year', date '2026-01-31') as text)"),
    ("date_trunc", "{} || cast(date_trunc('year', date '2026-01-31') as text)"),
    ("ends_with", "case when ends_with({}, 'w') then {} || {} end"),
    ("exp", "left({}, cast(exp(n - n) as integer))"),
    ("extract", "{} || cast(extract(year from date '2026-01-31') as text)"),
    ("floor", "left({}, cast(floor(n) as integer))"),
    ("greatest", "greatest({} || {}, {})"),
    ("initcap", "initcap({} || 'ŉ')"),
    ("least", "least({} || {}, {} || {})"),
    ("left", "left({} || {}, 1000000000)"),
    ("length", "{} || cast(length({}) as text)"),
    ("ln", "left({}, cast(ln(n) as integer))"),
    ("log10", "left({}, cast(log10(n) as integer))"),
    ("lower", "lower({} || 'İ')"),
    ("lpad", "lpad({} || {}, 1000, {})"),
    ("ltrim", "ltrim({} || {}, ' ')"),
    ("nullif", "nullif({} || {}, 'x')"),
    ("octet_length", "{} || cast(octet_length({}) as text)"),
    ("position", "{} || cast(position('w' in {}) as text)"),
    ("pow", "left({}, cast(pow(n, 1) as integer))"),
    ("power", "left({}, cast(power(n, 1) as integer))"),
    ("regexp_like", "case when regexp_like({}, 'w') then {} || {} end"),
    ("regexp_replace", "regexp_replace({}, '(.)', '\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1', 'g')"),
    ("replace", "replace({}, 'w', 'wwwwwwwwwwwwwwww')"),
    ("reverse", "reverse({} || {})"),
    ("right", "right({} || {}, 1000000000)"),
    ("round", "left({}, cast(round(n) as integer))"),
    ("rpad", "rpad({} || {}, 1000, {})"),
    ("rtrim", "rtrim({} || {}, ' ')"),
    ("sign", "left({}, cast(sign(n) as integer))"),
    ("signum", "left({}, cast(signum(n) as integer))"),
    ("split_part", "split_part({} || {}, ',', 1)"),
    ("sqrt", "left({}, cast(sqrt(n) as integer))"),
    ("starts_with", "case when starts_with({}, 'w') then {} || {} end"),
    ("strpos", "{} || cast(strpos({}, 'w') as text)"),
    ("substr", "substr({} || {}, 1, 1000000000)"),
    ("substring", "substring({} || {} from 1)"),
    ("trim", "trim({} || {})"),
    ("trunc", "left({}, cast(trunc(n) as integer))"),
    ("upper", "upper({} || 'ΐŉﬃ')"),
];

/// A row of ten letters, one at the bound, one beyond it, one that is missing.
fn table() -> RecordBatch {
    let (at, beyond) = ("w".repeat(LONGEST_TEXT), "w".repeat(LONGEST_TEXT + 1));
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("wwwwwwwwww"), Some(&at), Some(&beyond), None]));
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1_000_000; 4]));
    RecordBatch::try_from_iter([("t", texts), ("n", numbers)]).expect("a table")
}

fn evaluated(text: &str) -> ArrayRef {
    let query = of_expression(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let values = columns(&query, &table()).unwrap_or_else(|e| panic!("{text}: {e}"));
    Arc::clone(&values[0])
}

fn lengths(text: &str) -> Vec<Option<usize>> {
    let views = cast(&evaluated(text), &DataType::Utf8View).expect("texts");
    views.as_string_view().iter().map(|text| text.map(str::len)).collect()
}

#[test]
fn every_function_is_in_the_list() {
    let here: BTreeSet<&str> = CALLS.iter().map(|(name, _)| *name).collect();
    assert_eq!(here, Function::names().collect());
    for (name, call) in CALLS {
        assert!(call.contains(&format!("{name}(")), "{name}");
    }
}

#[test]
fn no_function_makes_a_text_beyond_the_bound_however_it_is_nested() {
    for (name, call) in CALLS {
        let mut nested = "t".to_string();
        for _ in 0..6 {
            let deeper = call.replace("{}", &nested);
            if deeper.len() > 1_000 {
                break;
            }
            nested = deeper;
        }
        assert_ne!(nested, "t", "{name} was called");
        let lengths = lengths(&nested);
        assert!(lengths.iter().flatten().all(|length| *length <= LONGEST_TEXT), "{name}: {lengths:?}");
        assert!(!matches!(name, "replace" | "upper") || lengths[2].is_none(), "{name} takes too much");
    }
}

#[test]
fn texts_up_to_the_bound_are_what_they_always_were() {
    assert_eq!(lengths("t || t"), [Some(20), None, None, None]);
    assert_eq!(lengths("t || ''"), [Some(10), Some(LONGEST_TEXT), None, None]);
    assert_eq!(lengths("concat(t, 'x')"), [Some(11), None, None, Some(1)]);
    assert_eq!(lengths("concat_ws('--', t, t, t)"), [Some(34), None, None, Some(0)]);
    assert_eq!(lengths("replace(t, 'w', 'ww')"), [Some(20), None, None, None]);
    assert_eq!(lengths("replace(t, 'w', 'v')"), [Some(10), Some(LONGEST_TEXT), None, None]);
    assert_eq!(lengths("regexp_replace(t, 'w', 'vv')"), [Some(11), None, None, None]);
    assert_eq!(lengths("regexp_replace(t, 'w', '', 'g')"), [Some(0), Some(0), None, None]);
    assert_eq!(lengths("regexp_replace(t, '(w)(w)', '\\2-\\1', 'g')"), [Some(15), None, None, None]);
    // Twelve letters of one become the bound exactly after a few doublings, and are missing from there on.
    assert_eq!(lengths("upper(left(t, 65536))"), [Some(10), Some(LONGEST_TEXT), None, None]);
    // A column that no function takes is as long as it is.
    assert_eq!(lengths("t"), [Some(10), Some(LONGEST_TEXT), Some(LONGEST_TEXT + 1), None]);
    let long = evaluated("length(t)");
    assert!(long.is_null(2) && long.is_null(3) && long.is_valid(1));
}

#[test]
fn one_row_that_grows_is_missing_and_leaves_the_others_alone() {
    // What would be ten thousand million bytes for the first row, and nothing for the others.
    let mut text = "case when length(t) = 10 then t else '' end".to_string();
    for _ in 0..8 {
        text = format!("replace({text}, 'w', 'wwwwwwwwwwwwwwww')");
    }
    assert_eq!(lengths(&text), [None, Some(0), Some(0), Some(0)]);
    let patterns =
        text.replace("replace(", "regexp_replace(").replace("'wwwwwwwwwwwwwwww')", "'wwwwwwwwwwwwwwww', 'g')");
    assert_eq!(lengths(&patterns), [None, Some(0), Some(0), Some(0)]);
}

#[test]
fn patterns_have_a_bounded_size() {
    for call in ["regexp_like(t, '(\\w{200}){200}')", "regexp_replace(t, '(\\w{200}){200}', '')"] {
        let query = of_expression(call).expect("an expression");
        let refused = columns(&query, &table()).expect_err("too large");
        assert!(refused.to_string().contains("does not understand its pattern"), "{refused}");
    }
}

#[test]
fn fewer_rows_are_computed_at_a_time_where_more_texts_are_made() {
    assert_eq!(rows_at_a_time(0, 8192), 8192);
    assert_eq!(rows_at_a_time(1, 8192), 1024);
    assert_eq!(rows_at_a_time(64, 8192), 16);
    assert_eq!(rows_at_a_time(1_000_000, 8192), 1);
}
