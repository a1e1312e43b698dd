//! The most frequent items, and what each step may spend.
//!
//! Three exact epsilons; it must never leave a step without one. It is separate because only this kind of release
//! spends in steps. Read `release_kind.rs` next.

use super::error::RequestError;
use super::fields::Fields;
use super::number::{Bounds, Whole};
use super::values::BinValue;
use incrowd_exact::Rational;

/// The most frequent items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Top {
    /// How many are published, 1 to 10^6.
    pub items: u64,
    /// What finding the candidates may spend, above 0.
    pub epsilon_stabilise: Rational,
    /// What choosing among them may spend, above 0.
    pub epsilon_select: Rational,
    /// What their counts may spend, above 0; `None` if counts are not published.
    pub epsilon_counts: Option<Rational>,
    /// A public list of items that are always candidates.
    pub always: Vec<BinValue>,
}

impl Top {
    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let epsilon = |key| fields.required(key)?.number(Bounds::PositiveEpsilon);
        let epsilon_counts = match fields.flag("counts")?.unwrap_or(false) {
            true => Some(epsilon("epsilon-counts")?),
            false if fields.has("epsilon-counts") => {
                return Err(fields.refuse_key("epsilon-counts", "`epsilon-counts` needs counts = true"));
            }
            false => None,
        };
        let always = fields.list("always")?.map(|items| BinValue::read_all(&items));
        Ok(Top {
            items: fields.required("items")?.whole(Whole::BINS_PER_PERSON)?,
            epsilon_stabilise: epsilon("epsilon-stabilise")?,
            epsilon_select: epsilon("epsilon-select")?,
            epsilon_counts,
            always: always.transpose()?.unwrap_or_default(),
        })
    }
}
