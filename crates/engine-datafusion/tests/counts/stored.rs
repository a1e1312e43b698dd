//! Tables of the conformance kit as files, in every format and in every way that a format stores a type.

use crate::spelled::{cells, folders, sqlite};
use crate::workbook::{archive, ods, xlsx};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Date64Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array,
    Int8Array, Int16Array, Int32Array, Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray,
    TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray, UInt64Array,
};
use incrowd_conformance::{CaseColumn, CaseTable, CaseValue, Place};
use incrowd_engine::{Precision, RowType};
use std::path::Path;
use std::sync::Arc;

#[path = "written.rs"]
mod written;

/// How a table is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// Texts without types.
    Csv,
    /// The same in an archive.
    Zip,
    /// Cells of a workbook of Excel, in its own types.
    Xlsx,
    /// Cells of a workbook of LibreOffice, in its own types.
    Ods,
    /// Values of a table of SQLite, in its own types.
    Sqlite,
    /// Columns of Parquet, in a folder for each value of the first column.
    Folders,
    /// The same in other dialects.
    Written(Way),
    /// Objects, one on each line.
    Json,
    /// Columns of Parquet.
    Parquet(Columns),
    /// Columns of Arrow.
    Arrow(Columns),
}

/// A dialect of CSV files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Semicolons, decimal commas, German days and `k. A.` for nothing, letters of Windows, and a line of too many
    /// fields behind each row.
    Spreadsheet,
    /// Tabs without quotes, which hold no tabs and no lines.
    Tabs,
    /// Strokes and single quotes in UTF-16, carriage returns, groups of thousands, American days.
    Wide,
}

/// How columns are stored where a format has types. What a column's values do not fit into is stored as usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// In the types of the contract.
    Usual,
    /// In the smallest types: words by their numbers, short integers and floats, coarse moments.
    Small,
    /// Numbers as decimals, whole numbers as floats, texts with long offsets: types must be declared.
    Exchanged,
    /// Texts as views, moments in a far time zone: types must be declared.
    Views,
}

impl Stored {
    /// Every way there is.
    pub const ALL: [Stored; 18] = [
        Stored::Csv,
        Stored::Written(Way::Spreadsheet),
        Stored::Written(Way::Tabs),
        Stored::Written(Way::Wide),
        Stored::Zip,
        Stored::Xlsx,
        Stored::Ods,
        Stored::Sqlite,
        Stored::Folders,
        Stored::Json,
        Stored::Parquet(Columns::Usual),
        Stored::Parquet(Columns::Small),
        Stored::Parquet(Columns::Exchanged),
        Stored::Parquet(Columns::Views),
        Stored::Arrow(Columns::Usual),
        Stored::Arrow(Columns::Small),
        Stored::Arrow(Columns::Exchanged),
        Stored::Arrow(Columns::Views),
    ];

    /// Writes a table into a folder, under the name of the table; nothing if it cannot be stored so.
    pub fn write(self, table: &CaseTable, folder: &Path) -> Option<Place> {
        let path = |ending: &str| folder.join(format!("{}.{ending}", table.name));
        let location = |ending: &str| path(ending).to_string_lossy().into_owned();
        match self {
            Stored::Csv => {
                std::fs::write(path("csv"), csv(table)?).expect("written");
                Some(Place::Declared(location("csv")))
            }
            Stored::Written(way) => {
                let name = format!("{}-{way:?}.{}", table.name, if way == Way::Tabs { "tab" } else { "txt" });
                std::fs::write(folder.join(&name), written::file(way, table)?).expect("written");
                Some(Place::Written(folder.join(name).to_string_lossy().into_owned(), written::dialect(way)))
            }
            Stored::Zip => {
                let text = String::from_utf8(csv(table)?).expect("text");
                std::fs::write(path("zip"), archive(&[("people.csv", &text)])).expect("written");
                Some(Place::Declared(location("zip")))
            }
            Stored::Xlsx => {
                std::fs::write(path("xlsx"), xlsx(&[("people", &cells(table)?)])).expect("written");
                Some(Place::Declared(location("xlsx")))
            }
            Stored::Ods => {
                // XML has no way to write most signs below the blank.
                let is_written = |sign: char| sign >= ' ' || "\t\n\r".contains(sign);
                let texts = table.columns.iter().flat_map(texts).flatten().flatten();
                if !texts.into_iter().all(|text| text.chars().all(is_written)) {
                    return None;
                }
                std::fs::write(path("ods"), ods(&[("people", &cells(table)?)])).expect("written");
                Some(Place::Declared(location("ods")))
            }
            Stored::Sqlite => {
                sqlite(table, &path("sqlite"))?;
                Some(Place::Declared(location("sqlite")))
            }
            Stored::Folders => {
                folders(table, &path("folders"))?;
                Some(Place::Declared(location("folders")))
            }
            Stored::Json => {
                std::fs::write(path("ndjson"), json(table)?).expect("written");
                Some(Place::Declared(location("ndjson")))
            }
            Stored::Parquet(columns) => {
                let batch = batch(table, columns);
                let file = std::fs::File::create(path("parquet")).expect("a file");
                let mut parquet = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
                parquet.write(&batch).expect("written");
                parquet.close().expect("closed");
                Some(columns.place(location("parquet")))
            }
            Stored::Arrow(columns) => {
                let batch = batch(table, columns);
                let file = std::fs::File::create(path("arrow")).expect("a file");
                let mut arrow = arrow_ipc::writer::FileWriter::try_new(file, &batch.schema()).expect("a writer");
                arrow.write(&batch).expect("written");
                arrow.finish().expect("finished");
                Some(columns.place(location("arrow")))
            }
        }
    }
}

impl Columns {
    fn place(self, location: String) -> Place {
        match self {
            Columns::Usual | Columns::Small => Place::Typed(location),
            Columns::Exchanged | Columns::Views => Place::Declared(location),
        }
    }
}

fn csv(table: &CaseTable) -> Option<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(table.columns.iter().map(|column| &column.name)).expect("a head");
    for row in 0..table.rows() {
        let texts = table.columns.iter().map(|column| column.values[row].text(&column.kind));
        writer.write_record(texts.collect::<Option<Vec<String>>>()?).expect("a row");
    }
    Some(writer.into_inner().expect("a text"))
}

fn json(table: &CaseTable) -> Option<String> {
    let mut text = String::new();
    for row in 0..table.rows() {
        let mut fields = Vec::new();
        for column in &table.columns {
            let value = &column.values[row];
            let written = value.text(&column.kind)?;
            let written = match value {
                // Every other missing value is left out altogether.
                CaseValue::Missing if row % 2 == 0 => continue,
                CaseValue::Missing => "null".to_owned(),
                CaseValue::Number(number) if !number.is_finite() => return None,
                CaseValue::Integer(_)
                | CaseValue::Unsigned(_)
                | CaseValue::Number(_)
                | CaseValue::Decimal(_)
                | CaseValue::Boolean(_) => written,
                CaseValue::Text(_) | CaseValue::Date(_) | CaseValue::Timestamp(_) => {
                    serde_json::Value::from(written).to_string()
                }
            };
            fields.push(format!("{}:{written}", serde_json::Value::from(column.name.as_str())));
        }
        text.push_str(&format!("{{{}}}\n", fields.join(",")));
    }
    Some(text)
}

/// Returns the columns as Arrow has them.
pub fn batch(table: &CaseTable, columns: Columns) -> RecordBatch {
    let array = |column: &CaseColumn| {
        let special = match columns {
            Columns::Usual => None,
            Columns::Small => small(column),
            Columns::Exchanged => exchanged(column),
            Columns::Views => views(column),
        };
        (column.name.clone(), special.unwrap_or_else(|| usual(column)))
    };
    RecordBatch::try_from_iter(table.columns.iter().map(array)).expect("a table")
}

/// Returns what a function makes of every value that is there; nothing if one is of another type, or does not fit.
fn all<'c, T>(column: &'c CaseColumn, of: impl Fn(&'c CaseValue) -> Option<T>) -> Option<Vec<Option<T>>> {
    let each = |value| match value {
        &CaseValue::Missing => Some(None),
        value => of(value).map(Some),
    };
    column.values.iter().map(each).collect()
}

fn texts(column: &CaseColumn) -> Option<Vec<Option<&str>>> {
    all(column, |value| if let CaseValue::Text(text) = value { Some(text.as_str()) } else { None })
}

fn integers(column: &CaseColumn) -> Option<Vec<Option<i64>>> {
    all(column, |value| if let CaseValue::Integer(integer) = value { Some(*integer) } else { None })
}

fn numbers(column: &CaseColumn) -> Option<Vec<Option<f64>>> {
    all(column, |value| if let CaseValue::Number(number) = value { Some(*number) } else { None })
}

fn days(column: &CaseColumn) -> Option<Vec<Option<i32>>> {
    all(column, |value| if let CaseValue::Date(day) = value { Some(*day) } else { None })
}

fn moments(column: &CaseColumn) -> Option<Vec<Option<i64>>> {
    all(column, |value| if let CaseValue::Timestamp(moment) = value { Some(*moment) } else { None })
}

fn usual(column: &CaseColumn) -> ArrayRef {
    let own = "values of the column's type";
    match &column.kind {
        RowType::Text => Arc::new(StringArray::from(texts(column).expect(own))),
        RowType::Integer => Arc::new(Int64Array::from(integers(column).expect(own))),
        RowType::Unsigned => {
            let of = |value: &CaseValue| if let CaseValue::Unsigned(integer) = value { Some(*integer) } else { None };
            Arc::new(UInt64Array::from(all(column, of).expect(own)))
        }
        RowType::Number => Arc::new(Float64Array::from(numbers(column).expect(own))),
        RowType::Decimal { precision, scale } => {
            let of = |value: &CaseValue| if let CaseValue::Decimal(units) = value { Some(*units) } else { None };
            let units = Decimal128Array::from(all(column, of).expect(own));
            Arc::new(units.with_precision_and_scale(*precision, *scale).expect("decimals"))
        }
        RowType::Boolean => {
            let of = |value: &CaseValue| if let CaseValue::Boolean(truth) = value { Some(*truth) } else { None };
            Arc::new(BooleanArray::from(all(column, of).expect(own)))
        }
        RowType::Date => Arc::new(Date32Array::from(days(column).expect(own))),
        RowType::Timestamp { precision, zone } => moments_in(*precision, moments(column).expect(own), zone.as_deref()),
        RowType::Null | RowType::Foreign(_) => panic!("{} has a type that no table has", column.name),
    }
}

fn moments_in(precision: Precision, moments: Vec<Option<i64>>, zone: Option<&str>) -> ArrayRef {
    match precision {
        Precision::Second => Arc::new(TimestampSecondArray::from(moments).with_timezone_opt(zone)),
        Precision::Millisecond => Arc::new(TimestampMillisecondArray::from(moments).with_timezone_opt(zone)),
        Precision::Microsecond => Arc::new(TimestampMicrosecondArray::from(moments).with_timezone_opt(zone)),
        Precision::Nanosecond => Arc::new(TimestampNanosecondArray::from(moments).with_timezone_opt(zone)),
    }
}

fn small(column: &CaseColumn) -> Option<ArrayRef> {
    Some(match &column.kind {
        RowType::Text => Arc::new(texts(column)?.into_iter().collect::<DictionaryArray<Int32Type>>()),
        RowType::Integer => short(integers(column)?)?,
        RowType::Number => {
            // A float of 32 bits stands for its shortest decimal.
            let single = |number: f64| Some(number as f32).filter(|single| single.to_string() == number.to_string());
            let of = |value: &CaseValue| if let CaseValue::Number(number) = value { single(*number) } else { None };
            Arc::new(Float32Array::from(all(column, of)?))
        }
        RowType::Date => {
            let day = |day: Option<i32>| day.map(|day| i64::from(day) * 86_400_000);
            Arc::new(Date64Array::from(days(column)?.into_iter().map(day).collect::<Vec<_>>()))
        }
        RowType::Timestamp { precision: Precision::Microsecond, zone } => {
            let second = |value: &CaseValue| match value {
                CaseValue::Timestamp(moment) if moment % 1_000_000 == 0 => Some(moment / 1_000_000),
                _ => None,
            };
            moments_in(Precision::Second, all(column, second)?, zone.as_deref())
        }
        _ => return None,
    })
}

/// Whole numbers in as few bits as they need; nothing if that is 64.
fn short(integers: Vec<Option<i64>>) -> Option<ArrayRef> {
    fn fitted<T: TryFrom<i64>>(integers: &[Option<i64>]) -> Option<Vec<Option<T>>> {
        integers
            .iter()
            .map(|each| each.map(|each| T::try_from(each).ok()).map_or(Some(None), |each| each.map(Some)))
            .collect()
    }
    let eight = || fitted(&integers).map(|few| Arc::new(Int8Array::from(few)) as ArrayRef);
    let sixteen = || fitted(&integers).map(|few| Arc::new(Int16Array::from(few)) as ArrayRef);
    let more = || fitted(&integers).map(|few| Arc::new(Int32Array::from(few)) as ArrayRef);
    eight().or_else(sixteen).or_else(more)
}

fn exchanged(column: &CaseColumn) -> Option<ArrayRef> {
    Some(match &column.kind {
        RowType::Text => Arc::new(LargeStringArray::from(texts(column)?)),
        RowType::Integer => {
            let whole = |value: &CaseValue| match value {
                // Every whole number up to here is a float.
                CaseValue::Integer(integer) if integer.unsigned_abs() <= 1 << 53 => Some(*integer as f64),
                _ => None,
            };
            Arc::new(Float64Array::from(all(column, whole)?))
        }
        RowType::Number => {
            let hundredths = |value: &CaseValue| match value {
                CaseValue::Number(number) if number.abs() < 1e9 => {
                    let units = (number * 100.0).round();
                    (units / 100.0 == *number).then_some(units as i128)
                }
                _ => None,
            };
            let units = Decimal128Array::from(all(column, hundredths)?);
            Arc::new(units.with_precision_and_scale(20, 2).expect("decimals"))
        }
        _ => return None,
    })
}

fn views(column: &CaseColumn) -> Option<ArrayRef> {
    Some(match &column.kind {
        RowType::Text => Arc::new(StringViewArray::from(texts(column)?)),
        RowType::Timestamp { precision, zone: None } => moments_in(*precision, moments(column)?, Some("Asia/Tokyo")),
        _ => return None,
    })
}
