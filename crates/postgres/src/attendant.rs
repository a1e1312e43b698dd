//! Somebody who waits for a server.
//!
//! Is told that it takes a while, and may ask to stop; must never be told anything else. It is separate because only a
//! server keeps anybody waiting without saying why. Read `wire.rs` for who waits.

/// Somebody who waits.
pub trait Attendant: Send + Sync {
    /// A server has not answered for another second.
    fn waits(&self);

    /// Whether somebody asked to stop.
    fn is_cancelled(&self) -> bool;
}

/// Nobody: waits in silence.
pub struct Unattended;

impl Attendant for Unattended {
    fn waits(&self) {}

    fn is_cancelled(&self) -> bool {
        false
    }
}
