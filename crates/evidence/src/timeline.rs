//! The published counts of a series over time: the largest keys, period by period.
//!
//! Gathered from published rows alone, by whoever writes them and again by whoever verifies them; a period in which a
//! key is not shown is left out, never filled in. It is separate because rows come period by period and a picture goes
//! key by key. Read `page/picture.rs` for the picture.

use crate::glance::Row;
use crate::plan::Plan;
use crate::request::{Cut, KeyColumn};
use std::collections::HashMap;

/// The most keys that are drawn.
const MOST_LINES: usize = 8;
/// The most counts that are kept.
const MOST_COUNTS: usize = 2_000_000;

/// Published counts by key, while rows arrive.
pub(crate) struct Timeline {
    /// Where each period is along the axis: its number, or the day on which it starts.
    places: HashMap<String, i64>,
    keys: usize,
    lines: HashMap<Row, TimelineLine>,
    counts: usize,
}

/// The counts of one key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimelineLine {
    /// The key, as the table shows it, without the period.
    pub keys: Row,
    /// Where in time (a number, or days since 1970-01-01), and the published count.
    pub points: Vec<(i64, i64)>,
    sum: i64,
}

impl Timeline {
    /// Returns an empty timeline for a plan of a series.
    pub(crate) fn of(plan: &Plan) -> Option<Timeline> {
        let keys = plan.request().kind.published().len();
        Some(Timeline { places: places(plan)?, keys, lines: HashMap::new(), counts: 0 })
    }

    /// Takes in a published row.
    pub(crate) fn see(&mut self, row: &Row) {
        let text = |at: usize| row.get(at).and_then(|cell| cell.as_deref());
        let place = text(0).and_then(|period| self.places.get(period).copied());
        let count = text(self.keys).and_then(|count| count.parse::<i64>().ok());
        let (Some(place), Some(count), true) = (place, count, self.counts < MOST_COUNTS) else { return };
        let keys: Row = row.iter().take(self.keys).skip(1).cloned().collect();
        let line = self.lines.entry(keys).or_default();
        line.points.push((place, count));
        line.sum = line.sum.saturating_add(count);
        self.counts += 1;
    }

    /// Returns the keys with the largest counts over all periods, the largest first; none where there were too many
    /// counts.
    pub(crate) fn largest(self) -> Vec<TimelineLine> {
        if self.counts >= MOST_COUNTS {
            return Vec::new();
        }
        let mut lines: Vec<TimelineLine> =
            self.lines.into_iter().map(|(keys, line)| TimelineLine { keys, ..line }).collect();
        lines.sort_by(|one, other| other.sum.cmp(&one.sum).then_with(|| one.keys.cmp(&other.keys)));
        lines.truncate(MOST_LINES);
        lines
    }
}

/// Returns where each period of a series is along the axis of time, by its name in the table: its number, or the day on
/// which it starts.
pub(crate) fn places(plan: &Plan) -> Option<HashMap<String, i64>> {
    plan.request().kind.series()?;
    let columns = plan.request().kind.published();
    let KeyColumn::Counted(period) = columns.first()? else { return None };
    Some(match &period.cut {
        Cut::Values(values) => {
            let number = |text: String| text.parse::<i64>().ok().map(|number| (text, number));
            values.iter().filter_map(|value| number(value.to_string())).collect()
        }
        Cut::Periods(periods) => periods.starts().map(|day| (day.to_string(), day.day_number())).collect(),
        Cut::Found | Cut::Named(_) | Cut::Edges(_) | Cut::Truncated(_) => return None,
    })
}
