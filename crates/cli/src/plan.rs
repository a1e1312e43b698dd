//! `incrowd plan`: the promise, its cost and its error, on one page.
//!
//! It turns arguments into plans and prints them; it must never add a sentence about a promise. It is separate from the
//! page, which knows no terminal. Read `incrowd_release::plan_page` for what is on it.

use crate::args::{PlanCommand, PrintFormat};
use crate::failure::Failure;
use crate::terminal::{Printed, print_json};
use crate::{chart, session};
use incrowd_release::batch::{self, Planned};
use incrowd_release::expressions::read_expressions;
use incrowd_release::like_counts::LikeCounts;
use incrowd_release::plan::Plan;
use incrowd_release::plan_page::{self, NOTHING_SPENT, can_be_released};
use incrowd_release::request::{Request, printable};
use incrowd_release::session::save_plan;
use incrowd_release::want::{Want, answer};
use incrowd_report::{Block, Facts, Page};
use std::path::Path;

/// Runs the command.
pub fn run(command: &PlanCommand, format: PrintFormat) -> Result<(), Failure> {
    let plans = planned(command)?;
    if let Some(path) = &command.chart {
        chart::write(&plan_page::chart(&plans[0].plan), path)?;
    }
    if let Some(path) = &command.save {
        save_plan(&plans[0].plan, path)?;
    }
    if format == PrintFormat::Json {
        return print_json(&batch::to_json(&plans));
    }
    let mut pages: Vec<Page> = plans.iter().map(|planned| page(planned, command)).collect();
    if plans.len() > 1 {
        pages.push(batch::page(&plans));
    }
    if let (Some(path), Some(last)) = (&command.save, pages.last_mut()) {
        let hash = plans[0].plan.request().request_hash();
        last.add("", vec![Block::Paragraph(format!("Saved as {}, request {hash}.", path.display()))]);
    }
    Printed { title: "Plans", pages, closing: NOTHING_SPENT, next: next(command, &plans[0].plan) }.print(format)
}

fn planned(command: &PlanCommand) -> Result<Vec<Planned>, Failure> {
    let counts = (!command.counts.is_empty()).then_some(command.counts.as_slice());
    let wants = command.want.as_deref().map(Want::parse).transpose();
    let wants = wants.map_err(|error| Failure::usage(format!("--want: {error}"), "for example --want \"50: 5\""))?;
    if command.chart.is_some() && command.requests.len() > 1 {
        return Err(Failure::usage("--chart draws one request at a time", "plan the requests one after the other"));
    }
    if command.save.is_some() && command.requests.len() > 1 {
        return Err(Failure::usage("--save takes one request at a time", "save the plans one after the other"));
    }
    let requests: Vec<Request> =
        command.requests.iter().map(|path| session::request(path)).collect::<Result<_, _>>()?;
    let like = command.like.as_deref().map(LikeCounts::read).transpose()?;
    let plan = |request: &Request| {
        let plan = Plan::for_readers(request, counts)?;
        read_expressions(request)?;
        let answers = wants.as_deref().map(|wants| answer(request, wants)).transpose()?.unwrap_or_default();
        let forecast = like.as_ref().map(|like| like.forecast(&plan)).transpose()?;
        Ok(Planned { plan, answers, forecast })
    };
    requests.iter().map(plan).collect()
}

fn page(planned: &Planned, command: &PlanCommand) -> Page {
    let mut page = plan_page::page(&planned.plan, &planned.answers);
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
    let saved = command.save.as_deref().map(|saved| format!(" --plan {}", saved.display())).unwrap_or_default();
    printable(&format!(" Next: incrowd release {}{saved}", request.display()))
}
