//! Every format, whole and damaged, through the same door as the engine.
//!
//! A test must never look at a library's sentence, only at rows and faults. They are separate from the readers because
//! all formats answer the same questions. Read `tests/folder.rs` for how files are made and read.

mod arrow;
mod csv;
mod database;
mod dialects;
pub(crate) mod folder;
mod folders;
mod json;
mod parquet;
mod partitions;
mod polars;
mod sheets;
mod standard_input;
mod values;
mod workbook;
mod zipped;
