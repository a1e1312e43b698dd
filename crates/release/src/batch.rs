//! What several plans promise together, by the rules of the account book itself, in a number, in words and in fields.
//!
//! They are charged, one after the other, to a book that is forgotten at once: what it would refuse has no sum here
//! either. It must never add up by rules of its own. It is separate from the plan, which knows one release. Read
//! `charge.rs` next.

use crate::charge::price;
use crate::like_counts::LikeForecast;
use crate::plan::Plan;
use crate::plan_json::JSON_VERSION;
use crate::plan_page::readable_delta;
use crate::refusal::{Refusal, readable};
use crate::want::Answer;
use incrowd_definition::Reading;
use incrowd_exact::rational_text;
use incrowd_ledger::{Ledger, LedgerError, Moment};
use incrowd_plan::delta_text::delta_text;
use incrowd_privacy::Total;
use incrowd_report::{Facts, Page};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A plan, with what was answered to wants.
#[derive(Debug)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// In the order of the wants.
    pub answers: Vec<Answer>,
    /// What it would show of bins of given sizes.
    pub forecast: Option<LikeForecast>,
}

/// Several plans of one data set, and what they promise together.
#[derive(Debug)]
pub struct Batch {
    /// The data set, where one is named.
    pub dataset: Option<String>,
    /// How many plans there are.
    pub releases: usize,
    /// Their sum; nothing where no data set is named, so that none could pay.
    pub total: Option<Result<Total, NoSum>>,
}

/// Why plans have no sum.
#[derive(Debug)]
pub enum NoSum {
    /// One of them cannot be charged at all.
    Plan(Refusal),
    /// An account that paid for those before it would not pay for it.
    Account {
        /// Which of them, from 0.
        plan: usize,
        /// Why.
        error: LedgerError,
    },
}

/// Returns what plans of one data set promise together, in this order, in an account that has paid for nothing else and
/// declares nothing.
///
/// How values are stored is not known before a release: plans that mean the same columns are taken to read them alike.
pub fn together(plans: &[&Plan]) -> Result<Total, NoSum> {
    let book = |error| NoSum::Account { plan: 0, error };
    let mut ledger = Ledger::in_memory().map_err(book)?;
    let now = Moment::from_unix_seconds(0);
    let mut total = Total::Everybody { epsilon: Default::default(), delta: Default::default() };
    for (index, plan) in plans.iter().enumerate() {
        let price = price(plan, &Reading::default()).map_err(NoSum::Plan)?;
        let refused = |error| NoSum::Account { plan: index, error };
        // The book is in memory: nobody ever asks how it ended.
        drop(ledger.charge(&price, now).map_err(refused)?.spend());
        let account = ledger.account(&price.account).map_err(refused)?;
        let standing = account.and_then(|account| account.standings().into_iter().next());
        if let Some(Ok(sum)) = standing.map(|standing| standing.total) {
            total = sum;
        }
    }
    Ok(total)
}

impl Batch {
    /// Returns plans by the data set that they are of, each with what they promise together.
    pub fn of(plans: &[Planned]) -> Vec<Batch> {
        let mut by_dataset: BTreeMap<Option<String>, Vec<&Plan>> = BTreeMap::new();
        for planned in plans {
            by_dataset.entry(planned.plan.request().ledger.dataset.clone()).or_default().push(&planned.plan);
        }
        let batch = |(dataset, plans): (Option<String>, Vec<&Plan>)| {
            let total = dataset.is_some().then(|| together(&plans));
            Batch { dataset, releases: plans.len(), total }
        };
        by_dataset.into_iter().map(batch).collect()
    }

    /// Returns what a batch promises, as an account that declares nothing adds it up.
    pub fn together_words(&self) -> String {
        match &self.total {
            None => {
                "that no account would pay for: name the people in [ledger] with `dataset` to see what they cost together"
                    .into()
            }
            Some(Ok(Total::Everybody { epsilon, delta })) => {
                let (epsilon, delta) = (readable(epsilon), readable_delta(delta));
                format!("together, as differential privacy: epsilon {epsilon}, delta {delta}, as the ledger adds them up")
            }
            Some(Ok(Total::Crowd { crowd, epsilon, delta })) => format!(
                "together, as crowd-blending: everybody blends into a crowd of {crowd}, or is protected with epsilon {}, delta {}",
                readable(epsilon),
                readable_delta(delta)
            ),
            Some(Ok(Total::Growing { up_to: Some((up_to, epsilon)), delta })) => format!(
                "together: people whose groups are all of up to {up_to} are protected with epsilon {}, delta {}; nothing bounds it for others",
                readable(epsilon),
                readable_delta(delta)
            ),
            Some(Ok(Total::Growing { up_to: None, .. })) => "together: epsilon grows without a bound".into(),
            Some(Err(NoSum::Plan(refusal))) => format!("without a sum: {refusal} (hint: {})", refusal.hint()),
            Some(Err(NoSum::Account { plan, error })) => {
                let hint = error.hint();
                format!("without a sum: number {} would be refused after the others: {error} (hint: {hint})", plan + 1)
            }
        }
    }

    fn to_json(&self) -> Value {
        let (notion, epsilon, delta) = match &self.total {
            Some(Ok(total @ Total::Everybody { .. })) => {
                (Some("differential-privacy"), total.epsilon(), Some(total.delta()))
            }
            Some(Ok(total @ Total::Crowd { .. })) => (Some("crowd-blending"), total.epsilon(), Some(total.delta())),
            Some(Ok(total @ Total::Growing { .. })) => (Some("small-groups"), total.epsilon(), Some(total.delta())),
            Some(Err(_)) | None => (None, None, None),
        };
        json!({
            "dataset": self.dataset,
            "releases": self.releases,
            "together": notion,
            "epsilon": epsilon.map(rational_text),
            "delta": delta.map(delta_text),
            "in_words": self.together_words(),
        })
    }
}

/// Returns the page of what plans promise together.
pub fn page(plans: &[Planned]) -> Page {
    let mut facts = Facts::default();
    for batch in Batch::of(plans) {
        let releases = if batch.releases == 1 { "1 release".into() } else { format!("{} releases", batch.releases) };
        let name = batch.dataset.as_deref().unwrap_or("(no data set named)");
        facts.add(name, format!("{releases} {}", batch.together_words()));
    }
    let mut page = Page::titled("All together");
    page.add("", vec![facts.block()]);
    page
}

/// Returns plans as one object: of one plan its own, of several each and what they promise together.
pub fn to_json(plans: &[Planned]) -> Value {
    let one = |planned: &Planned| {
        let mut object = planned.plan.to_json();
        if !planned.answers.is_empty() {
            object["want"] = planned.answers.iter().map(Answer::to_json).collect();
        }
        if let Some(forecast) = &planned.forecast {
            object["forecast"] = forecast.to_json(&planned.plan);
        }
        object
    };
    if let [only] = plans {
        return one(only);
    }
    json!({
        "version": JSON_VERSION,
        "command": "plan",
        "plans": plans.iter().map(one).collect::<Vec<_>>(),
        "batch": Batch::of(plans).iter().map(Batch::to_json).collect::<Vec<_>>(),
    })
}
