//! What a release counts, by definition alone, and the few values by which a certificate, the book and an engine name the same
//! thing.
//!
//! It must never see data, do I/O or read a clock: everything here is text and its meaning. It is separate because the book
//! outlives the reader of requests, and a verifier has no book. Read `binning.rs` next, and `reading.rs` for how values are
//! stored.

mod after;
mod binning;
pub mod calendar;
mod certificate_hash;
mod charge_id;
mod date;
mod hash;
mod items;
mod moment;
mod period;
mod period_unit;
mod reading;

pub use after::{After, Left};
pub use binning::{Binning, Difference, EXACT_TABLES_SUBTRACT, Series, Side};
pub use certificate_hash::CertificateHash;
pub use charge_id::ChargeId;
pub use date::Date;
pub use hash::sha256;
pub use items::{Items, MOST_ITEMS};
pub use moment::Moment;
pub use period::Periods;
pub use period_unit::PeriodUnit;
pub use reading::{Precision, Reading, Stored};
