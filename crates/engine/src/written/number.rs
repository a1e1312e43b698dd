//! Numbers that are written with other signs than the point.
//!
//! It must never read `1.5` as 15 or 1,5 where the point is not the sign of fractions: groups are of exactly three
//! digits, or the text is no number. It is separate because it looks at one text and two signs. Days are read by
//! `incrowd_definition`, in `definition/src/date_way.rs`.

use incrowd_definition::{Dialect, Sign};
use std::borrow::Cow;

/// The signs in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberSigns {
    /// Before the fraction; nothing for the point.
    pub decimal: Option<Sign>,
    /// Between groups of three digits, if there is one.
    pub thousands: Option<Sign>,
}

impl NumberSigns {
    /// Returns the signs of a dialect; nothing where they are those that are always read.
    pub fn of(dialect: &Dialect) -> Option<NumberSigns> {
        let signs = NumberSigns { decimal: dialect.decimal, thousands: dialect.thousands };
        (signs.decimal.is_some() || signs.thousands.is_some()).then_some(signs)
    }
}

/// Returns the number that a text says, with a point and without groups; nothing if it says none with these signs.
///
/// A sign, digits, the sign of fractions, digits, an exponent; digits on one side of the fraction's sign at least. Once
/// a sign of groups stands there, the first group has one to three digits and does not begin with zero (nobody writes a
/// hundred and twenty-three as 0.123), and each other one has three. A blank between groups may be a narrow or an
/// unbreakable one.
pub fn number_written<'t>(text: &'t str, signs: &NumberSigns) -> Option<Cow<'t, str>> {
    let decimal = signs.decimal.map_or(b'.', Sign::byte);
    let mut rest = Rest(text.as_bytes());
    let minus = rest.minus();
    let first = rest.digits();
    let mut groups = Vec::new();
    if let Some(sign) = signs.thousands {
        while rest.skip_group_sign(sign) {
            groups.push(rest.digits());
        }
    }
    let well_grouped = groups.is_empty() || (1..=3).contains(&first.len()) && first.first() != Some(&b'0');
    if !well_grouped || groups.iter().any(|group| group.len() != 3) {
        return None;
    }
    let is_fraction = rest.skip(decimal);
    let fraction = if is_fraction { rest.digits() } else { &[] };
    if first.is_empty() && fraction.is_empty() {
        return None;
    }
    let exponent = rest.exponent()?;
    if !rest.0.is_empty() {
        return None;
    }
    if groups.is_empty() && (!is_fraction || decimal == b'.') {
        return Some(Cow::Borrowed(text));
    }
    // All of them are digits, points and signs of ASCII.
    let ascii = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let digits = ascii(&[&[first], groups.as_slice()].concat().concat());
    let point = if is_fraction { "." } else { "" };
    Some(Cow::Owned(format!("{minus}{digits}{point}{}{}", ascii(fraction), ascii(exponent))))
}

/// What of a text was not read yet.
struct Rest<'t>(&'t [u8]);

impl<'t> Rest<'t> {
    /// Takes the sign before a number; a plus says nothing.
    fn minus(&mut self) -> &'static str {
        let is_negative = self.skip(b'-');
        if !is_negative {
            self.skip(b'+');
        }
        if is_negative { "-" } else { "" }
    }

    fn skip(&mut self, byte: u8) -> bool {
        self.skip_text(&[byte])
    }

    fn skip_text(&mut self, bytes: &[u8]) -> bool {
        let rest = self.0.strip_prefix(bytes);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn skip_group_sign(&mut self, sign: Sign) -> bool {
        let is_other_blank =
            |rest: &mut Self| ["\u{a0}", "\u{202f}", "\u{2009}"].iter().any(|blank| rest.skip_text(blank.as_bytes()));
        self.skip(sign.byte()) || sign.byte() == b' ' && is_other_blank(self)
    }

    fn digits(&mut self) -> &'t [u8] {
        let length = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(length);
        self.0 = rest;
        digits
    }

    /// Takes an exponent, which may be empty; nothing if one begins and is none.
    fn exponent(&mut self) -> Option<&'t [u8]> {
        let all = self.0;
        if !self.skip(b'e') && !self.skip(b'E') {
            return Some(&[]);
        }
        self.minus();
        let digits = self.digits();
        (!digits.is_empty()).then(|| &all[..all.len() - self.0.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::read;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Float64Type;
    use arrow_array::{Array, ArrayRef, StringArray};
    use arrow_schema::DataType;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn written(text: &str, decimal: &str, thousands: &str) -> Option<String> {
        let signs = NumberSigns { decimal: Sign::of(decimal), thousands: Sign::of(thousands) };
        number_written(text, &signs).map(Cow::into_owned)
    }

    #[test]
    fn commas_and_groups_become_points_and_nothing() {
        for (text, expected) in [
            ("94606,00", "94606.00"),
            ("94.606,00", "94606.00"),
            ("1.234.567", "1234567"),
            ("-1.234,5", "-1234.5"),
            ("+7,25", "7.25"),
            ("1.234", "1234"),
            ("12", "12"),
            ("1234567,8", "1234567.8"),
            (",5", ".5"),
            ("5,", "5."),
            ("1,5e3", "1.5e3"),
            ("1,5E-3", "1.5E-3"),
            ("0,123", "0.123"),
        ] {
            assert_eq!(written(text, ",", ".").as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_written_otherwise_is_no_number() {
        for text in [
            "1.5",
            "12.34",
            "0.123",
            "1.2345",
            "1234.567",
            ".123",
            "1..234",
            "1.234.",
            "1.23.456",
            "",
            "-",
            ",",
            "+,",
            "1,2,3",
            "1,234.5",
            "1 234",
            " 1",
            "1 ",
            "1e",
            "1e+",
            "e5",
            "abc",
            "1,5x",
            "--1",
            "+-1",
            "0x10",
            "inf",
            "NaN",
            "١",
            "1,5%",
            "€1",
            "1.234,5.6",
            "1\u{a0}234",
        ] {
            assert_eq!(written(text, ",", "."), None, "{text}");
        }
        assert_eq!(written("1.5", ",", ""), None, "without a sign of groups the point is no sign at all");
        assert_eq!(written("1,234", "", ""), None);
    }

    #[test]
    fn groups_may_be_parted_by_any_blank_or_another_sign() {
        for text in ["1 234 567,5", "1\u{a0}234\u{202f}567,5", "1\u{2009}234 567,5"] {
            assert_eq!(written(text, ",", " ").as_deref(), Some("1234567.5"), "{text:?}");
        }
        assert_eq!(written("1'234.5", ".", "'").as_deref(), Some("1234.5"));
        assert_eq!(written("1,234.5", ".", ",").as_deref(), Some("1234.5"));
        assert_eq!(written("1,5", ".", ","), None);
    }

    fn point(text: &str) -> Option<f64> {
        let texts: ArrayRef = Arc::new(StringArray::from(vec![text]));
        let numbers = read(&texts, &DataType::Float64).expect("numbers");
        numbers.is_valid(0).then(|| numbers.as_primitive::<Float64Type>().value(0))
    }

    proptest! {
        #[test]
        fn a_comma_is_read_as_a_point_is(text in "[-+]?[0-9]{0,4}\\.?[0-9]{0,4}([eE][-+]?[0-9]{0,2})?") {
            let ours = written(&text.replace('.', ","), ",", "").and_then(|text| point(&text));
            prop_assert_eq!(ours, point(&text));
        }

        #[test]
        fn whole_numbers_are_found_again_behind_every_sign(number in any::<i64>(), sign in prop::sample::select(vec![".", "'", " ", "_"])) {
            let digits = number.unsigned_abs().to_string();
            let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
            let text = format!("{}{}", if number < 0 { "-" } else { "" }, groups.join(sign));
            prop_assert_eq!(written(&text, ",", sign), Some(number.to_string()));
        }

        #[test]
        fn no_text_says_other_digits_than_it_has(text in "[-+]?[0-9., ]{0,9}") {
            if let Some(number) = written(&text, ",", ".") {
                let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
                prop_assert_eq!(digits(&number), digits(&text));
                // What stands behind the point stands behind the comma.
                let behind = |text: &str, sign| text.split_once(sign).map(|(_, behind)| behind.to_owned());
                prop_assert_eq!(behind(&number, '.'), behind(&text, ','));
            }
        }
    }
}
