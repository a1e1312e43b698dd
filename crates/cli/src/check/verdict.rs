//! Whether a release would go well, and what it would lose.
//!
//! By counts of people alone. It must never call a release good that would fail, lose more than was allowed, or count
//! nobody. It is separate because the page, the object for machines, the exit code and the mark all say it. Read
//! `words.rs` for the sentences.

use super::words::share_words;
use crate::share::Share;
use incrowd_engine_datafusion::{Advice, Damage, Findings, Unprepared};
use incrowd_release::forecast::Forecast;
use incrowd_release::plan::Plan;
use incrowd_release::refusal::Refusal;
use incrowd_release::request::Request;

/// What was looked at.
pub enum Looked {
    /// A release could not even be prepared.
    Unprepared(Unprepared),
    /// The data cannot be read to its end.
    Damaged(Vec<Damage>),
    /// The data was read.
    Read(Findings),
}

/// Everything that there is to say.
pub struct Report<'a> {
    pub name: &'a str,
    pub request: &'a Request,
    pub most_lost: Share,
    pub plan: Result<&'a Plan, &'a Refusal>,
    pub looked: &'a Looked,
    pub forecast: Option<Forecast>,
}

/// Whether a release would go well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckVerdict {
    /// It would.
    Well,
    /// It would be refused, with this message and hint.
    Refused(String, String),
    /// It would be charged, and not be delivered.
    Damaged,
    /// There is nobody to be counted.
    NoPeople,
    /// Nobody would be counted.
    Nobody,
    /// It would lose more people than was allowed.
    Loses {
        /// In words: "12 %".
        share: String,
        /// In words.
        allowed: String,
    },
}

impl Report<'_> {
    /// Returns everything that is advised.
    pub fn advice(&self) -> Vec<&Advice> {
        match self.looked {
            Looked::Unprepared(unprepared) => unprepared.damage.iter().filter_map(|one| one.advice.as_ref()).collect(),
            Looked::Damaged(damage) => damage.iter().filter_map(|one| one.advice.as_ref()).collect(),
            Looked::Read(findings) => findings.advice.iter().collect(),
        }
    }

    /// Returns whether a release would go well.
    pub fn verdict(&self) -> CheckVerdict {
        if let Err(refusal) = self.plan {
            return CheckVerdict::Refused(refusal.to_string(), refusal.hint());
        }
        match self.looked {
            Looked::Unprepared(unprepared) => {
                let hint = match unprepared.damage.is_empty() {
                    true => unprepared.problem.hint(),
                    false => "the page says what is wrong with the files, and what would help".into(),
                };
                CheckVerdict::Refused(unprepared.problem.to_string(), hint)
            }
            Looked::Damaged(_) => CheckVerdict::Damaged,
            Looked::Read(findings) => {
                let (lost, people) = (findings.lost(), findings.people);
                if people == 0 {
                    CheckVerdict::NoPeople
                } else if findings.bins_by_size.is_empty() {
                    CheckVerdict::Nobody
                } else if self.most_lost.is_exceeded_by(lost, people) {
                    let allowed = share_words(self.most_lost.to_f64());
                    CheckVerdict::Loses { share: share_words(lost as f64 / people as f64), allowed }
                } else {
                    CheckVerdict::Well
                }
            }
        }
    }
}

impl CheckVerdict {
    /// Returns it in a word for machines.
    pub fn as_str(&self) -> &'static str {
        match self {
            CheckVerdict::Well => "well",
            CheckVerdict::Refused(_, _) => "refused",
            CheckVerdict::Damaged => "damaged",
            CheckVerdict::NoPeople | CheckVerdict::Nobody => "nobody",
            CheckVerdict::Loses { .. } => "loses",
        }
    }

    /// Returns what is said of it, without any value.
    pub fn words(&self) -> String {
        match self {
            CheckVerdict::Well => "a release would go well".into(),
            CheckVerdict::Refused(message, _) => format!("a release would be refused, and not charged: {message}"),
            CheckVerdict::Damaged => "a release would be charged and not delivered: the data cannot be read".into(),
            CheckVerdict::NoPeople => {
                "a release would count nobody: nobody is in the data, or `where` leaves nobody".into()
            }
            CheckVerdict::Nobody => "a release would count nobody: everybody is lost".into(),
            CheckVerdict::Loses { share, allowed } => {
                format!("a release would lose {share} of the people, and {allowed} are allowed")
            }
        }
    }

    /// Returns the message and hint of a release that would not go well.
    pub fn failure(&self) -> Option<(String, String)> {
        let hint = match self {
            CheckVerdict::Well => return None,
            CheckVerdict::Refused(_, hint) => hint.clone(),
            CheckVerdict::NoPeople => "is this the right file, and the right condition?".into(),
            CheckVerdict::Damaged => "the page says where the damage is, and what would help".into(),
            CheckVerdict::Nobody | CheckVerdict::Loses { .. } => {
                "the page says who is lost and why; --most-lost allows more, such as --most-lost 20%".into()
            }
        };
        Some((self.words(), hint))
    }
}
