//! The stream of bytes that a server copies rows into, and where each value begins and ends.
//!
//! A head, rows of values with their lengths, and an end without which nothing is whole: a stream that breaks off is
//! damage. It must never take what came so far for all there is. It is separate because it knows the form of a stream
//! and no types. Read `columns.rs` for values, `receiving.rs` for who waits for the bytes.

use crate::columns::{ColumnBuilder, Damaged};
use crate::stored_types::Sent;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;

/// What every stream begins with; then flags and the length of more.
const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0";
const HEAD: usize = 19;

/// How many rows a batch has.
const BATCH_ROWS: usize = 8_192;

/// A batch ends early when so many bytes were received for it.
const BATCH_BYTES: usize = 16 << 20;

/// Rows that are being received.
pub(crate) struct CopiedRows {
    columns: Vec<ColumnBuilder>,
    schema: SchemaRef,
    /// Bytes whose row is not whole yet.
    rest: Vec<u8>,
    rows: usize,
    bytes: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Head,
    Rows,
    Ended,
}

impl CopiedRows {
    /// Returns rows of these columns, none received yet.
    pub(crate) fn new(columns: &[Sent], schema: SchemaRef) -> CopiedRows {
        let columns = columns.iter().map(|sent| ColumnBuilder::of(*sent)).collect();
        CopiedRows { columns, schema, rest: Vec::new(), rows: 0, bytes: 0, state: State::Head }
    }

    /// Takes the next bytes.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<(), Damaged> {
        self.bytes += bytes.len();
        if self.rest.is_empty() {
            let used = self.read(bytes)?;
            self.rest.extend_from_slice(&bytes[used..]);
        } else {
            let mut all = std::mem::take(&mut self.rest);
            all.extend_from_slice(bytes);
            let used = self.read(&all)?;
            all.drain(..used);
            self.rest = all;
        }
        Ok(())
    }

    /// Whether there are enough rows for a batch.
    pub(crate) fn is_full(&self) -> bool {
        self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES
    }

    /// Returns the rows since the last batch.
    pub(crate) fn batch(&mut self) -> Result<RecordBatch, Damaged> {
        let columns: Vec<ArrayRef> = self.columns.iter_mut().map(ColumnBuilder::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        (self.rows, self.bytes) = (0, 0);
        RecordBatch::try_new_with_options(self.schema.clone(), columns, &options).map_err(|_| Damaged)
    }

    /// Returns the last rows, if the stream came to its end.
    pub(crate) fn ended(&mut self) -> Result<RecordBatch, Damaged> {
        if self.state != State::Ended || !self.rest.is_empty() {
            return Err(Damaged);
        }
        self.batch()
    }

    /// Reads whole rows, and returns how many bytes they are.
    fn read(&mut self, bytes: &[u8]) -> Result<usize, Damaged> {
        let mut used = 0;
        if self.state == State::Head {
            if bytes.len() < HEAD {
                return Ok(0);
            }
            let is_plain = bytes.starts_with(SIGNATURE) && bytes[SIGNATURE.len()..HEAD].iter().all(|byte| *byte == 0);
            if !is_plain {
                return Err(Damaged);
            }
            (self.state, used) = (State::Rows, HEAD);
        }
        while let Some(length) = self.row(&bytes[used..])? {
            used += length;
        }
        Ok(used)
    }

    /// Reads the next row, if all of it is there, and returns how many bytes it is.
    fn row(&mut self, bytes: &[u8]) -> Result<Option<usize>, Damaged> {
        if bytes.is_empty() {
            return Ok(None);
        }
        if self.state == State::Ended {
            return Err(Damaged);
        }
        let Some((head, _)) = bytes.split_first_chunk::<2>() else { return Ok(None) };
        let fields = i16::from_be_bytes(*head);
        if fields == -1 {
            self.state = State::Ended;
            return Ok(Some(2));
        }
        if usize::try_from(fields).ok() != Some(self.columns.len()) {
            return Err(Damaged);
        }
        let Some(length) = self.length(bytes)? else { return Ok(None) };
        let mut at = 2;
        for column in &mut self.columns {
            let size = i32::from_be_bytes(bytes[at..at + 4].try_into().map_err(|_| Damaged)?);
            at += 4;
            match usize::try_from(size) {
                Ok(size) => {
                    column.append(Some(&bytes[at..at + size]))?;
                    at += size;
                }
                Err(_) => column.append(None)?,
            }
        }
        self.rows += 1;
        Ok(Some(length))
    }

    /// Returns how many bytes the row has that begins here; nothing if it is not whole.
    fn length(&self, bytes: &[u8]) -> Result<Option<usize>, Damaged> {
        let mut at = 2usize;
        for _ in &self.columns {
            let Some(size) = bytes.get(at..at + 4) else { return Ok(None) };
            let size = i32::from_be_bytes(size.try_into().map_err(|_| Damaged)?);
            at += 4;
            match usize::try_from(size) {
                Ok(size) => at += size,
                Err(_) if size == -1 => {}
                Err(_) => return Err(Damaged),
            }
        }
        Ok((at <= bytes.len()).then_some(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;
    use arrow_schema::{DataType, Field, Schema};
    use std::sync::Arc;

    fn stream() -> Vec<u8> {
        let mut bytes = [SIGNATURE, &[0; 8]].concat();
        for row in [Some(1i64), None, Some(-7)] {
            bytes.extend_from_slice(&1i16.to_be_bytes());
            match row {
                Some(value) => {
                    bytes.extend_from_slice(&8i32.to_be_bytes());
                    bytes.extend_from_slice(&value.to_be_bytes());
                }
                None => bytes.extend_from_slice(&(-1i32).to_be_bytes()),
            }
        }
        bytes.extend_from_slice(&(-1i16).to_be_bytes());
        bytes
    }

    fn rows() -> CopiedRows {
        let schema = Schema::new(vec![Field::new("n", DataType::Int64, true)]);
        CopiedRows::new(&[Sent::Integer], Arc::new(schema))
    }

    #[test]
    fn a_stream_is_read_wherever_it_is_cut() {
        let stream = stream();
        for size in [1, 2, 3, 7, 19, 20, stream.len()] {
            let mut rows = rows();
            for piece in stream.chunks(size) {
                assert!(rows.take(piece).is_ok());
            }
            let Ok(batch) = rows.ended() else { panic!("pieces of {size}") };
            let read: Vec<Option<i64>> = batch.column(0).as_primitive::<Int64Type>().iter().collect();
            assert_eq!(read, [Some(1), None, Some(-7)], "pieces of {size}");
        }
    }

    #[test]
    fn a_stream_that_breaks_off_is_damage() {
        let stream = stream();
        for end in 0..stream.len() {
            let mut rows = rows();
            let taken = rows.take(&stream[..end]);
            assert!(taken.is_err() || rows.ended().is_err(), "after {end} bytes");
        }
        let mut other = rows();
        assert!(other.take(&[&stream[..], &[0]].concat()).is_err() || other.ended().is_err(), "more than the end");
    }
}
