//! `incrowd ledger sign`: shows in words what a change of terms is, and signs it.
//!
//! What is shown is made of what is signed, never of words that came along; no book is opened, so that it works on a
//! machine that has none. It is separate because whoever signs needs nothing else. Read `terms.rs` for who prints
//! requests and takes signatures.

use super::key::{self, KeyFile};
use crate::args::{LedgerSign, PrintFormat};
use crate::chart::write_new;
use crate::failure::Failure;
use crate::terminal::{print_json, print_page};
use incrowd_ledger::{Guard, TermsRequest, TermsSignature};
use incrowd_release::account_json::terms_json;
use incrowd_release::account_page::terms_words;
use incrowd_release::request::printable;
use incrowd_report::{Facts, Page};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Says what the file is.
const REQUEST: &str = "incrowd request for terms, version 1";

/// Runs the command.
pub fn run(command: &LedgerSign, format: PrintFormat) -> Result<(), Failure> {
    let TermsFile { request, note, .. } = read(&command.request)?;
    let signed = command.key.as_deref().map(|file| signed(&request, file)).transpose()?;
    let output = command.output.clone().unwrap_or_else(|| signature_file(&command.request));
    if let Some((_, signature)) = &signed {
        write_new(&output, text(&request, Some(signature), note.as_deref()))?;
    }
    let written = signed.is_some().then(|| output.display().to_string());
    if format == PrintFormat::Json {
        return print_json(&json!({
            "account": request.account.as_str(),
            "from": terms_json(&request.before),
            "to": terms_json(&request.terms),
            "loosens": request.terms.is_looser_than(&request.before),
            "public_key": signed.as_ref().map(|(key, _)| key),
            "signature": signed.as_ref().map(|(_, signature)| signature.digits()),
            "written": written,
        }));
    }
    let title = if signed.is_some() { "Signed" } else { "Nothing is signed yet" };
    let next = match &written {
        Some(file) => format!(
            "Next, beside the ledger: incrowd ledger policy {} --signature {file}",
            printable(request.account.as_str())
        ),
        None => format!("If this is what you mean: incrowd ledger sign {} --key FILE", command.request.display()),
    };
    print_page(&page(title, &request, signed.as_ref().map(|(key, _)| key.as_str()), note.as_deref()), &next)
}

/// Returns the page that says what is signed.
pub fn page(title: &str, request: &TermsRequest, key: Option<&str>, note: Option<&str>) -> Page {
    let mut facts = Facts::default();
    facts.add("account", printable(request.account.as_str()));
    facts.add("now", terms_words(&request.before));
    facts.add("then", terms_words(&request.terms));
    let looser = request.terms.is_looser_than(&request.before);
    let words = if looser { "looser than now: it needs the signature" } else { "nothing becomes looser" };
    facts.add("that is", words.to_string());
    facts.add("holds for", format!("the account that entry {} opened, no other", short(&request.opened)));
    facts.add("until", format!("its terms change: now they are those of entry {}", short(&request.after)));
    let note =
        note.map(|note| format!("{} (whoever prints it says so; the signature does not cover it)", printable(note)));
    facts.add_all("note", note);
    facts.add_all("signed by", key.map(|key| format!("ed25519 {key}")));
    let mut page = Page::titled(title);
    page.add("", vec![facts.block()]);
    page
}

fn short(hash: &str) -> String {
    hash.chars().take(12).collect()
}

fn signed(request: &TermsRequest, file: &Path) -> Result<(String, TermsSignature), Failure> {
    match key::read(file)? {
        KeyFile::Private(key) => match &request.before.guard {
            Some(Guard::Signature(asked)) if *asked != key.public() => Err(Failure::usage(
                format!("{} is another key than the account's, {}", file.display(), asked.short()),
                "only a signature by the key that the account has now loosens its terms",
            )),
            Some(Guard::Signature(_) | Guard::Secret(_)) | None => {
                Ok((key.public().digits(), TermsSignature::by(&key, request)))
            }
        },
        KeyFile::Public(_) | KeyFile::Secret(_) => Err(Failure::usage(
            format!("{} is not a private key", file.display()),
            "name the file ending in .key that incrowd ledger key new made",
        )),
    }
}

/// What a file says: a request, its signature if it has one, and why it was asked for, which nobody signs.
pub struct TermsFile {
    pub request: TermsRequest,
    pub signature: Option<TermsSignature>,
    pub note: Option<String>,
}

/// Returns the file of a request, with its signature and a note if there are any.
pub fn text(request: &TermsRequest, signature: Option<&TermsSignature>, note: Option<&str>) -> String {
    let mut object = request.json();
    object["incrowd"] = REQUEST.into();
    object["in_words"] = format!("{}; then {}", terms_words(&request.before), terms_words(&request.terms)).into();
    if let Some(note) = note {
        object["note"] = note.into();
    }
    if let Some(signature) = signature {
        object["signature"] = signature.digits().into();
    }
    format!("{object:#}\n")
}

/// Reads a request, with what came along.
pub fn read(path: &Path) -> Result<TermsFile, Failure> {
    let shown = path.display();
    let hint = "name a file that incrowd ledger policy --print-request or incrowd ledger sign made";
    let wrong = || Failure::usage(format!("{shown} is not a request for terms"), hint);
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::usage(format!("there is no file {shown}"), hint),
        _ => wrong(),
    })?;
    let object: Value = serde_json::from_str(&text).map_err(|_| wrong())?;
    if object.get("incrowd").and_then(Value::as_str) != Some(REQUEST) {
        return Err(wrong());
    }
    let request = TermsRequest::of_json(&object).ok_or_else(wrong)?;
    let signature = match object.get("signature") {
        None => None,
        Some(digits) => Some(digits.as_str().and_then(TermsSignature::read).ok_or_else(wrong)?),
    };
    let note = object.get("note").and_then(Value::as_str).map(str::to_string);
    Ok(TermsFile { request, signature, note })
}

/// The file beside a request that gets its signature.
fn signature_file(request: &Path) -> PathBuf {
    request.with_extension("signed.json")
}
