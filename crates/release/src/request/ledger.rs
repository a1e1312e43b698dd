//! Which account pays.
//!
//! Names an account and a state of the data; it must never open the account book. It is separate because a plan can
//! be made without one. Read `output.rs` next.

use super::error::RequestError;
use super::fields::Fields;
use super::number::Whole;
use toml::de::DeValue;

/// Which account pays for the release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerRequest {
    /// The population whose budget is spent.
    pub dataset: Option<String>,
    /// One immutable state of the data; `"1"` unless said otherwise.
    pub snapshot: String,
    /// Where the account book is. Not part of the request's identity.
    pub path: Option<String>,
}

impl Default for LedgerRequest {
    fn default() -> Self {
        LedgerRequest { dataset: None, snapshot: "1".into(), path: None }
    }
}

impl LedgerRequest {
    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let snapshot = match fields.item("snapshot") {
            None => LedgerRequest::default().snapshot,
            Some(item) if matches!(item.value(), DeValue::Integer(_)) => item.whole(Whole::COUNT)?.to_string(),
            Some(item) => item.text()?,
        };
        Ok(LedgerRequest { dataset: fields.text("dataset")?, snapshot, path: fields.text("path")? })
    }
}
