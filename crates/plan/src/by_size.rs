//! Errors by the size of a group, at enough sizes to draw a line through them.
//!
//! Sizes come from the request and from laws, never from data; a straight line may be drawn only between sizes whose
//! errors are near each other, or that are neighbours. It is separate because plans, comparisons and reports draw the
//! same line. Read `plan.rs` for the figures of a table.

use crate::plan::Plan;
use incrowd_privacy::{Curve, Deployed};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Steps on a logarithmic scale.
const STEPS: u32 = 40;
/// Where the truth is further from a straight line than this factor, both halves of the line are looked at again.
const NEAR: f64 = 1.1;
/// So many sizes are looked at, at most.
const MOST: usize = 160;
/// Smaller errors are drawn as this one.
const LEAST_ERROR: f64 = 1e-3;

/// Returns what must be said of a line on which smaller errors, or none at all, are drawn as the least one.
pub fn least_words(lines: &[Vec<(f64, f64)>]) -> Option<&'static str> {
    let is_least = |point: &(f64, f64)| point.1 <= LEAST_ERROR;
    lines.iter().flatten().any(is_least).then_some("an error of 0 is drawn as 0.001, the least that is told apart")
}

/// Returns the line of a mechanism under a plan: sizes ascending, each with its mean absolute error.
pub fn line(plan: &Plan, deployed: &Deployed) -> Vec<(f64, f64)> {
    let error = |size: u64| Some(plan.expected(deployed, size).ok()?.mean_absolute_error.max(LEAST_ERROR));
    let mut known: BTreeMap<u64, f64> =
        sizes(&plan.curve).into_iter().filter_map(|size| Some((size, error(size)?))).collect();
    let ends: Vec<(u64, f64)> = known.iter().map(|(size, error)| (*size, *error)).collect();
    let mut stretches: VecDeque<[(u64, f64); 2]> = ends.windows(2).map(|two| [two[0], two[1]]).collect();
    while let Some([from, to]) = stretches.pop_front() {
        if to.0 - from.0 < 2 || known.len() >= MOST {
            continue;
        }
        let middle = ((from.0 as f64) * (to.0 as f64)).sqrt().round() as u64;
        let middle = middle.clamp(from.0 + 1, to.0 - 1);
        let Some(truth) = error(middle) else { continue };
        known.insert(middle, truth);
        let drawn = straight(from, to, middle);
        if (truth / drawn).max(drawn / truth) > NEAR {
            stretches.extend([[from, (middle, truth)], [(middle, truth), to]]);
        }
    }
    known.into_iter().map(|(size, error)| (size as f64, error)).collect()
}

/// The error at a size on the straight line between two others, on two logarithmic axes.
fn straight(from: (u64, f64), to: (u64, f64), size: u64) -> f64 {
    let part = (size as f64 / from.0 as f64).ln() / (to.0 as f64 / from.0 as f64).ln();
    (from.1.ln() + part * (to.1 / from.1).ln()).exp()
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
            let [before, at] = [after.saturating_sub(1), after].map(|place| (line[place].0 as u64, line[place].1));
            let drawn = if at.0 == size { at.1 } else { straight(before, at, size) };
            assert!((drawn / truth).max(truth / drawn) < 1.2, "{size}: {drawn} is drawn, and {truth} is true");
        }
    }
}
