//! Every case of the conformance kit, counted of tables of a cluster: there, and here of the rows that it delivers.

// How much was counted where, for whoever asks with --nocapture.
#![allow(clippy::print_stdout)]

use crate::server::{ByPath, engine_that, folder};
use crate::statements::run;
use crate::tables;
use incrowd_conformance::{Checked, Place, cases, check, counted_of, difference, generated_question, generated_table};
use incrowd_engine::Participants;
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_engine_spark::Pushing;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many questions are generated where INCROWD_TEST_SPARK_QUESTIONS does not say it, and how many of them about each
/// table. Each of them is a job of the cluster: two thousand take a quarter of an hour on two cores.
const QUESTIONS: u64 = 500;
const OF_A_TABLE: u64 = 50;
/// So many of them are asked side by side.
const SIDE_BY_SIDE: usize = 4;

/// Holds the engine against every case, and returns how many it had counted in the cluster.
fn checked(name: &str, pushing: Pushing) -> usize {
    let (folder, all, engine) = (folder(name), cases().len(), ByPath::of(engine_that(pushing)));
    let mut written: BTreeMap<String, Option<String>> = BTreeMap::new();
    let Checked { agreed, left_out } = check(&engine, |table| {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let number = written.len();
        let path = written.entry(format!("{}-{}", table.name, names.join("-")));
        let path = path.or_insert_with(|| tables::write(table, &folder.join(number.to_string())));
        path.clone().map(Place::Typed)
    });
    let pushed = engine.pushed.load(Ordering::SeqCst);
    println!("{} of {all} agree, {pushed} of them counted in the cluster; left out: {left_out:?}", agreed.len());
    println!("the others: {:#?}", engine.reasons.lock().expect("a map"));
    // Spark has no whole numbers of 64 bits without a sign, and no nanoseconds.
    assert!(agreed.len() >= 500, "{} of {all}, not {left_out:?}", agreed.len());
    pushed
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn every_case_has_its_counts_of_rows_that_a_cluster_delivers() {
    assert_eq!(checked("delivered", Pushing::Never), 0);
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn every_case_has_its_counts_in_a_cluster() {
    assert!(checked("pushed", Pushing::WhereItIsTheSame) >= 190);
}

/// Asks the questions about one generated table, of a cluster and of the same files; returns what differs, and how many
/// counts are not empty.
fn block(block: u64, folder: &Path, engine: &ByPath, delivering: &ByPath) -> (Vec<String>, u64) {
    let files = DataFusionEngine::new(Settings { threads: 1, ..Settings::default() });
    let (mut differing, mut not_empty) = (Vec::new(), 0);
    let table = generated_table(block, 40 + 25 * block as usize);
    let there = tables::write(&table, &folder.join(&table.name)).expect("every value is one of Spark");
    // A table of the catalogue: of files by their path Spark would find the columns anew for every question.
    let name = format!("generated_{block}");
    run(&format!("create table {name} using parquet location '{there}'"));
    for seed in block * OF_A_TABLE..(block + 1) * OF_A_TABLE {
        let question = generated_question(seed);
        let mut query = question.query;
        query.source.location.clone_from(&there);
        let expected = counted_of(&files, &query, Participants::Everybody);
        query.source.dialect.table = Some(name.clone());
        not_empty += u64::from(!expected.is_empty());
        let mut compare = |engine: &ByPath, how: &str| {
            let counted = counted_of(engine, &query, Participants::Everybody);
            if let Some(difference) = difference(&counted, &expected) {
                differing.push(format!("{seed}, {how}: {difference}\n{}", question.request));
            }
        };
        compare(engine, "where it is the same");
        if seed % 20 == 0 {
            compare(delivering, "delivered");
        }
    }
    (differing, not_empty)
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn a_cluster_counts_generated_questions_as_files_do() {
    let said = std::env::var("INCROWD_TEST_SPARK_QUESTIONS").ok();
    let questions: u64 = said.map_or(QUESTIONS, |said| said.parse().expect("a number of questions"));
    let folder = folder("generated");
    let (engine, delivering) =
        (ByPath::of(engine_that(Pushing::WhereItIsTheSame)), ByPath::of(engine_that(Pushing::Never)));
    let (next, not_empty, differing) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::SeqCst);
                    if place >= questions / OF_A_TABLE {
                        return;
                    }
                    let (found, some) = block(place, &folder, &engine, &delivering);
                    not_empty.fetch_add(some, Ordering::SeqCst);
                    differing.lock().expect("a list").extend(found);
                }
            });
        }
    });
    let (differing, not_empty) = (differing.into_inner().expect("a list"), not_empty.into_inner());
    let pushed = engine.pushed.load(Ordering::SeqCst) as u64;
    println!("{questions} questions, {pushed} of them counted in the cluster, {not_empty} not empty");
    println!("the others: {:#?}", engine.reasons.lock().expect("a map"));
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing[..differing.len().min(8)].join("\n"));
    assert!(not_empty >= questions / 2, "{not_empty}");
    assert!(pushed >= questions / 2, "only {pushed} were counted in the cluster");
}
