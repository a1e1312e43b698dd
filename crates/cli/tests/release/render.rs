//! `incrowd render` from end to end: free, verified, and never from anything but a folder that verifies.

use crate::place::{EXACT, FOUND_TOWNS, PLAIN, Place, TOWNS, WITH_DELTA, request};
use serde_json::{Value, json};
use std::fs;

/// A place with a delivery of a bin and an interval, CSV alone.
fn place() -> Place {
    let place = Place::new();
    place.write("d.csv", format!("town,age\n{}Chur,70\n", "Bern,30\n".repeat(70)));
    let bins = format!(
        "[data.types]\nage = \"number\"\n{TOWNS}nulls = \"bin\"\n[[bins]]\nname = \"age\"\ncolumn = \"age\"\nedges = [0, 50, 100]\n"
    );
    let text = request("d.csv", "", &bins, PLAIN).replace("[\"csv\", \"parquet\"]", "[\"csv\"]");
    place.write("request.toml", text);
    place.released();
    place
}

fn certificate(place: &Place, folder: &str) -> Value {
    serde_json::from_slice(&fs::read(place.path(folder).join("certificate.json")).expect("a file")).expect("JSON")
}

#[test]
fn a_rendering_is_free_and_verifies_with_the_folder_that_it_was_made_from() {
    let place = place();
    let (book, data) = (fs::read(place.path("ledger.sqlite")).expect("a book"), place.path("d.csv"));
    fs::remove_file(data).expect("no data is needed");
    let all = ["render", "out", "--to", "all", "--formats", "csv,parquet,arrow,xlsx", "--margins", "all"];
    let more = ["--estimate", "median", "--prior", "0,500", "--rounding", "5", "--csv-bom", "--missing", "n/a"];
    let said = place.run(&[&all[..], &more].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("nothing: only what is published was read"), "{}", said.stdout);
    assert_eq!(fs::read(place.path("ledger.sqlite")).expect("a book"), book, "the ledger is not touched");
    for arguments in [&["verify", "all"][..], &["verify", "all", "--parent", "out"]] {
        let said = place.run(arguments);
        assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    }
    let csv = fs::read_to_string(place.path("all/counts.csv")).expect("a table");
    assert!(csv.starts_with("\u{feff}town,age,count,low,high,status,estimate,rounded,quality\n"), "{csv}");
    assert!(csv.contains("\nn/a,\"[0, 50)\","), "{csv}");
    // Of a rendering, too; back to what was delivered, it is the same table again.
    let back = ["render", "all", "--to", "back", "--formats", "csv", "--margins", "none", "--estimate", "none"];
    let more = ["--rounding", "1", "--csv-bom", "false", "--missing", "(missing)"];
    assert_eq!(place.run(&[&back[..], &more].concat()).code, 0);
    let table = |folder: &str| fs::read(place.path(folder).join("counts.csv")).expect("a table");
    assert_eq!(table("back"), table("out"));
    assert_eq!(place.run(&["verify", "back", "--parent", "all"]).code, 0);
    assert_eq!(place.run(&["verify", "back", "--parent", "out"]).code, 1);
    assert_eq!(place.run(&["verify", "out", "--parent", "all"]).code, 1, "a release is made from nothing");
    assert_eq!(certificate(&place, "back")["derived_from"]["certificates"].as_array().map(Vec::len), Some(2));
    assert_eq!(certificate(&place, "back")["ledger"], certificate(&place, "out")["ledger"]);
}

#[test]
fn totals_are_taken_by_any_sets_of_bins() {
    let place = place();
    let of = |folder: &str, arguments: &[&str]| {
        let said = place.run(&[&["render", "out", "--to", folder], arguments].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        let said = place.run(&["verify", folder, "--parent", "out"]);
        assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
        let steps = certificate(&place, folder)["postprocessing"].clone();
        let step = steps.as_array().expect("steps").iter().find(|step| step["step"] == "margins").cloned();
        step.expect("totals")["of"].clone()
    };
    let (town, age, both) = (json!(["town"]), json!(["age"]), json!(["town", "age"]));
    assert_eq!(of("each", &["--margins", "age,town"]), json!([town, age]));
    assert_eq!(of("sets", &["--margins", "town", "--margins", "age,town"]), json!([town, both]));
    assert_eq!(of("pair", &["--margins", "age,town", "--margins", ""]), json!([both]));
}

#[test]
fn medians_are_made_of_a_delivered_table_and_refused_where_none_would_hold() {
    let place = place();
    let made = ["render", "out", "--to", "told", "--statistics", "age", "--quantiles", "0.5,1/10"];
    let said = place.run(&made);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(place.run(&["verify", "told", "--parent", "out"]).code, 0);
    let told = fs::read_to_string(place.path("told/statistics.csv")).expect("a table");
    assert!(told.starts_with("town,statistic,estimate,low,high\nBern,mean of age,"), "{told}");
    assert!(told.contains("\nBern,10 % quantile of age,") && told.contains("\n(all),median of age,"), "{told}");
    // Everybody in Bern is 30: bands cannot tell more than that she is below 50.
    assert!(told.lines().any(|line| line.starts_with("Bern,median") && line.ends_with(",0,50")), "{told}");
    assert!(place.path("told/margins.csv").exists() && place.path("told/consistent.csv").exists());
    let refused = |arguments: &[&str], words: &str| {
        let said = place.run(&[&["render", "out", "--to", "no"], arguments].concat());
        assert!(said.code != 0 && said.stderr.contains(words), "{arguments:?}: {}", said.stderr);
        assert!(!place.path("no").exists());
    };
    refused(&["--statistics", "town"], "it has no bands of a number");
    refused(&["--statistics", "pay"], "no bin \"pay\"");
    for quantiles in ["0", "1", "0.5,0.5", "half", "1/100000"] {
        refused(&["--statistics", "age", "--quantiles", quantiles], "quantiles");
    }
    refused(&["--quantiles", "0.5"], "none is named");
    refused(&["--statistics", "age", "--margins", "none"], "stand beside totals");
    // Back again, without them.
    let back = ["render", "told", "--to", "back", "--statistics", "none", "--margins", "none"];
    assert_eq!(place.run(&back).code, 0);
    assert!(!place.path("back/statistics.csv").exists() && !place.path("back/margins.csv").exists());
}

#[test]
fn the_book_knows_a_rendering_by_the_folder_that_was_paid_for() {
    let place = place();
    assert_eq!(place.run(&["render", "out", "--to", "wide", "--margins", "town"]).code, 0);
    assert_eq!(place.run(&["render", "wide", "--to", "wider", "--rounding", "5"]).code, 0);
    let said = place.run(&["ledger", "verify", "--against", "out", "wide", "wider"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("1 folder is what was paid for"), "{}", said.stdout);
    assert!(said.stdout.contains("2 folders name a certificate that was paid for"), "{}", said.stdout);
    assert!(said.stdout.contains("that the numbers of such folders are those"), "{}", said.stdout);
    // One that names a certificate that nobody delivered for this charge.
    for name in ["certificate.json", "report.html"] {
        let path = place.path("wide").join(name);
        let text = fs::read_to_string(&path).expect("a text");
        let hash = certificate(&place, "out");
        let paid =
            certificate(&place, "wider")["derived_from"]["certificates"][0].as_str().expect("a hash").to_string();
        assert!(hash.is_object() && text.contains(&paid));
        fs::write(&path, text.replace(&paid, &"0".repeat(64))).expect("forged");
    }
    let said = place.run(&["ledger", "verify", "--against", "wide"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stderr.contains("with another certificate"), "{}", said.stderr);
    let said = place.run(&["ledger", "verify", "--against", "out", "wide"]);
    assert!(said.stderr.contains("names the same charge as out"), "{}", said.stderr);
    assert_eq!(place.run(&["verify", "wide", "--parent", "out"]).code, 1);
}

#[test]
fn nothing_is_made_from_a_forged_folder_or_over_one_that_is_there() {
    let place = place();
    assert_eq!(place.run(&["render", "out", "--to", "out"]).code, 2, "the folder is there");
    assert_eq!(place.run(&["render", "out", "--to", "new", "--formats", "xlsx"]).code, 2, "a workbook alone");
    assert_eq!(place.run(&["render", "out", "--to", "new", "--margins", "nobody"]).code, 2, "no such bin");
    assert_eq!(place.run(&["render", "nowhere", "--to", "new"]).code, 2);
    let text = fs::read_to_string(place.path("out/counts.csv")).expect("a table");
    let said = place.verify_forged("counts.csv", &text.replacen(",published", ",guessed", 1));
    assert_eq!(said.code, 1);
    let said = place.run(&["render", "out", "--to", "new"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    let left: Vec<_> =
        fs::read_dir(place.path("")).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    let is_new = |name: &std::ffi::OsString| name.to_string_lossy().contains("new");
    assert!(!left.iter().any(is_new), "nothing half made is left: {left:?}");
}

#[test]
fn every_kind_of_release_can_be_presented_otherwise() {
    let kinds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kinds");
    let place = Place::new();
    for entry in fs::read_dir(kinds).expect("a folder").flatten() {
        place.write(&entry.file_name().to_string_lossy(), fs::read(entry.path()).expect("a file"));
    }
    for kind in ["histogram", "series", "top", "rows", "points", "pairs", "sampled", "relay", "staircase", "crowd"] {
        let released =
            place.run(&["release", &format!("{kind}.toml"), "--test-seed", "7", "--folder", kind, "--quiet"]);
        assert_eq!(released.code, 0, "{}", released.stderr);
        let new = format!("{kind}-new");
        let said = place.run(&["render", kind, "--to", &new, "--formats", "arrow,xlsx,csv"]);
        assert_eq!(said.code, 0, "{kind}: {}", said.stderr);
        let said = place.run(&["verify", &new, "--parent", kind]);
        assert_eq!(said.code, 0, "{kind}: {}{}", said.stdout, said.stderr);
        assert_eq!(certificate(&place, &new)["not_private"], true, "{kind}: a known seed is still known");
    }
}

/// Keys that somebody put into the data to harm whoever opens the table.
#[test]
fn hostile_keys_leave_the_folder_harmless_in_every_format() {
    let place = Place::new();
    let keys = [
        "\"=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"",
        "'=1",
        "''=1",
        "\"\ttab\"",
        "\"line\nbreak\"",
        "-3",
        "(missing)",
        "nul\0",
        "bell\u{7}",
        "\u{202e}rtl",
        "@x",
        "",
    ];
    let long = "x".repeat(40_000);
    let rows: String = keys
        .iter()
        .copied()
        .chain([long.as_str()])
        .flat_map(|key| [format!("{key},1\n"), format!("{key},1\n")])
        .collect();
    place.write("d.csv", format!("town,n\n{rows}"));
    let bins = format!("{FOUND_TOWNS}nulls = \"bin\"\n[mechanism]\nname = \"suppress-below\"\n");
    let text = request("d.csv", "", &bins, EXACT).replace("\"parquet\"]", "\"parquet\", \"arrow\", \"xlsx\"]");
    place.write("request.toml", text);
    place.released();
    let said = place.run(&["verify", "out"]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    let csv = fs::read_to_string(place.path("out/counts.csv")).expect("a table");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let found: Vec<String> = reader.records().map(|record| record.expect("a record")[0].to_string()).collect();
    for key in
        ["'=HYPERLINK(\"http://x\",\"y\")", "''=1", "'''=1", "'\ttab", "-3", "'(missing)", "(missing)", "'@x", &long]
    {
        assert!(
            found.iter().any(|found| found == key),
            "{key:.40}: {:?}",
            found.iter().map(|key| key.chars().take(40).collect::<String>()).collect::<Vec<_>>()
        );
    }
    let acts = |key: &&String| key.starts_with(['=', '+', '@', '\t', '\r', '\n']);
    assert_eq!(found.iter().find(acts), None);
}

#[test]
fn what_excel_cannot_hold_and_names_that_are_taken_are_refused_before_the_charge() {
    let place = Place::new();
    place.write("d.csv", "town,n\nBern,1\n");
    let wide =
        "[data.types]\nn = \"number\"\n[[bins]]\nname = \"n\"\ncolumn = \"n\"\nfrom = 0\nto = 2000000\nwidth = 1\n";
    let taken = "[data.types]\nn = \"number\"\n[[bins]]\nname = \"n\"\ncolumn = \"n\"\nedges = [0, 1]\n[[bins]]\nname = \"n_from\"\ncolumn = \"town\"\nvalues = [\"a\"]\n";
    let listed = TOWNS.replace("Chur", "(missing)");
    for (bins, formats) in [(wide, "\"csv\", \"xlsx\""), (taken, "\"parquet\""), (listed.as_str(), "\"csv\"")] {
        let text = request("d.csv", "", bins, PLAIN).replace("\"csv\", \"parquet\"", formats);
        place.write("request.toml", text);
        let said = place.release();
        assert_eq!(said.code, 1, "{bins}: {}", said.stderr);
        assert!(place.events().is_empty(), "nothing was charged");
    }
    let alone = request("d.csv", "", TOWNS, WITH_DELTA).replace("\"csv\", \"parquet\"", "\"xlsx\"");
    place.write("request.toml", alone);
    assert_eq!(place.release().code, 2);
}
