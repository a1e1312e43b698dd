//! One noisy number: a centre plus discrete Laplace noise, and how far two of them are apart.
//!
//! Everything here is closed form with outward rounding; it must never sum term by term over a long tail. It is
//! separate because most mechanisms add noise once, and then no table of the law is needed. Read `account.rs` next.

use crate::curve::Epsilon;
use incrowd_exact::{Enclosure, Rational, exp_neg};
use std::cmp::Ordering;

/// The law `P[y] = (1-z)/(1+z) z^|y - centre|` with `z = e^-rate`; an infinite rate is a sure `centre`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoSided {
    /// Where it peaks.
    pub centre: i64,
    /// How fast it falls; never zero.
    pub rate: Epsilon,
}

impl TwoSided {
    /// Returns the chance of values from `from` to `to`, both included; an open end is `None`.
    pub fn between(&self, from: Option<i64>, to: Option<i64>, bits: usize) -> Enclosure {
        self.ready(bits).sum(from, to)
    }

    /// Makes ready for many questions at one precision.
    pub(crate) fn ready(&self, bits: usize) -> Term {
        self.prepared(&Enclosure::one(bits))
    }

    /// Returns how far two noisy numbers are apart at an epsilon: the larger of both directions.
    pub fn delta(&self, other: &TwoSided, epsilon: &Rational) -> Enclosure {
        self.delta_in_places(other, epsilon, crate::precision::bits_for(epsilon))
    }

    /// The same with so many binary places: quicker, and not as tight.
    pub(crate) fn delta_in_places(&self, other: &TwoSided, epsilon: &Rational, bits: usize) -> Enclosure {
        let one = Enclosure::one(bits);
        let factor = one.over(&exp_neg(epsilon, bits));
        excess((&one, self), (&one, other), &factor, None).max(&excess((&one, other), (&one, self), &factor, None))
    }

    fn prepared(&self, weight: &Enclosure) -> Term {
        let bits = weight.bits();
        let decay = match &self.rate {
            Epsilon::Finite(rate) => exp_neg(rate, bits),
            Epsilon::Infinite => Enclosure::zero(bits),
        };
        let one = Enclosure::one(bits);
        let scale = weight.times(&one.minus(&decay)).over(&one.plus(&decay));
        Term { scale, decay, centre: self.centre, rate: self.rate.clone() }
    }
}

/// What is added up over the values at which `P` is above a multiple of `Q`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Adding {
    /// By how much it is above: a delta.
    Excess,
    /// All that `P` has there: the chance that a loss exceeds the log of the multiple.
    Chance,
}

impl Adding {
    /// What a stretch adds over which the sign of `difference = P - factor Q` is one and the same.
    fn of(self, difference: &Enclosure, own: &Enclosure) -> Enclosure {
        match self {
            Adding::Excess => difference.positive_part(),
            Adding::Chance => chance_where_positive(difference, own),
        }
    }
}

/// Returns `own` where the difference is above zero, zero where it is not, and what lies between where that is
/// undecided.
pub(crate) fn chance_where_positive(difference: &Enclosure, own: &Enclosure) -> Enclosure {
    match difference.sign() {
        Some(Ordering::Greater) => own.positive_part(),
        Some(Ordering::Less | Ordering::Equal) => Enclosure::zero(own.bits()),
        None => widen(Enclosure::zero(own.bits()), &own.positive_part()),
    }
}

/// Returns `sum over y >= from of max(0, weight_p P(y) - factor weight_q Q(y))`, for all `y` if `from` is `None`.
///
/// On each side of the two centres both laws are geometric, so their log-ratio is a straight line there and changes
/// sign at most once: find that place, and sum in closed form.
pub fn excess(
    p: (&Enclosure, &TwoSided),
    q: (&Enclosure, &TwoSided),
    factor: &Enclosure,
    from: Option<i64>,
) -> Enclosure {
    above(p, q, factor, from, Adding::Excess)
}

/// Returns the chance under `P` of all `y >= from` with `P(y) > factor Q(y)`.
pub(crate) fn chance_above(p: &TwoSided, q: &TwoSided, factor: &Enclosure, from: Option<i64>) -> Enclosure {
    let one = Enclosure::one(factor.bits());
    above((&one, p), (&one, q), factor, from, Adding::Chance)
}

fn above(
    (weight_p, p): (&Enclosure, &TwoSided),
    (weight_q, q): (&Enclosure, &TwoSided),
    factor: &Enclosure,
    from: Option<i64>,
    adding: Adding,
) -> Enclosure {
    let p = p.prepared(weight_p);
    let q = q.prepared(&weight_q.times(factor));
    let admitted = |y: i64| from.is_none_or(|from| y >= from);
    let nothing = Enclosure::zero(p.scale.bits());
    if p.rate == Epsilon::Infinite {
        let there = p.at(p.centre);
        return if admitted(p.centre) { adding.of(&there.minus(&q.at(p.centre)), &there) } else { nothing };
    }
    if q.rate == Epsilon::Infinite {
        if !admitted(q.centre) {
            return p.sum(from, None);
        }
        let there = p.at(q.centre);
        let elsewhere = p.sum(from, None).minus(&there).positive_part();
        return elsewhere.plus(&adding.of(&there.minus(&q.at(q.centre)), &there));
    }
    let (left, right) = (p.centre.min(q.centre), p.centre.max(q.centre));
    let mut total = nothing;
    for (start, end) in [(None, Some(left)), (Some(left + 1), Some(right - 1)), (Some(right.max(left + 1)), None)] {
        let start = match (start, from) {
            (Some(start), Some(from)) => Some(start.max(from)),
            (start, from) => start.or(from),
        };
        if let (Some(start), Some(end)) = (start, end)
            && start > end
        {
            continue;
        }
        total = total.plus(&piece(&p, &q, start, end, adding));
    }
    total
}

/// A scaled two-sided geometric, ready to be evaluated.
pub(crate) struct Term {
    scale: Enclosure,
    decay: Enclosure,
    centre: i64,
    rate: Epsilon,
}

impl Term {
    fn at(&self, y: i64) -> Enclosure {
        self.scale.times(&self.decay.power(y.abs_diff(self.centre)))
    }

    /// Returns the sum from `from` to `to`, both included; an open end is `None`.
    pub(crate) fn sum(&self, from: Option<i64>, to: Option<i64>) -> Enclosure {
        let upper = self.tail(from.map_or(i128::MIN, |from| i128::from(from) - i128::from(self.centre)));
        let beyond = match to {
            None => Enclosure::zero(self.scale.bits()),
            Some(to) => self.tail(i128::from(to) + 1 - i128::from(self.centre)),
        };
        upper.minus(&beyond).positive_part()
    }

    /// Returns the sum over all `y >= centre + distance`: `s z^m/(1-z)`, for `m <= 0` everything but the other side.
    fn tail(&self, distance: i128) -> Enclosure {
        let one = Enclosure::one(self.scale.bits());
        let geometric = |m: i128| {
            let m = u64::try_from(m).unwrap_or(u64::MAX);
            self.scale.times(&self.decay.power(m)).over(&one.minus(&self.decay))
        };
        if distance > 0 {
            return geometric(distance);
        }
        let all = self.scale.times(&one.plus(&self.decay)).over(&one.minus(&self.decay));
        if distance == i128::MIN { all } else { all.minus(&geometric(1 - distance)) }
    }

    fn slope(&self, right_of_centre: bool) -> Rational {
        let rate = self.rate.finite().cloned().unwrap_or_default();
        if right_of_centre { -rate } else { rate }
    }
}

/// So many undecided places are looked at one by one.
const UNDECIDED: i64 = 32;

/// Adds up over a stretch on which both laws are geometric.
fn piece(p: &Term, q: &Term, start: Option<i64>, end: Option<i64>, adding: Adding) -> Enclosure {
    let inside = start.or(end).unwrap_or(p.centre);
    let right_of = |term: &Term| match (start, end) {
        (Some(start), _) => start >= term.centre,
        (None, _) => inside > term.centre,
    };
    let slope = p.slope(right_of(p)) - q.slope(right_of(q));
    let whole = |from, to| {
        let own = p.sum(from, to);
        adding.of(&own.minus(&q.sum(from, to)), &own)
    };
    if slope == Rational::ZERO {
        return whole(start, end);
    }
    let value = |y: i64| p.at(y).minus(&q.at(y));
    // Beyond the reach both laws are below the last place kept; what P has there is added as its own tail.
    let bits = p.scale.bits();
    let reach = reach(bits, p, q);
    let low = start.unwrap_or(p.centre.min(q.centre).saturating_sub(reach));
    let high = end.unwrap_or(p.centre.max(q.centre).saturating_add(reach));
    let (low, high) = (low.min(high), high);
    let rising = slope > Rational::ZERO;
    let guess = guess(p, q, &slope, (low, high), value(low), value(high));
    // `settled(y)`: the sign at y is surely the one of the far end in the direction of growth.
    let surely = |y: i64, sign: Ordering| value(y).sign() == Some(sign);
    let (first_maybe, first_sure) = if rising {
        (
            first_true(low, high, guess, |y| !surely(y, Ordering::Less)),
            first_true(low, high, guess, |y| surely(y, Ordering::Greater)),
        )
    } else {
        (
            first_true(low, high, guess, |y| !surely(y, Ordering::Greater)),
            first_true(low, high, guess, |y| surely(y, Ordering::Less)),
        )
    };
    let mut total = Enclosure::zero(bits);
    if first_sure - first_maybe <= UNDECIDED {
        for y in first_maybe..first_sure {
            total = total.plus(&adding.of(&value(y), &p.at(y)));
        }
    } else {
        // A long stretch is undecided only where both laws have all but vanished: all that P has there may be excess.
        total = widen(total, &p.sum(Some(first_maybe), Some(first_sure - 1)));
    }
    // Nothing was sure as far as the reach: what P has beyond may count.
    let beyond = |total, from, to| match adding {
        Adding::Excess => Enclosure::plus(&total, &whole(from, to)),
        Adding::Chance => widen(total, &p.sum(from, to)),
    };
    if rising {
        if first_sure <= high {
            total = total.plus(&whole(Some(first_sure), end));
        } else if end.is_none() {
            total = beyond(total, Some(first_sure), end);
        }
        if start.is_none() {
            total = widen(total, &p.sum(None, Some(low - 1)));
        }
    } else {
        if first_maybe > low {
            total = total.plus(&whole(start, Some(first_maybe - 1)));
        } else if start.is_none() {
            total = beyond(total, start, Some(first_maybe - 1));
        }
        if end.is_none() {
            total = widen(total, &p.sum(Some(high + 1), None));
        }
    }
    total
}

/// Returns the number with its upper bound raised by what may lie beyond the reach.
fn widen(total: Enclosure, beyond: &Enclosure) -> Enclosure {
    Enclosure::between(total.low_units().clone(), total.high_units() + beyond.high_units(), total.bits())
}

/// How far from the centres both laws stay above the last place kept.
fn reach(bits: usize, p: &Term, q: &Term) -> i64 {
    let slowest = |term: &Term| term.rate.finite().map_or(f64::INFINITY, |rate| rate.to_f64().value());
    let rate = slowest(p).min(slowest(q));
    // A generous guess: the tails beyond are enclosed whatever it is.
    ((bits as f64) / rate).min(1e15) as i64 + 2
}

/// A float's guess of where the sign changes, only to start the search there.
fn guess(p: &Term, q: &Term, slope: &Rational, (low, high): (i64, i64), at_low: Enclosure, at_high: Enclosure) -> i64 {
    if at_low.sign().is_some() && at_low.sign() == at_high.sign() {
        return low;
    }
    let log = |term: &Term, y: i64| {
        let rate = term.rate.finite().map_or(0.0, |rate| rate.to_f64().value());
        term.scale.to_f64().max(f64::MIN_POSITIVE).ln() - rate * (y.abs_diff(term.centre) as f64)
    };
    let anchor = if (low..=high).contains(&p.centre) { p.centre } else { q.centre.clamp(low, high) };
    let offset = log(p, anchor) - log(q, anchor);
    let root = anchor as f64 - offset / slope.to_f64().value();
    if root.is_finite() { (root as i64).clamp(low, high) } else { low }
}

/// Returns the first `y` in `low..=high` with `test(y)`, `high + 1` if there is none; `test` turns true once at most.
fn first_true(low: i64, high: i64, guess: i64, test: impl Fn(i64) -> bool) -> i64 {
    // Invariant: everything below `left` is false, everything from `right` on is true.
    let (mut left, mut right) = (low, high.saturating_add(1));
    let mut stride = 1;
    let mut probe = guess.clamp(low, high);
    while left < right {
        if test(probe) {
            right = probe;
            probe = probe.saturating_sub(stride);
        } else {
            left = probe + 1;
            probe = probe.saturating_add(stride);
        }
        stride = stride.saturating_mul(2);
        if probe < left || probe >= right {
            probe = left + (right - left) / 2;
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::parse_number;
    use proptest::prelude::*;

    fn law(centre: i64, rate: &str) -> TwoSided {
        TwoSided { centre, rate: Epsilon::Finite(parse_number(rate).expect("a number")) }
    }

    /// The same sum, term by term over a window that holds all but a negligible mass, in floats.
    fn by_terms(p: &TwoSided, q: &TwoSided, factor: f64, from: Option<i64>) -> f64 {
        let mass = |law: &TwoSided, y: i64| match &law.rate {
            Epsilon::Infinite => f64::from(u8::from(y == law.centre)),
            Epsilon::Finite(rate) => {
                let z = (-rate.to_f64().value()).exp();
                (1.0 - z) / (1.0 + z) * z.powf(y.abs_diff(law.centre) as f64)
            }
        };
        (from.unwrap_or(-4000).max(-4000)..4000).map(|y| (mass(p, y) - factor * mass(q, y)).max(0.0)).sum()
    }

    proptest! {
        #[test]
        fn closed_forms_agree_with_adding_up(
            centre in -20i64..20, shift in -30i64..30, a in 2u32..300, b in 2u32..300, eps in 0u32..200, from in -40i64..40,
            cut in any::<bool>(),
        ) {
            let p = law(centre, &format!("{a}/100"));
            let q = law(centre + shift, &format!("{b}/100"));
            let eps = Rational::from(eps) / Rational::from(100u8);
            let factor = Enclosure::one(256).over(&exp_neg(&eps, 256));
            let one = Enclosure::one(256);
            let from = cut.then_some(from);
            let closed = excess((&one, &p), (&one, &q), &factor, from);
            let summed = by_terms(&p, &q, factor.to_f64(), from);
            prop_assert!((closed.to_f64() - summed).abs() < 1e-11, "{} {}", closed.to_f64(), summed);
            prop_assert!(closed.upper() - closed.lower() < parse_number("1e-60").expect("a number"));
        }
    }

    #[test]
    fn a_sure_number_is_a_law_too() {
        let sure = TwoSided { centre: 5, rate: Epsilon::Infinite };
        let one = Enclosure::one(256);
        let half = law(4, "1/2");
        let forward = excess((&one, &sure), (&one, &half), &one, None);
        assert!((forward.to_f64() - by_terms(&sure, &half, 1.0, None)).abs() < 1e-12);
        let back = excess((&one, &half), (&one, &sure), &one, None);
        assert!((back.to_f64() - by_terms(&half, &sure, 1.0, None)).abs() < 1e-12);
        assert_eq!(excess((&one, &sure), (&one, &half), &one, Some(6)).to_f64(), 0.0);
    }

    #[test]
    fn the_upper_tail_is_the_one_of_the_discrete_law() {
        // `docs/errata.md` 1.7: P[G > 1] at rate 1 is q^2/(1+q) = 0.0989..., not e^-1.999/2 = 0.0677...
        let tail = law(0, "1").between(Some(2), None, 256).to_f64();
        assert!((tail - 0.098_938).abs() < 1e-6, "{tail}");
    }
}
