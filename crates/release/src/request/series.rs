//! Periods of a series.
//!
//! Says which periods there are, from the request alone, and whether people may be in many; it must never look for periods
//! in the data. It is separate because only series have time. Read `top.rs` next.

use super::bins::{Bin, BinSource, Cut, Items, Nulls, Other, read_name, read_truncate};
use super::date::{Date, Periods, Truncate};
use super::error::RequestError;
use super::fields::{Fields, Item};
use super::values::BinValue;
use toml::de::DeValue;

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
    pub people: People,
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
        unit: Truncate,
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
            None => Cut::Values((self.first()..=self.last()).map(BinValue::Integer).collect()),
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
pub enum People {
    /// In many: costs add up.
    Many,
    /// In one only, which is assumed: costs are the maximum.
    Once,
}

impl People {
    /// Both.
    pub const ALL: [People; 2] = [People::Many, People::Once];

    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            People::Many => "many",
            People::Once => "once",
        }
    }
}

impl Series {
    /// Whether a person may be counted in more than one period: what the periods cost then adds up.
    pub fn repeats_people(&self) -> bool {
        self.mode == Mode::Cumulative || self.people == People::Many
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
    pub(super) fn bin(&self) -> Bin {
        Bin {
            name: self.column.clone(),
            source: BinSource::Column(self.column.clone()),
            cut: self.span.cut(),
            other: Other::NotCounted,
            nulls: Nulls::Drop,
            items: Items::Each,
        }
    }

    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let period = fields.required("period")?;
        let (column, unit) = match period.value() {
            DeValue::Table(_) => {
                let below = fields.inline("period", &period)?;
                (read_name(&below.required("column")?)?, Some(read_truncate(&below)?))
            }
            DeValue::String(_) => (read_name(&period)?, None),
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
                let day = |item: &Item<'_>| Ok::<_, RequestError>(Date::read(item)?.truncated(unit));
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
            people: fields.choice("people", &People::ALL, People::as_str)?.unwrap_or(People::Many),
        })
    }
}

/// Reads a period that is a whole number, quoted or not.
fn number(item: &Item<'_>) -> Result<i64, RequestError> {
    let limits = -1_000_000_000_000..=1_000_000_000_000;
    let number = match BinValue::read(item)? {
        BinValue::Integer(number) => Some(number),
        BinValue::Text(text) => text.parse().ok(),
        BinValue::Boolean(_) | BinValue::Date(_) => None,
    };
    number.filter(|number| limits.contains(number)).ok_or_else(|| {
        item.refuse("a period without `truncate` must be a whole number, such as a year")
            .hint("for dates: period = { column = \"day\", truncate = \"month\" }")
    })
}
