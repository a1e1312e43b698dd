//! A book that was tampered with grants nothing.

use crate::{certificate, costing, half_spent, name, now, pay, spent};
use incrowd_ledger::{DamagedPart, Fault, Ledger, LedgerError};
use rusqlite::Connection;
use std::path::Path;

/// Edits the file as somebody with a database tool would, past the triggers that guard history.
pub(crate) fn tamper(path: &Path, sql: &str) {
    let tool = Connection::open(path).expect("a database");
    tool.execute_batch("PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF").expect("settings");
    let guard = |name: &str| -> String {
        tool.query_row("SELECT sql FROM sqlite_schema WHERE name = ?1", [name], |row| row.get(0)).expect("a trigger")
    };
    let guards = [guard("entry_is_never_changed"), guard("entry_is_never_removed")];
    tool.execute_batch("DROP TRIGGER entry_is_never_changed; DROP TRIGGER entry_is_never_removed").expect("unguarded");
    tool.execute_batch(sql).expect("tampered");
    tool.execute_batch(&guards.join(";")).expect("guarded again");
}

/// Returns what a charge, a look and a recorded ending find after an edit.
fn found_after(sql: &str) -> (DamagedPart, Fault) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = half_spent(&path);
    pay(&mut ledger, &costing("b", "1")).expect("paid");
    let spent = ledger.charge(&costing("a", "0"), now()).expect("paid").spend();
    tamper(&path, sql);
    let damage = |error: LedgerError| match error {
        LedgerError::Damaged { part, fault, path: Some(at) } if at == path => (part, fault),
        other => panic!("not damaged but {other}"),
    };
    let charged = damage(ledger.charge(&costing("a", "1/10"), now()).expect_err("nothing is granted"));
    let recorded = ledger.record_delivery(spent, &certificate(), now());
    assert_eq!(damage(recorded.expect_err("nothing is written").error), charged);
    assert_eq!(damage(ledger.accounts().expect_err("nothing is shown")), charged);
    assert_eq!(damage(ledger.history(None).expect_err("nothing is shown")), charged);
    let mut reopened = Ledger::open(&path).expect("opening looks at no entry");
    assert_eq!(damage(reopened.charge(&costing("a", "1"), now()).expect_err("nothing is granted")), charged);
    assert_eq!(damage(reopened.verify(&[]).expect_err("nothing is verified")), charged);
    charged
}

// Entries: 1 open a, 2 charge a, 3 outcome a, 4 open b, 5 charge b, 6 outcome b, 7 charge a.

#[test]
fn an_untouched_book_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    let mut ledger = half_spent(&path);
    tamper(&path, "SELECT 1");
    pay(&mut ledger, &costing("a", "1")).expect("paid");
    assert_eq!(spent(&ledger, "a").to_string(), "2");
}

#[test]
fn a_changed_field_is_found() {
    for change in [
        "epsilon = '1/2'",
        "epsilon = 'infinite'",
        "delta = '1'",
        "account = 'b'",
        "snapshot = '2'",
        "plan_hash = 'x'",
        "binning_hash = 'x'",
        "promise = 'x'",
        "time = '2026-01-01T00:00:01Z'",
        "kind = 'open'",
        "kind = 'other'",
        "policy = ''",
        "outcome = 'failed'",
        "charge_id = '00000000000000000000000000000000'",
        "charge_id = NULL",
        "promise = NULL",
        "hash = previous_hash",
    ] {
        let found = found_after(&format!("UPDATE entry SET {change} WHERE seq = 2"));
        assert_eq!(found, (DamagedPart::Entry(2), Fault::Changed), "{change}");
    }
    assert_eq!(
        found_after("UPDATE entry SET outcome = 'failed' WHERE seq = 3"),
        (DamagedPart::Entry(3), Fault::Changed)
    );
    assert_eq!(found_after("UPDATE entry SET epsilon = '9' WHERE seq = 1"), (DamagedPart::Entry(1), Fault::Changed));
}

#[test]
fn another_accounts_entries_count_too() {
    assert_eq!(found_after("UPDATE entry SET epsilon = '0' WHERE seq = 5"), (DamagedPart::Entry(5), Fault::Changed));
}

#[test]
fn a_missing_entry_is_found_wherever_it_stood() {
    assert_eq!(found_after("DELETE FROM entry WHERE seq = 1"), (DamagedPart::Entry(1), Fault::Missing));
    assert_eq!(found_after("DELETE FROM entry WHERE seq = 2"), (DamagedPart::Entry(2), Fault::Missing));
    assert_eq!(found_after("DELETE FROM entry WHERE seq = 7"), (DamagedPart::Entry(7), Fault::Missing));
    assert_eq!(found_after("DELETE FROM entry"), (DamagedPart::Entry(1), Fault::Missing));
    let closed_up = "DELETE FROM entry WHERE seq = 3; UPDATE entry SET seq = seq - 1 WHERE seq > 3";
    assert_eq!(found_after(closed_up), (DamagedPart::Entry(3), Fault::Unlinked));
}

#[test]
fn a_whole_account_cannot_vanish() {
    let gone = "DELETE FROM entry WHERE account = 'b'; DELETE FROM account WHERE name = 'b'";
    assert_eq!(found_after(gone), (DamagedPart::Entry(4), Fault::Missing));
}

#[test]
fn a_book_cut_at_its_end_is_found_while_the_highest_number_is_remembered() {
    let cut = "DELETE FROM entry WHERE seq > 3; DELETE FROM account WHERE name = 'b'";
    assert_eq!(found_after(cut), (DamagedPart::Entry(4), Fault::Missing));
    let forgotten =
        "DELETE FROM entry WHERE seq > 3; UPDATE sqlite_sequence SET seq = 'x'; DELETE FROM account WHERE name = 'b'";
    assert_eq!(found_after(forgotten), (DamagedPart::Entry(4), Fault::Missing));
}

#[test]
fn an_account_must_be_what_its_entries_say() {
    for change in [
        "UPDATE account SET epsilon = '1000000' WHERE name = 'a'",
        "UPDATE account SET epsilon = NULL WHERE name = 'a'",
        "UPDATE account SET delta = '1/2' WHERE name = 'a'",
        "UPDATE account SET policy = 'min-group=1' WHERE name = 'a'",
        "UPDATE account SET created = '2027-01-01T00:00:00Z' WHERE name = 'a'",
        "DELETE FROM account WHERE name = 'a'",
        "UPDATE account SET name = 'c' WHERE name = 'a'",
        "INSERT INTO account VALUES ('c', '2026-01-01T00:00:00Z', NULL, NULL, '')",
    ] {
        assert_eq!(found_after(change), (DamagedPart::Accounts, Fault::Contradiction), "{change}");
    }
}

#[test]
fn history_is_guarded_against_a_slip_of_the_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.sqlite");
    drop(half_spent(&path));
    let tool = Connection::open(&path).expect("a database");
    tool.execute_batch("UPDATE entry SET epsilon = '0'").expect_err("guarded");
    tool.execute_batch("DELETE FROM entry").expect_err("guarded");
}

#[test]
fn other_tables_or_triggers_are_refused_when_the_ledger_is_opened() {
    for change in [
        "CREATE TRIGGER refund AFTER INSERT ON entry BEGIN UPDATE account SET epsilon = NULL; END",
        "CREATE TABLE extra (x)",
        "DROP TRIGGER entry_is_never_changed",
        "ALTER TABLE account ADD COLUMN note TEXT",
        "ALTER TABLE account RENAME TO real_account; CREATE VIEW account AS SELECT * FROM real_account",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ledger.sqlite");
        drop(half_spent(&path));
        Connection::open(&path).expect("a database").execute_batch(change).expect("changed");
        let damaged =
            LedgerError::Damaged { path: Some(path.clone()), part: DamagedPart::File, fault: Fault::Structure };
        assert_eq!(Ledger::open(&path).err(), Some(damaged), "{change}");
    }
}

#[test]
fn the_chain_runs_through_all_accounts() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = half_spent(&folder.path().join("ledger.sqlite"));
    pay(&mut ledger, &costing("b", "1")).expect("paid");
    let entries = ledger.history(None).expect("a book");
    assert_eq!(entries[0].previous_hash, "0".repeat(64));
    assert!(entries.windows(2).all(|pair| pair[1].previous_hash == pair[0].hash));
    assert_eq!(entries[3].account, name("b"));
}
