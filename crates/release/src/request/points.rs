//! Axes of published points: public cells and the grid.
//!
//! Cells come from the request alone; it must never fit them to the data. It is separate because points are moved,
//! not counted. Read `series.rs` next.

use super::bins::{Bin, BinSource, Cut, Items, Nulls, Other, read_name, refuse_twins};
use super::edges::Edges;
use super::error::RequestError;
use super::fields::Fields;
use super::number::Bounds;
use incrowd_exact::Rational;

/// One coordinate of the published points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The heading in what is published.
    pub name: String,
    /// The column of the data.
    pub column: String,
    /// The cells along this axis: numbers, never dates.
    pub edges: Edges,
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
        Ok(axes)
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        Ok(Axis {
            name: read_name(&fields.required("name")?)?,
            column: fields.required("column")?.text()?,
            edges: Edges::read_numbers(&fields.required("edges")?.list()?)?,
            step: fields.required("step")?.number(Bounds::Positive)?,
        })
    }
}
