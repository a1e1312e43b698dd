//! A point in time, to the second, as the book and the certificate write it.
//!
//! It must never read a clock: time comes in as an argument, and no rule of the ledger compares two times, so a clock
//! that goes backwards is harmless. It is separate because the text has to be read back strictly. Read `charge_id.rs`
//! next.

use crate::calendar::CivilDay;
use crate::date::Date;
use std::fmt;

/// The last second of the year 9999: the text has four digits for a year.
const LAST: u64 = 253_402_300_799;
const SECONDS_PER_DAY: u64 = 86_400;

/// A second since 1970, printed as `2026-01-31T23:59:59Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u64);

impl Moment {
    /// Returns the moment that many seconds after 1970 began (UTC); beyond the year 9999 its last second.
    pub fn from_unix_seconds(seconds: u64) -> Moment {
        Moment(seconds.min(LAST))
    }

    /// Returns the seconds since 1970 began (UTC).
    pub fn unix_seconds(self) -> u64 {
        self.0
    }

    /// Returns the moment that is written exactly so, or nothing.
    pub fn read(text: &str) -> Option<Moment> {
        let number = |from: usize, to: usize| -> Option<u64> {
            let digits = text.get(from..to)?;
            if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
        };
        let days = u64::try_from(Date::from_text(text.get(..10)?)?.day_number()).ok()?;
        let moment = Moment(days * SECONDS_PER_DAY + number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?);
        // Separators, impossible days and impossible hours all fail here: only one text is right.
        (moment.to_string() == text).then_some(moment)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, second) = (self.0 / SECONDS_PER_DAY, self.0 % SECONDS_PER_DAY);
        let CivilDay { year, month, day } = CivilDay::of(days.cast_signed());
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_read_as_iso_8601() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_772_323_199, "2026-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (LAST, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Moment::from_unix_seconds(seconds).to_string(), text);
            assert_eq!(Moment::read(text), Some(Moment(seconds)), "{text}");
        }
        assert_eq!(Moment::from_unix_seconds(u64::MAX), Moment(LAST));
    }

    #[test]
    fn every_day_of_eight_centuries_is_read_back() {
        for day in 0..800 * 365 {
            let moment = Moment(day * SECONDS_PER_DAY + day % SECONDS_PER_DAY);
            assert_eq!(Moment::read(&moment.to_string()), Some(moment));
        }
    }

    #[test]
    fn only_the_one_right_text_is_read() {
        for text in [
            "",
            "2026-02-29T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01 00:00:00Z",
            "2026-01-01T00:00:00z",
            "2026-01-01T00:00:00Z ",
            "+026-01-01T00:00:00Z",
            "1969-12-31T23:59:59Z",
            "2026-01-01T00:00:0éZ",
        ] {
            assert_eq!(Moment::read(text), None, "{text}");
        }
    }
}
