//! The table of a request: sections of rows, points, series and top items.
//!
//! Holds words and limits only; it must never be needed to read a histogram. It is separate because each kind of
//! release has its own. Read `../release_kind.rs` next.

use crate::request::date::Truncate;
use crate::request::keys::{Key, Section, Shape};
use crate::request::number::{Bounds, Whole};
use crate::request::series::{Mode, People};

pub(super) static COLUMNS: Section = Section {
    title: "[[columns]]",
    about: "One column of the published rows, and the public rule that makes it coarser: exactly one of prefix, edges, \
        truncate, values, hierarchy or keep.",
    keys: &[
        Key::required("name", Shape::Text, "The heading of this column in what is published."),
        Key::required("column", Shape::Text, "The column of the data."),
        Key::optional("prefix", Shape::Whole(Whole::PREFIX), "Keep so many characters from the start."),
        Key::optional("edges", Shape::List(&Shape::Edge), "Strictly ascending; a value becomes its interval."),
        Key::optional(
            "truncate",
            Shape::Choice(|| Truncate::ALL.iter().map(|each| each.as_str()).collect()),
            "Cut dates to days, weeks, months or years.",
        ),
        Key::optional(
            "values",
            Shape::List(&Shape::Value),
            "Keep these values; rows with others are dropped, unless `other`.",
        ),
        Key::with_default(
            "other",
            Shape::Flag,
            "false",
            "What is not listed becomes \"other\". Needs `values` or `edges`.",
        ),
        Key::optional(
            "hierarchy",
            Shape::Text,
            "A CSV file with one value per line and its coarser and coarser names. Needs `level`.",
        ),
        Key::optional(
            "names",
            Shape::List(&Shape::Pair(&Shape::Text)),
            "Instead of a file: each value with its name, [[\"nurse\", \"care\"], [\"cook\", \"kitchen\"]].",
        ),
        Key::optional("level", Shape::Whole(Whole::PREFIX), "How many steps up the hierarchy."),
        Key::optional("keep", Shape::Flag, "Leave the column as it is."),
    ],
};

pub(super) static AXES: Section = Section {
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

pub(super) static SERIES: Section = Section {
    title: "[series]",
    about: "Counts period after period. The next run charges only periods that are not in the ledger yet.",
    keys: &[
        Key::required(
            "period",
            Shape::AnyOf(&[Shape::Text, Shape::Section(&PERIOD)]),
            "The column with the period, or { column, truncate } for a date.",
        ),
        Key::with_default(
            "mode",
            Shape::Choice(|| Mode::ALL.iter().map(|each| each.as_str()).collect()),
            "\"per-period\"",
            "Count each period for itself, or everything up to it (costs always add).",
        ),
        Key::with_default(
            "people",
            Shape::Choice(|| People::ALL.iter().map(|each| each.as_str()).collect()),
            "\"many\"",
            "Whether a person may be in many periods (costs add) or is in one only (costs the maximum; an \
                assumption, printed).",
        ),
        Key::required(
            "from",
            Shape::Value,
            "The first period of the series: a whole number, or with `truncate` a date.",
        ),
        Key::required("up-to", Shape::Value, "The last period of this run."),
        Key::optional(
            "after",
            Shape::Value,
            "The last period that was released before; `release` takes it from the ledger if it is not given.",
        ),
    ],
};

static PERIOD: Section = Section {
    title: "[series] period",
    about: "A period cut from a date.",
    keys: &[
        Key::required("column", Shape::Text, "The column with the date."),
        Key::required(
            "truncate",
            Shape::Choice(|| Truncate::ALL.iter().map(|each| each.as_str()).collect()),
            "What a period is.",
        ),
    ],
};

pub(super) static TOP: Section = Section {
    title: "[top]",
    about: "The most frequent items: first stabilise the list of items, then select, then count.",
    keys: &[
        Key::required("items", Shape::Whole(Whole::BINS_PER_PERSON), "How many items are published."),
        Key::with_default("counts", Shape::Flag, "false", "Whether noisy counts are published too."),
        Key::required("epsilon-stabilise", Shape::Number(Bounds::PositiveEpsilon), "What finding the items may spend."),
        Key::required(
            "epsilon-select",
            Shape::Number(Bounds::PositiveEpsilon),
            "What choosing among them may spend, spread evenly over the items.",
        ),
        Key::optional(
            "epsilon-counts",
            Shape::Number(Bounds::PositiveEpsilon),
            "What their counts may spend. With counts = true.",
        ),
        Key::optional(
            "always",
            Shape::List(&Shape::Text),
            "A public list of texts that are always candidates. With one bin whose values are found.",
        ),
    ],
};
