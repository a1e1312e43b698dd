//! Keyed bins: a bin's draw depends on the bin alone, and on all of it.
//!
//! Nothing here may rely on chance worth naming: streams that should differ agree with probability 2^-192. It is
//! separate from the laws because it is about who gets which words. Read `src/bins.rs` next.

use incrowd_exact::parse_number;
use incrowd_noise::testing::known_secret;
use incrowd_noise::{BinAddress, BinBits, Bits, DiscreteLaplace, ReleaseSecret};
use std::collections::{HashMap, HashSet};
use std::thread;

const ADDRESS: BinAddress<'static> = BinAddress { release: "7", table: "counts", purpose: "noise" };

fn words(mut bits: BinBits<'_>) -> [u64; 3] {
    [bits.next_u64(), bits.next_u64(), bits.next_u64()]
}

fn law() -> DiscreteLaplace {
    DiscreteLaplace::new(&parse_number("1e-6").expect("a number")).expect("a rate")
}

#[test]
fn a_bin_draws_the_same_in_any_order_batch_and_thread() {
    let secret = ReleaseSecret::fresh().expect("entropy");
    let streams = secret.streams(&ADDRESS);
    let law = law();
    let draw = |bin: u32| law.draw(&mut streams.bin(&bin.to_le_bytes()));
    let forwards: HashMap<u32, i64> = (0..2000).map(|bin| (bin, draw(bin))).collect();
    let backwards: HashMap<u32, i64> = (0..2000).rev().map(|bin| (bin, draw(bin))).collect();
    assert_eq!(forwards, backwards);
    let halves = thread::scope(|scope| {
        let even = scope.spawn(|| (0..2000).step_by(2).map(|bin| (bin, draw(bin))).collect::<Vec<_>>());
        let odd = scope.spawn(|| (1..2000).step_by(2).map(|bin| (bin, draw(bin))).collect::<Vec<_>>());
        [even.join().expect("a thread"), odd.join().expect("a thread")].concat()
    });
    assert_eq!(forwards, halves.into_iter().collect());
    let alone = law.draw(&mut secret.bin_bits(&ADDRESS, &77u32.to_le_bytes()));
    assert_eq!(alone, forwards[&77]);
}

#[test]
fn interleaved_bins_do_not_disturb_each_other() {
    let secret = known_secret(1);
    let streams = secret.streams(&ADDRESS);
    let (mut a, mut b) = (streams.bin(b"a"), streams.bin(b"b"));
    let mixed: Vec<(u64, u64)> = (0..40).map(|_| (a.next_u64(), b.next_u64())).collect();
    let (mut a, mut b) = (streams.bin(b"a"), streams.bin(b"b"));
    let first: Vec<u64> = (0..40).map(|_| a.next_u64()).collect();
    let second: Vec<u64> = (0..40).map(|_| b.next_u64()).collect();
    assert_eq!(mixed, first.into_iter().zip(second).collect::<Vec<_>>());
}

#[test]
fn another_release_table_purpose_key_or_secret_gives_other_words() {
    let secret = known_secret(1);
    let same = words(secret.bin_bits(&ADDRESS, b"Sales"));
    assert_eq!(same, words(secret.bin_bits(&ADDRESS, b"Sales")));
    for other in [
        words(secret.bin_bits(&BinAddress { release: "8", ..ADDRESS }, b"Sales")),
        words(secret.bin_bits(&BinAddress { table: "points", ..ADDRESS }, b"Sales")),
        words(secret.bin_bits(&BinAddress { purpose: "places", ..ADDRESS }, b"Sales")),
        words(secret.bin_bits(&ADDRESS, b"sales")),
        words(secret.bin_bits(&ADDRESS, b"Sales\0")),
        words(secret.bin_bits(&ADDRESS, b"")),
        words(known_secret(2).bin_bits(&ADDRESS, b"Sales")),
        words(ReleaseSecret::fresh().expect("entropy").bin_bits(&ADDRESS, b"Sales")),
    ] {
        assert_ne!(same, other);
    }
}

#[test]
fn letters_that_move_between_the_parts_of_an_address_give_other_words() {
    let secret = known_secret(1);
    let address = |release, table, purpose| BinAddress { release, table, purpose };
    let streams: HashSet<[u64; 3]> = [
        (address("ab", "c", "d"), &b"e"[..]),
        (address("a", "bc", "d"), b"e"),
        (address("a", "b", "cd"), b"e"),
        (address("a", "b", "c"), b"de"),
        (address("abcd", "", ""), b"e"),
        (address("", "abcd", ""), b"e"),
        (address("", "", "abcd"), b"e"),
        (address("", "", ""), b"abcde"),
    ]
    .iter()
    .map(|(address, key)| words(secret.bin_bits(address, key)))
    .collect();
    assert_eq!(streams.len(), 8);
}

#[test]
fn many_bins_have_many_streams() {
    let secret = ReleaseSecret::fresh().expect("entropy");
    let streams = secret.streams(&ADDRESS);
    let seen: HashSet<[u64; 3]> = (0..10_000u32).map(|bin| words(streams.bin(&bin.to_le_bytes()))).collect();
    assert_eq!(seen.len(), 10_000);
}

#[test]
fn the_words_of_a_known_secret_never_change() {
    // A change here changes what every test seed draws.
    let mut bits = known_secret(42).bin_bits(&ADDRESS, b"Sales");
    assert_eq!([bits.next_u64(), bits.next_u64()], [9_152_264_431_586_488_948, 9_910_895_648_436_897_583]);
}
