//! The canonical text of a bin or a person, made by the server: what is hashed to choose the bins of a person.
//!
//! Part for part what `counts::KeyBytes` writes, so that every engine chooses the same bins
//! (`docs/decisions/0007-canonical-keys.md`). It must never leave the length of a part out. It is separate because only
//! people with many bins need it. Read `statement.rs` for who asks.

use crate::answer::KeyKind;
use crate::dialect::SqlDialect;
use crate::value::with_zone;
use incrowd_engine::RowType;

/// Returns the part of a value, which may be missing; nothing for a type whose text the server cannot make.
pub(crate) fn part(dialect: &dyn SqlDialect, value: &str, kind: &KeyKind) -> Option<String> {
    let (letter, text) = match kind {
        KeyKind::Cell => ("c", dialect.digits(value)),
        KeyKind::Code | KeyKind::Value(RowType::Integer) => ("i", dialect.digits(value)),
        KeyKind::Value(RowType::Text) => ("t", value.to_owned()),
        KeyKind::Value(RowType::Date) => ("y", dialect.digits(value)),
        KeyKind::Value(RowType::Number) => ("f", dialect.bits(value)?),
        KeyKind::Value(RowType::Boolean) => {
            let (yes, no) = (dialect.text("b1:1")?, dialect.text("b1:0")?);
            return Some(or_missing(dialect, value, &format!("CASE WHEN {value} THEN {yes} ELSE {no} END")));
        }
        KeyKind::Value(RowType::Decimal { scale, .. }) => {
            let units = dialect.units(value, *scale)?;
            ("d", dialect.joined(&[units, dialect.text(&format!("e-{scale}"))?]))
        }
        KeyKind::Value(RowType::Timestamp { zone, .. }) => {
            ("m", dialect.nanoseconds(value, with_zone(zone.as_deref()))?)
        }
        KeyKind::Value(RowType::Unsigned | RowType::Null | RowType::Foreign(_)) => return None,
    };
    let length = dialect.digits(&dialect.bytes(&text));
    let whole = dialect.joined(&[dialect.text(letter)?, length, dialect.text(":")?, text]);
    Some(or_missing(dialect, value, &whole))
}

fn or_missing(dialect: &dyn SqlDialect, value: &str, part: &str) -> String {
    let missing = dialect.text("n0:").unwrap_or_default();
    format!("(CASE WHEN {value} IS NULL THEN {missing} ELSE {part} END)")
}
