//! Calendar days, and the days, weeks, months and years that they are cut to.
//!
//! Only the proleptic Gregorian calendar of years 1 to 9999; it must never read a clock or a time zone. It is
//! separate because engines print and compare the same days. Read `bins.rs` next.

use super::error::RequestError;
use super::fields::Item;
use std::fmt;
use toml::de::DeValue;

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// Returns the day, if the calendar has it, from year 1 to 9999.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let known = (1..=9999).contains(&year) && (1..=12).contains(&month) && day >= 1;
        (known && day <= days_in_month(year, month)).then_some(Date { year, month, day })
    }

    /// The year, 1 to 9999.
    pub fn year(self) -> u16 {
        self.year
    }

    /// The month, 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, from 1.
    pub fn day(self) -> u8 {
        self.day
    }

    /// Returns the number of days since 1970-01-01.
    pub fn day_number(self) -> i64 {
        // Years that start in March put the leap day last; 400 years have 146,097 days.
        let year = i64::from(self.year) - i64::from(self.month <= 2);
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let month = (i64::from(self.month) + 9) % 12;
        let of_year = (153 * month + 2) / 5 + i64::from(self.day) - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    pub(super) fn from_day_number(number: i64) -> Option<Self> {
        let shifted = number + 719_468;
        let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let of_year = day - (365 * of_era + of_era / 4 - of_era / 100);
        let march_month = (5 * of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        let year = era * 400 + of_era + i64::from(month <= 2);
        let of_month = of_year - (153 * march_month + 2) / 5 + 1;
        Date::new(u16::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(of_month).ok()?)
    }

    /// Returns the first day of the day's period.
    pub fn truncated(self, unit: Truncate) -> Self {
        match unit {
            Truncate::Day => self,
            // 1970-01-01 was a Thursday, and 0001-01-01 a Monday: there is always such a day.
            Truncate::Week => {
                let number = self.day_number();
                Date::from_day_number(number - (number + 3).rem_euclid(7)).unwrap_or(self)
            }
            Truncate::Month => Date { day: 1, ..self },
            Truncate::Year => Date { month: 1, day: 1, ..self },
        }
    }

    /// Returns the first day of the next period, unless it is beyond year 9999.
    pub fn next(self, unit: Truncate) -> Option<Self> {
        let start = self.truncated(unit);
        match unit {
            Truncate::Day => Date::from_day_number(start.day_number() + 1),
            Truncate::Week => Date::from_day_number(start.day_number() + 7),
            Truncate::Month if start.month < 12 => Date::new(start.year, start.month + 1, 1),
            Truncate::Month | Truncate::Year => Date::new(start.year + 1, 1, 1),
        }
    }

    pub(super) fn read(item: &Item<'_>) -> Result<Self, RequestError> {
        let found = match item.value() {
            DeValue::Datetime(when) if when.time.is_none() && when.offset.is_none() => {
                when.date.and_then(|date| Date::new(date.year, date.month, date.day))
            }
            DeValue::String(text) => Date::from_text(text),
            DeValue::Datetime(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => None,
        };
        found.ok_or_else(|| {
            item.refuse("this is not a day from year 1 to 9999").hint("write 2026-01-31, without a time")
        })
    }

    fn from_text(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut part =
            |length: usize| parts.next().filter(|p| p.len() == length && p.bytes().all(|b| b.is_ascii_digit()));
        let (year, month, day) = (part(4)?, part(2)?, part(2)?);
        let rest = parts.next();
        rest.is_none().then(|| Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)).flatten()
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

fn days_in_month(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// What dates are cut to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncate {
    /// Calendar days.
    Day,
    /// Weeks that start on Monday.
    Week,
    /// Calendar months.
    Month,
    /// Calendar years.
    Year,
}

impl Truncate {
    /// All of them.
    pub const ALL: [Truncate; 4] = [Truncate::Day, Truncate::Week, Truncate::Month, Truncate::Year];

    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            Truncate::Day => "day",
            Truncate::Week => "week",
            Truncate::Month => "month",
            Truncate::Year => "year",
        }
    }
}

/// A public list of consecutive periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Periods {
    unit: Truncate,
    first: Date,
    last: Date,
}

impl Periods {
    /// Returns all periods that have a day from `from` on and before `to`; none if that is empty.
    pub fn touching(unit: Truncate, from: Date, to: Date) -> Option<Self> {
        let end = Date::from_day_number(to.day_number() - 1)?;
        (from <= end).then(|| Periods { unit, first: from.truncated(unit), last: end.truncated(unit) })
    }

    /// What a period is.
    pub fn unit(&self) -> Truncate {
        self.unit
    }

    /// The first day of the first period.
    pub fn first(&self) -> Date {
        self.first
    }

    /// The first day of the last period.
    pub fn last(&self) -> Date {
        self.last
    }

    /// Returns how many periods there are.
    pub fn count(&self) -> u64 {
        let days = self.last.day_number() - self.first.day_number();
        let years = u64::from(self.last.year - self.first.year);
        match self.unit {
            Truncate::Day => days.unsigned_abs() + 1,
            Truncate::Week => days.unsigned_abs() / 7 + 1,
            Truncate::Month => (years * 12 + u64::from(self.last.month) + 1) - u64::from(self.first.month),
            Truncate::Year => years + 1,
        }
    }

    /// Returns the first day of every period, in order.
    pub fn starts(&self) -> impl Iterator<Item = Date> + use<> {
        let Periods { unit, first, last } = *self;
        std::iter::successors(Some(first), move |day| day.next(unit).filter(|next| *next <= last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        Date::from_text(text).expect("a date")
    }

    #[test]
    fn days_are_numbered_through_all_of_the_calendar() {
        assert_eq!(date("1970-01-01").day_number(), 0);
        assert_eq!(date("2000-02-29").day_number(), 11_016);
        let (first, last) = (date("0001-01-01"), date("9999-12-31"));
        let mut day = first;
        for number in first.day_number()..last.day_number() {
            assert_eq!((day.day_number(), Date::from_day_number(number)), (number, Some(day)));
            day = day.next(Truncate::Day).expect("a next day");
        }
        assert_eq!((day, day.next(Truncate::Day)), (last, None));
    }

    #[test]
    fn weeks_start_on_monday_even_the_very_first() {
        assert_eq!(date("2026-01-04").truncated(Truncate::Week), date("2025-12-29"));
        assert_eq!(date("2026-01-05").truncated(Truncate::Week), date("2026-01-05"));
        assert_eq!(date("0001-01-03").truncated(Truncate::Week), date("0001-01-01"));
    }

    #[test]
    fn periods_are_those_that_the_range_touches() {
        for (unit, to, count) in [
            (Truncate::Month, "2021-01-01", 12),
            (Truncate::Month, "2020-12-31", 12),
            (Truncate::Month, "2021-01-02", 13),
            (Truncate::Year, "2021-01-01", 1),
            (Truncate::Day, "2021-01-01", 366),
            (Truncate::Week, "2020-01-07", 2),
        ] {
            let periods = Periods::touching(unit, date("2020-01-01"), date(to)).expect("some periods");
            assert_eq!((periods.count(), periods.starts().count() as u64), (count, count), "{unit:?} {to}");
        }
        assert_eq!(Periods::touching(Truncate::Day, date("2020-01-01"), date("2020-01-01")), None);
        assert_eq!(Periods::touching(Truncate::Day, date("0001-01-01"), date("0001-01-01")), None);
    }

    #[test]
    fn days_that_do_not_exist_are_not_read() {
        for text in ["2021-02-29", "1900-02-29", "2020-13-01", "2020-1-01", "2020-01-01-01", "0000-01-01", "+020-01-01"]
        {
            assert_eq!(Date::from_text(text), None, "{text}");
        }
    }
}
