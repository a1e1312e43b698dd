//! The empty bins of a closed universe that pass its publication threshold, drawn without visiting the others.
//!
//! It must never round a chance: what it draws has the law of visiting every bin. It is separate from `sampler.rs`
//! because it draws places as well as values, at a cost that grows with the output only. Read
//! `privacy/law/empty_bin.rs` for the chance, `walk.rs` for the values.
//!
//! Derivation (SSB 6.1). Every empty bin passes independently with `p = P[Y >= T | 0]`, so the gaps between places that
//! pass are geometric; but `p` is irrational and so is their rate `-ln(1-p)`. Hence thinning: candidates come with gaps
//! of a rational rate `x`, so that a place is one with chance `1 - e^-x >= p`, and a candidate is kept by a coin of
//! chance `p/(1 - e^-x)`; the product is `p`. All tails here have `p < 1/2`, where `-ln(1-p) = p + p^2/2 + p^3/3 + ...
//! <= p + p^2`: so `x = u + u^2` with an upper bound `u` of `p` will do. Where that is below the smallest rate of a
//! geometric draw, `x` is that rate and more candidates are dropped: about 2^15 of them in a universe of 2^64 bins.

use crate::bits::Bits;
use crate::coin::Coin;
use crate::geometric::Geometric;
use crate::rate::{RateError, Shape, check};
use crate::sampler::Drawn;
use crate::walk::Walk;
use incrowd_exact::{Enclosure, Integer, Natural, Rational, exp_neg};
use incrowd_privacy::{Deployed, EmptyBin, EmptyTail, Epsilon, Outcome, SideValue, Step, Universe, rate_of_count};

/// The empty bins of a universe that pass the publication threshold: which places, and what they show.
///
/// The same law as drawing every empty bin with [`Sampler`](crate::Sampler) and keeping those that show a value; the
/// tests in `tests/laws/empty_bins.rs` compare. Places are drawn over the *whole* universe, from a stream of their own;
/// the caller discards those that hit a bin with people in it, and gives each of the others a draw from that bin's
/// stream.
pub struct EmptyBins {
    /// Nothing where no empty bin ever passes.
    passing: Option<Passing>,
}

impl EmptyBins {
    /// Returns how to draw the empty bins that pass, or nothing where the caller must visit every bin.
    ///
    /// Every bin must be visited on a closed universe without a threshold of at least one, and where the law at count 0
    /// has no simple tail: several noises, a drawn epsilon, levels that are told, ranges.
    pub fn new(deployed: &Deployed) -> Result<Option<Self>, RateError> {
        match deployed.universe {
            Universe::Open => {}
            Universe::Closed => check_rates(&deployed.program().steps)?,
        }
        Ok(match EmptyBin::of(deployed) {
            EmptyBin::Silent => Some(EmptyBins { passing: None }),
            EmptyBin::Passes(tail) => Some(EmptyBins { passing: Some(Passing::new(Tail(tail), Shape::STANDARD)?) }),
            EmptyBin::Unknown => None,
        })
    }

    /// Returns the chance `P[Y >= T | 0]` that an empty bin passes, below one half.
    pub fn chance(&self, places: usize) -> Enclosure {
        self.passing.as_ref().map_or(Enclosure::zero(places), |passing| passing.tail.chance(places))
    }

    /// Returns the first place that passes among `from..size`; every place passes independently with exactly the
    /// chance.
    ///
    /// Go on with the place after it, and with the same stream, until there is none.
    pub fn next(&self, from: u64, size: u64, bits: &mut impl Bits) -> Option<u64> {
        self.passing.as_ref()?.next(from, size, bits)
    }

    /// Returns what a bin that passes shows: a draw of `Y` given `Y >= T`, at count 0.
    ///
    /// Where no empty bin ever passes this is what all of them show: nothing.
    pub fn draw(&self, bits: &mut impl Bits) -> Drawn {
        let outcome = match &self.passing {
            Some(passing) => Outcome::Value(passing.value(bits)),
            None => Outcome::Suppressed,
        };
        Drawn { outcome, side_value: SideValue::Nothing }
    }
}

struct Passing {
    tail: Tail,
    walk: Walk,
    gaps: Geometric,
    keep: Coin,
}

impl Passing {
    fn new(tail: Tail, shape: Shape) -> Result<Self, RateError> {
        let rate = tail.candidate_rate();
        check(&rate)?;
        let keep = {
            let (tail, rate) = (tail.clone(), rate.clone());
            move |places| tail.kept(&rate, places)
        };
        Ok(Passing {
            walk: Walk::new(tail.0.curve())?,
            gaps: Geometric::with_shape(&rate, shape),
            keep: Coin::with_words(shape.word_bits, keep),
            tail,
        })
    }

    fn next(&self, from: u64, size: u64, bits: &mut impl Bits) -> Option<u64> {
        let mut at = from;
        while at < size {
            let gap = self.gaps.draw(bits);
            at = at.checked_add(gap.unsigned_abs())?;
            if gap == i64::MAX {
                // Such a draw means "at least so many". The gap is memoryless: the rest of it is a fresh one.
                continue;
            }
            if at < size {
                if self.keep.toss(bits) {
                    return Some(at);
                }
                at += 1;
            }
        }
        None
    }

    fn value(&self, bits: &mut impl Bits) -> i64 {
        i64::try_from(self.walk.climb(self.tail.0.from(), bits)).unwrap_or(i64::MAX)
    }
}

/// The tail of an empty bin, and how often it is looked for.
#[derive(Clone)]
struct Tail(EmptyTail);

/// Lost in a division by a chance of at least 2^-50.
const GUARD_BITS: usize = 64;

impl Tail {
    fn chance(&self, places: usize) -> Enclosure {
        self.0.chance(places)
    }

    /// Returns `x = u + u^2`, or the smallest rate.
    fn candidate_rate(&self) -> Rational {
        let chance = self.chance(128);
        let smallest = Rational::from_parts(Integer::ONE, Natural::ONE << 49usize);
        chance.plus(&chance.times(&chance)).upper().max(smallest)
    }

    /// Returns `p/(1 - e^-x)`.
    fn kept(&self, candidate_rate: &Rational, places: usize) -> Enclosure {
        let work = places + GUARD_BITS;
        let candidate = Enclosure::one(work).minus(&exp_neg(candidate_rate, work));
        self.chance(work).over(&candidate).with_bits(places)
    }
}

/// Refuses noise that cannot be drawn, wherever in a program it is.
fn check_rates(steps: &[Step]) -> Result<(), RateError> {
    let drawn = |rate: &Epsilon| match rate {
        Epsilon::Finite(finite) => check(finite),
        Epsilon::Infinite => Ok(()),
    };
    steps.iter().try_for_each(|step| match step {
        Step::AddNoise(rate) => drawn(rate),
        Step::AddNoiseOfCount { curve, at_zero } => drawn(&rate_of_count(curve, at_zero, 0)),
        Step::IfCountAtMost { limit: _, then } | Step::IfAtMost { limit: _, then } => check_rates(then),
        Step::AddNoiseOfDrawnEpsilon(_) | Step::Walk(_) | Step::Relay(_) | Step::Suppress => Ok(()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::count_tapes;
    use incrowd_exact::testing::number;
    use incrowd_privacy::Curve;

    fn tail(values: &[&str], from: u64) -> Tail {
        let values = values.iter().map(|text| Epsilon::Finite(number(text))).collect();
        Tail(EmptyTail::new(Curve::table(values).expect("a curve"), from))
    }

    #[test]
    fn places_pass_with_exactly_their_chance_on_every_tape() {
        const SIZE: u64 = 2;
        const PLACES: usize = 200;
        // Of the candidates one in twenty is dropped; one gap in ten draws again, one in thirty escapes.
        let shape = Shape { word_bits: 7, base_bits: 2, tail: 2 };
        let tail = tail(&["1/4", "1"], 1);
        let passing = Passing::new(tail.clone(), shape).expect("a rate");
        let counted = count_tapes(shape.word_bits, 3, |bits| passing.next(0, SIZE, bits));
        let agrees_with = |p: &Enclosure| {
            let fails = Enclosure::one(PLACES).minus(p);
            counted.agrees_with(|place| match place {
                Some(place) => fails.power(place).times(p),
                None => fails.power(SIZE),
            })
        };
        let chance = tail.chance(PLACES);
        assert!(counted.undecided() < number("0.03"), "{}", counted.undecided());
        assert_eq!(counted.outcomes() as u64, SIZE + 1);
        assert!(agrees_with(&chance));
        // Without the coin, and with a chance that is off by a twentieth either way.
        assert!(!agrees_with(&Enclosure::one(PLACES).minus(&exp_neg(&tail.candidate_rate(), PLACES))));
        for wrong in ["0.95", "1.05"] {
            assert!(!agrees_with(&Enclosure::rational(&number(wrong), PLACES).times(&chance)), "{wrong}");
        }
    }

    #[test]
    fn candidates_are_never_rarer_than_what_passes() {
        for rate in ["1e-15", "1e-6", "1/100", "1/2", "1", "30", "1000"] {
            for from in [1, 2, 7, 40, 1_000, 1_000_000] {
                let tail = tail(&[rate], from);
                let rate = tail.candidate_rate();
                assert!(check(&rate).is_ok());
                assert!(tail.kept(&rate, 256).upper() <= Rational::ONE, "{rate} {from}");
                // Nor much more frequent, above the smallest rate.
                let wasteful = tail.kept(&rate, 256).lower() < number("0.9");
                assert!(!wasteful || tail.chance(256).upper() < number("2e-15"), "{rate} {from}");
            }
        }
    }

    #[test]
    fn a_gap_that_is_only_known_from_below_goes_on() {
        /// Chooses the second of two symbols, "draw again and add", all but once in 2^16 words. Coins take it for
        /// heads.
        struct Again(u16);
        impl Bits for Again {
            fn next_u64(&mut self) -> u64 {
                self.0 = self.0.wrapping_add(1);
                u64::from(self.0 != 0)
            }
        }
        let shape = Shape { word_bits: 64, base_bits: 1, tail: 1 };
        let passing = Passing::new(tail(&["1"], 45), shape).expect("a rate");
        assert_eq!(passing.gaps.draw(&mut Again(0)), i64::MAX);
        assert!(passing.keep.toss(&mut Again(0)));
        assert_eq!(passing.next(0, u64::MAX, &mut Again(0)), None);
    }
}
