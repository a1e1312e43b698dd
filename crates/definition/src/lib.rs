//! What a release counts, by definition alone, and the few values by which a certificate, the book and an engine name
//! the same thing.
//!
//! It must never see data, do I/O or read a clock: everything here is text and its meaning. It is separate because the
//! book outlives the reader of requests, and a verifier has no book. Read `dimension.rs` and `cut.rs` next, then
//! `binning.rs` for what is proved of them, and `reading.rs` for how values are stored.

mod after;
mod bin_value;
mod binning;
pub mod calendar;
pub mod canonical;
mod cell_count;
mod certificate_hash;
mod charge_id;
mod codes;
mod column_type;
mod cut;
mod date;
mod date_way;
mod dialect;
mod dimension;
mod edges;
mod encoding;
mod hash;
mod items;
mod labels;
mod listed_values;
mod moment;
mod period;
mod period_unit;
mod reading;
mod split;
mod unit;

pub use after::{After, Left};
pub use bin_value::{BinValue, ValueKind};
pub use binning::{Binning, Coarsening, CountedState, Definition, Difference, EXACT_TABLES_SUBTRACT, SeriesRun, Side};
pub use cell_count::CellCount;
pub use certificate_hash::CertificateHash;
pub use charge_id::ChargeId;
pub use codes::Codes;
pub use column_type::ColumnType;
pub use cut::{Cut, coded_names, names_of};
pub use date::Date;
pub use date_way::{DateWay, date_written, read_differently};
pub use dialect::{BadRows, DataFormat, Dialect, Header, Quote, Sign};
pub use dimension::{BinSource, Dimension, Nulls, Other};
pub use edges::Edges;
pub use encoding::Encoding;
pub use hash::sha256;
pub use items::{Items, MOST_ITEMS};
pub use labels::{Label, Labels, OtherIsListed};
pub use listed_values::ListedValues;
pub use moment::Moment;
pub use period::Periods;
pub use period_unit::PeriodUnit;
pub use reading::{Precision, Reading, Stored};
pub use split::Split;
pub use unit::Unit;
