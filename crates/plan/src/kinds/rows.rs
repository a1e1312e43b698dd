//! Generalised rows, planned: each kind of row that enough people share, as it is, and nothing of the others.
//!
//! A row is published by the number of people who share it alone; it must never be published for what it says, nor once
//! more or less than people have it. It is separate because rows have neither noise nor a mechanism to choose. Read
//! `points.rs` next.

use super::{
    AskedKind, KindPlan, PeopleReport, PeopleTable, PlannedKind, RowCheck, SeenRows, ShownThing, TableRows, no_choice,
};
use crate::refusal::Refusal;
use crate::request::{self, Axis, Column, Generalisation, MechanismRequest, Request};
use crate::settle::{Bins, Settled, SettledRequest, Terms};
use incrowd_exact::Rational;
use incrowd_privacy::{Curve, Deployed, Epsilon, MechanismName};
use serde_json::Value;

pub(super) const TABLE: &str = "rows";

/// How many kinds of rows a report lists.
const LISTED: usize = 200;

/// Generalised rows, and how many people must share one.
#[derive(Debug, Clone)]
pub struct RowsPlan {
    asked: request::Rows,
    /// The smallest number of people of whom a row is published.
    pub crowd: u64,
}

impl AskedKind for request::Rows {
    /// Rows that enough people share are published as they are, and nothing of the others (CB section 3.1).
    fn terms(&self, request: &Request, instead: Option<&MechanismRequest>) -> Result<Terms, Refusal> {
        no_choice(request, instead)?;
        if let Some(file) = self.columns.iter().find_map(Column::hierarchy) {
            return Err(Refusal::HierarchyNotRead { file: file.to_string() });
        }
        if request.bins_per_person() > 1 {
            return Err(Refusal::OneRowEach);
        }
        Ok(Terms {
            asked: MechanismRequest::named(MechanismName::SuppressBelow),
            promise: request.promise.promise.clone(),
            bins: Bins::Found,
        })
    }

    fn planned(&self, _request: &Request, settled: &Settled, _promised: &Curve) -> Result<KindPlan, Refusal> {
        Ok(KindPlan::Rows(RowsPlan { asked: self.clone(), crowd: super::crowd(&settled.deployed.mechanism) }))
    }

    fn is_known_on_samples(&self) -> bool {
        true
    }

    fn people_words(&self) -> &'static str {
        "Rows of people"
    }

    fn relation_words(&self) -> &'static str {
        "Privacy relation: a bin's output laws at k and k-1 people are (epsilon(k), delta)-close in both directions, for every k"
    }
}

impl PlannedKind for RowsPlan {
    fn title(&self) -> (String, Vec<String>) {
        ("Rows of people:".into(), self.asked.columns.iter().map(|column| column.name.clone()).collect())
    }

    fn universe_words(&self, _plan: &SettledRequest<'_>) -> String {
        "rows as the columns' rules make them; one is published, once for each person who has it, only if enough people share it".into()
    }

    fn period_words(&self) -> Option<String> {
        None
    }

    fn own_words(&self, _plan: &SettledRequest<'_>) -> Vec<String> {
        Vec::new()
    }

    fn own_json(&self, _plan: &SettledRequest<'_>) -> Option<(&'static str, Value)> {
        None
    }

    fn further_steps(&self) -> Option<Value> {
        None
    }

    fn caveat(&self) -> Option<&'static str> {
        None
    }

    /// The names of a hierarchy are published word for word.
    fn published_names(&self) -> Vec<(&str, &[(String, String)])> {
        let columns = self.asked.columns.iter().filter_map(|column| match &column.rule {
            Generalisation::Names(pairs) => Some((column.name.as_str(), pairs.as_slice())),
            Generalisation::Prefix(_)
            | Generalisation::Edges { .. }
            | Generalisation::Truncate(_)
            | Generalisation::Values { .. }
            | Generalisation::Hierarchy { .. }
            | Generalisation::Keep => None,
        });
        columns.collect()
    }

    fn theorem(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    fn theorem_assumptions(&self, deployed: &Deployed) -> Vec<&'static str> {
        deployed.mechanism.theorem_assumptions(deployed.universe)
    }

    fn theorem_cost(&self, plan: &SettledRequest<'_>) -> (Epsilon, Rational) {
        (plan.settled.curve.supremum(), plan.settled.delta.clone())
    }

    fn spent(&self, promised: &Curve) -> Epsilon {
        promised.supremum()
    }

    fn shown_thing(&self) -> ShownThing {
        ShownThing {
            asked_as: ["kind of row", "kinds of rows"],
            things: "kinds of rows",
            show: "show",
            shown: "shown",
            at_most: None,
        }
    }

    fn shown_by<'p>(&'p self, settled: &'p Settled) -> &'p Deployed {
        &settled.deployed
    }

    fn is_one_law(&self) -> bool {
        true
    }

    fn is_judged_by_bins(&self) -> bool {
        true
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    fn rows(&self) -> TableRows<'_> {
        TableRows::People(self)
    }

    fn row_check(&self) -> Box<dyn RowCheck + '_> {
        Box::new(SharedRows { crowd: self.crowd })
    }
}

impl PeopleTable for RowsPlan {
    fn step_words(&self) -> &'static str {
        "each kind of row that is shown is written once for each person who has it; rows are in the order of their values"
    }

    fn map(&self) -> Option<&[Axis]> {
        None
    }

    fn checked_words(&self, seen: &SeenRows) -> String {
        let SeenRows { rows, kinds, .. } = seen;
        format!("{rows} rows of {kinds} kinds; each kind is shared by at least {} people, in order", self.crowd)
    }

    fn report(&self, seen: &SeenRows) -> PeopleReport {
        let SeenRows { rows, kinds, .. } = seen;
        PeopleReport {
            holds: format!(
                "The file holds {rows} rows of {kinds} kinds, each kind shared by at least {} people. Rows are as the rules make them and nothing was added to them; their order is that of their values.",
                self.crowd
            ),
            missing: "A kind of row that is missing says no more about you than the promise allows: it may be of nobody, or of a few.",
            listed: LISTED,
            above_list: match *kinds <= LISTED as u64 {
                true => "All kinds of rows, and how many there are of each:".into(),
                false => format!("The first {LISTED} of {kinds} kinds of rows, and how many there are of each:"),
            },
        }
    }
}

/// Each kind of row is shared by enough people.
struct SharedRows {
    crowd: u64,
}

impl RowCheck for SharedRows {
    fn row(&mut self, _place: u64, _keys: &[Option<String>]) -> Result<(), &'static str> {
        Ok(())
    }

    fn alike(&mut self, people: u64) -> Result<(), String> {
        match people < self.crowd {
            true => Err(format!("a kind of row that fewer than {} people share", self.crowd)),
            false => Ok(()),
        }
    }

    fn end(&mut self, _rows: u64) -> Result<(), String> {
        Ok(())
    }
}
