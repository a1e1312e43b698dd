//! Sentences about what was found.
//!
//! It must never soften a number, nor say of a loss another cause than the one it was counted under. It is separate
//! because the page and the object for machines say the same. Read `page.rs` next.

use incrowd_engine_datafusion::{Advice, Change, DayOrders, Helped, LossCause, RowsInQuotes};
use incrowd_release::chance::percent;
use incrowd_release::request::{Request, Unit};

/// What is said beside everything that was found.
pub const NOT_COVERED: &str = "What is shown here depends on the data without protection. A limit, a bin, an edge or a \
    period that is chosen by looking at it is a choice that the promise does not cover: choose by what is known of the \
    world, and use this page to find mistakes.";

/// What is said beside a limit that was found by looking.
pub const CHOSEN_BY_LOOKING: &str = "a limit chosen by looking is a choice that the promise does not cover";

/// Who is lost, exactly.
pub const LOST: &str = "Lost is who is in the data and not left out by `where`, and is counted in no bin, or is counted as \
    missing because a value could not be read. Of several causes the first of this list counts. A person with several \
    rows is lost if none of them is counted. A row without an identifier is taken for one person.";

/// Returns a share as people read it.
pub fn share_words(share: f64) -> String {
    percent(share)
}

/// Returns why people are lost.
pub fn cause_words(cause: &LossCause, request: &Request) -> String {
    match cause {
        LossCause::BadRow => "their rows have too few or too many fields, and on-bad-row = \"skip\"".into(),
        LossCause::NoUnit => match request.data.as_ref().map(|data| &data.unit) {
            Some(Unit::Person { column, .. }) => format!("no identifier in {column:?}"),
            Some(Unit::People { column }) => format!("no number of people in {column:?}"),
            Some(Unit::Row) | None => "no identifier".into(),
        },
        LossCause::Undecided => "`where` needs a value that cannot be read".into(),
        LossCause::Unread { bin } => format!("bin {bin:?}: the value cannot be read"),
        LossCause::Missing { bin } => {
            let hint = if request.kind.bin_of(bin).is_some() { " (nulls = \"bin\" counts them)" } else { "" };
            format!("bin {bin:?}: the value is missing{hint}")
        }
        LossCause::NoBin { bin } => {
            let hint = if request.kind.bin_of(bin).is_some() { " (other = true counts them)" } else { "" };
            format!("bin {bin:?}: the value is in none of its bins{hint}")
        }
        LossCause::NoPeriod { bin } => format!("bin {bin:?}: it is in none of the periods"),
        LossCause::NoGroup => "their points are in none of the boxes".into(),
        LossCause::CountedAsMissing { bin } => format!("bin {bin:?}: counted as missing, for the value cannot be read"),
    }
}

/// Returns the name of a cause for machines.
pub fn cause_name(cause: &LossCause) -> (&'static str, Option<&str>) {
    match cause {
        LossCause::BadRow => ("bad-row", None),
        LossCause::NoUnit => ("no-identifier", None),
        LossCause::Undecided => ("undecided", None),
        LossCause::Unread { bin } => ("unreadable", Some(bin)),
        LossCause::Missing { bin } => ("missing", Some(bin)),
        LossCause::NoBin { bin } => ("no-bin", Some(bin)),
        LossCause::NoPeriod { bin } => ("no-period", Some(bin)),
        LossCause::NoGroup => ("no-box", None),
        LossCause::CountedAsMissing { bin } => ("counted-as-missing", Some(bin)),
    }
}

/// Returns what values tell of the order of day and month.
pub fn day_order_words(orders: &DayOrders) -> String {
    let DayOrders { said, other, only_said, only_other, both } = orders;
    let told = match (only_said, only_other) {
        (0, 0) => "No value tells which is right".to_owned(),
        (only_said, only_other) => {
            format!("{only_said} values fit the first alone and {only_other} the second alone, which cannot be read")
        }
    };
    format!(
        "{both} values are one day as {said} and another day as {other}. {told}: a release reads {said}, as the request \
         says."
    )
}

/// Returns what is said of fields that may be rows between quotes.
pub fn rows_in_quotes_words(found: &RowsInQuotes) -> String {
    let RowsInQuotes { fields, rows, .. } = found;
    let fields = match fields {
        1 => "1 field between quotes goes over several lines, each of which looks like a row".to_owned(),
        fields => format!("{fields} fields between quotes go over several lines, each of which looks like a row"),
    };
    let rows = if *rows == 1 { "1 row is".to_owned() } else { format!("{rows} rows are") };
    format!(
        "{fields}. If a quote is missing or one is too many there, {rows} not counted. Text over several lines is lawful."
    )
}

/// Returns what is said of formulas without results.
pub fn uncomputed_words(cells: u64) -> String {
    let (cells, they) = match cells {
        1 => ("1 cell has a formula whose result is".to_owned(), "it is"),
        cells => (format!("{cells} cells have formulas whose results are"), "they are"),
    };
    format!("{cells} not in the file: {they} missing. Open the workbook where it computes, and save it")
}

/// Returns a change with why, and what it helps.
pub fn advice_words(advice: &Advice) -> String {
    let ways: Vec<String> = advice.ways.iter().map(|way| way_words(way)).collect();
    let ways = ways.join(", or ");
    let choose =
        if advice.ways.len() > 1 { "; the data does not tell which: choose by what you know of it" } else { "" };
    let helped = match advice.helped {
        Some(Helped::Readable { rows, of, untried }) => {
            format!(" ({rows} of {of} values can then be read{})", untried_words(untried))
        }
        Some(Helped::Missing { rows, untried }) => {
            format!(" ({rows} values are then missing, and nothing else{})", untried_words(untried))
        }
        Some(Helped::Binned { rows, of, untried }) => {
            format!(" ({rows} of {of} values then have a bin{})", untried_words(untried))
        }
        None => String::new(),
    };
    format!("{}: {ways}{helped}{choose}", advice.because)
}

fn untried_words(untried: u64) -> String {
    if untried == 0 { String::new() } else { format!("; it was not tried on {untried} more") }
}

fn way_words(way: &[Change]) -> String {
    way.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
}

/// Returns `1`, `2 to 5`, ..., the ranges of sizes that some bin has, with how many bins and people are in each.
pub fn ranges(bins_by_size: &std::collections::BTreeMap<u64, u64>) -> Vec<(String, u64, u64)> {
    let mut ranges = Vec::new();
    let Some(largest) = bins_by_size.keys().next_back().copied() else { return ranges };
    let (mut from, mut to) = (1u64, 1u64);
    loop {
        let inside = bins_by_size.range(from..=to);
        let (bins, people) = inside.fold((0u64, 0u64), |(bins, people), (size, count)| {
            (bins.saturating_add(*count), people.saturating_add(size.saturating_mul(*count)))
        });
        if bins > 0 {
            let name = if from == to { from.to_string() } else { format!("{from} to {to}") };
            ranges.push((name, bins, people));
        }
        if to >= largest {
            return ranges;
        }
        from = to.saturating_add(1);
        to = next_end(to);
    }
}

/// 1, 5, 10, 20, 50, 100, 200, 500, ...
fn next_end(end: u64) -> u64 {
    if end < 5 {
        return 5;
    }
    let mut power = 1u64;
    while power.saturating_mul(10) <= end {
        power = power.saturating_mul(10);
    }
    match end / power {
        1 => power.saturating_mul(2),
        2 => power.saturating_mul(5),
        _ => power.saturating_mul(10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_bin_is_in_one_range() {
        let sizes = BTreeMap::from([(1, 4), (5, 2), (6, 1), (20, 3), (21, 1), (1_000, 1), (u64::MAX, 1)]);
        let found = ranges(&sizes);
        let names: Vec<&str> = found.iter().map(|(name, _, _)| name.as_str()).take(6).collect();
        assert_eq!(names, ["1", "2 to 5", "6 to 10", "11 to 20", "21 to 50", "501 to 1000"]);
        assert_eq!(found.iter().map(|(_, bins, _)| bins).sum::<u64>(), 13);
        assert_eq!(found[1], ("2 to 5".into(), 2, 10));
        assert!(ranges(&BTreeMap::new()).is_empty());
    }
}
