//! A comparison for people: what changed, cell by cell, and how to read it.
//!
//! Every sentence is true of the numbers beside it: what noise may explain is never called a change. It is separate
//! from the numbers because it is an order of sentences. Read `cells.rs` for what is said of a cell.

use super::cells::{CellDiff, CellValue, Verdict};
use super::diff_json::percent;
use super::{Diff, DiffSide, TableRelation};
use incrowd_report::{Align, Block, Facts, Page, PageTable};

/// So many cells are on a page; files have all of them.
const MOST_ROWS: usize = 500;

impl Diff {
    /// Returns the comparison as a page.
    pub fn page(&self) -> Page {
        let mut page = Page::titled("What changed");
        page.subtitle = format!("from {} to {}", self.old.folder, self.new.folder);
        if self.relation == TableRelation::SameRelease {
            page.add("", vec![self.facts().block(), Block::Paragraph(SAME_RELEASE.into())]);
            return page;
        }
        page.add("", vec![self.facts().block()]);
        if self.cells.is_empty() {
            let words = match (self.left_out, self.comparisons) {
                (0, 0) => "Neither table shows a cell: there is nothing to compare.",
                (_, _) => "No change is more than noise.",
            };
            page.add("", vec![Block::Paragraph(words.into())]);
        } else {
            let mut blocks = vec![Block::Table(self.table())];
            if self.cells.iter().take(MOST_ROWS).any(|cell| is_change_by_itself(cell, self.comparisons)) {
                blocks.push(Block::Note(format!(
                    "\"{}\": looked at by itself, this cell would have changed, for 0 is not between its two numbers. But of {} \
                     cells that are looked at together up to 1 in 20 looks so where nothing changed, so that more is asked of \
                     each.",
                    one_of(self.comparisons),
                    self.comparisons
                )));
            }
            if self.cells.len() > MOST_ROWS {
                blocks.push(Block::Note(format!(
                    "The first {MOST_ROWS} of {} cells; `--to FILE.csv` writes all of them.",
                    self.cells.len()
                )));
            }
            page.add("", blocks);
        }
        page.add("How to read it", vec![Block::List(self.reading())]);
        page.add("What may not be concluded", vec![Block::List(self.cautions.clone())]);
        page
    }

    fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        facts.add("old", side_words(&self.old));
        facts.add("new", side_words(&self.new));
        facts.add(
            "tables",
            match self.relation {
                TableRelation::Same => "the same cells in both",
                TableRelation::NewIsCoarser => "the new one is coarser: cells of the old one were added up",
                TableRelation::OldIsCoarser => "the old one is coarser: cells of the new one were added up",
                TableRelation::SameRelease => "one release, in two folders",
            },
        );
        facts.add("cost", "nothing: only what is published was read, no data and no ledger");
        if self.relation == TableRelation::SameRelease {
            return facts;
        }
        let compared = match self.comparisons {
            1 => "1 cell, which both show".to_string(),
            number => format!("{number} cells, which both show"),
        };
        facts.add("compared", compared);
        facts.add("more than noise", self.changed().to_string());
        if self.left_out > 0 {
            facts.add("left out", format!("{} cells without a change that is more than noise", self.left_out));
        }
        if self.other_periods > 0 {
            facts.add("not compared", format!("{} rows of periods that are not in the comparison", self.other_periods));
        }
        facts
    }

    fn table(&self) -> PageTable {
        let keys = self.headings.iter().map(|heading| (heading.as_str(), Align::Left));
        let rest = [
            ("old", Align::Right),
            ("new", Align::Right),
            ("change", Align::Right),
            ("lies between", Align::Right),
            ("in per cent", Align::Right),
            ("more than noise?", Align::Left),
        ];
        let mut table = PageTable::new(&keys.chain(rest).collect::<Vec<_>>());
        table.rows = self.cells.iter().take(MOST_ROWS).map(|cell| row(cell, self.comparisons)).collect();
        table
    }

    fn reading(&self) -> Vec<String> {
        let mut words = vec![
            "Both tables have noise. The change of the true count lies between the two numbers 95 times of 100, for \
                each cell by itself and whatever the true counts are; of many such intervals some miss."
                .to_string(),
            format!(
                "\"More than noise\" takes into account that {} compared: the chance that any cell without a change is \
                    called so is at most 5 % in all (Holm's method).",
                match self.comparisons {
                    1 => "1 cell was".to_string(),
                    number => format!("{number} cells were"),
                }
            ),
            "\"May be noise\" does not say that nothing changed.".into(),
            "Per cent are of published values, and left out where the old count may be 0.".into(),
        ];
        let sums = |cell: &CellDiff| {
            [cell.old, cell.new].iter().any(|value| match value {
                CellValue::Count { cells, .. } => *cells > 1,
                CellValue::Between { .. } | CellValue::Hidden => false,
            })
        };
        if self.cells.iter().any(sums) {
            words.push("Cells were added up as unbiased values: sums whose mean is the true sum.".into());
        }
        let hidden = |value: CellValue| value == CellValue::Hidden;
        for (side, name, is_hidden) in [
            (&self.old, "old", self.cells.iter().any(|cell| hidden(cell.old))),
            (&self.new, "new", self.cells.iter().any(|cell| hidden(cell.new))),
        ] {
            if let (true, Some(shows)) = (is_hidden, &side.shows) {
                words.push(format!("A cell that is not shown is not an empty one. In the {name} table, {shows}."));
            }
        }
        words
    }
}

const SAME_RELEASE: &str = "Both folders hold one release, paid for by one charge: the same draw, presented in two ways. \
    Nothing can have changed between them, and there is nothing to test.";

fn side_words(side: &DiffSide) -> String {
    let mut parts = vec![side.folder.clone()];
    parts.extend(side.dataset.iter().map(|dataset| format!("dataset {dataset}")));
    parts.extend(side.snapshot.iter().map(|snapshot| format!("snapshot {snapshot}")));
    parts.extend(side.condition.iter().map(|condition| format!("where {condition}")));
    parts.extend(side.part.iter().map(|part| format!("part {part}")));
    parts.extend(side.period.iter().map(|period| format!("period {period}")));
    parts.join(", ")
}

/// Whether a change would be more than noise if no other cell were looked at, and is not as one of many.
fn is_change_by_itself(cell: &CellDiff, comparisons: usize) -> bool {
    let leaves_out_zero = cell.interval.is_some_and(|interval| interval.low > 0 || interval.high < 0);
    cell.verdict == Verdict::MayBeNoise && leaves_out_zero && comparisons > 1
}

fn one_of(comparisons: usize) -> String {
    format!("may be noise, as 1 of {comparisons}")
}

fn row(cell: &CellDiff, comparisons: usize) -> Vec<Option<String>> {
    let value = |value: CellValue| match value {
        CellValue::Count { thousandths, .. } => rounded(thousandths).to_string(),
        CellValue::Between { low, high } => format!("{low} to {high}"),
        CellValue::Hidden => "not shown".into(),
    };
    let signed = |number: i128| if number > 0 { format!("+{number}") } else { number.to_string() };
    let by_itself = one_of(comparisons);
    let verdict = match (cell.verdict, cell.old, cell.new) {
        (Verdict::Up, _, _) => "yes, more",
        (Verdict::Down, _, _) => "yes, fewer",
        (Verdict::MayBeNoise, _, _) if is_change_by_itself(cell, comparisons) => by_itself.as_str(),
        (Verdict::MayBeNoise, _, _) => "may be noise",
        (Verdict::NotCompared, CellValue::Hidden, CellValue::Hidden) => "shown in neither",
        (Verdict::NotCompared, CellValue::Hidden, _) => "not shown before",
        (Verdict::NotCompared, _, _) => "not shown now",
    };
    let mut cells: Vec<Option<String>> =
        cell.key.iter().map(|label| Some(label.clone().unwrap_or_else(|| "(missing)".into()))).collect();
    cells.push(Some(value(cell.old)));
    cells.push(Some(value(cell.new)));
    cells.push(cell.change.map(|change| signed(rounded(change))));
    cells.push(cell.interval.map(|interval| format!("{} and {}", signed(interval.low), signed(interval.high))));
    cells.push(cell.relative.as_ref().map(|share| {
        let text = percent(share);
        if text.starts_with('-') || text == "0" { text } else { format!("+{text}") }
    }));
    cells.push(Some(verdict.into()));
    cells
}

/// Thousandths as a whole number, halves up.
fn rounded(thousandths: i128) -> i128 {
    (thousandths * 2 + 1000).div_euclid(2000)
}
