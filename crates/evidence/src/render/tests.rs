use super::*;
use crate::certificate::Randomness;
use crate::example::{PlainFolder, SALARIES, cells, deliver, plan_of, value};
use crate::request::{CsvStart, Estimate, Format, KeyCells, Margins};
use crate::verify::{CheckResult, MOST_WORK, verify};
use arrow_array::{ArrayRef, Int64Array, StringArray, UInt64Array};
use incrowd_published::{Keys, PublishedBatch};
use std::fs;
use std::sync::Arc;

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Makes a folder from another one, as the command does.
fn made(from: &Path, change: impl FnOnce(&mut OutputRequest), home: &Path) -> std::path::PathBuf {
    let original = Original::open(from, MOST_WORK).unwrap_or_else(|error| panic!("{error}"));
    let mut output = original.output().clone();
    change(&mut output);
    let plan = original.presented(output).unwrap_or_else(|error| panic!("{error}"));
    let folder = PlainFolder::create(home);
    let rendered = original.write(&plan, &folder).unwrap_or_else(|error| panic!("{error}"));
    fs::write(folder.path.join("certificate.json"), rendered.certificate).expect("written");
    fs::write(folder.path.join("report.html"), rendered.report).expect("written");
    folder.path
}

fn explain(verdict: &Verdict) -> String {
    verdict.checks.iter().map(|check| format!("{:?} {}: {}\n", check.result, check.name, check.detail)).collect()
}

fn assert_passes(folder: &Path, parent: &Path) {
    let verdict = verify(folder, MOST_WORK).expect("a verdict");
    assert!(verdict.is_passed(), "{}", explain(&verdict));
    let is_trusted = |result| verdict.checks.iter().any(|check| check.name == PARENT && check.result == result);
    assert!(is_trusted(CheckResult::Trusted), "{}", explain(&verdict));
    let verdict = verify_with_parent(folder, parent, MOST_WORK).expect("a verdict");
    assert!(verdict.is_passed(), "{}", explain(&verdict));
    let last = verdict.checks.last().expect("a check");
    assert_eq!((last.name, last.result), (PARENT, CheckResult::Passed));
}

const FOUND: &str = "[[bins]]\nname = \"word\"\ncolumn = \"w\"\nnulls = \"bin\"\n[[bins]]\nname = \"age\"\ncolumn = \"a\"\nedges = [0, 20, \"100/3\"]\nother = true\nnulls = \"bin\"\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n[ledger]\ndataset = \"d\"\n";

/// Found keys of a type beside declared ones, missing ones too.
fn found(output: &str, words: ArrayRef, home: &Path) -> std::path::PathBuf {
    let plan = plan_of(&format!("{FOUND}{output}"));
    let codes: ArrayRef = Arc::new((0..words.len() as u64).map(|at| Some(at % 4)).collect::<UInt64Array>());
    let shown = (0..words.len()).map(|at| value(40 + at as i64)).collect();
    let batch = PublishedBatch { keys: Keys::Columns(vec![words, codes]), shown };
    deliver(&plan, vec![batch], home, Randomness::OperatingSystem)
}

#[test]
fn a_rendering_has_other_totals_estimates_and_files_and_verifies_with_its_parent() {
    let (one, two, three) = (home(), home(), home());
    let parent = deliver(
        &plan_of(SALARIES),
        cells(50, |cell| value((cell * 37 % 11 * 130) as i64)),
        one.path(),
        Randomness::OperatingSystem,
    );
    let child = made(
        &parent,
        |output| {
            output.margins = Margins::All;
            output.estimate = Some(Estimate::Unbiased);
            output.rounding = Some(5);
            output.csv_start = CsvStart::ByteOrderMark;
            output.keys = KeyCells::Named { missing: "(none)".into() };
            output.formats = vec![Format::Xlsx, Format::Parquet, Format::Csv, Format::Arrow];
        },
        two.path(),
    );
    assert_passes(&child, &parent);
    let csv = fs::read_to_string(child.join("counts.csv")).expect("a table");
    assert!(csv.starts_with("\u{feff}department,salary,counted,low,high,status,estimate,rounded,quality\n"), "{csv}");
    for name in
        ["counts.xlsx", "counts.parquet", "margins.csv", "margins.arrow", "consistent.csv", "consistent.parquet"]
    {
        assert!(child.join(name).is_file(), "{name}");
    }
    assert!(!child.join("margins.xlsx").exists());
    // Back again: the same table, byte for byte, as its parent's.
    let back = made(
        &child,
        |output| *output = OutputRequest { keys: output.keys.clone(), ..OutputRequest::default() },
        three.path(),
    );
    assert_passes(&back, &child);
    let table = |folder: &Path| fs::read(folder.join("counts.csv")).expect("a table");
    assert_eq!(table(&back), table(&parent));
    let certificate = |folder: &Path| fs::read(folder.join("certificate.json")).expect("a certificate");
    let hashes = [&parent, &child].map(|folder| CertificateHash::of(&certificate(folder)).as_str().to_string());
    let stated: serde_json::Value = serde_json::from_slice(&certificate(&back)).expect("JSON");
    assert_eq!(stated["derived_from"]["certificates"], serde_json::json!(hashes), "the paid one first");
    let wrong = verify_with_parent(&back, &parent, MOST_WORK).expect("a verdict");
    assert!(!wrong.is_passed(), "it was made from the one between");
    let none = verify_with_parent(&parent, &child, MOST_WORK).expect("a verdict");
    assert!(!none.is_passed(), "a release is made from nothing");
}

#[test]
fn keys_keep_their_types_though_the_parent_is_a_csv_file() {
    for words in [
        Arc::new(StringArray::from(vec![Some("'=1"), Some("(missing)"), Some("=1"), Some("@x"), Some("a,b"), None]))
            as ArrayRef,
        Arc::new(Int64Array::from(vec![Some(-3), Some(7), Some(10), None])),
    ] {
        let (one, two, three, four) = (home(), home(), home(), home());
        let direct =
            found("[output]\nformats = [\"csv\", \"parquet\", \"arrow\", \"xlsx\"]\n", Arc::clone(&words), one.path());
        let alone = found("", words, two.path());
        let all = made(
            &alone,
            |output| output.formats = vec![Format::Csv, Format::Parquet, Format::Arrow, Format::Xlsx],
            three.path(),
        );
        assert_passes(&all, &alone);
        for name in ["counts.csv", "counts.parquet", "counts.arrow", "counts.xlsx"] {
            assert_eq!(
                fs::read(all.join(name)).expect("a file"),
                fs::read(direct.join(name)).expect("a file"),
                "{name}"
            );
        }
        let back = made(&all, |output| output.formats = vec![Format::Csv], four.path());
        assert_eq!(
            fs::read(back.join("counts.csv")).expect("a file"),
            fs::read(alone.join("counts.csv")).expect("a file")
        );
    }
}

#[test]
fn nothing_is_made_from_a_folder_that_does_not_verify_or_cannot_be_presented_so() {
    let one = home();
    let parent = deliver(&plan_of(SALARIES), cells(50, |_| value(130)), one.path(), Randomness::OperatingSystem);
    let original = Original::open(&parent, MOST_WORK).unwrap_or_else(|error| panic!("{error}"));
    let with = |change: fn(&mut OutputRequest)| {
        let mut output = original.output().clone();
        change(&mut output);
        original.presented(output).err()
    };
    assert_eq!(
        with(|output| output.formats = vec![Format::Xlsx]),
        Some(RenderError::Output(OutputRefusal::WorkbookAlone))
    );
    let listed = with(|output| output.keys = KeyCells::Named { missing: "Sales".into() });
    assert!(matches!(listed, Some(RenderError::Refused(_))), "{listed:?}");
    assert_eq!(with(|_| {}), None);
    let table = parent.join("counts.csv");
    let text = fs::read_to_string(&table).expect("a table");
    fs::write(&table, text.replacen("130", "131", 1)).expect("forged");
    assert_eq!(Original::open(&parent, MOST_WORK).err(), Some(RenderError::NotVerified));
    fs::remove_file(parent.join("certificate.json")).expect("removed");
    assert_eq!(Original::open(&parent, MOST_WORK).err(), Some(RenderError::Unreadable(VerifyError::NoCertificate)));
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/0.1.0/histogram");
    let error = Original::open(&old, MOST_WORK).err();
    assert_eq!(error, Some(RenderError::AnotherVersion { software: "incrowd 0.1.0".into() }));
}

#[test]
fn a_folder_that_names_a_parent_with_other_counts_is_found_out_by_who_has_both() {
    let (one, two, three) = (home(), home(), home());
    let parent = deliver(&plan_of(SALARIES), cells(50, |_| value(130)), one.path(), Randomness::OperatingSystem);
    let other = deliver(&plan_of(SALARIES), cells(50, |_| value(260)), two.path(), Randomness::OperatingSystem);
    let child = made(&other, |output| output.rounding = Some(5), three.path());
    // The forger says that it was made from the other folder, and writes everything else as it should be.
    let forged = Original::open(&other, MOST_WORK).unwrap_or_else(|error| panic!("{error}"));
    let mut verified = forged.verified;
    verified.hash = CertificateHash::of(&fs::read(parent.join("certificate.json")).expect("a certificate"));
    let forged = Original { verified };
    let plan = forged
        .presented(OutputRequest { rounding: Some(5), ..forged.output().clone() })
        .unwrap_or_else(|error| panic!("{error}"));
    let rendered = forged.write(&plan, &Nameless).unwrap_or_else(|error| panic!("{error}"));
    fs::write(child.join("certificate.json"), rendered.certificate).expect("written");
    fs::write(child.join("report.html"), rendered.report).expect("written");
    assert!(verify(&child, MOST_WORK).expect("a verdict").is_passed(), "alone it cannot be told");
    let verdict = verify_with_parent(&child, &parent, MOST_WORK).expect("a verdict");
    assert!(!verdict.is_passed(), "{}", explain(&verdict));
}
