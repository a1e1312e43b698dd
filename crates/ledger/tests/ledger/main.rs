//! The account book from outside: what it pays, what it refuses, what it survives.

mod attacks;
mod attempts;
mod budget;
mod chain;
mod children;
mod claims;
mod composition;
mod entries;
mod forger;
mod hostile;
mod names;
mod places;
mod races;
mod repeats;
mod server;
mod sums;
mod team;
mod terms;
mod versions;
mod written;

use incrowd_exact::Rational;
use incrowd_exact::testing::number;
use incrowd_ledger::{
    AccountName, CertificateHash, Charge, Guard, Ledger, LedgerError, Moment, OfficerKey, Terms, TermsSignature,
};
use incrowd_privacy::Epsilon;
use std::path::Path;

fn now() -> Moment {
    Moment::from_unix_seconds(1_767_225_600)
}

fn name(text: &str) -> AccountName {
    AccountName::new(text).expect("a name")
}

/// A release under differential privacy.
fn costing(account: &str, epsilon: &str) -> Charge {
    Charge {
        account: name(account),
        snapshot: "1".into(),
        plan_hash: "5eed".into(),
        binning: "b145".into(),
        promise: format!("differential-privacy, epsilon {epsilon}"),
        kind: "differential-privacy".into(),
        epsilon: Epsilon::Finite(number(epsilon)),
        delta: Rational::ZERO,
        smallest_group: None,
    }
}

/// A release that gives large groups no protection.
fn unbounded(account: &str) -> Charge {
    let kind = "crowd-blending".to_string();
    let promise = r#"{"crowd":20,"delta":null,"epsilon":"0","kind":"crowd-blending"}"#.to_string();
    Charge { kind, promise, epsilon: Epsilon::Infinite, smallest_group: Some(20), ..costing(account, "0") }
}

/// The certificate of what is delivered.
fn certificate() -> CertificateHash {
    CertificateHash::of(b"a certificate")
}

fn budget(epsilon: &str) -> Terms {
    Terms { epsilon: Some(number(epsilon)), ..Terms::unlimited() }
}

/// The key of an officer.
fn officer(number: u8) -> OfficerKey {
    OfficerKey::of_random([number; 32]).expect("a key")
}

/// Terms whose loosening that officer has to sign.
fn guarded(terms: Terms) -> Terms {
    Terms { guard: Some(Guard::Signature(officer(1).public())), ..terms }
}

/// The signature of an officer under a change of terms.
fn signed(ledger: &Ledger, account: &str, terms: &Terms, by: u8) -> TermsSignature {
    let account = ledger.account(&name(account)).expect("a book").expect("an account");
    TermsSignature::by(&officer(by), &account.request(terms))
}

/// Charges and records a delivery.
fn pay(ledger: &mut Ledger, charge: &Charge) -> Result<(), LedgerError> {
    let receipt = ledger.charge(charge, now())?;
    Ok(ledger.record_delivery(receipt.spend(), &certificate(), now())?)
}

fn spent(ledger: &Ledger, account: &str) -> Epsilon {
    ledger.account(&name(account)).expect("a book").expect("an account").spent().epsilon
}

/// Makes a ledger with one account of budget 2, of which 1 is spent; its officer has to sign looser terms.
fn half_spent(path: &Path) -> Ledger {
    let mut ledger = Ledger::open(path).expect("a ledger");
    ledger.open_account(&name("a"), &guarded(budget("2")), now()).expect("opened");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    ledger
}
