//! What requests mean.
//!
//! Values against texts; it must never test how a text is read. It is separate from `refused.rs` because that is the
//! longer list. Read `refused.rs` next.

use super::super::*;
use super::{accept, examples, promising, with_bin, with_data, with_mechanism};
use incrowd_exact::parse_number;
use incrowd_privacy::{Bound, Epsilon, MechanismName, Promise};

fn epsilon_of(text: &str) -> Epsilon {
    match accept(&promising(&format!("kind = \"differential-privacy\"\nepsilon = {text}"))).promise.promise {
        Promise::DifferentialPrivacy { epsilon } => epsilon,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_example_is_accepted() {
    for text in examples::all() {
        accept(&text);
    }
}

#[test]
fn numbers_are_exactly_what_is_written() {
    for (text, exact) in [
        ("0.1", "1/10"),
        ("\"1/10\"", "1/10"),
        ("1e-1", "1/10"),
        ("\"0.1\"", "1/10"),
        ("+1_0", "10"),
        (
            "0.3000000000000000000000000000000000000000000000001",
            "3000000000000000000000000000000000000000000000001/10000000000000000000000000000000000000000000000000",
        ),
        ("-0.0", "0"),
        ("1E-9", "1/1000000000"),
    ] {
        assert_eq!(epsilon_of(text).to_string(), exact, "{text}");
    }
}

#[test]
fn every_kind_of_promise_is_read_under_its_own_name() {
    for text in examples::PROMISES {
        let kind = accept(&promising(text)).promise.promise.kind();
        assert!(text.contains(&format!("kind = \"{kind}\"")), "{text}");
    }
    let linear = accept(&promising("kind = \"linear\"\nslope = 0.1")).promise.promise;
    let (floor, cap) = (parse_number("0").expect("zero"), Epsilon::Infinite);
    assert_eq!(linear, Promise::Linear { slope: parse_number("1/10").expect("a number"), floor, cap });
    let infinite = accept(&promising("kind = \"table\"\nvalues = [0, \"infinite\"]")).promise.promise;
    assert_eq!(infinite, Promise::Table { values: vec![Epsilon::ZERO, Epsilon::Infinite] });
}

#[test]
fn every_mechanism_is_read_with_all_its_parameters() {
    for (text, name) in examples::MECHANISMS.iter().zip(MechanismName::ALL) {
        assert_eq!(accept(&with_mechanism(text)).mechanism.expect("a mechanism").name, name);
    }
    let staircase = accept(&with_mechanism(examples::MECHANISMS[10])).mechanism.expect("a mechanism").parameters;
    assert_eq!((staircase.levels, staircase.thresholds), (Some(vec![120, -40]), Some(vec![100, 20])));
    let noisy = accept(&with_mechanism(examples::MECHANISMS[8])).mechanism.expect("a mechanism").parameters;
    assert_eq!((noisy.offset, noisy.group), (Some(-3), Some(10)));
}

#[test]
fn a_missing_delta_is_left_to_the_plan() {
    assert_eq!(accept(&with_bin("column = \"x\"")).promise.delta, None);
}

#[test]
fn a_dimension_without_a_public_list_opens_the_universe() {
    let universe = |bins: &str| accept(&with_bin(bins)).cells();
    assert_eq!(accept(&promising(examples::PROMISES[0])).cells(), CellCount::Unstated);
    assert_eq!(universe("column = \"x\""), CellCount::Found);
    assert_eq!(universe("column = \"x\"\ntruncate = \"day\""), CellCount::Found);
    assert_eq!(universe("column = \"x\"\nnulls = \"bin\""), CellCount::Found);
    for (bin, cells) in [
        ("values = [1, 2]", 2),
        ("values = [1, 2]\nother = true\nnulls = \"bin\"", 4),
        ("edges = [0, 1, 5]", 2),
        ("edges = [0, 1, 5]\nother = true", 3),
        ("from = 0\nto = 1\nwidth = \"1/3\"", 3),
        ("from = 0\nto = 1e12\nwidth = 1\nnulls = \"bin\"", 1_000_000_000_001),
        ("truncate = \"month\"\nfrom = 2020-01-01\nto = \"2021-01-01\"", 12),
    ] {
        assert_eq!(universe(&format!("column = \"x\"\n{bin}")), CellCount::Declared(cells), "{bin}");
    }
    let mixed = "column = \"x\"\nvalues = [1]\n[[bins]]\nname = \"c\"\ncolumn = \"y\"";
    assert_eq!(universe(mixed), CellCount::Found);
}

#[test]
fn cells_multiply_and_saturate() {
    let two = "column = \"x\"\nvalues = [1, 2, 3]\n[[bins]]\nname = \"c\"\ncolumn = \"y\"\nedges = [0, 1, 2]\nnulls = \"bin\"";
    assert_eq!(accept(&with_bin(two)).cells(), CellCount::Declared(9));
    let wide = |name: usize| format!("[[bins]]\nname = \"n{name}\"\ncolumn = \"y\"\nfrom = 0\nto = 1e12\nwidth = 1\n");
    let many: String = (0..5).map(wide).collect();
    assert_eq!(
        accept(&with_bin(&format!("column = \"x\"\nvalues = [1]\n{many}"))).cells(),
        CellCount::Declared(u128::MAX)
    );
}

#[test]
fn the_default_mechanism_follows_the_universe() {
    let default = |text: &str| accept(text).mechanism_or_default().map(|mechanism| mechanism.name);
    assert_eq!(default(&promising(examples::PROMISES[0])), Some(MechanismName::TailoredGeometric));
    assert_eq!(default(&with_bin("column = \"x\"\nvalues = [1]")), Some(MechanismName::TailoredGeometric));
    assert_eq!(default(&with_bin("column = \"x\"")), Some(MechanismName::Relay));
    assert_eq!(default(examples::SERIES), Some(MechanismName::Relay));
    assert_eq!(default(&with_mechanism("name = \"range\"")), Some(MechanismName::Range));
}

#[test]
fn a_mechanism_takes_what_it_is_not_given_from_the_promise() {
    let text = format!("{}[mechanism]\nname = \"noisy-noise\"\nepsilon = 2\n", promising(examples::PROMISES[4]));
    let request = accept(&text);
    let filled = request.mechanism.expect("a mechanism").filled(&request.promise.promise).parameters;
    assert_eq!(
        (filled.group, filled.epsilon.map(|e| e.to_string()), filled.crowd),
        (Some(100), Some("2".into()), None)
    );
    let general = accept(&with_mechanism("name = \"general\"\nepsilon-a = 0.1"));
    let filled = general.mechanism.expect("a mechanism").filled(&general.promise.promise).parameters;
    assert_eq!((filled.bound, filled.grid), (Some(Bound::NoiseOnCount), parse_number("0.001").ok()));
}

#[test]
fn equally_spaced_edges_are_the_same_however_they_are_written() {
    let cut = |bin: &str| {
        let request = accept(&with_bin(&format!("column = \"x\"\n{bin}")));
        let Some(KeyColumn::Counted(bin)) = request.kind.published().first().copied() else { panic!("a bin") };
        bin.cut.clone()
    };
    assert_eq!(cut("edges = [0, 0.5, 1]"), cut("from = 0\nto = 1\nwidth = \"1/2\""));
    let Cut::Edges(edges) = cut("edges = [0, 1, 5]") else { panic!("edges") };
    assert_eq!((edges.number(2), edges.number(3)), (parse_number("5").ok(), None));
}

#[test]
fn one_row_is_one_person_unless_the_request_says_otherwise() {
    let data = |text: &str| accept(&with_data(text)).data.expect("data");
    assert_eq!(data("source = \"x.csv\"").unit, Unit::Row);
    assert_eq!(data("source = \"x.csv\"\nbins-per-person = 1").unit, Unit::Row);
    assert_eq!(data("people = \"n\"").unit, Unit::People { column: "n".into() });
    let person = data("person = \"id\"\nbins-per-person = 1_000_000").unit;
    assert_eq!(person, Unit::Person { column: "id".into(), bins_per_person: 1_000_000 });
    assert_eq!(data("person = \"id\"").timezone, "UTC");
}

#[test]
fn an_estimate_is_as_good_as_what_is_known() {
    let output = |text: &str| accept(&format!("{}[output]\n{text}\n", promising(examples::PROMISES[0]))).output;
    assert_eq!(output("estimate = true").estimate, Some(Estimate::Clamped));
    assert_eq!(output("estimate = true\nprior = [0, 10]").estimate, Some(Estimate::Median));
    assert_eq!(output("prior = [0, 10]").estimate, Some(Estimate::Median));
    assert_eq!(output("estimate = false\nprior = [0, 10]").estimate, None);
    assert_eq!(output("estimate = \"median\"").estimate, Some(Estimate::Median));
    assert_eq!(output("").formats, vec![Format::Csv]);
    assert_eq!(output("margins = true").margins, Margins::All);
}

#[test]
fn small_values_are_named_by_the_least_number_that_is_not_small() {
    let output = |text: &str| accept(&format!("{}[output]\n{text}\n", promising(examples::PROMISES[0]))).output.small;
    assert_eq!(output(""), None);
    for text in ["small = 6", "small = \"6\"", "small = \"fewer than 6\"", "small = 6.0"] {
        assert_eq!(output(text), Some(6), "{text}");
    }
    assert_eq!(output("small = 2"), Some(2));
    assert_eq!(output("small = 1e12"), Some(1_000_000_000_000));
    assert_eq!(fewer_than(6), "fewer than 6");
    // Rules as publishers have them: below 5 and rounded to 5, below 8 and rounded to 5, below 11 as it is; and others
    // whose limit is not rounded below itself.
    for (small, rounding) in [(5, 5), (8, 5), (11, 1), (3, 5), (15, 10), (1_000_000_000_000, 5)] {
        let text = format!("small = {small}\nrounding = {rounding}");
        assert_eq!(output(&text), Some(small), "{text}");
    }
}

#[test]
fn counts_are_of_those_who_were_counted_wherever_a_person_may_have_more_bins() {
    let heading = |data: &str, bins: &str, kind: &str| {
        let promise = match kind {
            "top" => {
                "[top]\nitems = 2\nepsilon-stabilise = 1\nepsilon-select = 1\ncounts = false\n[promise]\nkind = \"differential-privacy\"\nepsilon = 2\ndelta = \"1e-6\"\n"
            }
            _ => "[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n",
        };
        accept(&format!("release = \"{kind}\"\n[data]\nsource = \"x\"\n{data}\n{bins}\n{promise}")).count_heading()
    };
    let three = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1, 2, 3]\n";
    let found = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\n";
    let person = |most: u64| format!("person = \"p\"\nbins-per-person = {most}");
    for (data, bins, expected) in [
        ("", three, "count"),
        ("", found, "count"),
        ("people = \"n\"", three, "count"),
        ("person = \"p\"", three, "counted"),
        (person(2).as_str(), three, "counted"),
        (person(3).as_str(), three, "count"),
        (person(4).as_str(), three, "count"),
        (person(3).as_str(), &format!("{three}nulls = \"bin\"\n"), "counted"),
        (person(3).as_str(), &format!("{three}other = true\n"), "counted"),
        (person(1_000_000).as_str(), found, "counted"),
        (person(9).as_str(), &format!("{three}{}", three.replace("\"b\"", "\"c\"")), "count"),
        (person(8).as_str(), &format!("{three}{}", three.replace("\"b\"", "\"c\"")), "counted"),
        ("person = \"p\"", &format!("{found}items = \"pairs\"\n"), "counted"),
    ] {
        assert_eq!(heading(data, bins, "histogram"), expected, "{data} {bins}");
    }
    // Ranks are not counted, and of a series that repeats people each period is cut by itself.
    assert_eq!(heading(&person(3), three, "top"), "count");
    assert_eq!(heading(&person(2), three, "top"), "counted");
    let years = |people: &str| format!("{three}[series]\nperiod = \"year\"\nfrom = 2001\nup-to = 2002\n{people}\n");
    assert_eq!(heading(&person(3), &years("people = \"once\""), "series"), "counted");
    assert_eq!(heading(&person(6), &years("people = \"once\""), "series"), "count");
    assert_eq!(heading(&person(3), &years("people = \"many\""), "series"), "count");
    assert_eq!(heading(&person(2), &years("people = \"many\""), "series"), "counted");
}

#[test]
fn the_quality_of_values_is_told_unless_it_is_left_out() {
    let output = |text: &str| accept(&format!("{}[output]\n{text}\n", promising(examples::PROMISES[0]))).output.quality;
    assert_eq!(output(""), QualityColumn::Written);
    assert_eq!(output("quality = true"), QualityColumn::Written);
    assert_eq!(output("quality = false"), QualityColumn::LeftOut);
    assert_eq!(accept(&promising(examples::PROMISES[0])).output.quality, QualityColumn::Written);
}

#[test]
fn totals_by_bins_and_by_sets_of_them() {
    let bins =
        "[[bins]]\nname = \"a\"\ncolumn = \"a\"\nvalues = [1]\n[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1]\n";
    let margins = |text: &str| {
        accept(&format!("{}{bins}[output]\nmargins = {text}\n", promising(examples::PROMISES[0]))).output.margins
    };
    let sets = |sets: &[&[&str]]| {
        Margins::Of(sets.iter().map(|set| set.iter().map(|name| name.to_string()).collect()).collect())
    };
    assert_eq!(margins("false"), Margins::None);
    assert_eq!(margins("[\"b\", \"a\"]"), sets(&[&["b"], &["a"]]));
    assert_eq!(margins("[[\"a\"], [\"b\", \"a\"]]"), sets(&[&["a"], &["a", "b"]]), "in the order of the table");
    assert_eq!(margins("[[], \"a\"]"), sets(&[&[], &["a"]]));
}
