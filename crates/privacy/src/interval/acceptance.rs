//! Which values a count accepts: those that are neither too small nor too large for it, once anything is shown.
//!
//! A value is refused if it, and all that is smaller (or all that is larger), is at most a level of what a count shows,
//! one in forty for the intervals of a table; doubt must always accept, so that intervals only widen. It is separate
//! from `interval.rs` because it looks at one count at a time. Read `interval.rs` next.

use crate::cells::{Cells, TooManyOutcomes};
use crate::curve::{Curve, Epsilon};
use crate::law::distribution::Distribution;
use crate::mechanism::lower_bound::Bound;
use crate::mechanism::shape::{OneNoise, Shape, Single};
use crate::mechanism::{Deployed, Universe, tailored};
use crate::two_sided::Term;
use incrowd_exact::{Enclosure, Fixed, Integer, Rational};

/// Binary places of closed forms.
const BITS: usize = 128;
/// Tails of sums are cut below two to the minus this.
const ROUGH: usize = 64;
/// The same where little is shown.
const FINE: usize = 112;
/// No value is looked for further away from its count.
const FURTHEST: u64 = 1 << 44;

/// The share of what a count shows that the unlikely values on one side have together, at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TailLevel {
    numerator: Integer,
    denominator: Integer,
}

impl TailLevel {
    /// One in forty: 2.5 % on either side.
    pub(crate) fn one_in_forty() -> TailLevel {
        TailLevel { numerator: Integer::ONE, denominator: Integer::from(40) }
    }

    /// Returns a level between 0 and 1.
    pub(crate) fn of(share: &Rational) -> TailLevel {
        TailLevel { numerator: share.numerator().clone(), denominator: Integer::from(share.denominator().clone()) }
    }

    /// Returns the largest whole number of units that is not above the level of so many.
    pub(crate) fn of_units(&self, all: Integer) -> Integer {
        all * &self.numerator / &self.denominator
    }

    /// Whether a mass is above the level of all, or may be; both have the same places.
    fn is_passed(&self, mass: &Enclosure, all: &Enclosure) -> bool {
        mass.high_units() * &self.denominator > all.low_units() * &self.numerator
    }
}

/// The two ways in which a value may be unlikely at a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// It, and all smaller ones, are rare.
    AtMost,
    /// It, and all larger ones, are rare.
    AtLeast,
}

impl Deployed {
    /// The smallest count that a bin which shows anything can have.
    pub(crate) fn least(&self) -> u64 {
        match self.universe {
            Universe::Closed => 0,
            Universe::Open => 1,
        }
    }

    /// Whether a value is likely enough at a count, on one side; never if the count shows nothing.
    ///
    /// For mechanisms whose values are ordered like counts.
    pub(crate) fn accepts(&self, count: u64, value: i64, side: Side, level: &TailLevel) -> bool {
        match self.shape() {
            Shape::Walk(curve) => self.tailored_accepts(curve, count, value, side, level),
            Shape::OneNoise(one) => {
                self.shown_noise(&one, count).is_some_and(|noise| noise.accepts(value, side, level))
            }
            // These are read backwards or listed count by count, or need no acceptance.
            Shape::Ladder(_) | Shape::Table { .. } | Shape::DrawnEpsilon { .. } | Shape::Range { .. } => false,
        }
    }

    /// Returns how far below a count its values lie, were there no threshold: all but less than `2^-57` of them.
    pub(crate) fn reach_below(&self, count: u64) -> Result<u64, TooManyOutcomes> {
        let whole = Sums::of(&Deployed { publish_from: None, ..self.clone() }, count, ROUGH)?.cells;
        let rare = Fixed::rounding_down(&Enclosure::between(Integer::ONE, Integer::ONE, 58));
        let mut sum = Fixed::ZERO;
        let first = (whole.start..).zip(&whole.low).find(|(_, mass)| {
            sum = sum.plus(**mass);
            sum > rare
        });
        Ok(first.map_or(0, |(value, _)| (count as i64).abs_diff(value)))
    }

    /// What a count shows if noise is added at most once; nothing where it shows nothing.
    ///
    /// Noise has no memory: given that a value from `cut` on is shown, `P(y) / P(Y >= cut) = (1 - z) z^(y - cut)` for
    /// every count below `cut`. So all of them have the law of `cut` itself, however rarely they are shown.
    fn shown_noise(&self, one: &OneNoise<'_>, count: u64) -> Option<ShownNoise> {
        let Single::Number(mut law) = one.law(count) else { return None };
        let cut = self.cut_of(one);
        if let Some(cut) = cut
            && law.centre < cut
        {
            if law.rate == Epsilon::Infinite {
                return None;
            }
            law.centre = cut;
        }
        let centre = law.centre;
        let law = law.ready(BITS);
        let all = law.sum(cut, None);
        Some(ShownNoise { centre, cut, law, all })
    }

    /// "At most Z" is an outcome of its own, below all values, unless a threshold hides it.
    ///
    /// A value is then compared twice: with the other values, and with everything that is shown. Either may accept it,
    /// so that intervals cover among the bins that show a value and among all. Asked for `Z`, this is about "at most
    /// Z".
    fn tailored_accepts(&self, curve: &Curve, count: u64, value: i64, side: Side, level: &TailLevel) -> bool {
        let Some(last_zero) = curve.last_zero() else { return false };
        let value = u64::try_from(value).unwrap_or(0);
        let among_all_from = |first: u64| {
            // The walk has no memory either: counts below `first` have its law, unless they never get there.
            let gets_there = curve.last_finite().is_none_or(|last| last >= first);
            let count = if gets_there { count.max(first) } else { count };
            let at_least = |value: u64| tailored::at_least(curve, value, count, BITS);
            let all = at_least(first);
            match side {
                Side::AtMost => level.is_passed(&all.minus(&at_least(value + 1)), &all),
                Side::AtLeast => level.is_passed(&at_least(value), &all),
            }
        };
        let first_value = if last_zero > 0 { last_zero + 1 } else { 0 };
        match self.publish_from {
            Some(from) => among_all_from(first_value.max(u64::try_from(from).unwrap_or(0))),
            None => among_all_from(first_value) || (last_zero > 0 && among_all_from(0)),
        }
    }
}

/// Lists the values that each count accepts, where they have no order that could be used instead.
pub(crate) struct Lister<'a> {
    deployed: &'a Deployed,
    /// The law at a count from which on laws only shift, were there no threshold; roughly and finely.
    shifting: Option<(u64, [Sums; 2])>,
}

impl<'a> Lister<'a> {
    /// Makes ready. Where noise is put on epsilon, `general` draws the same epsilons at every count from the bound's
    /// last change on; its laws take long to sum, and one of them serves all.
    pub(crate) fn of(deployed: &'a Deployed) -> Result<Self, TooManyOutcomes> {
        let mut shifting = None;
        if let Shape::DrawnEpsilon { bound, .. } = deployed.shape()
            && bound.parameters().bound != Bound::NoiseOnCount
        {
            let whole = Deployed { publish_from: None, ..deployed.clone() };
            let from = bound.constant_from();
            shifting = Some((from, [Sums::of(&whole, from, ROUGH)?, Sums::of(&whole, from, FINE)?]));
        }
        Ok(Lister { deployed, shifting })
    }

    /// Returns the smallest and the largest value that a count accepts at each level, each by its own side alone; none
    /// if it shows nothing.
    pub(crate) fn accepted(
        &self,
        count: u64,
        levels: &[TailLevel],
    ) -> Result<Vec<Option<(i64, i64)>>, TooManyOutcomes> {
        let nothing = || Ok(vec![None; levels.len()]);
        if count < self.deployed.least() {
            return nothing();
        }
        if let Shape::OneNoise(one) = self.deployed.shape() {
            let noise = self.deployed.shown_noise(&one, count);
            return Ok(levels.iter().map(|level| noise.as_ref().map(|noise| noise.accepted(level))).collect());
        }
        // Rough sums are enough unless next to nothing is shown.
        for (place, tail_bits) in [ROUGH, FINE].into_iter().enumerate() {
            let sums = match &self.shifting {
                Some((from, sums)) if count >= *from => sums[place].moved(count - from, self.deployed.publish_from),
                Some(_) | None => Sums::of(self.deployed, count, tail_bits)?,
            };
            if let Some(accepted) = levels.iter().map(|level| sums.accepted(level)).collect() {
                return Ok(accepted);
            }
            if sums.is_negligible() {
                return nothing();
            }
        }
        Err(TooManyOutcomes)
    }
}

/// All values that a count shows, whatever is told beside them.
struct Sums {
    cells: Cells<2>,
    /// An upper bound on the mass that is in no cell.
    lost: Fixed<2>,
}

impl Sums {
    fn of(deployed: &Deployed, count: u64, tail_bits: usize) -> Result<Self, TooManyOutcomes> {
        let distribution = Distribution::<2>::of(&deployed.program(), count, tail_bits)?;
        let mut cells = Cells::EMPTY;
        for beside in distribution.values.into_values() {
            cells.add(beside)?;
        }
        Ok(Sums { cells, lost: distribution.lost })
    }

    /// Returns the law of a count that is larger by so many, of which values from `cut` on are shown.
    fn moved(&self, by: u64, cut: Option<i64>) -> Sums {
        let mut cells = self.cells.clone();
        cells.start = cells.start.saturating_add_unsigned(by);
        if let Some(cut) = cut {
            (_, cells) = cells.split_at_most(cut - 1);
        }
        Sums { cells, lost: self.lost }
    }

    /// What may be shown but is in no cell, or was rounded away.
    fn unknown(&self) -> Fixed<2> {
        self.lost.plus(Fixed::units(self.cells.total().error))
    }

    /// Whether the chance that anything is shown is below `2^-80`, about 1e-24.
    fn is_negligible(&self) -> bool {
        let limit = Enclosure::between(Integer::ONE, Integer::ONE, 80);
        self.cells.total().low.plus(self.unknown()) < Fixed::rounding_down(&limit)
    }

    /// Returns the smallest and the largest accepted value, if there are any; nothing where too much is unknown to say.
    fn accepted(&self, level: &TailLevel) -> Option<Option<(i64, i64)>> {
        let (all, unknown) = (Integer::from(self.cells.total().low.to_units()), self.unknown());
        // In whole units, `40 sum > all` is `sum > floor(all / 40)`.
        let limit = level.of_units(all.clone());
        // What is unknown must be far less than the level, or values beyond all cells might be accepted, too.
        let unknown_units = Integer::from(unknown.to_units());
        if &unknown_units << 12usize > all || unknown_units << 6usize > limit {
            return None;
        }
        let limit = Fixed::rounding_down(&Enclosure::between(limit.clone(), limit, Fixed::<2>::BITS));
        let likely = |sum: &mut Fixed<2>, mass: &Fixed<2>| {
            *sum = sum.plus(*mass);
            *sum > limit
        };
        // All that is unknown might lie on either side.
        let mut sum = unknown;
        let low = self.cells.low.iter().position(|mass| likely(&mut sum, mass));
        let mut sum = unknown;
        let high = self.cells.low.iter().rposition(|mass| likely(&mut sum, mass));
        let value = |place: usize| self.cells.start + place as i64;
        Some(low.zip(high).map(|(low, high)| (value(low), value(high))))
    }
}

/// A noisy number of which only values from `cut` on are shown; its centre is one of them.
struct ShownNoise {
    centre: i64,
    cut: Option<i64>,
    law: Term,
    /// The chance that anything is shown, at least one half.
    all: Enclosure,
}

impl ShownNoise {
    fn accepts(&self, value: i64, side: Side, level: &TailLevel) -> bool {
        let mass = match side {
            Side::AtMost => self.law.sum(self.cut, Some(value)),
            Side::AtLeast => self.law.sum(Some(self.cut.map_or(value, |cut| cut.max(value))), None),
        };
        level.is_passed(&mass, &self.all)
    }

    /// Returns the smallest value that is not too small, and the largest that is not too large.
    fn accepted(&self, level: &TailLevel) -> (i64, i64) {
        let below = |distance: u64| self.centre - distance as i64;
        let above = |distance: u64| self.centre + distance as i64;
        // Below the cut nothing is shown, and beyond the furthest place next to nothing.
        let furthest = self.cut.map_or(FURTHEST, |cut| self.centre.abs_diff(cut));
        let is_large = |value: i64| self.accepts(value, Side::AtMost, level);
        let is_small = |value: i64| self.accepts(value, Side::AtLeast, level);
        let high = if is_small(self.centre) {
            above(last_true(FURTHEST, |distance| is_small(above(distance))))
        } else {
            below(last_true(furthest, |distance| !is_small(below(distance))) + 1)
        };
        let low = if is_large(self.centre) {
            below(last_true(furthest, |distance| is_large(below(distance))))
        } else {
            above(last_true(FURTHEST, |distance| !is_large(above(distance))) + 1)
        };
        (low, high)
    }
}

/// Returns the last number up to `end` that passes, where zero passes and passing stops once.
pub(crate) fn last_true(end: u64, test: impl Fn(u64) -> bool) -> u64 {
    let (mut good, mut stride) = (0u64, 1);
    let mut bad = loop {
        if good == end {
            return end;
        }
        let probe = good.saturating_add(stride).min(end);
        if !test(probe) {
            break probe;
        }
        good = probe;
        stride *= 2;
    };
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if test(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}
