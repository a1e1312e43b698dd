//! Within a crate, modules read downwards: none imports another that imports it, over however many steps.
//!
//! Modules are those that stand in `src` itself, each with its folder; what only tests see does not count. It must never
//! pass because it found nothing: the graph is known to have edges, and a circle that is put in is found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Crates whose circles are known and still to be cut.
const STILL_ROUND: [&str; 2] = ["engine-datafusion", "plan"];

type Graph = BTreeMap<String, BTreeSet<String>>;

fn crates() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("crates").map(|entry| entry.expect("a crate").path()).collect();
    found.sort();
    found
}

/// The files of a crate, each with the module of `src` that it belongs to.
fn files(source: &Path) -> Vec<(String, String)> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() { below(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    below(source, &mut found);
    let module = |path: &Path| {
        let relative = path.strip_prefix(source).expect("inside");
        let first = relative.components().next().expect("a name");
        Path::new(&first).file_stem().expect("a name").to_string_lossy().into_owned()
    };
    let is_source = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let is_test = |path: &Path| path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"));
    found.sort();
    found
        .iter()
        .filter(is_source)
        .filter(|path| !is_test(path.strip_prefix(source).expect("inside")))
        .map(|path| (module(path), without_tests(&std::fs::read_to_string(path).expect("a source"))))
        .collect()
}

/// A source without comments and without what stands behind `#[cfg(test)]` at its end.
fn without_tests(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

/// Which module imports which; the root and its re-exports are above all of them.
fn graph(files: &[(String, String)]) -> Graph {
    let is_root = |module: &str| ["lib", "main"].contains(&module);
    let modules: BTreeSet<&str> =
        files.iter().map(|(module, _)| module.as_str()).filter(|name| !is_root(name)).collect();
    let mut graph = Graph::new();
    for (module, text) in files.iter().filter(|(module, _)| !is_root(module)) {
        let mut used = BTreeSet::new();
        for path in text.split("crate::").skip(1) {
            used.extend(first_names(path));
        }
        let others = used.iter().filter(|name| *name != module && modules.contains(name.as_str())).cloned();
        graph.entry(module.clone()).or_default().extend(others);
    }
    graph
}

/// The first name of each path: `a` of `a::B`, `a` and `c` of `{a::B, c::{D, E}}`.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, sign) in group.char_indices() {
        match (sign, depth) {
            ('{', _) => depth += 1,
            ('}', 0) => {
                names.push(name(&group[start..at]));
                break;
            }
            ('}', _) => depth -= 1,
            (',', 0) => {
                names.push(name(&group[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    names
}

/// The modules that are on a circle: those that lead back to themselves.
fn circles(graph: &Graph) -> Vec<String> {
    let reach = |from: &String| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(at) = left.pop() {
            for next in graph.get(at).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    left.push(next);
                }
            }
        }
        seen
    };
    graph.keys().filter(|module| reach(module).contains(*module)).cloned().collect()
}

#[test]
fn no_module_is_above_and_below_another() {
    let mut edges = 0;
    let mut wrong = Vec::new();
    for crate_folder in crates() {
        let graph = graph(&files(&crate_folder.join("src")));
        edges += graph.values().map(BTreeSet::len).sum::<usize>();
        let circle = circles(&graph);
        let name = crate_folder.file_name().expect("a name").to_string_lossy();
        assert!(
            !(STILL_ROUND.contains(&&*name) && circle.is_empty()),
            "{name} has no circle any more: take it off the list"
        );
        if !circle.is_empty() && !STILL_ROUND.contains(&&*name) {
            let between = circle.iter().map(|module| {
                let to: Vec<&String> = graph[module].iter().filter(|to| circle.contains(to)).collect();
                format!("{module} -> {to:?}")
            });
            wrong.push(format!("{}: {}", crate_folder.display(), between.collect::<Vec<_>>().join("; ")));
        }
    }
    assert!(edges > 300, "only {edges} imports were found");
    assert!(wrong.is_empty(), "modules that import each other in a circle:\n{}", wrong.join("\n"));
}

#[test]
fn a_circle_of_three_modules_is_found() {
    let file = |module: &str, text: &str| (module.to_string(), without_tests(text));
    let straight = [
        file("a", "use crate::{b::One, c::{Two, Three}};"),
        file("b", "use crate::c::Two;\n// crate::a is above\n#[cfg(test)]\nmod tests {\n use crate::a::Four; }"),
        file("c", "fn deep() {}"),
        file("lib", "pub use crate::a::Four;"),
    ];
    assert_eq!(circles(&graph(&straight)), Vec::<String>::new());
    let mut bent = straight.to_vec();
    bent[2].1.push_str("\nfn back() { crate::a::four() }");
    assert_eq!(circles(&graph(&bent)), ["a", "b", "c"]);
}
