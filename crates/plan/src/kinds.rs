//! The kinds of release, planned: the one place of this crate that tells them apart.
//!
//! Each kind says how its mechanism is settled, what it costs, what is proved, what is said and what a row of its
//! table may be; it must never leave one of these to a default. It is separate because everything else in a plan is
//! the same for all kinds. Read `kinds/counts.rs` next, then the other kinds; a new one is a file beside them and its
//! lines here.

mod chosen;
mod counts;
mod points;
mod rows;

pub use chosen::{ChosenPlan, Lead};
pub use counts::CountsPlan;
pub use points::{Boxes, PointsPlan, lattice, width};
pub use rows::RowsPlan;

use crate::refusal::Refusal;
use crate::request::{self, Axis, MechanismRequest, Request};
use crate::settle::{Settled, SettledRequest, Terms};
use incrowd_exact::Rational;
use incrowd_privacy::{Curve, Deployed, Epsilon, Mechanism};
use serde_json::Value;

/// What a plan decides about its kind of release, beside the mechanism.
#[derive(Debug, Clone)]
pub enum KindPlan {
    /// Counts of bins, once or period after period.
    Counts(CountsPlan),
    /// The most frequent items.
    Chosen(Box<ChosenPlan>),
    /// Generalised rows.
    Rows(RowsPlan),
    /// Noisy points.
    Points(PointsPlan),
}

/// The names of the main tables, without their endings.
pub const TABLES: [&str; 3] = [counts::TABLE, rows::TABLE, points::TABLE];

/// The fields of a plan for machines that only some kinds have: null in the plans of all others.
pub(crate) const FIELDS: [&str; 2] = [chosen::FIELD, points::FIELD];

/// What a kind says before anything is settled.
trait AskedKind {
    /// Returns what its mechanism is settled from; refuses another mechanism where it has none to choose.
    fn terms(&self, request: &Request, instead: Option<&MechanismRequest>) -> Result<Terms, Refusal>;

    /// Decides the rest; refuses what the promise does not cover.
    fn planned(&self, request: &Request, settled: &Settled, promised: &Curve) -> Result<KindPlan, Refusal>;

    /// Whether its law is that of its bins, so that something is known of it on a sample.
    fn is_known_on_samples(&self) -> bool;

    /// Returns what is published about people, in words that stand above a table.
    fn people_words(&self) -> &'static str;

    /// Returns what holds between the laws with and without a person, in words.
    fn relation_words(&self) -> &'static str;
}

/// What a kind says once everything is decided.
pub(crate) trait PlannedKind {
    /// Returns "People by" and the names that come after it.
    fn title(&self) -> (String, Vec<String>);

    /// Returns which bins there are.
    fn universe_words(&self, plan: &SettledRequest<'_>) -> String;

    /// Returns which periods this is about, and what they cost together; nothing where there is no time.
    fn period_words(&self) -> Option<String>;

    /// Returns the lines that only this kind has in a plan, under its name.
    fn own_words(&self, plan: &SettledRequest<'_>) -> Vec<String>;

    /// Returns the same for machines: a field and its value; nothing where there is nothing to say.
    fn own_json(&self, plan: &SettledRequest<'_>) -> Option<(&'static str, Value)>;

    /// Returns the parameters of what follows the mechanism, for certificates.
    fn further_steps(&self) -> Option<Value>;

    /// Returns what a reader might believe of this kind alone, and must not.
    fn caveat(&self) -> Option<&'static str>;

    /// Returns columns whose values and names become public with the request, word for word.
    fn published_names(&self) -> Vec<(&str, &[(String, String)])>;

    /// Returns what is proved about this kind, and where; nothing where that is the mechanism's own theorem.
    fn theorem(&self) -> Option<(&'static str, &'static str)>;

    /// Returns what the theorem takes for granted.
    fn theorem_assumptions(&self, deployed: &Deployed) -> Vec<&'static str>;

    /// Returns the epsilon that the theorem is about, and its delta.
    fn theorem_cost(&self, plan: &SettledRequest<'_>) -> (Epsilon, Rational);

    /// Returns what a person is charged for one period.
    fn spent(&self, promised: &Curve) -> Epsilon;

    /// Returns what shows or is hidden by the number of its people, in words.
    fn shown_thing(&self) -> ShownThing;

    /// Returns what a published value is read by.
    fn shown_by<'p>(&'p self, settled: &'p Settled) -> &'p Deployed;

    /// Whether the law that was settled is all that runs.
    fn is_one_law(&self) -> bool;

    /// Whether the error of one bin says how useful the release is.
    fn is_judged_by_bins(&self) -> bool;

    /// Returns the name of the main table, without its ending.
    fn table(&self) -> &'static str;

    /// Returns what a row of the main table stands for.
    fn rows(&self) -> TableRows<'_>;

    /// Returns what the keys of rows must be, one after another, beyond being declared and in order.
    fn row_check(&self) -> Box<dyn RowCheck + '_>;
}

/// What a kind of release shows or hides, in words.
pub(crate) struct ShownThing {
    /// "cell" and "cells", as people ask about them.
    pub asked_as: [&'static str; 2],
    /// "bins".
    pub things: &'static str,
    /// What they do: "show".
    pub show: &'static str,
    /// What becomes of them: "shown".
    pub shown: &'static str,
    /// So many of them are published at most, where that is less than all that are shown.
    pub at_most: Option<u64>,
}

/// What a row of the main table stands for.
#[derive(Clone, Copy)]
pub enum TableRows<'p> {
    /// A bin, with what the mechanism shows of it.
    Bins,
    /// An item that was chosen, with its count or without.
    Items(ItemCounts),
    /// A person: keys and nothing else, equal rows next to each other.
    People(&'p dyn PeopleTable),
}

/// Whether chosen items are published with their counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemCounts {
    /// Each with its own.
    Published,
    /// No count at all.
    Hidden,
}

/// What is said about a table with a row for each person.
pub trait PeopleTable {
    /// Returns what was done to make rows of what the mechanism let pass.
    fn step_words(&self) -> &'static str;

    /// Returns the axes of a map on which published rows are counted; nothing where there is none to draw.
    fn map(&self) -> Option<&[Axis]>;

    /// Returns what a verifier says of a table that is as the plan allows.
    fn checked_words(&self, seen: &SeenRows) -> String;

    /// Returns what the report says of the table.
    fn report(&self, seen: &SeenRows) -> PeopleReport;
}

/// What was seen of a table with a row for each person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenRows {
    /// How many rows there are.
    pub rows: u64,
    /// How many different ones.
    pub kinds: u64,
    /// How many lie outside of a map.
    pub outside: u64,
}

/// What a report says of a table with a row for each person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleReport {
    /// What the file holds.
    pub holds: String,
    /// What it means that something is missing.
    pub missing: &'static str,
    /// How many different rows are listed at most.
    pub listed: usize,
    /// What stands above the list.
    pub above_list: String,
}

/// What the keys of rows must be, one after another.
pub trait RowCheck {
    /// Refuses a row that may not be at this place, counted from 0; of equal rows of people only the first is asked.
    fn row(&mut self, place: u64, keys: &[Option<String>]) -> Result<(), &'static str>;

    /// Refuses so many equal rows of people.
    fn alike(&mut self, people: u64) -> Result<(), String>;

    /// Refuses so many rows in all.
    fn end(&mut self, rows: u64) -> Result<(), String>;
}

/// Nothing beyond what bins and their order say.
struct AnyRow;

impl RowCheck for AnyRow {
    fn row(&mut self, _place: u64, _keys: &[Option<String>]) -> Result<(), &'static str> {
        Ok(())
    }

    fn alike(&mut self, _people: u64) -> Result<(), String> {
        Ok(())
    }

    fn end(&mut self, _rows: u64) -> Result<(), String> {
        Ok(())
    }
}

fn asked(kind: &request::Kind) -> &dyn AskedKind {
    match kind {
        request::Kind::Counts(counts) => counts,
        request::Kind::Chosen(chosen) => chosen,
        request::Kind::Rows(rows) => rows,
        request::Kind::Points(points) => points,
    }
}

/// Returns the mechanism of a request; the one given instead of the request's own if there is one.
pub fn settled(request: &Request, instead: Option<&MechanismRequest>) -> Result<Settled, Refusal> {
    Settled::of(request, asked(&request.kind).terms(request, instead)?)
}

/// Whether something is known of this kind of release on a sample.
pub(crate) fn is_known_on_samples(kind: &request::Kind) -> bool {
    asked(kind).is_known_on_samples()
}

/// Returns what is published about people: "Counts of people".
pub fn people_words(kind: &request::Kind) -> &'static str {
    asked(kind).people_words()
}

/// Returns what holds between the laws with and without a person, in words.
pub fn relation_words(kind: &request::Kind) -> &'static str {
    asked(kind).relation_words()
}

impl KindPlan {
    pub(crate) fn of(request: &Request, settled: &Settled, promised: &Curve) -> Result<KindPlan, Refusal> {
        asked(&request.kind).planned(request, settled, promised)
    }

    pub(crate) fn planned(&self) -> &dyn PlannedKind {
        match self {
            KindPlan::Counts(counts) => counts,
            KindPlan::Chosen(chosen) => chosen.as_ref(),
            KindPlan::Rows(rows) => rows,
            KindPlan::Points(points) => points,
        }
    }

    pub(crate) fn theorem(&self) -> Option<(&'static str, &'static str)> {
        self.planned().theorem()
    }

    pub(crate) fn spent(&self, promised: &Curve) -> Epsilon {
        self.planned().spent(promised)
    }

    pub(crate) fn is_one_law(&self) -> bool {
        self.planned().is_one_law()
    }

    pub(crate) fn title(&self) -> (String, Vec<String>) {
        self.planned().title()
    }

    pub(crate) fn caveat(&self) -> Option<&'static str> {
        self.planned().caveat()
    }

    pub(crate) fn published_names(&self) -> Vec<(&str, &[(String, String)])> {
        self.planned().published_names()
    }

    /// Whether some things are published by their names alone, whoever is in them.
    pub(crate) fn has_public_list(&self) -> bool {
        match self {
            KindPlan::Chosen(chosen) => !chosen.always().is_empty(),
            KindPlan::Counts(_) | KindPlan::Rows(_) | KindPlan::Points(_) => false,
        }
    }

    /// Returns which periods this is about, and what they cost together; nothing where there is no time.
    pub fn period_words(&self) -> Option<String> {
        self.planned().period_words()
    }

    /// Returns the parameters of what follows the mechanism, for certificates.
    pub fn further_steps(&self) -> Option<Value> {
        self.planned().further_steps()
    }

    /// Whether the error of one bin says how useful the release is.
    pub fn is_judged_by_bins(&self) -> bool {
        self.planned().is_judged_by_bins()
    }

    /// Returns the name of the main table, without its ending.
    pub fn table(&self) -> &'static str {
        self.planned().table()
    }

    /// Returns what a row of the main table stands for.
    pub fn rows(&self) -> TableRows<'_> {
        self.planned().rows()
    }

    /// Returns what the keys of rows must be, one after another, beyond being declared and in order.
    pub fn row_check(&self) -> Box<dyn RowCheck + '_> {
        self.planned().row_check()
    }
}

/// Refuses to choose a mechanism for a kind that has none to choose.
fn no_choice(request: &Request, instead: Option<&MechanismRequest>) -> Result<(), Refusal> {
    match instead {
        None => Ok(()),
        Some(_) => Err(Refusal::NotAHistogram { release: request.kind.name() }),
    }
}

/// Returns the delta that was asked for a person.
fn asked_delta(request: &Request) -> Rational {
    request.promise.delta.clone().unwrap_or(Rational::ZERO)
}

/// Returns the smallest number of people of whom rows or points are published; no other mechanism publishes any, so
/// that of anything else nothing would be.
fn crowd(mechanism: &Mechanism) -> u64 {
    match mechanism {
        Mechanism::SuppressBelow { crowd } => *crowd,
        Mechanism::TailoredGeometric { .. }
        | Mechanism::Relay { .. }
        | Mechanism::NoiseBelow { .. }
        | Mechanism::SuppressUpTo { .. }
        | Mechanism::NoiseUpTo { .. }
        | Mechanism::Geometric { .. }
        | Mechanism::GroupGeometric { .. }
        | Mechanism::NoisySuppress { .. }
        | Mechanism::NoisyNoise { .. }
        | Mechanism::Staircase { .. }
        | Mechanism::General { .. }
        | Mechanism::Fading { .. }
        | Mechanism::Threshold { .. }
        | Mechanism::Range { .. } => u64::MAX,
    }
}
