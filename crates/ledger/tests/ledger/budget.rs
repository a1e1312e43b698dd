//! Who pays for what.

use crate::{budget, certificate, costing, name, now, number, pay, spent, unbounded};
use incrowd_exact::Rational;
use incrowd_ledger::{
    AccountName, Authority, Charge, ChargeError, ChargeRefusal, Durability, Event, Ledger, LedgerError, Moment,
    ReleaseOutcome, Terms, TermsError,
};
use incrowd_privacy::Epsilon;
use std::collections::BTreeSet;

fn on(terms: &Terms) -> Ledger {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    ledger.open_account(&name("a"), terms, now()).expect("opened");
    ledger
}

fn refused(ledger: &mut Ledger, charge: &Charge) -> ChargeRefusal {
    let spent =
        |ledger: &Ledger| ledger.account(&name("a")).expect("a book").map(|account| (account.spent(), account.terms));
    let before = spent(ledger);
    let error = ledger.charge(charge, now()).expect_err("refused");
    assert_eq!(spent(ledger), before, "a refusal costs nothing");
    assert!(!error.hint().is_empty());
    match error {
        LedgerError::Refused(refusal) => *refusal,
        other => panic!("not refused but {other}"),
    }
}

#[test]
fn a_spent_budget_refuses_the_next_release() {
    let mut ledger = on(&budget("1"));
    pay(&mut ledger, &costing("a", "3/4")).expect("paid");
    let refusal = refused(&mut ledger, &costing("a", "1/2"));
    assert_eq!(
        refusal,
        ChargeRefusal::Overdrawn {
            account: name("a"),
            asked: number("1/2"),
            left: number("1/4"),
            overdrawn: None,
            fits: Some(number("1/4"))
        }
    );
    assert_eq!(refusal.to_string(), "this release needs epsilon 1/2; 1/4 is left in account a");
    assert_eq!(refusal.hint(), "a release that is charged epsilon 1/4 would fit; see incrowd ledger history a");
    pay(&mut ledger, &costing("a", "1/4")).expect("the last quarter is there");
    assert!(matches!(refused(&mut ledger, &costing("a", "1e-300")), ChargeRefusal::Overdrawn { .. }));
    pay(&mut ledger, &costing("a", "0")).expect("nothing costs nothing");
}

#[test]
fn a_failed_release_is_not_refunded() {
    let mut ledger = on(&budget("1"));
    let receipt = ledger.charge(&costing("a", "1"), now()).expect("paid");
    ledger.record_failure(receipt.spend(), now()).expect("recorded");
    assert!(matches!(refused(&mut ledger, &costing("a", "1")), ChargeRefusal::Overdrawn { .. }));
    assert_eq!(spent(&ledger, "a"), Epsilon::Finite(number("1")));
}

#[test]
fn a_receipt_that_was_dropped_is_paid_all_the_same() {
    let mut ledger = on(&budget("1"));
    drop(ledger.charge(&costing("a", "1"), now()).expect("paid"));
    assert!(matches!(refused(&mut ledger, &costing("a", "1")), ChargeRefusal::Overdrawn { .. }));
}

#[test]
fn an_epsilon_budget_alone_allows_no_delta() {
    let mut ledger = on(&budget("1"));
    let charge = Charge { delta: number("1e-6"), ..costing("a", "1/2") };
    let refusal = refused(&mut ledger, &charge);
    assert_eq!(refusal, ChargeRefusal::NoDeltaBudget { account: name("a"), asked: number("1e-6") });
    assert!(refusal.to_string().contains("allows no delta"), "{refusal}");
}

#[test]
fn deltas_add_up_to_their_own_budget() {
    let mut ledger = on(&Terms { delta: Some(number("3e-6")), ..budget("10") });
    let charge = Charge { delta: number("2e-6"), ..costing("a", "1") };
    pay(&mut ledger, &charge).expect("paid");
    let left = number("1e-6");
    assert_eq!(
        refused(&mut ledger, &charge),
        ChargeRefusal::DeltaOverdrawn { account: name("a"), asked: number("2e-6"), left: left.clone() }
    );
    let account = ledger.account(&name("a")).expect("a book").expect("an account");
    assert_eq!((account.left("1").epsilon, account.left("1").delta), (Some(number("9")), Some(left)));
}

#[test]
fn a_delta_budget_alone_limits_delta_alone() {
    let mut ledger = on(&Terms { delta: Some(Rational::ZERO), ..Terms::unlimited() });
    pay(&mut ledger, &costing("a", "1000")).expect("paid");
    let charge = Charge { delta: number("1e-9"), ..costing("a", "1") };
    assert!(matches!(refused(&mut ledger, &charge), ChargeRefusal::DeltaOverdrawn { .. }));
}

#[test]
fn an_infinite_epsilon_needs_an_account_without_a_budget_or_an_explicit_word() {
    assert_eq!(
        refused(&mut on(&budget("100")), &unbounded("a")),
        ChargeRefusal::Unbounded { account: name("a"), kind: "crowd-blending".into() }
    );
    pay(&mut on(&Terms::unlimited()), &unbounded("a")).expect("no budget");
    let allow = ["crowd-blending", "differential-privacy"].map(String::from);
    let mut ledger = on(&Terms { allow: Some(BTreeSet::from(allow)), ..budget("100") });
    pay(&mut ledger, &unbounded("a")).expect("allowed by name");
    assert_eq!(spent(&ledger, "a"), Epsilon::Infinite);
    // The budget bounds what people in small groups have accumulated.
    pay(&mut ledger, &costing("a", "99")).expect("paid");
    assert!(matches!(refused(&mut ledger, &costing("a", "2")), ChargeRefusal::Overdrawn { .. }));
    // No budget bounds a promise that grows without end, whoever allows it.
    let promise = r#"{"cap":"infinite","delta":null,"floor":"0","kind":"linear","slope":"1/100"}"#;
    let endless = Charge { promise: promise.into(), kind: "linear".into(), ..unbounded("a") };
    let mut ledger = on(&Terms { allow: Some(BTreeSet::from(["linear".to_string()])), ..budget("100") });
    assert_eq!(refused(&mut ledger, &endless), ChargeRefusal::Unbounded { account: name("a"), kind: "linear".into() });
    pay(&mut on(&Terms::unlimited()), &endless).expect("no budget");
}

#[test]
fn a_policy_pays_only_for_the_kinds_it_lists() {
    let allowed = BTreeSet::from(["group".to_string()]);
    let mut ledger = on(&Terms { allow: Some(allowed.clone()), ..Terms::unlimited() });
    let refusal = refused(&mut ledger, &costing("a", "1"));
    let kind = "differential-privacy".to_string();
    assert_eq!(refusal, ChargeRefusal::KindNotAllowed { account: name("a"), kind, allowed });
    assert_eq!(refusal.hint(), "choose one of: group");
}

#[test]
fn a_policy_refuses_small_groups_and_promises_to_no_group() {
    let mut ledger = on(&Terms { min_group: Some(21), ..Terms::unlimited() });
    let refusal = |named| ChargeRefusal::GroupTooSmall { account: name("a"), named, least: 21 };
    assert_eq!(refused(&mut ledger, &unbounded("a")), refusal(Some(20)));
    assert_eq!(refused(&mut ledger, &Charge { smallest_group: None, ..unbounded("a") }), refusal(None));
    pay(&mut ledger, &Charge { smallest_group: Some(21), ..unbounded("a") }).expect("large enough");
    pay(&mut ledger, &costing("a", "1")).expect("everybody is protected");
}

#[test]
fn a_policy_caps_a_single_release() {
    let mut ledger = on(&Terms { max_epsilon_per_release: Some(number("1/2")), ..Terms::unlimited() });
    pay(&mut ledger, &costing("a", "1/2")).expect("paid");
    for charge in [costing("a", "0.51"), unbounded("a")] {
        let most = number("1/2");
        let asked = charge.epsilon.clone();
        assert_eq!(refused(&mut ledger, &charge), ChargeRefusal::TooMuchAtOnce { account: name("a"), asked, most });
    }
}

#[test]
fn accounts_do_not_pay_for_each_other() {
    let mut ledger = on(&budget("1"));
    ledger.open_account(&name("b"), &budget("1"), now()).expect("opened");
    pay(&mut ledger, &costing("b", "1")).expect("paid");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
}

#[test]
fn a_charge_opens_a_missing_account_without_limits_and_says_so() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let first = ledger.charge(&costing("new", "5"), now()).expect("paid");
    let second = ledger.charge(&costing("new", "5"), now()).expect("paid");
    assert_eq!((first.opened_account(), second.opened_account()), (true, false));
    assert_eq!((first.seq(), second.seq()), (2, 3));
    let account = ledger.account(&name("new")).expect("a book").expect("an account");
    assert_eq!((account.charges(), account.terms), (2, Terms::unlimited()));
}

#[test]
fn an_account_is_opened_once() {
    let mut ledger = on(&budget("1"));
    let again = ledger.open_account(&name("a"), &budget("9"), now());
    assert_eq!(again, Err(LedgerError::AccountExists { account: name("a") }));
    assert_eq!(ledger.accounts().expect("a book").len(), 1);
}

#[test]
fn other_terms_leave_what_is_spent() {
    let mut ledger = on(&budget("3"));
    pay(&mut ledger, &costing("a", "2")).expect("paid");
    ledger.change_terms(&name("a"), &budget("1"), Authority::Nobody, now()).expect("changed");
    let account = ledger.account(&name("a")).expect("a book").expect("an account");
    assert_eq!((account.spent().epsilon, account.terms.epsilon), (Epsilon::Finite(number("2")), Some(number("1"))));
    assert!(
        matches!(refused(&mut ledger, &costing("a", "1/2")), ChargeRefusal::Overdrawn { left, .. } if left == Rational::ZERO)
    );
    ledger.change_terms(&name("a"), &budget("4"), Authority::Nobody, now()).expect("changed");
    pay(&mut ledger, &costing("a", "2")).expect("paid");
    let nobody = ledger.change_terms(&name("b"), &budget("1"), Authority::Nobody, now());
    assert_eq!(nobody, Err(LedgerError::NoSuchAccount { account: name("b") }));
}

#[test]
fn a_receipt_names_its_charge_and_its_plan_and_prints_nothing_else() {
    let mut ledger = on(&Terms::unlimited());
    let receipt = ledger.charge(&costing("a", "1"), now()).expect("paid");
    let entry = ledger.history(Some(&name("a"))).expect("a book").pop().expect("an entry");
    assert_eq!((entry.seq, entry.hash.as_str()), (receipt.seq(), receipt.head()));
    assert_eq!(entry.charge_id(), Some(receipt.charge_id()));
    assert_eq!(receipt.charge_id().as_str(), &receipt.head()[..32]);
    assert_eq!((receipt.plan_hash(), receipt.durability()), ("5eed", Durability::Forgotten));
    assert_eq!(format!("{receipt:?}"), format!("Receipt({})", receipt.charge_id()));
}

#[test]
fn the_history_tells_what_happened_in_order() {
    let mut ledger = on(&budget("2"));
    pay(&mut ledger, &costing("b", "1")).expect("paid");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    let all = ledger.history(None).expect("a book");
    assert_eq!(all.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    let told = ledger.history(Some(&name("a"))).expect("a book");
    let [opened, charged, ended] = told.as_slice() else { panic!("three entries") };
    assert_eq!(opened.event, Event::Opened(budget("2")));
    assert!(matches!(&charged.event, Event::Charged(charged) if charged.epsilon == Epsilon::Finite(number("1"))));
    assert!(matches!(&ended.event, Event::Ended { outcome: ReleaseOutcome::Delivered, .. }));
    assert_eq!(ended.charge_id(), charged.charge_id());
    assert_eq!(opened.time.to_string(), "2026-01-01T00:00:00Z");
}

#[test]
fn a_stub_of_another_ledger_records_nothing() {
    let mut mine = on(&Terms::unlimited());
    let mut other = Ledger::in_memory().expect("a ledger");
    let spent = mine.charge(&costing("a", "1"), now()).expect("paid").spend();
    let charge_id = spent.charge_id().clone();
    let unrecorded = other.record_delivery(spent, &certificate(), now()).expect_err("refused");
    assert_eq!(unrecorded.error, LedgerError::NoSuchCharge { charge_id });
}

#[test]
fn a_clock_that_goes_backwards_is_harmless() {
    let mut ledger = on(&budget("1"));
    let receipt = ledger.charge(&costing("a", "1/2"), Moment::from_unix_seconds(0)).expect("paid");
    let last = Moment::from_unix_seconds(u64::MAX);
    ledger.record_delivery(receipt.spend(), &certificate(), last).expect("recorded");
    pay(&mut ledger, &costing("a", "1/2")).expect("paid");
}

#[test]
fn what_cannot_be_written_down_is_refused() {
    let mut ledger = on(&Terms::unlimited());
    let sane = costing("a", "1");
    for (charge, error) in [
        (costing("a", "-1"), ChargeError::Epsilon),
        (Charge { delta: number("-1e-6"), ..sane.clone() }, ChargeError::Delta),
        (Charge { delta: number("1"), ..sane.clone() }, ChargeError::Delta),
        (Charge { kind: "Group".into(), ..sane.clone() }, ChargeError::Kind),
        (Charge { snapshot: String::new(), ..sane.clone() }, ChargeError::Snapshot),
        (Charge { snapshot: "1\n2".into(), ..sane.clone() }, ChargeError::Snapshot),
        (Charge { plan_hash: String::new(), ..sane.clone() }, ChargeError::Hash),
        (Charge { promise: "a\0b".into(), ..sane.clone() }, ChargeError::Promise),
    ] {
        assert_eq!(ledger.charge(&charge, now()).err(), Some(LedgerError::Charge(error)));
    }
    let negative = ledger.open_account(&name("b"), &budget("-1"), now());
    assert_eq!(negative, Err(LedgerError::Terms(TermsError::Epsilon)));
}

#[test]
fn names_are_one_line_of_at_most_two_hundred_characters() {
    for wrong in ["", "a\nb", "a\u{7f}", "\0", &"é".repeat(201)] {
        assert!(AccountName::new(wrong).is_err(), "{wrong:?}");
    }
    for right in ["a", "Löhne 2026", &"é".repeat(200)] {
        assert_eq!(AccountName::new(right).expect("a name").as_str(), right);
    }
}
