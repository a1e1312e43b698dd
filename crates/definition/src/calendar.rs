//! The calendar: days since 1970 and their years, months and weekdays.
//!
//! The proleptic Gregorian calendar, for every day that a column can hold. It must never read a clock or a time zone,
//! and there must be no other one: that the book calls a month coarser than a day is true because the engine cuts by
//! this file as well. It is separate because days are read, cut, compared and written in different crates. Read
//! `date.rs` next for days as requests write them, `period.rs` for weeks, months and years.

/// Days from 0000-03-01 to 1970-01-01. Years are counted from March on, so that the leap day is the last of its year.
const MARCH_OF_YEAR_ZERO: i64 = 719_468;
const DAYS_IN_400_YEARS: i64 = 146_097;

/// A day by its place in the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CivilDay {
    /// The year; before year 1 comes year 0.
    pub year: i64,
    /// The month, from 1 to 12.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

impl CivilDay {
    /// Returns the day that is so many days after 1970-01-01, for every one within 10^17 days.
    ///
    /// Of the 400 years of an era, of 146,097 days, every fourth has a leap day, but of the hundredth ones only the
    /// last; of the months from March on every five have 153 days (Hinnant, "chrono-compatible low-level date
    /// algorithms").
    pub fn of(days: i64) -> CivilDay {
        let shifted = days + MARCH_OF_YEAR_ZERO;
        let (era, day) = (shifted.div_euclid(DAYS_IN_400_YEARS), shifted.rem_euclid(DAYS_IN_400_YEARS));
        let of_era = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let of_year = day - (365 * of_era + of_era / 4 - of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        CivilDay {
            year: era * 400 + of_era + i64::from(month <= 2),
            month: month as u8,
            day: (of_year - (153 * from_march + 2) / 5 + 1) as u8,
        }
    }

    /// Returns how many days it is after 1970-01-01. A day that its month does not have is so many days after the
    /// first.
    pub fn days(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let from_march = (i64::from(self.month) + 9) % 12;
        let of_year = (153 * from_march + 2) / 5 + i64::from(self.day) - 1;
        era * DAYS_IN_400_YEARS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - MARCH_OF_YEAR_ZERO
    }
}

/// Returns the first day of a month, in days since 1970.
pub fn first_of_month(year: i64, month: u8) -> i64 {
    CivilDay { year, month, day: 1 }.days()
}

/// Returns how many days a day is after the last Monday, from 0 to 6.
pub fn days_since_monday(days: i64) -> i64 {
    // 1970 began on a Thursday.
    (days + 3).rem_euclid(7)
}

/// Appends `2026-01-31`; years beyond 9999 and before 0 carry their sign.
pub fn write_day(days: i64, text: &mut Vec<u8>) {
    let CivilDay { year, month, day } = CivilDay::of(days);
    match year {
        0..=9999 => {}
        10_000.. => text.push(b'+'),
        _ => text.push(b'-'),
    }
    write_padded(year.unsigned_abs(), 4, text);
    text.push(b'-');
    write_padded(u64::from(month), 2, text);
    text.push(b'-');
    write_padded(u64::from(day), 2, text);
}

/// Returns `2026-01-31`, as [`write_day`] does.
pub fn day_text(days: i64) -> String {
    let mut text = Vec::with_capacity(10);
    write_day(days, &mut text);
    text.into_iter().map(char::from).collect()
}

/// Appends a number with at least so many digits.
pub fn write_padded(number: u64, width: usize, text: &mut Vec<u8>) {
    let mut digits = [b'0'; 20];
    let (mut at, mut left) = (20, number);
    while left > 0 || 20 - at < width {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    text.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Date, PeriodUnit};

    /// Every day from 0001-01-01 to 9999-12-31, counted one by one from the rule of leap years alone.
    fn all_days() -> impl Iterator<Item = CivilDay> {
        let leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        (1..=9999i64).flat_map(move |year| {
            let february = if leap(year) { 29 } else { 28 };
            let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            months
                .into_iter()
                .zip(1..)
                .flat_map(move |(length, month)| (1..=length).map(move |day| CivilDay { year, month, day }))
        })
    }

    #[test]
    fn days_are_counted_one_by_one_through_all_of_the_calendar() {
        // The first day of 1970 is the anchor.
        let before = all_days().take_while(|day| day.year < 1970).count() as i64;
        let mut last = 0;
        for (day, number) in all_days().zip(-before..) {
            assert_eq!((day.days(), CivilDay::of(number)), (number, day));
            last = number;
        }
        assert_eq!(last, 2_932_896);
        assert_eq!(CivilDay { year: 1970, month: 1, day: 1 }.days(), 0);
    }

    #[test]
    fn weeks_months_and_years_begin_where_a_walk_says() {
        // 0001-01-01 was a Monday; whoever walks notes when a period began.
        let units = [PeriodUnit::Day, PeriodUnit::Week, PeriodUnit::Month, PeriodUnit::Quarter, PeriodUnit::Year];
        let mut starts = [0; 5];
        let mut earlier: Option<CivilDay> = None;
        for (place, day) in all_days().enumerate() {
            let number = day.days();
            let begins = [
                true,
                place % 7 == 0,
                earlier.is_none_or(|earlier| earlier.month != day.month),
                day.day == 1 && [1, 4, 7, 10].contains(&day.month),
                earlier.is_none_or(|earlier| earlier.year != day.year),
            ];
            for ((unit, start), begins) in units.into_iter().zip(&mut starts).zip(begins) {
                if begins {
                    if place > 0 {
                        assert_eq!(unit.next(*start), number, "{unit:?} after {start}");
                        assert_eq!(unit.next(number - 1), number, "{unit:?} after the day before {number}");
                    }
                    *start = number;
                }
                assert_eq!(unit.first_day(number), *start, "{unit:?} of {day:?}");
            }
            earlier = Some(day);
        }
    }

    #[test]
    fn periods_that_divide_others_lie_in_them() {
        let units = [PeriodUnit::Day, PeriodUnit::Week, PeriodUnit::Month, PeriodUnit::Quarter, PeriodUnit::Year];
        for day in (-800_000..800_000).step_by(3) {
            for short in units {
                for long in units.into_iter().filter(|long| short.divides(*long)) {
                    let first = short.first_day(day);
                    let last = short.next(day) - 1;
                    assert_eq!(long.first_day(first), long.first_day(last), "{short:?} {long:?} {day}");
                }
            }
        }
        // A week is in two months, and in two years, now and then.
        assert!(!PeriodUnit::Week.divides(PeriodUnit::Month) && !PeriodUnit::Week.divides(PeriodUnit::Year));
        assert!(!PeriodUnit::Month.divides(PeriodUnit::Week) && !PeriodUnit::Year.divides(PeriodUnit::Month));
    }

    #[test]
    fn texts_are_read_back_through_all_of_the_calendar() {
        for day in all_days().step_by(5) {
            let text = day_text(day.days());
            assert_eq!(text, format!("{:04}-{:02}-{:02}", day.year, day.month, day.day));
            let date = Date::from_text(&text).expect("a day");
            assert_eq!((date.day_number(), date.to_string()), (day.days(), text));
        }
    }

    #[test]
    fn days_have_their_names_to_the_ends_of_a_column() {
        assert_eq!(day_text(0), "1970-01-01");
        assert_eq!(day_text(-1), "1969-12-31");
        assert_eq!(day_text(11_016), "2000-02-29");
        assert_eq!(day_text(2_932_896), "9999-12-31");
        assert_eq!(day_text(2_932_897), "+10000-01-01");
        assert_eq!(day_text(i64::from(i32::MAX)), "+5881580-07-11");
        assert_eq!(day_text(i64::from(i32::MIN)), "-5877641-06-23");
    }
}
