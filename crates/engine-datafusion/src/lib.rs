//! Counts CSV, Parquet, JSON and Arrow files on this machine with Apache DataFusion.
//!
//! It must never know about privacy, and never pass on what a library says about data. It is separate so that another
//! engine can take its place. Read `engine.rs` first, then `source.rs` and `scan.rs` for files, `compute.rs` and
//! `cut.rs` for bins, `count.rs` for counting. `exposure.rs` and `check.rs` stand apart: they are for the steward's
//! screen.

mod check;
mod compute;
mod count;
mod counting;
mod cut;
mod dense;
mod distinct;
mod engine;
mod engine_settings;
mod exposure;
mod file;
mod grouped;
mod grouping;
mod interner;
mod look;
mod parts;
mod people;
mod persons;
mod reading;
mod ready;
mod sampled;
mod scan;
mod source;
mod spill;

pub use check::{
    Advice, BoundedPeople, Change, Damage, DamageKind, DataCheck, DayOrders, Findings, GroupOfCell, Helped, LossCause,
    NoFindings, Outside, OutsideValue, PeopleLost, RowsInQuotes, Spot, SpotInFile, Unprepared, UnreadColumn,
    UnreadValue, WordForNothing,
};
pub use engine::DataFusionEngine;
pub use engine_settings::Settings;
pub use exposure::{Exposed, Exposure, Group, InBin, Unlinked, WhyUnlinked};
pub use look::{FirstLine, GuessReason, GuessedKey, Look, LookEnd, Names, Proposed, TwoOrders, look};
pub use spill::remove_spilled;
