//! What a publisher may add to the report.
//!
//! Words are kept as they are written, within limits; they must never change the identity of a request. It is separate
//! because nothing else in a request is words alone. Read `../report.rs` next.

use super::super::*;
use super::{accept, refuse};
use serde_json::json;

const REQUEST: &str = "[[bins]]\nname = \"icd\"\ncolumn = \"d\"\nvalues = [\"C50\", \"J45\"]\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\n";

fn with(report: &str) -> String {
    format!("{REQUEST}[report]\n{report}\n")
}

#[test]
fn words_are_kept_and_are_no_part_of_the_identity() {
    let text = with(
        "title = \"Diagnoses <b>\"\npublisher = \"A hospital\"\ndate = 2026-11-18\ncontact = \"x@y\"\ntext = \"\"\"One.\n\nTwo.\"\"\"\n[report.names]\nicd = \"Diagnosis\"\n[report.labels.icd]\n\"C50\" = \"Breast cancer\"",
    );
    let (bare, request) = (accept(REQUEST), accept(&text));
    assert_eq!(bare.request_hash(), request.request_hash());
    assert_eq!(bare.binning_hash(None), request.binning_hash(None));
    let report = &request.output.report;
    assert_eq!((report.title.as_deref(), report.date.as_deref()), (Some("Diagnoses <b>"), Some("2026-11-18")));
    assert_eq!(report.labels["icd"]["C50"], "Breast cancer");
    assert!(bare.output.report.is_empty() && !report.is_empty());
    assert_eq!(ReportRequest::from_json(&json!(report.to_json())), Some(report.clone()));
    // The request itself may be given to set the words of a report anew, and so may the section alone.
    assert_eq!(ReportRequest::parse(&text), Ok(report.clone()));
    assert_eq!(ReportRequest::parse("[report]\ntitle = \"x\"\n").map(|report| report.title), Ok(Some("x".into())));
    assert!(ReportRequest::parse(REQUEST).is_err());
}

#[test]
fn words_without_end_and_labels_that_clash_are_refused() {
    let long = |letters: usize| format!("\"{}\"", "x".repeat(letters));
    for (report, words) in [
        (format!("title = {}", long(201)), "at most 200 letters"),
        (format!("text = {}", long(4001)), "at most 4000 letters"),
        ("title = \"a\\nb\"".into(), "must be one line"),
        ("title = \" \"".into(), "is empty"),
        ("title = 3".into(), "must be a text"),
        ("[report.labels]\nicd = \"x\"".into(), "a section for each bin"),
        ("[report.labels.icd]\n\"C50\" = \"x\"\n\"J45\" = \"x\"".into(), "two values of `icd` have the label `x`"),
        ("[report.labels.icd]\n\"C50\" = \"J45\"\n\"J45\" = \"x\"".into(), "have the label `J45`"),
        ("[report.labels.icd]\n\"C50\" = 1".into(), "must be a text"),
        ("[report.labels.other]\n\"C50\" = \"x\"".into(), "the table has no column `other`"),
        ("[report.names]\nother = \"x\"".into(), "the table has no column `other`"),
        ("[report.names]\nicd = \"count\"".into(), "two columns of the table would be called `count`"),
        ("[report.labels.icd]\n\"C50\" = \"J45\"".into(), "`J45` is a value of `icd`"),
        ("style = \"x\"".into(), "there is no key `style` in [report]"),
    ] {
        let text = with(&report);
        let shown = refuse(&text).render("request.toml", &text, Colour::Plain);
        assert!(shown.contains(words), "wanted: {words}\n{shown}");
    }
    assert!(accept(&with(&format!("title = {}\ntext = {}", long(200), long(4000)))).output.report.title.is_some());
}

#[test]
fn columns_keep_headings_of_their_own() {
    let two = REQUEST.replace("[promise]", "[[bins]]\nname = \"town\"\ncolumn = \"t\"\nvalues = [\"Bern\"]\n[promise]");
    let named = |names: &str| format!("{two}[report.names]\n{names}\n");
    for names in ["icd = \"town\"", "icd = \"x\"\ntown = \"x\""] {
        let shown = refuse(&named(names)).render("request.toml", &named(names), Colour::Plain);
        assert!(shown.contains("two columns of the table would be called"), "{shown}");
    }
    // Names may be exchanged, and a label may be its own value.
    accept(&named("icd = \"town\"\ntown = \"icd\""));
    accept(&with("[report.labels.icd]\n\"C50\" = \"C50\""));
}

#[test]
fn a_certificate_says_no_more_than_a_request_could() {
    let good = json!({
        "title": "x", "publisher": null, "date": null, "contact": null, "text": null, "names": {},
        "labels": { "a": { "1": "one" } },
    });
    assert!(ReportRequest::from_json(&good).is_some());
    for (key, value) in [
        ("title", json!(1)),
        ("title", json!("")),
        ("title", json!("x".repeat(201))),
        ("text", json!("x".repeat(4001))),
        ("names", json!([])),
        ("names", json!({ "a": null })),
        ("labels", json!({ "a": "b" })),
        ("labels", json!({ "a": { "1": "one", "2": "one" } })),
    ] {
        let mut forged = good.clone();
        forged[key] = value;
        assert_eq!(ReportRequest::from_json(&forged), None, "{forged}");
    }
    let empty = json!({ "title": null, "publisher": null, "date": null, "contact": null, "text": null, "names": {}, "labels": {} });
    assert_eq!(ReportRequest::from_json(&empty), None, "who says nothing has no step");
}
