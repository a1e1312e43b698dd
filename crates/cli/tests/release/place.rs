//! A folder for one test: data, a request, a ledger of its own, and the binary.
//!
//! Every run must end with a documented exit code and must never panic; that is checked here. It is separate so that
//! tests are tables of cases. Read `bad_input.rs` next.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run said, and how it ended.
pub struct Said {
    /// The exit code.
    pub code: i32,
    /// Data.
    pub stdout: String,
    /// Talk.
    pub stderr: String,
}

/// A folder for one test, removed at its end.
pub struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// Returns an empty folder.
    pub fn new() -> Self {
        Place { folder: tempfile::tempdir().expect("a folder") }
    }

    /// Returns a path inside.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, with the folders above it.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, content).expect("a file");
    }

    /// Returns the binary, about to run here.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_incrowd"));
        command.args(arguments).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command.env("INCROWD_LEDGER", self.path("ledger.sqlite"));
        command.env("INCROWD_BY", "Ada");
        // The user's folder for data is none of this machine's.
        command.env("XDG_DATA_HOME", self.path("home"));
        command
    }

    /// Runs the binary.
    pub fn run(&self, arguments: &[&str]) -> Said {
        let output = self.command(arguments).output().expect("the binary runs");
        let text = |bytes| String::from_utf8(bytes).expect("what is printed is UTF-8");
        let said =
            Said { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) };
        assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
        assert!((0..=3).contains(&said.code), "exit code {}: {}", said.code, said.stderr);
        let errors = said.stderr.contains("error:") || said.stderr.contains("\"error\":");
        assert_eq!(said.code == 0, !errors, "{}", said.stderr);
        said
    }

    /// Releases `request.toml`.
    pub fn release(&self) -> Said {
        self.run(&["release", "request.toml"])
    }

    /// Releases, and expects it to be done.
    pub fn released(&self) -> Said {
        let said = self.release();
        assert_eq!(said.code, 0, "{}", said.stderr);
        said
    }

    /// Verifies a table in `out` that was forged together with its hash.
    pub fn verify_forged(&self, table: &str, text: &str) -> Said {
        use sha2::{Digest, Sha256};
        let hash = |text: &[u8]| Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let path = self.path("out").join(table);
        let before = hash(&std::fs::read(&path).expect("a table"));
        let certificate = std::fs::read_to_string(self.path("out/certificate.json")).expect("a certificate");
        self.write("out/certificate.json", certificate.replace(&before, &hash(text.as_bytes())));
        std::fs::write(path, text).expect("written");
        self.run(&["verify", "out"])
    }

    /// Returns the events in the ledger, oldest first: `open`, `charge`, `delivered`, `failed`.
    pub fn events(&self) -> Vec<String> {
        if !self.path("ledger.sqlite").exists() {
            return Vec::new();
        }
        let said = self.run(&["ledger", "history", "--format", "json"]);
        let object: Value = serde_json::from_str(&said.stdout).expect("JSON");
        let entries = object["entries"].as_array().expect("a list");
        let kind = |entry: &Value| {
            let event = &entry["event"];
            event["outcome"].as_str().or(event["kind"].as_str()).expect("a kind").to_string()
        };
        // What was refused cost nothing, and is looked at where it matters.
        entries.iter().map(kind).filter(|kind| kind != "refused").collect()
    }

    /// Returns the rows of `out/counts.csv` as lines, without the head.
    pub fn counts(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path("out/counts.csv")).expect("counts.csv");
        text.lines().skip(1).map(str::to_string).collect()
    }

    /// Returns every file below the folder, with its bytes.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        collect(self.folder.path(), &mut found);
        found
    }
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, found);
        } else {
            let bytes = std::fs::read(&path).expect("a file");
            found.push((path, bytes));
        }
    }
}

/// Returns a request over a source, with these bins and this promise.
pub fn request(source: &str, more_data: &str, bins: &str, promise: &str) -> String {
    format!(
        "[data]\nsource = \"{source}\"\n{more_data}\n{bins}\n[promise]\n{promise}\n\
         [ledger]\ndataset = \"people\"\nsnapshot = \"2026\"\n[output]\nfolder = \"out\"\nformats = [\"csv\", \"parquet\"]\n"
    )
}

/// Plain differential privacy.
pub const PLAIN: &str = "kind = \"differential-privacy\"\nepsilon = 1";
/// The same with a delta, for bins that are found.
pub const WITH_DELTA: &str = "kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"";
/// Exact from two people on: what is published is what was counted.
pub const EXACT: &str = "kind = \"crowd-blending\"\ncrowd = 2\nepsilon = 0";

/// A declared bin.
pub const TOWNS: &str = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"Bern\", \"Chur\"]\n";
/// A bin that is found.
pub const FOUND_TOWNS: &str = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\n";
