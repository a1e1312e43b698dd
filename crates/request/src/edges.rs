//! Edges as a request writes them: lists of numbers or dates, or a range and a width.
//!
//! It must never let edges pass that do not ascend. It is separate because bins, columns and axes all have edges. Read
//! `bins.rs` next.

use super::date::read_date;
use super::error::RequestError;
use super::fields::Item;
use super::node::Node;
use super::number::{Bounds, Whole};
use incrowd_definition::{Date, Edges};
use incrowd_exact::Rational;

/// Reads a list of numbers or of dates.
pub(super) fn read_edges(items: &[Item<'_>]) -> Result<Edges, RequestError> {
    if matches!(items.first().map(Item::value), Some(Node::Day(_))) {
        let edges: Vec<Date> = items.iter().map(read_date).collect::<Result<_, _>>()?;
        ascending(items, &edges)?;
        return Ok(Edges::Dates(edges));
    }
    read_numbers(items)
}

/// Reads a list of numbers.
pub(super) fn read_numbers(items: &[Item<'_>]) -> Result<Edges, RequestError> {
    let edges: Vec<Rational> = items.iter().map(|item| item.number(Bounds::Any)).collect::<Result<_, _>>()?;
    ascending(items, &edges)?;
    let width = &edges[1] - &edges[0];
    if edges.windows(2).all(|pair| &pair[1] - &pair[0] == width) {
        return Ok(Edges::Regular { from: edges[0].clone(), width, intervals: edges.len() as u64 - 1 });
    }
    Ok(Edges::Numbers(edges))
}

/// Reads `from`, `to` and `width`.
pub(super) fn read_range(from: &Item<'_>, to: &Item<'_>, width: &Item<'_>) -> Result<Edges, RequestError> {
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
