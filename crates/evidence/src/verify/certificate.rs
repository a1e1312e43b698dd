//! The certificate, recomputed from itself.
//!
//! Each group of fields is compared with what follows from the same request, charge and tables; sentences only where
//! this very version of incrowd wrote them. It must never leave a field uncompared without saying so. It is separate
//! from the tables because it needs nothing else. Read `words.rs` next.

use super::words::{Author, WITH_SENTENCES, without_sentences};
use super::{DECLARED_MADE_UP, MADE_UP, MAX_CERTIFICATE_BYTES, NO_RELEASE, NOT_PRIVATE, Verdict, VerifyError, files};
use crate::certificate::{
    AccountAge, ChargeFacts, FILES, FolderFacts, REPORT, Randomness, STATISTICS, Version, asked_delta, certificate,
    certificate_text, planned_request, request_of,
};
use crate::files::WrittenTable;
use crate::kinds::TABLES;
use crate::plan::Plan;
use crate::refusal::readable;
use crate::request::{
    BandStatistics, CsvStart, Estimate, Format, KeyCells, Margins, OutputRequest, Prior, QualityColumn, ReportRequest,
    Request, SumsCalled, TableManner, printable, refuse_missing_name,
};
use crate::table::KeyType;
use crate::totals::TotalsTable;
use incrowd_definition::{After, CertificateHash, Left};
use incrowd_exact::number_of;
use incrowd_exact::{Rational, rare_rounding_up, significant_rounding_up};
use incrowd_privacy::Epsilon;
use serde_json::Value;
use std::path::Path;

/// Returns the bytes of a certificate that is not too large.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, VerifyError> {
    files::read(path, MAX_CERTIFICATE_BYTES).map_err(|problem| match problem {
        files::NotRead::TooLarge => VerifyError::CertificateTooLarge,
        files::NotRead::Missing | files::NotRead::NotPlain | files::NotRead::Failed => VerifyError::NoCertificate,
    })
}

/// All fields that are computed again, by what they tell.
const GROUPS: [(&str, &[&str]); 7] = [
    ("identity", &["request_hash", "binning_hash", "dataset", "snapshot", "reading", "unit", "universe", "sampling"]),
    ("promise", &["notion", "curve", "delta", "worst_case_dp", "odds"]),
    ("mechanism", &["mechanism", "theorem"]),
    ("accounting", &["exact"]),
    ("steps", &["postprocessing", "randomness"]),
    ("record", &["version", "not_private", "ledger", "derived_from", "tables", "request"]),
    (WORDS, &["software", "how_to_read", "floating_point", "timing", "assumptions", "not_protected"]),
];

/// The group that has nothing but sentences.
const WORDS: &str = "words";

/// Checks the form of the certificate, and its one spelling.
pub(super) fn check_form(text: &[u8], json: &Value, version: Version, verdict: &mut Verdict) -> Option<Inputs> {
    let inputs = verdict_of(Inputs::read(json, version), "certificate form", verdict)?;
    if let Some(wrong) = version.known_to_be_wrong() {
        verdict.noted("version 2", wrong);
    }
    // One value has one text: what could be spelt otherwise, or said twice, has no room for anything else.
    verdict.judged(
        "certificate text",
        match certificate_text(json).as_bytes() == text {
            true => Ok("byte for byte as its values are written".into()),
            false => Err("the file is not byte for byte what incrowd writes for its own values".into()),
        },
    );
    Some(inputs)
}

/// What a certificate is about: all that is needed to plan it again.
pub(super) struct Stated {
    pub(super) inputs: Inputs,
    pub(super) request: Request,
}

/// Reads the request back; it must hash to what is stated before anything is computed from it.
pub(super) fn check_request(json: &Value, inputs: Inputs, verdict: &mut Verdict) -> Option<Stated> {
    let request = verdict_of(request_in(json, &inputs), "request", verdict)?;
    if inputs.randomness == Randomness::KnownSeed {
        verdict.noted(NOT_PRIVATE, NO_RELEASE);
    } else if request.data.as_ref().is_some_and(|data| data.synthetic) {
        verdict.noted(MADE_UP, DECLARED_MADE_UP);
    }
    let binning_hash = request.binning_hash(inputs.charge.reading.as_ref());
    let same = json["request_hash"] == request.request_hash() && json["binning_hash"] == binning_hash;
    if !same {
        verdict.failed("identity", "not as recomputed: request_hash or binning_hash");
        return None;
    }
    if let Some(policy) = request.policy {
        let sizes = format!("groups of fewer than {} are small", policy.small);
        verdict.passed("policy", format!("{} gives the promise that is stated: {sizes}", policy.name));
    }
    Some(Stated { inputs, request })
}

/// Computes the certificate again and compares; returns the plan behind it if that could be made again.
pub(super) fn check(json: &Value, version: Version, stated: &Stated, verdict: &mut Verdict) -> Option<Plan> {
    let inputs = &stated.inputs;
    let plan = match plan_of(json, stated) {
        Ok(plan) => plan,
        Err(reason) => {
            verdict.failed("mechanism", reason);
            return None;
        }
    };
    let again = version.of_its_time(certificate(&plan, &inputs.charge, &inputs.folder, inputs.randomness));
    let author = Author::of(json);
    let (stated, again) = match author {
        Author::This => (json.clone(), again),
        Author::Another(_) => (without_sentences(json), without_sentences(&again)),
    };
    for (name, fields) in GROUPS {
        if let (Author::Another(software), WORDS) = (author, name) {
            verdict.trusted(WORDS, format!("{WITH_SENTENCES}: stated by {software}, not recomputed"));
            continue;
        }
        let differs = |field: &&str| stated.get(field) != again.get(field);
        let differing: Vec<&str> = fields.iter().copied().filter(differs).collect();
        verdict.judged(
            name,
            match differing.as_slice() {
                [] => Ok(said(name, &plan)),
                some => Err(format!("not as recomputed: {}", some.join(", "))),
            },
        );
    }
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
                rare_rounding_up(&plan.cost().delta)
            ),
            Epsilon::Infinite => "the curve follows from the request; nothing bounds it for large groups".into(),
        },
        "mechanism" => {
            format!("{} with these parameters is what the request asks for", plan.settled().deployed().mechanism.name())
        }
        "accounting" => format!(
            "worst count {}: delta {} of the {} asked for one bin; {} more counts as stated",
            plan.worst().count,
            number(&plan.worst().delta.upper_bound()),
            number(plan.settled().delta()),
            plan.exact().len(),
        ),
        "steps" => {
            "what was done to drawn values, and where random bits came from, is what the request asks for".into()
        }
        "record" => "entry of the ledger, tables and request have their one form".into(),
        _ => "as this version writes them".into(),
    }
}

/// The longest sentence of another version that is repeated.
const MOST_QUOTED: usize = 1000;

/// What is stated and cannot be computed again from the folder.
pub(super) fn trusted(json: &Value, verdict: &mut Verdict) {
    for line in json["assumptions"].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str) {
        verdict.trusted("assumption", printable(&line.chars().take(MOST_QUOTED).collect::<String>()));
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
pub(crate) struct Inputs {
    pub(crate) charge: ChargeFacts,
    pub(crate) folder: FolderFacts,
    pub(crate) randomness: Randomness,
    pub(crate) output: OutputRequest,
}

impl Inputs {
    fn read(json: &Value, version: Version) -> Result<Inputs, &'static str> {
        let fields = json.as_object().ok_or("the certificate is not an object")?;
        let not_private = fields.contains_key("not_private");
        let known = version.fields().filter(|name| not_private || *name != "not_private");
        if known.clone().count() != fields.len() || !known.clone().all(|name| fields.contains_key(name)) {
            return Err("a field is missing, or there is one that is not known");
        }
        if !json["software"].as_str().is_some_and(|software| version.is_written_by(software)) {
            return Err("`software` is not a version of incrowd that writes this version of certificates");
        }
        let randomness = match (json["randomness"]["kind"].as_str(), fields.get("not_private")) {
            (Some("operating-system"), None) => Randomness::OperatingSystem,
            (Some("known-seed"), Some(Value::Bool(true))) => Randomness::KnownSeed,
            (_, _) => return Err("`randomness` and `not_private` do not fit together"),
        };
        let tables = tables(&json["tables"], version).ok_or("`tables` does not list the tables of a release")?;
        let (mut output, key_types) =
            output(&json["postprocessing"], version).ok_or("`postprocessing` has a step that is not known")?;
        let format = |table: &WrittenTable| {
            let (_, ending) = table.name.rsplit_once('.')?;
            Format::ALL.into_iter().find(|format| {
                !TotalsTable::ALL.iter().any(|totals| table.name.starts_with(totals.stem()))
                    && format.as_str() == ending
            })
        };
        output.formats = tables.iter().filter_map(format).collect();
        OutputRequest::refuse_formats(&output.formats).map_err(|refusal| refusal.message())?;
        Ok(Inputs {
            charge: ChargeFacts {
                reading: match version {
                    Version::Two => None,
                    Version::Three => {
                        Some(reading(&json["reading"]).ok_or("`reading` does not say how columns are stored")?)
                    }
                },
                ..charge(&json["ledger"]).ok_or("`ledger` is not an entry of a ledger")?
            },
            folder: FolderFacts {
                tables,
                key_types,
                derived_from: match version {
                    Version::Two => Vec::new(),
                    Version::Three => derived_from(&json["derived_from"])
                        .ok_or("`derived_from` does not name the folders that this one was made from")?,
                },
            },
            randomness,
            output,
        })
    }
}

/// The certificates of the folders that this one was made from; none for a release.
fn derived_from(stated: &Value) -> Option<Vec<CertificateHash>> {
    if stated.is_null() {
        return Some(Vec::new());
    }
    let hashes = stated.get("certificates")?.as_array().filter(|hashes| !hashes.is_empty())?;
    hashes.iter().map(|hash| CertificateHash::read(hash.as_str()?)).collect()
}

fn request_in(json: &Value, inputs: &Inputs) -> Result<Request, &'static str> {
    let mut request = request_of(&json["request"]).ok_or_else(|| not_canonical(&json["request"]))?;
    if inputs.randomness == Randomness::KnownSeed && !request.data.as_ref().is_some_and(|data| data.synthetic) {
        return Err("a known seed was used on data that is not declared synthetic");
    }
    request.output = inputs.output.clone();
    Ok(request)
}

/// Why a request cannot be read: for its policy alone, or as a whole.
fn not_canonical(request: &Value) -> &'static str {
    let mut unnamed = request.clone();
    let named = unnamed.as_object_mut().and_then(|fields| fields.remove("policy"));
    match named.is_some() && request_of(&unnamed).is_some() {
        true => "the policy that `request` names does not give the promise beside it",
        false => "`request` is not the canonical form of a request",
    }
}

fn plan_of(json: &Value, stated: &Stated) -> Result<Plan, &'static str> {
    // With every parameter given nothing is searched for: what is certified is what the certificate states.
    let given = planned_request(&json["request"], &json["mechanism"]["parameters"]);
    let given = given.ok_or("`mechanism.parameters` are not parameters of this request's mechanism")?;
    let plan = Plan::with(&stated.request, given.mechanism.as_ref(), None)
        .map_err(|_| "the mechanism does not meet the promise of this request")?;
    if plan.certified_delta() > asked_delta(&plan) {
        return Err("the mechanism does not meet the promise of this request");
    }
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
        reading: None,
    })
}

/// How columns are stored: names of types, taken on trust.
fn reading(reading: &Value) -> Option<Value> {
    let columns = reading.get("columns")?.as_object()?;
    let person = reading.get("person")?;
    let side_value = columns.values().all(Value::is_string) && (person.is_null() || person.is_string());
    (side_value && reading.as_object()?.len() == 2).then(|| reading.clone())
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

fn tables(list: &Value, version: Version) -> Option<Vec<WrittenTable>> {
    let stems = TABLES.into_iter().chain(TotalsTable::ALL.map(TotalsTable::stem));
    let known: Vec<String> =
        stems.flat_map(|stem| Format::ALL.map(|format| format!("{stem}.{}", format.as_str()))).collect();
    // Version 2 knows no workbooks and nothing that adds up, and totals stand in the workbook of their counts.
    let is_of = |name: &str, table: TotalsTable| name.starts_with(table.stem());
    let is_workbook = |name: &str| name.ends_with(Format::Xlsx.as_str());
    let known: Vec<String> = known
        .into_iter()
        .filter(|name| {
            !is_workbook(name) || (version > Version::Two && !TotalsTable::ALL.iter().any(|table| is_of(name, *table)))
        })
        .filter(|name| {
            let later = [TotalsTable::Consistent, TotalsTable::Statistics];
            version > Version::Two || !later.iter().any(|table| is_of(name, *table))
        })
        .collect();
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

/// Reads back what decides how published values are shown, and the types of keys.
fn output(steps: &Value, version: Version) -> Option<(OutputRequest, Vec<KeyType>)> {
    let mut output =
        OutputRequest { keys: KeyCells::Bare, quality: QualityColumn::LeftOut, ..OutputRequest::default() };
    output.manner = match version {
        Version::Two => TableManner::Plain,
        Version::Three => TableManner::Careful,
    };
    let mut key_types = Vec::new();
    for step in steps.as_array()? {
        match step.get("step")?.as_str()? {
            FILES if version > Version::Two && output.keys == KeyCells::Bare => {
                let missing = step.get("missing")?.as_str().filter(|name| refuse_missing_name(name).is_ok())?;
                output.keys = KeyCells::Named { missing: missing.into() };
                if step.get("csv_bom")?.as_bool()? {
                    output.csv_start = CsvStart::ByteOrderMark;
                }
                let names = step.get("keys")?.as_array()?.iter();
                key_types = names.map(|name| KeyType::named(name.as_str()?)).collect::<Option<Vec<_>>>()?;
            }
            REPORT if version > Version::Two && output.report.is_empty() => {
                output.report = ReportRequest::from_json(step)?;
            }
            "threshold" | "interval" | "consistent" => {}
            table if TABLES.contains(&table) && table != "counts" => {}
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
                let text = |name: &Value| Some(name.as_str()?.to_string());
                let set = |set: &Value| match version {
                    Version::Two => Some(vec![text(set)?]),
                    Version::Three => set.as_array()?.iter().map(text).collect(),
                };
                output.margins = Margins::Of(step.get("of")?.as_array()?.iter().map(set).collect::<Option<Vec<_>>>()?);
                if step.get("column")? == "published_total" {
                    output.sums = SumsCalled::PublishedTotal;
                }
            }
            STATISTICS if version > Version::Two => {
                let of = step.get("of")?.as_str()?;
                let number = |text: &Value| number_of(text.as_str()?);
                let quantiles = step.get("quantiles")?.as_array()?.iter().map(number).collect::<Option<Vec<_>>>()?;
                output.statistics = Some(BandStatistics::of(of).with_quantiles(quantiles)?);
            }
            "rounding" => output.rounding = Some(step.get("to")?.as_str()?.parse().ok().filter(|step| *step > 1)?),
            "quality" if version > Version::Two => output.quality = QualityColumn::Written,
            "small" if version > Version::Two => output.small = Some(step.get("below")?.as_str()?.parse().ok()?),
            _ => return None,
        }
    }
    // Since version 3 every certificate says how its tables are written.
    OutputRequest::refuse_small(output.small, output.rounding).ok()?;
    let is_told = (output.keys == KeyCells::Bare) == (version == Version::Two);
    is_told.then_some((output, key_types))
}
