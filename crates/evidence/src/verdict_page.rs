//! The page of a verdict: what was verified, what is wrong, and what was taken on trust; and how a process ends with
//! it.
//!
//! A check that was not made must never be shown as passed, by no word and by no exit code. It is separate from the
//! checks because it is an order of sentences, and strangers may want another. Read `verify.rs` for the checks.

use crate::render::{PARENT, verify_with_parent};
use crate::verify::{
    Check, CheckResult, DECLARED_MADE_UP, MADE_UP, NO_RELEASE, NOT_PRIVATE, Verdict, VerifyError, WRITTEN_BY, verify,
};
use incrowd_report::{Block, Facts, Page, TextStyle, html, text};
use std::path::Path;

/// How a verdict is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text,
    /// For machines.
    Json,
    /// For people with a browser.
    Html,
}

/// A verdict as every front end writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What is written.
    pub text: String,
    /// What it comes to.
    pub ending: VerdictEnding,
}

/// Verifies a folder, against the one that it was made from if that is given, summing at most so many cells of laws,
/// and tells what was found.
pub fn told(
    folder: &Path,
    parent: Option<&Path>,
    most_work: u64,
    form: Form,
    style: &TextStyle,
) -> Result<Told, VerifyError> {
    let verdict = match parent {
        None => verify(folder, most_work)?,
        Some(parent) => verify_with_parent(folder, parent, most_work)?,
    };
    let name = folder.display().to_string();
    let text = match form {
        Form::Text => text(&page(&name, &verdict), style),
        Form::Html => html(&page(&name, &verdict)),
        Form::Json => format!("{:#}\n", verdict.to_json()),
    };
    Ok(Told { text, ending: VerdictEnding::of(&name, &verdict, most_work) })
}

/// What a verdict comes to: each has an exit code of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerdictEnding {
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

impl VerdictEnding {
    /// Returns what the verdict on the folder of this name comes to, where so many cells of laws were allowed.
    pub fn of(folder: &str, verdict: &Verdict, most_work: u64) -> VerdictEnding {
        if verdict.is_passed() {
            return VerdictEnding::Passed;
        }
        let of_the_parent = |check: &&Check| check.result == CheckResult::Failed && check.name == PARENT;
        if verdict.count(CheckResult::Failed) == 1 && verdict.checks.iter().any(|check| of_the_parent(&check)) {
            return VerdictEnding::Differs {
                message: format!("{folder} is not what comes of the other folder"),
                hint: "its certificate names the certificate of the folder that it was made from under `derived_from`"
                    .into(),
            };
        }
        if verdict.count(CheckResult::Failed) > 0 {
            return VerdictEnding::Differs {
                message: format!("{folder} is not what its certificate says"),
                hint: "do not rely on it; ask whoever published it for the folder as it was delivered".into(),
            };
        }
        let by_another = |check: &&Check| check.result == CheckResult::Unchecked && check.name == WRITTEN_BY;
        match verdict.checks.iter().find(by_another) {
            Some(check) => VerdictEnding::NotVerified {
                message: format!("{folder} was not verified: {}", check.detail),
                hint: "the certificate names the version of incrowd that wrote it under `software`".into(),
            },
            None => VerdictEnding::NotVerified {
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
    // What is above everything is not said again.
    for check in verdict.checks.iter().filter(|check| ![NOT_PRIVATE, MADE_UP].contains(&check.name)) {
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
    let is_no_release = verdict.checks.iter().any(|check| check.name == NOT_PRIVATE);
    // What passes because it is made up must not be taken for a release.
    let is_made_up = verdict.checks.iter().any(|check| check.name == MADE_UP);
    page.warning = match (is_no_release, is_made_up) {
        (true, _) => Some(format!("{NOT_PRIVATE}: {NO_RELEASE}.")),
        (false, true) => Some(format!("{MADE_UP}: {DECLARED_MADE_UP}.")),
        (false, false) => None,
    };
    page.add("", vec![facts.block()]);
    if verdict.is_passed() {
        let (verified, trusted) = (verdict.count(CheckResult::Passed), verdict.count(CheckResult::Trusted));
        let but = if is_no_release { " This is a rehearsal or a test, and no release." } else { "" };
        let words = format!("All {verified} checks passed; {trusted} things were taken on trust.{but}");
        page.add("", vec![Block::Paragraph(words)]);
    }
    page
}
