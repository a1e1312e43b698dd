//! The consistent table against searches that know nothing of how it is found.

use super::nearest::{NearCell, top_down};
use super::{LARGEST_VARIANCE, Level, PLACES, solved};
use proptest::prelude::*;

const ONE: i128 = 1 << PLACES;

/// A noisy cell of some thousandths, whose variance is so many sixteenths of the largest.
fn noisy(thousandths: i64, sixteenths: u8) -> NearCell {
    let variance = LARGEST_VARIANCE * i128::from(sixteenths) / 16;
    NearCell { value: i128::from(thousandths) * ONE / 1000, variance, least: 0 }
}

fn exact(people: i64) -> NearCell {
    let value = i128::from(people) * ONE;
    NearCell { value, variance: 0, least: value }
}

/// The levels of a table of these sizes: the whole, some sets of bins, and the cells.
fn levels(sizes: &[usize], sets: &[&[usize]]) -> Vec<Level> {
    let cells: usize = sizes.iter().product();
    let all: Vec<usize> = (0..sizes.len()).collect();
    let whole: &[usize] = &[];
    let sets = [whole].into_iter().chain(sets.iter().copied()).chain([all.as_slice()]);
    let level = |keys: &[usize]| {
        let group = |cell: usize| {
            let mut codes = vec![0; sizes.len()];
            let mut rest = cell;
            for (code, size) in codes.iter_mut().zip(sizes).rev() {
                *code = rest % size;
                rest /= size;
            }
            keys.iter().fold(0, |group, key| group * sizes[*key] + codes[*key])
        };
        Level {
            keys: keys.to_vec(),
            group: (0..cells).map(group).collect(),
            groups: keys.iter().map(|key| sizes[*key]).product(),
        }
    };
    sets.map(level).collect()
}

fn people(units: i128) -> f64 {
    units as f64 / ONE as f64
}

/// How far values are from the unbiased ones, in weighted squares.
fn distance(cells: &[NearCell], values: &[f64]) -> f64 {
    let each = |(cell, value): (&NearCell, &f64)| {
        (value - people(cell.value)).powi(2) * LARGEST_VARIANCE as f64 / cell.variance as f64
    };
    cells.iter().zip(values).map(each).sum()
}

#[test]
fn three_cells_are_the_nearest_that_have_the_total() {
    for (values, parts) in [
        ([4_000, -3_000, 1_500], [16, 16, 16]),
        ([4_250, -3_000, -500], [1, 16, 4]),
        ([-2_000, -1_000, 3_400], [16, 8, 2]),
        ([10_000, 20_000, 30_500], [16, 3, 9]),
    ] {
        let cells: Vec<NearCell> = values.iter().zip(parts).map(|(value, part)| noisy(*value, part)).collect();
        let found = top_down(&cells, &levels(&[3], &[]));
        let total = people(cells.iter().map(|cell| cell.value).sum::<i128>().max(0));
        let found: Vec<f64> = found.into_iter().map(people).collect();
        assert!((found.iter().sum::<f64>() - total).abs() < 1e-6, "{found:?}");
        // All points of a grid of the simplex.
        let steps = 1_000;
        let at = |step: i32| total * f64::from(step) / f64::from(steps);
        let points = (0..=steps).flat_map(|a| (0..=steps - a).map(move |b| (a, b)));
        let best = points.map(|(a, b)| distance(&cells, &[at(a), at(b), at(steps - a - b)]));
        let best = best.fold(f64::INFINITY, f64::min);
        let own = distance(&cells, &found);
        assert!(own <= best + 1e-9, "{found:?}: {own}, and a point of the grid has {best}");
    }
}

#[test]
fn crossing_totals_are_reached_by_the_nearest_table() {
    // With both kinds of totals a table of two by three has two numbers that are free.
    let cells: Vec<NearCell> = [(2_000, 16), (-1_500, 16), (700, 8), (-900, 16), (3_100, 4), (2_600, 16)]
        .into_iter()
        .map(|(value, part)| noisy(value, part))
        .collect();
    let all = levels(&[2, 3], &[&[0], &[1]]);
    let found: Vec<f64> = top_down(&cells, &all).into_iter().map(people).collect();
    let sum = |members: &[usize]| members.iter().map(|cell| people(cells[*cell].value)).sum::<f64>();
    let (rows, columns) = ([sum(&[0, 1, 2]), sum(&[3, 4, 5])], [sum(&[0, 3]), sum(&[1, 4]), sum(&[2, 5])]);
    assert!(rows.iter().chain(&columns).all(|total| *total >= 0.0), "all totals can be reached");
    for (members, total) in [(vec![0, 1, 2], rows[0]), (vec![3, 4, 5], rows[1]), (vec![0, 3], columns[0])] {
        assert!((members.iter().map(|cell| found[*cell]).sum::<f64>() - total).abs() < 1e-4, "{found:?}");
    }
    let steps = 2_000;
    let mut best = f64::INFINITY;
    for a in 0..=steps {
        for b in 0..=steps {
            let (first, second) = (4.0 * f64::from(a) / f64::from(steps), 4.0 * f64::from(b) / f64::from(steps));
            let third = rows[0] - first - second;
            let point = [first, second, third, columns[0] - first, columns[1] - second, columns[2] - third];
            if point.iter().all(|value| *value >= 0.0) {
                best = best.min(distance(&cells, &point));
            }
        }
    }
    let own = distance(&cells, &found);
    assert!(own <= best + 1e-3 && own > best - 0.05, "{found:?}: {own}, and a point of the grid has {best}");
}

#[test]
fn whole_numbers_are_the_nearest_below_or_above_that_have_the_total() {
    for values in [[1_400, 2_350, 250], [1_500, 2_500, 500], [900, 900, 900], [300, 300, 300]] {
        let cells: Vec<NearCell> = values.iter().map(|value| noisy(*value, 16)).collect();
        let found = solved(&cells, &levels(&[3], &[]));
        let total = (values.iter().sum::<i64>() + 500).div_euclid(1000);
        assert_eq!(found.iter().sum::<i128>(), i128::from(total));
        // The total that is rounded is reached by real numbers already: all of them moved alike.
        let far = |point: &[i64]| point.iter().zip(&values).map(|(a, b)| (1000 * a - b).pow(2)).sum::<i64>();
        let points = (0..4).flat_map(|a| (0..4).flat_map(move |b| (0..4).map(move |c| [a, b, c])));
        let best = points.filter(|point| point.iter().sum::<i64>() == total).map(|point| far(&point)).min();
        let found: Vec<i64> = found.into_iter().map(|value| i64::try_from(value).expect("small")).collect();
        assert_eq!(Some(far(&found)), best, "{found:?} for {values:?}");
    }
    // Of equal remainders the earlier cell gets the person.
    assert_eq!(solved(&[noisy(500, 16); 3], &levels(&[3], &[])), [1, 1, 0]);
}

#[test]
fn coarser_totals_come_first() {
    // Regions of -2 and 5: the whole is 3, so the second region gives up two people, whatever its cells say.
    let cells = [noisy(-3_000, 16), noisy(1_000, 16), noisy(4_000, 16), noisy(1_000, 16)];
    let found = solved(&cells, &levels(&[2, 2], &[&[0]]));
    assert_eq!(found, [0, 0, 3, 0]);
    // Without totals by region the whole alone is kept.
    assert_eq!(solved(&cells, &levels(&[2, 2], &[])).iter().sum::<i128>(), 3);
}

#[test]
fn exact_cells_stay_as_they_are() {
    let cells = [exact(40), noisy(-25_000, 16), exact(0), noisy(-30_000, 16)];
    let found = solved(&cells, &levels(&[2, 2], &[&[0], &[1]]));
    assert_eq!(found, [40, 0, 0, 0], "the whole is not below what is surely there");
    let all = [exact(3), exact(0), exact(7), exact(i64::MAX)];
    assert_eq!(solved(&all, &levels(&[2, 2], &[&[0], &[1]])), [3, 0, 7, i128::from(i64::MAX)]);
}

#[test]
fn one_cell_no_cell_and_numbers_as_large_as_there_are() {
    assert_eq!(solved(&[noisy(2_500, 16)], &levels(&[1], &[])), [3]);
    assert_eq!(solved(&[noisy(-2_500, 16)], &levels(&[1, 1], &[&[0], &[1]])), [0]);
    let huge = NearCell { value: super::MOST_UNITS, variance: LARGEST_VARIANCE, least: 0 };
    let deep = NearCell { value: -super::MOST_UNITS, ..huge };
    let found = solved(&[huge; 6], &levels(&[2, 3], &[&[0], &[1]]));
    assert_eq!(found, [1i128 << 63; 6]);
    let found = solved(&[huge, deep, deep, huge, huge, deep], &levels(&[2, 3], &[&[0], &[1]]));
    assert!(found.iter().all(|value| *value >= 0), "{found:?}");
    let slight = NearCell { value: -ONE, variance: 1, least: 0 };
    let found = solved(&[slight, slight, noisy(9_000, 16), noisy(-4_000, 16)], &levels(&[2, 2], &[&[0], &[1]]));
    assert_eq!(found.iter().sum::<i128>(), 3, "{found:?}");
}

#[test]
fn three_kinds_of_totals_that_no_table_has_end_all_the_same() {
    // Every face says that opposite corners are empty, and each of them wants the others full.
    let values = [-9, 9, 9, -9, 9, -9, -9, 9].map(|value| noisy(value * 1000, 16));
    let found = solved(&values, &levels(&[2, 2, 2], &[&[0, 1], &[0, 2], &[1, 2]]));
    assert!(found.iter().all(|value| (0..=40).contains(value)), "{found:?}");
}

prop_compose! {
    fn tables()(
        sizes in prop::collection::vec(1usize..4, 1..4),
    )(
        cells in prop::collection::vec((-20_000i64..60_000, 0u8..=16), sizes.iter().product::<usize>()),
        asked in prop::collection::vec(prop::collection::vec(any::<bool>(), sizes.len()), 0..4),
        sizes in Just(sizes),
    ) -> (Vec<usize>, Vec<NearCell>, Vec<Vec<usize>>) {
        let cell = |(value, part): (i64, u8)| match part {
            0 => exact(value.max(0) / 1000),
            part => noisy(value, part),
        };
        let mut sets: Vec<Vec<usize>> = asked
            .into_iter()
            .map(|set| (0..sizes.len()).filter(|key| set[*key]).collect::<Vec<usize>>())
            .filter(|set| !set.is_empty() && set.len() < sizes.len())
            .collect();
        sets.sort_by_cached_key(|set| (set.len(), set.clone()));
        sets.dedup();
        (sizes, cells.into_iter().map(cell).collect(), sets)
    }
}

proptest! {
    #[test]
    fn every_table_is_whole_and_near_what_was_found((sizes, cells, sets) in tables()) {
        let sets: Vec<&[usize]> = sets.iter().map(Vec::as_slice).collect();
        let all = levels(&sizes, &sets);
        let near = top_down(&cells, &all);
        let found = solved(&cells, &all);
        for ((cell, near), whole) in cells.iter().zip(&near).zip(&found) {
            prop_assert!(*near >= cell.least);
            prop_assert!(*whole == near >> PLACES || (*whole == (near >> PLACES) + 1 && near & (ONE - 1) > 0));
            prop_assert!(cell.variance > 0 || whole << PLACES == cell.value);
        }
        let whole: i128 = cells.iter().map(|cell| cell.value).sum();
        let least: i128 = cells.iter().map(|cell| cell.least).sum();
        let whole = people(whole.max(least));
        prop_assert!((people(near.iter().sum()) - whole).abs() < 0.01, "{} for {whole}", people(near.iter().sum()));
        prop_assert!((found.iter().sum::<i128>() as f64 - whole).abs() < 0.52);
    }

    #[test]
    fn what_is_nearest_does_not_depend_on_the_order_of_cells((sizes, cells, sets) in tables(), turn in 0usize..27) {
        let sets: Vec<&[usize]> = sets.iter().map(Vec::as_slice).collect();
        let all = levels(&sizes, &sets);
        let near = top_down(&cells, &all);
        let turned = |at: usize| (at + turn) % cells.len();
        let other: Vec<NearCell> = (0..cells.len()).map(|at| cells[turned(at)]).collect();
        let moved: Vec<Level> = all
            .iter()
            .map(|level| Level {
                keys: level.keys.clone(),
                group: match level.groups == cells.len() && level.keys.len() == sizes.len() {
                    true => (0..cells.len()).collect(),
                    false => (0..cells.len()).map(|at| level.group[turned(at)]).collect(),
                },
                groups: level.groups,
            })
            .collect();
        let again = top_down(&other, &moved);
        for (at, value) in again.iter().enumerate() {
            prop_assert_eq!(*value, near[turned(at)]);
        }
    }
}
