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
use crate::engines::only_files;
use crate::failure::Failure;
use crate::progress::{Progress, Verbosity};
use crate::share::Share;
use crate::signals::StopRequest;
use crate::terminal::{of_this_command, style};
use crate::{session, signals, talk};
use fitting::fit;
use incrowd_engine::{Engine, Watch};
use incrowd_engine_datafusion::{DataFusionEngine, NoFindings, Settings};
use incrowd_release::forecast::{BinSizes, Forecast};
use incrowd_release::plan::Plan;
use incrowd_release::query::{groups, query};
use incrowd_release::refusal::Refusal;
use incrowd_release::release::{Audience, ReleaseFailure, Stage};
use incrowd_release::request::printable;
use incrowd_release::session::{OpenedRequest, Session};
use incrowd_report::{html, text};
use mark::CheckOutcome;
use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use verdict::{CheckVerdict, Looked, Report};

const INTERNAL: &str = "INTERNAL: THIS DEPENDS ON THE DATA WITHOUT PROTECTION. NEVER PUBLISH IT.";

/// So often is a request looked at that was changed as advised, because one fault may hide another.
const MOST_ROUNDS: usize = 8;

/// Runs the command.
pub fn run(command: &CheckCommand, format: PrintFormat) -> Result<(), Failure> {
    let stop = signals::listen();
    let session = session::session(None, settings(command));
    let opened = session::open(&session, &command.request)?;
    let look = Look::at(&session, &opened, command, &stop, format)?;
    let report = look.report(&opened, command);
    let verdict = report.verdict();
    look.remember(&report, &verdict, &session);

    // Whoever reads a page on a screen has it there.
    if command.output.is_some() || !std::io::stdout().is_terminal() {
        talk::warn(INTERNAL);
    }
    show(&report, &verdict, command.output.as_deref(), format)?;
    if let Some(target) = &command.fix {
        let changes = fix::write(&command.request, &report.advice(), target)?;
        let source = report.request.data.as_ref().and_then(|data| data.source.as_deref());
        let words = match (changes, source) {
            (0, _) => "the data decides nothing that could be changed: it was not written".to_owned(),
            // It was read to its end.
            (changes, Some("-")) => format!("{}; it was not tried on standard input again", changes_words(changes)),
            (changes, _) => {
                let look_again = |opened: &OpenedRequest<'_>| Look::at(&session, opened, command, &stop, format);
                mended(&session, command, target, changes, &look_again)?
            }
        };
        talk::note("note:", &format!("{}: {words}", printable(&target.display().to_string())));
    }
    match verdict.failure() {
        None => Ok(()),
        Some((message, hint)) => Err(Failure::Differs { message, hint }),
    }
}

/// Looks at a request that was changed as advised, changes it further while there is more to advise, and returns what
/// came of it.
fn mended<'s>(
    session: &'s Session,
    command: &CheckCommand,
    target: &Path,
    mut changes: usize,
    look_again: &dyn Fn(&OpenedRequest<'s>) -> Result<Look, Failure>,
) -> Result<String, Failure> {
    let mut rounds = 1;
    loop {
        let opened = session::open(session, target)?;
        let look = look_again(&opened)?;
        let report = look.report(&opened, command);
        let more = if rounds < MOST_ROUNDS { fix::improve(target, &report.advice())? } else { 0 };
        if more > 0 {
            (changes, rounds) = (changes + more, rounds + 1);
            continue;
        }
        let verdict = report.verdict();
        look.remember(&report, &verdict, session);
        let changes = changes_words(changes);
        return Ok(match verdict.failure() {
            None => format!("{changes}, and with them {}", verdict.words()),
            Some((message, hint)) => format!("{changes}, and they are not enough: {message} ({hint})"),
        });
    }
}

fn changes_words(changes: usize) -> String {
    if changes == 1 { "1 change".into() } else { format!("{changes} changes") }
}

/// A request and its data, looked at.
struct Look {
    state: Option<mark::State>,
    plan: Result<Plan, Refusal>,
    looked: Looked,
    forecast: Option<Forecast>,
}

impl Look {
    fn at(
        session: &Session,
        opened: &OpenedRequest<'_>,
        command: &CheckCommand,
        stop: &Arc<StopRequest>,
        format: PrintFormat,
    ) -> Result<Look, Failure> {
        let query = query(opened.request(), opened.folder())?;
        only_files("`check`", &query.source.location)?;
        // Several passes may be needed: what has no name is copied, and not without a word.
        let engine = DataFusionEngine::new(settings(command)).reading_twice();
        session.environment().warn_of_copy(&engine, &query);
        let state = mark::State::of(opened.request(), &engine.files(&query.source.location));
        let plan = opened.plan(None);
        let groups = plan.as_ref().ok().and_then(groups);
        let looked = match engine.check(&query).map(|check| check.in_groups(groups)) {
            Err(unprepared) => Looked::Unprepared(unprepared),
            Ok(check) => {
                let progress = Arc::new(Progress::new(Verbosity::Bar, Arc::clone(stop), format));
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
        Ok(Look { state, plan, looked, forecast })
    }

    fn report<'l>(&'l self, opened: &'l OpenedRequest<'_>, command: &CheckCommand) -> Report<'l> {
        Report {
            name: opened.name(),
            request: opened.request(),
            most_lost: command.most_lost,
            most_cut: command.most_cut,
            plan: self.plan.as_ref(),
            looked: &self.looked,
            forecast: self.forecast.clone(),
        }
    }

    /// Leaves a mark that this state was looked at.
    fn remember(&self, report: &Report<'_>, verdict: &CheckVerdict, session: &Session) {
        let usual = Report { most_lost: Share::USUALLY_LOST, most_cut: Share::USUALLY_CUT, ..report.clone() };
        let outcome = match verdict {
            CheckVerdict::Well if usual.verdict() != CheckVerdict::Well => CheckOutcome::PassedWithMore,
            CheckVerdict::Well => CheckOutcome::Passed,
            CheckVerdict::ShowsNothing => CheckOutcome::ShowsNothing,
            CheckVerdict::Loses { .. } | CheckVerdict::LosesRows { .. } | CheckVerdict::HidesRows { .. } => {
                CheckOutcome::Loses
            }
            CheckVerdict::Cuts { .. } => CheckOutcome::Cuts,
            CheckVerdict::Refused(_, _)
            | CheckVerdict::Damaged
            | CheckVerdict::TooManyLines { .. }
            | CheckVerdict::NoPeople
            | CheckVerdict::Nobody
            | CheckVerdict::Misreads { .. } => CheckOutcome::NotPassed,
        };
        mark::remember(self.state.as_ref(), outcome, session.environment().data_folder.as_deref());
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
