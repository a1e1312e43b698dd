//! The durable account book: who has spent how much of which promise, kept in one SQLite file or a team's PostgreSQL.
//!
//! It must never refund, never grant a budget from a book that does not add up, and never see the data: every entry is
//! a function of a plan and a clock. It is separate because a charge has to be on disk before the first row is read,
//! whatever engine reads it. Read `receipt.rs` next, then `ledger.rs` for the verbs and `book.rs` for what is verified.

mod account;
mod account_name;
mod aside;
mod attendant;
mod book;
mod chain;
mod charge;
mod claim;
mod damage;
mod entry;
mod error;
mod key;
mod ledger;
mod line;
mod number;
mod officer_key;
mod promise;
mod provenance;
mod receipt;
mod refusal;
mod repeat;
mod signature;
mod similar;
mod store;
mod tally;
mod terms;

pub use account::{Account, Spent, Standing};
pub use account_name::{AccountName, AccountNameError};
pub use aside::SetAside;
pub use attendant::Attendant;
pub use charge::{Charge, ChargeError};
pub use claim::{Claim, Mismatch, PaidClaim};
pub use damage::{DamagedPart, Fault};
pub use entry::{Charged, Entry, Event, RefusedAttempt, ReleaseOutcome, SetAsideRows};
pub use error::{BookRule, LedgerError, Trouble};
pub use incrowd_definition::{
    After, Binning, CertificateHash, ChargeId, Difference, EXACT_TABLES_SUBTRACT, Left, Moment, SeriesRun, Side,
};
pub use key::RaiseKey;
pub use ledger::{Ledger, Remembered, Unrecorded, Verified};
pub use officer_key::{OfficerKey, PublicKey};
pub use provenance::Provenance;
pub use receipt::{Durability, Receipt, SpentReceipt};
pub use refusal::{ChargeRefusal, Subtraction};
pub use repeat::{EarlierCharge, EarlierState, Repeat, Repetition};
pub use signature::{Authority, TermsRequest, TermsSignature};
pub use similar::NameFault;
pub use store::FILE_MARK;
pub use store::postgres::setup::{Grant, SetUp, TeamRoles};
pub use terms::{Guard, People, Period, Terms, TermsError};
