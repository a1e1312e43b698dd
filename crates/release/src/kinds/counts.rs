//! Counts of bins, drawn: each bin for itself, with all periods before it where counts run on.
//!
//! It must never count a person in more bins, or periods, than was paid for. It is separate because only counts have
//! time. Read `../bin_by_bin.rs` for how a bin is drawn, then `chosen.rs`.

use super::{Asks, Draws};
use crate::bin_by_bin::Bins;
use crate::dimension::with_expression;
use crate::failure::ReleaseFailure;
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::request::{Counts, Date, Mode, PeopleInPeriods, Series};
use incrowd_engine::{Cut, Dimension, Edges, Expression, Time};
use incrowd_exact::Rational;

impl Asks for Counts {
    /// Where counts run on, the first period of a run holds all that was before it.
    fn dimensions(&self) -> Result<Vec<Dimension<Expression>>, ReleaseFailure> {
        let mut all = self.counted().iter().map(with_expression).collect::<Result<Vec<_>, _>>()?;
        if let (Some(series @ Series { mode: Mode::Cumulative, .. }), Some(first)) = (&self.time, all.first_mut()) {
            first.cut = running(series);
        }
        Ok(all)
    }

    /// People who are in one period only are cut to their bins over all of them: no harm if one is in two.
    fn time(&self) -> Option<Time> {
        let series = self.time.as_ref()?;
        match (series.mode, series.people) {
            (Mode::Cumulative, _) => Some(Time::Running),
            (Mode::PerPeriod, PeopleInPeriods::Many) => Some(Time::Apart),
            (Mode::PerPeriod, PeopleInPeriods::Once) => None,
        }
    }

    fn groups_are_bins(&self) -> bool {
        self.time.is_none()
    }
}

/// Each bin draws for itself.
pub(super) fn draws(plan: &Plan) -> Result<Box<dyn Draws>, Refusal> {
    Ok(Box::new(Bins::of(plan)?))
}

fn running(series: &Series) -> Cut {
    let span = &series.span;
    Cut::Edges(match span.dates() {
        Some(periods) => {
            let ends = periods.starts().filter_map(|start| start.next(periods.unit()));
            Edges::Dates(Date::from_day_number(span.from()).into_iter().chain(ends).collect())
        }
        None => {
            let ends = (span.first()..=span.last()).map(|period| period.saturating_add(1));
            Edges::Numbers([span.from()].into_iter().chain(ends).map(Rational::from).collect())
        }
    })
}
