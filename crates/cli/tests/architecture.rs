//! Crates depend on each other only along the arrows of ARCHITECTURE.md.

#[path = "architecture/documents.rs"]
mod documents;
#[path = "architecture/modules.rs"]
mod modules;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What each crate may use of ours.
const ARROWS: &[(&str, &[&str])] = &[
    ("incrowd-exact", &[]),
    ("incrowd-privacy", &["incrowd-exact"]),
    ("incrowd-noise", &["incrowd-exact", "incrowd-privacy"]),
    ("incrowd-definition", &["incrowd-exact", "incrowd-privacy"]),
    ("incrowd-postgres", &[]),
    ("incrowd-ledger", &["incrowd-exact", "incrowd-privacy", "incrowd-definition", "incrowd-postgres"]),
    ("incrowd-report", &["incrowd-definition"]),
    ("incrowd-memory", &[]),
    ("incrowd-published", &["incrowd-privacy"]),
    ("incrowd-counts", &["incrowd-privacy", "incrowd-ledger", "incrowd-published"]),
    ("incrowd-engine", &["incrowd-exact", "incrowd-definition", "incrowd-counts", "incrowd-ledger"]),
    ("incrowd-engine-datafusion", &["incrowd-exact", "incrowd-counts", "incrowd-engine", "incrowd-ledger"]),
    ("incrowd-engine-sql", &["incrowd-exact", "incrowd-engine"]),
    ("incrowd-engine-spark", &["incrowd-engine", "incrowd-engine-sql"]),
    ("incrowd-engine-postgres", &["incrowd-engine", "incrowd-engine-sql", "incrowd-postgres"]),
    ("incrowd-request", &["incrowd-exact", "incrowd-privacy", "incrowd-definition"]),
    (
        "incrowd-plan",
        &[
            "incrowd-exact",
            "incrowd-privacy",
            "incrowd-published",
            "incrowd-definition",
            "incrowd-request",
            "incrowd-report",
        ],
    ),
    (
        "incrowd-evidence",
        &[
            "incrowd-exact",
            "incrowd-privacy",
            "incrowd-published",
            "incrowd-definition",
            "incrowd-request",
            "incrowd-plan",
            "incrowd-report",
        ],
    ),
    ("incrowd-verify", &["incrowd-evidence", "incrowd-memory", "incrowd-report"]),
    (
        "incrowd-release",
        &[
            "incrowd-exact",
            "incrowd-privacy",
            "incrowd-definition",
            "incrowd-noise",
            "incrowd-counts",
            "incrowd-ledger",
            "incrowd-engine",
            "incrowd-report",
            "incrowd-request",
            "incrowd-plan",
            "incrowd-evidence",
        ],
    ),
    // For tests: no other crate may use it but in its own.
    (
        "incrowd-conformance",
        &["incrowd-exact", "incrowd-privacy", "incrowd-counts", "incrowd-ledger", "incrowd-engine", "incrowd-release"],
    ),
    (
        "incrowd",
        &[
            "incrowd-exact",
            "incrowd-privacy",
            "incrowd-noise",
            "incrowd-ledger",
            "incrowd-release",
            "incrowd-report",
            "incrowd-engine",
            "incrowd-engine-datafusion",
            "incrowd-engine-postgres",
            "incrowd-engine-spark",
            "incrowd-memory",
        ],
    ),
];

/// Crates from elsewhere that a pure crate may use: numbers and nothing else.
const PURE: [&str; 2] = ["dashu-int", "dashu-ratio"];

fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline", "--manifest-path", manifest])
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let used = |package: &Value| -> BTreeSet<String> {
        let all = package["dependencies"].as_array().expect("dependencies");
        // What only tests use may point anywhere.
        let normal = all.iter().filter(|dependency| dependency["kind"].is_null());
        normal.map(|dependency| dependency["name"].as_str().expect("a name").to_string()).collect()
    };
    packages.iter().map(|package| (package["name"].as_str().expect("a name").to_string(), used(package))).collect()
}

#[test]
fn crates_depend_only_along_the_arrows() {
    let dependencies = dependencies();
    let known: BTreeSet<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    let present: BTreeSet<&str> = dependencies.keys().map(String::as_str).collect();
    assert_eq!(known, present, "every crate of the workspace stands in the table");
    for (name, allowed) in ARROWS.iter().copied() {
        let ours = dependencies[name].iter().filter(|used| known.contains(used.as_str()));
        for used in ours {
            assert!(allowed.contains(&used.as_str()), "{name} may not use {used}");
        }
    }
}

/// What a stranger who verifies need not trust: books, networks, engines, and whoever sees rows or secrets.
const NOT_FOR_STRANGERS: [&str; 10] = [
    "rusqlite",
    "libsqlite3-sys",
    "tokio-postgres",
    "tokio",
    "rustls",
    "incrowd-ledger",
    "incrowd-counts",
    "incrowd-engine",
    "incrowd-release",
    "incrowd-noise",
];

/// What their names begin with, where there are many of them.
const FAMILIES: [&str; 4] = ["datafusion", "postgres", "sqlparser", "incrowd-engine"];

/// Everything behind a crate, over however many steps, as it is built.
fn behind(start: &str) -> BTreeSet<String> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    // Of this platform alone: what others need has not been downloaded here.
    let told = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let told = String::from_utf8(told.stdout).expect("text");
    let platform = told.lines().find_map(|line| line.strip_prefix("host: ")).expect("a platform");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked", "--manifest-path", manifest])
        .args(["--filter-platform", platform])
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let packages = metadata["packages"].as_array().expect("packages");
    let names: BTreeMap<String, String> =
        packages.iter().map(|package| (text(&package["id"]), text(&package["name"]))).collect();
    let nodes = metadata["resolve"]["nodes"].as_array().expect("nodes");
    // What only tests use is not built into anything.
    let is_built = |kind: &Value| kind["kind"] != "dev";
    let uses: BTreeMap<String, Vec<String>> = nodes
        .iter()
        .map(|node| {
            let built = node["deps"]
                .as_array()
                .expect("dependencies")
                .iter()
                .filter(|dependency| dependency["dep_kinds"].as_array().expect("kinds").iter().any(is_built));
            (text(&node["id"]), built.map(|dependency| text(&dependency["pkg"])).collect())
        })
        .collect();
    let mut left: Vec<&String> = names.iter().filter(|(_, name)| *name == start).map(|(id, _)| id).collect();
    assert_eq!(left.len(), 1, "one crate is called {start}");
    let mut seen = BTreeSet::new();
    while let Some(id) = left.pop() {
        left.extend(uses[id].iter().filter(|used| seen.insert(*used)));
    }
    seen.into_iter().map(|id| names[id].clone()).collect()
}

#[test]
fn who_verifies_has_no_book_no_engine_and_no_secret() {
    for verifier in ["incrowd-verify", "incrowd-evidence"] {
        let behind = behind(verifier);
        assert!(behind.contains("incrowd-plan") && behind.len() > 50, "{verifier}: only {} were found", behind.len());
        for used in &behind {
            let is_of = |family: &&str| used.starts_with(*family);
            let is_foreign = NOT_FOR_STRANGERS.contains(&used.as_str()) || FAMILIES.iter().any(is_of);
            assert!(!is_foreign, "{verifier} reaches {used}");
        }
    }
    let all = behind("incrowd");
    for name in NOT_FOR_STRANGERS {
        assert!(all.contains(name), "{name} is not looked for under its name");
    }
}

#[test]
fn the_mathematics_uses_numbers_and_nothing_else() {
    let dependencies = dependencies();
    for name in ["incrowd-exact", "incrowd-privacy"] {
        for used in &dependencies[name] {
            assert!(PURE.contains(&used.as_str()) || used == "incrowd-exact", "{name} may not use {used}");
        }
    }
}

/// Returns every source file of ours below a folder.
fn sources(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn only_tests_look_at_true_counts() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates");
    let mut all = Vec::new();
    sources(crates, &mut all);
    assert!(all.len() > 100, "the sources were not found");
    for path in all {
        let inside_tests = path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "examples");
        let own = path.ends_with("counts/src/testing.rs") || path.ends_with("conformance/src/counting.rs");
        let text = std::fs::read_to_string(&path).expect("a source file");
        let used = text.contains(concat!("reveal_true", "_counts"));
        assert!(!used || inside_tests || own, "{} looks at true counts", path.display());
    }
}

#[test]
fn only_the_stewards_screen_looks_at_group_sizes() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates");
    let mut all = Vec::new();
    sources(crates, &mut all);
    let mut found = BTreeSet::new();
    for path in all {
        let inside_tests = path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "examples");
        let text = std::fs::read_to_string(&path).expect("a source file");
        if text.contains(concat!("reveal_group", "_sizes")) && !inside_tests {
            found.insert(path.strip_prefix(crates).expect("below").to_string_lossy().into_owned());
        }
    }
    let screen = ["cli/src/ledger/exposure.rs", "engine-datafusion/src/exposure.rs"];
    assert_eq!(found, BTreeSet::from(screen.map(str::to_string)));
}

#[test]
fn only_check_looks_at_what_a_release_would_lose() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates");
    let mut all = Vec::new();
    sources(crates, &mut all);
    let mut found = BTreeSet::new();
    for path in all {
        let inside_tests = path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "examples");
        let text = std::fs::read_to_string(&path).expect("a source file");
        if text.contains(concat!("reveal_", "findings")) && !inside_tests {
            found.insert(path.strip_prefix(crates).expect("below").to_string_lossy().into_owned());
        }
    }
    let screen = ["cli/src/check.rs", "engine-datafusion/src/check.rs"];
    assert_eq!(found, BTreeSet::from(screen.map(str::to_string)));
}

/// Returns the names of the public types that a source file defines.
fn public_types(text: &str) -> BTreeSet<String> {
    let named = |line: &str| {
        let rest = ["pub struct ", "pub enum ", "pub type ", "pub trait "]
            .iter()
            .find_map(|start| line.trim().strip_prefix(start))?;
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_string)
    };
    text.lines().filter_map(named).collect()
}

/// The public types of each crate.
fn public_types_of_crates() -> BTreeMap<String, BTreeSet<String>> {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates");
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(crates).expect("crates") {
        let folder = entry.expect("an entry").path();
        let mut all = Vec::new();
        sources(&folder.join("src"), &mut all);
        let text = |path: &std::path::PathBuf| std::fs::read_to_string(path).expect("a source file");
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        found.insert(name, all.iter().flat_map(|path| public_types(&text(path))).collect());
    }
    found
}

#[test]
fn one_name_means_one_public_type_and_can_be_searched_for() {
    let of_crates = public_types_of_crates();
    let defined = &of_crates["definition"];
    for name in ["Dimension", "Cut", "Edges", "BinValue", "Other", "Nulls", "Unit", "Split", "ColumnType", "Labels"] {
        assert!(defined.contains(name), "{name} is not in the definition");
    }
    let mut homes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (folder, types) in &of_crates {
        types.iter().for_each(|name| homes.entry(name).or_default().push(folder));
    }
    assert!(homes.len() > 300, "only {} types were found", homes.len());
    let twins: Vec<_> = homes.iter().filter(|(_, folders)| folders.len() > 1).collect();
    assert!(twins.is_empty(), "{twins:?}");
    let questions = ["Who", "Whose", "How", "By", "What", "When", "Where", "Which", "Why"];
    assert!(questions.iter().all(|question| !homes.contains_key(question)), "{homes:?}");
}

#[test]
fn the_stated_version_of_rust_is_the_one_that_locked_dependencies_need() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO")).args(arguments).output().expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    // What is for other systems need not be on this one.
    let about = run(&["-vV"]);
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let manifest = format!("{root}/Cargo.toml");
    let asked = ["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", host];
    let metadata: Value =
        serde_json::from_str(&run(&[&asked[..], &["--manifest-path", &manifest]].concat())).expect("JSON");
    let version = |text: &str| {
        let mut parts = text.split('.').map(|part| part.parse::<u32>().expect("a number"));
        (parts.next().expect("a version"), parts.next().unwrap_or(0))
    };
    let packages = metadata["packages"].as_array().expect("packages");
    let (ours, others): (Vec<&Value>, Vec<&Value>) = packages.iter().partition(|package| package["source"].is_null());
    let most = |packages: &[&Value]| {
        packages.iter().filter_map(|package| Some(version(package["rust_version"].as_str()?))).max()
    };
    assert_eq!(most(&ours), most(&others), "rust-version in Cargo.toml, and what locked dependencies need");
    let (major, minor) = most(&others).expect("a version");
    let readme = std::fs::read_to_string(format!("{root}/README.md")).expect("README.md");
    assert!(readme.contains(&format!("a Rust toolchain ({major}.{minor} or later)")), "README says another version");
}

#[test]
fn one_build_serves_the_command_line_and_the_tests() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let features = |what: &[&str]| {
        let form = ["tree", "--offline", "--locked", "--prefix", "none", "-f", "{p} {f}", "--manifest-path", manifest];
        let output = Command::new(env!("CARGO")).args(form).args(what).output().expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().map(|line| line.trim_end_matches(" (*)").to_string()).collect::<BTreeSet<String>>()
    };
    let alone = features(&["-p", "incrowd", "-e", "normal,build"]);
    let tested = features(&["--workspace", "-e", "normal,build,dev"]);
    assert!(alone.len() > 100, "only {} packages were found", alone.len());
    let apart: Vec<&String> = alone.difference(&tested).collect();
    assert!(
        apart.is_empty(),
        "tests turn other features of these on, so that users would run something else: {apart:#?}"
    );
}

#[test]
fn only_the_allocator_is_unsafe() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates");
    for entry in std::fs::read_dir(crates).expect("crates").map(|entry| entry.expect("an entry").path()) {
        let manifest = std::fs::read_to_string(entry.join("Cargo.toml")).expect("a manifest");
        let forbids = manifest.contains("[lints]\nworkspace = true");
        assert_eq!(forbids, !entry.ends_with("memory"), "{}", entry.display());
    }
}
