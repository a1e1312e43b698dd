//! The parameters of a mechanism, as they were written.
//!
//! Exact numbers within limits that hold together; it must never fill in a value that nobody wrote. It is separate
//! from `mechanism.rs` because the names are a closed list and the parameters are not. Read `identity.rs` next.

use super::error::RequestError;
use super::fields::Fields;
use super::number::{Bounds, Whole};
use incrowd_exact::Rational;
use incrowd_privacy::{Bound, Epsilon, MechanismName, Promise};

/// Parameters of a mechanism; what was not written is `None`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parameters {
    /// How many people make a crowd.
    pub crowd: Option<u64>,
    /// The largest group with the stricter protection.
    pub group: Option<u64>,
    /// The strength of the noise.
    pub epsilon: Option<Epsilon>,
    /// Group sizes, strictly descending.
    pub thresholds: Option<Vec<u64>>,
    /// Strictly descending.
    pub epsilons: Option<Vec<Epsilon>>,
    /// The i-th test is `c <= levels[i]`; within 10^12 either way.
    pub levels: Option<Vec<i64>>,
    /// Whether it is published which levels added noise.
    pub publish_levels: Option<bool>,
    /// The test is `c <= group + offset`; within 10^12 either way.
    pub offset: Option<i64>,
    /// How the lower bound is found.
    pub bound: Option<Bound>,
    /// What the lower bound may spend.
    pub epsilon_a: Option<Rational>,
    /// What the draw of a smooth bound may fail with: its delta.
    pub delta_a: Option<Rational>,
    /// The step on which epsilons are rounded down.
    pub grid: Option<Rational>,
    /// How far the lower bound is moved to the safe side.
    pub alpha: Option<Rational>,
    /// Whether the epsilon that was used is published.
    pub publish_epsilon: Option<bool>,
    /// How many people before `group` the curve turns flat.
    pub width: Option<u64>,
    /// Multiplies the whole curve.
    pub factor: Option<Rational>,
    /// A published range reaches this far either way.
    pub half_width: Option<u64>,
}

impl Parameters {
    /// Returns the parameters that a promise has, under the names that mechanisms use.
    pub fn of_promise(promise: &Promise) -> Parameters {
        let mut found = Parameters::default();
        match promise {
            Promise::DifferentialPrivacy { epsilon } => found.epsilon = Some(epsilon.clone()),
            Promise::CrowdBlending { crowd, epsilon } => {
                (found.crowd, found.epsilon) = (Some(*crowd), Some(epsilon.clone()));
            }
            Promise::Group { group, epsilon }
            | Promise::SimpleOutlier { group, epsilon }
            | Promise::SimpleOutlierDp { group, epsilon } => {
                (found.group, found.epsilon) = (Some(*group), Some(epsilon.clone()));
            }
            Promise::Staircase { thresholds, epsilons } => {
                (found.thresholds, found.epsilons) = (Some(thresholds.clone()), Some(epsilons.clone()));
            }
            Promise::Fading { group, width, epsilon, factor: _ } => {
                (found.group, found.width) = (Some(*group), Some(*width));
                found.epsilon = Some(Epsilon::Finite(epsilon.clone()));
            }
            Promise::Linear { .. } | Promise::Table { .. } => {}
        }
        found
    }

    pub(super) fn read(fields: &Fields<'_>, name: MechanismName) -> Result<Self, RequestError> {
        let thresholds = fields.list("thresholds")?.map(|items| {
            let values: Vec<u64> = items.iter().map(|item| item.whole(Whole::PEOPLE)).collect::<Result<_, _>>()?;
            descending(fields, "thresholds", &values).map(|()| values)
        });
        let epsilons = fields.list("epsilons")?.map(|items| {
            let values: Vec<Epsilon> = items.iter().map(|item| item.epsilon()).collect::<Result<_, _>>()?;
            descending(fields, "epsilons", &values).map(|()| values)
        });
        let levels = fields.list("levels")?.map(|items| items.iter().map(|item| item.integer()).collect());
        let read = Parameters {
            crowd: fields.whole("crowd", Whole::PEOPLE)?,
            group: fields.whole("group", Whole::PEOPLE)?,
            epsilon: fields.epsilon("epsilon")?,
            thresholds: thresholds.transpose()?,
            epsilons: epsilons.transpose()?,
            levels: levels.transpose()?,
            publish_levels: fields.flag("publish-levels")?,
            offset: fields.item("offset").map(|item| item.integer()).transpose()?,
            bound: fields.choice("bound", &Bound::ALL, Bound::name)?,
            epsilon_a: fields.number("epsilon-a", Bounds::PositiveEpsilon)?,
            delta_a: fields.number("delta-a", Bounds::Chance)?,
            grid: fields.number("grid", Bounds::PositiveEpsilon)?,
            alpha: fields.number("alpha", Bounds::Positive)?,
            publish_epsilon: fields.flag("publish-epsilon")?,
            width: fields.whole("width", Whole::PEOPLE)?,
            factor: fields.number("factor", Bounds::PositiveEpsilon)?,
            half_width: fields.whole("half-width", Whole::COUNT)?,
        };
        read.check_together(fields, name).map(|()| read)
    }

    fn check_together(&self, fields: &Fields<'_>, name: MechanismName) -> Result<(), RequestError> {
        let length = self.thresholds.as_ref().map(Vec::len);
        if let (Some(thresholds), Some(epsilons)) = (length, &self.epsilons)
            && epsilons.len() != thresholds + 1
        {
            let message = format!("{thresholds} thresholds need {} epsilons", thresholds + 1);
            return Err(fields.refuse_value("epsilons", message));
        }
        if let (Some(thresholds), Some(levels)) = (length, &self.levels)
            && levels.len() != thresholds
        {
            return Err(fields.refuse_value("levels", format!("{thresholds} thresholds need as many levels")));
        }
        if name == MechanismName::General {
            fields.required("epsilon-a")?;
            if self.bound.is_some_and(is_smooth) {
                fields.required("delta-a")?;
            }
        }
        Ok(())
    }
}

fn descending<T: PartialOrd>(fields: &Fields<'_>, key: &str, values: &[T]) -> Result<(), RequestError> {
    if values.windows(2).all(|pair| pair[0] > pair[1]) {
        return Ok(());
    }
    Err(fields.refuse_value(key, format!("`{key}` must be strictly descending, the largest first")))
}

/// Whether the bound may fail, so that it needs a `delta-a`.
fn is_smooth(bound: Bound) -> bool {
    match bound {
        Bound::SmoothEpsilon | Bound::SmoothInverse => true,
        Bound::NoiseOnCount | Bound::GlobalEpsilon | Bound::GlobalInverse => false,
    }
}
