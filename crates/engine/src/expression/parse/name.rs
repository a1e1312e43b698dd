//! The names of types, and constants that name theirs: `date '2026-01-31'`.
//!
//! It must never take a type that no value can be read as: what is not listed is refused by name. It is separate
//! because these names are a list of their own. Read `parse/call.rs` next.

use super::{Fault, Parser};
use crate::expression::token::Token;
use crate::expression::{Expression, Type, WrittenConstant};

/// Names of types that are known and refused.
#[rustfmt::skip]
const REFUSED: [&str; 36] = [
    "bigdecimal", "bignumeric", "binary", "bit", "blob", "bytea", "bytes", "character", "clob", "datetime", "dec", "float32",
    "hugeint", "int128", "int16", "int32", "int256", "json", "jsonb", "mediumint", "nvarchar", "regclass", "signed", "time",
    "timestamptz", "timetz", "tinytext", "tsquery", "tsvector", "ubigint", "uint64", "unsigned", "usmallint", "uuid",
    "varbinary", "xml",
];

impl Parser {
    /// A constant after the name of its type, if there is one here.
    pub(super) fn typed_constant(&mut self) -> Result<Option<Expression>, Fault> {
        let from = self.at;
        if !self.word_at(0).is_some_and(|word| is_type(&word)) {
            return Ok(None);
        }
        let kind = match self.data_type() {
            Ok(kind) => Some(kind),
            Err(Fault::Syntax(_)) => None,
            Err(fault @ (Fault::Refused(_) | Fault::Unreadable(_))) => {
                // The name of a refused type may be that of a column.
                if matches!(self.peek(), Some(Token::Text(_))) {
                    return Err(fault);
                }
                None
            }
        };
        match (kind, self.peek().cloned()) {
            (Some(kind), Some(Token::Text(text))) => {
                self.at += 1;
                let text = Expression::Constant(WrittenConstant::Text(text));
                Ok(Some(Expression::OfType(kind, Box::new(text))))
            }
            (_, _) => {
                self.at = from;
                Ok(None)
            }
        }
    }

    /// The name of a type that values can be read as.
    pub(super) fn data_type(&mut self) -> Result<Type, Fault> {
        let from = self.at;
        let word = match self.peek() {
            Some(Token::Word(word)) => word.to_lowercase(),
            Some(Token::Quoted(name)) => return Err(Fault::Refused(format!("the type {name:?}"))),
            Some(_) | None => return Err(self.expected("a data type name")),
        };
        self.at += 1;
        let kind = match word.as_str() {
            "text" | "string" | "varchar" | "char" => {
                (!self.is_sign("(") && !self.is_word("varying")).then_some(Type::Text)
            }
            "character" => self.takes(&["varying"]).then_some(Type::Text).filter(|_| !self.is_sign("(")),
            "tinyint" | "smallint" | "int" | "integer" | "bigint" | "int2" | "int4" | "int8" => {
                (!self.is_sign("(") && !self.is_word("unsigned")).then_some(Type::Integer)
            }
            "int64" => Some(Type::Integer),
            "real" | "float4" | "float8" | "float64" => (!self.is_word("unsigned")).then_some(Type::Number),
            "double" if self.takes(&["precision"]) => (!self.is_word("unsigned")).then_some(Type::Number),
            "float" | "double" => {
                self.digits()?;
                (!self.is_word("unsigned")).then_some(Type::Number)
            }
            "decimal" | "numeric" => match self.digits()?.as_deref() {
                Some([precision, scale]) if !self.is_word("unsigned") => {
                    let precision = u8::try_from(*precision).ok().filter(|precision| (1..=38).contains(precision));
                    let fits = |precision: &u8| *scale >= 0 && *scale <= i64::from(*precision);
                    precision.filter(fits).map(|precision| Type::Decimal { precision, scale: *scale as i8 })
                }
                Some(_) | None => None,
            },
            "boolean" | "bool" => Some(Type::Boolean),
            "date" => Some(Type::Date),
            "timestamp" if !self.is_sign("(") => {
                let zoned = self.zoned()?;
                (!zoned).then_some(Type::Timestamp)
            }
            _ => None,
        };
        // An array of anything is no value.
        match kind {
            Some(kind) if !self.is_sign("[") => Ok(kind),
            Some(_) | None => Err(self.refused_type(from)),
        }
    }

    /// Whether a time zone is asked for.
    fn zoned(&mut self) -> Result<bool, Fault> {
        let zoned = self.is_word("with");
        if zoned || self.is_word("without") {
            self.at += 1;
            self.need("time")?;
            self.need("zone")?;
        }
        Ok(zoned)
    }

    /// One or two numbers in parentheses, if there are any.
    fn digits(&mut self) -> Result<Option<Vec<i64>>, Fault> {
        if !self.takes_sign("(") {
            return Ok(None);
        }
        let mut numbers = vec![self.whole_number()?];
        if self.takes_sign(",") {
            numbers.push(self.whole_number()?);
        }
        self.need_sign(")")?;
        Ok(Some(numbers))
    }

    fn whole_number(&mut self) -> Result<i64, Fault> {
        let sign = if self.takes_sign("-") { -1 } else { 1 };
        match self.peek() {
            Some(Token::Number(digits)) => {
                let number: i64 = digits.parse().map_err(|_| self.expected("literal int"))?;
                self.at += 1;
                Ok(sign * number)
            }
            Some(_) | None => Err(self.expected("literal int")),
        }
    }

    /// Takes the rest of a name, so that all of it can be told.
    fn refused_type(&mut self, from: usize) -> Fault {
        let _ = self.digits();
        while ["varying", "unsigned", "with", "without", "time", "zone"].iter().any(|word| self.is_word(word)) {
            self.at += 1;
        }
        while self.takes_sign("[") || self.takes_sign("]") {}
        let mut shown = String::new();
        for token in &self.tokens[from..self.at] {
            let is_word = matches!(token, Token::Word(_));
            if is_word && !shown.is_empty() {
                shown.push(' ');
            }
            shown.push_str(&token.shown().to_uppercase());
        }
        Fault::Refused(format!("the type {shown}"))
    }
}

fn is_type(word: &str) -> bool {
    const KNOWN: [&str; 23] = [
        "text",
        "string",
        "varchar",
        "char",
        "character",
        "tinyint",
        "smallint",
        "int",
        "integer",
        "bigint",
        "int2",
        "int4",
        "int8",
        "int64",
        "real",
        "float",
        "float4",
        "float8",
        "float64",
        "double",
        "decimal",
        "numeric",
        "boolean",
    ];
    KNOWN.contains(&word) || ["bool", "date", "timestamp"].contains(&word) || REFUSED.contains(&word)
}
