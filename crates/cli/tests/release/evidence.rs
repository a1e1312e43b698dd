//! What a delivered folder is good for: totals and estimates in it, what `verify` says of it, and the entry for a
//! registry.

use crate::place::{Place, TOWNS, request};
use serde_json::Value;

const SMALL: &str = "kind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1";
const OUTPUT: &str = "margins = true\nestimate = \"median\"\nrounding = 5\n";

fn place() -> Place {
    let place = Place::new();
    let rows: String = (0..300).map(|row| if row % 3 == 0 { "Bern\n" } else { "Chur\n" }).collect();
    place.write("d.csv", format!("town\n{rows}"));
    place.write("request.toml", request("d.csv", "", TOWNS, SMALL) + OUTPUT);
    place
}

fn read(place: &Place, name: &str) -> String {
    std::fs::read_to_string(place.path(name)).expect("a file")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn totals_estimates_and_rounded_counts_are_delivered_and_verified() {
    let place = place();
    place.released();
    let counts = read(&place, "out/counts.csv");
    assert!(counts.starts_with("town,count,low,high,status,estimate,rounded,quality\n"), "{counts}");
    let margins = read(&place, "out/margins.csv");
    assert!(margins.starts_with("town,total,standard_error,low,high,cells,omitted\n"), "{margins}");
    assert!(margins.lines().last().is_some_and(|line| line.starts_with("(all),")), "{margins}");
    let consistent = read(&place, "out/consistent.csv");
    assert!(consistent.starts_with("town,consistent,cells\n(all),"), "{consistent}");
    let said = place.run(&["verify", "out"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    for line in [
        "sums: margins.csv adds up",
        "sums: margins.parquet adds up",
        "sums: consistent.csv is what",
        "trusted      ledger",
    ] {
        assert!(said.stdout.contains(line), "{line}\n{}", said.stdout);
    }
    let object = json(&place.run(&["verify", "out", "--format", "json"]).stdout);
    assert_eq!(object["passed"], true);
    assert!(object["trusted"].as_array().expect("a list").len() > 3);
    // One digit of a total, and of a count.
    for name in ["margins.csv", "consistent.csv", "counts.csv"] {
        let original = read(&place, &format!("out/{name}"));
        let line = original.lines().nth(1).expect("a row").to_string();
        let digit = line.chars().find(char::is_ascii_digit).expect("a digit");
        let changed = line.replacen(digit, if digit == '9' { "8" } else { "9" }, 1);
        assert_ne!(changed, line);
        place.write(&format!("out/{name}"), original.replacen(&line, &changed, 1));
        let said = place.run(&["verify", "out"]);
        assert_eq!(said.code, 1, "{}", said.stdout);
        assert!(said.stdout.contains("WRONG"), "{}", said.stdout);
        place.write(&format!("out/{name}"), original);
    }
    assert_eq!(place.run(&["verify", "out"]).code, 0);
}

/// A report must not belittle what it does itself.
#[test]
fn suppression_is_not_compared_with_itself() {
    let place = place();
    place.released();
    assert!(read(&place, "out/report.html").contains("is differentially private at no epsilon"), "a finite promise");
    let exact = "kind = \"crowd-blending\"\ncrowd = 20\nepsilon = 0\n[mechanism]\nname = \"suppress-below\"";
    place.write("exact.toml", request("d.csv", "", TOWNS, exact).replace("\"people\"", "\"others\""));
    assert_eq!(place.run(&["release", "exact.toml", "--folder", "exact", "--open"]).code, 0);
    assert!(!read(&place, "exact/report.html").contains("lain suppression"), "exact counts of large groups");
}

#[test]
fn what_is_left_of_a_budget_stands_in_certificate_and_report() {
    let place = place();
    assert_eq!(place.run(&["ledger", "open", "people", "--epsilon", "3", "--delta", "1e-6"]).code, 0);
    place.released();
    assert_eq!(place.run(&["release", "request.toml", "--folder", "second", "--again"]).code, 0);
    let certificate = json(&read(&place, "second/certificate.json"));
    let after = &certificate["ledger"]["after"];
    assert_eq!((&after["releases"], &after["epsilon"], &after["delta"]), (&2.into(), &"2".into(), &"0".into()));
    assert_eq!((&after["left"]["epsilon"], &after["left"]["delta"]), (&"1".into(), &"1/1000000".into()));
    let page = read(&place, "second/report.html");
    assert!(page.contains("2 releases about these people: epsilon 2, delta 0"), "what was spent");
    assert!(page.contains("epsilon 1, delta 1 in a million"), "what is left");
}

#[test]
fn a_folder_becomes_an_entry_of_the_registry() {
    let place = place();
    place.released();
    let said = place.run(&["export", "out", "--as", "registry"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("5 fields are marked"), "{}", said.stderr);
    assert!(
        said.stdout.starts_with("url_slug: \"people\"\nstatus: \"Draft\"\ntier: 3\ndeployment:\n"),
        "{}",
        said.stdout
    );
    let filled = [
        "export",
        "out",
        "--as",
        "registry",
        "--name",
        "Towns",
        "--curator",
        "An office",
        "--use",
        "to know",
        "--region",
        "here",
        "--date",
        "2026-02-28",
        "--sector",
        "government",
        "--author",
        "somebody",
        "--output",
        "entry.yaml",
    ];
    let said = place.run(&filled);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    let entry = read(&place, "entry.yaml");
    assert!(!entry.contains("TO FILL IN") && entry.contains("publication_date: \"2026-02-28\""), "{entry}");
    // What is there is not overwritten, what is no day is refused, and so is a folder that does not verify.
    assert_eq!(place.run(&filled).code, 2);
    let said = place.run(&["export", "out", "--as", "registry", "--date", "2026-02-30"]);
    assert!(said.code == 2 && said.stderr.contains("is not a day"), "{}", said.stderr);
    place.write("out/counts.csv", "town,count\n");
    let said = place.run(&["export", "out", "--as", "registry"]);
    assert!(said.code == 1 && said.stdout.is_empty() && said.stderr.contains("not exported"), "{}", said.stderr);
    let said = place.run(&["export", "nowhere", "--as", "registry"]);
    assert_eq!(said.code, 2, "{}", said.stderr);
}

#[test]
fn the_schema_of_certificates_names_their_fields() {
    let place = place();
    place.released();
    let schema = json(&place.run(&["schema", "certificate"]).stdout);
    let certificate = json(&read(&place, "out/certificate.json"));
    let required = schema["required"].as_array().expect("a list");
    let fields = certificate.as_object().expect("an object");
    assert!(required.iter().all(|field| fields.contains_key(field.as_str().expect("a name"))));
    assert!(fields.keys().all(|field| schema["properties"].get(field).is_some()));
}

/// Releases thousands of bins of known sizes and counts how many intervals miss; drawn from the operating system's
/// bits.
///
/// Each interval misses with a chance of at most 1/20, independently. The bounds are so that a sound release fails with
/// a chance below 1e-12 each: more misses than `mean + 7.1 deviations` of as many throws of a 1-in-20 coin.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let place = Place::new();
    let bins = 4_000u32;
    let size = |bin: u32| bin % 131;
    let rows: String = (0..bins).map(|bin| format!("{bin},{}\n", size(bin))).collect();
    place.write("d.csv", format!("bin,n\n{rows}"));
    let declared = format!("[[bins]]\nname = \"bin\"\ncolumn = \"bin\"\nfrom = 0\nto = {bins}\nwidth = 1\n");
    let found = "[[bins]]\nname = \"bin\"\ncolumn = \"bin\"\n";
    let types = "people = \"n\"\n[data.types]\nbin = \"integer\"\nn = \"integer\"\n";
    let outlier = "kind = \"simple-outlier-dp\"\ngroup = 40\nepsilon = 1";
    for (name, bins, promise) in [
        ("the tailored geometric", declared.as_str(), outlier.to_string()),
        ("the relay", found, "kind = \"differential-privacy\"\nepsilon = \"1/2\"\ndelta = \"1e-4\"".to_string()),
        (
            "noise level by level",
            declared.as_str(),
            format!("{outlier}\ndelta = \"1e-3\"\n[mechanism]\nname = \"noisy-noise\""),
        ),
    ] {
        place.write("request.toml", request("d.csv", types, bins, &promise));
        let said = place.run(&["release", "request.toml", "--replace", "--again"]);
        assert_eq!(said.code, 0, "{name}: {}", said.stderr);
        let table = read(&place, "out/counts.csv");
        let (mut shown, mut missed) = (0u32, 0u32);
        for line in table.lines().skip(1) {
            // A key is `7`, or an interval in quotes, `"[7, 8)"`.
            let numbers: Vec<i64> =
                line.split(['"', '[', ',', ' ', ')']).filter_map(|part| part.parse().ok()).collect();
            let [key, .., low, high] = numbers.as_slice() else { panic!("{line}") };
            shown += 1;
            let truth = i64::from(size(u32::try_from(*key).expect("a bin")));
            missed += u32::from(truth < *low || truth > *high);
        }
        assert!(shown > 1_000, "{name}: {shown} shown");
        let limit = f64::from(shown) / 20.0 + 7.1 * (f64::from(shown) * 0.05 * 0.95).sqrt();
        assert!(f64::from(missed) <= limit, "{name}: {missed} of {shown} missed");
        // Nor are they so wide that they could not miss.
        assert!(missed > 0, "{name}: none of {shown} missed");
    }
}

/// A million bins of known sizes: every range that is shown holds the truth, and as many are hidden as the plan says.
#[test]
fn a_million_ranges_hold_the_truth_without_exception() {
    let place = Place::new();
    let bins = 1_000_000u32;
    let size = |bin: u32| bin % 977;
    let rows: String = (0..bins).map(|bin| format!("{bin},{}\n", size(bin))).collect();
    place.write("d.csv", format!("bin,n\n{rows}"));
    let declared = format!("[[bins]]\nname = \"bin\"\ncolumn = \"bin\"\nfrom = 0\nto = {bins}\nwidth = 1\n");
    let types = "people = \"n\"\n[data.types]\nbin = \"integer\"\nn = \"integer\"\n";
    let promise = "kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-3\"\n[mechanism]\nname = \"range\"";
    place.write("request.toml", request("d.csv", types, &declared, promise).replace("\"csv\", \"parquet\"", "\"csv\""));
    let plan = json(&place.run(&["plan", "request.toml", "--counts", "100", "--format", "json"]).stdout);
    let planned = plan["utility"][0]["suppressed"].as_f64().expect("a chance");
    let half_width = plan["mechanism"]["parameters"]["half-width"].as_i64().expect("a width");
    place.released();
    let table = read(&place, "out/counts.csv");
    let (mut hidden, mut all) = (0u32, 0u32);
    for (bin, line) in (0..bins).zip(table.lines().skip(1)) {
        all += 1;
        let (rest, _) = line.rsplit_once(',').expect("a quality");
        let (rest, status) = rest.rsplit_once(',').expect("a status");
        if status == "suppressed" {
            hidden += 1;
            continue;
        }
        let (rest, high) = rest.rsplit_once(',').expect("an end");
        let low: i64 = rest.rsplit_once(',').expect("an end").1.parse().expect("a number");
        let high: i64 = high.parse().expect("a number");
        let truth = i64::from(size(bin));
        assert!((low..=high).contains(&truth), "{line}");
        assert!(high - low == 2 * half_width || low == 0, "{line}");
    }
    assert_eq!(all, bins);
    // Seven deviations: a sound release fails with a chance below 1e-11.
    let (mean, deviation) = (f64::from(bins) * planned, (f64::from(bins) * planned * (1.0 - planned)).sqrt());
    assert!((f64::from(hidden) - mean).abs() < 7.0 * deviation, "{hidden} hidden, {mean} planned");
    assert_eq!(place.run(&["verify", "out"]).code, 0);
}

#[test]
fn sums_of_cells_that_noise_picked_are_not_called_totals() {
    let place = Place::new();
    // Fifteen people, among 200 cells of which those with a drawn value of at least 6 are shown.
    let values: Vec<String> = (0..200).map(|value| value.to_string()).collect();
    let bins = format!(
        "[[bins]]\nname = \"n\"\ncolumn = \"n\"\nvalues = [{}]\n[mechanism]\nname = \"geometric\"\nthreshold = 6\n",
        values.join(", ")
    );
    place.write("d.csv", format!("n\n{}", (0..15).map(|row| format!("{row}\n")).collect::<String>()));
    let request = crate::place::request(
        "d.csv",
        "[data.types]\nn = \"integer\"",
        &bins,
        "kind = \"differential-privacy\"\nepsilon = \"1/2\"",
    );
    place.write("request.toml", format!("{request}margins = true\n"));
    place.released();
    let sums = std::fs::read_to_string(place.path("out/margins.csv")).expect("a table");
    let head = sums.lines().next().expect("a head");
    assert_eq!(head, "n,sum_of_shown,cells,omitted");
    let all: i64 = sums.lines().last().and_then(|line| line.split(',').nth(1)?.parse().ok()).expect("a sum");
    // 185 empty cells show 6 or more with 3 % each: about 50 people who are not there.
    assert!(all != 15, "{sums}");
    let page = std::fs::read_to_string(place.path("out/report.html")).expect("a page");
    assert!(page.contains("Sums of what is shown") && page.contains("are no totals"), "{page}");
    assert!(!page.contains("published_total") && !page.contains(">Totals<"), "{page}");
    assert_eq!(place.run(&["verify", "out"]).code, 0);
    // The sum is computed again by whoever verifies.
    let said = place.verify_forged("margins.csv", &sums.replace(&format!(",{all},"), &format!(",{},", all + 1)));
    assert_eq!(said.code, 1, "{}", said.stdout);
}

#[test]
fn the_report_tells_of_texts_that_a_spreadsheet_might_run_and_only_of_those() {
    let place = place();
    let warning = "an apostrophe comes before a text that begins like a formula";
    place.released();
    assert!(!read(&place, "out/report.html").contains(warning), "towns are harmless");
    for bins in [crate::place::FOUND_TOWNS.to_string(), TOWNS.replace("Chur", "=1+1")] {
        let place = self::place();
        place.write("d.csv", format!("town\n{}", "=1+1\n".repeat(300)));
        place.write("request.toml", request("d.csv", "", &bins, crate::place::WITH_DELTA));
        place.released();
        assert!(read(&place, "out/counts.csv").lines().any(|line| line.starts_with("'=1+1,")), "made harmless");
        assert!(read(&place, "out/report.html").contains(warning));
    }
}
