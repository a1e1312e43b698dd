//! The binary `incrowd-verify`: checks a delivered folder against its own certificate, and does nothing else.
//!
//! It has no engine, no ledger and no secret in it, for strangers who want to trust little; it must never say or end
//! otherwise than `incrowd verify`. It is separate because what is not there cannot go wrong. Read
//! `incrowd_evidence::verdict_page` for what is said, `incrowd_evidence::verify` for the checks.

use clap::{Parser, ValueEnum};
use incrowd_evidence::plan_json::failure_json;
use incrowd_evidence::verdict_page::{Form, VerdictEnding, told};
use incrowd_evidence::verify::MOST_WORK;
use incrowd_memory::{Bounded, Reached, ends_with};
use incrowd_report::{Emphasis, TerminalStyle, TextStyle};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Without memory the process ends with a text that was laid ready.
#[global_allocator]
static MEMORY: Bounded = Bounded;

/// Checks a delivered folder against its own certificate, as `incrowd verify` does.
///
/// Exit codes: 0 verified, 1 something is wrong, 2 not everything could be checked.
#[derive(Debug, Parser)]
#[command(name = "incrowd-verify", version, max_term_width = 100)]
struct Arguments {
    /// A delivered folder.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The folder that it was made from by `incrowd render`: made once more, it must be the same byte by byte.
    #[arg(long, value_name = "FOLDER")]
    parent: Option<PathBuf>,
    /// The most cells of laws to sum, before accounts are named as not recomputed. The default takes about a minute.
    #[arg(long, value_name = "CELLS", default_value_t = MOST_WORK)]
    most_work: u64,
    /// How the verdict is printed: text for people, json for machines, html as a page for browsers.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How the verdict is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For machines.
    Json,
    /// For people with a browser: one file that needs nothing else.
    Html,
}

fn main() -> ExitCode {
    // What a library says when it panics may quote what it read.
    std::panic::set_hook(Box::new(|_| {}));
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            if error.use_stderr() && asks_for_json() {
                let text = error.render().to_string();
                let text = text.strip_prefix("error: ").unwrap_or(&text);
                let (message, hint) = text.split_once("\n\n").unwrap_or((text, ""));
                let told = [message, hint].map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
                let _ = io::stderr().write_all(failed(Format::Json, &told[0], &told[1], code).as_bytes());
                return ExitCode::from(code);
            }
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let format = arguments.format;
    let no_memory = failed(format, "out of memory", "give incrowd-verify more memory", 2);
    ends_with(Reached::Nothing, incrowd_memory::Ending { text: no_memory, code: 2 });
    let (message, hint, code) = match std::panic::catch_unwind(|| run(&arguments)) {
        Ok(Ok(VerdictEnding::Passed)) => return ExitCode::SUCCESS,
        Ok(Ok(VerdictEnding::Differs { message, hint })) => (message, hint, 1),
        Ok(Ok(VerdictEnding::NotVerified { message, hint })) | Ok(Err((message, hint))) => (message, hint, 2),
        Err(_) => ("incrowd-verify panicked".into(), "this is a mistake in incrowd: please report it".into(), 2),
    };
    // With nowhere left to complain, the exit code still tells.
    let _ = io::stderr().write_all(failed(format, &message, &hint, code).as_bytes());
    ExitCode::from(code)
}

/// Whether machines listen, as far as wrong arguments tell.
fn asks_for_json() -> bool {
    let words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    words.iter().any(|word| word == "--format=json")
        || words.windows(2).any(|two| two[0] == "--format" && two[1] == "json")
}

/// Prints the verdict and returns what it comes to, or what is wrong and what to do about it.
fn run(arguments: &Arguments) -> Result<VerdictEnding, (String, String)> {
    let form = match arguments.format {
        Format::Text => Form::Text,
        Format::Json => Form::Json,
        Format::Html => Form::Html,
    };
    let width = terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0)).clamp(60, 120);
    let style = TextStyle { width, emphasis: Emphasis::Ansi, charts: TerminalStyle::Unicode };
    let told = told(&arguments.folder, arguments.parent.as_deref(), arguments.most_work, form, &style)
        .map_err(|error| (error.to_string(), error.hint().to_string()))?;
    match anstream::stdout().write_all(told.text.as_bytes()) {
        Ok(()) => Ok(told.ending),
        // Whoever reads the output has stopped reading.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(told.ending),
        Err(error) => Err((format!("the verdict could not be written: {error}"), "is the disk full?".into())),
    }
}

fn failed(format: Format, message: &str, hint: &str, code: u8) -> String {
    match format {
        Format::Json => format!("{}\n", failure_json("verify", message, hint, code)),
        Format::Text | Format::Html => format!("error: {message}\nhint: {hint}\n"),
    }
}
