//! Names of new accounts, states and periods: nothing gets a fresh budget by looking like something else.

use crate::chain::tamper;
use crate::hostile::rechain;
use crate::{budget, costing, name, now, pay};
use incrowd_ledger::{Charge, ChargeRefusal, Ledger, LedgerError, Moment, NameFault, People, Period, Terms};

#[test]
fn a_name_that_looks_like_an_account_opens_no_other() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    ledger.open_account(&name("employees-2026"), &budget("1"), now()).expect("opened");
    for other in [
        "employees-2026 ",
        " employees-2026",
        "employees-2026\u{a0}",
        "employees-\u{200b}2026",
        "emp\u{ad}loyees-2026",
        "\u{202e}employees-2026",
        "employees-2026\u{e0041}",
        "\u{435}mployees-2026",
        "\u{ff45}mployees-2026",
        "Employees-2026",
        "EMPLOYEES-2026",
        "ernployees-2026",
    ] {
        let similar = |error: LedgerError| match error {
            LedgerError::SimilarAccount { existing, .. } => existing,
            error => panic!("{other:?}: {error}"),
        };
        let charged = ledger.charge(&costing(other, "1"), now()).expect_err("nothing is charged");
        assert!(charged.hint().contains("did you mean employees-2026?"), "{}", charged.hint());
        assert!(charged.to_string().is_ascii(), "what is not seen is written out: {charged}");
        assert_eq!(similar(charged), "employees-2026");
        assert_eq!(
            similar(ledger.open_account(&name(other), &budget("1"), now()).expect_err("refused")),
            "employees-2026"
        );
    }
    for fresh in ["\u{200b}visits", "visits ", "visi\u{442}s", "Zu\u{308}rich"] {
        let refused = ledger.charge(&costing(fresh, "1"), now()).expect_err("refused");
        assert!(matches!(refused, LedgerError::Name { .. }), "{fresh:?}: {refused}");
    }
    assert_eq!(ledger.verify(&[]).expect("whole").entries, 1, "nothing was written");
    pay(&mut ledger, &costing("visits", "1")).expect("another name");
    pay(&mut ledger, &costing("Z\u{fc}rich", "1")).expect("another name");
}

#[test]
fn names_that_a_book_has_already_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = Ledger::open(&path).expect("a ledger");
    ledger.open_account(&name("a"), &budget("2"), now()).expect("opened");
    ledger.open_account(&name("b"), &budget("2"), now()).expect("opened");
    drop(ledger);
    // As an earlier version would have opened it.
    tamper(
        &path,
        "UPDATE entry SET account = 'A ' WHERE account = 'b'; UPDATE account SET name = 'A ' WHERE name = 'b'",
    );
    rechain(&path);
    let mut ledger = Ledger::open(&path).expect("a ledger");
    pay(&mut ledger, &costing("A ", "1")).expect("paid");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    assert!(matches!(ledger.charge(&costing("A", "1"), now()), Err(LedgerError::SimilarAccount { .. })));
    ledger.verify(&[]).expect("whole");
}

#[test]
fn states_of_the_data_are_seen_as_they_are() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    for (snapshot, fault) in [
        ("2026 ", NameFault::Blanks),
        ("2026\u{200b}", NameFault::Sign('\u{200b}')),
        ("M\u{430}rch", NameFault::Scripts),
    ] {
        let charge = Charge { snapshot: snapshot.into(), ..costing("a", "1") };
        let refused = ledger.charge(&charge, now()).expect_err("refused");
        assert_eq!(refused, LedgerError::Name { name: snapshot.into(), fault });
    }
    assert_eq!(ledger.verify(&[]).expect("whole").entries, 0);
}

#[test]
fn a_budget_does_not_refill_before_its_period_has_begun() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let terms = Terms { people: People::DisjointPerPeriod(Period::Month), ..budget("1") };
    ledger.open_account(&name("a"), &terms, now()).expect("opened");
    let of = |month: &str| Charge { snapshot: month.into(), ..costing("a", "1") };
    for month in ["2026-02", "9999-12"] {
        match ledger.charge(&of(month), now()).expect_err("refused") {
            LedgerError::Refused(refusal) => {
                assert!(matches!(*refusal, ChargeRefusal::PeriodNotBegun { .. }), "{refusal}");
                assert!(refusal.to_string().contains("has not begun"), "{refusal}");
            }
            error => panic!("{error}"),
        }
    }
    pay(&mut ledger, &of("2025-12")).expect("long ago");
    pay(&mut ledger, &of("2026-01")).expect("begun");
    // In the east it is tomorrow already.
    let evening = Moment::read("2026-01-31T11:00:00Z").expect("a moment");
    let receipt = ledger.charge(&of("2026-02"), evening).expect("begun there");
    ledger.record_failure(receipt.spend(), evening).expect("recorded");
    // A clock that ran backwards is remarked.
    let receipt = ledger.charge(&of("2025-11"), now()).expect("paid");
    assert_eq!(ledger.verify(&[]).expect("whole").backwards, [receipt.seq()]);
    drop(receipt.spend());
}
