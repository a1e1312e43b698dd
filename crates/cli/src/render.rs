//! `incrowd render`: a delivered folder with other totals, estimates, roundings, files or words of the report; free.
//!
//! It reads a delivered folder, and a file of words if one is named: it must never open a ledger or the data. It
//! is separate from `release`, which pays. Read `incrowd_release::render` for what happens.

use crate::args::{PrintFormat, RenderCommand};
use crate::failure::Failure;
use crate::terminal::{print_json, print_page};
use incrowd_exact::{Rational, number_of};
use incrowd_release::folder::NameDurability;
use incrowd_release::plan_json::JSON_VERSION;
use incrowd_release::render::{RenderFailure, RenderedFolder, render};
use incrowd_release::request::{
    BandStatistics, CsvStart, Estimate, Format, KeyCells, Margins, OutputRefusal, OutputRequest, Prior, QualityColumn,
    ReportRequest, read_fewer_than, refuse_missing_name,
};
use incrowd_report::{Facts, Page};
use serde_json::json;
use std::path::Path;

/// Runs the command.
pub fn run(command: &RenderCommand, format: PrintFormat) -> Result<(), Failure> {
    let changes = Changes::of(command)?;
    let rendered = render(&command.folder, command.most_work, |output| changes.apply(output), &command.to)
        .map_err(|failure| failed(&failure))?;
    tell(command, &rendered, format)
}

/// What is to be presented otherwise; what is not given stays as it is.
struct Changes {
    margins: Option<Margins>,
    statistics: Option<Option<BandStatistics>>,
    quantiles: Option<Vec<Rational>>,
    estimate: Option<Option<Estimate>>,
    prior: Option<Option<Prior>>,
    rounding: Option<Option<u64>>,
    small: Option<Option<u64>>,
    quality: Option<QualityColumn>,
    formats: Option<Vec<Format>>,
    csv_start: Option<CsvStart>,
    missing: Option<String>,
    report: Option<ReportRequest>,
}

impl Changes {
    fn of(command: &RenderCommand) -> Result<Changes, Failure> {
        let wrong = |option: &str, hint: &str| Failure::usage(format!("{option} is not understood"), hint);
        let prior = command.prior.as_deref().map(|text| match text {
            "none" => Ok(None),
            text => prior(text).map(Some).ok_or_else(|| wrong("--prior", "say --prior 0,500, the smaller first")),
        });
        let prior = prior.transpose()?;
        let estimate = command.estimate.as_deref().map(|text| match text {
            "none" => Ok(None),
            text => Estimate::ALL
                .into_iter()
                .find(|known| known.as_str() == text)
                .map(Some)
                .ok_or_else(|| wrong("--estimate", "say clamped, median, unbiased or none")),
        });
        // A prior alone asks for the median, as it does in a request.
        let estimate = match (estimate.transpose()?, prior) {
            (None, Some(Some(_))) => Some(Some(Estimate::Median)),
            (given, _) => given,
        };
        let small = command.small.as_deref().map(|text| match text {
            "none" => Ok(None),
            text => {
                let limit =
                    read_fewer_than(text).filter(|limit| OutputRequest::refuse_small(Some(*limit), None).is_ok());
                limit
                    .map(Some)
                    .ok_or_else(|| wrong("--small", "say --small 6, --small \"fewer than 6\" or --small none"))
            }
        });
        let format = |name: &String| {
            let known = Format::ALL.into_iter().find(|known| known.as_str() == name);
            known.ok_or_else(|| wrong("--formats", "say --formats csv,parquet,arrow,xlsx, each at most once"))
        };
        let formats = command.formats.iter().map(format).collect::<Result<Vec<_>, _>>()?;
        if (1..formats.len()).any(|at| formats[..at].contains(&formats[at])) {
            return Err(Failure::usage("--formats names a file twice", "say each at most once"));
        }
        if let Some(missing) = &command.missing {
            refuse_missing_name(missing)
                .map_err(|refusal| Failure::usage(refusal.message(), "say --missing \"(missing)\""))?;
        }
        Ok(Changes {
            margins: match command.margins.as_slice() {
                [] => None,
                [all] if all == "all" => Some(Margins::All),
                [none] if none == "none" => Some(Margins::None),
                // Once: each of these bins by itself. More than once: each time a set of bins.
                [names] => Some(Margins::Of(bins(names).into_iter().map(|name| vec![name]).collect())),
                sets => Some(Margins::Of(sets.iter().map(|set| bins(set)).collect())),
            },
            statistics: command.statistics.as_deref().map(|text| match text {
                "none" => None,
                bin => Some(BandStatistics::of(bin)),
            }),
            quantiles: quantiles(&command.quantiles)?,
            estimate,
            prior,
            small: small.transpose()?,
            quality: command.quality.map(|there| match there {
                true => QualityColumn::Written,
                false => QualityColumn::LeftOut,
            }),
            rounding: command.rounding.map(|step| Some(step).filter(|step| *step > 1)),
            formats: Some(formats).filter(|formats| !formats.is_empty()),
            csv_start: command.csv_bom.map(|mark| if mark { CsvStart::ByteOrderMark } else { CsvStart::Plain }),
            missing: command.missing.clone(),
            report: command.report.as_deref().map(report).transpose()?,
        })
    }

    fn apply(self, output: &mut OutputRequest) -> Result<(), OutputRefusal> {
        let Changes {
            margins,
            statistics,
            quantiles,
            estimate,
            prior,
            rounding,
            small,
            quality,
            formats,
            csv_start,
            missing,
            report,
        } = self;
        let wants_no_totals = margins == Some(Margins::None);
        if let Some(margins) = margins {
            output.margins = margins;
        }
        if let Some(statistics) = statistics {
            output.statistics = statistics;
        }
        match (&mut output.statistics, quantiles) {
            (Some(statistics), Some(quantiles)) => statistics.quantiles = quantiles,
            (None, Some(_)) => return Err(OutputRefusal::QuantilesOfNothing),
            (Some(_) | None, None) => {}
        }
        if output.statistics.is_some() && wants_no_totals {
            return Err(OutputRefusal::StatisticsWithoutTotals);
        }
        if let Some(estimate) = estimate {
            output.estimate = estimate;
        }
        if let Some(prior) = prior {
            output.prior = prior;
        }
        // A prior is for the median alone.
        if output.estimate != Some(Estimate::Median) {
            output.prior = None;
        }
        if let Some(rounding) = rounding {
            output.rounding = rounding;
        }
        if let Some(small) = small {
            output.small = small;
        }
        if let Some(quality) = quality {
            output.quality = quality;
        }
        if let Some(formats) = formats {
            output.formats = formats;
        }
        if let Some(start) = csv_start {
            output.csv_start = start;
        }
        if let Some(missing) = missing {
            output.keys = KeyCells::Named { missing };
        }
        if let Some(report) = report {
            output.report = report;
        }
        Ok(())
    }
}

/// The quantiles of a list, in order.
fn quantiles(list: &[String]) -> Result<Option<Vec<Rational>>, Failure> {
    if list.is_empty() {
        return Ok(None);
    }
    let numbers = list.iter().map(|text| number_of(text.trim())).collect::<Option<Vec<_>>>();
    let asked = numbers.and_then(|numbers| BandStatistics::of("").with_quantiles(numbers));
    match asked {
        Some(asked) => Ok(Some(asked.quantiles)),
        None => Err(Failure::usage(
            format!("--quantiles is not understood: {}", BandStatistics::NO_QUANTILES),
            "say --quantiles 0.1,0.5,0.9, where 0.5 is the median",
        )),
    }
}

/// The `[report]` of a file.
fn report(path: &Path) -> Result<ReportRequest, Failure> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|_| Failure::usage(format!("{shown} cannot be read"), "name a TOML file with [report]"))?;
    ReportRequest::parse(&text).map_err(|error| Failure::Request { name: shown, text, error })
}

/// The names of a list; none of them is empty.
fn bins(list: &str) -> Vec<String> {
    list.split(',').filter(|name| !name.is_empty()).map(String::from).collect()
}

fn prior(text: &str) -> Option<Prior> {
    let (low, high) = text.split_once(',')?;
    let prior = Prior { low: low.trim().parse().ok()?, high: high.trim().parse().ok()? };
    (prior.low <= prior.high).then_some(prior)
}

/// What a folder cannot be presented as is refused; everything else is wrong before anything was made.
fn failed(failure: &RenderFailure) -> Failure {
    use incrowd_release::render::RenderError;
    let (message, hint) = (failure.to_string(), failure.hint());
    match failure {
        RenderFailure::Render(RenderError::NotVerified | RenderError::Refused(_)) => Failure::Differs { message, hint },
        RenderFailure::Render(
            RenderError::Unreadable(_)
            | RenderError::AnotherVersion { .. }
            | RenderError::Output(_)
            | RenderError::NoSuchBin { .. },
        )
        | RenderFailure::Folder(_)
        | RenderFailure::Write(_) => Failure::usage(message, hint),
    }
}

fn tell(command: &RenderCommand, rendered: &RenderedFolder, format: PrintFormat) -> Result<(), Failure> {
    let folder = rendered.delivered.folder.display().to_string();
    if format == PrintFormat::Json {
        return print_json(&json!({
            "version": JSON_VERSION,
            "command": "render",
            "folder": folder,
            "files": rendered.files,
            "certificate": rendered.certificate.as_str(),
            "parent": { "folder": command.folder.display().to_string(), "certificate": rendered.parent.as_str() },
            "charged": false,
        }));
    }
    let mut facts = Facts::default();
    facts.add("made from", format!("{}, which verifies", command.folder.display()));
    facts.add("cost", "nothing: only what is published was read, and no ledger");
    facts.add("files", rendered.files.join(", "));
    if rendered.delivered.name == NameDurability::NotSynced {
        facts.add("note", "the system could not say whether the folder's name would survive a power cut");
    }
    facts.add("compare", format!("incrowd verify {folder} --parent {}", command.folder.display()));
    let mut page = Page::titled(format!("Made {folder}"));
    page.add("", vec![facts.block()]);
    print_page(&page, "")
}
