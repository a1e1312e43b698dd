//! Whether a release would go well, and what it would lose.
//!
//! By counts of people alone. It must never call a release good that would fail, lose more than was allowed, or count
//! nobody. It is separate because the page, the object for machines, the exit code and the mark all say it. Read
//! `words.rs` for the sentences.

use super::words::share_words;
use crate::share::Share;
use incrowd_engine_datafusion::{Advice, BoundedPeople, Damage, Findings, LossCause, Unprepared};
use incrowd_release::forecast::{CheckedOutlook, Forecast, Outlook};
use incrowd_release::plan::Plan;
use incrowd_release::query::most_people;
use incrowd_release::refusal::Refusal;
use incrowd_release::request::{Request, Unit};

/// What was looked at.
pub enum Looked {
    /// A release could not even be prepared.
    Unprepared(Unprepared),
    /// The data cannot be read to its end.
    Damaged(Vec<Damage>),
    /// The data was read.
    Read(Box<Findings>),
}

/// Everything that there is to say.
#[derive(Clone)]
pub struct Report<'a> {
    pub name: &'a str,
    pub request: &'a Request,
    pub most_lost: Share,
    pub most_cut: Share,
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
    /// It would be charged, and not be delivered: a line for each person would be too many lines.
    TooManyLines {
        /// The most.
        most: u64,
    },
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
    /// More rows than was allowed cannot be read, or do not say for how many people they stand.
    LosesRows {
        /// In words: "12 %".
        share: String,
        /// In words.
        allowed: String,
    },
    /// More rows than was allowed may stand between quotes.
    HidesRows {
        /// In words: "12 %".
        share: String,
        /// In words.
        allowed: String,
    },
    /// More days than was allowed tell another order of day and month than the request.
    Misreads {
        /// How many values could be read as other days.
        both: u64,
    },
    /// Hardly any bin would be shown.
    ShowsNothing,
    /// It would leave out more of the bins that people are in than was allowed.
    Cuts {
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
            Looked::Read(findings) => self.verdict_on(findings),
        }
    }

    fn verdict_on(&self, findings: &Findings) -> CheckVerdict {
        let (lost, people) = (findings.lost(), findings.people);
        let share = |some: u64, all: u64| share_words(some as f64 / all.max(1) as f64);
        if people == 0 {
            return CheckVerdict::NoPeople;
        }
        if findings.bins_by_size.is_empty() {
            return CheckVerdict::Nobody;
        }
        if let Some(most) = self.most_people().filter(|most| findings.in_bins() > *most) {
            return CheckVerdict::TooManyLines { most };
        }
        let allowed = share_words(self.most_lost.to_f64());
        if self.most_lost.is_exceeded_by(lost, people) {
            return CheckVerdict::Loses { share: share(lost, people), allowed };
        }
        let (unsaid, rows) = (self.rows_without_people(findings), findings.wanted().saturating_add(findings.bad_rows));
        if self.most_lost.is_exceeded_by(unsaid, rows) {
            return CheckVerdict::LosesRows { share: share(unsaid, rows), allowed };
        }
        let hidden = findings.rows_in_quotes.rows;
        let with_hidden = findings.rows.saturating_add(hidden);
        if self.most_lost.is_exceeded_by(hidden, with_hidden) {
            return CheckVerdict::HidesRows { share: share(hidden, with_hidden), allowed };
        }
        if let Some(orders) = &findings.day_orders
            && self.most_lost.is_exceeded_by(orders.only_other, orders.only_other.saturating_add(orders.only_said))
        {
            return CheckVerdict::Misreads { both: orders.both };
        }
        if self.outlook() == CheckedOutlook::HardlyAnything {
            return CheckVerdict::ShowsNothing;
        }
        match &findings.bounded {
            Some(bounded) if self.most_cut.is_exceeded_by(bounded.cut(), bounded.person_bins) => CheckVerdict::Cuts {
                share: share(bounded.cut(), bounded.person_bins),
                allowed: share_words(self.most_cut.to_f64()),
            },
            Some(_) | None => CheckVerdict::Well,
        }
    }

    /// Returns whether anything is expected to be shown.
    pub fn outlook(&self) -> CheckedOutlook {
        match (self.plan, &self.forecast) {
            (Ok(plan), Some(forecast)) => match plan.outlook(Some(forecast), CheckedOutlook::Unknown) {
                Outlook::HardlyAnything(_) => CheckedOutlook::HardlyAnything,
                Outlook::Something | Outlook::Unknown { .. } => CheckedOutlook::Something,
            },
            // Where every bin shows no forecast is needed.
            (Ok(plan), None) if plan.shows_words().is_none() => CheckedOutlook::Something,
            (Ok(_), None) | (Err(_), _) => CheckedOutlook::Unknown,
        }
    }

    /// Returns how many rows do not say for how many people they stand, where rows say that: each may stand for many.
    fn rows_without_people(&self, findings: &Findings) -> u64 {
        let Some(Unit::People { .. }) = self.request.data.as_ref().map(|data| &data.unit) else { return 0 };
        let unsaid = findings.losses.iter().find(|loss| loss.cause == LossCause::NoUnit);
        unsaid.map_or(0, |loss| loss.people).saturating_add(findings.bad_rows)
    }

    fn most_people(&self) -> Option<u64> {
        self.plan.ok().and_then(most_people)
    }

    fn bounded(&self) -> Option<&BoundedPeople> {
        match self.looked {
            Looked::Read(findings) => findings.bounded.as_ref(),
            Looked::Unprepared(_) | Looked::Damaged(_) => None,
        }
    }

    /// Returns the smallest limit on a person's bins that leaves out as little as is allowed, if the present one leaves
    /// out more.
    pub fn wider_limit(&self) -> Option<WiderLimit> {
        let bounded = self.bounded()?;
        if !self.most_cut.is_exceeded_by(bounded.cut(), bounded.person_bins) {
            return None;
        }
        let limit = bounded.smallest_limit(|cut| self.most_cut.is_exceeded_by(cut, bounded.person_bins));
        // Where more than the limit leaves bins out, the most that a limit can do.
        let bins_per_person = limit.or_else(|| bounded.persons_by_bins.keys().next_back().copied())?;
        let counted = bounded.counted_with(bins_per_person);
        (counted > bounded.counted).then_some(WiderLimit { bins_per_person, counted })
    }
}

/// A limit on a person's bins that would leave out less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WiderLimit {
    pub bins_per_person: u64,
    /// So many of the bins that people are in would be counted.
    pub counted: u64,
}

impl CheckVerdict {
    /// Returns it in a word for machines.
    pub fn as_str(&self) -> &'static str {
        match self {
            CheckVerdict::Well => "well",
            CheckVerdict::Refused(_, _) => "refused",
            CheckVerdict::Damaged | CheckVerdict::TooManyLines { .. } => "damaged",
            CheckVerdict::NoPeople | CheckVerdict::Nobody => "nobody",
            CheckVerdict::Loses { .. } | CheckVerdict::LosesRows { .. } => "loses",
            CheckVerdict::HidesRows { .. } => "hides-rows",
            CheckVerdict::Misreads { .. } => "misreads",
            CheckVerdict::ShowsNothing => "shows-nothing",
            CheckVerdict::Cuts { .. } => "cuts",
        }
    }

    /// Returns what is said of it, without any value.
    pub fn words(&self) -> String {
        match self {
            CheckVerdict::Well => "a release would go well".into(),
            CheckVerdict::Refused(message, _) => format!("a release would be refused, and not charged: {message}"),
            CheckVerdict::Damaged => "a release would be charged and not delivered: the data cannot be read".into(),
            CheckVerdict::TooManyLines { most } => {
                format!(
                    "a release would be charged and not delivered: it would write more than {most} lines, one a person"
                )
            }
            CheckVerdict::NoPeople => {
                "a release would count nobody: nobody is in the data, or `where` leaves nobody".into()
            }
            CheckVerdict::Nobody => "a release would count nobody: everybody is lost".into(),
            CheckVerdict::Loses { share, allowed } => {
                format!("a release would lose {share} of the people, and {allowed} are allowed")
            }
            CheckVerdict::LosesRows { share, allowed } => format!(
                "a release would lose {share} of the rows, which cannot be read or do not say for how many people they stand, \
                 and {allowed} are allowed"
            ),
            CheckVerdict::HidesRows { share, allowed } => format!(
                "a release may lose {share} of the rows, which stand between quotes as if they were text, and {allowed} \
                 are allowed"
            ),
            CheckVerdict::Misreads { both } => {
                format!("a release may read {both} days as other days: the days tell two orders of day and month")
            }
            CheckVerdict::ShowsNothing => "a release would be charged and is expected to show nothing".into(),
            CheckVerdict::Cuts { share, allowed } => {
                format!(
                    "bins-per-person would leave out {share} of the bins that people are in, and {allowed} are allowed"
                )
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
            CheckVerdict::TooManyLines { .. } => {
                "is the column that `people` names a number of people? release = \"histogram\" writes one line for all"
                    .into()
            }
            CheckVerdict::Nobody | CheckVerdict::Loses { .. } | CheckVerdict::LosesRows { .. } => {
                "the page says who is lost and why; --most-lost allows more, such as --most-lost 20%".into()
            }
            CheckVerdict::HidesRows { .. } => {
                "the page says on which lines; --most-lost allows more, if text over several lines is meant".into()
            }
            CheckVerdict::Misreads { .. } => {
                "release the parts of the file that are written alike from files of their own, with `dates` for each".into()
            }
            CheckVerdict::ShowsNothing => {
                "fewer and larger bins, a larger epsilon or delta, or fewer bins per person; `incrowd plan` says from which \
                 size on bins show"
                    .into()
            }
            CheckVerdict::Cuts { .. } => {
                "the page says which limit leaves out less; --most-cut allows more, such as --most-cut 50%".into()
            }
        };
        Some((self.words(), hint))
    }
}
