//! Statistics of a number, from a published table by bands of it: which number, and which quantiles.
//!
//! Post-processing like all of `[output]`: it must never change what is promised, or ask for anything of the data. It
//! is separate from `output.rs` because it asks for totals, too. Read `incrowd_plan`'s `statistics.rs` for when there
//! are any.

use super::error::{RequestError, quoted};
use super::fields::Fields;
use super::key_column::KeyColumn;
use super::number::Bounds;
use incrowd_exact::Rational;

/// Statistics of a number, by the sets of bins of the totals and over all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BandStatistics {
    /// The bin that has the bands.
    pub of: String,
    /// The shares of people below each quantile: at least one, each once, ascending.
    pub quantiles: Vec<Rational>,
}

impl BandStatistics {
    /// What is said of quantiles that are none.
    pub const NO_QUANTILES: &str =
        "quantiles are at most 20 different numbers between 0 and 1, fractions with a denominator up to 1000";
    /// The most quantiles.
    pub const MOST_QUANTILES: usize = 20;
    /// The largest denominator of a quantile.
    pub const LARGEST_DENOMINATOR: u32 = 1000;

    /// Returns what is asked for where only the bin is named: the quartiles.
    pub fn of(bin: impl Into<String>) -> BandStatistics {
        let quarter = |parts: u8| Rational::from(parts) / Rational::from(4u8);
        BandStatistics { of: bin.into(), quantiles: [1, 2, 3].map(quarter).to_vec() }
    }

    /// Returns the same with these quantiles, put in order; nothing for none, too many, one that is said twice, is not
    /// between 0 and 1, or has a longer denominator.
    pub fn with_quantiles(self, mut quantiles: Vec<Rational>) -> Option<BandStatistics> {
        quantiles.sort();
        let is_one = |quantile: &Rational| {
            let denominator = u32::try_from(quantile.denominator()).unwrap_or(u32::MAX);
            Bounds::Chance.hold(quantile) && denominator <= Self::LARGEST_DENOMINATOR
        };
        let twice = quantiles.windows(2).any(|two| two[0] == two[1]);
        let some = (1..=Self::MOST_QUANTILES).contains(&quantiles.len());
        let are_some = some && !twice && quantiles.iter().all(is_one);
        are_some.then_some(BandStatistics { quantiles, ..self })
    }

    pub(super) fn read(fields: &Fields<'_>, bins: &[KeyColumn<'_>]) -> Result<Option<Self>, RequestError> {
        let quantiles = fields.item("quantiles");
        let Some(item) = fields.item("statistics") else {
            return match quantiles {
                None => Ok(None),
                Some(quantiles) => Err(quantiles
                    .refuse("quantiles are made of a table by bands of a number, and none is named")
                    .hint("statistics = \"salary\", if that is the bin with the bands")),
            };
        };
        let of = item.text()?;
        if !bins.iter().any(|bin| bin.name() == of) {
            return Err(item.refuse(format!("there is no bin named {}", quoted(&of))));
        }
        let statistics = BandStatistics::of(of);
        let Some(list) = quantiles else { return Ok(Some(statistics)) };
        let quantiles = list.list()?.iter().map(|entry| entry.number(Bounds::Chance)).collect::<Result<Vec<_>, _>>()?;
        let refused = || list.refuse(Self::NO_QUANTILES).hint("quantiles = [0.1, 0.5, 0.9], where 0.5 is the median");
        statistics.with_quantiles(quantiles).map(Some).ok_or_else(refused)
    }
}
