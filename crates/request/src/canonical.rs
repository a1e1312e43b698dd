//! The request of a certificate, read back from its canonical form.
//!
//! What the canonical form nests stands where a steward writes it, and is read by the one reader there is, so that every limit
//! holds again; it must never accept a form that the request it stands for does not have. It is separate because only a
//! verifier goes this way. Read `identity.rs` for the other direction, and
//! `kinds.rs` for what only some kinds of release have.

use super::error::RequestError;
use super::fields::Fields;
use super::kinds::KindName;
use super::node::{Node, Placed};
use super::parts_node::{Texts, Written, bin_value, day, edges, list, number, rational, scalar};
use super::{MAX_REQUEST_BYTES, Request};
use incrowd_definition::{Date, PeriodUnit};
use incrowd_exact::Rational;
use serde_json::Value;

impl Request {
    /// Returns the request behind a canonical form, or why it is none; data, ledger and output have no places in it.
    pub fn from_canonical(canonical: &Value) -> Result<Self, RequestError> {
        let refused = || RequestError::new("this is not the canonical form of a request");
        let root = Placed::nowhere(document(canonical).ok_or_else(refused)?);
        if root.node.weight() > MAX_REQUEST_BYTES {
            return Err(RequestError::new(format!("a request may have at most {MAX_REQUEST_BYTES} bytes")));
        }
        let request = Request::read(&Fields::of_request(&root)?)?;
        if &request.canonical() == canonical { Ok(request) } else { Err(refused()) }
    }
}

fn document(request: &Value) -> Option<Node<'_>> {
    let mut written = Written::default();
    written.put_text("release", request.get("release")?)?;
    written.put("data", data(request.get("data")?)?);
    let kind = KindName::of(request.get("release")?.as_str()?)?;
    kind.write(request.get("kind")?, &mut written)?;
    let bins = request.get("bins")?;
    if !bins.as_array()?.is_empty() {
        written.put("bins", list(bins, bin)?);
    }
    for (name, texts) in [("promise", Texts::Numbers), ("mechanism", Texts::Numbers), ("ledger", Texts::Plain)] {
        // Some kinds have no mechanism to choose.
        if request.get(name)?.is_null() && name == "mechanism" && !kind.has("mechanism") {
            continue;
        }
        let mut section = Written::default();
        section.put_all(request.get(name)?.as_object()?, texts)?;
        written.put(name, section.done());
    }
    Some(written.done())
}

fn data(data: &Value) -> Option<Node<'_>> {
    let mut written = Written::default();
    written.put_all(data.get("unit")?.as_object()?, Texts::Plain)?;
    for key in ["where", "synthetic", "timezone"] {
        written.put_given(key, data.get(key)?, Texts::Plain)?;
    }
    written.put_given("sample", data.get("sample")?, Texts::Numbers)?;
    let types = data.get("types")?.as_object()?;
    if !types.is_empty() {
        let mut section = Written::default();
        types.iter().try_for_each(|(column, kind)| section.put_text(column, kind))?;
        written.put("types", section.done());
    }
    if let Some(sampled) = data.get("sampled")?.as_object() {
        let chance = |key: &str| Some(Placed::nowhere(scalar(sampled.get(key)?, Texts::Numbers)?));
        let mut section = Written::default();
        section.put("probability", Node::List(vec![chance("least")?, chance("most")?]));
        section.put_given("known", sampled.get("known")?, Texts::Plain)?;
        written.put("sampled", section.done());
    }
    if let Some(split) = data.get("split") {
        let mut section = Written::default();
        section.put_text("column", split.get("column")?)?;
        section.put("part", bin_value(split.get("part")?)?);
        written.put("split", section.done());
    }
    Some(written.done())
}

fn bin(bin: &Value) -> Option<Node<'_>> {
    let mut written = Written::default();
    written.put_text("name", bin.get("name")?)?;
    bin.get("source")?.as_object()?.iter().try_for_each(|(key, value)| written.put_text(key, value))?;
    let cut = bin.get("cut")?;
    if let Some(values) = cut.get("values") {
        written.put("values", list(values, bin_value)?);
    } else if let Some(width) = cut.get("width") {
        let (from, width, intervals) = (rational(cut.get("from")?)?, rational(width)?, cut.get("intervals")?.as_u64()?);
        if width <= Rational::from(1_000_000_000_000u64) {
            written.put("to", number(&(&from + &width * Rational::from(intervals)))?);
            written.put("from", number(&from)?);
            written.put("width", number(&width)?);
        } else {
            // Too wide for a rule.
            written.put("edges", edges(cut)?);
        }
    } else if let Some(unit) = cut.get("truncate") {
        written.put_text("truncate", unit)?;
        if let (Some(first), Some(last)) = (cut.get("first"), cut.get("last")) {
            let last = Date::from_text(last.as_str()?)?;
            written.put("from", day(first)?);
            // A range of periods ends before its end.
            written.put("to", Node::Day(Some(last.next(PeriodUnit::Day)?)));
        }
    } else if cut.is_object() {
        written.put("edges", edges(cut)?);
    } else if cut != "found" {
        return None;
    }
    written.put_flag("other", bin.get("other")?)?;
    if let Some(items) = bin.get("items") {
        written.put_text("items", items)?;
    }
    written.put_text("nulls", bin.get("nulls")?)?;
    Some(written.done())
}
