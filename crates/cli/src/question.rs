//! The question before a release: what it spends, and a word where hardly anything is expected to be shown.
//!
//! Only somebody at a terminal is asked, and once; everybody else gets a note where there is something to note, and
//! goes on. It must never ask after the charge, nor decide what is expected, which the plan does. It is separate
//! because only `release` asks. Read `incrowd_release::session::Offer` for what is spent, `incrowd_plan`'s
//! `forecast/words.rs` for what is expected.

use crate::args::ReleaseCommand;
use crate::signals::StopRequest;
use crate::talk;
use incrowd_release::forecast::{CheckedOutlook, Outlook, PeopleNeeded};
use incrowd_release::like_counts::{LikeCounts, LikeError};
use incrowd_release::session::{Consent, Offer};
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

    /// Asks, with a note before it if hardly anything is expected to be shown, or if nothing is known and bins need
    /// many people. What is charged to a book that forgets is asked about only with such a note.
    pub fn ask(&self, offer: &Offer<'_>, checked: CheckedOutlook) -> Consent {
        let plan = offer.plan;
        let forecast = match self.like.as_ref().map(|like| like.forecast(plan)).transpose() {
            Ok(forecast) => forecast.map(|like| like.forecast),
            Err(error) => {
                *self.error.borrow_mut() = Some(error);
                return Consent::Refused;
            }
        };
        match (plan.outlook(forecast.as_ref(), checked), self.asked) {
            (_, Asked::Nobody) => Consent::Given,
            (Outlook::HardlyAnything(words), asked) => {
                talk::note("note:", &format!("hardly anything may be shown: {words}"));
                self.answered(offer, asked)
            }
            // Nobody is told here what `plan` says of every such release.
            (Outlook::Something | Outlook::Unknown { need: PeopleNeeded::Few, .. }, asked) => {
                if offer.is_charged_to_a_book_that_lasts() { self.answered(offer, asked) } else { Consent::Given }
            }
            (Outlook::Unknown { shows, need: PeopleNeeded::Many }, asked) => {
                talk::note(
                    "note:",
                    &format!(
                        "{shows}; whether any are so large is not known: `incrowd check` tells, and charges nothing"
                    ),
                );
                self.answered(offer, asked)
            }
        }
    }

    /// What somebody at a terminal answers; nobody else is asked.
    fn answered(&self, offer: &Offer<'_>, asked: Asked) -> Consent {
        match asked {
            Asked::Somebody => self.stop.while_asking(|| answer(offer)),
            Asked::Noted | Asked::Nobody => Consent::Given,
        }
    }

    /// Returns why nothing could be asked.
    pub fn error(&self) -> Option<LikeError> {
        self.error.borrow_mut().take()
    }
}

/// What somebody answers; whoever says nothing does not go on.
fn answer(offer: &Offer<'_>) -> Consent {
    talk::note("", &offer.words());
    let mut screen = anstream::stderr();
    let _ = write!(screen, "Go on? [y/N] ");
    let _ = screen.flush();
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(_) if ["y", "yes"].contains(&line.trim().to_lowercase().as_str()) => Consent::Given,
        Ok(_) | Err(_) => Consent::Refused,
    }
}
