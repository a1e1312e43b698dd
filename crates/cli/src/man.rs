//! `incrowd man`: manual pages, from the definitions that the help comes from.
//!
//! One page for each command, each with what it takes from the environment, how it ends and which files it touches; it
//! must never overwrite a file. It is separate because pages are for whoever packages incrowd. Read `args.rs` for the
//! words.

use crate::args::{Arguments, ManCommand, PrintFormat};
use crate::failure::Failure;
use crate::new_files;
use crate::terminal::{print, print_json};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use serde_json::json;
use std::io;

/// What incrowd reads of the environment.
const ENVIRONMENT: [(&str, &str); 5] = [
    ("INCROWD_LEDGER", "The account book, where --ledger does not name one: a file, or postgres://user@host/database."),
    ("PGPASSWORD", "The password of a ledger in a PostgreSQL server, where its address has none."),
    ("SSL_CERT_FILE", "The authorities that are trusted on the way to such a server."),
    ("NO_COLOR, CLICOLOR, CLICOLOR_FORCE", "Whether text has colours; they never carry a meaning."),
    ("TMPDIR", "Where grouping and sorting spill to, unless --spill names a folder."),
];

/// How every command ends.
const EXIT_STATUS: [(&str, &str); 5] = [
    ("0", "Done."),
    ("1", "Refused, with the reason and the nearest thing that works. Nothing was charged."),
    ("2", "Wrong request, usage or environment. Nothing was charged."),
    ("3", "Charged but not delivered."),
    ("130", "Stopped before the charge."),
];

/// Which files incrowd touches.
const FILES: [(&str, &str); 4] = [
    ("request.toml", "A request: what is counted and what is promised to whom. `incrowd schema` describes every key."),
    (
        "certificate.json, report.html, counts.csv",
        "In a delivered folder: what is promised and how it was kept, the same for people, and the table. Other formats and \
         kinds of release have tables of other names.",
    ),
    (
        "incrowd/ledger.sqlite",
        "In the user's folder for data (on Linux ~/.local/share): the account book, where nothing else names one.",
    ),
    (
        ".NAME.incrowd-*",
        "Beside a folder NAME that is being delivered: the folder while it is written, and its locks. What is left of them is \
         for `incrowd recover`.",
    ),
];

/// What to try first.
const FIRST_STEPS: &str = "incrowd example salaries demo\nincrowd plan demo/request.toml\n\
incrowd release demo/request.toml --ledger demo/ledger.sqlite\nincrowd verify demo/out";

/// Runs the command.
pub fn run(command: &ManCommand, format: PrintFormat) -> Result<(), Failure> {
    let mut root = Arguments::command();
    root.build();
    let Some(folder) = &command.folder else {
        let text = page(&root)?;
        if format == PrintFormat::Json {
            return print_json(&json!({ "name": "incrowd.1", "page": text }));
        }
        return print(&text);
    };
    let mut pages = Vec::new();
    pages_of(&root, &mut pages)?;
    new_files::write(folder, &pages, "the pages")?;
    let names: Vec<String> = pages.iter().map(|(name, _)| folder.join(name).display().to_string()).collect();
    if format == PrintFormat::Json {
        return print_json(&json!({ "folder": folder.display().to_string(), "files": names }));
    }
    let shown = folder.display();
    print(&format!("{} pages are in {shown}.\nNext: man {}\n", names.len(), folder.join("incrowd.1").display()))
}

/// The page of a command and of all below it, with their names.
fn pages_of(command: &Command, pages: &mut Vec<(String, String)>) -> Result<(), Failure> {
    pages.push((format!("{}.1", name(command)), page(command)?));
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help") {
        pages_of(inner, pages)?;
    }
    Ok(())
}

/// The name of a page, such as `incrowd-ledger-open`.
fn name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_string()
}

/// A page: what clap knows, and what only we know.
fn page(command: &Command) -> Result<String, Failure> {
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let (description, examples) = split(&about);
    let man = Man::new(command.clone().long_about(description.to_string())).manual("incrowd");
    let man = man.source(concat!("incrowd ", env!("CARGO_PKG_VERSION")));
    let mut bytes = Vec::new();
    man.render_title(&mut bytes)?;
    man.render_name_section(&mut bytes)?;
    man.render_synopsis_section(&mut bytes)?;
    man.render_description_section(&mut bytes)?;
    man.render_options_section(&mut bytes)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut bytes)?;
    }
    let mut more = Roff::new();
    section(&mut more, "ENVIRONMENT", &ENVIRONMENT);
    section(&mut more, "EXIT STATUS", &EXIT_STATUS);
    section(&mut more, "FILES", &FILES);
    more.control("SH", ["EXAMPLES"]);
    more.control("nf", []);
    let lines = if examples.is_empty() { fallback(command) } else { examples };
    more.text(lines.lines().flat_map(|line| [roman(line.trim_start()), roman("\n")]).collect::<Vec<_>>());
    more.control("fi", []);
    more.to_writer(&mut bytes)?;
    if command.get_after_long_help().is_some() {
        man.render_extra_section(&mut bytes)?;
    }
    String::from_utf8(bytes).map_err(|_| Failure::Output(io::ErrorKind::InvalidData.into()))
}

/// What a description says, and the examples at its end.
fn split(about: &str) -> (&str, String) {
    let found = ["\nExamples:\n", "\nExample:\n"].iter().find_map(|mark| about.split_once(mark));
    found.map_or((about, String::new()), |(description, examples)| (description.trim_end(), examples.to_string()))
}

/// Examples for a command whose help has none: what to try first, or how to learn more.
fn fallback(command: &Command) -> String {
    match name(command).as_str() {
        "incrowd" => FIRST_STEPS.to_string(),
        other => format!("{} --help", other.replace('-', " ")),
    }
}

fn section(roff: &mut Roff, title: &str, items: &[(&str, &str)]) {
    roff.control("SH", [title]);
    for (term, text) in items {
        roff.control("TP", []);
        roff.text([bold(*term)]);
        roff.text([roman(*text)]);
    }
}
