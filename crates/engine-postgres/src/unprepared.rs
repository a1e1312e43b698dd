//! Why a table on a server cannot be counted, found out before the charge: what is wrong, and what to do about it.
//!
//! In our words alone, with names that the request or the catalogue has; it must never hold a sentence of the server, a
//! password or the name of a user. It is separate because it is a list to be read by itself. Read `catalogue.rs` for
//! who finds these.

use crate::table_name::TableName;
use incrowd_engine::{PrepareError, SourceError};
use incrowd_postgres::{Address, WireError};

/// What is wrong.
pub(crate) enum Unprepared<'a> {
    NoAddress,
    NoTable,
    NotATableName(&'a str),
    NoVariable(&'a str),
    Way(&'a Address, WireError),
    OldServer(&'a Address),
    NoSchema(&'a TableName, Option<&'a str>),
    NotThere(&'a TableName, Option<&'a str>),
    NotReadable(&'a TableName),
    OddLetters(&'a str),
    ForbiddenTable(&'a TableName),
    ForbiddenColumn(&'a str),
    ForeignColumn(&'a str, &'a str),
    LoosePerson(&'a str, &'a str),
}

impl From<Unprepared<'_>> for PrepareError {
    fn from(unprepared: Unprepared<'_>) -> PrepareError {
        let (message, hint) = unprepared.words();
        PrepareError::Source(SourceError { message, hint })
    }
}

impl Unprepared<'_> {
    fn words(&self) -> (String, String) {
        match self {
            Unprepared::NoAddress => (
                "`source` is no address of a PostgreSQL database".into(),
                "source = \"postgres://user@host:5432/database\"".into(),
            ),
            Unprepared::NoTable => {
                ("no table of the database is named".into(), "say which: [data] table = \"...\"".into())
            }
            Unprepared::NotATableName(text) => (
                format!("`table` is no name of a table: {text:?}"),
                "table = \"schema.visits\"; a name with a dot in double quotes: table = '\"a.b\".visits'".into(),
            ),
            Unprepared::NoVariable(name) => (
                format!("the environment variable {name} that `password-env` names is not set"),
                format!("set {name} where incrowd runs, or leave password-env out for PGPASSWORD and .pgpass"),
            ),
            Unprepared::Way(address, error) => way(address, *error),
            Unprepared::OldServer(address) => (
                format!("the server at {} is older than PostgreSQL 12", address.place()),
                "export the table to Parquet or CSV, or use a newer server".into(),
            ),
            Unprepared::NoSchema(name, nearest) => (
                format!("the database has no schema {:?}", name.schema),
                did_you_mean(*nearest, "names are taken letter for letter: table = \"schema.visits\""),
            ),
            Unprepared::NotThere(name, nearest) => {
                let hint = if name.has_schema {
                    "names are taken letter for letter; a view is found like a table"
                } else {
                    "without a schema the table is looked for in \"public\": table = \"schema.visits\""
                };
                (format!("there is no table {name}"), did_you_mean(*nearest, hint))
            }
            Unprepared::NotReadable(name) => (
                format!("{name} is no table with rows"),
                "name a table, a partitioned table, a view or a materialized view".into(),
            ),
            Unprepared::OddLetters(encoding) => (
                format!("the database keeps its texts as {encoding}, which says nothing of their letters"),
                "export the table, or use a database in UTF8".into(),
            ),
            Unprepared::ForbiddenTable(name) => (
                format!("the user of the address may not read table {name}"),
                format!("as its owner: GRANT USAGE ON SCHEMA ..., and GRANT SELECT ON {:?} TO ...", name.table),
            ),
            Unprepared::ForbiddenColumn(column) => (
                format!("the user of the address may not read column {column:?}"),
                "as the table's owner: GRANT SELECT (column) ON table TO ...".into(),
            ),
            Unprepared::LoosePerson(column, kind) => (
                format!(
                    "column {column:?} cannot say who one person is: texts of its type {kind} that differ may be equal"
                ),
                "make a view in which it is numeric(38, 0), bigint or lower(...)::text, and name the view in `table`"
                    .into(),
            ),
            Unprepared::ForeignColumn(column, kind) => (
                format!("column {column:?} is of the PostgreSQL type {kind}, which is not read"),
                "make a view in which it is text, a number or a date, and name the view in `table`".into(),
            ),
        }
    }
}

fn did_you_mean(nearest: Option<&str>, otherwise: &str) -> String {
    match nearest {
        Some(nearest) => format!("did you mean {nearest:?}? {otherwise}"),
        None => otherwise.to_owned(),
    }
}

fn way(address: &Address, error: WireError) -> (String, String) {
    let place = address.place();
    match error {
        WireError::NoServer => {
            (format!("no PostgreSQL server answers at {place}"), "is it running, and reachable from here?".into())
        }
        WireError::NotEncrypted => (
            format!("the way to {place} cannot be encrypted, or its certificate is not trusted"),
            "ask who runs the server for its certificate; sslmode=disable in the address goes without".into(),
        ),
        WireError::NoAccess => (
            format!("the server at {place} does not let this user in, or has no such database"),
            "check the user and the database of the address; the password comes from the variable that `password-env` \
             names, from PGPASSWORD or .pgpass"
                .into(),
        ),
        WireError::NotAllowed | WireError::NotThere => (
            format!("the server at {place} does not show its catalogue to this user"),
            "ask who runs the server for the right to connect and to read the table".into(),
        ),
        WireError::Lost | WireError::Unanswered => {
            (format!("the server at {place} stopped answering"), "try again".into())
        }
        WireError::Locked | WireError::Full | WireError::Stopped | WireError::Server(_) => {
            (format!("the server at {place} could not answer"), "try again, or ask who runs the server".into())
        }
    }
}
