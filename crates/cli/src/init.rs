//! `incrowd init`: a commented request from the columns of a data file.
//!
//! It writes names and types, and never a value of the data: a list of values that was read off the data would say who
//! is in it. The first line of a CSV file is taken for names; where it looks like somebody's values nothing is written
//! unless the steward says that they are names. It is separate because it is the one command that looks at data to help
//! a human. Read `incrowd_engine_datafusion` for how it looks.

use crate::args::{InitCommand, PrintFormat};
use crate::failure::Failure;
use crate::{talk, terminal};
use incrowd_engine::ColumnType;
use incrowd_engine_datafusion::{FirstLine, Look, Proposed, look};
use incrowd_release::request::Request;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Runs the command.
pub fn run(command: &InitCommand, format: PrintFormat) -> Result<(), Failure> {
    let look = look(&command.data).map_err(|problem| Failure::usage(problem.to_string(), problem.hint()))?;
    if look.first_line == FirstLine::Values && !command.names_on_top {
        return Err(Failure::usage(
            "the first line of the data looks like somebody's values, not like the names of columns",
            "put a line with names on top of the file; if these are names, say --names-on-top",
        ));
    }
    if look.rows == Some(0) {
        talk::warn(
            "no row could be looked at. Either there is none, or the first rows are damaged: do they all have as many fields as the \
             header? A release that fails while it reads is charged.",
        );
    }
    let text = request(&command.data, command.output.as_deref(), &look);
    // What is written must be readable: a hostile column name would be found here, not by the steward.
    if let Err(error) = Request::parse(&text) {
        return Err(Failure::usage(
            format!("no request could be written for these columns: {}", error.message()),
            "rename columns with control characters",
        ));
    }
    if let Some(path) = &command.output {
        let failed = |error: std::io::Error| {
            Failure::usage(
                format!("the request could not be written: {error}"),
                "choose a new name in a folder that exists",
            )
        };
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
    }
    let written = command.output.as_ref().map(|path| path.display().to_string());
    if format == PrintFormat::Json {
        let columns: Vec<Value> = look
            .columns
            .iter()
            .map(|column| json!({ "name": column.name, "type": column.kind.map(ColumnType::as_str) }))
            .collect();
        return terminal::print_json(&json!({
            "types_guessed": look.rows.is_some(), "columns": columns, "request": text, "written": written,
        }));
    }
    match written {
        None => terminal::print(&text),
        Some(path) => {
            let dataset = dataset(&command.data);
            terminal::print(&format!(
                "Wrote {path}. Edit it, then: incrowd plan {path}\n\
                 A budget for all releases about these people: incrowd ledger open {dataset} --epsilon 3 --delta 1e-5\n"
            ))
        }
    }
}

/// Column names that look like identifiers of people.
const PERSON_LIKE: [&str; 8] = ["person", "employee", "patient", "customer", "user", "member", "reader", "client"];

fn request(data: &str, output: Option<&Path>, look: &Look) -> String {
    let mut text = String::new();
    let source = source(data, output);
    let _ = writeln!(
        text,
        "# What is published. `incrowd schema` describes every key; `incrowd plan` shows what it means."
    );
    let _ = writeln!(text, "release = \"histogram\"\n\n[data]\nsource = {}", quoted(&source));
    let person = look.columns.iter().find(|column| is_person(column));
    match person {
        Some(column) => {
            let _ =
                writeln!(text, "# One person may have many rows. Delete these lines if each row is another person.");
            let _ = writeln!(text, "person = {}\nbins-per-person = 1", quoted(&column.name));
        }
        None => {
            let _ = writeln!(text, "# Each row counts as one person. If a person may have many rows, name the column:");
            let _ = writeln!(text, "# person = \"person_id\"\n# bins-per-person = 1");
        }
    }
    let _ = writeln!(text, "# where = \"...\"                  # an SQL condition on one row");
    types(&mut text, look);
    let chosen = look.columns.iter().find(|column| !is_person(column) && column.kind.is_some());
    let _ = writeln!(
        text,
        "\n# What is counted: one section for each dimension of the table. The columns of the data are:"
    );
    for column in &look.columns {
        let kind = column.kind.map_or("cannot be counted", ColumnType::as_str);
        let _ = writeln!(text, "#   {} ({kind})", printed(&column.name));
    }
    if let Some(column) = chosen {
        bin(&mut text, column);
    }
    let _ =
        writeln!(text, "\n# What is promised to each person: strict in small groups, usual in large ones.\n[promise]");
    let _ = writeln!(text, "kind    = \"simple-outlier-dp\"\ngroup   = 20\nepsilon = 1");
    let found = chosen.is_some_and(|column| column.kind != Some(ColumnType::Boolean));
    let comment = if found { "" } else { "# " };
    let _ = writeln!(
        text,
        "{comment}delta   = \"1e-6\"                 # needed while some bin has no `values` or `edges`"
    );
    let _ = writeln!(text, "\n# Which account pays: all releases about the same people share one.\n[ledger]");
    let _ = writeln!(text, "dataset = {}", quoted(&dataset(data)));
    let _ = writeln!(
        text,
        "# snapshot = \"2026-01\"            # names this state of the data; data that changed gets another name"
    );
    let _ = writeln!(text, "\n[output]\nfolder  = \"out\"\nformats = [\"csv\"]");
    text
}

fn types(text: &mut String, look: &Look) {
    if look.rows.is_none() {
        return;
    }
    let _ = writeln!(
        text,
        "\n# Types are proposals from a look at no more than the first 200 rows; a value that does not fit counts as missing.\n[data.types]"
    );
    for column in look.columns.iter().filter(|column| column.kind != Some(ColumnType::Text)) {
        if let Some(kind) = column.kind {
            let _ = writeln!(text, "{} = \"{}\"", quoted(&column.name), kind.as_str());
        }
    }
}

fn bin(text: &mut String, column: &Proposed) {
    let name = if ["count", "low", "high", "status", "estimate"].contains(&column.name.as_str()) {
        format!("{} of person", column.name)
    } else {
        column.name.clone()
    };
    let _ = writeln!(text, "\n[[bins]]\nname   = {}\ncolumn = {}", quoted(&name), quoted(&column.name));
    let lines = match column.kind {
        Some(ColumnType::Integer | ColumnType::Number) => {
            "# edges = [0, 20, 40, 60]       # public intervals, half-open; or from, to and width"
        }
        Some(ColumnType::Date | ColumnType::Timestamp) => {
            "truncate = \"month\"              # day, week, month or year; with from and to the list is public"
        }
        Some(ColumnType::Boolean) => "values = [false, true]",
        Some(ColumnType::Text) | None => {
            "# values = [\"...\", \"...\"]       # list what is publicly known, never what is in the data\n\
             # other  = true                # what is not listed"
        }
    };
    let _ = writeln!(text, "{lines}\n# nulls = \"bin\"                  # count missing values too");
}

fn is_person(column: &Proposed) -> bool {
    let name = column.name.to_lowercase();
    let identifies = name.ends_with("id") || name.ends_with("number") || PERSON_LIKE.contains(&name.as_str());
    identifies && PERSON_LIKE.iter().any(|word| name.contains(word))
}

/// The source as the request will name it: relative to where the request is written.
fn source(data: &str, output: Option<&Path>) -> String {
    let folder = output.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        None => data.to_string(),
        Some(folder) => match Path::new(data).strip_prefix(folder) {
            Ok(inside) => inside.to_string_lossy().into_owned(),
            Err(_) => std::path::absolute(data).map_or(data.to_string(), |path| path.to_string_lossy().into_owned()),
        },
    }
}

fn dataset(data: &str) -> String {
    let name = Path::new(data).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem: String = name
        .split('.')
        .next()
        .unwrap_or_default()
        .chars()
        .filter(|sign| sign.is_alphanumeric() || "-_".contains(*sign))
        .take(100)
        .collect();
    if stem.is_empty() { "people".into() } else { stem }
}

/// A TOML text.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for sign in text.chars() {
        match sign {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            sign if sign.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", sign as u32);
            }
            sign => quoted.push(sign),
        }
    }
    quoted.push('"');
    quoted
}

/// A name in a comment, which ends with its line.
fn printed(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}
