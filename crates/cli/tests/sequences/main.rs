//! Sequences of releases over small made-up data: what the account book says of those that it accepts is held against
//! the true loss, found by leaving every person out of the data and counting again.
//!
//! The book is asked as a release asks it, and rows are counted by the real engine from real files of two formats. The
//! truth is computed from these counts alone: it knows no rule of composition. Four mistakes are put back, one by one,
//! by telling the book less than it is told; the truth must find each.

mod generate;
mod guards;
mod truth;
mod world;

use generate::{Spec, specs};
use incrowd_ledger::{AccountName, Charge, Ledger, Moment, Terms};
use incrowd_privacy::Total;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use truth::{Claim, violation};
use world::World;

/// What the book is told, and what not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Told {
    /// Everything.
    Everything,
    /// That nobody is in two periods, although nobody declared it: what a declared split once did.
    PeriodsApart,
    /// Not how columns are stored, neither of values nor of identifiers.
    NoReading,
    /// That all states of the data are one.
    OneState,
}

/// What the book says of a sequence; nothing if it refuses one of it.
fn said(sequence: &[&Spec], charges: &[Charge], told: Told) -> Option<Claim> {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let name = AccountName::new("people").expect("a name");
    let splits: &[&str] = if told == Told::PeriodsApart { &["region", "year"] } else { &["region"] };
    let splits: BTreeSet<String> = splits.iter().map(ToString::to_string).collect();
    let now = Moment::from_unix_seconds(0);
    ledger.open_account(&name, &Terms { splits, ..Terms::unlimited() }, now).expect("opened");
    for charge in charges {
        let mut binning: Value = serde_json::from_str(&charge.binning).expect("JSON");
        match told {
            Told::Everything | Told::PeriodsApart => {}
            Told::NoReading => {
                // As a version wrote it that called every state 1 unless it had a name.
                if binning["snapshot"].is_null() {
                    binning["snapshot"] = json!("1");
                }
                drop(binning.as_object_mut().expect("an object").remove("reading"));
            }
            Told::OneState => binning["snapshot"] = json!("one"),
        }
        let charge = Charge { binning: binning.to_string(), ..charge.clone() };
        drop(ledger.charge(&charge, now).ok()?.spend());
    }
    let account = ledger.account(&name).expect("a book").expect("an account");
    let total = account.standings().remove(0).total.expect("what was paid for has a sum");
    // A statement about small groups alone, made for those whose groups are small in every table.
    let small = (1..=6).map(|size| account.in_every_table(None, size)).collect();
    match &total {
        Total::Everybody { .. } | Total::Crowd { .. } => {}
        Total::Growing { .. } => panic!("{sequence:?}: nobody is in several bins here"),
    }
    Some(Claim { total, small })
}

/// Every sequence of so many, in every order, with repetitions.
fn sequences(specs: usize, length: usize) -> Vec<Vec<usize>> {
    (0..length).fold(vec![Vec::new()], |shorter, _| {
        let longer = |sequence: Vec<usize>| (0..specs).map(move |next| [sequence.clone(), vec![next]].concat());
        shorter.into_iter().flat_map(longer).collect()
    })
}

/// How many sequences were accepted and refused, and the first whose statement is false.
fn judged(world: &World, specs: &[Spec], told: Told, length: usize) -> (usize, usize, Option<String>) {
    let charges: Vec<Charge> = specs.iter().map(|spec| world.charge(spec)).collect();
    let (mut accepted, mut refused, mut wrong) = (0, 0, None);
    for sequence in sequences(specs.len(), length) {
        let chosen: Vec<&Spec> = sequence.iter().map(|index| &specs[*index]).collect();
        let paid: Vec<Charge> = sequence.iter().map(|index| charges[*index].clone()).collect();
        match said(&chosen, &paid, told) {
            None => refused += 1,
            Some(claim) => {
                accepted += 1;
                let found = violation(world, &chosen, &claim);
                wrong = wrong.or(found.map(|found| format!("{chosen:?}: {found}")));
            }
        }
    }
    (accepted, refused, wrong)
}

#[test]
fn what_the_book_says_of_every_accepted_sequence_is_true_of_everybody_in_the_data() {
    let world = World::new();
    let specs = specs();
    for (length, least) in [(1, specs.len()), (2, 60), (3, 250)] {
        let (accepted, refused, wrong) = judged(&world, &specs, Told::Everything, length);
        assert_eq!(wrong, None);
        // A book that refuses everything would be right, too.
        assert!(accepted >= least, "only {accepted} of {} sequences of {length} are accepted", accepted + refused);
        assert!(length == 1 || refused >= least, "only {refused} are refused");
    }
}

#[test]
fn each_of_four_old_mistakes_is_found_when_it_is_put_back() {
    let world = World::new();
    let specs = specs();
    for told in [Told::PeriodsApart, Told::NoReading, Told::OneState] {
        let (_, _, wrong) = judged(&world, &specs, told, 2);
        assert!(wrong.is_some(), "{told:?} was not found");
    }
    // Identifiers that are stored as texts and as integers, by themselves: no exact counts that would be found first.
    let finite: Vec<Spec> = specs.into_iter().filter(Spec::is_finite).collect();
    let (_, _, wrong) = judged(&world, &finite, Told::NoReading, 2);
    let wrong = wrong.expect("one person of the one release is six of the other");
    assert!(wrong.contains("Integer") && wrong.contains("her loss is 7"), "{wrong}");
}
