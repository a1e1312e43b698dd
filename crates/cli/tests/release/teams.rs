//! `docs/teams.md`: its policy is written, its commands are typed in order, and each attempt of its tables is refused.
//!
//! It runs on a machine of its own (`policy.rs`), with folders of the test in place of `/data`; without the rights to
//! make one nothing is typed. With a server, whose address is in INCROWD_TEST_POSTGRES, the book is in a database of
//! it, as the document has it; without one, in a file.

use crate::policy::Machine;
use crate::psql::{Server, split};
use incrowd_ledger::OfficerKey;

const TEAMS: &str = include_str!("../../../../docs/teams.md");

/// A team on a machine, and the server that has its book, if that is in one.
struct Team {
    machine: Machine,
    server: Option<Server>,
}

impl Team {
    /// A text of the document with the places of the test in it.
    fn here(&self, text: &str) -> String {
        let text = text.replace("/data/", "HOME/data/").replace("\"/data\"", "\"HOME/data\"");
        let text = match &self.server {
            None => text.replace("postgres://book.example/incrowd", "HOME/books/book.sqlite"),
            Some(server) => text
                .replace("postgres://postgres@book.example/postgres", &server.address)
                .replace("book.example", &server.host),
        };
        self.machine.here(&text)
    }

    fn words(&self, line: &str) -> Vec<String> {
        split(line.trim()).iter().skip(1).map(|word| self.here(word)).collect()
    }

    /// What somebody sees who types this.
    fn typed(&self, role: &str, command: &str) -> crate::place::Said {
        let words = self.words(command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let name = match role {
            "administrator" if command.starts_with("psql ") => return self.machine.psql(&words),
            "administrator" => return self.machine.administer(&words),
            "officer" => "olga",
            "analyst" => "ann",
            "stranger" => return self.machine.run(&words, &[]),
            other => panic!("nobody is {other}"),
        };
        // Under the system's name of each in the document; here both are nobody.
        let ledger = self.server.as_ref().map(|server| server.of(name));
        let variables: Vec<(&str, &str)> = ledger.iter().map(|ledger| ("INCROWD_LEDGER", ledger.as_str())).collect();
        self.machine.run(&words, &variables)
    }

    fn charges(&self) -> usize {
        let said = self.typed("officer", "incrowd ledger history --format json");
        said.stdout.matches("\"kind\": \"charge\"").count()
    }
}

#[test]
fn a_team_with_a_book_in_a_file_takes_the_same_steps_and_pays_for_no_attempt() {
    set_up(None);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_team_is_set_up_in_ten_commands_and_no_attempt_of_the_table_is_paid() {
    let server = Server::new();
    server.forget();
    set_up(Some(server));
}

fn set_up(server: Option<Server>) {
    let Some(machine) = Machine::new() else { return };
    let team = Team { machine, server };
    let machine = &team.machine;
    let key = OfficerKey::of_random([7; 32]).expect("a key");
    let policy = TEAMS.split_once("```toml\n").and_then(|(_, rest)| rest.split_once("```")).expect("a policy").0;
    let policy = team.here(policy);
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
    let made_up = team.typed("administrator", "incrowd example salaries /data/hr");
    assert_eq!(made_up.code, 0, "{}", made_up.stderr);

    let console = TEAMS.split_once("```console\n").and_then(|(_, rest)| rest.split_once("```")).expect("commands").0;
    let commands: Vec<(&str, &str)> =
        console.lines().filter_map(|line| line.split_once("# ").or(line.split_once("$ "))).collect();
    assert_eq!(commands.len(), 10);
    let mut attempts = 0;
    for (role, command) in commands {
        let of_the_server = command.starts_with("psql ") || command.starts_with("incrowd ledger setup ");
        if of_the_server && team.server.is_none() {
            continue;
        }
        if command.contains(" release ") {
            attempts = try_all(&team);
        }
        let said = team.typed(role, command);
        assert_eq!(said.code, 0, "{command}: {}{}", said.stdout, said.stderr);
    }
    assert!(attempts >= 14, "{attempts}");
    assert_eq!(team.charges(), 1);
}

/// Tries every row of the table once everything is ready for a release.
fn try_all(team: &Team) -> usize {
    let machine = &team.machine;
    let request = std::fs::read_to_string(machine.place.path("data/hr/request.toml")).expect("a request");
    let elsewhere = team.here("source  = \"/data/hr/employees.csv\"");
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
        let command = command.trim().trim_matches('`');
        // Who names the right book is charged there, and a path of the request is not looked at.
        let role = if command.contains("own-book.toml") { "stranger" } else { "analyst" };
        let said = team.typed(role, command);
        assert!([1, 2].contains(&said.code), "{row}: {}{}", said.stdout, said.stderr);
        assert!(said.stderr.contains(reason.trim()), "{row}: {}", said.stderr);
        attempts += 1;
    }
    assert_eq!(team.charges(), 0);
    assert!(!machine.place.path("work/mine.sqlite").exists() && !machine.place.path("work/out").exists());
    attempts
}
