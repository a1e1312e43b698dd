//! Exact numbers as certificates and tables write them, and the same numbers as a request takes them.
//!
//! A certificate writes reduced fractions of any length, a request takes at most 50 digits and an exponent; neither may
//! ever round. It is separate from `number.rs` because people write short numbers and canonical texts long ones. Read
//! `decimal.rs` for numbers that are only shown.

use crate::decimal::rational_text;
use crate::number::parse_number;
use dashu_int::{IBig as Integer, UBig as Natural};
use dashu_ratio::RBig as Rational;

/// The most digits of a numerator or denominator.
const MAX_DIGITS: usize = 1000;

/// Returns the number behind `3`, `-1/10`, `0.25` or `1e-6`.
pub fn number_of(text: &str) -> Option<Rational> {
    if let Ok(number) = parse_number(text) {
        return Some(number);
    }
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let (negative, above) = above.strip_prefix('-').map_or((false, above), |rest| (true, rest));
    let digits = |text: &str| {
        let plain = !text.is_empty() && text.len() <= MAX_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| Natural::from_str_radix(text, 10).ok()).flatten()
    };
    let below = digits(below).filter(|below| below != &Natural::ZERO)?;
    let magnitude = Rational::from_parts(Integer::from(digits(above)?), below);
    Some(if negative { -magnitude } else { magnitude })
}

/// Returns the number in at most 50 digits and exponents, as a request takes it; nothing if it takes more.
pub fn number_text(value: &Rational) -> Option<String> {
    let written = |text: String| (parse_number(&text).ok().as_ref() == Some(value)).then_some(text);
    let (above, below) = (value.numerator().to_string(), value.denominator().to_string());
    let shortened = |digits: &str| {
        let kept = digits.trim_end_matches('0');
        let zeros = digits.len() - kept.len();
        if zeros < 3 || kept.is_empty() || kept == "-" { digits.to_string() } else { format!("{kept}e{zeros}") }
    };
    if below == "1" {
        return written(shortened(&above));
    }
    let decimal = decimal_text(value);
    if let Some((whole, fraction)) = decimal.split_once('.') {
        let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |rest| ("-", rest));
        let digits = format!("{whole}{fraction}");
        let digits = digits.trim_start_matches('0');
        return written(format!("{sign}{digits}e-{}", fraction.len()));
    }
    written(format!("{}/{}", shortened(&above), shortened(&below)))
}

/// Returns the number as a decimal if it is a finite one, else as a fraction.
pub fn decimal_text(value: &Rational) -> String {
    let (ten, mut scaled, mut places) = (Rational::from(10u8), value.clone(), 0usize);
    // Each place takes one 2 and one 5 out of the denominator; what has another prime never ends.
    let mut rest = value.denominator().clone();
    for prime in [2u8, 5] {
        while &rest % prime == 0 {
            rest /= Natural::from(prime);
        }
    }
    if rest != Natural::ONE {
        return rational_text(value);
    }
    while scaled.denominator() != &Natural::ONE {
        scaled *= &ten;
        places += 1;
    }
    let digits = scaled.numerator().to_string();
    if places == 0 {
        return digits;
    }
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits.as_str()),
    };
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    format!("{sign}{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_request_survive_the_way_through_a_certificate() {
        for text in
            ["0", "1", "-3", "1/3", "1e-6", "0.1", "1e300", "-1e-299", "123456789.5", "2e40/3", "1e-200/7", "20000"]
        {
            let number = parse_number(text).expect("a number");
            let long = rational_text(&number);
            assert_eq!(number_of(&long).as_ref(), Some(&number), "{text}");
            let short = number_text(&number).expect("a short text");
            assert_eq!(parse_number(&short).as_ref(), Ok(&number), "{text} as {short}");
        }
        for (number, text) in [
            ("20000", "20000"),
            ("-1/8", "-0.125"),
            ("1/3", "1/3"),
            ("0.1", "0.1"),
            ("12.50", "12.5"),
            ("-5/3", "-5/3"),
            ("1e-3", "0.001"),
            ("0", "0"),
        ] {
            assert_eq!(decimal_text(&parse_number(number).expect("a number")), text);
        }
        for text in ["", "1/0", "/", "-", "1//2", "nan", "--1"] {
            assert_eq!(number_of(text), None, "{text}");
        }
    }
}
