//! How far a published value can be relied on, by the width of its interval: a letter, and words for the worst.
//!
//! A function of the published count and interval alone, in whole numbers; it must never look at a law, an estimate or
//! a float, so that whoever has a CSV file computes the same letter. It is separate because tables, workbooks, reports,
//! screens and verifiers ask the same question. Read `table/reading.rs` for where the numbers come from.
//!
//! After the practice of Statistics Canada: a figure is released as it is while its standard error is at most 16.5 % of
//! it, marked `E`, to be used with caution, up to 33.3 %, and marked `F`, too unreliable to be published, beyond. Here
//! the standard error is half of the 95 % interval divided by 1.96. An interval that begins at 0 while it does not end
//! there leaves open whether there is anybody at all: that is an `F`, however narrow. What is marked `F` is published
//! all the same, since whoever adds up many cells needs it; but nothing shows it to people as if it were known.

use std::fmt;

/// How far a published value can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// As it is: what Statistics Canada leaves without a mark, or marks A to D.
    Acceptable,
    /// With caution.
    Caution,
    /// Not at all as a number: its interval is what can be said.
    Unreliable,
}

impl Quality {
    /// All of them, the best first.
    pub const ALL: [Quality; 3] = [Quality::Acceptable, Quality::Caution, Quality::Unreliable];

    /// Returns the letter in tables.
    pub fn letter(self) -> &'static str {
        match self {
            Quality::Acceptable => "A",
            Quality::Caution => "E",
            Quality::Unreliable => "F",
        }
    }

    /// Returns the largest standard error that a value with this letter may have, in thousandths of it.
    fn most_thousandths(self) -> Option<i128> {
        match self {
            Quality::Acceptable => Some(165),
            Quality::Caution => Some(333),
            Quality::Unreliable => None,
        }
    }
}

/// What a bin shows in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellNumbers {
    /// The published count; nothing where a range is published, or that there are few.
    pub count: Option<i64>,
    /// Where the interval begins; nothing where there is none.
    pub low: Option<i64>,
    /// Where it ends, which is in it.
    pub high: Option<i64>,
}

impl CellNumbers {
    /// Returns how far the value can be relied on; nothing where nothing is shown, or no interval is known.
    pub fn quality(&self) -> Option<Quality> {
        let (low, high) = (i128::from(self.low?), i128::from(self.high?));
        if low <= 0 && high > 0 {
            return Some(Quality::Unreliable);
        }
        // Where there is no count, the middle of the interval stands for it; twice of it is a whole number.
        let doubled = self.count.map_or(low + high, |count| 2 * i128::from(count));
        // (high - low) / 2 / 1.96 <= thousandths / 1000 * doubled / 2, without fractions.
        let within = |quality: &Quality| {
            quality.most_thousandths().is_none_or(|most| (high - low) * 100_000 <= most * 196 * doubled)
        };
        Quality::ALL.into_iter().find(within)
    }

    /// Returns what to read in place of a number that is too uncertain to be one: "at most 24", "3 to 19"; nothing
    /// where the number may stand.
    pub fn read_as(&self) -> Option<ReadAs> {
        match (self.quality()?, self.low?, self.high?) {
            (Quality::Unreliable, low, high) if low <= 0 => Some(ReadAs::AtMost(high)),
            (Quality::Unreliable, low, high) => Some(ReadAs::Between(low, high)),
            (Quality::Acceptable | Quality::Caution, _, _) => None,
        }
    }
}

/// What can be said of a value that is too uncertain to be a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadAs {
    /// There may be nobody, and hardly more than these.
    AtMost(i64),
    /// From the first to the second, both included.
    Between(i64, i64),
}

impl ReadAs {
    /// The heading of a column of such words.
    pub const HEADING: &str = "read as";
}

impl fmt::Display for ReadAs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadAs::AtMost(high) => write!(f, "at most {high}"),
            ReadAs::Between(low, high) => write!(f, "{low} to {high}"),
        }
    }
}

/// What the letters mean, in a sentence.
pub(crate) const LETTERS: &str = "quality is A where half of the interval from low to high, divided by 1.96, is at most 16.5 % of the published value, E (use with caution) up to 33.3 %, and F (too uncertain to be told as a number) beyond that or where the interval begins at 0 and does not end there; empty where no interval is shown";

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::Rational;

    fn cell(count: i64, low: i64, high: i64) -> CellNumbers {
        CellNumbers { count: Some(count), low: Some(low), high: Some(high) }
    }

    fn letter(count: i64, low: i64, high: i64) -> &'static str {
        cell(count, low, high).quality().expect("a quality").letter()
    }

    /// The definition in fractions, written apart from the code above.
    fn by_definition(count: i64, low: i64, high: i64) -> &'static str {
        let of = |whole: i64| Rational::from(whole);
        let half_width = (of(high) - of(low)) / of(2);
        let error = half_width / (of(196) / of(100));
        match () {
            () if low == 0 && high != 0 => "F",
            () if error <= of(count) * of(165) / of(1000) => "A",
            () if error <= of(count) * of(333) / of(1000) => "E",
            () => "F",
        }
    }

    #[test]
    fn letters_follow_the_definition_at_every_small_value() {
        for count in -20..=120 {
            for low in 0..=60 {
                for high in low..=90 {
                    assert_eq!(letter(count, low, high), by_definition(count, low, high), "{count} in {low} to {high}");
                }
            }
        }
    }

    #[test]
    fn the_bounds_belong_to_the_better_letter() {
        // (high - low) / 2 / 1.96 is 16.5 % of 5000 where high - low is 3234, and 33.3 % of 25000 where it is 32634.
        assert_eq!([letter(5000, 3000, 6234), letter(5000, 3000, 6235)], ["A", "E"]);
        assert_eq!([letter(25_000, 8_000, 40_634), letter(25_000, 8_000, 40_635)], ["E", "F"]);
    }

    #[test]
    fn a_value_that_may_be_nobody_is_never_told_as_a_number() {
        // It reads 21, and means 0 to 24.
        assert_eq!(letter(21, 0, 24), "F");
        assert_eq!(cell(21, 0, 24).read_as().expect("words").to_string(), "at most 24");
        assert_eq!(cell(5, 1, 12).read_as().expect("words").to_string(), "1 to 12");
        assert_eq!(cell(-3, 0, 2).read_as().expect("words").to_string(), "at most 2");
        assert_eq!(cell(100, 97, 103).read_as(), None);
        assert_eq!((letter(10, 7, 13), letter(9, 6, 12), letter(5, 2, 8), letter(4, 1, 7)), ("A", "E", "E", "F"));
    }

    #[test]
    fn what_is_exact_is_as_it_is_also_where_nobody_is_there() {
        assert_eq!(letter(0, 0, 0), "A");
        assert_eq!(letter(1, 1, 1), "A");
        assert_eq!(cell(0, 0, 0).read_as(), None);
    }

    #[test]
    fn ranges_are_judged_by_their_middle_and_what_has_no_interval_is_not_judged() {
        let range = |low, high| CellNumbers { count: None, low: Some(low), high: Some(high) };
        assert_eq!(range(93, 107).quality(), Some(Quality::Acceptable));
        assert_eq!(range(10, 24).quality(), cell(17, 10, 24).quality());
        assert_eq!(range(0, 5).read_as().map(|words| words.to_string()).as_deref(), Some("at most 5"));
        for nothing in [(None, None, None), (Some(5), None, None), (Some(5), Some(1), None), (Some(5), None, Some(9))] {
            let (count, low, high) = nothing;
            let cell = CellNumbers { count, low, high };
            assert_eq!((cell.quality(), cell.read_as()), (None, None));
        }
    }

    #[test]
    fn the_largest_numbers_have_a_letter() {
        assert_eq!(letter(i64::MAX, 1, i64::MAX), "E");
        assert_eq!(letter(i64::MIN, i64::MIN, i64::MAX), "F");
        assert_eq!(letter(i64::MAX, i64::MAX, i64::MAX), "A");
    }
}
