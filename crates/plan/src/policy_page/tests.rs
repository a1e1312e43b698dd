//! What a policy promises, found again by dividing the chances of outcomes: of its laws, never of its epsilons.

use super::{PolicyAnswers, sizes};
use crate::plan::Plan;
use crate::request::{Policy, Request};
use crate::testing::{OutcomeChances, Stated, exceeding, float, judge, law, stated};
use incrowd_privacy::{Deployed, Tightness};

fn plan_of(policy: &Policy, rest: &str) -> Plan {
    let text = format!("policy = \"{}\"\n{rest}", policy.name);
    Plan::of(&Request::parse(&text).expect("a request"), None).expect("a plan")
}

/// By how much what is published may change the odds that one of so many people is there, either way: the largest
/// quotient of two chances, over all outcomes in which a float tells anything.
fn largest_quotient(deployed: &Deployed, size: u64) -> f64 {
    let [without, with] = [size - 1, size].map(|count| law(deployed, count));
    let chance = |law: &OutcomeChances, outcome: &String| law.get(outcome).copied().unwrap_or(0.0);
    let outcomes = with.keys().chain(without.keys());
    let quotient = |outcome: &String| {
        let (p, q) = (chance(&with, outcome), chance(&without, outcome));
        (p.max(q) > 1e-13).then(|| (p / q).max(q / p))
    };
    outcomes.filter_map(quotient).fold(1.0, f64::max)
}

/// From even odds, in percent with one decimal, rounded up: as sentences have it.
fn percent(quotient: f64) -> f64 {
    let sure = 100.0 * quotient / (1.0 + quotient);
    (sure * 10.0 - 1e-6).ceil() / 10.0
}

#[test]
fn what_is_said_of_each_size_is_what_the_outcomes_tell() {
    for policy in Policy::all() {
        let plan = plan_of(policy, "");
        let answers = PolicyAnswers::of(policy).expect("answers");
        let k = policy.small;
        assert_eq!(answers.by_size.iter().map(|answer| answer.size).collect::<Vec<_>>(), [1, k - 1, k, 10 * k]);
        for (answer, expected) in answers.by_size.iter().zip([55.0, 55.0, 75.0, 75.0]) {
            let told = percent(largest_quotient(plan.settled().deployed(), answer.size));
            assert_eq!(told, expected, "{} at {}", policy.name, answer.size);
            assert_eq!(answer.surer_than.to_string(), expected.to_string(), "{} at {}", policy.name, answer.size);
        }
        // One person more or less in the size would be found: there the law bends.
        assert_eq!(percent(largest_quotient(plan.settled().deployed(), k - 2)), 55.0);
        assert_eq!(percent(largest_quotient(plan.settled().deployed(), k + 1)), 75.0);
        let words = plan.odds_words();
        let small = format!("surer than 55 % whether a given person in a group of up to {} is", k - 1);
        assert!(words[0].contains(&small) && words[0].contains("nobody who knows how many others"), "{}", words[0]);
        assert!(words[1].contains("nobody can become surer than 75 % whether a given person in a group of any size"));
    }
}

#[test]
fn where_bins_are_found_the_chance_of_more_is_what_the_outcomes_tell() {
    let found = "[promise]\ndelta = \"1e-6\"\n[[bins]]\nname = \"word\"\ncolumn = \"word\"\n";
    for policy in Policy::all() {
        let plan = plan_of(policy, found);
        for size in sizes(policy) {
            let epsilon = plan.curve().epsilon(size).finite().cloned().expect("a promise");
            let odds = plan.odds_at((size, Some(size)), &epsilon);
            assert_eq!(odds.tightness, Tightness::Exact, "{} at {size}", policy.name);
            let level = float(&odds.surer_than.odds().expect("odds"));
            let [without, with] = [size - 1, size].map(|count| law(&plan.settled().deployed().clone(), count));
            let truth = exceeding(&with, &without, level);
            let said = Stated { percent: odds.surer_than.to_string(), chance: float(&odds.chance), exact: true };
            judge(&format!("{} at {size}", policy.name), &said, truth, 1.000_001);
        }
        for words in plan.odds_words() {
            let said = stated(&words).expect("a percentage");
            assert!(said.chance > 0.0 && words.contains("rightly"), "{words}");
        }
    }
}

#[test]
fn several_tables_tell_what_their_outcomes_tell_together() {
    for policy in Policy::all() {
        let plan = plan_of(policy, "");
        for answer in PolicyAnswers::of(policy).expect("answers").by_tables {
            let all = |size: u64| percent(largest_quotient(plan.settled().deployed(), size).powi(answer.tables as i32));
            for (said, told) in [(&answer.small, all(2)), (&answer.anybody, all(policy.small + 3))] {
                let said: f64 = said.to_string().parse().expect("a percentage");
                assert!(said >= told && said < told + 0.15, "{} of {}: {said} and {told}", policy.name, answer.tables);
            }
        }
    }
}

#[test]
fn documents_say_what_the_program_says() {
    let page = include_str!("../../../../docs/policies.md");
    let flat_head = page.split("\n## ").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    for policy in Policy::all() {
        let section = page.split("\n## ").find(|section| section.starts_with(&format!("`{}`", policy.name)));
        let section = section.unwrap_or_else(|| panic!("{} is not in docs/policies.md", policy.name));
        let flat = section.split_whitespace().collect::<Vec<_>>().join(" ");
        let answers = PolicyAnswers::of(policy).expect("answers");
        for answer in &answers.by_size {
            let row = format!("| {} | {} % | {} |", answer.size, answer.surer_than, answer.epsilon);
            assert!(flat.contains(&row), "{}: {row}", policy.name);
        }
        for words in policy.sources.iter().chain([&policy.asks, &policy.adds, &policy.shows]) {
            assert!(flat.contains(words.as_str()), "{}: {words}", policy.name);
        }
        let several = answers.by_tables.iter().flat_map(|answer| [&answer.small, &answer.anybody]);
        assert!(several.map(|sure| format!("{sure} %")).all(|sure| flat_head.contains(&sure)), "several tables");
    }
}
