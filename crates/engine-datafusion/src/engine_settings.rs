//! What the engine may use of the machine.
//!
//! It must never depend on data. It is separate because a front end chooses it. Read `spill.rs` for what is above a
//! limit.

use crate::spill::Limit;
use datafusion_execution::TaskContext;
use datafusion_execution::config::SessionConfig;
use datafusion_execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use incrowd_engine::PrepareError;
use std::path::PathBuf;
use std::sync::Arc;

/// What the engine may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How many bytes grouping and sorting may hold before they spill to disk; nothing for no limit.
    pub memory: Option<u64>,
    /// How many threads count.
    pub threads: usize,
    /// Where to spill; nothing for the system's folder for temporary files.
    pub spill: Option<PathBuf>,
}

impl Settings {
    /// Returns what may be used of this machine: all threads, and three quarters of the memory that is free now, where
    /// the system tells; else no limit.
    pub fn of_this_machine() -> Self {
        Settings { memory: most_of_the_memory(), ..Settings::default() }
    }
}

fn most_of_the_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some((kilobytes * 1024 / 4 * 3).max(64 << 20))
}

impl Default for Settings {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Settings { memory: None, threads, spill: None }
    }
}

impl Settings {
    /// Returns where memory is taken from and what is above its limit is spilled to.
    pub(crate) fn runtime(&self) -> Result<Arc<RuntimeEnv>, PrepareError> {
        let mut runtime = RuntimeEnvBuilder::new();
        let no_place = || PrepareError::NoEngine { reason: "no place to spill to".into() };
        // Without a limit nothing is ever spilled.
        if let Some(memory) = self.memory {
            let bytes = usize::try_from(memory).unwrap_or(usize::MAX);
            let limit = Limit::of(bytes, self.spill.as_deref()).map_err(|_| no_place())?;
            runtime = runtime.with_temp_file_path(limit.folder()).with_memory_pool(Arc::new(limit));
        }
        runtime.build_arc().map_err(|_| no_place())
    }

    /// Returns what the operators run in.
    pub(crate) fn context(&self, runtime: Arc<RuntimeEnv>, batch_rows: usize) -> Arc<TaskContext> {
        let mut config = SessionConfig::new().with_target_partitions(self.threads.max(1)).with_batch_size(batch_rows);
        if let Some(memory) = self.memory {
            // What a sort keeps free for merging: with little memory, less than usual.
            let kept = usize::try_from(memory / 64).unwrap_or(usize::MAX);
            config.options_mut().execution.sort_spill_reservation_bytes = kept.clamp(1 << 20, 10 << 20);
        }
        Arc::new(TaskContext::default().with_session_config(config).with_runtime(runtime))
    }
}
