//! The table of a request: what is promised, and how it is kept.
//!
//! Holds words and limits only; it must never say which keys go together: `../promise.rs` and `../mechanism.rs` do.
//! It is separate because these two sections are what reviewers read. Read `../kinds.rs` next.

use crate::keys::{Key, Section, Shape};
use crate::mechanism::Accounting;
use crate::number::{Bounds, Whole};
use crate::promise::KINDS;
use incrowd_privacy::{Bound, MechanismName};

/// What is promised.
pub(crate) static PROMISE: Section = Section {
    title: "[promise]",
    about: "What is promised to each person, by the size of her group. Numbers are exact: 0.1 is one tenth. `epsilon` 0 \
        means that nothing may be learnt, \"infinite\" that nothing is promised.",
    keys: &[
        Key::optional(
            "small",
            Shape::AnyOf(&[Shape::Whole(Whole::SMALL), Shape::List(&Shape::Whole(Whole::SMALL))]),
            "By odds: groups of fewer than this many people are small; or several sizes, ascending.",
        ),
        Key::optional(
            "small-odds",
            Shape::AnyOf(&[Shape::Odds, Shape::List(&Shape::Odds)]),
            "By odds: how sure anybody who knows how many others are in a small group may become, from even odds, whether a \
                person of it is in the data: \"55 %\"; one for each size in `small`, ascending.",
        ),
        Key::optional(
            "odds",
            Shape::Odds,
            "By odds: how sure anybody may become about people in all other groups: \"75 %\". Without `small`, about \
                everybody: plain differential privacy.",
        ),
        Key::optional(
            "kind",
            Shape::Choice(|| KINDS.iter().map(|kind| kind.name).collect()),
            "The notion of privacy by its name in the literature; it decides which of the other keys apply.",
        ),
        Key::optional(
            "epsilon",
            Shape::Epsilon,
            "How much may be learnt about a person: starting from even odds, nobody who knows how many others are in her \
                group becomes surer than e^epsilon/(1+e^epsilon); with a delta, but for a chance that `plan` states.",
        ),
        Key::optional(
            "delta",
            Shape::Number(Bounds::Delta),
            "By how much the chances of results may differ beyond epsilon; not the chance that epsilon is exceeded, \
                which `plan` states. Needed when bins are found in the data, and by some of the \
                papers' mechanisms.",
        ),
        Key::optional(
            "sampled-epsilon",
            Shape::Number(Bounds::PositiveEpsilon),
            "With `sample` in [data]: charge the release as plain differential privacy with this epsilon and the delta \
                that the sample gives it. `incrowd plan` shows which deltas go with which epsilons.",
        ),
        Key::optional(
            "group",
            Shape::Whole(Whole::PEOPLE),
            "Groups of at most this many people get the stricter protection; with kind fading, where it would end.",
        ),
        Key::optional(
            "crowd",
            Shape::Whole(Whole::PEOPLE),
            "Groups of fewer than this many people are protected; this many make a crowd.",
        ),
        Key::optional(
            "thresholds",
            Shape::List(&Shape::Whole(Whole::PEOPLE)),
            "With kind staircase: group sizes, descending.",
        ),
        Key::optional(
            "epsilons",
            Shape::List(&Shape::Epsilon),
            "With kind staircase: one more than thresholds, descending; the first holds above all thresholds.",
        ),
        Key::optional(
            "slope",
            Shape::Number(Bounds::FiniteEpsilon),
            "With kind linear: epsilon for each person in the group.",
        ),
        Key::with_default(
            "floor",
            Shape::Number(Bounds::FiniteEpsilon),
            "0",
            "With kind linear: epsilon is at least this.",
        ),
        Key::with_default("cap", Shape::Epsilon, "\"infinite\"", "With kind linear: epsilon is at most this."),
        Key::optional(
            "width",
            Shape::Whole(Whole::PEOPLE),
            "With kind fading: how many people before `group` the curve turns flat.",
        ),
        Key::with_default(
            "factor",
            Shape::Number(Bounds::PositiveEpsilon),
            "1",
            "With kind fading: multiplies the whole curve.",
        ),
        Key::optional(
            "values",
            Shape::List(&Shape::Epsilon),
            "With kind table: epsilon for groups of 1, 2, ...; the last one holds for all larger groups.",
        ),
    ],
};

/// How it is kept.
pub(crate) static MECHANISM: Section = Section {
    title: "[mechanism]",
    about: "How the promise is kept. Parameters default to the promise's of the same name; free ones are found: the \
        smallest that meet the asked delta.",
    keys: &[
        Key::required(
            "name",
            Shape::Choice(|| MechanismName::ALL.iter().map(|each| each.as_str()).collect()),
            "Which mechanism; it decides which of the other keys apply.",
        ),
        Key::with_default(
            "accounting",
            Shape::Choice(|| Accounting::ALL.iter().map(|each| each.as_str()).collect()),
            "\"exact\"",
            "Find parameters from the exact law of what runs, or by the paper's theorem.",
        ),
        Key::optional("threshold", Shape::Whole(Whole::PEOPLE), "Publish only values of at least this."),
        Key::optional("crowd", Shape::Whole(Whole::PEOPLE), "How many people make a crowd."),
        Key::optional("group", Shape::Whole(Whole::PEOPLE), "The largest group with the stricter protection."),
        Key::optional("epsilon", Shape::Epsilon, "The strength of the noise."),
        Key::optional(
            "thresholds",
            Shape::List(&Shape::Whole(Whole::PEOPLE)),
            "Group sizes of a staircase, descending.",
        ),
        Key::optional("epsilons", Shape::List(&Shape::Epsilon), "One more than thresholds, descending."),
        Key::optional(
            "levels",
            Shape::List(&Shape::Integer),
            "The i-th test of a staircase is: noisy count at most levels[i]. Found when not given.",
        ),
        Key::with_default("publish-levels", Shape::Flag, "false", "Also publish which levels added noise."),
        Key::optional(
            "offset",
            Shape::Integer,
            "The test is: noisy count at most group + offset. Found when not given.",
        ),
        Key::with_default(
            "bound",
            Shape::Choice(|| Bound::ALL.iter().map(|each| each.name()).collect()),
            "\"noise-on-count\"",
            "How a private lower bound of epsilon is found.",
        ),
        Key::optional("epsilon-a", Shape::Number(Bounds::PositiveEpsilon), "What the lower bound may spend."),
        Key::optional(
            "delta-a",
            Shape::Number(Bounds::Chance),
            "What the draw of a smooth bound may fail with: its delta.",
        ),
        Key::with_default(
            "grid",
            Shape::Number(Bounds::PositiveEpsilon),
            "\"1/1000\"",
            "The step on which epsilons are rounded down.",
        ),
        Key::optional(
            "alpha",
            Shape::Number(Bounds::Positive),
            "How far the lower bound is moved to the safe side. Found when not given.",
        ),
        Key::with_default("publish-epsilon", Shape::Flag, "false", "Also publish the epsilon that was used."),
        Key::optional("width", Shape::Whole(Whole::PEOPLE), "How many people before `group` the curve turns flat."),
        Key::optional("factor", Shape::Number(Bounds::PositiveEpsilon), "Multiplies the whole curve."),
        Key::optional(
            "half-width",
            Shape::Whole(Whole::COUNT),
            "A published range reaches this far either way. Found when not given.",
        ),
    ],
};
