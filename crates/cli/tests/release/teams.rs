//! `docs/teams.md`: its policy is written, its commands are typed in order, and each attempt of its table is refused.
//!
//! It runs on a machine of its own (`policy.rs`), with folders of the test in place of `/data` and `/srv/incrowd`;
//! without the rights to make one nothing is typed.

use crate::policy::Machine;
use incrowd_ledger::OfficerKey;

const TEAMS: &str = include_str!("../../../../docs/teams.md");

/// A text of the document with the folders of the test in it.
fn here(machine: &Machine, text: &str) -> String {
    machine.here(
        &text
            .replace("/data/", "HOME/data/")
            .replace("\"/data\"", "\"HOME/data\"")
            .replace("/srv/incrowd/", "HOME/books/"),
    )
}

fn words<'a>(machine: &Machine, line: &'a str) -> Vec<String> {
    let line: &'a str = line.trim();
    line.split_whitespace().skip(1).map(|word| here(machine, word)).collect()
}

#[test]
fn a_team_is_set_up_in_ten_commands_and_no_attempt_of_the_table_is_paid() {
    let Some(machine) = Machine::new() else { return };
    let key = OfficerKey::of_random([7; 32]).expect("a key");
    let policy = TEAMS.split_once("```toml\n").and_then(|(_, rest)| rest.split_once("```")).expect("a policy").0;
    let policy = here(&machine, policy);
    let line = policy.lines().find(|line| line.starts_with("key ")).expect("a key");
    assert_eq!(
        line.split('"').nth(1),
        Some(key.public().digits().as_str()),
        "the key of the document is that of a test"
    );
    machine.decree(&policy);
    machine.place.write("work/officer.key", key.secret_text());
    machine.place.write("work/officer.pub", format!("incrowd public key ed25519 {}\n", key.public().digits()));
    std::os::unix::fs::chown(machine.place.path("work/officer.key"), Some(65534), Some(65534)).expect("given");

    let console = TEAMS.split_once("```console\n").and_then(|(_, rest)| rest.split_once("```")).expect("commands").0;
    let commands: Vec<(&str, &str)> =
        console.lines().filter_map(|line| line.split_once("# ").or(line.split_once("$ "))).collect();
    assert_eq!(commands.len(), 10);
    let mut attempts = 0;
    for (role, command) in commands {
        if command.contains(" release ") {
            attempts = try_all(&machine);
        }
        let typed = words(&machine, command);
        let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
        let said = match role {
            "administrator" => machine.administer(&typed),
            "officer" | "analyst" => machine.run(&typed, &[]),
            other => panic!("nobody is {other}"),
        };
        assert_eq!(said.code, 0, "{command}: {}{}", said.stdout, said.stderr);
    }
    assert!(attempts >= 14, "{attempts}");
    assert_eq!(machine.charges(), 1);
}

/// Tries every row of the table once everything is ready for a release.
fn try_all(machine: &Machine) -> usize {
    let request = std::fs::read_to_string(machine.place.path("data/hr/request.toml")).expect("a request");
    let elsewhere = here(machine, "source  = \"/data/hr/employees.csv\"");
    let real = |text: &str| {
        let source = text.lines().find(|line| line.starts_with("source")).expect("a source").to_string();
        text.replacen(&source, &elsewhere, 1)
    };
    let write = |name: &str, text: String| machine.place.write(&format!("work/{name}"), text);
    write("larger.toml", real(&request.replacen("epsilon = 1", "epsilon = 2", 1)));
    write("own-book.toml", real(&request.replacen("[ledger]", "[ledger]\npath = \"mine.sqlite\"", 1)));
    write("another-name.toml", real(&request.replacen("employees-2026", "employees-2027", 1)));
    write("made-up.toml", real(&request.replacen("[data]", "[data]\nsynthetic = true", 1)));
    write("copy.toml", request.clone());
    std::fs::copy(machine.place.path("data/hr/employees.csv"), machine.place.path("work/employees.csv"))
        .expect("a copy");
    write("stream.toml", real(&request).replacen(&elsewhere, "source = \"-\"", 1));
    let (_, table) = TEAMS.split_once("| the analyst types | what is said |\n|---|---|\n").expect("a table");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let mut attempts = 0;
    for row in rows {
        let [command, reason] = row.trim_matches('|').split(" | ").collect::<Vec<_>>()[..] else { panic!("{row}") };
        let typed = words(machine, command.trim().trim_matches('`'));
        let said = machine.run(&typed.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
        assert!([1, 2].contains(&said.code), "{row}: {}{}", said.stdout, said.stderr);
        assert!(said.stderr.contains(reason.trim()), "{row}: {}", said.stderr);
        attempts += 1;
    }
    assert_eq!(machine.charges(), 0);
    assert!(!machine.place.path("work/mine.sqlite").exists() && !machine.place.path("work/out").exists());
    attempts
}
