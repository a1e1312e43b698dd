//! Forecasts, held against sums over every outcome and over every set of bins that may show.

use super::number_shown::NumberShown;
use super::*;
use crate::testing::{OUTLIER, PLAIN, float, plan_of};
use incrowd_privacy::Outcome;

const FOUND: &str = "[[bins]]\nname = \"word\"\ncolumn = \"word\"\n";

/// The chance of showing, and the mean distance of what is shown, from the listed law.
fn listed(plan: &Plan, size: u64) -> (f64, f64) {
    let law = plan.settled.deployed().law(size).expect("a law");
    let (mut shown, mut distance) = (0.0, 0.0);
    for line in &law.lines {
        if let Outcome::Value(value) = line.outcome {
            let chance = float(&line.probability.upper());
            shown += chance;
            distance += chance * (value.max(0) as f64 - size as f64).abs();
        }
    }
    (shown, distance)
}

/// The law of how many show, over every set of bins.
fn by_sets(chances: &[f64]) -> Vec<f64> {
    let mut law = vec![0.0; chances.len() + 1];
    for set in 0u32..1 << chances.len() {
        let chance = |(bin, chance): (usize, &f64)| if set >> bin & 1 == 1 { *chance } else { 1.0 - chance };
        law[set.count_ones() as usize] += chances.iter().enumerate().map(chance).product::<f64>();
    }
    law
}

#[test]
fn a_forecast_is_the_sum_over_all_bins() {
    let plan = plan_of(PLAIN, FOUND);
    let sizes = [3, 12, 14, 15, 15, 16, 16, 17, 18, 40];
    let forecast = Forecast::of(&plan, &sizes.into_iter().collect()).expect("a forecast");
    let laws: Vec<(f64, f64)> = sizes.iter().map(|size| listed(&plan, *size)).collect();
    let shown: f64 = laws.iter().map(|(shown, _)| shown).sum();
    assert_eq!(forecast.bins, 10);
    assert!((forecast.shown_expected - shown).abs() < 1e-9);
    let people: u64 = sizes.iter().sum();
    let share = laws.iter().zip(sizes).map(|((shown, _), size)| shown * size as f64).sum::<f64>() / people as f64;
    assert!((forecast.share_of_counts.expect("people") - share).abs() < 1e-9);
    let error = laws.iter().map(|(_, distance)| distance).sum::<f64>() / shown;
    assert!((forecast.mean_absolute_error.expect("an error") - error).abs() < 1e-6, "{forecast:?}, and {error}");
    let law = by_sets(&laws.iter().map(|(shown, _)| *shown).collect::<Vec<_>>());
    let within = |low: u64, high: u64| law[low as usize..=high as usize].iter().sum::<f64>();
    assert!(within(forecast.low, forecast.high) >= 0.95);
    assert!(within(0, forecast.low) > 0.025 && within(forecast.high, 10) > 0.025, "no end can be left out");
}

#[test]
fn the_number_shown_has_the_law_of_its_coins() {
    for chances in [&[0.5; 9][..], &[0.01, 0.99, 0.3, 0.3, 0.3], &[0.0, 1.0, 1.0, 1e-9], &[0.9; 12]] {
        let law = by_sets(chances);
        let number = NumberShown::of(chances.iter().map(|chance| (1, *chance)));
        assert!((number.mean() - chances.iter().sum::<f64>()).abs() < 1e-12);
        let (low, high) = number.interval();
        let least = (0..law.len()).find(|at| law[..=*at].iter().sum::<f64>() > 0.025).expect("a number");
        let most = (0..law.len()).rev().find(|at| law[*at..].iter().sum::<f64>() > 0.025).expect("a number");
        assert_eq!((low as usize, high as usize), (least, most), "{chances:?}");
    }
}

#[test]
fn equal_bins_may_come_together_or_one_by_one() {
    let one = NumberShown::of([(40, 0.3), (1000, 0.001), (7, 1.0)].into_iter());
    let apart = [(1, 0.3); 40].into_iter().chain([(1, 0.001); 1000]).chain([(1, 1.0); 7]);
    assert_eq!(one.interval(), NumberShown::of(apart).interval());
}

#[test]
fn the_bound_for_very_many_bins_is_no_narrower_than_the_truth() {
    // Just below and just above the deviation at which the theorem takes over.
    let bins = |deviation: f64| (deviation * deviation / 0.25) as u128;
    let (summed, bounded) =
        (NumberShown::of([(bins(249.0), 0.5)].into_iter()), NumberShown::of([(bins(251.0), 0.5)].into_iter()));
    assert_eq!((summed.interval_by(), bounded.interval_by()), (IntervalBy::Exactly, IntervalBy::Bound));
    let width = |number: &NumberShown| (number.interval().1 - number.interval().0) as f64;
    assert!((width(&summed) / 249.0 - 3.92).abs() < 0.01, "{}", width(&summed));
    assert!(width(&bounded) / 251.0 >= 4.0 && width(&bounded) / 251.0 < 4.02, "{}", width(&bounded));
}

#[test]
fn declared_bins_without_a_threshold_all_show() {
    let plan = plan_of(OUTLIER, "[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"a\", \"b\", \"c\"]\n");
    let forecast = Forecast::of(&plan, &[5, 500].into_iter().collect()).expect("a forecast");
    assert_eq!((forecast.bins, forecast.low, forecast.high), (3, 3, 3));
    assert_eq!(forecast.share_of_counts, Some(1.0));
    let words = forecast.words(&plan);
    assert!(words.starts_with("all of the 3 bins will be shown; the shown ones are off by about "), "{words}");
    assert_eq!(plan.outlook(Some(&forecast), CheckedOutlook::Unknown), Outlook::Something);
    let many = Forecast::of(&plan, &[1, 2, 3, 4].into_iter().collect());
    assert_eq!(many, Err(ForecastError::MoreSizesThanBins { sizes: 4, bins: 3 }));
}

#[test]
fn empty_declared_bins_may_pass_a_threshold() {
    let declared = "[[bins]]\nname = \"number\"\ncolumn = \"number\"\nedges = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n[mechanism]\n\
                    name = \"geometric\"\nepsilon = \"1/2\"\nthreshold = 3\n";
    let plan = plan_of("kind = \"differential-privacy\"\nepsilon = \"1/2\"", declared);
    let forecast = Forecast::of(&plan, &[50].into_iter().collect()).expect("a forecast");
    let bins = forecast.bins as f64;
    assert!(bins >= 10.0);
    let expected = listed(&plan, 50).0 + (bins - 1.0) * listed(&plan, 0).0;
    assert!((forecast.shown_expected - expected).abs() < 1e-9, "{forecast:?}, and {expected}");
}

#[test]
fn many_sizes_are_as_well_known_as_few() {
    let plan = plan_of(PLAIN, FOUND);
    let sizes: Vec<u64> = (1..=700).collect();
    let forecast = Forecast::of(&plan, &sizes.iter().copied().collect()).expect("a forecast");
    let laws: Vec<(f64, f64)> = sizes.iter().map(|size| listed(&plan, *size)).collect();
    let shown: f64 = laws.iter().map(|(shown, _)| shown).sum();
    let error = laws.iter().map(|(_, distance)| distance).sum::<f64>() / shown;
    assert!((forecast.shown_expected - shown).abs() < 1e-6);
    let told = forecast.mean_absolute_error.expect("an error");
    assert!((told / error - 1.0).abs() < 0.05, "{told}, and {error} is true");
}

#[test]
fn a_release_that_hardly_shows_anything_is_known_beforehand() {
    use CheckedOutlook::{HardlyAnything, Something, Unknown};
    let few = plan_of(PLAIN, FOUND);
    let needs = |plan: &Plan| match plan.outlook(None, Unknown) {
        Outlook::Unknown { shows, need } if shows.starts_with("bins show from about ") => Some(need),
        Outlook::Unknown { .. } | Outlook::Something | Outlook::HardlyAnything(_) => None,
    };
    assert_eq!(
        needs(&few),
        Some(PeopleNeeded::Few),
        "bins show from 16 people on, and nobody knows how large they are"
    );
    let tiny: BinSizes = [1; 500].into_iter().collect();
    let forecast = Forecast::of(&few, &tiny).expect("a forecast");
    let told = few.outlook(Some(&forecast), Something);
    assert!(matches!(told, Outlook::HardlyAnything(words) if words.contains("of 500 bins about 0 ")));
    let strict = plan_of("kind = \"differential-privacy\"\nepsilon = \"1/20\"\ndelta = \"1e-6\"", FOUND);
    assert_eq!(needs(&strict), Some(PeopleNeeded::Many));
    assert_eq!(strict.outlook(None, Something), Outlook::Something, "the data was looked at");
    assert!(
        matches!(few.outlook(None, HardlyAnything), Outlook::HardlyAnything(words) if words.contains("`incrowd check`"))
    );
    let large = Forecast::of(&strict, &[100_000; 3].into_iter().collect()).expect("a forecast");
    assert_eq!(strict.outlook(Some(&large), HardlyAnything), Outlook::Something, "sizes that are given know better");
    let closed = plan_of("kind = \"differential-privacy\"\nepsilon = \"1/20\"", "");
    assert_eq!(closed.outlook(None, Unknown), Outlook::Something, "every bin shows");
}

#[test]
fn items_that_are_found_are_forecast_with_the_noise_of_their_counts() {
    let top = "release = \"top\"\n[[bins]]\nname = \"item\"\ncolumn = \"item\"\n[top]\nitems = 3\ncounts = true\nepsilon-stabilise \
               = 1\nepsilon-select = 1\nepsilon-counts = 1\n[promise]\nkind = \"differential-privacy\"\nepsilon = 3\ndelta = \"1e-6\"\n";
    let plan = Plan::of(&crate::request::Request::parse(top).expect("a request"), None).expect("a plan");
    let forecast = Forecast::of(&plan, &[1000; 8].into_iter().collect()).expect("a forecast");
    assert_eq!((forecast.low, forecast.high), (8, 8));
    let q = (-1.0f64).exp();
    let error = 2.0 * q / (1.0 - q * q);
    assert!((forecast.mean_absolute_error.expect("an error") - error).abs() < 1e-9);
    let words = forecast.words(&plan);
    assert!(
        words.starts_with("of 8 items about 8 will be found (95 %: 8 to 8)") && words.contains("at most 3 of them"),
        "{words}"
    );
}
