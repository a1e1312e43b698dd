//! The words, constants and signs of an expression.
//!
//! They are those of PostgreSQL: texts in single quotes, exact names in double ones, comments, operators of as many
//! signs as follow each other. It must never read a number or a name as anything but what is written. It is separate
//! from the grammar because where a word ends is decided before what it means. Read `parse.rs` next.

use super::Fault;

/// How many operators and keywords an expression may have: so deep can the tree become that is walked on the stack.
const MOST_OPERATORS: usize = 500;

/// One word, constant or sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or a keyword, as it is written.
    Word(String),
    /// A name in double quotes.
    Quoted(String),
    /// A number, as it is written.
    Number(String),
    /// A text in single quotes.
    Text(String),
    /// A constant of a kind that no expression may use, as it is written.
    Constant(String),
    /// `$1` and the like.
    Placeholder(String),
    /// An operator or a sign.
    Sign(String),
}

impl Token {
    /// Returns what messages call it.
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Word(text)
            | Token::Number(text)
            | Token::Constant(text)
            | Token::Placeholder(text)
            | Token::Sign(text) => text.clone(),
            Token::Quoted(name) => format!("{name:?}"),
            Token::Text(text) => format!("'{}'", text.replace('\'', "''")),
        }
    }

    /// Whether it is this sign.
    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self, Token::Sign(found) if found == sign)
    }

    /// Lists may be long; what stands between the values of a list is no operator.
    fn is_operator(&self) -> bool {
        match self {
            Token::Word(word) => KEYWORDS.contains(&word.to_lowercase().as_str()),
            Token::Quoted(_) | Token::Number(_) | Token::Text(_) => false,
            Token::Constant(_) | Token::Placeholder(_) => true,
            Token::Sign(sign) => sign != ",",
        }
    }
}

/// Words that mean something in the grammar, wherever they stand.
#[rustfmt::skip]
const KEYWORDS: [&str; 39] = [
    "and", "as", "at", "between", "both", "case", "cast", "ceil", "collate", "distinct", "else", "end", "escape", "exists",
    "extract", "false", "floor", "for", "from", "ilike", "in", "is", "leading", "like", "not", "null", "or", "position",
    "safe_cast", "similar", "substr", "substring", "then", "trailing", "trim", "true", "try_cast", "unknown", "when",
];

/// Returns the tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let mut reader = Reader { rest: text };
    let mut tokens = Vec::new();
    while let Some(token) = reader.token()? {
        tokens.push(token);
    }
    if tokens.iter().filter(|token| token.is_operator()).count() > MOST_OPERATORS {
        return Err(Fault::Unreadable(format!("it has more than {MOST_OPERATORS} operators")));
    }
    Ok(tokens)
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn token(&mut self) -> Result<Option<Token>, Fault> {
        self.skip_blanks()?;
        let mut letters = self.rest.chars();
        let Some(first) = letters.next() else { return Ok(None) };
        let second = letters.next();
        Ok(Some(match first {
            '\'' => Token::Text(self.quoted('\'', "Unterminated string literal")?),
            '"' => Token::Quoted(self.quoted('"', "Expected close delimiter '\"' before EOF.")?),
            // Bits, escapes, national texts and bytes.
            'b' | 'B' | 'e' | 'E' | 'n' | 'N' | 'x' | 'X' if second == Some('\'') => {
                self.take(1);
                let text = self.quoted('\'', "Unterminated string literal")?;
                Token::Constant(format!("{first}'{text}'"))
            }
            'u' | 'U' if self.rest[1..].starts_with("&'") => {
                self.take(2);
                let text = self.quoted('\'', "Unterminated string literal")?;
                Token::Constant(format!("{first}&'{text}'"))
            }
            '0'..='9' => self.number(),
            '.' if second.is_some_and(|digit| digit.is_ascii_digit()) => self.number(),
            '$' => self.dollar()?,
            letter if begins_a_word(letter) => Token::Word(self.take_while(continues_a_word).to_owned()),
            sign if is_of_operators(sign) => Token::Sign(self.operator().to_owned()),
            ':' if second == Some(':') || second == Some('=') => Token::Sign(self.take(2).to_owned()),
            sign => Token::Sign(self.take(sign.len_utf8()).to_owned()),
        }))
    }

    /// Takes so many bytes.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|letter| !belongs(letter)).unwrap_or(self.rest.len());
        self.take(end)
    }

    /// Skips blanks and comments; comments between `/*` and `*/` may be nested.
    fn skip_blanks(&mut self) -> Result<(), Fault> {
        loop {
            self.take_while(|letter| matches!(letter, ' ' | '\t' | '\n' | '\r'));
            if self.rest.starts_with("--") {
                self.take_while(|letter| letter != '\n');
            } else if self.rest.starts_with("/*") {
                let mut open = 0usize;
                loop {
                    if self.rest.starts_with("/*") {
                        self.take(2);
                        open += 1;
                    } else if self.rest.starts_with("*/") {
                        self.take(2);
                        open -= 1;
                        if open == 0 {
                            break;
                        }
                    } else {
                        let Some(letter) = self.rest.chars().next() else {
                            return Err(Fault::Unreadable("Unexpected EOF while in a multi-line comment".into()));
                        };
                        self.take(letter.len_utf8());
                    }
                }
            } else {
                return Ok(());
            }
        }
    }

    /// Takes what stands between quotes; two of them are one.
    fn quoted(&mut self, quote: char, unterminated: &str) -> Result<String, Fault> {
        self.take(1);
        let mut text = String::new();
        loop {
            let Some(end) = self.rest.find(quote) else { return Err(Fault::Unreadable(unterminated.to_owned())) };
            text.push_str(self.take(end));
            self.take(1);
            if !self.rest.starts_with(quote) {
                return Ok(text);
            }
            self.take(1);
            text.push(quote);
        }
    }

    fn number(&mut self) -> Token {
        if self.rest.starts_with("0x") && self.rest[2..].starts_with(|digit: char| digit.is_ascii_hexdigit()) {
            return Token::Constant(self.take_while(|letter| letter.is_ascii_alphanumeric()).to_owned());
        }
        let begin = self.rest;
        let is_digit = |letter: char| letter.is_ascii_digit() || letter == '_';
        self.take_while(is_digit);
        if self.rest.starts_with('.') {
            self.take(1);
            self.take_while(is_digit);
        }
        let exponent = self.rest.strip_prefix(['e', 'E']);
        let digits = exponent.map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
        if let Some(digits) = digits.filter(|digits| digits.starts_with(|digit: char| digit.is_ascii_digit())) {
            self.rest = digits;
            self.take_while(|letter| letter.is_ascii_digit());
        }
        let written = begin[..begin.len() - self.rest.len()].to_owned();
        // The mark of a long number says nothing here.
        if self.rest.starts_with('L') {
            self.take(1);
        }
        Token::Number(written)
    }

    /// A placeholder, or a text between two equal tags.
    fn dollar(&mut self) -> Result<Token, Fault> {
        self.take(1);
        let tag = self.take_while(|letter| letter.is_alphanumeric() || letter == '_');
        if !self.rest.starts_with('$') {
            return Ok(Token::Placeholder(format!("${tag}")));
        }
        self.take(1);
        let end = format!("${tag}$");
        let Some(at) = self.rest.find(&end) else {
            return Err(Fault::Unreadable("Unterminated dollar-quoted string".into()));
        };
        let text = self.take(at);
        self.take(end.len());
        Ok(Token::Constant(format!("{end}{text}{end}")))
    }

    /// Takes an operator: as many signs as follow each other, but for the sign of a number after `<`, `<=`, `=`, `!=`,
    /// `+`, `*` and `/`.
    fn operator(&mut self) -> &'a str {
        let two = self.rest.get(..2).unwrap_or("");
        let third = self.rest.get(2..3).unwrap_or("");
        match self.rest.as_bytes()[0] {
            b'+' | b'*' | b'/' => self.take(1),
            b'=' if two == "==" || two == "=>" => self.take(2),
            b'=' => self.take(1),
            b'!' if two == "!=" => self.take(2),
            b'<' if two == "<=" && (third == "+" || third == "-") => self.take(2),
            b'<' if two == "<+" || (two == "<-" && third != ">") => self.take(1),
            _ => self.take_while(is_of_operators),
        }
    }
}

fn begins_a_word(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_' || !letter.is_ascii()
}

fn continues_a_word(letter: char) -> bool {
    begins_a_word(letter) || letter.is_ascii_digit() || letter == '$'
}

fn is_of_operators(sign: char) -> bool {
    matches!(sign, '+' | '-' | '*' | '/' | '<' | '>' | '=' | '~' | '!' | '@' | '#' | '%' | '^' | '&' | '|' | '`' | '?')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        tokens(text).expect("tokens").iter().map(Token::shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn signs_of_numbers_are_not_of_operators_where_postgresql_says_so() {
        assert_eq!(shown("a<-1"), "a < - 1");
        assert_eq!(shown("a<=-1"), "a <= - 1");
        assert_eq!(shown("a=-1"), "a = - 1");
        assert_eq!(shown("a>-1"), "a >- 1");
        assert_eq!(shown("a||b"), "a || b");
        assert_eq!(shown("2*-1 - -3 --4"), "2 * - 1 - - 3");
        assert_eq!(shown("a::text[1]"), "a :: text [ 1 ]");
    }

    #[test]
    fn constants_names_and_comments_end_where_they_end() {
        assert_eq!(shown("'it''s' \"a \"\"b\"\"\""), r#"'it''s' "a \"b\"""#);
        assert_eq!(shown("1.5e-3x .5 1. 7L 1e"), "1.5e-3 x .5 1. 7 1 e");
        assert_eq!(shown("a /* b /* c */ d */ e -- f\n g"), "a e g");
        assert_eq!(shown("$1 $$x$$ $t$y$t$ E'x' élan"), "$1 $$x$$ $t$y$t$ E'x' élan");
    }
}
