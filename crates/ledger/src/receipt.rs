//! Receipts: the proof that a release is paid for, in the type system.
//!
//! Only a durable charge makes a [`Receipt`]; it must never be made otherwise, copied, or used twice. It is separate
//! because everything between a charge and a delivery holds one and nothing else of the ledger. Read `ledger.rs` for
//! who makes it.

use crate::account_name::AccountName;
use incrowd_definition::{After, ChargeId};
use std::fmt;

/// Where a charge is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// In a file that has been synced: the charge outlives this process and a power cut.
    Durable,
    /// In memory, forgotten with the ledger: for synthetic data only.
    Forgotten,
}

/// What a charge puts on a receipt.
pub(crate) struct Slip {
    pub account: AccountName,
    pub seq: u64,
    pub head: String,
    pub plan_hash: String,
    pub opened_account: bool,
    pub after: After,
    pub durability: Durability,
}

/// The proof that a release is paid for: lent to the engine that reads, used up by what publishes.
///
/// One charge, one receipt, one use. An engine borrows it before it reads, the protection consumes it with
/// [`spend`](Receipt::spend), and the [`SpentReceipt`] that is left records how the release ended:
///
/// ```
#[doc = include_str!("receipt_story.txt")]
/// let receipt = ledger.charge(&charge, now)?;
/// count(&receipt);
/// let spent = protect(receipt);
/// ledger.record_delivery(spent, &certificate, now)?;
/// # Ok::<(), incrowd_ledger::LedgerError>(())
/// ```
///
/// The same story does not compile when it is told wrongly. Protecting twice with one receipt:
///
/// ```compile_fail,E0382
#[doc = include_str!("receipt_story.txt")]
/// let receipt = ledger.charge(&charge, now)?;
/// count(&receipt);
/// let spent = protect(receipt);
/// let again = protect(receipt);
/// ledger.record_delivery(spent, &certificate, now)?;
/// # Ok::<(), incrowd_ledger::LedgerError>(())
/// ```
///
/// Copying a receipt:
///
/// ```compile_fail,E0599
#[doc = include_str!("receipt_story.txt")]
/// let receipt = ledger.charge(&charge, now)?;
/// count(&receipt);
/// let spent = protect(receipt.clone());
/// ledger.record_delivery(spent, &certificate, now)?;
/// # Ok::<(), incrowd_ledger::LedgerError>(())
/// ```
///
/// Reading the data after the receipt is spent:
///
/// ```compile_fail,E0382
#[doc = include_str!("receipt_story.txt")]
/// let receipt = ledger.charge(&charge, now)?;
/// let spent = protect(receipt);
/// count(&receipt);
/// ledger.record_delivery(spent, &certificate, now)?;
/// # Ok::<(), incrowd_ledger::LedgerError>(())
/// ```
///
/// Forging one: its only field is private, and nothing but a charge returns it.
///
/// ```compile_fail,E0451
#[doc = include_str!("receipt_story.txt")]
/// let receipt = incrowd_ledger::Receipt { slip: todo!() };
/// count(&receipt);
/// let spent = protect(receipt);
/// ledger.record_delivery(spent, &certificate, now)?;
/// # Ok::<(), incrowd_ledger::LedgerError>(())
/// ```
///
/// Recording two endings of one release:
///
/// ```compile_fail,E0382
#[doc = include_str!("receipt_story.txt")]
/// let receipt = ledger.charge(&charge, now)?;
/// count(&receipt);
/// let spent = protect(receipt);
/// ledger.record_delivery(spent, &certificate, now)?;
/// ledger.record_failure(spent, now)?;
/// # Ok::<(), incrowd_ledger::LedgerError>(())
/// ```
#[must_use = "this release is paid for: read, protect and deliver, or record that it failed"]
pub struct Receipt {
    slip: Slip,
}

impl Receipt {
    pub(crate) fn new(slip: Slip) -> Receipt {
        Receipt { slip }
    }

    /// The name of the charge.
    pub fn charge_id(&self) -> ChargeId {
        ChargeId::of_hash(&self.slip.head)
    }

    /// The number of the charge's entry in the book.
    pub fn seq(&self) -> u64 {
        self.slip.seq
    }

    /// The hash at the end of the chain after the charge: 64 hexadecimal digits.
    pub fn head(&self) -> &str {
        &self.slip.head
    }

    /// The identity of the plan that is paid for: counting and protecting refuse a receipt for another one.
    pub fn plan_hash(&self) -> &str {
        &self.slip.plan_hash
    }

    /// Whether this charge opened the account, without limits, because there was none of that name.
    pub fn opened_account(&self) -> bool {
        self.slip.opened_account
    }

    /// What the account's people have been promised with this charge, and what is left.
    pub fn after(&self) -> &After {
        &self.slip.after
    }

    /// Where the charge is kept.
    pub fn durability(&self) -> Durability {
        self.slip.durability
    }

    /// Uses the receipt up. What is left can only say how the release ended.
    pub fn spend(self) -> SpentReceipt {
        SpentReceipt { account: self.slip.account, charge_id: ChargeId::of_hash(&self.slip.head) }
    }
}

impl fmt::Debug for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Receipt({})", self.charge_id())
    }
}

/// What is left of a spent receipt: it entitles to nothing but
/// [`Ledger::record_delivery`](crate::Ledger::record_delivery) or
/// [`Ledger::record_failure`](crate::Ledger::record_failure).
#[must_use = "record how the release ended"]
pub struct SpentReceipt {
    account: AccountName,
    charge_id: ChargeId,
}

impl SpentReceipt {
    /// What is left of a receipt that somebody else spent, and whose release has not ended.
    pub(crate) fn of_pending(account: AccountName, charge_id: ChargeId) -> SpentReceipt {
        SpentReceipt { account, charge_id }
    }

    /// The name of the charge.
    pub fn charge_id(&self) -> &ChargeId {
        &self.charge_id
    }

    pub(crate) fn account(&self) -> &AccountName {
        &self.account
    }
}

impl fmt::Debug for SpentReceipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SpentReceipt({})", self.charge_id)
    }
}
