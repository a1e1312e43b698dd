//! Noise on the grid place of a synthetic point.
//!
//! It must never see a coordinate, only whole steps: what is multiplied back afterwards was random before. It is
//! separate from `sampler.rs` because a point is published whatever its value. Read `incrowd-privacy`'s `points.rs` for
//! the grid.

use crate::bits::Bits;
use crate::laplace::DiscreteLaplace;
use crate::rate::RateError;
#[cfg(test)]
use crate::rate::Shape;
use incrowd_exact::Rational;

/// Moves points of one cell: every coordinate gets discrete Laplace noise of its own, all of one rate.
///
/// **Claim** (CB section 4, on the grid of `docs/errata.md` 4.5): an output `y` of a point `z` has probability `c
/// e^(-rate |y - z|)`, with `| |` the sum over the coordinates, so two points of a cell differ by a factor of at most
/// `e^(rate |z - z'|)`. With `rate = epsilon / radius` that is at most `e^epsilon`, reached by opposite corners.
/// Checked in `tests/laws/points.rs`.
pub struct PointNoise {
    /// None in a cell that has a single place.
    noise: Option<DiscreteLaplace>,
    dimensions: usize,
}

impl PointNoise {
    /// Returns the noise of a rate of at least 1e-15, or says why there is none; without a rate points stay where they
    /// are.
    pub fn new(rate: Option<&Rational>, dimensions: usize) -> Result<Self, RateError> {
        Ok(PointNoise { noise: rate.map(DiscreteLaplace::new).transpose()?, dimensions })
    }

    #[cfg(test)]
    fn with_shape(rate: &Rational, dimensions: usize, shape: Shape) -> Self {
        PointNoise { noise: Some(DiscreteLaplace::with_shape(rate, shape)), dimensions }
    }

    /// Appends the noisy place of a point to `out`, a number for each coordinate; at the ends of 64-bit integers it
    /// saturates.
    ///
    /// # Panics
    /// If the point has not as many coordinates as the noise.
    pub fn draw(&self, point: &[i64], bits: &mut impl Bits, out: &mut Vec<i64>) {
        assert_eq!(point.len(), self.dimensions, "a point has a number for each coordinate");
        match &self.noise {
            None => out.extend(point),
            Some(noise) => out.extend(point.iter().map(|coordinate| coordinate.saturating_add(noise.draw(bits)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::count_tapes;
    use crate::testing::{SeededBits, TapeBits};
    use incrowd_exact::testing::number;
    use incrowd_exact::{Enclosure, exp_neg};

    const PLACES: usize = 200;

    /// `((1-q)/(1+q))^2 q^(|x| + |y|)`.
    fn law(rate: &Rational, x: i64, y: i64) -> Enclosure {
        let q = exp_neg(rate, PLACES);
        let one = Enclosure::one(PLACES);
        let at_zero = one.minus(&q).over(&one.plus(&q));
        at_zero.power(2).times(&exp_neg(&(rate * Rational::from(x.abs() + y.abs())), PLACES))
    }

    #[test]
    fn a_point_of_a_cell_has_exactly_its_law_on_every_tape() {
        // Three by two places at epsilon 9: the rate is 3.
        let rate = number("3");
        let noise = PointNoise::with_shape(&rate, 2, Shape { word_bits: 9, base_bits: 2, tail: 2 });
        for (x, y) in [(0, 0), (2, 1)] {
            let counted = count_tapes(9, 2, |bits| {
                let mut out = Vec::new();
                noise.draw(&[x, y], bits, &mut out);
                (out[0], out[1])
            });
            assert!(counted.undecided() < number("1/30"), "{}", counted.undecided());
            assert!(counted.agrees_with(|(a, b)| law(&rate, a - x, b - y)));
            // The same noise twice, none at all on one coordinate, rates off, the wrong corner.
            assert!(!counted.agrees_with(|(a, b)| law(&rate, a - x, a - x - b + y)));
            assert!(!counted.agrees_with(|(a, _)| law(&rate, a - x, 0)));
            assert!(!counted.agrees_with(|(a, b)| law(&number("7/2"), a - x, b - y)));
            assert!(!counted.agrees_with(|(a, b)| law(&number("5/2"), a - x, b - y)));
            assert!(!counted.agrees_with(|(a, b)| law(&rate, a - 2 + x, b - 1 + y)));
        }
    }

    #[test]
    fn without_a_rate_points_stay_and_no_word_is_asked_for() {
        let mut bits = TapeBits::new(&[]);
        let mut out = vec![7];
        PointNoise::new(None, 2).expect("no noise").draw(&[i64::MAX, -3], &mut bits, &mut out);
        assert_eq!(out, [7, i64::MAX, -3]);
        assert!(!bits.is_exhausted());
    }

    #[test]
    fn the_ends_of_integers_are_not_passed() {
        let noise = PointNoise::new(Some(&number("1e-15")), 2).expect("a rate");
        let mut bits = SeededBits::from_seed(3);
        let mut out = Vec::new();
        (0..100).for_each(|_| noise.draw(&[i64::MAX, i64::MIN], &mut bits, &mut out));
        assert!(out.contains(&i64::MAX) && out.contains(&i64::MIN));
        assert!(out.chunks(2).all(|point| point[0] > 0 && point[1] < 0));
        assert_eq!(PointNoise::new(Some(&Rational::ZERO), 2).err(), Some(RateError::NotPositive));
    }

    #[test]
    #[should_panic(expected = "a number for each coordinate")]
    fn a_point_of_other_dimensions_is_a_mistake() {
        let noise = PointNoise::new(Some(&Rational::ONE), 2).expect("a rate");
        noise.draw(&[1], &mut SeededBits::from_seed(4), &mut Vec::new());
    }
}
