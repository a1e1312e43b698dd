//! How often a loss exceeds a level when people are sampled first, in the worst population.
//!
//! Populations are looked at one after the other, as for delta, until no larger one can exceed more often; the search
//! must never stop for any other reason. It is separate from `direct.rs` because a chance is not convex in anybody's
//! probability: it is known only where all have the same one and nobody is known. Read `../exceeding.rs` for a count
//! that is certain.

use super::mixture::Mixture;
use super::scan::{Ceiling, Odds, Peak, Shrunk};
use super::{Sampling, SamplingError, amplified_epsilon};
use crate::account::Tightness;
use crate::account::exceeding::{Chance, chance_of_more, is_within};
use crate::curve::Epsilon;
use crate::law::distribution::Distribution;
use crate::mechanism::Deployed;
use incrowd_exact::{BitTest, Enclosure, Fixed, Integer, Natural, Rational, ln};
use std::ops::Range;

/// Binary places of the epsilon whose deltas tell where to stop.
const FEW_PLACES: usize = 64;

impl Deployed {
    /// Returns the largest chance that a person's loss exceeds `ln odds`, over all populations that she may be one of.
    pub fn sampled_exceeding(&self, sampling: &Sampling, odds: &Rational) -> Result<Chance, SamplingError> {
        let not_known = || SamplingError::NotKnown { mechanism: self.mechanism.name() };
        if sampling.least() != sampling.most() || sampling.known() > 0 {
            return Err(not_known());
        }
        if odds <= &Rational::ONE {
            return Err(SamplingError::NotPositive);
        }
        let pure = self.pure_epsilon().map(|pure| Epsilon::Finite(amplified_epsilon(&pure, sampling)));
        if pure.is_some_and(|pure| is_within(&pure, odds)) {
            return Ok(Chance::none());
        }
        let first = self.exceeding_peak::<2>(sampling, odds, 100)?;
        match first.tightness {
            Tightness::Exact => Ok(first),
            Tightness::UpperBound => self.exceeding_peak::<3>(sampling, odds, 150),
        }
    }

    /// Where to stop: a chance beyond `ln R` is at most `delta(e) R/(R - e^e)` for every `e < ln R`, and the ceilings
    /// of `scan.rs` bound `delta(e)/e^e` for all larger populations. Chances are kept divided by a power of two that is
    /// not below `e^e R/(R - e^e)`, so that they compare with those ceilings.
    fn exceeding_peak<const N: usize>(
        &self,
        sampling: &Sampling,
        odds: &Rational,
        tail_bits: usize,
    ) -> Result<Chance, SamplingError> {
        let not_known = SamplingError::NotKnown { mechanism: self.mechanism.name() };
        let mut mixture = Mixture::<N>::of(self, tail_bits).ok_or(not_known)?;
        let chance = sampling.most();
        let kept = Rational::ONE - chance;
        // Any epsilon below will do: nine tenths leave room.
        let below = ln(odds, FEW_PLACES).lower() * Rational::from(9u8) / Rational::from(10u8);
        let search = Odds::new(&below, chance, &Rational::ZERO)?;
        let one = search.rational(&Rational::ONE);
        let forward = Ceiling::rising(&search.shrunk(chance), &one.minus(&search.shrunk(&kept)), chance);
        let reverse = Ceiling::falling(&search.shrink.minus(&search.rational(&kept)), &search.rational(chance), chance);
        let room = search.shrink.lower() * odds - Rational::ONE;
        if room <= Rational::ZERO {
            return Err(SamplingError::NotPositive);
        }
        let places = (odds / room).ceil();
        let places = Natural::try_from(places).map_or(64, |factor| factor.bit_len());
        let scale = Fixed::<N>::rounding_down(&Enclosure::between(Integer::ONE, Integer::ONE, places));
        let inverse = Enclosure::rational(&(Rational::ONE / odds), Fixed::<N>::BITS);
        let inverse = (Fixed::rounding_down(&inverse), Fixed::rounding_up(&inverse));
        let mut peak = Peak::<N>::new();
        let mut before: Option<(Range<i64>, Distribution<N>)> = None;
        peak.look(&search, &[forward, reverse], |law, next| {
            let window = Mixture::window(law, next, 0)?;
            let without = match before.take() {
                Some((same, distribution)) if same == window => distribution,
                Some(_) | None => mixture.distribution(law, 0, &window)?,
            };
            let with = mixture.distribution(next, 0, &window)?;
            let (low, high) = chance_of_more(&with, &without, inverse);
            let (low_back, high_back) = chance_of_more(&without, &with, inverse);
            let found = Shrunk {
                low: scale.times_rounding_down(low.max(low_back)),
                high: scale.times_rounding_down(high.max(high_back)).plus(Fixed::units(1)),
            };
            let cells: usize = with.values.values().map(|cells| cells.low.len()).sum();
            before = Some((window, with));
            Ok((found, 2 * cells as u64 + 64))
        })?;
        let units = |fixed: Fixed<N>| Integer::from(fixed.to_units());
        let (low, high) = (units(peak.found.low.min(peak.found.high)), units(peak.found.high));
        Ok(Chance::within(Enclosure::between(low, high, Fixed::<N>::BITS - places)))
    }
}
