//! The mechanisms whose intervals are checked: all fifteen, on every universe that admits them, cut off or whole.
//!
//! Parameters are small, so that laws are short and every bend lies below a thousand people; no setting may be left out
//! because its coverage is poor. They are separate from `main.rs` because one is a list and the other an argument. Read
//! `src/interval.rs` for what is put to the test.

use incrowd_exact::testing::number;
use incrowd_privacy::{
    Bound, BoundParameters, Curve, Deployed, Epsilon, LowerBound, Mechanism, Promise, RelayTable, SideOutput, Universe,
};
use std::sync::Arc;

/// One mechanism as it is run, with a few words that tell it from the others, and the last count that is looked at.
pub struct Setting {
    pub words: String,
    pub deployed: Deployed,
    pub last: u64,
}

/// Every mechanism is looked at up to here in some setting.
pub const LAST: u64 = 1000;

/// Returns every setting.
pub fn all() -> Vec<Setting> {
    let groups = [tailored(), relays(), single_noises(), ladders(), generals(), fadings(), ranges()];
    groups.into_iter().flatten().collect()
}

fn epsilon(text: &str) -> Epsilon {
    if text == "infinite" { Epsilon::Infinite } else { Epsilon::Finite(number(text)) }
}

fn table(values: &[&str]) -> Curve {
    Curve::table(values.iter().map(|text| epsilon(text)).collect()).expect("a curve")
}

fn constant(value: &str) -> Curve {
    Curve::constant(epsilon(value)).expect("a curve")
}

fn step(up_to: u64, first: &str, then: &str) -> Curve {
    Curve::steps(vec![(up_to, epsilon(first))], epsilon(then)).expect("a curve")
}

fn closed(words: impl Into<String>, mechanism: Mechanism) -> Setting {
    let deployed = Deployed { mechanism, universe: Universe::Closed, publish_from: None };
    Setting { words: words.into(), deployed, last: LAST }
}

fn open(words: impl Into<String>, mechanism: Mechanism) -> Setting {
    let deployed = Deployed { mechanism, universe: Universe::Open, publish_from: None };
    Setting { words: words.into(), deployed, last: LAST }
}

fn cut(from: i64, setting: Setting) -> Setting {
    Setting { deployed: Deployed { publish_from: Some(from), ..setting.deployed }, ..setting }
}

fn up_to(last: u64, setting: Setting) -> Setting {
    Setting { last, ..setting }
}

fn tailored() -> Vec<Setting> {
    let by = |curve: &Curve| Mechanism::TailoredGeometric { curve: curve.clone() };
    let bend = step(20, "1/5", "1");
    let late = step(300, "1/40", "1/2");
    let zeros = table(&["0", "0", "0", "1/2"]);
    let steep = table(&["0", "0", "0", "3/2", "5"]);
    let ends = step(8, "1/5", "infinite");
    let both = table(&["0", "0", "1/2", "1/2", "1/2", "1/2", "infinite"]);
    let line = Promise::Linear { slope: number("1/50"), floor: number("1/10"), cap: Epsilon::Infinite };
    let line = line.curve().expect("a curve");
    let flat = constant("1/2");
    vec![
        closed("one step", by(&bend)),
        up_to(400, closed("one late step", by(&late))),
        up_to(100, closed("constant", by(&flat))),
        closed("zero run", by(&zeros)),
        up_to(100, closed("zero run, then steep", by(&steep))),
        closed("infinite tail", by(&ends)),
        up_to(400, closed("late infinite tail", by(&step(300, "1/10", "infinite")))),
        closed("zero run, infinite tail", by(&both)),
        up_to(200, closed("growing for ever", by(&line))),
        up_to(150, cut(30, closed("one step, cut", by(&bend)))),
        up_to(150, cut(30, open("one step, cut", by(&bend)))),
        up_to(100, cut(2, open("zero run, cut inside", by(&zeros)))),
        up_to(150, cut(12, open("zero run, cut", by(&zeros)))),
        cut(5, open("infinite tail, cut", by(&ends))),
        cut(40, open("infinite tail, cut beyond", by(&ends))),
        up_to(100, cut(60, open("growing, cut", by(&line)))),
        up_to(700, cut(600, open("constant, cut far away", by(&flat)))),
    ]
}

fn relays() -> Vec<Setting> {
    let relay = |curve: &Curve, delta: &str| {
        let built = Arc::new(RelayTable::build(curve, &number(delta)).expect("a table"));
        Mechanism::Relay { curve: curve.clone(), table: built }
    };
    let one = constant("1");
    let tenth = constant("1/10");
    let bend = step(40, "1/4", "1");
    let ends = step(60, "1/5", "infinite");
    let late = step(700, "1/4", "infinite");
    let zeros = table(&["0", "0", "0", "0", "1/2"]);
    vec![
        open("constant", relay(&one, "1e-6")),
        open("slow: labels of two counts", relay(&tenth, "1e-3")),
        open("one step", relay(&bend, "1e-4")),
        open("zero run", relay(&zeros, "1e-4")),
        open("infinite tail", relay(&ends, "1e-5")),
        open("late infinite tail", relay(&late, "1e-5")),
        open("infinite tail, delta 0", relay(&ends, "0")),
        open("zero run, infinite tail", relay(&table(&["0", "0", "1/2", "1/2", "infinite"]), "1e-3")),
        cut(20, open("constant, cut", relay(&one, "1e-6"))),
        cut(150, open("slow, cut", relay(&tenth, "1e-3"))),
        cut(30, open("infinite tail, cut", relay(&ends, "1e-5"))),
    ]
}

fn single_noises() -> Vec<Setting> {
    let half = || number("1/2");
    let geometric = |epsilon: &str| Mechanism::Geometric { epsilon: number(epsilon) };
    let grouped = || Mechanism::GroupGeometric { group: 4, epsilon: number("2") };
    let below = || Mechanism::NoiseBelow { crowd: 20, epsilon: half() };
    let up_to_four = || Mechanism::NoiseUpTo { group: 4, epsilon: number("2") };
    let noisy = |group, offset| Mechanism::NoisySuppress { group, epsilon: half(), offset };
    let suppress_below = || Mechanism::SuppressBelow { crowd: 20 };
    let suppress_up_to = || Mechanism::SuppressUpTo { group: 20 };
    let threshold = |threshold| Mechanism::Threshold { epsilon: half(), threshold };
    vec![
        closed("", suppress_below()),
        open("", suppress_below()),
        cut(30, open("cut", suppress_below())),
        closed("", suppress_up_to()),
        open("", suppress_up_to()),
        cut(30, closed("cut", suppress_up_to())),
        closed("", below()),
        cut(10, closed("cut inside", below())),
        cut(30, open("cut beyond", below())),
        closed("", up_to_four()),
        cut(3, open("cut", up_to_four())),
        closed("", geometric("1/2")),
        up_to(50, closed("slow", geometric("1/20"))),
        up_to(50, closed("fast", geometric("4"))),
        up_to(150, cut(25, closed("cut", geometric("1/2")))),
        up_to(150, cut(25, open("cut", geometric("1/2")))),
        up_to(250, cut(150, open("slow, cut", geometric("1/20")))),
        up_to(700, cut(600, open("cut far away", geometric("1/2")))),
        closed("", grouped()),
        up_to(150, cut(25, closed("cut", grouped()))),
        up_to(150, cut(25, open("cut", grouped()))),
        closed("", noisy(10, 9)),
        up_to(150, open("", noisy(10, 9))),
        up_to(150, cut(30, open("cut", noisy(10, 9)))),
        up_to(600, closed("far away", noisy(500, 20))),
        open("", threshold(25)),
        up_to(150, cut(40, open("cut", threshold(25)))),
        up_to(700, open("far away", threshold(600))),
    ]
}

fn ladders() -> Vec<Setting> {
    let noise = || Mechanism::NoisyNoise { group: 5, epsilon: number("1"), offset: 20 };
    let stairs = |epsilons: [&str; 3], levels: [i64; 2], side_output| Mechanism::Staircase {
        epsilons: epsilons.map(epsilon).to_vec(),
        levels: levels.to_vec(),
        side_output,
    };
    let (hidden, published) = (SideOutput::Hidden, SideOutput::Published);
    let (slopes, silent, exact) = (["1", "1/2", "1/4"], ["1", "1/2", "0"], ["infinite", "1/2", "1/4"]);
    vec![
        closed("", noise()),
        cut(60, closed("cut", noise())),
        up_to(200, cut(60, open("cut", noise()))),
        closed("hidden", stairs(slopes, [60, 30], hidden)),
        closed("published", stairs(slopes, [60, 30], published)),
        closed("hidden, last level silent", stairs(silent, [60, 30], hidden)),
        up_to(200, closed("published, last level silent", stairs(silent, [60, 30], published))),
        closed("hidden, first level exact", stairs(exact, [60, 30], hidden)),
        closed("hidden, exact or silent", stairs(["infinite", "1/2", "0"], [30, 40], hidden)),
        cut(50, closed("hidden, cut", stairs(slopes, [60, 30], hidden))),
        up_to(200, cut(50, closed("published, cut", stairs(slopes, [60, 30], published)))),
        up_to(200, cut(50, open("hidden, cut", stairs(slopes, [60, 30], hidden)))),
        cut(90, closed("hidden, first level exact, cut", stairs(exact, [60, 30], hidden))),
        up_to(300, cut(200, open("hidden, cut far away", stairs(slopes, [60, 30], hidden)))),
        up_to(700, cut(600, open("hidden, cut out of sight", stairs(slopes, [60, 30], hidden)))),
    ]
}

fn generals() -> Vec<Setting> {
    let bounded = |bound, curve: &Curve, (epsilon_a, grid, alpha): (&str, &str, &str), side_output| {
        let (epsilon_a, grid, alpha) = (number(epsilon_a), number(grid), number(alpha));
        let parameters = BoundParameters { bound, epsilon_a, delta_a: Some(number("1e-3")), grid, alpha };
        Mechanism::General { bound: Arc::new(LowerBound::new(curve, parameters).expect("a bound")), side_output }
    };
    let (hidden, published) = (SideOutput::Hidden, SideOutput::Published);
    let mut all = Vec::new();
    for bound in Bound::ALL {
        let (curve, tight, epsilon_a, grid) = match bound {
            Bound::NoiseOnCount | Bound::GlobalEpsilon | Bound::SmoothEpsilon => {
                (["7/2", "7/2", "4", "4", "9/2", "5"], ["3", "3", "3", "3", "7/2", "4"], "3", "1/2")
            }
            Bound::GlobalInverse | Bound::SmoothInverse => {
                (["3", "3", "4", "4", "5", "6"], ["1", "1", "1", "1", "5/4", "3/2"], "1", "1/20")
            }
        };
        let words = bound.name();
        let with =
            |curve: &[&str], alpha, side_output| bounded(bound, &table(curve), (epsilon_a, grid, alpha), side_output);
        all.push(closed(words, with(&curve, "2", hidden)));
        all.push(up_to(60, closed(format!("{words}, published"), with(&curve, "2", published))));
        // Small counts are hardly ever shown.
        all.push(up_to(60, closed(format!("{words}, mostly silent"), with(&tight, "40", hidden))));
        all.push(up_to(120, cut(30, closed(format!("{words}, cut"), with(&curve, "2", hidden)))));
        all.push(up_to(120, cut(30, open(format!("{words}, cut"), with(&curve, "2", hidden)))));
    }
    let slow = table(&["3/4", "3/4", "1", "1", "5/4", "3/2", "3/2", "2"]);
    let slow = bounded(Bound::NoiseOnCount, &slow, ("1/4", "1", "2"), hidden);
    all.push(up_to(200, closed("noise-on-count, slow", slow.clone())));
    all.push(up_to(200, cut(40, closed("noise-on-count, slow, cut", slow))));
    let late = bounded(Bound::NoiseOnCount, &step(500, "1/4", "3/4"), ("1/4", "1", "150"), hidden);
    all.push(closed("noise-on-count, kept far below", late));
    all
}

fn fadings() -> Vec<Setting> {
    let promise = Promise::Fading { group: 100, width: 40, epsilon: number("1"), factor: number("1") };
    let fading = || Mechanism::Fading { curve: promise.curve().expect("a curve"), at_zero: number("2/5") };
    let steep =
        || Mechanism::Fading { curve: table(&["1/5", "1/4", "1/3", "1/2", "infinite"]), at_zero: number("1/6") };
    vec![
        closed("", fading()),
        closed("exact in the end", steep()),
        cut(50, closed("cut", fading())),
        up_to(200, cut(50, open("cut", fading()))),
        cut(20, open("exact in the end, cut", steep())),
        up_to(500, cut(400, open("cut far away", fading()))),
    ]
}

fn ranges() -> Vec<Setting> {
    vec![closed("", Mechanism::Range { epsilon: number("1/2"), half_width: 12 })]
}
