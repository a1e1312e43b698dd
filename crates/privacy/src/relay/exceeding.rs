//! How often a step of the relay exceeds a level, on the integers that are drawn from.
//!
//! It must never look at anything but the table's outcomes. It is separate because it decides nothing that the relay
//! promises. Read `account/exceeding.rs` for what it is asked for.

use super::{Ending, Outcomes, RelayTable};
use crate::relay::mass::Mass;
use incrowd_exact::{Natural, Rational};

impl RelayTable {
    /// Returns the chance that the loss of the step from `count - 1` to `count` exceeds `ln odds`, in units of
    /// `2^-128`.
    ///
    /// That is `sum of P_k(y) over all y with P_k(y) > odds P_{k-1}(y)`, or the same with `k` and `k-1` swapped if that
    /// is more, exactly, from the integers that are drawn from; values below `publish_from` are published as nothing.
    pub fn step_exceeding(&self, count: u64, odds: &Rational, publish_from: Option<i64>) -> Natural {
        let Some(before) = count.checked_sub(1) else { return Natural::ZERO };
        let from = publish_from.map_or(0, |from| u64::try_from(from).unwrap_or(0));
        let (before, after) = (self.outcomes(before).shown_from(from), self.outcomes(count).shown_from(from));
        exceeding(&before, &after, odds).max(exceeding(&after, &before, odds)).to_natural()
    }

    /// Returns counts such that no step in `from..=to` exceeds any odds more often than one of theirs; nothing if
    /// looking at them takes more than so many births.
    ///
    /// Rows have a count each. From where no label of the table is alive any more, laws repeat, shifted, with every
    /// label, but for the last labels before an infinite stretch, which may share a value.
    pub(crate) fn telling_counts(&self, from: u64, to: Option<u64>, most: u64) -> Option<Vec<u64>> {
        let last = match (to, self.course.last_finite) {
            (Some(to), Some(last)) => Some(to.min(last)),
            (to, last) => to.or(last),
        };
        let Some(walk) = &self.walk else { return Some(vec![from]) };
        let mut work: u64 = 0;
        let mut stretches = Vec::new();
        match &walk.ending {
            Ending::Shifting { from: closed, window, spacing } => {
                let lived = closed.saturating_add(window.width()).saturating_add(*spacing);
                let repeated = lived.saturating_add(*spacing).saturating_add(1);
                let until = last.map_or(repeated, |last| last.min(repeated));
                stretches.push((from, until));
                let end = self
                    .course
                    .last_finite
                    .map(|last| (last.saturating_sub(window.width()).saturating_sub(*spacing), last));
                // Labels that end at the infinite stretch are alive for a window before it.
                stretches
                    .extend(end.map(|(start, end)| (start.max(until + 1).max(from), end.min(last.unwrap_or(end)))));
                // A stretch that begins beyond the first repetition is one of the repeated ones.
                if from > until {
                    let again = from.saturating_add(*spacing);
                    stretches.push((from, last.map_or(again, |last| last.min(again))));
                }
                for (start, end) in &stretches {
                    work = work.saturating_add((end + 1).saturating_sub(*start).saturating_mul(window.width()));
                }
            }
            Ending::Still(still) => stretches.push((from, last.map_or(*still, |last| last.min(*still)).max(from))),
            Ending::Complete => stretches.push((from, last?)),
        }
        if work.max(walk.cells as u64) > most {
            return None;
        }
        Some(stretches.into_iter().flat_map(|(start, end)| start..=end).collect())
    }
}

impl Outcomes {
    /// Returns the law with all values below the given one published as nothing.
    fn shown_from(mut self, from: u64) -> Outcomes {
        let shown = self.published.split_off(&from);
        self.nothing = self.published.values().fold(self.nothing, |sum, mass| sum.plus(*mass));
        Outcomes { nothing: self.nothing, published: shown }
    }
}

/// Returns the sum of all `after(y)` that are above `odds before(y)`.
fn exceeding(before: &Outcomes, after: &Outcomes, odds: &Rational) -> Mass {
    let (times, over) = (odds.numerator().clone().into_parts().1, odds.denominator());
    let published = after.published.iter().map(|(value, mass)| {
        let before = before.published.get(value).copied().unwrap_or(Mass::ZERO);
        (before, *mass)
    });
    let exceeds = |before: Mass, after: Mass| after.to_natural() * over > before.to_natural() * &times;
    let all = published.chain([(before.nothing, after.nothing)]);
    all.filter(|(before, after)| exceeds(*before, *after)).fold(Mass::ZERO, |sum, (_, after)| sum.plus(after))
}
