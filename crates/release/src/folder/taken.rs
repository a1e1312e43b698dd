//! A name that is taken: whoever delivers to a folder holds a lock on its name, from before the charge to the end.
//!
//! Two releases must never be charged for one folder. It is separate because a lock file that is removed by its last
//! owner takes some care. Read `../folder.rs` for what is done under it.

use super::FolderError;
use incrowd_evidence::WriteError;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// How often a lock file may vanish under our hands before we give up.
const TRIES: usize = 100;

/// A name that this process has taken. Dropping it sets it free.
#[derive(Debug)]
pub(crate) struct Taken {
    path: PathBuf,
    _lock: File,
}

impl Taken {
    /// Takes a name by the file that stands for it, or says that somebody else has it.
    pub fn take(path: PathBuf) -> Result<Taken, FolderError> {
        let write = |error: io::Error| FolderError::Write(WriteError::of(&error));
        for _ in 0..TRIES {
            let lock = open(&path).map_err(write)?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(FolderError::Busy),
                Err(TryLockError::Error(error)) => return Err(write(error)),
            }
            // The last owner may have removed the file between our opening and locking it.
            if is_same(&lock, &path) {
                return Ok(Taken { path, _lock: lock });
            }
        }
        Err(FolderError::Busy)
    }
}

impl Taken {
    /// The file that stands for the name.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        // Removed while it is locked: who opened it before finds another file, or none, in its place.
        let _ = fs::remove_file(&self.path);
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(found)) => (open.dev(), open.ino()) == (found.dev(), found.ino()),
        (_, _) => false,
    }
}

#[cfg(not(unix))]
fn is_same(_file: &File, path: &Path) -> bool {
    path.exists()
}
