//! Pairs of cells whose exact counts can be subtracted.
//!
//! An example for people, from definitions alone: it must never look at data, and never show a pair of which one cell
//! does not lie within the other without saying so. It is separate from the proofs because nothing is granted by an
//! example: it only says why something is refused (CB Prop 7). Read `../binning.rs` for what is granted.

use super::cell::{Naming, Part, Within, parts, quoted, short, source, value, within};
use super::judged::Judged;
use super::{Binning, Difference, Kind, Side};
use std::collections::HashSet;

/// Two cells of different binnings.
#[derive(Debug)]
pub(super) struct Pair<'b> {
    larger: &'b Binning,
    smaller: &'b Binning,
    /// One for each dimension of the larger binning, in its order.
    pub(super) shared: Vec<Shared<'b>>,
    /// The dimensions that only the smaller binning has.
    pub(super) extra: Vec<(&'b Judged, Part<'b>)>,
}

/// The two bins of a source that both binnings have; the smaller lies within the larger.
#[derive(Debug)]
pub(super) struct Shared<'b> {
    pub(super) dimension: &'b Judged,
    pub(super) larger: Part<'b>,
    pub(super) smaller: Part<'b>,
    pub(super) within: Within,
}

/// Returns a cell of one binning that holds a cell of the other, and more.
pub(super) fn contained<'b>(larger: &'b Binning, smaller: &'b Binning) -> Option<Pair<'b>> {
    let no_narrower = larger.snapshot == smaller.snapshot
        && (larger.condition.is_none() || larger.condition == smaller.condition)
        && (larger.split.is_none() || larger.split == smaller.split);
    let narrower = larger.condition != smaller.condition || larger.split != smaller.split;
    if no_narrower { pair(larger, smaller, narrower) } else { None }
}

/// Returns a cell that both binnings have, in different snapshots or under different conditions.
pub(super) fn overlapping<'b>(first: &'b Binning, second: &'b Binning) -> Option<Pair<'b>> {
    let one_differs = match (&first.condition, &second.condition) {
        (one, other) if one == other => first.snapshot != second.snapshot,
        (Some(_), Some(_)) => first.snapshot == second.snapshot,
        (None, _) | (_, None) => false,
    };
    if first.split != second.split || !one_differs {
        return None;
    }
    let same = |pair: &Pair| pair.extra.is_empty() && pair.shared.iter().all(|one| one.within == Within::Equal);
    pair(first, second, true).filter(same)
}

/// Returns two cells of which one says no more than the other; it says less, unless it is narrower anyway.
fn pair<'b>(larger: &'b Binning, smaller: &'b Binning, narrower: bool) -> Option<Pair<'b>> {
    if !comparable(larger, smaller) {
        return None;
    }
    let twin = |wide: &Judged| smaller.dimensions.iter().find(|narrow| narrow.source == wide.source);
    let twins: Vec<_> = larger.dimensions.iter().map(|wide| Some((wide, twin(wide)?))).collect::<Option<_>>()?;
    let is_extra = |narrow: &&Judged| larger.dimensions.iter().all(|wide| wide.source != narrow.source);
    let some = |narrow: &'b Judged| Some((narrow, parts(narrow, narrow).into_iter().next()?));
    let extra: Vec<_> = smaller.dimensions.iter().filter(is_extra).map(some).collect::<Option<_>>()?;
    let choices: Vec<_> = twins
        .into_iter()
        .map(|(wide, narrow)| (bins(wide, narrow, Within::Equal), bins(wide, narrow, Within::Strictly)))
        .collect();
    let mut narrower = narrower || !extra.is_empty() || choices.iter().any(|(equal, _)| equal.is_none());
    let mut shared = Vec::with_capacity(choices.len());
    for (equal, strict) in choices {
        // One dimension that is cut more finely is enough, and reads best.
        let chosen = if narrower { equal.or(strict) } else { strict.or(equal) }?;
        narrower |= chosen.within == Within::Strictly;
        shared.push(chosen);
    }
    narrower.then_some(Pair { larger, smaller, shared, extra })
}

/// Returns a bin of each dimension, of which the second lies within the first in this way.
fn bins<'b>(wide: &'b Judged, narrow: &'b Judged, wanted: Within) -> Option<Shared<'b>> {
    let (larger, smaller) = (parts(wide, narrow), parts(narrow, wide));
    // "Other" less "other" leaves what one of them lists, which reads best.
    let others = smaller.iter().filter(|part| matches!(part, Part::Unlisted(_)) && wanted == Within::Strictly);
    let smaller: Vec<&Part> = others.chain(&smaller).collect();
    let mut pairs = larger.iter().flat_map(|one| smaller.iter().map(move |other| (one, *other)));
    let (one, other) = pairs.find(|(one, other)| within(wide, one, narrow, other) == Some(wanted))?;
    Some(Shared { dimension: wide, larger: one.clone(), smaller: other.clone(), within: wanted })
}

/// Whether counts of both are numbers of people in cells, of which each person is in at most one.
fn comparable(one: &Binning, other: &Binning) -> bool {
    let in_one_bin = one.frame.unit.bins_per_person() == 1;
    let no_twins = |binning: &Binning| {
        let mut seen = HashSet::new();
        binning.dimensions.iter().all(|dimension| seen.insert(&dimension.source))
    };
    let histograms = (&one.kind, &other.kind) == (&Kind::Histogram, &Kind::Histogram);
    in_one_bin && histograms && one.frame == other.frame && no_twins(one) && no_twins(other)
}

impl Pair<'_> {
    /// Returns the example in words.
    pub(super) fn difference(&self, larger_of: Side) -> Difference {
        let smaller_of = match larger_of {
            Side::First => Side::Second,
            Side::Second => Side::First,
        };
        let (mut larger, mut smaller, mut whole) = (Vec::new(), Vec::new(), Vec::new());
        // What both cells say, and for each reason why the smaller is smaller who is left, where that has a name.
        let (mut common, mut rest) = (Vec::new(), Vec::new());
        for Shared { dimension, larger: wide, smaller: narrow, within } in &self.shared {
            larger.push(wide.named(dimension, Naming::Alone));
            whole.push(wide.named(dimension, Naming::Same));
            match within {
                Within::Equal => {
                    common.push(wide.named(dimension, Naming::Same));
                    smaller.push(narrow.named(dimension, Naming::Same));
                }
                Within::Strictly => {
                    smaller.push(narrow.named(dimension, Naming::Inside));
                    rest.push(wide.without(narrow, dimension));
                }
            }
        }
        for (dimension, part) in &self.extra {
            smaller.push(part.named(dimension, Naming::One));
            rest.push(None);
        }
        if let (None, Some(split)) = (&self.larger.split, &self.smaller.split) {
            rest.push(None);
            smaller.push(format!("{} {}", short(&split.column), value(&split.part)));
        }
        let (mut larger, mut smaller, whole) = (larger.join(", "), smaller.join(", "), whole.join(", "));
        // Of reasons that are none of a cell: who is left, in a sentence.
        let mut only = None;
        if self.larger.snapshot != self.smaller.snapshot {
            rest.push(None);
            only = Some(format!("whoever of {whole} came, went or changed between the two snapshots"));
            let state = |binning: &Binning| match &binning.snapshot {
                Some(name) => format!("in snapshot {}", quoted(name)),
                None => "in a state of the data that nobody named".to_owned(),
            };
            larger = format!("{larger} {}", state(self.larger));
            smaller = format!("{smaller} {}", state(self.smaller));
        }
        match (&self.larger.condition, &self.smaller.condition) {
            (None, None) => {}
            (Some(one), Some(other)) if one == other => {}
            (Some(one), Some(other)) => {
                let (one, other) = (short(one), short(other));
                rest.push(None);
                only = Some(format!("whoever of {whole} meets only one of the conditions ({one}) and ({other})"));
                larger = format!("{larger} where ({one})");
                smaller = format!("{smaller} where ({other})");
            }
            (None, Some(condition)) | (Some(condition), None) => {
                let condition = short(condition);
                rest.push(None);
                only = Some(format!("everybody in {whole} who does not meet the condition ({condition})"));
                smaller = format!("{smaller} where ({condition})");
            }
        }
        let left = match (rest.as_slice(), only) {
            ([Some(named)], _) => {
                common.push(named.clone());
                common.join(", ")
            }
            ([None], Some(only)) => only,
            (_, _) => format!("everybody else in {whole}"),
        };
        Difference { larger, larger_of, smaller, smaller_of, left }
    }
}

/// Returns a total, all but one of the cells that add up to it, and that one.
pub(super) fn margin(binning: &Binning) -> Option<Difference> {
    if !comparable(binning, binning) {
        return None;
    }
    let bins: Vec<_> = binning.dimensions.iter().map(|one| (one, parts(one, one))).collect();
    // Bins that are found are any number of bins.
    let many = |(_, bins): &(&Judged, Vec<Part>)| bins.len() > 1 || bins.iter().any(Part::is_any);
    let last = bins.iter().rposition(many)?;
    let mut total = Vec::new();
    let mut names = (String::new(), String::new());
    for (place, (dimension, bins)) in bins.iter().enumerate() {
        let part = bins.first()?;
        let (name, name_of_source) = (part.named(dimension, Naming::Alone), source(dimension));
        if place == last && part.is_any() {
            names = (part.named(dimension, Naming::Others), part.named(dimension, Naming::One));
        } else if place == last {
            names = (format!("all of {name_of_source} but {}", part.label()), name);
        } else {
            total.push(name);
        }
    }
    let (others, cell) = names;
    let with = |part: String| total.iter().cloned().chain([part]).collect::<Vec<_>>().join(", ");
    let larger = if total.is_empty() { "everybody who is counted".to_owned() } else { total.join(", ") };
    Some(Difference {
        larger,
        larger_of: Side::First,
        smaller: with(others),
        smaller_of: Side::First,
        left: with(cell),
    })
}
