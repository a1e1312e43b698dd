//! A team's book in a real PostgreSQL server: what an analyst and an officer can do in their roles, and every way round.
//!
//! Needs a server, as `server.rs` does. An attempt counts as repelled if the server refuses it, or if the next charge
//! and `verify` find it.

use crate::server::{as_user, fresh};
use crate::{budget, certificate, costing, guarded, name, now, number, officer, pay, signed, spent};
use incrowd_ledger::{
    Authority, BookRule, ChargeRefusal, Fault, Grant, Ledger, LedgerError, SetUp, TeamRoles, Terms, TermsSignature,
    Trouble,
};
use incrowd_privacy::Epsilon;
use postgres::{Client, NoTls};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use sha2::{Digest, Sha256};

/// A book with one account of budget 2, of which 1 is spent, set up for a team.
struct Team {
    owner: String,
    officer: String,
    analyst: String,
}

impl Team {
    fn roles(database: &str) -> TeamRoles {
        TeamRoles { officer: format!("officers_{database}"), analyst: format!("analysts_{database}") }
    }

    fn new(database: &str) -> Team {
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
    fn must_be_whole(&self, after: &str) {
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
        (&roles.analyst, vec!["append_release()", "begin_writing()", "define()"]),
        (&roles.officer, vec!["append_release()", "append_terms()", "begin_writing()", "define()"]),
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
    let refused = Ledger::set_up(&address, &roles, true).err().expect("refused");
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
    assert_eq!(look.granted.len(), 17);
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

/// The texts of an entry, in the order of the table's columns.
#[derive(Clone, Debug)]
struct Written {
    seq: i64,
    texts: Vec<Option<String>>,
}

const NAMES: [&str; 17] = [
    "account",
    "snapshot",
    "kind",
    "charge_id",
    "plan_hash",
    "binning_hash",
    "promise",
    "epsilon",
    "delta",
    "policy",
    "outcome",
    "time",
    "previous_hash",
    "hash",
    "certificate_hash",
    "signature",
    "details",
];

impl Written {
    /// An entry that could follow the last one of the book, with nothing in it.
    fn next(tool: &mut Client, kind: &str) -> Written {
        let row =
            tool.query_one("SELECT seq, hash FROM incrowd.entries ORDER BY seq DESC LIMIT 1", &[]).expect("may look");
        let mut next = Written { seq: row.get::<_, i64>(0) + 1, texts: vec![None; 17] };
        next.set("account", "a").set("kind", kind).set("time", &now().to_string());
        next.set("previous_hash", row.get::<_, &str>(1));
        next
    }

    fn charge(tool: &mut Client, epsilon: &str) -> Written {
        let mut next = Written::next(tool, "charge");
        next.set("snapshot", "1").set("plan_hash", "5eed").set("binning_hash", "b145").set("promise", "none");
        next.set("epsilon", epsilon).set("delta", "0");
        next
    }

    fn policy(tool: &mut Client, epsilon: &str) -> Written {
        let mut next = Written::next(tool, "policy");
        let key = format!("signed-by={}", officer(1).public().digits());
        next.set("epsilon", epsilon).set("policy", &key);
        next
    }

    fn at(name: &str) -> usize {
        NAMES.iter().position(|known| *known == name).expect("a column")
    }

    fn set(&mut self, name: &str, text: &str) -> &mut Written {
        self.texts[Written::at(name)] = Some(text.to_string());
        self
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.texts[Written::at(name)].as_deref()
    }

    /// Gives the entry the hash of what it says, as `docs/the-book.md` tells strangers to compute it.
    fn hashed(&mut self) -> &mut Written {
        let seq = self.seq.to_string();
        let about = self.get("charge_id").filter(|_| self.get("kind") == Some("outcome"));
        let mut fields = vec![Some("incrowd ledger entry, version 1"), self.get("previous_hash"), Some(&seq)];
        fields.extend(["account", "time", "kind"].map(|name| self.get(name)));
        fields.push(about);
        let rest = ["snapshot", "plan_hash", "binning_hash", "promise", "epsilon", "delta", "policy", "outcome"];
        fields.extend(rest.map(|name| self.get(name)));
        let added = ["certificate_hash", "signature", "details"].map(|name| self.get(name));
        let there = added.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        fields.extend(&added[..there]);
        let mut bytes = Vec::new();
        for field in fields {
            match field {
                None => bytes.push(0),
                Some(text) => {
                    bytes.push(1);
                    bytes.extend((text.len() as u64).to_le_bytes());
                    bytes.extend(text.as_bytes());
                }
            }
        }
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        self.set("hash", &hash);
        if self.get("kind") == Some("charge") && self.get("charge_id").is_none() {
            self.set("charge_id", &hash[..32]);
        }
        self
    }

    /// Asks a function of the book to append it; returns the code of its refusal.
    fn append(&self, tool: &mut Client, function: &str) -> Result<(), String> {
        let sql = format!("SELECT incrowd.{function}($1, $2)");
        match tool.execute(&sql, &[&self.seq, &self.texts]) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.code().map(|code| code.code().to_string()).unwrap_or_default()),
        }
    }
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn an_analyst_writes_no_entry_that_incrowd_would_not_write() {
    let team = Team::new("entries");
    let mut ann = Client::connect(&team.analyst, NoTls).expect("a server");
    let tool = &mut ann;
    let first =
        tool.query_one("SELECT hash FROM incrowd.entries WHERE seq = 1", &[]).expect("may look").get::<_, String>(0);
    let paid = tool
        .query_one("SELECT charge_id FROM incrowd.entries WHERE kind = 'charge'", &[])
        .expect("may look")
        .get::<_, String>(0);
    let changed = |mut entry: Written, change: &dyn Fn(&mut Written)| {
        change(&mut entry);
        entry
    };
    let charge = Written::charge(tool, "1/2");
    let outcome = Written::next(tool, "outcome");
    let cases = vec![
        (
            "garbage",
            changed(charge.clone(), &|one| {
                one.set("hash", "x");
            }),
            "IC002",
        ),
        (
            "another place",
            changed(charge.clone(), &|one| {
                one.seq += 1;
                one.hashed();
            }),
            "IC001",
        ),
        (
            "a place before",
            changed(charge.clone(), &|one| {
                one.seq = 2;
                one.hashed();
            }),
            "IC001",
        ),
        (
            "a fork",
            changed(charge.clone(), &|one| {
                one.set("previous_hash", &first).hashed();
            }),
            "IC001",
        ),
        (
            "more than the budget",
            changed(charge.clone(), &|one| {
                one.set("epsilon", "5/2").hashed();
            }),
            "IC005",
        ),
        (
            "without a bound",
            changed(charge.clone(), &|one| {
                one.set("epsilon", "infinite").hashed();
            }),
            "IC005",
        ),
        (
            "a delta",
            changed(charge.clone(), &|one| {
                one.set("delta", "1/1000000").hashed();
            }),
            "IC005",
        ),
        (
            "less than nothing",
            changed(charge.clone(), &|one| {
                one.set("epsilon", "-1").hashed();
            }),
            "IC003",
        ),
        (
            "a second spelling",
            changed(charge.clone(), &|one| {
                one.set("epsilon", "2/4").hashed();
            }),
            "IC003",
        ),
        (
            "no number",
            changed(charge.clone(), &|one| {
                one.set("epsilon", "NaN").hashed();
            }),
            "IC003",
        ),
        (
            "two lines",
            changed(charge.clone(), &|one| {
                one.set("promise", "a\nb").hashed();
            }),
            "IC003",
        ),
        (
            "a control character",
            changed(charge.clone(), &|one| {
                one.set("snapshot", "\u{85}").hashed();
            }),
            "IC003",
        ),
        (
            "a long name",
            changed(charge.clone(), &|one| {
                one.set("snapshot", &"x".repeat(201)).hashed();
            }),
            "IC003",
        ),
        (
            "an account that is not open",
            changed(charge.clone(), &|one| {
                one.set("account", "b").hashed();
            }),
            "IC004",
        ),
        (
            "a name with a blank",
            changed(charge.clone(), &|one| {
                one.set("account", "a ").hashed();
            }),
            "IC004",
        ),
        (
            "another kind",
            changed(charge.clone(), &|one| {
                one.set("kind", "refund").hashed();
            }),
            "IC003",
        ),
        (
            "terms",
            changed(Written::policy(tool, "50"), &|one| {
                one.hashed();
            }),
            "IC003",
        ),
        (
            "terms with a signature",
            changed(Written::policy(tool, "50"), &|one| {
                one.set("signature", &"ab".repeat(64)).hashed();
            }),
            "IC003",
        ),
        (
            "an account",
            changed(Written::next(tool, "open"), &|one| {
                one.set("account", "b").set("policy", "").hashed();
            }),
            "IC003",
        ),
        (
            "a surplus field",
            changed(charge.clone(), &|one| {
                one.set("policy", "").hashed();
            }),
            "IC003",
        ),
        (
            "a signed charge",
            changed(charge.clone(), &|one| {
                one.set("signature", &"ab".repeat(64)).hashed();
            }),
            "IC003",
        ),
        (
            "another charge's name",
            changed(charge.clone(), &|one| {
                one.set("charge_id", &paid).hashed();
            }),
            "IC003",
        ),
        (
            "tomorrow",
            changed(charge.clone(), &|one| {
                one.set("time", "2999-01-01T00:00:00Z").hashed();
            }),
            "IC008",
        ),
        (
            "long ago",
            changed(charge.clone(), &|one| {
                one.set("time", "1999-01-01T00:00:00Z").hashed();
            }),
            "IC008",
        ),
        (
            "no day",
            changed(charge.clone(), &|one| {
                one.set("time", "2026-02-30T00:00:00Z").hashed();
            }),
            "IC003",
        ),
        (
            "no time",
            changed(charge.clone(), &|one| {
                one.set("time", "yesterday").hashed();
            }),
            "IC003",
        ),
        (
            "words that are no details",
            changed(charge.clone(), &|one| {
                one.set("details", "{\"by\": 1}").hashed();
            }),
            "IC003",
        ),
        (
            "a second end",
            changed(outcome.clone(), &|one| {
                one.set("charge_id", &paid).set("outcome", "failed").hashed();
            }),
            "IC007",
        ),
        (
            "the end of nothing",
            changed(outcome.clone(), &|one| {
                one.set("charge_id", &"0".repeat(32)).set("outcome", "failed").hashed();
            }),
            "IC007",
        ),
        (
            "another end",
            changed(outcome, &|one| {
                one.set("charge_id", &paid).set("outcome", "refunded").hashed();
            }),
            "IC003",
        ),
    ];
    for (what, entry, code) in cases {
        assert_eq!(entry.append(tool, "append_release"), Err(code.to_string()), "{what}: {entry:?}");
        assert_eq!(entry.append(tool, "append_terms"), Err("42501".to_string()), "{what}");
    }
    for (texts, seq) in [(vec![], 4_i64), (vec![None::<String>; 17], 4), (vec![Some("a".to_string()); 40], 4)] {
        assert!(tool.execute("SELECT incrowd.append_release($1, $2)", &[&seq, &texts]).is_err());
    }
    assert!(tool.batch_execute("SELECT incrowd.append_release(NULL, NULL)").is_err());
    for define in ["SELECT incrowd.define('x', 'y')", "SELECT incrowd.define(NULL, NULL)"] {
        assert!(tool.batch_execute(define).is_err(), "{define}");
    }
    team.must_be_whole("thirty entries of an analyst");
    // What is within the budget she may pay, with another program, too: it costs, whatever it was for.
    let mut entry = Written::charge(tool, "1/2");
    assert_eq!(entry.hashed().append(tool, "append_release"), Ok(()));
    let book = Ledger::connect(&team.owner).expect("a book");
    assert_eq!(spent(&book, "a"), Epsilon::Finite(number("3/2")));
    book.verify(&[]).expect("whole");
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn refused_attempts_do_not_fill_the_server() {
    let team = Team::new("flood");
    let mut ann = Client::connect(&team.analyst, NoTls).expect("a server");
    let mut refusal = None;
    for number in 0..=1000 {
        let mut next = Written::next(&mut ann, "refused");
        next.set("snapshot", "1").set("plan_hash", "5eed").set("epsilon", "9").set("delta", "0");
        if let Err(code) = next.set("outcome", "budget").hashed().append(&mut ann, "append_release") {
            refusal = Some((number, code));
            break;
        }
    }
    assert_eq!(refusal, Some((1000, "IC009".to_string())));
    team.must_be_whole("a thousand refused attempts");
    pay(&mut Ledger::connect(&team.analyst).expect("a book"), &costing("a", "1")).expect("paid");
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn no_schema_of_an_analysts_own_stands_before_the_book() {
    let team = Team::new("shadows");
    let mut owner = Client::connect(&team.owner, NoTls).expect("a server");
    // As generous as databases are: everybody may make schemas.
    owner.batch_execute("GRANT CREATE ON DATABASE test_shadows TO PUBLIC").expect("granted");
    let mut ann = Client::connect(&team.analyst, NoTls).expect("a server");
    ann.batch_execute(
        "CREATE SCHEMA mine;
         CREATE TABLE mine.incrowd_ledger AS SELECT 'incrowd ledger'::TEXT AS application, 4 AS version, 0::BIGINT AS highest;
         CREATE TABLE mine.incrowd_entry AS SELECT * FROM incrowd.entries LIMIT 0;
         CREATE TABLE mine.incrowd_account AS SELECT * FROM incrowd.accounts LIMIT 0;
         CREATE TABLE mine.incrowd_definition AS SELECT * FROM incrowd.definitions LIMIT 0;
         CREATE TABLE mine.pg_class AS SELECT * FROM pg_catalog.pg_class LIMIT 0;
         CREATE TABLE mine.pg_namespace AS SELECT * FROM pg_catalog.pg_namespace LIMIT 0;
         CREATE FUNCTION mine.floor(NUMERIC) RETURNS NUMERIC LANGUAGE sql AS 'SELECT 0::NUMERIC';
         CREATE FUNCTION mine.gcd(NUMERIC, NUMERIC) RETURNS NUMERIC LANGUAGE sql AS 'SELECT 1::NUMERIC';
         CREATE FUNCTION mine.sha256(BYTEA) RETURNS BYTEA LANGUAGE sql AS $$ SELECT '\\x00'::BYTEA $$;
         CREATE FUNCTION mine.encode(BYTEA, TEXT) RETURNS TEXT LANGUAGE sql AS $$ SELECT 'x' $$;
         ALTER ROLE ann_shadows SET search_path = mine, pg_catalog;
         ALTER ROLE ann_shadows SET synchronous_commit = off;
         ALTER ROLE ann_shadows SET standard_conforming_strings = off;
         ALTER ROLE ann_shadows SET default_transaction_isolation = 'repeatable read';
         ALTER ROLE ann_shadows SET timezone = 'Asia/Kolkata';
         ALTER ROLE ann_shadows SET datestyle = 'German, DMY'",
    )
    .expect("her own things");
    let own = |setting: &str| format!("{}?options=-c%20{setting}", team.analyst);
    for address in [team.analyst.clone(), own("search_path%3Dmine"), own("search_path%3Dmine,pg_catalog")] {
        let mut book = Ledger::connect(&address).expect("the book");
        assert_eq!(spent(&book, "a"), Epsilon::Finite(number("1")), "{address}");
        match book.charge(&costing("a", "3/2"), now()) {
            Err(LedgerError::Refused(refusal)) => assert!(matches!(*refusal, ChargeRefusal::Overdrawn { .. })),
            other => panic!("{address}: {other:?}"),
        }
        let mut tool = Client::connect(&address, NoTls).expect("a server");
        let mut charge = Written::charge(&mut tool, "2/4");
        assert_eq!(charge.hashed().append(&mut tool, "append_release"), Err("IC003".to_string()), "{address}");
        let mut charge = Written::charge(&mut tool, "1/2");
        assert_eq!(charge.set("hash", "x").append(&mut tool, "append_release"), Err("IC002".to_string()), "{address}");
        team.must_be_whole(&address);
    }
    let receipt = Ledger::connect(&team.analyst).expect("the book").charge(&costing("a", "1"), now()).expect("paid");
    Ledger::connect(&team.analyst)
        .expect("the book")
        .record_delivery(receipt.spend(), &certificate(), now())
        .expect("recorded");
    assert_eq!(spent(&Ledger::connect(&team.owner).expect("the book"), "a"), Epsilon::Finite(number("2")));
    // A second book of an older kind is no book: nobody says which one is meant.
    owner
        .batch_execute("DROP OWNED BY ann_shadows CASCADE; REVOKE CREATE ON DATABASE test_shadows FROM PUBLIC")
        .expect("gone");
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn an_officer_without_the_key_loosens_nothing() {
    let team = Team::new("keyless");
    let mut ole = Client::connect(&team.officer, NoTls).expect("a server");
    let mut book = Ledger::connect(&team.officer).expect("a book");
    let raised = book.change_terms(&name("a"), &guarded(budget("50")), Authority::Nobody, now());
    assert!(matches!(raised, Err(LedgerError::NeedsSignature { .. })));
    let stranger = {
        let account = book.account(&name("a")).expect("a book").expect("an account");
        TermsSignature::by(&officer(2), &account.request(&guarded(budget("50"))))
    };
    let raised = book.change_terms(&name("a"), &guarded(budget("50")), Authority::Signature(&stranger), now());
    assert!(matches!(raised, Err(LedgerError::NeedsSignature { .. })));
    // With another program: the server refuses terms that are looser in any respect and not signed.
    let key = |number| format!("signed-by={}", officer(number).public().digits());
    for (what, epsilon, delta, policy) in [
        ("more epsilon", Some("50"), None, key(1)),
        ("a little more epsilon", Some("2000001/1000000"), None, key(1)),
        ("no limit", None, None, key(1)),
        ("a delta", Some("2"), Some("1/10"), key(1)),
        ("another key", Some("2"), None, key(2)),
        ("no key", Some("1"), None, String::new()),
        ("a secret", Some("2"), None, format!("raised-with={}", "ab".repeat(32))),
        ("a kind", Some("2"), None, format!("allow=group;{}", key(1))),
        ("a split", Some("2"), None, format!("splits=region;{}", key(1))),
        ("new people", Some("2"), None, format!("people=disjoint-per-day;{}", key(1))),
    ] {
        let mut next = Written::next(&mut ole, "policy");
        next.set("policy", &policy);
        for (name, text) in [("epsilon", epsilon), ("delta", delta)] {
            if let Some(text) = text {
                next.set(name, text);
            }
        }
        assert_eq!(next.hashed().append(&mut ole, "append_terms"), Err("IC006".to_string()), "{what}");
        assert_eq!(next.append(&mut ole, "append_release"), Err("IC003".to_string()), "{what}");
        team.must_be_whole(what);
    }
    // Stricter ones it takes, as every reader does.
    let mut stricter = Written::policy(&mut ole, "3/2");
    stricter.set("policy", &format!("min-group=5;{}", key(1)));
    assert_eq!(stricter.hashed().append(&mut ole, "append_terms"), Ok(()));
    book.verify(&[]).expect("whole");
    // What SQL cannot check, a signature of somebody else, every reader finds.
    let mut forged = Written::policy(&mut ole, "50");
    assert_eq!(forged.set("signature", &"ab".repeat(64)).hashed().append(&mut ole, "append_terms"), Ok(()));
    for refused in [book.charge(&costing("a", "1/10"), now()).err(), book.verify(&[]).err()] {
        assert!(matches!(refused, Some(LedgerError::Damaged { fault: Fault::Unsigned, .. })), "{refused:?}");
    }
}

/// Whatever the functions take, every reader of the book reads: nobody but its owner can make it unreadable.
#[test]
#[ignore = "needs a PostgreSQL server"]
fn whatever_the_functions_take_is_read() {
    let team = Team::new("fuzz");
    let mut owner = Client::connect(&team.owner, NoTls).expect("a server");
    let book = Ledger::connect(&team.owner).expect("a book");
    let key = format!("signed-by={}", officer(1).public().digits());
    let values = [
        "",
        "0",
        "1",
        "1/2",
        "2/4",
        "01",
        "infinite",
        "Infinite",
        "a",
        "b",
        "1e3",
        "٣",
        "x\u{7f}",
        "\u{2028}",
        "a\tb",
        "é",
        "e\u{301}",
        "delivered",
        "failed",
        "budget",
        "a b",
        "{}",
        "{\"by\":\"a\"}",
        "{\"by\":\"\u{2028}\"}",
        "{\"note\":\"\",\"by\":\"a\"}",
        "{\"by\":\"\\u00e9\"}",
        "{\"by\":\"/\"}",
        "{\"by\":\"\\/\"}",
        "{\"nonce\":\"1\",\"user\":\"\\\"\"}",
        "1970-01-01T00:00:00Z",
        "2026-01-01T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T23:59:60Z",
        "2026-01-01T00:00:01Z",
        "2025-12-31T23:59:59Z",
        "min-group=5",
        "min-group=05",
        "min-group=18446744073709551615",
        "min-group=18446744073709551616",
        "allow=",
        "allow=a,b",
        "splits=%c3%a9",
        "splits=%C3%A9",
        "splits=%c3",
        "splits=%00",
        "splits=-,_",
        "people=disjoint-per-week",
        "max-epsilon-per-release=1/3",
        &"9".repeat(4096),
        &"9".repeat(4097),
        &"x".repeat(200),
        &"é".repeat(200),
        &"é".repeat(201),
        &"ab".repeat(32),
        &"ab".repeat(16),
        &"ab".repeat(64),
        &key,
        &format!("min-group=3;{key}"),
        &format!("max-epsilon-per-release=1/0;{key}"),
        "open",
        "charge",
        "outcome",
        "policy",
        "refused",
        "aside",
    ]
    .map(str::to_string);
    let mut runner = TestRunner::new(Config { cases: 3000, failure_persistence: None, ..Config::default() });
    let changes = proptest::collection::vec((0..17_usize, proptest::option::weighted(0.9, 0..values.len())), 0..3);
    let taken = std::cell::Cell::new(0);
    let tool = std::cell::RefCell::new(&mut owner);
    runner
        .run(&(0..4_usize, changes), |(kind, changes)| {
            let tool = &mut **tool.borrow_mut();
            let mut entry = match kind {
                0 => Written::charge(tool, "1/1000"),
                1 => Written::policy(tool, "2"),
                2 => {
                    let mut entry = Written::charge(tool, "2");
                    entry.set("kind", "refused").set("outcome", "budget");
                    (entry.texts[5], entry.texts[6]) = (None, None);
                    entry
                }
                _ => {
                    let mut entry = Written::next(tool, "open");
                    entry.set("account", &format!("b{}", entry.seq)).set("policy", "");
                    entry
                }
            };
            for (place, value) in changes {
                entry.texts[place] = value.map(|value| values[value].clone());
            }
            entry.hashed();
            // An officer's forged signature is the one thing that SQL cannot tell: see the test before.
            if entry.get("signature").is_none() && entry.append(tool, "put").is_ok() {
                taken.set(taken.get() + 1);
                let read = book.verify(&[]).map(drop);
                prop_assert!(read.is_ok(), "{entry:?}: {read:?}");
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(taken.get() > 500, "only {} entries were taken", taken.get());
}
