//! Statistics of a number, from a published table by bands of it: mean and quantiles of each group, with intervals.
//!
//! Functions of published values alone, in fractions; it must never tell an interval that noise, or what bands cannot
//! tell, would break more often than once in twenty. It is separate from `margins.rs` because a total is a sum and
//! these are not. Read `incrowd_privacy`'s `weighted_sum.rs` for the bounds of sums.
//!
//! **A quantile.** Let `q` be between 0 and 1, `N_i` how many people of a group are in band `i` or below it, and `N`
//! how many there are. Of whatever lies at `q`, or between what does, at least `q N` people have no more and at least
//! `(1 - q) N` no less. So band `i` can only hold it if `(1 - q) N_i` is at least `q (N - N_i)`; the difference grows
//! from band to band. It is bounded from above for the lowest band, the next one, and so on, until a bound is not below
//! zero: all bands before that one are left out. To leave out a band that holds a quantile, the bound of the first such
//! band must have been wrong, which happens at most once in forty times: one bound is at stake, however many bands
//! there are. The other side is the same from above. A bound that leaves out a band leaves out all below it, too, so
//! halving finds where it ends.
//!
//! **The mean.** People of a band that begins at `a` and ends before `b` have from `a N_band` to `b N_band` together.
//! If the mean of the `b`s over all people is above some `c`, the sum of `(b - c)` over all people is above zero. The
//! smallest multiple `c` of the step for which a bound of that sum is not above zero is too small only if the bound at
//! the last multiple below the mean of the `b`s, which is one of them, was wrong; likewise with the `a`s.
//!
//! **Estimates** are made from the numbers that add up, each moved into the interval of its cell: the quantile as if
//! people lay evenly within its band, the mean as if they lay in the middle of theirs; to the step, halves up, and
//! moved into the interval.

use crate::consistent::ConsistentCell;
use crate::glance::Row;
use crate::grouping::{Grouping, LabelColumns};
use crate::plan::Plan;
use crate::request::KeyColumn;
use crate::table::{ESTIMATE, KeyLabels, STATISTIC};
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use incrowd_definition::Codes;
use incrowd_exact::{Rational, decimal_text, number_of};
use incrowd_plan::statistics::PlannedStatistics;
use incrowd_privacy::{LevelsWithin, OneSided, OneSidedEnds, SummedEnds, Weighted};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// The cells of a table by bands, being gathered.
pub(crate) struct Statistics<'p> {
    planned: PlannedStatistics,
    /// The ends of published values; nothing where the law is too large to sum.
    ends: Option<OneSided<'p>>,
    /// The number of the band of each label.
    bands: HashMap<String, usize>,
    sets: Vec<GroupsOfSet>,
}

/// The groups of one set of bins.
struct GroupsOfSet {
    grouping: Grouping,
    groups: Vec<Vec<BandCell>>,
}

/// A published cell of a group.
struct BandCell {
    band: usize,
    /// Nothing where the cell says nothing that could be bounded.
    ends: Option<Rc<OneSidedEnds>>,
}

/// The cells of a group, each of which says something: what is left open of the people in each band.
struct Bounded {
    levels: LevelsWithin,
    bands: Vec<(usize, SummedEnds)>,
}

/// What is told of one statistic of a group.
#[derive(Debug, PartialEq)]
struct Told {
    estimate: Option<Rational>,
    low: Option<Rational>,
    high: Option<Rational>,
}

impl<'p> Statistics<'p> {
    /// Returns the statistics that a plan makes, if it does.
    pub(crate) fn of(plan: &'p Plan) -> Option<Statistics<'p>> {
        let planned = plan.statistics()?.ok()?;
        let columns = plan.request().kind.published();
        let bands = bands(&columns[planned.place], planned.edges.len() - 1)?;
        let sets = planned.sets.iter().cloned();
        let sets = sets.map(|set| GroupsOfSet { grouping: Grouping::of(set), groups: Vec::new() }).collect();
        Some(Statistics { planned, ends: OneSided::of(plan.shown_by()).ok(), bands, sets })
    }

    /// Adds a row of the table of counts that shows this count.
    pub(crate) fn add(&mut self, row: &Row, count: Option<i64>) {
        let label = row.get(self.planned.place).and_then(Option::as_deref);
        let band = label.and_then(|label| self.bands.get(label)).copied();
        let ends = match (&mut self.ends, count) {
            (Some(ends), Some(count)) => ends.ends(count).ok(),
            (_, _) => None,
        };
        for GroupsOfSet { grouping, groups } in &mut self.sets {
            let group = grouping.group(row);
            if group == groups.len() {
                groups.push(Vec::new());
            }
            // Missing and other values are in no band.
            groups[group].extend(band.map(|band| BandCell { band, ends: ends.clone() }));
        }
    }

    /// Returns the rows: set by set, each in the order of the table, the mean and then the quantiles of each group.
    pub(crate) fn rows(&self, columns: &[KeyColumn<'_>], cells: &[ConsistentCell<'_>]) -> Option<RecordBatch> {
        let names: Vec<String> = columns.iter().map(|column| column.name().to_string()).collect();
        let mut labels = LabelColumns::of_each(columns.len());
        let mut statistic = StringBuilder::new();
        let mut numbers: [Vec<Option<Rational>>; 3] = Default::default();
        let of = &names[self.planned.place];
        for set in &self.sets {
            let people = self.people(&set.grouping, cells);
            for group in set.grouping.order(columns) {
                let mut tell = |name: String, told: Told| {
                    labels.push(&names, &set.grouping, group);
                    statistic.append_value(name);
                    for (column, number) in numbers.iter_mut().zip([told.estimate, told.low, told.high]) {
                        column.push(number);
                    }
                };
                let (cells, people) = (Bounded::of(&set.groups[group]), &people[group]);
                let cells = cells.as_ref();
                tell(format!("mean of {of}"), self.mean(cells, people));
                for quantile in &self.planned.quantiles {
                    tell(format!("{} of {of}", quantile_name(quantile)), self.quantile(quantile, cells, people));
                }
            }
        }
        let mut arrays = labels.finish();
        arrays.remove(self.planned.place);
        arrays.push(Arc::new(statistic.finish()));
        let kind = if self.is_whole() { DataType::Int64 } else { DataType::Float64 };
        let towards = [Towards::Nearest, Towards::Below, Towards::Above];
        arrays.extend(numbers.iter().zip(towards).map(|(column, towards)| number_column(column, &kind, towards)));
        let others = names.iter().enumerate().filter(|(at, _)| *at != self.planned.place);
        let mut fields: Vec<Field> = others.map(|(_, name)| Field::new(name, DataType::Utf8, true)).collect();
        fields.push(Field::new(STATISTIC, DataType::Utf8, false));
        fields.extend([ESTIMATE, "low", "high"].map(|name| Field::new(name, kind.clone(), true)));
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).ok()
    }

    /// Whether all edges and steps are whole numbers that a column can hold, and so are means one step beyond.
    fn is_whole(&self) -> bool {
        let PlannedStatistics { edges, step, .. } = &self.planned;
        edges.iter().all(|edge| [edge - step, edge.clone(), edge + step].iter().all(|number| whole(number).is_some()))
    }

    /// How many people of each group are in each band, by the numbers that add up.
    fn people(&self, grouping: &Grouping, cells: &[ConsistentCell<'_>]) -> Vec<Vec<i128>> {
        let mut people = vec![vec![0; self.planned.edges.len() - 1]; grouping.len()];
        for ConsistentCell { labels, people: in_cell } in cells {
            let own = grouping.keys().iter().map(|key| labels[*key].clone()).collect();
            let band = labels[self.planned.place].as_deref().and_then(|label| self.bands.get(label));
            if let (Some(group), Some(band)) = (grouping.place(&own), band) {
                people[group][*band] += in_cell;
            }
        }
        people
    }

    fn mean(&self, cells: Option<&Bounded>, people: &[i128]) -> Told {
        let edges = &self.planned.edges;
        let all: i128 = people.iter().sum();
        let middle = |band: usize| (&edges[band] + &edges[band + 1]) / Rational::from(2u8);
        let together = people.iter().enumerate().map(|(band, people)| middle(band) * Rational::from(*people));
        let together = together.fold(Rational::ZERO, |sum, part| sum + part);
        let mean = (all > 0).then(|| together / Rational::from(all));
        let bounds = cells.and_then(|cells| self.mean_bounds(cells));
        self.told(mean, bounds)
    }

    /// The multiples of the step between which the mean lies.
    fn mean_bounds(&self, cells: &Bounded) -> Option<(Rational, Rational)> {
        let PlannedStatistics { edges, step, .. } = &self.planned;
        let place = |number: &Rational| i64::try_from(&(number / step).floor()).ok();
        let (first, last) = (place(edges.first()?)?, place(edges.last()?)? + 1);
        let at = |place: i64| step * Rational::from(place);
        // The people of each band times how far its edge lies from `c`.
        let units = Rational::from(self.planned.units.clone());
        let sums = |side: usize, c: &Rational| cells.weighted(|band| (&edges[band + side] - c) * &units);
        // From the last edge on no weight is above zero, and up to the first none below it.
        let high = first_that(first, last, |place| Some(cells.levels.highest(&sums(1, &at(place))?)? <= 0))?;
        let low = first_that(first, last, |place| Some(cells.levels.lowest(&sums(0, &at(place))?)? < 0))? - 1;
        Some((at(low), at(high)))
    }

    fn quantile(&self, quantile: &Rational, cells: Option<&Bounded>, people: &[i128]) -> Told {
        let edges = &self.planned.edges;
        let all: i128 = people.iter().sum();
        let bounds = cells.and_then(|cells| self.quantile_bands(quantile, cells));
        let bounds = bounds.map(|(low, high)| (edges[low].clone(), edges[high + 1].clone()));
        self.told((all > 0).then(|| self.interpolated(quantile, people, all)), bounds)
    }

    /// The first and the last band in which the quantile may lie.
    fn quantile_bands(&self, quantile: &Rational, cells: &Bounded) -> Option<(usize, usize)> {
        let last = i64::try_from(self.planned.edges.len()).ok()? - 2;
        let rest = Rational::ONE - quantile;
        let parts = Rational::from(quantile.denominator().clone());
        let (below, above) = (&rest * &parts, quantile * &parts);
        // Whether the band, or any before it, may hold the quantile; the last one is never left out.
        let up_to = |band: i64| {
            let weight = |own: usize| if own as i64 <= band { below.clone() } else { -above.clone() };
            Some(cells.levels.highest(&cells.weighted(weight)?)? >= 0)
        };
        // Whether the band, or any after it, may; the first one is never left out.
        let from = |band: i64| {
            let weight = |own: usize| if own as i64 >= band { above.clone() } else { -below.clone() };
            Some(cells.levels.highest(&cells.weighted(weight)?)? >= 0)
        };
        let low = first_that(0, last, up_to)?;
        let high = first_that(1, last + 1, |band| Some(!from(band)?))? - 1;
        Some((usize::try_from(low).ok()?, usize::try_from(high).ok()?))
    }

    /// Where the quantile lies if people lie evenly within each band.
    fn interpolated(&self, quantile: &Rational, people: &[i128], all: i128) -> Rational {
        let edges = &self.planned.edges;
        let wanted = quantile * Rational::from(all);
        let mut before = 0i128;
        for (band, people) in people.iter().enumerate() {
            if *people > 0 && Rational::from(before + people) >= wanted {
                let part = (&wanted - Rational::from(before)) / Rational::from(*people);
                return &edges[band] + part * (&edges[band + 1] - &edges[band]);
            }
            before += people;
        }
        edges[edges.len() - 1].clone()
    }

    /// To the step, halves up, and moved into the interval.
    fn told(&self, estimate: Option<Rational>, bounds: Option<(Rational, Rational)>) -> Told {
        let step = &self.planned.step;
        let half = Rational::ONE / Rational::from(2u8);
        let estimate = estimate.map(|estimate| {
            let rounded = step * Rational::from((estimate / step + half).floor());
            match &bounds {
                Some((low, high)) => rounded.max(low.clone()).min(high.clone()),
                None => rounded,
            }
        });
        let (low, high) = bounds.unzip();
        Told { estimate, low, high }
    }
}

/// A column of numbers: whole ones as they are, others as doubles, of which none cuts an interval.
fn number_column(numbers: &[Option<Rational>], kind: &DataType, towards: Towards) -> ArrayRef {
    let numbers = numbers.iter().map(Option::as_ref);
    if kind == &DataType::Int64 {
        return Arc::new(numbers.map(|number| number.and_then(whole)).collect::<Int64Array>());
    }
    Arc::new(numbers.map(|number| number.map(|number| towards.double(number))).collect::<Float64Array>())
}

/// A number that a column of whole numbers holds.
fn whole(number: &Rational) -> Option<i64> {
    if number.is_int() { i64::try_from(number.numerator()).ok() } else { None }
}

/// Where a number goes that no double is.
#[derive(Clone, Copy)]
enum Towards {
    Nearest,
    Below,
    Above,
}

impl Towards {
    fn double(self, number: &Rational) -> f64 {
        let nearest = number.to_f64().value();
        // Its shortest decimal is what files without types show, and what a double stands for.
        if number_of(&nearest.to_string()).as_ref() == Some(number) {
            return nearest;
        }
        let exact = Rational::try_from(nearest).ok();
        match (self, exact) {
            (Towards::Below, Some(exact)) if &exact > number => nearest.next_down(),
            (Towards::Above, Some(exact)) if &exact < number => nearest.next_up(),
            (Towards::Nearest | Towards::Below | Towards::Above, _) => nearest,
        }
    }
}

/// The number of the band of each label.
fn bands(column: &KeyColumn<'_>, bands: usize) -> Option<HashMap<String, usize>> {
    let labels = KeyLabels::of(column).ok()?;
    let declared = labels.declared()?;
    let codes = Codes::of(declared);
    let label = |band: usize| {
        let text = declared.label(band as u64)?.text()?.into_owned();
        // What stands for other and missing values comes after the bands.
        (codes.code(Some(&text)) == Some(band as u64)).then_some((text, band))
    };
    (0..bands).map(label).collect()
}

impl Bounded {
    /// Returns the cells of a group by their bands; nothing where a cell says nothing, or there is surely nobody.
    fn of(cells: &[BandCell]) -> Option<Bounded> {
        let mut by_band: BTreeMap<usize, Vec<Rc<OneSidedEnds>>> = BTreeMap::new();
        let mut somebody = false;
        for BandCell { band, ends } in cells {
            let ends = ends.as_ref()?;
            somebody |= ends.high.iter().any(|high| *high > 0);
            by_band.entry(*band).or_default().push(Rc::clone(ends));
        }
        let levels = LevelsWithin::of(cells.len()).ok().filter(|_| somebody)?;
        Some(Bounded { levels, bands: by_band.into_iter().map(|(band, ends)| (band, SummedEnds::of(&ends))).collect() })
    }

    /// The counts of each band with its weight, which is a whole number.
    fn weighted(&self, weight: impl Fn(usize) -> Rational) -> Option<Vec<Weighted<'_>>> {
        let one = |(band, ends)| {
            let weight: Rational = weight(band);
            let whole = if weight.is_int() { i64::try_from(weight.numerator()).ok() } else { None };
            whole.map(|weight| Weighted { ends, weight })
        };
        self.bands.iter().map(|(band, ends)| one((*band, ends))).collect()
    }
}

/// The first place for which something holds, which then holds for all after it, and surely for the last one.
fn first_that(first: i64, last: i64, holds: impl Fn(i64) -> Option<bool>) -> Option<i64> {
    let (mut from, mut to) = (first, last);
    while from < to {
        let middle = from + (to - from) / 2;
        if holds(middle)? {
            to = middle;
        } else {
            from = middle + 1;
        }
    }
    Some(from)
}

/// What a quantile is called: by its percentage where that is a decimal.
fn quantile_name(quantile: &Rational) -> String {
    let percent = decimal_text(&(quantile * Rational::from(100u8)));
    match percent.as_str() {
        "50" => "median".into(),
        fraction if fraction.contains('/') => format!("{quantile} quantile"),
        percent => format!("{percent} % quantile"),
    }
}

#[cfg(test)]
mod tests;
