//! The choice of items, drawn.
//!
//! Each item passes or not by a stream of its own, the choice has one stream for all, and each count one of its own again; it
//! must never choose twice. It is separate because a choice looks at all items. Read `../top.rs` for what it costs.

use super::shown;
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::top::Steps;
use incrowd_counts::{Choice, Shown};
use incrowd_noise::{BinAddress, BinStreams, RateError, ReleaseSecret, Sampler, TopChooser};
use incrowd_privacy::{Outcome, Told};

/// The steps of a choice, ready to draw; made before anything is charged.
pub(super) struct TopMechanism {
    finding: Sampler,
    choosing: TopChooser,
    counting: Option<Sampler>,
    items: u64,
    pub(super) always: Vec<String>,
}

impl TopMechanism {
    pub(super) fn of(plan: &Plan, steps: &Steps) -> Result<Self, Refusal> {
        let no_noise = |_: RateError| Refusal::NothingFits { mechanism: "top", parameter: "epsilon" };
        Ok(TopMechanism {
            finding: Sampler::new(&plan.settled.deployed).map_err(no_noise)?,
            choosing: TopChooser::new(&steps.rate).map_err(no_noise)?,
            counting: steps.counts.as_ref().map(Sampler::new).transpose().map_err(no_noise)?,
            items: steps.items,
            always: plan.request.top().map(|top| top.always.clone()).unwrap_or_default(),
        })
    }

    pub(super) fn choice(self, secret: &ReleaseSecret, charge_id: &str) -> Box<dyn Choice> {
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
            None => Shown { outcome: Outcome::Suppressed, told: Told::Nothing },
        }
    }
}
