//! The closing window: the one law that all large counts of the relay share, shifted along with the count.
//!
//! It must never cost more than the budget when it shifts. It is separate because it is the only part of the table
//! without end, and is built by search where the rows are built by steps. Read `relay.rs` next.
//!
//! The window gives the label born at `i` the mass `w_{k-i}` at count `k`, with `w` the mirror image `u_0, ...,
//! u_{J-1}, c, u_{J-1}, ..., u_0`, where `u_0 = D'`, `u_{j+1} = floor(u_j E)` and `c` is the rest to `2^128`. Shifted
//! by one, no mass changes by more than the factor `E`, except that `D'` is born at one end and dies at the other.

use crate::relay::mass::{Growth, Mass};
use crate::relay::row::Row;
use incrowd_exact::Natural;

/// The budget that the closing step must keep over the window's own, so that rounding cannot keep the table open.
const SLACK: u128 = 1 << 40;

/// The shifting law of all large counts.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    /// The mass `D'` that is born, and dies, with each further person.
    pub(crate) budget: u128,
    /// How many counts a label's mass takes to its peak. Written J in `docs/claims.md`.
    reach: usize,
    /// Where each birth's words start, from the oldest birth `k - 2J` to the newest `k`.
    starts: Vec<u128>,
}

impl Window {
    /// Returns the narrowest window that shifts within the budget `0 < D < 2^128`, for a factor above one.
    ///
    /// `J` is the smallest for which `2(u_0 + ... + u_{J-1}) + u_J` reaches `2^128` from `u_0 = D`, then `D'` the
    /// smallest budget for which it still does; one wider if that leaves less than `2^40` of `D`.
    pub(crate) fn within(budget: u128, growth: &Growth) -> Window {
        let mut reach = 0;
        let mut last = Mass::new(budget);
        let mut total = last;
        while total < Mass::WHOLE {
            let next = growth.rise(last);
            total = total.plus(last).plus(next);
            last = next;
            reach += 1;
        }
        let mut own = smallest_budget(budget, reach, growth);
        if budget - own < SLACK {
            reach += 1;
            own = smallest_budget(budget, reach, growth);
        }
        Window { budget: own, reach, starts: starts(own, reach, growth) }
    }

    /// How many births share the mass: `2J + 1`.
    pub(crate) fn width(&self) -> u64 {
        self.starts.len() as u64
    }

    /// Returns the mass at `count` of all births in a span.
    pub(crate) fn mass(&self, count: u64, span: Span) -> Mass {
        let start = span.from.map_or(0, |birth| self.births_before(birth, count));
        let end = span.before.map_or(self.starts.len(), |birth| self.births_before(birth, count));
        match self.starts.get(start) {
            Some(from) if start < end => Mass::between(*from, self.starts.get(end).copied()),
            Some(_) | None => Mass::ZERO,
        }
    }

    /// Returns the births that share the mass at `count`, oldest first; those before the first person come out as zero.
    pub(crate) fn births(&self, count: u64) -> impl Iterator<Item = (u64, Mass)> {
        self.starts.iter().enumerate().map(move |(index, start)| {
            let birth = count.saturating_add(index as u64).saturating_sub(self.width() - 1);
            (birth, Mass::between(*start, self.starts.get(index + 1).copied()))
        })
    }

    /// Returns the birth that a word draws at `count`; births before the first person come out as zero.
    pub(crate) fn drawn(&self, count: u64, word: u128) -> u64 {
        let later = self.starts.partition_point(|start| *start <= word).saturating_sub(1) as u64;
        count.saturating_add(later).saturating_sub(self.width() - 1)
    }

    /// Returns whether the window shifts, and follows the row, within the budget in both directions.
    ///
    /// Each label's excess is rounded up to a whole unit before they are added: never below the truth.
    /// `births` holds the first birth of each label, the last one open at its end.
    pub(crate) fn follows(&self, row: &Row, count: u64, births: &[u64], growth: &Growth, budget: u128) -> bool {
        let peak = Mass::between(self.starts[self.reach], self.starts.get(self.reach + 1).copied());
        let side = Mass::between(self.starts[self.reach - 1], self.starts.get(self.reach).copied());
        if peak > growth.rise(side) || side > growth.rise(peak) {
            return false;
        }
        let oldest = label_of(births, count.saturating_sub(self.width() - 1)).min(row.oldest);
        let (mut up, mut down) = (Mass::ZERO, row.nothing);
        for label in oldest..births.len() {
            let (before, after) = (row.mass(label), self.mass(count, Span::of(births, label)));
            up = up.plus(after.minus(growth.rise(before)));
            down = down.plus(before.minus(growth.rise(after)));
        }
        up.max(down) <= Mass::new(budget)
    }

    /// Returns, for each age up to `2J`, the smallest age up to it at which a label that covers `spacing` births is
    /// heaviest. Beyond age `2J` no births are gained and some are lost, so the last entry holds for ever.
    pub(crate) fn peak_ages(&self, spacing: u64) -> Vec<u32> {
        let birth = self.width();
        let span = Span { from: Some(birth), before: Some(birth.saturating_add(spacing)) };
        let mut best = (Mass::ZERO, 0);
        let mut ages = Vec::with_capacity(self.starts.len());
        for age in 0..self.width() {
            let mass = self.mass(birth + age, span);
            if mass > best.0 {
                best = (mass, age as u32);
            }
            ages.push(best.1);
        }
        ages
    }

    /// How many of the window's births lie before the given one.
    fn births_before(&self, birth: u64, count: u64) -> usize {
        let offset = i128::from(birth) - (i128::from(count) - 2 * self.reach as i128);
        offset.clamp(0, self.starts.len() as i128) as usize
    }
}

/// The births that one label covers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    /// The first one; nothing for the first label, which also takes the births that a wide window has before one
    /// person.
    pub(crate) from: Option<u64>,
    /// The first one of the next label; nothing where no other label is born yet.
    pub(crate) before: Option<u64>,
}

impl Span {
    /// Returns the births that a label covers, given the first birth of each.
    pub(crate) fn of(births: &[u64], label: usize) -> Span {
        Span { from: births.get(label).copied().filter(|_| label > 0), before: births.get(label + 1).copied() }
    }
}

/// Returns the index of the label that covers a birth.
pub(crate) fn label_of(births: &[u64], birth: u64) -> usize {
    births.partition_point(|first| *first <= birth).saturating_sub(1)
}

/// Returns the smallest budget for which a window of this reach holds the whole mass, given that `most` does.
///
/// The total is the budget times a constant, but for rounding: a smaller budget tells about where to look, and doubling
/// strides from there find the place. The answer does not depend on the guess.
fn smallest_budget(most: u128, reach: usize, growth: &Growth) -> u128 {
    let holds = |budget| total(budget, reach, growth) == Mass::WHOLE;
    let sample = (most >> 8).max(1);
    let guess = match total(sample, reach, growth).units() {
        Some(units) if units > 0 => {
            let guess = (Natural::from(sample) << 128) / Natural::from(units);
            u128::try_from(&guess).unwrap_or(most)
        }
        Some(_) | None => most / 2,
    };
    let (mut fails, mut reaches) = (0, most);
    let mut stride = 1u128;
    let mut probe = guess.clamp(1, most);
    while fails < probe && probe < reaches {
        if holds(probe) {
            reaches = probe;
            probe = probe.saturating_sub(stride);
        } else {
            fails = probe;
            probe = probe.saturating_add(stride);
        }
        stride = stride.saturating_mul(2);
    }
    while reaches - fails > 1 {
        let middle = fails + (reaches - fails) / 2;
        if holds(middle) { reaches = middle } else { fails = middle }
    }
    reaches
}

/// Returns `2(u_0 + ... + u_{J-1}) + u_J`, at most `2^128`.
fn total(budget: u128, reach: usize, growth: &Growth) -> Mass {
    let mut last = Mass::new(budget);
    let mut total = last;
    for _ in 0..reach {
        let next = growth.rise(last);
        total = total.plus(last).plus(next);
        last = next;
    }
    total
}

/// Returns where the words of each of the `2J + 1` births start.
fn starts(budget: u128, reach: usize, growth: &Growth) -> Vec<u128> {
    // Twice the sum of all sides stays below the whole (`follows` checks the middle), so every start fits.
    let mut starts = vec![0u128];
    let mut side = Mass::new(budget);
    let mut sum = Mass::ZERO;
    for _ in 0..reach {
        sum = sum.plus(side);
        starts.push(sum.units().unwrap_or(u128::MAX));
        side = growth.rise(side);
    }
    // Mirror: the part after the middle ends as the part before it starts.
    let mirrored: Vec<u128> = starts[1..].iter().rev().map(|start| start.wrapping_neg()).collect();
    starts.extend(mirrored);
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::parse_number;

    #[test]
    fn the_window_is_a_mirror_image_with_the_smallest_budget_that_reaches() {
        for epsilon in ["1e-4", "1/100", "1", "7", "40", "100"] {
            let growth = Growth::new(&parse_number(epsilon).expect("a number"));
            for budget in [1 << 56, 1 << 98, (1 << 127) + (1 << 126)] {
                let window = Window::within(budget, &growth);
                assert!(budget - window.budget >= SLACK);
                assert_eq!(total(window.budget, window.reach, &growth), Mass::WHOLE);
                assert!(total(window.budget - 1, window.reach, &growth) < Mass::WHOLE);
                let masses: Vec<Mass> = window.births(1 << 40).map(|(_, mass)| mass).collect();
                assert!(masses.iter().eq(masses.iter().rev()), "{epsilon}");
                assert_eq!(masses.iter().fold(Mass::ZERO, |sum, mass| sum.plus(*mass)), Mass::WHOLE);
                assert_eq!(masses[0], Mass::new(window.budget));
                let (side, middle) = (masses[window.reach - 1], masses[window.reach]);
                assert!(middle <= growth.rise(side) && side <= growth.rise(middle), "{epsilon}");
            }
        }
    }

    #[test]
    fn labels_peak_in_the_middle_and_even_ones_at_the_smaller_count() {
        let window = Window::within(1 << 100, &Growth::new(&parse_number("1/10").expect("a number")));
        let reach = window.reach as u32;
        let last = |spacing| window.peak_ages(spacing).last().copied();
        assert_eq!([last(1), last(2), last(3), last(4)], [reach, reach, reach + 1, reach + 1].map(Some));
        assert_eq!(last(u64::MAX), Some(2 * reach));
        assert_eq!(window.peak_ages(1)[3], 3);
    }
}
