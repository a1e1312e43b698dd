//! `incrowd check`: every fault is named with its fix, and after the fix a release counts what is there.

mod faults;
mod kinds;
mod marks;

use crate::kept::kept;
use crate::place::{EXACT, FOUND_TOWNS, PLAIN, Place, Said, TOWNS, WITH_DELTA, request};
use serde_json::Value;

const INTERNAL: &str = "INTERNAL: THIS DEPENDS ON THE DATA WITHOUT PROTECTION. NEVER PUBLISH IT.";

/// A folder with data and a request about its towns.
fn towns(data: &str, more_data: &str) -> Place {
    let place = Place::new();
    place.write("d.csv", data);
    place.write("request.toml", request("d.csv", more_data, TOWNS, PLAIN));
    place
}

fn check(place: &Place) -> Said {
    let said = place.run(&["check", "request.toml"]);
    assert!(said.stderr.contains(INTERNAL), "{}", said.stderr);
    assert!(place.events().is_empty(), "nothing is charged");
    assert!(!place.path("ledger.sqlite").exists(), "no ledger is opened");
    said
}

/// What is printed in another format, however it ends.
fn shown_as(place: &Place, format: &str, arguments: &[&str]) -> String {
    let arguments = [&["check", "request.toml", "--format", format], arguments].concat();
    let output = place.command(&arguments).output().expect("the binary runs");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn object(place: &Place, arguments: &[&str]) -> Value {
    let shown = shown_as(place, "json", arguments);
    let object: Value = serde_json::from_str(&shown).unwrap_or_else(|_| panic!("{shown}"));
    assert_eq!(object["command"], "check");
    assert_eq!((&object["version"], &object["internal"]), (&Value::from(1), &Value::from(true)));
    assert_eq!(object["warning"], INTERNAL);
    object
}

#[test]
fn pages_are_kept() {
    let place = Place::new();
    let rows = "1,Bern,1200.50,2026-01-31\n1,Chur,\"94606,00\",31.01.2026\n2,Bern ,12,2026-02-30\n,Bern,13,2026-01-31\n\
                3,bern,N/A,2026-01-31\n4,Uri,7,2026-01-30\n5,Bern,8,2026-01-30\n6,Chur,9,\n";
    place.write("d.csv", format!("id,town,salary,day\n{rows}"));
    let bins = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"Bern\", \"Chur\"]\n\
                [[bins]]\nname = \"salary\"\ncolumn = \"salary\"\nedges = [0, 1000, 100000]\nnulls = \"bin\"\n\
                [[bins]]\nname = \"month\"\ncolumn = \"day\"\ntruncate = \"month\"\n";
    let data = "person = \"id\"\nbins-per-person = 1\nwhere = \"town <> 'Uri'\"\n[data.types]\nsalary = \"number\"\nday = \"date\"\n";
    place.write("request.toml", request("d.csv", data, bins, WITH_DELTA));
    let said = check(&place);
    assert_eq!(said.code, 1, "{}", said.stderr);
    let shown = |said: &Said| format!("{}{}exit {}\n", said.stdout, said.stderr, said.code);
    kept("check.txt", &shown(&said));
    kept("check.json", &shown_as(&place, "json", &[]));
    let html = shown_as(&place, "html", &[]);
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains(INTERNAL), "{html}");
    assert!(html.contains("does not cover") && html.contains("94606,00"), "{html}");
}

#[test]
fn a_good_file_goes_well_and_nothing_is_written() {
    let place = towns("town\nBern\nBern\nChur\n", "");
    let before = place.files().len();
    let said = check(&place);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("a release would go well"), "{}", said.stdout);
    assert!(said.stdout.contains("a choice that the promise does not cover"), "{}", said.stdout);
    // The mark of this state is in the user's folder for data.
    let after: Vec<_> = place.files().into_iter().filter(|(path, _)| !path.starts_with(place.path("home"))).collect();
    assert_eq!(after.len(), before);
}

#[test]
fn who_is_lost_is_told_by_cause_and_counted_once() {
    let data = "id,town,age\n1,Bern,20\n1,Paris,20\n2,Paris,30\n2,,30\n3,,40\n4,Chur,x\n5,Bern,15\n,Bern,20\n,Chur,21\n6,Chur,50\n";
    let place =
        towns(data, "person = \"id\"\nbins-per-person = 1\nwhere = \"age >= 18\"\n[data.types]\nage = \"integer\"\n");
    let object = object(&place, &[]);
    // 1 and 6 are counted; 5 is too young; 4 may or may not be.
    let losses: Vec<(String, u64)> = object["losses"]
        .as_array()
        .expect("losses")
        .iter()
        .map(|loss| (loss["cause"].as_str().expect("a cause").to_string(), loss["people"].as_u64().expect("people")))
        .collect();
    let expected = [("no-identifier", 2), ("undecided", 1), ("missing", 2)];
    assert_eq!(losses, expected.map(|(cause, people)| (cause.to_string(), people)));
    assert_eq!((&object["rows"], &object["filtered"]), (&Value::from(10), &Value::from(1)));
    assert_eq!((&object["people"], &object["lost"]), (&Value::from(7), &Value::from(5)));
    assert_eq!(object["limits"]["counted"], 2);
    assert_eq!(object["verdict"], "loses");
}

#[test]
fn a_value_that_is_counted_as_missing_is_lost_too() {
    let place = Place::new();
    place.write("d.csv", "salary\n10\n\"10,5\"\n\n20\n\"\"\n");
    let bins = "[[bins]]\nname = \"salary\"\ncolumn = \"salary\"\nedges = [0, 15, 30]\nnulls = \"bin\"\n";
    place.write("request.toml", request("d.csv", "[data.types]\nsalary = \"number\"\n", bins, PLAIN));
    let object = object(&place, &[]);
    assert_eq!(object["losses"][0]["cause"], "counted-as-missing");
    assert_eq!((&object["people"], &object["lost"]), (&Value::from(4), &Value::from(1)));
}

#[test]
fn the_share_that_may_be_lost_decides_the_exit_code() {
    let place = towns(&format!("town\n{}Paris\n", "Bern\n".repeat(9)), "");
    for (share, code) in [("5%", 1), ("9.9%", 1), ("10%", 0), ("0.1", 0), ("100%", 0), ("0", 1)] {
        let said = place.run(&["check", "request.toml", "--most-lost", share]);
        assert_eq!(said.code, code, "{share}: {}", said.stderr);
    }
    assert_eq!(check(&place).code, 1, "5 % unless said otherwise");
    for share in ["ten", "-1%", "101%", "nan"] {
        assert_eq!(place.run(&["check", "request.toml", &format!("--most-lost={share}")]).code, 2, "{share}");
    }
    assert_eq!(place.run(&["check", "nowhere.toml"]).code, 2);
}

#[test]
fn the_limits_on_a_persons_bins_are_told() {
    // Three people in three towns each, of which two count.
    let mut data = String::from("id,town\n");
    for person in 0..3 {
        for town in ["Bern", "Chur", "Davos"] {
            data.push_str(&format!("{person},{town}\n"));
        }
    }
    let place = Place::new();
    place.write("d.csv", data);
    let more = "person = \"id\"\nbins-per-person = 2\n";
    place.write("request.toml", request("d.csv", more, FOUND_TOWNS, WITH_DELTA));
    let limits = object(&place, &[])["limits"].clone();
    assert_eq!((&limits["person_bins"], &limits["counted"]), (&Value::from(9), &Value::from(6)));
    assert_eq!((&limits["people"], &limits["people_cut_by_bins_per_person"]), (&Value::from(3), &Value::from(3)));
    let said = check(&place);
    assert!(said.stdout.contains("6 are counted (67 %)"), "{}", said.stdout);
    assert!(said.stdout.contains("bins-per-person = 2"), "{}", said.stdout);
}

#[test]
fn a_limit_that_leaves_out_too_much_is_refused_with_the_smallest_that_does_not() {
    // 40 people are in ten towns each, 60 in one.
    let mut data = String::from("id,town\n");
    for person in 0..1000 {
        let towns = if person < 400 { 10 } else { 1 };
        (0..towns).for_each(|town| data.push_str(&format!("{person},Town{town}\n")));
    }
    let place = Place::new();
    place.write("d.csv", data);
    let with = |limit: u64| {
        request("d.csv", &format!("person = \"id\"\nbins-per-person = {limit}\n"), FOUND_TOWNS, WITH_DELTA)
    };
    place.write("request.toml", with(2));
    let said = check(&place);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(
        said.stderr.contains("bins-per-person would leave out 70 % of the bins that people are in, and 20 %"),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("--most-cut"), "{}", said.stderr);
    // Of 4,600 the ten towns of 400 people are 4,000: 8 of each and the 600 others are 3,800, 82.6 %; 7 would be 74 %.
    let words = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("bins-per-person = 8 would count 83 % of them"), "{words}");
    assert!(words.contains("a limit chosen by looking is a choice that the promise does not cover"), "{words}");
    let object = object(&place, &[]);
    let wider = &object["limits"]["wider"];
    assert_eq!((&wider["bins_per_person"], &wider["counted"]), (&Value::from(8), &Value::from(3800)));
    assert_eq!((&object["verdict"], &object["most_cut"]), (&Value::from("cuts"), &Value::from(0.2)));
    assert_eq!(place.run(&["check", "request.toml", "--most-cut", "70%"]).code, 0);
    assert_eq!(place.run(&["check", "request.toml", "--most-lost", "100%"]).code, 1, "nobody is lost");
    place.write("request.toml", with(8));
    assert_eq!(check(&place).code, 0);
    place.write("request.toml", with(7));
    assert_eq!(check(&place).code, 1);
}

#[test]
fn a_line_for_each_of_2_to_the_63_people_is_told_before_and_never_written() {
    let columns = "[[columns]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"Bern\"]\n";
    let data = "people = \"n\"\n[data.types]\nn = \"integer\"\n";
    let text = format!("release = \"rows\"\n{}", request("d.csv", data, columns, EXACT));
    let place = Place::new();
    place.write("d.csv", format!("town,n\nBern,3\nBern,{}\n", i64::MAX));
    place.write("request.toml", &text);
    let said = check(&place);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stderr.contains("would be charged and not delivered: it would write more than"), "{}", said.stderr);
    let released = place.release();
    // What a damaged file says, word for word.
    let damaged = Place::new();
    damaged.write("d.csv", "town,n\nBern,3\nBern\n");
    damaged.write("request.toml", &text);
    let other = damaged.release();
    assert_eq!((released.code, other.code), (3, 3), "{}", released.stderr);
    let errors = |said: &Said| said.stderr.lines().filter(|line| line.contains("error")).count();
    assert_eq!((errors(&released), errors(&other)), (1, 1));
    // But for the name of the charge, which hangs on the folder.
    let spoken = |said: &Said| said.stderr.split("): ").nth(1).expect("an error").to_owned();
    assert_eq!(spoken(&released), spoken(&other));
    assert!(!place.path("out").exists());
    assert_eq!(place.events(), ["open", "charge", "failed"]);
    // So many as fit are written.
    place.write("d.csv", "town,n\nBern,3\nBern,4\n");
    assert_eq!(place.run(&["check", "request.toml"]).code, 0);
    assert_eq!(place.run(&["release", "request.toml", "--again"]).code, 0);
    let rows = std::fs::read_to_string(place.path("out/rows.csv")).expect("rows");
    assert_eq!(rows.lines().count(), 8);
}

#[test]
fn a_million_bins_are_told_in_a_few_lines() {
    let place = Place::new();
    let rows: String = (0..1_000_000).map(|number| format!("{number}\n")).collect();
    place.write("d.csv", format!("town\n{rows}"));
    place.write("request.toml", request("d.csv", "", FOUND_TOWNS, WITH_DELTA));
    let said = check(&place);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("1000000 with somebody in them"), "{}", said.stdout);
    assert!(said.stdout.lines().count() < 40, "{}", said.stdout);
}

#[test]
fn names_and_values_that_act_are_made_harmless() {
    let place = Place::new();
    let evil = "\u{1b}[2J\u{202e}<script>alert(1)</script>";
    place.write("d.csv", format!("town,\"{evil}\"\n{evil},{evil}\nBern,1\n"));
    let bins =
        format!("{TOWNS}[[bins]]\nname = '<b>'\ncolumn = {evil:?}\nedges = [0, 5]\n").replace("\\u{1b}", "\\u001b");
    let bins = bins.replace("\\u{202e}", "\\u202e");
    place.write("request.toml", request("d.csv", "", &bins, PLAIN));
    for format in ["text", "html"] {
        let said = place.run(&["check", "request.toml", "--format", format]);
        assert_eq!(said.code, 1, "{}", said.stderr);
        let shown = format!("{}{}", said.stdout, said.stderr);
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{format}: {shown:?}");
        assert!(format == "text" || !shown.contains("<script>"), "{shown}");
        assert!(shown.contains("alert(1)"), "the values are shown: {shown}");
    }
}

#[test]
fn a_page_that_is_asked_for_is_for_its_owner_alone() {
    let place = towns("town\nBern\nParis\n", "");
    let said = place.run(&["check", "request.toml", "--output", "page.txt"]);
    assert_eq!((said.code, said.stdout.as_str()), (1, ""), "{}", said.stderr);
    let page = std::fs::read_to_string(place.path("page.txt")).expect("a page");
    assert!(page.starts_with(INTERNAL) && page.contains("Paris"), "{page}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(place.path("page.txt")).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let again = place.run(&["check", "request.toml", "--output", "page.txt"]);
    assert_eq!(again.code, 2, "an existing file is not overwritten");
    assert_eq!(std::fs::read_to_string(place.path("page.txt")).expect("a page"), page);
}

#[test]
fn only_check_shows_a_value_and_a_release_after_it_does_not() {
    let canary = "Canary-of-nobody";
    let data = format!("id,town,age\n1,Bern,{canary}\n2,{canary},3\n3,Bern,4\n4,Bern,5\n{canary},Bern,6\n6,Bern,7\n");
    let more = "person = \"id\"\nbins-per-person = 1\n[data.types]\nage = \"integer\"\n";
    let bins = format!("{TOWNS}[[bins]]\nname = \"age\"\ncolumn = \"age\"\nedges = [0, 10]\n");
    let place = Place::new();
    place.write("d.csv", data);
    place.write("request.toml", request("d.csv", more, &bins, PLAIN));
    let said = check(&place);
    assert!(said.stdout.contains(canary), "the steward sees it: {}", said.stdout);
    assert!(!said.stderr.contains(canary), "{}", said.stderr);
    let released = place.run(&["release", "request.toml", "--verbose"]);
    assert_eq!(released.code, 0, "{}", released.stderr);
    std::fs::remove_file(place.path("d.csv")).expect("the data goes away");
    let talk = (place.path("talk"), [released.stdout.as_bytes(), released.stderr.as_bytes()].concat());
    for (path, bytes) in place.files().into_iter().chain([talk]) {
        let found = bytes.windows(canary.len()).any(|window| window == canary.as_bytes());
        assert!(!found, "{} holds a value", path.display());
    }
}

#[test]
fn a_request_with_the_advice_in_it_goes_well() {
    let place = Place::new();
    place.write("d.csv", "town;salary\nBern ;\"1.200,50\"\nBern;N/A\nChur;7\n");
    let bins = "# Towns of ours.\n[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"Bern\", \"Chur\"]\n\
                [[bins]]\nname = \"salary\"\ncolumn = \"salary\"\nedges = [0, 1000, 9000]\nnulls = \"bin\"\n";
    place.write("request.toml", request("d.csv", "[data.types]\nsalary = \"number\"\n", bins, PLAIN));
    // The file is cut first, then its values are read.
    let said = place.run(&["check", "request.toml", "--fix", "read.toml"]);
    assert!(said.code == 1 && said.stderr.contains("and with them a release would go well"), "{}", said.stderr);
    let read = std::fs::read_to_string(place.path("read.toml")).expect("a request");
    assert!(read.contains("delimiter = \";\"") && read.contains("# Towns of ours."), "{read}");
    assert!(read.contains("decimal = \",\"") && read.contains("missing = "), "{read}");
    let said = place.run(&["check", "read.toml"]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    let again = place.run(&["check", "request.toml", "--fix", "read.toml"]);
    assert_eq!(again.code, 2, "an existing file is not overwritten: {}", again.stderr);
}

#[test]
fn advice_that_is_not_enough_is_written_and_said_to_be_not_enough() {
    // Without names columns are named by their places, and the bins have to be told by somebody.
    let place = towns("1,Bern\n2,Bern\n3,Chur\n", "");
    let said = place.run(&["check", "request.toml", "--fix", "fixed.toml"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    let fixed = std::fs::read_to_string(place.path("fixed.toml")).expect("a request");
    assert!(fixed.contains("header = false") && fixed.contains("column = \"town\""), "{fixed}");
    assert!(said.stderr.contains("1 change, and they are not enough: a release would be refused"), "{}", said.stderr);
    assert!(said.stderr.contains("bin \"town\": there is no column \"town\""), "{}", said.stderr);
    let said = place.run(&["check", "request.toml", "--fix", "deep/fixed.toml"]);
    assert_eq!(said.code, 2, "{}", said.stderr);
}

#[test]
fn the_data_may_come_from_standard_input() {
    let place = Place::new();
    let text = request("-", "format = \"csv\"\n[data.types]\nsalary = \"number\"\n", "", PLAIN);
    let bins = "[[bins]]\nname = \"salary\"\ncolumn = \"salary\"\nedges = [0, 1000, 9000]\n";
    place.write("request.toml", text.replace("[promise]", &format!("{bins}[promise]")));
    place.write("d.csv", "salary\n\"7,5\"\n\"8,5\"\n");
    let mut command = place.command(&["check", "request.toml"]);
    command.stdin(std::fs::File::open(place.path("d.csv")).expect("a file"));
    let output = command.output().expect("the binary runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(shown.contains("line 2") && shown.contains("[data] decimal = \",\""), "{shown}");
}

#[test]
fn what_a_release_refuses_is_refused_here_before_anything_is_read() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\n");
    // Bins that are found need a delta.
    place.write("request.toml", request("d.csv", "", FOUND_TOWNS, PLAIN));
    let said = place.run(&["check", "request.toml"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("would be refused"), "{}", said.stderr);
}

#[test]
fn exact_counts_are_those_that_check_saw() {
    let place = Place::new();
    place.write("d.csv", format!("town\n{}{}", "Bern\n".repeat(7), "Chur\n".repeat(3)));
    place.write("request.toml", request("d.csv", "", TOWNS, EXACT));
    let object = object(&place, &[]);
    let sizes = object["bins_by_size"].as_array().expect("sizes");
    let sizes: Vec<(&str, u64)> = sizes
        .iter()
        .map(|size| (size["people_in_bin"].as_str().expect("a range"), size["people"].as_u64().expect("people")))
        .collect();
    assert_eq!(sizes, [("2 to 5", 3), ("6 to 10", 7)]);
    place.released();
    assert_eq!(place.counts(), ["Bern,7,7,7,published,A", "Chur,3,3,3,published,A"].map(String::from));
}
