//! What is counted: against DuckDB, against a few lines of Rust, in any order, with little memory.

mod check;
mod conformance;
mod counting;
mod duckdb;
mod exposure;
mod formats;
mod memory;
mod order;
mod sampled;
mod spelled;
mod stored;
mod time;
// Not all that other tests write is written here.
#[allow(dead_code)]
#[path = "../../src/scan/tests/workbook.rs"]
mod workbook;
