//! Which requests are the same request, and which count the same bins.
//!
//! Pairs of texts; a test here must never pin a hash without saying what is in it. It is separate because the ledger
//! relies on it. Read `published_schema.rs` next.

use super::super::Request;
use super::{accept, examples, promising, with_bin};
use serde_json::Value;

fn design_with(from: &str, to: &str) -> Request {
    assert!(examples::DESIGN.contains(from), "{from}");
    accept(&examples::DESIGN.replace(from, to))
}

#[test]
fn spelling_order_and_defaults_do_not_change_the_identity() {
    let hash = accept(examples::DESIGN).request_hash();
    for (from, to) in [
        ("epsilon = 1", "epsilon = \"3/3\""),
        ("group = 100\nepsilon = 1", "epsilon = 1.0\ngroup = 1e2"),
        ("nulls  = \"drop\"\n", ""),
        ("bins-per-person = 1\n", ""),
        ("[mechanism]\nname = \"tailored-geometric\"\n", ""),
        ("dataset = \"employees-2026\"", "dataset = \"employees-2026\"\npath = \"elsewhere.sqlite\""),
        ("source = \"employees.csv\"", "source = \"/other/place.parquet\"\ntimezone = \"UTC\""),
        ("folder = \"out\"", "folder = \"elsewhere\"\nrounding = 5"),
        ("edges  = [0, 20000, 40000, 60000]", "from = 0\nto = 60000\nwidth = 20_000"),
    ] {
        assert_eq!(design_with(from, to).request_hash(), hash, "{to}");
    }
}

#[test]
fn whatever_is_asked_differently_has_another_identity() {
    let request = accept(examples::DESIGN);
    for (from, to) in [
        ("epsilon = 1", "epsilon = 1.0000000000000000000001"),
        ("group = 100", "group = 101"),
        ("simple-outlier-dp", "simple-outlier"),
        ("# delta = \"1e-6\"", "delta = \"1e-6\""),
        ("nulls  = \"drop\"", "nulls = \"bin\""),
        ("\"Sales\", \"Research\"", "\"Research\", \"Sales\""),
        ("other  = true", "other = false"),
        ("60000]", "60001]"),
        ("'active'", "'ACTIVE'"),
        ("employee_id", "id"),
        ("bins-per-person = 1", "bins-per-person = 2"),
        ("employees-2026", "employees-2027"),
        ("name = \"tailored-geometric\"", "name = \"tailored-geometric\"\nthreshold = 5"),
        ("name   = \"salary\"", "name   = \"pay\""),
        ("[ledger]", "[ledger]\nsnapshot = 2"),
        ("[ledger]", "[ledger]\nsnapshot = 1"),
    ] {
        assert_ne!(design_with(from, to).request_hash(), request.request_hash(), "{to}");
    }
}

#[test]
fn every_parameter_is_part_of_the_identity() {
    let mut seen = std::collections::HashSet::new();
    for text in examples::all() {
        let canonical = accept(&text).canonical_json();
        assert!(seen.insert(accept(&text).request_hash()), "{canonical}");
        for line in text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase())) {
            let shorter = text.replacen(&format!("{line}\n"), "", 1);
            let Ok(without) = Request::parse(&shorter) else { continue };
            let ignored =
                ["source", "password-env", "path", "folder", "formats", "estimate", "prior", "margins", "rounding"];
            let defaults = [
                "nulls  = \"drop\"",
                "bins-per-person = 1",
                "delta = 0\n",
                "name = \"tailored",
                "release = \"histogram\"",
            ];
            let same = ignored.iter().chain(&defaults).any(|key| line.starts_with(key));
            assert!(same || without.canonical_json() != canonical, "{line}\n{text}");
        }
    }
}

#[test]
fn the_canonical_text_is_sorted_json_with_exact_numbers() {
    let text = accept(examples::DESIGN).canonical_json();
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&value["promise"]["epsilon"], &value["ledger"]["snapshot"]), (&"1".into(), &Value::Null));
    assert!(
        text.starts_with("{\"bins\":[{\"cut\":{\"values\":[\"Sales\",\"Research\"]},\"name\":\"department\""),
        "{text}"
    );
    assert!(!text.contains("employees.csv") && !text.contains("parquet"), "{text}");
    let tenth = accept(&promising("kind = \"differential-privacy\"\nepsilon = 0.10")).canonical_json();
    assert!(tenth.contains("\"epsilon\":\"1/10\""), "{tenth}");
}

#[test]
fn dates_are_not_texts_and_numbers_are_not_either() {
    let hash = |values: &str| accept(&with_bin(&format!("column = \"x\"\nvalues = [{values}]"))).request_hash();
    assert_ne!(hash("2020-01-01"), hash("\"2020-01-01\""));
    assert_ne!(hash("1"), hash("\"1\""));
    assert_ne!(hash("true"), hash("\"true\""));
}

#[test]
fn the_binning_is_what_is_counted_and_not_what_is_promised() {
    let request = accept(examples::DESIGN);
    for (from, to) in [
        ("epsilon = 1", "epsilon = 2\ndelta = 0.1"),
        ("name = \"tailored-geometric\"", "name = \"group-geometric\""),
        ("name   = \"salary\"", "name   = \"pay\""),
        ("employees.csv", "other.csv"),
        ("folder = \"out\"", "folder = \"out2\""),
    ] {
        assert_eq!(design_with(from, to).binning_hash(None), request.binning_hash(None), "{to}");
    }
    for (from, to) in [
        ("employees-2026", "employees-2027"),
        ("'active'", "'ACTIVE'"),
        ("employee_id", "id"),
        ("bins-per-person = 1", "bins-per-person = 2"),
        ("other  = true\n", ""),
        ("nulls  = \"drop\"", "nulls = \"bin\""),
        ("60000]", "60001]"),
        ("where ", "types = { salary = \"number\" }\nwhere "),
        ("where ", "timezone = \"Asia/Tokyo\"\nwhere "),
    ] {
        assert_ne!(design_with(from, to).binning_hash(None), request.binning_hash(None), "{to}");
        assert_ne!(design_with(from, to).bounding_key(), request.bounding_key(), "{to}");
    }
    let later = design_with("[ledger]", "[ledger]\nsnapshot = 2");
    assert_ne!(later.binning_hash(None), request.binning_hash(None));
    assert_eq!(later.bounding_key(), request.bounding_key());
    assert_eq!(request.request_hash().len(), 64);
}
