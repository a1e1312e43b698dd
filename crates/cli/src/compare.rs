//! `incrowd compare`: every mechanism under the same promise, side by side.
//!
//! It turns arguments into a comparison and prints it; it must never leave a mechanism out. It is separate from the
//! page, which knows no terminal. Read `incrowd_release::comparison_page` for what is on it.

use crate::args::{CompareCommand, PrintFormat};
use crate::failure::Failure;
use crate::terminal::{Printed, print_json};
use crate::{chart, session};
use incrowd_release::compare::Comparison;
use incrowd_release::comparison_page;
use incrowd_release::plan_page::NOTHING_SPENT;
use incrowd_report::Block;

/// Runs the command.
pub fn run(command: &CompareCommand, format: PrintFormat) -> Result<(), Failure> {
    let request = session::request(&command.request)?;
    let counts = (!command.counts.is_empty()).then_some(command.counts.as_slice());
    let comparison = Comparison::of(&request, counts)?;
    if let Some(path) = &command.chart {
        chart::write(&comparison_page::chart(&comparison), path)?;
    }
    if format == PrintFormat::Json {
        return print_json(&comparison.to_json(&request));
    }
    let mut page = comparison_page::page(&comparison);
    if !command.no_chart && comparison.fitting().next().is_some() {
        page.add("", vec![Block::Chart(Box::new(comparison_page::chart(&comparison)))]);
    }
    Printed { closing: NOTHING_SPENT, ..Printed::only("Comparison", vec![page]) }.print(format)
}
