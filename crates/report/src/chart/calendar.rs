//! Ticks of an axis of days: on days, Mondays, first days of months and of years, as many as there is room for.
//! It must never put a tick on a day that the axis does not have, or give two ticks one label.
//! It is separate because a calendar has no even steps.
//! Read `ruler.rs` next, which places them.

use incrowd_definition::calendar::{CivilDay, first_of_month};

/// A step from tick to tick.
#[derive(Clone, Copy)]
enum Step {
    Days(i64),
    Weeks(i64),
    Months(i64),
    Years(i64),
}

/// From fine to coarse.
const STEPS: [Step; 14] = [
    Step::Days(1),
    Step::Days(2),
    Step::Weeks(1),
    Step::Weeks(2),
    Step::Months(1),
    Step::Months(2),
    Step::Months(3),
    Step::Months(6),
    Step::Years(1),
    Step::Years(2),
    Step::Years(5),
    Step::Years(10),
    Step::Years(100),
    Step::Years(1000),
];

/// Returns the ticks between two days, at most so many: each day with its label.
pub(super) fn ticks(first: i64, last: i64, most: usize) -> Vec<(i64, String)> {
    let most = most.max(2);
    let fits = |step: &Step| step.about(last - first) <= most as i64 * 2;
    let listed = STEPS.iter().filter(|step| fits(step)).map(|step| step.between(first, last));
    let found = listed.into_iter().find(|ticks| ticks.len() <= most).unwrap_or_default();
    // A short stretch between two ticks has none: its ends are named instead.
    if found.len() >= 2 {
        return found;
    }
    let ends = if first == last { vec![first] } else { vec![first, last] };
    ends.into_iter().map(|day| (day, name(day))).collect()
}

impl Step {
    /// About how many steps there are in so many days.
    fn about(self, days: i64) -> i64 {
        days / match self {
            Step::Days(step) => step,
            Step::Weeks(step) => step * 7,
            Step::Months(step) => step * 28,
            Step::Years(step) => step * 365,
        }
    }

    fn between(self, first: i64, last: i64) -> Vec<(i64, String)> {
        match self {
            Step::Days(step) => {
                (first..=last).filter(|day| day.rem_euclid(step) == 0).map(|day| (day, name(day))).collect()
            }
            // 1970-01-05 was a Monday.
            Step::Weeks(step) => {
                (first..=last).filter(|day| (day - 4).rem_euclid(7 * step) == 0).map(|day| (day, name(day))).collect()
            }
            Step::Months(step) => {
                let (from, to) = (civil(first), civil(last));
                let months = (from.0 * 12 + from.1 - 1)..=(to.0 * 12 + to.1 - 1);
                let starts = months.filter(|month| month.rem_euclid(12) % step == 0);
                starts
                    .map(|month| (month.div_euclid(12), month.rem_euclid(12) + 1))
                    .map(|(year, month)| (day_number(year, month), format!("{year:04}-{month:02}")))
                    .filter(|(day, _)| (first..=last).contains(day))
                    .collect()
            }
            Step::Years(step) => (civil(first).0..=civil(last).0)
                .filter(|year| year.rem_euclid(step) == 0)
                .map(|year| (day_number(year, 1), format!("{year:04}")))
                .filter(|(day, _)| (first..=last).contains(day))
                .collect(),
        }
    }
}

/// Returns the name of a day.
pub(super) fn name(day: i64) -> String {
    let (year, month, day) = civil(day);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The year, month and day of a number of days since 1970-01-01.
fn civil(number: i64) -> (i64, i64, i64) {
    let CivilDay { year, month, day } = CivilDay::of(number);
    (year, i64::from(month), i64::from(day))
}

/// The number of days from 1970-01-01 to the first day of a month.
fn day_number(year: i64, month: i64) -> i64 {
    first_of_month(year, u8::try_from(month).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(first: i64, last: i64, most: usize) -> String {
        ticks(first, last, most).into_iter().map(|(_, label)| label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_on_days_that_people_know() {
        // 2010-11-29, a Monday, is day 14942; 2020-01-01 is day 18262.
        assert_eq!(
            labels(14_942, 14_942 + 7, 9),
            "2010-11-29 2010-11-30 2010-12-01 2010-12-02 2010-12-03 2010-12-04 2010-12-05 2010-12-06"
        );
        assert_eq!(
            labels(14_942, 14_942 + 49, 9),
            "2010-11-29 2010-12-06 2010-12-13 2010-12-20 2010-12-27 2011-01-03 2011-01-10 2011-01-17"
        );
        assert_eq!(labels(18_262, 18_262 + 180, 9), "2020-01 2020-02 2020-03 2020-04 2020-05 2020-06");
        assert_eq!(labels(18_262, 18_262 + 365 * 8, 9), "2020 2021 2022 2023 2024 2025 2026 2027");
        assert_eq!(labels(18_262, 18_262, 9), "2020-01-01");
    }

    #[test]
    fn every_tick_lies_on_the_axis_and_says_its_own_day() {
        for first in (-719_162..2_000_000).step_by(99_991) {
            for length in [0, 1, 6, 13, 30, 59, 200, 366, 4000, 40_000, 800_000] {
                let found = ticks(first, first + length, 7);
                assert!((1..=7).contains(&found.len()), "{first} {length}");
                assert!(found.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 != two[1].1));
                for (day, label) in found {
                    assert!((first..=first + length).contains(&day), "{first} {length}");
                    assert!(name(day).starts_with(&label), "{label}");
                }
            }
        }
    }
}
