//! The sentences of a certificate: what is assumed, what is not protected, what was done to published values.
//!
//! Each is chosen by the plan; it must never promise more than `PROMISE.md`. It is separate because people argue about
//! words and machines about numbers. Read `../words.rs` for the sentences of a plan.

use super::{FILES, REPORT, Randomness, STATISTICS};
use crate::kinds::TableRows;
use crate::margins;
use crate::plan::Plan;
use crate::quality::LETTERS;
use crate::request::{BinSource, CsvStart, Dimension, Estimate, KeyCells, KeyColumn, QualityColumn, Unit};
use crate::table::{KeyType, ShowsCounts};
use incrowd_definition::Reading;
use incrowd_definition::{Binning, CertificateHash, Difference};
use incrowd_exact::rational_text;
use incrowd_plan::totals::TotalsAddUp;
use incrowd_privacy::{Spreads, Universe};
use serde_json::{Value, json};

/// What is said about floating point.
pub(super) const FLOATING_POINT: &str = "decides nothing that is published: draws, thresholds, intervals and accounts are computed with whole numbers and exact fractions; floats only draw the charts of the report and carry decimals of three places into files";

/// The layers of a certificate after NIST SP 800-226, each resting on the ones below it, in plain words.
pub(super) fn how_to_read() -> Value {
    json!([
        {
            "layer": "identity",
            "fields": ["request_hash", "binning_hash", "dataset", "snapshot"],
            "in_words": "which request, about which state of which data: two certificates with the same request_hash promise the same",
        },
        {
            "layer": "the guarantee",
            "fields": ["notion", "curve", "delta", "unit", "worst_case_dp", "odds", "sampling"],
            "in_words": "what is promised to one person, by the size of her group: starting from even odds, nobody who knows how many others are in it rightly becomes surer than the percentage in `odds` whether she is in the data at all, but for the chance beside it; who does not know is bounded by the largest of the sizes that they find possible; that chance is not delta, which bounds by how much chances may differ beyond epsilon",
        },
        {
            "layer": "what keeps it",
            "fields": ["universe", "mechanism", "theorem", "exact", "postprocessing", "randomness", "floating_point", "timing"],
            "in_words": "what was drawn, why that keeps the promise, and what it costs exactly; anybody can compute `exact` again from `mechanism` and `curve` alone",
        },
        {
            "layer": "what it rests on",
            "fields": ["assumptions", "not_protected", "ledger"],
            "in_words": "what had to be believed, what is not covered, and the entry of the account book that paid for it; collection, storage and access to the data itself are outside",
        },
        {
            "layer": "evidence",
            "fields": ["derived_from", "tables", "request"],
            "in_words": "the folder that this one was made from, if any, the hashes of what was delivered, and the whole request, from which all of the above follows",
        },
    ])
}

/// What is said about time.
pub(super) const TIMING: &str = "not protected: draws look up tables by secret bits, and rare ones take longer; no duration, memory size or progress is published";

/// What was done to the values that the mechanism drew, in order.
///
/// A verifier reads the parameters of each step back.
pub(super) fn postprocessing(plan: &Plan, key_types: &[KeyType]) -> Vec<Value> {
    let deployed = plan.settled().deployed();
    let output = &plan.request().output;
    let mut steps = Vec::new();
    if let Some(from) = deployed.publish_from {
        steps.push(json!({
            "step": "threshold",
            "from": from.to_string(),
            "in_words": "values below the threshold are not published; the account includes this",
        }));
    }
    match plan.kind().rows() {
        TableRows::Bins | TableRows::Items(_) => {}
        TableRows::People(people) => {
            steps.push(json!({ "step": plan.kind().table(), "in_words": people.step_words() }));
            steps.extend(report(plan));
            steps.extend(files(plan, key_types));
            return steps;
        }
    }
    steps.push(json!({
        "step": "interval",
        "in_words": "low and high enclose the counts that leave more than 2.5 % on either side of the published value, given that it is published; computed from published values alone; empty where the law is too large to sum",
    }));
    match (output.estimate, output.prior) {
        (None, _) => {}
        (Some(Estimate::Clamped), _) => steps.push(json!({
            "step": "estimate",
            "kind": Estimate::Clamped.as_str(),
            "in_words": "the published value, at least 0; biased upwards for small counts",
        })),
        (Some(Estimate::Median), prior) => steps.push(json!({
            "step": "estimate",
            "kind": Estimate::Median.as_str(),
            "prior": prior.map(|prior| json!([prior.low.to_string(), prior.high.to_string()])),
            "in_words": "the median count given the published value, if all counts of the prior (of all, if null) are equally likely beforehand",
        })),
        (Some(Estimate::Unbiased), _) => steps.push(json!({
            "step": "estimate",
            "kind": Estimate::Unbiased.as_str(),
            "in_words": "a value whose mean is the count, to three decimals, for sums",
        })),
    }
    if let Some(rounding) = output.rounding.filter(|step| *step > 1) {
        steps.push(json!({
            "step": "rounding",
            "to": rounding.to_string(),
            "in_words": "a column of its own has the estimate, else the count, to the nearest multiple; the count itself and its interval are not rounded",
        }));
    }
    if let Some(small) = output.small {
        steps.push(json!({
            "step": "small",
            "below": small.to_string(),
            "in_words": "a column of its own shows published values below the limit as being below it, and others as they are, or rounded; it speaks of the published value, with its noise, so that more people may be in a bin that shows as small, and fewer in one that does not; the count itself and its interval are not hidden",
        }));
    }
    match (output.quality, ShowsCounts::of(plan)) {
        (QualityColumn::Written, ShowsCounts::Yes) => {
            steps.push(json!({ "step": "quality", "in_words": LETTERS }));
        }
        (QualityColumn::LeftOut, _) | (_, ShowsCounts::No) => {}
    }
    if let Some(of) = plan.margin_sets() {
        let kind = margins::Kind::of(plan);
        // People in many periods of a series are in several bins too, though in one of each period.
        let several = match plan.request().bins_per_person() > 1 || plan.request().periods_per_person() > 1 {
            false => "",
            true => "; a person in several bins is in several of them",
        };
        let columns = plan.request().kind.published();
        let name = |key: &usize| columns.get(*key).map(|column| column.name());
        let sets = of.iter().map(|set| set.iter().filter_map(name).collect::<Vec<&str>>());
        steps.push(json!({
            "step": "margins",
            "of": match output.keys {
                KeyCells::Bare => json!(sets.flatten().collect::<Vec<&str>>()),
                KeyCells::Named { .. } => json!(sets.collect::<Vec<_>>()),
            },
            "column": kind.heading(),
            "in_words": match (kind, plan.settled().deployed().spreads()) {
                (margins::Kind::Unbiased, Some(Spreads::Unbiased)) => {
                    format!("totals add up unbiased values of published cells, never the data; the standard error is estimated from the same values{several}")
                }
                (margins::Kind::Unbiased, _) => {
                    format!("totals add up published cells, never the data; the standard error is an upper bound{several}")
                }
                (margins::Kind::Shown(_), _) => {
                    format!("sums of the counts that are shown are no totals: they leave out what is not shown{}, so they may lie far below or above the number of people{several}", match plan.shown_by_noise() {
                        true => ", and values that noise made large are shown more often",
                        false => "",
                    })
                }
            },
        }));
    }
    steps.extend(consistent(plan));
    steps.extend(statistics(plan));
    steps.extend(report(plan));
    steps.extend(files(plan, key_types));
    steps
}

/// What the publisher adds to the report; nothing where that is nothing.
fn report(plan: &Plan) -> Option<Value> {
    let report = &plan.request().output.report;
    if report.is_empty() {
        return None;
    }
    let mut step = report.to_json();
    step.insert("step".into(), json!(REPORT));
    step.insert(
        "in_words".into(),
        json!(
            "the publisher's own words, shown in the report as such: nobody verifies them, and tables do not have them"
        ),
    );
    Some(Value::Object(step))
}

/// The table in which totals are the sums of their cells.
fn consistent(plan: &Plan) -> Option<Value> {
    (plan.totals_add_up() == TotalsAddUp::Yes).then(|| {
        json!({
            "step": "consistent",
            "in_words": "made of published values alone: from the total over all down to the cells, each set of totals, and the cells at last, is the nearest to its unbiased values that is nowhere below the lower ends of intervals and has the coarser totals as its sums, in least squares weighted by the widths of intervals, and is rounded to whole numbers by largest remainders; every total is the sum of its cells; a number may lie above the interval of its cell, and further from the truth than what is published",
        })
    })
}

/// Mean and quantiles of a number that is cut into bands.
fn statistics(plan: &Plan) -> Option<Value> {
    let planned = plan.statistics()?.ok()?;
    let columns = plan.request().kind.published();
    let whose = plan.statistics_words().unwrap_or_default();
    Some(json!({
        "step": STATISTICS,
        "of": columns[planned.place].name(),
        "quantiles": planned.quantiles.iter().map(rational_text).collect::<Vec<_>>(),
        "in_words": format!("{whose}; made of published values alone; a quantile is what at least that share of these people have at most, and at least the rest of them at least: ways to compute one that lie between other people's numbers may lie outside; whatever the counts are, each interval misses the mean or the quantile at most once in twenty times, for the noise and for where in their bands people lie; an estimate is made of the numbers that add up, each moved into the interval of its cell, as if people lay evenly within their bands, and the interval says, as often, how far off it may be"),
    }))
}

/// How tables are written to files.
fn files(plan: &Plan, key_types: &[KeyType]) -> Option<Value> {
    let output = &plan.request().output;
    let KeyCells::Named { missing } = &output.keys else { return None };
    Some(json!({
        "step": FILES,
        "missing": missing,
        "csv_bom": match output.csv_start {
            CsvStart::Plain => false,
            CsvStart::ByteOrderMark => true,
        },
        "keys": key_types.iter().map(KeyType::name).collect::<Vec<_>>(),
        "in_words": "in files without types a missing key has a name, and an apostrophe comes before a text that a spreadsheet would take for a formula, that reads as missing, or that begins with apostrophes before such a text; files with types have the bounds of intervals and periods beside their labels",
    }))
}

/// The folders that this one was made from; null for a release.
pub(super) fn derived_from(certificates: &[CertificateHash]) -> Value {
    if certificates.is_empty() {
        return Value::Null;
    }
    json!({
        "certificates": certificates.iter().map(CertificateHash::as_str).collect::<Vec<_>>(),
        "in_words": "made from the published values of the folder with the last of these certificates (SHA-256), and nothing else; the first is the one that was paid for, whose entry of the ledger is named here: nothing more was read, drawn or charged",
    })
}

pub(super) fn randomness(randomness: Randomness) -> Value {
    match randomness {
        Randomness::OperatingSystem => json!({
            "kind": "operating-system",
            "in_words": "a fresh secret of 256 bits of the operating system for this charge, never stored; each bin draws from its own stream of keyed BLAKE3",
        }),
        Randomness::KnownSeed => json!({
            "kind": "known-seed",
            "in_words": "NOT PRIVATE: a known seed on synthetic data; anybody can repeat the draws",
        }),
    }
}

pub(super) fn assumptions(plan: &Plan, randomness: Randomness) -> Vec<String> {
    let mut lines: Vec<&str> = plan.made_up_words().into_iter().collect();
    match plan.request().data.as_ref().map(|data| &data.unit) {
        None | Some(Unit::Row) => lines.push("one row is one person: asserted, not checked"),
        Some(Unit::People { .. }) => {
            lines.push("each row stands for as many persons as its column says, and no person is in two rows: asserted, not checked")
        }
        Some(Unit::Person { .. }) => {
            lines.push("a person's identifier does not change when somebody joins or leaves, and belongs to one person")
        }
    }
    lines.push("what a row says does not change when somebody else joins or leaves: no column, formula or view is computed from other people's rows, as ranks, shares and running numbers are: asserted, not checked");
    if plan.request().data.as_ref().is_some_and(|data| data.split.is_some()) {
        lines.push("the column of the split is a public function of the person, so nobody is in two parts of a snapshot: asserted, not checked");
    }
    if let Some(series) = plan.request().kind.series() {
        lines.push(match series.repeats_people() {
            true => "curve and delta are promised for each period by itself, and a person may be in all of them: worst_case_dp is for all periods of this run together",
            false => "nobody is in two periods of the series: a row has one period, and where a person has many rows she is cut to her bins over all periods of this run; that she is in no other run is asserted, not checked",
        });
    }
    lines.push(match plan.request().ledger.snapshot {
        Some(_) => "the snapshot names one immutable state of the data: declared, not checked",
        None => "the state of the data has no name, so that no other release is taken to be of the same state",
    });
    lines.push("bins, thresholds and the promise itself were chosen without looking at the data");
    match randomness {
        Randomness::OperatingSystem => lines.push(
            "the random bits of the operating system are unpredictable and keyed BLAKE3 is pseudo-random: the guarantee is exact for ideal bits and computational for real ones",
        ),
        Randomness::KnownSeed => lines.push("none that would help: the seed is known, so nothing here is private"),
    }
    lines.push("the steward's machine, process and screen are not watched");
    if plan.request().data.as_ref().is_some_and(|data| data.sampled.is_some()) {
        lines.push("the data is an independent sample of a population with the stated chances: asserted, not checked");
    }
    lines.into_iter().map(String::from).collect()
}

/// Columns and facts that the promise does not cover.
pub(super) fn not_protected(plan: &Plan) -> Value {
    json!({ "columns": columns(plan), "facts": facts(plan) })
}

/// What of each column that the request names is public.
fn columns(plan: &Plan) -> Vec<Value> {
    let column = |name: String, what: &str| json!({ "column": name, "what": what });
    let of = |key: &KeyColumn<'_>| {
        let name = match key {
            KeyColumn::Counted(Dimension { source: BinSource::Column(name), .. }) => name.clone(),
            KeyColumn::Counted(Dimension { source: BinSource::Expression(expression), .. }) => expression.clone(),
            KeyColumn::Numbered { name, .. } => (*name).to_string(),
            KeyColumn::Drawn { column, .. } => (*column).to_string(),
        };
        column(
            name,
            match key.size() {
                None => "its published keys, once a bin of them is shown",
                Some(_) => "its declared bins, which are part of the request",
            },
        )
    };
    let mut columns: Vec<Value> = plan.request().kind.published().iter().map(of).collect();
    let Some(data) = &plan.request().data else { return columns };
    match &data.unit {
        Unit::Person { column: name, .. } => {
            columns.push(column(name.clone(), "that it tells persons apart; its values are never published"))
        }
        Unit::People { column: name } => {
            columns.push(column(name.clone(), "that it says how many persons a row stands for"))
        }
        Unit::Row => {}
    }
    if let Some(split) = &data.split {
        columns.push(column(split.column.clone(), "that only one part of it was counted, and which"));
    }
    if let Some(condition) = &data.condition {
        columns.push(column(condition.clone(), "that only rows that meet this condition were counted"));
    }
    columns
}

fn facts(plan: &Plan) -> Vec<String> {
    let mut lines: Vec<String> = plan.weakness().into_iter().chain(plan.caveats()).collect();
    if let (Some(last), Some(_)) = (plan.curve().last_finite(), plan.charged_sample()) {
        lines.push(format!(
            "to people in groups of more than {last} nothing is promised but what the sample gives: counts of those in it may be published as they are"
        ));
    } else if let Some(last) = plan.curve().last_finite() {
        lines.push(format!(
            "nothing is promised to people in groups of more than {last}: such counts may be published as they are"
        ));
    } else if plan.curve().constant_from().is_none() {
        lines.push("epsilon grows with the size of the group without end: people in very large groups are promised next to nothing".into());
    }
    if plan.curve().last_finite().is_some()
        && let Some(Difference { larger, smaller, left, .. }) =
            Binning::read(&plan.request().binning_text(Some(&Reading::default().canonical())))
                .and_then(|own| own.margin())
    {
        lines.push(format!(
            "whoever knows the true total of {larger} may subtract what is published of {smaller}: what is left is {left}, however few"
        ));
    }
    if plan.settled().deployed().universe == Universe::Open {
        lines.push("that a bin is shown at all says that somebody is in it".into());
    }
    if plan.settled().deployed().publishes_ranges() {
        lines.push("a published range surely holds the number of people who were counted".into());
    }
    lines.push("what is true of a crowd may be published, and may harm its members".into());
    lines.push("the declared bins, their names and the request itself are public".into());
    lines.push("time and memory of the computation".into());
    lines.push(
        "whoever can rewrite the whole ledger can hide a charge: compare its head with a copy kept elsewhere".into(),
    );
    lines.push(
        "other releases about the same people, of other accounts or other software, add to what is learnt".into(),
    );
    lines
}
