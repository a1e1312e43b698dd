//! `incrowd plan`: its pages for examples, promises and mechanisms, and the fields that machines read.

use crate::kept::kept;
use crate::requests::{MECHANISMS, PROMISES, promising};
use crate::run::{Page, binary, example, examples, finish, incrowd, rounded};
use serde_json::Value;

#[test]
fn the_examples_have_the_plans_that_newcomers_see() {
    for name in ["salaries", "diagnoses", "keywords", "sampled", "rows", "series", "top", "points", "baskets"] {
        let mut command = binary(&["plan", &format!("{name}/request.toml")]);
        command.current_dir(examples());
        let said = finish(command, "").done();
        let next = format!("Nothing has been read or spent. Next: incrowd release {name}/request.toml\n");
        assert!(said.stdout.ends_with(&next), "{}", said.stdout);
        kept(&format!("plan-{name}.txt"), &said.stdout);
    }
}

#[test]
fn every_kind_of_promise_has_a_plan() {
    let mut page = Page::default();
    for (kind, promise) in PROMISES {
        page.add(kind, &["plan", "-", "--no-chart", "--details"], &promising(promise, ""), 0).done();
    }
    page.add(
        "by odds",
        &["plan", "-", "--no-chart"],
        &promising("small = [6, 20]\nsmall-odds = [\"55 %\", \"65 %\"]\nodds = \"75 %\"", ""),
        0,
    )
    .done();
    page.add("by a policy", &["plan", "-", "--no-chart"], "policy = \"fewer-than-6\"\n", 0).done();
    page.check("plan-promises.txt");
}

#[test]
fn every_mechanism_has_a_plan() {
    let mut page = Page::default();
    for case in &MECHANISMS {
        let arguments = ["plan", "-", "--no-chart", "--details", "--counts", "0,1,10,50"];
        let said = page.add(case.title, &arguments, &case.request(), 0).done();
        assert!(said.stdout.contains(&format!("mechanism    {}", case.name().replace('-', " "))), "{}", said.stdout);
    }
    page.check("plan-mechanisms.txt");
}

#[test]
fn more_bins_per_person_than_there_are_bins_are_remarked_on() {
    let said = |most: u32| {
        let request = format!(
            "[data]\nperson = \"id\"\nbins-per-person = {most}\n[[bins]]\nname = \"town\"\ncolumn = \"town\"\n\
             values = [\"Bern\", \"Chur\"]\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\n"
        );
        let shown = incrowd(&["plan", "-", "--no-chart"], &request).done().stdout;
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let remark = "there are 2 bins: bins-per-person = 2 leaves out no more than bins-per-person = 5 does";
    assert!(said(5).contains(remark), "{}", said(5));
    assert!(!said(2).contains("there are 2 bins"), "{}", said(2));
}

#[test]
fn options_of_plan_change_what_is_shown() {
    let salaries = example("salaries");
    let mut page = Page::default();
    let mut add = |title, more: &[&str]| {
        let arguments = [&["plan", "-", "--no-chart"], more].concat();
        page.add(title, &arguments, &salaries, 0).done().stdout
    };
    let counts = add("chosen counts", &["--counts", "0, 7,1_000"]);
    assert!(counts.contains("\n         7 ") && !counts.contains("\n       100 "), "{counts}");
    let wanted = add("accuracy first", &["--want", "50: 5"]);
    assert!(wanted.contains("one of these would do"), "{wanted}");
    // More accuracy for the managers takes an epsilon that protects nobody, and that is said beside it.
    let words = wanted.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("everything else as it is; that would be hardly a promise: with epsilon "), "{wanted}");
    let met = add("accuracy that is there already", &["--want", "1000: 1, 50: 100"]);
    assert_eq!(met.matches(": met, the error is").count(), 2, "{met}");
    page.check("plan-options.txt");
}

#[test]
fn nothing_is_called_best_on_a_sample_or_with_several_bins_for_a_person() {
    let values = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"Bern\", \"Chur\"]\n";
    let found = "[[bins]]\nname = \"word\"\ncolumn = \"word\"\n";
    let delta = "kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"";
    for (data, bins, promise, is_best) in [
        ("", values, PROMISES[0].1, true),
        // Noise of epsilon 1.49 on half of the people keeps epsilon 1 too, with little more than half of the error.
        ("[data]\nsample = \"1/2\"\n", values, PROMISES[0].1, false),
        ("[data]\nperson = \"id\"\nbins-per-person = 2\n", values, PROMISES[0].1, false),
        ("", found, delta, true),
        ("[data]\nsample = \"1/2\"\n", found, delta, false),
        // The relay at (.02323, 5e-9) in each of 100 bins is (1, 1e-6) too, and shows half of the bins of 632, not of
        // 1313.
        ("[data]\nperson = \"id\"\nbins-per-person = 100\n", found, delta, false),
    ] {
        let request = promising(promise, &format!("{data}{bins}"));
        let text = incrowd(&["plan", "-", "--no-chart", "--details", "--counts", "10"], &request).done().stdout;
        let said = text.contains("optimal") || text.replace("\n               ", " ").contains("no mechanism shows");
        assert_eq!(said, is_best, "{request}{text}");
        let object = incrowd(&["plan", "-", "--format", "json", "--counts", "10"], &request).done().json();
        assert_eq!(object["mechanism"]["optimal"] == true, is_best && bins == values, "{request}");
        let statement = object["theorem"]["statement"].as_str().expect("a statement");
        assert_eq!(statement.contains("no mechanism"), is_best && bins == found, "{statement}");
        let compared = incrowd(&["compare", "-", "--no-chart", "--counts", "10"], &request).done().stdout;
        assert_eq!(compared.contains("optimal"), is_best && bins == values, "{compared}");
        assert!(is_best || !compared.contains(" *"), "{compared}");
    }
}

#[test]
fn several_requests_have_one_cost_for_each_data_set() {
    let plan = |format: &str| {
        let names = ["salaries", "keywords", "salaries"].map(|name| format!("{name}/request.toml"));
        let mut command = binary(&["plan", &names[0], &names[1], &names[2], "--no-chart", "--format", format]);
        command.current_dir(examples());
        finish(command, "").done()
    };
    let text = plan("text").stdout;
    kept("plan-batch.txt", &text[text.find("All together").expect("a sum")..]);
    let object = plan("json").json();
    assert_eq!(object["plans"].as_array().map(Vec::len), Some(3));
    assert_eq!(object["batch"][0]["dataset"], "employees-2026");
    assert_eq!(object["batch"][0]["epsilon"], "2");
}

#[test]
fn a_plan_for_machines_keeps_its_fields() {
    let object = incrowd(&["plan", "-", "--format", "json", "--want", "50: 5"], example("diagnoses")).done().json();
    kept("plan.json", &format!("{:#}\n", rounded(&object)));
    for pointer in
        ["/mechanism/parameters", "/theorem", "/worst_case_dp/epsilon", "/worst_case_dp/delta", "/request_hash"]
    {
        assert!(object.pointer(pointer).is_some_and(|value| !value.is_null()), "{pointer}");
    }
    let fields = [
        ("/promise/curve", &["from", "to", "epsilon"][..]),
        ("/exact", &["count", "epsilon", "delta"][..]),
        ("/utility", &["count", "mean_absolute_error", "suppressed"][..]),
    ];
    for (pointer, names) in fields {
        let items = object.pointer(pointer).and_then(Value::as_array).expect(pointer);
        assert!(!items.is_empty());
        for item in items {
            assert!(names.iter().all(|name| item.get(name).is_some()), "{pointer}: {item}");
        }
    }
    // What decides is exact, so it is text.
    assert!(object["exact"][0]["epsilon"].is_string() && object["exact"][0]["delta"].is_string());
    let counts = incrowd(&["plan", "-", "--format", "json", "--counts", "1,5,20"], example("diagnoses")).done().json();
    for list in ["exact", "utility"] {
        let counts: Vec<_> =
            counts[list].as_array().expect("a list").iter().map(|item| item["count"].as_u64()).collect();
        assert_eq!(counts, [Some(1), Some(5), Some(20)], "{list}");
    }
}

#[test]
fn a_promise_without_a_finite_cost_has_no_differential_privacy() {
    let request = promising(PROMISES[2].1, "");
    assert!(incrowd(&["plan", "-", "--format", "json"], request).done().json()["worst_case_dp"].is_null());
}

#[test]
fn every_plan_is_one_object_for_machines() {
    let requests = PROMISES.iter().map(|(_, promise)| promising(promise, ""));
    for request in requests.chain(MECHANISMS.iter().map(|case| case.request())) {
        let object = incrowd(&["plan", "-", "--format", "json", "--counts", "1,30"], &request).done().json();
        assert_eq!(object["meets_promise"], true, "{request}");
        assert_eq!(object["utility"].as_array().map(Vec::len), Some(2), "{request}");
    }
}

#[test]
fn a_chart_is_a_well_formed_new_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let hostile = "[[bins]]\nname = \"<b>]]>&\\\"🎉\\ufffe\"\ncolumn = \"c\"\nvalues = [\"a\"]\n";
    let hostile = promising(PROMISES[4].1, hostile);
    for (verb, request) in [("plan", example("salaries")), ("compare", example("salaries")), ("plan", hostile)] {
        let path = folder.path().join(format!("{verb}-{}.svg", request.len()));
        let arguments = [verb, "-", "--chart", path.to_str().expect("a path"), "--no-chart"];
        let said = incrowd(&arguments, &request).done();
        assert!(!said.stdout.contains('┤'), "--no-chart leaves the chart out of the text");
        let drawing = std::fs::read_to_string(&path).expect("the chart");
        let tree = roxmltree::Document::parse(&drawing).unwrap_or_else(|error| panic!("{error}: {drawing}"));
        assert_eq!(tree.root_element().tag_name().name(), "svg");
        assert!(drawing.contains("people in the group") && !drawing.contains('\u{1b}'));
        let again = incrowd(&arguments, &request);
        assert_eq!(again.code, 2);
        assert!(again.stderr.contains("is there already") && again.stderr.contains("hint: "), "{}", again.stderr);
        assert_eq!(std::fs::read_to_string(&path).expect("the chart"), drawing, "it was not touched");
    }
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 3, "nothing but the charts is left");
}
