//! The text of a file, in UTF-8 and without the mark before it, as the reader of its rows sees it.
//!
//! It must never be read otherwise than a release reads it. It is separate because lines are counted in it wherever
//! something is looked for. Read `records.rs` next.

use crate::file::bytes::{buffered, open};
use crate::file::letters::in_utf8;
use crate::source::{Files, OneFile};
use incrowd_engine::Unwatched;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

const MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns the text of a file.
pub(super) fn opened_text(file: &OneFile, files: &Files) -> io::Result<BufReader<Box<dyn Read + Send>>> {
    let mut text = buffered(in_utf8(open(file, Arc::new(Unwatched))?, files.dialect.encoding));
    if text.fill_buf()?.starts_with(MARK) {
        text.consume(MARK.len());
    }
    Ok(text)
}
