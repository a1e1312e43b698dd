//! Accounts and entries of a book for machines: every field with its name.
//!
//! It must never leave out a field that was there in an earlier version. It is separate from the page because machines
//! and people are told different things. Read `account_page.rs` for people.

use crate::account_page::overdrawn_words;
use crate::account_summary::AccountSummary;
use incrowd_exact::{Rational, rational_text};
use incrowd_ledger::{Account, CertificateHash, Entry, Event, Guard, Left, People, Provenance, Terms, TermsSignature};
use serde_json::{Value, json};

/// Returns an account as an object.
pub fn account_json(account: &Account) -> Value {
    let spent = account.spent();
    let (number, all) = (|value: &Rational| rational_text(value), AccountSummary::of(account));
    // With one set of people, what is left is left of the account; with periods, of each.
    let left = match account.terms.people {
        People::Overlapping => account.left(""),
        People::DisjointPerPeriod(_) => Left { epsilon: None, delta: None },
    };
    json!({
        "name": account.name.as_str(),
        "created": account.created.to_string(),
        "charges": account.charges(),
        "spent": { "epsilon": spent.epsilon.to_string(), "delta": number(&spent.delta) },
        "left": { "epsilon": left.epsilon.as_ref().map(number), "delta": left.delta.as_ref().map(number) },
        "in_all": all.iter().map(AccountSummary::json).collect::<Vec<_>>(),
        "terms": terms_json(&account.terms),
        "loosened_without_signature": account.unsigned(),
        "refused": account.refused,
        "overdrawn": all.iter().any(|part| overdrawn_words(&account.terms, &part.standing).is_some()),
    })
}

/// Returns the terms of an account as an object.
pub fn terms_json(terms: &Terms) -> Value {
    json!({
        "epsilon": terms.epsilon.as_ref().map(rational_text),
        "delta": terms.delta.as_ref().map(rational_text),
        "allow": terms.allow,
        "min_group": terms.min_group,
        "max_epsilon_per_release": terms.max_epsilon_per_release.as_ref().map(rational_text),
        "people": match terms.people {
            People::Overlapping => "overlapping",
            People::DisjointPerPeriod(_) => "disjoint-per-period",
        },
        "refresh": match terms.people {
            People::Overlapping => None,
            People::DisjointPerPeriod(period) => Some(period.as_str()),
        },
        "splits": terms.splits,
        "raised_with": match &terms.guard {
            Some(Guard::Secret(identity)) => Some(identity),
            Some(Guard::Signature(_)) | None => None,
        },
        "signed_by": match &terms.guard {
            Some(Guard::Signature(key)) => Some(key.digits()),
            Some(Guard::Secret(_)) | None => None,
        },
    })
}

fn provenance_json(provenance: &Provenance) -> Value {
    let Provenance { by, folder, host, nonce, note, table, user } = provenance;
    json!({
        "by": by,
        "folder": folder,
        "host": host,
        "nonce": nonce,
        "note": note,
        "table": table,
        "user": user,
    })
}

/// Returns an entry as an object.
pub fn entry_json(entry: &Entry) -> Value {
    let event = match &entry.event {
        Event::Opened(terms) => json!({ "kind": "open", "terms": terms_json(terms) }),
        Event::TermsChanged { terms, signature } => json!({
            "kind": "policy",
            "terms": terms_json(terms),
            "signature": signature.as_ref().map(TermsSignature::digits),
        }),
        Event::Ended { outcome, certificate, .. } => json!({
            "kind": "outcome",
            "outcome": outcome.as_str(),
            "certificate_hash": certificate.as_ref().map(CertificateHash::as_str),
        }),
        Event::SetAside(aside) => json!({
            "kind": "aside",
            "rows": aside.rows,
            "fault": aside.fault,
            "digest": aside.digest,
        }),
        Event::Refused(refused) => json!({
            "kind": "refused",
            "reason": refused.reason,
            "snapshot": refused.snapshot,
            "plan_hash": refused.plan_hash,
            "epsilon": refused.epsilon.to_string(),
            "delta": rational_text(&refused.delta),
        }),
        Event::Charged(charged) => json!({
            "kind": "charge",
            "snapshot": charged.snapshot,
            "plan_hash": charged.plan_hash,
            "binning_hash": charged.binning_hash,
            "promise": charged.promise,
            "epsilon": charged.epsilon.to_string(),
            "delta": rational_text(&charged.delta),
        }),
    };
    json!({
        "seq": entry.seq,
        "account": entry.account.as_str(),
        "time": entry.time.to_string(),
        "charge_id": entry.charge_id().map(|id| id.as_str().to_string()),
        "event": event,
        "provenance": entry.provenance.as_ref().map(provenance_json),
        "previous_hash": entry.previous_hash,
        "hash": entry.hash,
    })
}
