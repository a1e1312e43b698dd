//! The messages of an Arrow stream, checked for their sizes before the library makes room for them.
//!
//! A message says how long it is, and each packed buffer in it how long it will be: a file of a hundred bytes may say
//! two gigabytes. It must never pass on a size that the file cannot have, nor change a byte. It is separate from the
//! reader of the batches, which believes what it reads. Read `../arrow.rs` next.

use arrow_ipc::{Message, RecordBatch, root_as_message};
use std::io::{self, Cursor, Read};

/// How long the description of a batch or a schema may be.
const LONGEST_DESCRIPTION: u64 = 64 << 20;

/// How long packed buffers of one message may be together once they are unpacked.
const MOST_UNPACKED: u64 = 1 << 30;

/// The same bytes, as long as no message is longer than a limit.
pub(super) struct Messages<R> {
    source: R,
    /// How long a message may be.
    most: u64,
    /// What was read ahead and not handed on.
    ahead: Cursor<Vec<u8>>,
    /// How much of a message follows that need not be looked at.
    body: u64,
    place: Place,
}

#[derive(PartialEq)]
enum Place {
    Inside,
    Behind,
}

impl<R: Read> Messages<R> {
    pub(super) fn new(source: R, most: u64) -> Messages<R> {
        Messages { source, most, ahead: Cursor::new(Vec::new()), body: 0, place: Place::Inside }
    }

    /// Looks at the beginning of the next message.
    fn look_ahead(&mut self) -> io::Result<()> {
        let mut ahead = Vec::new();
        let mut length = self.take(4, &mut ahead)?;
        if length == Some([0xff; 4]) {
            length = self.take(4, &mut ahead)?;
        }
        let length = length.map_or(0, i32::from_le_bytes);
        if length <= 0 {
            // The end of the stream, or of the bytes: what follows is no message.
            self.place = Place::Behind;
            self.ahead = Cursor::new(ahead);
            return Ok(());
        }
        let length = u64::from(length.unsigned_abs());
        if length > LONGEST_DESCRIPTION {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let described = ahead.len();
        (&mut self.source).take(length).read_to_end(&mut ahead)?;
        let message = root_as_message(&ahead[described..]).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        let body = u64::try_from(message.bodyLength()).ok().filter(|body| *body <= self.most);
        let body = body.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
        let packed = packed_places(&message);
        match packed {
            None => self.body = body,
            Some(places) => {
                let mut content = Vec::new();
                (&mut self.source).take(body).read_to_end(&mut content)?;
                if unpacked(&content, &places) > MOST_UNPACKED {
                    return Err(io::ErrorKind::InvalidData.into());
                }
                ahead.append(&mut content);
            }
        }
        self.ahead = Cursor::new(ahead);
        Ok(())
    }

    /// Takes four bytes, if there are so many.
    fn take(&mut self, bytes: u64, ahead: &mut Vec<u8>) -> io::Result<Option<[u8; 4]>> {
        let before = ahead.len();
        (&mut self.source).take(bytes).read_to_end(ahead)?;
        Ok(ahead[before..].try_into().ok())
    }
}

impl<R: Read> Read for Messages<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.ahead.position() == self.ahead.get_ref().len() as u64 && self.body == 0 && self.place == Place::Inside {
            self.look_ahead()?;
        }
        let read = self.ahead.read(buffer)?;
        if read > 0 {
            return Ok(read);
        }
        if self.place == Place::Behind {
            return self.source.read(buffer);
        }
        let most = usize::try_from(self.body).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.source.read(&mut buffer[..most])?;
        self.body -= read as u64;
        Ok(read)
    }
}

/// Returns whether the packed buffers of a message that lies in a file may be unpacked: its description with its length
/// before it, and its body.
pub(crate) fn sizes_are_possible(described: &[u8], body: &[u8]) -> bool {
    let described = described.strip_prefix(&[0xff; 4]).unwrap_or(described);
    let Some(Ok(message)) = described.get(4..).map(root_as_message) else { return false };
    packed_places(&message).is_none_or(|places| unpacked(body, &places) <= MOST_UNPACKED)
}

/// Returns where the buffers of a message lie, if they are packed.
fn packed_places(message: &Message<'_>) -> Option<Vec<(u64, u64)>> {
    let batch: Option<RecordBatch<'_>> = match message.header_as_dictionary_batch() {
        Some(words) => words.data(),
        None => message.header_as_record_batch(),
    };
    let batch = batch.filter(|batch| batch.compression().is_some())?;
    let place = |place: i64| u64::try_from(place).unwrap_or(u64::MAX);
    Some(batch.buffers()?.iter().map(|buffer| (place(buffer.offset()), place(buffer.length()))).collect())
}

/// Returns how long packed buffers will be: each says so in its first eight bytes, or is as it is.
fn unpacked(body: &[u8], places: &[(u64, u64)]) -> u64 {
    let length = |(offset, length): &(u64, u64)| {
        let begin = usize::try_from(*offset).ok()?;
        let first = body.get(begin..begin.checked_add(8)?)?;
        let says = i64::from_le_bytes(first.try_into().ok()?);
        Some(u64::try_from(says).unwrap_or(*length))
    };
    places.iter().fold(0, |sum: u64, place| sum.saturating_add(length(place).unwrap_or(0)))
}
