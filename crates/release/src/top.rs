//! The most frequent items: what the steps after the first do and cost.
//!
//! The first step, which finds out what items there are, is settled like any mechanism; here are the choice and the counts.
//! It must never choose by anything but an item's own count (errata 2.7). It is separate because a choice looks at all items
//! at once. Read `protect/top.rs` for how it is drawn.

use crate::plan::Plan;
use crate::refusal::{Refusal, readable};
use crate::request::{Request, Top, Universe};
use incrowd_exact::{Rational, parse_number, significant, significant_rounding_up};
use incrowd_privacy::top::{chance_of_all, chance_of_finding, count_for, lead_for};
use incrowd_privacy::{Curve, Deployed, Epsilon, Mechanism};
use serde_json::{Value, json};

/// Numbers of other items for which a plan says what lead is needed.
const OTHERS: [u64; 3] = [100, 10_000, 1_000_000];

/// Who must be in the true top items for them to be published, and how often they then are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lead {
    /// With at most so many other items.
    pub others: u64,
    /// Each of the top items is counted for at least so many people.
    pub count: u64,
    /// The last of them is counted for so many people more than every other item.
    pub lead: u64,
    /// A lower bound of the chance that all of them are found and chosen.
    pub chance: Rational,
}

/// The choice and the counts.
#[derive(Debug, Clone)]
pub struct Steps {
    /// How many items are chosen at most.
    pub items: u64,
    /// What each of the choices costs; one person changes every score by one at most, all in one direction.
    pub rate: Rational,
    /// The noise of each published count, if counts are published.
    pub counts: Option<Deployed>,
}

impl Steps {
    /// Returns the steps of a request, or refuses what its promise does not cover.
    pub fn of(request: &Request, promised: &Curve) -> Result<Option<Steps>, Refusal> {
        let Some(top) = request.top() else { return Ok(None) };
        let spent = top.epsilon();
        if let Epsilon::Finite(least) = promised.epsilon(1)
            && least < spent
        {
            return Err(Refusal::StepsSpendMore { spent, promised: least });
        }
        if let Universe::Closed { cells } = request.universe()
            && u64::try_from(cells).is_err()
        {
            return Err(Refusal::TooManyCells { cells });
        }
        let parts = Rational::from(request.bins_per_person());
        let counts = top.epsilon_counts.as_ref().map(|epsilon| Deployed {
            mechanism: Mechanism::Geometric { epsilon: epsilon / &parts },
            universe: incrowd_privacy::Universe::Closed,
            publish_from: None,
        });
        // A person in several items raises each by one: choices cost her no more than in one (claim 28).
        Ok(Some(Steps { items: top.items, rate: &top.epsilon_select / Rational::from(top.items), counts }))
    }

    /// Returns the parameters, for certificates.
    pub fn parameters(&self) -> Value {
        let noise = self.counts.as_ref().map(|deployed| match &deployed.mechanism {
            Mechanism::Geometric { epsilon } => incrowd_exact::rational_text(epsilon),
            _ => String::new(),
        });
        json!({ "items": self.items, "choice-rate": incrowd_exact::rational_text(&self.rate), "count-rate": noise })
    }

    /// Returns with which counts and leads all of the true top items are found and then chosen, nineteen times of twenty.
    ///
    /// They must first be found, each by noise of its own, and then chosen among what was found (claim 30); the noise of the
    /// first step and the coins of the second are independent, so the chances multiply. Half of what may go wrong is left to
    /// each step: the smallest count that leaves 1 of 40 to the first, then the smallest lead for the rest.
    pub fn leads(&self, first: &Deployed) -> Vec<Lead> {
        let Mechanism::Threshold { epsilon, threshold } = &first.mechanism else { return Vec::new() };
        let part = |misses: u8| Rational::ONE - Rational::from(misses) / Rational::from(40u8);
        let lead = |others: &u64| {
            let count = count_for(epsilon, *threshold, self.items, &part(1))?;
            let found = chance_of_finding(epsilon, *threshold, count, self.items);
            let lead = lead_for(&self.rate, *others, self.items, &(part(2) / &found))?;
            let chance = found * chance_of_all(&self.rate, lead, *others, self.items);
            Some(Lead { others: *others, count, lead, chance })
        };
        OTHERS.iter().filter_map(lead).collect()
    }
}

/// What the theorem takes for granted.
pub(crate) const ASSUMPTIONS: [&str; 4] = [
    "one person more or less changes the counts of her items by one each, all in the same direction",
    "each item passes the first step by noise of its own; the choice sees the true counts of those that passed, and nothing else",
    "items that nobody has are no candidates, but for those of the public list, which always are",
    "only what was chosen is published, with noise of its own on each count",
];

/// What is proved about the steps together, and where.
pub(crate) fn theorem() -> (&'static str, &'static str) {
    (
        "SSB Theorem 6, for scores that are an item's own count; incrowd, claims 28 and 29",
        "a new item costs delta alone; any other change costs the epsilons of the steps together; finding items is accounted for exactly below",
    )
}

impl Plan {
    /// Returns what the choice does and how well, in words.
    pub fn top_words(&self) -> Vec<String> {
        let (Some(steps), Some(top)) = (&self.top, self.request.top()) else { return Vec::new() };
        let mut lines = vec![spent_words(top)];
        if let Epsilon::Finite(promised) = self.curve.epsilon(1)
            && promised > top.epsilon()
        {
            let rest = &promised - top.epsilon();
            lines.push(format!("of the epsilon that is promised, {} is neither spent nor charged", readable(&rest)));
        }
        if self.curve.supremum() == Epsilon::Infinite {
            lines.push(format!(
                "the steps cost everybody the same, so epsilon {} is kept for people in groups of any size, also where nothing is promised by name",
                readable(&top.epsilon())
            ));
        }
        if let Mechanism::Threshold { threshold, epsilon } = &self.settled.deployed.mechanism {
            lines.push(format!(
                "an item is a candidate if its count, with noise of epsilon {}, reaches {threshold}; one with few people hardly ever is",
                readable(epsilon)
            ));
        }
        lines.push(format!(
            "then {} are chosen one after another by permute-and-flip, each with epsilon {}",
            steps.items,
            readable(&steps.rate)
        ));
        lines.extend(lead_words(steps.items, &steps.leads(&self.settled.deployed)));
        lines
    }

    /// Returns the same for machines.
    pub fn top_json(&self) -> Value {
        let Some(steps) = &self.top else { return Value::Null };
        let lead = |Lead { others, count, lead, chance }: Lead| json!({ "others": others, "count": count, "lead": lead, "chance_of_all": rounded_down(&chance) });
        let mut object = steps.parameters();
        object["leads"] = steps.leads(&self.settled.deployed).into_iter().map(lead).collect();
        object
    }
}

/// Under which counts all of the top items are published, nineteen times of twenty.
fn lead_words(items: u64, leads: &[Lead]) -> Option<String> {
    let count = leads.first()?.count;
    let ahead = leads.iter().map(|lead| format!("{} of at most {} others", lead.lead, lead.others));
    Some(format!(
        "all of the true top {items} are found and chosen, at least 19 times of 20, if each of them is counted for at least {count} people and the last of them leads by {}; of items with fewer people this says nothing",
        ahead.collect::<Vec<_>>().join(", ")
    ))
}

/// Returns a chance that is not above the given one: what is promised at least must not be rounded up.
fn rounded_down(chance: &Rational) -> String {
    let missing = parse_number(&significant_rounding_up(&(Rational::ONE - chance), 6)).unwrap_or(Rational::ONE);
    let text = significant(&(Rational::ONE - missing), 60);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

fn spent_words(top: &Top) -> String {
    let counts = match &top.epsilon_counts {
        Some(epsilon) => format!(", {} on their counts", readable(epsilon)),
        None => ", nothing on counts, which are not published".into(),
    };
    format!(
        "epsilon {} is spent on finding items, {} on choosing them{counts}",
        readable(&top.epsilon_stabilise),
        readable(&top.epsilon_select)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_promised_at_least_is_never_rounded_up() {
        let number = |text: &str| parse_number(text).expect("a number");
        for (chance, said) in [("0.95574812345", "0.9557481"), ("0.95", "0.95"), ("1", "1"), ("1/3", "0.333333")] {
            assert_eq!(rounded_down(&number(chance)), said, "{chance}");
        }
        let near = number("0.99999999987654321");
        assert!(number(&rounded_down(&near)) <= near);
    }
}
