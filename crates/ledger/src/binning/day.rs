//! Days since 1970, as texts and as the first ones of weeks, months and years.
//!
//! The proleptic Gregorian calendar; a text has years 1 to 9999. It must never read a clock or a time zone. It is separate
//! because the ledger reads days that requests wrote, without the requests. Read `edges.rs` next.

/// What days are cut to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Period {
    Day,
    /// From Monday on.
    Week,
    Month,
    Year,
}

impl Period {
    pub(super) const ALL: [Period; 4] = [Period::Day, Period::Week, Period::Month, Period::Year];

    pub(super) fn name(self) -> &'static str {
        match self {
            Period::Day => "day",
            Period::Week => "week",
            Period::Month => "month",
            Period::Year => "year",
        }
    }

    /// Whether each of these periods lies in one of the other.
    pub(super) fn divides(self, longer: Period) -> bool {
        self == longer || self == Period::Day || (self, longer) == (Period::Month, Period::Year)
    }

    /// Returns the first day of the day's period.
    pub(super) fn first_day(self, day: i64) -> i64 {
        let (year, month, _) = date(day);
        match self {
            Period::Day => day,
            // 1970 began on a Thursday.
            Period::Week => day - (day + 3).rem_euclid(7),
            Period::Month => number(year, month, 1),
            Period::Year => number(year, 1, 1),
        }
    }

    /// Returns the first day of the period after the day's.
    pub(super) fn next(self, day: i64) -> i64 {
        let (year, month, _) = date(day);
        match self {
            Period::Day => day + 1,
            Period::Week => self.first_day(day) + 7,
            Period::Month if month < 12 => number(year, month + 1, 1),
            Period::Month | Period::Year => number(year + 1, 1, 1),
        }
    }
}

/// Returns the day that is written exactly so, from 0001-01-01 to 9999-12-31.
pub(super) fn read(text: &str) -> Option<i64> {
    let mut parts = text.split('-').map(|part| part.parse::<i16>().ok().map(i64::from));
    let day = number(parts.next()??, parts.next()??.clamp(1, 12), parts.next()??.clamp(1, 31));
    // Whatever was clamped, or is no day of the calendar, is written otherwise.
    (shown(day) == text && (1..=9999).contains(&date(day).0)).then_some(day)
}

/// Returns `2026-01-31`.
pub(super) fn shown(day: i64) -> String {
    let (year, month, day) = date(day);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Returns the day's number. Years that start in March put the leap day last; 400 years have 146,097 days.
fn number(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn date(number: i64) -> (i64, i64, i64) {
    let shifted = number + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * of_era + of_era / 4 - of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + of_era + i64::from(month <= 2), month, of_year - (153 * from_march + 2) / 5 + 1)
}
