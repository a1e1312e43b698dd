//! The coins of a sample: who is counted in one release.
//!
//! Every coin shows heads with exactly the chance that the request asks for, and comes from the secret of the release:
//! fresh for each charge, never stored, independent of the noise. It must never look at what a row says. It is separate
//! because an engine asks for coins and knows neither the secret nor the chance. Read `plan/sampled.rs` for what they
//! are worth.

use crate::plan::Plan;
use incrowd_engine::{Coins, Participants, RowBatch};
use incrowd_exact::{Enclosure, Rational};
use incrowd_noise::{BinAddress, BinStreams, Coin, ReleaseSecret};
use std::sync::Arc;

/// Returns who is counted in the release of a plan; `release` names its streams of random bits.
pub(crate) fn who(plan: &Plan, secret: &ReleaseSecret, release: &str) -> Participants {
    match plan.request().data.as_ref().and_then(|data| data.sample.as_ref()) {
        None => Participants::Everybody,
        Some(chance) => Participants::Sample(Arc::new(Tossed::new(chance, secret, release))),
    }
}

/// Coins of one chance, keyed by the secret of a release.
struct Tossed {
    coin: Coin,
    persons: BinStreams,
    rows: BinStreams,
}

impl Tossed {
    fn new(chance: &Rational, secret: &ReleaseSecret, release: &str) -> Self {
        let chance = chance.clone();
        let streams = |table| secret.streams(&BinAddress { release, table, purpose: "sample" });
        Tossed {
            coin: Coin::new(move |bits| Enclosure::rational(&chance, bits)),
            persons: streams("persons"),
            rows: streams("rows"),
        }
    }
}

impl Coins for Tossed {
    fn person(&self, person: &[u8]) -> bool {
        self.coin.toss(&mut self.persons.bin(person))
    }

    fn rows(&self, batch: &RowBatch) -> Vec<bool> {
        let mut key = [0; 16];
        key[..8].copy_from_slice(&batch.part.to_le_bytes());
        key[8..].copy_from_slice(&batch.number.to_le_bytes());
        let mut bits = self.rows.bin(&key);
        (0..batch.rows).map(|_| self.coin.toss(&mut bits)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::parse_number;
    use incrowd_noise::testing::known_secret;

    fn coins(chance: &str, seed: u64, release: &str) -> Tossed {
        Tossed::new(&parse_number(chance).expect("a number"), &known_secret(seed), release)
    }

    /// Whether heads came about as often as they should: within six standard deviations.
    fn is_fair(heads: usize, tosses: usize, chance: f64) -> bool {
        let (mean, spread) = (tosses as f64 * chance, (tosses as f64 * chance * (1.0 - chance)).sqrt());
        (heads as f64 - mean).abs() < 6.0 * spread
    }

    #[test]
    fn heads_come_as_often_as_was_asked_and_no_other_chance_fits() {
        const TOSSES: usize = 200_000;
        for (text, chance) in [("1/10", 0.1), ("1/2", 0.5), ("2/3", 2.0 / 3.0), ("1/1000", 0.001)] {
            let coins = coins(text, 7, "release");
            let persons = (0..TOSSES).filter(|person| coins.person(&person.to_le_bytes())).count();
            let rows = (0..100).flat_map(|number| coins.rows(&RowBatch { part: 3, number, rows: TOSSES / 100 }));
            let rows = rows.filter(|kept| *kept).count();
            for heads in [persons, rows] {
                assert!(is_fair(heads, TOSSES, chance), "{text}: {heads}");
                // The test has power: a chance that is off by a quarter would be noticed, also the rarest.
                assert!(!is_fair(heads, TOSSES, chance * 1.25) || chance < 0.01, "{text}: {heads}");
                assert!(!is_fair(heads, TOSSES, chance * 2.0) && !is_fair(heads, TOSSES, chance * 0.4), "{text}");
            }
        }
    }

    #[test]
    fn a_person_has_one_coin_and_another_one_in_the_next_release() {
        let (coins, again) = (coins("1/2", 1, "first"), coins("1/2", 1, "second"));
        let of = |coins: &Tossed| (0..256u32).map(|person| coins.person(&person.to_le_bytes())).collect::<Vec<_>>();
        assert_eq!(of(&coins), of(&coins));
        let same = of(&coins).iter().zip(of(&again)).filter(|(one, other)| **one == *other).count();
        assert!((80..176).contains(&same), "{same} of 256 coins are the same");
    }

    #[test]
    fn rows_have_coins_of_their_place_alone() {
        let coins = coins("1/2", 1, "release");
        let batch = |part, number| coins.rows(&RowBatch { part, number, rows: 256 });
        assert_eq!(batch(0, 0), batch(0, 0));
        for (part, number) in [(0, 1), (1, 0), (1, 1)] {
            assert_ne!(batch(0, 0), batch(part, number));
        }
    }
}
