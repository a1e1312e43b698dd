//! Every command for machines: one object on each stream, with its version and its command.

use crate::place::{PLAIN, Place, TOWNS, request};
use serde_json::Value;
use std::collections::BTreeSet;

/// A command, what it is called in its objects, and how it ends.
type Case = (&'static [&'static str], &'static str, i32);

const CASES: [Case; 65] = [
    (&["check", "request.toml"], "check", 0),
    (&["check", "damaged.toml"], "check", 1),
    (&["init", "d.csv"], "init", 0),
    (&["init", "d.csv", "--output", "made.toml"], "init", 0),
    (&["init", "d.csv", "--output", "made.toml"], "init", 2),
    (&["init", "empty.csv"], "init", 0),
    (&["plan", "request.toml"], "plan", 0),
    (&["plan", "request.toml", "batch.toml"], "plan", 0),
    (&["plan", "nowhere.toml"], "plan", 2),
    (&["compare", "request.toml"], "compare", 0),
    (&["law", "request.toml", "--count", "3"], "law", 0),
    (&["policies"], "policies", 0),
    (&["policies", "fewer-than-6"], "policies", 0),
    (&["policies", "fewer-than-7"], "policies", 2),
    (&["draw", "request.toml", "--count", "3", "--times", "2"], "draw", 0),
    (&["ledger", "key", "raise.key"], "ledger key", 0),
    (&["ledger", "key", "raise.key"], "ledger key", 2),
    (&["ledger", "open", "people", "--epsilon", "9", "--raise-key", "raise.key"], "ledger open", 0),
    (&["ledger", "open", "people"], "ledger open", 2),
    (&["ledger", "key", "new", "next"], "ledger key new", 0),
    (&["ledger", "key", "show", "next.pub"], "ledger key show", 0),
    (&["ledger", "policy", "people", "--epsilon", "10", "--print-request", "raise.json"], "ledger policy", 0),
    (&["ledger", "sign", "raise.json"], "ledger sign", 0),
    (&["ledger", "sign", "raise.json", "--key", "raise.key"], "ledger sign", 0),
    (&["ledger", "policy", "people", "--signature", "raise.signed.json"], "ledger policy", 0),
    (&["ledger", "key", "change", "people", "--to", "next.pub", "--key", "raise.key"], "ledger key change", 0),
    (&["ledger", "policy", "people", "--max-epsilon-per-release", "2"], "ledger policy", 0),
    (&["release", "request.toml", "--verbose"], "release", 0),
    (&["release", "request.toml"], "release", 1),
    (&["release", "request.toml", "--if-new"], "release", 0),
    (&["release", "request.toml", "--rehearse"], "release", 0),
    (&["release", "others.toml", "--folder", "others"], "release", 1),
    (&["release", "others.toml", "--folder", "others", "--open"], "release", 0),
    (&["release", "damaged.toml", "--folder", "damaged", "--open"], "release", 3),
    (&["release", "made-up.toml", "--folder", "made-up", "--test-seed", "7"], "release", 0),
    (&["verify", "out"], "verify", 0),
    (&["verify", "nowhere"], "verify", 2),
    (&["render", "out", "--to", "rendered", "--formats", "csv,xlsx"], "render", 0),
    (&["render", "out", "--to", "rendered"], "render", 2),
    (&["diff", "out", "rendered"], "diff", 0),
    (&["diff", "out", "nowhere"], "diff", 2),
    (&["recover", "out"], "recover", 0),
    (&["export", "out", "--as", "registry"], "export", 0),
    (&["ledger", "show"], "ledger show", 0),
    (&["ledger", "history"], "ledger history", 0),
    (&["ledger", "verify", "--against", "out"], "ledger verify", 0),
    (&["ledger", "setup", "--print"], "ledger setup", 0),
    (&["ledger", "setup", "ledger.sqlite"], "ledger setup", 2),
    (&["ledger", "set-aside"], "ledger set-aside", 2),
    (&["ledger", "exposure", "request.toml"], "ledger exposure", 0),
    (&["ledger", "report", "people", "--output", "account.html"], "ledger report", 0),
    (&["ledger", "export", "--as", "json"], "ledger export", 0),
    (&["ledger", "export", "--as", "csv", "--output", "book.csv"], "ledger export", 0),
    (&["example"], "example", 0),
    (&["example", "salaries", "company"], "example", 0),
    (&["example", "salaries", "company"], "example", 2),
    (&["man"], "man", 0),
    (&["man", "pages"], "man", 0),
    // Nothing was understood of these.
    (&["example", "salary", "company"], "example", 2),
    (&["release"], "release", 2),
    (&["ledger", "open", "--epsilon"], "ledger open", 2),
    (&["plan", "request.toml", "--counts", "many"], "plan", 2),
    (&["policy", "check"], "policy check", 0),
    (&["policy", "check", "request.toml"], "policy check", 0),
    (&["pln", "request.toml"], "incrowd", 2),
];

fn place() -> Place {
    let place = Place::new();
    place.write("d.csv", "id,town\n1,Bern\n2,Chur\n");
    place.write("empty.csv", "id,town\n");
    place.write("damaged.csv", "id,town\n1,Bern\n2,\"Chur\n");
    let text = request("d.csv", "", TOWNS, PLAIN);
    place.write("request.toml", &text);
    place.write("batch.toml", &text);
    place.write("others.toml", text.replace("\"people\"", "\"others\""));
    place.write("damaged.toml", text.replace("\"people\"", "\"damaged\"").replace("d.csv", "damaged.csv"));
    place.write("made-up.toml", text.replace("[data]\n", "[data]\nsynthetic = true\n"));
    place
}

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn every_object_of_every_command_has_its_version_and_its_command() {
    let place = place();
    for (arguments, command, code) in CASES {
        for format in [&["--format", "json"][..], &["--format=json"]] {
            // What makes something is run once.
            if format.len() == 1 && code != 2 {
                continue;
            }
            let output = place.command(&[arguments, format].concat()).output().expect("the binary runs");
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
            let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stdout}{stderr}");
            if code == 0 {
                let said = object(&stdout);
                assert_eq!((&said["version"], &said["command"]), (&1.into(), &command.into()), "{arguments:?}: {said}");
            }
            let mut errors = 0;
            for line in stderr.lines() {
                let said = object(line);
                assert_eq!((&said["version"], &said["command"]), (&1.into(), &command.into()), "{arguments:?}: {said}");
                let level = said["level"].as_str().expect("a level");
                assert!(["error", "warning", "note"].contains(&level), "{said}");
                assert_eq!(said[level], said["message"], "{said}");
                assert!(
                    said["hint"].is_string() && said["message"].as_str().is_some_and(|text| text.len() > 3),
                    "{said}"
                );
                if level == "error" {
                    errors += 1;
                    assert_eq!(said["exit_code"], code, "{said}");
                }
            }
            assert_eq!(errors, usize::from(code != 0), "{arguments:?}: {stderr}");
        }
    }
}

#[test]
fn every_command_is_among_them() {
    let place = place();
    place.run(&["man", "pages"]);
    let pages = std::fs::read_dir(place.path("pages")).expect("a folder");
    let names = pages.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
    let all: BTreeSet<String> = names
        .filter_map(|name| Some(name.strip_prefix("incrowd-")?.strip_suffix(".1")?.replace('-', " ")))
        // These print what others have given a form: a script, a schema; `ledger` or `policy` alone is no command, and
        // what sets entries aside needs a server: `database.rs`.
        .filter(|name| !["completions", "schema", "ledger", "policy", "ledger set aside"].contains(&name.as_str()))
        .collect();
    let tried: BTreeSet<String> =
        CASES.iter().filter(|case| case.2 == 0).map(|(_, command, _)| command.to_string()).collect();
    let missing: Vec<&String> = all.difference(&tried).collect();
    assert!(missing.is_empty(), "no object of {missing:?} is looked at");
}

#[test]
fn a_release_tells_what_it_cost_what_is_left_and_which_files_there_are() {
    use sha2::{Digest, Sha256};
    let place = place();
    assert_eq!(place.run(&["ledger", "open", "people", "--epsilon", "9", "--delta", "1e-6"]).code, 0);
    let said = object(&place.run(&["release", "request.toml", "--format", "json"]).stdout);
    assert_eq!((&said["cost"]["epsilon"], &said["cost"]["delta"]), (&"1".into(), &"0".into()), "{said}");
    assert_eq!((&said["left"]["epsilon"], &said["left"]["delta"]), (&"8".into(), &"1/1000000".into()), "{said}");
    assert_eq!(
        (&said["way"], &said["private"], &said["already_delivered"]),
        (&"charged".into(), &true.into(), &false.into())
    );
    let files = said["files"].as_array().expect("files");
    let mut there: Vec<String> = std::fs::read_dir(place.path("out"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    there.sort();
    assert_eq!(files.iter().map(|file| file["name"].as_str().expect("a name").to_string()).collect::<Vec<_>>(), there);
    for file in files {
        let bytes = std::fs::read(place.path("out").join(file["name"].as_str().expect("a name"))).expect("a file");
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!((&file["bytes"], &file["sha256"]), (&bytes.len().into(), &hash.into()));
    }
    let rehearsed = object(&place.run(&["release", "request.toml", "--rehearse", "--format", "json"]).stdout);
    assert_eq!(
        (&rehearsed["way"], &rehearsed["left"], &rehearsed["private"]),
        (&"rehearsal".into(), &Value::Null, &false.into())
    );
}

#[test]
fn init_gives_the_request_to_machines_as_it_writes_it() {
    let place = place();
    let text = place.run(&["init", "d.csv"]).stdout;
    let said = object(&place.run(&["init", "d.csv", "--format", "json"]).stdout);
    assert_eq!((&said["request"], &said["written"]), (&text.into(), &Value::Null));
    let said = object(&place.run(&["init", "d.csv", "--output", "made.toml", "--format", "json"]).stdout);
    let written = std::fs::read_to_string(place.path("made.toml")).expect("a request");
    assert_eq!((&said["request"], &said["written"]), (&written.into(), &"made.toml".into()));
}
