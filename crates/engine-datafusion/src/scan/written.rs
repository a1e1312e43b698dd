//! What the texts of a batch say in the dialect of the request, before anything is computed of them.
//!
//! Names for nothing are missing, numbers have points and days are written as 2026-11-18; it must never make anything
//! of a text but by the contract's own rule (`incrowd_engine::written`), nor touch a column that stores no texts. It is
//! separate because all formats but JSON, whose numbers are no texts, end here. Read `delivered.rs` for the types.

use super::Fault;
use super::delivered::is_text;
use arrow_array::builder::StringViewBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, BooleanArray, DictionaryArray, RecordBatch, RecordBatchOptions, StringArray};
use arrow_schema::Schema;
use arrow_select::nullif::nullif;
use incrowd_engine::written::{TextRead, TextReading};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns how each delivered column is read; nothing for what stores no texts.
pub(crate) fn columns(texts: &BTreeMap<String, TextReading>, delivered: &Schema) -> Arc<[Option<TextReading>]> {
    let fields = delivered.fields().iter();
    fields.map(|field| texts.get(field.name()).filter(|_| is_text(field.data_type())).cloned()).collect()
}

/// Returns a batch with what its texts say.
pub(crate) fn as_said(batch: RecordBatch, texts: &[Option<TextReading>]) -> Result<RecordBatch, Fault> {
    if texts.iter().all(Option::is_none) {
        return Ok(batch);
    }
    let columns = batch.columns().iter().zip(texts).map(|(column, reading)| match reading {
        Some(reading) => said(column, reading),
        None => Ok(Arc::clone(column)),
    });
    let columns = columns.collect::<Result<Vec<_>, Fault>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(batch.schema(), columns, &options).map_err(Fault::damaged)
}

fn said(column: &ArrayRef, reading: &TextReading) -> Result<ArrayRef, Fault> {
    if let Some(words) = column.as_dictionary_opt::<Int32Type>() {
        return words_said(words, reading);
    }
    let texts = column.as_string_view_opt().ok_or(Fault::Damaged)?;
    if reading.keeps_texts() {
        return without(column, texts.iter().map(|text| text.is_some_and(|text| reading.is_missing(text))));
    }
    let mut builder = StringViewBuilder::with_capacity(texts.len());
    for text in texts {
        builder.append_option(text.and_then(|text| present(reading.read(text))));
    }
    Ok(Arc::new(builder.finish()))
}

/// Each word is read once. A word that says nothing stays among the words, and no row has it.
fn words_said(words: &DictionaryArray<Int32Type>, reading: &TextReading) -> Result<ArrayRef, Fault> {
    let texts = words.values().as_string_opt::<i32>().ok_or(Fault::Damaged)?;
    let said: Vec<Option<Cow<'_, str>>> =
        texts.iter().map(|text| text.and_then(|text| present(reading.read(text)))).collect();
    let says_nothing = |key: Option<i32>| {
        let word = key.and_then(|key| usize::try_from(key).ok()).and_then(|key| said.get(key));
        word.is_some_and(Option::is_none)
    };
    let keys: ArrayRef = Arc::new(words.keys().clone());
    let keys = without(&keys, words.keys().iter().map(says_nothing))?;
    let texts: StringArray = said.iter().map(|text| Some(text.as_deref().unwrap_or_default())).collect();
    let words = DictionaryArray::try_new(keys.as_primitive::<Int32Type>().clone(), Arc::new(texts));
    Ok(Arc::new(words.map_err(Fault::damaged)?))
}

fn present(read: TextRead<'_>) -> Option<Cow<'_, str>> {
    match read {
        TextRead::Said(text) => Some(text),
        TextRead::Missing | TextRead::Unreadable => None,
    }
}

/// Returns the column, with these rows missing.
fn without(column: &ArrayRef, missing: impl Iterator<Item = bool>) -> Result<ArrayRef, Fault> {
    let missing: BooleanArray = missing.map(Some).collect();
    if missing.true_count() == 0 {
        return Ok(Arc::clone(column));
    }
    nullif(column, &missing).map_err(Fault::damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::StringViewArray;
    use arrow_cast::display::array_value_to_string;
    use incrowd_engine::{ColumnType, Dialect, Sign};

    const TEXTS: [Option<&str>; 8] = [
        Some("1.234,5"),
        Some("NA"),
        None,
        Some("12.34"),
        Some("18.11.2026"),
        Some("-"),
        Some("1.234,5"),
        Some("31.02.2026"),
    ];

    fn shown(column: &ArrayRef, kind: Option<ColumnType>) -> String {
        let dialect = Dialect {
            decimal: Sign::of(","),
            thousands: Sign::of("."),
            missing: vec!["-".into(), "NA".into()],
            dates: vec!["%d.%m.%Y".into()],
            ..Dialect::default()
        };
        let texts = [TextReading::of(&dialect, kind)];
        let batch = RecordBatch::try_from_iter([("a", Arc::clone(column))]).expect("a batch");
        let said = as_said(batch, &texts).expect("texts").column(0).clone();
        assert_eq!(said.data_type(), column.data_type());
        let text = |row| match said.is_null(row) {
            true => ".".into(),
            false => array_value_to_string(&said, row).expect("a text"),
        };
        (0..said.len()).map(text).collect::<Vec<String>>().join(" ")
    }

    #[test]
    fn texts_and_words_say_the_same() {
        let words: DictionaryArray<Int32Type> = TEXTS.into_iter().collect();
        for column in [Arc::new(StringViewArray::from(TEXTS.to_vec())) as ArrayRef, Arc::new(words)] {
            let numbers = "1234.5 . . . . . 1234.5 .";
            assert_eq!(shown(&column, Some(ColumnType::Number)), numbers);
            assert_eq!(shown(&column, Some(ColumnType::Integer)), numbers);
            let days = ". . . . 2026-11-18 . . .";
            assert_eq!(shown(&column, Some(ColumnType::Date)), days);
            let texts = "1.234,5 . . 12.34 18.11.2026 . 1.234,5 31.02.2026";
            assert_eq!(shown(&column, None), texts);
        }
    }

    #[test]
    fn a_column_that_stores_no_texts_is_not_read() {
        let dialect = Dialect { missing: vec!["7".into()], ..Dialect::default() };
        let reading = TextReading::of(&dialect, None).expect("a dialect");
        let texts = BTreeMap::from([("n".to_owned(), reading)]);
        let schema = |kind| Schema::new(vec![arrow_schema::Field::new("n", kind, true)]);
        assert!(columns(&texts, &schema(arrow_schema::DataType::Int64))[0].is_none());
        assert!(columns(&texts, &schema(arrow_schema::DataType::Utf8View))[0].is_some());
    }
}
