//! What one given mechanism promises on sampled data, summed from its own law.
//!
//! The law of what is shown is that of the very program which runs, mixed over the sampled counts; where it is not
//! known the answer is an error. It is separate from `crowd.rs`, whose bounds hold for every mechanism that keeps a
//! promise and may be far above. Read `mixture.rs` next.

use super::mixture::Mixture;
use super::scan::{Ceiling, Odds, Peak, Shrunk};
use super::{Sampled, Sampling, SamplingError, amplified_epsilon};
use crate::account::{Delta, Tightness, shrunk_hockey_stick};
use crate::law::distribution::Distribution;
use crate::mechanism::shape::{CountNoise, OneNoise, Shape};
use crate::mechanism::{Deployed, Universe};
use incrowd_exact::{Fixed, Rational};
use std::ops::Range;

impl Deployed {
    /// Returns the delta at `epsilon` when every person is sampled first, in the worst population.
    ///
    /// With `n` others in her class, all sampled with the most probability `p`, the sampled count is binomial with `n +
    /// 1` people if she is in the population and with `n` if not: the two laws differ in nothing else. Of the known
    /// people any number may be sampled. She must have at most one bin.
    pub fn sampled_delta(&self, sampling: &Sampling, epsilon: &Rational) -> Result<Sampled, SamplingError> {
        let odds = Odds::new(epsilon, sampling.most(), &Rational::ZERO)?;
        if self.pure_epsilon().is_some_and(|pure| &amplified_epsilon(&pure, sampling) <= epsilon) {
            return Ok(Sampled { epsilon: epsilon.clone(), delta: Delta::none(), worst: (0, 0) });
        }
        let first = self.sampled_peak::<2>(sampling, &odds, 100)?;
        if first.delta.tightness == Tightness::Exact { Ok(first) } else { self.sampled_peak::<3>(sampling, &odds, 150) }
    }

    fn sampled_peak<const N: usize>(
        &self,
        sampling: &Sampling,
        odds: &Odds,
        tail_bits: usize,
    ) -> Result<Sampled, SamplingError> {
        let not_known = SamplingError::NotKnown { mechanism: self.mechanism.name() };
        let mut mixture = Mixture::<N>::of(self, tail_bits).ok_or(not_known)?;
        let chance = sampling.most();
        let kept = Rational::ONE - chance;
        let one = odds.rational(&Rational::ONE);
        // Telling the sampled count itself would be worst of all: `scan.rs`.
        let forward = Ceiling::rising(&odds.shrunk(chance), &one.minus(&odds.shrunk(&kept)), chance);
        let reverse = Ceiling::falling(&odds.shrink.minus(&odds.rational(&kept)), &odds.rational(chance), chance);
        let shrink = (Fixed::rounding_down(&odds.shrink), Fixed::rounding_up(&odds.shrink));
        let mut peak = Peak::<N>::new();
        for known in 0..=sampling.known() {
            let mut before: Option<(Range<i64>, Distribution<N>)> = None;
            peak.look(odds, &[forward, reverse], |law, next| {
                let window = Mixture::window(law, next, known)?;
                let without = match before.take() {
                    Some((same, distribution)) if same == window => distribution,
                    Some(_) | None => mixture.distribution(law, known, &window)?,
                };
                let with = mixture.distribution(next, known, &window)?;
                let stick = |p: &Distribution<N>, q: &Distribution<N>| {
                    let (low, high) = shrunk_hockey_stick(p, q, shrink);
                    Shrunk { low, high }
                };
                let mut found = stick(&with, &without);
                // Without a ceiling there is nothing in reverse: e^E P >= e^E (1-p) Q >= Q.
                if reverse.is_some() {
                    found = found.max(stick(&without, &with));
                }
                let cells: usize = with.values.values().map(|cells| cells.low.len()).sum();
                before = Some((window, with));
                Ok((found, 2 * cells as u64 + 64))
            })?;
        }
        Ok(odds.sampled(&peak))
    }

    /// Returns the epsilon at which the release of everybody would be differentially private with delta 0.
    pub(super) fn pure_epsilon(&self) -> Option<Rational> {
        if self.universe == Universe::Open {
            // That a bin appears has no epsilon.
            return None;
        }
        match self.shape() {
            Shape::Walk(curve) => curve.supremum().finite().cloned(),
            // One noise around the count; all that follows is post-processing.
            Shape::OneNoise(OneNoise { noise: CountNoise::Alike(rate), .. }) => Some(rate),
            Shape::Ladder(ladder) => ladder.epsilons.first()?.finite().cloned(),
            Shape::OneNoise(OneNoise { noise: CountNoise::Below { .. } | CountNoise::OfCount { .. }, .. })
            | Shape::Table { .. }
            | Shape::DrawnEpsilon { .. }
            | Shape::Range { .. } => None,
        }
    }
}
