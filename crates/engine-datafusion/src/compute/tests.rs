//! That no expression fails on a row, however bad, and that none is left to casts of the engine's own.
//!
//! What expressions give is data, in the crate `conformance`; here every one of its cases is looked at for strict
//! casts, and a small table has rows that are as bad as rows can be: missing, unreadable, extreme. It must never ask
//! for a value without also asking that no strict cast is left. It is separate because it is longer than what it
//! tests. Read `../compute.rs` first.

use super::RowComputation;
use super::asked::{columns, computation, of_expression, shown};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    RecordBatch, StringArray, TimestampSecondArray, UInt64Array,
};
use arrow_schema::{Field, Schema};
use datafusion_common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion_physical_expr::expressions::{CastExpr, TryCastExpr};
use incrowd_engine::{PrepareError, RequestField};
use std::sync::Arc;

fn table() -> RecordBatch {
    let columns: [(&str, ArrayRef); 12] = [
        ("age", Arc::new(StringArray::from(vec![Some("18"), Some("18.5"), Some("old"), None]))),
        ("Salary", Arc::new(Int64Array::from(vec![Some(10), Some(i64::MAX), Some(i64::MIN), None]))),
        ("small", Arc::new(Int32Array::from(vec![Some(7), Some(0), Some(i32::MIN), None]))),
        ("big", Arc::new(UInt64Array::from(vec![Some(7), Some(0), Some(u64::MAX), None]))),
        ("rate", Arc::new(Float64Array::from(vec![Some(0.5), Some(-0.0), Some(f64::NAN), None]))),
        ("price", {
            let units = Decimal128Array::from(vec![Some(1050), Some(0), Some(10i128.pow(38) - 1), None]);
            Arc::new(units.with_precision_and_scale(38, 2).expect("a decimal"))
        }),
        ("active", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None, None]))),
        ("hired", Arc::new(Date32Array::from(vec![Some(20_484), Some(i32::MAX), Some(i32::MIN), None]))),
        ("seen", Arc::new(TimestampSecondArray::from(vec![Some(1_769_900_400), Some(i64::MAX), Some(i64::MIN), None]))),
        ("name", Arc::new(StringArray::from(vec![Some("Ada Lovelace"), Some(""), Some("Zoë 😀"), None]))),
        ("dept", {
            let words: DictionaryArray<Int32Type> =
                vec![Some("Sales"), Some("IT"), Some("Sales"), None].into_iter().collect();
            Arc::new(words)
        }),
        ("two words", Arc::new(StringArray::from(vec![Some("1"), Some("0"), Some("yes"), None]))),
    ];
    RecordBatch::try_from_iter(columns).expect("a table")
}

fn refused(text: &str) -> PrepareError {
    match of_expression(text).and_then(|query| columns(&query, &table())) {
        Ok(_) => panic!("{text} was taken for an expression"),
        Err(problem) => problem,
    }
}

/// Fails if a cast is left to the engine.
fn refuse_casts(computation: &RowComputation, what: &str) {
    for computed in &computation.dimensions {
        computed
            .apply(|node| {
                let casts = node.downcast_ref::<CastExpr>().is_some() || node.downcast_ref::<TryCastExpr>().is_some();
                assert!(!casts, "{what} has a cast of the engine's own: {computed}");
                Ok(TreeNodeRecursion::Continue)
            })
            .expect("a walk");
    }
}

/// Returns the values of an expression, `.` for missing ones.
fn values(text: &str) -> String {
    let query = of_expression(text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
    refuse_casts(&computation(&query, &table()).unwrap_or_else(|problem| panic!("{text}: {problem}")), text);
    shown(&columns(&query, &table()).unwrap_or_else(|problem| panic!("{text}: {problem}"))[0])
}

#[test]
fn no_case_leaves_a_cast_to_the_engine() {
    for case in incrowd_conformance::cases() {
        let fields = case.table.columns.iter().map(|column| Field::new(&column.name, column.kind.carrier(), true));
        let none = RecordBatch::new_empty(Arc::new(Schema::new(fields.collect::<Vec<_>>())));
        refuse_casts(&computation(&case.query, &none).expect("a computation"), &case.name);
    }
}

#[test]
fn names_are_exact_and_quoted_if_need_be() {
    assert_eq!(values("Salary > 0"), values("\"Salary\" > 0"));
    assert_eq!(values("\"two words\" = 'yes'"), "false false true .");
    let problem = refused("salary > 0");
    assert_eq!(
        problem,
        PrepareError::NoColumn {
            place: RequestField::Bin("b".into()),
            column: "salary".into(),
            nearest: Some("Salary".into())
        }
    );
    let problem = refused("\"Sallary\" > 0");
    assert!(matches!(problem, PrepareError::NoColumn { nearest: Some(nearest), .. } if nearest == "Salary"));
}

#[test]
fn extreme_arguments_do_no_harm() {
    for call in [
        "substr(name, Salary)",
        "substr(name, Salary, Salary)",
        "substr(name, 1, Salary)",
        "left(name, Salary)",
        "right(name, Salary)",
        "split_part(name, ' ', Salary)",
        "split_part(name, '', Salary)",
        "round(Salary, -18)",
        "round(Salary, -30)",
        "round(rate * 1e308 * 10, 30)",
        "trunc(rate * 1e308, 30)",
        "round(price, -30)",
        "trunc(price, -30)",
        "floor(price)",
        "ceil(price)",
        "abs(price)",
        "power(rate, -1e308)",
        "exp(Salary)",
        "date_part('week', hired)",
        "date_part('second', seen)",
        "date_trunc('week', hired)",
        "date_trunc('minute', seen)",
        "date_trunc('quarter', seen)",
        "cast(hired as timestamp)",
        "cast(seen as text)",
        "cast(hired as text)",
        "cast(price as integer)",
        "cast(rate * 1e300 as decimal(38, 10))",
        "cast(Salary as decimal(5, 2))",
        "price / price",
        "price % price",
        "price * 1.00000000000000000001",
        "price - Salary",
        "strpos(name, '')",
        "replace(name, '', 'x')",
        "lpad(name, 1000, '')",
        "rpad(name, 0)",
        "regexp_replace(name, '', '-', 'g')",
        "reverse(name)",
        "ascii(reverse(name))",
        "hired between seen and '2026-01-01'",
    ] {
        values(call);
    }
}

#[test]
fn depth_and_length_end_in_a_message_and_not_in_a_crash() {
    let deep = format!("{}1{}", "(".repeat(10_000), ")".repeat(10_000));
    assert!(matches!(refused(&deep), PrepareError::NotAnExpression { .. }));
    let nested = format!("{}1{}", "(".repeat(200), ")".repeat(200));
    assert!(matches!(refused(&nested), PrepareError::NotAnExpression { .. }));
    let nots = format!("{} active", "not ".repeat(400));
    assert!(matches!(refused(&nots), PrepareError::NotAnExpression { .. }));
    let long = format!("name = '{}'", "x".repeat(1 << 20));
    assert!(matches!(refused(&long), PrepareError::NotAnExpression { .. }));
    let chain = vec!["small"; 30_000].join("+");
    assert!(matches!(refused(&chain), PrepareError::NotAnExpression { .. }));
    // As deep as is taken, on a thread with the usual stack.
    let chain = vec!["active"; 500].join(" and ");
    assert_eq!(values(&chain), "true false . .");
    let chain = vec!["small"; 500].join("+");
    assert_eq!(values(&chain), "3500 0 -1073741824000 .");
    let list = (0..5_000).map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
    assert_eq!(values(&format!("small in ({list})")), "true true false .");
}
