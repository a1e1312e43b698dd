//! Arrow files that are read by their footers: the schema, and where dictionaries and batches lie.
//!
//! A file need not be the stream that it looks like: Polars writes the words of a dictionary behind the batches that
//! use them. It must never make room for a block that the file cannot have. It is separate from `arrow_stream.rs`,
//! because packed files and streams have no end to begin at. Read `arrow_stream/messages.rs` for how long blocks may
//! be.

use super::arrow_stream::{FILE_MARK, sizes_are_possible};
use super::bytes::Counted;
use super::{Compression, Content, OneFile, Seekable};
use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::FileDecoder;
use arrow_ipc::{Block, root_as_footer};
use arrow_schema::{Schema, SchemaRef};
use incrowd_engine::Watch;
use std::io::{self, Read};
use std::sync::Arc;

/// How long a footer may be.
const LONGEST_FOOTER: u64 = 64 << 20;

/// What a file says of itself at its end.
pub(crate) struct ArrowFooter {
    file: Seekable,
    schema: SchemaRef,
    version: arrow_ipc::MetadataVersion,
    dictionaries: Vec<Block>,
    batches: Vec<Block>,
}

/// Returns whether a file begins as one that has a footer, where a footer can be found.
pub(crate) fn has_footer(file: &OneFile) -> bool {
    let is_plain = file.compression == Compression::Plain;
    is_plain && !matches!(file.content, Content::Stream(_)) && begins_with_mark(file.seekable())
}

fn begins_with_mark(file: io::Result<Seekable>) -> bool {
    file.and_then(|file| file.range(0, FILE_MARK.len() as u64)).is_ok_and(|begin| begin == FILE_MARK)
}

impl ArrowFooter {
    /// Returns the footer of a file, or nothing if it has none that is whole.
    pub(crate) fn of(file: &OneFile) -> Option<ArrowFooter> {
        let file = file.seekable().ok()?;
        let end = file.length().checked_sub(FILE_MARK.len() as u64)?;
        if file.range(end, FILE_MARK.len() as u64).ok()? != FILE_MARK {
            return None;
        }
        let length = file.range(end.checked_sub(4)?, 4).ok()?;
        let length = u64::try_from(i32::from_le_bytes(length.try_into().ok()?)).ok()?;
        let start = end.checked_sub(4)?.checked_sub(length).filter(|_| length <= LONGEST_FOOTER)?;
        let bytes = file.range(start, length).ok()?;
        let footer = root_as_footer(&bytes).ok()?;
        let schema: Schema = fb_to_schema(footer.schema()?);
        Some(ArrowFooter {
            schema: Arc::new(schema),
            version: footer.version(),
            dictionaries: footer.dictionaries().iter().flatten().copied().collect(),
            batches: footer.recordBatches().iter().flatten().copied().collect(),
            file,
        })
    }

    /// Returns the columns.
    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Reads the words of all dictionaries, and then batch by batch the columns in these places.
    pub(crate) fn read(self, places: Vec<usize>, watch: Arc<dyn Watch>) -> io::Result<ArrowBatches> {
        let mut decoder = FileDecoder::new(Arc::clone(&self.schema), self.version).with_projection(places);
        for block in &self.dictionaries {
            let bytes = bytes_of(&self.file, block, &watch)?;
            decoder.read_dictionary(block, &bytes).map_err(|_| io::ErrorKind::InvalidData)?;
        }
        Ok(ArrowBatches { file: self.file, decoder, blocks: self.batches.into_iter(), watch })
    }
}

/// The batches of a file.
pub(crate) struct ArrowBatches {
    file: Seekable,
    decoder: FileDecoder,
    blocks: std::vec::IntoIter<Block>,
    watch: Arc<dyn Watch>,
}

impl ArrowBatches {
    /// Returns the next batch.
    pub(crate) fn next(&mut self) -> io::Result<Option<RecordBatch>> {
        let Some(block) = self.blocks.next() else { return Ok(None) };
        let bytes = bytes_of(&self.file, &block, &self.watch)?;
        let batch = self.decoder.read_record_batch(&block, &bytes).map_err(|_| io::ErrorKind::InvalidData)?;
        // A block that holds nothing is not the batch that the footer names.
        batch.map(Some).ok_or(io::ErrorKind::InvalidData.into())
    }
}

/// Returns the bytes of a block that lies in the file and does not grow beyond measure.
fn bytes_of(file: &Seekable, block: &Block, watch: &Arc<dyn Watch>) -> io::Result<Buffer> {
    let wrong = || io::Error::from(io::ErrorKind::InvalidData);
    let start = u64::try_from(block.offset()).map_err(|_| wrong())?;
    let head = u64::try_from(block.metaDataLength()).map_err(|_| wrong())?;
    let body = u64::try_from(block.bodyLength()).map_err(|_| wrong())?;
    let length = head.checked_add(body).ok_or_else(wrong)?;
    if length > file.length().saturating_sub(start) {
        return Err(wrong());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(|_| wrong())?);
    Counted { source: file.from(start).take(length), watch: Arc::clone(watch) }.read_to_end(&mut bytes)?;
    let head = usize::try_from(head).map_err(|_| wrong())?;
    let is_possible = bytes.len() as u64 == length && sizes_are_possible(&bytes[..head], &bytes[head..]);
    if is_possible { Ok(Buffer::from_vec(bytes)) } else { Err(wrong()) }
}
