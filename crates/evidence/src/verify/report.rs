//! The report of a folder, against its certificate and tables.
//!
//! A report that this very version wrote is written again and compared byte for byte; of another version's it is compared
//! what every version puts into it as data, the whole certificate, and the rest is named as not recomputed. It must never
//! pass a page that carries another certificate. It is separate because a page outlives the words and pictures of a day.
//! Read `../page.rs` for how a report is made.

use super::Verdict;
use super::files;
use super::json::strict;
use super::words::Author;
use serde_json::Value;
use std::path::Path;

/// The largest report that is read.
const MAX_REPORT_BYTES: u64 = 256 << 20;
/// What stands before the certificate in a report, and after it.
const BEFORE: &str = "<details><summary>The certificate</summary><pre><code>";
const AFTER: &str = "</code></pre></details>";

/// Checks `report.html`; `again` writes it as this version does.
pub(super) fn check(folder: &Path, certificate: &Value, again: impl FnOnce() -> String, verdict: &mut Verdict) {
    let found = match files::read(&folder.join("report.html"), MAX_REPORT_BYTES) {
        Ok(found) => found,
        Err(problem) => return verdict.failed("report", format!("report.html {problem}")),
    };
    match Author::of(certificate) {
        Author::This if found == again().as_bytes() => {
            verdict.passed("report", "report.html says what certificate and table say");
        }
        Author::This => verdict.failed("report", "report.html is not the report of this certificate and table"),
        Author::Another(software) => match carries(&found, certificate) {
            true => {
                verdict.passed("report", "report.html carries this very certificate");
                verdict.trusted(
                    "report",
                    format!("the words and pictures of report.html: stated by {software}, not recomputed"),
                );
            }
            false => verdict.failed("report", "report.html does not carry this certificate"),
        },
    }
}

/// Whether a page holds the certificate, once and as data.
fn carries(page: &[u8], certificate: &Value) -> bool {
    let Some((_, rest)) = std::str::from_utf8(page).ok().and_then(|page| page.split_once(BEFORE)) else { return false };
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
        assert!(carries(page.as_bytes(), &certificate));
        for forged in [
            page.replace("null", "0"),
            page.replace("{\n", "{ &quot;a&quot;: 1,"),
            page.replace(AFTER, ""),
            format!("{page}{page}"),
            "<p>x</p>".to_string(),
        ] {
            assert!(!carries(forged.as_bytes(), &certificate), "{forged}");
        }
    }
}
