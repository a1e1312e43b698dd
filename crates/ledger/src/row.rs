//! An entry in text, as the table holds it.
//!
//! Every text that is read back is parsed, and compared with what the ledger would have written: it must never accept a
//! second spelling, a missing field or a surplus one. It is separate from `entry.rs` because the table is a format and an
//! entry is a fact. Read `chain.rs` next, for the hash.

use crate::account::AccountName;
use crate::chain;
use crate::charge::{MOST_IN_A_NAME, MOST_IN_A_PROMISE, is_line};
use crate::damage::{Fault, Part};
use crate::entry::{Charged, Entry, Event, Outcome};
use crate::error::LedgerError;
use crate::moment::Moment;
use crate::number::{read_epsilon, read_rational};
use crate::receipt::ChargeId;
use crate::terms::Terms;
use incrowd_exact::{Rational, rational_text};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, named_params};

/// The columns, in the order in which [`Row::read`] takes them.
pub(crate) const SELECT: &str = "SELECT seq, account, snapshot, kind, charge_id, plan_hash, binning_hash, promise, \
    epsilon, delta, policy, outcome, time, previous_hash, hash FROM entry ORDER BY seq";

const INSERT: &str = "INSERT INTO entry (seq, account, snapshot, kind, charge_id, plan_hash, binning_hash, promise, \
    epsilon, delta, policy, outcome, time, previous_hash, hash) VALUES (:seq, :account, :snapshot, :kind, :charge_id, \
    :plan_hash, :binning_hash, :promise, :epsilon, :delta, :policy, :outcome, :time, :previous_hash, :hash)";

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

/// One row of the table `entry`.
#[derive(PartialEq, Eq)]
pub(crate) struct Row {
    seq: u64,
    account: String,
    fields: Fields,
    charge_id: Option<String>,
    time: String,
    previous_hash: String,
    hash: String,
}

/// What an event puts into a row; which of them are there depends on its kind.
#[derive(Default, PartialEq, Eq)]
struct Fields {
    kind: String,
    /// The charge that an outcome is about. A charge's own name follows from its hash and is not hashed.
    about: Option<String>,
    snapshot: Option<String>,
    plan_hash: Option<String>,
    binning_hash: Option<String>,
    promise: Option<String>,
    epsilon: Option<String>,
    delta: Option<String>,
    policy: Option<String>,
    outcome: Option<String>,
}

impl Row {
    /// Returns the row that follows the head and says that this happened.
    pub fn after(head: &Head, account: &AccountName, event: &Event, now: Moment) -> Row {
        let mut row = Row {
            seq: head.seq + 1,
            account: account.as_str().to_string(),
            fields: Fields::of(event),
            charge_id: None,
            time: now.to_string(),
            previous_hash: head.hash.clone(),
            hash: String::new(),
        };
        row.hash = row.computed_hash();
        row.charge_id = row.expected_charge_id();
        row
    }

    /// Returns the next row of [`SELECT`]; `expected` is the number that it should have.
    pub fn read(row: &rusqlite::Row<'_>, expected: u64) -> Result<Row, LedgerError> {
        let unreadable = || LedgerError::damaged(Part::Entry(expected), Fault::Unreadable);
        let optional = |index: usize| match row.get_ref(index)? {
            ValueRef::Null => Ok(None),
            ValueRef::Text(bytes) => String::from_utf8(bytes.to_vec()).map(Some).map_err(|_| unreadable()),
            ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_) => Err(unreadable()),
        };
        let text = |index: usize| optional(index)?.ok_or_else(unreadable);
        let seq = match row.get_ref(0)? {
            ValueRef::Integer(seq) => u64::try_from(seq).map_err(|_| unreadable())?,
            ValueRef::Null | ValueRef::Text(_) | ValueRef::Real(_) | ValueRef::Blob(_) => return Err(unreadable()),
        };
        let (kind, charge_id) = (text(3)?, optional(4)?);
        let about = if kind == "outcome" { charge_id.clone() } else { None };
        let fields = Fields {
            kind,
            about,
            snapshot: optional(2)?,
            plan_hash: optional(5)?,
            binning_hash: optional(6)?,
            promise: optional(7)?,
            epsilon: optional(8)?,
            delta: optional(9)?,
            policy: optional(10)?,
            outcome: optional(11)?,
        };
        let (time, previous_hash, hash) = (text(12)?, text(13)?, text(14)?);
        Ok(Row { seq, account: text(1)?, fields, charge_id, time, previous_hash, hash })
    }

    /// Returns the entry, if it follows the head, is what its hash says, and is written as the ledger writes.
    pub fn verify(self, head: &Head) -> Result<Entry, Fault> {
        if self.seq != head.seq + 1 {
            return Err(Fault::Missing);
        }
        if self.previous_hash != head.hash {
            return Err(Fault::Unlinked);
        }
        if !(self.hash == self.computed_hash() && self.charge_id == self.expected_charge_id()) {
            return Err(Fault::Changed);
        }
        let account = AccountName::new(&self.account).map_err(|_| Fault::Unreadable)?;
        let time = Moment::read(&self.time).ok_or(Fault::Unreadable)?;
        let event = self.fields.event().ok_or(Fault::Unreadable)?;
        Ok(Entry { seq: self.seq, account, time, event, previous_hash: self.previous_hash, hash: self.hash })
    }

    /// Appends the row.
    pub fn insert(&self, connection: &Connection) -> Result<(), LedgerError> {
        let seq =
            i64::try_from(self.seq).map_err(|_| LedgerError::damaged(Part::Entry(self.seq), Fault::Unreadable))?;
        let fields = &self.fields;
        connection.execute(
            INSERT,
            named_params! {
                ":seq": seq,
                ":account": self.account,
                ":snapshot": fields.snapshot,
                ":kind": fields.kind,
                ":charge_id": self.charge_id,
                ":plan_hash": fields.plan_hash,
                ":binning_hash": fields.binning_hash,
                ":promise": fields.promise,
                ":epsilon": fields.epsilon,
                ":delta": fields.delta,
                ":policy": fields.policy,
                ":outcome": fields.outcome,
                ":time": self.time,
                ":previous_hash": self.previous_hash,
                ":hash": self.hash,
            },
        )?;
        Ok(())
    }

    fn computed_hash(&self) -> String {
        let seq = self.seq.to_string();
        let fields = &self.fields;
        chain::hash(&[
            Some(&self.previous_hash),
            Some(&seq),
            Some(&self.account),
            Some(&self.time),
            Some(&fields.kind),
            fields.about.as_deref(),
            fields.snapshot.as_deref(),
            fields.plan_hash.as_deref(),
            fields.binning_hash.as_deref(),
            fields.promise.as_deref(),
            fields.epsilon.as_deref(),
            fields.delta.as_deref(),
            fields.policy.as_deref(),
            fields.outcome.as_deref(),
        ])
    }

    fn expected_charge_id(&self) -> Option<String> {
        let own = || ChargeId::of_hash(&self.hash).as_str().to_string();
        self.fields.about.clone().or_else(|| (self.fields.kind == "charge").then(own))
    }
}

impl Fields {
    fn of(event: &Event) -> Fields {
        let terms = |kind: &str, terms: &Terms| Fields {
            kind: kind.to_string(),
            epsilon: terms.epsilon.as_ref().map(rational_text),
            delta: terms.delta.as_ref().map(rational_text),
            policy: Some(terms.policy_text()),
            ..Fields::default()
        };
        match event {
            Event::Opened(opened) => terms("open", opened),
            Event::TermsChanged(changed) => terms("policy", changed),
            Event::Ended { charge_id, outcome } => Fields {
                kind: "outcome".to_string(),
                about: Some(charge_id.as_str().to_string()),
                outcome: Some(outcome.as_str().to_string()),
                ..Fields::default()
            },
            Event::Charged(charged) => Fields {
                kind: "charge".to_string(),
                snapshot: Some(charged.snapshot.clone()),
                plan_hash: Some(charged.plan_hash.clone()),
                binning_hash: Some(charged.binning_hash.clone()),
                promise: Some(charged.promise.clone()),
                epsilon: Some(charged.epsilon.to_string()),
                delta: Some(rational_text(&charged.delta)),
                ..Fields::default()
            },
        }
    }

    /// Returns the event that the ledger writes exactly so, or nothing.
    fn event(&self) -> Option<Event> {
        let terms = || Terms::read(self.epsilon.as_deref(), self.delta.as_deref(), self.policy.as_deref()?);
        let line = |text: &Option<String>, most| text.clone().filter(|text| is_line(text, most));
        let event = match self.kind.as_str() {
            "open" => Event::Opened(terms()?),
            "policy" => Event::TermsChanged(terms()?),
            "outcome" => Event::Ended {
                charge_id: ChargeId::read(self.about.as_deref()?)?,
                outcome: Outcome::read(self.outcome.as_deref()?)?,
            },
            "charge" => Event::Charged(Charged {
                snapshot: line(&self.snapshot, MOST_IN_A_NAME)?,
                plan_hash: line(&self.plan_hash, MOST_IN_A_NAME)?,
                binning_hash: line(&self.binning_hash, MOST_IN_A_NAME)?,
                promise: line(&self.promise, MOST_IN_A_PROMISE)?,
                epsilon: read_epsilon(self.epsilon.as_deref()?)?,
                delta: read_rational(self.delta.as_deref()?).filter(|delta| delta < &Rational::ONE)?,
            }),
            _ => return None,
        };
        // A field that this kind of entry does not have, or a second spelling, fails here.
        (&Fields::of(&event) == self).then_some(event)
    }
}
