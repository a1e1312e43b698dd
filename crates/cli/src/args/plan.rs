//! Options of the commands that look ahead: `plan`, `compare`, `law` and `draw`.
//!
//! Words only; nothing here may read a request. It is separate because these commands take group sizes and open no
//! data. Read `../plan.rs` for what they do.

use super::amount::count;
use clap::Args;
use std::path::PathBuf;

/// Options of `plan`.
#[derive(Debug, Args)]
pub struct PlanCommand {
    /// Requests; `-` reads one from standard input.
    #[arg(required = true, value_name = "REQUEST")]
    pub requests: Vec<PathBuf>,
    /// Group sizes to show, such as 1,5,20.
    #[arg(long, value_delimiter = ',', value_parser = count, value_name = "N,N,...")]
    pub counts: Vec<u64>,
    /// Accuracy first: "50: 5" asks what must change for groups of 50 to be within 5 on average.
    #[arg(long, value_name = "SIZE: ERROR")]
    pub want: Option<String>,
    /// Say what would be shown of bins of these sizes: an earlier delivered folder, or a public CSV file with a column
    /// `count` (or a single column of whole numbers). Sizes of the data itself are not protected.
    #[arg(long, value_name = "COUNTS")]
    pub like: Option<PathBuf>,
    /// Write the chart of error by group size to this SVG file; an existing file is not overwritten.
    #[arg(long, value_name = "FILE.svg")]
    pub chart: Option<PathBuf>,
    /// Leave the chart out of the text.
    #[arg(long)]
    pub no_chart: bool,
    /// Show what is folded away: the mechanism, its theorem, exact deltas and the names of notions.
    #[arg(long)]
    pub details: bool,
    /// The account book to look up the budget in, where it is there; nothing is written. Otherwise INCROWD_LEDGER, the
    /// request's own path, or a file in the user's data folder.
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Save the plan for `release --plan`, so that what was reviewed is what runs: this request, on this source,
    /// charged to this ledger, to this folder. An existing file is not overwritten.
    #[arg(long, value_name = "FILE.json")]
    pub save: Option<PathBuf>,
    /// Sign the saved plan with the private key in this file: a policy of the machine can require that.
    #[arg(long, value_name = "KEY", requires = "save")]
    pub sign: Option<PathBuf>,
    /// Sign a plan that somebody else saved, if it is the plan of this request: its source, ledger and folder stay as
    /// they are, and are printed to be looked at.
    #[arg(long, value_name = "FILE.json", requires = "sign", conflicts_with = "folder")]
    pub review: Option<PathBuf>,
    /// The folder that the saved plan is pinned to, instead of the request's own.
    #[arg(long, value_name = "FOLDER", requires = "save")]
    pub folder: Option<PathBuf>,
}

/// Options of `compare`.
#[derive(Debug, Args)]
pub struct CompareCommand {
    /// A request; `-` reads it from standard input.
    #[arg(value_name = "REQUEST")]
    pub request: PathBuf,
    /// Group sizes to compare, such as 1,5,20.
    #[arg(long, value_delimiter = ',', value_parser = count, value_name = "N,N,...")]
    pub counts: Vec<u64>,
    /// Write the chart of error by group size to this SVG file; an existing file is not overwritten.
    #[arg(long, value_name = "FILE.svg")]
    pub chart: Option<PathBuf>,
    /// Leave the chart out of the text.
    #[arg(long)]
    pub no_chart: bool,
}

/// Options of `law`.
#[derive(Debug, Args)]
pub struct LawCommand {
    /// A request; `-` reads it from standard input.
    #[arg(value_name = "REQUEST")]
    pub request: PathBuf,
    /// How many people are in the bin.
    #[arg(long, value_parser = count, value_name = "K", allow_negative_numbers = true)]
    pub count: u64,
    /// Print every outcome; text otherwise leaves the rarest out and says how much they weigh.
    #[arg(long)]
    pub all: bool,
}

/// Options of `draw`.
#[derive(Debug, Args)]
pub struct DrawCommand {
    /// A request; `-` reads it from standard input.
    #[arg(value_name = "REQUEST")]
    pub request: PathBuf,
    /// How many people are in the hypothetical bin.
    #[arg(long, value_parser = count, value_name = "K", allow_negative_numbers = true)]
    pub count: u64,
    /// How often to draw.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=100_000_000), value_name = "N")]
    pub times: u64,
    /// Repeatable draws, for tests: only with `[data] synthetic = true`. Nothing drawn so is private.
    #[arg(long, value_name = "SEED")]
    pub test_seed: Option<u64>,
}
