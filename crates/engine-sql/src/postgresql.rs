//! The dialect of PostgreSQL, for sessions that write days as ISO does, live in UTC, and look into `pg_catalog` alone.
//!
//! It must never write a text without `COLLATE "C"`: other collations may call different texts equal, or sort them
//! otherwise than by bytes. The database is to be in UTF-8, so that its bytes are ours. It is separate because it is
//! what is true of one server. Read `dialect.rs` for what each form means.

use crate::dialect::{SqlDialect, WithZone};
use incrowd_engine::{PeriodUnit, RowType};

/// PostgreSQL, from version 14 on.
#[derive(Debug, Clone, Copy)]
pub struct PostgreSql;

/// How many days four hundred years have, of which all are alike; whole weeks.
const DAYS_OF_400_YEARS: u32 = 146_097;

impl SqlDialect for PostgreSql {
    fn name(&self, name: &str) -> Option<String> {
        (!name.contains('\0')).then(|| format!("\"{}\"", name.replace('"', "\"\"")))
    }

    fn text(&self, text: &str) -> Option<String> {
        if text.contains('\0') {
            return None;
        }
        let quoted = text.replace('\'', "''");
        // In E'' a backslash means the same whatever the server is set to.
        let written =
            if quoted.contains('\\') { format!("E'{}'", quoted.replace('\\', "\\\\")) } else { format!("'{quoted}'") };
        Some(format!("({written}::text COLLATE \"C\")"))
    }

    fn integer(&self, integer: i64) -> String {
        format!("'{integer}'::int8")
    }

    fn number(&self, number: f64) -> String {
        // Seventeen digits lead back to the same bits.
        format!("'{number:.17e}'::float8")
    }

    fn decimal(&self, units: i128, _precision: u8, scale: i8) -> String {
        format!("'{units}e{}'::numeric", -i32::from(scale))
    }

    fn moment(&self, microseconds: i64, zone: WithZone) -> Option<String> {
        let day = microseconds.div_euclid(86_400_000_000);
        let rest = microseconds.rem_euclid(86_400_000_000);
        // Years from 1 to 9999 are written as everybody reads them.
        let civil = incrowd_engine::Date::from_day_number(day)?;
        let (seconds, fraction) = (rest / 1_000_000, rest % 1_000_000);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let written = format!("{civil} {hour:02}:{minute:02}:{second:02}.{fraction:06}");
        Some(match zone {
            WithZone::Zoned => format!("'{written}+00'::timestamptz"),
            WithZone::Unzoned => format!("'{written}'::timestamp"),
        })
    }

    fn missing(&self, kind: &RowType) -> Option<String> {
        Some(match kind {
            RowType::Text => "(NULL::text COLLATE \"C\")".into(),
            RowType::Integer => "NULL::int8".into(),
            RowType::Number => "NULL::float8".into(),
            RowType::Decimal { .. } => "NULL::numeric".into(),
            RowType::Boolean => "NULL::bool".into(),
            RowType::Date => "NULL::int4".into(),
            RowType::Timestamp { zone: None, .. } => "NULL::timestamp".into(),
            RowType::Timestamp { zone: Some(_), .. } => "NULL::timestamptz".into(),
            RowType::Null | RowType::Unsigned | RowType::Foreign(_) => return None,
        })
    }

    fn tidied(&self, number: &str) -> String {
        // Adding zero turns -0.0 into 0.0 and leaves every other number alone.
        format!("(NULLIF({number}, 'NaN'::float8) + '0'::float8)")
    }

    fn is_infinite(&self, number: &str) -> String {
        format!("({number} IN ('Infinity'::float8, '-Infinity'::float8))")
    }

    fn integer_as_number(&self, integer: &str) -> Option<String> {
        Some(format!("({integer})::float8"))
    }

    fn widened(&self, value: &str, _precision: u8, _scale: i8) -> Option<String> {
        Some(format!("({value})::numeric"))
    }

    fn whole(&self, decimal: &str) -> Option<String> {
        let (least, most) = (i64::MIN, i64::MAX);
        Some(format!(
            "(CASE WHEN {decimal} >= '{least}'::numeric AND {decimal} <= '{most}'::numeric THEN ({decimal})::int8 END)"
        ))
    }

    fn day_in_utc(&self, moment: &str, zone: WithZone) -> Option<String> {
        let local = match zone {
            WithZone::Zoned => format!("({moment} AT TIME ZONE 'UTC')"),
            WithZone::Unzoned => format!("({moment})"),
        };
        Some(format!("({local}::date - '1970-01-01'::date)"))
    }

    fn first_day(&self, unit: PeriodUnit, day: &str) -> Option<String> {
        let unit = match unit {
            PeriodUnit::Day => return Some(day.to_owned()),
            PeriodUnit::Week => "week",
            PeriodUnit::Month => "month",
            PeriodUnit::Quarter => "quarter",
            PeriodUnit::Year => "year",
        };
        // The same day of a like year from 1970 on: no day is too far away for it.
        let like = format!(
            "('1970-01-01'::date + ((({day}) % {DAYS_OF_400_YEARS} + {DAYS_OF_400_YEARS}) % {DAYS_OF_400_YEARS}))"
        );
        Some(format!("(({day}) - ({like} - date_trunc('{unit}', {like}::timestamp)::date))"))
    }

    fn like(&self, text: &str, pattern: &str) -> Option<String> {
        Some(format!("({text} LIKE {})", self.text(pattern)?))
    }

    fn quotient(&self, value: &str, from: &str, width: &str, kind: &RowType) -> Option<String> {
        match kind {
            RowType::Integer => Some(format!("(({value} - {from}) / {width})")),
            RowType::Decimal { .. } => Some(format!("(div({value} - {from}, {width})::int8)")),
            _ => None,
        }
    }

    fn onwards(&self, rows: &str, first: &str, last: u64, later: &str) -> Option<String> {
        let last = i64::try_from(last).ok()?;
        Some(format!("{rows} CROSS JOIN LATERAL generate_series({first}, {}) AS later({later})", self.integer(last)))
    }

    fn people(&self, weights: &str) -> Option<String> {
        Some(format!("LEAST(sum({weights}::numeric), '{}'::numeric)", u64::MAX))
    }

    fn digits(&self, integer: &str) -> String {
        format!("(({integer})::text COLLATE \"C\")")
    }

    fn bytes(&self, text: &str) -> String {
        format!("octet_length({text})")
    }

    fn joined(&self, texts: &[String]) -> String {
        format!("({})", texts.join(" || "))
    }

    fn bits(&self, number: &str) -> Option<String> {
        Some(format!("encode(float8send({number}), 'hex')"))
    }

    fn units(&self, decimal: &str, scale: i8) -> Option<String> {
        Some(format!("(trunc({decimal} * '1e{scale}'::numeric)::text COLLATE \"C\")"))
    }

    fn nanoseconds(&self, moment: &str, zone: WithZone) -> Option<String> {
        let local = match zone {
            WithZone::Zoned => format!("({moment} AT TIME ZONE 'UTC')"),
            WithZone::Unzoned => format!("({moment})"),
        };
        Some(format!("(trunc(extract(epoch FROM {local}) * '1e9'::numeric)::text COLLATE \"C\")"))
    }

    fn hash(&self, text: &str) -> Option<String> {
        Some(format!("sha256(convert_to({text}, 'UTF8'))"))
    }
}
