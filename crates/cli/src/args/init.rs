//! Options of `init`.
//!
//! Words only; it must never look at data. It is separate because they are many. Read `../init.rs` for what they do.

use clap::Args;
use incrowd_engine::DataFormat;
use std::path::PathBuf;

/// Options of `init`.
#[derive(Debug, Args)]
pub struct InitCommand {
    /// A data file, a folder of data files, or a pattern; `-` looks at the beginning of standard input.
    #[arg(value_name = "DATA")]
    pub data: String,
    /// Count by these columns.
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub by: Vec<String>,
    /// The column that says whose row it is; `rows` if each row is another person. Found by its name unless said.
    #[arg(long, value_name = "COLUMN")]
    pub person: Option<String>,
    /// What is promised, by the name of a rule: `incrowd policies` lists them. fewer-than-11 unless something is said.
    #[arg(long, value_name = "NAME", conflicts_with = "protect_below")]
    pub policy: Option<String>,
    /// Protect groups of fewer than so many people better: from even odds nobody who knows how many others are there
    /// becomes surer than 55 % about one of them, and than 75 % about anybody else.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=1_000_000_000_000))]
    pub protect_below: Option<u64>,
    /// Write the request to this file instead of the screen; an existing file is not overwritten.
    #[arg(long, short, value_name = "FILE.toml")]
    pub output: Option<PathBuf>,
    /// Ask step by step, on a terminal.
    #[arg(long, conflicts_with_all = ["by", "person", "policy", "protect_below"])]
    pub interactive: bool,
    /// The first line holds the names of columns, although they look like values.
    #[arg(long)]
    pub names_on_top: bool,
    /// So many lines, or rows of a sheet, stand before the names; guessed unless said.
    #[arg(long, value_name = "NUMBER")]
    pub skip_lines: Option<u64>,
    /// What the file is, where its name does not say it: csv, tsv, json, parquet, arrow, xlsx, ods or sqlite.
    #[arg(long, value_name = "NAME", value_parser = data_format)]
    pub data_format: Option<DataFormat>,
    /// The sheet of a workbook, if it is not the first.
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
    /// The table of a database.
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
}

fn data_format(text: &str) -> Result<DataFormat, String> {
    let all = DataFormat::ALL.map(DataFormat::as_str);
    let found = DataFormat::ALL.into_iter().find(|format| format.as_str() == text);
    found.ok_or_else(|| format!("one of {}", all.join(", ")))
}
