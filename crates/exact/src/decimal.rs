//! Numbers as people read them.
//!
//! Decimal texts of rationals, rounded to nearest or up. It must never print a bound that is below the number it
//! bounds. It is separate because showing a number is not computing with it. Read `number.rs` for the way in.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem};
use dashu_ratio::RBig;

/// Returns `3`, `1/10` or `-2/3`.
pub fn rational_text(value: &RBig) -> String {
    if value.denominator() == &UBig::ONE {
        value.numerator().to_string()
    } else {
        format!("{}/{}", value.numerator(), value.denominator())
    }
}

/// Returns a decimal text with `digits` significant digits, rounded to nearest: `0.50250`, `1.234e-7`.
pub fn significant(value: &RBig, digits: usize) -> String {
    text(value, digits, Rounding::Nearest)
}

/// Returns a decimal text with `digits` significant digits that is not below the value.
pub fn significant_rounding_up(value: &RBig, digits: usize) -> String {
    text(value, digits, Rounding::Up)
}

/// Returns a decimal text with `digits` significant digits that is not above the value.
pub fn significant_rounding_down(value: &RBig, digits: usize) -> String {
    let mirrored = text(&-value, digits, Rounding::Up);
    match mirrored.strip_prefix('-') {
        Some(magnitude) => magnitude.into(),
        None if mirrored == "0" => mirrored,
        None => format!("-{mirrored}"),
    }
}

#[derive(Clone, Copy)]
enum Rounding {
    Nearest,
    Up,
}

fn text(value: &RBig, digits: usize, rounding: Rounding) -> String {
    if value == &RBig::ZERO {
        return "0".into();
    }
    let negative = value < &RBig::ZERO;
    let (above, below) = value.clone().into_parts();
    let magnitude = above.into_parts().1;
    // Towards +infinity is away from zero only for positive numbers.
    let (mantissa, exponent) = mantissa_and_exponent(&magnitude, &below, digits, rounding, negative);
    let body = layout(&mantissa.to_string(), exponent, digits);
    if negative { format!("-{body}") } else { body }
}

/// Returns `m` with exactly `digits` digits and `e` such that the magnitude is about `m * 10^(e - digits + 1)`.
fn mantissa_and_exponent(above: &UBig, below: &UBig, digits: usize, rounding: Rounding, negative: bool) -> (UBig, i64) {
    let mut exponent =
        ((above.bit_len() as f64 - below.bit_len() as f64) * std::f64::consts::LOG10_2).floor() as i64 - 1;
    loop {
        let shift = digits as i64 - 1 - exponent;
        let ten = UBig::from(10u8).pow(shift.unsigned_abs() as usize);
        let (top, bottom) = if shift >= 0 { (above * &ten, below.clone()) } else { (above.clone(), below * &ten) };
        let (quotient, rest) = (&top).div_rem(&bottom);
        let round_up = match rounding {
            Rounding::Nearest => &rest * 2u8 >= bottom,
            Rounding::Up => !negative && rest != UBig::ZERO,
        };
        let mantissa = if round_up { quotient + UBig::ONE } else { quotient };
        let limit = UBig::from(10u8).pow(digits);
        if mantissa >= limit {
            exponent += 1;
            continue;
        }
        return (mantissa, exponent);
    }
}

fn layout(mantissa: &str, exponent: i64, digits: usize) -> String {
    if (-5..digits.max(7) as i64).contains(&exponent) {
        if exponent < 0 {
            return trim(&format!("0.{}{}", "0".repeat((-exponent - 1) as usize), mantissa));
        }
        let whole = exponent as usize + 1;
        if whole >= mantissa.len() {
            return format!("{mantissa}{}", "0".repeat(whole - mantissa.len()));
        }
        return trim(&format!("{}.{}", &mantissa[..whole], &mantissa[whole..]));
    }
    let (first, rest) = mantissa.split_at(1);
    let body = if rest.is_empty() { first.to_string() } else { trim(&format!("{first}.{rest}")) };
    format!("{body}e{exponent}")
}

fn trim(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::number;

    #[test]
    fn decimals_read_naturally() {
        assert_eq!(significant(&number("0.5"), 3), "0.5");
        assert_eq!(significant(&number("1/3"), 5), "0.33333");
        assert_eq!(significant(&number("123456"), 3), "123000");
        assert_eq!(significant(&number("1.2345e-9"), 3), "1.23e-9");
        assert_eq!(significant(&number("-2/3"), 2), "-0.67");
        assert_eq!(significant(&number("99.96"), 3), "100");
        assert_eq!(significant(&number("1"), 20), "1");
    }

    #[test]
    fn a_bound_is_never_printed_below_itself() {
        for text in ["1/3", "2/3", "1e-6", "0.123456789", "9.9999e-31", "999.99", "1/7"] {
            let value = number(text);
            for digits in 1..8 {
                let printed = number(&significant_rounding_up(&value, digits));
                assert!(printed >= value, "{text} at {digits} digits");
                let below = number(&significant_rounding_down(&value, digits));
                assert!(below <= value && below > RBig::ZERO, "{text} at {digits} digits");
                assert_eq!(number(&significant_rounding_down(&-&value, digits)), -printed);
            }
        }
    }
}
