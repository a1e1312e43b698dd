//! A small chance as people say it: "1 in a million", "96 in 100,000".
//!
//! Two digits, rounded in the honest direction: what is spent or may happen up, what is left down. It must never print
//! a fraction or a power with a minus sign, nor a bound on the wrong side of the number it bounds. It is separate from
//! `decimal.rs` because a delta is read as a chance and everything else as a number. Read `number.rs` for the way in.

use crate::decimal::significant_rounding_up;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Returns a chance, or a sum of chances, in words that are not below it: for what is spent and what may happen.
pub fn rare_rounding_up(chance: &RBig) -> String {
    words(chance, RBig::ceil)
}

/// Returns a chance in words that are not above it: for what is left and what is allowed.
pub fn rare_rounding_down(chance: &RBig) -> String {
    words(chance, RBig::floor)
}

/// The least that two digits are, before they are rounded.
const TWO_DIGITS: u8 = 10;

fn words(chance: &RBig, rounded: impl Fn(&RBig) -> IBig) -> String {
    let positive = chance > &RBig::ZERO;
    if !(positive && chance < &RBig::ONE) {
        // Nothing, certainty, and sums beyond it are numbers.
        return significant_rounding_up(chance, 3);
    }
    let ten = RBig::from(10u8);
    let mut places = 0usize;
    let mut scaled = chance.clone();
    while scaled < RBig::from(TWO_DIGITS) {
        scaled *= &ten;
        places += 1;
    }
    let mut many = rounded(&scaled);
    let whole = IBig::from(10u8);
    while places > 0 && &many % &whole == IBig::ZERO {
        many /= &whole;
        places -= 1;
    }
    match places {
        0 => many.to_string(),
        _ => format!("{many} in {}", power(places)),
    }
}

/// Returns ten to the power of so many places, as people write it.
fn power(places: usize) -> String {
    let groups = ["", "million", "billion", "trillion"];
    match (places, places % 3) {
        (0..=5, _) => thousands(places),
        (6..=14, 0) => format!("a {}", groups[places / 3 - 1]),
        (6..=14, more) => format!("{} {}", thousands(more), groups[places / 3 - 1]),
        (_, _) => format!("10^{places}"),
    }
}

fn thousands(places: usize) -> String {
    let digits = UBig::from(10u8).pow(places).to_string();
    match digits.len() {
        0..=3 => digits,
        length => format!("{},{}", &digits[..length - 3], &digits[length - 3..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::number;

    #[test]
    fn deltas_are_said_as_chances() {
        for (delta, said) in [
            ("0", "0"),
            ("1", "1"),
            ("2", "2"),
            ("1/2", "5 in 10"),
            ("0.74", "74 in 100"),
            ("0.05", "5 in 100"),
            ("1e-3", "1 in 1,000"),
            ("1e-4", "1 in 10,000"),
            ("19/200000", "95 in a million"),
            ("3/31250", "96 in a million"),
            ("1e-5", "1 in 100,000"),
            ("1e-6", "1 in a million"),
            ("3e-6", "3 in a million"),
            ("2e-7", "2 in 10 million"),
            ("9.767e-7", "98 in 100 million"),
            ("1e-9", "1 in a billion"),
            ("1e-12", "1 in a trillion"),
            ("1e-14", "1 in 100 trillion"),
            ("1.438e-15", "15 in 10^16"),
            ("0.995", "1"),
        ] {
            assert_eq!(rare_rounding_up(&number(delta)), said, "{delta}");
        }
        assert_eq!(rare_rounding_down(&number("9.767e-7")), "97 in 100 million");
        assert_eq!(rare_rounding_down(&number("0.995")), "99 in 100");
        assert_eq!(rare_rounding_down(&number("1e-6")), "1 in a million");
        assert_eq!(rare_rounding_down(&number("1/3")), "33 in 100");
    }

    /// Reads the words back, by another way than they were written.
    fn read(words: &str) -> RBig {
        let (many, of) = words.split_once(" in ").unwrap_or((words, "1"));
        let (count, unit) = match of.split_once(' ') {
            Some(("a", unit)) => ("1", unit),
            Some((count, unit)) => (count, unit),
            None => (of, ""),
        };
        let unit = match unit {
            "" => "1",
            "million" => "1e6",
            "billion" => "1e9",
            "trillion" => "1e12",
            other => panic!("{other}"),
        };
        let count = match count.split_once("10^") {
            Some((_, places)) => format!("1e{places}"),
            None => count.replace(',', ""),
        };
        number(many) / (number(&count) * number(unit))
    }

    #[test]
    fn words_are_on_the_honest_side_and_near() {
        for text in
            ["1/3", "2/3", "1e-6", "1.0001e-6", "0.123456789", "9.9999e-31", "0.9999", "1/7", "7e-15", "0.0999", "1/99"]
        {
            let value = number(text);
            let (up, down) = (read(&rare_rounding_up(&value)), read(&rare_rounding_down(&value)));
            assert!(down <= value && value <= up, "{text}: {down} {up}");
            assert!(&up * number("10/11") <= value && value <= &down * number("11/10"), "{text}: {down} {up}");
            assert!(!rare_rounding_up(&value).contains('/'));
        }
    }
}
