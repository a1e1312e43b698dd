//! Several new files in a folder: all of them, or none.
//!
//! It must never overwrite a file, or leave half of them behind. It is separate because examples and manual pages are
//! written alike. Read `chart.rs` for a single file.

use crate::failure::Failure;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes files with these names and texts into a folder, which is made if it is not there; `what` names them in words.
pub fn write<N: AsRef<str>>(folder: &Path, files: &[(N, String)], what: &str) -> Result<(), Failure> {
    let path = |name: &N| folder.join(name.as_ref());
    if let Some((name, _)) = files.iter().find(|(name, _)| path(name).exists()) {
        return Err(Failure::usage(format!("{} exists already", path(name).display()), "choose a new folder"));
    }
    let is_new = !folder.exists();
    let mut made: Vec<PathBuf> = Vec::new();
    let written = fs::create_dir_all(folder).and_then(|()| {
        files.iter().try_for_each(|(name, text)| {
            let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path(name))?;
            made.push(path(name));
            file.write_all(text.as_bytes())
        })
    });
    written.map_err(|error| {
        // What is half there would be taken for whole.
        for path in made {
            let _ = fs::remove_file(path);
        }
        if is_new {
            let _ = fs::remove_dir(folder);
        }
        let message = format!("{what} could not be written to {}: {}", folder.display(), error.kind());
        Failure::usage(message, "choose a new folder that can be written, on a disk with room")
    })
}
