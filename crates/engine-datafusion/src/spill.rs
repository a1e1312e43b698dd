//! Where true data is spilled: a folder that only its owner may read, and that does not outlive its use for long.
//!
//! It is removed when nobody counts any more, when the process is told to stop, and, after a kill, by the next count to
//! the same place; it must never be removed while its process lives, nor anything that is somebody else's. It is
//! separate because what lies there is in nobody's protection. Read `engine.rs` for who uses it.

use datafusion_common::Result;
use datafusion_execution::memory_pool::{FairSpillPool, MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation};
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// How the names of such folders begin; six random letters follow.
const PREFIX: &str = "incrowd-spill-";
const RANDOM: usize = 6;
/// The file in it that its process holds locked.
const ALIVE: &str = "alive";
/// How long a folder may be there before its file is locked.
const BIRTH: Duration = Duration::from_secs(60);

/// The folders of this process.
static OURS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes what this process has spilled: for a process that ends without ado.
pub fn remove_spilled() {
    for folder in OURS.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = fs::remove_dir_all(folder);
    }
}

/// A private folder; dropping it removes it.
#[derive(Debug)]
struct SpillFolder {
    folder: TempDir,
    _alive: File,
}

impl SpillFolder {
    /// Makes a folder, and removes those of processes that were killed.
    fn make(place: &Path) -> io::Result<SpillFolder> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).rand_bytes(RANDOM);
        #[cfg(unix)]
        let private: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        #[cfg(unix)]
        builder.permissions(private);
        let folder = builder.tempdir_in(place)?;
        let alive = File::create_new(folder.path().join(ALIVE))?;
        alive.try_lock().map_err(io::Error::from)?;
        if let Ok(found) = fs::metadata(folder.path()) {
            remove_dead(place, owner(&found));
        }
        OURS.lock().unwrap_or_else(PoisonError::into_inner).push(folder.path().to_path_buf());
        Ok(SpillFolder { folder, _alive: alive })
    }
}

impl Drop for SpillFolder {
    fn drop(&mut self) {
        OURS.lock().unwrap_or_else(PoisonError::into_inner).retain(|folder| folder != self.folder.path());
    }
}

/// Removes the folders of this user's processes that live no more.
fn remove_dead(place: &Path, owner_here: u32) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let file_name = entry.file_name();
        let Some(random) = file_name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        let Ok(found) = fs::symlink_metadata(entry.path()) else { continue };
        let named = random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let age = found.modified().ok().and_then(|since| since.elapsed().ok());
        let grown = age.is_some_and(|age| age > BIRTH);
        if !(named && found.is_dir() && owner(&found) == owner_here && grown) {
            continue;
        }
        let dead = match File::open(entry.path().join(ALIVE)) {
            Ok(alive) => alive.try_lock().is_ok(),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if dead {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(unix)]
fn owner(found: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::uid(found)
}

#[cfg(not(unix))]
fn owner(_found: &Metadata) -> u32 {
    0
}

/// A limit on memory, and the folder that takes what is above it: both are there as long as anybody counts.
#[derive(Debug)]
pub(crate) struct Limit {
    pool: FairSpillPool,
    folder: SpillFolder,
}

impl Limit {
    /// Returns a limit of so many bytes, with a private folder in `place`, or in the system's folder for temporary
    /// files.
    pub(crate) fn of(bytes: usize, place: Option<&Path>) -> io::Result<Limit> {
        let place = place.map_or_else(std::env::temp_dir, Path::to_path_buf);
        Ok(Limit { pool: FairSpillPool::new(bytes), folder: SpillFolder::make(&place)? })
    }

    /// Where to spill.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.folder.path()
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pool.fmt(f)
    }
}

impl MemoryPool for Limit {
    fn name(&self) -> &str {
        self.pool.name()
    }

    fn register(&self, consumer: &MemoryConsumer) {
        self.pool.register(consumer);
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.pool.unregister(consumer);
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        self.pool.grow(reservation, additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        self.pool.shrink(reservation, shrink);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        self.pool.try_grow(reservation, additional)
    }

    fn reserved(&self) -> usize {
        self.pool.reserved()
    }

    fn memory_limit(&self) -> MemoryLimit {
        self.pool.memory_limit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    /// What a process leaves that was killed a while ago.
    fn left(place: &Path, name: &str) -> PathBuf {
        let folder = place.join(name);
        fs::create_dir(&folder).expect("made");
        fs::write(folder.join(ALIVE), "").expect("written");
        fs::create_dir(folder.join("datafusion-x")).expect("made");
        fs::write(folder.join("datafusion-x/spilled"), "identifiers").expect("written");
        let old = SystemTime::now() - 2 * BIRTH;
        File::open(&folder).expect("a folder").set_modified(old).expect("dated");
        folder
    }

    #[test]
    fn what_a_killed_process_spilled_is_removed_and_what_a_living_one_did_is_not() {
        let place = tempfile::tempdir().expect("a folder");
        let dead = left(place.path(), "incrowd-spill-aaaaaa");
        let living = left(place.path(), "incrowd-spill-bbbbbb");
        let other = left(place.path(), "incrowd-spill-of-others");
        let alive = File::open(living.join(ALIVE)).expect("a file");
        alive.try_lock().expect("locked");
        let young = place.path().join("incrowd-spill-cccccc");
        fs::create_dir(&young).expect("made");
        let limit = Limit::of(1 << 20, Some(place.path())).expect("a limit");
        assert!(!dead.exists() && living.exists() && other.exists() && young.exists());
        drop(alive);
        drop(Limit::of(1 << 20, Some(place.path())).expect("a limit"));
        assert!(!living.exists(), "it is dead now");
        assert!(limit.folder().exists(), "and this one lives");
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_reads_what_is_spilled_and_nothing_is_left() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().expect("a folder");
        let limit = Limit::of(1 << 20, Some(place.path())).expect("a limit");
        let folder = limit.folder().to_path_buf();
        assert_eq!(fs::metadata(&folder).expect("a folder").permissions().mode() & 0o777, 0o700);
        drop(limit);
        assert!(!folder.exists());
    }
}
