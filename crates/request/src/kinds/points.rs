//! Noisy points, `release = "points"`: axes with public cells and the grid.
//!
//! What is counted are places of the grid within cells, and what is published are places to which noise has moved them.
//! Cells come from the request alone; it must never fit them to the data. It is separate because points are moved, not
//! counted. Read `../identity.rs` next.

use super::{Asked, Kind, KindName, KindOfRelease, Names, named, only_crowd_blending};
use crate::bins::{read_name, refuse_twins};
use crate::edges::read_numbers;
use crate::error::RequestError;
use crate::fields::{Fields, Item};
use crate::key_column::KeyColumn;
use crate::keys::{Key, Section, Shape};
use crate::node::Node;
use crate::number::Bounds;
use crate::parts_node::{Texts, Written, edges as edge_nodes, list};
use crate::promise::PromiseRequest;
use incrowd_definition::canonical::number;
use incrowd_definition::{Dimension, Edges};
use incrowd_exact::Rational;
use incrowd_privacy::Promise;
use serde_json::{Value, json};

/// Noisy points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    /// The coordinates; at least one.
    pub axes: Vec<Axis>,
}

/// One coordinate of the published points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The heading in what is published.
    pub name: String,
    /// The column of the data.
    pub column: String,
    /// The cells along this axis: numbers, never dates. Of boxes, all their ends.
    pub edges: Edges,
    /// The sides of boxes along this axis, from and to; the boxes of all axes are numbered alike. None: every cell is
    /// a box.
    pub boxes: Vec<(Rational, Rational)>,
    /// The grid on which points are published, above 0.
    pub step: Rational,
}

pub(super) static POINTS: KindName = KindName {
    name: "points",
    sections: &["axes"],
    read: Points::read,
    write: |axes, written| {
        written.put("axes", list(axes, from_canonical)?);
        Some(())
    },
};

pub(super) const KEY: Key =
    Key::optional("axes", Shape::Repeated(&AXES), "With release = \"points\": the coordinates, and the public cells.");

static AXES: Section = Section {
    title: "[[axes]]",
    about: "One coordinate of the published points. Cells are the product of all axes.",
    keys: &[
        Key::required("name", Shape::Text, "The heading of this coordinate in what is published."),
        Key::required("column", Shape::Text, "The column of the data."),
        Key::optional(
            "edges",
            Shape::List(&Shape::Number(Bounds::Any)),
            "The public cells along this axis, strictly ascending; points outside are dropped.",
        ),
        Key::optional(
            "boxes",
            Shape::List(&Shape::Pair(&Shape::Number(Bounds::Any))),
            "Instead of `edges`: the sides [from, to] of public boxes along this axis, the first side of each axis being the \
                first box and so on; boxes may have any sizes and must not overlap.",
        ),
        Key::required("step", Shape::Number(Bounds::Positive), "The grid on which points are published."),
    ],
};

impl Points {
    fn read(asked: &Asked<'_>) -> Result<Kind, RequestError> {
        match Axis::read_all(&asked.repeated("axes")?)? {
            axes if axes.is_empty() => Err(asked.needs("[[axes]]")),
            axes => Ok(Kind::Points(Points { axes })),
        }
    }
}

impl KindOfRelease for Points {
    fn name(&self) -> &'static str {
        POINTS.name
    }

    fn written(&self) -> &[Dimension] {
        &[]
    }

    /// Points have none: the section belongs to other kinds.
    fn take_bins(&mut self, _bins: Vec<Dimension>, _fields: &Fields<'_>) -> Result<(), RequestError> {
        Ok(())
    }

    fn published(&self) -> Vec<KeyColumn<'_>> {
        self.axes.iter().map(|axis| KeyColumn::Drawn { name: &axis.name, column: &axis.column }).collect()
    }

    fn canonical(&self, names: Names) -> Value {
        let axes = self.axes.iter().map(|axis| match names {
            Names::Kept => named(&axis.name, axis.canonical()),
            Names::Dropped => axis.canonical(),
        });
        axes.collect()
    }

    fn add_run(&self, _canonical: &mut Value) {}

    fn check_promise(&self, request: &PromiseRequest, promise: &Fields<'_>) -> Result<(), RequestError> {
        match &request.promise {
            Promise::CrowdBlending { .. } => Ok(()),
            Promise::DifferentialPrivacy { .. }
            | Promise::Group { .. }
            | Promise::SimpleOutlier { .. }
            | Promise::SimpleOutlierDp { .. }
            | Promise::Staircase { .. }
            | Promise::Linear { .. }
            | Promise::Fading { .. }
            | Promise::Table { .. } => Err(only_crowd_blending(self, promise)),
        }
    }

    fn takes_a_mechanism(&self) -> bool {
        false
    }

    fn may_count_pairs(&self) -> bool {
        false
    }
}

impl Axis {
    /// Returns the edges of the cells along this axis, ascending.
    pub fn all_edges(&self) -> Vec<Rational> {
        (0..=self.edges.intervals()).filter_map(|index| self.edges.number(index)).collect()
    }

    fn canonical(&self) -> Value {
        if self.boxes.is_empty() {
            return json!({ "column": self.column, "edges": self.edges.canonical(), "step": number(&self.step) });
        }
        let sides: Vec<Value> = self.boxes.iter().map(|(from, to)| json!([number(from), number(to)])).collect();
        json!({ "column": self.column, "boxes": sides, "step": number(&self.step) })
    }

    fn read_all(sections: &[Fields<'_>]) -> Result<Vec<Self>, RequestError> {
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
            (_, None) => (read_numbers(&fields.required("edges")?.list()?)?, Vec::new()),
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

/// An axis of points.
fn from_canonical(axis: &Value) -> Option<Node<'_>> {
    let mut written = Written::default();
    for key in ["name", "column"] {
        written.put_text(key, axis.get(key)?)?;
    }
    written.put_given("step", axis.get("step")?, Texts::Numbers)?;
    match axis.get("boxes") {
        Some(boxes) => written.put_given("boxes", boxes, Texts::Numbers)?,
        None => written.put("edges", edge_nodes(&Edges::from_canonical(axis.get("edges")?)?)?),
    }
    Some(written.done())
}
