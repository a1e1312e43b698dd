//! The one table of everything that may be written in a request.
//!
//! Says for each key what it may hold and what it means; it must never be bypassed: the reader refuses what is not
//! here and the published schema is printed from here. It is separate so that the two cannot drift apart. Read
//! `sections.rs` next for the table itself, then `fields.rs` for how it is read.

use super::number::{Bounds, Whole};

/// What a value may look like.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// A text that is not empty.
    Text,
    /// A text, possibly empty.
    AnyText,
    /// "fewer than" and a whole number.
    FewerThan,
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Whole(Whole),
    /// A whole number, possibly below zero.
    Integer,
    /// An exact finite number.
    Number(Bounds),
    /// An exact number, or `"infinite"`.
    Epsilon,
    /// A percentage in quotes: how sure anybody may become.
    Odds,
    /// One of a closed list of names.
    Choice(fn() -> Vec<&'static str>),
    /// A text, an integer, `true`, `false` or a date.
    Value,
    /// A number or a date.
    Edge,
    /// A list that is not empty.
    List(&'static Shape),
    /// A list, possibly empty.
    AnyList(&'static Shape),
    /// Exactly two.
    Pair(&'static Shape),
    /// One of several shapes.
    AnyOf(&'static [Shape]),
    /// A section, `[name]`.
    Section(&'static Section),
    /// A repeated section, `[[name]]`.
    Repeated(&'static Section),
    /// A section whose keys are the user's own, each with such a value.
    Free(&'static Shape),
}

/// Whether a key must be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// Always.
    Required,
    /// No; leaving it out means something of its own, or another key decides.
    Optional,
    /// No; this is what holds then, as JSON.
    Default(&'static str),
}

/// One key of a section.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What it may hold.
    pub shape: Shape,
    /// Whether it must be there.
    pub need: Need,
    /// What it means, for somebody who sees it for the first time.
    pub about: &'static str,
}

impl Key {
    const fn new(name: &'static str, shape: Shape, need: Need, about: &'static str) -> Self {
        Key { name, shape, need, about }
    }

    /// A key that must be there.
    pub const fn required(name: &'static str, shape: Shape, about: &'static str) -> Self {
        Key::new(name, shape, Need::Required, about)
    }

    /// A key that may be left out.
    pub const fn optional(name: &'static str, shape: Shape, about: &'static str) -> Self {
        Key::new(name, shape, Need::Optional, about)
    }

    /// A key that may be left out, with what holds then.
    pub const fn with_default(name: &'static str, shape: Shape, default: &'static str, about: &'static str) -> Self {
        Key::new(name, shape, Need::Default(default), about)
    }
}

/// Returns two lists of keys one after the other; `N` is their length together.
pub(super) const fn joined<const N: usize>(first: &[Key], second: &[Key]) -> [Key; N] {
    let mut all = [first[0]; N];
    let mut at = 1;
    while at < N {
        all[at] = if at < first.len() { first[at] } else { second[at - first.len()] };
        at += 1;
    }
    all
}

/// A section of the request.
#[derive(Debug)]
pub(super) struct Section {
    /// As it is shown in messages: `[promise]`.
    pub title: &'static str,
    /// What the section is for.
    pub about: &'static str,
    /// All its keys.
    pub keys: &'static [Key],
}

impl Section {
    /// Returns the key of that name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Returns the section that knows this key, here or below.
    pub fn owner_of(&'static self, name: &str) -> Option<&'static Section> {
        if self.key(name).is_some() {
            return Some(self);
        }
        self.keys.iter().find_map(|key| match &key.shape {
            Shape::Section(below) | Shape::Repeated(below) => below.owner_of(name),
            Shape::AnyOf(shapes) => shapes.iter().find_map(|shape| match shape {
                Shape::Section(below) | Shape::Repeated(below) => below.owner_of(name),
                _ => None,
            }),
            _ => None,
        })
    }

    /// Returns the known key that is nearest to a misspelt one.
    pub fn nearest(&self, misspelt: &str) -> Option<&'static str> {
        nearest(self.keys.iter().map(|key| key.name), misspelt)
    }
}

/// Returns the name that is nearest to a misspelt one: one that holds it whole, else the fewest strokes away.
pub(super) fn nearest(names: impl Iterator<Item = &'static str>, misspelt: &str) -> Option<&'static str> {
    // A key of a megabyte is nobody's slip of the pen; the start decides.
    let misspelt: String = misspelt.chars().take(64).flat_map(char::to_lowercase).collect();
    let misspelt = misspelt.replace('_', "-");
    let holds = |name: &str| misspelt.len() >= 4 && name.contains(&misspelt);
    names.min_by_key(|name| (!holds(name), strsim::damerau_levenshtein(name, &misspelt), name.len()))
}
