//! What requests may not say, and how they are told.
//!
//! Every refusal names the key and the way out; a test here must never pass for the wrong reason, so each checks the
//! words and the place. It is separate because refusals are the larger half of a strict reader. Read `random.rs`
//! next.

use super::super::*;
use super::{promising, refuse, with_bin, with_data, with_mechanism};

/// Checks the message, and that exactly this text is underlined.
fn refused(text: &str, words: &str, place: &str) {
    let error = refuse(text);
    let shown = error.render("request.toml", text, Colour::Plain);
    assert!(shown.contains(words), "wanted: {words}\n{shown}{text}");
    let span = error.span().expect("a place");
    assert_eq!(&text[span], place, "{shown}");
}

fn dp(epsilon: &str) -> String {
    promising(&format!("kind = \"differential-privacy\"\nepsilon = {epsilon}"))
}

#[test]
fn epsilons_without_a_meaning() {
    for (epsilon, words) in [
        ("-1", "is below zero"),
        ("\"-1/10\"", "is below zero"),
        ("nan", "must be a finite number"),
        ("-nan", "must be a finite number"),
        ("inf", "written \"infinite\", in quotes"),
        ("\"NaN\"", "must be a finite number"),
        ("\"infinity\"", "must be a finite number"),
        ("1e400", "exponent"),
        ("1e-400", "exponent"),
        ("1e-10", "must be 0, or between 1e-9 and 1000"),
        ("1001", "write \"infinite\", in quotes, for no promise"),
        ("99999999999999999999", "between 1e-9 and 1000"),
        ("0.000000000000000000000000000000000000000000000000001", "50 digits"),
        ("\"1/0\"", "zero below the line"),
        ("\"\"", "no number here"),
        ("\"one\"", "not a number"),
        ("0x10", "decimal digits"),
        ("true", "must be a number, not true or false"),
        ("[1]", "must be a number, not a list"),
        ("{ a = 1 }", "must be a number, not a section"),
        ("2020-01-01", "must be a number, not a date"),
        ("\"infinite\"", "promises nothing"),
    ] {
        refused(&dp(epsilon), words, epsilon);
    }
}

#[test]
fn deltas_that_are_not_chances() {
    for delta in ["1", "1.5", "-0.1", "nan", "\"infinite\""] {
        let words = if delta.contains('n') { "finite" } else { "at least 0 and below 1" };
        refused(&promising(&format!("kind = \"differential-privacy\"\nepsilon = 1\ndelta = {delta}")), words, delta);
    }
}

#[test]
fn curves_that_protect_large_groups_better() {
    refused(&promising("kind = \"table\"\nvalues = [1, 2, 0.5]"), "may not be protected better", "0.5");
    refused(&promising("kind = \"table\"\nvalues = [1, -2]"), "below zero", "-2");
    refused(&promising("kind = \"table\"\nvalues = []"), "empty list", "[]");
    refused(&promising("kind = \"table\"\nvalues = [\"infinite\"]"), "promises nothing", "\"infinite\"");
    refused(&promising("kind = \"table\"\nvalues = 3"), "must be a list", "3");
}

#[test]
fn stairs_that_do_not_descend() {
    let stairs = |thresholds: &str, epsilons: &str| {
        promising(&format!("kind = \"staircase\"\nthresholds = {thresholds}\nepsilons = {epsilons}"))
    };
    refused(&stairs("[20, 100]", "[1, 0.5, 0]"), "`thresholds` must be strictly descending", "[20, 100]");
    refused(&stairs("[20, 20]", "[1, 0.5, 0]"), "`thresholds` must be strictly descending", "[20, 20]");
    refused(&stairs("[100, 20]", "[1, 2, 0]"), "`epsilons` must be strictly descending", "[1, 2, 0]");
    refused(&stairs("[100, 20]", "[1, 0]"), "needs 3 epsilons", "[1, 0]");
    refused(&stairs("[]", "[1]"), "empty list", "[]");
    refused(&stairs("[100, 0]", "[1, 0.5, 0]"), "from 1 to 10^12", "0");
    refused(&stairs("[1e13]", "[1, 0]"), "from 1 to 10^12", "1e13");
}

#[test]
fn promises_with_missing_or_foreign_keys() {
    let kind = "\"crowd-blending\"";
    refused(&promising("kind = \"crowd-blending\""), "promise kind crowd-blending needs `crowd` and `epsilon`", kind);
    refused(&promising("kind = \"fading\""), "needs `group`, `width` and `epsilon`", "\"fading\"");
    refused(&promising("kind = \"crowd-blending\"\ngroup = 5\nepsilon = 1"), "did you mean `crowd`", "group");
    refused(&promising("kind = \"crowd-blending\"\ncrowd = 1\nepsilon = 1"), "`crowd` must be at least 2", "1");
    refused(&promising("kind = \"group\"\ngroup = 2.5\nepsilon = 1"), "a whole number from 1 to 10^12", "2.5");
    refused(&promising("kind = \"fading\"\ngroup = 5\nwidth = 5\nepsilon = 1"), "below `group`", "5");
    refused(&promising("kind = \"fading\"\ngroup = 1e12\nwidth = 5\nepsilon = 1"), "separate values", "1e12");
    refused(&promising("kind = \"outlier\""), "did you mean `simple-outlier`?", "\"outlier\"");
    refused(&promising("epsilon = 1"), "[promise] needs `kind`", "[promise]");
    assert!(refuse("release = \"histogram\"").message().contains("needs a [promise]"));
}

#[test]
fn unknown_keys_name_the_nearest_known_one() {
    refused(&promising("kind = \"group\"\nepsilom = 1"), "did you mean `epsilon`?", "epsilom");
    refused(&with_data("bins_per_person = 1"), "did you mean `bins-per-person`?", "bins_per_person");
    refused(&with_bin("colum = \"x\""), "did you mean `column`?", "colum");
    refused("realease = \"histogram\"", "did you mean `release`?", "realease");
    refused(&promising("kind = \"group\"\nsnapshot = 1"), "`snapshot` belongs in [ledger]", "snapshot");
    refused("kind = \"group\"", "`kind` belongs in [promise]", "kind");
    refused(&promising("release = \"rows\""), "before any section", "release");
    refused(&with_data("[data.sampled]\nprobability = 0.1\nnown = 1"), "did you mean `known`?", "nown");
    let huge = "k".repeat(900_000);
    assert!(refuse(&format!("{huge} = 1")).render("r", &huge, Colour::Plain).len() < 1000);
}

#[test]
fn parameters_that_the_mechanism_would_ignore() {
    refused(&with_mechanism("name = \"geometric\"\ncrowd = 3"), "mechanism geometric does not take `crowd`", "crowd");
    refused(
        &with_mechanism("name = \"geometric\"\ncrowd = 3"),
        "it takes: `epsilon`, `accounting`, `threshold`",
        "crowd",
    );
    refused(&with_mechanism("name = \"relay\"\nepsilon = 3"), "it follows the promise", "epsilon");
    refused(&with_mechanism("name = \"general\""), "[mechanism] needs `epsilon-a`", "[mechanism]");
    let smooth = "name = \"general\"\nepsilon-a = 1\nbound = \"smooth-epsilon\"";
    refused(&with_mechanism(smooth), "[mechanism] needs `delta-a`", "[mechanism]");
    refused(&with_mechanism("name = \"tailored\""), "did you mean `tailored-geometric`?", "\"tailored\"");
    refused(&with_mechanism("name = \"noisy-noise\"\noffset = 1e13"), "between -10^12 and 10^12", "1e13");
    refused(&with_mechanism("name = \"noisy-noise\"\noffset = 0.5"), "between -10^12 and 10^12", "0.5");
    refused(&with_mechanism("name = \"staircase\"\nthresholds = [1, 2]"), "strictly descending", "[1, 2]");
    refused(&with_mechanism("name = \"staircase\"\nthresholds = [2]\nlevels = [2, 3]"), "as many levels", "[2, 3]");
    refused(&with_mechanism("name = \"staircase\"\nthresholds = [2]\nepsilons = [2]"), "need 2 epsilons", "[2]");
    refused(&with_mechanism("name = \"staircase\"\nlevels = []"), "empty list", "[]");
    refused(&with_mechanism("name = \"general\"\nepsilon-a = 0"), "between 1e-9 and 1000", "0");
    refused(&with_mechanism("name = \"geometric\"\naccounting = \"exakt\""), "did you mean `exact`?", "\"exakt\"");
    refused(&with_mechanism("threshold = 3"), "[mechanism] needs `name`", "[mechanism]");
}

#[test]
fn bins_that_contradict_themselves() {
    let bin = |text: &str| with_bin(&format!("column = \"x\"\n{text}"));
    refused(&bin("values = [1, 2, 1]"), "listed twice", "1");
    refused(&bin("values = [1, \"1\"]"), "of one kind", "\"1\"");
    refused(&bin("values = [1.5]"), "use `edges`", "1.5");
    refused(&bin("values = [0x10]"), "decimal digits", "0x10");
    refused(&bin("values = [99999999999999999999]"), "too large", "99999999999999999999");
    refused(&bin("values = []"), "empty list", "[]");
    refused(&bin("values = [2020-01-01T10:00:00]"), "without a time", "2020-01-01T10:00:00");
    refused(&bin("edges = [0, 2, 1]"), "strictly ascending", "1");
    refused(&bin("edges = [0, 2, 2.0]"), "strictly ascending", "2.0");
    refused(&bin("edges = [0]"), "at least two", "0");
    refused(&bin("edges = [0, nan]"), "finite", "nan");
    refused(&bin("edges = [0, 2020-01-01]"), "must be a number, not a date", "2020-01-01");
    refused(&bin("edges = [0, 1]\nvalues = [3]"), "either `values` or `edges`", "edges");
    refused(&bin("from = 0\nto = 10\nwidth = 3"), "evenly", "3");
    refused(&bin("from = 0\nto = 10\nwidth = 0"), "above 0", "0");
    refused(&bin("from = 0\nto = 0\nwidth = 3"), "`to` must be above `from`", "0");
    refused(&bin("from = 0\nto = 1\nwidth = 1e-13"), "more than 10^12", "1e-13");
    refused(&bin("from = 0\nto = 10"), "need `width`", "[[bins]]");
    refused(&bin("from = 0\nwidth = 1"), "belong together", "[[bins]]");
    refused(&bin("values = [1]\nto = 3"), "not with a list", "to");
    refused(&bin("truncate = \"day\"\nfrom = 2020-01-01"), "belong together", "[[bins]]");
    refused(&bin("truncate = \"day\"\nfrom = 2020-01-01\nto = 2020-01-01"), "after `from`", "2020-01-01");
    refused(&bin("truncate = \"day\"\nfrom = 1\nto = 2"), "not a day", "1");
    refused(&bin("truncate = \"hour\""), "day, week, month, year", "\"hour\"");
    refused(&bin("other = true"), "`other` needs `values` or `edges`", "other");
    refused(&bin("truncate = \"day\"\nother = true"), "`other` needs `values` or `edges`", "other");
    refused(&bin("nulls = \"keep\""), "drop, bin", "\"keep\"");
    refused(&bin("expression = \"y\""), "not both", "expression");
    refused(&with_bin("values = [1]"), "needs `column` or `expression`", "[[bins]]");
    refused(&with_bin("column = \" \""), "is empty", "\" \"");
    refused(&bin("[[bins]]\nname = \"b\"\ncolumn = \"y\""), "two named `b`", "\"b\"");
    refused(&bin("[[bins]]\nname = \"count\"\ncolumn = \"y\""), "already has a column", "\"count\"");
    refused(&bin("[[bins]]\ncolumn = \"y\""), "[[bins]] needs `name`", "[[bins]]");
    refused(&promising("kind = \"table\"\nvalues = [1]\n[bins]\nname = \"x\""), "double brackets", "[bins]");
}

#[test]
fn data_that_nobody_could_count() {
    refused(&with_data("person = \"a\"\npeople = \"b\""), "`people` goes without `person`", "people");
    refused(&with_data("bins-per-person = 2"), "needs `person`", "bins-per-person");
    for bins in ["0", "1000001", "-1", "1.5"] {
        let text = with_data(&format!("person = \"a\"\nbins-per-person = {bins}"));
        refused(&text, "a whole number from 1 to 10^6", bins);
    }
    for chance in ["0", "1", "-0.5"] {
        refused(&with_data(&format!("sample = {chance}")), "above 0 and below 1", chance);
    }
    refused(&with_data("types = { a = \"varchar\" }"), "text, integer, number", "\"varchar\"");
    refused(&with_data("types = 3"), "[data.types]", "3");
    refused(&with_data("timezone = \"Mars; drop\""), "time zone", "\"Mars; drop\"");
    refused(&with_data("[data.sampled]\nprobability = [0.2, 0.1]"), "the smaller first", "[0.2, 0.1]");
    refused(&with_data("[data.sampled]\nprobability = [0.2]"), "two numbers", "[0.2]");
    refused(&with_data("synthetic = 1"), "true or false", "1");
}

#[test]
fn sections_of_another_kind_of_release() {
    let rows = |promise: &str| {
        format!("release = \"rows\"\n[promise]\n{promise}\n[[columns]]\nname = \"a\"\ncolumn = \"a\"\n")
    };
    let crowd = "kind = \"crowd-blending\"\ncrowd = 5\nepsilon = 0";
    refused(&format!("{}keep = true\nprefix = 3", rows(crowd)), "either `prefix` or `keep`", "keep");
    refused(&rows(crowd), "[[columns]] needs a rule", "[[columns]]");
    refused(&format!("{}keep = false", rows(crowd)), "can only be true", "false");
    refused(&format!("{}hierarchy = \"h.csv\"", rows(crowd)), "needs `level`", "[[columns]]");
    refused(&format!("{}keep = true\nother = true", rows(crowd)), "`other` needs", "other");
    let dp = "kind = \"differential-privacy\"\nepsilon = 1";
    refused(&format!("{}keep = true", rows(dp)), "promises crowd-blending", "\"differential-privacy\"");
    let noisy = "kind = \"crowd-blending\"\ncrowd = 5\nepsilon = 1";
    refused(&format!("{}keep = true", rows(noisy)), "`epsilon` must be 0", "1");
    refused(&format!("release = \"rows\"\n[promise]\n{crowd}"), "needs [[columns]]", "\"rows\"");
    refused(&format!("release = \"top\"\n[promise]\n{dp}"), "needs [top]", "\"top\"");
    refused(&promising(&format!("{dp}\n[top]\nitems = 3")), "it belongs to: top", "top");
    refused(
        &format!("release = \"rows\"\n[promise]\n{crowd}\n[mechanism]\nname = \"relay\""),
        "does not belong",
        "mechanism",
    );
    refused("release = \"histogramm\"", "did you mean `histogram`?", "\"histogramm\"");
    let top =
        format!("release = \"top\"\n[promise]\n{dp}\n[top]\nitems = 2\nepsilon-stabilise = 1\nepsilon-select = 1\n");
    refused(&format!("{top}counts = true"), "[top] needs `epsilon-counts`", "[top]");
    refused(&format!("{top}epsilon-counts = 1"), "needs counts = true", "epsilon-counts");
    refused(&format!("{top}always = []"), "empty list", "[]");
    let series = format!("release = \"series\"\n[promise]\n{dp}\n[series]\n");
    refused(&format!("{series}period = 3"), "{ column, truncate }", "3");
    refused(&format!("{series}period = {{ column = \"a\" }}"), "needs `truncate`", "{ column = \"a\" }");
    refused(&format!("{series}mode = \"x\"\nperiod = \"y\"\nfrom = 1\nup-to = 2"), "per-period, cumulative", "\"x\"");
}

#[test]
fn output_that_cannot_be_made() {
    let output = |text: &str| promising(&format!("kind = \"table\"\nvalues = [1]\n[output]\n{text}"));
    refused(&output("formats = [\"xls\"]"), "csv, parquet, arrow", "\"xls\"");
    refused(&output("formats = [\"xlsx\"]"), "formats = [\"csv\", \"xlsx\"]", "[\"xlsx\"]");
    refused(&output("formats = [\"csv\", \"csv\"]"), "listed twice", "\"csv\"");
    refused(&output("prior = [3, 1]"), "the smaller first", "[3, 1]");
    refused(&output("estimate = \"mean\""), "clamped, median, unbiased", "\"mean\"");
    refused(&output("margins = [\"x\"]"), "no bin named `x`", "\"x\"");
    refused(&output("margins = [[\"x\"]]"), "no bin named `x`", "\"x\"");
    refused(&output("margins = [[], []]"), "listed twice", "[]");
    refused(&output("missing = \"(all)\""), "\"(all)\"", "\"(all)\"");
    refused(&output("rounding = 0"), "from 1", "0");
    refused(&output("folder = 3"), "a text in quotes, not a number", "3");
}

#[test]
fn what_is_not_toml() {
    for garbage in
        ["=", "release = ", "\u{0}\u{1}", "[[[[", "a = infinite", "release = \"a\"\nrelease = \"b\"", "%PDF-1.7"]
    {
        let error = refuse(garbage);
        assert!(error.message().starts_with("this is not TOML"), "{garbage}: {}", error.message());
    }
    refused("a = infinite", "hint: write \"infinite\", in quotes", "infinite");
    assert!(refuse("").message().contains("needs a [promise]"));
    refused("release = \"histogram\"\n[data]\nsource = \"a\nb\"", "not TOML", "");
}

#[test]
fn ten_megabytes_of_garbage_are_refused_briefly() {
    for unit in ["x", "[", "a.", "\u{1}", "a=1\n", "\u{1b}[31m"] {
        for size in [999_999, 10_000_000] {
            let text: String = unit.chars().cycle().take(size).collect();
            let shown = refuse(&text).render("r.toml", &text, Colour::Plain);
            assert!(shown.len() < 700 && !shown.contains('\u{1b}'), "{shown}");
        }
    }
    let list = format!("kind = \"table\"\nvalues = [{}0]", "0,".repeat(130_000));
    assert_eq!(super::accept(&promising(&list)).promise.promise.kind(), "table");
}

#[test]
fn limits_of_small_values_that_are_none() {
    let output = |text: &str| format!("{}[output]\n{text}\n", promising("kind = \"table\"\nvalues = [1]"));
    for small in ["0", "1", "-6", "1e13", "6.5", "nan"] {
        let words = if small == "nan" { "finite" } else { "a whole number from 2 to 10^12" };
        refused(&output(&format!("small = {small}")), words, small);
    }
    for small in [
        "fewer than x",
        "fewer than",
        "fewer than ",
        "fewer than 06",
        "fewer than 6 ",
        "fewer than -6",
        "fewer than 6.0",
        "fewer than 0",
        "fewer than 1",
        "fewer than 1000000000001",
        "fewer than 99999999999999999999",
        "Fewer than 6",
        "fewer than +6",
        "less than 6",
        "up to 5",
        "< 6",
        "=6",
        "",
        "*",
    ] {
        let quoted = format!("{small:?}");
        let text = output(&format!("small = {quoted}"));
        refused(&text, "\"fewer than\" such a number", &quoted);
        refused(&text, "small = \"fewer than 6\"", &quoted);
    }
    refused(&output("small = true"), "must be a number, not true or false", "true");
    refused(&output("small = [6]"), "must be a number, not a list", "[6]");
    // 6 and 7 would be rounded to 5, which is fewer than 6.
    for (small, rounding) in [(6, 5), (7, 5), (11, 5), (11, 10), (13, 10), (1001, 1000), (4, 9)] {
        let text = output(&format!("rounding = {rounding}\nsmall = {small}"));
        refused(&text, "would be rounded to a small one", &small.to_string());
        refused(&text, "let `small` be a multiple of `rounding`", &small.to_string());
    }
}
