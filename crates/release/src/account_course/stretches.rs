//! Time cut into days, months, quarters or years, as many as a page has room for.
//!
//! Every moment is in one stretch, in the order in which they were given; it must never say that time went backwards,
//! where a clock did. It is separate because it knows nothing of budgets. Read `../account_course.rs` for what is said
//! of each.

use incrowd_definition::calendar::{CivilDay, day_text};
use incrowd_definition::{Moment, PeriodUnit};
use std::ops::Range;

const SECONDS_PER_DAY: u64 = 86_400;
/// The most rows of each unit; of years there are as many as there are.
const MOST: [(PeriodUnit, usize); 3] = [(PeriodUnit::Day, 14), (PeriodUnit::Month, 24), (PeriodUnit::Quarter, 24)];

/// A stretch of time.
pub(super) struct Stretch {
    /// Its name: a month, or several in which nothing happened.
    pub label: String,
    /// Which moments are in it, by their places; none where nothing happened, behind all before.
    pub entries: Range<usize>,
}

/// Returns what a stretch is, and all of them, without a gap.
pub(super) fn stretches(times: &[Moment]) -> (&'static str, Vec<Stretch>) {
    // A clock that went backwards moves nothing into a stretch that has been told.
    let days: Vec<i64> = times
        .iter()
        .scan(0, |latest, time| {
            *latest = (*latest).max((time.unix_seconds() / SECONDS_PER_DAY).cast_signed());
            Some(*latest)
        })
        .collect();
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return ("day", Vec::new()) };
    let fits = |(unit, most): &&(PeriodUnit, usize)| count(*unit, *first, *last) <= *most;
    let unit = MOST.iter().find(fits).map_or(PeriodUnit::Year, |(unit, _)| *unit);
    let mut all = Vec::new();
    let (mut day, mut from) = (unit.first_day(*first), 0);
    while from < days.len() {
        let idle = unit.first_day(days[from]);
        if day < idle {
            let before = (idle - 1).max(day);
            let (one, other) = (name(unit, day), name(unit, before));
            let label = if one == other { one } else { format!("{one} to {other}") };
            all.push(Stretch { label, entries: from..from });
            day = idle;
        }
        let next = unit.next(day);
        let to = from + days[from..].iter().take_while(|other| **other < next).count();
        all.push(Stretch { label: name(unit, day), entries: from..to });
        (day, from) = (next, to);
    }
    (unit.as_str(), all)
}

fn count(unit: PeriodUnit, first: i64, last: i64) -> usize {
    std::iter::successors(Some(first), |day| Some(unit.next(*day))).take(100).take_while(|day| *day <= last).count()
}

fn name(unit: PeriodUnit, day: i64) -> String {
    let CivilDay { year, month, .. } = CivilDay::of(day);
    match unit {
        PeriodUnit::Day | PeriodUnit::Week => day_text(day),
        PeriodUnit::Month => format!("{year:04}-{month:02}"),
        PeriodUnit::Quarter => format!("{year:04}-Q{}", (month - 1) / 3 + 1),
        PeriodUnit::Year => format!("{year:04}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(times: &[&str]) -> (&'static str, Vec<(String, Range<usize>)>) {
        let times: Vec<Moment> =
            times.iter().map(|day| Moment::read(&format!("{day}T12:00:00Z")).expect("a moment")).collect();
        let (unit, all) = stretches(&times);
        (unit, all.into_iter().map(|stretch| (stretch.label, stretch.entries)).collect())
    }

    fn row(label: &str, entries: Range<usize>) -> (String, Range<usize>) {
        (label.into(), entries)
    }

    #[test]
    fn days_months_quarters_and_years_are_told_as_there_is_room() {
        assert_eq!(told(&["2026-01-31"]), ("day", vec![row("2026-01-31", 0..1)]));
        let days = told(&["2026-01-31", "2026-01-31", "2026-02-01", "2026-02-03"]);
        let expected = [("2026-01-31", 0..2), ("2026-02-01", 2..3), ("2026-02-02", 3..3), ("2026-02-03", 3..4)];
        assert_eq!(days, ("day", expected.map(|(label, entries)| row(label, entries)).to_vec()));
        let months = told(&["2026-01-31", "2026-05-01", "2026-06-30"]);
        let expected = [("2026-01", 0..1), ("2026-02 to 2026-04", 1..1), ("2026-05", 1..2), ("2026-06", 2..3)];
        assert_eq!(months, ("month", expected.map(|(label, entries)| row(label, entries)).to_vec()));
        let quarters = told(&["2024-01-31", "2026-12-31"]);
        assert_eq!(quarters.0, "quarter");
        assert_eq!(quarters.1[1].0, "2024-Q2 to 2026-Q3");
        let years = told(&["1990-01-31", "2026-12-31"]);
        assert_eq!((years.0, years.1[1].0.as_str()), ("year", "1991 to 2025"));
    }

    #[test]
    fn no_moment_is_lost_or_told_twice_also_where_a_clock_went_backwards() {
        let (_, all) = told(&["2026-03-01", "2026-01-01", "2026-04-01", "2026-02-01"]);
        let places: Vec<usize> = all.into_iter().flat_map(|(_, entries)| entries).collect();
        assert_eq!(places, [0, 1, 2, 3]);
        assert_eq!(told(&[]).1, []);
    }
}
