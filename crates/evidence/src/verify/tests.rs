use super::*;
use crate::certificate::{Randomness, certificate_text};
use crate::example::{SALARIES, cells, deliver, plan_of, salaries, value};
use crate::verdict_page::VerdictEnding;
use arrow_array::{ArrayRef, Int64Array, StringArray, UInt64Array};
use incrowd_privacy::{Outcome, SideValue};
use incrowd_published::{Keys, PublishedBatch, Shown};
use sha2::{Digest, Sha256};
use std::fs;
use std::sync::Arc;

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn certificate_in(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("certificate.json")).expect("a file")).expect("JSON")
}

/// Writes a certificate as incrowd would.
fn rewrite(folder: &Path, certificate: &Value) {
    fs::write(folder.join("certificate.json"), certificate_text(certificate)).expect("written");
}

fn sha256(bytes: &[u8]) -> String {
    crate::files::hex(Sha256::new_with_prefix(bytes))
}

pub(super) fn explain(verdict: &Verdict) -> String {
    verdict.checks.iter().map(|check| format!("{:?} {}: {}\n", check.result, check.name, check.detail)).collect()
}

fn assert_passes(folder: &Path) {
    let verdict = verify(folder, MOST_WORK).expect("a verdict");
    assert!(verdict.is_passed(), "{}", explain(&verdict));
}

#[test]
fn what_was_delivered_passes() {
    let home = home();
    let (_, folder) = salaries(home.path());
    let verdict = verify(&folder, MOST_WORK).expect("a verdict");
    assert!(verdict.is_passed(), "{}", explain(&verdict));
    let names: Vec<&str> = verdict.checks.iter().map(|check| check.name).collect();
    assert_eq!(
        names,
        [
            "certificate form",
            "certificate text",
            "files",
            "table hash",
            "table hash",
            "table hash",
            "request",
            "identity",
            "promise",
            "mechanism",
            "accounting",
            "steps",
            "record",
            "words",
            "tables",
            "table contents",
            "same rows",
            "same rows",
            "report",
            "assumption",
            "assumption",
            "assumption",
            "assumption",
            "assumption",
            "assumption",
            "program",
            "ledger",
        ]
    );
}

/// Every place in a JSON value, by the way to it.
pub(super) fn places(value: &Value, way: &mut Vec<String>, all: &mut Vec<Vec<String>>) {
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, below)| {
            way.push(key.clone());
            places(below, way, all);
            way.pop();
        }),
        Value::Array(entries) if !entries.is_empty() => entries.iter().enumerate().for_each(|(index, below)| {
            way.push(index.to_string());
            places(below, way, all);
            way.pop();
        }),
        _ => all.push(way.clone()),
    }
}

pub(super) fn at<'v>(value: &'v mut Value, way: &[String]) -> &'v mut Value {
    way.iter().fold(value, |value, step| match value {
        Value::Array(entries) => &mut entries[step.parse::<usize>().expect("an index")],
        other => &mut other[step.as_str()],
    })
}

/// Values that are near the given one: those that a forger would choose.
pub(super) fn forged(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!("1"), json!(1)],
        Value::Bool(flag) => vec![json!(!flag), Value::Null],
        Value::Number(number) => {
            vec![json!(number.as_u64().unwrap_or(0) + 1), json!(number.to_string()), json!(-1), json!(1e300)]
        }
        Value::String(text) => {
            let flipped = if let Some(rest) = text.strip_prefix('1') { format!("2{rest}") } else { format!("1{text}") };
            vec![json!(flipped), json!(""), Value::Null, json!(format!("{text} "))]
        }
        Value::Array(_) | Value::Object(_) => vec![json!("x"), Value::Null],
    }
}

/// What a forger may change without `verify` noticing, and why.
pub(super) fn is_beyond_a_verifier(way: &[String], forged: &Value) -> bool {
    match way.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        // Which entry it is, and whether it opened the account, is known to the ledger alone; `ledger verify` looks
        // there.
        ["ledger", "seq"] => forged.is_u64(),
        ["ledger", "account_opened"] => forged.is_boolean(),
        ["ledger", "after", "releases"] => forged.is_u64(),
        ["ledger", "after", "delta"] => forged.as_str().is_some_and(|text| !text.is_empty() && !text.ends_with(' ')),
        ["ledger", "after", .., "epsilon" | "delta"] => {
            forged.is_null() || forged.as_str().is_some_and(|text| !text.is_empty() && !text.ends_with(' '))
        }
        _ => false,
    }
}

#[test]
fn no_field_of_a_certificate_can_be_changed_unnoticed() {
    for text in [
        SALARIES.to_string(),
        "[[bins]]\nname = \"i\"\ncolumn = \"i\"\nvalues = [1, 2]\n[promise]\nkind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1\ndelta = \"1e-3\"\n[mechanism]\nname = \"noisy-noise\"\n[output]\nprior = [0, 9]\nestimate = \"clamped\"\nrounding = 5\nmargins = true\n".to_string(),
    ] {
        let home = home();
        let plan = plan_of(&text);
        let size = if text == SALARIES { 50 } else { 2 };
        let folder = deliver(&plan, cells(size, |cell| value(cell as i64 % 2 * 500)), home.path(), Randomness::OperatingSystem);
        assert_passes(&folder);
        let original = certificate_in(&folder);
        let report = fs::read(folder.join("report.html")).expect("a file");
        let mut all = Vec::new();
        places(&original, &mut Vec::new(), &mut all);
        assert!(all.len() > 80);
        for way in &all {
            for forgery in forged(at(&mut original.clone(), way)) {
                let mut changed = original.clone();
                *at(&mut changed, way) = forgery.clone();
                if changed == original {
                    continue;
                }
                rewrite(&folder, &changed);
                // The report quotes the certificate: a forger would write a new one.
                fs::write(folder.join("report.html"), &report).expect("written");
                let noticed = !verify(&folder, MOST_WORK).is_ok_and(|verdict| {
                    verdict.checks.iter().all(|check| check.result != CheckResult::Failed || check.name == "report")
                });
                assert_eq!(noticed, !is_beyond_a_verifier(way, &forgery), "{} := {forgery}", way.join("."));
            }
        }
        // Nor can a field be left out, added, or said twice.
        for name in original.as_object().expect("an object").keys() {
            let mut changed = original.clone();
            changed.as_object_mut().expect("an object").remove(name);
            rewrite(&folder, &changed);
            assert!(!verify(&folder, MOST_WORK).is_ok_and(|verdict| verdict.is_passed()), "without {name}");
        }
        let text = certificate_text(&original);
        for (from, to) in [("\"version\": 3,", "\"version\": 3,\n  \"delta\": \"0\","), ("{\n", "{\n  \"note\": \"trust me\",\n"), ("{\n", "{ \n")] {
            fs::write(folder.join("certificate.json"), text.replacen(from, to, 1)).expect("written");
            assert!(!verify(&folder, MOST_WORK).is_ok_and(|verdict| verdict.is_passed()), "{to}");
        }
        rewrite(&folder, &original);
        assert_passes(&folder);
    }
}

#[test]
fn no_byte_of_a_table_or_report_can_be_changed_unnoticed() {
    let home = home();
    let (_, folder) = salaries(home.path());
    for name in ["counts.csv", "counts.parquet", "counts.arrow", "report.html"] {
        let path = folder.join(name);
        let original = fs::read(&path).expect("a file");
        let step = (original.len() / 40).max(1);
        // Numbers of drawings are compared to the thousandth of a unit.
        let is_finer = |place: usize| {
            let digits = original[..=place].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            digits > 3 && original.get(place.wrapping_sub(digits)) == Some(&b'.')
        };
        for place in (0..original.len()).step_by(step).filter(|place| name != "report.html" || !is_finer(*place)) {
            let mut changed = original.clone();
            changed[place] ^= 1;
            fs::write(&path, &changed).expect("written");
            assert!(!verify(&folder, MOST_WORK).expect("a verdict").is_passed(), "{name} at {place}");
        }
        fs::write(&path, &original[..original.len() - 1]).expect("written");
        assert!(!verify(&folder, MOST_WORK).expect("a verdict").is_passed(), "{name} cut");
        fs::write(&path, &original).expect("written");
    }
    assert_passes(&folder);
    fs::write(folder.join("counts2.csv"), "x").expect("written");
    assert!(!verify(&folder, MOST_WORK).expect("a verdict").is_passed());
    fs::remove_file(folder.join("counts2.csv")).expect("removed");
    for name in ["report.html", "counts.parquet"] {
        fs::remove_file(folder.join(name)).expect("removed");
        assert!(!verify(&folder, MOST_WORK).expect("a verdict").is_passed(), "without {name}");
    }
}

/// Replaces a table and its hash, as a forger would.
fn forge_csv(folder: &Path, forge: impl Fn(&str) -> String) {
    let original = fs::read_to_string(folder.join("counts.csv")).expect("a file");
    let forged = forge(&original);
    assert_ne!(original, forged, "nothing was forged");
    fs::write(folder.join("counts.csv"), &forged).expect("written");
    let mut certificate = certificate_in(folder);
    certificate["tables"][0]["sha256"] = json!(sha256(forged.as_bytes()));
    rewrite(folder, &certificate);
}

#[test]
fn tables_that_the_plan_could_not_have_made_are_noticed() {
    let home = home();
    for (what, from, to) in [
        ("a status that is not known", "published", "noisy"),
        ("a suppressed bin where none can be", "Sales,\"[0, 20000)\",0,0,", "Sales,\"[0, 20000)\",,,"),
        ("a key that is not declared", "Sales,\"[0, 20000)\"", "sales,\"[0, 20000)\""),
        ("an interval that was moved", ",published,", "1,published,"),
        ("a row that is missing", "Sales,\"[20000, 40000)\"", "Sales,\"[0, 20000)\""),
        ("another heading", "department,salary", "Department,salary"),
        ("a number with a fraction", "Sales,\"[0, 20000)\",0", "Sales,\"[0, 20000)\",0.0"),
        ("a negative count", "Sales,\"[0, 20000)\",0", "Sales,\"[0, 20000)\",-1"),
        ("carriage returns", "\n", "\r\n"),
    ] {
        let (_, folder) = salaries(home.path());
        fs::remove_file(folder.join("counts.parquet")).expect("removed");
        fs::remove_file(folder.join("counts.arrow")).expect("removed");
        let mut certificate = certificate_in(&folder);
        certificate["tables"].as_array_mut().expect("tables").truncate(1);
        rewrite(&folder, &certificate);
        forge_csv(&folder, |text| text.replacen(from, to, 1));
        let verdict = verify(&folder, MOST_WORK).expect("a verdict");
        let failed: Vec<&str> =
            verdict.checks.iter().filter(|check| check.result == CheckResult::Failed).map(|check| check.name).collect();
        assert!(failed.contains(&"table contents"), "{what}: {}", explain(&verdict));
    }
}

#[test]
fn formats_with_different_rows_are_noticed() {
    let home = home();
    let (plan, folder) = salaries(home.path());
    let parquet = fs::read(folder.join("counts.parquet")).expect("a file");
    let other = deliver(&plan, cells(50, |_| value(3)), home.path(), Randomness::OperatingSystem);
    fs::write(other.join("counts.parquet"), &parquet).expect("written");
    let mut certificate = certificate_in(&other);
    certificate["tables"][1]["sha256"] = json!(sha256(&parquet));
    rewrite(&other, &certificate);
    let verdict = verify(&other, MOST_WORK).expect("a verdict");
    let failed: Vec<&str> =
        verdict.checks.iter().filter(|check| check.result == CheckResult::Failed).map(|check| check.name).collect();
    assert!(failed.contains(&"same rows"), "{}", explain(&verdict));
}

#[test]
fn folders_of_every_kind_pass() {
    let shown = |outcome| Shown { outcome, side_value: SideValue::Nothing };
    let promise = "[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n";
    let three = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [\"x\", \"y\"]\nnulls = \"bin\"\n";
    let formats = "[output]\nformats = [\"parquet\", \"csv\"]\n";
    let words = |words: Vec<Option<&str>>| -> ArrayRef { Arc::new(StringArray::from(words)) };
    let found = |arrays: Vec<ArrayRef>, values: Vec<i64>| {
        vec![PublishedBatch { keys: Keys::Columns(arrays), shown: values.into_iter().map(value).collect() }]
    };
    let open = "[[bins]]\nname = \"w\"\ncolumn = \"w\"\nnulls = \"bin\"\n";
    for (name, request, batches) in [
        ("nothing published", format!("{open}{promise}{formats}"), Vec::new()),
        (
            "texts",
            format!("{open}{promise}{formats}"),
            found(vec![words(vec![Some(""), Some("=x,\n"), None])], vec![20, 30, 40]),
        ),
        (
            "numbers beside declared bins",
            format!("{open}{three}{promise}{formats}margins = true\n"),
            found(
                vec![
                    Arc::new(Int64Array::from(vec![Some(9), Some(10), Some(10), None])),
                    Arc::new(UInt64Array::from(vec![0, 0, 2, 1])),
                ],
                vec![20, 30, 40, 50],
            ),
        ),
        (
            "a zero run",
            format!("{three}[promise]\nkind = \"table\"\nvalues = [0, 0, 1]\n{formats}margins = true\n"),
            cells(3, |cell| shown(if cell == 0 { Outcome::AtMost(2) } else { Outcome::Value(40) })),
        ),
        (
            "suppressed bins",
            format!(
                "{three}[promise]\nkind = \"crowd-blending\"\ncrowd = 10\nepsilon = 0\n[mechanism]\nname = \"suppress-below\"\n{formats}"
            ),
            cells(3, |cell| shown(if cell == 0 { Outcome::Suppressed } else { Outcome::Value(10 + cell as i64) })),
        ),
        (
            "a threshold on declared bins, rounded",
            format!(
                "{three}{promise}[mechanism]\nname = \"tailored-geometric\"\nthreshold = 12\n{formats}rounding = 10\nmargins = true\nestimate = \"median\"\n"
            ),
            vec![PublishedBatch { keys: Keys::Cells(vec![0, 2]), shown: vec![value(12), value(94)] }],
        ),
        (
            "a range",
            format!("{three}{promise}[mechanism]\nname = \"range\"\nhalf-width = 20\n{formats}"),
            cells(3, |cell| shown(Outcome::Range(cell as i64 * 15 - 20, cell as i64 * 15 + 20))),
        ),
        (
            "levels and an estimate",
            format!(
                "{three}[promise]\nkind = \"staircase\"\nthresholds = [20, 5]\nepsilons = [1, \"1/2\", \"1/4\"]\ndelta = \"1e-2\"\n[mechanism]\nname = \"staircase\"\npublish-levels = true\n{formats}estimate = \"unbiased\"\n"
            ),
            cells(3, |cell| Shown {
                outcome: Outcome::Value(cell as i64 - 1),
                side_value: SideValue::Levels(vec![true, cell == 1]),
            }),
        ),
        (
            "an unbiased estimate",
            format!(
                "{three}[promise]\nkind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1\n{formats}estimate = \"unbiased\"\nmargins = [\"b\"]\n"
            ),
            cells(3, |cell| value(cell as i64 * 7)),
        ),
        (
            "several bins per person",
            format!(
                "[data]\nperson = \"p\"\nbins-per-person = 3\n{three}{promise}[mechanism]\nname = \"geometric\"\n{formats}"
            ),
            cells(3, |cell| value(cell as i64 * 7 - 5)),
        ),
    ] {
        let home = home();
        let folder = deliver(&plan_of(&request), batches, home.path(), Randomness::OperatingSystem);
        let verdict = verify(&folder, MOST_WORK).expect("a verdict");
        assert!(verdict.is_passed(), "{name}: {}", explain(&verdict));
    }
}

/// The salaries with totals, and what a forger could do to them.
#[test]
fn totals_are_sums_of_the_table_and_of_nothing_else() {
    let request = format!("{SALARIES}\n[output]\nformats = [\"csv\", \"parquet\"]\nmargins = [\"department\"]\n");
    let home = home();
    let folder = deliver(
        &plan_of(&request),
        cells(50, |cell| value(500 + cell as i64)),
        home.path(),
        Randomness::OperatingSystem,
    );
    assert_passes(&folder);
    let totals = fs::read_to_string(folder.join("margins.csv")).expect("a file");
    let lines: Vec<&str> = totals.lines().collect();
    assert_eq!(lines[0], "department,salary,total,standard_error,low,high,cells,omitted");
    // Far beyond the bend the noise is plain: the error is the root of 10 times 2q/(1-q)^2, q = 1/e.
    assert_eq!(lines[1], "Sales,(all),5045,4.292,5036,5054,10,0");
    assert_eq!(lines[5], "Administration,(all),5445,4.292,5436,5454,10,0");
    assert_eq!(lines[6], "(all),(all),26225,9.596,26205,26245,50,0");
    assert_eq!(lines.len(), 7);
    for (from, to) in
        [("5045", "5046"), ("4.292", "4.291"), ("Sales,(all)", "sales,(all)"), (",50,0", ",50,1"), ("5036", "5035")]
    {
        let forged = totals.replacen(from, to, 1);
        assert_ne!(forged, totals);
        fs::write(folder.join("margins.csv"), &forged).expect("written");
        let mut certificate = certificate_in(&folder);
        certificate["tables"][2]["sha256"] = json!(sha256(forged.as_bytes()));
        rewrite(&folder, &certificate);
        let verdict = verify(&folder, MOST_WORK).expect("a verdict");
        let failed = verdict.checks.iter().any(|check| check.result == CheckResult::Failed && check.name == "sums");
        assert!(failed, "{to}: {}", explain(&verdict));
    }
    // Totals that the certificate speaks of cannot be left out.
    let mut certificate = certificate_in(&folder);
    certificate["tables"].as_array_mut().expect("tables").truncate(2);
    rewrite(&folder, &certificate);
    for name in ["margins.csv", "margins.parquet", "consistent.csv", "consistent.parquet"] {
        fs::remove_file(folder.join(name)).expect("removed");
    }
    assert!(!verify(&folder, MOST_WORK).expect("a verdict").is_passed());
}

/// Numbers that add up, and what a forger could do to them.
#[test]
fn numbers_that_add_up_are_made_of_the_table_and_of_nothing_else() {
    let request = format!(
        "{}[mechanism]\nname = \"geometric\"\n[output]\nmargins = [[\"a\"]]\n",
        "[[bins]]\nname = \"a\"\ncolumn = \"a\"\nvalues = [\"x\", \"y\"]\nnulls = \"bin\"\n[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1, 2, 3]\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\n[ledger]\ndataset = \"d\"\n"
    );
    let shown = [4, -3, 2, -1, -2, -1, 7, 0, 5];
    let home = home();
    let folder = deliver(
        &plan_of(&request),
        cells(9, |cell| value(shown[cell as usize])),
        home.path(),
        Randomness::OperatingSystem,
    );
    assert_passes(&folder);
    // By hand: the whole is 11, and the values by `a` are 3, -4 and 12, of which 3 and 12 give up 2 each: 1, 0 and 10.
    // Of 4, -3 and 2 with the sum 1, 4 gives up 3 and 2 all; of 7, 0 and 5 with the sum 10, 7 and 5 give up 1 each.
    let right = "a,b,consistent,cells\n(all),(all),11,9\nx,(all),1,3\ny,(all),0,3\n(missing),(all),10,3\nx,1,1,1\nx,2,0,1\nx,3,0,1\ny,1,0,1\ny,2,0,1\ny,3,0,1\n(missing),1,6,1\n(missing),2,0,1\n(missing),3,4,1\n";
    let own = fs::read_to_string(folder.join("consistent.csv")).expect("a file");
    assert_eq!(own, right);
    for (what, forged) in [
        ("a total off by one", own.replacen("x,(all),1,3", "x,(all),2,3", 1)),
        ("a cell and its totals", {
            let whole = own.replacen("(all),(all),11,9", "(all),(all),12,9", 1);
            whole.replacen("x,(all),1,3", "x,(all),2,3", 1).replacen("x,1,1,1", "x,1,2,1", 1)
        }),
        ("another rounding", own.replacen("(missing),1,6,1", "(missing),1,5,1", 1).replacen("3,4,1", "3,5,1", 1)),
        ("another label", own.replacen("y,(all)", "z,(all)", 1)),
        ("a row less", own.replacen("y,3,0,1\n", "", 1)),
    ] {
        assert_ne!(forged, own, "{what}");
        fs::write(folder.join("consistent.csv"), &forged).expect("written");
        let mut certificate = certificate_in(&folder);
        certificate["tables"][2]["sha256"] = json!(sha256(forged.as_bytes()));
        rewrite(&folder, &certificate);
        let verdict = verify(&folder, MOST_WORK).expect("a verdict");
        let failed = verdict.checks.iter().any(|check| check.result == CheckResult::Failed && check.name == "sums");
        assert!(failed, "{what}: {}", explain(&verdict));
    }
}

#[test]
fn nothing_is_called_a_total_or_adds_up_where_cells_may_be_hidden() {
    let request =
        format!("{SALARIES}\n[mechanism]\nname = \"tailored-geometric\"\nthreshold = 12\n[output]\nmargins = true\n");
    let home = home();
    let batches = cells(50, |cell| value(12 + cell as i64));
    let folder = deliver(&plan_of(&request), batches, home.path(), Randomness::OperatingSystem);
    assert_passes(&folder);
    assert!(!folder.join("consistent.csv").exists());
    let totals = fs::read_to_string(folder.join("margins.csv")).expect("a file");
    assert!(totals.starts_with("department,salary,sum_of_shown,cells,omitted\n"), "{totals}");
    let words = certificate_in(&folder)["postprocessing"].to_string();
    assert!(!words.contains("consistent") && words.contains("leave out what is not shown"), "{words}");
}

#[test]
fn a_known_seed_is_for_synthetic_data_only() {
    let home = home();
    let synthetic = SALARIES.replace("[data]", "[data]\nsynthetic = true");
    let folder = deliver(&plan_of(&synthetic), cells(50, |_| value(3)), home.path(), Randomness::KnownSeed);
    assert_passes(&folder);
    let report = fs::read_to_string(folder.join("report.html")).expect("a file");
    assert!(report.contains("NOT PRIVATE"));
    let folder = deliver(&plan_of(SALARIES), cells(50, |_| value(3)), home.path(), Randomness::KnownSeed);
    assert!(!verify(&folder, MOST_WORK).expect("a verdict").is_passed());
}

#[test]
fn what_is_not_a_delivery_is_an_error_and_never_a_panic() {
    let home = home();
    let folder = home.path();
    assert_eq!(verify(&folder.join("missing"), MOST_WORK), Err(VerifyError::NoFolder));
    assert_eq!(verify(folder, MOST_WORK), Err(VerifyError::NoCertificate));
    let path = folder.join("certificate.json");
    let deep = "[".repeat(100_000);
    for (text, error) in [
        ("", VerifyError::NotJson),
        ("{", VerifyError::NotJson),
        (deep.as_str(), VerifyError::NotJson),
        ("[1]", VerifyError::UnknownVersion),
        ("{\"version\": 1}", VerifyError::UnknownVersion),
        ("{\"version\": \"2\"}", VerifyError::UnknownVersion),
        ("{\"version\": 4}", VerifyError::UnknownVersion),
        ("{\"version\": 3, \"version\": 3}", VerifyError::NotJson),
    ] {
        fs::write(&path, text).expect("written");
        assert_eq!(verify(folder, MOST_WORK), Err(error), "{text:.20}");
    }
    for text in [
        "{\"version\": 3}",
        "{\"version\": 3, \"tables\": 5}",
        "{\"version\": 3, \"tables\": [{\"name\": \"../x\", \"sha256\": \"\"}]}",
    ] {
        fs::write(&path, text).expect("written");
        assert!(!verify(folder, MOST_WORK).expect("a verdict").is_passed(), "{text}");
    }
}

#[test]
fn a_report_holds_hostile_names_without_harm() {
    let home = home();
    let request = SALARIES
        .replace("name   = \"department\"", "name   = \"<script>alert(1)</script>\"")
        .replace("\"Sales\"", "\"<img src=x onerror=y>\"");
    let folder = deliver(&plan_of(&request), cells(50, |_| value(3)), home.path(), Randomness::OperatingSystem);
    let report = fs::read_to_string(folder.join("report.html")).expect("a file");
    assert!(!report.contains("<script") && !report.contains("<img"), "markup from a name");
    assert!(report.contains("&lt;img src=x onerror=y&gt;"));
    assert!(!report.contains("employees.csv"), "a path");
    assert_passes(&folder);
}

#[test]
fn an_author_who_is_not_known_is_not_verified_whatever_the_folder_says() {
    let home = home();
    let (_, folder) = salaries(home.path());
    let original = certificate_in(&folder);
    for software in ["incrowd 0.1.17", "incrowd 0.2.9", "incrowd 99.0.0"] {
        let mut changed = original.clone();
        changed["software"] = json!(software);
        changed["assumptions"] = json!(["nothing is assumed"]);
        changed["not_protected"] = json!({});
        rewrite(&folder, &changed);
        fs::write(folder.join("report.html"), "<script>alert(1)</script>").expect("written");
        let verdict = verify(&folder, MOST_WORK).expect("a verdict");
        assert!(!verdict.is_passed() && !verdict.is_complete(), "{}", explain(&verdict));
        assert_eq!(verdict.count(CheckResult::Failed), 0, "nor is it known to be wrong:\n{}", explain(&verdict));
        match VerdictEnding::of("f", &verdict, MOST_WORK) {
            VerdictEnding::NotVerified { message, .. } => assert!(message.contains(software), "{message}"),
            ending @ (VerdictEnding::Passed | VerdictEnding::Differs { .. }) => panic!("{ending:?}"),
        }
    }
}

#[test]
fn a_drawing_may_be_spelt_otherwise_and_must_draw_the_same() {
    let home = home();
    let (_, folder) = salaries(home.path());
    let path = folder.join("report.html");
    let original = fs::read_to_string(&path).expect("a report");
    let accepts = |page: &str| {
        fs::write(&path, page).expect("written");
        verify(&folder, MOST_WORK).expect("a verdict").is_passed()
    };
    assert!(accepts(&original));
    let spelt = |from: &str, to: &str| {
        assert!(original.contains(from), "{from}");
        original.replace(from, to)
    };
    for respelt in [
        spelt("120.00000000000001", "120"),
        spelt(" opacity=\"1\" fill=", " opacity=\"1.0\"\n  fill="),
        spelt("<rect x=\"0\" y=\"0\"", "<rect y=\"0\" x=\"0\""),
        spelt(" \"/>\n<", "\"/><"),
        spelt(" r=\"40\" opacity=\"1\"", " opacity=\"1\" r=\"40\""),
    ] {
        assert!(accepts(&respelt), "the same, spelt otherwise");
    }
    for forged in [
        spelt("<circle cx=\"", "<circle cx=\"1"),
        spelt(" points=\"", " points=\"1"),
        spelt("opacity=\"1\" fill=\"#1B222A\"", "opacity=\"0\" fill=\"#1B222A\""),
        spelt("<title>Protection", "<title>Perfect protection"),
        spelt("</svg>", "<text>nobody is protected</text></svg>"),
        spelt("</svg>", "<script>alert(1)</script></svg>"),
        spelt("<svg ", "<svg onload=\"alert(1)\" "),
        spelt("</svg>", "</svg><svg></svg>"),
        spelt("<circle ", "<polygon "),
    ] {
        assert!(!accepts(&forged), "drawn otherwise");
    }
    assert!(accepts(&original));
}

/// Run with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stderr, reason = "a measurement is to be read")]
fn how_long_intervals_and_plans_take() {
    let timed = |name: &str, what: &mut dyn FnMut()| {
        let start = std::time::Instant::now();
        what();
        eprintln!("{name}: {:?}", start.elapsed());
    };
    let request = crate::request::Request::parse(SALARIES).expect("a request");
    timed("plan with counts", &mut || drop(crate::plan::Plan::of(&request, None)));
    timed("plan without", &mut || drop(crate::plan::Plan::of(&request, Some(&[]))));
    let bins = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nfrom = 0\nto = 1000000\nwidth = 1\n";
    let open = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\n";
    for (name, text, spread) in [
        ("salaries", SALARIES.to_string(), 1000),
        ("salaries", SALARIES.to_string(), 100_000),
        (
            "geometric",
            format!(
                "{bins}[promise]\nkind = \"differential-privacy\"\nepsilon = \"1/10\"\n[mechanism]\nname = \"geometric\"\n"
            ),
            1000,
        ),
        ("relay", format!("{open}[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n"), 1000),
        (
            "relay",
            format!("{open}[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n"),
            100_000,
        ),
        (
            "relay 1/10",
            format!("{open}[promise]\nkind = \"differential-privacy\"\nepsilon = \"1/10\"\ndelta = \"1e-9\"\n"),
            1000,
        ),
        (
            "noisy-noise",
            format!(
                "{bins}[promise]\nkind = \"simple-outlier-dp\"\ngroup = 100\nepsilon = 1\ndelta = \"1e-6\"\n[mechanism]\nname = \"noisy-noise\"\n"
            ),
            1000,
        ),
        (
            "threshold",
            format!(
                "{open}[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n[mechanism]\nname = \"threshold\"\n"
            ),
            1000,
        ),
    ] {
        let plan = plan_of(&text);
        let start = std::time::Instant::now();
        let mut table = crate::table::Table::of(&plan).expect("a table");
        let ready = start.elapsed();
        let start = std::time::Instant::now();
        for value in 0..spread {
            table.reading().numbers(&Outcome::Value(20 + value));
        }
        eprintln!("{name}: ready after {ready:?}, {spread} distinct values in {:?}", start.elapsed());
    }
}
