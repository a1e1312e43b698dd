//! SQL expressions on one row, from the text of a request.
//!
//! It must never accept what looks beyond its row, what depends on anything but the row, what fails on some row, or what
//! grows without bound: only listed forms and functions are translated, each in null-on-error form, and a text that a
//! function takes or makes has at most 65,536 bytes. The engine's own planner is not asked, so that
//! nothing enters by another door; names are exact, `Salary` is not `salary`. Read `expression/translate.rs` for the forms,
//! `functions.rs` for the functions, `total.rs` for null-on-error,
//! `bound.rs` for the bound on texts.

pub(crate) mod bound;
mod functions;
#[cfg(test)]
mod growth;
mod nearest;
mod operators;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod tests;
pub(crate) mod total;
mod translate;
pub(crate) mod typed;

pub(crate) use nearest::nearest;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::DFSchema;
use datafusion::logical_expr::Expr;
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::ast;
use datafusion::sql::sqlparser::dialect::PostgreSqlDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use incrowd_engine::{Place, Problem};
use translate::Translator;

/// How long an expression may be, in bytes.
const LONGEST: usize = 1 << 16;

/// How many operators and keywords an expression may have: so deep can the tree become that is walked on the stack.
const MOST_OPERATORS: usize = 500;

/// Returns the expression that a text of the request stands for; a condition is true or false.
///
/// Rows for which a condition is null do not meet it.
pub(crate) fn row_wise(context: &SessionContext, schema: &DFSchema, text: &str, place: Place) -> Result<Expr, Problem> {
    let parsed = parse(text).map_err(|message| Problem::NotAnExpression { place: place.clone(), message })?;
    let translated = Translator { context, schema, place: &place }.translate(&parsed)?;
    if place == Place::Condition && translated.kind != DataType::Boolean {
        let has = typed::name_of(&translated.kind).to_owned();
        return Err(Problem::WrongType { place, wanted: "true or false", has });
    }
    Ok(translated.expr)
}

/// Reads the whole text as one expression. What it says of the text is the parser's, about the request alone.
fn parse(text: &str) -> Result<ast::Expr, String> {
    if text.len() > LONGEST {
        return Err(format!("it has more than {LONGEST} bytes"));
    }
    let dialect = PostgreSqlDialect {};
    let tokens = Tokenizer::new(&dialect, text).tokenize().map_err(|error| error.to_string())?;
    if tokens.iter().filter(|token| is_operator(token)).count() > MOST_OPERATORS {
        return Err(format!("it has more than {MOST_OPERATORS} operators"));
    }
    let mut parser = Parser::new(&dialect).with_tokens(tokens);
    let parsed = parser.parse_expr().map_err(explain)?;
    match parser.peek_token().token {
        Token::EOF => Ok(parsed),
        further => Err(format!("it goes on after its end, with {further}")),
    }
}

fn explain(error: ParserError) -> String {
    match error {
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => message,
        ParserError::RecursionLimitExceeded => "it is nested too deeply".into(),
    }
}

/// Lists may be long; what stands between the values of a list is no operator.
fn is_operator(token: &Token) -> bool {
    match token {
        Token::Word(word) => word.keyword != Keyword::NoKeyword,
        Token::Whitespace(_) | Token::Comma | Token::Number(_, _) | Token::SingleQuotedString(_) => false,
        _ => true,
    }
}
