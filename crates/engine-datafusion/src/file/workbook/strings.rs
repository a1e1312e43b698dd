//! The texts that cells of an Excel workbook share, each under its number.
//!
//! They are the texts of all rows: before the charge they are read no further than the names of columns are, and then
//! forgotten. It must never take more memory than the limit, whatever a file says. It is separate because sheets hold
//! numbers in their place. Read `xlsx.rs` next.

use super::xml::{Step, Xml, damaged};
use std::collections::BTreeMap;
use std::io;

/// How much memory texts may take together, and how long their file may be once it is unpacked.
pub(crate) const MOST_TEXT: u64 = 1 << 30;

/// What a text takes beside its letters.
const PLACE: u64 = 8;

/// The texts, one after the other in memory.
#[derive(Default)]
pub(super) struct Strings {
    letters: String,
    ends: Vec<u64>,
}

impl Strings {
    /// Reads all of them.
    pub(super) fn read(document: Xml) -> io::Result<Strings> {
        let mut strings = Strings::default();
        let mut items = Items { document };
        while let Some(text) = items.next()? {
            strings.letters.push_str(&text);
            strings.ends.push(strings.letters.len() as u64);
            if strings.letters.len() as u64 + PLACE * strings.ends.len() as u64 > MOST_TEXT {
                return Err(damaged());
            }
        }
        Ok(strings)
    }

    /// Returns the text of a number.
    pub(super) fn get(&self, number: usize) -> io::Result<&str> {
        let end = *self.ends.get(number).ok_or_else(damaged)? as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        Ok(&self.letters[start..end])
    }
}

/// Returns the texts of these numbers, and reads no further than the last of them.
pub(super) fn some(document: Option<Xml>, numbers: &[usize]) -> io::Result<BTreeMap<usize, String>> {
    let mut found = BTreeMap::new();
    let Some(last) = numbers.iter().max() else { return Ok(found) };
    let mut items = Items { document: document.ok_or_else(damaged)? };
    for number in 0..=*last {
        let text = items.next()?.ok_or_else(damaged)?;
        if numbers.contains(&number) {
            found.insert(number, text);
        }
    }
    Ok(found)
}

struct Items {
    document: Xml,
}

impl Items {
    fn next(&mut self) -> io::Result<Option<String>> {
        loop {
            match self.document.next()? {
                Step::Open(element) if element.is("si") => return rich_text(&mut self.document, "si").map(Some),
                Step::Open(_) | Step::Close(_) | Step::Text(_) => {}
                Step::End => return Ok(None),
            }
        }
    }
}

/// Returns the text of an element that holds runs of letters, without how they are pronounced.
pub(super) fn rich_text(document: &mut Xml, ends_with: &str) -> io::Result<String> {
    let mut all = String::new();
    loop {
        match document.next()? {
            Step::Open(element) if element.is("t") => all.push_str(&document.text()?),
            Step::Open(element) if element.is("rPh") => document.skip()?,
            Step::Close(name) if name == ends_with => return Ok(unescaped(&all)),
            Step::Open(_) | Step::Close(_) | Step::Text(_) => {}
            Step::End => return Err(damaged()),
        }
        if all.len() as u64 > MOST_TEXT {
            return Err(damaged());
        }
    }
}

/// Returns a text in which `_x000D_` stands for the sign of that number, as Excel writes signs that XML has not.
pub(super) fn unescaped(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find("_x") {
        let sign = rest.get(place + 2..place + 6).filter(|_| rest.as_bytes().get(place + 6) == Some(&b'_'));
        let sign = sign.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let sign = sign.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32);
        let taken = match sign {
            Some(sign) => {
                all.push_str(&rest[..place]);
                all.push(sign);
                place + 7
            }
            None => {
                all.push_str(&rest[..place + 2]);
                place + 2
            }
        };
        rest = &rest[taken..];
    }
    all.push_str(rest);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Xml {
        Xml::new(Box::new(io::Cursor::new(text.as_bytes().to_vec())))
    }

    const TEXTS: &str = "<sst><si><t>a</t></si><si/><si><r><t>b</t></r><r><t xml:space=\"preserve\"> &lt;c</t></r>\
        <rPh><t>x</t></rPh></si><si><t>_x0041__x_x00e9_</t></si></sst>";

    #[test]
    fn texts_are_found_by_their_numbers() {
        let strings = Strings::read(document(TEXTS)).expect("texts");
        let all: Vec<_> = (0..4).map(|number| strings.get(number).expect("a text").to_owned()).collect();
        assert_eq!(all, ["a", "", "b <c", "A_xé"]);
        assert!(strings.get(4).is_err());
    }

    #[test]
    fn nothing_behind_the_last_text_that_is_asked_for_is_judged() {
        let broken = format!("{}<si>&unknown;", &TEXTS[..TEXTS.len() - 6]);
        assert!(Strings::read(document(&broken)).is_err());
        let some = some(Some(document(&broken)), &[2, 0]).expect("texts");
        assert_eq!(some, BTreeMap::from([(0, "a".into()), (2, "b <c".into())]));
    }

    #[test]
    fn entities_of_its_own_and_endless_nesting_are_damage() {
        let bomb = "<!DOCTYPE a [<!ENTITY b \"bbbb\">]><sst><si><t>&b;</t></si></sst>";
        assert!(Strings::read(document(bomb)).is_err());
        assert!(Strings::read(document(&"<a>".repeat(1000))).is_err());
    }
}
