//! Tests in a real Spark server with two executors, which `tests/spark/server` starts:
//! `tests/spark/server cargo test --release --workspace --test spark -- --ignored --test-threads 1`.

mod conformance;
mod failures;
mod server;
mod statements;
mod tables;
mod types;
