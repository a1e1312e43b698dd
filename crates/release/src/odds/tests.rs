//! Every sentence about odds, recomputed by adding up outcomes of the laws that `incrowd law` prints.

use super::Odds;
use crate::plan::Plan;
use crate::request::Request;
use incrowd_exact::{Rational, parse_number};
use incrowd_privacy::{Deployed, Outcome, Tightness, Universe};
use std::collections::BTreeMap;

const OUTLIER: &str = "kind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1\ndelta = \"1e-6\"";
const BLENDING: &str = "kind = \"crowd-blending\"\ncrowd = 20\nepsilon = \"1/2\"";
const SIMPLE: &str = "kind = \"simple-outlier\"\ngroup = 10\nepsilon = 1";
const STAIRS: &str = "kind = \"staircase\"\nthresholds = [20, 5]\nepsilons = [2, 1, \"1/2\"]\ndelta = \"1e-6\"";
const PLAIN: &str = "kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"";
const WEAK: &str = "kind = \"differential-privacy\"\nepsilon = \"1/2\"\ndelta = \"3/10\"";
const FADING: &str = "kind = \"fading\"\ngroup = 20\nwidth = 4\nepsilon = 1\nfactor = 4\ndelta = \"1e-6\"";
const ZERO: &str = "kind = \"crowd-blending\"\ncrowd = 8\nepsilon = 0\ndelta = \"1e-3\"";
const LINEAR: &str = "kind = \"linear\"\nslope = \"1/10\"\nfloor = \"1/5\"\ncap = 2\ndelta = \"1e-4\"";

/// Every mechanism under a promise that it meets; of some also a weak one.
pub(crate) const CASES: [(&str, &str); 23] = [
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

pub(crate) fn plan_of(promise: &str, rest: &str) -> Plan {
    let text = format!("release = \"histogram\"\n\n[promise]\n{promise}\n{rest}");
    let request = Request::parse(&text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    Plan::of(&request, None).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

fn number(text: &str) -> Rational {
    parse_number(text).expect("a number")
}

fn float(value: &Rational) -> f64 {
    value.to_f64().value()
}

type Law = BTreeMap<String, f64>;

/// What a bin shows, outcome by outcome.
fn law(deployed: &Deployed, count: u64) -> Law {
    if deployed.universe == Universe::Open && count == 0 {
        return Law::from([(format!("{:?} {:?}", Outcome::Suppressed, incrowd_privacy::Told::Nothing), 1.0)]);
    }
    let law = deployed.law(count).expect("a law");
    law.lines
        .iter()
        .map(|line| (format!("{:?} {:?}", line.outcome, line.told), float(&line.probability.upper())))
        .collect()
}

/// The larger of both directions of `P[P > odds Q]`; tails in which no float tells anything are left out.
fn exceeding(p: &Law, q: &Law, odds: f64) -> f64 {
    let one_way = |p: &Law, q: &Law| {
        let more =
            |(key, mass): &(&String, &f64)| **mass > 1e-28 && **mass > odds * q.get(*key).copied().unwrap_or(0.0);
        p.iter().filter(more).map(|(_, mass)| mass).sum()
    };
    f64::max(one_way(p, q), one_way(q, p))
}

/// What is true of a release: for each level the largest chance over the counts of a group.
pub(crate) struct Truth {
    laws: Vec<Law>,
}

impl Truth {
    pub(crate) fn of(plan: &Plan) -> Truth {
        // A long curve ends later.
        let last = COUNTS.max(plan.curve.runs().iter().filter_map(|run| run.to).max().unwrap_or(0).min(60) + 5);
        Truth { laws: (0..=last).map(|count| law(&plan.settled.deployed, count)).collect() }
    }

    pub(crate) fn chance(&self, percent: &str, group: (u64, Option<u64>)) -> f64 {
        let percent = float(&number(percent));
        let odds = percent / (100.0 - percent);
        let to = group.1.unwrap_or(u64::MAX).min(self.laws.len() as u64 - 1);
        (group.0..=to)
            .map(|count| exceeding(&self.laws[count as usize], &self.laws[count as usize - 1], odds))
            .fold(0.0, f64::max)
    }
}

/// What a sentence states: a percentage, and the chance of more.
pub(crate) struct Stated {
    pub(crate) percent: String,
    pub(crate) chance: f64,
    pub(crate) exact: bool,
}

/// Reads `... 73.2 % ..., but for a chance of at most 1e-5 ...` back.
pub(crate) fn stated(sentence: &str) -> Option<Stated> {
    let percent = sentence.split(" %").next()?.rsplit(' ').next()?.to_string();
    number(&percent);
    let chance = match sentence.split_once("but for a chance of ") {
        None => "0".to_string(),
        Some((_, rest)) => {
            rest.trim_start_matches("at most ").split([' ', ';', '(']).next()?.trim_end_matches('.').into()
        }
    };
    let exact = !sentence.contains("chance of at most");
    Some(Stated { percent, chance: float(&number(chance.trim_end_matches(','))), exact })
}

/// Panics where a stated chance is below the truth, or far above one that is called exact.
pub(crate) fn judge(what: &str, stated: &Stated, truth: f64, digits_lost: f64) {
    assert!(stated.chance >= truth * (1.0 - 1e-9), "{what}: {:e} is below the truth, {truth:e}", stated.chance);
    if stated.exact {
        assert!(stated.chance <= truth * digits_lost + 1e-26, "{what}: {:e} is not {truth:e}", stated.chance);
    }
}

#[test]
fn every_sentence_about_odds_is_true_of_the_law_that_runs() {
    let mut told_apart = 0;
    for (promise, mechanism) in CASES {
        let plan = plan_of(promise, &format!("\n[mechanism]\n{mechanism}\n"));
        let truth = Truth::of(&plan);
        let delta = float(&plan.certified_delta());
        for odds in plan.odds() {
            let what = format!("{promise} {mechanism} {:?}", odds.group);
            let fields = odds.to_json();
            let text = |name: &str| fields[name].as_str().expect("a text").to_string();
            let exact = text("is") == "exact";
            let percent = text("surer_than");
            let stated = Stated { percent, chance: float(&number(&text("but_for_a_chance_of"))), exact };
            let true_chance = truth.chance(&stated.percent, odds.group);
            judge(&what, &stated, true_chance, 1.000_001);
            // A chance that was delta instead: below the truth.
            told_apart += u32::from(delta < true_chance * 0.99);
        }
        for sentence in plan.odds_words().iter().filter(|words| words.contains(" % ")) {
            let up_to =
                sentence.split("in a group of up to ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
            let only = sentence.split("in a group of ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
            let group = match (up_to, only) {
                (Some(to), _) => (1, Some(to)),
                (None, Some(only)) => (only, Some(only)),
                (None, None) => (1, None),
            };
            let stated = stated(sentence).expect("a percentage");
            judge(&format!("{mechanism}: {sentence}"), &stated, truth.chance(&stated.percent, group), 1.11);
        }
    }
    assert!(told_apart >= 6, "delta is not this chance, and the law tells: {told_apart}");
}

#[test]
fn a_pure_promise_has_no_exception_and_an_impure_one_says_rightly() {
    let pure = plan_of(OUTLIER, "\n[mechanism]\nname = \"tailored-geometric\"\n");
    assert!(pure.odds().iter().all(|odds| !odds.may_fail() && odds.tightness == Tightness::Exact));
    assert!(pure.odds_words().iter().all(|words| !words.contains("chance") && !words.contains("rightly")));
    let relay = plan_of(PLAIN, "\n[mechanism]\nname = \"relay\"\n");
    let words = relay.odds_words().join(" ");
    // With fractions, from what `incrowd law` prints: 1.0009488e-4 at 23 people, where delta is 1e-6.
    assert!(words.contains("rightly become surer than 73.2 %"), "{words}");
    assert!(words.contains("but for a chance of 0.00011"), "{words}");
    let chance = float(&relay.odds()[0].chance);
    assert!((chance / 1.000_948_8e-4 - 1.0).abs() < 1e-6, "{chance:e}");
    let weak = plan_of(WEAK, "\n[mechanism]\nname = \"geometric\"\nepsilon = 1\n").odds_words().join(" ");
    assert!(weak.contains("62.3 %") && weak.contains("but for a chance of 0.74"), "{weak}");
}

/// The law of what two bins show.
fn product(one: &Law, other: &Law) -> Law {
    let pairs = one.iter().flat_map(|(a, p)| other.iter().map(move |(b, q)| (format!("{a}, {b}"), p * q)));
    pairs.filter(|(_, mass)| *mass > 1e-16).collect()
}

#[test]
fn what_is_said_of_two_bins_and_of_two_releases_is_not_below_the_truth() {
    let two = "\n[data]\nsource = \"words.csv\"\nperson = \"who\"\nbins-per-person = 2\n\n[[bins]]\nname = \"word\"\ncolumn = \"word\"\n";
    let promise = "kind = \"differential-privacy\"\nepsilon = 4\ndelta = \"2e-3\"";
    let plan = plan_of(promise, &format!("{two}\n[mechanism]\nname = \"relay\"\n"));
    let [odds] = plan.odds() else { panic!("one step") };
    assert_eq!(odds.tightness, Tightness::UpperBound);
    // Of two releases only the sums are known.
    let sums = Odds::bounded((1, None), &number("4"), &number("2e-3"));
    assert_eq!(sums.surer_than, odds.surer_than);
    assert!(odds.chance <= sums.chance);
    let level = odds.surer_than.odds().expect("odds");
    let laws: Vec<Law> = (0..=9).map(|count| law(&plan.settled.deployed, count)).collect();
    let mut truth: f64 = 0.0;
    for first in 1..=9 {
        for second in 1..=first {
            let with = product(&laws[first], &laws[second]);
            let without = product(&laws[first - 1], &laws[second - 1]);
            truth = truth.max(exceeding(&with, &without, float(&level)));
        }
    }
    assert!(truth > 0.0 && truth <= float(&odds.chance), "{truth:e} {:e}", float(&odds.chance));
}

#[test]
fn what_is_said_of_a_sample_is_true_of_every_population() {
    for (chance, crowd, epsilon) in [("1/4", 8, "1/2"), ("1/10", 5, "1/5"), ("1/2", 6, "1")] {
        let promise =
            format!("kind = \"crowd-blending\"\ncrowd = {crowd}\nepsilon = 0\nsampled-epsilon = \"{epsilon}\"");
        let data = format!(
            "\n[data]\nsource = \"p.csv\"\nsample = \"{chance}\"\n\n[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"Bern\"]\n\n[mechanism]\nname = \"suppress-below\"\n"
        );
        let plan = plan_of(&promise, &data);
        let odds = plan.sampled_odds().expect("a charged sample");
        let point = plan.charged_sample().expect("a charged sample");
        assert_eq!(odds.tightness, Tightness::Exact);
        let p = float(&number(chance));
        let laws: Vec<Law> = (0..160).map(|count| law(&plan.settled.deployed, count)).collect();
        let mixed = |people: u64| {
            let mut mixed = Law::new();
            let mut binomial = (1.0 - p).powi(people as i32);
            for count in 0..=people {
                for (outcome, mass) in &laws[count as usize] {
                    *mixed.entry(outcome.clone()).or_insert(0.0) += binomial * mass;
                }
                binomial *= (people - count) as f64 / (count + 1) as f64 * p / (1.0 - p);
            }
            mixed
        };
        let level = float(&odds.surer_than.odds().expect("odds"));
        let truth = (0..150).map(|others| exceeding(&mixed(others + 1), &mixed(others), level)).fold(0.0, f64::max);
        let stated = Stated { percent: odds.surer_than.to_string(), chance: float(&odds.chance), exact: true };
        judge(&format!("sample {chance}"), &stated, truth, 1.000_001);
        assert!(float(&point.delta) < truth, "delta is not this chance");
        let words = plan.odds_words();
        let sentence = words.iter().find(|line| line.starts_with("because people are sampled")).expect("a sentence");
        judge(sentence, &super::tests::stated(sentence).expect("a percentage"), truth, 1.11);
    }
}
