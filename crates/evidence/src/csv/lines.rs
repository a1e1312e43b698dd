//! Reads CSV exactly as incrowd writes it.
//!
//! Strict: a quote in the wrong place, a missing line end or text that is not UTF-8 is an error, never a guess; a
//! missing value and an empty text are told apart. It is separate from the writer so that neither forgives the other's
//! mistakes. Read `contents.rs` next.

use std::io::{BufRead, Read};

/// The longest line that is read.
const MAX_LINE: u64 = 256 << 20;

/// A line that is not CSV as incrowd writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotCsv;

/// Lines of CSV.
pub(crate) struct Lines<R> {
    input: R,
    line: Vec<u8>,
}

/// The fields of one line; nothing where a value is missing.
pub(crate) type Fields = Vec<Option<String>>;

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Lines { input, line: Vec::new() }
    }

    /// Returns the fields of the next line, quoted line breaks included; nothing at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Fields>, NotCsv> {
        self.line.clear();
        let mut quotes = 0;
        loop {
            let before = self.line.len();
            let room = MAX_LINE.saturating_sub(self.line.len() as u64);
            let read = self.input.by_ref().take(room).read_until(b'\n', &mut self.line).map_err(|_| NotCsv)?;
            if read == 0 && self.line.is_empty() {
                return Ok(None);
            }
            if read == 0 || self.line.last() != Some(&b'\n') {
                return Err(NotCsv);
            }
            // An odd number of quotes: the line break is inside a field.
            quotes += self.line[before..].iter().filter(|byte| **byte == b'"').count();
            if quotes.is_multiple_of(2) {
                return self.fields().map(Some);
            }
        }
    }

    fn fields(&self) -> Result<Fields, NotCsv> {
        let text = std::str::from_utf8(&self.line).map_err(|_| NotCsv)?;
        let mut rest = text.strip_suffix('\n').ok_or(NotCsv)?;
        let mut fields = Vec::new();
        loop {
            let (field, after) = match rest.strip_prefix('"') {
                Some(quoted) => {
                    let (value, after) = unquoted(quoted)?;
                    // Only one spelling: quotes that nothing asks for could tell something beside the value.
                    if !needs_quotes(&value) {
                        return Err(NotCsv);
                    }
                    (Some(value), after)
                }
                None => {
                    let end = rest.find(',').unwrap_or(rest.len());
                    let (value, after) = rest.split_at(end);
                    if !value.is_empty() && needs_quotes(value) {
                        return Err(NotCsv);
                    }
                    ((!value.is_empty()).then(|| value.to_string()), after)
                }
            };
            fields.push(field);
            match after.strip_prefix(',') {
                Some(more) => rest = more,
                None if after.is_empty() => return Ok(fields),
                None => return Err(NotCsv),
            }
        }
    }
}

/// Whether incrowd quotes a text: an empty one, which is not missing, and one that could be read in two ways.
fn needs_quotes(value: &str) -> bool {
    value.is_empty() || value.starts_with(' ') || value.ends_with(' ') || value.contains([',', '"', '\r', '\n'])
}

/// Returns a quoted value and what follows its closing quote.
fn unquoted(quoted: &str) -> Result<(String, &str), NotCsv> {
    let mut value = String::new();
    let mut rest = quoted;
    loop {
        let end = rest.find('"').ok_or(NotCsv)?;
        value.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                value.push('"');
                rest = more;
            }
            None => return Ok((value, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Fields>, NotCsv> {
        let mut lines = Lines::new(text.as_bytes());
        let mut all = Vec::new();
        while let Some(fields) = lines.next()? {
            all.push(fields);
        }
        Ok(all)
    }

    #[test]
    fn missing_and_empty_are_told_apart() {
        let some = |text: &str| Some(text.to_string());
        assert_eq!(read(",\"\",a\n"), Ok(vec![vec![None, some(""), some("a")]]));
        assert_eq!(read("\"a,\"\"b\"\"\nc\",d\n"), Ok(vec![vec![some("a,\"b\"\nc"), some("d")]]));
    }

    #[test]
    fn what_incrowd_never_writes_is_an_error() {
        for text in ["a", "a\"b\"\n", "\"a\"b\n", "\"a\n", " a\n", "a \n", "a\r\n", "\"a\"\"\n", "\"a\"\n", "\"5\",x\n"]
        {
            assert_eq!(read(text), Err(NotCsv), "{text:?}");
        }
        assert_eq!(Lines::new(&b"\xff\n"[..]).next(), Err(NotCsv));
    }
}
