//! `incrowd ledger verify`: whether the book is what was written.
//!
//! It must never call a book whole that misses a delivered charge that it was shown. It is separate because it alone
//! compares the book with what lies outside it. Read `incrowd_ledger::Ledger::verify` for what is checked.

use crate::args::{LedgerVerify, PrintFormat};
use crate::failure::Failure;
use crate::session::environment;
use crate::terminal::{print_json, print_page};
use incrowd_ledger::{AccountName, CertificateHash, Claim, Ledger, LedgerError, PaidClaim, Remembered};
use incrowd_release::account_page::unsigned_words;
use incrowd_release::claim::claim;
use incrowd_release::folder::Contents;
use incrowd_release::request::printable;
use incrowd_report::{Facts, Page};
use serde_json::json;
use std::path::Path;

/// A folder that is held against the book.
struct Against {
    name: String,
    contents: Contents,
    claim: Claim,
    /// The certificate that was paid for: its own, or of the folder that it was made from.
    paid: CertificateHash,
}

impl Against {
    /// Whether it was made from another folder, for nothing.
    fn is_derived(&self) -> bool {
        self.paid != self.contents.certificate_hash()
    }
}

/// What the book says about the folders.
#[derive(Default)]
struct Judged {
    /// How many were delivered with their very certificate.
    delivered: usize,
    /// How many the book knows as delivered, by an entry that does not say with which certificate.
    unchecked: usize,
    /// How many are copies of another one that was named, too.
    copies: usize,
    /// How many were made from one that was delivered with its very certificate.
    derived: usize,
}

/// Runs the command.
pub fn run(command: &LedgerVerify, format: PrintFormat) -> Result<(), Failure> {
    let environment = environment(command.ledger.as_deref());
    let location = environment.ledger()?;
    let folders: Vec<Against> = command.against.iter().map(|folder| against(folder)).collect::<Result<_, _>>()?;
    let mut remembered = Vec::new();
    for head in &command.head {
        remembered.push((format!("the hash {}", printable(head)), noted(head)?));
    }
    for folder in &folders {
        let entry = Remembered { seq: Some(folder.claim.seq), hash: folder.claim.hash.clone() };
        remembered.push((format!("the certificate in {}", folder.name), entry));
    }
    let book = environment.open_existing(&location).map_err(|error| match &error {
        LedgerError::Damaged { .. } => Failure::Differs { message: error.to_string(), hint: error.hint() },
        // Whatever else went wrong, nothing was verified.
        _ => Failure::Ledger(error),
    })?;
    let places: Vec<Remembered> = remembered.iter().map(|(_, place)| place.clone()).collect();
    let verified = book.verify(&places).map_err(|error| match &error {
        LedgerError::NotInChain { hash, .. } => {
            let whose = remembered.iter().find(|(_, place)| place.hash == *hash).map(|(name, _)| name.as_str());
            Failure::Differs {
                message: format!("{}: {error}", whose.unwrap_or("what is remembered")),
                hint: error.hint(),
            }
        }
        LedgerError::Damaged { .. } => Failure::Differs { message: error.to_string(), hint: error.hint() },
        // Whatever else went wrong, nothing was verified.
        _ => Failure::Ledger(error),
    })?;
    let judged = judge(&folders, &book)?;
    if format == PrintFormat::Json {
        return print_json(&json!({
            "verified": true,
            "entries": verified.entries,
            "accounts": verified.accounts,
            "head": verified.head,
            "compared_with": remembered.len(),
            "newest_remembered": verified.newest_remembered,
            "undefined": verified.undefined,
            "loosened_without_signature": verified.unsigned.iter().map(|(seq, _)| seq).collect::<Vec<_>>(),
            "dated_backwards": verified.backwards,
            "set_aside": verified.set_aside,
            "overdrawn": verified.overdrawn.iter().map(AccountName::as_str).collect::<Vec<_>>(),
            "before_their_periods": verified.early.iter().map(|(seq, _)| seq).collect::<Vec<_>>(),
            "look_alikes": verified.look_alikes,
            "without_key": verified.unguarded.iter().map(AccountName::as_str).collect::<Vec<_>>(),
            "folders": {
                "delivered": judged.delivered,
                "unchecked": judged.unchecked,
                "copies": judged.copies,
                "derived": judged.derived,
            },
        }));
    }
    let mut facts = Facts::default();
    facts.add("ledger", location.to_string());
    facts.add(
        "verified",
        format!(
            "{}, {}, each link of the chain",
            many(verified.entries, "entry", "entries"),
            many(verified.accounts as u64, "account", "accounts")
        ),
    );
    facts.add("head", verified.head);
    if !remembered.is_empty() {
        facts.add(
            "compared",
            format!("{} in the chain", many(remembered.len() as u64, "remembered place is", "remembered places are")),
        );
    }
    if judged.delivered > 0 {
        let delivered = many(judged.delivered as u64, "folder is", "folders are");
        facts.add("delivered", format!("{delivered} what was paid for, delivered and certified"));
    }
    if judged.unchecked > 0 {
        let unchecked = many(judged.unchecked as u64, "folder's entry is", "folders' entries are");
        let note = format!(
            "{unchecked} older than that: paid for and delivered, but the book does not say with which certificate"
        );
        facts.add("unchecked", note);
    }
    if judged.copies > 0 {
        let copies = many(judged.copies as u64, "folder is a copy", "folders are copies");
        facts.add("copies", format!("{copies} of another one, byte for byte"));
    }
    if judged.derived > 0 {
        let derived = many(judged.derived as u64, "folder names", "folders name");
        facts.add(
            "derived",
            format!("{derived} a certificate that was paid for and delivered as what it was made from, for nothing"),
        );
        facts.add(
            "on trust",
            "that the numbers of such folders are those of the ones that they name: incrowd verify FOLDER --parent THAT compares them",
        );
    }
    if verified.undefined > 0 {
        let undefined = format!(
            "{} not say what was counted (written by the first version, or removed); such bins count as different from all others",
            many(verified.undefined, "charge does", "charges do")
        );
        facts.add("without bins", undefined);
    }
    let newest = match verified.newest_remembered {
        Some(seq) if seq == verified.entries => None,
        Some(seq) => Some(format!("that nothing was cut off after entry {seq}, the newest that is remembered")),
        None => Some("that nothing was cut off its end: keep the head elsewhere and give it back with --head, or name delivered folders with --against".to_string()),
    };
    if let Some(newest) = newest {
        facts.add("on trust", newest);
    }
    for (seq, account) in &verified.unsigned {
        facts.add("unsigned", format!("account {}: {}", printable(account.as_str()), unsigned_words(*seq)));
    }
    if !verified.set_aside.is_empty() {
        let entries: Vec<String> = verified.set_aside.iter().map(u64::to_string).collect();
        let words =
            "the owner of the book set rows aside that could not be read, and what could be was paid again: entries";
        facts.add("mind", format!("{words} {}", entries.join(", ")));
        facts.add("on trust", "that nobody was charged by a row that was set aside but as incrowd ledger history says");
    }
    if !verified.backwards.is_empty() {
        let words = "dated before an entry ahead of them, so a clock ran backwards: entries";
        facts.add("mind", format!("{words} {}", some(verified.backwards.iter().map(u64::to_string))));
    }
    if !verified.overdrawn.is_empty() {
        let words = "promised more than their terms allow now, so those became stricter since, or somebody wrote charges with \
                     another program: accounts";
        let names = verified.overdrawn.iter().map(|name| printable(name.as_str()));
        facts.add("mind", format!("{words} {}", some(names)));
    }
    if !verified.early.is_empty() {
        let words = "of periods that had not begun, or are none, so a clock ran ahead, or somebody wrote charges with another \
                     program: entries";
        facts.add("mind", format!("{words} {}", some(verified.early.iter().map(|(seq, _)| seq.to_string()))));
    }
    if !verified.look_alikes.is_empty() {
        let pairs = verified.look_alikes.iter();
        let pairs = pairs.map(|(one, other)| format!("{} and {}", telling(one), telling(other)));
        facts.add("mind", format!("accounts whose names look alike, each with a budget of its own: {}", some(pairs)));
    }
    if !verified.unguarded.is_empty() {
        let names: Vec<String> = verified.unguarded.iter().map(|name| printable(name.as_str())).collect();
        let words = "the terms of accounts that no key signs, which whoever can write the ledger could have written";
        facts.add("on trust", format!("{words}: {}", names.join(", ")));
    }
    facts.add("on trust", "that nobody rewrote the whole book and everything that remembers it");
    let mut page = Page::titled("This book is whole");
    page.add("", vec![facts.block()]);
    print_page(&page, "")
}

fn many(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// The first ten of a list, as words.
fn some(all: impl Iterator<Item = String>) -> String {
    let mut shown: Vec<String> = all.take(11).collect();
    if shown.len() > 10 {
        shown.truncate(10);
        shown.push("...".into());
    }
    shown.join(", ")
}

/// A name in quotes in which every sign beyond ASCII is a number: names that look alike are told apart.
fn telling(name: &str) -> String {
    let sign = |sign: char| match sign {
        ' '..='~' => sign.to_string(),
        other => format!("<U+{:04X}>", u32::from(other)),
    };
    format!("\"{}\"", name.chars().map(sign).collect::<String>())
}

fn against(folder: &Path) -> Result<Against, Failure> {
    let name = folder.display().to_string();
    let wrong = |what: &str| Failure::usage(format!("{name} {what}"), "name folders that incrowd release delivered");
    let contents = Contents::of(folder).ok_or_else(|| wrong("is not a delivered folder, or holds something else"))?;
    let claim =
        claim(contents.certificate()).ok_or_else(|| wrong("has a certificate that names no entry of a ledger"))?;
    if let Some(table) = contents.wrong_table(folder) {
        let message = format!("{name}: {} is not the table that its certificate lists", printable(table));
        return Err(Failure::Differs { message, hint: NOT_IT.into() });
    }
    let paid = paid_certificate(&contents).ok_or_else(|| wrong("does not say which folder it was made from"))?;
    Ok(Against { name, contents, claim, paid })
}

/// The certificate that was paid for: the first of those that a folder was made from, or its own.
fn paid_certificate(contents: &Contents) -> Option<CertificateHash> {
    match contents.certificate().get("derived_from").filter(|from| !from.is_null()) {
        None => Some(contents.certificate_hash()),
        Some(from) => CertificateHash::read(from.get("certificates")?.get(0)?.as_str()?),
    }
}

/// What to do with a folder that the book does not know as it is.
const NOT_IT: &str = "do not rely on this folder; ask for the one that was delivered, and see incrowd ledger history";

/// Holds folders against the book, and against each other.
fn judge(folders: &[Against], book: &Ledger) -> Result<Judged, Failure> {
    let differs = |folder: &Against, what: String| Failure::Differs {
        message: format!("{}: {what}", folder.name),
        hint: NOT_IT.into(),
    };
    let mut judged = Judged::default();
    for (number, folder) in folders.iter().enumerate() {
        let hash = folder.contents.certificate_hash();
        // A copy is the same release, and so is what was made from it; two certificates that were paid for with one
        // charge are two releases for the price of one.
        let of_the_charge = || folders.iter().take(number).filter(|earlier| earlier.claim.hash == folder.claim.hash);
        if let Some(other) = of_the_charge().find(|earlier| earlier.paid != folder.paid) {
            let what = format!("it names the same charge as {}, and is another release", other.name);
            return Err(differs(folder, what));
        }
        judged.copies += usize::from(of_the_charge().any(|earlier| earlier.contents.certificate_hash() == hash));
    }
    let claims: Vec<Claim> = folders.iter().map(|folder| folder.claim.clone()).collect();
    for (folder, paid) in folders.iter().zip(book.claims(&claims)?) {
        match paid {
            Err(mismatch) => return Err(differs(folder, mismatch.to_string())),
            Ok(PaidClaim::Pending(_)) => {
                return Err(differs(folder, "the book does not say that its charge was delivered".into()));
            }
            Ok(PaidClaim::Failed) => {
                return Err(differs(folder, "the book says that nothing came of its charge".into()));
            }
            Ok(PaidClaim::Delivered(None)) => judged.unchecked += 1,
            Ok(PaidClaim::Delivered(Some(known))) if known == folder.paid => match folder.is_derived() {
                true => judged.derived += 1,
                false => judged.delivered += 1,
            },
            Ok(PaidClaim::Delivered(Some(_))) => {
                return Err(differs(folder, "its charge was delivered with another certificate".into()));
            }
        }
    }
    Ok(judged)
}

fn noted(head: &str) -> Result<Remembered, Failure> {
    let head = head.trim().to_ascii_lowercase();
    if head.len() == 64 && head.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(Remembered { seq: None, hash: head });
    }
    Err(Failure::usage("--head takes a hash of 64 hexadecimal digits", "as incrowd ledger verify prints it"))
}
