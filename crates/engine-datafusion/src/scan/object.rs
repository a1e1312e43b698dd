//! The fields of one JSON object, as texts exactly as written.
//!
//! It must never read a number as a number: `1e400` and integers of forty digits keep their letters. What is broken
//! anywhere in the object is an error, wanted or not. It is separate from `json.rs`, which finds where objects begin
//! and end; read that next.

use super::Fault;
use serde_core::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// Finds the values of the columns in the text of an object; of fields with the same name the last counts.
pub(super) fn find(
    text: &str,
    columns: &HashMap<String, usize>,
    found: &mut [Option<Range<usize>>],
) -> Result<(), Fault> {
    found.fill(None);
    let mut cursor = Cursor { text, at: 0 };
    cursor.expect(b'{')?;
    if cursor.peek() == Some(b'}') {
        cursor.expect(b'}')?;
        return cursor.end();
    }
    loop {
        if cursor.peek() != Some(b'"') {
            return Err(Fault::Damaged);
        }
        let name = cursor.value()?;
        cursor.expect(b':')?;
        let value = cursor.value()?;
        let name = scalar(&text[name])?.ok_or(Fault::Damaged)?;
        if let Some(found) = columns.get(name.as_ref()).and_then(|column| found.get_mut(*column)) {
            *found = Some(value);
        }
        if cursor.peek() == Some(b'}') {
            cursor.expect(b'}')?;
            return cursor.end();
        }
        cursor.expect(b',')?;
    }
}

/// Returns the text of a value; nothing for null, arrays and objects.
pub(super) fn scalar(value: &str) -> Result<Option<Cow<'_, str>>, Fault> {
    Ok(match value.as_bytes().first() {
        Some(b'"') => Some(if value.contains('\\') {
            Cow::Owned(serde_json::from_str(value).map_err(Fault::damaged)?)
        } else {
            Cow::Borrowed(value.get(1..value.len() - 1).ok_or(Fault::Damaged)?)
        }),
        Some(b'{' | b'[') => None,
        Some(_) if value == "null" => None,
        Some(_) => Some(Cow::Borrowed(value)),
        None => return Err(Fault::Damaged),
    })
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    /// Returns the next byte that is not blank, without taking it.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.peek() != Some(byte) {
            return Err(Fault::Damaged);
        }
        self.at += 1;
        Ok(())
    }

    /// Takes one whole value, checked but not read; nested values do not nest calls.
    fn value(&mut self) -> Result<Range<usize>, Fault> {
        self.peek();
        let start = self.at;
        let mut values = serde_json::Deserializer::from_str(&self.text[start..]).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(IgnoredAny)) => {
                self.at = start + values.byte_offset();
                Ok(start..self.at)
            }
            Some(Err(_)) | None => Err(Fault::Damaged),
        }
    }

    fn end(&mut self) -> Result<(), Fault> {
        if self.peek().is_some() { Err(Fault::Damaged) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(object: &str) -> Result<Option<String>, Fault> {
        let mut found = [None];
        find(object, &HashMap::from([("a".to_string(), 0)]), &mut found)?;
        match found[0].take() {
            Some(value) => Ok(scalar(&object[value])?.map(Cow::into_owned)),
            None => Ok(None),
        }
    }

    #[test]
    fn scalars_keep_their_letters() {
        let digits = "1234567890123456789012345678901234567890";
        let cases = [
            (r#"{"a":"x"}"#.to_string(), Some("x")),
            (r#"{ "a" : "" }"#.into(), Some("")),
            (r#"{"a":"\u00e9\n\"\\"}"#.into(), Some("é\n\"\\")),
            (r#"{"\u0061":1}"#.into(), Some("1")),
            (format!(r#"{{"a":{digits}}}"#), Some(digits)),
            (r#"{"a": 1e400 ,"b":2}"#.into(), Some("1e400")),
            (r#"{"a":-0.50}"#.into(), Some("-0.50")),
            (r#"{"a":true}"#.into(), Some("true")),
            (r#"{"a":"null"}"#.into(), Some("null")),
        ];
        for (object, value) in cases {
            assert_eq!(read(&object), Ok(value.map(String::from)), "{object}");
        }
    }

    #[test]
    fn nulls_nested_and_absent_values_are_missing() {
        for object in ["{}", "{ }", r#"{"a":null}"#, r#"{"a":[1,{"a":2}]}"#, r#"{"a":{"a":"x"}}"#, r#"{"b":1}"#] {
            assert_eq!(read(object), Ok(None), "{object}");
        }
    }

    #[test]
    fn of_fields_with_the_same_name_the_last_counts() {
        assert_eq!(read(r#"{"a":1,"b":0,"a":2}"#), Ok(Some("2".into())));
        assert_eq!(read(r#"{"a":1,"a":null}"#), Ok(None));
    }

    #[test]
    fn what_is_broken_is_damage_wanted_or_not() {
        let broken = [
            "",
            "{",
            "}",
            "[]",
            "1",
            "{a:1}",
            r#"{"a"}"#,
            r#"{"a":}"#,
            r#"{"a":1,}"#,
            r#"{"a":1 2}"#,
            r#"{"a":1}x"#,
            r#"{"a":01}"#,
            r#"{"a":+1}"#,
            r#"{"a":1.}"#,
            r#"{"a":nul}"#,
            r#"{"b":[1,2}"#,
            r#"{"b":"\x"}"#,
            "{\"b\":\"\n\"}",
            r#"{1:2}"#,
            r#"{"a":NaN}"#,
            r#"{"a":"\ud800"}"#,
            r#"{"b":{"c" 1}}"#,
        ];
        for object in broken {
            assert_eq!(read(object), Err(Fault::Damaged), "{object}");
        }
    }

    #[test]
    fn deep_nesting_does_not_overflow_the_stack() {
        let depth = 1_000_000;
        let bomb = format!(r#"{{"b":{}{},"a":1}}"#, "[".repeat(depth), "]".repeat(depth));
        assert_eq!(read(&bomb), Ok(Some("1".into())));
        let open = format!(r#"{{"b":{}}}"#, "[".repeat(depth));
        assert_eq!(read(&open), Err(Fault::Damaged));
    }
}
