//! The commands of the account book and their options.
//!
//! Words only; no option may loosen terms that were not named. It is separate because the book is a noun of its own.
//! Read `../ledger.rs` for what they do.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

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
    /// Looser terms of an account with a key need a signature, which the ledger keeps and every reader checks. Stricter
    /// ones need none.
    ///
    /// Examples:
    ///   incrowd ledger policy employees-2026 --min-group 20
    ///   incrowd ledger policy employees-2026 --epsilon 5 --key officer.key
    ///   incrowd ledger policy employees-2026 --epsilon 5 --print-request raise.json
    ///   incrowd ledger policy employees-2026 --signature raise.signed.json
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
    /// remembered of it is not found. Accounts that have promised more than their terms allow, charges of periods that
    /// had not begun, and accounts whose names look alike are named: another program may have written them.
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
    /// Makes, shows and changes the keys without whose signature an account's terms cannot be loosened.
    ///
    /// Examples:
    ///   incrowd ledger key new officer          officer.key is private, officer.pub public
    ///   incrowd ledger open employees-2026 --epsilon 3 --key officer.pub
    ///   incrowd ledger key change employees-2026 --to next.pub --key officer.key
    #[command(verbatim_doc_comment)]
    Key(LedgerKey),
    /// Sets a book in a PostgreSQL database up for a team, and says what that did.
    ///
    /// Makes the schema `incrowd` with the book, unless it is there, and two roles. Nobody but the owner of the book,
    /// who is the user of the address, has any right to its tables: officers and analysts read views, and write through
    /// functions that check each entry. Rights that somebody granted by hand are taken back. A book that an earlier
    /// version made is moved into the schema; no entry changes. Doing it again changes nothing.
    ///
    /// Examples:
    ///   incrowd ledger setup postgres://owner@book.example/incrowd
    ///   incrowd ledger setup postgres://owner@book.example/incrowd --look
    ///   incrowd ledger setup --print | psql --set ON_ERROR_STOP=1 incrowd
    #[command(verbatim_doc_comment)]
    Setup(LedgerSetup),
    /// Sets entries aside that no reader can read, with an entry that says so: for the owner of a book in a database.
    ///
    /// The first damaged entry and all behind it move to where no reader looks. What among them can be read as paid is
    /// paid again at the end of the chain, and stricter terms hold again; looser ones have to be signed again.
    /// Certificates whose charges were moved are found by `incrowd ledger verify --against FOLDER...`.
    ///
    /// Example:
    ///   incrowd ledger set-aside --ledger postgres://owner@book.example/incrowd --note "a test of a tool, by mistake"
    #[command(verbatim_doc_comment)]
    SetAside(LedgerSetAside),
    /// Shows in words what a change of terms is, and signs it: no ledger is needed for that.
    ///
    /// Without --key nothing is signed. A signature holds for this change of this account in this ledger, and only
    /// until its terms change in another way.
    ///
    /// Examples:
    ///   incrowd ledger sign raise.json
    ///   incrowd ledger sign raise.json --key officer.key
    #[command(verbatim_doc_comment)]
    Sign(LedgerSign),
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
    /// The file with the public key that has to sign looser terms from then on: see `incrowd ledger key new`.
    #[arg(long = "key", alias = "raise-key", value_name = "FILE.pub")]
    pub raise_key: Option<PathBuf>,
    /// Who you are, for the ledger's entries; INCROWD_BY says it, too. The system's user and machine are there anyway.
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Why, for the ledger's entries. Never a value of the data: whoever reads the ledger reads it.
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// The account book: a file, or postgres://user@host/database.
    #[arg(long, value_name = "LEDGER")]
    pub ledger: Option<PathBuf>,
}

/// Options of `ledger set-aside`.
#[derive(Debug, Args)]
pub struct LedgerSetAside {
    /// Who you are, for the ledger's entries; INCROWD_BY says it, too.
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Why, for the ledger's entries. Never a value of the data: whoever reads the ledger reads it.
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// The account book: postgres://owner@host/database.
    #[arg(long, value_name = "LEDGER")]
    pub ledger: Option<PathBuf>,
}

/// Options of `ledger setup`.
#[derive(Debug, Args)]
pub struct LedgerSetup {
    /// The database, and the user who is to own the book: postgres://owner@host/database.
    #[arg(value_name = "ADDRESS", required_unless_present = "print")]
    pub address: Option<String>,
    /// The role of those who open accounts and change their terms; made if it is not there.
    #[arg(long, value_name = "ROLE", default_value = "incrowd_officer")]
    pub officer: String,
    /// The role of those who release; made if it is not there.
    #[arg(long, value_name = "ROLE", default_value = "incrowd_analyst")]
    pub analyst: String,
    /// Change nothing: only say how the book is set up, and who may do what.
    #[arg(long, conflicts_with = "print")]
    pub look: bool,
    /// Print the statements for a database without a book, for its administrator to run.
    #[arg(long, conflicts_with = "address")]
    pub print: bool,
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
    /// The file with the public key that has to sign looser terms from then on: see `incrowd ledger key new`.
    #[arg(long, value_name = "FILE.pub")]
    pub raise_key: Option<PathBuf>,
    /// Terms that shall no longer hold.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "TERM,...")]
    pub clear: Vec<Term>,
    /// The file with the private key of the account, if it has one and the terms become looser.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// Change nothing, and write down what has to be signed, for `incrowd ledger sign` on the machine with the key.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub print_request: Option<PathBuf>,
    /// What was signed there: the terms in it become those of the account.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "epsilon", "delta", "allow", "min_group", "max_epsilon_per_release", "raise_key", "clear", "key", "print_request",
        ]
    )]
    pub signature: Option<PathBuf>,
    /// Who you are, for the ledger's entries; INCROWD_BY says it, too. The system's user and machine are there anyway.
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Why, for the ledger's entries. Never a value of the data: whoever reads the ledger reads it.
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
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
    /// The form: json has accounts, totals, entries and definitions; csv has the entries; xlsx is a workbook with
    /// entries and accounts, and needs --output.
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
    /// A workbook: a sheet of entries, and one of accounts.
    Xlsx,
}

/// Options of `ledger report`.
#[derive(Debug, Args)]
pub struct LedgerReport {
    /// One data set; without it, all.
    #[arg(value_name = "DATASET")]
    pub name: Option<String>,
    /// The page, or as FILE.txt the same as text; an existing file is not overwritten.
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
#[command(args_conflicts_with_subcommands = true)]
pub struct LedgerKey {
    /// What to do with a key.
    #[command(subcommand)]
    pub command: Option<LedgerKeyCommand>,
    /// Without a word before it: the file that the private key is made in, with the public one beside it.
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// What to do with a key.
#[derive(Debug, Subcommand)]
pub enum LedgerKeyCommand {
    /// Makes a key: the private one in NAME.key, readable by you alone, and the public one in NAME.pub.
    New {
        /// What the files are called; existing files are not overwritten.
        #[arg(value_name = "NAME")]
        name: PathBuf,
    },
    /// Shows the public key in a file, or of the private key in it.
    Show {
        /// The file.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Gives an account another key; one that it has already must sign that.
    Change(LedgerKeyChange),
}

/// Options of `ledger key change`.
#[derive(Debug, Args)]
pub struct LedgerKeyChange {
    /// The data set: the people whose budget it is.
    #[arg(value_name = "DATASET")]
    pub name: String,
    /// The file with the public key that it gets.
    #[arg(long, value_name = "FILE.pub")]
    pub to: PathBuf,
    /// The file with the private key that it has.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// Change nothing, and write down what has to be signed, for `incrowd ledger sign` on the machine with the key.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub print_request: Option<PathBuf>,
    /// Who you are, for the ledger's entries; INCROWD_BY says it, too. The system's user and machine are there anyway.
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Why, for the ledger's entries. Never a value of the data: whoever reads the ledger reads it.
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// The account book: a file, or postgres://user@host/database.
    #[arg(long, value_name = "LEDGER")]
    pub ledger: Option<PathBuf>,
}

/// Options of `ledger sign`.
#[derive(Debug, Args)]
pub struct LedgerSign {
    /// What `incrowd ledger policy --print-request` wrote.
    #[arg(value_name = "REQUEST")]
    pub request: PathBuf,
    /// The file with the private key; without it nothing is signed.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// Write the signature to this file; an existing file is not overwritten. Without it, beside the request.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
