//! How a value that is no text is spelled as one: numbers by their shortest decimals, days as 2026-11-18.
//!
//! One value must never have two spellings, nor two values one. It is separate because workbooks and databases hold
//! such values beside texts, and both are then read like the texts of a CSV file. Read `workbook.rs` and `database.rs`
//! next.

use incrowd_engine::{Date, Sign};

/// Returns the shortest decimal of a number, with the sign before its fraction that the request says; nothing for what
/// is no number.
pub(super) fn number(number: f64, decimal: Option<Sign>) -> Option<String> {
    if !number.is_finite() {
        return None;
    }
    if number == 0.0 {
        return Some("0".into());
    }
    let text = number.to_string();
    Some(match decimal {
        Some(sign) => text.replace('.', &char::from(sign.byte()).to_string()),
        None => text,
    })
}

/// Returns a truth value.
pub(super) fn truth(value: bool) -> String {
    if value { "true".into() } else { "false".into() }
}

/// From which day a workbook counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Epoch {
    /// Day 1 is the first of January 1900, which is taken for a leap year.
    Of1900,
    /// Day 0 is the first of January 1904.
    Of1904,
}

const DAY: i64 = 86_400_000;

/// Returns the day, the time or the moment that a number of days stands for, to the millisecond; nothing for what no
/// calendar has.
pub(super) fn moment(serial: f64, epoch: Epoch) -> Option<String> {
    if !(0.0..3_000_000.0).contains(&serial) {
        return None;
    }
    // Below 2^53 a whole number of milliseconds is what it is.
    let millis = (serial * DAY as f64).round() as i64;
    let (days, rest) = (millis / DAY, millis % DAY);
    let since = match epoch {
        Epoch::Of1900 if days == 0 && rest > 0 => return Some(clock(rest)),
        // The 29th of February 1900 is counted, and was never a day.
        Epoch::Of1900 if days == 60 || days == 0 => return None,
        Epoch::Of1900 if days < 60 => days - 25_568,
        Epoch::Of1900 => days - 25_569,
        Epoch::Of1904 => days - 24_107,
    };
    let day = Date::from_day_number(since)?;
    Some(if rest == 0 { day.to_string() } else { format!("{day}T{}", clock(rest)) })
}

fn clock(millis: i64) -> String {
    let (seconds, rest) = (millis / 1000, millis % 1000);
    let fraction = if rest == 0 { String::new() } else { format!(".{rest:03}").trim_end_matches('0').into() };
    format!("{:02}:{:02}:{:02}{fraction}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Returns a day or a moment that is written as ISO 8601: without a time that is midnight, and without zeros that end a
/// fraction. What is written otherwise stays as it is.
pub(super) fn written_moment(text: &str) -> String {
    let Some((day, time)) = text.split_once('T') else { return text.into() };
    let time = match time.split_once('.') {
        Some((time, fraction)) if fraction.bytes().all(|byte| byte.is_ascii_digit()) => {
            match fraction.trim_end_matches('0') {
                "" => time.to_string(),
                fraction => format!("{time}.{fraction}"),
            }
        }
        Some(_) | None => time.to_string(),
    };
    if time == "00:00:00" || time == "00:00" { day.into() } else { format!("{day}T{time}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_spelling() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (7.0, "7"),
            (-7.0, "-7"),
            (0.1, "0.1"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e15, "1000000000000000"),
            (9007199254740993.0, "9007199254740992"),
            (1.5e-7, "0.00000015"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value, None).as_deref(), Some(text));
        }
        assert_eq!(number(1.5, Sign::of(",")).as_deref(), Some("1,5"));
        assert_eq!((number(f64::NAN, None), number(f64::INFINITY, None)), (None, None));
    }

    #[test]
    fn days_are_counted_as_workbooks_count_them() {
        let cases = [
            (1.0, Some("1900-01-01")),
            (59.0, Some("1900-02-28")),
            (60.0, None),
            (61.0, Some("1900-03-01")),
            (43_831.0, Some("2020-01-01")),
            (43_831.5, Some("2020-01-01T12:00:00")),
            (43_831.000_011_574_07, Some("2020-01-01T00:00:01")),
            (43_831.123_456_79, Some("2020-01-01T02:57:46.667")),
            (0.75, Some("18:00:00")),
            (2_958_465.0, Some("9999-12-31")),
            (2_958_466.0, None),
            (-1.0, None),
            (f64::NAN, None),
        ];
        for (serial, text) in cases {
            assert_eq!(moment(serial, Epoch::Of1900).as_deref(), text, "{serial}");
        }
        assert_eq!(moment(0.0, Epoch::Of1904).as_deref(), Some("1904-01-01"));
        assert_eq!(moment(42_369.0, Epoch::Of1904).as_deref(), Some("2020-01-01"));
    }

    #[test]
    fn written_moments_lose_what_says_nothing() {
        for (text, spelled) in [
            ("2020-03-01", "2020-03-01"),
            ("2020-03-01T00:00:00", "2020-03-01"),
            ("2020-03-01T00:00:00.000000000", "2020-03-01"),
            ("2020-03-01T10:30:00.500", "2020-03-01T10:30:00.5"),
            ("2020-03-01T10:30:00", "2020-03-01T10:30:00"),
        ] {
            assert_eq!(written_moment(text), spelled);
        }
    }
}
