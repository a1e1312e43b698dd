//! The durable account book: who has spent how much of which promise, kept in one SQLite file.
//!
//! It must never refund, never grant a budget from a book that does not add up, and never see the data: every entry is a
//! function of a plan and a clock. It is separate because a charge has to be on disk before the first row is read, whatever
//! engine reads it. Read `receipt.rs` next, then `ledger.rs` for the verbs and `book.rs` for what is verified.

mod account;
mod book;
mod chain;
mod charge;
mod damage;
mod entry;
mod error;
mod ledger;
mod moment;
mod number;
mod place;
mod receipt;
mod refusal;
mod row;
mod schema;
mod terms;

pub use account::{Account, AccountName, AccountNameError, Left, Spent};
pub use charge::{Charge, ChargeError};
pub use damage::{Fault, Part};
pub use entry::{Charged, Entry, Event, Outcome};
pub use error::{LedgerError, Trouble};
pub use ledger::Ledger;
pub use moment::Moment;
pub use receipt::{ChargeId, Keeping, Receipt, Stub};
pub use refusal::Refusal;
pub use terms::{Terms, TermsError};
