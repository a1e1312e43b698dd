//! What the library refuses whoever calls it: receipts for other plans, known draws and forgetful books about real people.

use crate::generate::specs;
use crate::world::World;
use incrowd_counts::CountError;
use incrowd_engine::{Engine, InputSize, Participants, Unwatched, Watch};
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_ledger::{Charge, Ledger, Moment};
use incrowd_noise::ReleaseSecret;
use incrowd_noise::testing::known_secret;
use incrowd_release::folder::Existing;
use incrowd_release::query::query;
use incrowd_release::refusal::Refusal;
use incrowd_release::release::{Audience, Failure, Order, Stage, release};
use std::path::Path;
use std::sync::Arc;

struct Nobody;

impl Watch for Nobody {
    fn read(&self, _bytes: u64) {}

    fn is_cancelled(&self) -> bool {
        false
    }
}

impl Audience for Nobody {
    fn begins(&self, stage: Stage) {
        assert!(!matches!(stage, Stage::Counting(InputSize { .. })), "nothing may be read");
    }
}

#[test]
fn a_receipt_for_another_plan_pays_for_nothing() {
    let world = World::new();
    let spec = &specs()[0];
    let plan = spec.plan(&world.whole(spec));
    let engine = DataFusionEngine::new(Settings::default());
    let prepare = || engine.prepare(&query(&plan.request, Path::new("")).expect("a query")).expect("prepared");
    let price = world.charge(spec);
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let now = Moment::from_unix_seconds(0);
    let receipt = ledger.charge(&price, now).expect("paid");
    assert!(prepare().count(&receipt, Participants::Everybody, Arc::new(Unwatched)).is_ok());
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let receipt = ledger.charge(&Charge { plan_hash: "0".repeat(64), ..price }, now).expect("paid");
    let counted = prepare().count(&receipt, Participants::Everybody, Arc::new(Unwatched));
    assert_eq!(counted.err(), Some(CountError::Contract));
}

#[test]
fn known_draws_and_forgetful_books_are_refused_for_real_people_before_anything_is_charged() {
    let world = World::new();
    let spec = &specs()[0];
    let plan = spec.plan(&world.whole(spec));
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    let attempt = |secret: ReleaseSecret, ledger: &mut Ledger| {
        let order = Order { plan: &plan, base: Path::new(""), folder: &target, existing: Existing::Refuse };
        let engine = DataFusionEngine::new(Settings::default());
        release(&order, &engine, ledger, secret, &|| Moment::from_unix_seconds(0), Arc::new(Nobody))
    };
    let mut book = Ledger::open(&home.path().join("ledger.sqlite")).expect("a book");
    let known = attempt(known_secret(7), &mut book);
    assert!(matches!(known, Err(Failure::Refused(Refusal::KnownSeed))), "{known:?}");
    let mut memory = Ledger::in_memory().expect("a book");
    let forgotten = attempt(ReleaseSecret::fresh().expect("entropy"), &mut memory);
    assert!(matches!(forgotten, Err(Failure::Refused(Refusal::ForgottenBook))), "{forgotten:?}");
    for ledger in [&book, &memory] {
        assert!(ledger.accounts().expect("a book").is_empty(), "nothing was charged");
    }
    assert!(!target.exists());
}
