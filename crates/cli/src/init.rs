//! `incrowd init`: a commented request from the columns of a data file.
//!
//! It writes names and types, and never a value of the data: a list of values that was read off the data would say who
//! is in it. What it guesses about how a file is written it says, with the reason; bands come from names alone. It is
//! separate because it is the one command that looks at data to help a human. Read `init/draft.rs` for the text,
//! `init/questions.rs` for the way step by step, and `incrowd_engine_datafusion` for how it looks.

mod draft;
mod names;
mod questions;

use crate::args::{InitCommand, PrintFormat};
use crate::engines::look_at_server;
use crate::failure::Failure;
use crate::{policies, talk, terminal};
use draft::{Bin, Draft, DraftPromise, PersonBy, STANDARD_INPUT, dataset, printed, said};
use incrowd_engine::{ColumnType, nearest};
use incrowd_engine_datafusion::{FirstLine, Look, LookEnd, Names, Proposed, look};
use incrowd_release::request::{Request, ServerKind, ServerPlace, is_nearly_an_address};
use questions::{Dialogue, ask};
use serde_json::{Value, json};
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

/// What stands for "each row is another person".
const ROWS: &str = "rows";

/// Runs the command.
pub fn run(command: &InitCommand, format: PrintFormat) -> Result<(), Failure> {
    if command.interactive && !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        let message = match command.data.as_str() {
            STANDARD_INPUT => "--interactive asks on a terminal, and standard input is the data",
            _ => "--interactive asks on a terminal, and there is none",
        };
        return Err(Failure::usage(
            message,
            "say it by options: --by COLUMN,... --person COLUMN --output request.toml",
        ));
    }
    let mut given = said(command.data_format, command.sheet.as_deref(), command.table.as_deref());
    given.skip_lines = command.skip_lines.unwrap_or(0);
    let names = if command.names_on_top { Names::OnTop } else { Names::Guessed };
    if is_nearly_an_address(&command.data) || ServerPlace::of(&command.data).is_some_and(|place| !place.has_a_name()) {
        return Err(Failure::usage(
            "this looks like the address of a server with a slip in it, and is not repeated",
            "incrowd init postgres://user@host:5432/database --table schema.visits, or sc://host:15002",
        ));
    }
    let looked = match ServerKind::of(&command.data) {
        None => look(&command.data, &given, names),
        Some(kind) => look_at_server(kind, &command.data, command.table.as_deref()),
    };
    let look = looked.map_err(|problem| Failure::usage(problem.to_string(), for_options(problem.hint())))?;
    let mut draft = Draft::proposed(&look);
    take_options(&mut draft, &look, command)?;
    let mut output = command.output.clone();
    if command.interactive {
        let (mut answers, mut screen) = (std::io::stdin().lock(), anstream::stderr());
        let path = ask(&mut draft, &look, &mut Dialogue { answers: &mut answers, screen: &mut screen });
        let path =
            path.map_err(|_| Failure::usage("nobody answered: nothing was written", "start again when you like"))?;
        output = output.or(Some(PathBuf::from(path)));
    }
    let text = draft.text(&command.data, output.as_deref());
    // What is written must be readable: a hostile column name would be found here, not by the steward.
    if let Err(error) = Request::parse(&text) {
        return Err(Failure::usage(
            format!("no request could be written for these columns: {}", error.message()),
            "rename columns with control characters",
        ));
    }
    if let Some(path) = &output {
        write_new(path, &text)?;
    }
    say_what_was_guessed(&look);
    if format == PrintFormat::Json {
        return terminal::print_json(&object(&look, &text, output.as_deref()));
    }
    match &output {
        None => terminal::print(&text),
        Some(path) => {
            let (path, dataset) = (path.display(), dataset(&command.data));
            let is_on_a_server = ServerKind::of(&command.data).is_some();
            let again = if command.data == STANDARD_INPUT { " (with all of the data on standard input)" } else { "" };
            let next = if is_on_a_server { "plan" } else { "check" };
            terminal::print(&format!(
                "Wrote {path}. Edit it, then: incrowd {next} {path}{again}\n\
                 What it promises and costs: incrowd plan {path}\n\
                 A budget for all releases about these people: incrowd ledger open {dataset} --epsilon 3 --delta 1e-5\n"
            ))
        }
    }
}

/// What a request would say, said by options: there is no request yet.
fn for_options(hint: impl Into<String>) -> String {
    let options = [
        ("[data] sheet = \"...\"", "--sheet NAME"),
        ("[data] table = \"...\"", "--table NAME"),
        ("[data] format = ", "--data-format "),
        ("[data] format", "--data-format NAME"),
    ];
    options.into_iter().fold(hint.into(), |hint: String, (key, option)| hint.replace(key, option))
}

fn take_options<'a>(draft: &mut Draft<'a>, look: &'a Look, command: &InitCommand) -> Result<(), Failure> {
    match command.person.as_deref() {
        None => {}
        Some(ROWS) => draft.person = None,
        Some(name) => draft.person = Some((column(look, name)?, PersonBy::Said)),
    }
    if let Some(name) = &command.policy {
        draft.promise = DraftPromise::Policy(policies::named(name)?);
    }
    if let Some(small) = command.protect_below {
        draft.promise = DraftPromise::below(small);
    }
    if command.by.is_empty() {
        return Ok(());
    }
    draft.bins.clear();
    for name in &command.by {
        let column = column(look, name)?;
        if draft.person.is_some_and(|(person, _)| person == column) {
            return Err(Failure::usage(
                format!("a table by {:?}, which says whose row it is, would have a bin for each person", column.name),
                "count by what people share; if each row is another person, say --person rows",
            ));
        }
        if draft.bins.iter().any(|bin| bin.column == column) {
            return Err(Failure::usage(format!("{:?} stands twice in --by", column.name), "name each column once"));
        }
        if names::is_identifier(&column.name) {
            talk::warn(&format!(
                "{} tells one from another, by its name: hardly any of its bins would be shown",
                printed(&column.name)
            ));
        }
        draft.bins.push(Bin::proposed(column));
    }
    Ok(())
}

fn column<'a>(look: &'a Look, name: &str) -> Result<&'a Proposed, Failure> {
    let all = || look.columns.iter().map(|column| column.name.as_str());
    match look.columns.iter().find(|column| column.name == name) {
        Some(column) if column.kind.is_some() => Ok(column),
        Some(_) => Err(Failure::usage(format!("the column {name:?} cannot be counted"), "choose another column")),
        None => {
            let near = nearest(name, all()).map(|near| format!("did you mean {near:?}? ")).unwrap_or_default();
            let listed: Vec<String> = all().take(40).map(printed).collect();
            Err(Failure::usage(
                format!("there is no column {name:?}"),
                format!("{near}The columns are: {}", listed.join(", ")),
            ))
        }
    }
}

fn say_what_was_guessed(look: &Look) {
    for guessed in &look.guessed {
        talk::note("guessed:", &format!("{}: {}", guessed.key, guessed.why));
    }
    for mixed in &look.two_orders {
        talk::warn(&format!("{mixed}. It is left a text: release parts of the file that are written alike"));
    }
    if look.first_line == FirstLine::Values {
        talk::warn(
            "the first line looks like somebody's values, so columns are named by their places; if these are names, say \
             --names-on-top",
        );
    }
    match (look.rows, look.end) {
        (Some(0), _) => talk::warn(
            "no row could be looked at. Either there is none, or the first rows are damaged: `incrowd check` tells.",
        ),
        (Some(rows), LookEnd::Damage) => talk::warn(&format!(
            "behind the first {rows} rows is one that cannot be read: `incrowd check` tells where, and what would help",
        )),
        (Some(_) | None, _) => {}
    }
}

fn object(look: &Look, text: &str, output: Option<&Path>) -> Value {
    let columns = look.columns.iter();
    let columns: Vec<Value> =
        columns.map(|column| json!({ "name": column.name, "type": column.kind.map(ColumnType::as_str) })).collect();
    let guessed: Vec<Value> =
        look.guessed.iter().map(|guessed| json!({ "key": guessed.key, "why": guessed.why.to_string() })).collect();
    json!({
        "types_guessed": look.rows.is_some(),
        "columns": columns,
        "dialect": look.dialect.canonical(),
        "guessed": guessed,
        "days_in_two_orders": look.two_orders.iter().map(|mixed| json!({
            "column": mixed.column, "one": mixed.one, "other": mixed.other,
        })).collect::<Vec<_>>(),
        "names": match look.first_line { FirstLine::Names => "in the data", FirstLine::Values => "by place" },
        "request": text,
        "written": output.map(|path| path.display().to_string()),
    })
}

fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        let hint = "choose a new name, of which there is no file yet, in a folder that exists";
        Failure::usage(format!("the request could not be written: {error}"), hint)
    };
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)
}
