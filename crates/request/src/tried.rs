//! Words that people try who know rules such as "no cell below 6": each leads to a policy, or to `small`.
//!
//! It answers with what to write, with the number that was written; it must never accept one of these words, because
//! none of those rules is a promise. It is separate because the words are those of others. Read `policy.rs` next.

use super::node::Node;
use super::policy_name::protecting_below;

/// Kinds of promise that there are not.
const KINDS: [&str; 16] = [
    "suppression",
    "suppress",
    "suppress-below",
    "cell-suppression",
    "small-cell-suppression",
    "primary-suppression",
    "minimum-cell-size",
    "min-cell-size",
    "minimum-count",
    "min-count",
    "minimum",
    "threshold",
    "rounding",
    "k-anonymity",
    "k",
    "small-numbers",
];

/// Keys that there are not, at the top and in [promise] and [output].
const KEYS: [&str; 20] = [
    "minimum",
    "minimum-count",
    "minimum-cell-size",
    "minimum-group-size",
    "minimum-size",
    "min",
    "min-count",
    "min-cell-size",
    "min-group",
    "min-group-size",
    "min-size",
    "cell-size",
    "threshold",
    "suppress",
    "suppress-below",
    "suppression",
    "protect-below",
    "k",
    "k-anonymity",
    "fewer-than",
];

/// Returns what to write instead of a kind of promise that is a rule of others.
pub(super) fn instead_of_kind(kind: &str) -> Option<String> {
    KINDS.contains(&usual(kind).as_str()).then(|| instead(None))
}

/// Returns what to write instead of a key that is a rule of others.
pub(super) fn instead_of_key(section: &str, key: &str, value: &Node<'_>) -> Option<String> {
    let here = ["the request", "[promise]", "[output]"].contains(&section);
    let size = match value {
        Node::Integer { digits, radix: 10 } | Node::Text(digits) => digits.parse().ok().filter(|size| *size >= 2),
        Node::Integer { .. } | Node::Float(_) | Node::Flag(_) | Node::Day(_) | Node::List(_) | Node::Section(_) => None,
    };
    (here && KEYS.contains(&usual(key).as_str())).then(|| instead(size))
}

/// Lower case, with hyphens.
fn usual(word: &str) -> String {
    let short = word.trim().chars().take(64).flat_map(char::to_lowercase);
    short.map(|sign| if sign == '_' || sign == ' ' { '-' } else { sign }).collect()
}

fn instead(size: Option<u64>) -> String {
    let small = size.unwrap_or(6);
    let by_name = protecting_below(small);
    let by_name =
        by_name.map_or_else(String::new, |name| format!("policy = \"{name}\" at the top, before any section, or "));
    format!(
        "to protect groups of fewer than {small} people, also from subtraction, write {by_name}in [promise]: small = {small}, small-odds = \
         \"55 %\", odds = \"75 %\"; `incrowd policies` says what that promises"
    )
}
