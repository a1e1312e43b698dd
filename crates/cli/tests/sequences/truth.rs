//! The true loss of every person, from counts with and without her.
//!
//! A count that is published from a crowd on is a function of the data: with and without her the same, or not. The
//! tailored geometric tells counts `a` and `b` apart by `|Phi(a) - Phi(b)|`, where `Phi` adds up the curve. A sample
//! tosses a coin for each of a bin's people. Who is neither protected nor one of a crowd of people with the same bins
//! in all exact tables has been promised something that is not true.

use crate::generate::{Person, Promise, Spec};
use crate::world::{Counts, World};
use incrowd_exact::Rational;
use incrowd_privacy::{Epsilon, Total};
use std::collections::BTreeSet;

/// What the book says.
pub struct Claim {
    /// Of everybody.
    pub total: Total,
    /// Of those whose groups have at most 1, 2, ... people in every table.
    pub small: Vec<Epsilon>,
}

/// What one sequence tells about one person.
struct Loss {
    /// How far pure mechanisms tell her from nobody.
    pure: f64,
    /// Whether some exact table differs.
    exact: bool,
    /// Her bins in each exact table.
    bins: Vec<BTreeSet<String>>,
    /// Each sample as outcomes: how likely with her and without.
    samples: Vec<Vec<(f64, f64)>>,
    /// The largest of her groups in any table.
    largest: u64,
}

/// Returns how a claim fails, for whom.
pub fn violation(world: &World, sequence: &[&Spec], claim: &Claim) -> Option<String> {
    let meanings: BTreeSet<Person> = sequence.iter().map(|spec| spec.person).collect();
    meanings.into_iter().find_map(|person| {
        let people = world.people(person);
        let losses: Vec<Loss> = people.iter().map(|rows| loss(world, sequence, rows)).collect();
        losses.iter().zip(&people).find_map(|(loss, rows)| {
            let alike = losses.iter().filter(|other| other.bins == loss.bins).count() as u64;
            let wrong = fails(loss, alike, claim)?;
            Some(format!("{person:?} with rows {rows:?}: {wrong}"))
        })
    })
}

/// Room for what floats round.
const ROOM: f64 = 1e-9;

fn float(number: &Rational) -> f64 {
    number.to_f64().value()
}

fn fails(loss: &Loss, alike: u64, claim: &Claim) -> Option<String> {
    let (crowd, epsilon, delta) = match &claim.total {
        Total::Everybody { epsilon, delta } => (None, float(epsilon), float(delta)),
        Total::Crowd { crowd, epsilon, delta } => (Some(*crowd), float(epsilon), float(delta)),
        Total::Growing { .. } => return Some("no sum for everybody".into()),
    };
    // Beside her, what remains of epsilon is for the samples.
    let exceeds = |pure: f64| {
        let excess = excess(&loss.samples, epsilon - pure);
        pure > epsilon + ROOM || excess > delta * (1.0 + ROOM) + 1e-15
    };
    let blends = crowd.is_some_and(|crowd| alike >= crowd);
    if loss.exact && !blends {
        return Some(format!("exact counts differ without her, and only {alike} have her bins"));
    }
    // In a crowd she is replaced by another one: she leaves and that one comes.
    let pure = if loss.exact { 2.0 * loss.pure } else { loss.pure };
    if exceeds(pure) {
        return Some(format!("her loss is {pure}, said are {epsilon} and {delta}"));
    }
    let small = claim.small.get(usize::try_from(loss.largest).ok()?.checked_sub(1)?)?;
    match small {
        Epsilon::Finite(small) if !loss.exact && loss.samples.is_empty() && loss.pure > float(small) + ROOM => {
            Some(format!("in groups of {} her loss is {}, said is {small}", loss.largest, loss.pure))
        }
        Epsilon::Finite(_) | Epsilon::Infinite => None,
    }
}

fn loss(world: &World, sequence: &[&Spec], rows: &[usize]) -> Loss {
    let mut loss = Loss { pure: 0.0, exact: false, bins: Vec::new(), samples: Vec::new(), largest: 0 };
    for spec in sequence {
        let (with, without) = (world.counts(spec, &[]), world.counts(spec, rows));
        let count = |counts: &Counts, bin: &String| counts.get(bin).copied().unwrap_or(0);
        let bins: BTreeSet<String> = with.keys().chain(without.keys()).cloned().collect();
        let hers: BTreeSet<String> = bins.into_iter().filter(|bin| count(&with, bin) != count(&without, bin)).collect();
        for bin in &hers {
            let (many, fewer) = (count(&with, bin), count(&without, bin));
            loss.largest = loss.largest.max(many);
            match spec.promise {
                Promise::Crowd(crowd) => loss.exact |= many >= crowd || fewer >= crowd,
                Promise::Plain(epsilon) => loss.pure += epsilon * many.abs_diff(fewer) as f64,
                Promise::Outlier(group, epsilon) => {
                    let curve = |size: u64| if size <= group { epsilon / group as f64 } else { epsilon };
                    loss.pure += (many.min(fewer) + 1..=many.max(fewer)).map(curve).sum::<f64>();
                }
                Promise::Sampled(crowd, _) => loss.samples.push(outcomes(many, fewer, crowd)),
            }
        }
        if let Promise::Crowd(_) = spec.promise {
            loss.bins.push(hers);
        }
    }
    loss
}

/// What a bin shows of a sample of one half: its count from `crowd` on, or nothing.
fn outcomes(many: u64, fewer: u64, crowd: u64) -> Vec<(f64, f64)> {
    let chance = |people: u64, heads: u64| match heads <= people {
        true => (0..heads).fold(0.5f64.powi(people as i32), |chance, i| chance * (people - i) as f64 / (i + 1) as f64),
        false => 0.0,
    };
    let silent = |people: u64| (0..crowd).map(|heads| chance(people, heads)).sum::<f64>();
    let shown = (crowd..=many.max(fewer)).map(|heads| (chance(many, heads), chance(fewer, heads)));
    shown.chain([(silent(many), silent(fewer))]).collect()
}

/// Returns by how much `e^epsilon` is exceeded in either direction, over all outcomes of all samples together.
fn excess(samples: &[Vec<(f64, f64)>], epsilon: f64) -> f64 {
    let together = samples.iter().fold(vec![(1.0, 1.0)], |all, sample| {
        all.iter().flat_map(|(p, q)| sample.iter().map(move |(with, without)| (p * with, q * without))).collect()
    });
    let one_way = |pairs: &[(f64, f64)]| pairs.iter().map(|(p, q)| (p - epsilon.exp() * q).max(0.0)).sum::<f64>();
    let turned: Vec<(f64, f64)> = together.iter().map(|(p, q)| (*q, *p)).collect();
    one_way(&together).max(one_way(&turned))
}
