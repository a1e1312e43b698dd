//! The binary `incrowd`: reads arguments and requests, chooses the engine, prints.
//!
//! It must never decide anything about privacy. It is separate from `incrowd-release` so that other front ends tell the
//! same story. Read `args.rs` for the commands, then one file for each.

mod args;
mod chart;
mod check;
mod compare;
mod diff;
mod draw;
mod engines;
mod example;
mod export;
mod failure;
mod init;
mod label;
mod law;
mod ledger;
mod man;
mod new_files;
mod plan;
mod policies;
mod policy;
mod progress;
mod question;
mod recover;
mod release;
mod release_object;
mod render;
mod session;
mod share;
mod signals;
mod talk;
mod terminal;
mod unchecked;
mod usage;
mod verify;

use args::{Arguments, Command, LedgerCommand, PolicyCommand, PrintFormat, SchemaOf};
use clap::CommandFactory;
use failure::Failure;
use incrowd_memory::{Bounded, Reached, ends_with};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Without memory the process ends with a text that was laid ready, and never with the size of what it wanted.
#[global_allocator]
static MEMORY: Bounded = Bounded;

fn main() -> ExitCode {
    // What a library says when it panics may quote a row; a panic that is caught is a failure like any other.
    std::panic::set_hook(Box::new(|_| {}));
    signals::leave_no_memory_behind();
    signals::full_disks_are_errors();
    let given: Vec<OsString> = std::env::args_os().collect();
    let arguments = match usage::arguments(&given) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let format = arguments.format;
    ends_with(Reached::Nothing, Failure::NoMemory.ending(format));
    match std::panic::catch_unwind(|| run(arguments)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.report(format),
        // Nobody knows how far it came: after a charge, that is a charge without a delivery.
        Err(_) if signals::has_charged() => Failure::LostAfterTheCharge.report(format),
        Err(_) => Failure::usage("incrowd panicked", "this is a mistake in incrowd: please report it").report(format),
    }
}

/// Whether what a command prints is a page.
fn has_a_page(command: &Command) -> bool {
    match command {
        Command::Plan(_)
        | Command::Check(_)
        | Command::Compare(_)
        | Command::Law(_)
        | Command::Verify(_)
        | Command::Diff(_)
        | Command::Policies(_)
        | Command::Policy(_) => true,
        Command::Ledger(command) => matches!(command, LedgerCommand::Show(_)),
        Command::Draw(_)
        | Command::Release(_)
        | Command::Recover(_)
        | Command::Render(_)
        | Command::Init(_)
        | Command::Example(_)
        | Command::Export(_)
        | Command::Schema { .. }
        | Command::Man(_)
        | Command::Completions { .. } => false,
    }
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    if arguments.format == PrintFormat::Html && !has_a_page(&arguments.command) {
        let message =
            "--format html is for plan, check, compare, law, diff, verify, policies, policy check and ledger show";
        return Err(Failure::usage(message, "leave it out, or say --format json"));
    }
    match arguments.command {
        Command::Plan(command) => plan::run(&command, arguments.format),
        Command::Check(command) => check::run(&command, arguments.format),
        Command::Compare(command) => compare::run(&command, arguments.format),
        Command::Law(command) => law::run(&command, arguments.format),
        Command::Draw(command) => draw::run(&command, arguments.format),
        Command::Release(command) => release::run(&command, arguments.format),
        Command::Recover(command) => recover::run(&command, arguments.format),
        Command::Render(command) => render::run(&command, arguments.format),
        Command::Diff(command) => diff::run(&command, arguments.format),
        Command::Verify(command) => verify::run(&command, arguments.format),
        Command::Init(command) => init::run(&command, arguments.format),
        Command::Policies(command) => policies::run(&command, arguments.format),
        Command::Policy(PolicyCommand::Check(command)) => policy::check(&command, arguments.format),
        Command::Ledger(command) => ledger::run(&command, arguments.format),
        Command::Example(command) => example::run(&command, arguments.format),
        Command::Export(command) => export::run(&command, arguments.format),
        Command::Schema { of: SchemaOf::Request } => terminal::print_schema(&incrowd_release::request::schema()),
        Command::Schema { of: SchemaOf::Certificate } => {
            terminal::print(incrowd_release::certificate::CERTIFICATE_SCHEMA)
        }
        Command::Schema { of: SchemaOf::Keys } => terminal::print(&incrowd_release::request::reference()),
        Command::Man(command) => man::run(&command, arguments.format),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "incrowd", &mut script);
            Ok(anstream::stdout().write_all(&script)?)
        }
    }
}
