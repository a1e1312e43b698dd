//! How sure somebody may become, starting from even odds: a percentage that a sentence prints, as an exact number.
//!
//! It is rounded up, so that it never promises more than an epsilon does, and the odds that belong to it are rational:
//! whether a loss exceeds them can be decided. It must never be rounded again when it is printed. It is separate
//! because plans, ledgers and certificates speak of it and only `account/exceeding.rs` computes with it. Read that
//! next.

use incrowd_exact::{Enclosure, Rational, exp_neg, ln, parse_number, significant_rounding_up};
use std::fmt;

/// So many significant digits, or as many as it takes to stay below 100.
const DIGITS: usize = 3;
/// Nobody reads more.
const MOST_DIGITS: usize = 40;
/// Exponentials beyond this epsilon are not worth their digits: the percentage has them all.
const LARGEST_EPSILON: u64 = 1 << 12;

/// Epsilons that stand for percentages are whole multiples of one in so many: fine enough for the percentage to be
/// printed as it was asked, and short enough to be read.
const STEPS: u64 = 1000;
/// From this percentage on a promise hardly promises: whoever guessed is nearly sure.
const NEARLY_SURE: u8 = 95;

/// A percentage from 50 to 100.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sureness {
    percent: Rational,
    digits: usize,
}

impl Sureness {
    /// Returns `100 e^eps/(1 + e^eps)` with one decimal or as many as it takes to stay below 100, rounded up.
    pub fn of(epsilon: &Rational) -> Sureness {
        Sureness::above(epsilon, &Rational::ONE)
    }

    /// Returns a percentage at which `(epsilon, delta)` bounds the chance of being surer well: by ten times delta, or
    /// by twice delta where it is above a hundredth.
    ///
    /// Its odds are at least `10/9 e^eps`, or `2 e^eps`; see [`chance_beyond`].
    pub fn with_room(epsilon: &Rational, delta: &Rational) -> Sureness {
        let large = delta * Rational::from(100u8) > Rational::ONE;
        let (above, below) = if large { (1, 2u8) } else { (9, 10u8) };
        Sureness::above(epsilon, &Rational::from_parts(above.into(), below.into()))
    }

    /// Returns `1/(1 + share e^-eps)` in percent, rounded up.
    fn above(epsilon: &Rational, share: &Rational) -> Sureness {
        let epsilon = epsilon.clone().clamp(Rational::ZERO, Rational::from(LARGEST_EPSILON));
        let bits = 128 + 3 * usize::try_from(&epsilon.clone().ceil()).unwrap_or(LARGEST_EPSILON as usize);
        let one = Enclosure::one(bits);
        let shrunk = exp_neg(&epsilon, bits).times(&Enclosure::rational(share, bits));
        let exact = one.over(&one.plus(&shrunk)).upper() * Rational::from(100u8);
        let mut digits = DIGITS;
        loop {
            let text = significant_rounding_up(&exact, digits);
            // A text that was just written is a number.
            let percent = parse_number(&text).unwrap_or_else(|_| Rational::from(100u8));
            if percent < Rational::from(100u8) || digits > MOST_DIGITS {
                return Sureness { percent, digits };
            }
            digits += 1;
        }
    }

    /// Returns the largest epsilon, in whole thousandths, with which nobody becomes surer than a percentage; nothing
    /// where it is below 50 or not below 100.
    ///
    /// `e^eps/(1 + e^eps) <= p/100` where `eps <= ln(p/(100 - p))`. That logarithm is 0 at 50 and irrational at every
    /// other rational percentage (Lindemann), so it is no multiple itself and a finer enclosure always decides below
    /// which two multiples it lies; the lower one is taken, which is to the people's favour.
    pub fn epsilon_within(percent: &Rational) -> Option<Rational> {
        let half = Rational::from(50u8);
        let left = Rational::from(100u8) - percent;
        if !(percent >= &half && left > Rational::ZERO) {
            return None;
        }
        if percent == &half {
            return Some(Rational::ZERO);
        }
        let odds = percent / left;
        let steps = Rational::from(STEPS);
        let mut bits = 64;
        loop {
            let exact = ln(&odds, bits);
            let [low, high] = [exact.lower(), exact.upper()].map(|bound| (bound * &steps).floor());
            if low == high {
                return Some(Rational::from(low) / steps);
            }
            bits *= 2;
        }
    }

    /// Whether this is what is printed for a percentage that somebody asked for, digit by digit.
    pub fn prints(&self, percent: &Rational) -> bool {
        &self.percent == percent
    }

    /// Whether so sure is nearly sure: at least 95 %, as printed.
    pub fn is_nearly_sure(&self) -> bool {
        self.percent >= Rational::from(NEARLY_SURE)
    }

    /// Returns the odds that belong to it, `S/(100 - S)`; nothing for certainty, which nobody exceeds.
    pub fn odds(&self) -> Option<Rational> {
        let left = Rational::from(100u8) - &self.percent;
        (left > Rational::ZERO).then(|| &self.percent / left)
    }
}

impl fmt::Display for Sureness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&significant_rounding_up(&self.percent, self.digits))
    }
}

/// Returns a number that is not below the chance that a loss exceeds `ln odds`, for whatever is `(epsilon,
/// delta)`-private.
///
/// Delta bounds the excess `E[(1 - e^(eps-L))_+]`, which is at least `(1 - e^eps/odds) P[L > ln odds]` for `odds >
/// e^eps`. So the chance is at most `delta odds/(odds - e^eps)`: far above delta where the odds are close to `e^eps`.
pub fn chance_beyond(epsilon: &Rational, delta: &Rational, odds: &Rational) -> Rational {
    if delta == &Rational::ZERO {
        return Rational::ZERO;
    }
    if epsilon > &Rational::from(LARGEST_EPSILON) {
        return Rational::ONE;
    }
    let bits = crate::precision::bits_for(epsilon);
    let grown = Enclosure::one(bits).over(&exp_neg(epsilon, bits)).upper();
    let room = odds - grown;
    if room <= Rational::ZERO {
        return Rational::ONE;
    }
    (delta * odds / room).min(Rational::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::testing::number;

    #[test]
    fn percentages_are_rounded_up_and_never_reach_certainty() {
        let sure = |text: &str| Sureness::of(&number(text)).to_string();
        assert_eq!(
            (sure("0"), sure("1/100"), sure("1"), sure("10")),
            ("50".into(), "50.3".into(), "73.2".into(), "99.996".into())
        );
        assert_eq!(Sureness::of(&number("1")).odds(), Some(number("732/268")));
        assert_eq!(Sureness::of(&number("1000")).odds(), None);
    }

    #[test]
    fn a_percentage_becomes_the_largest_epsilon_that_keeps_it_and_is_printed_again() {
        // ln(p/(100 - p)) from tables of logarithms: ln 11/9, ln 3/2, ln 3, ln 19, ln 999.
        for (percent, epsilon) in
            [("50", "0"), ("55", "0.2"), ("60", "0.405"), ("75", "1.098"), ("95", "2.944"), ("99.9", "6.906")]
        {
            assert_eq!(Sureness::epsilon_within(&number(percent)), Some(number(epsilon)), "{percent}");
        }
        let thousandth = number("1/1000");
        let tenths = (500..=999).map(|tenths| Rational::from(tenths as u64) / Rational::from(10u8));
        let more = ["99.91", "99.95", "99.99", "99.999", "99.99999999"].map(number);
        for percent in tenths.chain(more) {
            let epsilon = Sureness::epsilon_within(&percent).expect("an epsilon");
            let odds = &percent / (Rational::from(100u8) - &percent);
            // e^eps <= odds < e^(eps + 1/1000), by the other function of the two that this could rest on.
            let grown = |epsilon: &Rational| Enclosure::one(256).over(&exp_neg(epsilon, 256));
            assert!(grown(&epsilon).lower() <= odds && odds < grown(&(&epsilon + &thousandth)).upper(), "{percent}");
            assert!(epsilon == Rational::ZERO || grown(&epsilon).upper() < odds, "{percent}");
            assert!(Sureness::of(&epsilon).prints(&percent), "{percent} is printed as {}", Sureness::of(&epsilon));
        }
        for refused in ["49.9", "0", "-1", "100", "120"] {
            assert_eq!(Sureness::epsilon_within(&number(refused)), None, "{refused}");
        }
        // Two decimals are not printed below 99.9: who asks for them is told so.
        assert!(
            !Sureness::of(&Sureness::epsilon_within(&number("55.55")).expect("an epsilon")).prints(&number("55.55"))
        );
    }

    #[test]
    fn a_little_above_epsilon_the_chance_is_at_most_ten_deltas() {
        let delta = number("1e-6");
        for epsilon in ["0", "1/100", "1/2", "1", "5", "20"] {
            let epsilon = number(epsilon);
            let level = Sureness::with_room(&epsilon, &delta).odds().expect("odds");
            let chance = chance_beyond(&epsilon, &delta, &level);
            assert!(chance > delta && chance <= number("1e-5"), "{epsilon}");
            let large = number("0.2");
            let level = Sureness::with_room(&epsilon, &large).odds().expect("odds");
            let chance = chance_beyond(&epsilon, &large, &level);
            assert!(chance > large && chance <= number("0.4"), "{epsilon}");
        }
        // At epsilon itself the bound says nothing.
        assert_eq!(chance_beyond(&number("0"), &delta, &Rational::ONE), Rational::ONE);
        assert_eq!(chance_beyond(&number("1"), &Rational::ZERO, &Rational::ONE), Rational::ZERO);
    }
}
