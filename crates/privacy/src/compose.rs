//! What several releases about the same people promise together.
//!
//! Only sums that are proved: differential privacy at the suprema, curves point by point for the same binning, crowd-
//! blending beside differential privacy (CB Proposition 8); whatever else is asked for is a clash, and must never be
//! given a number. It is separate because a ledger keeps the releases and this is only arithmetic about them. Read
//! `compose/losses.rs` next, for the sum that is tighter.

pub(crate) mod losses;

use crate::curve::{Curve, Epsilon};
use incrowd_exact::{Enclosure, Rational, exp_neg};
use std::collections::BTreeMap;

/// How the bins of a second release relate to those of a first, as far as their definitions prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The same people are in the same bins.
    Same,
    /// The second bin is a function of the first.
    Coarser,
    /// The first bin is a function of the second.
    Finer,
    /// Nobody is counted in both, for a reason that somebody may have to confirm.
    Disjoint(Apart),
    /// None of these is proved.
    Different,
}

/// Why nobody is counted in two releases. Each reason rests on a declaration of its own, and is confirmed by that one
/// alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    /// They are of other parts of one split, whose column is a function of the person.
    Parts,
    /// They are of other periods of one series, and nobody is in two periods.
    Periods,
}

/// One release, as far as composition needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleasedLoss {
    /// What was promised by the size of a group; nothing if only the weakest protection is known.
    pub curve: Option<Curve>,
    /// The weakest protection that anybody got, as charged.
    pub epsilon: Epsilon,
    /// By how much chances may differ beyond epsilon, as charged.
    pub delta: Rational,
    /// Which binning it was, by the caller's numbering.
    pub binning: usize,
    /// The part of the people that it counted, if it counted a declared part: parts of one split share nobody.
    pub part: Option<Part>,
    /// In how many bins a person may have been.
    pub bins: Bins,
    /// Who was one person, if that is known: sums are about one kind of person.
    pub unit: Option<String>,
    /// How often this was released.
    pub times: u64,
}

/// In how many bins of a release a person may have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bins {
    /// In one: propositions about crowds hold.
    One,
    /// In several, or nobody knows: her losses add up, and nothing is proved about crowds.
    Several,
}

/// A declared part of the people.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// Which split it is a part of.
    pub split: String,
    /// Which part.
    pub name: String,
}

/// What all releases promise together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Total {
    /// Differential privacy for everybody: suprema and deltas add up, whatever the bins.
    Everybody {
        /// The sum of the suprema.
        epsilon: Rational,
        /// The sum of the deltas.
        delta: Rational,
    },
    /// Crowd-blending: everybody blends into a crowd or is protected.
    Crowd {
        /// The smallest of the crowds.
        crowd: u64,
        /// `eps_1 + 2 eps_2`, where `eps_2` is what differentially private releases add up to (CB Proposition 8).
        epsilon: Rational,
        /// `delta_1 + (1 + e^eps_2) delta_2`, rounded up.
        delta: Rational,
    },
    /// Curves added point by point: small groups are protected, and there is no total for everybody.
    Growing {
        /// What people are promised whose groups are all of at most so many; nothing where curves have no end.
        up_to: Option<(u64, Rational)>,
        /// The sum of the deltas.
        delta: Rational,
    },
}

impl Total {
    /// What is compared with a budget; nothing where the sum grows without end.
    pub fn epsilon(&self) -> Option<&Rational> {
        match self {
            Total::Everybody { epsilon, .. } | Total::Crowd { epsilon, .. } => Some(epsilon),
            Total::Growing { up_to, .. } => up_to.as_ref().map(|(_, epsilon)| epsilon),
        }
    }

    /// By how much chances may differ beyond the sum of epsilons.
    pub fn delta(&self) -> &Rational {
        match self {
            Total::Everybody { delta, .. } | Total::Crowd { delta, .. } | Total::Growing { delta, .. } => delta,
        }
    }
}

/// Two releases that promise nothing together, by their places in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clash {
    /// The earlier.
    pub first: usize,
    /// The later.
    pub second: usize,
    /// Why.
    pub why: ClashKind,
}

/// Why two releases promise nothing together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClashKind {
    /// Both have exact counts of large groups, in bins that are not the same (CB Proposition 7).
    ExactCounts,
    /// One has no bound for large groups and no proved place beside other bins: a curve without an end, or exact counts
    /// of people in several bins. It adds up only with the same bins.
    Endless,
    /// They mean different things by one person: rows, or the values of different columns.
    OtherPeople,
}

/// Returns what all releases promise together, or the first two that promise nothing together.
///
/// `relation` says how the bins of one number relate to those of another.
pub fn compose(releases: &[ReleasedLoss], relation: &dyn Fn(usize, usize) -> Relation) -> Result<Total, Clash> {
    if let Some(clash) = clash(releases, relation) {
        return Err(clash);
    }
    let exact: Vec<&ReleasedLoss> = releases.iter().filter(|release| release.epsilon == Epsilon::Infinite).collect();
    let supremum = |release: &ReleasedLoss| release.epsilon.finite().cloned().unwrap_or(Rational::ZERO);
    let delta_of = |infinite: bool| {
        move |release: &ReleasedLoss| {
            if (release.epsilon == Epsilon::Infinite) == infinite { release.delta.clone() } else { Rational::ZERO }
        }
    };
    let (epsilon, delta) = (sum(releases, &supremum), sum(releases, &|release| release.delta.clone()));
    if exact.is_empty() {
        return Ok(Total::Everybody { epsilon, delta });
    }
    // What was spent must never become less: once there is a crowd, finite promises and their deltas count as beside
    // one, also when a later release leaves no crowd to claim.
    let crowded = exact.iter().any(|release| end(release).is_some());
    let delta = if crowded {
        // The factor is the greatest that any part of the people meets.
        let grown = both_ways(&epsilon, &sum(releases, &delta_of(false)));
        (sum(releases, &delta_of(true)) + grown).min(Rational::ONE)
    } else {
        delta
    };
    let ends = exact.iter().map(|release| end(release)).collect::<Option<Vec<_>>>();
    let Some(last) = ends.and_then(|ends| ends.into_iter().min()) else {
        return Ok(Total::Growing { up_to: small_groups(releases, crowded), delta });
    };
    let weighted = |release: &ReleasedLoss| match &release.epsilon {
        Epsilon::Finite(epsilon) => Rational::from(2u8) * epsilon,
        Epsilon::Infinite => at_the_end(release),
    };
    Ok(Total::Crowd { crowd: last.saturating_add(1), epsilon: sum(releases, &weighted), delta })
}

/// Returns what a person in a group of `count` is promised, or nothing if that is unbounded.
///
/// Groups are those of the finest binning, of which all others are provably functions; where there is no such binning,
/// every release counts with its supremum (`docs/theory.md` section 6).
pub fn by_group(releases: &[ReleasedLoss], relation: &dyn Fn(usize, usize) -> Relation, count: u64) -> Epsilon {
    let finest = releases.iter().map(|release| release.binning).find(|first| {
        releases.iter().all(|release| match relation(*first, release.binning) {
            Relation::Same | Relation::Coarser => true,
            Relation::Finer | Relation::Disjoint(_) | Relation::Different => false,
        })
    });
    let of = |release: &ReleasedLoss| match finest {
        Some(finest) if relation(finest, release.binning) == Relation::Same => match &release.curve {
            Some(curve) => curve.epsilon(count.max(1)).min(release.epsilon.clone()),
            None => release.epsilon.clone(),
        },
        Some(_) | None => release.epsilon.clone(),
    };
    if releases.iter().any(|release| of(release) == Epsilon::Infinite) {
        return Epsilon::Infinite;
    }
    Epsilon::Finite(sum(releases, &|release| of(release).finite().cloned().unwrap_or(Rational::ZERO)))
}

/// Returns what a person is promised whose groups have at most `count` people in every table, or nothing if that is
/// unbounded.
///
/// Her losses add up (OP Definition 2), whatever the tables have to do with each other.
pub fn in_every_table(releases: &[ReleasedLoss], count: u64) -> Epsilon {
    let of = |release: &ReleasedLoss| match &release.curve {
        Some(curve) => curve.epsilon(count.max(1)).min(release.epsilon.clone()),
        None => release.epsilon.clone(),
    };
    if releases.iter().any(|release| of(release) == Epsilon::Infinite) {
        return Epsilon::Infinite;
    }
    Epsilon::Finite(sum(releases, &|release| of(release).finite().cloned().unwrap_or(Rational::ZERO)))
}

/// The largest group that has a finite epsilon, where that makes a crowd: beyond it counts are exact.
fn end(release: &ReleasedLoss) -> Option<u64> {
    match release.bins {
        Bins::One => release.curve.as_ref().and_then(Curve::last_finite),
        Bins::Several => None,
    }
}

/// The epsilon of that group.
fn at_the_end(release: &ReleasedLoss) -> Rational {
    let last = end(release).filter(|last| *last > 0);
    let epsilon = last.zip(release.curve.as_ref()).map(|(last, curve)| curve.epsilon(last));
    epsilon.and_then(|epsilon| epsilon.finite().cloned()).unwrap_or(Rational::ZERO)
}

/// What people are promised in all whose groups are so small that every release has an epsilon for them.
fn small_groups(releases: &[ReleasedLoss], crowded: bool) -> Option<(u64, Rational)> {
    let exact = releases.iter().filter(|release| release.epsilon == Epsilon::Infinite);
    let ends = exact.map(|release| release.curve.as_ref()?.last_finite()).collect::<Option<Vec<_>>>()?;
    let last = ends.into_iter().min().filter(|last| *last > 0)?;
    let weight = Rational::from(if crowded { 2u8 } else { 1u8 });
    // Each with its own last epsilon: a smaller group released later must not make what was spent smaller.
    let of = |release: &ReleasedLoss| match (&release.epsilon, &release.curve) {
        (Epsilon::Finite(epsilon), _) => &weight * epsilon,
        (Epsilon::Infinite, Some(curve)) => {
            let own = curve.last_finite().filter(|own| *own > 0).map(|own| curve.epsilon(own));
            own.and_then(|epsilon| epsilon.finite().cloned()).unwrap_or(Rational::ZERO)
        }
        (Epsilon::Infinite, None) => Rational::ZERO,
    };
    Some((last, sum(releases, &of)))
}

fn clash(releases: &[ReleasedLoss], relation: &dyn Fn(usize, usize) -> Relation) -> Option<Clash> {
    let unbounded = |release: &ReleasedLoss| release.epsilon == Epsilon::Infinite;
    let endless = |release: &ReleasedLoss| unbounded(release) && end(release).is_none();
    let indexed = || releases.iter().enumerate();
    let mut known = indexed().filter_map(|(place, release)| Some((place, release.unit.as_ref()?)));
    if let Some((first, unit)) = known.next()
        && let Some((second, _)) = known.find(|(_, other)| *other != unit)
    {
        return Some(Clash { first, second, why: ClashKind::OtherPeople });
    }
    for (second, later) in indexed().filter(|(_, release)| unbounded(release)) {
        for (first, earlier) in indexed().filter(|(first, _)| *first != second) {
            let why = if endless(later) || endless(earlier) {
                ClashKind::Endless
            } else if unbounded(earlier) {
                ClashKind::ExactCounts
            } else {
                continue;
            };
            match relation(earlier.binning, later.binning) {
                Relation::Same | Relation::Disjoint(Apart::Parts | Apart::Periods) => {}
                Relation::Coarser | Relation::Finer | Relation::Different => {
                    return Some(Clash { first: first.min(second), second: first.max(second), why });
                }
            }
        }
    }
    None
}

/// Returns the sum over all releases: within a split, of the part that has most.
fn sum(releases: &[ReleasedLoss], of: &dyn Fn(&ReleasedLoss) -> Rational) -> Rational {
    let mut whole = Rational::ZERO;
    let mut splits: BTreeMap<&str, BTreeMap<&str, Rational>> = BTreeMap::new();
    for release in releases {
        let cost = of(release) * Rational::from(release.times);
        match &release.part {
            None => whole += cost,
            Some(part) => *splits.entry(&part.split).or_default().entry(&part.name).or_default() += cost,
        }
    }
    for parts in splits.into_values() {
        whole += parts.into_values().max().unwrap_or(Rational::ZERO);
    }
    whole
}

/// Returns `(1 + e^epsilon) delta`, rounded up: what leaving and being replaced cost together.
fn both_ways(epsilon: &Rational, delta: &Rational) -> Rational {
    // Far beyond any promise: the exponential is not worth its digits, and the sum is above 1 unless delta is tiny.
    const MOST: u64 = 4096;
    if delta == &Rational::ZERO {
        return Rational::ZERO;
    }
    if epsilon > &Rational::from(MOST) {
        return Rational::ONE;
    }
    let bits = 128 + 2 * usize::try_from(&epsilon.clone().ceil()).unwrap_or(MOST as usize);
    let grown = Enclosure::one(bits).over(&exp_neg(epsilon, bits)).upper();
    delta * (Rational::ONE + grown)
}

#[cfg(test)]
mod tests;
