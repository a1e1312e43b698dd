//! The delivered folder: written aside under a hidden name, synced, and renamed when it is whole.
//!
//! Under the target's name there is the old folder, nothing, or the new one, whole; it must never be half of one,
//! whenever the process dies. It is separate because everything that can be known about the place is found out here,
//! before the charge. Read `folder/rename.rs` for the last step.
//!
//! Whoever delivers to NAME holds `.NAME.incrowd-taken` locked, so that nobody else is charged for the same name.
//! Beside the folder `.NAME.incrowd-XXXXXX`, which only its owner may read, lies a file `.NAME.incrowd-XXXXXX.lock`
//! that its process holds locked, too. A lock file that nobody holds belongs to a process that was killed: what it left
//! half is removed by the next one, and what it left whole and sealed is given its name. Read `folder/left.rs` for
//! that.

pub(crate) mod contents;
mod error;
mod left;
mod rename;
mod seal;
mod taken;

pub use contents::{Contents, DeliveredFile, delivered_files};
pub use error::FolderError;
pub use left::targets;
pub use seal::Seal;

pub(crate) use left::stale_of;

use contents::CERTIFICATE;

use incrowd_evidence::WriteError;
use incrowd_evidence::files::NewFiles;
use left::{LOCK, Place, RANDOM, TAKEN, hidden, owner, prefix, random_of, remove_old_locks, stale};
use seal::Sealing;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};
use taken::Taken;

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
pub struct StagedFolder {
    place: Place,
    existing: Existing,
    /// Who may read the folder once it has its name; until then only its owner may.
    mode: u32,
    /// Whether it stays when it is dropped.
    stays: bool,
    /// Locked for as long as this process lives; holds the seal of a whole folder.
    lock: File,
    /// The name, taken from before the charge to the end.
    _taken: Taken,
}

/// A folder that is whole and on disk, still aside. Dropping it removes it, unless it was kept.
#[derive(Debug)]
pub struct SyncedFolder {
    aside: StagedFolder,
}

impl NewFiles for StagedFolder {
    fn file(&self, name: &str) -> Result<File, WriteError> {
        File::create_new(self.place.folder.join(name)).map_err(|error| WriteError::of(&error))
    }
}

impl StagedFolder {
    /// Takes the target's name and makes a hidden folder beside it, or says why nothing could be delivered there.
    pub fn create(target: &Path, existing: Existing) -> Result<StagedFolder, FolderError> {
        let (parent, name) = split(target)?;
        match fs::metadata(&parent) {
            Ok(found) if found.is_dir() => {}
            Ok(_) | Err(_) => return Err(FolderError::NoParent),
        }
        // A folder in a delivered one would be a file that its certificate does not list.
        if parent.join(CERTIFICATE).is_file() {
            return Err(FolderError::InsideDelivered);
        }
        let new = |error: io::Error| FolderError::Write(WriteError::of(&error));
        let taken = Taken::take(parent.join(hidden(&name, TAKEN)))?;
        let lock = tempfile::Builder::new().prefix(&prefix(&name)).suffix(LOCK).rand_bytes(RANDOM).tempfile_in(&parent);
        let lock = lock.map_err(new)?;
        let Ok(()) = lock.as_file().try_lock() else { return Err(FolderError::Write(WriteError::Other)) };
        let owner = owner(&lock.as_file().metadata().map_err(new)?);
        let random = random_of(lock.path().file_name().unwrap_or_default(), &name).unwrap_or_default();
        let place = Place::of(&parent, &name, &random);
        let (lock, _) = lock.keep().map_err(|error| new(error.error))?;
        let mut aside = StagedFolder { place, existing, mode: 0, stays: false, lock, _taken: taken };
        for left in stale(&parent, &name, owner) {
            if left.place.random != aside.place.random {
                left.clear();
            }
        }
        remove_old_locks(&parent, owner);
        check_target(&aside.place.target, existing)?;
        fs::create_dir(&aside.place.folder).map_err(new)?;
        // What it would be for others is what it becomes with its name.
        aside.mode = private(&aside.place.folder).map_err(new)?;
        Ok(aside)
    }

    /// Writes a whole file into the folder.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), WriteError> {
        io::Write::write_all(&mut self.file(name)?, content).map_err(|error| WriteError::of(&error))
    }

    /// Puts every file and the folder itself on disk, all dated to one moment in seconds since 1970; then the seal,
    /// with which whoever finds the folder later can give it its name. What is forgotten with its ledger has none.
    ///
    /// The times at which files were really written would tell how long counting took.
    pub fn seal(mut self, dated: u64, seal: Option<&Seal>) -> Result<SyncedFolder, WriteError> {
        let failed = |error: io::Error| WriteError::of(&error);
        let dated = SystemTime::UNIX_EPOCH + Duration::from_secs(dated);
        for entry in fs::read_dir(&self.place.folder).map_err(failed)? {
            let file = File::options().append(true).open(entry.map_err(failed)?.path()).map_err(failed)?;
            file.set_modified(dated).map_err(failed)?;
            file.sync_all().map_err(failed)?;
        }
        if cfg!(unix) {
            File::open(&self.place.folder).and_then(|folder| folder.set_modified(dated)).map_err(failed)?;
        }
        sync_folder(&self.place.folder).map_err(failed)?;
        if let Some(seal) = seal {
            sync_folder(&self.place.parent).map_err(failed)?;
            let sealing = Sealing { seal: seal.clone(), existing: self.existing, mode: self.mode };
            io::Write::write_all(&mut self.lock, sealing.text().as_bytes()).map_err(failed)?;
            self.lock.sync_all().map_err(failed)?;
        }
        Ok(SyncedFolder { aside: self })
    }
}

impl SyncedFolder {
    /// Leaves the folder where it is, for whoever gives it its name later.
    pub fn keep(mut self) {
        self.aside.stays = true;
    }

    /// Gives the folder its name; from here on it is delivered. One that cannot have it stays where it is.
    pub fn publish(mut self) -> Result<DeliveredFolder, FolderError> {
        self.aside.stays = true;
        let place = &self.aside.place;
        let published = place.publish(self.aside.existing, self.aside.mode)?;
        self.aside.stays = false;
        Ok(published)
    }
}

/// A folder that has its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveredFolder {
    /// Where it is.
    pub folder: PathBuf,
    /// Whether its name would survive a power cut.
    pub name: NameDurability,
}

/// Whether a name would survive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameDurability {
    /// It is on disk.
    Synced,
    /// The system could not say so.
    NotSynced,
}

impl Drop for StagedFolder {
    fn drop(&mut self) {
        if !self.stays {
            self.place.remove();
        }
    }
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
            if empty || Contents::of(target).is_some() { Ok(()) } else { Err(FolderError::NotADelivery) }
        }
    }
}

/// Makes a folder its owner's alone; returns what it was.
fn private(folder: &Path) -> io::Result<u32> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(folder)?.permissions().mode() & 0o7777;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
        Ok(mode)
    }
    #[cfg(not(unix))]
    {
        fs::metadata(folder).map(|_| 0)
    }
}

/// Puts the names in a folder on disk, where the system can.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests;
