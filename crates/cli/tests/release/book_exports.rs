//! The book in other forms: JSON, CSV, a workbook, and a page for browsers and as text.
//!
//! All hold the same entries, a workbook is read by a reader that is not ours, and no cell acts. It is separate from
//! `book.rs`, where the book itself is asked. Read `incrowd_release::ledger_table` for the rows.

use crate::browser::same_words;
use crate::place::{EXACT, PLAIN, Place, TOWNS, request};
use calamine::{Data, Reader, Xlsx, open_workbook_from_rs};
use serde_json::Value;
use std::io::Cursor;

fn place() -> Place {
    let place = Place::new();
    place.write("d.csv", "town,region\nBern,north\nBern,north\nChur,south\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn exports_hold_every_entry_and_are_never_written_over() {
    let place = place();
    place.released();
    let object = json(&place.run(&["ledger", "export"]).stdout);
    assert_eq!(object["entries"].as_array().map(Vec::len), Some(3));
    assert_eq!(object["definitions"][0]["binning"]["bins"][0]["source"]["column"], "town");
    assert_eq!(object["entries"][1]["event"]["binning_hash"], object["definitions"][0]["binning_hash"]);
    let said = place.run(&["ledger", "export", "--as", "csv"]);
    let mut reader = csv::Reader::from_reader(said.stdout.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("CSV");
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[1][3], &rows[1][7], &rows[1][8]), ("charged", "1", "1"));
    assert_eq!(place.run(&["ledger", "export", "--as", "csv", "--output", "book.csv"]).code, 0);
    assert_eq!(std::fs::read_to_string(place.path("book.csv")).expect("a file"), said.stdout);
    assert_eq!(place.run(&["ledger", "export", "--output", "book.csv"]).code, 2);
    assert_eq!(place.run(&["ledger", "export", "nobody"]).code, 2);
}

/// A book with everything that can be in it: budgets, releases, exact counts, refusals, and texts that would act.
fn full_book() -> Place {
    let place = place();
    let open = ["ledger", "open", "people", "--epsilon", "7/3", "--delta", "1e-6", "--splits", "=cmd,region"];
    assert_eq!(place.run(&[&open[..], &["--note", "=HYPERLINK(\"x\")"]].concat()).code, 0);
    assert_eq!(place.run(&["release", "request.toml", "--by", "+Grace", "--note", "1/2"]).code, 0);
    let third = request("d.csv", "", TOWNS, &PLAIN.replace("epsilon = 1", "epsilon = \"1/3\""));
    place.write("third.toml", third);
    assert_eq!(place.run(&["release", "third.toml", "--folder", "third"]).code, 0);
    assert_eq!(place.run(&["ledger", "policy", "people", "--epsilon", "1/2"]).code, 0);
    assert_eq!(place.run(&["release", "request.toml", "--folder", "second", "--again"]).code, 1);
    place.write("exact.toml", request("d.csv", "", TOWNS, EXACT).replace("\"people\"", "\"others\""));
    assert_eq!(place.run(&["release", "exact.toml", "--folder", "exact", "--open"]).code, 0);
    let months = ["--people", "disjoint-per-period", "--refresh", "month", "--epsilon", "1"];
    assert_eq!(place.run(&[&["ledger", "open", "months"], &months[..]].concat()).code, 0);
    place
}

/// The sheets of a workbook, the head of each first.
fn sheets(bytes: &[u8]) -> Vec<(String, Vec<Vec<Data>>)> {
    let mut book: Xlsx<_> = open_workbook_from_rs(Cursor::new(bytes.to_vec())).expect("another reader opens it");
    for name in book.sheet_names() {
        assert!(book.worksheet_formula(&name).expect("a sheet").is_empty(), "{name} has no formula");
    }
    book.worksheets().into_iter().map(|(name, range)| (name, range.rows().map(<[Data]>::to_vec).collect())).collect()
}

#[test]
fn a_workbook_of_the_book_holds_what_the_csv_says_as_numbers_and_texts() {
    let place = full_book();
    assert_eq!(place.run(&["ledger", "export", "--as", "xlsx", "--output", "book.xlsx"]).code, 0);
    let bytes = std::fs::read(place.path("book.xlsx")).expect("a file");
    let sheets = sheets(&bytes);
    assert_eq!(sheets.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["entries", "accounts", "about"]);
    let text = place.run(&["ledger", "export", "--as", "csv"]).stdout;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let lines: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("CSV");
    let rows = &sheets[0].1;
    assert_eq!((rows.len(), rows[0].len()), (lines.len(), lines[0].len()));
    let (mut numbers, mut fractions) = (0, 0);
    for (row, line) in rows.iter().zip(&lines) {
        for ((cell, bare), heading) in row.iter().zip(line).zip(&lines[0]) {
            match cell {
                Data::Empty => assert_eq!(bare, "", "{heading}"),
                // An apostrophe keeps a file of text from acting; a cell of text never does.
                Data::String(cell) => {
                    assert_eq!(cell, bare.strip_prefix('\'').unwrap_or(bare), "{heading}");
                    fractions += usize::from(cell.contains('/') && heading.ends_with("epsilon"));
                }
                Data::Float(number) => {
                    assert_eq!(bare.parse(), Ok(*number), "{heading}");
                    let is_number = heading.ends_with("_decimal") || ["seq", "min_group"].contains(&heading);
                    assert!(is_number, "{heading}");
                    numbers += 1;
                }
                Data::DateTime(moment) => {
                    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
                    let moment = format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
                    assert_eq!((heading, moment.as_str()), ("time", bare));
                }
                other => panic!("{heading}: {other:?}"),
            }
        }
    }
    assert!(numbers > 20 && fractions >= 2, "{numbers} numbers, {fractions} fractions");
}

#[test]
fn a_sheet_of_accounts_says_what_is_spent_left_and_overdrawn() {
    let place = full_book();
    assert_eq!(place.run(&["ledger", "export", "--as", "xlsx", "--output", "book.xlsx"]).code, 0);
    let sheets = sheets(&std::fs::read(place.path("book.xlsx")).expect("a file"));
    let rows = &sheets[1].1;
    let cell = |account: &str, column: &str| {
        let at = rows[0].iter().position(|heading| heading == &Data::String(column.into())).expect("a column");
        let row = rows.iter().find(|row| row[0] == Data::String(account.into())).expect("an account");
        row[at].clone()
    };
    let text = |text: &str| Data::String(text.into());
    assert_eq!(rows.len(), 4, "a head and three accounts");
    assert_eq!(cell("people", "epsilon"), text("4/3"));
    assert_eq!(cell("people", "epsilon_decimal"), Data::Float(1.333_333_333_34));
    assert_eq!(cell("people", "budget_epsilon"), text("1/2"));
    assert_eq!(
        (cell("people", "left_epsilon_decimal"), cell("people", "refused")),
        (Data::Float(0.0), Data::Float(1.0))
    );
    assert!(cell("people", "overdrawn").to_string().contains("epsilon 4/3 of 1/2 is spent"));
    assert_eq!((cell("others", "epsilon"), cell("others", "left_epsilon")), (text("0"), Data::Empty));
    assert!(cell("others", "promised").to_string().starts_with("crowd-blending"));
    assert_eq!(
        (cell("months", "charges"), cell("months", "left_epsilon_decimal")),
        (Data::Float(0.0), Data::Float(1.0))
    );
    let head = json(&place.run(&["ledger", "verify", "--format", "json"]).stdout)["head"].clone();
    let about = &sheets[2].1;
    assert!(about.iter().any(|row| row[0] == text("head") && row[1] == text(head.as_str().expect("a head"))));
}

#[test]
fn a_workbook_is_a_file_and_the_same_whenever_it_is_written() {
    let place = full_book();
    let said = place.run(&["ledger", "export", "--as", "xlsx"]);
    assert!(said.code == 2 && said.stdout.is_empty() && said.stderr.contains("--output book.xlsx"), "{}", said.stderr);
    for name in ["one.xlsx", "two.xlsx"] {
        assert_eq!(place.run(&["ledger", "export", "people", "--as", "xlsx", "--output", name]).code, 0);
    }
    let of = |name: &str| std::fs::read(place.path(name)).expect("a file");
    assert_eq!(of("one.xlsx"), of("two.xlsx"));
    let sheets = sheets(&of("one.xlsx"));
    let accounts: Vec<String> = sheets[0].1.iter().skip(1).map(|row| row[2].to_string()).collect();
    assert!(accounts.len() > 4 && accounts.iter().all(|account| account == "people"), "{accounts:?}");
    assert_eq!(place.run(&["ledger", "export", "--as", "xlsx", "--output", "one.xlsx"]).code, 2, "a file stays");
}

#[test]
fn the_page_of_the_book_says_the_same_for_browsers_and_as_text() {
    let place = full_book();
    for name in ["book.html", "book.txt"] {
        assert_eq!(place.run(&["ledger", "report", "--output", name]).code, 0);
    }
    let of = |name: &str| std::fs::read_to_string(place.path(name)).expect("a page");
    same_words(&of("book.txt"), &of("book.html"));
    for words in
        ["overdrawn by", "1 attempt refused", "People by town, from d.csv", "=HYPERLINK(", "+Grace", "2 charges"]
    {
        assert!(of("book.txt").contains(words), "{words}: {}", of("book.txt"));
    }
    assert!(of("book.html").contains("<table class=\"meters\">") && of("book.html").contains("<ol class=\"log\">"));
    // A folder's name is never folded; the rest fits.
    let text = of("book.txt");
    let wide = text.lines().filter(|line| line.chars().count() > 100 && !line.contains('/'));
    assert_eq!(wide.collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn a_history_fits_a_hundred_columns_whatever_names_and_notes_are_in_it() {
    let place = place();
    let long = ["x".repeat(200), "漢".repeat(150), "a very long name that has many words in it ".repeat(4)];
    for (number, name) in long.iter().enumerate() {
        let name = name.trim();
        let terms = ["--epsilon", "1234567/7654321", "--by", name, "--note", name, "--splits", name];
        let said = place.run(&[&["ledger", "open", name], &terms[..]].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        let text = request(
            "d.csv",
            "",
            TOWNS,
            &PLAIN.replace("epsilon = 1", "epsilon = \"123456/7654321\"\ndelta = \"1/98765432101\""),
        );
        let text =
            text.replace("\"people\"", &format!("{name:?}")).replace("\"town\"\ncolumn", "\"town town\"\ncolumn");
        place.write("long.toml", text);
        let folder = format!("f{number}");
        place.run(&["release", "long.toml", "--folder", &folder, "--by", name, "--note", name]);
    }
    let history = place.run(&["ledger", "history"]).stdout;
    assert!(history.contains("xxxxxxxxxxxxx…") && history.contains("漢漢漢漢漢漢…"), "{history}");
    let columns = |line: &str| line.chars().map(|sign| if sign == '漢' { 2 } else { 1 }).sum::<usize>();
    let wide = history.lines().filter(|line| columns(line) > 100 && !line.contains("to /"));
    assert_eq!(wide.collect::<Vec<_>>(), Vec::<&str>::new());
    let without_blanks: String = history.split_whitespace().collect();
    assert!(without_blanks.matches(&"x".repeat(200)).count() >= 2, "nothing is cut below the table: {history}");
}

#[test]
fn a_state_of_the_data_that_nobody_named_has_no_name_in_a_history() {
    let place = place();
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN).replace("snapshot = \"2026\"\n", ""));
    place.released();
    let named = request("d.csv", "", TOWNS, PLAIN).replace("snapshot = \"2026\"", "snapshot = \"1\"");
    place.write("named.toml", named);
    assert_eq!(place.run(&["release", "named.toml", "--folder", "named"]).code, 0);
    let history = place.run(&["ledger", "history"]).stdout;
    assert_eq!(history.matches("snapshot 1").count(), 1, "somebody gave that name, once: {history}");
}
