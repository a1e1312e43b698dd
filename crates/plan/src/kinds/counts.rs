//! Counts of bins, planned: by the mechanism that the request chooses, once or period after period.
//!
//! Everything follows from the mechanism and its law; it must never promise for all periods what holds for one. It is
//! separate because only counts have a mechanism to choose. Read `chosen.rs` next.

use super::{AnyRow, AskedKind, KindPlan, PlannedKind, RowCheck, ShownThing, TableRows};
use crate::refusal::Refusal;
use crate::request::{self, CellCount, Cut, MechanismRequest, Mode, Request, printable};
use crate::settle::{Bins, Settled, SettledRequest, Terms};
use incrowd_exact::Rational;
use incrowd_privacy::{Curve, Deployed, Epsilon, Universe};
use serde_json::Value;

pub(super) const TABLE: &str = "counts";

/// Counts of bins: nothing is decided beside their mechanism.
#[derive(Debug, Clone)]
pub struct CountsPlan {
    asked: request::Counts,
}

impl AskedKind for request::Counts {
    fn terms(&self, request: &Request, instead: Option<&MechanismRequest>) -> Result<Terms, Refusal> {
        let other_kind = || Refusal::NotAHistogram { release: request.kind.name() };
        let asked = match instead {
            Some(asked) => asked.clone(),
            None => request.mechanism_or_default().ok_or_else(other_kind)?,
        };
        Ok(Terms { asked, promise: request.promise.promise.clone(), bins: Bins::AsRequested })
    }

    fn planned(&self, _request: &Request, _settled: &Settled, _promised: &Curve) -> Result<KindPlan, Refusal> {
        Ok(KindPlan::Counts(CountsPlan { asked: self.clone() }))
    }

    /// Nothing is known of periods in which people repeat.
    fn is_known_on_samples(&self) -> bool {
        self.time.is_none()
    }

    fn people_words(&self) -> &'static str {
        "Counts of people"
    }

    fn relation_words(&self) -> &'static str {
        match self.time {
            None => {
                "Privacy relation: a bin's output laws at k and k-1 people are (epsilon(k), delta)-close in both directions, for every k"
            }
            Some(_) => {
                "Privacy relation, in each period: a bin's output laws at k and k-1 people are (epsilon(k), delta)-close in both directions, for every k"
            }
        }
    }
}

impl PlannedKind for CountsPlan {
    fn title(&self) -> (String, Vec<String>) {
        ("People by".into(), self.asked.counted().iter().map(|bin| bin.name.clone()).collect())
    }

    fn universe_words(&self, plan: &SettledRequest<'_>) -> String {
        let deployed = &plan.settled.deployed;
        let bins =
            |cells: u128| if cells == 1 { "1 declared bin".to_string() } else { format!("{cells} declared bins") };
        match plan.request.cells() {
            CellCount::Declared(cells) => match (deployed.universe, deployed.publish_from, deployed.may_be_silent()) {
                (Universe::Open, _, _) => {
                    format!("{}; one shows only if the mechanism lets it, an empty one never", bins(cells))
                }
                (Universe::Closed, Some(from), _) => {
                    format!("{}; those whose drawn value is at least {from} are shown", bins(cells))
                }
                (Universe::Closed, None, true) => format!("{}, each listed, some of them as suppressed", bins(cells)),
                (Universe::Closed, None, false) => format!("{}, each shown, empty ones too", bins(cells)),
            },
            CellCount::Found => "bins found in the data; a bin shows only if the mechanism lets it".into(),
            CellCount::Unstated => match deployed.universe {
                Universe::Closed => "no bins given: counted as declared ones".into(),
                Universe::Open => "no bins given: counted as found in the data".into(),
            },
        }
    }

    fn period_words(&self) -> Option<String> {
        let series = self.asked.time.as_ref()?;
        let (first, last) = match &self.asked.counted().first()?.cut {
            Cut::Periods(periods) => (periods.first().to_string(), periods.last().to_string()),
            Cut::Values(values) => (values.get(0)?.to_string(), values.last()?.to_string()),
            Cut::Found | Cut::Named(_) | Cut::Edges(_) | Cut::Truncated(_) => return None,
        };
        let periods = series.span.periods();
        let which = if periods == 1 { first } else { format!("{first} to {last}, {periods} of them") };
        let counted = match series.mode {
            Mode::PerPeriod => "each counted for itself",
            Mode::Cumulative => "each with all before it",
        };
        let cost = match (series.repeats_people(), periods) {
            (true, 1) => "the next ones will be charged on top",
            (true, _) => {
                "the promise is for each; a person may be in all, so their costs add up; those that the ledger has already are not charged again"
            }
            (false, _) => {
                "nobody is in two, it is assumed, so that all together cost what one does; later runs too, if rows are people or the account declares this column (--splits)"
            }
        };
        Some(printable(&format!("{which}; {counted}; {cost}")))
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

    fn published_names(&self) -> Vec<(&str, &[(String, String)])> {
        Vec::new()
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
        ShownThing { asked_as: ["cell", "cells"], things: "bins", show: "show", shown: "shown", at_most: None }
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
        TableRows::Bins
    }

    fn row_check(&self) -> Box<dyn RowCheck + '_> {
        Box::new(AnyRow)
    }
}
