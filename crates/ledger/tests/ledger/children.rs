//! Other processes: this test program, started again with a task and a path.
//!
//! Used where a test needs a second process, another user, or a limit of the system on itself.

use crate::{costing, now};
use incrowd_ledger::Ledger;
use rusqlite::Connection;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const TASK: &str = "INCROWD_LEDGER_TEST_TASK";
const PATH: &str = "INCROWD_LEDGER_TEST_PATH";

/// A change that is begun and never committed, large enough to reach the file.
pub(crate) const HALF_A_CHARGE: &str = "PRAGMA cache_size = 2; BEGIN IMMEDIATE;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO entry (account, kind, policy, time, previous_hash, hash)
    SELECT 'a', 'policy', 'x', '2026-01-01T00:00:00Z', hex(randomblob(32)), hex(randomblob(32)) FROM n";

/// Starts a process with a task.
pub(crate) fn start(task: &str, path: &Path) -> Child {
    run(&mut Command::new(std::env::current_exe().expect("this program")), task, path)
}

/// Starts a process with a task through a command that ends in this program.
pub(crate) fn run(command: &mut Command, task: &str, path: &Path) -> Child {
    let command = command.args(["--exact", "children::a_task", "--nocapture", "--test-threads=1", "--include-ignored"]);
    let command = command.env(TASK, task).env(PATH, path).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("a process")
}

/// Returns what a process said about its task.
pub(crate) fn answer(child: Child) -> String {
    let output = child.wait_with_output().expect("a process that ends");
    let said = String::from_utf8_lossy(&output.stdout);
    match said.lines().find_map(|line| line.split_once("answer: ")) {
        Some((_, answer)) => answer.to_string(),
        None if output.status.code().is_none() => "died".to_string(),
        None => panic!("no answer: {said} {}", String::from_utf8_lossy(&output.stderr)),
    }
}

#[test]
#[ignore = "a task for the other tests to start"]
#[allow(clippy::print_stdout)]
fn a_task() {
    let (Ok(task), Some(path)) = (std::env::var(TASK), std::env::var_os(PATH)) else { return };
    let path = Path::new(&path);
    let said = match task.as_str() {
        "opens" => Ledger::open(path).map_or_else(|error| error.to_string(), |_| "opened".to_string()),
        "looks" => Ledger::open_existing(path)
            .and_then(|ledger| ledger.history(None))
            .map_or_else(|error| error.to_string(), |entries| format!("{} entries", entries.len())),
        "charges_one" => Ledger::open(path)
            .and_then(|mut ledger| ledger.charge(&costing("a", "1"), now()))
            .map_or_else(|error| error.to_string(), |_| "paid".to_string()),
        "charges_once" => Ledger::open(path)
            .and_then(|mut ledger| ledger.charge_once(&costing("a", "1"), now()))
            .map_or_else(|error| error.to_string(), |_| "paid".to_string()),
        "charges_until_refused" => {
            let mut ledger = Ledger::open(path).expect("a ledger");
            let refused = (0..10_000).find_map(|_| ledger.charge(&costing("free", "1"), now()).err());
            refused.map_or_else(|| "never refused".to_string(), |error| error.to_string())
        }
        "dies_while_charging" => {
            let connection = Connection::open(path).expect("a database");
            connection.execute_batch(HALF_A_CHARGE).expect("half done");
            std::process::abort()
        }
        other => panic!("no such task: {other}"),
    };
    println!("answer: {said}");
}
