//! The bytes of a file: counted as they come from the disk, unpacked as they go on.
//!
//! It must never read on once somebody asked to stop. It is separate because all formats that are read from
//! their beginning begin here. Read
//! `arrow_stream.rs` next.

use super::zipped::{self, NotOneFile};
use super::{Compression, Content, OneFile};
use incrowd_engine::{Unwatched, Watch};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

/// How many bytes are read from the disk at a time.
pub(crate) const BUFFER: usize = 1 << 20;

/// The largest window that a Zstandard file may ask for, as a power of two: 128 MiB, what `zstd` itself unpacks
/// unasked.
const WINDOW: u32 = 27;

/// Returns the unpacked bytes of a file; what is not packed is not buffered.
pub(crate) fn open(file: &OneFile, watch: Arc<dyn Watch>) -> io::Result<Box<dyn Read + Send>> {
    let source: Box<dyn Read + Send> = match &file.content {
        Content::Named => Box::new(File::open(&file.path)?),
        Content::Copy(copy) => Box::new(copy.seekable()),
        Content::Stream(stream) => stream.whole(Arc::clone(&watch))?,
        Content::Delivered(_) => return Err(io::ErrorKind::Unsupported.into()),
    };
    unpacked(file, source, watch)
}

/// Returns the unpacked bytes of a file for whoever looks at its beginning only: a stream can be read from there again.
pub(crate) fn open_beginning(file: &OneFile) -> io::Result<Box<dyn Read + Send>> {
    match &file.content {
        Content::Named | Content::Copy(_) | Content::Delivered(_) => open(file, Arc::new(Unwatched)),
        Content::Stream(stream) => unpacked(file, stream.beginning(), Arc::new(Unwatched)),
    }
}

fn unpacked(file: &OneFile, source: Box<dyn Read + Send>, watch: Arc<dyn Watch>) -> io::Result<Box<dyn Read + Send>> {
    let counted = Counted { source, watch: Arc::clone(&watch) };
    Ok(match file.compression {
        Compression::Plain => Box::new(counted),
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(counted))),
        Compression::Zstandard => {
            let mut unpacked = zstd::stream::read::Decoder::with_buffer(buffered(counted))?;
            unpacked.window_log_max(WINDOW)?;
            Box::new(unpacked)
        }
        Compression::Zip => {
            let archive = file.seekable()?;
            let only = zipped::only_file(&archive).map_err(|why| match why {
                NotOneFile::CutOff => io::ErrorKind::UnexpectedEof,
                NotOneFile::Damaged | NotOneFile::Files(_) | NotOneFile::Unreadable => io::ErrorKind::InvalidData,
            })?;
            only.open(&archive, watch)?
        }
    })
}

/// Returns the same bytes, read in large steps.
pub(crate) fn buffered<R: Read>(source: R) -> BufReader<R> {
    BufReader::with_capacity(BUFFER, source)
}

/// Bytes that are counted as they are read, until somebody asks to stop.
pub(super) struct Counted<R> {
    pub(super) source: R,
    pub(super) watch: Arc<dyn Watch>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.watch.is_cancelled() {
            return Err(io::Error::other("stopped"));
        }
        let read = self.source.read(buffer)?;
        self.watch.read(read as u64);
        Ok(read)
    }
}
