//! Whether a policy file can only have been written by whoever may write it.
//!
//! The file and every folder above it, after links, must belong to the administrator and be writable by nobody else. It
//! must never take a file on trust. It is separate because it asks the system, and differs from one to another: where
//! files have no owner by number nothing is asked, and the place alone protects. Read `reading.rs` next.

use super::{PolicyError, PolicyPlace};
use std::fs::{self, File};
use std::io::{self, Read};

/// Opens the policy file if there is one and it is safe; nothing where there is none.
pub(super) fn real_file(place: &PolicyPlace) -> Result<Option<File>, PolicyError> {
    let unreadable = |error: io::Error| PolicyError::Unreadable { path: place.path.clone(), why: error.to_string() };
    // A link that leads nowhere is no file, and still somebody meant a policy.
    match fs::symlink_metadata(&place.path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
        Ok(_) => {}
    }
    let real = fs::canonicalize(&place.path).map_err(unreadable)?;
    if !fs::metadata(&real).map_err(unreadable)?.is_file() {
        return Err(PolicyError::Unsafe { path: real, why: "is not a file" });
    }
    for path in [&place.path, &real] {
        whole_path(path, place.owner)?;
    }
    File::open(&real).map(Some).map_err(unreadable)
}

/// Returns what a file holds.
pub(super) fn read(file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(super::MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(unix)]
fn whole_path(path: &std::path::Path, owner: u32) -> Result<(), PolicyError> {
    use std::os::unix::fs::MetadataExt;
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    const STICKY: u32 = 0o1000;
    for part in path.ancestors().filter(|part| !part.as_os_str().is_empty()) {
        let unreadable =
            |error: io::Error| PolicyError::Unreadable { path: part.to_path_buf(), why: error.to_string() };
        let found = fs::symlink_metadata(part).map_err(unreadable)?;
        let wrong = |why| Err(PolicyError::Unsafe { path: part.to_path_buf(), why });
        if found.uid() != 0 && found.uid() != owner {
            return wrong("does not belong to the administrator");
        }
        // The mode of a link says nothing; of a folder for everybody nobody removes what belongs to others.
        let others_write = found.mode() & WRITABLE_BY_OTHERS != 0;
        let is_shared_folder = found.is_dir() && found.mode() & STICKY != 0;
        if others_write && !found.is_symlink() && !is_shared_folder {
            return wrong("can be written by others than the administrator");
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn whole_path(_path: &std::path::Path, _owner: u32) -> Result<(), PolicyError> {
    Ok(())
}
