//! Which account pays.
//!
//! Names an account and a state of the data; it must never open the account book. It is separate because a plan can
//! be made without one. Read `output.rs` next.

use super::error::RequestError;
use super::fields::Fields;
use super::node::Node;
use super::number::Whole;

/// Which account pays for the release.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LedgerRequest {
    /// The population whose budget is spent.
    pub dataset: Option<String>,
    /// One immutable state of the data, if somebody gives it a name.
    pub snapshot: Option<String>,
    /// Where the account book is. Not part of the request's identity.
    pub path: Option<String>,
}

/// What the ledger's entries call a state of the data that nobody named.
pub const UNNAMED_SNAPSHOT: &str = "1";

impl LedgerRequest {
    /// Returns the name of the state of the data as the ledger's entries show it.
    pub fn snapshot_name(&self) -> &str {
        self.snapshot.as_deref().unwrap_or(UNNAMED_SNAPSHOT)
    }

    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let snapshot = match fields.item("snapshot") {
            None => None,
            Some(item) if matches!(item.value(), Node::Integer { .. }) => Some(item.whole(Whole::COUNT)?.to_string()),
            Some(item) => Some(item.text()?),
        };
        Ok(LedgerRequest { dataset: fields.text("dataset")?, snapshot, path: fields.text("path")? })
    }
}
