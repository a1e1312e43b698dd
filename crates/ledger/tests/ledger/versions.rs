//! Books of every version that was ever written, kept as they were, and what is remembered of a book outside it.

use crate::chain::tamper;
use crate::{costing, guarded, half_spent, name, now, number, pay, signed};
use incrowd_ledger::{Authority, DamagedPart, Fault, Guard, Ledger, LedgerError, RaiseKey, Remembered, Terms};
use incrowd_privacy::{Epsilon, Total};
use std::path::{Path, PathBuf};

/// A copy of a book of some version, with its folder.
fn golden(version: u32) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/version-{version}.sqlite"));
    std::fs::copy(kept, &path).expect("a copy");
    (folder, path)
}

/// The head of each golden book, noted when it was made.
const HEADS: [(u32, &str); 2] = [
    (1, "d2ab377f01c586ab05da9cba09094a25b90ec4833ab838d5910e430d19a084fe"),
    (2, "9b28a44f97d9be145a4170974f8d729dc13dcc3015739763a87738ada10d0109"),
];

#[test]
fn books_of_every_version_are_read_and_charged() {
    for (version, head) in HEADS {
        let (_folder, path) = golden(version);
        let before = std::fs::read(&path).expect("a file");
        let ledger = Ledger::open_existing(&path).expect("a book");
        let noted = Remembered { seq: None, hash: head.into() };
        let verified = ledger.verify(std::slice::from_ref(&noted)).expect("whole");
        assert_eq!((verified.entries, verified.accounts, verified.head.as_str()), (9, 2, head), "version {version}");
        let account = ledger.account(&name("employees-2026")).expect("a book").expect("an account");
        assert_eq!(account.spent().epsilon, Epsilon::Finite(number("2")));
        assert_eq!(account.left("1").epsilon, Some(number("2")));
        // Both promises are for the same bins; but where the book tells that nobody named the state of the data, a
        // group may have grown in between, and only those whose groups were small both times have surely lost little.
        let by_group = if version == 1 { "101/100" } else { "2" };
        assert_eq!(account.by_group(None, 100), Epsilon::Finite(number(by_group)), "version {version}");
        assert_eq!(account.in_every_table(None, 100), Epsilon::Finite(number("101/100")));
        let crowds = ledger.account(&name("crowds")).expect("a book").expect("an account").standings().remove(0);
        // The first version did not keep how many bins a person has, without which no crowd is claimed.
        let known = matches!(crowds.total, Ok(Total::Crowd { crowd: 20, .. }));
        let unknown = matches!(crowds.total, Ok(Total::Growing { .. }));
        assert!(if version == 1 { unknown } else { known }, "version {version}: {:?}", crowds.total);
        drop(ledger);
        assert_eq!(std::fs::read(&path).expect("a file"), before, "reading changes nothing");
        let mut ledger = Ledger::open(&path).expect("a book");
        pay(&mut ledger, &costing("employees-2026", "1")).expect("paid");
        assert!(ledger.charge(&costing("employees-2026", "3/2"), now()).is_err(), "what was spent stays spent");
        let verified = ledger.verify(std::slice::from_ref(&noted)).expect("whole");
        assert_eq!(verified.entries, 12, "what was refused is an entry, too");
        assert_eq!(verified.unsigned, [(6, name("employees-2026"))], "its terms were loosened when nothing was signed");
        assert_eq!(verified.unguarded, [name("crowds"), name("employees-2026")]);
    }
}

#[test]
fn accounts_with_a_secret_go_on_and_may_get_a_key() {
    let (_folder, path) = golden(3);
    let secret = RaiseKey::read("4e4cd75d7d0e2ac7a8b2578c456f92af4d1d9814f447911c9b75a901625757be").expect("a secret");
    let head = "0a59e719b00479dd4ea1c7f07189066c0c40b098b49d46ed7c53a4532f15a343";
    let noted = Remembered { seq: None, hash: head.into() };
    let before = Ledger::open_existing(&path).expect("a book").verify(std::slice::from_ref(&noted)).expect("whole");
    assert_eq!((before.entries, before.head.as_str()), (7, head));
    assert_eq!(before.unsigned, [(2, name("people")), (7, name("free"))]);
    assert_eq!(before.unguarded, [name("free"), name("people")]);
    let mut ledger = Ledger::open(&path).expect("a book");
    let terms = ledger.account(&name("people")).expect("a book").expect("an account").terms;
    assert_eq!(terms.guard, Some(Guard::Secret(secret.identity())));
    let looser = Terms { epsilon: Some(number("5")), ..terms.clone() };
    let refused = ledger.change_terms(&name("people"), &looser, Authority::Nobody, now());
    assert_eq!(refused, Err(LedgerError::NeedsKey { account: name("people"), given: false }));
    ledger.change_terms(&name("people"), &looser, Authority::Secret(&secret), now()).expect("with the secret");
    let guarded = guarded(looser);
    assert!(ledger.change_terms(&name("people"), &guarded, Authority::Nobody, now()).is_err(), "nor may the lock go");
    ledger.change_terms(&name("people"), &guarded, Authority::Secret(&secret), now()).expect("a key for a secret");
    let unlimited = Terms { guard: guarded.guard.clone(), ..Terms::unlimited() };
    let refused = ledger.change_terms(&name("people"), &unlimited, Authority::Secret(&secret), now());
    assert!(matches!(refused, Err(LedgerError::NeedsSignature { .. })), "the secret is worth nothing now: {refused:?}");
    let signature = signed(&ledger, "people", &unlimited, 1);
    ledger.change_terms(&name("people"), &unlimited, Authority::Signature(&signature), now()).expect("signed");
    let after = ledger.verify(&[noted]).expect("whole");
    assert_eq!(after.unsigned, [(2, name("people")), (7, name("free")), (8, name("people")), (9, name("people"))]);
    assert_eq!(after.unguarded, [name("free")]);
}

#[test]
fn a_book_that_was_cut_before_it_is_brought_up_stays_cut() {
    for version in 1..=3 {
        let (_folder, path) = golden(version);
        tamper(&path, "DELETE FROM entry WHERE seq = (SELECT max(seq) FROM entry)");
        let missing = |error: LedgerError| match error {
            LedgerError::Damaged { fault: Fault::Missing, part: DamagedPart::Entry(seq), .. } => seq,
            other => panic!("version {version}: {other}"),
        };
        let before = missing(Ledger::open_existing(&path).expect("a book").verify(&[]).expect_err("cut"));
        let mut ledger = Ledger::open(&path).expect("brought up");
        assert_eq!(missing(ledger.verify(&[]).expect_err("cut")), before);
        assert_eq!(missing(ledger.charge(&costing("new", "1"), now()).expect_err("cut")), before);
    }
}

#[test]
fn a_book_that_was_cut_or_put_back_is_found_by_what_is_remembered() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    drop(half_spent(&path));
    let old = std::fs::read(&path).expect("a file");
    let mut ledger = Ledger::open(&path).expect("a book");
    let receipt = ledger.charge(&costing("a", "1"), now()).expect("paid");
    let certificate = Remembered { seq: Some(receipt.seq()), hash: receipt.head().to_string() };
    drop(receipt.spend());
    ledger.verify(std::slice::from_ref(&certificate)).expect("it is there");
    drop(ledger);
    // The whole file is put back from a copy: inside it, everything fits.
    std::fs::write(&path, old).expect("put back");
    let ledger = Ledger::open_existing(&path).expect("a book");
    ledger.verify(&[]).expect("whole in itself");
    let found = ledger.verify(std::slice::from_ref(&certificate)).expect_err("rolled back");
    assert_eq!(found, LedgerError::NotInChain { hash: certificate.hash.clone(), entries: 3 });
    // The right hash at another place is not the entry either.
    let moved = Remembered { seq: Some(1), hash: ledger.verify(&[]).expect("whole").head };
    assert!(ledger.verify(&[moved]).is_err());
}
