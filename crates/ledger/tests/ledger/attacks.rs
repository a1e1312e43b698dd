//! Ways round a team's book that need more than one entry: rights that were left over, schemas and settings of one's
//! own, budgets in many small pieces, periods that have not begun, locks and kills.
//!
//! Needs a server, as `server.rs` does.

use crate::server::{answer, as_user, fresh, start};
use crate::team::Team;
use crate::written::{Written, bins};
use crate::{budget, certificate, costing, guarded, name, now, number, pay, signed, spent};
use incrowd_ledger::{
    Authority, Charge, ChargeRefusal, Ledger, LedgerError, Moment, People, Period, SetUp, TeamRoles, Terms, Trouble,
};
use incrowd_privacy::Epsilon;
use postgres::{Client, NoTls};
use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn today() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock");
    Moment::from_unix_seconds(since.as_secs())
}

/// The book of a team with one more account.
fn with_account(team: &Team, account: &str, terms: &Terms, at: Moment) {
    let mut book = Ledger::connect(&team.officer).expect("a book");
    book.open_account(&name(account), &guarded(terms.clone()), at).expect("opened");
}

/// How many charges of so much, each of other bins, an analyst gets in with another program.
fn pieces(
    tool: &mut Client,
    account: &str,
    [snapshot, epsilon, time]: [&str; 3],
    definition: &dyn Fn(u32) -> String,
) -> u32 {
    (0..40)
        .filter(|number| {
            let mut charge = Written::charge(tool, epsilon);
            let text = definition(*number);
            charge
                .set("account", account)
                .set("snapshot", snapshot)
                .set("time", time)
                .set("binning_hash", &bins(&text))
                .hashed();
            let sql = "SELECT incrowd.append_release($1, $2, $3)";
            match tool.execute(sql, &[&charge.seq, &charge.texts, &text]) {
                Ok(_) => true,
                Err(error) => {
                    let code = error.code().map(|code| code.code().to_string());
                    assert!(matches!(code.as_deref(), Some("IC005" | "IC011")), "{error:?}");
                    false
                }
            }
        })
        .count() as u32
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_budget_is_not_exceeded_in_pieces() {
    let team = Team::new("pieces");
    let then = &now().to_string();
    let mut ann = Client::connect(&team.analyst, NoTls).expect("a server");
    // One is spent of two: bins of any name, whether or not a reader knows them, add up.
    assert_eq!(pieces(&mut ann, "a", ["1", "1/4", then], &|number| format!("bins {number}")), 4);
    with_account(&team, "named", &budget("1"), now());
    let table = |number| format!("{{\"bins\":[{number}],\"split\":{{\"column\":\"region\",\"part\":\"{number}\"}}}}");
    assert_eq!(pieces(&mut ann, "named", ["1", "1/4", then], &table), 4, "no split was declared");
    // Deltas, too.
    with_account(&team, "deltas", &Terms { delta: Some(number("1/4")), ..Terms::unlimited() }, now());
    let mut taken = 0;
    for number in 0..6 {
        let mut charge = Written::charge(&mut ann, "1");
        let text = format!("bins {number}");
        charge.set("account", "deltas").set("delta", "1/8").set("binning_hash", &bins(&text)).hashed();
        let sql = "SELECT incrowd.append_release($1, $2, $3)";
        taken += u32::from(ann.execute(sql, &[&charge.seq, &charge.texts, &text]).is_ok());
    }
    assert_eq!(taken, 2);
    let verified = Ledger::connect(&team.owner).expect("a book").verify(&[]).expect("whole");
    assert_eq!(verified.overdrawn, [], "nothing of that is more than the terms allow");
    // What SQL cannot tell, parts that somebody says are apart, readers tell.
    let splits = BTreeSet::from(["region".to_string()]);
    with_account(&team, "parts", &Terms { splits, ..budget("1") }, now());
    assert_eq!(pieces(&mut ann, "parts", ["1", "1/4", then], &table), 40);
    let mut book = Ledger::connect(&team.owner).expect("a book");
    assert_eq!(book.verify(&[]).expect("whole").overdrawn, [name("parts")]);
    assert!(matches!(book.charge(&costing("parts", "1/100"), now()), Err(LedgerError::Refused(_))));
    // Numbers with thousands of digits slow nobody down for long.
    with_account(&team, "digits", &budget("1"), now());
    for number in 0..40 {
        let mut charge = Written::charge(&mut ann, &format!("1/{}{:03}", "7".repeat(4000), 2 * number + 1));
        let text = format!("bins {number}");
        charge.set("account", "digits").set("binning_hash", &bins(&text)).hashed();
        let sql = "SELECT incrowd.append_release($1, $2, $3)";
        ann.execute(sql, &[&charge.seq, &charge.texts, &text]).expect("little");
    }
    let begun = std::time::Instant::now();
    pay(&mut book, &costing("digits", "1/100")).expect("paid");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn no_period_pays_before_it_has_begun() {
    let team = Team::new("periods");
    let mut ann = Client::connect(&team.analyst, NoTls).expect("a server");
    let text = today().to_string();
    let (year, month, day) = (&text[..4], &text[..7], &text[..10]);
    for (period, begun, others) in [
        (Period::Day, day, ["9999-12-31", "2026-13-01", "2026-1-01", "20260101", "today"]),
        (Period::Week, "2026-W01", ["9999-W01", "2026-W54", "2026-W1", "2026-w01", "2026-01"]),
        (Period::Month, month, ["9999-12", "2026-00", "2026-1", "2026-01-01", "12026-01"]),
        (Period::Year, year, ["9999", "26", "02026", "2026 ", "2026-01"]),
    ] {
        let account = format!("each {}", period.as_str());
        with_account(&team, &account, &Terms { people: People::DisjointPerPeriod(period), ..budget("1") }, today());
        for other in others {
            assert_eq!(pieces(&mut ann, &account, [other, "1", &text], &|_| "b145".into()), 0, "{account}: {other}");
        }
        // The server's clock decides, whatever this machine's says.
        let future = Charge { snapshot: others[0].into(), ..costing(&account, "1") };
        match Ledger::connect(&team.analyst)
            .expect("a book")
            .charge(&future, Moment::from_unix_seconds(253_402_300_000))
        {
            Err(LedgerError::Refused(refusal)) => assert!(matches!(*refusal, ChargeRefusal::PeriodNotBegun { .. })),
            other => panic!("{account}: {other:?}"),
        }
        // Each period has its budget once.
        assert_eq!(
            pieces(&mut ann, &account, [begun, "1/2", &text], &|number| format!("bins {number}")),
            2,
            "{account}"
        );
    }
    let verified = Ledger::connect(&team.owner).expect("a book").verify(&[]).expect("whole");
    assert_eq!((verified.early, verified.overdrawn), (vec![], vec![]));
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn rights_that_were_left_over_are_found_before_a_team_has_the_book() {
    // Whoever could once make things in the schema left some behind that would be called in the owner's name.
    let leftovers = [
        (
            "function is_more(integer, text, text)",
            "CREATE FUNCTION incrowd.is_more(times INTEGER, one TEXT, other TEXT) RETURNS BOOLEAN LANGUAGE sql AS 'SELECT FALSE'",
        ),
        ("function noted()", NOTED),
        ("table notes", "CREATE TABLE incrowd.notes (x TEXT)"),
        ("trigger noted", "CREATE TRIGGER noted BEFORE INSERT ON incrowd.entry EXECUTE FUNCTION public.noted()"),
        ("rule noted", "CREATE RULE noted AS ON UPDATE TO incrowd.book DO ALSO SELECT 1"),
        ("policy noted", "CREATE POLICY noted ON incrowd.entry USING (TRUE)"),
    ];
    for (what, sql) in leftovers {
        let owner = fresh("leftovers");
        drop(Ledger::connect(&owner).expect("a book"));
        let mut tool = Client::connect(&owner, NoTls).expect("a server");
        tool.batch_execute(&NOTED.replace("incrowd.", "public.")).expect("made");
        tool.batch_execute(sql).expect("made");
        let roles = Team::roles("leftovers");
        match Ledger::set_up(&owner, &roles, true) {
            Err(error @ LedgerError::ForeignParts { .. }) => assert!(error.to_string().contains(what), "{error}"),
            other => panic!("{what}: {other:?}"),
        }
        let look = Ledger::set_up(&owner, &roles, false).expect("looked");
        assert_eq!(look.foreign, [what]);
    }
    // Tables of somebody else go to the owner of the schema, and what default privileges give away is taken back.
    let owner = fresh("inherited");
    let mut tool = Client::connect(&owner, NoTls).expect("a server");
    for role in ["bob_inherited", "carol_inherited", "analysts_inherited", "officers_inherited"] {
        let _ = tool.batch_execute(&format!("DROP OWNED BY {role} CASCADE"));
        tool.batch_execute(&format!("DROP ROLE IF EXISTS {role}")).expect("gone");
    }
    tool.batch_execute(
        "CREATE ROLE bob_inherited LOGIN; CREATE ROLE carol_inherited LOGIN; ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO carol_inherited;
         ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO carol_inherited; ALTER DEFAULT PRIVILEGES GRANT ALL ON SCHEMAS TO carol_inherited",
    )
    .expect("privileges");
    pay(&mut Ledger::connect(&owner).expect("a book"), &costing("a", "1")).expect("paid");
    let carol_inherited = as_user(&owner, "carol_inherited");
    assert!(
        Client::connect(&carol_inherited, NoTls)
            .expect("a server")
            .batch_execute("SELECT * FROM incrowd.entry")
            .is_err()
    );
    tool.batch_execute(
        "ALTER TABLE incrowd.entry OWNER TO bob_inherited; ALTER TABLE incrowd.account OWNER TO bob_inherited",
    )
    .expect("given");
    let roles = Team::roles("inherited");
    assert_eq!(Ledger::set_up(&owner, &roles, false).expect("looked").foreign, ["owner of account", "owner of entry"]);
    let done = Ledger::set_up(&owner, &roles, true).expect("set up");
    assert_eq!(
        (done.foreign, done.granted.iter().filter(|grant| grant.role == "carol_inherited").count()),
        (vec![], 0)
    );
    for user in ["bob_inherited", "carol_inherited"] {
        let mut other = Client::connect(&as_user(&owner, user), NoTls).expect("a server");
        assert!(other.batch_execute("UPDATE incrowd.account SET epsilon = '50'").is_err(), "{user}");
        assert!(other.batch_execute("SELECT incrowd.begin_writing()").is_err(), "{user}");
    }
    pay(&mut Ledger::connect(&owner).expect("a book"), &costing("a", "1")).expect("paid");
    // The owner's role is neither of the two.
    let both = TeamRoles { analyst: "incrowd".into(), ..roles };
    let refused = Ledger::set_up(&owner, &both, true).expect_err("refused");
    assert!(matches!(refused, LedgerError::Trouble { trouble: Trouble::RoleNames, .. }), "{refused}");
    tool.batch_execute("DROP OWNED BY bob_inherited CASCADE; DROP OWNED BY carol_inherited CASCADE; DROP ROLE bob_inherited; DROP ROLE carol_inherited")
        .expect("gone");
}

const NOTED: &str = "CREATE FUNCTION incrowd.noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'";

#[test]
#[ignore = "needs a PostgreSQL server"]
fn those_who_may_more_than_their_role_says_are_named() {
    let team = Team::new("mighty");
    let mut tool = Client::connect(&team.owner, NoTls).expect("a server");
    let names = ["makes_roles", "writes_all", "is_super", "runs_programs"];
    for role in names {
        tool.batch_execute(&format!("DROP ROLE IF EXISTS {role}")).expect("gone");
    }
    let TeamRoles { analyst, .. } = Team::roles("mighty");
    tool.batch_execute(&format!(
        "CREATE ROLE makes_roles LOGIN CREATEROLE IN ROLE {analyst}; CREATE ROLE is_super LOGIN SUPERUSER IN ROLE {analyst};
         CREATE ROLE writes_all LOGIN IN ROLE pg_write_all_data;
         CREATE ROLE runs_programs LOGIN IN ROLE pg_execute_server_program"
    ))
    .expect("roles");
    let SetUp { mighty, .. } = Ledger::set_up(&team.owner, &Team::roles("mighty"), false).expect("looked");
    assert_eq!(mighty, ["is_super", "makes_roles", "runs_programs", "writes_all"]);
    for role in names {
        tool.batch_execute(&format!("DROP ROLE {role}")).expect("gone");
    }
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
         CREATE FUNCTION mine.never(NUMERIC, NUMERIC) RETURNS BOOLEAN LANGUAGE sql AS 'SELECT FALSE';
         CREATE FUNCTION mine.never(TEXT, TEXT) RETURNS BOOLEAN LANGUAGE sql AS 'SELECT FALSE';
         CREATE OPERATOR mine.> (LEFTARG = NUMERIC, RIGHTARG = NUMERIC, FUNCTION = mine.never);
         CREATE OPERATOR mine.<> (LEFTARG = TEXT, RIGHTARG = TEXT, FUNCTION = mine.never);
         CREATE OPERATOR mine.!~ (LEFTARG = TEXT, RIGHTARG = TEXT, FUNCTION = mine.never);
         ALTER ROLE ann_shadows SET search_path = mine, pg_catalog;
         ALTER ROLE ann_shadows SET synchronous_commit = off;
         ALTER ROLE ann_shadows SET standard_conforming_strings = off;
         ALTER ROLE ann_shadows SET default_transaction_isolation = 'repeatable read';
         ALTER ROLE ann_shadows SET timezone = 'Asia/Kolkata';
         ALTER ROLE ann_shadows SET datestyle = 'German, DMY';
         ALTER ROLE ann_shadows SET transform_null_equals = on;
         ALTER ROLE ann_shadows SET array_nulls = off;
         ALTER ROLE ann_shadows SET bytea_output = 'escape';
         ALTER ROLE ann_shadows SET extra_float_digits = -15;
         ALTER ROLE ann_shadows SET quote_all_identifiers = on",
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
        tool.batch_execute(
            "CREATE TEMP TABLE entry AS SELECT * FROM incrowd.entries LIMIT 0; CREATE TEMP TABLE book (highest BIGINT);
             CREATE TEMP TABLE account AS SELECT * FROM incrowd.accounts LIMIT 0; CREATE TEMP TABLE definition (hash TEXT);
             CREATE TYPE pg_temp.numeric AS (x INTEGER); CREATE TYPE pg_temp.text AS (x INTEGER);
             CREATE FUNCTION pg_temp.sha256(BYTEA) RETURNS BYTEA LANGUAGE sql AS $$ SELECT decode('00', 'hex') $$;
             SET search_path = pg_temp, mine, pg_catalog",
        )
        .expect("her own things for an hour");
        let mut charge = Written::charge(&mut tool, "3/2");
        assert_eq!(charge.hashed().append(&mut tool, "append_release"), Err("IC005".to_string()), "{address}");
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
fn whoever_holds_the_lock_holds_others_up_until_they_give_up_and_no_longer_than_her_connection() {
    let team = Team::new("held");
    let mut ann = Client::connect(&team.analyst, NoTls).expect("a server");
    ann.batch_execute("BEGIN; SELECT incrowd.begin_writing()").expect("she may write");
    let mut book = Ledger::connect(&team.officer).expect("a book");
    book.wait_at_most(Duration::from_millis(300)).expect("set");
    let held = book.charge(&costing("a", "1/2"), now()).expect_err("held");
    assert!(matches!(held, LedgerError::Trouble { trouble: Trouble::Locked, .. }), "{held}");
    assert_eq!(spent(&book, "a"), Epsilon::Finite(number("1")), "looking goes on");
    // Who it is stands in the server's list, and the owner ends it.
    let mut owner = Client::connect(&team.owner, NoTls).expect("a server");
    let ended = owner
        .query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ann_held'", &[])
        .expect("ended");
    assert!(!ended.is_empty());
    book.wait_at_most(Duration::from_secs(10)).expect("set");
    pay(&mut book, &costing("a", "1/2")).expect("paid");
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn killed_clients_and_connections_leave_a_whole_book_within_its_signed_budget() {
    let team = Team::new("killed");
    let mut owner = Client::connect(&team.owner, NoTls).expect("a server");
    let mut book = Ledger::connect(&team.officer).expect("a book");
    let (mut paid, mut killed, mut cut) = (0_u64, 0, 0);
    for round in 0..6_u64 {
        let budget = guarded(budget(&(3 + 3 * round).to_string()));
        let signature = signed(&book, "a", &budget, 1);
        let children: Vec<_> = (0..12).map(|_| start("charges", &team.analyst)).collect();
        book.change_terms(&name("a"), &budget, Authority::Signature(&signature), now()).expect("signed");
        std::thread::sleep(Duration::from_millis(20 + 17 * round));
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ann_killed'
            AND state <> 'idle' ORDER BY random() LIMIT 3";
        cut += owner.query(sql, &[]).expect("cut").len();
        for (number, mut child) in children.into_iter().enumerate() {
            if number % 3 == 0 {
                std::thread::sleep(Duration::from_millis(3 * round));
                child.kill().expect("killed");
                let _ = child.wait();
                killed += 1;
            } else {
                paid += u64::from(answer(child) == "paid");
            }
        }
        let charges = book.account(&name("a")).expect("a book").expect("an account").charges();
        let all = 3 + 3 * round;
        assert!(charges <= all && charges > paid, "{charges} of {all}, {paid} said so");
    }
    assert!(killed == 24 && cut > 0, "{killed} killed, {cut} cut");
    let verified = book.verify(&[]).expect("whole");
    assert_eq!((verified.unsigned.len(), verified.overdrawn.len()), (0, 0));
}
