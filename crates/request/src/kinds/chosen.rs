//! The most frequent items, `release = "top"`: how many, and what each step may spend.
//!
//! What is counted are the items, and what is published are those that were chosen, by their rank; it must never
//! leave a step without an epsilon of its own. It is separate because only this kind of release spends in steps. Read
//! `rows.rs` next.

use super::{Asked, Kind, KindName, KindOfRelease, Names};
use crate::error::RequestError;
use crate::fields::Fields;
use crate::key_column::KeyColumn;
use crate::keys::{Key, Section, Shape};
use crate::node::Node;
use crate::number::{Bounds, Whole};
use crate::parts_node::{Texts, Written};
use crate::promise::PromiseRequest;
use crate::values::read_value;
use incrowd_definition::canonical::number;
use incrowd_definition::{BinValue, Cut, Dimension, Nulls};
use incrowd_exact::Rational;
use serde_json::{Value, json};

/// The most frequent items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
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
    written: Vec<Dimension>,
    counted: Vec<Dimension>,
}

/// The heading of the ranks: 1 for the item that was chosen first.
const RANK: &str = "rank";

pub(super) static TOP: KindName = KindName {
    name: "top",
    sections: &["bins", "top"],
    read: |asked: &Asked<'_>| Ok(Kind::Chosen(Chosen::read(&asked.section("top")?)?)),
    write: |steps, written| {
        written.put("top", from_canonical(steps)?);
        Some(())
    },
};

pub(super) const KEY: Key = Key::optional(
    "top",
    Shape::Section(&SECTION),
    "With release = \"top\": how many items, and what each step may spend.",
);

static SECTION: Section = Section {
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

impl Chosen {
    /// Returns the dimensions that are counted: what an item is, of pairs both sides.
    pub fn counted(&self) -> &[Dimension] {
        &self.counted
    }

    /// Returns what an item is, as the request writes it.
    pub fn items_are(&self) -> &[Dimension] {
        &self.written
    }

    /// Returns what a person is charged for all steps together.
    pub fn epsilon(&self) -> Rational {
        let counts = self.epsilon_counts.clone().unwrap_or(Rational::ZERO);
        &self.epsilon_stabilise + &self.epsilon_select + counts
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
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
            match read_value(&item)? {
                BinValue::Text(text) if always.contains(&text) => return Err(item.refuse("this item is listed twice")),
                BinValue::Text(text) => always.push(text),
                BinValue::Integer(_) | BinValue::Boolean(_) | BinValue::Date(_) => {
                    return Err(item
                        .refuse("`always` lists texts")
                        .hint("write the item in quotes, as it is in the data"));
                }
            }
        }
        Ok(Chosen {
            items: fields.required("items")?.whole(Whole::BINS_PER_PERSON)?,
            epsilon_stabilise: epsilon("epsilon-stabilise")?,
            epsilon_select: epsilon("epsilon-select")?,
            epsilon_counts,
            always,
            written: Vec::new(),
            counted: Vec::new(),
        })
    }
}

impl KindOfRelease for Chosen {
    fn name(&self) -> &'static str {
        TOP.name
    }

    fn written(&self) -> &[Dimension] {
        &self.written
    }

    fn take_bins(&mut self, bins: Vec<Dimension>, fields: &Fields<'_>) -> Result<(), RequestError> {
        let sides: Vec<Dimension> = bins.iter().flat_map(Dimension::sides).collect();
        if sides.is_empty() {
            return Err(fields.refuse("release = \"top\" needs [[bins]]: what an item is"));
        }
        if sides.iter().any(|bin| bin.name == RANK) {
            return Err(fields.refuse_key("bins", "the published table already has a column \"rank\""));
        }
        if !self.always.is_empty()
            && !matches!(sides.as_slice(), [Dimension { cut: Cut::Found, nulls: Nulls::Drop, .. }])
        {
            let message = "`always` needs one bin whose values are found in the data";
            return Err(fields.refuse_key("top", message).hint("leave `values`, `edges` and `nulls` out"));
        }
        (self.written, self.counted) = (bins, sides);
        Ok(())
    }

    /// The rank, then the item.
    fn published(&self) -> Vec<KeyColumn<'_>> {
        let rank = KeyColumn::Numbered { name: RANK, last: self.items };
        [rank].into_iter().chain(self.counted.iter().map(KeyColumn::Counted)).collect()
    }

    fn canonical(&self, names: Names) -> Value {
        match names {
            Names::Kept => json!({
                "items": self.items,
                "epsilon-stabilise": number(&self.epsilon_stabilise),
                "epsilon-select": number(&self.epsilon_select),
                "epsilon-counts": self.epsilon_counts.as_ref().map(number),
                "always": self.always,
            }),
            // How items are chosen is no matter of what is counted; that they are chosen is.
            Names::Dropped => json!("top"),
        }
    }

    fn add_run(&self, _canonical: &mut Value) {}

    fn check_promise(&self, _request: &PromiseRequest, _promise: &Fields<'_>) -> Result<(), RequestError> {
        Ok(())
    }

    fn takes_a_mechanism(&self) -> bool {
        false
    }

    fn may_count_pairs(&self) -> bool {
        true
    }
}

/// The steps of a choice of items.
fn from_canonical(top: &Value) -> Option<Node<'_>> {
    let mut written = Written::default();
    written.put_given("items", top.get("items")?, Texts::Plain)?;
    for key in ["epsilon-stabilise", "epsilon-select", "epsilon-counts"] {
        written.put_given(key, top.get(key)?, Texts::Numbers)?;
    }
    if !top.get("epsilon-counts")?.is_null() {
        written.put("counts", Node::Flag(true));
    }
    let always = top.get("always")?;
    if !always.as_array()?.is_empty() {
        written.put_given("always", always, Texts::Plain)?;
    }
    Some(written.done())
}
