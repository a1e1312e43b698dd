//! Damage.
use super::advice::Advice;
use crate::engine::DataFusionEngine;
use crate::ready::Ready;
use incrowd_engine::{Query, Watch};
use std::sync::Arc;

/// Damage.
pub struct Damage {
    /// Kind.
    pub kind: DamageKind,
    /// Fix.
    pub advice: Option<Advice>,
}

/// Kind.
pub enum DamageKind {
    /// Unknown
    Unknown,
}

pub(super) fn before_reading(_engine: &DataFusionEngine, _query: &Query) -> Vec<Damage> {
    Vec::new()
}

pub(super) fn of_files(_engine: &DataFusionEngine, _ready: &Ready, _watch: &Arc<dyn Watch>) -> Vec<Damage> {
    Vec::new()
}
