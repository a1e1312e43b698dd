//! The sentences of a certificate: what is assumed, what is not protected, what was done to published values.
//!
//! Each is chosen by the plan; it must never promise more than `PROMISE.md`. It is separate because people argue about
//! words and machines about numbers. Read `../words.rs` for the sentences of a plan.

use super::Randomness;
use crate::plan::Plan;
use crate::request::{Estimate, Unit};
use incrowd_privacy::{Mechanism, Universe};
use serde_json::{Value, json};

/// What is said about time.
pub(super) const TIMING: &str = "not protected: draws look up tables by secret bits, and rare ones take longer; no duration, memory size or progress is published";

/// What was done to the values that the mechanism drew, in order.
///
/// A verifier reads the parameters of each step back.
pub(super) fn postprocessing(plan: &Plan) -> Vec<Value> {
    let deployed = &plan.settled.deployed;
    let output = &plan.request.output;
    let mut steps = Vec::new();
    if let Some(from) = deployed.publish_from {
        steps.push(json!({
            "step": "threshold",
            "from": from.to_string(),
            "in_words": "values below the threshold are not published; the account includes this",
        }));
    }
    steps.push(json!({
        "step": "interval",
        "in_words": "low and high enclose the counts that leave more than 2.5 % on either side of the published value, given that it is published; computed from published values alone; empty where the law is too large to sum",
    }));
    match (output.estimate, output.prior) {
        (None, _) => {}
        (Some(Estimate::Clamped), _) => steps.push(json!({
            "step": "estimate",
            "kind": Estimate::Clamped.as_str(),
            "in_words": "the published value, at least 0; biased upwards for small counts",
        })),
        (Some(Estimate::PosteriorMedian), prior) => steps.push(json!({
            "step": "estimate",
            "kind": Estimate::PosteriorMedian.as_str(),
            "prior": prior.map(|prior| json!([prior.low.to_string(), prior.high.to_string()])),
            "in_words": "the median count given the published value, if all counts of the prior are equally likely beforehand",
        })),
        (Some(Estimate::Unbiased), _) => steps.push(json!({
            "step": "estimate",
            "kind": Estimate::Unbiased.as_str(),
            "in_words": "a value whose mean is the count; shown as a binary float, for sums",
        })),
    }
    if let Some(rounding) = output.rounding.filter(|step| *step > 1) {
        steps.push(json!({
            "step": "rounding",
            "to": rounding.to_string(),
            "in_words": "last of all, what is shown is rounded: counts and estimates to the nearest multiple, low down, high up",
        }));
    }
    steps
}

pub(super) fn randomness(randomness: Randomness) -> Value {
    match randomness {
        Randomness::OperatingSystem => json!({
            "kind": "operating-system",
            "in_words": "a fresh secret of 256 bits of the operating system for this charge, never stored; each bin draws from its own stream of keyed BLAKE3",
        }),
        Randomness::KnownSeed => json!({
            "kind": "known-seed",
            "in_words": "NOT PRIVATE: a known seed on synthetic data; anybody can repeat the draws",
        }),
    }
}

pub(super) fn assumptions(plan: &Plan, randomness: Randomness) -> Vec<String> {
    let mut lines: Vec<&str> = Vec::new();
    match plan.request.data.as_ref().map(|data| &data.unit) {
        None | Some(Unit::Row) => lines.push("one row is one person: asserted, not checked"),
        Some(Unit::People { .. }) => {
            lines.push("each row stands for as many persons as its column says, and no person is in two rows: asserted, not checked")
        }
        Some(Unit::Person { .. }) => {
            lines.push("a person's identifier does not change when somebody joins or leaves, and belongs to one person")
        }
    }
    if plan.request.data.as_ref().is_some_and(|data| data.split.is_some()) {
        lines.push("the column of the split is a public function of the person, so nobody is in two parts of a snapshot: asserted, not checked");
    }
    lines.push("the snapshot names one immutable state of the data: declared, not checked");
    lines.push("bins, thresholds and the promise itself were chosen without looking at the data");
    match randomness {
        Randomness::OperatingSystem => lines.push(
            "the random bits of the operating system are unpredictable and keyed BLAKE3 is pseudo-random: the guarantee is exact for ideal bits and computational for real ones",
        ),
        Randomness::KnownSeed => lines.push("none that would help: the seed is known, so nothing here is private"),
    }
    lines.push("the steward's machine, process and screen are not watched");
    if plan.request.data.as_ref().is_some_and(|data| data.sampled.is_some()) {
        lines.push("the data is an independent sample of a population with the stated chances: asserted, not checked");
    }
    lines.into_iter().map(String::from).collect()
}

pub(super) fn not_protected(plan: &Plan) -> Vec<String> {
    let mut lines = plan.caveats();
    if let Some(last) = plan.curve.last_finite() {
        lines.push(format!(
            "nothing is promised to people in groups of more than {last}: such counts may be published as they are"
        ));
    } else if plan.curve.constant_from().is_none() {
        lines.push("epsilon grows with the size of the group without end: people in very large groups are promised next to nothing".into());
    }
    if plan.settled.deployed.universe == Universe::Open {
        lines.push("that a bin is shown at all says that somebody is in it".into());
    }
    if let Mechanism::Range { .. } = plan.settled.deployed.mechanism {
        lines.push("a published range surely holds the true count".into());
    }
    lines.push("what is true of a crowd may be published, and may harm its members".into());
    lines.push("the declared bins, their names and the request itself are public".into());
    lines.push("time and memory of the computation".into());
    lines.push(
        "whoever can rewrite the whole ledger can hide a charge: compare its head with a copy kept elsewhere".into(),
    );
    lines.push(
        "other releases about the same people, of other accounts or other software, add to what is learnt".into(),
    );
    lines
}
