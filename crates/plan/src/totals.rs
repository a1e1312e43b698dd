//! Totals of a table that was not made yet: how far they will be off, and whether they can be made to add up.
//!
//! A function of the plan alone, from the variances of the law that runs; it must never look for sizes, and every
//! figure says for which published values it is computed. It is separate because a total of many cells is off by much
//! more than a cell, and nobody should learn that after paying. Read `incrowd_privacy`'s `estimate.rs` for variances.

use crate::kinds::TableRows;
use crate::plan::Plan;
use crate::request::{CellCount, KeyCells, Margins};
use incrowd_exact::{Integer, Rational, significant_rounding_up};
use incrowd_privacy::{Spreads, Universe};
use incrowd_report::{Align, Block, Facts, PageTable};
use serde_json::{Value, json};

/// The most cells of a table whose totals are made to add up.
pub const MOST_CONSISTENT_CELLS: u128 = 100_000;
/// The published values for which errors are told.
const VALUES: [i64; 4] = [0, 10, 100, 1_000];
/// The numbers of cells for which errors are told, beside all of them.
const CELLS: [u128; 3] = [10, 100, 1_000];

/// Whether totals are made to add up, in a table of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TotalsAddUp {
    /// They are.
    Yes,
    /// No totals are asked for.
    NotAsked,
    /// Some cells may show nothing, so that there are no totals, only sums of what is shown.
    CellsHidden,
    /// There are more cells than `MOST_CONSISTENT_CELLS`.
    TooManyCells,
}

/// The standard errors of totals of so many cells.
struct TotalErrors {
    cells: u128,
    /// One for each of `VALUES`, in thousandths, rounded up.
    thousandths: Vec<u128>,
}

impl Plan {
    /// Returns the sets of bins whose totals are asked for, as places among the keys: the smaller sets first, then in
    /// the order of the request. The total over all is not among them; it is always there.
    pub fn margin_sets(&self) -> Option<Vec<Vec<usize>>> {
        let columns = self.request.kind.published();
        let mut sets: Vec<Vec<usize>> = match &self.request.output.margins {
            Margins::None => return None,
            Margins::All => (0..columns.len()).map(|key| vec![key]).collect(),
            Margins::Of(sets) => {
                let is_of = |set: &[String], key: &usize| set.iter().any(|name| name == columns[*key].name());
                sets.iter().map(|set| (0..columns.len()).filter(|key| is_of(set, key)).collect()).collect()
            }
        };
        sets.retain(|set| !set.is_empty());
        sets.sort_by_cached_key(|set| (set.len(), set.clone()));
        sets.dedup();
        Some(sets)
    }

    /// Returns whether totals are made to add up.
    pub fn totals_add_up(&self) -> TotalsAddUp {
        let output = &self.request.output;
        let Some(sets) = self.margin_sets() else { return TotalsAddUp::NotAsked };
        match (self.kind.rows(), &output.keys) {
            (TableRows::Bins, KeyCells::Named { .. }) => {}
            // Tables of version 2 have no such table beside them.
            (TableRows::Bins, KeyCells::Bare) | (TableRows::Items(_) | TableRows::People(_), _) => {
                return TotalsAddUp::NotAsked;
            }
        }
        let deployed = &self.settled.deployed;
        let every_cell = deployed.universe == Universe::Closed && deployed.publish_from.is_none();
        match (every_cell, deployed.spreads(), self.request.cells()) {
            (true, Some(_), CellCount::Declared(cells)) => {
                match cells <= MOST_CONSISTENT_CELLS && sets.len() <= Margins::MOST {
                    true => TotalsAddUp::Yes,
                    false => TotalsAddUp::TooManyCells,
                }
            }
            (false, _, _) | (true, None, _) | (true, Some(_), CellCount::Found | CellCount::Unstated) => {
                TotalsAddUp::CellsHidden
            }
        }
    }

    /// Returns why totals are not made to add up, where they are asked for and are not.
    pub fn totals_apart_words(&self) -> Option<String> {
        match self.totals_add_up() {
            TotalsAddUp::Yes | TotalsAddUp::NotAsked => None,
            TotalsAddUp::CellsHidden => Some(
                "cells may show nothing, so there will be no totals: margins.csv will have the sums of what is shown, and \
                 say how many cells are missing in each"
                    .into(),
            ),
            TotalsAddUp::TooManyCells => Some(format!(
                "totals are made to add up, in consistent.csv, for tables of at most {MOST_CONSISTENT_CELLS} cells and \
                 {} sets of bins: here they will not be",
                Margins::MOST
            )),
        }
    }

    fn total_errors(&self) -> Vec<TotalErrors> {
        let deployed = &self.settled.deployed;
        let Some(all) = self.request.cells().declared() else { return Vec::new() };
        let variance = |value: i64| Some(deployed.unbiased(value)?.variance.upper());
        let Some(variances) = VALUES.into_iter().map(variance).collect::<Option<Vec<Rational>>>() else {
            return Vec::new();
        };
        let some = CELLS.into_iter().filter(|cells| *cells < all);
        let errors = |cells: u128| TotalErrors {
            cells,
            thousandths: variances.iter().map(|variance| root_in_thousandths(variance, cells)).collect(),
        };
        some.chain([all]).map(errors).collect()
    }

    /// Returns the errors of totals to machines; null where none are asked for.
    pub(crate) fn totals_json(&self) -> Value {
        let add_up = match self.totals_add_up() {
            TotalsAddUp::NotAsked => return Value::Null,
            TotalsAddUp::Yes => true,
            TotalsAddUp::CellsHidden | TotalsAddUp::TooManyCells => false,
        };
        let each = |errors: &TotalErrors| {
            let at = VALUES.into_iter().zip(&errors.thousandths);
            let at = at.map(|(value, error)| json!({ "each_shows": value, "standard_error": decimal(*error) }));
            json!({ "cells": errors.cells.to_string(), "errors": at.collect::<Vec<_>>() })
        };
        json!({
            "consistent": add_up,
            "why_not": self.totals_apart_words(),
            "by_cells": self.total_errors().iter().map(each).collect::<Vec<_>>(),
        })
    }
}

/// Returns what a page says about totals before anything is spent; nothing where none are asked for.
pub(crate) fn blocks(plan: &Plan) -> Vec<Block> {
    if plan.totals_add_up() == TotalsAddUp::NotAsked {
        return Vec::new();
    }
    let mut facts = Facts::default();
    facts.add_all("totals", plan.totals_apart_words());
    let errors = plan.total_errors();
    if errors.is_empty() {
        return vec![facts.block()];
    }
    let spread = match plan.settled.deployed.spreads() {
        Some(Spreads::Unbiased) => "the standard error of a total",
        Some(Spreads::AtMost) | None => "at most the standard error of a total",
    };
    facts.add("totals", format!("{spread}, by how many cells it adds up and by what each of them shows"));
    let values = VALUES.iter().map(|value| format!("each shows {value}"));
    let headings: Vec<String> = ["cells".to_string()].into_iter().chain(values).collect();
    let headings: Vec<(&str, Align)> = headings.iter().map(|heading| (heading.as_str(), Align::Right)).collect();
    let mut table = PageTable::new(&headings);
    for row in &errors {
        let shown = row.thousandths.iter().map(|error| Some(readable(*error)));
        table.rows.push([Some(row.cells.to_string())].into_iter().chain(shown).collect());
    }
    vec![facts.block(), Block::Table(table)]
}

/// Thousandths of the root of so many variances, rounded up.
fn root_in_thousandths(variance: &Rational, cells: u128) -> u128 {
    let scaled: Integer = (variance * Rational::from(cells) * Rational::from(1_000_000u32)).ceil();
    let scaled = u128::try_from(&scaled).unwrap_or(u128::MAX);
    let root = scaled.isqrt();
    if root.checked_mul(root) == Some(scaled) { root } else { root + 1 }
}

fn decimal(thousandths: u128) -> String {
    format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
}

fn readable(thousandths: u128) -> String {
    match thousandths {
        0 => "0".into(),
        some => significant_rounding_up(&(Rational::from(some) / Rational::from(1000u32)), 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Request;

    fn plan(rest: &str) -> Plan {
        let text = format!(
            "release = \"histogram\"\n[[bins]]\nname = \"a\"\ncolumn = \"a\"\nfrom = 0\nto = 300\nwidth = 1\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\n{rest}"
        );
        let request = Request::parse(&text).unwrap_or_else(|error| panic!("{error:?}"));
        Plan::of(&request, None).unwrap_or_else(|refusal| panic!("{refusal}"))
    }

    #[test]
    fn the_error_of_a_total_is_told_by_its_cells_before_anything_is_spent() {
        let told = plan("[mechanism]\nname = \"geometric\"\n[output]\nmargins = true\n").totals_json();
        assert_eq!(told["consistent"], true);
        assert_eq!(told["why_not"], Value::Null);
        // The root of m 2q/(1-q)^2 with q = 1/e, whatever the cells show: 4.2911, 13.5696 and 23.5033, rounded up.
        let found: Vec<(&str, Vec<&str>)> = told["by_cells"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|row| {
                let errors = row["errors"].as_array().expect("a list").iter();
                let errors = errors.map(|at| at["standard_error"].as_str().expect("a text"));
                (row["cells"].as_str().expect("a text"), errors.collect())
            })
            .collect();
        let expected = [("10", "4.292"), ("100", "13.570"), ("300", "23.504")];
        assert_eq!(found, expected.map(|(cells, error)| (cells, vec![error; 4])));
    }

    #[test]
    fn totals_add_up_where_all_cells_show_and_there_are_not_too_many() {
        assert_eq!(plan("").totals_add_up(), TotalsAddUp::NotAsked);
        assert!(blocks(&plan("")).is_empty() && plan("").totals_json().is_null());
        let hidden = plan("[mechanism]\nname = \"geometric\"\nthreshold = 6\n[output]\nmargins = true\n");
        assert_eq!(hidden.totals_add_up(), TotalsAddUp::CellsHidden);
        assert!(hidden.totals_apart_words().is_some_and(|words| words.contains("no totals")));
        let second = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nfrom = 0\nto = 400\nwidth = 1\n";
        let wide = plan(&format!("{second}[output]\nmargins = true\n"));
        assert_eq!(wide.totals_add_up(), TotalsAddUp::TooManyCells);
        assert!(wide.totals_apart_words().is_some_and(|words| words.contains("100000 cells")));
    }

    #[test]
    fn sets_of_bins_come_in_one_order_however_they_are_asked_for() {
        let two = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1]\n[[bins]]\nname = \"c\"\ncolumn = \"c\"\nvalues = [1]\n";
        let sets = |margins: &str| plan(&format!("{two}[output]\nmargins = {margins}\n")).margin_sets();
        assert_eq!(sets("true"), Some(vec![vec![0], vec![1], vec![2]]));
        assert_eq!(sets("[[\"c\", \"a\"], [], \"b\", [\"a\"]]"), Some(vec![vec![0], vec![1], vec![0, 2]]));
        assert_eq!(sets("[[]]"), Some(Vec::new()));
        assert_eq!(sets("false"), None);
    }
}
