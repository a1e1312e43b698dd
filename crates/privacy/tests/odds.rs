//! The chance that a loss exceeds a level, against sums over laws that are written out here again, in floats.
//!
//! Nothing of the code under test is used but the numbers that it returns: laws come from their definitions. A chance
//! that was delta instead must not pass.

use incrowd_exact::Rational;
use incrowd_exact::testing::number;
use incrowd_privacy::{
    Curve, Deployed, Epsilon, Mechanism, Promise, RelayTable, Sampling, SideOutput, Sureness, Tightness, Universe,
    chance_beyond,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A law: an outcome is a text, so that "nothing" and values do not mix.
type Law = BTreeMap<String, f64>;

const NOTHING: &str = "nothing";

fn float(value: &Rational) -> f64 {
    value.to_f64().value()
}

fn finite(text: &str) -> Epsilon {
    Epsilon::Finite(number(text))
}

/// Discrete Laplace noise, by its definition.
fn noise(rate: f64) -> Vec<(i64, f64)> {
    let z = (-rate).exp();
    let reach = (60.0 / rate).ceil() as i64;
    (-reach..=reach).map(|at| (at, (1.0 - z) / (1.0 + z) * z.powf(at.abs() as f64))).collect()
}

fn add(law: &mut Law, outcome: String, mass: f64) {
    *law.entry(outcome).or_insert(0.0) += mass;
}

/// One noisy number, hidden below a cut.
fn noisy(count: u64, rate: f64, cut: i64) -> Law {
    let mut law = Law::new();
    for (at, mass) in noise(rate) {
        let value = count as i64 + at;
        add(&mut law, if value < cut { NOTHING.into() } else { value.to_string() }, mass);
    }
    law
}

/// The larger of both directions of `P[P > odds Q]`.
fn exceeding(p: &Law, q: &Law, odds: f64) -> f64 {
    let one_way = |p: &Law, q: &Law| {
        p.iter().filter(|(key, mass)| **mass > odds * q.get(*key).copied().unwrap_or(0.0)).map(|(_, mass)| mass).sum()
    };
    f64::max(one_way(p, q), one_way(q, p))
}

fn hockey_stick(p: &Law, q: &Law, odds: f64) -> f64 {
    let one_way = |p: &Law, q: &Law| {
        p.iter().map(|(key, mass)| (mass - odds * q.get(key).copied().unwrap_or(0.0)).max(0.0)).sum()
    };
    f64::max(one_way(p, q), one_way(q, p))
}

fn close(found: f64, truth: f64, what: &str) {
    // Tails of these floats are cut at e^-60.
    assert!((found - truth).abs() <= truth * 1e-8 + 1e-20, "{what}: {found:e} but {truth:e}");
}

fn sure(count: u64) -> Law {
    Law::from([(count.to_string(), 1.0)])
}

fn silent() -> Law {
    Law::from([(NOTHING.to_string(), 1.0)])
}

fn closed(mechanism: Mechanism) -> Deployed {
    Deployed { mechanism, universe: Universe::Closed, publish_from: None }
}

/// Compares every count of a range, and the largest of them, at several levels.
fn compare(what: &str, deployed: &Deployed, law: &dyn Fn(u64) -> Law, counts: (u64, u64), levels: &[&str]) {
    let before = |count: u64| match (deployed.universe, count) {
        (Universe::Open, 1) => silent(),
        (_, count) => law(count - 1),
    };
    for level in levels {
        let odds = Sureness::of(&number(level)).odds().expect("odds");
        let mut largest: f64 = 0.0;
        for count in counts.0..=counts.1 {
            let truth = exceeding(&law(count), &before(count), float(&odds));
            largest = largest.max(truth);
            let found = deployed.exceeding_at(count, &odds).expect("a chance");
            close(float(&found.upper_bound()), truth, &format!("{what} at {count}, level {level}"));
        }
        let found = deployed.exceeding(counts.0, Some(counts.1), &odds).expect("a chance");
        close(float(&found.upper_bound()), largest, &format!("{what}, level {level}"));
        assert_eq!(found.tightness, Tightness::Exact, "{what}, level {level}");
    }
}

const LEVELS: [&str; 5] = ["1/20", "1/5", "1/2", "0.9", "3/2"];

#[test]
fn one_noise_with_and_without_a_cut_exceeds_as_often_as_its_law_says() {
    let geometric = closed(Mechanism::Geometric { epsilon: number("1") });
    compare("geometric", &geometric, &|count| noisy(count, 1.0, i64::MIN), (1, 30), &LEVELS);
    let cut = Deployed { publish_from: Some(12), ..geometric };
    compare("geometric from 12", &cut, &|count| noisy(count, 1.0, 12), (1, 30), &LEVELS);
    let suppress = closed(Mechanism::NoisySuppress { group: 10, epsilon: number("1/2"), offset: 3 });
    compare("noisy-suppress", &suppress, &|count| noisy(count, 0.5, 14), (1, 40), &LEVELS);
    for threshold in [3, 9, 25] {
        let open = Deployed {
            mechanism: Mechanism::Threshold { epsilon: number("0.7"), threshold },
            universe: Universe::Open,
            publish_from: None,
        };
        compare("threshold", &open, &|count| noisy(count, 0.7, threshold), (1, 40), &LEVELS);
    }
    let group = closed(Mechanism::GroupGeometric { group: 5, epsilon: number("1") });
    compare("group-geometric", &group, &|count| noisy(count, 0.2, i64::MIN), (1, 20), &LEVELS);
}

#[test]
fn mechanisms_that_bend_exceed_as_often_as_their_laws_say() {
    let below = closed(Mechanism::NoiseBelow { crowd: 8, epsilon: number("1/2") });
    let law = |count: u64| if count < 8 { noisy(count, 0.5, i64::MIN) } else { sure(count) };
    compare("noise-below", &below, &law, (1, 12), &LEVELS);
    let from = Deployed { publish_from: Some(5), ..below };
    let cut = |count: u64| if count < 8 { noisy(count, 0.5, 5) } else { sure(count) };
    compare("noise-below from 5", &from, &cut, (1, 12), &LEVELS);
    let up_to = closed(Mechanism::NoiseUpTo { group: 6, epsilon: number("3") });
    let law = |count: u64| if count <= 6 { noisy(count, 0.5, i64::MIN) } else { sure(count) };
    compare("noise-up-to", &up_to, &law, (1, 12), &LEVELS);
    let open = Deployed { universe: Universe::Open, ..closed(Mechanism::SuppressBelow { crowd: 4 }) };
    compare("suppress-below", &open, &|count| if count < 4 { silent() } else { sure(count) }, (1, 9), &LEVELS);
    let rates = ["1/5", "1/4", "1/3", "1/2", "1"];
    let curve = Curve::table(rates.map(finite).to_vec()).expect("a curve");
    let fading = closed(Mechanism::Fading { curve: curve.clone(), at_zero: number("1/5") });
    let law = |count: u64| {
        let rate = if count == 0 { 0.2 } else { float(curve.epsilon(count).finite().expect("finite")) };
        noisy(count, rate, i64::MIN)
    };
    compare("fading", &fading, &law, (1, 9), &LEVELS);
    let range = closed(Mechanism::Range { epsilon: number("1/2"), half_width: 6 });
    let law = |count: u64| {
        let mut law = Law::new();
        for (at, mass) in noise(0.5) {
            add(&mut law, if at.abs() > 6 { NOTHING.into() } else { (count as i64 + at).to_string() }, mass);
        }
        law
    };
    compare("range", &range, &law, (1, 6), &LEVELS);
}

#[test]
fn ladders_exceed_as_often_as_their_laws_say_telling_or_not() {
    let noisy_noise = closed(Mechanism::NoisyNoise { group: 6, epsilon: number("1"), offset: 4 });
    // Noise, then more noise where the first result is at most 10.
    let two = |count: u64| {
        let mut law = Law::new();
        for (first, mass) in noise(1.0) {
            let value = count as i64 + first;
            if value > 10 {
                add(&mut law, value.to_string(), mass);
                continue;
            }
            for (second, more) in noise(1.0 / 6.0) {
                add(&mut law, (value + second).to_string(), mass * more);
            }
        }
        law
    };
    compare("noisy-noise", &noisy_noise, &two, (1, 8), &LEVELS[1..4]);
    let epsilons = vec![finite("1"), finite("1/2"), Epsilon::ZERO];
    for side_output in [SideOutput::Hidden, SideOutput::Published] {
        let mechanism = Mechanism::Staircase { epsilons: epsilons.clone(), levels: vec![12, 7], side_output };
        let side_value = |fired: &[bool]| match side_output {
            SideOutput::Hidden => String::new(),
            SideOutput::Published => format!("{fired:?} "),
        };
        let law = |count: u64| {
            let mut law = Law::new();
            let last = |law: &mut Law, first: bool, value: i64, mass: f64| {
                let fired = value <= 7;
                let shown = if fired { NOTHING.to_string() } else { value.to_string() };
                add(law, side_value(&[first, fired]) + &shown, mass);
            };
            for (first, mass) in noise(1.0) {
                let value = count as i64 + first;
                if value > 12 {
                    last(&mut law, false, value, mass);
                    continue;
                }
                for (second, more) in noise(0.5) {
                    last(&mut law, true, value + second, mass * more);
                }
            }
            law
        };
        compare("staircase", &closed(mechanism), &law, (1, 8), &LEVELS[1..4]);
    }
}

#[test]
fn a_tailored_geometric_never_exceeds_its_own_curve_but_for_the_first_person_of_an_open_bin() {
    let promise = Promise::SimpleOutlierDp { group: 10, epsilon: finite("1") };
    let curve = promise.curve().expect("a curve");
    let odds = |text: &str| Sureness::of(&number(text)).odds().expect("odds");
    let own = closed(Mechanism::TailoredGeometric { curve: curve.clone() });
    assert_eq!(own.exceeding(1, Some(10), &odds("1/10")).expect("a chance").upper_bound(), Rational::ZERO);
    assert_eq!(own.exceeding(11, None, &odds("1")).expect("a chance").upper_bound(), Rational::ZERO);
    // P(Y >= y | 1) for y above one: products of e^-eps, over 1 + e^-eps(y).
    let open = Deployed { universe: Universe::Open, publish_from: Some(18), ..own };
    let truth = (-(0.9f64 + 8.0)).exp() / (1.0 + (-1f64).exp());
    close(float(&open.exceeding(1, Some(10), &odds("1/10")).expect("a chance").upper_bound()), truth, "open");
    close(float(&open.exceeding_at(1, &odds("1/10")).expect("a chance").upper_bound()), truth, "open at 1");
}

/// The relay's law, from its published integers.
fn relay_law(table: &RelayTable, count: u64) -> Law {
    let law = table.law(count);
    let whole = 2f64.powi(128);
    let mass = |units: &incrowd_exact::Natural| units.to_f64().value() / whole;
    let mut found: Law = law.published.iter().map(|(value, units)| (value.to_string(), mass(units))).collect();
    add(&mut found, NOTHING.into(), mass(&law.nothing));
    found
}

#[test]
fn the_relay_exceeds_far_more_often_than_its_delta() {
    for (epsilon, delta, group) in [("1", "1e-6", 60), ("1/10", "1e-6", 400), ("1/2", "1e-3", 60)] {
        let curve = Curve::constant(finite(epsilon)).expect("a curve");
        let table = Arc::new(RelayTable::build(&curve, &number(delta)).expect("a table"));
        let mechanism = Mechanism::Relay { curve, table: Arc::clone(&table) };
        let deployed = Deployed { mechanism, universe: Universe::Open, publish_from: None };
        let odds = Sureness::of(&number(epsilon)).odds().expect("odds");
        let far = table.closed_at().expect("a window") + group;
        let mut truth: f64 = 0.0;
        let mut before = relay_law(&table, 0);
        for count in 1..=far {
            let here = relay_law(&table, count);
            truth = truth.max(exceeding(&here, &before, float(&odds)));
            before = here;
        }
        let found = deployed.exceeding(1, None, &odds).expect("a chance");
        close(float(&found.upper_bound()), truth, &format!("relay {epsilon}"));
        assert_eq!(found.tightness, Tightness::Exact);
        assert!(float(&found.upper_bound()) > 5.0 * float(&number(delta)), "delta is not this chance");
        // The bound that knows epsilon and delta alone is above it, at any level.
        let room = Sureness::with_room(&number(epsilon), &number(delta)).odds().expect("odds");
        let exact = deployed.exceeding(1, None, &room).expect("a chance").upper_bound();
        assert!(exact <= chance_beyond(&number(epsilon), &number(delta), &room));
    }
}

#[test]
fn just_above_epsilon_the_chance_is_ten_thousand_deltas() {
    // PROMISE.md says so. e^0.1 = 1.1051709180...
    let curve = Curve::constant(finite("1/10")).expect("a curve");
    let table = Arc::new(RelayTable::build(&curve, &number("1e-6")).expect("a table"));
    let odds = number("1.1051710");
    let laws: Vec<Law> = (0..400).map(|count| relay_law(&table, count)).collect();
    let truth = laws.windows(2).map(|pair| exceeding(&pair[0], &pair[1], float(&odds))).fold(0.0, f64::max);
    let deployed =
        Deployed { mechanism: Mechanism::Relay { curve, table }, universe: Universe::Open, publish_from: None };
    let found = float(&deployed.exceeding(1, None, &odds).expect("a chance").upper_bound());
    close(found, truth, "relay");
    assert!(found > 1e4 * 1e-6, "{found:e}");
}

#[test]
fn a_relay_before_an_infinite_stretch_and_one_with_a_threshold_are_looked_at_to_their_ends() {
    for (curve, publish_from) in [
        (Curve::steps(vec![(40, finite("1/4"))], Epsilon::Infinite), None),
        (Curve::steps(vec![(10, finite("1/10"))], finite("1")), None),
        (Curve::steps(vec![(10, finite("0"))], finite("1")), None),
        (Curve::constant(finite("1/2")), Some(30)),
    ] {
        let curve = curve.expect("a curve");
        let table = Arc::new(RelayTable::build(&curve, &number("1e-4")).expect("a table"));
        let mechanism = Mechanism::Relay { curve: curve.clone(), table: Arc::clone(&table) };
        let deployed = Deployed { mechanism, universe: Universe::Open, publish_from };
        let law = |count: u64| {
            let mut law = Law::new();
            for (outcome, mass) in relay_law(&table, count) {
                let hidden = outcome.parse::<i64>().is_ok_and(|value| publish_from.is_some_and(|from| value < from));
                add(&mut law, if hidden { NOTHING.into() } else { outcome }, mass);
            }
            law
        };
        for run in curve.runs() {
            let Epsilon::Finite(epsilon) = curve.epsilon(run.from) else { continue };
            let odds = Sureness::with_room(&epsilon, &number("1e-4")).odds().expect("odds");
            let to = run.to.unwrap_or(200);
            let truth =
                (run.from..=to).map(|count| exceeding(&law(count), &law(count - 1), float(&odds))).fold(0.0, f64::max);
            let found = deployed.exceeding(run.from, run.to, &odds).expect("a chance");
            close(float(&found.upper_bound()), truth, &format!("{curve:?}"));
        }
    }
}

/// What is shown of a class of `people`, each of whom is sampled.
fn sampled(law: &dyn Fn(u64) -> Law, chance: f64, people: u64) -> Law {
    let mut mixed = Law::new();
    let mut binomial = (1.0 - chance).powi(people as i32);
    for count in 0..=people {
        for (outcome, mass) in law(count) {
            add(&mut mixed, outcome, binomial * mass);
        }
        binomial *= (people - count) as f64 / (count + 1) as f64 * chance / (1.0 - chance);
    }
    mixed
}

#[test]
fn a_sample_exceeds_far_more_often_than_its_delta() {
    // (chance, level, delta, chance to exceed): reviewed by hand, the last at one population, so at most the truth.
    for (chance, level, delta, reviewed) in
        [("1/10", "0.1054", 4.0e-5, 3.0e-3), ("1/10", "1/5", 4.8e-7, 3.1e-5), ("1/4", "1/2", 3.9e-6, 7.0e-5)]
    {
        let deployed = closed(Mechanism::SuppressBelow { crowd: 20 });
        let law = |count: u64| if count < 20 { silent() } else { sure(count) };
        let sampling = Sampling::by(number(chance)).expect("a sampling");
        let odds = Sureness::of(&number(level)).odds().expect("odds");
        let p = float(&number(chance));
        let (mut truth, mut excess): (f64, f64) = (0.0, 0.0);
        for others in 0..900 {
            let (with, without) = (sampled(&law, p, others + 1), sampled(&law, p, others));
            truth = truth.max(exceeding(&with, &without, float(&odds)));
            excess = excess.max(hockey_stick(&with, &without, float(&number(level)).exp()));
        }
        let found = deployed.sampled_exceeding(&sampling, &odds).expect("a chance");
        close(float(&found.upper_bound()), truth, &format!("sample {chance} at {level}"));
        assert_eq!(found.tightness, Tightness::Exact);
        assert!(truth > reviewed * 0.97 && truth < reviewed * 1.3, "{truth:e}, reviewed {reviewed:e}");
        assert!((excess / delta - 1.0).abs() < 0.05, "{excess:e}, reviewed {delta:e}");
    }
}

#[test]
fn sampled_noise_exceeds_as_often_as_its_law_says() {
    type LawOf<'a> = &'a dyn Fn(u64) -> Law;
    let cases: [(&str, Mechanism, LawOf<'_>); 3] = [
        ("noise-below", Mechanism::NoiseBelow { crowd: 6, epsilon: number("1") }, &|count| {
            if count < 6 { noisy(count, 1.0, i64::MIN) } else { sure(count) }
        }),
        ("geometric", Mechanism::Geometric { epsilon: number("2") }, &|count| noisy(count, 2.0, i64::MIN)),
        ("suppress-up-to", Mechanism::SuppressUpTo { group: 4 }, &|count| {
            if count <= 4 { silent() } else { sure(count) }
        }),
    ];
    for (name, mechanism, law) in cases {
        for level in ["1/2", "1"] {
            let odds = Sureness::of(&number(level)).odds().expect("odds");
            let sampling = Sampling::by(number("1/4")).expect("a sampling");
            let truth = (0..150)
                .map(|others| exceeding(&sampled(law, 0.25, others + 1), &sampled(law, 0.25, others), float(&odds)))
                .fold(0.0, f64::max);
            let found = closed(mechanism.clone()).sampled_exceeding(&sampling, &odds).expect("a chance");
            // Floats do not tell deep tails apart.
            let found = float(&found.upper_bound());
            assert!((found - truth).abs() <= truth * 1e-7 + 1e-14, "{name} at {level}: {found:e} but {truth:e}");
        }
    }
}

#[test]
fn a_weaker_mechanism_than_promised_is_said_to_exceed_always() {
    // Geometric noise of epsilon 1 under a promise of 1/2: whoever looks is 73.1 % sure, and right with that chance.
    let deployed = closed(Mechanism::Geometric { epsilon: number("1") });
    let odds = Sureness::of(&number("1/2")).odds().expect("odds");
    let found = deployed.exceeding(1, None, &odds).expect("a chance").upper_bound();
    close(float(&found), 1.0 / (1.0 + (-1f64).exp()), "geometric");
}
