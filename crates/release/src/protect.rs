//! Between true counts and published ones: a plan's mechanism, and the receipt that pays for it.
//!
//! It must never publish anything for a receipt of another plan, nor twice for one. It is separate because here the
//! certified mechanism meets the data, whatever the kind of release. Read `kinds.rs` for how each kind is drawn.

use crate::kinds::{Draws, draws};
use crate::plan::RequestedPlan;
use crate::refusal::Refusal;
use incrowd_counts::{PublishedCounts, TrueCounts};
use incrowd_ledger::{Receipt, SpentReceipt};
use incrowd_noise::ReleaseSecret;

/// A plan's mechanism, ready to draw; made before anything is charged.
pub struct PaidMechanism {
    draws: Box<dyn Draws>,
    /// Only a receipt for this plan pays for what it publishes.
    plan_hash: String,
}

impl PaidMechanism {
    /// Returns the mechanism of a plan, or why it cannot run on such a universe.
    pub fn of(plan: &RequestedPlan) -> Result<Self, Refusal> {
        let plan = plan.plan();
        Ok(PaidMechanism { draws: draws(plan)?, plan_hash: plan.request().request_hash() })
    }

    /// Uses a receipt up and returns what is published of true counts, and the spent receipt that records the
    /// outcome; of a receipt or counts for another plan only the spent receipt, and nothing is drawn or published.
    pub fn publish(
        self,
        counts: TrueCounts,
        receipt: Receipt,
        secret: ReleaseSecret,
        charge_id: &str,
    ) -> Result<(PublishedCounts, SpentReceipt), SpentReceipt> {
        if receipt.plan_hash() != self.plan_hash {
            return Err(receipt.spend());
        }
        self.draws.publish(counts, receipt, &secret, charge_id)
    }
}
