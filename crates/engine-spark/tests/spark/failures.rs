//! What happens when a server, an executor, a table or the way there fails, before the charge and behind it.

use crate::server::{ByPath, address, engine, folder, variable};
use crate::statements::{Between, asked, run};
use crate::tables;
use incrowd_conformance::{CaseColumn, CaseTable, CaseValue, CountsByKey, counted_of, counted_watched};
use incrowd_engine::{Engine, Participants, PrepareError, Prepared, Query, RowType, Unwatched, Watch};
use incrowd_engine_spark::{Pushing, SparkEngine};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Lets something happen between the plan and the count.
struct Meanwhile<'a> {
    engine: SparkEngine,
    happens: &'a dyn Fn(),
}

impl Engine for Meanwhile<'_> {
    fn files(&self, location: &str) -> Vec<PathBuf> {
        self.engine.files(location)
    }

    fn prepare(&self, query: &Query) -> Result<Box<dyn Prepared>, PrepareError> {
        let prepared = self.engine.prepare(query)?;
        (self.happens)();
        Ok(prepared)
    }
}

/// Somebody who asks to stop once so much time has passed.
struct Impatient {
    since: Instant,
    stops_after: Duration,
    read: AtomicU64,
}

impl Watch for Impatient {
    fn read(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::SeqCst);
    }

    fn is_cancelled(&self) -> bool {
        self.since.elapsed() > self.stops_after
    }
}

fn outcome(engine: &dyn Engine, query: &Query) -> Result<CountsByKey, String> {
    counted_watched(engine, query, Participants::Everybody, Arc::new(Unwatched))
}

fn on(address: &str, table: &str) -> String {
    format!("source = \"{address}\"\ntable = \"{table}\"\nperson = \"person\"\nbins-per-person = 1")
}

const BINS: &str = "[[bins]]\nname = \"bin\"\ncolumn = \"bin\"\nfrom = 0\nto = 10\nwidth = 1";

fn refused(data: &str) -> String {
    match engine().prepare(&asked(data, BINS)) {
        Ok(_) => panic!("{data} is refused"),
        Err(error) => format!("{error}\n{}", error.hint()),
    }
}

/// A view of people in ten bins, one row for each, which takes long enough for something to happen.
fn slow_view(name: &str, people: u64) {
    run(&format!(
        "create or replace view {name} as select id as person, cast(crc32(cast(id as string)) % 10 as int) as bin \
         from range(0, {people}, 1, 8)"
    ));
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn before_the_charge_it_is_said_what_is_wrong() {
    let address = address();
    run("create or replace view names as select 'Miller, HIV+' as person, 1 as bin");
    for (data, expected) in [
        (on("sc://127.0.0.1:1", "names"), "no Spark Connect server answers at sc://127.0.0.1:1"),
        (on(&address, "nothing"), "there is no table nothing"),
        (on(&address, "none.nothing"), "there is no table none.nothing"),
        (on(&address, "nowhere.none.nothing"), "there is no table"),
        (on(&address, "parquet.`/no/such/folder`"), "there is no table parquet.`/no/such/folder`"),
        (on(&address, "names; drop view names"), "is no name of a table"),
        (on(&address, "`names``; drop view names`"), "there is no table"),
        (on(&address, "csv.`/etc/passwd`"), "Spark would read rows of csv files"),
        (on(&format!("{address}/;use_ssl=true"), "names"), "cannot be encrypted"),
        (on(&address, "delta.`/no/such/folder`"), "delta and iceberg only where"),
    ] {
        let said = refused(&data);
        assert!(said.contains(expected), "{data}\n{said}");
        assert!(!said.contains("Miller") && !said.contains("SQLSTATE"), "{said}");
    }
    let other = engine().prepare(&asked(&on(&address, "names"), &BINS.replace("column = \"bin\"", "column = \"bim\"")));
    let error = other.err().expect("no such column");
    assert!(
        error.to_string().contains("no column \"bim\"") && error.hint().contains("did you mean \"bin\""),
        "{error}"
    );
    let no_token = SparkEngine::new(
        Arc::new(incrowd_engine_datafusion::DataFusionEngine::new(Default::default())),
        Arc::new(|_| Some("wrong".to_owned())),
        Pushing::WhereItIsTheSame,
    );
    let error = no_token.prepare(&asked(&on(&address, "names"), BINS)).err().expect("no way in");
    assert!(error.to_string().contains("does not let you in"), "{error}");
    assert!(error.hint().contains("password-env"), "{}", error.hint());
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn behind_the_charge_every_failure_has_one_text() {
    let address = address();
    let one_text = "not counted: the data could not be counted";
    let make = "create or replace table changing using parquet as select id as person, cast(id % 10 as int) as bin \
                from range(100)";
    let query = asked(&on(&address, "changing"), BINS);
    for happens in [
        "drop table changing",
        "create or replace table changing using parquet as select id as person, 'Miller, HIV+' as bin from range(9)",
    ] {
        run("drop table if exists changing");
        run(&make.replace("or replace ", ""));
        let change = || {
            run("drop table if exists changing");
            if happens.starts_with("create") {
                run(&happens.replace("or replace ", ""));
            }
        };
        let engine = Meanwhile { engine: engine(), happens: &change };
        assert_eq!(outcome(&engine, &query), Err(one_text.to_owned()), "{happens}");
    }
    run("create or replace view failing as select id as person, \
         cast(if(id = 77, 'Miller, HIV+', '3') as int) as bin from range(100)");
    assert_eq!(outcome(&engine(), &asked(&on(&address, "failing"), BINS)), Err(one_text.to_owned()));
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn a_broken_connection_loses_neither_the_query_nor_a_row() {
    slow_view("long_way", 3_000_000);
    let between = Between::stands();
    let query = asked(&on(&format!("sc://127.0.0.1:{}", between.port), "long_way"), BINS);
    let expected = counted_of(&engine(), &asked(&on(&address(), "long_way"), BINS), Participants::Everybody);
    let cut = Arc::new(between);
    let cutter = Arc::clone(&cut);
    let (stop, cuts) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let (stopped, counted) = (Arc::clone(&stop), Arc::clone(&cuts));
    let thread = std::thread::spawn(move || {
        while !stopped.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(400));
            cutter.cut();
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    // Names and types are asked for again where a cut comes between.
    let found = (0..10).map(|_| outcome(&engine(), &query)).find(Result::is_ok);
    stop.store(true, Ordering::SeqCst);
    thread.join().expect("a thread");
    assert!(cuts.load(Ordering::SeqCst) >= 2);
    assert_eq!(found.expect("counted").expect("counted"), expected);
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn a_server_that_is_gone_ends_the_count() {
    slow_view("gone", 1_000_000);
    let between = Between::stands();
    let query = asked(&on(&format!("sc://127.0.0.1:{}", between.port), "gone"), BINS);
    let engine = Meanwhile { engine: engine().patient_for(Duration::from_secs(2)), happens: &|| between.close() };
    let begun = Instant::now();
    assert_eq!(outcome(&engine, &query), Err("not counted: the data could not be counted".to_owned()));
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn who_asks_to_stop_stops_the_server_too() {
    // Many minutes of work.
    slow_view("endless", 100_000_000_000);
    let query = asked(&on(&address(), "endless"), BINS);
    let watch = Impatient { since: Instant::now(), stops_after: Duration::from_secs(8), read: AtomicU64::new(0) };
    let begun = Instant::now();
    let stopped = counted_watched(&engine(), &query, Participants::Everybody, Arc::new(watch));
    assert_eq!(stopped, Err("not counted: stopped on request".to_owned()));
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    // The executors are free again.
    slow_view("short", 1_000);
    let counted = counted_of(&engine(), &asked(&on(&address(), "short"), BINS), Participants::Everybody);
    assert_eq!(counted.values().sum::<u64>(), 1_000);
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

/// Returns the processes of the executors: the children of the server.
fn executors() -> Vec<u32> {
    let server = variable("INCROWD_TEST_SPARK_PROCESS");
    let all = std::fs::read_dir("/proc").expect("processes").filter_map(|entry| {
        let process: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().to_owned();
        let command = std::fs::read_to_string(format!("/proc/{process}/cmdline")).ok()?;
        (parent == server && command.contains("CoarseGrainedExecutorBackend")).then_some(process)
    });
    all.collect()
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn an_executor_that_dies_in_mid_query_changes_nothing() {
    let people = 6_000_000;
    slow_view("mortal", people);
    let query = asked(&on(&address(), "mortal"), BINS);
    let expected = counted_of(&engine(), &query, Participants::Everybody);
    assert_eq!(expected.values().sum::<u64>(), people);
    let before = executors();
    assert_eq!(before.len(), 2, "two executors");
    let victim = before[0];
    let killer = || {
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(1500));
            let killed = std::process::Command::new("kill").args(["-9", &victim.to_string()]).status();
            assert!(killed.expect("kill").success());
        });
    };
    let engine = Meanwhile { engine: engine(), happens: &killer };
    let begun = Instant::now();
    let counted = outcome(&engine, &query).expect("counted");
    assert!(begun.elapsed() > Duration::from_millis(1500), "it was killed while it counted");
    assert_eq!(counted, expected);
    assert!(!executors().contains(&victim));
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn hostile_names_and_long_texts_arrive_as_they_are() {
    let hostile = "bin`; drop table people; -- \"'\\.é";
    let long = "é".repeat(3 << 20);
    let texts = [long.as_str(), "it's", "\\", "${spark.app.name}", "a%b_c", " trailing  ", "É", "é", long.as_str()];
    let column = |name: &str, kind, values| CaseColumn { name: name.into(), kind, values };
    let table = CaseTable {
        name: "hostile".into(),
        columns: vec![
            column("person", RowType::Integer, (0..9).map(CaseValue::Integer).collect()),
            column(hostile, RowType::Text, texts.iter().map(|text| CaseValue::Text((*text).into())).collect()),
        ],
    };
    let path = tables::write(&table, &folder("hostile `'name")).expect("stored");
    let quoted = |text: &str| format!("{text:?}");
    let mut query = asked(
        "source = \"people\"\nperson = \"person\"\nbins-per-person = 1",
        &format!(
            "[[bins]]\nname = \"text\"\ncolumn = {}\nvalues = [{}]\nother = true",
            quoted(hostile),
            texts[1..8].iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ")
        ),
    );
    query.source.location = path.replace('`', "``");
    let counted = counted_of(&ByPath::of(engine()), &query, Participants::Everybody);
    let expected: CountsByKey = (0..8u64).map(|cell| (format!("c1:{cell}"), if cell == 7 { 2 } else { 1 })).collect();
    assert_eq!(counted, expected);
    // In such a name Spark puts something else before it looks for the column in files, and finds nothing but null.
    let mut substituted = table.clone();
    substituted.columns[1].name = "bin ${spark.app.name}".into();
    query.source.location = tables::write(&substituted, &folder("substituted")).expect("stored");
    let refused = ByPath::of(engine()).prepare(&query).err().expect("refused");
    assert!(refused.to_string().contains("${"), "{refused}");
}
