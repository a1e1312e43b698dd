//! Zip archives: which files one holds, and the bytes of one of them.
//!
//! It must never unpack more than an archive says of a file, nor take a file whose sum is wrong for whole. It is
//! separate because workbooks are archives, too. Read `workbook.rs` next.

use super::Seekable;
use super::bytes::{Counted, buffered};
use incrowd_engine::Watch;
use std::io::{self, Read};
use std::sync::Arc;

/// Most files that an archive may hold.
const MOST_FILES: usize = 100_000;

/// A file in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Zipped {
    /// Its name, with folders.
    pub(crate) name: String,
    /// How long it is once it is unpacked, as the archive says.
    pub(crate) unpacked: u64,
    start: u64,
    packed: u64,
    sum: u32,
    method: Method,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Stored,
    Deflated,
    /// By a password, or in a way that is rarely used.
    Unreadable,
}

/// Why an archive is not read as one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotOneFile {
    /// It is no archive, or not whole.
    Damaged,
    /// It begins like one, and the directory at its end is missing.
    CutOff,
    /// It holds this many files.
    Files(usize),
    /// Its file is packed by a password, or in a way that is rarely used.
    Unreadable,
}

/// Returns the files in an archive, or nothing if it is none.
pub(crate) fn files(archive: &Seekable) -> Option<Vec<Zipped>> {
    let mut archive = zip::ZipArchive::new(buffered(archive.from(0))).ok()?;
    if archive.len() > MOST_FILES {
        return None;
    }
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).ok()?;
        if file.is_dir() {
            continue;
        }
        let method = match file.compression() {
            _ if file.encrypted() => Method::Unreadable,
            zip::CompressionMethod::Stored => Method::Stored,
            // The library knows this way by its number only, because it does not unpack here.
            method if method == DEFLATED => Method::Deflated,
            _ => Method::Unreadable,
        };
        files.push(Zipped {
            name: file.name().ok()?.into_owned(),
            unpacked: file.size(),
            start: file.data_start()?,
            packed: file.compressed_size(),
            sum: file.crc32(),
            method,
        });
    }
    Some(files)
}

const DEFLATED: zip::CompressionMethod = zip::CompressionMethod::DEFLATE;

/// Returns the only file in an archive; what systems put beside it does not count.
pub(crate) fn only_file(archive: &Seekable) -> Result<Zipped, NotOneFile> {
    let Some(mut files) = files(archive) else {
        return Err(if is_cut_off(archive) { NotOneFile::CutOff } else { NotOneFile::Damaged });
    };
    files.retain(|file| {
        let name = file.name.rsplit('/').next().unwrap_or_default();
        !file.name.starts_with("__MACOSX/") && !name.starts_with('.')
    });
    match files.pop() {
        Some(file) if files.is_empty() && file.method == Method::Unreadable => Err(NotOneFile::Unreadable),
        Some(file) if files.is_empty() => Ok(file),
        Some(_) => Err(NotOneFile::Files(files.len() + 1)),
        None => Err(NotOneFile::Files(0)),
    }
}

/// How the first file of an archive begins, and how the end of a directory does.
const FIRST: [u8; 4] = *b"PK\x03\x04";
const DIRECTORY_END: [u8; 4] = *b"PK\x05\x06";
/// The end of a directory lies so near to the end of the archive: 22 bytes and a comment.
const END_WITHIN: u64 = 22 + (1 << 16);

/// Whether bytes begin like an archive and have no whole directory at their end.
fn is_cut_off(archive: &Seekable) -> bool {
    let (mut first, mut last) = ([0; 4], Vec::new());
    let begins = archive.from(0).read_exact(&mut first).is_ok() && first == FIRST;
    let end = archive.from(archive.length().saturating_sub(END_WITHIN)).read_to_end(&mut last);
    // Its last field says how long a comment follows.
    let is_whole = |end: &[u8]| match end.get(20..22) {
        Some(&[low, high]) => end.len() >= 22 + usize::from(u16::from_le_bytes([low, high])),
        Some(_) | None => false,
    };
    let has_end = (0..last.len()).any(|at| last[at..].starts_with(&DIRECTORY_END) && is_whole(&last[at..]));
    begins && end.is_ok() && !has_end
}

impl Zipped {
    /// Returns the unpacked bytes.
    pub(crate) fn open(&self, archive: &Seekable, watch: Arc<dyn Watch>) -> io::Result<Box<dyn Read + Send>> {
        let packed = Counted { source: archive.from(self.start), watch }.take(self.packed);
        let unpacked: Box<dyn Read + Send> = match self.method {
            Method::Stored => Box::new(buffered(packed)),
            Method::Deflated => Box::new(flate2::bufread::DeflateDecoder::new(buffered(packed))),
            Method::Unreadable => return Err(io::ErrorKind::Unsupported.into()),
        };
        Ok(Box::new(Checked { source: unpacked, left: self.unpacked, sum: flate2::Crc::new(), expected: self.sum }))
    }
}

/// Bytes that must be as many as was said, with the sum that was said.
struct Checked {
    source: Box<dyn Read + Send>,
    left: u64,
    sum: flate2::Crc,
    expected: u32,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.sum.update(&buffer[..read]);
        let left = self.left.checked_sub(read as u64).ok_or(io::ErrorKind::InvalidData)?;
        self.left = left;
        let is_whole = left == 0 && self.sum.sum() == self.expected;
        if read == 0 && !buffer.is_empty() && !is_whole {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(read)
    }
}
