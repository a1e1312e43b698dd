//! The text of a file, in UTF-8 and without the mark before it, as the reader of its rows sees it.
//!
//! It must never be read otherwise than a release reads it. It is separate because lines are counted in it wherever
//! something is looked for. Read `records.rs` next.

use crate::file::bytes::open;
use crate::file::letters::in_utf8;
use crate::file::lines::{behind_lines, without_mark};
use crate::source::{Files, OneFile};
use incrowd_engine::Unwatched;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

/// Returns the text of a file.
pub(super) fn opened_text(file: &OneFile, files: &Files) -> io::Result<BufReader<Box<dyn Read + Send>>> {
    let text = in_utf8(open(file, Arc::new(Unwatched))?, files.dialect.encoding);
    without_mark(behind_lines(text, files.dialect.skip_lines))
}
