//! `incrowd example`: made-up data with a request, ready to be released.
//!
//! The data is the same on every machine and about nobody; it must never look like a template for real lists of values.
//! It is separate so that whoever has the binary has examples; their requests are those in the folder `examples`. Read
//! `example/people.rs` and `example/events.rs` for the data.

mod events;
mod made_up;
mod people;

use crate::args::{ExampleCommand, ExampleName, PrintFormat};
use crate::failure::Failure;
use crate::new_files;
use crate::terminal::{print_json, print_page};
use clap::ValueEnum;
use incrowd_report::{Facts, Page};
use serde_json::json;

/// What is written for an example.
struct Example {
    /// Names and texts; the request is `request.toml`.
    files: Vec<(&'static str, String)>,
    /// What the files are.
    facts: &'static [(&'static str, &'static str)],
}

/// Runs the command.
pub fn run(command: &ExampleCommand, format: PrintFormat) -> Result<(), Failure> {
    let Some(name) = command.name else { return list(format) };
    let Some(folder) = &command.folder else {
        let message = format!("a folder for the example {} is missing", word(name));
        return Err(Failure::usage(message, format!("such as incrowd example {} demo", word(name))));
    };
    let example = example(name);
    new_files::write(folder, &example.files, "the example")?;
    let path = |name: &str| folder.join(name).display().to_string();
    let (request, ledger) = (path("request.toml"), path("ledger.sqlite"));
    if format == PrintFormat::Json {
        let files: Vec<String> = example.files.iter().map(|(name, _)| path(name)).collect();
        return print_json(&json!({ "example": word(name), "request": request, "ledger": ledger, "files": files }));
    }
    let mut facts = Facts::default();
    for (label, text) in example.facts {
        facts.add(label, *text);
    }
    let mut page = Page::titled(format!("An example is in {}", folder.display()));
    page.add("", vec![facts.block()]);
    print_page(&page, &format!("Next: incrowd plan {request}\nThen: incrowd release {request} --ledger {ledger}"))
}

/// Says which examples there are.
fn list(format: PrintFormat) -> Result<(), Failure> {
    let all = || ExampleName::value_variants().iter().map(|name| (word(*name), about(*name)));
    if format == PrintFormat::Json {
        let examples: Vec<_> = all().map(|(name, about)| json!({ "name": name, "about": about })).collect();
        return print_json(&json!({ "examples": examples }));
    }
    let mut facts = Facts::default();
    for (name, about) in all() {
        facts.add(&name, about);
    }
    let mut page = Page::titled("Examples with made-up data");
    page.add("", vec![facts.block()]);
    print_page(&page, "Next: incrowd example NAME FOLDER")
}

/// The word that chooses an example.
fn word(name: ExampleName) -> String {
    name.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
}

/// What an example is about, in one line.
fn about(name: ExampleName) -> String {
    let value = name.to_possible_value();
    let help = value.as_ref().and_then(|value| value.get_help()).map(ToString::to_string);
    help.unwrap_or_default()
}

fn example(name: ExampleName) -> Example {
    let request = |text: &str| ("request.toml", text.to_string());
    match name {
        ExampleName::Salaries => Example {
            files: vec![
                ("employees.csv", people::employees()),
                request(include_str!("../../../examples/salaries/request.toml")),
                ("uniform.toml", include_str!("../../../examples/salaries/uniform.toml").to_string()),
            ],
            facts: &[
                ("data", "employees.csv: 20,000 made-up employees, 100 of them managers"),
                ("request", "request.toml: a promise that is stricter for small groups"),
                ("", "uniform.toml: the same table under plain differential privacy"),
            ],
        },
        ExampleName::Diagnoses => Example {
            files: vec![
                ("patients.csv", people::patients()),
                request(include_str!("../../../examples/diagnoses/request.toml")),
            ],
            facts: &[
                ("data", "patients.csv: the visits of 12,000 made-up patients"),
                ("request", "request.toml: strictest for groups below 10, strict below 50, usual above"),
            ],
        },
        ExampleName::Keywords => Example {
            files: vec![
                ("searches.csv", events::searches()),
                request(include_str!("../../../examples/keywords/request.toml")),
            ],
            facts: &[
                ("data", "searches.csv: a quarter of searches by 9,000 made-up readers"),
                ("request", "request.toml: keywords that nobody listed, by month"),
            ],
        },
        ExampleName::Series => Example {
            files: vec![
                ("births.csv", events::births()),
                request(include_str!("../../../examples/series/request.toml")),
            ],
            facts: &[
                ("data", "births.csv: made-up births of twenty years by name"),
                ("request", "request.toml: a table for each year; the next run goes on where this one ends"),
            ],
        },
        ExampleName::Top => Example {
            files: vec![
                ("purchases.csv", events::purchases()),
                request(include_str!("../../../examples/top/request.toml")),
            ],
            facts: &[
                ("data", "purchases.csv: what 15,000 made-up customers bought"),
                ("request", "request.toml: the ten articles that most of them bought"),
            ],
        },
        ExampleName::Rows => Example {
            files: vec![
                ("employees.csv", people::employees()),
                ("departments.csv", include_str!("../../../examples/rows/departments.csv").to_string()),
                request(include_str!("../../../examples/rows/request.toml")),
            ],
            facts: &[
                ("data", "employees.csv: 20,000 made-up employees"),
                ("", "departments.csv: a public list of departments and their fields of work"),
                ("request", "request.toml: a row for each person, made coarser until 20 people share it"),
            ],
        },
        ExampleName::Points => Example {
            files: vec![
                ("accidents.csv", events::accidents()),
                request(include_str!("../../../examples/points/request.toml")),
            ],
            facts: &[
                ("data", "accidents.csv: 16,000 made-up accidents in a city with a ring road"),
                ("request", "request.toml: points that are moved, on a map that stays recognisable"),
            ],
        },
        ExampleName::Baskets => Example {
            files: vec![
                ("purchases.csv", events::purchases()),
                request(include_str!("../../../examples/baskets/request.toml")),
            ],
            facts: &[
                ("data", "purchases.csv: what 15,000 made-up customers bought"),
                ("request", "request.toml: which articles are bought together"),
            ],
        },
        ExampleName::Sampled => Example {
            files: vec![
                ("people.csv", people::inhabitants()),
                request(include_str!("../../../examples/sampled/request.toml")),
            ],
            facts: &[
                ("data", "people.csv: 24,000 made-up inhabitants of two regions"),
                ("request", "request.toml: each person is counted with chance 1/4, by secret coins"),
            ],
        },
    }
}
