use super::*;
use crate::csv::CsvText;
use crate::example::{cells, plan_of, value};
use arrow_array::{Int64Array, StringArray, UInt64Array};
use incrowd_privacy::Outcome;

const PROMISE: &str = "[promise]\nkind = \"differential-privacy\"\nepsilon = 1\n";

fn bin(lines: &str) -> String {
    format!("[[bins]]\nname = \"b\"\ncolumn = \"b\"\n{lines}\n{PROMISE}")
}

/// The whole table as CSV.
fn csv(request: &str, batches: &[PublishedBatch]) -> String {
    let plan = plan_of(request);
    let mut table = Table::of(&plan).unwrap_or_else(|refusal| panic!("{refusal}"));
    let mut text = CsvText::bare();
    let rows: Vec<RecordBatch> = batches.iter().map(|batch| table.rows(batch).expect("rows")).collect();
    let mut all = text.header(&table.schema()).to_vec();
    rows.iter().for_each(|rows| all.extend_from_slice(text.rows(rows).expect("text")));
    String::from_utf8(all).expect("text")
}

/// The labels of a declared bin, and their type.
fn labels(lines: &str, count: u64) -> (DataType, Vec<Option<String>>) {
    let plan = plan_of(&bin(lines));
    let mut table = Table::of(&plan).unwrap_or_else(|refusal| panic!("{refusal}"));
    let batch = PublishedBatch { keys: Keys::Cells((0..count).collect()), shown: vec![value(1); count as usize] };
    let rows = table.rows(&batch).expect("rows");
    let text = String::from_utf8(CsvText::bare().rows(&rows).expect("text").to_vec()).expect("text");
    let mut lines = crate::csv::Lines::new(text.as_bytes());
    let mut labels = Vec::new();
    while let Some(fields) = lines.next().expect("fields") {
        labels.push(fields[0].clone());
    }
    (rows.schema().field(0).data_type().clone(), labels)
}

fn some(labels: &[&str]) -> Vec<Option<String>> {
    labels.iter().map(|label| if *label == "-" { None } else { Some(label.to_string()) }).collect()
}

#[test]
fn bins_keep_their_types_and_symbols_their_meaning() {
    for (lines, kind, expected) in [
        ("values = [\"a\", \"\"]", DataType::Utf8, &["a", ""][..]),
        ("values = [\"a\"]\nother = true\nnulls = \"bin\"", DataType::Utf8, &["a", "other", "-"]),
        ("values = [3, -1]", DataType::Int64, &["3", "-1"]),
        ("values = [3, -1]\nnulls = \"bin\"", DataType::Int64, &["3", "-1", "-"]),
        ("values = [3, -1]\nother = true", DataType::Utf8, &["3", "-1", "other"]),
        ("values = [true, false]\nnulls = \"bin\"", DataType::Boolean, &["true", "false", "-"]),
        ("values = [2026-01-31]\nnulls = \"bin\"", DataType::Date32, &["2026-01-31", "-"]),
        ("edges = [0, 20000, 50000]\nother = true", DataType::Utf8, &["[0, 20000)", "[20000, 50000)", "other"]),
        ("edges = [\"-0.5\", \"1/3\", 1]", DataType::Utf8, &["[-0.5, 1/3)", "[1/3, 1)"]),
        ("edges = [2026-01-01, 2026-02-01]", DataType::Utf8, &["[2026-01-01, 2026-02-01)"]),
        ("truncate = \"month\"\nfrom = 2026-01-15\nto = 2026-03-01", DataType::Date32, &["2026-01-01", "2026-02-01"]),
    ] {
        assert_eq!(labels(lines, expected.len() as u64), (kind, some(expected)), "{lines}");
    }
}

#[test]
fn a_listed_value_named_other_is_refused_before_anything_is_charged() {
    let refused = |lines: &str| Table::of(&plan_of(&bin(lines))).err();
    let other = Refusal::Table(TableRefusal::OtherIsListed { bin: "b".into() });
    assert_eq!(refused("values = [\"a\", \"other\"]\nother = true"), Some(other));
    assert_eq!(refused("values = [\"a\", \"other\"]"), None);
    assert_eq!(refused("values = [\"a\", \"Other\"]\nother = true"), None);
    assert_eq!(Table::of(&plan_of(PROMISE)).err(), Some(Refusal::Table(TableRefusal::NoBins)));
    let range = "[mechanism]\nname = \"range\"\nhalf-width = 3\n[output]\nmargins = true\n";
    let promise = "delta = \"1/10\"\n";
    let refusal = Table::of(&plan_of(&format!("{}{promise}{range}", bin("values = [1]")))).err();
    assert_eq!(refusal, Some(Refusal::Table(TableRefusal::NoMargins { mechanism: "range" })));
}

#[test]
fn beside_exact_counts_the_certificate_names_the_cells_that_a_known_total_gives_away() {
    let request = "[[bins]]\nname = \"d\"\ncolumn = \"d\"\nvalues = [\"a\", \"b\"]\n\
        [[bins]]\nname = \"s\"\ncolumn = \"s\"\nedges = [0, 10, 20]\n\
        [promise]\nkind = \"crowd-blending\"\ncrowd = 20\nepsilon = 0\n[output]\nmargins = true\n\
        [ledger]\ndataset = \"people\"\n";
    let plan = plan_of(request);
    assert!(Table::of(&plan).is_ok(), "sums of what is published anyway give nothing away");
    let certificate = crate::certificate::certificate(
        &plan,
        &crate::example::charge(),
        &crate::certificate::FolderFacts { tables: Vec::new(), key_types: Vec::new(), derived_from: Vec::new() },
        crate::certificate::Randomness::OperatingSystem,
    );
    let words = certificate["not_protected"]["facts"].to_string();
    let isolated = "the true total of d a may subtract what is published of d a, all of s but [0, 10): what is left is d a, \
                    s [0, 10), however few";
    assert!(words.contains(isolated), "{words}");
}

#[test]
fn the_last_dimension_runs_fastest() {
    let request = format!(
        "[[bins]]\nname = \"x\"\ncolumn = \"x\"\nvalues = [\"a\", \"b\"]\n[[bins]]\nname = \"y\"\ncolumn = \"y\"\nvalues = [1, 2, 3]\n{PROMISE}"
    );
    let text = csv(&request, &cells(6, |cell| value(cell as i64 * 100)));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "x,y,count,low,high,status,quality");
    let keys: Vec<String> =
        lines[1..].iter().map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(keys, ["a,1,0", "a,2,100", "a,3,200", "b,1,300", "b,2,400", "b,3,500"]);
    assert_eq!(lines[2], "a,2,100,97,103,published,A");
}

#[test]
fn cells_that_do_not_exist_are_an_error() {
    let plan = plan_of(&bin("values = [1, 2]"));
    let mut table = Table::of(&plan).expect("a table");
    let batch = |keys| PublishedBatch { keys, shown: vec![value(1)] };
    assert_eq!(table.rows(&batch(Keys::Cells(vec![2]))), Err(TableError));
    assert_eq!(table.rows(&batch(Keys::Cells(vec![0, 1]))), Err(TableError));
    assert_eq!(table.rows(&batch(Keys::Columns(vec![Arc::new(Int64Array::from(vec![1]))]))), Err(TableError));
    assert_eq!(table.rows(&batch(Keys::Columns(vec![Arc::new(UInt64Array::from(vec![2]))]))), Err(TableError));
    assert!(table.rows(&batch(Keys::Cells(vec![1]))).is_ok());
}

#[test]
fn found_keys_keep_their_types_and_declared_ones_beside_them_are_labelled() {
    let request = "[[bins]]\nname = \"word\"\ncolumn = \"w\"\nnulls = \"bin\"\n[[bins]]\nname = \"sex\"\ncolumn = \"s\"\nvalues = [\"f\", \"m\"]\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n";
    let words: ArrayRef = Arc::new(StringArray::from(vec![Some("a,b"), None]));
    let batch = PublishedBatch {
        keys: Keys::Columns(vec![words, Arc::new(UInt64Array::from(vec![1, 0]))]),
        shown: vec![value(40), value(30)],
    };
    let text = csv(request, &[batch]);
    assert_eq!(
        text,
        "word,sex,count,low,high,status,quality\n\"a,b\",m,40,37,43,published,A\n,f,30,26,33,published,A\n"
    );
    let plan = plan_of(request);
    let mut table = Table::of(&plan).expect("a table");
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![Some(7)]));
    let batch = PublishedBatch {
        keys: Keys::Columns(vec![numbers, Arc::new(UInt64Array::from(vec![1]))]),
        shown: vec![value(40)],
    };
    table.rows(&batch).expect("rows");
    assert_eq!(table.schema().field(0).data_type(), &DataType::Int64);
}

#[test]
fn statuses_say_what_a_bin_shows_and_rounding_has_a_column_of_its_own() {
    let request = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1, 2, 3]\n[promise]\nkind = \"table\"\nvalues = [0, 0, 1]\n[output]\nestimate = \"clamped\"\n";
    let shown = |cell: u64| Shown {
        outcome: [Outcome::Value(123), Outcome::AtMost(2), Outcome::Suppressed][cell as usize].clone(),
        side_value: SideValue::Nothing,
    };
    let text = csv(request, &cells(3, shown));
    assert_eq!(
        text,
        "b,count,low,high,status,estimate,quality\n1,123,120,126,published,123,A\n2,,0,5,at-most,,F\n3,,,,suppressed,,\n"
    );
    let text = csv(&format!("{request}rounding = 5\n"), &cells(3, shown));
    assert_eq!(
        text,
        "b,count,low,high,status,estimate,rounded,quality\n1,123,120,126,published,123,125,A\n2,,0,5,at-most,,,F\n3,,,,suppressed,,,\n"
    );
    for (drawn, step, rounded) in [(-3, 5, -5), (-2, 5, 0), (2, 4, 4), (1, 4, 0), (-2, 4, 0), (7, 1, 7)] {
        let request = format!(
            "{}[mechanism]\nname = \"geometric\"\n[output]\nquality = false\nrounding = {step}\n",
            bin("values = [1]")
        );
        let text = csv(&request, &cells(1, |_| value(drawn)));
        let last = text.trim_end().rsplit(',').next().map(String::from);
        let expected = if step > 1 { rounded.to_string() } else { "published".to_string() };
        assert_eq!(last, Some(expected), "{drawn} to {step}");
    }
}

#[test]
fn ranges_and_what_is_told_beside_a_count_have_their_columns() {
    let request = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1]\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-3\"\n[mechanism]\nname = \"range\"\n";
    let range = |_| Shown { outcome: Outcome::Range(-3, 11), side_value: SideValue::Nothing };
    assert_eq!(csv(request, &cells(1, range)), "b,count,low,high,status,quality\n1,,0,11,published,F\n");
    let request = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1]\n[promise]\nkind = \"staircase\"\nthresholds = [20, 5]\nepsilons = [1, \"1/2\", \"1/4\"]\ndelta = \"1e-2\"\n[mechanism]\nname = \"staircase\"\npublish-levels = true\n[output]\nquality = false\n";
    let levels = |_| Shown { outcome: Outcome::Value(9), side_value: SideValue::Levels(vec![true, false]) };
    let text = csv(request, &cells(1, levels));
    assert!(text.starts_with("b,count,low,high,status,levels\n1,9,"), "{text}");
    assert!(text.ends_with(",published,\"1,0\"\n"), "{text}");
    let named = request.replace("name = \"b\"", "name = \"levels\"");
    let taken = Refusal::Table(TableRefusal::HeadingTaken { bin: "levels".into() });
    assert_eq!(Table::of(&plan_of(&named)).err(), Some(taken));
}

#[test]
fn estimates_are_known_or_refused() {
    let request = |mechanism: &str, output: &str| {
        format!(
            "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1]\n[promise]\nkind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1\ndelta = \"1e-3\"\n{mechanism}\n[output]\nquality = false\n{output}\n"
        )
    };
    let one = |_| value(10);
    let last = |text: String| text.lines().last().and_then(|line| line.rsplit(',').next()).map(String::from);
    let unbiased = last(csv(&request("", "estimate = \"unbiased\""), &cells(1, |_| value(0)))).expect("an estimate");
    assert!(unbiased.parse::<f64>().expect("a number") < -1.0, "an empty bin publishes more on average: {unbiased}");
    let median = last(csv(&request("", "prior = [0, 100]"), &cells(1, one))).expect("an estimate");
    assert!((0..=100).contains(&median.parse::<i64>().expect("a number")));
    let suppress = "[mechanism]\nname = \"noisy-suppress\"";
    let noisy = "[mechanism]\nname = \"noisy-noise\"";
    for (mechanism, output) in [(suppress, "estimate = \"unbiased\""), (noisy, "prior = [0, 100]")] {
        assert!(matches!(Table::of(&plan_of(&request(mechanism, output))).err(), Some(Refusal::Table(_))), "{output}");
    }
    let large = |_| value(60);
    assert_eq!(last(csv(&request(suppress, "estimate = \"median\""), &cells(1, large))).as_deref(), Some("60"));
    assert_eq!(last(csv(&request(noisy, "estimate = \"unbiased\""), &cells(1, one))).as_deref(), Some("10"));
}

#[test]
fn names_that_are_taken_and_tables_that_no_workbook_holds_are_refused_before_the_charge() {
    let refused = |request: &str| match Table::of(&plan_of(request)).err() {
        Some(Refusal::Table(refusal)) => Some(refusal),
        Some(other) => panic!("{other}"),
        None => None,
    };
    let missing = |missing: &str| TableRefusal::MissingIsListed { bin: "b".into(), missing: missing.into() };
    let output = |bins: &str, output: &str| format!("{}[output]\n{output}\n", bin(bins));
    assert_eq!(refused(&bin("values = [\"(missing)\"]")), Some(missing("(missing)")));
    assert_eq!(refused(&output("values = [\"x\"]", "missing = \"x\"")), Some(missing("x")));
    assert_eq!(refused(&output("values = [\"(missing)\"]", "missing = \"x\"")), None);
    let two = format!(
        "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nedges = [0, 1]\n[[bins]]\nname = \"b_to\"\ncolumn = \"c\"\nvalues = [1]\n{PROMISE}"
    );
    assert_eq!(refused(&two), None, "CSV files have no bounds");
    let taken = TableRefusal::BoundTaken { column: "b_to".into() };
    assert_eq!(refused(&format!("{two}[output]\nformats = [\"parquet\"]\n")), Some(taken));
    let xlsx = "formats = [\"csv\", \"xlsx\"]";
    let small = |what| Some(TableRefusal::WorkbookTooSmall { what });
    let regular = |intervals: u64| output(&format!("from = 0\nto = {intervals}\nwidth = 1"), xlsx);
    assert_eq!(refused(&regular(1_048_575)), None);
    assert_eq!(refused(&regular(1_048_576)), small(incrowd_plan::WorkbookLimit::Rows));
    let long = |length: usize| output(&format!("values = [\"{}\"]", "x".repeat(length)), xlsx);
    assert_eq!(refused(&long(32_767)), None);
    assert_eq!(refused(&long(32_768)), small(incrowd_plan::WorkbookLimit::Characters));
}

/// The last column of every row.
fn last_column(text: &str) -> Vec<String> {
    text.lines().skip(1).map(|line| line.rsplit(',').next().unwrap_or_default().to_string()).collect()
}

#[test]
fn values_below_the_limit_are_shown_as_fewer_and_the_limit_itself_is_not() {
    let request = |output: &str| {
        format!(
            "{}[mechanism]\nname = \"geometric\"\n[output]\nquality = false\n{output}\n",
            bin("values = [1, 2, 3, 4, 5, 6, 7]")
        )
    };
    let drawn = [-3, 0, 4, 5, 6, 7, 1234];
    let table = |output: &str| csv(&request(output), &cells(7, |cell| value(drawn[cell as usize])));
    let text = table("small = \"fewer than 6\"");
    assert!(text.starts_with("b,count,low,high,status,shown\n1,-3,0,"), "counts stay as they are: {text}");
    let few = "fewer than 6";
    assert_eq!(last_column(&text), [few, few, few, few, "6", "7", "1234"]);
    assert_eq!(last_column(&table("small = 6")), last_column(&text));
    // Rounded, nothing that is shown as a number is below the limit.
    let five = "fewer than 5";
    let rounded = last_column(&table("small = 5\nrounding = 5"));
    assert_eq!(rounded, [five, five, five, "5", "5", "5", "1235"]);
    // The count itself is shown, whatever the estimate says of it.
    let guessed = last_column(&table("small = 5\nrounding = 5\nestimate = \"median\"\nprior = [900, 999]"));
    assert_eq!(guessed, rounded);
}

#[test]
fn outcomes_without_a_count_are_shown_as_what_they_are() {
    let request = |output: &str| {
        format!(
            "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1, 2, 3]\n[promise]\nkind = \"table\"\nvalues = [0, 0, 0, 0, 0, 1]\n[output]\nquality = false\n{output}\n"
        )
    };
    let outcomes = [Outcome::Value(123), Outcome::AtMost(5), Outcome::Suppressed];
    let shown = |cell: u64| Shown { outcome: outcomes[cell as usize].clone(), side_value: SideValue::Nothing };
    assert_eq!(last_column(&csv(&request("small = 6"), &cells(3, shown))), ["123", "fewer than 6", ""]);
    assert_eq!(last_column(&csv(&request("small = 5"), &cells(3, shown))), ["123", "at most 5", ""]);
    let request = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1, 2, 3, 4]\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-3\"\n[mechanism]\nname = \"range\"\n[output]\nquality = false\nsmall = 10\n";
    let ranges = [(-5, 9), (-4, 10), (9, 23), (10, 24)];
    let shown = |cell: u64| {
        let (low, high) = ranges[cell as usize];
        Shown { outcome: Outcome::Range(low, high), side_value: SideValue::Nothing }
    };
    let text = csv(request, &cells(4, shown));
    assert_eq!(last_column(&text), ["fewer than 10", "at most 10", "at most 23", "10 to 24"]);
}

#[test]
fn small_values_are_for_releases_with_counts_and_their_column_is_not_a_bin() {
    let refused = |request: &str| Table::of(&plan_of(request)).err();
    let small = "[output]\nsmall = 6\n";
    let crowd =
        |epsilon: &str| format!("[promise]\nkind = \"crowd-blending\"\ncrowd = 12\nepsilon = {epsilon}\n{small}");
    let none = Some(Refusal::Table(TableRefusal::NoCountsToShow));
    let rows = "release = \"rows\"\n[[columns]]\nname = \"a\"\ncolumn = \"a\"\nkeep = true\n";
    assert_eq!(refused(&format!("{rows}{}", crowd("0"))), none);
    let points = "release = \"points\"\n[[axes]]\nname = \"x\"\ncolumn = \"x\"\nedges = [0, 2]\nstep = 0.5\n";
    assert_eq!(refused(&format!("{points}{}", crowd("1"))), none);
    let top = |counts: &str| {
        format!(
            "release = \"top\"\n[[bins]]\nname = \"i\"\ncolumn = \"i\"\n[top]\nitems = 2\nepsilon-stabilise = 1\nepsilon-select = 1\n{counts}\n[promise]\nkind = \"differential-privacy\"\nepsilon = 3\ndelta = \"1e-6\"\n{small}"
        )
    };
    assert_eq!(refused(&top("counts = false")), none);
    assert_eq!(refused(&top("counts = true\nepsilon-counts = 1")), None);
    let series = "release = \"series\"\n[[bins]]\nname = \"t\"\ncolumn = \"t\"\n[series]\nperiod = \"year\"\nfrom = 2001\nup-to = 2002\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n";
    assert_eq!(refused(&format!("{series}{small}")), None);
    let named = bin("values = [1]").replace("name = \"b\"", "name = \"shown\"");
    assert_eq!(refused(&named), None);
    let taken = Refusal::Table(TableRefusal::HeadingTaken { bin: "shown".into() });
    assert_eq!(refused(&format!("{named}{small}")), Some(taken));
}

#[test]
fn a_bin_may_have_the_name_of_a_column_that_is_not_there() {
    let named = |name: &str| bin("values = [1]").replace("name = \"b\"", &format!("name = \"{name}\""));
    let refused = |request: &str| Table::of(&plan_of(request)).err();
    let taken = |bin: &str| Some(Refusal::Table(TableRefusal::HeadingTaken { bin: bin.into() }));
    assert_eq!(refused(&named("quality")), taken("quality"));
    assert!(taken("quality").is_some_and(|refusal| refusal.hint().contains("quality = false")));
    assert_eq!(refused(&format!("{}[output]\nquality = false\n", named("quality"))), None);
    assert_eq!(refused(&named("counted")), None);
    let cut = |name: &str| format!("[data]\nsource = \"x\"\nperson = \"p\"\n{}", named(name).replace("[1]", "[1, 2]"));
    assert_eq!(refused(&cut("counted")), taken("counted"));
    assert_eq!(refused(&cut("b")), None);
    let xlsx = "[output]\nformats = [\"csv\", \"xlsx\"]\n";
    assert_eq!(refused(&format!("{}{xlsx}", named("read as"))), taken("read as"));
    assert_eq!(refused(&named("read as")), None, "no other file has words beside values");
}
