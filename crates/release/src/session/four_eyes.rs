//! Four eyes: a plan that was saved, reviewed, and is the only one that runs.
//!
//! What is compared is everything that the plan decides (the request's hash, the mechanism with the parameters that
//! were found, the cost, and `[output]`) and what it is pinned to: the source, the ledger and the folder that is made.
//! It must never let a difference pass. It is separate because saving and comparing must agree. Read `opened.rs` for
//! when it is compared, `../real_place.rs` for when two places are the same.

use super::ledger_location::{LedgerLocation, LocationError};
use crate::failure::FailureClass;
use crate::plan::Plan;
use crate::query::{STANDARD_INPUT, location_from};
use crate::real_place::real_place;
use incrowd_definition::canonical::sorted_text;
use incrowd_definition::sha256;
use incrowd_exact::rational_text;
use incrowd_ledger::{OfficerKey, PublicKey};
use incrowd_request::{OutputRequest, ServerPlace};
use serde_json::{Value, json};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Most bytes that a saved plan may have.
const MOST_BYTES: u64 = 64 << 20;
/// Most signatures under one.
const MOST_SIGNATURES: usize = 100;

/// What a reviewed plan runs on, from where, and to where: places as they are, however they are spelt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pins {
    /// The data; nothing where the request names none.
    pub source: Option<String>,
    /// The account book, without names and passwords of an address.
    pub ledger: String,
    /// The folder that is made.
    pub output: String,
}

impl Pins {
    /// Returns what a saved plan is pinned to.
    fn of_saved(saved: &Value) -> Option<Pins> {
        let text = |field: &str| saved[field].as_str().map(str::to_string);
        Some(Pins { source: text("source"), ledger: text("ledger")?, output: text("output")? })
    }

    /// Returns the pins of a request that lies in `base`.
    pub(super) fn of(plan: &Plan, base: &Path, ledger: &LedgerLocation, output: &Path) -> io::Result<Pins> {
        let source = plan.request().data.as_ref().and_then(|data| data.source.as_ref());
        let source = source.map(|source| place_of_source(&location_from(base, source))).transpose()?;
        let ledger = match ledger {
            LedgerLocation::File(path) => LedgerLocation::File(real_place(path)?).to_string(),
            // What an address says behind the server decides which book it is, too.
            LedgerLocation::Database(address) => format!("{ledger}{}", options_of(address)),
            LedgerLocation::Memory => ledger.to_string(),
        };
        Ok(Pins { source, ledger, output: real_place(output)?.display().to_string() })
    }
}

/// Where data is: standard input as it is, a server without who asks but with all settings, a path as it leads.
fn place_of_source(location: &str) -> io::Result<String> {
    match ServerPlace::of(location) {
        _ if location == STANDARD_INPUT => Ok("standard input".into()),
        Some(server) => Ok(format!("{server}{}", server.settings_of(location))),
        None => Ok(real_place(Path::new(location))?.display().to_string()),
    }
}

/// Why a plan could not be saved.
#[derive(Debug)]
pub enum SaveError {
    /// There is no book that it could be pinned to.
    Location(LocationError),
    /// There is a file of that name.
    Exists {
        /// Its name.
        path: PathBuf,
    },
    /// What is to be signed is not the plan of this request.
    Review(ReviewError),
    /// The file could not be written.
    Write(io::Error),
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveError::Location(error) => write!(f, "the plan could not be saved: {error}"),
            SaveError::Review(error) => write!(f, "the plan was not signed: {error}"),
            SaveError::Exists { path } => {
                write!(f, "the plan could not be saved: {} exists already", path.display())
            }
            SaveError::Write(error) => write!(f, "the plan could not be saved: {error}"),
        }
    }
}

impl SaveError {
    /// Returns of which class it is.
    pub fn class(&self) -> FailureClass {
        match self {
            SaveError::Location(error) => error.class(),
            SaveError::Review(ReviewError::Differs { .. } | ReviewError::WrongSignature) => FailureClass::Refused,
            SaveError::Review(ReviewError::Unreadable(_) | ReviewError::TooLarge | ReviewError::NoPlan)
            | SaveError::Exists { .. }
            | SaveError::Write(_) => FailureClass::Unusable,
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            SaveError::Location(error) => error.hint().into(),
            SaveError::Review(error) => error.hint(),
            SaveError::Exists { .. } | SaveError::Write(_) => {
                "choose a new name, of which there is no file yet, in a folder that exists".into()
            }
        }
    }
}

/// Writes a plan aside and gives it its name; an existing file stays.
pub(super) fn save_plan(plan: &Plan, pins: &Pins, key: Option<&OfficerKey>, path: &Path) -> Result<(), SaveError> {
    let mut plan = object(plan, pins);
    if let Some(key) = key {
        plan[SIGNATURES] = json!([signature_under(&plan, key)]);
    }
    write(&plan, path)
}

/// Signs a plan that was saved, with whatever pins, as a new file; an existing file stays.
pub(super) fn sign_saved(plan: &Plan, saved: &Path, key: &OfficerKey, to: &Path) -> Result<Pins, SaveError> {
    let (mut saved, mut signatures) = read(saved).map_err(SaveError::Review)?;
    let pins = Pins::of_saved(&saved).ok_or(SaveError::Review(ReviewError::NoPlan))?;
    same(plan, &pins, &saved).map_err(SaveError::Review)?;
    signed_by(&saved, &signatures).map_err(SaveError::Review)?;
    signatures.push(signature_under(&saved, key));
    saved[SIGNATURES] = Value::Array(signatures);
    write(&saved, to)?;
    Ok(pins)
}

/// The options of an address, but for who asks and with which password.
fn options_of(address: &str) -> String {
    let options = address.split_once('?').map_or("", |(_, options)| options).split('&');
    let is_own = |option: &&str| ["user=", "password="].iter().any(|own| option.to_ascii_lowercase().starts_with(own));
    let options: Vec<&str> = options.filter(|option| !option.is_empty() && !is_own(option)).collect();
    if options.is_empty() { String::new() } else { format!("?{}", options.join("&")) }
}

/// The field of a saved plan with the signatures under all others.
const SIGNATURES: &str = "signatures";
/// What a signature under a plan begins with, so that it is none under anything else.
const SIGNED: &str = "incrowd plan 2";

fn signed_text(plan: &Value) -> String {
    format!("{SIGNED}\n{}", sorted_text(plan))
}

fn signature_under(plan: &Value, key: &OfficerKey) -> Value {
    let signature = key.signature_under(&signed_text(plan));
    let digits: String = signature.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({ "key": key.public().digits(), "signature": digits })
}

/// Returns who has signed a plan; a signature that is none is refused, whoever it is said to be of.
fn signed_by(plan: &Value, signatures: &[Value]) -> Result<Vec<PublicKey>, ReviewError> {
    let text = signed_text(plan);
    let key_of = |signed: &Value| {
        let key = PublicKey::of_digits(signed["key"].as_str()?)?;
        let signature = bytes_of(signed["signature"].as_str()?)?;
        key.has_signed(&text, &signature).then_some(key)
    };
    signatures.iter().map(|signed| key_of(signed).ok_or(ReviewError::WrongSignature)).collect()
}

fn bytes_of(digits: &str) -> Option<[u8; 64]> {
    let mut bytes = [0; 64];
    if digits.len() != 128 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

fn write(plan: &Value, path: &Path) -> Result<(), SaveError> {
    let text = format!("{plan:#}\n");
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(SaveError::Write)?;
    file.write_all(text.as_bytes()).map_err(SaveError::Write)?;
    file.as_file().sync_all().map_err(SaveError::Write)?;
    file.persist_noclobber(path).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => SaveError::Exists { path: path.to_path_buf() },
        _ => SaveError::Write(error.error),
    })?;
    Ok(())
}

/// Why a plan is not the one that was reviewed.
#[derive(Debug)]
pub enum ReviewError {
    /// The saved plan could not be read.
    Unreadable(io::Error),
    /// It has more bytes than a plan.
    TooLarge,
    /// It is something else.
    NoPlan,
    /// A signature under it is none: it was changed, or not signed by that key.
    WrongSignature,
    /// What would be released is something else than what was reviewed.
    Differs {
        /// The fields that changed.
        fields: Vec<&'static str>,
        /// After which period this run of a series goes on, if it is one.
        goes_on_after: Option<String>,
    },
}

impl fmt::Display for ReviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReviewError::Unreadable(error) => write!(f, "the saved plan cannot be read: {error}"),
            ReviewError::TooLarge => f.write_str("the saved plan is too large"),
            ReviewError::NoPlan => f.write_str("this is not a saved plan"),
            ReviewError::WrongSignature => f.write_str("a signature under the saved plan is not one under this plan"),
            ReviewError::Differs { fields, .. } => {
                let changed = if fields.is_empty() { "its fields".to_string() } else { fields.join(", ") };
                write!(f, "this is not the plan that was reviewed: {changed} changed")
            }
        }
    }
}

impl ReviewError {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            ReviewError::Unreadable(_) | ReviewError::TooLarge | ReviewError::NoPlan => {
                "save a plan with `incrowd plan REQUEST --save FILE`".into()
            }
            ReviewError::WrongSignature => "it was changed after it was signed: have it signed again".into(),
            ReviewError::Differs { goes_on_after: Some(after), .. } => format!(
                "this run of the series goes on after {after}: write after = {after} into [series], and review that"
            ),
            ReviewError::Differs { goes_on_after: None, .. } => {
                "review the request again, and save its plan under a new name".into()
            }
        }
    }
}

/// Refuses unless the plan is the one that was saved; returns who signed that.
pub(super) fn must_match(plan: &Plan, pins: &Pins, path: &Path) -> Result<Vec<PublicKey>, ReviewError> {
    let (saved, signatures) = read(path)?;
    same(plan, pins, &saved)?;
    signed_by(&saved, &signatures)
}

/// Returns a saved plan, and the signatures under it.
fn read(path: &Path) -> Result<(Value, Vec<Value>), ReviewError> {
    if std::fs::metadata(path).map_err(ReviewError::Unreadable)?.len() > MOST_BYTES {
        return Err(ReviewError::TooLarge);
    }
    let text = std::fs::read_to_string(path).map_err(ReviewError::Unreadable)?;
    let mut saved: Value = serde_json::from_str(&text).map_err(|_| ReviewError::NoPlan)?;
    let signatures = saved.as_object_mut().and_then(|fields| fields.remove(SIGNATURES));
    match signatures {
        None => Ok((saved, Vec::new())),
        Some(Value::Array(signatures)) if signatures.len() <= MOST_SIGNATURES => Ok((saved, signatures)),
        Some(_) => Err(ReviewError::NoPlan),
    }
}

fn same(plan: &Plan, pins: &Pins, saved: &Value) -> Result<(), ReviewError> {
    let present = object(plan, pins);
    if *saved == present {
        return Ok(());
    }
    let fields = [
        "version",
        "software",
        "request_hash",
        "request",
        "presentation",
        "source",
        "ledger",
        "output",
        "mechanism",
        "cost",
        "exact",
    ];
    let goes_on_after =
        plan.request().kind.series().and_then(|series| series.span.ends().1).map(|after| after.to_string());
    Err(ReviewError::Differs {
        fields: fields.into_iter().filter(|field| saved[*field] != present[*field]).collect(),
        goes_on_after,
    })
}

/// The identity of `[output]`, but for the folder, which is pinned as it leads: which tables are written, and with
/// which words beside them. It is compared by the version that wrote it alone.
fn presentation(output: &OutputRequest) -> String {
    let output = OutputRequest { folder: None, ..output.clone() };
    sha256(format!("{output:?}").as_bytes())
}

fn object(plan: &Plan, pins: &Pins) -> Value {
    let cost = plan.cost();
    let request: Value = serde_json::from_str(&plan.request().canonical_json()).unwrap_or(Value::Null);
    json!({
        "version": 2,
        "software": concat!("incrowd ", env!("CARGO_PKG_VERSION")),
        "request_hash": plan.request().request_hash(),
        "request": request,
        "presentation": presentation(&plan.request().output),
        "source": pins.source,
        "ledger": pins.ledger,
        "output": pins.output,
        "mechanism": plan.mechanism_json(),
        "cost": { "epsilon": cost.epsilon.to_string(), "delta": rational_text(&cost.delta) },
        "exact": {
            "worst_count": plan.worst().count,
            "epsilon": plan.worst().epsilon.to_string(),
            "delta": rational_text(&plan.worst().delta.upper_bound()),
        },
    })
}
