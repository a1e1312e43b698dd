//! The 95 % intervals cover the true count: every mechanism, every count up to a thousand.
//!
//! Coverage is summed from the exact laws, never simulated: what is surely covered, over all that may be shown. It must
//! be high enough for intervals as they are, and too low for mutants that are narrower by one or forget what silence
//! says. It is separate from `laws.rs` because it looks at every count. Read `settings.rs` for the mechanisms,
//! `shown.rs` for laws, `change.rs` for what two values say together.

mod change;
mod settings;
mod shown;
mod weighted;

use incrowd_exact::{Integer, Rational, parse_number};
use incrowd_privacy::{
    Bound, Curve, Deployed, Epsilon, Interval, Intervals, Mechanism, Promise, RelayTable, SideOutput, TooManyOutcomes,
    Universe,
};
use settings::{LAST, Setting};
use shown::{Laws, Shown, Sight, Sign, Twin, twin};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Signs rarer than `2^-40` of all count as missed: all of them together hardly matter, and each interval is a search.
const RARE: usize = 40;

/// Intervals by what is shown, remembered.
struct Reader<'a> {
    intervals: Intervals<'a>,
    known: HashMap<Sign, Interval>,
}

impl<'a> Reader<'a> {
    fn of(deployed: &'a Deployed) -> Self {
        Reader { intervals: Intervals::of(deployed).expect("intervals"), known: HashMap::new() }
    }

    fn read(&mut self, sign: Sign) -> Interval {
        let value = match sign {
            Sign::Value(value) => value,
            Sign::AtMost(limit) => limit as i64,
        };
        let intervals = &self.intervals;
        *self.known.entry(sign).or_insert_with(|| intervals.interval(value).expect("an interval"))
    }
}

/// How well a reading did.
struct Coverage {
    /// The smallest, and the count that had it.
    least: (Rational, u64),
    /// Whether anything that is not rare missed a count.
    misses: bool,
}

impl Coverage {
    const NONE_YET: Self = Coverage { least: (Rational::ONE, 0), misses: false };

    fn add(&mut self, count: u64, shown: &Shown, mut reading: impl FnMut(Sign) -> Interval) {
        let rare = shown.most.clone() >> RARE;
        let mut covered = Integer::ZERO;
        for (sign, chance) in shown.signs.iter().filter(|(_, chance)| chance > &rare) {
            let interval = reading(*sign);
            if (interval.low..=interval.high).contains(&count) {
                covered += chance;
            } else {
                self.misses = true;
            }
        }
        let share = Rational::from(covered) / Rational::from(shown.most.clone());
        if share < self.least.0 {
            self.least = (share, count);
        }
    }

    fn is_enough(&self) -> bool {
        self.least.0 >= Rational::from(19u8) / Rational::from(20u8)
    }

    fn percent(&self) -> f64 {
        100.0 * self.least.0.to_f64().value()
    }
}

/// What was found for one setting.
struct Found {
    /// Among all that is shown.
    all: Coverage,
    /// Among the bins that show a value, where some show "at most Z".
    values: Coverage,
    /// With both ends of every interval moved inwards by one.
    narrowed: Coverage,
    /// The mean over all counts of the mean distance between both ends.
    width: f64,
    /// How many counts were looked at.
    counts: u64,
    /// How many show something so rarely that no law lists it.
    faint: u64,
}

fn look(setting: &Setting) -> Found {
    let laws = Laws::of(&setting.deployed);
    let mut reader = Reader::of(&setting.deployed);
    let (mut all, mut values, mut narrowed) = (Coverage::NONE_YET, Coverage::NONE_YET, Coverage::NONE_YET);
    let (mut width, mut counts, mut faint) = (0.0, 0, 0);
    for count in 0..=setting.last {
        let shown = match laws.at(count) {
            Sight::Seen(shown) => shown,
            Sight::Silent => continue,
            Sight::Faint => {
                faint += 1;
                continue;
            }
        };
        counts += 1;
        all.add(count, &shown, |sign| reader.read(sign));
        if shown.signs.iter().any(|(sign, _)| matches!(sign, Sign::AtMost(_))) {
            values.add(count, &shown.values_only(), |sign| reader.read(sign));
        }
        narrowed.add(count, &shown, |sign| narrowed_by_one(reader.read(sign)));
        let whole = shown.most.to_f64().value();
        let widths = shown.signs.iter().filter_map(|(sign, chance)| {
            let interval = reader.known.get(sign)?;
            Some((interval.high - interval.low) as f64 * chance.to_f64().value() / whole)
        });
        width += widths.sum::<f64>();
    }
    Found { all, values, narrowed, width: width / counts as f64, counts, faint }
}

/// A lower end of 0 or 1 is where counts begin; taking that away would be too easy to see.
fn narrowed_by_one(Interval { low, high }: Interval) -> Interval {
    Interval { low: if low > 1 { low + 1 } else { low }, high: high.saturating_sub(1) }
}

fn name(setting: &Setting) -> String {
    let Deployed { mechanism, universe, publish_from } = &setting.deployed;
    let universe = match universe {
        Universe::Closed => "closed",
        Universe::Open => "open",
    };
    let cut = publish_from.map_or(String::new(), |from| format!("from {from}"));
    format!("{:18} {:30} {universe:6} {cut:8}", mechanism.name(), setting.words)
}

/// Shows the smallest coverage and the mean width of every setting if run with `--nocapture`.
#[test]
#[allow(clippy::print_stdout)]
fn intervals_cover_the_true_count_nineteen_times_out_of_twenty() {
    for setting in settings::all() {
        let (name, found) = (name(&setting), look(&setting));
        println!(
            "{name} | {:7.3} % at {:4} | width {:7.2} | narrower {:7.3} % | {:4} counts, {} too rare",
            found.all.percent(),
            found.all.least.1,
            found.width,
            found.narrowed.percent(),
            found.counts,
            found.faint
        );
        assert!(found.counts > 0, "{name}");
        assert!(found.all.is_enough(), "{name}: {} % at {}", found.all.percent(), found.all.least.1);
        assert!(found.values.is_enough(), "{name}: {} % at {}", found.values.percent(), found.values.least.1);
        match &setting.deployed.mechanism {
            // A range is shown only where it holds the count: it never misses, and would if it were narrower.
            Mechanism::Range { .. } => assert!(!found.all.misses && found.narrowed.misses, "{name}"),
            // No interval is wider than it must be.
            _ => assert!(!found.narrowed.is_enough(), "{name}: {} % if narrower", found.narrowed.percent()),
        }
        // Where noises of several rates must pass a threshold, no twin stands in for counts that hardly ever do.
        let several = matches!(setting.deployed.mechanism, Mechanism::Staircase { .. } | Mechanism::General { .. });
        assert!(found.faint == 0 || several, "{name}: {} counts not seen", found.faint);
    }
}

#[test]
fn every_mechanism_is_looked_at_up_to_a_thousand_people_and_wherever_it_may_run() {
    let mut thorough = BTreeSet::new();
    let mut places = BTreeSet::new();
    for Setting { deployed, last, .. } in settings::all() {
        let mechanism = deployed.mechanism.name();
        let kind = match &deployed.mechanism {
            Mechanism::Staircase { side_output: SideOutput::Published, .. } => "published",
            Mechanism::General { bound, .. } => bound.parameters().bound.name(),
            _ => "",
        };
        assert!(deployed.is_admitted(), "{mechanism}");
        if last == LAST {
            thorough.insert((mechanism, kind));
        }
        places.insert((mechanism, deployed.universe == Universe::Open, deployed.publish_from.is_some()));
    }
    let mechanisms: BTreeSet<&str> = thorough.iter().map(|(mechanism, _)| *mechanism).collect();
    assert_eq!(mechanisms.len(), 15);
    assert!(thorough.contains(&("staircase", "published")));
    assert!(Bound::ALL.iter().all(|bound| thorough.contains(&("general", bound.name()))));
    for mechanism in mechanisms {
        let (closed, cut) = (!matches!(mechanism, "relay" | "threshold"), mechanism != "range");
        assert_eq!(places.contains(&(mechanism, false, false)), closed, "{mechanism}");
        assert_eq!(places.iter().any(|place| place.0 == mechanism && place.1), cut, "{mechanism}");
        assert_eq!(places.iter().any(|place| place.0 == mechanism && place.2), cut, "{mechanism}");
    }
}

/// The mutant reads what passed a threshold as if everything were shown.
#[test]
fn intervals_that_forget_a_threshold_do_not_cover() {
    let mut mutants = 0;
    for setting in settings::all().into_iter().filter(|setting| setting.last <= 150) {
        let Some(from) = setting.deployed.publish_from else { continue };
        let forgetful = Deployed { publish_from: None, ..setting.deployed.clone() };
        let laws = Laws::of(&setting.deployed);
        let mut reader = Reader::of(&forgetful);
        let mut coverage = Coverage::NONE_YET;
        for count in (from / 2) as u64..=from as u64 {
            if let Sight::Seen(shown) = laws.at(count) {
                coverage.add(count, &shown, |sign| reader.read(sign));
            }
        }
        // A cut inside a zero run hides no value.
        assert_eq!(coverage.is_enough(), setting.words == "zero run, cut inside", "{}", name(&setting));
        mutants += 1;
    }
    assert!(mutants > 10);
}

/// The mutant takes "at most Z" at its word; but it is drawn, like any value, and bins above Z may draw it.
#[test]
fn at_most_is_no_certainty() {
    for setting in settings::all().iter().filter(|setting| setting.words == "zero run") {
        let Mechanism::TailoredGeometric { curve } = &setting.deployed.mechanism else { continue };
        let last_zero = curve.last_zero().expect("a zero run");
        let mut reader = Reader::of(&setting.deployed);
        let mut coverage = Coverage::NONE_YET;
        coverage.add(last_zero + 1, &Shown::by_law(&setting.deployed, last_zero + 1), |sign| match sign {
            Sign::AtMost(limit) => Interval { low: 0, high: limit },
            Sign::Value(_) => reader.read(sign),
        });
        assert!(!coverage.is_enough());
        assert!(reader.read(Sign::AtMost(last_zero)).high > last_zero);
    }
}

/// `shown.rs` rests on this where a law does not list what is shown too rarely.
#[test]
fn counts_below_a_threshold_show_the_same_once_they_show_anything() {
    let mut compared = 0;
    for setting in settings::all().iter().filter(|setting| setting.last <= 200) {
        for count in [1, 5, 12, 24, 39] {
            let Twin::Same(other, its) = twin(&setting.deployed, count) else { continue };
            let (one, two) = (Shown::by_law(&setting.deployed, count), Shown::by_law(&other, its));
            let chances: HashMap<Sign, Integer> = one.signs.into_iter().collect();
            for (sign, chance) in two.signs.iter().take(30) {
                // The law at the smaller count ends earlier.
                let Some(listed) = chances.get(sign) else { continue };
                let (share, its) = (listed * &two.most, chance * &one.most);
                let difference = if share > its { &share - &its } else { &its - &share };
                assert!(difference << 50 < share, "{} {sign:?} at {count}", name(setting));
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// `shown.rs` rests on this too.
#[test]
fn laws_with_noise_on_epsilon_only_shift_in_the_end() {
    let mut shifts = 0;
    for setting in settings::all().iter().filter(|setting| setting.last == 120) {
        let Mechanism::General { bound, .. } = &setting.deployed.mechanism else { continue };
        for count in [bound.constant_from() + 3, 50] {
            let Sight::Seen(shifted) = Laws::of(&setting.deployed).at(count) else { continue };
            let law = Shown::by_law(&setting.deployed, count);
            assert_eq!(law.signs, shifted.signs, "{} at {count}", name(setting));
            shifts += 1;
        }
    }
    assert!(shifts >= 10);
}

/// Where no value tells counts apart, or laws change for ever, there is no list of what counts accept.
#[test]
fn mechanisms_without_an_order_or_an_end_have_no_intervals() {
    let number = |text| parse_number(text).expect("a number");
    let nothing = Curve::constant(Epsilon::ZERO).expect("a curve");
    let table = Arc::new(RelayTable::build(&nothing, &number("1/10")).expect("a table"));
    let line = Promise::Linear { slope: number("1/50"), floor: number("1/10"), cap: Epsilon::Infinite };
    let endless = line.curve().expect("a curve");
    for mechanism in
        [Mechanism::Relay { curve: nothing, table }, Mechanism::Fading { curve: endless, at_zero: number("1/10") }]
    {
        let deployed = Deployed { mechanism, universe: Universe::Open, publish_from: Some(1) };
        assert_eq!(Intervals::of(&deployed).err(), Some(TooManyOutcomes));
    }
}
