//! Whether values could have come from a law: many events are counted, each against its exact probability.
//!
//! It must never reject a right sampler more often than it was allowed to. It is separate because right samplers and
//! mutants stand before the same judge. Read `main.rs` next, for who is judged.
//!
//! Chernoff: a count X of n draws of an event of probability p satisfies `P[n KL(X/n, p) > t, X >= np] <= e^-t`, and
//! likewise below. So with m events, both sides, `t = ln(2m/alpha)` rejects a right sampler with chance at most alpha.

use incrowd_exact::{Enclosure, Rational, exp_neg};

/// A count and the probability of what was counted.
type Event = (u64, f64);

#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Accepted,
    Rejected,
}

enum Sides {
    One,
    Two,
}

/// The law that values are judged by.
pub struct Law {
    rate: Rational,
    sides: Sides,
}

const PLACES: usize = 256;

impl Law {
    pub fn laplace(rate: Rational) -> Self {
        Law { rate, sides: Sides::Two }
    }

    pub fn geometric(rate: Rational) -> Self {
        Law { rate, sides: Sides::One }
    }

    /// Judges by intervals of values, by tails, and by every base-256 digit, a third of `alpha` each.
    pub fn judge(&self, values: &[i64], alpha: f64) -> Verdict {
        let draws = values.len() as u64;
        let digits = self.digit_events(values);
        let (intervals, tails) = self.interval_and_tail_events(values);
        for events in [digits, intervals, tails] {
            let (counts, probabilities): (Vec<u64>, Vec<f64>) = events.into_iter().unzip();
            if judge_counts(&counts, &probabilities, draws, alpha / 3.0) == Verdict::Rejected {
                return Verdict::Rejected;
            }
        }
        Verdict::Accepted
    }

    /// Returns `P[Y >= from]` for `from >= 0`, which is also `P[Y <= -from]` on two sides for `from >= 1`.
    fn tail(&self, from: i64) -> Enclosure {
        let power = exp_neg(&(&self.rate * Rational::from(from)), PLACES);
        match self.sides {
            Sides::One => power,
            Sides::Two => power.over(&Enclosure::one(PLACES).plus(&exp_neg(&self.rate, PLACES))),
        }
    }

    /// Returns counts and probabilities of `[m_i, m_{i+1})` and `[m_i, infinity)`, and of the same below zero.
    fn interval_and_tail_events(&self, values: &[i64]) -> (Vec<Event>, Vec<Event>) {
        // The first integers one by one, then eighths of the scale up to twelve times the scale.
        let eighth = Rational::ONE / (&self.rate * Rational::from(8));
        let mut edges: Vec<i64> = (0..8).collect();
        edges.extend((1..96).map(|step| i64::try_from((&eighth * Rational::from(step)).ceil()).expect("small")));
        edges.sort_unstable();
        edges.dedup();
        let upper: Vec<i64> = values.iter().copied().filter(|value| *value >= 0).collect();
        let lower: Vec<i64> = values.iter().map(|value| -value).filter(|value| *value > 0).collect();
        let (mut intervals, mut tails) = self.side_events(&edges, &upper);
        let (below, below_tails) = self.side_events(&edges[1..], &lower);
        match self.sides {
            Sides::One => intervals.push((lower.len() as u64, 0.0)),
            Sides::Two => {
                intervals.extend(below);
                tails.extend(below_tails);
            }
        }
        (intervals, tails)
    }

    fn side_events(&self, edges: &[i64], values: &[i64]) -> (Vec<Event>, Vec<Event>) {
        let mut counts = vec![0u64; edges.len()];
        for value in values {
            counts[edges.partition_point(|edge| edge <= value) - 1] += 1;
        }
        let mut beyond = Enclosure::zero(PLACES);
        let mut seen = 0;
        let (mut intervals, mut tails) = (Vec::new(), Vec::new());
        for (edge, count) in edges.iter().zip(&counts).rev() {
            let tail = self.tail(*edge);
            seen += count;
            intervals.push((*count, tail.minus(&beyond).to_f64()));
            tails.push((seen, tail.to_f64()));
            beyond = tail;
        }
        (intervals, tails)
    }

    /// Returns counts and probabilities of every value of every digit of the geometric part.
    fn digit_events(&self, values: &[i64]) -> Vec<Event> {
        let mut events = Vec::new();
        for place in 0..4u32 {
            let mut counts = [0u64; 256];
            for value in values {
                // On two sides, -1 - g stands for g.
                let magnitude = if *value < 0 { !value } else { *value };
                counts[(magnitude >> (8 * place)) as usize & 255] += 1;
            }
            let rate = &self.rate * Rational::from(1u64 << (8 * place));
            let one = Enclosure::one(PLACES);
            let q = exp_neg(&rate, PLACES);
            let first = one.minus(&q).over(&one.minus(&q.power(256)));
            let mut mass = first;
            for count in counts {
                events.push((count, mass.to_f64()));
                mass = mass.times(&q);
            }
        }
        events
    }
}

/// Judges counts of events against their probabilities.
pub fn judge_counts(counts: &[u64], probabilities: &[f64], draws: u64, alpha: f64) -> Verdict {
    let threshold = (2.0 * counts.len() as f64 / alpha).ln();
    // "All are within" rather than "one is beyond": what is not a number is never within.
    let within = |(count, probability): (&u64, &f64)| divergence(*count, *probability, draws) <= threshold + 1e-6;
    if counts.iter().zip(probabilities).all(within) { Verdict::Accepted } else { Verdict::Rejected }
}

/// Returns `n KL(count/n, p)`.
fn divergence(count: u64, probability: f64, draws: u64) -> f64 {
    let part = |count: u64, probability: f64| {
        let count = count as f64;
        if count == 0.0 { 0.0 } else { count * (count / (draws as f64 * probability)).ln() }
    };
    part(count, probability) + part(draws - count, 1.0 - probability)
}
