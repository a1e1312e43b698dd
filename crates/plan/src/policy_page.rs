//! Policies for people and machines: what each rule asks, what it promises here, and to whom exactly.
//!
//! Every percentage is that of a plan of the policy itself, from the law that would run; it must never be written down
//! in a text of its own. It is separate because nothing is counted here: a policy is read before there is a request.
//! Read `request/policy.rs` for where policies come from.

use crate::chance::rounded;
use crate::plan::Plan;
use crate::refusal::{Refusal, readable};
use crate::request::{Policy, Request, RequestError};
use incrowd_exact::{Rational, rational_text};
use incrowd_privacy::{Epsilon, Sureness, Utility};
use incrowd_report::{Align, Block, Facts, Page, PageTable};
use serde_json::{Value, json};

/// So many tables about the same people are added up.
const TABLES: [u64; 4] = [1, 2, 3, 5];

/// A policy with what it promises.
pub struct PolicyAnswers {
    policy: &'static Policy,
    plan: Plan,
    /// At sizes 1, k - 1, k and 10 k, where k is the least that is not small.
    pub by_size: Vec<SizeAnswer>,
    /// What several tables promise together.
    pub by_tables: Vec<TablesAnswer>,
}

/// What a policy promises to people in groups of one size, and what it costs readers.
pub struct SizeAnswer {
    /// How many people, the one that is asked about included.
    pub size: u64,
    /// The epsilon that each of them is promised.
    pub epsilon: Rational,
    /// From even odds nobody who knows how many others are there becomes surer that one is in the data, or not.
    pub surer_than: Sureness,
    /// What to expect of the published value.
    pub utility: Option<Utility>,
}

/// What a policy promises where so many tables about the same people are charged to one account.
pub struct TablesAnswer {
    /// How many.
    pub tables: u64,
    /// About a person whose groups are small in all of them.
    pub small: Sureness,
    /// About anybody.
    pub anybody: Sureness,
}

impl PolicyAnswers {
    /// Returns the answers of a policy, from its plan.
    pub fn of(policy: &'static Policy) -> Result<PolicyAnswers, Refusal> {
        let request =
            request_of(policy).map_err(|_| Refusal::NothingFits { mechanism: policy.name, parameter: "promise" })?;
        let plan = Plan::of(&request, None)?;
        let epsilon_at = |size: u64| plan.curve().epsilon(size).finite().cloned();
        let by_size = sizes(policy).into_iter().filter_map(|size| {
            let epsilon = epsilon_at(size)?;
            let surer_than = plan.odds_at((size, Some(size)), &epsilon).surer_than;
            let utility = plan.expected(plan.settled().deployed(), size).ok();
            Some(SizeAnswer { size, epsilon, surer_than, utility })
        });
        let by_size = by_size.collect();
        let (small, anybody) = (epsilon_at(1), plan.curve().supremum());
        let by_tables = TABLES.into_iter().filter_map(|tables| {
            let times = |epsilon: &Rational| Sureness::of(&(epsilon * Rational::from(tables)));
            let Epsilon::Finite(anybody) = &anybody else { return None };
            Some(TablesAnswer { tables, small: times(small.as_ref()?), anybody: times(anybody) })
        });
        let by_tables = by_tables.collect();
        Ok(PolicyAnswers { policy, plan, by_size, by_tables })
    }

    /// Returns the page of the policy.
    pub fn page(&self) -> Page {
        let policy = self.policy;
        let mut page = Page::titled(format!("{}: the policy {}", policy.title, policy.name));
        let mut facts = Facts::default();
        facts.add("rule", &policy.asks);
        facts.add("here", &policy.adds);
        facts.add("small cells", &policy.shows);
        facts.add_all("promise", self.plan.odds_words());
        facts.add("mind", self.plan.caveats().swap_remove(0));
        page.add("", vec![facts.block()]);
        page.add("How sure anybody can become", self.sizes_blocks());
        page.add("Several tables about the same people", self.tables_blocks());
        let lines: Vec<String> =
            policy.written.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let by_name = Block::Facts(vec![
            ("by name".into(), format!("policy = \"{}\" before any section", policy.name)),
            ("by odds".into(), format!("[promise] {}, and {}", lines.join(", "), output_words(policy))),
        ]);
        page.add("In a request", vec![by_name]);
        page.add("Sources", vec![Block::List(policy.sources.clone())]);
        page
    }

    fn sizes_blocks(&self) -> Vec<Block> {
        let head = ["people in the group", "nobody surer than", "epsilon", "mean error", "95 % of values"];
        let mut table = PageTable::new(&head.map(|heading| (heading, Align::Right)));
        for answer in &self.by_size {
            let usual = |utility: &Utility| utility.usual.map(|(low, high)| format!("{low} to {high}"));
            table.rows.push(vec![
                Some(answer.size.to_string()),
                Some(format!("{} %", answer.surer_than)),
                Some(readable(&answer.epsilon)),
                answer.utility.as_ref().map(|utility| rounded(utility.mean_absolute_error)),
                answer.utility.as_ref().and_then(usual),
            ]);
        }
        let largest = self.by_tables.first().map(|one| one.anybody.to_string()).unwrap_or_default();
        let note = format!(
            "From even odds, whether a given person is in the data at all, for one table of declared bins, one bin for each \
             person: by whoever knows how many others are in her group, whatever else they know. Who does not know that \
             becomes at most {largest} % sure. Where bins are found in the data, or people have several, `incrowd plan` says \
             what holds."
        );
        vec![Block::Table(table), Block::Note(note)]
    }

    fn tables_blocks(&self) -> Vec<Block> {
        let small = format!("in groups of fewer than {}", self.policy.small);
        let heads = [("tables", Align::Right), (small.as_str(), Align::Right), ("in groups of any size", Align::Right)];
        let mut table = PageTable::new(&heads);
        for answer in &self.by_tables {
            table.row([answer.tables.to_string(), format!("{} %", answer.small), format!("{} %", answer.anybody)]);
        }
        let note = "Together, whichever of their cells are subtracted from which: nobody becomes surer than this, with delta 0; \
                    in small groups if hers are small in all of them. All tables of an account add up so; `incrowd ledger show` \
                    says where an account stands.";
        vec![Block::Table(table), Block::Note(note.into())]
    }

    /// Returns the same in fields.
    pub fn to_json(&self) -> Value {
        let mut object = summary(self.policy);
        object["asks"] = json!(self.policy.asks);
        object["adds"] = json!(self.policy.adds);
        object["shows"] = json!(self.policy.shows);
        object["sources"] = json!(self.policy.sources);
        object["promise"] = json!(self.policy.written);
        object["in_words"] = json!(self.plan.odds_words());
        let sizes = self.by_size.iter().map(|answer| {
            json!({
                "size": answer.size,
                "epsilon": rational_text(&answer.epsilon),
                "surer_than": answer.surer_than.to_string(),
                "mean_absolute_error": answer.utility.as_ref().map(|utility| utility.mean_absolute_error),
            })
        });
        object["by_size"] = sizes.collect();
        let tables = self.by_tables.iter().map(|answer| {
            json!({
                "tables": answer.tables,
                "small": answer.small.to_string(),
                "anybody": answer.anybody.to_string(),
            })
        });
        object["by_tables"] = tables.collect();
        object
    }
}

/// Returns the page that lists all policies.
pub fn list_page() -> Result<Page, Refusal> {
    let mut page = Page::titled("Policies: rules that publishers follow, kept in their words");
    let head = [
        ("name", Align::Left),
        ("groups of fewer than", Align::Right),
        ("nobody surer than", Align::Right),
        ("elsewhere", Align::Right),
        ("shown as", Align::Left),
    ];
    let mut table = PageTable::new(&head);
    let mut rules = Facts::default();
    for policy in Policy::all() {
        let answers = PolicyAnswers::of(policy)?;
        let (first, last) = (answers.by_size.first(), answers.by_size.last());
        let percent = |answer: Option<&SizeAnswer>| answer.map(|answer| format!("{} %", answer.surer_than));
        table.rows.push(vec![
            Some(policy.name.into()),
            Some(policy.small.to_string()),
            percent(first),
            percent(last),
            Some(output_shown(policy)),
        ]);
        rules.add(policy.name, &policy.asks);
    }
    let note = "Nobody who knows how many others are in a person's group becomes surer than this whether she is in the data \
                at all, from even odds.";
    page.add("", vec![Block::Table(table), Block::Note(note.into())]);
    page.add("What the rules ask, and where they end", vec![rules.block()]);
    Ok(page)
}

/// Returns all policies in fields.
pub fn list_json() -> Value {
    json!({ "policies": Policy::all().iter().map(summary).collect::<Vec<_>>() })
}

fn summary(policy: &Policy) -> Value {
    json!({
        "name": policy.name,
        "title": policy.title,
        "small": policy.small,
        "output": { "small": policy.output.small, "rounding": policy.output.rounding },
    })
}

fn sizes(policy: &Policy) -> [u64; 4] {
    [1, policy.small - 1, policy.small, policy.small.saturating_mul(10)]
}

fn request_of(policy: &Policy) -> Result<Request, RequestError> {
    Request::parse(&format!("policy = \"{}\"\n", policy.name))
}

/// What a published value looks like: "fewer than 8, rounded to 5".
fn output_shown(policy: &Policy) -> String {
    let small = policy.output.small.map(crate::request::fewer_than);
    let rounding = policy.output.rounding.map(|step| format!("rounded to {step}"));
    small.into_iter().chain(rounding).collect::<Vec<_>>().join(", ")
}

fn output_words(policy: &Policy) -> String {
    let small = policy.output.small.map(|limit| format!("small = {limit}"));
    let rounding = policy.output.rounding.map(|step| format!("rounding = {step}"));
    format!("[output] {}", small.into_iter().chain(rounding).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests;
