//! The book of a team: the same behaviour against a real PostgreSQL server.
//!
//! Needs a server: its address is in INCROWD_TEST_POSTGRES, and `./test` starts one. Each test has a database of its
//! own.

use crate::{budget, certificate, costing, name, now, number, pay, spent, unbounded};
use incrowd_ledger::{
    Authority, ChargeRefusal, DamagedPart, Fault, Ledger, LedgerError, Remembered, TeamRoles, Terms, Trouble,
};
use incrowd_privacy::Epsilon;
use postgres::{Client, NoTls};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const SERVER: &str = "INCROWD_TEST_POSTGRES";
const TASK: &str = "INCROWD_LEDGER_TEST_POSTGRES_TASK";

fn server() -> String {
    std::env::var(SERVER).expect("the address of a PostgreSQL server in INCROWD_TEST_POSTGRES")
}

/// The address of a new database that nobody else uses.
pub fn fresh(database: &str) -> String {
    let mut client = Client::connect(&server(), NoTls).expect("a server");
    client.batch_execute(&format!("DROP DATABASE IF EXISTS test_{database} WITH (FORCE)")).expect("a server");
    client.batch_execute(&format!("CREATE DATABASE test_{database}")).expect("a database");
    address(database)
}

fn address(database: &str) -> String {
    let server = server();
    let (before, after) = server.rsplit_once('/').expect("an address with a database");
    let options = after.split_once('?').map(|(_, options)| format!("?{options}")).unwrap_or_default();
    format!("{before}/test_{database}{options}")
}

/// The same database, as somebody else.
pub fn as_user(address: &str, user: &str) -> String {
    let (scheme, rest) = address.split_once("://").expect("an address");
    let host = rest.split_once('@').map_or(rest, |(_, host)| host);
    format!("{scheme}://{user}@{host}")
}

fn with_setting(address: &str, setting: &str) -> String {
    let joint = if address.contains('?') { '&' } else { '?' };
    format!("{address}{joint}options=-c%20{setting}")
}

fn tool(database: &str) -> Client {
    Client::connect(&address(database), NoTls).expect("a server")
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_charge_is_there_for_everybody_and_never_refunded() {
    let address = fresh("charges");
    assert!(matches!(Ledger::connect_existing(&address).err(), Some(LedgerError::NoLedger { .. })));
    let mut ledger = Ledger::connect(&address).expect("a ledger");
    ledger.open_account(&name("a"), &budget("2"), now()).expect("opened");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    let receipt = ledger.charge(&costing("a", "1/2"), now()).expect("paid");
    let place = Remembered { seq: Some(receipt.seq()), hash: receipt.head().to_string() };
    ledger.record_failure(receipt.spend(), now()).expect("recorded");
    let other = Ledger::connect_existing(&address).expect("the same book");
    assert_eq!(spent(&other, "a"), Epsilon::Finite(number("3/2")));
    assert_eq!(other.verify(&[place]).expect("whole").entries, 5);
    match ledger.charge(&costing("a", "1"), now()) {
        Err(LedgerError::Refused(refusal)) => assert!(matches!(*refusal, ChargeRefusal::Overdrawn { .. })),
        other => panic!("{other:?}"),
    }
    assert!(matches!(ledger.open_account(&name("a"), &budget("9"), now()), Err(LedgerError::AccountExists { .. })));
    ledger.change_terms(&name("a"), &budget("3"), Authority::Nobody, now()).expect("changed");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    pay(&mut ledger, &unbounded("free")).expect("an account without limits");
    assert_eq!(other.accounts().expect("a book").len(), 2);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_book_in_a_file_and_one_in_a_server_have_the_same_chain() {
    let mut team = Ledger::connect(&fresh("same")).expect("a ledger");
    let mut own = Ledger::in_memory().expect("a ledger");
    for ledger in [&mut team, &mut own] {
        ledger.open_account(&name("a"), &budget("2"), now()).expect("opened");
        pay(ledger, &costing("a", "1")).expect("paid");
        pay(ledger, &unbounded("b")).expect("paid");
    }
    assert_eq!(team.history(None).expect("a book"), own.history(None).expect("a book"));
    assert_eq!(team.accounts().expect("a book"), own.accounts().expect("a book"));
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn history_cannot_be_changed_and_a_forced_change_is_found() {
    let address = fresh("forced");
    let mut ledger = Ledger::connect(&address).expect("a ledger");
    ledger.open_account(&name("a"), &budget("2"), now()).expect("opened");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    let mut tool = tool("forced");
    for change in ["UPDATE incrowd.entry SET epsilon = '0'", "DELETE FROM incrowd.entry", "TRUNCATE incrowd.entry"] {
        assert!(tool.batch_execute(change).is_err(), "{change}");
    }
    let mut found = |change: &str, undo: &str| {
        let run = |tool: &mut Client, sql: &str| {
            let forced = format!(
                "ALTER TABLE incrowd.entry DISABLE TRIGGER ALL; {sql}; ALTER TABLE incrowd.entry ENABLE TRIGGER ALL"
            );
            tool.batch_execute(&forced).expect("forced");
        };
        run(&mut tool, change);
        let damage = match ledger.charge(&costing("a", "1/10"), now()) {
            Err(LedgerError::Damaged { part, fault, .. }) => (part, fault),
            other => panic!("{change}: {other:?}"),
        };
        run(&mut tool, undo);
        damage
    };
    assert_eq!(
        found(
            "UPDATE incrowd.entry SET epsilon = '0' WHERE seq = 2",
            "UPDATE incrowd.entry SET epsilon = '1' WHERE seq = 2"
        ),
        (DamagedPart::Entry(2), Fault::Changed)
    );
    assert_eq!(
        found("UPDATE incrowd.entry SET seq = 9 WHERE seq = 3", "UPDATE incrowd.entry SET seq = 3 WHERE seq = 9"),
        (DamagedPart::Entry(3), Fault::Missing)
    );
    assert_eq!(
        found("UPDATE incrowd.account SET epsilon = '1000'", "UPDATE incrowd.account SET epsilon = '2'"),
        (DamagedPart::Accounts, Fault::Contradiction)
    );
    assert_eq!(
        found("UPDATE incrowd.book SET highest = 4", "UPDATE incrowd.book SET highest = 3"),
        (DamagedPart::Entry(4), Fault::Missing)
    );
    pay(&mut ledger, &costing("a", "1")).expect("everything was put back");
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn of_fifty_processes_one_gets_the_last_unit() {
    let address = fresh("race");
    let mut ledger = Ledger::connect(&address).expect("a ledger");
    ledger.open_account(&name("a"), &budget("1"), now()).expect("opened");
    let children: Vec<Child> = (0..50).map(|_| start("charges", &address)).collect();
    let answers: Vec<String> = children.into_iter().map(answer).collect();
    let paid = answers.iter().filter(|answer| *answer == "paid").count();
    assert_eq!(paid, 1, "{answers:?}");
    assert!(answers.iter().all(|answer| answer == "paid" || answer.contains("is left")), "{answers:?}");
    // One opening, one charge, and the others as attempts that cost nothing.
    assert_eq!(ledger.verify(&[]).expect("whole").entries, 51);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn of_twenty_processes_with_the_same_request_one_pays() {
    let address = fresh("once");
    let mut ledger = Ledger::connect(&address).expect("a ledger");
    ledger.open_account(&name("a"), &budget("9"), now()).expect("opened");
    let children: Vec<Child> = (0..20).map(|_| start("charges once", &address)).collect();
    let answers: Vec<String> = children.into_iter().map(answer).collect();
    assert_eq!(answers.iter().filter(|answer| *answer == "paid").count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|answer| answer.contains("how that ended")).count(), 19, "{answers:?}");
    assert_eq!(ledger.verify(&[]).expect("whole").entries, 2);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn twenty_processes_make_one_book() {
    let address = fresh("making");
    let children: Vec<Child> = (0..20).map(|_| start("charges free", &address)).collect();
    let answers: Vec<String> = children.into_iter().map(answer).collect();
    assert!(answers.iter().all(|answer| answer == "paid"), "{answers:?}");
    let ledger = Ledger::connect_existing(&address).expect("a book");
    assert_eq!(ledger.verify(&[]).expect("whole").entries, 21);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_process_that_died_with_the_lock_blocks_nobody() {
    let address = fresh("dead");
    let mut ledger = Ledger::connect(&address).expect("a ledger");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    let mut child = start("locks", &address);
    // Until the other holds the lock.
    ledger.wait_at_most(Duration::from_millis(100)).expect("set");
    let locked = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        matches!(ledger.charge(&costing("a", "1"), now()), Err(LedgerError::Trouble { trouble: Trouble::Locked, .. }))
    });
    assert!(locked, "the other process took the lock");
    child.kill().expect("killed");
    let _ = child.wait();
    ledger.wait_at_most(Duration::from_secs(30)).expect("set");
    pay(&mut ledger, &costing("a", "1")).expect("the lock is free");
    ledger.verify(&[]).expect("whole");
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_lost_connection_is_made_again_before_the_outcome() {
    let address = fresh("idle");
    let mut ledger = Ledger::connect(&address).expect("a ledger");
    let receipt = ledger.charge(&costing("a", "1"), now()).expect("paid");
    let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'incrowd'
        AND query LIKE '%idle%' OR (application_name = 'incrowd' AND state = 'idle' AND pid <> pg_backend_pid())";
    let mut client = Client::connect(&server(), NoTls).expect("a server");
    client.query(kill, &[]).expect("killed");
    ledger.record_delivery(receipt.spend(), &certificate(), now()).expect("recorded");
    assert_eq!(ledger.verify(&[]).expect("whole").entries, 3);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn what_the_server_refuses_is_named_without_a_password() {
    let trouble = |address: &str| match Ledger::connect(address).err() {
        Some(error @ LedgerError::Trouble { trouble, .. }) => {
            assert!(!error.to_string().contains("secret"), "{error}");
            trouble
        }
        other => panic!("{address}: {other:?}"),
    };
    assert_eq!(trouble("postgres://u:secret@127.0.0.1:1/x"), Trouble::NoServer);
    let (before, _) = server().rsplit_once('/').map(|(a, b)| (a.to_string(), b.to_string())).expect("an address");
    assert_eq!(trouble(&format!("{before}/there_is_no_such_database")), Trouble::NoAccess);
    assert_eq!(Ledger::connect("postgres://[").err(), Some(LedgerError::Address));
    assert_eq!(Ledger::connect(&format!("{before}/")).err(), Some(LedgerError::Address), "whose database?");
    let address = fresh("unlogged");
    pay(&mut Ledger::connect(&address).expect("a ledger"), &costing("a", "1")).expect("paid");
    tool("unlogged").batch_execute("ALTER TABLE incrowd.account SET UNLOGGED").expect("changed");
    assert_eq!(trouble(&address), Trouble::NotDurable);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_stricter_isolation_by_default_burns_no_charge() {
    let address = fresh("isolation");
    let strict = with_setting(&address, "default_transaction_isolation%3Dserializable");
    pay(&mut Ledger::connect(&strict).expect("a ledger"), &costing("free", "1")).expect("paid");
    let children: Vec<Child> = (0..12).map(|_| start("charges free", &strict)).collect();
    let answers: Vec<String> = children.into_iter().map(answer).collect();
    assert!(answers.iter().all(|answer| answer == "paid"), "{answers:?}");
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn tables_of_others_and_of_other_versions_are_refused() {
    let address = fresh("versions");
    drop(Ledger::connect(&address).expect("a ledger"));
    let mut tool = tool("versions");
    tool.batch_execute("UPDATE incrowd.book SET version = 7").expect("changed");
    assert!(matches!(Ledger::connect(&address).err(), Some(LedgerError::OtherVersion { found: 7, .. })));
    tool.batch_execute("UPDATE incrowd.book SET version = 5, application = 'x'").expect("changed");
    assert!(matches!(Ledger::connect(&address).err(), Some(LedgerError::NotALedger { .. })));
    tool.batch_execute("UPDATE incrowd.book SET application = 'incrowd ledger'; DROP TABLE incrowd.entry CASCADE")
        .expect("changed");
    let mut ledger = Ledger::connect(&address).expect("opening looks at no entry");
    assert!(matches!(
        ledger.charge(&costing("a", "1"), now()),
        Err(LedgerError::Damaged { part: DamagedPart::File, fault: Fault::Structure, .. })
    ));
}

pub fn start(task: &str, address: &str) -> Child {
    let exe = std::env::current_exe().expect("this program");
    let arguments = ["--exact", "server::a_task", "--nocapture", "--test-threads=1", "--include-ignored"];
    let command = &mut Command::new(exe);
    let command = command.args(arguments).env(TASK, format!("{task}\n{address}"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process")
}

pub fn answer(child: Child) -> String {
    let output = child.wait_with_output().expect("a process that ends");
    let said = String::from_utf8_lossy(&output.stdout);
    match said.lines().find_map(|line| line.split_once("answer: ")) {
        Some((_, answer)) => answer.to_string(),
        None => panic!("no answer: {said} {}", String::from_utf8_lossy(&output.stderr)),
    }
}

#[test]
#[ignore = "a task for the other tests to start"]
#[allow(clippy::print_stdout)]
fn a_task() {
    let Ok(task) = std::env::var(TASK) else { return };
    let (task, address) = task.split_once('\n').expect("a task and an address");
    let charge = |account: &str| {
        Ledger::connect(address)
            .and_then(|mut ledger| ledger.charge(&costing(account, "1"), now()))
            .map_or_else(|error| error.to_string(), |_| "paid".to_string())
    };
    let said = match task {
        "charges" => charge("a"),
        "charges free" => charge("free"),
        "charges once" => Ledger::connect(address)
            .and_then(|mut ledger| ledger.charge_once(&costing("a", "1"), now()))
            .map_or_else(|error| error.to_string(), |_| "paid".to_string()),
        "locks" => {
            let mut client = Client::connect(address, NoTls).expect("a server");
            let mut change = client.transaction().expect("begun");
            change.query("SELECT highest FROM incrowd.book FOR UPDATE", &[]).expect("locked");
            std::thread::sleep(Duration::from_secs(60));
            "slept".to_string()
        }
        other => panic!("no such task: {other}"),
    };
    println!("answer: {said}");
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_policy_is_the_same_in_a_server() {
    let mut ledger = Ledger::connect(&fresh("policies")).expect("a ledger");
    let terms = Terms { min_group: Some(50), ..budget("5") };
    ledger.open_account(&name("a"), &terms, now()).expect("opened");
    let small = incrowd_ledger::Charge { smallest_group: Some(20), ..costing("a", "1") };
    match ledger.charge(&small, now()) {
        Err(LedgerError::Refused(refusal)) => assert!(matches!(*refusal, ChargeRefusal::GroupTooSmall { .. })),
        other => panic!("{other:?}"),
    }
}

/// Makes the tables what version 4 made, in a schema where somebody had a search path to.
pub const AS_VERSION_FOUR: &str = "
    DROP VIEW incrowd.state, incrowd.accounts, incrowd.definitions, incrowd.entries;
    DROP TABLE incrowd.aside;
    DROP TRIGGER incrowd_entry_is_never_changed ON incrowd.entry;
    DROP TRIGGER incrowd_definition_is_never_changed ON incrowd.definition;
    DROP INDEX incrowd.entry_of_charge, incrowd.entry_of_release, incrowd.entry_refused, incrowd.entry_unbounded;
    ALTER TABLE incrowd.entry DROP COLUMN written_by, DROP CONSTRAINT entry_kind_check,
      ADD CONSTRAINT incrowd_entry_kind_check CHECK (kind IN ('open', 'charge', 'outcome', 'policy', 'refused'));
    UPDATE incrowd.book SET version = 4;
    CREATE SCHEMA \"Older Tables\";
    ALTER TABLE incrowd.book SET SCHEMA \"Older Tables\"; ALTER TABLE \"Older Tables\".book RENAME TO incrowd_ledger;
    ALTER TABLE incrowd.account SET SCHEMA \"Older Tables\"; ALTER TABLE \"Older Tables\".account RENAME TO incrowd_account;
    ALTER TABLE incrowd.definition SET SCHEMA \"Older Tables\"; ALTER TABLE \"Older Tables\".definition RENAME TO incrowd_definition;
    ALTER TABLE incrowd.entry SET SCHEMA \"Older Tables\"; ALTER TABLE \"Older Tables\".entry RENAME TO incrowd_entry;
    DROP SCHEMA incrowd CASCADE;
    CREATE FUNCTION \"Older Tables\".incrowd_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'an entry is never changed or removed'; END $$;
    CREATE TRIGGER incrowd_entry_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON \"Older Tables\".incrowd_entry
      FOR EACH STATEMENT EXECUTE FUNCTION \"Older Tables\".incrowd_is_never_changed();
    CREATE TRIGGER incrowd_definition_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON \"Older Tables\".incrowd_definition
      FOR EACH STATEMENT EXECUTE FUNCTION \"Older Tables\".incrowd_is_never_changed();
";

/// And these what version 2 made.
const AS_VERSION_TWO: &str = "
    ALTER TABLE \"Older Tables\".incrowd_entry
      DROP COLUMN certificate_hash, DROP COLUMN signature, DROP COLUMN details,
      DROP CONSTRAINT incrowd_entry_kind_check,
      ADD CONSTRAINT incrowd_entry_kind_check CHECK (kind IN ('open', 'charge', 'outcome', 'policy')),
      ADD CONSTRAINT incrowd_entry_outcome_check CHECK (outcome IN ('delivered', 'failed'));
    UPDATE \"Older Tables\".incrowd_ledger SET version = 2";

#[test]
#[ignore = "needs a PostgreSQL server"]
fn tables_of_earlier_versions_are_read_as_they_are_and_written_to_when_their_owner_has_set_them_up() {
    for (database, older) in [("older_four", ""), ("older_two", AS_VERSION_TWO)] {
        let address = fresh(database);
        let mut ledger = Ledger::connect(&address).expect("a ledger");
        let receipt = ledger.charge(&costing("a", "1"), now()).expect("paid");
        ledger.record_failure(receipt.spend(), now()).expect("recorded");
        let head = ledger.verify(&[]).expect("whole").head;
        let mut tool = tool(database);
        tool.batch_execute(AS_VERSION_FOUR).expect("as version 4 made it");
        tool.batch_execute(older).expect("as version 2 made it");
        let mut read = Ledger::connect_existing(&address).expect("a ledger");
        assert_eq!(read.verify(&[]).expect("whole").head, head);
        for refused in [Ledger::connect(&address).err(), read.charge(&costing("a", "1"), now()).err()] {
            let refused = refused.expect("nothing is written to it");
            assert!(matches!(refused, LedgerError::Trouble { trouble: Trouble::NotSetUp, .. }), "{refused}");
            assert!(refused.hint().contains("incrowd ledger setup"), "{}", refused.hint());
        }
        // Somebody else cannot take the book.
        tool.batch_execute("DROP ROLE IF EXISTS incrowd_guest; CREATE ROLE incrowd_guest LOGIN").expect("a guest");
        let roles = TeamRoles::default();
        let guest = Ledger::set_up(&as_user(&address, "incrowd_guest"), &roles, true).expect_err("refused");
        assert!(
            matches!(guest, LedgerError::Trouble { trouble: Trouble::NotTheOwner | Trouble::NotAllowed, .. }),
            "{guest}"
        );
        tool.batch_execute("DROP ROLE incrowd_guest").expect("gone");
        let done = Ledger::set_up(&address, &roles, true).expect("set up");
        let version = if older.is_empty() { 4 } else { 2 };
        assert_eq!(done.moved, Some(("\"Older Tables\"".to_string(), version)));
        assert_eq!(read.verify(&[]).expect("whole").head, head, "also for who had it open");
        pay(&mut read, &costing("a", "1")).expect("paid");
        assert_eq!(Ledger::connect(&address).expect("a ledger").verify(&[]).expect("whole").entries, 5);
        let again = Ledger::set_up(&address, &roles, true).expect("set up again");
        assert_eq!((again.made, again.moved, again.revoked), (false, None, vec![]));
    }
}

/// A way to the server that can be closed to what it says, without anybody noticing.
fn way(silent: &'static std::sync::atomic::AtomicBool) -> u16 {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    let server = server();
    let host = server.rsplit_once('@').expect("a user").1.split('/').next().expect("a host").to_string();
    let here = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = here.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for client in here.incoming().flatten() {
            let there = TcpStream::connect(&host).expect("a server");
            for (mut from, mut to) in
                [(client.try_clone().expect("a copy"), there.try_clone().expect("a copy")), (there, client)]
            {
                std::thread::spawn(move || {
                    let mut bytes = [0; 4096];
                    while let Ok(read @ 1..) = from.read(&mut bytes) {
                        while silent.load(std::sync::atomic::Ordering::Relaxed) {
                            std::thread::sleep(Duration::from_millis(20));
                        }
                        if to.write_all(&bytes[..read]).is_err() {
                            return;
                        }
                    }
                    let _ = to.shutdown(std::net::Shutdown::Both);
                });
            }
        }
    });
    port
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_server_that_stops_answering_holds_nobody_for_ever() {
    use std::sync::atomic::{AtomicBool, Ordering};
    static SILENT: AtomicBool = AtomicBool::new(false);
    let address = fresh("silence");
    let port = way(&SILENT);
    let (before, after) = address.split_once('@').expect("a user");
    let through = format!("{before}@127.0.0.1:{port}/{}", after.split_once('/').expect("a database").1);
    let mut ledger = Ledger::connect(&through).expect("a ledger");
    let receipt = ledger.charge(&costing("a", "1"), now()).expect("paid");
    SILENT.store(true, Ordering::Relaxed);
    let begun = std::time::Instant::now();
    let unrecorded = ledger.record_delivery(receipt.spend(), &certificate(), now()).expect_err("nobody answers");
    assert!(matches!(unrecorded.error, LedgerError::Trouble { trouble: Trouble::NoServer | Trouble::Unanswered, .. }));
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    SILENT.store(false, Ordering::Relaxed);
    ledger.record_delivery(unrecorded.spent, &certificate(), now()).expect("recorded when it answers again");
    assert_eq!(ledger.verify(&[]).expect("whole").entries, 3);
}
