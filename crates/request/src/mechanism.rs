//! The mechanism as it is asked for.
//!
//! Reads a name and the parameters that were written; it must never accept a parameter that the mechanism would
//! ignore. It is separate from `promise.rs` because a promise can be kept in many ways. Read `parameters.rs` next.

use super::error::{RequestError, quoted};
use super::fields::Fields;
use super::number::Whole;
use super::parameters::Parameters;
use incrowd_exact::parse_number;
use incrowd_privacy::{Bound, MechanismName, Promise};

/// The mechanism that is asked for, with what was said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MechanismRequest {
    /// Which one.
    pub name: MechanismName,
    /// How free parameters are found.
    pub accounting: Accounting,
    /// Publish only values of at least this, 1 to 10^12.
    pub threshold: Option<u64>,
    /// What was written, and nothing else; only what the mechanism takes.
    pub parameters: Parameters,
}

/// How free parameters are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accounting {
    /// By the exact law of what runs.
    Exact,
    /// By the paper's theorem.
    Theorem,
}

impl Accounting {
    /// Both.
    pub const ALL: [Accounting; 2] = [Accounting::Exact, Accounting::Theorem];

    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            Accounting::Exact => "exact",
            Accounting::Theorem => "theorem",
        }
    }
}

impl MechanismRequest {
    /// Returns the mechanism of that name with nothing else said.
    pub fn named(name: MechanismName) -> Self {
        MechanismRequest { name, accounting: Accounting::Exact, threshold: None, parameters: Parameters::default() }
    }

    /// Returns the same with every default filled in: the promise's parameter of the same name, or a fixed value.
    ///
    /// `factor` is never taken from the promise: there it loosens what is promised, not what runs (LN Theorem 8).
    pub fn filled(&self, promise: &Promise) -> Self {
        let mut filled = self.clone();
        let takes = |name: &str| self.name.parameters().contains(&name);
        let own = &mut filled.parameters;
        let theirs = Parameters::of_promise(promise);
        if takes("crowd") {
            own.crowd = own.crowd.or(theirs.crowd);
        }
        if takes("group") {
            own.group = own.group.or(theirs.group);
        }
        if takes("epsilon") {
            own.epsilon = own.epsilon.take().or(theirs.epsilon);
        }
        if takes("thresholds") {
            own.thresholds = own.thresholds.take().or(theirs.thresholds);
            own.epsilons = own.epsilons.take().or(theirs.epsilons);
            own.publish_levels = own.publish_levels.or(Some(false));
        }
        if takes("width") {
            own.width = own.width.or(theirs.width);
        }
        if takes("bound") {
            own.bound = own.bound.or(Some(Bound::NoiseOnCount));
            own.grid = own.grid.take().or_else(|| parse_number("1/1000").ok());
            own.publish_epsilon = own.publish_epsilon.or(Some(false));
        }
        filled
    }

    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let name = fields.required("name")?.choice(&MechanismName::ALL, MechanismName::as_str)?;
        refuse_foreign(fields, name)?;
        Ok(MechanismRequest {
            name,
            accounting: fields.choice("accounting", &Accounting::ALL, Accounting::as_str)?.unwrap_or(Accounting::Exact),
            threshold: fields.whole("threshold", Whole::PEOPLE)?,
            parameters: Parameters::read(fields, name)?,
        })
    }
}

fn refuse_foreign(fields: &Fields<'_>, name: MechanismName) -> Result<(), RequestError> {
    let common = ["name", "accounting", "threshold"];
    let own = name.parameters();
    let written = fields.written().map(|key| key.name);
    let Some(foreign) = written.into_iter().find(|key| !common.contains(key) && !own.contains(key)) else {
        return Ok(());
    };
    let listed = own.iter().chain(&common[1..]).map(|key| quoted(key)).collect::<Vec<_>>().join(", ");
    let follows = if own.is_empty() { "it follows the promise; it takes" } else { "it takes" };
    let message = format!("mechanism {} does not take {}", name.as_str(), quoted(foreign));
    Err(fields.refuse_key(foreign, message).hint(format!("{follows}: {listed}")))
}
