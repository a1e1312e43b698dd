//! The words of a report from a file of their own, or from a whole request.
//!
//! Only `[report]` is read; everything else must be something that a request may say, and is not used. It is separate
//! because the table of all sections knows what `report.rs` holds, and so that file must never know the table. Read
//! `report.rs` next.

use super::error::RequestError;
use super::fields::Fields;
use super::node::{Node, Placed};
use super::sections::REQUEST;
use super::{MAX_REQUEST_BYTES, ReportRequest};
use toml::de::DeTable;

impl ReportRequest {
    /// Returns the `[report]` of a TOML text, which may be a whole request or have that section alone.
    pub fn parse(text: &str) -> Result<ReportRequest, RequestError> {
        if text.len() > MAX_REQUEST_BYTES {
            return Err(RequestError::new(format!("a file with [report] may have {} bytes", MAX_REQUEST_BYTES)));
        }
        let document = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            RequestError::new(format!("this is not TOML: {}", error.message())).at(span)
        })?;
        let root = Placed { node: Node::of_table(document.get_ref()), span: Some(0..0) };
        let fields = Fields::of_request(&REQUEST, &root)?;
        match fields.section("report")? {
            Some(below) => ReportRequest::read(&below),
            None => {
                let refused = fields.refuse("this file has no [report]");
                Err(refused.hint("[report] with title, publisher, date, contact, text, names and labels"))
            }
        }
    }
}
