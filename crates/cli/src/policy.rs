//! `incrowd policy check`: what the policy of this machine asks for, and what it says of a request.
//!
//! It prints what the library judges, and must never judge itself, nor read data. It is separate from `policies.rs`,
//! which has rules by their names. Read `incrowd_release::site_policy` for the file.

use crate::args::{PolicyCheck, PrintFormat};
use crate::failure::Failure;
use crate::session;
use crate::terminal::{Printed, print_json};
use incrowd_engine_datafusion::Settings;
use incrowd_release::request::printable;
use incrowd_release::session::{LocationError, PolicyFinding};
use incrowd_release::site_policy::{BoundSource, Review, SitePolicy, UnknownAccounts};
use incrowd_report::{Block, Facts, Page};
use serde_json::{Value, json};

/// Runs the command.
pub fn check(command: &PolicyCheck, format: PrintFormat) -> Result<(), Failure> {
    let session = session::session(command.ledger.as_deref(), Settings::default());
    let (place, policy) = (session.environment().policy.path.display().to_string(), session.environment().policy()?);
    // An address that leads nowhere stops every charge, whether or not a request is named.
    if let Err(error @ LocationError::Policy(_)) = session.environment().ledger() {
        return Err(error.into());
    }
    let opened = command.request.as_deref().map(|path| session::open(&session, path)).transpose()?;
    let findings = opened.map(|opened| opened.policy_findings()).transpose()?.unwrap_or_default();
    let refusal = findings.iter().find_map(|finding| finding.refusal.clone());
    match format {
        PrintFormat::Json => print_json(&object(&place, policy.as_ref(), &findings))?,
        PrintFormat::Text | PrintFormat::Html => {
            let page = page(&place, policy.as_ref(), &findings);
            Printed::only("The policy of this machine", vec![page]).print(format)?;
        }
    }
    match refusal {
        None => Ok(()),
        Some(refusal) => Err(Failure::Differs { message: refusal.to_string(), hint: refusal.hint().into() }),
    }
}

fn page(place: &str, policy: Option<&SitePolicy>, findings: &[PolicyFinding]) -> Page {
    let mut page = Page::titled("The policy of this machine");
    let Some(policy) = policy else {
        let words =
            format!("There is none: {} is not there. Whoever releases names the account book.", printable(place));
        page.add("", vec![Block::Paragraph(words)]);
        return page;
    };
    let mut facts = Facts::default();
    facts.add("written in", printable(place));
    let ledger = policy.ledger.as_deref().map(shown_address);
    facts.add("ledger", ledger.unwrap_or_else(|| "any: whoever releases names it".into()));
    facts.add("unknown accounts", unknown_words(policy.unknown_accounts));
    facts.add_all("real data", policy.real_data.iter().map(|place| printable(&place.to_string())));
    for account in &policy.accounts {
        facts.add(&format!("account {}", printable(&account.name)), account_words(&account.sources, account.review));
    }
    facts.add("reviewed plan", review_words(policy.review));
    let reviewers = policy.reviewers.iter();
    facts.add_all("reviewer", reviewers.map(|one| format!("{}, key {}", printable(&one.name), one.key.digits())));
    page.add("", vec![facts.block()]);
    if !findings.is_empty() {
        let mut facts = Facts::default();
        for PolicyFinding { what, found, refusal } in findings {
            let words = match refusal {
                None => format!("may be: {}", printable(found)),
                Some(refusal) => format!("REFUSED: {}: {refusal}", printable(found)),
            };
            facts.add(what, words);
        }
        page.add("This request", vec![facts.block()]);
    }
    page
}

/// An address as it may be shown, without names and passwords.
fn shown_address(address: &str) -> String {
    match (address.split_once("://"), address.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, server))) => printable(&format!("{scheme}://{server}")),
        (_, _) => printable(address),
    }
}

fn unknown_words(unknown: UnknownAccounts) -> &'static str {
    match unknown {
        UnknownAccounts::Denied => "denied: no release opens an account",
        UnknownAccounts::Allowed => "allowed: the first of a book opens itself, others with --open",
    }
}

fn review_words(review: Review) -> &'static str {
    match review {
        Review::Required => "required of every release, signed by a reviewer",
        Review::Free => "not required of every release",
    }
}

fn account_words(sources: &[BoundSource], review: Review) -> String {
    let source = |source: &BoundSource| {
        let table = source.table.as_ref().map(|table| format!(", table {table}")).unwrap_or_default();
        printable(&format!("{}{table}", source.place))
    };
    let takes = match sources {
        [] => "any source that no other account has".to_string(),
        sources => format!("takes {} alone", sources.iter().map(source).collect::<Vec<_>>().join(" and ")),
    };
    match review {
        Review::Required => format!("{takes}; every release needs a reviewed plan that is signed"),
        Review::Free => takes,
    }
}

fn object(place: &str, policy: Option<&SitePolicy>, findings: &[PolicyFinding]) -> Value {
    let review = |review: Review| review == Review::Required;
    let source = |source: &BoundSource| json!({ "path": source.place.to_string(), "table": source.table });
    let finding = |finding: &PolicyFinding| {
        let refused = finding.refusal.as_ref();
        json!({
            "what": finding.what,
            "found": finding.found,
            "allowed": refused.is_none(),
            "reason": refused.map(ToString::to_string),
            "hint": refused.map(|refusal| refusal.hint()),
        })
    };
    json!({
        "path": place,
        "policy": policy.map(|policy| json!({
            "ledger": policy.ledger.as_deref().map(shown_address),
            "unknown_accounts": match policy.unknown_accounts {
                UnknownAccounts::Denied => "deny",
                UnknownAccounts::Allowed => "allow",
            },
            "real_data": policy.real_data.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "accounts": policy.accounts.iter().map(|account| json!({
                "name": account.name,
                "sources": account.sources.iter().map(source).collect::<Vec<_>>(),
                "reviewed_plan_required": review(account.review),
            })).collect::<Vec<_>>(),
            "reviewed_plan_required": review(policy.review),
            "reviewers": policy.reviewers.iter().map(|one| json!({ "name": one.name, "key": one.key.digits() }))
                .collect::<Vec<_>>(),
        })),
        "request": findings.iter().map(finding).collect::<Vec<_>>(),
    })
}
