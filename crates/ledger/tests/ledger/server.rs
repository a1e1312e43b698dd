//! The book of a team: the same behaviour against a real PostgreSQL server.
//!
//! Needs a server: its address is in INCROWD_TEST_POSTGRES, and `./test` starts one. Each test has a schema of its own.

use crate::{budget, certificate, costing, name, now, number, pay, spent, unbounded};
use incrowd_ledger::{Authority, ChargeRefusal, DamagedPart, Fault, Ledger, LedgerError, Remembered, Terms, Trouble};
use incrowd_privacy::Epsilon;
use postgres::{Client, NoTls};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const SERVER: &str = "INCROWD_TEST_POSTGRES";
const TASK: &str = "INCROWD_LEDGER_TEST_POSTGRES_TASK";

fn server() -> String {
    std::env::var(SERVER).expect("the address of a PostgreSQL server in INCROWD_TEST_POSTGRES")
}

/// An address whose tables nobody else uses.
fn fresh(schema: &str) -> String {
    let mut client = Client::connect(&server(), NoTls).expect("a server");
    client.batch_execute(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}")).expect("a schema");
    address(schema)
}

fn address(schema: &str) -> String {
    let server = server();
    let joint = if server.contains('?') { '&' } else { '?' };
    format!("{server}{joint}options=-c%20search_path%3D{schema}")
}

fn tool(schema: &str) -> Client {
    Client::connect(&address(schema), NoTls).expect("a server")
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
    for change in ["UPDATE incrowd_entry SET epsilon = '0'", "DELETE FROM incrowd_entry", "TRUNCATE incrowd_entry"] {
        assert!(tool.batch_execute(change).is_err(), "{change}");
    }
    let mut found = |change: &str, undo: &str| {
        let run = |tool: &mut Client, sql: &str| {
            let forced = format!(
                "ALTER TABLE incrowd_entry DISABLE TRIGGER ALL; {sql}; ALTER TABLE incrowd_entry ENABLE TRIGGER ALL"
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
            "UPDATE incrowd_entry SET epsilon = '0' WHERE seq = 2",
            "UPDATE incrowd_entry SET epsilon = '1' WHERE seq = 2"
        ),
        (DamagedPart::Entry(2), Fault::Changed)
    );
    assert_eq!(
        found("UPDATE incrowd_entry SET seq = 9 WHERE seq = 3", "UPDATE incrowd_entry SET seq = 3 WHERE seq = 9"),
        (DamagedPart::Entry(3), Fault::Missing)
    );
    assert_eq!(
        found("UPDATE incrowd_account SET epsilon = '1000'", "UPDATE incrowd_account SET epsilon = '2'"),
        (DamagedPart::Accounts, Fault::Contradiction)
    );
    assert_eq!(
        found("UPDATE incrowd_ledger SET highest = 4", "UPDATE incrowd_ledger SET highest = 3"),
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
    // A reader may look and not write.
    let address = fresh("readers");
    pay(&mut Ledger::connect(&address).expect("a ledger"), &costing("a", "1")).expect("paid");
    let mut tool = tool("readers");
    tool.batch_execute(
        "DROP ROLE IF EXISTS incrowd_reader; CREATE ROLE incrowd_reader LOGIN;
         GRANT USAGE ON SCHEMA readers TO incrowd_reader; GRANT SELECT ON ALL TABLES IN SCHEMA readers TO incrowd_reader",
    )
    .expect("a role");
    let (scheme, rest) = address.split_once("://").expect("an address");
    let host = rest.split_once('@').map_or(rest, |(_, host)| host);
    let reader = format!("{scheme}://incrowd_reader@{host}");
    let mut ledger = Ledger::connect(&reader).expect("may look");
    assert_eq!(spent(&ledger, "a"), Epsilon::Finite(number("1")));
    match ledger.charge(&costing("a", "1"), now()) {
        Err(LedgerError::Trouble { trouble: Trouble::NotAllowed, .. }) => {}
        other => panic!("{other:?}"),
    }
    // What the hint says is enough to charge, and not enough to change history.
    tool.batch_execute(
        "GRANT INSERT ON incrowd_entry, incrowd_definition, incrowd_account TO incrowd_reader;
         GRANT UPDATE ON incrowd_account, incrowd_ledger TO incrowd_reader",
    )
    .expect("granted");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    let mut steward = Client::connect(&reader, NoTls).expect("a server");
    for change in
        ["UPDATE incrowd_entry SET epsilon = '0'", "DELETE FROM incrowd_entry", "DELETE FROM incrowd_definition"]
    {
        assert!(steward.batch_execute(change).is_err(), "{change}");
    }
    tool.batch_execute("ALTER TABLE incrowd_account SET UNLOGGED").expect("changed");
    assert_eq!(trouble(&address), Trouble::NotDurable);
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_stricter_isolation_by_default_burns_no_charge() {
    let address = fresh("isolation");
    let strict = format!("{address}%20-c%20default_transaction_isolation%3Dserializable");
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
    tool.batch_execute("UPDATE incrowd_ledger SET version = 7").expect("changed");
    assert!(matches!(Ledger::connect(&address).err(), Some(LedgerError::OtherVersion { found: 7, .. })));
    tool.batch_execute("UPDATE incrowd_ledger SET version = 4, application = 'x'").expect("changed");
    assert!(matches!(Ledger::connect(&address).err(), Some(LedgerError::NotALedger { .. })));
    tool.batch_execute("UPDATE incrowd_ledger SET application = 'incrowd ledger'; DROP TABLE incrowd_entry CASCADE")
        .expect("changed");
    let mut ledger = Ledger::connect(&address).expect("opening looks at no entry");
    assert!(matches!(
        ledger.charge(&costing("a", "1"), now()),
        Err(LedgerError::Damaged { part: DamagedPart::File, fault: Fault::Structure, .. })
    ));
}

fn start(task: &str, address: &str) -> Child {
    let exe = std::env::current_exe().expect("this program");
    let arguments = ["--exact", "server::a_task", "--nocapture", "--test-threads=1", "--include-ignored"];
    let command = &mut Command::new(exe);
    let command = command.args(arguments).env(TASK, format!("{task}\n{address}"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process")
}

fn answer(child: Child) -> String {
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
            change.query("SELECT highest FROM incrowd_ledger FOR UPDATE", &[]).expect("locked");
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

/// Makes the tables what version 2 made.
const AS_VERSION_TWO: &str = "
    ALTER TABLE incrowd_entry DROP COLUMN certificate_hash, DROP COLUMN signature, DROP COLUMN details,
      DROP CONSTRAINT incrowd_entry_kind_check,
      ADD CONSTRAINT incrowd_entry_kind_check CHECK (kind IN ('open', 'charge', 'outcome', 'policy')),
      ADD CONSTRAINT incrowd_entry_outcome_check CHECK (outcome IN ('delivered', 'failed'));
    UPDATE incrowd_ledger SET version = 2";

#[test]
#[ignore = "needs a PostgreSQL server"]
fn tables_of_version_two_are_read_as_they_are_and_brought_up_when_written_to() {
    let address = fresh("older");
    let mut ledger = Ledger::connect(&address).expect("a ledger");
    let receipt = ledger.charge(&costing("a", "1"), now()).expect("paid");
    ledger.record_failure(receipt.spend(), now()).expect("recorded");
    let head = ledger.verify(&[]).expect("whole").head;
    drop(ledger);
    let mut tool = tool("older");
    tool.batch_execute(AS_VERSION_TWO).expect("as version 2 made it");
    let columns = "SELECT count(*) FROM information_schema.columns
        WHERE table_schema = 'older' AND table_name = 'incrowd_entry'";
    let count = |tool: &mut Client| tool.query_one(columns, &[]).expect("a count").get::<_, i64>(0);
    let read = Ledger::connect_existing(&address).expect("a ledger");
    assert_eq!(read.verify(&[]).expect("whole").head, head);
    assert_eq!(count(&mut tool), 15, "reading changes nothing");
    let mut ledger = Ledger::connect(&address).expect("a ledger");
    assert_eq!(count(&mut tool), 18);
    assert_eq!(read.verify(&[]).expect("whole").head, head, "also for who had it open");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    assert_eq!(ledger.verify(&[]).expect("whole").entries, 5);
    // Who does not own the tables is told what their owner has to do.
    tool.batch_execute(AS_VERSION_TWO).expect("as version 2 made it");
    tool.batch_execute("DROP OWNED BY incrowd_guest; DROP ROLE incrowd_guest").ok();
    tool.batch_execute(
        "CREATE ROLE incrowd_guest LOGIN; GRANT USAGE ON SCHEMA older TO incrowd_guest;
         GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA older TO incrowd_guest",
    )
    .expect("a guest");
    let guest = address.replace("incrowd@", "incrowd_guest@");
    let refused = Ledger::connect(&guest).err().expect("refused");
    assert!(matches!(refused, LedgerError::Trouble { trouble: Trouble::NotTheOwner, .. }), "{refused}");
    assert!(refused.hint().contains("let their owner run"), "{}", refused.hint());
    tool.batch_execute("DROP OWNED BY incrowd_guest; DROP ROLE incrowd_guest").expect("gone");
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
