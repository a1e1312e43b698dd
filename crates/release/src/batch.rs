//! What several plans promise together, by the rules of the account book itself, in a number, in words and in fields.
//!
//! They are charged, one after the other, to a book that is forgotten at once: what it would refuse has no sum here
//! either. It must never add up by rules of its own. It is separate from the plan, which knows one release. Read
//! `charge.rs` next.

use crate::charge::price;
use crate::like_counts::LikeForecast;
use crate::odds::Odds;
use crate::plan::Plan;
use crate::plan_json::JSON_VERSION;
use crate::refusal::{Refusal, readable};
use crate::want::Answer;
use incrowd_definition::Reading;
use incrowd_exact::{rare_rounding_up, rational_text};
use incrowd_ledger::{Ledger, LedgerError, Moment};
use incrowd_plan::delta_text::delta_text;
use incrowd_plan::questions::{AccountFacts, PlainAnswer};
use incrowd_privacy::Total;
use incrowd_report::{Facts, Page};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A plan, with what was answered to wants.
#[derive(Debug)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// What is known of the account that would pay.
    pub account: AccountFacts,
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
                let weak = Odds::bounded((1, None), epsilon, delta).weakness();
                let weak = weak.map(|words| format!("; {words}")).unwrap_or_default();
                let (epsilon, delta) = (readable(epsilon), rare_rounding_up(delta));
                format!("together, as differential privacy: epsilon {epsilon}, delta {delta}, as the ledger adds them up{weak}")
            }
            Some(Ok(Total::Crowd { crowd, epsilon, delta })) => format!(
                "together, as crowd-blending: everybody blends into a crowd of {crowd}, or is protected with epsilon {}, delta {}",
                readable(epsilon),
                rare_rounding_up(delta)
            ),
            Some(Ok(Total::Growing { up_to: Some((up_to, epsilon)), delta })) => format!(
                "together: people whose groups are all of up to {up_to} are protected with epsilon {}, delta {}; nothing bounds it for others",
                readable(epsilon),
                rare_rounding_up(delta)
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
        let questions = planned.plan.plain_answers(&planned.account);
        object["questions"] = questions.iter().map(PlainAnswer::to_json).collect();
        object["account"] = planned.account.to_json(&planned.plan);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Request;
    use incrowd_exact::Rational;

    #[test]
    fn what_a_plan_says_of_two_releases_is_what_the_book_adds_up() {
        for promise in [
            "kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"",
            "kind = \"simple-outlier-dp\"\ngroup = 5\nepsilon = 2",
        ] {
            let text = format!(
                "[data]\nsource = \"d.csv\"\n[[bins]]\nname = \"t\"\ncolumn = \"t\"\nvalues = [\"a\"]\n[promise]\n{promise}\n[ledger]\ndataset = \"d\"\nsnapshot = \"1\"\n"
            );
            let plan = Plan::of(&Request::parse(&text).expect("a request"), None).expect("a plan");
            let Ok(Total::Everybody { epsilon, delta }) = together(&[&plan, &plan]) else { panic!("{promise}") };
            let odds = Odds::bounded((1, None), &epsilon, &delta);
            let said = plan.plain_answers(&AccountFacts::Unknown);
            let said = said.iter().find(|answer| answer.question == "From a second table?").expect("an answer");
            let words = format!(
                "becomes surer than {} % whether a person is in the data, from even odds{}",
                odds.surer_than,
                odds.except_words()
            );
            assert!(said.answers[1].contains(&words), "{words}: {:?}", said.answers);
            let once = plan.cost();
            assert_eq!(
                (epsilon, delta),
                (once.epsilon.finite().expect("finite") * Rational::from(2u8), once.delta * Rational::from(2u8))
            );
        }
    }

    #[test]
    fn exact_counts_in_two_tables_are_refused_as_a_plan_says() {
        let plan = |bins: &str, snapshot: &str| {
            let text = format!(
                "[data]\nsource = \"d.csv\"\n{bins}[promise]\nkind = \"crowd-blending\"\ncrowd = 6\nepsilon = 0\n[ledger]\ndataset = \"d\"\nsnapshot = \"{snapshot}\"\n"
            );
            Plan::of(&Request::parse(&text).expect("a request"), None).expect("a plan")
        };
        let one = "[[bins]]\nname = \"t\"\ncolumn = \"t\"\nvalues = [\"a\"]\n";
        let two = format!("{one}[[bins]]\nname = \"u\"\ncolumn = \"u\"\nvalues = [\"b\"]\n");
        let (first, second, later) = (plan(one, "1"), plan(&two, "1"), plan(one, "2"));
        assert!(together(&[&first, &second]).is_err() && together(&[&first, &later]).is_err());
        assert!(together(&[&first, &first]).is_ok());
    }
}
