//! Bins that draw each for itself: a sampler, and one stream of random bits for each bin.
//!
//! It must never draw twice for a bin, nor let a draw depend on anything but the secret, the bin and its count. It is
//! separate because counts and rows are both drawn so. Read `kinds.rs` next.

use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::request::CellCount;
use crate::table::listing;
use incrowd_counts::{Empties, Listing, Protection, Shown};
use incrowd_noise::{BinAddress, BinBits, BinStreams, Drawn, EmptyBins, RateError, ReleaseSecret, Sampler};
use incrowd_plan::settle::MOST_VISITED;
use incrowd_privacy::Universe;
use std::sync::Arc;

/// Each bin draws for itself.
pub(crate) struct Bins {
    sampler: Sampler,
    listing: Listing,
    empties: EmptyCells,
}

/// What happens to declared cells that nobody is in.
enum EmptyCells {
    Visited,
    Silent,
    Passing(Arc<EmptyBins>, u64),
}

impl Bins {
    /// Returns the bins of a plan, or why they cannot be drawn on such a universe.
    pub(crate) fn of(plan: &Plan) -> Result<Self, Refusal> {
        let deployed = plan.settled().deployed();
        let no_noise =
            |_: RateError| Refusal::NothingFits { mechanism: deployed.mechanism.name(), parameter: "epsilon" };
        let sampler = Sampler::new(deployed).map_err(no_noise)?;
        let empties = match (plan.request().cells(), deployed.universe) {
            // Accounted as open: a bin that nobody is in shows nothing, declared or not.
            (_, Universe::Open) => EmptyCells::Silent,
            (CellCount::Declared(cells), Universe::Closed) => match deployed.publish_from {
                None => EmptyCells::Visited,
                Some(_) => empties(plan, cells)
                    .map_err(no_noise)?
                    .ok_or(Refusal::CannotSkipEmptyBins { mechanism: deployed.mechanism.name(), cells })?,
            },
            (CellCount::Found | CellCount::Unstated, Universe::Closed) => return Err(Refusal::NoBins),
        };
        Ok(Bins { sampler, listing: listing(plan), empties })
    }

    /// Returns how this mechanism protects the bins of one charge.
    pub(crate) fn protection(self, secret: &ReleaseSecret, charge_id: &str) -> (Arc<dyn Protection>, Listing, Empties) {
        let address = |purpose| BinAddress { release: charge_id, table: "counts", purpose };
        let noise = secret.streams(&address("noise"));
        let (empties, passing) = match self.empties {
            EmptyCells::Visited => (Empties::Visited, None),
            EmptyCells::Silent => (Empties::Silent, None),
            EmptyCells::Passing(bins, cells) => {
                let bits = secret.streams(&address("places")).bin(b"places");
                let places = Places { bins: Arc::clone(&bins), next: 0, cells, bits };
                (Empties::Passed(Box::new(places)), Some(bins))
            }
        };
        (Arc::new(BinByBin { sampler: self.sampler, passing, noise }), self.listing, empties)
    }
}

fn empties(plan: &Plan, cells: u128) -> Result<Option<EmptyCells>, RateError> {
    let passing = EmptyBins::new(plan.settled().deployed())?;
    Ok(match (passing, u64::try_from(cells)) {
        (Some(passing), Ok(cells)) => Some(EmptyCells::Passing(Arc::new(passing), cells)),
        (None, Ok(_)) if cells <= MOST_VISITED => Some(EmptyCells::Visited),
        (None, Ok(_)) | (_, Err(_)) => None,
    })
}

/// Draws for each bin from its own stream.
struct BinByBin {
    sampler: Sampler,
    passing: Option<Arc<EmptyBins>>,
    noise: BinStreams,
}

impl Protection for BinByBin {
    fn show(&self, key: &[u8], count: u64) -> Shown {
        shown(self.sampler.draw(count, &mut self.noise.bin(key)))
    }

    fn show_passed(&self, key: &[u8]) -> Shown {
        let mut bits = self.noise.bin(key);
        match &self.passing {
            Some(passing) => shown(passing.draw(&mut bits)),
            // No place ever passes without them.
            None => shown(self.sampler.draw(0, &mut bits)),
        }
    }
}

pub(crate) fn shown(Drawn { outcome, side_value }: Drawn) -> Shown {
    Shown { outcome, side_value }
}

/// The places of the whole universe that pass, ascending, from a stream of their own.
struct Places {
    bins: Arc<EmptyBins>,
    next: u64,
    cells: u64,
    bits: BinBits<'static>,
}

impl Iterator for Places {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let place = self.bins.next(self.next, self.cells, &mut self.bits)?;
        self.next = place + 1;
        Some(place)
    }
}
