//! The way to the server of a book, in the errors of a ledger.
//!
//! It must never trust a server that does not sync. It is separate because the crate `postgres` knows nothing of books:
//! there stands how a server is reached. Read `postgres.rs` for what is said over it.

use crate::attendant::Attendant;
use crate::damage::{DamagedPart, Fault};
use crate::error::{LedgerError, Trouble};
pub(super) use incrowd_postgres::ANSWER;
use incrowd_postgres::WireError;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::{Client, Error};

/// Where the server of a book is.
#[derive(Clone)]
pub(super) struct Address(incrowd_postgres::Address);

impl Address {
    /// Returns the address `postgres://user@host/database`.
    pub fn read(text: &str) -> Result<Address, LedgerError> {
        incrowd_postgres::Address::read(text).map(Address).ok_or(LedgerError::Address)
    }

    /// Whether somebody on the way could read along, because the address asks for it.
    pub fn is_in_the_clear(&self) -> bool {
        self.0.is_in_the_clear()
    }

    /// Whether it says by itself which database it means.
    pub fn names_one_database(&self) -> bool {
        self.0.names_one_database()
    }

    /// The address as messages name it.
    pub fn place(&self) -> PathBuf {
        PathBuf::from(self.0.place())
    }
}

/// A connection.
pub(super) struct Wire {
    wire: incrowd_postgres::Wire,
    pub client: Arc<Client>,
}

impl Wire {
    /// Returns a connection to a server that syncs what it commits.
    pub fn connect(address: &Address, attendant: &Arc<dyn Attendant>) -> Result<Wire, LedgerError> {
        let wire = incrowd_postgres::Wire::connect(&address.0, attendant).map_err(failed)?;
        let client = Arc::clone(&wire.client);
        let wire = Wire { wire, client };
        let fsync = wire.wait(ANSWER, wire.client.query_one("SHOW fsync", &[]))?;
        if fsync.get::<_, &str>(0) == "on" { Ok(wire) } else { Err(trouble(Trouble::NotDurable)) }
    }

    /// Has somebody else wait.
    pub fn attended_by(&mut self, attendant: Arc<dyn Attendant>) {
        self.wire.attended_by(attendant);
    }

    /// Waits for a step, but not longer than this, and not if somebody asks to stop.
    pub fn wait<T>(&self, limit: Duration, step: impl Future<Output = Result<T, Error>>) -> Result<T, LedgerError> {
        self.wire.wait(limit, step).map_err(failed)
    }

    /// Whether the server answers.
    pub fn is_alive(&self) -> bool {
        self.wire.is_alive()
    }
}

pub(super) fn trouble(trouble: Trouble) -> LedgerError {
    LedgerError::Trouble { path: None, trouble }
}

/// What a failure on the way means to a book.
fn failed(error: WireError) -> LedgerError {
    trouble(match error {
        WireError::NoServer => Trouble::NoServer,
        WireError::NotEncrypted => Trouble::NotEncrypted,
        WireError::NoAccess => Trouble::NoAccess,
        WireError::NotAllowed => Trouble::NotAllowed,
        WireError::NotThere => return LedgerError::damaged(DamagedPart::File, Fault::Structure),
        WireError::Locked => Trouble::Locked,
        WireError::Full => Trouble::Full,
        WireError::Lost => Trouble::Lost,
        WireError::Unanswered => Trouble::Unanswered,
        WireError::Stopped => Trouble::Stopped,
        WireError::Server(code) => Trouble::Server(code),
    })
}
