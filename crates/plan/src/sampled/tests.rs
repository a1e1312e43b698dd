//! What a plan says about a sample, against the figures of `docs/errata.md` 5 and against the definitions.

use super::*;
use crate::plan::Plan;
use incrowd_exact::testing::number;

fn planned(data: &str, promise: &str, mechanism: &str) -> Result<Plan, Refusal> {
    let text = format!(
        "[data]\n{data}\n[[bins]]\nname = \"x\"\ncolumn = \"x\"\nvalues = [1, 2]\n[promise]\n{promise}\n[mechanism]\nname = \"{mechanism}\"\n"
    );
    Plan::of(&Request::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}")), Some(&[]))
}

fn sampled(data: &str, promise: &str, mechanism: &str) -> SampledRelease {
    planned(data, promise, mechanism).unwrap_or_else(|refusal| panic!("{refusal}")).sampled.expect("a sample")
}

fn refused(data: &str, promise: &str, mechanism: &str) -> NoSample {
    match planned(data, promise, mechanism) {
        Err(Refusal::Sampled(why)) => *why,
        other => panic!("{other:?}"),
    }
}

/// A delta as the errata print it.
fn printed(delta: &Rational, digits: usize) -> String {
    format!("{:.digits$e}", delta.to_f64().value())
}

fn at<'s>(statement: &'s Statement, epsilon: &str) -> &'s Point {
    statement.curve.iter().find(|point| point.epsilon == number(epsilon)).expect("a point")
}

const CROWD: &str = "kind = \"crowd-blending\"\ncrowd = 20\nepsilon = 1";

#[test]
fn the_curve_has_the_figures_of_the_errata() {
    let release = sampled("sample = 0.1", CROWD, "noise-below");
    let [everybody] = release.statements() else { panic!("one statement") };
    assert_eq!(printed(&at(everybody, "0.2").delta, 1), "6.5e-11");
    let suppressed = sampled("sample = 0.1", CROWD, "suppress-below");
    let [everybody] = suppressed.statements() else { panic!("one statement") };
    let point = at(everybody, "0.5");
    assert_eq!((printed(&point.delta, 2).as_str(), point.others, point.by), ("2.63e-11", Some(41), DeltaReason::Law));
    assert!(everybody.curve.windows(2).all(|pair| pair[0].epsilon < pair[1].epsilon));
    assert!(everybody.curve.windows(2).all(|pair| pair[0].delta >= pair[1].delta));
}

#[test]
fn noise_is_advised_where_it_is_better_and_the_tailored_geometric_is_not() {
    let release = sampled("sample = 0.1", CROWD, "suppress-below");
    let comparison = release.comparison().expect("a comparison");
    assert!(comparison.noise_below < comparison.suppress_below);
    // What the tailored geometric shows of a small group can be no exact count.
    let (one, other) = (&comparison.tailored, &comparison.suppress_below);
    assert!(
        one <= &(other * number("1.00000001")) && *one > &comparison.noise_below * Rational::from(100u8),
        "{one} {other}"
    );
    let words = release.advice().join(" ");
    assert!(words.contains("noise-below with epsilon 1 is the best choice"), "{words}");
    let none = sampled("sample = 0.1", "kind = \"crowd-blending\"\ncrowd = 20\nepsilon = 0", "suppress-below");
    let words = none.advice().join(" ");
    assert!(words.contains("if [promise] allowed epsilon 1, noise-below would be"), "{words}");
    let plain = sampled("sample = 0.1", "kind = \"differential-privacy\"\nepsilon = 1", "geometric");
    assert!(!plain.advice().join(" ").contains("best choice"));
}

#[test]
fn a_promise_to_everybody_is_amplified() {
    let release = sampled("sample = 0.1", "kind = \"differential-privacy\"\nepsilon = 1", "geometric");
    let [everybody] = release.statements() else { panic!("one statement") };
    // ln(1 + (e - 1)/10) = 0.1586
    assert_eq!(at(everybody, "0.2").delta, Rational::ZERO);
    assert!(at(everybody, "0.1").delta > Rational::ZERO);
    // The law of a range on a sample is not known, but it promises something to everybody.
    let range = "kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-3\"";
    let release = sampled("sample = 0.1", range, "range");
    let [everybody] = release.statements() else { panic!("one statement") };
    let first = &everybody.curve[0];
    assert_eq!((first.by, words::short(&first.epsilon).as_str()), (DeltaReason::Amplification, "0.159"));
    assert!(first.delta > Rational::ZERO && first.delta < number("1e-4"), "{}", first.delta);
}

#[test]
fn a_collected_sample_has_its_theorem_and_is_never_charged() {
    let collected = "[data.sampled]\nprobability = [0.1, 0.15]\nknown = 5";
    let release = sampled(collected, "kind = \"crowd-blending\"\ncrowd = 20\nepsilon = 0", "suppress-below");
    assert_eq!(release.how, SampleOrigin::Collected);
    assert!(release.charged.is_none());
    let [everybody] = release.statements() else { panic!("one statement") };
    let point = at(everybody, "0.2");
    assert!(point.by_theorem.as_ref().is_some_and(|theorem| theorem * number("1.00000001") >= point.delta));
    let outlier = sampled(
        "[data.sampled]\nprobability = 0.1",
        "kind = \"simple-outlier\"\ngroup = 20\nepsilon = 1",
        "suppress-up-to",
    );
    let [_, distributional] = outlier.statements() else { panic!("two statements") };
    assert_eq!(distributional.notion, Notion::Distributional);
    assert_eq!(printed(&at(distributional, "0.5").delta, 2), "3.24e-3");
    assert_eq!(printed(&at(distributional, "1").delta, 2), "2.06e-5");
}

#[test]
fn a_chosen_pair_is_charged_as_differential_privacy() {
    let plan = planned("sample = 0.1", &format!("{CROWD}\nsampled-epsilon = \"1/5\""), "noise-below").expect("a plan");
    let cost = plan.cost();
    assert_eq!(cost.epsilon, Epsilon::Finite(number("1/5")));
    assert_eq!(words::short(&cost.delta), "6.47e-11");
    let charged = plan.sampled.as_ref().and_then(|sampled| sampled.charged_as(&cost.delta)).expect("a charge");
    assert_eq!(charged.promise.kind(), "differential-privacy");
    let unchosen = planned("sample = 0.1", CROWD, "noise-below").expect("a plan");
    assert_eq!(unchosen.cost().epsilon, Epsilon::Infinite);
}

#[test]
fn what_cannot_be_sampled_is_refused() {
    assert_eq!(refused("sample = 0.1\npeople = \"n\"", CROWD, "noise-below"), NoSample::PeopleInRows);
    let several = "sample = 0.1\nperson = \"id\"\nbins-per-person = 2";
    assert_eq!(refused(several, "kind = \"differential-privacy\"\nepsilon = 1", "geometric"), NoSample::SeveralBins);
    let both = "sample = 0.1\n[data.sampled]\nprobability = 0.5";
    assert_eq!(refused(both, CROWD, "noise-below"), NoSample::Twice);
    let range = "kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-3\"\nsampled-epsilon = 0.1";
    let NoSample::TooSmall { smallest, .. } = refused("sample = 0.1", range, "range") else { panic!("too small") };
    assert_eq!(words::short(&smallest), "0.159");
    let strict = format!("{CROWD}\nsampled-epsilon = 0.05\ndelta = \"1e-12\"");
    let NoSample::Delta { fits, has, .. } = refused("sample = 0.1", &strict, "suppress-below") else { panic!("delta") };
    assert_eq!((fits, has > number("1e-12")), (Some(number("1")), true));
    let unknown = "kind = \"simple-outlier\"\ngroup = 5\nepsilon = 1\ndelta = \"1e-3\"\nsampled-epsilon = 1";
    let why = planned("sample = 0.1", unknown, "relay");
    assert!(matches!(why, Err(Refusal::Sampled(_))), "{why:?}");
}

/// The larger of both directions between 3 and 2 people who are known to be there, with others of whom each is sampled.
fn delta_of_a_known_person(crowd: u64, chance: f64, epsilon: f64) -> f64 {
    let shown = |known: u64, others: u64| {
        let mut law = vec![0.0; (others + known + 1) as usize];
        let mut binomial = (1.0 - chance).powi(others as i32);
        for sampled in 0..=others {
            let count = known + sampled;
            // Counts below a crowd are one outcome.
            law[if count < crowd { 0 } else { count as usize }] += binomial;
            binomial *= (others - sampled) as f64 / (sampled + 1) as f64 * chance / (1.0 - chance);
        }
        law
    };
    let stick = |p: &[f64], q: &[f64]| -> f64 {
        let other = |at: usize| q.get(at).copied().unwrap_or(0.0);
        p.iter().enumerate().map(|(at, mass)| (mass - epsilon.exp() * other(at)).max(0.0)).sum()
    };
    let worst = (0..400).map(|others| {
        let (with, without) = (shown(3, others), shown(2, others));
        stick(&with, &without).max(stick(&without, &with))
    });
    worst.fold(0.0, f64::max)
}

#[test]
fn what_is_said_of_a_population_leaves_out_those_who_are_known() {
    let words = |data: &str| {
        let release = sampled(data, "kind = \"crowd-blending\"\ncrowd = 20\nepsilon = 0", "suppress-below");
        let [everybody] = release.statements() else { panic!("one statement") };
        (release.statement_words(everybody), at(everybody, "1/2").delta.to_f64().value())
    };
    let (known, delta) = words("[data.sampled]\nprobability = [\"1/20\", \"1/10\"]\nknown = 3");
    assert!(known.contains("for everybody in the population but the 3 people of whom somebody may know"), "{known}");
    assert!(known.contains("CB Theorem 16") && !known.contains("Theorem 13"), "{known}");
    // No coin hides them: for one of the three the stated delta would be false by seven digits.
    let truth = delta_of_a_known_person(20, 0.1, 0.5);
    assert!(delta < 1e-9 && truth > 5e-3, "{delta:e} {truth:e}");
    let (one, _) = words("[data.sampled]\nprobability = \"1/10\"\nknown = 1");
    assert!(one.contains("but the 1 person of whom") && one.contains("CB Theorem 16"), "{one}");
    let (differing, _) = words("[data.sampled]\nprobability = [\"1/20\", \"1/10\"]");
    assert!(
        differing.contains("for everybody in the population,") && differing.contains("CB Theorem 16"),
        "{differing}"
    );
    let (plain, _) = words("[data.sampled]\nprobability = \"1/10\"");
    assert!(plain.contains("for everybody in the population,") && plain.contains("CB Theorem 13"), "{plain}");
}
