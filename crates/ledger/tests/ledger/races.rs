//! Several hands in one purse.

use crate::{budget, children, costing, guarded, half_spent, name, now, number, signed, spent};
use incrowd_ledger::{Authority, ChargeRefusal, Ledger, LedgerError, Trouble};
use incrowd_privacy::Epsilon;
use rusqlite::Connection;
use std::path::Path;
use std::sync::Barrier;
use std::time::Duration;

/// Returns how many of eight simultaneous charges were paid; the others must have been refused for lack of budget.
fn winners(path: &Path, epsilon: &str) -> usize {
    let start = Barrier::new(8);
    let paid = |_| {
        let mut ledger = Ledger::open(path).expect("a ledger");
        start.wait();
        match ledger.charge(&costing("a", epsilon), now()) {
            Ok(_) => true,
            Err(LedgerError::Refused(refusal)) if matches!(*refusal, ChargeRefusal::Overdrawn { .. }) => false,
            Err(other) => panic!("{other}"),
        }
    };
    std::thread::scope(|scope| {
        let hands: Vec<_> = (0..8).map(|hand| scope.spawn(move || paid(hand))).collect();
        hands.into_iter().map(|hand| hand.join().expect("no panic")).filter(|paid| *paid).count()
    })
}

#[test]
fn exactly_one_of_many_threads_gets_the_last_budget() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let ledger = half_spent(&path);
    assert_eq!(winners(&path, "1"), 1);
    assert_eq!(spent(&ledger, "a"), Epsilon::Finite(number("2")));
}

#[test]
fn budgets_that_an_officer_raised_are_raced_for_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = half_spent(&path);
    for epsilon in ["3/2", "3", "2"] {
        let terms = guarded(budget(epsilon));
        let signature = signed(&ledger, "a", &terms, 1);
        ledger.change_terms(&name("a"), &terms, Authority::Signature(&signature), now()).expect("signed");
    }
    assert_eq!(winners(&path, "1"), 1);
    assert_eq!(spent(&ledger, "a"), Epsilon::Finite(number("2")));
    assert_eq!(ledger.verify(&[]).expect("whole").unsigned, []);
}

#[test]
fn as_many_threads_are_paid_as_the_budget_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    drop(half_spent(&path));
    assert_eq!(winners(&path, "1/3"), 3);
}

#[test]
fn many_threads_may_make_the_same_ledger() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deep/in/folders/ledger.sqlite");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut ledger = Ledger::open(&path).expect("a ledger");
                drop(ledger.charge(&costing("a", "1"), now()).expect("paid"));
            });
        }
    });
    let ledger = Ledger::open_existing(&path).expect("a ledger");
    assert_eq!(spent(&ledger, "a"), Epsilon::Finite(number("8")));
}

#[test]
fn exactly_one_of_many_processes_gets_the_last_budget() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    drop(half_spent(&path));
    let hands: Vec<_> = (0..50).map(|_| children::start("charges_one", &path)).collect();
    let answers: Vec<String> = hands.into_iter().map(children::answer).collect();
    assert_eq!(answers.iter().filter(|answer| *answer == "paid").count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|answer| answer.contains("0 is left")).count(), 49, "{answers:?}");
}

#[test]
fn a_ledger_in_use_is_waited_for_and_then_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = half_spent(&path);
    let other = Connection::open(&path).expect("a database");
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    ledger.wait_at_most(Duration::from_millis(50)).expect("less patient");
    let error = ledger.charge(&costing("a", "1"), now()).expect_err("in use");
    assert_eq!(error, LedgerError::Trouble { path: Some(path.clone()), trouble: Trouble::Locked });
    assert!(error.to_string().ends_with("is in use by another process"), "{error}");
    assert_eq!(spent(&ledger, "a"), Epsilon::Finite(number("1")), "looking is still possible");

    // Released while the charge waits: it goes through.
    ledger.wait_at_most(Duration::from_secs(30)).expect("patient");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            other.execute_batch("ROLLBACK").expect("released");
        });
        drop(ledger.charge(&costing("a", "1"), now()).expect("paid"));
    });
}

#[test]
fn a_transaction_that_is_dropped_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = half_spent(&path);
    let before = ledger.history(None).expect("a book");
    let other = Connection::open(&path).expect("a database");
    other.execute_batch(children::HALF_A_CHARGE).expect("half done");
    drop(other);
    assert_eq!(ledger.history(None).expect("a book"), before);
    drop(ledger.charge(&costing("a", "1"), now()).expect("paid"));
}

#[test]
fn a_process_killed_in_the_middle_of_a_charge_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let before = half_spent(&path).history(None).expect("a book");
    let intact = std::fs::read(&path).expect("a file");
    assert_eq!(children::answer(children::start("dies_while_charging", &path)), "died");
    let journal = folder.path().join("ledger.sqlite-journal");
    assert!(journal.exists(), "the killed process left its journal");
    assert_ne!(std::fs::read(&path).expect("a file"), intact, "and half of its entries");

    let ledger = Ledger::open_existing(&path).expect("a ledger");
    assert_eq!(ledger.history(None).expect("a book"), before);
    assert_eq!(ledger.account(&name("a")).expect("a book").expect("an account").terms, guarded(budget("2")));
    let mut ledger = Ledger::open(&path).expect("a ledger");
    drop(ledger.charge(&costing("a", "1"), now()).expect("paid"));
}

#[test]
fn of_many_processes_with_the_same_request_one_pays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = Ledger::open(&path).expect("a ledger");
    ledger.open_account(&name("a"), &budget("9"), now()).expect("opened");
    let hands: Vec<_> = (0..20).map(|_| children::start("charges_once", &path)).collect();
    let answers: Vec<String> = hands.into_iter().map(children::answer).collect();
    assert_eq!(answers.iter().filter(|answer| *answer == "paid").count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|answer| answer.contains("how that ended")).count(), 19, "{answers:?}");
    assert_eq!(spent(&ledger, "a"), Epsilon::Finite(number("1")));
}
