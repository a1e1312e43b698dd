//! Files that cannot be read, looked through for the cause.
use super::damage::Damage;
use crate::engine::DataFusionEngine;
use crate::ready::Ready;
use incrowd_engine::{Query, Watch};
use std::sync::Arc;

pub(super) fn before_reading(_engine: &DataFusionEngine, _query: &Query) -> Vec<Damage> {
    Vec::new()
}

pub(super) fn of_files(_engine: &DataFusionEngine, _ready: &Ready, _watch: &Arc<dyn Watch>) -> Vec<Damage> {
    Vec::new()
}
