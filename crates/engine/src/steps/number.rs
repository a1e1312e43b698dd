//! Numbers from one type to another, by the decimals that they stand for.
//!
//! One table may be written with 0.3 as a text, as a float of any width and as a decimal: all of them are three tenths.
//! A number becomes an integer only if it is whole, and a truth value only if it is 0 or 1, as a text does; anything
//! else is missing, because it must never depend on the format which way a value is rounded. It is separate from the
//! engine's own casts, which cut off fractions and go by way of binary fractions. Read `../steps.rs` for who calls.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Float16Type, Float32Type, Float64Type, Int64Type,
};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray, StringViewArray};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType};
use std::io::Write;
use std::sync::Arc;

/// Reads numbers as another type; nothing where the engine's own cast says what is meant.
pub(super) fn read(array: &ArrayRef, to: &DataType) -> Result<Option<ArrayRef>, ArrowError> {
    Ok(Some(match (array.data_type(), to) {
        (DataType::Float16 | DataType::Float32, DataType::Float64) => Arc::new(widened(array)),
        // Every other type is reached by way of the float that means the same.
        (DataType::Float16 | DataType::Float32, to) if !is_text(to) => {
            let wide: ArrayRef = Arc::new(widened(array));
            match read(&wide, to)? {
                Some(read) => read,
                None => cast(&wide, to)?,
            }
        }
        (DataType::Float64, DataType::Int64) => {
            Arc::new(array.as_primitive::<Float64Type>().unary_opt::<_, Int64Type>(whole_float))
        }
        (DataType::Float64, DataType::Decimal128(_, _)) => cast(&written(array), to)?,
        (DataType::Float64, DataType::Boolean) => {
            let truth = |number: f64| if number == 0.0 { Some(false) } else { (number == 1.0).then_some(true) };
            Arc::new(
                array
                    .as_primitive::<Float64Type>()
                    .iter()
                    .map(|number| number.and_then(truth))
                    .collect::<BooleanArray>(),
            )
        }
        (
            DataType::Decimal32(_, _) | DataType::Decimal64(_, _),
            DataType::Float64 | DataType::Int64 | DataType::Boolean,
        ) => {
            let wide = wide_decimal(array)?;
            return read(&wide, to);
        }
        (DataType::Decimal128(_, scale), DataType::Float64) => {
            let units = array.as_primitive::<Decimal128Type>();
            Arc::new(units.unary_opt::<_, Float64Type>(|units| float_of(units, *scale)))
        }
        (DataType::Decimal128(_, scale), DataType::Int64) => {
            let units = array.as_primitive::<Decimal128Type>();
            Arc::new(units.unary_opt::<_, Int64Type>(|units| whole_decimal(units, *scale)))
        }
        (DataType::Decimal128(_, scale), DataType::Boolean) => {
            let units = array.as_primitive::<Decimal128Type>().iter();
            let truth = |units: i128| truth_of(whole_decimal(units, *scale)?);
            Arc::new(units.map(|units| units.and_then(truth)).collect::<BooleanArray>())
        }
        (integer, DataType::Boolean) if integer.is_integer() => {
            let integers = cast(array, &DataType::Int64)?;
            let integers = integers.as_primitive::<Int64Type>().iter();
            Arc::new(integers.map(|integer| integer.and_then(truth_of)).collect::<BooleanArray>())
        }
        (DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View, DataType::Int64) => Arc::new(whole_texts(array)?),
        (DataType::Dictionary(_, words), to) if is_text(words) && to == &DataType::Int64 => {
            // Each word once, then the rows.
            let dictionary = array.as_any_dictionary();
            let words: ArrayRef = Arc::new(whole_texts(dictionary.values())?);
            cast(&dictionary.with_values(words), to)?
        }
        (_, _) => return Ok(None),
    }))
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

fn cast(array: &dyn Array, to: &DataType) -> Result<ArrayRef, ArrowError> {
    cast_with_options(array, to, &CastOptions { safe: true, ..CastOptions::default() })
}

/// Floats of fewer bits as the floats that have the same shortest decimals.
fn widened(array: &ArrayRef) -> Float64Array {
    match array.data_type() {
        DataType::Float16 => array.as_primitive::<Float16Type>().unary(|number| shortest_half(number.to_f64())),
        _ => array.as_primitive::<Float32Type>().unary(shortest_single),
    }
}

fn shortest_single(number: f32) -> f64 {
    let plain = f64::from(number);
    // Whole numbers of so few digits are their own shortest decimals; so are zero, NaN and the infinite.
    if !number.is_finite() || (plain.fract() == 0.0 && plain.abs() < 16_777_216.0) {
        return plain;
    }
    let mut digits = [0u8; 32];
    let mut left = &mut digits[..];
    match write!(left, "{number:e}") {
        Ok(()) => {
            let length = 32 - left.len();
            std::str::from_utf8(&digits[..length]).ok().and_then(|text| text.parse().ok()).unwrap_or(plain)
        }
        Err(_) => plain,
    }
}

/// A float of 16 bits has at most five digits: the first length that leads back to it is the shortest.
fn shortest_half(number: f64) -> f64 {
    type Half = <Float16Type as ArrowPrimitiveType>::Native;
    let candidates = (0..5).filter_map(|digits| format!("{number:.digits$e}").parse::<f64>().ok());
    let mut same = candidates.filter(|candidate| Half::from_f64(*candidate).to_f64() == number);
    same.next().unwrap_or(number)
}

/// The shortest decimals of floats, without exponents; NaN and the infinite are no decimals.
fn written(array: &ArrayRef) -> ArrayRef {
    let floats = array.as_primitive::<Float64Type>().iter();
    let texts = floats.map(|number| number.filter(|number| number.is_finite()).map(|number| number.to_string()));
    Arc::new(texts.collect::<StringArray>())
}

fn whole_float(number: f64) -> Option<i64> {
    // Both ends are floats; the upper one is the first that is too large.
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
    (fits && number.fract() == 0.0).then_some(number as i64)
}

fn wide_decimal(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let scale = match array.data_type() {
        DataType::Decimal32(_, scale) | DataType::Decimal64(_, scale) => *scale,
        _ => 0,
    };
    let units = match array.data_type() {
        DataType::Decimal32(_, _) => array.as_primitive::<Decimal32Type>().unary::<_, Decimal128Type>(i128::from),
        _ => array.as_primitive::<Decimal64Type>().unary::<_, Decimal128Type>(i128::from),
    };
    Ok(Arc::new(units.with_precision_and_scale(38, scale)?))
}

/// The float nearest to a decimal, rounded once.
fn float_of(units: i128, scale: i8) -> Option<f64> {
    if units.unsigned_abs() < 1 << 53 && (0..=22).contains(&scale) {
        // Both are floats as they are, and a division is rounded once.
        return Some(units as f64 / 10f64.powi(i32::from(scale)));
    }
    format!("{units}e{}", -i32::from(scale)).parse().ok()
}

fn whole_decimal(units: i128, scale: i8) -> Option<i64> {
    let power = 10i128.checked_pow(u32::from(scale.unsigned_abs()))?;
    let whole = if scale < 0 { units.checked_mul(power)? } else { (units % power == 0).then_some(units / power)? };
    i64::try_from(whole).ok()
}

fn truth_of(integer: i64) -> Option<bool> {
    match integer {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// Texts as integers: `7`, and also `7.0` and `7e0`, which say the same.
fn whole_texts(texts: &ArrayRef) -> Result<Int64Array, ArrowError> {
    let read = cast(texts, &DataType::Int64)?;
    let read = read.as_primitive::<Int64Type>();
    if read.null_count() == texts.null_count() {
        return Ok(read.clone());
    }
    let views = cast(texts, &DataType::Utf8View)?;
    let views: &StringViewArray = views.as_string_view();
    let pairs = read.iter().zip(views.iter());
    Ok(pairs.map(|(read, text)| read.or_else(|| text.and_then(whole_text))).collect())
}

/// A whole number that is written with a fraction of zeros or an exponent.
fn whole_text(text: &str) -> Option<i64> {
    // No whole number of 64 bits needs more, whoever writes it.
    if text.len() > 64 {
        return None;
    }
    let (negative, rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        None => (rest, 0),
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let significant = digits.trim_start_matches('0');
    let kept = significant.trim_end_matches('0');
    if kept.is_empty() {
        return Some(0);
    }
    // Both lengths are at most 64.
    let zeros = i64::from(exponent) - fraction.len() as i64 + (significant.len() - kept.len()) as i64;
    let zeros = usize::try_from(zeros).ok().filter(|zeros| *zeros <= 19)?;
    let number: i128 = format!("{}{kept}{}", if negative { "-" } else { "" }, "0".repeat(zeros)).parse().ok()?;
    i64::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Decimal128Array, Float32Array, Int32Array};
    use proptest::prelude::*;

    #[test]
    fn a_float_of_fewer_bits_means_its_shortest_decimal() {
        let singles: ArrayRef =
            Arc::new(Float32Array::from(vec![0.1, 0.3, 16_777_216.0, -0.0, f32::MAX, f32::MIN_POSITIVE]));
        let wide = read(&singles, &DataType::Float64).expect("read").expect("ours");
        assert_eq!(
            wide.as_primitive::<Float64Type>().values(),
            &[0.1, 0.3, 16_777_216.0, 0.0, 3.4028235e38, 1.1754944e-38]
        );
        assert_eq!(shortest_half(0.0999755859375), 0.1);
        assert_eq!(shortest_half(65504.0), 65500.0, "the largest: 65500 leads back to it");
    }

    #[test]
    fn only_whole_numbers_are_integers_however_they_are_stored() {
        for (text, expected) in [
            ("7", Some(7)),
            ("007", Some(7)),
            ("7.0", Some(7)),
            ("-7.000", Some(-7)),
            ("7e3", Some(7000)),
            ("70e-1", Some(7)),
            ("0e999", Some(0)),
            ("-0.0", Some(0)),
            ("9223372036854775807.0", Some(i64::MAX)),
            ("9223372036854775808.0", None),
            ("7.5", None),
            ("7e-1", None),
            ("1e19", None),
            ("1e2147483647", None),
            ("1e-2147483648", None),
            ("", None),
            (".", None),
            ("e5", None),
            ("7_0", None),
            ("0x7", None),
            ("seven", None),
        ] {
            let texts: ArrayRef = Arc::new(StringArray::from(vec![text]));
            let read = read(&texts, &DataType::Int64).expect("read").expect("ours");
            let read = read.as_primitive::<Int64Type>();
            assert_eq!(read.is_valid(0).then(|| read.value(0)), expected, "{text:?}");
        }
        assert_eq!(whole_float(7.0), Some(7));
        assert_eq!(whole_float(7.5), None);
        assert_eq!(whole_float(9.3e18), None);
        assert_eq!(whole_float(-9_223_372_036_854_775_808.0), Some(i64::MIN));
        assert_eq!(whole_float(f64::NAN), None);
        assert_eq!(whole_decimal(700, 2), Some(7));
        assert_eq!(whole_decimal(750, 2), None);
        assert_eq!(whole_decimal(7, -2), Some(700));
    }

    #[test]
    fn only_zero_and_one_are_truth_values() {
        let expected = BooleanArray::from(vec![Some(false), Some(true), None, None]);
        let integers: ArrayRef = Arc::new(Int32Array::from(vec![Some(0), Some(1), Some(2), None]));
        let floats: ArrayRef = Arc::new(Float64Array::from(vec![Some(-0.0), Some(1.0), Some(0.5), None]));
        let decimals = Decimal128Array::from(vec![Some(0), Some(10), Some(5), None]).with_precision_and_scale(5, 1);
        let decimals: ArrayRef = Arc::new(decimals.expect("decimals"));
        for numbers in [integers, floats, decimals] {
            let truths = read(&numbers, &DataType::Boolean).expect("read").expect("ours");
            assert_eq!(truths.as_boolean(), &expected, "{}", numbers.data_type());
        }
    }

    #[test]
    fn a_float_is_the_decimal_that_it_is_written_as() {
        let floats: ArrayRef = Arc::new(Float64Array::from(vec![0.285, 1e20, f64::NAN, 1e300]));
        let texts: ArrayRef = Arc::new(StringArray::from(vec!["0.285", "100000000000000000000", "NaN", "x"]));
        let to = DataType::Decimal128(38, 2);
        let read = read(&floats, &to).expect("read").expect("ours");
        assert_eq!(read.as_ref(), cast(&texts, &to).expect("read").as_ref());
    }

    proptest! {
        #[test]
        fn a_decimal_is_rounded_once(units in any::<i128>(), few in -1_000_000i128..1_000_000, scale in -10i8..38) {
            for units in [units, few] {
                let expected: f64 = format!("{units}e{}", -i32::from(scale)).parse().expect("a number");
                prop_assert_eq!(float_of(units, scale), Some(expected));
            }
        }

        #[test]
        fn what_is_written_is_what_was_stored(number in any::<f32>().prop_filter("finite", |number| number.is_finite())) {
            let printed: f64 = format!("{number}").parse().expect("a number");
            prop_assert_eq!(shortest_single(number), printed);
        }
    }
}
