//! The most frequent items, drawn.
//!
//! Each item passes or not by a stream of its own, the choice has one stream for all, and each count one of its own
//! again; it must never choose twice. It is separate because a choice looks at all items. Read `plan/kinds/chosen.rs`
//! for what it costs.

use super::{Asks, Draws};
use crate::bin_by_bin::shown;
use crate::dimension::with_expression;
use crate::failure::ReleaseFailure;
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::request;
use incrowd_counts::{Choice, PublishedCounts, Shown, TrueCounts};
use incrowd_engine::{BinSource, Dimension, Expression, Time, Type};
use incrowd_ledger::{Receipt, SpentReceipt};
use incrowd_noise::{BinAddress, BinStreams, RateError, ReleaseSecret, Sampler, TopChooser};
use incrowd_plan::kinds::ChosenPlan;
use incrowd_privacy::{Outcome, SideValue};

impl Asks for request::Chosen {
    /// What an item is: ranks are not in the data.
    fn dimensions(&self) -> Result<Vec<Dimension<Expression>>, ReleaseFailure> {
        let mut items = self.counted().iter().map(with_expression).collect::<Result<Vec<_>, _>>()?;
        if !self.always.is_empty() {
            items.iter_mut().for_each(|item| item.source = as_text(&item.source));
        }
        Ok(items)
    }

    fn time(&self) -> Option<Time> {
        None
    }

    fn groups_are_bins(&self) -> bool {
        false
    }
}

/// Items that the request names are texts, and so are all others beside them.
fn as_text(source: &BinSource<Expression>) -> BinSource<Expression> {
    let value = match source {
        BinSource::Column(column) => Expression::Column(column.clone()),
        BinSource::Expression(expression) => expression.clone(),
    };
    BinSource::Expression(Expression::Cast(Box::new(value), Type::Text))
}

/// The steps of a choice, ready to draw.
struct TopMechanism {
    finding: Sampler,
    choosing: TopChooser,
    counting: Option<Sampler>,
    items: u64,
    always: Vec<String>,
}

/// Finds candidates, chooses among them, and draws the counts of what was chosen.
pub(super) fn draws(plan: &Plan, chosen: &ChosenPlan) -> Result<Box<dyn Draws>, Refusal> {
    let no_noise = |_: RateError| Refusal::NothingFits { mechanism: "top", parameter: "epsilon" };
    let counting = chosen.counts.as_ref().map(|noise| Sampler::new(&noise.deployed));
    Ok(Box::new(TopMechanism {
        finding: Sampler::new(plan.settled().deployed()).map_err(no_noise)?,
        choosing: TopChooser::new(&chosen.rate).map_err(no_noise)?,
        counting: counting.transpose().map_err(no_noise)?,
        items: chosen.items(),
        always: chosen.always().to_vec(),
    }))
}

impl Draws for TopMechanism {
    fn publish(
        self: Box<Self>,
        counts: TrueCounts,
        receipt: Receipt,
        secret: &ReleaseSecret,
        charge_id: &str,
    ) -> Result<(PublishedCounts, SpentReceipt), SpentReceipt> {
        counts.choose_with(receipt, self.always.clone(), self.choice(secret, charge_id))
    }
}

impl TopMechanism {
    fn choice(self, secret: &ReleaseSecret, charge_id: &str) -> Box<dyn Choice> {
        let streams = |purpose| secret.streams(&BinAddress { release: charge_id, table: "top", purpose });
        Box::new(Drawing {
            finds: streams("finding"),
            chooses: streams("choosing"),
            counts: streams("counting"),
            mechanism: self,
        })
    }
}

struct Drawing {
    mechanism: TopMechanism,
    finds: BinStreams,
    chooses: BinStreams,
    counts: BinStreams,
}

impl Choice for Drawing {
    fn is_candidate(&mut self, key: &[u8], count: u64) -> bool {
        self.mechanism.finding.draw(count, &mut self.finds.bin(key)).outcome != Outcome::Suppressed
    }

    fn choose(&mut self, counts: &[u64]) -> Vec<usize> {
        self.mechanism.choosing.choose(counts, self.mechanism.items, &mut self.chooses.bin(b"items"))
    }

    fn show(&mut self, key: &[u8], count: u64) -> Shown {
        match &self.mechanism.counting {
            Some(sampler) => shown(sampler.draw(count, &mut self.counts.bin(key))),
            None => Shown { outcome: Outcome::Suppressed, side_value: SideValue::Nothing },
        }
    }
}
