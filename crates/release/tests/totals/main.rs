//! Totals that add up, measured: draws of the real sampler from known counts, beside the truth.
//!
//! Known counts are drawn from with a known seed, so nothing here is private and nothing may leave a test. It must
//! never expect a value that the code under test computed: the truth is added up here. It is separate because it needs
//! the sampler and the tables together. Read `docs/decisions/0029-totals-that-add-up.md` for what it printed.

use incrowd_counts::{Keys, PublishedBatch, Shown};
use incrowd_evidence::WriteError;
use incrowd_evidence::certificate::Randomness;
use incrowd_evidence::files::NewFiles;
use incrowd_evidence::table::Table;
use incrowd_evidence::write::write_tables;
use incrowd_noise::Sampler;
use incrowd_noise::testing::SeededBits;
use incrowd_plan::plan::Plan;
use incrowd_plan::request::Request;
use incrowd_privacy::Outcome;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A table whose counts are known.
struct Known {
    name: String,
    request: String,
    counts: Vec<u64>,
}

/// Mean absolute errors, and how often intervals of totals hold the truth.
#[derive(Default)]
struct Errors {
    cells: u64,
    totals: u64,
    published: [f64; 2],
    unbiased: [f64; 2],
    consistent: [f64; 2],
    several: u64,
    held: u64,
}

struct Folder(PathBuf);

impl NewFiles for Folder {
    fn file(&self, name: &str) -> Result<File, WriteError> {
        File::create(self.0.join(name)).map_err(|_| WriteError::Other)
    }
}

type Rows = Vec<HashMap<String, String>>;

fn rows(path: &Path) -> Rows {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// Draws a table so often, and compares with the truth; fails where a total is not the sum of its cells.
fn measured(known: &Known, draws: u64) -> Errors {
    let request = Request::parse(&known.request).unwrap_or_else(|error| panic!("{}: {error:?}", known.name));
    let plan = Plan::of(&request, None).unwrap_or_else(|refusal| panic!("{}: {refusal}", known.name));
    let bins: Vec<String> = request.kind.published().iter().map(|bin| bin.name().to_string()).collect();
    let mut table = Table::of(&plan).unwrap_or_else(|refusal| panic!("{}: {refusal}", known.name));
    let sampler = Sampler::new(plan.settled().deployed()).expect("a sampler");
    let mut bits = SeededBits::from_seed(29);
    let home = tempfile::tempdir().expect("a folder");
    let mut errors = Errors::default();
    for _ in 0..draws {
        let shown = known.counts.iter().map(|count| {
            let drawn = sampler.draw(*count, &mut bits);
            Shown { outcome: drawn.outcome, side_value: drawn.side_value }
        });
        let shown: Vec<Shown> = shown.collect();
        let published: Vec<i64> = shown
            .iter()
            .map(|shown| match shown.outcome {
                Outcome::Value(value) => value,
                Outcome::AtMost(_) | Outcome::Range(_, _) | Outcome::Suppressed => panic!("{} hides cells", known.name),
            })
            .collect();
        let batch = PublishedBatch { keys: Keys::Cells((0..known.counts.len() as u64).collect()), shown };
        let folder = Folder(home.path().to_path_buf());
        write_tables(&mut table, &plan, [Ok(batch)].into_iter(), Randomness::KnownSeed, &folder).expect("tables");
        errors.add(known, &bins, &published, home.path());
    }
    errors
}

impl Errors {
    fn add(&mut self, known: &Known, bins: &[String], published: &[i64], folder: &Path) {
        let cells = rows(&folder.join("counts.csv"));
        let [margins, consistent] = ["margins.csv", "consistent.csv"].map(|name| rows(&folder.join(name)));
        let label = |row: &HashMap<String, String>| bins.iter().map(|bin| row[bin].clone()).collect::<Vec<_>>();
        let adds_up: HashMap<Vec<String>, i64> =
            consistent.iter().map(|row| (label(row), row["consistent"].parse().expect("a whole number"))).collect();
        assert!(adds_up.values().all(|value| *value >= 0), "{}: below zero", known.name);
        let is_in = |cell: &[String], total: &[String]| {
            cell.iter().zip(total).all(|(cell, total)| total == "(all)" || cell == total)
        };
        let labels: Vec<Vec<String>> = cells.iter().map(label).collect();
        for (at, cell) in labels.iter().enumerate() {
            let truth = known.counts[at] as f64;
            self.cells += 1;
            self.published[0] += (published[at] as f64 - truth).abs();
            self.consistent[0] += (adds_up[cell] as f64 - truth).abs();
            self.unbiased[0] += (cells[at]["estimate"].parse::<f64>().expect("unbiased") - truth).abs();
        }
        for row in &margins {
            let total = label(row);
            let members: Vec<usize> = (0..labels.len()).filter(|at| is_in(&labels[*at], &total)).collect();
            let truth = members.iter().map(|at| known.counts[*at] as f64).sum::<f64>();
            let sum: i64 = members.iter().map(|at| adds_up[&labels[*at]]).sum();
            assert_eq!(sum, adds_up[&total], "{}: a total that is not the sum of its cells", known.name);
            if members.len() == 1 {
                continue;
            }
            self.totals += 1;
            self.published[1] += (members.iter().map(|at| published[*at] as f64).sum::<f64>() - truth).abs();
            self.unbiased[1] += (row["total"].parse::<f64>().expect("a number") - truth).abs();
            self.consistent[1] += (sum as f64 - truth).abs();
            let [low, high] = ["low", "high"].map(|end| row[end].parse::<f64>().expect("a number"));
            self.several += 1;
            self.held += u64::from(low <= truth && truth <= high);
        }
    }

    fn line(&self, known: &Known) -> String {
        let mean = |of: [f64; 2]| [of[0] / self.cells as f64, of[1] / self.totals as f64];
        let (published, unbiased, consistent) = (mean(self.published), mean(self.unbiased), mean(self.consistent));
        format!(
            "| {} | {} | {:.3} | {:.3} | {:.3} | {:.2} | {:.2} | {:.2} | {:.1} % |",
            known.name,
            known.counts.len(),
            published[0],
            unbiased[0],
            consistent[0],
            published[1],
            unbiased[1],
            consistent[1],
            100.0 * self.held as f64 / self.several as f64
        )
    }
}

/// How often intervals of medians and means held, and how wide they were.
#[derive(Default)]
struct Intervals {
    quantiles: u64,
    quantiles_held: u64,
    bands: u64,
    bands_at_least: u64,
    means: u64,
    means_held: u64,
}

/// Draws a table by bands so often, and asks whether intervals held wherever in their bands people lie.
///
/// Bands are those of the last bin, of equal width; the truth is found from lists of people.
fn statistics_measured(known: &Known, draws: u64) -> Intervals {
    let request = known.request.replace("margins = ", "statistics = \"LAST\"\nmargins = ");
    let parsed = Request::parse(&known.request).unwrap_or_else(|error| panic!("{}: {error:?}", known.name));
    let bins: Vec<String> = parsed.kind.published().iter().map(|bin| bin.name().to_string()).collect();
    let last = bins.last().expect("a bin").clone();
    let request = Request::parse(&request.replace("LAST", &last)).unwrap_or_else(|error| panic!("{error:?}"));
    let plan = Plan::of(&request, None).unwrap_or_else(|refusal| panic!("{}: {refusal}", known.name));
    let mut table = Table::of(&plan).unwrap_or_else(|refusal| panic!("{}: {refusal}", known.name));
    let sampler = Sampler::new(plan.settled().deployed()).expect("a sampler");
    let mut bits = SeededBits::from_seed(32);
    let home = tempfile::tempdir().expect("a folder");
    let mut found = Intervals::default();
    for _ in 0..draws {
        let draw = |count: &u64| {
            let drawn = sampler.draw(*count, &mut bits);
            Shown { outcome: drawn.outcome, side_value: drawn.side_value }
        };
        let shown: Vec<Shown> = known.counts.iter().map(draw).collect();
        let batch = PublishedBatch { keys: Keys::Cells((0..known.counts.len() as u64).collect()), shown };
        let folder = Folder(home.path().to_path_buf());
        write_tables(&mut table, &plan, [Ok(batch)].into_iter(), Randomness::KnownSeed, &folder).expect("tables");
        found.add(known, &bins, home.path());
    }
    found
}

impl Intervals {
    fn add(&mut self, known: &Known, bins: &[String], folder: &Path) {
        let (last, others) = bins.split_last().expect("a bin");
        let cells = rows(&folder.join("counts.csv"));
        let start = |row: &HashMap<String, String>| {
            let label = row[last].trim_start_matches('[');
            label.split(", ").next().and_then(|start| start.parse::<f64>().ok()).expect("a band")
        };
        for row in rows(&folder.join("statistics.csv")) {
            let is_in =
                |cell: &HashMap<String, String>| others.iter().all(|bin| row[bin] == "(all)" || row[bin] == cell[bin]);
            let mut people: Vec<f64> = Vec::new();
            for (cell, count) in cells.iter().zip(&known.counts).filter(|(cell, _)| is_in(cell)) {
                people.extend(vec![start(cell); *count as usize]);
            }
            people.sort_by(f64::total_cmp);
            let (Ok(low), Ok(high)) = (row["low"].parse::<f64>(), row["high"].parse::<f64>()) else { continue };
            if people.is_empty() {
                continue;
            }
            let all = people.len() as f64;
            let quantile = match row["statistic"].split(' ').next() {
                Some("median") => 0.5,
                Some("25") => 0.25,
                Some("75") => 0.75,
                _ => {
                    // The least and the most that it may be, by where in their bands people lie.
                    let least = people.iter().sum::<f64>() / all;
                    self.means += 1;
                    self.means_held += u64::from(low <= least + 1e-9 && least + 1.0 <= high + 1e-9);
                    continue;
                }
            };
            // The first and the last of those that lie at the quantile, or beside it.
            let first = people[((quantile * all).ceil() as usize).max(1) - 1];
            let final_one = people[((quantile * all).floor() as usize).min(people.len() - 1)];
            self.quantiles += 1;
            self.quantiles_held += u64::from(low <= first && final_one + 1.0 <= high);
            self.bands += (high - low).round() as u64;
            self.bands_at_least += (final_one - first).round() as u64 + 1;
        }
    }

    fn line(&self, known: &Known) -> String {
        let percent = |part: u64, all: u64| 100.0 * part as f64 / all as f64;
        format!(
            "| {} | {:.1} % | {:.1} | {:.1} % |",
            known.name,
            percent(self.quantiles_held, self.quantiles),
            self.bands as f64 / self.bands_at_least as f64,
            percent(self.means_held, self.means)
        )
    }
}

/// Tables of five shapes under four laws, with counts that are made up.
fn generated() -> Vec<Known> {
    let shapes: [(&str, &[u64], f64, &str); 5] = [
        ("4 x 5, dense", &[4, 5], 40.0, "true"),
        ("20 x 10, sparse", &[20, 10], 1.0, "true"),
        ("51 x 8 x 4, sparse", &[51, 8, 4], 0.5, "[[\"a\"], [\"a\", \"b\"]]"),
        ("100, long tail", &[100], 3.0, "[[]]"),
        (
            "12 x 7 x 3 x 2",
            &[12, 7, 3, 2],
            2.0,
            "[[\"a\"], [\"b\"], [\"c\"], [\"d\"], [\"a\", \"b\"], [\"b\", \"c\"], [\"c\", \"d\"]]",
        ),
    ];
    let laws = [
        ("epsilon 1", "kind = \"differential-privacy\"\nepsilon = 1\n"),
        ("geometric, 1/2", "kind = \"differential-privacy\"\nepsilon = \"1/2\"\n[mechanism]\nname = \"geometric\"\n"),
        ("groups of 10, 1", "kind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1\n"),
        ("three steps", "kind = \"staircase\"\nthresholds = [50, 5]\nepsilons = [2, 1, \"1/2\"]\n"),
    ];
    let mut seed = 29u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut tables = Vec::new();
    for (shape, sizes, people, margins) in shapes {
        let effects: Vec<Vec<f64>> =
            sizes.iter().map(|size| (0..*size).map(|_| (4.0 * random() - 2.0).exp()).collect()).collect();
        let cells: u64 = sizes.iter().product();
        let counts: Vec<u64> = (0..cells)
            .map(|cell| {
                let mut rest = cell;
                let mut mean = people * 2.0 * random();
                for (size, effects) in sizes.iter().zip(&effects).rev() {
                    mean *= effects[(rest % size) as usize];
                    rest /= size;
                }
                (mean + random()).floor() as u64
            })
            .collect();
        let bins = sizes.iter().zip(["a", "b", "c", "d"]).map(|(size, name)| {
            format!("[[bins]]\nname = \"{name}\"\ncolumn = \"{name}\"\nfrom = 0\nto = {size}\nwidth = 1\n")
        });
        let bins: String = bins.collect();
        for (law, promise) in laws {
            tables.push(Known {
                name: format!("{shape}; {law}"),
                request: format!(
                    "release = \"histogram\"\n{bins}[promise]\n{promise}[output]\nmargins = {margins}\nestimate = \"unbiased\"\n"
                ),
                counts: counts.clone(),
            });
        }
    }
    tables
}

/// Tables of a folder: `NAME.toml`, and `NAME.counts` with a count in each line, in the order of the table.
fn given(folder: &Path) -> Vec<Known> {
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    names.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    names.sort();
    let known = |path: &PathBuf| {
        let counts = fs::read_to_string(path.with_extension("counts")).expect("counts");
        Known {
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            request: fs::read_to_string(path).expect("a request"),
            counts: counts.lines().map(|line| line.parse().expect("a count")).collect(),
        }
    };
    names.iter().map(known).collect()
}

#[test]
fn totals_are_sums_and_no_further_from_the_truth() {
    for known in generated() {
        let errors = measured(&known, 3);
        assert!(errors.cells > 0 && errors.totals > 0, "{}", known.name);
    }
    // A table with many empty cells, where it matters most.
    let sparse = &generated()[5];
    let errors = measured(sparse, 60);
    assert!(errors.consistent[0] < errors.published[0], "cells are nearer than published ones");
    assert!(errors.consistent[1] < 1.05 * errors.unbiased[1], "totals are as near as unbiased ones");
    assert!(errors.held * 20 > errors.several * 18, "intervals of totals hold");
}

#[test]
fn intervals_of_medians_and_means_hold() {
    for known in generated() {
        let found = statistics_measured(&known, 1);
        assert!(found.quantiles > 0 && found.means > 0, "{}", known.name);
    }
    // A dense table of a few bands, and one of many cells.
    for table in [0, 5] {
        let found = statistics_measured(&generated()[table], 20);
        assert!(found.quantiles_held * 100 >= found.quantiles * 94, "{} of {}", found.quantiles_held, found.quantiles);
        assert!(found.means_held * 100 >= found.means * 94, "{} of {}", found.means_held, found.means);
    }
}

/// Prints the table of decision 32.
#[test]
#[ignore = "a measurement of some minutes: tests/totals/run.sh"]
fn statistics_measured_over_200_draws() {
    let mut screen = std::io::stdout();
    let mut print = |line: &str| writeln!(screen, "{line}").expect("a screen");
    print("| table | quantiles held | bands told for one that there is | means held |");
    print("|---|---|---|---|");
    for known in generated() {
        print(&statistics_measured(&known, 200).line(&known));
    }
}

/// Prints the table of the decision page; `INCROWD_KNOWN_TABLES` names a folder with further tables.
#[test]
#[ignore = "a measurement of some minutes: tests/totals/run.sh"]
fn measured_over_200_draws() {
    let further = std::env::var_os("INCROWD_KNOWN_TABLES").map(PathBuf::from);
    let further = further.map(|folder| given(&folder)).unwrap_or_default();
    let mut screen = std::io::stdout();
    let mut print = |line: &str| writeln!(screen, "{line}").expect("a screen");
    print("| table | cells | published | unbiased | consistent | sums | unbiased | consistent | intervals hold |");
    print("|---|---|---|---|---|---|---|---|---|");
    for known in generated().iter().chain(&further) {
        print(&measured(known, 200).line(known));
    }
}
