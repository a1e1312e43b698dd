//! Canonical forms: read back as what they came from, and under the same limits as any request.
//!
//! It must never compare a form with anything but what `identity.rs` writes. It is separate because forgers write JSON,
//! and stewards TOML. Read `../canonical.rs` next.

use super::super::Request;
use super::{accept, examples, with_bin, with_data};
use proptest::prelude::*;
use serde_json::{Value, json};

/// All examples that a certificate can carry: a hierarchy is read from its file before.
fn all() -> Vec<Request> {
    let whole = |request: &Request| !request.canonical_json().contains("\"hierarchy\":");
    examples::all().iter().map(|text| accept(text)).filter(whole).collect()
}

#[test]
fn every_example_is_read_back_from_its_canonical_form() {
    let columns = "[[columns]]\nname = \"z\"\ncolumn = \"a\"\nprefix = 3\n[[columns]]\nname = \"e\"\ncolumn = \"e\"\nedges = [0, \"1/3\", 5]\nother = true\n[[columns]]\nname = \"d\"\ncolumn = \"d\"\nedges = [2026-01-01, 2026-02-01]\n[[columns]]\nname = \"n\"\ncolumn = \"n\"\nnames = [[\"a\", \"x\"], [\"c\", \"x\"]]\n[[columns]]\nname = \"k\"\ncolumn = \"k\"\nkeep = true\n";
    let rows = format!("release = \"rows\"\n{columns}[promise]\nkind = \"crowd-blending\"\ncrowd = 7\nepsilon = 0\n");
    let more = [
        rows,
        with_bin("column = \"x\"\nedges = [\"-1e40\", 0, \"1e40\"]\nother = true"),
        with_bin("column = \"x\"\nfrom = 0\nto = 100000000000\nwidth = \"1/2\""),
        with_bin("column = \"m\"\ntruncate = \"month\"\nfrom = 2026-01-15\nto = 2026-07-02\nnulls = \"bin\""),
        with_bin("column = \"d\"\nvalues = [2026-01-31, 2025-12-31]"),
        with_bin("expression = \"a || 'b'\"\nvalues = [\"\", \" \", \"1/2\", \"\\u0001\\t\", \"other\"]"),
        with_data("sample = \"1/2\"\n[data.sampled]\nprobability = [\"1/10\", \"1/5\"]\nknown = 3"),
        with_data("[data.split]\ncolumn = \"region\"\npart = 3\n[data.types]\n\"a b\" = \"date\""),
    ];
    for request in all().into_iter().chain(more.iter().map(|text| accept(text))) {
        let again =
            Request::from_canonical(&request.canonical()).unwrap_or_else(|error| panic!("{error}\n{request:?}"));
        assert_eq!(again.canonical_json(), request.canonical_json());
        assert_eq!(again.binning_hash(None), request.binning_hash(None));
        assert_eq!(again.kind, request.kind);
        assert_eq!(again.promise, request.promise);
    }
}

#[test]
fn every_limit_of_a_request_is_one_of_its_canonical_form() {
    let form = accept(&with_bin("column = \"x\"\nvalues = [1, 2]")).canonical();
    assert!(Request::from_canonical(&form).is_ok());
    let numbers = |count: i64| (0..count).map(|each| json!(each)).collect::<Value>();
    for (place, value) in [
        ("/promise/epsilon", json!("1001")),
        ("/promise/epsilon", json!(1)),
        ("/promise/epsilon", json!(1.5)),
        ("/promise/epsilon", json!("2/2")),
        ("/promise/epsilon", json!(format!("0.{}", "7".repeat(51)))),
        ("/promise/epsilon", json!(format!("{}1/{0}2", "7".repeat(51)))),
        ("/promise/delta", json!("1")),
        ("/data/unit/bins-per-person", json!(2)),
        ("/data/unit/bins-per-person", json!(u64::MAX)),
        ("/data/timezone", json!("x y")),
        ("/data/sample", json!("1")),
        ("/data/types", json!({ "x": "float" })),
        ("/bins/0/name", json!("count")),
        ("/bins/0/name", json!("")),
        ("/bins/0/source", json!({ "column": "x", "expression": "x" })),
        ("/bins/0/source", json!({ "column": "x", "nulls": "drop" })),
        ("/bins/0/cut", json!({ "values": [] })),
        ("/bins/0/cut", json!({ "values": [1, 1] })),
        ("/bins/0/cut", json!({ "values": [1, "1"] })),
        ("/bins/0/cut", json!({ "values": [{ "date": "2026-02-30" }] })),
        ("/bins/0/cut", json!({ "values": numbers((1 << 17) + 1) })),
        ("/bins/0/cut", json!({ "values": ["x".repeat(1_000_001)] })),
        ("/bins/0/cut", json!({ "edges": ["0", "1", "2"] })),
        ("/bins/0/cut", json!({ "edges": ["0", "2", "1"] })),
        ("/bins/0/cut", json!({ "from": "0", "width": "0", "intervals": 1 })),
        ("/bins/0/cut", json!({ "from": "0", "width": "1", "intervals": 1_000_000_000_001u64 })),
        ("/bins/0/cut", json!({ "from": "0", "width": "2000000000000", "intervals": 1 << 18 })),
        ("/bins/0/cut", json!({ "truncate": "month", "first": "2026-01-02", "last": "2026-03-01" })),
        ("/bins/0/cut", json!({ "truncate": "quarter" })),
        ("/bins/0/cut", json!("lost")),
        ("/bins/0/other", json!("false")),
        ("/mechanism/name", json!("none")),
        ("/mechanism", json!(null)),
        ("/kind", json!({})),
        ("/release", json!("rows")),
        ("/ledger", json!([])),
    ] {
        let mut forged = form.clone();
        *forged.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value;
        assert!(Request::from_canonical(&forged).is_err(), "{place}");
    }
    for place in ["", "/data", "/data/unit", "/bins/0", "/bins/0/cut", "/promise", "/mechanism", "/ledger"] {
        let mut forged = form.clone();
        forged.pointer_mut(place).and_then(Value::as_object_mut).expect(place).insert("extra".into(), json!("x"));
        assert!(Request::from_canonical(&forged).is_err(), "{place}");
    }
}

/// Returns the places of all values of a form.
fn places(value: &Value, here: &str, all: &mut Vec<String>) {
    all.push(here.to_string());
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, below)| places(below, &format!("{here}/{key}"), all)),
        Value::Array(entries) => {
            entries.iter().enumerate().for_each(|(index, below)| places(below, &format!("{here}/{index}"), all));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn what_is_accepted_is_canonical(
        which in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
    ) {
        let values = [
            json!(null), json!(true), json!(0), json!(-1), json!(2), json!(1e300), json!("1"), json!("1/3"), json!("infinite"),
            json!(""), json!([]), json!(["1", "2"]), json!([1, 2]), json!({}), json!({ "date": "2026-01-01" }), json!("found"),
            json!({ "values": ["a"] }), json!({ "days": ["2026-01-01", "2026-01-03"] }), json!({ "truncate": "day" }),
            json!({ "from": "0", "width": "1/2", "intervals": 4 }), json!("9999-12-31"), json!("histogram"), json!("top"),
        ];
        let all = all();
        let mut form = all[which.index(all.len())].canonical();
        for (place, value) in changes {
            let mut known = Vec::new();
            places(&form, "", &mut known);
            if let Some(found) = form.pointer_mut(&known[place.index(known.len())]) {
                *found = values[value.index(values.len())].clone();
            }
        }
        if let Ok(request) = Request::from_canonical(&form) {
            prop_assert_eq!(request.canonical(), form);
        }
    }
}
