//! Every number that a report states in words: it is one of the certificate or of the tables.
//!
//! Both are read as texts, by rules of this file alone; a number that is neither there nor listed below, with its
//! reason, must never pass. Tables and pictures of the page are left out: they list rows, or laws at chosen sizes, and
//! other tests compare them. It is separate because it knows nothing of how a report is made. Read `evidence.rs` next.

use crate::pages::{KINDS, certificate, place};
use serde_json::Value;

/// Numbers that are part of how things are said: which, and why.
const STRUCTURAL: [(&str, &str); 13] = [
    ("95", "the chance of an interval"),
    ("19", "times of 20, the same chance"),
    ("20", "19 times of 20"),
    ("40", "the most bars of a picture"),
    ("200", "the most rows that a page lists"),
    ("99", "percent of bins that show"),
    ("0", "nothing, or the end of counts"),
    ("1", "one of something"),
    ("24", "an example of what stands in place of an uncertain number"),
    ("1.96", "standard errors in half of an interval"),
    ("16.5", "percent: the end of quality A"),
    ("33.3", "percent: the end of quality E"),
    ("2026", "the year of a rule or paper"),
];
/// Sizes of groups that people ask about, and numbers of values that a person may have.
const SIZES: [&str; 12] = ["1", "2", "3", "5", "10", "20", "50", "100", "500", "1000", "10000", "11"];

#[test]
fn every_number_that_a_report_states_in_words_is_one_of_its_certificate_or_tables() {
    let place = place();
    let (mut checked, mut strange) = (0, Vec::new());
    for kind in KINDS {
        let said = place.run(&["release", &format!("{kind}.toml"), "--test-seed", "7", "--folder", kind]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let page = std::fs::read_to_string(place.path(kind).join("report.html")).expect("a report");
        let known = known(&place, kind);
        for (sentence, number) in stated(&page) {
            if !is_known(&number, &known) {
                strange.push(format!("{kind}: {number} in {sentence:?}"));
            }
            checked += 1;
        }
    }
    assert!(strange.is_empty(), "{}", strange.join("\n"));
    assert!(checked > 300, "{checked} numbers");
}

#[test]
fn a_number_that_nobody_certified_is_found() {
    let place = place();
    let said = place.run(&["release", "histogram.toml", "--test-seed", "7", "--folder", "histogram"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let (page, known) =
        (std::fs::read_to_string(place.path("histogram/report.html")).expect("a report"), known(&place, "histogram"));
    let percent =
        stated(&page).into_iter().find(|(sentence, _)| sentence.contains("become surer than")).expect("a sentence");
    let other = page.replace(&format!("surer than {} %", percent.1), "surer than 43.21 %");
    assert_ne!(page, other, "{percent:?}");
    assert!(stated(&other).iter().any(|(_, number)| !is_known(number, &known)));
    for number in ["43.21", "7.7e-77", "8/9171"] {
        assert!(!is_known(number, &known), "{number}");
    }
}

/// The sentences of a page and the numbers in them: all that is not a table, a picture, a style or the certificate.
fn stated(page: &str) -> Vec<(String, String)> {
    let mut text = page.to_string();
    for (from, to) in [
        ("<style", "</style>"),
        ("<svg", "</svg>"),
        ("<table", "</table>"),
        ("<pre", "</pre>"),
        ("<fieldset", "<div class=\"answers\""),
    ] {
        while let Some(start) = text.find(from) {
            let end = start + text[start..].find(to).expect("an end") + to.len();
            text.replace_range(start..end, " ");
        }
    }
    let mut found = Vec::new();
    for line in text.lines() {
        let mut sentence = String::new();
        let mut is_tag = false;
        for c in line.chars() {
            match c {
                '<' => is_tag = true,
                '>' => is_tag = false,
                _ if is_tag => {}
                c => sentence.push(c),
            }
        }
        // Numbers of theorems are names.
        for name in ["Theorem ", "Proposition ", "Definition "] {
            while let Some(at) = sentence.find(name) {
                let digits = sentence[at + name.len()..].find(|c: char| !c.is_ascii_digit());
                sentence.replace_range(at..digits.map_or(sentence.len(), |end| at + name.len() + end), "");
            }
        }
        found.extend(tokens(&sentence).map(|token| (sentence.clone(), token)));
    }
    found
}

/// The words of a text that have digits, without the marks around them.
fn tokens(text: &str) -> impl Iterator<Item = String> {
    let text = text.replace("&#39;", "'").replace("&quot;", "\"").replace("&amp;", "&");
    let words = text.split(|c: char| c.is_whitespace() || "()[]{}\",;:'=^%".contains(c)).map(String::from);
    let trimmed = words.map(|word| word.trim_matches(['.', '-']).to_string());
    trimmed.filter(|word| word.contains(|c: char| c.is_ascii_digit())).collect::<Vec<_>>().into_iter()
}

/// All numbers and names of a certificate but for its sentences, of its tables, and of the plan's forecasts.
fn known(place: &crate::place::Place, kind: &str) -> Vec<String> {
    let certificate = certificate(place, kind);
    let mut known = Vec::new();
    gather(&certificate, &mut known);
    for table in certificate["tables"].as_array().expect("tables") {
        let name = table["name"].as_str().expect("a name");
        if name.ends_with(".csv") {
            let text = std::fs::read_to_string(place.path(kind).join(name)).expect("a table");
            known.push((text.lines().count() - 1).to_string());
            // Kinds of rows, and points beyond the ends of their axes, are counted here again.
            known.push(text.lines().skip(1).collect::<std::collections::BTreeSet<_>>().len().to_string());
            known.extend(outside(&certificate, &text));
            known.extend(text.lines().flat_map(|line| tokens(&line.replace(',', " ")).collect::<Vec<_>>()));
        }
    }
    // What is expected of laws is not certified: it is what a plan says to machines.
    let plan = place.run(&["plan", &format!("{kind}.toml"), "--format", "json"]);
    let plan: Value = serde_json::from_str(&plan.stdout).expect("a plan");
    gather(&plan, &mut known);
    // What share of a person's values is counted, rounded down.
    let most = certificate["unit"]["bins_per_person"].as_u64().expect("a number");
    known.extend([2, 5, 10, 20, 50, 100, 1000].map(|values: u64| (100 * most / values).min(100).to_string()));
    // So many steps of the grid, as a length.
    let step = certificate["request"]["kind"][0]["step"].as_str().and_then(read);
    for moved in plan["points"]["useful"].as_array().into_iter().flatten() {
        let steps = moved["moved_at_most"].as_f64();
        known.extend(steps.zip(step).map(|(steps, (step, _))| format!("{:.6}", steps * step)));
    }
    known
}

/// How many points of a table lie beyond the ends of an axis; nothing where there are no axes.
fn outside(certificate: &Value, table: &str) -> Option<String> {
    let axes = certificate["request"]["kind"].as_array()?;
    let ends = |axis: &Value| {
        let number = |name: &str| read(axis["edges"][name].as_str()?).map(|(value, _)| value);
        let from = number("from")?;
        Some((from, from + number("width")? * axis["edges"]["intervals"].as_f64()?))
    };
    let ends = axes.iter().map(ends).collect::<Option<Vec<(f64, f64)>>>()?;
    let is_outside = |line: &&str| {
        let places = line.split(',').map(|cell| cell.parse::<f64>().expect("a place"));
        places.zip(&ends).any(|(place, (first, last))| place < *first || place >= *last)
    };
    Some(table.lines().skip(1).filter(is_outside).count().to_string())
}

fn gather(value: &Value, known: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, below) in fields {
                // Sentences are not what a number is compared with.
                if !["in_words", "how_to_read", "assumptions", "not_protected", "words"].contains(&name.as_str()) {
                    known.extend(tokens(name));
                    gather(below, known);
                }
            }
        }
        Value::Array(entries) => {
            known.push(entries.len().to_string());
            entries.iter().for_each(|entry| gather(entry, known));
        }
        Value::Number(number) => known.push(number.to_string()),
        Value::String(text) => known.extend(tokens(text)),
        Value::Null | Value::Bool(_) => {}
    }
}

fn is_known(number: &str, known: &[String]) -> bool {
    let is_listed = STRUCTURAL.iter().any(|(listed, _)| *listed == number) || SIZES.contains(&number);
    if is_listed || known.iter().any(|known| known == number) {
        return true;
    }
    // A hash may be cut, and a number is rounded up to the digits that are said.
    let is_cut = number.len() >= 16 && known.iter().any(|known| known.starts_with(number));
    let Some((said, step)) = read(number) else { return is_cut };
    let fits = |known: &String| {
        read(known).is_some_and(|(truth, _)| {
            (said - truth).abs() <= truth.abs() * 1e-12 || (said > truth && said - truth < step)
        })
    };
    is_cut || known.iter().any(fits)
}

/// A number, and one unit of its last digit.
fn read(text: &str) -> Option<(f64, f64)> {
    if let Some((above, below)) = text.split_once('/') {
        let value = above.parse::<f64>().ok()? / below.parse::<f64>().ok()?;
        return Some((value, value.abs() * 1e-9));
    }
    let value: f64 = text.parse().ok()?;
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, after)| after.len() as i32);
    Some((value, 10f64.powi(exponent.parse::<i32>().ok()? - decimals)))
}
