//! The policy of a machine and the binary, which knows one place for it: every way round is tried as an analyst without
//! rights.
//!
//! The machine is a copy of /etc that one process and its children see in place of the real one. Only an administrator
//! can make that: without such rights nothing is tried here, and `release/tests/session/governed.rs` tries the same
//! through the library, with a policy in a folder of its own.

use crate::place::{PLAIN, Place, Said, TOWNS, request};
use serde_json::Value;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

/// Who runs releases: nobody in particular.
const ANALYST: u32 = 65534;

/// A machine with a policy of its own, data about people in `data`, and an analyst who works in `work`.
pub struct Machine {
    pub place: Place,
}

impl Machine {
    /// Returns a machine whose administrator has written no policy yet; nothing where this process cannot make one.
    pub fn new() -> Option<Machine> {
        let machine = Machine { place: Place::new() };
        let place = &machine.place;
        for folder in ["etc/incrowd", "data/hr", "work", "books", "home"] {
            std::fs::create_dir_all(place.path(folder)).expect("a folder");
        }
        // What a process needs of /etc, and nothing secret.
        for name in ["passwd", "group", "nsswitch.conf", "localtime", "ld.so.cache"] {
            let _ = std::fs::copy(Path::new("/etc").join(name), place.path("etc").join(name));
        }
        for folder in ["", "etc", "etc/incrowd"] {
            std::fs::set_permissions(place.path(folder), PermissionsExt::from_mode(0o755)).expect("a mode");
        }
        for folder in ["work", "books", "home"] {
            chown(place.path(folder), Some(ANALYST), Some(ANALYST)).ok()?;
        }
        let probe = machine.command(ANALYST, &["--version"]).output().ok()?;
        probe.status.success().then_some(machine)
    }

    /// The binary on this machine, about to be run by a user.
    fn command(&self, user: u32, arguments: &[&str]) -> Command {
        self.program(user, env!("CARGO_BIN_EXE_incrowd"), arguments)
    }

    /// Another program on this machine.
    fn program(&self, user: u32, program: &str, arguments: &[&str]) -> Command {
        let script = format!(
            "mount --bind '{}' /etc && exec setpriv --reuid={user} --regid={user} --clear-groups -- \"$@\"",
            self.place.path("etc").display()
        );
        let mut command = Command::new("unshare");
        command.args(["--mount", "--propagation", "private", "sh", "-c", &script, "sh"]);
        command.arg(program).args(arguments).current_dir(self.place.path("work"));
        command.env_remove("INCROWD_LEDGER").env("XDG_DATA_HOME", self.place.path("home"));
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// A text with this machine's folders in place of HOME.
    pub fn here(&self, text: &str) -> String {
        text.replace("HOME", self.place.path("").display().to_string().trim_end_matches('/'))
    }

    /// Writes the policy, as the administrator.
    pub fn decree(&self, policy: &str) {
        self.place.write("etc/incrowd/policy.toml", self.here(policy));
        let mode = PermissionsExt::from_mode(0o644);
        std::fs::set_permissions(self.place.path("etc/incrowd/policy.toml"), mode).expect("a mode");
    }

    /// Runs the binary as the analyst.
    pub fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Said {
        said(self.command(ANALYST, arguments).envs(variables.iter().copied()))
    }

    /// Runs psql as the analyst.
    pub fn psql(&self, arguments: &[&str]) -> Said {
        said(&mut self.program(ANALYST, "psql", arguments))
    }

    /// Runs the binary as the administrator.
    pub fn administer(&self, arguments: &[&str]) -> Said {
        said(&mut self.command(0, arguments))
    }

    /// How many charges the book of the policy has.
    pub fn charges(&self) -> usize {
        let said = self.run(&["ledger", "history", "--format", "json"], &[]);
        let object: Value = serde_json::from_str(&said.stdout).unwrap_or_default();
        let entries = object["entries"].as_array().cloned().unwrap_or_default();
        entries.iter().filter(|entry| entry["event"]["kind"] == "charge").count()
    }
}

fn said(command: &mut Command) -> Said {
    let output = command.output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Said { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

pub const POLICY: &str = "ledger = \"HOME/books/book.sqlite\"\nunknown-accounts = \"deny\"\n\
    [[real-data]]\nfolder = \"HOME/data\"\n[[account]]\nname = \"people\"\nsources = [\"HOME/data/hr\"]\n";

#[test]
fn no_way_round_the_policy_charges_anything_else() {
    let Some(machine) = Machine::new() else { return };
    machine.decree(POLICY);
    try_every_way_round(&machine, "HOME/books/book.sqlite");
}

/// Tries every way round a policy as an analyst; the account is opened in the policy's book as whoever may.
pub fn try_every_way_round(machine: &Machine, book: &str) {
    machine.place.write("data/hr/d.csv", "town\nBern\nBern\n");
    let work = |name: &str| machine.place.path("work").join(name);
    symlink(machine.place.path("data/hr"), work("linked")).expect("a link");
    symlink(machine.place.path("data/hr/d.csv"), work("link.csv")).expect("a link");
    let real = machine.here("HOME/data/hr/d.csv");
    let write = |name: &str, source: &str, more: &str, ledger: &str| {
        let text = request(source, more, TOWNS, PLAIN).replace("[ledger]", &format!("[ledger]\n{ledger}"));
        machine.place.write(&format!("work/{name}"), text);
    };
    write("request.toml", &real, "", "");
    let opened = machine.run(&["ledger", "open", "people", "--epsilon", "2", "--ledger", &machine.here(book)], &[]);
    assert_eq!(opened.code, 0, "{}", opened.stderr);
    let dotted = machine.here("HOME/work/../data/./hr//d.csv");
    write("path.toml", &real, "", "path = \"mine.sqlite\"");
    write("memory.toml", &real, "synthetic = true", "path = \":memory:\"");
    write("stream.toml", "-", "", "");
    write("made-up.toml", "-", "synthetic = true", "");
    for (name, source) in [("one", real.as_str()), ("two", &dotted), ("three", "linked/d.csv"), ("four", "link.csv")] {
        write(&format!("{name}-synthetic.toml"), source, "synthetic = true", "");
        let text = request(source, "", TOWNS, PLAIN).replace("\"people\"", "\"people-2\"");
        machine.place.write(&format!("work/{name}-dataset.toml"), text);
    }
    machine.place.write("work/copy.csv", "town\nBern\n");
    write("copy.toml", "copy.csv", "", "");
    let mine = machine.place.path("work/mine.sqlite").display().to_string();
    let mut tried = 0;
    let mut refused = |arguments: &[&str], variables: &[(&str, &str)], words: &str| {
        let said = machine.run(&[&["release"], arguments].concat(), variables);
        assert_eq!(said.code, 1, "{arguments:?} {variables:?}: {}{}", said.stdout, said.stderr);
        assert!(said.stderr.contains(words) && said.stderr.contains("hint: "), "{arguments:?}: {}", said.stderr);
        tried += 1;
    };
    let other = "names another account book";
    refused(&["request.toml", "--ledger", "mine.sqlite"], &[], other);
    refused(&["request.toml", "--ledger", ":memory:"], &[], other);
    refused(&["request.toml", "--ledger", &format!("{}2", machine.here(book))], &[], other);
    refused(&["request.toml", "--ledger", "postgres://localhost/mine"], &[], other);
    refused(&["request.toml"], &[("INCROWD_LEDGER", &mine)], other);
    refused(&["path.toml"], &[], other);
    refused(&["memory.toml"], &[], "is about people");
    refused(&["memory.toml", "--test-seed", "7"], &[], "is about people");
    refused(&["stream.toml"], &[], "standard input");
    refused(&["made-up.toml"], &[], "standard input");
    refused(&["copy.toml"], &[], "does not pay for this source");
    for name in ["one", "two", "three", "four"] {
        refused(&[&format!("{name}-synthetic.toml")], &[], "is about people");
        refused(&[&format!("{name}-dataset.toml"), "--open"], &[], "alone pays for this source");
    }
    assert_eq!(tried, 19);
    // Variables that other programs look for their settings by.
    let elsewhere = machine.place.path("work").display().to_string();
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "INCROWD_POLICY", "INCROWD_CONFIG", "PROGRAMDATA"] {
        let said = machine.run(&["release", "request.toml", "--ledger", "mine.sqlite"], &[(name, &elsewhere)]);
        assert_eq!(said.code, 1, "{name}: {}", said.stderr);
    }
    assert_eq!(machine.charges(), 0);
    assert!(!work("mine.sqlite").exists() && !work("out").exists());
    let said = machine.run(&["release", "request.toml"], &[]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(machine.charges(), 1);
}

#[test]
fn a_policy_that_cannot_be_followed_stops_the_binary_before_any_charge() {
    let Some(machine) = Machine::new() else { return };
    machine.place.write("data/hr/d.csv", "town\nBern\nBern\n");
    machine.place.write("work/request.toml", request(&machine.here("HOME/data/hr/d.csv"), "", TOWNS, PLAIN));
    let file = machine.place.path("etc/incrowd/policy.toml");
    let stopped = |words: &str| {
        for arguments in [
            &["release", "request.toml", "--ledger", "mine.sqlite"][..],
            &["ledger", "open", "people", "--epsilon", "9"],
            &["policy", "check"],
        ] {
            let said = machine.run(arguments, &[]);
            assert_eq!(said.code, 2, "{arguments:?}: {}{}", said.stdout, said.stderr);
            assert!(said.stderr.contains(words), "{arguments:?}: {}", said.stderr);
        }
    };
    machine.decree("ledgers = \"/x\"\n");
    stopped("policy.toml, line 1, cannot be followed: there is no key \"ledgers\" here; did you mean ledger?");
    machine.decree("ledger = \"book.sqlite\"\n");
    stopped("policy.toml, cannot be followed: ledger: a file is written from the root on");
    machine.decree("ledger = \"postgres:/book.example/x\"\n");
    stopped("cannot be followed: ledger: this account book looks like an address");
    machine.decree(&format!("[[reviewer]]\nname = \"x\"\nkey = \"01{}\"\n", "00".repeat(31)));
    stopped("line 3, cannot be followed: key is a public key");
    machine.decree(POLICY);
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o666)).expect("a mode");
    stopped("policy.toml can be written by others than the administrator");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).expect("a mode");
    stopped("cannot be read: ");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).expect("a mode");
    chown(&file, Some(ANALYST), Some(ANALYST)).expect("given");
    stopped("policy.toml does not belong to the administrator");
    chown(&file, Some(0), Some(0)).expect("taken back");
    chown(machine.place.path("etc/incrowd"), Some(ANALYST), Some(ANALYST)).expect("given");
    stopped("/etc/incrowd does not belong to the administrator");
    assert!(!machine.place.path("work/mine.sqlite").exists() && !machine.place.path("books/book.sqlite").exists());
}

#[test]
fn policy_check_says_what_applies_and_why() {
    let Some(machine) = Machine::new() else { return };
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = machine.run(&["policy", "check"], &[]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(flat(&said.stdout).contains("There is none: /etc/incrowd/policy.toml is not there."), "{}", said.stdout);
    machine.decree(POLICY);
    machine.place.write("data/hr/d.csv", "town\nBern\nBern\n");
    machine.place.write("work/request.toml", request(&machine.here("HOME/data/hr/d.csv"), "", TOWNS, PLAIN));
    let said = machine.run(&["policy", "check", "request.toml"], &[]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    for words in [
        "ledger HOME/books/book.sqlite",
        "unknown accounts denied: no release opens an account",
        "real data HOME/data",
        "account people takes HOME/data/hr alone",
        "source may be: HOME/data/hr/d.csv",
        "account REFUSED: people (not open)",
    ] {
        assert!(flat(&said.stdout).contains(&machine.here(words)), "{words}: {}", said.stdout);
    }
    assert_eq!(machine.run(&["ledger", "open", "people", "--epsilon", "2"], &[]).code, 0);
    let said = machine.run(&["policy", "check", "request.toml", "--format", "json"], &[]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let object: Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!((&object["command"], &object["path"]), (&"policy check".into(), &"/etc/incrowd/policy.toml".into()));
    assert_eq!(object["policy"]["unknown_accounts"], "deny");
    assert!(object["request"].as_array().is_some_and(|all| all.iter().all(|one| one["allowed"] == true)), "{object}");
    let said = machine.run(&["policy", "check", "request.toml", "--ledger", "mine.sqlite"], &[]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stderr.contains("names another account book"), "{}", said.stderr);
}
