//! `incrowd release` from end to end: real files, a real ledger, the real binary.
//!
//! Bad input, leaks, kills and neighbours; nothing here may depend on the time or on another test. It is one program so
//! that it links once. Read `place.rs` next.

mod against;
mod bad_input;
mod book;
mod book_exports;
#[path = "../pages/browser.rs"]
mod browser;
mod browser_pages;
mod check;
#[cfg(target_os = "linux")]
mod database;
mod dialects;
mod diff;
mod evidence;
mod examples;
mod exposure;
mod expressions;
mod forecast;
mod formats;
mod four_eyes;
mod golden;
mod init;
mod judged;
#[path = "../pages/kept.rs"]
mod kept;
mod kills;
mod leaks;
mod ledger;
mod machines;
mod made_up;
#[cfg(target_os = "linux")]
mod memory;
mod neighbours;
mod pages;
mod place;
mod points;
mod policies;
#[cfg(target_os = "linux")]
mod policy;
#[cfg(target_os = "linux")]
mod psql;
#[cfg(target_os = "linux")]
mod question;
mod readme;
mod recover;
mod render;
mod repeats;
mod report_numbers;
mod rows;
mod sampled;
mod series;
mod sources;
#[cfg(target_os = "linux")]
mod teams;
mod top;
mod universes;
mod verified;
mod walks;
