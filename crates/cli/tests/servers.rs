//! Data in a real PostgreSQL server, from the request to the folder, by the binary.
//!
//! Needs a server: its address is in INCROWD_TEST_POSTGRES, and `./test` starts one. Tables are made by `psql`.

// Not all that other tests need of a place is needed here.
#[allow(dead_code)]
#[path = "release/place.rs"]
mod place;

use place::{EXACT, PLAIN, Place, request};
use serde_json::Value;
use std::process::{Command, Stdio};

const PAGE: &str = include_str!("../../../docs/postgres-source.md");

fn server() -> String {
    std::env::var("INCROWD_TEST_POSTGRES").expect("the address of a PostgreSQL server in INCROWD_TEST_POSTGRES")
}

fn psql(address: &str, sql: &str) {
    let output = Command::new("psql").args([address, "-q", "-v", "ON_ERROR_STOP=1", "-c", sql]).output();
    let output = output.expect("psql runs");
    assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A database of its own, and its address.
fn database(name: &str) -> String {
    let server = server();
    psql(&server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
    psql(&server, &format!("CREATE DATABASE {name}"));
    let (start, _) = server.rsplit_once('/').expect("an address with a database");
    format!("{start}/{name}")
}

const VISITS: &str = "CREATE SCHEMA clinic; CREATE TABLE clinic.visits AS \
     SELECT (i % 400)::int8 AS patient, (ARRAY['Cardiology', 'Oncology', 'Surgery', 'Zürich'])[1 + i % 4] AS ward, \
       (i * 7 % 100)::int4 AS age, '2026-01-01'::date + i % 59 AS day FROM generate_series(0, 1999) AS i";

const BY_WARD: &str = "[[bins]]\nname = \"ward\"\ncolumn = \"ward\"\n\
     values = [\"Cardiology\", \"Oncology\", \"Surgery\", \"Zürich\"]\n\
     [[bins]]\nname = \"age\"\ncolumn = \"age\"\nfrom = 0\nto = 100\nwidth = 20";

fn data(more: &str) -> String {
    format!("table = \"clinic.visits\"\nperson = \"patient\"\nbins-per-person = 2\n{more}")
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_table_of_a_server_is_released_as_a_file_with_the_same_rows_is() {
    let address = database("incrowd_same");
    psql(&address, VISITS);
    let place = Place::new();
    let csv = Command::new("psql")
        .args([address.as_str(), "-q", "-c", "COPY clinic.visits TO STDOUT (FORMAT csv, HEADER)"])
        .output()
        .expect("psql runs");
    place.write("visits.csv", csv.stdout);
    let more = "person = \"patient\"\nbins-per-person = 2\n[data.types]\npatient = \"integer\"\nage = \"integer\"";
    place.write("request.toml", request("visits.csv", more, BY_WARD, EXACT));
    place.released();
    let of_file = place.counts();
    assert!(of_file.len() >= 10, "{of_file:?}");
    for (condition, place_said) in [
        ("", "counted: on the server: to this machine come bins"),
        ("where = \"length(ward) > 0\"", "counted: on this machine: the server sends every row of the columns"),
    ] {
        let place = Place::new();
        place.write("request.toml", request(&address, &data(condition), BY_WARD, EXACT));
        let said = place.run(&["plan", "request.toml"]);
        let flat = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(&place_said.replace("counted: ", "counted ").replace("counted ", "")), "{}", said.stdout);
        let said = place.released();
        assert!(said.stderr.contains(place_said), "{}", said.stderr);
        assert_eq!(place.counts(), of_file);
        let verified = place.run(&["verify", "out"]);
        assert_eq!(verified.code, 0, "{}", verified.stderr);
    }
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_plan_needs_no_server_and_a_release_without_one_costs_nothing() {
    let place = Place::new();
    place.write("request.toml", request("postgres://ann@127.0.0.1:1/hr", &data(""), BY_WARD, PLAIN));
    let said = place.run(&["plan", "request.toml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let flat = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("the server could not be asked where: no PostgreSQL server answers at"), "{}", said.stdout);
    let json: Value =
        serde_json::from_str(&place.run(&["plan", "request.toml", "--format", "json"]).stdout).expect("JSON");
    assert!(json["counted"].as_str().is_some_and(|words| words.contains("could not be asked")), "{json}");
    let said = place.release();
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("no PostgreSQL server answers") && said.stderr.contains("hint:"), "{}", said.stderr);
    assert!(!said.stderr.contains("ann@"), "{}", said.stderr);
    assert!(place.events().is_empty(), "{:?}", place.events());
    let said = place.run(&["check", "request.toml"]);
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("the data is on a PostgreSQL server"), "{}", said.stderr);
}

/// The block of the page in a language.
fn block(language: &str) -> String {
    let (_, rest) = PAGE.split_once(&format!("```{language}\n")).expect("a block");
    rest.split("```").next().expect("an end").to_owned()
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn the_commands_of_the_page_about_postgresql_can_be_typed() {
    let address = database("incrowd_page");
    psql(&address, VISITS);
    let place = Place::new();
    let said_by_page = "postgres://ann@db.example/hospital";
    place.write("request.toml", block("toml").replace(said_by_page, &address));
    let commands: Vec<String> =
        block("console").lines().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned).collect();
    assert!(commands.len() >= 4, "{commands:?}");
    for command in &commands {
        let command = command.replace(said_by_page, &address);
        let words: Vec<&str> = command.split_whitespace().collect();
        let ["incrowd", arguments @ ..] = &words[..] else { panic!("nobody runs {command}") };
        let said = place.run(arguments);
        assert_eq!(said.code, 0, "{command}: {}", said.stderr);
    }
    assert_eq!(place.counts().len(), 20);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn thirty_releases_race_for_a_budget_in_the_server_that_has_the_data() {
    let address = database("incrowd_race");
    psql(&address, VISITS);
    let place = Place::new();
    place.write("request.toml", request(&address, &data(""), BY_WARD, PLAIN));
    let opened = place.run(&["ledger", "open", "people", "--epsilon", "10", "--delta", "0", "--ledger", &address]);
    assert_eq!(opened.code, 0, "{}", opened.stderr);
    let started: Vec<_> = (0..30)
        .map(|number| {
            let folder = format!("out-{number}");
            let mut command =
                place.command(&["release", "request.toml", "--again", "--folder", &folder, "--ledger", &address]);
            command.stdout(Stdio::null()).spawn().expect("it starts")
        })
        .collect();
    let mut delivered = 0;
    for process in started {
        let output = process.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => delivered += 1,
            Some(1) => assert!(said.contains("is left"), "{said}"),
            code => panic!("{code:?}: {said}"),
        }
    }
    assert_eq!(delivered, 10);
    let folders = (0..30).filter(|number| place.path(&format!("out-{number}/certificate.json")).exists()).count();
    assert_eq!(folders, 10);
}
