//! One count of the relay's table, and the step from it to the next count.
//!
//! It must never let a step cost more than its budget, in either direction. It is separate because this step is the
//! whole of the mechanism's privacy and should be read alone. Read `relay/window.rs` next.

use crate::relay::mass::{Growth, Mass};

/// The law at one count: what is published as nothing, and the masses of the labels from the oldest alive to the
/// newest.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// The mass of publishing nothing.
    pub(crate) nothing: Mass,
    /// The index of the oldest label that is still alive, among all labels ever born.
    pub(crate) oldest: usize,
    /// The labels' masses.
    pub(crate) masses: Vec<Mass>,
}

impl Row {
    /// Returns the law of a bin that is absent: surely nothing.
    pub(crate) fn absent() -> Row {
        Row { nothing: Mass::WHOLE, oldest: 0, masses: Vec::new() }
    }

    /// Gives birth to a label without mass, which is then the newest.
    pub(crate) fn add_label(&mut self) {
        self.masses.push(Mass::ZERO);
    }

    /// Returns the mass of a label, 0 where it is dead or unborn.
    pub(crate) fn mass(&self, label: usize) -> Mass {
        label.checked_sub(self.oldest).and_then(|index| self.masses.get(index)).copied().unwrap_or(Mass::ZERO)
    }

    /// Takes the step to the next count: as much as possible goes to the labels, newest first.
    ///
    /// Write `x` for an old mass, `x'` for the new one, `E = e^eps`, `D` for the budget. Down: `x' >= ceil((x - t)/E)`,
    /// so `x - E x' <= t`, and the `t` add up to at most `D`. Up: `x' <= floor(x E)` but for the newest label, which
    /// may have `D` more, so `x' - E x` adds up to at most `D`. "Nothing" never exceeds its upper bound: it ends at its
    /// lower bound, or all labels are at their upper bounds, hence not below their old masses, and "nothing" not above
    /// its own. The lower bounds do not exceed the old masses, so there is always mass left to hand out. Checked on the
    /// table's integers by `RelayTable::step_delta`.
    pub(crate) fn advance(&mut self, growth: &Growth, budget: u128) {
        let budget = Mass::new(budget);
        let mut relief = budget;
        let mut missing = Mass::WHOLE;
        let mut lower_bound = |mass: Mass| {
            let relieved = mass.min(relief);
            relief = relief.minus(relieved);
            let bound = growth.fall(mass.minus(relieved));
            missing = missing.minus(bound);
            bound
        };
        let nothing = lower_bound(self.nothing);
        let lower: Vec<Mass> = self.masses.iter().map(|mass| lower_bound(*mass)).collect();
        let mut extra = budget;
        for (mass, bound) in self.masses.iter_mut().zip(lower).rev() {
            let upper = if missing == Mass::ZERO { bound } else { growth.rise(*mass).plus(extra) };
            let gain = missing.min(upper.minus(bound));
            missing = missing.minus(gain);
            *mass = bound.plus(gain);
            extra = Mass::ZERO;
        }
        self.nothing = nothing.plus(missing);
        let dead = self.masses.iter().take_while(|mass| **mass == Mass::ZERO).count();
        self.masses.drain(..dead);
        self.oldest += dead;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::Rational;

    #[test]
    fn the_first_person_gets_the_budget_and_the_second_its_growth() {
        let growth = Growth::new(&Rational::ONE);
        let mut row = Row::absent();
        row.add_label();
        row.advance(&growth, 1000);
        assert_eq!(row.masses, [Mass::new(1000)]);
        row.add_label();
        row.advance(&growth, 1000);
        assert_eq!(row.masses, [Mass::new(2718), Mass::new(1000)]);
        assert_eq!(row.nothing, Mass::WHOLE.minus(Mass::new(3718)));
    }

    #[test]
    fn a_label_that_covers_several_counts_takes_the_budget_again() {
        let growth = Growth::new(&Rational::ZERO);
        let mut row = Row::absent();
        row.add_label();
        for _ in 0..3 {
            row.advance(&growth, 1 << 127);
        }
        assert_eq!((row.nothing, row.mass(0)), (Mass::ZERO, Mass::WHOLE));
    }

    #[test]
    fn the_budget_takes_from_nothing_first_and_then_from_the_oldest() {
        let mut row =
            Row { nothing: Mass::new(5), oldest: 3, masses: vec![Mass::new(7), Mass::WHOLE.minus(Mass::new(12))] };
        row.add_label();
        row.advance(&Growth::new(&Rational::ZERO), 12);
        assert_eq!((row.nothing, row.oldest), (Mass::ZERO, 4));
        assert_eq!(row.masses, [Mass::WHOLE.minus(Mass::new(12)), Mass::new(12)]);
    }
}
