//! The kinds of release: the one place of this crate that tells them apart.
//!
//! A kind is one value with all that only it has; it must never accept a section of another kind, where it would be
//! ignored. It is separate because every kind tells the same story otherwise. Read `kinds/counts.rs` next, then the
//! other kinds; a new one is a file beside them and its lines here.

mod chosen;
mod counts;
mod points;
mod rows;

pub use chosen::Chosen;
pub use counts::{Counts, Mode, PeopleInPeriods, Series, Span};
pub use points::{Axis, Points};
pub use rows::{Column, Generalisation, NoHierarchy, Rows};

use crate::error::RequestError;
use crate::fields::{Fields, Item};
use crate::key_column::KeyColumn;
use crate::keys::{Key, Shape};
use crate::parts_node::Written;
use crate::promise::PromiseRequest;
use incrowd_definition::{Dimension, Items};
use serde_json::Value;

/// What is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Counts of bins, once or period after period.
    Counts(Counts),
    /// The most frequent items.
    Chosen(Chosen),
    /// Generalised rows.
    Rows(Rows),
    /// Noisy points.
    Points(Points),
}

/// The names in a request, with what each of them needs.
static NAMES: [&KindName; 5] = [&counts::HISTOGRAM, &rows::ROWS, &points::POINTS, &chosen::TOP, &counts::SERIES];

/// The keys of a request that only some kinds have.
pub(crate) const KEYS: [Key; 4] = [rows::KEY, points::KEY, counts::KEY, chosen::KEY];

/// The key that names the kind.
pub(crate) const RELEASE: Key = Key::optional(
    "release",
    Shape::Choice(|| NAMES.iter().map(|kind| kind.name).collect()),
    "What is published: counts per bin (`histogram`), generalised rows (`rows`), noisy points (`points`), \
        the most frequent items (`top`), or counts per period (`series`). Default: histogram.",
);

/// A name under which a kind is asked for.
pub(crate) struct KindName {
    name: &'static str,
    /// The keys of the request that go with it, of those that do not go with every kind.
    sections: &'static [&'static str],
    read: fn(&Asked<'_>) -> Result<Kind, RequestError>,
    /// Puts the canonical form back to where a steward writes it; nothing for another form.
    write: for<'a> fn(&'a Value, &mut Written<'a>) -> Option<()>,
}

impl KindName {
    /// Returns the kind of this name.
    pub(crate) fn of(name: &str) -> Option<&'static KindName> {
        NAMES.into_iter().find(|kind| kind.name == name)
    }

    /// Whether this key of a request goes with it.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.sections.contains(&key)
    }

    /// Puts a canonical form back to where a steward writes it; nothing for the form of another kind.
    pub(crate) fn write<'a>(&self, canonical: &'a Value, written: &mut Written<'a>) -> Option<()> {
        (self.write)(canonical, written)
    }
}

/// What a kind says of itself; a new kind answers every question.
trait KindOfRelease {
    /// Returns the name in a request.
    fn name(&self) -> &'static str;

    /// Returns the bins that the request itself writes; time, ranks and sides of pairs are not among them.
    fn written(&self) -> &[Dimension];

    /// Takes the bins that the request writes; refuses those that do not suit this kind.
    fn take_bins(&mut self, bins: Vec<Dimension>, fields: &Fields<'_>) -> Result<(), RequestError>;

    /// Returns the columns of the published table that say what a row is of, in order.
    fn published(&self) -> Vec<KeyColumn<'_>>;

    /// Returns the canonical form of what only this kind has. Nothing but a histogram may be null: the ledger takes
    /// null for counts of bins, and every other form that it does not know for another kind.
    fn canonical(&self, names: Names) -> Value;

    /// Adds to the canonical form what only this run is about: no part of the bounding key, so that nobody moves from
    /// run to run.
    fn add_run(&self, canonical: &mut Value);

    /// Refuses a promise that this kind cannot be about.
    fn check_promise(&self, request: &PromiseRequest, promise: &Fields<'_>) -> Result<(), RequestError>;

    /// Whether counts of bins are published, by a mechanism that the request may choose.
    fn takes_a_mechanism(&self) -> bool;

    /// Whether pairs of a person's items may be counted.
    fn may_count_pairs(&self) -> bool;
}

/// Whether headings, which do not change what is counted, are part of a definition.
#[derive(Clone, Copy)]
pub(crate) enum Names {
    Kept,
    Dropped,
}

impl Kind {
    fn questions(&self) -> &dyn KindOfRelease {
        match self {
            Kind::Counts(counts) => counts,
            Kind::Chosen(chosen) => chosen,
            Kind::Rows(rows) => rows,
            Kind::Points(points) => points,
        }
    }

    fn questions_mut(&mut self) -> &mut dyn KindOfRelease {
        match self {
            Kind::Counts(counts) => counts,
            Kind::Chosen(chosen) => chosen,
            Kind::Rows(rows) => rows,
            Kind::Points(points) => points,
        }
    }

    /// Returns the name in a request.
    pub fn name(&self) -> &'static str {
        self.questions().name()
    }

    /// Returns the columns of the published table that say what a row is of, in order; none where a request has no
    /// bins.
    pub fn published(&self) -> Vec<KeyColumn<'_>> {
        self.questions().published()
    }

    /// Returns the bin of the request that a counted dimension with this heading comes of: of pairs both sides do. Time,
    /// columns of rows and axes of points are no bins.
    pub fn bin_of(&self, heading: &str) -> Option<&Dimension> {
        self.written().iter().find(|bin| bin.sides().iter().any(|side| side.name == heading))
    }

    /// Returns the periods, where counts go on over time.
    pub fn series(&self) -> Option<&Series> {
        match self {
            Kind::Counts(counts) => counts.time.as_ref(),
            Kind::Chosen(_) | Kind::Rows(_) | Kind::Points(_) => None,
        }
    }

    /// Makes a series begin after a period that was released before; says whether any is left.
    pub(crate) fn continue_after(&mut self, last: i64) -> bool {
        match self {
            Kind::Counts(counts) => counts.continue_after(last),
            Kind::Chosen(_) | Kind::Rows(_) | Kind::Points(_) => true,
        }
    }

    /// Returns the columns whose rules may stand in public files.
    pub(crate) fn rows_mut(&mut self) -> Option<&mut Rows> {
        match self {
            Kind::Rows(rows) => Some(rows),
            Kind::Counts(_) | Kind::Chosen(_) | Kind::Points(_) => None,
        }
    }

    /// Whether counts of bins are published, by a mechanism that the request may choose.
    pub fn takes_a_mechanism(&self) -> bool {
        self.questions().takes_a_mechanism()
    }

    /// Whether pairs of a person's items are counted.
    pub fn counts_pairs(&self) -> bool {
        self.written().iter().any(|bin| bin.items == Items::Pairs)
    }

    pub(crate) fn may_count_pairs(&self) -> bool {
        self.questions().may_count_pairs()
    }

    pub(crate) fn written(&self) -> &[Dimension] {
        self.questions().written()
    }

    pub(crate) fn take_bins(&mut self, bins: Vec<Dimension>, fields: &Fields<'_>) -> Result<(), RequestError> {
        self.questions_mut().take_bins(bins, fields)
    }

    pub(crate) fn canonical(&self, names: Names) -> Value {
        self.questions().canonical(names)
    }

    pub(crate) fn add_run(&self, canonical: &mut Value) {
        self.questions().add_run(canonical);
    }

    pub(crate) fn check_promise(&self, request: &PromiseRequest, promise: &Fields<'_>) -> Result<(), RequestError> {
        self.questions().check_promise(request, promise)
    }

    /// Reads the kind and the sections that only it has; bins are taken later.
    pub(crate) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let item = fields.item("release");
        let kind = item.as_ref().map_or(Ok(NAMES[0]), |item| item.choice(&NAMES, |kind| kind.name))?;
        for key in fields.written() {
            let mut owners: Vec<&str> =
                NAMES.iter().filter(|owner| owner.has(key.name)).map(|owner| owner.name).collect();
            if owners.is_empty() || owners.contains(&kind.name) {
                continue;
            }
            owners.sort_unstable();
            let message = format!("{} does not belong to release = \"{}\"", title(key), kind.name);
            let hint = format!("it belongs to: {}", owners.join(", "));
            return Err(fields.refuse_key(key.name, message).hint(hint));
        }
        (kind.read)(&Asked { fields, item, name: kind.name })
    }
}

/// Returns a key as it stands above its section: `[top]`, `[[bins]]`.
fn title(key: &Key) -> String {
    match &key.shape {
        Shape::Section(section) | Shape::Repeated(section) => section.title.to_string(),
        _ => format!("`{}`", key.name),
    }
}

/// A request that asks for a kind by its name.
struct Asked<'a> {
    fields: &'a Fields<'a>,
    item: Option<Item<'a>>,
    name: &'static str,
}

impl<'a> Asked<'a> {
    /// Returns the one section that this kind needs.
    fn section(&self, key: &'static str) -> Result<Fields<'a>, RequestError> {
        self.fields.section(key)?.ok_or_else(|| self.needs(&format!("[{key}]")))
    }

    /// Returns the repeated sections of which this kind needs one at least.
    fn repeated(&self, key: &'static str) -> Result<Vec<Fields<'a>>, RequestError> {
        self.fields.repeated(key)
    }

    fn needs(&self, section: &str) -> RequestError {
        let message = format!("release = \"{}\" needs {section}", self.name);
        match &self.item {
            Some(item) => item.refuse(message),
            None => self.fields.refuse(message),
        }
    }
}

/// Refuses every promise but crowd-blending.
fn only_crowd_blending(kind: &dyn KindOfRelease, promise: &Fields<'_>) -> RequestError {
    let message = format!("release = \"{}\" promises crowd-blending and nothing else", kind.name());
    promise.refuse_value("kind", message).hint("kind = \"crowd-blending\"")
}

/// Adds a heading to a canonical form.
pub(crate) fn named(name: &str, mut definition: Value) -> Value {
    definition["name"] = Value::from(name);
    definition
}
