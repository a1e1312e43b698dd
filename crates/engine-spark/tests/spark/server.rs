//! The server that the tests find, and engines that count there.

use incrowd_engine::{CountedWhere, Engine, PrepareError, Prepared, Query};
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_engine_spark::{Pushing, SparkEngine};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Returns the address of the server.
pub fn address() -> String {
    variable("INCROWD_TEST_SPARK")
}

/// Returns a new folder that the server sees, too.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(variable("INCROWD_TEST_SPARK_FOLDER")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Returns a variable that `tests/spark/server` sets.
pub fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run this by tests/spark/server"))
}

/// Returns the engine as the command line has it.
pub fn engine() -> SparkEngine {
    engine_that(Pushing::WhereItIsTheSame)
}

/// Returns the engine, which may count in the cluster or not.
pub fn engine_that(pushing: Pushing) -> SparkEngine {
    let local = DataFusionEngine::new(Settings { threads: 2, ..Settings::default() });
    SparkEngine::new(Arc::new(local), Arc::new(|name| std::env::var(name).ok()), pushing)
}

/// The engine, asked for tables by the paths of their files unless they have names.
pub struct ByPath {
    pub engine: SparkEngine,
    /// How many queries the cluster counts.
    pub pushed: AtomicUsize,
    /// Why it does not count the others.
    pub reasons: Mutex<BTreeMap<String, usize>>,
}

impl ByPath {
    pub fn of(engine: SparkEngine) -> ByPath {
        ByPath { engine, pushed: AtomicUsize::new(0), reasons: Mutex::default() }
    }
}

impl Engine for ByPath {
    fn files(&self, location: &str) -> Vec<PathBuf> {
        self.engine.files(location)
    }

    fn prepare(&self, query: &Query) -> Result<Box<dyn Prepared>, PrepareError> {
        let mut query = query.clone();
        if query.source.dialect.table.is_none() {
            query.source.dialect.table = Some(format!("parquet.`{}`", query.source.location));
        }
        query.source.location = address();
        let prepared = self.engine.prepare(&query)?;
        match prepared.counted_where() {
            CountedWhere::AtTheSource => {
                self.pushed.fetch_add(1, Ordering::SeqCst);
            }
            CountedWhere::OfDeliveredRows { reason } => {
                *self.reasons.lock().expect("a map").entry(reason).or_default() += 1;
            }
            CountedWhere::OnThisMachine => panic!("the table is in a cluster"),
        }
        Ok(prepared)
    }
}
