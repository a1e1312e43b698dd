//! The same request, again: refused before it is charged, unless it is meant.

use crate::place::{PLAIN, Place, TOWNS, request};
use serde_json::Value;

fn place() -> Place {
    let place = Place::new();
    place.write("d.csv", format!("town\n{}", "Bern\n".repeat(40)));
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place
}

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn charge_id(place: &Place) -> String {
    let history = object(&place.run(&["ledger", "history", "--format", "json"]).stdout);
    history["entries"][1]["charge_id"].as_str().expect("a charge").to_string()
}

#[test]
fn what_was_delivered_is_not_paid_for_again_by_mistake() {
    let place = place();
    place.released();
    let charge = charge_id(&place);
    for options in [&[][..], &["--replace"], &["--folder", "elsewhere"]] {
        let said = place.run(&[&["release", "request.toml"], options].concat());
        assert_eq!(said.code, 1, "{options:?}: {}", said.stderr);
        for words in
            [&charge, "this request was delivered already", "--again draws anew and costs epsilon 1", "incrowd render"]
        {
            assert!(said.stderr.contains(words), "{options:?}: {}", said.stderr);
        }
        assert!(said.stderr.contains(", in out\n") && !said.stderr.contains("missing"), "{}", said.stderr);
        assert_eq!(place.events(), ["open", "charge", "delivered"], "{options:?}");
    }
    assert!(!place.path("elsewhere").exists());
    // The data may be gone: that it was delivered is told all the same.
    std::fs::remove_file(place.path("d.csv")).expect("removed");
    assert!(place.release().stderr.contains("delivered already"));
}

#[test]
fn without_a_name_of_the_state_it_is_refused_too_and_another_state_is_new() {
    let place = place();
    let unnamed = request("d.csv", "", TOWNS, PLAIN).replace("snapshot = \"2026\"\n", "");
    place.write("request.toml", &unnamed);
    place.released();
    let said = place.run(&["release", "request.toml", "--replace"]);
    assert!(said.stderr.contains("data that changed gets another `snapshot` in [ledger]"), "{}", said.stderr);
    for (folder, text) in [
        ("named", unnamed.replace("[output]", "snapshot = \"2027\"\n[output]")),
        ("dear", unnamed.replace("epsilon = 1", "epsilon = 2")),
    ] {
        place.write("request.toml", text);
        let said = place.run(&["release", "request.toml", "--folder", folder]);
        assert_eq!(said.code, 0, "{folder}: {}", said.stderr);
    }
}

#[test]
fn defaults_said_aloud_are_the_same_request() {
    let place = place();
    place.released();
    for said in ["format = \"csv\"\n", "delimiter = \",\"\n", "format = \"csv\"\ndelimiter = \",\"\nquote = '\"'\n"] {
        place.write("request.toml", request("d.csv", said, TOWNS, PLAIN));
        assert_eq!(place.run(&["release", "request.toml"]).code, 1, "{said}");
        let said = place.run(&["release", "request.toml", "--if-new"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert_eq!(place.events(), ["open", "charge", "delivered"], "{}", said.stderr);
    }
    // The same values by another sign are another reading, and so another request.
    place.write("request.toml", request("d.csv", "delimiter = \"tab\"\n", TOWNS, PLAIN));
    assert_eq!(place.run(&["release", "request.toml", "--if-new", "--folder", "tabs"]).code, 0);
    assert_eq!(place.events().len(), 5);
}

#[test]
fn again_is_paid_for_again_and_needs_a_folder_of_its_own_or_replaces_one() {
    let place = place();
    place.released();
    let said = place.run(&["release", "request.toml", "--again"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("the output folder already exists"), "{}", said.stderr);
    assert_eq!(place.run(&["release", "request.toml", "--again", "--replace"]).code, 0);
    assert_eq!(place.run(&["release", "request.toml", "--again", "--folder", "third"]).code, 0);
    assert_eq!(place.events().iter().filter(|event| *event == "charge").count(), 3);
    let said = place.run(&["ledger", "verify", "--against", "out", "third"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
}

#[test]
fn a_job_that_runs_again_ends_well_and_pays_once() {
    let place = place();
    let job = ["release", "request.toml", "--if-new"];
    let first = place.run(&job);
    assert!(first.code == 0 && first.stdout.contains("charged"), "{}{}", first.stdout, first.stderr);
    let second = place.run(&job);
    assert_eq!((second.code, second.stderr.as_str()), (0, ""), "{}", second.stdout);
    assert!(second.stdout.contains("Already delivered, nothing was charged: "), "{}", second.stdout);
    let third = object(&place.run(&[&job[..], &["--format", "json"]].concat()).stdout);
    assert_eq!((&third["already_delivered"], &third["folder"]), (&true.into(), &"out".into()), "{third}");
    assert_eq!(third["charge_id"], charge_id(&place).as_str());
    assert_eq!(third["data_looked_at"], false);
    assert!(third["in_words"].as_str().is_some_and(|words| second.stdout.contains(words)), "{third}");
    assert_eq!((&third["command"], &third["cost_again"]["epsilon"]), (&"release".into(), &"1".into()));
    assert_eq!(place.run(&["release", "request.toml", "--if-new", "--quiet"]).stdout, "");
    assert_eq!(place.events(), ["open", "charge", "delivered"]);
}

#[test]
fn a_plan_adds_up_what_the_account_has_paid_for() {
    let place = place();
    let plan = || place.run(&["plan", "other.toml"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    place.write("other.toml", request("d.csv", "where = \"town <> 'Chur'\"\n", TOWNS, PLAIN));
    assert!(plan().contains("After two such releases nobody"), "{}", plan());
    place.released();
    assert!(plan().contains("Account people has paid for 1 release about these people"), "{}", plan());
    assert_eq!(place.run(&["release", "request.toml", "--again", "--folder", "more"]).code, 0);
    let told = plan();
    assert!(told.contains("Account people has paid for 2 releases about these people"), "{told}");
    assert!(!told.contains("After two such releases"), "{told}");
    let plan = object(&place.run(&["plan", "other.toml", "--format", "json"]).stdout);
    assert_eq!(plan["account"]["charged_before"]["epsilon"], "2");
    // It is what the book says once it is charged.
    assert_eq!(place.run(&["release", "other.toml", "--folder", "other"]).code, 0);
    let shown = place.run(&["ledger", "show"]).stdout;
    let said = shown.split("in groups of any size: ").nth(1).and_then(|rest| rest.split(" %").next()).expect("odds");
    assert!(told.contains(&format!("nobody becomes surer than {said} % whether a person is in the data")), "{told}");
}

#[test]
fn rehearsals_and_plans_do_not_care() {
    let place = place();
    place.released();
    for _ in 0..2 {
        assert_eq!(place.run(&["release", "request.toml", "--rehearse", "--replace"]).code, 0);
        assert_eq!(place.run(&["plan", "request.toml"]).code, 0);
    }
    assert_eq!(place.run(&["release", "request.toml", "--plan", "none.json"]).code, 2);
    assert_eq!(place.events(), ["open", "charge", "delivered"]);
}

#[test]
fn a_charge_without_an_end_is_neither_delivered_nor_forgotten() {
    let place = place();
    place.released();
    std::fs::remove_dir_all(place.path("out")).expect("removed");
    // As if the process had been killed while it counted.
    let tool = rusqlite::Connection::open(place.path("ledger.sqlite")).expect("a database");
    let guard: String = tool
        .query_row("SELECT sql FROM sqlite_schema WHERE name = 'entry_is_never_removed'", [], |row| row.get(0))
        .expect("a trigger");
    tool.execute_batch("DROP TRIGGER entry_is_never_removed; DELETE FROM entry WHERE seq = 3").expect("cut");
    tool.execute_batch("UPDATE sqlite_sequence SET seq = 2").expect("cut");
    tool.execute_batch(&guard).expect("guarded");
    drop(tool);
    for options in [&[][..], &["--if-new"]] {
        let said = place.run(&[&["release", "request.toml"], options].concat());
        assert_eq!(said.code, 1, "{options:?}: {}", said.stdout);
        for words in ["charged already", "does not say how that ended", "incrowd recover", "costs epsilon 1"] {
            assert!(said.stderr.contains(words), "{options:?}: {}", said.stderr);
        }
    }
    assert_eq!(place.events(), ["open", "charge"]);
    assert_eq!(place.run(&["release", "request.toml", "--again"]).code, 0);
    assert_eq!(place.events(), ["open", "charge", "charge", "delivered"]);
}

#[test]
fn what_failed_may_be_tried_again() {
    let place = place();
    let sound = std::fs::read_to_string(place.path("d.csv")).expect("data");
    place.write("d.csv", format!("{sound}\"never closed\n"));
    assert_eq!(place.release().code, 3);
    place.write("d.csv", sound);
    place.released();
    assert_eq!(place.events(), ["open", "charge", "failed", "charge", "delivered"]);
}

#[test]
fn a_job_does_not_pay_for_every_failure() {
    let place = place();
    let sound = std::fs::read_to_string(place.path("d.csv")).expect("data");
    place.write("d.csv", format!("{sound}\"never closed\n"));
    let job = ["release", "request.toml", "--if-new"];
    let first = place.run(&job);
    assert_eq!(first.code, 3);
    assert!(
        first.stderr.contains("`incrowd check REQUEST` looks for the cause and charges nothing"),
        "{}",
        first.stderr
    );
    for _ in 0..2 {
        let said = place.run(&job);
        assert_eq!(said.code, 1, "{}", said.stderr);
        assert!(said.stderr.contains("and not delivered") && said.stderr.contains("--again"), "{}", said.stderr);
    }
    assert_eq!(place.events(), ["open", "charge", "failed"]);
    place.write("d.csv", sound);
    assert_eq!(place.run(&["release", "request.toml", "--again"]).code, 0);
    assert_eq!(place.run(&job).code, 0);
    assert_eq!(place.events(), ["open", "charge", "failed", "charge", "delivered"]);
}

#[test]
fn a_job_is_told_where_its_delivery_is_not() {
    let place = place();
    place.released();
    let elsewhere = place.run(&["release", "request.toml", "--if-new", "--folder", "elsewhere"]);
    assert!(elsewhere.code == 0 && elsewhere.stdout.contains(", in out\n"), "{}", elsewhere.stdout);
    assert!(elsewhere.stdout.contains("data that changed gets another `snapshot`"), "{}", elsewhere.stdout);
    std::fs::remove_dir_all(place.path("out")).expect("removed");
    let gone = place.run(&["release", "request.toml", "--if-new"]);
    assert_eq!(gone.code, 0, "{}", gone.stderr);
    assert!(
        gone.stderr.contains("not in the folder that was asked for") && !gone.stdout.contains(", in "),
        "{}",
        gone.stderr
    );
}

#[test]
fn a_series_that_goes_on_is_new_and_one_without_a_next_period_is_delivered() {
    let place = Place::new();
    place.write("d.csv", "year,name,births\n2001,Ann,900\n2002,Ann,800\n2003,Ann,700\n");
    let series = |last: u32| {
        format!(
            "release = \"series\"\n[data]\nsource = \"d.csv\"\npeople = \"births\"\n[data.types]\nyear = \"integer\"\n\
             births = \"integer\"\n[[bins]]\nname = \"name\"\ncolumn = \"name\"\n[series]\nperiod = \"year\"\nfrom = 2001\n\
             up-to = {last}\npeople = \"once\"\n[promise]\nkind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1\n\
             delta = 1e-6\n[ledger]\ndataset = \"births\"\nsnapshot = \"1\"\n"
        )
    };
    let run = |folder: &str| place.run(&["release", "request.toml", "--folder", folder, "--if-new"]);
    place.write("request.toml", series(2002));
    assert!(run("first").stdout.contains("charged"));
    let said = run("second");
    assert!(said.code == 0 && said.stdout.contains("Already delivered"), "{}{}", said.stdout, said.stderr);
    let said = place.run(&["release", "request.toml", "--folder", "second", "--if-new", "--format", "json"]);
    assert_eq!(object(&said.stdout)["already_delivered"], true);
    assert_eq!(place.run(&["release", "request.toml", "--folder", "second"]).code, 1, "without --if-new it is refused");
    place.write("request.toml", series(2003));
    let said = run("second");
    assert!(said.code == 0 && said.stdout.contains("charged"), "{}{}", said.stdout, said.stderr);
    assert_eq!(place.events().iter().filter(|event| *event == "charge").count(), 2);
}

#[test]
fn of_jobs_that_race_one_pays_whatever_their_folders() {
    let place = place();
    place.write("d.csv", format!("town\n{}", "Bern\n".repeat(400_000)));
    let start = |number: usize| {
        let folder = format!("out-{number}");
        place.command(&["release", "request.toml", "--folder", &folder, "--if-new"]).spawn().expect("started")
    };
    let children: Vec<_> = (0..6).map(start).collect();
    let ended: Vec<_> = children.into_iter().map(|child| child.wait_with_output().expect("ended")).collect();
    for output in &ended {
        let words = String::from_utf8_lossy(&output.stderr);
        assert!([Some(0), Some(1)].contains(&output.status.code()), "{words}");
        assert!(output.status.code() == Some(0) || words.contains("charged already"), "{words}");
    }
    assert_eq!(place.events().iter().filter(|event| *event == "charge").count(), 1, "{:?}", place.events());
    assert_eq!((0..6).filter(|number| place.path(&format!("out-{number}")).exists()).count(), 1);
}
