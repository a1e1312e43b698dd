//! Periods of a series.
//!
//! Says which periods there are, from the request alone, and whether people may be in many; it must never look for
//! periods in the data. It is separate because only series have time. Read `../chosen.rs` next.

use crate::bins::{read_name, read_truncate};
use crate::date::read_date;
use crate::error::RequestError;
use crate::fields::{Fields, Item};
use crate::keys::{Key, Section, Shape};
use crate::kinds::Names;
use crate::node::Node;
use crate::parts_node::{Texts, Written, bin_value};
use crate::values::read_value;
use incrowd_definition::{
    BinSource, BinValue, Cut, Date, Dimension, Items, ListedValues, Nulls, Other, PeriodUnit, Periods,
};
use serde_json::{Value, json};

pub(super) static SECTION: Section = Section {
    title: "[series]",
    about: "Counts period after period. The next run charges only periods that are not in the ledger yet.",
    keys: &[
        Key::required(
            "period",
            Shape::AnyOf(&[Shape::Text, Shape::Section(&PERIOD)]),
            "The column with the period, or { column, truncate } for a date.",
        ),
        Key::with_default(
            "mode",
            Shape::Choice(|| Mode::ALL.iter().map(|each| each.as_str()).collect()),
            "\"per-period\"",
            "Count each period for itself, or everything up to it (costs always add).",
        ),
        Key::with_default(
            "people",
            Shape::Choice(|| PeopleInPeriods::ALL.iter().map(|each| each.as_str()).collect()),
            "\"many\"",
            "Whether a person may be in many periods (costs add) or is in one only (costs the maximum; an \
                assumption, printed).",
        ),
        Key::required(
            "from",
            Shape::Value,
            "The first period of the series: a whole number, or with `truncate` a date.",
        ),
        Key::required("up-to", Shape::Value, "The last period of this run."),
        Key::optional(
            "after",
            Shape::Value,
            "The last period that was released before; `release` takes it from the ledger if it is not given.",
        ),
    ],
};

static PERIOD: Section = Section {
    title: "[series] period",
    about: "A period cut from a date.",
    keys: &[
        Key::required("column", Shape::Text, "The column with the date."),
        Key::required(
            "truncate",
            Shape::Choice(|| PeriodUnit::ALL.iter().map(|each| each.as_str()).collect()),
            "What a period is.",
        ),
    ],
};

/// The most periods of one run.
const MOST_PERIODS: u64 = 10_000;

/// Counts period after period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// The column with the period, or with the date that is cut to one.
    pub column: String,
    /// Which periods there are.
    pub span: Span,
    /// What is counted in each.
    pub mode: Mode,
    /// Whether a person may be in several.
    pub people: PeopleInPeriods,
}

/// The periods of a series, without gaps: all from the first on, and which of them this run is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// Whole numbers, such as years.
    Numbers {
        /// The first period of the series.
        from: i64,
        /// The last period that was released before, if this run continues the series.
        after: Option<i64>,
        /// The last period of this run.
        up_to: i64,
    },
    /// Dates, cut; each is the first day of its period.
    Dates {
        /// To what dates are cut.
        unit: PeriodUnit,
        /// The first period of the series.
        from: Date,
        /// The last period that was released before, if this run continues the series.
        after: Option<Date>,
        /// The last period of this run.
        up_to: Date,
    },
}

impl Span {
    /// Returns how many periods this run is about.
    pub fn periods(&self) -> u64 {
        match self {
            Span::Numbers { up_to, .. } => up_to.saturating_sub(self.first()).unsigned_abs().saturating_add(1),
            Span::Dates { .. } => self.dates().map_or(1, |periods| periods.count()),
        }
    }

    /// Returns the number of the first period of the series: the number itself, or days since 1970.
    pub fn from(&self) -> i64 {
        match self {
            Span::Numbers { from, .. } => *from,
            Span::Dates { from, .. } => from.day_number(),
        }
    }

    /// Returns the number of the first period of this run.
    pub fn first(&self) -> i64 {
        match self {
            Span::Numbers { from, after, .. } => after.map_or(*from, |after| after.saturating_add(1)),
            Span::Dates { unit, from, after, .. } => {
                let first = after.map_or(Some(*from), |after| after.next(*unit));
                first.map_or(i64::MAX, Date::day_number)
            }
        }
    }

    /// Returns the number of the last period of this run.
    pub fn last(&self) -> i64 {
        match self {
            Span::Numbers { up_to, .. } => *up_to,
            Span::Dates { up_to, .. } => up_to.day_number(),
        }
    }

    /// Returns the periods of this run, where they are dates.
    pub fn dates(&self) -> Option<Periods> {
        match self {
            Span::Numbers { .. } => None,
            Span::Dates { unit, up_to, .. } => {
                Periods::touching(*unit, Date::from_day_number(self.first())?, up_to.next(*unit)?)
            }
        }
    }

    /// Returns the ends as values: the first period, the last one before this run, the last one.
    pub fn ends(&self) -> (BinValue, Option<BinValue>, BinValue) {
        match self {
            Span::Numbers { from, after, up_to } => {
                (BinValue::Integer(*from), after.map(BinValue::Integer), BinValue::Integer(*up_to))
            }
            Span::Dates { from, after, up_to, .. } => {
                (BinValue::Date(*from), after.map(BinValue::Date), BinValue::Date(*up_to))
            }
        }
    }

    fn cut(&self) -> Cut {
        match self.dates() {
            Some(periods) => Cut::Periods(periods),
            None => Cut::Values(ListedValues::Integers((self.first()..=self.last()).collect())),
        }
    }

    fn is_possible(&self) -> bool {
        self.first() >= self.from() && self.first() <= self.last() && self.periods() <= MOST_PERIODS
    }
}

/// What is counted in each period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The period itself.
    PerPeriod,
    /// Everything up to it.
    Cumulative,
}

impl Mode {
    /// Both.
    pub const ALL: [Mode; 2] = [Mode::PerPeriod, Mode::Cumulative];

    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::PerPeriod => "per-period",
            Mode::Cumulative => "cumulative",
        }
    }
}

/// Whether a person may be in several periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeopleInPeriods {
    /// In many: costs add up.
    Many,
    /// In one only, which is assumed: costs are the maximum.
    Once,
}

impl PeopleInPeriods {
    /// Both.
    pub const ALL: [PeopleInPeriods; 2] = [PeopleInPeriods::Many, PeopleInPeriods::Once];

    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            PeopleInPeriods::Many => "many",
            PeopleInPeriods::Once => "once",
        }
    }
}

impl Series {
    /// Whether a person may be counted in more than one period: what the periods cost then adds up.
    pub fn repeats_people(&self) -> bool {
        self.mode == Mode::Cumulative || self.people == PeopleInPeriods::Many
    }

    /// Makes this run begin after a period that was released before; says whether any is left.
    pub fn continue_after(&mut self, last: i64) -> bool {
        if last < self.span.first() {
            return true;
        }
        match &mut self.span {
            Span::Numbers { after, .. } => *after = Some(last),
            Span::Dates { after, .. } => match Date::from_day_number(last) {
                Some(day) => *after = Some(day),
                None => return false,
            },
        }
        self.span.is_possible()
    }

    /// Returns the dimension of the periods of this run.
    pub(super) fn dimension(&self) -> Dimension {
        Dimension {
            name: self.column.clone(),
            source: BinSource::Column(self.column.clone()),
            cut: self.span.cut(),
            other: Other::NotCounted,
            nulls: Nulls::Drop,
            items: Items::Each,
        }
    }

    /// Returns the canonical form; without names, that of the series whatever its periods.
    pub(super) fn canonical(&self, names: Names) -> Value {
        let period = match &self.span {
            Span::Numbers { .. } => json!({ "column": self.column }),
            Span::Dates { unit, .. } => json!({ "column": self.column, "truncate": unit.as_str() }),
        };
        let mut found = json!({ "period": period, "mode": self.mode.as_str(), "people": self.people.as_str() });
        let (from, after, up_to) = self.span.ends();
        match names {
            Names::Kept => {
                found["from"] = from.canonical();
                found["after"] = after.as_ref().map_or(Value::Null, BinValue::canonical);
                found["up-to"] = up_to.canonical();
            }
            Names::Dropped => found["from"] = json!(self.span.from()),
        }
        found
    }

    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let period = fields.required("period")?;
        let (column, unit) = match period.value() {
            Node::Section(_) => {
                let below = fields.inline("period", &period)?;
                (read_name(&below.required("column")?)?, Some(read_truncate(&below)?))
            }
            Node::Text(_) => (read_name(&period)?, None),
            _ => return Err(period.refuse("`period` must be a column, or { column, truncate }")),
        };
        let (from, up_to) = (fields.required("from")?, fields.required("up-to")?);
        let after = fields.item("after");
        let span = match unit {
            None => Span::Numbers {
                from: number(&from)?,
                after: after.as_ref().map(number).transpose()?,
                up_to: number(&up_to)?,
            },
            Some(unit) => {
                let day = |item: &Item<'_>| Ok::<_, RequestError>(read_date(item)?.truncated(unit));
                Span::Dates {
                    unit,
                    from: day(&from)?,
                    after: after.as_ref().map(day).transpose()?,
                    up_to: day(&up_to)?,
                }
            }
        };
        if !span.is_possible() {
            return Err(up_to.refuse(format!(
                "`up-to` must be at least `from` and later than `after`, with at most {MOST_PERIODS} periods in one run"
            )));
        }
        Ok(Series {
            column,
            span,
            mode: fields.choice("mode", &Mode::ALL, Mode::as_str)?.unwrap_or(Mode::PerPeriod),
            people: fields
                .choice("people", &PeopleInPeriods::ALL, PeopleInPeriods::as_str)?
                .unwrap_or(PeopleInPeriods::Many),
        })
    }
}

/// Reads a period that is a whole number, quoted or not.
fn number(item: &Item<'_>) -> Result<i64, RequestError> {
    let limits = -1_000_000_000_000..=1_000_000_000_000;
    let number = match read_value(item)? {
        BinValue::Integer(number) => Some(number),
        BinValue::Text(text) => text.parse().ok(),
        BinValue::Boolean(_) | BinValue::Date(_) => None,
    };
    number.filter(|number| limits.contains(number)).ok_or_else(|| {
        item.refuse("a period without `truncate` must be a whole number, such as a year")
            .hint("for dates: period = { column = \"day\", truncate = \"month\" }")
    })
}

/// The periods of a series.
pub(super) fn from_canonical(series: &Value) -> Option<Node<'_>> {
    let mut written = Written::default();
    let period = series.get("period")?;
    match period.get("truncate") {
        None => written.put_text("period", period.get("column")?)?,
        Some(unit) => {
            let mut section = Written::default();
            section.put_text("column", period.get("column")?)?;
            section.put_text("truncate", unit)?;
            written.put("period", section.done());
        }
    }
    for key in ["mode", "people"] {
        written.put_given(key, series.get(key)?, Texts::Plain)?;
    }
    for key in ["from", "after", "up-to"] {
        let end = series.get(key)?;
        if !end.is_null() {
            written.put(key, bin_value(&BinValue::from_canonical(end)?));
        }
    }
    Some(written.done())
}
