//! Which files a location names: a file, the data files of a folder and of those inside, or what a pattern matches.
//!
//! It must never leave out a file that was asked for without saying so, list one twice, or go round in circles. It is
//! separate because it looks at names only and opens nothing. Read `keys.rs` for what names of folders say.

use super::Format;
use super::file_error::FileError;
use super::keys::key_of;
use super::shown;
use crate::file::Keys;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Most folders that are looked into: links may make a tree of a few folders that has no end.
const MOST_FOLDERS: usize = 100_000;

/// A file, and what the names of the folders say that were looked into for it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) keys: Keys,
}

/// Returns the files, sorted by name; perhaps none.
///
/// A file that is literally named like a pattern is that file. A pattern that matches a folder stands for the data
/// files inside, as if the folder had been named.
pub(super) fn find(location: &str) -> Result<Vec<Found>, FileError> {
    match fs::metadata(location) {
        Ok(metadata) if metadata.is_dir() => {
            let mut walk = Walk::default();
            walk.look_into(Path::new(location), &[])?;
            Ok(walk.sorted())
        }
        Ok(_) => Ok(vec![Found { path: PathBuf::from(location), keys: Keys::default() }]),
        Err(_) if location.contains("://") => {
            let scheme = location.split("://").next().unwrap_or_default();
            Err(FileError::Remote { scheme: scheme.into() })
        }
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

fn matching(pattern: &str) -> Result<Vec<Found>, FileError> {
    let options =
        glob::MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };
    let paths = glob::glob_with(pattern, options).map_err(|_| FileError::NoFile { location: pattern.into() })?;
    // Folders are looked into from the first part of the pattern on that is one.
    let named = Path::new(pattern).components().take_while(|part| !is_pattern(&part.as_os_str().to_string_lossy()));
    let named = named.count();
    let mut walk = Walk::default();
    for path in paths {
        let path = path.map_err(|error| FileError::NotReadable { location: shown(error.path()) })?;
        let is_folder = path.is_dir();
        let folder = if is_folder { path.as_path() } else { path.parent().unwrap_or(Path::new("")) };
        let mut keys = Vec::new();
        for part in folder.components().skip(named) {
            keys.extend(key_of(&part.as_os_str().to_string_lossy(), &path)?);
        }
        if is_folder {
            walk.look_into(&path, &keys)?;
        } else {
            walk.found.push(Found { path, keys: keys.into() });
        }
    }
    Ok(walk.sorted())
}

/// A walk through folders.
#[derive(Default)]
struct Walk {
    found: Vec<Found>,
    /// The folders that are being looked into, by their real names.
    inside: Vec<PathBuf>,
    folders: usize,
}

impl Walk {
    /// Adds the data files inside a folder and inside its folders: known endings, and names that do not begin with `.`
    /// or `_`. A text file in a folder of data is more often a note than data: it is read where it, or a pattern, is
    /// named.
    fn look_into(&mut self, folder: &Path, keys: &[(String, Option<String>)]) -> Result<(), FileError> {
        let location = shown(folder);
        let real = fs::canonicalize(folder).map_err(|error| unreachable_file(&error, &location))?;
        // A link back to a folder that is being looked into leads to nothing new.
        if self.inside.contains(&real) {
            return Ok(());
        }
        self.folders += 1;
        if self.folders > MOST_FOLDERS {
            return Err(FileError::TooManyFolders { location });
        }
        self.inside.push(real);
        let not_readable = |_| FileError::NotReadable { location: location.clone() };
        for entry in fs::read_dir(folder).map_err(not_readable)? {
            let path = entry.map_err(not_readable)?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if is_hidden(&name) {
                continue;
            }
            if path.is_dir() {
                let mut keys = keys.to_vec();
                keys.extend(key_of(&name, &path)?);
                self.look_into(&path, &keys)?;
            } else if is_data(&name) {
                self.found.push(Found { path, keys: keys.into() });
            }
        }
        self.inside.pop();
        Ok(())
    }

    fn sorted(mut self) -> Vec<Found> {
        self.found.sort();
        // `**` may match a folder and the files inside.
        self.found.dedup_by(|one, other| one.path == other.path);
        self.found
    }
}

/// What programs put beside data: `_SUCCESS`, `.crc`, and what Excel leaves while a workbook is open.
fn is_hidden(name: &str) -> bool {
    name.starts_with(['.', '_']) || name.starts_with("~$")
}

fn is_data(name: &str) -> bool {
    let name = name.to_lowercase();
    let packed = [".txt", ".txt.gz", ".txt.zst", ".txt.zip"];
    let is_note = packed.iter().any(|ending| name.ends_with(ending));
    !is_note && (name.ends_with(".zip") || Format::of_name(&name, None).is_some())
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
