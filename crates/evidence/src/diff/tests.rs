use super::*;
use crate::certificate::Randomness;
use crate::example::{SALARIES, another_charge, cells, deliver, deliver_for, plan_of, value};
use crate::render::Original;
use crate::verify::MOST_WORK;
use arrow_array::{ArrayRef, StringArray, UInt64Array};
use incrowd_privacy::{ChangeInterval, Outcome, SideValue};
use incrowd_published::{Keys, PublishedBatch, Shown};
use incrowd_report::{TextStyle, html, text};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

const DEPARTMENTS: &str =
    "[[bins]]\nname = \"department\"\ncolumn = \"department\"\nvalues = [\"Sales\", \"Research\"]\n";
const FINE: &str = "[[bins]]\nname = \"salary\"\ncolumn = \"salary\"\nedges = [0, 10, 20, 30, 40]\n";
const COARSE: &str = "[[bins]]\nname = \"pay\"\ncolumn = \"salary\"\nedges = [0, 20, 40]\n";
const PLAIN: &str = "[promise]\nkind = \"differential-privacy\"\nepsilon = 1\n[mechanism]\nname = \"geometric\"\n[ledger]\ndataset = \"d\"\n";
const HIDING: &str = "[[bins]]\nname = \"word\"\ncolumn = \"w\"\nnulls = \"bin\"\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n[ledger]\ndataset = \"d\"\n";

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Folders of two releases, each with its request and what its cells show.
struct Two {
    _homes: [tempfile::TempDir; 2],
    old: PathBuf,
    new: PathBuf,
}

impl Two {
    fn of(old: (&str, &[i64]), new: (&str, &[i64])) -> Two {
        let batches = |values: &[i64]| {
            let values = values.to_vec();
            cells(values.len() as u64, move |cell| value(values[cell as usize]))
        };
        Two::delivered((old.0, batches(old.1)), (new.0, batches(new.1)))
    }

    fn delivered(old: (&str, Vec<PublishedBatch>), new: (&str, Vec<PublishedBatch>)) -> Two {
        let homes = [home(), home()];
        let drawn = Randomness::OperatingSystem;
        Two {
            old: deliver(&plan_of(old.0), old.1, homes[0].path(), drawn),
            new: deliver_for(&another_charge(), &plan_of(new.0), new.1, homes[1].path(), drawn),
            _homes: homes,
        }
    }

    fn diff(&self) -> Result<Diff, DiffError> {
        self.between(None)
    }

    fn between(&self, periods: Option<(&str, &str)>) -> Result<Diff, DiffError> {
        let periods = periods.map(|(old, new)| ComparedPeriods { old: old.into(), new: new.into() });
        let mut found = diff(&self.old, &self.new, periods.as_ref(), MOST_WORK)?;
        (found.old.folder, found.new.folder) = ("OLD".into(), "NEW".into());
        Ok(found)
    }
}

fn request(bins: &[&str]) -> String {
    format!("{}{PLAIN}", bins.concat())
}

/// How far the change of two counts with geometric noise of epsilon 1 may lie from the difference of their values, by
/// the law alone: a count is `t` below its value, and shows at least as much, with chance `q^t/(1+q)`.
fn reach() -> i128 {
    let q = (-1f64).exp();
    let at_least = |t: i32| if t >= 0 { q.powi(t) / (1.0 + q) } else { 1.0 - q.powi(1 - t) / (1.0 + q) };
    let furthest = |level: f64| (-50..50).rev().find(|t| at_least(*t) > level).expect("a count");
    let ends: Vec<i32> = (1..=64).map(|number| furthest(0.75f64.powi(number))).collect();
    let sum = (0..64).find(|sum| 0.75f64.powi(sum + 1) * (1.0 + f64::from(sum + 1) / 4.0) <= 0.025).expect("a sum");
    let reach = (0..=sum).map(|one| ends[one as usize] + ends[(sum - one) as usize]).max();
    i128::from(reach.expect("a sum of ends"))
}

#[test]
fn changes_have_intervals_and_are_called_more_than_noise_where_they_are() {
    let bins = request(&[DEPARTMENTS]);
    let found = Two::of((&bins, &[100, 100]), (&bins, &[102, 160])).diff().expect("a comparison");
    assert_eq!((found.relation, found.comparisons, found.changed()), (TableRelation::Same, 2, 1));
    let [sales, research] = &found.cells[..] else { panic!("two cells") };
    assert_eq!(sales.key, [Some("Sales".to_string())]);
    assert_eq!((sales.change, sales.verdict), (Some(2000), ChangeVerdict::MayBeNoise));
    assert_eq!(sales.interval, Some(ChangeInterval { low: 2 - reach(), high: 2 + reach() }));
    assert_eq!((research.change, research.verdict), (Some(60_000), ChangeVerdict::Up));
    assert_eq!(research.interval, Some(ChangeInterval { low: 60 - reach(), high: 60 + reach() }));
    assert_eq!(research.relative, Some(Rational::from(60u8) / Rational::from(100u8)));
    // The other way round it points the other way.
    let back = Two::of((&bins, &[102, 160]), (&bins, &[100, 100])).diff().expect("a comparison");
    assert_eq!(back.cells[1].verdict, ChangeVerdict::Down);
    assert_eq!(back.cells[1].interval, Some(ChangeInterval { low: -60 - reach(), high: -60 + reach() }));
}

#[test]
fn the_more_cells_are_compared_the_more_is_asked_of_each() {
    let values = |last: i64, cells: usize| [vec![100; cells - 1], vec![last]].concat();
    let bins = |cells: usize| {
        let names: Vec<String> = (0..cells).map(|cell| format!("\"d{cell}\"")).collect();
        request(&[&format!("[[bins]]\nname = \"d\"\ncolumn = \"d\"\nvalues = [{}]\n", names.join(", "))])
    };
    let change = i64::try_from(reach()).expect("small") + 1;
    let changed = |cells: usize| {
        let two = Two::of((&bins(cells), &values(100, cells)), (&bins(cells), &values(100 + change, cells)));
        two.diff().expect("a comparison").changed()
    };
    assert_eq!((changed(1), changed(50)), (1, 0));
    // An interval above 0 beside "may be noise" is explained where it stands.
    let two = Two::of((&bins(50), &values(100, 50)), (&bins(50), &values(100 + change, 50)));
    let page = text(&two.diff().expect("a comparison").page(), &TextStyle::plain(120));
    assert_eq!(page.matches("may be noise, as 1 of 50").count(), 2, "{page}");
    let note = "0 is not between its two numbers. But of 50 cells that are looked at together up to 1 in 20 looks so";
    assert!(page.split_whitespace().collect::<Vec<_>>().join(" ").contains(note), "{page}");
    let two = Two::of((&bins(50), &values(100, 50)), (&bins(50), &values(101, 50)));
    let page = text(&two.diff().expect("a comparison").page(), &TextStyle::plain(120));
    assert!(!page.contains("as 1 of 50") && page.contains("may be noise"), "{page}");
}

#[test]
fn a_page_a_table_and_an_object_say_the_same() {
    let bins = request(&[DEPARTMENTS]);
    let found = Two::of((&bins, &[100, 100]), (&bins, &[102, 160])).diff().expect("a comparison");
    let shown = text(&found.page(), &TextStyle::plain(120));
    for words in [
        "the same cells in both",
        "nothing: only what is published was read, no data and no ledger",
        "2 cells were compared",
        "at most 5 % in all",
        "The same people may be in both tables",
        "may be noise",
        "yes, more",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let reach = reach();
    assert!(shown.contains(&format!("+{} and +{}", 60 - reach, 60 + reach)), "{shown}");
    assert!(html(&found.page()).contains("yes, more"));
    let csv = found.to_csv().expect("a table");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("department,old,new,change,change_low,change_high,percent,more_than_noise,"));
    assert!(lines[2].starts_with(&format!("Research,100,160,60,{},{},60,up,", 60 - reach, 60 + reach)), "{csv}");
    let object = found.to_json();
    assert_eq!(object["command"], "diff");
    assert_eq!(object["cells"][1]["verdict"], "up");
    assert_eq!(object["cells"][1]["low"], (60 - reach).to_string());
    assert_eq!(object["cells"][1]["percent"], "60");
    assert_eq!(object["charged"], false);
    let few = found.only_changed();
    assert_eq!((few.cells.len(), few.left_out, few.comparisons), (1, 1, 2));
}

#[test]
fn cells_of_a_finer_table_are_added_up_in_either_direction() {
    let (fine, coarse) = (request(&[DEPARTMENTS, FINE]), request(&[COARSE]));
    // Departments are left out only where everybody is in one; here people of others are not counted.
    let refused = Two::of((&fine, &[10; 8]), (&coarse, &[40, 40])).diff();
    assert!(matches!(refused, Err(DiffError::Different { .. })), "{refused:?}");
    let (fine, coarse) = (request(&[FINE, DEPARTMENTS]), request(&[DEPARTMENTS, COARSE]));
    let values = [10, 1, 20, 2, 30, 3, 40, 4];
    let found = Two::of((&fine, &values), (&coarse, &[30, 90, 3, 7])).diff().expect("a comparison");
    assert_eq!((found.relation, found.comparisons), (TableRelation::NewIsCoarser, 4));
    assert_eq!(found.headings, ["department", "pay"]);
    let changes: Vec<Option<i128>> = found.cells.iter().map(|cell| cell.change).collect();
    assert_eq!(changes, [Some(0), Some(20_000), Some(0), Some(0)]);
    assert_eq!(found.cells[1].old, CellValue::Count { thousandths: 70_000, cells: 2 });
    let wide = found.cells[0].interval.expect("an interval");
    assert!(wide.low < -reach() && wide.high > reach(), "three noises are more than two");
    let back = Two::of((&coarse, &[30, 90, 3, 7]), (&fine, &values)).diff().expect("a comparison");
    assert_eq!(back.relation, TableRelation::OldIsCoarser);
    assert_eq!(back.cells[1].change, Some(-20_000));
    assert!(text(&back.page(), &TextStyle::plain(120)).contains("unbiased values"));
}

#[test]
fn different_tables_are_refused_with_what_differs() {
    let two = |old: &str, new: &str, cells: (usize, usize)| {
        Two::of((old, &vec![10; cells.0]), (new, &vec![10; cells.1])).diff().expect_err("refused")
    };
    let (bins, fine) = (request(&[DEPARTMENTS]), request(&[FINE]));
    let words = two(&bins, &fine, (2, 4)).to_string();
    assert!(words.contains("bin \"department\" of OLD is not in NEW"), "{words}");
    assert!(words.contains("bin \"salary\" of NEW is not in OLD"), "{words}");
    let shifted = request(&[&FINE.replace("0, 10", "5, 10")]);
    assert!(two(&fine, &shifted, (4, 4)).to_string().contains("bin \"salary\" of OLD is cut otherwise in NEW"));
    let persons = format!("[data]\nsource = \"d.csv\"\nperson = \"id\"\n{bins}");
    assert!(two(&bins, &persons, (2, 2)).to_string().contains("who is one person"));
    let zone = format!("[data]\nsource = \"d.csv\"\ntimezone = \"Europe/Zurich\"\n{bins}");
    assert!(two(&bins, &zone, (2, 2)).to_string().contains("time zone"));
    // Cells in which a person may be twice are not people when they are added up.
    let several = "[data]\nsource = \"d.csv\"\nperson = \"id\"\nbins-per-person = 2\n";
    let (fine, coarse) = (format!("{several}{}", request(&[FINE])), format!("{several}{}", request(&[COARSE])));
    assert_eq!(two(&fine, &coarse, (4, 2)), DiffError::SeveralBins { bins: 2 });
}

#[test]
fn another_state_condition_or_promise_is_no_other_table() {
    let old = format!("[data]\nsource = \"d.csv\"\nwhere = \"year = 2025\"\n{}", request(&[DEPARTMENTS]));
    let new = old.replace("2025", "2026").replace("epsilon = 1", "epsilon = 3").replace("\"d\"\n", "\"e\"\n");
    let found = Two::of((&old, &[1, 500]), (&new, &[50, 500])).diff().expect("a comparison");
    assert_eq!((found.relation, found.changed()), (TableRelation::Same, 1));
    assert!(found.cautions.iter().any(|words| words.contains("count different rows")), "{:?}", found.cautions);
    assert_eq!(found.new.condition.as_deref(), Some("year = 2026"));
    // The count of 1 may be of nobody: no per cent of that.
    assert_eq!((found.cells[0].relative.clone(), found.cells[1].relative.clone()), (None, Some(Rational::ZERO)));
    let interval = found.cells[1].interval.expect("an interval");
    assert!(interval.high <= reach() && interval.low >= -reach(), "less noise, no wider interval");
}

#[test]
fn what_stands_beside_the_tables_is_said_to_be_left_out() {
    let plain = request(&[FINE]);
    let left_out = |old: &str, new: &str| {
        let found = Two::of((old, &[1, 2, 3, 4]), (new, &[1, 2, 3, 4])).diff().expect("a comparison");
        let words = found.cautions.iter().find(|words| words.contains("left out")).cloned();
        let page = text(&found.page(), &TextStyle::plain(200));
        assert!(words.iter().all(|words| page.contains(words)), "{page}");
        words.unwrap_or_default()
    };
    assert_eq!(left_out(&plain, &plain), "");
    let totals = format!("{plain}[output]\nmargins = true\n");
    assert!(left_out(&plain, &totals).starts_with("Totals are left out"));
    // Statistics come with the total over all.
    let medians = format!("{plain}[output]\nstatistics = \"salary\"\n");
    let words = "Totals, and medians, quantiles and means of bands, are left out";
    assert!(left_out(&medians, &plain).starts_with(words) && left_out(&plain, &medians).starts_with(words));
}

#[test]
fn what_one_of_the_two_does_not_show_is_no_number() {
    let batch = |words: &[Option<&str>], counts: &[i64]| {
        let words: ArrayRef = Arc::new(words.iter().copied().collect::<StringArray>());
        let shown = counts.iter().map(|count| value(*count)).collect();
        vec![PublishedBatch { keys: Keys::Columns(vec![words]), shown }]
    };
    let old = batch(&[Some("=1+1"), Some("a"), Some("b")], &[50, 60, 70]);
    let new = batch(&[Some("=1+1"), Some("b"), Some("c"), None], &[51, 170, 45, 60]);
    let found = Two::delivered((HIDING, old), (HIDING, new)).diff().expect("a comparison");
    let keys: Vec<Option<&str>> = found.cells.iter().map(|cell| cell.key[0].as_deref()).collect();
    assert_eq!(keys, [Some("=1+1"), Some("a"), Some("b"), Some("c"), None]);
    let verdicts: Vec<ChangeVerdict> = found.cells.iter().map(|cell| cell.verdict).collect();
    use ChangeVerdict::{MayBeNoise, NotCompared, Up};
    assert_eq!(verdicts, [MayBeNoise, NotCompared, Up, NotCompared, NotCompared]);
    assert_eq!((found.cells[1].new, found.cells[3].old), (CellValue::Hidden, CellValue::Hidden));
    assert!(found.cells.iter().all(|cell| (cell.interval.is_none()) == (cell.verdict == NotCompared)));
    assert_eq!(found.comparisons, 2);
    let shown = text(&found.page(), &TextStyle::plain(120));
    assert!(shown.contains("not shown before") && shown.contains("not shown now"), "{shown}");
    assert!(shown.contains("A cell that is not shown is not an empty one"), "{shown}");
    let csv = found.to_csv().expect("a table");
    assert!(csv.contains("\n'=1+1,50,51,1,") && csv.contains("\n(missing),,60,,"), "{csv}");
}

#[test]
fn suppressed_cells_are_not_added_up() {
    let hiding = "[promise]\nkind = \"crowd-blending\"\ncrowd = 20\nepsilon = 0\n[mechanism]\nname = \"suppress-below\"\n[ledger]\ndataset = \"d\"\n";
    let (fine, coarse) = (format!("{FINE}{hiding}"), format!("{COARSE}{hiding}"));
    let silent = || Shown { outcome: Outcome::Suppressed, side_value: SideValue::Nothing };
    let shown = |count: u64| cells(count, move |cell| if cell == 0 { silent() } else { value(40) });
    let refused = Two::delivered((&fine, shown(4)), (&coarse, shown(2))).diff();
    assert_eq!(refused, Err(DiffError::HiddenCells { which: WhichFolder::Old }));
    // Shown counts are exact: so is their change.
    let found = Two::delivered((&fine, shown(4)), (&fine, cells(4, |cell| value(41 + cell as i64)))).diff();
    let found = found.expect("a comparison");
    assert_eq!(found.cells[0].verdict, ChangeVerdict::NotCompared);
    assert_eq!(found.cells[1].interval, Some(ChangeInterval { low: 2, high: 2 }));
    assert_eq!(found.cells[1].verdict, ChangeVerdict::Up);
}

#[test]
fn one_release_in_two_folders_is_no_comparison() {
    let (one, two) = (home(), home());
    let plan = plan_of(SALARIES);
    let folder = deliver(&plan, cells(50, |cell| value(cell as i64 * 7)), one.path(), Randomness::OperatingSystem);
    let original = Original::open(&folder, MOST_WORK).expect("a folder");
    let mut output = original.output().clone();
    output.rounding = Some(5);
    let presented = original.presented(output).expect("a plan");
    let made = crate::example::PlainFolder::create(two.path());
    let rendered = original.write(&presented, &made).expect("written");
    fs::write(made.path.join("certificate.json"), rendered.certificate).expect("written");
    fs::write(made.path.join("report.html"), rendered.report).expect("written");
    for other in [&folder, &made.path] {
        let found = diff(&folder, other, None, MOST_WORK).expect("a word");
        assert_eq!((found.relation, found.cells.len(), found.changed()), (TableRelation::SameRelease, 0, 0));
        assert!(text(&found.page(), &TextStyle::plain(120)).contains("the same draw"));
    }
}

#[test]
fn folders_that_do_not_verify_and_draws_that_may_be_the_same_are_refused() {
    let bins = request(&[DEPARTMENTS]);
    let two = Two::of((&bins, &[10, 10]), (&bins, &[10, 10]));
    let table = two.new.join("counts.csv");
    let forged = fs::read_to_string(&table).expect("a table").replace("Sales,10", "Sales,11");
    fs::write(&table, forged).expect("written");
    assert_eq!(two.diff(), Err(DiffError::NotVerified { which: WhichFolder::New }));
    fs::remove_file(two.old.join("certificate.json")).expect("a file");
    assert!(matches!(two.diff(), Err(DiffError::Unreadable { which: WhichFolder::Old, .. })));
    let homes = [home(), home()];
    let made_up = format!("[data]\nsource = \"d.csv\"\nsynthetic = true\n{bins}");
    let plan = plan_of(&made_up);
    let shown = || cells(2, |_| value(10));
    let old = deliver(&plan, shown(), homes[0].path(), Randomness::KnownSeed);
    let new = deliver_for(&another_charge(), &plan, shown(), homes[1].path(), Randomness::KnownSeed);
    assert_eq!(diff(&old, &new, None, MOST_WORK), Err(DiffError::KnownSeeds));
    let fresh = deliver_for(&another_charge(), &plan, shown(), homes[1].path(), Randomness::OperatingSystem);
    assert!(diff(&old, &fresh, None, MOST_WORK).is_ok(), "one of the two is fresh");
    let sampled = made_up.replace("synthetic = true", "sample = \"1/2\"");
    let two = Two::of((&bins, &[10, 10]), (&sampled, &[10, 10]));
    assert_eq!(two.diff(), Err(DiffError::Sampled { which: WhichFolder::New }));
}

#[test]
fn series_are_compared_period_by_period_or_one_with_another() {
    let series = |up_to: u32, from: u32| {
        format!(
            "release = \"series\"\n[series]\nmode = \"per-period\"\npeople = \"once\"\nperiod = \"year\"\nfrom = {from}\nup-to = {up_to}\n{}",
            request(&[DEPARTMENTS])
        )
    };
    let two = Two::of((&series(2021, 2020), &[10, 20, 30, 40]), (&series(2022, 2021), &[31, 140, 50, 60]));
    let found = two.diff().expect("a comparison");
    assert_eq!((found.cells.len(), found.other_periods), (2, 4));
    assert_eq!(found.headings, ["year", "department"]);
    assert_eq!(found.cells[1].key, [Some("2021".to_string()), Some("Research".to_string())]);
    assert_eq!((found.cells[0].change, found.cells[1].change), (Some(1000), Some(100_000)));
    let found = two.between(Some(("2020", "2022"))).expect("a comparison");
    assert_eq!(found.headings, ["department"]);
    assert_eq!((found.cells[0].change, found.cells[1].change), (Some(40_000), Some(40_000)));
    let refused = two.between(Some(("2022", "2022")));
    assert_eq!(refused, Err(DiffError::NoSuchPeriod { which: WhichFolder::Old, period: "2022".into() }));
    // Two periods of one release were drawn apart; one period with itself was not.
    let own = |old: &str, new: &str| {
        let periods = ComparedPeriods { old: old.into(), new: new.into() };
        diff(&two.old, &two.old, Some(&periods), MOST_WORK).expect("a comparison")
    };
    assert_eq!(own("2020", "2021").cells[0].change, Some(20_000));
    assert_eq!(own("2020", "2020").relation, TableRelation::SameRelease);
    let apart = Two::of((&series(2021, 2020), &[10, 20, 30, 40]), (&series(2023, 2022), &[31, 140, 50, 60]));
    assert_eq!(apart.diff(), Err(DiffError::NoCommonPeriod { old: "2021".into(), new: "2023".into() }));
    assert_eq!(apart.diff().expect_err("refused").hint(), "`--periods 2021,2023` compares these two periods");
    let none = Two::of((&request(&[DEPARTMENTS]), &[1, 2]), (&request(&[DEPARTMENTS]), &[1, 2]));
    assert_eq!(none.between(Some(("1", "2"))), Err(DiffError::NoPeriods));
}

#[test]
fn only_tables_of_counts_are_compared() {
    let rows = "release = \"rows\"\n[[columns]]\nname = \"w\"\ncolumn = \"w\"\nvalues = [\"a\", \"b\"]\n[promise]\nkind = \"crowd-blending\"\ncrowd = 2\nepsilon = 0\n[ledger]\ndataset = \"d\"\n";
    let batch = || {
        let codes: ArrayRef = Arc::new(UInt64Array::from(vec![0]));
        vec![PublishedBatch { keys: Keys::Columns(vec![codes]), shown: vec![value(3)] }]
    };
    let refused = Two::delivered((rows, batch()), (rows, batch())).diff();
    assert_eq!(refused, Err(DiffError::OtherKind { which: WhichFolder::Old, kind: "rows" }));
}

#[test]
fn two_periods_are_named_by_a_comma() {
    let periods = |text: &str| ComparedPeriods::from_text(text).map(|periods| (periods.old, periods.new));
    assert_eq!(periods("2020, 2021"), Some(("2020".into(), "2021".into())));
    for text in ["2020", "", ",2021", "2020,", "1,2,3"] {
        assert_eq!(periods(text), None, "{text}");
    }
}
