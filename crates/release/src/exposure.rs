//! How much people have lost over several releases, each by the groups that she is in: for the steward's eyes only.
//!
//! A person in bins of sizes `k_1, k_2, ...` has lost at most the sum of what each promise allows at that size (OP
//! Definition 2); sums are exact. All of it depends on the data without protection: it must never reach a table, a
//! certificate or a page that is delivered. It is separate from `account_summary.rs`, which tells what holds for
//! everybody, whatever the data. Read `plan/settle.rs` for the curve of one bin.

use crate::kinds::asks;
use crate::odds::Odds;
use crate::refusal::{Refusal, readable};
use crate::request::Request;
use incrowd_exact::{Rational, significant_rounding_up};
use incrowd_plan::delta_text::delta_text;
use incrowd_plan::kinds::settled;
use incrowd_privacy::{Curve, Epsilon};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How many lines a table of exposures has at most.
pub const MOST_RANGES: usize = 12;

/// What a release tells about the people in a bin, as often as it was charged.
pub struct LossOfRelease {
    curve: Curve,
    /// What a fresh sample promises to everybody, in a group of any size.
    sampled: Option<Rational>,
    charges: u64,
}

impl LossOfRelease {
    /// Returns what a request has told, having been charged so often.
    pub fn of(request: &Request, charges: u64) -> Result<LossOfRelease, Refusal> {
        // Their groups are not those of the bins that an engine links.
        if !asks(&request.kind).groups_are_bins() || request.kind.counts_pairs() {
            return Err(Refusal::NotYet { what: "the exposure of series, top items, pairs and points" });
        }
        // The curve of one bin: the person's, divided among her bins.
        let sampled = request.promise.sampled_epsilon.clone();
        Ok(LossOfRelease { curve: settled(request, None)?.curve().clone(), sampled, charges })
    }

    /// Returns what a person loses by being counted in a bin of this size, herself included.
    pub fn loss(&self, size: u64) -> Epsilon {
        let most = self.sampled.clone().map_or(Epsilon::Infinite, Epsilon::Finite);
        match self.curve.epsilon(size).min(most) {
            Epsilon::Finite(once) => Epsilon::Finite(once * Rational::from(self.charges)),
            Epsilon::Infinite => Epsilon::Infinite,
        }
    }
}

/// How many people have accumulated which epsilon. Mute: no `Debug`.
#[derive(Default)]
pub struct Accumulated {
    people: BTreeMap<Epsilon, u64>,
}

/// People who have accumulated about the same.
pub struct Range {
    /// The least epsilon among them.
    pub from: Epsilon,
    /// The greatest.
    pub to: Epsilon,
    /// How many they are.
    pub people: u64,
    /// How many people have accumulated at most that.
    pub up_to_here: u64,
}

impl Accumulated {
    /// Adds people each of whom has these losses.
    pub fn add(&mut self, losses: impl Iterator<Item = Epsilon>, people: u64) {
        let sum = losses.fold(Epsilon::ZERO, |sum, loss| match (sum, loss) {
            (Epsilon::Finite(sum), Epsilon::Finite(loss)) => Epsilon::Finite(sum + loss),
            (Epsilon::Infinite, _) | (_, Epsilon::Infinite) => Epsilon::Infinite,
        });
        let all = self.people.entry(sum).or_default();
        *all = all.saturating_add(people);
    }

    /// Returns how many people there are.
    pub fn people(&self) -> u64 {
        self.people.values().fold(0, |sum, people| sum.saturating_add(*people))
    }

    /// Returns every epsilon that somebody has accumulated with the number of those people, the least first.
    pub fn levels(&self) -> impl Iterator<Item = (&Epsilon, u64)> {
        self.people.iter().map(|(epsilon, people)| (epsilon, *people))
    }

    /// Returns the most that anybody has accumulated, and how many people have.
    pub fn most(&self) -> Option<(&Epsilon, u64)> {
        self.levels().last()
    }

    /// Returns the least epsilon that half of the people have not exceeded.
    pub fn median(&self) -> Option<&Epsilon> {
        let mut so_far = 0;
        let all = u128::from(self.people());
        self.levels().find_map(|(epsilon, people)| {
            so_far += u128::from(people);
            (2 * so_far >= all).then_some(epsilon)
        })
    }

    /// Returns everybody in at most twelve ranges: each epsilon by itself where they are few, else neighbours together,
    /// as few people in one range as twelve of them allow.
    pub fn ranges(&self) -> Vec<Range> {
        // More people in a range never make more ranges, so the least number that is enough is found by halving.
        let (mut enough, mut too_few) = (self.people(), None);
        loop {
            let least = too_few.map_or(0, |too_few: u64| too_few + 1);
            if least >= enough {
                return self.ranges_of(enough);
            }
            let between = least + (enough - least) / 2;
            if self.ranges_of(between).len() <= MOST_RANGES {
                enough = between;
            } else {
                too_few = Some(between);
            }
        }
    }

    /// Returns everybody in ranges of at most so many people, but for single epsilons that more have accumulated.
    /// Whoever has no bound is in no range with others.
    fn ranges_of(&self, most: u64) -> Vec<Range> {
        let mut ranges: Vec<Range> = Vec::new();
        for (epsilon, people) in self.levels() {
            let before = ranges.last().map_or(0, |last| last.up_to_here);
            let up_to_here = before.saturating_add(people);
            match ranges.last_mut() {
                Some(last) if epsilon != &Epsilon::Infinite && last.people.saturating_add(people) <= most => {
                    last.to = epsilon.clone();
                    last.people = last.people.saturating_add(people);
                    last.up_to_here = up_to_here;
                }
                Some(_) | None => {
                    ranges.push(Range { from: epsilon.clone(), to: epsilon.clone(), people, up_to_here });
                }
            }
        }
        ranges
    }

    /// Returns the same in fields, every epsilon by itself; `delta` is that of all releases together.
    pub fn json(&self, delta: &Rational) -> Value {
        let levels = self.levels().map(|(epsilon, people)| json!({ "epsilon": epsilon.to_string(), "people": people }));
        let at = |epsilon: &Epsilon| {
            let odds = odds(epsilon, delta);
            json!({
                "epsilon": epsilon.to_string(),
                "at_most_sure_percent": odds.as_ref().map(|odds| odds.surer_than.to_string()),
                "but_for_a_chance_of": odds.as_ref().map(|odds| delta_text(&odds.chance)),
            })
        };
        json!({
            "people": self.people(),
            "exposure": levels.collect::<Vec<_>>(),
            "maximum": self.most().map(|(epsilon, people)| {
                let mut most = at(epsilon);
                most["people"] = json!(people);
                most
            }),
            "median": self.median().map(at),
        })
    }
}

impl Range {
    /// Returns `1/2`, `0.5 to 0.75` (rounded up) or `no bound`.
    pub fn epsilon_words(&self) -> String {
        match (&self.from, &self.to) {
            (Epsilon::Finite(from), Epsilon::Finite(to)) if from != to => {
                format!("{} to {}", significant_rounding_up(from, 4), significant_rounding_up(to, 4))
            }
            (Epsilon::Finite(_) | Epsilon::Infinite, to) => epsilon_words(to),
        }
    }
}

/// Returns an epsilon as people read it.
pub fn epsilon_words(epsilon: &Epsilon) -> String {
    match epsilon {
        Epsilon::Finite(epsilon) => readable(epsilon),
        Epsilon::Infinite => "no bound".into(),
    }
}

/// Returns how sure anybody can have become, starting from even odds, rounded up: `73.2 %`; with a delta a little more,
/// and but for a chance of at most [`chance_of_more`].
pub fn best_guess_words(epsilon: &Epsilon, delta: &Rational) -> String {
    odds(epsilon, delta).map_or_else(|| "no bound".into(), |odds| format!("{} %", odds.surer_than))
}

/// Returns a number that is not below the chance that anybody has become surer than a best guess says, whatever its
/// epsilon.
pub fn chance_of_more(delta: &Rational) -> Rational {
    (delta * Rational::from(10u8)).min(Rational::ONE)
}

fn odds(epsilon: &Epsilon, delta: &Rational) -> Option<Odds> {
    epsilon.finite().map(|epsilon| Odds::bounded((1, None), epsilon, delta))
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::parse_number;

    fn finite(text: &str) -> Epsilon {
        Epsilon::Finite(parse_number(text).expect("a number"))
    }

    fn told(promise: &str, charges: u64) -> LossOfRelease {
        let request = Request::parse(&format!("[promise]\n{promise}")).expect("a request");
        LossOfRelease::of(&request, charges).expect("a promise")
    }

    fn accumulated(levels: &[(Epsilon, u64)]) -> Accumulated {
        let mut all = Accumulated::default();
        levels.iter().for_each(|(epsilon, people)| all.add(std::iter::once(epsilon.clone()), *people));
        all
    }

    #[test]
    fn a_loss_is_what_the_promise_allows_at_that_size_times_the_charges() {
        let outliers = told("kind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1", 3);
        assert_eq!((outliers.loss(10), outliers.loss(11)), (finite("3/10"), finite("3")));
        let blending = told("kind = \"crowd-blending\"\ncrowd = 5\nepsilon = \"1/3\"", 2);
        assert_eq!((blending.loss(4), blending.loss(5)), (finite("2/3"), Epsilon::Infinite));
    }

    #[test]
    fn losses_add_up_exactly_and_without_a_bound_there_is_none() {
        let mut all = Accumulated::default();
        all.add((0..10).map(|_| finite("1/10")), 3);
        all.add(std::iter::once(finite("1")), 2);
        all.add([finite("1"), Epsilon::Infinite].into_iter(), 1);
        let levels: Vec<(Epsilon, u64)> = all.levels().map(|(epsilon, people)| (epsilon.clone(), people)).collect();
        assert_eq!(levels, [(finite("1"), 5), (Epsilon::Infinite, 1)]);
        assert_eq!(all.median(), Some(&finite("1")));
        assert_eq!(all.most(), Some((&Epsilon::Infinite, 1)));
        assert_eq!(all.json(&Rational::ZERO)["maximum"]["at_most_sure_percent"], Value::Null);
    }

    #[test]
    fn the_median_is_not_exceeded_by_half_of_the_people() {
        let of = |levels: &[(&str, u64)]| {
            let levels: Vec<_> = levels.iter().map(|(text, people)| (finite(text), *people)).collect();
            accumulated(&levels).median().cloned()
        };
        assert_eq!(of(&[("1", 1), ("2", 1)]), Some(finite("1")));
        assert_eq!(of(&[("1", 1), ("2", 2)]), Some(finite("2")));
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn few_levels_have_a_line_each_and_many_at_most_twelve() {
        let few: Vec<_> = (1..=12).map(|level| (finite(&level.to_string()), 1)).collect();
        assert!(accumulated(&few).ranges().iter().all(|range| range.from == range.to && range.people == 1));
        for (levels, unbounded) in [(13, 0), (13, 1), (5000, 0), (5000, 70)] {
            let mut many: Vec<_> =
                (1..=levels).map(|level| (finite(&level.to_string()), u64::from(level % 7u32) + 1)).collect();
            if unbounded > 0 {
                many.push((Epsilon::Infinite, unbounded));
            }
            let ranges = accumulated(&many).ranges();
            let people: u64 = many.iter().map(|(_, people)| people).sum();
            assert!((6..=MOST_RANGES).contains(&ranges.len()), "{}", ranges.len());
            assert_eq!(ranges.iter().map(|range| range.people).sum::<u64>(), people);
            assert_eq!(ranges.last().map(|range| range.up_to_here), Some(people));
            assert!(ranges.windows(2).all(|two| two[0].to < two[1].from && two[0].up_to_here < two[1].up_to_here));
            let alone = ranges.iter().filter(|range| range.to == Epsilon::Infinite);
            assert!(alone.clone().all(|range| range.from == Epsilon::Infinite));
            assert_eq!(alone.count() > 0, unbounded > 0);
        }
    }

    #[test]
    fn an_epsilon_that_most_people_have_leaves_the_other_lines_to_the_others() {
        let mut levels: Vec<_> = (1..=100).map(|level| (finite(&format!("{level}/100")), 10)).collect();
        levels.push((finite("3"), 100_000));
        let ranges = accumulated(&levels).ranges();
        // Ten lines for a thousand people: with ninety in each there would be twelve, and one more for the others.
        assert_eq!(ranges.len(), 11);
        assert!(ranges[..10].iter().all(|range| range.people == 100));
        assert_eq!((ranges[0].epsilon_words(), ranges[10].epsilon_words()), ("0.01 to 0.1".into(), "3".into()));
    }

    #[test]
    fn words_are_rounded_up_and_leave_room_for_a_delta() {
        let none = Rational::ZERO;
        let guess = |epsilon: &Epsilon| best_guess_words(epsilon, &none);
        assert_eq!((epsilon_words(&Epsilon::ZERO), guess(&Epsilon::ZERO)), ("0".into(), "50 %".into()));
        assert_eq!((guess(&finite("1")), guess(&Epsilon::Infinite)), ("73.2 %".into(), "no bound".into()));
        // 1/(1 + 0.9/e) = 0.7512...: there the chance of more is at most ten deltas.
        let delta = parse_number("1e-6").expect("a number");
        assert_eq!(best_guess_words(&finite("1"), &delta), "75.2 %");
        let told = accumulated(&[(finite("1"), 2)]).json(&delta)["maximum"]["but_for_a_chance_of"].clone();
        let chance = parse_number(told.as_str().expect("a text")).expect("a number");
        assert!(chance > delta && chance <= chance_of_more(&delta));
    }
}
