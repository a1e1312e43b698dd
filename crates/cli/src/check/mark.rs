//! The mark that a state of the data was looked at, so that `release` can say when it was not.
//!
//! One hash for each state: of the request's identity, and of the paths, sizes and times of its files; in the user's
//! folder for data, readable by the owner alone. It must never hold a value, a name or a path, and nothing may depend
//! on it but a note on a terminal: where it cannot be written there is none. It is separate because `check` writes it
//! and `release` reads it. Read `docs/decisions/0025-check.md` for why it lies there.

use incrowd_release::request::Request;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The file, in the user's folder for data.
const FILE: &str = "incrowd/checked";
/// So many states are remembered.
const MOST_STATES: usize = 512;

/// How a look ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckOutcome {
    /// A release would go well.
    Passed,
    /// It would, if as much is lost or cut as was allowed, which is more than usual.
    PassedWithMore,
    /// It would not.
    NotPassed,
    /// It would lose more people than was allowed.
    Loses,
    /// It would leave out more of people's bins than was allowed.
    Cuts,
    /// It would be delivered, and hardly anything would be shown.
    ShowsNothing,
}

impl CheckOutcome {
    const ALL: [CheckOutcome; 6] = [
        CheckOutcome::Passed,
        CheckOutcome::PassedWithMore,
        CheckOutcome::NotPassed,
        CheckOutcome::Loses,
        CheckOutcome::Cuts,
        CheckOutcome::ShowsNothing,
    ];

    fn as_str(self) -> &'static str {
        match self {
            CheckOutcome::Passed => "passed",
            CheckOutcome::PassedWithMore => "passed-with-more",
            CheckOutcome::NotPassed => "not-passed",
            CheckOutcome::Loses => "loses",
            CheckOutcome::Cuts => "cuts",
            CheckOutcome::ShowsNothing => "shows-nothing",
        }
    }
}

/// A request and the files that it reads, as they are now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State(String);

impl State {
    /// Returns the state of a request's files; nothing where there are none, or where one cannot be asked.
    pub fn of(request: &Request, files: &[PathBuf]) -> Option<State> {
        if files.is_empty() {
            return None;
        }
        let mut hash = Sha256::new_with_prefix(b"incrowd check 1\n");
        hash.update(request.request_hash().as_bytes());
        for path in files {
            let metadata = std::fs::metadata(path).ok()?;
            let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
            let path = path.canonicalize().ok()?;
            let path = path.as_os_str().as_encoded_bytes();
            hash.update(format!("\n{} {} {modified} ", path.len(), metadata.len()).as_bytes());
            hash.update(path);
        }
        Some(State(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
    }
}

/// Remembers how a look at a state ended, if that can be done.
pub fn remember(state: Option<&State>, outcome: CheckOutcome, data_folder: Option<&Path>) {
    if let (Some(state), Some(folder)) = (state, data_folder) {
        // It is a help for the memory, and no more: without it, `release` says one line too many.
        let _ = write(state, outcome, &folder.join(FILE));
    }
}

/// Returns how a look at this state ended, if there was one.
pub fn recall(state: &State, data_folder: Option<&Path>) -> Option<CheckOutcome> {
    let kept = std::fs::read_to_string(data_folder?.join(FILE)).ok()?;
    let outcome = kept.lines().rev().find_map(|line| line.strip_prefix(state.0.as_str()))?.trim();
    CheckOutcome::ALL.into_iter().find(|known| known.as_str() == outcome)
}

fn write(state: &State, outcome: CheckOutcome, path: &Path) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder)?;
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let mut lines: Vec<&str> = kept.lines().filter(|line| !line.starts_with(state.0.as_str())).collect();
    let line = format!("{} {}", state.0, outcome.as_str());
    lines.push(&line);
    let first = lines.len().saturating_sub(MOST_STATES);
    // Somebody else may write at the same time: the file is always whole, and the last one wins.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    for line in &lines[first..] {
        writeln!(file, "{line}")?;
    }
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_remembered_as_a_hash_and_only_the_last_ones_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = |number: usize| State(format!("{number:064x}"));
        for number in 0..MOST_STATES + 2 {
            remember(Some(&state(number)), CheckOutcome::NotPassed, Some(folder.path()));
        }
        remember(Some(&state(7)), CheckOutcome::Passed, Some(folder.path()));
        assert_eq!(recall(&state(7), Some(folder.path())), Some(CheckOutcome::Passed));
        assert_eq!(recall(&state(9), Some(folder.path())), Some(CheckOutcome::NotPassed));
        assert_eq!(recall(&state(0), Some(folder.path())), None);
        assert_eq!(recall(&state(7), None), None);
        let kept = std::fs::read_to_string(folder.path().join(FILE)).expect("a file");
        assert_eq!(kept.lines().count(), MOST_STATES);
        let is_plain = |line: &str| line.len() > 64 && line[..64].bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(kept.lines().all(is_plain), "{kept}");
    }

    #[test]
    fn a_folder_that_cannot_be_written_to_is_no_failure() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("a file");
        remember(Some(&State("a".into())), CheckOutcome::Passed, Some(&file));
        assert_eq!(recall(&State("a".into()), Some(&file)), None);
    }

    #[test]
    fn another_size_time_or_request_is_another_state() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("people.csv");
        std::fs::write(&path, "a\n1\n").expect("a file");
        let request = |epsilon: u8| {
            let text = format!("[promise]\nkind = \"differential-privacy\"\nepsilon = {epsilon}\n");
            Request::parse(&text).expect("a request")
        };
        let files = [path.clone()];
        let before = State::of(&request(1), &files).expect("a state");
        assert_eq!(State::of(&request(1), &files).as_ref(), Some(&before));
        assert_ne!(State::of(&request(2), &files).as_ref(), Some(&before));
        std::fs::write(&path, "a\n1\n2\n").expect("a file");
        assert_ne!(State::of(&request(1), &files).as_ref(), Some(&before));
        assert_eq!(State::of(&request(1), &[]), None);
        assert_eq!(State::of(&request(1), &[folder.path().join("none.csv")]), None);
    }
}
