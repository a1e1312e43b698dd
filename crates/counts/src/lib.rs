//! Counts before and after protection: `TrueCounts`, which is mute, and `PublishedCounts`.
//!
//! It must never print, clone or serialise a true count, nor let one out but through [`TrueCounts::protect_with`] and
//! its siblings for choices and points, which take a ledger's receipt. It is separate so that this door can be watched:
//! engines fill `TrueCounts`, and everything that is written comes from `PublishedCounts`. Read `true_counts.rs` next,
//! then `key.rs`.

mod choice;
mod column;
mod declared;
mod found;
mod key;
mod points;
mod protection;
mod published_counts;
pub mod testing;
mod true_counts;

pub use choice::Choice;
pub use column::UnknownType;
pub use incrowd_published::{
    CountError, Grid, Keys, Listing, MOST_LINES, MOST_POINTS, PublishedBatch, Shown, is_key_type,
};
pub use key::{KeyBytes, write_cell};
pub use points::Mover;
pub use protection::{Empties, Protection, Shape};
pub use published_counts::PublishedCounts;
pub use true_counts::TrueCounts;
