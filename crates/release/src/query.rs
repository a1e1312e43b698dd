//! The engine's question, taken from the request.
//!
//! It must never add anything that the request does not say: what is counted is what was hashed. It is separate because
//! the request speaks of promises and files, and an engine of neither. Read `kinds.rs` next for what each kind counts.

pub use crate::kinds::{GroupOfPlace, groups, most_people};

use crate::expressions::condition;
use crate::failure::ReleaseFailure;
use crate::kinds::asks;
use crate::refusal::Refusal;
use crate::request::Request;
use incrowd_engine::{Query, Source};
use std::path::Path;

/// Returns the question that a request asks; its source is looked for in `base`, the folder of the request.
pub fn query(request: &Request, base: &Path) -> Result<Query, ReleaseFailure> {
    let data = request.data.clone().unwrap_or_default();
    let Some(location) = &data.source else { return Err(Refusal::NoSource.into()) };
    if request.kind.published().is_empty() {
        return Err(Refusal::NoBins.into());
    }
    if data.sample.is_some() {
        crate::sampled::can_be_sampled(request)?;
    }
    Ok(Query {
        plan_hash: request.request_hash(),
        source: Source {
            location: location_from(base, location),
            secret_variable: data.password_variable.clone(),
            dialect: data.dialect,
            types: data.types,
            timezone: data.timezone,
        },
        condition: data.condition.as_deref().map(condition).transpose()?,
        split: data.split,
        unit: data.unit,
        bounding_key: request.bounding_key(),
        dimensions: asks(&request.kind).dimensions()?,
        time: asks(&request.kind).time(),
    })
}

/// Standard input, in place of a file.
pub(crate) const STANDARD_INPUT: &str = "-";

/// Returns where a request's data is: standard input and an address with a scheme (`postgres://`) as they are,
/// everything else from the folder of the request on.
pub(crate) fn location_from(base: &Path, location: &str) -> String {
    let is_address = location.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme));
    if location == STANDARD_INPUT || is_address {
        return location.to_owned();
    }
    base.join(location).to_string_lossy().into_owned()
}

fn is_scheme(text: &str) -> bool {
    let mut letters = text.bytes();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || b"+-.".contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_no_path_and_a_path_is_no_address() {
        let base = Path::new("/requests");
        for address in ["postgres://user@host/db", "sc://host:15002", "a+b-c.1://x"] {
            assert_eq!(location_from(base, address), address);
        }
        for (path, expected) in [
            ("people.csv", "/requests/people.csv"),
            ("../people.csv", "/requests/../people.csv"),
            ("/data/people.csv", "/data/people.csv"),
            ("://x", "/requests/://x"),
            ("a b://x", "/requests/a b://x"),
            ("1a://x", "/requests/1a://x"),
        ] {
            assert_eq!(location_from(base, path), expected);
        }
    }
}
