//! What goes wrong, before the charge and after it: a hint before, one text after, and nothing of a row in either.

use crate::stored::asked;
use crate::{Tool, Watched, question_of, server};
use incrowd_conformance::{counted_of, counted_watched};
use incrowd_engine::{Engine, Participants, PrepareError, Prepared, Query, Unwatched, Watch};
use incrowd_engine_postgres::Pushing;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

const FAILED: &str = "not counted: ";

/// Does something to the server when a query was prepared, and before it is counted.
struct Disturbed {
    engine: Watched,
    sql: String,
}

impl Engine for Disturbed {
    fn files(&self, location: &str) -> Vec<PathBuf> {
        self.engine.files(location)
    }

    fn prepare(&self, query: &Query) -> Result<Box<dyn Prepared>, PrepareError> {
        let prepared = self.engine.prepare(query)?;
        Tool::new().run(&self.sql);
        Ok(prepared)
    }
}

fn by_town() -> Query {
    question_of("[[bins]]\nname = \"town\"\ncolumn = \"town\"\n")
}

fn as_user(address: &str, user: &str) -> String {
    let (_, rest) = address.split_once('@').expect("an address with a user");
    format!("postgres://{user}@{rest}")
}

fn fresh(tool: &Tool, name: &str) -> String {
    tool.run(&format!(
        "SELECT pg_advisory_xact_lock(17); CREATE SCHEMA IF NOT EXISTS failing; DROP TABLE IF EXISTS failing.{name} CASCADE; \
         CREATE TABLE failing.{name} (town text, n int8); \
         INSERT INTO failing.{name} SELECT 'MILLER-HIV-' || (i % 3), i FROM generate_series(1, 300) AS i"
    ));
    format!("failing.{name}")
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_table_that_changed_between_the_plan_and_the_count_is_not_counted() {
    let tool = Tool::new();
    for (place, change) in [
        "ALTER TABLE $ ALTER town TYPE varchar(90)",
        "ALTER TABLE $ DROP town",
        "ALTER TABLE $ RENAME town TO city",
        "DROP TABLE $ CASCADE",
        "REVOKE SELECT ON $ FROM reader",
        "ALTER TABLE $ ALTER town TYPE int USING n",
        "REVOKE USAGE ON SCHEMA failing FROM reader",
    ]
    .into_iter()
    .enumerate()
    {
        let mut texts = Vec::new();
        for pushing in [Pushing::WhereItIsTheSame, Pushing::Never] {
            let table = fresh(&tool, &format!("changed{place}"));
            tool.run(&format!(
                "DO $$ BEGIN CREATE ROLE reader LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$; \
                 GRANT USAGE ON SCHEMA failing TO reader; GRANT SELECT ON {table} TO reader"
            ));
            let mut query = asked(&by_town(), table.clone());
            query.source.location = as_user(&server(), "reader");
            let sql = change.replace('$', &table);
            let engine = Disturbed { engine: Watched::new(pushing), sql: sql.clone() };
            let counted = counted_watched(&engine, &query, Participants::Everybody, Arc::new(Unwatched));
            texts.push(counted.err().unwrap_or_else(|| panic!("counted in spite of {sql}")));
        }
        assert!(texts.iter().all(|text| text.starts_with(FAILED) && !text.contains("MILLER")), "{texts:?}");
        assert_eq!(texts[0], texts[1], "one text for every failure");
    }
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn columns_that_are_added_or_that_nobody_asks_for_change_nothing() {
    let tool = Tool::new();
    let table = fresh(&tool, "grown");
    let sql = format!("ALTER TABLE {table} ADD more text; ALTER TABLE {table} DROP n");
    let engine = Disturbed { engine: Watched::new(Pushing::WhereItIsTheSame), sql };
    let counted = counted_of(&engine, &asked(&by_town(), table), Participants::Everybody);
    assert_eq!(counted.values().sum::<u64>(), 300);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn hostile_names_and_tables_without_rows_are_counted_as_they_are() {
    let tool = Tool::new();
    tool.run(
        "DROP SCHEMA IF EXISTS \"odd.\"\"schema; --\" CASCADE; CREATE SCHEMA \"odd.\"\"schema; --\"; \
         CREATE TABLE \"odd.\"\"schema; --\".\"t'; DROP TABLE x; --\" (town text); \
         CREATE TABLE \"odd.\"\"schema; --\".\"$1\" (town text); \
         INSERT INTO \"odd.\"\"schema; --\".\"$1\" VALUES ('a'), ('a'), ('b')",
    );
    for pushing in [Pushing::WhereItIsTheSame, Pushing::Never] {
        let engine = Watched::new(pushing);
        let count = |name: &str| {
            let query = asked(&by_town(), format!("\"odd.\"\"schema; --\".{name}"));
            counted_of(&engine, &query, Participants::Everybody)
        };
        assert!(count("\"t'; DROP TABLE x; --\"").is_empty());
        assert_eq!(count("$1").into_values().collect::<Vec<_>>(), [2, 1]);
    }
}

/// A table each of whose rows takes the server some time.
fn slow(tool: &Tool, name: &str) -> String {
    let table = fresh(tool, name);
    tool.run(&format!("CREATE VIEW {table}_slow AS SELECT town || pg_sleep(0.05)::text AS town FROM {table}"));
    format!("{table}_slow")
}

fn working(tool: &Tool, name: &str) -> Vec<String> {
    tool.texts(&format!(
        "SELECT pid::text FROM pg_stat_activity WHERE application_name = 'incrowd' AND state = 'active' \
         AND query LIKE 'COPY%{name}_slow%' AND pid <> pg_backend_pid()"
    ))
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_connection_that_is_cut_is_a_failure_without_words() {
    for (pushing, name) in [(Pushing::WhereItIsTheSame, "cut_there"), (Pushing::Never, "cut_here")] {
        let tool = Tool::new();
        let query = asked(&by_town(), slow(&tool, name));
        let counting = thread::spawn(move || {
            counted_watched(&Watched::new(pushing), &query, Participants::Everybody, Arc::new(Unwatched))
        });
        until("it is counted", || !working(&tool, name).is_empty());
        for pid in working(&tool, name) {
            tool.texts(&format!("SELECT pg_terminate_backend({pid})::text"));
        }
        let counted = counting.join().expect("a thread").expect_err("a failure");
        assert!(counted.starts_with(FAILED), "{counted}");
    }
}

/// Restarts the server of the tests, which must be alone with it.
fn restart(tool: &Tool) {
    let folder = tool.texts("SHOW data_directory").remove(0);
    let mut programs: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .expect("programs of the server")
        .map(|entry| entry.expect("an entry").path().join("bin/pg_ctl"))
        .filter(|program| program.exists())
        .collect();
    programs.sort();
    let program = programs.pop().expect("pg_ctl");
    let log = std::path::Path::new(&folder).parent().expect("a folder").join("log");
    // The server does not run as root, and neither may who starts it.
    let is_root = Command::new("id").arg("-u").output().expect("id runs").stdout.starts_with(b"0\n");
    let mut command = if is_root { Command::new("runuser") } else { Command::new(&program) };
    if is_root {
        command.args(["-u", "postgres", "--"]).arg(&program);
    }
    command.args(["--pgdata", &folder, "--mode", "fast", "--wait", "--log"]).arg(log).arg("restart");
    command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().expect("pg_ctl runs").success());
}

#[test]
#[ignore = "needs a PostgreSQL server, and to be alone with it"]
fn a_server_that_restarts_during_a_count_is_a_failure_without_words_and_counts_again_after_it() {
    for (pushing, name) in [(Pushing::WhereItIsTheSame, "restarted_there"), (Pushing::Never, "restarted_here")] {
        let tool = Tool::new();
        let table = slow(&tool, name);
        let query = asked(&by_town(), table.clone());
        let counting = thread::spawn(move || {
            counted_watched(&Watched::new(pushing), &query, Participants::Everybody, Arc::new(Unwatched))
        });
        until("it is counted", || !working(&tool, name).is_empty());
        restart(&tool);
        let counted = counting.join().expect("a thread").expect_err("a failure");
        assert!(counted.starts_with(FAILED) && !counted.contains("MILLER"), "{counted}");
        let fast = asked(&by_town(), table.replace("_slow", ""));
        assert_eq!(counted_of(&Watched::new(pushing), &fast, Participants::Everybody).len(), 3);
    }
}

/// Asks to stop after a while.
struct Impatient(Instant);

impl Watch for Impatient {
    fn read(&self, _bytes: u64) {}

    fn is_cancelled(&self) -> bool {
        self.0.elapsed() > Duration::from_secs(1)
    }
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn who_asks_to_stop_stops_the_server() {
    for (pushing, name) in [(Pushing::WhereItIsTheSame, "stopped_there"), (Pushing::Never, "stopped_here")] {
        let tool = Tool::new();
        let query = asked(&by_town(), slow(&tool, name));
        let begun = Instant::now();
        let watch = Arc::new(Impatient(begun));
        let counted = counted_watched(&Watched::new(pushing), &query, Participants::Everybody, watch);
        let stopped = counted.expect_err("stopped");
        assert!(stopped.starts_with(FAILED), "{stopped}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        until("the server stops", || working(&tool, name).is_empty());
    }
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn what_is_wrong_before_the_charge_has_a_hint_and_no_secret() {
    let tool = Tool::new();
    fresh(&tool, "visits");
    tool.run("CREATE INDEX ON failing.visits (n); DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN");
    let engine = Watched::new(Pushing::WhereItIsTheSame);
    let refused = |location: &str, table: &str, variable: Option<&str>| {
        let mut query = asked(&by_town(), table.to_owned());
        query.source.location = location.to_owned();
        query.source.secret_variable = variable.map(str::to_owned);
        let refused = engine.prepare(&query).err().unwrap_or_else(|| panic!("{location} {table}"));
        let said = format!("{refused}: {}", refused.hint());
        assert!(!said.contains("hunter2") && !said.contains("MILLER"), "{said}");
        said
    };
    let here = server();
    let (start, database) = here.rsplit_once('/').expect("a database");
    for (location, table, variable, expected) in [
        (here.as_str(), "failing.visit", None, "did you mean \"visits\"?"),
        (here.as_str(), "faling.visits", None, "did you mean \"failing\"?"),
        (here.as_str(), "visits", None, "looked for in \"public\""),
        (here.as_str(), "Failing.Visits", None, "letter for letter"),
        (here.as_str(), "a.b.c", None, "no name of a table"),
        (here.as_str(), "failing.visits", Some("INCROWD_NOT_SET"), "INCROWD_NOT_SET"),
        (&format!("{start}/no_such_database"), "failing.visits", None, "does not let this user in"),
        (&as_user(&here, "nobody_at_all:hunter2"), "failing.visits", None, "does not let this user in"),
        (&as_user(&here, "stranger"), "failing.visits", None, "may not read table"),
        (
            &format!("postgres://u:hunter2@127.0.0.1:1/{database}"),
            "failing.visits",
            None,
            "no PostgreSQL server answers",
        ),
    ] {
        let said = refused(location, table, variable);
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn no_value_of_a_row_is_in_a_statement() {
    let tool = Tool::new();
    let table = fresh(&tool, "canaries");
    let folder = tool.texts("SHOW data_directory").remove(0);
    let log = std::path::Path::new(&folder).parent().expect("a folder").join("log");
    tool.run("ALTER SYSTEM SET log_statement = 'all'");
    tool.texts("SELECT pg_reload_conf()::text");
    thread::sleep(Duration::from_millis(500));
    for pushing in [Pushing::WhereItIsTheSame, Pushing::Never] {
        let counted = counted_of(&Watched::new(pushing), &asked(&by_town(), table.clone()), Participants::Everybody);
        assert_eq!(counted.len(), 3);
    }
    tool.run("ALTER SYSTEM RESET log_statement");
    tool.texts("SELECT pg_reload_conf()::text");
    let log = std::fs::read_to_string(&log).unwrap_or_else(|error| panic!("{}: {error}", log.display()));
    let (_, since) = log.split_once("log_statement").expect("the setting is logged");
    let copies = since.lines().filter(|line| line.contains("COPY (")).count();
    assert!(copies >= 2, "statements are logged: {copies}");
    let canary: Vec<&str> = since.lines().filter(|line| line.contains("MILLER")).collect();
    // The table was filled before, and only what other tests fill theirs with may be there.
    assert!(canary.iter().all(|line| line.contains("INSERT INTO")), "{canary:?}");
}
