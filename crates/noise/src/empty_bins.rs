//! The empty bins of a closed universe that pass its publication threshold, drawn without visiting the others.
//!
//! It must never round a chance: what it draws has the law of visiting every bin. It is separate from `sampler.rs` because
//! it draws places as well as values, at a cost that grows with the output only. Read `walk.rs` next, for the values.
//!
//! Derivation (SSB 6.1). Every empty bin passes independently with `p = P[Y >= T | 0]`, so the gaps between places that pass
//! are geometric; but `p` is irrational and so is their rate `-ln(1-p)`. Hence thinning: candidates come with gaps of a
//! rational rate `x`, so that a place is one with chance `1 - e^-x >= p`, and a candidate is kept by a coin of chance
//! `p/(1 - e^-x)`; the product is `p`. All tails here have `p < 1/2`, where `-ln(1-p) = p + p^2/2 + p^3/3 + ... <= p + p^2`:
//! so `x = u + u^2` with an upper bound `u` of `p` will do. Where that is below the smallest rate of a geometric draw, `x` is
//! that rate and more candidates are dropped: about 2^15 of them in a universe of 2^64 bins.
//!
//! One tail serves all. `P[DL(w) >= t] = e^-wt/(1+e^-w)` for `t >= 1` is that of the tailored law of the constant curve `w` at
//! count 0, so discrete Laplace noise is read as that curve, and above the threshold both climb by the same chances.

use crate::bits::Bits;
use crate::coin::Coin;
use crate::geometric::Geometric;
use crate::rate::{RateError, Shape, check};
use crate::sampler::Drawn;
use crate::walk::Walk;
use incrowd_exact::{Enclosure, Integer, Natural, Rational, exp_neg};
use incrowd_privacy::{
    Curve, Deployed, Epsilon, Outcome, Program, Publish, SideOutput, SideValue, Step, Universe, rate_of_count, tailored,
};

/// The empty bins of a universe that pass the publication threshold: which places, and what they show.
///
/// The same law as drawing every empty bin with [`Sampler`](crate::Sampler) and keeping those that show a value; the tests in
/// `tests/laws/empty_bins.rs` compare. Places are drawn over the *whole* universe, from a stream of their own; the caller
/// discards those that hit a bin with people in it, and gives each of the others a draw from that bin's stream.
pub struct EmptyBins {
    /// Nothing where no empty bin ever passes.
    passing: Option<Passing>,
}

impl EmptyBins {
    /// Returns how to draw the empty bins that pass, or nothing where the caller must visit every bin.
    ///
    /// Every bin must be visited on a closed universe without a threshold of at least one, and where the law at count 0 has
    /// no simple tail: several noises, a drawn epsilon, levels that are told, ranges.
    pub fn new(deployed: &Deployed) -> Result<Option<Self>, RateError> {
        let fate = match deployed.universe {
            Universe::Open => Fate::Silent,
            Universe::Closed => Fate::of(&deployed.program())?,
        };
        Ok(match fate {
            Fate::Silent => Some(EmptyBins { passing: None }),
            Fate::Passes(tail) => Some(EmptyBins { passing: Some(Passing::new(tail, Shape::STANDARD)?) }),
            Fate::Unknown => None,
        })
    }

    /// Returns the chance `P[Y >= T | 0]` that an empty bin passes, below one half.
    pub fn chance(&self, places: usize) -> Enclosure {
        self.passing.as_ref().map_or(Enclosure::zero(places), |passing| passing.tail.chance(places))
    }

    /// Returns the first place that passes among `from..size`; every place passes independently with exactly the chance.
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
            walk: Walk::new(&tail.curve)?,
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
        i64::try_from(self.walk.climb(self.tail.from, bits)).unwrap_or(i64::MAX)
    }
}

/// The values from `from` on of the tailored law of a curve at count 0; `from` is above its zero run and has a chance.
#[derive(Clone)]
struct Tail {
    curve: Curve,
    from: u64,
}

/// Lost in a sum of up to 2^17 exponents, or in a division by a chance of at least 2^-50.
const GUARD_BITS: usize = 64;

impl Tail {
    fn chance(&self, places: usize) -> Enclosure {
        tailored::at_least(&self.curve, self.from, 0, places + GUARD_BITS).with_bits(places)
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

/// What becomes of an empty bin.
enum Fate {
    /// It never shows a value.
    Silent,
    /// It passes with the chance of a tail.
    Passes(Tail),
    /// Only a draw can tell.
    Unknown,
}

impl Fate {
    /// Reads a program at count 0: a third reading of the steps that are certified and run.
    fn of(program: &Program) -> Result<Self, RateError> {
        let threshold = match (&program.publish, program.side_output) {
            (Publish::Value { from: Some(threshold) }, SideOutput::Hidden) => *threshold,
            (Publish::Value { from: _ } | Publish::Range { .. }, SideOutput::Hidden | SideOutput::Published) => {
                return Ok(Fate::Unknown);
            }
        };
        Ok(match Working::Zero.run(&program.steps)? {
            Working::Ended => Fate::Silent,
            Working::Tangled => Fate::Unknown,
            Working::Zero if threshold > 0 => Fate::Silent,
            Working::Zero => Fate::Unknown,
            Working::Tail { curve, from } => match u64::try_from(from.max(threshold)) {
                Err(_) | Ok(0) => Fate::Unknown,
                Ok(from) if curve.last_finite().is_some_and(|last| from > last) => Fate::Silent,
                Ok(from) => Fate::Passes(Tail { curve, from }),
            },
        })
    }
}

/// What is known of an empty bin's working number on its way through a program.
enum Working {
    /// It still is zero.
    Zero,
    /// From one on it has the tail of the tailored law of a curve at count 0; below `from` nothing is shown.
    Tail { curve: Curve, from: i64 },
    /// Ended without a count.
    Ended,
    /// No simple tail.
    Tangled,
}

impl Working {
    fn run(self, steps: &[Step]) -> Result<Self, RateError> {
        steps.iter().try_fold(self, Working::step)
    }

    fn step(self, step: &Step) -> Result<Self, RateError> {
        if matches!(self, Working::Ended | Working::Tangled) {
            return Ok(self);
        }
        match step {
            Step::AddNoise(rate) => self.with_noise(rate),
            Step::AddNoiseOfCount { curve, at_zero } => self.with_noise(&rate_of_count(curve, at_zero, 0)),
            Step::AddNoiseOfDrawnEpsilon(_) => Ok(Working::Tangled),
            Step::Walk(curve) => Ok(match curve.last_zero() {
                None => Working::Ended,
                Some(0) => Working::Tail { curve: curve.clone(), from: 0 },
                // Under a threshold "at most Z" is not shown, even where the threshold lies within the zero run.
                Some(last_zero) => Working::Tail { curve: curve.clone(), from: above(last_zero) },
            }),
            Step::Relay(table) if table.publication(0) == Natural::ZERO => Ok(Working::Ended),
            Step::Relay(_) => Ok(Working::Tangled),
            // A count of zero is at most any limit.
            Step::IfCountAtMost { limit: _, then } => self.run(then),
            Step::IfAtMost { limit, then } => self.tested(*limit, then),
            Step::Suppress => Ok(Working::Ended),
        }
    }

    fn with_noise(self, rate: &Epsilon) -> Result<Self, RateError> {
        let Epsilon::Finite(finite) = rate else { return Ok(self) };
        check(finite)?;
        Ok(match self {
            Working::Zero => match Curve::constant(rate.clone()) {
                Ok(curve) => Working::Tail { curve, from: i64::MIN },
                Err(_) => return Err(RateError::NotPositive),
            },
            Working::Tail { .. } | Working::Tangled => Working::Tangled,
            Working::Ended => Working::Ended,
        })
    }

    fn tested(self, limit: i64, then: &[Step]) -> Result<Self, RateError> {
        match (self, then) {
            (Working::Zero, then) => {
                if limit < 0 {
                    Ok(Working::Zero)
                } else {
                    Working::Zero.run(then)
                }
            }
            (Working::Tail { curve, from }, [Step::Suppress]) => Ok(match limit.checked_add(1) {
                Some(above) => Working::Tail { curve, from: from.max(above) },
                None => Working::Ended,
            }),
            (Working::Tail { .. } | Working::Tangled, _) => Ok(Working::Tangled),
            (Working::Ended, _) => Ok(Working::Ended),
        }
    }
}

fn above(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::count_tapes;
    use incrowd_exact::testing::number;

    fn tail(values: &[&str], from: u64) -> Tail {
        let values = values.iter().map(|text| Epsilon::Finite(number(text))).collect();
        Tail { curve: Curve::table(values).expect("a curve"), from }
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
        /// Chooses the second of two symbols, "draw again and add", all but once in 2^16 words. Coins take it for heads.
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
