//! Closed, sparse and open universes, and people with many rows.

use crate::place::{EXACT, FOUND_TOWNS, Place, TOWNS, WITH_DELTA, request};

#[test]
fn a_universe_of_a_million_million_cells_needs_a_threshold_and_then_works() {
    let bins = "[[bins]]\nname = \"a\"\ncolumn = \"a\"\nfrom = 0\nto = 1000000\nwidth = 1\n\
                [[bins]]\nname = \"b\"\ncolumn = \"b\"\nfrom = 0\nto = 1000000\nwidth = 1\n";
    let place = Place::new();
    let rows: String = (0..100).map(|_| "7,8\n").chain((0..3).map(|_| "999999,999999\n")).collect();
    place.write("d.csv", format!("a,b\n{rows}"));
    place.write(
        "request.toml",
        request(
            "d.csv",
            "[data.types]\na = \"integer\"\nb = \"integer\"",
            bins,
            "kind = \"differential-privacy\"\nepsilon = 1",
        ),
    );
    let said = place.release();
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("1000000000000 cells"), "{}", said.stderr);
    let threshold = "[mechanism]\nname = \"tailored-geometric\"\nthreshold = 26\n";
    let promise = "kind = \"differential-privacy\"\nepsilon = 1";
    place.write(
        "request.toml",
        request("d.csv", "[data.types]\na = \"integer\"\nb = \"integer\"", &format!("{bins}{threshold}"), promise),
    );
    place.released();
    let counts = place.counts();
    // 10^12 empty cells pass with e^-26/(1 + e^-1) each: 3.7 on average; more than 60 have a chance below 1e-40.
    assert!(counts.len() < 60, "{}", counts.len());
    assert!(counts.iter().any(|line| line.starts_with("\"[7, 8)\",\"[8, 9)\",")), "{counts:?}");
    assert_eq!(place.run(&["verify", "out"]).code, 0);
}

#[test]
fn a_flood_of_empty_cells_is_refused_with_the_smallest_threshold_that_fits() {
    let place = Place::new();
    let bins = "[[bins]]\nname = \"a\"\ncolumn = \"a\"\nfrom = 0\nto = 1000000\nwidth = 1\n\
                [[bins]]\nname = \"b\"\ncolumn = \"b\"\nfrom = 0\nto = 1000000\nwidth = 1\n";
    let plan = |mechanism: &str, threshold: u32, form: &str| {
        let bins = format!("{bins}[mechanism]\nname = \"{mechanism}\"\nthreshold = {threshold}\n");
        let types = "[data.types]\na = \"integer\"\nb = \"integer\"";
        place.write("request.toml", request("d.csv", types, &bins, "kind = \"differential-privacy\"\nepsilon = 1"));
        place.run(&["plan", "request.toml", "--format", form])
    };
    for mechanism in ["geometric", "tailored-geometric"] {
        // 10^12 e^-T/(1 + e^-1) is above 10^7 up to T = 11 and below it from 12 on.
        for threshold in [1, 11] {
            let said = plan(mechanism, threshold, "text");
            assert_eq!(said.code, 1, "{}", said.stdout);
            assert!(
                said.stderr.contains("hint: threshold = 12 in [mechanism] is the smallest that fits"),
                "{}",
                said.stderr
            );
        }
        let said = plan(mechanism, 12, "json");
        let object: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
        let expected: f64 =
            object["empty_cells"]["expected_shown"].as_str().and_then(|text| text.parse().ok()).expect("a number");
        let truth = 1e12 * (-12.0f64).exp() / (1.0 + (-1.0f64).exp());
        assert!((expected / truth - 1.0).abs() < 1e-5 && expected >= truth, "{expected}, and {truth} is true");
        let said = plan(mechanism, 12, "text");
        let text = said.stdout.replace("\n               ", " ");
        assert!(text.contains("up to 4500000 of the 1000000000000 declared bins are expected to be shown"), "{text}");
    }
    plan("geometric", 1, "text");
    place.write("d.csv", "a,b\n1,1\n");
    assert_eq!(place.release().code, 1);
    assert!(place.events().is_empty(), "nothing was charged");
}

#[test]
fn bins_that_are_found_come_in_order_whatever_the_order_of_the_rows() {
    let towns = ["Zug", "Aarau", "Bern", "Chur"];
    let published = |turn: usize| {
        let place = Place::new();
        let mut rows = String::new();
        for row in 0..400 {
            rows.push_str(towns[(row + turn) % 4]);
            rows.push('\n');
        }
        place.write("d.csv", format!("town\n{rows}"));
        place.write("request.toml", request("d.csv", "", "[[bins]]\nname = \"town\"\ncolumn = \"town\"\n", WITH_DELTA));
        place.released();
        place.counts().iter().map(|line| line.split(',').next().expect("a key").to_string()).collect::<Vec<_>>()
    };
    assert_eq!(published(0), ["Aarau", "Bern", "Chur", "Zug"]);
    assert_eq!(published(3), published(0));
}

#[test]
fn nobody_counts_in_more_bins_than_allowed() {
    // Ten people, each with a row in each of five towns.
    let place = Place::new();
    let towns = ["A", "B", "C", "D", "E"];
    let rows: String = (0..10).flat_map(|person| towns.map(|town| format!("{person},{town}\n"))).collect();
    place.write("d.csv", format!("id,town\n{rows}{rows}"));
    let bins = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"A\", \"B\", \"C\", \"D\", \"E\"]\n[mechanism]\nname = \"suppress-below\"\ncrowd = 1\n";
    // With a crowd of one nothing is hidden: this promises nothing, and shows the counts.
    place.write(
        "request.toml",
        request("d.csv", "person = \"id\"", bins, "kind = \"crowd-blending\"\ncrowd = 1\nepsilon = 0"),
    );
    let said = place.release();
    if said.code == 0 {
        let total: u64 = place.counts().iter().filter_map(|line| line.split(',').nth(1)?.parse::<u64>().ok()).sum();
        assert_eq!(total, 10, "{:?}", place.counts());
    } else {
        // A promise of nothing may be refused; then a crowd of two must do.
        place
            .write("request.toml", request("d.csv", "person = \"id\"", &bins.replace("crowd = 1", "crowd = 2"), EXACT));
        place.released();
        let total: u64 = place.counts().iter().filter_map(|line| line.split(',').nth(1)?.parse::<u64>().ok()).sum();
        assert!(total <= 10, "{:?}", place.counts());
    }
}

#[test]
fn rows_may_stand_for_many_people() {
    let place = Place::new();
    place.write("d.csv", "town,n\nBern,1000\nBern,2000\nBern,-5\nBern,\nBern,many\n");
    let bins = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"Bern\"]\n";
    let more = "people = \"n\"\n[data.types]\nn = \"integer\"";
    place.write("request.toml", request("d.csv", more, bins, EXACT));
    place.released();
    assert_eq!(place.counts(), ["Bern,3000,3000,3000,published,A"]);
}

#[test]
fn nothing_may_be_learnt_but_for_a_delta() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\nBern\n");
    let promise = "kind = \"differential-privacy\"\nepsilon = 0\ndelta = \"1/10\"";
    for bins in [TOWNS, FOUND_TOWNS] {
        place.write("request.toml", request("d.csv", "", bins, &format!("{promise}\n[mechanism]\nname = \"relay\"")));
        let said = place.run(&["release", "request.toml", "--replace", "--again"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert_eq!(place.run(&["verify", "out"]).code, 0);
    }
    let said = place.run(&["ledger", "show"]);
    assert!(said.stdout.contains("epsilon 0, delta 2 in 10"), "{}", said.stdout);
    // Twice even odds is 66.7 %; beyond them a delta of 1/5 bounds the chance by 2/5.
    assert!(said.stdout.contains("66.7 %"), "{}", said.stdout);
    assert!(
        said.stdout.contains("but for a chance of at most 4 in 10"),
        "no sentence leaves out the chance: {}",
        said.stdout
    );
}
