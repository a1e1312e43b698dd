//! What begins with a word: columns, constants, functions, and the forms of their own that some functions have.
//!
//! A word that could begin a form and does not is the name of a column, as `date` or `end`. It must never take a
//! function that is not listed in `functions.rs`. It is separate from the operators because the forms are a list of
//! their own. Read `parse/name.rs` for the names of types.

use super::{Fault, Parsed, Parser, binds, not};
use crate::expression::functions::{Function, listed, unlisted};
use crate::expression::token::Token;
use crate::expression::{Expression, WrittenConstant};

impl Parser {
    /// What begins with a word that was taken.
    pub(super) fn worded(&mut self, word: String) -> Parsed {
        let after = self.at;
        let lower = word.to_lowercase();
        match self.form(&lower) {
            Ok(Some(form)) => Ok(form),
            Ok(None) if self.is_sign("(") => self.call(&lower),
            Ok(None) => Ok(Expression::Column(word)),
            Err(Fault::Syntax(message)) => {
                self.at = after;
                if self.is_sign("(") || lower == "exists" || lower == "trim" {
                    return Err(Fault::Syntax(message));
                }
                Ok(Expression::Column(word))
            }
            Err(fault @ (Fault::Unreadable(_) | Fault::Refused(_))) => Err(fault),
        }
    }

    /// The form that a word begins, if it begins one.
    fn form(&mut self, word: &str) -> Result<Option<Expression>, Fault> {
        let refused = |what: &str| Err(Fault::Refused(what.into()));
        Ok(Some(match word {
            "true" => Expression::Constant(WrittenConstant::Boolean(true)),
            "false" => Expression::Constant(WrittenConstant::Boolean(false)),
            "null" => Expression::Constant(WrittenConstant::Null),
            "not" => not(self.expression(binds::NOT)?),
            "case" => self.case()?,
            "cast" | "try_cast" | "safe_cast" => {
                // All are one here: what cannot be read is missing.
                self.need_sign("(")?;
                let value = Box::new(self.expression(0)?);
                self.need("as")?;
                let kind = self.data_type()?;
                self.need_sign(")")?;
                Expression::Cast(value, kind)
            }
            "exists" => {
                self.need_sign("(")?;
                return refused("a subquery");
            }
            "array" if self.is_sign("[") => return refused("an array"),
            "array" if self.is_sign("(") => return refused("a subquery"),
            "interval" if self.begins_a_value() => return refused("an interval"),
            "current_catalog" | "current_user" | "session_user" | "user" | "current_timestamp" | "current_time"
            | "current_date" | "localtime" | "localtimestamp" => return refused(&format!("the function {word}")),
            "extract" => self.extract()?,
            "ceil" => self.only("ceil", Function::Ceil)?,
            "floor" => self.only("floor", Function::Floor)?,
            "position" if self.is_sign("(") => self.position()?,
            "substr" => self.substring("substr")?,
            "substring" => self.substring("substring")?,
            "trim" => self.trim()?,
            _ => return Ok(None),
        }))
    }

    /// Whether a value may begin here.
    fn begins_a_value(&self) -> bool {
        match self.peek() {
            None => false,
            Some(Token::Sign(sign)) => ["(", "+", "-"].contains(&sign.as_str()),
            Some(_) => true,
        }
    }

    /// `extract(year from hired)`, and `extract('year', hired)`.
    fn extract(&mut self) -> Parsed {
        self.need_sign("(")?;
        let (part, quoted) = match self.peek().cloned() {
            Some(Token::Word(part) | Token::Quoted(part)) => (part, false),
            Some(Token::Text(part)) => (part, true),
            Some(_) | None => return Err(self.expected("date/time field")),
        };
        self.at += 1;
        if !(self.takes(&["from"]) || (quoted && self.takes_sign(","))) {
            return Err(self.expected("FROM"));
        }
        let value = self.expression(0)?;
        self.need_sign(")")?;
        Ok(call("extract", Function::DatePart, vec![text(part), value]))
    }

    /// A function of one value that has a form of its own.
    fn only(&mut self, name: &'static str, function: Function) -> Parsed {
        self.need_sign("(")?;
        let value = self.expression(0)?;
        if self.is_sign(",") || self.is_word("to") {
            return Err(Fault::Unreadable(format!("{name} is called with too few or too many values")));
        }
        self.need_sign(")")?;
        Ok(call(name, function, vec![value]))
    }

    fn position(&mut self) -> Parsed {
        self.need_sign("(")?;
        let sought = self.expression(binds::BETWEEN)?;
        if !self.takes(&["in"]) {
            return Err(Fault::Unreadable("write position(part in text)".into()));
        }
        let value = self.expression(0)?;
        self.need_sign(")")?;
        Ok(call("position", Function::Position, vec![value, sought]))
    }

    fn substring(&mut self, name: &'static str) -> Parsed {
        self.need_sign("(")?;
        let mut values = vec![self.expression(0)?];
        if !(self.takes_sign(",") || self.takes(&["from"])) {
            return Err(Fault::Unreadable(format!("{name} needs a place from which on it takes")));
        }
        values.push(self.expression(0)?);
        if self.takes(&["for"]) || self.takes_sign(",") {
            values.push(self.expression(0)?);
        }
        self.need_sign(")")?;
        Ok(call(name, Function::Substring, values))
    }

    fn trim(&mut self) -> Parsed {
        self.need_sign("(")?;
        let function = if self.takes(&["leading"]) {
            Function::TrimStart
        } else if self.takes(&["trailing"]) {
            Function::TrimEnd
        } else {
            self.takes(&["both"]);
            Function::Trim
        };
        let first = self.expression(0)?;
        let values = if self.takes(&["from"]) { vec![self.expression(0)?, first] } else { vec![first] };
        if self.is_sign(",") {
            return Err(Fault::Unreadable("write trim(letters from text), or btrim(text, letters)".into()));
        }
        self.need_sign(")")?;
        Ok(call("trim", function, values))
    }

    /// A function by its name, before its parenthesis.
    fn call(&mut self, name: &str) -> Parsed {
        let Some((name, function)) = listed(name) else {
            self.skip_parentheses()?;
            return Err(self.after_call(name).unwrap_or_else(|| unlisted(name)));
        };
        let from = self.at;
        let values = self.values()?;
        let Some(values) = values else {
            self.at = from;
            self.skip_parentheses()?;
            let other_way = || Fault::Refused(format!("this way to call {name}"));
            return Err(self.after_call(name).unwrap_or_else(other_way));
        };
        match self.after_call(name) {
            Some(fault) => Err(fault),
            None => Ok(call(name, function, values)),
        }
    }

    /// The values of a call; nothing if it is no plain list of values.
    fn values(&mut self) -> Result<Option<Vec<Expression>>, Fault> {
        self.need_sign("(")?;
        let mut values = Vec::new();
        if self.takes_sign(")") {
            return Ok(Some(values));
        }
        loop {
            let of_all = values.is_empty() && (self.is_word("distinct") || self.is_word("all"));
            if self.is_sign("*") || of_all {
                return Ok(None);
            }
            values.push(self.expression(0)?);
            if self.takes_sign(")") {
                return Ok(Some(values));
            }
            let further = ["order", "limit", "ignore", "respect"];
            if [":", ":=", "=>"].iter().any(|sign| self.is_sign(sign)) || further.iter().any(|word| self.is_word(word))
            {
                return Ok(None);
            }
            self.need_sign(",")?;
        }
    }

    /// Why a call is refused for what follows it.
    fn after_call(&mut self, name: &str) -> Option<Fault> {
        let mut plain = true;
        while ["filter", "within", "ignore", "respect"].iter().any(|word| self.is_word(word)) {
            plain = false;
            self.at += 1;
            while self.takes(&["group"]) || self.takes(&["nulls"]) {}
            if self.is_sign("(") && self.skip_parentheses().is_err() {
                break;
            }
        }
        if self.is_word("over") {
            return Some(Fault::Refused(format!("the window function {name}")));
        }
        match (plain, listed(name)) {
            (true, _) => None,
            (false, Some(_)) => Some(Fault::Refused(format!("this way to call {name}"))),
            (false, None) => Some(unlisted(name)),
        }
    }

    fn skip_parentheses(&mut self) -> Result<(), Fault> {
        let mut open = 0usize;
        loop {
            if self.takes_sign("(") {
                open += 1;
            } else if self.takes_sign(")") {
                open -= 1;
                if open == 0 {
                    return Ok(());
                }
            } else if self.peek().is_some() {
                self.at += 1;
            } else {
                return Err(self.expected(")"));
            }
        }
    }
}

fn call(name: &'static str, function: Function, values: Vec<Expression>) -> Expression {
    Expression::Call { name, function, values }
}

fn text(text: String) -> Expression {
    Expression::Constant(WrittenConstant::Text(text))
}
