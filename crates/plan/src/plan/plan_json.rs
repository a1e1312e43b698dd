//! Plans, laws and draws for machines: stable fields, numbers that decide as exact texts.
//!
//! Every object carries `version`; a field must never change its meaning under the same version. It is separate from
//! `words.rs` because machines and people read different things. Read `docs/json.md` for the fields.

use crate::delta_text::delta_text;
use crate::plan::Plan;
use crate::plan::odds::Odds;
use crate::request::CellCount;
use crate::settle::Settled;
use incrowd_exact::{Rational, rational_text, significant, significant_rounding_up};
use incrowd_privacy::{
    Curve, Deployed, Epsilon, Law, Level, Mechanism, Outcome, SideOutput, SideValue, Tightness, Universe, Utility,
};
use serde_json::{Map, Value, json};

/// The version of every object that is printed for machines.
pub const JSON_VERSION: u32 = 1;

/// What a line beside a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoken {
    /// Why a command did not do what was asked.
    Error,
    /// What people should know, though nothing ends by it.
    Warning,
    /// What is only to be noted.
    Note,
}

impl Spoken {
    /// Returns `error`, `warning` or `note`.
    pub fn as_str(self) -> &'static str {
        match self {
            Spoken::Error => "error",
            Spoken::Warning => "warning",
            Spoken::Note => "note",
        }
    }
}

/// Returns what a command says to machines beside its result.
pub fn spoken_json(command: &str, spoken: Spoken, message: &str, hint: &str) -> Value {
    let level = spoken.as_str();
    let mut object = json!({
        "version": JSON_VERSION, "command": command, "level": level, "message": message, "hint": hint,
    });
    object[level] = json!(message);
    object
}

/// Returns what a command says to machines where it fails.
pub fn failure_json(command: &str, message: &str, hint: &str, exit_code: u8) -> Value {
    let mut object = spoken_json(command, Spoken::Error, message, hint);
    object["exit_code"] = json!(exit_code);
    object
}

/// Proportional stretches up to this long are written count by count.
const EXPANDED: u64 = 10_000;

impl Plan {
    /// Returns the plan as an object.
    pub fn to_json(&self) -> Value {
        let cost = self.cost();
        let mut object = json!({
            "version": JSON_VERSION,
            "command": "plan",
            "request_hash": self.request.request_hash(),
            "release": self.request.kind.name(),
            "unit": {
                "in_words": self.unit_words(),
                "bins_per_person": self.request.bins_per_person(),
                "neighbours": "add or remove one person",
            },
            "universe": universe_json(self),
            "policy": self.request.policy.map(|policy| policy.name),
            "promise": {
                "kind": self.request.promise.promise.kind(),
                "notion": self.notion(),
                "delta": rational_text(&self.request.promise.delta.clone().unwrap_or(Rational::ZERO)),
                "curve": curve_json(&self.curve),
                "in_words": self.odds_words(),
                "odds": self.odds().iter().map(Odds::to_json).collect::<Vec<_>>(),
                "implies": self.implications(),
                "weakness": self.weakness(),
            },
            "mechanism": self.mechanism_json(),
            "meets_promise": true,
            "theorem": {
                "source": self.theorem.source,
                "statement": self.theorem.statement,
                "parameters": self.theorem.parameters.iter()
                    .map(|(name, values)| ((*name).to_string(), numbers(values)))
                    .collect::<Map<_, _>>(),
            },
            "exact": self.exact.iter().map(|at| json!({
                "count": at.count,
                "epsilon": at.epsilon.to_string(),
                "delta": delta_text(&at.delta.upper_bound()),
                "is": tightness_text(at.delta.tightness),
            })).collect::<Vec<_>>(),
            "worst": {
                "count": self.worst.count,
                "epsilon": self.worst.epsilon.to_string(),
                "delta": delta_text(&self.worst.delta.upper_bound()),
                "is": tightness_text(self.worst.delta.tightness),
            },
            "totals": self.totals_json(),
            "statistics": self.statistics_json(),
            "worst_case_dp": match &cost.epsilon {
                Epsilon::Finite(epsilon) => json!({ "epsilon": rational_text(epsilon), "delta": delta_text(&cost.delta) }),
                Epsilon::Infinite => Value::Null,
            },
            "sampling": self.sampled.as_ref().map(|sampled| {
                let mut object = sampled.to_json(&self.request);
                object["advice"] = json!(sampled.advice());
                object
            }),
            "utility": self.utility.iter().map(utility_json).collect::<Vec<_>>(),
            "shows": self.shows_json(),
            "caveats": self.caveats(),
            "periods": self.kind.period_words(),
            "truncation": self.truncation_json(),
            "published_names": self.names_json(),
            "empty_cells": self.empty_json(),
        });
        for (field, value) in self.kind_json() {
            object[field] = value;
        }
        object
    }
}

impl Plan {
    /// Returns the mechanism, and whether it is the best for its promise.
    pub fn mechanism_json(&self) -> Value {
        let mut object = mechanism_json(&self.settled);
        object["optimal"] = json!(self.optimal);
        object
    }
}

fn universe_json(plan: &Plan) -> Value {
    let kind = match plan.settled.deployed.universe {
        Universe::Closed => "closed",
        Universe::Open => "open",
    };
    let size = match plan.request.cells() {
        CellCount::Declared(cells) => json!(cells.to_string()),
        CellCount::Found | CellCount::Unstated => Value::Null,
    };
    json!({ "kind": kind, "declared": plan.request.cells() != CellCount::Unstated, "size": size })
}

/// Returns the runs of a curve; short proportional stretches are written out, long ones carry a `slope`.
pub fn curve_json(curve: &Curve) -> Value {
    let mut runs = Vec::new();
    for run in curve.runs() {
        match (&run.level, run.to) {
            (Level::Constant(epsilon), to) => {
                runs.push(json!({ "from": run.from, "to": to, "epsilon": epsilon.to_string() }));
            }
            (Level::Proportional(_), Some(to)) if to - run.from < EXPANDED => {
                runs.extend(
                    (run.from..=to).map(
                        |count| json!({ "from": count, "to": count, "epsilon": curve.epsilon(count).to_string() }),
                    ),
                );
            }
            (Level::Proportional(slope), to) => runs.push(json!({
                "from": run.from, "to": to, "epsilon": format!("{} per person", rational_text(slope)),
                "slope": rational_text(slope),
            })),
        }
    }
    Value::Array(runs)
}

/// Returns a mechanism with its parameters, spelt as in a request.
pub fn mechanism_json(settled: &Settled) -> Value {
    json!({
        "name": settled.deployed.mechanism.name(),
        "parameters": parameters_json(&settled.deployed, settled),
        "found": settled.found,
    })
}

fn parameters_json(deployed: &Deployed, settled: &Settled) -> Value {
    let rate = |epsilon: &Rational| json!(rational_text(epsilon));
    let mut parameters = match &deployed.mechanism {
        Mechanism::TailoredGeometric { .. } => json!({}),
        Mechanism::Relay { table, .. } => {
            json!({ "delta": rational_text(&settled.delta), "cells": table.cells(), "closed-at": table.closed_at() })
        }
        Mechanism::SuppressBelow { crowd } => json!({ "crowd": crowd }),
        Mechanism::NoiseBelow { crowd, epsilon } => json!({ "crowd": crowd, "epsilon": rate(epsilon) }),
        Mechanism::SuppressUpTo { group } => json!({ "group": group }),
        Mechanism::NoiseUpTo { group, epsilon } | Mechanism::GroupGeometric { group, epsilon } => {
            json!({ "group": group, "epsilon": rate(epsilon) })
        }
        Mechanism::Geometric { epsilon } => json!({ "epsilon": rate(epsilon) }),
        Mechanism::NoisySuppress { group, epsilon, offset } | Mechanism::NoisyNoise { group, epsilon, offset } => {
            json!({ "group": group, "epsilon": rate(epsilon), "offset": offset })
        }
        Mechanism::Staircase { epsilons, levels, side_output } => json!({
            "thresholds": settled.thresholds(),
            "epsilons": epsilons.iter().map(Epsilon::to_string).collect::<Vec<_>>(),
            "levels": levels,
            "publish-levels": *side_output == SideOutput::Published,
        }),
        Mechanism::General { bound, side_output } => json!({
            "bound": bound.parameters().bound.name(),
            "epsilon-a": rate(&bound.parameters().epsilon_a),
            "delta-a": bound.parameters().delta_a.as_ref().map(rational_text),
            "grid": rate(&bound.parameters().grid),
            "alpha": rate(&bound.parameters().alpha),
            "publish-epsilon": *side_output == SideOutput::Published,
        }),
        Mechanism::Fading { .. } => {
            let given = &settled.asked.parameters;
            json!({
                "group": given.group,
                "width": given.width,
                "epsilon": given.epsilon.as_ref().map(Epsilon::to_string),
                "factor": given.factor.as_ref().map_or_else(|| "1".to_string(), rational_text),
            })
        }
        Mechanism::Threshold { epsilon, threshold } => json!({ "epsilon": rate(epsilon), "threshold": threshold }),
        Mechanism::Range { epsilon, half_width } => json!({ "epsilon": rate(epsilon), "half-width": half_width }),
    };
    if let (Some(from), Value::Object(map)) = (deployed.publish_from, &mut parameters) {
        map.insert("threshold".into(), json!(from));
    }
    parameters
}

/// Returns what to expect at one count.
pub fn utility_json(utility: &Utility) -> Value {
    json!({
        "count": utility.count,
        "mean_absolute_error": utility.mean_absolute_error,
        "suppressed": utility.suppressed,
        "low": utility.usual.map(|usual| usual.0),
        "high": utility.usual.map(|usual| usual.1),
        "scaled_up_error": utility.scaled_up_error,
    })
}

/// Returns the exact law of a bin as an object.
pub fn law_json(settled: &Settled, count: u64, law: &Law) -> Value {
    json!({
        "version": JSON_VERSION,
        "command": "law",
        "count": count,
        "mechanism": mechanism_json(settled),
        "meets_promise": settled.meets_promise(),
        "outcomes": law.lines.iter().map(|line| {
            let mut object = outcome_json(&line.outcome, &line.side_value);
            if let Value::Object(map) = &mut object {
                let middle = (line.probability.lower() + line.probability.upper()) / Rational::from(2u8);
                map.insert("probability".into(), json!(significant(&middle, 24)));
            }
            object
        }).collect::<Vec<_>>(),
        "truncated_mass": significant_rounding_up(&law.truncated, 3),
    })
}

/// Returns one thing that a bin may show.
pub fn outcome_json(outcome: &Outcome, side_value: &SideValue) -> Value {
    let value = match outcome {
        Outcome::Suppressed => json!("suppressed"),
        Outcome::AtMost(limit) => json!({ "at_most": limit }),
        Outcome::Value(value) => json!(value),
        Outcome::Range(low, high) => json!([low, high]),
    };
    let mut object = json!({ "value": value });
    if let Value::Object(map) = &mut object {
        match side_value {
            SideValue::Nothing => {}
            SideValue::Levels(levels) => {
                map.insert("levels".into(), json!(levels.iter().map(|fired| u8::from(*fired)).collect::<Vec<_>>()));
            }
            SideValue::EpsilonTotal(epsilon) => {
                map.insert("epsilon_total".into(), json!(epsilon.to_string()));
            }
        }
    }
    object
}

fn tightness_text(tightness: Tightness) -> &'static str {
    match tightness {
        Tightness::Exact => "exact",
        Tightness::UpperBound => "upper bound",
    }
}

fn numbers(values: &[i64]) -> Value {
    match values {
        [one] => json!(one),
        many => json!(many),
    }
}
