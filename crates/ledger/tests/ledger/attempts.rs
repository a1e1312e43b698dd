//! Who wrote what, and what was refused: for whoever answers for an account.

use crate::{budget, costing, name, now, pay, spent};
use incrowd_ledger::{Authority, Charge, Event, Ledger, LedgerError, Provenance, Terms};
use incrowd_privacy::Epsilon;
use std::collections::BTreeSet;
use std::path::Path;

fn somebody() -> Provenance {
    Provenance {
        user: Some("ada".into()),
        host: Some("desk".into()),
        by: Some("Ada Lovelace".into()),
        note: Some("for the yearly report".into()),
        nonce: Some("17".into()),
        ..Provenance::default()
    }
}

#[test]
fn entries_say_who_wrote_them_and_what_for() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    ledger.open_account(&name("a"), &budget("1"), now()).expect("opened");
    ledger.written_by(somebody());
    ledger.open_account(&name("b"), &budget("1"), now()).expect("opened");
    ledger.charged_for("People by department and salary", Path::new("/somewhere/out"));
    pay(&mut ledger, &costing("b", "1")).expect("paid");
    drop(ledger.charge(&costing("b", "1"), now()).expect_err("refused"));
    let said: Vec<Option<Provenance>> =
        ledger.history(None).expect("a book").into_iter().map(|entry| entry.provenance).collect();
    let charged = Provenance {
        nonce: None,
        table: Some("People by department and salary".into()),
        folder: Some("/somewhere/out".into()),
        ..somebody()
    };
    let ended = Provenance { note: None, nonce: None, ..somebody() };
    assert_eq!(said, [None, Some(somebody()), Some(charged.clone()), Some(ended), Some(charged)]);
    ledger.verify(&[]).expect("whole");
}

#[test]
fn what_was_refused_is_an_entry_that_costs_nothing() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let terms = Terms {
        allow: Some(BTreeSet::from(["differential-privacy".into()])),
        max_epsilon_per_release: Some(incrowd_exact::testing::number("1")),
        ..budget("3/2")
    };
    ledger.open_account(&name("a"), &terms, now()).expect("opened");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    let other = Charge { kind: "group".into(), ..costing("a", "1/2") };
    for refused in
        [costing("a", "1"), costing("a", "2"), other, Charge { epsilon: Epsilon::Infinite, ..costing("a", "0") }]
    {
        assert!(matches!(ledger.charge(&refused, now()), Err(LedgerError::Refused(_))));
    }
    let reasons: Vec<String> = ledger
        .history(Some(&name("a")))
        .expect("a book")
        .into_iter()
        .filter_map(|entry| match entry.event {
            Event::Refused(attempt) => Some(attempt.reason),
            Event::Opened(_)
            | Event::Charged(_)
            | Event::Ended { .. }
            | Event::SetAside(_)
            | Event::TermsChanged { .. } => None,
        })
        .collect();
    assert_eq!(reasons, ["over-epsilon", "too-much-at-once", "kind-not-allowed", "too-much-at-once"]);
    let account = ledger.account(&name("a")).expect("a book").expect("an account");
    assert_eq!((account.refused, account.charges()), (4, 1));
    assert_eq!(spent(&ledger, "a").to_string(), "1");
    pay(&mut ledger, &costing("a", "1/2")).expect("the rest is still there");
    // A request that was refused is no request that was paid for.
    assert!(matches!(ledger.charge_once(&costing("a", "1/2"), now()), Err(LedgerError::Refused(_))));
    assert_eq!(ledger.account(&name("a")).expect("a book").expect("an account").refused, 4, "repeats are no attempts");
}

#[test]
fn an_account_that_spent_more_than_it_may_now_is_called_overdrawn() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    ledger.open_account(&name("a"), &budget("2"), now()).expect("opened");
    pay(&mut ledger, &costing("a", "2")).expect("paid");
    let full = ledger.charge(&costing("a", "1"), now()).expect_err("refused").to_string();
    assert!(full.contains("0 is left in account a") && !full.contains("overdrawn"), "{full}");
    ledger.change_terms(&name("a"), &budget("1"), Authority::Nobody, now()).expect("stricter");
    let over = ledger.charge(&costing("a", "1"), now()).expect_err("refused").to_string();
    assert_eq!(over, "this release needs epsilon 1, and account a is overdrawn: epsilon 2 of 1 is spent");
}

#[test]
fn refused_attempts_fill_no_book() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    ledger.open_account(&name("a"), &budget("1"), now()).expect("opened");
    for _ in 0..1010 {
        assert!(matches!(ledger.charge(&costing("a", "2"), now()), Err(LedgerError::Refused(_))));
    }
    assert_eq!(ledger.verify(&[]).expect("whole").entries, 1001);
    pay(&mut ledger, &costing("a", "1")).expect("and block nothing");
    // A name that nobody opened is not opened by what is refused.
    let refused = ledger.charge(&Charge { delta: incrowd_exact::testing::number("1/2"), ..costing("b", "-1") }, now());
    assert!(refused.is_err());
    assert_eq!(ledger.account(&name("b")).expect("a book"), None);
}

#[test]
fn a_refusal_is_one_where_nothing_can_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = Ledger::open(&path).expect("a ledger");
    ledger.open_account(&name("a"), &budget("1"), now()).expect("opened");
    // Whoever reads keeps the file from being written to.
    let reader = rusqlite::Connection::open(&path).expect("a database");
    reader.execute_batch("BEGIN; SELECT count(*) FROM entry").expect("read");
    ledger.wait_at_most(std::time::Duration::from_millis(50)).expect("less patient");
    assert!(matches!(ledger.charge(&costing("a", "2"), now()), Err(LedgerError::Refused(_))));
    assert!(matches!(ledger.charge(&costing("a", "1"), now()), Err(LedgerError::Trouble { .. })));
    reader.execute_batch("ROLLBACK").expect("ended");
    assert_eq!(ledger.verify(&[]).expect("whole").entries, 1);
}
