//! The story of one release: prepare, charge, count, protect, write, deliver.
//!
//! It must never read a row before the charge is durable, nor deliver what the ledger does not know of. It is separate
//! so that the whole story fits on one screen. Read `protect.rs` and `folder.rs` for its parts.

use crate::certificate::{AccountAge, ChargeFacts, Randomness, check_certifiable};
use crate::charge::charge;
use crate::coins::who;
use crate::counted_where::counted_where;
use crate::deliver::write_folder;
use crate::folder::{DeliveredFolder, Existing, NameDurability, StagedFolder};
use crate::glance::Glance;
use crate::outcome::record_delivery;
use crate::plan::{Plan, RequestedPlan};
use crate::protect::PaidMechanism;
use crate::query::query;
use crate::refusal::Refusal;
use crate::table::Table;
use incrowd_engine::{CountError, Engine, Prepared, Reading, Watch};
use incrowd_exact::Rational;
use incrowd_ledger::{
    AccountName, Charge, ChargeId, Claim, Durability, Ledger, LedgerError, Moment, PaidClaim, Receipt, Repetition,
    SpentReceipt, Trouble,
};
use incrowd_noise::ReleaseSecret;
use incrowd_privacy::Epsilon;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use crate::audience::{Audience, Stage};
pub use crate::failure::{Cause, ReleaseFailure};

/// What is to be released, and where to.
pub struct Order<'a> {
    /// What will be promised, and how it is kept.
    pub plan: &'a RequestedPlan,
    /// The folder that the data's source is relative to.
    pub base: &'a Path,
    /// The folder that is made.
    pub folder: &'a Path,
    /// What happens to a folder of that name.
    pub existing: Existing,
    /// What happens if the same request was delivered before, or is under way.
    pub repetition: Repetition,
}

/// A release that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// Where it is.
    pub folder: PathBuf,
    /// Whether its name would survive a power cut.
    pub name: NameDurability,
    /// What it was charged as.
    pub charge_id: ChargeId,
    /// The account that paid.
    pub account: AccountName,
    /// The epsilon that it paid.
    pub epsilon: Epsilon,
    /// The delta that it paid.
    pub delta: Rational,
    /// Whether an account without limits was opened for it.
    pub opened_account: bool,
    /// What was published, at a glance.
    pub glance: Glance,
}

/// Releases what was ordered.
///
/// The name is taken before the charge, and the charge is durable before the engine reads. The outcome is durable
/// before the folder gets its name: a folder that is there is complete, and the ledger says so.
pub fn release(
    order: &Order<'_>,
    engine: &dyn Engine,
    ledger: &mut Ledger,
    secret: ReleaseSecret,
    clock: &dyn Fn() -> Moment,
    audience: Arc<dyn Audience>,
) -> Result<Delivered, ReleaseFailure> {
    audience.begins(Stage::Preparing);
    let plan = order.plan.plan();
    must_be_kept_secret(plan, &secret, ledger)?;
    let mechanism = PaidMechanism::of(order.plan)?;
    let table = Table::of(plan)?;
    check_certifiable(plan)?;
    let prepared = engine.prepare(&query(plan.request(), order.base)?)?;
    audience.counts_where(&counted_where(prepared.counted_where(), plan.request()));
    let reading = prepared.reading();
    let price = charge(order.plan, &reading)?;
    let aside = StagedFolder::create(order.folder, order.existing)?;
    if audience.is_cancelled() {
        return Err(ReleaseFailure::Cancelled);
    }

    audience.begins(Stage::Charging);
    ledger.charged_for(&plan.title(), order.folder);
    // One moment for everything: how long counting took would tell how much there was to count.
    let moment = clock();
    let receipt = match ledger.pay(&price, order.repetition, moment) {
        Ok(receipt) => receipt,
        Err(LedgerError::Unconfirmed { charge_id: Some(charge_id), path, trouble }) => {
            let error = LedgerError::Unconfirmed { charge_id: Some(charge_id.clone()), path, trouble };
            return Err(ReleaseFailure::Undelivered { charge_id, cause: Cause::Ledger(error) });
        }
        Err(LedgerError::Trouble { trouble: Trouble::Stopped, .. }) => return Err(ReleaseFailure::Cancelled),
        Err(error) => return Err(error.into()),
    };
    // Whatever happens from here on, a panic too, ends as a charge without a delivery, and the ledger is told.
    let (charge_id, place) = (receipt.charge_id(), (receipt.seq(), receipt.head().to_string()));
    let ready = Ready { prepared, mechanism, table, aside, receipt, price: &price, secret, reading };
    let told = AssertUnwindSafe(|| after_the_charge(order, ready, ledger, moment, audience));
    std::panic::catch_unwind(told).unwrap_or_else(|_| Err(lost(ledger, &price, place, charge_id, moment)))
}

/// What is ready when the charge is made.
struct Ready<'a> {
    prepared: Box<dyn Prepared>,
    mechanism: PaidMechanism,
    table: Table<'a>,
    aside: StagedFolder,
    receipt: Receipt,
    price: &'a Charge,
    secret: ReleaseSecret,
    reading: Reading,
}

/// Counts, protects, writes and delivers what was charged.
fn after_the_charge(
    order: &Order<'_>,
    ready: Ready<'_>,
    ledger: &mut Ledger,
    moment: Moment,
    audience: Arc<dyn Audience>,
) -> Result<Delivered, ReleaseFailure> {
    let Ready { prepared, mechanism, mut table, aside, receipt, price, secret, reading } = ready;
    let plan = order.plan.plan();
    let randomness = secret.origin();
    let input = prepared.input();
    let (facts, durability) = (facts(&receipt, &reading), receipt.durability());
    let (charge_id, opened_account) = (receipt.charge_id(), receipt.opened_account());
    audience.charged(&charge_id);

    audience.begins(Stage::Counting(input));
    let watch: Arc<dyn Watch> = Arc::clone(&audience) as Arc<dyn Watch>;
    // A charge's name holds its time; what is drawn from a known seed must not.
    let stream = match randomness {
        Randomness::OperatingSystem => charge_id.as_str(),
        Randomness::KnownSeed => "known seed",
    };
    let counts = match prepared.count(&receipt, who(plan, &secret, stream), watch) {
        Ok(counts) => counts,
        Err(error) => return Err(undelivered(ledger, receipt.spend(), Cause::Counting(error), moment)),
    };
    let (published, spent) = match mechanism.publish(counts, receipt, secret, stream) {
        Ok(published) => published,
        Err(spent) => return Err(undelivered(ledger, spent, Cause::Counting(CountError::Contract), moment)),
    };

    audience.begins(Stage::Writing);
    let written = write_folder(aside, &mut table, plan, published, (&facts, moment), randomness, durability);
    let (sealed, glances, certificate) = match written {
        Ok(written) => written,
        Err(cause) => return Err(undelivered(ledger, spent, cause, moment)),
    };

    audience.begins(Stage::Delivering);
    if let Err(error) = record_delivery(ledger, spent, &certificate, moment, &*audience) {
        sealed.keep();
        return Err(ReleaseFailure::Undelivered { charge_id, cause: Cause::Unrecorded(error) });
    }
    match sealed.publish() {
        Ok(DeliveredFolder { folder, name }) => {
            let Charge { account, epsilon, delta, .. } = price.clone();
            let glance = glances.counts;
            Ok(Delivered { folder, name, charge_id, account, epsilon, delta, opened_account, glance })
        }
        Err(error) => Err(ReleaseFailure::Undelivered { charge_id, cause: Cause::Unnamed(error) }),
    }
}

/// Refuses what would promise nothing about real people: draws that somebody knows, and a book that forgets its
/// charges.
fn must_be_kept_secret(plan: &Plan, secret: &ReleaseSecret, ledger: &Ledger) -> Result<(), Refusal> {
    if plan.request().data.as_ref().is_some_and(|data| data.synthetic) {
        return Ok(());
    }
    match (secret.origin(), ledger.durability()) {
        (Randomness::OperatingSystem, Durability::Durable) => Ok(()),
        (Randomness::KnownSeed, Durability::Durable | Durability::Forgotten) => Err(Refusal::KnownSeed),
        (Randomness::OperatingSystem, Durability::Forgotten) => Err(Refusal::ForgottenBook),
    }
}

fn facts(receipt: &Receipt, reading: &Reading) -> ChargeFacts {
    ChargeFacts {
        charge_id: receipt.charge_id().as_str().to_string(),
        seq: receipt.seq(),
        head: receipt.head().to_string(),
        account: if receipt.opened_account() { AccountAge::Opened } else { AccountAge::Existing },
        after: receipt.after().clone(),
        reading: Some(reading.canonical()),
    }
}

/// Says in the ledger that nothing came of a charge. If even that fails, the charge stands, which is all that matters.
fn undelivered(ledger: &mut Ledger, spent: SpentReceipt, cause: Cause, moment: Moment) -> ReleaseFailure {
    let charge_id = spent.charge_id().clone();
    let _ = ledger.record_failure(spent, moment);
    ReleaseFailure::Undelivered { charge_id, cause }
}

/// Says in the ledger that nothing came of a charge whose receipt is lost.
fn lost(
    ledger: &mut Ledger,
    price: &Charge,
    place: (u64, String),
    charge_id: ChargeId,
    moment: Moment,
) -> ReleaseFailure {
    let claim = Claim {
        seq: place.0,
        hash: place.1,
        account: price.account.as_str().to_string(),
        snapshot: price.snapshot.clone(),
        plan_hash: price.plan_hash.clone(),
        binning_hash: price.binning_hash(),
        epsilon: price.epsilon.clone(),
        delta: Some((price.delta.clone(), price.delta.clone())),
    };
    let cause = Cause::Counting(CountError::Failed);
    match ledger.claims(&[claim]).unwrap_or_default().into_iter().next() {
        Some(Ok(PaidClaim::Pending(spent))) => undelivered(ledger, spent, cause, moment),
        Some(Ok(PaidClaim::Delivered(_) | PaidClaim::Failed) | Err(_)) | None => {
            ReleaseFailure::Undelivered { charge_id, cause }
        }
    }
}
