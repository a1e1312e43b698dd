//! The dialect of Spark, for sessions in UTC and in ANSI mode that put nothing else for `${...}`; texts are compared by
//! their bytes.
//!
//! It must never write a cast that fails on a row, nor a function whose value is not one of its row alone: a task that
//! runs twice, or on another executor, gives the same rows again. It is separate because it is what is true of one
//! server. Read `dialect.rs` for what each form means.

use crate::dialect::{SqlDialect, WithZone};
use incrowd_engine::{PeriodUnit, RowType};

/// Spark, from version 4 on.
#[derive(Debug, Clone, Copy)]
pub struct SparkSql;

/// How many days four hundred years have, of which all are alike; whole weeks.
const DAYS_OF_400_YEARS: u32 = 146_097;

/// With so many digits a difference of two decimals still has all of its digits.
const MOST_DIGITS_OF_A_DIFFERENCE: i128 = 10i128.pow(37);

impl SqlDialect for SparkSql {
    fn name(&self, name: &str) -> Option<String> {
        (!name.contains('\0')).then(|| format!("`{}`", name.replace('`', "``")))
    }

    fn text(&self, text: &str) -> Option<String> {
        if text.contains('\0') {
            return None;
        }
        // What a backslash means, and how a quote is written, is for a cluster to say: then bytes are.
        let written = if text.contains(['\'', '\\']) {
            let digits: String = text.bytes().map(|byte| format!("{byte:02X}")).collect();
            format!("CAST(X'{digits}' AS STRING)")
        } else {
            format!("'{text}'")
        };
        Some(format!("({written} COLLATE UTF8_BINARY)"))
    }

    fn integer(&self, integer: i64) -> String {
        format!("CAST('{integer}' AS BIGINT)")
    }

    fn number(&self, number: f64) -> String {
        // Seventeen digits lead back to the same bits.
        format!("CAST('{number:.17e}' AS DOUBLE)")
    }

    fn decimal(&self, units: i128, precision: u8, scale: i8) -> String {
        // An edge may be beyond all values of the column: as a constant it has its own digits.
        let digits = units.unsigned_abs().checked_ilog10().map_or(1, |most| most + 1);
        let precision = u32::from(precision).max(digits);
        format!("CAST('{}' AS DECIMAL({precision}, {scale}))", with_point(units, scale))
    }

    fn moment(&self, microseconds: i64, zone: WithZone) -> Option<String> {
        let moment = format!("timestamp_micros({})", self.integer(microseconds));
        Some(match zone {
            WithZone::Zoned => moment,
            WithZone::Unzoned => format!("CAST({moment} AS TIMESTAMP_NTZ)"),
        })
    }

    fn missing(&self, kind: &RowType) -> Option<String> {
        let kind = match kind {
            RowType::Text => "STRING".to_owned(),
            RowType::Integer => "BIGINT".to_owned(),
            RowType::Number => "DOUBLE".to_owned(),
            RowType::Decimal { precision, scale } => format!("DECIMAL({precision}, {scale})"),
            RowType::Boolean => "BOOLEAN".to_owned(),
            RowType::Date => "INT".to_owned(),
            RowType::Timestamp { zone: None, .. } => "TIMESTAMP_NTZ".to_owned(),
            RowType::Timestamp { zone: Some(_), .. } => "TIMESTAMP".to_owned(),
            RowType::Null | RowType::Unsigned | RowType::Foreign(_) => return None,
        };
        Some(format!("CAST(NULL AS {kind})"))
    }

    fn tidied(&self, number: &str) -> String {
        // NaN equals itself here; adding zero turns -0.0 into 0.0 and leaves every other number alone.
        format!("(NULLIF({number}, CAST('NaN' AS DOUBLE)) + CAST('0' AS DOUBLE))")
    }

    fn is_infinite(&self, number: &str) -> String {
        format!("({number} IN (CAST('Infinity' AS DOUBLE), CAST('-Infinity' AS DOUBLE)))")
    }

    fn integer_as_number(&self, integer: &str) -> Option<String> {
        Some(format!("CAST({integer} AS DOUBLE)"))
    }

    fn widened(&self, value: &str, precision: u8, scale: i8) -> Option<String> {
        Some(format!("TRY_CAST({value} AS DECIMAL({precision}, {scale}))"))
    }

    fn whole(&self, decimal: &str) -> Option<String> {
        Some(format!("TRY_CAST({decimal} AS BIGINT)"))
    }

    fn day_in_utc(&self, moment: &str, _zone: WithZone) -> Option<String> {
        // The session lives in UTC, so that moments with and without a zone have one day.
        Some(format!("unix_date(CAST({moment} AS DATE))"))
    }

    fn first_day(&self, unit: PeriodUnit, day: &str) -> Option<String> {
        let unit = match unit {
            PeriodUnit::Day => return Some(day.to_owned()),
            PeriodUnit::Week => "WEEK",
            PeriodUnit::Month => "MONTH",
            PeriodUnit::Quarter => "QUARTER",
            PeriodUnit::Year => "YEAR",
        };
        // The same day of a like year from 1970 on; how far it is from there to the first day. No day is too far away.
        let like = format!("pmod({day}, {DAYS_OF_400_YEARS})");
        let away = format!("({like} - unix_date(trunc(date_from_unix_date({like}), '{unit}')))");
        Some(format!("TRY_CAST((CAST({day} AS BIGINT) - {away}) AS INT)"))
    }

    fn like(&self, text: &str, pattern: &str) -> Option<String> {
        Some(format!("({text} LIKE {})", self.text(pattern)?))
    }

    fn quotient(&self, value: &str, from: &str, width: &str, kind: &RowType) -> Option<String> {
        match kind {
            RowType::Integer => Some(format!("(({value} - {from}) DIV {width})")),
            RowType::Decimal { precision, .. } if 10i128.pow(u32::from(*precision)) <= MOST_DIGITS_OF_A_DIFFERENCE => {
                Some(format!("CAST((({value} - {from}) DIV {width}) AS BIGINT)"))
            }
            _ => None,
        }
    }

    fn onwards(&self, rows: &str, first: &str, last: u64, later: &str) -> Option<String> {
        let last = self.integer(i64::try_from(last).ok()?);
        // From a missing period on there is none.
        Some(format!("{rows} LATERAL VIEW explode(sequence({first}, {last})) later AS {later}"))
    }

    fn people(&self, weights: &str) -> Option<String> {
        // Sums of 2^64 in 38 digits overflow behind 10^18 rows.
        let most = format!("CAST('{}' AS DECIMAL(38, 0))", u64::MAX);
        let sum = format!("CAST(sum(CAST({weights} AS DECIMAL(28, 0))) AS DECIMAL(38, 0))");
        Some(format!("CAST(LEAST({sum}, {most}) AS DECIMAL(20, 0))"))
    }

    fn digits(&self, integer: &str) -> String {
        format!("CAST({integer} AS STRING)")
    }

    fn bytes(&self, text: &str) -> String {
        format!("octet_length({text})")
    }

    fn joined(&self, texts: &[String]) -> String {
        format!("concat({})", texts.join(", "))
    }

    fn bits(&self, _number: &str) -> Option<String> {
        // Spark has no function of its own for the bits of a number.
        None
    }

    fn units(&self, decimal: &str, _scale: i8) -> Option<String> {
        // ANSI mode writes all digits behind the point, and no exponent.
        let digits = format!("replace(CAST({decimal} AS STRING), '.', '')");
        Some(format!("regexp_replace({digits}, '^(-?)0+([0-9])', '$1$2')"))
    }

    fn nanoseconds(&self, moment: &str, zone: WithZone) -> Option<String> {
        let moment = match zone {
            WithZone::Zoned => moment.to_owned(),
            WithZone::Unzoned => format!("CAST({moment} AS TIMESTAMP)"),
        };
        Some(format!("CAST(CAST(unix_micros({moment}) AS DECIMAL(19, 0)) * CAST('1000' AS DECIMAL(4, 0)) AS STRING)"))
    }

    fn hash(&self, text: &str) -> Option<String> {
        // Hexadecimal digits sort like the bytes that they stand for.
        Some(format!("sha2(CAST({text} AS BINARY), 256)"))
    }
}

/// Returns units of 10^-scale in digits, with a point.
fn with_point(units: i128, scale: i8) -> String {
    let scale = usize::try_from(scale).unwrap_or(0);
    let digits = format!("{:0width$}", units.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let (sign, point) = (if units < 0 { "-" } else { "" }, if scale == 0 { "" } else { "." });
    format!("{sign}{whole}{point}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_quotes() {
        for (text, expected) in [
            ("it's", "(CAST(X'69742773' AS STRING) COLLATE UTF8_BINARY)"),
            ("\\", "(CAST(X'5C' AS STRING) COLLATE UTF8_BINARY)"),
            ("é", "('é' COLLATE UTF8_BINARY)"),
            ("\"; --", "('\"; --' COLLATE UTF8_BINARY)"),
        ] {
            assert_eq!(SparkSql.text(text).as_deref(), Some(expected));
        }
        assert_eq!(SparkSql.text("\0"), None);
        assert_eq!(SparkSql.decimal(1234, 2, 1), "CAST('123.4' AS DECIMAL(4, 1))");
        assert_eq!(SparkSql.name("a`; drop table b; --").as_deref(), Some("`a``; drop table b; --`"));
    }

    #[test]
    fn decimals_are_written_digit_by_digit() {
        for (units, scale, expected) in [
            (0, 0, "0"),
            (-5, 2, "-0.05"),
            (12345, 2, "123.45"),
            (i128::MIN, 0, "-170141183460469231731687303715884105728"),
        ] {
            assert_eq!(with_point(units, scale), expected);
        }
    }
}
