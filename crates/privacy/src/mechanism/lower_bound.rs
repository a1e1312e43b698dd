//! A private lower bound on epsilon: OP Example 8, with its five ways and their corrections.
//!
//! Each way adds discrete Laplace noise to one whole number and reads an epsilon off the result, so that epsilon
//! exceeds `eps(k)` only rarely; it must never round an epsilon up. It is separate because the mechanism `general`
//! alone uses it. Read `two_sided.rs` for its law and `account/drawn_epsilon.rs` for what it costs.

use crate::curve::{Curve, Epsilon, Level};
use crate::precision::places_for;
use crate::two_sided::TwoSided;
use incrowd_exact::{Enclosure, Integer, Rational, exp_neg, ln};
use std::fmt;

/// OP Example 8's five private lower bounds on epsilon, corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// 1: noise on the count.
    NoiseOnCount,
    /// 2: noise on epsilon, by its global sensitivity.
    GlobalEpsilon,
    /// 3: noise on epsilon, by its smooth sensitivity.
    SmoothEpsilon,
    /// 4: noise on 1/epsilon, by its global sensitivity.
    GlobalInverse,
    /// 5: noise on 1/epsilon, by its smooth sensitivity.
    SmoothInverse,
}

impl Bound {
    /// All five, in the paper's order.
    pub const ALL: [Bound; 5] =
        [Bound::NoiseOnCount, Bound::GlobalEpsilon, Bound::SmoothEpsilon, Bound::GlobalInverse, Bound::SmoothInverse];

    /// Returns the name in a request.
    pub fn name(self) -> &'static str {
        match self {
            Bound::NoiseOnCount => "noise-on-count",
            Bound::GlobalEpsilon => "global-epsilon",
            Bound::SmoothEpsilon => "smooth-epsilon",
            Bound::GlobalInverse => "global-inverse",
            Bound::SmoothInverse => "smooth-inverse",
        }
    }
}

/// Counts up to which curves are followed one by one here.
const MAX_COUNTS: u64 = 1 << 17;
/// Counts over which a smooth sensitivity may fade.
const MAX_SMOOTH: u64 = 2_000;
/// Smooth sensitivities are kept in whole multiples of one over this.
const SENSITIVITY_PARTS: u64 = 1 << 10;

/// What the steward gives for a lower bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundParameters {
    /// Which of the five.
    pub bound: Bound,
    /// Spent on drawing epsilon; the curve must never be below it.
    pub epsilon_a: Rational,
    /// For the smooth bounds: what the drawing may fail with.
    pub delta_a: Option<Rational>,
    /// Step of the grid on which epsilon, or its inverse, is kept.
    pub grid: Rational,
    /// How far the bound is kept below its aim, in units of the noise.
    pub alpha: Rational,
}

/// Why there is no such bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoundError {
    /// `epsilon-a` must be above zero and nowhere above the curve.
    EpsilonA,
    /// `alpha` must be above zero.
    Alpha,
    /// `grid` must be above zero.
    Grid,
    /// Bounds 2 and 3 need a finite curve.
    InfiniteCurve,
    /// The curve must stop growing, and soon enough.
    Endless,
    /// The smooth bounds need `delta-a` between 0 and 1.
    DeltaA,
    /// A smooth bound changes over too many counts to be certified at each.
    Slow,
    /// The smooth bound is not as private as it must be.
    NotCertified {
        /// The first count at which it is not.
        count: u64,
    },
}

impl fmt::Display for BoundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoundError::EpsilonA => {
                f.write_str("`epsilon-a` must be above 0 and at most the curve's smallest epsilon, of which it is a part")
            }
            BoundError::Alpha => f.write_str("`alpha` must be above 0"),
            BoundError::Grid => f.write_str("`grid` must be above 0"),
            BoundError::InfiniteCurve => f.write_str(
                "this bound adds noise to epsilon itself and needs a finite curve; use `noise-on-count` or `global-inverse`, or cap the curve",
            ),
            BoundError::Endless => {
                write!(f, "this bound follows the curve count by count, and needs one that is constant from {MAX_COUNTS} on; add a cap")
            }
            BoundError::DeltaA => f.write_str("the smooth bounds need `delta-a`, above 0 and below 1"),
            BoundError::Slow => write!(
                f,
                "this smooth bound changes over more than {MAX_SMOOTH} counts, too many to certify one by one; use a coarser `grid`, a larger `epsilon-a`, or `noise-on-count`"
            ),
            BoundError::NotCertified { count } => write!(
                f,
                "this smooth bound could not be certified: at {count} people its draw differs by more than (`epsilon-a`, `delta-a`); use `noise-on-count`"
            ),
        }
    }
}

impl std::error::Error for BoundError {}

/// A private draw of `eps_total`, a lower bound on `eps(k)`.
#[derive(Debug, Clone)]
pub struct LowerBound {
    curve: Curve,
    parameters: BoundParameters,
    noise: Noise,
    last_change: u64,
}

/// How wide the noise is, and how far the aim is shifted against it.
#[derive(Debug, Clone)]
enum Noise {
    /// The same at every count.
    Global { rate: Epsilon, shift: i64 },
    /// By the smooth sensitivity at 0, 1, 2, ... in parts; two beyond the list.
    Smooth { parts: Vec<u64> },
}

impl LowerBound {
    /// Returns the bound for a curve, checked; a smooth one is certified at every count.
    pub fn new(curve: &Curve, parameters: BoundParameters) -> Result<Self, BoundError> {
        let zero = Rational::ZERO;
        if !(parameters.epsilon_a > zero && Epsilon::Finite(parameters.epsilon_a.clone()) <= curve.epsilon(1)) {
            return Err(BoundError::EpsilonA);
        }
        if parameters.alpha <= zero {
            return Err(BoundError::Alpha);
        }
        if parameters.grid <= zero {
            return Err(BoundError::Grid);
        }
        let last_change = curve.constant_from().filter(|from| *from <= MAX_COUNTS).ok_or(BoundError::Endless)?;
        let aims_at_epsilon = match parameters.bound {
            Bound::GlobalEpsilon | Bound::SmoothEpsilon => true,
            Bound::NoiseOnCount | Bound::GlobalInverse | Bound::SmoothInverse => false,
        };
        if aims_at_epsilon && curve.supremum() == Epsilon::Infinite {
            return Err(BoundError::InfiniteCurve);
        }
        let noise = Noise::Global { rate: Epsilon::Infinite, shift: 0 };
        let mut bound = LowerBound { curve: curve.clone(), parameters, noise, last_change };
        bound.noise = bound.fitting_noise()?;
        if let Noise::Smooth { parts } = &bound.noise {
            bound.last_change = bound.last_change.max(parts.len() as u64);
            bound.certify()?;
        }
        Ok(bound)
    }

    /// Returns the smallest step of alpha that changes anything: one unit of the shift, or an eighth for smooth bounds.
    pub fn alpha_step(&self) -> Rational {
        match &self.noise {
            Noise::Global { rate: Epsilon::Finite(rate), .. } => rate.clone(),
            Noise::Global { rate: Epsilon::Infinite, .. } => Rational::ONE,
            Noise::Smooth { .. } => Rational::ONE / Rational::from(8u8),
        }
    }

    /// What the steward gave.
    pub fn parameters(&self) -> &BoundParameters {
        &self.parameters
    }

    /// The curve whose values are bounded.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// The first count from which on neither the aim nor the noise changes.
    pub fn constant_from(&self) -> u64 {
        self.last_change
    }

    /// The first count from which on no step costs more than the one before, under a promise.
    ///
    /// Noise on the count keeps moving beyond the last change; under the bound's own curve that costs nothing there.
    pub(crate) fn settled_from(&self, curve: &Curve) -> u64 {
        match (&self.noise, self.parameters.bound) {
            (Noise::Global { .. }, Bound::NoiseOnCount) if self.curve.is_at_most(curve) => self.last_change,
            (Noise::Global { shift, .. }, Bound::NoiseOnCount) => {
                let reach = (Rational::from(110u8) / &self.parameters.epsilon_a).ceil();
                let reach = u64::try_from(&reach).unwrap_or(u64::MAX / 4);
                self.last_change.saturating_add(u64::try_from(*shift).unwrap_or(0)).saturating_add(reach)
            }
            (
                Noise::Global { .. },
                Bound::GlobalEpsilon | Bound::SmoothEpsilon | Bound::GlobalInverse | Bound::SmoothInverse,
            )
            | (
                Noise::Smooth { .. },
                Bound::NoiseOnCount
                | Bound::GlobalEpsilon
                | Bound::SmoothEpsilon
                | Bound::GlobalInverse
                | Bound::SmoothInverse,
            ) => self.last_change,
        }
    }

    /// Returns the law of the whole number from which epsilon is read.
    pub fn number(&self, count: u64) -> TwoSided {
        let aim = self.aim(count);
        let (rate, shift) = self.rate_and_shift(count);
        let centre = match self.parameters.bound {
            Bound::NoiseOnCount | Bound::GlobalEpsilon | Bound::SmoothEpsilon => aim.saturating_sub(shift),
            Bound::GlobalInverse | Bound::SmoothInverse => aim.saturating_add(shift),
        };
        TwoSided { centre, rate }
    }

    /// Returns the epsilon that a drawn number stands for: `eps_total`, never below `epsilon_a`.
    pub fn epsilon_total(&self, number: i64) -> Epsilon {
        let least = Epsilon::Finite(self.parameters.epsilon_a.clone());
        let grid = &self.parameters.grid;
        match self.parameters.bound {
            Bound::NoiseOnCount => self.curve.epsilon(u64::try_from(number).unwrap_or(0).max(1)),
            Bound::GlobalEpsilon | Bound::SmoothEpsilon => {
                Epsilon::Finite(grid * Rational::from(Integer::from(number))).max(least)
            }
            Bound::GlobalInverse | Bound::SmoothInverse if number <= 0 => Epsilon::Infinite,
            Bound::GlobalInverse | Bound::SmoothInverse => {
                Epsilon::Finite(Rational::ONE / (grid * Rational::from(Integer::from(number)))).max(least)
            }
        }
    }

    /// Returns what is left for the count once epsilon was drawn: `eps_total - epsilon_a`.
    pub fn left_for_the_count(&self, epsilon_total: &Epsilon) -> Epsilon {
        match epsilon_total {
            Epsilon::Finite(total) => Epsilon::Finite(total - &self.parameters.epsilon_a),
            Epsilon::Infinite => Epsilon::Infinite,
        }
    }

    /// Returns a number that no rate which this bound leads to is below: of the draw itself or of the noise on the
    /// count.
    pub fn smallest_rate(&self) -> Rational {
        let mut least = Rational::ONE;
        let mut take = |rate: &Epsilon| {
            if let Epsilon::Finite(rate) = rate
                && rate > &Rational::ZERO
                && rate < &least
            {
                least = rate.clone();
            }
        };
        for count in 0..=self.last_change + 1 {
            take(&self.number(count).rate);
            if self.parameters.bound == Bound::NoiseOnCount {
                take(&self.left_for_the_count(&self.curve.epsilon(count.max(1))));
            }
        }
        // On a grid, what is left is smallest next to the stretch that is suppressed.
        let edge = match self.parameters.bound {
            Bound::NoiseOnCount => 0,
            Bound::GlobalEpsilon | Bound::SmoothEpsilon => self.stretch_end(0) + 1,
            Bound::GlobalInverse | Bound::SmoothInverse => {
                let lumped = (Rational::ONE / (&self.parameters.epsilon_a * &self.parameters.grid)).ceil();
                i64::try_from(&lumped).unwrap_or(i64::MAX / 4) - 1
            }
        };
        if self.parameters.bound != Bound::NoiseOnCount {
            take(&self.left_for_the_count(&self.epsilon_total(edge)));
        }
        least
    }

    /// Returns the stretches `(from, to, epsilon)` of numbers from `low` to `high` with one epsilon each.
    pub fn stretches(&self, low: i64, high: i64) -> Vec<(i64, i64, Epsilon)> {
        self.stretches_limited(low, high, usize::MAX).unwrap_or_default()
    }

    /// Returns the stretches, or nothing if there are more than `most`.
    pub fn stretches_limited(&self, low: i64, high: i64, most: usize) -> Option<Vec<(i64, i64, Epsilon)>> {
        let mut found: Vec<(i64, i64, Epsilon)> = Vec::new();
        let mut at = low;
        while at <= high {
            let end = self.stretch_end(at).min(high);
            let epsilon = self.epsilon_total(at);
            match found.last_mut() {
                Some(last) if last.2 == epsilon => last.1 = end,
                Some(_) | None => found.push((at, end, epsilon)),
            }
            if found.len() > most {
                return None;
            }
            at = end + 1;
        }
        Some(found)
    }

    /// Returns the last number that surely has the same epsilon as `number`.
    fn stretch_end(&self, number: i64) -> i64 {
        match self.parameters.bound {
            Bound::NoiseOnCount => {
                let count = u64::try_from(number).unwrap_or(0).max(1);
                let run = self.curve.run_of(count);
                match (&run.level, run.to) {
                    (Level::Constant(_), None) => i64::MAX - 1,
                    (Level::Constant(_), Some(to)) => i64::try_from(to).unwrap_or(i64::MAX - 1),
                    (Level::Proportional(_), _) => number.max(1),
                }
            }
            Bound::GlobalEpsilon | Bound::SmoothEpsilon => {
                let lumped = (&self.parameters.epsilon_a / &self.parameters.grid).floor();
                number.max(i64::try_from(&lumped).unwrap_or(i64::MAX - 1))
            }
            Bound::GlobalInverse | Bound::SmoothInverse => {
                let lumped = (Rational::ONE / (&self.parameters.epsilon_a * &self.parameters.grid)).ceil();
                let lumped = i64::try_from(&lumped).unwrap_or(i64::MAX - 1);
                if number < 0 {
                    0
                } else if number >= lumped {
                    i64::MAX - 1
                } else {
                    number
                }
            }
        }
    }

    /// The whole number that stands for the truth: the count, `floor(eps/g)` or `ceil(1/(g eps))`.
    fn aim(&self, count: u64) -> i64 {
        let epsilon = self.curve.epsilon(count.max(1));
        let grid = &self.parameters.grid;
        let whole = |value: Integer| i64::try_from(&value).unwrap_or(i64::MAX / 4);
        match (self.parameters.bound, epsilon) {
            (Bound::NoiseOnCount, _) => i64::try_from(count).unwrap_or(i64::MAX / 4),
            (Bound::GlobalEpsilon | Bound::SmoothEpsilon, Epsilon::Finite(epsilon)) => whole((epsilon / grid).floor()),
            (Bound::GlobalInverse | Bound::SmoothInverse, Epsilon::Finite(epsilon)) => {
                whole((Rational::ONE / (grid * epsilon)).ceil())
            }
            (Bound::GlobalEpsilon | Bound::SmoothEpsilon, Epsilon::Infinite) => i64::MAX / 4,
            (Bound::GlobalInverse | Bound::SmoothInverse, Epsilon::Infinite) => 0,
        }
    }

    fn rate_and_shift(&self, count: u64) -> (Epsilon, i64) {
        match &self.noise {
            Noise::Global { rate, shift } => (rate.clone(), *shift),
            Noise::Smooth { parts } => {
                let parts = parts.get(usize::try_from(count).unwrap_or(usize::MAX)).copied();
                let sensitivity =
                    Rational::from(parts.unwrap_or(2 * SENSITIVITY_PARTS)) / Rational::from(SENSITIVITY_PARTS);
                let four = Rational::from(4u8) * sensitivity;
                let rate = &self.parameters.epsilon_a / &four;
                let shift = (&self.parameters.alpha * four / &self.parameters.epsilon_a).ceil();
                (Epsilon::Finite(rate), i64::try_from(&shift).unwrap_or(i64::MAX / 4))
            }
        }
    }

    fn fitting_noise(&self) -> Result<Noise, BoundError> {
        let BoundParameters { epsilon_a, alpha, .. } = &self.parameters;
        let global = |sensitivity: u64| {
            if sensitivity == 0 {
                return Noise::Global { rate: Epsilon::Infinite, shift: 0 };
            }
            let sensitivity = Rational::from(sensitivity);
            let shift = (alpha * &sensitivity / epsilon_a).ceil();
            let shift = i64::try_from(&shift).unwrap_or(i64::MAX / 4);
            Noise::Global { rate: Epsilon::Finite(epsilon_a / sensitivity), shift }
        };
        match self.parameters.bound {
            Bound::NoiseOnCount => Ok(global(1)),
            Bound::GlobalEpsilon | Bound::GlobalInverse => {
                let steps = (1..=self.last_change).map(|count| self.aim(count).abs_diff(self.aim(count - 1)));
                Ok(global(steps.max().unwrap_or(0)))
            }
            Bound::SmoothEpsilon | Bound::SmoothInverse => self.smooth_noise(),
        }
    }

    /// NRS07's smooth sensitivity in grid units, floored at two (`docs/errata.md` 1.2, 1.3), rounded up to whole parts.
    fn smooth_noise(&self) -> Result<Noise, BoundError> {
        let beta = self.smoothness()?;
        let bits = 96;
        let fade = exp_neg(&beta, bits);
        let local = |count: u64| {
            let here = self.aim(count);
            let down = if count == 0 { 0 } else { here.abs_diff(self.aim(count - 1)) };
            down.max(self.aim(count + 1).abs_diff(here))
        };
        let known = self.last_change + 1;
        let most = (0..=known).map(local).max().unwrap_or(0);
        // Beyond the last change the sensitivity fades by e^-beta per count until it is below two.
        let fading = Enclosure::integer(2, bits).over(&Enclosure::integer(most.max(2) as i64, bits));
        let mut needed = known + 1;
        let mut left = Enclosure::one(bits);
        while left.compare(&fading.lower()) != Some(std::cmp::Ordering::Less) {
            left = left.times(&fade);
            needed += 1;
            if needed > MAX_SMOOTH {
                return Err(BoundError::Slow);
            }
        }
        let mut sensitivity: Vec<Enclosure> = (0..needed)
            .map(|count| Enclosure::integer(if count <= known { local(count) as i64 } else { 0 }, bits))
            .collect();
        for count in 1..sensitivity.len() {
            sensitivity[count] = sensitivity[count].max(&sensitivity[count - 1].times(&fade));
        }
        for count in (1..sensitivity.len()).rev() {
            sensitivity[count - 1] = sensitivity[count - 1].max(&sensitivity[count].times(&fade));
        }
        let parts = sensitivity.iter().map(|value| {
            let scaled = (value.upper() * Rational::from(SENSITIVITY_PARTS)).ceil();
            u64::try_from(&scaled).unwrap_or(u64::MAX / 8).max(2 * SENSITIVITY_PARTS)
        });
        let mut parts: Vec<u64> = parts.collect();
        while parts.last() == Some(&(2 * SENSITIVITY_PARTS)) {
            parts.pop();
        }
        Ok(Noise::Smooth { parts })
    }

    /// `beta = min( eps_A/(2 ln(2/delta_A)), ln(1 + eps_A/(8 alpha)) )`, rounded down.
    fn smoothness(&self) -> Result<Rational, BoundError> {
        let BoundParameters { epsilon_a, alpha, delta_a, .. } = &self.parameters;
        let delta_a = delta_a.as_ref().filter(|delta| **delta > Rational::ZERO && **delta < Rational::ONE);
        let delta_a = delta_a.ok_or(BoundError::DeltaA)?;
        let bits = 96;
        let two = Rational::from(2u8);
        let first = Enclosure::rational(epsilon_a, bits).over(&ln(&(&two / delta_a), bits).times_integer(2));
        let second = ln(&(Rational::ONE + epsilon_a / (Rational::from(8u8) * alpha)), bits);
        Ok(first.lower().min(second.lower()))
    }

    /// Checks `(epsilon_a, delta_a)` for every step until neither the aim nor the noise changes (`docs/errata.md` 1.3).
    fn certify(&self) -> Result<(), BoundError> {
        let delta_a = self.parameters.delta_a.clone().ok_or(BoundError::DeltaA)?;
        for count in 1..=self.last_change + 1 {
            // Few places decide nearly always; where they do not, many do.
            let (here, before) = (self.number(count), self.number(count - 1));
            let rough =
                here.delta_in_places(&before, &self.parameters.epsilon_a, places_for(128, &self.parameters.epsilon_a));
            if rough.upper() > delta_a && self.step_delta(count).upper() > delta_a {
                return Err(BoundError::NotCertified { count });
            }
        }
        Ok(())
    }

    /// Returns how far the drawn numbers at `count` and `count - 1` are apart at `epsilon_a`, the worse direction.
    pub fn step_delta(&self, count: u64) -> Enclosure {
        self.number(count).delta(&self.number(count - 1), &self.parameters.epsilon_a)
    }
}
