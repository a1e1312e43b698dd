//! The promise as it is asked for.
//!
//! Reads the name of a notion and its parameters, or odds; it must never accept a parameter that the notion does not
//! have, nor a curve that protects large groups better than small ones. It is separate because this section alone is
//! the promise. Read `odds.rs` next, then `mechanism.rs`.

use super::error::{RequestError, quoted};
use super::fields::{Fields, Item};
use super::node::Node;
use super::number::{Bounds, Whole};
use super::odds;
use super::tried::instead_of_kind;
use incrowd_exact::Rational;
use incrowd_privacy::{CurveError, Epsilon, Promise, PromiseError};

/// What is asked to be promised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromiseRequest {
    /// The notion with its parameters; `promise.curve()` is known to succeed.
    pub promise: Promise,
    /// By how much chances may differ beyond epsilon, at least 0 and below 1, if the request says.
    pub delta: Option<Rational>,
    /// The epsilon as which a sampled release is charged, above 0, if the request says.
    pub sampled_epsilon: Option<Rational>,
}

/// A notion of privacy and the keys that it takes beside those of every notion.
pub(super) struct Kind {
    pub name: &'static str,
    pub needs: &'static [&'static str],
    pub may_have: &'static [&'static str],
    read: fn(&Fields<'_>) -> Result<Promise, RequestError>,
}

/// Every notion.
pub(super) static KINDS: [Kind; 9] = [
    Kind { name: "differential-privacy", needs: &["epsilon"], may_have: &[], read: differential_privacy },
    Kind { name: "group", needs: &["group", "epsilon"], may_have: &[], read: group },
    Kind { name: "crowd-blending", needs: &["crowd", "epsilon"], may_have: &[], read: crowd_blending },
    Kind { name: "simple-outlier", needs: &["group", "epsilon"], may_have: &[], read: simple_outlier },
    Kind { name: "simple-outlier-dp", needs: &["group", "epsilon"], may_have: &[], read: simple_outlier_dp },
    Kind { name: "staircase", needs: &["thresholds", "epsilons"], may_have: &[], read: staircase },
    Kind { name: "linear", needs: &["slope"], may_have: &["floor", "cap"], read: linear },
    Kind { name: "fading", needs: &["group", "width", "epsilon"], may_have: &["factor"], read: fading },
    Kind { name: "table", needs: &["values"], may_have: &[], read: table },
];

/// Keys that go with every promise, however it is said, and alone may stand beside a policy.
pub(super) const BESIDE_A_POLICY: [&str; 2] = ["delta", "sampled-epsilon"];

/// Returns the names of all kinds of promise.
pub fn promise_kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name)
}

impl PromiseRequest {
    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let by_odds = odds::KEYS.into_iter().find(|key| fields.has(key));
        let promise = match (fields.item("kind"), by_odds) {
            (Some(kind), None) => named(fields, &kind)?,
            (None, Some(_)) => said_by_odds(fields)?,
            (Some(_), Some(key)) => {
                let message = format!("`{key}` says the promise by odds, and `kind` by its name: one of both");
                return Err(fields.refuse_key(key, message).hint(format!("by odds: {}", odds::EXAMPLE)));
            }
            (None, None) => {
                let hint = format!("by odds: {}; or by its name: {}", odds::EXAMPLE, fields.about("kind"));
                return Err(fields.refuse("[promise] needs `kind`, or `odds`").hint(hint));
            }
        };
        PromiseRequest::under(promise, fields)
    }

    /// Reads what stands beside a promise that is known.
    pub(super) fn under(promise: Promise, fields: &Fields<'_>) -> Result<Self, RequestError> {
        let delta = fields.number("delta", Bounds::Delta)?;
        let sampled_epsilon = fields.number("sampled-epsilon", Bounds::PositiveEpsilon)?;
        match promise.curve() {
            Ok(_) => Ok(PromiseRequest { promise, delta, sampled_epsilon }),
            Err(error) => Err(explain(fields, &promise, &error)),
        }
    }
}

/// Reads a promise by the name that the literature has for it.
fn named(fields: &Fields<'_>, item: &Item<'_>) -> Result<Promise, RequestError> {
    let chosen = item.choice(&KINDS.each_ref(), |kind: &Kind| kind.name);
    let kind = chosen.map_err(|error| match item.value() {
        Node::Text(text) => match instead_of_kind(text) {
            Some(instead) => error.hint(instead),
            None => error,
        },
        Node::Integer { .. } | Node::Float(_) | Node::Flag(_) | Node::Day(_) | Node::List(_) | Node::Section(_) => {
            error
        }
    })?;
    refuse_foreign(fields, kind)?;
    refuse_missing(fields, kind)?;
    (kind.read)(fields)
}

fn said_by_odds(fields: &Fields<'_>) -> Result<Promise, RequestError> {
    let takes = |key: &str| odds::KEYS.contains(&key) || BESIDE_A_POLICY.contains(&key);
    if let Some(foreign) = fields.written().find(|key| !takes(key.name)) {
        let message = format!("a promise by odds does not take `{}`", foreign.name);
        let hint = format!("it takes: {}, `delta`, `sampled-epsilon`", odds::KEYS.map(quoted).join(", "));
        return Err(fields.refuse_key(foreign.name, message).hint(hint));
    }
    odds::read(fields)
}

fn refuse_foreign(fields: &Fields<'_>, kind: &Kind) -> Result<(), RequestError> {
    let always = |key: &&str| *key == "kind" || BESIDE_A_POLICY.contains(key);
    let takes = |key: &&str| kind.needs.contains(key) || kind.may_have.contains(key) || always(key);
    let Some(foreign) = fields.written().map(|key| key.name).find(|key| !takes(key)) else { return Ok(()) };
    let listed = kind.needs.iter().chain(kind.may_have).chain(&["delta"]).map(|key| quoted(key)).collect::<Vec<_>>();
    // Who writes `group` for a crowd has left out the crowd.
    let meant = kind.needs.iter().find(|key| !fields.has(key));
    let meant = meant.map_or_else(String::new, |key| format!("did you mean `{key}`? "));
    let message = format!("promise kind {} does not take {}", kind.name, quoted(foreign));
    Err(fields.refuse_key(foreign, message).hint(format!("{meant}It takes: {}", listed.join(", "))))
}

fn refuse_missing(fields: &Fields<'_>, kind: &Kind) -> Result<(), RequestError> {
    let missing: Vec<&str> = kind.needs.iter().copied().filter(|key| !fields.has(key)).collect();
    let Some(first) = missing.first() else { return Ok(()) };
    let needs = kind.needs.iter().map(|key| quoted(key)).collect::<Vec<_>>();
    let words = match needs.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    };
    let about = fields.about(first);
    let absent = missing.iter().map(|key| quoted(key)).collect::<Vec<_>>().join(", ");
    let hint = format!("missing: {absent}. {about}");
    Err(fields.refuse_value("kind", format!("promise kind {} needs {words}", kind.name)).hint(hint))
}

fn whole(fields: &Fields<'_>, key: &'static str) -> Result<u64, RequestError> {
    fields.required(key)?.whole(Whole::PEOPLE)
}

fn epsilon(fields: &Fields<'_>) -> Result<Epsilon, RequestError> {
    fields.required("epsilon")?.epsilon()
}

fn epsilons(fields: &Fields<'_>, key: &'static str) -> Result<Vec<Epsilon>, RequestError> {
    fields.required(key)?.list()?.iter().map(|item| item.epsilon()).collect()
}

fn differential_privacy(fields: &Fields<'_>) -> Result<Promise, RequestError> {
    Ok(Promise::DifferentialPrivacy { epsilon: epsilon(fields)? })
}

fn group(fields: &Fields<'_>) -> Result<Promise, RequestError> {
    Ok(Promise::Group { group: whole(fields, "group")?, epsilon: epsilon(fields)? })
}

fn crowd_blending(fields: &Fields<'_>) -> Result<Promise, RequestError> {
    Ok(Promise::CrowdBlending { crowd: whole(fields, "crowd")?, epsilon: epsilon(fields)? })
}

fn simple_outlier(fields: &Fields<'_>) -> Result<Promise, RequestError> {
    Ok(Promise::SimpleOutlier { group: whole(fields, "group")?, epsilon: epsilon(fields)? })
}

fn simple_outlier_dp(fields: &Fields<'_>) -> Result<Promise, RequestError> {
    Ok(Promise::SimpleOutlierDp { group: whole(fields, "group")?, epsilon: epsilon(fields)? })
}

fn staircase(fields: &Fields<'_>) -> Result<Promise, RequestError> {
    let items = fields.required("thresholds")?.list()?;
    let thresholds = items.iter().map(|item| item.whole(Whole::PEOPLE)).collect::<Result<_, _>>()?;
    Ok(Promise::Staircase { thresholds, epsilons: epsilons(fields, "epsilons")? })
}

fn linear(fields: &Fields<'_>) -> Result<Promise, RequestError> {
    Ok(Promise::Linear {
        slope: fields.required("slope")?.number(Bounds::FiniteEpsilon)?,
        floor: fields.number("floor", Bounds::FiniteEpsilon)?.unwrap_or(Rational::ZERO),
        cap: fields.epsilon("cap")?.unwrap_or(Epsilon::Infinite),
    })
}

fn fading(fields: &Fields<'_>) -> Result<Promise, RequestError> {
    Ok(Promise::Fading {
        group: whole(fields, "group")?,
        width: whole(fields, "width")?,
        epsilon: fields.required("epsilon")?.number(Bounds::PositiveEpsilon)?,
        factor: fields.number("factor", Bounds::PositiveEpsilon)?.unwrap_or(Rational::ONE),
    })
}

fn table(fields: &Fields<'_>) -> Result<Promise, RequestError> {
    Ok(Promise::Table { values: epsilons(fields, "values")? })
}

/// Returns the error of a curve at the key, or the entry of the table, that is to blame.
fn explain(fields: &Fields<'_>, promise: &Promise, error: &PromiseError) -> RequestError {
    let message = error.to_string();
    let key = match error {
        PromiseError::TooSmall { parameter, .. }
        | PromiseError::NotDescending { parameter }
        | PromiseError::NotPositive { parameter } => parameter,
        PromiseError::Lengths { .. } => "epsilons",
        PromiseError::Width => "width",
        PromiseError::TooManyValues | PromiseError::Curve(_) => main_key(promise),
    };
    let count = match error {
        PromiseError::Curve(CurveError::Decreasing { count } | CurveError::Negative { count }) => Some(*count),
        PromiseError::Curve(CurveError::NothingPromised) => Some(1),
        PromiseError::Curve(CurveError::Empty)
        | PromiseError::TooSmall { .. }
        | PromiseError::NotDescending { .. }
        | PromiseError::NotPositive { .. }
        | PromiseError::Lengths { .. }
        | PromiseError::Width
        | PromiseError::TooManyValues => None,
    };
    let entries = if key == "values" { fields.list("values").ok().flatten() } else { None };
    let entry = count.and_then(|count| usize::try_from(count).ok()?.checked_sub(1));
    match entries.as_ref().zip(entry).and_then(|(entries, entry)| entries.get(entry)) {
        Some(entry) => entry.refuse(message),
        None => fields.refuse_value(key, message),
    }
}

fn main_key(promise: &Promise) -> &'static str {
    match promise {
        Promise::DifferentialPrivacy { .. }
        | Promise::Group { .. }
        | Promise::CrowdBlending { .. }
        | Promise::SimpleOutlier { .. }
        | Promise::SimpleOutlierDp { .. } => "epsilon",
        Promise::Staircase { .. } => "epsilons",
        Promise::Linear { .. } => "slope",
        Promise::Fading { .. } => "group",
        Promise::Table { .. } => "values",
    }
}
