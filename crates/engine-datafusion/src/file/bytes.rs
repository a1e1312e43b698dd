//! The bytes of a file: counted as they come from the disk, unpacked as they go on.
//!
//! It must never read on once somebody asked to stop. It is separate because all formats but Parquet begin here. Read
//! `arrow_stream.rs` next.

use super::{Compression, OneFile};
use incrowd_engine::Watch;
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
    let counted = Counted { file: File::open(&file.path)?, watch };
    Ok(match file.compression {
        Compression::Plain => Box::new(counted),
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(counted))),
        Compression::Zstandard => {
            let mut unpacked = zstd::stream::read::Decoder::with_buffer(buffered(counted))?;
            unpacked.window_log_max(WINDOW)?;
            Box::new(unpacked)
        }
    })
}

/// Returns the same bytes, read in large steps.
pub(crate) fn buffered<R: Read>(source: R) -> BufReader<R> {
    BufReader::with_capacity(BUFFER, source)
}

struct Counted {
    file: File,
    watch: Arc<dyn Watch>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.watch.is_cancelled() {
            return Err(io::Error::other("stopped"));
        }
        let read = self.file.read(buffer)?;
        self.watch.read(read as u64);
        Ok(read)
    }
}
