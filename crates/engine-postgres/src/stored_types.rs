//! The types of PostgreSQL: what each is in the contract, how it is sent, and how a statement has it.
//!
//! A value means the same whether the server counts it or sends it: infinite days and moments, moments beyond what 64
//! bits of microseconds hold, numbers that are not numbers and empty texts are missing in both. It must never take two
//! types for one that hold different values. It is separate because it is a table to be read by itself
//! (`docs/postgres-source.md` prints it). Read `columns.rs` for how what is sent is read.

use arrow_schema::{DataType, Fields, TimeUnit};
use std::sync::Arc;

/// The type of a column, as the catalogue has it, behind all domains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CatalogueType {
    /// Its name in `pg_type`.
    pub(crate) name: String,
    /// The schema of the type.
    pub(crate) schema: String,
    /// Whether it is a list of words: `b` for a base type, `e` for an enumeration, and others.
    pub(crate) sort: String,
    /// The modifier: digits of a `numeric`; -1 for none.
    pub(crate) modifier: i32,
}

/// What a column of a type is here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredType {
    /// The type of Arrow in which it is delivered.
    pub(crate) arrow: DataType,
    /// How the bytes of a value are read.
    pub(crate) sent: Sent,
    /// What a delivery asks for, with `$` in place of the column.
    pub(crate) delivered: &'static str,
    /// What a statement asks for, with `$` in place of the column, or why it cannot.
    pub(crate) pushed: Result<&'static str, &'static str>,
}

/// How the bytes of a value are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    /// As UTF-8.
    Text,
    /// As an integer of 32 or 64 bits.
    Integer,
    /// As an integer of 32 or 64 bits that is never missing or below zero.
    Natural,
    /// As a `numeric` that is never missing or below zero, up to 2^64 - 1.
    Sum,
    /// As a number of 32 bits.
    Single,
    /// As a number of 64 bits.
    Double,
    /// As a `numeric` of so many digits, some of them behind the point; NaN is missing.
    Decimal(u8, i8),
    /// As a truth value.
    Boolean,
    /// As days since 2000; infinite ones are missing.
    Day,
    /// As an integer of days since 1970.
    DayNumber,
    /// As microseconds since 2000, labelled as UTC if so; infinite ones are missing.
    Moment {
        /// Whether they are labelled.
        zoned: bool,
    },
    /// Not at all.
    Nothing,
}

/// Texts are compared by their bytes, and an empty one is missing.
const TEXT: &str = "NULLIF((($)::text COLLATE \"C\"), '')";

/// Moments that 64 bits of microseconds since 1970 hold.
const MOMENT: &str = "(CASE WHEN isfinite($) AND $ < '294247-01-10 04:00:54.775808'::timestamp THEN $ END)";
const ZONED_MOMENT: &str = "(CASE WHEN isfinite($) AND $ < '294247-01-10 04:00:54.775808+00'::timestamptz THEN $ END)";

impl StoredType {
    /// Returns what a type of the catalogue is here.
    pub(crate) fn of(kind: &CatalogueType) -> StoredType {
        let is_theirs = kind.schema == "pg_catalog";
        let text = || StoredType::new(DataType::Utf8View, Sent::Text, "($)::text", Ok(TEXT));
        match kind.name.as_str() {
            _ if kind.sort == "e" => text(),
            "citext" if kind.sort == "b" => text(),
            _ if !is_theirs || kind.sort != "b" => StoredType::foreign(),
            "text" | "varchar" | "bpchar" | "char" | "name" | "uuid" => text(),
            "int2" | "int4" | "int8" => StoredType::new(DataType::Int64, Sent::Integer, "($)::int8", Ok("($)::int8")),
            "float4" => StoredType::new(DataType::Float32, Sent::Single, "$", Err("is stored as fractions of 32 bits")),
            "float8" => StoredType::new(DataType::Float64, Sent::Double, "$", Ok("$")),
            "bool" => StoredType::new(DataType::Boolean, Sent::Boolean, "$", Ok("$")),
            "date" => {
                let day = "(CASE WHEN isfinite($) THEN $ - '1970-01-01'::date END)";
                StoredType::new(DataType::Date32, Sent::Day, "$", Ok(day))
            }
            "timestamp" => {
                let kind = DataType::Timestamp(TimeUnit::Microsecond, None);
                StoredType::new(kind, Sent::Moment { zoned: false }, "$", Ok(MOMENT))
            }
            "timestamptz" => {
                let kind = DataType::Timestamp(TimeUnit::Microsecond, Some(Arc::from("UTC")));
                StoredType::new(kind, Sent::Moment { zoned: true }, "$", Ok(ZONED_MOMENT))
            }
            "numeric" => match digits(kind.modifier) {
                Some((precision, scale)) => {
                    let arrow = DataType::Decimal128(precision, scale);
                    let sent = Sent::Decimal(precision, scale);
                    StoredType::new(arrow, sent, "$", Ok("NULLIF($, 'NaN'::numeric)"))
                }
                // As many digits as each value has, as a text says them.
                None => text(),
            },
            _ => StoredType::foreign(),
        }
    }

    fn new(
        arrow: DataType,
        sent: Sent,
        delivered: &'static str,
        pushed: Result<&'static str, &'static str>,
    ) -> StoredType {
        StoredType { arrow, sent, delivered, pushed }
    }

    fn foreign() -> StoredType {
        let none = DataType::Struct(Fields::empty());
        StoredType::new(none, Sent::Nothing, "NULL", Err("is of a type that is not read"))
    }

    /// Whether the database calls texts of this type equal that are written differently: 1.0 and 1.00, Ann and ann.
    pub(crate) fn is_loose(&self, name: &str) -> bool {
        self.arrow == DataType::Utf8View && ["numeric", "citext"].contains(&name)
    }

    /// Whether no query can use it.
    pub(crate) fn is_foreign(&self) -> bool {
        self.sent == Sent::Nothing
    }
}

/// Returns the digits of a `numeric`, and how many of them are behind the point, as far as decimals of 38 digits go.
fn digits(modifier: i32) -> Option<(u8, i8)> {
    let packed = modifier.checked_sub(4).filter(|packed| *packed >= 0)?;
    let (precision, scale) = (packed >> 16 & 0xffff, packed & 0x7ff);
    // Eleven bits with a sign.
    let scale = (scale ^ 1024) - 1024;
    let fits = (1..=38).contains(&precision) && (0..=precision).contains(&scale);
    if fits { Some((u8::try_from(precision).ok()?, i8::try_from(scale).ok()?)) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_of_a_numeric_are_read_from_its_modifier() {
        let modifier = |precision: i32, scale: i32| (precision << 16 | scale & 0x7ff) + 4;
        assert_eq!(digits(modifier(10, 2)), Some((10, 2)));
        assert_eq!(digits(modifier(38, 38)), Some((38, 38)));
        assert_eq!(digits(modifier(1, 0)), Some((1, 0)));
        for (precision, scale) in [(39, 0), (10, -2), (3, 5), (1000, 0)] {
            assert_eq!(digits(modifier(precision, scale)), None, "{precision} {scale}");
        }
        assert_eq!(digits(-1), None);
    }

    #[test]
    fn a_number_of_any_digits_and_a_text_of_any_case_name_no_person() {
        let kind = |name: &str, modifier: i32| CatalogueType {
            name: name.into(),
            schema: "pg_catalog".into(),
            sort: "b".into(),
            modifier,
        };
        for (name, modifier, loose) in
            [("numeric", -1, true), ("numeric", 10 << 16 | 4, false), ("citext", -1, true), ("text", -1, false)]
        {
            assert_eq!(StoredType::of(&kind(name, modifier)).is_loose(name), loose, "{name} {modifier}");
        }
        let composite = CatalogueType { sort: "c".into(), ..kind("citext", -1) };
        assert!(StoredType::of(&composite).is_foreign(), "a type that is only called so");
    }

    #[test]
    fn a_type_of_the_same_name_from_elsewhere_is_not_taken_for_ours() {
        let kind =
            |schema: &str| CatalogueType { name: "int4".into(), schema: schema.into(), sort: "b".into(), modifier: -1 };
        assert!(!StoredType::of(&kind("pg_catalog")).is_foreign());
        assert!(StoredType::of(&kind("public")).is_foreign());
    }
}
