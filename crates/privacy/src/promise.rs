//! Promises by their names in the literature, each a protection curve, and what follows from each.
//!
//! It must never let two definitions share a parameter by accident: outlier privacy counts groups *up to* `group`,
//! crowd- blending groups *below* `crowd`. It is separate from `curve.rs` because names carry assumptions that a curve
//! does not. Read `mechanism.rs` next.

use crate::curve::{Curve, CurveError, Epsilon, Level, Run};
use incrowd_exact::{Enclosure, Integer, Rational, exp_neg, rare_rounding_up, rational_text};
use std::fmt;

/// The largest number of separate values that a curve may have.
pub const MAX_CURVE_VALUES: u64 = 1 << 17;

/// What is promised to each person, by the size of her group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Promise {
    /// The same epsilon for everybody (Dwork, McSherry, Nissim & Smith).
    DifferentialPrivacy {
        /// For every group size.
        epsilon: Epsilon,
    },
    /// Any `group` people together are protected with `epsilon`: `epsilon / group` for each.
    Group {
        /// How many people together.
        group: u64,
        /// For all of them together.
        epsilon: Epsilon,
    },
    /// `epsilon` in groups of fewer than `crowd` people, nothing from there on (CB Definition 4).
    CrowdBlending {
        /// How many people make a crowd.
        crowd: u64,
        /// Below it.
        epsilon: Epsilon,
    },
    /// `epsilon / group` in groups of at most `group` people, nothing above (OP Definition 6).
    SimpleOutlier {
        /// The largest group that is protected.
        group: u64,
        /// For the whole group.
        epsilon: Epsilon,
    },
    /// `epsilon / group` in groups of at most `group` people, `epsilon` above (OP Definition 14).
    SimpleOutlierDp {
        /// The largest group with the stricter protection.
        group: u64,
        /// For a whole small group, and for one person in a large one.
        epsilon: Epsilon,
    },
    /// Level by level (OP Definition 17): the strictest level whose threshold the group does not exceed.
    Staircase {
        /// Group sizes, descending.
        thresholds: Vec<u64>,
        /// One more than thresholds, descending; the first holds above all thresholds.
        epsilons: Vec<Epsilon>,
    },
    /// `max(floor, slope * k)`, at most `cap` (OP 2.5).
    Linear {
        /// Per person in the group.
        slope: Rational,
        /// The least.
        floor: Rational,
        /// The most.
        cap: Epsilon,
    },
    /// `width * epsilon / (group - k)` below `group - width`, `epsilon` from there on, times `factor` (LN section 3).
    Fading {
        /// Where protection would have faded out.
        group: u64,
        /// How far before it stays constant.
        width: u64,
        /// From there on.
        epsilon: Rational,
        /// Multiplies the whole curve.
        factor: Rational,
    },
    /// Given values for 1, 2, ..., the last one repeated.
    Table {
        /// The values.
        values: Vec<Epsilon>,
    },
}

/// Why parameters do not make a promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromiseError {
    /// The values are no protection curve.
    Curve(CurveError),
    /// A group or crowd is too small to mean anything.
    TooSmall {
        /// Which parameter.
        parameter: &'static str,
        /// The least value that means something.
        least: u64,
    },
    /// Thresholds or epsilons are not strictly descending.
    NotDescending {
        /// Which list.
        parameter: &'static str,
    },
    /// There must be one more epsilon than thresholds.
    Lengths {
        /// How many thresholds were given.
        thresholds: usize,
        /// How many epsilons were given.
        epsilons: usize,
    },
    /// The curve would have more separate values than incrowd keeps.
    TooManyValues,
    /// A fading promise needs a positive width below its group.
    Width,
    /// A number must be above zero.
    NotPositive {
        /// Which parameter.
        parameter: &'static str,
    },
}

impl fmt::Display for PromiseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PromiseError::Curve(error) => error.fmt(f),
            PromiseError::TooSmall { parameter, least } => write!(f, "`{parameter}` must be at least {least}"),
            PromiseError::NotDescending { parameter } => {
                write!(f, "`{parameter}` must be strictly descending, the largest first")
            }
            PromiseError::Lengths { thresholds, epsilons } => write!(
                f,
                "a staircase with {thresholds} thresholds needs {} epsilons, one for above them all and one for each; there are {epsilons}",
                thresholds + 1
            ),
            PromiseError::TooManyValues => {
                write!(f, "this curve has more than {MAX_CURVE_VALUES} separate values; add a cap or use fewer steps")
            }
            PromiseError::Width => f.write_str("`width` must be at least 1 and below `group`"),
            PromiseError::NotPositive { parameter } => write!(f, "`{parameter}` must be above 0"),
        }
    }
}

impl std::error::Error for PromiseError {}

impl From<CurveError> for PromiseError {
    fn from(error: CurveError) -> Self {
        PromiseError::Curve(error)
    }
}

impl Promise {
    /// Returns the protection curve that this promise stands for, or why there is none.
    pub fn curve(&self) -> Result<Curve, PromiseError> {
        match self {
            Promise::DifferentialPrivacy { epsilon } => Ok(Curve::constant(epsilon.clone())?),
            Promise::Group { group, epsilon } => {
                at_least("group", *group, 1)?;
                Ok(Curve::constant(epsilon.divided_by(*group))?)
            }
            Promise::CrowdBlending { crowd, epsilon } => {
                at_least("crowd", *crowd, 2)?;
                Ok(Curve::steps(vec![(crowd - 1, epsilon.clone())], Epsilon::Infinite)?)
            }
            Promise::SimpleOutlier { group, epsilon } => {
                at_least("group", *group, 1)?;
                Ok(Curve::steps(vec![(*group, epsilon.divided_by(*group))], Epsilon::Infinite)?)
            }
            Promise::SimpleOutlierDp { group, epsilon } => {
                at_least("group", *group, 1)?;
                Ok(Curve::steps(vec![(*group, epsilon.divided_by(*group))], epsilon.clone())?)
            }
            Promise::Staircase { thresholds, epsilons } => staircase(thresholds, epsilons),
            Promise::Linear { slope, floor, cap } => linear(slope, floor, cap),
            Promise::Fading { group, width, epsilon, factor } => fading(*group, *width, epsilon, factor),
            Promise::Table { values } => {
                if values.len() as u64 > MAX_CURVE_VALUES {
                    return Err(PromiseError::TooManyValues);
                }
                Ok(Curve::table(values.clone())?)
            }
        }
    }

    /// Returns the name of the kind in a request.
    pub fn kind(&self) -> &'static str {
        match self {
            Promise::DifferentialPrivacy { .. } => "differential-privacy",
            Promise::Group { .. } => "group",
            Promise::CrowdBlending { .. } => "crowd-blending",
            Promise::SimpleOutlier { .. } => "simple-outlier",
            Promise::SimpleOutlierDp { .. } => "simple-outlier-dp",
            Promise::Staircase { .. } => "staircase",
            Promise::Linear { .. } => "linear",
            Promise::Fading { .. } => "fading",
            Promise::Table { .. } => "table",
        }
    }

    /// Returns where the definition stands in the literature.
    pub fn source(&self) -> &'static str {
        match self {
            Promise::DifferentialPrivacy { .. } => "differential privacy (Dwork, McSherry, Nissim & Smith 2006)",
            Promise::Group { .. } => "group differential privacy, OP Example 6",
            Promise::CrowdBlending { .. } => "crowd-blending privacy, CB Definition 4",
            Promise::SimpleOutlier { .. } => "simple outlier privacy, OP Definition 6",
            Promise::SimpleOutlierDp { .. } => "simple outlier differential privacy, OP Definition 14",
            Promise::Staircase { .. } => "staircase outlier privacy, OP Definition 17",
            Promise::Linear { .. } => "outlier privacy with a linear curve, OP 2.5",
            Promise::Fading { .. } => "fading outlier privacy, LN section 3",
            Promise::Table { .. } => "outlier privacy, OP Definition 5",
        }
    }

    /// Returns what else holds whenever this promise holds with the given delta, one sentence each.
    pub fn implications(&self, delta: &Rational) -> Vec<String> {
        let pure = delta == &Rational::ZERO;
        let with_delta = if pure { String::new() } else { format!(", delta {}", rare_rounding_up(delta)) };
        let mut found = Vec::new();
        let Ok(curve) = self.curve() else { return found };
        if let Some(supremum) = curve.supremum().finite() {
            found.push(format!(
                "differential privacy with epsilon {}{with_delta} for everybody",
                rational_text(supremum)
            ));
        }
        match self {
            Promise::DifferentialPrivacy { epsilon: Epsilon::Finite(epsilon) } => found.push(format!(
                "for every K, (K, K x {0})-simple outlier privacy{with_delta} (OP Proposition 10)",
                rational_text(epsilon)
            )),
            Promise::Group { group, epsilon } => {
                if let (false, Some(epsilon)) = (pure, epsilon.finite()) {
                    let delta = rare_rounding_up(&group_delta(*group, epsilon, delta));
                    found.push(format!(
                        "any {group} people together are protected with epsilon {} and delta {delta}",
                        rational_text(epsilon)
                    ));
                }
                found.push(format!("({group}, {epsilon})-simple outlier privacy{with_delta} (OP Proposition 10)"));
            }
            Promise::SimpleOutlier { group, epsilon } | Promise::SimpleOutlierDp { group, epsilon } => {
                found.push(format!(
                    "({}, {})-crowd-blending privacy{with_delta} (OP Proposition 12)",
                    group + 1,
                    epsilon.divided_by(*group)
                ));
                let together =
                    format!("any {group} people of one small group together are protected with epsilon {epsilon}");
                found.push(match (pure, epsilon.finite()) {
                    (true, _) => format!("{together} (OP Proposition 7)"),
                    (false, Some(epsilon)) => {
                        let delta = rare_rounding_up(&group_delta(*group, epsilon, delta));
                        format!("{together} and delta {delta} (OP Proposition 7 with a delta)")
                    }
                    (false, None) => return found,
                });
            }
            Promise::DifferentialPrivacy { epsilon: Epsilon::Infinite }
            | Promise::CrowdBlending { .. }
            | Promise::Staircase { .. }
            | Promise::Linear { .. }
            | Promise::Fading { .. }
            | Promise::Table { .. } => {}
        }
        found
    }
}

/// Returns the delta of `group` people together, each with `(epsilon / group, delta)`, rounded up: chaining the steps
/// gives `delta (e^epsilon - 1)/(e^(epsilon/group) - 1)`, and `group * delta` where epsilon is zero.
pub fn group_delta(group: u64, epsilon: &Rational, delta: &Rational) -> Rational {
    if epsilon == &Rational::ZERO {
        return delta * Rational::from(group);
    }
    let bits = 256 + 3 * usize::try_from(&epsilon.clone().ceil()).unwrap_or(1 << 12);
    let one = Enclosure::one(bits);
    let grown = |exponent: &Rational| one.over(&exp_neg(exponent, bits)).minus(&one);
    let step = grown(&(epsilon / Rational::from(group)));
    let whole = grown(epsilon).times(&Enclosure::rational(delta, bits));
    whole.over(&step).upper()
}

fn at_least(parameter: &'static str, value: u64, least: u64) -> Result<(), PromiseError> {
    if value >= least { Ok(()) } else { Err(PromiseError::TooSmall { parameter, least }) }
}

fn staircase(thresholds: &[u64], epsilons: &[Epsilon]) -> Result<Curve, PromiseError> {
    if thresholds.is_empty() || epsilons.len() != thresholds.len() + 1 {
        return Err(PromiseError::Lengths { thresholds: thresholds.len(), epsilons: epsilons.len() });
    }
    if !thresholds.windows(2).all(|pair| pair[0] > pair[1]) {
        return Err(PromiseError::NotDescending { parameter: "thresholds" });
    }
    if !epsilons.windows(2).all(|pair| pair[0] > pair[1]) {
        return Err(PromiseError::NotDescending { parameter: "epsilons" });
    }
    at_least("thresholds", thresholds[thresholds.len() - 1], 1)?;
    let steps = thresholds.iter().zip(&epsilons[1..]).rev().map(|(to, epsilon)| (*to, epsilon.clone())).collect();
    Ok(Curve::steps(steps, epsilons[0].clone())?)
}

fn linear(slope: &Rational, floor: &Rational, cap: &Epsilon) -> Result<Curve, PromiseError> {
    if slope < &Rational::ZERO {
        return Err(PromiseError::NotPositive { parameter: "slope" });
    }
    if floor < &Rational::ZERO {
        return Err(CurveError::Negative { count: 1 }.into());
    }
    let constant = |epsilon: Epsilon, from, to| Run { from, to, level: Level::Constant(epsilon) };
    if slope == &Rational::ZERO {
        let lowest = Epsilon::Finite(floor.clone()).min(cap.clone());
        return Ok(Curve::from_runs(vec![constant(lowest, 1, None)])?);
    }
    if let Epsilon::Finite(cap) = cap
        && cap <= floor
    {
        return Ok(Curve::constant(Epsilon::Finite(cap.clone()))?);
    }
    // slope * k > floor from k = floor(floor/slope) + 1 on; slope * k >= cap from k = ceil(cap/slope) on.
    let whole = |value: Integer| u64::try_from(&value).map_err(|_| PromiseError::TooManyValues);
    let last_floor = whole((floor / slope).floor())?;
    let mut runs = Vec::new();
    if last_floor >= 1 {
        runs.push(constant(Epsilon::Finite(floor.clone()), 1, Some(last_floor)));
    }
    match cap {
        Epsilon::Infinite => {
            runs.push(Run { from: last_floor + 1, to: None, level: Level::Proportional(slope.clone()) });
        }
        Epsilon::Finite(cap) => {
            let capped = whole((cap / slope).ceil())?.max(last_floor + 1);
            if capped > last_floor + 1 {
                let to = Some(capped - 1);
                runs.push(Run { from: last_floor + 1, to, level: Level::Proportional(slope.clone()) });
            }
            runs.push(constant(Epsilon::Finite(cap.clone()), capped, None));
        }
    }
    Ok(Curve::from_runs(runs)?)
}

fn fading(group: u64, width: u64, epsilon: &Rational, factor: &Rational) -> Result<Curve, PromiseError> {
    if width < 1 || width >= group {
        return Err(PromiseError::Width);
    }
    if epsilon <= &Rational::ZERO {
        return Err(PromiseError::NotPositive { parameter: "epsilon" });
    }
    if factor <= &Rational::ZERO {
        return Err(PromiseError::NotPositive { parameter: "factor" });
    }
    if group - width > MAX_CURVE_VALUES {
        return Err(PromiseError::TooManyValues);
    }
    let top = epsilon * factor;
    let mut values: Vec<Epsilon> = (1..group - width)
        .map(|count| Epsilon::Finite(&top * Rational::from(width) / Rational::from(group - count)))
        .collect();
    values.push(Epsilon::Finite(top));
    Ok(Curve::table(values)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::testing::number;

    fn finite(text: &str) -> Epsilon {
        Epsilon::Finite(number(text))
    }

    #[test]
    fn crowds_are_strict_and_outliers_are_not() {
        let crowd = Promise::CrowdBlending { crowd: 20, epsilon: finite("1") }.curve().expect("a curve");
        assert_eq!(crowd.epsilon(19), finite("1"));
        assert_eq!(crowd.epsilon(20), Epsilon::Infinite);
        let outlier = Promise::SimpleOutlier { group: 20, epsilon: finite("1") }.curve().expect("a curve");
        assert_eq!(outlier.epsilon(20), finite("1/20"));
        assert_eq!(outlier.epsilon(21), Epsilon::Infinite);
    }

    #[test]
    fn a_staircase_gives_the_strictest_level_that_applies() {
        let epsilons = vec![finite("1"), finite("1/2"), finite("1/10")];
        let curve = Promise::Staircase { thresholds: vec![100, 20], epsilons }.curve().expect("a curve");
        assert_eq!(curve.epsilon(20), finite("1/10"));
        assert_eq!(curve.epsilon(21), finite("1/2"));
        assert_eq!(curve.epsilon(100), finite("1/2"));
        assert_eq!(curve.epsilon(101), finite("1"));
    }

    #[test]
    fn a_line_keeps_its_floor_and_its_cap() {
        let promise = Promise::Linear { slope: number("1/10"), floor: number("1/4"), cap: finite("1") };
        let curve = promise.curve().expect("a curve");
        let at = |count| curve.epsilon(count);
        assert_eq!(
            [at(1), at(2), at(3), at(9), at(10), at(99)].map(|e| e.to_string()),
            ["1/4", "1/4", "3/10", "9/10", "1", "1"]
        );
        let free = Promise::Linear { slope: number("1/10"), floor: number("0"), cap: Epsilon::Infinite };
        assert_eq!(free.curve().expect("a curve").supremum(), Epsilon::Infinite);
    }

    #[test]
    fn a_fading_promise_meets_its_end_value() {
        let promise = Promise::Fading { group: 100, width: 70, epsilon: number("1/5"), factor: number("1") };
        let curve = promise.curve().expect("a curve");
        assert_eq!(curve.epsilon(1), finite("14/99"));
        assert_eq!(curve.epsilon(29), finite("14/71"));
        assert_eq!(curve.epsilon(30), finite("1/5"));
    }

    #[test]
    fn deltas_of_groups_grow_as_computed_elsewhere() {
        // k = 10 and 100 at epsilon 1, delta 1e-6: 1.63e-5 and 1.71e-4 (`docs/errata.md` 1.11).
        for (group, expected) in [(10, 1.63e-5), (100, 1.71e-4)] {
            let delta = group_delta(group, &number("1"), &number("1e-6")).to_f64().value();
            assert!((delta / expected - 1.0).abs() < 5e-3, "{delta}");
        }
        assert_eq!(group_delta(7, &number("0"), &number("1e-6")), number("7e-6"));
    }

    #[test]
    fn parameters_without_a_meaning_are_refused() {
        let refused = |promise: Promise| promise.curve().expect_err("no curve");
        assert_eq!(
            refused(Promise::CrowdBlending { crowd: 1, epsilon: finite("1") }),
            PromiseError::TooSmall { parameter: "crowd", least: 2 }
        );
        assert_eq!(
            refused(Promise::Staircase {
                thresholds: vec![20, 100],
                epsilons: vec![finite("1"), finite("1/2"), finite("0")]
            }),
            PromiseError::NotDescending { parameter: "thresholds" }
        );
        assert_eq!(
            refused(Promise::Staircase { thresholds: vec![], epsilons: vec![] }),
            PromiseError::Lengths { thresholds: 0, epsilons: 0 }
        );
        assert_eq!(
            refused(Promise::DifferentialPrivacy { epsilon: Epsilon::Infinite }),
            PromiseError::Curve(CurveError::NothingPromised)
        );
        let fading = Promise::Fading { group: 5, width: 5, epsilon: number("1"), factor: number("1") };
        assert_eq!(refused(fading), PromiseError::Width);
    }
}
