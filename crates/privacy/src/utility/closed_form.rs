//! What to expect of laws with too many outcomes to list: geometric sums in floats.
//!
//! It describes and must never decide. It is separate from `utility.rs` because only very small epsilons need it. Read
//! `utility.rs` for everything else.

use crate::curve::{Curve, Epsilon, Level};
use crate::utility::{Utility, below_one};

/// Expectations of `k + DL(rate)` published from `cut` on.
pub(crate) fn single_noise(count: u64, rate: f64, cut: Option<i64>) -> Utility {
    let z = (-rate).exp();
    let p = -(-rate).exp_m1() / (1.0 + z);
    let truth = count as f64;
    // Distances of the first published value above the count, and of the last one below it.
    let above = cut.map_or(0.0, |cut| (cut as f64 - truth).max(0.0));
    let below = cut.map_or(f64::INFINITY, |cut| truth - cut as f64);
    let upper = Stretch { from: above, terms: f64::INFINITY, rate };
    let (mut error, mut shown) = (p * upper.weighted(), p * upper.plain());
    if below >= 1.0 {
        let near = Stretch { from: 1.0, terms: below.min(truth), rate };
        let far = Stretch { from: truth + 1.0, terms: (below - truth).max(0.0), rate };
        error += p * (near.weighted() + truth * far.plain());
        shown += p * (near.plain() + far.plain());
    }
    // Noise reaches everything: what is cut is never surely hidden.
    let suppressed = if cut.is_some() { below_one((1.0 - shown).max(0.0)) } else { 0.0 };
    let quantile = (0.5f64 / 0.025).ln() / rate;
    let usual = cut.is_none().then_some(((truth - quantile) as i64, (truth + quantile) as i64));
    Utility::of_everybody(count, error + suppressed * truth, suppressed, usual)
}

/// Expectations of the tailored geometric, run by run; nothing for long proportional stretches.
pub(crate) fn tailored(curve: &Curve, count: u64, publish_from: Option<i64>) -> Option<Utility> {
    let last_zero = curve.last_zero()?;
    let first_shown = publish_from.map_or(0, |from| u64::try_from(from).unwrap_or(0)).max(if last_zero > 0 {
        last_zero + 1
    } else {
        0
    });
    if curve.last_finite().is_some_and(|last| count > last) {
        let silent = count < first_shown;
        let error = if silent { count as f64 } else { 0.0 };
        let usual = (!silent).then_some((count as i64, count as i64));
        return Some(Utility::of_everybody(count, error, f64::from(u8::from(silent)), usual));
    }
    let (mut error, mut shown) = (0.0, 0.0);
    let mut take = |from: u64, terms: f64, chance: f64, rate: f64, direction: f64| {
        // Values from, from + 1, ... upwards, or from, from - 1, ... downwards; chance is that of the first.
        let distance = (from as f64 - count as f64) * direction;
        let stretch = Stretch { from: 0.0, terms, rate };
        error += chance * (distance * stretch.plain() + stretch.weighted());
        shown += chance * stretch.plain();
    };
    // Upwards from the count (or from the end of a zero run, whose counts all have its law).
    let start = count.max(last_zero);
    let (mut at, mut log) = (start, 0.0);
    while log < 800.0 {
        let run = curve.run_of(at.max(1));
        let Level::Constant(Epsilon::Finite(_)) = &run.level else { return None };
        let rate = rate_of(curve, at.max(1));
        // Up to the last value of the run all weights are alike; the last one has its own.
        let inner = match run.to {
            None => f64::INFINITY,
            Some(to) => to.saturating_sub(at.max(1)) as f64,
        };
        let single = at == 0 || at < first_shown;
        if single || inner < 1.0 {
            if at >= first_shown {
                take(at, 1.0, weight(curve, at) * f64::exp(-log), 0.0, 1.0);
            }
            if curve.last_finite() == Some(at) {
                break;
            }
            let skip = if single && at >= 1 && inner >= 1.0 { inner.min((first_shown - at) as f64) } else { 1.0 };
            log += if skip > 1.0 { rate * skip } else { rate_of(curve, at + 1) };
            at += skip as u64;
            continue;
        }
        take(at, inner, weight(curve, at) * f64::exp(-log), rate, 1.0);
        if run.to.is_none() {
            break;
        }
        log += rate * inner;
        at += inner as u64;
    }
    // Downwards, one run after the other.
    let (mut at, mut log) = (start, 0.0);
    while at > first_shown.max(last_zero) && log < 800.0 {
        log += rate_of(curve, at);
        at -= 1;
        if at == 0 || curve.run_of(at).to == Some(at) {
            take(at, 1.0, weight(curve, at) * f64::exp(-log), 0.0, -1.0);
            continue;
        }
        let least = curve.run_of(at).from.max(first_shown).max(1);
        let terms = (at - least + 1) as f64;
        take(at, terms, weight(curve, at) * f64::exp(-log), rate_of(curve, at), -1.0);
        log += rate_of(curve, at) * (terms - 1.0);
        at = least;
    }
    let suppressed = (1.0 - shown).max(0.0);
    let gets_there = curve.last_finite().is_none_or(|last| last >= first_shown);
    let suppressed = if first_shown > 0 { suppressed } else { 0.0 };
    let suppressed = if gets_there { below_one(suppressed) } else { suppressed };
    Some(Utility::of_everybody(count, error + suppressed * count as f64, suppressed, None))
}

fn rate_of(curve: &Curve, count: u64) -> f64 {
    curve.epsilon(count).finite().map_or(f64::INFINITY, |epsilon| epsilon.to_f64().value())
}

/// `mu(y)`, written so that small epsilons do not cancel: `1/(1+r) - 1/2 = tanh(eps/2)/2`.
fn weight(curve: &Curve, value: u64) -> f64 {
    let half = |count: u64| if count == 0 { 0.5 } else { (rate_of(curve, count) / 2.0).tanh() / 2.0 };
    half(value) + half(value + 1)
}

/// `terms` values at distances `from, from + 1, ...`, each `e^-rate` times as likely as the one before distance 0.
struct Stretch {
    from: f64,
    terms: f64,
    rate: f64,
}

impl Stretch {
    /// The sum of `e^(-rate d)`.
    fn plain(&self) -> f64 {
        (-self.rate * self.from).exp() * self.unit_sum()
    }

    /// The sum of `d e^(-rate d)`.
    fn weighted(&self) -> f64 {
        (-self.rate * self.from).exp() * (self.from * self.unit_sum() + self.unit_weighted())
    }

    fn unit_sum(&self) -> f64 {
        if self.rate == 0.0 {
            return self.terms;
        }
        let last = if self.terms.is_finite() { (-self.rate * self.terms).exp_m1() } else { -1.0 };
        last / (-self.rate).exp_m1()
    }

    /// The sum of `i e^(-rate i)` for `i < terms`.
    fn unit_weighted(&self) -> f64 {
        let (n, w) = (self.terms, self.rate);
        if n <= 0.0 {
            return 0.0;
        }
        if n * w < 1e-4 {
            return n * (n - 1.0) / 2.0 * (1.0 - w * (2.0 * n - 1.0) / 3.0);
        }
        // (1 - z) W = z + z^2 + ... + z^(n-1) - (n-1) z^n
        let tail = if n.is_finite() { (n - 1.0) * (-w * n).exp() } else { 0.0 };
        (self.unit_sum() - 1.0 - tail) / -(-w).exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::{Deployed, Mechanism, Universe};
    use incrowd_exact::parse_number;

    fn curve(values: &[&str]) -> Curve {
        let values = values.iter().map(|text| match *text {
            "infinite" => Epsilon::Infinite,
            text => Epsilon::Finite(parse_number(text).expect("a number")),
        });
        Curve::table(values.collect()).expect("a curve")
    }

    #[test]
    fn sums_of_stretches_agree_with_adding_up() {
        for (from, terms, rate) in [(0.0, 7.0, 0.3), (3.0, 50.0, 1e-7), (2.0, 400.0, 0.01), (1.0, 1.0, 2.0)] {
            let stretch = Stretch { from, terms, rate };
            let distances: Vec<f64> = (0..terms as u64).map(|i| from + i as f64).collect();
            let plain: f64 = distances.iter().map(|d| (-rate * d).exp()).sum();
            let weighted: f64 = distances.iter().map(|d| d * (-rate * d).exp()).sum();
            assert!((stretch.plain() / plain - 1.0).abs() < 1e-9, "{from} {terms} {rate}");
            assert!((stretch.weighted() - weighted).abs() <= 1e-9 * weighted.max(1.0), "{from} {terms} {rate}");
        }
    }

    #[test]
    fn closed_sums_of_single_noises_agree_with_the_law() {
        for (count, cut) in [(0, None), (7, None), (300, Some(100)), (50, Some(200)), (400, Some(400)), (3, Some(-5))] {
            let deployed = Deployed {
                mechanism: Mechanism::Geometric { epsilon: parse_number("1/50").expect("a number") },
                universe: Universe::Closed,
                publish_from: cut,
            };
            let summed = deployed.utility(count).expect("a law");
            let closed = single_noise(count, 0.02, cut);
            assert!((summed.mean_absolute_error - closed.mean_absolute_error).abs() < 1e-8, "{count} {cut:?}");
            assert!((summed.suppressed - closed.suppressed).abs() < 1e-9, "{count} {cut:?}");
        }
    }

    #[test]
    fn closed_sums_of_the_tailored_geometric_agree_with_the_law() {
        let curves = [
            curve(&["1/5"]),
            curve(&["1/10", "1/10", "1/10", "1/10", "1/10", "1"]),
            curve(&["0", "0", "1/2", "1/2", "2"]),
            curve(&["0.05", "0.3", "0.31", "0.9"]),
            curve(&["0.4", "0.4", "0.4", "infinite"]),
        ];
        for curve in curves {
            for publish_from in [None, Some(4), Some(9)] {
                for count in [0u64, 1, 2, 3, 4, 5, 6, 9, 12, 40] {
                    let deployed = Deployed {
                        mechanism: Mechanism::TailoredGeometric { curve: curve.clone() },
                        universe: Universe::Closed,
                        publish_from,
                    };
                    let summed = deployed.utility(count).expect("a law");
                    let closed = tailored(&curve, count, publish_from).expect("constant stretches");
                    let gap = (summed.mean_absolute_error - closed.mean_absolute_error).abs();
                    assert!(gap < 1e-8, "{curve:?} {publish_from:?} {count}: {summed:?} {closed:?}");
                    assert!((summed.suppressed - closed.suppressed).abs() < 1e-8, "{publish_from:?} {count}");
                }
            }
        }
    }
}
