//! A forger who can write the file: entries of terms with right hashes, which no officer signed.
//!
//! Where an account has a key every one of them is found, by the next charge and by whoever verifies, and named; where
//! it has none they cannot be found, and the book says so.

use crate::chain::tamper;
use crate::hostile::rechain;
use crate::{budget, costing, guarded, name, now, number, officer, pay, signed};
use incrowd_exact::Rational;
use incrowd_ledger::{
    Account, Authority, Charge, DamagedPart, Fault, Guard, Ledger, LedgerError, People, Period, Terms, TermsSignature,
};
use incrowd_privacy::Epsilon;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// Everything that the terms of the attacked account limit.
fn limited(epsilon: &str) -> Terms {
    guarded(Terms {
        delta: Some(number("1e-6")),
        allow: Some(BTreeSet::from(["differential-privacy".into()])),
        min_group: Some(20),
        max_epsilon_per_release: Some(number("1")),
        ..budget(epsilon)
    })
}

/// A book in which accounts were raised as they should be; returns the signatures under the raises of a and b.
fn book(path: &Path, opened: &str) -> (Ledger, [TermsSignature; 2]) {
    let mut ledger = Ledger::open(path).expect("a ledger");
    let raised = ["a", "b"].map(|account| {
        ledger.open_account(&name(account), &limited(opened), now()).expect("opened");
        let signature = signed(&ledger, account, &limited("3"), 1);
        ledger.change_terms(&name(account), &limited("3"), Authority::Signature(&signature), now()).expect("signed");
        signature
    });
    ledger.change_terms(&name("a"), &limited("2"), Authority::Nobody, now()).expect("stricter");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    (ledger, raised)
}

/// The number of the entry that is forged.
const FORGED: u64 = 8;

/// Writes an entry of terms behind the last one, with right hashes and a right row of the account.
fn forge(path: &Path, account: &str, terms: &[(&str, Option<&str>)]) {
    let value = |text: &Option<&str>| text.map_or("NULL".to_string(), |text| format!("'{}'", text.replace('\'', "''")));
    let names: Vec<&str> = terms.iter().map(|(name, _)| *name).collect();
    let values: Vec<String> = terms.iter().map(|(_, text)| value(text)).collect();
    let row = terms.iter().filter(|(name, _)| ["epsilon", "delta", "policy"].contains(name));
    let row: Vec<String> = row.map(|(name, text)| format!("{name} = {}", value(text))).collect();
    tamper(
        path,
        &format!(
            "INSERT INTO entry (account, kind, time, previous_hash, hash, {})
             VALUES ('{account}', 'policy', '2026-01-01T00:00:00Z', '', '', {});
             UPDATE account SET {} WHERE name = '{account}'",
            names.join(", "),
            values.join(", "),
            row.join(", ")
        ),
    );
    rechain(path);
}

/// The texts of terms as the ledger writes them.
fn texts(terms: &Terms) -> [Option<String>; 3] {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    ledger.open_account(&name("x"), terms, now()).expect("opened");
    let account = ledger.account(&name("x")).expect("a book").expect("an account");
    let object = account.request(terms).json();
    ["epsilon", "delta", "policy"].map(|field| object["to"][field].as_str().map(str::to_string))
}

/// Every way to loosen the terms of the attacked account, in one respect each and in all.
fn looser() -> Vec<(&'static str, Terms)> {
    let base = limited("2");
    let kinds = |names: &[&str]| Some(names.iter().map(|name| name.to_string()).collect::<BTreeSet<_>>());
    vec![
        ("a little more epsilon", Terms { epsilon: Some(number("2000001/1000000")), ..base.clone() }),
        ("more epsilon", Terms { epsilon: Some(number("50")), ..base.clone() }),
        ("what was allowed before", Terms { epsilon: Some(number("3")), ..base.clone() }),
        ("epsilon without a limit", Terms { epsilon: None, ..base.clone() }),
        ("more delta", Terms { delta: Some(number("1/2")), ..base.clone() }),
        ("all delta", Terms { delta: Some(number("1")), ..base.clone() }),
        ("no limit at all", guarded(Terms::unlimited())),
        ("another kind", Terms { allow: kinds(&["crowd-blending", "differential-privacy"]), ..base.clone() }),
        ("another kind instead", Terms { allow: kinds(&["crowd-blending"]), ..base.clone() }),
        ("any kind", Terms { allow: None, ..base.clone() }),
        ("smaller groups", Terms { min_group: Some(19), ..base.clone() }),
        ("groups of one", Terms { min_group: Some(1), ..base.clone() }),
        ("any group", Terms { min_group: None, ..base.clone() }),
        ("more in one release", Terms { max_epsilon_per_release: Some(number("2")), ..base.clone() }),
        ("all in one release", Terms { max_epsilon_per_release: None, ..base.clone() }),
        ("new people each day", Terms { people: People::DisjointPerPeriod(Period::Day), ..base.clone() }),
        ("new people each year", Terms { people: People::DisjointPerPeriod(Period::Year), ..base.clone() }),
        ("a split", Terms { splits: BTreeSet::from(["region".into()]), ..base.clone() }),
        ("two splits", Terms { splits: BTreeSet::from(["region".into(), "sex".into()]), ..base.clone() }),
        ("no key", Terms { guard: None, ..base.clone() }),
        ("another key", Terms { guard: Some(Guard::Signature(officer(2).public())), ..base.clone() }),
        ("a secret for a key", Terms { guard: Some(Guard::Secret("ab".repeat(32))), ..base.clone() }),
        ("no key and stricter terms", Terms { guard: None, epsilon: Some(number("1")), ..base.clone() }),
        ("looser and stricter", Terms { min_group: Some(2), epsilon: Some(number("1")), ..base.clone() }),
    ]
}

/// Every forged entry that the test tries: what it is, the account, and its columns.
fn forgeries(own: [TermsSignature; 2], elsewhere: &TermsSignature, ledger: &Ledger) -> Vec<(String, Forgery)> {
    let mut all = Vec::new();
    let account = ledger.account(&name("a")).expect("a book").expect("an account");
    for (what, terms) in looser() {
        let stranger = TermsSignature::by(&officer(2), &account.request(&terms));
        all.push((what.to_string(), Forgery::of(&terms, None)));
        all.push((format!("{what}, signed by a stranger"), Forgery::of(&terms, Some(stranger.digits()))));
    }
    let raised = limited("3");
    let right = TermsSignature::by(&officer(1), &account.request(&raised)).digits();
    let mut bent = right.clone();
    bent.replace_range(0..1, if right.starts_with('0') { "1" } else { "0" });
    let unlimited = guarded(Terms::unlimited());
    for (what, terms, signature) in [
        ("the signature of an earlier entry", &raised, own[0].digits()),
        ("the signature of another account", &raised, own[1].digits()),
        ("the signature of another book", &raised, elsewhere.digits()),
        ("the signature under other terms", &unlimited, right.clone()),
        ("a bent signature", &raised, bent),
        ("half a signature", &raised, right[..64].to_string()),
        ("a signature in capitals", &raised, right.to_uppercase()),
        ("no digits", &raised, "z".repeat(128)),
        ("zeros", &raised, "0".repeat(128)),
        ("nothing", &raised, String::new()),
        ("a stranger's signature under what needs none", &limited("1"), own[1].digits()),
    ] {
        all.push((what.to_string(), Forgery::of(terms, Some(signature))));
    }
    for (what, column, text) in [
        ("a budget that is no number", "epsilon", "nan"),
        ("a negative budget", "epsilon", "-1"),
        ("a second spelling", "epsilon", "4/2"),
        ("a policy of nothing", "policy", ";"),
        ("a second key", "policy", "signed-by=00;signed-by=00"),
        ("a policy that nobody knows", "policy", "anything=goes"),
        ("an outcome", "outcome", "delivered"),
        ("a plan", "plan_hash", "5eed"),
        ("a certificate", "certificate_hash", "ab"),
    ] {
        let mut forged = Forgery::of(&limited("1"), None);
        forged.columns.retain(|(name, _)| *name != column);
        forged.columns.push((column, Some(text.to_string())));
        all.push((what.to_string(), forged));
    }
    all
}

struct Forgery {
    columns: Vec<(&'static str, Option<String>)>,
}

impl Forgery {
    fn of(terms: &Terms, signature: Option<String>) -> Forgery {
        let [epsilon, delta, policy] = texts(terms);
        Forgery { columns: vec![("epsilon", epsilon), ("delta", delta), ("policy", policy), ("signature", signature)] }
    }

    fn write(&self, path: &Path) {
        let columns: Vec<_> = self.columns.iter().map(|(name, text)| (*name, text.as_deref())).collect();
        forge(path, "a", &columns);
    }
}

fn damage(error: LedgerError) -> (DamagedPart, Fault) {
    match error {
        LedgerError::Damaged { part, fault, .. } => (part, fault),
        other => panic!("not damaged but {other}"),
    }
}

#[test]
fn whatever_a_forger_writes_where_a_key_was_set_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, other) = (folder.path().join("ledger.sqlite"), folder.path().join("other.sqlite"));
    let (ledger, own) = book(&path, "1");
    let (_, [elsewhere, _]) = book(&other, "1/2");
    let forgeries = forgeries(own, &elsewhere, &ledger);
    drop(ledger);
    assert!(forgeries.len() >= 50, "only {}", forgeries.len());
    let intact = std::fs::read(&path).expect("a file");
    for (what, forgery) in forgeries {
        std::fs::write(&path, &intact).expect("put back");
        forgery.write(&path);
        let mut ledger = Ledger::open(&path).expect("opening looks at no entry");
        let (part, fault) =
            damage(ledger.charge(&costing("a", "1/10"), now()).err().unwrap_or_else(|| panic!("{what}")));
        assert_eq!(part, DamagedPart::Entry(FORGED), "{what}");
        assert!(matches!(fault, Fault::Unsigned | Fault::Unreadable), "{what}: {fault}");
        let found = ledger.verify(&[]).expect_err("not whole");
        assert!(found.to_string().contains(&format!("entry {FORGED} ")), "{what}: {found}");
        assert_eq!(damage(found), (part, fault), "{what}");
        assert!(ledger.account(&name("a")).is_err() && ledger.history(None).is_err(), "{what}");
    }
    // What an officer signs is not found, of course, and neither is what nobody has to sign.
    std::fs::write(&path, &intact).expect("put back");
    let ledger = Ledger::open(&path).expect("a book");
    let signature = signed(&ledger, "a", &limited("3"), 1).digits();
    drop(ledger);
    Forgery::of(&limited("3"), Some(signature)).write(&path);
    Forgery::of(&limited("1"), None).write(&path);
    assert_eq!(Ledger::open(&path).expect("a book").verify(&[]).expect("whole").unsigned, []);
}

#[test]
fn where_no_key_was_set_the_book_says_what_cannot_be_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = Ledger::open(&path).expect("a ledger");
    ledger.open_account(&name("a"), &budget("1"), now()).expect("opened");
    ledger.open_account(&name("b"), &guarded(budget("1")), now()).expect("opened");
    drop(ledger);
    Forgery::of(&budget("50"), None).write(&path);
    let mut ledger = Ledger::open(&path).expect("a book");
    pay(&mut ledger, &costing("a", "40")).expect("nobody finds out");
    let verified = ledger.verify(&[]).expect("whole");
    assert_eq!(verified.unsigned, [(3, name("a"))]);
    assert_eq!(verified.unguarded, [name("a")]);
    assert_eq!(ledger.account(&name("a")).expect("a book").expect("an account").unsigned(), [3]);
    // From the moment on that it has a key it is like any other, and what was loosened before is still said.
    ledger.change_terms(&name("a"), &guarded(budget("50")), Authority::Nobody, now()).expect("a key is stricter");
    let refused = ledger.change_terms(&name("a"), &guarded(budget("60")), Authority::Nobody, now());
    assert!(matches!(refused, Err(LedgerError::NeedsSignature { given: false, .. })), "{refused:?}");
    let verified = ledger.verify(&[]).expect("whole");
    assert_eq!((verified.unsigned, verified.unguarded), (vec![(3, name("a"))], vec![]));
    Forgery {
        columns: vec![
            ("epsilon", Some("2".into())),
            ("policy", Some(String::new())),
            ("signature", Some("0".repeat(128))),
        ],
    }
    .write(&path);
    assert!(ledger.verify(&[]).is_err());
}

/// Entries that anybody may write who can write the book, and that nothing is wrong with but what they are for.
#[test]
fn accounts_and_charges_that_a_forger_appends_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let (mut ledger, _) = book(&path, "2");
    let monthly = Terms { people: People::DisjointPerPeriod(Period::Month), ..budget("1") };
    ledger.open_account(&name("monthly"), &guarded(monthly), now()).expect("opened");
    let before = ledger.verify(&[]).expect("whole");
    assert_eq!((before.overdrawn, before.early, before.look_alikes), (vec![], vec![], vec![]));
    let charge = |account: &str, snapshot: &str, epsilon: &str| {
        format!(
            "INSERT INTO entry (account, snapshot, kind, charge_id, plan_hash, binning_hash, promise, epsilon, delta, time,
               previous_hash, hash)
             VALUES ('{account}', '{snapshot}', 'charge', '', 'x', 'x', 'none', '{epsilon}', '0', '2026-01-01T00:00:00Z',
               '', '')"
        )
    };
    let twin = "INSERT INTO entry (account, kind, policy, time, previous_hash, hash)
          VALUES ('\u{430}', 'open', '', '2026-01-01T00:00:00Z', '', '');
        INSERT INTO account (name, created, policy) VALUES ('\u{430}', '2026-01-01T00:00:00Z', '')";
    let (early, none) = (charge("monthly", "9999-12", "1"), charge("monthly", "christmas", "1"));
    let sql = [charge("a", "1", "5").as_str(), &early, &none, twin].join(";");
    tamper(&path, &sql);
    rechain(&path);
    let found = ledger.verify(&[]).expect("nothing is wrong with the chain");
    assert_eq!(found.overdrawn, [name("a")]);
    assert_eq!(found.early, [(10, name("monthly")), (11, name("monthly"))]);
    assert_eq!(found.look_alikes, [("\u{430}".to_string(), "a".to_string())]);
    assert!(matches!(ledger.charge(&costing("a", "1/100"), now()), Err(LedgerError::Refused(_))));
}

#[test]
fn a_signature_holds_until_the_terms_change_and_survives_charges() {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    ledger.open_account(&name("a"), &limited("1"), now()).expect("opened");
    let raise = signed(&ledger, "a", &limited("3"), 1);
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    ledger.change_terms(&name("a"), &limited("3"), Authority::Signature(&raise), now()).expect("charges do no harm");
    // Tightened by anybody, it cannot be raised again by what was signed then.
    ledger.change_terms(&name("a"), &limited("1"), Authority::Nobody, now()).expect("stricter");
    let again = ledger.change_terms(&name("a"), &limited("3"), Authority::Signature(&raise), now());
    assert!(matches!(again, Err(LedgerError::NeedsSignature { given: true, .. })), "{again:?}");
    // A new key is signed by the one before it, and then holds alone.
    let next = Terms { guard: Some(Guard::Signature(officer(2).public())), ..limited("1") };
    let refused = ledger.change_terms(&name("a"), &next, Authority::Nobody, now());
    assert!(matches!(refused, Err(LedgerError::NeedsSignature { .. })), "{refused:?}");
    let by_the_new = signed(&ledger, "a", &next, 2);
    assert!(ledger.change_terms(&name("a"), &next, Authority::Signature(&by_the_new), now()).is_err());
    let by_the_old = signed(&ledger, "a", &next, 1);
    ledger.change_terms(&name("a"), &next, Authority::Signature(&by_the_old), now()).expect("handed on");
    let free = Terms { guard: None, ..next.clone() };
    let by_the_old = signed(&ledger, "a", &free, 1);
    assert!(ledger.change_terms(&name("a"), &free, Authority::Signature(&by_the_old), now()).is_err());
    let by_the_new = signed(&ledger, "a", &free, 2);
    ledger.change_terms(&name("a"), &free, Authority::Signature(&by_the_new), now()).expect("signed");
    assert_eq!(ledger.verify(&[]).expect("whole").unguarded, [name("a")]);
}

fn some_terms() -> impl Strategy<Value = Terms> {
    let amount = || proptest::option::of(prop_oneof![Just("0"), Just("1/2"), Just("1"), Just("2")]);
    let kinds = ["differential-privacy", "crowd-blending"];
    let allow = proptest::option::of(proptest::sample::subsequence(kinds.to_vec(), 0..=2));
    let group = proptest::option::of(prop_oneof![Just(1u64), Just(20), Just(21)]);
    let people = prop_oneof![
        3 => Just(People::Overlapping),
        1 => Just(People::DisjointPerPeriod(Period::Year)),
        1 => Just(People::DisjointPerPeriod(Period::Month))
    ];
    let splits = proptest::sample::subsequence(vec!["region", "sex"], 0..=2);
    let key = proptest::option::of(1u8..3);
    (amount(), amount(), amount(), allow, group, people, splits, key).prop_map(
        |(epsilon, delta, most, allow, min_group, people, splits, key)| Terms {
            epsilon: epsilon.map(number),
            delta: delta.filter(|delta| *delta != "2").map(number),
            max_epsilon_per_release: most.map(number),
            allow: allow.map(|kinds| kinds.into_iter().map(str::to_string).collect()),
            min_group,
            people,
            splits: splits.into_iter().map(str::to_string).collect(),
            guard: key.map(|key| Guard::Signature(officer(key).public())),
        },
    )
}

fn some_charge() -> impl Strategy<Value = Charge> {
    let snapshot = prop_oneof![Just("2025"), Just("2025-12"), Just("1")];
    let delta = prop_oneof![Just("0"), Just("1/4"), Just("3/4")];
    (prop_oneof![Just("0"), Just("1/2"), Just("1"), Just("3/2"), Just("3")], snapshot, delta, any::<bool>(), 19u64..22)
        .prop_map(|(epsilon, snapshot, delta, crowd, group)| {
            let promise = format!(r#"{{"crowd":{group},"delta":null,"epsilon":"0","kind":"crowd-blending"}}"#);
            let (kind, promise, epsilon) = match crowd {
                true => ("crowd-blending", promise, Epsilon::Infinite),
                false => ("differential-privacy", "p".to_string(), Epsilon::Finite(number(epsilon))),
            };
            let delta = if crowd { Rational::ZERO } else { number(delta) };
            let smallest_group = crowd.then_some(group);
            let kind = kind.to_string();
            Charge { kind, promise, epsilon, delta, smallest_group, snapshot: snapshot.into(), ..costing("a", "0") }
        })
}

/// An account that has paid so much, whatever its terms.
fn paid(charges: &[&str]) -> Account {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    ledger.open_account(&name("a"), &Terms::unlimited(), now()).expect("opened");
    charges.iter().for_each(|epsilon| pay(&mut ledger, &costing("a", epsilon)).expect("paid"));
    ledger.account(&name("a")).expect("a book").expect("an account")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn terms_that_pay_for_more_are_looser(old in some_terms(), new in some_terms(), charge in some_charge(), before in 0..3usize) {
        let account = |terms: &Terms| {
            let mut account = paid(&["1/2", "1/2"][..before.min(2)]);
            account.terms = terms.clone();
            account
        };
        if account(&new).would_pay(&charge).is_ok() && account(&old).would_pay(&charge).is_err() {
            prop_assert!(new.is_looser_than(&old));
        }
    }

    #[test]
    fn stricter_terms_are_never_looser(terms in some_terms(), other in some_terms()) {
        let less = |mine: &Option<Rational>, most: &Option<Rational>| match (mine, most) {
            (Some(mine), Some(most)) => Some(mine.clone().min(most.clone())),
            (one, other) => one.clone().or_else(|| other.clone()),
        };
        let stricter = Terms {
            epsilon: less(&terms.epsilon, &other.epsilon),
            delta: terms.delta.as_ref().map(|delta| delta.clone().min(other.delta.clone().unwrap_or(delta.clone()))),
            // Naming kinds where none were named lets them be charged against a budget: that is no tightening.
            allow: terms.allow.as_ref().map(|mine| match &other.allow {
                Some(kinds) => mine.intersection(kinds).cloned().collect(),
                None => mine.clone(),
            }),
            min_group: terms.min_group.max(other.min_group),
            max_epsilon_per_release: less(&terms.max_epsilon_per_release, &other.max_epsilon_per_release),
            people: terms.people,
            splits: terms.splits.intersection(&other.splits).cloned().collect(),
            guard: terms.guard.clone().or(other.guard.clone()),
        };
        prop_assert!(!stricter.is_looser_than(&terms), "{terms:?} to {stricter:?}");
        prop_assert!(!terms.is_looser_than(&terms));
    }

    #[test]
    fn the_book_takes_looser_terms_with_the_signature_alone(old in some_terms(), new in some_terms()) {
        let old = guarded(old);
        let mut ledger = Ledger::in_memory().expect("a ledger");
        ledger.open_account(&name("a"), &old, now()).expect("opened");
        let looser = new.is_looser_than(&old);
        let stranger = signed(&ledger, "a", &new, 2);
        prop_assert!(ledger.change_terms(&name("a"), &new, Authority::Signature(&stranger), now()).is_err());
        let nobody = ledger.change_terms(&name("a"), &new, Authority::Nobody, now());
        prop_assert_eq!(nobody.is_err(), looser, "{:?}", nobody);
        if looser {
            let signature = signed(&ledger, "a", &new, 1);
            ledger.change_terms(&name("a"), &new, Authority::Signature(&signature), now()).expect("signed");
        }
        prop_assert_eq!(ledger.verify(&[]).expect("whole").unsigned, vec![]);
    }
}
