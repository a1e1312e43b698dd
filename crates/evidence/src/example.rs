//! Plans and deliveries for tests.
//!
//! What is published here was made up and never drawn, so nothing in it may leave a test. It is separate because
//! tables, files, certificates and verifiers are tested on the same folders. Read `verify/tests.rs` for how it is used.

use crate::certificate::{AccountAge, ChargeFacts, FolderFacts, Randomness, certificate, certificate_text};
use crate::files::NewFiles;
use crate::page::page;
use crate::plan::Plan;
use crate::request::Request;
use crate::table::{Table, listing};
use crate::write::write_tables;
use crate::write_error::WriteError;
use incrowd_definition::Reading;
use incrowd_definition::{After, Left};
use incrowd_exact::Rational;
use incrowd_privacy::{Outcome, SideValue};
use incrowd_published::{Keys, Listing, PublishedBatch, Shown};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The request of the salaries example, without `[output]`, so that tests can add theirs.
pub(crate) const SALARIES: &str = r#"release = "histogram"

[data]
source = "employees.csv"
person = "employee_id"

[[bins]]
name   = "department"
column = "department"
values = ["Sales", "Research", "Production", "Logistics", "Administration"]

[[bins]]
name   = "salary"
column = "salary"
from   = 0
to     = 200000
width  = 20000

[promise]
kind    = "simple-outlier-dp"
group   = 100
epsilon = 1

[ledger]
dataset = "employees-2026"
"#;

/// Returns the plan of a request.
pub(crate) fn plan_of(text: &str) -> Plan {
    let request = Request::parse(text).unwrap_or_else(|error| panic!("{error:?}"));
    Plan::of(&request, None).unwrap_or_else(|refusal| panic!("{refusal}"))
}

pub(crate) fn value(value: i64) -> Shown {
    Shown { outcome: Outcome::Value(value), side_value: SideValue::Nothing }
}

/// Every declared cell, with values that repeat.
pub(crate) fn cells(count: u64, shown: impl Fn(u64) -> Shown) -> Vec<PublishedBatch> {
    let numbers: Vec<u64> = (0..count).collect();
    numbers
        .chunks(7)
        .map(|cells| PublishedBatch {
            keys: Keys::Cells(cells.to_vec()),
            shown: cells.iter().map(|cell| shown(*cell)).collect(),
        })
        .collect()
}

pub(crate) fn charge() -> ChargeFacts {
    ChargeFacts {
        charge_id: "0123456789abcdef".repeat(2),
        seq: 7,
        head: "0123456789abcdef".repeat(4),
        account: AccountAge::Existing,
        after: After {
            charges: 2,
            epsilon: Some(Rational::from(3u8)),
            delta: Rational::ZERO,
            left: Left { epsilon: Some(Rational::from(7u8)), delta: None },
        },
        reading: Some(Reading::default().canonical()),
    }
}

/// A folder of files, new or emptied, without the care that a delivery takes.
pub(crate) struct PlainFolder {
    pub(crate) path: PathBuf,
}

impl PlainFolder {
    pub(crate) fn create(home: &Path) -> PlainFolder {
        let path = home.join("out");
        if path.exists() {
            fs::remove_dir_all(&path).expect("a folder of ours");
        }
        fs::create_dir(&path).expect("a folder");
        PlainFolder { path }
    }

    fn write(&self, name: &str, content: &[u8]) {
        fs::write(self.path.join(name), content).expect("written");
    }
}

impl NewFiles for PlainFolder {
    fn file(&self, name: &str) -> Result<File, WriteError> {
        File::create_new(self.path.join(name)).map_err(|error| WriteError::of(&error))
    }
}

/// Delivers a folder, as a release would.
pub(crate) fn deliver(plan: &Plan, batches: Vec<PublishedBatch>, home: &Path, randomness: Randomness) -> PathBuf {
    deliver_for(&charge(), plan, batches, home, randomness)
}

/// Another charge than that of the other deliveries.
pub(crate) fn another_charge() -> ChargeFacts {
    ChargeFacts { charge_id: "fedcba9876543210".repeat(2), seq: 8, head: "fedcba9876543210".repeat(4), ..charge() }
}

/// Delivers a folder that a charge paid for.
pub(crate) fn deliver_for(
    charge: &ChargeFacts,
    plan: &Plan,
    batches: Vec<PublishedBatch>,
    home: &Path,
    randomness: Randomness,
) -> PathBuf {
    let mut table = Table::of(plan).unwrap_or_else(|refusal| panic!("{refusal}"));
    let folder = PlainFolder::create(home);
    let batches = batches.into_iter().map(Ok);
    let written = write_tables(&mut table, plan, batches, randomness, &folder).expect("written");
    let facts = FolderFacts { tables: written.tables, key_types: written.key_types, derived_from: Vec::new() };
    let certificate = certificate(plan, charge, &facts, randomness);
    folder.write("certificate.json", certificate_text(&certificate).as_bytes());
    folder.write("report.html", page(plan, &certificate, &written.glances).as_bytes());
    folder.path
}

/// The salaries example in all formats, delivered.
pub(crate) fn salaries(home: &Path) -> (Plan, PathBuf) {
    let plan = plan_of(&format!("{SALARIES}\n[output]\nformats = [\"csv\", \"parquet\", \"arrow\"]\n"));
    assert_eq!(listing(&plan), Listing::EveryCell);
    let folder =
        deliver(&plan, cells(50, |cell| value((cell * 37 % 11 * 130) as i64)), home, Randomness::OperatingSystem);
    (plan, folder)
}
