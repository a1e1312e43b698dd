//! The section `[report]`: what a publisher adds to the report.
//!
//! Holds words only; it must never decide anything. It is separate from `../sections.rs` because it is about a page and
//! nothing that is counted. Read `../report.rs` next for how it is read.

use super::super::keys::{Key, Section, Shape};

/// What the publisher adds to the report.
pub(super) static REPORT: Section = Section {
    title: "[report]",
    about: "What the publisher adds to the report. It is shown as the publisher's own words, changes nothing that is \
        published, costs nothing and is not part of the request's identity; `incrowd render --report` sets it anew.",
    keys: &[
        Key::optional("title", Shape::Text, "The title of the page, up to 200 letters."),
        Key::optional("publisher", Shape::Text, "Who publishes it, up to 200 letters."),
        Key::optional("date", Shape::Text, "When it is published: a day such as 2026-11-18, or words."),
        Key::optional("contact", Shape::Text, "Whom to ask: a name, an address, up to 200 letters; never a link."),
        Key::optional(
            "text",
            Shape::Text,
            "What the publisher says about it, up to 4,000 letters; blank lines part paragraphs.",
        ),
        Key::optional(
            "names",
            Shape::Free(&Shape::Text),
            "What bins and columns are called in the report: icd = \"Diagnosis\".",
        ),
        Key::optional(
            "labels",
            Shape::Free(&LABELS),
            "What values mean, in a section for each bin: [report.labels.icd] has \"C50\" = \"Breast cancer\". Values \
                as the table has them; no two of a bin have the same label.",
        ),
    ],
};

static LABELS: Shape = Shape::Free(&Shape::Text);
