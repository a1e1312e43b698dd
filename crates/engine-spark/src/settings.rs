//! The settings of every session: what a query says must not depend on what a cluster or a user prefers.
//!
//! It must never leave a setting to others that changes a count, a type or the meaning of a text in a query. It is
//! separate because it is a list to be read by itself (`docs/spark-source.md` says it in words). Read `engine.rs` for
//! who opens sessions.

/// Settings and their values.
pub(crate) const SETTINGS: &[(&str, &str)] = &[
    // Days and moments.
    ("spark.sql.session.timeZone", "UTC"),
    ("spark.sql.timestampType", "TIMESTAMP_LTZ"),
    ("spark.sql.datetime.java8API.enabled", "true"),
    ("spark.sql.legacy.timeParserPolicy", "CORRECTED"),
    // What cannot be computed fails, rather than wraps around.
    ("spark.sql.ansi.enabled", "true"),
    // How a query is read: names as catalogues have them, no text taken for something else.
    ("spark.sql.caseSensitive", "false"),
    ("spark.sql.ansi.doubleQuotedIdentifiers", "false"),
    ("spark.sql.ansi.enforceReservedKeywords", "false"),
    ("spark.sql.parser.quotedRegexColumnNames", "false"),
    ("spark.sql.variable.substitute", "false"),
    ("spark.sql.session.collation.default", "UTF8_BINARY"),
    // A file that is damaged or gone is a failure, not fewer rows.
    ("spark.sql.files.ignoreCorruptFiles", "false"),
    ("spark.sql.files.ignoreMissingFiles", "false"),
    // How columns are stored.
    ("spark.sql.legacy.charVarcharAsString", "false"),
    ("spark.sql.readSideCharPadding", "true"),
    ("spark.sql.parquet.binaryAsString", "false"),
    ("spark.sql.parquet.int96AsTimestamp", "true"),
    ("spark.sql.parquet.inferTimestampNTZ.enabled", "true"),
    ("spark.sql.parquet.mergeSchema", "false"),
    ("spark.sql.orc.mergeSchema", "false"),
    // How answers are sent.
    ("spark.sql.execution.arrow.useLargeVarTypes", "false"),
    ("spark.sql.execution.arrow.compression.codec", "none"),
    ("spark.sql.execution.arrow.maxRecordsPerBatch", "10000"),
];
