//! What is computed of one row, as a small tree with types.
//!
//! Made of a query and of the columns that a source has; each form has a value or none on every row, so that no row can
//! end a count. It must never hold a form that looks beyond its row, or a value of a type that is not written beside
//! it. It is separate from the expressions as they are written (`expression.rs`), whose types depend on the columns,
//! and from the engines, which compute the same tree in their own ways (`docs/decisions/0014-row-expressions.md`). Read
//! `row/plan.rs` for what is asked of a row, `row/translate.rs` for how expressions get their types, `steps.rs` for
//! what each step gives.

mod columns;
mod constant;
mod dimension;
mod functions;
mod meet;
mod operators;
mod plan;
#[cfg(test)]
mod refusals;
mod stored;
mod translate;
mod types;

pub use columns::SourceColumn;
pub use constant::Constant;
pub use plan::RowPlan;
pub use stored::{row_type, source_columns, stored};
pub use types::RowType;

use crate::expression::{Arithmetic, ComparisonOperator, Function, Pattern};
use incrowd_definition::PeriodUnit;

/// A value of a row, with its type.
#[derive(Debug, Clone, PartialEq)]
pub struct RowValue {
    /// How it is computed.
    pub form: RowForm,
    /// What it is.
    pub kind: RowType,
}

/// How a value of a row is computed. What fails on a row is missing there, and so is every text of more than
/// [`crate::LONGEST_TEXT`] bytes that a function takes or makes.
#[derive(Debug, Clone, PartialEq)]
pub enum RowForm {
    /// A column, by its exact name. Numbers in it may be NaN, and there may be two zeros.
    Column(String),
    /// The request's own.
    Constant(Constant),
    /// A value read as the type of this one (`steps::read`). A number that is read as a number is tidied: NaN is
    /// missing, and there is one zero.
    Read(Box<RowValue>),
    /// The day of a moment, or of a text, in a time zone (`steps::days`).
    DayIn(String, Box<RowValue>),
    /// The first day of the period that a day is in (`steps::first_days`).
    FirstDay(PeriodUnit, Box<RowValue>),
    /// Two numbers of one type (`steps::calculate`).
    Arithmetic(Arithmetic, Box<RowValue>, Box<RowValue>),
    /// Two texts, one after the other.
    Join(Box<RowValue>, Box<RowValue>),
    /// Two values of one type; texts by their bytes.
    Compare(ComparisonOperator, Box<RowValue>, Box<RowValue>),
    /// Missing unless one is false or both are known.
    And(Box<RowValue>, Box<RowValue>),
    /// Missing unless one is true or both are known.
    Or(Box<RowValue>, Box<RowValue>),
    /// The other truth.
    Not(Box<RowValue>),
    /// Whether it is missing.
    IsNull(Box<RowValue>),
    /// Whether it is this truth, and known.
    Is(bool, Box<RowValue>),
    /// Whether it is among values of its type; missing if it is not and one of them is.
    In(Box<RowValue>, Vec<RowValue>),
    /// Whether a text matches a pattern of `like`.
    Like(Pattern, Box<RowValue>, String),
    /// The result of the first test that is true, all results of one type.
    Case {
        /// A test and its result.
        branches: Vec<(RowValue, RowValue)>,
        /// The result where no test is true.
        otherwise: Option<Box<RowValue>>,
    },
    /// A function of values of the types that it is defined for.
    Call(Function, Vec<RowValue>),
}

impl RowValue {
    /// Returns a column as it is stored.
    pub(crate) fn column(name: &str, kind: &RowType) -> RowValue {
        RowValue { form: RowForm::Column(name.to_owned()), kind: kind.clone() }
    }

    /// Returns a constant.
    pub(crate) fn constant(value: Constant, kind: RowType) -> RowValue {
        RowValue { form: RowForm::Constant(value), kind }
    }

    /// Returns a truth value.
    pub(crate) fn truth(form: RowForm) -> RowValue {
        RowValue { form, kind: RowType::Boolean }
    }

    /// Returns the same value read as another type.
    pub(crate) fn read_as(self, kind: RowType) -> RowValue {
        RowValue { form: RowForm::Read(Box::new(self)), kind }
    }

    /// Returns the constant that it is.
    pub fn as_constant(&self) -> Option<&Constant> {
        match &self.form {
            RowForm::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// Returns the values that it is computed of.
    pub fn parts(&self) -> Vec<&RowValue> {
        match &self.form {
            RowForm::Column(_) | RowForm::Constant(_) => Vec::new(),
            RowForm::Read(value)
            | RowForm::DayIn(_, value)
            | RowForm::FirstDay(_, value)
            | RowForm::Not(value)
            | RowForm::IsNull(value)
            | RowForm::Is(_, value)
            | RowForm::Like(_, value, _) => vec![value],
            RowForm::Arithmetic(_, left, right)
            | RowForm::Join(left, right)
            | RowForm::Compare(_, left, right)
            | RowForm::And(left, right)
            | RowForm::Or(left, right) => vec![left, right],
            RowForm::In(value, list) => std::iter::once(&**value).chain(list).collect(),
            RowForm::Case { branches, otherwise } => {
                let branches = branches.iter().flat_map(|(test, result)| [test, result]);
                branches.chain(otherwise.as_deref()).collect()
            }
            RowForm::Call(_, values) => values.iter().collect(),
        }
    }

    /// Calls back with it and with everything that it is computed of.
    pub(crate) fn each<'v>(&'v self, visit: &mut dyn FnMut(&'v RowValue)) {
        visit(self);
        for part in self.parts() {
            part.each(visit);
        }
    }
}
