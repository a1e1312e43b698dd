//! Reads one section of a request: only keys that the table knows, each value with its place in the text.
//!
//! Numbers are taken from the digits in the text; it must never see a float. It is separate so that the sections'
//! readers say what they want and not how it is written. Read `bins.rs` or `promise.rs` next.

use super::error::{RequestError, quoted};
use super::keys::{Key, Section, Shape, nearest};
use super::node::{Entry, Node, Placed};
use super::number::{Bounds, Whole, read_integer};
use super::tried::instead_of_key;
use incrowd_exact::{NumberError, Rational, parse_number};
use incrowd_privacy::Epsilon;
use std::ops::Range;

/// Most entries that a list may have.
const MAX_LIST: usize = 1 << 17;

/// A section as it was written, known to hold known keys only.
pub(super) struct Fields<'a> {
    /// All sections, to name the one that a misplaced key belongs to.
    request: &'static Section,
    section: &'static Section,
    entries: &'a [Entry<'a>],
    span: Option<Range<usize>>,
}

impl<'a> Fields<'a> {
    /// Returns the whole request, or an error that names the nearest known key.
    pub fn of_request(request: &'static Section, root: &'a Placed<'a>) -> Result<Self, RequestError> {
        Item { name: "request", placed: root }.section(request, request)
    }

    fn new(
        request: &'static Section,
        section: &'static Section,
        entries: &'a [Entry<'a>],
        span: Option<Range<usize>>,
    ) -> Result<Self, RequestError> {
        let unknown = entries.iter().filter(|entry| section.key(&entry.key).is_none());
        match unknown.min_by_key(|entry| entry.span.as_ref().map(|span| span.start)) {
            None => Ok(Fields { request, section, entries, span }),
            Some(entry) => Err(unknown_key(request, section, entry).at(entry.span.clone())),
        }
    }

    fn entry(&self, key: &str) -> Option<&'a Entry<'a>> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Returns what was written for a key.
    pub fn item(&self, key: &'static str) -> Option<Item<'a>> {
        self.entry(key).map(|entry| Item { name: key, placed: &entry.value })
    }

    /// Returns whether the key was written.
    pub fn has(&self, key: &'static str) -> bool {
        self.entry(key).is_some()
    }

    /// Returns the keys that were written, in the order of the table.
    pub fn written(&self) -> impl Iterator<Item = &'static Key> {
        self.section.keys.iter().filter(|key| self.entry(key.name).is_some())
    }

    /// Returns what was written for a key that must be there.
    pub fn required(&self, key: &'static str) -> Result<Item<'a>, RequestError> {
        self.item(key)
            .ok_or_else(|| self.refuse(format!("{} needs {}", self.section.title, quoted(key))).hint(self.about(key)))
    }

    /// Returns what a key of the section means.
    pub fn about(&self, key: &str) -> &'static str {
        self.section.key(key).map_or("", |key| key.about)
    }

    /// Returns an error about the section.
    pub fn refuse(&self, message: impl Into<String>) -> RequestError {
        RequestError::new(message).at(self.span.clone())
    }

    /// Returns an error about a key that should not be there.
    pub fn refuse_key(&self, key: &str, message: impl Into<String>) -> RequestError {
        match self.entry(key) {
            Some(entry) => RequestError::new(message).at(entry.span.clone()),
            None => self.refuse(message),
        }
    }

    /// Returns an error about the value of a key, or about the section if the key was left out.
    pub fn refuse_value(&self, key: &str, message: impl Into<String>) -> RequestError {
        match self.entry(key) {
            Some(entry) => RequestError::new(message).at(entry.value.span.clone()),
            None => self.refuse(message),
        }
    }

    /// Returns the section below, if it was written.
    pub fn section(&self, key: &'static str) -> Result<Option<Fields<'a>>, RequestError> {
        self.item(key).map(|item| item.section(self.request, self.below(key))).transpose()
    }

    /// Returns the repeated sections below, in order.
    pub fn repeated(&self, key: &'static str) -> Result<Vec<Fields<'a>>, RequestError> {
        let Some(item) = self.item(key) else { return Ok(Vec::new()) };
        let below = self.below(key);
        let Node::List(entries) = item.value() else {
            return Err(item.refuse(format!("{} is written in double brackets", below.title)));
        };
        entries.iter().map(|placed| Item { name: key, placed }.section(self.request, below)).collect()
    }

    fn below(&self, key: &'static str) -> &'static Section {
        match self.section.key(key).map(|key| &key.shape) {
            Some(Shape::Section(below) | Shape::Repeated(below)) => below,
            Some(Shape::AnyOf([_, Shape::Section(below)])) => below,
            _ => self.section,
        }
    }

    /// Returns the section below for a key that may also hold something else.
    pub fn inline(&self, key: &'static str, item: &Item<'a>) -> Result<Fields<'a>, RequestError> {
        item.section(self.request, self.below(key))
    }

    /// Returns a text.
    pub fn text(&self, key: &'static str) -> Result<Option<String>, RequestError> {
        self.item(key).map(|item| item.text()).transpose()
    }

    /// Returns `true` or `false`.
    pub fn flag(&self, key: &'static str) -> Result<Option<bool>, RequestError> {
        self.item(key).map(|item| item.flag()).transpose()
    }

    /// Returns a whole number.
    pub fn whole(&self, key: &'static str, limits: Whole) -> Result<Option<u64>, RequestError> {
        self.item(key).map(|item| item.whole(limits)).transpose()
    }

    /// Returns an exact number.
    pub fn number(&self, key: &'static str, bounds: Bounds) -> Result<Option<Rational>, RequestError> {
        self.item(key).map(|item| item.number(bounds)).transpose()
    }

    /// Returns an exact number or infinity.
    pub fn epsilon(&self, key: &'static str) -> Result<Option<Epsilon>, RequestError> {
        self.item(key).map(|item| item.epsilon()).transpose()
    }

    /// Returns the entries of a list that is not empty.
    pub fn list(&self, key: &'static str) -> Result<Option<Vec<Item<'a>>>, RequestError> {
        self.item(key).map(|item| item.list()).transpose()
    }

    /// Returns one of a closed list of choices.
    pub fn choice<T: Copy>(
        &self,
        key: &'static str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Result<Option<T>, RequestError> {
        self.item(key).map(|item| item.choice(all, name)).transpose()
    }
}

fn unknown_key(request: &'static Section, section: &'static Section, entry: &Entry<'_>) -> RequestError {
    let key: &str = &entry.key;
    let error = RequestError::new(format!("there is no key {} in {}", quoted(key), section.title));
    if let Some(instead) = instead_of_key(section.title, key, &entry.value.node) {
        return error.hint(instead);
    }
    if let Some(owner) = request.owner_of(key) {
        let place = if std::ptr::eq(owner, request) { "at the top, before any section" } else { owner.title };
        return error.hint(format!("{} belongs {}{place}", quoted(key), if place == owner.title { "in " } else { "" }));
    }
    let known: Vec<&str> = section.keys.iter().map(|key| key.name).collect();
    match section.nearest(key) {
        Some(near) => error.hint(format!("did you mean `{near}`? {} takes: {}", section.title, known.join(", "))),
        None => error,
    }
}

/// A value as it was written, and where.
#[derive(Clone)]
pub(super) struct Item<'a> {
    name: &'static str,
    placed: &'a Placed<'a>,
}

impl<'a> Item<'a> {
    /// The value itself, for shapes that only one section knows.
    pub fn value(&self) -> &'a Node<'a> {
        &self.placed.node
    }

    /// Returns an error about this value.
    pub fn refuse(&self, message: impl Into<String>) -> RequestError {
        RequestError::new(message).at(self.placed.span.clone())
    }

    fn wrong(&self, wanted: &str) -> RequestError {
        self.refuse(format!("`{}` must be {wanted}, not {}", self.name, self.value().words()))
    }

    /// Returns a text that is not empty.
    pub fn text(&self) -> Result<String, RequestError> {
        match self.value() {
            Node::Text(text) if text.trim().is_empty() => Err(self.refuse(format!("`{}` is empty", self.name))),
            Node::Text(text) => Ok(text.to_string()),
            _ => Err(self.wrong("a text in quotes")),
        }
    }

    /// Returns `true` or `false`.
    pub fn flag(&self) -> Result<bool, RequestError> {
        match self.value() {
            Node::Flag(flag) => Ok(*flag),
            _ => Err(self.wrong("true or false")),
        }
    }

    /// Returns the entries of a list that is not empty.
    pub fn list(&self) -> Result<Vec<Item<'a>>, RequestError> {
        let Node::List(entries) = self.value() else { return Err(self.wrong("a list")) };
        if entries.is_empty() {
            return Err(self.refuse(format!("`{}` is an empty list", self.name)).hint("leave the key out, or fill it"));
        }
        if entries.len() > MAX_LIST {
            return Err(self.refuse(format!("`{}` has more than {MAX_LIST} entries", self.name)));
        }
        Ok(entries.iter().map(|placed| Item { name: self.name, placed }).collect())
    }

    /// Returns the two entries of a pair.
    pub fn pair(&self, wanted: &str) -> Result<(Item<'a>, Item<'a>), RequestError> {
        let entries: Result<[Item<'a>; 2], _> = self.list()?.try_into();
        match entries {
            Ok([first, second]) => Ok((first, second)),
            Err(_) => Err(self.refuse(format!("`{}` must be two numbers, {wanted}", self.name))),
        }
    }

    /// Returns the entries of a section whose keys are the user's own, named after `name` in messages.
    pub fn entries(&self, name: &'static str) -> impl Iterator<Item = (String, Item<'a>)> {
        let entries = match self.value() {
            Node::Section(entries) => entries.as_slice(),
            _ => &[],
        };
        entries.iter().map(move |entry| (entry.key.to_string(), Item { name, placed: &entry.value }))
    }

    fn section(&self, request: &'static Section, section: &'static Section) -> Result<Fields<'a>, RequestError> {
        match self.value() {
            Node::Section(entries) => Fields::new(request, section, entries, self.placed.span.clone()),
            _ => Err(self.refuse(format!("`{}` must be a section, {}", self.name, section.title))),
        }
    }

    /// Returns one of a closed list of choices.
    pub fn choice<T: Copy>(&self, all: &[T], name: fn(T) -> &'static str) -> Result<T, RequestError> {
        let names = || all.iter().map(|each| name(*each));
        let listed = names().collect::<Vec<_>>().join(", ");
        let Node::Text(text) = self.value() else { return Err(self.wrong("a name in quotes").hint(listed)) };
        match all.iter().find(|each| name(**each) == text) {
            Some(found) => Ok(*found),
            None => {
                let error = self.refuse(format!("`{}` cannot be {}", self.name, quoted(text)));
                let near = nearest(names(), text).unwrap_or_default();
                Err(error.hint(format!("did you mean `{near}`? It is one of: {listed}")))
            }
        }
    }

    /// Returns a whole number within limits.
    pub fn whole(&self, limits: Whole) -> Result<u64, RequestError> {
        let wanted = || self.refuse(format!("`{}` must be {}", self.name, limits.words()));
        limits.read(&self.finite()?).ok_or_else(wanted)
    }

    /// Returns a whole number within 10^12 either way.
    pub fn integer(&self) -> Result<i64, RequestError> {
        let wanted = || self.refuse(format!("`{}` must be a whole number between -10^12 and 10^12", self.name));
        read_integer(&self.finite()?).ok_or_else(wanted)
    }

    /// Returns an exact number within bounds.
    pub fn number(&self, bounds: Bounds) -> Result<Rational, RequestError> {
        let value = self.finite()?;
        if bounds.hold(&value) { Ok(value) } else { Err(self.outside(&value, bounds.words())) }
    }

    /// Returns an exact number within the limits of an epsilon, or infinity.
    pub fn epsilon(&self) -> Result<Epsilon, RequestError> {
        if matches!(self.value(), Node::Text(text) if text == "infinite") {
            return Ok(Epsilon::Infinite);
        }
        let value = self.finite()?;
        if Bounds::FiniteEpsilon.hold(&value) {
            return Ok(Epsilon::Finite(value));
        }
        let refused = self.outside(&value, Bounds::FiniteEpsilon.words());
        Err(refused.hint("write \"infinite\", in quotes, for no promise at all"))
    }

    fn outside(&self, value: &Rational, words: &str) -> RequestError {
        let below = if value < &Rational::ZERO { "is below zero; it must be" } else { "must be" };
        self.refuse(format!("`{}` {below} {words}", self.name))
    }

    /// Returns the exact value of the digits in the text.
    fn finite(&self) -> Result<Rational, RequestError> {
        let text = self.digits()?;
        parse_number(text).map_err(|error| match error {
            NumberError::NotFinite => self.not_finite(),
            NumberError::Malformed if text == "infinite" => self.not_finite(),
            NumberError::Empty
            | NumberError::TooManyDigits
            | NumberError::ExponentTooLarge
            | NumberError::ZeroDenominator
            | NumberError::Malformed => self.refuse(format!("`{}`: {error}", self.name)),
        })
    }

    fn not_finite(&self) -> RequestError {
        let refused = self.refuse(format!("`{}` must be a finite number", self.name));
        refused.hint("only epsilons may be infinite, written \"infinite\", in quotes")
    }

    fn digits(&self) -> Result<&'a str, RequestError> {
        match self.value() {
            Node::Integer { digits, radix: 10 } | Node::Float(digits) | Node::Text(digits) => Ok(digits),
            Node::Integer { .. } => Err(self.refuse(format!("`{}` must be written in decimal digits", self.name))),
            Node::Flag(_) | Node::Day(_) | Node::List(_) | Node::Section(_) => Err(self.wrong("a number")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toml::de::DeTable;

    #[test]
    fn a_list_ends_at_its_limit() {
        for (length, accepted) in [(MAX_LIST, true), (MAX_LIST + 1, false)] {
            let text = format!("values = [{}]", "0,".repeat(length));
            let document = DeTable::parse(&text).expect("TOML");
            let Node::Section(entries) = Node::of_table(document.get_ref()) else { unreachable!("a section") };
            let section = &crate::sections::REQUEST;
            let fields = Fields { request: section, section, entries: &entries, span: None };
            assert_eq!(fields.list("values").is_ok(), accepted, "{length}");
        }
    }
}
