//! Whether days could be read with day and month exchanged, and whether the data tells which is right.
//!
//! The whole data is read once more in the other order, and again by both. It must never decide which order is right:
//! it counts what each fits. It is separate because days that are misread look like any others, so that nothing else
//! here can see them. Read `advice/dates.rs` for days that cannot be read at all.

use super::advice::exchanged;
use super::proposals::Trouble;
use incrowd_engine::written::{DateWay, read_differently};
use incrowd_engine::{ColumnType, Dialect, Query};

/// What values tell of the order of day and month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayOrders {
    /// The way of the request.
    pub said: String,
    /// The same with day and month exchanged.
    pub other: String,
    /// How many values fit the one alone.
    pub only_said: u64,
    /// How many values, which cannot be read now, fit the other alone.
    pub only_other: u64,
    /// How many values are one day in the one and another day in the other.
    pub both: u64,
}

/// Returns the order of day and month of the first way of a request that could be exchanged, where values could be
/// misread: some are two days, and no value, or not every value, tells the order that is said.
pub(super) fn day_orders(trouble: &Trouble<'_>, unread_in: &dyn Fn(&Query) -> Option<u64>) -> Option<DayOrders> {
    let dialect = &trouble.query.source.dialect;
    let (said, other) = dialect.dates.iter().find_map(|said| {
        let other = exchanged(said);
        read_differently(&DateWay::of(said)?, &DateWay::of(&other)?)?;
        Some((said.clone(), other))
    })?;
    let in_ways = |dates: Vec<String>| {
        let mut query = trouble.query.clone();
        query.source.dialect = Dialect { dates, ..dialect.clone() };
        unread_in(&query)
    };
    let in_place = |way: &String| if *way == said { other.clone() } else { way.clone() };
    let now = trouble.unread();
    let unread_in_other = in_ways(dialect.dates.iter().map(in_place).collect())?;
    let alone = Dialect { dates: vec![other.clone()], ..dialect.clone() };
    let texts = trouble.texts(&[ColumnType::Date, ColumnType::Timestamp]);
    let only_other: u64 = texts.iter().map(|(_, texts)| texts.read_rows(&alone)).sum();
    // What neither order reads is unread in both.
    let only_said = unread_in_other.saturating_add(only_other).saturating_sub(now);
    if only_said > 0 && only_other == 0 {
        return None;
    }
    let unread_in_both = in_ways(dialect.dates.iter().cloned().chain([other.clone()]).collect())?;
    let both = unread_in_both.saturating_add(only_other).saturating_sub(now);
    (both > 0).then_some(DayOrders { said, other, only_said, only_other, both })
}
