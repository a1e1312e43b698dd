//! The commands and their options, with the help that teaches them.
//!
//! Every option says what it does to the promise, if anything; nothing here may have a default that weakens one. It is
//! separate so that help, completion and reference page come from one place. Read `plan.rs` next.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Publish counts from data about people, so that nobody stands out.
///
/// Start with a request (a TOML file that says what is promised to whom) and `incrowd plan REQUEST`: it shows what the
/// promise means, what it costs and how accurate the counts will be. Nothing is read or spent by any of these commands.
#[derive(Debug, Parser)]
#[command(name = "incrowd", version, max_term_width = 100, after_long_help = FIRST_REQUEST)]
pub struct Arguments {
    /// How results are printed: text for people, json for machines (stable fields, a version number).
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    pub format: Format,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Enough to begin with.
const FIRST_REQUEST: &str = "\
A first request, to be saved as request.toml:

  [promise]
  kind    = \"simple-outlier-dp\"   # groups of up to 100: epsilon 1/100 each; larger groups: 1
  group   = 100
  epsilon = 1

Kinds of promise: differential-privacy (epsilon), group (group, epsilon), crowd-blending (crowd, epsilon),
simple-outlier and simple-outlier-dp (group, epsilon), staircase (thresholds, epsilons), linear (slope, floor,
cap), fading (group, width, epsilon, factor), table (values). `delta` may be added to each.

The mechanism is chosen for you; to choose one, add [mechanism] with name = one of: tailored-geometric, relay,
suppress-below, noise-below, suppress-up-to, noise-up-to, geometric, group-geometric, noisy-suppress, noisy-noise,
staircase, general, fading, threshold, range. `incrowd schema` describes every key.";

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// What will be promised, to whom, at what cost, with what error. Reads no data.
    ///
    /// Several requests give the cost of the whole batch as well.
    ///
    /// Examples:
    ///   incrowd plan request.toml
    ///   incrowd plan request.toml --counts 1,20,500
    ///   incrowd plan request.toml --want "50: 5"     groups of 50 within 5 on average
    #[command(verbatim_doc_comment)]
    Plan(PlanCommand),
    /// Every mechanism that meets the same promise: error and silence by group size.
    ///
    /// Examples:
    ///   incrowd compare request.toml
    ///   incrowd compare request.toml --counts 5,50,500 --chart errors.svg
    #[command(verbatim_doc_comment)]
    Compare(CompareCommand),
    /// The exact law of what a bin of a given size may publish.
    ///
    /// Example:
    ///   incrowd law request.toml --count 50
    #[command(verbatim_doc_comment)]
    Law(LawCommand),
    /// Draws from the real sampler for a hypothetical count, for outside auditors.
    ///
    /// Example:
    ///   incrowd draw request.toml --count 50 --times 100000 --format json
    #[command(verbatim_doc_comment)]
    Draw(DrawCommand),
    /// The JSON Schema of requests, for editors.
    Schema,
    /// A completion script for a shell.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
}

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
    /// Write the chart of error by group size to this SVG file; an existing file is not overwritten.
    #[arg(long, value_name = "FILE.svg")]
    pub chart: Option<PathBuf>,
    /// Leave the chart out of the text.
    #[arg(long)]
    pub no_chart: bool,
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

fn count(text: &str) -> Result<u64, String> {
    match text.trim().replace('_', "").parse::<u64>() {
        Ok(count) if count <= 1_000_000_000_000 => Ok(count),
        Ok(_) | Err(_) => Err("a group size is a whole number from 0 to 1000000000000".into()),
    }
}
