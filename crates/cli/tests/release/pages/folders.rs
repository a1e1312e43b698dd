//! `init`, `example`, `export` and `recover`.

use super::{Page, place};
use crate::recover::killed_before_the_name;

#[test]
fn init_writes_a_commented_request() {
    let place = place();
    place.write("typed.csv", "id,age,born,weight,member\n1,30,1990-01-31,70.5,true\n2,40,1980-02-28,80,false\n");
    place.write("values.csv", "4711,Muster\n4712,Beispiel\n");
    let mut page = Page::of(&place);
    page.run(&["init", "people.csv"], 0);
    page.run(&["init", "typed.csv", "--format", "json"], 0);
    page.run(&["init", "typed.csv", "--output", "typed.toml"], 0);
    page.file("typed.toml");
    page.run(&["init", "typed.csv", "--output", "typed.toml"], 2);
    page.run(&["init", "values.csv"], 0);
    page.run(&["init", "people.csv", "--by", "region,salary", "--person", "id"], 0);
    page.run(&["init", "people.csv", "--by", "regoin"], 2);
    page.run(&["init", "people.csv", "--by", "id", "--person", "id"], 2);
    page.run(&["init", "people.csv", "--interactive"], 2);
    page.run(&["init", "nowhere.csv"], 2);
    page.check("init.txt");
}

#[test]
fn an_example_is_ready_to_be_released() {
    let place = place();
    let mut page = Page::of(&place);
    page.run(&["example"], 0);
    page.run(&["example", "--format", "json"], 0);
    for name in ["salaries", "diagnoses", "keywords", "series", "top", "rows", "points", "baskets", "sampled"] {
        page.run(&["example", name, &format!("demo/{name}")], 0);
    }
    page.run(&["example", "salaries", "demo/salaries"], 2);
    page.run(&["example", "salaries", "again", "--format", "json"], 0);
    page.run(&["example", "salaries"], 2);
    page.run(&["example", "salary", "demo"], 2);
    page.run(&["example", "salary", "demo", "--format=json"], 2);
    place.write("file", "a file");
    page.run(&["example", "top", "file"], 2);
    page.run(&["example", "top", "file/below"], 2);
    page.check("example.txt");
}

#[test]
fn every_command_has_a_manual_page() {
    let place = place();
    let mut page = Page::of(&place);
    page.run(&["man", "pages"], 0);
    page.run(&["man", "pages"], 2);
    place.write("file", "a file");
    page.run(&["man", "file/below"], 2);
    page.file("pages/incrowd-release.1");
    page.file("pages/incrowd-ledger-open.1");
    page.check("man.txt");
    let main = place.run(&["man"]).stdout;
    assert_eq!(main, std::fs::read_to_string(place.path("pages/incrowd.1")).expect("a page"));
    let mut names: Vec<String> = std::fs::read_dir(place.path("pages"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    for name in &names {
        let text = std::fs::read_to_string(place.path("pages").join(name)).expect("a page");
        for section in
            ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "ENVIRONMENT", "\"EXIT STATUS\"", "FILES", "EXAMPLES"]
        {
            assert!(text.contains(&format!(".SH {section}\n")), "{name} has no {section}");
        }
        // Its own name is what is typed: words of the help, with hyphens between them; one has a hyphen of its own.
        let name = name.trim_end_matches(".1").replace("set-aside", "set_aside");
        let words: Vec<String> = name.split('-').skip(1).map(|word| word.replace('_', "-")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let help = place.run(&[&words[..], &["--help"]].concat());
        assert_eq!(help.code, 0, "{name}: {}", help.stderr);
    }
    assert!(names.len() >= 24, "{names:?}");
    #[cfg(target_os = "linux")]
    {
        // A disk without room, as far as a process can be made to see one.
        for arguments in [["man", "full"], ["example", "full"]] {
            let binary = env!("CARGO_BIN_EXE_incrowd");
            let name = if arguments[0] == "example" { "top full" } else { "full" };
            let line = format!("ulimit -f 1; exec {binary} {} {name}", arguments[0]);
            let output = std::process::Command::new("sh")
                .args(["-c", &line])
                .current_dir(place.path(""))
                .output()
                .expect("a shell");
            let words = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{words}");
            assert!(words.contains("could not be written to full") && words.contains("hint: "), "{words}");
            assert!(!place.path("full").exists(), "nothing half is left");
        }
    }
}

#[test]
fn export_fills_in_what_the_certificate_knows() {
    let place = place();
    let mut page = Page::of(&place);
    for kind in ["histogram", "series", "top", "rows", "points", "sampled"] {
        let said = place.run(&["release", &format!("{kind}.toml"), "--test-seed", "7", "--folder", kind, "--quiet"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        page.name_charge_of(kind);
        page.run(&["export", kind, "--as", "registry"], 0);
    }
    let filled = [
        "export",
        "histogram",
        "--as",
        "registry",
        "--name",
        "Salaries",
        "--curator",
        "Office",
        "--use",
        "Planning",
        "--region",
        "Bern",
        "--date",
        "2026-11-16",
        "--sector",
        "government",
        "--author",
        "Ann",
        "--output",
        "e.yaml",
    ];
    page.run(&filled, 0);
    page.file("e.yaml");
    page.run(&filled, 2);
    page.run(&["export", "nowhere", "--as", "registry"], 2);
    page.check("export.txt");
}

#[test]
fn recover_says_what_it_gave_a_name() {
    let place = place();
    let request = std::fs::read_to_string(place.path("crowd.toml")).expect("a request");
    place.write(
        "request.toml",
        request.replace("synthetic = true\n", "").replace("[ledger]", "[output]\nfolder = \"out\"\n[ledger]"),
    );
    let mut page = Page::of(&place);
    page.run(&["recover"], 0);
    place.released();
    killed_before_the_name(&place, "out");
    page.run(&["recover", "out", "--ledger", "other.sqlite"], 1);
    place.write("out/mine.txt", "mine");
    page.run(&["recover", "."], 1);
    page.run(&["recover", "out", "--to", "elsewhere"], 0);
    killed_before_the_name(&place, "elsewhere");
    page.run(&["recover", "elsewhere", "--format", "json"], 0);
    killed_before_the_name(&place, "elsewhere");
    page.run(&["release", "request.toml", "--folder", "elsewhere"], 1);
    page.name_book();
    page.check("recover.txt");
}
