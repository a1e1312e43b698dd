//! The kinds of release, drawn: the one place of this crate that tells them apart.
//!
//! Each kind says what is asked of an engine and how what was counted is published; it must never ask for anything
//! that the request does not say, nor publish without a receipt. It is separate because the story of a release is the
//! same for all kinds. Read `kinds/counts.rs` next, then the other kinds; a new one is a file beside them and its
//! lines here.

mod chosen;
mod counts;
mod points;
mod rows;

use crate::bin_by_bin::Bins;
use crate::failure::ReleaseFailure;
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::request::Kind;
use incrowd_counts::{MOST_LINES, MOST_POINTS, PublishedCounts, TrueCounts};
use incrowd_engine::{Dimension, Expression, Time};
use incrowd_ledger::{Receipt, SpentReceipt};
use incrowd_noise::ReleaseSecret;
use incrowd_plan::kinds::KindPlan;
use std::sync::Arc;

/// What a kind asks of an engine.
pub(crate) trait Asks {
    /// Returns the dimensions that are counted.
    fn dimensions(&self) -> Result<Vec<Dimension<Expression>>, ReleaseFailure>;

    /// Returns how the first dimension is time, where a person may be counted in each of its periods.
    fn time(&self) -> Option<Time>;

    /// Whether the groups that the promise is about are the bins that are counted.
    fn groups_are_bins(&self) -> bool;
}

/// What a kind does with true counts; made before anything is charged.
pub(crate) trait Draws {
    /// Uses a receipt up and returns what is published of true counts; of counts for another plan only what is left of
    /// the receipt.
    fn publish(
        self: Box<Self>,
        counts: TrueCounts,
        receipt: Receipt,
        secret: &ReleaseSecret,
        charge_id: &str,
    ) -> Result<(PublishedCounts, SpentReceipt), SpentReceipt>;
}

/// Returns what a kind asks of an engine.
pub(crate) fn asks(kind: &Kind) -> &dyn Asks {
    match kind {
        Kind::Counts(counts) => counts,
        Kind::Chosen(chosen) => chosen,
        Kind::Rows(rows) => rows,
        Kind::Points(points) => points,
    }
}

/// Returns the group that a counted cell is part of; nothing for one that is in none.
pub type GroupOfPlace = Arc<dyn Fn(u64) -> Option<u64> + Send + Sync>;

/// Returns the groups of the cells that an engine counts, where the groups that a promise is about are not the bins that
/// are counted.
pub fn groups(plan: &Plan) -> Option<GroupOfPlace> {
    match plan.kind() {
        KindPlan::Counts(_) | KindPlan::Chosen(_) | KindPlan::Rows(_) => None,
        KindPlan::Points(points) => Some(points::groups(points)),
    }
}

/// Returns how many people a release can have at most, where it writes a line for each of them.
pub fn most_people(plan: &Plan) -> Option<u64> {
    match plan.kind() {
        KindPlan::Counts(_) | KindPlan::Chosen(_) => None,
        KindPlan::Rows(_) => Some(MOST_LINES),
        KindPlan::Points(_) => Some(MOST_POINTS),
    }
}

/// Returns how a plan's kind is drawn, or why it cannot be.
pub(crate) fn draws(plan: &Plan) -> Result<Box<dyn Draws>, Refusal> {
    match plan.kind() {
        KindPlan::Counts(_) => counts::draws(plan),
        KindPlan::Chosen(chosen) => chosen::draws(plan, chosen),
        KindPlan::Rows(_) => rows::draws(plan),
        KindPlan::Points(points) => points::draws(points),
    }
}

/// Counts and rows are drawn bin by bin.
impl Draws for Bins {
    fn publish(
        self: Box<Self>,
        counts: TrueCounts,
        receipt: Receipt,
        secret: &ReleaseSecret,
        charge_id: &str,
    ) -> Result<(PublishedCounts, SpentReceipt), SpentReceipt> {
        let (protection, listing, empties) = self.protection(secret, charge_id);
        counts.protect_with(receipt, protection, listing, empties)
    }
}
