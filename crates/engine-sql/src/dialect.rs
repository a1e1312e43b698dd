//! What servers write differently: names, constants, and the few functions that a statement calls.
//!
//! Each type of the contract has one form in a statement: texts that are compared and sorted by their bytes in UTF-8;
//! integers of 64 bits; decimals; numbers of 64 bits without NaN, with one zero, wherever [`SqlDialect::tidied`] made
//! them; truth values; days as the integer of days since 1970; moments as the server has them. It must never write a
//! form that fails on a row, or means anything else than the contract does. It is separate so that a server is added by
//! writing one of these. Read `postgresql.rs` for one, `value.rs` for who asks.

use incrowd_engine::{PeriodUnit, RowType};

/// Whether moments are labelled by a time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithZone {
    /// They are.
    Zoned,
    /// They are not, and count as those of UTC.
    Unzoned,
}

/// How a server writes what a statement needs. Where a function returns nothing, this server cannot say it exactly, and
/// rows are delivered.
pub trait SqlDialect {
    /// A name in quotes that it cannot leave; nothing for one that cannot be written.
    fn name(&self, name: &str) -> Option<String>;

    /// A text that is compared by its bytes; nothing for one that cannot be written.
    fn text(&self, text: &str) -> Option<String>;

    /// An integer of 64 bits.
    fn integer(&self, integer: i64) -> String;

    /// Exactly this finite number.
    fn number(&self, number: f64) -> String;

    /// Exactly so many units of 10^-scale.
    fn decimal(&self, units: i128, precision: u8, scale: i8) -> String;

    /// A moment so many microseconds after 1970 began in UTC; nothing for one that the server does not have.
    fn moment(&self, microseconds: i64, zone: WithZone) -> Option<String>;

    /// A missing value of a type.
    fn missing(&self, kind: &RowType) -> Option<String>;

    /// A number without NaN, which is missing, and with one zero.
    fn tidied(&self, number: &str) -> String;

    /// Whether a number that is not NaN is infinite.
    fn is_infinite(&self, number: &str) -> String;

    /// The number nearest to an integer, ties to even.
    fn integer_as_number(&self, integer: &str) -> Option<String>;

    /// An integer or a decimal as a decimal that holds all of its digits.
    fn widened(&self, value: &str, precision: u8, scale: i8) -> Option<String>;

    /// A decimal without digits behind the point as an integer; missing if it does not fit.
    fn whole(&self, decimal: &str) -> Option<String>;

    /// The day of a moment in UTC.
    fn day_in_utc(&self, moment: &str, zone: WithZone) -> Option<String>;

    /// The first day of the period that a day is in, however far away.
    fn first_day(&self, unit: PeriodUnit, day: &str) -> Option<String>;

    /// Whether a text matches a pattern without a backslash, in which `%` is any text and `_` any one letter.
    fn like(&self, text: &str, pattern: &str) -> Option<String>;

    /// How often a width fits between `from` and a value that is at least it; constants as they are written.
    fn quotient(&self, value: &str, from: &str, width: &str, kind: &RowType) -> Option<String>;

    /// The source of rows in which each row of `rows` stands once for its own integer in `first` and once for each
    /// later one up to `last`, under the name `later`.
    fn onwards(&self, rows: &str, first: &str, last: u64, later: &str) -> Option<String>;

    /// The sum of integers of 64 bits without a sign, which stays at 2^64 - 1 once it is there: as a decimal of 20
    /// digits.
    fn people(&self, weights: &str) -> Option<String>;

    /// An integer in decimal digits.
    fn digits(&self, integer: &str) -> String;

    /// How many bytes a text has in UTF-8, as an integer.
    fn bytes(&self, text: &str) -> String;

    /// Texts one after the other, none of them missing.
    fn joined(&self, texts: &[String]) -> String;

    /// The sixteen hexadecimal digits of a tidied number's bits, in small letters.
    fn bits(&self, number: &str) -> Option<String>;

    /// A decimal in digits, in units of 10^-scale.
    fn units(&self, decimal: &str, scale: i8) -> Option<String>;

    /// A moment in digits, in nanoseconds since 1970.
    fn nanoseconds(&self, moment: &str, zone: WithZone) -> Option<String>;

    /// Something that sorts like the SHA-256 of a text's bytes in UTF-8.
    fn hash(&self, text: &str) -> Option<String>;
}
