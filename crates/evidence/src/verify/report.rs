//! The report of a folder, against its certificate and tables.
//!
//! A report that this very version wrote is written again, and must say the same: every byte of it but for the spelling
//! of drawings, which a library writes, and of these every shape, number and text. Of another version's report it is
//! compared what every version puts into it as data, the whole certificate and the published rows; the rest is named as
//! not recomputed, and nothing in it may act. It must never pass a page that carries another certificate. It is
//! separate because a page outlives the words and pictures of a day. Read `../page.rs` for how a report is made.

use super::Verdict;
use super::files;
use super::json::strict;
use super::markup::{self, Piece};
use super::words::Author;
use crate::certificate::Earlier;
use crate::page::LISTING;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::Path;

/// The largest report that is read.
const MAX_REPORT_BYTES: u64 = 256 << 20;
/// What stands before the certificate in a report, and after it.
const BEFORE: &str = "<details><summary>The certificate</summary><pre><code>";
const AFTER: &str = "</code></pre></details>";

/// Checks `report.html`; `again` writes it as this version does, or what another version lists.
pub(super) fn check(
    folder: &Path,
    certificate: &Value,
    again: impl FnOnce(Author<'_>) -> String,
    verdict: &mut Verdict,
) {
    let found = match files::read(&folder.join("report.html"), MAX_REPORT_BYTES) {
        Ok(found) => found,
        Err(problem) => return verdict.failed("report", format!("report.html {problem}")),
    };
    let Ok(found) = String::from_utf8(found) else {
        return verdict.failed("report", "report.html is not the report of this certificate and table");
    };
    let author = Author::of(certificate);
    let again = again(author);
    match author {
        Author::This => {
            match says_the_same(&found, &again) && markup::page(&found, &listed_files(certificate)).is_some() {
                true => verdict.passed("report", "report.html says what certificate and table say"),
                false => verdict.failed("report", "report.html is not the report of this certificate and table"),
            }
        }
        Author::Another(software) => match check_of_another(&found, &again, software, certificate) {
            Ok(()) => {
                verdict.passed(
                    "report",
                    "report.html carries this very certificate, the rows that it lists are those of the tables, and nothing in it acts",
                );
                verdict.trusted(
                    "report",
                    format!("the words and pictures of report.html: stated by {software}, not recomputed"),
                );
            }
            Err(problem) => verdict.failed("report", problem),
        },
    }
}

/// The files that a report may lead to.
fn listed_files(certificate: &Value) -> Vec<&str> {
    let tables = certificate["tables"].as_array().map_or(&[][..], Vec::as_slice);
    tables.iter().filter_map(|table| table["name"].as_str()).collect()
}

/// Whether two pages are the same, but for how their drawings are spelt.
fn says_the_same(found: &str, again: &str) -> bool {
    if found == again {
        return true;
    }
    let (Some((words, drawings)), Some((own_words, own_drawings))) = (apart(found), apart(again)) else { return false };
    let drawn = |texts: Vec<&str>| texts.into_iter().map(drawn).collect::<Option<Vec<_>>>();
    words == own_words && drawn(drawings).is_some_and(|found| drawn(own_drawings) == Some(found))
}

/// Takes the drawings out of a page: what stands around them, and each of them.
fn apart(page: &str) -> Option<(Vec<&str>, Vec<&str>)> {
    const END: &str = "</svg>";
    let (mut words, mut drawings, mut rest) = (Vec::new(), Vec::new(), page);
    while let Some(start) = rest.find("<svg") {
        let end = start + rest[start..].find(END)? + END.len();
        words.push(&rest[..start]);
        drawings.push(&rest[start..end]);
        rest = &rest[end..];
    }
    words.push(rest);
    Some((words, drawings))
}

/// What a drawing draws: each element with its attributes in the order of their names and numbers in one spelling, and
/// texts without the space around them.
fn drawn(text: &str) -> Option<Vec<String>> {
    let pieces = markup::drawing(text)?;
    let said = pieces.iter().filter_map(|piece| match piece {
        Piece::Open { name, attributes } => {
            let mut attributes: Vec<String> =
                attributes.iter().map(|(name, value)| format!(" {name}={:?}", in_one_spelling(value))).collect();
            attributes.sort();
            Some(format!("<{name}{}", attributes.concat()))
        }
        Piece::Close(name) => Some(format!("/{name}")),
        Piece::Text(text) => {
            Some(text.trim_matches([' ', '\n'])).filter(|text| !text.is_empty()).map(|text| format!("\"{text}"))
        }
    });
    Some(said.collect())
}

/// Words and numbers of an attribute, numbers to the thousandth of a unit: a ten-thousandth of a pixel.
fn in_one_spelling(value: &str) -> Vec<String> {
    let words = value.split([' ', ',', '\n']).filter(|word| !word.is_empty());
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
    let spelt = |word: &str| match word.parse::<f64>() {
        Ok(number) if is_number(word) => format!("{:.3}", number + 0.0),
        Ok(_) | Err(_) => word.to_string(),
    };
    words.map(spelt).collect()
}

/// Checks a report that an earlier version wrote; `again` is what it lists.
fn check_of_another(found: &str, again: &str, software: &str, certificate: &Value) -> Result<(), &'static str> {
    if !carries(found, certificate) {
        return Err("report.html does not carry this certificate");
    }
    // Earlier versions have no links.
    let (Some(pieces), Some(own)) = (markup::page(found, &[]), markup::page(again, &[])) else {
        return Err("report.html has something that no report has: it might act, or stand outside of the page");
    };
    let known = Earlier::named(software).map(|earlier| earlier.style_sha256);
    let style = inside(&pieces, "style").map(|text| base16(&Sha256::digest(text.concat().as_bytes())));
    if style.as_deref() != known || policies(&pieces) != policies(&own) {
        return Err("report.html has another style sheet, or another policy, than its version writes");
    }
    if !Listed::of(&own).is_listed_by(&Listed::of(&pieces)) || warnings(&pieces) != warnings(&own) {
        return Err("report.html lists other rows than those of the tables");
    }
    Ok(())
}

/// The texts of an element that is there once.
fn inside<'p>(pieces: &[Piece<'p>], element: &str) -> Option<Vec<&'p str>> {
    let is_open = |piece: &Piece<'_>| matches!(piece, Piece::Open { name, .. } if *name == element);
    let start = pieces.iter().position(is_open)?;
    let rest = &pieces[start + 1..];
    let end = rest.iter().position(|piece| *piece == Piece::Close(element))?;
    if rest.iter().any(is_open) {
        return None;
    }
    let text = |piece: &Piece<'p>| match piece {
        Piece::Text(text) => Some(*text),
        Piece::Open { .. } | Piece::Close(_) => None,
    };
    Some(rest[..end].iter().filter_map(text).collect())
}

/// What the head says to browsers.
fn policies<'p>(pieces: &'p [Piece<'p>]) -> Vec<&'p Piece<'p>> {
    pieces.iter().filter(|piece| matches!(piece, Piece::Open { name: "meta", .. })).collect()
}

/// How many warnings there are that nothing is private.
fn warnings(pieces: &[Piece<'_>]) -> usize {
    let is_warning = |piece: &&Piece<'_>| match piece {
        Piece::Open { attributes, .. } => attributes.contains(&("class", "warning")),
        Piece::Close(_) | Piece::Text(_) => false,
    };
    pieces.iter().filter(is_warning).count()
}

/// What a page lists of published tables: its headings, and what stands below those under which rows are listed.
#[derive(Default)]
struct Listed<'p> {
    /// The texts of headings and the pieces of tables.
    rows: Vec<Piece<'p>>,
    /// Tables that are maps.
    maps: Vec<Map<'p>>,
    /// How many pictures there are, drawn or as tables.
    pictures: usize,
}

impl<'p> Listed<'p> {
    fn of(pieces: &'p [Piece<'p>]) -> Self {
        let mut listed = Listed::default();
        let (mut is_heading, mut is_listing, mut table) = (false, false, None);
        for piece in pieces {
            match piece {
                Piece::Open { name: "h2", .. } => (is_heading, is_listing) = (true, false),
                Piece::Close("h2") => is_heading = false,
                Piece::Text(text) if is_heading => {
                    is_listing = LISTING.contains(text);
                    listed.rows.push(piece.clone());
                }
                Piece::Open { name: "table", attributes } if is_listing => {
                    let is_map = attributes.contains(&("class", "heat"));
                    if is_map {
                        listed.pictures += 1;
                        listed.maps.push(Map::default());
                    }
                    table = Some(is_map);
                }
                Piece::Open { name: "svg", .. } if is_listing => listed.pictures += 1,
                Piece::Open { .. } | Piece::Close(_) | Piece::Text(_) => {}
            }
            match table {
                Some(true) => listed.maps.iter_mut().last().into_iter().for_each(|map| map.see(piece)),
                Some(false) => listed.rows.push(without_layout(piece)),
                None => {}
            }
            if *piece == Piece::Close("table") {
                table = None;
            }
        }
        listed
    }

    /// Whether another version lists the same. A map that this one draws may be a table there: it is a picture, like
    /// others.
    fn is_listed_by(&self, other: &Listed<'_>) -> bool {
        let same = self.maps.len() == other.maps.len()
            && self.maps.iter().zip(&other.maps).all(|(map, other)| map.is_same_as(other));
        self.rows == other.rows && self.pictures == other.pictures && (same || self.maps.is_empty())
    }
}

/// A piece of a table without what only says how its text breaks, which earlier versions did not say.
fn without_layout<'p>(piece: &Piece<'p>) -> Piece<'p> {
    match piece {
        Piece::Open { name, attributes } => Piece::Open {
            name,
            attributes: attributes
                .iter()
                .map(|(attribute, value)| match *value {
                    "number short" => (*attribute, "number"),
                    value => (*attribute, value),
                })
                .filter(|attribute| !matches!(attribute, ("class", "short" | "long" | "blocks")))
                .collect(),
        },
        Piece::Close(_) | Piece::Text(_) => piece.clone(),
    }
}

/// A map that is a table: the texts of its cells, row by row; labels come first.
#[derive(Default)]
struct Map<'p> {
    rows: Vec<Vec<&'p str>>,
}

impl<'p> Map<'p> {
    fn see(&mut self, piece: &Piece<'p>) {
        match piece {
            Piece::Open { name: "tr", .. } => self.rows.push(Vec::new()),
            Piece::Open { name: "th" | "td", .. } => {
                self.rows.iter_mut().last().into_iter().for_each(|row| row.push(""))
            }
            Piece::Text(text) if *text != "\n" => {
                self.rows.iter_mut().last().and_then(|row| row.last_mut()).into_iter().for_each(|cell| *cell = text);
            }
            Piece::Open { .. } | Piece::Close(_) | Piece::Text(_) => {}
        }
    }

    /// Whether two maps say the same of every place, whichever axis goes down.
    fn is_same_as(&self, other: &Map<'_>) -> bool {
        let [here, there] = [self.places(), other.places()];
        let mut turned: Vec<_> = there.iter().map(|(row, column, count)| (*column, *row, *count)).collect();
        turned.sort_unstable();
        !here.is_empty() && (here == there || here == turned)
    }

    /// Each place by its two labels, and what it holds.
    fn places(&self) -> Vec<(&'p str, &'p str, &'p str)> {
        let Some((columns, rows)) = self.rows.split_first() else { return Vec::new() };
        let row = |row: &Vec<&'p str>| {
            let label = row.first().copied().unwrap_or_default();
            let cells = columns.iter().skip(1).zip(row.iter().skip(1));
            cells.map(|(column, count)| (label, *column, *count)).collect::<Vec<_>>()
        };
        let mut places: Vec<_> = rows.iter().flat_map(row).collect();
        places.sort_unstable();
        places
    }
}

fn base16(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a page holds the certificate, once and as data.
fn carries(page: &str, certificate: &Value) -> bool {
    let Some((_, rest)) = page.split_once(BEFORE) else { return false };
    let Some((inside, rest)) = rest.split_once(AFTER) else { return false };
    if rest.contains(BEFORE) {
        return false;
    }
    strict(unescaped(inside).as_bytes()).is_some_and(|found| shown(&found) == shown(certificate))
}

/// The text of an object as pages show it: marks that turn the direction of writing, and controls, are replaced there.
fn shown(value: &Value) -> String {
    let replaced = |c: char| match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        control if control.is_control() => '\u{fffd}',
        plain => plain,
    };
    value.to_string().chars().map(replaced).collect()
}

fn unescaped(text: &str) -> String {
    // The ampersand comes last, so that no mark is made of two.
    let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    marks.iter().fold(text.to_string(), |text, (mark, plain)| text.replace(mark, plain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_carries_its_certificate_once_and_nothing_else_in_its_place() {
        let certificate = json!({ "a": "<&lt;\u{202e}\u{85}'\"", "b": [1, null] });
        let text = serde_json::to_string_pretty(&certificate).expect("text");
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\'', "&#39;");
        let inside = escaped.replace(['\u{202e}', '\u{85}'], "\u{fffd}");
        let page = format!("<p>x</p>{BEFORE}{inside}{AFTER}</html>");
        assert!(carries(&page, &certificate));
        for forged in [
            page.replace("null", "0"),
            page.replace("{\n", "{ &quot;a&quot;: 1,"),
            page.replace(AFTER, ""),
            format!("{page}{page}"),
            "<p>x</p>".to_string(),
        ] {
            assert!(!carries(&forged, &certificate), "{forged}");
        }
    }
}
