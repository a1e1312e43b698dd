//! A team's book in a real PostgreSQL server: who has which rights, and what an analyst and an officer can do.
//!
//! Needs a server, as `server.rs` does. An attempt counts as repelled if the server refuses it, or if the next charge
//! and `verify` find it.

use crate::server::{as_user, fresh};
use crate::{budget, costing, guarded, name, now, number, pay, signed, spent};
use incrowd_ledger::{
    Authority, BookRule, ChargeRefusal, Grant, Ledger, LedgerError, SetUp, TeamRoles, Terms, Trouble,
};
use incrowd_privacy::Epsilon;
use postgres::{Client, NoTls};

/// A book with one account of budget 2, of which 1 is spent, set up for a team.
pub struct Team {
    pub owner: String,
    pub officer: String,
    pub analyst: String,
}

impl Team {
    pub fn roles(database: &str) -> TeamRoles {
        TeamRoles { officer: format!("officers_{database}"), analyst: format!("analysts_{database}") }
    }

    pub fn new(database: &str) -> Team {
        let owner = fresh(database);
        let (officer, analyst) = (format!("ole_{database}"), format!("ann_{database}"));
        let TeamRoles { officer: officers, analyst: analysts } = Team::roles(database);
        let mut tool = Client::connect(&owner, NoTls).expect("a server");
        for role in [&officer, &analyst, &officers, &analysts] {
            let _ = tool.batch_execute(&format!("DROP OWNED BY {role} CASCADE"));
            tool.batch_execute(&format!("DROP ROLE IF EXISTS {role}")).expect("gone");
        }
        Ledger::set_up(&owner, &Team::roles(database), true).expect("set up");
        tool.batch_execute(&format!(
            "CREATE ROLE {officer} LOGIN IN ROLE {officers}; CREATE ROLE {analyst} LOGIN IN ROLE {analysts}"
        ))
        .expect("people");
        let team = Team { officer: as_user(&owner, &officer), analyst: as_user(&owner, &analyst), owner };
        let mut book = Ledger::connect(&team.officer).expect("a book");
        book.open_account(&name("a"), &guarded(budget("2")), now()).expect("opened");
        pay(&mut Ledger::connect(&team.analyst).expect("a book"), &costing("a", "1")).expect("paid");
        team
    }

    /// Refuses a book of which anything is not as it should be.
    pub fn must_be_whole(&self, after: &str) {
        for user in [&self.owner, &self.officer, &self.analyst] {
            let book = Ledger::connect_existing(user).unwrap_or_else(|error| panic!("{after}: {error}"));
            let verified = book.verify(&[]).unwrap_or_else(|error| panic!("{after}: {error}"));
            assert_eq!((verified.accounts, verified.unsigned.len()), (1, 0), "{after}");
            assert_eq!(spent(&book, "a"), Epsilon::Finite(number("1")), "{after}");
            let account = book.account(&name("a")).expect("a book").expect("an account");
            assert_eq!(account.terms.epsilon, Some(number("2")), "{after}");
        }
    }
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_set_up_says_what_it_did_and_nobody_may_do_more() {
    let owner = fresh("grants");
    let roles = Team::roles("grants");
    let mut tool = Client::connect(&owner, NoTls).expect("a server");
    for role in [&roles.officer, &roles.analyst, &"carol".to_string(), &"olga".to_string(), &"twin".to_string()] {
        let _ = tool.batch_execute(&format!("DROP OWNED BY {role} CASCADE"));
        tool.batch_execute(&format!("DROP ROLE IF EXISTS {role}")).expect("gone");
    }
    let SetUp { made, moved, new_roles, revoked, granted, mighty, .. } =
        Ledger::set_up(&owner, &roles, true).expect("set up");
    assert_eq!((made, moved, revoked, mighty), (true, None, vec![], vec![]));
    assert_eq!(new_roles, [roles.officer.clone(), roles.analyst.clone()]);
    let mut expected = Vec::new();
    for (role, functions) in [
        (&roles.analyst, vec!["append_release()", "begin_writing()"]),
        (&roles.officer, vec!["append_release()", "append_terms()", "begin_writing()"]),
    ] {
        let grant =
            |right: &str, object: &str| Grant { role: role.clone(), right: right.into(), object: object.into() };
        expected.extend(["accounts", "definitions", "entries", "state"].map(|view| grant("SELECT", view)));
        expected.extend(functions.into_iter().map(|function| grant("EXECUTE", function)));
        expected.push(grant("USAGE", "the schema"));
    }
    expected.sort();
    let mut found = granted.clone();
    found.sort();
    assert_eq!(found, expected);
    // What somebody granted by hand is found by a look, and taken back by the next set-up.
    tool.batch_execute(&format!(
        "CREATE ROLE carol LOGIN; CREATE ROLE olga LOGIN IN ROLE {}; GRANT INSERT ON incrowd.entry TO carol;
         GRANT UPDATE (highest) ON incrowd.book TO PUBLIC; GRANT EXECUTE ON FUNCTION incrowd.put(BIGINT, TEXT[]) TO carol;
         GRANT SELECT ON incrowd.entry TO {}; CREATE ROLE twin LOGIN; GRANT incrowd TO twin",
        roles.officer, roles.analyst
    ))
    .expect("granted");
    let look = Ledger::set_up(&owner, &roles, false).expect("looked");
    assert_eq!(look.granted.len(), expected.len() + 4);
    assert_eq!((look.officers, look.analysts, look.mighty), (vec!["olga".into()], vec![], vec!["twin".to_string()]));
    let done = Ledger::set_up(&owner, &roles, true).expect("set up again");
    let mut revoked: Vec<String> =
        done.revoked.iter().map(|grant| format!("{} {} {}", grant.role, grant.right, grant.object)).collect();
    revoked.sort();
    let analyst = format!("{} SELECT entry", roles.analyst);
    assert_eq!(revoked, ["PUBLIC UPDATE book.highest", &analyst, "carol EXECUTE put()", "carol INSERT entry"]);
    let mut found = done.granted;
    found.sort();
    assert_eq!(found, expected);
    tool.batch_execute("REVOKE incrowd FROM twin").expect("revoked");
    // Who may not make roles is told so, and nothing is left half done.
    let mut server = Client::connect(&fresh("helpless"), NoTls).expect("a server");
    server.batch_execute("DROP ROLE IF EXISTS helpless").expect("gone");
    server
        .batch_execute("CREATE ROLE helpless LOGIN; ALTER DATABASE test_helpless OWNER TO helpless")
        .expect("an owner");
    let roles = TeamRoles { officer: "no_such_officers".into(), analyst: "no_such_analysts".into() };
    let address = as_user(&fresh_address("helpless", &owner), "helpless");
    let refused = Ledger::set_up(&address, &roles, true).expect_err("refused");
    assert!(matches!(refused, LedgerError::Trouble { trouble: Trouble::NoRoles, .. }), "{refused}");
    assert!(matches!(Ledger::connect_existing(&address).err(), Some(LedgerError::NoLedger { .. })));
    drop(Ledger::connect(&address).expect("a book of their own"));
    server
        .batch_execute("DROP OWNED BY helpless CASCADE; ALTER DATABASE test_helpless OWNER TO incrowd")
        .expect("gone");
}

fn fresh_address(database: &str, like: &str) -> String {
    let (before, _) = like.rsplit_once('/').expect("an address");
    format!("{before}/test_{database}")
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn the_statements_for_an_administrator_set_up_the_same_book() {
    let owner = fresh("script");
    let roles = Team::roles("script");
    let mut tool = Client::connect(&owner, NoTls).expect("a server");
    for role in [&roles.officer, &roles.analyst] {
        let _ = tool.batch_execute(&format!("DROP OWNED BY {role} CASCADE"));
        tool.batch_execute(&format!("DROP ROLE IF EXISTS {role}")).expect("gone");
    }
    tool.batch_execute(&Ledger::set_up_script(&roles).expect("a script")).expect("run");
    let look = Ledger::set_up(&owner, &roles, false).expect("looked");
    assert_eq!(look.granted.len(), 15);
    let done = Ledger::set_up(&owner, &roles, true).expect("set up");
    assert_eq!((done.made, done.revoked, done.granted), (false, vec![], look.granted));
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn the_roles_do_what_they_are_for() {
    let team = Team::new("roles");
    let mut analyst = Ledger::connect(&team.analyst).expect("a book");
    let mut ole = Ledger::connect(&team.officer).expect("a book");
    // The analyst releases, opens nothing and changes no terms.
    let opened = analyst.open_account(&name("b"), &Terms::unlimited(), now()).expect_err("refused");
    assert!(matches!(opened, LedgerError::Trouble { trouble: Trouble::NotAnOfficer, .. }), "{opened}");
    let unknown = analyst.charge(&costing("new", "1"), now()).expect_err("refused");
    assert!(matches!(unknown, LedgerError::Trouble { trouble: Trouble::NotAnOfficer, .. }), "{unknown}");
    let stricter = analyst.change_terms(&name("a"), &guarded(budget("1")), Authority::Nobody, now());
    assert!(matches!(stricter, Err(LedgerError::Trouble { trouble: Trouble::NotAnOfficer, .. })));
    match analyst.charge(&costing("a", "3/2"), now()) {
        Err(LedgerError::Refused(refusal)) => assert!(matches!(*refusal, ChargeRefusal::Overdrawn { .. })),
        other => panic!("{other:?}"),
    }
    team.must_be_whole("the analyst's own commands");
    assert_eq!(analyst.account(&name("a")).expect("a book").expect("an account").refused, 1, "it was noted");
    // The officer changes terms, with the key; a release of somebody's may be ended by its own payer or the officer.
    let raised = signed(&ole, "a", &guarded(budget("3")), 1);
    ole.change_terms(&name("a"), &guarded(budget("3")), Authority::Signature(&raised), now()).expect("signed");
    ole.change_terms(&name("a"), &guarded(budget("2")), Authority::Nobody, now()).expect("stricter");
    let receipt = analyst.charge(&costing("a", "1/2"), now()).expect("paid");
    ole.record_failure(receipt.spend(), now()).expect("an officer may");
    let receipt = ole.charge(&costing("a", "1/4"), now()).expect("paid");
    let refused = analyst.record_failure(receipt.spend(), now()).expect_err("another's");
    assert!(matches!(refused.error, LedgerError::Trouble { trouble: Trouble::AgainstTheRules(BookRule::Ending), .. }));
    // The server says who wrote an entry.
    let mut tool = Client::connect(&team.analyst, NoTls).expect("a server");
    let rows = tool.query("SELECT DISTINCT written_by FROM incrowd.entries ORDER BY 1", &[]).expect("may look");
    assert_eq!(rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>(), ["ann_roles", "ole_roles"]);
}

/// Statements of an analyst that the server refuses, whatever they would do.
const DIRECT: [(&str, &str); 27] = [
    ("raise the budget by hand", "UPDATE incrowd.account SET epsilon = '50'"),
    (
        "add an entry by hand",
        "INSERT INTO incrowd.entry (seq, account, kind, time, previous_hash, hash) VALUES (9, 'a', 'policy', 'x', 'x', 'x')",
    ),
    ("move the end by hand", "UPDATE incrowd.book SET highest = 1"),
    ("lock the book by hand", "SELECT highest FROM incrowd.book FOR UPDATE"),
    ("read a table", "SELECT * FROM incrowd.entry"),
    ("read what was set aside", "SELECT * FROM incrowd.aside"),
    ("take an entry away", "DELETE FROM incrowd.entry"),
    ("take all away", "TRUNCATE incrowd.entry"),
    ("write through a view", "UPDATE incrowd.accounts SET epsilon = '50'"),
    (
        "add through a view",
        "INSERT INTO incrowd.entries (seq, account, kind, time, previous_hash, hash) VALUES (9, 'a', 'policy', 'x', 'x', 'x')",
    ),
    ("delete through a view", "DELETE FROM incrowd.entries"),
    ("change the end through a view", "UPDATE incrowd.state SET highest = 0"),
    ("forge a definition", "UPDATE incrowd.definitions SET text = '{}'"),
    ("switch the trigger off", "ALTER TABLE incrowd.entry DISABLE TRIGGER ALL"),
    ("drop a table", "DROP TABLE incrowd.entry CASCADE"),
    ("drop the schema", "DROP SCHEMA incrowd CASCADE"),
    ("add a function to the schema", "CREATE FUNCTION incrowd.put(INTEGER) RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'"),
    (
        "replace a function",
        "CREATE OR REPLACE FUNCTION incrowd.is_number(value TEXT) RETURNS BOOLEAN LANGUAGE sql AS 'SELECT TRUE'",
    ),
    ("add a trigger", "CREATE TRIGGER x BEFORE INSERT ON incrowd.entry EXECUTE FUNCTION incrowd.is_never_changed()"),
    ("call the officer's function", "SELECT incrowd.append_terms(4, ARRAY['a'])"),
    ("call the owner's function", "SELECT incrowd.put(4, ARRAY['a'])"),
    ("become the owner", "SET ROLE incrowd"),
    ("become the owner for good", "SET SESSION AUTHORIZATION incrowd"),
    ("take a role", "GRANT incrowd TO CURRENT_USER"),
    ("take the table", "ALTER TABLE incrowd.entry OWNER TO CURRENT_USER"),
    ("grant oneself", "GRANT ALL ON incrowd.entry TO CURRENT_USER; SELECT * FROM incrowd.entry"),
    ("switch triggers off by a setting", "SET session_replication_role = replica"),
];

#[test]
#[ignore = "needs a PostgreSQL server"]
fn an_analyst_cannot_touch_the_tables() {
    let team = Team::new("direct");
    for (what, sql) in DIRECT {
        let mut ann = Client::connect(&team.analyst, NoTls).expect("a server");
        assert!(ann.batch_execute(sql).is_err(), "{what}");
        team.must_be_whole(what);
    }
}
