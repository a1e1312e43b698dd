//! Exact numbers: rationals read from text, and enclosures of `exp` and `ln` with directed rounding.
//!
//! It must never know about privacy. It is separate so that every bound in the product rests on one small, well-tested
//! piece of arithmetic. Read `enclosure.rs` next, then `fixed.rs` for the fast arrays.

mod decimal;
mod enclosure;
mod fixed;
mod number;
mod rare;
pub mod testing;
mod written;

pub use dashu_int::ops::BitTest;
pub use dashu_int::{IBig as Integer, UBig as Natural};
pub use dashu_ratio::RBig as Rational;
pub use decimal::{rational_text, significant, significant_rounding_down, significant_rounding_up};
pub use enclosure::{Enclosure, ceil_times_exp_neg, exp_neg, floor_times_exp, ln};
pub use fixed::Fixed;
pub use number::{NumberError, parse_number};
pub use rare::{rare_rounding_down, rare_rounding_up};
pub use written::{decimal_text, number_of, number_text};
