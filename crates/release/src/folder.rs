//! The delivered folder: written aside under a hidden name, synced, and renamed when it is whole.
//!
//! Under the target's name there is the old folder, nothing, or the new one, whole; it must never be half of one, whenever
//! the process dies. It is separate because everything that can be known about the place is found out here, before the
//! charge. Read `folder/rename.rs` for the last step.
//!
//! Beside the folder `.NAME.incrowd-XXXXXX` lies a file `.NAME.incrowd-XXXXXX.lock` that its process holds locked. A lock
//! file that nobody holds belongs to a process that was killed: the next one removes what it left behind.

mod error;
mod rename;

pub use error::FolderError;

use crate::write::WriteError;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What happens to a folder that is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and nothing is delivered.
    Refuse,
    /// It is replaced, if it is a delivery of incrowd or empty.
    Replace,
}

/// A folder that is being written, aside. Dropping it removes it.
#[derive(Debug)]
pub struct Aside {
    place: Place,
    existing: Existing,
    /// Locked for as long as this process lives.
    _lock: File,
}

/// A folder that is whole and on disk, still aside. Dropping it removes it.
#[derive(Debug)]
pub struct Sealed {
    aside: Aside,
}

/// The names of one delivery, all in the same parent.
#[derive(Debug)]
struct Place {
    target: PathBuf,
    parent: PathBuf,
    folder: PathBuf,
    lock: PathBuf,
    /// Where a replaced folder goes before it is removed.
    old: PathBuf,
}

impl Aside {
    /// Makes a hidden folder beside the target, or says why nothing could be delivered there.
    pub fn create(target: &Path, existing: Existing) -> Result<Aside, FolderError> {
        let (parent, name) = split(target)?;
        match fs::metadata(&parent) {
            Ok(found) if found.is_dir() => {}
            Ok(_) | Err(_) => return Err(FolderError::NoParent),
        }
        let target = parent.join(&name);
        remove_stale(&parent, &target, &name);
        check_target(&target, existing)?;
        let new = |error: io::Error| FolderError::Write(WriteError::of(&error));
        // Locked before it has the name that others look for.
        let lock = tempfile::Builder::new().prefix(".incrowd-lock-").rand_bytes(6).tempfile_in(&parent).map_err(new)?;
        let Ok(()) = lock.as_file().try_lock() else { return Err(FolderError::Write(WriteError::Other)) };
        let random = lock.path().file_name().map(OsStr::to_os_string).unwrap_or_default();
        let random = random.to_string_lossy().rsplit('-').next().unwrap_or_default().to_string();
        let place = Place::of(&parent, &name, &target, &random);
        let lock = lock.persist_noclobber(&place.lock).map_err(|error| new(error.error))?;
        let aside = Aside { place, existing, _lock: lock };
        fs::create_dir(&aside.place.folder).map_err(new)?;
        Ok(aside)
    }

    /// Opens a new file in the folder.
    pub fn file(&self, name: &str) -> Result<File, WriteError> {
        File::create_new(self.place.folder.join(name)).map_err(|error| WriteError::of(&error))
    }

    /// Writes a whole file into the folder.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), WriteError> {
        io::Write::write_all(&mut self.file(name)?, content).map_err(|error| WriteError::of(&error))
    }

    /// Puts every file and the folder itself on disk, all dated to one moment in seconds since 1970.
    ///
    /// The times at which files were really written would tell how long counting took.
    pub fn seal(self, dated: u64) -> Result<Sealed, WriteError> {
        let failed = |error: io::Error| WriteError::of(&error);
        let dated = SystemTime::UNIX_EPOCH + Duration::from_secs(dated);
        for entry in fs::read_dir(&self.place.folder).map_err(failed)? {
            let file = File::options().append(true).open(entry.map_err(failed)?.path()).map_err(failed)?;
            file.set_modified(dated).map_err(failed)?;
            file.sync_all().map_err(failed)?;
        }
        sync_folder(&self.place.folder).map_err(failed)?;
        Ok(Sealed { aside: self })
    }
}

impl Sealed {
    /// Gives the folder its name; from here on it is delivered.
    pub fn publish(self) -> Result<Published, FolderError> {
        let place = &self.aside.place;
        // The place may have changed while the data was counted.
        check_target(&place.target, self.aside.existing)?;
        match self.aside.existing {
            Existing::Refuse => rename::into_free_name(&place.folder, &place.target)?,
            Existing::Replace => rename::replacing(&place.folder, &place.target, &place.old)?,
        }
        // The folder is there, whatever becomes of its name in a power cut: nobody may be told otherwise.
        let name = if sync_folder(&place.parent).is_ok() { Name::Synced } else { Name::NotSynced };
        Ok(Published { folder: place.target.clone(), name })
    }
}

/// A folder that has its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// Where it is.
    pub folder: PathBuf,
    /// Whether its name would survive a power cut.
    pub name: Name,
}

/// Whether a name would survive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// It is on disk.
    Synced,
    /// The system could not say so.
    NotSynced,
}

impl Drop for Aside {
    fn drop(&mut self) {
        self.place.remove();
    }
}

impl Place {
    /// Removes the folders, then the lock. What cannot be removed now keeps its lock file, which nobody holds any more, and is
    /// removed by the next process that delivers here.
    fn remove(&self) {
        let gone = |folder: &Path| match fs::remove_dir_all(folder) {
            Ok(()) => true,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        let (new, old) = (gone(&self.folder), gone(&self.old));
        if new && old {
            let _ = fs::remove_file(&self.lock);
        }
    }

    fn of(parent: &Path, name: &OsStr, target: &Path, random: &str) -> Place {
        let hidden = |ending: &str| {
            let mut hidden = prefix(name);
            hidden.push(random);
            hidden.push(ending);
            parent.join(hidden)
        };
        Place {
            target: target.to_path_buf(),
            parent: parent.to_path_buf(),
            folder: hidden(""),
            lock: hidden(LOCK),
            old: hidden(".old"),
        }
    }
}

const LOCK: &str = ".lock";

fn prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".incrowd-");
    prefix
}

/// Returns the parent and the name of a target, or refuses what names no folder of its own.
fn split(target: &Path) -> Result<(PathBuf, OsString), FolderError> {
    let Some(Component::Normal(name)) = target.components().next_back() else { return Err(FolderError::NotAName) };
    let controls = |text: &OsStr| text.to_string_lossy().chars().any(char::is_control);
    // The longest hidden name has 24 bytes more, and no file system takes more than 255.
    if controls(target.as_os_str()) || name.len() > 200 {
        return Err(FolderError::NotAName);
    }
    let parent = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        Some(_) | None => PathBuf::from("."),
    };
    Ok((parent, name.to_os_string()))
}

/// Refuses a target that is there and may not be replaced.
fn check_target(target: &Path, existing: Existing) -> Result<(), FolderError> {
    let found = match fs::symlink_metadata(target) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(FolderError::Write(WriteError::of(&error))),
    };
    match existing {
        Existing::Refuse => Err(FolderError::Exists),
        Existing::Replace if !found.is_dir() => Err(FolderError::NotADelivery),
        Existing::Replace => {
            let empty = fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
            if empty || target.join("certificate.json").is_file() { Ok(()) } else { Err(FolderError::NotADelivery) }
        }
    }
}

/// Removes what killed processes left behind; what they had taken away goes back to its place.
fn remove_stale(parent: &Path, target: &Path, name: &OsStr) {
    let prefix = prefix(name);
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let file_name = entry.file_name();
        let bytes = file_name.as_encoded_bytes();
        let Some(rest) = bytes.strip_prefix(prefix.as_encoded_bytes()) else { continue };
        let Some(random) = rest.strip_suffix(LOCK.as_bytes()) else { continue };
        let Ok(random) = std::str::from_utf8(random) else { continue };
        // The random part only, lest `out` looks after the folders of `out.incrowd-x`.
        if random.len() != 6 || !random.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            continue;
        }
        let Ok(lock) = File::open(entry.path()) else { continue };
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => continue,
        }
        let place = Place::of(parent, name, target, random);
        if fs::symlink_metadata(target).is_err() {
            let _ = fs::rename(&place.old, target);
        }
        place.remove();
    }
}

/// Puts the names in a folder on disk, where the system can.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests;
