//! One transaction of a server, read-only, which sees one state of the data and none of a user's own settings.
//!
//! Names are looked for in the system's catalogue alone, days are written one way, nothing is cut off while the server
//! works. It must never write. It is separate because both steps of a count begin with it. Read `receiving.rs` for the
//! second.

use crate::catalogue::{Found, Table};
use incrowd_postgres::{ANSWER, Address, Attendant, Wire, WireError};
use std::sync::Arc;

/// What a user or a database may have set otherwise. A setting that only newer servers know is set where it is.
const SETTINGS: &str = "SET search_path = pg_catalog, pg_temp; SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; \
     SET IntervalStyle = 'postgres'; SET extra_float_digits = 1; SET client_encoding = 'UTF8'; \
     SET standard_conforming_strings = on; SET transform_null_equals = off; SET row_security = on; \
     SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s'; \
     SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'";

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Returns a connection within its transaction.
pub(crate) fn begun(address: &Address, attendant: &Arc<dyn Attendant>) -> Result<Wire, WireError> {
    let wire = Wire::connect(address, attendant)?;
    // A user who may not read the catalogue of settings fails here, before anything is charged.
    wire.wait(ANSWER, wire.client.batch_execute(SETTINGS))?;
    wire.wait(ANSWER, wire.client.batch_execute(BEGIN))?;
    Ok(wire)
}

/// Holds a table as it is, so that no column can change before the transaction ends, and says whether it still is what
/// was planned: the same columns of the same types, which this user may read.
pub(crate) fn is_unchanged(wire: &Wire, planned: &Table, held: &str) -> Result<bool, WireError> {
    wire.wait(2 * ANSWER, wire.client.batch_execute(held))?;
    let Found::Table(now) = Table::of(wire, &planned.name)? else { return Ok(false) };
    let used = planned.columns.iter().map(|column| column.name.clone()).collect();
    Ok(now.with(&used) == *planned)
}
