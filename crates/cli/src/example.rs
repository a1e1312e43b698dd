//! `incrowd example`: made-up data with a request, ready to be released.
//!
//! The data is the same on every machine and about nobody; it must never look like a template for real lists of values.
//! It is separate so that whoever has the binary has an example. Read `examples/salaries/request.toml` next.

use crate::args::{ExampleCommand, ExampleName, PrintFormat};
use crate::failure::Failure;
use crate::terminal::{print_json, print_page};
use incrowd_release::plan_json::JSON_VERSION;
use incrowd_report::{Facts, Page};
use serde_json::json;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const REQUEST: &str = include_str!("../../../examples/salaries/request.toml");
const UNIFORM: &str = include_str!("../../../examples/salaries/uniform.toml");

/// Runs the command.
pub fn run(command: &ExampleCommand, format: PrintFormat) -> Result<(), Failure> {
    let files: Vec<(&str, String)> = match command.name {
        ExampleName::Salaries => vec![
            ("employees.csv", employees()),
            ("request.toml", REQUEST.to_string()),
            ("uniform.toml", UNIFORM.to_string()),
        ],
    };
    let folder = &command.folder;
    let failed = |error: std::io::Error| {
        Failure::usage(format!("the example could not be written: {error}"), "choose a new folder that can be written")
    };
    fs::create_dir_all(folder).map_err(failed)?;
    if let Some((name, _)) = files.iter().find(|(name, _)| folder.join(name).exists()) {
        let message = format!("{} exists already", folder.join(name).display());
        return Err(Failure::usage(message, "choose a new folder"));
    }
    for (name, text) in &files {
        write_new(&folder.join(name), text).map_err(failed)?;
    }
    let request = folder.join("request.toml").display().to_string();
    match format {
        PrintFormat::Json => print_json(&json!({ "version": JSON_VERSION, "request": request })),
        PrintFormat::Text | PrintFormat::Html => {
            let mut facts = Facts::default();
            facts.add("data", "employees.csv: 20,000 made-up employees, 100 of them managers");
            facts.add("request", "request.toml: a promise that is stricter for small groups");
            facts.add("", "uniform.toml: the same table under plain differential privacy");
            let mut page = Page::titled(format!("An example is in {}", folder.display()));
            page.add("", vec![facts.block()]);
            print_page(&page, &format!("Next: incrowd plan {request}, then incrowd release {request}"))
        }
    }
}

fn write_new(path: &Path, text: &str) -> Result<(), std::io::Error> {
    use std::io::Write as _;
    fs::OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

const DEPARTMENTS: [(&str, u64); 5] =
    [("Sales", 30), ("Research", 25), ("Production", 25), ("Logistics", 12), ("Administration", 8)];
const EMPLOYEES: u64 = 20_000;
const MANAGERS: u64 = 100;

/// A company: everybody earns up to 160,000, but for the hundred managers, who share the highest band (OP Example 1).
fn employees() -> String {
    let mut text = String::from("employee_id,department,salary\n");
    let mut chance = Chance(20_000);
    for employee in 0..EMPLOYEES {
        let (department, salary) = if employee % (EMPLOYEES / MANAGERS) == 0 {
            ("Administration", 180_000 + chance.below(20_000))
        } else {
            let mut share = chance.below(100);
            let found = DEPARTMENTS.iter().find(|(_, weight)| {
                let here = share < *weight;
                share = share.saturating_sub(*weight);
                here
            });
            let salary: u64 = (0..4).map(|_| chance.below(40_000)).sum();
            (found.map_or("Sales", |(name, _)| *name), salary)
        };
        let _ = writeln!(text, "E{:05},{department},{salary}", employee + 1);
    }
    text
}

/// Numbers that look random and are the same everywhere (SplitMix64; Steele, Lea and Flood 2014).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_company_has_a_hundred_managers_alone_in_their_band() {
        let text = employees();
        let salaries: Vec<u64> = text
            .lines()
            .skip(1)
            .map(|line| line.rsplit(',').next().expect("three").parse().expect("a number"))
            .collect();
        assert_eq!(salaries.len(), 20_000);
        assert_eq!(salaries.iter().filter(|salary| **salary >= 180_000).count(), 100);
        assert_eq!(salaries.iter().filter(|salary| (160_000..180_000).contains(*salary)).count(), 0);
    }
}
