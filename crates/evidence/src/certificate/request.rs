//! The request of a certificate, read back, and the same with the parameters that were found.
//!
//! It must never accept a request whose canonical form is another, nor put a parameter where one was given. It is
//! separate because only a verifier goes this way. Read `request/canonical.rs` for how a canonical form is read.

use crate::request::Request;
use serde_json::Value;

/// Parameters that may have been found rather than given.
const FINDABLE: [&str; 5] = ["offset", "levels", "alpha", "half-width", "threshold"];

/// Returns the request behind a canonical object; nothing if it is not canonical.
pub(crate) fn request_of(canonical_form: &Value) -> Option<Request> {
    Request::from_canonical(canonical_form).ok()
}

/// Returns the same request with the parameters that were found given, so that nothing has to be searched for.
pub(crate) fn planned_request(canonical_form: &Value, parameters: &Value) -> Option<Request> {
    let mut with_found = canonical_form.clone();
    // Kinds without a mechanism of their own have nothing to find.
    if let Some(mechanism) = with_found.get_mut("mechanism")?.as_object_mut() {
        for name in FINDABLE {
            if let (Some(Value::Null), Some(found)) = (mechanism.get(name), parameters.get(name)) {
                mechanism.insert(name.into(), found.clone());
            }
        }
    }
    request_of(&with_found)
}
