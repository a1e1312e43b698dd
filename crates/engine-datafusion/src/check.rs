//! Data looked at as a release would read it, before anything is paid for: for the steward's eyes alone.
//!
//! The same files, scan, plan of a row, cuts and choice of a person's bins as in a release; what comes out are true
//! sizes and values without any protection. It must never become part of the contract between a release and its engine,
//! or be handed to anything that publishes: `check` is its only caller, which a test looks for. It is separate for that
//! reason. Read `check/examine.rs` for what becomes of a row, `check/damage.rs` for files that cannot be read,
//! `check/advice.rs` for the fixes.

mod advice;
mod damage;
mod diagnosis;
mod examine;
mod findings;
mod locate;
mod nothing;
mod outside;
mod persons;
mod read_steps;
mod records;
mod rows;
mod tally;
mod words;

pub use advice::{Advice, Change, Helped};
pub use damage::{Damage, DamageKind};
pub use findings::{
    BoundedPeople, Findings, Loss, LossCause, NoFindings, Outside, OutsideValue, Spot, SpotInFile, UnreadColumn,
    UnreadValue, WordForNothing,
};

use crate::counting::open;
use crate::engine::DataFusionEngine;
use crate::ready::Ready;
use datafusion_common::DataFusionError;
use examine::Examiner;
use incrowd_engine::{InputSize, Participants, PrepareError, Query, Unit, Watch};
use persons::{SeenPersons, of_persons};
use rows::{Seen, of_rows};
use std::sync::Arc;

impl DataFusionEngine {
    /// Prepares a look at what a release of a query would read. Where a release could not be prepared, its reason comes
    /// with what is wrong with the files, as far as their beginnings tell.
    pub fn check(&self, query: &Query) -> Result<Check, Unprepared> {
        match self.ready(query) {
            Ok(ready) => Ok(Check { engine: self.clone(), ready }),
            Err(problem) => {
                let damage = diagnosis::before_reading(self, query);
                Err(Unprepared { problem, damage })
            }
        }
    }
}

/// Why a release could not be prepared. What is wrong with files may quote them.
pub struct Unprepared {
    /// What a release would say.
    pub problem: PrepareError,
    /// What is wrong with the files.
    pub damage: Vec<Damage>,
}

/// A look at data that was prepared.
pub struct Check {
    engine: DataFusionEngine,
    ready: Ready,
}

/// What a first pass over all rows has shown.
struct FirstPass {
    examiner: Examiner,
    seen: Seen,
    people: u64,
    bounded: Option<BoundedPeople>,
}

impl Check {
    /// Returns how much there is to read.
    pub fn input(&self) -> InputSize {
        InputSize { bytes: Some(self.ready.files.bytes()) }
    }

    /// Returns what a release would read, count and lose: true sizes and values, which only the steward may see.
    pub fn reveal_findings(self, watch: Arc<dyn Watch>) -> Result<Findings, NoFindings> {
        let pass = match first_pass(&self.ready, &watch) {
            Ok(pass) => pass,
            Err(_) if watch.is_cancelled() => return Err(NoFindings::Stopped),
            Err(_) => return Err(NoFindings::Damaged(diagnosis::of_files(&self.engine, &self.ready, &watch))),
        };
        let FirstPass { examiner, seen, people, bounded } = pass;
        let unread = locate::unread_columns(&self.ready, &examiner, &seen.tally);
        let outside = outside::of_dimensions(&examiner.query, &seen.tally);
        let words_for_nothing = seen.nothing.all().map(|(dimension, word, people)| WordForNothing {
            bin: examiner.query.dimensions.get(dimension).map(|one| one.name.clone()).unwrap_or_default(),
            word: word.to_owned(),
            people,
        });
        let words_for_nothing: Vec<WordForNothing> = words_for_nothing.collect();
        let losses = examiner.causes.all().into_iter().zip(&seen.tally.lost).filter(|(_, people)| **people > 0);
        let losses = losses.map(|(cause, people)| Loss { cause, people: *people }).collect();
        Ok(Findings {
            rows: seen.tally.rows,
            filtered: seen.tally.filtered,
            bad_rows: 0,
            people,
            losses,
            unread,
            outside,
            words_for_nothing,
            bounded,
            bins_by_size: seen.bins_by_size,
            advice: Vec::new(),
        })
    }
}

fn first_pass(ready: &Ready, watch: &Arc<dyn Watch>) -> Result<FirstPass, DataFusionError> {
    let opened = open(ready, &Participants::Everybody, watch)?;
    let examiner = Examiner::of(&ready.query, &opened.delivered)?;
    let context = Arc::clone(&ready.context);
    Ok(match ready.query.unit {
        Unit::Row | Unit::People { .. } => {
            let seen = of_rows(opened, examiner.clone(), context)?;
            let lost = seen.tally.lost.iter().fold(seen.tally.counted, |sum, lost| sum.saturating_add(*lost));
            FirstPass { examiner, seen, people: lost, bounded: None }
        }
        Unit::Person { .. } => {
            let SeenPersons { seen, people, bounded } = of_persons(opened, examiner.clone(), context)?;
            FirstPass { examiner, seen, people, bounded: Some(bounded) }
        }
    })
}
