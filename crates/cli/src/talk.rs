//! What is said beside a result: errors, warnings and notes, for people or for machines.
//!
//! Where JSON was asked for, every line on standard error is one object, whoever speaks; it must never mix the two. It
//! is separate because all commands, signals and the allocator speak through it. Read `usage.rs` for wrong arguments,
//! `failure.rs` for errors.

use crate::args::PrintFormat;
use crate::label;
use incrowd_release::plan_json::{Spoken, spoken_json};
use std::io::Write;
use std::sync::OnceLock;

/// Who speaks in this process, and how; set once, before anything is said.
static SPEAKER: OnceLock<Speaker> = OnceLock::new();

/// A command, and the form in which it speaks.
struct Speaker {
    command: String,
    format: PrintFormat,
}

/// Says who speaks from here on.
pub fn begin(command: &str, format: PrintFormat) {
    // One process runs one command: a second word about who speaks changes nothing.
    let _ = SPEAKER.set(Speaker { command: command.to_string(), format });
}

/// Returns the command that speaks.
pub fn command() -> &'static str {
    SPEAKER.get().map_or("incrowd", |speaker| speaker.command.as_str())
}

/// Whether machines listen.
pub fn is_for_machines() -> bool {
    SPEAKER.get().is_some_and(|speaker| speaker.format == PrintFormat::Json)
}

/// Says what people should know, though nothing ends by it.
pub fn warn(message: &str) {
    say(Spoken::Warning, &label::label("warning:"), message);
}

/// Says what is only to be noted, behind a label.
pub fn note(title: &str, message: &str) {
    let label = if title.is_empty() { String::new() } else { label::label(title) };
    say(Spoken::Note, &label, message);
}

/// Returns a note as it is said, for whoever must lay it ready.
pub fn line(title: &str, message: &str) -> String {
    if is_for_machines() {
        return format!("{}\n", spoken_json(command(), Spoken::Note, &joined(title, message), ""));
    }
    format!("{}\n", joined(title, message))
}

fn say(spoken: Spoken, label: &str, message: &str) {
    let line = if is_for_machines() {
        let title =
            if spoken == Spoken::Warning { String::new() } else { anstream::adapter::strip_str(label).to_string() };
        spoken_json(command(), spoken, &joined(&title, message), "").to_string()
    } else {
        joined(label, message)
    };
    // What is said ends nothing, and so does a screen that is gone.
    let _ = writeln!(anstream::stderr(), "{line}");
}

fn joined(title: &str, message: &str) -> String {
    if title.is_empty() { message.to_string() } else { format!("{title} {message}") }
}
