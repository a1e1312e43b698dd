//! What is spent is the exact sum of what was charged, whatever became of it.

use crate::{certificate, name, now};
use incrowd_exact::{Integer, Natural, Rational};
use incrowd_ledger::{Charge, Ledger, LedgerError, ReleaseOutcome, Spent, Terms};
use incrowd_privacy::Epsilon;
use proptest::prelude::*;

#[derive(Debug, Clone)]
struct Step {
    account: usize,
    epsilon: Epsilon,
    delta: Rational,
    outcome: Option<ReleaseOutcome>,
}

fn fraction(most: u32) -> impl Strategy<Value = Rational> {
    (0..=most, 1..=1000u32).prop_map(|(above, below)| Rational::from_parts(Integer::from(above), Natural::from(below)))
}

fn step() -> impl Strategy<Value = Step> {
    let epsilon = prop_oneof![
        30 => fraction(500).prop_map(Epsilon::Finite),
        1 => Just(Epsilon::Infinite),
    ];
    let delta = fraction(1).prop_filter("a delta is below one", |delta| delta < &Rational::ONE);
    let outcome = prop_oneof![Just(None), Just(Some(ReleaseOutcome::Delivered)), Just(Some(ReleaseOutcome::Failed))];
    (0..3usize, epsilon, delta, outcome).prop_map(|(account, epsilon, delta, outcome)| Step {
        account,
        epsilon,
        delta,
        outcome,
    })
}

/// The account without limits, the one with a budget, the one that a charge opens.
const NAMES: [&str; 3] = ["free", "limited", "found"];

fn total<'a>(numbers: impl Iterator<Item = &'a Rational>) -> Rational {
    numbers.fold(Rational::ZERO, |sum, number| sum + number)
}

fn sum(charged: &[Step]) -> Spent {
    let finite = charged.iter().map(|step| step.epsilon.finite().cloned()).collect::<Option<Vec<_>>>();
    let epsilon = finite.map_or(Epsilon::Infinite, |all| Epsilon::Finite(total(all.iter())));
    Spent { epsilon, delta: total(charged.iter().map(|step| &step.delta)) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn spent_never_decreases_and_is_the_exact_sum(steps in proptest::collection::vec(step(), 0..25)) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ledger.sqlite");
        let mut ledger = Ledger::open(&path).expect("a ledger");
        let (budget, delta) = (Rational::from(3), Rational::from_parts(Integer::from(1), Natural::from(100u8)));
        let terms = Terms { epsilon: Some(budget.clone()), delta: Some(delta.clone()), ..Terms::unlimited() };
        ledger.open_account(&name("free"), &Terms::unlimited(), now()).expect("opened");
        ledger.open_account(&name("limited"), &terms, now()).expect("opened");

        let mut charged: [Vec<Step>; 3] = Default::default();
        for step in steps {
            let account = name(NAMES[step.account]);
            let charge = Charge {
                account: account.clone(),
                snapshot: "1".into(),
                plan_hash: "p".into(),
                binning: "b".into(),
                promise: "anything".into(),
                kind: "table".into(),
                epsilon: step.epsilon.clone(),
                delta: step.delta.clone(),
                smallest_group: None,
            };
            let before = ledger.account(&account).expect("a book");
            let mut with_it = charged[step.account].clone();
            with_it.push(step.clone());
            let fits = step.account != 1 || {
                let sum = sum(&with_it);
                sum.epsilon <= Epsilon::Finite(budget.clone()) && sum.delta <= delta
            };
            match ledger.charge(&charge, now()) {
                Ok(receipt) => {
                    prop_assert!(fits);
                    match step.outcome {
                        None => {}
                        Some(ReleaseOutcome::Delivered) => {
                            ledger.record_delivery(receipt.spend(), &certificate(), now()).expect("recorded");
                        }
                        Some(ReleaseOutcome::Failed) => ledger.record_failure(receipt.spend(), now()).expect("recorded"),
                    }
                    charged[step.account] = with_it;
                }
                Err(LedgerError::Refused(_)) => prop_assert!(!fits),
                Err(other) => prop_assert!(false, "{}", other),
            }
            let after = ledger.account(&account).expect("a book").expect("an account");
            if let Some(before) = before {
                prop_assert!(before.spent().epsilon <= after.spent().epsilon && before.spent().delta <= after.spent().delta);
            }
            prop_assert_eq!(&after.spent(), &sum(&charged[step.account]));
            prop_assert_eq!(after.charges(), charged[step.account].len() as u64);
        }

        let (accounts, history) = (ledger.accounts().expect("a book"), ledger.history(None).expect("a book"));
        drop(ledger);
        for again in [Ledger::open(&path), Ledger::open_existing(&path)] {
            let again = again.expect("a ledger");
            prop_assert_eq!(&again.accounts().expect("a book"), &accounts);
            prop_assert_eq!(&again.history(None).expect("a book"), &history);
        }
    }
}
