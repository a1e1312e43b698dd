//! Which bin a value is in, as an expression that gives the bin's number, missing where the row is not counted.
//!
//! Edges become the least values of the column's own type that are not below them, computed here and compared there, so
//! that no server's decimals or texts decide. It must never round an edge. It is separate because it repeats, in SQL,
//! what `engine::thresholds` defines. Read `statement.rs` for what numbers of bins are put together.

use crate::dialect::SqlDialect;
use crate::value::NotPushed;
use incrowd_engine::thresholds::{ceil_f64, ceil_i64, ceil_i128};
use incrowd_engine::{Cut, Date, Dimension, Edges, Expression, ListedValues, RowType, coded_names};
use incrowd_exact::Rational;

/// So many values or edges are written into one statement; a longer list is looked up on this machine.
const MOST_LISTED: u64 = 4_096;

/// So few intervals of equal width are compared with their edges rather than divided.
const FEW: u64 = 4;

/// So many values are compared one by one at the end of a search.
const LEAF: usize = 8;

/// Returns the number of the bin of a value of a declared dimension.
pub(crate) fn code(
    dialect: &dyn SqlDialect,
    dimension: &Dimension<Expression>,
    value: &str,
    kind: &RowType,
) -> Result<String, NotPushed> {
    let cannot = |what: &str| NotPushed::because(format!("bin {:?} {what}", dimension.name));
    let is_long = || cannot(&format!("lists more than {MOST_LISTED} values, which are looked up here"));
    let symbol = |code: Option<u64>| code.map_or("NULL".to_owned(), |code| code.to_string());
    let (other, missing) = (symbol(dimension.other_code()), symbol(dimension.null_code()));
    let bins = Bins { dialect, value, other: &other };
    let Some(listed) = dimension.cut.listed() else { return Err(cannot("is found in the data")) };
    let found = match (&dimension.cut, kind) {
        (Cut::Values(ListedValues::Texts(texts)), RowType::Text) if texts.len() as u64 <= MOST_LISTED => {
            bins.texts(texts.iter().map(String::as_str).zip(0..).collect())
        }
        (Cut::Named(names), RowType::Text) if names.len() as u64 <= MOST_LISTED => {
            bins.texts(coded_names(names).map(|(text, _, code)| (text, code)).collect())
        }
        (Cut::Values(ListedValues::Texts(_)) | Cut::Named(_), RowType::Text) => return Err(is_long()),
        (_, _) if listed > MOST_LISTED && !matches!(&dimension.cut, Cut::Edges(Edges::Regular { .. })) => {
            return Err(is_long());
        }
        (Cut::Values(ListedValues::Booleans(truths)), RowType::Boolean) => {
            let place = |truth: bool| truths.iter().position(|listed| *listed == truth);
            let code = |truth| place(truth).map_or(other.clone(), |place| place.to_string());
            let (yes, no) = (code(true), code(false));
            Some(format!("CASE WHEN {value} THEN {yes} WHEN NOT {value} THEN {no} ELSE {other} END"))
        }
        (Cut::Values(ListedValues::Integers(integers)), RowType::Integer) => {
            bins.listed(integers.iter().copied().zip(0..).collect(), &|integer| Some(dialect.integer(*integer)))
        }
        (Cut::Values(ListedValues::Days(days)), RowType::Date) => {
            bins.listed(days.iter().map(|day| day.days()).zip(0..).collect(), &written_day)
        }
        (Cut::Edges(Edges::Dates(days)), RowType::Date) => {
            let edges = days.len();
            bins.between(days.iter().map(|day| day.days()).collect(), edges, &written_day)
        }
        (Cut::Periods(periods), RowType::Date) => {
            let starts = periods.starts().map(Date::days);
            let end = i32::try_from(periods.unit().next(periods.last().day_number())).ok();
            let edges = usize::try_from(listed).unwrap_or(usize::MAX).saturating_add(1);
            bins.between(starts.chain(end).collect(), edges, &written_day)
        }
        (Cut::Edges(Edges::Numbers(edges)), kind) => bins.numbers(&mut edges.iter().cloned(), edges.len(), kind),
        (Cut::Edges(Edges::Regular { from, width, intervals }), kind) => {
            match bins.regular(from, width, *intervals, kind) {
                Some(divided) => Some(divided),
                None if *intervals > MOST_LISTED => return Err(is_long()),
                None => {
                    let edges = std::iter::successors(Some(from.clone()), |edge| Some(edge + width));
                    let count = *intervals as usize + 1;
                    bins.numbers(&mut edges.take(count), count, kind)
                }
            }
        }
        (_, _) => None,
    };
    let found = found.ok_or_else(|| cannot("has values that no server has in this form"))?;
    // What is missing is in no listed bin, as any other value: it is looked at by itself only if that is another bin.
    if missing == other && *kind != RowType::Number {
        return Ok(format!("CAST({found} AS bigint)"));
    }
    let mut unusual = format!("CASE WHEN {value} IS NULL THEN {missing}");
    if *kind == RowType::Number {
        // Columns are not tidied on their way to edges.
        unusual += &format!(" WHEN {} IS NULL THEN {missing}", dialect.tidied(value));
        unusual += &format!(" WHEN {} THEN {other}", dialect.is_infinite(value));
    }
    Ok(format!("CAST({unusual} ELSE {found} END AS bigint)"))
}

fn written_day(day: &i32) -> Option<String> {
    Some(format!("({day})"))
}

/// A value on its way to the number of its bin.
struct Bins<'a> {
    dialect: &'a dyn SqlDialect,
    value: &'a str,
    other: &'a str,
}

impl Bins<'_> {
    fn texts(&self, listed: Vec<(&str, u64)>) -> Option<String> {
        self.listed(listed, &|text| self.dialect.text(text))
    }

    /// The number of a listed value, which is the first of equal ones: by halves, as texts and numbers are sorted.
    fn listed<T: Ord>(&self, mut listed: Vec<(T, u64)>, write: &dyn Fn(&T) -> Option<String>) -> Option<String> {
        listed.sort_by(|(one, _), (another, _)| one.cmp(another));
        listed.dedup_by(|(later, _), (earlier, _)| later == earlier);
        self.halves_of_listed(&listed, write)
    }

    fn halves_of_listed<T>(&self, listed: &[(T, u64)], write: &dyn Fn(&T) -> Option<String>) -> Option<String> {
        if listed.is_empty() {
            return Some(self.other.to_owned());
        }
        if listed.len() <= LEAF {
            // The value is made once for all of them.
            let mut text = format!("CASE {}", self.value);
            for (value, code) in listed {
                text += &format!(" WHEN {} THEN {code}", write(value)?);
            }
            return Some(format!("{text} ELSE {} END", self.other));
        }
        let (low, high) = listed.split_at(listed.len() / 2);
        let middle = write(&high.first()?.0)?;
        let (low, high) = (self.halves_of_listed(low, write)?, self.halves_of_listed(high, write)?);
        Some(format!("CASE WHEN {} < {middle} THEN {low} ELSE {high} END", self.value))
    }

    /// The number of the interval between edges of numbers.
    fn numbers(&self, edges: &mut dyn Iterator<Item = Rational>, count: usize, kind: &RowType) -> Option<String> {
        match kind {
            RowType::Integer => {
                let reached = edges.map_while(|edge| ceil_i64(&edge)).collect();
                self.between(reached, count, &|edge| Some(self.dialect.integer(*edge)))
            }
            RowType::Decimal { precision, scale } => {
                let reached = edges.map_while(|edge| ceil_i128(&edge, *scale));
                let reached = within_digits(reached, *precision);
                self.between(reached, count, &|edge| Some(self.dialect.decimal(*edge, *precision, *scale)))
            }
            RowType::Number => {
                let reached = edges.map_while(|edge| ceil_f64(&edge)).collect();
                self.between(reached, count, &|edge| Some(self.dialect.number(*edge)))
            }
            _ => None,
        }
    }

    /// The number of the interval between thresholds: those that can be reached, of so many edges in all.
    fn between<T>(&self, reached: Vec<T>, edges: usize, write: &dyn Fn(&T) -> Option<String>) -> Option<String> {
        let written = reached.iter().map(write).collect::<Option<Vec<_>>>()?;
        let Some(first) = written.first() else { return Some(self.other.to_owned()) };
        // The last edge ends the last interval; if it is beyond the type, the last interval has no end.
        let (inner, below_last) = match written.split_last() {
            Some((last, before)) if written.len() == edges => (before, format!(" AND {} < {last}", self.value)),
            Some(_) | None => (&written[..], String::new()),
        };
        let inside = self.halves(inner, 0);
        Some(format!("CASE WHEN {} >= {first}{below_last} THEN {inside} ELSE {} END", self.value, self.other))
    }

    /// The number of the last of these ascending edges that a value is not below; it is not below the first.
    fn halves(&self, edges: &[String], number: usize) -> String {
        if edges.len() <= 1 {
            return number.to_string();
        }
        let (low, high) = edges.split_at(edges.len() / 2);
        let (below, above) = (self.halves(low, number), self.halves(high, number + low.len()));
        format!("CASE WHEN {} < {} THEN {below} ELSE {above} END", self.value, high[0])
    }

    /// The number of the interval of equal width, divided; nothing where whole units do not count them, or where a
    /// difference could be too long for the server.
    fn regular(&self, from: &Rational, width: &Rational, intervals: u64, kind: &RowType) -> Option<String> {
        if intervals <= FEW {
            return None;
        }
        let (precision, scale) = match kind {
            RowType::Integer => (19, 0),
            RowType::Decimal { precision, scale } => (*precision, *scale),
            _ => return None,
        };
        let unit = Rational::from(incrowd_exact::Natural::from(10u8).pow(usize::try_from(scale).ok()?));
        let width = width * unit;
        if !width.is_int() {
            return None;
        }
        let width = i64::try_from(width.numerator().clone()).ok()?;
        let from = i64::try_from(ceil_i128(from, scale)?).ok()?;
        let length = i128::from(width).checked_mul(i128::from(intervals))?;
        let end = i64::try_from(i128::from(from).checked_add(length)?).ok()?;
        i64::try_from(length).ok()?;
        let write = |units: i64| match kind {
            RowType::Integer => self.dialect.integer(units),
            _ => self.dialect.decimal(i128::from(units), precision, scale),
        };
        let (first, last, value) = (write(from), write(end), self.value);
        let quotient = self.dialect.quotient(value, &first, &write(width), kind)?;
        Some(format!("CASE WHEN {value} >= {first} AND {value} < {last} THEN {quotient} ELSE {} END", self.other))
    }
}

/// An edge that has more digits than the column is beyond all of its values, above or below.
fn within_digits(edges: impl Iterator<Item = i128>, precision: u8) -> Vec<i128> {
    let end = 10i128.checked_pow(u32::from(precision)).unwrap_or(i128::MAX);
    edges.take_while(|edge| *edge < end).map(|edge| edge.max(-end + 1)).collect()
}
