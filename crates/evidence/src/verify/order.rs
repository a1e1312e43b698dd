//! The order of keys that were found in the data: by the first column, then the second and so on, missing values last.
//!
//! A CSV file does not say whether `10` is a number, so every order that has held so far stays possible; it must never
//! pass rows that ascend in no order at all, or that repeat. It is separate because declared keys have their own order.
//! Read `contents.rs` next.

use super::row_key::RowKey;
use std::cmp::Ordering;

/// An order that a column may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Text,
    Number,
    /// Days and moments: years may have a sign and any number of digits.
    Day,
}

/// The orders that some columns may still have.
pub(super) struct Orders {
    columns: Vec<Vec<Way>>,
    last: Option<Vec<RowKey>>,
}

impl Orders {
    pub(super) fn of(columns: usize) -> Self {
        Orders { columns: vec![vec![Way::Text, Way::Number, Way::Day]; columns], last: None }
    }

    /// Whether this row may come after the ones before it.
    pub(super) fn accepts(&mut self, row: Vec<RowKey>) -> bool {
        let ascends = match &self.last {
            None => true,
            Some(last) => ascends(&mut self.columns, last, &row),
        };
        self.last = Some(row);
        ascends
    }
}

fn ascends(columns: &mut [Vec<Way>], last: &[RowKey], row: &[RowKey]) -> bool {
    // Equal columns decide nothing; the first that differs must ascend; rows that differ nowhere are twins.
    let Some(at) = last.iter().zip(row).position(|(before, after)| before != after) else { return false };
    match (&last[at], &row[at]) {
        (RowKey::Code(before), RowKey::Code(after)) => before < after,
        (RowKey::Found(Some(_)), RowKey::Found(None)) => true,
        (RowKey::Found(Some(before)), RowKey::Found(Some(after))) => {
            columns[at].retain(|way| way.ascends(before, after));
            !columns[at].is_empty()
        }
        (RowKey::Found(None), RowKey::Found(_))
        | (RowKey::Code(_), RowKey::Found(_))
        | (RowKey::Found(_), RowKey::Code(_)) => false,
    }
}

/// Whether a key may come before another, in one of the orders that keys have.
pub(super) fn may_ascend(before: &str, after: &str) -> bool {
    before != after && [Way::Text, Way::Number, Way::Day].into_iter().any(|way| way.ascends(before, after))
}

impl Way {
    fn ascends(self, before: &str, after: &str) -> bool {
        match self {
            Way::Text => before < after,
            Way::Number => match (before.parse::<i128>(), after.parse::<i128>()) {
                (Ok(before), Ok(after)) => before < after,
                (_, _) => match (before.parse::<f64>(), after.parse::<f64>()) {
                    // Decimals may be closer than floats can tell.
                    (Ok(before), Ok(after)) => before <= after,
                    (_, _) => false,
                },
            },
            Way::Day => match (year(before), year(after)) {
                (Some((before, rest)), Some((after, later))) => match before.cmp(&after) {
                    Ordering::Less => true,
                    Ordering::Equal => rest < later,
                    Ordering::Greater => false,
                },
                (_, _) => false,
            },
        }
    }
}

/// Returns the year of a day, and the rest of it.
fn year(day: &str) -> Option<(i64, &str)> {
    let signed = day.strip_prefix('-').map(|rest| (-1, rest));
    let (sign, digits) = signed.unwrap_or((1, day.strip_prefix('+').unwrap_or(day)));
    let (year, rest) = digits.split_once('-')?;
    Some((sign * year.parse::<i64>().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(values: &[Option<&str>]) -> bool {
        let mut orders = Orders::of(1);
        values.iter().all(|value| orders.accepts(vec![RowKey::Found(value.map(String::from))]))
    }

    #[test]
    fn one_order_must_hold_throughout() {
        assert!(sorted(&[Some("10"), Some("9"), Some("a")]), "as texts");
        assert!(sorted(&[Some("9"), Some("10"), Some("11"), None]), "as numbers");
        assert!(sorted(&[Some("-0.5"), Some("1e-7"), Some("2")]), "as fractions");
        assert!(sorted(&[Some("-0044-03-15"), Some("9999-12-31"), Some("+10000-01-01")]), "as days");
        assert!(!sorted(&[Some("9"), Some("10"), Some("a")]), "in no one order");
        assert!(!sorted(&[Some("b"), Some("a")]));
        assert!(!sorted(&[Some("a"), Some("a")]), "twins");
        assert!(!sorted(&[None, Some("a")]), "missing values are last");
        assert!(!sorted(&[None, None]));
    }
}
