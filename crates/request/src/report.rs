//! What a publisher adds to the report: a title, who publishes it and when, a text, and names for codes.
//!
//! All of it is shown beside what is published and never changes it, so it is not part of the request's identity; it
//! must never be taken for something that was verified. It is separate from `output.rs` because it is words alone. Read
//! `sections.rs` for the keys, and `evidence/page.rs` for the page.

use super::error::{RequestError, quoted};
use super::fields::{Fields, Item};
use super::key_column::KeyColumn;
use super::kinds::Kind;
use super::node::Node;
use incrowd_definition::{BinValue, Cut, Dimension};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a publisher adds to the report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportRequest {
    /// The title of the page.
    pub title: Option<String>,
    /// Who publishes it.
    pub publisher: Option<String>,
    /// When it is published.
    pub date: Option<String>,
    /// Whom to ask.
    pub contact: Option<String>,
    /// What the publisher says about it; blank lines part paragraphs.
    pub text: Option<String>,
    /// What columns of keys are called, by their names in the table.
    pub names: BTreeMap<String, String>,
    /// What values of a column mean, by the column's name and by the value as the table has it.
    pub labels: BTreeMap<String, BTreeMap<String, String>>,
}

/// The longest line, and the longest text, in letters.
const LONGEST_LINE: usize = 200;
const LONGEST_TEXT: usize = 4_000;
/// What the columns of values are called, which no column of keys may be called.
const VALUES: [&str; 6] = ["count", "counted", "low", "high", "status", "quality"];
/// The most labels of all columns.
const MOST_LABELS: usize = 20_000;

/// Why words cannot stand in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordsRefusal {
    TooLong { most: usize },
    SeveralLines,
    Empty,
}

impl WordsRefusal {
    fn message(self) -> String {
        match self {
            WordsRefusal::TooLong { most } => format!("it may have at most {most} letters"),
            WordsRefusal::SeveralLines => "it must be one line".into(),
            WordsRefusal::Empty => "it is empty".into(),
        }
    }
}

impl ReportRequest {
    /// Reads the section, and refuses names of columns that the table of this kind does not have.
    pub(super) fn read_for(below: &Fields<'_>, request: &Fields<'_>, kind: &Kind) -> Result<Self, RequestError> {
        let report = ReportRequest::read(below)?;
        let columns: Vec<String> = kind.published().iter().map(|column| column.name().to_string()).collect();
        if let Some(name) = report.stranger(&columns) {
            let message = format!("the table has no column {}, which [report] names", quoted(name));
            return Err(request.refuse_key("report", message).hint(format!("it has: {}", columns.join(", "))));
        }
        if let Some(heading) = report.heading_twice(&columns) {
            let message = format!("two columns of the table would be called {}", quoted(heading));
            return Err(request
                .refuse_key("report", message)
                .hint("give each column of [report.names] a name of its own"));
        }
        let dimensions = kind.published().into_iter().filter_map(|column| match column {
            KeyColumn::Counted(dimension) => Some(dimension),
            KeyColumn::Numbered { .. } | KeyColumn::Drawn { .. } => None,
        });
        for dimension in dimensions {
            if let Some(label) = report.label_of_another(dimension) {
                let (name, label) = (quoted(&dimension.name), quoted(label));
                let message = format!("{label} is a value of {name}, and [report.labels] gives another one that label");
                return Err(request.refuse_key("report", message).hint("readers could not tell the two apart"));
            }
        }
        Ok(report)
    }

    /// Returns what two columns would be called, if two would be called alike.
    fn heading_twice(&self, columns: &[String]) -> Option<&str> {
        let mut seen: BTreeSet<&str> = VALUES.into_iter().collect();
        seen.extend(columns.iter().filter(|column| !self.names.contains_key(*column)).map(String::as_str));
        self.names.values().map(|heading| heading.trim()).find(|heading| !seen.insert(heading))
    }

    /// Returns a label that is a listed value of the same column, which would stay as it is.
    fn label_of_another(&self, dimension: &Dimension) -> Option<&str> {
        let labels = self.labels.get(&dimension.name)?;
        let is_listed = |label: &String| match &dimension.cut {
            Cut::Values(values) => values.contains(&BinValue::Text(label.clone())),
            Cut::Named(named) => named.iter().any(|(_, bin)| bin == label),
            Cut::Found | Cut::Edges(_) | Cut::Truncated(_) | Cut::Periods(_) => false,
        };
        labels.iter().find(|(code, label)| code != label && is_listed(label)).map(|(_, label)| label.as_str())
    }

    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let line = |key: &'static str| fields.item(key).map(|item| words(&item, LONGEST_LINE)).transpose();
        Ok(ReportRequest {
            title: line("title")?,
            publisher: line("publisher")?,
            date: fields.item("date").map(|item| read_date(&item)).transpose()?,
            contact: line("contact")?,
            text: fields.item("text").map(|item| words(&item, LONGEST_TEXT)).transpose()?,
            names: fields.item("names").map(|item| read_names(&item)).transpose()?.unwrap_or_default(),
            labels: fields.item("labels").map(|item| read_labels(&item)).transpose()?.unwrap_or_default(),
        })
    }

    /// Returns a column that is named here and that the table does not have, if there is one.
    pub fn stranger(&self, columns: &[String]) -> Option<&str> {
        let unknown = |name: &&String| !columns.contains(*name);
        self.names.keys().chain(self.labels.keys()).find(unknown).map(String::as_str)
    }

    /// Whether the publisher said nothing.
    pub fn is_empty(&self) -> bool {
        *self == ReportRequest::default()
    }

    /// Returns it as a certificate has it: what was not said is null.
    pub fn to_json(&self) -> Map<String, Value> {
        let ReportRequest { title, publisher, date, contact, text, names, labels } = self;
        let fields = json!({
            "title": title, "publisher": publisher, "date": date, "contact": contact, "text": text, "names": names,
            "labels": labels,
        });
        match fields {
            Value::Object(fields) => fields,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
        }
    }

    /// Reads it back from a certificate, within the same limits; nothing if it is not of that form.
    pub fn from_json(fields: &Value) -> Option<ReportRequest> {
        let words = |key: &str, most: usize| match fields.get(key)? {
            Value::Null => Some(None),
            Value::String(text) => refuse_words(text, most).is_ok().then(|| Some(text.clone())),
            Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
        };
        let pairs = |object: &Value| {
            let one = |(key, value): (&String, &Value)| {
                let value = value.as_str().filter(|text| refuse_words(text, LONGEST_LINE).is_ok())?;
                Some((key.clone(), value.to_string()))
            };
            object.as_object()?.iter().map(one).collect::<Option<BTreeMap<String, String>>>()
        };
        let labels = fields.get("labels")?.as_object()?.iter().map(|(name, below)| Some((name.clone(), pairs(below)?)));
        let found = ReportRequest {
            title: words("title", LONGEST_LINE)?,
            publisher: words("publisher", LONGEST_LINE)?,
            date: words("date", LONGEST_LINE)?,
            contact: words("contact", LONGEST_LINE)?,
            text: words("text", LONGEST_TEXT)?,
            names: pairs(fields.get("names")?)?,
            labels: labels.collect::<Option<BTreeMap<_, _>>>()?,
        };
        let many = found.labels.values().map(BTreeMap::len).sum::<usize>() > MOST_LABELS;
        let twins = found.labels.values().any(|labels| twin(labels).is_some());
        (!many && !twins && !found.is_empty()).then_some(found)
    }
}

fn words(item: &Item<'_>, most: usize) -> Result<String, RequestError> {
    let text = item.text()?;
    refuse_words(&text, most).map_err(|refusal| item.refuse(refusal.message()))?;
    Ok(text)
}

/// Lines are one line; a text may have several.
fn refuse_words(text: &str, most: usize) -> Result<(), WordsRefusal> {
    if text.trim().is_empty() {
        return Err(WordsRefusal::Empty);
    }
    if text.chars().count() > most {
        return Err(WordsRefusal::TooLong { most });
    }
    if most == LONGEST_LINE && text.contains(['\n', '\r']) {
        return Err(WordsRefusal::SeveralLines);
    }
    Ok(())
}

/// A day as TOML has it, or any words: "autumn 2026".
fn read_date(item: &Item<'_>) -> Result<String, RequestError> {
    match item.value() {
        Node::Day(Some(day)) => Ok(day.to_string()),
        _ => words(item, LONGEST_LINE),
    }
}

fn read_names(item: &Item<'_>) -> Result<BTreeMap<String, String>, RequestError> {
    let Node::Section(_) = item.value() else {
        return Err(item.refuse("`names` must be a section, [report.names]").hint("icd = \"Diagnosis\""));
    };
    item.entries("names").map(|(name, item)| Ok((name, words(&item, LONGEST_LINE)?))).collect()
}

fn read_labels(item: &Item<'_>) -> Result<BTreeMap<String, BTreeMap<String, String>>, RequestError> {
    let refused = |item: &Item<'_>| {
        let refused = item.refuse("labels stand in a section for each bin, [report.labels.NAME]");
        refused.hint("under [report.labels.diagnosis]: \"C50\" = \"Breast cancer\"")
    };
    let Node::Section(_) = item.value() else { return Err(refused(item)) };
    let mut all = BTreeMap::new();
    let mut count = 0;
    for (name, below) in item.entries("labels") {
        let Node::Section(_) = below.value() else { return Err(refused(&below)) };
        let labels = below.entries("labels").map(|(code, item)| Ok((code, words(&item, LONGEST_LINE)?)));
        let labels = labels.collect::<Result<BTreeMap<String, String>, RequestError>>()?;
        if let Some(label) = twin(&labels) {
            return Err(below.refuse(format!("two values of {} have the label {}", quoted(&name), quoted(label))));
        }
        count += labels.len();
        if count > MOST_LABELS {
            return Err(below.refuse(format!("there may be {MOST_LABELS} labels in all")));
        }
        all.insert(name, labels);
    }
    Ok(all)
}

/// A label that stands for two values, or is another value that has a label of its own: readers could not tell.
fn twin(labels: &BTreeMap<String, String>) -> Option<&str> {
    let mut seen = BTreeSet::new();
    let clashing = labels
        .iter()
        .find(|(code, label)| !seen.insert(label.as_str()) || (code != label && labels.contains_key(label.as_str())));
    clashing.map(|(_, label)| label.as_str())
}
