//! `plan --like`: forecasts from a delivered folder and from lists of sizes, and what is wrong with them.

use super::{Page, place};

#[test]
fn folders_and_files_without_counts_say_what_to_name_instead() {
    let place = place();
    for (request, words) in
        [("rows.toml", "has rows, one for each person"), ("points.toml", "has points, one for each")]
    {
        let folder = request.replace(".toml", "-earlier");
        let said = place.run(&["release", request, "--test-seed", "7", "--folder", &folder, "--quiet"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let said = place.run(&["plan", "relay.toml", "--like", &folder]);
        assert_eq!(said.code, 2, "{}", said.stderr);
        assert!(said.stderr.contains(words) && said.stderr.contains("write a CSV file with one"), "{}", said.stderr);
    }
    place.write("sizes.XLSX", "PK");
    let said = place.run(&["plan", "relay.toml", "--like", "sizes.XLSX"]);
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("is a workbook") && said.stderr.contains("save the sheet as CSV"), "{}", said.stderr);
    // A folder with a workbook has its counts in another file, too.
    let said = place.run(&["release", "relay.toml", "--test-seed", "7", "--folder", "earlier", "--quiet"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(place.run(&["render", "earlier", "--to", "book", "--formats", "parquet,xlsx"]).code, 0);
    let forecast = |like: &str| {
        let said = place.run(&["plan", "relay.toml", "--no-chart", "--counts", "20", "--like", like]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stdout
    };
    assert_eq!(forecast("earlier"), forecast("book"));
}

#[test]
fn a_plan_says_what_would_be_shown_of_such_sizes() {
    let place = place();
    let said = place.run(&["release", "relay.toml", "--test-seed", "7", "--folder", "earlier", "--quiet"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    place.write("sizes.csv", "town,count\nBern,120\nChur,25\nGrub,22\nAu,3\n");
    place.write("many.csv", (1..=400).map(|size| format!("{size}\n")).collect::<String>());
    place.write("tiny.csv", "3\n".repeat(500));
    place.write("negative.csv", "count\n5\n-3\n");
    place.write("text.csv", "count\n5\nBern\n");
    place.write("two.csv", "a,b\n1,2\n3,4\n");
    place.write("empty.csv", "");
    let mut page = Page::of(&place);
    for like in ["earlier", "sizes.csv", "many.csv", "tiny.csv"] {
        let said = place.run(&["plan", "relay.toml", "--no-chart", "--counts", "20", "--like", like]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let at = said.stdout.find("  forecast").expect("a forecast");
        page.title(&format!("plan relay.toml --like {like}"));
        page.text.push_str(&said.stdout[at..]);
        page.text.push('\n');
    }
    for request in ["histogram.toml", "top.toml", "rows.toml", "sampled.toml", "crowd.toml"] {
        place.write("few.csv", "count\n120\n25\n3\n");
        let said = place.run(&["plan", request, "--no-chart", "--counts", "20", "--like", "few.csv"]);
        assert_eq!(said.code, 0, "{request}: {}", said.stderr);
        let at = said.stdout.find("  forecast").expect("a forecast");
        page.title(&format!("plan {request} --like few.csv"));
        page.text.push_str(&said.stdout[at..]);
        page.text.push('\n');
    }
    for like in ["nowhere.csv", "negative.csv", "text.csv", "two.csv", "empty.csv", "."] {
        page.run(&["plan", "relay.toml", "--like", like], 2);
    }
    page.run(&["plan", "histogram.toml", "--like", "many.csv"], 2);
    page.run(&["release", "relay.toml", "--like", "negative.csv"], 2);
    page.check("plan-like.txt");
    let said = place.run(&["plan", "relay.toml", "--counts", "20", "--like", "earlier", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!(object["forecast"]["sizes_from"], "release");
    assert!(object["shows"]["at_50_percent"].is_u64(), "{object}");
    for field in ["shown_expected", "share_of_counts", "mean_absolute_error"] {
        assert!(object["forecast"][field].is_f64(), "{field}: {object}");
    }
    let html = place.run(&["plan", "relay.toml", "--counts", "20", "--like", "earlier", "--format", "html"]).stdout;
    assert!(html.contains("will be shown (95 %") && html.contains("Bins show from about"), "{html}");
}
