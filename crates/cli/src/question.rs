//! The question before a release that is expected to show nothing, or of which nothing is known.
//!
//! Only somebody at a terminal is asked; everybody else gets a note and goes on. It must never ask after the charge,
//! nor decide what is expected, which the plan does. It is separate because only `release` asks. Read `incrowd_plan`'s
//! `forecast/words.rs` for when it is worth asking.

use crate::args::ReleaseCommand;
use crate::signals::StopRequest;
use crate::talk;
use incrowd_release::forecast::{CheckedOutlook, Outlook, PeopleNeeded};
use incrowd_release::like_counts::{LikeCounts, LikeError};
use incrowd_release::plan::Plan;
use incrowd_release::session::Consent;
use std::cell::RefCell;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;

/// Who is asked, and what is known before.
pub struct Question {
    like: Option<LikeCounts>,
    asked: Asked,
    stop: Arc<StopRequest>,
    error: RefCell<Option<LikeError>>,
}

/// Who is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Somebody at a terminal.
    Somebody,
    /// Nobody, but it is noted.
    Noted,
    /// Nobody, and nothing is said.
    Nobody,
}

impl Question {
    /// Returns whom to ask about a release.
    pub fn of(command: &ReleaseCommand, like: Option<LikeCounts>, stop: Arc<StopRequest>) -> Self {
        // Machines are not asked, wherever they sit.
        let terminal = !talk::is_for_machines() && std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        // Rehearsals and draws from a known seed cost nothing.
        let asked = match (command.rehearse || command.test_seed.is_some(), command.yes, terminal, command.quiet) {
            (true, _, _, _) => Asked::Nobody,
            (false, false, true, _) => Asked::Somebody,
            (false, _, _, true) => Asked::Nobody,
            (false, true, _, false) | (false, false, false, false) => Asked::Noted,
        };
        Question { like, asked, stop, error: RefCell::new(None) }
    }

    /// Whether there is anything to find out before the charge.
    pub fn is_worth_asking(&self) -> bool {
        self.asked != Asked::Nobody || self.like.is_some()
    }

    /// Asks, if hardly anything is expected to be shown, or if nothing is known and bins need many people.
    pub fn ask(&self, plan: &Plan, checked: CheckedOutlook) -> Consent {
        let forecast = match self.like.as_ref().map(|like| like.forecast(plan)).transpose() {
            Ok(forecast) => forecast.map(|like| like.forecast),
            Err(error) => {
                *self.error.borrow_mut() = Some(error);
                return Consent::Refused;
            }
        };
        match (plan.outlook(forecast.as_ref(), checked), self.asked) {
            (Outlook::Something, _) | (_, Asked::Nobody) => Consent::Given,
            (Outlook::HardlyAnything(words), asked) => {
                talk::note("note:", &format!("hardly anything may be shown: {words}"));
                self.answered(plan, asked)
            }
            // Nobody who need not answer is told what `plan` says of every such release.
            (Outlook::Unknown { need: PeopleNeeded::Few, .. }, _) => Consent::Given,
            (Outlook::Unknown { shows, need: PeopleNeeded::Many }, asked) => {
                talk::note(
                    "note:",
                    &format!(
                        "{shows}; whether any are so large is not known: `incrowd check` tells, and charges nothing"
                    ),
                );
                self.answered(plan, asked)
            }
        }
    }

    /// What somebody at a terminal answers; nobody else is asked.
    fn answered(&self, plan: &Plan, asked: Asked) -> Consent {
        match asked {
            Asked::Somebody => self.stop.while_asking(|| answer(plan)),
            Asked::Noted | Asked::Nobody => Consent::Given,
        }
    }

    /// Returns why nothing could be asked.
    pub fn error(&self) -> Option<LikeError> {
        self.error.borrow_mut().take()
    }
}

/// What somebody answers; whoever says nothing does not go on.
fn answer(plan: &Plan) -> Consent {
    let cost = plan.cost();
    let delta = incrowd_exact::rare_rounding_up(&cost.delta);
    let mut screen = anstream::stderr();
    let _ = write!(screen, "Go on, and pay epsilon {}, delta {delta}? [y/N] ", cost.epsilon);
    let _ = screen.flush();
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(_) if ["y", "yes"].contains(&line.trim().to_lowercase().as_str()) => Consent::Given,
        Ok(_) | Err(_) => Consent::Refused,
    }
}
