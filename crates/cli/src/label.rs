//! Labels in front of messages.
//!
//! Colour must never carry a meaning that the words do not. It is separate from `terminal.rs` because failures are
//! printed, too, and printing may fail. Read `failure.rs` next.

use anstyle::AnsiColor;

/// A label in front of a text.
pub fn label(text: &str) -> String {
    let style = AnsiColor::Cyan.on_default();
    format!("{style}{text}{style:#}")
}

/// What an error starts with.
pub fn error_label() -> String {
    let style = AnsiColor::Red.on_default().bold();
    format!("{style}error:{style:#}")
}
