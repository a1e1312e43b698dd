//! What a sample adds to a promise: plain differential privacy for everybody, at a delta for each epsilon.
//!
//! incrowd samples people with secret coins, fresh for each release (`sample`), or the data was collected that way
//! (`[data.sampled]`, an assumption). Deltas are summed from the law that runs, or bounded by a theorem where that is
//! not known; it must never charge a statement about a sample that two releases may share (CB Theorem 13 needs a fresh
//! one each). It is separate from `plan.rs` because most releases count everybody. Read `sampled/words.rs` for how it
//! is said.

mod words;

pub use words::{delta_words, short};

use crate::kinds::is_known_on_samples;
use crate::refusal::{NoSample, Refusal};
use crate::request::{Kind, PromiseRequest, Request, Unit};
use crate::settle::Settled;
use incrowd_exact::Rational;
use incrowd_privacy::{
    Chance, Deployed, Epsilon, Mechanism, Promise, Sampled, Sampling, SamplingError, Tightness, Universe,
    amplified_epsilon, crowd_blending_delta, simple_outlier_delta,
};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// The epsilons whose deltas are shown, in hundredths.
const SHOWN: [u64; 7] = [5, 10, 20, 30, 50, 100, 200];
/// With more people who are known to be in or out, the law is not summed for each number of them.
const MOST_KNOWN: u64 = 1_000;

/// A release of which people were sampled first.
#[derive(Debug, Clone)]
pub struct SampledRelease {
    /// How they came into the sample.
    pub how: SampleOrigin,
    /// What is charged instead of the promise, if the request asks for it.
    pub charged: Option<Point>,
    basis: Basis,
    statements: OnceLock<Vec<Statement>>,
}

/// How people came into a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleOrigin {
    /// By coins that incrowd tosses for this release alone.
    Tossed,
    /// The data was collected so, as the request asserts; other releases may have the same sample.
    Collected,
}

/// What holds because people were sampled.
#[derive(Debug, Clone)]
pub struct Statement {
    /// Of which kind.
    pub notion: Notion,
    /// A delta for each epsilon, ascending; never empty.
    pub curve: Vec<Point>,
}

/// What a delta and an epsilon mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notion {
    /// Differential privacy for everybody, sampled or not, but those who are known to be in or out.
    Everybody,
    /// Distributional differential privacy: she is in the data, and it is random who else is (OP Theorem 22).
    Distributional,
}

/// One epsilon and its delta.
#[derive(Debug, Clone)]
pub struct Point {
    /// The epsilon.
    pub epsilon: Rational,
    /// The delta, not below the truth.
    pub delta: Rational,
    /// Whether the delta is the truth.
    pub tightness: Tightness,
    /// Why.
    pub by: DeltaReason,
    /// How many others her group has where the delta is largest; nothing where that was not looked for.
    pub others: Option<u64>,
    /// The delta of the worst mechanism with the same promise, where a theorem gives one.
    pub by_theorem: Option<Rational>,
}

/// Why an epsilon has a delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeltaReason {
    /// Summed from the law of the mechanism that runs.
    Law,
    /// By a theorem about every mechanism with this promise.
    Theorem(&'static str),
    /// A promise to everybody gets `ln(1 + p (e^epsilon - 1))` and `p delta`.
    Amplification,
}

/// Three mechanisms for one promise on one sample.
#[derive(Debug, Clone)]
pub struct SampleComparison {
    /// At this epsilon.
    pub epsilon: Rational,
    /// The epsilon that is promised.
    pub promised: Rational,
    /// The epsilon of the noise: the promised one, or 1 where that is 0 and noise would need another promise.
    pub rate: Rational,
    /// Suppression below the crowd.
    pub suppress_below: Rational,
    /// Noise below the crowd.
    pub noise_below: Rational,
    /// The tailored geometric.
    pub tailored: Rational,
}

/// Everything that the deltas follow from.
#[derive(Debug, Clone)]
struct Basis {
    sampling: Sampling,
    deployed: Deployed,
    promise: Promise,
    supremum: Epsilon,
    /// The delta of the release of everybody.
    certified: Rational,
}

/// Refuses to sample where a coin would not be one person's, or where nothing is known about it.
pub fn can_be_sampled(request: &Request) -> Result<(), Refusal> {
    is_known_of(&request.kind)?;
    let Some(data) = &request.data else { return Ok(()) };
    match data.unit {
        Unit::People { .. } => return Err(NoSample::PeopleInRows.into()),
        Unit::Row | Unit::Person { .. } => {}
    }
    if data.sampled.is_some() { Err(NoSample::Twice.into()) } else { Ok(()) }
}

/// Refuses kinds of release whose law is not that of their bins.
fn is_known_of(kind: &Kind) -> Result<(), Refusal> {
    if is_known_on_samples(kind) { Ok(()) } else { Err(NoSample::Kind { release: kind.name() }.into()) }
}

impl SampledRelease {
    /// Returns what sampling adds to a release with this certified delta; nothing where nobody was sampled.
    pub fn of(request: &Request, settled: &Settled, certified: &Rational) -> Result<Option<Self>, Refusal> {
        let Some(data) = &request.data else { return Ok(None) };
        let (how, sampling) = match (&data.sample, &data.sampled) {
            (None, None) => return Ok(None),
            (Some(chance), _) => {
                can_be_sampled(request)?;
                (SampleOrigin::Tossed, Sampling::by(chance.clone()))
            }
            (None, Some(sampled)) => {
                is_known_of(&request.kind)?;
                let chances = (sampled.least.clone(), sampled.most.clone());
                (SampleOrigin::Collected, Sampling::between(chances.0, chances.1, sampled.known))
            }
        };
        // A request has no other chances.
        let Ok(sampling) = sampling else { return Ok(None) };
        if request.bins_per_person() > 1 {
            return Err(NoSample::SeveralBins.into());
        }
        let basis = Basis {
            sampling,
            deployed: settled.deployed.clone(),
            promise: request.promise.promise.clone(),
            supremum: settled.curve.supremum(),
            certified: certified.clone(),
        };
        let mut release = SampledRelease { how, charged: None, basis, statements: OnceLock::new() };
        if let Some(epsilon) = &request.promise.sampled_epsilon {
            release.charged = Some(release.point_to_charge(epsilon, request.promise.delta.as_ref())?);
        }
        Ok(Some(release))
    }

    /// Returns what is charged at an epsilon, or why nothing can be.
    fn point_to_charge(&self, epsilon: &Rational, most: Option<&Rational>) -> Result<Point, Refusal> {
        let point = self.basis.everybody(epsilon).map_err(|error| match error {
            SamplingError::EpsilonTooSmall { smallest } => NoSample::TooSmall { asked: epsilon.clone(), smallest },
            error @ (SamplingError::NotPositive
            | SamplingError::NotKnown { .. }
            | SamplingError::TooManyPeople { .. }
            | SamplingError::Law(_)) => NoSample::NotKnown(error),
        })?;
        let Some(most) = most.filter(|most| point.delta > **most) else { return Ok(point) };
        let curve = self.statements().iter().find(|statement| statement.notion == Notion::Everybody);
        let fits = curve.and_then(|statement| statement.curve.iter().find(|point| point.delta <= *most));
        let (epsilon, asked) = (epsilon.clone(), most.clone());
        Err(NoSample::Delta { epsilon, has: point.delta, asked, fits: fits.map(|point| point.epsilon.clone()) }.into())
    }

    /// Returns the chance that a loss exceeds `ln odds` in the worst population; nothing where it is not summed from
    /// the law that runs.
    pub fn exceeding(&self, point: &Point, odds: &Rational) -> Option<Chance> {
        match point.by {
            DeltaReason::Law => self.basis.deployed.sampled_exceeding(&self.basis.sampling, odds).ok(),
            DeltaReason::Theorem(_) | DeltaReason::Amplification => None,
        }
    }

    /// Returns the promise as which the release is charged, with this delta; nothing where its own promise is charged.
    pub fn charged_as(&self, delta: &Rational) -> Option<PromiseRequest> {
        let epsilon = Epsilon::Finite(self.charged.as_ref()?.epsilon.clone());
        let promise = Promise::DifferentialPrivacy { epsilon };
        Some(PromiseRequest { promise, delta: Some(delta.clone()), sampled_epsilon: None })
    }

    /// Returns all that holds because people were sampled; nothing where no theorem and no law is known.
    pub fn statements(&self) -> &[Statement] {
        self.statements.get_or_init(|| {
            let own = self.charged.iter().map(|point| point.epsilon.clone());
            let shown = SHOWN.iter().map(|hundredths| Rational::from(*hundredths) / Rational::from(100u8));
            let epsilons: BTreeSet<Rational> = shown.chain(own).collect();
            let everybody = curve(&epsilons, |epsilon| self.basis.everybody(epsilon));
            let distributional = match self.how {
                SampleOrigin::Tossed => Vec::new(),
                SampleOrigin::Collected => curve(&epsilons, |epsilon| self.basis.distributional(epsilon)),
            };
            let statements = [(Notion::Everybody, everybody), (Notion::Distributional, distributional)];
            let statements = statements.into_iter().filter(|(_, curve)| !curve.is_empty());
            statements.map(|(notion, curve)| Statement { notion, curve }).collect()
        })
    }

    /// Returns what the three mechanisms that suit crowd-blending would have on this sample; nothing for other
    /// promises.
    pub fn comparison(&self) -> Option<SampleComparison> {
        let Basis { sampling, deployed, promise, .. } = &self.basis;
        let Promise::CrowdBlending { crowd, epsilon: Epsilon::Finite(own) } = promise else { return None };
        if deployed.universe == Universe::Open || deployed.publish_from.is_some() || sampling.known() > MOST_KNOWN {
            return None;
        }
        let rate = if own > &Rational::ZERO { own.clone() } else { Rational::ONE };
        // Noise is surely no worse only from where the theorem with two parameters begins (`docs/errata.md` 5).
        let reached = |epsilon: &Rational| crowd_blending_delta(*crowd, &rate, sampling, epsilon).is_ok();
        let own_choice = self.charged.iter().map(|point| point.epsilon.clone());
        let shown = SHOWN.iter().map(|hundredths| Rational::from(*hundredths) / Rational::from(100u8));
        let epsilon = own_choice.chain(shown).find(reached)?;
        let curve = Promise::CrowdBlending { crowd: *crowd, epsilon: Epsilon::Finite(rate.clone()) }.curve().ok()?;
        let delta = |mechanism: Mechanism| {
            let deployed = Deployed { mechanism, universe: Universe::Closed, publish_from: None };
            deployed.sampled_delta(sampling, &epsilon).ok().map(|sampled| sampled.delta.upper_bound())
        };
        Some(SampleComparison {
            suppress_below: delta(Mechanism::SuppressBelow { crowd: *crowd })?,
            noise_below: delta(Mechanism::NoiseBelow { crowd: *crowd, epsilon: rate.clone() })?,
            tailored: delta(Mechanism::TailoredGeometric { curve })?,
            epsilon,
            promised: own.clone(),
            rate,
        })
    }
}

/// Returns the deltas of all epsilons that have one; where some are too small, also that of the smallest that is not.
fn curve(epsilons: &BTreeSet<Rational>, delta: impl Fn(&Rational) -> Result<Point, SamplingError>) -> Vec<Point> {
    let mut smallest = None;
    let mut points = Vec::new();
    for epsilon in epsilons {
        match delta(epsilon) {
            Ok(point) => points.push(point),
            Err(SamplingError::EpsilonTooSmall { smallest: from }) => smallest = Some(from),
            Err(
                SamplingError::NotPositive
                | SamplingError::NotKnown { .. }
                | SamplingError::TooManyPeople { .. }
                | SamplingError::Law(_),
            ) => {}
        }
    }
    if let Some(first) = smallest.filter(|from| !epsilons.contains(from)).and_then(|from| delta(&from).ok()) {
        points.insert(points.partition_point(|point| point.epsilon < first.epsilon), first);
    }
    points
}

impl Basis {
    /// Returns the smallest delta that is known at an epsilon, as differential privacy for everybody.
    ///
    /// The law that runs is never worse than a theorem about all mechanisms, so it goes first.
    fn everybody(&self, epsilon: &Rational) -> Result<Point, SamplingError> {
        let theorem = self.crowd_theorem(epsilon);
        let by_theorem =
            theorem.as_ref().and_then(|(_, found)| found.as_ref().ok()).map(|sampled| sampled.delta.upper_bound());
        let law = if self.sampling.known() <= MOST_KNOWN {
            self.deployed.sampled_delta(&self.sampling, epsilon)
        } else {
            Err(SamplingError::NotKnown { mechanism: self.deployed.mechanism.name() })
        };
        let unknown = match law {
            Ok(sampled) => return Ok(point(&sampled, DeltaReason::Law, by_theorem)),
            Err(error) => error,
        };
        let amplified = self.amplified(epsilon);
        match (theorem, amplified) {
            (Some((source, Ok(sampled))), _) => Ok(point(&sampled, DeltaReason::Theorem(source), by_theorem)),
            (_, Some(amplified)) => amplified,
            (Some((_, Err(error))), None) => Err(error),
            (None, None) => Err(unknown),
        }
    }

    /// Returns which theorem about crowds is meant: the second one where chances differ or somebody is known.
    fn crowd_theorem_source(&self) -> &'static str {
        let plain = self.sampling.least() == self.sampling.most() && self.sampling.known() == 0;
        if plain { "CB Theorem 13" } else { "CB Theorem 16" }
    }

    /// Returns what CB Theorems 13 and 16 say about every mechanism with this promise, where it is one of crowds.
    fn crowd_theorem(&self, epsilon: &Rational) -> Option<(&'static str, Result<Sampled, SamplingError>)> {
        // The theorems are about promises that never fail.
        if self.certified > Rational::ZERO {
            return None;
        }
        let source = self.crowd_theorem_source();
        let (crowd, own) = match &self.promise {
            Promise::CrowdBlending { crowd, epsilon: Epsilon::Finite(own) } => (*crowd, own.clone()),
            // OP Proposition 12.
            Promise::SimpleOutlier { group, epsilon: Epsilon::Finite(own) } => {
                (group.saturating_add(1), own / Rational::from((*group).max(1)))
            }
            Promise::CrowdBlending { epsilon: Epsilon::Infinite, .. }
            | Promise::SimpleOutlier { epsilon: Epsilon::Infinite, .. }
            | Promise::DifferentialPrivacy { .. }
            | Promise::Group { .. }
            | Promise::SimpleOutlierDp { .. }
            | Promise::Staircase { .. }
            | Promise::Linear { .. }
            | Promise::Fading { .. }
            | Promise::Table { .. } => return None,
        };
        Some((source, crowd_blending_delta(crowd, &own, &self.sampling, epsilon)))
    }

    /// Returns what a promise to everybody is on a sample; nothing where there is none.
    ///
    /// With `Q` the law without her, `Q'` with her surely sampled and `p` her chance, hers is `P = (1-p) Q + p Q'`. At
    /// `e^E = 1 + p (e^eps - 1)`, `P - e^E Q = p (Q' - e^eps Q)`, of which no set has more than `p delta`. In reverse
    /// `Q' >= e^-eps (Q - delta)` on every set, so that `Q - e^E P <= (1 - e^E (1 - p + p e^-eps)) Q + p e^(E-eps)
    /// delta`, whose first term is not above zero and whose second is at most `p delta`.
    fn amplified(&self, epsilon: &Rational) -> Option<Result<Point, SamplingError>> {
        let supremum = self.supremum.finite()?;
        let smallest = amplified_epsilon(supremum, &self.sampling);
        if epsilon < &smallest {
            return Some(Err(SamplingError::EpsilonTooSmall { smallest }));
        }
        Some(Ok(Point {
            epsilon: epsilon.clone(),
            delta: self.sampling.most() * &self.certified,
            tightness: Tightness::UpperBound,
            by: DeltaReason::Amplification,
            others: None,
            by_theorem: None,
        }))
    }

    /// Returns what simple outlier privacy of a collected sample is: OP Theorem 22.
    fn distributional(&self, epsilon: &Rational) -> Result<Point, SamplingError> {
        match &self.promise {
            Promise::SimpleOutlier { group, epsilon: Epsilon::Finite(own) } if self.certified == Rational::ZERO => {
                let sampled = simple_outlier_delta(*group, own, &self.sampling, epsilon)?;
                Ok(point(&sampled, DeltaReason::Theorem("OP Theorem 22"), None))
            }
            _ => Err(SamplingError::NotKnown { mechanism: self.deployed.mechanism.name() }),
        }
    }
}

fn point(sampled: &Sampled, by: DeltaReason, by_theorem: Option<Rational>) -> Point {
    let delta = sampled.delta.upper_bound();
    let (least, most) = sampled.worst;
    Point {
        epsilon: sampled.epsilon.clone(),
        others: (delta > Rational::ZERO).then_some(least.saturating_add(most)),
        delta,
        tightness: sampled.delta.tightness,
        by,
        by_theorem,
    }
}

#[cfg(test)]
mod tests;
