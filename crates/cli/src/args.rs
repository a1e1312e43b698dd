//! The commands and their options, with the help that teaches them.
//!
//! Every option says what it does to the promise, if anything; nothing here may have a default that weakens one. It is
//! separate so that help, completion and reference page come from one place. Read `plan.rs` next.

mod init;

pub use init::InitCommand;

use crate::share::Share;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Publish counts from data about people, so that nobody stands out.
///
/// Start with `incrowd example salaries FOLDER`, or with `incrowd init DATA`, which writes a request: a TOML file that
/// says what is counted and what is promised to whom. `incrowd plan REQUEST` shows what the promise means, what it
/// costs and how accurate the counts will be; nothing is read or spent. `incrowd release REQUEST` publishes.
#[derive(Debug, Parser)]
#[command(name = "incrowd", version, max_term_width = 100, after_long_help = FIRST_REQUEST)]
pub struct Arguments {
    /// How results are printed: text for people, json for machines (stable fields, a version number), html as a page
    /// for browsers (plan, check, compare, law, verify and ledger show).
    #[arg(long, value_enum, default_value_t = PrintFormat::Text, global = true)]
    pub format: PrintFormat,
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
pub enum PrintFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
    /// For people with a browser: one file that needs nothing else.
    Html,
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
    ///   incrowd plan request.toml --like earlier     what would show of bins as large as those
    ///   incrowd plan request.toml --format html > plan.html
    #[command(verbatim_doc_comment)]
    Plan(PlanCommand),
    /// What a release would read, count and lose, for the steward's eyes: INTERNAL. Charges nothing.
    ///
    /// Reads the data as a release would, and says what cannot be read and on which lines, who would be lost and why,
    /// how many bins would be shown, and which keys of the request would help; each was tried. What it shows depends on
    /// the data without protection and must not be published; a limit or a bin that is chosen by looking at it is a
    /// choice that the promise does not cover. Exit codes: 0 a release would go well; 1 it would fail or lose more than
    /// --most-lost; 2 wrong request.
    ///
    /// Examples:
    ///   incrowd check request.toml
    ///   incrowd check request.toml --most-lost 1%
    ///   incrowd check request.toml --fix fixed.toml
    ///   incrowd check request.toml --format json --output internal.json
    #[command(verbatim_doc_comment)]
    Check(CheckCommand),
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
    /// Charge, count, protect, deliver: publishes a folder with counts, a certificate and a report.
    ///
    /// The release is charged to the account of its data set before the first row is read, and never refunded. The
    /// folder appears complete or not at all. A request that was delivered before is refused, and charged again only
    /// with --again. Exit codes: 0 delivered; 1 refused; 2 wrong request or environment, nothing charged; 3 charged but
    /// not delivered; 130 stopped before the charge.
    ///
    /// Examples:
    ///   incrowd release request.toml
    ///   incrowd release request.toml --rehearse               made-up data, no budget
    ///   incrowd release request.toml --plan reviewed.json     only if it is still the plan that was reviewed
    ///   incrowd release request.toml --if-new                 in a job: done if it was delivered before
    #[command(verbatim_doc_comment)]
    Release(ReleaseCommand),
    /// Gives a release its name that was paid for and written to the end, and then interrupted.
    ///
    /// If a release is killed, or its ledger does not answer, after everything is written, the whole folder is kept
    /// beside its target under a hidden name. Here it gets its name, if the ledger knows its charge; nothing is
    /// charged, and no data is read. The next release to the same folder does it, too.
    ///
    /// Examples:
    ///   incrowd recover results/2026              one target
    ///   incrowd recover results                   every target in a folder
    ///   incrowd recover results/2026 --to other   under another name
    #[command(verbatim_doc_comment)]
    Recover(RecoverCommand),
    /// Makes a new folder from a delivered one, with other totals, estimates, roundings or files; free.
    ///
    /// Only what is published is read: no data, no ledger, no budget. The folder is verified first. The new one has a
    /// certificate of its own, which names the other's; `incrowd verify NEW --parent FOLDER` compares them byte by
    /// byte. What is not given stays as it is.
    ///
    /// Examples:
    ///   incrowd render out --to out-xlsx --formats csv,xlsx
    ///   incrowd render out --to totals --margins all --estimate median --rounding 5
    #[command(verbatim_doc_comment)]
    Render(RenderCommand),
    /// Recomputes the certificate of a delivered folder and checks its tables against it. Reads no data.
    ///
    /// Examples:
    ///   incrowd verify out
    ///   incrowd verify out-xlsx --parent out     a folder that incrowd render made from another
    #[command(verbatim_doc_comment)]
    Verify(VerifyCommand),
    /// Writes a delivered folder in the form of others: an entry for the public registry of deployments.
    ///
    /// The folder is verified first. What the certificate knows is filled in; what only the publisher knows is given by
    /// options, or marked to be filled in. The form is that of the Differential Privacy Deployments Registry, tier 3.
    ///
    /// Example:
    ///   incrowd export out --as registry --curator "Office of Statistics" --output entry.yaml
    #[command(verbatim_doc_comment)]
    Export(ExportCommand),
    /// Writes a commented request from the columns of a data file.
    ///
    /// Writes the names and types of columns, and how the file is written: it looks at the first rows of text files to
    /// guess types, signs between fields, letters, decimal commas, ways to write days and words for nothing, and says
    /// what it guessed and why; no other value of theirs is written. Bands are proposed from names alone. A file whose
    /// first line looks like somebody's values is taken to have no names: its columns are column1, column2, and so on.
    ///
    /// Examples:
    ///   incrowd init people.csv --output request.toml
    ///   incrowd init patients.xlsx --by diagnosis,region --person patient_id
    ///   incrowd init people.csv --interactive
    #[command(verbatim_doc_comment)]
    Init(InitCommand),
    /// The account book: what was promised about each data set, and what is left.
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Writes an example with made-up data into a folder, ready to be released; without a name, lists them.
    ///
    /// Examples:
    ///   incrowd example
    ///   incrowd example salaries demo
    #[command(verbatim_doc_comment)]
    Example(ExampleCommand),
    /// The JSON Schema of requests, for editors, or of certificates.
    Schema {
        /// Of which of them.
        #[arg(value_enum, default_value_t = SchemaOf::Request)]
        of: SchemaOf,
    },
    /// Manual pages: the main one, or one for each command into a folder.
    ///
    /// Examples:
    ///   incrowd man > incrowd.1
    ///   incrowd man share/man/man1
    #[command(verbatim_doc_comment)]
    Man(ManCommand),
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
    /// Save the plan for `release --plan`, so that what was reviewed is what runs; an existing file is not overwritten.
    #[arg(long, value_name = "FILE.json")]
    pub save: Option<PathBuf>,
}

/// Options of `check`.
#[derive(Debug, Args)]
pub struct CheckCommand {
    /// A request. Its paths are relative to its own folder.
    #[arg(value_name = "REQUEST")]
    pub request: PathBuf,
    /// The share of the people that may be lost: who is in the data, not left out by `where`, and counted in no bin.
    #[arg(long, value_name = "SHARE", default_value = "5%", value_parser = Share::parse)]
    pub most_lost: Share,
    /// Write the page to this file and not to the screen; an existing file is not overwritten. It is as internal.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the request with the keys that are advised to this file, comments kept; an existing file is not
    /// overwritten. Where the data does not tell which of two ways is right, nothing is written of either.
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
    /// End with exit code 0 and charge nothing if the request was delivered before; for jobs that run again and again.
    #[arg(long)]
    pub if_new: bool,
    /// The account book. Otherwise INCROWD_LEDGER, the request's own path, or a file in the user's data folder.
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Run only if the request still has this plan, saved by `plan --save`.
    #[arg(long, value_name = "FILE.json")]
    pub plan: Option<PathBuf>,
    /// Sizes to expect, as for `plan --like`: by them it is known beforehand whether anything will be shown.
    #[arg(long, value_name = "COUNTS")]
    pub like: Option<PathBuf>,
    /// Go on without a question where hardly anything is expected to be shown. Only a terminal is ever asked.
    #[arg(long)]
    pub yes: bool,
    /// A dry run on made-up counts of the declared shape: touches no data and no budget.
    #[arg(long)]
    pub rehearse: bool,
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
    /// Say nothing but errors.
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
    /// A column with a best guess: clamped, median, unbiased, or none.
    #[arg(long, value_name = "KIND")]
    pub estimate: Option<String>,
    /// The counts that are thought possible, for the median: LOW,HIGH, or none.
    #[arg(long, value_name = "LOW,HIGH")]
    pub prior: Option<String>,
    /// A column with what is shown, rounded to multiples of this; 1 leaves it out.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    pub rounding: Option<u64>,
    /// The files that the tables are written to: csv, parquet, arrow, xlsx.
    #[arg(long, value_delimiter = ',', value_name = "FORMAT,FORMAT,...")]
    pub formats: Vec<String>,
    /// Begin CSV files with a byte order mark, by which Excel knows that they are UTF-8.
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true")]
    pub csv_bom: Option<bool>,
    /// What stands for a missing value in CSV files and workbooks.
    #[arg(long, value_name = "NAME")]
    pub missing: Option<String>,
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

/// What a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// The request file.
    Request,
    /// certificate.json of a delivered folder.
    Certificate,
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

/// What to do with the account book.
#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// Opens an account for a data set, with or without a budget.
    ///
    /// Examples:
    ///   incrowd ledger open employees-2026 --epsilon 3 --delta 1e-6
    ///   incrowd ledger open visits --epsilon 1 --people disjoint-per-period --refresh month
    #[command(verbatim_doc_comment)]
    Open(LedgerOpen),
    /// Changes terms of an account: what is left out stays as it is. What was spent stays spent.
    ///
    /// Examples:
    ///   incrowd ledger policy employees-2026 --epsilon 5 --key raise.key
    ///   incrowd ledger policy employees-2026 --clear min-group
    #[command(verbatim_doc_comment)]
    Policy(LedgerPolicy),
    /// What each account has promised in all, in numbers and in odds by group size, and what is left.
    Show(LedgerLook),
    /// Every entry, oldest first.
    History(LedgerLook),
    /// Verifies the whole book: every entry, every link of the chain, every account.
    ///
    /// An edit or a deletion inside the chain is found and named. A book that was cut at its end, or put back from an
    /// older copy, is found by comparing it with what is remembered elsewhere: the certificates of deliveries, or a
    /// noted hash. Of each folder: its charge is of the same data set, snapshot, plan, bins and price, was delivered
    /// with this very certificate and is named by no other, and the tables are those that it lists. A folder that
    /// `incrowd render` made is known by the one that was paid for. Whoever can rewrite the whole book and all that is
    /// remembered of it is not found.
    ///
    /// Examples:
    ///   incrowd ledger verify --against published/*/
    ///   incrowd ledger verify --head 4b635a35e141812dcb9efb2bfe420ae5...
    #[command(verbatim_doc_comment)]
    Verify(LedgerVerify),
    /// Writes the whole book, or one account, for other programs.
    ///
    /// Example:
    ///   incrowd ledger export --as csv > ledger.csv
    #[command(verbatim_doc_comment)]
    Export(LedgerExport),
    /// Writes a page for people: what each account has promised, to whom, and what is left.
    ///
    /// Example:
    ///   incrowd ledger report --output ledger.html
    #[command(verbatim_doc_comment)]
    Report(LedgerReport),
    /// How much the people in the data have been exposed so far, for the steward's eyes only.
    ///
    /// Reads the data of requests that were released before, and tells how many people have accumulated which epsilon.
    /// What it prints depends on the data without any protection: it is internal, and must never be published.
    ///
    /// Example:
    ///   incrowd ledger exposure salaries.toml ages.toml
    #[command(verbatim_doc_comment)]
    Exposure(LedgerExposure),
    /// Makes a key without which an account's terms cannot be loosened: see --raise-key of `ledger open`.
    Key(LedgerKey),
}

/// The terms of an account.
#[derive(Debug, Args)]
pub struct LedgerOpen {
    /// The data set: the people whose budget it is.
    #[arg(value_name = "DATASET")]
    pub name: String,
    /// The most epsilon that all releases together may cost; without it there is no limit.
    #[arg(long, value_name = "E")]
    pub epsilon: Option<String>,
    /// The most delta; with --epsilon and without this, 0.
    #[arg(long, value_name = "D")]
    pub delta: Option<String>,
    /// Kinds of promise that may be made, such as simple-outlier-dp,staircase.
    #[arg(long, value_delimiter = ',', value_name = "KIND,...")]
    pub allow: Vec<String>,
    /// The smallest group that a promise may name.
    #[arg(long, value_name = "K")]
    pub min_group: Option<u64>,
    /// The most epsilon that one release may cost.
    #[arg(long, value_name = "E")]
    pub max_epsilon_per_release: Option<String>,
    /// Whether the same people may be in several snapshots. Say disjoint-per-period only if you know that nobody is in
    /// two.
    #[arg(long, value_enum, default_value_t = PeopleKind::Overlapping)]
    pub people: PeopleKind,
    /// Give each period the whole budget: only with --people disjoint-per-period. Snapshots name periods, such as
    /// 2026-11.
    #[arg(long, value_enum, value_name = "PERIOD")]
    pub refresh: Option<RefreshPeriod>,
    /// Columns of which you know that nobody has two values in one snapshot, such as region. Releases of one part each,
    /// by `[data.split] column = "region"  part = "north"`, then cost the largest of the parts and not their sum; so do
    /// runs of a series by such a column.
    #[arg(long, value_delimiter = ',', value_name = "COLUMN,...")]
    pub splits: Vec<String>,
    /// The file with the key that is needed to loosen these terms later; made by `incrowd ledger key`.
    #[arg(long, value_name = "FILE")]
    pub raise_key: Option<PathBuf>,
    /// The account book: a file, or postgres://user@host/database.
    #[arg(long, value_name = "LEDGER")]
    pub ledger: Option<PathBuf>,
}

/// Options of `ledger policy`.
#[derive(Debug, Args)]
pub struct LedgerPolicy {
    /// The data set: the people whose budget it is.
    #[arg(value_name = "DATASET")]
    pub name: String,
    /// The most epsilon that all releases together may cost.
    #[arg(long, value_name = "E")]
    pub epsilon: Option<String>,
    /// The most delta.
    #[arg(long, value_name = "D")]
    pub delta: Option<String>,
    /// The only kinds of promise that may be made, such as simple-outlier-dp,staircase.
    #[arg(long, value_delimiter = ',', value_name = "KIND,...")]
    pub allow: Vec<String>,
    /// The smallest group that a promise may name.
    #[arg(long, value_name = "K")]
    pub min_group: Option<u64>,
    /// The most epsilon that one release may cost.
    #[arg(long, value_name = "E")]
    pub max_epsilon_per_release: Option<String>,
    /// The file with the key that is needed to loosen these terms later; made by `incrowd ledger key`.
    #[arg(long, value_name = "FILE")]
    pub raise_key: Option<PathBuf>,
    /// Terms that shall no longer hold.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "TERM,...")]
    pub clear: Vec<Term>,
    /// The file with the key of the account, if it has one and the terms become looser.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// The account book: a file, or postgres://user@host/database.
    #[arg(long, value_name = "LEDGER")]
    pub ledger: Option<PathBuf>,
}

/// A term that can be cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Term {
    /// The epsilon budget.
    Epsilon,
    /// The delta budget; beside an epsilon budget, 0 holds then.
    Delta,
    /// The kinds that may be promised.
    Allow,
    /// The smallest group.
    MinGroup,
    /// The most for one release.
    MaxEpsilonPerRelease,
    /// The key.
    RaiseKey,
}

/// Whether the same people may be in several snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PeopleKind {
    /// They may be: everything adds up.
    Overlapping,
    /// Nobody is in two periods: each period is an account of its own.
    DisjointPerPeriod,
}

/// A period that a snapshot names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RefreshPeriod {
    /// Such as 2026-11-16.
    Day,
    /// Such as 2026-W47.
    Week,
    /// Such as 2026-11.
    Month,
    /// Such as 2026.
    Year,
}

/// Options of `ledger show` and `ledger history`.
#[derive(Debug, Args)]
pub struct LedgerLook {
    /// One data set; without it, all.
    #[arg(value_name = "DATASET")]
    pub name: Option<String>,
    /// The account book: a file, or postgres://user@host/database.
    #[arg(long, value_name = "LEDGER")]
    pub ledger: Option<PathBuf>,
}

/// Options of `ledger verify`.
#[derive(Debug, Args)]
pub struct LedgerVerify {
    /// Delivered folders that must have been paid for and delivered by this book.
    #[arg(long, value_name = "FOLDER", num_args = 1..)]
    pub against: Vec<PathBuf>,
    /// A hash that must be in the chain, as `ledger verify` printed it earlier.
    #[arg(long, value_name = "HASH")]
    pub head: Vec<String>,
    /// The account book: a file, or postgres://user@host/database.
    #[arg(long, value_name = "LEDGER")]
    pub ledger: Option<PathBuf>,
}

/// Options of `ledger export`.
#[derive(Debug, Args)]
pub struct LedgerExport {
    /// One data set; without it, all.
    #[arg(value_name = "DATASET")]
    pub name: Option<String>,
    /// The form: json has accounts, totals, entries and definitions; csv has the entries.
    #[arg(long = "as", value_enum, default_value_t = ExportForm::Json, value_name = "FORM")]
    pub form: ExportForm,
    /// Write to this file instead of the screen; an existing file is not overwritten.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The account book: a file, or postgres://user@host/database.
    #[arg(long, value_name = "LEDGER")]
    pub ledger: Option<PathBuf>,
}

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    /// One object with everything.
    Json,
    /// One row for each entry.
    Csv,
}

/// Options of `ledger report`.
#[derive(Debug, Args)]
pub struct LedgerReport {
    /// One data set; without it, all.
    #[arg(value_name = "DATASET")]
    pub name: Option<String>,
    /// The page; an existing file is not overwritten.
    #[arg(long, short, value_name = "FILE.html", default_value = "ledger.html")]
    pub output: PathBuf,
    /// The account book: a file, or postgres://user@host/database.
    #[arg(long, value_name = "LEDGER")]
    pub ledger: Option<PathBuf>,
}

/// Options of `ledger exposure`.
#[derive(Debug, Args)]
pub struct LedgerExposure {
    /// Requests that were released before, of one account and on the same data.
    #[arg(value_name = "REQUEST", required = true)]
    pub requests: Vec<PathBuf>,
    /// Write the chart to this SVG file as well; an existing file is not overwritten. It is as internal as the table.
    #[arg(long, value_name = "FILE.svg")]
    pub chart: Option<PathBuf>,
    /// The account book: a file, or postgres://user@host/database.
    #[arg(long, value_name = "LEDGER")]
    pub ledger: Option<PathBuf>,
}

/// Options of `ledger key`.
#[derive(Debug, Args)]
pub struct LedgerKey {
    /// The file that is made; an existing file is not overwritten.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
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

fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "a size is a number with a unit, such as 500MB, 2GB or 2GiB".to_string();
    let text = text.trim();
    let digits = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| wrong())?;
    let unit = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "kib" => 1 << 10,
        "m" | "mb" => 1_000_000,
        "mib" => 1 << 20,
        "g" | "gb" => 1_000_000_000,
        "gib" => 1 << 30,
        "t" | "tb" => 1_000_000_000_000,
        "tib" => 1 << 40,
        _ => return Err(wrong()),
    };
    match number.checked_mul(unit) {
        Some(bytes) if bytes >= 64 << 20 => Ok(bytes),
        Some(_) => Err("grouping needs at least 64MiB".into()),
        None => Err(wrong()),
    }
}
