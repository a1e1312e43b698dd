//! Releases that were paid for and interrupted after everything was written: they get their name, for nothing.

use crate::place::{FOUND_TOWNS, PLAIN, Place, TOWNS, WITH_DELTA, request};
use serde_json::Value;
use std::time::Duration;

fn place() -> Place {
    let place = Place::new();
    place.write("d.csv", format!("town,region\n{}Chur,south\n", "Bern,north\n".repeat(70)));
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place
}

/// The hidden names beside `out`.
fn aside(place: &Place) -> Vec<String> {
    let entries = std::fs::read_dir(place.path(".")).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(".out")).collect();
    names.sort();
    names
}

/// Takes the name from a delivered folder, as if its process had been killed right before it got one.
pub fn killed_before_the_name(place: &Place, folder: &str) {
    use sha2::{Digest, Sha256};
    let hash = |name: &str| {
        let bytes = std::fs::read(place.path(folder).join(name)).expect("a file");
        Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let seal = format!("incrowd seal 1\n{}\n{}\nrefuse\n755\n", hash("certificate.json"), hash("report.html"));
    place.write(&format!(".{folder}.incrowd-aaaaaa.lock"), seal);
    std::fs::rename(place.path(folder), place.path(&format!(".{folder}.incrowd-aaaaaa"))).expect("renamed");
}

#[test]
fn the_next_release_delivers_what_was_interrupted_and_charges_nothing() {
    for replace in [&[][..], &["--replace", "--again"]] {
        let place = place();
        place.released();
        let before = std::fs::read(place.path("out/certificate.json")).expect("a file");
        killed_before_the_name(&place, "out");
        let said = place.run(&[&["release", "request.toml"], replace].concat());
        assert_eq!(said.code, 1, "{}", said.stdout);
        assert!(said.stderr.contains("was paid for and interrupted; it is there now"), "{}", said.stderr);
        assert!(!said.stderr.contains("nothing was charged"), "{}", said.stderr);
        assert_eq!(std::fs::read(place.path("out/certificate.json")).expect("a file"), before);
        assert_eq!(place.events(), ["open", "charge", "delivered"]);
        assert!(aside(&place).is_empty(), "{:?}", aside(&place));
        assert_eq!(place.run(&["release", "request.toml", "--replace", "--again"]).code, 0, "and then the next one");
    }
}

#[test]
fn a_series_that_was_killed_before_its_name_is_delivered_after_all() {
    let place = Place::new();
    place.write("d.csv", "year,name,births\n2001,Ann,900\n2001,Bo,500\n2002,Ann,800\n");
    place.write(
        "request.toml",
        "release = \"series\"\n[data]\nsource = \"d.csv\"\npeople = \"births\"\n[data.types]\nyear = \"integer\"\n\
         births = \"integer\"\n[[bins]]\nname = \"name\"\ncolumn = \"name\"\n[series]\nperiod = \"year\"\nfrom = 2001\n\
         up-to = 2002\npeople = \"once\"\n[promise]\nkind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1\n\
         delta = 1e-6\n[ledger]\ndataset = \"births\"\n[output]\nfolder = \"out\"\n",
    );
    place.released();
    killed_before_the_name(&place, "out");
    let said = place.release();
    assert!(said.stderr.contains("it is there now"), "{}", said.stderr);
    assert_eq!(place.run(&["verify", "out"]).code, 0);
    let said = place.run(&["release", "request.toml", "--folder", "more"]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("released before"), "every period was delivered: {}", said.stderr);
}

#[test]
fn recover_gives_names_to_what_the_book_knows_and_to_nothing_else() {
    let place = place();
    let said = place.run(&["recover"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "There is nothing to recover at ..\n"));
    place.released();
    killed_before_the_name(&place, "out");
    let said = place.run(&["recover", "out", "--ledger", "other.sqlite"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stderr.contains("no entry of this book"), "{}", said.stderr);
    assert_eq!(aside(&place), [".out.incrowd-aaaaaa", ".out.incrowd-aaaaaa.lock"], "it is kept");
    // Its name is in use: it may have another.
    place.write("out/mine.txt", "mine");
    let said = place.run(&["recover", "."]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("--to FOLDER"), "{}", said.stderr);
    let said = place.run(&["recover", "out", "--to", "elsewhere", "--format", "json"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let object: Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!(object["found"][0]["folder"], "./elsewhere");
    assert_eq!(object["found"][0]["reason"], Value::Null);
    assert_eq!(place.run(&["ledger", "verify", "--against", "elsewhere"]).code, 0);
    assert!(aside(&place).is_empty(), "{:?}", aside(&place));
}

#[test]
fn what_was_charged_and_not_recorded_is_recorded_and_then_delivered() {
    let place = place();
    place.released();
    killed_before_the_name(&place, "out");
    let tool = rusqlite::Connection::open(place.path("ledger.sqlite")).expect("a database");
    let guard: String = tool
        .query_row("SELECT sql FROM sqlite_schema WHERE name = 'entry_is_never_removed'", [], |row| row.get(0))
        .expect("a trigger");
    tool.execute_batch("DROP TRIGGER entry_is_never_removed; DELETE FROM entry WHERE seq = 3").expect("cut");
    tool.execute_batch("UPDATE sqlite_sequence SET seq = 2").expect("cut");
    tool.execute_batch(&guard).expect("guarded");
    drop(tool);
    assert_eq!(place.events(), ["open", "charge"]);
    assert_eq!(place.run(&["recover", "out"]).code, 0);
    assert_eq!(place.events(), ["open", "charge", "delivered"]);
    assert_eq!(place.run(&["ledger", "verify", "--against", "out"]).code, 0);
}

#[test]
fn what_differs_from_its_seal_is_never_delivered() {
    for (name, content) in [("counts.csv", "forged"), ("report.html", "forged"), ("notes.txt", "more")] {
        let place = place();
        place.released();
        killed_before_the_name(&place, "out");
        place.write(&format!(".out.incrowd-aaaaaa/{name}"), content);
        assert_eq!(place.run(&["recover"]).code, 0);
        assert!(!place.path("out").exists(), "{name}");
        let said = place.run(&["release", "request.toml", "--again"]);
        assert_eq!(said.code, 0, "nothing is in the way of the next release: {}", said.stderr);
    }
}

#[test]
fn a_reader_who_holds_the_book_for_a_while_costs_nothing_but_time() {
    let place = place();
    assert_eq!(place.run(&["ledger", "open", "people", "--epsilon", "3"]).code, 0);
    let rows = "Bern,north\n".repeat(2_000_000);
    place.write("d.csv", format!("town,region\n{rows}"));
    let child = place.command(&["release", "request.toml"]).spawn().expect("started");
    while !place.events().contains(&"charge".to_string()) {
        std::thread::sleep(Duration::from_millis(2));
    }
    // Somebody reads, and does not stop for longer than SQLite waits.
    let reader = rusqlite::Connection::open(place.path("ledger.sqlite")).expect("a database");
    reader.execute_batch("BEGIN; SELECT count(*) FROM entry").expect("reading");
    std::thread::sleep(Duration::from_secs(33));
    reader.execute_batch("COMMIT").expect("read");
    let output = child.wait_with_output().expect("ended");
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words}");
    assert!(!words.contains("nothing was charged"), "{words}");
    assert_eq!(place.run(&["ledger", "verify", "--against", "out"]).code, 0);
}

#[test]
fn of_two_releases_into_one_folder_one_is_refused_before_it_is_charged() {
    let place = place();
    assert_eq!(place.run(&["ledger", "open", "people", "--epsilon", "9"]).code, 0);
    place.write("d.csv", format!("town,region\n{}", "Bern,north\n".repeat(300_000)));
    for _ in 0..3 {
        let children: Vec<_> =
            (0..2).map(|_| place.command(&["release", "request.toml", "--again"]).spawn().expect("started")).collect();
        let ended: Vec<_> = children.into_iter().map(|child| child.wait_with_output().expect("ended")).collect();
        let mut codes: Vec<_> = ended.iter().map(|output| output.status.code()).collect();
        codes.sort_unstable();
        assert_eq!(codes, [Some(0), Some(1)]);
        let events = place.events();
        let count = |kind: &str| events.iter().filter(|event| *event == kind).count();
        assert_eq!(count("charge"), count("delivered"), "{events:?}");
        std::fs::remove_dir_all(place.path("out")).expect("removed");
    }
}

#[test]
fn a_folder_that_is_not_all_incrowds_is_not_replaced() {
    let place = place();
    place.write("proj/certificate.json", "{}");
    place.write("proj/src/main.rs", "fn main() {}");
    place.write("proj/.git/HEAD", "ref");
    let said = place.run(&["release", "request.toml", "--folder", "proj", "--replace", "--again"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stderr.contains("its own certificate does not list"), "{}", said.stderr);
    assert!(place.path("proj/src/main.rs").exists() && place.path("proj/.git/HEAD").exists());
    assert!(place.events().is_empty(), "nothing was charged");
}

#[test]
fn weights_beyond_every_count_have_the_one_text_and_a_failed_entry() {
    let place = Place::new();
    place.write("d.csv", format!("town,n\n{}Chur,4\n", "Bern,4611686018427387904\n".repeat(3)));
    let weights = "people = \"n\"\n[data.types]\nn = \"integer\"";
    place.write("request.toml", request("d.csv", weights, FOUND_TOWNS, WITH_DELTA));
    let said = place.release();
    assert_eq!(said.code, 3, "{}", said.stdout);
    assert_eq!(place.events(), ["open", "charge", "failed"]);
    let history = place.run(&["ledger", "history", "--format", "json"]);
    let object: Value = serde_json::from_str(&history.stdout).expect("JSON");
    let charge = object["entries"][1]["charge_id"].as_str().expect("a name");
    let text = format!("charged but not delivered (charge {charge}): the data could not be counted to its end\n");
    assert!(said.stderr.contains(&text), "{}", said.stderr);
}
