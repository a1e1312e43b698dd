//! The page of a verdict: what was verified, what is wrong, and what was taken on trust.
//!
//! A check that was not made must never be shown as passed. It is separate from the checks because it is an order of
//! sentences, and strangers may want another. Read `verify.rs` for the checks.

use crate::verify::{Check, CheckResult, Verdict, WRITTEN_BY};
use incrowd_report::{Block, Facts, Page};

/// What a verdict comes to: each has an exit code of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Every check was made, and none failed.
    Passed,
    /// Nothing wrong was found, and not everything was looked at.
    NotVerified {
        /// What happened, in a sentence.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// Something is not as it should be.
    Differs {
        /// What happened, in a sentence.
        message: String,
        /// What to do about it.
        hint: String,
    },
}

impl Ending {
    /// Returns what the verdict on the folder of this name comes to, where so many cells of laws were allowed.
    pub fn of(folder: &str, verdict: &Verdict, most_work: u64) -> Ending {
        if verdict.is_passed() {
            return Ending::Passed;
        }
        if verdict.count(CheckResult::Failed) > 0 {
            return Ending::Differs {
                message: format!("{folder} is not what its certificate says"),
                hint: "do not rely on it; ask whoever published it for the folder as it was delivered".into(),
            };
        }
        let by_another = |check: &&Check| check.result == CheckResult::Unchecked && check.name == WRITTEN_BY;
        match verdict.checks.iter().find(by_another) {
            Some(check) => Ending::NotVerified {
                message: format!("{folder} was not verified: {}", check.detail),
                hint: "the certificate names the version of incrowd that wrote it under `software`".into(),
            },
            None => Ending::NotVerified {
                message: format!("{folder} was not verified: computing it again takes more work than was allowed"),
                hint: format!(
                    "nothing wrong was found so far; --most-work {} allows ten times as much",
                    most_work.saturating_mul(10)
                ),
            },
        }
    }
}

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
