//! `incrowd plan`: the promise, its cost and its error, on one page.
//!
//! It turns arguments into plans and prints them; it must never add a sentence about a promise. It is separate from the
//! page, which knows no terminal. Read `incrowd_release::plan_page` for what is on it.

use crate::args::{PlanCommand, PrintFormat};
use crate::failure::Failure;
use crate::terminal::{Printed, print_json};
use crate::{chart, session};
use incrowd_engine_datafusion::Settings;
use incrowd_ledger::OfficerKey;
use incrowd_release::batch::{self, Planned};
use incrowd_release::counted_where::counted_words;
use incrowd_release::expressions::read_expressions;
use incrowd_release::folder::Existing;
use incrowd_release::like_counts::LikeCounts;
use incrowd_release::plan::Plan;
use incrowd_release::plan_page::{self, Details, NOTHING_SPENT, can_be_released};
use incrowd_release::request::printable;
use incrowd_release::session::{OpenedRequest, Pins, Session, Target};
use incrowd_release::want::{Want, answer};
use incrowd_report::{Block, Facts, Page};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Runs the command.
pub fn run(command: &PlanCommand, format: PrintFormat) -> Result<(), Failure> {
    let session = session::session(command.ledger.as_deref(), Settings::default());
    let (requests, plans) = planned(command, &session)?;
    let counted: Vec<Option<String>> = requests.iter().map(counted).collect();
    if let Some(path) = &command.chart {
        chart::write(&plan_page::chart(&plans[0].plan), path)?;
    }
    let target = Target { folder: command.folder.clone(), existing: Existing::Refuse };
    let key = command.sign.as_deref().map(private_key).transpose()?;
    let save = |path: &Path| match (&command.review, &key) {
        (Some(reviewed), Some(key)) => requests[0].sign_plan(&plans[0].plan, reviewed, key, path),
        (None, key) | (Some(_), key @ None) => requests[0].save_plan(&plans[0].plan, &target, key.as_ref(), path),
    };
    let pins = command.save.as_deref().map(save).transpose()?;
    if format == PrintFormat::Json {
        let mut object = batch::to_json(&plans);
        for (place, words) in counted.iter().enumerate().filter_map(|(place, words)| Some((place, words.as_ref()?))) {
            let one = if plans.len() == 1 { &mut object } else { &mut object["plans"][place] };
            one["counted"] = words.as_str().into();
        }
        return print_json(&object);
    }
    let mut pages: Vec<Page> = plans
        .iter()
        .zip(&counted)
        .map(|(planned, counted)| page(planned, counted.as_deref(), command, format))
        .collect();
    if plans.len() > 1 {
        pages.push(batch::page(&plans));
    }
    if let (Some(path), Some(pins), Some(last)) = (&command.save, &pins, pages.last_mut()) {
        last.add("Saved for review", saved(path, pins, &plans[0].plan, key.as_ref()));
    }
    Printed { title: "Plans", pages, closing: NOTHING_SPENT, next: next(command, &plans[0].plan) }.print(format)
}

/// Where data on a server would be counted, or why the server could not say; a plan is one without it.
fn counted(opened: &OpenedRequest<'_>) -> Option<String> {
    Some(match opened.counted_where()? {
        Ok(counted) => counted_words(&counted),
        Err(failure) => {
            format!("the server could not be asked where: {failure} ({})", failure.hint())
        }
    })
}

/// What was saved, and what it is pinned to.
fn saved(path: &Path, pins: &Pins, plan: &Plan, key: Option<&OfficerKey>) -> Vec<Block> {
    let mut facts = Facts::default();
    facts.add("saved as", path.display().to_string());
    facts.add("request", plan.request().request_hash());
    facts.add("source", pins.source.clone().unwrap_or_else(|| "none is named".into()));
    facts.add("ledger", pins.ledger.as_str());
    facts.add("output", pins.output.as_str());
    if let Some(key) = key {
        facts.add("signed by", key.public().digits());
    }
    let words = "`incrowd release --plan` with this file runs only this request, on this source, charged to this ledger, \
                 to this folder. What the source holds is not pinned: a state of it has its name in `snapshot`.";
    vec![facts.block(), Block::Paragraph(words.into())]
}

/// The private key in a file; nothing of it is ever said.
fn private_key(path: &Path) -> Result<OfficerKey, Failure> {
    const MOST_BYTES: u64 = 4096;
    let shown = path.display();
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    read.map_err(|error| Failure::usage(format!("{shown} cannot be read: {}", error.kind()), "is the path right?"))?;
    let hint = "a private key is the file NAME.key that was made with NAME.pub";
    OfficerKey::read(&text).ok_or_else(|| Failure::usage(format!("{shown} holds no private key"), hint))
}

fn planned<'a>(command: &PlanCommand, session: &'a Session) -> Result<(Vec<OpenedRequest<'a>>, Vec<Planned>), Failure> {
    let counts = (!command.counts.is_empty()).then_some(command.counts.as_slice());
    let wants = command.want.as_deref().map(Want::parse).transpose();
    let wants = wants.map_err(|error| Failure::usage(format!("--want: {error}"), "for example --want \"50: 5\""))?;
    if command.chart.is_some() && command.requests.len() > 1 {
        return Err(Failure::usage("--chart draws one request at a time", "plan the requests one after the other"));
    }
    if command.save.is_some() && command.requests.len() > 1 {
        return Err(Failure::usage("--save takes one request at a time", "save the plans one after the other"));
    }
    let requests: Vec<OpenedRequest<'_>> =
        command.requests.iter().map(|path| session::open(session, path)).collect::<Result<_, _>>()?;
    let like = command.like.as_deref().map(LikeCounts::read).transpose()?;
    let plan = |opened: &OpenedRequest<'_>| {
        let plan = opened.plan(counts)?;
        read_expressions(opened.request())?;
        let wanted = wants.as_deref().map(|wants| answer(opened.request(), wants)).transpose()?;
        let forecast = like.as_ref().map(|like| like.forecast(&plan)).transpose()?;
        let account = opened.account_facts(&plan);
        Ok(Planned { plan, account, answers: wanted.unwrap_or_default(), forecast })
    };
    let plans = requests.iter().map(plan).collect::<Result<_, Failure>>()?;
    Ok((requests, plans))
}

fn page(planned: &Planned, counted: Option<&str>, command: &PlanCommand, format: PrintFormat) -> Page {
    let details = match (command.details, format) {
        (true, _) => Details::Shown,
        (false, PrintFormat::Html | PrintFormat::Json) => Details::Folded { ask: "" },
        (false, PrintFormat::Text) => Details::Folded { ask: " (--details)" },
    };
    let mut page = plan_page::page(&planned.plan, &planned.account, &planned.answers, details);
    if let Some(words) = counted {
        let mut facts = Facts::default();
        facts.add("counted", words);
        page.add("", vec![facts.block()]);
    }
    if let Some(forecast) = &planned.forecast {
        let mut facts = Facts::default();
        facts.add_all("forecast", forecast.words(&planned.plan));
        page.add("", vec![facts.block()]);
    }
    if !command.no_chart {
        page.add("", vec![Block::Chart(Box::new(plan_page::chart(&planned.plan)))]);
    }
    page
}

/// What to type next, where there is one request in a file that says enough for a release.
fn next(command: &PlanCommand, plan: &Plan) -> String {
    let [request] = &command.requests[..] else { return String::new() };
    if request == Path::new("-") || !can_be_released(plan) {
        return String::new();
    }
    let mut line = format!(" Next: incrowd release {}", request.display());
    if let Some(saved) = &command.save {
        line.push_str(&format!(" --plan {}", saved.display()));
        // What is pinned must be said again, or nothing runs; an address may hold a password.
        match &command.ledger {
            Some(ledger) if !ledger.to_string_lossy().contains("://") => {
                line.push_str(&format!(" --ledger {}", ledger.display()));
            }
            Some(_) => line.push_str(" --ledger ..."),
            None => {}
        }
        line.extend(command.folder.as_ref().map(|folder| format!(" --folder {}", folder.display())));
    }
    printable(&line)
}
