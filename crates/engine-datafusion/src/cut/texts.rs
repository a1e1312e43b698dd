//! Listed texts, and the dictionaries in which columns keep them.
//!
//! Texts are compared byte by byte, without trimming or folding. A dictionary's words are looked up once, not once for
//! each row; it must never take one dictionary for another, so it keeps the one it knows alive while it compares
//! addresses. It is separate because texts are what most tables are cut by. Read `integers.rs` next.

use super::column::Scale;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, StringArrayType};
use arrow_buffer::ArrowNativeType;
use arrow_schema::DataType;
use datafusion_common::HashMap;
use incrowd_engine::thresholds::OUTSIDE;
use std::sync::Arc;

/// Listed texts.
#[derive(Clone)]
pub(super) struct Texts {
    codes: Arc<HashMap<Box<str>, u64>>,
    /// No listed text is longer than this: longer ones need not be hashed.
    longest: usize,
    known: Option<Known>,
}

/// The last dictionary, and what each of its words adds to a cell.
#[derive(Clone)]
struct Known {
    words: ArrayRef,
    stride: u64,
    parts: Arc<[u64]>,
}

impl Texts {
    pub(super) fn new(texts: &[String]) -> Texts {
        Texts::coded(texts.iter().map(String::as_str).zip(0..))
    }

    /// Texts with the numbers of their bins, which several may share.
    pub(super) fn coded<'t>(texts: impl Iterator<Item = (&'t str, u64)>) -> Texts {
        let mut codes: HashMap<Box<str>, u64> = HashMap::new();
        let mut longest = 0;
        for (text, code) in texts {
            codes.entry(text.into()).or_insert(code);
            longest = longest.max(text.len());
        }
        Texts { codes: Arc::new(codes), longest, known: None }
    }

    pub(super) fn add(&mut self, values: &dyn Array, scale: Scale, cells: &mut [u64]) {
        match values.data_type() {
            DataType::Utf8 => self.add_texts(values.as_string::<i32>(), scale, cells),
            DataType::LargeUtf8 => self.add_texts(values.as_string::<i64>(), scale, cells),
            DataType::Utf8View => self.add_texts(values.as_string_view(), scale, cells),
            DataType::Dictionary(keys, _) => {
                let parts = self.parts(values.as_any_dictionary().values(), scale);
                match keys.as_ref() {
                    DataType::Int8 => add_keys::<Int8Type>(values, &parts, scale, cells),
                    DataType::Int16 => add_keys::<Int16Type>(values, &parts, scale, cells),
                    DataType::Int32 => add_keys::<Int32Type>(values, &parts, scale, cells),
                    DataType::Int64 => add_keys::<Int64Type>(values, &parts, scale, cells),
                    DataType::UInt8 => add_keys::<UInt8Type>(values, &parts, scale, cells),
                    DataType::UInt16 => add_keys::<UInt16Type>(values, &parts, scale, cells),
                    DataType::UInt32 => add_keys::<UInt32Type>(values, &parts, scale, cells),
                    _ => add_keys::<UInt64Type>(values, &parts, scale, cells),
                }
            }
            // `Cutter::new` accepts no other type.
            _ => cells.fill(super::NOT_COUNTED),
        }
    }

    fn add_texts<'a>(&self, texts: impl StringArrayType<'a>, scale: Scale, cells: &mut [u64]) {
        for (cell, text) in cells.iter_mut().zip(texts.iter()) {
            let part = text.map_or(scale.missing_part(), |text| scale.part(self.of(text)));
            *cell = cell.saturating_add(part);
        }
    }

    #[inline]
    fn of(&self, text: &str) -> u64 {
        if text.len() > self.longest {
            return OUTSIDE;
        }
        self.codes.get(text).copied().unwrap_or(OUTSIDE)
    }

    /// Returns what each word of a dictionary adds.
    fn parts(&mut self, words: &ArrayRef, scale: Scale) -> Arc<[u64]> {
        if let Some(known) = &self.known
            && known.stride == scale.stride()
            && (Arc::ptr_eq(&known.words, words) || known.words.to_data().ptr_eq(&words.to_data()))
        {
            return Arc::clone(&known.parts);
        }
        let mut parts = vec![0; words.len()];
        self.add(words.as_ref(), scale, &mut parts);
        let parts: Arc<[u64]> = parts.into();
        self.known = Some(Known { words: Arc::clone(words), stride: scale.stride(), parts: Arc::clone(&parts) });
        parts
    }
}

fn add_keys<K: ArrowDictionaryKeyType>(values: &dyn Array, parts: &[u64], scale: Scale, cells: &mut [u64]) {
    let keys = values.as_dictionary::<K>().keys();
    // The key of a missing value may be anything.
    let part = |key: &K::Native| parts.get(key.as_usize()).copied().unwrap_or(super::NOT_COUNTED);
    scale.add_parts(keys.values().iter().map(part), keys.nulls(), cells);
}
