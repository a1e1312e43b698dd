//! Who may loosen terms, and budgets that each period has anew.

use crate::{budget, costing, name, now, number, pay};
use incrowd_ledger::{Authority, Charge, ChargeRefusal, Guard, Ledger, LedgerError, People, Period, RaiseKey, Terms};

fn key(digit: &str) -> RaiseKey {
    RaiseKey::read(&digit.repeat(64)).expect("a key")
}

#[test]
fn accounts_of_the_first_version_are_loosened_with_their_secret() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let a = name("a");
    let locked = |epsilon: &str| Terms { guard: Some(Guard::Secret(key("a").identity())), ..budget(epsilon) };
    ledger.open_account(&a, &locked("1"), now()).expect("opened");
    let without = ledger.change_terms(&a, &locked("2"), Authority::Nobody, now());
    assert_eq!(without, Err(LedgerError::NeedsKey { account: a.clone(), given: false }));
    let other = ledger.change_terms(&a, &locked("2"), Authority::Secret(&key("b")), now());
    assert_eq!(other, Err(LedgerError::NeedsKey { account: a.clone(), given: true }));
    let unlocked = ledger.change_terms(&a, &budget("1"), Authority::Nobody, now());
    assert_eq!(unlocked, Err(LedgerError::NeedsKey { account: a.clone(), given: false }), "nor may the lock go");
    ledger.change_terms(&a, &locked("1/2"), Authority::Nobody, now()).expect("stricter");
    ledger.change_terms(&a, &locked("2"), Authority::Secret(&key("a")), now()).expect("with the key");
    pay(&mut ledger, &costing("a", "2")).expect("paid");
    let shown = format!("{:?}", ledger.account(&a).expect("a book"));
    assert!(!shown.contains(&"a".repeat(64)), "the key is nowhere in the book");
    assert_eq!(format!("{:?}", key("a")), "RaiseKey(..)");
}

#[test]
fn each_period_has_the_whole_budget_and_no_more() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let terms = Terms { people: People::DisjointPerPeriod(Period::Month), ..budget("1") };
    ledger.open_account(&name("a"), &terms, now()).expect("opened");
    let of = |month: &str, epsilon: &str| Charge { snapshot: month.into(), ..costing("a", epsilon) };
    pay(&mut ledger, &of("2026-01", "1")).expect("paid");
    assert!(matches!(ledger.charge(&of("2026-01", "1/10"), now()), Err(LedgerError::Refused(_))));
    pay(&mut ledger, &of("2025-12", "3/4")).expect("other people");
    for wrong in ["1", "2026", "2026-13", "february"] {
        match ledger.charge(&of(wrong, "1/10"), now()) {
            Err(LedgerError::Refused(refusal)) => {
                assert_eq!(
                    *refusal,
                    ChargeRefusal::NotAPeriod { account: name("a"), period: Period::Month, snapshot: wrong.into() }
                );
            }
            other => panic!("{other:?}"),
        }
    }
    let account = ledger.account(&name("a")).expect("a book").expect("an account");
    let left: Vec<_> = account.standings().into_iter().map(|part| (part.period, part.left.epsilon)).collect();
    assert_eq!(left, [(Some("2025-12".into()), Some(number("1/4"))), (Some("2026-01".into()), Some(number("0")))]);
    // What was declared about people cannot be taken back once it has been relied on, nor begun once charges add up.
    let overlapping = ledger.change_terms(&name("a"), &budget("1"), Authority::Nobody, now());
    assert_eq!(overlapping, Err(LedgerError::PeopleDeclared { account: name("a") }));
    pay(&mut ledger, &costing("b", "1")).expect("paid");
    let refilled = ledger.change_terms(&name("b"), &terms, Authority::Nobody, now());
    assert_eq!(refilled, Err(LedgerError::PeopleDeclared { account: name("b") }));
}
