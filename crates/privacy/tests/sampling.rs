//! Sampled releases: the figures of `docs/errata.md` 5, and sums that are written down again from nothing but the
//! definitions.

use incrowd_exact::testing::number;
use incrowd_exact::{Rational, ln, significant_rounding_up};
use incrowd_privacy::{
    Curve, Deployed, Epsilon, Mechanism, Outcome, Sampled, Sampling, SamplingError, SideOutput, SideValue, Tightness,
    Universe, amplified_epsilon, crowd_blending_delta, delta_epsilon_curve, simple_outlier_delta,
};
use std::collections::BTreeMap;

fn finite(text: &str) -> Epsilon {
    Epsilon::Finite(number(text))
}

fn by(probability: &str) -> Sampling {
    Sampling::by(number(probability)).expect("a sampling")
}

/// `-ln(1-p)`, rounded up.
fn surely(probability: &str) -> Rational {
    let exact = ln(&(Rational::ONE - number(probability)), 160).times_integer(-1).upper();
    number(&significant_rounding_up(&exact, 24))
}

fn closed(mechanism: Mechanism) -> Deployed {
    Deployed { mechanism, universe: Universe::Closed, publish_from: None }
}

fn open(mechanism: Mechanism) -> Deployed {
    Deployed { mechanism, universe: Universe::Open, publish_from: None }
}

fn value(sampled: &Sampled) -> f64 {
    sampled.delta.upper_bound().to_f64().value()
}

/// Whether a number is the printed one, to the digits that are printed.
fn assert_printed(sampled: &Sampled, printed: &str) {
    let digits = printed.split('e').next().map_or(0, |mantissa| mantissa.len().saturating_sub(2));
    let text = format!("{:.digits$e}", value(sampled));
    assert_eq!(text, printed);
    assert_eq!(sampled.delta.tightness, Tightness::Exact, "{printed}");
}

// Figures.

#[test]
fn crowd_blending_gives_the_exact_constants_of_theorem_13() {
    for (probability, crowd, epsilon, printed, worst) in [
        ("0.01", 20, surely("0.01"), "3.63e-6", 955),
        ("0.05", 20, surely("0.05"), "1.90e-5", 195),
        ("0.1", 10, surely("0.1"), "6.80e-4", 48),
        ("0.1", 20, surely("0.1"), "4.04e-5", 100),
        ("0.1", 50, surely("0.1"), "3.57e-8", 258),
        ("0.1", 20, number("0.5"), "2.63e-11", 42),
        ("0.1", 20, number("1"), "2.76e-15", 29),
        ("0.25", 20, surely("0.25"), "1.32e-4", 44),
        ("0.5", 20, number("1"), "1.08e-4", 24),
        ("0.5", 100, surely("0.5"), "5.30e-11", 132),
    ] {
        let sampled = crowd_blending_delta(crowd, &Rational::ZERO, &by(probability), &epsilon).expect("a delta");
        assert_printed(&sampled, printed);
        // The table counts her, too.
        assert_eq!(sampled.worst, (0, worst - 1), "{printed}");
    }
}

#[test]
fn crowd_blending_is_accounted_for_below_what_the_theorem_can_say() {
    for (probability, crowd, epsilon, printed) in
        [("0.5", 20, "0.4", "4.1e-3"), ("0.1", 20, "0.05", "7.5e-4"), ("0.1", 100, "0.05", "4.9e-7")]
    {
        let epsilon = number(epsilon);
        assert!(epsilon < surely(probability));
        let sampled = crowd_blending_delta(crowd, &Rational::ZERO, &by(probability), &epsilon).expect("a delta");
        assert_printed(&sampled, printed);
    }
}

#[test]
fn biased_sampling_gives_the_exact_constants_of_theorem_16() {
    for (crowd, least, most, known, epsilon, printed, worst) in [
        (20, "0.1", "0.15", 0, "0.1626", "6.52e-5", 68),
        (20, "0.1", "0.15", 5, "0.1626", "2.48e-4", 50),
        (50, "0.1", "0.15", 5, "0.1626", "1.77e-7", 158),
        (50, "0.1", "0.12", 5, "0.13", "1.10e-7", 193),
        (20, "0.1", "0.15", 0, "0.3239", "5.5e-7", 49),
        (20, "0.1", "0.15", 5, "0.3239", "6.9e-6", 36),
        (50, "0.1", "0.15", 5, "0.3239", "4.0e-12", 114),
        (50, "0.1", "0.12", 5, "0.1806", "1.2e-9", 165),
    ] {
        let sampling = Sampling::between(number(least), number(most), known).expect("a sampling");
        let sampled = crowd_blending_delta(crowd, &Rational::ZERO, &sampling, &number(epsilon)).expect("a delta");
        assert_printed(&sampled, printed);
        assert_eq!(sampled.worst, (0, worst), "{printed}");
    }
}

#[test]
fn simple_outlier_privacy_gives_the_exact_constants_of_theorem_22() {
    for (group, epsilon, printed) in [
        (20, "0.5", "3.24e-3"),
        (20, "1", "2.06e-5"),
        (50, "0.5", "6.23e-5"),
        (100, "0.5", "2.23e-7"),
        (100, "0.3", "1.38e-4"),
    ] {
        for promised in ["0", "1"] {
            let sampled =
                simple_outlier_delta(group, &number(promised), &by("0.1"), &number(epsilon)).expect("a delta");
            assert_printed(&sampled, printed);
        }
    }
}

#[test]
fn noise_below_beats_suppression_on_a_sample() {
    for (probability, crowd, rate, epsilon, printed, suppressed) in [
        ("0.1", 5, "1", "0.2", "9.1e-6", "1.47e-3"),
        ("0.1", 10, "1", "0.2", "1.1e-7", "7.4e-5"),
        ("0.1", 20, "1", "0.2", "6.5e-11", "4.8e-7"),
        ("0.25", 20, "0.5", "0.3", "2.2e-7", "1.05e-4"),
    ] {
        let (sampling, epsilon) = (by(probability), number(epsilon));
        let noise = closed(Mechanism::NoiseBelow { crowd, epsilon: number(rate) });
        assert_printed(&noise.sampled_delta(&sampling, &epsilon).expect("a delta"), printed);
        let suppression = closed(Mechanism::SuppressBelow { crowd });
        assert_printed(&suppression.sampled_delta(&sampling, &epsilon).expect("a delta"), suppressed);
    }
    // The worst class of the second row, summed anew where the whole noise is listed.
    let noise = closed(Mechanism::NoiseBelow { crowd: 10, epsilon: number("1") });
    let sampled = noise.sampled_delta(&by("0.1"), &number("0.2")).expect("a delta");
    let laws = Laws::up_to(&noise, 120);
    let apart = |others: u64| {
        let without = binomial(others as usize, 0.1);
        both_ways(&laws.mixed(&with_her(&without, 0.1)), &laws.mixed(&without), 0.2)
    };
    let most = (0..120).map(apart).fold(0.0, f64::max);
    assert!((most - value(&sampled)).abs() < 1e-8 * most, "{most} {}", value(&sampled));
    assert!((apart(sampled.worst.1) - most).abs() < 1e-8 * most);
    let strong = closed(Mechanism::NoiseBelow { crowd: 5, epsilon: number("0.2") });
    let sampled = strong.sampled_delta(&by("0.1"), &number("0.2")).expect("a delta");
    assert!(value(&sampled) < 1e-15 && value(&sampled) > 1e-24, "{}", value(&sampled));
}

// Sums from the definitions.

/// A mechanism's laws at 0, 1, ... people: every outcome has a place of its own.
struct Laws {
    by_count: Vec<Vec<(usize, f64)>>,
    outcomes: usize,
}

type Shown = Vec<f64>;

impl Laws {
    fn up_to(deployed: &Deployed, people: u64) -> Self {
        let mut places: BTreeMap<(SideValue, Outcome), usize> = BTreeMap::new();
        let mut by_count = Vec::new();
        for count in 0..=people {
            let lines = deployed.law(count).expect("a law").lines.into_iter().map(|line| {
                let next = places.len();
                (*places.entry((line.side_value, line.outcome)).or_insert(next), line.probability.to_f64())
            });
            by_count.push(lines.collect());
        }
        Laws { by_count, outcomes: places.len() }
    }

    /// The law of what is shown, mixed over the counts: chances of 0, 1, ... people.
    fn mixed(&self, counts: &[f64]) -> Shown {
        let mut shown = vec![0.0; self.outcomes];
        for (law, chance) in self.by_count.iter().zip(counts) {
            law.iter().for_each(|(place, probability)| shown[*place] += chance * probability);
        }
        assert!(counts.len() <= self.by_count.len());
        shown
    }
}

/// `sum_y (P(y) - e^epsilon Q(y))_+`.
fn stick(p: &Shown, q: &Shown, epsilon: f64) -> f64 {
    let factor = epsilon.exp();
    p.iter().zip(q).map(|(p, q)| (p - factor * q).max(0.0)).sum()
}

fn both_ways(p: &Shown, q: &Shown, epsilon: f64) -> f64 {
    stick(p, q, epsilon).max(stick(q, p, epsilon))
}

/// The chances of 0, 1, ... sampled people, by going through every subset of the population.
fn by_subsets(population: &[f64]) -> Vec<f64> {
    let mut counts = vec![0.0; population.len() + 1];
    for subset in 0u32..1 << population.len() {
        let chance: f64 = population
            .iter()
            .enumerate()
            .map(|(person, chance)| if subset >> person & 1 == 1 { *chance } else { 1.0 - chance })
            .product();
        counts[subset.count_ones() as usize] += chance;
    }
    counts
}

/// The same for `others` people of one probability.
fn binomial(others: usize, chance: f64) -> Vec<f64> {
    (0..others).fold(vec![1.0], |counts, _| with_her(&counts, chance))
}

/// With her, too: one more with her own probability.
fn with_her(counts: &[f64], chance: f64) -> Vec<f64> {
    let mut with = vec![0.0; counts.len() + 1];
    for (count, known) in counts.iter().enumerate() {
        with[count] += (1.0 - chance) * known;
        with[count + 1] += chance * known;
    }
    with
}

fn mechanisms() -> Vec<Deployed> {
    let table = |values: &[&str]| Curve::table(values.iter().map(|value| finite(value)).collect()).expect("a curve");
    let ending = |steps: &[(u64, &str)]| {
        Curve::steps(steps.iter().map(|(to, value)| (*to, finite(value))).collect(), Epsilon::Infinite)
            .expect("a curve")
    };
    vec![
        closed(Mechanism::SuppressBelow { crowd: 3 }),
        open(Mechanism::SuppressBelow { crowd: 2 }),
        closed(Mechanism::SuppressUpTo { group: 3 }),
        closed(Mechanism::NoiseBelow { crowd: 3, epsilon: number("1") }),
        closed(Mechanism::NoiseBelow { crowd: 4, epsilon: number("0.3") }),
        open(Mechanism::NoiseBelow { crowd: 3, epsilon: number("1") }),
        closed(Mechanism::NoiseUpTo { group: 2, epsilon: number("1") }),
        closed(Mechanism::Geometric { epsilon: number("2") }),
        open(Mechanism::Threshold { epsilon: number("1"), threshold: 4 }),
        closed(Mechanism::GroupGeometric { group: 2, epsilon: number("3") }),
        closed(Mechanism::NoisySuppress { group: 2, epsilon: number("2"), offset: 1 }),
        closed(Mechanism::NoisyNoise { group: 2, epsilon: number("3"), offset: 1 }),
        closed(Mechanism::Staircase {
            epsilons: vec![finite("3"), finite("1"), Epsilon::ZERO],
            levels: vec![4, 2],
            side_output: SideOutput::Published,
        }),
        closed(Mechanism::TailoredGeometric { curve: ending(&[(3, "1")]) }),
        closed(Mechanism::TailoredGeometric { curve: ending(&[(2, "0"), (4, "0.5"), (5, "2")]) }),
        open(Mechanism::TailoredGeometric { curve: ending(&[(1, "0"), (3, "1")]) }),
        closed(Mechanism::TailoredGeometric { curve: table(&["0.5", "1", "1", "2"]) }),
        closed(Mechanism::TailoredGeometric { curve: table(&["0", "0", "1", "2"]) }),
        Deployed {
            mechanism: Mechanism::TailoredGeometric { curve: table(&["0", "1", "2"]) },
            universe: Universe::Open,
            publish_from: Some(4),
        },
        Deployed {
            mechanism: Mechanism::NoiseBelow { crowd: 4, epsilon: number("1") },
            universe: Universe::Closed,
            publish_from: Some(2),
        },
    ]
}

#[test]
fn the_worst_class_is_found_for_every_mechanism() {
    let mut attained = 0;
    for deployed in mechanisms() {
        let laws = Laws::up_to(&deployed, 50);
        for (probability, chance, epsilon) in [
            ("0.3", 0.3, "0.25"),
            ("0.3", 0.3, "0.6"),
            ("0.5", 0.5, "0.3"),
            ("0.5", 0.5, "0.9"),
            ("0.1", 0.1, "0.08"),
            ("0.1", 0.1, "0.3"),
        ] {
            let name = format!("{deployed:?} p={probability} E={epsilon}");
            let sampled = deployed.sampled_delta(&by(probability), &number(epsilon)).expect("a delta");
            let far = epsilon.parse::<f64>().expect("a number");
            let shown: Vec<Shown> = (0..=50).map(|others| laws.mixed(&binomial(others, chance))).collect();
            let deltas: Vec<f64> = shown.windows(2).map(|pair| both_ways(&pair[1], &pair[0], far)).collect();
            let most = deltas.iter().copied().fold(0.0, f64::max);
            assert!(value(&sampled) >= most - 1e-14, "{name}: {} {most}", value(&sampled));
            assert_eq!(sampled.delta.tightness, Tightness::Exact, "{name}");
            if let Some(there) = deltas.get(sampled.worst.1 as usize) {
                assert!((there - value(&sampled)).abs() < 1e-12 + 1e-9 * there, "{name}: {} {there}", value(&sampled));
                attained += 1;
            }
        }
    }
    assert!(attained > 100, "{attained}");
}

#[test]
fn no_population_of_eight_with_any_probabilities_is_worse() {
    for deployed in mechanisms() {
        let laws = Laws::up_to(&deployed, 10);
        let sampling = Sampling::between(number("0.2"), number("0.4"), 1).expect("a sampling");
        for (epsilon, text) in [(0.3, "0.3"), (0.7, "0.7")] {
            let sampled = deployed.sampled_delta(&sampling, &number(text)).expect("a delta");
            let mut most = 0f64;
            for others in 0..=8usize {
                for small in 0..=others {
                    let mut population = vec![0.2; small];
                    population.resize(others, 0.4);
                    for known in 0..=1 {
                        let mut without = vec![0.0; known];
                        without.extend(by_subsets(&population));
                        let apart = |own: f64| {
                            let with = laws.mixed(&with_her(&without, own));
                            both_ways(&with, &laws.mixed(&without), epsilon)
                        };
                        let delta = apart(0.4);
                        assert!(apart(0.2) <= delta + 1e-15 && apart(0.3) <= delta + 1e-15);
                        assert!(delta <= value(&sampled) + 1e-14, "{deployed:?} {small} of {others}, {known} known");
                        if small == 0 {
                            most = most.max(delta);
                        }
                    }
                }
            }
            if sampled.worst.1 <= 8 {
                assert!((most - value(&sampled)).abs() < 1e-12, "{deployed:?}: {most} {}", value(&sampled));
            }
        }
    }
}

#[test]
fn suppression_is_the_worst_mechanism_that_blends_perfectly() {
    for (probability, known) in [("0.1", 0), ("0.3", 2), ("0.5", 0)] {
        let sampling = Sampling::between(number(probability), number(probability), known).expect("a sampling");
        for crowd in [1, 2, 5, 12] {
            for epsilon in ["0.05", "0.2", "0.8", "3"] {
                let theorem =
                    crowd_blending_delta(crowd, &Rational::ZERO, &sampling, &number(epsilon)).expect("a delta");
                let below = closed(Mechanism::SuppressBelow { crowd });
                let direct = below.sampled_delta(&sampling, &number(epsilon)).expect("a delta");
                let scale = value(&theorem);
                assert!(
                    (scale - value(&direct)).abs() <= 1e-9 * scale,
                    "{crowd} {epsilon}: {scale} {}",
                    value(&direct)
                );
                let up_to = open(Mechanism::SuppressUpTo { group: crowd - 1 });
                let up_to = up_to.sampled_delta(&sampling, &number(epsilon)).expect("a delta");
                if crowd > 1 {
                    assert!((scale - value(&up_to)).abs() <= 1e-9 * scale, "{crowd} {epsilon}");
                }
            }
        }
    }
}

#[test]
fn noise_below_is_never_worse_than_suppression_from_its_own_amplified_epsilon_on() {
    for (probability, crowd, rate) in [("0.1", 8, "1"), ("0.3", 5, "0.5"), ("0.5", 4, "0.2")] {
        let sampling = by(probability);
        let smallest = amplified_epsilon(&number(rate), &sampling).max(surely(probability));
        for epsilon in [smallest.clone(), smallest + number("0.3")] {
            let noise = closed(Mechanism::NoiseBelow { crowd, epsilon: number(rate) });
            let noise = noise.sampled_delta(&sampling, &epsilon).expect("a delta");
            let suppression = crowd_blending_delta(crowd, &Rational::ZERO, &sampling, &epsilon).expect("a delta");
            assert!(value(&noise) <= value(&suppression), "{probability} {crowd} {rate}");
            let theorem = crowd_blending_delta(crowd, &number(rate), &sampling, &epsilon).expect("a delta");
            assert!(value(&suppression) <= value(&theorem), "{probability} {crowd} {rate}");
            assert_eq!(theorem.delta.tightness, Tightness::UpperBound);
        }
    }
}

#[test]
fn the_theorem_sums_what_it_says() {
    // p b(m) - e^-eps (e^E - 1 + p) b(m+1), from m = K - 1 on, in floats.
    for (probability, chance, crowd, blending, epsilon) in
        [("0.1", 0.1f64, 3, "0.5", "0.4"), ("0.3", 0.3, 2, "0.2", "0.5"), ("0.5", 0.5, 4, "1", "1.2")]
    {
        let sampled =
            crowd_blending_delta(crowd, &number(blending), &by(probability), &number(epsilon)).expect("a delta");
        let (blend, far) = (blending.parse::<f64>().expect("a number"), epsilon.parse::<f64>().expect("a number"));
        let sum = |others: usize| -> f64 {
            let counts = binomial(others, chance);
            let factor = (-blend).exp() * (far.exp_m1() + chance);
            (crowd as usize - 1..=others)
                .map(|m| chance * counts[m] - factor * counts.get(m + 1).copied().unwrap_or(0.0))
                .map(|term| term.max(0.0))
                .sum()
        };
        let (worst, most) =
            (0..300).map(|others| (others, sum(others))).fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a });
        assert!((most - value(&sampled)).abs() < 1e-9 * most, "{most} {}", value(&sampled));
        assert_eq!(sampled.worst, (0, worst as u64));
    }
}

#[test]
fn data_that_was_itself_sampled_hides_somebody_who_is_surely_there() {
    for (group, promised, chance, probability, epsilon) in [
        (2, "1", 0.3, "0.3", "0.6"),
        (3, "0", 0.5, "0.5", "0.5"),
        (3, "2", 0.5, "0.5", "0.7"),
        (2, "1", 0.3, "0.3", "1.5"),
        (1, "3", 0.2, "0.2", "3"),
    ] {
        let sampled =
            simple_outlier_delta(group, &number(promised), &by(probability), &number(epsilon)).expect("a delta");
        let far = epsilon.parse::<f64>().expect("a number");
        let mut kept = vec![closed(Mechanism::SuppressUpTo { group })];
        if promised != "0" {
            kept.push(closed(Mechanism::NoiseUpTo { group, epsilon: number(promised) }));
            let curve = Curve::steps(
                vec![(group, Epsilon::Finite(number(promised) / Rational::from(group)))],
                Epsilon::Infinite,
            );
            kept.push(closed(Mechanism::TailoredGeometric { curve: curve.expect("a curve") }));
        }
        for (index, deployed) in kept.iter().enumerate() {
            let laws = Laws::up_to(deployed, 40);
            let apart = |others: usize| {
                let without = binomial(others, chance);
                both_ways(&laws.mixed(&with_her(&without, 1.0)), &laws.mixed(&without), far)
            };
            let most = (0..40).map(apart).fold(0.0, f64::max);
            assert!(most <= value(&sampled) + 1e-14, "{deployed:?}: {most} {}", value(&sampled));
            if index == 0 && sampled.delta.tightness == Tightness::Exact && sampled.worst.1 < 40 {
                assert!((most - value(&sampled)).abs() < 1e-12, "{most} {}", value(&sampled));
                assert!((apart(sampled.worst.1 as usize) - most).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn known_people_make_the_crowd_smaller() {
    let (epsilon, eight) = (number("0.3"), by("0.2"));
    let known = Sampling::between(number("0.1"), number("0.2"), 3).expect("a sampling");
    let smaller = crowd_blending_delta(5, &Rational::ZERO, &eight, &epsilon).expect("a delta");
    let with_known = crowd_blending_delta(8, &Rational::ZERO, &known, &epsilon).expect("a delta");
    assert_eq!(smaller.delta.enclosure, with_known.delta.enclosure);
    let smaller = simple_outlier_delta(5, &number("1"), &eight, &epsilon).expect("a delta");
    let with_known = simple_outlier_delta(8, &number("1.6"), &known, &epsilon).expect("a delta");
    assert_eq!(smaller.delta.enclosure, with_known.delta.enclosure);
    // When all others may be known she is alone: she is seen whenever she is sampled.
    let all = Sampling::between(number("0.2"), number("0.2"), 100).expect("a sampling");
    let alone = crowd_blending_delta(8, &Rational::ZERO, &all, &number("3")).expect("a delta");
    assert!((value(&alone) - 0.2).abs() < 1e-12 && alone.worst == (0, 0));
    let surely_there = simple_outlier_delta(8, &Rational::ZERO, &all, &epsilon).expect("a delta");
    assert!((value(&surely_there) - 1.0).abs() < 1e-12);
}

// Pure promises.

#[test]
fn a_pure_promise_stays_pure_and_is_amplified() {
    let sampling = by("0.1");
    let curve = Curve::constant(finite("1")).expect("a curve");
    for mechanism in [Mechanism::Geometric { epsilon: number("1") }, Mechanism::TailoredGeometric { curve }] {
        let deployed = closed(mechanism);
        let amplified = amplified_epsilon(&number("1"), &sampling);
        assert!((amplified.to_f64().value() - (0.1 * 1f64.exp_m1()).ln_1p()).abs() < 1e-8);
        let pure = deployed.sampled_delta(&sampling, &amplified).expect("a delta");
        assert_eq!(pure.delta.upper_bound(), Rational::ZERO);
        let below = deployed.sampled_delta(&sampling, &number("0.15")).expect("a delta");
        // With nobody else: her noisy one against a noisy zero.
        let laws = Laws::up_to(&deployed, 1);
        let (p, q) = (laws.mixed(&[0.9, 0.1]), laws.mixed(&[1.0]));
        assert!((value(&below) - both_ways(&p, &q, 0.15)).abs() < 1e-12);
        assert_eq!(below.worst, (0, 0));
    }
    // A bin that appears is seen whatever the noise.
    let open = open(Mechanism::Threshold { epsilon: number("1"), threshold: 10 });
    let sampled = open.sampled_delta(&sampling, &number("0.5")).expect("a delta");
    assert!(value(&sampled) > 1e-6);
}

#[test]
fn the_tailored_geometric_with_an_exact_tail_equals_suppression() {
    for (probability, last, value_below) in [("0.1", 9, "0.5"), ("0.3", 4, "1")] {
        let sampling = by(probability);
        let curve = Curve::steps(vec![(last, finite(value_below))], Epsilon::Infinite).expect("a curve");
        let tailored = closed(Mechanism::TailoredGeometric { curve });
        let smallest = amplified_epsilon(&number(value_below), &sampling).max(surely(probability));
        let suppression = closed(Mechanism::SuppressBelow { crowd: last + 1 });
        for epsilon in [smallest.clone(), &smallest + number("0.2")] {
            let walked = tailored.sampled_delta(&sampling, &epsilon).expect("a delta");
            let suppressed = suppression.sampled_delta(&sampling, &epsilon).expect("a delta");
            assert!((value(&walked) - value(&suppressed)).abs() <= 2e-9 * value(&suppressed));
            assert_eq!(walked.worst, suppressed.worst);
        }
        // Below, what it says of small groups counts, too.
        let walked = tailored.sampled_delta(&sampling, &(smallest / Rational::from(4u8))).expect("a delta");
        assert!(value(&walked) > 0.0);
    }
}

// What is refused, and what must hold throughout.

#[test]
fn a_target_that_the_theorem_cannot_reach_is_refused_with_the_smallest_one() {
    let sampling = by("0.1");
    for (blending, truth) in [("0.5", -(0.9f64.ln())), ("2", (0.1 * 2f64.exp_m1()).ln_1p())] {
        let refused = crowd_blending_delta(20, &number(blending), &sampling, &number("0.05"));
        let Err(SamplingError::EpsilonTooSmall { smallest }) = refused else { panic!("{refused:?}") };
        let near = smallest.to_f64().value();
        assert!(near >= truth && near < truth * 1.000_001, "{near} {truth}");
        assert!(crowd_blending_delta(20, &number(blending), &sampling, &smallest).is_ok());
        let below = &smallest * number("0.999999");
        assert_eq!(
            crowd_blending_delta(20, &number(blending), &sampling, &below).map(|_| ()),
            Err(SamplingError::EpsilonTooSmall { smallest })
        );
    }
    let refused = simple_outlier_delta(20, &number("4"), &sampling, &number("0.19")).map(|_| ());
    assert_eq!(refused, Err(SamplingError::EpsilonTooSmall { smallest: number("0.2") }));
    assert!(simple_outlier_delta(20, &number("4"), &sampling, &number("0.2")).is_ok());
    for epsilon in ["0", "-1"] {
        let refused = crowd_blending_delta(20, &Rational::ZERO, &sampling, &number(epsilon)).map(|_| ());
        assert_eq!(refused, Err(SamplingError::NotPositive));
        let below = closed(Mechanism::SuppressBelow { crowd: 3 });
        assert_eq!(below.sampled_delta(&sampling, &number(epsilon)).map(|_| ()), Err(SamplingError::NotPositive));
    }
}

#[test]
fn a_mechanism_that_asks_for_the_count_in_other_ways_is_not_guessed_at() {
    let curve = Curve::constant(finite("1")).expect("a curve");
    for mechanism in
        [Mechanism::Range { epsilon: number("1"), half_width: 3 }, Mechanism::Fading { curve, at_zero: number("1") }]
    {
        let name = mechanism.name();
        let refused = closed(mechanism).sampled_delta(&by("0.1"), &number("0.5")).map(|_| ());
        assert_eq!(refused, Err(SamplingError::NotKnown { mechanism: name }));
    }
}

#[test]
fn delta_falls_in_epsilon() {
    let epsilons: Vec<Rational> =
        ["-1", "0.02", "0.05", "0.1", "0.106", "0.2", "0.5", "1", "2", "5", "30", "40"].map(number).to_vec();
    let sampling = by("0.1");
    let falls = |curve: Vec<Sampled>, expected: usize| {
        assert_eq!(curve.len(), expected);
        for pair in curve.windows(2) {
            assert!(pair[0].epsilon < pair[1].epsilon);
            // Below 1e-30 deltas are not told apart.
            assert!(value(&pair[1]) <= value(&pair[0]).max(1e-30) * (1.0 + 1e-9), "{:?}", pair[1].epsilon);
        }
    };
    let noise = closed(Mechanism::NoiseBelow { crowd: 6, epsilon: number("0.5") });
    falls(delta_epsilon_curve(&epsilons, |epsilon| noise.sampled_delta(&sampling, epsilon)).expect("deltas"), 11);
    let zero = Rational::ZERO;
    let perfect = |epsilon: &Rational| crowd_blending_delta(10, &zero, &sampling, epsilon);
    falls(delta_epsilon_curve(&epsilons, perfect).expect("deltas"), 11);
    let half = number("0.5");
    let blending = |epsilon: &Rational| crowd_blending_delta(10, &half, &sampling, epsilon);
    falls(delta_epsilon_curve(&epsilons, blending).expect("deltas"), 8);
    let outliers = |epsilon: &Rational| simple_outlier_delta(10, &half, &sampling, epsilon);
    falls(delta_epsilon_curve(&epsilons, outliers).expect("deltas"), 10);
    let unknown = closed(Mechanism::Range { epsilon: half.clone(), half_width: 2 });
    assert!(delta_epsilon_curve(&epsilons, |epsilon| unknown.sampled_delta(&sampling, epsilon)).is_err());
}

#[test]
fn one_sample_for_two_releases_reveals_who_was_sampled() {
    // `docs/errata.md` 4.2: counts of {1, 2} and of {1} from one sample tell whether the only 2 is in it, whatever the
    // crowd. Two deltas of suppression must not be added up: together they are far below what is really lost.
    let sampling = by("0.1");
    let alone = crowd_blending_delta(20, &Rational::ZERO, &sampling, &number("0.2")).expect("a delta");
    assert!(2.0 * value(&alone) < 1e-5);
    let counts = binomial(400, 0.1);
    let pair = |both: usize, first: usize| [both, first].map(|count| if count < 20 { None } else { Some(count) });
    let (mut with, mut without) = (BTreeMap::new(), BTreeMap::new());
    for (ones, chance) in counts.iter().enumerate() {
        *with.entry(pair(ones + 1, ones)).or_insert(0.0) += 0.1 * chance;
        *with.entry(pair(ones, ones)).or_insert(0.0) += 0.9 * chance;
        *without.entry(pair(ones, ones)).or_insert(0.0) += chance;
    }
    let lost: f64 =
        with.iter().map(|(y, p)| (p - 0.2f64.exp() * without.get(y).copied().unwrap_or(0.0)).max(0.0)).sum();
    assert!((lost - 0.1).abs() < 1e-3, "{lost}");
}
