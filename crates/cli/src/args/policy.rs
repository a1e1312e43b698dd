//! The commands about the policy of a machine and their options.
//!
//! Words only; no option may say where the policy is. It is separate because `policies` are rules by their names, and
//! this is a file. Read `../policy.rs` for what they do.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What to do with the policy of a machine.
#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    /// Says what the policy of this machine asks for, and whether a request may be released by it. Reads no data.
    ///
    /// The administrator writes it: /etc/incrowd/policy.toml, on macOS /Library/Application
    /// Support/incrowd/policy.toml, on Windows C:\Program Files\incrowd\policy.toml. No option, variable or request
    /// names another one. Exit codes: 0 the request may be released, or there is no policy; 1 it would be refused; 2
    /// the policy cannot be followed, so that nothing is charged.
    ///
    /// Examples:
    ///   incrowd policy check
    ///   incrowd policy check request.toml
    #[command(verbatim_doc_comment)]
    Check(PolicyCheck),
}

/// Options of `policy check`.
#[derive(Debug, Args)]
pub struct PolicyCheck {
    /// A request, or - for standard input.
    #[arg(value_name = "REQUEST")]
    pub request: Option<PathBuf>,
    /// The account book that would be named.
    #[arg(long, value_name = "LEDGER", requires = "request")]
    pub ledger: Option<PathBuf>,
}
