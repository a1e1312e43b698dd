//! Days as requests write them: from 0001-01-01 to 9999-12-31.
//!
//! It must never hold a day whose year has not four digits, nor read a text in any other form. It is separate from the
//! calendar because that goes on for ever. Read `period.rs` next.

use crate::calendar::{CivilDay, day_text};
use crate::period_unit::PeriodUnit;
use std::fmt;

/// A day of the years 1 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(i32);

/// 0001-01-01.
const FIRST: i64 = -719_162;
/// 9999-12-31.
const LAST: i64 = 2_932_896;

impl Date {
    /// Returns the day, if the calendar has it, from year 1 to 9999.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let civil = CivilDay { year: i64::from(year), month: month.clamp(1, 12), day: day.clamp(1, 31) };
        let date = Date::from_day_number(civil.days())?;
        // What was clamped, or is no day of its month, is another day.
        let asked = CivilDay { year: i64::from(year), month, day };
        (date.civil() == asked).then_some(date)
    }

    /// Returns the day that is written exactly so: `2026-01-31`.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut part =
            |length: usize| parts.next().filter(|p| p.len() == length && p.bytes().all(|b| b.is_ascii_digit()));
        let (year, month, day) = (part(4)?, part(2)?, part(2)?);
        let rest = parts.next();
        rest.is_none().then(|| Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)).flatten()
    }

    /// Returns the day that is so many days after 1970-01-01, if its year has one to four digits.
    pub fn from_day_number(number: i64) -> Option<Self> {
        let known = (FIRST..=LAST).contains(&number);
        known.then(|| i32::try_from(number).ok().map(Date)).flatten()
    }

    /// Returns the number of days since 1970-01-01.
    pub fn day_number(self) -> i64 {
        i64::from(self.0)
    }

    /// Returns the number of days since 1970-01-01, as columns hold it.
    pub fn days(self) -> i32 {
        self.0
    }

    /// Returns its place in the calendar.
    pub fn civil(self) -> CivilDay {
        CivilDay::of(self.day_number())
    }

    /// Returns the first day of the day's period: a day of this kind itself, for 0001-01-01 was a Monday.
    pub fn truncated(self, unit: PeriodUnit) -> Self {
        Date::from_day_number(unit.first_day(self.day_number())).unwrap_or(self)
    }

    /// Returns the first day of the next period, unless it is beyond year 9999.
    pub fn next(self, unit: PeriodUnit) -> Option<Self> {
        Date::from_day_number(unit.next(self.day_number()))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&day_text(self.day_number()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        Date::from_text(text).expect("a date")
    }

    #[test]
    fn years_have_one_to_four_digits() {
        assert_eq!((date("0001-01-01").day_number(), date("9999-12-31").day_number()), (FIRST, LAST));
        assert_eq!((Date::from_day_number(FIRST - 1), Date::from_day_number(LAST + 1)), (None, None));
        assert_eq!(date("9999-12-31").next(PeriodUnit::Day), None);
        assert_eq!(date("9999-12-01").next(PeriodUnit::Year), None);
    }

    #[test]
    fn weeks_start_on_monday_even_the_very_first() {
        assert_eq!(date("2026-01-04").truncated(PeriodUnit::Week), date("2025-12-29"));
        assert_eq!(date("2026-01-05").truncated(PeriodUnit::Week), date("2026-01-05"));
        assert_eq!(date("0001-01-03").truncated(PeriodUnit::Week), date("0001-01-01"));
    }

    #[test]
    fn days_that_do_not_exist_are_not_read() {
        for text in [
            "2021-02-29",
            "1900-02-29",
            "2020-13-01",
            "2020-00-01",
            "2020-04-31",
            "2020-01-00",
            "2020-1-01",
            "2020-01-01-01",
            "0000-01-01",
            "+020-01-01",
            "2020-01-01 ",
            "",
        ] {
            assert_eq!(Date::from_text(text), None, "{text}");
        }
    }
}
