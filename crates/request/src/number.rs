//! Limits on the numbers of a request.
//!
//! Checks exact values against what incrowd can compute with; it must never round or read a float. It is separate
//! because the reader and the published schema quote the same limits. Read `fields.rs` next.

use incrowd_exact::{Natural, Rational};

/// The least and the most that a whole number may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Whole {
    pub least: u64,
    pub most: u64,
}

/// The largest count, group, threshold or offset that a request may name.
pub(super) const MOST: u64 = 1_000_000_000_000;

impl Whole {
    /// A number of people that is not zero.
    pub const PEOPLE: Whole = Whole { least: 1, most: MOST };
    /// The least number that is not small, of people.
    pub const SMALL: Whole = Whole { least: 2, most: MOST };
    /// Any count.
    pub const COUNT: Whole = Whole { least: 0, most: MOST };
    /// How many bins one person may be in.
    pub const BINS_PER_PERSON: Whole = Whole { least: 1, most: 1_000_000 };
    /// Lines before the first that is read.
    pub const LINES: Whole = Whole { least: 0, most: 20 };
    /// Characters of a prefix, levels of a hierarchy.
    pub const PREFIX: Whole = Whole { least: 1, most: 1_000 };

    /// Returns the value if it is a whole number within the limits.
    pub fn read(self, value: &Rational) -> Option<u64> {
        let whole = u64::try_from(integral(value)?).ok()?;
        (self.least..=self.most).contains(&whole).then_some(whole)
    }

    /// Returns the limits in words.
    pub fn words(self) -> String {
        format!("a whole number from {} to {}", grouped(self.least), grouped(self.most))
    }
}

/// Returns the value if it is a whole number within 10^12 either way.
pub(super) fn read_integer(value: &Rational) -> Option<i64> {
    let whole = i64::try_from(integral(value)?).ok()?;
    (whole.unsigned_abs() <= MOST).then_some(whole)
}

/// Returns the value as an integer of any size, if it is one.
pub(super) fn integral(value: &Rational) -> Option<&incrowd_exact::Integer> {
    (value.denominator() == &Natural::ONE).then(|| value.numerator())
}

/// What an exact number may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    /// Anything finite.
    Any,
    /// Above zero, at most 10^12.
    Positive,
    /// 0, or from 1e-9 to 1000.
    FiniteEpsilon,
    /// From 1e-9 to 1000.
    PositiveEpsilon,
    /// From 0 up to but not 1.
    Delta,
    /// Above 0 and below 1.
    Chance,
}

impl Bounds {
    /// Returns whether the value is allowed.
    pub fn hold(self, value: &Rational) -> bool {
        let zero = Rational::ZERO;
        match self {
            Bounds::Any => true,
            Bounds::Positive => value > &zero && value <= &Rational::from(MOST),
            Bounds::FiniteEpsilon => value == &zero || Bounds::PositiveEpsilon.hold(value),
            Bounds::PositiveEpsilon => {
                let billion = Rational::from(1_000_000_000u64);
                value * billion >= Rational::ONE && value <= &Rational::from(1000u64)
            }
            Bounds::Delta => value >= &zero && value < &Rational::ONE,
            Bounds::Chance => value > &zero && value < &Rational::ONE,
        }
    }

    /// Returns what is allowed, in words.
    pub fn words(self) -> &'static str {
        match self {
            Bounds::Any => "a finite number",
            Bounds::Positive => "above 0, and at most 10^12",
            Bounds::FiniteEpsilon => "0, or between 1e-9 and 1000",
            Bounds::PositiveEpsilon => "between 1e-9 and 1000",
            Bounds::Delta => "at least 0 and below 1",
            Bounds::Chance => "above 0 and below 1",
        }
    }
}

fn grouped(value: u64) -> String {
    match value {
        MOST => "10^12".into(),
        1_000_000 => "10^6".into(),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::testing::number;

    #[test]
    fn limits_include_their_ends_and_nothing_beyond() {
        assert_eq!(Whole::PEOPLE.read(&number("1e12")), Some(MOST));
        for text in ["0", "-1", "1e12/3", "1000000000001", "1e300"] {
            assert_eq!(Whole::PEOPLE.read(&number(text)), None, "{text}");
        }
        assert_eq!(read_integer(&number("-1e12")), Some(-1_000_000_000_000));
        assert_eq!(read_integer(&number("-1000000000001")), None);
        for text in ["0", "1e-9", "1000"] {
            assert!(Bounds::FiniteEpsilon.hold(&number(text)), "{text}");
        }
        for text in ["9.99e-10", "1000.001", "-1", "1e-300"] {
            assert!(!Bounds::FiniteEpsilon.hold(&number(text)), "{text}");
        }
        assert!(Bounds::Delta.hold(&number("0")) && !Bounds::Delta.hold(&number("1")));
        assert!(!Bounds::Chance.hold(&number("0")) && Bounds::Chance.hold(&number("1e-300")));
    }
}
