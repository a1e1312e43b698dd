//! How often a right sampler may fail these tests: at most once in 10^9 runs of the whole suite.
//!
//! No test on fresh entropy may take a share that is not written here. It is separate so that the split is read in one
//! place. Read `judge.rs` next, for what a share buys.

/// The chance that any test on fresh entropy fails although everything is right.
const SUITE: f64 = 1e-9;

/// Who may spend how much of it.
const SPLIT: [(&str, f64); 12] = [
    ("laplace from a stream", 1.5e-10),
    ("laplace of keyed bins", 1.5e-10),
    ("geometric from a stream", 1.5e-10),
    ("geometric of keyed bins", 1.5e-10),
    ("untabled laplace", 1e-10),
    ("untabled geometric", 1e-10),
    ("coins and uniform numbers", 1e-10),
    ("whole mechanisms", 6e-11),
    ("empty bins", 2e-11),
    // Two means of 10,000 draws, each allowed 20 standard deviations.
    ("rates far beyond use", 1e-11),
    ("top places", 1e-12),
    ("noisy points", 1e-12),
];

/// Returns the share of a test.
pub fn share(test: &str) -> f64 {
    SPLIT.iter().find(|(name, _)| *name == test).map(|(_, share)| *share).expect("every test has a share")
}

#[test]
fn the_shares_stay_within_the_budget() {
    assert!(SPLIT.iter().map(|(_, share)| share).sum::<f64>() <= SUITE);
}
