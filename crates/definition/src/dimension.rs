//! One dimension of a table: what is binned, into which bins, and what happens to all other values.
//!
//! A request has the text of an expression, a query its tree, and all else is the same; it must never say of one more
//! than of the other. It is separate because requests, queries, tables and the book speak of the same dimensions. Read
//! `labels.rs` next for what stands for each bin.

use crate::canonical::{fields, owned};
use crate::cut::Cut;
use crate::items::Items;
use serde_json::{Value, json};

/// One dimension of a table; `E` is an expression on one row, as a text or as what a text was read as.
///
/// A declared dimension numbers its bins: the listed ones from 0, then "other" if it is counted, then "missing" if it
/// is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dimension<E = String> {
    /// The heading in what is published; no part of what is counted.
    pub name: String,
    /// What is binned.
    pub source: BinSource<E>,
    /// Into which bins.
    pub cut: Cut,
    /// What happens to values that are in none of them.
    pub other: Other,
    /// What happens to missing values.
    pub nulls: Nulls,
    /// What of a person's values is counted.
    pub items: Items,
}

/// What is binned.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BinSource<E = String> {
    /// A column, by its exact name.
    Column(String),
    /// An expression on one row.
    Expression(E),
}

/// What happens to values that are in no listed bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// Not counted.
    NotCounted,
    /// Counted in a bin of their own.
    Counted,
}

/// What happens to missing values; NaN is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// Not counted.
    Drop,
    /// Counted in a bin of their own.
    Bin,
}

impl Nulls {
    /// All of them.
    pub const ALL: [Nulls; 2] = [Nulls::Drop, Nulls::Bin];

    /// Returns the name in a request, and in canonical texts.
    pub fn as_str(self) -> &'static str {
        match self {
            Nulls::Drop => "drop",
            Nulls::Bin => "bin",
        }
    }
}

impl<E> Dimension<E> {
    /// Returns how many bins this dimension has, symbols included, or nothing if they are found in the data.
    pub fn size(&self) -> Option<u64> {
        let symbols = u64::from(self.other == Other::Counted) + u64::from(self.nulls == Nulls::Bin);
        self.cut.listed().map(|listed| listed.saturating_add(symbols))
    }

    /// Returns the number of the bin "other".
    pub fn other_code(&self) -> Option<u64> {
        if self.other == Other::Counted { self.cut.listed() } else { None }
    }

    /// Returns the number of the bin "missing", in declared dimensions.
    pub fn null_code(&self) -> Option<u64> {
        let last = self.size()?.checked_sub(1)?;
        (self.nulls == Nulls::Bin).then_some(last)
    }

    /// Returns the same dimension of another source: what an expression's text was read as.
    pub fn with_source<T>(&self, source: BinSource<T>) -> Dimension<T> {
        let Dimension { name, source: _, cut, other, nulls, items } = self;
        Dimension { name: name.clone(), source, cut: cut.clone(), other: *other, nulls: *nulls, items: *items }
    }
}

impl Dimension {
    /// Returns the dimensions that are published of this one: itself, or both sides of a pair.
    pub fn sides(&self) -> Vec<Dimension> {
        let side = |side: u8| Dimension { name: format!("{} {side}", self.name), ..self.clone() };
        match self.items {
            Items::Each => vec![self.clone()],
            Items::Pairs => vec![side(1), side(2)],
        }
    }

    /// Returns the canonical form, without the heading.
    pub fn canonical(&self) -> Value {
        let source = match &self.source {
            BinSource::Column(column) => json!({ "column": column }),
            BinSource::Expression(expression) => json!({ "expression": expression }),
        };
        let (other, nulls) = (self.other == Other::Counted, self.nulls.as_str());
        let mut found = json!({ "source": source, "cut": self.cut.canonical(), "other": other, "nulls": nulls });
        // Only where there are pairs: dimensions without them keep their identity.
        if self.items == Items::Pairs {
            found["items"] = json!(self.items.as_str());
        }
        found
    }

    /// Returns the dimension behind a canonical form, under a heading; nothing for any other text.
    pub fn from_canonical(name: &str, dimension: &Value) -> Option<Dimension> {
        let (items, [cut, nulls, other, source]) = match fields(dimension, ["cut", "nulls", "other", "source"]) {
            Some(found) => (Items::Each, found),
            None => {
                let [items, found @ ..] = fields(dimension, ["items", "cut", "nulls", "other", "source"])?;
                (if items == Items::Pairs.as_str() { Items::Pairs } else { return None }, found)
            }
        };
        let source = match (fields(source, ["column"]), fields(source, ["expression"])) {
            (Some([column]), _) => BinSource::Column(owned(column)?),
            (None, Some([expression])) => BinSource::Expression(owned(expression)?),
            (None, None) => return None,
        };
        let nulls = Nulls::ALL.into_iter().find(|known| nulls == known.as_str())?;
        let other = if other.as_bool()? { Other::Counted } else { Other::NotCounted };
        let cut = Cut::from_canonical(cut)?;
        let possible = other == Other::NotCounted || cut.may_count_others();
        possible.then_some(Dimension { name: name.to_owned(), source, cut, other, nulls, items })
    }
}
