//! The identity of a request: a canonical text, and hashes of it.
//!
//! Two requests that ask for the same thing have the same text, however they are written; it must never depend on
//! where the data or the account book lies, nor on the order in which a JSON library keeps keys. It is separate
//! because certificates and ledgers outlive the reader. Read `plan/plan.rs` next.

use super::data::{Data, PopulationSample};
use super::kinds::{Names, named};
use super::mechanism::MechanismRequest;
use super::{PromiseRequest, Request};
use incrowd_definition::canonical::{number, sorted_text};
use incrowd_definition::{ColumnType, CountedState, DataFormat, Definition, sha256};
use incrowd_privacy::{Epsilon, Promise};
use serde_json::{Value, json};

impl Request {
    /// Returns the request as JSON with sorted keys, defaults filled in and numbers reduced, without `[output]`, the
    /// ledger's path and the data's source.
    pub fn canonical_json(&self) -> String {
        sorted_text(&self.canonical())
    }

    /// Returns the same as a value, which [`Request::from_canonical`] reads.
    pub fn canonical(&self) -> Value {
        let mechanism = self.mechanism_or_default().map(|chosen| chosen.filled(&self.promise.promise));
        let mut found = json!({
            "release": self.kind.name(),
            "data": data(&self.data.clone().unwrap_or_default()),
            "bins": self.kind.written().iter().map(|bin| named(&bin.name, bin.canonical())).collect::<Vec<_>>(),
            "kind": self.kind.canonical(Names::Kept),
            "promise": promise(&self.promise),
            "mechanism": mechanism.as_ref().map(mechanism_json),
            "ledger": { "dataset": self.ledger.dataset, "snapshot": self.ledger.snapshot },
        });
        // Only where there is one: other requests keep their identity. The promise stands beside it, whole.
        if let Some(policy) = self.policy {
            found["policy"] = json!(policy.name);
        }
        found
    }

    /// Returns the SHA-256 of the canonical JSON, in hexadecimal digits: the identity of the plan.
    pub fn request_hash(&self) -> String {
        sha256(self.canonical_json().as_bytes())
    }

    /// Returns the identity of what is counted, whatever is promised about it: equal hashes mean the same binning, if
    /// the state of the data has a name.
    ///
    /// Covers dataset, snapshot, the chance of a sample, where, person, null rules, ordered bin definitions without
    /// their headings, bins per person, types and time zone, and how values are read: all that decides where a row
    /// falls.
    pub fn binning_hash(&self, reading: Option<&Value>) -> String {
        sha256(self.binning_text(reading).as_bytes())
    }

    /// Returns what is counted as JSON with sorted keys: what the ledger keeps, and compares with other releases.
    ///
    /// The reading is in its canonical form; without it the text is that of incrowd 0.1, which did not know.
    pub fn binning_text(&self, reading: Option<&Value>) -> String {
        let mut kind = self.kind.canonical(Names::Dropped);
        self.kind.add_run(&mut kind);
        let data = self.data.clone().unwrap_or_default();
        // Not part of the bounding key: a person stays in the same bins, sampled or not.
        let (snapshot, sample) = (self.ledger.snapshot.as_deref(), data.sample.as_ref());
        self.definition(&data, kind).text_in(CountedState { snapshot, sample, reading })
    }

    /// Returns the public key that chooses a person's bins: of dataset and binning, without the snapshot, so that it
    /// stays the same from release to release (`docs/theory.md` 7).
    pub fn bounding_key(&self) -> String {
        let data = self.data.clone().unwrap_or_default();
        sha256(self.definition(&data, self.kind.canonical(Names::Dropped)).text().as_bytes())
    }

    /// Returns the promise as JSON with sorted keys, numbers reduced; with how many periods it is for, if people
    /// repeat.
    pub fn promise_text(&self) -> String {
        let mut text = promise(&self.promise);
        // What is promised for each period; the ledger takes it so often.
        if self.periods_per_person() > 1 {
            text["periods"] = json!(self.periods_per_person());
        }
        sorted_text(&text)
    }

    fn definition<'r>(&'r self, data: &'r Data, kind: Value) -> Definition<'r> {
        Definition {
            dataset: self.ledger.dataset.as_deref(),
            condition: data.condition.as_deref(),
            split: data.split.as_ref(),
            unit: &data.unit,
            types: &data.types,
            timezone: &data.timezone,
            kind,
            dimensions: self.kind.written(),
        }
    }
}

impl PromiseRequest {
    /// Returns the promise as JSON with sorted keys, numbers reduced.
    pub fn text(&self) -> String {
        sorted_text(&promise(self))
    }
}

fn numbers(values: &[Epsilon]) -> Value {
    values.iter().map(|epsilon| epsilon.to_string()).collect()
}

fn data(data: &Data) -> Value {
    let mut found = json!({
        "unit": data.unit.canonical(),
        "where": data.condition,
        "types": ColumnType::canonical_of(&data.types),
        "synthetic": data.synthetic,
        "sample": data.sample.as_ref().map(number),
        "sampled": data.sampled.as_ref().map(|PopulationSample { least, most, known }| {
            json!({ "least": number(least), "most": number(most), "known": known })
        }),
        "timezone": data.timezone,
    });
    // Only where there is one: requests without a split keep their identity.
    if let Some(split) = &data.split {
        found["split"] = split.canonical();
    }
    // Likewise: files that are written as usual.
    // What their name says anyway is the same request, said aloud or not.
    let named = data.source.as_deref().and_then(DataFormat::of_name);
    let dialect = data.dialect.without_defaults_of(named);
    if !dialect.is_default() {
        found["dialect"] = Value::Object(dialect.canonical());
    }
    found
}

fn promise(request: &PromiseRequest) -> Value {
    let mut found = match &request.promise {
        Promise::DifferentialPrivacy { epsilon } => json!({ "epsilon": epsilon.to_string() }),
        Promise::CrowdBlending { crowd, epsilon } => json!({ "crowd": crowd, "epsilon": epsilon.to_string() }),
        Promise::Group { group, epsilon }
        | Promise::SimpleOutlier { group, epsilon }
        | Promise::SimpleOutlierDp { group, epsilon } => json!({ "group": group, "epsilon": epsilon.to_string() }),
        Promise::Staircase { thresholds, epsilons } => {
            json!({ "thresholds": thresholds, "epsilons": numbers(epsilons) })
        }
        Promise::Linear { slope, floor, cap } => {
            json!({ "slope": number(slope), "floor": number(floor), "cap": cap.to_string() })
        }
        Promise::Fading { group, width, epsilon, factor } => {
            json!({ "group": group, "width": width, "epsilon": number(epsilon), "factor": number(factor) })
        }
        Promise::Table { values } => json!({ "values": numbers(values) }),
    };
    found["kind"] = json!(request.promise.kind());
    found["delta"] = request.delta.as_ref().map_or(Value::Null, number);
    // Only where there is one: other requests keep their identity.
    if let Some(epsilon) = &request.sampled_epsilon {
        found["sampled-epsilon"] = number(epsilon);
    }
    found
}

fn mechanism_json(mechanism: &MechanismRequest) -> Value {
    let given = &mechanism.parameters;
    json!({
        "name": mechanism.name.as_str(),
        "accounting": mechanism.accounting.as_str(),
        "threshold": mechanism.threshold,
        "crowd": given.crowd,
        "group": given.group,
        "epsilon": given.epsilon.as_ref().map(ToString::to_string),
        "thresholds": given.thresholds,
        "epsilons": given.epsilons.as_deref().map(numbers),
        "levels": given.levels,
        "publish-levels": given.publish_levels,
        "offset": given.offset,
        "bound": given.bound.map(|bound| bound.name()),
        "epsilon-a": given.epsilon_a.as_ref().map(number),
        "delta-a": given.delta_a.as_ref().map(number),
        "grid": given.grid.as_ref().map(number),
        "alpha": given.alpha.as_ref().map(number),
        "publish-epsilon": given.publish_epsilon,
        "width": given.width,
        "factor": given.factor.as_ref().map(number),
        "half-width": given.half_width,
    })
}
