//! Which texts are expressions, how they bind, and in which words others are refused.
//!
//! It must never be content with a refusal for another reason than the one that is meant. It is separate because it is
//! longer than what it tests. Read `parse.rs` first.

use super::{Arithmetic, ComparisonOperator, Expression, WrittenConstant};
use crate::prepare_error::{PrepareError, RequestField};

fn parsed(text: &str) -> Expression {
    Expression::parse(text, RequestField::Condition).unwrap_or_else(|problem| panic!("{text}: {problem}"))
}

fn refused(text: &str) -> PrepareError {
    match Expression::parse(text, RequestField::Condition) {
        Ok(expression) => panic!("{text} was taken for {expression:?}"),
        Err(problem) => problem,
    }
}

fn same(one: &str, other: &str) {
    assert_eq!(parsed(one), parsed(other), "{one} | {other}");
}

#[test]
fn forms_bind_as_in_postgresql() {
    same("a or b and not c = d", "a or (b and (not (c = d)))");
    same("a + b * c - d", "(a + (b * c)) - d");
    same("a || b = c", "(a || b) = c");
    same("a = b in (1, 2)", "a = (b in (1, 2))");
    same("a between 1 and 2 and b", "(a between 1 and 2) and b");
    same("- a::int % 2", "(- (a::int)) % 2");
    same("a like 'x' or b is not null", "(a like 'x') or (b is not null)");
    same("not a is true", "not (a is true)");
    same("a == 1", "a = 1");
    same("a != 1", "a <> 1");
    same("a not null", "a notnull");
    same("not a in (1)", "a not in (1)");
    // To its end, as it always was.
    same("a is distinct from b and c", "a is distinct from (b and c)");
}

#[test]
fn words_that_begin_no_form_are_columns() {
    for name in ["date", "end", "case", "interval", "position", "substring", "not", "text", "select", "left", "time"] {
        assert_eq!(parsed(name), Expression::Column(name.into()));
        let one = Box::new(Expression::Constant(WrittenConstant::Number("1".into())));
        let column = Box::new(Expression::Column(name.into()));
        assert_eq!(
            parsed(&format!("{name} = 1")),
            Expression::Compare(ComparisonOperator::Equal, column, one),
            "{name}"
        );
    }
    assert_eq!(parsed("\"two \"\"words\"\"\""), Expression::Column("two \"words\"".into()));
    assert!(matches!(parsed("timestamp without time zone '2026-01-31'"), Expression::OfType(_, _)));
}

#[test]
fn the_sign_of_a_number_is_its_own() {
    assert_eq!(parsed("-5"), Expression::Constant(WrittenConstant::Number("-5".into())));
    assert!(matches!(parsed("-(5)"), Expression::Negative(_)));
    assert!(matches!(parsed("1 - 5"), Expression::Arithmetic(Arithmetic::Subtract, _, _)));
}

#[test]
fn forms_of_functions_are_calls() {
    same("substring(a from 1 for 2)", "substring(a, 1, 2)");
    same("extract(year from a)", "extract('year', a)");
    assert_eq!(parsed("position(a in b)").columns().len(), 2);
    same("trim(a)", "trim(both a)");
}

#[test]
fn columns_are_named_wherever_they_stand() {
    let text = "case a when b then c else d end || upper(e) like 'x' and f in (g, 1) and h between i and j is not null";
    assert_eq!(parsed(text).columns().into_iter().collect::<String>(), "abcdefghij");
}

#[test]
fn what_is_left_open_or_goes_on_is_told() {
    for (text, part) in [
        ("", "Expected"),
        ("a >", "Expected"),
        ("'open", "Unterminated"),
        ("\"open", "Expected close delimiter"),
        ("/* open", "multi-line comment"),
        ("a b", "goes on after its end, with b"),
        ("in (1)", "there is no function in"),
        ("cast(a)", "Expected: AS"),
        ("a in ()", "Expected: an expression"),
        ("trim(a", "Expected"),
    ] {
        match refused(text) {
            PrepareError::NotAnExpression { message, .. } => assert!(message.contains(part), "{text}: {message}"),
            other => panic!("{text}: {other}"),
        }
    }
}

#[test]
fn nesting_ends_in_a_message_at_once() {
    for open in ["(", "not ", "- ", "case when ", "position(", "upper(", "cast(", "a in (", "case "] {
        let deep = format!("{}1", open.repeat(200));
        assert!(matches!(refused(&deep), PrepareError::NotAnExpression { .. }), "{open}");
    }
}
