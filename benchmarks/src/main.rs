//! Run: `cargo run --release --manifest-path benchmarks/Cargo.toml` (add `--features openssl` for OpenDP's default
//! bytes).
//!
//! Draws per second and core of exact discrete Laplace noise, ours and OpenDP's, side by side in one process: repeats
//! are interleaved so that a busy machine slows all alike, and medians are shown. It must never be part of a test. It
//! is separate because the product does not depend on what it is compared with. Read `crates/noise/src/laplace.rs`
//! next.

use dashu::rational::RBig;
use incrowd_exact::{Rational, parse_number};
use incrowd_noise::{BinAddress, DiscreteLaplace, Geometric, ReleaseSecret, SystemBits};
use opendp::traits::samplers::sample_discrete_laplace;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

const REPEATS: usize = 15;
const STREAM_DRAWS: u32 = 4_000_000;
const KEYED_DRAWS: u32 = 1_000_000;
const OPENDP_DRAWS: u32 = 40_000;
const BUILDS: u32 = 20;
const OPENDP_BYTES: &str = if cfg!(feature = "openssl") {
    "OpenSSL, its default"
} else {
    "rand's thread generator, which it calls non-secure"
};

fn main() -> Result<(), Box<dyn Error>> {
    println!("discrete Laplace, million draws per second on one core, median of {REPEATS} interleaved repeats");
    println!("opendp 0.16 draws its bytes from {OPENDP_BYTES}\n");
    println!(
        "{:<8}{:>14}{:>14}{:>14}{:>14}{:>14}",
        "scale", "ours, stream", "ours, keyed", "opendp 0.16", "stream ratio", "keyed ratio"
    );
    for scale in ["1", "100", "100000"] {
        let measured = compare(scale)?;
        println!(
            "{:<8}{:>14.2}{:>14.2}{:>14.3}{:>13.0}x{:>13.1}x",
            scale,
            measured.stream,
            measured.keyed,
            measured.opendp,
            measured.stream / measured.opendp,
            measured.keyed / measured.opendp,
        );
    }
    println!("\ntables built, milliseconds per rate");
    for rate in ["50", "1", "1/100", "1e-5", "1e-12"] {
        println!(
            "{:<8}{:>14.3}  discrete Laplace{:>14.3}  geometric",
            rate,
            build(rate, Law::Laplace)?,
            build(rate, Law::Geometric)?
        );
    }
    Ok(())
}

/// Million draws per second.
struct Measured {
    stream: f64,
    keyed: f64,
    opendp: f64,
}

fn compare(scale: &str) -> Result<Measured, Box<dyn Error>> {
    let law = DiscreteLaplace::new(&(Rational::ONE / parse_number(scale)?))?;
    let opendp_scale = RBig::from(scale.parse::<u32>()?);
    let mut bits = SystemBits::new()?;
    let secret = ReleaseSecret::fresh()?;
    let streams = secret.streams(&BinAddress { release: "benchmark", table: "counts", purpose: "noise" });

    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..REPEATS {
        times[0].push(time(STREAM_DRAWS, |_| law.draw(&mut bits)));
        times[1].push(time(KEYED_DRAWS, |index| {
            let mut key = [0; 16];
            key[..4].copy_from_slice(&index.to_le_bytes());
            law.draw(&mut streams.bin(black_box(&key)))
        }));
        times[2].push(time(OPENDP_DRAWS, |_| {
            let draw = sample_discrete_laplace(opendp_scale.clone()).expect("entropy");
            i64::try_from(draw).unwrap_or(i64::MAX)
        }));
    }
    let [stream, keyed, opendp] = times;
    Ok(Measured {
        stream: millions_per_second(STREAM_DRAWS, stream),
        keyed: millions_per_second(KEYED_DRAWS, keyed),
        opendp: millions_per_second(OPENDP_DRAWS, opendp),
    })
}

fn time(draws: u32, mut draw: impl FnMut(u32) -> i64) -> Duration {
    let start = Instant::now();
    let mut sum = 0i64;
    for index in 0..draws {
        sum = sum.wrapping_add(draw(index));
    }
    black_box(sum);
    start.elapsed()
}

fn millions_per_second(draws: u32, times: Vec<Duration>) -> f64 {
    f64::from(draws) / median(times).as_secs_f64() / 1e6
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

enum Law {
    Laplace,
    Geometric,
}

fn build(rate: &str, law: Law) -> Result<f64, Box<dyn Error>> {
    let rate = parse_number(rate)?;
    let mut times = Vec::new();
    for _ in 0..BUILDS {
        let start = Instant::now();
        match law {
            Law::Laplace => drop(black_box(DiscreteLaplace::new(&rate)?)),
            Law::Geometric => drop(black_box(Geometric::new(&rate)?)),
        }
        times.push(start.elapsed());
    }
    Ok(median(times).as_secs_f64() * 1e3)
}
