//! A company for tests: a request, its folder, and an engine of made-up counts that watches what is asked of it.
//!
//! It is separate from the tests because all of them start here. Read `main.rs` next.

use incrowd_engine::{
    CountError, Engine, InputSize, Paid, Participants, PrepareError, Prepared, Query, Reading, TrueCounts, Unwatched,
    Watch,
};
use incrowd_ledger::{Ledger, Provenance};
use incrowd_release::folder::Existing;
use incrowd_release::plan::Plan;
use incrowd_release::rehearsal::Rehearsal;
use incrowd_release::release::Audience;
use incrowd_release::request::Request;
use incrowd_release::session::{Draws, Environment, ReleaseError, Released, Session, Target, Warning};
use incrowd_release::site_policy::PolicyPlace;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

pub const REQUEST: &str = r#"release = "histogram"
[data]
source = "employees.csv"
person = "employee_id"
[[bins]]
name   = "department"
column = "department"
values = ["Sales", "Research", "Production"]
[promise]
kind    = "simple-outlier-dp"
group   = 100
epsilon = 1
[ledger]
dataset = "employees"
"#;

/// What the engine was asked.
#[derive(Default)]
pub struct Watched {
    /// How often it was to look at names and types.
    pub prepared: AtomicU64,
    /// How often it was to count.
    pub counted: AtomicU64,
    /// How many charges the book had when it was to count.
    pub charges_before_reading: AtomicU64,
    /// Whether counting fails.
    pub fails: AtomicBool,
}

/// A folder with a request, the engine that counts it, and what was warned of.
pub struct Company {
    home: tempfile::TempDir,
    pub watched: Arc<Watched>,
    pub warnings: Arc<Mutex<Vec<Warning>>>,
    /// The book that the user names; nothing for the user's own.
    pub ledger: Option<PathBuf>,
    pub clock: SystemTime,
    /// The value of INCROWD_LEDGER.
    pub variable: Option<String>,
}

impl Company {
    pub fn with(request: &str) -> Company {
        let home = tempfile::tempdir().expect("a folder");
        std::fs::write(home.path().join("request.toml"), request).expect("written");
        Company {
            home,
            watched: Arc::default(),
            warnings: Arc::default(),
            ledger: None,
            clock: SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000),
            variable: None,
        }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The user's own book.
    pub fn book(&self) -> PathBuf {
        self.home().join("data").join("incrowd").join("ledger.sqlite")
    }

    /// The policy of this company's machine.
    pub fn policy(&self) -> PathBuf {
        self.home().join("etc").join("policy.toml")
    }

    /// The user who runs the test, and is the administrator of its machine.
    fn owner(&self) -> u32 {
        #[cfg(unix)]
        return std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(self.home()).expect("a folder"));
        #[cfg(not(unix))]
        return 0;
    }

    /// Writes a policy, as its administrator would.
    pub fn decree(&self, text: &str) {
        std::fs::create_dir_all(self.home().join("etc")).expect("a folder");
        std::fs::write(self.policy(), text).expect("written");
    }

    pub fn charges(&self) -> usize {
        let accounts = Ledger::open_existing(&self.book()).map(|book| book.accounts().expect("accounts"));
        accounts.unwrap_or_default().iter().map(|account| account.charges() as usize).sum()
    }

    pub fn session(&self) -> Session {
        let text = std::fs::read_to_string(self.home().join("request.toml")).expect("a request");
        let request = Request::parse(&text).expect("a request");
        let plan = Plan::of(&request, None);
        let (warnings, clock) = (Arc::clone(&self.warnings), self.clock);
        let engine = Counting {
            made_up: plan.ok().map(|plan| Rehearsal::of(&plan)),
            watched: Arc::clone(&self.watched),
            book: self.book(),
        };
        Session::new(
            Box::new(engine),
            Environment {
                ledger: self.ledger.clone(),
                ledger_variable: self.variable.clone().map(Into::into),
                policy: PolicyPlace { path: self.policy(), owner: self.owner() },
                data_folder: Some(self.home().join("data")),
                clock: Box::new(move || clock),
                writer: Provenance::default(),
                warn: Box::new(move |warning| warnings.lock().expect("warnings").push(warning.clone())),
            },
        )
    }

    pub fn release(&self, draws: Draws) -> Result<Released, ReleaseError> {
        let session = self.session();
        let opened = session.open(&self.home().join("request.toml")).expect("a request");
        opened.release(&target(), draws, nobody())
    }
}

pub fn target() -> Target {
    Target { folder: None, existing: Existing::Refuse }
}

pub fn nobody() -> Arc<dyn Audience> {
    Arc::new(Unwatched)
}

/// Made-up counts under the name of data.
struct Counting {
    made_up: Option<Rehearsal>,
    watched: Arc<Watched>,
    book: PathBuf,
}

impl Engine for Counting {
    fn files(&self, location: &str) -> Vec<PathBuf> {
        if Path::new(location).is_file() { vec![location.into()] } else { Vec::new() }
    }

    fn prepare(&self, query: &Query) -> Result<Box<dyn Prepared>, PrepareError> {
        self.watched.prepared.fetch_add(1, Ordering::Relaxed);
        let prepared = self.made_up.as_ref().expect("a plan").prepare(query)?;
        Ok(Box::new(Ready { prepared, watched: Arc::clone(&self.watched), book: self.book.clone() }))
    }
}

struct Ready {
    prepared: Box<dyn Prepared>,
    watched: Arc<Watched>,
    book: PathBuf,
}

impl Prepared for Ready {
    fn input(&self) -> InputSize {
        self.prepared.input()
    }

    fn reading(&self) -> Reading {
        self.prepared.reading()
    }

    fn plan_hash(&self) -> &str {
        self.prepared.plan_hash()
    }

    fn count_paid(
        self: Box<Self>,
        paid: Paid,
        who: Participants,
        watch: Arc<dyn Watch>,
    ) -> Result<TrueCounts, CountError> {
        self.watched.counted.fetch_add(1, Ordering::Relaxed);
        if let Ok(book) = Ledger::open_existing(&self.book) {
            let charges = book.accounts().expect("accounts").iter().map(|account| account.charges()).sum();
            self.watched.charges_before_reading.store(charges, Ordering::Relaxed);
        }
        if self.watched.fails.load(Ordering::Relaxed) {
            return Err(CountError::Failed);
        }
        self.prepared.count_paid(paid, who, watch)
    }
}
