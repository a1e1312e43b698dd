//! A real PostgreSQL server beside the binary, and psql as people type it.
//!
//! Needs a server: its address is in INCROWD_TEST_POSTGRES, and `./test` starts one.

use crate::place::Said;
use std::process::{Command, Stdio};

/// A server, at an address of whoever may do everything there.
pub struct Server {
    pub address: String,
    /// Its name and port.
    pub host: String,
}

impl Server {
    pub fn new() -> Server {
        let address = std::env::var("INCROWD_TEST_POSTGRES").expect("the address of a server in INCROWD_TEST_POSTGRES");
        let host =
            address.split_once('@').and_then(|(_, rest)| rest.split_once('/')).expect("an address").0.to_string();
        Server { address, host }
    }

    /// Takes the book and the people of an earlier test away.
    pub fn forget(&self) {
        self.must("DROP DATABASE IF EXISTS incrowd WITH (FORCE)");
        for role in ["olga", "ann", "incrowd_officer", "incrowd_analyst", "keeper"] {
            self.must(&format!("DROP ROLE IF EXISTS {role}"));
        }
    }

    /// Runs statements that cannot fail, as whoever may do everything; returns what they say.
    pub fn must(&self, sql: &str) -> String {
        let said = psql(&self.address, sql);
        assert_eq!(said.code, 0, "{sql}: {}", said.stderr);
        said.stdout.trim().to_string()
    }

    /// The address of the book for a user.
    pub fn of(&self, user: &str) -> String {
        format!("postgres://{user}@{}/incrowd", self.host)
    }
}

/// Runs statements in psql, as an unprivileged user of the system where this one is not.
pub fn psql(address: &str, sql: &str) -> Said {
    let arguments =
        [address, "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "-v", "ON_ERROR_STOP=1", "-c", sql];
    let unprivileged = ["--reuid=65534", "--regid=65534", "--clear-groups", "--", "psql"];
    let run = |program: &str, before: &[&str]| {
        let mut command = Command::new(program);
        command.args(before).args(arguments).stdin(Stdio::null()).env_remove("PGPASSWORD").env("HOME", "/nonexistent");
        command.output().expect("psql is here")
    };
    let mut output = run("setpriv", &unprivileged);
    if output.status.code() == Some(127) || String::from_utf8_lossy(&output.stderr).contains("setpriv: ") {
        output = run("psql", &[]);
    }
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Said { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The words of a line, as a shell takes them: what stands in double quotes is one.
pub fn split(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for sign in line.chars() {
        match sign {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().expect("a word").push(other),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
