//! Which files a location names: a file, the data files of a folder, or what a pattern matches.
//!
//! It must never leave out a file that was asked for without saying so, nor list one twice. It is separate because it
//! looks at names only and opens nothing. Read `schema.rs` next.

use super::Format;
use super::file_error::FileError;
use super::shown;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the files, sorted by name; perhaps none.
///
/// A file that is literally named like a pattern is that file. A pattern that matches a folder stands for the data
/// files directly inside, as if the folder had been named.
pub(super) fn find(location: &str) -> Result<Vec<PathBuf>, FileError> {
    match fs::metadata(location) {
        Ok(metadata) if metadata.is_dir() => inside(Path::new(location)),
        Ok(_) => Ok(vec![PathBuf::from(location)]),
        Err(error) if error.kind() != io::ErrorKind::PermissionDenied && is_pattern(location) => matching(location),
        Err(error) => Err(unreachable_file(&error, location)),
    }
}

/// Returns why a file could not be reached.
pub(super) fn unreachable_file(error: &io::Error, location: &str) -> FileError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput => {
            FileError::NoFile { location: location.into() }
        }
        _ => FileError::NotReadable { location: location.into() },
    }
}

fn is_pattern(location: &str) -> bool {
    location.contains(['*', '?', '['])
}

fn matching(pattern: &str) -> Result<Vec<PathBuf>, FileError> {
    let options =
        glob::MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };
    let paths = glob::glob_with(pattern, options).map_err(|_| FileError::NoFile { location: pattern.into() })?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|error| FileError::NotReadable { location: shown(error.path()) })?;
        if path.is_dir() {
            found.extend(inside(&path)?);
        } else {
            found.push(path);
        }
    }
    // `**` may match a folder and the files inside.
    found.sort();
    found.dedup();
    Ok(found)
}

/// Returns the data files directly inside a folder: known endings, and names that do not begin with `.` or `_`. A text
/// file in a folder of data is more often a note than data: it is read where it, or a pattern, is named.
fn inside(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let not_readable = |_| FileError::NotReadable { location: shown(folder) };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(not_readable)? {
        let path = entry.map_err(not_readable)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !name.starts_with(['.', '_']) && is_data(&name) && !path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn is_data(name: &str) -> bool {
    let packed = [".txt", ".txt.gz", ".txt.zst"];
    let is_note = packed.iter().any(|ending| name.to_lowercase().ends_with(ending));
    !is_note && Format::of_name(name, None).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_permission_is_not_a_missing_file() {
        let location = "secret.csv".to_string();
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(unreachable_file(&denied, &location), FileError::NotReadable { location: location.clone() });
        let missing = io::Error::from(io::ErrorKind::NotFound);
        assert_eq!(unreachable_file(&missing, &location), FileError::NoFile { location });
    }
}
