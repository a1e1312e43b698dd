//! From which size on bins show: where the chance of being shown passes 1 %, one half and 99 %.
//!
//! Sizes are searched for in the law that runs, never in data; what is said of a size must hold at that very size. It
//! is separate because plan, forecast and the question before a release all ask for it. Read `incrowd_privacy`'s
//! `utility/showing.rs` for the chances, and `plan/showing.rs` for what a plan says of them.

use incrowd_exact::{Enclosure, Rational};
use incrowd_privacy::{Deployed, ShowingBySize, TooManyOutcomes};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;

/// The largest chance below one: what is not certain must not be said to be.
pub(crate) const NEARLY_SURE: f64 = 1.0 - f64::EPSILON / 2.0;
/// No group is larger.
const MOST_PEOPLE: u64 = 1 << 36;
/// So many sizes are looked at one by one, at most, where larger bins need not show more often.
const MOST_SCANNED: u64 = 1 << 12;

/// From which size on bins show. A size is the smallest from which on at least that share of bins shows; nothing where
/// there is none that people could be, or where it could not be found.
///
/// Where it is not proved that larger bins show more often (`ShowingBySize::Unproved`), "from which on" is among the
/// sizes up to the one at which the search ended: the first power of two above the threshold with 99 %.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shows {
    /// Of all smaller sizes less than 1 % show.
    pub at_1_percent: Option<u64>,
    /// At least half of those of this size show.
    pub at_50_percent: Option<u64>,
    /// At least 99 % of those of this size show.
    pub at_99_percent: Option<u64>,
    /// Whether chance has a part in it: else all bins from one size on show, and none below.
    pub by: ShownBy,
}

/// Whether chance has a part in which bins show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownBy {
    /// All bins from one size on show, and none below.
    Certainty,
    /// Bins of a size show with a chance.
    Chance,
}

/// The share below which "hardly any" bins of a size show.
fn hardly() -> Rational {
    Rational::ONE / Rational::from(100u8)
}

fn half() -> Rational {
    Rational::ONE / Rational::from(2u8)
}

fn nearly() -> Rational {
    Rational::from(99u8) / Rational::from(100u8)
}

impl Shows {
    /// Searches for the sizes.
    pub(crate) fn of(chances: &Chances<'_>) -> Result<Shows, TooManyOutcomes> {
        if let Some(from) = chances.certainly_from() {
            let from = Some(from.max(1)).filter(|from| *from <= MOST_PEOPLE);
            return Ok(Shows { at_1_percent: from, at_50_percent: from, at_99_percent: from, by: ShownBy::Certainty });
        }
        let [at_1_percent, at_50_percent, at_99_percent] = match chances.deployed.showing_by_size() {
            ShowingBySize::Grows => halved(chances)?,
            ShowingBySize::Unproved => scanned(chances)?,
        };
        Ok(Shows { at_1_percent, at_50_percent, at_99_percent, by: ShownBy::Chance })
    }

    /// Returns the sizes, for tables: where everything changes.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = u64> {
        let below = match (self.by, self.at_50_percent) {
            (ShownBy::Certainty, Some(from)) => from.checked_sub(1).filter(|below| *below > 0),
            (ShownBy::Certainty, None) | (ShownBy::Chance, _) => None,
        };
        [below, self.at_1_percent, self.at_50_percent, self.at_99_percent].into_iter().flatten()
    }
}

/// The chance that a bin shows, by its size; what was found is kept.
pub(crate) struct Chances<'p> {
    deployed: &'p Deployed,
    sample: Option<&'p Rational>,
    /// Of single counts, where people are sampled.
    known: RefCell<HashMap<u64, f64>>,
    /// Of sizes, where everybody is counted: a law may take milliseconds to sum.
    laws: RefCell<HashMap<u64, Enclosure>>,
}

impl<'p> Chances<'p> {
    /// Returns the chances of a mechanism, where each person is counted with the chance of a sample, if there is one.
    pub(crate) fn of(deployed: &'p Deployed, sample: Option<&'p Rational>) -> Self {
        Chances { deployed, sample, known: RefCell::default(), laws: RefCell::default() }
    }

    /// Returns the chance at a size, as near as a float comes.
    pub(crate) fn at(&self, size: u64) -> Result<f64, TooManyOutcomes> {
        if !self.deployed.may_be_silent() {
            return Ok(1.0);
        }
        match self.sample {
            None => {
                let chance = self.enclosed(size)?;
                let is_sure = chance.lower() >= Rational::ONE;
                Ok(if is_sure { 1.0 } else { chance.to_f64().clamp(0.0, NEARLY_SURE) })
            }
            Some(chance) => self.deployed.shown_chance_of_sample(size, chance, &mut self.known.borrow_mut()),
        }
    }

    fn enclosed(&self, size: u64) -> Result<Enclosure, TooManyOutcomes> {
        if let Some(chance) = self.laws.borrow().get(&size) {
            return Ok(chance.clone());
        }
        let chance = self.deployed.shown_chance(size)?;
        self.laws.borrow_mut().insert(size, chance.clone());
        Ok(chance)
    }

    /// Whether at least this share of bins of a size shows: exactly, where everybody is counted; a tie that an
    /// enclosure leaves open is one.
    fn reaches(&self, size: u64, share: &Rational) -> Result<bool, TooManyOutcomes> {
        match self.sample {
            None => Ok(match self.enclosed(size)?.compare(share) {
                Some(Ordering::Less) => false,
                Some(Ordering::Equal | Ordering::Greater) | None => true,
            }),
            Some(_) => Ok(self.at(size)? >= share.to_f64().value()),
        }
    }

    /// The size from which on everything shows and below which nothing does, where everybody is counted.
    fn certainly_from(&self) -> Option<u64> {
        match self.sample {
            None => self.deployed.shown_as_it_is_from(),
            Some(_) => None,
        }
    }
}

/// Halves: larger bins show more often.
fn halved(chances: &Chances<'_>) -> Result<[Option<u64>; 3], TooManyOutcomes> {
    let mut sizes = [None; 3];
    for (size, share) in sizes.iter_mut().zip([hardly(), half(), nearly()]) {
        *size = smallest(chances, &share, 1)?;
    }
    Ok(sizes)
}

/// Returns the smallest size of at least `from` with such a share, if larger ones have no smaller share.
fn smallest(chances: &Chances<'_>, share: &Rational, from: u64) -> Result<Option<u64>, TooManyOutcomes> {
    let (mut below, mut reached) = (from - 1, from);
    while !chances.reaches(reached, share)? {
        if reached >= MOST_PEOPLE {
            return Ok(None);
        }
        below = reached;
        reached *= 2;
    }
    while reached - below > 1 {
        let middle = below + (reached - below) / 2;
        if chances.reaches(middle, share)? {
            reached = middle;
        } else {
            below = middle;
        }
    }
    Ok(Some(reached))
}

/// Looks at size after size, up to the first doubling of the threshold at which 99 % show; where that is too far,
/// nothing is said of all smaller sizes.
fn scanned(chances: &Chances<'_>) -> Result<[Option<u64>; 3], TooManyOutcomes> {
    let cut = chances.deployed.publish_from.and_then(|from| u64::try_from(from).ok()).unwrap_or(0).max(1);
    let mut end = cut.next_power_of_two();
    while end <= MOST_SCANNED && !chances.reaches(end, &nearly())? {
        end *= 2;
    }
    if end > MOST_SCANNED {
        return Ok([None, smallest(chances, &half(), cut)?, smallest(chances, &nearly(), cut)?]);
    }
    let [mut first, mut half_from, mut nearly_from] = [None, Some(1), Some(1)];
    for size in 1..=end {
        if first.is_none() && chances.reaches(size, &hardly())? {
            first = Some(size);
        }
        for (from, share) in [(&mut half_from, half()), (&mut nearly_from, nearly())] {
            if !chances.reaches(size, &share)? {
                *from = Some(size + 1);
            }
        }
    }
    Ok([first, half_from, nearly_from])
}
