//! Which bin a value is in, compared with the plainest way to find out.
//!
//! It must never compute an expected number in the way that is tested: rationals are compared with rationals. It is
//! separate because it is longer than what it tests. Read `cut.rs` first.

use super::{Cutter, NOT_COUNTED, cells};
use arrow_array::types::{Int32Type, UInt8Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    LargeStringArray, StringArray, StringViewArray, UInt8Array, UInt64Array,
};
use arrow_schema::DataType;
use incrowd_engine::{
    BinSource, Cut, Date, Dimension, Edges, Expression, Items, ListedValues, Nulls, Other, PeriodUnit, Periods,
    PrepareError, row_type,
};
use incrowd_exact::{Integer, Natural, Rational, parse_number};
use std::sync::Arc;

const NO: u64 = NOT_COUNTED;

fn dimension(cut: Cut) -> Dimension<Expression> {
    let source = BinSource::Column("c".into());
    Dimension { name: "b".into(), source, cut, other: Other::Counted, nulls: Nulls::Bin, items: Items::Each }
}

fn silent(cut: Cut) -> Dimension<Expression> {
    Dimension { other: Other::NotCounted, nulls: Nulls::Drop, ..dimension(cut) }
}

fn codes(dimension: &Dimension<Expression>, values: &dyn Array) -> Vec<u64> {
    let mut cutter =
        Cutter::new(dimension, &row_type(values.data_type())).unwrap_or_else(|problem| panic!("{problem}"));
    let mut codes = vec![7; 3];
    cutter.codes(values, &mut codes);
    codes
}

fn rational(text: &str) -> Rational {
    parse_number(text).expect("a number")
}

fn day(number: i64) -> Date {
    Date::from_day_number(number).expect("a day")
}

fn edges(texts: &[&str]) -> Cut {
    Cut::Edges(Edges::Numbers(texts.iter().map(|text| rational(text)).collect()))
}

#[test]
fn listed_come_first_then_other_then_missing() {
    let texts = Cut::Values(ListedValues::Texts(vec!["b".into(), "a".into(), "".into()]));
    let values = StringArray::from(vec![Some("a"), Some("b"), Some("c"), None, Some(""), Some(" a"), Some("A")]);
    assert_eq!(codes(&dimension(texts.clone()), &values), [1, 0, 3, 4, 2, 3, 3]);
    assert_eq!(codes(&silent(texts.clone()), &values), [1, 0, NO, NO, 2, NO, NO]);
    let only_missing = Dimension { other: Other::NotCounted, ..dimension(texts) };
    assert_eq!(codes(&only_missing, &values), [1, 0, NO, 3, 2, NO, NO]);
}

#[test]
fn every_way_to_store_texts_gives_the_same_bins() {
    let texts =
        dimension(Cut::Values(ListedValues::Texts(vec!["Sales".into(), "a text of more than twelve bytes".into()])));
    let long = "x".repeat(1 << 20);
    let values = vec![Some("Sales"), None, Some("a text of more than twelve bytes"), Some(long.as_str()), Some("")];
    let expected = [0, 3, 1, 2, 2];
    assert_eq!(codes(&texts, &StringArray::from(values.clone())), expected);
    assert_eq!(codes(&texts, &LargeStringArray::from(values.clone())), expected);
    assert_eq!(codes(&texts, &StringViewArray::from(values.clone())), expected);
    let words: DictionaryArray<Int32Type> = values.iter().copied().collect();
    assert_eq!(codes(&texts, &words), expected);
    let words: DictionaryArray<UInt8Type> = values.into_iter().collect();
    assert_eq!(codes(&texts, &words), expected);
}

#[test]
fn a_missing_word_of_a_dictionary_is_missing() {
    let words: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None]));
    let keys = UInt8Array::from(vec![Some(1), Some(0), None]);
    let values = DictionaryArray::<UInt8Type>::new(keys, words);
    assert_eq!(codes(&dimension(Cut::Values(ListedValues::Texts(vec!["a".into()]))), &values), [2, 0, 2]);
}

#[test]
fn another_dictionary_with_the_same_keys_is_not_taken_for_the_last_one() {
    let bins = dimension(Cut::Values(ListedValues::Texts(vec!["a".into(), "b".into()])));
    let dictionary = |words: Vec<&str>| {
        let words: ArrayRef = Arc::new(StringArray::from(words));
        DictionaryArray::<Int32Type>::new(Int32Array::from(vec![0, 1, 0]), words)
    };
    let (one, other) = (dictionary(vec!["a", "b"]), dictionary(vec!["b", "c"]));
    let mut cutter = Cutter::new(&bins, &row_type(one.data_type())).expect("bins");
    let mut codes = Vec::new();
    for _ in 0..2 {
        cutter.codes(&one, &mut codes);
        assert_eq!(codes, [0, 1, 0]);
        cutter.codes(&one.slice(1, 2), &mut codes);
        assert_eq!(codes, [1, 0]);
        cutter.codes(&other, &mut codes);
        assert_eq!(codes, [1, 2, 1]);
    }
}

#[test]
fn integers_are_listed_near_and_far() {
    let values = Int64Array::from(vec![Some(i64::MIN), Some(-1), Some(0), Some(3), Some(i64::MAX), None]);
    assert_eq!(codes(&dimension(Cut::Values(ListedValues::Integers(vec![3, -1]))), &values), [2, 1, 2, 0, 2, 3]);
    assert_eq!(
        codes(&dimension(Cut::Values(ListedValues::Integers(vec![i64::MAX, 3, i64::MIN]))), &values),
        [2, 3, 3, 1, 0, 4]
    );
    assert_eq!(codes(&dimension(Cut::Values(ListedValues::Integers(vec![i64::MIN]))), &values), [0, 1, 1, 1, 1, 2]);
    assert_eq!(codes(&dimension(Cut::Values(ListedValues::Integers(vec![i64::MAX]))), &values), [1, 1, 1, 1, 0, 2]);
    assert_eq!(codes(&dimension(Cut::Values(ListedValues::Integers(Vec::new()))), &values), [0, 0, 0, 0, 0, 1]);
}

#[test]
fn truth_values_and_days_are_listed() {
    let truths = BooleanArray::from(vec![Some(true), Some(false), None]);
    assert_eq!(codes(&dimension(Cut::Values(ListedValues::Booleans(vec![true, false]))), &truths), [0, 1, 3]);
    assert_eq!(codes(&dimension(Cut::Values(ListedValues::Booleans(vec![false]))), &truths), [1, 0, 2]);
    assert_eq!(codes(&silent(Cut::Values(ListedValues::Booleans(vec![false]))), &truths), [NO, 0, NO]);
    let first = day(-719_162);
    let days = Date32Array::from(vec![Some(first.days()), Some(5), Some(i32::MIN), Some(i32::MAX), None]);
    assert_eq!(codes(&dimension(Cut::Values(ListedValues::Days(vec![day(5), first]))), &days), [1, 0, 2, 2, 3]);
}

#[test]
fn dates_and_periods_are_half_open() {
    let days = Date32Array::from(vec![Some(9), Some(10), Some(19), Some(20), Some(29), Some(30), None]);
    assert_eq!(
        codes(&silent(Cut::Edges(Edges::Dates([10, 20, 30].map(day).to_vec()))), &days),
        [NO, 0, 0, 1, 1, NO, NO]
    );
    // January, February and March 1970.
    let days = Date32Array::from(vec![-1, 0, 30, 31, 58, 59, 89, 90]);
    let periods =
        |unit, first, last| silent(Cut::Periods(Periods::between(unit, day(first), day(last)).expect("periods")));
    assert_eq!(codes(&periods(PeriodUnit::Month, 0, 59), &days), [NO, 0, 0, 1, 1, 2, 2, NO]);
    assert_eq!(codes(&periods(PeriodUnit::Month, 0, 0), &days), [NO, 0, 0, NO, NO, NO, NO, NO]);
    assert_eq!(codes(&periods(PeriodUnit::Day, 30, 31), &days), [NO, NO, 0, 1, NO, NO, NO, NO]);
    // The last day that a request can name; its period ends with a day that none can.
    let last = Date32Array::from(vec![2_932_895, 2_932_896, 2_932_897, i32::MAX]);
    assert_eq!(codes(&periods(PeriodUnit::Day, 2_932_896, 2_932_896), &last), [NO, 0, NO, NO]);
}

#[test]
fn floats_meet_edges_exactly() {
    let values = Float64Array::from(vec![
        Some(-0.0),
        Some(0.0),
        Some(0.1),
        Some(0.1f64.next_down()),
        Some(f64::NAN),
        Some(f64::INFINITY),
        Some(f64::NEG_INFINITY),
        Some(f64::MAX),
        Some(-f64::MAX),
        Some(f64::from_bits(1)),
        None,
    ]);
    // The float 0.1 means one tenth, and the one below it less.
    assert_eq!(codes(&dimension(edges(&["0", "0.1", "1"])), &values), [0, 0, 1, 0, 3, 2, 2, 2, 2, 0, 3]);
    // Edges beyond all floats: everything finite is inside, and nothing infinite.
    let wide = dimension(Cut::Edges(Edges::Numbers(vec![
        -Rational::from(Natural::from(10u8).pow(400)),
        rational("0"),
        Rational::from(Natural::from(10u8).pow(400)),
    ])));
    assert_eq!(codes(&wide, &values), [1, 1, 1, 1, 3, 2, 2, 1, 0, 1, 3]);
    // An edge below the least float above zero.
    let tiny = Rational::from_parts(Integer::ONE, Natural::from(10u8).pow(400));
    assert_eq!(
        codes(&dimension(Cut::Edges(Edges::Numbers(vec![tiny, rational("1")]))), &values),
        [1, 1, 0, 0, 2, 1, 1, 1, 1, 0, 2]
    );
}

#[test]
fn a_float_is_at_the_edge_that_its_shortest_decimal_names() {
    // As binary fractions 0.1 lies above one tenth, 0.3 below three tenths, and 0.7 below seven.
    let values = Float64Array::from(vec![0.1, 0.3, 0.7, 0.1 + 0.2, 1.0 / 3.0]);
    assert_eq!(codes(&silent(edges(&["0", "0.1", "0.3", "0.7", "1"])), &values), [1, 2, 3, 2, 2]);
    // A third has no decimal: the float next to it is printed with sixteen threes, which is less.
    assert_eq!(codes(&silent(edges(&["0", "1/3", "1"])), &values), [0, 0, 1, 0, 0]);
}

#[test]
fn integers_meet_edges_beyond_their_range() {
    let values = Int64Array::from(vec![Some(i64::MIN), Some(-1), Some(0), Some(1), Some(i64::MAX), None]);
    let wide = edges(&["-1e30", "-0.5", "0.5", "1e30"]);
    assert_eq!(codes(&dimension(wide.clone()), &values), [0, 0, 1, 2, 2, 4]);
    // Two edges between the same integers: the interval between them is empty.
    assert_eq!(codes(&dimension(edges(&["0", "1/3", "2/3", "2"])), &values), [3, 3, 0, 2, 3, 4]);
    let naturals = UInt64Array::from(vec![0, 1, u64::MAX]);
    assert_eq!(codes(&dimension(wide), &naturals), [1, 2, 2]);
    let beyond = edges(&["1e30", "1e31"]);
    assert_eq!(codes(&silent(beyond), &values), [NO; 6]);
}

#[test]
fn decimals_meet_edges_in_their_own_units() {
    let units = vec![Some(99), Some(100), Some(133), Some(134), Some(i128::MAX), Some(i128::MIN), None];
    let values = Decimal128Array::from(units).with_precision_and_scale(38, 2).expect("decimals");
    assert_eq!(codes(&dimension(edges(&["1", "4/3", "2"])), &values), [2, 0, 0, 1, 2, 2, 3]);
    let hundreds = Decimal128Array::from(vec![1, 2]).with_precision_and_scale(5, -2).expect("decimals");
    assert_eq!(codes(&dimension(edges(&["100", "150", "200.5"])), &hundreds), [0, 1]);
}

fn regular(from: &str, width: &str, intervals: u64) -> Cut {
    Cut::Edges(Edges::Regular { from: rational(from), width: rational(width), intervals })
}

#[test]
fn intervals_of_equal_width_may_be_as_many_as_there_are_numbers() {
    let values = Int64Array::from(vec![i64::MIN, -1, 0, 9, 10, i64::MAX]);
    let many = silent(regular("-9223372036854775808", "2", 1 << 63));
    assert_eq!(codes(&many, &values), [0, (1 << 62) - 1, 1 << 62, (1 << 62) + 4, (1 << 62) + 5, (1 << 63) - 1]);
    assert_eq!(codes(&silent(regular("0.5", "10", 1 << 40)), &values), [NO, NO, NO, 0, 0, NO]);
    assert_eq!(codes(&dimension(regular("0", "10", 1)), &values), [1, 1, 0, 0, 1, 1]);
    let fractions = Cutter::new(&silent(regular("0", "1/3", 10_000_001)), &row_type(&DataType::Int64));
    assert!(matches!(fractions, Err(PrepareError::TooManyBins { .. })));
    let floats = Cutter::new(&silent(regular("0", "1", 1 << 40)), &row_type(&DataType::Float64));
    assert!(matches!(floats, Err(PrepareError::TooManyBins { .. })));
    let decimals = Decimal128Array::from(vec![0, 24, 25, 99, 100]).with_precision_and_scale(5, 2).expect("decimals");
    assert_eq!(codes(&silent(regular("0", "0.25", 4)), &decimals), [0, 0, 1, 3, NO]);
}

#[test]
fn types_that_a_cut_does_not_know_are_refused() {
    for (cut, kind) in [
        (Cut::Found, DataType::Utf8),
        (Cut::Values(ListedValues::Texts(Vec::new())), DataType::Int64),
        (Cut::Values(ListedValues::Integers(Vec::new())), DataType::Utf8),
        (Cut::Values(ListedValues::Booleans(Vec::new())), DataType::Int64),
        (Cut::Values(ListedValues::Days(Vec::new())), DataType::Int64),
        (edges(&["0", "1"]), DataType::Utf8),
        (regular("0", "1", 1), DataType::Date32),
    ] {
        assert!(matches!(Cutter::new(&dimension(cut), &row_type(&kind)), Err(PrepareError::WrongType { .. })));
    }
}

#[test]
fn the_last_dimension_of_a_cell_runs_fastest() {
    let dimensions = [
        dimension(Cut::Values(ListedValues::Texts(vec!["a".into(), "b".into()]))),
        silent(Cut::Values(ListedValues::Integers(vec![1, 2, 3]))),
        dimension(edges(&["0", "1"])),
    ];
    let words: DictionaryArray<Int32Type> =
        vec![Some("a"), Some("b"), Some("z"), None, Some("a")].into_iter().collect();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(words),
        Arc::new(Int64Array::from(vec![Some(1), Some(3), Some(2), Some(1), None])),
        Arc::new(Float64Array::from(vec![Some(0.5), Some(1.0), None, Some(0.0), Some(0.0)])),
    ];
    let cutters = dimensions
        .iter()
        .zip(&columns)
        .map(|(dimension, column)| Cutter::new(dimension, &row_type(column.data_type())));
    let mut cutters = cutters.collect::<Result<Vec<_>, _>>().expect("bins");
    let mut numbers = Vec::new();
    cells(&mut cutters, &columns, &mut numbers);
    assert_eq!(numbers, [0, 9 + 6 + 1, 18 + 3 + 2, 27, NO]);
}
