//! The command line as people and scripts meet it: the real binary, its pages, its errors, its numbers.
//!
//! Pages of expected output are in `tests/pages`; `SNAPSHOTS=overwrite cargo test -p incrowd` rewrites them, and a
//! reviewer reads the difference. Nothing here may depend on a version number, a duration or a terminal. It is one
//! program so that it links once. Read `run.rs` next, then `plans.rs`.

#[path = "../pages/browser.rs"]
mod browser;
mod browser_pages;
#[path = "../pages/kept.rs"]
mod kept;
mod numbers;
mod others;
mod plans;
mod refusals;
mod requests;
mod run;
mod streams;
