//! Ways to write days that would make unreadable ones readable.
//!
//! Ways are made of the shapes of the unreadable texts themselves and tried on all of them. It must never choose
//! between day first and month first where no text decides it. It is separate because it knows how people write days.
//! Read `../trial.rs` for how ways are tried.

use super::numbers::UnreadTexts;
use incrowd_engine::Dialect;
use incrowd_engine::written::{DateWay, date_written, read_differently};
use std::collections::BTreeSet;

/// At most so many ways are advised.
const MOST_WAYS: usize = 4;
/// Shapes are taken from so many texts.
const MOST_TEXTS: usize = 256;
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Ways to write days that would help.
pub(crate) struct OtherWays {
    /// None of them contradicts another one, or one that is said.
    pub(crate) ways: Vec<String>,
    /// The same with day and month exchanged in each way of which the texts do not tell which of them is first.
    pub(crate) exchanged: Option<Vec<String>>,
    /// Whether some texts fit only the one order and some only the other: then no reading of all is right.
    pub(crate) is_mixed: bool,
}

/// A way that would read more, and a way of the request with which it cannot stand.
pub(crate) struct ContradictedWay {
    pub(crate) said: String,
    pub(crate) other: String,
    /// How many unreadable values it fits.
    pub(crate) rows: u64,
}

/// Returns the ways that make the most rows readable; nothing where none helps.
pub(crate) fn other_ways(columns: &[UnreadTexts<'_>], dialect: &Dialect) -> Option<OtherWays> {
    let candidates = candidates(columns);
    let with =
        |ways: &[String]| Dialect { dates: dialect.dates.iter().chain(ways).cloned().collect(), ..dialect.clone() };
    let rows = |ways: &[String]| -> u64 { columns.iter().map(|column| column.read_rows(&with(ways))).sum() };
    let mut chosen: Vec<String> = Vec::new();
    let mut best = 0;
    while chosen.len() < MOST_WAYS {
        let free = candidates.iter().filter(|way| dialect.dates.iter().chain(&chosen).all(|known| agree(known, way)));
        let next = free.map(|way| {
            let ways: Vec<String> = chosen.iter().cloned().chain([way.clone()]).collect();
            (rows(&ways), std::cmp::Reverse(is_month_first(way)), ways)
        });
        match next.max() {
            Some((more, _, ways)) if more > best => (best, chosen) = (more, ways),
            Some(_) | None => break,
        }
    }
    if chosen.is_empty() {
        return None;
    }
    let orders: Vec<Order> = chosen.iter().map(|way| order(columns, way)).collect();
    let other = chosen.iter().zip(&orders).map(|(way, order)| match order {
        Order::Told => way.clone(),
        Order::Untold | Order::Mixed => exchanged(way),
    });
    let other: Vec<String> = other.collect();
    let is_mixed = orders.contains(&Order::Mixed);
    Some(OtherWays { exchanged: (other != chosen).then_some(other), ways: chosen, is_mixed })
}

/// Returns the way that fits the most unreadable texts and contradicts a way of the request.
pub(crate) fn contradicted_way(columns: &[UnreadTexts<'_>], dialect: &Dialect) -> Option<ContradictedWay> {
    let found = candidates(columns).into_iter().filter_map(|other| {
        let said = dialect.dates.iter().find(|said| !agree(said, &other))?.clone();
        let alone = Dialect { dates: vec![other.clone()], ..dialect.clone() };
        let rows = columns.iter().map(|column| column.read_rows(&alone)).sum();
        Some(ContradictedWay { said, other, rows })
    });
    found.filter(|found| found.rows > 0).max_by_key(|found| found.rows)
}

fn candidates(columns: &[UnreadTexts<'_>]) -> BTreeSet<String> {
    let texts = columns.iter().flat_map(|column| &column.texts);
    texts.take(MOST_TEXTS).flat_map(|(text, _)| ways_of(text)).collect()
}

/// Whether two ways are different and read no text as two days.
fn agree(one: &str, other: &str) -> bool {
    match (DateWay::of(one), DateWay::of(other)) {
        (Some(first), Some(second)) => one != other && read_differently(&first, &second).is_none(),
        (None, _) | (_, None) => true,
    }
}

/// What texts tell of the order of day and month.
#[derive(PartialEq, Eq)]
enum Order {
    /// Some fit only this order, and none only the other.
    Told,
    /// All fit both.
    Untold,
    /// Some fit only this one, and some only the other.
    Mixed,
}

fn order(columns: &[UnreadTexts<'_>], way: &str) -> Order {
    let other = exchanged(way);
    let reads = |text: &str, way: &str| DateWay::of(way).is_some_and(|way| date_written(text, &way).is_some());
    let only = |way: &str, other: &str| {
        let mut texts = columns.iter().flat_map(|column| &column.texts);
        texts.any(|(text, _)| reads(text, way) && !reads(text, other))
    };
    match (only(way, &other), only(&other, way)) {
        (_, true) => Order::Mixed,
        (true, false) => Order::Told,
        (false, false) => Order::Untold,
    }
}

fn is_month_first(way: &str) -> bool {
    way.find("%m") < way.find("%d")
}

/// The same way with day and month exchanged; a month that is a word stays where it is.
pub(crate) fn exchanged(way: &str) -> String {
    if !way.contains("%m") {
        return way.to_owned();
    }
    way.replace("%d", "%\u{0}").replace("%m", "%d").replace("%\u{0}", "%m")
}

/// A piece of a text.
enum Piece<'t> {
    Digits(&'t str),
    Letters(&'t str),
    Sign(char),
}

/// Returns the ways in which a text could be a day or a moment.
fn ways_of(text: &str) -> Vec<String> {
    let pieces = pieces(text);
    // The time of day begins with the number before the first colon.
    let colon = pieces.iter().position(|piece| matches!(piece, Piece::Sign(':')));
    let (day, time) = match colon {
        Some(colon) if colon > 0 => pieces.split_at(colon - 1),
        Some(_) => return Vec::new(),
        None => (&pieces[..], &[][..]),
    };
    let Some(time) = time_of_day(time) else { return Vec::new() };
    days(day).into_iter().map(|day| format!("{day}{time}")).collect()
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = |is: fn(char) -> bool| rest.find(|letter| !is(letter)).unwrap_or(rest.len());
        let length = if first.is_ascii_digit() {
            let length = run(|letter| letter.is_ascii_digit());
            pieces.push(Piece::Digits(&rest[..length]));
            length
        } else if first.is_alphabetic() {
            let length = run(char::is_alphabetic);
            pieces.push(Piece::Letters(&rest[..length]));
            length
        } else {
            pieces.push(Piece::Sign(first));
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    pieces
}

/// Returns the ways in which pieces could be a day.
fn days(pieces: &[Piece<'_>]) -> Vec<String> {
    let mut numbers = Vec::new();
    let mut words = 0;
    for piece in pieces {
        match piece {
            Piece::Digits(digits) => numbers.push(digits.len()),
            Piece::Letters(letters) if is_month(letters) => words += 1,
            Piece::Letters(_) | Piece::Sign(_) => {}
        }
    }
    let parts: &[&[&str]] = match (numbers.as_slice(), words) {
        ([8], 0) => &[&["%Y%m%d"], &["%d%m%Y"], &["%m%d%Y"]],
        ([4, _, _], 0) => &[&["%Y", "%m", "%d"], &["%Y", "%d", "%m"]],
        ([1 | 2, 1 | 2, 4], 0) => &[&["%d", "%m", "%Y"], &["%m", "%d", "%Y"]],
        ([1 | 2, 1 | 2, 2], 0) => &[&["%d", "%m", "%y"], &["%m", "%d", "%y"], &["%y", "%m", "%d"]],
        ([4, 1 | 2], 1) => &[&["%Y", "%d"]],
        ([1 | 2, 4], 1) => &[&["%d", "%Y"]],
        ([1 | 2, 2], 1) => &[&["%d", "%y"]],
        _ => &[],
    };
    parts.iter().map(|parts| filled(pieces, parts)).collect()
}

fn filled(pieces: &[Piece<'_>], parts: &[&str]) -> String {
    let mut parts = parts.iter();
    let mut way = String::new();
    for piece in pieces {
        match piece {
            Piece::Digits(_) => way.push_str(parts.next().copied().unwrap_or_default()),
            Piece::Letters(letters) if is_month(letters) => way.push_str(if letters.len() == 3 { "%b" } else { "%B" }),
            Piece::Letters(letters) => way.push_str(letters),
            Piece::Sign('%') => way.push_str("%%"),
            Piece::Sign(sign) => way.push(*sign),
        }
    }
    way
}

fn is_month(letters: &str) -> bool {
    let begin = letters.get(..3).map(str::to_lowercase);
    begin.is_some_and(|begin| MONTHS.contains(&begin.as_str()))
}

/// Returns how a time of day is written; nothing where it is none.
fn time_of_day(pieces: &[Piece<'_>]) -> Option<String> {
    let half = pieces.iter().any(|piece| match piece {
        Piece::Letters(letters) => ["am", "pm"].contains(&letters.to_lowercase().as_str()),
        Piece::Digits(_) | Piece::Sign(_) => false,
    });
    let mut parts = [if half { "%I" } else { "%H" }, "%M", "%S", "%f"].into_iter();
    let mut way = String::new();
    for piece in pieces {
        match piece {
            Piece::Digits(_) => way.push_str(parts.next()?),
            Piece::Letters(_) if half => way.push_str("%p"),
            Piece::Letters(_) => return None,
            Piece::Sign('%') => way.push_str("%%"),
            Piece::Sign(sign) => way.push(*sign),
        }
    }
    Some(way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::trial::Target;
    use incrowd_engine::ColumnType;

    fn found(texts: &[&str]) -> Option<OtherWays> {
        let texts = texts.iter().map(|text| (*text, 1)).collect();
        other_ways(&[unread(texts)], &Dialect::default())
    }

    fn unread<'t>(texts: Vec<(&'t str, u64)>) -> UnreadTexts<'t> {
        UnreadTexts { target: Target { kind: ColumnType::Date, timezone: "UTC" }, texts, untried: 0 }
    }

    fn read_rows(texts: &[&str], ways: &[String]) -> u64 {
        let texts = texts.iter().map(|text| (*text, 1)).collect();
        unread(texts).read_rows(&Dialect { dates: ways.to_vec(), ..Dialect::default() })
    }

    #[test]
    fn ways_are_found_from_the_texts_themselves() {
        for (texts, expected) in [
            (&["31.12.2020", "01.02.2021"][..], &["%d.%m.%Y"][..]),
            (&["12/31/2020", "1/2/2021"], &["%m/%d/%Y"]),
            (&["31/12/20", "01/02/21"], &["%d/%m/%y"]),
            (&["2020/12/31"], &["%Y/%m/%d"]),
            (&["31 Dec 2020", "1 May 2021"], &["%d %b %Y"]),
            (&["December 31, 2020", "June 1, 2020"], &["%B %d, %Y"]),
            (&["31.12.2020 23:59", "01.02.2021 00:00"], &["%d.%m.%Y %H:%M"]),
            (&["12/31/2020 11:59:00 PM"], &["%m/%d/%Y %I:%M:%S %p"]),
            (&["31.12.2020", "30/11/2020"], &["%d.%m.%Y", "%d/%m/%Y"]),
        ] {
            let found = found(texts).unwrap_or_else(|| panic!("{texts:?}"));
            assert_eq!(read_rows(texts, &found.ways), texts.len() as u64, "{texts:?}: {:?}", found.ways);
            let ways: BTreeSet<&str> = found.ways.iter().map(String::as_str).collect();
            assert_eq!(ways, expected.iter().copied().collect(), "{texts:?}");
            assert_eq!(found.exchanged, None, "{texts:?}");
        }
    }

    #[test]
    fn day_or_month_first_is_left_open_where_no_text_decides() {
        let open = found(&["01/02/2021", "03/04/2021"]).expect("ways");
        assert_eq!(open.ways, ["%d/%m/%Y"]);
        assert_eq!(open.exchanged.expect("open"), ["%m/%d/%Y"]);
        // What points decide says nothing of slashes.
        let half = found(&["31.12.2020", "01/02/2021"]).expect("ways");
        let ways = |ways: Vec<String>| ways.into_iter().collect::<BTreeSet<String>>();
        assert_eq!(ways(half.ways), ways(vec!["%d.%m.%Y".into(), "%d/%m/%Y".into()]));
        assert_eq!(half.exchanged.map(ways), Some(ways(vec!["%d.%m.%Y".into(), "%m/%d/%Y".into()])));
    }

    #[test]
    fn two_orders_with_the_same_signs_are_never_advised_together() {
        let texts = ["31/12/2020", "30/12/2020", "12/31/2020", "01/02/2020"];
        let mixed = found(&texts).expect("a way");
        assert_eq!(read_rows(&texts, &mixed.ways), 3);
        assert_eq!((mixed.ways, mixed.exchanged), (vec!["%d/%m/%Y".to_owned()], Some(vec!["%m/%d/%Y".to_owned()])));
        assert!(mixed.is_mixed);
    }

    #[test]
    fn a_way_that_contradicts_the_request_is_not_added_to_it() {
        let columns = [unread(vec![("12/31/2020", 5), ("31.12.2020", 1)])];
        let dialect = Dialect { dates: vec!["%d/%m/%Y".into()], ..Dialect::default() };
        assert_eq!(other_ways(&columns, &dialect).expect("a way").ways, ["%d.%m.%Y"]);
        let against = contradicted_way(&columns, &dialect).expect("a way");
        assert_eq!((&*against.said, &*against.other, against.rows), ("%d/%m/%Y", "%m/%d/%Y", 5));
        assert!(contradicted_way(&columns, &Dialect::default()).is_none());
    }

    #[test]
    fn what_is_no_day_has_no_way() {
        for text in ["2020-13-45", "31.02.2021", "tomorrow", "44196", "", "::", "12:30", "Q1 2020"] {
            assert!(found(&[text]).is_none(), "{text}");
        }
    }
}
