//! Axes of published points: public cells and the grid.
//!
//! Cells come from the request alone; it must never fit them to the data. It is separate because points are moved,
//! not counted. Read `series.rs` next.

use super::bins::{Bin, BinSource, Cut, Items, Nulls, Other, read_name, refuse_twins};
use super::edges::Edges;
use super::error::RequestError;
use super::fields::{Fields, Item};
use super::number::Bounds;
use incrowd_exact::Rational;

/// One coordinate of the published points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The heading in what is published.
    pub name: String,
    /// The column of the data.
    pub column: String,
    /// The cells along this axis: numbers, never dates. Of boxes, all their ends.
    pub edges: Edges,
    /// The sides of boxes along this axis, from and to; the boxes of all axes are numbered alike. None: every cell is a box.
    pub boxes: Vec<(Rational, Rational)>,
    /// The grid on which points are published, above 0.
    pub step: Rational,
}

impl Axis {
    /// Returns the edges of the cells along this axis, ascending.
    pub fn all_edges(&self) -> Vec<Rational> {
        (0..=self.edges.intervals()).filter_map(|index| self.edges.number(index)).collect()
    }

    /// Returns the dimension of the published coordinates: whatever the noise makes of them.
    pub(super) fn bin(&self) -> Bin {
        Bin {
            name: self.name.clone(),
            source: BinSource::Column(self.column.clone()),
            cut: Cut::Found,
            other: Other::NotCounted,
            nulls: Nulls::Drop,
            items: Items::Each,
        }
    }

    pub(super) fn read_all(sections: &[Fields<'_>]) -> Result<Vec<Self>, RequestError> {
        let axes: Vec<Axis> = sections.iter().map(Axis::read).collect::<Result<_, _>>()?;
        refuse_twins(sections, axes.iter().map(|axis| &axis.name))?;
        let sides = axes.first().map_or(0, |axis| axis.boxes.len());
        if let Some((_, fields)) = axes.iter().zip(sections).find(|(axis, _)| axis.boxes.len() != sides) {
            let message = "every axis has one side of each box: as many `boxes` on all axes, or `edges` on all";
            return Err(fields.refuse(message));
        }
        Ok(axes)
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let (edges, boxes) = match (fields.item("edges"), fields.item("boxes")) {
            (Some(_), Some(_)) => {
                return Err(fields.refuse_key("boxes", "an axis has either `edges` or `boxes`, not both"));
            }
            (None, Some(item)) => read_boxes(&item)?,
            (_, None) => (Edges::read_numbers(&fields.required("edges")?.list()?)?, Vec::new()),
        };
        Ok(Axis {
            name: read_name(&fields.required("name")?)?,
            column: fields.required("column")?.text()?,
            edges,
            boxes,
            step: fields.required("step")?.number(Bounds::Positive)?,
        })
    }
}

/// Reads the sides of boxes, and the edges of all of them.
fn read_boxes(item: &Item<'_>) -> Result<(Edges, Vec<(Rational, Rational)>), RequestError> {
    let mut boxes = Vec::new();
    for side in item.list()? {
        let (from, to) = side.pair("[from, to]")?;
        let (from, to) = (from.number(Bounds::Any)?, to.number(Bounds::Any)?);
        if from >= to {
            return Err(side.refuse("the side of a box goes from a smaller number to a larger one"));
        }
        boxes.push((from, to));
    }
    let mut ends: Vec<Rational> = boxes.iter().flat_map(|(from, to)| [from.clone(), to.clone()]).collect();
    ends.sort();
    ends.dedup();
    Ok((Edges::Numbers(ends), boxes))
}
