//! Every sentence about odds, recomputed by adding up outcomes of the laws that `incrowd law` prints.

use super::Odds;

use incrowd_privacy::Tightness;

use crate::testing::{
    CASES, OUTLIER, OutcomeChances, PLAIN, Stated, Truth, WEAK, exceeding, float, judge, law, number, plan_of, stated,
};

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
fn what_is_said_of_one_size_is_said_of_those_who_know_the_size() {
    let plan = plan_of(OUTLIER, "\n[mechanism]\nname = \"tailored-geometric\"\n");
    let curve = plan.whole_curve();
    let [small, large] = [4u64, 30].map(|others| {
        let laws = [others, others + 1].map(|count| law(&plan.settled.deployed, count));
        let epsilon = float(curve.epsilon(others + 1).finite().expect("a promise"));
        (laws, epsilon.exp())
    });
    let ratio = |with: f64, without: f64| (with / without).max(without / with);
    let chance = |law: &OutcomeChances, outcome: &String| law.get(outcome).copied().unwrap_or(0.0);
    let mut surest = 0.0f64;
    for outcome in large.0[1].keys().filter(|outcome| chance(&large.0[1], outcome) > 1e-6) {
        let [without, with] = [0, 1].map(|at| chance(&small.0[at], outcome));
        if without > 1e-12 {
            assert!(ratio(with, without) <= small.1 * 1.000_001, "{outcome}: she knows that there are four others");
        }
        // Four others or thirty, she finds both as likely.
        let [without, with] = [0, 1].map(|at| chance(&small.0[at], outcome) + chance(&large.0[at], outcome));
        surest = surest.max(ratio(with, without));
    }
    assert!(surest > small.1 * 1.5, "{surest} is more than {} allows", small.1);
    assert!(surest <= large.1 * 1.000_001, "{surest} is not more than {} allows", large.1);
    let words = plan.odds_words();
    assert!(words[0].contains("nobody who knows how many others are there can become surer"), "{}", words[0]);
    assert!(words[1].contains("nobody can become surer"), "{}", words[1]);
    let plain = plan_of(PLAIN, "").odds_words();
    assert!(plain.iter().all(|words| !words.contains("who knows")), "{plain:?}");
}

#[test]
fn the_chance_that_a_bound_fails_is_for_those_who_know_the_others() {
    let plan = plan_of(PLAIN, "\n[mechanism]\nname = \"threshold\"\n");
    let [alone, without, with] = [1, 29, 30].map(|count| law(&plan.settled.deployed, count));
    let (outcome, often) = with
        .iter()
        .max_by(|one, other| one.1.total_cmp(other.1))
        .map(|(outcome, chance)| (outcome.clone(), *chance))
        .expect("a law");
    // Somebody thinks that the bin, which is found, holds her alone or nobody, and hardly that 29 others are there.
    let hardly = 1e-15;
    let ratio = (alone[&outcome] + hardly * with[&outcome]) / (hardly * without[&outcome]);
    let stated = float(&plan.odds()[0].chance);
    assert!(ratio > 10.0 && often > 100.0 * stated, "{ratio} at {outcome}, {often} against {stated}");
    assert!(plan.odds_words().iter().all(|words| words.contains("nobody who knows how many others")), "threshold");
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
    assert!(words.contains("but for a chance of 11 in 100,000"), "{words}");
    let chance = float(&relay.odds()[0].chance);
    assert!((chance / 1.000_948_8e-4 - 1.0).abs() < 1e-6, "{chance:e}");
    let weak = plan_of(WEAK, "\n[mechanism]\nname = \"geometric\"\nepsilon = 1\n").odds_words().join(" ");
    assert!(weak.contains("62.3 %") && weak.contains("but for a chance of 74 in 100"), "{weak}");
}

/// The law of what two bins show.
fn product(one: &OutcomeChances, other: &OutcomeChances) -> OutcomeChances {
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
    let laws: Vec<OutcomeChances> = (0..=9).map(|count| law(&plan.settled.deployed, count)).collect();
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
        let laws: Vec<OutcomeChances> = (0..160).map(|count| law(&plan.settled.deployed, count)).collect();
        let mixed = |people: u64| {
            let mut mixed = OutcomeChances::new();
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
