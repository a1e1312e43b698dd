//! Whether a table by bands of a number gives its median, quantiles and mean, and of which groups.
//!
//! A function of the plan alone; it must never let a statistic through whose interval would not hold: of cells that are
//! hidden, of people who are in several bins, of a sample. It is separate from `totals.rs` because totals may be had
//! where statistics may not. Read `incrowd_privacy`'s `weighted_sum.rs` for the intervals.

use crate::kinds::TableRows;
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::request::{BandStatistics, Cut, Edges, KeyCells, KeyColumn, Request};
use crate::table_refusal::{NoStatistics, TableRefusal};
use crate::totals::TotalsAddUp;
use incrowd_exact::{Integer, Rational};
use incrowd_privacy::{LARGEST_WEIGHT, MOST_SUMMED};
use incrowd_report::{Block, Facts};
use serde_json::{Value, json};

/// Estimates, and the bounds of means, have steps of at most so small a part of the narrowest band.
const STEPS_IN_A_BAND: u32 = 100;
/// No edge lies so many steps from zero.
const FURTHEST_STEP: i64 = 1 << 50;
/// At most so many cells, counted once for each set of bins and each statistic, so that nobody waits for minutes.
const MOST_WORK: u128 = 1_000_000;

/// Statistics that a plan makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedStatistics {
    /// Which of the published columns has the bands.
    pub place: usize,
    /// Where the bands begin and end.
    pub edges: Vec<Rational>,
    /// The sets of bins by which there are statistics, as places among the columns; the empty one is over all, and
    /// last.
    pub sets: Vec<Vec<usize>>,
    /// Which quantiles.
    pub quantiles: Vec<Rational>,
    /// Estimates, and the bounds of means, are multiples of this: a power of ten.
    pub step: Rational,
    /// All edges, and the step, are multiples of one by this.
    pub units: Integer,
}

impl Plan {
    /// Returns this plan, or refuses statistics that no release would make, before somebody reviews the rest.
    pub fn with_its_statistics(self) -> Result<Plan, Refusal> {
        match self.statistics() {
            Some(Err(refusal)) => Err(refusal.into()),
            Some(Ok(_)) | None => Ok(self),
        }
    }

    /// Returns the statistics that are asked for, or why there are none.
    pub fn statistics(&self) -> Option<Result<PlannedStatistics, TableRefusal>> {
        let asked = self.request.output.statistics.as_ref()?;
        let refuse = |why: NoStatistics| TableRefusal::NoStatistics { bin: asked.of.clone(), why };
        Some(self.planned_statistics(asked).map_err(refuse))
    }

    fn planned_statistics(&self, asked: &BandStatistics) -> Result<PlannedStatistics, NoStatistics> {
        match (self.kind.rows(), &self.request.output.keys) {
            (TableRows::Bins, KeyCells::Named { .. }) => {}
            (TableRows::Bins, KeyCells::Bare) | (TableRows::Items(_) | TableRows::People(_), _) => {
                return Err(NoStatistics::NoCells);
            }
        }
        let columns = self.request.kind.published();
        let place = columns.iter().position(|column| column.name() == asked.of).ok_or(NoStatistics::NoBands)?;
        let edges = band_edges(&columns[place]).ok_or(NoStatistics::NoBands)?;
        if self.request.bins_per_person() > 1 || self.request.periods_per_person() > 1 {
            return Err(NoStatistics::SeveralBins);
        }
        if is_sampled(&self.request) {
            return Err(NoStatistics::OfASample);
        }
        match self.totals_add_up() {
            TotalsAddUp::Yes => {}
            TotalsAddUp::CellsHidden | TotalsAddUp::NotAsked => return Err(NoStatistics::HiddenCells),
            TotalsAddUp::TooManyCells => return Err(NoStatistics::TooManyCells),
        }
        let widths = edges.windows(2).map(|two| &two[1] - &two[0]);
        let step = power_of_ten_below(&(widths.min().ok_or(NoStatistics::NoBands)? / Rational::from(STEPS_IN_A_BAND)));
        let units = edges.iter().chain([&step]).map(|number| Integer::from(number.denominator().clone()));
        let units = units.fold(Integer::ONE, |all, one| least_common_multiple(&all, &one));
        let (Some(first), Some(last)) = (edges.first(), edges.last()) else { return Err(NoStatistics::NoBands) };
        // A mean is looked for up to one step beyond the edges.
        let span = (last - first + &step + &step) * Rational::from(units.clone());
        let is_far = |edge: &Rational| {
            let steps = edge / &step;
            steps > Rational::from(FURTHEST_STEP) || steps < -Rational::from(FURTHEST_STEP)
        };
        if span > Rational::from(LARGEST_WEIGHT) || edges.iter().any(is_far) {
            return Err(NoStatistics::EdgesTooFine);
        }
        let sets = self.margin_sets().unwrap_or_default().into_iter().filter(|set| !set.contains(&place));
        let sets: Vec<Vec<usize>> = sets.chain([Vec::new()]).filter(|set| self.cells_of(set) <= MOST_SUMMED).collect();
        if sets.is_empty() {
            return Err(NoStatistics::TooManyCells);
        }
        let cells = self.request.cells().declared().unwrap_or(u128::MAX);
        let work = cells.saturating_mul(sets.len() as u128).saturating_mul(asked.quantiles.len() as u128 + 1);
        if work > MOST_WORK {
            return Err(NoStatistics::TooMuchWork);
        }
        Ok(PlannedStatistics { place, edges, sets, quantiles: asked.quantiles.clone(), step, units })
    }

    /// How many cells one group has that shares the labels of some bins.
    fn cells_of(&self, set: &[usize]) -> usize {
        let columns = self.request.kind.published();
        let others = (0..columns.len()).filter(|key| !set.contains(key));
        let sizes = others.map(|key| columns[key].size().unwrap_or(u64::MAX));
        usize::try_from(sizes.fold(1u64, u64::saturating_mul)).unwrap_or(usize::MAX)
    }

    /// Returns what is said of statistics that are made: which, of which groups, and of whom.
    pub fn statistics_words(&self) -> Option<String> {
        let planned = self.statistics()?.ok()?;
        let columns = self.request.kind.published();
        let of = columns[planned.place].name();
        let names = |set: &Vec<usize>| set.iter().map(|key| columns[*key].name()).collect::<Vec<_>>().join(" and ");
        let group = |set: &Vec<usize>| if set.is_empty() { "over all".into() } else { format!("by {}", names(set)) };
        let groups: Vec<String> = planned.sets.iter().map(group).collect();
        let groups = match groups.as_slice() {
            [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
            _ => groups.concat(),
        };
        let left_out = match planned.sets.iter().any(Vec::is_empty) {
            true => String::new(),
            false => format!("; not over all, as more than {MOST_SUMMED} cells would be added up"),
        };
        let whose = match self.request.may_cut_people() {
            true => ", each with the one bin that she was counted in",
            false => "",
        };
        Some(format!(
            "mean and quantiles of {of}, {groups}{left_out}: of the people who are counted in the table and whose {of} lies in one of the bands{whose}"
        ))
    }

    /// Returns them to machines; null where none are asked for.
    pub(crate) fn statistics_json(&self) -> Value {
        let Some(statistics) = self.statistics() else { return Value::Null };
        let columns = self.request.kind.published();
        match statistics {
            Err(refusal) => json!({ "why_not": refusal.to_string() }),
            Ok(planned) => json!({
                "of": columns[planned.place].name(),
                "by": planned.sets.iter().map(|set| set.iter().map(|key| columns[*key].name()).collect()).collect::<Vec<Vec<_>>>(),
                "quantiles": planned.quantiles.iter().map(ToString::to_string).collect::<Vec<_>>(),
            }),
        }
    }
}

/// Returns what a page says of them before anything is spent.
pub(crate) fn blocks(plan: &Plan) -> Vec<Block> {
    let mut facts = Facts::default();
    facts.add_all("statistics", plan.statistics_words());
    match plan.statistics() {
        Some(Ok(_)) => vec![facts.block()],
        Some(Err(_)) | None => Vec::new(),
    }
}

/// The edges of bands of a number; nothing of any other bins.
fn band_edges(column: &KeyColumn<'_>) -> Option<Vec<Rational>> {
    let KeyColumn::Counted(dimension) = column else { return None };
    match &dimension.cut {
        Cut::Edges(edges @ (Edges::Regular { .. } | Edges::Numbers(_))) => {
            // A table that is added up has no more cells than this.
            let some = edges.intervals() <= crate::totals::MOST_CONSISTENT_CELLS as u64;
            if some { (0..=edges.intervals()).map(|at| edges.number(at)).collect() } else { None }
        }
        Cut::Edges(Edges::Dates(_)) => None,
        Cut::Found | Cut::Values(_) | Cut::Named(_) | Cut::Truncated(_) | Cut::Periods(_) => None,
    }
}

fn is_sampled(request: &Request) -> bool {
    request.data.as_ref().is_some_and(|data| data.sample.is_some() || data.sampled.is_some())
}

/// The largest power of ten that is not above a number above zero.
fn power_of_ten_below(number: &Rational) -> Rational {
    let ten = Rational::from(10u8);
    let mut power = Rational::ONE;
    while &power > number {
        power /= &ten;
    }
    while &power * &ten <= *number {
        power *= &ten;
    }
    power
}

fn least_common_multiple(one: &Integer, other: &Integer) -> Integer {
    let (mut a, mut b) = (one.clone(), other.clone());
    while b != Integer::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    one * other / a
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::testing::number;

    const BANDS: &str = "[[bins]]\nname = \"pay\"\ncolumn = \"pay\"\nedges = [0, 50, 100, 400]\nother = true\n[[bins]]\nname = \"sex\"\ncolumn = \"s\"\nvalues = [\"f\", \"m\"]\n[[bins]]\nname = \"town\"\ncolumn = \"t\"\nvalues = [1, 2]\n";

    fn statistics_of(bins: &str, output: &str) -> Result<PlannedStatistics, TableRefusal> {
        let promise = "[promise]\nkind = \"differential-privacy\"\nepsilon = 1\n";
        let text = format!("release = \"histogram\"\n{bins}{promise}[output]\nstatistics = \"pay\"\n{output}");
        let request = Request::parse(&text).unwrap_or_else(|error| panic!("{error:?}"));
        let plan = Plan::of(&request, None).unwrap_or_else(|refusal| panic!("{refusal}"));
        plan.statistics().expect("statistics are asked for")
    }

    fn why(found: Result<PlannedStatistics, TableRefusal>) -> NoStatistics {
        match found {
            Err(TableRefusal::NoStatistics { why, .. }) => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn statistics_are_by_the_sets_of_totals_without_the_bands_and_over_all() {
        let sets = |output: &str| statistics_of(BANDS, output).map(|planned| planned.sets);
        assert_eq!(sets(""), Ok(vec![vec![1], vec![2], vec![]]));
        assert_eq!(sets("margins = true"), Ok(vec![vec![1], vec![2], vec![]]));
        assert_eq!(sets("margins = [[\"sex\", \"town\"], [\"pay\"]]"), Ok(vec![vec![1, 2], vec![]]));
        let planned = statistics_of(BANDS, "quantiles = [0.9, \"1/3\"]").expect("statistics");
        assert_eq!(planned.quantiles, [number("1/3"), number("0.9")], "ascending");
        assert_eq!((planned.step, planned.units), (number("0.1"), Integer::from(10)), "a hundredth of 50 is above 0.1");
        let alone = "[[bins]]\nname = \"pay\"\ncolumn = \"pay\"\nfrom = 0\nto = 200000\nwidth = 20000\n";
        let planned = statistics_of(alone, "").expect("statistics");
        assert_eq!((planned.sets, planned.step), (vec![vec![]], number("100")));
    }

    #[test]
    fn too_many_cells_leave_out_what_they_are_too_many_for() {
        let many = format!("{BANDS}[[bins]]\nname = \"day\"\ncolumn = \"d\"\nfrom = 0\nto = 300\nwidth = 1\n");
        let output = "margins = [[\"day\"], [\"sex\"]]";
        // 4 x 2 x 2 x 300 cells over all, 2,400 by sex, 16 by day.
        assert_eq!(statistics_of(&many, output).map(|planned| planned.sets), Ok(vec![vec![1], vec![3]]));
    }

    #[test]
    fn what_has_no_statistic_is_refused_with_the_reason() {
        let instead = |from: &str, to: &str| why(statistics_of(&BANDS.replace(from, to), ""));
        assert_eq!(instead("edges = [0, 50, 100, 400]", "edges = [2020-01-01, 2021-01-01]"), NoStatistics::NoBands);
        assert_eq!(instead("edges = [0, 50, 100, 400]", "values = [0, 50]"), NoStatistics::NoBands);
        assert_eq!(
            instead("edges = [0, 50, 100, 400]", "edges = [0, \"1/1000000007\", 1000000]"),
            NoStatistics::EdgesTooFine
        );
        let data = |lines: &str| why(statistics_of(&format!("[data]\n{lines}\n{BANDS}"), ""));
        assert_eq!(data("person = \"p\"\nbins-per-person = 2"), NoStatistics::SeveralBins);
        assert_eq!(data("sample = 0.5"), NoStatistics::OfASample);
        assert_eq!(data("sampled = { probability = 0.5 }"), NoStatistics::OfASample);
        let promise = "[mechanism]\nname = \"geometric\"\nthreshold = 6\n";
        assert_eq!(why(statistics_of(&format!("{BANDS}{promise}"), "")), NoStatistics::HiddenCells);
        let wide = "[[bins]]\nname = \"x\"\ncolumn = \"x\"\nfrom = 0\nto = 9000\nwidth = 1\n";
        assert_eq!(why(statistics_of(&format!("{BANDS}{wide}"), "")), NoStatistics::TooManyCells);
        assert_eq!(
            instead("edges = [0, 50, 100, 400]", "edges = [1000000000000000000, 1000000000000000001]"),
            NoStatistics::EdgesTooFine
        );
        let long = BANDS.replace("edges = [0, 50, 100, 400]", "from = 0\nto = 4000\nwidth = 1");
        let twenty: Vec<String> = (1..=20).map(|part| format!("0.{part:02}")).collect();
        let quantiles =
            |of: &[String]| format!("margins = [[\"sex\", \"town\"], [\"sex\"]]\nquantiles = [{}]", of.join(", "));
        // 16,004 cells: by sex and town alone, as groups of the other sets would have more than 4,096.
        assert_eq!(statistics_of(&long, &quantiles(&twenty)).map(|planned| planned.sets), Ok(vec![vec![1, 2]]));
        let many = BANDS
            .replace(
                "values = [1, 2]",
                &format!("values = [{}]", (1..=60).map(|n| n.to_string()).collect::<Vec<_>>().join(", ")),
            )
            .replace("edges = [0, 50, 100, 400]", "from = 0\nto = 400\nwidth = 1");
        // 48,120 cells, one set, and 21 statistics are more than a million; with two they are not.
        let output = |of: &[String]| quantiles(of).replace(", [\"sex\"]", "");
        assert_eq!(why(statistics_of(&many, &output(&twenty))), NoStatistics::TooMuchWork);
        assert!(statistics_of(&many, &output(&twenty[..1])).is_ok());
        assert!(statistics_of(&format!("[data]\nperson = \"p\"\n{BANDS}"), "").is_ok(), "one bin for each person");
    }
}
