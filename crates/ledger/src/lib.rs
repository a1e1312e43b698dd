//! The durable account book: who has spent how much of which promise, kept in one SQLite file or a team's PostgreSQL.
//!
//! It must never refund, never grant a budget from a book that does not add up, and never see the data: every entry is a
//! function of a plan and a clock. It is separate because a charge has to be on disk before the first row is read, whatever
//! engine reads it. Read `receipt.rs` next, then `ledger.rs` for the verbs and `book.rs` for what is verified.

mod account;
mod attendant;
mod binning;
mod book;
mod certificate;
mod chain;
mod charge;
mod claim;
mod damage;
mod entry;
mod error;
mod key;
mod ledger;
mod line;
mod moment;
mod number;
mod promise;
mod receipt;
mod refusal;
mod store;
mod tally;
mod terms;

pub use account::{Account, AccountName, AccountNameError, After, Left, Spent, Standing};
pub use attendant::Attendant;
pub use binning::{Binning, Difference, EXACT_TABLES_SUBTRACT, Series, Side};
pub use certificate::CertificateHash;
pub use charge::{Charge, ChargeError};
pub use claim::{Claim, Mismatch, Paid};
pub use damage::{Fault, Part};
pub use entry::{Charged, Entry, Event, Outcome};
pub use error::{LedgerError, Trouble};
pub use key::RaiseKey;
pub use ledger::{Ledger, Remembered, Unrecorded, Verified};
pub use moment::Moment;
pub use receipt::{ChargeId, Keeping, Receipt, Stub};
pub use refusal::{Refusal, Subtraction};
pub use terms::{People, Period, Terms, TermsError};
