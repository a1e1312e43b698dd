//! From which size on bins show: where the chance of being shown passes 1 %, one half and 99 %.
//!
//! Sizes are searched for in the law that runs, never in data; what is said of a size must hold at that very size. It
//! is separate because plan, forecast and the question before a release all ask for it. Read `incrowd_privacy`'s
//! `utility/showing.rs` for the chances, and `forecast.rs` for what they add up to.

use crate::plan::{ExactAt, Plan};
use crate::refusal::{Refusal, readable};
use crate::request::Request;
use incrowd_exact::Rational;
use incrowd_privacy::{Deployed, ShowingBySize, TooManyOutcomes};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;

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
    pub cut: Cut,
}

/// Whether chance has a part in which bins show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// All bins from one size on show, and none below.
    Certain,
    /// Bins of a size show with a chance.
    ByChance,
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

impl Plan {
    /// Returns from which size on bins show; nothing where every bin shows, or where the law is too large to sum.
    pub fn shows(&self) -> Option<&Shows> {
        let found = self.shows.get_or_init(|| {
            let hides = self.settled.deployed.may_be_silent();
            hides.then(|| Shows::of(&Chances::of(self)).ok()).flatten()
        });
        found.as_ref()
    }

    /// Returns the same in words; nothing where every bin shows.
    pub fn shows_words(&self) -> Option<String> {
        if !self.settled.deployed.may_be_silent() {
            return None;
        }
        let thing = self.kind.planned().shown_thing();
        Some(match self.shows() {
            Some(shows) => shows.words(&thing, self),
            None => {
                format!("from which size on {} {} is not known: the law is too large to sum", thing.things, thing.show)
            }
        })
    }

    /// Returns the same for machines; null where every bin shows.
    pub(crate) fn shows_json(&self) -> Value {
        let Some(shows) = self.shows() else { return Value::Null };
        json!({
            "at_1_percent": shows.at_1_percent,
            "at_50_percent": shows.at_50_percent,
            "at_99_percent": shows.at_99_percent,
            "certain": shows.cut == Cut::Certain,
            "in_words": self.shows_words(),
        })
    }

    /// Returns the plan of a request as readers see it: at given counts, or at counts that suit the promise and at those
    /// where bins begin to show. A certificate has the former alone.
    pub fn for_readers(request: &Request, counts: Option<&[u64]>) -> Result<Plan, Refusal> {
        let plan = Plan::of(request, counts)?;
        if counts.is_some() { Ok(plan) } else { plan.with_sizes_of_showing() }
    }

    fn with_sizes_of_showing(mut self) -> Result<Plan, Refusal> {
        let sizes: Vec<u64> = self.shows().map(|shows| shows.sizes().collect()).unwrap_or_default();
        for size in sizes {
            if let Err(place) = self.exact.binary_search_by_key(&size, |at| at.count) {
                self.exact.insert(place, ExactAt::of(&self.settled, size)?);
            }
            if let Err(place) = self.utility.binary_search_by_key(&size, |at| at.count)
                && let Ok(utility) = self.expected(&self.settled.deployed, size)
            {
                self.utility.insert(place, utility);
            }
        }
        Ok(self)
    }

    /// Returns the chance that a bin of so many people shows, counted as this plan counts.
    pub(crate) fn chances(&self) -> Chances<'_> {
        Chances::of(self)
    }
}

/// What a kind of release shows or hides, in words.
pub(crate) struct ShownThing {
    /// "bins".
    pub things: &'static str,
    /// What they do: "show".
    pub show: &'static str,
    /// What becomes of them: "shown".
    pub shown: &'static str,
    /// So many of them are published at most, where that is less than all that are shown.
    pub at_most: Option<u64>,
}

impl Shows {
    /// Searches for the sizes.
    pub(crate) fn of(chances: &Chances<'_>) -> Result<Shows, TooManyOutcomes> {
        if let Some(from) = chances.certainly_from() {
            let from = Some(from.max(1)).filter(|from| *from <= MOST_PEOPLE);
            return Ok(Shows { at_1_percent: from, at_50_percent: from, at_99_percent: from, cut: Cut::Certain });
        }
        let [at_1_percent, at_50_percent, at_99_percent] = match chances.deployed.showing_by_size() {
            ShowingBySize::Grows => halved(chances)?,
            ShowingBySize::Unproved => scanned(chances)?,
        };
        Ok(Shows { at_1_percent, at_50_percent, at_99_percent, cut: Cut::ByChance })
    }

    fn words(&self, thing: &ShownThing, plan: &Plan) -> String {
        let ShownThing { things, show, .. } = thing;
        let periods = if plan.request.kind.series().is_some() { "in each period, " } else { "" };
        let counted = match plan.sampling_chance() {
            Some(chance) => format!(", of whom each is counted with chance {},", readable(chance)),
            None => String::new(),
        };
        // Who is in more bins than are counted is missing in some of them.
        let people = |size: u64| match (size, plan.truncation_words()) {
            (1, None) => "1 person".to_string(),
            (1, Some(_)) => "1 counted person".to_string(),
            (size, None) => format!("{size} people"),
            (size, Some(_)) => format!("{size} counted people"),
        };
        let Some(about) = self.at_50_percent else {
            return format!("{periods}hardly any {things} {show}: of no size that was looked at at least half");
        };
        if self.cut == Cut::Certain {
            return format!("{periods}{things} {show} from {} on: all of them, and none below", people(about));
        }
        if self.at_99_percent == Some(1) {
            return format!("{periods}{things} of every size {show}, at least 99 % of them");
        }
        let mut parts = vec![format!("at least half of those of {about}")];
        match self.at_99_percent {
            Some(size) => parts.push(format!("99 % of those of {size}")),
            None => parts.push("99 % of no size".into()),
        }
        if let Some(size) = self.at_1_percent.filter(|size| *size > 1) {
            parts.push(format!("less than 1 % of those below {size}"));
        }
        format!("{periods}{things} {show} from about {}{counted} on ({})", people(about), parts.join(", "))
    }

    /// Returns the sizes, for tables: where everything changes.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = u64> {
        let below = match (self.cut, self.at_50_percent) {
            (Cut::Certain, Some(from)) => from.checked_sub(1).filter(|below| *below > 0),
            (Cut::Certain, None) | (Cut::ByChance, _) => None,
        };
        [below, self.at_1_percent, self.at_50_percent, self.at_99_percent].into_iter().flatten()
    }
}

/// The chance that a bin shows, by its size; what was found is kept.
pub(crate) struct Chances<'p> {
    deployed: &'p Deployed,
    sample: Option<&'p Rational>,
    known: RefCell<HashMap<u64, f64>>,
}

impl<'p> Chances<'p> {
    fn of(plan: &'p Plan) -> Self {
        let (deployed, sample) = (&plan.settled.deployed, plan.sampling_chance());
        Chances { deployed, sample, known: RefCell::default() }
    }

    /// Returns the chance at a size, as near as a float comes.
    pub(crate) fn at(&self, size: u64) -> Result<f64, TooManyOutcomes> {
        if !self.deployed.may_be_silent() {
            return Ok(1.0);
        }
        match self.sample {
            None => Ok(self.deployed.shown_chance(size)?.to_f64().clamp(0.0, 1.0)),
            Some(chance) => self.deployed.shown_chance_of_sample(size, chance, &mut self.known.borrow_mut()),
        }
    }

    /// Whether at least this share of bins of a size shows: exactly, where everybody is counted; a tie that an
    /// enclosure leaves open is one.
    fn reaches(&self, size: u64, share: &Rational) -> Result<bool, TooManyOutcomes> {
        match self.sample {
            None => Ok(match self.deployed.shown_chance(size)?.compare(share) {
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

#[cfg(test)]
mod tests;
