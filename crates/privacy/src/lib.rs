//! The mathematics of incrowd, pure: curves, promises, mechanisms, their exact laws, accounts and utilities.
//!
//! It must never do input or output, read a clock, draw randomness, or let a float decide. It is separate so that what is
//! promised can be checked without anything else. Read `curve.rs` first, then `promise.rs` and `mechanism.rs`.

mod acceptance;
mod account;
mod account_general;
mod cells;
mod compose;
mod curve;
mod estimate;
mod exceeding;
mod interval;
mod ladder;
mod ladder_interval;
mod law;
mod losses;
mod lower_bound;
mod mechanism;
pub mod points;
mod program;
mod promise;
mod relay;
mod relay_mass;
mod relay_row;
mod relay_walk;
mod relay_window;
mod rough;
mod sampling;
mod search;
mod spread;
mod stray;
mod sureness;
pub mod tailored;
pub mod theorem;
pub mod top;
mod two_sided;
mod utility;
mod wide;
pub mod work;
mod worst;

pub use account::{Delta, Tightness};
pub use cells::TooManyOutcomes;
pub use compose::{Apart, Bins, Clash, ClashKind, Part, Relation, Released, Total, by_group, compose, in_every_table};
pub use curve::{Curve, CurveError, Epsilon, Level, Run};
pub use estimate::{Spreads, Unbiased};
pub use exceeding::Chance;
pub use interval::{Interval, Intervals};
pub use law::{Law, Line};
pub use losses::{Loss, Losses, LossesError};
pub use lower_bound::{BoundError, BoundParameters, LowerBound};
pub use mechanism::{Bound, Deployed, Mechanism, Telling, Universe};
pub use program::{Outcome, Program, Publish, Step, Told, rate_of_count};
pub use promise::{MAX_CURVE_VALUES, Promise, PromiseError, group_delta};
pub use relay::{MAX_RELAY_CELLS, RelayError, RelayLaw, RelayTable};
pub use sampling::{
    ChanceError, Sampled, Sampling, SamplingError, amplified_epsilon, crowd_blending_delta, delta_epsilon_curve,
    simple_outlier_delta,
};
pub use search::Wanted;
pub use sureness::{Sureness, chance_beyond};
pub use two_sided::TwoSided;
pub use utility::{Utility, is_optimal};
pub use worst::{AccountError, Worst};
