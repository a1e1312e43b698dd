//! Cases of single rows: what one bin is on each row of a table.
//!
//! Each is a request with two bins, the number of the row and the value, so that a value in the wrong row is found. It
//! must never say what a value is but in the data. It is separate because hundreds of them share one request. Read
//! `case.rs` next.

use crate::counting::CountsByKey;
use crate::table::CaseTable;
use crate::value::{CaseValue, read_type};
use incrowd_engine::{Query, RowType};
use incrowd_release::query::query;
use incrowd_release::request::Request;
use serde_json::Value as Json;
use std::path::Path;

/// What is asked of each row, and what it gives.
pub(crate) struct RowCase {
    pub(crate) name: String,
    pub(crate) query: Query,
    pub(crate) expected: CountsByKey,
}

/// Reads the cases of a file: `{"table": ..., "cases": [{"expression": ..., "type": ..., "rows": [...]}, ...]}`.
///
/// In place of an expression, `bin` is what a request writes below `[[bins]]`; `timezone`, `types` and `dialect` (the
/// keys of one) may stand beside it, as below `[data]`.
pub(crate) fn read(json: &Json, file: &str, table: &CaseTable) -> Vec<RowCase> {
    let cases = json["cases"].as_array().unwrap_or_else(|| panic!("{file} has no cases"));
    cases.iter().map(|case| row_case(case, file, table)).collect()
}

fn row_case(case: &Json, file: &str, table: &CaseTable) -> RowCase {
    let bin = match (case["expression"].as_str(), case["bin"].as_str()) {
        (Some(expression), None) => format!("expression = {}", written(expression)),
        (None, Some(bin)) => bin.to_owned(),
        (_, _) => panic!("{file}: {case} has an expression or a bin"),
    };
    let name = format!("{file}: {} {}", bin.replace('\n', ", "), said(case));
    let request = request(&table.name, &bin, case);
    let request = Request::parse(&request).unwrap_or_else(|error| panic!("{name}: {}", error.message()));
    let query = query(&request, Path::new("")).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    let kind = case["type"].as_str().and_then(read_type).unwrap_or_else(|| panic!("{name} has no type"));
    let values = case["rows"].as_array().filter(|rows| rows.len() == table.rows());
    let values = values.unwrap_or_else(|| panic!("{name}: a value for each row of {}", table.name)).iter().enumerate();
    let key = |(row, json): (usize, &Json)| {
        let value = CaseValue::read(json, &kind).unwrap_or_else(|| panic!("{name}: {json} is no value"));
        let row = CaseValue::Integer(row as i64 + 1).key(&RowType::Integer);
        (format!("{row}{}", value.key(&kind)), 1)
    };
    let counted = values.filter(|(_, json)| !is_in_no_bin(json));
    RowCase { expected: counted.map(key).collect(), name, query }
}

/// A row that is in no bin has `[]` for a value.
fn is_in_no_bin(json: &Json) -> bool {
    json.as_array().is_some_and(Vec::is_empty)
}

/// What stands below `[data]`, for names.
fn said(case: &Json) -> String {
    ["timezone", "types", "dialect"].iter().filter_map(|key| case.get(key)).map(|said| format!(" {said}")).collect()
}

fn request(table: &str, bin: &str, case: &Json) -> String {
    let zone = case["timezone"].as_str().map(|zone| format!("timezone = {}\n", written(zone))).unwrap_or_default();
    let types = case["types"].as_object().into_iter().flatten();
    let types: String = types.map(|(column, kind)| format!("{} = {kind}\n", written(column))).collect();
    let dialect = case["dialect"].as_object().into_iter().flatten();
    // A text or a list of texts is written alike in JSON and in TOML.
    let dialect: String = dialect.map(|(key, value)| format!("{key} = {value}\n")).collect();
    // A value that is missing is a bin of its own, unless the case says otherwise.
    let nulls = if bin.contains("nulls") { "" } else { "nulls = \"bin\"\n" };
    format!(
        "release = \"histogram\"\n[data]\nsource = {}\n{zone}{dialect}[data.types]\n{types}\
         [[bins]]\nname = \"row\"\ncolumn = \"row\"\n[[bins]]\nname = \"value\"\n{bin}\n{nulls}\
         [promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n[ledger]\ndataset = \"cases\"\n",
        written(table),
    )
}

/// A text in quotes: what JSON escapes, TOML reads.
fn written(text: &str) -> String {
    Json::from(text).to_string()
}
