//! From a request to a mechanism with every parameter decided.
//!
//! Parameters are taken from the request, from the promise, or found as the smallest that meet it; nothing here may
//! depend on data. It is separate from `plan.rs` because `law` and `draw` need a mechanism even where it does not meet
//! the promise. Read `plan.rs` next.

use crate::refusal::{Refusal, Shortfall};
use crate::request::{Accounting, CellCount, MechanismRequest, Parameters, Request};
use incrowd_exact::Rational;
use incrowd_privacy::{
    Bound, BoundParameters, Curve, Deployed, Epsilon, LowerBound, Mechanism, MechanismName, ParameterSearch, Promise,
    RelayTable, SideOutput, Universe, Worst, tailored, theorem,
};
use std::sync::Arc;

/// The most cells that are visited one by one.
pub const MOST_VISITED: u128 = 10_000_000;

/// The most levels that may be published: each doubles the law.
const MAX_TOLD_LEVELS: usize = 8;

/// A mechanism ready to run, and what it must meet in every bin.
#[derive(Debug, Clone)]
pub struct Settled {
    /// What runs.
    pub(crate) deployed: Deployed,
    /// The promise for one bin: the person's curve, divided among her bins.
    pub(crate) curve: Curve,
    /// The delta for one bin, likewise.
    pub(crate) delta: Rational,
    /// What was asked for by name, with defaults filled in.
    pub(crate) asked: MechanismRequest,
    /// The parameters that were found, by their names in a request.
    pub(crate) found: Vec<&'static str>,
    /// Whether the bins are declared (or none are given), whatever the mechanism is accounted as.
    pub(crate) declared: bool,
}

/// What a mechanism is settled from.
pub(crate) struct Terms {
    /// The mechanism that was asked for, or the one that this kind always has.
    pub asked: MechanismRequest,
    /// What the mechanism itself must keep: the promise of the request, or that of a first step.
    pub promise: Promise,
    /// Whether bins may be declared.
    pub bins: Bins,
}

/// Whether bins may be declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bins {
    /// As the request has them.
    AsRequested,
    /// Found, whatever their columns may hold: one of nobody is never published.
    Found,
}

/// A request with its mechanism: what a kind needs to know of a plan.
pub(crate) struct SettledRequest<'p> {
    /// What was asked.
    pub request: &'p Request,
    /// What will run.
    pub settled: &'p Settled,
    /// The promise to a person, over all her bins.
    pub curve: &'p Curve,
}

impl Settled {
    /// Returns the mechanism of a request, from what its kind asks for.
    pub(crate) fn of(request: &Request, terms: Terms) -> Result<Self, Refusal> {
        let Terms { asked, promise, bins } = terms;
        let parts = request.bins_per_person();
        let whole =
            promise.curve().map_err(|_| Refusal::NothingFits { mechanism: asked.name.as_str(), parameter: "curve" })?;
        if request.periods_per_person() > 1 && whole.supremum() == Epsilon::Infinite {
            return Err(Refusal::ExactPeriods);
        }
        let delta = request.promise.delta.clone().unwrap_or(Rational::ZERO) / Rational::from(parts);
        let universe = match (asked.name, request.cells()) {
            (_, _) if bins == Bins::Found => Universe::Open,
            (MechanismName::Relay | MechanismName::Threshold, _) | (_, CellCount::Found) => Universe::Open,
            (_, CellCount::Unstated | CellCount::Declared(_)) => Universe::Closed,
        };
        if let CellCount::Declared(cells) = request.cells()
            && cells > MOST_VISITED
            && asked.threshold.is_none()
            && asked.name != MechanismName::Threshold
            && bins == Bins::AsRequested
        {
            return Err(Refusal::TooManyCells { cells });
        }
        let filled = asked.filled(&promise);
        if asked.name == MechanismName::Range && asked.threshold.is_some() {
            return Err(Refusal::NotTaken { mechanism: "range", parameter: "threshold" });
        }
        let declared = request.cells() != CellCount::Found;
        let settling = Settling {
            declared,
            promise: &promise,
            parts,
            curve: whole.divided_by(parts),
            delta,
            universe,
            asked: filled,
        };
        settling.settle()
    }

    /// Returns what runs.
    pub fn deployed(&self) -> &Deployed {
        &self.deployed
    }

    /// Returns the promise for one bin: the person's curve, divided among her bins.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// Returns the delta for one bin, likewise.
    pub fn delta(&self) -> &Rational {
        &self.delta
    }

    /// Returns what was asked for by name, with defaults filled in.
    pub fn asked(&self) -> &MechanismRequest {
        &self.asked
    }

    /// Returns the parameters that were found, by their names in a request.
    pub fn found(&self) -> &[&'static str] {
        &self.found
    }

    /// Whether the bins are declared (or none are given), whatever the mechanism is accounted as.
    pub fn is_declared(&self) -> bool {
        self.declared
    }

    /// Returns the worst count under the promise.
    pub fn worst(&self) -> Result<Worst, Refusal> {
        Ok(self.deployed.worst(&self.curve)?)
    }

    /// Returns the worst count if the promise is met there, and so everywhere; else why not.
    pub fn certified(&self) -> Result<Worst, Refusal> {
        if !self.deployed.is_admitted() {
            return Err(Refusal::NotOnOpenUniverse { mechanism: self.deployed.mechanism.name() });
        }
        let worst = self.worst()?;
        let has = worst.delta.upper_bound();
        if has <= self.delta {
            return Ok(worst);
        }
        Err(Refusal::NotMet(Box::new(Shortfall {
            mechanism: self.deployed.mechanism.name(),
            count: worst.count,
            epsilon: worst.epsilon,
            asked: self.delta.clone(),
            has,
            instead: match (self.declared, self.delta > Rational::ZERO || self.curve.last_finite().is_some()) {
                (true, _) => Some("tailored-geometric"),
                (false, true) => Some("relay"),
                (false, false) => None,
            },
        })))
    }

    /// Returns whether the promise is met; nothing where that could not be computed.
    pub fn meets_promise(&self) -> Option<bool> {
        match self.certified() {
            Ok(_) => Some(true),
            Err(Refusal::NotMet(_) | Refusal::NotOnOpenUniverse { .. }) => Some(false),
            Err(_) => None,
        }
    }

    /// The thresholds of a staircase, else none.
    pub fn thresholds(&self) -> &[u64] {
        self.asked.parameters.thresholds.as_deref().unwrap_or(&[])
    }
}

struct Settling<'a> {
    declared: bool,
    promise: &'a Promise,
    parts: u64,
    curve: Curve,
    delta: Rational,
    universe: Universe,
    asked: MechanismRequest,
}

impl Settling<'_> {
    fn settle(mut self) -> Result<Settled, Refusal> {
        self.share_among_bins();
        let mut found = Vec::new();
        let publish_from = self.publish_from(&mut found)?;
        let mechanism = self.mechanism(publish_from, &mut found)?;
        let publish_from = if let Mechanism::Threshold { .. } = mechanism { None } else { publish_from };
        let deployed = Deployed { mechanism, universe: self.universe, publish_from };
        Ok(Settled {
            deployed,
            curve: self.curve,
            delta: self.delta,
            asked: self.asked,
            found,
            declared: self.declared,
        })
    }

    /// Parameters that come from the promise are the person's; each of her bins gets its part.
    fn share_among_bins(&mut self) {
        if self.parts == 1 {
            return;
        }
        let theirs = Parameters::of_promise(self.promise);
        let own = &mut self.asked.parameters;
        if own.epsilon == theirs.epsilon {
            own.epsilon = own.epsilon.take().map(|epsilon| epsilon.divided_by(self.parts));
        }
        if own.epsilons == theirs.epsilons {
            own.epsilons =
                own.epsilons.take().map(|all| all.iter().map(|epsilon| epsilon.divided_by(self.parts)).collect());
        }
    }

    fn name(&self) -> &'static str {
        self.asked.name.as_str()
    }

    fn wanted(&self, publish_from: Option<i64>) -> ParameterSearch<'_> {
        ParameterSearch { curve: &self.curve, delta: &self.delta, universe: self.universe, publish_from }
    }

    fn publish_from(&self, found: &mut Vec<&'static str>) -> Result<Option<i64>, Refusal> {
        if let Some(threshold) = self.asked.threshold {
            return Ok(Some(i64::try_from(threshold).unwrap_or(i64::MAX / 4)));
        }
        if self.asked.name == MechanismName::TailoredGeometric && self.universe == Universe::Open {
            if self.curve.last_zero().is_none() {
                return Ok(None);
            }
            found.push("threshold");
            let smallest = tailored::smallest_threshold(&self.curve, &self.delta);
            let smallest = smallest.ok_or(Refusal::DeltaNeeded { mechanism: self.name() })?;
            return Ok(Some(i64::try_from(smallest).unwrap_or(i64::MAX / 4)));
        }
        Ok(None)
    }

    fn mechanism(&self, publish_from: Option<i64>, found: &mut Vec<&'static str>) -> Result<Mechanism, Refusal> {
        let parameters = &self.asked.parameters;
        Ok(match self.asked.name {
            MechanismName::TailoredGeometric => Mechanism::TailoredGeometric { curve: self.curve.clone() },
            MechanismName::Relay => {
                if self.delta == Rational::ZERO && self.curve.last_finite().is_none() {
                    return Err(Refusal::DeltaNeeded { mechanism: self.name() });
                }
                let table = Arc::new(RelayTable::build(&self.curve, &self.delta)?);
                Mechanism::Relay { curve: self.curve.clone(), table }
            }
            MechanismName::SuppressBelow => Mechanism::SuppressBelow { crowd: self.need("crowd", parameters.crowd)? },
            MechanismName::NoiseBelow => {
                Mechanism::NoiseBelow { crowd: self.need("crowd", parameters.crowd)?, epsilon: self.rate()? }
            }
            MechanismName::SuppressUpTo => Mechanism::SuppressUpTo { group: self.need("group", parameters.group)? },
            MechanismName::NoiseUpTo => Mechanism::NoiseUpTo { group: self.group()?, epsilon: self.rate()? },
            MechanismName::Geometric => Mechanism::Geometric { epsilon: self.rate()? },
            MechanismName::GroupGeometric => Mechanism::GroupGeometric { group: self.group()?, epsilon: self.rate()? },
            MechanismName::NoisySuppress => self.noisy_suppress(publish_from, found)?,
            MechanismName::NoisyNoise => self.noisy_noise(publish_from, found)?,
            MechanismName::Staircase => self.staircase(publish_from, found)?,
            MechanismName::General => self.general(publish_from, found)?,
            MechanismName::Fading => self.fading()?,
            MechanismName::Threshold => self.threshold(publish_from, found)?,
            MechanismName::Range => self.range(found)?,
        })
    }

    fn need<T>(&self, parameter: &'static str, value: Option<T>) -> Result<T, Refusal> {
        value.ok_or(Refusal::MissingParameter { mechanism: self.name(), parameter })
    }

    fn group(&self) -> Result<u64, Refusal> {
        Ok(self.need("group", self.asked.parameters.group)?.max(1))
    }

    /// A positive, finite epsilon.
    fn rate(&self) -> Result<Rational, Refusal> {
        let epsilon = self.need("epsilon", self.asked.parameters.epsilon.clone())?;
        match &epsilon {
            Epsilon::Finite(rate) if rate > &Rational::ZERO => Ok(rate.clone()),
            Epsilon::Finite(_) | Epsilon::Infinite => Err(Refusal::NoNoise { mechanism: self.name(), epsilon }),
        }
    }

    /// A delta above zero, without which nothing can be found; nor is anything looked for where it may not run.
    fn positive_delta(&self) -> Result<&Rational, Refusal> {
        let shows_the_lonely = match self.asked.name {
            MechanismName::NoisyNoise | MechanismName::Staircase | MechanismName::General => {
                self.asked.threshold.is_none()
            }
            MechanismName::Range => true,
            MechanismName::TailoredGeometric
            | MechanismName::Relay
            | MechanismName::SuppressBelow
            | MechanismName::NoiseBelow
            | MechanismName::SuppressUpTo
            | MechanismName::NoiseUpTo
            | MechanismName::Geometric
            | MechanismName::GroupGeometric
            | MechanismName::NoisySuppress
            | MechanismName::Fading
            | MechanismName::Threshold => false,
        };
        if self.universe == Universe::Open && shows_the_lonely {
            return Err(Refusal::NotOnOpenUniverse { mechanism: self.name() });
        }
        if self.delta > Rational::ZERO { Ok(&self.delta) } else { Err(Refusal::DeltaNeeded { mechanism: self.name() }) }
    }

    fn fitting<T>(&self, parameter: &'static str, found: Option<T>) -> Result<T, Refusal> {
        found.ok_or(Refusal::NothingFits { mechanism: self.name(), parameter })
    }

    fn noisy_suppress(&self, publish_from: Option<i64>, found: &mut Vec<&'static str>) -> Result<Mechanism, Refusal> {
        let (group, epsilon) = (self.group()?, self.rate()?);
        let build = |offset| Mechanism::NoisySuppress { group, epsilon: epsilon.clone(), offset };
        if let Some(offset) = self.asked.parameters.offset {
            return Ok(build(offset));
        }
        found.push("offset");
        let delta = self.positive_delta()?;
        match self.asked.accounting {
            Accounting::Theorem => Ok(build(theorem::suppress_offset(&epsilon, delta))),
            Accounting::Exact => Ok(build(self.fitting("offset", self.wanted(publish_from).smallest(0, build)?)?)),
        }
    }

    fn noisy_noise(&self, publish_from: Option<i64>, found: &mut Vec<&'static str>) -> Result<Mechanism, Refusal> {
        let (group, epsilon) = (self.group()?, self.rate()?);
        let build = |offset| Mechanism::NoisyNoise { group, epsilon: epsilon.clone(), offset };
        if let Some(offset) = self.asked.parameters.offset {
            return Ok(build(offset));
        }
        found.push("offset");
        let delta = self.positive_delta()?;
        match self.asked.accounting {
            Accounting::Theorem => Ok(build(theorem::noise_offset(&epsilon, delta))),
            Accounting::Exact => {
                Ok(build(self.fitting("offset", self.wanted(publish_from).smallest_offset(group, build)?)?))
            }
        }
    }

    fn staircase(&self, publish_from: Option<i64>, found: &mut Vec<&'static str>) -> Result<Mechanism, Refusal> {
        let thresholds = self.need("thresholds", self.asked.parameters.thresholds.clone())?;
        let epsilons = self.need("epsilons", self.asked.parameters.epsilons.clone())?;
        let side_output = side_output(self.asked.parameters.publish_levels);
        if epsilons.len() != thresholds.len() + 1 {
            return Err(Refusal::MissingParameter { mechanism: self.name(), parameter: "epsilons" });
        }
        if side_output == SideOutput::Published && thresholds.len() > MAX_TOLD_LEVELS {
            return Err(Refusal::TooManyLevels { most: MAX_TOLD_LEVELS });
        }
        if let Some(levels) = self.asked.parameters.levels.clone() {
            if levels.len() != thresholds.len() {
                return Err(Refusal::Levels { needed: thresholds.len(), given: levels.len() });
            }
            return Ok(Mechanism::Staircase { epsilons, levels, side_output });
        }
        found.push("levels");
        let printed = theorem::staircase_levels(&thresholds, &epsilons, self.positive_delta()?);
        let levels = match self.asked.accounting {
            Accounting::Theorem => printed,
            Accounting::Exact => {
                let wanted = self.wanted(publish_from);
                self.fitting("levels", wanted.smallest_levels(&thresholds, &epsilons, side_output, printed)?)?
            }
        };
        Ok(Mechanism::Staircase { epsilons, levels, side_output })
    }

    fn general(&self, publish_from: Option<i64>, found: &mut Vec<&'static str>) -> Result<Mechanism, Refusal> {
        let given = &self.asked.parameters;
        let side_output = side_output(given.publish_epsilon);
        let bound = given.bound.unwrap_or(Bound::NoiseOnCount);
        let epsilon_a = self.need("epsilon-a", given.epsilon_a.clone())?;
        let grid = self.need("grid", given.grid.clone())?;
        let build = |alpha: Rational| {
            let parameters = BoundParameters {
                bound,
                epsilon_a: epsilon_a.clone(),
                delta_a: given.delta_a.clone(),
                grid: grid.clone(),
                alpha,
            };
            LowerBound::new(&self.curve, parameters)
        };
        let mechanism = |bound: LowerBound| Mechanism::General { bound: Arc::new(bound), side_output };
        if let Some(alpha) = given.alpha.clone() {
            return Ok(mechanism(build(alpha)?));
        }
        found.push("alpha");
        let delta = self.positive_delta()?;
        if self.asked.accounting == Accounting::Theorem {
            let alpha = incrowd_exact::ln(&(Rational::ONE / (Rational::from(2u8) * delta)), 64).upper();
            return Ok(mechanism(build(alpha.max(epsilon_a.clone()))?));
        }
        let step = build(Rational::ONE)?.alpha_step();
        let alpha = |steps: i64| &step * Rational::from(incrowd_exact::Integer::from(steps));
        let smallest =
            self.wanted(publish_from).smallest_by_bends(1, |steps| build(alpha(steps)).ok().map(mechanism))?;
        Ok(mechanism(build(alpha(self.fitting("alpha", smallest)?))?))
    }

    fn fading(&self) -> Result<Mechanism, Refusal> {
        let given = &self.asked.parameters;
        let (group, width) = (self.group()?, self.need("width", given.width)?);
        let epsilon = self.rate()?;
        let factor = given.factor.clone().unwrap_or(Rational::ONE);
        let at_zero = &epsilon * &factor * Rational::from(width) / Rational::from(group);
        let curve = Promise::Fading { group, width, epsilon, factor }.curve();
        let curve = curve.map_err(|_| Refusal::Width)?;
        Ok(Mechanism::Fading { curve, at_zero })
    }

    fn threshold(&self, publish_from: Option<i64>, found: &mut Vec<&'static str>) -> Result<Mechanism, Refusal> {
        let epsilon = self.rate()?;
        let build = |threshold| Mechanism::Threshold { epsilon: epsilon.clone(), threshold };
        if let Some(threshold) = publish_from {
            return Ok(build(threshold));
        }
        found.push("threshold");
        let delta = self.positive_delta()?;
        match self.asked.accounting {
            Accounting::Theorem => {
                let gamma = Rational::ONE / Rational::from(100u8);
                Ok(build(theorem::printed_threshold(&epsilon, delta, &gamma)))
            }
            Accounting::Exact => Ok(build(self.fitting("threshold", self.wanted(None).smallest(2, build)?)?)),
        }
    }

    fn range(&self, found: &mut Vec<&'static str>) -> Result<Mechanism, Refusal> {
        let epsilon = self.rate()?;
        let build =
            |half: i64| Mechanism::Range { epsilon: epsilon.clone(), half_width: u64::try_from(half).unwrap_or(0) };
        if let Some(half_width) = self.asked.parameters.half_width {
            return Ok(Mechanism::Range { epsilon, half_width });
        }
        found.push("half-width");
        let delta = self.positive_delta()?;
        match self.asked.accounting {
            Accounting::Theorem => Ok(build(theorem::printed_half_width(&epsilon, delta, 1))),
            Accounting::Exact => Ok(build(self.fitting("half-width", self.wanted(None).smallest(0, build)?)?)),
        }
    }
}

fn side_output(published: Option<bool>) -> SideOutput {
    if published == Some(true) { SideOutput::Published } else { SideOutput::Hidden }
}
