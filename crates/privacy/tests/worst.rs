//! The worst count against an exhaustive look at every count, with laws written down a second time.
//!
//! The laws below come from the definitions (`docs/theory.md` section 3), in floats over one dense window; they must
//! never call the crate's own laws, the relay's integers excepted. They are separate from `reference.rs` because
//! promises are drawn here that the mechanism was not made for, with every universe and threshold. Read
//! `account/worst.rs` for what is put to the test.

use incrowd_exact::Rational;
use incrowd_privacy::{
    Bound, BoundParameters, Curve, Deployed, Epsilon, LowerBound, Mechanism, Promise, RelayTable, SideOutput,
    Tightness, Universe,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values from `-WINDOW` to `WINDOW` are followed; the slowest noise drawn here has lost all but 1e-13 by then.
const WINDOW: i64 = 300;
/// Every count up to here is looked at; no bend drawn here is beyond the first half.
const LAST: u64 = 45;
/// What floats may get wrong where epsilon is small.
const TOLERANCE: f64 = 1e-10;
const NOTHING: i64 = i64::MIN;
const AT_MOST: i64 = i64::MIN + 1;

/// Chances by what is told and what is shown.
type Law = BTreeMap<(Vec<i64>, i64), f64>;

fn twentieths(value: u32) -> Rational {
    Rational::from(value) / Rational::from(20u8)
}

fn finite(value: u32) -> Epsilon {
    Epsilon::Finite(twentieths(value))
}

fn rate(epsilon: &Rational) -> f64 {
    epsilon.to_f64().value()
}

fn float(epsilon: &Epsilon) -> f64 {
    epsilon.finite().map_or(f64::INFINITY, rate)
}

fn sure(value: i64) -> Vec<f64> {
    let mut dense = vec![0.0; 2 * WINDOW as usize + 1];
    dense[(value + WINDOW) as usize] = 1.0;
    dense
}

/// Adds the two-sided geometric noise of a rate: one geometric to the right, one to the left.
fn noisy(mut dense: Vec<f64>, rate: f64) -> Vec<f64> {
    if rate.is_finite() {
        let q = (-rate).exp();
        for index in 1..dense.len() {
            dense[index] += q * dense[index - 1];
        }
        for index in (0..dense.len() - 1).rev() {
            dense[index] += q * dense[index + 1];
        }
        dense.iter_mut().for_each(|cell| *cell *= (1.0 - q) * (1.0 - q));
    }
    dense
}

fn show(law: &mut Law, side_value: &[i64], dense: &[f64], from: Option<i64>) {
    for (value, chance) in (-WINDOW..).zip(dense) {
        let shown = if from.is_some_and(|from| value < from) { NOTHING } else { value };
        *law.entry((side_value.to_vec(), shown)).or_default() += chance;
    }
}

/// Noise level by level; a level of rate zero shows nothing.
fn ladder(count: i64, epsilons: &[f64], levels: &[i64], side_column: bool, from: Option<i64>) -> Law {
    let mut law = Law::new();
    let mut states: Vec<(Vec<i64>, Vec<f64>)> = vec![(vec![], noisy(sure(count), epsilons[0]))];
    for (epsilon, level) in epsilons[1..].iter().zip(levels) {
        let mut after = Vec::new();
        for (side_value, dense) in states {
            let cut = (*level + WINDOW + 1) as usize;
            let (mut fired, mut kept) = (dense.clone(), dense);
            fired[cut..].fill(0.0);
            kept[..cut].fill(0.0);
            let said = |bit: i64| side_value.iter().copied().chain([bit]).filter(|_| side_column).collect::<Vec<_>>();
            after.push((said(0), kept));
            if *epsilon == 0.0 {
                *law.entry((said(1), NOTHING)).or_default() += fired.iter().sum::<f64>();
            } else {
                after.push((said(1), noisy(fired, *epsilon)));
            }
        }
        states = after;
    }
    for (side_value, dense) in states {
        show(&mut law, &side_value, &dense, from);
    }
    law
}

/// `mu(y) e^-|Phi(y) - Phi(k)|`, everything up to the last zero merged, counts beyond the last finite epsilon exact.
fn tailored(curve: &Curve, count: i64, from: Option<i64>) -> Law {
    let mut law = Law::new();
    let epsilon = |j: i64| if j == 0 { f64::INFINITY } else { float(&curve.epsilon(j as u64)) };
    let r = |j: i64| (-epsilon(j)).exp();
    if count > 0 && epsilon(count).is_infinite() {
        return Law::from([((vec![], if from.is_some_and(|from| count < from) { NOTHING } else { count }), 1.0)]);
    }
    let mut phi = vec![0.0; WINDOW as usize];
    (1..WINDOW).for_each(|j| phi[j as usize] = phi[j as usize - 1] + epsilon(j));
    for y in (0..WINDOW - 1).take_while(|y| phi[*y as usize].is_finite()) {
        let mu = 1.0 / (1.0 + r(y)) + 1.0 / (1.0 + r(y + 1)) - 1.0;
        let merged = curve.last_zero().is_none_or(|last| last > 0 && y as u64 <= last);
        let hidden = from.is_some_and(|from| merged || y < from);
        let shown = [[y, NOTHING], [AT_MOST, NOTHING]][usize::from(merged)][usize::from(hidden)];
        *law.entry((vec![], shown)).or_default() += mu * (-(phi[y as usize] - phi[count as usize]).abs()).exp();
    }
    law
}

/// The private draw of epsilon by noise on the count, then the noise that it leaves room for.
fn general(bound: &LowerBound, side_column: bool, count: i64, from: Option<i64>) -> Law {
    let mut law = Law::new();
    let BoundParameters { epsilon_a, alpha, .. } = bound.parameters();
    let shift = i64::try_from(&(alpha / epsilon_a).ceil()).expect("a small number");
    let mut by_total: BTreeMap<Epsilon, f64> = BTreeMap::new();
    for (number, chance) in (-WINDOW..).zip(noisy(sure(count - shift), rate(epsilon_a))) {
        *by_total.entry(bound.curve().epsilon(number.max(1) as u64)).or_default() += chance;
    }
    for (total, chance) in by_total {
        let side_value = if side_column { vec![(float(&total) * 1e9) as i64] } else { vec![] };
        if float(&total) <= rate(epsilon_a) {
            *law.entry((side_value, NOTHING)).or_default() += chance;
        } else {
            let dense = noisy(sure(count), float(&total) - rate(epsilon_a));
            show(&mut law, &side_value, &dense.iter().map(|cell| cell * chance).collect::<Vec<_>>(), from);
        }
    }
    law
}

fn law(deployed: &Deployed, count: u64) -> Law {
    let (from, k) = (deployed.publish_from, count as i64);
    let nothing = Law::from([((vec![], NOTHING), 1.0)]);
    if deployed.universe == Universe::Open && count == 0 {
        return nothing;
    }
    let shared = |epsilon: &Rational, group: u64| rate(epsilon) / group as f64;
    let plain = |rate: f64, shown: &dyn Fn(i64) -> bool| {
        (-WINDOW..).zip(noisy(sure(k), rate)).fold(Law::new(), |mut law, (value, chance)| {
            *law.entry((vec![], if shown(value) { value } else { NOTHING })).or_default() += chance;
            law
        })
    };
    let passes = |value: i64| from.is_none_or(|from| value >= from);
    match &deployed.mechanism {
        Mechanism::SuppressBelow { crowd } if count < *crowd => nothing,
        Mechanism::SuppressUpTo { group } if count <= *group => nothing,
        Mechanism::NoiseBelow { crowd, epsilon } if count < *crowd => plain(rate(epsilon), &passes),
        Mechanism::NoiseUpTo { group, epsilon } if count <= *group => plain(shared(epsilon, *group), &passes),
        Mechanism::Geometric { epsilon } => plain(rate(epsilon), &passes),
        Mechanism::Fading { curve, .. } => plain(float(&curve.epsilon(count.max(1))), &passes),
        Mechanism::Threshold { epsilon, threshold } => plain(rate(epsilon), &|y| y >= *threshold && passes(y)),
        Mechanism::Range { epsilon, half_width } => plain(rate(epsilon), &|y| y.abs_diff(k) <= *half_width),
        Mechanism::NoisySuppress { group, epsilon, offset } => {
            ladder(k, &[rate(epsilon), 0.0], &[*group as i64 + offset], false, from)
        }
        Mechanism::NoisyNoise { group, epsilon, offset } => {
            ladder(k, &[rate(epsilon), shared(epsilon, *group)], &[*group as i64 + offset], false, from)
        }
        Mechanism::Staircase { epsilons, levels, side_output } => {
            let epsilons: Vec<f64> = epsilons.iter().map(float).collect();
            ladder(k, &epsilons, levels, *side_output == SideOutput::Published, from)
        }
        Mechanism::General { bound, side_output } => general(bound, *side_output == SideOutput::Published, k, from),
        Mechanism::TailoredGeometric { curve } => tailored(curve, k, from),
        Mechanism::Relay { table, .. } => {
            let (drawn, mut law) = (table.law(count), nothing);
            for (value, mass) in drawn.published {
                let chance = mass.to_f64().value() * 2f64.powi(-128);
                *law.entry((vec![], NOTHING)).or_default() -= chance;
                *law.entry((vec![], if passes(value as i64) { value as i64 } else { NOTHING })).or_default() += chance;
            }
            law
        }
        _ => plain(f64::INFINITY, &passes),
    }
}

/// `sum_y max(0, P(y) - e^eps Q(y))`, the larger of both directions; nothing where nothing is promised.
fn cost(here: &Law, before: &Law, epsilon: &Epsilon) -> f64 {
    let factor = float(epsilon).exp();
    let one_way = |p: &Law, q: &Law| -> f64 {
        p.iter().map(|(key, chance)| (chance - factor * q.get(key).unwrap_or(&0.0)).max(0.0)).sum()
    };
    if factor.is_finite() { one_way(here, before).max(one_way(before, here)) } else { 0.0 }
}

fn curves() -> impl Strategy<Value = Curve> {
    let heights = (0usize..4, prop::collection::vec(0u32..6, 1..16), any::<bool>());
    let table = heights.prop_map(|(zeros, steps, ends)| {
        let (mut values, mut height) = (vec![Epsilon::ZERO; zeros], u32::from(zeros == 0) * 4);
        for step in steps {
            height += 2 * step.saturating_sub(2);
            values.push(finite(height));
        }
        values.extend(ends.then_some(Epsilon::Infinite));
        Promise::Table { values }
    });
    let linear = (2u32..8, 2u32..10, prop::option::of(10u32..50)).prop_map(|(slope, floor, cap)| {
        let cap = cap.map_or(Epsilon::Infinite, finite);
        Promise::Linear { slope: twentieths(slope), floor: twentieths(floor), cap }
    });
    prop_oneof![table, linear].prop_map(|promise| promise.curve().expect("a curve"))
}

fn mechanisms() -> impl Strategy<Value = (Mechanism, Curve)> {
    let levels = (-6i64..14, -6i64..14);
    let drawn_from = (curves(), 0u8..17, 1u64..12, (4u32..24, 4u32..24, 4u32..24), levels, 1u32..30, any::<bool>());
    drawn_from.prop_filter_map("a bound needs a floor", |(own, kind, group, (e, f, g), (a, b), alpha, side_column)| {
        let (epsilon, shared, few) = (twentieths(e), twentieths(e + 12), group.min(4));
        let side_output = if side_column { SideOutput::Published } else { SideOutput::Hidden };
        let mechanism = match kind {
            0 => Mechanism::TailoredGeometric { curve: own.clone() },
            1 => {
                Mechanism::Relay { table: Arc::new(RelayTable::build(&own, &twentieths(1)).ok()?), curve: own.clone() }
            }
            2 => Mechanism::SuppressBelow { crowd: group },
            3 => Mechanism::NoiseBelow { crowd: group, epsilon },
            4 => Mechanism::SuppressUpTo { group },
            5 => Mechanism::NoiseUpTo { group: few, epsilon: shared },
            6 | 7 => Mechanism::Geometric { epsilon },
            8 => Mechanism::NoisySuppress { group, epsilon, offset: a },
            9 => Mechanism::NoisyNoise { group: few, epsilon: shared, offset: a },
            10 | 11 => {
                let first = if alpha % 3 == 0 { Epsilon::Infinite } else { finite(e + f.max(g)) };
                let last = if alpha % 4 == 0 { Epsilon::ZERO } else { finite(f.min(g)) };
                let epsilons = vec![first, finite(f.max(g)), last];
                Mechanism::Staircase { epsilons, levels: vec![group as i64 + a, b], side_output }
            }
            12 | 13 => {
                let (bound, grid, alpha) = (Bound::NoiseOnCount, Rational::ONE, twentieths(alpha));
                let epsilon_a = own.epsilon(1).finite()? / Rational::from(2u8);
                let bound = BoundParameters { bound, epsilon_a, delta_a: None, grid, alpha };
                Mechanism::General { bound: Arc::new(LowerBound::new(&own, bound).ok()?), side_output }
            }
            14 => {
                own.constant_from()?;
                let at_zero = own.epsilon(1).finite().filter(|rate| **rate > Rational::ZERO)?.clone();
                Mechanism::Fading { curve: own.clone(), at_zero }
            }
            15 => Mechanism::Threshold { epsilon, threshold: a },
            _ => Mechanism::Range { epsilon, half_width: group },
        };
        Some((mechanism, own))
    })
}

/// What floats may get wrong: rounding of one law is multiplied by `e^epsilon`.
fn slack(epsilon: &Epsilon) -> f64 {
    TOLERANCE + epsilon.finite().map_or(0.0, |epsilon| 1e-13 * rate(epsilon).exp())
}

/// A mechanism on a universe that admits it, and a promise: the one it was made for one time in three.
fn cases() -> impl Strategy<Value = (Deployed, Curve)> {
    let places = (any::<bool>(), prop::option::of(-3i64..20), 0u8..3);
    let cases = (mechanisms(), curves(), places).prop_map(|((mechanism, own), other, (open, publish_from, which))| {
        let found = matches!(mechanism, Mechanism::Relay { .. } | Mechanism::Threshold { .. });
        let universe = if open || found { Universe::Open } else { Universe::Closed };
        (Deployed { mechanism, universe, publish_from }, if which == 0 { own } else { other })
    });
    cases.prop_filter("refused, or wider than the window", |(deployed, _)| {
        let whole = |count| (law(deployed, count).values().sum::<f64>() - 1.0).abs() < 1e-11;
        deployed.is_admitted() && whole(0) && whole(LAST)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_count_costs_more_than_the_worst_one((deployed, curve) in cases()) {
        let worst = rate(&deployed.worst(&curve).expect("an account").delta.upper_bound());
        let laws: Vec<Law> = (0..=LAST).map(|count| law(&deployed, count)).collect();
        for (count, pair) in (1..).zip(laws.windows(2)) {
            let epsilon = curve.epsilon(count);
            let cost = cost(&pair[1], &pair[0], &epsilon);
            prop_assert!(cost <= worst + slack(&epsilon), "{cost} at {count}, worst {worst}");
        }
    }

    #[test]
    fn deltas_are_those_of_the_definition_or_said_to_be_above_it(
        (deployed, curve) in cases(), count in prop_oneof![Just(1), 1..25u64],
    ) {
        let epsilon = curve.epsilon(count);
        let delta = deployed.delta(count, &epsilon).expect("an account");
        let found = rate(&delta.upper_bound());
        let cost = cost(&law(&deployed, count), &law(&deployed, count - 1), &epsilon);
        let slack = slack(&epsilon);
        prop_assert!(cost <= found + slack, "{cost} at {count}, found {found}");
        if let (Tightness::Exact, Epsilon::Finite(epsilon)) = (delta.tightness, epsilon) {
            prop_assert!(found <= cost + slack, "{cost} at {count}, found {found}");
            let summed = rate(&deployed.summed_delta(count, &epsilon).expect("an account").upper_bound());
            prop_assert!((summed - found).abs() < slack, "summed {summed}, found {found}");
        }
    }
}
