//! `incrowd law`: what a bin of a given size may publish, and how likely.
//!
//! It turns arguments into a law and prints it; it must never draw from it. It is separate from the page, which knows
//! no terminal. Read `incrowd_release::law_page` for what is on it.

use crate::args::{LawCommand, PrintFormat};
use crate::failure::Failure;
use crate::session;
use crate::terminal::{Printed, print_json};
use incrowd_privacy::AccountError;
use incrowd_release::law_page::{self, Listed};
use incrowd_release::plan_json::law_json;
use incrowd_release::refusal::Refusal;
use incrowd_release::settled;

/// Runs the command.
pub fn run(command: &LawCommand, format: PrintFormat) -> Result<(), Failure> {
    let request = session::request(&command.request)?;
    let settled = settled(&request, None)?;
    let law = settled.deployed().law(command.count).map_err(AccountError::from).map_err(Refusal::from)?;
    if format == PrintFormat::Json {
        return print_json(&law_json(&settled, command.count, &law));
    }
    let listed = if command.all { Listed::All } else { Listed::Likeliest };
    let page = law_page::page(&request, &settled, (command.count, &law), listed);
    Printed::only("Law", vec![page]).print(format)
}
