//! What is said of a Spark server before the charge, when it did not do what it was asked.
//!
//! It must never repeat a word of the server: what it says about tables may quote their rows. It is separate from the
//! kinds of failure because behind the charge all of them have one text. Read `wire/failure.rs` for the kinds.

use crate::address::{Address, Way};
use crate::wire::WireError;
use incrowd_engine::{PrepareError, SourceError};

/// Returns why a query cannot be asked.
pub(crate) fn before_the_charge(error: WireError, address: &Address, table: &str) -> PrepareError {
    let place = address.place();
    let (message, hint) = match error {
        WireError::NoServer | WireError::Lost | WireError::Unanswered => (
            format!("no Spark Connect server answers at {place}"),
            match address.way {
                Way::Clear => "is it running, and is the port that of Spark Connect (15002 unless it was changed)?",
                Way::Encrypted => {
                    "is it running? The way there is encrypted; a server without encryption needs use_ssl=false"
                }
            }
            .to_owned(),
        ),
        WireError::NotEncrypted => (
            format!("the way to {place} cannot be encrypted, or its certificate is not trusted"),
            "SSL_CERT_FILE names certificates that are trusted; in a network of your own the address may say \
             /;use_ssl=false"
                .to_owned(),
        ),
        WireError::NotSpark => (
            format!("what answers at {place} is no Spark Connect server"),
            "the port is that of Spark Connect, 15002 unless it was changed, not that of a master or of Thrift"
                .to_owned(),
        ),
        WireError::NoAccess => (
            format!("the Spark server at {place} does not let you in"),
            "password-env in [data] names the environment variable that holds the token".to_owned(),
        ),
        WireError::NotAllowed => (
            format!("you are not allowed to read {table} at {place}"),
            "ask whoever keeps the data for the right to select from it".to_owned(),
        ),
        WireError::NotThere => (
            format!("there is no table {table} at {place}"),
            "table = \"catalog.schema.table\", or parquet.`/path` with a path that the cluster sees; delta and iceberg \
             only where the cluster has them".to_owned(),
        ),
        WireError::NoFormat => (
            format!("the Spark server at {place} has nothing that reads the format of {table}"),
            "formats such as delta and iceberg are added to a cluster by who keeps it; parquet and orc are always \
             there"
                .to_owned(),
        ),
        WireError::NoTypes => (
            format!("the Spark server at {place} cannot tell the columns of {table}"),
            "are there files, all of that format, with names of columns that differ in more than their case?"
                .to_owned(),
        ),
        WireError::NoSetting(name) => (
            format!("the Spark server at {place} does not let a session have its own {name}"),
            "without it what is counted would depend on the cluster's taste; ask whoever keeps it".to_owned(),
        ),
        WireError::Stopped => (
            format!("the Spark server at {place} stopped what it was asked"),
            "nothing was charged; try again".to_owned(),
        ),
        WireError::TooLarge | WireError::Failed | WireError::Contract => (
            format!("the Spark server at {place} cannot say what columns {table} has"),
            "its own words are not repeated here, because they may quote rows: DESCRIBE TABLE in a session of Spark \
             shows them"
                .to_owned(),
        ),
    };
    PrepareError::Source(SourceError { message, hint })
}
