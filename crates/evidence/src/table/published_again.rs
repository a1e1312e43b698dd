//! A published table, read back: the bins and what they show, to be written once more.
//!
//! Keys get the types that the certificate states, and must read the same again; numbers must follow from published
//! values as the plan says. It must never hand on a row that a table of the plan cannot have. It is separate because
//! renderings and the verifier of workbooks write what they read. Read `rules.rs` for the numbers, `key_type.rs` for
//! the keys.

use super::{KeyType, Rules, Table};
use crate::csv::{CsvText, Fields, Lines, bare_line};
use crate::kinds::TableRows;
use crate::plan::Plan;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use incrowd_privacy::{Outcome, SideValue};
use incrowd_published::{CountError, Keys, PublishedBatch, Shown};
use std::io::BufRead;
use std::sync::Arc;

/// How many rows are read at a time.
const AT_A_TIME: usize = 8192;

/// The rows of a table, in their order.
pub(crate) struct PublishedAgain<'p, R> {
    lines: Lines<R>,
    table: Table<'p>,
    rules: Option<Rules<'p>>,
    types: Vec<KeyType>,
    /// The last row, where equal ones stand together, and how many there are.
    alike: Option<(Fields, i64)>,
    header_is_read: bool,
}

/// Returns the rows of a plan's main table, which is given as bare CSV.
pub(crate) fn published_again<'p, R: BufRead>(
    input: R,
    plan: &'p Plan,
    table: Table<'p>,
    types: Vec<KeyType>,
) -> PublishedAgain<'p, R> {
    let rules = match plan.kind().rows() {
        TableRows::Bins | TableRows::Items(_) => Some(Rules::of(plan, table.side_column())),
        TableRows::People(_) => None,
    };
    PublishedAgain { lines: Lines::new(input), table, rules, types, alike: None, header_is_read: false }
}

impl<R: BufRead> Iterator for PublishedAgain<'_, R> {
    type Item = Result<PublishedBatch, CountError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().ok_or(CountError::Contract).transpose()
    }
}

impl<R: BufRead> PublishedAgain<'_, R> {
    /// The next rows; nothing if they cannot be read, and no rows at the end.
    fn batch(&mut self) -> Option<Option<PublishedBatch>> {
        if !self.header_is_read {
            self.lines.next().ok()??;
            self.header_is_read = true;
        }
        let (mut keys, mut shown) = (Vec::new(), Vec::new());
        while keys.len() < AT_A_TIME {
            let Some(row) = self.row()? else { break };
            keys.push(row.0);
            shown.push(row.1);
        }
        if keys.is_empty() {
            return Some(None);
        }
        Some(Some(PublishedBatch { keys: Keys::Labels(self.columns(&keys)?), shown }))
    }

    /// The next bin, or the next kind of row with how many people have it.
    fn row(&mut self) -> Option<Option<(Fields, Shown)>> {
        if let Some(rules) = &self.rules {
            let Some(mut fields) = self.lines.next().ok()? else { return Some(None) };
            if fields.len() < self.types.len() {
                return None;
            }
            let numbers = fields.split_off(self.types.len());
            let shown = rules.read(&numbers, self.table.reading()).ok()?;
            return Some(Some((fields, shown)));
        }
        loop {
            let next = self.lines.next().ok()?;
            match (&mut self.alike, next) {
                (Some((kind, people)), Some(fields)) if *kind == fields => *people += 1,
                (_, next) => {
                    let is_end = next.is_none();
                    let ended = std::mem::replace(&mut self.alike, next.map(|fields| (fields, 1)));
                    if let Some((kind, people)) = ended {
                        let shown = Shown { outcome: Outcome::Value(people), side_value: SideValue::Nothing };
                        return Some(Some((kind, shown)));
                    }
                    if is_end {
                        return Some(None);
                    }
                }
            }
        }
    }

    /// The columns of some keys; nothing if they are not of the stated types, or not written as such.
    fn columns(&self, keys: &[Fields]) -> Option<Vec<ArrayRef>> {
        let is_whole = |fields: &Fields| fields.len() == self.types.len();
        if !keys.iter().all(is_whole) {
            return None;
        }
        let column =
            |(at, known): (usize, &KeyType)| known.column(keys.iter().map(move |fields| fields[at].as_deref()));
        let columns = self.types.iter().enumerate().map(column).collect::<Option<Vec<ArrayRef>>>()?;
        let fields = self.types.iter().map(|known| Field::new("", known.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let rows = RecordBatch::try_new(schema, columns.clone()).ok()?;
        let written: Vec<u8> = keys.iter().flat_map(bare_line).collect();
        (CsvText::bare().rows(&rows).ok()? == written.as_slice()).then_some(columns)
    }
}
