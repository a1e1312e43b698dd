//! What the library refuses whoever calls it: receipts for other plans, known draws and forgetful books about real
//! people.

use crate::generate::specs;
use crate::world::World;
use incrowd_counts::testing::reveal_true_counts;
use incrowd_counts::{Choice, CountError, Empties, Listing, Mover, Protection, Shape, Shown, TrueCounts};
use incrowd_engine::{Engine, InputSize, Paid, Participants, Prepared, Reading, Unwatched, Watch};
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_ledger::{Charge, Ledger, Moment, Receipt, Repetition};
use incrowd_noise::ReleaseSecret;
use incrowd_noise::testing::known_secret;
use incrowd_release::folder::Existing;
use incrowd_release::plan::RequestedPlan;
use incrowd_release::protect::PaidMechanism;
use incrowd_release::query::query;
use incrowd_release::refusal::Refusal;
use incrowd_release::rehearsal::Rehearsal;
use incrowd_release::release::{Audience, Order, ReleaseFailure, Stage, release};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// How many bytes were read.
#[derive(Default)]
struct Bytes(AtomicU64);

impl Watch for Bytes {
    fn read(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Two plans over the same people, and what each costs.
struct Two {
    plans: [RequestedPlan; 2],
    prices: [Charge; 2],
    /// What the plans read.
    _world: World,
}

impl Two {
    fn new() -> Two {
        let world = World::new();
        let all = specs();
        let [one, other] = ["illnesses", "illnesses, finite"].map(|name| {
            all.iter().find(|spec| spec.name == name).unwrap_or_else(|| panic!("no release is named {name}"))
        });
        let plans = [one, other].map(|spec| spec.plan(&world.whole(spec)));
        let prices = [one, other].map(|spec| world.charge(spec));
        Two { plans, prices, _world: world }
    }

    fn prepared(&self, plan: usize) -> Box<dyn Prepared> {
        let engine = DataFusionEngine::new(Settings::default());
        engine.prepare(&query(self.plans[plan].plan().request(), Path::new("")).expect("a query")).expect("prepared")
    }

    /// Returns a receipt for a plan, of a book of its own.
    fn receipt(&self, plan: usize) -> Receipt {
        let mut ledger = Ledger::in_memory().expect("a ledger");
        ledger.charge(&self.prices[plan], Moment::from_unix_seconds(0)).expect("paid")
    }

    /// Returns what a plan counts.
    fn counts(&self, plan: usize) -> TrueCounts {
        let counted = self.prepared(plan).count(&self.receipt(plan), Participants::Everybody, Arc::new(Unwatched));
        counted.unwrap_or_else(|error| panic!("{error}"))
    }

    fn mechanism(&self, plan: usize) -> PaidMechanism {
        PaidMechanism::of(&self.plans[plan]).expect("a mechanism")
    }
}

#[test]
fn a_receipt_for_another_plan_pays_for_no_row() {
    let two = Two::new();
    for (paid, is_paid_for) in [(0, true), (1, false)] {
        let bytes = Arc::new(Bytes::default());
        let counted = two.prepared(0).count(&two.receipt(paid), Participants::Everybody, bytes.clone());
        match counted {
            Ok(counts) => {
                assert!(is_paid_for && !reveal_true_counts(counts).expect("counted to the end").is_empty());
                assert!(bytes.0.load(Ordering::Relaxed) > 0, "rows are read for who paid");
            }
            Err(error) => {
                assert!(!is_paid_for && error == CountError::Contract, "{error}");
                assert_eq!(bytes.0.load(Ordering::Relaxed), 0, "no row is read");
            }
        }
    }
}

/// An engine that shows one plan and counts another.
struct Exchanged {
    shown: Box<dyn Prepared>,
    counted: Box<dyn Prepared>,
}

impl Prepared for Exchanged {
    fn input(&self) -> InputSize {
        self.shown.input()
    }

    fn reading(&self) -> Reading {
        self.shown.reading()
    }

    fn plan_hash(&self) -> &str {
        self.shown.plan_hash()
    }

    fn count_paid(
        self: Box<Self>,
        paid: Paid,
        who: Participants,
        watch: Arc<dyn Watch>,
    ) -> Result<TrueCounts, CountError> {
        self.counted.count_paid(paid, who, watch)
    }
}

#[test]
fn what_was_paid_for_one_plan_is_not_handed_on_to_another() {
    let two = Two::new();
    let prepared = |plan: usize| {
        let asked = query(two.plans[plan].plan().request(), Path::new("")).expect("a query");
        Rehearsal::of(two.plans[plan].plan()).prepare(&asked).expect("prepared")
    };
    for (counted, refused) in [(0, None), (1, Some(CountError::Contract))] {
        let engine: Box<dyn Prepared> = Box::new(Exchanged { shown: prepared(0), counted: prepared(counted) });
        let counts = engine.count(&two.receipt(0), Participants::Everybody, Arc::new(Unwatched));
        assert_eq!(counts.err(), refused);
    }
}

#[test]
fn a_mechanism_publishes_what_was_counted_and_paid_for_its_own_plan_and_nothing_else() {
    let two = Two::new();
    for (mechanism, counted, paid) in
        (0..8).map(|bits| (bits & 1, bits >> 1 & 1, bits >> 2)).collect::<Vec<(usize, usize, usize)>>()
    {
        let receipt = two.receipt(paid);
        let charge_id = receipt.charge_id();
        let published =
            two.mechanism(mechanism).publish(two.counts(counted), receipt, known_secret(7), charge_id.as_str());
        let is_one_plan = mechanism == counted && counted == paid;
        match published {
            Ok((published, spent)) => {
                assert!(is_one_plan, "mechanism {mechanism}, counts {counted}, receipt {paid}");
                assert!(published.count() > 0 && *spent.charge_id() == charge_id);
            }
            Err(spent) => {
                assert!(!is_one_plan, "mechanism {mechanism}, counts {counted}, receipt {paid}");
                assert_eq!(*spent.charge_id(), charge_id, "the book can be told");
            }
        }
    }
}

/// A mechanism of which nothing may be drawn.
struct Untouched;

impl Protection for Untouched {
    fn show(&self, _key: &[u8], _count: u64) -> Shown {
        panic!("nothing may be drawn")
    }

    fn show_passed(&self, _key: &[u8]) -> Shown {
        panic!("nothing may be drawn")
    }
}

impl Choice for Untouched {
    fn is_candidate(&mut self, _key: &[u8], _count: u64) -> bool {
        panic!("nothing may be drawn")
    }

    fn choose(&mut self, _counts: &[u64]) -> Vec<usize> {
        panic!("nothing may be drawn")
    }

    fn show(&mut self, _key: &[u8], _count: u64) -> Shown {
        panic!("nothing may be drawn")
    }
}

impl Mover for Untouched {
    fn cell(&self, _place: u64) -> Option<u64> {
        panic!("nothing may be drawn")
    }

    fn is_shown(&self, _people: u64) -> bool {
        panic!("nothing may be drawn")
    }

    fn moved(&mut self, _place: u64, _people: u64, _point: &mut dyn FnMut(&[i64])) {
        panic!("nothing may be drawn")
    }
}

#[test]
fn no_exit_takes_counts_of_another_plan_or_of_none() {
    let two = Two::new();
    let of_none = || TrueCounts::new(Shape::Declared { cells: 1 }, std::iter::once_with(|| panic!("nothing is read")));
    let foreign: [&dyn Fn() -> TrueCounts; 2] = [&|| two.counts(1), &of_none];
    for counts in foreign {
        let protected =
            counts().protect_with(two.receipt(0), Arc::new(Untouched), Listing::EveryCell, Empties::Visited);
        assert!(protected.is_err());
        assert!(counts().choose_with(two.receipt(0), Vec::new(), Box::new(Untouched)).is_err());
        assert!(counts().move_with(two.receipt(0), Vec::new(), Box::new(Untouched)).is_err());
    }
    let claimed = of_none().counted_for(&two.receipt(0)).expect("of no plan before");
    assert_eq!(claimed.counted_for(&two.receipt(1)).err(), Some(CountError::Contract), "not of a second one");
}

#[test]
fn known_draws_and_forgetful_books_are_refused_for_real_people_before_anything_is_charged() {
    let world = World::new();
    let spec = &specs()[0];
    let plan = spec.plan(&world.whole(spec));
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    let attempt = |secret: ReleaseSecret, ledger: &mut Ledger| {
        let (existing, repetition) = (Existing::Refuse, Repetition::Refused);
        let order = Order { plan: &plan, base: Path::new(""), folder: &target, existing, repetition };
        let engine = DataFusionEngine::new(Settings::default());
        release(&order, &engine, ledger, secret, &|| Moment::from_unix_seconds(0), Arc::new(Nobody))
    };
    let mut book = Ledger::open(&home.path().join("ledger.sqlite")).expect("a book");
    let known = attempt(known_secret(7), &mut book);
    assert!(matches!(known, Err(ReleaseFailure::Refused(Refusal::KnownSeed))), "{known:?}");
    let mut memory = Ledger::in_memory().expect("a book");
    let forgotten = attempt(ReleaseSecret::fresh().expect("entropy"), &mut memory);
    assert!(matches!(forgotten, Err(ReleaseFailure::Refused(Refusal::ForgottenBook))), "{forgotten:?}");
    for ledger in [&book, &memory] {
        assert!(ledger.accounts().expect("a book").is_empty(), "nothing was charged");
    }
    assert!(!target.exists());
}
