//! The certificate, recomputed from itself.
//!
//! Each group of fields is compared with what this version would write for the same request, charge and tables; it must
//! never leave a field uncompared without saying so. It is separate from the tables because it needs nothing else. Read
//! `tables.rs` next.

use super::{MAX_CERTIFICATE_BYTES, Verdict, VerifyError};
use crate::certificate::{
    AccountAge, ChargeFacts, Randomness, asked_delta, certificate, certificate_text, number_of, planned_request,
    request_of,
};
use crate::plan::Plan;
use crate::refusal::readable;
use crate::request::{Estimate, Format, Margins, OutputRequest, Prior};
use crate::write::WrittenTable;
use incrowd_exact::{Rational, significant_rounding_up};
use incrowd_ledger::{After, Left};
use incrowd_privacy::Epsilon;
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Returns the bytes of a certificate that is not too large.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, VerifyError> {
    let file = File::open(path).map_err(|_| VerifyError::NoCertificate)?;
    let mut text = Vec::new();
    // One byte more than allowed tells a file that is too large, whatever its size claims to be.
    let read = file.take(MAX_CERTIFICATE_BYTES + 1).read_to_end(&mut text).map_err(|_| VerifyError::NoCertificate)?;
    if read as u64 > MAX_CERTIFICATE_BYTES { Err(VerifyError::CertificateTooLarge) } else { Ok(text) }
}

/// All fields that are computed again, by what they tell.
const GROUPS: [(&str, &[&str]); 5] = [
    ("identity", &["request_hash", "binning_hash", "dataset", "snapshot", "unit", "universe", "sampling"]),
    ("promise", &["notion", "curve", "delta", "worst_case_dp"]),
    ("mechanism", &["mechanism", "theorem"]),
    ("accounting", &["exact"]),
    (
        "words",
        &[
            "software",
            "how_to_read",
            "postprocessing",
            "randomness",
            "floating_point",
            "timing",
            "assumptions",
            "not_protected",
        ],
    ),
];

/// Checks the certificate; returns the plan behind it if that could be made again.
pub(super) fn check(text: &[u8], json: &Value, verdict: &mut Verdict) -> Option<Plan> {
    let inputs = verdict_of(Inputs::read(json), "certificate form", verdict)?;
    let plan = verdict_of(plan_of(json, &inputs), "request", verdict)?;
    let again = certificate(&plan, &inputs.charge, &inputs.tables, inputs.randomness);
    for (name, fields) in GROUPS {
        let differing: Vec<&str> = fields.iter().copied().filter(|field| json.get(field) != again.get(field)).collect();
        verdict.judged(
            name,
            match differing.as_slice() {
                [] => Ok(said(name, &plan)),
                some => Err(format!("not as recomputed: {}", some.join(", "))),
            },
        );
    }
    let same = certificate_text(&again).as_bytes() == text;
    verdict.judged(
        "certificate text",
        match same {
            true => Ok("byte for byte as recomputed".into()),
            false => Err("the file is not byte for byte what this version writes for its own values".into()),
        },
    );
    Some(plan)
}

fn said(name: &str, plan: &Plan) -> String {
    let number = |value: &Rational| significant_rounding_up(value, 6);
    match name {
        "identity" => "request, binning and bounding key hash to what is stated".into(),
        "promise" => match plan.cost().epsilon {
            Epsilon::Finite(epsilon) => format!(
                "the curve follows from the request; at worst epsilon {}, delta {} for everybody",
                readable(&epsilon),
                number(&plan.cost().delta)
            ),
            Epsilon::Infinite => "the curve follows from the request; nothing bounds it for large groups".into(),
        },
        "mechanism" => {
            format!("{} with these parameters is what the request asks for", plan.settled.deployed.mechanism.name())
        }
        "accounting" => format!(
            "worst count {}: delta {} of the {} asked for one bin; {} more counts as stated",
            plan.worst.count,
            number(&plan.worst.delta.upper_bound()),
            number(&plan.settled.delta),
            plan.exact.len(),
        ),
        _ => "as this version writes them".into(),
    }
}

/// What is stated and cannot be computed again from the folder.
pub(super) fn trusted(json: &Value, verdict: &mut Verdict) {
    for line in json["assumptions"].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str) {
        verdict.trusted("assumption", line);
    }
    verdict.trusted(
        "program",
        "that the program which ran drew from the law that it states, and published all that it drew",
    );
    verdict.trusted("ledger", "that the charge is in the ledger, and what the account had promised and had left then: `incrowd ledger verify --against FOLDER` looks for the entry");
}

fn verdict_of<T>(result: Result<T, &'static str>, name: &'static str, verdict: &mut Verdict) -> Option<T> {
    match result {
        Ok(value) => {
            verdict.passed(name, "complete and readable");
            Some(value)
        }
        Err(reason) => {
            verdict.failed(name, reason);
            None
        }
    }
}

/// What a certificate states that no plan can tell.
struct Inputs {
    charge: ChargeFacts,
    tables: Vec<WrittenTable>,
    randomness: Randomness,
    output: OutputRequest,
}

impl Inputs {
    fn read(json: &Value) -> Result<Inputs, &'static str> {
        let fields = json.as_object().ok_or("the certificate is not an object")?;
        let not_private = fields.contains_key("not_private");
        let known = crate::certificate::FIELDS.iter().filter(|name| not_private || **name != "not_private");
        if known.clone().count() != fields.len() || !known.clone().all(|name| fields.contains_key(*name)) {
            return Err("a field is missing, or there is one that is not known");
        }
        let randomness = match (json["randomness"]["kind"].as_str(), fields.get("not_private")) {
            (Some("operating-system"), None) => Randomness::OperatingSystem,
            (Some("known-seed"), Some(Value::Bool(true))) => Randomness::KnownSeed,
            (_, _) => return Err("`randomness` and `not_private` do not fit together"),
        };
        Ok(Inputs {
            charge: charge(&json["ledger"]).ok_or("`ledger` is not an entry of a ledger")?,
            tables: tables(&json["tables"]).ok_or("`tables` does not list the tables of a release")?,
            randomness,
            output: output(&json["postprocessing"]).ok_or("`postprocessing` has a step that is not known")?,
        })
    }
}

fn plan_of(json: &Value, inputs: &Inputs) -> Result<Plan, &'static str> {
    let form = &json["request"];
    let mut request = request_of(form).ok_or("`request` is not the canonical form of a request")?;
    if inputs.randomness == Randomness::KnownSeed && !request.data.as_ref().is_some_and(|data| data.synthetic) {
        return Err("a known seed was used on data that is not declared synthetic");
    }
    // With every parameter given nothing is searched for: what is certified is what the certificate states.
    let given = planned_request(form, &json["mechanism"]["parameters"]);
    let given = given.ok_or("`mechanism.parameters` are not parameters of this request's mechanism")?;
    let mut plan = Plan::of(&given, None).map_err(|_| "the mechanism does not meet the promise of this request")?;
    if plan.certified_delta() > asked_delta(&plan) {
        return Err("the mechanism does not meet the promise of this request");
    }
    request.output = inputs.output.clone();
    plan.request = request;
    Ok(plan)
}

fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

fn charge(ledger: &Value) -> Option<ChargeFacts> {
    if ledger.as_object()?.len() != 5 {
        return None;
    }
    let (charge_id, head) = (ledger.get("charge_id")?.as_str()?, ledger.get("head")?.as_str()?);
    // The name of a charge is the beginning of its entry's hash.
    let named = is_hex(charge_id, 32) && is_hex(head, 64) && head.starts_with(charge_id);
    named.then_some(())?;
    Some(ChargeFacts {
        charge_id: charge_id.into(),
        seq: ledger.get("seq")?.as_u64()?,
        head: head.into(),
        account: if ledger.get("account_opened")?.as_bool()? { AccountAge::Opened } else { AccountAge::Existing },
        after: after(ledger.get("after")?)?,
    })
}

/// What the account had promised and had left then: numbers of the right form, taken on trust.
fn after(after: &Value) -> Option<After> {
    let exact = |value: &Value| match value {
        Value::Null => Some(None),
        Value::String(text) => number_of(text).filter(|number| *number >= Rational::ZERO).map(Some),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let left = after.get("left")?;
    Some(After {
        charges: after.get("releases")?.as_u64()?,
        epsilon: exact(after.get("epsilon")?)?,
        delta: exact(after.get("delta")?)??,
        left: Left { epsilon: exact(left.get("epsilon")?)?, delta: exact(left.get("delta")?)? },
    })
}

fn tables(list: &Value) -> Option<Vec<WrittenTable>> {
    let known = ["counts", "margins", "rows", "points"]
        .map(|stem| Format::ALL.map(|format| format!("{stem}.{}", format.as_str())));
    let known = known.as_flattened();
    let mut tables: Vec<WrittenTable> = Vec::new();
    for entry in list.as_array().filter(|list| !list.is_empty())? {
        let (name, sha256) = (entry.get("name")?.as_str()?, entry.get("sha256")?.as_str()?);
        let twice = tables.iter().any(|table| table.name == name);
        if entry.as_object()?.len() != 2 || twice || !known.iter().any(|known| known == name) || !is_hex(sha256, 64) {
            return None;
        }
        tables.push(WrittenTable { name: name.into(), sha256: sha256.into() });
    }
    Some(tables)
}

/// Reads back what decides how published values are shown.
fn output(steps: &Value) -> Option<OutputRequest> {
    let mut output = OutputRequest::default();
    for step in steps.as_array()? {
        match step.get("step")?.as_str()? {
            "threshold" | "interval" | "rows" | "points" => {}
            "estimate" => {
                let kind = step.get("kind")?.as_str()?;
                output.estimate = Some(Estimate::ALL.into_iter().find(|known| known.as_str() == kind)?);
                if let Some(prior) = step.get("prior").filter(|prior| !prior.is_null()) {
                    let [low, high] = prior.as_array()?.as_slice() else { return None };
                    let number = |value: &Value| value.as_str()?.parse::<u64>().ok();
                    let prior = Prior { low: number(low)?, high: number(high)? };
                    output.prior = (prior.low <= prior.high).then_some(Some(prior))?;
                }
            }
            "margins" => {
                let names = step.get("of")?.as_array()?.iter().map(|name| Some(name.as_str()?.to_string()));
                output.margins = Margins::Of(names.collect::<Option<Vec<_>>>()?);
            }
            "rounding" => output.rounding = Some(step.get("to")?.as_str()?.parse().ok().filter(|step| *step > 1)?),
            _ => return None,
        }
    }
    Some(output)
}
