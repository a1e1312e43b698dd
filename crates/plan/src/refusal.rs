//! Why a request cannot be planned, and the nearest thing that works.
//!
//! Every refusal says what is wrong and what to change, in the words of the request; it must never name a value of the
//! data, which has not been read. It is separate because all commands refuse in the same way. Read `settle.rs` for who
//! refuses.

mod no_sample;

pub use no_sample::NoSample;

use crate::table_refusal::TableRefusal;
use incrowd_exact::{Rational, rare_rounding_down, rare_rounding_up, rational_text, significant_rounding_up};
use incrowd_privacy::{AccountError, BoundError, Epsilon, RelayError};
use std::fmt;

/// The most empty cells that may be expected in a table.
pub const MOST_EMPTY_SHOWN: u64 = 10_000_000;

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// This kind of release is not a histogram.
    NotAHistogram {
        /// What it is.
        release: &'static str,
    },
    /// A mechanism needs a parameter that neither it nor the promise gives.
    MissingParameter {
        /// The mechanism.
        mechanism: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// A mechanism needs a positive, finite epsilon to draw its noise.
    NoNoise {
        /// The mechanism.
        mechanism: &'static str,
        /// What was given.
        epsilon: Epsilon,
    },
    /// A mechanism needs a delta to find its free parameter, or an open universe to hide who is alone.
    DeltaNeeded {
        /// The mechanism.
        mechanism: &'static str,
    },
    /// A mechanism would publish a bin that only one person is in.
    NotOnOpenUniverse {
        /// The mechanism.
        mechanism: &'static str,
    },
    /// No value of the free parameter meets the promise.
    NothingFits {
        /// The mechanism.
        mechanism: &'static str,
        /// What was looked for.
        parameter: &'static str,
    },
    /// A mechanism does not take a parameter.
    NotTaken {
        /// The mechanism.
        mechanism: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// The width of a fading mechanism makes no sense.
    Width,
    /// Too many levels to publish which of them fired.
    TooManyLevels {
        /// The most.
        most: usize,
    },
    /// The list of levels has the wrong length.
    Levels {
        /// How many are needed.
        needed: usize,
        /// How many were given.
        given: usize,
    },
    /// The mechanism does not meet the promise.
    NotMet(Box<Shortfall>),
    /// There are more cells than can be listed without a publication threshold.
    TooManyCells {
        /// How many.
        cells: u128,
    },
    /// Too many empty cells would pass the threshold.
    Flood {
        /// How many cells are declared.
        cells: u128,
        /// How many of them would be shown on average.
        expected: Rational,
        /// The smallest threshold at which few enough do, if there is one.
        threshold: Option<i64>,
    },
    /// The request does not say where the data is.
    NoSource,
    /// The request has no bins to count.
    NoBins,
    /// The request does not say which account pays.
    NoDataset,
    /// The name of the account is not one.
    AccountName,
    /// A public file that a column's rule is in has not been read.
    HierarchyNotRead {
        /// The file.
        file: String,
    },
    /// Rows are one for each person.
    OneRowEach,
    /// Exact counts of the same people, period after period, promise nothing together (CB Prop 7).
    ExactPeriods,
    /// Every period of the series was released before.
    NothingNew,
    /// Draws from a known seed about people who are not made up.
    KnownSeed,
    /// An account book in memory for people who are not made up.
    ForgottenBook,
    /// The steps of a choice of items cost more than is promised.
    StepsSpendMore {
        /// Together.
        spent: Rational,
        /// To the smallest groups.
        promised: Rational,
    },
    /// Rows that stand for many persons have one place.
    PointsOfPeople,
    /// A grid that points cannot be published on.
    Grid {
        /// The axis.
        axis: String,
        /// Why.
        reason: String,
    },
    /// Something that this version does not do.
    NotYet {
        /// What.
        what: &'static str,
    },
    /// A mechanism whose empty bins can only be drawn for one by one, on a universe that is too large for that.
    CannotSkipEmptyBins {
        /// The mechanism.
        mechanism: &'static str,
        /// How many cells there are.
        cells: u128,
    },
    /// People cannot be sampled, or the sample does not give what was asked for.
    Sampled(Box<NoSample>),
    /// What would be published has no table.
    Table(TableRefusal),
    /// The relay has no table for this promise.
    Relay(RelayError),
    /// There is no such lower bound.
    Bound(BoundError),
    /// The promise could not be accounted for.
    Account(AccountError),
}

/// By how much a mechanism misses a promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortfall {
    /// The mechanism.
    pub mechanism: &'static str,
    /// The count at which it falls short most.
    pub count: u64,
    /// What was promised there.
    pub epsilon: Epsilon,
    /// The delta that was asked for.
    pub asked: Rational,
    /// The delta that it has.
    pub has: Rational,
    /// A mechanism that meets the promise as it is, if one surely does.
    pub instead: Option<&'static str>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotAHistogram { release } => {
                write!(f, "a release of kind `{release}` has a mechanism of its own, and no other can be chosen for it")
            }
            Refusal::MissingParameter { mechanism, parameter } => {
                write!(f, "{mechanism} needs `{parameter}`, and the promise has none of that name")
            }
            Refusal::NoNoise { mechanism, epsilon } => {
                write!(f, "{mechanism} cannot draw noise with epsilon {epsilon}; it needs a positive, finite one")
            }
            Refusal::DeltaNeeded { mechanism } => write!(f, "{mechanism} needs a `delta` above 0 in [promise]"),
            Refusal::NotOnOpenUniverse { mechanism } => write!(
                f,
                "{mechanism} may not run where bins are found in the data: it could publish a bin that only one person is in"
            ),
            Refusal::NothingFits { mechanism, parameter } => {
                write!(f, "no `{parameter}` makes {mechanism} meet this promise")
            }
            Refusal::NotTaken { mechanism, parameter } => write!(f, "{mechanism} takes no `{parameter}`"),
            Refusal::Width => f.write_str("`width` must be at least 1 and below `group`"),
            Refusal::TooManyLevels { most } => {
                write!(
                    f,
                    "a staircase that publishes its levels may have at most {most} of them: they double the law with each"
                )
            }
            Refusal::Levels { needed, given } => {
                write!(f, "`levels` needs one number for each threshold: {needed}, not {given}")
            }
            Refusal::NotMet(short) => write!(
                f,
                "{} does not meet this promise: for groups of {} at epsilon {} its delta is {}, and {} was asked",
                short.mechanism,
                short.count,
                short.epsilon,
                rare_rounding_up(&short.has),
                rare_rounding_down(&short.asked)
            ),
            Refusal::TooManyCells { cells } => {
                write!(f, "the bins span {cells} cells, more than the 10000000 that are listed one by one")
            }
            Refusal::Flood { cells, expected, .. } => write!(
                f,
                "of {cells} empty cells {} would pass the threshold by noise alone, more than the {} that may be written",
                significant_rounding_up(expected, 3),
                MOST_EMPTY_SHOWN
            ),
            Refusal::NoSource => f.write_str("the request does not say where the data is"),
            Refusal::NoBins => f.write_str("the request has no [[bins]] to count"),
            Refusal::NoDataset => f.write_str("the request does not say which account pays"),
            Refusal::AccountName => f.write_str("`dataset` has 1 to 200 characters, none of them a control character"),
            Refusal::HierarchyNotRead { file } => write!(f, "the hierarchy {file:?} was not read"),
            Refusal::OneRowEach => {
                f.write_str("each person has at most one published row, and `bins-per-person` is above 1")
            }
            Refusal::ExactPeriods => f.write_str(
                "this promise allows exact counts of large groups, and people may be in several periods: two exact counts can be subtracted",
            ),
            Refusal::StepsSpendMore { spent, promised } => write!(
                f,
                "the steps of [top] spend epsilon {} together, and the smallest groups are promised {}",
                readable(spent),
                readable(promised)
            ),
            Refusal::PointsOfPeople => {
                f.write_str("with `people` a row stands for many persons, and a point is one person's")
            }
            Refusal::Grid { axis, reason } => write!(f, "axis {axis:?}: {reason}"),
            Refusal::KnownSeed => {
                f.write_str("a known seed makes every draw known, so nothing released with it is private")
            }
            Refusal::ForgottenBook => f.write_str("an account book in memory forgets every charge"),
            Refusal::NothingNew => f.write_str("every period up to `up-to` was released before"),
            Refusal::NotYet { what } => write!(f, "{what} is not done by this version"),
            Refusal::CannotSkipEmptyBins { mechanism, cells } => {
                write!(f, "{mechanism} would have to draw for each of {cells} cells one by one")
            }
            Refusal::Sampled(refusal) => refusal.fmt(f),
            Refusal::Table(refusal) => refusal.fmt(f),
            Refusal::Relay(error) => error.fmt(f),
            Refusal::Bound(error) => error.fmt(f),
            Refusal::Account(error) => error.fmt(f),
        }
    }
}

impl Refusal {
    /// Returns what to change.
    pub fn hint(&self) -> String {
        match self {
            Refusal::NotAHistogram { .. } => "mechanisms can be compared for release = \"histogram\" and \"series\"".into(),
            Refusal::MissingParameter { parameter, .. } => format!("add `{parameter} = ...` to [mechanism]"),
            Refusal::NoNoise { .. } => {
                "use tailored-geometric (leave [mechanism] out): it takes epsilon 0 and infinite too".into()
            }
            Refusal::DeltaNeeded { .. } => {
                "add `delta = \"1e-6\"` to [promise]; or, for counts of bins, leave [mechanism] out and list the values of every bin: tailored-geometric needs no delta".into()
            }
            Refusal::NotOnOpenUniverse { .. } => {
                "leave [mechanism] out (the relay is made for this), list the `values` of every bin, or add `threshold = ...` to [mechanism]".into()
            }
            Refusal::NothingFits { .. } => "raise `delta`, or leave [mechanism] out to use the default for this promise".into(),
            Refusal::NotTaken { parameter, .. } => format!("remove `{parameter}` from [mechanism]"),
            Refusal::Width => "choose a smaller `width`, or a larger `group`".into(),
            Refusal::TooManyLevels { .. } => "leave `publish-levels` out".into(),
            Refusal::Levels { .. } => "leave `levels` out to have the smallest ones found".into(),
            Refusal::NotMet(short) => {
                let nearest = if short.has < Rational::ONE {
                    format!("it meets the same curve with delta {}; ", rare_rounding_up(&short.has))
                } else {
                    format!("no delta below 1 makes it meet epsilon {} there; ", short.epsilon)
                };
                match short.instead {
                    Some(instead) => {
                        format!("{nearest}{instead} meets this promise as it is; `incrowd compare` shows what else does")
                    }
                    None => format!("{nearest}with a `delta` above 0 in [promise] the relay would"),
                }
            }
            Refusal::TooManyCells { .. } => {
                "add [mechanism] with name = \"tailored-geometric\" and `threshold = ...`: then only cells that pass it are written".into()
            }
            Refusal::Flood { threshold: Some(threshold), .. } => {
                format!("threshold = {threshold} in [mechanism] is the smallest that fits; or declare fewer cells")
            }
            Refusal::Flood { threshold: None, .. } => "declare fewer cells".into(),
            Refusal::NoSource => "add `source = \"people.csv\"` to [data]".into(),
            Refusal::NoBins => "add [[bins]] with a `name` and a `column`; `incrowd init DATA` writes them for you".into(),
            Refusal::NoDataset => {
                "add [ledger] with `dataset = \"name\"`: every release from the same people is charged to one account".into()
            }
            Refusal::AccountName => "name the people whose data it is, such as employees-2026".into(),
            Refusal::HierarchyNotRead { .. } => "give the request as a file beside it, not on standard input".into(),
            Refusal::OneRowEach => "bins-per-person = 1".into(),
            Refusal::ExactPeriods => {
                "promise a finite epsilon to everybody, release one period, or set people = \"once\" in [series] if nobody is in two".into()
            }
            Refusal::StepsSpendMore { spent, .. } => {
                format!("promise differential-privacy with epsilon {}, or give the steps less", readable(spent))
            }
            Refusal::PointsOfPeople => "give each person a row of her own".into(),
            Refusal::Grid { .. } => "look at `edges` or `boxes` and `step` of this axis: cells do not overlap, and a step is a decimal number that fits into each, such as 0.001".into(),
            Refusal::KnownSeed => "it works only with synthetic = true in [data]; leave it out for real data".into(),
            Refusal::ForgottenBook => "name a file, or say synthetic = true in [data] if the data is made up".into(),
            Refusal::NothingNew => "raise `up-to` in [series] when the next period is there".into(),
            Refusal::NotYet { .. } => "leave it out of the request".into(),
            Refusal::CannotSkipEmptyBins { .. } => {
                "use tailored-geometric or geometric with a `threshold`, which find the empty cells that pass without visiting the others".into()
            }
            Refusal::Sampled(refusal) => refusal.hint(),
            Refusal::Table(refusal) => refusal.hint(),
            Refusal::Relay(_) => "use name = \"threshold\", raise `delta`, or list the `values` of every bin".into(),
            Refusal::Bound(BoundError::EpsilonA) => {
                "give `epsilon-a` a part of the strictest epsilon, such as a half of it".into()
            }
            Refusal::Account(AccountError::Law(_)) => {
                "use a larger epsilon; `incrowd plan` needs no list of outcomes where there is one noise, or tailored-geometric".into()
            }
            Refusal::Bound(_) | Refusal::Account(_) => {
                "leave [mechanism] out: tailored-geometric meets any curve and needs no search".into()
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl From<TableRefusal> for Refusal {
    fn from(refusal: TableRefusal) -> Self {
        Refusal::Table(refusal)
    }
}

impl From<AccountError> for Refusal {
    fn from(error: AccountError) -> Self {
        Refusal::Account(error)
    }
}

impl From<BoundError> for Refusal {
    fn from(error: BoundError) -> Self {
        Refusal::Bound(error)
    }
}

impl From<RelayError> for Refusal {
    fn from(error: RelayError) -> Self {
        Refusal::Relay(error)
    }
}

/// Returns an epsilon as people read it: `1/100`, `3`, or a short decimal, rounded up, where the fraction would be
/// unwieldy.
pub fn readable(value: &Rational) -> String {
    let exact = rational_text(value);
    if exact.len() <= 12 { exact } else { significant_rounding_up(value, 6) }
}

/// Returns an epsilon that is left, as people read it: a short decimal, where one is needed, is rounded down.
pub fn readable_below(value: &Rational) -> String {
    let exact = rational_text(value);
    // What is rounded up of its negative is rounded down of it.
    let below = || significant_rounding_up(&-value.clone(), 6).trim_start_matches('-').to_string();
    if exact.len() <= 12 { exact } else { below() }
}

/// A number for people: exact where that is short, else a little above.
pub fn short(value: &Rational) -> String {
    let exact = readable(value);
    if exact.len() <= 6 { exact } else { significant_rounding_up(value, 4) }
}
