//! Data looked at as a release would read it, before anything is paid for: for the steward's eyes alone.
//!
//! The same files, scan, plan of a row, cuts and choice of a person's bins as in a release; what comes out are true
//! sizes and values without any protection. It must never become part of the contract between a release and its
//! engine, or be handed to anything that publishes: `check` is its only caller, which a test looks for. It is
//! separate for that reason. Read `check/examine.rs` for what becomes of a row, `check/beginning.rs` and
//! `check/diagnosis.rs` for files that cannot be read, `check/proposals.rs` for the fixes.

mod advice;
mod beginning;
mod damage;
mod damaged_letters;
mod day_orders;
mod diagnosis;
mod examine;
mod findings;
mod formulas;
mod letters;
mod locate;
mod nothing;
mod opened_text;
mod outside;
mod packed;
mod persons;
mod proposals;
mod read_steps;
mod reasons;
mod records;
mod rows;
mod rows_in_quotes;
mod sizes;
mod tally;
mod trial;
mod words;

pub use advice::{Advice, Change, Helped};
pub use damage::{Damage, DamageKind};
pub use day_orders::DayOrders;
pub use findings::{
    BoundedPeople, Findings, LossCause, NoFindings, Outside, OutsideValue, PeopleLost, RowsInQuotes, Spot, SpotInFile,
    UnreadColumn, UnreadValue, WordForNothing,
};
pub use sizes::GroupOfCell;

use crate::counting::open;
use crate::engine::DataFusionEngine;
use crate::ready::Ready;
use crate::source::Format;
use datafusion_common::DataFusionError;
use examine::Examiner;
use incrowd_engine::written::TextReading;
use incrowd_engine::{Dialect, InputSize, Participants, PrepareError, Query, Unit, Unwatched, Watch};
use persons::{SeenPersons, of_persons};
use proposals::{Trouble, advise};
use reasons::{reason, wanted_words};
use rows::{Seen, of_rows};
use std::collections::BTreeMap;
use std::sync::Arc;
use trial::Target;

impl DataFusionEngine {
    /// Prepares a look at what a release of a query would read. Where a release could not be prepared, its reason comes
    /// with what is wrong with the files, as far as their beginnings tell.
    pub fn check(&self, query: &Query) -> Result<DataCheck, Unprepared> {
        let engine = self.clone().reading_twice();
        match engine.ready(query) {
            Ok(ready) => Ok(DataCheck::of(&engine, ready)),
            Err(problem) => Err(Unprepared { problem, damage: beginning::before_reading(&engine, query) }),
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
pub struct DataCheck {
    engine: DataFusionEngine,
    /// Its files deliver texts as they are written.
    ready: Ready,
    /// How the texts of columns are read.
    texts: BTreeMap<String, TextReading>,
    /// Where several cells make a group.
    groups: Option<GroupOfCell>,
}

/// What a first pass over all rows has shown.
struct FirstPass {
    examiner: Examiner,
    seen: Seen,
    people: u64,
    bounded: Option<BoundedPeople>,
}

impl DataCheck {
    fn of(engine: &DataFusionEngine, mut ready: Ready) -> DataCheck {
        let texts = match ready.files.format {
            // Its numbers are no texts, which only the scan can tell: there, what a dialect cannot read is missing.
            Format::Json => BTreeMap::new(),
            _ => std::mem::take(&mut ready.files.texts),
        };
        DataCheck { engine: engine.clone(), ready, texts, groups: None }
    }

    /// From here on sizes are those of groups of declared cells.
    pub fn in_groups(mut self, groups: Option<GroupOfCell>) -> DataCheck {
        self.groups = groups;
        self
    }

    /// Returns how much there is to read.
    pub fn input(&self) -> InputSize {
        InputSize { bytes: self.ready.files.bytes() }
    }

    /// Returns what a release would read, count and lose: true sizes and values, which only the steward may see.
    pub fn reveal_findings(self, watch: Arc<dyn Watch>) -> Result<Findings, NoFindings> {
        let FirstPass { examiner, seen, people, bounded } = match self.first_pass(&watch) {
            Ok(pass) => pass,
            Err(_) if watch.is_cancelled() => return Err(NoFindings::Stopped),
            Err(_) => return Err(NoFindings::Damaged(self.damage())),
        };
        let words_for_nothing = seen.nothing.all().map(|(dimension, word, people)| WordForNothing {
            bin: examiner.query.dimensions.get(dimension).map(|one| one.name.clone()).unwrap_or_default(),
            word: word.to_owned(),
            people,
        });
        let words_for_nothing: Vec<WordForNothing> = words_for_nothing.collect();
        let trouble = Trouble {
            query: &examiner.query,
            steps: &examiner.steps,
            tally: &seen.tally,
            words_for_nothing: &words_for_nothing,
        };
        let mut advice = advise(&trouble, &|query| self.unread_in(query));
        let rows_in_quotes = rows_in_quotes::rows_in_quotes(&self.ready.files);
        let dialect = &self.ready.query.source.dialect;
        advice.extend(rows_in_quotes::advised(&rows_in_quotes, dialect, &|dialect| self.reads_in(dialect)));
        let day_orders = day_orders::day_orders(&trouble, &|query| self.unread_in(query));
        let bad_rows = diagnosis::bad_rows(&self.ready.files);
        let causes = examiner.causes.all().into_iter().zip(seen.tally.lost.iter().copied());
        let no_group = (LossCause::NoGroup, seen.in_no_group);
        let losses = [(LossCause::BadRow, bad_rows)]
            .into_iter()
            .chain(causes)
            .chain([no_group])
            .filter(|(_, people)| *people > 0);
        Ok(Findings {
            rows: seen.tally.rows,
            filtered: seen.tally.filtered,
            bad_rows,
            people: people.saturating_add(bad_rows),
            losses: losses.map(|(cause, people)| PeopleLost { cause, people }).collect(),
            unread: self.unread_columns(&examiner, &seen),
            outside: outside::of_dimensions(&examiner.query, &seen.tally),
            words_for_nothing,
            day_orders,
            rows_in_quotes,
            uncomputed: formulas::uncomputed(&self.ready.files),
            bounded,
            bins_by_size: seen.bins_by_size,
            advice,
        })
    }

    fn first_pass(&self, watch: &Arc<dyn Watch>) -> Result<FirstPass, DataFusionError> {
        let opened = open(&self.ready, &Participants::Everybody, watch)?;
        let mut examiner = Examiner::of(&self.ready.query, &opened.delivered, &self.texts)?;
        examiner.groups.clone_from(&self.groups);
        let context = Arc::clone(&self.ready.context);
        Ok(match self.ready.query.unit {
            Unit::Row | Unit::People { .. } => {
                let seen = of_rows(opened, examiner.clone(), context)?;
                let people = seen.tally.lost.iter().fold(seen.tally.counted, |sum, lost| sum.saturating_add(*lost));
                FirstPass { examiner, seen, people, bounded: None }
            }
            Unit::Person { .. } => {
                let SeenPersons { seen, people, bounded } = of_persons(opened, examiner.clone(), context)?;
                FirstPass { examiner, seen, people, bounded: Some(bounded) }
            }
        })
    }

    /// Returns what is wrong with files that cannot be read to their ends. What is advised was tried.
    fn damage(&self) -> Vec<Damage> {
        diagnosis::of_files(&self.ready, &|dialect| self.reads_in(dialect))
    }

    /// Returns whether the data can be read to its end in a dialect.
    fn reads_in(&self, dialect: Dialect) -> bool {
        let mut query = self.ready.query.clone();
        query.source.dialect = dialect;
        self.unread_in(&query).is_some()
    }

    /// Returns how many values cannot be read by another query; nothing if it cannot be asked.
    fn unread_in(&self, query: &Query) -> Option<u64> {
        // The same files: what has no name cannot be looked for again.
        let files = self.ready.files.in_dialect(&query.source.dialect);
        let check = DataCheck::of(&self.engine, self.engine.ready_for(query, files).ok()?);
        let watch: Arc<dyn Watch> = Arc::new(Unwatched);
        let pass = check.first_pass(&watch).ok()?;
        Some(pass.seen.tally.unread.iter().map(|words| words.rows()).sum())
    }

    /// Returns the columns with values that cannot be read, and where the first of them stand.
    fn unread_columns(&self, examiner: &Examiner, seen: &Seen) -> Vec<UnreadColumn> {
        let rows: Vec<u64> = seen.tally.unread.iter().map(|words| words.rows()).collect();
        let found = locate::first_unread(&self.ready, &self.texts, &rows);
        let source = &examiner.query.source;
        let columns = examiner.steps.iter().zip(rows).zip(found).filter(|((_, rows), _)| *rows > 0);
        let columns = columns.map(|((step, rows), found)| {
            let why = |value: &str| match step.target().filter(|_| step.is_of_texts) {
                Some(kind) => reason(value, Target { kind, timezone: &source.timezone }, &source.dialect),
                None => format!("it is not {}", wanted_words(step)),
            };
            let first = found.into_iter().map(|located| UnreadValue {
                spot: located.spot(&self.ready.files),
                reason: why(&located.value),
                value: located.value,
            });
            UnreadColumn { column: step.column.clone(), wanted: wanted_words(step), rows, first: first.collect() }
        });
        columns.collect()
    }
}
