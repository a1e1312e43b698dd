//! What certificates claim, held against the book; and outcomes that are recorded twice.

use crate::{budget, certificate, costing, name, now, number};
use incrowd_ledger::{CertificateHash, Claim, Event, Ledger, LedgerError, Mismatch, PaidClaim, ReleaseOutcome, Terms};
use incrowd_privacy::Epsilon;

/// A book with a charge of epsilon 1 that was delivered, one that failed and one that did not end; and the claims on
/// them.
fn book() -> (Ledger, [Claim; 3]) {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    ledger.open_account(&name("a"), &Terms::unlimited(), now()).expect("opened");
    let mut receipts =
        ["1", "2", "3"].map(|epsilon| ledger.charge(&costing("a", epsilon), now()).expect("paid")).into_iter();
    let claims = [1, 2, 3].map(|epsilon| {
        let receipt = receipts.next().expect("three");
        let claim = Claim {
            seq: receipt.seq(),
            hash: receipt.head().to_string(),
            account: "a".into(),
            snapshot: "1".into(),
            plan_hash: "5eed".into(),
            binning_hash: costing("a", "1").binning_hash(),
            epsilon: Epsilon::Finite(number(&epsilon.to_string())),
            delta: Some((number("0"), number("0"))),
        };
        match epsilon {
            1 => ledger.record_delivery(receipt.spend(), &certificate(), now()).expect("recorded"),
            2 => ledger.record_failure(receipt.spend(), now()).expect("recorded"),
            _ => drop(receipt),
        }
        claim
    });
    (ledger, claims)
}

fn judged(ledger: &Ledger, claim: Claim) -> Result<PaidClaim, Mismatch> {
    ledger.claims(&[claim]).expect("a whole book").remove(0)
}

#[test]
fn a_true_claim_is_told_how_its_release_ended() {
    let (ledger, claims) = book();
    let told = ledger.claims(&claims).expect("a whole book");
    assert!(matches!(&told[0], Ok(PaidClaim::Delivered(Some(hash))) if *hash == certificate()), "{told:?}");
    assert!(matches!(&told[1], Ok(PaidClaim::Failed)), "{told:?}");
    assert!(matches!(&told[2], Ok(PaidClaim::Pending(_))), "{told:?}");
}

#[test]
fn a_claim_that_differs_from_its_charge_in_anything_is_refused() {
    let (ledger, [claim, failed, _]) = book();
    let opened = ledger.history(None).expect("a book").remove(0);
    let wrong = |change: &dyn Fn(&mut Claim)| {
        let mut changed = claim.clone();
        change(&mut changed);
        judged(&ledger, changed).expect_err("refused")
    };
    assert_eq!(wrong(&|claim| claim.seq += 1), Mismatch::NotInChain);
    assert_eq!(wrong(&|claim| claim.hash = "0".repeat(64)), Mismatch::NotInChain);
    assert_eq!(wrong(&|claim| (claim.seq, claim.hash) = (opened.seq, opened.hash.clone())), Mismatch::NotACharge);
    assert_eq!(wrong(&|claim| (claim.seq, claim.hash) = (failed.seq, failed.hash.clone())), Mismatch::Epsilon);
    assert_eq!(wrong(&|claim| claim.account = "b".into()), Mismatch::Account);
    assert_eq!(wrong(&|claim| claim.snapshot = "2".into()), Mismatch::Snapshot);
    assert_eq!(wrong(&|claim| claim.plan_hash = "5eee".into()), Mismatch::Plan);
    assert_eq!(wrong(&|claim| claim.binning_hash = "b146".into()), Mismatch::Binning);
    assert_eq!(wrong(&|claim| claim.epsilon = Epsilon::Infinite), Mismatch::Epsilon);
    assert_eq!(wrong(&|claim| claim.delta = Some((number("1/100"), number("1/10")))), Mismatch::Delta);
    assert!(judged(&ledger, Claim { delta: None, ..claim.clone() }).is_ok(), "no delta is stated");
}

#[test]
fn the_outcome_of_another_charge_is_no_charge_either() {
    let (ledger, [claim, ..]) = book();
    let ended =
        ledger.history(None).expect("a book").into_iter().find(|entry| matches!(entry.event, Event::Ended { .. }));
    let ended = ended.expect("an outcome");
    assert_eq!(
        judged(&ledger, Claim { seq: ended.seq, hash: ended.hash, ..claim }).expect_err("refused"),
        Mismatch::NotACharge
    );
}

#[test]
fn whoever_could_not_confirm_an_outcome_may_record_the_same_again() {
    let (mut ledger, [delivered, _, pending]) = book();
    let spent = |ledger: &Ledger| match judged(ledger, pending.clone()) {
        Ok(PaidClaim::Pending(spent)) => spent,
        other => panic!("not pending but {other:?}"),
    };
    let (first, second, third) = (spent(&ledger), spent(&ledger), spent(&ledger));
    let entries = |ledger: &Ledger| ledger.verify(&[]).expect("whole").entries;
    let before = entries(&ledger);
    ledger.record_delivery(first, &certificate(), now()).expect("recorded");
    ledger.record_delivery(second, &certificate(), now()).expect("it is there already");
    assert_eq!(entries(&ledger), before + 1, "one outcome, however often it is recorded");
    // Another certificate, or another end, is another claim about what happened.
    let other = ledger.record_delivery(third, &CertificateHash::of(b"another"), now()).expect_err("refused");
    assert!(matches!(other.error, LedgerError::AlreadyEnded { .. }), "{other:?}");
    let failed = ledger.record_failure(other.spent, now()).expect_err("refused");
    assert!(matches!(failed.error, LedgerError::AlreadyEnded { .. }), "{failed:?}");
    assert_eq!(entries(&ledger), before + 1);
    assert!(judged(&ledger, delivered).is_ok());
}

#[test]
fn the_chain_holds_the_certificate_of_what_was_delivered() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = Ledger::open(&path).expect("a ledger");
    ledger.open_account(&name("a"), &budget("2"), now()).expect("opened");
    let receipt = ledger.charge(&costing("a", "1"), now()).expect("paid");
    ledger.record_delivery(receipt.spend(), &certificate(), now()).expect("recorded");
    let ended = ledger.history(None).expect("a book").pop().expect("an entry");
    let expected = Some(certificate());
    assert!(
        matches!(&ended.event, Event::Ended { outcome: ReleaseOutcome::Delivered, certificate, .. } if *certificate == expected)
    );
    for other in ["NULL", "'0000000000000000000000000000000000000000000000000000000000000000'", "'short'"] {
        crate::chain::tamper(&path, &format!("UPDATE entry SET certificate_hash = {other} WHERE seq = 3"));
        assert!(matches!(ledger.verify(&[]), Err(LedgerError::Damaged { .. })), "{other}");
        let back = format!("UPDATE entry SET certificate_hash = '{}' WHERE seq = 3", certificate());
        crate::chain::tamper(&path, &back);
        ledger.verify(&[]).expect("whole again");
    }
}
