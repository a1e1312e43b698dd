//! The commands about the book itself: what was promised in all, whether the book is whole, and books for others.

use crate::place::{EXACT, PLAIN, Place, TOWNS, request};
use serde_json::Value;

const SMALL: &str = "kind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1";

fn place() -> Place {
    let place = Place::new();
    place.write("d.csv", "town,region\nBern,north\nBern,north\nChur,south\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn show_tells_what_was_promised_in_all_by_group_size() {
    let place = place();
    place.write("request.toml", request("d.csv", "", TOWNS, SMALL));
    place.released();
    assert_eq!(place.run(&["release", "request.toml", "--replace", "--again"]).code, 0);
    let said = place.run(&["ledger", "show"]);
    assert!(said.stdout.contains("differential privacy for everybody: epsilon 2, delta 0"), "{}", said.stdout);
    assert!(said.stdout.contains("in groups of up to 10: 55 % (epsilon 1/5)"), "{}", said.stdout);
    // 2/10 for small groups: 100 e^(1/5) / (1 + e^(1/5)) = 54.98.
    assert!(said.stdout.contains("in groups of any size: 88.1 % (epsilon 2)"), "{}", said.stdout);
    let object = json(&place.run(&["ledger", "show", "--format", "json"]).stdout);
    let all = &object["accounts"][0]["in_all"][0];
    assert_eq!(all["promised"]["epsilon"], "2");
    assert_eq!(all["by_group"][0]["up_to"], 10);
    assert_eq!(all["by_group"][0]["epsilon"], "1/5");
    assert_eq!(all["by_group"][1]["up_to"], Value::Null);
}

#[test]
fn verify_finds_an_edit_and_a_book_that_was_put_back() {
    let place = place();
    place.released();
    let old = std::fs::read(place.path("ledger.sqlite")).expect("a book");
    assert_eq!(place.run(&["release", "request.toml", "--folder", "second", "--again"]).code, 0);
    let said = place.run(&["ledger", "verify", "--against", "out", "second"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("2 remembered places are in the chain"), "{}", said.stdout);
    let head = json(&place.run(&["ledger", "verify", "--format", "json"]).stdout)["head"]
        .as_str()
        .expect("a head")
        .to_string();
    assert_eq!(place.run(&["ledger", "verify", "--head", &head]).code, 0);
    assert_eq!(place.run(&["ledger", "verify", "--head", "short"]).code, 2);
    assert_eq!(place.run(&["ledger", "verify", "--against", "nowhere"]).code, 2);

    let new = std::fs::read(place.path("ledger.sqlite")).expect("a book");
    std::fs::write(place.path("ledger.sqlite"), &old).expect("put back");
    assert_eq!(place.run(&["ledger", "verify"]).code, 0, "whole in itself");
    for remembered in [["--against", "second"], ["--head", head.as_str()]] {
        let said = place.run(&["ledger", "verify", remembered[0], remembered[1]]);
        assert_eq!(said.code, 1, "{}", said.stderr);
        assert!(said.stderr.contains("older copy"), "{}", said.stderr);
    }
    assert_eq!(place.run(&["ledger", "verify", "--against", "out"]).code, 0, "the first is there");

    std::fs::write(place.path("ledger.sqlite"), new).expect("back");
    let tool = rusqlite::Connection::open(place.path("ledger.sqlite")).expect("a database");
    tool.execute_batch(
        "DROP TRIGGER entry_is_never_changed; UPDATE entry SET epsilon = '1/2' WHERE seq = 2;
         CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'an entry is never changed'); END",
    )
    .expect("edited");
    drop(tool);
    let said = place.run(&["ledger", "verify"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("entry 2 was changed"), "{}", said.stderr);
}

#[test]
fn the_report_is_one_page_that_fetches_nothing() {
    let place = place();
    place.write("request.toml", request("d.csv", "", TOWNS, SMALL));
    place.released();
    assert_eq!(place.run(&["ledger", "report"]).code, 0);
    let page = std::fs::read_to_string(place.path("ledger.html")).expect("a page");
    for words in
        ["What has been promised", "in groups of up to 10", "simple-outlier-dp, group of 10", "ledger verify --head"]
    {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("href="));
    assert_eq!(place.run(&["ledger", "report"]).code, 2, "an existing page stays");
}

#[test]
fn terms_with_a_key_are_loosened_with_it_only() {
    let place = place();
    assert_eq!(place.run(&["ledger", "key", "raise.key"]).code, 0);
    assert_eq!(place.run(&["ledger", "key", "raise.key"]).code, 2, "a key is never written over");
    assert_eq!(place.run(&["ledger", "key", "other.key"]).code, 0);
    let open = ["ledger", "open", "people", "--epsilon", "1", "--raise-key", "raise.key"];
    assert_eq!(place.run(&open).code, 0);
    let raise = ["ledger", "policy", "people", "--epsilon", "2"];
    let said = place.run(&raise);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("need a signature by its key, ed25519 "), "{}", said.stderr);
    assert_eq!(place.run(&[&raise[..], &["--key", "other.key"]].concat()).code, 2);
    assert_eq!(place.run(&[&raise[..], &["--key", "missing.key"]].concat()).code, 2);
    assert_eq!(place.run(&["ledger", "policy", "people", "--epsilon", "1/2"]).code, 0, "stricter");
    assert_eq!(place.run(&[&raise[..], &["--key", "raise.key"]].concat()).code, 0);
    let secret = std::fs::read_to_string(place.path("raise.key")).expect("a key");
    let secret = &secret.trim()[secret.trim().len() - 64..];
    let book = std::fs::read(place.path("ledger.sqlite")).expect("a book");
    assert!(!book.windows(64).any(|window| window == secret.as_bytes()), "the key is not in the book");
    for shown in
        [place.run(&["ledger", "key", "show", "raise.key"]), place.run(&["ledger", "key", "show", "raise.pub"])]
    {
        assert!(shown.code == 0 && !shown.stdout.contains(secret), "{}", shown.stdout);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(place.path("raise.key")).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "nobody else reads a private key");
    }
}

#[test]
fn an_officer_sees_who_released_what_and_what_was_refused() {
    let place = place();
    assert_eq!(place.run(&["ledger", "open", "people", "--epsilon", "2", "--note", "agreed in May"]).code, 0);
    assert_eq!(place.run(&["release", "request.toml", "--by", "Grace", "--note", "yearly report"]).code, 0);
    assert_eq!(place.run(&["ledger", "policy", "people", "--epsilon", "1/2"]).code, 0);
    let refused = place.run(&["release", "request.toml", "--folder", "second", "--again"]);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    let history = place.run(&["ledger", "history"]).stdout;
    for words in ["Grace", "Ada", "People by town", "to ", "/out", "yearly report", "agreed in May", "over-epsilon"] {
        assert!(history.contains(words), "{words}: {history}");
    }
    // A folder's name is never folded; the rest fits.
    let wide = history.lines().filter(|line| line.chars().count() > 100 && !line.contains("to /"));
    assert_eq!(wide.collect::<Vec<_>>(), Vec::<&str>::new());
    let object = json(&place.run(&["ledger", "history", "--format", "json"]).stdout);
    let said = &object["entries"][1]["provenance"];
    assert_eq!((&said["by"], &said["note"]), (&"Grace".into(), &"yearly report".into()));
    assert!(said["user"].is_string() && said["host"].is_string(), "{said}");
    let attempt = object["entries"].as_array().expect("a list").last().expect("an entry");
    assert_eq!((&attempt["event"]["kind"], &attempt["event"]["reason"]), (&"refused".into(), &"over-epsilon".into()));
    let shown = place.run(&["ledger", "show"]).stdout;
    assert!(shown.contains("overdrawn") && shown.contains("epsilon 1 of 1/2 is spent"), "{shown}");
    assert!(shown.contains("1 attempt, which cost nothing"), "{shown}");
    let account = json(&place.run(&["ledger", "show", "--format", "json"]).stdout)["accounts"][0].clone();
    assert_eq!((&account["overdrawn"], &account["refused"]), (&true.into(), &1.into()));
    let table = place.run(&["ledger", "export", "--as", "csv"]).stdout;
    assert!(table.contains("'1/2,0.5") && !table.contains(",1/2,"), "{table}");
}

#[test]
fn a_name_that_looks_like_an_account_is_refused_before_anything_is_charged() {
    let place = place();
    assert_eq!(place.run(&["ledger", "open", "people", "--epsilon", "1"]).code, 0);
    for name in ["People", "people ", "peop1e", "\u{440}eople", "peo\u{200b}ple"] {
        let text = std::fs::read_to_string(place.path("request.toml")).expect("a request");
        place.write("other.toml", text.replace("\"people\"", &format!("{name:?}").replace("\\u{200b}", "\u{200b}")));
        let said = place.run(&["release", "other.toml", "--folder", "other"]);
        assert_eq!(said.code, 1, "{name:?}: {}{}", said.stdout, said.stderr);
        // Also where an account beside others is meant.
        let said = place.run(&["release", "other.toml", "--folder", "other", "--open"]);
        assert_eq!(said.code, 1, "{name:?}: {}{}", said.stdout, said.stderr);
        let opened = place.run(&["ledger", "open", name]);
        assert_eq!(opened.code, 1, "{name:?}: {}", opened.stderr);
        assert!(said.stderr.contains("did you mean people?"), "{name:?}: {}", said.stderr);
        assert!(!place.path("other").exists());
    }
    assert_eq!(place.events(), ["open"]);
}

#[test]
fn a_change_of_terms_is_signed_on_a_machine_without_the_book() {
    let place = place();
    assert_eq!(place.run(&["ledger", "key", "new", "officer"]).code, 0);
    assert_eq!(place.run(&["ledger", "key", "new", "next"]).code, 0);
    assert_eq!(place.run(&["ledger", "open", "people", "--epsilon", "1", "--key", "officer.pub"]).code, 0);
    let change = ["ledger", "policy", "people", "--epsilon", "2", "--min-group", "20", "--note", "agreed on 4 May"];
    let request = [&change[..], &["--print-request", "raise.json"]].concat();
    let said = place.run(&request);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("Nothing is changed yet"), "{}", said.stdout);
    assert_eq!(place.run(&request).code, 2, "an existing request stays");
    assert_eq!(place.run(&["ledger", "policy", "people", "--signature", "raise.json"]).code, 2, "not signed yet");
    // What is shown is what is signed: words that came along say nothing.
    let text = std::fs::read_to_string(place.path("raise.json")).expect("a request");
    let mut object = json(&text);
    object["in_words"] = "nothing of importance".into();
    let elsewhere = Place::new();
    elsewhere.write("raise.json", object.to_string());
    elsewhere.write("officer.key", std::fs::read(place.path("officer.key")).expect("a key"));
    let looked = elsewhere.run(&["ledger", "sign", "raise.json"]);
    assert!(looked.stdout.contains("Nothing is signed yet") && looked.stdout.contains("budget epsilon 2"));
    assert!(looked.stdout.contains("agreed on 4 May") && looked.stdout.contains("the signature does not cover"));
    assert!(!looked.stdout.contains("importance") && !elsewhere.path("raise.signed.json").exists());
    let said = elsewhere.run(&["ledger", "sign", "raise.json", "--key", "officer.key"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(
        said.stdout.contains("looser than now") && said.stdout.contains("groups of at least 20"),
        "{}",
        said.stdout
    );
    assert!(!elsewhere.path("ledger.sqlite").exists(), "no book is made where there is none");
    let signed = std::fs::read_to_string(elsewhere.path("raise.signed.json")).expect("a signature");
    // Whoever carries it cannot change it.
    let mut forged = json(&signed);
    forged["to"]["epsilon"] = "50".into();
    place.write("forged.json", forged.to_string());
    assert_eq!(place.run(&["ledger", "policy", "people", "--signature", "forged.json"]).code, 2);
    place.write("raise.signed.json", &signed);
    let both = ["ledger", "policy", "people", "--signature", "raise.signed.json", "--epsilon", "9"];
    assert_eq!(place.run(&both).code, 2, "the terms are those that were signed");
    assert_eq!(place.run(&["ledger", "policy", "people", "--signature", "raise.signed.json"]).code, 0);
    let entries = json(&place.run(&["ledger", "history", "--format", "json"]).stdout)["entries"].clone();
    let last = entries.as_array().expect("a list").last().expect("an entry").clone();
    assert_eq!(last["provenance"]["note"], "agreed on 4 May", "what it was for is not lost on the way");
    let terms = json(&place.run(&["ledger", "show", "--format", "json"]).stdout)["accounts"][0]["terms"].clone();
    assert_eq!((&terms["epsilon"], &terms["min_group"]), (&Value::from("2"), &Value::from(20)));
    let again = place.run(&["ledger", "policy", "people", "--signature", "raise.signed.json"]);
    assert!(again.code == 2 && again.stderr.contains("other terms than when this was signed"), "{}", again.stderr);
    // Keys are handed on by the one that holds.
    assert_eq!(place.run(&["ledger", "key", "change", "people", "--to", "next.pub"]).code, 2);
    assert_eq!(place.run(&["ledger", "key", "change", "people", "--to", "next.pub", "--key", "next.key"]).code, 2);
    assert_eq!(place.run(&["ledger", "key", "change", "people", "--to", "next.pub", "--key", "officer.key"]).code, 0);
    assert_eq!(place.run(&["ledger", "policy", "people", "--epsilon", "3", "--key", "officer.key"]).code, 2);
    assert_eq!(place.run(&["ledger", "policy", "people", "--epsilon", "3", "--key", "next.key"]).code, 0);
    let verified = json(&place.run(&["ledger", "verify", "--format", "json"]).stdout);
    assert_eq!(verified["loosened_without_signature"], serde_json::json!([]));
    assert_eq!(verified["without_key"], serde_json::json!([]));
}

#[test]
fn a_policy_changes_what_it_names_and_nothing_else() {
    let place = place();
    let open = [
        "ledger",
        "open",
        "people",
        "--epsilon",
        "3",
        "--delta",
        "1e-6",
        "--min-group",
        "20",
        "--splits",
        " region, town",
    ];
    assert_eq!(place.run(&open).code, 0);
    let terms = || json(&place.run(&["ledger", "show", "--format", "json"]).stdout)["accounts"][0]["terms"].clone();
    assert_eq!(place.run(&["ledger", "policy", "people"]).code, 2, "nothing to change");
    assert_eq!(place.run(&["ledger", "policy", "people", "--epsilon", "5"]).code, 0);
    let after = terms();
    assert_eq!(after["epsilon"], "5");
    assert_eq!((&after["delta"], &after["min_group"]), (&Value::from("1/1000000"), &Value::from(20)));
    assert_eq!(after["splits"], serde_json::json!(["region", "town"]));
    assert_eq!(place.run(&["ledger", "policy", "people", "--clear", "min-group,delta"]).code, 0);
    let after = terms();
    assert_eq!(
        (&after["delta"], &after["min_group"], &after["epsilon"]),
        (&Value::Null, &Value::Null, &Value::from("5"))
    );
    assert_eq!(place.run(&["ledger", "open", "x", "--splits", "a,,b"]).code, 2);
    let said = place.run(&["ledger", "history"]);
    assert!(said.stdout.contains("budget epsilon 5, delta 1 in a million; any promise"), "{}", said.stdout);
}

#[test]
fn tables_that_have_nothing_to_do_with_each_other_still_protect_small_groups() {
    let place = place();
    place.write("request.toml", request("d.csv", "", TOWNS, SMALL));
    place.released();
    let regions = TOWNS.replace("town", "region").replace("Bern", "north").replace("Chur", "south");
    place.write("other.toml", request("d.csv", "where = \"town = 'Bern'\"", &regions, SMALL));
    let said = place.run(&["release", "other.toml", "--folder", "other"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let said = place.run(&["ledger", "show"]);
    assert!(said.stdout.contains("in groups of up to 10 in every table: 55 % (epsilon 1/5)"), "{}", said.stdout);
    assert!(said.stdout.contains("in groups of any size: 88.1 % (epsilon 2)"), "{}", said.stdout);
    // The page shows the counts as a picture, what uniform noise would have cost, and the certificate itself.
    let page = std::fs::read_to_string(place.path("other").join("report.html")).expect("a page");
    for words in [
        "class=\"bars\"",
        "error with epsilon 1/10 for all",
        "class=\"picker\"",
        "a group of up to 10",
        "How to check it, and how to cite it",
        "<details>",
    ] {
        assert!(page.contains(words), "{words}");
    }
    // Who reads the page of a part must see that it is one.
    let page = std::fs::read_to_string(place.path("other").join("report.html")).expect("a page");
    assert!(
        page.contains("only rows where town = &#39;Bern&#39;") || page.contains("only rows where town = 'Bern'"),
        "{page:.3000}"
    );
    assert!(place.run(&["plan", "other.toml"]).stdout.contains("only rows where town"));
}

#[test]
fn what_may_be_an_address_never_becomes_a_file() {
    let place = place();
    for address in [
        "POSTGRES://u:hunter2@localhost/x",
        "mysql://u:hunter2@localhost/x",
        "host=localhost password=hunter2",
        "postgres://u:hun@ter2@localhost/x",
        "postgres://u:hunter2@127.0.0.1:1/x",
        "postgres:/u:hunter2@localhost/x",
        "postgres;//u:hunter2@localhost/x",
        "postgresql:u:hunter2@localhost/x",
        "http://u:hunter2@localhost/x",
        "u:hunter2@localhost/x",
    ] {
        let said = |arguments: &[&str], variable: Option<&str>| {
            let mut command = place.command(arguments);
            variable.map(|address| command.env("INCROWD_LEDGER", address));
            let output = command.output().expect("the binary runs");
            let all = [output.stdout, output.stderr].concat();
            let all = String::from_utf8(all).expect("UTF-8");
            assert_eq!(output.status.code(), Some(2), "{address}: {all}");
            assert!(!all.contains("hunter2") && !all.contains("ter2"), "{all}");
        };
        said(&["release", "request.toml", "--ledger", address], None);
        said(&["release", "request.toml"], Some(address));
        said(&["ledger", "open", "people", "--epsilon", "1"], Some(address));
        let text = request("d.csv", "", TOWNS, PLAIN).replace("[ledger]", &format!("[ledger]\npath = \"{address}\""));
        place.write("its-own.toml", text);
        said(&["release", "its-own.toml"], Some(""));
        place.write("its-own.toml", "");
    }
    let names: Vec<String> = place.files().iter().map(|(path, _)| path.display().to_string()).collect();
    assert!(!names.iter().any(|name| name.contains("ter2")), "{names:?}");
}

#[test]
fn rows_and_persons_are_not_charged_to_one_account() {
    let place = place();
    place.released();
    place.write("person.toml", request("d.csv", "person = \"region\"", TOWNS, PLAIN));
    let said = place.run(&["release", "person.toml", "--folder", "second"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("one person is each row, here she is each value of column region"), "{}", said.stderr);
}

#[test]
fn a_budget_refills_for_other_people_only() {
    let place = place();
    let said = place.run(&["ledger", "open", "people", "--epsilon", "1", "--refresh", "month"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("adds up"), "{}", said.stderr);
    let open = ["ledger", "open", "people", "--epsilon", "1", "--people", "disjoint-per-period", "--refresh", "month"];
    assert_eq!(place.run(&open).code, 0);
    let said = place.release();
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("2026-11"), "{}", said.stderr);
    for (month, folder) in [("2026-01", "january"), ("2026-02", "february")] {
        let text =
            request("d.csv", "", TOWNS, PLAIN).replace("snapshot = \"2026\"", &format!("snapshot = \"{month}\""));
        place.write("request.toml", &text);
        assert_eq!(place.run(&["release", "request.toml", "--folder", folder]).code, 0);
        assert_eq!(
            place.run(&["release", "request.toml", "--replace", "--again", "--folder", folder]).code,
            1,
            "spent"
        );
    }
    let said = place.run(&["ledger", "show"]);
    assert!(
        said.stdout.contains("2026-01 (1 charge)") && said.stdout.contains("2026-02 (1 charge)"),
        "{}",
        said.stdout
    );
}

#[test]
fn parts_of_a_split_are_counted_apart_and_cost_the_largest() {
    let place = place();
    assert_eq!(place.run(&["ledger", "open", "people", "--epsilon", "1", "--splits", "region"]).code, 0);
    let split = |part: &str| {
        request("d.csv", "", TOWNS, PLAIN)
            .replace("[[bins]]", &format!("[data.split]\ncolumn = \"region\"\npart = {part}\n[[bins]]"))
    };
    for (part, folder) in [("\"north\"", "north"), ("\"south\"", "south")] {
        place.write("request.toml", split(part));
        let said = place.run(&["release", "request.toml", "--folder", folder]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert_eq!(place.run(&["verify", folder]).code, 0);
        let certificate = std::fs::read_to_string(place.path(folder).join("certificate.json")).expect("a certificate");
        assert!(certificate.contains("nobody is in two parts"), "the assumption is stated");
    }
    assert_eq!(place.run(&["release", "request.toml", "--folder", "again"]).code, 1, "the south has spent its budget");
    // Only its own people are in a part: exact counts show it, by texts and by integers.
    place.write(
        "e.csv",
        "town,region,zone\nBern,north,1\nBern,north,1\nChur,south,2\nChur,south,2\nChur,south,2\nBern,south,1\n",
    );
    for (column, part, expected) in [
        ("region", "\"north\"", ["Bern,2", "Chur,"]),
        ("region", "\"south\"", ["Bern,", "Chur,3"]),
        ("zone", "1", ["Bern,3", "Chur,"]),
        ("zone", "2", ["Bern,", "Chur,3"]),
    ] {
        let text = request("e.csv", "[data.types]\nzone = \"integer\"", TOWNS, crate::place::EXACT)
            .replace("[[bins]]", &format!("[data.split]\ncolumn = \"{column}\"\npart = {part}\n[[bins]]"))
            .replace("\"people\"", &format!("\"{column} {}\"", part.replace('"', "")));
        place.write("part.toml", text);
        let said = place.run(&["release", "part.toml", "--replace", "--open"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        for (row, start) in place.counts().iter().zip(expected) {
            assert!(row.starts_with(&format!("{start},")), "{column} {part}: {row}");
        }
    }
    // A part must be named by the type of its column.
    place.write("request.toml", split("3"));
    let said = place.run(&["release", "request.toml", "--folder", "wrong"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("[data.split]"), "{}", said.stderr);
}

#[test]
fn requests_that_the_ledger_would_not_add_up_have_no_sum() {
    let place = place();
    place.write("rows.toml", request("d.csv", "", TOWNS, PLAIN));
    place.write("persons.toml", request("d.csv", "person = \"region\"", TOWNS, PLAIN));
    place.write("exact.toml", request("d.csv", "", TOWNS, EXACT));
    place.write("unnamed.toml", request("d.csv", "", TOWNS, EXACT).replace("snapshot = \"2026\"\n", ""));
    place.write("other.toml", request("d.csv", "", &TOWNS.replace("\"Chur\"", "\"Uri\""), EXACT));
    let together = |requests: &[&str]| {
        let text = place.run(&[&["plan", "--no-chart"], requests].concat()).stdout;
        let json = place.run(&[&["plan", "--format", "json"], requests].concat()).stdout;
        let json: Value = serde_json::from_str(&json).expect("JSON");
        let words = text.split_once("All together").expect("a sum").1.split_whitespace().collect::<Vec<_>>().join(" ");
        (words, json["batch"][0].clone())
    };
    let (words, sum) = together(&["rows.toml", "rows.toml"]);
    assert!(words.contains("epsilon 2, delta 0"), "{words}");
    assert_eq!((&sum["together"], &sum["epsilon"]), (&"differential-privacy".into(), &"2".into()));
    let (words, sum) = together(&["rows.toml", "exact.toml"]);
    assert!(words.contains("everybody blends into a crowd of 2, or is protected with epsilon 2"), "{words}");
    assert_eq!(sum["together"], "crowd-blending");
    for (requests, why) in [
        (["rows.toml", "persons.toml"], "one person is each row"),
        (["exact.toml", "other.toml"], "would promise nothing"),
        (["unnamed.toml", "unnamed.toml"], "nobody said which state"),
    ] {
        let (words, sum) = together(&requests);
        assert!(words.contains("without a sum: number 2 would be refused"), "{words}");
        assert!(words.contains(why), "{words}");
        assert_eq!((&sum["together"], &sum["epsilon"], &sum["delta"]), (&Value::Null, &Value::Null, &Value::Null));
    }
}

#[test]
fn exact_counts_of_data_that_grew_without_a_name_are_refused() {
    let place = place();
    place.write("request.toml", request("d.csv", "", TOWNS, EXACT).replace("snapshot = \"2026\"\n", ""));
    place.released();
    let grown = std::fs::read_to_string(place.path("d.csv")).expect("rows") + "Bern,north\n";
    place.write("d.csv", grown);
    let said = place.run(&["release", "request.toml", "--folder", "again", "--again"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(
        said.stderr.contains("nobody said which state of the data") && said.stderr.contains("snapshot ="),
        "{}",
        said.stderr
    );
    assert!(!place.path("again").exists());
}
