//! Charts of error by group size, in the terminal and as SVG files.
//!
//! Group sizes are taken from the request, never from data. It is separate because `plan` and `compare` share it. Read
//! `incrowd_report` for the drawing.

use crate::failure::Failure;
use crate::page;
use incrowd_release::by_size;
use incrowd_release::plan::Plan;
use incrowd_report::{Axis, Chart, Scale, Series, Shape, TerminalStyle};
use std::io::Write;
use std::path::Path;

/// Returns the line of a plan: mean absolute error by group size.
pub fn line(name: &str, plan: &Plan) -> Series {
    let points = by_size::line(plan, &plan.settled.deployed);
    Series { name: name.to_string(), points, shape: Shape::Line }
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
