//! Edges: half-open intervals of numbers or dates, side by side.
//!
//! Equally spaced edges are kept as a rule, so that a million million bins fit; it must never hold edges that do not
//! ascend. It is separate because bins, columns and axes all have edges. Read `bins.rs` next.

use super::date::read_date;
use super::error::RequestError;
use super::fields::Item;
use super::node::Node;
use super::number::{Bounds, Whole};
use incrowd_definition::Date;
use incrowd_exact::Rational;

/// Strictly ascending edges; interval `i` goes from edge `i` up to but not edge `i + 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edges {
    /// Numbers with equal distances, however they were written.
    Regular {
        /// The first edge.
        from: Rational,
        /// The distance, above zero.
        width: Rational,
        /// How many intervals, at least one.
        intervals: u64,
    },
    /// Numbers with different distances.
    Numbers(Vec<Rational>),
    /// Days.
    Dates(Vec<Date>),
}

impl Edges {
    /// Returns how many intervals there are, at least one.
    pub fn intervals(&self) -> u64 {
        match self {
            Edges::Regular { intervals, .. } => *intervals,
            Edges::Numbers(edges) => edges.len() as u64 - 1,
            Edges::Dates(edges) => edges.len() as u64 - 1,
        }
    }

    /// Returns the number at edge `index`, from 0 to and including `intervals()`; nothing beyond, nor for dates.
    pub fn number(&self, index: u64) -> Option<Rational> {
        match self {
            Edges::Regular { from, width, intervals } => {
                (index <= *intervals).then(|| from + width * Rational::from(index))
            }
            Edges::Numbers(edges) => edges.get(usize::try_from(index).ok()?).cloned(),
            Edges::Dates(_) => None,
        }
    }

    /// Reads a list of numbers or of dates.
    pub(super) fn read(items: &[Item<'_>]) -> Result<Self, RequestError> {
        if matches!(items.first().map(Item::value), Some(Node::Day(_))) {
            let edges: Vec<Date> = items.iter().map(read_date).collect::<Result<_, _>>()?;
            ascending(items, &edges)?;
            return Ok(Edges::Dates(edges));
        }
        Self::read_numbers(items)
    }

    /// Reads a list of numbers.
    pub(super) fn read_numbers(items: &[Item<'_>]) -> Result<Self, RequestError> {
        let edges: Vec<Rational> = items.iter().map(|item| item.number(Bounds::Any)).collect::<Result<_, _>>()?;
        ascending(items, &edges)?;
        let width = &edges[1] - &edges[0];
        if edges.windows(2).all(|pair| &pair[1] - &pair[0] == width) {
            return Ok(Edges::Regular { from: edges[0].clone(), width, intervals: edges.len() as u64 - 1 });
        }
        Ok(Edges::Numbers(edges))
    }

    /// Reads `from`, `to` and `width`.
    pub(super) fn read_range(from: &Item<'_>, to: &Item<'_>, width: &Item<'_>) -> Result<Self, RequestError> {
        let (start, end) = (from.number(Bounds::Any)?, to.number(Bounds::Any)?);
        let step = width.number(Bounds::Positive)?;
        if start >= end {
            return Err(to.refuse("`to` must be above `from`"));
        }
        let intervals = (&end - &start) / &step;
        match Whole::PEOPLE.read(&intervals) {
            Some(intervals) => Ok(Edges::Regular { from: start, width: step, intervals }),
            None if Bounds::Positive.hold(&intervals) => {
                Err(width.refuse("`width` must divide the range from `from` to `to` evenly"))
            }
            None => Err(width.refuse("`width` makes more than 10^12 bins")),
        }
    }
}

fn ascending<T: Ord>(items: &[Item<'_>], edges: &[T]) -> Result<(), RequestError> {
    if edges.len() < 2 {
        let refused =
            |item: &Item<'_>| item.refuse("`edges` needs at least two edges, where the first bin starts and ends");
        return Err(items.first().map_or_else(|| RequestError::new("`edges` is an empty list"), refused));
    }
    match edges.windows(2).position(|pair| pair[0] >= pair[1]) {
        None => Ok(()),
        Some(at) => {
            Err(items[at + 1].refuse("`edges` must be strictly ascending; this one is not above the one before"))
        }
    }
}
