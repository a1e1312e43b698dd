//! Every sentence about sizes, held against the laws that `incrowd law` lists, size after size.

use super::*;
use crate::testing::{CASES, OUTLIER, PLAIN, float, plan_of};
use incrowd_privacy::{Deployed, Outcome};

/// The chance of all outcomes with a number, from the listed law.
fn listed(deployed: &Deployed, count: u64) -> f64 {
    let law = deployed.law(count).expect("a law");
    let numbers = law.lines.iter().filter(|line| match line.outcome {
        Outcome::Value(_) | Outcome::Range(_, _) => true,
        Outcome::Suppressed | Outcome::AtMost(_) => false,
    });
    numbers.map(|line| float(&line.probability.upper())).sum()
}

/// The same where each person is counted with a chance, term by term.
fn listed_of_sample(deployed: &Deployed, people: u64, chance: f64) -> f64 {
    let mut weight = (1.0 - chance).powi(people as i32);
    let mut sum = 0.0;
    for count in 0..=people {
        sum += weight * listed(deployed, count);
        weight *= (people - count) as f64 / (count + 1) as f64 * chance / (1.0 - chance);
    }
    sum
}

/// Checks sizes against chances, one by one up to `last`.
fn judge(what: &str, shows: &Shows, last: u64, chance: impl Fn(u64) -> f64) {
    let chances: Vec<f64> = (0..=last).map(chance).collect();
    let from =
        |share: f64| (1..=last).rev().find(|size| chances[*size as usize] < share - 1e-9).map_or(1, |low| low + 1);
    let first = (1..=last).find(|size| chances[*size as usize] >= 0.01 - 1e-9);
    assert_eq!(shows.at_1_percent, first, "{what}: hardly any");
    assert_eq!(shows.at_50_percent, Some(from(0.5)), "{what}: half");
    assert_eq!(shows.at_99_percent, Some(from(0.99)), "{what}: nearly all");
}

#[test]
fn sizes_are_those_at_which_the_listed_laws_pass_one_per_cent_half_and_99() {
    let mut judged = 0;
    let more = [
        // Larger bins need not show more often here: exact counts below the threshold are hidden, noisy ones may show.
        ("kind = \"crowd-blending\"\ncrowd = 8\nepsilon = \"1/4\"", "name = \"noise-below\"\nthreshold = 14"),
        (OUTLIER, "name = \"noisy-noise\"\nthreshold = 40"),
        (PLAIN, "name = \"relay\"\nthreshold = 20"),
        ("kind = \"table\"\nvalues = [0, 0, \"1/2\", 1]", "name = \"tailored-geometric\""),
    ];
    for (promise, mechanism) in CASES.into_iter().chain(more) {
        let plan = plan_of(promise, &format!("\n[mechanism]\n{mechanism}\n"));
        let what = format!("{promise} {mechanism}");
        let deployed = plan.settled.deployed();
        let Some(shows) = plan.shows() else {
            assert!((1..60).all(|count| listed(deployed, count) > 1.0 - 1e-9), "{what}: every bin shows");
            assert_eq!(plan.shows_words(), None);
            continue;
        };
        judged += 1;
        judge(&what, shows, 90, |count| listed(deployed, count));
    }
    assert!(judged >= 10, "{judged} mechanisms hide bins");
}

#[test]
fn the_sentence_says_the_sizes_and_what_holds_at_each() {
    let found = "[[bins]]\nname = \"word\"\ncolumn = \"word\"\n";
    for (promise, rest) in [(PLAIN, found), (OUTLIER, found)] {
        let plan = plan_of(promise, rest);
        let words = plan.shows_words().expect("a sentence");
        let numbers: Vec<u64> =
            words.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
        let [about, half, ninety_nine, nearly, one, below] = numbers[..] else { panic!("{words}") };
        assert_eq!((about, ninety_nine, one), (half, 99, 1), "{words}");
        let chance = |size: u64| listed(plan.settled.deployed(), size);
        assert!(chance(half) >= 0.5 && chance(half - 1) < 0.5, "{words}");
        assert!(chance(nearly) >= 0.99 && chance(nearly - 1) < 0.99, "{words}");
        assert!((1..below).all(|size| chance(size) < 0.01) && chance(below) >= 0.01, "{words}");
        assert!(words.contains("at least half of those of") && words.contains("less than 1 % of those below"));
    }
}

#[test]
fn a_certain_cut_is_said_to_be_one() {
    let rows = "release = \"rows\"\n[[columns]]\nname = \"a\"\ncolumn = \"a\"\nkeep = true\n[promise]\nkind = \
                \"crowd-blending\"\ncrowd = 20\nepsilon = 0\n";
    let plan = Plan::of(&Request::parse(rows).expect("a request"), None).expect("a plan");
    assert_eq!(
        plan.shows_words().as_deref(),
        Some("kinds of rows show from 20 people on: all of them, and none below")
    );
    assert_eq!((listed(plan.settled.deployed(), 19), listed(plan.settled.deployed(), 20)), (0.0, 1.0));
    let told = plan.with_sizes_of_showing();
    let sizes: Vec<u64> = told.utility().iter().map(|utility| utility.count).collect();
    assert!(sizes.contains(&19) && sizes.contains(&20), "{sizes:?}");
}

#[test]
fn on_a_sample_sizes_are_of_all_people() {
    let sampled = "[data]\nsample = \"1/4\"\n[[bins]]\nname = \"word\"\ncolumn = \"word\"\n";
    for (promise, rest) in [
        (PLAIN, sampled.to_string()),
        (
            "kind = \"crowd-blending\"\ncrowd = 6\nepsilon = 0",
            format!("{sampled}[mechanism]\nname = \"suppress-below\"\n"),
        ),
    ] {
        let plan = plan_of(promise, &rest);
        let shows = plan.shows().expect("sizes");
        judge(promise, shows, 140, |people| listed_of_sample(plan.settled.deployed(), people, 0.25));
        let words = plan.shows_words().expect("a sentence");
        assert!(words.contains("of whom each is counted with chance 1/4,"), "{words}");
    }
}

#[test]
fn the_sizes_stand_in_the_tables_of_readers_and_not_in_certificates() {
    let plan = plan_of(PLAIN, "[[bins]]\nname = \"word\"\ncolumn = \"word\"\n");
    let shows = *plan.shows().expect("sizes");
    let counts = |plan: &Plan| plan.exact().iter().map(|at| at.count).collect::<Vec<_>>();
    let before = counts(&plan);
    let told = plan.with_sizes_of_showing();
    let after = counts(&told);
    for size in [shows.at_1_percent, shows.at_50_percent, shows.at_99_percent].map(|size| size.expect("a size")) {
        assert!(after.contains(&size), "{size} in {after:?}");
        assert!(told.utility().iter().any(|utility| utility.count == size));
    }
    assert!(after.is_sorted() && after.len() >= before.len() + 2, "{before:?} {after:?}");
}
