//! The stream of messages that an Arrow file or stream holds.
//!
//! It must never take a part for the whole: a file must end with its mark, a stream with its end. A packed file is read
//! as the stream that it contains, so that its end is not needed first. It is separate because its schema is looked at
//! before the charge, and its batches are read after it. Read `arrow_stream/messages.rs` for how long messages may be.

mod messages;

pub(crate) use messages::sizes_are_possible;

use super::bytes::buffered;
use super::{Compression, Content, OneFile};
use arrow_ipc::reader::StreamReader;
use arrow_schema::Schema;
use messages::Messages;
use std::io::{self, BufReader, Chain, Cursor, Read};

/// How a file begins and ends.
pub(crate) const FILE_MARK: &[u8] = b"ARROW1";
const STREAM_START: &[u8] = &[0xff; 4];
const LARGEST_ALIGNMENT: usize = 1024;
const STREAM_END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// How long a message may be where the whole is packed or passes by, and its length says nothing.
const LONGEST_PACKED: u64 = 1 << 30;

/// Returns the schema at the beginning, or nothing if there is none.
///
/// A part of a file is not taken for the whole, as far as its end tells without being unpacked.
pub(crate) fn schema_of(file: &OneFile, content: Box<dyn Read + Send>) -> Option<Schema> {
    let (form, source) = begin(content, file).ok()?;
    if file.compression == Compression::Plain && !has_end(file, form).ok()? {
        return None;
    }
    Some(StreamReader::try_new(source, None).ok()?.schema().as_ref().clone())
}

/// What holds the batches.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// A file, which has a mark at its end.
    File,
    /// A stream, which says that it ends.
    Stream,
}

/// Whether a file ends as a whole one does: with its mark, or with the end of its stream.
fn has_end(file: &OneFile, form: Form) -> io::Result<bool> {
    let end = match form {
        Form::File => FILE_MARK,
        Form::Stream => &STREAM_END[..],
    };
    if let Content::Stream(_) = file.content {
        // It comes when it comes.
        return Ok(true);
    }
    let bytes = file.seekable()?;
    let Some(start) = bytes.length().checked_sub(end.len() as u64) else { return Ok(false) };
    Ok(bytes.range(start, end.len() as u64)? == end)
}

/// Returns the stream from its first message on, and what holds it.
pub(crate) fn begin(content: Box<dyn Read + Send>, file: &OneFile) -> io::Result<(Form, Remembering)> {
    let mut source = buffered(content);
    let mut first = vec![0; STREAM_END.len()];
    source.read_exact(&mut first)?;
    let mut form = Form::Stream;
    if first.starts_with(FILE_MARK) {
        form = Form::File;
        skip_padding(&mut source, &mut first)?;
    }
    if !first.starts_with(STREAM_START) {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // No message of a plain file is longer than the file.
    let most = match (&file.content, file.compression) {
        (Content::Named | Content::Copy(_), Compression::Plain) => file.bytes,
        (Content::Stream(_) | Content::Delivered(_), _)
        | (_, Compression::Gzip | Compression::Zstandard | Compression::Zip) => LONGEST_PACKED,
    };
    let source = Messages::new(Cursor::new(first).chain(source), most);
    Ok((form, Remembering { source, last: [0; STREAM_END.len()] }))
}

/// Reads on to the first bytes that are not all zero: writers align the stream in a file to 8 bytes or to 64.
fn skip_padding(source: &mut impl Read, first: &mut [u8]) -> io::Result<()> {
    for _ in 0..LARGEST_ALIGNMENT / first.len() {
        source.read_exact(first)?;
        if first.iter().any(|byte| *byte != 0) {
            break;
        }
    }
    Ok(())
}

/// The messages of a stream whose first bytes were looked at.
type Stream = Messages<Chain<Cursor<Vec<u8>>, BufReader<Box<dyn Read + Send>>>>;

/// Remembers the last bytes that were read.
pub(crate) struct Remembering {
    source: Stream,
    last: [u8; STREAM_END.len()],
}

impl Remembering {
    /// Whether nothing is missing: a library takes the end of the bytes for the end of the data.
    pub(crate) fn is_whole(&mut self, form: Form) -> io::Result<bool> {
        let end = self.last;
        let behind = io::copy(self, &mut io::sink())?;
        Ok(match form {
            Form::File => self.last.ends_with(FILE_MARK),
            Form::Stream => end == STREAM_END && behind == 0,
        })
    }
}

impl Read for Remembering {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        let kept = read.min(self.last.len());
        self.last.rotate_left(kept);
        let from = self.last.len() - kept;
        self.last[from..].copy_from_slice(&buffer[read - kept..read]);
        Ok(read)
    }
}
