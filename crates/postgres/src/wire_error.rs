//! All that may be said about a server that did not do what it was asked.
//!
//! It must never hold a sentence of the server or of a library: those quote rows, and passwords. It is separate because
//! a book and an engine say different things about the same failure. Read `wire.rs` for where they come from.

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// What went wrong, by its kind alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireError {
    /// No server answers there.
    NoServer,
    /// The way to the server cannot be encrypted, or its certificate is not trusted.
    NotEncrypted,
    /// The server does not let this user in, or has no such database.
    NoAccess,
    /// The server does not let this user do that.
    NotAllowed,
    /// A table or column is not there.
    NotThere,
    /// Somebody else holds what is needed.
    Locked,
    /// There is no room left.
    Full,
    /// The way to the server broke.
    Lost,
    /// The server did not answer in time.
    Unanswered,
    /// Somebody asked to stop while the server did not answer.
    Stopped,
    /// The server said something else; its code.
    Server([u8; 5]),
}

impl WireError {
    /// Returns what the server or the way to it says, without its sentence.
    pub fn of(error: &Error) -> WireError {
        let Some(code) = error.code() else { return WireError::Lost };
        let denied =
            [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION, SqlState::INVALID_CATALOG_NAME];
        if denied.contains(code) {
            WireError::NoAccess
        } else if [SqlState::INSUFFICIENT_PRIVILEGE, SqlState::READ_ONLY_SQL_TRANSACTION].contains(code) {
            WireError::NotAllowed
        } else if [SqlState::UNDEFINED_TABLE, SqlState::UNDEFINED_COLUMN].contains(code) {
            WireError::NotThere
        } else if *code == SqlState::LOCK_NOT_AVAILABLE {
            WireError::Locked
        } else if *code == SqlState::DISK_FULL {
            WireError::Full
        } else if [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN].contains(code) {
            WireError::Lost
        } else if *code == SqlState::CANNOT_CONNECT_NOW {
            WireError::NoServer
        } else {
            let mut digits = [b'0'; 5];
            digits.iter_mut().zip(code.code().bytes()).for_each(|(digit, byte)| *digit = byte);
            WireError::Server(digits)
        }
    }

    /// Returns why there is no connection.
    pub(crate) fn of_connecting(error: &Error) -> WireError {
        if error.as_db_error().is_some() {
            return WireError::of(error);
        }
        // The binding tells its kinds of failure in words only.
        let causes = std::iter::successors(Some(error as &dyn std::error::Error), |cause| cause.source());
        let words = causes.map(|cause| cause.to_string()).collect::<Vec<_>>().join(": ");
        if words.contains("password missing") {
            WireError::NoAccess
        } else if words.contains("TLS") {
            WireError::NotEncrypted
        } else {
            WireError::NoServer
        }
    }
}

impl From<Error> for WireError {
    fn from(error: Error) -> WireError {
        WireError::of(&error)
    }
}
