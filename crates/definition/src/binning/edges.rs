//! Edges of half-open intervals, side by side.
//!
//! Numbers are exact, days are counted from 1970. It must never write out equally spaced edges: there may be a million
//! million. It is separate because subsets of edges are all that the proofs need of them. Read `dimension.rs` next.

use incrowd_exact::Rational;

/// Strictly ascending edges; interval `i` goes from edge `i` up to but not edge `i + 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Edges {
    /// At least one interval, of a width above zero.
    Regular { from: Rational, width: Rational, intervals: u64 },
    /// At least two edges.
    Listed(Vec<Rational>),
}

impl Edges {
    pub(super) fn regular(from: Rational, width: Rational, intervals: u64) -> Option<Edges> {
        (width > Rational::ZERO && intervals > 0).then_some(Edges::Regular { from, width, intervals })
    }

    pub(super) fn listed(edges: Vec<Rational>) -> Option<Edges> {
        (edges.len() >= 2 && edges.is_sorted_by(|low, high| low < high)).then_some(Edges::Listed(edges))
    }

    /// Where the first interval begins, and where the last ends.
    pub(super) fn range(&self) -> (Rational, Rational) {
        match self {
            Edges::Regular { from, width, intervals } => (from.clone(), from + width * Rational::from(*intervals)),
            Edges::Listed(edges) => {
                let end = |edge: Option<&Rational>| edge.cloned().unwrap_or(Rational::ZERO);
                (end(edges.first()), end(edges.last()))
            }
        }
    }

    /// Returns the interval that a number is in.
    pub(super) fn at(&self, number: &Rational) -> Option<(Rational, Rational)> {
        match self {
            Edges::Regular { from, width, intervals } => {
                let place = u64::try_from(((number - from) / width).floor()).ok().filter(|place| place < intervals)?;
                let low = from + width * Rational::from(place);
                let high = &low + width;
                Some((low, high))
            }
            Edges::Listed(edges) => {
                let after = edges.partition_point(|edge| edge <= number);
                Some((edges.get(after.checked_sub(1)?)?.clone(), edges.get(after)?.clone()))
            }
        }
    }

    /// Whether each edge of these is one of the others.
    pub(super) fn all_among(&self, others: &Edges) -> bool {
        match self {
            Edges::Regular { from, width, intervals } => match others {
                // Ends within the others, and every step a whole number of theirs.
                Edges::Regular { width: step, .. } => {
                    let (low, high) = self.range();
                    others.has(&low) && others.has(&high) && (width / step).is_int()
                }
                // There cannot be more of these than of those; stepping ends with the first that is not there.
                Edges::Listed(list) => {
                    *intervals < list.len() as u64
                        && (0..=*intervals).all(|place| others.has(&(from + width * Rational::from(place))))
                }
            },
            Edges::Listed(edges) => edges.iter().all(|edge| others.has(edge)),
        }
    }

    /// Whether a number is one of the edges.
    fn has(&self, number: &Rational) -> bool {
        match self {
            Edges::Regular { from, width, .. } => {
                let (low, high) = self.range();
                low <= *number && *number <= high && ((number - from) / width).is_int()
            }
            Edges::Listed(edges) => edges.binary_search(number).is_ok(),
        }
    }

    /// Whether all edges are of a kind; ends with the first that is not.
    pub(super) fn all(&self, of_a_kind: impl Fn(&Rational) -> bool) -> bool {
        match self {
            Edges::Regular { from, width, intervals } => {
                (0..=*intervals).all(|place| of_a_kind(&(from + width * Rational::from(place))))
            }
            Edges::Listed(edges) => edges.iter().all(of_a_kind),
        }
    }
}
