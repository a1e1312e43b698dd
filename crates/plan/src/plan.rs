//! The plan: what will be promised, to whom, at what cost and with what error, before anything is read.
//!
//! A plan is a function of the request alone; it must never say "optimal" or "met" where that is not proved or
//! computed. It is separate from the commands because every command, and later every release, starts with one. Read
//! `words.rs` for how it is said, `plan_json.rs` for how it is written for machines.

mod empty_words;
pub mod odds;
mod of_kind;
pub mod plan_json;
mod showing;

use crate::empty::EmptyCells;
use crate::kinds::{KindPlan, settled};
use crate::refusal::{Refusal, readable};
use crate::request::{MechanismRequest, OutputRequest, Request};
use crate::sampled::{Point, SampledRelease};
use crate::settle::Settled;
use crate::shows::Shows;
use incrowd_exact::Rational;
use incrowd_privacy::theorem::Theorem;
use incrowd_privacy::{
    Curve, Delta, Deployed, Epsilon, Mechanism, Tightness, TooManyOutcomes, Utility, Worst, is_optimal,
};
use std::collections::BTreeSet;
use std::sync::OnceLock;

use odds::Odds;

/// What a promise costs at one count.
#[derive(Debug, Clone)]
pub struct ExactAt {
    /// How many people.
    pub count: u64,
    /// What is promised to each of them, per bin.
    pub epsilon: Epsilon,
    /// What that costs.
    pub delta: Delta,
}

impl ExactAt {
    pub(crate) fn of(settled: &Settled, count: u64) -> Result<ExactAt, Refusal> {
        let epsilon = settled.curve.epsilon(count);
        let delta = settled.deployed.delta(count, &epsilon).map_err(incrowd_privacy::AccountError::from)?;
        Ok(ExactAt { count, epsilon, delta })
    }
}

/// What a release would cost an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// The weakest protection that anybody gets.
    pub epsilon: Epsilon,
    /// As certified, never above what was asked.
    pub delta: Rational,
}

/// A request with everything decided.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What was asked.
    pub(crate) request: Request,
    /// What will run.
    pub(crate) settled: Settled,
    /// The promise to a person, over all her bins.
    pub(crate) curve: Curve,
    /// The worst count, by exact accounting.
    pub(crate) worst: Worst,
    /// What is added by sampling people first, if they are.
    pub(crate) sampled: Option<SampledRelease>,
    /// What the literature says.
    pub(crate) theorem: Theorem,
    /// Exact accounts at chosen counts.
    pub(crate) exact: Vec<ExactAt>,
    /// What to expect at chosen counts.
    pub(crate) utility: Vec<Utility>,
    /// What is decided about its kind of release, beside the mechanism.
    pub(crate) kind: KindPlan,
    /// What is expected of empty cells, where a threshold lets some of them pass.
    pub(crate) empty: Option<EmptyCells>,
    /// Whether no mechanism with this promise does better; never said of a sample, nor of several bins for a person.
    pub(crate) optimal: bool,
    /// Whether no mechanism with this curve and delta 0 does better.
    pub(crate) optimal_at_delta_zero: bool,
    /// How sure anybody can become, once somebody asks.
    pub(crate) odds: OnceLock<Vec<Odds>>,
    /// From which size on bins show, once somebody asks.
    pub(crate) shows: OnceLock<Option<Shows>>,
}

/// A plan with the mechanism that its own request asks for: the only one that is charged, drawn from and delivered.
///
/// A request's hash is its name in the ledger and in the certificate, so a plan of the same request with another
/// mechanism, which is there to be compared or recomputed, is no such plan; nor does one change once it is made.
///
/// ```compile_fail,E0423
/// fn other(request: &incrowd_plan::request::Request, other: &incrowd_plan::request::MechanismRequest) {
///     let plan = incrowd_plan::plan::Plan::with(request, Some(other), None).unwrap();
///     let ordered = incrowd_plan::plan::RequestedPlan(plan);
/// }
/// ```
/// ```compile_fail,E0616
/// fn unhidden(mut plan: incrowd_plan::plan::Plan) {
///     plan.settled.deployed.publish_from = None;
/// }
/// ```
/// ```compile_fail,E0594
/// fn unhidden(mut plan: incrowd_plan::plan::Plan) {
///     plan.settled().deployed().publish_from = None;
/// }
/// ```
#[derive(Debug, Clone)]
pub struct RequestedPlan(Plan);

impl RequestedPlan {
    /// Returns the plan of a request, or why there is none.
    pub fn of(request: &Request) -> Result<RequestedPlan, Refusal> {
        Plan::of(request, None).map(RequestedPlan)
    }

    /// Returns what was decided.
    pub fn plan(&self) -> &Plan {
        &self.0
    }

    /// Returns what was decided, to be told: nothing is charged for it any more.
    pub fn into_plan(self) -> Plan {
        self.0
    }
}

impl Plan {
    /// Returns the plan of a request, at given counts or at counts that suit the promise; or why there is none.
    pub fn of(request: &Request, counts: Option<&[u64]>) -> Result<Plan, Refusal> {
        Plan::with(request, None, counts)
    }

    /// Returns the plan of a request with another mechanism: to be compared or recomputed, never to be released.
    pub fn with(
        request: &Request,
        instead: Option<&MechanismRequest>,
        counts: Option<&[u64]>,
    ) -> Result<Plan, Refusal> {
        let settled = settled(request, instead)?;
        let worst = settled.certified()?;
        let curve = request.promise.promise.curve();
        let curve = curve.map_err(|_| Refusal::NothingFits { mechanism: "this promise", parameter: "curve" })?;
        let kind = KindPlan::of(request, &settled, &curve)?;
        let empty = EmptyCells::of(request, &settled)?;
        let counts = counts.map_or_else(|| telling_counts(&curve), <[u64]>::to_vec);
        let exact = counts.iter().filter(|count| **count > 0).map(|count| ExactAt::of(&settled, *count));
        let exact = exact.collect::<Result<Vec<_>, Refusal>>()?;
        // Laws that are too large to sum have no line here; the promise does not depend on them.
        let utility = counts.iter().filter_map(|count| expected(request, &settled.deployed, *count).ok()).collect();
        let bins = request.cells().declared();
        let mut theorem =
            settled.deployed.mechanism.theorem(&settled.curve, settled.thresholds(), &settled.delta, bins);
        if request.bins_per_person() > 1 {
            theorem.statement.insert_str(0, "for each bin: ");
        }
        // With several bins a person's promise can be shared among them in other ways, and on a sample less noise keeps
        // the same promise: there nothing is said to be best.
        let sampled = request.data.as_ref().is_some_and(|data| data.sample.is_some());
        let comparable = request.bins_per_person() == 1 && !sampled;
        if let (Mechanism::Relay { .. }, true) = (&settled.deployed.mechanism, comparable) {
            theorem.statement.push_str("; no mechanism shows a bin more often");
        }
        if let (Mechanism::Relay { .. }, Some(from)) = (&settled.deployed.mechanism, settled.deployed.publish_from) {
            theorem.statement.push_str(&format!(" (before values below {from} are hidden)"));
        }
        if let Some((source, statement)) = kind.theorem() {
            (theorem.source, theorem.statement) = (source, statement.into());
            theorem.parameters.clear();
        }
        let optimal_at_delta_zero = is_optimal(&settled.deployed) && comparable;
        let optimal = optimal_at_delta_zero && settled.delta == Rational::ZERO;
        let certified = worst.delta.upper_bound() * Rational::from(request.bins_per_person());
        let sampled = SampledRelease::of(request, &settled, &certified)?;
        Ok(Plan {
            request: request.clone(),
            settled,
            curve,
            worst,
            sampled,
            theorem,
            kind,
            empty,
            exact,
            utility,
            optimal,
            optimal_at_delta_zero,
            odds: OnceLock::new(),
            shows: OnceLock::new(),
        })
    }

    /// Returns the same plan with its result presented otherwise, which promises, draws and costs the same.
    pub fn with_output(&self, output: OutputRequest) -> Plan {
        let mut plan = self.clone();
        plan.request.output = output;
        plan
    }

    /// Returns what was asked.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Returns what will run.
    pub fn settled(&self) -> &Settled {
        &self.settled
    }

    /// Returns the promise to a person, over all her bins.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// Returns the worst count, by exact accounting.
    pub fn worst(&self) -> &Worst {
        &self.worst
    }

    /// Returns what is added by sampling people first, if they are.
    pub fn sampled(&self) -> Option<&SampledRelease> {
        self.sampled.as_ref()
    }

    /// Returns what the literature says.
    pub fn theorem(&self) -> &Theorem {
        &self.theorem
    }

    /// Returns exact accounts at chosen counts.
    pub fn exact(&self) -> &[ExactAt] {
        &self.exact
    }

    /// Returns what to expect at chosen counts.
    pub fn utility(&self) -> &[Utility] {
        &self.utility
    }

    /// Returns what is decided about its kind of release, beside the mechanism.
    pub fn kind(&self) -> &KindPlan {
        &self.kind
    }

    /// Returns what is expected of empty cells, where a threshold lets some of them pass.
    pub fn empty(&self) -> Option<&EmptyCells> {
        self.empty.as_ref()
    }

    /// Whether no mechanism with this promise does better; never said of a sample, nor of several bins for a person.
    pub fn is_optimal(&self) -> bool {
        self.optimal
    }

    /// Whether no mechanism with this curve and delta 0 does better.
    pub fn is_optimal_at_delta_zero(&self) -> bool {
        self.optimal_at_delta_zero
    }

    /// Returns what to expect of a mechanism for a group of so many people, counted as this plan counts: where people
    /// are sampled first, of so many people of the population.
    pub fn expected(&self, deployed: &Deployed, people: u64) -> Result<Utility, TooManyOutcomes> {
        expected(&self.request, deployed, people)
    }

    /// Returns the chance with which each person is counted, where not everybody is.
    pub fn sampling_chance(&self) -> Option<&Rational> {
        self.request.data.as_ref()?.sample.as_ref()
    }

    /// Returns what sizes of groups mean, where people are sampled first.
    pub fn group_words(&self) -> Option<String> {
        let chance = self.sampling_chance()?;
        Some(format!(
            "groups are of all people, of whom each is counted with chance {}; errors are of values as they are published, which are of the sample, and scaled up: divided by that chance",
            readable(chance)
        ))
    }

    /// Whether noise has a part in which bins show a count: those that are shown then are no fair pick.
    pub fn shown_by_noise(&self) -> bool {
        self.settled.deployed.shown_as_it_is_from().is_none()
    }

    /// Returns the delta that is certified for a person: that of all her bins together.
    pub fn certified_delta(&self) -> Rational {
        self.worst.delta.upper_bound() * Rational::from(self.request.bins_per_person())
    }

    /// Whether the certified delta is exact or only an upper bound.
    pub fn tightness(&self) -> Tightness {
        self.worst.delta.tightness
    }

    /// Returns what this release would be charged: its promise over all periods that a person may be in, or what a
    /// fresh sample makes of it where that was asked for.
    pub fn cost(&self) -> Cost {
        if let Some(point) = self.charged_sample() {
            return Cost { epsilon: Epsilon::Finite(point.epsilon.clone()), delta: point.delta.clone() };
        }
        let periods = Rational::from(self.request.periods_per_person());
        let epsilon = match self.kind.spent(&self.curve) {
            Epsilon::Finite(epsilon) => Epsilon::Finite(epsilon * &periods),
            Epsilon::Infinite => Epsilon::Infinite,
        };
        Cost { epsilon, delta: self.certified_delta() * periods }
    }

    /// Returns the most that the delta of the cost may be as written down; nothing where none was asked for.
    pub fn most_delta(&self) -> Option<Rational> {
        match (&self.request.promise.delta, self.charged_sample()) {
            (Some(delta), Some(_)) => Some(delta.clone()),
            (Some(delta), None) => Some(delta * Rational::from(self.request.periods_per_person())),
            (None, Some(_)) => None,
            (None, None) => Some(Rational::ZERO),
        }
    }

    /// Returns what a fresh sample promises to everybody, where that is charged.
    pub fn charged_sample(&self) -> Option<&Point> {
        self.sampled.as_ref().and_then(|sampled| sampled.charged.as_ref())
    }
}

fn expected(request: &Request, deployed: &Deployed, people: u64) -> Result<Utility, TooManyOutcomes> {
    match request.data.as_ref().and_then(|data| data.sample.as_ref()) {
        None => deployed.utility(people),
        Some(chance) => deployed.utility_of_sample(people, chance),
    }
}

/// Returns counts at which a promise is worth looking at: small groups, around each bend, and large ones.
pub fn telling_counts(curve: &Curve) -> Vec<u64> {
    let mut counts = BTreeSet::from([1, 10, 100, 1000]);
    let bends: Vec<u64> = curve.runs().iter().filter_map(|run| run.to).collect();
    let chosen: Vec<u64> = match bends.len() {
        0..=4 => bends,
        many => [0, many / 3, 2 * many / 3, many - 1].iter().map(|index| bends[*index]).collect(),
    };
    for bend in chosen {
        counts.extend([bend.div_ceil(2), bend, bend + 1, bend + (bend / 20).max(2)]);
        if bend >= 500 {
            counts.insert(bend.saturating_mul(10));
        }
    }
    counts.into_iter().filter(|count| *count > 0).collect()
}
