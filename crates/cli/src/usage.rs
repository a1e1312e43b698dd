//! Wrong arguments, and which command was meant.
//!
//! People get clap's own words, machines one object that says the same; it must never take a word for a command that is
//! a file. It is separate from `failure.rs` because nothing has been understood yet when this is said. Read `args.rs`
//! for what can be said.

use crate::args::{Arguments, PrintFormat};
use crate::failure::Failure;
use crate::talk;
use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, Error, FromArgMatches};
use std::ffi::OsString;
use std::process::ExitCode;

/// Returns the arguments of this process, and tells who speaks; or how it ends where they are wrong or ask for help.
pub fn arguments(given: &[OsString]) -> Result<Arguments, ExitCode> {
    let parsed = Arguments::command().try_get_matches_from(given).and_then(|matches| {
        let name = name_of(&matches);
        Arguments::from_arg_matches(&matches).map(|arguments| (name, arguments))
    });
    match parsed {
        Ok((name, arguments)) => {
            talk::begin(&name, arguments.format);
            Ok(arguments)
        }
        Err(error) if error.use_stderr() && asks_for_json(given) => {
            talk::begin(&meant(given), PrintFormat::Json);
            let (message, hint) = sentences(&error);
            Err(Failure::usage(message, hint).report(PrintFormat::Json))
        }
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            // Help and usage go where clap sends them; a closed pipe is no failure.
            let _ = error.print();
            Err(ExitCode::from(code))
        }
    }
}

/// The command that was understood, such as `ledger open`.
fn name_of(matches: &ArgMatches) -> String {
    let mut names = Vec::new();
    let mut inner = matches.subcommand();
    while let Some((name, matches)) = inner {
        names.push(name);
        inner = matches.subcommand();
    }
    names.join(" ")
}

/// The command that was meant, as far as its words go: nothing else was understood.
fn meant(given: &[OsString]) -> String {
    let mut command = &Arguments::command();
    let mut names: Vec<&str> = Vec::new();
    for word in given.iter().skip(1) {
        if let Some(inner) = word.to_str().and_then(|word| command.find_subcommand(word)) {
            names.push(inner.get_name());
            command = inner;
        }
    }
    if names.is_empty() { "incrowd".to_string() } else { names.join(" ") }
}

fn asks_for_json(given: &[OsString]) -> bool {
    let mut words = given.iter().skip(1).take_while(|word| *word != "--").peekable();
    while let Some(word) = words.next() {
        if word == "--format=json" || (word == "--format" && words.peek().is_some_and(|next| *next == "json")) {
            return true;
        }
    }
    false
}

/// What clap says, in one sentence, and what it proposes.
fn sentences(error: &Error) -> (String, String) {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return ("a command is missing".into(), "incrowd --help lists them".into());
    }
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let mut parts = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let message = parts.next().unwrap_or_default();
    let hint: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    (message, hint.join("; "))
}
