//! Options of `check`, `release` and `recover`: the commands that stand before, at and after a charge.
//!
//! Words only; no option may have a default that weakens a promise. It is separate because these are the commands that
//! touch data and what was paid for. Read `../release.rs` for what they do.

use super::amount::bytes;
use crate::share::Share;
use clap::Args;
use std::path::PathBuf;

/// Options of `check`.
#[derive(Debug, Args)]
pub struct CheckCommand {
    /// A request. Its paths are relative to its own folder.
    #[arg(value_name = "REQUEST")]
    pub request: PathBuf,
    /// The share of the people that may be lost: who is in the data, not left out by `where`, and counted in no bin.
    #[arg(long, value_name = "SHARE", default_value = "5%", value_parser = Share::parse)]
    pub most_lost: Share,
    /// The share of the bins that people are in that `bins-per-person` may leave out: whoever is in more bins than that
    /// is counted in some of them.
    #[arg(long, value_name = "SHARE", default_value = "20%", value_parser = Share::parse)]
    pub most_cut: Share,
    /// Write the page to this file and not to the screen; an existing file is not overwritten. It is as internal.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the request with the keys that are advised to this file, comments kept; an existing file is not
    /// overwritten. Where the data does not tell which of two ways is right, nothing is written of either. The new
    /// request is looked at again, until nothing is left to advise, and it is said whether it goes well.
    #[arg(long, value_name = "NEW.toml")]
    pub fix: Option<PathBuf>,
    /// How much memory grouping may take before it spills to disk, such as 2GB.
    #[arg(long, value_parser = bytes, value_name = "SIZE")]
    pub memory: Option<u64>,
    /// How many threads read.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024), value_name = "N")]
    pub threads: Option<u16>,
    /// Where to spill, instead of the system's folder for temporary files. Spilled files hold true data until they are
    /// deleted.
    #[arg(long, value_name = "FOLDER")]
    pub spill: Option<PathBuf>,
}

/// Options of `release`.
#[derive(Debug, Args)]
pub struct ReleaseCommand {
    /// A request. Its paths are relative to its own folder.
    #[arg(value_name = "REQUEST")]
    pub request: PathBuf,
    /// The folder that is made, instead of the request's own.
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// Replace an existing folder. A request that was delivered before needs --again, too.
    #[arg(long)]
    pub replace: bool,
    /// Release a request that was delivered before, or interrupted, once more: draws anew, and is charged again.
    #[arg(long, conflicts_with = "if_new")]
    pub again: bool,
    /// For jobs that run again and again: end with exit code 0 and charge nothing if the request was delivered before,
    /// and with 1 if it was charged before and not delivered, which is tried again without this option alone.
    #[arg(long)]
    pub if_new: bool,
    /// Open the account that pays, without a limit, also in a book that has others. Without it an account that nobody
    /// opened is refused there: its name may be misspelt.
    #[arg(long)]
    pub open: bool,
    /// The account book. Otherwise INCROWD_LEDGER, the request's own path, or a file in the user's data folder.
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Run only what was saved by `plan --save`: the same request and plan, source, ledger and folder.
    #[arg(long, value_name = "FILE.json")]
    pub plan: Option<PathBuf>,
    /// Sizes to expect, as for `plan --like`: by them it is known beforehand whether anything will be shown.
    #[arg(long, value_name = "COUNTS")]
    pub like: Option<PathBuf>,
    /// Go on without a question. Only a terminal is ever asked, once, before the charge: what is spent, of what, and
    /// whether hardly anything is expected to be shown.
    #[arg(long)]
    pub yes: bool,
    /// A dry run on made-up counts of the declared shape: touches no data and no budget.
    #[arg(long)]
    pub rehearse: bool,
    /// Who you are, for the ledger's entries; INCROWD_BY says it, too. The system's user and machine are there anyway.
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Why, for the ledger's entries. Never a value of the data: whoever reads the ledger reads it.
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// How much memory grouping and sorting may take before they spill to disk, such as 2GB.
    #[arg(long, value_parser = bytes, value_name = "SIZE")]
    pub memory: Option<u64>,
    /// How many threads count.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024), value_name = "N")]
    pub threads: Option<u16>,
    /// Where to spill, instead of the system's folder for temporary files. Spilled files hold true data until they are
    /// deleted.
    #[arg(long, value_name = "FOLDER")]
    pub spill: Option<PathBuf>,
    /// Say nothing but warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
    /// Say how long each stage took; never anything about the data.
    #[arg(long, short)]
    pub verbose: bool,
    /// Repeatable draws, for tests: only with `[data] synthetic = true`, charged to a ledger in memory. Nothing is
    /// private.
    #[arg(long, value_name = "SEED")]
    pub test_seed: Option<u64>,
}

/// Options of `recover`.
#[derive(Debug, Args)]
pub struct RecoverCommand {
    /// The folder that was to be made, or the folder that holds it.
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
    /// Another name for it, where its own is in use.
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,
    /// The account book that was charged: a file, or postgres://user@host/database.
    #[arg(long, value_name = "LEDGER")]
    pub ledger: Option<PathBuf>,
}
