//! Which engine counts: files on this machine, or the server whose address a request names.
//!
//! By the address alone, before anybody is asked anything. It must never take an address for the name of a file, nor a
//! file for an address. It is separate because every command that prepares a query chooses in the same way. Read
//! `session.rs` for who asks.

use crate::failure::Failure;
use incrowd_engine::{CopiedInput, CountsDelivered, Engine, PrepareError, Prepared, Query, Source};
use incrowd_engine_datafusion::{DataFusionEngine, FirstLine, Look, LookEnd, Proposed, Settings};
use incrowd_engine_postgres::{PostgreSqlEngine, Pushing};
use incrowd_engine_spark::SparkEngine;
use incrowd_release::request::ServerKind;
use std::path::PathBuf;
use std::sync::Arc;

/// The engines that there are.
pub struct Engines {
    files: DataFusionEngine,
    postgres: PostgreSqlEngine,
    spark: SparkEngine,
}

impl Engines {
    /// Returns engines that may use so much of this machine.
    pub fn new(settings: Settings) -> Engines {
        let files = DataFusionEngine::new(settings);
        let postgres = PostgreSqlEngine::new(Arc::new(files.clone()), Pushing::WhereItIsTheSame);
        let spark = spark(Arc::new(files.clone()));
        Engines { files, postgres, spark }
    }
}

impl Engine for Engines {
    fn files(&self, location: &str) -> Vec<PathBuf> {
        match ServerKind::of(location) {
            None => self.files.files(location),
            Some(ServerKind::PostgreSql | ServerKind::Spark) => Vec::new(),
        }
    }

    fn copied(&self, source: &Source) -> Option<CopiedInput> {
        match ServerKind::of(&source.location) {
            None => self.files.copied(source),
            Some(ServerKind::PostgreSql | ServerKind::Spark) => None,
        }
    }

    fn prepare(&self, query: &Query) -> Result<Box<dyn Prepared>, PrepareError> {
        match ServerKind::of(&query.source.location) {
            None => self.files.prepare(query),
            Some(ServerKind::PostgreSql) => self.postgres.prepare(query),
            Some(ServerKind::Spark) => self.spark.prepare(query),
        }
    }
}

/// Spark, with tokens from the environment of the process.
fn spark(local: Arc<dyn CountsDelivered>) -> SparkEngine {
    SparkEngine::new(local, Arc::new(|name| std::env::var(name).ok()), Pushing::WhereItIsTheSame)
}

/// Refuses a server where only files can be looked at.
pub fn only_files(command: &str, source: &str) -> Result<(), Failure> {
    match ServerKind::of(source) {
        None => Ok(()),
        Some(kind) => Err(Failure::usage(
            format!("{command} looks at every row of a file, and the data is on a {} server", kind.as_str()),
            "`incrowd plan` says where the data would be counted; a table that was written to Parquet can be looked at",
        )),
    }
}

/// Returns what a table of a server looks like, by its catalogue alone.
pub fn look_at_server(kind: ServerKind, address: &str, table: Option<&str>) -> Result<Look, PrepareError> {
    let columns = match kind {
        ServerKind::PostgreSql => incrowd_engine_postgres::columns(address, table)?,
        ServerKind::Spark => spark(Arc::new(DataFusionEngine::new(Settings::default()))).columns(address, table)?,
    };
    let dialect = incrowd_engine::Dialect { table: table.map(str::to_owned), ..incrowd_engine::Dialect::default() };
    Ok(Look {
        columns: columns.into_iter().map(|(name, kind)| Proposed { name, kind }).collect(),
        rows: None,
        end: LookEnd::Enough,
        first_line: FirstLine::Names,
        dialect,
        guessed: Vec::new(),
        two_orders: Vec::new(),
    })
}
