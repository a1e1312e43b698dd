//! Tables of the conformance kit as Parquet files, in types that Spark has.

use incrowd_conformance::{CaseColumn, CaseTable, CaseValue};
use incrowd_engine::{Precision, RowType};
use parquet::arrow::ArrowWriter;
use std::path::Path;

/// Writes a table to a folder, as two files; nothing if Spark has no type for one of its columns.
pub fn write(table: &CaseTable, folder: &Path) -> Option<String> {
    let columns = table.columns.iter().map(stored).collect::<Option<Vec<CaseColumn>>>()?;
    let batch = CaseTable { name: table.name.clone(), columns }.batch();
    std::fs::create_dir_all(folder).expect("a folder");
    let half = batch.num_rows() / 2;
    for (name, part) in [("a", batch.slice(0, half)), ("b", batch.slice(half, batch.num_rows() - half))] {
        let file = std::fs::File::create(folder.join(format!("{name}.parquet"))).expect("a file");
        let mut writer = ArrowWriter::try_new(file, part.schema(), None).expect("a writer");
        writer.write(&part).expect("written");
        writer.close().expect("closed");
    }
    Some(folder.to_string_lossy().into_owned())
}

/// Returns a column in a type of Spark.
fn stored(column: &CaseColumn) -> Option<CaseColumn> {
    match &column.kind {
        RowType::Unsigned | RowType::Null | RowType::Foreign(_) => None,
        RowType::Decimal { precision, scale } if *scale < 0 || i16::from(*scale) > i16::from(*precision) => None,
        RowType::Timestamp { precision, zone } => {
            // Spark has microseconds alone; what they do not hold has no place there.
            let exact = |moment: i64| match precision {
                Precision::Second => moment.checked_mul(1_000_000),
                Precision::Millisecond => moment.checked_mul(1_000),
                Precision::Microsecond => Some(moment),
                Precision::Nanosecond => (moment % 1_000 == 0).then_some(moment / 1_000),
            };
            let value = |value: &CaseValue| match value {
                CaseValue::Timestamp(moment) => exact(*moment).map(CaseValue::Timestamp),
                other => Some(other.clone()),
            };
            // A moment is the same whatever its label; Spark's are of the session's zone.
            let zone = zone.as_ref().map(|_| "UTC".to_owned());
            Some(CaseColumn {
                name: column.name.clone(),
                kind: RowType::Timestamp { precision: Precision::Microsecond, zone },
                values: column.values.iter().map(value).collect::<Option<_>>()?,
            })
        }
        _ => Some(column.clone()),
    }
}
