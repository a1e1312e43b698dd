//! Files, directories and disks that will not do.

use crate::{children, costing, half_spent, now, pay, spent};
use incrowd_ledger::{Ledger, LedgerError, Trouble};
use rusqlite::Connection;
use std::fs;
use std::path::Path;
use std::process::Command;

fn trouble(path: &Path, trouble: Trouble) -> Option<LedgerError> {
    Some(LedgerError::Trouble { path: Some(path.to_path_buf()), trouble })
}

#[test]
fn a_missing_ledger_is_made_with_its_directories() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a/b/ledger.sqlite");
    let mut ledger = Ledger::open(&path).expect("a ledger");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "only its owner may read it");
    }
    let files: Vec<_> = fs::read_dir(folder.path().join("a/b")).expect("a folder").collect();
    assert_eq!(files.len(), 1, "the book is one file at rest");
}

#[test]
fn looking_makes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("none/ledger.sqlite");
    let error = Ledger::open_existing(&path).err().expect("refused");
    assert_eq!(error, LedgerError::NoLedger { path: path.clone() });
    assert!(!folder.path().join("none").exists());
    assert!(error.hint().contains("incrowd ledger open NAME"));
}

#[test]
fn a_ledger_opened_for_looking_does_not_pay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    drop(half_spent(&path));
    let mut ledger = Ledger::open_existing(&path).expect("a ledger");
    assert_eq!(ledger.charge(&costing("a", "1"), now()).err(), trouble(&path, Trouble::ReadOnly));
    assert_eq!(spent(&ledger, "a").to_string(), "1");
}

#[test]
fn names_that_sqlite_treats_specially_are_plain_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for special in [":memory:", "file:x?mode=memory", "file::memory:"] {
        let mut there = Command::new(std::env::current_exe().expect("this program"));
        let child = children::run(there.current_dir(folder.path()), "charges_one", Path::new(special));
        assert_eq!(children::answer(child), "paid", "{special}");
        let ledger = Ledger::open_existing(&folder.path().join(special)).expect("a file");
        assert_eq!(spent(&ledger, "a").to_string(), "1", "{special}");
    }
    assert!(matches!(Ledger::open(Path::new("")).err(), Some(LedgerError::Trouble { .. })), "nothing is no path");
}

#[test]
fn a_directory_is_not_a_ledger() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_path_buf();
    assert_eq!(Ledger::open(&path).err(), Some(LedgerError::NotAFile { path: path.clone() }));
    assert_eq!(Ledger::open_existing(&path).err(), Some(LedgerError::NotAFile { path: path.clone() }));
    assert!(matches!(Ledger::open(Path::new("/dev/null")).err(), Some(LedgerError::NotAFile { .. })));
}

#[test]
fn a_file_in_the_place_of_a_directory_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("file"), "x").expect("written");
    let error = Ledger::open(&folder.path().join("file/ledger.sqlite")).err();
    assert!(matches!(error, Some(LedgerError::Trouble { trouble: Trouble::System(_), .. })), "{error:?}");
}

#[test]
fn another_kind_of_file_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes.txt");
    let text = "not a database, but long enough to look at ".repeat(100);
    fs::write(&path, &text).expect("written");
    assert_eq!(Ledger::open(&path).err(), Some(LedgerError::NotALedger { path: Some(path.clone()) }));
    assert_eq!(fs::read_to_string(&path).expect("a file"), text);
}

#[test]
fn an_empty_file_is_not_taken_for_a_fresh_ledger() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    drop(half_spent(&path));
    fs::write(&path, "").expect("truncated");
    assert_eq!(Ledger::open(&path).err(), Some(LedgerError::Empty { path: path.clone() }));
}

#[test]
fn a_truncated_ledger_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    drop(half_spent(&path));
    let bytes = fs::read(&path).expect("a file");
    fs::write(&path, &bytes[..bytes.len() / 2]).expect("truncated");
    let answer = Ledger::open(&path).and_then(|mut ledger| ledger.charge(&costing("a", "1"), now()));
    assert!(matches!(answer, Err(LedgerError::Damaged { .. })), "{answer:?}");
}

#[test]
fn another_programs_database_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, sql) in [
        ("plain", "CREATE TABLE entry (x)"),
        ("other", "CREATE TABLE t (x); PRAGMA application_id = 12345; PRAGMA user_version = 1"),
        ("header", "PRAGMA application_id = 12345"),
    ] {
        let path = folder.path().join(name);
        Connection::open(&path).expect("a database").execute_batch(sql).expect("made");
        assert_eq!(Ledger::open(&path).err(), Some(LedgerError::NotALedger { path: Some(path.clone()) }), "{name}");
    }
}

#[test]
fn another_version_is_refused_and_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    drop(half_spent(&path));
    for (found, hint) in [(5, "use a newer incrowd"), (0, "use the incrowd that made it")] {
        Connection::open(&path).expect("a database").pragma_update(None, "user_version", found).expect("changed");
        for error in [Ledger::open(&path).err(), Ledger::open_existing(&path).err()] {
            let error = error.expect("refused");
            assert_eq!(error, LedgerError::OtherVersion { path: Some(path.clone()), found, known: 4 });
            assert_eq!(error.hint(), hint);
        }
    }
}

#[test]
fn a_ledger_that_was_removed_under_our_feet_does_not_pay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = half_spent(&path);
    fs::remove_file(&path).expect("removed");
    assert_eq!(ledger.charge(&costing("a", "1"), now()).err(), trouble(&path, Trouble::Moved));
}

#[test]
fn a_write_ahead_log_is_folded_in_when_the_ledger_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    drop(half_spent(&path));
    let other = Connection::open(&path).expect("a database");
    other.pragma_update(None, "journal_mode", "WAL").expect("changed");
    drop(other);
    pay(&mut Ledger::open(&path).expect("a ledger"), &costing("a", "1")).expect("paid");
    let mode: String = Connection::open(&path)
        .expect("a database")
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .expect("a mode");
    assert_eq!(mode, "delete");
}

/// What the system forbids, seen from a process that is not allowed everything.
#[cfg(unix)]
mod forbidden {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    /// Returns what a process without privileges says; it runs a copy of this program that everybody may run.
    fn said(task: &str, path: &Path, folder: &Path) -> String {
        let program = folder.join("program");
        // Copied by another process: a file that a thread of ours has open for writing cannot be run by its siblings'
        // children.
        let copied = Command::new("cp").arg(std::env::current_exe().expect("this program")).arg(&program).status();
        assert!(copied.expect("cp runs").success());
        let mut command = Command::new(&program);
        if fs::metadata(folder).expect("a folder").uid() == 0 {
            command.uid(65_534).gid(65_534);
        }
        children::answer(children::run(&mut command, task, path))
    }

    fn permit(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    }

    #[test]
    fn a_read_only_file_can_be_looked_at_and_does_not_pay() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("place");
        fs::create_dir(&place).expect("made");
        let path = place.join("ledger.sqlite");
        drop(half_spent(&path));
        permit(folder.path(), 0o755);
        permit(&place, 0o777);
        permit(&path, 0o444);
        let refused = format!("the ledger {} cannot be written to", path.display());
        assert_eq!(said("opens", &path, folder.path()), refused);
        assert_eq!(said("charges_one", &path, folder.path()), refused);
        assert_eq!(said("looks", &path, folder.path()), "3 entries");
    }

    #[test]
    fn a_read_only_directory_can_be_looked_at_and_does_not_pay() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("place");
        fs::create_dir(&place).expect("made");
        let path = place.join("ledger.sqlite");
        drop(half_spent(&path));
        permit(folder.path(), 0o755);
        permit(&path, 0o666);
        permit(&place, 0o555);
        let refused = format!("the ledger {} cannot be written to", path.display());
        assert_eq!(said("charges_one", &path, folder.path()), refused);
        assert_eq!(said("looks", &path, folder.path()), "3 entries");
        let fresh = place.join("fresh.sqlite");
        assert_eq!(
            said("opens", &fresh, folder.path()),
            format!("the ledger {} cannot be written to", fresh.display())
        );
        let deeper = place.join("deeper/fresh.sqlite");
        assert_eq!(
            said("opens", &deeper, folder.path()),
            format!("the ledger {} cannot be written to", deeper.display())
        );
        permit(&place, 0o755);
    }

    #[test]
    fn a_file_that_may_not_grow_charges_only_what_it_holds() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ledger.sqlite");
        drop(half_spent(&path));
        // 64 blocks of 512 bytes; the signal is ignored so that the write fails instead of the process.
        let mut shell = Command::new("sh");
        let program = std::env::current_exe().expect("this program");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\""]).arg(program);
        let answer = children::answer(children::run(&mut shell, "charges_until_refused", &path));
        assert!(answer.contains("could not be read or written (SQLite error "), "{answer}");

        let mut ledger = Ledger::open(&path).expect("a ledger");
        let paid = ledger.account(&crate::name("free")).expect("a book").expect("an account");
        assert_eq!(paid.spent().epsilon.to_string(), paid.charges().to_string());
        assert!(paid.charges() > 0);
        pay(&mut ledger, &costing("free", "1")).expect("paid where there is room");
    }
}
