//! Promises in words: by odds, and by the name of a policy.
//!
//! Expected epsilons are from tables of logarithms, never from the reader; a test here must never take a percentage for
//! another that is printed alike. It is separate because these are the words that most people use. Read `../odds.rs`
//! and `../policy.rs` for the reader.

use super::super::*;
use super::{accept, promising, refuse};
use incrowd_exact::testing::number;
use incrowd_privacy::{Epsilon, Promise};

fn finite(texts: &[&str]) -> Vec<Epsilon> {
    texts.iter().map(|text| Epsilon::Finite(number(text))).collect()
}

/// Checks the message, the hint, and that exactly this text is underlined.
fn refused(text: &str, words: &str, hint: &str, place: &str) {
    let error = refuse(text);
    assert!(error.message().contains(words), "wanted: {words}\n{}\n{text}", error.message());
    let given = error.hint_text().unwrap_or_default();
    assert!(given.contains(hint), "wanted: {hint}\n{given}\n{text}");
    assert_eq!(&text[error.span().expect("a place")], place, "{}\n{text}", error.message());
}

#[test]
fn odds_are_a_staircase_and_odds_alone_are_differential_privacy() {
    let said = accept(&promising("small = 6\nsmall-odds = \"55 %\"\nodds = \"75 %\""));
    // ln(55/45) = 0.20067..., ln 3 = 1.09861...; fewer than 6 are up to 5.
    let same = accept(&promising("kind = \"staircase\"\nthresholds = [5]\nepsilons = [1.098, 0.2]"));
    assert_eq!(said.promise, same.promise);
    assert_eq!(said.request_hash(), same.request_hash());
    let levels = accept(&promising("small = [6, 20]\nsmall-odds = [\"55%\", \"65 %\"]\nodds = \" 99.95 % \""));
    // ln(65/35) = 0.61903..., ln 1999 = 7.60040...
    let expected = Promise::Staircase { thresholds: vec![19, 5], epsilons: finite(&["7.6", "0.619", "0.2"]) };
    assert_eq!(levels.promise.promise, expected);
    let plain = accept(&promising("odds = \"62.5 %\"\ndelta = \"1e-6\""));
    // ln(5/3) = 0.51082...
    assert_eq!(plain.promise.promise, Promise::DifferentialPrivacy { epsilon: Epsilon::Finite(number("0.51")) });
    assert_eq!(plain.promise.delta, Some(number("1e-6")));
    let nothing = accept(&promising("small = 3\nsmall-odds = \"50 %\"\nodds = \"60.0 %\""));
    let expected = Promise::Staircase { thresholds: vec![2], epsilons: finite(&["0.405", "0"]) };
    assert_eq!(nothing.promise.promise, expected);
}

#[test]
fn odds_that_could_be_meant_otherwise_are_refused() {
    let odds = |text: &str| promising(&format!("odds = {text}"));
    for (text, words, hint) in [
        ("0.55", "a percentage in quotes, not `0.55`", "write \"55 %\""),
        ("\"0.55\"", "a percentage in quotes", "write \"55 %\""),
        ("75", "a percentage in quotes", "write \"75 %\""),
        ("\"75\"", "a percentage in quotes", "write \"75 %\""),
        ("\"3:1\"", "a percentage in quotes", "write \"55 %\""),
        ("\"55 percent\"", "a percentage in quotes", "write \"55 %\""),
        ("\"1/2 %\"", "a percentage in quotes", "write \"55 %\""),
        ("\"%\"", "a percentage in quotes", "write \"55 %\""),
        ("\"5e1 %\"", "a percentage in quotes", "write \"55 %\""),
        ("true", "a percentage in quotes", "such as \"55 %\""),
        ("[\"55 %\"]", "a percentage in quotes", "such as \"55 %\""),
        ("\"49.9 %\"", "at least 50 %", "such as \"55 %\""),
        ("\"100 %\"", "below 100 %", "such as \"55 %\""),
        ("\"55.55 %\"", "one decimal", "\"55.6 %\" is the next above"),
        ("\"99.55 %\"", "one decimal", "\"99.6 %\" is the next above"),
    ] {
        refused(&odds(text), words, hint, text);
    }
}

#[test]
fn odds_that_do_not_go_together() {
    let both =
        |small: &str, levels: &str| promising(&format!("small = {small}\nsmall-odds = {levels}\nodds = \"75 %\""));
    refused(&both("6", "\"75 %\""), "protected better", "nearer to 50 %", "\"75 %\"");
    refused(&both("6", "\"80 %\""), "protected better", "nearer to 50 %", "\"80 %\"");
    refused(&both("[6, 20]", "\"55 %\""), "2 entries and `small-odds` 1 entry", "small = [6, 20]", "\"55 %\"");
    let two = "[\"55 %\", \"65 %\"]";
    refused(&both("[20, 6]", two), "strictly ascending", "", "[20, 6]");
    refused(&both("[6, 20]", "[\"65 %\", \"55 %\"]"), "strictly ascending", "", "[\"65 %\", \"55 %\"]");
    refused(&both("1", "\"55 %\""), "from 2 to 10^12", "", "1");
    refused(&both("[]", "[]"), "empty list", "", "[]");
    refused(&promising("small = 6\nodds = \"75 %\""), "`small` needs `small-odds`", "small-odds = \"55 %\"", "6");
    refused(&promising("small-odds = \"55 %\"\nodds = \"75 %\""), "needs `small`", "small = 6", "\"55 %\"");
    refused(&promising("small = 6\nsmall-odds = \"55 %\""), "needs `odds`", "crowd-blending", "[promise]");
    refused(&promising("odds = \"75 %\"\nepsilon = 1"), "does not take `epsilon`", "`small-odds`", "epsilon");
    refused(&promising("kind = \"group\"\nodds = \"75 %\""), "one of both", "small = 6", "odds");
}

#[test]
fn a_policy_says_what_is_promised_and_how_it_is_shown() {
    for policy in Policy::all() {
        let request = accept(&format!("policy = \"{}\"\n", policy.name));
        assert_eq!(request.promise.promise, policy.promise);
        let expected = Promise::Staircase { thresholds: vec![policy.small - 1], epsilons: finite(&["1.098", "0.2"]) };
        assert_eq!(request.promise.promise, expected, "{}", policy.name);
        assert_eq!(request.output, policy.output, "{}", policy.name);
        let copied = accept(&promising(policy.written));
        assert_eq!(copied.promise, request.promise, "{}", policy.name);
        assert_ne!(copied.request_hash(), request.request_hash(), "the name is part of what was asked");
    }
    let own = accept("policy = \"rounded-to-5\"\n[output]\nrounding = 10\n[promise]\ndelta = \"1e-6\"");
    assert_eq!((own.output.rounding, own.promise.delta), (Some(10), Some(number("1e-6"))));
    assert_eq!(accept("policy = \"rounded-to-5\"").output.rounding, Some(5));
    assert_eq!(accept("policy = \"fewer-than-6\"").output.small, Some(6));
    assert_eq!(accept("policy = \"fewer-than-6\"\n[output]\nsmall = 11").output.small, Some(11));
    let coarse = "policy = \"fewer-than-6\"\n[output]\nrounding = 20";
    refused(coarse, "do not go together", "multiple of `rounding`", "20");
    let chosen = "[[bins]]\nname = \"x\"\ncolumn = \"x\"\n[top]\nitems = 2\nepsilon-stabilise = \"1/10\"\nepsilon-select = \"1/10\"\n";
    let top = accept(&format!("release = \"top\"\npolicy = \"rounded-to-5\"\n{chosen}"));
    assert_eq!((top.output.small, top.output.rounding), (None, None), "there are no counts to present");
    assert_eq!(accept("policy = \"k-20\"\n[output]\nfolder = \"o\"").output.folder.as_deref(), Some("o"));
}

#[test]
fn a_policy_stands_alone() {
    refused("policy = \"fewer-than-7\"", "cannot be `fewer-than-7`", "small = 6", "\"fewer-than-7\"");
    refused("policy = \"k-anonymity\"", "cannot be", "fewer-than-6", "\"k-anonymity\"");
    refused("policy = 6", "a name in quotes", "fewer-than-6", "6");
    let beside = |promise: &str| format!("policy = \"k-10\"\n[promise]\n{promise}\n");
    refused(&beside("odds = \"75 %\""), "`odds` cannot stand beside it", "small = 10", "odds");
    refused(&beside("kind = \"group\""), "`kind` cannot stand beside it", "leave `policy` out", "kind");
    refused(&beside("sampled-epsilon = 1"), "needs `sample` in [data]", "sample =", "sampled-epsilon");
    let rows = "release = \"rows\"\npolicy = \"k-10\"\n[[columns]]\nname = \"a\"\ncolumn = \"a\"\nkeep = true\n";
    refused(rows, "promises crowd-blending and nothing else", "leave `policy` out", "\"k-10\"");
    refused("release = \"histogram\"", "needs a [promise], or a `policy`", "policy = \"fewer-than-6\"", "");
}

#[test]
fn words_that_people_try_lead_to_a_policy() {
    for kind in ["suppression", "minimum-cell-size", "k-anonymity", "k", "Cell suppression", "threshold"] {
        let text = promising(&format!("kind = \"{kind}\""));
        refused(&text, "cannot be", "policy = \"fewer-than-6\"", &format!("\"{kind}\""));
    }
    for key in ["minimum", "threshold", "k", "min-count", "min_cell_size", "suppress", "minimum-group-size"] {
        refused(&promising(&format!("{key} = 11")), "no key", "policy = \"fewer-than-11\"", key);
        refused(&format!("{key} = 11\n"), "no key", "small = 11", key);
        let seven = format!("{key} = 7\n");
        refused(&seven, "no key", "write in [promise]: small = 7", key);
        assert!(!refuse(&seven).hint_text().unwrap_or_default().contains("policy ="), "there is none below 7");
    }
    // Where a key is at home nothing changes, and other slips are told as before.
    accept(&format!(
        "{}[mechanism]\nname = \"threshold\"\nthreshold = 30\n",
        promising("odds = \"75 %\"\ndelta = 1e-6")
    ));
    refused(&promising("kind = \"outlier\""), "cannot be", "did you mean `simple-outlier`?", "\"outlier\"");
    refused(&promising("epsilom = 1"), "no key", "did you mean `epsilon`?", "epsilom");
}

#[test]
fn a_policy_that_is_named_in_a_certificate_gives_the_promise_beside_it() {
    let form = accept("policy = \"fewer-than-6\"\n").canonical();
    assert_eq!(form["policy"], "fewer-than-6");
    assert_eq!(form["promise"]["epsilons"], serde_json::json!(["549/500", "1/5"]));
    let read = Request::from_canonical(&form).expect("canonical");
    assert_eq!(read.policy.map(|policy| policy.name), Some("fewer-than-6"));
    for (place, value) in [
        ("/policy", serde_json::json!("fewer-than-5")),
        ("/policy", serde_json::json!("fewer-than-7")),
        ("/policy", serde_json::json!(null)),
        ("/promise/epsilons", serde_json::json!(["549/500", "1/4"])),
        ("/promise/thresholds", serde_json::json!([4])),
    ] {
        let mut forged = form.clone();
        *forged.pointer_mut(place).expect(place) = value;
        assert!(Request::from_canonical(&forged).is_err(), "{place}");
    }
}
