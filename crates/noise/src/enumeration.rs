//! Proof by counting: run a sampler on every tape of words, and compare the count of each outcome with its law.
//!
//! It must never take the law from the sampler: laws here are closed forms. It is separate because it serves all
//! samplers, and only tests. Read `tests/laws` next, for the statistical tests at full word width.

use crate::testing::TapeBits;
use incrowd_exact::{Enclosure, Integer, Natural, Rational};
use std::collections::BTreeMap;

/// How many tapes of a fixed length lead to each outcome.
pub(crate) struct Counted<T> {
    decided: BTreeMap<T, u128>,
    undecided: u128,
    all: u128,
}

/// Runs a sampler on all tapes of `length` words of `width` bits; a tape that runs out counts as undecided.
pub(crate) fn count_tapes<T: Ord>(width: u32, length: u32, mut draw: impl FnMut(&mut TapeBits<'_>) -> T) -> Counted<T> {
    let all = 1u128 << (width * length);
    let mut counted = Counted { decided: BTreeMap::new(), undecided: 0, all };
    // A tape stands for all its continuations, and is only continued if the sampler asks for more.
    let mut tapes: Vec<Vec<u64>> = vec![vec![]];
    while let Some(tape) = tapes.pop() {
        let mut bits = TapeBits::new(&tape);
        let value = draw(&mut bits);
        let continuations = all >> (width * tape.len() as u32);
        if !bits.is_exhausted() {
            *counted.decided.entry(value).or_insert(0) += continuations;
        } else if tape.len() as u32 == length {
            counted.undecided += continuations;
        } else {
            for word in 0..1u64 << width {
                let mut longer = tape.clone();
                longer.push(word << (u64::BITS - width));
                tapes.push(longer);
            }
        }
    }
    counted
}

impl<T: Ord + Copy> Counted<T> {
    /// Whether every outcome's probability lies between its decided tapes and those plus all undecided ones.
    ///
    /// Outcomes that never occurred are covered: if each count is at most its probability, the others share what is
    /// undecided.
    pub(crate) fn agrees_with(&self, law: impl Fn(T) -> Enclosure) -> bool {
        self.decided.iter().all(|(outcome, count)| {
            let probability = law(*outcome);
            self.fraction(*count) <= probability.upper() && probability.lower() <= self.fraction(count + self.undecided)
        })
    }

    /// Returns the share of tapes on which nothing was decided: how blunt the comparison is.
    pub(crate) fn undecided(&self) -> Rational {
        self.fraction(self.undecided)
    }

    /// Returns how many outcomes occurred.
    pub(crate) fn outcomes(&self) -> usize {
        self.decided.len()
    }

    fn fraction(&self, tapes: u128) -> Rational {
        Rational::from_parts(Integer::from(tapes), Natural::from(self.all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coin::{Coin, bernoulli_in_words, choose_in_words, uniform_below, uniform_below_natural};
    use crate::geometric::Geometric;
    use crate::laplace::DiscreteLaplace;
    use crate::rate::Shape;
    use incrowd_exact::exp_neg;
    use incrowd_exact::testing::number;

    const PLACES: usize = 200;

    /// A share of tapes so small that an error of one escape word would show.
    fn is_sharp<T: Ord + Copy>(counted: &Counted<T>, limit: &str) -> bool {
        counted.undecided() < number(limit)
    }

    fn geometric_law(rate: &Rational, value: i64) -> Enclosure {
        let q = exp_neg(rate, PLACES);
        Enclosure::one(PLACES).minus(&q).times(&exp_neg(&(rate * Rational::from(value)), PLACES))
    }

    fn laplace_law(rate: &Rational, value: i64) -> Enclosure {
        let q = exp_neg(rate, PLACES);
        geometric_law(rate, value.abs()).over(&Enclosure::one(PLACES).plus(&q))
    }

    #[test]
    fn a_uniform_number_is_uniform_on_every_tape() {
        for n in 2..=20u64 {
            let width = u64::BITS - (n - 1).leading_zeros();
            let counted = count_tapes(width, 3, |bits| uniform_below(n, bits));
            let large = count_tapes(width, 3, |bits| {
                u64::try_from(uniform_below_natural(&Natural::from(n), bits)).expect("small")
            });
            for counted in [counted, large] {
                assert_eq!(counted.outcomes() as u64, n);
                assert_eq!(counted.decided.keys().max(), Some(&(n - 1)));
                let counts: Vec<u128> = counted.decided.values().copied().collect();
                assert!(counts.iter().all(|count| *count == counts[0]), "below {n}");
                assert!(is_sharp(&counted, "1/8"));
            }
        }
    }

    #[test]
    fn a_coin_has_exactly_its_probability_on_every_tape() {
        for text in ["0", "1", "1/3", "1/2", "15/16", "1/1000", "7/10"] {
            let p = number(text);
            check_coin(text, move |places| Enclosure::rational(&p, places));
        }
        for text in ["1/100", "1/3", "1", "5", "20"] {
            let x = number(text);
            check_coin(text, move |places| exp_neg(&x, places));
        }
    }

    fn check_coin(name: &str, probability: impl Fn(usize) -> Enclosure + Send + Sync + Clone + 'static) {
        let heads = probability(PLACES);
        let law = |side: bool| if side { heads.clone() } else { Enclosure::one(PLACES).minus(&heads) };
        let drawn = count_tapes(4, 6, |bits| bernoulli_in_words(4, &probability, bits));
        let coin = Coin::with_words(4, probability.clone());
        let tossed = count_tapes(4, 6, |bits| coin.toss(bits));
        for counted in [drawn, tossed] {
            assert!(counted.agrees_with(law), "{name}");
            assert!(counted.undecided() <= Rational::ONE / Rational::from(1u32 << 24), "{name}");
        }
    }

    #[test]
    fn a_coin_that_is_slightly_wrong_disagrees() {
        let third = |places| Enclosure::rational(&number("1/3"), places);
        let counted = count_tapes(4, 6, |bits| bernoulli_in_words(4, third, bits));
        let law = |wrong: &str, side: bool| {
            let p = Enclosure::rational(&number(wrong), PLACES);
            if side { p } else { Enclosure::one(PLACES).minus(&p) }
        };
        assert!(counted.agrees_with(|side| law("1/3", side)));
        assert!(!counted.agrees_with(|side| law("0.333333", side)));
        assert!(!counted.agrees_with(|side| law("0.333334", side)));
    }

    #[test]
    fn a_choice_has_exactly_its_masses_on_every_tape() {
        let masses = |places| {
            let e = exp_neg(&Rational::ONE, places);
            let third = Enclosure::rational(&number("1/3"), places);
            let rest = Enclosure::one(places).minus(&e).minus(&third);
            vec![third, Enclosure::zero(places), e, rest]
        };
        let counted = count_tapes(4, 5, |bits| choose_in_words(4, masses, bits));
        assert!(is_sharp(&counted, "1e-5"));
        assert_eq!(counted.outcomes(), 3);
        assert!(counted.agrees_with(|index| masses(PLACES)[index].clone()));
        assert!(!counted.agrees_with(|index| masses(PLACES)[(index + 2) % 4].clone()));
    }

    struct Case {
        shape: Shape,
        words: u32,
        rate: &'static str,
        /// At most this share of tapes stays undecided, by restarts and by escapes.
        undecided: &'static str,
        /// Laws with the rate times and over this factor must disagree.
        wrong: &'static str,
    }

    const fn shape(word_bits: u32, base_bits: u32, tail: u32) -> Shape {
        Shape { word_bits, base_bits, tail }
    }

    /// One digit and several, rare and frequent restarts, few and many escapes.
    const CASES: [Case; 5] = [
        Case { shape: shape(10, 2, 2), words: 2, rate: "3", undecided: "3e-4", wrong: "1.001" },
        Case { shape: shape(10, 2, 2), words: 2, rate: "1", undecided: "6e-2", wrong: "1.2" },
        Case { shape: shape(6, 2, 8), words: 3, rate: "1", undecided: "5e-2", wrong: "1.2" },
        Case { shape: shape(5, 1, 3), words: 4, rate: "3/2", undecided: "1e-1", wrong: "1.2" },
        Case { shape: shape(5, 1, 1), words: 4, rate: "3/10", undecided: "3e-1", wrong: "3" },
    ];

    #[test]
    fn geometric_draws_have_exactly_their_law_on_every_tape() {
        for case in CASES {
            let rate = number(case.rate);
            let sampler = Geometric::with_shape(&rate, case.shape);
            let counted = count_tapes(case.shape.word_bits, case.words, |bits| sampler.draw(bits));
            check(&case, &counted, geometric_law);
        }
    }

    #[test]
    fn laplace_draws_have_exactly_their_law_on_every_tape() {
        for case in CASES {
            let rate = number(case.rate);
            let sampler = DiscreteLaplace::with_shape(&rate, case.shape);
            let counted = count_tapes(case.shape.word_bits, case.words, |bits| sampler.draw(bits));
            check(&case, &counted, laplace_law);
            // Restarts reach beyond the largest digits, on both sides.
            let beyond = case.shape.digit_rates(&rate).iter().fold(1, |all, _| all * case.shape.base() as i64);
            let (least, most) = (counted.decided.keys().min(), counted.decided.keys().max());
            assert!(case.words < 3 || case.shape.base() > 2 || (least < Some(&-beyond) && most >= Some(&beyond)));
            let doubled_zero = |value: i64| {
                let mass = geometric_law(&rate, value.abs());
                if value == 0 { mass } else { mass.times(&Enclosure::rational(&number("1/2"), PLACES)) }
            };
            assert!(!counted.agrees_with(|value| geometric_law(&rate, value.max(0))), "one-sided {:?}", case.shape);
            // Blunt where more is undecided than zero is doubled by.
            if number(case.undecided) < number("1/5") {
                assert!(!counted.agrees_with(doubled_zero), "doubled zero {:?}", case.shape);
            }
        }
    }

    fn check(case: &Case, counted: &Counted<i64>, law: fn(&Rational, i64) -> Enclosure) {
        let (rate, wrong) = (number(case.rate), number(case.wrong));
        let shape = case.shape;
        assert!(is_sharp(counted, case.undecided), "{shape:?} {}", counted.undecided());
        assert!(counted.agrees_with(|value| law(&rate, value)), "{shape:?}");
        assert!(!counted.agrees_with(|value| law(&(&rate * &wrong), value)), "{shape:?} times {wrong}");
        assert!(!counted.agrees_with(|value| law(&(&rate / &wrong), value)), "{shape:?} over {wrong}");
    }
}
