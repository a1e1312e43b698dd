use super::*;
use crate::promise::Promise;
use incrowd_exact::testing::number;
use proptest::prelude::*;

fn released(promise: Promise, delta: &str, binning: usize) -> ReleasedLoss {
    let curve = promise.curve().expect("a curve");
    let epsilon = curve.supremum();
    ReleasedLoss {
        curve: Some(curve),
        epsilon,
        delta: number(delta),
        binning,
        part: None,
        bins: Bins::One,
        unit: None,
        times: 1,
    }
}

fn private(epsilon: &str, delta: &str, binning: usize) -> ReleasedLoss {
    released(Promise::DifferentialPrivacy { epsilon: Epsilon::Finite(number(epsilon)) }, delta, binning)
}

fn crowd(crowd: u64, epsilon: &str, binning: usize) -> ReleasedLoss {
    released(Promise::CrowdBlending { crowd, epsilon: Epsilon::Finite(number(epsilon)) }, "0", binning)
}

fn outliers(group: u64, epsilon: &str, binning: usize) -> ReleasedLoss {
    released(Promise::SimpleOutlierDp { group, epsilon: Epsilon::Finite(number(epsilon)) }, "0", binning)
}

fn endless(slope: &str, binning: usize) -> ReleasedLoss {
    let promise = Promise::Linear { slope: number(slope), floor: Rational::ZERO, cap: Epsilon::Infinite };
    released(promise, "0", binning)
}

/// Equal numbers are the same binning, all others are different.
fn by_number(first: usize, second: usize) -> Relation {
    if first == second { Relation::Same } else { Relation::Different }
}

/// A larger number is coarser.
fn nested(first: usize, second: usize) -> Relation {
    match first.cmp(&second) {
        std::cmp::Ordering::Less => Relation::Coarser,
        std::cmp::Ordering::Equal => Relation::Same,
        std::cmp::Ordering::Greater => Relation::Finer,
    }
}

#[test]
fn finite_promises_add_up_whatever_the_bins() {
    let all = [private("1/2", "1e-6", 0), outliers(100, "1", 1), private("1/4", "1e-7", 2)];
    let total = compose(&all, &by_number).expect("a total");
    assert_eq!(total, Total::Everybody { epsilon: number("7/4"), delta: number("1.1e-6") });
}

#[test]
fn curves_add_up_point_by_point_in_the_same_bins_only() {
    let same = [outliers(100, "1", 0), outliers(20, "1", 0)];
    assert_eq!(by_group(&same, &by_number, 20), Epsilon::Finite(number("1/100") + number("1/20")));
    assert_eq!(by_group(&same, &by_number, 21), Epsilon::Finite(number("1/100") + number("1")));
    let other = [outliers(100, "1", 0), outliers(20, "1", 1)];
    assert_eq!(by_group(&other, &by_number, 20), Epsilon::Finite(number("2")));
    // The second is coarser: its groups may be large where those of the first are small.
    assert_eq!(by_group(&other, &nested, 20), Epsilon::Finite(number("1/100") + number("1")));
    let turned = [outliers(20, "1", 1), outliers(100, "1", 0)];
    assert_eq!(by_group(&turned, &nested, 20), by_group(&other, &nested, 20));
}

#[test]
fn losses_of_a_person_add_up_at_the_sizes_of_her_groups() {
    let other = [outliers(100, "1", 0), outliers(20, "1", 1), private("1/2", "0", 2)];
    assert_eq!(in_every_table(&other, 20), Epsilon::Finite(number("1/100") + number("1/20") + number("1/2")));
    assert_eq!(in_every_table(&other, 21), Epsilon::Finite(number("1/100") + number("3/2")));
    assert_eq!(in_every_table(&other, 101), by_group(&other, &by_number, 101));
    assert_eq!(in_every_table(&[crowd(20, "1/2", 0)], 20), Epsilon::Infinite);
}

#[test]
fn crowds_beside_differential_privacy_cost_it_twice() {
    let total = compose(&[crowd(20, "1/2", 0), private("1/4", "1e-6", 1), private("1/4", "0", 2)], &by_number);
    let Ok(Total::Crowd { crowd: 20, epsilon, delta }) = total else { panic!("{total:?}") };
    assert_eq!(epsilon, number("3/2"));
    // (1 + e^(1/2)) 1e-6 = 2.6487212707e-6, rounded up.
    assert!(delta > number("2.64872127e-6") && delta < number("2.64872128e-6"));
    let same = compose(&[crowd(20, "1/2", 0), crowd(10, "1/4", 0)], &by_number);
    assert_eq!(same, Ok(Total::Crowd { crowd: 10, epsilon: number("3/4"), delta: Rational::ZERO }));
}

#[test]
fn exact_counts_in_other_bins_clash() {
    let clash = Clash { first: 0, second: 2, why: ClashKind::ExactCounts };
    assert_eq!(compose(&[crowd(20, "0", 0), private("1", "0", 2), crowd(20, "0", 1)], &by_number), Err(clash));
    // Even nested bins: a coarse count minus all but one of the fine ones is the last of them.
    let clash = Clash { first: 0, second: 1, why: ClashKind::ExactCounts };
    assert_eq!(compose(&[crowd(20, "0", 0), crowd(20, "0", 1)], &nested), Err(clash));
}

#[test]
fn a_curve_without_an_end_adds_up_with_the_same_bins_only() {
    let same = [endless("1/100", 0), private("1/2", "1e-6", 0)];
    assert_eq!(compose(&same, &by_number), Ok(Total::Growing { up_to: None, delta: number("1e-6") }));
    assert_eq!(by_group(&same, &by_number, 50), Epsilon::Finite(number("1")));
    let other = [endless("1/100", 0), private("1/2", "0", 1)];
    assert_eq!(compose(&other, &by_number), Err(Clash { first: 0, second: 1, why: ClashKind::Endless }));
    let turned = [private("1/2", "0", 1), endless("1/100", 0)];
    assert_eq!(compose(&turned, &by_number), Err(Clash { first: 0, second: 1, why: ClashKind::Endless }));
}

#[test]
fn rows_and_persons_do_not_add_up() {
    let of = |mut release: ReleasedLoss, unit: Option<&str>| {
        release.unit = unit.map(String::from);
        release
    };
    let rows = of(private("1/2", "0", 0), Some("row"));
    let persons = of(private("1/2", "0", 1), Some("person id"));
    let clash = Err(Clash { first: 0, second: 2, why: ClashKind::OtherPeople });
    // A person with a hundred rows has lost fifty in the first release, not a half.
    assert_eq!(compose(&[rows.clone(), of(private("1/2", "0", 2), None), persons], &by_number), clash);
    assert!(compose(&[rows.clone(), rows], &by_number).is_ok());
}

#[test]
fn crowds_of_people_in_several_bins_are_claimed_by_nobody() {
    let several = |mut release: ReleasedLoss| {
        release.bins = Bins::Several;
        release
    };
    let alone = [several(crowd(20, "1/2", 0))];
    assert_eq!(
        compose(&alone, &by_number),
        Ok(Total::Growing { up_to: Some((19, number("1/2"))), delta: Rational::ZERO })
    );
    // Whose groups are all small is still protected, as losses add up.
    assert_eq!(by_group(&alone, &by_number, 19), Epsilon::Finite(number("1/2")));
    assert_eq!(by_group(&alone, &by_number, 20), Epsilon::Infinite);
    let beside = [several(crowd(20, "1/2", 0)), private("1/4", "0", 1)];
    assert_eq!(compose(&beside, &by_number), Err(Clash { first: 0, second: 1, why: ClashKind::Endless }));
    // What was spent never becomes less, also where a later release ends at smaller groups.
    let steps = vec![Epsilon::Finite(number("1/10")), Epsilon::Finite(number("2")), Epsilon::Infinite];
    let long = several(released(Promise::Table { values: steps }, "0", 0));
    let before = compose(std::slice::from_ref(&long), &by_number).expect("a total");
    let after = compose(&[long, several(crowd(2, "1/10", 0))], &by_number).expect("a total");
    assert_eq!(before.epsilon(), Some(&number("2")));
    assert_eq!(after.epsilon(), Some(&number("21/10")));
    // Nor where people of a later release have several bins: finite promises and their deltas count as beside a crowd.
    let crowded = [private("1/5", "33/1000000", 2), crowd(2, "0", 2)];
    let with_several = [private("1/5", "33/1000000", 2), crowd(2, "0", 2), several(crowd(2, "0", 2))];
    let (before, after) =
        (compose(&crowded, &by_number).expect("a total"), compose(&with_several, &by_number).expect("a total"));
    assert_eq!((before.epsilon(), after.epsilon()), (Some(&number("2/5")), Some(&number("2/5"))));
    assert!(after.delta() >= before.delta());
    // Finite promises are for all bins of a person together, and add up as ever.
    let finite = [several(outliers(20, "1", 0)), private("1/4", "0", 1)];
    assert_eq!(compose(&finite, &by_number), Ok(Total::Everybody { epsilon: number("5/4"), delta: Rational::ZERO }));
}

#[test]
fn parts_that_share_nobody_cost_the_most_of_them() {
    let part = |mut release: ReleasedLoss, name: &str| {
        release.part = Some(Part { split: "region".into(), name: name.into() });
        release
    };
    let all = [
        part(private("1/2", "1e-6", 0), "north"),
        part(private("1/4", "2e-6", 1), "south"),
        part(private("1/4", "2e-6", 2), "south"),
        private("1", "0", 3),
    ];
    let total = compose(&all, &by_number).expect("a total");
    assert_eq!(total, Total::Everybody { epsilon: number("3/2"), delta: number("4e-6") });
    let apart =
        |first: usize, second: usize| if first == second { Relation::Same } else { Relation::Disjoint(Apart::Parts) };
    let exact = [part(crowd(20, "1/2", 0), "north"), part(crowd(10, "1/4", 1), "south")];
    assert_eq!(compose(&exact, &apart), Ok(Total::Crowd { crowd: 10, epsilon: number("1/2"), delta: Rational::ZERO }));
}

#[test]
fn repeated_releases_count_as_often_as_they_were_made() {
    let mut often = private("1/10", "1e-9", 0);
    often.times = 7;
    let total = compose(&[often], &by_number).expect("a total");
    assert_eq!(total, Total::Everybody { epsilon: number("7/10"), delta: number("7e-9") });
}

/// A law on `from..from + p.len()`, in floats: independent of the exact laws of the mechanisms.
struct Small {
    from: i64,
    p: Vec<f64>,
}

const REACH: i64 = 120;

/// A count plus two-sided geometric noise, its far tails cut off.
fn geometric(count: i64, epsilon: f64) -> Small {
    let q = (-epsilon).exp();
    let p = (-REACH..=REACH).map(|z| (1.0 - q) / (1.0 + q) * q.powi(z.unsigned_abs() as i32)).collect();
    Small { from: count - REACH, p }
}

/// The chance that an outcome of `a` is told apart from `b`: `sum max(0, a - e^epsilon b)` over pairs of outcomes.
fn apart(a: [&Small; 2], b: [&Small; 2], epsilon: f64) -> f64 {
    let at = |law: &Small, value: i64| {
        usize::try_from(value - law.from).ok().and_then(|index| law.p.get(index)).copied().unwrap_or(0.0)
    };
    let mut told = 0.0;
    for (index, p) in a[0].p.iter().enumerate() {
        for (other, r) in a[1].p.iter().enumerate() {
            let (x, y) = (a[0].from + index as i64, a[1].from + other as i64);
            // Outcomes at the cut ends have no partner; what they weigh is far below the tolerance.
            let (q, s) = (at(b[0], x), at(b[1], y));
            if q > 0.0 && s > 0.0 {
                told += (p * r - epsilon.exp() * q * s).max(0.0);
            }
        }
    }
    told
}

#[test]
fn the_sum_of_two_is_never_below_what_two_really_tell() {
    for (one, two) in [(0.4, 0.9), (1.0, 1.0), (0.25, 0.75)] {
        let (with, without) = (geometric(5, one), geometric(4, one));
        let (with2, without2) = (geometric(9, two), geometric(8, two));
        let sum = one + two;
        assert!(apart([&with, &with2], [&without, &without2], sum) < 1e-12);
        assert!(apart([&without, &without2], [&with, &with2], sum) < 1e-12);
        // The test can fail: anything less is not enough.
        assert!(apart([&with, &with2], [&without, &without2], sum * 0.9) > 1e-3);
    }
}

#[test]
fn being_replaced_costs_the_private_release_twice() {
    // Two people of one crowd, in different bins of a differentially private release: one bin loses, one gains.
    let epsilon = 0.5;
    let (a, b) = (geometric(5, epsilon), geometric(8, epsilon));
    let (a2, b2) = (geometric(4, epsilon), geometric(9, epsilon));
    assert!(apart([&a, &b], [&a2, &b2], 2.0 * epsilon) < 1e-12);
    assert!(apart([&a, &b], [&a2, &b2], epsilon) > 1e-2, "once is not enough");
}

#[test]
fn three_values_and_two_tables_of_exact_counts_tell_everything() {
    // CB Proposition 7: bins {1, 2} and {3} in one table, {1} and {2, 3} in the other, crowds of 20 in each, one person
    // with the value 2. Each table blends her; both together count her.
    let people = |twos: u64| (30, twos, 30);
    let published = |(ones, twos, threes): (u64, u64, u64)| {
        let shown = |count: u64| (count >= 20).then_some(count);
        ([shown(ones + twos), shown(threes)], [shown(ones), shown(twos + threes)])
    };
    let told = |([both, _], [ones, _]): ([Option<u64>; 2], [Option<u64>; 2])| both.zip(ones).map(|(b, o)| b - o);
    assert_eq!(told(published(people(1))), Some(1));
    assert_eq!(told(published(people(0))), Some(0), "her presence is certain: no epsilon is large enough");
    assert!(compose(&[crowd(20, "0", 0), crowd(20, "0", 1)], &by_number).is_err());
}

prop_compose! {
    fn any_release()(
        kind in 0..4u8, group in 2..50u64, tenths in 0..40u32, delta in 0..100u32, binning in 0..3usize,
        part in proptest::option::of((0..2u8, 0..2u8)), times in 1..4u64, several in any::<bool>(),
    ) -> ReleasedLoss {
        let epsilon = Epsilon::Finite(Rational::from(tenths) / Rational::from(10u8));
        let promise = match kind {
            0 => Promise::DifferentialPrivacy { epsilon },
            1 => Promise::SimpleOutlierDp { group, epsilon },
            2 => Promise::CrowdBlending { crowd: group, epsilon },
            _ => Promise::Group { group, epsilon },
        };
        let mut release = released(promise, "0", binning);
        release.delta = Rational::from(delta) / Rational::from(1_000_000u32);
        release.times = times;
        release.bins = if several { Bins::Several } else { Bins::One };
        release.part = part.map(|(split, name)| Part { split: split.to_string(), name: name.to_string() });
        release
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn order_does_not_matter(releases in proptest::collection::vec(any_release(), 1..6)) {
        let mut turned = releases.clone();
        turned.reverse();
        let (one, other) = (compose(&releases, &by_number), compose(&turned, &by_number));
        prop_assert_eq!(one.is_ok(), other.is_ok());
        if let (Ok(one), Ok(other)) = (one, other) {
            prop_assert_eq!(one, other);
        }
        prop_assert_eq!(by_group(&releases, &nested, 7), by_group(&turned, &nested, 7));
    }

    #[test]
    fn one_more_release_never_costs_less(releases in proptest::collection::vec(any_release(), 2..6)) {
        let fewer = &releases[..releases.len() - 1];
        match (compose(fewer, &by_number), compose(&releases, &by_number)) {
            (Err(_), after) => prop_assert!(after.is_err(), "what promises nothing is not mended by more"),
            (Ok(_), Err(_)) => {}
            (Ok(before), Ok(after)) => {
                prop_assert!(after.epsilon() >= before.epsilon() || after.epsilon().is_none());
                prop_assert!(after.delta() >= before.delta());
            }
        }
        prop_assert!(by_group(fewer, &by_number, 7) <= by_group(&releases, &by_number, 7));
    }

    #[test]
    fn knowing_more_about_bins_never_costs_more(
        releases in proptest::collection::vec(any_release(), 1..6), count in 1..60u64,
    ) {
        let bound = by_group(&releases, &by_number, count);
        prop_assert!(by_group(&releases, &nested, count) <= bound);
        prop_assert!(in_every_table(&releases, count) <= by_group(&releases, &nested, count));
        if let Ok(Total::Everybody { epsilon, .. }) = compose(&releases, &by_number) {
            prop_assert!(bound <= Epsilon::Finite(epsilon));
        }
    }
}
