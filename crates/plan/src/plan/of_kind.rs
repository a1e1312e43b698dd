//! What a plan answers by its kind of release.
//!
//! It must never tell kinds apart: `kinds.rs` does. It is separate because the kinds know what was settled, and no
//! plan. Read `../kinds.rs` next.

use crate::kinds::FIELDS;
use crate::plan::Plan;
use crate::settle::SettledRequest;
use incrowd_exact::Rational;
use incrowd_privacy::{Deployed, Epsilon};
use serde_json::{Value, json};

impl Plan {
    /// Returns what the theorem takes for granted, each in a sentence; all of it is so in the code that runs.
    pub fn theorem_assumptions(&self) -> Vec<&'static str> {
        self.kind.planned().theorem_assumptions(&self.settled.deployed)
    }

    /// Returns the epsilon that the theorem is about, and its delta: of one bin, or of all that a person is charged.
    pub fn theorem_cost(&self) -> (Epsilon, Rational) {
        self.kind.planned().theorem_cost(&self.settled_request())
    }

    /// Returns what a published value is read by.
    pub fn shown_by(&self) -> &Deployed {
        self.kind.planned().shown_by(&self.settled)
    }

    /// Returns which bins there are.
    pub fn universe_words(&self) -> String {
        self.kind.planned().universe_words(&self.settled_request())
    }

    /// Returns the lines that only this kind of release has in a plan, under its name.
    pub fn kind_words(&self) -> Vec<String> {
        self.kind.planned().own_words(&self.settled_request())
    }

    /// Returns the same for machines: every field that some kind has, null for all but its own.
    pub(crate) fn kind_json(&self) -> Vec<(&'static str, Value)> {
        let own = self.kind.planned().own_json(&self.settled_request());
        let of = |field: &'static str| match &own {
            Some((name, value)) if *name == field => (field, value.clone()),
            Some(_) | None => (field, json!(null)),
        };
        FIELDS.map(of).to_vec()
    }

    fn settled_request(&self) -> SettledRequest<'_> {
        SettledRequest { request: &self.request, settled: &self.settled, curve: &self.curve }
    }
}
