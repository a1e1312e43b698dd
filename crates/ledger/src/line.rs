//! An entry in text, as every store holds it.
//!
//! Every text that is read back is compared with its hash, and parsed where it is used: it must never accept a second
//! spelling, a missing field or a surplus one. It is separate from `entry.rs` because a line is a format and an entry
//! is a fact. Read `chain.rs` next, for the hash.

use crate::account_name::AccountName;
use crate::account_name::is_line;
use crate::chain;
use crate::charge::{MOST_IN_A_NAME, MOST_IN_A_PROMISE};
use crate::damage::Fault;
use crate::entry::{Charged, Entry, Event, RefusedAttempt, ReleaseOutcome, SetAsideRows};
use crate::number::{read_epsilon, read_rational};
use crate::provenance::Provenance;
use crate::signature::TermsSignature;
use crate::terms::{Terms, is_kind};
use incrowd_definition::{CertificateHash, ChargeId, Moment};
use incrowd_exact::{Rational, rational_text};

/// The columns of an entry after its number, in the order in which stores read and write them.
pub(crate) const COLUMNS: [&str; 17] = [
    "account",
    "snapshot",
    "kind",
    "charge_id",
    "plan_hash",
    "binning_hash",
    "promise",
    "epsilon",
    "delta",
    "policy",
    "outcome",
    "time",
    "previous_hash",
    "hash",
    "certificate_hash",
    "signature",
    "details",
];

/// The end of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub seq: u64,
    pub hash: String,
}

impl Head {
    /// The end of an empty chain.
    pub fn genesis() -> Head {
        Head { seq: 0, hash: chain::GENESIS.to_string() }
    }
}

/// One entry as a store shows it: its number and the texts of its columns.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub seq: u64,
    pub account: &'a str,
    pub kind: &'a str,
    pub charge_id: Option<&'a str>,
    pub snapshot: Option<&'a str>,
    pub plan_hash: Option<&'a str>,
    pub binning_hash: Option<&'a str>,
    pub promise: Option<&'a str>,
    pub epsilon: Option<&'a str>,
    pub delta: Option<&'a str>,
    pub policy: Option<&'a str>,
    pub outcome: Option<&'a str>,
    pub time: &'a str,
    pub previous_hash: &'a str,
    pub hash: &'a str,
    pub certificate_hash: Option<&'a str>,
    pub signature: Option<&'a str>,
    pub details: Option<&'a str>,
}

impl<'a> Line<'a> {
    /// Returns the line with these texts, in the order of [`COLUMNS`], or nothing if one is missing that every entry
    /// has.
    pub fn of(seq: u64, texts: [Option<&'a str>; 17]) -> Option<Line<'a>> {
        let [account, snapshot, kind, charge_id, plan_hash, binning_hash, promise, ..] = texts;
        let [.., epsilon, delta, policy, outcome, time, previous_hash, hash, _, _, _] = texts;
        let [.., certificate_hash, signature, details] = texts;
        Some(Line {
            seq,
            account: account?,
            kind: kind?,
            charge_id,
            snapshot,
            plan_hash,
            binning_hash,
            promise,
            epsilon,
            delta,
            policy,
            outcome,
            time: time?,
            previous_hash: previous_hash?,
            hash: hash?,
            certificate_hash,
            signature,
            details,
        })
    }

    /// The texts in the order of [`COLUMNS`].
    pub fn texts(&self) -> [Option<&'a str>; 17] {
        [
            Some(self.account),
            self.snapshot,
            Some(self.kind),
            self.charge_id,
            self.plan_hash,
            self.binning_hash,
            self.promise,
            self.epsilon,
            self.delta,
            self.policy,
            self.outcome,
            Some(self.time),
            Some(self.previous_hash),
            Some(self.hash),
            self.certificate_hash,
            self.signature,
            self.details,
        ]
    }

    /// Refuses a line that does not follow the head or is not what its hash says.
    pub fn check(&self, head: &Head, scratch: &mut Vec<u8>) -> Result<(), Fault> {
        if self.seq != head.seq + 1 {
            return Err(Fault::Missing);
        }
        if self.previous_hash != head.hash {
            return Err(Fault::Unlinked);
        }
        let own = || self.hash.get(..ChargeId::DIGITS);
        let named = match self.kind {
            "charge" => self.charge_id == own(),
            "outcome" => true,
            _ => self.charge_id.is_none(),
        };
        if named && chain::is_hash(self.present(&self.hashed(&self.seq.to_string())), self.hash, scratch) {
            Ok(())
        } else {
            Err(Fault::Changed)
        }
    }

    /// The fields of which the hash is made. Those that later versions added stand at the end, and are left out after
    /// the last that is there: an entry without them is hashed as the first versions hashed it.
    fn present<'b, 'c>(&self, fields: &'c [Option<&'b str>; 17]) -> &'c [Option<&'b str>] {
        let [first @ .., _certificate, _signature, _details] = fields;
        let added = fields.iter().skip(first.len());
        let last = added.rev().skip_while(|field| field.is_none()).count();
        fields.get(..first.len() + last).unwrap_or(fields)
    }

    /// The fields that are hashed, in the order of the chain.
    fn hashed<'b>(&self, seq: &'b str) -> [Option<&'b str>; 17]
    where
        'a: 'b,
    {
        // A charge's own name follows from its hash and is not hashed; the charge that an outcome is about is.
        let about = if self.kind == "outcome" { self.charge_id } else { None };
        [
            Some(self.previous_hash),
            Some(seq),
            Some(self.account),
            Some(self.time),
            Some(self.kind),
            about,
            self.snapshot,
            self.plan_hash,
            self.binning_hash,
            self.promise,
            self.epsilon,
            self.delta,
            self.policy,
            self.outcome,
            self.certificate_hash,
            self.signature,
            self.details,
        ]
    }

    /// Returns the entry, if it is written as the ledger writes.
    pub fn entry(&self) -> Result<Entry, Fault> {
        let account = AccountName::new(self.account).map_err(|_| Fault::Unreadable)?;
        let time = Moment::read(self.time).ok_or(Fault::Unreadable)?;
        let event = self.event().ok_or(Fault::Unreadable)?;
        let (previous_hash, hash) = (self.previous_hash.to_string(), self.hash.to_string());
        let provenance = match self.details {
            None => None,
            Some(text) => Some(Provenance::read(text).ok_or(Fault::Unreadable)?),
        };
        Ok(Entry { seq: self.seq, account, time, event, provenance, previous_hash, hash })
    }

    /// Returns the event that the ledger writes exactly so, or nothing.
    fn event(&self) -> Option<Event> {
        let terms = || Terms::read(self.epsilon, self.delta, self.policy?);
        let line = |text: Option<&str>, most| text.filter(|text| is_line(text, most)).map(str::to_string);
        let event = match self.kind {
            "open" => Event::Opened(terms()?),
            "policy" => {
                let signature = self.signature.map(|text| TermsSignature::read(text).ok_or(()));
                Event::TermsChanged { terms: terms()?, signature: signature.transpose().ok()? }
            }
            "outcome" => {
                let (outcome, certificate) = self.ending()?;
                Event::Ended { charge_id: ChargeId::read(self.charge_id?)?, outcome, certificate }
            }
            "charge" => Event::Charged(Charged {
                snapshot: line(self.snapshot, MOST_IN_A_NAME)?,
                plan_hash: line(self.plan_hash, MOST_IN_A_NAME)?,
                binning_hash: line(self.binning_hash, MOST_IN_A_NAME)?,
                promise: line(self.promise, MOST_IN_A_PROMISE)?,
                epsilon: read_epsilon(self.epsilon?)?,
                delta: read_rational(self.delta?).filter(|delta| delta < &Rational::ONE)?,
            }),
            "aside" => Event::SetAside(SetAsideRows {
                rows: whole(self.policy?.strip_prefix("rows=")?)?,
                fault: self.outcome.filter(|fault| is_kind(fault))?.to_string(),
                digest: self.plan_hash.and_then(CertificateHash::read)?.as_str().to_string(),
            }),
            "refused" => Event::Refused(RefusedAttempt {
                snapshot: line(self.snapshot, MOST_IN_A_NAME)?,
                plan_hash: line(self.plan_hash, MOST_IN_A_NAME)?,
                epsilon: read_epsilon(self.epsilon?)?,
                delta: read_rational(self.delta?).filter(|delta| delta < &Rational::ONE)?,
                reason: self.outcome.filter(|reason| is_kind(reason))?.to_string(),
            }),
            _ => return None,
        };
        // Every text was read in its only spelling; a field that this kind of entry does not have fails here.
        (!self.has_surplus()).then_some(event)
    }

    /// Returns how a release ended, if the line says so as the ledger writes it: only what was delivered has a
    /// certificate.
    pub fn ending(&self) -> Option<(ReleaseOutcome, Option<CertificateHash>)> {
        let outcome = ReleaseOutcome::read(self.outcome?)?;
        match (outcome, self.certificate_hash) {
            (ReleaseOutcome::Delivered, Some(text)) => Some((outcome, Some(CertificateHash::read(text)?))),
            (ReleaseOutcome::Delivered | ReleaseOutcome::Failed, None) => Some((outcome, None)),
            (ReleaseOutcome::Failed, Some(_)) => None,
        }
    }

    /// Whether there is a field that this kind of entry does not have.
    pub fn has_surplus(&self) -> bool {
        let [terms, charge, outcome] = match self.kind {
            "charge" => [false, true, false],
            "outcome" => [false, false, true],
            "refused" => {
                return self.binning_hash.is_some()
                    || self.promise.is_some()
                    || self.policy.is_some()
                    || self.certificate_hash.is_some()
                    || self.signature.is_some();
            }
            "aside" => {
                let others = [self.snapshot, self.binning_hash, self.promise, self.epsilon, self.delta];
                let added = [self.certificate_hash, self.signature];
                return others.iter().chain(&added).any(Option::is_some);
            }
            _ => [true, false, false],
        };
        (!charge
            && (self.snapshot.is_some()
                || self.plan_hash.is_some()
                || self.binning_hash.is_some()
                || self.promise.is_some()))
            || (!terms && self.policy.is_some())
            || (!outcome && (self.outcome.is_some() || self.certificate_hash.is_some()))
            || (self.kind != "policy" && self.signature.is_some())
            || (outcome && (self.epsilon.is_some() || self.delta.is_some()))
    }

    /// Returns what was charged, if the line is of a charge and written as the ledger writes.
    pub fn charged(&self) -> Result<Charged, Fault> {
        match self.event() {
            Some(Event::Charged(charged)) => Ok(charged),
            Some(
                Event::Opened(_)
                | Event::TermsChanged { .. }
                | Event::Ended { .. }
                | Event::Refused(_)
                | Event::SetAside(_),
            )
            | None => Err(Fault::Unreadable),
        }
    }
}

/// A whole number in its only spelling.
fn whole(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

/// An entry that is about to be written, with its own texts.
pub(crate) struct Draft {
    seq: u64,
    account: String,
    kind: &'static str,
    charge_id: Option<String>,
    charged: Option<Charged>,
    refused: Option<RefusedAttempt>,
    digest: Option<String>,
    epsilon: Option<String>,
    delta: Option<String>,
    policy: Option<String>,
    outcome: Option<String>,
    certificate_hash: Option<String>,
    signature: Option<String>,
    details: Option<String>,
    time: String,
    previous_hash: String,
    hash: String,
}

impl Draft {
    /// Returns the entry that follows the head and says that this happened.
    pub fn after(head: &Head, account: &AccountName, event: &Event, provenance: &Provenance, now: Moment) -> Draft {
        let mut draft = Draft {
            seq: head.seq + 1,
            account: account.as_str().to_string(),
            kind: "open",
            charge_id: None,
            charged: None,
            refused: None,
            digest: None,
            epsilon: None,
            delta: None,
            policy: None,
            outcome: None,
            certificate_hash: None,
            signature: None,
            details: None,
            time: now.to_string(),
            previous_hash: head.hash.clone(),
            hash: String::new(),
        };
        match event {
            Event::Opened(terms) | Event::TermsChanged { terms, .. } => {
                draft.epsilon = terms.epsilon.as_ref().map(rational_text);
                draft.delta = terms.delta.as_ref().map(rational_text);
                draft.policy = Some(terms.policy_text());
                draft.details = provenance.of_terms().text();
                if let Event::TermsChanged { signature, .. } = event {
                    draft.kind = "policy";
                    draft.signature = signature.as_ref().map(TermsSignature::digits);
                }
            }
            Event::Ended { charge_id, outcome, certificate } => {
                draft.kind = "outcome";
                draft.charge_id = Some(charge_id.as_str().to_string());
                draft.outcome = Some(outcome.as_str().to_string());
                draft.details = provenance.of_ending().text();
                draft.certificate_hash = certificate.as_ref().map(|hash| hash.as_str().to_string());
            }
            Event::Charged(charged) => {
                draft.kind = "charge";
                draft.epsilon = Some(charged.epsilon.to_string());
                draft.delta = Some(rational_text(&charged.delta));
                draft.charged = Some(charged.clone());
                draft.details = provenance.of_charge().text();
            }
            Event::Refused(refused) => {
                draft.kind = "refused";
                draft.epsilon = Some(refused.epsilon.to_string());
                draft.delta = Some(rational_text(&refused.delta));
                draft.outcome = Some(refused.reason.clone());
                draft.refused = Some(refused.clone());
                draft.details = provenance.of_charge().text();
            }
            Event::SetAside(SetAsideRows { rows, fault, digest }) => {
                draft.kind = "aside";
                draft.policy = Some(format!("rows={rows}"));
                draft.outcome = Some(fault.clone());
                draft.digest = Some(digest.clone());
                draft.details = provenance.of_terms().text();
            }
        }
        let line = draft.line();
        let hash = chain::hash(line.present(&line.hashed(&draft.seq.to_string())));
        draft.hash = hash;
        if draft.kind == "charge" {
            draft.charge_id = Some(ChargeId::of_hash(&draft.hash).as_str().to_string());
        }
        draft
    }

    /// The entry as a store takes it.
    pub fn line(&self) -> Line<'_> {
        let (charged, refused) = (self.charged.as_ref(), self.refused.as_ref());
        let snapshot = charged.map(|charged| &charged.snapshot).or(refused.map(|refused| &refused.snapshot));
        let plan_hash = charged.map(|charged| &charged.plan_hash).or(refused.map(|refused| &refused.plan_hash));
        let plan_hash = plan_hash.or(self.digest.as_ref());
        Line {
            seq: self.seq,
            account: &self.account,
            kind: self.kind,
            charge_id: self.charge_id.as_deref(),
            snapshot: snapshot.map(String::as_str),
            plan_hash: plan_hash.map(String::as_str),
            binning_hash: charged.map(|charged| charged.binning_hash.as_str()),
            promise: charged.map(|charged| charged.promise.as_str()),
            epsilon: self.epsilon.as_deref(),
            delta: self.delta.as_deref(),
            policy: self.policy.as_deref(),
            outcome: self.outcome.as_deref(),
            time: &self.time,
            previous_hash: &self.previous_hash,
            hash: &self.hash,
            certificate_hash: self.certificate_hash.as_deref(),
            signature: self.signature.as_deref(),
            details: self.details.as_deref(),
        }
    }
}
