//! What the papers' own theorems take and give, with their corrections, to be shown beside the exact account.
//!
//! A theorem is a certificate by proof: it names the notion, the parameters it needs and the delta it allows; it must
//! never be quoted in a printed version that `docs/errata.md` finds wrong. It is separate because exact accounting does
//! not need it. Read `search.rs` for the parameters that are really used.

use crate::curve::{Curve, Epsilon};
use crate::mechanism::lower_bound::Bound;
use crate::mechanism::{Mechanism, Universe};
use incrowd_exact::{Integer, Rational, ln, rational_text};

/// A statement from the literature about a mechanism.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theorem {
    /// Where it stands.
    pub source: &'static str,
    /// What it says here, in words.
    pub statement: String,
    /// The parameters it would take for the asked delta, by their names in a request.
    pub parameters: Vec<(&'static str, Vec<i64>)>,
}

impl Mechanism {
    /// Returns what the statement takes for granted, each in a sentence; all of it is so in the code that runs.
    pub fn theorem_assumptions(&self, universe: Universe) -> Vec<&'static str> {
        let mut lines = vec![
            "one person changes the count of each of her bins by one",
            "every bin draws on its own, with fresh noise",
        ];
        if universe == Universe::Open {
            lines.push("a bin that nobody is in is never shown");
        }
        match self {
            Mechanism::TailoredGeometric { .. } => {
                lines.push(
                    "epsilon does not fall with the count, and small values under an epsilon of 0 are one outcome",
                );
            }
            Mechanism::Relay { .. } => {
                lines.push("what is drawn from are the whole numbers of the table, which add up to 2^128")
            }
            Mechanism::SuppressBelow { .. } | Mechanism::SuppressUpTo { .. } => {
                lines.push("what is suppressed looks the same at every count");
            }
            Mechanism::NoiseBelow { .. } | Mechanism::NoiseUpTo { .. } => {
                lines.push("nothing tells whether noise was added");
                lines.push("the noise is discrete Laplace on whole numbers, where the paper adds continuous noise");
            }
            Mechanism::Geometric { .. } | Mechanism::GroupGeometric { .. } => {
                lines.push("the noise is discrete Laplace on whole numbers");
            }
            Mechanism::NoisySuppress { .. } | Mechanism::NoisyNoise { .. } | Mechanism::Staircase { .. } => {
                lines.push("the noise is discrete Laplace and offsets are whole numbers, for which the paper's constants are corrected; the account is of the offsets that ran");
                lines.push("each level adds noise of its own");
            }
            Mechanism::General { .. } => {
                lines.push("epsilon-a is above 0 and at most the smallest epsilon; the drawn epsilon is rounded down to its grid");
                lines.push("the noise of the draw fits how much one person moves what it is added to: for smooth bounds certified count by count");
            }
            Mechanism::Fading { .. } => {
                lines.push("the rate of the noise is that of the true count; the account compares the laws themselves")
            }
            Mechanism::Threshold { .. } => lines.push("the threshold is a function of the request alone"),
            Mechanism::Range { .. } => lines.push("a range is shown only if it holds the true count"),
        }
        lines
    }
}

const BITS: usize = 192;

/// Returns `ceil(factor * ln(x) / epsilon)` for `x >= 1`, never too small.
pub fn ceil_ln_over(x: &Rational, factor: &Rational, epsilon: &Epsilon) -> i64 {
    match epsilon {
        Epsilon::Infinite => 0,
        Epsilon::Finite(epsilon) => {
            let value = ln(x, BITS).upper().max(Rational::ZERO) * factor / epsilon;
            i64::try_from(&value.ceil()).unwrap_or(i64::MAX / 4)
        }
    }
}

/// Returns the levels of OP Theorem 18 at `alpha = ln(l / delta)`: `k_i + a_0 + ... + a_{i-1}`, `a_j =
/// ceil(alpha/eps_j)`.
pub fn staircase_levels(thresholds: &[u64], epsilons: &[Epsilon], delta: &Rational) -> Vec<i64> {
    let x = Rational::from(thresholds.len() as u64) / delta;
    let mut offset = 0i64;
    let levels = thresholds.iter().zip(epsilons).map(|(threshold, epsilon)| {
        offset = offset.saturating_add(ceil_ln_over(&x, &Rational::ONE, epsilon));
        i64::try_from(*threshold).unwrap_or(i64::MAX / 4).saturating_add(offset)
    });
    levels.collect()
}

/// Returns the offset of OP Theorem 15 at `alpha = ln(1 / (2 delta))`.
pub fn suppress_offset(epsilon: &Rational, delta: &Rational) -> i64 {
    ceil_ln_over(&(Rational::ONE / (Rational::from(2u8) * delta)), &Rational::ONE, &Epsilon::Finite(epsilon.clone()))
}

/// Returns the offset of OP Theorem 16 at `alpha = ln(1 / delta)`.
pub fn noise_offset(epsilon: &Rational, delta: &Rational) -> i64 {
    ceil_ln_over(&(Rational::ONE / delta), &Rational::ONE, &Epsilon::Finite(epsilon.clone()))
}

/// Returns the threshold of SSB Theorem 5, `1 + (1 + gamma) ln(1/delta) / eps`, rounded up.
pub fn printed_threshold(epsilon: &Rational, delta: &Rational, gamma: &Rational) -> i64 {
    ceil_ln_over(&(Rational::ONE / delta), &(Rational::ONE + gamma), &Epsilon::Finite(epsilon.clone()))
        .saturating_add(1)
}

/// Returns the half width of SSB section 6.3, `ln(bins / delta) / eps`, rounded up.
pub fn printed_half_width(epsilon: &Rational, delta: &Rational, bins: u128) -> i64 {
    let bins = Rational::from(Integer::from(bins));
    ceil_ln_over(&(bins / delta), &Rational::ONE, &Epsilon::Finite(epsilon.clone()))
}

/// Returns the publication threshold of SSB section 6.1, `ln(bins / failure) / eps`, rounded up: above it no empty bin
/// of a declared universe shows, but for a chance of `failure`.
pub fn printed_sparse_threshold(epsilon: &Rational, failure: &Rational, bins: u128) -> i64 {
    printed_half_width(epsilon, failure, bins)
}

impl Mechanism {
    /// Returns what the literature says of this mechanism under a promise; `bins` is the size of the universe, if
    /// known.
    pub fn theorem(&self, curve: &Curve, thresholds: &[u64], delta: &Rational, bins: Option<u128>) -> Theorem {
        let some_delta = delta > &Rational::ZERO;
        let plain = |source, statement: String| Theorem { source, statement, parameters: Vec::new() };
        match self {
            Mechanism::TailoredGeometric { .. } => plain(
                "incrowd, claim 1",
                "neighbouring laws differ by exactly e^eps(k) at every count: delta 0 where bins are declared; where they are found, the first person costs the chance of passing the threshold".into(),
            ),
            Mechanism::Relay { .. } => plain(
                "incrowd, claim 2",
                "meets the curve and delta at every step, on the integers that are drawn from".into(),
            ),
            Mechanism::SuppressBelow { crowd } => {
                plain("CB section 3.1", format!("({crowd}, 0)-crowd-blending privacy, delta 0"))
            }
            Mechanism::NoiseBelow { crowd, epsilon } => {
                plain("CB section 3.1", format!("({crowd}, {})-crowd-blending privacy, delta 0", rational_text(epsilon)))
            }
            Mechanism::SuppressUpTo { group } => {
                plain("OP Example 2, Theorem 8", format!("({group}, 0)-simple outlier privacy, delta 0"))
            }
            Mechanism::NoiseUpTo { group, epsilon } => plain(
                "OP Example 3, Theorem 9",
                format!("({group}, {})-simple outlier privacy, delta 0", rational_text(epsilon)),
            ),
            Mechanism::Geometric { epsilon } => {
                plain("Ghosh, Roughgarden & Sundararajan", format!("{}-differential privacy", rational_text(epsilon)))
            }
            Mechanism::GroupGeometric { group, epsilon } => plain(
                "OP Example 6",
                format!("{}-differential privacy for any {group} people together", rational_text(epsilon)),
            ),
            Mechanism::NoisySuppress { epsilon, .. } => Theorem {
                source: "OP Example 4, Theorem 15",
                statement: "simple outlier differential privacy with delta e^-alpha/2, offset ceil(alpha/eps)".into(),
                parameters: given(some_delta, "offset", || vec![suppress_offset(epsilon, delta)]),
            },
            Mechanism::NoisyNoise { epsilon, .. } => Theorem {
                source: "OP Example 5, Theorem 16",
                statement: "simple outlier differential privacy with delta e^-alpha, offset ceil(alpha/eps)".into(),
                parameters: given(some_delta, "offset", || vec![noise_offset(epsilon, delta)]),
            },
            Mechanism::Staircase { epsilons, .. } => Theorem {
                source: "OP Example 7, Theorem 18",
                statement: "staircase outlier privacy with delta l e^-alpha, levels k_i + a_0 + ... + a_(i-1)".into(),
                parameters: given(some_delta, "levels", || staircase_levels(thresholds, epsilons, delta)),
            },
            Mechanism::General { bound, .. } => plain(
                "OP Example 8, Theorem 20",
                match bound.parameters().bound {
                    Bound::NoiseOnCount | Bound::GlobalEpsilon | Bound::GlobalInverse => {
                        "outlier privacy with delta e^-alpha/2, that of a drawn epsilon above the curve".to_string()
                    }
                    Bound::SmoothEpsilon | Bound::SmoothInverse => {
                        "outlier privacy with delta e^-alpha/2 + delta-a, the draw certified at every count".to_string()
                    }
                },
            ),
            Mechanism::Fading { .. } => plain(
                "LN Theorem 8, corrected",
                "for every lambda > 0 it meets c times the notes' curve with delta e^(-lambda t eps), c = 1 + lambda + 1/(t eps); never at c = 1".into(),
            ),
            Mechanism::Threshold { epsilon, .. } => Theorem {
                source: "SSB Theorem 5",
                statement: "plain differential privacy at its own epsilon, with threshold 1 + (1 + gamma) ln(1/delta)/eps; gamma = 1/100 here".into(),
                parameters: given(some_delta, "threshold", || {
                    let gamma = Rational::ONE / Rational::from(100u8);
                    vec![printed_threshold(epsilon, delta, &gamma)]
                }),
            },
            Mechanism::Range { epsilon, .. } => Theorem {
                source: "SSB Theorem 2, corrected",
                statement: match bins {
                    Some(bins) => format!("(eps, delta)-differential privacy with half width ln(d/delta)/eps for d = {bins} bins"),
                    None => "(eps, delta)-differential privacy with half width ln(d/delta)/eps; d = 1 here".to_string(),
                },
                parameters: given(some_delta, "half-width", || vec![printed_half_width(epsilon, delta, bins.unwrap_or(1))]),
            },
        }
        .with_curve_note(curve)
    }
}

impl Theorem {
    fn with_curve_note(mut self, curve: &Curve) -> Self {
        if curve.last_finite().is_some() {
            self.statement.push_str("; large groups are shown exactly");
        }
        self
    }
}

fn given(known: bool, name: &'static str, values: impl FnOnce() -> Vec<i64>) -> Vec<(&'static str, Vec<i64>)> {
    if known { vec![(name, values())] } else { Vec::new() }
}
