//! Periods of a series.
//!
//! Says what a period is and whether people may be in many; it must never decide what a period costs. It is separate
//! because only series have time. Read `top.rs` next.

use super::bins::read_truncate;
use super::date::Truncate;
use super::error::RequestError;
use super::fields::Fields;
use super::values::BinValue;
use toml::de::DeValue;

/// Counts period after period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// What a period is.
    pub period: Period,
    /// What is counted in each.
    pub mode: Mode,
    /// Whether a person may be in several.
    pub people: People,
    /// The last period of this run.
    pub up_to: Option<BinValue>,
}

/// What a period is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Period {
    /// The value of a column.
    Column(String),
    /// A date, cut.
    Truncated {
        /// The column with the date.
        column: String,
        /// To what it is cut.
        unit: Truncate,
    },
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
    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let period = fields.required("period")?;
        let period = match period.value() {
            DeValue::Table(_) => {
                let below = fields.inline("period", &period)?;
                Period::Truncated { column: below.required("column")?.text()?, unit: read_truncate(&below)? }
            }
            _ => Period::Column(period.text().map_err(|error| error.hint("a column, or { column, truncate }"))?),
        };
        Ok(Series {
            period,
            mode: fields.choice("mode", &Mode::ALL, Mode::as_str)?.unwrap_or(Mode::PerPeriod),
            people: fields.choice("people", &People::ALL, People::as_str)?.unwrap_or(People::Many),
            up_to: fields.item("up-to").map(|item| BinValue::read(&item)).transpose()?,
        })
    }
}
