//! `incrowd ledger exposure`: how much the people in the data have been exposed, for the steward's eyes.
//!
//! The only command that shows what was counted without a mechanism in between; it must never do so without the word
//! INTERNAL, charge anything, or write to the book. It is separate from the other `ledger` commands because it alone
//! reads data. Read `incrowd_release::exposure` for the sums, `incrowd_engine_datafusion::Exposure` for the sizes.

use super::{account_name, no_account};
use crate::args::{LedgerExposure, PrintFormat};
use crate::engines::only_files;
use crate::failure::Failure;
use crate::progress::{Progress, Verbosity};
use crate::terminal::{print_json, print_page};
use crate::{chart, session, signals, talk};
use incrowd_engine::{CountError, Watch};
use incrowd_engine_datafusion::{DataFusionEngine, Settings, Unlinked};
use incrowd_exact::{Rational, rare_rounding_up, rational_text};
use incrowd_ledger::{AccountName, Charged, Event, Ledger, People};
use incrowd_privacy::Epsilon;
use incrowd_release::account_page::charges_words;
use incrowd_release::chance::percent;
use incrowd_release::exposure::{Accumulated, LossOfRelease, best_guess_words, chance_of_more, epsilon_words};
use incrowd_release::query::query;
use incrowd_release::refusal::Refusal;
use incrowd_release::release::{self, Audience, Stage};
use incrowd_release::request::{Request, Unit, printable};
use incrowd_release::session::{Environment, LedgerLocation};
use incrowd_report::{Align, Block, Chart, ChartAxis, ChartSeries, ChartShape, Facts, Page, PageTable, Scale};
use serde_json::json;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const INTERNAL: &str = "INTERNAL: THIS DEPENDS ON THE DATA WITHOUT PROTECTION. NEVER PUBLISH IT.";

/// Runs the command.
pub fn run(command: &LedgerExposure, format: PrintFormat) -> Result<(), Failure> {
    let stop = signals::listen();
    let requests = command.requests.iter().map(|path| Named::read(path)).collect::<Result<Vec<_>, _>>()?;
    let environment = session::environment(command.ledger.as_deref());
    let (account, location) = check_alike(&requests, &environment)?;
    let paid = Paid::of(&account, &environment.open_existing(&location)?, &requests)?;
    let told = requests.iter().zip(&paid.charges).map(|(named, charges)| LossOfRelease::of(&named.request, *charges));
    let told = told.collect::<Result<Vec<_>, _>>()?;
    let queries = requests.iter().map(|named| query(&named.request, &named.base)).collect::<Result<Vec<_>, _>>()?;
    queries.iter().try_for_each(|query| only_files("`ledger exposure`", &query.source.location))?;
    let engine = DataFusionEngine::new(Settings::of_this_machine());
    queries.iter().for_each(|query| environment.warn_of_copy(&engine, query));
    let exposure = engine.exposure(&queries).map_err(|unlinked| not_linked(unlinked, &requests))?;

    let progress = Arc::new(Progress::new(Verbosity::Bar, stop, format));
    progress.begins(Stage::Counting(exposure.input()));
    let exposed = exposure.reveal_group_sizes(Arc::clone(&progress) as Arc<dyn Watch>);
    progress.end();
    let apart = declared_apart(&account, &environment.open_existing(&location)?, &requests)?;
    let mut accumulated = Accumulated::default();
    let mut contradicting = 0;
    for group in exposed.map_err(not_read)?.groups() {
        if group.bins.iter().any(|one| group.bins.iter().any(|other| are_apart(&apart[one.query], &apart[other.query])))
        {
            contradicting += group.people;
        }
        accumulated.add(group.bins.iter().map(|bin| told[bin.query].loss(bin.size)), group.people);
    }

    talk::warn(INTERNAL);
    let drawing = || drawing(&account, &accumulated);
    if let Some(path) = &command.chart {
        chart::write(&drawing(), path)?;
    }
    if format == PrintFormat::Json {
        return print_json(&object(&account, &requests, &paid, &accumulated, contradicting));
    }
    let mut page = page_of(&account, &paid, &accumulated, contradicting);
    if std::io::stdout().is_terminal() && accumulated.people() > 0 {
        page.add("", vec![Block::Chart(Box::new(drawing()))]);
    }
    print_page(&page, "Nothing has been charged, and nothing written to the ledger.")
}

/// Of which declared part of the people a request is, by what they are split and which part it is.
type Apart = Option<(String, String)>;

/// Returns for each request of which people it is, as far as the account declares that people differ.
fn declared_apart(account: &AccountName, book: &Ledger, requests: &[Named]) -> Result<Vec<Apart>, Failure> {
    let Some(account) = book.account(account)? else { return Ok(vec![None; requests.len()]) };
    let apart = requests.iter().map(|named| {
        let snapshot = named.request.ledger.snapshot_name().to_string();
        if let People::DisjointPerPeriod(period) = account.terms.people {
            return Some((period.as_str().to_string(), snapshot));
        }
        // As the ledger has it: parts of a state that nobody named may hold the same people at different times.
        named.request.ledger.snapshot.as_ref()?;
        let split = named.request.data.as_ref()?.split.as_ref()?;
        let declared = account.terms.splits.contains(&split.column);
        declared.then(|| (format!("{} of snapshot {snapshot}", split.column), split.part.to_string()))
    });
    Ok(apart.collect())
}

fn are_apart(one: &Apart, other: &Apart) -> bool {
    one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| one.0 == other.0 && one.1 != other.1)
}

/// A request and where it was read from.
struct Named {
    name: String,
    base: PathBuf,
    request: Request,
    hash: String,
}

impl Named {
    fn read(path: &Path) -> Result<Named, Failure> {
        let request = session::request(path)?;
        let base = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Named { name: path.display().to_string(), base, hash: request.request_hash(), request })
    }

    fn has_rows_for_people(&self) -> bool {
        match self.request.data.as_ref().map(|data| &data.unit) {
            None | Some(Unit::Row | Unit::People { .. }) => true,
            Some(Unit::Person { .. }) => false,
        }
    }
}

/// Returns the account and the book of all requests, which must be the same.
fn check_alike(requests: &[Named], environment: &Environment) -> Result<(AccountName, LedgerLocation), Failure> {
    let place = |named: &Named| environment.ledger_of(&named.request, &named.base);
    let Some((first, others)) = requests.split_first() else {
        return Err(Failure::usage("there is no request", "name requests that were released before"));
    };
    let Some(dataset) = &first.request.ledger.dataset else { return Err(Refusal::NoDataset.into()) };
    let book = place(first)?;
    for (index, other) in (1..).zip(others) {
        if other.request.ledger.dataset.as_ref() != Some(dataset) {
            return Err(Failure::usage(
                format!("{} and {} are charged to different accounts", first.name, other.name),
                "whoever is in two data sets has accumulated both, but people of different accounts are not linked; ask one by one",
            ));
        }
        if place(other)? != book {
            return Err(Failure::usage(
                format!("{} and {} name different account books", first.name, other.name),
                "name the one that both were charged in with --ledger",
            ));
        }
        if let Some(twin) = requests[..index].iter().find(|twin| twin.hash == other.hash) {
            return Err(Failure::usage(
                format!("{} and {} are the same request", twin.name, other.name),
                "name it once: all of its charges are found",
            ));
        }
        let snapshots = [first, other].map(|named| &named.request.ledger.snapshot);
        if snapshots[0] != snapshots[1] && first.has_rows_for_people() && other.has_rows_for_people() {
            return Err(Failure::Differs {
                message: format!(
                    "the people of {} cannot be linked with those of {}: rows without a `person` are found again only in the same snapshot",
                    other.name, first.name
                ),
                hint: "ask for their exposures one by one".into(),
            });
        }
    }
    Ok((account_name(dataset)?, book))
}

/// What the book says about the requests.
struct Paid {
    /// How often each was charged.
    charges: Vec<u64>,
    /// The sum of their deltas over all these charges.
    delta: Rational,
    /// How many charges of the account are for other requests.
    not_included: u64,
}

impl Paid {
    /// Returns the charges of requests, each of which must have been charged. However a release ended, its charge
    /// stands.
    fn of(account: &AccountName, book: &Ledger, requests: &[Named]) -> Result<Paid, Failure> {
        let history = book.history(Some(account))?;
        if history.is_empty() {
            return Err(no_account(account.as_str()));
        }
        let mut paid = Paid { charges: vec![0; requests.len()], delta: Rational::ZERO, not_included: 0 };
        for entry in &history {
            let charged = match &entry.event {
                Event::Charged(charged) => charged,
                Event::Opened(_)
                | Event::Ended { .. }
                | Event::TermsChanged { .. }
                | Event::Refused(_)
                | Event::SetAside(_) => continue,
            };
            let Charged { plan_hash, delta, .. } = charged;
            match requests.iter().position(|named| named.hash == *plan_hash) {
                Some(index) => {
                    paid.charges[index] += 1;
                    paid.delta += delta;
                }
                None => paid.not_included += 1,
            }
        }
        match requests.iter().zip(&paid.charges).find(|(_, charges)| **charges == 0) {
            None => Ok(paid),
            Some((named, _)) => Err(Failure::Differs {
                message: format!("{} was never charged to account {}", named.name, printable(account.as_str())),
                hint: format!(
                    "exposure is about releases that were made. Was the request changed since? Its hash is now {}...; `incrowd ledger export` has the plan_hash of every charge",
                    &named.hash[..12]
                ),
            }),
        }
    }

    fn not_included_words(&self) -> Option<String> {
        match self.not_included {
            0 => None,
            1 => Some("1 other charge of this account is not included: name its request too".into()),
            many => Some(format!("{many} other charges of this account are not included: name their requests too")),
        }
    }
}

fn not_linked(unlinked: Unlinked, requests: &[Named]) -> Failure {
    let name = |query: usize| requests.get(query).map(|named| named.name.as_str()).unwrap_or_default();
    match unlinked {
        Unlinked::Refused { query, problem } => Failure::usage(format!("{}: {problem}", name(query)), problem.hint()),
        Unlinked::Apart { query, why } => Failure::Differs {
            message: format!("the people of {} cannot be linked with those of {}: {why}", name(query), name(0)),
            hint: why.hint().into(),
        },
    }
}

fn not_read(error: CountError) -> Failure {
    match error {
        CountError::Cancelled => Failure::Release(release::ReleaseFailure::Cancelled),
        CountError::Failed | CountError::Contract => Failure::usage(
            "the data could not be read to its end; nothing was charged",
            "are the files whole, with as many fields in each row as in the first, in UTF-8? Is there enough memory and disk space?",
        ),
    }
}

fn page_of(account: &AccountName, paid: &Paid, accumulated: &Accumulated, contradicting: u64) -> Page {
    let people = accumulated.people();
    let mut page = Page::titled(format!("Epsilon that people of account {} have accumulated", account.as_str()));
    page.warning = Some(INTERNAL.into());
    let mut facts = Facts::default();
    let requests =
        if paid.charges.len() == 1 { "1 request".into() } else { format!("{} requests", paid.charges.len()) };
    facts.add("releases", format!("{requests}, {}", charges_words(paid.charges.iter().sum())));
    if let Some(words) = paid.not_included_words() {
        facts.add("incomplete", words);
    }
    if contradicting > 0 {
        let words = format!(
            "{contradicting} people are in more than one of the periods or parts that the account declares to be of different \
             people: what `ledger show` says does not hold for them"
        );
        facts.add("CONTRADICTS", words);
    }
    facts.add("people", format!("{people} were counted in at least one of them"));
    let words = |epsilon: &Epsilon| match epsilon {
        Epsilon::Finite(_) => {
            format!("epsilon {}, best guess {}", epsilon_words(epsilon), best_guess_words(epsilon, &paid.delta))
        }
        Epsilon::Infinite => "no bound".to_string(),
    };
    if let Some((most, how_many)) = accumulated.most() {
        facts.add("maximum", format!("{} ({how_many} people)", words(most)));
    }
    if let Some(median) = accumulated.median() {
        facts.add("median", words(median));
    }
    if paid.delta != Rational::ZERO {
        let words = format!(
            "{} in all; that anybody has rightly become surer than a best guess says has a chance of at most {}",
            rare_rounding_up(&paid.delta),
            rare_rounding_up(&chance_of_more(&paid.delta))
        );
        facts.add("delta", words);
    }
    page.add("", vec![facts.block()]);
    let mut table = PageTable::new(&[
        ("epsilon", Align::Left),
        ("best guess", Align::Right),
        ("people", Align::Right),
        ("up to here", Align::Right),
    ]);
    for range in accumulated.ranges() {
        table.row([
            range.epsilon_words(),
            best_guess_words(&range.to, &paid.delta),
            range.people.to_string(),
            percent(range.up_to_here as f64 / people.max(1) as f64),
        ]);
    }
    page.add("", vec![Block::Table(table)]);
    let mut meaning = Facts::default();
    meaning.add(
        "best guess",
        "how sure anybody can have become, starting from even odds, whether such a person is in the data at all",
    );
    meaning.add("on trust", "that the files are still what was released: they were read as they are now");
    page.add("", vec![meaning.block()]);
    page
}

fn object(
    account: &AccountName,
    requests: &[Named],
    paid: &Paid,
    accumulated: &Accumulated,
    contradicting: u64,
) -> serde_json::Value {
    let requests = requests.iter().zip(&paid.charges);
    let requests = requests
        .map(|(named, charges)| json!({ "request": named.name, "request_hash": named.hash, "charges": charges }));
    let mut object = json!({
        "internal": true,
        "warning": INTERNAL,
        "account": account.as_str(),
        "requests": requests.collect::<Vec<_>>(),
        "not_included": paid.not_included,
        "contradicting": contradicting,
        "delta": rational_text(&paid.delta),
    });
    if let (Some(object), serde_json::Value::Object(fields)) = (object.as_object_mut(), accumulated.json(&paid.delta)) {
        object.extend(fields);
    }
    object
}

/// How many people have accumulated at most so much: steps, so that every number on it is one that holds.
fn drawing(account: &AccountName, accumulated: &Accumulated) -> Chart {
    let all = accumulated.people().max(1) as f64;
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut so_far = 0;
    for (epsilon, people) in accumulated.levels() {
        let Some(epsilon) = epsilon.finite().map(|epsilon| epsilon.to_f64().value()) else { continue };
        if points.is_empty() {
            points.push((epsilon, 0.0));
        }
        so_far = people.saturating_add(so_far);
        points.push((epsilon, so_far as f64 / all * 100.0));
    }
    let unbounded = accumulated.people().saturating_sub(so_far);
    Chart {
        title: format!("INTERNAL, never publish: epsilon accumulated in {}", printable(account.as_str())),
        subtitle: (unbounded > 0).then(|| format!("without {unbounded} people for whom there is no bound")),
        x: ChartAxis { label: "accumulated epsilon".into(), scale: Scale::Linear },
        y: ChartAxis { label: "% of the people who have accumulated at most that".into(), scale: Scale::Linear },
        series: vec![ChartSeries { name: "people".into(), points, shape: ChartShape::Steps }],
    }
}
