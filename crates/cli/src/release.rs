//! `incrowd release`: charge, count, protect, deliver.
//!
//! It turns arguments into the session's words and says what happened; it must never print a count that was not
//! published. It is separate from the session, which knows no screen. Read `incrowd_release::session` for what happens
//! in which order, `incrowd_release::release` for the story.

use crate::args::{PrintFormat, ReleaseCommand};
use crate::check::mark::{self, Outcome, State};
use crate::failure::Failure;
use crate::label::label;
use crate::progress::{Progress, Verbosity, unprinted};
use crate::question::Question;
use crate::session::{self, session};
use crate::signals;
use crate::terminal::{print_json, print_page};
use incrowd_engine::Engine;
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_release::account_page::left_words;
use incrowd_release::folder::{Existing, NameDurability};
use incrowd_release::glance::Row;
use incrowd_release::like_counts::LikeCounts;
use incrowd_release::plan::Plan;
use incrowd_release::plan_json::JSON_VERSION;
use incrowd_release::release::{Audience, Delivered};
use incrowd_release::query::query;
use incrowd_release::request::printable;
use incrowd_release::session::{Draws, OpenedRequest, Released, ReleasedAs, Session, Target};
use incrowd_report::{Align, Block, Facts, Page, PageTable};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::sync::Arc;

/// How many published rows are shown.
const ROWS_SHOWN: usize = 50;
/// How many characters of a cell are shown.
const WIDEST_CELL: usize = 40;

/// Runs the command.
pub fn run(command: &ReleaseCommand, format: PrintFormat) -> Result<(), Failure> {
    let stop = signals::listen();
    let like = command.like.as_deref().map(LikeCounts::read).transpose()?;
    let question = Question::of(command, format, like, Arc::clone(&stop));
    let session = session(command.ledger.as_deref(), settings(command));
    let mut opened = session::open(&session, &command.request)?;
    if let Some(saved) = &command.plan {
        opened = opened.must_be(saved);
    }
    if !command.rehearse && !command.quiet && std::io::stderr().is_terminal() {
        note_unchecked(&session, &opened, command);
    }
    if question.is_worth_asking() {
        opened = opened.agreed_by(|plan| question.ask(plan));
    }
    let existing = if command.replace { Existing::Replace } else { Existing::Refuse };
    let target = Target { folder: command.folder.clone(), existing };
    let draws = command.test_seed.map_or(Draws::Private, |seed| Draws::Known { seed });
    let verbosity = match (command.quiet, command.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Timings,
        (false, false) => Verbosity::Bar,
    };
    let progress = Arc::new(Progress::new(verbosity, stop, format));
    let audience: Arc<dyn Audience> = Arc::clone(&progress) as Arc<dyn Audience>;
    let released = if command.rehearse {
        opened.rehearse(&target, draws, audience)
    } else {
        opened.release(&target, draws, audience)
    };
    progress.end();
    // Sizes that do not fit the request are wrong arguments, not an answer.
    if let Some(error) = question.error() {
        return Err(error.into());
    }
    let released = released?;
    if command.quiet && format != PrintFormat::Json {
        return Ok(());
    }
    match tell(&released, format) {
        // The release is there, whatever became of the words about it: no exit code may say otherwise.
        Err(Failure::Output(_)) => {
            let _ = writeln!(anstream::stderr(), "{}", unprinted(&released.target));
            Ok(())
        }
        told => told,
    }
}

/// Says when nobody looked at this state of the data, or when what was seen was not good.
fn note_unchecked(session: &Session, opened: &OpenedRequest<'_>, command: &ReleaseCommand) {
    let source = opened.request().data.as_ref().and_then(|data| data.source.as_deref());
    let (Some(source), Ok(asked)) = (source, query(opened.request(), opened.folder())) else { return };
    let files = DataFusionEngine::new(Settings::default()).files(&asked.source.location);
    let Some(state) = State::of(opened.request(), &files) else { return };
    let was = match mark::recall(&state, session.environment().data_folder.as_deref()) {
        Some(Outcome::Passed) => return,
        Some(Outcome::NotPassed) => "was checked and did not pass",
        None => "was not checked",
    };
    let (source, request) = (printable(source), printable(&command.request.display().to_string()));
    let note = format!("this state of {source} {was}; `incrowd check {request}` charges nothing");
    let _ = writeln!(anstream::stderr(), "{} {note}", label("note:"));
}

fn settings(command: &ReleaseCommand) -> Settings {
    let mut settings = Settings { spill: command.spill.clone(), ..Settings::of_this_machine() };
    settings.memory = command.memory.or(settings.memory);
    if let Some(threads) = command.threads {
        settings.threads = usize::from(threads);
    }
    settings
}

fn tell(released: &Released, format: PrintFormat) -> Result<(), Failure> {
    let Released { plan, delivered, .. } = released;
    let folder = delivered.folder.display().to_string();
    if format == PrintFormat::Json {
        return print_json(&json!({
            "version": JSON_VERSION,
            "folder": folder,
            "charge_id": delivered.charge_id.as_str(),
            "account": delivered.account.as_str(),
            "account_opened": delivered.opened_account,
            "request_hash": plan.request().request_hash(),
            "private": match released.way {
                ReleasedAs::Charged | ReleasedAs::Forgotten => true,
                ReleasedAs::KnownSeed | ReleasedAs::Rehearsal => false,
            },
        }));
    }
    let mut facts = Facts::default();
    let cost = plan.cost();
    if let Some(periods) = plan.kind().period_words() {
        facts.add("periods", periods);
    }
    facts.add("promise", plan.curve_words().join("    "));
    let charged = format!("epsilon {}, delta {}", cost.epsilon, incrowd_exact::significant_rounding_up(&cost.delta, 3));
    match released.way {
        ReleasedAs::Charged => {
            let opened = if delivered.opened_account {
                " (opened now, without a limit; `incrowd ledger open` sets one beforehand)"
            } else {
                ""
            };
            let account = delivered.account.as_str();
            facts.add("charged", format!("{charged} to account {account}{opened}"));
            if let Some(after) = &released.after {
                facts.add("left", left_words(after, plan.request().ledger.snapshot_name()));
            }
            facts.add("ledger", released.ledger.to_string());
        }
        ReleasedAs::Forgotten => {
            facts.add("charged", format!("{charged}, in memory: the data is declared as made up"));
        }
        ReleasedAs::Rehearsal => {
            facts.add("REHEARSAL", "made-up counts; no data was read and nothing was charged");
        }
        ReleasedAs::KnownSeed => {
            facts.add("NOT PRIVATE", "drawn from a known seed, for tests");
        }
    }
    facts.add("delivered", folder.as_str());
    if delivered.name == NameDurability::NotSynced {
        let note = "the disk could not confirm the folder's name: after a power cut it may be missing, though charged";
        facts.add("note", note);
    }
    let mut page = Page::titled(plan.title());
    page.add("", vec![facts.block()]);
    page.add("", published(plan, delivered));
    let next = match released.way {
        ReleasedAs::Rehearsal => "the same without --rehearse".to_string(),
        ReleasedAs::Charged | ReleasedAs::Forgotten | ReleasedAs::KnownSeed => format!("incrowd verify {folder}"),
    };
    print_page(&page, &format!("Next: {next}"))
}

/// The first published rows.
fn published(plan: &Plan, delivered: &Delivered) -> Vec<Block> {
    let rows = &delivered.glance;
    let align = |column: usize| if column == 0 { Align::Left } else { Align::Right };
    let head: Vec<(&str, Align)> =
        rows.headings.iter().enumerate().map(|(column, name)| (name.as_str(), align(column))).collect();
    let mut table = PageTable::new(&head);
    let shown = |row: &Row| row.iter().map(|cell| cell.as_deref().map(shortened)).collect();
    table.rows = rows.rows.iter().take(ROWS_SHOWN).map(shown).collect();
    let mut blocks = vec![Block::Table(table)];
    if rows.length == 0 {
        let nothing = "nothing was shown: no bin had enough people for this promise, or nobody was counted";
        let shows = plan.shows_words().map(|words| format!("; {words}")).unwrap_or_default();
        blocks.push(Block::Note(format!("{nothing}{shows}")));
    }
    if rows.length > ROWS_SHOWN as u64 {
        blocks.push(Block::Note(format!("... and more in {}", delivered.folder.display())));
    }
    blocks
}

/// A cell that fits on a screen.
fn shortened(cell: &str) -> String {
    let mut short: String = cell.chars().take(WIDEST_CELL).collect();
    if short.len() < cell.len() {
        short.push_str("...");
    }
    short
}
