//! Within a crate, modules read downwards: none imports another that imports it, over however many steps.
//!
//! Modules are those that stand in `src` itself, each with its folder; what only tests see does not count. Paths are
//! read from the root (`crate::`), from below (`super::`), and through names that the root passes on. It must never
//! pass because it found nothing: the graph is known to have edges, and circles that are put in are found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type Graph = BTreeMap<String, BTreeSet<String>>;

/// A file of a crate: the modules that lead to it, the one of `src` first, and what stands in it.
type File = (Vec<String>, String);

fn crates() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("crates").map(|entry| entry.expect("a crate").path()).collect();
    found.sort();
    found
}

/// The files of a crate.
fn files(source: &Path) -> Vec<File> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() { below(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    below(source, &mut found);
    let modules = |path: &Path| -> Vec<String> {
        let relative = path.strip_prefix(source).expect("inside").with_extension("");
        relative.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let is_source = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let is_test = |path: &Path| path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"));
    found.sort();
    found
        .iter()
        .filter(is_source)
        .filter(|path| !is_test(path.strip_prefix(source).expect("inside")))
        .map(|path| (modules(path), without_tests(&std::fs::read_to_string(path).expect("a source"))))
        .collect()
}

/// A source without comments and without what stands behind `#[cfg(test)]` at its end.
fn without_tests(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

/// Which module imports which; the root is above all of them, and a name that it passes on is the module's that has it.
fn graph(files: &[File]) -> Graph {
    let is_root = |file: &&File| ["lib", "main"].contains(&file.0[0].as_str());
    let modules: BTreeSet<&str> =
        files.iter().filter(|file| !is_root(file)).map(|(modules, _)| modules[0].as_str()).collect();
    let passed_on: BTreeMap<String, String> =
        files.iter().filter(is_root).flat_map(|(_, text)| passed_on(text, &modules)).collect();
    let mut graph = Graph::new();
    for (path, text) in files.iter().filter(|file| !is_root(file)) {
        let mut used: BTreeSet<String> = text.split("crate::").skip(1).flat_map(first_names).collect();
        used.extend(from_below(text, path.len()).into_iter().flat_map(first_names));
        let module =
            |name: &String| modules.get(name.as_str()).map(ToString::to_string).or(passed_on.get(name).cloned());
        let others = used.iter().filter_map(module).filter(|name| *name != path[0]);
        graph.entry(path[0].clone()).or_default().extend(others);
    }
    graph
}

/// What stands behind so many `super::` in a row that the path begins at the root.
fn from_below(text: &str, depth: usize) -> Vec<&str> {
    const UP: &str = "super::";
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(UP) {
        let mut steps = 0;
        rest = &rest[at..];
        while let Some(above) = rest.strip_prefix(UP) {
            (rest, steps) = (above, steps + 1);
        }
        if steps == depth {
            found.push(rest);
        }
    }
    found
}

/// The names that a root passes on, each with the module that it is from.
fn passed_on(root: &str, modules: &BTreeSet<&str>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for statement in root.split(';') {
        let Some((_, path)) = statement.split_once("use ") else { continue };
        let path = path.trim_start_matches("crate::").trim_start_matches("self::");
        let Some((module, names)) = path.split_once("::").filter(|(module, _)| modules.contains(module)) else {
            continue;
        };
        let is_mark = |c: char| !(c.is_alphanumeric() || c == '_');
        found.extend(names.split(is_mark).filter(|name| !name.is_empty()).map(|name| (name.into(), module.into())));
    }
    found
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
        if !circle.is_empty() {
            let between = circle.iter().map(|module| {
                let to: Vec<&String> = graph[module].iter().filter(|to| circle.contains(to)).collect();
                format!("{module} -> {to:?}")
            });
            wrong.push(format!("{}: {}", crate_folder.display(), between.collect::<Vec<_>>().join("; ")));
        }
    }
    assert!(edges > 400, "only {edges} imports were found");
    assert!(wrong.is_empty(), "modules that import each other in a circle:\n{}", wrong.join("\n"));
}

#[test]
fn a_circle_of_three_modules_is_found() {
    let file = |path: &str, text: &str| (path.split('/').map(String::from).collect(), without_tests(text));
    let straight = [
        file("a", "use crate::{b::One, c::{Two, Three}};"),
        file("b", "use crate::c::Two;\n// crate::a is above\n#[cfg(test)]\nmod tests {\n use crate::a::Four; }"),
        file("c", "fn deep() {}"),
        file("c/d", "use super::deep;\nuse super::super::e::Five;\nuse super::a::Six;"),
        file("e", "mod tests_of_e;"),
        file("lib", "mod a;\npub use crate::a::{Four, four as vier};"),
    ];
    assert_eq!(circles(&graph(&straight)), Vec::<String>::new());
    for (place, back) in [
        (2, "fn back() { crate::a::four() }"),
        (2, "use super::a::four;"),
        (2, "use super::{b, a::four};"),
        (2, "fn back() { super::four() }"),
        (2, "use crate::vier;"),
        (3, "use super::super::a::four;"),
        (3, "use crate::Four;"),
    ] {
        let mut bent = straight.to_vec();
        bent[place].1.push_str(&format!("\n{back}"));
        assert_eq!(circles(&graph(&bent)), ["a", "b", "c"], "{back}");
    }
    let mut bent = straight.to_vec();
    bent[4].1.push_str("\nuse super::c;");
    assert_eq!(circles(&graph(&bent)), ["c", "e"]);
}
