//! A comparison for machines: as JSON, and as CSV.
//!
//! Numbers that decide are exact or rounded outwards; a text in a CSV file must never act in a spreadsheet. It is
//! separate from the page, which is for people. Read `../csv/spelling.rs` for how texts are spelt.

use super::cells::{CellDiff, CellValue};
use super::{ComparedPeriods, Diff, DiffSide, TableRelation, error};
use crate::csv::{CsvText, KeyPlaces, Spelling};
use crate::request::{CsvStart, KeyCells, OutputRequest};
use crate::write_error::WriteError;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use incrowd_exact::{Rational, rational_text, significant_rounding_up};
use serde_json::{Value, json};
use std::sync::Arc;

/// The columns of a CSV file, after the keys.
const COLUMNS: [&str; 10] = [
    "old",
    "new",
    "change",
    "change_low",
    "change_high",
    "percent",
    "more_than_noise",
    "chance_if_unchanged",
    "old_status",
    "new_status",
];

impl TableRelation {
    /// Returns the word for machines.
    pub fn as_str(self) -> &'static str {
        match self {
            TableRelation::Same => "same",
            TableRelation::NewIsCoarser => "new-is-coarser",
            TableRelation::OldIsCoarser => "old-is-coarser",
            TableRelation::SameRelease => "same-release",
        }
    }
}

impl Diff {
    /// Returns the comparison as an object.
    pub fn to_json(&self) -> Value {
        let cells = self.cells.iter().map(|cell| cell_json(cell, &self.headings)).collect::<Vec<_>>();
        json!({
            "version": crate::plan_json::JSON_VERSION,
            "command": "diff",
            "old": side_json(&self.old),
            "new": side_json(&self.new),
            "relation": self.relation.as_str(),
            "comparisons": self.comparisons,
            "more_than_noise": self.changed(),
            "error": rational_text(&error()),
            "left_out": self.left_out,
            "other_periods": self.other_periods,
            "cautions": self.cautions,
            "charged": false,
            "cells": cells,
        })
    }

    /// Returns the comparison as the text of a CSV file, one row for each cell.
    pub fn to_csv(&self) -> Result<String, WriteError> {
        let text = |name: &str| Field::new(name, DataType::Utf8, true);
        let fields = self.headings.iter().map(String::as_str).chain(COLUMNS).map(text);
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let key = |at: usize| self.cells.iter().map(|cell| cell.key[at].clone()).collect::<StringArray>();
        let mut columns: Vec<ArrayRef> = (0..self.headings.len()).map(|at| Arc::new(key(at)) as ArrayRef).collect();
        let rest: Vec<[Option<String>; COLUMNS.len()]> = self.cells.iter().map(fields_of).collect();
        let column = |at: usize| rest.iter().map(|fields| fields[at].clone()).collect::<StringArray>();
        columns.extend((0..COLUMNS.len()).map(|at| Arc::new(column(at)) as ArrayRef));
        let rows = RecordBatch::try_new(Arc::clone(&schema), columns).map_err(|_| WriteError::Other)?;
        let mut csv = CsvText::spelt(spelling(), KeyPlaces::First(self.headings.len()));
        let mut file = csv.header(&schema).to_vec();
        file.extend_from_slice(csv.rows(&rows)?);
        String::from_utf8(file).map_err(|_| WriteError::Other)
    }
}

impl ComparedPeriods {
    /// Returns the periods that a text names, the old one first; nothing for any other text.
    pub fn from_text(text: &str) -> Option<ComparedPeriods> {
        let (old, new) = text.split_once(',')?;
        let (old, new) = (old.trim(), new.trim());
        let is_one = |period: &str| !period.is_empty() && !period.contains(',');
        (is_one(old) && is_one(new)).then(|| ComparedPeriods { old: old.into(), new: new.into() })
    }
}

/// As a request without wishes has its files.
fn spelling() -> Spelling {
    let output = OutputRequest::default();
    Spelling::of(&OutputRequest {
        keys: KeyCells::Named { missing: "(missing)".into() },
        csv_start: CsvStart::Plain,
        ..output
    })
}

fn side_json(side: &DiffSide) -> Value {
    json!({
        "folder": side.folder,
        "certificate": side.certificate,
        "charge_id": side.charge_id,
        "dataset": side.dataset,
        "snapshot": side.snapshot,
        "where": side.condition,
        "split": side.part,
        "period": side.period,
        "shows": side.shows,
    })
}

fn cell_json(cell: &CellDiff, headings: &[String]) -> Value {
    let labels = headings.iter().zip(&cell.key).map(|(name, label)| json!({ "name": name, "label": label }));
    let value = |value: CellValue| match value {
        CellValue::Count { thousandths, cells } => {
            json!({ "status": "shown", "count": in_thousandths(thousandths), "cells": cells })
        }
        CellValue::Between { low, high } => json!({ "status": "interval", "low": low, "high": high }),
        CellValue::Hidden => json!({ "status": "not-shown" }),
    };
    json!({
        "key": labels.collect::<Vec<_>>(),
        "old": value(cell.old),
        "new": value(cell.new),
        "change": cell.change.map(in_thousandths),
        "low": cell.interval.map(|interval| interval.low.to_string()),
        "high": cell.interval.map(|interval| interval.high.to_string()),
        "percent": cell.relative.as_ref().map(percent),
        "verdict": cell.verdict.as_str(),
        "chance_if_unchanged": cell.chance.as_ref().map(|chance| significant_rounding_up(chance, 3)),
    })
}

fn fields_of(cell: &CellDiff) -> [Option<String>; COLUMNS.len()] {
    let count = |value: CellValue| match value {
        CellValue::Count { thousandths, .. } => Some(in_thousandths(thousandths)),
        CellValue::Between { .. } | CellValue::Hidden => None,
    };
    let status = |value: CellValue| match value {
        CellValue::Count { .. } => "shown".to_string(),
        CellValue::Between { low, high } => format!("{low} to {high}"),
        CellValue::Hidden => "not-shown".into(),
    };
    [
        count(cell.old),
        count(cell.new),
        cell.change.map(in_thousandths),
        cell.interval.map(|interval| interval.low.to_string()),
        cell.interval.map(|interval| interval.high.to_string()),
        cell.relative.as_ref().map(percent),
        Some(cell.verdict.as_str().into()),
        cell.chance.as_ref().map(|chance| significant_rounding_up(chance, 3)),
        Some(status(cell.old)),
        Some(status(cell.new)),
    ]
}

/// Returns `12`, `12.5` or `-0.125`.
pub(super) fn in_thousandths(value: i128) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let (whole, rest) = (value.unsigned_abs() / 1000, value.unsigned_abs() % 1000);
    let decimals = format!("{rest:03}");
    match decimals.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        decimals => format!("{sign}{whole}.{decimals}"),
    }
}

/// Returns a share in per cent with one decimal, halves up.
pub(super) fn percent(share: &Rational) -> String {
    let half = Rational::ONE / Rational::from(2u8);
    let tenths = (share * Rational::from(1000u32) + half).floor();
    i128::try_from(&tenths).map_or_else(|_| rational_text(share), |tenths| in_thousandths(tenths * 100))
}
