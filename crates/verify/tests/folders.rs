//! The binary on folders of earlier versions, and on forgeries of them.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/0.1.0")
}

fn verified(folder: &Path, options: &[&str]) -> Output {
    let binary = env!("CARGO_BIN_EXE_incrowd-verify");
    Command::new(binary).arg(folder).args(options).output().expect("the binary runs")
}

fn copied(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), copy.path().join(entry.file_name())).expect("copied");
    }
    copy
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

#[test]
fn every_folder_of_an_earlier_version_is_verified() {
    let folders = fs::read_dir(golden()).expect("folders").map(|entry| entry.expect("an entry").path());
    let folders: Vec<PathBuf> = folders.filter(|path| path.join("certificate.json").is_file()).collect();
    assert!(folders.len() >= 11, "one of each kind");
    for folder in folders {
        let output = verified(&folder, &[]);
        assert_eq!(output.status.code(), Some(0), "{}: {}", folder.display(), text(&output.stderr));
        assert!(text(&output.stdout).contains("checks passed"), "{}", text(&output.stdout));
    }
}

#[test]
fn what_is_wrong_and_what_is_not_known_end_otherwise() {
    let copy = copied(&golden().join("histogram"));
    let path = copy.path().join("certificate.json");
    let certificate = fs::read_to_string(&path).expect("a certificate");
    let forge = |from: &str, to: &str| {
        assert!(certificate.contains(from), "nothing was forged");
        fs::write(&path, certificate.replacen(from, to, 1)).expect("written");
        verified(copy.path(), &["--format", "json"])
    };
    for (from, to, code) in [
        ("incrowd 0.1.0", "incrowd 0.1.0", 0),
        ("\"delta\": \"0", "\"delta\": \"1", 1),
        ("incrowd 0.1.0", "incrowd 9.0.0", 2),
    ] {
        let output = forge(from, to);
        assert_eq!(output.status.code(), Some(code), "{from} to {to}: {}", text(&output.stderr));
        let verdict: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(verdict["passed"], code == 0);
        if code > 0 {
            let failure: Value = serde_json::from_slice(&output.stderr).expect("JSON");
            assert_eq!(failure["exit_code"], code);
        }
    }
    fs::write(&path, "{").expect("written");
    assert_eq!(verified(copy.path(), &[]).status.code(), Some(2));
    assert_eq!(verified(Path::new("no such folder"), &[]).status.code(), Some(2));
    assert_eq!(verified(copy.path(), &["--most-work", "x"]).status.code(), Some(2));
}

#[test]
fn little_work_leaves_accounts_unchecked_and_a_page_says_so() {
    let output = verified(&golden().join("staircase"), &["--most-work", "1", "--format", "html"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let page = text(&output.stdout);
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("UNCHECKED"), "{page}");
    assert!(text(&output.stderr).contains("hint: nothing wrong was found so far"), "{}", text(&output.stderr));
}
