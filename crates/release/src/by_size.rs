//! Errors by the size of a group, at enough sizes to draw a line through them.
//!
//! Sizes come from the request and from laws, never from data; a straight line may be drawn only between sizes whose errors are
//! near each other, or that are neighbours. It is separate because plans, comparisons and reports draw the same line. Read
//! `plan.rs` for the figures of a table.

use crate::plan::Plan;
use incrowd_privacy::{Curve, Deployed};
use std::collections::{BTreeMap, BTreeSet};

/// Steps on a logarithmic scale.
const STEPS: u32 = 40;
/// Errors that differ by more than this factor are looked at in between.
const NEAR: f64 = 1.25;
/// So many sizes in between are looked at, at most.
const MOST_BETWEEN: usize = 40;
/// Smaller errors are drawn as this one.
const LEAST_ERROR: f64 = 1e-3;

/// Returns the line of a mechanism under a plan: sizes ascending, each with its mean absolute error.
pub fn line(plan: &Plan, deployed: &Deployed) -> Vec<(f64, f64)> {
    let error = |size: u64| Some(plan.expected(deployed, size).ok()?.mean_absolute_error.max(LEAST_ERROR));
    let mut known: BTreeMap<u64, f64> =
        sizes(&plan.curve).into_iter().filter_map(|size| Some((size, error(size)?))).collect();
    for _ in 0..MOST_BETWEEN {
        let Some(between) = widest_gap(&known) else { break };
        let Some(found) = error(between) else { break };
        known.insert(between, found);
    }
    known.into_iter().map(|(size, error)| (size as f64, error)).collect()
}

/// Returns a size inside the steepest stretch that is too steep for a straight line.
fn widest_gap(known: &BTreeMap<u64, f64>) -> Option<u64> {
    let pairs = known.iter().zip(known.iter().skip(1));
    let steep = pairs.filter(|((from, _), (to, _))| *to - *from > 1).filter_map(|((from, low), (to, high))| {
        let ratio = (high / low).max(low / high);
        let middle = ((*from as f64) * (*to as f64)).sqrt().round() as u64;
        (ratio > NEAR).then_some((ratio, middle.clamp(from + 1, to - 1)))
    });
    steep.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, middle)| middle)
}

/// Returns group sizes that show a curve: evenly spread on a logarithmic scale, and around each bend.
fn sizes(curve: &Curve) -> BTreeSet<u64> {
    let bends: Vec<u64> = curve.runs().iter().filter_map(|run| run.to).filter(|to| *to < 1_000_000).collect();
    let last = bends.last().copied().unwrap_or(10).saturating_mul(10).clamp(1000, 1_000_000);
    let mut sizes: BTreeSet<u64> =
        (0..=STEPS).map(|step| (last as f64).powf(f64::from(step) / f64::from(STEPS)).round() as u64).collect();
    for bend in bends.iter().step_by((bends.len() / 8).max(1)) {
        sizes.extend([*bend, bend + 1, bend + (bend / 50).max(1), bend + (bend / 20).max(2)]);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Request;

    #[test]
    fn a_cliff_is_not_drawn_as_a_slope() {
        // The relay shows hardly anything of 10 people and everything of 30.
        let request = "[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n[mechanism]\nname = \"relay\"\n";
        let plan = Plan::of(&Request::parse(request).expect("a request"), None).expect("a plan");
        let line = line(&plan, &plan.settled.deployed);
        for size in 1..=200u64 {
            let truth = plan.settled.deployed.utility(size).expect("a law").mean_absolute_error;
            let after = line.iter().position(|(at, _)| *at >= size as f64).expect("a point");
            let (x1, y1) = line[after];
            let (x0, y0) = line[after.saturating_sub(1)];
            // Straight on two logarithmic axes, as it is drawn.
            let part = if x1 == x0 { 1.0 } else { ((size as f64).ln() - x0.ln()) / (x1.ln() - x0.ln()) };
            let drawn = (y0.ln() + part * (y1.ln() - y0.ln())).exp();
            assert!((drawn / truth).max(truth / drawn) < 1.3, "{size}: {drawn} is drawn, and {truth} is true");
        }
    }
}
