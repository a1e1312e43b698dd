//! Requests from files and streams: text of bounded size, and the public hierarchies that it names.
//!
//! Nothing else may be opened here, and no hierarchy may be a file of the data, which the engine alone can list. It is
//! separate because everything starts with it. Read `opened.rs` next for what can be done with a request.

use crate::hierarchy::{self, Unread};
use incrowd_engine::Engine;
use incrowd_request::{MAX_REQUEST_BYTES, Request, RequestError};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Why there is no request.
#[derive(Debug)]
pub enum OpenError {
    /// It could not be read.
    Unreadable {
        /// What was to be read.
        name: String,
        /// Why.
        error: io::Error,
    },
    /// The path is that of a folder.
    IsAFolder {
        /// The path.
        name: String,
    },
    /// There is more text than a request may have.
    TooLarge {
        /// What was read.
        name: String,
    },
    /// It is not UTF-8.
    NotText {
        /// What was read.
        name: String,
    },
    /// The text is no request.
    Request {
        /// What was read.
        name: String,
        /// What it said.
        text: String,
        /// What is wrong.
        error: RequestError,
    },
    /// A hierarchy could not be read, or may not be.
    Hierarchy(Unread),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Unreadable { name, error } => write!(f, "{name} cannot be read: {}", plain(error)),
            OpenError::IsAFolder { name } => write!(f, "{name} is a folder"),
            OpenError::TooLarge { name } => {
                write!(f, "{name} is larger than the {MAX_REQUEST_BYTES} bytes that a request may have")
            }
            OpenError::NotText { name } => write!(f, "{name} is not UTF-8 text"),
            OpenError::Request { error, .. } => f.write_str(error.message()),
            OpenError::Hierarchy(unread) => f.write_str(&unread.reason),
        }
    }
}

impl OpenError {
    /// Returns what to do about it.
    pub fn hint(&self) -> &str {
        match self {
            OpenError::Unreadable { error, .. } => match error.kind() {
                io::ErrorKind::NotFound => {
                    "is the path right? a request is a TOML file; `incrowd plan --help` shows how to begin"
                }
                io::ErrorKind::PermissionDenied => "may this user read the file?",
                _ => "give the path of a request, or - for standard input",
            },
            OpenError::IsAFolder { .. } => "give the path of a request, a TOML file",
            OpenError::TooLarge { .. } => "was a data file given instead of the request?",
            OpenError::NotText { .. } => "a request is a TOML file",
            OpenError::Request { error, .. } => error.hint_text().unwrap_or_default(),
            OpenError::Hierarchy(unread) => unread.hint,
        }
    }
}

/// Returns the text of a file that may hold a request.
pub(super) fn text_of_file(path: &Path, name: &str) -> Result<String, OpenError> {
    let unreadable = |error: io::Error| OpenError::Unreadable { name: name.to_string(), error };
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(OpenError::IsAFolder { name: name.to_string() });
    }
    text_of(file, name)
}

/// Returns the text of a stream that may hold a request.
pub(super) fn text_of(stream: impl Read, name: &str) -> Result<String, OpenError> {
    let mut bytes = Vec::new();
    let limit = MAX_REQUEST_BYTES as u64 + 1;
    let read = stream.take(limit).read_to_end(&mut bytes);
    read.map_err(|error| OpenError::Unreadable { name: name.to_string(), error })?;
    if bytes.len() > MAX_REQUEST_BYTES {
        return Err(OpenError::TooLarge { name: name.to_string() });
    }
    String::from_utf8(bytes).map_err(|_| OpenError::NotText { name: name.to_string() })
}

/// Returns the request that a text is, with its hierarchies if it lies in a folder.
pub(super) fn request_of(
    text: String,
    name: &str,
    folder: Option<&Path>,
    engine: &dyn Engine,
) -> Result<Request, OpenError> {
    let mut request = match Request::parse(&text) {
        Ok(request) => request,
        Err(error) => return Err(OpenError::Request { name: name.to_string(), text, error }),
    };
    // Hierarchies are public, and lie beside the request.
    if let Some(folder) = folder {
        hierarchy::read(&mut request, folder, |location| engine.files(location)).map_err(OpenError::Hierarchy)?;
    }
    Ok(request)
}

/// The reason without the operating system's number.
fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}
