//! What a sample adds, in words and in fields.
//!
//! Deltas are rounded up; a sentence must say of whom a statement holds, and that a collected sample serves one
//! release. It is separate from the numbers because plan, certificate and report say the same. Read
//! `../page/sampled.rs` for the report.

use super::{DeltaReason, Notion, Point, SampleComparison, SampleOrigin, SampledRelease, Statement};
use crate::delta_text::delta_text;
use crate::refusal::readable;
use crate::request::{PopulationSample, Request};
use incrowd_exact::{Integer, Rational, rational_text, significant_rounding_up};
use incrowd_privacy::{Promise, Tightness};
use serde_json::{Value, json};

/// Digits of a delta that people read.
const DIGITS: usize = 3;

impl SampledRelease {
    /// Returns who is counted at all.
    pub fn words(&self) -> String {
        let sampling = &self.basis.sampling;
        let chance = match (sampling.least() == sampling.most(), sampling.known()) {
            (true, _) => format!("with chance {}", readable(sampling.most())),
            (false, _) => {
                format!("with a chance from {} to {}", readable(sampling.least()), readable(sampling.most()))
            }
        };
        let known = match sampling.known() {
            0 => String::new(),
            1 => ", but for 1 person who may be known to be in or out".to_string(),
            many => format!(", but for {many} people who may be known to be in or out"),
        };
        match self.how {
            SampleOrigin::Tossed => format!(
                "each person is counted {chance}, by secret coins of this release alone, before anything else; counts are of those who are"
            ),
            SampleOrigin::Collected => {
                format!("each person of a population is in the data {chance}{known}, as the request asserts")
            }
        }
    }

    /// Returns what all that is shown means.
    pub fn statement_words(&self, statement: &Statement) -> String {
        match (statement.notion, self.how) {
            (Notion::Everybody, SampleOrigin::Tossed) => format!(
                "because people are sampled first, this release is differentially private{} for everybody, at each of these pairs of epsilon and delta",
                self.also_zero_knowledge()
            ),
            (Notion::Everybody, SampleOrigin::Collected) => format!(
                "if the data is such a sample, this release by itself is differentially private{} for {}, at each of these pairs; releases of one sample do not add up so, and none is charged so",
                self.also_zero_knowledge(),
                self.for_whom()
            ),
            (Notion::Distributional, SampleOrigin::Tossed | SampleOrigin::Collected) => "if the data is such a sample, this release by itself is distributionally differentially private for everybody in it, at each of these pairs: that she is in it is not random, who else is, is (OP Theorem 22); this does not add up".into(),
        }
    }

    /// Of whom a statement about a population holds: who is known to be in the data has no coin that would hide her.
    fn for_whom(&self) -> String {
        match self.basis.sampling.known() {
            0 => "everybody in the population".into(),
            1 => "everybody in the population but the 1 person of whom somebody may know whether she is in the data"
                .into(),
            many => format!(
                "everybody in the population but the {many} people of whom somebody may know whether they are in the data"
            ),
        }
    }

    /// The simulator samples everybody but her: CB Definition 12.
    fn also_zero_knowledge(&self) -> String {
        match self.basis.promise {
            Promise::CrowdBlending { .. } => {
                format!(", and zero-knowledge private ({}),", self.basis.crowd_theorem_source())
            }
            Promise::DifferentialPrivacy { .. }
            | Promise::Group { .. }
            | Promise::SimpleOutlier { .. }
            | Promise::SimpleOutlierDp { .. }
            | Promise::Staircase { .. }
            | Promise::Linear { .. }
            | Promise::Fading { .. }
            | Promise::Table { .. } => String::new(),
        }
    }

    /// Returns what is charged, and which mechanism would serve better.
    pub fn advice(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match (&self.charged, self.how) {
            (Some(point), _) => lines.push(format!(
                "charged as differential privacy with epsilon {}, delta {}: it adds up with every other release, as this sample is its own",
                readable(&point.epsilon),
                delta_words(point)
            )),
            (None, SampleOrigin::Tossed) => lines.push(
                "the promise itself is charged; sampled-epsilon = \"1/2\" in [promise] charges a pair of the table instead".into(),
            ),
            (None, SampleOrigin::Collected) => {
                lines.push("the promise itself is charged, as other releases may be of the same sample".into());
            }
        }
        lines.extend(self.comparison().and_then(|comparison| comparison.words()));
        lines
    }

    /// Returns everything in fields.
    pub fn to_json(&self, request: &Request) -> Value {
        let data = request.data.as_ref();
        let statement = |statement: &Statement| {
            json!({
                "notion": match statement.notion {
                    Notion::Everybody => "differential-privacy",
                    Notion::Distributional => "distributional-differential-privacy",
                },
                "in_words": self.statement_words(statement),
                "curve": statement.curve.iter().map(Point::to_json).collect::<Vec<_>>(),
            })
        };
        json!({
            "sample": data.and_then(|data| data.sample.as_ref()).map(rational_text),
            "sampled": data.and_then(|data| data.sampled.as_ref()).map(|PopulationSample { least, most, known }| {
                json!({ "least": rational_text(least), "most": rational_text(most), "known": known })
            }),
            "in_words": self.words(),
            "statements": self.statements().iter().map(statement).collect::<Vec<_>>(),
            "charged": self.charged.as_ref().map(|point| rational_text(&point.epsilon)),
        })
    }
}

impl Point {
    fn to_json(&self) -> Value {
        json!({
            "epsilon": rational_text(&self.epsilon),
            "delta": delta_text(&self.delta),
            "is": match self.tightness {
                Tightness::Exact => "exact",
                Tightness::UpperBound => "upper bound",
            },
            "by": self.by.words(),
            "others": self.others,
            "by_theorem": self.by_theorem.as_ref().map(delta_text),
        })
    }
}

impl DeltaReason {
    /// Returns why, in words.
    pub fn words(self) -> &'static str {
        match self {
            DeltaReason::Law => "the law that runs",
            DeltaReason::Theorem(source) => source,
            DeltaReason::Amplification => "amplification",
        }
    }
}

/// Returns a delta as people read it, rounded up.
pub fn delta_words(point: &Point) -> String {
    let number = short(&point.delta);
    match point.tightness {
        Tightness::Exact if number == "1e-30" => format!("< {number}"),
        Tightness::Exact => number,
        Tightness::UpperBound if point.delta == Rational::ZERO => number,
        Tightness::UpperBound => format!("<= {number}"),
    }
}

/// Returns a delta with three digits, rounded up; the smallest are not told apart.
pub fn short(delta: &Rational) -> String {
    let least = Rational::ONE / Rational::from(Integer::from(10u8).pow(30));
    match delta {
        delta if delta == &Rational::ZERO => "0".into(),
        delta if delta < &least => "1e-30".into(),
        delta => significant_rounding_up(delta, DIGITS),
    }
}

impl SampleComparison {
    /// Returns which mechanism is best on a sample, where one is.
    fn words(&self) -> Option<String> {
        let least = &self.noise_below;
        if !(least < &self.suppress_below && least < &self.tailored) {
            return None;
        }
        let rate = readable(&self.rate);
        let choice = match self.promised == Rational::ZERO {
            true => format!("if [promise] allowed epsilon {rate}, noise-below would be the best choice on a sample"),
            false => format!("on a sample noise-below with epsilon {rate} is the best choice"),
        };
        Some(format!(
            "{choice}: at epsilon {} its delta is {}, that of suppress-below {} and of tailored-geometric {}. What these two show of few people can be no exact count, so their exact counts betray themselves; under noise-below any value may be either",
            readable(&self.epsilon),
            short(least),
            short(&self.suppress_below),
            short(&self.tailored),
        ))
    }
}
