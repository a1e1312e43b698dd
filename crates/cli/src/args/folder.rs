//! Options of the commands that take a delivered folder: `render`, `verify` and `export`.
//!
//! Words only; nothing here may need data or a ledger. It is separate because whoever has a folder needs no others.
//! Read `../render.rs` and `../verify.rs` for what they do.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Options of `render`.
#[derive(Debug, Args)]
pub struct RenderCommand {
    /// A delivered folder.
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// The folder that is made; nothing of that name may be there.
    #[arg(long, value_name = "NEW")]
    pub to: PathBuf,
    /// Totals by each bin, by each of the named ones, or none; given several times, by each of these sets of bins:
    /// --margins region --margins region,age. The total over all is always there, and an empty set stands for it.
    #[arg(long, value_name = "all|none|BIN,BIN,...")]
    pub margins: Vec<String>,
    /// Mean and quantiles of a bin with bands of a number, such as salary, by the sets of bins of the totals and over
    /// all; or none.
    #[arg(long, value_name = "BIN|none")]
    pub statistics: Option<String>,
    /// Which quantiles, such as 0.1,0.5,0.9; 0.5 is the median. The quartiles without it.
    #[arg(long, value_name = "SHARE,SHARE,...", value_delimiter = ',')]
    pub quantiles: Vec<String>,
    /// A column with a best guess: clamped, median, unbiased, or none.
    #[arg(long, value_name = "KIND")]
    pub estimate: Option<String>,
    /// The counts that are thought possible, for the median: LOW,HIGH, or none.
    #[arg(long, value_name = "LOW,HIGH")]
    pub prior: Option<String>,
    /// A column with what is shown, rounded to multiples of this; 1 leaves it out.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    pub rounding: Option<u64>,
    /// A column `shown` in which published values below N are "fewer than N"; none leaves it out.
    #[arg(long, value_name = "N|\"fewer than N\"|none")]
    pub small: Option<String>,
    /// A column that says how far each value can be relied on: A, E or F.
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true")]
    pub quality: Option<bool>,
    /// The files that the tables are written to: csv, parquet, arrow, xlsx.
    #[arg(long, value_delimiter = ',', value_name = "FORMAT,FORMAT,...")]
    pub formats: Vec<String>,
    /// Begin CSV files with a byte order mark, by which Excel knows that they are UTF-8.
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true")]
    pub csv_bom: Option<bool>,
    /// What stands for a missing value in CSV files and workbooks.
    #[arg(long, value_name = "NAME")]
    pub missing: Option<String>,
    /// A file with `[report]`, such as the request: title, publisher, date, contact, text, names and labels of the
    /// report. Without it the report says what that of FOLDER says.
    #[arg(long, value_name = "FILE.toml")]
    pub report: Option<PathBuf>,
    /// The most cells of laws to sum while the folder is verified. The default takes about a minute.
    #[arg(long, value_name = "CELLS", default_value_t = incrowd_release::verify::MOST_WORK)]
    pub most_work: u64,
}

/// Options of `verify`.
#[derive(Debug, Args)]
pub struct VerifyCommand {
    /// A delivered folder.
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// The folder that it was made from by `incrowd render`: made once more, it must be the same byte by byte.
    #[arg(long, value_name = "FOLDER")]
    pub parent: Option<PathBuf>,
    /// The most cells of laws to sum, before accounts are named as not recomputed. The default takes about a minute.
    #[arg(long, value_name = "CELLS", default_value_t = incrowd_release::verify::MOST_WORK)]
    pub most_work: u64,
}

/// Options of `export`.
#[derive(Debug, Args)]
pub struct ExportCommand {
    /// A delivered folder.
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// In which form.
    #[arg(long = "as", value_enum, value_name = "FORM")]
    pub form: FolderForm,
    /// Write to this file instead of the screen; an existing file is not overwritten.
    #[arg(long, short, value_name = "FILE.yaml")]
    pub output: Option<PathBuf>,
    /// What the data product is called.
    #[arg(long, value_name = "TEXT")]
    pub name: Option<String>,
    /// Who publishes it; may be given more than once.
    #[arg(long, value_name = "NAME")]
    pub curator: Vec<String>,
    /// What it is for.
    #[arg(long = "use", value_name = "TEXT")]
    pub intended_use: Option<String>,
    /// Which region it describes, or whose laws apply.
    #[arg(long, value_name = "TEXT")]
    pub region: Option<String>,
    /// When it was published.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub date: Option<String>,
    /// The domain it describes.
    #[arg(long, value_enum)]
    pub sector: Option<Sector>,
    /// Who fills in the entry; may be given more than once.
    #[arg(long, value_name = "NAME")]
    pub author: Vec<String>,
}

/// Forms of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FolderForm {
    /// The Differential Privacy Deployments Registry (opendp.org), YAML.
    Registry,
}

/// The domains that the registry knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sector {
    /// Technology.
    Technology,
    /// Health care.
    Healthcare,
    /// Education.
    Education,
    /// Government.
    Government,
    /// Energy.
    Energy,
    /// Finance.
    Finance,
}

impl Sector {
    /// Returns its name in the registry.
    pub fn as_str(self) -> &'static str {
        match self {
            Sector::Technology => "Technology",
            Sector::Healthcare => "Healthcare",
            Sector::Education => "Education",
            Sector::Government => "Government",
            Sector::Energy => "Energy",
            Sector::Finance => "Finance",
        }
    }
}
