//! The identity of a request: a canonical text, and hashes of it.
//!
//! Two requests that ask for the same thing have the same text, however they are written; it must never depend on
//! where the data or the account book lies, nor on the order in which a JSON library keeps keys. It is separate
//! because certificates and ledgers outlive the reader. Read `plan/plan.rs` next.

use super::bins::{Bin, BinSource, Cut, Items, Other};
use super::data::{Data, Sampled, Split, Unit};
use super::kinds::Names;
use super::mechanism::MechanismRequest;
use super::parts_json::{bin_value, edges_json, named, number};
use super::{PromiseRequest, Request};
use incrowd_definition::Reading;
use incrowd_privacy::{Epsilon, Promise};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

impl Request {
    /// Returns the request as JSON with sorted keys, defaults filled in and numbers reduced, without `[output]`, the
    /// ledger's path and the data's source.
    pub fn canonical_json(&self) -> String {
        sorted(&self.canonical())
    }

    /// Returns the same as a value, which [`Request::from_canonical`] reads.
    pub fn canonical(&self) -> Value {
        let mechanism = self.mechanism_or_default().map(|chosen| chosen.filled(&self.promise.promise));
        json!({
            "release": self.kind.name(),
            "data": data(&self.data.clone().unwrap_or_default()),
            "bins": self.kind.written().iter().map(|bin| named(&bin.name, bin_definition(bin))).collect::<Vec<_>>(),
            "kind": self.kind.canonical(Names::Kept),
            "promise": promise(&self.promise),
            "mechanism": mechanism.as_ref().map(mechanism_json),
            "ledger": { "dataset": self.ledger.dataset, "snapshot": self.ledger.snapshot },
        })
    }

    /// Returns the SHA-256 of the canonical JSON, in hexadecimal digits: the identity of the plan.
    pub fn request_hash(&self) -> String {
        sha256(&self.canonical_json())
    }

    /// Returns the identity of what is counted, whatever is promised about it: equal hashes mean the same binning, if the
    /// state of the data has a name.
    ///
    /// Covers dataset, snapshot, the chance of a sample, where, person, null rules, ordered bin definitions without their
    /// headings, bins per person, types and time zone, and how values are read: all that decides where a row falls.
    pub fn binning_hash(&self, reading: Option<&Value>) -> String {
        sha256(&self.binning_text(reading))
    }

    /// Returns what is counted as JSON with sorted keys: what the ledger keeps, and compares with other releases.
    ///
    /// The reading is what [`reading_json`] returns; without it the text is that of incrowd 0.1, which did not know.
    pub fn binning_text(&self, reading: Option<&Value>) -> String {
        let mut binning = self.binning();
        binning["snapshot"] = json!(self.ledger.snapshot);
        if let Some(reading) = reading {
            binning["reading"] = reading.clone();
        }
        self.kind.add_run(&mut binning["kind"]);
        // Not part of the bounding key: a person stays in the same bins, sampled or not.
        if let Some(chance) = self.data.as_ref().and_then(|data| data.sample.as_ref()) {
            binning["sample"] = number(chance);
        }
        sorted(&binning)
    }

    /// Returns the public key that chooses a person's bins: of dataset and binning, without the snapshot, so that it
    /// stays the same from release to release (`docs/theory.md` 7).
    pub fn bounding_key(&self) -> String {
        sha256(&sorted(&self.binning()))
    }

    /// Returns the promise as JSON with sorted keys, numbers reduced; with how many periods it is for, if people repeat.
    pub fn promise_text(&self) -> String {
        let mut text = promise(&self.promise);
        // What is promised for each period; the ledger takes it so often.
        if self.periods_per_person() > 1 {
            text["periods"] = json!(self.periods_per_person());
        }
        sorted(&text)
    }

    fn binning(&self) -> Value {
        let source = self.data.clone().unwrap_or_default();
        let mut binning = json!({
            "dataset": self.ledger.dataset,
            "where": source.condition,
            "unit": unit(&source.unit),
            "types": types(&source),
            "timezone": source.timezone,
            "kind": self.kind.canonical(Names::Dropped),
            "bins": self.kind.written().iter().map(bin_definition).collect::<Vec<_>>(),
        });
        if let Some(split) = &source.split {
            binning["split"] = split_json(split);
        }
        binning
    }
}

/// Returns how values are read as JSON: by name, what each column is stored as, and what names a person.
pub fn reading_json(reading: &Reading) -> Value {
    let columns = reading.columns.iter().map(|(column, stored)| (column.clone(), json!(stored.to_string())));
    json!({
        "columns": columns.collect::<Map<String, Value>>(),
        "person": reading.person.as_ref().map(ToString::to_string),
    })
}

impl PromiseRequest {
    /// Returns the promise as JSON with sorted keys, numbers reduced.
    pub fn text(&self) -> String {
        sorted(&promise(self))
    }
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns compact JSON with sorted keys.
fn sorted(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let mut keys: Vec<&String> = entries.keys().collect();
            keys.sort();
            let inside = keys.into_iter().map(|key| format!("{}:{}", Value::from(key.as_str()), sorted(&entries[key])));
            format!("{{{}}}", inside.collect::<Vec<_>>().join(","))
        }
        Value::Array(entries) => format!("[{}]", entries.iter().map(sorted).collect::<Vec<_>>().join(",")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

fn numbers(values: &[Epsilon]) -> Value {
    values.iter().map(|epsilon| epsilon.to_string()).collect()
}

fn split_json(split: &Split) -> Value {
    json!({ "column": split.column, "part": bin_value(&split.part) })
}

fn data(data: &Data) -> Value {
    let mut found = json!({
        "unit": unit(&data.unit),
        "where": data.condition,
        "types": types(data),
        "synthetic": data.synthetic,
        "sample": data.sample.as_ref().map(number),
        "sampled": data.sampled.as_ref().map(|Sampled { least, most, known }| {
            json!({ "least": number(least), "most": number(most), "known": known })
        }),
        "timezone": data.timezone,
    });
    // Only where there is one: requests without a split keep their identity.
    if let Some(split) = &data.split {
        found["split"] = split_json(split);
    }
    found
}

fn types(data: &Data) -> Value {
    data.types.iter().map(|(column, kind)| (column.clone(), json!(kind.as_str()))).collect()
}

fn unit(unit: &Unit) -> Value {
    match unit {
        Unit::Row => json!({ "bins-per-person": 1 }),
        Unit::People { column } => json!({ "people": column, "bins-per-person": 1 }),
        Unit::Person { column, bins_per_person } => json!({ "person": column, "bins-per-person": bins_per_person }),
    }
}

fn bin_definition(bin: &Bin) -> Value {
    let source = match &bin.source {
        BinSource::Column(column) => json!({ "column": column }),
        BinSource::Expression(expression) => json!({ "expression": expression }),
    };
    let cut = match &bin.cut {
        Cut::Found => json!("found"),
        Cut::Values(values) => json!({ "values": values.iter().map(bin_value).collect::<Vec<_>>() }),
        Cut::Named(pairs) => json!({ "names": pairs }),
        Cut::Edges(edges) => edges_json(edges),
        Cut::Truncated(unit) => json!({ "truncate": unit.as_str() }),
        Cut::Periods(periods) => json!({
            "truncate": periods.unit().as_str(),
            "first": periods.first().to_string(),
            "last": periods.last().to_string(),
        }),
    };
    let mut found =
        json!({ "source": source, "cut": cut, "other": bin.other == Other::Counted, "nulls": bin.nulls.as_str() });
    // Only where there are pairs: bins without them keep their identity.
    if bin.items == Items::Pairs {
        found["items"] = json!(bin.items.as_str());
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
