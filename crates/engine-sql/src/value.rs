//! What of a row is said in SQL: conditions, and values of bins and persons.
//!
//! Only forms that a server computes exactly as this machine does: columns, constants, comparisons, lists, patterns,
//! choices, days in UTC. It must never let the server decide a cast, a collation or a rounding, nor write a tree so
//! deep that a server refuses it only when it counts. It is separate from `bins.rs` because a value knows no bins. Read
//! `incrowd_engine::RowForm` for what each form means.

use crate::dialect::{SqlDialect, WithZone};
use incrowd_engine::{ComparisonOperator, Constant, Pattern, Precision, RowForm, RowType, RowValue};

/// How deep a tree of forms may be.
const DEEPEST: usize = 64;

/// Why rows must be delivered: what a server cannot count as this machine does, in words of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotPushed {
    /// Words that end a sentence: `... because bin "age" reads a text as a number`.
    pub reason: String,
}

impl NotPushed {
    /// Returns the reason with these words.
    pub fn because(reason: impl Into<String>) -> NotPushed {
        NotPushed { reason: reason.into() }
    }
}

/// Where a value stands in the request, and how its columns are written.
pub(crate) struct Writer<'a> {
    pub(crate) dialect: &'a dyn SqlDialect,
    /// As reasons name it.
    pub(crate) place: String,
    /// Writes a column.
    pub(crate) column: &'a dyn Fn(&str) -> Result<String, NotPushed>,
}

impl Writer<'_> {
    /// Returns a value in the form of its type.
    pub(crate) fn value(&self, value: &RowValue) -> Result<String, NotPushed> {
        self.at(value, 0)
    }

    fn at(&self, value: &RowValue, depth: usize) -> Result<String, NotPushed> {
        if depth > DEEPEST {
            return Err(self.cannot("nests more deeply than a server may read"));
        }
        let inner = |value: &RowValue| self.at(value, depth + 1);
        Ok(match &value.form {
            RowForm::Column(name) => (self.column)(name)?,
            RowForm::Constant(constant) => self.constant(constant, &value.kind)?,
            RowForm::Read(read) => self.read(inner(read)?, &read.kind, &value.kind)?,
            RowForm::DayIn(zone, moment) => self.day(zone, inner(moment)?, &moment.kind)?,
            RowForm::FirstDay(unit, day) => {
                let first = self.dialect.first_day(*unit, &inner(day)?);
                first.ok_or_else(|| self.cannot("cuts days to periods"))?
            }
            RowForm::Compare(comparison, left, right) => {
                format!("({} {} {})", inner(left)?, operator(*comparison), inner(right)?)
            }
            RowForm::And(left, right) => format!("({} AND {})", inner(left)?, inner(right)?),
            RowForm::Or(left, right) => format!("({} OR {})", inner(left)?, inner(right)?),
            RowForm::Not(truth) => format!("(NOT {})", inner(truth)?),
            RowForm::IsNull(value) => format!("({} IS NULL)", inner(value)?),
            RowForm::Is(true, truth) => format!("({} IS TRUE)", inner(truth)?),
            RowForm::Is(false, truth) => format!("({} IS FALSE)", inner(truth)?),
            RowForm::In(value, list) => {
                let list = list.iter().map(inner).collect::<Result<Vec<_>, _>>()?;
                format!("({} IN ({}))", inner(value)?, list.join(", "))
            }
            RowForm::Like(Pattern::OneCase, text, pattern) if !pattern.contains('\\') => {
                let like = self.dialect.like(&inner(text)?, pattern);
                like.ok_or_else(|| self.cannot("uses `like`"))?
            }
            RowForm::Like(Pattern::OneCase, _, _) => {
                return Err(self.cannot("has a backslash in a pattern of `like`"));
            }
            RowForm::Like(Pattern::AnyCase, _, _) => return Err(self.cannot("uses `ilike`")),
            RowForm::Case { branches, otherwise } => {
                let mut text = String::from("(CASE");
                for (test, result) in branches {
                    text += &format!(" WHEN {} THEN {}", inner(test)?, inner(result)?);
                }
                if let Some(otherwise) = otherwise {
                    text += &format!(" ELSE {}", inner(otherwise)?);
                }
                text + " END)"
            }
            RowForm::Arithmetic(_, _, _) => return Err(self.cannot("calculates")),
            RowForm::Join(_, _) => return Err(self.cannot("joins texts with ||")),
            RowForm::Call(function, _) => {
                return Err(self.cannot(&format!("calls the function {}", format!("{function:?}").to_lowercase())));
            }
        })
    }

    fn constant(&self, constant: &Constant, kind: &RowType) -> Result<String, NotPushed> {
        let written = match (constant, kind) {
            (Constant::Null, kind) => self.dialect.missing(kind),
            (Constant::Boolean(truth), RowType::Boolean) => Some(if *truth { "TRUE" } else { "FALSE" }.to_owned()),
            (Constant::Integer(integer), RowType::Integer) => Some(self.dialect.integer(*integer)),
            (Constant::Number(number), RowType::Number) => {
                // Another zero, or no number at all, is compared by bits here.
                let is_tidy = number.is_finite() && number.to_bits() != (-0.0f64).to_bits();
                is_tidy.then(|| self.dialect.number(*number))
            }
            (Constant::Decimal(units), RowType::Decimal { precision, scale }) => {
                Some(self.dialect.decimal(*units, *precision, *scale))
            }
            (Constant::Text(text), RowType::Text) => self.dialect.text(text),
            (Constant::Date(day), RowType::Date) => Some(format!("({day})")),
            (Constant::Timestamp(moment), RowType::Timestamp { precision: Precision::Microsecond, zone }) => {
                self.dialect.moment(*moment, with_zone(zone.as_deref()))
            }
            (_, _) => None,
        };
        written.ok_or_else(|| self.cannot("has a constant that no server has in this form"))
    }

    fn read(&self, value: String, from: &RowType, to: &RowType) -> Result<String, NotPushed> {
        let written = match (from, to) {
            (from, to) if from == to && *to != RowType::Number => Some(value),
            (RowType::Number, RowType::Number) => Some(self.dialect.tidied(&value)),
            (RowType::Integer, RowType::Number) => self.dialect.integer_as_number(&value),
            // What may be cut off or rounded is read here.
            (RowType::Integer, RowType::Decimal { precision, scale }) if before_point(*precision, *scale) >= 19 => {
                self.dialect.widened(&value, *precision, *scale)
            }
            (RowType::Decimal { precision: digits, scale: places }, RowType::Decimal { precision, scale })
                if scale >= places && before_point(*precision, *scale) >= before_point(*digits, *places) =>
            {
                self.dialect.widened(&value, *precision, *scale)
            }
            (RowType::Decimal { scale: 0, .. }, RowType::Integer) => self.dialect.whole(&value),
            (_, _) => None,
        };
        written.ok_or_else(|| self.cannot(&format!("reads {} as {}", from.name(), to.name())))
    }

    fn day(&self, zone: &str, moment: String, kind: &RowType) -> Result<String, NotPushed> {
        match kind {
            RowType::Timestamp { zone: label, .. } if zone == "UTC" => {
                let day = self.dialect.day_in_utc(&moment, with_zone(label.as_deref()));
                day.ok_or_else(|| self.cannot("takes the day of a moment"))
            }
            RowType::Timestamp { .. } => {
                Err(self.cannot(&format!("takes days in the time zone {zone}, of which a server may have other rules")))
            }
            kind => Err(self.cannot(&format!("reads {} as a day", kind.name()))),
        }
    }

    fn cannot(&self, what: &str) -> NotPushed {
        NotPushed::because(format!("{} {what}", self.place))
    }
}

/// Whether moments of a type are labelled.
pub(crate) fn with_zone(zone: Option<&str>) -> WithZone {
    if zone.is_some() { WithZone::Zoned } else { WithZone::Unzoned }
}

fn before_point(precision: u8, scale: i8) -> i16 {
    i16::from(precision) - i16::from(scale)
}

fn operator(comparison: ComparisonOperator) -> &'static str {
    match comparison {
        ComparisonOperator::Equal => "=",
        ComparisonOperator::NotEqual => "<>",
        ComparisonOperator::Less => "<",
        ComparisonOperator::LessOrEqual => "<=",
        ComparisonOperator::Greater => ">",
        ComparisonOperator::GreaterOrEqual => ">=",
        ComparisonOperator::Distinct => "IS DISTINCT FROM",
    }
}
