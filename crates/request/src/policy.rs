//! Policies: rules that publishers follow today, by name, each with what it promises here.
//!
//! Each is a file of this program that says in plain words what the rule asks, who asks it and what is added, and gives
//! the defaults of a request; it must never change its numbers under the same name, because certificates name it. It is
//! separate because people who publish know their rule and no notion of privacy. Read `tried.rs` for the words that
//! lead here, and `../policies` for the files.

use super::data::Data;
use super::error::RequestError;
use super::fields::{Fields, Item};
use super::keys::{Key, Section, Shape};
use super::kinds::Kind;
use super::node::{Node, Placed};
use super::odds;
use super::output::OutputRequest;
use super::policy_name;
use super::promise::{BESIDE_A_POLICY, PromiseRequest};
use super::sections::{OUTPUT, PROMISE};
use incrowd_privacy::Promise;
use std::sync::LazyLock;
use toml::de::DeTable;

/// A rule that publishers follow, and what is promised under its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The name in a request.
    pub name: &'static str,
    /// What it is called.
    pub title: String,
    /// What the rule asks, and where it ends.
    pub asks: String,
    /// What is added to it.
    pub adds: String,
    /// What a small cell shows.
    pub shows: String,
    /// Who asks it, and where that can be read.
    pub sources: Vec<String>,
    /// What is promised.
    pub promise: Promise,
    /// How the result is presented, unless the request says otherwise.
    pub output: OutputRequest,
    /// Groups of fewer people are small.
    pub small: u64,
    /// The section `[promise]` of its file, which a request may have in its place.
    pub written: &'static str,
}

/// The files, by their names.
const FILES: [(&str, &str); 6] = [
    ("fewer-than-5", include_str!("../policies/fewer-than-5.toml")),
    ("fewer-than-6", include_str!("../policies/fewer-than-6.toml")),
    ("fewer-than-11", include_str!("../policies/fewer-than-11.toml")),
    ("k-10", include_str!("../policies/k-10.toml")),
    ("k-20", include_str!("../policies/k-20.toml")),
    ("rounded-to-5", include_str!("../policies/rounded-to-5.toml")),
];

/// A file of a policy.
static POLICY: Section = Section {
    title: "the policy",
    about: "A rule that publishers follow, and what is promised under its name.",
    keys: &[
        Key::required("title", Shape::Text, "What it is called."),
        Key::required("asks", Shape::Text, "What the rule asks, and where it ends."),
        Key::required("adds", Shape::Text, "What is added to it."),
        Key::required("shows", Shape::Text, "What a small cell shows."),
        Key::required("sources", Shape::List(&Shape::Text), "Who asks it, and where that can be read."),
        Key::required("promise", Shape::Section(&PROMISE), "What is promised, by odds."),
        Key::required("output", Shape::Section(&OUTPUT), "How the result is presented."),
    ],
};

/// All policies; a file that could not be read would be missing, which a test looks for.
static ALL: LazyLock<Vec<Policy>> =
    LazyLock::new(|| FILES.iter().filter_map(|(name, text)| Policy::read(name, text).ok()).collect());

impl Policy {
    /// Returns all of them.
    pub fn all() -> &'static [Policy] {
        &ALL
    }

    /// Returns the policy of this name.
    pub fn named(name: &str) -> Option<&'static Policy> {
        ALL.iter().find(|policy| policy.name == name)
    }

    /// Returns the policy under which groups of fewer people than this are small.
    pub fn protecting_below(small: u64) -> Option<&'static Policy> {
        policy_name::protecting_below(small).and_then(Policy::named)
    }

    fn read(name: &'static str, text: &'static str) -> Result<Policy, RequestError> {
        let document = DeTable::parse(text).map_err(|error| RequestError::new(error.message()))?;
        let root = Placed { node: Node::of_table(document.get_ref()), span: Some(0..0) };
        let fields = Fields::of_request(&POLICY, &root)?;
        let text_of = |key: &'static str| fields.required(key)?.text();
        let missing = || RequestError::new("a policy has a promise by odds for small groups");
        let Promise::Staircase { thresholds, epsilons } = odds::read(&fields.section("promise")?.ok_or_else(missing)?)?
        else {
            return Err(missing());
        };
        let output = fields.section("output")?.map(|below| OutputRequest::read(&below, &[])).transpose()?;
        Ok(Policy {
            name,
            title: text_of("title")?,
            asks: text_of("asks")?,
            adds: text_of("adds")?,
            shows: text_of("shows")?,
            sources: fields.required("sources")?.list()?.iter().map(|item| item.text()).collect::<Result<_, _>>()?,
            small: thresholds.first().ok_or_else(missing)? + 1,
            promise: Promise::Staircase { thresholds, epsilons },
            output: output.unwrap_or_default(),
            written: section_of(text, "[promise]").ok_or_else(missing)?,
        })
    }
}

/// Returns the lines of a section, without its heading.
fn section_of(text: &'static str, heading: &str) -> Option<&'static str> {
    let (_, below) = text.split_once(&format!("\n{heading}\n"))?;
    Some(below.split("\n[").next().unwrap_or(below).trim_end())
}

/// Reads what is promised: by the policy that is named, or by what [promise] says.
pub(super) fn read(
    fields: &Fields<'_>,
    kind: &Kind,
    data: Option<&Data>,
) -> Result<(PromiseRequest, Option<&'static Policy>), RequestError> {
    let below = fields.section("promise")?;
    let (promise, policy) = match (fields.item("policy"), &below) {
        (None, None) => {
            let hint = format!(
                "[promise] says what each person is promised: {}; or policy = \"{}\" before any section: `incrowd \
                 policies` lists the rules that have a name",
                odds::EXAMPLE,
                policy_name::BY_SIZE[1].0
            );
            return Err(fields.refuse("the request needs a [promise], or a `policy`").hint(hint));
        }
        (None, Some(below)) => (PromiseRequest::read(below)?, None),
        (Some(item), below) => {
            let policy = chosen(&item)?;
            (policy.request(below.as_ref())?, Some(policy))
        }
    };
    let Some(below) = below else {
        kind.check_promise(&promise, fields).map_err(|error| {
            let hint = "leave `policy` out, and write [promise] kind = \"crowd-blending\"";
            fields.refuse_value("policy", error.message()).hint(hint)
        })?;
        return Ok((promise, policy));
    };
    kind.check_promise(&promise, &below)?;
    if promise.sampled_epsilon.is_some() && data.is_none_or(|data| data.sample.is_none()) {
        let message =
            "`sampled-epsilon` needs `sample` in [data]: only a fresh sample of each release can be charged so";
        return Err(below.refuse_key("sampled-epsilon", message).hint("add sample = \"1/10\" to [data]"));
    }
    Ok((promise, policy))
}

fn chosen(item: &Item<'_>) -> Result<&'static Policy, RequestError> {
    let all: Vec<&'static Policy> = ALL.iter().collect();
    item.choice(&all, |policy| policy.name).map_err(|error| {
        let known = error.hint_text().unwrap_or_default().to_string();
        error.hint(format!("{known}. For another size say it in [promise]: {}", odds::EXAMPLE))
    })
}

impl Policy {
    /// Returns what is asked under this policy, with what the section beside it may add.
    fn request(&self, beside: Option<&Fields<'_>>) -> Result<PromiseRequest, RequestError> {
        let promise = self.promise.clone();
        let Some(beside) = beside else {
            return Ok(PromiseRequest { promise, delta: None, sampled_epsilon: None });
        };
        if let Some(key) = beside.written().find(|key| !BESIDE_A_POLICY.contains(&key.name)) {
            let message =
                format!("policy \"{}\" says what is promised: `{}` cannot stand beside it", self.name, key.name);
            let lines = self.written.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
            let hint = format!(
                "[promise] may hold `delta` and `sampled-epsilon` here; or leave `policy` out, and change what it stands \
                 for: {}",
                lines.collect::<Vec<_>>().join(", ")
            );
            return Err(beside.refuse_key(key.name, message).hint(hint));
        }
        PromiseRequest::under(promise, beside)
    }
}

/// Reads how the result is presented; what the request does not say is as the policy has it, if there are counts.
pub(super) fn read_output(
    fields: &Fields<'_>,
    policy: Option<&Policy>,
    kind: &Kind,
) -> Result<OutputRequest, RequestError> {
    let below = fields.section("output")?;
    let output =
        below.as_ref().map(|below| OutputRequest::read(below, &kind.published())).transpose()?.unwrap_or_default();
    let counts = match kind {
        Kind::Counts(_) => true,
        Kind::Chosen(chosen) => chosen.epsilon_counts.is_some(),
        Kind::Rows(_) | Kind::Points(_) => false,
    };
    let Some(policy) = policy.filter(|_| counts) else { return Ok(output) };
    let small = output.small.or(policy.output.small);
    let rounding = output.rounding.or(policy.output.rounding);
    if let (Err(refusal), Some(below)) = (OutputRequest::refuse_small(small, rounding), below) {
        let key = if output.rounding.is_some() { "rounding" } else { "small" };
        let message = format!("{}; under the policy {} it is", refusal.message(), policy.name);
        let theirs = policy.output.small.map(|limit| format!("small = {limit}")).into_iter();
        let theirs = theirs.chain(policy.output.rounding.map(|step| format!("rounding = {step}")));
        let (theirs, hint) = (theirs.collect::<Vec<_>>().join(", "), refusal.hint());
        return Err(below.refuse_value(key, format!("{message} {theirs}")).hint(hint));
    }
    Ok(OutputRequest { small, rounding, ..output })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_policy_with_sources() {
        for (name, text) in FILES {
            let policy = Policy::read(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(Policy::named(name), Some(&policy));
            assert!(!policy.sources.is_empty() && policy.sources.iter().all(|source| source.len() > 40), "{name}");
            assert!(policy.promise.curve().is_ok(), "{name}");
        }
        let known: Vec<(&str, u64)> = Policy::all().iter().map(|policy| (policy.name, policy.small)).collect();
        let sizes: Vec<(&str, u64)> = known.iter().copied().filter(|(name, _)| *name != "rounded-to-5").collect();
        assert_eq!(sizes, policy_name::BY_SIZE);
        assert!(known.iter().map(|(name, _)| *name).eq(policy_name::names()));
        assert_eq!(Policy::protecting_below(6).map(|policy| policy.name), Some("fewer-than-6"));
        assert_eq!(Policy::protecting_below(7), None);
    }
}
