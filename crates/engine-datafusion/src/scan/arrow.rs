//! Batches of Arrow files and streams.
//!
//! It must never take a part for the whole: a file must end with its mark, a stream with its end. A file is read as the
//! stream that it contains, so that packed files need no second look. It is separate because dictionaries may change
//! from batch to batch; read `delivered.rs` for what becomes of them, `arrow/messages.rs` for how long messages may be.

mod messages;

use super::bytes::buffered;
use super::delivered::conform;
use super::{Batches, Fault, Reading};
use crate::source::{Compression, OneFile};
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_schema::{Schema, SchemaRef};
use messages::Messages;
use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

const FILE_MARK: &[u8] = b"ARROW1";
const STREAM_START: &[u8] = &[0xff; 4];
const LARGEST_ALIGNMENT: usize = 1024;
const STREAM_END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// How long a message may be where the whole is packed, and its length says nothing.
const LONGEST_PACKED: u64 = 1 << 30;

/// Returns the schema at the beginning, or nothing if there is none.
///
/// A part of a file is not taken for the whole, as far as its end tells without being unpacked.
pub(crate) fn schema_of(file: &OneFile, content: Box<dyn Read + Send>) -> Option<Schema> {
    let (form, source) = begin(content, file).ok()?;
    if file.compression == Compression::Plain && !has_end(&file.path, form).ok()? {
        return None;
    }
    Some(StreamReader::try_new(source, None).ok()?.schema().as_ref().clone())
}

/// Returns the rows of a file or stream.
pub(super) fn batches(content: Box<dyn Read + Send>, file: &OneFile, reading: &Reading) -> Result<Batches, Fault> {
    let (form, source) = begin(content, file).map_err(Fault::damaged)?;
    let reader = StreamReader::try_new(source, Some(reading.projection()?)).map_err(Fault::damaged)?;
    let (delivered, batch_rows) = (reading.delivered.clone(), reading.batch_rows);
    Ok(Box::new(Slices { form, reader, delivered, batch_rows, rest: None }))
}

/// What holds the batches.
#[derive(Clone, Copy)]
enum Form {
    File,
    Stream,
}

/// Whether a file ends as a whole one does: with its mark, or with the end of its stream.
fn has_end(path: &Path, form: Form) -> io::Result<bool> {
    let end = match form {
        Form::File => FILE_MARK,
        Form::Stream => &STREAM_END[..],
    };
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let Some(start) = length.checked_sub(end.len() as u64) else { return Ok(false) };
    file.seek(SeekFrom::Start(start))?;
    let mut last = Vec::new();
    file.take(end.len() as u64).read_to_end(&mut last)?;
    Ok(last == end)
}

fn begin(content: Box<dyn Read + Send>, file: &OneFile) -> io::Result<(Form, Remembering)> {
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
    let most = match file.compression {
        Compression::Plain => file.bytes,
        Compression::Gzip | Compression::Zstandard => LONGEST_PACKED,
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
struct Remembering {
    source: Stream,
    last: [u8; STREAM_END.len()],
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

/// Batches as they are stored, in slices of at most so many rows.
struct Slices {
    form: Form,
    reader: StreamReader<Remembering>,
    delivered: SchemaRef,
    batch_rows: usize,
    rest: Option<RecordBatch>,
}

impl Slices {
    fn step(&mut self) -> Result<Option<RecordBatch>, Fault> {
        let batch = match self.rest.take() {
            Some(rest) => rest,
            None => match self.reader.next() {
                Some(batch) => conform(batch.map_err(Fault::damaged)?, &self.delivered)?,
                None => return self.check_end().map(|()| None),
            },
        };
        if batch.num_rows() <= self.batch_rows {
            return Ok(Some(batch));
        }
        self.rest = Some(batch.slice(self.batch_rows, batch.num_rows() - self.batch_rows));
        Ok(Some(batch.slice(0, self.batch_rows)))
    }

    /// Checks that nothing is missing: the library takes the end of the bytes for the end of the data.
    fn check_end(&mut self) -> Result<(), Fault> {
        let source = self.reader.get_mut();
        let end = source.last;
        let behind = io::copy(source, &mut io::sink()).map_err(Fault::damaged)?;
        let is_whole = match self.form {
            Form::File => source.last.ends_with(FILE_MARK),
            Form::Stream => end == STREAM_END && behind == 0,
        };
        if is_whole { Ok(()) } else { Err(Fault::Damaged) }
    }
}

impl Iterator for Slices {
    type Item = Result<RecordBatch, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}
