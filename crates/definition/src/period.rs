//! Lists of consecutive periods.
//!
//! It must never have a gap. It is separate from `period_unit.rs` because a list has days of requests at its ends. Read
//! `binning.rs` next.

use crate::date::Date;
use crate::period_unit::PeriodUnit;

/// A public list of consecutive periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Periods {
    unit: PeriodUnit,
    first: Date,
    last: Date,
}

impl Periods {
    /// Returns all periods that have a day from `from` on and before `to`; none if that is empty.
    pub fn touching(unit: PeriodUnit, from: Date, to: Date) -> Option<Self> {
        let end = Date::from_day_number(to.day_number() - 1)?;
        (from <= end).then(|| Periods { unit, first: from.truncated(unit), last: end.truncated(unit) })
    }

    /// Returns the periods from one to another, by their first days; nothing if these are none, or the last is earlier.
    pub fn between(unit: PeriodUnit, first: Date, last: Date) -> Option<Self> {
        let whole = first.truncated(unit) == first && last.truncated(unit) == last;
        (whole && first <= last).then_some(Periods { unit, first, last })
    }

    /// What a period is.
    pub fn unit(&self) -> PeriodUnit {
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
        let (first, last) = (self.first.civil(), self.last.civil());
        let months = (last.year - first.year) * 12 + i64::from(last.month) - i64::from(first.month);
        let steps = match self.unit {
            PeriodUnit::Day => days,
            PeriodUnit::Week => days / 7,
            PeriodUnit::Month => months,
            PeriodUnit::Quarter => months / 3,
            PeriodUnit::Year => last.year - first.year,
        };
        steps.unsigned_abs() + 1
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

    #[test]
    fn periods_are_those_that_the_range_touches() {
        let date = |text: &str| Date::from_text(text).expect("a date");
        for (unit, to, count) in [
            (PeriodUnit::Month, "2021-01-01", 12),
            (PeriodUnit::Month, "2020-12-31", 12),
            (PeriodUnit::Month, "2021-01-02", 13),
            (PeriodUnit::Year, "2021-01-01", 1),
            (PeriodUnit::Day, "2021-01-01", 366),
            (PeriodUnit::Week, "2020-01-07", 2),
        ] {
            let periods = Periods::touching(unit, date("2020-01-01"), date(to)).expect("some periods");
            assert_eq!((periods.count(), periods.starts().count() as u64), (count, count), "{unit:?} {to}");
            assert_eq!(Periods::between(unit, periods.first(), periods.last()), Some(periods));
        }
        assert_eq!(Periods::touching(PeriodUnit::Day, date("2020-01-01"), date("2020-01-01")), None);
        assert_eq!(Periods::touching(PeriodUnit::Day, date("0001-01-01"), date("0001-01-01")), None);
        assert_eq!(Periods::between(PeriodUnit::Month, date("2020-01-02"), date("2020-02-01")), None);
        assert_eq!(Periods::between(PeriodUnit::Day, date("2020-01-02"), date("2020-01-01")), None);
    }
}
