//! The request of a certificate, read back from its canonical form.
//!
//! What the canonical form nests stands where a steward writes it, and is read by the one reader there is, so that
//! every limit holds again; it must never accept a form that the request it stands for does not have. It is separate
//! because only a verifier goes this way. Read `identity.rs` for the other direction, and `kinds.rs` for what only some
//! kinds of release have.

use super::error::RequestError;
use super::fields::Fields;
use super::kinds::KindName;
use super::node::{Node, Placed};
use super::parts_node::{Texts, Written, bin_value, edges, list, number, owned, scalar, values};
use super::sections::REQUEST;
use super::{MAX_REQUEST_BYTES, Policy, Request};
use incrowd_definition::{BinSource, Cut, Dimension, Edges, Items, Other, PeriodUnit, Split};
use incrowd_exact::Rational;
use serde_json::Value;

/// The widest intervals that a request writes by a rule.
const WIDEST: u64 = 1_000_000_000_000;

impl Request {
    /// Returns the request behind a canonical form, or why it is none; data, ledger and output have no places in it.
    pub fn from_canonical(canonical: &Value) -> Result<Self, RequestError> {
        let refused = || RequestError::new("this is not the canonical form of a request");
        let root = Placed::nowhere(document(canonical).ok_or_else(refused)?);
        if root.node.weight() > MAX_REQUEST_BYTES {
            return Err(RequestError::new(format!("a request may have at most {MAX_REQUEST_BYTES} bytes")));
        }
        let mut request = Request::read(&Fields::of_request(&REQUEST, &root)?)?;
        // The promise is read from its numbers, whoever named them: a policy's name must give the same.
        if let Some(name) = canonical.get("policy") {
            let named = name.as_str().and_then(Policy::named).ok_or_else(refused)?;
            if named.promise != request.promise.promise {
                return Err(RequestError::new(format!("the policy {} does not give this promise", named.name)));
            }
            request.policy = Some(named);
        }
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
        let Split { column, part } = Split::from_canonical(split)?;
        let mut section = Written::default();
        section.put("column", owned(column));
        section.put("part", bin_value(&part));
        written.put("split", section.done());
    }
    if let Some(dialect) = data.get("dialect") {
        written.put_all(dialect.as_object()?, Texts::Plain)?;
    }
    Some(written.done())
}

fn bin(bin: &Value) -> Option<Node<'_>> {
    let mut definition = bin.as_object()?.clone();
    let name = definition.remove("name")?;
    let Dimension { name, source, cut, other, nulls, items } =
        Dimension::from_canonical(name.as_str()?, &Value::Object(definition))?;
    let mut written = Written::default();
    written.put("name", owned(name));
    match source {
        BinSource::Column(column) => written.put("column", owned(column)),
        BinSource::Expression(expression) => written.put("expression", owned(expression)),
    }
    match cut {
        Cut::Found => {}
        // Columns of rows have names, bins have none.
        Cut::Named(_) => return None,
        Cut::Values(listed) => written.put("values", values(&listed)),
        Cut::Edges(Edges::Regular { from, width, intervals }) if width <= Rational::from(WIDEST) => {
            written.put("to", number(&(&from + &width * Rational::from(intervals)))?);
            written.put("from", number(&from)?);
            written.put("width", number(&width)?);
        }
        // Listed, or too wide for a rule.
        Cut::Edges(listed) => written.put("edges", edges(&listed)?),
        Cut::Truncated(unit) => written.put("truncate", owned(unit.as_str().into())),
        Cut::Periods(periods) => {
            written.put("truncate", owned(periods.unit().as_str().into()));
            written.put("from", Node::Day(Some(periods.first())));
            // A range of periods ends before its end.
            written.put("to", Node::Day(Some(periods.last().next(PeriodUnit::Day)?)));
        }
    }
    if other == Other::Counted {
        written.put("other", Node::Flag(true));
    }
    if items == Items::Pairs {
        written.put("items", owned(items.as_str().into()));
    }
    written.put("nulls", owned(nulls.as_str().into()));
    Some(written.done())
}
