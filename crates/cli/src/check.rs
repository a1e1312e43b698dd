//! `incrowd check`: what a release would read, count and lose, for the steward's eyes.
//!
//! Nothing is charged, no ledger is opened, and nothing is written unless it is asked for, but for a mark that this
//! state of the data was looked at. It must never show what it found without the word INTERNAL, or hand it to
//! anything that publishes. It is separate from `release`, which may say nothing of all this. Read `check/verdict.rs`
//! for when a release would go well, `check/page.rs` for what is shown, `incrowd_engine_datafusion::DataCheck` for the
//! looking.

mod fitting;
mod fix;
mod json;
pub mod mark;
mod page;
mod verdict;
mod words;

use crate::args::{CheckCommand, PrintFormat};
use crate::failure::Failure;
use crate::progress::{Progress, Verbosity};
use crate::terminal::{of_this_command, style};
use crate::{session, signals, talk};
use fitting::fit;
use incrowd_engine::{Engine, Watch};
use incrowd_engine_datafusion::{DataFusionEngine, NoFindings, Settings};
use incrowd_release::forecast::{BinSizes, Forecast};
use incrowd_release::plan::Plan;
use incrowd_release::query::{groups, query};
use incrowd_release::release::{Audience, ReleaseFailure, Stage};
use incrowd_release::request::printable;
use incrowd_report::{html, text};
use mark::CheckOutcome;
use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use verdict::{CheckVerdict, Looked, Report};

const INTERNAL: &str = "INTERNAL: THIS DEPENDS ON THE DATA WITHOUT PROTECTION. NEVER PUBLISH IT.";

/// Runs the command.
pub fn run(command: &CheckCommand, format: PrintFormat) -> Result<(), Failure> {
    let stop = signals::listen();
    let session = session::session(None, settings(command));
    let opened = session::open(&session, &command.request)?;
    let query = query(opened.request(), opened.folder())?;
    // Several passes may be needed: what has no name is copied, and not without a word.
    let engine = DataFusionEngine::new(settings(command)).reading_twice();
    session.environment().warn_of_copy(&engine, &query);
    let state = mark::State::of(opened.request(), &engine.files(&query.source.location));
    let plan = opened.plan(None);
    let groups = plan.as_ref().ok().and_then(groups);
    let looked = match engine.check(&query).map(|check| check.in_groups(groups)) {
        Err(unprepared) => Looked::Unprepared(unprepared),
        Ok(check) => {
            let progress = Arc::new(Progress::new(Verbosity::Bar, stop, format));
            progress.begins(Stage::Counting(check.input()));
            let found = check.reveal_findings(Arc::clone(&progress) as Arc<dyn Watch>);
            progress.end();
            match found {
                Ok(mut findings) => {
                    fit(&mut findings, opened.request());
                    Looked::Read(Box::new(findings))
                }
                Err(NoFindings::Damaged(damage)) => Looked::Damaged(damage),
                Err(NoFindings::Stopped) => return Err(Failure::Release(ReleaseFailure::Cancelled)),
            }
        }
    };
    let forecast = match (&plan, &looked) {
        (Ok(plan), Looked::Read(findings)) => forecast(plan, &findings.bins_by_size),
        (Err(_), _) | (_, Looked::Unprepared(_) | Looked::Damaged(_)) => None,
    };
    let report = Report {
        name: opened.name(),
        request: opened.request(),
        most_lost: command.most_lost,
        most_cut: command.most_cut,
        plan: plan.as_ref(),
        looked: &looked,
        forecast,
    };
    let verdict = report.verdict();
    let outcome = match verdict {
        CheckVerdict::Well => CheckOutcome::Passed,
        CheckVerdict::ShowsNothing => CheckOutcome::ShowsNothing,
        CheckVerdict::Refused(_, _)
        | CheckVerdict::Damaged
        | CheckVerdict::TooManyLines { .. }
        | CheckVerdict::NoPeople
        | CheckVerdict::Nobody
        | CheckVerdict::Loses { .. }
        | CheckVerdict::LosesRows { .. }
        | CheckVerdict::HidesRows { .. }
        | CheckVerdict::Misreads { .. }
        | CheckVerdict::Cuts { .. } => CheckOutcome::NotPassed,
    };
    mark::remember(state.as_ref(), outcome, session.environment().data_folder.as_deref());

    // Whoever reads a page on a screen has it there.
    if command.output.is_some() || !std::io::stdout().is_terminal() {
        talk::warn(INTERNAL);
    }
    show(&report, &verdict, command.output.as_deref(), format)?;
    if let Some(target) = &command.fix {
        let changes = fix::write(&command.request, &report.advice(), target)?;
        let target = printable(&target.display().to_string());
        talk::note(
            "note:",
            &match changes {
                0 => format!("the data decides nothing that could be changed: {target} was not written"),
                1 => format!("{target} has 1 change; see `incrowd check {target}`"),
                changes => format!("{target} has {changes} changes; see `incrowd check {target}`"),
            },
        );
    }
    match verdict.failure() {
        None => Ok(()),
        Some((message, hint)) => Err(Failure::Differs { message, hint }),
    }
}

fn settings(command: &CheckCommand) -> Settings {
    let mut settings = Settings { spill: command.spill.clone(), ..Settings::of_this_machine() };
    settings.memory = command.memory.or(settings.memory);
    if let Some(threads) = command.threads {
        settings.threads = usize::from(threads);
    }
    settings
}

fn forecast(plan: &Plan, bins_by_size: &std::collections::BTreeMap<u64, u64>) -> Option<Forecast> {
    let mut sizes = BinSizes::default();
    for (size, bins) in bins_by_size {
        (0..*bins).for_each(|_| sizes.add(*size));
    }
    // Where the law is too large to sum, there is no forecast.
    Forecast::of(plan, &sizes).ok()
}

/// Shows the page, or writes it to a file that only its owner may read.
fn show(
    report: &Report<'_>,
    verdict: &CheckVerdict,
    output: Option<&Path>,
    format: PrintFormat,
) -> Result<(), Failure> {
    let shown = match format {
        PrintFormat::Json => {
            let object = of_this_command(json::object(report, verdict));
            format!("{}\n", serde_json::to_string_pretty(&object).unwrap_or_else(|_| object.to_string()))
        }
        PrintFormat::Html => html(&page::of(report, verdict)),
        PrintFormat::Text => format!("{}\nNothing has been charged.\n", text(&page::of(report, verdict), &style())),
    };
    let Some(path) = output else {
        match format {
            PrintFormat::Text => anstream::stdout().write_all(shown.as_bytes())?,
            PrintFormat::Json | PrintFormat::Html => std::io::stdout().lock().write_all(shown.as_bytes())?,
        }
        return Ok(());
    };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(|error| {
        let message = format!("{} could not be written: {error}", path.display());
        Failure::usage(message, "an existing file is not overwritten: name another one")
    })?;
    file.write_all(anstream::adapter::strip_str(&shown).to_string().as_bytes())?;
    Ok(())
}
