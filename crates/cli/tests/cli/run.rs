//! Runs the binary in a clean environment and keeps pages of what it said.
//!
//! Every run must end with one of the documented exit codes and must never panic; that is checked here, for all tests
//! at once. It is separate so that tests are tables of cases. Read `plans.rs` next.

use crate::kept::kept;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write;
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

impl Said {
    /// The data as an object, which must carry a version.
    pub fn json(&self) -> Value {
        let object: Value =
            serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout));
        assert_eq!(object["version"], 1, "{object}");
        object
    }

    /// Checks that it was done and nothing but data was said.
    pub fn done(self) -> Self {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""));
        self
    }
}

/// The binary with nothing in its environment that changes what it prints.
pub fn binary(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_incrowd"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // The accounts of whoever runs the tests are nobody's here.
    command.env("INCROWD_LEDGER", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-such-ledger.sqlite"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command
}

/// Runs the binary with this text as standard input.
pub fn incrowd(arguments: &[&str], input: impl AsRef<[u8]>) -> Said {
    finish(binary(arguments), input)
}

/// Runs a command, and checks what must hold of every run.
pub fn finish(mut command: Command, input: impl AsRef<[u8]>) -> Said {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    // The program may stop reading: what it then says is what the test looks at.
    let writer = std::thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = child.wait_with_output().expect("the binary ends");
    let _ = writer.join();
    let text = |bytes| String::from_utf8(bytes).expect("what is printed is UTF-8");
    let said =
        Said { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) };
    assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
    assert!((0..=2).contains(&said.code), "exit code {}: {}", said.code, said.stderr);
    if said.code != 0 {
        assert_eq!(said.stdout, "", "a failure prints no data");
        assert!(!said.stderr.is_empty(), "a failure says why");
    }
    said
}

/// A page of expected output: every run with its request, what it printed and how it ended.
#[derive(Default)]
pub struct Page(String);

impl Page {
    /// Runs the binary on a request given as `-`, and writes the run down.
    pub fn add(&mut self, title: &str, arguments: &[&str], request: &str, code: i32) -> Said {
        let said = incrowd(arguments, request);
        assert_eq!(said.code, code, "{title}: {}", said.stderr);
        let shown: Vec<String> = arguments
            .iter()
            .map(|each| if each.contains(' ') { format!("\"{each}\"") } else { (*each).into() })
            .collect();
        writeln!(self.0, "=== {title}").expect("a string takes all");
        if !request.is_empty() {
            self.0.push_str(&cut(request));
            self.0.push('\n');
        }
        writeln!(self.0, "$ incrowd {}", shown.join(" ")).expect("a string takes all");
        self.0.push_str(&said.stdout);
        for line in said.stderr.lines() {
            writeln!(self.0, "! {}", line.replace(&*examples().to_string_lossy(), "examples"))
                .expect("a string takes all");
        }
        writeln!(self.0, "exit {}\n", said.code).expect("a string takes all");
        said
    }

    /// Compares the page with the one that is kept.
    pub fn check(self, name: &str) {
        kept(name, &self.0);
    }
}

/// Where the examples are.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The text of an example's request.
pub fn example(name: &str) -> String {
    std::fs::read_to_string(examples().join(name).join("request.toml")).expect("an example")
}

/// Rounds floats to six digits, so that a page does not hang on the last bit of a logarithm.
pub fn rounded(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let text = format!("{:.5e}", number.as_f64().unwrap_or(f64::NAN));
            serde_json::json!(text.parse::<f64>().unwrap_or(f64::NAN))
        }
        Value::Array(items) => items.iter().map(rounded).collect(),
        Value::Object(map) => Value::Object(map.iter().map(|(key, value)| (key.clone(), rounded(value))).collect()),
        other => other.clone(),
    }
}

/// The examples are not repeated on every page.
fn cut(request: &str) -> String {
    if request.len() <= 600 && !request.starts_with('#') {
        request.trim_end().to_string()
    } else {
        "(an example)".to_string()
    }
}
