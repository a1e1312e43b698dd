//! What days are cut to: days, weeks, months, quarters and years.
//!
//! It must never say that one period lies in another unless all of them do. It is separate because requests, engines
//! and proofs cut days in the same way. Read `calendar.rs` for where the periods begin, and `period.rs` for lists of
//! them.

use crate::calendar::{CivilDay, days_since_monday, first_of_month};

/// What days are cut to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PeriodUnit {
    /// Calendar days.
    Day,
    /// Weeks that start on Monday.
    Week,
    /// Calendar months.
    Month,
    /// Three calendar months, from January on: known to expressions alone.
    Quarter,
    /// Calendar years.
    Year,
}

impl PeriodUnit {
    /// Those that a request may name, and a canonical text has.
    pub const ALL: [PeriodUnit; 4] = [PeriodUnit::Day, PeriodUnit::Week, PeriodUnit::Month, PeriodUnit::Year];

    /// Returns the name in a request, and in canonical texts.
    pub fn as_str(self) -> &'static str {
        match self {
            PeriodUnit::Day => "day",
            PeriodUnit::Week => "week",
            PeriodUnit::Month => "month",
            PeriodUnit::Quarter => "quarter",
            PeriodUnit::Year => "year",
        }
    }

    /// Whether each of these periods lies in one of the other.
    pub fn divides(self, longer: PeriodUnit) -> bool {
        match (self, longer) {
            (PeriodUnit::Day, _) | (PeriodUnit::Month, PeriodUnit::Quarter | PeriodUnit::Year) => true,
            (PeriodUnit::Quarter, PeriodUnit::Year) => true,
            (PeriodUnit::Week | PeriodUnit::Month | PeriodUnit::Quarter | PeriodUnit::Year, _) => self == longer,
        }
    }

    /// Returns the first day of the day's period, in days since 1970.
    pub fn first_day(self, day: i64) -> i64 {
        match self {
            PeriodUnit::Day => day,
            PeriodUnit::Week => day - days_since_monday(day),
            PeriodUnit::Month => {
                let CivilDay { year, month, .. } = CivilDay::of(day);
                first_of_month(year, month)
            }
            PeriodUnit::Quarter => {
                let CivilDay { year, month, .. } = CivilDay::of(day);
                first_of_month(year, first_of_quarter(month))
            }
            PeriodUnit::Year => first_of_month(CivilDay::of(day).year, 1),
        }
    }

    /// Returns the first day of the period after the day's.
    pub fn next(self, day: i64) -> i64 {
        match self {
            PeriodUnit::Day => day + 1,
            PeriodUnit::Week => self.first_day(day) + 7,
            PeriodUnit::Month => match CivilDay::of(day) {
                CivilDay { year, month, .. } if month < 12 => first_of_month(year, month + 1),
                CivilDay { year, .. } => first_of_month(year + 1, 1),
            },
            PeriodUnit::Quarter => match CivilDay::of(day) {
                CivilDay { year, month, .. } if month < 10 => first_of_month(year, first_of_quarter(month) + 3),
                CivilDay { year, .. } => first_of_month(year + 1, 1),
            },
            PeriodUnit::Year => first_of_month(CivilDay::of(day).year + 1, 1),
        }
    }
}

/// Returns the first month of a month's quarter.
fn first_of_quarter(month: u8) -> u8 {
    (month - 1) / 3 * 3 + 1
}
