//! Options of the commands that teach: `example`, `schema` and `man`.
//!
//! Words only; nothing here may touch data of anybody. It is separate because they belong to no release. Read
//! `../example.rs` for what they do.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Options of `policies`.
#[derive(Debug, Args)]
pub struct PoliciesCommand {
    /// Which one; without it, they are listed.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// Options of `example`.
#[derive(Debug, Args)]
pub struct ExampleCommand {
    /// Which one; without it, they are listed.
    #[arg(value_enum, value_name = "NAME")]
    pub name: Option<ExampleName>,
    /// The folder that is made.
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

/// Options of `man`.
#[derive(Debug, Args)]
pub struct ManCommand {
    /// The folder that pages are written to; existing pages are not overwritten.
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

/// An example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExampleName {
    /// Employees by department and salary band: a hundred managers share one band.
    Salaries,
    /// Patients by diagnosis and region: stricter the smaller a group is.
    Diagnoses,
    /// Readers by keyword and month: the keywords are found in the data.
    Keywords,
    /// Children by name, year after year: each run goes on where the last one ended.
    Series,
    /// The articles that most customers bought, with counts.
    Top,
    /// A row for each employee, coarse enough to be shared by twenty.
    Rows,
    /// Accidents on a map: points that are moved by noise as wide as their cells.
    Points,
    /// Articles that are bought together: every two items of a customer.
    Baskets,
    /// People by region and illness, of a secret sample of them.
    Sampled,
}

/// What a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// The request file.
    Request,
    /// certificate.json of a delivered folder.
    Certificate,
    /// The request file, as a page to read: every key, what it may hold and what it means.
    Keys,
}
