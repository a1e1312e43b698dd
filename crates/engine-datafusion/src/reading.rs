//! How the columns that a query uses are stored, in the words of the contract.
//!
//! From formats and schemas alone; it must never look at a row, nor at how rows happen to be packed. It is separate
//! because it is told before the charge. Read `engine.rs` for which columns are used.

use crate::source::Format;
use arrow_schema::Schema;
use incrowd_engine::{Dialect, Reading, RowType, Stored, stored};
use std::collections::BTreeMap;

/// In place of a column, where none is used.
const ROWS: &str = "";

/// Returns the reading of the columns that are used, and of the values that name persons.
pub(crate) fn reading(format: Format, dialect: &Dialect, used: &Schema, person: Option<&RowType>) -> Reading {
    // What files say by their names anyway is the same reading, said aloud or not.
    let dialect = &dialect.without_defaults_of(Some(format.name()));
    let mut columns: BTreeMap<String, Stored> = BTreeMap::new();
    columns.extend(used.fields().iter().map(|field| {
        let stored = match format {
            Format::Json => Stored::Json,
            Format::Csv | Format::Tsv | Format::Parquet | Format::Arrow => stored(field.data_type()),
            // Their numbers, days and truth values are spelled by us: the same texts in a CSV file may be others.
            Format::Xlsx | Format::Ods | Format::Sqlite => {
                Stored::Written(Dialect { format: Some(format.name()), ..dialect.clone() }.text())
            }
        };
        (field.name().clone(), written(stored, dialect))
    }));
    // Which records are rows is the dialect's, too, where rows are counted and no column is asked for.
    let is_text = matches!(format, Format::Csv | Format::Tsv | Format::Json);
    if columns.is_empty() && is_text && !dialect.is_default() {
        columns.insert(ROWS.to_owned(), Stored::Written(dialect.text()));
    }
    Reading { columns, person: person.map(RowType::stored) }
}

/// Texts that are read by a dialect of their own are read otherwise than those of any other.
fn written(stored: Stored, dialect: &Dialect) -> Stored {
    match stored {
        Stored::Text | Stored::Json if !dialect.is_default() => Stored::Written(dialect.text()),
        stored => stored,
    }
}
