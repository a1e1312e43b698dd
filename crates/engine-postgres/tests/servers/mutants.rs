//! Statements with a small mistake in them: the generated questions must find each.

use crate::stored::put;
use crate::{Tool, stored};
use incrowd_conformance::{CaseTable, generated_question, generated_table};
use incrowd_engine::{RowPlan, RowType};
use incrowd_engine_sql::{PostgreSql, ServerColumn, ServerTable, statement};

/// What is written in place of what.
const MISTAKES: [(&str, &str); 8] = [
    (" < ", " <= "),
    (" >= ", " > "),
    ("COLLATE \"C\"", "COLLATE \"und-x-icu\""),
    ("NULLIF((", "COALESCE(("),
    ("place <= ", "place < "),
    ("'a generated key'", "'another key'"),
    ("CASE WHEN bins_of_person > ", "CASE WHEN bins_of_person < "),
    ("THEN 0 ELSE count(*) END > 0", "THEN 1 ELSE count(*) END > 0"),
];

fn server_table(table: &CaseTable, name: &str) -> ServerTable {
    let columns = table.columns.iter().map(|column| {
        let quoted = stored::quoted(&column.name);
        let value = match column.kind {
            RowType::Text => format!("NULLIF((({quoted})::text COLLATE \"C\"), '')"),
            RowType::Date => format!("({quoted} - '1970-01-01'::date)"),
            _ => quoted,
        };
        ServerColumn { name: column.name.clone(), kind: column.kind.clone(), value: Ok(value) }
    });
    ServerTable { from: name.to_owned(), columns: columns.collect() }
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_mistake_in_a_statement_is_noticed() {
    let tool = Tool::new();
    let table = generated_table(7, 400);
    let name = put(&tool, &table, "mutants").expect("stored");
    let there = server_table(&table, &name);
    let statements: Vec<String> = (0..400)
        .filter_map(|seed| {
            let query = generated_question(seed).query;
            let plan = RowPlan::of(&query, &table.source_columns()).expect("a plan");
            statement(&PostgreSql, &there, &query, &plan).ok().map(|made| made.sql)
        })
        .collect();
    let answers = |sql: &str| {
        let rows = format!("SELECT coalesce(string_agg(one::text, ';'), '') FROM ({sql}) AS one");
        tool.try_texts(&rows)
    };
    let expected: Vec<_> =
        statements.iter().map(|sql| answers(sql).unwrap_or_else(|| panic!("not counted: {sql}"))).collect();
    for (from, to) in MISTAKES {
        let with = statements.iter().zip(&expected).filter(|(sql, _)| sql.contains(from));
        let (mut tried, mut noticed) = (0, 0);
        for (sql, expected) in with.take(150) {
            tried += 1;
            // A statement that fails is noticed, too.
            noticed += usize::from(answers(&sql.replace(from, to)).as_ref() != Some(expected));
        }
        assert!(noticed > 0, "{from:?} as {to:?} changed nothing in {tried} statements");
    }
}
