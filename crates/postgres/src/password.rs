//! Where the password of a server is found, if its address has none: `PGPASSWORD`, then the file `.pgpass`.
//!
//! As PostgreSQL's own programs look for it, so that nobody has to write it down twice. It must never be printed, nor
//! read of a file that others may read. It is separate because the file has a form of its own. Read `address.rs` for
//! who asks.

use std::fs;
use std::path::{Path, PathBuf};

/// For whom a password is.
pub(crate) struct Lock {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) database: String,
    pub(crate) user: String,
}

/// Returns the password that the environment has for a server.
pub(crate) fn found(lock: &Lock) -> Option<String> {
    if let Ok(password) = std::env::var("PGPASSWORD") {
        return Some(password);
    }
    in_file(&place()?, lock)
}

fn place() -> Option<PathBuf> {
    if let Some(file) = std::env::var_os("PGPASSFILE") {
        return Some(PathBuf::from(file));
    }
    std::env::var_os("HOME").map(|home| Path::new(&home).join(".pgpass"))
}

/// Returns the password of the first line that fits; none of a file that others may read.
fn in_file(file: &Path, lock: &Lock) -> Option<String> {
    let facts = fs::metadata(file).ok()?;
    if !facts.is_file() || !is_private(&facts) {
        return None;
    }
    let text = fs::read_to_string(file).ok()?;
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| password_of(line, lock))
}

#[cfg(unix)]
fn is_private(facts: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    facts.permissions().mode() & 0o077 == 0
}

#[cfg(not(unix))]
fn is_private(_facts: &fs::Metadata) -> bool {
    true
}

/// Returns the password of a line `host:port:database:user:password` that fits.
fn password_of(line: &str, lock: &Lock) -> Option<String> {
    let mut fields = vec![(String::new(), false)];
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        let last = fields.len();
        let (field, is_escaped) = fields.last_mut()?;
        match sign {
            '\\' => {
                field.extend(signs.next());
                *is_escaped = true;
            }
            ':' if last < 5 => fields.push((String::new(), false)),
            other => field.push(other),
        }
    }
    let [host, port, database, user, (password, _)] = fields.as_slice() else { return None };
    let number = lock.port.to_string();
    let asked = [(host, &lock.host), (port, &number), (database, &lock.database), (user, &lock.user)];
    let fits = asked.into_iter().all(|((field, is_escaped), value)| (field == "*" && !is_escaped) || field == value);
    fits.then(|| password.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock() -> Lock {
        Lock { host: "db.example".into(), port: 5432, database: "people".into(), user: "ann".into() }
    }

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        for (line, password) in [
            ("db.example:5432:people:ann:open sesame", Some("open sesame")),
            ("*:*:*:*:any", Some("any")),
            ("db.example:*:people:*:with:colons and \\\\ and \\:", Some("with:colons and \\ and :")),
            ("db.example:5433:people:ann:no", None),
            ("db.example:5432:people:bob:no", None),
            ("other:5432:people:ann:no", None),
            ("\\*:5432:people:ann:no", None),
            ("db.example:5432:people", None),
            ("", None),
        ] {
            assert_eq!(password_of(line, &lock()).as_deref(), password, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_read_has_no_password() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("pgpass");
        fs::write(&file, "# a remark\nother:5432:people:ann:first\n*:*:people:ann:second\n").expect("written");
        for (mode, password) in [(0o600, Some("second")), (0o640, None), (0o604, None)] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("a mode");
            assert_eq!(in_file(&file, &lock()).as_deref(), password, "{mode:o}");
        }
        assert_eq!(in_file(&folder.path().join("none"), &lock()), None);
    }
}
