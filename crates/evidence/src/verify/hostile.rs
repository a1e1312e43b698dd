//! Folders that were made to harm whoever verifies them: to stall it, to break it, or to carry something unseen.

use super::tests::explain;
use super::*;
use crate::certificate::{Randomness, certificate_text, request_of};
use crate::example::{cells, deliver, plan_of, salaries, value};
use incrowd_privacy::{Outcome, SideValue};
use incrowd_published::Shown;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::KeyValue;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn certificate_in(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("certificate.json")).expect("a file")).expect("JSON")
}

/// Puts a table in the place of another, with its hash.
fn exchange(folder: &Path, name: &str, bytes: &[u8]) {
    fs::write(folder.join(name), bytes).expect("written");
    let mut certificate = certificate_in(folder);
    for table in certificate["tables"].as_array_mut().expect("tables") {
        if table["name"] == name {
            table["sha256"] = json!(crate::files::hex(Sha256::new_with_prefix(bytes)));
        }
    }
    fs::write(folder.join("certificate.json"), certificate_text(&certificate)).expect("written");
}

fn failed(verdict: &Verdict) -> Vec<&'static str> {
    verdict.checks.iter().filter(|check| check.result == CheckResult::Failed).map(|check| check.name).collect()
}

const THREE: &str = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [\"x\", \"y\", \"z\"]\n";
const CSV: &str = "[output]\nformats = [\"csv\"]\n";

/// One folder of each mechanism, with tables of CSV alone.
fn of_each_mechanism(home: &Path) -> Vec<(&'static str, PathBuf)> {
    let plain = "kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n";
    let groups = "kind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1\ndelta = \"1e-3\"\n";
    let crowd = "kind = \"crowd-blending\"\ncrowd = 12\nepsilon = \"1/5\"\n";
    let several = "kind = \"group\"\ngroup = 4\nepsilon = 1\n";
    let outlier = "kind = \"simple-outlier\"\ngroup = 10\nepsilon = 1\n";
    let fading = "kind = \"fading\"\ngroup = 40\nwidth = 5\nepsilon = 1\nfactor = \"1/2\"\ndelta = \"3/10\"\n";
    let stairs = "kind = \"staircase\"\nthresholds = [20, 5]\nepsilons = [1, \"1/2\", \"1/4\"]\ndelta = \"1e-2\"\n";
    let named = |name: &str| format!("[mechanism]\nname = \"{name}\"\n");
    [
        ("tailored-geometric", groups, String::new()),
        ("relay", plain, named("relay")),
        ("geometric", plain, named("geometric")),
        ("group-geometric", several, named("group-geometric")),
        ("suppress-below", crowd, named("suppress-below")),
        ("suppress-up-to", outlier, named("suppress-up-to")),
        ("noise-below", crowd, named("noise-below")),
        ("noise-up-to", outlier, named("noise-up-to")),
        ("noisy-suppress", groups, named("noisy-suppress")),
        ("noisy-noise", groups, named("noisy-noise")),
        ("staircase", stairs, named("staircase")),
        ("fading", fading, named("fading")),
        ("threshold", plain, named("threshold")),
        ("range", plain, named("range") + "half-width = 20\n"),
        ("general", groups, named("general") + "epsilon-a = \"1/20\"\n"),
    ]
    .into_iter()
    .map(|(name, promise, mechanism)| {
        let estimates = match name {
            "range" => "",
            "tailored-geometric" | "geometric" => "estimate = \"median\"\nprior = [0, 100]\nrounding = 5\n",
            _ => "estimate = \"clamped\"\nrounding = 5\n",
        };
        let plan = plan_of(&format!("{THREE}[promise]\n{promise}{mechanism}{CSV}{estimates}"));
        let shown = |cell: u64| match name {
            "range" => Shown {
                outcome: Outcome::Range(cell as i64 * 15 - 20, cell as i64 * 15 + 20),
                side_value: SideValue::Nothing,
            },
            _ => value(300 + cell as i64),
        };
        let folder = deliver(&plan, cells(3, shown), home, Randomness::OperatingSystem);
        let kept = home.join(name);
        fs::rename(folder, &kept).expect("renamed");
        (name, kept)
    })
    .collect()
}

#[test]
fn numbers_beyond_any_count_are_an_answer_and_never_a_panic() {
    let home = home();
    for (name, folder) in of_each_mechanism(home.path()) {
        let verdict = verify(&folder, MOST_WORK).expect("a verdict");
        assert!(verdict.is_passed(), "{name}: {}", explain(&verdict));
        let table = fs::read_to_string(folder.join("counts.csv")).expect("a table");
        let row = table.lines().nth(1).expect("a row");
        let numbers: Vec<usize> = (1..=3).collect();
        for extreme in [i64::MAX, i64::MIN, 1 << 62, -(1 << 62), 1 << 53] {
            for columns in [&numbers[..1], &numbers[1..], &numbers[..]] {
                let mut fields: Vec<String> = row.split(',').map(String::from).collect();
                columns.iter().for_each(|column| fields[*column] = extreme.to_string());
                let forged = table.replacen(row, &fields.join(","), 1);
                if forged == table {
                    continue;
                }
                exchange(&folder, "counts.csv", forged.as_bytes());
                let verdict = verify(&folder, MOST_WORK).expect("a verdict");
                assert!(!verdict.is_passed(), "{name}: {}", fields.join(","));
            }
        }
    }
}

#[test]
fn a_certificate_that_asks_for_endless_work_is_not_verified_and_does_not_stall() {
    let steps = 60u64;
    let list = |of: &dyn Fn(u64) -> String, count: u64| (0..count).map(of).collect::<Vec<_>>().join(", ");
    let thresholds = list(&|step| (10_000 - 150 * step).to_string(), steps);
    let epsilons = list(&|step| format!("\"{}/610\"", 61 - step), steps + 1);
    let levels = list(&|step| (20_000 - 150 * step).to_string(), steps);
    let small = format!(
        "{THREE}[promise]\nkind = \"staircase\"\nthresholds = [20, 5]\nepsilons = [1, \"1/2\", \"1/4\"]\ndelta = \"1e-2\"\n[mechanism]\nname = \"staircase\"\n{CSV}"
    );
    let home = home();
    let folder = deliver(&plan_of(&small), cells(3, |_| value(40)), home.path(), Randomness::OperatingSystem);
    let large = format!(
        "{THREE}[promise]\nkind = \"staircase\"\nthresholds = [{thresholds}]\nepsilons = [{epsilons}]\ndelta = \"1e-6\"\n[mechanism]\nname = \"staircase\"\nlevels = [{levels}]\n"
    );
    let request = crate::request::Request::parse(&large).unwrap_or_else(|error| panic!("{error:?}"));
    let mut certificate = certificate_in(&folder);
    certificate["request"] = serde_json::from_str(&request.canonical_json()).expect("JSON");
    assert!(request_of(&certificate["request"]).is_some());
    certificate["request_hash"] = json!(request.request_hash());
    certificate["binning_hash"] = json!(request.binning_hash(certificate.get("reading")));
    let parameters = &mut certificate["mechanism"]["parameters"];
    parameters["levels"] = (0..steps).map(|step| json!(20_000 - 150 * step)).collect();
    fs::write(folder.join("certificate.json"), certificate_text(&certificate)).expect("written");
    let start = Instant::now();
    let verdict = verify(&folder, 50_000_000).expect("a verdict");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert!(!verdict.is_passed() && !verdict.is_complete(), "{}", explain(&verdict));
    assert!(explain(&verdict).contains("takes more than 50000000 cells; `--most-work` raises that limit"));
    // A table that is not as certified is found before any of that.
    fs::write(folder.join("counts.csv"), "x").expect("written");
    let verdict = verify(&folder, 50_000_000).expect("a verdict");
    assert_eq!(failed(&verdict), ["table hash"], "{}", explain(&verdict));
}

#[test]
fn quotes_that_nothing_asks_for_are_found() {
    let home = home();
    for (name, folder) in of_each_mechanism(home.path()).into_iter().take(3) {
        let table = fs::read_to_string(folder.join("counts.csv")).expect("a table");
        for (from, to) in [("x,", "\"x\","), ("b,count", "\"b\",count"), (",published", ",\"published\"")] {
            exchange(&folder, "counts.csv", table.replacen(from, to, 1).as_bytes());
            let verdict = verify(&folder, MOST_WORK).expect("a verdict");
            assert!(failed(&verdict).contains(&"table contents"), "{name} {to}: {}", explain(&verdict));
        }
    }
}

#[test]
fn a_parquet_file_with_words_of_its_own_is_found() {
    let home = home();
    let (_, folder) = salaries(home.path());
    let file = fs::File::open(folder.join("counts.parquet")).expect("a file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("parquet").build().expect("a reader");
    let batches: Vec<_> = reader.map(|batch| batch.expect("rows")).collect();
    for foreign in [true, false] {
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batches[0].schema(), None).expect("a writer");
        for batch in &batches {
            writer.write(batch).expect("written");
        }
        if foreign {
            writer.append_key_value_metadata(KeyValue::new("note".to_string(), "x".repeat(20_000)));
        }
        writer.close().expect("closed");
        // The same rows, in the bytes of another writer.
        exchange(&folder, "counts.parquet", &bytes);
        let verdict = verify(&folder, MOST_WORK).expect("a verdict");
        assert!(failed(&verdict).contains(&"table contents"), "{}", explain(&verdict));
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_in_place_of_files_are_refused_at_once() {
    let home = home();
    let (_, folder) = salaries(home.path());
    let start = Instant::now();
    for name in ["report.html", "counts.csv", "counts.arrow"] {
        let kept = fs::read(folder.join(name)).expect("a file");
        fs::remove_file(folder.join(name)).expect("removed");
        std::os::unix::fs::symlink("/dev/zero", folder.join(name)).expect("a link");
        assert!(!verify(&folder, MOST_WORK).expect("a verdict").is_passed(), "{name}");
        fs::remove_file(folder.join(name)).expect("removed");
        let made = std::process::Command::new("mkfifo").arg(folder.join(name)).status();
        if made.is_ok_and(|status| status.success()) {
            assert!(!verify(&folder, MOST_WORK).expect("a verdict").is_passed(), "{name}");
            fs::remove_file(folder.join(name)).expect("removed");
        }
        fs::write(folder.join(name), kept).expect("written");
    }
    assert!(verify(&folder, MOST_WORK).expect("a verdict").is_passed());
    fs::remove_file(folder.join("certificate.json")).expect("removed");
    std::os::unix::fs::symlink("/dev/zero", folder.join("certificate.json")).expect("a link");
    assert_eq!(verify(&folder, MOST_WORK), Err(VerifyError::NoCertificate));
    assert!(start.elapsed() < Duration::from_secs(60));
}
