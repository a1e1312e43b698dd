//! What a release gives away, by adding up the outcomes of the laws that `incrowd law` prints: for tests alone.
//!
//! It must never be used by what it judges. It is separate because sentences about odds stand in several crates. Read
//! `plan/odds/tests.rs` next.

use crate::plan::Plan;
use crate::request::Request;
use incrowd_exact::Rational;
pub use incrowd_exact::testing::number;
use incrowd_privacy::{Deployed, Outcome, Universe};
use std::collections::BTreeMap;

/// A promise to groups of up to 10.
pub const OUTLIER: &str = "kind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1\ndelta = \"1e-6\"";
const BLENDING: &str = "kind = \"crowd-blending\"\ncrowd = 20\nepsilon = \"1/2\"";
const SIMPLE: &str = "kind = \"simple-outlier\"\ngroup = 10\nepsilon = 1";
const STAIRS: &str = "kind = \"staircase\"\nthresholds = [20, 5]\nepsilons = [2, 1, \"1/2\"]\ndelta = \"1e-6\"";
/// The same promise to everybody.
pub const PLAIN: &str = "kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"";
/// A promise with a large delta.
pub const WEAK: &str = "kind = \"differential-privacy\"\nepsilon = \"1/2\"\ndelta = \"3/10\"";
const FADING: &str = "kind = \"fading\"\ngroup = 20\nwidth = 4\nepsilon = 1\nfactor = 4\ndelta = \"1e-6\"";
const ZERO: &str = "kind = \"crowd-blending\"\ncrowd = 8\nepsilon = 0\ndelta = \"1e-3\"";
const LINEAR: &str = "kind = \"linear\"\nslope = \"1/10\"\nfloor = \"1/5\"\ncap = 2\ndelta = \"1e-4\"";

/// Every mechanism under a promise that it meets; of some also a weak one.
pub const CASES: [(&str, &str); 23] = [
    (OUTLIER, "name = \"tailored-geometric\""),
    (OUTLIER, "name = \"tailored-geometric\"\nthreshold = 15"),
    (OUTLIER, "name = \"relay\""),
    (PLAIN, "name = \"relay\""),
    (LINEAR, "name = \"relay\""),
    (ZERO, "name = \"relay\""),
    (BLENDING, "name = \"suppress-below\""),
    (BLENDING, "name = \"noise-below\""),
    (SIMPLE, "name = \"suppress-up-to\""),
    (SIMPLE, "name = \"noise-up-to\""),
    (PLAIN, "name = \"geometric\""),
    (WEAK, "name = \"geometric\"\nepsilon = 1"),
    (WEAK, "name = \"threshold\"\nepsilon = 1"),
    ("kind = \"group\"\ngroup = 10\nepsilon = 1", "name = \"group-geometric\""),
    (OUTLIER, "name = \"noisy-suppress\""),
    (OUTLIER, "name = \"noisy-noise\""),
    (STAIRS, "name = \"staircase\""),
    (STAIRS, "name = \"staircase\"\npublish-levels = true"),
    (STAIRS, "name = \"general\"\nepsilon-a = \"1/4\"\ngrid = \"1/10\"\nalpha = 20\npublish-epsilon = true"),
    (STAIRS, "name = \"general\"\nepsilon-a = \"1/4\"\ngrid = \"1/10\"\nalpha = 20"),
    (FADING, "name = \"fading\"\nfactor = 1"),
    (PLAIN, "name = \"threshold\""),
    (PLAIN, "name = \"range\""),
];

/// So many counts of a group are looked at one by one.
const COUNTS: u64 = 45;

/// Returns the plan of a promise and what else a request says.
pub fn plan_of(promise: &str, rest: &str) -> Plan {
    let text = format!("release = \"histogram\"\n\n[promise]\n{promise}\n{rest}");
    let request = Request::parse(&text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    Plan::of(&request, None).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

/// Returns a number that is near enough for a test.
pub fn float(value: &Rational) -> f64 {
    value.to_f64().value()
}

/// The chances of outcomes, by their texts.
pub type OutcomeChances = BTreeMap<String, f64>;

/// What a bin shows, outcome by outcome.
pub fn law(deployed: &Deployed, count: u64) -> OutcomeChances {
    if deployed.universe == Universe::Open && count == 0 {
        return OutcomeChances::from([(
            format!("{:?} {:?}", Outcome::Suppressed, incrowd_privacy::SideValue::Nothing),
            1.0,
        )]);
    }
    let law = deployed.law(count).expect("a law");
    law.lines
        .iter()
        .map(|line| (format!("{:?} {:?}", line.outcome, line.side_value), float(&line.probability.upper())))
        .collect()
}

/// The larger of both directions of `P[P > odds Q]`; tails in which no float tells anything are left out.
pub fn exceeding(p: &OutcomeChances, q: &OutcomeChances, odds: f64) -> f64 {
    let one_way = |p: &OutcomeChances, q: &OutcomeChances| {
        let more =
            |(key, mass): &(&String, &f64)| **mass > 1e-28 && **mass > odds * q.get(*key).copied().unwrap_or(0.0);
        p.iter().filter(more).map(|(_, mass)| mass).sum()
    };
    f64::max(one_way(p, q), one_way(q, p))
}

/// What is true of a release: for each level the largest chance over the counts of a group.
pub struct Truth {
    laws: Vec<OutcomeChances>,
}

impl Truth {
    /// Adds up the laws of a plan.
    pub fn of(plan: &Plan) -> Truth {
        // A long curve ends later.
        let last = COUNTS.max(plan.curve.runs().iter().filter_map(|run| run.to).max().unwrap_or(0).min(60) + 5);
        Truth { laws: (0..=last).map(|count| law(&plan.settled.deployed, count)).collect() }
    }

    /// Returns the chance that somebody becomes surer than this of a group.
    pub fn chance(&self, percent: &str, group: (u64, Option<u64>)) -> f64 {
        let percent = float(&number(percent));
        let odds = percent / (100.0 - percent);
        let to = group.1.unwrap_or(u64::MAX).min(self.laws.len() as u64 - 1);
        (group.0..=to)
            .map(|count| exceeding(&self.laws[count as usize], &self.laws[count as usize - 1], odds))
            .fold(0.0, f64::max)
    }
}

/// What a sentence states: a percentage, and the chance of more.
pub struct Stated {
    /// How sure.
    pub percent: String,
    /// The chance of more.
    pub chance: f64,
    /// Whether it is called exact.
    pub exact: bool,
}

/// Reads `... 73.2 % ..., but for a chance of at most 1 in 100,000 ...` back.
pub fn stated(sentence: &str) -> Option<Stated> {
    let percent = sentence.split(" %").next()?.rsplit(' ').next()?.to_string();
    number(&percent);
    let chance = match sentence.split_once("but for a chance of ") {
        None => 0.0,
        Some((_, rest)) => chance_said(rest.trim_start_matches("at most ")),
    };
    let exact = !sentence.contains("chance of at most");
    Some(Stated { percent, chance, exact })
}

/// Reads `13 in 100 million` back, whatever follows it.
pub fn chance_said(words: &str) -> f64 {
    let mut words = words.split([' ', ';', '(', '.']).map(|word| word.trim_end_matches(','));
    let mut next = || words.next().unwrap_or_default();
    let many: f64 = next().parse().expect("a number");
    if next() != "in" {
        return many;
    }
    let of = match next() {
        "a" => 1.0,
        power if power.starts_with("10^") => 10f64.powi(power[3..].parse().expect("a power")),
        plain => plain.replace(',', "").parse().expect("a number"),
    };
    let unit = match next() {
        "million" => 1e6,
        "billion" => 1e9,
        "trillion" => 1e12,
        _ => 1.0,
    };
    many / (of * unit)
}

/// Panics where a stated chance is below the truth, or far above one that is called exact.
pub fn judge(what: &str, stated: &Stated, truth: f64, digits_lost: f64) {
    assert!(stated.chance >= truth * (1.0 - 1e-9), "{what}: {:e} is below the truth, {truth:e}", stated.chance);
    if stated.exact {
        assert!(stated.chance <= truth * digits_lost + 1e-26, "{what}: {:e} is not {truth:e}", stated.chance);
    }
}
