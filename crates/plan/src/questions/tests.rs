//! Every kind of answer, recomputed by adding up outcomes of the laws that `incrowd law` prints.

use super::adding_up::PromisedStep;
use super::{AccountFacts, AccountState, ChargedBefore, KnownAccount};
use crate::chance::percent;
use crate::plan::Plan;
use crate::request::Request;
use crate::testing::{
    CASES, OUTLIER, OutcomeChances, PLAIN, Stated, exceeding, float, judge, law, number, plan_of, stated,
};
use incrowd_definition::Left;
use incrowd_exact::Rational;
use incrowd_privacy::{Deployed, Outcome, Sureness, Universe};
use std::collections::BTreeMap;

/// The answers to the question that begins so.
fn answers(plan: &Plan, question: &str) -> Vec<String> {
    let all = plan.plain_answers(&AccountFacts::Unknown);
    let found = all.into_iter().find(|answer| answer.question.starts_with(question));
    found.unwrap_or_else(|| panic!("{question}")).answers
}

/// What a bin shows: the chances of its values, and that of none.
fn shown(deployed: &Deployed, count: u64) -> (BTreeMap<i64, f64>, f64) {
    let mut values = BTreeMap::new();
    if deployed.universe == Universe::Open && count == 0 {
        return (values, 1.0);
    }
    let mut hidden = 0.0;
    for line in deployed.law(count).expect("a law").lines {
        let chance = float(&line.probability.upper());
        match line.outcome {
            Outcome::Value(value) => *values.entry(value).or_insert(0.0) += chance,
            Outcome::Suppressed | Outcome::AtMost(_) | Outcome::Range(_, _) => hidden += chance,
        }
    }
    (values, hidden)
}

/// Panics unless 19 of 20 shown values lie from `low` to `high`, and no end could be drawn in.
fn holds_19_of_20(values: &BTreeMap<i64, f64>, (low, high): (i64, i64), what: &str) {
    let total: f64 = values.values().sum();
    let share =
        |of: &dyn Fn(i64) -> bool| values.iter().filter(|(value, _)| of(**value)).map(|(_, p)| p).sum::<f64>() / total;
    assert!(share(&|value| value < low) <= 0.025 + 1e-9 && share(&|value| value > high) <= 0.025 + 1e-9, "{what}");
    assert!(share(&|value| value <= low) > 0.025 - 1e-9 && share(&|value| value >= high) > 0.025 - 1e-9, "{what}");
}

fn ends(words: &str) -> (i64, i64) {
    let mut words = words.split([' ', ',', ';', '.']);
    let low = words.next().and_then(|low| low.parse().ok());
    let high = words.nth(1).and_then(|high| high.parse().ok());
    low.zip(high).unwrap_or_else(|| panic!("two ends"))
}

#[test]
fn what_a_small_cell_shows_is_what_the_law_shows() {
    let (mut shows, mut hides, mut never, mut alike) = (0, 0, 0, 0);
    for (promise, mechanism) in CASES {
        let plan = plan_of(promise, &format!("\n[mechanism]\n{mechanism}\n"));
        let deployed = &plan.settled.deployed;
        let Some(sentence) = answers(&plan, "Can anybody").into_iter().find(|answer| answer.starts_with("A cell of"))
        else {
            assert!(deployed.publishes_ranges(), "{mechanism}");
            continue;
        };
        let size: u64 = sentence["A cell of ".len()..].split(' ').next().expect("a size").parse().expect("a size");
        let expected = plan.small().map_or(5, |to| to / 2 + to % 2);
        assert_eq!(size, expected, "{sentence}");
        let (values, hidden) = shown(deployed, size);
        let what = format!("{promise} {mechanism}: {sentence}");
        if let Some((_, rest)) = sentence.split_once("is not shown with a chance of ") {
            let chance = percent(hidden).replace("> ", "more than ").replace("< ", "less than ");
            assert_eq!(rest.split(';').next(), Some(chance.as_str()), "{what}");
            holds_19_of_20(&values, ends(rest.split_once("then as ").expect("ends").1), &what);
            hides += 1;
        } else if let Some((_, rest)) = sentence.split_once(" shows ") {
            assert!(hidden < 1e-12, "{what}");
            holds_19_of_20(&values, ends(rest), &what);
            shows += 1;
        } else {
            assert!(sentence.contains("is never shown") && values.is_empty(), "{what}");
            never += 1;
        }
        let (empty, silent) = shown(deployed, 0);
        if sentence.contains("as an empty cell does") {
            holds_19_of_20(&empty, ends(sentence.split_once(" shows ").expect("ends").1), &what);
            alike += 1;
        } else if let Some((_, rest)) = sentence.split_once("an empty cell shows ") {
            holds_19_of_20(&empty, ends(rest), &what);
        } else if sentence.contains("nor is an empty cell") {
            assert!(empty.is_empty() && silent > 0.999_999, "{what}");
        }
    }
    assert!(shows >= 8 && hides >= 4 && never >= 2 && alike >= 1, "{shows} {hides} {never} {alike}");
}

#[test]
fn what_larger_cells_lose_is_the_mean_error_of_the_law() {
    let mut told = 0;
    for (promise, mechanism) in CASES {
        let plan = plan_of(promise, &format!("\n[mechanism]\n{mechanism}\n"));
        if plan.settled.deployed.publishes_ranges() {
            continue;
        }
        let lines = answers(&plan, "What do ");
        let from = plan.small().map_or(10, |to| to + 1);
        if lines[0].starts_with("Nothing: ") {
            for size in [from, from + 1, 10 * from] {
                let (values, _) = shown(&plan.settled.deployed, size);
                assert_eq!(values.keys().copied().collect::<Vec<_>>(), [size as i64], "{mechanism}");
            }
            assert!(lines[0].contains(&format!("a cell of {from} or more is published as it is")), "{}", lines[0]);
            continue;
        }
        let words = lines[0].split_once("those of ").expect("sizes").1;
        for part in words.trim_end_matches('.').split(", of ") {
            let (size, rest) = part.split_once(" by ").expect("an error");
            let size: u64 = size.parse().expect("a size");
            let said: f64 = rest.split(' ').next().and_then(|error| error.parse().ok()).expect("an error");
            let (values, hidden) = shown(&plan.settled.deployed, size);
            let off = |(value, chance): (&i64, &f64)| ((*value).max(0) as f64 - size as f64).abs() * chance;
            let truth = values.iter().map(off).sum::<f64>() + hidden * size as f64;
            assert!((said - truth).abs() <= 0.06 * truth + 1e-6, "{mechanism}: {said} {truth} in {}", lines[0]);
            assert_eq!(rest.contains("are not shown"), hidden > 0.0 && percent(hidden) != "0 %", "{mechanism} {part}");
            told += 1;
        }
        assert!(words.starts_with(&format!("{from} by ")), "{words}");
    }
    assert!(told > 30, "{told}");
}

fn product(one: &OutcomeChances, other: &OutcomeChances) -> OutcomeChances {
    let pairs = one.iter().flat_map(|(a, p)| other.iter().map(move |(b, q)| (format!("{a}, {b}"), p * q)));
    pairs.filter(|(_, mass)| *mass > 1e-14).collect()
}

/// Laws at few counts with little in their tails, so that products stay small.
fn laws(plan: &Plan, most: u64) -> Vec<OutcomeChances> {
    (0..=most)
        .map(|count| law(&plan.settled.deployed, count).into_iter().filter(|(_, mass)| *mass > 1e-9).collect())
        .collect()
}

fn odds_of(percent: &str) -> f64 {
    let percent = float(&number(percent));
    percent / (100.0 - percent)
}

const STRICT: &str = "kind = \"simple-outlier-dp\"\ngroup = 4\nepsilon = 2";

#[test]
fn two_releases_and_a_known_total_tell_no_more_than_is_said() {
    let relay = "\n[mechanism]\nname = \"relay\"\n";
    let loose = "kind = \"differential-privacy\"\nepsilon = 2\ndelta = \"1/500\"";
    for (promise, mechanism, most) in [(STRICT, "", 6), (loose, relay, 9)] {
        let plan = plan_of(promise, mechanism);
        let laws = laws(&plan, most);
        let second = answers(&plan, "From a second table");
        let totals = answers(&plan, "By subtraction").remove(1);
        let (all, small) = (&second[1], second.get(2));
        assert!(small.is_none_or(|small| small.starts_with("Of a person whose groups are of up to 4 in both")));
        // Twice the same table, and twice any two: the counts of a person need not be equal.
        let twice = |to: u64, percent: &str| {
            let mut truth = 0.0f64;
            for (first, second) in (1..=to).flat_map(|first| (1..=first).map(move |second| (first, second))) {
                let [with, without] =
                    [0, 1].map(|less| product(&laws[(first - less) as usize], &laws[(second - less) as usize]));
                truth = truth.max(exceeding(&with, &without, odds_of(percent)));
            }
            truth
        };
        let moved = |to: u64, percent: &str| {
            let mut truth = 0.0f64;
            for (from, into) in (1..=to).flat_map(|from| (1..=to).map(move |into| (from, into))) {
                let here = product(&laws[from as usize], &laws[(into - 1) as usize]);
                let there = product(&laws[(from - 1) as usize], &laws[into as usize]);
                truth = truth.max(exceeding(&here, &there, odds_of(percent)));
            }
            truth
        };
        // What floats and cut tails leave of none.
        let near = |said: &Stated, truth: f64| assert!(truth <= said.chance + 1e-6, "{truth:e}: {second:?} {totals}");
        let said = stated(all).expect("a percentage");
        near(&said, twice(most, &said.percent));
        if let Some(small) = small {
            let said = stated(small).expect("a percentage");
            near(&said, twice(4, &said.percent));
            let one = plan.odds()[0].surer_than.to_string();
            assert!(twice(4, &one) > 0.01, "one release alone would say {one}, which is too little");
        }
        let said = stated(&totals).expect("a percentage");
        let to = plan.small().unwrap_or(most);
        near(&said, moved(to, &said.percent));
        let one = plan.odds()[0].surer_than.to_string();
        assert!(moved(to, &one) > 0.01, "one cell alone would say {one}, which is too little");
        // Without a delta it is as near as epsilons allow.
        if small.is_some() {
            let room = odds_of(&said.percent) * 0.995;
            assert!(moved(to, &(100.0 * room / (1.0 + room)).to_string()) > 0.0, "{totals}");
        }
    }
}

#[test]
fn a_pair_of_steps_is_twice_what_is_promised() {
    let plan = plan_of(OUTLIER, "\n[mechanism]\nname = \"tailored-geometric\"\n");
    let step: PromisedStep = (number("1/10"), Some(10));
    assert_eq!(plan.twice(&step).epsilon, number("1/5"));
    assert_eq!(plan.moved(&step).epsilon, number("1/5"));
    assert!(!plan.twice(&step).may_fail() && !plan.moved(&step).may_fail());
    // With a delta: in, and out again, costs delta (1 + e^eps).
    let relay = plan_of(PLAIN, "\n[mechanism]\nname = \"relay\"\n");
    let moved = relay.moved(&(number("1"), None));
    let sum = 1e-6 * (1.0 + std::f64::consts::E);
    judge("moved", &Stated { percent: "0".into(), chance: float(&moved.chance), exact: false }, sum, 1.0);
    assert!(float(&moved.chance) <= 10.01 * sum, "{:e}", float(&moved.chance));
}

#[test]
fn exact_tails_are_told_with_the_cells_that_a_total_isolates() {
    let bins = "\n[data]\nsource = \"p.csv\"\n\n[[bins]]\nname = \"region\"\ncolumn = \"region\"\nvalues = [\"North\", \"South\"]\n\n[[bins]]\nname = \"diagnosis\"\ncolumn = \"diagnosis\"\nvalues = [\"Flu\", \"Gout\"]\n\n[mechanism]\nname = \"suppress-below\"\n\n[ledger]\ndataset = \"d\"\n";
    let plan = plan_of("kind = \"crowd-blending\"\ncrowd = 6\nepsilon = 0", bins);
    let said = answers(&plan, "By subtraction");
    assert!(
        said[1].contains(
            "the true total of region North minus what is published of region North, all of diagnosis but Flu = region North, diagnosis Flu, however few"
        ),
        "{said:?}"
    );
    assert!(said[1].starts_with("From a total that is known from elsewhere, yes: large groups are published exactly"));
    // Three of Flu in the North are hidden, and the total less what is published is three.
    let published = |count: u64| shown(&plan.settled.deployed, count).0.keys().copied().sum::<i64>();
    assert_eq!((published(3), (43 - published(40))), (0, 3));
    assert!(answers(&plan, "From a second table")[0].contains("is refused by the account"));
    assert!(answers(&plan, "From last year")[0].contains("are refused by the account"));
    assert!(plan_of(OUTLIER, "").small().is_some());
    // Of a secret sample nobody knows a total, and a promise without an end is bounded by nobody.
    let sampled = bins.replace("[data]\n", "[data]\nsample = \"1/4\"\n");
    let sampled = answers(&plan_of("kind = \"crowd-blending\"\ncrowd = 6\nepsilon = 0", &sampled), "By subtraction");
    assert!(sampled[1].starts_with("Nobody knows the true totals of a secret sample"), "{sampled:?}");
    let linear = plan_of("kind = \"linear\"\nslope = \"1/10\"", "");
    assert!(answers(&linear, "By subtraction")[1].contains("nothing bounds it: epsilon grows by 1/10"), "linear");
    assert!(answers(&linear, "From a second table")[0].starts_with("Only tables of the same bins"), "linear");
}

#[test]
fn fewer_than_six_is_five_or_six() {
    for promise in [
        "kind = \"simple-outlier-dp\"\ngroup = 5\nepsilon = 1",
        "kind = \"crowd-blending\"\ncrowd = 6\nepsilon = \"1/5\"",
    ] {
        let plan = plan_of(promise, "");
        assert_eq!(
            plan.small_spellings().as_deref(),
            Some("fewer than 6 people: `group = 5` means up to 5, `crowd = 6` means below 6")
        );
        assert!(plan.curve.epsilon(5) < plan.curve.epsilon(6) && plan.curve.epsilon(1) == plan.curve.epsilon(5));
        assert_eq!(plan.plain_answers(&AccountFacts::Unknown)[0].question, "Can anybody find a cell of 1 to 5?");
    }
    let plain = plan_of(PLAIN, "");
    assert_eq!((plain.small(), plain.small_spellings()), (None, None));
    assert_eq!(
        answers(&plain, "Can anybody find a small cell?")[0],
        "All are protected alike, whatever the size of their cell."
    );
}

fn account(epsilon: &str, delta: &str, left: [&str; 2], state: AccountState) -> AccountFacts {
    let numbers = |[epsilon, delta]: [&str; 2]| Left { epsilon: Some(number(epsilon)), delta: Some(number(delta)) };
    AccountFacts::Known(Box::new(KnownAccount {
        account: "people".into(),
        budget: numbers([epsilon, delta]),
        left: numbers(left),
        charged_delta: number("1e-6"),
        state,
        own_people_of_each: None,
        declares_parts: false,
        before: None,
        repeated: None,
    }))
}

#[test]
fn what_the_account_has_paid_for_is_added_up_with_this_release() {
    let plan = plan_of(STRICT, "");
    let second = |facts: &AccountFacts| {
        let all = plan.plain_answers(facts).into_iter();
        all.filter(|answer| answer.question == "From a second table?")
            .flat_map(|answer| answer.answers)
            .collect::<Vec<_>>()
    };
    let AccountFacts::Known(mut known) = account("9", "1e-5", ["9", "1e-5"], AccountState::Adds) else { panic!() };
    let unknown = second(&AccountFacts::Unknown);
    assert_eq!(second(&AccountFacts::Known(known.clone())), unknown, "nothing was charged");
    assert!(unknown[1].starts_with("After two such releases nobody"), "{unknown:?}");
    known.charged_delta = Rational::ZERO;
    let before = |epsilon: &str, delta: &str, small: Option<&str>| {
        let epsilon_of_small = small.map(number);
        Some(ChargedBefore { charges: 2, epsilon: number(epsilon), delta: number(delta), epsilon_of_small })
    };
    known.before = before("1", "0", Some("1/10"));
    let [first, all, small] = &second(&AccountFacts::Known(known.clone()))[..] else { panic!("three sentences") };
    assert_eq!(*first, unknown[0]);
    assert!(
        all.starts_with("Account people has paid for 2 releases about these people: by them and this one"),
        "{all}"
    );
    let (of_all, of_small) = (Sureness::of(&number("3")), Sureness::of(&number("6/10")));
    assert!(all.contains(&format!("nobody becomes surer than {of_all} % whether")), "{all}");
    assert!(
        small.contains("groups are of up to 4 in all of them") && small.contains(&format!("than {of_small} %")),
        "{small}"
    );
    known.before = before("1", "1e-6", None);
    let [_, all] = &second(&AccountFacts::Known(known))[..] else { panic!("two sentences") };
    assert!(all.contains("rightly becomes surer than") && all.contains("but for a chance of"), "{all}");
}

#[test]
fn the_share_of_a_budget_is_what_is_taken_of_it() {
    let plan = plan_of(PLAIN, "\n[mechanism]\nname = \"relay\"\n");
    let words = |facts: &AccountFacts| facts.words(&plan).join(" | ");
    assert_eq!(
        words(&account("3", "1e-5", ["3", "1e-5"], AccountState::Adds)),
        "this spends epsilon 1 of 3 (33 %) of account people; 2 is left after it | this spends delta 1 in a million of 1 in \
         100,000 (10 %) of account people; 9 in a million is left after it"
    );
    let over = words(&account("3", "1e-5", ["1/2", "1e-5"], AccountState::Adds));
    assert!(over.starts_with("more than is left: it needs epsilon 1, and 1/2 of 3 is left"), "{over}");
    assert!(over.ends_with("it would be refused before anything is read"), "{over}");
    let refused = words(&account("3", "1e-5", ["3", "1e-5"], AccountState::Refuses("no".into())));
    assert_eq!(refused, "account people would not pay: no");
    let undecided = words(&account("3", "1e-5", ["3", "1e-5"], AccountState::AddsTwice));
    assert!(undecided.ends_with("is decided when it is charged"), "{undecided}");
    let strict = plan_of(STRICT, "");
    let AccountFacts::Known(mut known) = account("3", "0", ["3", "0"], AccountState::AddsTwice) else { panic!() };
    known.charged_delta = Rational::ZERO;
    let facts = AccountFacts::Known(known);
    assert!(facts.words(&strict)[0].starts_with("more than is left: it needs epsilon 4"), "{:?}", facts.words(&strict));
    assert_eq!(facts.to_json(&strict)["left_after"]["epsilon"], "0");
    let unopened = |others: &[&str]| {
        let others = others.iter().map(ToString::to_string).collect();
        words(&AccountFacts::NotOpen { account: "people".into(), others })
    };
    assert!(unopened(&[]).contains("`incrowd ledger open people`"), "{}", unopened(&[]));
    assert!(unopened(&[]).ends_with("the first release opens the account without a limit"), "{}", unopened(&[]));
    assert!(unopened(&["persons"]).contains("refused, unless it says --open"), "{}", unopened(&["persons"]));
}

#[test]
fn top_items_rows_and_several_bins_have_answers_that_fit_them() {
    let request = |kind: &str, rest: &str| {
        let text = format!("release = \"{kind}\"\n{rest}");
        let request = Request::parse(&text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        Plan::of(&request, None).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
    };
    let top = request(
        "top",
        "[data]\nsource = \"p.csv\"\nperson = \"who\"\nbins-per-person = 2\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n[top]\nitems = 3\ncounts = true\nepsilon-select = \"1/4\"\nepsilon-stabilise = \"1/4\"\nepsilon-counts = \"1/2\"\n[[bins]]\nname = \"item\"\ncolumn = \"item\"\n",
    );
    let said = answers(&top, "Can anybody find a small item?");
    let sentence = said.last().expect("a sentence");
    let found = 1.0 - shown(&top.settled.deployed, 5).1;
    assert!(found < 1e-6, "{found}");
    assert_eq!(sentence, "An item of 5 counted people is published with a chance of less than 0.0001 %.");
    assert!(answers(&top, "By subtraction")[1].contains("in which of two sets of items a person is"), "{said:?}");
}

#[test]
fn from_95_percent_on_a_promise_hardly_promises() {
    for (epsilon, weak) in [("1", false), ("2.9", false), ("2.92", false), ("2.95", true), ("3", true), ("14", true)] {
        let plan = plan_of(&format!("kind = \"differential-privacy\"\nepsilon = \"{epsilon}\""), "");
        let words = plan.weakness();
        assert_eq!(words.is_some(), weak, "{epsilon}");
        let sure = 100.0 / (1.0 + (-epsilon.parse::<f64>().expect("a number")).exp());
        // 94.9 itself would be printed as it is, and anything above it as 95.
        assert_eq!(sure > 94.9, weak, "{sure}");
        if let Some(words) = words {
            let said: f64 =
                words.split(" %").next().and_then(|w| w.rsplit(' ').next()?.parse().ok()).expect("a number");
            assert!(said >= sure && said - sure < 0.1, "{words}: {sure}");
            assert!(words.starts_with("hardly a promise: with epsilon "), "{words}");
        }
    }
    let stairs = "kind = \"staircase\"\nthresholds = [20]\nepsilons = [4, \"1/2\"]";
    let words = plan_of(stairs, "").weakness().expect("weak for some");
    assert!(words.contains("a person in a group of 21 or more"), "{words}");
    assert_eq!(plan_of("kind = \"crowd-blending\"\ncrowd = 6\nepsilon = 0", "").weakness(), None);
}
