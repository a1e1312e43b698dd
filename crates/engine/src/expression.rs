//! Expressions on one row, from the text of a request to a small tree.
//!
//! It must never accept what looks beyond its row, what depends on anything but the row, or what fails on some row:
//! only listed forms and functions are read, and each of them has a value or none on every row. No planner of an engine
//! is asked, so that nothing enters by another door; names are exact, `Salary` is not `salary`. It is separate from the
//! engines because that bins look at one row alone is a promise, made once for all of them
//! (`docs/decisions/0014-row-expressions.md`). Read `expression/parse.rs` for the forms, `expression/functions.rs` for
//! the functions.

mod functions;
mod nearest;
mod parse;
#[cfg(test)]
mod tests;
mod token;

pub use functions::Function;
pub use nearest::nearest;

use crate::prepare_error::{PrepareError, RequestField};
use std::collections::BTreeSet;

/// How long a text may be that a function takes or makes, in bytes; a longer one is missing.
pub const LONGEST_TEXT: usize = 1 << 16;

/// An expression on one row, as it is written.
///
/// Every form is total: on a row on which it fails it is missing, and so is every text of more than [`LONGEST_TEXT`]
/// bytes that a function takes or makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A column, by its exact name.
    Column(String),
    /// A constant.
    Constant(WrittenConstant),
    /// A constant that must be readable as a type.
    OfType(Type, Box<Expression>),
    /// `not`.
    Not(Box<Expression>),
    /// `-`.
    Negative(Box<Expression>),
    /// `+`.
    Positive(Box<Expression>),
    /// `and`.
    And(Box<Expression>, Box<Expression>),
    /// `or`.
    Or(Box<Expression>, Box<Expression>),
    /// Two values are compared.
    Compare(ComparisonOperator, Box<Expression>, Box<Expression>),
    /// Two numbers are calculated with.
    Arithmetic(Arithmetic, Box<Expression>, Box<Expression>),
    /// `||`.
    Join(Box<Expression>, Box<Expression>),
    /// `is null`.
    IsNull(Box<Expression>),
    /// `is true`, `is false`.
    Is(bool, Box<Expression>),
    /// `is unknown`.
    IsUnknown(Box<Expression>),
    /// `in`; at least one value is listed.
    In(Box<Expression>, Vec<Expression>),
    /// `between`: a value, the least and the greatest.
    Between(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `like` and `ilike`: a value and a pattern.
    Like(Pattern, Box<Expression>, Box<Expression>),
    /// A value read as another type.
    Cast(Box<Expression>, Type),
    /// `case`.
    Case {
        /// What every test is compared with.
        operand: Option<Box<Expression>>,
        /// At least one.
        branches: Vec<Branch>,
        /// The value if no test is met.
        otherwise: Option<Box<Expression>>,
    },
    /// A function.
    Call {
        /// The name by which it was called.
        name: &'static str,
        /// Which it is.
        function: Function,
        /// Its values.
        values: Vec<Expression>,
    },
}

/// `when test then result`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// What must be true, or equal to the operand.
    pub test: Expression,
    /// The value then.
    pub result: Expression,
}

/// A constant as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrittenConstant {
    /// Nothing.
    Null,
    /// True or false.
    Boolean(bool),
    /// A number by its digits, with its sign.
    Number(String),
    /// A text.
    Text(String),
}

/// What values are read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// Texts.
    Text,
    /// Whole numbers of 64 bits.
    Integer,
    /// Binary fractions of 64 bits.
    Number,
    /// Decimals of at most 38 digits.
    Decimal {
        /// How many digits there are, from 1 to 38.
        precision: u8,
        /// How many of them are after the point, at most all.
        scale: i8,
    },
    /// True or false.
    Boolean,
    /// Days.
    Date,
    /// Moments, to the microsecond.
    Timestamp,
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    /// `=`.
    Equal,
    /// `<>`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
    /// `is distinct from`: two missing values are the same.
    Distinct,
}

/// Arithmetic with two numbers. What overflows is missing; so is what is divided by zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Remainder,
}

/// Whether a pattern looks at the case of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// It does.
    OneCase,
    /// It does not.
    AnyCase,
}

/// Why a text is no expression on one row.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fault {
    /// The words do not make the form that they begin; they may make another.
    Syntax(String),
    /// It cannot be read.
    Unreadable(String),
    /// It is refused, by name.
    Refused(String),
}

impl Expression {
    /// Reads a text of the request, all of it, as one expression.
    pub fn parse(text: &str, place: RequestField) -> Result<Expression, PrepareError> {
        parse::parse(text).map_err(|fault| match fault {
            Fault::Syntax(message) | Fault::Unreadable(message) => PrepareError::NotAnExpression { place, message },
            Fault::Refused(what) => PrepareError::NotRowWise { place, what },
        })
    }

    /// Returns the columns that it names.
    pub fn columns(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        self.name_columns(&mut names);
        names
    }

    fn name_columns(&self, names: &mut BTreeSet<String>) {
        if let Expression::Column(name) = self {
            names.insert(name.clone());
        }
        self.parts().into_iter().for_each(|part| part.name_columns(names));
    }

    /// Returns the expressions that it is made of.
    pub fn parts(&self) -> Vec<&Expression> {
        match self {
            Expression::Column(_) | Expression::Constant(_) => Vec::new(),
            Expression::OfType(_, value)
            | Expression::Not(value)
            | Expression::Negative(value)
            | Expression::Positive(value)
            | Expression::IsNull(value)
            | Expression::Is(_, value)
            | Expression::IsUnknown(value)
            | Expression::Cast(value, _) => vec![value],
            Expression::And(left, right)
            | Expression::Or(left, right)
            | Expression::Compare(_, left, right)
            | Expression::Arithmetic(_, left, right)
            | Expression::Join(left, right)
            | Expression::Like(_, left, right) => vec![left, right],
            Expression::Between(value, low, high) => vec![value, low, high],
            Expression::In(value, list) => std::iter::once(&**value).chain(list).collect(),
            Expression::Case { operand, branches, otherwise } => {
                let branches = branches.iter().flat_map(|Branch { test, result }| [test, result]);
                operand.as_deref().into_iter().chain(branches).chain(otherwise.as_deref()).collect()
            }
            Expression::Call { values, .. } => values.iter().collect(),
        }
    }
}
