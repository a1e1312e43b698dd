//! `compare`, `law`, `draw`, `schema`, `completions` and the help: their pages and objects.

use crate::kept::kept;
use crate::requests::{MECHANISMS, PROMISES, promising};
use crate::run::{Page, example, incrowd, rounded};

const OPEN_BIN: &str = "\n[[bins]]\nname = \"word\"\ncolumn = \"word\"\n";
const WITH_DELTA: &str = "kind = \"simple-outlier-dp\"\ngroup = 5\nepsilon = 1\ndelta = \"1e-6\"";

#[test]
fn policies_are_listed_and_each_is_shown_whole() {
    let mut page = Page::default();
    page.add("all of them", &["policies"], "", 0).done();
    page.add("one of them", &["policies", "fewer-than-6"], "", 0).done();
    page.add("one that rounds", &["policies", "rounded-to-5"], "", 0).done();
    page.add("for machines", &["policies", "--format", "json"], "", 0).done();
    let said = page.add("none of them", &["policies", "fewer-than-7"], "", 2);
    assert!(said.stderr.contains("did you mean fewer-than-"), "{}", said.stderr);
    page.check("policies.txt");
    let object = incrowd(&["policies", "k-20", "--format", "json"], "").done().json();
    let sizes: Vec<_> =
        object["by_size"].as_array().expect("sizes").iter().map(|at| (&at["size"], &at["surer_than"])).collect();
    let expected = [(1, "55"), (19, "55"), (20, "75"), (200, "75")].map(|(size, sure)| (size.into(), sure.into()));
    assert_eq!(sizes, expected.iter().map(|(size, sure)| (size, sure)).collect::<Vec<_>>());
}

#[test]
fn mechanisms_are_compared_side_by_side() {
    let mut page = Page::default();
    page.add("a closed universe, delta 0", &["compare", "-"], &example("salaries"), 0).done();
    page.add("an open universe", &["compare", "-", "--no-chart", "--counts", "1,100"], &example("keywords"), 0).done();
    page.add("infinite above a crowd", &["compare", "-", "--no-chart"], &promising(PROMISES[2].1, ""), 0).done();
    page.check("compare.txt");
}

#[test]
fn a_comparison_for_machines_names_every_mechanism() {
    let object = incrowd(&["compare", "-", "--format", "json"], example("salaries")).done().json();
    kept("compare.json", &format!("{:#}\n", rounded(&object)));
    let mechanisms = object["mechanisms"].as_array().expect("a list");
    assert_eq!(mechanisms.len(), 15);
    for mechanism in mechanisms {
        let field = if mechanism["meets_promise"] == true { "utility" } else { "reason" };
        assert!(mechanism.get(field).is_some(), "{mechanism}");
    }
}

#[test]
fn a_law_shows_every_shape_of_outcome() {
    let mut page = Page::default();
    let of = |title: &str| MECHANISMS.iter().find(|case| case.title == title).expect("a case").request();
    for (title, count, shape) in [
        ("tailored geometric", "3", "\n      0 "),
        ("relay", "18", "nothing"),
        ("suppress below", "19", "nothing"),
        ("suppress up to", "10", "nothing"),
        ("noisy suppress", "24", "nothing"),
        ("staircase with published levels", "30", "(levels "),
        ("general with published epsilon", "60", "(epsilon "),
        ("range", "30", " to "),
    ] {
        let said = page.add(title, &["law", "-", "--count", count], &of(title), 0).done();
        assert!(said.stdout.contains(shape) && said.stdout.contains("promise      met"), "{title}: {}", said.stdout);
    }
    let zero = promising(PROMISES[8].1, "");
    let said = page.add("epsilon zero", &["law", "-", "--count", "1"], &zero, 0).done();
    assert!(said.stdout.contains("at most 1"), "{}", said.stdout);
    let open = promising(WITH_DELTA, OPEN_BIN);
    page.add("bins found in the data", &["law", "-", "--count", "1"], &open, 0).done();
    let weak = promising(PROMISES[4].1, "\n[mechanism]\nname = \"geometric\"\n");
    let said = page.add("a promise that is not met", &["law", "-", "--count", "3"], &weak, 0);
    assert!(said.stdout.contains("NOT met"), "{}", said.stdout);
    page.check("law.txt");
}

#[test]
fn a_law_for_machines_keeps_its_fields() {
    let case = MECHANISMS.iter().find(|case| case.title == "suppress below").expect("a case");
    let object = incrowd(&["law", "-", "--count", "19", "--format", "json"], case.request()).done().json();
    kept("law.json", &format!("{object:#}\n"));
    for (title, count, field) in [
        ("staircase with published levels", "30", "levels"),
        ("general with published epsilon", "60", "epsilon_total"),
        ("range", "30", "value"),
    ] {
        let case = MECHANISMS.iter().find(|case| case.title == title).expect("a case");
        let object = incrowd(&["law", "-", "--count", count, "--format", "json"], case.request()).done().json();
        assert_eq!(object["meets_promise"], true);
        assert!(object["truncated_mass"].is_string());
        for outcome in object["outcomes"].as_array().expect("a list") {
            let digits = outcome["probability"].as_str().expect("text").bytes().filter(u8::is_ascii_digit).count();
            assert!(outcome.get(field).is_some() && digits > 1, "{outcome}");
            assert!(title != "range" || outcome["value"].is_array() || outcome["value"] == "suppressed", "{outcome}");
        }
    }
    let zero = incrowd(&["law", "-", "--count", "1", "--format", "json"], promising(PROMISES[8].1, "")).done().json();
    assert_eq!(zero["outcomes"][0]["value"]["at_most"], 1, "{zero}");
    let weak = promising(PROMISES[4].1, "\n[mechanism]\nname = \"geometric\"\n");
    assert_eq!(incrowd(&["law", "-", "--count", "3", "--format", "json"], weak).done().json()["meets_promise"], false);
}

#[test]
fn draws_with_a_test_seed_repeat_and_say_that_they_are_not_private() {
    let mut page = Page::default();
    let synthetic = "\n[data]\nsource = \"none.csv\"\nsynthetic = true\n";
    for case in &MECHANISMS {
        let request = case.request() + synthetic;
        let arguments = ["draw", "-", "--count", "21", "--times", "5", "--test-seed", "7"];
        let said = page.add(case.title, &arguments, &request, 0);
        assert_eq!(said.stdout.lines().count(), 5, "{}", said.stdout);
        assert!(said.stderr.contains("not private"), "{}", said.stderr);
        let object = incrowd(&[&arguments[..], &["--format", "json"]].concat(), &request).done().json();
        assert_eq!((&object["private"], object["draws"].as_array().map(Vec::len)), (&false.into(), Some(5)));
        let other = incrowd(&["draw", "-", "--count", "21", "--times", "100", "--test-seed", "8"], &request);
        let again = incrowd(&["draw", "-", "--count", "21", "--times", "100", "--test-seed", "8"], &request);
        assert_eq!(other.stdout, again.stdout);
    }
    let weak = promising(PROMISES[4].1, &format!("\n[mechanism]\nname = \"geometric\"\n{synthetic}"));
    let said = page.add("a promise that is not met", &["draw", "-", "--count", "3", "--test-seed", "1"], &weak, 0);
    assert!(said.stderr.contains("does not meet"), "{}", said.stderr);
    page.check("draw.txt");
}

#[test]
fn draws_without_a_seed_are_fresh_and_as_many_as_asked() {
    let arguments = ["draw", "-", "--count", "1000", "--times", "64"];
    let [first, second] = [0, 1].map(|_| incrowd(&arguments, example("salaries")).done().stdout);
    assert_eq!(first.lines().count(), 64);
    assert_ne!(first, second);
    assert!(first.lines().all(|line| line.parse::<i64>().is_ok()), "{first}");
    let object = incrowd(&["draw", "-", "--count", "1000", "--format", "json"], example("salaries")).done().json();
    assert_eq!((&object["private"], object["draws"].as_array().map(Vec::len)), (&true.into(), Some(10)));
}

#[test]
fn the_schema_is_json_and_accompanies_every_section() {
    let said = incrowd(&["schema"], "").done();
    let schema: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    for section in ["release", "data", "bins", "promise", "mechanism", "ledger", "output"] {
        assert!(schema["properties"].get(section).is_some(), "{section}");
    }
    kept("schema.json", &said.stdout);
}

#[test]
fn the_page_of_all_keys_is_the_one_that_is_printed() {
    kept("../../../../docs/request.md", &incrowd(&["schema", "keys"], "").done().stdout);
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = incrowd(&["completions", shell], "").done().stdout;
        for word in ["plan", "compare", "law", "draw", "schema", "completions", "test-seed", "no-chart"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        if ["bash", "zsh", "fish"].contains(&shell) {
            kept(&format!("completions.{shell}"), &script);
        }
    }
}

#[test]
fn every_command_has_help() {
    let mut page = Page::default();
    for verb in ["", "plan", "compare", "law", "draw", "schema", "completions"] {
        for flag in ["--help", "-h"] {
            let arguments: Vec<&str> = [verb, flag].into_iter().filter(|each| !each.is_empty()).collect();
            page.add(&arguments.join(" "), &arguments, "", 0).done();
        }
    }
    page.check("help.txt");
    let version = incrowd(&["--version"], "").done().stdout;
    assert_eq!(version, format!("incrowd {}\n", env!("CARGO_PKG_VERSION")));
}
