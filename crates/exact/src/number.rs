//! Numbers as people write them, read without a float in between.
//!
//! Accepts integers, decimals, exponents and fractions; refuses what has no exact meaning. It never rounds.
//! It is separate because a request's numbers are the promise itself. Read `enclosure.rs` next.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::fmt;

/// Most digits that one number may have.
const MAX_DIGITS: usize = 50;
/// Largest exponent, either way.
const MAX_EXPONENT: i32 = 300;

/// Why a text is not a number that incrowd accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NumberError {
    /// Nothing to read.
    Empty,
    /// `nan`, `inf` and the like.
    NotFinite,
    /// More than 50 digits.
    TooManyDigits,
    /// An exponent beyond 300 either way.
    ExponentTooLarge,
    /// A fraction over zero.
    ZeroDenominator,
    /// Anything else that is not a number.
    Malformed,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumberError::Empty => "there is no number here",
            NumberError::NotFinite => "this is not a finite number",
            NumberError::TooManyDigits => "a number may have at most 50 digits",
            NumberError::ExponentTooLarge => "an exponent may be at most 300 either way",
            NumberError::ZeroDenominator => "a fraction may not have zero below the line",
            NumberError::Malformed => "this is not a number; write 0.1, 1e-6 or \"1/10\"",
        })
    }
}

impl std::error::Error for NumberError {}

/// Returns the exact value of `0.1`, `1e-6`, `12`, `-3` or `1/10`.
pub fn parse_number(text: &str) -> Result<RBig, NumberError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(NumberError::Empty);
    }
    let lower = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
    if lower == "nan" || lower == "inf" || lower == "infinity" {
        return Err(NumberError::NotFinite);
    }
    match text.split_once('/') {
        None => decimal(text),
        Some((above, below)) => {
            let above = decimal(above.trim())?;
            let below = decimal(below.trim())?;
            if below == RBig::ZERO {
                return Err(NumberError::ZeroDenominator);
            }
            Ok(above / below)
        }
    }
}

fn decimal(text: &str) -> Result<RBig, NumberError> {
    let (negative, text) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        None => (text, 0),
        Some((mantissa, exponent)) => (mantissa, read_exponent(exponent)?),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = strip_separators(whole)? + &strip_separators(fraction)?;
    if digits.is_empty() {
        return Err(NumberError::Malformed);
    }
    if digits.len() > MAX_DIGITS {
        return Err(NumberError::TooManyDigits);
    }
    let fraction_digits = fraction.bytes().filter(|b| *b != b'_').count() as i32;
    let value = UBig::from_str_radix(&digits, 10).map_err(|_| NumberError::Malformed)?;
    let magnitude = scale_by_power_of_ten(value, exponent - fraction_digits);
    Ok(if negative { -magnitude } else { magnitude })
}

fn read_exponent(text: &str) -> Result<i32, NumberError> {
    let digits = text.trim_start_matches(['+', '-']);
    if digits.is_empty() || text.len() - digits.len() > 1 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::Malformed);
    }
    let value: i32 = text.parse().map_err(|_| NumberError::ExponentTooLarge)?;
    if !(-MAX_EXPONENT..=MAX_EXPONENT).contains(&value) {
        return Err(NumberError::ExponentTooLarge);
    }
    Ok(value)
}

fn strip_separators(text: &str) -> Result<String, NumberError> {
    if text.starts_with('_') || text.ends_with('_') || text.contains("__") {
        return Err(NumberError::Malformed);
    }
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::Malformed);
    }
    Ok(digits)
}

fn scale_by_power_of_ten(value: UBig, exponent: i32) -> RBig {
    let power = UBig::from(10u8).pow(exponent.unsigned_abs() as usize);
    if exponent >= 0 { RBig::from(value * power) } else { RBig::from_parts(IBig::from(value), power) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(above: i64, below: u64) -> RBig {
        RBig::from_parts(IBig::from(above), UBig::from(below))
    }

    #[test]
    fn decimals_fractions_and_exponents_are_read_exactly() {
        assert_eq!(parse_number("0.1"), Ok(ratio(1, 10)));
        assert_eq!(parse_number(" 1/10 "), Ok(ratio(1, 10)));
        assert_eq!(parse_number("1e-6"), Ok(ratio(1, 1_000_000)));
        assert_eq!(parse_number("2.5E2"), Ok(ratio(250, 1)));
        assert_eq!(parse_number("1_000"), Ok(ratio(1000, 1)));
        assert_eq!(parse_number("-3"), Ok(ratio(-3, 1)));
        assert_eq!(parse_number("0.5/2"), Ok(ratio(1, 4)));
    }

    #[test]
    fn what_has_no_exact_meaning_is_refused() {
        for (text, error) in [
            ("", NumberError::Empty),
            ("nan", NumberError::NotFinite),
            ("-inf", NumberError::NotFinite),
            ("1/0", NumberError::ZeroDenominator),
            ("1/0.0", NumberError::ZeroDenominator),
            ("1e400", NumberError::ExponentTooLarge),
            ("1e99999999999", NumberError::ExponentTooLarge),
            ("1e", NumberError::Malformed),
            ("1e+-5", NumberError::Malformed),
            (".", NumberError::Malformed),
            ("_1", NumberError::Malformed),
            ("1/2/3", NumberError::Malformed),
            ("٣", NumberError::Malformed),
            ("0x10", NumberError::Malformed),
        ] {
            assert_eq!(parse_number(text), Err(error), "{text}");
        }
        assert_eq!(parse_number(&"9".repeat(51)), Err(NumberError::TooManyDigits));
    }
}
