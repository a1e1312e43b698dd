//! The evidence pack: a certificate as an entry of the public Differential Privacy Deployments Registry.
//!
//! Fields and their names are those of the registry's schema (github.com/opendp/deployments-registry-data,
//! schemas/deployments-schema.yaml, read at commit 3e9c812), tier 3. Everything that the certificate knows is filled in
//! from it; what only the publisher knows is given, or marked to be filled in, and never made up. It is separate
//! because it is somebody else's form. Read `certificate.rs` for where the facts come from.

use crate::certificate::request_of;
use crate::kinds::{people_words, relation_words};
use crate::page::state_words;
use crate::request::Kind;
use incrowd_exact::number_of;
use incrowd_exact::{Rational, significant_rounding_up};
use serde_json::Value;
use std::fmt::Write;

/// What a publisher knows and a certificate does not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Publisher {
    /// What the data product is called.
    pub name: Option<String>,
    /// Who publishes it.
    pub curators: Vec<String>,
    /// What it is for.
    pub intended_use: Option<String>,
    /// Which region it describes.
    pub region: Option<String>,
    /// When it was published: `2026-01-31`.
    pub date: Option<String>,
    /// Technology, Healthcare, Education, Government, Energy or Finance.
    pub sector: Option<String>,
    /// Who fills the form in.
    pub authors: Vec<String>,
}

/// What stands where the publisher has to write something.
pub const TO_FILL_IN: &str = "TO FILL IN";

/// An entry of the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryEntry {
    /// The YAML text.
    pub yaml: String,
    /// A name for its file, as the registry wants names.
    pub file_name: String,
    /// Fields that are still to be filled in.
    pub missing: Vec<&'static str>,
}

/// Returns the registry's entry for a certificate.
pub fn registry_entry(certificate: &Value, publisher: &Publisher) -> RegistryEntry {
    let mut missing = Vec::new();
    let mut given = |field: &'static str, value: Option<String>| {
        value.unwrap_or_else(|| {
            missing.push(field);
            format!("{TO_FILL_IN}: {field}")
        })
    };
    // Of a request that this version does not read, nothing is said but what the certificate says itself.
    let request = request_of(&certificate["request"]);
    let kind = request.as_ref().map(|request| &request.kind);
    let title = title(certificate, kind);
    let slug = slug(publisher.name.as_deref().unwrap_or(&text(&certificate["dataset"])));
    let mut yaml = Yaml::default();
    yaml.line(0, "url_slug", &slug);
    yaml.line(0, "status", "Draft");
    yaml.bare(0, "tier", "3");
    yaml.open(0, "deployment");
    yaml.open(1, "basic");
    yaml.line(2, "name", publisher.name.as_deref().unwrap_or(&title));
    let curators =
        if publisher.curators.is_empty() { vec![given("data_curators", None)] } else { publisher.curators.clone() };
    yaml.list(2, "data_curators", &curators);
    yaml.line(2, "description", &description(certificate, &title));
    yaml.line(2, "intended_use", &given("intended_use", publisher.intended_use.clone()));
    yaml.line(2, "data_product_type", "Summary statistics");
    yaml.line(2, "data_product_region", &given("data_product_region", publisher.region.clone()));
    // A date must be one: without it the first day there is, which nobody will take for true.
    let date = publisher.date.clone();
    let dated = date.clone().unwrap_or_else(|| "0001-01-01".into());
    if date.is_none() {
        given("publication_date", None);
    }
    yaml.line(2, "publication_date", &dated);
    if let Some(sector) = &publisher.sector {
        yaml.line(2, "data_product_sector", sector);
    }
    guarantee(certificate, kind, &mut yaml);
    model(certificate, &mut yaml);
    implementation(certificate, &mut yaml);
    yaml.open(1, "administrative");
    yaml.line(2, "notes", &notes(certificate));
    let authors =
        if publisher.authors.is_empty() { vec![given("registry_authors", None)] } else { publisher.authors.clone() };
    yaml.list(2, "registry_authors", &authors);
    RegistryEntry { yaml: yaml.text, file_name: format!("{slug}.yaml"), missing }
}

fn guarantee(certificate: &Value, kind: Option<&Kind>, yaml: &mut Yaml) {
    let notion = certificate["request"]["promise"]["kind"].as_str().unwrap_or_default();
    let delta = exact(&certificate["delta"]).unwrap_or_default();
    let plain = notion == "differential-privacy" || notion == "group";
    let variant = match (plain, delta == Rational::ZERO) {
        (true, true) => "Pure DP",
        (true, false) => "Approximate DP",
        (false, _) => "Custom",
    };
    let unit = &certificate["unit"];
    yaml.open(1, "dp_variant");
    yaml.line(2, "variant_name", variant);
    yaml.line(
        2,
        "data_domain",
        &format!(
            "All tables with the columns that the request names: multisets of records, one for each person after contribution bounding ({}). Bins: {}.",
            text(&unit["person_rule"]),
            text(&certificate["universe"]["in_words"])
        ),
    );
    let columns = array(&certificate["not_protected"]["columns"])
        .iter()
        .map(|entry| format!("{}: {}", text(&entry["column"]), text(&entry["what"])));
    let facts = array(&certificate["not_protected"]["facts"]).iter().map(text);
    yaml.line(2, "unprotected_quantities", &bullets(facts.chain(columns)));
    yaml.open(1, "privacy_loss");
    yaml.line(2, "privacy_unit", "Person");
    let mut details = vec![
        format!("Neighbours: {}", text(&unit["neighbours"])),
        format!("Rule: {}", text(&unit["person_rule"])),
        format!("Bins per person, at most: {}", unit["bins_per_person"]),
    ];
    if let Some(key) = unit["bounding_key"].as_str() {
        details.push(format!(
            "A person's bins are chosen by a public key, so that the choice depends on her rows alone: {key}"
        ));
    }
    yaml.line(2, "privacy_unit_details", &bullets(details.into_iter()));
    if let Some(worst) = certificate["worst_case_dp"].as_object() {
        yaml.open(2, "privacy_parameters");
        yaml.bare(3, "epsilon", &decimal(&worst["epsilon"]));
        yaml.bare(3, "delta", &decimal(&worst["delta"]));
    }
    let charged = certificate["sampling"]["charged"].is_string();
    let at_worst = match certificate["worst_case_dp"].is_null() {
        false if charged => {
            "Epsilon and delta above hold for everybody because people are sampled first; they are what was charged"
                .to_string()
        }
        true => "Nothing bounds it for everybody: large groups are published as they are".to_string(),
        false => "Epsilon and delta above are its worst case over all group sizes, as differential privacy".to_string(),
    };
    let mut lines = vec![
        format!("Notion: {}", text(&certificate["notion"])),
        kind.map_or("Privacy relation: as the certificate states it", relation_words).to_string(),
    ];
    lines.extend(curve_lines(&certificate["curve"]));
    lines.push(format!("delta {} for a person", text(&certificate["delta"])));
    lines.push(at_worst);
    lines.extend(certificate["sampling"]["in_words"].as_str().map(|words| format!("Sampled: {words}")));
    let worst = &certificate["exact"]["worst"];
    lines.push(format!(
        "Accounted from the exact law: at the worst count, {}, delta {} ({})",
        worst["count"],
        text(&worst["delta"]),
        text(&worst["is"])
    ));
    yaml.line(2, "privacy_parameters_details", &bullets(lines.into_iter()));
}

fn model(certificate: &Value, yaml: &mut Yaml) {
    let after = &certificate["ledger"]["after"];
    yaml.open(1, "deployment_model");
    yaml.line(2, "model_name", "Central");
    yaml.line(
        2,
        "model_name_details",
        "A trusted steward holds the data and runs the mechanism; only the published tables, the certificate and the report leave.",
    );
    yaml.line(
        2,
        "actors",
        &bullets(
            [
                "The steward sees the data and is trusted; her machine, process and screen are assumed not to be watched",
                "Readers see the published folder, may know everything about everybody but one person, and may collude",
            ]
            .into_iter()
            .map(String::from),
        ),
    );
    let releases = after["releases"].as_u64().unwrap_or(1);
    yaml.line(2, "release_type", if releases > 1 { "Many releases" } else { "One release" });
    yaml.line(
        2,
        "release_type_details",
        &format!(
            "The account had paid for {releases} {} about the same people, this one included. {}",
            if releases == 1 { "release" } else { "releases" },
            left(after)
        ),
    );
    yaml.line(2, "data_source_type", "Static");
    yaml.line(
        2,
        "data_source_type_details",
        &format!(
            "One immutable state of the data, {}: declared by the steward, not checked.",
            state_words(certificate)
        ),
    );
    yaml.line(2, "access_type", "Non-interactive");
    yaml.line(
        2,
        "access_type_details",
        "Readers get files; nobody can ask further questions of the data through them.",
    );
}

fn implementation(certificate: &Value, yaml: &mut Yaml) {
    let after = &certificate["ledger"]["after"];
    yaml.open(1, "accounting");
    let steps = array(&certificate["postprocessing"])
        .iter()
        .map(|step| format!("{}: {}", text(&step["step"]), text(&step["in_words"])));
    yaml.line(2, "post_processing", &bullets(steps));
    let together = match exact(&after["epsilon"]) {
        Some(epsilon) => format!("epsilon {} and delta {}", short(&epsilon), text(&after["delta"])),
        None => format!("no bound on epsilon for everybody, delta {}", text(&after["delta"])),
    };
    yaml.line(
        2,
        "composition",
        &format!(
            "Basic composition in exact fractions, kept in a hash-chained ledger that is charged before the data is read. Together with all earlier releases about the same people: {together}. Entry {} of the ledger, head {}.",
            certificate["ledger"]["seq"],
            text(&certificate["ledger"]["head"])
        ),
    );
    yaml.open(1, "implementation");
    let assumptions = array(&certificate["assumptions"]).iter().map(text);
    yaml.line(
        2,
        "preprocessing_and_hyperparameter_tuning",
        &format!(
            "Rows are filtered and binned one by one, and each person is cut to her bins, as the request says; nothing was tuned on the data, which is assumed and not checked. Assumptions:\n\n{}",
            bullets(assumptions)
        ),
    );
    let mechanism = &certificate["mechanism"];
    let lines = [
        format!("Mechanism: {} with parameters {}", text(&mechanism["name"]), mechanism["parameters"]),
        format!("Library: {}, open source, written in Rust", text(&certificate["software"])),
        format!("Floating point: {}", text(&certificate["floating_point"])),
        format!("Randomness: {}", text(&certificate["randomness"]["in_words"])),
        format!("Timing: {}", text(&certificate["timing"])),
    ];
    yaml.line(2, "mechanisms", &bullets(lines.into_iter()));
    let theorem = &certificate["theorem"];
    yaml.line(
        2,
        "justification",
        &format!(
            "{}: {}. It takes for granted:\n\n{}\n\nThe account does not rest on the theorem alone: costs were computed from the law that ran, and two independent verifiers recompute them from the certificate without the data.",
            text(&theorem["source"]),
            text(&theorem["statement"]),
            bullets(array(&theorem["assumptions"]).iter().map(text))
        ),
    );
}

fn curve_lines(curve: &Value) -> Vec<String> {
    let runs = array(curve);
    let shown = 12;
    let mut lines: Vec<String> = runs
        .iter()
        .take(shown)
        .map(|run| {
            let who = match (&run["from"], &run["to"]) {
                (from, Value::Null) => format!("{from} or more people"),
                (from, to) if from == to => format!("{from} people"),
                (from, to) => format!("{from} to {to} people"),
            };
            match run["slope"].as_str() {
                Some(slope) => format!("In groups of {who}: epsilon(k) = {slope} times k"),
                None => format!("In groups of {who}: epsilon {}", text(&run["epsilon"])),
            }
        })
        .collect();
    if runs.len() > shown {
        lines.push(format!("and {} further steps, in the certificate", runs.len() - shown));
    }
    lines
}

fn left(after: &Value) -> String {
    let of = |name: &str| exact(&after["left"][name]).map(|left| format!("{name} {}", short(&left)));
    let parts: Vec<String> = [of("epsilon"), of("delta")].into_iter().flatten().collect();
    match parts.is_empty() {
        true => "The account has no budget.".into(),
        false => format!("Left of its budget: {}.", parts.join(", ")),
    }
}

fn title(certificate: &Value, kind: Option<&Kind>) -> String {
    let names: Vec<String> =
        array(&certificate["universe"]["dimensions"]).iter().map(|dimension| text(&dimension["name"])).collect();
    let what = kind.map_or("A release about people", people_words);
    match names.as_slice() {
        [] => what.to_string(),
        [one] => format!("{what} by {one}"),
        [first @ .., last] => format!("{what} by {} and {last}", first.join(", ")),
    }
}

fn description(certificate: &Value, title: &str) -> String {
    format!(
        "{title}; dataset {}, {}. {}. Promised: {}.",
        text(&certificate["dataset"]),
        state_words(certificate),
        text(&certificate["universe"]["in_words"]),
        text(&certificate["notion"])
    )
}

fn notes(certificate: &Value) -> String {
    let tables = array(&certificate["tables"])
        .iter()
        .map(|table| format!("SHA-256 of {}: {}", text(&table["name"]), text(&table["sha256"])));
    let mut lines = vec![
        format!(
            "Made from certificate.json, version {}, which can be verified without the data",
            certificate["version"]
        ),
        format!("Hash of the request: {}", text(&certificate["request_hash"])),
        "Collection, storage and access to the data itself are not covered by the certificate".to_string(),
    ];
    if certificate.get("not_private").is_some() {
        lines.insert(0, "NOT PRIVATE: drawn with a known seed from made-up data".into());
    } else if certificate["request"]["data"]["synthetic"] == true {
        lines.insert(0, "MADE UP: the data is declared to be made up; asserted, not checked".into());
    }
    bullets(lines.into_iter().chain(tables))
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[][..], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| "not named".into(), String::from)
}

fn exact(value: &Value) -> Option<Rational> {
    value.as_str().and_then(number_of)
}

fn short(value: &Rational) -> String {
    incrowd_plan::refusal::short(value)
}

/// A number that YAML reads as one, never below the truth.
fn decimal(value: &Value) -> String {
    let decimal = exact(value).map_or_else(|| "0".into(), |value| significant_rounding_up(&value, 15));
    // YAML reads `1e-6` as a text unless it has a point.
    match decimal.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        Some(_) | None => decimal,
    }
}

fn bullets(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}

/// Lowercase letters, digits and underscores.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.chars() {
        match character.to_ascii_lowercase() {
            plain @ ('a'..='z' | '0'..='9') => slug.push(plain),
            _ if slug.ends_with('_') || slug.is_empty() => {}
            _ => slug.push('_'),
        }
    }
    let slug = slug.trim_end_matches('_');
    if slug.is_empty() { "incrowd_release".into() } else { slug.chars().take(80).collect() }
}

/// YAML, written line by line; every text is quoted or a literal block, so that none can become anything else.
#[derive(Default)]
struct Yaml {
    text: String,
}

impl Yaml {
    fn open(&mut self, depth: usize, key: &str) {
        let _ = writeln!(self.text, "{}{key}:", "  ".repeat(depth));
    }

    fn bare(&mut self, depth: usize, key: &str, value: &str) {
        let _ = writeln!(self.text, "{}{key}: {value}", "  ".repeat(depth));
    }

    fn line(&mut self, depth: usize, key: &str, value: &str) {
        let indent = "  ".repeat(depth);
        // A literal block shows its lines as they are; it cannot hold controls, nor begin with a space.
        let literal = (value.contains('\n') || value.len() > 80)
            && !value.starts_with([' ', '\n'])
            && value.lines().all(|line| {
                !line.chars().any(|one| one.is_control() || matches!(one, '\u{feff}' | '\u{2028}' | '\u{2029}'))
            });
        if !literal {
            let _ = writeln!(self.text, "{indent}{key}: {}", quoted(value));
            return;
        }
        let _ = writeln!(self.text, "{indent}{key}: |-");
        for line in value.lines() {
            match line.is_empty() {
                true => self.text.push('\n'),
                false => {
                    let _ = writeln!(self.text, "{indent}  {line}");
                }
            }
        }
    }

    fn list(&mut self, depth: usize, key: &str, values: &[String]) {
        self.open(depth, key);
        for value in values {
            let _ = writeln!(self.text, "{}- {}", "  ".repeat(depth + 1), quoted(value));
        }
    }
}

/// A JSON string is a YAML string in double quotes; the separators and marks that only JSON allows are escaped.
fn quoted(value: &str) -> String {
    let json = Value::from(value).to_string();
    let special = |one: char| matches!(one, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}');
    json.chars().map(|one| if special(one) { format!("\\u{:04x}", u32::from(one)) } else { one.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{FolderFacts, Randomness, certificate};
    use crate::example::{SALARIES, charge, plan_of};

    fn entry(request: &str, publisher: &Publisher) -> RegistryEntry {
        let nothing = FolderFacts { tables: Vec::new(), key_types: Vec::new(), derived_from: Vec::new() };
        let certificate = certificate(&plan_of(request), &charge(), &nothing, Randomness::OperatingSystem);
        registry_entry(&certificate, publisher)
    }

    #[test]
    fn what_the_certificate_knows_is_filled_in_and_the_rest_is_marked() {
        let empty = entry(SALARIES, &Publisher::default());
        let expected = ["data_curators", "intended_use", "data_product_region", "publication_date", "registry_authors"];
        assert_eq!(empty.missing, expected);
        assert_eq!(empty.file_name, "employees_2026.yaml");
        for words in
            ["variant_name: \"Custom\"", "epsilon: 1\n", "delta: 0\n", "In groups of 1 to 100 people: epsilon 1/100"]
        {
            assert!(empty.yaml.contains(words), "{words}\n{}", empty.yaml);
        }
        let full = Publisher {
            name: Some("Salaries".into()),
            curators: vec!["A \"firm\"".into()],
            intended_use: Some("to know".into()),
            region: Some("here".into()),
            date: Some("2026-01-31".into()),
            sector: Some("Finance".into()),
            authors: vec!["somebody".into()],
        };
        let full = entry(SALARIES, &full);
        assert_eq!(full.missing, Vec::<&str>::new());
        assert!(!full.yaml.contains(TO_FILL_IN));
        assert!(full.yaml.contains("- \"A \\\"firm\\\"\""), "{}", full.yaml);
    }

    #[test]
    fn variants_are_named_as_the_registry_names_them() {
        let bins = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1]\n";
        for (promise, variant, loss) in [
            ("kind = \"differential-privacy\"\nepsilon = 1", "Pure DP", "epsilon: 1\n"),
            (
                "kind = \"differential-privacy\"\nepsilon = \"1/3\"\ndelta = \"1e-6\"\n[mechanism]\nname = \"geometric\"",
                "Approximate DP",
                "epsilon: 0.333333333333334\n",
            ),
            ("kind = \"crowd-blending\"\ncrowd = 20\nepsilon = 0", "Custom", "Nothing bounds it for everybody"),
        ] {
            let found = entry(&format!("{bins}[promise]\n{promise}\n"), &Publisher::default()).yaml;
            assert!(found.contains(&format!("variant_name: \"{variant}\"")), "{found}");
            assert!(found.contains(loss), "{found}");
        }
    }

    #[test]
    fn no_name_can_become_yaml_of_its_own() {
        let evil = SALARIES.replace("name   = \"department\"", "name   = \"x: |-\u{2028} y\"");
        let found = entry(&evil, &Publisher { region: Some("a\nb: c\u{85}".into()), ..Publisher::default() }).yaml;
        assert!(found.contains("data_product_region: \"a\\nb: c\\u0085\""), "{found}");
        assert!(!found.contains('\u{2028}'));
        assert_eq!((slug("Ärzte & Söhne 2026!"), slug("...")), ("rzte_s_hne_2026".into(), "incrowd_release".into()));
    }

    #[test]
    fn numbers_are_numbers_in_yaml() {
        for (exact, yaml) in
            [("1", "1"), ("1/100", "0.01"), ("1/1000000", "1.0e-6"), ("15/10000000000", "1.5e-9"), ("0", "0")]
        {
            assert_eq!(decimal(&Value::from(exact)), yaml);
        }
    }
}
