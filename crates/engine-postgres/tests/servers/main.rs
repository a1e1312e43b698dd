//! Tables in a real PostgreSQL server, which `tests/postgres/server` starts.

mod conformance;
mod failures;
mod mutants;
mod stored;
mod types;

use incrowd_engine::{CountedWhere, Engine, PrepareError, Prepared, Query};
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_engine_postgres::{PostgreSqlEngine, Pushing};
use incrowd_postgres::{ANSWER, Address, Attendant, Unattended, Wire};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The address of the server.
pub(crate) fn server() -> String {
    std::env::var("INCROWD_TEST_POSTGRES").expect("the address of a PostgreSQL server in INCROWD_TEST_POSTGRES")
}

/// A connection of the test's own.
pub(crate) struct Tool(Wire);

impl Tool {
    pub(crate) fn new() -> Tool {
        Tool::at(&server())
    }

    pub(crate) fn at(address: &str) -> Tool {
        let nobody: Arc<dyn Attendant> = Arc::new(Unattended);
        Tool(Wire::connect(&Address::read(address).expect("an address"), &nobody).expect("a server"))
    }

    pub(crate) fn run(&self, sql: &str) {
        self.0.wait(6 * ANSWER, self.0.client.batch_execute(sql)).unwrap_or_else(|error| panic!("{error:?}: {sql}"));
    }

    /// The first column; nothing if the server refuses to answer.
    pub(crate) fn try_texts(&self, sql: &str) -> Option<Vec<String>> {
        let rows = self.0.wait(6 * ANSWER, self.0.client.query(sql, &[])).ok()?;
        Some(rows.iter().map(|row| row.get(0)).collect())
    }

    pub(crate) fn texts(&self, sql: &str) -> Vec<String> {
        let rows = self.0.wait(6 * ANSWER, self.0.client.query(sql, &[])).unwrap_or_else(|e| panic!("{e:?}: {sql}"));
        rows.iter().map(|row| row.get(0)).collect()
    }
}

/// Returns the question of a request with these bins.
pub(crate) fn question_of(bins: &str) -> Query {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("request.toml");
    let request = format!(
        "release = \"histogram\"\n[data]\nsource = \"x\"\n{bins}[promise]\nkind = \"differential-privacy\"\n\
         epsilon = 1\ndelta = \"1e-6\"\n[ledger]\ndataset = \"cases\"\n"
    );
    std::fs::write(&path, request).expect("written");
    incrowd_conformance::question(&path, std::path::Path::new(""))
}

/// Who counts on this machine.
pub(crate) fn local() -> DataFusionEngine {
    DataFusionEngine::new(Settings { threads: 2, ..Settings::default() })
}

/// The engine, and how many of its questions the server counted.
pub(crate) struct Watched {
    engine: PostgreSqlEngine,
    pub(crate) pushed: AtomicUsize,
    pub(crate) delivered: AtomicUsize,
}

impl Watched {
    pub(crate) fn new(pushing: Pushing) -> Watched {
        let engine = PostgreSqlEngine::new(Arc::new(local()), pushing);
        Watched { engine, pushed: AtomicUsize::new(0), delivered: AtomicUsize::new(0) }
    }

    pub(crate) fn pushed(&self) -> usize {
        self.pushed.load(Ordering::Relaxed)
    }

    pub(crate) fn delivered(&self) -> usize {
        self.delivered.load(Ordering::Relaxed)
    }
}

impl Engine for Watched {
    fn files(&self, location: &str) -> Vec<PathBuf> {
        self.engine.files(location)
    }

    fn prepare(&self, query: &Query) -> Result<Box<dyn Prepared>, PrepareError> {
        let prepared = self.engine.prepare(query)?;
        let count = match prepared.counted_where() {
            CountedWhere::AtTheSource => &self.pushed,
            CountedWhere::OfDeliveredRows { reason } => {
                // A statement with a mistake in it would be hidden by the rows.
                assert!(!reason.contains("does not take"), "{reason}: {query:?}");
                &self.delivered
            }
            CountedWhere::OnThisMachine => panic!("a server's data is not here"),
        };
        count.fetch_add(1, Ordering::Relaxed);
        Ok(prepared)
    }
}
