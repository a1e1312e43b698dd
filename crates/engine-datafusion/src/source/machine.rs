//! What of the machine a source may be beside named files: standard input, and where a copy of it may lie.
//!
//! A copy must never be made of what can be read as it passes. It is separate because files need none of it. Read
//! `../file/standard_input.rs` and `../file/copied.rs` next.

use super::STANDARD_INPUT;
use super::file_error::FileError;
use crate::file::arrow_stream::FILE_MARK;
use crate::file::{Compression, Content, Copied, Format, IN_MEMORY, Keys, OneFile, StandardInput, Stream};
use incrowd_engine::{Dialect, Unwatched};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// What of the machine a source may be beside named files.
#[derive(Debug, Clone, Default)]
pub(crate) struct Machine {
    /// Standard input.
    pub(crate) input: StandardInput,
    /// Where a long copy of it lies; nothing for the system's folder for temporary files.
    pub(crate) place: Option<PathBuf>,
    /// How often rows are read.
    pub(crate) passes: Passes,
}

/// How often rows are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Passes {
    /// Once: what passes need not be kept.
    #[default]
    One,
    /// More than once.
    Many,
}

impl Machine {
    /// Returns one on which rows are read more than once.
    pub(crate) fn reading_twice() -> Machine {
        Machine { passes: Passes::Many, ..Machine::default() }
    }

    /// Returns where a long copy lies.
    pub(crate) fn place(&self) -> PathBuf {
        self.place.clone().unwrap_or_else(std::env::temp_dir)
    }

    /// Returns whether standard input of this format may have to be copied before the charge.
    pub(crate) fn may_copy(&self, dialect: &Dialect) -> bool {
        match dialect.format.map(Format::said) {
            // A file of Arrow is read from its end, a stream is not: only its first bytes tell.
            Some(Format::Parquet | Format::Xlsx | Format::Ods | Format::Arrow) => true,
            Some(Format::Csv | Format::Tsv | Format::Json) => self.passes == Passes::Many,
            Some(Format::Sqlite) | None => false,
        }
    }

    /// Takes standard input, as a stream if it can be read from its beginning.
    pub(super) fn standard_input(&self, dialect: &Dialect) -> Result<(Format, OneFile), FileError> {
        let format = Format::said(dialect.format.ok_or(FileError::NoFormat)?);
        if format == Format::Sqlite {
            return Err(FileError::DatabaseAsStream);
        }
        let stream = self.input.take().map_err(FileError::NoInput)?;
        let is_read_as_it_passes = format.is_read_from_its_beginning() && self.passes == Passes::One;
        let content = if is_read_as_it_passes && !is_arrow_file(format, &stream) {
            Content::Stream(stream)
        } else {
            let copied = stream.whole(Arc::new(Unwatched)).and_then(|all| Copied::of(all, &self.place(), IN_MEMORY));
            Content::Copy(copied.map_err(|_| FileError::NotCopied { place: self.place().display().to_string() })?)
        };
        let bytes = match &content {
            Content::Copy(copy) => copy.bytes(),
            Content::Named | Content::Stream(_) | Content::Delivered(_) => 0,
        };
        let path = PathBuf::from(STANDARD_INPUT);
        Ok((format, OneFile { path, bytes, compression: Compression::Plain, content, keys: Keys::default() }))
    }
}

fn is_arrow_file(format: Format, stream: &Stream) -> bool {
    let mut begin = vec![0; FILE_MARK.len()];
    format == Format::Arrow && stream.beginning().read_exact(&mut begin).is_ok() && begin == FILE_MARK
}
