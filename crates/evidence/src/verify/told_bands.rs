//! Folders with medians and means of bands: they verify in every format, and nothing of it can be forged.

use super::tests::explain;
use super::*;
use crate::certificate::{Randomness, certificate_text};
use crate::example::{SALARIES, cells, deliver, plan_of, value};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;

fn delivered(output: &str, home: &Path) -> PathBuf {
    let plan = plan_of(&format!("{SALARIES}\n[output]\n{output}\n"));
    deliver(&plan, cells(50, |cell| value((cell * 37 % 11 * 130) as i64)), home, Randomness::OperatingSystem)
}

fn passes(folder: &Path) -> bool {
    verify(folder, MOST_WORK).expect("a verdict").is_passed()
}

#[test]
fn statistics_verify_in_every_format() {
    for output in [
        "statistics = \"salary\"\nformats = [\"csv\", \"parquet\", \"arrow\", \"xlsx\"]",
        "statistics = \"salary\"\nmargins = [[]]\nquantiles = [\"1/3\"]",
    ] {
        let home = tempfile::tempdir().expect("a folder");
        let verdict = verify(&delivered(output, home.path()), MOST_WORK).expect("a verdict");
        assert!(verdict.is_passed(), "{output}{}", explain(&verdict));
    }
}

#[test]
fn statistics_that_do_not_follow_from_the_table_are_found() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = delivered("statistics = \"salary\"", home.path());
    let text = fs::read_to_string(folder.join("statistics.csv")).expect("a table");
    let path = folder.join("certificate.json");
    let certificate: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    let with = |text: &str| {
        fs::write(folder.join("statistics.csv"), text).expect("written");
        let mut certificate = certificate.clone();
        for table in certificate["tables"].as_array_mut().expect("tables") {
            if table["name"] == "statistics.csv" {
                table["sha256"] = json!(crate::files::hex(Sha256::new_with_prefix(text.as_bytes())));
            }
        }
        fs::write(&path, certificate_text(&certificate)).expect("written");
        passes(&folder)
    };
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 6 * 4, "a mean and three quantiles of five departments and over all");
    for at in 1..lines.len() {
        for field in 2..5 {
            let mut fields: Vec<String> = lines[at].split(',').map(String::from).collect();
            let number: i64 = fields[field].parse().expect("a number");
            fields[field] = (number + 100).to_string();
            let forged: String = lines
                .iter()
                .enumerate()
                .map(|(own, line)| if own == at { fields.join(",") } else { line.to_string() } + "\n")
                .collect();
            assert!(!with(&forged), "{} as {}", lines[at], fields.join(","));
        }
    }
    assert!(!with(&text.replacen("median of salary", "mean of salary", 1)));
    assert!(!with(&text.lines().take(5).map(|line| format!("{line}\n")).collect::<String>()));
    assert!(with(&text));
}

#[test]
fn a_step_that_says_something_else_is_found() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = delivered("statistics = \"salary\"", home.path());
    let path = folder.join("certificate.json");
    let certificate: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    let steps = certificate["postprocessing"].as_array().expect("steps");
    let at = steps.iter().position(|step| step["step"] == "statistics").expect("a step");
    assert_eq!(steps[at]["of"], "salary");
    assert_eq!(steps[at]["quantiles"], json!(["1/4", "1/2", "3/4"]));
    for (field, other) in [
        ("of", json!("department")),
        ("of", json!("nothing")),
        ("quantiles", json!(["1/4", "1/2"])),
        ("quantiles", json!(["1/4", "1/2", "4/5"])),
        ("quantiles", json!([])),
        ("quantiles", json!(["1/2", "1/4", "3/4"])),
        ("quantiles", json!(["0.25", "1/2", "3/4"])),
        ("quantiles", json!(["1/4", "1/2", "3/2"])),
    ] {
        let mut forged = certificate.clone();
        forged["postprocessing"][at][field] = other.clone();
        fs::write(&path, certificate_text(&forged)).expect("written");
        assert!(!passes(&folder), "{field} {other}");
    }
    let mut without = certificate.clone();
    without["postprocessing"].as_array_mut().expect("steps").remove(at);
    fs::write(&path, certificate_text(&without)).expect("written");
    assert!(!passes(&folder), "a step that is left out");
}
