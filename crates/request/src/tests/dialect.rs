//! How files may be written, and what is said of the rest.
//!
//! Texts of requests; a test here must never read a file. It is separate because most requests say nothing of it. Read
//! `../dialect.rs` next.

use super::examples::WRITTEN;
use super::{accept, refuse, with_data};
use crate::Request;
use incrowd_definition::{BadRows, Dialect, Header, Quote, Sign};

fn dialect(text: &str) -> Dialect {
    accept(text).data.expect("data").dialect
}

#[test]
fn every_key_is_read() {
    let read = dialect(WRITTEN);
    assert_eq!(read.delimiter, Some(Sign::TAB));
    assert_eq!(read.quote, Quote::Other(Sign::of("'").expect("a sign")));
    assert_eq!(read.encoding.as_str(), "windows-1252");
    assert_eq!((read.header, read.bad_rows), (Header::Row, BadRows::Skip));
    assert_eq!((read.decimal, read.thousands), (Sign::of(","), Sign::of(".")));
    assert_eq!(read.missing, ["-", "NA"]);
    assert_eq!(read.dates, ["%d.%m.%Y", "%m/%d/%y %H:%M"]);
    assert_eq!(read.canonical().len(), 13);
}

#[test]
fn what_is_usual_need_not_be_said() {
    let usual = "quote = '\"'\nencoding = \"utf-8\"\nheader = true\nskip-lines = 0\non-bad-row = \"stop\"\ndecimal = \".\"\nmissing = [\"\"]";
    assert_eq!(dialect(&with_data(usual)), Dialect::default());
    assert_eq!(accept(&with_data(usual)).request_hash(), accept(&with_data("")).request_hash());
}

#[test]
fn what_the_name_of_the_file_says_need_not_be_said() {
    let hash = |source: &str, more: &str| accept(&with_data(&format!("source = \"{source}\"\n{more}"))).request_hash();
    let both = "format = \"csv\"\ndelimiter = \",\"";
    for said in [both, "format = \"csv\"", "delimiter = \",\""] {
        assert_eq!(hash("people.csv", said), hash("people.csv", ""), "{said}");
    }
    assert_eq!(hash("people.tsv", "delimiter = \"tab\""), hash("people.tsv", ""));
    assert_eq!(hash("-", both), hash("-", "format = \"csv\""));
    for (source, other) in [("people.csv", "format = \"tsv\""), ("people.csv", "delimiter = \";\""), ("-", both)] {
        assert_ne!(hash(source, other), hash(source, ""), "{source}: {other}");
    }
    // What a certificate has of it is read back as the same request.
    for said in [both, "format = \"csv\"\ndelimiter = \";\""] {
        let request = accept(&with_data(&format!("source = \"people.csv\"\n{said}")));
        let again = Request::from_canonical(&request.canonical()).expect("a request");
        assert_eq!(again.request_hash(), request.request_hash(), "{said}");
    }
}

#[test]
fn another_dialect_is_another_request() {
    let mut hashes = vec![accept(&with_data("")).request_hash()];
    for said in [
        "delimiter = \";\"",
        "delimiter = \"tab\"",
        "quote = \"none\"",
        "quote = \"'\"",
        "encoding = \"iso-8859-15\"",
        "header = false",
        "skip-lines = 1",
        "skip-lines = 2",
        "on-bad-row = \"skip\"",
        "decimal = \",\"",
        "thousands = \",\"",
        "missing = [\"NA\"]",
        "dates = [\"%d.%m.%Y\"]",
        "sheet = \"a\"",
        "table = \"a\"",
        "format = \"csv\"",
    ] {
        hashes.push(accept(&with_data(said)).request_hash());
    }
    let all = hashes.len();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), all);
    let order = |words: &str| accept(&with_data(&format!("missing = {words}"))).request_hash();
    assert_eq!(order("[\"NA\", \"-\", \"\"]"), order("[\"-\", \"NA\", \"NA\"]"));
}

#[test]
fn signs_and_ways_without_a_meaning_are_refused() {
    for (said, words) in [
        ("delimiter = \";;\"", "one sign of ASCII"),
        ("delimiter = \"a\"", "no letter and no digit"),
        ("delimiter = \"\\n\"", "one sign of ASCII"),
        ("delimiter = 7", "one sign in quotes"),
        ("quote = \"double\"", "one sign of ASCII"),
        ("delimiter = \"'\"\nquote = \"'\"", "the same sign"),
        ("delimiter = '\"'", "the same sign"),
        ("thousands = \".\"", "the same sign"),
        ("decimal = \",\"\nthousands = \",\"", "the same sign"),
        ("encoding = \"latin-1\"", "did you mean"),
        ("encoding = \"utf-7\"", "cannot be"),
        ("missing = \"NA\"", "must be a list"),
        ("skip-lines = 10001", "a whole number from 0 to 20"),
        ("dates = [\"%d/%m/%Y\", \"%m/%d/%Y\"]", "read 02/01/2003 as two different days"),
        ("dates = [\"%d.%m.%Y\", \"%Y%m%d\", \"%d%m%Y\"]", "as two different days"),
        ("missing = [1]", "must be in quotes"),
        ("dates = [\"dd.mm.yyyy\"]", "one day, one month and one year"),
        ("dates = [\"%d.%m\"]", "one day, one month and one year"),
        ("dates = [\"%d.%m.%Y %Q\"]", "a part that is not known"),
        ("dates = [\"%d.%m.%Y%\"]", "a part that is not known"),
        ("dates = [\"%d %e.%m.%Y\"]", "one day"),
        ("dates = [\"%d.%m.%Y %M\"]", "hours, then minutes"),
        ("dates = [\"%d.%m.%Y %H:%M:%S %S\"]", "each at most once"),
        ("dates = [\"%d.%m.%Y %I:%M\"]", "go together"),
        ("dates = [\"%d.%m.%Y %H:%M %p\"]", "go together"),
        ("header = \"no\"", "true or false"),
        ("on-bad-row = \"drop\"", "did you mean"),
        ("format = \"xls\"", "did you mean"),
    ] {
        let text = with_data(said);
        let error = refuse(&text);
        let shown = error.render("request.toml", &text, super::super::Colour::Plain);
        assert!(shown.contains(words), "wanted: {words}\n{shown}");
    }
}
