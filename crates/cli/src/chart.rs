//! Charts, and other files that a command writes beside what it prints.
//!
//! It must never overwrite a file, or leave half of one behind. It is separate because several commands share it. Read
//! `incrowd_report` for the drawing.

use crate::failure::Failure;
use incrowd_report::Chart;
use std::io::Write;
use std::path::Path;

/// Writes a chart to a new file, whole or not at all.
pub fn write(chart: &Chart, path: &Path) -> Result<(), Failure> {
    let drawing =
        incrowd_report::svg(chart).map_err(|_| Failure::usage("the chart could not be drawn", "leave --chart out"))?;
    write_new(path, &drawing)
}

/// Writes a new file, whole or not at all.
pub fn write_new(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
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
    file.write_all(content.as_ref()).map_err(refused)?;
    file.as_file().sync_all().map_err(refused)?;
    file.persist_noclobber(path).map_err(|error| refused(error.error))?;
    Ok(())
}
