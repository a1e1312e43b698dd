//! Folders whose report has the publisher's own words, hostile ones too: all verify, nothing in them acts, and the
//! words of the page are those of the certificate.

use super::markup;
use super::tests::explain;
use super::*;
use crate::certificate::{Randomness, certificate_text};
use crate::example::{SALARIES, cells, deliver, plan_of, value};
use std::fs;
use std::path::PathBuf;

const EVIL: &str = "<script>alert(1)</script><a href='http://x'>\u{202e}\u{7}&lt;\"";

fn delivered(report: &str, home: &Path) -> PathBuf {
    let plan = plan_of(&format!("{SALARIES}\n[output]\nmargins = true\n{report}"));
    deliver(&plan, cells(50, |cell| value((cell * 37 % 11 * 130) as i64)), home, Randomness::OperatingSystem)
}

fn verdict(folder: &Path) -> Verdict {
    verify(folder, MOST_WORK).expect("a verdict")
}

fn page_of(folder: &Path) -> String {
    fs::read_to_string(folder.join("report.html")).expect("a report")
}

#[test]
fn words_of_the_publisher_stand_in_the_report_and_verify() {
    let home = tempfile::tempdir().expect("a folder");
    let words = "[report]\ntitle = \"Our people\"\npublisher = \"HR\"\ndate = 2026-11-18\ntext = \"One.\\n\\nTwo.\"\n[report.names]\ndepartment = \"Unit\"\n[report.labels.department]\n\"Sales\" = \"Selling\"\n[report.labels.salary]\n\"[0, 20000)\" = \"low\"\n";
    let folder = delivered(words, home.path());
    assert!(verdict(&folder).is_passed(), "{}", explain(&verdict(&folder)));
    let page = page_of(&folder);
    for said in [
        "<h1>Our people</h1>",
        "<p class=\"quiet\">HR, 2026-11-18</p>",
        "<blockquote>\n<p>One.</p>\n<p>Two.</p>\n</blockquote>",
        ">Selling (Sales)</th>",
        "<td class=\"short\">Selling (Sales)</td><td class=\"short\">low ([0, 20000))</td>",
        "<th scope=\"col\">Unit</th>",
        "the publisher&#39;s",
        "<a href=\"margins.csv\" download>margins.csv</a>",
    ] {
        assert!(page.contains(said), "{said}");
    }
    let csv = fs::read_to_string(folder.join("counts.csv")).expect("a table");
    assert!(csv.starts_with("department,salary,") && !csv.contains("Selling"), "tables have no names of a report");
}

#[test]
fn hostile_words_do_not_act() {
    let home = tempfile::tempdir().expect("a folder");
    let evil = EVIL.replace('\u{7}', "\\u0007").replace('"', "\\\"");
    let words = format!(
        "[report]\ntitle = \"{evil}\"\npublisher = \"{evil}\"\ndate = \"{evil}\"\ncontact = \"{evil}\"\ntext = \"{evil}\"\n[report.names]\ndepartment = \"{evil}\"\n[report.labels.department]\n\"Sales\" = \"{evil}\"\n"
    );
    let folder = delivered(&words, home.path());
    assert!(verdict(&folder).is_passed(), "{}", explain(&verdict(&folder)));
    let page = page_of(&folder);
    assert!(markup::page(&page, &["counts.csv", "margins.csv", "consistent.csv"]).is_some(), "nothing acts");
    assert!(markup::page(&page, &["counts.csv"]).is_none(), "and every link is to a file that is listed");
    assert!(!page.contains("<script") && !page.contains("<a href='") && !page.contains(['\u{202e}', '\u{7}']));
}

#[test]
fn other_words_than_those_of_the_certificate_are_found() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = delivered("[report]\ntitle = \"Our people\"\n", home.path());
    let (path, page) = (folder.join("report.html"), page_of(&folder));
    fs::write(&path, page.replace("<h1>Our people", "<h1>Your people")).expect("written");
    assert!(!verdict(&folder).is_passed());
    fs::write(&path, page.replace("href=\"counts.csv\"", "href=\"other.csv\"")).expect("written");
    assert!(!verdict(&folder).is_passed());
    fs::write(&path, &page).expect("written");
    assert!(verdict(&folder).is_passed());
    // A step that says more than a request could.
    let file = folder.join("certificate.json");
    let original: Value = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("JSON");
    for forge in [
        |step: &mut Value| step["title"] = json!("x".repeat(201)),
        |step: &mut Value| step["more"] = json!(1),
        |step: &mut Value| step["title"] = Value::Null,
    ] {
        let mut forged = original.clone();
        let steps = forged["postprocessing"].as_array_mut().expect("steps");
        forge(steps.iter_mut().find(|step| step["step"] == "report").expect("a step"));
        fs::write(&file, certificate_text(&forged)).expect("written");
        assert!(!verdict(&folder).is_passed(), "{forged}");
    }
}

#[test]
fn a_rehearsal_says_so_across_every_sheet() {
    let home = tempfile::tempdir().expect("a folder");
    let plan = plan_of(&SALARIES.replace("[data]\n", "[data]\nsynthetic = true\n"));
    let folder = deliver(&plan, cells(50, |_| value(40)), home.path(), Randomness::KnownSeed);
    let page = page_of(&folder);
    assert!(page.contains("<title>REHEARSAL: People by department and salary</title>"), "{page}");
    assert!(page.contains("<body class=\"rehearsal\">") && page.contains("<h1>REHEARSAL: "));
    assert!(page.contains("role=\"alert\">REHEARSAL. NOT PRIVATE"));
    assert!(verdict(&folder).is_passed(), "{}", explain(&verdict(&folder)));
}

#[test]
fn an_empty_release_explains_itself() {
    let home = tempfile::tempdir().expect("a folder");
    let plan = plan_of(
        "[[bins]]\nname = \"word\"\ncolumn = \"w\"\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n[ledger]\ndataset = \"d\"\n",
    );
    let folder = deliver(&plan, Vec::new(), home.path(), Randomness::OperatingSystem);
    assert!(verdict(&folder).is_passed(), "{}", explain(&verdict(&folder)));
    let page = page_of(&folder);
    assert!(page.contains("<p>Nothing is shown.") && page.contains(&plan.shows_words().expect("sizes")[4..]), "{page}");
}
