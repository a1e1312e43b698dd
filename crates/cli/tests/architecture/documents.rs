//! Files that documents and module headers name are there, links lead somewhere, pictures are what their script draws,
//! and prose is wrapped.
//!
//! A name in code style is looked for by how paths end, so it must never be taken for found because another crate has a
//! file of that name. It is separate from the arrows because it reads text, not dependencies. Read `../architecture.rs`
//! next.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// So many columns may a line of prose have.
const WIDEST: usize = 120;
/// History names files as they were.
const HISTORY: &str = "CHANGELOG.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("a text")
}

/// Returns every file of ours, by its path from the root.
fn files() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if path.is_dir() {
                let ours = !name.starts_with('.') && !name.starts_with("target") && name != "__pycache__";
                folders.extend(ours.then_some(path));
            } else {
                found.insert(path.strip_prefix(root()).expect("below").to_string_lossy().into_owned());
            }
        }
    }
    assert!(found.len() > 300, "the files were not found");
    found
}

/// Returns the files that a text names in code style: `x.rs`, `crate/x.rs`, `x.rs::function`.
fn named(text: &str) -> Vec<&str> {
    let spans = text.split('`').skip(1).step_by(2);
    let file = |span: &str| [".rs", ".py", ".md"].iter().any(|end| span.len() > end.len() && span.ends_with(end));
    let plain = |span: &str| span.chars().all(|c| c.is_ascii_alphanumeric() || "_-./*".contains(c));
    let path = spans.filter_map(|span| Some(span.split("::").next()?.trim_start_matches("../")));
    path.filter(|span| file(span) && plain(span)).collect()
}

/// Whether a file below a folder has a path that ends with this name, with or without `src`; `*` stands for anything.
fn is_there(name: &str, files: &BTreeSet<String>, below: &str) -> bool {
    let ends = |path: String| match name.split_once('*') {
        None => path.ends_with(&format!("/{name}")),
        Some((before, after)) => path.contains(&format!("/{before}")) && path.ends_with(after),
    };
    let mut below = files.iter().filter(|file| file.starts_with(below));
    below.any(|file| ends(format!("/{file}")) || ends(format!("/{}", file.replacen("/src/", "/", 1))))
}

#[test]
fn files_that_documents_name_are_there() {
    let files = files();
    let documents = files.iter().filter(|file| file.ends_with(".md") && *file != HISTORY);
    let mut missing = Vec::new();
    for document in documents {
        let text = read(document);
        let gone = named(&text).into_iter().filter(|name| !is_there(name, &files, ""));
        missing.extend(gone.map(|name| format!("{document} names {name}")));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn files_that_module_headers_name_are_there() {
    let files = files();
    let sources = files.iter().filter(|file| file.starts_with("crates/") && file.ends_with(".rs"));
    let mut missing = Vec::new();
    for source in sources {
        let text = read(source);
        let header = text.lines().map_while(|line| line.strip_prefix("//!")).collect::<Vec<_>>().join(" ");
        let own = source.splitn(3, '/').take(2).collect::<Vec<_>>().join("/") + "/";
        // A file of another crate is named with its crate, or beside the crate's name.
        let elsewhere = |name: &str| (name.contains('/') || header.contains("incrowd")) && is_there(name, &files, "");
        let known = |name: &str| is_there(name, &files, &own) || elsewhere(name) || files.contains(name);
        let gone = named(&header).into_iter().filter(|name| !known(name));
        missing.extend(gone.map(|name| format!("{source} names {name}")));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Returns what the links and pictures of a text lead to; addresses elsewhere are left out.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:")).collect()
}

/// Returns the names by which links lead to the headings of a text.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !fenced) else { continue };
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
        found.insert(kept.map(|sign| if sign == ' ' { '-' } else { sign }).collect());
    }
    found
}

/// Whether a link of a document leads to a file or folder, and to one of its headings where it names one.
fn leads_somewhere(
    document: &str,
    link: &str,
    files: &BTreeSet<String>,
    headings: &dyn Fn(&str) -> BTreeSet<String>,
) -> bool {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let mut parts: Vec<&str> = document.split('/').collect();
    if !path.is_empty() {
        parts.pop();
    }
    for part in path.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            "." | "" => {}
            name => parts.push(name),
        }
    }
    let file = parts.join("/");
    match (files.contains(&file), anchor) {
        (true, "") => true,
        (true, anchor) => headings(&file).contains(anchor),
        (false, "") => files.iter().any(|other| other.starts_with(&format!("{file}/"))),
        (false, _) => false,
    }
}

#[test]
fn links_of_documents_lead_somewhere() {
    let files = files();
    let (mut lost, mut seen) = (Vec::new(), 0);
    for document in files.iter().filter(|file| file.ends_with(".md")) {
        let text = read(document);
        for link in links(&text) {
            seen += 1;
            if !leads_somewhere(document, link, &files, &|file| anchors(&read(file))) {
                lost.push(format!("{document} leads to {link}"));
            }
        }
    }
    assert!(seen > 80, "only {seen} links were found");
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn a_link_to_nothing_is_found_out() {
    let files = BTreeSet::from(["README.md", "docs/theory.md", "docs/decisions/0001-cells.md"].map(String::from));
    let headings = |_: &str| anchors("# What is computed\n\n```\n# a comment\n```\n\n## 2. Words, and `names`\n");
    let leads = |link: &str| leads_somewhere("docs/theory.md", link, &files, &headings);
    for there in ["../README.md", "theory.md", "decisions", "#what-is-computed", "./theory.md#2-words-and-names"] {
        assert!(leads(there), "{there}");
    }
    for gone in ["README.md", "../theory.md", "decision", "#a-comment", "theory.md#computed", "decisions#words"] {
        assert!(!leads(gone), "{gone}");
    }
    assert_eq!(links("[a](b.md), ![c\nd](e.svg) and [f](https://g.h)"), ["b.md", "e.svg"]);
}

#[test]
fn pictures_are_what_their_script_draws() {
    let pictures = root().join("docs/pictures");
    let folder = std::env::temp_dir().join(format!("incrowd-pictures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    // A machine without Python shows the pictures as they were drawn.
    let Ok(run) = Command::new("python3").arg(pictures.join("which-promise.py")).arg(&folder).output() else { return };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut drawn = 0;
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let kept = pictures.join(path.file_name().expect("a name"));
        let texts = [&path, &kept].map(|path| std::fs::read_to_string(path).expect("a picture"));
        assert!(texts[0] == texts[1], "{} was drawn otherwise: run which-promise.py", kept.display());
        drawn += 1;
    }
    std::fs::remove_dir_all(&folder).expect("a folder of its own");
    assert!(drawn >= 3, "only {drawn} pictures were drawn");
}

/// So many files, and so many lines in all, lead from the request to the folder.
const SPINE: (usize, usize) = (10, 2_000);

#[test]
fn the_spine_can_be_read_in_one_sitting() {
    let text = read("ARCHITECTURE.md");
    let section = text.split_once("\n## The spine\n").expect("a section").1;
    let section = section.split_once("\n## ").expect("the next section").0;
    // The list alone: what branches off is named below it.
    let is_numbered = |line: &&str| line.split_once(". ").is_some_and(|(number, _)| number.parse::<usize>().is_ok());
    let list = section.lines().filter(is_numbered).collect::<Vec<_>>();
    let files: BTreeSet<&str> = list.iter().flat_map(|line| named(line)).collect();
    assert_eq!((list.len(), files.len()), (SPINE.0, SPINE.0), "each line names a file: {list:#?}");
    let lines: usize = files.iter().map(|file| read(&format!("crates/{file}")).lines().count()).sum();
    assert!(lines <= SPINE.1, "the spine has {lines} lines, {} are allowed", SPINE.1);
    assert!(lines > SPINE.1 / 2, "only {lines} lines were found");
}

#[test]
fn comments_are_wrapped() {
    let mut wide = Vec::new();
    for source in files().iter().filter(|file| file.starts_with("crates/") && file.ends_with(".rs")) {
        for (number, line) in read(source).lines().enumerate() {
            if line.trim_start().starts_with("//") && line.chars().count() > WIDEST {
                wide.push(format!("{source}:{}", number + 1));
            }
        }
    }
    assert!(wide.is_empty(), "more than {WIDEST} columns: {wide:#?}");
}

#[test]
fn prose_is_wrapped() {
    let mut wide = Vec::new();
    for document in files().iter().filter(|file| file.ends_with(".md")) {
        let text = read(document);
        let (mut fenced, mut indented, mut before) = (false, false, "");
        for (number, line) in text.lines().enumerate() {
            let fence = line.trim_start().starts_with("```");
            fenced = fenced != fence;
            // Four spaces after an empty line are code; within a list they go on with an item.
            indented = line.starts_with("    ") && (indented || before.is_empty());
            let prose = !fence && !fenced && !indented && !line.starts_with('|');
            if prose && line.chars().count() > WIDEST {
                wide.push(format!("{document}:{}", number + 1));
            }
            before = line;
        }
    }
    assert!(wide.is_empty(), "more than {WIDEST} columns: {wide:#?}");
}

#[test]
fn the_page_on_promises_has_the_epsilons_of_its_odds() {
    let text = read("docs/which-promise.md");
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let odds: f64 = cells.next()?.strip_suffix(" %")?.parse().ok()?;
        Some((odds, cells.next()?.parse::<f64>().ok()?))
    };
    let rows: Vec<(f64, f64)> = text.lines().filter_map(row).collect();
    assert!(rows.len() > 5, "the table was not found: {rows:?}");
    let surer_than = |epsilon: f64| 100.0 / (1.0 + (-epsilon).exp());
    for (odds, epsilon) in rows {
        assert!(surer_than(epsilon) <= odds && surer_than(epsilon + 0.01) > odds, "{odds} % is not epsilon {epsilon}");
    }
    // Two releases at even odds times 3 to 1 each.
    assert!(text.contains("two tables at 75 % are one at 90 %") && 100.0 * 9.0 / 10.0 == 90.0);
}

#[test]
fn a_name_of_nothing_is_found_out() {
    let files = BTreeSet::from(["crates/exact/src/number.rs".to_string(), "docs/theory.md".to_string()]);
    for there in ["number.rs", "exact/number.rs", "exact/src/number.rs", "exact/num*.rs", "docs/theory.md"] {
        assert!(is_there(there, &files, ""), "{there}");
    }
    for gone in ["ber.rs", "row.rs", "noise/number.rs", "theory.rs"] {
        assert!(!is_there(gone, &files, ""), "{gone}");
    }
    assert!(!is_there("number.rs", &files, "crates/noise/"), "of another crate");
    assert_eq!(named("Read `a/b.rs::c`, `d e.rs`, `f.toml` and `../g.md`"), ["a/b.rs", "g.md"]);
}
