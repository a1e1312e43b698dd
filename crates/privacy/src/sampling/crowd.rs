//! What the sampling theorems give, with exact sums in place of their hidden constants.
//!
//! They hold for every mechanism that keeps a promise, so nothing here may look at a mechanism. It is separate from
//! `direct.rs`, which knows the mechanism and is often far below. Read `direct.rs` next.

use super::binomial::Binomial;
use super::scan::{Ceiling, Factor, Odds, Peak, Shrunk};
use super::{Sampled, Sampling, SamplingError, amplified_epsilon, rounded_up};
use crate::account::Tightness;
use crate::cells::Mass;
use crate::precision::bits_for;
use incrowd_exact::{Enclosure, Fixed, Natural, Rational, exp_neg, ln};

/// Returns the delta at `target` of any `(crowd, epsilon)`-crowd-blending mechanism on a sample: CB Theorems 13 and 16.
///
/// Differential privacy, and zero-knowledge privacy: the simulator samples everybody but her. At `epsilon` zero this is
/// the truth for suppression, the worst of them, at any target. Otherwise the target must be at least `ln(1 - p + p
/// e^epsilon)` and `-ln(1-p)`, with `p` the most. Of `l` known people all may be sampled, which leaves a crowd of
/// `crowd - l`.
///
/// With `m` others sampled and her, the output has law `R'_m`; without her `R_m`. She is ignored for `m <= K - 2`:
/// `R'_m <= e^eps R_m`. Otherwise she blends with somebody who is not sampled: `R'_m <= f + (1-f) e^eps R_{m+1}` for
/// any `0 <= f <= 1`. With the `f` that cancels against `(e^E - 1 + p) b(m+1) R_{m+1}`, what is left is `sum_{m >= K-1}
/// (p b(m) - e^-eps (e^E - 1 + p) b(m+1))_+`. In reverse nothing is left, as `(1-p) Q <= P`.
pub fn crowd_blending_delta(
    crowd: u64,
    epsilon: &Rational,
    sampling: &Sampling,
    target: &Rational,
) -> Result<Sampled, SamplingError> {
    let epsilon = &epsilon.clone().max(Rational::ZERO);
    let blending = epsilon > &Rational::ZERO;
    let smallest = if blending { smallest_target(epsilon, sampling) } else { Rational::ZERO };
    let odds = Odds::new(target, sampling.most(), &smallest)?;
    if blending && !is_reached(epsilon, &odds) {
        return Err(SamplingError::EpsilonTooSmall { smallest });
    }
    let crowd = crowd.saturating_sub(sampling.known()).max(1);
    let mut found = crowd_peak::<2>(crowd, epsilon, &odds)?;
    if found.delta.tightness != Tightness::Exact {
        found = crowd_peak::<3>(crowd, epsilon, &odds)?;
    }
    if blending {
        // No mechanism is known that reaches it.
        found.delta.tightness = Tightness::UpperBound;
    }
    Ok(found)
}

/// Returns `max{ ln(1 - p + p e^eps), -ln(1-p) }`, rounded up.
fn smallest_target(epsilon: &Rational, sampling: &Sampling) -> Rational {
    let sure = ln(&(Rational::ONE - sampling.most()), bits_for(epsilon)).times_integer(-1).upper();
    rounded_up(&sure).max(amplified_epsilon(epsilon, sampling))
}

/// Whether `e^-E <= 1 - p` and `p e^-E <= e^-eps (1 - (1-p) e^-E)`, surely.
fn is_reached(epsilon: &Rational, odds: &Odds) -> bool {
    let left_out = Rational::ONE - &odds.chance;
    let ignored = rising_factor(epsilon, odds).minus(&odds.shrunk(&odds.chance));
    odds.shrink.upper() <= left_out && ignored.lower() >= Rational::ZERO
}

/// `e^-eps (1 - (1-p) e^-E)`.
fn rising_factor(epsilon: &Rational, odds: &Odds) -> Enclosure {
    let others = odds.rational(&Rational::ONE).minus(&odds.shrunk(&(Rational::ONE - &odds.chance)));
    others.times(&exp_neg(epsilon, odds.shrink.bits()))
}

fn crowd_peak<const N: usize>(crowd: u64, epsilon: &Rational, odds: &Odds) -> Result<Sampled, SamplingError> {
    let chance = &odds.chance;
    let (a, c) = (odds.shrunk(chance), rising_factor(epsilon, odds));
    // Without her: e^-E Q - P = (e^-E - (1-p)) b(j) - p b(j-1).
    let back = odds.shrink.minus(&odds.rational(&(Rational::ONE - chance)));
    let taken = odds.rational(chance);
    let ceilings = [Ceiling::rising(&a, &c, chance), Ceiling::falling(&back, &taken, chance)];
    let (a, c, taken) = (Factor::of(&a), Factor::of(&c), Factor::of(&taken));
    let backward = (back.upper() > Rational::ZERO)
        .then(|| (Factor::of(&back), Factor::of(&odds.rational(&Rational::ONE).minus(&odds.shrink))));
    let first = i64::try_from(crowd).unwrap_or(i64::MAX / 4);
    let mut peak = Peak::<N>::new();
    peak.look(odds, &ceilings, |law, _| {
        let mut found = rising_excess(law, first - 1, a, c);
        if let Some((back, merged)) = backward {
            found = found.max(merged_excess(law, first, merged, taken).plus(falling_excess(law, first, back, taken)));
        }
        Ok((found, law.cells.low.len() as u64 + 16))
    })?;
    Ok(odds.sampled(&peak))
}

/// Returns the delta at `target` of any `(group, epsilon)`-simple outlier private mechanism on data that was itself
/// sampled: OP Theorem 22.
///
/// She is surely there, the others are sampled: distributional differential privacy. The target must be at least
/// `epsilon/group`. Of `l` known people all may be there, which leaves `K' = group - l`.
///
/// Forwards: `R'_m <= e^(eps/K) R_m` for `m < K'` is within the target, `R'_m = R_{m+1}` from `K'` on, which leaves
/// `sum_{m >= K'} (b(m) - e^E b(m+1))_+`, reached by suppression. In reverse see `carried_excess`.
pub fn simple_outlier_delta(
    group: u64,
    epsilon: &Rational,
    sampling: &Sampling,
    target: &Rational,
) -> Result<Sampled, SamplingError> {
    let share = epsilon.clone().max(Rational::ZERO) / Rational::from(group.max(1));
    let odds = Odds::new(target, sampling.most(), &share)?;
    if target < &share {
        return Err(SamplingError::EpsilonTooSmall { smallest: share });
    }
    let left = group.saturating_sub(sampling.known());
    let first = outlier_peak::<2>(left, &share, &odds)?;
    if first.delta.tightness == Tightness::Exact { Ok(first) } else { outlier_peak::<3>(left, &share, &odds) }
}

fn outlier_peak<const N: usize>(left: u64, share: &Rational, odds: &Odds) -> Result<Sampled, SamplingError> {
    let one = odds.rational(&Rational::ONE);
    let ceilings = [
        Ceiling::rising(&odds.shrink, &one, &odds.chance),
        // No carrying is one of the choices below, and its sum is the one that this bounds.
        Ceiling::falling(&odds.shrink, &one, &odds.chance),
    ];
    let (shrink, all) = (Factor::of(&odds.shrink), Factor::of(&one));
    let merged = Factor::of(&one.minus(&odds.shrink));
    let carrying = (share > &Rational::ZERO).then(|| Carrying::new(share, odds));
    let first = i64::try_from(left).unwrap_or(i64::MAX / 4);
    let mut peak = Peak::<N>::new();
    peak.look(odds, &ceilings, |law, _| {
        // Suppression keeps every such promise, so what it reaches is reached.
        let forward = rising_excess(law, first, shrink, all);
        let reverse = match &carrying {
            None => merged_excess(law, first + 1, merged, all).plus(falling_excess(law, first + 1, shrink, all)),
            Some(carrying) => {
                let alone = falling_excess(law, 0, shrink, all).high;
                Shrunk { low: Fixed::ZERO, high: carried_excess(law, first, shrink, carrying).min(alone) }
            }
        };
        Ok((forward.max(reverse), 3 * law.cells.low.len() as u64 + 16))
    })?;
    Ok(odds.sampled(&peak))
}

/// Returns `sum_{m >= from} (a b(m) - c b(m+1))_+`.
fn rising_excess<const N: usize>(law: &Binomial<N>, from: i64, a: Factor<N>, c: Factor<N>) -> Shrunk<N> {
    let mut sum = Shrunk { low: Fixed::ZERO, high: law.outside() };
    let mut here = law.at(law.cells.start.max(from));
    for count in law.cells.start.max(from)..law.cells.end() {
        let above = law.at(count + 1);
        sum = sum.plus(excess((a, here), (c, above)));
        here = above;
    }
    sum
}

/// Returns `sum_{j >= from} (a b(j) - c b(j-1))_+`.
fn falling_excess<const N: usize>(law: &Binomial<N>, from: i64, a: Factor<N>, c: Factor<N>) -> Shrunk<N> {
    let mut sum = Shrunk { low: Fixed::ZERO, high: law.outside() };
    let mut below = law.at(law.cells.start.max(from) - 1);
    for count in law.cells.start.max(from)..law.cells.end() {
        let here = law.at(count);
        sum = sum.plus(excess((a, here), (c, below)));
        below = here;
    }
    sum
}

/// Returns `(a p - c q)_+`.
fn excess<const N: usize>((a, p): (Factor<N>, Mass<N>), (c, q): (Factor<N>, Mass<N>)) -> Shrunk<N> {
    Shrunk {
        low: a.times_down(p.low).minus_or_zero(c.times_up(q.high())),
        high: a.times_up(p.high()).minus_or_zero(c.times_down(q.low)),
    }
}

/// Returns `(p b(K-1) - (1 - e^-E) P[W < K])_+`: the counts below a crowd are one outcome, and the last of them may
/// leave it.
fn merged_excess<const N: usize>(law: &Binomial<N>, crowd: i64, merged: Factor<N>, taken: Factor<N>) -> Shrunk<N> {
    let below = usize::try_from(crowd - law.cells.start).unwrap_or(0).min(law.cells.low.len());
    let low = law.cells.low[..below].iter().fold(Fixed::ZERO, |sum, cell| sum.plus(*cell));
    let errors = (below as u64).saturating_mul(law.cells.error);
    let silent = Mass { low, error: errors };
    let mut found = excess((taken, law.at(crowd - 1)), (merged, silent));
    found.low = found.low.minus_or_zero(law.outside());
    found
}

/// `e^-(eps/K)` and its inverse, for [`carried_excess`].
struct Carrying<const N: usize> {
    decay: Fixed<N>,
    /// `e^(eps/K - E)`.
    wanted: Fixed<N>,
    /// `e^(eps/K) / 2^doublings`.
    growth: Fixed<N>,
    doublings: usize,
}

impl<const N: usize> Carrying<N> {
    fn new(share: &Rational, odds: &Odds) -> Self {
        let bits = odds.shrink.bits();
        let decay = exp_neg(share, bits);
        let growth = odds.rational(&Rational::ONE).over(&decay);
        let doublings = usize::try_from(&share.clone().ceil()).unwrap_or(usize::MAX / 4).saturating_mul(2);
        let halved =
            growth.times(&Enclosure::rational(&Rational::from_parts(1.into(), Natural::ONE << doublings), bits));
        Carrying {
            decay: Fixed::rounding_down(&decay),
            wanted: Fixed::rounding_down(&exp_neg(&(&odds.epsilon - share).max(Rational::ZERO), bits)),
            growth: Fixed::rounding_down(&halved),
            doublings,
        }
    }

    /// About `e^(eps/K) value`.
    fn grown(&self, value: Fixed<N>) -> Fixed<N> {
        (0..self.doublings).fold(value.times_rounding_down(self.growth), |grown, _| grown.plus(grown))
    }
}

/// Returns an upper bound of `e^-E sum_j b(j) R_j - sum_j b(j) R_{j+1}`: what is seen without her and not with her.
///
/// Of the mass `b(j)` at `R_{j+1}` a part `x_j` is counted at `R_j` instead, where it is worth `e^(-eps/K)`, for `j <
/// K'`; the rest `r_j` stays. What is left is at most `sum_j (e^-E b(j) - e^(-eps/K) x_j - r_{j-1})_+`, for any `0 <=
/// x_j <= b(j)`: so rounding `x` does no harm. Carried is just what is missing, `x_j = e^(eps/K) (e^-E b(j) -
/// r_{j-1})`. That need not be the best choice: to carry nothing may be better, and the caller takes the smaller.
fn carried_excess<const N: usize>(
    law: &Binomial<N>,
    first: i64,
    shrink: Factor<N>,
    carrying: &Carrying<N>,
) -> Fixed<N> {
    let mut sum = law.outside();
    let mut stayed = Fixed::ZERO;
    for count in law.cells.start..law.cells.end() {
        let here = law.at(count);
        let carried = if count < first {
            let wanted = carrying.wanted.times_rounding_down(here.low);
            wanted.minus_or_zero(carrying.grown(stayed)).min(here.low)
        } else {
            Fixed::ZERO
        };
        let supply = carrying.decay.times_rounding_down(carried).plus(stayed);
        sum = sum.plus(shrink.times_up(here.high()).minus_or_zero(supply));
        stayed = here.low.minus_or_zero(carried);
    }
    sum
}
