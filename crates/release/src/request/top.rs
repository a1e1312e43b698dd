//! The most frequent items, and what each step may spend.
//!
//! Three exact epsilons; it must never leave a step without one. It is separate because only this kind of release
//! spends in steps. Read `release_kind.rs` next.

use super::bins::{Bin, BinSource, Cut, Items, Nulls, Other};
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
    /// A public list of texts that are always candidates, whoever is in them.
    pub always: Vec<String>,
}

/// The heading of the ranks.
pub(super) const RANK: &str = "rank";

impl Top {
    /// Returns what a person is charged for all steps together.
    pub fn epsilon(&self) -> Rational {
        let counts = self.epsilon_counts.clone().unwrap_or(Rational::ZERO);
        &self.epsilon_stabilise + &self.epsilon_select + counts
    }

    /// Returns the dimension of the ranks: 1 for the item that was chosen first.
    pub(super) fn bin(&self) -> Bin {
        let ranks = 1..=i64::try_from(self.items).unwrap_or(i64::MAX);
        Bin {
            name: RANK.into(),
            source: BinSource::Column(RANK.into()),
            cut: Cut::Values(ranks.map(BinValue::Integer).collect()),
            other: Other::NotCounted,
            nulls: Nulls::Drop,
            items: Items::Each,
        }
    }

    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let epsilon = |key| fields.required(key)?.number(Bounds::PositiveEpsilon);
        let epsilon_counts = match fields.flag("counts")?.unwrap_or(false) {
            true => Some(epsilon("epsilon-counts")?),
            false if fields.has("epsilon-counts") => {
                return Err(fields.refuse_key("epsilon-counts", "`epsilon-counts` needs counts = true"));
            }
            false => None,
        };
        let mut always = Vec::new();
        for item in fields.list("always")?.unwrap_or_default() {
            match BinValue::read(&item)? {
                BinValue::Text(text) if always.contains(&text) => return Err(item.refuse("this item is listed twice")),
                BinValue::Text(text) => always.push(text),
                BinValue::Integer(_) | BinValue::Boolean(_) | BinValue::Date(_) => {
                    return Err(item
                        .refuse("`always` lists texts")
                        .hint("write the item in quotes, as it is in the data"));
                }
            }
        }
        Ok(Top {
            items: fields.required("items")?.whole(Whole::BINS_PER_PERSON)?,
            epsilon_stabilise: epsilon("epsilon-stabilise")?,
            epsilon_select: epsilon("epsilon-select")?,
            epsilon_counts,
            always,
        })
    }
}
