//! What lies aside: the names of one delivery, and what killed processes left behind.
//!
//! Only what this user's own releases have made is touched, and only what was never sealed is removed; anything else
//! must never be given a name or taken away, whoever put it there. It is separate because it runs before a release that
//! has nothing to do with it. Read `seal.rs` for what makes a folder whole.

use super::contents::{Contents, remove_made};
use super::seal::Sealing;
use super::taken::Taken;
use super::{DeliveredFolder, Existing, FolderError, NameDurability, check_target, rename, split, sync_folder};
use incrowd_evidence::WriteError;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How lock files end.
pub(super) const LOCK: &str = ".lock";
/// How the file ends that stands for a name that is taken.
pub(super) const TAKEN: &str = "taken";
/// How many random letters a hidden name has.
pub(super) const RANDOM: usize = 6;
/// Where a replaced folder goes before it is removed.
const OLD: &str = ".old";
/// What 0.1.0 called a lock before it had its name, and for how long at most.
const NAMELESS: &str = ".incrowd-lock-";
const NAMELESS_FOR: Duration = Duration::from_secs(60);

/// The names of one delivery, all in the same parent.
#[derive(Debug)]
pub(super) struct Place {
    pub target: PathBuf,
    pub parent: PathBuf,
    pub random: String,
    pub folder: PathBuf,
    pub lock: PathBuf,
    /// Where a replaced folder goes before it is removed.
    pub old: PathBuf,
}

impl Place {
    pub fn of(parent: &Path, name: &OsStr, random: &str) -> Place {
        let hidden = |ending: &str| parent.join(hidden(name, &format!("{random}{ending}")));
        Place {
            target: parent.join(name),
            parent: parent.to_path_buf(),
            random: random.to_string(),
            folder: hidden(""),
            lock: hidden(LOCK),
            old: hidden(OLD),
        }
    }

    /// Gives the folder its name, and lets those read it who may.
    pub fn publish(&self, existing: Existing, mode: u32) -> Result<DeliveredFolder, FolderError> {
        // The place may have changed while the data was counted.
        check_target(&self.target, existing)?;
        open_to_others(&self.folder, mode).map_err(|error| FolderError::Write(WriteError::of(&error)))?;
        match existing {
            Existing::Refuse => rename::into_free_name(&self.folder, &self.target)?,
            Existing::Replace => rename::replacing(&self.folder, &self.target, &self.old)?,
        }
        // The folder is there, whatever becomes of its name in a power cut: nobody may be told otherwise.
        let name = if sync_folder(&self.parent).is_ok() { NameDurability::Synced } else { NameDurability::NotSynced };
        Ok(DeliveredFolder { folder: self.target.clone(), name })
    }

    /// Removes the folders, then the lock. What cannot be removed now keeps its lock file, which nobody holds any more,
    /// and is looked at by the next process that delivers here.
    pub fn remove(&self) {
        let (new, old) = (remove_made(&self.folder), remove_made(&self.old));
        if new && old {
            let _ = fs::remove_file(&self.lock);
        }
    }
}

/// What a killed process left beside a name, locked by us as long as we look at it.
pub(crate) struct Left {
    pub(super) place: Place,
    /// The seal of its folder, if that was whole.
    pub(super) sealing: Option<Sealing>,
    _lock: Option<File>,
}

impl Left {
    /// Returns what lies in the folder, if it is the one that was sealed, to the last byte.
    pub fn whole(&self) -> Option<Contents> {
        self.sealing.as_ref()?.opened(&self.place.folder)
    }

    /// Puts back what was taken away, and removes what was never whole; what was sealed stays.
    pub fn clear(&self) {
        let missing = fs::symlink_metadata(&self.place.target).is_err();
        // A folder is taken away only by somebody who has sealed another one, and only if it is a delivery itself.
        if missing && self.sealing.is_some() && Contents::of(&self.place.old).is_some() {
            let _ = fs::rename(&self.place.old, &self.place.target);
        }
        if self.whole().is_none() {
            self.place.remove();
        }
    }

    /// Gives the sealed folder its name.
    pub fn publish(&self, target: Option<&Path>) -> Result<DeliveredFolder, FolderError> {
        let Some(sealing) = &self.sealing else { return Err(FolderError::NotADelivery) };
        let published = match target {
            None => self.place.publish(sealing.existing, sealing.mode)?,
            Some(target) => {
                let (parent, name) = split(target)?;
                let elsewhere =
                    Place { target: parent.join(name), parent, ..Place::of(&self.place.parent, OsStr::new(""), "") };
                let moved = Place { folder: self.place.folder.clone(), ..elsewhere };
                moved.publish(Existing::Refuse, sealing.mode)?
            }
        };
        self.place.remove();
        Ok(published)
    }
}

/// Returns what killed processes of this user left beside a name, and holds the name as long as it is looked at.
pub(crate) fn stale_of(target: &Path) -> Result<(Vec<Left>, Taken), FolderError> {
    let (parent, name) = split(target)?;
    let taken = Taken::take(parent.join(hidden(&name, TAKEN)))?;
    let owner = fs::symlink_metadata(taken.path()).map(|found| owner(&found));
    let owner = owner.map_err(|error| FolderError::Write(WriteError::of(&error)))?;
    Ok((stale(&parent, &name, owner), taken))
}

/// Returns the targets beside which something was left, in a folder.
pub fn targets(parent: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let mut names = BTreeSet::new();
    for entry in entries.flatten() {
        let file_name = entry.file_name();
        let Some(text) = file_name.to_str().and_then(|text| text.strip_prefix('.')?.strip_suffix(LOCK)) else {
            continue;
        };
        if let Some((name, random)) = text.rsplit_once(".incrowd-")
            && is_random(random)
        {
            names.insert(name.to_string());
        }
    }
    names.into_iter().map(|name| parent.join(name)).collect()
}

/// Returns what killed processes left beside a name. Who takes the name first alone may ask.
pub(super) fn stale(parent: &Path, name: &OsStr, owner: Owner) -> Vec<Left> {
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let random: BTreeSet<String> = entries.flatten().filter_map(|entry| random_of(&entry.file_name(), name)).collect();
    let places = random.into_iter().map(|random| Place::of(parent, name, &random));
    places.filter_map(|place| left(place, owner)).collect()
}

/// Returns what was left at a place, unless its process lives or somebody else put it there.
fn left(place: Place, owner_here: Owner) -> Option<Left> {
    for path in [&place.folder, &place.old, &place.lock] {
        match fs::symlink_metadata(path) {
            Ok(found) if owner(&found) == owner_here => {}
            Ok(_) => return None,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => return None,
        }
    }
    let lock = match File::open(&place.lock) {
        Ok(lock) => Some(lock),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(_) => return None,
    };
    if lock.as_ref().is_some_and(|lock| lock.try_lock().is_err()) {
        return None;
    }
    let sealing = fs::read_to_string(&place.lock).ok().and_then(|text| Sealing::read(&text));
    Some(Left { place, sealing, _lock: lock })
}

/// Removes locks that 0.1.0 left before they had a name: nobody holds them, and they are old.
pub(super) fn remove_old_locks(parent: &Path, owner_here: Owner) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let file_name = entry.file_name();
        let random = file_name.to_str().and_then(|name| name.strip_prefix(NAMELESS));
        let Ok(found) = fs::symlink_metadata(entry.path()) else { continue };
        let old = found.modified().ok().and_then(|since| since.elapsed().ok()).is_some_and(|age| age > NAMELESS_FOR);
        let ours = random.is_some_and(is_random) && found.is_file() && owner(&found) == owner_here;
        if ours && old && File::open(entry.path()).is_ok_and(|lock| lock.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whose a file is, where the system says so.
pub(super) type Owner = u32;

#[cfg(unix)]
pub(super) fn owner(found: &Metadata) -> Owner {
    std::os::unix::fs::MetadataExt::uid(found)
}

#[cfg(not(unix))]
pub(super) fn owner(_found: &Metadata) -> Owner {
    0
}

fn open_to_others(folder: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(mode))
    }
    #[cfg(not(unix))]
    {
        let _ = mode;
        fs::metadata(folder).map(drop)
    }
}

/// Returns a hidden name beside a target.
pub(super) fn hidden(name: &OsStr, ending: &str) -> OsString {
    let mut hidden = prefix(name);
    hidden.push(ending);
    hidden
}

pub(super) fn prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".incrowd-");
    prefix
}

/// Returns the random letters of a hidden name beside a target; nothing for other names.
pub(super) fn random_of(file_name: &OsStr, name: &OsStr) -> Option<String> {
    let prefix = prefix(name);
    let rest = file_name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes())?;
    let rest = std::str::from_utf8(rest).ok()?;
    let random = rest.strip_suffix(LOCK).or_else(|| rest.strip_suffix(OLD)).unwrap_or(rest);
    // The random part only, lest `out` looks after the folders of `out.incrowd-x`.
    is_random(random).then(|| random.to_string())
}

fn is_random(text: &str) -> bool {
    text.len() == RANDOM && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
