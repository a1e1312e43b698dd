//! Ladders in floats: a quick guess of their delta, to search with.
//!
//! Nothing that is computed here may be reported or relied on: `search.rs` certifies what it finds by exact accounts.
//! It is separate so that floats stay out of `law/distribution.rs`, whose cells are bounds. Read `search.rs` for its
//! only use.

use crate::curve::Epsilon;
use crate::mechanism::SideOutput;
use crate::mechanism::shape::Ladder;
use std::collections::BTreeMap;

/// A ladder whose laws are cut where tails fall below `e^-reach`.
pub(crate) struct FloatLadder {
    rates: Vec<f64>,
    levels: Vec<i64>,
    side_output: SideOutput,
    reach: f64,
}

/// Chances of `start, start + 1, ...`, by the tests that fired (all in one where that is hidden), and of silence.
struct RoughLaw {
    values: BTreeMap<u64, (i64, Vec<f64>)>,
    silent: BTreeMap<u64, f64>,
}

impl FloatLadder {
    /// Returns the ladder for deltas of about `delta`; nothing if its laws are too large to search with.
    pub(crate) fn new(ladder: &Ladder, delta: f64) -> Option<Self> {
        let rate = |epsilon: &Epsilon| epsilon.finite().map_or(f64::INFINITY, |epsilon| epsilon.to_f64().value());
        let rates: Vec<f64> = ladder.epsilons.iter().map(rate).collect();
        let reach = -delta.max(1e-300).ln() + 9.0;
        let cells: f64 = rates.iter().filter(|rate| **rate > 0.0).map(|rate| 2.0 * reach / rate).sum();
        let side_output = ladder.side_output;
        let branches = if side_output == SideOutput::Published { 2f64.powi(rates.len() as i32) } else { 1.0 };
        let small_enough = cells * branches <= crate::cells::MAX_CELLS as f64;
        small_enough.then(|| FloatLadder { rates, levels: ladder.levels.clone(), side_output, reach })
    }

    /// Returns about `delta_count(epsilon)`.
    pub(crate) fn delta(&self, count: u64, epsilon: f64) -> f64 {
        let (here, before) = (self.law(count as i64), self.law(count as i64 - 1));
        excess(&here, &before, epsilon).max(excess(&before, &here, epsilon))
    }

    fn law(&self, count: i64) -> RoughLaw {
        let mut law = RoughLaw { values: BTreeMap::new(), silent: BTreeMap::new() };
        law.values.insert(0, self.noisy((count, vec![1.0]), self.rates[0]));
        for (index, (level, rate)) in self.levels.iter().zip(&self.rates[1..]).enumerate() {
            let bit = if self.side_output == SideOutput::Published { 1 << index } else { 0 };
            for (fired, (start, mut low)) in std::mem::take(&mut law.values) {
                let cut = usize::try_from(level + 1 - start).unwrap_or(0).min(low.len());
                let high = low.split_off(cut);
                merge(&mut law.values, fired, (start + cut as i64, high));
                if low.is_empty() {
                    continue;
                }
                if *rate == 0.0 {
                    *law.silent.entry(fired | bit).or_default() += low.iter().sum::<f64>();
                } else {
                    merge(&mut law.values, fired | bit, self.noisy((start, low), *rate));
                }
            }
        }
        law
    }

    fn noisy(&self, (start, low): (i64, Vec<f64>), rate: f64) -> (i64, Vec<f64>) {
        if rate.is_infinite() {
            return (start, low);
        }
        let reach = (self.reach / rate).ceil() as usize;
        let decay = (-rate).exp();
        let scale = -(-rate).exp_m1() / (1.0 + decay);
        let mut cells = vec![0.0; low.len() + 2 * reach];
        cells[reach..reach + low.len()].copy_from_slice(&low);
        let mut behind = 0.0;
        let mut after = cells.clone();
        for (cell, after) in cells.iter().zip(&mut after).rev() {
            *after = behind;
            behind = decay * (cell + behind);
        }
        let mut ahead = 0.0;
        for (cell, after) in cells.iter_mut().zip(&after) {
            ahead = *cell + decay * ahead;
            *cell = scale * (ahead + after);
        }
        (start - reach as i64, cells)
    }
}

fn merge(values: &mut BTreeMap<u64, (i64, Vec<f64>)>, key: u64, (start, cells): (i64, Vec<f64>)) {
    if cells.is_empty() {
        return;
    }
    let Some((known_start, known)) = values.get_mut(&key) else {
        values.insert(key, (start, cells));
        return;
    };
    let first = start.min(*known_start);
    let last = (start + cells.len() as i64).max(*known_start + known.len() as i64);
    let mut sum = vec![0.0; (last - first) as usize];
    for (part_start, part) in [(*known_start, &*known), (start, &cells)] {
        for (cell, more) in sum[(part_start - first) as usize..].iter_mut().zip(part) {
            *cell += more;
        }
    }
    (*known_start, *known) = (first, sum);
}

fn excess(p: &RoughLaw, q: &RoughLaw, epsilon: f64) -> f64 {
    let factor = epsilon.exp();
    let silent: f64 =
        p.silent.iter().map(|(key, p)| (p - factor * q.silent.get(key).copied().unwrap_or(0.0)).max(0.0)).sum();
    let mut shown = 0.0;
    for (key, (start, cells)) in &p.values {
        let empty = (0, Vec::new());
        let (other_start, other) = q.values.get(key).unwrap_or(&empty);
        for (index, cell) in cells.iter().enumerate() {
            let place = start + index as i64 - other_start;
            let beside = usize::try_from(place).ok().and_then(|place| other.get(place)).copied();
            // Beyond the other's window its tail was cut, and so would be this one's excess.
            if let Some(beside) = beside {
                shown += (cell - factor * beside).max(0.0);
            }
        }
    }
    silent + shown
}
