//! From text to the tree of an expression: which forms there are, and how strongly they bind.
//!
//! An allow-list: each form that is listed here is read, every other one is refused by name. It must never evaluate
//! anything, nor look at a column. It is separate from the types because a request is read before its data is known.
//! Read `parse/call.rs` for functions.

mod call;
mod name;

use super::token::{Token, tokens};
use super::{Arithmetic, Branch, ComparisonOperator, Expression, Fault, Pattern, WrittenConstant};

/// How long an expression may be, in bytes.
const LONGEST: usize = 1 << 16;

/// How deep forms may be nested.
const DEEPEST: usize = 50;

/// How strongly forms bind: PostgreSQL's order.
mod binds {
    pub(super) const OR: u8 = 10;
    pub(super) const AND: u8 = 20;
    pub(super) const NOT: u8 = 30;
    pub(super) const IS: u8 = 40;
    pub(super) const COMPARED: u8 = 50;
    pub(super) const BETWEEN: u8 = 60;
    pub(super) const JOINED: u8 = 70;
    pub(super) const ADDED: u8 = 80;
    pub(super) const MULTIPLIED: u8 = 90;
    pub(super) const CAST: u8 = 140;
}

/// Reads the whole text as one expression.
pub(super) fn parse(text: &str) -> Result<Expression, Fault> {
    if text.len() > LONGEST {
        return Err(Fault::Unreadable(format!("it has more than {LONGEST} bytes")));
    }
    let mut parser = Parser { tokens: tokens(text)?, at: 0, deeper: DEEPEST };
    let parsed = parser.expression(0)?;
    match parser.peek() {
        None => Ok(parsed),
        Some(further) => Err(Fault::Unreadable(format!("it goes on after its end, with {}", further.shown()))),
    }
}

pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    /// How many forms may still be nested here.
    deeper: usize,
}

type Parsed = Result<Expression, Fault>;

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// Returns the word so many tokens further on, in lower case.
    fn word_at(&self, further: usize) -> Option<String> {
        match self.tokens.get(self.at + further) {
            Some(Token::Word(word)) => Some(word.to_lowercase()),
            Some(_) | None => None,
        }
    }

    fn is_word(&self, word: &str) -> bool {
        self.word_at(0).as_deref() == Some(word)
    }

    fn is_sign(&self, sign: &str) -> bool {
        self.peek().is_some_and(|token| token.is_sign(sign))
    }

    /// Takes these words, all or none.
    fn takes(&mut self, words: &[&str]) -> bool {
        let all = words.iter().enumerate().all(|(place, word)| self.word_at(place).as_deref() == Some(*word));
        if all {
            self.at += words.len();
        }
        all
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, word: &str) -> Result<(), Fault> {
        if self.takes(&[word]) { Ok(()) } else { Err(self.expected(&word.to_uppercase())) }
    }

    fn need_sign(&mut self, sign: &str) -> Result<(), Fault> {
        if self.takes_sign(sign) { Ok(()) } else { Err(self.expected(sign)) }
    }

    fn expected(&self, wanted: &str) -> Fault {
        let found = self.peek().map_or("EOF".into(), Token::shown);
        Fault::Syntax(format!("Expected: {wanted}, found: {found}"))
    }

    /// Reads an expression up to what binds no more strongly than this.
    fn expression(&mut self, above: u8) -> Parsed {
        if self.deeper == 0 {
            return Err(Fault::Unreadable("it is nested too deeply".into()));
        }
        self.deeper -= 1;
        let parsed = self.bound(above);
        self.deeper += 1;
        parsed
    }

    fn bound(&mut self, above: u8) -> Parsed {
        let mut left = self.prefix()?;
        loop {
            let binds = self.next_binds(&left)?;
            if binds <= above {
                return Ok(left);
            }
            left = self.infix(left, binds)?;
        }
    }

    fn prefix(&mut self) -> Parsed {
        if let Some(constant) = self.typed_constant()? {
            return Ok(constant);
        }
        let Some(token) = self.peek().cloned() else { return Err(self.expected("an expression")) };
        self.at += 1;
        match token {
            Token::Word(word) => self.worded(word),
            Token::Quoted(name) if self.is_sign("(") => {
                Err(Fault::Unreadable(format!("there is no function {name:?}")))
            }
            Token::Quoted(name) => Ok(Expression::Column(name)),
            Token::Number(digits) => Ok(Expression::Constant(WrittenConstant::Number(digits))),
            Token::Text(text) => Ok(Expression::Constant(WrittenConstant::Text(text))),
            Token::Constant(shown) => Err(Fault::Refused(format!("the constant {shown}"))),
            Token::Placeholder(name) => Err(Fault::Refused(format!("the placeholder {name}"))),
            Token::Sign(sign) => self.signed(&sign),
        }
    }

    /// What begins with a sign.
    fn signed(&mut self, sign: &str) -> Parsed {
        match sign {
            "(" if ["select", "with"].iter().any(|word| self.is_word(word)) => Err(Fault::Refused("a subquery".into())),
            "(" => {
                let inner = self.expression(0)?;
                if self.is_sign(",") {
                    return Err(Fault::Refused("a list of expressions".into()));
                }
                self.need_sign(")")?;
                Ok(inner)
            }
            "-" => {
                let is_number = matches!(self.peek(), Some(Token::Number(_)));
                match self.expression(binds::MULTIPLIED)? {
                    // The sign belongs to the number, as it is written.
                    Expression::Constant(WrittenConstant::Number(digits)) if is_number => {
                        Ok(Expression::Constant(WrittenConstant::Number(format!("-{digits}"))))
                    }
                    value => Ok(Expression::Negative(Box::new(value))),
                }
            }
            "+" => Ok(Expression::Positive(Box::new(self.expression(binds::MULTIPLIED)?))),
            "[" => Err(Fault::Refused("an array".into())),
            "~" | "@" | "#" | "|/" | "||/" | "!!" => Err(Fault::Refused(format!("the operator {sign}"))),
            _ => {
                self.at -= 1;
                Err(self.expected("an expression"))
            }
        }
    }

    /// Returns how strongly the next operator binds; nothing binds less than its end.
    fn next_binds(&self, left: &Expression) -> Result<u8, Fault> {
        let refused = |what: &str| Err(Fault::Refused(what.into()));
        let token = match self.peek() {
            None => return Ok(0),
            Some(token) => token,
        };
        match token {
            Token::Sign(sign) => match (sign.as_str(), left) {
                (".", Expression::Column(name)) => Err(self.qualified(name)),
                ("." | "[", _) => refused("this form of expression"),
                ("=" | "==" | "<" | "<=" | "<>" | "!=" | ">" | ">=", _) => Ok(binds::COMPARED),
                ("||", _) => Ok(binds::JOINED),
                ("+" | "-", _) => Ok(binds::ADDED),
                ("*" | "/" | "%", _) => Ok(binds::MULTIPLIED),
                ("::", _) => Ok(binds::CAST),
                ("(" | ")" | "]" | "{" | "}" | "," | ";" | ":" | ":=" | "=>" | "\\", _) => Ok(0),
                (operator, _) => refused(&format!("the operator {operator}")),
            },
            Token::Word(_) => match (self.word_at(0).unwrap_or_default().as_str(), self.word_at(1).as_deref()) {
                ("or", _) => Ok(binds::OR),
                ("and", _) => Ok(binds::AND),
                ("is" | "notnull", _) | ("not", Some("null")) => Ok(binds::IS),
                ("in" | "between" | "like" | "ilike", _) => Ok(binds::BETWEEN),
                ("not", Some("in" | "between" | "like" | "ilike")) => Ok(binds::BETWEEN),
                ("similar", Some("to")) | ("not", Some("similar")) => refused("`similar to`"),
                ("rlike" | "regexp", _) | ("not", Some("rlike" | "regexp")) => refused("`rlike`"),
                ("at", Some("time")) => refused("`at time zone`"),
                ("collate", _) => refused("`collate`"),
                ("xor", _) => refused("the operator XOR"),
                _ => Ok(0),
            },
            Token::Quoted(_) | Token::Number(_) | Token::Text(_) | Token::Constant(_) | Token::Placeholder(_) => Ok(0),
        }
    }

    fn qualified(&self, name: &str) -> Fault {
        let parts = self.tokens[self.at..].iter().take_while(|token| match token {
            Token::Word(_) | Token::Quoted(_) => true,
            token => token.is_sign("."),
        });
        let parts: String = parts.map(Token::shown).collect();
        Fault::Refused(format!("the qualified name {name}{parts}"))
    }

    fn infix(&mut self, left: Expression, binds: u8) -> Parsed {
        let left = Box::new(left);
        let Some(token) = self.peek().cloned() else { return Ok(*left) };
        self.at += 1;
        match token {
            Token::Sign(sign) => {
                if sign == "::" {
                    return Ok(Expression::Cast(left, self.data_type()?));
                }
                let right = Box::new(self.right(binds)?);
                Ok(match sign.as_str() {
                    "=" | "==" => Expression::Compare(ComparisonOperator::Equal, left, right),
                    "<>" | "!=" => Expression::Compare(ComparisonOperator::NotEqual, left, right),
                    "<" => Expression::Compare(ComparisonOperator::Less, left, right),
                    "<=" => Expression::Compare(ComparisonOperator::LessOrEqual, left, right),
                    ">" => Expression::Compare(ComparisonOperator::Greater, left, right),
                    ">=" => Expression::Compare(ComparisonOperator::GreaterOrEqual, left, right),
                    "||" => Expression::Join(left, right),
                    "+" => Expression::Arithmetic(Arithmetic::Add, left, right),
                    "-" => Expression::Arithmetic(Arithmetic::Subtract, left, right),
                    "*" => Expression::Arithmetic(Arithmetic::Multiply, left, right),
                    "/" => Expression::Arithmetic(Arithmetic::Divide, left, right),
                    "%" => Expression::Arithmetic(Arithmetic::Remainder, left, right),
                    operator => return Err(Fault::Refused(format!("the operator {operator}"))),
                })
            }
            Token::Word(word) => self.infix_word(left, &word.to_lowercase(), binds),
            Token::Quoted(_) | Token::Number(_) | Token::Text(_) | Token::Constant(_) | Token::Placeholder(_) => {
                Err(self.expected("an operator"))
            }
        }
    }

    /// What stands on the right of an operator.
    fn right(&mut self, binds: u8) -> Parsed {
        if ["any", "all", "some"].iter().any(|word| self.is_word(word)) {
            return Err(Fault::Refused("`any` or `all`".into()));
        }
        self.expression(binds)
    }

    fn infix_word(&mut self, left: Box<Expression>, word: &str, binds: u8) -> Parsed {
        match word {
            "and" => Ok(Expression::And(left, Box::new(self.right(binds)?))),
            "or" => Ok(Expression::Or(left, Box::new(self.right(binds)?))),
            "notnull" => Ok(not(Expression::IsNull(left))),
            "is" => self.is(left),
            "not" if self.takes(&["null"]) => Ok(not(Expression::IsNull(left))),
            "not" => {
                let next = self.word_at(0).unwrap_or_default();
                self.at += 1;
                Ok(not(self.among(left, &next)?))
            }
            other => self.among(left, other),
        }
    }

    fn is(&mut self, value: Box<Expression>) -> Parsed {
        let negated = self.takes(&["not"]);
        let found = if self.takes(&["null"]) {
            Expression::IsNull(value)
        } else if self.takes(&["true"]) {
            Expression::Is(true, value)
        } else if self.takes(&["false"]) {
            Expression::Is(false, value)
        } else if self.takes(&["unknown"]) {
            Expression::IsUnknown(value)
        } else if self.takes(&["distinct", "from"]) {
            // To the end, as it always was: what follows `and` and `or` belongs to it.
            Expression::Compare(ComparisonOperator::Distinct, value, Box::new(self.expression(0)?))
        } else {
            return Err(self.expected("[NOT] NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM after IS"));
        };
        Ok(if negated { not(found) } else { found })
    }

    /// `in`, `between`, `like` and `ilike`.
    fn among(&mut self, value: Box<Expression>, word: &str) -> Parsed {
        match word {
            "in" => {
                if self.is_word("unnest") {
                    return Err(Fault::Refused("`unnest`".into()));
                }
                self.need_sign("(")?;
                if ["select", "with", "values"].iter().any(|word| self.is_word(word)) {
                    return Err(Fault::Refused("a subquery".into()));
                }
                let mut list = vec![self.expression(0)?];
                while self.takes_sign(",") {
                    list.push(self.expression(0)?);
                }
                self.need_sign(")")?;
                Ok(Expression::In(value, list))
            }
            "between" => {
                let low = Box::new(self.expression(binds::BETWEEN)?);
                self.need("and")?;
                let high = Box::new(self.expression(binds::BETWEEN)?);
                Ok(Expression::Between(value, low, high))
            }
            "like" | "ilike" => {
                if self.is_word("any") {
                    return Err(Fault::Refused("`any` or `all`".into()));
                }
                let pattern = Box::new(self.expression(binds::BETWEEN)?);
                if self.is_word("escape") {
                    return Err(Fault::Refused("`escape`".into()));
                }
                let case = if word == "like" { Pattern::OneCase } else { Pattern::AnyCase };
                Ok(Expression::Like(case, value, pattern))
            }
            _ => Err(self.expected("IN or BETWEEN after NOT")),
        }
    }

    fn case(&mut self) -> Parsed {
        let operand = if self.is_word("when") { None } else { Some(Box::new(self.expression(0)?)) };
        self.need("when")?;
        let mut branches = Vec::new();
        loop {
            let test = self.expression(0)?;
            self.need("then")?;
            branches.push(Branch { test, result: self.expression(0)? });
            if !self.takes(&["when"]) {
                break;
            }
        }
        let otherwise = if self.takes(&["else"]) { Some(Box::new(self.expression(0)?)) } else { None };
        self.need("end")?;
        Ok(Expression::Case { operand, branches, otherwise })
    }
}

fn not(value: Expression) -> Expression {
    Expression::Not(Box::new(value))
}
