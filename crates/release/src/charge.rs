//! What a plan costs, as the ledger takes it.
//!
//! Charged is what is certified, rounded up, never above what was asked; everything is a function of the plan alone. It
//! must never depend on data. It is separate because every kind of release is charged in the same way. Read
//! `release.rs` next.

use crate::plan::{Plan, RequestedPlan};
use crate::refusal::Refusal;
use incrowd_definition::Reading;
use incrowd_exact::{Rational, parse_number, significant_rounding_up};
use incrowd_ledger::{AccountName, Charge};
use incrowd_privacy::Promise;

/// How many digits of a delta are charged.
pub(crate) const DIGITS: usize = 12;

/// Returns what a plan costs; `reading` is how the values that it counts are stored.
pub fn charge(plan: &RequestedPlan, reading: &Reading) -> Result<Charge, Refusal> {
    price(plan.plan(), reading)
}

/// Returns what a plan would cost, to be added up.
pub(crate) fn price(plan: &Plan, reading: &Reading) -> Result<Charge, Refusal> {
    let request = plan.request();
    let account = account(plan)?;
    let cost = plan.cost();
    let periods = Rational::from(request.periods_per_person());
    let asked = request.promise.delta.as_ref().map(|delta| delta * &periods);
    let delta = rounded_up(&cost.delta, asked.as_ref());
    // A fresh sample is charged as what it is to everybody, so that it adds up with everything.
    let sampled = plan.sampled().and_then(|sampled| sampled.charged_as(&delta));
    let promise = sampled.as_ref().unwrap_or(&request.promise);
    Ok(Charge {
        account,
        snapshot: request.ledger.snapshot_name().to_string(),
        plan_hash: request.request_hash(),
        binning: request.binning_text(Some(&reading.canonical())),
        promise: sampled.as_ref().map_or_else(|| request.promise_text(), |promise| promise.text()),
        kind: promise.promise.kind().to_string(),
        epsilon: cost.epsilon,
        delta,
        smallest_group: group(&promise.promise),
    })
}

/// Returns the account that pays.
pub fn account(plan: &Plan) -> Result<AccountName, Refusal> {
    let Some(dataset) = &plan.request().ledger.dataset else { return Err(Refusal::NoDataset) };
    AccountName::new(dataset).map_err(|_| Refusal::AccountName)
}

fn rounded_up(delta: &Rational, asked: Option<&Rational>) -> Rational {
    let shorter = parse_number(&significant_rounding_up(delta, DIGITS)).unwrap_or_else(|_| delta.clone());
    let shorter = if shorter < *delta { delta.clone() } else { shorter };
    match asked {
        Some(asked) if *asked < shorter && *asked >= *delta => asked.clone(),
        Some(_) | None => shorter,
    }
}

/// The size of group that a promise names.
fn group(promise: &Promise) -> Option<u64> {
    match promise {
        Promise::Group { group, .. }
        | Promise::SimpleOutlier { group, .. }
        | Promise::SimpleOutlierDp { group, .. }
        | Promise::Fading { group, .. } => Some(*group),
        Promise::CrowdBlending { crowd, .. } => Some(*crowd),
        Promise::Staircase { thresholds, .. } => thresholds.last().copied(),
        Promise::DifferentialPrivacy { .. } | Promise::Linear { .. } | Promise::Table { .. } => None,
    }
}
