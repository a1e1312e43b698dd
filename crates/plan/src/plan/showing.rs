//! What a plan says of the sizes from which on bins show, in words, in its tables and for machines.
//!
//! A sentence must hold at the very sizes that it names. It is separate from `shows.rs`, which knows no plan. Read that
//! file for how sizes are found.

use crate::kinds::ShownThing;
use crate::plan::{ExactAt, Plan};
use crate::refusal::{Refusal, readable};
use crate::request::Request;
use crate::shows::{Chances, ShownBy, Shows};
use serde_json::{Value, json};

impl Plan {
    /// Returns from which size on bins show; nothing where every bin shows, or where the law is too large to sum.
    pub fn shows(&self) -> Option<&Shows> {
        let found = self.shows.get_or_init(|| {
            let hides = self.settled.deployed.may_be_silent();
            hides.then(|| Shows::of(&self.chances()).ok()).flatten()
        });
        found.as_ref()
    }

    /// Returns the same in words; nothing where every bin shows.
    pub fn shows_words(&self) -> Option<String> {
        if !self.settled.deployed.may_be_silent() {
            return None;
        }
        let thing = self.kind.planned().shown_thing();
        Some(match self.shows() {
            Some(shows) => words(shows, &thing, self),
            None => {
                format!("from which size on {} {} is not known: the law is too large to sum", thing.things, thing.show)
            }
        })
    }

    /// Returns the same for machines; null where every bin shows.
    pub(crate) fn shows_json(&self) -> Value {
        let Some(shows) = self.shows() else { return Value::Null };
        json!({
            "at_1_percent": shows.at_1_percent,
            "at_50_percent": shows.at_50_percent,
            "at_99_percent": shows.at_99_percent,
            "certain": shows.by == ShownBy::Certainty,
            "in_words": self.shows_words(),
        })
    }

    /// Returns the plan of a request as readers see it: at given counts, or at counts that suit the promise and at
    /// those where bins begin to show. A certificate has the former alone.
    pub fn for_readers(request: &Request, counts: Option<&[u64]>) -> Result<Plan, Refusal> {
        let plan = Plan::of(request, counts)?;
        Ok(if counts.is_some() { plan } else { plan.with_sizes_of_showing() })
    }

    /// What cannot be computed at one of these sizes is left out: a plan does not depend on it.
    fn with_sizes_of_showing(mut self) -> Plan {
        let sizes: Vec<u64> = self.shows().map(|shows| shows.sizes().collect()).unwrap_or_default();
        for size in sizes {
            if let Err(place) = self.exact.binary_search_by_key(&size, |at| at.count)
                && let Ok(exact) = ExactAt::of(&self.settled, size)
            {
                self.exact.insert(place, exact);
            }
            if let Err(place) = self.utility.binary_search_by_key(&size, |at| at.count)
                && let Ok(utility) = self.expected(&self.settled.deployed, size)
            {
                self.utility.insert(place, utility);
            }
        }
        self
    }

    /// Returns the chance that a bin of so many people shows, counted as this plan counts.
    pub(crate) fn chances(&self) -> Chances<'_> {
        Chances::of(&self.settled.deployed, self.sampling_chance())
    }
}

/// Says where bins begin to show, and how many of those of a size do.
fn words(shows: &Shows, thing: &ShownThing, plan: &Plan) -> String {
    let ShownThing { things, show, .. } = thing;
    let periods = if plan.request.kind.series().is_some() { "in each period, " } else { "" };
    let counted = match plan.sampling_chance() {
        Some(chance) => format!(", of whom each is counted with chance {},", readable(chance)),
        None => String::new(),
    };
    // Who is in more bins than are counted is missing in some of them.
    let people = |size: u64| match (size, plan.truncation_words()) {
        (1, None) => "1 person".to_string(),
        (1, Some(_)) => "1 counted person".to_string(),
        (size, None) => format!("{size} people"),
        (size, Some(_)) => format!("{size} counted people"),
    };
    let Some(about) = shows.at_50_percent else {
        return format!("{periods}of no size at least half of the {things} {show}");
    };
    if shows.by == ShownBy::Certainty {
        return format!("{periods}{things} {show} from {} on: all of them, and none below", people(about));
    }
    if shows.at_99_percent == Some(1) {
        return format!("{periods}{things} of every size {show}, at least 99 % of them");
    }
    let mut parts = match shows.at_99_percent {
        Some(size) if size == about => vec![format!("at least 99 % of those of {size}")],
        Some(size) => vec![format!("at least half of those of {about}"), format!("99 % of those of {size}")],
        None => vec![format!("at least half of those of {about}"), "99 % of no size".into()],
    };
    if let Some(size) = shows.at_1_percent.filter(|size| *size > 1) {
        parts.push(format!("less than 1 % of those below {size}"));
    }
    format!("{periods}{things} {show} from about {}{counted} on ({})", people(about), parts.join(", "))
}

#[cfg(test)]
mod tests;
