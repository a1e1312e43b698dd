//! The largest scores, chosen in private: permute-and-flip, exactly.
//!
//! It must never tell by how much a place was ahead, and the list of places must not itself be a secret. It is separate
//! from the samplers of counts because what is drawn is a place, not a number. Read `geometric.rs` for the coins, and
//! `incrowd-privacy`'s `top.rs` for how often the right places are found.

use crate::bits::Bits;
use crate::coin::uniform_below;
use crate::geometric::Geometric;
use crate::rate::RateError;
#[cfg(test)]
use crate::rate::Shape;
use incrowd_exact::Rational;

/// Chooses places of large score one after another, each at the cost of its rate.
///
/// One round is *permute-and-flip* (McKenna & Sheldon 2020): the places not chosen yet come in a uniformly random
/// order, each passes with probability `exp(-rate (max - score))`, and the first that passes is chosen. The best one
/// always passes.
///
/// **Cost.** A person who moves any of the scores by at most one, all in the same direction, costs `rate` in each
/// round:
/// - a round chooses the largest `score + E`, `E` exponential of this rate (Ding et al. 2021); all noises but that of
///   place i given, with `M` the largest of the others, i is chosen with chance `S(M - score_i)`, `S(x) = min(1,
///   e^(-rate x))`;
/// - `M` and `score_i` move by at most one in the same direction, so `M - score_i` by at most one, and
///   `S(x - 1) <= e^rate S(x)`. Two places show that it is no less: `e^(-rate gap) / 2` is the chance of the lower one.
///
/// Rounds add up. Checked on the exact laws of up to four places by `tests/laws/top.rs`, as is the sampler.
pub struct TopChooser {
    patience: Geometric,
}

impl TopChooser {
    /// Returns the chooser of a rate of at least 1e-15, or says why there is none.
    pub fn new(rate: &Rational) -> Result<Self, RateError> {
        Ok(TopChooser { patience: Geometric::new(rate)? })
    }

    #[cfg(test)]
    pub(crate) fn with_shape(rate: &Rational, shape: Shape) -> Self {
        TopChooser { patience: Geometric::with_shape(rate, shape) }
    }

    /// Returns up to `items` different places of `scores` in the order of their rounds; fewer if there are no more.
    ///
    /// A round takes time proportional to the places that are left, at worst. A gap beyond `i64::MAX` never passes; at
    /// the smallest rate it would with probability below `e^-9000`.
    pub fn choose(&self, scores: &[u64], items: u64, bits: &mut impl Bits) -> Vec<usize> {
        let mut left: Vec<usize> = (0..scores.len()).collect();
        let rounds = usize::try_from(items).unwrap_or(usize::MAX).min(left.len());
        let mut chosen = Vec::with_capacity(rounds);
        while chosen.len() < rounds {
            let at = self.round(scores, &mut left, bits);
            chosen.push(left.swap_remove(at));
        }
        chosen
    }

    /// Returns where in `left` the chosen place is, after shuffling as much of `left` as it takes.
    ///
    /// A shuffle is uniform whatever the order before, so what earlier rounds left behind does not matter.
    fn round(&self, scores: &[u64], left: &mut [usize], bits: &mut impl Bits) -> usize {
        let best = left.iter().map(|place| scores[*place]).max().unwrap_or(0);
        let mut at = 0;
        loop {
            let next = at + uniform_below((left.len() - at) as u64, bits) as usize;
            left.swap(at, next);
            // Someone has the best score, so this returns before the list ends.
            if self.passes(best - scores[left[at]], bits) {
                return at;
            }
            at += 1;
        }
    }

    /// Returns true with probability `exp(-rate gap)`: a geometric variate of this rate is at least `gap` just as
    /// often.
    fn passes(&self, gap: u64, bits: &mut impl Bits) -> bool {
        gap == 0 || self.patience.draw(bits).unsigned_abs() >= gap
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::count_tapes;
    use crate::testing::{SeededBits, TapeBits};
    use incrowd_exact::testing::number;
    use incrowd_exact::{Enclosure, exp_neg};

    const PLACES: usize = 200;

    /// The law of the first of two places: half the coin of the lower one is its chance.
    fn law_of_two(rate: &Rational, gap: u64, is_lower: bool) -> Enclosure {
        let coin = exp_neg(&(rate * Rational::from(gap)), PLACES);
        let lower = coin.times(&Enclosure::rational(&number("1/2"), PLACES));
        if is_lower { lower } else { Enclosure::one(PLACES).minus(&lower) }
    }

    #[test]
    fn the_choice_among_two_has_exactly_its_law_on_every_tape() {
        let shape = Shape { word_bits: 10, base_bits: 2, tail: 2 };
        let rate = number("3");
        let chooser = TopChooser::with_shape(&rate, shape);
        for gap in [0, 1, 2] {
            for lower in [0, 1] {
                let mut scores = [7 + gap; 2];
                scores[lower] = 7;
                let counted = count_tapes(10, 2, |bits| chooser.choose(&scores, 1, bits)[0]);
                assert!(counted.undecided() < number("1/500"), "gap {gap}");
                assert!(counted.agrees_with(|place| law_of_two(&rate, gap, place == lower)), "gap {gap}");
                for wrong in ["6", "3.1", "2.9", "3/2"] {
                    // A larger gap passes so rarely that only a rate far off is seen.
                    let is_seen = gap == 1 || gap == 2 && ["6", "3/2"].contains(&wrong);
                    let agrees = counted.agrees_with(|place| law_of_two(&number(wrong), gap, place == lower));
                    assert_eq!(agrees, !is_seen, "gap {gap} rate {wrong}");
                }
            }
        }
    }

    #[test]
    fn equal_scores_come_in_every_order_equally_often() {
        let chooser = TopChooser::new(&Rational::ONE).expect("a rate");
        let counted = count_tapes(4, 5, |bits| {
            let order = chooser.choose(&[5; 4], 9, bits);
            (order[0], order[1], order[2], order[3])
        });
        assert_eq!(counted.outcomes(), 24);
        assert!(counted.undecided() < number("1/50"));
        assert!(counted.agrees_with(|_| Enclosure::rational(&number("1/24"), PLACES)));
        for wrong in ["1/12", "1/48"] {
            assert!(!counted.agrees_with(|_| Enclosure::rational(&number(wrong), PLACES)));
        }
    }

    #[test]
    fn every_place_is_chosen_once_and_no_more_than_there_are() {
        let chooser = TopChooser::new(&number("1/10")).expect("a rate");
        let scores: Vec<u64> = (0..40).map(|place| place * place % 17).collect();
        let mut bits = SeededBits::from_seed(1);
        for (items, length) in [(0, 0), (1, 1), (39, 39), (40, 40), (41, 40), (u64::MAX, 40)] {
            let mut chosen = chooser.choose(&scores, items, &mut bits);
            assert_eq!(chosen.len(), length);
            chosen.sort_unstable();
            chosen.dedup();
            assert_eq!(chosen.len(), length);
            assert!(chosen.iter().all(|place| *place < scores.len()));
        }
        assert!(chooser.choose(&[], 3, &mut bits).is_empty());
    }

    #[test]
    fn a_lead_that_cannot_be_closed_decides_and_the_only_place_needs_no_words() {
        let chooser = TopChooser::new(&number("1e-15")).expect("a rate");
        let mut bits = SeededBits::from_seed(2);
        for _ in 0..100 {
            assert_eq!(chooser.choose(&[0, u64::MAX, 1, 2], 1, &mut bits), [1]);
        }
        let mut none = TapeBits::new(&[]);
        assert_eq!(chooser.choose(&[3], 5, &mut none), [0]);
        assert!(!none.is_exhausted());
    }

    #[test]
    fn a_rate_that_is_not_positive_is_refused() {
        assert_eq!(TopChooser::new(&Rational::ZERO).err(), Some(RateError::NotPositive));
        assert_eq!(TopChooser::new(&number("1e-16")).err(), Some(RateError::TooSmall));
    }
}
