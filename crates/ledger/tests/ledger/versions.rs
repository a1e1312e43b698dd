//! Books of every version that was ever written, kept as they were, and what is remembered of a book outside it.

use crate::{costing, half_spent, name, now, number, pay};
use incrowd_ledger::{Ledger, LedgerError, Remembered};
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
        assert_eq!(verified.entries, 11);
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
