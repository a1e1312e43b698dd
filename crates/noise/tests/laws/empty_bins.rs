//! Empty bins drawn without visiting them, judged by the exact law of visiting every one; and mutants.
//!
//! Laws come from `Deployed::law`, which must never share a formula with the tails that are drawn from. It is separate
//! from `mechanisms.rs` because here places are drawn as well as values. Read `src/empty_bins.rs` for the derivation.

use crate::budget::share;
use crate::judge::{Verdict, judge_counts};
use crate::mechanisms::{Tally, closed, general, judge_lines, line, number, open, staircase, table, tailored};
use incrowd_exact::{Enclosure, Rational};
use incrowd_noise::testing::SeededBits;
use incrowd_noise::{Bits, EmptyBins, RateError, Sampler, SystemBits};
use incrowd_privacy::{Bound, Curve, Deployed, Epsilon, Mechanism, Outcome, RelayTable, SideOutput, SideValue};
use std::sync::Arc;

fn from(threshold: i64, deployed: Deployed) -> Deployed {
    Deployed { publish_from: Some(threshold), ..deployed }
}

fn empty_bins(deployed: &Deployed) -> EmptyBins {
    EmptyBins::new(deployed).expect("a rate").expect("a simple tail")
}

fn steps() -> Curve {
    table(&["0.1", "0.1", "0.1", "0.1", "0.1", "1"])
}

fn fading(at_zero: &str) -> Mechanism {
    Mechanism::Fading { curve: table(&["0.2", "0.4", "3"]), at_zero: number(at_zero) }
}

/// Every mechanism with a simple tail, at thresholds around its bends. Each has a chance of at least 1e-4.
fn passing() -> Vec<Deployed> {
    let e = || number("1/3");
    let last_zero = |text: &str| {
        let epsilons = ["1/2", text].map(|text| Epsilon::Finite(number(text))).to_vec();
        closed(Mechanism::Staircase { epsilons, levels: vec![3], side_output: SideOutput::Hidden })
    };
    vec![
        from(1, tailored(table(&["1/2"]))),
        from(4, tailored(table(&["1/2"]))),
        from(1, tailored(steps())),
        from(5, tailored(steps())),
        from(6, tailored(steps())),
        from(8, tailored(steps())),
        // Thresholds before, within and behind a zero run.
        from(-2, tailored(table(&["0", "0", "0", "1/2", "2"]))),
        from(2, tailored(table(&["0", "0", "0", "1/2", "2"]))),
        from(4, tailored(table(&["0", "0", "0", "1/2", "2"]))),
        from(6, tailored(table(&["0", "0", "0", "1/2", "2"]))),
        // Up to the last finite epsilon.
        from(2, tailored(table(&["0.4", "0.4", "0.4", "infinite"]))),
        from(3, tailored(table(&["0.4", "0.4", "0.4", "infinite"]))),
        from(1, tailored(table(&["0", "0.2", "0.9", "infinite"]))),
        from(3, tailored(line())),
        from(11, tailored(line())),
        from(3, closed(Mechanism::NoiseBelow { crowd: 5, epsilon: e() })),
        from(3, closed(Mechanism::NoiseUpTo { group: 5, epsilon: e() })),
        from(1, closed(Mechanism::Geometric { epsilon: e() })),
        from(9, closed(Mechanism::Geometric { epsilon: e() })),
        from(12, closed(Mechanism::GroupGeometric { group: 4, epsilon: e() })),
        from(2, closed(fading("1/6"))),
        from(2, closed(Mechanism::NoisySuppress { group: 5, epsilon: e(), offset: 3 })),
        from(11, closed(Mechanism::NoisySuppress { group: 5, epsilon: e(), offset: 3 })),
        from(2, closed(Mechanism::NoisySuppress { group: 5, epsilon: e(), offset: -30 })),
        from(2, last_zero("0")),
        from(11, closed(Mechanism::Threshold { epsilon: e(), threshold: 9 })),
    ]
}

type Lines = Vec<((SideValue, Outcome), Enclosure)>;

/// Returns the values that an empty bin may show, how likely each is, and how much mass is not listed.
fn values_of_the_law(deployed: &Deployed) -> (Lines, Rational) {
    let law = deployed.law(0).expect("a law");
    let is_shown = |outcome: &Outcome| match outcome {
        Outcome::Value(_) => true,
        Outcome::Suppressed => false,
        Outcome::AtMost(_) | Outcome::Range(..) => panic!("not under a threshold"),
    };
    let lines = law.lines.into_iter().filter(|line| is_shown(&line.outcome));
    (lines.map(|line| ((line.side_value, line.outcome), line.probability)).collect(), law.truncated)
}

/// Returns the chance that an empty bin shows a value, summed line by line.
fn chance_by_the_law(deployed: &Deployed) -> Enclosure {
    let (lines, truncated) = values_of_the_law(deployed);
    let bits = lines[0].1.bits();
    let sum = lines.iter().fold(Enclosure::zero(bits), |sum, (_, chance)| sum.plus(chance));
    let missing = Enclosure::rational(&truncated, bits);
    Enclosure::between(sum.low_units().clone(), sum.high_units() + missing.high_units(), bits)
}

fn overlap(one: &Enclosure, other: &Enclosure) -> bool {
    one.lower() <= other.upper() && other.lower() <= one.upper()
}

#[test]
fn the_chance_to_pass_is_that_of_the_law() {
    let mut mutants = 0;
    for deployed in passing() {
        let name = deployed.mechanism.name();
        let by_law = chance_by_the_law(&deployed);
        let chance = empty_bins(&deployed).chance(200);
        assert!(overlap(&by_law, &chance), "{name} from {:?}", deployed.publish_from);
        assert!(by_law.upper() - by_law.lower() < number("1e-25"), "{name}");
        assert!(chance.upper() - chance.lower() < number("1e-50"), "{name}");
        // A threshold off by one disagrees, except where the laws agree: within a zero run, or below a level.
        for wrong in [-1, 1] {
            let threshold = deployed.publish_from.unwrap_or(0) + wrong;
            let other = from(threshold, deployed.clone());
            let bins = EmptyBins::new(&other).expect("a rate").filter(|bins| bins.chance(64) != Enclosure::zero(64));
            let Some(bins) = bins else { continue };
            let agrees = overlap(&by_law, &chance_by_the_law(&other));
            assert_eq!(overlap(&by_law, &bins.chance(200)), agrees, "{name} from {threshold}");
            mutants += usize::from(!agrees);
        }
    }
    assert!(mutants > 25, "{mutants}");
}

#[test]
fn where_no_empty_bin_ever_passes_there_is_no_place() {
    let relay = |universe: fn(Mechanism) -> Deployed| {
        let curve = table(&["1"]);
        let table = Arc::new(RelayTable::build(&curve, &number("1e-3")).expect("a table"));
        universe(Mechanism::Relay { curve, table })
    };
    let e = || number("1/3");
    let silent = [
        from(1, closed(Mechanism::SuppressBelow { crowd: 1 })),
        from(0, closed(Mechanism::SuppressBelow { crowd: 5 })),
        from(1, closed(Mechanism::SuppressUpTo { group: 0 })),
        from(1, relay(closed)),
        relay(open),
        open(Mechanism::Threshold { epsilon: e(), threshold: 9 }),
        open(Mechanism::Geometric { epsilon: e() }),
        from(1, tailored(table(&["0"]))),
        from(4, tailored(table(&["0.4", "0.4", "0.4", "infinite"]))),
        from(1, tailored(table(&["0", "0", "infinite"]))),
        from(i64::MAX, closed(Mechanism::NoisySuppress { group: u64::MAX, epsilon: e(), offset: 0 })),
    ];
    let mut bits = SeededBits::from_seed(1);
    for deployed in silent {
        let name = deployed.mechanism.name();
        let bins = empty_bins(&deployed);
        assert_eq!(bins.next(0, u64::MAX, &mut bits), None, "{name}");
        assert_eq!(bins.draw(&mut bits).outcome, Outcome::Suppressed, "{name}");
        assert_eq!(bins.chance(64), Enclosure::zero(64), "{name}");
        // Visiting agrees.
        let sampler = Sampler::new(&deployed).expect("a sampler");
        assert!((0..100).all(|_| sampler.draw(0, &mut bits).outcome == Outcome::Suppressed), "{name}");
    }
}

#[test]
fn bins_without_a_simple_tail_must_be_visited() {
    let e = || number("1/3");
    for deployed in [
        tailored(steps()),
        from(0, tailored(steps())),
        closed(Mechanism::Geometric { epsilon: e() }),
        from(0, closed(Mechanism::Geometric { epsilon: e() })),
        from(-3, closed(fading("1/6"))),
        closed(Mechanism::NoisySuppress { group: 5, epsilon: e(), offset: 3 }),
        closed(Mechanism::SuppressBelow { crowd: 5 }),
        closed(Mechanism::Threshold { epsilon: e(), threshold: 0 }),
        // Every declared bin is listed where the request has no threshold, whatever the mechanism leaves out.
        closed(Mechanism::Threshold { epsilon: e(), threshold: 9 }),
        from(9, closed(Mechanism::NoisyNoise { group: 5, epsilon: e(), offset: 3 })),
        from(9, staircase(SideOutput::Hidden, "1/10")),
        from(9, staircase(SideOutput::Published, "0")),
        from(9, general(Bound::NoiseOnCount, SideOutput::Hidden)),
        from(9, closed(Mechanism::Range { epsilon: e(), half_width: 4 })),
    ] {
        let name = deployed.mechanism.name();
        assert!(EmptyBins::new(&deployed).expect("a rate").is_none(), "{name}");
    }
}

#[test]
fn noise_that_cannot_be_drawn_is_refused() {
    for (rate, error) in [("0", RateError::NotPositive), ("1e-16", RateError::TooSmall)] {
        for mechanism in [Mechanism::Geometric { epsilon: number(rate) }, fading(rate)] {
            assert_eq!(EmptyBins::new(&from(3, closed(mechanism))).err(), Some(error), "{rate}");
        }
    }
    let small = from(3, tailored(table(&["1e-16", "1"])));
    assert_eq!(EmptyBins::new(&small).err(), Some(RateError::TooSmall));
}

const UNIVERSES: u64 = 20_000;

/// Counts which places of small universes pass, each set of places by itself.
fn tally_sets(size: u64, mut set: impl FnMut() -> Vec<u64>) -> Vec<u64> {
    let mut tally = vec![0; 1 << size];
    for _ in 0..UNIVERSES {
        let mask: usize = set().into_iter().map(|place| 1 << place).sum();
        tally[mask] += 1;
    }
    tally
}

fn places(bins: &EmptyBins, size: u64, step: u64, bits: &mut impl Bits) -> Vec<u64> {
    let next = |from: u64, bits: &mut _| bins.next(from, size, bits);
    std::iter::successors(next(0, bits), |place| next(place + step, bits)).collect()
}

fn judge_sets(deployed: &Deployed, tally: &[u64], size: u64, alpha: f64) -> Verdict {
    let p = chance_by_the_law(deployed).to_f64();
    let chance = |set: usize| {
        let pass = set.count_ones() as i32;
        p.powi(pass) * (1.0 - p).powi(size as i32 - pass)
    };
    let chances: Vec<f64> = (0..tally.len()).map(chance).collect();
    judge_counts(tally, &chances, UNIVERSES, alpha)
}

/// Chances of about 0.5, 0.4, 0.25 and 0.06, each with the next threshold that makes a difference.
fn frequent() -> [(Deployed, i64); 4] {
    [
        (from(1, tailored(steps())), 2),
        (from(2, tailored(table(&["0", "0", "1/3", "2"]))), 4),
        (from(1, closed(Mechanism::Geometric { epsilon: number("1") })), 2),
        (from(7, closed(Mechanism::Geometric { epsilon: number("1/3") })), 8),
    ]
}

#[test]
fn the_places_that_pass_are_those_of_visiting_every_bin() {
    let mut bits = SystemBits::new().expect("entropy");
    // A quarter for each of four sizes and four mechanisms, drawn in two ways.
    let alpha = share("empty bins") / 4.0 / 32.0;
    for (deployed, _) in frequent() {
        let name = deployed.mechanism.name();
        let bins = empty_bins(&deployed);
        let sampler = Sampler::new(&deployed).expect("a sampler");
        for size in 3..=6 {
            let sparse = tally_sets(size, || places(&bins, size, 1, &mut bits));
            assert_eq!(judge_sets(&deployed, &sparse, size, alpha), Verdict::Accepted, "{name} of {size}");
            let mut passes = |_: &u64| sampler.draw(0, &mut bits).outcome != Outcome::Suppressed;
            let visited = tally_sets(size, || (0..size).filter(&mut passes).collect());
            assert_eq!(judge_sets(&deployed, &visited, size, alpha), Verdict::Accepted, "{name} of {size}, visited");
        }
    }
}

#[test]
fn wrong_places_are_rejected() {
    let mut bits = SeededBits::from_seed(5);
    let alpha = share("empty bins") / 4.0 / 32.0;
    for (deployed, later) in frequent() {
        let name = deployed.mechanism.name();
        let bins = empty_bins(&deployed);
        let forgetful = tally_sets(6, || places(&bins, 6, 2, &mut bits));
        assert_eq!(judge_sets(&deployed, &forgetful, 6, alpha), Verdict::Rejected, "{name} skipping a neighbour");
        let later = empty_bins(&from(later, deployed.clone()));
        let rarer = tally_sets(6, || places(&later, 6, 1, &mut bits));
        assert_eq!(judge_sets(&deployed, &rarer, 6, alpha), Verdict::Rejected, "{name} off by one");
    }
}

const DRAWS: u64 = 20_000;

fn tally_values(bins: &EmptyBins, bits: &mut impl Bits) -> Tally {
    let mut tally = Tally::new();
    for _ in 0..DRAWS {
        let drawn = bins.draw(bits);
        *tally.entry((drawn.side_value, drawn.outcome)).or_default() += 1;
    }
    tally
}

/// Judges draws by the law of the bin, given that it shows a value.
fn judge_values(deployed: &Deployed, tally: &Tally, alpha: f64) -> Verdict {
    let (lines, _) = values_of_the_law(deployed);
    let all = chance_by_the_law(deployed).to_f64();
    let lines: Vec<_> = lines.into_iter().map(|(key, chance)| (key, (chance.to_f64() / all).min(1.0))).collect();
    judge_lines(&lines, tally, DRAWS, alpha)
}

#[test]
fn bins_that_pass_show_the_values_of_the_law_above_its_threshold() {
    let mut bits = SystemBits::new().expect("entropy");
    let cases = passing();
    let alpha = share("empty bins") / 4.0 / cases.len() as f64;
    for deployed in cases {
        let drawn = tally_values(&empty_bins(&deployed), &mut bits);
        let verdict = judge_values(&deployed, &drawn, alpha);
        assert_eq!(verdict, Verdict::Accepted, "{} from {:?}", deployed.mechanism.name(), deployed.publish_from);
    }
}

#[test]
fn values_from_a_threshold_off_by_one_are_rejected() {
    let mut bits = SeededBits::from_seed(6);
    let alpha = share("empty bins") / 100.0;
    for (deployed, later) in frequent() {
        let name = deployed.mechanism.name();
        let later = from(later, deployed.clone());
        let (here, above) = (empty_bins(&deployed), empty_bins(&later));
        let mut verdict = |bins, law| judge_values(law, &tally_values(bins, &mut bits), alpha);
        assert_eq!(verdict(&here, &deployed), Verdict::Accepted, "{name}");
        assert_eq!(verdict(&above, &deployed), Verdict::Rejected, "{name} above");
        assert_eq!(verdict(&here, &later), Verdict::Rejected, "{name} below");
    }
}

/// Judges a count of rare events by its mean: a binomial count is at least as close to it as a Poisson count, for which
/// Chernoff gives `P[X ln(X/mean) - X + mean > t] <= 2 e^-t`.
fn judge_rare(count: usize, mean: f64, alpha: f64) -> Verdict {
    let x = count as f64;
    let divergence = mean - x + if count == 0 { 0.0 } else { x * (x / mean).ln() };
    if divergence <= (2.0 / alpha).ln() { Verdict::Accepted } else { Verdict::Rejected }
}

#[test]
fn huge_universes_give_as_many_places_as_the_chance_says() {
    let mut bits = SystemBits::new().expect("entropy");
    // At rate 1 a threshold of 25 has a chance of 1.02e-11: ten places in 10^12. From about 33 on the rate of
    // candidates is the smallest one; 39 gives 156 places in 2^64 - 1. And where nothing is ever seen, that is seen at
    // once.
    let cases = [(25, 1_000_000_000_000, 40), (39, u64::MAX, 4), (70, u64::MAX, 1), (1_000_000_000, u64::MAX, 1)];
    let alpha = share("empty bins") / 2.0 / cases.len() as f64;
    for (threshold, size, universes) in cases {
        let bins = empty_bins(&from(threshold, closed(Mechanism::Geometric { epsilon: number("1") })));
        let counted: usize = (0..universes).map(|_| places(&bins, size, 1, &mut bits).len()).sum();
        let mean = bins.chance(256).to_f64() * size as f64 * f64::from(universes);
        assert_eq!(judge_rare(counted, mean, alpha), Verdict::Accepted, "{counted} from {threshold}");
        if threshold < 70 {
            assert!(mean > 400.0);
            // One threshold further would be noticed, in both directions.
            for wrong in [mean * 1.0_f64.exp(), mean / 1.0_f64.exp()] {
                assert_eq!(judge_rare(counted, wrong, alpha), Verdict::Rejected);
            }
        }
    }
}
