//! Which bin a value is in, for any edges and values.
//!
//! It must never compute an expected number in the way that is tested: rationals are compared with rationals. It is
//! separate from the examples because it needs values that nobody would think of. Read `tests.rs` for the examples.

use super::{Cutter, NOT_COUNTED};
use arrow_array::{Array, Decimal128Array, Float64Array, Int64Array, UInt64Array};
use incrowd_engine::thresholds::ceil_f64;
use incrowd_engine::{BinSource, Cut, Dimension, Edges, Items, Nulls, Other, row_type};
use incrowd_exact::{Integer, Natural, Rational};
use proptest::prelude::*;

fn codes(cut: Cut, values: &dyn Array) -> Vec<u64> {
    let source = BinSource::Column("c".into());
    let dimension =
        Dimension { name: "b".into(), source, cut, other: Other::NotCounted, nulls: Nulls::Drop, items: Items::Each };
    let mut codes = Vec::new();
    Cutter::new(&dimension, &row_type(values.data_type())).expect("bins").codes(values, &mut codes);
    codes
}

fn fraction() -> impl Strategy<Value = Rational> {
    let simple = (-1_000i64..1_000, 1u32..50).prop_map(|(top, bottom)| Rational::from_parts(top.into(), bottom.into()));
    let wild = (any::<i128>(), any::<u64>())
        .prop_map(|(top, bottom)| Rational::from_parts(top.into(), Natural::from(bottom) + Natural::ONE));
    let scaled = (any::<i64>(), 0usize..1_200, any::<bool>()).prop_map(|(top, power, up)| {
        let power = Natural::ONE << power;
        if up { Rational::from(Integer::from(top) * power) } else { Rational::from_parts(top.into(), power) }
    });
    prop_oneof![simple, wild, scaled]
}

fn ascending() -> impl Strategy<Value = Vec<Rational>> {
    prop::collection::btree_set(fraction(), 2..40).prop_map(|edges| edges.into_iter().collect())
}

/// The plainest way: which interval holds the value?
fn naive(value: &Rational, edges: &[Rational]) -> u64 {
    let place = edges.windows(2).position(|pair| pair[0] <= *value && *value < pair[1]);
    place.map_or(NOT_COUNTED, |place| place as u64)
}

/// The shortest decimal, as it is printed.
fn meant(value: f64) -> Rational {
    let text = format!("{value}");
    let (sign, text) = text.strip_prefix('-').map_or((1, text.as_str()), |rest| (-1, rest));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: Natural = format!("{whole}{fraction}").parse().expect("digits");
    Rational::from_parts(Integer::from(sign) * Integer::from(digits), Natural::from(10u8).pow(fraction.len()))
}

proptest! {
    #[test]
    fn integers_are_where_exact_comparison_puts_them(
        edges in ascending(),
        values in prop::collection::vec(prop_oneof![any::<i64>(), -1_000i64..1_000], 1..50),
    ) {
        let expected: Vec<u64> = values.iter().map(|value| naive(&Rational::from(*value), &edges)).collect();
        prop_assert_eq!(codes(Cut::Edges(Edges::Numbers(edges)), &Int64Array::from(values)), expected);
    }

    #[test]
    fn naturals_are_where_exact_comparison_puts_them(
        edges in ascending(),
        values in prop::collection::vec(prop_oneof![any::<u64>(), 0u64..1_000], 1..50),
    ) {
        let expected: Vec<u64> = values.iter().map(|value| naive(&Rational::from(*value), &edges)).collect();
        prop_assert_eq!(codes(Cut::Edges(Edges::Numbers(edges)), &UInt64Array::from(values)), expected);
    }

    #[test]
    fn decimals_are_where_exact_comparison_puts_them(
        edges in ascending(),
        values in prop::collection::vec(prop_oneof![any::<i128>(), -100_000i128..100_000], 1..50),
        scale in -5i8..20,
    ) {
        let power = Natural::from(10u8).pow(usize::from(scale.unsigned_abs()));
        let unit = if scale < 0 { Rational::from_parts(Integer::ONE, power) } else { Rational::from(power) };
        let expected: Vec<u64> = values.iter().map(|value| naive(&(Rational::from(*value) / &unit), &edges)).collect();
        let values = Decimal128Array::from(values).with_precision_and_scale(38, scale).expect("decimals");
        prop_assert_eq!(codes(Cut::Edges(Edges::Numbers(edges)), &values), expected);
    }

    #[test]
    fn floats_are_where_their_shortest_decimals_are(
        edges in ascending(),
        values in prop::collection::vec(prop_oneof![any::<f64>(), -1_000.0..1_000.0], 1..50),
    ) {
        // The floats next to each edge are the ones that a rounded edge would get wrong.
        let near = edges.iter().filter_map(ceil_f64).flat_map(|edge| [edge.next_down(), edge, edge.next_up()]);
        let values: Vec<f64> = values.into_iter().chain(near).filter(|value| value.is_finite()).collect();
        let expected: Vec<u64> = values.iter().map(|value| naive(&meant(*value), &edges)).collect();
        prop_assert_eq!(codes(Cut::Edges(Edges::Numbers(edges)), &Float64Array::from(values)), expected);
    }

    #[test]
    fn intervals_of_equal_width_are_edges(
        from in fraction(),
        width in fraction().prop_filter("a width is above zero", |width| *width > Rational::ZERO),
        intervals in 1u64..60,
        values in prop::collection::vec(prop_oneof![any::<i64>(), -1_000i64..1_000], 1..30),
    ) {
        let edges: Vec<Rational> = (0..=intervals).map(|place| &from + &width * Rational::from(place)).collect();
        let expected: Vec<u64> = values.iter().map(|value| naive(&Rational::from(*value), &edges)).collect();
        let cut = Cut::Edges(Edges::Regular { from, width, intervals });
        prop_assert_eq!(codes(cut.clone(), &Int64Array::from(values.clone())), expected.clone());
        let decimals = Decimal128Array::from(values.iter().map(|value| i128::from(*value) * 1000).collect::<Vec<_>>());
        let decimals = decimals.with_precision_and_scale(38, 3).expect("decimals");
        prop_assert_eq!(codes(cut, &decimals), expected);
    }

    #[test]
    fn the_threshold_of_a_float_is_the_least_one(edge in fraction()) {
        match ceil_f64(&edge) {
            Some(least) => {
                prop_assert!(meant(least) >= edge);
                prop_assert!(least == -f64::MAX || meant(least.next_down()) < edge);
            }
            None => prop_assert!(meant(f64::MAX) < edge),
        }
    }
}
