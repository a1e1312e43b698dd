//! How many binary places a closed form is computed in.
//!
//! More places than needed cost time and nothing else; fewer must never be taken, or a small chance could not be told
//! from none. It is separate because laws and accounts of every shape ask. Read `two_sided.rs` next.

use incrowd_exact::Rational;

/// Binary places of closed forms, before what a large epsilon needs.
pub(crate) const BITS: usize = 384;

/// Returns binary places that are enough for an epsilon: `e^eps` is below `2^(3/2 eps)`.
pub(crate) fn bits_for(epsilon: &Rational) -> usize {
    places_for(BITS, epsilon)
}

/// Returns so many binary places and what an epsilon needs on top: fewer, and `e^-eps` could not be told from zero.
pub(crate) fn places_for(places: usize, epsilon: &Rational) -> usize {
    let whole = usize::try_from(&epsilon.clone().ceil()).unwrap_or(1 << 16);
    places + 3 * whole
}
