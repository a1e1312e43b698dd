//! What a release will show of bins of given sizes: how many, which share of all counts, and how far off.
//!
//! A pure function, `Forecast::of(plan, sizes)`, of a plan and of sizes that somebody gives, by the chances of the law
//! that runs; it must never look for sizes itself, and whoever gives sizes of real data keeps the answer INTERNAL. It
//! is separate because `plan --like`, `check` and the question before a release ask the same. Read `shows.rs` for the
//! chances, `forecast/number_shown.rs` for their sum, and `forecast/words.rs` for what is said.

mod number_shown;
#[cfg(test)]
mod tests;
mod words;

pub use words::{CheckedOutlook, ONLY_THESE_SIZES, Outlook, PeopleNeeded};

use crate::kinds::{ItemCounts, TableRows};
use crate::plan::Plan;
use crate::request::CellCount;
use crate::shows::NEARLY_SURE;
use incrowd_privacy::Universe;
use number_shown::NumberShown;
use std::collections::BTreeMap;
use std::fmt;

/// Errors are computed for so many sizes, at most; between them they are taken to lie on straight lines.
const MOST_ERRORS: usize = 128;
/// Chances below do not change any figure.
const NO_CHANCE: f64 = 1e-12;

/// How many bins there are of each size. It may hold true sizes, so it is mute.
#[derive(Default)]
pub struct BinSizes(BTreeMap<u64, u64>);

impl BinSizes {
    /// Adds a bin of so many people.
    pub fn add(&mut self, people: u64) {
        *self.0.entry(people).or_default() += 1;
    }

    /// Whether there is no bin.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns how many bins there are.
    pub fn bins(&self) -> u64 {
        self.0.values().sum()
    }
}

impl FromIterator<u64> for BinSizes {
    fn from_iter<I: IntoIterator<Item = u64>>(people: I) -> Self {
        let mut sizes = BinSizes::default();
        people.into_iter().for_each(|people| sizes.add(people));
        sizes
    }
}

/// What to expect of a release. Where true sizes were given it tells of the data without protection.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// How many bins there are: those that were given, and the declared ones beside them, which are empty.
    pub bins: u128,
    /// How many of them show, on average.
    pub shown_expected: f64,
    /// The number shown is between this ...
    pub low: u64,
    /// ... and this, both included, with a chance of at least 95 %.
    pub high: u64,
    /// How that is known.
    pub interval: IntervalBy,
    /// The share of all counts that the shown ones have on average, from 0 to 1; nothing where nobody is counted.
    pub share_of_counts: Option<f64>,
    /// How far a shown count is from its size on average; nothing where none is expected, where no counts are
    /// published, or where the law is too large to sum.
    pub mean_absolute_error: Option<f64>,
    /// The same for published counts divided by the chance with which people are sampled, where they are.
    pub scaled_up_error: Option<f64>,
}

/// How the interval of a forecast is known to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalBy {
    /// The chances of all numbers were added up.
    Exactly,
    /// Two standard deviations, which the theorem of Berry and Esseen shows to be enough.
    Bound,
}

/// Why there is no forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForecastError {
    /// There are more sizes than declared bins.
    MoreSizesThanBins {
        /// So many sizes.
        sizes: u64,
        /// So many bins.
        bins: u128,
    },
    /// The chances cannot be computed.
    LawTooLarge,
}

impl fmt::Display for ForecastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ForecastError::MoreSizesThanBins { sizes, bins } => {
                write!(f, "there are {sizes} sizes, and the request declares {bins} bins")
            }
            ForecastError::LawTooLarge => f.write_str("there is no forecast: the law is too large to sum"),
        }
    }
}

impl ForecastError {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            ForecastError::MoreSizesThanBins { .. } => "give the sizes of the bins of this request",
            ForecastError::LawTooLarge => "choose another mechanism, or leave the forecast out",
        }
    }
}

/// The bins of one size.
struct Alike {
    size: u64,
    bins: u128,
    /// The chance that one of them shows.
    shown: f64,
}

impl Forecast {
    /// Returns what a release of this plan will show of bins of these sizes.
    ///
    /// A size is how many people are counted in a bin: for a series in one period, for the most frequent items of an
    /// item (whose forecast is of those that are found), and where people are sampled first how many there are of whom
    /// each may be counted. Declared bins without a size are taken to be empty; of found ones those of nobody are not
    /// there.
    pub fn of(plan: &Plan, sizes: &BinSizes) -> Result<Forecast, ForecastError> {
        let groups = groups(plan, sizes)?;
        let number = NumberShown::of(groups.iter().map(|alike| (alike.bins, alike.shown)));
        let (low, high) = number.interval();
        let people: f64 = groups.iter().map(|alike| alike.size as f64 * alike.bins as f64).sum();
        let shown_people: f64 = groups.iter().map(|alike| alike.size as f64 * alike.bins as f64 * alike.shown).sum();
        let most = if groups.iter().all(|alike| alike.shown >= 1.0) { 1.0 } else { NEARLY_SURE };
        let errors = Errors::of(plan, &groups);
        Ok(Forecast {
            bins: groups.iter().map(|alike| alike.bins).sum(),
            shown_expected: number.mean(),
            low,
            high,
            interval: number.interval_by(),
            share_of_counts: (people > 0.0).then(|| (shown_people / people).min(most)),
            mean_absolute_error: errors.as_ref().map(|errors| errors.published),
            scaled_up_error: errors.and_then(|errors| errors.scaled_up),
        })
    }
}

fn groups(plan: &Plan, sizes: &BinSizes) -> Result<Vec<Alike>, ForecastError> {
    let mut by_size: BTreeMap<u64, u128> = sizes.0.iter().map(|(size, bins)| (*size, u128::from(*bins))).collect();
    match (plan.settled.deployed.universe, plan.request.cells()) {
        (Universe::Closed, CellCount::Declared(declared)) => {
            let given = sizes.bins();
            let Some(others) = declared.checked_sub(u128::from(given)) else {
                return Err(ForecastError::MoreSizesThanBins { sizes: given, bins: declared });
            };
            if others > 0 {
                *by_size.entry(0).or_default() += others;
            }
        }
        (Universe::Closed, CellCount::Found | CellCount::Unstated) => {}
        (Universe::Open, CellCount::Declared(_) | CellCount::Found | CellCount::Unstated) => {
            by_size.remove(&0);
        }
    }
    let chances = plan.chances();
    let alike = |(size, bins): (u64, u128)| {
        let shown = chances.at(size).map_err(|_| ForecastError::LawTooLarge)?;
        Ok(Alike { size, bins, shown })
    };
    by_size.into_iter().map(alike).collect()
}

/// How far shown counts are off, on average over all that show.
struct Errors {
    published: f64,
    scaled_up: Option<f64>,
}

impl Errors {
    fn of(plan: &Plan, groups: &[Alike]) -> Option<Errors> {
        let (deployed, hides) = match plan.kind.rows() {
            TableRows::Bins => (&plan.settled.deployed, true),
            TableRows::Items(ItemCounts::Published) => (plan.shown_by(), false),
            TableRows::Items(ItemCounts::Hidden) | TableRows::People(_) => return None,
        };
        let groups: Vec<&Alike> = groups.iter().filter(|alike| alike.shown > NO_CHANCE).collect();
        // What is expected of one that shows: silence counts as zero in the mean of all.
        let at = |alike: &Alike| {
            let utility = plan.expected(deployed, alike.size).ok()?;
            let hidden = if hides { utility.suppressed } else { 0.0 };
            let if_shown = |error: f64| ((error - hidden * alike.size as f64) / (1.0 - hidden)).max(0.0);
            Some((if_shown(utility.mean_absolute_error), utility.scaled_up_error.map(if_shown)))
        };
        let chosen = chosen(groups.len());
        let known = chosen.iter().map(|place| at(groups[*place])).collect::<Option<Vec<_>>>()?;
        let (mut weight, mut published, mut scaled_up) = (0.0, 0.0, 0.0);
        let mut after = 0;
        for (place, alike) in groups.iter().enumerate() {
            while chosen[after] < place {
                after += 1;
            }
            let before = if chosen[after] == place { after } else { after - 1 };
            let (from, to) = (groups[chosen[before]].size as f64, groups[chosen[after]].size as f64);
            let part = if after == before { 0.0 } else { (alike.size as f64 - from) / (to - from) };
            let between = |low: f64, high: f64| low + part * (high - low);
            let share = alike.bins as f64 * alike.shown;
            weight += share;
            published += share * between(known[before].0, known[after].0);
            scaled_up += share * between(known[before].1.unwrap_or(0.0), known[after].1.unwrap_or(0.0));
        }
        let sampled = plan.sampling_chance().is_some();
        (weight > 0.0)
            .then(|| Errors { published: published / weight, scaled_up: sampled.then_some(scaled_up / weight) })
    }
}

/// Returns which of so many sizes are looked at: all, or some from the first to the last.
fn chosen(sizes: usize) -> Vec<usize> {
    match sizes <= MOST_ERRORS {
        true => (0..sizes).collect(),
        false => (0..MOST_ERRORS).map(|place| place * (sizes - 1) / (MOST_ERRORS - 1)).collect(),
    }
}
