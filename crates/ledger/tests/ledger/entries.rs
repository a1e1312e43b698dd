//! Entries that an analyst or an officer writes to a team's book with another program: what the functions take, every
//! reader reads.
//!
//! Needs a server, as `server.rs` does.

use crate::composition::{binning, crowds, edges, endless, outliers, private};
use crate::server::fresh;
use crate::team::Team;
use crate::written::Written;
use crate::{budget, costing, guarded, name, now, number, officer, pay, spent};
use incrowd_ledger::{Authority, Fault, Ledger, LedgerError, People, Period, Terms, TermsSignature};
use incrowd_privacy::Epsilon;
use postgres::{Client, NoTls};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// What is tried, the entry that it begins with, the fields that are changed, and the code of the refusal.
type Case<'a> = (&'a str, &'a Written, &'a [(&'a str, &'a str)], &'a str);

#[test]
#[ignore = "needs a PostgreSQL server"]
fn an_analyst_writes_no_entry_that_incrowd_would_not_write() {
    let team = Team::new("entries");
    let mut ann = Client::connect(&team.analyst, NoTls).expect("a server");
    let tool = &mut ann;
    let first =
        tool.query_one("SELECT hash FROM incrowd.entries WHERE seq = 1", &[]).expect("may look").get::<_, String>(0);
    let paid = tool
        .query_one("SELECT charge_id FROM incrowd.entries WHERE kind = 'charge'", &[])
        .expect("may look")
        .get::<_, String>(0);
    let charge = Written::charge(tool, "1/2");
    let (outcome, open, terms) =
        (Written::next(tool, "outcome"), Written::next(tool, "open"), Written::policy(tool, "50"));
    let (long, signature, nothing) = ("x".repeat(201), "ab".repeat(64), "0".repeat(32));
    let cases: [Case<'_>; 29] = [
        ("a fork", &charge, &[("previous_hash", &first)], "IC001"),
        ("more than the budget", &charge, &[("epsilon", "5/2")], "IC005"),
        ("more than is left", &charge, &[("epsilon", "3/2")], "IC005"),
        ("without a bound", &charge, &[("epsilon", "infinite")], "IC005"),
        ("a delta", &charge, &[("delta", "1/1000000")], "IC005"),
        ("less than nothing", &charge, &[("epsilon", "-1")], "IC003"),
        ("a second spelling", &charge, &[("epsilon", "2/4")], "IC003"),
        ("no number", &charge, &[("epsilon", "NaN")], "IC003"),
        ("two lines", &charge, &[("promise", "a\nb")], "IC003"),
        ("a control character", &charge, &[("snapshot", "\u{85}")], "IC003"),
        ("a long name", &charge, &[("snapshot", &long)], "IC003"),
        ("an account that is not open", &charge, &[("account", "b")], "IC004"),
        ("a name with a blank", &charge, &[("account", "a ")], "IC004"),
        ("a capital", &charge, &[("account", "A")], "IC004"),
        ("another kind", &charge, &[("kind", "refund")], "IC003"),
        ("rows set aside", &charge, &[("kind", "aside")], "IC003"),
        ("other bins", &charge, &[("binning_hash", &first)], "IC010"),
        ("terms", &terms, &[], "IC003"),
        ("terms with a signature", &terms, &[("signature", &signature)], "IC003"),
        ("an account", &open, &[("account", "b"), ("policy", "")], "IC003"),
        ("a surplus field", &charge, &[("policy", "")], "IC003"),
        ("a signed charge", &charge, &[("signature", &signature)], "IC003"),
        ("another charge's name", &charge, &[("charge_id", &paid)], "IC003"),
        ("tomorrow", &charge, &[("time", "2999-01-01T00:00:00Z")], "IC008"),
        ("long ago", &charge, &[("time", "1999-01-01T00:00:00Z")], "IC008"),
        ("no day", &charge, &[("time", "2026-02-30T00:00:00Z")], "IC003"),
        ("no time", &charge, &[("time", "yesterday")], "IC003"),
        ("words that are no details", &charge, &[("details", "{\"by\": 1}")], "IC003"),
        ("the end of nothing", &outcome, &[("charge_id", &nothing), ("outcome", "failed")], "IC007"),
    ];
    let mut written: Vec<(&str, Written, &str)> = cases
        .into_iter()
        .map(|(what, base, fields, code)| {
            let mut entry = base.clone();
            for (name, text) in fields {
                entry.set(name, text);
            }
            entry.hashed();
            (what, entry, code)
        })
        .collect();
    for (what, seq) in [("another place", charge.seq + 1), ("a place before", 2)] {
        let mut entry = Written { seq, ..charge.clone() };
        entry.hashed();
        written.push((what, entry, "IC001"));
    }
    for (what, end, code) in [("a second end", "failed", "IC007"), ("another end", "refunded", "IC003")] {
        let mut entry = outcome.clone();
        entry.set("charge_id", &paid).set("outcome", end).hashed();
        written.push((what, entry, code));
    }
    let mut garbage = charge.clone();
    garbage.set("hash", "x");
    written.push(("garbage", garbage, "IC002"));
    for (what, entry, code) in written {
        assert_eq!(entry.append(tool, "append_release"), Err(code.to_string()), "{what}: {entry:?}");
        assert_eq!(entry.append(tool, "append_terms"), Err("42501".to_string()), "{what}");
    }
    for (texts, seq) in [(vec![], 4_i64), (vec![None::<String>; 17], 4), (vec![Some("a".to_string()); 40], 4)] {
        assert!(tool.execute("SELECT incrowd.append_release($1, $2, NULL)", &[&seq, &texts]).is_err());
    }
    assert!(tool.batch_execute("SELECT incrowd.append_release(NULL, NULL, NULL)").is_err());
    team.must_be_whole("thirty entries of an analyst");
    // What is within the budget she may pay, with another program, too: it costs, whatever it was for.
    let mut entry = Written::charge(tool, "1/2");
    assert_eq!(entry.hashed().append(tool, "append_release"), Ok(()));
    let book = Ledger::connect(&team.owner).expect("a book");
    assert_eq!(spent(&book, "a"), Epsilon::Finite(number("3/2")));
    book.verify(&[]).expect("whole");
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn refused_attempts_do_not_fill_the_server() {
    let team = Team::new("flood");
    let mut ann = Client::connect(&team.analyst, NoTls).expect("a server");
    let mut refusal = None;
    for number in 0..=1000 {
        let mut next = Written::next(&mut ann, "refused");
        next.set("snapshot", "1").set("plan_hash", "5eed").set("epsilon", "9").set("delta", "0");
        if let Err(code) = next.set("outcome", "budget").hashed().append(&mut ann, "append_release") {
            refusal = Some((number, code));
            break;
        }
    }
    assert_eq!(refusal, Some((1000, "IC009".to_string())));
    team.must_be_whole("a thousand refused attempts");
    pay(&mut Ledger::connect(&team.analyst).expect("a book"), &costing("a", "1")).expect("paid");
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn an_officer_without_the_key_loosens_nothing() {
    let team = Team::new("keyless");
    let mut ole = Client::connect(&team.officer, NoTls).expect("a server");
    let mut book = Ledger::connect(&team.officer).expect("a book");
    let raised = book.change_terms(&name("a"), &guarded(budget("50")), Authority::Nobody, now());
    assert!(matches!(raised, Err(LedgerError::NeedsSignature { .. })));
    let stranger = {
        let account = book.account(&name("a")).expect("a book").expect("an account");
        TermsSignature::by(&officer(2), &account.request(&guarded(budget("50"))))
    };
    let raised = book.change_terms(&name("a"), &guarded(budget("50")), Authority::Signature(&stranger), now());
    assert!(matches!(raised, Err(LedgerError::NeedsSignature { .. })));
    // With another program: the server refuses terms that are looser in any respect and not signed.
    let key = |number| format!("signed-by={}", officer(number).public().digits());
    for (what, epsilon, delta, policy) in [
        ("more epsilon", Some("50"), None, key(1)),
        ("a little more epsilon", Some("2000001/1000000"), None, key(1)),
        ("no limit", None, None, key(1)),
        ("a delta", Some("2"), Some("1/10"), key(1)),
        ("another key", Some("2"), None, key(2)),
        ("no key", Some("1"), None, String::new()),
        ("a secret", Some("2"), None, format!("raised-with={}", "ab".repeat(32))),
        ("a kind", Some("2"), None, format!("allow=group;{}", key(1))),
        ("a split", Some("2"), None, format!("splits=region;{}", key(1))),
        ("new people", Some("2"), None, format!("people=disjoint-per-day;{}", key(1))),
        ("a key for which anybody can sign", Some("1"), None, format!("signed-by=01{}", "00".repeat(31))),
    ] {
        let mut next = Written::next(&mut ole, "policy");
        next.set("policy", &policy);
        for (name, text) in [("epsilon", epsilon), ("delta", delta)] {
            if let Some(text) = text {
                next.set(name, text);
            }
        }
        assert_eq!(next.hashed().append(&mut ole, "append_terms"), Err("IC006".to_string()), "{what}");
        assert_eq!(next.append(&mut ole, "append_release"), Err("IC003".to_string()), "{what}");
        team.must_be_whole(what);
    }
    // Stricter ones it takes, as every reader does.
    let mut stricter = Written::policy(&mut ole, "3/2");
    stricter.set("policy", &format!("min-group=5;{}", key(1)));
    assert_eq!(stricter.hashed().append(&mut ole, "append_terms"), Ok(()));
    book.verify(&[]).expect("whole");
    // What SQL cannot check, a signature of somebody else, every reader finds.
    let mut forged = Written::policy(&mut ole, "50");
    assert_eq!(forged.set("signature", &"ab".repeat(64)).hashed().append(&mut ole, "append_terms"), Ok(()));
    for refused in [book.charge(&costing("a", "1/10"), now()).err(), book.verify(&[]).err()] {
        assert!(matches!(refused, Some(LedgerError::Damaged { fault: Fault::Unsigned, .. })), "{refused:?}");
    }
}

/// Whatever the functions take, every reader of the book reads: nobody but its owner can make it unreadable.
#[test]
#[ignore = "needs a PostgreSQL server"]
fn whatever_the_functions_take_is_read() {
    let team = Team::new("fuzz");
    let mut owner = Client::connect(&team.owner, NoTls).expect("a server");
    let book = Ledger::connect(&team.owner).expect("a book");
    let key = format!("signed-by={}", officer(1).public().digits());
    let values = [
        "",
        "0",
        "1",
        "1/2",
        "2/4",
        "01",
        "infinite",
        "Infinite",
        "a",
        "b",
        "1e3",
        "٣",
        "x\u{7f}",
        "\u{2028}",
        "a\tb",
        "é",
        "e\u{301}",
        "delivered",
        "failed",
        "budget",
        "a b",
        "{}",
        "{\"by\":\"a\"}",
        "{\"by\":\"\u{2028}\"}",
        "{\"note\":\"\",\"by\":\"a\"}",
        "{\"by\":\"\\u00e9\"}",
        "{\"by\":\"/\"}",
        "{\"by\":\"\\/\"}",
        "{\"nonce\":\"1\",\"user\":\"\\\"\"}",
        "1970-01-01T00:00:00Z",
        "2026-01-01T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T23:59:60Z",
        "2026-01-01T00:00:01Z",
        "2025-12-31T23:59:59Z",
        "min-group=5",
        "min-group=05",
        "min-group=18446744073709551615",
        "min-group=18446744073709551616",
        "allow=",
        "allow=a,b",
        "splits=%c3%a9",
        "splits=%C3%A9",
        "splits=%c3",
        "splits=%00",
        "splits=-,_",
        "people=disjoint-per-week",
        "max-epsilon-per-release=1/3",
        &"9".repeat(4096),
        &"9".repeat(4097),
        &"x".repeat(200),
        &"é".repeat(200),
        &"é".repeat(201),
        &"ab".repeat(32),
        &"ab".repeat(16),
        &"ab".repeat(64),
        &key,
        &format!("min-group=3;{key}"),
        &format!("max-epsilon-per-release=1/0;{key}"),
        "open",
        "charge",
        "outcome",
        "policy",
        "refused",
        "aside",
    ]
    .map(str::to_string);
    let mut runner = TestRunner::new(Config { cases: 3000, failure_persistence: None, ..Config::default() });
    let changes = proptest::collection::vec((0..17_usize, proptest::option::weighted(0.9, 0..values.len())), 0..3);
    let taken = std::cell::Cell::new(0);
    let tool = std::cell::RefCell::new(&mut owner);
    runner
        .run(&(0..4_usize, changes), |(kind, changes)| {
            let tool = &mut **tool.borrow_mut();
            let mut entry = match kind {
                0 => Written::charge(tool, "1/1000"),
                1 => Written::policy(tool, "2"),
                2 => {
                    let mut entry = Written::charge(tool, "2");
                    entry.set("kind", "refused").set("outcome", "budget");
                    (entry.texts[5], entry.texts[6]) = (None, None);
                    entry
                }
                _ => {
                    let mut entry = Written::next(tool, "open");
                    entry.set("account", &format!("b{}", entry.seq)).set("policy", "");
                    entry
                }
            };
            for (place, value) in changes {
                entry.texts[place] = value.map(|value| values[value].clone());
            }
            entry.hashed();
            // An officer's forged signature is the one thing that SQL cannot tell: see the test before.
            if entry.get("signature").is_none() && entry.append(tool, "put").is_ok() {
                taken.set(taken.get() + 1);
                let read = book.verify(&[]).map(drop);
                prop_assert!(read.is_ok(), "{entry:?}: {read:?}");
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(taken.get() > 500, "only {} entries were taken", taken.get());
}

/// What the server refuses is what the account refuses: a sum that is too high by one charge would stop honest
/// releases.
#[test]
#[ignore = "needs a PostgreSQL server"]
fn the_server_refuses_nothing_that_an_account_pays() {
    let mut team = Ledger::connect(&fresh("same_answers")).expect("a book");
    let series = |first: u64, last: u64, people: &str| {
        format!(
            r#"{{"bins":[{{"cut":{{"values":["flu"]}},"nulls":"drop","other":false,"source":{{"column":"illness"}}}}],"dataset":"a","kind":{{"first":{first},"from":2020,"last":{last},"mode":"per-period","people":"{people}","period":{{"column":"year"}},"periods":1}},"reading":{{"columns":{{"illness":"text","year":"text"}},"person":null}},"snapshot":"2026","timezone":"UTC","types":{{}},"unit":{{"bins-per-person":1}},"where":null}}"#
        )
    };
    let cut = "{\"edges\":[\"0\",\"10\",\"20\"]}";
    let mut binnings = vec![edges(&[0, 10, 20]), edges(&[0, 20]), edges(&[0, 7, 20]), "unknown bins".to_string()];
    binnings.extend(["north", "south", "west"].map(|part| binning(cut, "2026", Some(part))));
    binnings.push(binning(cut, "2027", Some("north")));
    binnings.extend([(1, 1), (2, 2), (2, 3)].map(|(first, last)| series(first, last, "once")));
    binnings.push(series(1, 1, "many"));
    let terms = [
        Terms::unlimited(),
        budget("1"),
        Terms { delta: Some(number("1/5")), ..budget("2") },
        Terms { delta: Some(number("1")), ..budget("3") },
        Terms { delta: Some(number("1/4")), ..Terms::unlimited() },
        Terms { splits: ["region".to_string()].into(), delta: Some(number("1/5")), ..budget("1") },
        Terms { max_epsilon_per_release: Some(number("1/2")), ..budget("3/2") },
        Terms { allow: Some(["crowd-blending".to_string(), "differential-privacy".to_string()].into()), ..budget("2") },
        Terms { people: People::DisjointPerPeriod(Period::Year), ..budget("1") },
    ];
    let charges = proptest::collection::vec((0..binnings.len(), 0..5_usize, 0..4_usize, 0..3_usize), 1..9);
    let mut runner = TestRunner::new(Config { cases: 100, failure_persistence: None, ..Config::default() });
    let (mut round, mut answers) = (0, [0; 2]);
    let cases = std::cell::RefCell::new((&mut team, &mut round, &mut answers));
    runner
        .run(&(0..terms.len(), charges), |(place, charges)| {
            let (team, round, answers) = &mut *cases.borrow_mut();
            **round += 1;
            let account = name(&format!("account {}", **round * 7));
            let mut own = Ledger::in_memory().expect("a book");
            for book in [&mut own, &mut **team] {
                book.open_account(&account, &terms[place], now()).expect("opened");
            }
            for (bins, kind, size, delta) in charges {
                let epsilon = ["1/7", "1/3", "1/2", "1"][size];
                let bins = binnings[bins].clone();
                let mut charge = match kind {
                    0 | 1 => private(bins, epsilon),
                    2 => outliers(bins, 20, epsilon),
                    3 => crowds(bins, epsilon),
                    _ => endless(bins),
                };
                charge.account = account.clone();
                charge.snapshot = ["2024", "2025"][size % 2].into();
                charge.delta = number(["0", "0", "1/11"][delta]);
                let [expected, found] = [&mut own, &mut **team].map(|book| match book.charge(&charge, now()) {
                    Ok(_) => "paid".to_string(),
                    Err(LedgerError::Refused(refusal)) => refusal.to_string(),
                    Err(other) => panic!("{charge:?}: {other}"),
                });
                answers[usize::from(expected == "paid")] += 1;
                prop_assert_eq!(expected, found);
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(answers.iter().all(|count| *count > 60), "{answers:?}");
}
