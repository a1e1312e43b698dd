//! Options of `diff`.
//!
//! Words only; it must never look at a folder. It is separate because each command's options are. Read `../diff.rs` for
//! what they do.

use clap::Args;
use std::path::PathBuf;

/// Options of `diff`.
#[derive(Debug, Args)]
pub struct DiffCommand {
    /// The earlier folder, delivered by `incrowd release` or made by `incrowd render`.
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The later folder.
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// Leave out cells whose change may be noise, and those that one of the two does not show.
    #[arg(long)]
    pub only_changed: bool,
    /// Of series: compare one period of OLD with one of NEW, as their tables write them. Else each with itself.
    #[arg(long, value_name = "OLD,NEW")]
    pub periods: Option<String>,
    /// Write to this file and not to the screen: a page if it ends with .html, a table if with .csv, an object if with
    /// .json, else text. An existing file is not overwritten.
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
    /// The most cells of laws to sum for each folder, and for both together. The default takes about a minute.
    #[arg(long, value_name = "CELLS", default_value_t = incrowd_release::verify::MOST_WORK)]
    pub most_work: u64,
}
