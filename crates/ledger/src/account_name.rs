//! What an account is called, and what a name or any other line of the book may be.
//!
//! It must never let a control character or a text without end into the book. It is separate because charges, entries,
//! refusals and accounts all name one. Read `account.rs` next.

use std::fmt;

/// Most characters of a name.
const MOST: usize = 200;

/// The name of an account: 1 to 200 characters, none of them a control character.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountName(String);

impl AccountName {
    /// Returns the name, or refuses a text that is empty, too long or not one line.
    pub fn new(text: &str) -> Result<AccountName, AccountNameError> {
        if is_line(text, MOST) { Ok(AccountName(text.to_string())) } else { Err(AccountNameError) }
    }

    /// The name as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AccountName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that cannot name an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountNameError;

impl AccountNameError {
    /// Returns what to do instead.
    pub fn hint(&self) -> &'static str {
        "name the people whose data it is, such as employees-2026"
    }
}

impl fmt::Display for AccountNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an account is named with 1 to 200 characters, none of them a control character")
    }
}

impl std::error::Error for AccountNameError {}

/// Whether a text is one line that is neither empty nor too long.
pub(crate) fn is_line(text: &str, most: usize) -> bool {
    let plain = |byte: u8| (b' '..=b'~').contains(&byte);
    if text.bytes().all(plain) {
        return (1..=most).contains(&text.len());
    }
    !text.is_empty() && !text.chars().any(char::is_control) && text.chars().take(most + 1).count() <= most
}
