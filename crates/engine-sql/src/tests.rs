//! What statements look like, and what is never written into one.
//!
//! What they count is asked of servers, by the cases of conformance; here is what can be told without one. It is
//! separate because it is longer than most of what it tests. Read `statement.rs` first.

use crate::{PostgreSql, ServerColumn, ServerTable, SqlDialect, statement};
use incrowd_engine::{
    BinSource, Cut, Dialect, Dimension, Items, ListedValues, Nulls, Other, Query, RowPlan, RowType, Source,
    SourceColumn, Unit,
};
use std::collections::BTreeMap;

fn table() -> ServerTable {
    let column = |name: &str, kind: RowType| {
        let quoted = PostgreSql.name(name).expect("a name");
        ServerColumn { name: name.into(), kind, value: Ok(quoted) }
    };
    let columns = vec![
        column("sex", RowType::Text),
        column("age", RowType::Integer),
        column("x\"; DROP TABLE y; --", RowType::Text),
        ServerColumn { name: "odd".into(), kind: RowType::Number, value: Err("is stored as 32-bit fractions".into()) },
    ];
    ServerTable { from: "\"s\".\"t\"".into(), columns }
}

fn query(column: &str, cut: Cut) -> Query {
    Query {
        plan_hash: "1".into(),
        source: Source {
            location: "postgres://h/d".into(),
            secret_variable: None,
            dialect: Dialect::default(),
            types: BTreeMap::new(),
            timezone: "UTC".into(),
        },
        condition: None,
        split: None,
        unit: Unit::Row,
        bounding_key: "key".into(),
        dimensions: vec![Dimension {
            name: "bin".into(),
            source: BinSource::Column(column.into()),
            cut,
            other: Other::NotCounted,
            nulls: Nulls::Drop,
            items: Items::Each,
        }],
        time: None,
    }
}

fn said(query: &Query) -> Result<String, String> {
    let table = table();
    let source = table.columns.iter().map(|column| SourceColumn {
        name: column.name.clone(),
        kind: column.kind.clone(),
        readable_as: Vec::new(),
    });
    let plan = RowPlan::of(query, &source.collect::<Vec<_>>()).expect("a plan");
    statement(&PostgreSql, &table, query, &plan).map(|made| made.sql).map_err(|not| not.reason)
}

fn listed(texts: &[&str]) -> Cut {
    Cut::Values(ListedValues::Texts(texts.iter().map(|text| (*text).to_owned()).collect()))
}

#[test]
fn names_and_values_stay_within_their_quotes() {
    let hostile = "x\"; DROP TABLE y; --";
    let sql = said(&query(hostile, listed(&["a'; DROP TABLE z; --", "back\\slash'"]))).expect("a statement");
    assert!(sql.contains("\"x\"\"; DROP TABLE y; --\""), "{sql}");
    assert!(sql.contains("('a''; DROP TABLE z; --'::text COLLATE \"C\")"), "{sql}");
    assert!(sql.contains("(E'back\\\\slash'''::text COLLATE \"C\")"), "{sql}");
    assert_eq!(PostgreSql.name("a\0b"), None);
    assert!(said(&query("sex", listed(&["a\0b"]))).is_err());
}

#[test]
fn what_a_server_cannot_count_alike_has_a_reason_in_words_of_the_request() {
    let reason = said(&query("odd", Cut::Found)).expect_err("delivered");
    assert_eq!(reason, "column \"odd\" is stored as 32-bit fractions");
    let mut dialect = query("sex", Cut::Found);
    dialect.source.dialect.missing = vec!["-".into()];
    assert_eq!(said(&dialect).expect_err("delivered"), "texts are written in a dialect of their own");
    let many: Vec<String> = (0..5_000).map(|number| number.to_string()).collect();
    let reason = said(&query("sex", Cut::Values(ListedValues::Texts(many)))).expect_err("delivered");
    assert!(reason.starts_with("bin \"bin\" lists more than 4096 values"), "{reason}");
}

#[test]
fn a_missing_key_is_looked_at_in_groups_alone() {
    let sql = said(&query("sex", listed(&["F", "M"]))).expect("a statement");
    assert!(sql.ends_with(
        "SELECT k AS key0, count(*) AS people FROM rows_in_bins GROUP BY k \
         HAVING CASE WHEN k IS NULL THEN 0 ELSE count(*) END > 0 ORDER BY key0 ASC NULLS LAST"
    ));
}
