//! What belongs in the schema of a book, and to whom.
//!
//! Functions of the book run with the rights of its owner, and so does every trigger on its tables: it must never let
//! one stay that somebody else left there, nor a table with an owner of its own. It is separate from `setup.rs`, which
//! makes the parts, because a part that is not known here is foreign. Read `functions.sql` for what they do.

use super::super::wire::{ANSWER, Wire};
use super::setup::{not_the_owner, run};
use crate::error::LedgerError;

/// The tables and views.
const RELATIONS: [&str; 9] =
    ["account", "accounts", "aside", "book", "definition", "definitions", "entries", "entry", "state"];

/// The functions, with what they take: another one of the same name would be called in place of one of these.
const FUNCTIONS: [&str; 21] = [
    "append_release(bigint, text[], text)",
    "append_terms(bigint, text[])",
    "apart_by(text)",
    "are_details(text)",
    "are_looser(text, text, text, text, text, text)",
    "are_terms(text, text, text)",
    "begin_writing()",
    "begins(text, text)",
    "columns_of(text)",
    "exceeds(numeric, text)",
    "field(text)",
    "hash_of(bigint, text[])",
    "is_line(text, integer)",
    "is_more(bigint, text, text)",
    "is_never_changed()",
    "is_number(text)",
    "is_weak(text)",
    "must_pay(incrowd.account, text, text, text, text, text)",
    "part_of(text, text)",
    "put(bigint, text[])",
    "steps(text)",
];

const TRIGGERS: [&str; 2] = ["incrowd_definition_is_never_changed", "incrowd_entry_is_never_changed"];

/// Returns what is in the schema, or hangs on its tables, and is not the book's or not its owner's.
pub(super) fn foreign(wire: &Wire) -> Result<Vec<String>, LedgerError> {
    // Types of arguments are named with their schemas, whatever the search path is.
    let sql = "
        WITH book AS (SELECT oid, nspowner FROM pg_namespace WHERE nspname = 'incrowd'),
          relation AS (SELECT pg_class.* FROM pg_class JOIN book ON relnamespace = book.oid),
          procedure AS (
            SELECT proowner, proname || '(' || array_to_string(ARRAY(
                SELECT format_type(argument, NULL) FROM unnest(proargtypes) WITH ORDINALITY AS all_of(argument, place)
                ORDER BY place), ', ') || ')' AS name
            FROM pg_proc JOIN book ON pronamespace = book.oid)
        SELECT 'table ' || relname FROM relation WHERE relkind IN ('r', 'v', 'm', 'f', 'p') AND relname <> ALL ($1::TEXT[])
        UNION ALL SELECT 'function ' || name FROM procedure WHERE name <> ALL ($2::TEXT[])
        UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger JOIN relation ON tgrelid = relation.oid
          WHERE NOT tgisinternal AND tgname <> ALL ($3::TEXT[])
        UNION ALL SELECT 'rule ' || rulename FROM pg_rewrite JOIN relation ON ev_class = relation.oid
          WHERE rulename <> '_RETURN'
        UNION ALL SELECT 'policy ' || polname FROM pg_policy JOIN relation ON polrelid = relation.oid
        UNION ALL SELECT 'owner of ' || relname FROM relation, book
          WHERE relowner <> nspowner AND relkind IN ('r', 'v', 'm', 'f', 'p')
        UNION ALL SELECT 'owner of ' || name FROM procedure, book WHERE proowner <> nspowner
        ORDER BY 1";
    let owned = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let (relations, functions, triggers) = (owned(&RELATIONS), owned(&FUNCTIONS), owned(&TRIGGERS));
    let rows = wire.wait(ANSWER, wire.client.query(sql, &[&relations, &functions, &triggers]))?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Gives the tables, views and functions of the book to the owner of its schema, whoever had them.
pub(super) fn given_to_the_owner(wire: &Wire) -> Result<(), LedgerError> {
    let sql = "
        WITH book AS (SELECT oid, nspowner, quote_ident(pg_get_userbyid(nspowner)) AS owner
          FROM pg_namespace WHERE nspname = 'incrowd')
        SELECT format('ALTER TABLE incrowd.%I OWNER TO %s', relname, owner) FROM pg_class JOIN book ON relnamespace = book.oid
          WHERE relowner <> nspowner AND relkind IN ('r', 'v') AND relname = ANY ($1::TEXT[])
        UNION ALL SELECT format('ALTER FUNCTION %s OWNER TO %s', pg_proc.oid::REGPROCEDURE, owner)
          FROM pg_proc JOIN book ON pronamespace = book.oid WHERE proowner <> nspowner";
    let relations: Vec<String> = RELATIONS.iter().map(|name| name.to_string()).collect();
    for row in wire.wait(ANSWER, wire.client.query(sql, &[&relations]))? {
        run(wire, row.get(0)).map_err(not_the_owner)?;
    }
    Ok(())
}
