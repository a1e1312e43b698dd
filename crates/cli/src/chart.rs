//! Charts of error by group size, in the terminal and as SVG files.
//!
//! Group sizes are taken from the request, never from data. It is separate because `plan` and `compare` share it. Read
//! `incrowd_report` for the drawing.

use crate::failure::Failure;
use crate::page;
use incrowd_privacy::Curve;
use incrowd_release::plan::Plan;
use incrowd_report::{Axis, Chart, Scale, Series, Shape, TerminalStyle};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

/// Returns group sizes that show a curve: evenly spread on a logarithmic scale, and around each bend.
pub fn sizes(curve: &Curve) -> Vec<u64> {
    let bends: Vec<u64> = curve.runs().iter().filter_map(|run| run.to).filter(|to| *to < 1_000_000).collect();
    let last = bends.last().copied().unwrap_or(10).saturating_mul(10).clamp(1000, 1_000_000);
    let mut sizes = BTreeSet::new();
    let steps = 40;
    for step in 0..=steps {
        sizes.insert((last as f64).powf(f64::from(step) / f64::from(steps)).round() as u64);
    }
    for bend in bends.iter().step_by((bends.len() / 8).max(1)) {
        sizes.extend([*bend, bend + 1, bend + (bend / 50).max(1), bend + (bend / 20).max(2)]);
    }
    sizes.into_iter().collect()
}

/// Returns the line of a plan: mean absolute error by group size.
pub fn line(name: &str, plan: &Plan, sizes: &[u64]) -> Series {
    let points = sizes.iter().filter_map(|size| {
        let utility = plan.settled.deployed.utility(*size).ok()?;
        Some((*size as f64, utility.mean_absolute_error.max(1e-3)))
    });
    Series { name: name.to_string(), points: points.collect(), shape: Shape::Line }
}

/// Returns a chart of lines by group size.
pub fn by_size(title: &str, subtitle: Option<String>, series: Vec<Series>) -> Chart {
    Chart {
        title: title.to_string(),
        subtitle,
        x: Axis { label: "people in the group".into(), scale: Scale::Logarithmic },
        y: Axis { label: "mean absolute error".into(), scale: Scale::Logarithmic },
        series,
    }
}

/// Returns a chart for the terminal.
pub fn text(chart: &Chart) -> String {
    let width = page::width().min(92);
    format!("\n{}\n", incrowd_report::terminal(chart, width, 12, TerminalStyle::Unicode))
}

/// Writes a chart to a new file, whole or not at all.
pub fn write(chart: &Chart, path: &Path) -> Result<(), Failure> {
    let drawing =
        incrowd_report::svg(chart).map_err(|_| Failure::usage("the chart could not be drawn", "leave --chart out"))?;
    write_new(path, &drawing)
}

/// Writes a text to a new file, whole or not at all.
pub fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let shown = path.display();
    if path.exists() {
        return Err(Failure::usage(format!("{shown} is there already"), "choose another name, or remove it first"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let refused = |error: std::io::Error| {
        Failure::usage(
            format!("{shown} cannot be written: {}", error.kind()),
            "does the folder exist, and is there room?",
        )
    };
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(refused)?;
    file.write_all(text.as_bytes()).map_err(refused)?;
    file.as_file().sync_all().map_err(refused)?;
    file.persist_noclobber(path).map_err(|error| refused(error.error))?;
    Ok(())
}
