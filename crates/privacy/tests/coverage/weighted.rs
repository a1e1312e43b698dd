//! How often bounds of weighted sums hold: summed from the exact laws over all pairs of outcomes, never simulated.
//!
//! A bound must be too small at most once in forty times, whatever the counts and the weights, and a mutant that
//! believes the values must not. It is separate from `change.rs`, whose sums have no weights. Read
//! `src/weighted_sum.rs` for the argument.

use crate::change::{Ends, Eyes, Pairs, named};
use crate::settings::Setting;
use crate::shown::{Laws, Sight};
use incrowd_exact::{Integer, Rational};
use incrowd_privacy::{LevelsWithin, SummedEnds, Weighted};
use std::collections::HashMap;

/// The smallest share in which the bound from above, or that from below, holds for pairs of counts and weights.
fn coverage(settings: [&Setting; 2], counts: &[[u64; 2]], weights: &[[i64; 2]], eyes: Eyes) -> Rational {
    let levels = LevelsWithin::of(2).expect("levels");
    let [one, two] = settings.map(|setting| Laws::of(&setting.deployed));
    let [mut ends, mut other_ends] = settings.map(|setting| Ends::of(&setting.deployed, eyes));
    let mut known: HashMap<_, (i128, i128)> = HashMap::new();
    let mut least = Rational::ONE;
    for counts in counts {
        let (Sight::Seen(one), Sight::Seen(two)) = (one.at(counts[0]), two.at(counts[1])) else {
            panic!("always shown")
        };
        let pairs = Pairs::of(&one, &two);
        for weights in weights {
            let parts = counts.iter().zip(weights).map(|(count, weight)| i128::from(*count) * i128::from(*weight));
            let truth: i128 = parts.sum();
            let (mut above, mut below) = (Integer::ZERO, Integer::ZERO);
            for (was, is, chance) in &pairs.pairs {
                let (low, high) = *known.entry((*was, *is, *weights)).or_insert_with(|| {
                    let summed = [ends.read(*was), other_ends.read(*is)].map(|ends| SummedEnds::of(&[ends]));
                    let weighted = summed.iter().zip(*weights).map(|(ends, weight)| Weighted { ends, weight });
                    let summed: Vec<Weighted<'_>> = weighted.collect();
                    (levels.lowest(&summed).expect("a bound"), levels.highest(&summed).expect("a bound"))
                });
                if truth <= high {
                    above += chance;
                }
                if low <= truth {
                    below += chance;
                }
            }
            least = least.min(pairs.share(above)).min(pairs.share(below));
        }
    }
    least
}

#[test]
fn bounds_hold_thirty_nine_times_out_of_forty_whatever_counts_and_weights() {
    let limit = Rational::from(39u8) / Rational::from(40u8);
    let [step, constant] = ["one step", "constant"].map(|words| named(words, "tailored-geometric"));
    let counts = [[0, 0], [0, 30], [19, 21], [45, 25]];
    let weights = [[1, -1], [3, 1], [-7, 2], [0, 5]];
    for settings in [[&step, &step], [&step, &constant]] {
        let found = coverage(settings, &counts, &weights, Eyes::Open);
        let words = found.to_f64().value();
        assert!(found >= limit, "{words}");
        // They are not much wider than they must be, and whoever believes what is shown is wrong.
        assert!(found < Rational::from(998u32) / Rational::from(1000u32), "{words}");
        assert!(coverage(settings, &counts[2..3], &weights, Eyes::Believing) < limit);
    }
}
