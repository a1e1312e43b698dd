//! Renames that give a whole folder its name.
//!
//! On Linux the system refuses to replace, or exchanges two folders, in one step; elsewhere, and on file systems that
//! cannot, there are two renames with a moment in between in which the target is missing. A rename must never replace
//! what was not there when the release was charged. It is separate because it differs by system. Read `../folder.rs`
//! for what happens after a crash.

use super::error::FolderError;
use incrowd_evidence::WriteError;
use std::fs;
use std::io;
use std::path::Path;

/// Renames a folder to a name that nothing has.
pub(super) fn into_free_name(folder: &Path, target: &Path) -> Result<(), FolderError> {
    match in_one_step(folder, target, Step::NoReplace) {
        Some(Ok(())) => Ok(()),
        Some(Err(error)) => Err(explained(&error)),
        None => {
            // An empty folder would be replaced silently.
            if fs::symlink_metadata(target).is_ok() {
                return Err(FolderError::Exists);
            }
            fs::rename(folder, target).map_err(|error| explained(&error))
        }
    }
}

/// Renames a folder to a name that another may have; that one ends under the name `old`.
pub(super) fn replacing(folder: &Path, target: &Path, old: &Path) -> Result<(), FolderError> {
    if fs::symlink_metadata(target).is_err() {
        return into_free_name(folder, target);
    }
    match in_one_step(folder, target, Step::Exchange) {
        // What was the target is now aside, and goes with it.
        Some(Ok(())) => Ok(()),
        Some(Err(error)) => Err(explained(&error)),
        None => {
            fs::rename(target, old).map_err(|error| explained(&error))?;
            let renamed = fs::rename(folder, target);
            if renamed.is_err() {
                let _ = fs::rename(old, target);
            }
            renamed.map_err(|error| explained(&error))
        }
    }
}

fn explained(error: &io::Error) -> FolderError {
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotADirectory => {
            FolderError::Exists
        }
        _ => FolderError::Write(WriteError::of(error)),
    }
}

#[derive(Clone, Copy)]
enum Step {
    NoReplace,
    Exchange,
}

/// Renames in one step; nothing where the system or the file system cannot.
#[cfg(target_os = "linux")]
fn in_one_step(from: &Path, to: &Path, step: Step) -> Option<io::Result<()>> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    let flags = match step {
        Step::NoReplace => RenameFlags::NOREPLACE,
        Step::Exchange => RenameFlags::EXCHANGE,
    };
    match renameat_with(CWD, from, CWD, to, flags) {
        Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => None,
        Err(error) => Some(Err(error.into())),
        Ok(()) => Some(Ok(())),
    }
}

/// Renames in one step; nothing where the system or the file system cannot.
#[cfg(not(target_os = "linux"))]
fn in_one_step(_from: &Path, _to: &Path, step: Step) -> Option<io::Result<()>> {
    match step {
        Step::NoReplace | Step::Exchange => None,
    }
}
