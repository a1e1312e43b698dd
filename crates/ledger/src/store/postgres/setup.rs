//! A book is made for a team: tables that nobody but their owner touches, functions that write them, and two roles.
//!
//! It must never take away a row, leave a right with anybody who should not have it, or take a schema or a role of
//! somebody else for the book's. It is separate from `postgres.rs`, which keeps the book, because it is done once, by
//! the owner. Read `functions.sql` for what the functions refuse.

use super::super::wire::{ANSWER, Wire, trouble};
use super::layout::{APPLICATION, Layout, VERSION};
use super::parts;
use super::{LONG, PostgresStore, Purpose};
use crate::error::{LedgerError, Trouble};
use crate::line::COLUMNS;
use std::fmt::Write;
use std::time::Duration;

const TABLES: &str = include_str!("tables.sql");
const FINISH: &str = include_str!("finish.sql");
const FORMS: &str = include_str!("forms.sql");
const FUNCTIONS: &str = include_str!("functions.sql");
const SEAL: &str = include_str!("seal.sql");

/// Keeps two processes from making the tables at once: "incr" in ASCII.
const MAKING: i64 = 0x696e_6372;
/// Longest name of a role, in bytes.
const MOST_IN_A_ROLE: usize = 63;

/// The roles of a team, by name. People get them by `GRANT ... TO`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamRoles {
    /// Whoever opens accounts and changes their terms.
    pub officer: String,
    /// Whoever releases.
    pub analyst: String,
}

impl Default for TeamRoles {
    fn default() -> TeamRoles {
        TeamRoles { officer: "incrowd_officer".into(), analyst: "incrowd_analyst".into() }
    }
}

/// A right that somebody has, as the server tells it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grant {
    /// Who: a role, or PUBLIC.
    pub role: String,
    /// To do what: SELECT, EXECUTE and so on.
    pub right: String,
    /// On what, in the schema of the book.
    pub object: String,
}

/// What a set-up did, and what it found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SetUp {
    /// Who owns the book.
    pub owner: String,
    /// Whether there was no book before.
    pub made: bool,
    /// The schema in which tables of an earlier version were, with their version.
    pub moved: Option<(String, i32)>,
    /// The roles that there were not before.
    pub new_roles: Vec<String>,
    /// What somebody might do before, and may not do any more.
    pub revoked: Vec<Grant>,
    /// Everything that somebody who does not own the book may do now.
    pub granted: Vec<Grant>,
    /// Who has the officer's role, and who has the analyst's.
    pub officers: Vec<String>,
    /// Who has the analyst's role.
    pub analysts: Vec<String>,
    /// Roles that may do more than their names say: those that have the rights of the owner, or of the server, and
    /// those of officers and analysts that make roles or are the server's superusers.
    pub mighty: Vec<String>,
    /// What is in the schema of the book that is not the book's, or not its owner's.
    pub foreign: Vec<String>,
}

/// Sets a book up for a team, or looks how it is set up where nothing shall be changed.
pub(crate) fn set_up(address: &str, roles: &TeamRoles, change: bool) -> Result<SetUp, LedgerError> {
    roles.check()?;
    let store = PostgresStore::reach(address)?;
    let patience = store.patience;
    let done = if change {
        store.alone(Purpose::Change, &mut |wire| {
            alone(wire, patience)?;
            changed(wire, patience, roles)
        })
    } else {
        store.alone(Purpose::Look, &mut |wire| match Layout::of(wire)? {
            None => Err(LedgerError::NoLedger { path: store.place.clone() }),
            Some(layout) => layout.must_be_current().and_then(|()| described(wire, roles)),
        })
    };
    done.map_err(|error| error.at(Some(&store.place)))
}

/// Returns what a database's administrator would run instead, for a database without a book.
pub(crate) fn script(roles: &TeamRoles) -> Result<String, LedgerError> {
    roles.check()?;
    let mut script = String::from("BEGIN;\nCREATE SCHEMA incrowd;\n\n");
    let book = format!("INSERT INTO incrowd.book VALUES ('{APPLICATION}', {VERSION}, 0);\n");
    for part in [TABLES, &book, FINISH, FORMS, FUNCTIONS, SEAL] {
        script += part;
        script.push('\n');
    }
    for role in [&roles.officer, &roles.analyst] {
        let (literal, name) = (literal(role), identifier(role));
        let _ = writeln!(
            script,
            "DO $$ BEGIN\n  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {literal}) THEN\n    CREATE ROLE {name} NOLOGIN;\n  \
             END IF;\nEND $$;"
        );
    }
    script += &grants(roles);
    script += "COMMIT;\n";
    Ok(script)
}

impl TeamRoles {
    fn check(&self) -> Result<(), LedgerError> {
        let is_name = |role: &String| {
            let reserved = ["public", "none", "current_user", "session_user", "current_role"];
            (1..=MOST_IN_A_ROLE).contains(&role.len())
                && !role.chars().any(|sign| sign.is_control() || sign == '$')
                && !role.starts_with("pg_")
                && !reserved.contains(&role.to_lowercase().as_str())
        };
        if [&self.officer, &self.analyst].into_iter().all(is_name) && self.officer != self.analyst {
            Ok(())
        } else {
            Err(trouble(Trouble::RoleNames))
        }
    }
}

/// Waits until nobody else is making or setting up a book in this database.
pub(super) fn alone(wire: &Wire, patience: Duration) -> Result<(), LedgerError> {
    let settings = format!("SET LOCAL lock_timeout = {}", patience.as_millis().max(1));
    wire.wait(ANSWER, wire.client.batch_execute(&settings))?;
    wire.wait(patience + ANSWER, wire.client.execute("SELECT pg_advisory_xact_lock($1)", &[&MAKING])).map(drop)
}

/// Makes a book in a database that has none; nobody but its owner has any right to it.
pub(super) fn make(wire: &Wire) -> Result<(), LedgerError> {
    let encoding = wire.wait(ANSWER, wire.client.query_one("SHOW server_encoding", &[]))?;
    if encoding.try_get::<_, &str>(0).ok() != Some("UTF8") {
        return Err(trouble(Trouble::NotUnicode));
    }
    let schema = "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'incrowd')";
    if wire.wait(ANSWER, wire.client.query_one(schema, &[]))?.get(0) {
        return Err(trouble(Trouble::SchemaTaken));
    }
    run(wire, "CREATE SCHEMA incrowd")?;
    run(wire, TABLES)?;
    let sql = "INSERT INTO incrowd.book (application, version, highest) VALUES ($1, $2, 0)";
    wire.wait(ANSWER, wire.client.execute(sql, &[&APPLICATION, &VERSION]))?;
    finish(wire)
}

/// Makes what is beside the tables, and takes every right from everybody but the owner.
fn finish(wire: &Wire) -> Result<(), LedgerError> {
    run(wire, "SET LOCAL client_min_messages = warning")?;
    wire.wait(LONG, wire.client.batch_execute(FINISH))?;
    run(wire, FORMS)?;
    run(wire, FUNCTIONS)?;
    wire.wait(LONG, wire.client.batch_execute(SEAL))?;
    parts::given_to_the_owner(wire)?;
    match parts::foreign(wire)? {
        parts if parts.is_empty() => {}
        parts => return Err(LedgerError::ForeignParts { path: None, parts }),
    }
    run(wire, &format!("REVOKE ALL ON ALL FUNCTIONS IN SCHEMA incrowd FROM PUBLIC; {NOBODY_ELSE}"))?;
    // What the owner's default privileges gave away, too.
    let mut others: Vec<String> = granted(wire)?.into_iter().map(|grant| grant.role).collect();
    others.dedup();
    for role in others.iter().filter(|role| *role != "PUBLIC") {
        let role = identifier(role);
        run(
            wire,
            &format!(
                "REVOKE ALL ON ALL TABLES IN SCHEMA incrowd FROM {role} CASCADE;
                 REVOKE ALL ON ALL FUNCTIONS IN SCHEMA incrowd FROM {role} CASCADE;
                 REVOKE ALL ON SCHEMA incrowd FROM {role} CASCADE"
            ),
        )?;
    }
    Ok(())
}

/// What everybody might do by the server's defaults.
const NOBODY_ELSE: &str =
    "REVOKE ALL ON SCHEMA incrowd FROM PUBLIC; REVOKE ALL ON ALL TABLES IN SCHEMA incrowd FROM PUBLIC;\n";

fn changed(wire: &Wire, patience: Duration, roles: &TeamRoles) -> Result<SetUp, LedgerError> {
    let mut done = SetUp::default();
    let mut before = Vec::new();
    match Layout::of(wire)? {
        None => {
            make(wire)?;
            done.made = true;
        }
        Some(Layout::Own) => {
            must_own(wire, "incrowd")?;
            before = granted(wire)?;
            wire.wait(patience + ANSWER, wire.client.batch_execute("SELECT highest FROM incrowd.book FOR UPDATE"))?;
            finish(wire)?;
        }
        Some(Layout::Older { schema, version }) => {
            // Behind whoever is writing, and all or nothing.
            let lock = format!("LOCK TABLE {schema}.incrowd_ledger, {schema}.incrowd_entry IN ACCESS EXCLUSIVE MODE");
            wire.wait(patience + ANSWER, wire.client.batch_execute(&lock)).map_err(not_the_owner)?;
            let taken = "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'incrowd')";
            if schema != "incrowd" && wire.wait(ANSWER, wire.client.query_one(taken, &[]))?.get(0) {
                return Err(trouble(Trouble::SchemaTaken));
            }
            run(wire, &moving(&schema)).map_err(not_the_owner)?;
            before = granted(wire)?;
            finish(wire).map_err(not_the_owner)?;
            run(wire, &format!("DROP FUNCTION IF EXISTS {schema}.incrowd_is_never_changed()"))?;
            done.moved = Some((schema, version));
        }
    }
    for role in [&roles.officer, &roles.analyst] {
        let known = "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)";
        if !wire.wait(ANSWER, wire.client.query_one(known, &[role]))?.get::<_, bool>(0) {
            run(wire, &format!("CREATE ROLE {} NOLOGIN", identifier(role))).map_err(|error| match error {
                LedgerError::Trouble { trouble: Trouble::NotAllowed, .. } => trouble(Trouble::NoRoles),
                other => other,
            })?;
            done.new_roles.push(role.clone());
        }
    }
    let owner =
        "SELECT rolname::TEXT FROM pg_roles JOIN pg_namespace ON pg_roles.oid = nspowner WHERE nspname = 'incrowd'";
    let owner: String = wire.wait(ANSWER, wire.client.query_one(owner, &[]))?.get(0);
    if [&roles.officer, &roles.analyst].contains(&&owner) {
        return Err(trouble(Trouble::RoleNames));
    }
    run(wire, &grants(roles))?;
    let after = described(wire, roles)?;
    done.revoked = before.into_iter().filter(|grant| !after.granted.contains(grant)).collect();
    let SetUp { owner, granted, officers, analysts, mighty, foreign, .. } = after;
    Ok(SetUp { owner, granted, officers, analysts, mighty, foreign, ..done })
}

/// Moves the tables of an earlier version to the book's own schema, under their new names. No row changes.
fn moving(schema: &str) -> String {
    let mut sql = String::new();
    if schema != "incrowd" {
        sql += "CREATE SCHEMA incrowd;\n";
    }
    for (old, new) in [
        ("incrowd_ledger", "book"),
        ("incrowd_account", "account"),
        ("incrowd_definition", "definition"),
        ("incrowd_entry", "entry"),
    ] {
        if schema != "incrowd" {
            let _ = writeln!(sql, "ALTER TABLE {schema}.{old} SET SCHEMA incrowd;");
        }
        let _ = writeln!(sql, "ALTER TABLE incrowd.{old} RENAME TO {new};");
    }
    sql
}

/// Moves entries to where no reader looks: see `Pages::move_aside`.
pub(super) fn move_aside(wire: &Wire, from: u64) -> Result<(), LedgerError> {
    must_own(wire, "incrowd")?;
    let columns = format!("seq, {}, written_by", COLUMNS.join(", "));
    let sql = format!(
        "ALTER TABLE incrowd.entry DISABLE TRIGGER incrowd_entry_is_never_changed;
         ALTER TABLE incrowd.definition DISABLE TRIGGER incrowd_definition_is_never_changed;
         INSERT INTO incrowd.aside ({columns}, aside_in) SELECT {columns}, {from} FROM incrowd.entry WHERE seq >= {from};
         DELETE FROM incrowd.entry WHERE seq >= {from};
         DELETE FROM incrowd.definition WHERE hash <> encode(sha256(convert_to(text, 'UTF8')), 'hex');
         DELETE FROM incrowd.account;
         UPDATE incrowd.book SET highest = {from} - 1;
         ALTER TABLE incrowd.definition ENABLE TRIGGER incrowd_definition_is_never_changed;
         ALTER TABLE incrowd.entry ENABLE TRIGGER incrowd_entry_is_never_changed"
    );
    wire.wait(LONG, wire.client.batch_execute(&sql)).map_err(not_the_owner)
}

/// Who does not own the tables may not do that.
pub(super) fn not_the_owner(error: LedgerError) -> LedgerError {
    match error {
        LedgerError::Trouble { trouble: Trouble::NotAllowed, .. } => trouble(Trouble::NotTheOwner),
        other => other,
    }
}

fn must_own(wire: &Wire, schema: &str) -> Result<(), LedgerError> {
    let sql = "SELECT pg_has_role(current_user, nspowner, 'USAGE') FROM pg_namespace WHERE nspname = $1";
    let row = wire.wait(ANSWER, wire.client.query_opt(sql, &[&schema]))?;
    if row.is_some_and(|row| row.get(0)) { Ok(()) } else { Err(trouble(Trouble::NotTheOwner)) }
}

/// The rights of a team.
fn grants(roles: &TeamRoles) -> String {
    let (officer, analyst) = (identifier(&roles.officer), identifier(&roles.analyst));
    format!(
        "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA incrowd FROM PUBLIC;
{NOBODY_ELSE}GRANT USAGE ON SCHEMA incrowd TO {officer}, {analyst};
GRANT SELECT ON incrowd.state, incrowd.accounts, incrowd.definitions, incrowd.entries TO {officer}, {analyst};
GRANT EXECUTE ON FUNCTION incrowd.begin_writing(), incrowd.append_release(BIGINT, TEXT[], TEXT)
  TO {officer}, {analyst};
GRANT EXECUTE ON FUNCTION incrowd.append_terms(BIGINT, TEXT[]) TO {officer};
"
    )
}

/// Returns who owns the book, who may do what with it, and who has the roles.
fn described(wire: &Wire, roles: &TeamRoles) -> Result<SetUp, LedgerError> {
    let sql = "SELECT pg_get_userbyid(nspowner)::TEXT FROM pg_namespace WHERE nspname = 'incrowd'";
    let owner: String = wire.wait(ANSWER, wire.client.query_one(sql, &[]))?.get(0);
    let members = |role: &String| -> Result<Vec<String>, LedgerError> {
        let sql = "SELECT rolname::TEXT FROM pg_roles WHERE rolcanlogin AND NOT rolsuper
            AND pg_has_role(rolname, (SELECT oid FROM pg_roles WHERE rolname = $1), 'MEMBER') ORDER BY 1";
        let rows = wire.wait(ANSWER, wire.client.query(sql, &[role]))?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    };
    let mighty = "WITH RECURSIVE team(member) AS (
          SELECT oid FROM pg_roles WHERE rolname IN ($2, $3)
          UNION SELECT pg_auth_members.member FROM pg_auth_members JOIN team ON roleid = team.member)
        SELECT rolname::TEXT FROM pg_roles one
        WHERE (oid IN (SELECT member FROM team) AND (rolsuper OR rolcreaterole OR rolbypassrls))
          OR (NOT rolsuper AND rolname <> $1 AND rolname NOT LIKE 'pg\\_%' AND EXISTS (
            SELECT FROM pg_roles great
            WHERE great.rolname IN ($1, 'pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program')
              AND pg_has_role(one.oid, great.oid, 'MEMBER')))
        ORDER BY 1";
    let rows = wire.wait(ANSWER, wire.client.query(mighty, &[&owner, &roles.officer, &roles.analyst]))?;
    Ok(SetUp {
        granted: granted(wire)?,
        officers: members(&roles.officer)?,
        analysts: members(&roles.analyst)?,
        mighty: rows.iter().map(|row| row.get(0)).collect(),
        foreign: parts::foreign(wire)?,
        owner,
        ..SetUp::default()
    })
}

/// Returns everything that anybody but the owner may do with the book.
fn granted(wire: &Wire) -> Result<Vec<Grant>, LedgerError> {
    let sql = "
        SELECT DISTINCT coalesce(pg_get_userbyid(nullif(grantee, 0))::TEXT, 'PUBLIC'), privilege_type::TEXT, object
        FROM (
          SELECT nspowner AS owner, 'the schema' AS object, (aclexplode(coalesce(nspacl, acldefault('n', nspowner)))).*
            FROM pg_namespace WHERE nspname = 'incrowd'
          UNION ALL
          SELECT relowner, relname::TEXT, (aclexplode(relacl)).* FROM pg_class WHERE relnamespace = 'incrowd'::REGNAMESPACE
          UNION ALL
          SELECT relowner, relname || '.' || attname, (aclexplode(attacl)).*
            FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid WHERE relnamespace = 'incrowd'::REGNAMESPACE
          UNION ALL
          SELECT proowner, proname || '()', (aclexplode(coalesce(proacl, acldefault('f', proowner)))).*
            FROM pg_proc WHERE pronamespace = 'incrowd'::REGNAMESPACE
        ) AS acl
        WHERE grantee <> owner ORDER BY 1, 3, 2";
    let rows = wire.wait(ANSWER, wire.client.query(sql, &[]))?;
    Ok(rows.iter().map(|row| Grant { role: row.get(0), right: row.get(1), object: row.get(2) }).collect())
}

pub(super) fn run(wire: &Wire, sql: &str) -> Result<(), LedgerError> {
    wire.wait(ANSWER, wire.client.batch_execute(sql))
}

/// A name in quotes that nothing in it can leave.
fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text in quotes that nothing in it can leave, whatever the server's settings.
fn literal(text: &str) -> String {
    format!("E'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_of_roles_stay_in_their_quotes_or_are_refused() {
        let named = |officer: &str| TeamRoles { officer: officer.into(), ..TeamRoles::default() };
        let script_of = |officer: &str| script(&named(officer));
        let quoted = script_of("x\"; DROP TABLE y; --").expect("a name, if an odd one");
        assert!(quoted.contains("CREATE ROLE \"x\"\"; DROP TABLE y; --\" NOLOGIN"));
        let slashed = script_of("it's \\").expect("a name, if an odd one");
        assert!(slashed.contains("rolname = E'it\\'s \\\\'"));
        for wrong in ["", "a\nb", "pg_read_all_data", "PUBLIC", "none", "a$$b", "incrowd_analyst", &"x".repeat(64)] {
            assert!(script_of(wrong).is_err(), "{wrong}");
        }
    }
}
