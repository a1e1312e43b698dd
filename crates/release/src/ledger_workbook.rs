//! A book as a workbook of spreadsheet programs: its entries, its accounts, and words about both.
//!
//! It must never say anything that the rows do not: exact numbers are texts, and decimals beside them numbers. It is
//! separate from the rows, which a file of text holds as well. Read `ledger_table.rs` for them.

use crate::ledger_table::{ACCOUNT_COLUMNS, ENTRY_COLUMNS, LedgerCell, LedgerRow, account_rows, entry_row};
use incrowd_evidence::WriteError;
use incrowd_evidence::files::{PlainCell, PlainColumn, PlainSheet, plain_workbook};
use incrowd_ledger::{Account, Entry};

/// What stands in place of a promise that is written out count by count.
pub const LONG: &str = "(long text: incrowd ledger export --as json has it)";

/// Returns the workbook; `head` is the hash of the book's last entry, of all accounts.
pub fn workbook(accounts: &[Account], entries: &[Entry], head: &str) -> Result<Vec<u8>, WriteError> {
    let accounts: Vec<LedgerRow> = accounts.iter().flat_map(account_rows).collect();
    let entries: Vec<LedgerRow> = entries.iter().map(entry_row).collect();
    let sheets = [
        sheet("entries", &ENTRY_COLUMNS, &entries),
        sheet("accounts", &ACCOUNT_COLUMNS, &accounts),
        about(entries.len(), head),
    ];
    plain_workbook(&sheets, LONG)
}

fn sheet(name: &str, columns: &[&'static str], rows: &[LedgerRow]) -> PlainSheet {
    let cells = |row: &LedgerRow| columns.iter().map(|column| plain(row.get(column))).collect();
    PlainSheet {
        name: name.into(),
        columns: columns.iter().map(|name| PlainColumn { heading: (*name).into(), width: width(name) }).collect(),
        rows: rows.iter().map(cells).collect(),
    }
}

fn plain(cell: Option<&LedgerCell>) -> PlainCell {
    match cell {
        None => PlainCell::Nothing,
        Some(LedgerCell::Text(text) | LedgerCell::Exact(text)) => PlainCell::Text(text.clone()),
        Some(LedgerCell::Decimal(text)) => PlainCell::Decimal(text.clone()),
        Some(LedgerCell::Moment(moment)) => PlainCell::Moment(moment.unix_seconds()),
    }
}

/// How wide a column is: whoever opens the book sees words whole, and of hashes that they are there.
fn width(column: &str) -> u16 {
    match column {
        "seq" | "charges" | "refused" => 8,
        "time" | "opened" => 20,
        "table" | "folder" | "note" | "promised" | "overdrawn" | "policy" | "mind" => 44,
        name if name.ends_with("_decimal") => 12,
        _ => 16,
    }
}

fn about(entries: usize, head: &str) -> PlainSheet {
    let lines = [
        ("what it is", format!("The account book of incrowd, with {entries} entries in the sheet entries.")),
        ("time", "In UTC, by the clock of whoever wrote the entry.".into()),
        (
            "numbers",
            "Exact ones are texts, such as 1/2. Beside them are decimals of twelve digits: what is spent, and budgets, \
             rounded up; what is left, rounded down."
                .into(),
        ),
        (
            "adding up",
            "Nothing is ever refunded, whatever became of a release. What an account has spent in all follows from rules \
             and need not be the sum of a column: see the sheet accounts."
                .into(),
        ),
        ("head", head.into()),
        ("checking", format!("incrowd ledger verify --head {head}")),
    ];
    let column = |heading: &str, width| PlainColumn { heading: heading.into(), width };
    PlainSheet {
        name: "about".into(),
        columns: vec![column("about", 16), column("words", 110)],
        rows: lines.map(|(what, words)| vec![PlainCell::Text(what.into()), PlainCell::Text(words)]).into(),
    }
}
