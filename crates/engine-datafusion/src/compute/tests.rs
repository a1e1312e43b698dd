//! What expressions give, and which are refused.
//!
//! Every value is looked up in one small table whose rows are as bad as rows can be: missing, unreadable, extreme. It
//! must never ask for a value without also asking that no strict cast is left. It is separate because it is longer than
//! what it tests. Read `../compute.rs` first.

use super::asked::{columns, computation, of_expression, shown};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    RecordBatch, StringArray, TimestampSecondArray, UInt64Array,
};
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

/// Returns the values of an expression, `.` for missing ones.
fn values(text: &str) -> String {
    let query = of_expression(text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
    let computation = computation(&query, &table()).unwrap_or_else(|problem| panic!("{text}: {problem}"));
    for computed in &computation.dimensions {
        computed
            .apply(|node| {
                let casts = node.downcast_ref::<CastExpr>().is_some() || node.downcast_ref::<TryCastExpr>().is_some();
                assert!(!casts, "{text} has a cast of the engine's own: {computed}");
                Ok(TreeNodeRecursion::Continue)
            })
            .expect("a walk");
    }
    shown(&columns(&query, &table()).unwrap_or_else(|problem| panic!("{text}: {problem}"))[0])
}

#[test]
fn a_text_beside_a_number_is_read_as_a_number() {
    assert_eq!(values("age >= 18"), "true true . .");
    assert_eq!(values("18.25 < age"), "false true . .");
    assert_eq!(values("age = 18"), "true false . .");
    assert_eq!(values("age in (18, 19)"), "true false . .");
    assert_eq!(values("age between 18 and 18.4"), "true false . .");
    assert_eq!(values("age + 1"), "19.0 19.5 . .");
    assert_eq!(values("case age when 18 then 'a' else 'b' end"), "a b b b");
    assert_eq!(values("\"two words\" = true"), "true false true .");
}

#[test]
fn a_text_beside_a_date_is_read_as_a_date() {
    assert_eq!(values("hired >= '2026-01-31'"), "true true false .");
    assert_eq!(values("hired = date '2026-01-31'"), "true false false .");
    assert_eq!(values("name < hired"), ". . . .");
    assert_eq!(values("seen >= timestamp '2026-01-31 00:00:00'"), "true . . .");
    assert_eq!(values("seen >= hired"), "true . . .");
}

#[test]
fn what_fails_on_a_row_is_missing_there() {
    assert_eq!(values("1 / 0"), ". . . .");
    assert_eq!(values("1 % 0"), ". . . .");
    assert_eq!(values("1.5 / 0"), ". . . .");
    assert_eq!(values("1e0 / 0"), ". . . .");
    assert_eq!(values("10 / small"), "1 . 0 .");
    assert_eq!(values("rate / rate"), "1.0 . . .");
    assert_eq!(values("Salary + 1"), "11 . -9223372036854775807 .");
    assert_eq!(values("Salary - 1"), "9 9223372036854775806 . .");
    assert_eq!(values("Salary * 2"), "20 . . .");
    assert_eq!(values("-Salary"), "-10 -9223372036854775807 . .");
    assert_eq!(values("Salary / -1"), "-10 -9223372036854775807 . .");
    assert_eq!(values("Salary % -1"), "0 0 0 .");
    assert_eq!(values("abs(Salary)"), "10 9223372036854775807 . .");
    assert_eq!(values("big + 1"), "8 1 18446744073709551616 .");
    assert_eq!(values("cast(big as bigint)"), "7 0 . .");
    assert_eq!(values("cast(age as integer)"), "18 . . .");
    assert_eq!(values("age::date"), ". . . .");
    assert_eq!(values("try_cast(name as boolean)"), ". . . .");
    assert_eq!(values("cast(seen as date)"), "2026-01-31 . . .");
    assert_eq!(values("date_part('year', seen)"), "2026 . . .");
    assert!(values("date_trunc('hour', seen)").starts_with("2026-01-31T23:00:00 "));
    assert_eq!(values("extract(year from age)"), ". . . .");
    assert_eq!(values("substr(name, 1, small)"), "Ada Lov  . .");
    assert_eq!(values("split_part(name, ' ', small - 7)"), ".   .");
    assert_eq!(values("split_part(name, ' ', -1)"), "Lovelace  😀 .");
    assert_eq!(values("price * price > 0"), "true false . .");
    assert_eq!(values("price + 0.5 > 0"), "true true true .");
    assert_eq!(values("sqrt(rate - 1)"), ". . . .");
    assert_eq!(values("ln(rate)"), "-0.6931471805599453 -inf . .");
}

#[test]
fn nan_is_missing_and_there_is_one_zero() {
    assert_eq!(values("rate"), "0.5 0.0 . .");
    assert_eq!(values("rate = 0"), "false true . .");
    assert_eq!(values("rate >= 0"), "true true . .");
    assert_eq!(values("rate is null"), "false false true true");
    assert_eq!(values("rate in (0)"), "false true . .");
    assert_eq!(values("nullif(rate, 0)"), "0.5 . . .");
    assert_eq!(values("cast('NaN' as double precision)"), ". . . .");
    assert_eq!(values("-1 * rate = 0"), "false true . .");
}

#[test]
fn numbers_are_compared_exactly() {
    assert_eq!(values("Salary = 9223372036854775807"), "false true false .");
    assert_eq!(values("Salary > 9.5"), "true true false .");
    assert_eq!(values("Salary < 9223372036854775806.5"), "true false true .");
    assert_eq!(values("big = 18446744073709551615"), "false false true .");
    assert_eq!(values("price = 10.5"), "true false false .");
    assert_eq!(values("Salary = -9223372036854775808"), "false false true .");
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
fn texts_may_be_stored_in_any_way() {
    assert_eq!(values("dept = 'Sales'"), "true false true .");
    assert_eq!(values("dept in ('IT', 'Law')"), "false true false .");
    assert_eq!(values("dept not in ('IT', 'Law')"), "true false true .");
    assert_eq!(values("dept = name"), "false false false .");
    assert_eq!(values("upper(dept)"), "SALES IT SALES .");
    assert_eq!(values("dept"), "Sales IT Sales .");
    assert_eq!(values("dept like 'S%'"), "true false true .");
    assert_eq!(values("dept is distinct from 'IT'"), "true false true true");
    assert_eq!(values("coalesce(dept, 'none')"), "Sales IT Sales none");
    assert_eq!(values("dept || '/' || name"), "Sales/Ada Lovelace IT/ Sales/Zoë 😀 .");
}

#[test]
fn every_listed_function_can_be_called() {
    for (call, expected) in [
        ("lower(name)", "ada lovelace  zoë 😀 ."),
        ("length(name)", "12 0 5 ."),
        ("octet_length(name)", "12 0 9 ."),
        ("trim('A' from name)", "da Lovelace  Zoë 😀 ."),
        ("trim(name)", "Ada Lovelace  Zoë 😀 ."),
        ("btrim(name, 'Ae')", "da Lovelac  Zoë 😀 ."),
        ("ltrim(name, 'A')", "da Lovelace  Zoë 😀 ."),
        ("rtrim(name)", "Ada Lovelace  Zoë 😀 ."),
        ("substring(name from 1 for 3)", "Ada  Zoë ."),
        ("substr(name, 5)", "Lovelace  😀 ."),
        ("left(name, 3)", "Ada  Zoë ."),
        ("right(name, -4)", "Lovelace  😀 ."),
        ("concat(dept, '-', name)", "Sales-Ada Lovelace IT- Sales-Zoë 😀 -"),
        ("concat_ws('-', dept, name)", "Sales-Ada Lovelace IT- Sales-Zoë 😀 "),
        ("replace(name, 'Ada', 'A.')", "A. Lovelace  Zoë 😀 ."),
        ("starts_with(name, 'Ada')", "true false false ."),
        ("ends_with(name, 'e')", "true false false ."),
        ("contains(name, ' ')", "true false true ."),
        ("strpos(name, ' ')", "4 0 4 ."),
        ("position(' ' in name)", "4 0 4 ."),
        ("reverse(left(name, 3))", "adA  ëoZ ."),
        ("initcap(lower(dept))", "Sales It Sales ."),
        ("ascii(name)", "65 0 90 ."),
        ("lpad(age, 5, '0')", "00018 018.5 00old ."),
        ("rpad(age, 3)", "18  18. old ."),
        ("regexp_like(name, '^A')", "true false false ."),
        ("regexp_like(name, '^a', 'i')", "true false false ."),
        ("regexp_replace(name, '[aeiou]', '_', 'g')", "Ad_ L_v_l_c_  Z_ë 😀 ."),
        ("greatest(small, 3)", "7 3 3 3"),
        ("least(small, 3)", "3 0 -2147483648 3"),
        ("sign(small)", "1.0 0.0 -1.0 ."),
        ("floor(rate)", "0.0 0.0 . ."),
        ("ceil(price)", "11.00 0.00 . ."),
        ("ceiling(rate)", "1.0 0.0 . ."),
        ("round(price, 1)", "10.5 0.0 1000000000000000000000000000000000000.0 ."),
        ("round(small, -1)", "10 0 -2147483650 ."),
        ("trunc(rate)", "0.0 0.0 . ."),
        ("power(rate, 2)", "0.25 0.0 . ."),
        ("exp(rate - rate)", "1.0 1.0 . ."),
        ("log10(rate * 20)", "1.0 -inf . ."),
        ("date_trunc('month', date '2024-02-29')", "2024-02-01 2024-02-01 2024-02-01 2024-02-01"),
        ("date_trunc('year', seen)", "2026-01-01 . . ."),
        ("date_part('month', hired)", "1 . . ."),
        ("extract(isodow from hired)", "6 . . ."),
        ("case when age > 18 then 'over' when age = 18 then 'just' end", "just over . ."),
        ("active is not true", "false true true true"),
        ("not active", "false true . ."),
        ("active or Salary > 0", "true true . ."),
        ("name ilike 'ada%'", "true false false ."),
        ("age not between 18 and 19", "false false . ."),
        ("coalesce(age, 'none')", "18 18.5 old none"),
        ("coalesce(small, 0.5)", "7.0 0.0 -2147483648.0 0.5"),
        ("/* a comment */ small -- and another", "7 0 -2147483648 ."),
    ] {
        assert_eq!(values(call), expected, "{call}");
    }
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

#[test]
fn a_constant_condition_is_allowed() {
    assert_eq!(values("true"), "true true true true");
    assert_eq!(values("1 = 1"), "true true true true");
}
