//! `incrowd release`: charge, count, protect, deliver.
//!
//! It chooses the engine, the account book and the source of randomness, and says what happened; it must never print a count
//! that was not published. It is separate from the story itself, which knows no screen. Read `incrowd_release::release` for
//! the story.

use crate::args::{Format, ReleaseCommand};
use crate::failure::Failure;
use crate::page;
use crate::place::{self, Place};
use crate::recover::before_release;
use crate::reviewed;
use crate::signals;
use crate::watch::{Screen, Talk};
use crate::{input, ledger};
use incrowd_engine::Engine;
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_ledger::{Attendant, Ledger, Moment};
use incrowd_memory::{Ending, Reached, ends_with};
use incrowd_noise::ReleaseSecret;
use incrowd_noise::testing::known_secret;
use incrowd_release::certificate::Randomness;
use incrowd_release::continuing::continued;
use incrowd_release::folder::{Existing, Name};
use incrowd_release::plan::Plan;
use incrowd_release::plan_json::JSON_VERSION;
use incrowd_release::recover::is_anything_left;
use incrowd_release::rehearsal::Rehearsal;
use incrowd_release::release::{Audience, Delivered, Order, release};
use incrowd_release::request::{Request, printable};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// How many published rows are shown.
const ROWS_SHOWN: usize = 50;
/// How many characters of a cell are shown.
const WIDEST_CELL: usize = 40;

/// Runs the command.
pub fn run(command: &ReleaseCommand, format: Format) -> Result<(), Failure> {
    let asked = signals::listen();
    let mut request = input::request(&command.request)?;
    let base = command.request.parent().map(Path::to_path_buf).unwrap_or_default();
    let place = if command.rehearse || command.test_seed.is_some() {
        Place::Memory
    } else {
        place::of_request(command.ledger.as_deref(), &request, &base)?
    };
    let folder = folder(command, &request, &base);
    // A clock that is wrong is found out before anything is charged.
    now()?;
    let mut book = None;
    if is_anything_left(&folder) {
        let mut opened = place.open()?;
        before_release(&folder, &mut opened)?;
        book = Some(opened);
    }
    if request.series().is_some() {
        let opened = match book.take() {
            Some(opened) => opened,
            None => place.open()?,
        };
        continued(&mut request, &opened)?;
        book = Some(opened);
    }
    let mut plan = Plan::of(&request, None)?;
    if let Some(saved) = &command.plan {
        reviewed::must_match(&plan, saved)?;
    }
    if command.rehearse {
        // What is rehearsed is made up, and its certificate must say so.
        request.data.get_or_insert_default().synthetic = true;
        plan = Plan::of(&request, None)?;
    }
    let secret = secret(command, &request)?;
    let randomness = secret.origin();
    let mut book = match book {
        Some(opened) => opened,
        None => place.open()?,
    };
    book.attended_by(Arc::clone(&asked) as Arc<dyn Attendant>);
    let engine: Box<dyn Engine> = if command.rehearse {
        Box::new(Rehearsal::of(&plan))
    } else {
        Box::new(DataFusionEngine::new(settings(command)))
    };
    let talk = match (command.quiet, command.verbose) {
        (true, _) => Talk::Quiet,
        (false, true) => Talk::Timings,
        (false, false) => Talk::Bar,
    };
    let screen = Arc::new(Screen::new(talk, Arc::clone(&asked), format));
    let audience: Arc<dyn Audience> = Arc::clone(&screen) as Arc<dyn Audience>;
    let existing = if command.replace { Existing::Replace } else { Existing::Refuse };
    let order = Order { plan: &plan, base: &base, folder: &folder, existing };
    let delivered = release(&order, &*engine, &mut book, secret, &clock, audience);
    screen.end();
    let delivered = delivered?;
    asked.delivered();
    let text = format!("delivered to {}; its summary could not be printed\n", folder.display());
    ends_with(Reached::Delivered, Ending { text, code: 0 });
    if delivered.opened_account && randomness == Randomness::OperatingSystem && place != Place::Memory {
        warn_of_new_account(&plan, &book, &place);
    }
    if command.quiet && format == Format::Text {
        return Ok(());
    }
    match tell(&plan, &delivered, &book, &place, format, (randomness, command.rehearse)) {
        // The release is there, whatever became of the words about it: no exit code may say otherwise.
        Err(Failure::Output(_)) => {
            let _ = writeln!(anstream::stderr(), "delivered to {}; its summary could not be printed", folder.display());
            Ok(())
        }
        told => told,
    }
}

/// Says that nobody had opened the account that paid: a misspelt name, or another book, would have no limit unseen.
fn warn_of_new_account(plan: &Plan, book: &Ledger, place: &Place) {
    let Ok(account) = incrowd_release::charge::account(plan) else { return };
    let others = book.accounts().unwrap_or_default();
    let others: Vec<String> =
        others.iter().filter(|other| other.name != account).map(|other| printable(other.name.as_str())).collect();
    let known = if others.is_empty() { String::new() } else { format!("; it has {}", others.join(", ")) };
    let name = printable(account.as_str());
    // The release is there, whatever becomes of the words about it.
    let _ =
        writeln!(anstream::stderr(), "warning: account {name} was not open in {place}, and has no limit now{known}");
}

/// Returns the present, or refuses a clock that cannot be right: what is charged is dated by it.
pub fn now() -> Result<Moment, Failure> {
    moment(SystemTime::now())
}

/// The beginning of 2020 and the end of 9999, in seconds since 1970: no release is older, and no year has more digits.
const RIGHT: std::ops::Range<u64> = 1_577_836_800..253_402_300_800;

fn moment(clock: SystemTime) -> Result<Moment, Failure> {
    let seconds = clock.duration_since(UNIX_EPOCH).map(|since| since.as_secs());
    match seconds {
        Ok(seconds) if RIGHT.contains(&seconds) => Ok(Moment::from_unix_seconds(seconds)),
        Ok(_) | Err(_) => Err(Failure::usage(
            "the clock of this machine is wrong: it shows a time before 2020 or after 9999",
            "set the clock, then try again; nothing was charged",
        )),
    }
}

/// The present, for a charge; a clock that was set wrong since it was looked at does no harm, because no rule compares times.
fn clock() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Moment::from_unix_seconds(since.map_or(RIGHT.start, |since| since.as_secs()))
}

fn folder(command: &ReleaseCommand, request: &Request, base: &Path) -> PathBuf {
    let folder = match (&command.folder, &request.output.folder) {
        (Some(folder), _) => folder.clone(),
        (None, Some(folder)) => base.join(folder),
        (None, None) => base.join("out"),
    };
    if !command.rehearse {
        return folder;
    }
    let mut name = folder.file_name().unwrap_or_default().to_os_string();
    name.push("-rehearsal");
    folder.with_file_name(name)
}

fn secret(command: &ReleaseCommand, request: &Request) -> Result<ReleaseSecret, Failure> {
    let synthetic = request.data.as_ref().is_some_and(|data| data.synthetic);
    if command.rehearse {
        return Ok(known_secret(command.test_seed.unwrap_or(0)));
    }
    match command.test_seed {
        Some(seed) if synthetic => Ok(known_secret(seed)),
        Some(_) => Err(Failure::usage(
            "--test-seed makes every draw known, so nothing released with it is private",
            "it works only with synthetic = true in [data]; leave it out for real data",
        )),
        None => ReleaseSecret::fresh().map_err(|error| {
            Failure::usage(error.to_string(), "nothing is drawn without them; look at the system's random device")
        }),
    }
}

fn settings(command: &ReleaseCommand) -> Settings {
    let mut settings = Settings { memory: command.memory.or_else(most_of_the_memory), ..Settings::default() };
    settings.spill = command.spill.clone();
    if let Some(threads) = command.threads {
        settings.threads = usize::from(threads);
    }
    settings
}

/// Three quarters of the memory that is free now, where the system tells; else no limit.
pub fn most_of_the_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some((kilobytes * 1024 / 4 * 3).max(64 << 20))
}

fn tell(
    plan: &Plan,
    delivered: &Delivered,
    book: &Ledger,
    place: &Place,
    format: Format,
    (randomness, rehearsed): (Randomness, bool),
) -> Result<(), Failure> {
    let account = incrowd_release::charge::account(plan)?;
    let left = book.account(&account).ok().flatten();
    let folder = delivered.folder.display().to_string();
    if format == Format::Json {
        return page::print_json(&json!({
            "version": JSON_VERSION,
            "folder": folder,
            "charge_id": delivered.charge_id.as_str(),
            "account": account.as_str(),
            "account_opened": delivered.opened_account,
            "request_hash": plan.request.request_hash(),
            "private": randomness == Randomness::OperatingSystem,
        }));
    }
    let mut text = page::heading(&plan.title());
    let cost = plan.cost();
    if let Some(periods) = plan.period_words() {
        text.push_str(&page::entry("periods", &periods));
    }
    text.push_str(&page::entry("promise", &plan.curve_words().join("    ")));
    let charged = format!("epsilon {}, delta {}", cost.epsilon, incrowd_exact::significant_rounding_up(&cost.delta, 3));
    match (randomness, place) {
        (Randomness::OperatingSystem, Place::File(_) | Place::Database(_)) => {
            let opened = if delivered.opened_account {
                " (opened now, without a limit; `incrowd ledger open` sets one beforehand)"
            } else {
                ""
            };
            let account = printable(account.as_str());
            text.push_str(&page::entry("charged", &format!("{charged} to account {account}{opened}")));
            if let Some(left) = &left {
                text.push_str(&page::entry("left", &ledger::left_words(left, plan.request.ledger.snapshot_name())));
            }
            text.push_str(&page::entry("ledger", &place.to_string()));
        }
        (Randomness::OperatingSystem, Place::Memory) => {
            text.push_str(&page::entry("charged", &format!("{charged}, in memory: the data is declared as made up")));
        }
        (Randomness::KnownSeed, _) if rehearsed => {
            text.push_str(&page::entry("REHEARSAL", "made-up counts; no data was read and nothing was charged"));
        }
        (Randomness::KnownSeed, _) => {
            text.push_str(&page::entry("NOT PRIVATE", "drawn from a known seed, for tests"));
        }
    }
    text.push_str(&page::entry("delivered", &folder));
    if delivered.name == Name::NotSynced {
        let note = "the disk could not confirm the folder's name: after a power cut it may be missing, though charged";
        text.push_str(&page::entry("note", note));
    }
    text.push('\n');
    text.push_str(&published(delivered));
    let next = if rehearsed { "the same without --rehearse".to_string() } else { format!("incrowd verify {folder}") };
    text.push_str(&format!("\nNext: {next}\n"));
    page::print(&text)
}

/// The first published rows.
fn published(delivered: &Delivered) -> String {
    let rows = &delivered.glance;
    let head: Vec<String> = rows.headings.iter().map(|name| printable(name)).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = page::Table::new(&head, page::Names::Left);
    for row in rows.rows.iter().take(ROWS_SHOWN) {
        table.row(row.iter().map(|cell| shortened(cell.as_deref().unwrap_or(""))).collect());
    }
    let mut text = table.text();
    if rows.length == 0 {
        text.push_str("  nothing was shown: no bin had enough people for this promise, or nobody was counted;\n");
        text.push_str("  incrowd plan REQUEST tells from which size on bins show\n");
    }
    if rows.length > ROWS_SHOWN as u64 {
        text.push_str(&format!("  ... and more in {}\n", delivered.folder.display()));
    }
    text
}

/// A cell that fits on a screen.
fn shortened(cell: &str) -> String {
    let mut short: String = cell.chars().take(WIDEST_CELL).collect();
    if short.len() < cell.len() {
        short.push_str("...");
    }
    printable(&short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_clock_that_cannot_be_right_is_refused_before_the_charge() {
        let after = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        for wrong in [UNIX_EPOCH - Duration::from_secs(1), UNIX_EPOCH, after(1_577_836_799), after(253_402_300_800)] {
            assert!(matches!(moment(wrong), Err(Failure::Usage { .. })), "{wrong:?}");
        }
        for right in [1_577_836_800, 1_767_225_600, 253_402_300_799] {
            assert!(moment(after(right)).is_ok_and(|moment| moment.unix_seconds() == right), "{right}");
        }
    }
}
