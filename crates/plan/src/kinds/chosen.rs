//! The most frequent items, planned: what the steps after the first do and cost.
//!
//! The first step, which finds out what items there are, is settled like any mechanism, under a promise of its own;
//! here are the choice and the counts. It must never choose by anything but an item's own count (`docs/errata.md`
//! 2.7). It is separate because a choice looks at all items at once. Read `release/kinds/chosen.rs` for how it is
//! drawn.

use super::{
    AskedKind, ItemCounts, KindPlan, PlannedKind, RowCheck, ShownThing, TableRows, asked_delta, counts, no_choice,
};
use crate::refusal::{Refusal, readable};
use crate::request::{self, CellCount, MechanismRequest, Request};
use crate::settle::{Bins, Settled, SettledRequest, Terms};
use incrowd_exact::{Rational, parse_number, rational_text, significant, significant_rounding_up};
use incrowd_privacy::top::{chance_of_all, chance_of_finding, count_for, lead_for};
use incrowd_privacy::{Curve, Deployed, Epsilon, Mechanism, MechanismName, Promise};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The field of this kind in a plan for machines.
pub(super) const FIELD: &str = "top";

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
pub struct ChosenPlan {
    asked: request::Chosen,
    /// What each of the choices costs; one person changes every score by one at most, all in one direction.
    pub rate: Rational,
    /// The noise of each published count, if counts are published.
    pub counts: Option<CountNoise>,
}

/// Plain noise on each published count.
#[derive(Debug, Clone)]
pub struct CountNoise {
    /// Its rate: what one count costs.
    pub rate: Rational,
    /// The same as a mechanism.
    pub deployed: Deployed,
}

impl CountNoise {
    fn of(rate: Rational) -> CountNoise {
        let mechanism = Mechanism::Geometric { epsilon: rate.clone() };
        let universe = incrowd_privacy::Universe::Closed;
        CountNoise { rate, deployed: Deployed { mechanism, universe, publish_from: None } }
    }
}

impl AskedKind for request::Chosen {
    /// Which items there are is found out first (SSB section 5.1), under the part of the promise that this step may
    /// spend.
    fn terms(&self, request: &Request, instead: Option<&MechanismRequest>) -> Result<Terms, Refusal> {
        no_choice(request, instead)?;
        Ok(Terms {
            asked: MechanismRequest::named(MechanismName::Threshold),
            promise: Promise::DifferentialPrivacy { epsilon: Epsilon::Finite(self.epsilon_stabilise.clone()) },
            bins: Bins::AsRequested,
        })
    }

    fn planned(&self, request: &Request, _settled: &Settled, promised: &Curve) -> Result<KindPlan, Refusal> {
        let spent = self.epsilon();
        if let Epsilon::Finite(least) = promised.epsilon(1)
            && least < spent
        {
            return Err(Refusal::StepsSpendMore { spent, promised: least });
        }
        if let CellCount::Declared(cells) = request.cells()
            && u64::try_from(cells).is_err()
        {
            return Err(Refusal::TooManyCells { cells });
        }
        let parts = Rational::from(request.bins_per_person());
        let counts = self.epsilon_counts.as_ref().map(|epsilon| CountNoise::of(epsilon / &parts));
        // A person in several items raises each by one: choices cost her no more than in one (claim 28).
        let rate = &self.epsilon_select / Rational::from(self.items);
        Ok(KindPlan::Chosen(Box::new(ChosenPlan { asked: self.clone(), rate, counts })))
    }

    fn is_known_on_samples(&self) -> bool {
        false
    }

    fn people_words(&self) -> &'static str {
        "Most frequent items of people"
    }

    fn relation_words(&self) -> &'static str {
        "Privacy relation: the laws of all that is published, with and without a person, are (epsilon, delta)-close in both directions"
    }
}

impl ChosenPlan {
    /// How many items are chosen at most.
    pub fn items(&self) -> u64 {
        self.asked.items
    }

    /// A public list of texts that are always candidates.
    pub fn always(&self) -> &[String] {
        &self.asked.always
    }

    /// Returns the parameters, for certificates.
    fn parameters(&self) -> Value {
        let noise = self.counts.as_ref().map(|noise| rational_text(&noise.rate));
        json!({ "items": self.items(), "choice-rate": rational_text(&self.rate), "count-rate": noise })
    }

    /// Returns with which counts and leads all of the true top items are found and then chosen, nineteen times of
    /// twenty.
    ///
    /// They must first be found, each by noise of its own, and then chosen among what was found (claim 30); the noise
    /// of the first step and the coins of the second are independent, so the chances multiply. Half of what may go
    /// wrong is left to each step: the smallest count that leaves 1 of 40 to the first, then the smallest lead for
    /// the rest.
    pub fn leads(&self, first: &Deployed) -> Vec<Lead> {
        let Mechanism::Threshold { epsilon, threshold } = &first.mechanism else { return Vec::new() };
        let part = |misses: u8| Rational::ONE - Rational::from(misses) / Rational::from(40u8);
        let lead = |others: &u64| {
            let count = count_for(epsilon, *threshold, self.items(), &part(1))?;
            let found = chance_of_finding(epsilon, *threshold, count, self.items());
            let lead = lead_for(&self.rate, *others, self.items(), &(part(2) / &found))?;
            let chance = found * chance_of_all(&self.rate, lead, *others, self.items());
            Some(Lead { others: *others, count, lead, chance })
        };
        OTHERS.iter().filter_map(lead).collect()
    }
}

/// What the theorem takes for granted.
const ASSUMPTIONS: [&str; 4] = [
    "one person more or less changes the counts of her items by one each, all in the same direction",
    "each item passes the first step by noise of its own; the choice sees the counts of those that passed without noise, and nothing else",
    "items that nobody has are no candidates, but for those of the public list, which always are",
    "only what was chosen is published, with noise of its own on each count",
];

impl PlannedKind for ChosenPlan {
    fn title(&self) -> (String, Vec<String>) {
        let names = self.asked.items_are().iter().map(|bin| bin.name.clone());
        (format!("The {} most frequent:", self.items()), names.collect())
    }

    fn universe_words(&self, _plan: &SettledRequest<'_>) -> String {
        "items found in the data; one is chosen only if the mechanism lets it".into()
    }

    fn period_words(&self) -> Option<String> {
        None
    }

    /// What the choice does and how well.
    fn own_words(&self, plan: &SettledRequest<'_>) -> Vec<String> {
        let spent = self.asked.epsilon();
        let mut lines = vec![spent_words(&self.asked)];
        if let Epsilon::Finite(promised) = plan.curve.epsilon(1)
            && promised > spent
        {
            let rest = &promised - &spent;
            lines.push(format!("of the epsilon that is promised, {} is neither spent nor charged", readable(&rest)));
        }
        if plan.curve.supremum() == Epsilon::Infinite {
            lines.push(format!(
                "the steps cost everybody the same, so epsilon {} is kept for people in groups of any size, also where nothing is promised by name",
                readable(&spent)
            ));
        }
        if let Mechanism::Threshold { threshold, epsilon } = &plan.settled.deployed.mechanism {
            lines.push(format!(
                "an item is a candidate if its count, with noise of epsilon {}, reaches {threshold}; one with few people hardly ever is",
                readable(epsilon)
            ));
        }
        lines.push(format!(
            "then {} are chosen one after another by permute-and-flip, each with epsilon {}",
            self.items(),
            readable(&self.rate)
        ));
        lines.extend(lead_words(self.items(), &self.leads(&plan.settled.deployed)));
        lines
    }

    fn own_json(&self, plan: &SettledRequest<'_>) -> Option<(&'static str, Value)> {
        let lead = |Lead { others, count, lead, chance }: Lead| json!({ "others": others, "count": count, "lead": lead, "chance_of_all": rounded_down(&chance) });
        let mut object = self.parameters();
        object["leads"] = self.leads(&plan.settled.deployed).into_iter().map(lead).collect();
        Some((FIELD, object))
    }

    fn further_steps(&self) -> Option<Value> {
        Some(self.parameters())
    }

    fn caveat(&self) -> Option<&'static str> {
        Some("the rank of an item is the place at which it was chosen: with its noise, not by its count without noise")
    }

    fn published_names(&self) -> Vec<(&str, &[(String, String)])> {
        Vec::new()
    }

    fn theorem(&self) -> Option<(&'static str, &'static str)> {
        Some((
            "SSB Theorem 6, for scores that are an item's own count; incrowd, claims 28 and 29",
            "a new item costs delta alone; any other change costs the epsilons of the steps together; finding items is accounted for exactly below",
        ))
    }

    fn theorem_assumptions(&self, _deployed: &Deployed) -> Vec<&'static str> {
        ASSUMPTIONS.to_vec()
    }

    /// All steps together.
    fn theorem_cost(&self, plan: &SettledRequest<'_>) -> (Epsilon, Rational) {
        (Epsilon::Finite(self.asked.epsilon()), asked_delta(plan.request))
    }

    fn spent(&self, _promised: &Curve) -> Epsilon {
        Epsilon::Finite(self.asked.epsilon())
    }

    fn shown_thing(&self) -> ShownThing {
        ShownThing {
            asked_as: ["item", "items"],
            things: "items",
            show: "are found",
            shown: "found",
            at_most: Some(self.items()),
        }
    }

    /// The noise of the counts.
    fn shown_by<'p>(&'p self, settled: &'p Settled) -> &'p Deployed {
        self.counts.as_ref().map_or(&settled.deployed, |noise| &noise.deployed)
    }

    /// A choice has more steps than the one that is settled.
    fn is_one_law(&self) -> bool {
        false
    }

    fn is_judged_by_bins(&self) -> bool {
        false
    }

    fn table(&self) -> &'static str {
        counts::TABLE
    }

    fn rows(&self) -> TableRows<'_> {
        TableRows::Items(match self.counts {
            Some(_) => ItemCounts::Published,
            None => ItemCounts::Hidden,
        })
    }

    fn row_check(&self) -> Box<dyn RowCheck + '_> {
        // Of a public list as many items are chosen as there is room for, whoever is in them.
        let surely = self.items().min(self.always().len() as u64);
        Box::new(RankedItems { chosen: HashSet::new(), surely })
    }
}

/// Ranks come one after another, and no item comes twice.
struct RankedItems {
    chosen: HashSet<Vec<Option<String>>>,
    surely: u64,
}

impl RowCheck for RankedItems {
    fn row(&mut self, place: u64, keys: &[Option<String>]) -> Result<(), &'static str> {
        let Some((rank, item)) = keys.split_first() else { return Err("a rank that does not come next") };
        if rank.as_deref().and_then(|rank| rank.parse::<u64>().ok()) != Some(place + 1) {
            return Err("a rank that does not come next");
        }
        if self.chosen.insert(item.to_vec()) { Ok(()) } else { Err("an item that was chosen before") }
    }

    fn alike(&mut self, _people: u64) -> Result<(), String> {
        Ok(())
    }

    fn end(&mut self, rows: u64) -> Result<(), String> {
        match rows < self.surely {
            true => Err(format!("it has {rows} rows, and {} items are surely chosen", self.surely)),
            false => Ok(()),
        }
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

fn spent_words(top: &request::Chosen) -> String {
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
