//! That the cases ask for everything that the contract has.
//!
//! It must never be satisfied by a case that asks for nothing. It is separate because it looks at all cases at once.
//! Read `case.rs` first.

use crate::case::{Case, cases};
use crate::counting::CountsByKey;
use crate::expected::difference;
use incrowd_engine::{
    Arithmetic, BinSource, ColumnType, ComparisonOperator, Cut, Edges, Expression, Function, Items, ListedValues,
    Participants, Pattern, PeriodUnit, Precision, RowForm, RowPlan, RowType, RowValue, Time, Unit,
};
use std::collections::BTreeSet;

fn asserted(seen: &BTreeSet<&str>, all: &[&str]) {
    let missing: Vec<_> = all.iter().filter(|name| !seen.contains(**name)).collect();
    assert!(missing.is_empty(), "no case has {missing:?}");
}

/// Returns the expressions of a case and all that they are made of.
fn expressions(case: &Case) -> Vec<&Expression> {
    let binned = case.query.dimensions.iter().filter_map(|dimension| match &dimension.source {
        BinSource::Column(_) => None,
        BinSource::Expression(expression) => Some(expression),
    });
    let mut all: Vec<&Expression> = binned.chain(&case.query.condition).collect();
    let mut next = 0;
    while let Some(expression) = all.get(next) {
        all.extend(expression.parts());
        next += 1;
    }
    all
}

/// Returns the values of a case and all that they are computed of.
fn values(plan: &RowPlan) -> Vec<&RowValue> {
    let columns = plan.columns.iter().map(|(_, value)| value);
    let mut all: Vec<&RowValue> = columns.chain(&plan.dimensions).chain(&plan.condition).chain(&plan.unit).collect();
    let mut next = 0;
    while let Some(value) = all.get(next) {
        all.extend(value.parts());
        next += 1;
    }
    all
}

#[test]
fn every_listed_function_is_called_by_every_name() {
    let cases = cases();
    let called: BTreeSet<&str> = cases
        .iter()
        .flat_map(expressions)
        .filter_map(|expression| if let Expression::Call { name, .. } = expression { Some(*name) } else { None })
        .collect();
    asserted(&called, &Function::names().collect::<Vec<_>>());
}

#[test]
fn every_form_and_every_type_of_a_row_occurs() {
    let mut seen = BTreeSet::new();
    for case in cases() {
        let plan = RowPlan::of(&case.query, &case.table.source_columns()).expect("a plan");
        for value in values(&plan) {
            seen.insert(form_name(&value.form));
            seen.insert(type_name(&value.kind));
        }
        seen.extend(case.query.source.types.values().map(|kind| declared_name(*kind)));
    }
    asserted(
        &seen,
        &[
            "column",
            "constant",
            "read",
            "day in",
            "first day: week",
            "first day: month",
            "first day: quarter",
            "first day: year",
            "add",
            "subtract",
            "multiply",
            "divide",
            "remainder",
            "join",
            "=",
            "<>",
            "<",
            "<=",
            ">",
            ">=",
            "is distinct from",
            "and",
            "or",
            "not",
            "is null",
            "is",
            "in",
            "like",
            "ilike",
            "case",
            "call",
            "text",
            "integer",
            "unsigned",
            "number",
            "decimal",
            "boolean",
            "date",
            "seconds",
            "milliseconds",
            "microseconds",
            "nanoseconds",
            "in a zone",
            "text declared",
            "integer declared",
            "number declared",
            "boolean declared",
            "date declared",
            "timestamp declared",
        ],
    );
}

#[test]
fn every_cut_and_everybody_who_can_be_counted_occurs() {
    let cases = cases();
    let mut seen = BTreeSet::new();
    for case in &cases {
        seen.extend(case.query.dimensions.iter().map(|dimension| cut_name(&dimension.cut)));
        seen.insert(match &case.query.unit {
            Unit::Row => "rows",
            Unit::People { .. } => "people",
            Unit::Person { bins_per_person: 1, .. } => "persons with one bin",
            Unit::Person { .. } => "persons with several bins",
        });
        seen.insert(match case.query.time {
            None => "no time",
            Some(Time::Apart) => "periods apart",
            Some(Time::Running) => "running periods",
        });
        seen.insert(match case.query.items() {
            Items::Each => "items",
            Items::Pairs => "pairs",
        });
        seen.insert(match case.participants() {
            Participants::Everybody => "everybody",
            Participants::Sample(_) => "a sample",
        });
        seen.insert(if case.query.split.is_some() { "a part" } else { "no parts" });
    }
    asserted(
        &seen,
        &[
            "texts",
            "named",
            "integers",
            "booleans",
            "days",
            "number edges",
            "regular edges",
            "date edges",
            "periods",
            "found",
            "found periods",
            "rows",
            "people",
            "persons with one bin",
            "persons with several bins",
            "no time",
            "periods apart",
            "running periods",
            "items",
            "pairs",
            "everybody",
            "a sample",
            "a part",
            "no parts",
        ],
    );
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "two cases have one name");
}

#[test]
fn counts_that_are_missing_additional_or_other_differ() {
    let counts =
        |counts: &[(&str, u64)]| counts.iter().map(|(key, count)| ((*key).to_owned(), *count)).collect::<CountsByKey>();
    let expected = counts(&[("c1:0", 3), ("c1:1", 1)]);
    assert_eq!(difference(&expected, &expected), None);
    for other in [&[("c1:0", 3)][..], &[("c1:0", 3), ("c1:1", 1), ("c1:2", 1)], &[("c1:0", 3), ("c1:1", 2)], &[]] {
        assert!(difference(&counts(other), &expected).is_some(), "{other:?}");
    }
}

fn form_name(form: &RowForm) -> &'static str {
    match form {
        RowForm::Column(_) => "column",
        RowForm::Constant(_) => "constant",
        RowForm::Read(_) => "read",
        RowForm::DayIn(_, _) => "day in",
        RowForm::FirstDay(PeriodUnit::Day, _) => "first day: day",
        RowForm::FirstDay(PeriodUnit::Week, _) => "first day: week",
        RowForm::FirstDay(PeriodUnit::Month, _) => "first day: month",
        RowForm::FirstDay(PeriodUnit::Quarter, _) => "first day: quarter",
        RowForm::FirstDay(PeriodUnit::Year, _) => "first day: year",
        RowForm::Arithmetic(Arithmetic::Add, _, _) => "add",
        RowForm::Arithmetic(Arithmetic::Subtract, _, _) => "subtract",
        RowForm::Arithmetic(Arithmetic::Multiply, _, _) => "multiply",
        RowForm::Arithmetic(Arithmetic::Divide, _, _) => "divide",
        RowForm::Arithmetic(Arithmetic::Remainder, _, _) => "remainder",
        RowForm::Join(_, _) => "join",
        RowForm::Compare(ComparisonOperator::Equal, _, _) => "=",
        RowForm::Compare(ComparisonOperator::NotEqual, _, _) => "<>",
        RowForm::Compare(ComparisonOperator::Less, _, _) => "<",
        RowForm::Compare(ComparisonOperator::LessOrEqual, _, _) => "<=",
        RowForm::Compare(ComparisonOperator::Greater, _, _) => ">",
        RowForm::Compare(ComparisonOperator::GreaterOrEqual, _, _) => ">=",
        RowForm::Compare(ComparisonOperator::Distinct, _, _) => "is distinct from",
        RowForm::And(_, _) => "and",
        RowForm::Or(_, _) => "or",
        RowForm::Not(_) => "not",
        RowForm::IsNull(_) => "is null",
        RowForm::Is(_, _) => "is",
        RowForm::In(_, _) => "in",
        RowForm::Like(Pattern::OneCase, _, _) => "like",
        RowForm::Like(Pattern::AnyCase, _, _) => "ilike",
        RowForm::Case { .. } => "case",
        RowForm::Call(_, _) => "call",
    }
}

fn type_name(kind: &RowType) -> &'static str {
    match kind {
        RowType::Null => "null",
        RowType::Text => "text",
        RowType::Integer => "integer",
        RowType::Unsigned => "unsigned",
        RowType::Number => "number",
        RowType::Decimal { .. } => "decimal",
        RowType::Boolean => "boolean",
        RowType::Date => "date",
        RowType::Timestamp { zone: Some(_), .. } => "in a zone",
        RowType::Timestamp { precision: Precision::Second, .. } => "seconds",
        RowType::Timestamp { precision: Precision::Millisecond, .. } => "milliseconds",
        RowType::Timestamp { precision: Precision::Microsecond, .. } => "microseconds",
        RowType::Timestamp { precision: Precision::Nanosecond, .. } => "nanoseconds",
        RowType::Foreign(_) => "foreign",
    }
}

fn declared_name(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Text => "text declared",
        ColumnType::Integer => "integer declared",
        ColumnType::Number => "number declared",
        ColumnType::Boolean => "boolean declared",
        ColumnType::Date => "date declared",
        ColumnType::Timestamp => "timestamp declared",
    }
}

fn cut_name(cut: &Cut) -> &'static str {
    match cut {
        Cut::Found => "found",
        Cut::Values(ListedValues::Texts(_)) => "texts",
        Cut::Values(ListedValues::Integers(_)) => "integers",
        Cut::Values(ListedValues::Booleans(_)) => "booleans",
        Cut::Values(ListedValues::Days(_)) => "days",
        Cut::Named(_) => "named",
        Cut::Edges(Edges::Numbers(_)) => "number edges",
        Cut::Edges(Edges::Regular { .. }) => "regular edges",
        Cut::Edges(Edges::Dates(_)) => "date edges",
        Cut::Truncated(_) => "found periods",
        Cut::Periods(_) => "periods",
    }
}
