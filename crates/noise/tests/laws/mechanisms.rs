//! Every mechanism, drawn as in a release and judged by its exact law; and mutants of mechanisms.
//!
//! The law comes from `incrowd_privacy`, the draws from here; neither may borrow from the other. It is separate because
//! a mechanism is more than its noise. Read `judge.rs` for the judge.

use crate::budget::share;
use crate::judge::{Verdict, judge_counts};
use incrowd_exact::Rational;
pub use incrowd_exact::testing::number;
use incrowd_noise::{BinAddress, ReleaseSecret, Sampler, testing};
use incrowd_privacy::{
    Bound, BoundParameters, Curve, Deployed, Epsilon, LowerBound, Mechanism, Outcome, Promise, RelayTable, SideOutput,
    SideValue, Universe,
};
use std::collections::BTreeMap;
use std::sync::Arc;

const DRAWS: u64 = 40_000;
/// Mechanisms that draw a new rate each time are slower.
const FEW_DRAWS: u64 = 4_000;

pub fn table(values: &[&str]) -> Curve {
    let values = values.iter().map(|text| match *text {
        "infinite" => Epsilon::Infinite,
        text => Epsilon::Finite(number(text)),
    });
    Curve::table(values.collect()).expect("a curve")
}

pub fn closed(mechanism: Mechanism) -> Deployed {
    Deployed { mechanism, universe: Universe::Closed, publish_from: None }
}

pub fn open(mechanism: Mechanism) -> Deployed {
    Deployed { mechanism, universe: Universe::Open, publish_from: None }
}

pub fn tailored(curve: Curve) -> Deployed {
    closed(Mechanism::TailoredGeometric { curve })
}

pub fn staircase(side_output: SideOutput, last: &str) -> Deployed {
    let epsilons = ["1", "1/2", last].map(|text| Epsilon::Finite(number(text))).to_vec();
    closed(Mechanism::Staircase { epsilons, levels: vec![30, 12], side_output })
}

pub fn general(bound: Bound, side_output: SideOutput) -> Deployed {
    let curve = table(&["0.3", "0.3", "0.5", "0.8", "1", "1", "1.4", "2"]);
    let parameters = BoundParameters {
        bound,
        epsilon_a: number("1/4"),
        delta_a: Some(number("1e-3")),
        grid: number("1/10"),
        alpha: number("1/2"),
    };
    closed(Mechanism::General { bound: Arc::new(LowerBound::new(&curve, parameters).expect("a bound")), side_output })
}

pub fn line() -> Curve {
    let promise = Promise::Linear { slope: number("1/10"), floor: number("1/4"), cap: Epsilon::Finite(number("1")) };
    promise.curve().expect("a curve")
}

/// Every mechanism, with counts around its bends.
fn cases() -> Vec<(Deployed, Vec<u64>, u64)> {
    let e = || number("1/3");
    let step = || table(&["0.1", "0.1", "0.1", "0.1", "0.1", "1"]);
    let fading = Promise::Fading { group: 12, width: 4, epsilon: number("1/2"), factor: number("1") };
    let relay = |curve: Curve, delta: &str| {
        let table = Arc::new(RelayTable::build(&curve, &number(delta)).expect("a table"));
        open(Mechanism::Relay { curve, table })
    };
    let thresholded = Deployed { publish_from: Some(7), universe: Universe::Open, ..tailored(step()) };
    vec![
        (tailored(table(&["1/2"])), vec![0, 1, 40], DRAWS),
        (tailored(step()), vec![0, 3, 5, 6, 9], DRAWS),
        (tailored(table(&["0", "0", "0", "1/2", "2"])), vec![0, 2, 3, 4, 9], DRAWS),
        (tailored(table(&["0.4", "0.4", "0.4", "infinite"])), vec![0, 2, 3, 4], DRAWS),
        (tailored(table(&["0", "0.2", "0.9", "infinite"])), vec![0, 1, 2, 3, 4], DRAWS),
        (tailored(line()), vec![0, 1, 3, 9, 10, 14], DRAWS),
        (thresholded, vec![1, 5, 8], DRAWS),
        (relay(table(&["1"]), "1e-3"), vec![1, 4, 8, 100], DRAWS),
        (relay(table(&["0", "0", "1/5"]), "1e-2"), vec![1, 3, 20], DRAWS),
        (closed(Mechanism::SuppressBelow { crowd: 5 }), vec![0, 4, 5], FEW_DRAWS),
        (closed(Mechanism::NoiseBelow { crowd: 5, epsilon: e() }), vec![0, 4, 5], DRAWS),
        (closed(Mechanism::SuppressUpTo { group: 5 }), vec![5, 6], FEW_DRAWS),
        (closed(Mechanism::NoiseUpTo { group: 5, epsilon: e() }), vec![5, 6], DRAWS),
        (closed(Mechanism::Geometric { epsilon: e() }), vec![0, 7], DRAWS),
        (closed(Mechanism::GroupGeometric { group: 4, epsilon: e() }), vec![3], DRAWS),
        (closed(Mechanism::NoisySuppress { group: 5, epsilon: e(), offset: 3 }), vec![0, 5, 8, 9], DRAWS),
        (closed(Mechanism::NoisyNoise { group: 5, epsilon: e(), offset: 3 }), vec![0, 5, 9], DRAWS),
        (staircase(SideOutput::Hidden, "1/10"), vec![0, 12, 29, 33], DRAWS),
        (staircase(SideOutput::Published, "1/10"), vec![11, 31], DRAWS),
        (staircase(SideOutput::Published, "0"), vec![11, 31], DRAWS),
        (general(Bound::NoiseOnCount, SideOutput::Hidden), vec![0, 3, 12], FEW_DRAWS),
        (general(Bound::NoiseOnCount, SideOutput::Published), vec![6], FEW_DRAWS),
        (general(Bound::GlobalEpsilon, SideOutput::Published), vec![8], FEW_DRAWS),
        (general(Bound::GlobalInverse, SideOutput::Hidden), vec![8], FEW_DRAWS),
        (general(Bound::SmoothEpsilon, SideOutput::Hidden), vec![9], FEW_DRAWS),
        (general(Bound::SmoothInverse, SideOutput::Hidden), vec![9], FEW_DRAWS),
        (
            closed(Mechanism::Fading { curve: fading.curve().expect("a curve"), at_zero: number("1/6") }),
            vec![0, 5, 8],
            FEW_DRAWS,
        ),
        (open(Mechanism::Threshold { epsilon: e(), threshold: 9 }), vec![1, 9, 20], DRAWS),
        (closed(Mechanism::Range { epsilon: e(), half_width: 4 }), vec![0, 11], DRAWS),
    ]
}

pub type Tally = BTreeMap<(SideValue, Outcome), u64>;

fn tally(deployed: &Deployed, count: u64, draws: u64, secret: &ReleaseSecret) -> Tally {
    let sampler = Sampler::new(deployed).expect("a sampler");
    let streams = secret.streams(&BinAddress { release: "test", table: "mechanisms", purpose: "noise" });
    let mut tally = Tally::new();
    for bin in 0..draws {
        let drawn = sampler.draw(count, &mut streams.bin(&bin.to_le_bytes()));
        *tally.entry((drawn.side_value, drawn.outcome)).or_default() += 1;
    }
    tally
}

/// Counts every likely outcome alone, and every thirtieth of the law together with all that comes before it.
fn judge(deployed: &Deployed, count: u64, tally: &Tally, draws: u64, alpha: f64) -> Verdict {
    let law = deployed.law(count).expect("a law");
    let mut lines: Vec<((SideValue, Outcome), f64)> = law
        .lines
        .iter()
        .map(|line| ((line.side_value.clone(), line.outcome.clone()), line.probability.to_f64()))
        .collect();
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    judge_lines(&lines, tally, draws, alpha)
}

/// The same for a law that is given line by line, in order.
pub fn judge_lines(lines: &[((SideValue, Outcome), f64)], tally: &Tally, draws: u64, alpha: f64) -> Verdict {
    let mut counts = Vec::new();
    let mut chances = Vec::new();
    let (mut seen, mut passed, mut mark) = (0u64, 0.0, 0.0);
    let mut known = 0u64;
    for (key, chance) in lines {
        let here = tally.get(key).copied().unwrap_or(0);
        known += here;
        if chance * draws as f64 >= 1.0 {
            counts.push(here);
            chances.push(*chance);
        }
        seen += here;
        passed += chance;
        if passed > mark && passed < 1.0 - 1e-6 {
            counts.push(seen);
            chances.push(passed);
            mark = passed + 1.0 / 30.0;
        }
    }
    // What the law does not list has a chance below 1e-30.
    counts.push(draws - known);
    chances.push(1e-30);
    judge_counts(&counts, &chances, draws, alpha)
}

#[test]
fn whole_mechanisms_follow_their_laws() {
    let secret = ReleaseSecret::fresh().expect("entropy");
    let cases = cases();
    let judged: usize = cases.iter().map(|(_, counts, _)| counts.len()).sum();
    let alpha = share("whole mechanisms") / judged as f64;
    for (deployed, counts, draws) in &cases {
        for count in counts {
            let drawn = tally(deployed, *count, *draws, &secret);
            let verdict = judge(deployed, *count, &drawn, *draws, alpha);
            assert_eq!(verdict, Verdict::Accepted, "{} at {count}", deployed.mechanism.name());
        }
    }
}

/// Draws from one mechanism, judged by the law of another: on known words, so the verdict is always the same.
fn must_be_rejected(drawn: &Deployed, judged: &Deployed, count: u64) {
    let tally = tally(drawn, count, DRAWS, &testing::known_secret(7));
    let alpha = share("whole mechanisms");
    let verdict = judge(judged, count, &tally, DRAWS, alpha);
    assert_eq!(verdict, Verdict::Rejected, "{} for {}", drawn.mechanism.name(), judged.mechanism.name());
}

#[test]
fn thresholds_off_by_one_are_rejected() {
    let suppress = |offset| closed(Mechanism::NoisySuppress { group: 5, epsilon: number("1/3"), offset });
    must_be_rejected(&suppress(4), &suppress(3), 9);
    must_be_rejected(&suppress(2), &suppress(3), 9);
    let threshold = |threshold| open(Mechanism::Threshold { epsilon: number("1/3"), threshold });
    must_be_rejected(&threshold(10), &threshold(9), 12);
    must_be_rejected(&threshold(8), &threshold(9), 12);
    let levels = |level| {
        let epsilons = ["1", "1/10"].map(|text| Epsilon::Finite(number(text))).to_vec();
        closed(Mechanism::Staircase { epsilons, levels: vec![level], side_output: SideOutput::Hidden })
    };
    must_be_rejected(&levels(13), &levels(12), 12);
    must_be_rejected(&levels(11), &levels(12), 12);
    must_be_rejected(&closed(Mechanism::SuppressBelow { crowd: 6 }), &closed(Mechanism::SuppressBelow { crowd: 5 }), 5);
}

#[test]
fn mechanisms_of_another_scale_are_rejected() {
    for other in ["0.9", "1.1"] {
        let scaled = |text: &str| number(text) / number(other);
        let geometric = |epsilon| closed(Mechanism::Geometric { epsilon });
        must_be_rejected(&geometric(scaled("1/3")), &geometric(number("1/3")), 7);
        let step = |small: Rational, large: Rational| {
            tailored(Curve::steps(vec![(5, Epsilon::Finite(small))], Epsilon::Finite(large)).expect("a curve"))
        };
        must_be_rejected(&step(scaled("1/3"), scaled("1")), &step(number("1/3"), number("1")), 4);
        let noise = |epsilon| closed(Mechanism::NoisyNoise { group: 5, epsilon, offset: 3 });
        must_be_rejected(&noise(scaled("1/3")), &noise(number("1/3")), 5);
    }
}

#[test]
fn a_joint_that_is_walked_over_is_rejected() {
    // The curve bends at five people; a walk that ignored the joint's own coin would have the law of a smoother curve.
    let bent = tailored(table(&["0.2", "0.2", "0.2", "0.2", "0.2", "1"]));
    let later = tailored(table(&["0.2", "0.2", "0.2", "0.2", "0.2", "0.2", "1"]));
    must_be_rejected(&later, &bent, 4);
    must_be_rejected(&later, &bent, 8);
}

#[test]
fn clamped_doubled_and_one_sided_results_are_rejected() {
    let deployed = closed(Mechanism::Geometric { epsilon: number("1/3") });
    let fair = tally(&deployed, 20, DRAWS, &testing::known_secret(9));
    let alpha = share("whole mechanisms");
    assert_eq!(judge(&deployed, 20, &fair, DRAWS, alpha), Verdict::Accepted);
    let mapped = |change: &dyn Fn(i64) -> i64| {
        let mut mapped = Tally::new();
        for ((side_value, outcome), times) in &fair {
            let Outcome::Value(value) = outcome else { continue };
            *mapped.entry((side_value.clone(), Outcome::Value(change(*value)))).or_default() += times;
        }
        judge(&deployed, 20, &mapped, DRAWS, alpha)
    };
    assert_eq!(mapped(&|value| value.clamp(6, 34)), Verdict::Rejected, "a truncated tail");
    assert_eq!(mapped(&|value| value.max(20)), Verdict::Rejected, "one side");
    assert_eq!(mapped(&|value| if value == 19 { 20 } else { value }), Verdict::Rejected, "a doubled zero");
}
