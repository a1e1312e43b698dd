//! What the mechanism `general` costs: the drawn epsilon and the noise it leads to, taken together.
//!
//! With the drawn epsilon published, each of its values is a plain pair of geometric laws and the sum is closed form;
//! hidden, the law is a mixture, summed cell by cell where it is small enough and bounded by the published one where it
//! is not. It must never take a smaller number than the mechanism that runs. Read `mechanism/lower_bound.rs` for the
//! draw itself.

use crate::account::exceeding::is_within;
use crate::account::{Delta, Tightness};
use crate::cells::TooManyOutcomes;
use crate::curve::Epsilon;
use crate::mechanism::lower_bound::LowerBound;
use crate::mechanism::{Deployed, SideOutput, Universe};
use crate::precision::{bits_for, places_for};
use crate::two_sided::{TwoSided, chance_where_positive};
use incrowd_exact::{Enclosure, Rational, exp_neg};

/// Up to so many drawn values a hidden mixture is summed exactly.
const MIXTURE: usize = 48;
/// Up to so many drawn values the published law is summed exactly.
const PUBLISHED: usize = 1 << 9;

pub(crate) fn delta(
    deployed: &Deployed,
    bound: &LowerBound,
    side_output: SideOutput,
    count: u64,
    epsilon: &Rational,
) -> Result<Delta, TooManyOutcomes> {
    if deployed.universe == Universe::Open && count == 1 {
        return Ok(first_step(deployed, bound, side_output, epsilon));
    }
    let (here, before) = (bound.number(count), bound.number(count - 1));
    let (low, high) = window(&here, &before);
    let stretches =
        if high.saturating_sub(low) < (1 << 40) { bound.stretches_limited(low, high, PUBLISHED) } else { None };
    let Some(stretches) = stretches else { return Ok(by_event(bound, count, epsilon)) };
    match side_output {
        SideOutput::Hidden if stretches.len() <= MIXTURE => match deployed.summed_delta(count, epsilon) {
            Ok(delta) => Ok(delta),
            Err(TooManyOutcomes) => Ok(upper(published(bound, &stretches, (low, high), count, epsilon))),
        },
        SideOutput::Hidden => Ok(upper(published(bound, &stretches, (low, high), count, epsilon))),
        SideOutput::Published if deployed.publish_from.is_some() => {
            Ok(upper(published(bound, &stretches, (low, high), count, epsilon)))
        }
        SideOutput::Published => Ok(published(bound, &stretches, (low, high), count, epsilon)),
    }
}

/// The first person of a bin found in the data: all that a bin of one may show is what an absent bin never shows.
fn first_step(deployed: &Deployed, bound: &LowerBound, side_output: SideOutput, epsilon: &Rational) -> Delta {
    let bits = bits_for(epsilon);
    let one = Enclosure::one(bits);
    let number = bound.number(1);
    let (low, high) = window(&number, &number);
    let stretches =
        if high.saturating_sub(low) < (1 << 40) { bound.stretches_limited(low, high, PUBLISHED) } else { None };
    let (SideOutput::Hidden, Some(stretches)) = (side_output, stretches) else {
        return Delta { enclosure: one, tightness: Tightness::UpperBound };
    };
    let ready = number.ready(bits);
    let mut shown = Enclosure::zero(bits);
    for (from, to, total) in &stretches {
        let left = bound.left_for_the_count(total);
        if !left.is_zero() {
            let chance = TwoSided { centre: 1, rate: left }.between(deployed.publish_from, None, bits);
            shown = shown.plus(&ready.sum(Some(*from), Some(*to)).times(&chance));
        }
    }
    let beyond = number.between(None, Some(low - 1), bits).plus(&number.between(Some(high + 1), None, bits));
    Delta::exact(widen(shown, &beyond))
}

fn upper(delta: Delta) -> Delta {
    Delta { tightness: Tightness::UpperBound, ..delta }
}

/// Numbers that matter at either count: all but a mass of about e^-110 < 1e-47.
fn window(here: &TwoSided, before: &TwoSided) -> (i64, i64) {
    let reach = |number: &TwoSided| match &number.rate {
        Epsilon::Infinite => 0,
        Epsilon::Finite(rate) => i64::try_from(&(Rational::from(110u8) / rate).ceil()).unwrap_or(i64::MAX / 8),
    };
    let far = reach(here).max(reach(before));
    (here.centre.min(before.centre).saturating_sub(far), here.centre.max(before.centre).saturating_add(far))
}

fn published(
    bound: &LowerBound,
    stretches: &[(i64, i64, Epsilon)],
    (low, high): (i64, i64),
    count: u64,
    epsilon: &Rational,
) -> Delta {
    let bits = bits_for(epsilon);
    let one = Enclosure::one(bits);
    let factor = one.over(&exp_neg(epsilon, bits));
    let (here, before) = (bound.number(count), bound.number(count - 1));
    let (ready_here, ready_before) = (here.ready(bits), before.ready(bits));
    let mut forward = Enclosure::zero(bits);
    let mut backward = Enclosure::zero(bits);
    for (from, to, total) in stretches {
        let p = ready_here.sum(Some(*from), Some(*to));
        let q = ready_before.sum(Some(*from), Some(*to));
        let left = bound.left_for_the_count(total);
        forward = forward.plus(&pair(&p, &q, &left, &factor));
        backward = backward.plus(&pair(&q, &p, &left, &factor));
    }
    let beyond =
        |number: &TwoSided| number.between(None, Some(low - 1), bits).plus(&number.between(Some(high + 1), None, bits));
    let delta = widen(forward, &beyond(&here)).max(&widen(backward, &beyond(&before)));
    Delta::exact(delta)
}

/// Whether no ratio at this count is above the odds: the draw's is at most `e^eps_A`, that of the noise at most what is
/// left of the curve's largest epsilon.
pub(crate) fn is_pure(bound: &LowerBound, count: u64, odds: &Rational) -> bool {
    let (here, before) = (bound.number(count), bound.number(count - 1));
    let Epsilon::Finite(rate) = &here.rate else { return false };
    let moved = Rational::from(here.centre.abs_diff(before.centre)) * rate;
    let largest = bound.curve().supremum().max(Epsilon::Finite(bound.parameters().epsilon_a.clone()));
    here.rate == before.rate && moved <= bound.parameters().epsilon_a && is_within(&largest, odds)
}

/// Returns the chance that the loss exceeds `ln odds` where the drawn epsilon is published, the larger of both
/// directions.
pub(crate) fn exceeding(bound: &LowerBound, count: u64, odds: &Rational) -> Result<Enclosure, TooManyOutcomes> {
    let (here, before) = (bound.number(count), bound.number(count - 1));
    let (low, high) = window(&here, &before);
    let stretches =
        if high.saturating_sub(low) < (1 << 40) { bound.stretches_limited(low, high, PUBLISHED) } else { None };
    let bits = bits_for(&bound.parameters().epsilon_a);
    let factor = Enclosure::rational(odds, bits);
    let (ready_here, ready_before) = (here.ready(bits), before.ready(bits));
    let mut forward = Enclosure::zero(bits);
    let mut backward = Enclosure::zero(bits);
    for (from, to, total) in stretches.ok_or(TooManyOutcomes)? {
        let p = ready_here.sum(Some(from), Some(to));
        let q = ready_before.sum(Some(from), Some(to));
        let left = bound.left_for_the_count(&total);
        forward = forward.plus(&pair_exceeding(&p, &q, &left, &factor));
        backward = backward.plus(&pair_exceeding(&q, &p, &left, &factor));
    }
    let beyond =
        |number: &TwoSided| number.between(None, Some(low - 1), bits).plus(&number.between(Some(high + 1), None, bits));
    Ok(widen(forward, &beyond(&here)).max(&widen(backward, &beyond(&before))))
}

/// The chance of one drawn value, and of the side of the noise, at which `p` is above `factor q`: see [`pair`].
fn pair_exceeding(p: &Enclosure, q: &Enclosure, left: &Epsilon, factor: &Enclosure) -> Enclosure {
    let bits = factor.bits();
    match left {
        Epsilon::Infinite => p.clone(),
        left if left.is_zero() => chance_where_positive(&p.minus(&q.times(factor)), p),
        Epsilon::Finite(left) => {
            let z = exp_neg(left, bits);
            let whole = Enclosure::one(bits).plus(&z);
            let near = chance_where_positive(&p.minus(&q.times(factor).times(&z)), &p.over(&whole));
            let far = chance_where_positive(&p.times(&z).minus(&q.times(factor)), &p.times(&z).over(&whole));
            near.plus(&far)
        }
    }
}

/// The excess of one drawn value: `p` and `q` are its chances, `left` the rate of the noise on counts one apart.
///
/// On the near side the noise ratio is `e^left`, on the far side `e^-left`, each with mass `1/(1+z)` of the nearer
/// centre.
fn pair(p: &Enclosure, q: &Enclosure, left: &Epsilon, factor: &Enclosure) -> Enclosure {
    let bits = factor.bits();
    match left {
        Epsilon::Infinite => p.clone(),
        left if left.is_zero() => p.minus(&q.times(factor)).positive_part(),
        Epsilon::Finite(left) => {
            let z = exp_neg(left, bits);
            let near = p.minus(&q.times(factor).times(&z)).positive_part();
            let far = p.times(&z).minus(&q.times(factor)).positive_part();
            near.plus(&far).over(&Enclosure::one(bits).plus(&z))
        }
    }
}

fn widen(sum: Enclosure, beyond: &Enclosure) -> Enclosure {
    Enclosure::between(sum.low_units().clone(), sum.high_units() + beyond.high_units(), sum.bits())
}

/// Returns a number that is not below `delta_count(epsilon)`, telling or not.
pub(crate) fn event_bound(bound: &LowerBound, count: u64, epsilon: &Rational) -> Rational {
    by_event(bound, count, epsilon).upper_bound()
}

/// OP Theorem 20, corrected: what the draw itself fails with, plus the chance that epsilon comes out above what is
/// promised.
fn by_event(bound: &LowerBound, count: u64, epsilon: &Rational) -> Delta {
    let bits = places_for(160, &bound.parameters().epsilon_a);
    let exceeds = |number: TwoSided| {
        // `epsilon_total` is monotone in the number; find where it passes epsilon by halving.
        let above = |at: i64| bound.epsilon_total(at) > Epsilon::Finite(epsilon.clone());
        let limit = 1i64 << 44;
        let (low, high) = (number.centre.saturating_sub(limit), number.centre.saturating_add(limit));
        match (above(low), above(high)) {
            (true, true) => Enclosure::one(bits),
            (false, false) => number.between(Some(high), None, bits).plus(&number.between(None, Some(low), bits)),
            (false, true) => number.between(Some(boundary(low, high, above)), None, bits),
            (true, false) => number.between(None, Some(boundary(low, high, |at| !above(at)) - 1), bits),
        }
    };
    let event = exceeds(bound.number(count)).max(&exceeds(bound.number(count - 1)));
    let failing = bound.number(count).delta_in_places(&bound.number(count - 1), &bound.parameters().epsilon_a, bits);
    Delta { enclosure: event.plus(&failing), tightness: Tightness::UpperBound }
}

/// Returns the first `at` in `low..=high` with `test(at)`, which holds at `high` and not at `low`.
fn boundary(mut low: i64, mut high: i64, test: impl Fn(i64) -> bool) -> i64 {
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if test(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
