//! The commands and their options, with the help that teaches them.
//!
//! Every option says what it does to the promise, if anything; nothing here may have a default that weakens one. It is
//! separate so that help, completion and reference page come from one place; the options of each command are in
//! `args`, by what they are about. Read `args/release.rs` next.

mod amount;
mod diff;
mod example;
mod folder;
mod init;
mod ledger;
mod plan;
mod policy;
mod release;

pub use diff::DiffCommand;
pub use example::{ExampleCommand, ExampleName, ManCommand, PoliciesCommand, SchemaOf};
pub use folder::{ExportCommand, FolderForm, RenderCommand, VerifyCommand};
pub use init::InitCommand;
pub use ledger::{
    ExportForm, LedgerCommand, LedgerExport, LedgerExposure, LedgerKey, LedgerKeyChange, LedgerKeyCommand, LedgerLook,
    LedgerOpen, LedgerPolicy, LedgerReport, LedgerSetAside, LedgerSetup, LedgerSign, LedgerVerify, PeopleKind,
    RefreshPeriod, Term,
};
pub use plan::{CompareCommand, DrawCommand, LawCommand, PlanCommand};
pub use policy::{PolicyCheck, PolicyCommand};
pub use release::{CheckCommand, RecoverCommand, ReleaseCommand};

use clap::{Parser, Subcommand, ValueEnum};

/// Publish counts from data about people, so that nobody stands out.
///
/// Start with `incrowd example salaries FOLDER`, or with `incrowd init DATA`, which writes a request: a TOML file that
/// says what is counted and what is promised to whom. `incrowd plan REQUEST` shows what the promise means, what it
/// costs and how accurate the counts will be; nothing is read or spent. `incrowd release REQUEST` publishes.
#[derive(Debug, Parser)]
#[command(name = "incrowd", version, max_term_width = 100, after_long_help = FIRST_REQUEST)]
pub struct Arguments {
    /// How results are printed: text for people, json for machines (stable fields, a version number), html as a page
    /// for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show).
    #[arg(long, value_enum, default_value_t = PrintFormat::Text, global = true)]
    pub format: PrintFormat,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Enough to begin with.
const FIRST_REQUEST: &str = "\
A first request, to be saved as request.toml:

  policy = \"fewer-than-6\"          # a rule by its name: `incrowd policies` lists them

or, by odds, from even odds and for whoever knows how many others are in a person's group:

  [promise]
  small      = 6                   # in groups of fewer than 6 nobody becomes surer than 55 %,
  small-odds = \"55 %\"              # elsewhere than 75 %
  odds       = \"75 %\"

or by its name in the literature, kind = one of: differential-privacy (epsilon), group (group, epsilon),
crowd-blending (crowd, epsilon), simple-outlier and simple-outlier-dp (group, epsilon), staircase (thresholds,
epsilons), linear (slope, floor, cap), fading (group, width, epsilon, factor), table (values). `delta` may be added
to each.

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
    /// choice that the promise does not cover. Exit codes: 0 a release would go well; 1 it would fail, lose more people
    /// than --most-lost, leave out more of their bins than --most-cut, misread days, show nothing, or not fit the data,
    /// such as a column that is not there; 2 a request that is wrong by itself.
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
    /// Says what changed between two delivered folders of one table, and what may be noise; free.
    ///
    /// Only what is published is read: no data, no ledger, no budget. Both folders are verified first. Their tables are
    /// the same, or one is coarser than the other; states of the data, conditions and promises may differ. The interval
    /// of a change holds 95 times of 100 whatever the true counts are; "more than noise" takes the number of compared
    /// cells into account.
    ///
    /// Examples:
    ///   incrowd diff 2025 2026
    ///   incrowd diff 2025 2026 --only-changed --to changes.csv
    ///   incrowd diff weekly weekly --periods 2026-01-05,2026-01-12     two periods of a series
    #[command(verbatim_doc_comment)]
    Diff(DiffCommand),
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
    ///   incrowd init patients.csv --protect-below 6
    ///   incrowd init patients.csv --policy fewer-than-11
    ///   incrowd init people.csv --interactive
    #[command(verbatim_doc_comment)]
    Init(InitCommand),
    /// Rules that publishers follow, by name, with what each promises here and to whom exactly.
    ///
    /// `policy = "fewer-than-6"` in a request says what is promised and how small values are shown. Without a name, all
    /// of them are listed.
    ///
    /// Examples:
    ///   incrowd policies
    ///   incrowd policies fewer-than-6
    #[command(verbatim_doc_comment)]
    Policies(PoliciesCommand),
    /// The policy of this machine: what whoever releases on it cannot choose.
    #[command(subcommand)]
    Policy(PolicyCommand),
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
    /// The JSON Schema of requests, for editors, or of certificates; or every key of a request as a page to read.
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
