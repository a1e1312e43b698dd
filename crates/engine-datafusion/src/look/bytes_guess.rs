//! How the bytes of a text file seem to be written: letters, signs between fields, signs around them.
//!
//! A guess to be written into a request, where a human sees it; a release must never use one. It is separate from
//! `values_guess.rs` because that needs rows, and there are none before this is known. Read `values_guess.rs` next.

use super::{GuessReason, GuessedKey};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use incrowd_engine::{Dialect, Encoding, Quote, Sign};

/// How many lines are looked at for signs.
const LINES: usize = 200;

/// The signs that programs put between fields, the usual one first.
const DELIMITERS: [&str; 4] = [",", ";", "tab", "|"];

/// So many lines before the names may be titles.
const MOST_TITLES: usize = 20;

/// How many of a hundred lines must have as many fields as most have.
const ALIKE: usize = 90;

/// Returns what can be told of a dialect by the first bytes of a file, and why; `Whole` if these are all of them.
pub(super) fn of_bytes(bytes: &[u8], end: End, usual: Sign) -> (Dialect, Vec<GuessedKey>) {
    let mut dialect = Dialect::default();
    let mut keys = Vec::new();
    let (encoding, why) = encoding(bytes, end);
    if let Some(why) = why {
        keys.push(GuessedKey { key: "encoding", why });
        dialect.encoding = encoding;
    }
    let text = decoded(bytes, encoding);
    let quote = single_quotes(&text);
    if let Some(sign) = quote {
        keys.push(GuessedKey { key: "quote", why: GuessReason::FieldsInQuotes });
        dialect.quote = Quote::Other(sign);
    }
    if let Some((sign, fields)) = delimiter(&text, quote, end, usual) {
        keys.push(GuessedKey { key: "delimiter", why: GuessReason::FieldsInLines { fields } });
        dialect.delimiter = Some(sign);
    }
    (dialect, keys)
}

/// Whether the bytes that are looked at are all there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// They are.
    Whole,
    /// There are more.
    Cut,
}

/// Returns how letters seem to be written, and why if it is not UTF-8.
fn encoding(bytes: &[u8], end: End) -> (Encoding, Option<GuessReason>) {
    let named = |name: &str| Encoding::ALL.into_iter().find(|each| each.as_str() == name).unwrap_or_default();
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return (named("utf-16"), Some(GuessReason::ByteOrderMark));
    }
    let zeros = |first: usize| bytes.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    if even.max(odd) * 4 > bytes.len() {
        return (named(if odd > even { "utf-16le" } else { "utf-16be" }), Some(GuessReason::EverySecondByteZero));
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => (Encoding::UTF_8, None),
        // A character that the end cuts in two is no fault.
        Err(error) if error.error_len().is_none() && end == End::Cut => (Encoding::UTF_8, None),
        Err(_) => {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            detector.feed(bytes, end == End::Whole);
            let guess = detector.guess(None, Utf8Detection::Deny);
            let name = guess.name().to_ascii_lowercase();
            // What is no UTF-8 is not called so: the letters of Western Europe have a meaning for nearly every byte.
            let known = Encoding::ALL.into_iter().find(|each| each.as_str() == name && *each != Encoding::UTF_8);
            (known.unwrap_or_else(|| named("windows-1252")), Some(GuessReason::NotUtf8))
        }
    }
}

pub(super) fn decoded(bytes: &[u8], encoding: Encoding) -> String {
    let known = encoding_rs::Encoding::for_label(encoding.as_str().as_bytes()).unwrap_or(encoding_rs::UTF_8);
    known.decode(bytes).0.into_owned()
}

/// Returns the sign around fields, if it is the single one: no field has the double one, and several have it on both
/// sides.
pub(crate) fn single_quotes(text: &str) -> Option<Sign> {
    if text.contains('"') {
        return None;
    }
    let fields = text.lines().take(LINES).flat_map(|line| line.split([',', ';', '\t', '|']));
    let quoted = fields.filter(|field| field.len() >= 2 && field.starts_with('\'') && field.ends_with('\''));
    if quoted.count() >= 2 { Sign::of("'") } else { None }
}

/// Returns the sign between fields with how many fields it makes, if another one than the usual makes lines alike.
///
/// Lines are taken for titles only where no sign makes all lines alike: names that a sign does not cut look like one.
fn delimiter(text: &str, quote: Option<Sign>, end: End, usual: Sign) -> Option<(Sign, usize)> {
    let others = || DELIMITERS.into_iter().filter_map(Sign::of).filter(|sign| *sign != usual);
    for titles in [0, MOST_TITLES] {
        let alike = |sign: Sign| fields_alike(text, (sign, quote), end, titles).map(|alike| (sign, alike));
        let usual_alike = alike(usual).map(|(_, alike)| alike);
        let best = others().filter_map(alike).max_by_key(|(_, alike)| *alike);
        match (best, usual_alike) {
            (None, None) => {}
            // A comma may well stand in every line of a file of semicolons: the sign that makes more fields wins, and
            // of two that make as many the one that cuts the names, too, which have no fractions.
            (best, usual_alike) => {
                let least = usual_alike.unwrap_or(Alike { fields: 1, is_every_line: true });
                return best.filter(|(_, alike)| *alike > least).map(|(sign, alike)| (sign, alike.fields));
            }
        }
    }
    None
}

/// How alike a sign makes lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Alike {
    /// So many fields most lines have.
    fields: usize,
    /// Whether all of them have.
    is_every_line: bool,
}

/// Returns how many fields most lines have, if nearly all have as many and that is more than one; so many lines of one
/// field may come before them.
fn fields_alike(text: &str, (sign, quote): (Sign, Option<Sign>), end: End, most_titles: usize) -> Option<Alike> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(sign.byte())
        .quote(quote.map_or(b'"', Sign::byte))
        .from_reader(text.as_bytes());
    let mut counts: Vec<usize> = reader.records().take(LINES).map_while(Result::ok).map(|row| row.len()).collect();
    // The last line may be cut off.
    if end == End::Cut && counts.len() < LINES {
        counts.pop();
    }
    // Titles before the names say nothing of the signs.
    let titles = counts.iter().take_while(|fields| **fields == 1).count();
    if titles < counts.len() && titles <= most_titles {
        counts.drain(..titles);
    }
    let most = counts.iter().copied().max_by_key(|fields| counts.iter().filter(|other| *other == fields).count())?;
    let alike = counts.iter().filter(|fields| **fields == most).count();
    let is_every_line = alike == counts.len();
    (most > 1 && alike * 100 >= counts.len() * ALIKE).then_some(Alike { fields: most, is_every_line })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(text: &[u8]) -> Dialect {
        of_bytes(text, End::Whole, Sign::of(",").expect("a comma")).0
    }

    fn in_bytes(text: &str, encoding: &str) -> Vec<u8> {
        encoding_rs::Encoding::for_label(encoding.as_bytes()).expect("known").encode(text).0.into_owned()
    }

    #[test]
    fn plain_files_are_plain() {
        for text in ["", "a\n", "a,b\n1,2\n", "a,b\n\"1;2;3\",\"4;5;6\"\n", "name\nMüller\n", "a,b\n1|2,3\n"] {
            assert!(guess(text.as_bytes()).is_default(), "{text:?}");
        }
    }

    #[test]
    fn signs_that_make_lines_alike_are_seen() {
        for (text, sign) in [
            ("a;b;c\n1,5;2,5;3\n4,0;5,0;6\n", ";"),
            ("a\tb\n1,2\t3\n", "tab"),
            ("a|b|c\n1|2|3\n", "|"),
            ("a;b\n\"x;y;z\";2\n\"x\ny\";2\n", ";"),
        ] {
            assert_eq!(guess(text.as_bytes()).delimiter, Sign::of(sign), "{text:?}");
        }
    }

    #[test]
    fn a_comma_of_fractions_in_every_row_does_not_cut_the_names() {
        let rows: String = (0..50).map(|row| format!("Bern;{row},5\n")).collect();
        assert_eq!(guess(format!("town;amount\n{rows}").as_bytes()).delimiter, Sign::of(";"));
        assert_eq!(guess(format!("town;amount\n{rows}Bern;-\n").as_bytes()).delimiter, Sign::of(";"));
        // Where both signs cut every line into as many, the usual one does.
        assert!(guess(b"a;b,c\n1;2,3\n").is_default());
    }

    #[test]
    fn single_quotes_are_seen_where_there_are_no_double_ones() {
        let read = guess(b"'a';'b'\n'x;y';'2'\n");
        assert_eq!((read.quote, read.delimiter), (Quote::Other(Sign::of("'").expect("a sign")), Sign::of(";")));
        assert_eq!(guess(b"a,b\nO'Neil,it's\n").quote, Quote::Double);
    }

    #[test]
    fn letters_are_told_by_marks_zeros_and_what_is_no_utf8() {
        let table = "Name;Stra\u{df}e\nM\u{fc}ller;Gr\u{fc}nstra\u{df}e\nJos\u{e9};\u{c4}pfelweg\n".repeat(5);
        assert_eq!(guess(&in_bytes(&table, "windows-1252")).encoding.as_str(), "windows-1252");
        let units: Vec<u16> = table.encode_utf16().collect();
        let low: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let high: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(guess(&low).encoding.as_str(), "utf-16le");
        assert_eq!(guess(&high).encoding.as_str(), "utf-16be");
        assert_eq!(guess(&[&[0xff, 0xfe], &low[..]].concat()).encoding.as_str(), "utf-16");
        assert_eq!(guess(&[&[0xff, 0xfe], &low[..]].concat()).delimiter, Sign::of(";"));
        assert_eq!(guess(table.as_bytes()).encoding, Encoding::UTF_8);
        let russian = "Имя;Город\nИван;Москва\nМария;Санкт-Петербург\n".repeat(5);
        assert_eq!(guess(&in_bytes(&russian, "windows-1251")).encoding.as_str(), "windows-1251");
    }

    #[test]
    fn a_character_that_the_look_cuts_in_two_is_no_fault() {
        let text = "a,b\n1,é".as_bytes();
        let cut = &text[..text.len() - 1];
        assert!(of_bytes(cut, End::Cut, Sign::of(",").expect("a comma")).0.is_default());
        assert!(!of_bytes(cut, End::Whole, Sign::of(",").expect("a comma")).0.is_default());
    }
}
