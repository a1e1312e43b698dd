//! The promise as it is asked for.
//!
//! Reads the name of a notion and its parameters; it must never accept a parameter that the notion does not have, nor
//! a curve that protects large groups better than small ones. It is separate because this section alone is the
//! promise. Read `mechanism.rs` next.

use super::error::{RequestError, quoted};
use super::fields::Fields;
use super::number::{Bounds, Whole};
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

/// Keys that every notion takes.
const OF_EVERY_KIND: [&str; 3] = ["kind", "delta", "sampled-epsilon"];

/// Returns the names of all kinds of promise.
pub fn promise_kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name)
}

impl PromiseRequest {
    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let kind = fields.required("kind")?.choice(&KINDS.each_ref(), |kind: &Kind| kind.name)?;
        refuse_foreign(fields, kind)?;
        refuse_missing(fields, kind)?;
        let delta = fields.number("delta", Bounds::Delta)?;
        let sampled_epsilon = fields.number("sampled-epsilon", Bounds::PositiveEpsilon)?;
        let promise = (kind.read)(fields)?;
        match promise.curve() {
            Ok(_) => Ok(PromiseRequest { promise, delta, sampled_epsilon }),
            Err(error) => Err(explain(fields, &promise, &error)),
        }
    }
}

fn refuse_foreign(fields: &Fields<'_>, kind: &Kind) -> Result<(), RequestError> {
    let takes = |key: &&str| kind.needs.contains(key) || kind.may_have.contains(key) || OF_EVERY_KIND.contains(key);
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
