//! `incrowd release`: charge, count, protect, deliver.
//!
//! It turns arguments into the session's words and says what happened; it must never print a count that was not
//! published. It is separate from the session, which knows no screen. Read `incrowd_release::session` for what happens
//! in which order, `incrowd_release::release` for the story.

use crate::args::{PrintFormat, ReleaseCommand};
use crate::failure::Failure;
use crate::progress::{Progress, Verbosity, unprinted};
use crate::question::Question;
use crate::session::{self, session};
use crate::terminal::{print, print_json, print_page};
use crate::unchecked::checked_before;
use crate::{release_object, signals, talk};
use incrowd_engine_datafusion::Settings;
use incrowd_ledger::{EarlierState, Repeat};
use incrowd_release::account_page::left_words;
use incrowd_release::folder::{Existing, NameDurability};
use incrowd_release::glance::Row;
use incrowd_release::like_counts::LikeCounts;
use incrowd_release::plan::Plan;
use incrowd_release::quality::ReadAs;
use incrowd_release::refusal::Refusal;
use incrowd_release::release::{Audience, Delivered, ReleaseFailure};
use incrowd_release::session::{Draws, ReleaseError, Released, ReleasedAs, Target};
use incrowd_report::{Align, Block, Facts, Page, PageTable};
use serde_json::json;
use std::sync::Arc;

/// How many published rows are shown.
const ROWS_SHOWN: usize = 50;
/// How many characters of a cell are shown.
const WIDEST_CELL: usize = 40;

/// Runs the command.
pub fn run(command: &ReleaseCommand, format: PrintFormat) -> Result<(), Failure> {
    session::says(command.by.as_deref(), command.note.as_deref());
    let stop = signals::listen();
    let like = command.like.as_deref().map(LikeCounts::read).transpose()?;
    let question = Question::of(command, like, Arc::clone(&stop));
    let session = session(command.ledger.as_deref(), settings(command));
    let mut opened = session::open(&session, &command.request)?;
    if let Some(saved) = &command.plan {
        opened = opened.must_be(saved);
    }
    if command.again {
        opened = opened.again();
    }
    if command.if_new {
        opened = opened.if_new();
    }
    if command.open {
        opened = opened.opening();
    }
    let checked = checked_before(&session, &opened, command);
    if question.is_worth_asking() {
        let asked = &question;
        opened = opened.agreed_by(move |offer| asked.ask(offer, checked));
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
    let released = match released {
        Err(error) if command.if_new && is_delivered(&error) => return tell_before(&error, command, format),
        released => released?,
    };
    if command.quiet && format != PrintFormat::Json {
        return Ok(());
    }
    match tell(&released, format) {
        // The release is there, whatever became of the words about it: no exit code may say otherwise.
        Err(Failure::Output(_)) => {
            talk::note("", &unprinted(&released.target));
            Ok(())
        }
        told => told,
    }
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
        return print_json(&release_object::released(released));
    }
    let mut facts = Facts::default();
    let cost = plan.cost();
    if let Some(periods) = plan.kind().period_words() {
        facts.add("periods", periods);
    }
    facts.add("promise", plan.curve_words().join("    "));
    facts.add_all("mind", plan.weakness());
    let charged = format!("epsilon {}, delta {}", cost.epsilon, incrowd_exact::rare_rounding_up(&cost.delta));
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
            facts.add("charged", format!("{charged}, in memory: nothing remembers it"));
        }
        ReleasedAs::Rehearsal => {
            facts.add("REHEARSAL", "made-up counts; no data was read and nothing was charged");
        }
        ReleasedAs::KnownSeed => {
            facts.add("NOT PRIVATE", "drawn from a known seed, for tests");
        }
    }
    match (released.way, plan.made_up_words()) {
        (ReleasedAs::Charged | ReleasedAs::Forgotten, Some(words)) => facts.add("MADE UP", words),
        (ReleasedAs::Rehearsal | ReleasedAs::KnownSeed, _) | (_, None) => {}
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

/// Whether nothing is new, because everything that was asked for is delivered.
fn is_delivered(error: &ReleaseError) -> bool {
    match error {
        ReleaseError::Repeated { repeat, .. } => repeat.earlier.state == EarlierState::Delivered,
        ReleaseError::Release(ReleaseFailure::Refused(Refusal::NothingNew)) => true,
        ReleaseError::Location(_)
        | ReleaseError::NoPolicy(_)
        | ReleaseError::Policy(_)
        | ReleaseError::Clock(_)
        | ReleaseError::Leftover(_)
        | ReleaseError::Place(_)
        | ReleaseError::Review(_)
        | ReleaseError::UnknownAccount(_)
        | ReleaseError::NotAgreed
        | ReleaseError::KnownSeed
        | ReleaseError::NoEntropy(_)
        | ReleaseError::Release(_) => false,
    }
}

/// Says that everything was delivered before: nothing is wrong with that.
fn tell_before(error: &ReleaseError, command: &ReleaseCommand, format: PrintFormat) -> Result<(), Failure> {
    if let ReleaseError::Repeated { folder: None, .. } = error {
        talk::warn(
            "what was delivered is not in the folder that was asked for: it was moved or removed, or has another place",
        );
    }
    if format == PrintFormat::Json {
        return print_json(&match error {
            ReleaseError::Repeated { repeat, folder } => release_object::delivered_before(repeat, folder.as_deref()),
            // A series says only that no period is left.
            other => json!({ "already_delivered": true, "reason": other.to_string(), "data_looked_at": false }),
        });
    }
    if command.quiet {
        return Ok(());
    }
    print(&match error {
        ReleaseError::Repeated { repeat, folder } => {
            let Repeat { account, earlier, .. } = &**repeat;
            let (time, charge) = (earlier.time, &earlier.charge_id);
            let place = folder.as_ref().map(|folder| format!(", in {}", folder.display())).unwrap_or_default();
            format!(
                "Already delivered, nothing was charged: {time} as charge {charge} of account {account}{place}\n{}\n",
                release_object::NOT_LOOKED_AT
            )
        }
        other => format!("Already delivered, nothing was charged: {other}\n"),
    })
}

/// The first published rows.
fn published(plan: &Plan, delivered: &Delivered) -> Vec<Block> {
    let rows = &delivered.glance;
    let align = |column: usize| if column == 0 { Align::Left } else { Align::Right };
    let head: Vec<(&str, Align)> =
        rows.headings.iter().enumerate().map(|(column, name)| (name.as_str(), align(column))).collect();
    let first: Vec<&Row> = rows.rows.iter().take(ROWS_SHOWN).collect();
    let uncertain = first.iter().any(|row| rows.read_as(row).is_some());
    let words = uncertain.then_some((ReadAs::HEADING, Align::Left));
    let mut table = PageTable::new(&head.into_iter().chain(words).collect::<Vec<_>>());
    let (keys, missing) = (plan.request().kind.published().len(), plan.request().output.keys.missing());
    let shown = |row: &&Row| {
        let said = |(at, cell): (usize, Option<&str>)| cell.or((at < keys).then_some(missing)).map(shortened);
        let cells = row.iter().map(Option::as_deref).enumerate().map(said);
        cells.chain(uncertain.then(|| rows.read_as(row).map(|words| words.to_string()))).collect()
    };
    table.rows = first.iter().map(shown).collect();
    let mut blocks = vec![Block::Table(table)];
    blocks.extend(plan.cut_words().filter(|_| rows.length > 0).map(Block::Note));
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
