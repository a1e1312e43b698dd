//! Tests of whole requests.
//!
//! Texts in, values or refusals out; they must never reach into the reader. They are separate because they are the
//! promise of the request file to its users. Read `accepted.rs` first, then `refused.rs`.

mod accepted;
mod canonical;
mod dialect;
mod examples;
mod hashes;
mod in_words;
mod kinds;
mod published_schema;
mod random;
mod refused;
mod report;

use super::{Request, RequestError};

fn accept(text: &str) -> Request {
    Request::parse(text).unwrap_or_else(|error| panic!("{}\n{text}", error.render("r", text, super::Colour::Plain)))
}

fn refuse(text: &str) -> RequestError {
    match Request::parse(text) {
        Ok(request) => panic!("accepted: {text}\n{request:?}"),
        Err(error) => error,
    }
}

/// A histogram with this promise.
fn promising(promise: &str) -> String {
    format!("release = \"histogram\"\n[promise]\n{promise}\n")
}

/// A histogram with this bin under a plain promise.
fn with_bin(bin: &str) -> String {
    format!("{}[[bins]]\nname = \"b\"\n{bin}\n", promising("kind = \"differential-privacy\"\nepsilon = 1"))
}

/// A histogram with this mechanism under a plain promise.
fn with_mechanism(mechanism: &str) -> String {
    format!("{}[mechanism]\n{mechanism}\n", promising("kind = \"differential-privacy\"\nepsilon = 1"))
}

/// A histogram of these data under a plain promise.
fn with_data(data: &str) -> String {
    format!("{}[data]\n{data}\n", promising("kind = \"differential-privacy\"\nepsilon = 1"))
}
