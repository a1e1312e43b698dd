//! What `compose/losses.rs` says, against the laws themselves: outcome by outcome, and against closed forms.

use super::*;
use incrowd_exact::testing::number;
use proptest::prelude::*;

const BITS: usize = 320;

fn ratio(above: u64, below: u64) -> Rational {
    Rational::from(above) / Rational::from(below)
}

fn loss(epsilon: &str, delta: &str, times: u64) -> Loss {
    Loss { epsilon: number(epsilon), delta: number(delta), times }
}

fn of(parts: &[Loss]) -> Losses {
    Losses::of(parts).expect("parts that add up")
}

/// All outcomes of one release, each with its probability with a person and without her.
type Outcomes = Vec<(Enclosure, Enclosure)>;

fn known(value: &Rational) -> Enclosure {
    Enclosure::rational(value, BITS)
}

/// Randomised response that tells everything now and then: "surely with", "surely without", "perhaps with", "perhaps
/// without".
fn response(part: &Loss) -> Outcomes {
    let (one, delta, fall) = (Enclosure::one(BITS), known(&part.delta), exp_neg(&part.epsilon, BITS));
    let honest = one.minus(&delta);
    let likely = honest.over(&one.plus(&fall));
    let unlikely = honest.minus(&likely);
    let nothing = Enclosure::zero(BITS);
    vec![(delta.clone(), nothing.clone()), (nothing, delta), (likely.clone(), unlikely.clone()), (unlikely, likely)]
}

/// A count of 1 or 0 with two-sided geometric noise, as far as `reach`.
fn geometric(rate: &Rational, reach: i64) -> Outcomes {
    let (one, fall) = (Enclosure::one(BITS), exp_neg(rate, BITS));
    let scale = one.minus(&fall).over(&one.plus(&fall));
    let chance = |value: i64, count: i64| scale.times(&fall.power((value - count).unsigned_abs()));
    (-reach..=reach).map(|value| (chance(value, 1), chance(value, 0))).collect()
}

/// A noisy count that is shown from `least` on, where a bin with nobody in it is absent. `least` is at least 1.
fn thresholded(rate: &Rational, least: i64, reach: i64) -> Outcomes {
    let one = Enclosure::one(BITS);
    let shown = geometric(rate, reach).split_off(usize::try_from(reach + least).expect("an index"));
    let total = exp_neg(rate, BITS).power(least as u64 - 1).over(&one.plus(&exp_neg(rate, BITS)));
    let mut outcomes: Outcomes = shown.into_iter().map(|(with, _)| (with, Enclosure::zero(BITS))).collect();
    outcomes.push((one.minus(&total), one));
    outcomes
}

/// Returns the sum over all joint outcomes of `(P - e^eps Q)_+`, from the definition.
fn hockey_stick(releases: &[Outcomes], epsilon: &Rational) -> Enclosure {
    let none = Enclosure::zero(BITS);
    let factor = Enclosure::one(BITS).over(&exp_neg(epsilon, BITS));
    let mut sum = none.clone();
    let mut open = vec![(Enclosure::one(BITS), factor, releases)];
    while let Some((with, without, releases)) = open.pop() {
        match releases.split_first() {
            None => sum = sum.plus(&with.minus(&without).positive_part()),
            Some((first, rest)) => {
                // What cannot happen with her has no excess.
                let possible = first.iter().filter(|(p, _)| p != &none);
                open.extend(possible.map(|(p, q)| (with.times(p), without.times(q), rest)));
            }
        }
    }
    sum
}

/// Returns what the outcomes leave out, with her.
fn left_out(releases: &[Outcomes]) -> Rational {
    let one = Enclosure::one(BITS);
    let kept = releases.iter().fold(one.clone(), |all, release| {
        all.times(&release.iter().fold(Enclosure::zero(BITS), |sum, (with, _)| sum.plus(with)))
    });
    one.minus(&kept).upper()
}

fn each_response(parts: &[Loss]) -> Vec<Outcomes> {
    parts.iter().flat_map(|part| (0..part.times).map(|_| response(part))).collect()
}

/// Fails unless the answer is between the truth and a tolerance above it.
fn assert_delta(losses: &Losses, epsilon: &Rational, truth: &Enclosure, tolerance: &Rational) {
    let found = losses.delta(epsilon);
    assert!(found >= truth.lower(), "below the truth at {epsilon}: {} < {}", found.to_f64().value(), truth.to_f64());
    assert!(
        found <= truth.upper() + tolerance,
        "far above at {epsilon}: {} > {}",
        found.to_f64().value(),
        truth.to_f64()
    );
}

/// What rounding may add where every loss has a cell of its own.
fn last_digits() -> Rational {
    number("1e-30")
}

/// Parts whose epsilons lie on a coarse lattice.
fn coarse_parts(most: usize) -> impl Strategy<Value = Vec<Loss>> {
    let part = (0u64..60, 1u64..13, prop_oneof![3 => Just("0"), 1 => Just("1e-6"), 1 => Just("1/20")], 1u64..3);
    let part = part.prop_map(|(above, below, delta, times)| Loss {
        epsilon: ratio(above, 10 * below),
        delta: number(delta),
        times,
    });
    prop::collection::vec(part, 0..most)
}

/// Parts whose epsilons share no lattice that is small enough.
fn odd_parts(most: usize) -> impl Strategy<Value = Vec<Loss>> {
    let part = (1u64..4_000_000_000, 0u64..3, 1u64..3);
    let part = part.prop_map(|(above, delta, times)| Loss {
        epsilon: ratio(above, 1_000_000_007),
        delta: ratio(delta, 100),
        times,
    });
    prop::collection::vec(part, 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_delta_is_below_the_product_of_the_output_laws(parts in coarse_parts(4), place in 0u64..110) {
        let losses = of(&parts);
        let epsilon = &losses.sum * ratio(place, 100);
        assert_delta(&losses, &epsilon, &hockey_stick(&each_response(&parts), &epsilon), &last_digits());
    }

    #[test]
    fn ten_pure_parts_are_their_thousand_outcomes(above in prop::collection::vec(1u64..40, 10), place in 0u64..100) {
        let parts: Vec<Loss> = above.iter().map(|above| loss(&format!("{above}/20"), "0", 1)).collect();
        let losses = of(&parts);
        let epsilon = &losses.sum * ratio(place, 100);
        assert_delta(&losses, &epsilon, &hockey_stick(&each_response(&parts), &epsilon), &last_digits());
    }

    #[test]
    fn more_of_anything_is_never_cheaper(parts in coarse_parts(5), which in any::<prop::sample::Index>(), place in 0u64..100) {
        prop_assume!(!parts.is_empty());
        let losses = of(&parts);
        let epsilon = &losses.sum * ratio(place, 100);
        let which = which.index(parts.len());
        // The truth, not what is said of it: losses that share cells are told too large, some by more than others.
        let truth = hockey_stick(&each_response(&parts), &epsilon).lower();
        let more: [fn(&mut Loss); 3] = [
            |part| part.epsilon += ratio(1, 20),
            |part| part.delta += ratio(1, 1000),
            |part| part.times += 1,
        ];
        for more in more {
            let mut parts = parts.clone();
            more(&mut parts[which]);
            let after = of(&parts).delta(&epsilon);
            prop_assert!(after >= truth, "{} then {}", truth, after);
        }
        let mut parts = parts;
        parts[which].delta += ratio(1, 1000);
        prop_assert!(of(&parts).delta(&epsilon) > losses.delta(&epsilon));
    }

    #[test]
    fn one_part_is_its_closed_form(above in 1u64..500, delta in 0u64..100, place in 0u64..120) {
        let part = Loss { epsilon: ratio(above, 37), delta: ratio(delta, 1000), times: 1 };
        let epsilon = &part.epsilon * ratio(place, 100);
        let (one, delta) = (Enclosure::one(BITS), known(&part.delta));
        // (e^a - e^b)/(1 + e^a), by e^-a.
        let excess = if epsilon < part.epsilon {
            let gap = exp_neg(&(&part.epsilon - &epsilon), BITS);
            one.minus(&gap).over(&one.plus(&exp_neg(&part.epsilon, BITS)))
        } else {
            Enclosure::zero(BITS)
        };
        let truth = delta.plus(&one.minus(&delta).times(&excess));
        assert_delta(&of(&[part]), &epsilon, &truth, &last_digits());
    }
}

// Wide lattices take longer.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn losses_without_cells_of_their_own_move_up_and_not_far(parts in odd_parts(4), place in 0u64..110) {
        let losses = of(&parts);
        let epsilon = &losses.sum * ratio(place, 100);
        // Splitting a mass over two cells adds at most a quarter of a step to a delta, for each part.
        let tolerance = if parts.len() == 1 { last_digits() } else { &losses.law.step * ratio(parts.len() as u64, 4) };
        assert_delta(&losses, &epsilon, &hockey_stick(&each_response(&parts), &epsilon), &tolerance);
    }

    #[test]
    fn neither_order_nor_grouping_matters(parts in coarse_parts(4), odd in odd_parts(3), place in 0u64..100) {
        let parts = [parts, odd].concat();
        let mut apart: Vec<Loss> = parts
            .iter()
            .flat_map(|part| (0..part.times).map(|_| Loss { times: 1, ..part.clone() }))
            .collect();
        apart.reverse();
        apart.push(loss("5", "1/2", 0));
        let (together, apart) = (of(&parts), of(&apart));
        let epsilon = &together.sum * ratio(place, 100);
        prop_assert_eq!(together.delta(&epsilon), apart.delta(&epsilon));
        prop_assert_eq!(together.epsilon(&ratio(1, 10)), apart.epsilon(&ratio(1, 10)));
    }

    #[test]
    fn delta_never_rises_with_epsilon(
        parts in coarse_parts(6), odd in odd_parts(4), mixed in any::<bool>(), place in 0u64..1_000_000, near in 0usize..90
    ) {
        let parts = if mixed { [parts, odd].concat() } else { parts };
        let losses = of(&parts);
        let cell = (&losses.sum * ratio(place, 1_000_000) / &losses.law.step).floor();
        let little = Rational::from_parts(1.into(), Natural::ONE << near);
        for from in [&losses.sum * ratio(place, 1_000_000), &losses.law.top - &losses.law.step * Rational::from(cell)] {
            let deltas = [&from - &little, from.clone(), &from + &little].map(|epsilon| losses.delta(&epsilon));
            prop_assert!(deltas.is_sorted_by(|left, right| left >= right) && deltas[0] <= Rational::ONE);
        }
    }

    #[test]
    fn the_epsilon_is_enough_and_hardly_less_would_be(parts in coarse_parts(6), odd in odd_parts(3), delta in 1u64..3000) {
        let losses = of(&[parts, odd].concat());
        let delta = ratio(delta, 10_000);
        match losses.epsilon(&delta) {
            None => prop_assert!(losses.delta(&losses.sum) > delta),
            Some(epsilon) => {
                prop_assert!(losses.delta(&epsilon) <= delta && epsilon <= losses.sum);
                let less = &epsilon - &losses.sum * number("1e-9");
                prop_assert!(epsilon == Rational::ZERO || losses.delta(&less) > delta);
                prop_assert!(epsilon == losses.sum || incrowd_exact::significant(&epsilon, 12).len() <= 12);
            }
        }
    }
}

/// `delta` at `(times - 2 i) epsilon`: Kairouz, Oh & Viswanath 2015, Theorem 3.3, with everything over `e^(times
/// epsilon)`.
fn equal_parts(epsilon: &Rational, delta: &Rational, times: u64, i: u64) -> Enclosure {
    let (one, fall) = (Enclosure::one(BITS), exp_neg(epsilon, BITS));
    let mut choose = Natural::ONE;
    let mut sum = Enclosure::zero(BITS);
    for l in 0..i {
        let excess = fall.power(l).minus(&fall.power(2 * i - l));
        sum = sum.plus(&excess.times(&known(&Rational::from(choose.clone()))));
        choose = choose * Natural::from(times - l) / Natural::from(l + 1);
    }
    let told = sum.over(&one.plus(&fall).power(times));
    one.minus(&one.minus(&known(delta)).power(times).times(&one.minus(&told)))
}

#[test]
fn equal_parts_cost_what_kairouz_oh_and_viswanath_print() {
    for (epsilon, delta, times) in [("1/10", "0", 10), ("1/10", "1e-8", 100), ("2", "1e-3", 7), ("1/3", "1e-12", 41)] {
        let losses = of(&[loss(epsilon, delta, times)]);
        for i in 0..=times / 2 {
            let at = number(epsilon) * Rational::from(times - 2 * i);
            let truth = equal_parts(&number(epsilon), &number(delta), times, i);
            assert_delta(&losses, &at, &truth, &last_digits());
        }
    }
}

#[test]
fn ten_and_a_hundred_releases_cost_less_than_their_sum() {
    for (times, delta, least, most) in FIGURES {
        let losses = of(&[loss("1/10", "0", times)]);
        let epsilon = losses.epsilon(&number(delta)).expect("a finite epsilon");
        assert!(epsilon > number(least) && epsilon <= number(most), "{times}: {}", epsilon.to_f64().value());
    }
}

/// Releases of 1/10, the delta, and bounds of epsilon from the binomial sum in 60 digits (mpmath).
const FIGURES: [(u64, &str, &str, &str); 4] = [
    (10, "1e-6", "0.999370905721", "0.999370907"),
    (100, "1e-6", "4.774567588107", "4.77456760"),
    (100, "1e-12", "6.891377199770", "6.89137721"),
    (1000, "1e-6", "19.34467144799", "19.3446716"),
];

#[test]
fn a_million_releases_cost_what_the_binomial_law_says() {
    // 4.88654374375767 from the binomial sum in 50 digits (mpmath).
    let losses = of(&[loss("1/1000", "0", 1_000_000)]);
    let epsilon = losses.epsilon(&number("1e-6")).expect("a finite epsilon");
    assert!(epsilon > number("4.886543743") && epsilon <= number("4.886545"));
    // What was cut off beyond all cells costs nothing where no loss can be.
    assert_eq!(
        (losses.epsilon(&Rational::ZERO), losses.delta(&number("1000"))),
        (Some(number("1000")), Rational::ZERO)
    );
    assert!(losses.delta(&number("999")) > Rational::ZERO && losses.delta(&number("999")) < number("1e-28"));
    // Cells are wider than a release's losses are apart; the binomial law still is nearly what it was.
    let many =
        of(&[loss("1e-6", "0", 1_000_000), loss("1", "0", 1)]).epsilon(&number("1e-6")).expect("a finite epsilon");
    assert!(many > Rational::ONE && many < number("1.00264"));
}

#[test]
fn a_thousand_different_epsilons_cost_hardly_more_than_they_must() {
    // With eight times the cells every loss has its own, and the answer is 9.81254894.
    let parts: Vec<Loss> = (1..=1000).map(|k| loss(&format!("{k}/10000"), "0", 1)).collect();
    let epsilon = of(&parts).epsilon(&number("1e-6")).expect("a finite epsilon");
    assert!(epsilon > number("9.8125489") && epsilon < number("9.8136"));
}

#[test]
fn noisy_counts_cost_exactly_this_and_thresholds_at_most() {
    let rates = ["1/2", "1", "1/3"].map(number);
    for (count, reach, points) in [(2, 45, ["0", "1/10", "0.7", "1.4"]), (3, 18, ["0", "1/4", "1.1", "1.8"])] {
        let releases: Vec<Outcomes> = rates[..count].iter().map(|rate| geometric(rate, reach)).collect();
        let parts: Vec<Loss> =
            rates[..count].iter().map(|rate| Loss { epsilon: rate.clone(), delta: Rational::ZERO, times: 1 }).collect();
        for point in points.map(number) {
            assert_delta(&of(&parts), &point, &hockey_stick(&releases, &point), &(left_out(&releases) + last_digits()));
        }
    }
    for (rate, least, points) in [("1", 5, ["0", "1/2", "1", "2", "3"]), ("1/2", 9, ["0", "1/4", "1", "5/4", "3/2"])] {
        let fall = exp_neg(&number(rate), BITS);
        let delta = fall.power(least as u64 - 1).over(&Enclosure::one(BITS).plus(&fall)).upper();
        let losses = of(&[Loss { epsilon: number(rate), delta, times: 3 }]);
        let releases = vec![thresholded(&number(rate), least, 30); 3];
        for point in points.map(number) {
            let truth = hockey_stick(&releases, &point).upper() + left_out(&releases);
            assert!(losses.delta(&point) + last_digits() >= truth, "{rate} at {point}");
        }
    }
}

/// Whoever chooses the next epsilons by the first answer gets a delta that neither list has: the list must be fixed
/// before.
#[test]
fn choosing_epsilons_after_an_answer_costs_more_than_either_list() {
    let (first, at) = (loss("1/4", "0", 1), number("3/2"));
    let (once, often) = (loss("3/2", "0", 1), loss("3/5", "0", 4));
    let lists = [&once, &often].map(|then| of(&[first.clone(), then.clone()]).delta(&at));
    let [once, often] = [once, often].map(|then| of(&[then]));
    let best = |epsilon: Rational| once.delta(&epsilon).max(often.delta(&epsilon));
    let fall = exp_neg(&first.epsilon, BITS);
    let likely = Enclosure::one(BITS).over(&Enclosure::one(BITS).plus(&fall)).lower();
    let chosen = best(&at - &first.epsilon) * &likely + best(&at + &first.epsilon) * (Rational::ONE - likely);
    assert!(lists.iter().all(|list| list < &number("0.1032")) && chosen > number("0.138"));
}

/// Masses with nothing regular about them.
fn rough_masses(count: usize, seed: u64) -> Masses {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Natural::from(state) << (state % 40) as usize
    };
    let cells = (0..count).map(|_| next() + (Natural::ONE << 64)).collect();
    Masses { step: Rational::ONE, top: Rational::ZERO, cells, beyond: Natural::from(5u8) }
}

#[test]
fn a_product_of_long_integers_is_the_convolution() {
    for (mine, others) in [(1, 1), (3, 200), (700, 900), (2500, 40), (2000, 3000)] {
        let (mine, others) = (rough_masses(mine, 1), rough_masses(others, 2));
        let mut sums = vec![Natural::ZERO; mine.cells.len() + others.cells.len() - 1];
        for (i, a) in mine.cells.iter().enumerate() {
            for (j, b) in others.cells.iter().enumerate() {
                sums[i + j] += a * b;
            }
        }
        let beyond = Natural::from(5u8) * (mine.cells.iter().sum::<Natural>() + others.cells.iter().sum::<Natural>());
        let (top, step) = (Rational::ZERO, Rational::ONE);
        let cells = sums.into_iter().map(round_up).collect();
        let slow = Masses { step, top, cells, beyond: round_up(beyond + Natural::from(25u8)) }.without_tails();
        let fast = mine.with(&others);
        assert_eq!((fast.cells, fast.beyond, fast.top), (slow.cells, slow.beyond, slow.top));
    }
}

#[test]
fn cut_tails_go_up_and_nothing_is_lost() {
    let cells: Vec<Natural> = [3, TAIL - 3, 1, 1 << 40, 7, 0, TAIL - 7].map(Natural::from).to_vec();
    let masses = Masses { step: number("2"), top: number("10"), cells, beyond: Natural::from(4u8) }.without_tails();
    assert_eq!(masses.cells, [1, (1 << 40) + TAIL].map(Natural::from));
    assert_eq!((masses.top, masses.beyond), (number("6"), Natural::from(TAIL + 4)));
}

#[test]
fn limits_are_numbers_too() {
    let nothing = of(&[]);
    assert_eq!(
        (nothing.delta(&Rational::ZERO), nothing.epsilon(&Rational::ZERO)),
        (Rational::ZERO, Some(Rational::ZERO))
    );
    let silent = of(&[loss("0", "1e-6", 3), loss("0", "0", 1_000_000), loss("7", "1", 0)]);
    let told = Rational::ONE - number("0.999999").pow(3);
    assert_eq!((silent.delta(&Rational::ZERO), silent.epsilon(&told)), (told.clone(), Some(Rational::ZERO)));
    assert_eq!(silent.epsilon(&(told - number("1e-40"))), None);
    let all = of(&[loss("1", "1", 1), loss("2", "0", 1)]);
    assert_eq!((all.delta(&number("5")), all.epsilon(&number("0.999999"))), (Rational::ONE, None));
    assert_eq!(all.epsilon(&Rational::ONE), Some(Rational::ZERO));
    // A single release at its own delta costs its own epsilon, and so does a pure one at no delta.
    let single = of(&[loss("1/3", "1e-6", 1)]);
    assert_eq!(single.epsilon(&number("1e-6")), Some(number("1/3")));
    assert_eq!(single.epsilon(&number("0.99e-6")), None);
    assert_eq!(of(&[loss("1/7", "0", 5)]).epsilon(&Rational::ZERO), Some(number("5/7")));
}

#[test]
fn very_large_and_very_small_epsilons_stay_sound() {
    let giant = of(&[loss("1e300", "0", 3), loss("1", "0", 1), loss("0.3333333333333333", "0", 7)]);
    assert_eq!(giant.delta(&number("1e299")), Rational::ONE);
    assert_eq!(giant.delta(&giant.sum), Rational::ZERO);
    assert_eq!(giant.delta(&number("-1e200")), Rational::ONE);
    // Between the sums without and with the rest, as if the giants were certain.
    let rest = of(&[loss("1", "0", 1), loss("0.3333333333333333", "0", 7)]);
    let shifted = giant.delta(&(number("3e300") + Rational::ONE)) - rest.delta(&Rational::ONE);
    assert!(shifted < last_digits() && shifted > -last_digits());
    let tiny = of(&[loss("1e-300", "0", 3), loss("1.234e-299", "0", 1), loss("0.3333333333333333e-300", "0", 7)]);
    assert!(tiny.sum >= number("1.767e-299") && tiny.sum < number("1.768e-299"));
    assert!(tiny.delta(&Rational::ZERO) > Rational::ZERO && tiny.delta(&Rational::ZERO) < last_digits());
    assert_eq!(tiny.epsilon(&number("1e-30")), Some(Rational::ZERO));
    assert!(tiny.delta(&number("-1")) >= Rational::ONE - exp_neg(&Rational::ONE, BITS).upper());
}

#[test]
fn many_deltas_are_rounded_up_and_hardly() {
    for (delta, times) in [("1e-9", 1_000_000u64), ("1e-200", 1_000_000), ("0.1234567", 50)] {
        let once = number(delta);
        let told = of(&[loss("0", delta, times)]).delta(&Rational::ZERO);
        let exact = Enclosure::one(2000).minus(&Enclosure::rational(&(Rational::ONE - &once), 2000).power(times));
        assert!(told >= exact.lower() && told <= exact.upper() * (Rational::ONE + number("1e-60")));
    }
    // As many different ones as would make an exact product long.
    let many: Vec<Loss> = (1..200u64).map(|k| loss("0", &format!("1/{}", 1_000_003 + 7919 * k * k), 1)).collect();
    let kept = many.iter().fold(Rational::ONE, |kept, part| kept * (Rational::ONE - &part.delta));
    let told = of(&many).delta(&Rational::ZERO);
    assert!(told >= Rational::ONE - &kept && told < Rational::ONE - kept + number("1e-60"));
}

#[test]
fn what_is_no_loss_is_refused() {
    let error = |parts: &[Loss]| Losses::of(parts).expect_err("no loss");
    let fine = loss("1", "0", 1);
    assert_eq!(error(&[fine.clone(), loss("-1", "0", 1)]), LossesError::Epsilon { part: 1 });
    assert_eq!(error(&[loss("1", "-1e-9", 1)]), LossesError::Delta { part: 0 });
    assert_eq!(error(&[fine, loss("1", "1.001", 0)]), LossesError::Delta { part: 1 });
    assert_eq!(error(&[loss("1", "0", 9_000_000), loss("2", "0", 1_000_001)]), LossesError::TooMany);
    assert_eq!(error(&[loss("1", "0", u64::MAX), loss("1", "0", u64::MAX)]), LossesError::TooMany);
    let many: Vec<Loss> = (1..=10_001).map(|k| loss(&format!("1/{k}"), "0", 1)).collect();
    assert_eq!(error(&many), LossesError::TooMany);
    assert!(LossesError::TooMany.to_string().contains("10000000 parts or 10000 different"));
}
