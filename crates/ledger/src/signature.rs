//! Signatures over terms: who may loosen what an account may spend, also where everybody can write the book.
//!
//! Signed is what an officer reads: the terms before and after, and the two entries that no other book, account or time
//! has. A signature must never hold for anything but that one step. It is separate from `terms.rs`, which only says
//! what is looser, and from `officer_key.rs`, whose keys sign other things, too. Read `book.rs` for who checks.

use crate::account_name::AccountName;
use crate::key::RaiseKey;
use crate::officer_key::{OfficerKey, PublicKey, bytes, hexadecimal};
use crate::terms::Terms;
use incrowd_exact::{Rational, rational_text};
use serde_json::{Map, Value, json};

/// A signature under one change of terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermsSignature([u8; 64]);

impl TermsSignature {
    /// Returns the signature of a key under one change of terms.
    pub fn by(key: &OfficerKey, request: &TermsRequest) -> TermsSignature {
        TermsSignature(key.signature_under(&request.signed_text()))
    }

    /// The signature as the book writes it: 128 hexadecimal digits.
    pub fn digits(&self) -> String {
        hexadecimal(&self.0)
    }

    /// Returns the signature that is written so.
    pub fn read(digits: &str) -> Option<TermsSignature> {
        bytes(digits).map(TermsSignature)
    }
}

/// What somebody shows who changes terms.
#[derive(Debug, Clone, Copy)]
pub enum Authority<'a> {
    /// Nothing: enough for stricter terms, and for accounts without a key.
    Nobody,
    /// The secret of an account of version 0.1.
    Secret(&'a RaiseKey),
    /// A signature under this change.
    Signature(&'a TermsSignature),
}

/// One change of terms, as it is signed: it can be printed, carried to another machine and read there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermsRequest {
    /// Whose terms.
    pub account: AccountName,
    /// The hash of the entry that opened the account: no other book has it.
    pub opened: String,
    /// The hash of the entry with the terms that hold now: nothing that was signed before follows it.
    pub after: String,
    /// The terms that hold now.
    pub before: Terms,
    /// The terms that shall hold.
    pub terms: Terms,
}

impl TermsRequest {
    /// Returns whether this is the signature of the key under this change, and no other.
    pub fn is_signed(&self, key: &PublicKey, signature: &TermsSignature) -> bool {
        key.has_signed(&self.signed_text(), &signature.0)
    }

    /// What is signed, one line for each part: no name and no policy holds the end of a line.
    fn signed_text(&self) -> String {
        let [before, terms] = [lines("from", &self.before), lines("to", &self.terms)];
        let TermsRequest { account, opened, after, .. } = self;
        format!("incrowd account terms, version 1\naccount {account}\nopened {opened}\nafter {after}\n{before}{terms}")
    }

    /// Returns the request as an object, for a file.
    pub fn json(&self) -> Value {
        json!({
            "account": self.account.as_str(),
            "opened": self.opened,
            "after": self.after,
            "from": terms_object(&self.before),
            "to": terms_object(&self.terms),
        })
    }

    /// Returns the request of an object; nothing where a part is missing, or not written as [`json`](Self::json) does.
    pub fn of_json(value: &Value) -> Option<TermsRequest> {
        let text = |name: &str| value.get(name)?.as_str().map(str::to_string);
        let hash = |name: &str| text(name).filter(|hash| bytes::<32>(hash).is_some());
        Some(TermsRequest {
            account: AccountName::new(&text("account")?).ok()?,
            opened: hash("opened")?,
            after: hash("after")?,
            before: terms_of(value.get("from")?)?,
            terms: terms_of(value.get("to")?)?,
        })
    }
}

fn lines(side: &str, terms: &Terms) -> String {
    let number = |value: &Option<Rational>| value.as_ref().map_or_else(|| "none".to_string(), rational_text);
    let (epsilon, delta) = (number(&terms.epsilon), number(&terms.delta));
    format!("{side} epsilon {epsilon}\n{side} delta {delta}\n{side} policy {}\n", terms.policy_text())
}

fn terms_object(terms: &Terms) -> Value {
    let number = |value: &Option<Rational>| value.as_ref().map(rational_text);
    json!({ "epsilon": number(&terms.epsilon), "delta": number(&terms.delta), "policy": terms.policy_text() })
}

fn terms_of(value: &Value) -> Option<Terms> {
    let object: &Map<String, Value> = value.as_object()?;
    let number = |name: &str| match object.get(name)? {
        Value::Null => Some(None),
        Value::String(text) => Some(Some(text.as_str())),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    };
    Terms::read(number("epsilon")?, number("delta")?, object.get("policy")?.as_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> OfficerKey {
        OfficerKey::of_random([byte; 32]).expect("a key")
    }

    fn request() -> TermsRequest {
        TermsRequest {
            account: AccountName::new("people").expect("a name"),
            opened: "ab".repeat(32),
            after: "cd".repeat(32),
            before: Terms::unlimited(),
            terms: Terms { min_group: Some(20), ..Terms::unlimited() },
        }
    }

    #[test]
    fn a_signature_holds_for_one_step_alone() {
        let (request, signature) = (request(), TermsSignature::by(&key(1), &request()));
        assert!(request.is_signed(&key(1).public(), &signature));
        assert!(!request.is_signed(&key(2).public(), &signature));
        let other = |change: fn(&mut TermsRequest)| {
            let mut other = request.clone();
            change(&mut other);
            other
        };
        for (what, other) in [
            ("account", other(|one| one.account = AccountName::new("peoples").expect("a name"))),
            ("book", other(|one| one.opened = "ba".repeat(32))),
            ("time", other(|one| one.after = "dc".repeat(32))),
            ("exchanged", other(|one| std::mem::swap(&mut one.opened, &mut one.after))),
            ("before", other(|one| one.before.min_group = Some(30))),
            ("terms", other(|one| one.terms.min_group = Some(19))),
            ("both", other(|one| std::mem::swap(&mut one.before, &mut one.terms))),
        ] {
            assert!(!other.is_signed(&key(1).public(), &signature), "{what}");
        }
        for place in 0..64 {
            let mut bent = signature;
            bent.0[place] ^= 1;
            assert!(!request.is_signed(&key(1).public(), &bent), "byte {place}");
        }
    }

    #[test]
    fn what_is_signed_is_the_text_of_this_page() {
        let expected = "incrowd account terms, version 1\naccount people\nopened ".to_string()
            + &"ab".repeat(32)
            + "\nafter "
            + &"cd".repeat(32)
            + "\nfrom epsilon none\nfrom delta none\nfrom policy \nto epsilon none\nto delta none\nto policy min-group=20\n";
        assert_eq!(request().signed_text(), expected);
    }

    #[test]
    fn requests_are_read_back_as_they_were_written() {
        let object = request().json();
        assert_eq!(TermsRequest::of_json(&object), Some(request()));
        for part in ["account", "opened", "after", "from", "to"] {
            let mut without = object.clone();
            without.as_object_mut().expect("an object").remove(part);
            assert_eq!(TermsRequest::of_json(&without), None, "{part}");
        }
        let mut other = object;
        other["to"]["policy"] = "min-group=020".into();
        assert_eq!(TermsRequest::of_json(&other), None, "a second spelling");
    }
}
