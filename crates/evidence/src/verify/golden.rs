//! Folders that earlier versions delivered: all of them verify, and no number in them can be forged.

use super::tests::{at, explain, forged, is_beyond_a_verifier, places};
use super::words::without_sentences;
use super::*;
use crate::certificate::{SOFTWARE, certificate_text};
use std::fs;
use std::path::PathBuf;

/// The folders of version 0.1.0, one of each kind.
fn folders() -> Vec<PathBuf> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/0.1.0");
    let entries = fs::read_dir(golden).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.join("certificate.json").is_file()).collect();
    folders.sort();
    assert!(folders.len() >= 11, "one of each kind");
    folders
}

fn copied(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), copy.path().join(entry.file_name())).expect("copied");
    }
    copy
}

fn certificate_in(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("certificate.json")).expect("a file")).expect("JSON")
}

/// Writes a forged certificate and a report that carries it, as a careful forger would.
fn forge(folder: &Path, original: &str, certificate: &Value) {
    fs::write(folder.join("certificate.json"), certificate_text(certificate)).expect("written");
    let (before, rest) = original.split_once("<summary>The certificate</summary><pre><code>").expect("a certificate");
    let (_, after) = rest.split_once("</code></pre>").expect("its end");
    let text = serde_json::to_string_pretty(certificate).expect("text");
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let text = text.replace('"', "&quot;").replace('\'', "&#39;");
    let page = format!("{before}<summary>The certificate</summary><pre><code>{text}</code></pre>{after}");
    fs::write(folder.join("report.html"), page).expect("written");
}

fn is_accepted(folder: &Path) -> bool {
    verify(folder, MOST_WORK).is_ok_and(|verdict| verdict.is_passed())
}

#[test]
fn folders_of_version_0_1_0_verify_and_say_what_is_known_to_be_wrong() {
    for folder in folders() {
        let verdict = verify(&folder, MOST_WORK).expect("a verdict");
        assert!(verdict.is_passed(), "{}:\n{}", folder.display(), explain(&verdict));
        let said = explain(&verdict);
        assert!(said.contains("stated by incrowd 0.1.0, not recomputed"), "{said}");
        assert!(said.contains("delta bounds by how much the promise is exceeded"), "{said}");
        assert!(!said.contains("Passed words"), "sentences of another version are not verified:\n{said}");
        assert!(said.contains("report.html carries this very certificate"), "{said}");
    }
}

#[test]
fn no_number_of_an_earlier_certificate_can_be_changed_unnoticed() {
    let mut tried = 0;
    for (index, folder) in folders().into_iter().enumerate() {
        let copy = copied(&folder);
        let original = certificate_in(copy.path());
        let report = fs::read_to_string(copy.path().join("report.html")).expect("a report");
        forge(copy.path(), &report, &original);
        assert!(is_accepted(copy.path()), "{}: nothing was forged yet", folder.display());
        let mut all = Vec::new();
        places(&without_sentences(&original), &mut Vec::new(), &mut all);
        let step = (all.len() / 30).max(1);
        let some = all.iter().skip(index % step).step_by(step).cloned();
        let named = [&["delta"][..], &["curve", "0", "epsilon"], &["exact", "worst", "delta"], &["exact", "delta"]];
        let named = named.into_iter().map(|way| way.iter().map(|step| step.to_string()).collect::<Vec<String>>());
        let parameters = original["mechanism"]["parameters"].as_object().expect("an object").keys();
        let parameters = parameters.map(|name| vec!["mechanism".to_string(), "parameters".into(), name.clone()]);
        for way in some.chain(named).chain(parameters) {
            let mut changed = original.clone();
            if at(&mut without_sentences(&original), &way).is_null() {
                // A sentence: stated, not recomputed.
                continue;
            }
            let forgery = forged(at(&mut changed, &way)).swap_remove(0);
            *at(&mut changed, &way) = forgery.clone();
            forge(copy.path(), &report, &changed);
            tried += 1;
            let noticed = !is_accepted(copy.path());
            let place = format!("{}: {} := {forgery}", folder.display(), way.join("."));
            assert_eq!(noticed, !is_beyond_a_verifier(&way, &forgery), "{place}");
        }
    }
    assert!(tried > 200, "only {tried} forgeries were tried");
}

#[test]
fn a_map_may_be_turned_and_must_hold_the_same() {
    let points = folders().into_iter().find(|folder| folder.ends_with("points")).expect("a folder of points");
    let copy = copied(&points);
    let report = fs::read_to_string(copy.path().join("report.html")).expect("a report");
    for (from, to) in [(">91<", ">19<"), (">[-2, -1)<", ">[-1, 0)<"), (">33<", ">21<")] {
        let (before, map) = report.split_once("<table class=\"heat\">").expect("a map");
        let page = format!("{before}<table class=\"heat\">{}", map.replacen(from, to, 1));
        assert_ne!(page, report, "nothing was forged");
        fs::write(copy.path().join("report.html"), page).expect("written");
        assert!(!is_accepted(copy.path()), "{to} in place of {from}");
    }
}

#[test]
fn tables_reports_and_versions_of_earlier_folders_cannot_be_exchanged() {
    for folder in folders() {
        let copy = copied(&folder);
        let original = certificate_in(copy.path());
        let report = fs::read_to_string(copy.path().join("report.html")).expect("a report");
        let name = original["tables"][0]["name"].as_str().expect("a name");
        let table = fs::read(copy.path().join(name)).expect("a table");
        let place = table.iter().rposition(u8::is_ascii_digit).expect("a digit");
        let mut changed = table.clone();
        changed[place] ^= 1;
        fs::write(copy.path().join(name), &changed).expect("written");
        assert!(!is_accepted(copy.path()), "{}: a digit of {name}", folder.display());
        fs::write(copy.path().join(name), &table).expect("written");
        // Neither the version nor the author can be chosen so that less is compared.
        for (version, software) in [(3, "incrowd 0.1.0"), (3, SOFTWARE), (2, SOFTWARE), (2, "trust me 0.1.0")] {
            let mut changed = original.clone();
            changed["version"] = json!(version);
            changed["software"] = json!(software);
            forge(copy.path(), &report, &changed);
            assert!(!is_accepted(copy.path()), "{}: version {version} by {software}", folder.display());
        }
        forge(copy.path(), &report, &original);
        let first_row = report.split_once("<h2>What is published</h2>").expect("a heading").1;
        let first_row = first_row.split_once("<div class=\"wide\" tabindex=\"0\"><table>\n<thead>").expect("a table").1;
        let (first_row, _) = first_row.split_once("<tbody>\n<tr>").expect("rows").1.split_once("</tr>").expect("a row");
        let digit = first_row.chars().find(char::is_ascii_digit).expect("a number");
        let other = if digit == '9' { "8" } else { "9" };
        for (from, to) in [
            (report.as_str(), ""),
            (report.as_str(), "<script>alert(1)</script>"),
            ("request_hash", "hash"),
            ("</main>", "<script>alert(1)</script></main>"),
            ("</html>\n", "</html>\n<script>alert(1)</script>"),
            ("</html>\n", "</html>\n<p>See elsewhere.</p>"),
            ("<!DOCTYPE html>", "<p>See elsewhere.</p><!DOCTYPE html>"),
            ("<h1>", "<h1 onclick=\"alert(1)\">"),
            ("<h1>", "<h1 style=\"background:url(x)\">"),
            ("</h1>", "</h1><a href=\"x\">The true counts</a>"),
            ("</h1>", "</h1><!-- true counts -->"),
            ("<style>\n", "<style>\ntable { display: none; }\n"),
            ("default-src 'none'; ", ""),
            ("<meta http-equiv=\"Content-Security-Policy\"", "<meta"),
            ("<h2>What is published</h2>", "<h2>What was published</h2>"),
            ("<tbody>\n", "<tbody>\n<tr><td>more</td></tr>\n"),
            (first_row, &first_row.replace(digit, other)),
            (first_row, ""),
        ] {
            // Of every table, so of the one with the published rows.
            let page = if from == "<tbody>\n" { report.replace(from, to) } else { report.replacen(from, to, 1) };
            assert_ne!(page, report, "nothing was forged");
            fs::write(copy.path().join("report.html"), page).expect("written");
            assert!(!is_accepted(copy.path()), "{}: {to:?} in place of {from:.80}", folder.display());
        }
        fs::remove_file(copy.path().join("report.html")).expect("removed");
        assert!(!is_accepted(copy.path()), "{}: no report", folder.display());
    }
}
