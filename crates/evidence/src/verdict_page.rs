//! The page of a verdict: what was verified, what is wrong, and what was taken on trust.
//!
//! A check that was not made must never be shown as passed. It is separate from the checks because it is an order of
//! sentences, and strangers may want another. Read `verify.rs` for the checks.

use crate::verify::{CheckResult, Verdict};
use incrowd_report::{Block, Facts, Page};

/// Returns the page of a verdict on the folder of this name.
pub fn page(folder: &str, verdict: &Verdict) -> Page {
    let mut facts = Facts::default();
    for check in &verdict.checks {
        let sign = match check.result {
            CheckResult::Passed => "verified",
            CheckResult::Failed => "WRONG",
            CheckResult::Trusted => "trusted",
            CheckResult::Unchecked => "UNCHECKED",
            CheckResult::Noted => "note",
        };
        facts.add(sign, format!("{}: {}", check.name, check.detail));
    }
    let mut page = Page::titled(format!("Certificate of {folder}"));
    page.add("", vec![facts.block()]);
    if verdict.is_passed() {
        let (verified, trusted) = (verdict.count(CheckResult::Passed), verdict.count(CheckResult::Trusted));
        let words = format!("All {verified} checks passed; {trusted} things were taken on trust.");
        page.add("", vec![Block::Paragraph(words)]);
    }
    page
}
