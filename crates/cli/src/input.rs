//! Requests from files and from standard input.
//!
//! A request is text of bounded size; nothing else may be opened here but the public hierarchies that it names. It is separate because every command starts with it.
//! Read `plan.rs` next.

use crate::failure::Failure;
use incrowd_engine_datafusion::files_of;
use incrowd_release::hierarchy;
use incrowd_release::request::{MAX_REQUEST_BYTES, Request};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Returns the request in a file, or what is wrong with it.
pub fn request(path: &Path) -> Result<Request, Failure> {
    let name = if path == Path::new("-") { "standard input".to_string() } else { path.display().to_string() };
    let text = text(path, &name)?;
    let mut request = Request::parse(&text).map_err(|error| Failure::Request { name, text, error })?;
    // Hierarchies are public, and lie beside the request.
    if path != Path::new("-") {
        let base = path.parent().unwrap_or(Path::new(""));
        hierarchy::read(&mut request, base, |source| files_of(&source.to_string_lossy()))
            .map_err(|unread| Failure::usage(unread.reason, unread.hint))?;
    }
    Ok(request)
}

fn text(path: &Path, name: &str) -> Result<String, Failure> {
    let unreadable = |error: io::Error| {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => {
                "is the path right? a request is a TOML file; `incrowd plan --help` shows how to begin"
            }
            io::ErrorKind::PermissionDenied => "may this user read the file?",
            _ => "give the path of a request, or - for standard input",
        };
        Failure::usage(format!("{name} cannot be read: {}", plain(&error)), hint)
    };
    let mut bytes = Vec::new();
    let limit = MAX_REQUEST_BYTES as u64 + 1;
    if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        let file = File::open(path).map_err(unreadable)?;
        if file.metadata().map_err(unreadable)?.is_dir() {
            return Err(Failure::usage(format!("{name} is a folder"), "give the path of a request, a TOML file"));
        }
        file.take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if bytes.len() > MAX_REQUEST_BYTES {
        return Err(Failure::usage(
            format!("{name} is larger than the {MAX_REQUEST_BYTES} bytes that a request may have"),
            "was a data file given instead of the request?",
        ));
    }
    String::from_utf8(bytes)
        .map_err(|_| Failure::usage(format!("{name} is not UTF-8 text"), "a request is a TOML file"))
}

/// The reason without the operating system's number.
fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}
