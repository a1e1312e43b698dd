//! Hierarchies: public files beside the request whose values and names become part of it.
//!
//! What such a file holds is published in full, in certificate, report and ledger; so it must never be a file of the
//! data, nor one from elsewhere that nobody meant. It is separate because nothing else reads a file before the charge.
//! Read `request/kinds/rows.rs` for what becomes of it.

use crate::query::location_from;
use crate::request::Request;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest hierarchy.
const MOST_BYTES: u64 = 4 << 20;

/// Why a hierarchy was not read, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// What is wrong.
    pub reason: String,
    /// What to do.
    pub hint: &'static str,
}

const FORM: &str = "a hierarchy is a CSV file: a value in each line, then its coarser and coarser names";
const PUBLIC: &str = "a hierarchy is published word for word, so it is a file of its own, written for that, in the folder of the request";

/// Takes the rules of columns from their public files, in the folder of the request or below it.
///
/// `sources` lists the files of a location of data, as the engine would read them; no hierarchy may be one of them,
/// under whatever name.
pub fn read(request: &mut Request, base: &Path, sources: impl Fn(&str) -> Vec<PathBuf>) -> Result<(), Unread> {
    let source = request.data.as_ref().and_then(|data| data.source.as_ref());
    let sources = source.map(|source| sources(&location_from(base, source))).unwrap_or_default();
    let mut unread = None;
    let read = request.read_hierarchies(|file| {
        lines(base, file, &sources).map_err(|why| {
            let reason = why.reason.clone();
            unread = Some(why);
            reason
        })
    });
    read.map_err(|reason| unread.unwrap_or(Unread { reason, hint: FORM }))
}

/// Returns the lines of a public hierarchy.
fn lines(base: &Path, name: &str, sources: &[PathBuf]) -> Result<Vec<Vec<String>>, Unread> {
    let malformed = |reason: String| Unread { reason, hint: FORM };
    let unreadable = |error: io::Error| malformed(format!("the hierarchy {name:?} cannot be read: {}", plain(&error)));
    let path = base.join(name);
    let folder = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    // Links are followed first: what counts is where the file is.
    let (real, folder) = (fs::canonicalize(&path).map_err(unreadable)?, fs::canonicalize(folder).map_err(unreadable)?);
    if !real.starts_with(&folder) {
        let reason = format!("the hierarchy {name:?} is not in the folder of the request");
        return Err(Unread { reason, hint: PUBLIC });
    }
    let kind = fs::metadata(&real).map_err(unreadable)?;
    if !kind.is_file() {
        return Err(malformed(format!("the hierarchy {name:?} is not a file")));
    }
    let file = File::open(&real).map_err(unreadable)?;
    // Of the file that was opened, whatever happens to its name.
    let own = file.metadata().map_err(unreadable)?;
    if sources.iter().any(|source| is_same(source, &real, &own)) {
        let reason = format!("the hierarchy {name:?} is a file of the data");
        return Err(Unread { reason, hint: PUBLIC });
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(malformed(format!("the hierarchy {name:?} has more than {MOST_BYTES} bytes")));
    }
    let mut lines = Vec::new();
    for record in csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes.as_slice()).records() {
        let record = record.map_err(|_| malformed(format!("the hierarchy {name:?} is not CSV in UTF-8")))?;
        lines.push(record.iter().map(String::from).collect());
    }
    Ok(lines)
}

/// Whether a path leads to a file: by device and inode, so that neither links nor second names help.
fn is_same(source: &Path, path: &Path, file: &Metadata) -> bool {
    let same_name = fs::canonicalize(source).is_ok_and(|source| source == path);
    #[cfg(unix)]
    let same_file = fs::metadata(source).is_ok_and(|other| {
        use std::os::unix::fs::MetadataExt;
        (other.dev(), other.ino()) == (file.dev(), file.ino())
    });
    #[cfg(not(unix))]
    let same_file = {
        let _ = file;
        false
    };
    same_name || same_file
}

/// The reason without the operating system's number.
fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.kind().to_string(),
    }
}
