//! Which expressions are refused, and in which words.
//!
//! It must never be content with a refusal for another reason than the one that is meant. It is separate from the
//! values because the list of what is refused is a promise of its own. Read `translate.rs` for what is accepted.

use super::{RowPlan, RowType, RowValue, SourceColumn};
use crate::expression::Expression;
use crate::prepare_error::{PrepareError, RequestField};
use crate::query::{Query, Source};
use incrowd_definition::{BinSource, Cut, Dialect, Dimension, Items, Nulls, Other, Precision, Unit};
use std::collections::BTreeMap;

/// The columns that expressions are about.
fn source() -> Vec<SourceColumn> {
    let columns = [
        ("age", RowType::Text),
        ("Salary", RowType::Integer),
        ("small", RowType::Integer),
        ("big", RowType::Unsigned),
        ("rate", RowType::Number),
        ("price", RowType::Decimal { precision: 38, scale: 2 }),
        ("active", RowType::Boolean),
        ("hired", RowType::Date),
        ("seen", RowType::Timestamp { precision: Precision::Second, zone: None }),
        ("name", RowType::Text),
        ("dept", RowType::Text),
        ("picture", RowType::Foreign("binary")),
    ];
    let column = |(name, kind): (&str, RowType)| SourceColumn { name: name.into(), kind, readable_as: Vec::new() };
    columns.into_iter().map(column).collect()
}

/// Returns what an expression becomes, as a bin or as a condition.
fn translated(text: &str, place: RequestField) -> Result<RowValue, PrepareError> {
    let expression = Expression::parse(text, place.clone())?;
    let (other, nulls, items) = (Other::NotCounted, Nulls::Drop, Items::Each);
    let one = |source| Dimension { name: "b".into(), source, cut: Cut::Found, other, nulls, items };
    let (condition, value) = match place {
        RequestField::Condition => (Some(expression), BinSource::Column("small".into())),
        _ => (None, BinSource::Expression(expression)),
    };
    let query = Query {
        plan_hash: String::new(),
        source: Source {
            location: String::new(),
            secret_variable: None,
            dialect: Dialect::default(),
            types: BTreeMap::new(),
            timezone: "UTC".into(),
        },
        condition,
        split: None,
        unit: Unit::Row,
        bounding_key: String::new(),
        dimensions: vec![one(value)],
        time: None,
    };
    let mut plan = RowPlan::of(&query, &source())?;
    Ok(plan.condition.unwrap_or_else(|| plan.dimensions.remove(0)))
}

fn refused(text: &str) -> PrepareError {
    match translated(text, RequestField::Bin("b".into())) {
        Ok(value) => panic!("{text} was taken for {value:?}"),
        Err(problem) => problem,
    }
}

#[test]
fn what_looks_beyond_its_row_is_refused_by_name() {
    for (text, what) in [
        ("(select 1)", "a subquery"),
        ("small in (select small from t)", "a subquery"),
        ("exists (select 1)", "a subquery"),
        ("sum(small)", "the function sum"),
        ("count(*)", "the function count"),
        ("max(small) filter (where small > 1)", "the function max"),
        ("row_number() over ()", "the window function row_number"),
        ("upper(name) over ()", "the window function upper"),
        ("rank() over (order by small)", "the window function rank"),
        ("unnest(small)", "the function unnest"),
        ("random()", "the function random"),
        ("now()", "the function now"),
        ("current_timestamp", "the function current_timestamp"),
        ("current_date", "the function current_date"),
        ("current_date()", "the function current_date"),
        ("uuid()", "the function uuid"),
        ("generate_series(1, 3)", "the function generate_series"),
        ("array[1, 2]", "an array"),
        ("repeat(name, 1000000000)", "the function repeat"),
        ("to_timestamp(name)", "the function to_timestamp"),
        ("chr(small)", "the function chr"),
        ("$1", "the placeholder $1"),
        ("t.small", "the qualified name t.small"),
        ("(small, age)", "a list of expressions"),
        ("interval '1 day'", "an interval"),
        ("seen at time zone 'UTC'", "`at time zone`"),
        ("small = any (select 1)", "`any` or `all`"),
        ("name similar to 'a'", "`similar to`"),
        ("name ~ 'a'", "the operator ~"),
        ("name like 'a' escape 'b'", "`escape`"),
        ("upper(distinct name)", "this way to call upper"),
        ("cast(name as bytea)", "the type BYTEA"),
    ] {
        let expected = PrepareError::NotRowWise { place: RequestField::Bin("b".into()), what: what.into() };
        assert_eq!(refused(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_expression_is_refused_with_a_reason() {
    for (text, part) in [
        ("", "Expected"),
        ("small, age", "goes on after its end, with ,"),
        ("small; drop table x", "goes on after its end, with ;"),
        ("1); drop table x", "goes on after its end, with )"),
        ("small > 1 limit 5", "goes on after its end, with limit"),
        ("small as s", "goes on after its end, with as"),
        ("select 1", "goes on after its end"),
        ("small >", "Expected"),
        ("'open", "Unterminated"),
        ("uper(name)", "there is no function uper; did you mean upper?"),
        ("xyzzy(name)", "there is no function xyzzy"),
        ("make_array(1, 2)", "there is no function make_array"),
        ("hired > 'soon'", "is not a date"),
        ("small > 'many'", "is not a number"),
        ("regexp_like(name, '(')", "does not understand its pattern"),
        ("regexp_like(name, dept)", "must be a text in single quotes"),
        ("name like dept", "must be a text in single quotes"),
        ("lpad(name, 2000000000)", "must be an integer from 0 to 1000"),
        ("upper()", "too few or too many"),
        ("upper(name, name)", "too few or too many"),
        ("date_part('yaer', hired)", "a date has no part yaer; did you mean year?"),
        ("date_trunc('hour', hired)", "a date cannot be cut to hour"),
        ("99999999999999999999999999999999999999999", "not a number that can be kept"),
        ("1e999", "not a number that can be kept"),
        ("null = null", "null is compared with null"),
    ] {
        match refused(text) {
            PrepareError::NotAnExpression { message, .. } => assert!(message.contains(part), "{text}: {message}"),
            other => panic!("{text}: {other}"),
        }
    }
}

#[test]
fn forms_that_ask_twice_do_not_make_trees_without_end() {
    let nested = |form: &str, times: usize| (0..times).fold("name".to_string(), |text, _| form.replace("{}", &text));
    for form in ["nullif({}, 'x')", "coalesce({}, 'x')", "case {} when 'x' then 'y' else 'z' end"] {
        assert!(translated(&nested(form, 5), RequestField::Bin("b".into())).is_ok(), "{form}");
    }
    for form in ["nullif({}, 'x')", "coalesce({}, 'x')", "case {} when 'x' then 'y' when 'u' then 'v' else 'z' end"] {
        match refused(&nested(form, 40)) {
            PrepareError::NotAnExpression { message, .. } => {
                assert!(message.contains("nested too deeply"), "{message}")
            }
            other => panic!("{form}: {other}"),
        }
    }
}

#[test]
fn types_that_do_not_meet_are_refused() {
    for text in
        ["hired > 5", "active = 1", "upper(small)", "not name", "name and active", "hired + 1", "left(name, 1.5)"]
    {
        assert!(matches!(refused(text), PrepareError::WrongType { .. }), "{text}");
    }
    let problem = translated("small + 1", RequestField::Condition).expect_err("a number is no condition");
    assert_eq!(problem.to_string(), "`where` must be true or false, but is an integer");
    assert!(translated("name", RequestField::Condition).is_err());
    assert!(translated("active", RequestField::Condition).is_ok());
}

#[test]
fn a_type_that_only_its_source_knows_is_no_value_until_it_is_declared() {
    assert!(matches!(refused("picture"), PrepareError::WrongType { .. }));
    assert!(matches!(refused("picture = 'x'"), PrepareError::WrongType { .. }));
}

#[test]
fn every_value_has_its_type_before_an_engine_sees_it() {
    let kind = |text: &str| translated(text, RequestField::Bin("b".into())).map(|value| value.kind);
    let decimal = |precision, scale| RowType::Decimal { precision, scale };
    for (text, expected) in [
        ("small + 1", RowType::Integer),
        ("small / 2.5", decimal(24, 4)),
        ("small + age", RowType::Number),
        ("big", decimal(20, 0)),
        ("price", decimal(38, 2)),
        ("round(price, 1)", decimal(38, 1)),
        ("round(price)", decimal(38, 0)),
        ("round(12, -1)", RowType::Integer),
        ("round(big, -1)", decimal(21, 0)),
        ("trunc(small, 1)", RowType::Number),
        ("ceil(price)", decimal(38, 2)),
        ("sign(small)", RowType::Number),
        ("coalesce(small, 0.5)", decimal(20, 1)),
        ("length(name)", RowType::Integer),
        ("date_part('year', hired)", RowType::Integer),
        ("date_trunc('month', seen)", RowType::Date),
        ("date_trunc('hour', seen)", RowType::Timestamp { precision: Precision::Second, zone: None }),
        ("case when active then hired end", RowType::Date),
        ("name = dept", RowType::Boolean),
        ("greatest(name, 'x')", RowType::Text),
        ("cast(age as timestamp)", RowType::Timestamp { precision: Precision::Microsecond, zone: None }),
    ] {
        assert_eq!(kind(text), Ok(expected), "{text}");
    }
}
