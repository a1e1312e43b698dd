//! Folders with small values, letters and counts of people who were cut: they verify, and nothing of it can be forged.

use super::tests::explain;
use super::*;
use crate::certificate::{Randomness, certificate_text};
use crate::example::{SALARIES, cells, deliver, plan_of, value};
use crate::request::{OutputRequest, QualityColumn, TableManner};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;

/// Without people who could be cut: a row is a person.
fn rows_are_people() -> String {
    SALARIES.replace("person = \"employee_id\"\n", "")
}

/// Published values from 0 on: small ones, uncertain ones and others.
fn delivered(request: &str, output: &str, home: &Path) -> PathBuf {
    let plan = plan_of(&format!("{request}\n[output]\n{output}\n"));
    deliver(&plan, cells(50, |cell| value((cell * cell) as i64)), home, Randomness::OperatingSystem)
}

fn passes(folder: &Path) -> bool {
    verify(folder, MOST_WORK).expect("a verdict").is_passed()
}

/// Writes another table in place of the one that is there, with its hash.
fn exchange(folder: &Path, text: &str) {
    fs::write(folder.join("counts.csv"), text).expect("written");
    let path = folder.join("certificate.json");
    let mut certificate: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    for table in certificate["tables"].as_array_mut().expect("tables") {
        if table["name"] == "counts.csv" {
            table["sha256"] = json!(crate::files::hex(Sha256::new_with_prefix(text.as_bytes())));
        }
    }
    fs::write(&path, certificate_text(&certificate)).expect("written");
}

const ALL: &str = "formats = [\"csv\", \"parquet\", \"arrow\", \"xlsx\"]\nsmall = 5\nrounding = 5\nmargins = true\n";

#[test]
fn small_values_letters_and_cut_counts_verify_in_every_format() {
    for request in [SALARIES.to_string(), rows_are_people()] {
        for output in [ALL, "small = 6\nquality = false\n", "quality = false\n", ""] {
            let home = tempfile::tempdir().expect("a folder");
            let folder = delivered(&request, output, home.path());
            let verdict = verify(&folder, MOST_WORK).expect("a verdict");
            assert!(verdict.is_passed(), "{output}{}", explain(&verdict));
        }
    }
}

#[test]
fn columns_say_what_was_counted_what_to_show_and_how_far_to_rely_on_it() {
    let home = tempfile::tempdir().expect("a folder");
    let first = |request: &str, output: &str| {
        let folder = delivered(request, output, home.path());
        let text = fs::read_to_string(folder.join("counts.csv")).expect("a table");
        text.lines().next().map(String::from).expect("a header")
    };
    let head = "department,salary,";
    assert_eq!(first(SALARIES, ""), format!("{head}counted,low,high,status,quality"));
    assert_eq!(first(&rows_are_people(), ""), format!("{head}count,low,high,status,quality"));
    let all = format!("{head}counted,low,high,status,estimate,rounded,shown,quality");
    assert_eq!(first(SALARIES, "small = 5\nrounding = 5\nestimate = true"), all);
    assert_eq!(first(SALARIES, "small = 6\nquality = false"), format!("{head}counted,low,high,status,shown"));
    let fifty = SALARIES.replace("person = \"employee_id\"\n", "person = \"employee_id\"\nbins-per-person = 50\n");
    assert_eq!(first(&fifty, ""), format!("{head}count,low,high,status,quality"), "nobody has more than all bins");
}

#[test]
fn words_letters_and_names_that_do_not_follow_are_found() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = delivered(SALARIES, "small = 6", home.path());
    let text = fs::read_to_string(folder.join("counts.csv")).expect("a table");
    for (from, to) in [
        ("fewer than 6,F", "5,F"),
        ("fewer than 6,F", "fewer than 5,F"),
        ("fewer than 6,F", "fewer than 7,F"),
        ("fewer than 6,F", ",F"),
        (",F\n", ",A\n"),
        (",F\n", ",E\n"),
        (",F\n", ",\n"),
        (",A\n", ",E\n"),
        (",A\n", ",B\n"),
        (",A\n", ",a\n"),
        (",2401,A\n", ",fewer than 6,A\n"),
        (",2401,A\n", ",2400,A\n"),
        (",2401,A\n", ",02401,A\n"),
        (",counted,", ",count,"),
        (",shown,", ",seen,"),
        (",quality\n", "\n"),
    ] {
        assert!(text.contains(from), "{from:?} in {text}");
        exchange(&folder, &text.replacen(from, to, 1));
        assert!(!passes(&folder), "{from:?} as {to:?}");
    }
    exchange(&folder, &text);
    assert!(passes(&folder));
}

#[test]
fn a_step_that_the_table_does_not_have_is_found_and_so_is_one_that_is_left_out() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = delivered(SALARIES, "small = 6", home.path());
    let path = folder.join("certificate.json");
    let certificate: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    let steps = certificate["postprocessing"].as_array().expect("steps").clone();
    for (place, step) in
        steps.iter().enumerate().filter(|(_, step)| step["step"] == "small" || step["step"] == "quality")
    {
        let mut without = certificate.clone();
        without["postprocessing"].as_array_mut().expect("steps").remove(place);
        fs::write(&path, certificate_text(&without)).expect("written");
        assert!(!passes(&folder), "{step}");
    }
    let small = steps.iter().position(|step| step["step"] == "small").expect("a step");
    for below in [json!("5"), json!("7"), json!("0"), json!("1"), json!("06"), json!(6), json!("99999999999999999999")]
    {
        let mut other = certificate.clone();
        other["postprocessing"][small]["below"] = below.clone();
        fs::write(&path, certificate_text(&other)).expect("written");
        assert!(!passes(&folder), "{below}");
    }
    fs::write(&path, certificate_text(&certificate)).expect("written");
    assert!(passes(&folder));
}

#[test]
fn reports_show_uncertain_values_in_grey_with_words_and_speak_of_those_who_were_counted() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = delivered(SALARIES, "", home.path());
    let report = fs::read_to_string(folder.join("report.html")).expect("a report");
    let table = fs::read_to_string(folder.join("counts.csv")).expect("a table");
    let uncertain: Vec<&str> = table.lines().filter(|line| line.ends_with(",F")).collect();
    assert!(!uncertain.is_empty() && uncertain.len() < 50);
    assert_eq!(report.matches("<tr class=\"uncertain\">").count(), uncertain.len());
    for line in &uncertain {
        // The salary is in quotes, as it has a comma.
        let fields: Vec<&str> = line.rsplit(',').collect();
        let [_, _, high, low, _, ..] = fields.as_slice() else { panic!("{line}") };
        let words = if *low == "0" { format!("at most {high}") } else { format!("{low} to {high}") };
        assert!(report.contains(&format!("<td class=\"number uncertain\">{words}</td>")), "{line}");
    }
    let page = report.split("<summary>The certificate</summary>").next().expect("the words");
    assert!(!page.contains("true count"), "counts of people who were cut are no true counts of a bin");
    assert!(page.contains("the number of people counted in the bin"), "{page}");
    assert!(page.contains("A person is counted in at most 1 of her bins"), "{page}");
    let folder = delivered(&rows_are_people(), "", home.path());
    let report = fs::read_to_string(folder.join("report.html")).expect("a report");
    assert!(report.contains("the true count") && !report.contains("counted in at most"));
}

#[test]
fn tables_as_version_2_has_them_are_called_count_and_look_like_facts() {
    let mut request = crate::request::Request::parse(SALARIES).expect("a request");
    request.output =
        OutputRequest { manner: TableManner::Plain, quality: QualityColumn::LeftOut, ..OutputRequest::default() };
    assert_eq!(request.count_heading(), "count");
    let plan = crate::plan::Plan::of(&request, None).unwrap_or_else(|refusal| panic!("{refusal}"));
    let home = tempfile::tempdir().expect("a folder");
    let folder = deliver(&plan, cells(50, |cell| value(cell as i64)), home.path(), Randomness::OperatingSystem);
    let table = fs::read_to_string(folder.join("counts.csv")).expect("a table");
    assert!(table.starts_with("department,salary,count,low,high,status\n"), "{table}");
    let report = fs::read_to_string(folder.join("report.html")).expect("a report");
    assert!(!report.contains("class=\"number quiet\">at most") && !report.contains("<tr class=\"quiet\">"));
}
