//! What a server's catalogue says of a table: its columns, their types, and what this user may read.
//!
//! Catalogues alone, never a row. It must never look into the schemas that a user's own settings name. It is separate
//! because it is asked twice: before the charge, and again after it, so that nothing else is counted than what was
//! planned. Read `stored_types.rs` for what the types mean.

use crate::stored_types::{CatalogueType, StoredType};
use crate::table_name::TableName;
use incrowd_engine_sql::{PostgreSql, ServerColumn, ServerTable, SqlDialect};
use incrowd_postgres::{ANSWER, Wire, WireError};
use std::collections::BTreeSet;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// The first version that counts by itself: before it, parts of moments were computed by floats.
pub(crate) const COUNTS_FROM: i64 = 140_000;

/// The first version that is read at all.
pub(crate) const READ_FROM: i64 = 120_000;

/// What the catalogue says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) name: TableName,
    pub(crate) version: i64,
    pub(crate) encoding: String,
    /// `r` for a table, `p` for a partitioned one, `v` and `m` for views, `f` for one on another server; and others.
    pub(crate) sort: String,
    pub(crate) is_allowed: bool,
    pub(crate) columns: Vec<TableColumn>,
}

/// A column of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableColumn {
    pub(crate) name: String,
    pub(crate) kind: CatalogueType,
    pub(crate) stored: StoredType,
    pub(crate) may_be_read: bool,
}

/// What the catalogue says of a name.
pub(crate) enum Found {
    Table(Table),
    NoSchema(Option<String>),
    NoTable(Option<String>),
}

const SERVER: &str = "SELECT current_setting('server_version_num')::int8, current_setting('server_encoding')::text";

const SCHEMAS: &str = "SELECT nspname::text FROM pg_namespace";

const TABLES: &str = "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
     WHERE n.nspname::text = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')";

const RELATION: &str = "SELECT c.relkind::text, has_schema_privilege(n.oid, 'USAGE') \
     AND has_any_column_privilege(c.oid, 'SELECT') \
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
     WHERE n.nspname::text = $1 AND c.relname::text = $2 AND c.relkind NOT IN ('i', 'I', 't', 'S', 'c')";

/// Domains are followed to the types behind them.
const COLUMNS: &str = "WITH RECURSIVE typed(number, name, type, modifier, readable) AS (\
       SELECT a.attnum, a.attname::text, a.atttypid, a.atttypmod, has_column_privilege(c.oid, a.attnum, 'SELECT') \
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
       WHERE n.nspname::text = $1 AND c.relname::text = $2 AND a.attnum > 0 AND NOT a.attisdropped \
     UNION ALL \
       SELECT typed.number, typed.name, t.typbasetype, \
         CASE WHEN t.typtypmod = -1 THEN typed.modifier ELSE t.typtypmod END, typed.readable \
       FROM typed JOIN pg_type t ON t.oid = typed.type WHERE t.typtype = 'd') \
     SELECT typed.name, t.typname::text, n.nspname::text, t.typtype::text, typed.modifier, typed.readable \
     FROM typed JOIN pg_type t ON t.oid = typed.type JOIN pg_namespace n ON n.oid = t.typnamespace \
     WHERE t.typtype <> 'd' ORDER BY typed.number";

impl Table {
    /// Asks the catalogue about a table.
    pub(crate) fn of(wire: &Wire, name: &TableName) -> Result<Found, WireError> {
        let asked = |text: &'static str, with: &[&str]| -> Result<Vec<Row>, WireError> {
            let with: Vec<&(dyn ToSql + Sync)> = with.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
            wire.wait(ANSWER, wire.client.query(text, &with))
        };
        let named = [name.schema.as_str(), name.table.as_str()];
        let relation = asked(RELATION, &named)?;
        let Some(relation) = relation.first() else {
            let schemas = texts(&asked(SCHEMAS, &[])?);
            if !schemas.contains(&name.schema) {
                return Ok(Found::NoSchema(nearest(&name.schema, &schemas)));
            }
            return Ok(Found::NoTable(nearest(&name.table, &texts(&asked(TABLES, &named[..1])?))));
        };
        let server = asked(SERVER, &[])?;
        let server = server.first().ok_or(WireError::Lost)?;
        let columns = asked(COLUMNS, &named)?.into_iter().map(|row| {
            let kind = CatalogueType {
                name: row.get::<_, String>(1),
                schema: row.get::<_, String>(2),
                sort: row.get::<_, String>(3),
                modifier: row.get::<_, i32>(4),
            };
            TableColumn { name: row.get(0), stored: StoredType::of(&kind), kind, may_be_read: row.get(5) }
        });
        Ok(Found::Table(Table {
            name: name.clone(),
            version: server.get(0),
            encoding: server.get(1),
            sort: relation.get(0),
            is_allowed: relation.get(1),
            columns: columns.collect(),
        }))
    }

    /// Returns the table with these columns alone.
    pub(crate) fn with(&self, used: &BTreeSet<String>) -> Table {
        let columns = self.columns.iter().filter(|column| used.contains(&column.name)).cloned().collect();
        Table { columns, ..self.clone() }
    }

    /// Whether it is of a sort that has rows.
    pub(crate) fn has_rows(&self) -> bool {
        ["r", "p", "v", "m", "f"].contains(&self.sort.as_str())
    }

    /// Returns why the server cannot count as this machine does, whatever is asked.
    pub(crate) fn counts_otherwise(&self) -> Option<String> {
        if self.version < COUNTS_FROM {
            Some("the server is older than PostgreSQL 14".into())
        } else if self.encoding != "UTF8" {
            Some(format!("the database keeps its texts as {}, whose bytes are in another order", self.encoding))
        } else if self.sort == "f" {
            Some("the table is on yet another server".into())
        } else {
            None
        }
    }

    /// Returns the table as statements have it; nothing if it has a name that no statement can write.
    pub(crate) fn for_statements(&self) -> Option<ServerTable> {
        let column = |column: &TableColumn| {
            let quoted = PostgreSql.name(&column.name)?;
            let value = match column.stored.pushed {
                Ok(form) => Ok(form.replace('$', &quoted)),
                Err(why) => Err(why.to_owned()),
            };
            let kind = incrowd_engine::row_type(&column.stored.arrow);
            Some(ServerColumn { name: column.name.clone(), kind, value })
        };
        let columns = self.columns.iter().map(column).collect::<Option<Vec<_>>>()?;
        Some(ServerTable { from: self.name.quoted()?, columns })
    }
}

fn texts(rows: &[Row]) -> Vec<String> {
    rows.iter().map(|row| row.get(0)).collect()
}

fn nearest(name: &str, names: &[String]) -> Option<String> {
    incrowd_engine::nearest(name, names.iter().map(String::as_str))
}
