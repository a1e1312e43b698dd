//! A real number between two bounds, and `exp` with its remainder bounded.
//!
//! Every operation rounds outwards, so the true value never leaves the enclosure. It must never use a float.
//! It is separate from `fixed.rs` because it trades speed for unlimited precision. Read `fixed.rs` next.

use dashu_int::ops::{BitTest, DivEuclid};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::cmp::Ordering;

/// A real number known to lie between `low / 2^bits` and `high / 2^bits`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enclosure {
    low: IBig,
    high: IBig,
    bits: usize,
}

impl Enclosure {
    /// Returns the number zero.
    pub fn zero(bits: usize) -> Self {
        Self::integer(0, bits)
    }

    /// Returns the number one.
    pub fn one(bits: usize) -> Self {
        Self::integer(1, bits)
    }

    /// Returns a whole number.
    pub fn integer(value: i64, bits: usize) -> Self {
        let scaled = IBig::from(value) << bits;
        Enclosure { low: scaled.clone(), high: scaled, bits }
    }

    /// Returns the tightest enclosure of a rational.
    pub fn rational(value: &RBig, bits: usize) -> Self {
        let scaled = value.numerator().clone() << bits;
        let below = IBig::from(value.denominator().clone());
        Enclosure { low: floor_div(&scaled, &below), high: ceil_div(&scaled, &below), bits }
    }

    /// Returns what lies between two whole multiples of `2^-bits`.
    pub fn between(low: IBig, high: IBig, bits: usize) -> Self {
        assert!(low <= high, "an enclosure has its bounds in order");
        Enclosure { low, high, bits }
    }

    /// How many binary places the bounds have.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// The lower bound, in units of `2^-bits`.
    pub fn low_units(&self) -> &IBig {
        &self.low
    }

    /// The upper bound, in units of `2^-bits`.
    pub fn high_units(&self) -> &IBig {
        &self.high
    }

    /// Returns a rational that is not above the number.
    pub fn lower(&self) -> RBig {
        RBig::from_parts(self.low.clone(), UBig::ONE << self.bits)
    }

    /// Returns a rational that is not below the number.
    pub fn upper(&self) -> RBig {
        RBig::from_parts(self.high.clone(), UBig::ONE << self.bits)
    }

    /// Returns the sum.
    pub fn plus(&self, other: &Self) -> Self {
        self.same_bits(other);
        Enclosure { low: &self.low + &other.low, high: &self.high + &other.high, bits: self.bits }
    }

    /// Returns the difference.
    pub fn minus(&self, other: &Self) -> Self {
        self.same_bits(other);
        Enclosure { low: &self.low - &other.high, high: &self.high - &other.low, bits: self.bits }
    }

    /// Returns the product.
    pub fn times(&self, other: &Self) -> Self {
        self.same_bits(other);
        let products =
            [&self.low * &other.low, &self.low * &other.high, &self.high * &other.low, &self.high * &other.high];
        let low = products.iter().min().cloned().unwrap_or_default();
        let high = products.iter().max().cloned().unwrap_or_default();
        Enclosure { low: low >> self.bits, high: shift_up(high, self.bits), bits: self.bits }
    }

    /// Returns the product with a whole number.
    pub fn times_integer(&self, factor: i64) -> Self {
        let (a, b) = (&self.low * factor, &self.high * factor);
        if factor >= 0 {
            Enclosure { low: a, high: b, bits: self.bits }
        } else {
            Enclosure { low: b, high: a, bits: self.bits }
        }
    }

    /// Returns the quotient by a number that is surely positive.
    ///
    /// # Panics
    /// If the divisor's lower bound is not positive.
    pub fn over(&self, divisor: &Self) -> Self {
        self.same_bits(divisor);
        assert!(divisor.low > IBig::ZERO, "a divisor must be surely positive");
        let (low, high) = (&self.low << self.bits, &self.high << self.bits);
        let low_by = if self.low >= IBig::ZERO { &divisor.high } else { &divisor.low };
        let high_by = if self.high >= IBig::ZERO { &divisor.low } else { &divisor.high };
        Enclosure { low: floor_div(&low, low_by), high: ceil_div(&high, high_by), bits: self.bits }
    }

    /// Returns a non-negative number raised to a whole power.
    pub fn power(&self, exponent: u64) -> Self {
        let mut result = Enclosure::one(self.bits);
        let mut base = self.clone();
        let mut left = exponent;
        while left > 0 {
            if left & 1 == 1 {
                result = result.times(&base);
            }
            left >>= 1;
            if left > 0 {
                base = base.times(&base);
            }
        }
        result
    }

    /// Returns the number, or zero where it is negative.
    pub fn positive_part(&self) -> Self {
        Enclosure { low: self.low.clone().max(IBig::ZERO), high: self.high.clone().max(IBig::ZERO), bits: self.bits }
    }

    /// Returns the larger of two numbers.
    pub fn max(&self, other: &Self) -> Self {
        self.same_bits(other);
        Enclosure {
            low: (&self.low).max(&other.low).clone(),
            high: (&self.high).max(&other.high).clone(),
            bits: self.bits,
        }
    }

    /// Returns how the number compares with zero, or nothing where the bounds do not decide it.
    pub fn sign(&self) -> Option<Ordering> {
        if self.low > IBig::ZERO {
            Some(Ordering::Greater)
        } else if self.high < IBig::ZERO {
            Some(Ordering::Less)
        } else if self.low == IBig::ZERO && self.high == IBig::ZERO {
            Some(Ordering::Equal)
        } else {
            None
        }
    }

    /// Returns how the number compares with a rational, or nothing where the bounds do not decide it.
    pub fn compare(&self, other: &RBig) -> Option<Ordering> {
        if &self.lower() > other {
            Some(Ordering::Greater)
        } else if &self.upper() < other {
            Some(Ordering::Less)
        } else if self.low == self.high {
            Some(Ordering::Equal)
        } else {
            None
        }
    }

    /// Returns the same number with other bounds, never tighter than they were.
    pub fn with_bits(&self, bits: usize) -> Self {
        if bits >= self.bits {
            let up = bits - self.bits;
            Enclosure { low: &self.low << up, high: &self.high << up, bits }
        } else {
            let down = self.bits - bits;
            Enclosure { low: self.low.clone() >> down, high: shift_up(self.high.clone(), down), bits }
        }
    }

    /// Returns `exp(-x)` of a number that is not negative.
    pub fn exp_neg(&self) -> Self {
        let low = exp_neg(&self.upper().max(RBig::ZERO), self.bits);
        let high = exp_neg(&self.lower().max(RBig::ZERO), self.bits);
        Enclosure { low: low.low, high: high.high, bits: self.bits }
    }

    /// Returns a float near the number, for showing and for first guesses only.
    pub fn to_f64(&self) -> f64 {
        self.upper().to_f64().value()
    }

    fn same_bits(&self, other: &Self) {
        assert_eq!(self.bits, other.bits, "enclosures are combined at one precision");
    }
}

/// Returns an enclosure of `exp(-x)` for `x >= 0`, a few units wide.
///
/// Halve `x` until it is at most 2^-8, sum the alternating series `sum (-y)^n / n!` (whose remainder is at most its
/// first omitted term), and square back. Each squaring at most doubles the error and adds two units, hence the guard
/// bits.
///
/// # Panics
/// If `x` is negative.
pub fn exp_neg(x: &RBig, bits: usize) -> Enclosure {
    assert!(x >= &RBig::ZERO, "exp_neg takes a non-negative number");
    if x == &RBig::ZERO {
        return Enclosure::one(bits);
    }
    // e^-x <= 2^-x, so beyond x > bits the value is below one unit.
    if x > &RBig::from(bits as u64) {
        return Enclosure { low: IBig::ZERO, high: IBig::ONE, bits };
    }
    let whole_bits = (x.clone().ceil()).into_parts().1.bit_len();
    let halvings = whole_bits + 8;
    let work = bits + halvings + 16;
    let y = Enclosure::rational(&(x / RBig::from(UBig::ONE << halvings)), work);
    let mut sum = Enclosure::one(work);
    let mut term = Enclosure::one(work);
    let mut n = 1u64;
    loop {
        term = term.times(&y);
        let below = IBig::from(n);
        term = Enclosure { low: floor_div(&term.low, &below), high: ceil_div(&term.high, &below), bits: work };
        if term.high <= IBig::ONE {
            sum = Enclosure { low: sum.low - &term.high, high: sum.high + &term.high, bits: work };
            break;
        }
        sum = if n % 2 == 1 { sum.minus(&term) } else { sum.plus(&term) };
        n += 1;
    }
    for _ in 0..halvings {
        sum = sum.times(&sum);
    }
    sum.with_bits(bits)
}

/// Returns an enclosure of `ln(x)` for `x > 0`.
///
/// Write `x = 2^n y` with `3/4 <= y < 3/2`; then `ln x = n ln 2 + 2 artanh((y-1)/(y+1))` and `ln 2 = 2 artanh(1/3)`.
///
/// # Panics
/// If `x` is not positive.
pub fn ln(x: &RBig, bits: usize) -> Enclosure {
    assert!(x > &RBig::ZERO, "ln takes a positive number");
    let work = bits + 32;
    let mut power = x.numerator().bit_len() as i64 - x.denominator().bit_len() as i64;
    let scaled = |power: i64| {
        let two = RBig::from(UBig::ONE << power.unsigned_abs() as usize);
        if power >= 0 { x / two } else { x * two }
    };
    if scaled(power) >= RBig::from_parts(3.into(), 2u8.into()) {
        power += 1;
    }
    if scaled(power) < RBig::from_parts(3.into(), 4u8.into()) {
        power -= 1;
    }
    let y = scaled(power);
    let z = (&y - RBig::ONE) / (&y + RBig::ONE);
    let ln_two = artanh(&RBig::from_parts(1.into(), 3u8.into()), work).times_integer(2);
    ln_two.times_integer(power).plus(&artanh(&z, work).times_integer(2)).with_bits(bits)
}

/// Returns an enclosure of `sum z^(2i+1) / (2i+1)` for `|z| <= 1/3`; the rest after a term is at most an eighth of it.
fn artanh(z: &RBig, bits: usize) -> Enclosure {
    let first = Enclosure::rational(z, bits);
    let square = first.times(&first);
    let mut power = first.clone();
    let mut sum = first;
    let mut odd = 1i64;
    while power.high.clone().max(-power.low.clone()) > IBig::ONE {
        power = power.times(&square);
        odd += 2;
        let below = IBig::from(odd);
        let term = Enclosure { low: floor_div(&power.low, &below), high: ceil_div(&power.high, &below), bits };
        sum = sum.plus(&term);
    }
    Enclosure { low: sum.low - IBig::ONE, high: sum.high + IBig::ONE, bits }
}

/// Returns `floor(value * exp(exponent))` exactly, for `exponent >= 0`.
///
/// `value * e^x` is irrational for rational `x != 0` and `value != 0` (Lindemann), so refining always decides.
pub fn floor_times_exp(value: &UBig, exponent: &RBig) -> UBig {
    if exponent == &RBig::ZERO || value == &UBig::ZERO {
        return value.clone();
    }
    // The result has about log2(value) + x/ln 2 bits; the enclosure of 1/e^-x must resolve below one unit of it.
    let growth = exponent.clone().ceil().into_parts().1;
    let growth = usize::try_from(&growth).unwrap_or(usize::MAX / 8) * 3 / 2 + 2;
    let mut bits = value.bit_len() + 2 * growth + 64;
    loop {
        let factor = Enclosure::one(bits).over(&exp_neg(exponent, bits));
        let value = IBig::from(value.clone());
        let low = (&factor.low * &value) >> bits;
        let high = (&factor.high * &value) >> bits;
        if low == high {
            return low.into_parts().1;
        }
        bits *= 2;
    }
}

/// Returns `ceil(value * exp(-exponent))` exactly, for `exponent >= 0`.
pub fn ceil_times_exp_neg(value: &UBig, exponent: &RBig) -> UBig {
    if exponent == &RBig::ZERO || value == &UBig::ZERO {
        return value.clone();
    }
    let mut bits = value.bit_len() + 64;
    loop {
        let factor = exp_neg(exponent, bits);
        let value = IBig::from(value.clone());
        let low = shift_up(&factor.low * &value, bits);
        let high = shift_up(&factor.high * &value, bits);
        // The product is positive, so its ceiling is at least one even where the lower bound is zero.
        if low == high || (low == IBig::ZERO && high == IBig::ONE) {
            return high.into_parts().1;
        }
        bits *= 2;
    }
}

/// Rounds `value / 2^bits` up.
fn shift_up(value: IBig, bits: usize) -> IBig {
    -((-value) >> bits)
}

fn floor_div(above: &IBig, below: &IBig) -> IBig {
    // Euclidean division by a positive number is floor division.
    above.div_euclid(below)
}

fn ceil_div(above: &IBig, below: &IBig) -> IBig {
    -((-above).div_euclid(below))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::number;
    use proptest::prelude::*;

    #[test]
    fn exp_encloses_digits_published_elsewhere() {
        // e^-1, e^-1/2 and e^-10 to 40 and more places, from tables of constants.
        for (x, from, to) in [
            ("1", "0.3678794411714423215955237701614608674458", "0.3678794411714423215955237701614608674459"),
            ("1/2", "0.6065306597126334236037995349911804534419", "0.6065306597126334236037995349911804534420"),
            ("10", "0.00004539992976248485153559151556055061023791", "0.00004539992976248485153559151556055061023792"),
        ] {
            let enclosed = exp_neg(&number(x), 256);
            assert!(enclosed.lower() > number(from) && enclosed.upper() < number(to), "{x}");
        }
    }

    #[test]
    fn ln_undoes_exp_and_encloses_published_digits() {
        let two = ln(&number("2"), 256);
        assert!(two.lower() > number("0.6931471805599453094172321214581765680755"));
        assert!(two.upper() < number("0.6931471805599453094172321214581765680756"));
        for x in ["1", "3/2", "3/4", "1e-30", "12345.678", "1e300"] {
            let back = ln(&(RBig::ONE / number(x)), 200).plus(&ln(&number(x), 200));
            assert_eq!(back.sign().map(|_| ()), back.compare(&RBig::ZERO).map(|_| ()), "{x}");
            assert!(back.lower() <= RBig::ZERO && back.upper() >= RBig::ZERO, "{x}");
        }
        let x = number("7/3");
        let around = ln(&(RBig::ONE / exp_neg(&x, 300).lower()), 200);
        assert!((around.lower() - x.clone()) < number("1e-50") && (x - around.upper()) < number("1e-50"));
    }

    #[test]
    fn shifts_round_towards_minus_infinity() {
        assert_eq!(IBig::from(-5) >> 1, IBig::from(-3));
        assert_eq!(shift_up(IBig::from(-5), 1), IBig::from(-2));
        assert_eq!(shift_up(IBig::from(5), 1), IBig::from(3));
    }

    #[test]
    fn floors_and_ceilings_of_products_with_e_are_exact() {
        // 10^20 e = 271828182845904523536.02..., 10^20 / e = 36787944117144232159.55...
        let value = UBig::from(10u8).pow(20);
        assert_eq!(floor_times_exp(&value, &RBig::ONE).to_string(), "271828182845904523536");
        assert_eq!(ceil_times_exp_neg(&value, &RBig::ONE).to_string(), "36787944117144232160");
        assert_eq!(ceil_times_exp_neg(&UBig::ONE, &number("400")), UBig::ONE);
        assert_eq!(floor_times_exp(&UBig::ZERO, &RBig::ONE), UBig::ZERO);
    }

    proptest! {
        #[test]
        fn exp_turns_sums_into_products(a in 0u32..3_000_000, b in 0u32..3_000_000) {
            let (x, y) = (RBig::from(a) / RBig::from(100_000u32), RBig::from(b) / RBig::from(100_000u32));
            let product = exp_neg(&x, 200).times(&exp_neg(&y, 200));
            let direct = exp_neg(&(x + y), 200);
            prop_assert!(product.low_units() <= direct.high_units() && direct.low_units() <= product.high_units());
            prop_assert!(direct.high_units() - direct.low_units() <= IBig::from(2));
        }

        #[test]
        fn quotients_undo_products(a in -1_000_000i64..1_000_000, b in 1i64..1_000_000) {
            let (x, y) = (Enclosure::integer(a, 64), Enclosure::integer(b, 64));
            let back = x.times(&y).over(&y);
            prop_assert!(back.low_units() <= x.low_units() && x.high_units() <= back.high_units());
        }
    }
}
