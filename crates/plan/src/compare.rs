//! Every mechanism that meets the same promise, side by side.
//!
//! Candidates are made from the promise alone, certified like any plan, and left out with their reason where they fail;
//! a mechanism must never be compared at a weaker promise. It is separate because choosing is not planning. Read
//! `want.rs` for the question the other way round.

use crate::delta_text::delta_text;
use crate::plan::{Plan, telling_counts};
use crate::plan_json::{JSON_VERSION, curve_json, utility_json};
use crate::refusal::Refusal;
use crate::request::{MechanismRequest, Request};
use incrowd_exact::Rational;
use incrowd_privacy::{Bound, Curve, Epsilon, MechanismName, Promise};
use serde_json::{Value, json};

/// One mechanism beside the others.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Which.
    pub name: MechanismName,
    /// How it does, or why it cannot.
    pub result: Result<Box<Plan>, Refusal>,
}

/// All mechanisms under one promise.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The counts that are compared.
    pub counts: Vec<u64>,
    /// In a fixed order.
    pub candidates: Vec<Candidate>,
}

impl Comparison {
    /// Returns how every mechanism does under a request's promise.
    pub fn of(request: &Request, counts: Option<&[u64]>) -> Result<Comparison, Refusal> {
        let curve = request.promise.promise.curve();
        let curve = curve.map_err(|_| Refusal::NothingFits { mechanism: "this promise", parameter: "curve" })?;
        let counts = counts.map_or_else(|| telling_counts(&curve), <[u64]>::to_vec);
        let candidates = MechanismName::ALL.into_iter().map(|name| {
            let asked = match &request.mechanism {
                Some(asked) if asked.name == name => asked.clone(),
                Some(_) | None => fitted(name, request, &curve),
            };
            Candidate { name, result: Plan::with(request, Some(&asked), Some(&counts)).map(Box::new) }
        });
        if !request.kind.takes_a_mechanism() {
            return Err(Refusal::NotAHistogram { release: request.kind.name() });
        }
        Ok(Comparison { candidates: candidates.collect(), counts })
    }

    /// Returns the plans of the mechanisms that meet the promise.
    pub fn fitting(&self) -> impl Iterator<Item = (&Candidate, &Plan)> {
        self.candidates.iter().filter_map(|candidate| Some((candidate, candidate.result.as_deref().ok()?)))
    }

    /// Returns the comparison as an object; the request is the one that it was made of.
    pub fn to_json(&self, request: &Request) -> Value {
        let curve = request.promise.promise.curve().map(|curve| curve_json(&curve)).unwrap_or_default();
        let mechanisms = self.candidates.iter().map(|candidate| match &candidate.result {
            Ok(plan) => json!({
                "name": candidate.name.as_str(),
                "meets_promise": true,
                "mechanism": plan.mechanism_json(),
                "delta": delta_text(&plan.certified_delta()),
                "utility": plan.utility.iter().map(utility_json).collect::<Vec<_>>(),
            }),
            Err(refusal) => json!({
                "name": candidate.name.as_str(),
                "meets_promise": false,
                "reason": refusal.to_string(),
                "hint": refusal.hint(),
            }),
        });
        json!({
            "version": JSON_VERSION,
            "command": "compare",
            "request_hash": request.request_hash(),
            "promise": {
                "kind": request.promise.promise.kind(),
                "curve": curve,
                "weakness": self.fitting().find_map(|(_, plan)| plan.weakness()),
            },
            "counts": self.counts,
            "mechanisms": mechanisms.collect::<Vec<_>>(),
        })
    }
}

/// Returns a mechanism with the parameters that suit a curve best, where the promise has none of that name.
///
/// One plain noise must be as strict as the smallest group needs; what is exact above a size starts where the curve is
/// infinite; a step curve gives a ladder its thresholds.
fn fitted(name: MechanismName, request: &Request, curve: &Curve) -> MechanismRequest {
    let mut asked = MechanismRequest::named(name);
    let own = &mut asked.parameters;
    let strictest = curve.epsilon(1);
    let parts = request.bins_per_person();
    let shared = |epsilon: &Epsilon| epsilon.divided_by(parts);
    match name {
        MechanismName::TailoredGeometric | MechanismName::Relay => {}
        MechanismName::SuppressBelow | MechanismName::NoiseBelow => {
            own.crowd = curve.last_finite().map(|last| last + 1);
            own.epsilon = Some(shared(&strictest));
        }
        MechanismName::SuppressUpTo => own.group = curve.last_finite(),
        MechanismName::NoiseUpTo => {
            own.group = curve.last_finite();
            own.epsilon = own.group.and_then(|group| times(&shared(&strictest), group));
        }
        MechanismName::Geometric | MechanismName::Threshold | MechanismName::Range => {
            own.epsilon = Some(shared(&strictest))
        }
        MechanismName::GroupGeometric => {
            own.group = group_of(&request.promise.promise);
            own.epsilon = own.group.and_then(|group| times(&shared(&strictest), group));
        }
        MechanismName::NoisySuppress | MechanismName::NoisyNoise => {
            if let [(group, _)] = steps(curve).as_slice() {
                own.group = Some(*group);
                own.epsilon = Some(shared(&curve.supremum()));
            }
        }
        MechanismName::Staircase => {
            let steps = steps(curve);
            if !steps.is_empty() && steps.len() <= 8 {
                own.thresholds = Some(steps.iter().rev().map(|(to, _)| *to).collect());
                let rest = steps.iter().rev().map(|(_, epsilon)| shared(epsilon));
                own.epsilons = Some(std::iter::once(shared(&curve.supremum())).chain(rest).collect());
            }
        }
        MechanismName::General => {
            own.bound = Some(Bound::NoiseOnCount);
            own.epsilon_a = strictest.finite().map(|epsilon| epsilon / Rational::from(2 * parts));
        }
        MechanismName::Fading => {}
    }
    asked
}

fn times(epsilon: &Epsilon, factor: u64) -> Option<Epsilon> {
    epsilon.finite().map(|epsilon| Epsilon::Finite(epsilon * Rational::from(factor)))
}

/// The steps of a curve that is made of steps: each end with its epsilon; none for other curves.
fn steps(curve: &Curve) -> Vec<(u64, Epsilon)> {
    let runs = curve.runs();
    if runs.iter().any(|run| matches!(run.level, incrowd_privacy::Level::Proportional(_))) {
        return Vec::new();
    }
    runs.iter().filter_map(|run| Some((run.to?, curve.epsilon(run.from)))).collect()
}

fn group_of(promise: &Promise) -> Option<u64> {
    match promise {
        Promise::Group { group, .. }
        | Promise::SimpleOutlier { group, .. }
        | Promise::SimpleOutlierDp { group, .. }
        | Promise::Fading { group, .. } => Some(*group),
        Promise::DifferentialPrivacy { .. }
        | Promise::CrowdBlending { .. }
        | Promise::Staircase { .. }
        | Promise::Linear { .. }
        | Promise::Table { .. } => None,
    }
}
