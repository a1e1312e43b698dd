//! Numbers as the book writes them: `3`, `1/10` or `infinite`.
//!
//! It must never accept a second spelling of a number, nor a number below zero: what is read back is what was charged.
//! It is separate from the request's numbers because people write freely and the book does not. Read `line.rs` next.

use incrowd_exact::{Integer, Natural, Rational, rational_text, significant, significant_rounding_up};
use incrowd_privacy::Epsilon;

/// Most digits above or below the line: far more than any certified delta has, far less than would slow a charge down.
const MOST_DIGITS: usize = 4096;

/// Returns the number that the book writes exactly so: reduced, not negative, not too long.
pub(crate) fn read_rational(text: &str) -> Option<Rational> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let (above, below) = (digits(above)?, digits(below)?);
    if below == Natural::ZERO {
        return None;
    }
    let value = Rational::from_parts(Integer::from(above), below);
    (rational_text(&value) == text).then_some(value)
}

/// Returns the epsilon that the book writes exactly so.
pub(crate) fn read_epsilon(text: &str) -> Option<Epsilon> {
    if text == Epsilon::Infinite.to_string() {
        return Some(Epsilon::Infinite);
    }
    read_rational(text).map(Epsilon::Finite)
}

/// Whether the book can hold a number: what is written can be read back.
pub(crate) fn fits(value: &Rational) -> bool {
    read_rational(&rational_text(value)).is_some()
}

/// Returns a number for a message: exact if that is short, else a little above it.
pub(crate) fn shown(value: &Rational) -> String {
    let exact = rational_text(value);
    if exact.len() <= 24 { exact } else { format!("about {}", significant_rounding_up(value, 4)) }
}

/// Returns a number for a message about what fits: exact if that is short, else a little below it.
pub(crate) fn shown_below(value: &Rational) -> String {
    let exact = rational_text(value);
    if exact.len() <= 24 { exact } else { format!("about {}", significant(value, 4)) }
}

fn digits(text: &str) -> Option<Natural> {
    let plain = (1..=MOST_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { Natural::from_str_radix(text, 10).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::parse_number;

    #[test]
    fn a_number_is_read_back_as_it_was_written() {
        for text in ["0", "3", "1/10", "123456789012345678901234567890/1000000007"] {
            assert_eq!(read_rational(text).map(|value| rational_text(&value)).as_deref(), Some(text));
        }
        assert_eq!(read_epsilon("infinite"), Some(Epsilon::Infinite));
        assert_eq!(read_epsilon("1/2"), parse_number("0.5").ok().map(Epsilon::Finite));
    }

    #[test]
    fn a_forged_number_is_no_number() {
        let long = "9".repeat(MOST_DIGITS + 1);
        for text in [
            "",
            "1/0",
            "0/0",
            "-1",
            "-1/2",
            "1/-2",
            "+1",
            "01",
            "2/4",
            "1/1",
            "0/5",
            "nan",
            "NaN",
            "inf",
            "Infinite",
            "1e9",
            "0.5",
            " 1",
            "1 ",
            "1_0",
            "1/2/3",
            "/",
            "1/",
            "/2",
            "٣",
            "1\0",
            &long,
            &format!("1/{long}"),
        ] {
            assert_eq!(read_epsilon(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_that_could_not_be_read_back_do_not_fit() {
        assert!(fits(&parse_number("1e-300").expect("a number")));
        assert!(!fits(&parse_number("-1").expect("a number")));
        assert!(!fits(&Rational::from(Natural::from(10u8).pow(MOST_DIGITS))));
    }

    #[test]
    fn long_numbers_are_shown_short_and_not_below_themselves() {
        assert_eq!(shown(&parse_number("1/10").expect("a number")), "1/10");
        let long = parse_number("1234567890123456789012345/10000000000000000000000000").expect("a number");
        assert_eq!(shown(&long), "about 0.1235");
    }
}
