//! Statistical tests of the samplers at full width, on fresh entropy, and mutants that the same tests must reject.
//!
//! They may use floats, never the sampler's own tables. They are separate from the enumerations in `src` because those
//! are proofs at small widths and these are evidence at the real one. Read `budget.rs` next, for how often a right
//! sampler may fail.

mod budget;
mod empty_bins;
mod judge;
mod mechanisms;
mod points;
mod top;

use budget::share;
use incrowd_exact::testing::number;
use incrowd_exact::{Enclosure, Rational, exp_neg};
use incrowd_noise::testing::SeededBits;
use incrowd_noise::{
    BinAddress, Bits, Coin, DiscreteLaplace, Geometric, RateError, ReleaseSecret, SystemBits, bernoulli_exp_neg,
    geometric_untabled, laplace_untabled, uniform_below,
};
use judge::{Law, Verdict};

const RATES: [&str; 5] = ["50", "1", "1/100", "1e-5", "1e-6"];
const DRAWS: u64 = 400_000;
const UNTABLED_DRAWS: u64 = 20_000;

/// Judges a sampler at every rate, each with its part of the share of a test.
fn judge_all(name: &str, law: fn(Rational) -> Law, draws: u64, mut sampler: impl FnMut(&Rational) -> Vec<i64>) {
    for rate in RATES {
        let rate = number(rate);
        let values = sampler(&rate);
        assert_eq!(values.len() as u64, draws);
        let verdict = law(rate.clone()).judge(&values, share(name) / RATES.len() as f64);
        assert_eq!(verdict, Verdict::Accepted, "{name} at rate {rate}");
    }
}

#[test]
fn laplace_from_a_stream_follows_its_law() {
    let mut bits = SystemBits::new().expect("entropy");
    judge_all("laplace from a stream", Law::laplace, DRAWS, |rate| {
        let law = DiscreteLaplace::new(rate).expect("a rate");
        (0..DRAWS).map(|_| law.draw(&mut bits)).collect()
    });
}

#[test]
fn laplace_of_keyed_bins_follows_its_law() {
    let secret = ReleaseSecret::fresh().expect("entropy");
    judge_all("laplace of keyed bins", Law::laplace, DRAWS, |rate| {
        let table = rate.to_string();
        let streams = secret.streams(&BinAddress { release: "r", table: &table, purpose: "noise" });
        let law = DiscreteLaplace::new(rate).expect("a rate");
        (0..DRAWS).map(|bin| law.draw(&mut streams.bin(&bin.to_le_bytes()))).collect()
    });
}

#[test]
fn geometric_from_a_stream_follows_its_law() {
    let mut bits = SystemBits::new().expect("entropy");
    judge_all("geometric from a stream", Law::geometric, DRAWS, |rate| {
        let law = Geometric::new(rate).expect("a rate");
        (0..DRAWS).map(|_| law.draw(&mut bits)).collect()
    });
}

#[test]
fn geometric_of_keyed_bins_follows_its_law() {
    let secret = ReleaseSecret::fresh().expect("entropy");
    judge_all("geometric of keyed bins", Law::geometric, DRAWS, |rate| {
        let table = rate.to_string();
        let streams = secret.streams(&BinAddress { release: "r", table: &table, purpose: "gaps" });
        let law = Geometric::new(rate).expect("a rate");
        (0..DRAWS).map(|bin| law.draw(&mut streams.bin(&bin.to_le_bytes()))).collect()
    });
}

#[test]
fn untabled_laplace_follows_its_law() {
    let mut bits = SystemBits::new().expect("entropy");
    judge_all("untabled laplace", Law::laplace, UNTABLED_DRAWS, |rate| {
        (0..UNTABLED_DRAWS).map(|_| laplace_untabled(rate, &mut bits).expect("a rate")).collect()
    });
}

#[test]
fn untabled_geometric_follows_its_law() {
    let mut bits = SystemBits::new().expect("entropy");
    judge_all("untabled geometric", Law::geometric, UNTABLED_DRAWS, |rate| {
        (0..UNTABLED_DRAWS).map(|_| geometric_untabled(rate, &mut bits).expect("a rate") as i64).collect()
    });
}

#[test]
fn coins_and_uniform_numbers_follow_their_laws() {
    let mut bits = SystemBits::new().expect("entropy");
    let x = number("7/10");
    let heads = exp_neg(&x, 100).to_f64();
    let coin = Coin::new({
        let x = x.clone();
        move |places| exp_neg(&x, places)
    });
    let tossed = (0..DRAWS).filter(|_| coin.toss(&mut bits)).count() as u64;
    let drawn = (0..UNTABLED_DRAWS).filter(|_| bernoulli_exp_neg(&x, &mut bits)).count() as u64;
    let mut uniform = [0; 10];
    for _ in 0..DRAWS {
        uniform[uniform_below(10, &mut bits) as usize] += 1;
    }
    let alpha = share("coins and uniform numbers") / 3.0;
    assert_eq!(judge::judge_counts(&[tossed], &[heads], DRAWS, alpha), Verdict::Accepted);
    assert_eq!(judge::judge_counts(&[drawn], &[heads], UNTABLED_DRAWS, alpha), Verdict::Accepted);
    assert_eq!(judge::judge_counts(&uniform, &[0.1; 10], DRAWS, alpha), Verdict::Accepted);
    // The judge itself is not blind: the same counts against a wrong probability, 60 standard deviations off.
    assert_eq!(judge::judge_counts(&[tossed], &[heads + 0.05], DRAWS, alpha), Verdict::Rejected);
}

/// A sampler that is wrong on purpose.
type Mutant = fn(&Rational, &mut SeededBits) -> Vec<i64>;

/// Asserts that the tests above would catch a wrong sampler. Mutants use a fixed seed: they fail always or never.
fn must_be_rejected(rates: &[&str], mutant: Mutant) {
    for (seed, rate) in rates.iter().enumerate() {
        let rate = number(rate);
        let mut bits = SeededBits::from_seed(seed as u64);
        let law = DiscreteLaplace::new(&rate).expect("a rate");
        let alpha = share("laplace from a stream") / RATES.len() as f64;
        let honest: Vec<i64> = (0..DRAWS).map(|_| law.draw(&mut bits)).collect();
        assert_eq!(Law::laplace(rate.clone()).judge(&honest, alpha), Verdict::Accepted, "honest at {rate}");
        let wrong = mutant(&rate, &mut bits);
        assert_eq!(Law::laplace(rate.clone()).judge(&wrong, alpha), Verdict::Rejected, "mutant at {rate}");
    }
}

/// All but 50, where a draw other than zero is not seen in a lifetime, right or wrong.
const VISIBLE: [&str; 4] = ["1", "1/100", "1e-5", "1e-6"];

fn draws_at(rate: &Rational, bits: &mut SeededBits) -> Vec<i64> {
    let law = DiscreteLaplace::new(rate).expect("a rate");
    (0..DRAWS).map(|_| law.draw(bits)).collect()
}

#[test]
fn noise_of_nine_tenths_of_the_scale_is_rejected() {
    must_be_rejected(&VISIBLE, |rate, bits| draws_at(&(rate / number("0.9")), bits));
}

#[test]
fn noise_of_eleven_tenths_of_the_scale_is_rejected() {
    must_be_rejected(&VISIBLE, |rate, bits| draws_at(&(rate / number("1.1")), bits));
}

#[test]
fn noise_with_a_doubled_zero_is_rejected() {
    // At smaller rates zero is too rare to be counted; there the enumerations in `src` tell.
    must_be_rejected(&["1", "1/100"], |rate, bits| {
        let law = Geometric::new(rate).expect("a rate");
        (0..DRAWS)
            .map(|_| {
                let magnitude = law.draw(bits);
                if bits.next_u64() & 1 == 0 { magnitude } else { -magnitude }
            })
            .collect()
    });
}

#[test]
fn one_sided_noise_is_rejected() {
    must_be_rejected(&VISIBLE, |rate, bits| draws_at(rate, bits).into_iter().map(i64::abs).collect());
}

#[test]
fn noise_with_a_truncated_tail_is_rejected() {
    must_be_rejected(&VISIBLE, |rate, bits| {
        let limit = i64::try_from((number("6") / rate).ceil()).expect("small");
        draws_at(rate, bits).into_iter().map(|value| value.clamp(-limit, limit)).collect()
    });
}

#[test]
fn noise_without_its_lowest_digit_is_rejected() {
    must_be_rejected(&["1/100", "1e-5", "1e-6"], |rate, bits| {
        draws_at(rate, bits).into_iter().map(|value| value & !0xff).collect()
    });
}

#[test]
fn noise_shifted_by_one_is_rejected() {
    must_be_rejected(&["1"], |rate, bits| draws_at(rate, bits).into_iter().map(|value| value + 1).collect());
}

#[test]
fn a_wrong_coin_is_rejected_in_both_directions() {
    let mut bits = SeededBits::from_seed(1);
    for wrong in ["0.49", "0.51"] {
        let p = number(wrong);
        let coin = Coin::new(move |places| Enclosure::rational(&p, places));
        let heads = (0..DRAWS).filter(|_| coin.toss(&mut bits)).count() as u64;
        assert_eq!(judge::judge_counts(&[heads], &[0.5], DRAWS, 1e-10), Verdict::Rejected);
    }
}

#[test]
fn rates_far_beyond_use_still_draw() {
    let mut bits = SystemBits::new().expect("entropy");
    for rate in ["1000", "1e300"] {
        let law = DiscreteLaplace::new(&number(rate)).expect("a rate");
        assert!((0..1000).all(|_| law.draw(&mut bits) == 0), "{rate}");
    }
    assert_eq!(geometric_untabled(&number("1000"), &mut bits), Ok(0));
    let long = number("7.12345678901234567890123456789012345678901e-5");
    assert!(DiscreteLaplace::new(&long).is_ok() && laplace_untabled(&long, &mut bits).is_ok());
    for (rate, scale) in [("1e-12", 1e12), ("1e-15", 1e15)] {
        let law = DiscreteLaplace::new(&number(rate)).expect("a rate");
        let mean = (0..10_000).map(|_| law.draw(&mut bits).abs() as f64).sum::<f64>() / 10_000.0;
        // The mean of 10,000 magnitudes has a standard deviation of 1 % of the scale; this is 20 of them.
        assert!((0.8 * scale..1.2 * scale).contains(&mean), "{rate}");
    }
}

#[test]
fn a_rate_without_a_law_is_refused() {
    for (rate, error) in [
        ("0", RateError::NotPositive),
        ("-1", RateError::NotPositive),
        ("1e-16", RateError::TooSmall),
        ("0.999e-15", RateError::TooSmall),
    ] {
        let rate = number(rate);
        let mut bits = SeededBits::from_seed(0);
        assert_eq!(DiscreteLaplace::new(&rate).err(), Some(error));
        assert_eq!(Geometric::new(&rate).err(), Some(error));
        assert_eq!(laplace_untabled(&rate, &mut bits), Err(error));
        assert_eq!(geometric_untabled(&rate, &mut bits), Err(error));
    }
}

#[test]
fn laws_and_coins_are_shared_between_threads_and_take_any_source() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    let law = DiscreteLaplace::new(&number("1/100")).expect("a rate");
    is_shared(&law);
    is_shared(&Geometric::new(&number("1/100")).expect("a rate"));
    is_shared(&Coin::new(Enclosure::one));
    let mut known = SeededBits::from_seed(3);
    let mut source: &mut dyn Bits = &mut known;
    let first = law.draw(&mut source);
    assert_eq!(first, law.draw(&mut SeededBits::from_seed(3)));
}
