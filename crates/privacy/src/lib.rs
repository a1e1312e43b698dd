//! The mathematics of incrowd, pure: curves, promises, mechanisms, their exact laws, accounts and utilities.
//!
//! It must never do input or output, read a clock, draw randomness, or let a float decide. It is separate so that what
//! is promised can be checked without anything else. Read `curve.rs` first, then `promise.rs` and `mechanism.rs`.

// What is promised.
mod curve;

mod promise;

// Exact masses: how finely they are computed, and how they are held.
mod precision;

mod cells;

mod two_sided;

// What runs, and its exact law.
mod mechanism;

mod relay;

mod law;

mod origin;

// What that costs.
mod account;

mod search;

mod sampling;

mod compose;

// What it is good for, and what its results say.
mod utility;

mod interval;

mod estimate;

mod change;

mod weighted_sum;

// Items that are chosen, and points that are moved.
pub mod top;

pub mod points;

pub use account::exceeding::{Chance, LargestChance};
pub use account::sureness::{Sureness, chance_beyond};
pub use account::worst::{AccountError, Worst};
pub use account::{Delta, Tightness};
pub use cells::TooManyOutcomes;
pub use cells::work;
pub use change::{
    ChangeInterval, ChangeOdds, CountChange, Direction, Evidence, MOST_TERMS, Signal, TooManyTerms, more_than_noise,
};
pub use compose::losses::{Loss, Losses, LossesError};
pub use compose::{
    Apart, Bins, Clash, ClashKind, Part, Relation, ReleasedLoss, Total, by_group, compose, in_every_table,
};
pub use curve::{Curve, CurveError, Epsilon, Level, Run};
pub use estimate::{Spreads, Unbiased};
pub use interval::{Interval, Intervals, OneSided, OneSidedEnds, ShiftedIntervals};
pub use law::empty_bin::{EmptyBin, EmptyTail};
pub use law::{Law, Line};
pub use mechanism::lower_bound::{Bound, BoundError, BoundParameters, LowerBound};
pub use mechanism::program::{Outcome, Program, Publish, SideValue, Step, rate_of_count};
pub use mechanism::{Deployed, Mechanism, MechanismName, SideColumn, SideOutput, Universe};
pub use mechanism::{tailored, theorem};
pub use origin::Origin;
pub use promise::{MAX_CURVE_VALUES, Promise, PromiseError, group_delta};
pub use relay::{MAX_RELAY_CELLS, RelayError, RelayLaw, RelayTable};
pub use sampling::{
    ChanceError, Sampled, Sampling, SamplingError, amplified_epsilon, crowd_blending_delta, delta_epsilon_curve,
    simple_outlier_delta,
};
pub use search::ParameterSearch;
pub use two_sided::TwoSided;
pub use utility::showing::ShowingBySize;
pub use utility::{Utility, is_optimal};
pub use weighted_sum::{LARGEST_WEIGHT, LevelsWithin, MOST_SUMMED, SummedEnds, Weighted};
