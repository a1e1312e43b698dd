//! Fixed-width numbers in [0, 4) for long sums over laws: limbs on the stack, always rounded down.
//!
//! `Fixed<N>` has `64 N - 2` binary places. It must never wrap in silence: sums saturate at the largest value. It is
//! separate from `enclosure.rs` because a law has up to millions of cells. Read `incrowd-privacy`'s
//! `law/distribution.rs` next.

use crate::enclosure::Enclosure;
use dashu_int::{IBig, UBig};

/// A number in [0, 4), a whole multiple of `2^-(64 N - 2)`; limbs from the lowest to the highest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixed<const N: usize>([u64; N]);

impl<const N: usize> Fixed<N> {
    /// How many binary places there are.
    pub const BITS: usize = 64 * N - 2;
    /// Nothing.
    pub const ZERO: Self = Fixed([0; N]);

    /// The number one.
    pub fn one() -> Self {
        let mut limbs = [0; N];
        limbs[N - 1] = 1 << 62;
        Fixed(limbs)
    }

    /// So many units of the last place.
    pub fn units(count: u64) -> Self {
        let mut limbs = [0; N];
        limbs[0] = count;
        Fixed(limbs)
    }

    /// Returns the largest number of this kind that is not above the enclosed one (zero below zero).
    pub fn rounding_down(value: &Enclosure) -> Self {
        Self::from_units(value.with_bits(Self::BITS).low_units())
    }

    /// Returns a number of this kind that is not below the enclosed one.
    pub fn rounding_up(value: &Enclosure) -> Self {
        Self::from_units(value.with_bits(Self::BITS).high_units())
    }

    fn from_units(units: &IBig) -> Self {
        if units < &IBig::ZERO {
            return Self::ZERO;
        }
        let (_, magnitude) = units.clone().into_parts();
        let bytes = magnitude.to_le_bytes();
        if bytes.len() > 8 * N {
            return Fixed([u64::MAX; N]);
        }
        let mut limbs = [0u64; N];
        for (index, byte) in bytes.iter().enumerate() {
            limbs[index / 8] |= u64::from(*byte) << (8 * (index % 8));
        }
        Fixed(limbs)
    }

    /// Returns the exact value as whole units of `2^-BITS`.
    pub fn to_units(self) -> UBig {
        let bytes: Vec<u8> = self.0.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        UBig::from_le_bytes(&bytes)
    }

    /// Returns the sum; saturates.
    #[inline]
    pub fn plus(self, other: Self) -> Self {
        let mut limbs = self.0;
        let mut carry = false;
        for (limb, more) in limbs.iter_mut().zip(other.0) {
            let (sum, first) = limb.overflowing_add(more);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *limb = sum;
            carry = first | second;
        }
        if carry { Fixed([u64::MAX; N]) } else { Fixed(limbs) }
    }

    /// Returns the difference, or zero where it would be negative.
    #[inline]
    pub fn minus_or_zero(self, other: Self) -> Self {
        let mut limbs = self.0;
        let mut borrow = false;
        for (limb, less) in limbs.iter_mut().zip(other.0) {
            let (difference, first) = limb.overflowing_sub(less);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            *limb = difference;
            borrow = first | second;
        }
        if borrow { Self::ZERO } else { Fixed(limbs) }
    }

    /// Returns the product rounded down; saturates.
    #[inline]
    pub fn times_rounding_down(self, other: Self) -> Self {
        // Schoolbook product of 2N limbs, then a shift by 64 N - 2 places.
        let mut low = [0u64; N];
        let mut high = [0u64; N];
        for i in 0..N {
            let mut carry = 0u64;
            for j in 0..N {
                let at = i + j;
                let slot = if at < N { &mut low[at] } else { &mut high[at - N] };
                let wide = u128::from(self.0[i]) * u128::from(other.0[j]) + u128::from(*slot) + u128::from(carry);
                *slot = wide as u64;
                carry = (wide >> 64) as u64;
            }
            high[i] = carry;
        }
        if high[N - 1] >> 62 != 0 {
            return Fixed([u64::MAX; N]);
        }
        let mut limbs = [0; N];
        let mut below = low[N - 1];
        for i in 0..N {
            limbs[i] = (high[i] << 2) | (below >> 62);
            below = high[i];
        }
        Fixed(limbs)
    }

    /// Returns a float near the number, for first guesses and for showing only.
    pub fn to_f64(self) -> f64 {
        let mut value = 0.0;
        for limb in self.0 {
            value = (value + limb as f64) / 18_446_744_073_709_551_616.0;
        }
        value * 4.0
    }
}

impl<const N: usize> PartialOrd for Fixed<N> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Ord for Fixed<N> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_and_sums_agree_with_big_integers(a in any::<[u64; 4]>(), b in any::<[u64; 4]>()) {
            let (x, y) = (Fixed(a), Fixed(b));
            let top = UBig::from(4u8) << Fixed::<4>::BITS;
            let product: UBig = (x.to_units() * y.to_units()) >> Fixed::<4>::BITS;
            let largest = &top - UBig::ONE;
            prop_assert_eq!(x.times_rounding_down(y).to_units(), product.min(largest.clone()));
            prop_assert_eq!(x.plus(y).to_units(), (x.to_units() + y.to_units()).min(largest));
            let difference = if x > y { x.to_units() - y.to_units() } else { UBig::ZERO };
            prop_assert_eq!(x.minus_or_zero(y).to_units(), difference);
        }

        #[test]
        fn the_narrow_kind_agrees_too(a in any::<[u64; 2]>(), b in any::<[u64; 2]>()) {
            let (x, y) = (Fixed(a), Fixed(b));
            let largest = (UBig::from(4u8) << Fixed::<2>::BITS) - UBig::ONE;
            let product: UBig = (x.to_units() * y.to_units()) >> Fixed::<2>::BITS;
            prop_assert_eq!(x.times_rounding_down(y).to_units(), product.min(largest));
        }
    }

    #[test]
    fn one_times_one_is_one() {
        assert_eq!(Fixed::<4>::one().times_rounding_down(Fixed::one()), Fixed::one());
        assert_eq!(Fixed::<2>::one().to_f64(), 1.0);
    }
}
