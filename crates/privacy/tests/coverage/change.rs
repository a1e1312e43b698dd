//! What two published values say about the change of a count: coverage, and false alarms in all.
//!
//! Both are summed from the exact laws over all pairs of outcomes, never simulated. They must be as promised for the
//! reading as it is, and not for a mutant that takes one of the two values for the truth. It is separate from
//! `main.rs`, which looks at one value. Read `src/change.rs` for the argument.

use crate::settings::{self, Setting};
use crate::shown::{Laws, Shown, Sight, Sign};
use incrowd_exact::{Integer, Rational};
use incrowd_privacy::{
    ChangeOdds, CountChange, Deployed, Direction, Evidence, Mechanism, OneSided, OneSidedEnds, Signal, Universe,
    more_than_noise,
};
use std::collections::HashMap;
use std::rc::Rc;

/// Pairs rarer than `2^-18` count as missed.
const RARE: usize = 18;

fn error() -> Rational {
    Rational::ONE / Rational::from(20u8)
}

/// How a value is read.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Eyes {
    Open,
    /// The mutant takes it for the truth.
    Believing,
}

pub(crate) struct Ends<'a> {
    ends: OneSided<'a>,
    eyes: Eyes,
}

impl<'a> Ends<'a> {
    pub(crate) fn of(deployed: &'a Deployed, eyes: Eyes) -> Self {
        Ends { ends: OneSided::of(deployed).expect("ends"), eyes }
    }

    pub(crate) fn read(&mut self, sign: Sign) -> Rc<OneSidedEnds> {
        let value = match sign {
            Sign::Value(value) => value,
            Sign::AtMost(limit) => limit as i64,
        };
        let ends = self.ends.ends(value).expect("ends");
        let same = |like: &Vec<u64>| vec![u64::try_from(value).unwrap_or(0); like.len()];
        match self.eyes {
            Eyes::Open => ends,
            Eyes::Believing => Rc::new(OneSidedEnds { low: same(&ends.low), high: same(&ends.high) }),
        }
    }
}

/// What all pairs of outcomes of two counts say: the chance of each, in units, and of all that may be.
pub(crate) struct Pairs {
    pub(crate) pairs: Vec<(Sign, Sign, Integer)>,
    most: Integer,
}

impl Pairs {
    pub(crate) fn of(old: &Shown, new: &Shown) -> Pairs {
        let most = &old.most * &new.most;
        let rare = most.clone() >> RARE;
        let all = old.signs.iter().flat_map(|(one, p)| new.signs.iter().map(move |(two, q)| (*one, *two, p * q)));
        Pairs { pairs: all.filter(|(_, _, chance)| *chance > rare).collect(), most }
    }

    pub(crate) fn share(&self, chance: Integer) -> Rational {
        Rational::from(chance) / Rational::from(self.most.clone())
    }
}

/// Returns the smallest coverage of the change over some pairs of counts.
fn coverage(old: &Setting, new: &Setting, counts: &[(u64, u64)], eyes: (Eyes, Eyes)) -> Rational {
    let odds = ChangeOdds::of(2).expect("odds");
    let (laws, their_laws) = (Laws::of(&old.deployed), Laws::of(&new.deployed));
    let (mut ends, mut their_ends) = (Ends::of(&old.deployed, eyes.0), Ends::of(&new.deployed, eyes.1));
    let mut known: HashMap<(Sign, Sign), (i128, i128)> = HashMap::new();
    let mut least = Rational::ONE;
    for (before, after) in counts {
        let (Sight::Seen(one), Sight::Seen(two)) = (laws.at(*before), their_laws.at(*after)) else { continue };
        let pairs = Pairs::of(&one, &two);
        let truth = i128::from(*after) - i128::from(*before);
        let mut covered = Integer::ZERO;
        for (was, is, chance) in &pairs.pairs {
            let (low, high) = *known.entry((*was, *is)).or_insert_with(|| {
                let change = CountChange::of(&[their_ends.read(*is)], &[ends.read(*was)], &odds).expect("two values");
                let interval = change.interval(&odds, &error()).expect("an interval");
                (interval.low, interval.high)
            });
            if (low..=high).contains(&truth) {
                covered += chance;
            }
        }
        least = least.min(pairs.share(covered));
    }
    least
}

pub(crate) fn named(words: &str, mechanism: &str) -> Setting {
    let wanted = |setting: &Setting| setting.words == words && setting.deployed.mechanism.name() == mechanism;
    settings::all().into_iter().find(wanted).unwrap_or_else(|| panic!("{mechanism} {words}"))
}

/// Some of each shape: ordered, listed, read backwards; shown always, sometimes, or as "at most".
fn some() -> Vec<Setting> {
    let mut seen = Vec::new();
    let mut some: Vec<Setting> = Vec::new();
    for setting in settings::all() {
        let open = setting.deployed.universe == Universe::Open;
        let shape = (setting.deployed.mechanism.name(), open, setting.deployed.publish_from.is_some());
        // Laws with noise on epsilon take long to sum.
        let slow = matches!(setting.deployed.mechanism, Mechanism::General { .. });
        if !slow && !seen.contains(&shape) {
            seen.push(shape);
            some.push(setting);
        }
    }
    assert!(some.len() > 15, "{}", some.len());
    some
}

#[test]
#[allow(clippy::print_stdout)]
fn the_interval_of_a_change_holds_nineteen_times_out_of_twenty_whatever_the_counts() {
    let counts = [(3, 0), (7, 12), (33, 50)];
    let steep = named("zero run, then steep", "tailored-geometric");
    for setting in some() {
        for (old, new) in [(&setting, &setting), (&setting, &steep), (&steep, &setting)] {
            let least = coverage(old, new, &counts, (Eyes::Open, Eyes::Open));
            println!(
                "{} {} against {}: {:.3} %",
                setting.deployed.mechanism.name(),
                setting.words,
                new.deployed.mechanism.name(),
                100.0 * least.to_f64().value()
            );
            assert!(least >= Rational::from(19u8) / Rational::from(20u8), "{} {}", old.words, new.words);
        }
    }
}

#[test]
fn an_interval_that_believes_one_of_the_two_values_does_not_hold() {
    let limit = Rational::from(19u8) / Rational::from(20u8);
    let counts = [(30, 30), (25, 21), (40, 47)];
    for setting in [named("one step", "tailored-geometric"), named("constant", "tailored-geometric")] {
        assert!(coverage(&setting, &setting, &counts, (Eyes::Open, Eyes::Open)) >= limit);
        assert!(coverage(&setting, &setting, &counts, (Eyes::Believing, Eyes::Believing)) < limit);
    }
    // One folder's noise is large, the other's small: who forgets the large one is wrong most of the time.
    let (large, small) = (named("one late step", "tailored-geometric"), named("infinite tail", "tailored-geometric"));
    assert!(coverage(&large, &small, &counts, (Eyes::Open, Eyes::Open)) >= limit);
    assert!(coverage(&large, &small, &counts, (Eyes::Believing, Eyes::Open)) < limit);
    assert!(coverage(&small, &large, &counts, (Eyes::Open, Eyes::Believing)) < limit);
}

/// Returns how often each chance of being noise comes up where nothing changed, and what may be lost of all.
fn chances(old: &Setting, new: &Setting, count: u64, eyes: Eyes) -> Vec<(Evidence, Rational)> {
    let odds = ChangeOdds::of(2).expect("odds");
    let (laws, their_laws) = (Laws::of(&old.deployed), Laws::of(&new.deployed));
    let (mut ends, mut their_ends) = (Ends::of(&old.deployed, eyes), Ends::of(&new.deployed, Eyes::Open));
    let (Sight::Seen(one), Sight::Seen(two)) = (laws.at(count), their_laws.at(count)) else { panic!("seen") };
    let pairs = Pairs::of(&one, &two);
    let mut found: Vec<(Evidence, Integer)> = Vec::new();
    for (was, is, chance) in &pairs.pairs {
        let change = CountChange::of(&[their_ends.read(*is)], &[ends.read(*was)], &odds).expect("two values");
        let evidence = change.evidence(&odds);
        match found.iter_mut().find(|(known, _)| *known == evidence) {
            Some((_, sum)) => *sum += chance,
            None => found.push((evidence, chance.clone())),
        }
    }
    found.into_iter().map(|(evidence, sum)| (evidence, pairs.share(sum))).collect()
}

/// The chance that any of three cells without a change is called more than noise, by all triples of what they may say.
fn false_alarms(cells: [&[(Evidence, Rational)]; 3]) -> Rational {
    let mut alarms = Rational::ZERO;
    for (one, p) in cells[0] {
        for (two, q) in cells[1] {
            for (three, r) in cells[2] {
                let chances = [one, two, three].map(|evidence| evidence.chance.clone());
                if more_than_noise(&chances, &error()).contains(&Signal::MoreThanNoise) {
                    alarms += p * q * r;
                }
            }
        }
    }
    alarms
}

#[test]
fn no_change_is_called_one_at_most_once_in_twenty_in_all() {
    let setting = named("constant", "tailored-geometric");
    let by_count = [0, 5, 30].map(|count| chances(&setting, &setting, count, Eyes::Open));
    for cells in [[0, 0, 0], [0, 1, 2], [2, 2, 2]] {
        let alarms = false_alarms(cells.map(|cell| by_count[cell].as_slice()));
        assert!(alarms > Rational::ZERO && alarms <= error(), "{cells:?}: {}", alarms.to_f64().value());
    }
    // Each by itself would be called so too often: the number of comparisons matters.
    let alone = |cell: &Vec<(Evidence, Rational)>| {
        let alarms = cell.iter().filter(|(evidence, _)| evidence.chance <= error());
        alarms.fold(Rational::ZERO, |sum, (_, share)| sum + share)
    };
    let quiet = Rational::ONE - alone(&by_count[2]);
    assert!(Rational::ONE - &quiet * &quiet * &quiet > false_alarms([&by_count[2]; 3]));
    // The mutant believes one of the two values, that with the larger noise.
    let small = named("infinite tail", "tailored-geometric");
    let noisy = [Eyes::Open, Eyes::Believing].map(|eyes| chances(&setting, &small, 30, eyes));
    assert!(false_alarms([&noisy[0]; 3].map(Vec::as_slice)) <= error());
    assert!(false_alarms([&noisy[1]; 3].map(Vec::as_slice)) > error());
}

#[test]
fn a_large_change_is_seen_in_the_right_direction() {
    let setting = named("constant", "tailored-geometric");
    let mut ends = Ends::of(&setting.deployed, Eyes::Open);
    let odds = ChangeOdds::of(2).expect("odds");
    let mut evidence = |was: i64, is: i64| {
        let change = CountChange::of(&[ends.read(Sign::Value(is))], &[ends.read(Sign::Value(was))], &odds);
        change.expect("two values").evidence(&odds)
    };
    assert_eq!(evidence(100, 140).direction, Direction::Up);
    assert_eq!(evidence(140, 100).direction, Direction::Down);
    assert_eq!(evidence(100, 100), Evidence { chance: Rational::ONE, direction: Direction::Open });
    assert!(evidence(100, 140).chance < Rational::ONE / Rational::from(1_000_000u32));
    assert!(evidence(100, 110).chance > evidence(100, 114).chance);
}

/// Ends that are shifted are those that would be computed, and of one level they are the ends of the usual interval.
#[test]
fn ends_of_large_values_shift_and_ends_of_small_ones_widen_level_by_level() {
    for setting in some() {
        let mut ends = OneSided::of(&setting.deployed).expect("ends");
        for value in [0, 1, 17, 60, 61, 400] {
            let found = ends.ends(value).expect("ends");
            assert!(found.low.is_sorted_by(|one, other| one >= other), "{} {value}", setting.words);
            assert!(found.high.is_sorted(), "{} {value}", setting.words);
        }
        let (one, two) = (ends.ends(100_000), ends.ends(100_007));
        let (Ok(one), Ok(two)) = (one, two) else { continue };
        let moved = |ends: &[u64]| ends.iter().map(|end| end + 7).collect::<Vec<_>>();
        let slow = matches!(setting.deployed.mechanism, Mechanism::Relay { .. });
        assert!(slow || (moved(&one.low) == two.low && moved(&one.high) == two.high), "{}", setting.words);
    }
}
