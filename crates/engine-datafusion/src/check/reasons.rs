//! Why one value cannot be read, in a few words.
//!
//! A guess from the value alone; it must never be taken for advice, which is tried. It is separate because every
//! shown value has one. Read `proposals.rs` for what is advised.

use super::nothing::is_word_for_nothing;
use super::read_steps::ReadStep;
use super::trial::{Target, Tried, tried};
use incrowd_engine::{ColumnType, Dialect};

/// Returns what values should be, in words.
pub(super) fn wanted_words(step: &ReadStep) -> &'static str {
    match step.target() {
        Some(ColumnType::Text) => "a text",
        Some(ColumnType::Integer) => "a whole number",
        Some(ColumnType::Number) => "a number",
        Some(ColumnType::Boolean) => "true or false",
        Some(ColumnType::Date) => "a day",
        Some(ColumnType::Timestamp) => "a moment",
        None => step.wanted.name(),
    }
}

/// Returns why a text cannot be read.
pub(super) fn reason(text: &str, target: Target<'_>, dialect: &Dialect) -> String {
    let reads = |text: &str, kind: ColumnType| tried(&[text], Target { kind, ..target }, dialect) == [Tried::Read];
    if text.contains('\0') {
        return "it has a byte of zero".into();
    }
    if is_word_for_nothing(text) {
        return "stands for nothing?".into();
    }
    let trimmed = text.trim();
    if trimmed != text && reads(trimmed, target.kind) {
        return "blanks around it".into();
    }
    match target.kind {
        ColumnType::Integer if reads(text, ColumnType::Number) => "it has a fraction, or is too large".into(),
        ColumnType::Integer | ColumnType::Number => number(trimmed),
        ColumnType::Date | ColumnType::Timestamp => day(trimmed),
        ColumnType::Boolean => "neither true nor false".into(),
        ColumnType::Text => "it is no text".into(),
    }
}

fn number(text: &str) -> String {
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let has = |signs: &[char]| text.contains(signs);
    let is_number = |byte: u8| byte.is_ascii_digit() || b".,' -+".contains(&byte);
    let words = match text {
        _ if !has_digit => "it has no digit",
        _ if has(&['€', '$', '£', '¥']) => "a sign of money",
        _ if has(&['%']) => "a percent sign",
        _ if text.bytes().all(is_number) && has(&[',']) => "a decimal comma, or a sign between thousands?",
        _ if text.bytes().all(is_number) => "a sign between thousands?",
        _ if text.chars().any(char::is_alphabetic) => "it has letters",
        _ => "it is no number",
    };
    words.into()
}

fn day(text: &str) -> String {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_plain = text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    let words = match text {
        _ if is_plain => "there is no such day",
        _ if digits == text.len() && digits == 5 => "a number of days, as spreadsheets have it?",
        _ if digits == text.len() => "a number, and no day",
        _ if digits >= 3 => "another way to write days?",
        _ => "it is no day",
    };
    words.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_those_that_people_look_for() {
        let why = |text, kind| reason(text, Target { kind, timezone: "UTC" }, &Dialect::default());
        for (text, kind, expected) in [
            ("94606,00", ColumnType::Number, "a decimal comma, or a sign between thousands?"),
            ("1.234.567", ColumnType::Number, "a sign between thousands?"),
            ("€ 12", ColumnType::Number, "a sign of money"),
            ("12 %", ColumnType::Number, "a percent sign"),
            ("N/A", ColumnType::Number, "stands for nothing?"),
            ("12 apples", ColumnType::Integer, "it has letters"),
            ("4.5", ColumnType::Integer, "it has a fraction, or is too large"),
            ("2020-13-45", ColumnType::Date, "there is no such day"),
            ("31.12.2020", ColumnType::Date, "another way to write days?"),
            ("44196", ColumnType::Date, "a number of days, as spreadsheets have it?"),
            (" 2020-12-31", ColumnType::Date, "blanks around it"),
            ("ja", ColumnType::Boolean, "neither true nor false"),
            ("1\0", ColumnType::Number, "it has a byte of zero"),
        ] {
            assert_eq!(why(text, kind), expected, "{text}");
        }
    }
}
