//! Edges: half-open intervals of numbers or days, side by side.
//!
//! Equally spaced edges are kept as a rule, so that a million million bins fit; it must never write them out, nor hold
//! edges that do not ascend. It is separate because bins, columns, axes and proofs all have edges. Read `cut.rs` next.

use crate::canonical::{fields, number, read_number};
use crate::date::Date;
use incrowd_exact::Rational;
use serde_json::{Value, json};

/// Strictly ascending edges; interval `i` goes from edge `i` up to but not edge `i + 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edges {
    /// Numbers with equal distances, however they were written.
    Regular {
        /// The first edge.
        from: Rational,
        /// The distance, above zero.
        width: Rational,
        /// How many intervals, at least one.
        intervals: u64,
    },
    /// Numbers with different distances, at least two.
    Numbers(Vec<Rational>),
    /// Days, at least two.
    Dates(Vec<Date>),
}

impl Edges {
    /// Returns equal intervals; nothing if there is none, or they have no width.
    pub fn regular(from: Rational, width: Rational, intervals: u64) -> Option<Edges> {
        (width > Rational::ZERO && intervals > 0).then_some(Edges::Regular { from, width, intervals })
    }

    /// Returns the intervals between numbers; nothing if there are less than two, or they do not ascend.
    pub fn numbers(edges: Vec<Rational>) -> Option<Edges> {
        ascend(&edges).then_some(Edges::Numbers(edges))
    }

    /// Returns the intervals between days; nothing if there are less than two, or they do not ascend.
    pub fn dates(edges: Vec<Date>) -> Option<Edges> {
        ascend(&edges).then_some(Edges::Dates(edges))
    }

    /// Returns how many intervals there are.
    pub fn intervals(&self) -> u64 {
        match self {
            Edges::Regular { intervals, .. } => *intervals,
            Edges::Numbers(edges) => (edges.len() as u64).saturating_sub(1),
            Edges::Dates(edges) => (edges.len() as u64).saturating_sub(1),
        }
    }

    /// Returns the number at edge `index`, from 0 to and including `intervals()`; nothing beyond, nor for days.
    pub fn number(&self, index: u64) -> Option<Rational> {
        match self {
            Edges::Regular { .. } | Edges::Numbers(_) => self.place(index),
            Edges::Dates(_) => None,
        }
    }

    /// Returns the number at edge `index`, of a day the number of days since 1970.
    pub(crate) fn place(&self, index: u64) -> Option<Rational> {
        match self {
            Edges::Regular { from, width, intervals } => {
                (index <= *intervals).then(|| from + width * Rational::from(index))
            }
            Edges::Numbers(edges) => edges.get(usize::try_from(index).ok()?).cloned(),
            Edges::Dates(edges) => edges.get(usize::try_from(index).ok()?).map(day_number),
        }
    }

    /// Where the first interval begins, and where the last ends; days by their numbers, here and below.
    pub(crate) fn range(&self) -> (Rational, Rational) {
        let end = |index: u64| self.place(index).unwrap_or(Rational::ZERO);
        (end(0), end(self.intervals()))
    }

    /// Returns the interval that a number is in.
    pub(crate) fn at(&self, number: &Rational) -> Option<(Rational, Rational)> {
        let interval = self.interval_at(number)?;
        Some((self.place(interval)?, self.place(interval.checked_add(1)?)?))
    }

    /// Returns which interval a number is in.
    pub(crate) fn interval_at(&self, number: &Rational) -> Option<u64> {
        let after = match self {
            Edges::Regular { from, width, .. } => {
                u64::try_from(((number - from) / width).floor()).ok()?.checked_add(1)?
            }
            Edges::Numbers(edges) => edges.partition_point(|edge| edge <= number) as u64,
            Edges::Dates(edges) => edges.partition_point(|edge| day_number(edge) <= *number) as u64,
        };
        after.checked_sub(1).filter(|interval| *interval < self.intervals())
    }

    /// Whether each edge of these is one of the others.
    pub(crate) fn all_among(&self, others: &Edges) -> bool {
        match (self, others) {
            // Ends within the others, and every step a whole number of theirs.
            (Edges::Regular { width, .. }, Edges::Regular { width: step, .. }) => {
                let (low, high) = self.range();
                others.has(&low) && others.has(&high) && (width / step).is_int()
            }
            // There cannot be more of these than of those; stepping ends with the first that is not there.
            (Edges::Regular { intervals, .. }, Edges::Numbers(_) | Edges::Dates(_)) => {
                *intervals <= others.intervals() && self.all(|edge| others.has(edge))
            }
            (Edges::Numbers(_) | Edges::Dates(_), _) => self.all(|edge| others.has(edge)),
        }
    }

    /// Whether a number is one of the edges.
    fn has(&self, number: &Rational) -> bool {
        match self {
            Edges::Regular { from, width, .. } => {
                let (low, high) = self.range();
                low <= *number && *number <= high && ((number - from) / width).is_int()
            }
            Edges::Numbers(edges) => edges.binary_search(number).is_ok(),
            Edges::Dates(edges) => edges.binary_search_by(|edge| day_number(edge).cmp(number)).is_ok(),
        }
    }

    /// Whether all edges are of a kind; ends with the first that is not.
    pub(crate) fn all(&self, of_a_kind: impl Fn(&Rational) -> bool) -> bool {
        (0..=self.intervals()).all(|index| self.place(index).is_some_and(|edge| of_a_kind(&edge)))
    }

    /// Returns the canonical form.
    pub fn canonical(&self) -> Value {
        match self {
            Edges::Regular { from, width, intervals } => {
                json!({ "from": number(from), "width": number(width), "intervals": intervals })
            }
            Edges::Numbers(edges) => json!({ "edges": edges.iter().map(number).collect::<Vec<_>>() }),
            Edges::Dates(edges) => json!({ "days": edges.iter().map(ToString::to_string).collect::<Vec<_>>() }),
        }
    }

    /// Returns the edges behind a canonical form; nothing for any other text.
    pub fn from_canonical(edges: &Value) -> Option<Edges> {
        if let Some([from, width, intervals]) = fields(edges, ["from", "width", "intervals"]) {
            return Edges::regular(read_number(from)?, read_number(width)?, intervals.as_u64()?);
        }
        if let Some([numbers]) = fields(edges, ["edges"]) {
            return Edges::numbers(numbers.as_array()?.iter().map(read_number).collect::<Option<_>>()?);
        }
        let [days] = fields(edges, ["days"])?;
        let day = |day: &Value| Date::from_text(day.as_str()?);
        Edges::dates(days.as_array()?.iter().map(day).collect::<Option<_>>()?)
    }
}

fn day_number(date: &Date) -> Rational {
    Rational::from(date.day_number())
}

fn ascend<T: Ord>(edges: &[T]) -> bool {
    edges.len() >= 2 && edges.is_sorted_by(|low, high| low < high)
}
