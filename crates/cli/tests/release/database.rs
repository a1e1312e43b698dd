//! A book in a database, and everybody who would go round it: tables of `docs/teams.md` that are typed in psql, and the
//! binary as an analyst whose server knows her as one.
//!
//! Needs a server, as `psql.rs` says.

use crate::place::{PLAIN, Place, TOWNS, request};
use crate::policy::{Machine, POLICY, try_every_way_round};
use crate::psql::{Server, psql};

const TEAMS: &str = include_str!("../../../../docs/teams.md");

/// A book in the database `incrowd` of the server, with its owner, an officer and an analyst by the names of the
/// document.
struct Book {
    server: Server,
}

impl Book {
    fn new() -> Book {
        let server = Server::new();
        server.forget();
        server.must("CREATE ROLE keeper LOGIN CREATEROLE");
        server.must("CREATE DATABASE incrowd OWNER keeper");
        let book = Book { server };
        let place = Place::new();
        let setup = place.run(&["ledger", "setup", &book.of("keeper")]);
        assert_eq!(setup.code, 0, "{}", setup.stderr);
        for words in
            ["made", "the role incrowd_officer", "the role incrowd_analyst", "keeper, the only one with a right"]
        {
            assert!(flat(&setup.stdout).contains(words), "{words}: {}", setup.stdout);
        }
        for role in ["CREATE ROLE olga LOGIN IN ROLE incrowd_officer", "CREATE ROLE ann LOGIN IN ROLE incrowd_analyst"]
        {
            assert_eq!(book.typed("keeper", role).code, 0);
        }
        place.run(&["ledger", "key", "new", "officer"]);
        let opened = ["ledger", "open", "employees-2026", "--epsilon", "3", "--key", "officer.pub", "--ledger"];
        let opened = place.run(&[&opened[..], &[&book.of("olga")]].concat());
        assert_eq!(opened.code, 0, "{}", opened.stderr);
        book
    }

    fn of(&self, user: &str) -> String {
        self.server.of(user)
    }

    fn typed(&self, user: &str, sql: &str) -> crate::place::Said {
        psql(&self.of(user), sql)
    }

    /// The texts of an entry that would come next, with its right hash, as SQL writes them.
    fn entry(&self, kind: &str, epsilon: &str, more: &[(usize, &str)]) -> String {
        let told = |sql: &str| self.typed("keeper", sql).stdout.trim().to_string();
        let bins = told("SELECT encode(sha256('x'), 'hex')");
        let mut texts: Vec<String> = vec!["NULL".into(); 17];
        let previous = told("SELECT hash FROM incrowd.entries WHERE seq = 1");
        let policy = told("SELECT policy FROM incrowd.accounts WHERE name = 'employees-2026'");
        let time = told("SELECT time FROM incrowd.entries WHERE seq = 1");
        let mut set = |place: usize, text: &str| texts[place - 1] = format!("'{text}'");
        for (place, text) in [(1, "employees-2026"), (3, kind), (8, epsilon), (12, &time), (13, &previous)] {
            set(place, text);
        }
        if kind == "charge" {
            [(2, "1"), (5, "plan"), (6, &*bins), (7, "none"), (9, "0")]
                .iter()
                .for_each(|(place, text)| set(*place, text));
        } else {
            set(10, &policy);
        }
        more.iter().for_each(|(place, text)| set(*place, text));
        let hash = told(&format!("SELECT incrowd.hash_of(2, ARRAY[{}])", texts.join(", ")));
        assert_eq!(hash.len(), 64, "{kind}");
        texts[13] = format!("'{hash}'");
        if kind == "charge" {
            texts[3] = format!("'{}'", &hash[..32]);
        }
        format!("ARRAY[{}]", texts.join(", "))
    }

    /// A statement of the document, with entries in place of its words in capitals.
    fn statement(&self, sql: &str) -> String {
        let other_key = format!("signed-by={}", "ab".repeat(32));
        let opened = [(1, "visits-2026"), (10, "")];
        [
            ("CHARGED_TOO_MUCH", self.entry("charge", "7/2", &[])),
            ("CHARGED", self.entry("charge", "1", &[])),
            ("OPENED", self.entry("open", "1", &opened)),
            ("LOWERED", self.entry("policy", "2", &[])),
            ("RAISED", self.entry("policy", "50", &[])),
            ("ANOTHER_KEY", self.entry("policy", "3", &[(10, &other_key)])),
        ]
        .into_iter()
        .fold(sql.to_string(), |sql, (word, entry)| sql.replace(word, &entry))
    }
}

/// A page without its line ends.
fn flat(page: &str) -> String {
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rows of a table of the document: a statement, and what stands beside it.
fn rows(heading: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    let (_, table) = TEAMS.split_once(heading).expect("a table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with("| "));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split(" | ").map(|cell| cell.trim());
        (cells.next().expect("a statement").trim_matches('`'), cells.collect())
    })
    .collect()
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn what_an_analyst_types_in_psql_is_refused_as_the_document_says() {
    let book = Book::new();
    let before = book.typed("keeper", "SELECT * FROM incrowd.entry").stdout;
    let rows = rows("| the analyst types in `psql` | what the server says |");
    assert!(rows.len() >= 17, "{}", rows.len());
    for (sql, said) in rows {
        let answer = book.typed("ann", &book.statement(sql));
        assert_ne!(answer.code, 0, "{sql}");
        let [words] = said[..] else { panic!("{sql}") };
        assert!(answer.stderr.contains(words), "{sql}: {}", answer.stderr);
    }
    assert_eq!(book.typed("keeper", "SELECT * FROM incrowd.entry").stdout, before);
    assert_eq!(Place::new().run(&["ledger", "verify", "--ledger", &book.of("ann")]).code, 0);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn each_role_can_do_what_the_document_says_and_nothing_else() {
    let book = Book::new();
    let rows = rows("| in the database | keeper | officer | analyst |");
    assert!(rows.len() >= 18, "{}", rows.len());
    for (sql, allowed) in rows {
        let statement = book.statement(sql);
        for (user, allowed) in ["keeper", "olga", "ann"].into_iter().zip(allowed) {
            let said = book.typed(user, &format!("BEGIN; {statement}; ROLLBACK"));
            assert_eq!(said.code == 0, allowed == "yes", "{user}: {sql}: {}", said.stderr);
        }
    }
    let verified = Place::new().run(&["ledger", "verify", "--ledger", &book.of("keeper")]);
    assert!(verified.code == 0 && verified.stdout.contains("1 entry, 1 account"), "{}", verified.stdout);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn no_way_round_the_policy_charges_anything_else_where_the_book_is_in_a_database() {
    let Some(machine) = Machine::new() else { return };
    let book = Book::new();
    machine.decree(&POLICY.replace("HOME/books/book.sqlite", &book.of("ann")));
    try_every_way_round(&machine, &book.of("olga"));
}

/// Names that people take for one that is open, and periods that have not begun, with whatever is said about them.
#[test]
#[ignore = "needs a PostgreSQL server"]
fn without_a_policy_no_name_and_no_period_is_a_fresh_budget() {
    let book = Book::new();
    let place = Place::new();
    let keeper = book.of("keeper");
    place.write("d.csv", "town\nBern\nBern\n");
    let monthly =
        ["ledger", "open", "monthly", "--epsilon", "1", "--people", "disjoint-per-period", "--refresh", "month"];
    let file = place.path("book.sqlite").display().to_string();
    for ledger in [&book.of("olga"), &file] {
        let opened = place.run(&[&monthly[..], &["--ledger", ledger]].concat());
        assert_eq!(opened.code, 0, "{}", opened.stderr);
    }
    let opened = place.run(&["ledger", "open", "employees-2026", "--epsilon", "3", "--ledger", &file]);
    assert_eq!(opened.code, 0, "{}", opened.stderr);
    let release = |dataset: &str, snapshot: &str, ledger: &str| {
        let text = request("d.csv", "", TOWNS, PLAIN).replace("\"people\"", &format!("{dataset:?}"));
        place.write("request.toml", text.replace("\"2026\"", &format!("{snapshot:?}")));
        place.run(&["release", "request.toml", "--open", "--ledger", ledger])
    };
    // Also whoever may open accounts opens none that looks like another.
    for ledger in [&book.of("ann"), &book.of("olga"), &keeper, &file] {
        for name in [
            "employees-2026 ",
            " employees-2026",
            "Employees-2026",
            "EMPLOYEES-2026",
            "employees-\u{200b}2026",
            "employees-2026\u{feff}",
            "emp\u{ad}loyees-2026",
            "\u{435}mployees-2026",
            "\u{ff45}mployees-2026",
            "employees-2O26",
            "employees\u{2010}2026",
            "\u{202e}employees-2026",
            "mo\u{301}nthly",
        ] {
            let said = release(name, "1", ledger);
            assert!([1, 2].contains(&said.code) && said.stderr.contains("hint: "), "{name:?}: {}", said.stderr);
        }
        for snapshot in ["9999-12", "2026", "12026-01", "2026-13", "today"] {
            let said = release("monthly", snapshot, ledger);
            assert!([1, 2].contains(&said.code), "{snapshot}: {}", said.stderr);
        }
    }
    // An account that nobody opened needs somebody who may.
    let said = release("visits", "1", &book.of("ann"));
    assert!(said.code != 0 && said.stderr.contains("may not open accounts"), "{}", said.stderr);
    for ledger in [&keeper, &file] {
        let verified = place.run(&["ledger", "verify", "--ledger", ledger]);
        assert!(verified.stdout.contains("2 accounts"), "{}", verified.stdout);
        let shown = place.run(&["ledger", "history", "--ledger", ledger]);
        assert!(!shown.stdout.contains("charge "), "{}", shown.stdout);
    }
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_row_that_no_reader_reads_is_set_aside_by_the_owner_alone_and_said() {
    let book = Book::new();
    let place = Place::new();
    place.write("d.csv", "town\nBern\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN).replace("\"people\"", "\"employees-2026\""));
    assert_eq!(place.run(&["release", "request.toml", "--ledger", &book.of("ann")]).code, 0);
    let garbage = "INSERT INTO incrowd.entry (seq, account, kind, time, previous_hash, hash)
        VALUES (9, 'employees-2026', 'charge', 'x', 'x', 'x')";
    assert_ne!(book.typed("ann", garbage).code, 0);
    assert_eq!(book.typed("keeper", garbage).code, 0, "its owner can damage it");
    let damaged = place.run(&["ledger", "verify", "--ledger", &book.of("ann")]);
    assert!(damaged.code == 1 && damaged.stderr.contains("incrowd ledger set-aside"), "{}", damaged.stderr);
    for user in ["ann", "olga"] {
        let said = place.run(&["ledger", "set-aside", "--ledger", &book.of(user)]);
        assert!(said.code == 2 && said.stderr.contains("does not own"), "{user}: {}", said.stderr);
    }
    let keeper = book.of("keeper");
    let said = place.run(&["ledger", "set-aside", "--ledger", &keeper, "--note", "a test of a tool"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("1 row; entry 4 says so"), "{}", said.stdout);
    let verified = place.run(&["ledger", "verify", "--against", "out", "--ledger", &keeper]);
    assert_eq!(verified.code, 0, "{}", verified.stderr);
    assert!(flat(&verified.stdout).contains("set rows aside that could not be read"), "{}", verified.stdout);
    let nothing = place.run(&["ledger", "set-aside", "--ledger", &keeper]);
    assert!(nothing.code != 0 && nothing.stderr.contains("nothing in"), "{}", nothing.stderr);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_look_says_who_may_more_than_a_team_and_a_set_up_takes_it_back() {
    let book = Book::new();
    let (place, keeper) = (Place::new(), book.of("keeper"));
    let look = || place.run(&["ledger", "setup", &keeper, "--look"]);
    let said = look();
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    for words in ["olga has the role incrowd_officer", "ann has the role incrowd_analyst"] {
        assert!(flat(&said.stdout).contains(words), "{words}: {}", said.stdout);
    }
    assert_eq!(book.typed("keeper", "GRANT INSERT ON incrowd.entry TO ann").code, 0);
    let said = look();
    assert!(said.code == 1 && said.stdout.contains("ann: INSERT on entry"), "{}{}", said.stdout, said.stderr);
    let said = place.run(&["ledger", "setup", &keeper]);
    assert!(said.code == 0 && said.stdout.contains("taken back"), "{}{}", said.stdout, said.stderr);
    assert_eq!(look().code, 0);
    let refused = place.run(&["ledger", "setup", &book.of("ann")]);
    assert!(refused.code == 2 && refused.stderr.contains("does not own"), "{}", refused.stderr);
    // What a file is asked for, it says.
    let file = place.run(&["ledger", "setup", "book.sqlite"]);
    assert!(file.code == 2 && file.stderr.contains("only a book in a PostgreSQL database"), "{}", file.stderr);
    let printed = place.run(&["ledger", "setup", "--print"]);
    assert!(printed.code == 0 && printed.stdout.contains("CREATE SCHEMA incrowd;"), "{}", printed.stderr);
}
