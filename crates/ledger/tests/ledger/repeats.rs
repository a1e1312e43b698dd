//! The same request, again: delivered, under way, failed, of another request, and meant.

use crate::{certificate, costing, name, now};
use incrowd_ledger::{Charge, ChargeRefusal, EarlierState, Ledger, LedgerError, Repetition};

/// How an attempt to pay once is refused.
fn refused(ledger: &mut Ledger, charge: &Charge) -> Option<EarlierState> {
    match ledger.charge_once(charge, now()) {
        Ok(_) => None,
        Err(LedgerError::Refused(refusal)) => match *refusal {
            ChargeRefusal::Repeated(repeat) => {
                assert_eq!(
                    Some(&repeat.earlier),
                    ledger.earlier(&charge.account, &charge.plan_hash).expect("").as_ref()
                );
                assert!(repeat.to_string().contains(repeat.earlier.charge_id.as_str()), "{repeat}");
                assert!(repeat.hint().contains("--again draws anew and costs epsilon 1"), "{}", repeat.hint());
                Some(repeat.earlier.state)
            }
            other => panic!("{other}"),
        },
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn what_was_delivered_or_is_under_way_is_not_paid_for_again() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let charge = costing("a", "1");
    let first = ledger.charge_once(&charge, now()).expect("new");
    assert_eq!(refused(&mut ledger, &charge), Some(EarlierState::UnderWay));
    ledger.record_delivery(first.spend(), &certificate(), now()).expect("recorded");
    assert_eq!(refused(&mut ledger, &charge), Some(EarlierState::Delivered));
    // Meant again, and under way: what was delivered is what is told.
    let again = ledger.charge(&charge, now()).expect("meant");
    assert_eq!(refused(&mut ledger, &charge), Some(EarlierState::Delivered));
    ledger.record_failure(again.spend(), now()).expect("recorded");
    assert_eq!(refused(&mut ledger, &charge), Some(EarlierState::Delivered));
    assert_eq!(ledger.account(&name("a")).expect("a book").expect("an account").charges(), 2, "and no more");
}

#[test]
fn what_failed_is_paid_for_again_unless_nobody_would_read_why() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let charge = costing("a", "1");
    let failed = ledger.pay(&charge, Repetition::RefusedOnceTried, now()).expect("new");
    ledger.record_failure(failed.spend(), now()).expect("recorded");
    match ledger.pay(&charge, Repetition::RefusedOnceTried, now()) {
        Err(LedgerError::Refused(refusal)) => match *refusal {
            ChargeRefusal::Repeated(repeat) => {
                assert_eq!(repeat.earlier.state, EarlierState::Failed);
                assert!(repeat.to_string().ends_with("and not delivered"), "{repeat}");
                assert!(
                    repeat.hint().contains("incrowd check") && repeat.hint().contains("--again"),
                    "{}",
                    repeat.hint()
                );
            }
            other => panic!("{other}"),
        },
        Ok(_) | Err(_) => panic!("it must be refused"),
    }
    let second = ledger.pay(&charge, Repetition::Refused, now()).expect("somebody has read why it failed");
    ledger.record_delivery(second.spend(), &certificate(), now()).expect("recorded");
    let third = ledger.pay(&charge, Repetition::Meant, now()).expect("meant");
    ledger.record_failure(third.spend(), now()).expect("recorded");
    // What was delivered is there, whatever became of later tries.
    let earlier = ledger.earlier(&charge.account, &charge.plan_hash).expect("a book").expect("a charge");
    assert_eq!(earlier.state, EarlierState::Delivered);
}

#[test]
fn another_request_another_account_and_one_that_failed_are_new() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let charge = costing("a", "1");
    let failed = ledger.charge_once(&charge, now()).expect("new");
    ledger.record_failure(failed.spend(), now()).expect("recorded");
    drop(ledger.charge_once(&charge, now()).expect("nothing came of the first"));
    drop(ledger.charge_once(&costing("b", "1"), now()).expect("another account"));
    let other = Charge { plan_hash: "0ther".into(), ..costing("a", "1") };
    drop(ledger.charge_once(&other, now()).expect("another request"));
    assert_eq!(refused(&mut ledger, &charge), Some(EarlierState::UnderWay));
}
