//! Accuracy first: what would have to change in a promise for groups to be as accurate as wanted.
//!
//! Each answer is one change, found by trying real plans, and is the smallest of its kind; it must never loosen a
//! promise on its own. It is separate from `compare.rs` because it asks the question the other way round. Read
//! `plan.rs` for a plan.

use crate::plan::Plan;
use crate::refusal::{Refusal, readable};
use crate::request::Request;
use incrowd_exact::{NumberError, Rational, parse_number, significant, significant_rounding_up};
use incrowd_privacy::{Epsilon, Promise, TooManyOutcomes, Utility};
use serde_json::{Value, json};
use std::fmt;

/// "Groups of `count` within `error` on average."
#[derive(Debug, Clone, PartialEq)]
pub struct Want {
    /// How many people.
    pub count: u64,
    /// The largest mean absolute error.
    pub error: Rational,
}

/// Why a text is no want.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantError {
    /// Not of the form `50: 5`.
    Form,
    /// A number that is none.
    Number(NumberError),
}

impl fmt::Display for WantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WantError::Form => f.write_str("write a group size and an error, as in \"50: 5\", several with commas"),
            WantError::Number(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WantError {}

impl Want {
    /// Returns the wants of a text such as `50: 5, 1000: 1`.
    pub fn parse(text: &str) -> Result<Vec<Want>, WantError> {
        let one = |part: &str| {
            let (count, error) = part.split_once(':').ok_or(WantError::Form)?;
            let count = count.trim().parse::<u64>().ok().filter(|count| (1..=1_000_000_000_000).contains(count));
            let error = parse_number(error.trim().trim_start_matches(['±', '+'])).map_err(WantError::Number)?;
            if error < Rational::ZERO {
                return Err(WantError::Form);
            }
            Ok(Want { count: count.ok_or(WantError::Form)?, error })
        };
        text.split(',').map(one).collect()
    }
}

/// What came of a want.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What was wanted.
    pub want: Want,
    /// The error that the request gives as it is, where it has a plan.
    pub now: Option<f64>,
    /// The error of values that are divided by the chance of being counted, where people are sampled first.
    pub scaled_up: Option<f64>,
    /// Single changes that would do, each in words; none where the want is met already or nothing helps.
    pub changes: Vec<String>,
}

impl Answer {
    /// Whether nothing has to change.
    pub fn is_met(&self) -> bool {
        self.now.is_some_and(|now| now <= self.want.error.to_f64().value())
    }

    /// Returns the answer as an object.
    pub fn to_json(&self) -> Value {
        json!({
            "count": self.want.count,
            "mean_absolute_error": significant(&self.want.error, 15),
            "met": self.is_met(),
            "now": self.now,
            "scaled_up": self.scaled_up,
            "changes": self.changes,
        })
    }
}

/// Returns for each want whether it is met, and the single changes to the promise that would meet it.
pub fn answer(request: &Request, wants: &[Want]) -> Result<Vec<Answer>, Refusal> {
    wants
        .iter()
        .map(|want| {
            let now = expected_at(request, want.count)?;
            let (now, scaled_up) = (Some(now.mean_absolute_error), now.scaled_up_error);
            let mut answer = Answer { want: want.clone(), now, scaled_up, changes: Vec::new() };
            if !answer.is_met() {
                answer.changes = changes(request, want);
            }
            Ok(answer)
        })
        .collect()
}

fn expected_at(request: &Request, count: u64) -> Result<Utility, Refusal> {
    let plan = Plan::of(request, Some(&[count]))?;
    plan.utility.into_iter().next().ok_or(Refusal::Account(TooManyOutcomes.into()))
}

fn fits(request: &Request, want: &Want) -> bool {
    expected_at(request, want.count).is_ok_and(|found| found.mean_absolute_error <= want.error.to_f64().value())
}

fn changes(request: &Request, want: &Want) -> Vec<String> {
    let mut found = Vec::new();
    let promise = &request.promise.promise;
    if let Some((name, now, with)) = scalable(promise)
        && let Some(needed) = smallest_factor(|factor| fits(&altered(request, with(factor)), want))
    {
        let weak = weakness(&altered(request, with(&needed)));
        let needed = &now * needed;
        found.push(format!(
            "{name} {} instead of {}, everything else as it is{weak}",
            significant_rounding_up(&needed, 3),
            readable(&now)
        ));
    }
    if let Some((name, now, with)) = shrinkable(promise) {
        let largest = (1..now)
            .rev()
            .take(1)
            .next()
            .and_then(|_| largest_below(now, |size| fits(&altered(request, with(size)), want)));
        if let Some(size) = largest {
            let weak = weakness(&altered(request, with(size)));
            found.push(format!("{name} {size} instead of {now}, everything else as it is{weak}"));
        }
    }
    if found.is_empty() {
        let sampled = request.data.as_ref().is_some_and(|data| data.sample.is_some());
        found.push(
            match sampled {
                false => "no single change of epsilon or of the group size does it: widen the bins, so that groups are larger",
                true => "no single change of epsilon or of the group size does it: count more people (a larger `sample`), or scale published values up",
            }
            .into(),
        );
    }
    found
}

/// Returns that a changed request would hardly promise anything, where that is so.
fn weakness(changed: &Request) -> String {
    let weak = Plan::of(changed, Some(&[1])).ok().and_then(|plan| plan.weakness());
    weak.map(|words| format!("; that would be {words}")).unwrap_or_default()
}

fn altered(request: &Request, promise: Promise) -> Request {
    let mut altered = request.clone();
    altered.promise.promise = promise;
    altered
}

type Scaled<'a> = Box<dyn Fn(&Rational) -> Promise + 'a>;
type Resized<'a> = Box<dyn Fn(u64) -> Promise + 'a>;

/// The number of a promise that makes it weaker as a whole, and the promise with it multiplied.
fn scalable(promise: &Promise) -> Option<(&'static str, Rational, Scaled<'_>)> {
    let scale = |epsilon: &Epsilon, factor: &Rational| match epsilon {
        Epsilon::Finite(value) => Epsilon::Finite(value * factor),
        Epsilon::Infinite => Epsilon::Infinite,
    };
    match promise {
        Promise::DifferentialPrivacy { epsilon } => Some((
            "epsilon",
            epsilon.finite()?.clone(),
            Box::new(move |factor| Promise::DifferentialPrivacy { epsilon: scale(epsilon, factor) }),
        )),
        Promise::Group { group, epsilon } => Some((
            "epsilon",
            epsilon.finite()?.clone(),
            Box::new(move |factor| Promise::Group { group: *group, epsilon: scale(epsilon, factor) }),
        )),
        Promise::CrowdBlending { crowd, epsilon } => Some((
            "epsilon",
            epsilon.finite()?.clone(),
            Box::new(move |factor| Promise::CrowdBlending { crowd: *crowd, epsilon: scale(epsilon, factor) }),
        )),
        Promise::SimpleOutlier { group, epsilon } => Some((
            "epsilon",
            epsilon.finite()?.clone(),
            Box::new(move |factor| Promise::SimpleOutlier { group: *group, epsilon: scale(epsilon, factor) }),
        )),
        Promise::SimpleOutlierDp { group, epsilon } => Some((
            "epsilon",
            epsilon.finite()?.clone(),
            Box::new(move |factor| Promise::SimpleOutlierDp { group: *group, epsilon: scale(epsilon, factor) }),
        )),
        Promise::Linear { slope, floor, cap } => Some((
            "slope",
            slope.clone(),
            Box::new(move |factor| Promise::Linear { slope: slope * factor, floor: floor.clone(), cap: cap.clone() }),
        )),
        Promise::Fading { group, width, epsilon, factor: own } => Some((
            "factor",
            own.clone(),
            Box::new(move |factor| Promise::Fading {
                group: *group,
                width: *width,
                epsilon: epsilon.clone(),
                factor: own * factor,
            }),
        )),
        Promise::Staircase { .. } | Promise::Table { .. } => None,
    }
}

/// The group size of a promise, and the promise with a smaller one.
fn shrinkable(promise: &Promise) -> Option<(&'static str, u64, Resized<'_>)> {
    match promise {
        Promise::Group { group, epsilon } => {
            Some(("group", *group, Box::new(move |group| Promise::Group { group, epsilon: epsilon.clone() })))
        }
        Promise::CrowdBlending { crowd, epsilon } => {
            Some(("crowd", *crowd, Box::new(move |crowd| Promise::CrowdBlending { crowd, epsilon: epsilon.clone() })))
        }
        Promise::SimpleOutlier { group, epsilon } => {
            Some(("group", *group, Box::new(move |group| Promise::SimpleOutlier { group, epsilon: epsilon.clone() })))
        }
        Promise::SimpleOutlierDp { group, epsilon } => {
            Some(("group", *group, Box::new(move |group| Promise::SimpleOutlierDp { group, epsilon: epsilon.clone() })))
        }
        Promise::DifferentialPrivacy { .. }
        | Promise::Linear { .. }
        | Promise::Fading { .. }
        | Promise::Staircase { .. }
        | Promise::Table { .. } => None,
    }
}

/// Returns about the smallest factor above one, to half a per cent, that fits; nothing up to a thousand.
fn smallest_factor(fits: impl Fn(&Rational) -> bool) -> Option<Rational> {
    let (mut low, mut high) = (Rational::ONE, Rational::from(2u8));
    while !fits(&high) {
        low = high.clone();
        high *= Rational::from(2u8);
        if high > Rational::from(1024u32) {
            return None;
        }
    }
    while (&high - &low) * Rational::from(200u8) > low {
        // Short numbers keep the trial plans quick.
        let middle = rounded(&((&low + &high) / Rational::from(2u8)));
        if middle <= low || middle >= high {
            break;
        }
        if fits(&middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

fn rounded(value: &Rational) -> Rational {
    let parts = Rational::from(1024u32);
    Rational::from((value * &parts).floor()) / parts
}

/// Returns the largest size below `now` that fits, by halving; fitting must not stop as sizes shrink.
fn largest_below(now: u64, fits: impl Fn(u64) -> bool) -> Option<u64> {
    let least = 2.min(now.saturating_sub(1)).max(1);
    if now <= least || !fits(least) {
        return None;
    }
    let (mut good, mut bad) = (least, now);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if fits(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(good)
}
