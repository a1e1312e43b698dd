//! The answer of a server on its way here, in a thread of its own, which hears who asks to stop.
//!
//! The charge is paid; all that may be said of a failure is that there was one. It must never let a stream that broke
//! off look like one that ended: only a last word ends it. It is separate because whoever counts must not wait for the
//! network in its own threads. Read `copied.rs` for the bytes, `transaction.rs` for what comes before them.

use crate::catalogue::Table;
use crate::copied::CopiedRows;
use crate::stored_types::Sent;
use crate::transaction::{begun, is_unchanged};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use futures_util::StreamExt;
use incrowd_engine::{CountError, RowBatches, Watch};
use incrowd_postgres::{Address, Attendant, Wire, WireError};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use tokio_postgres::CopyOutStream;

/// So many batches wait for whoever counts them.
const WAITING: usize = 4;

/// What is asked of a server after the charge.
pub(crate) struct Asked {
    pub(crate) address: Address,
    /// The table as it was planned, with the columns that are used.
    pub(crate) table: Table,
    /// Reads no row and holds the table.
    pub(crate) held: String,
    /// What is copied here.
    pub(crate) sql: String,
    pub(crate) sent: Vec<Sent>,
    pub(crate) schema: SchemaRef,
}

/// What the thread says.
enum Word {
    Batch(RecordBatch),
    Ended,
}

/// Whoever waits for a count, as whoever waits for a server.
struct Watching(Arc<dyn Watch>);

impl Attendant for Watching {
    fn waits(&self) {}

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Why nothing more comes; which it was is nobody's business.
struct Failed;

impl From<WireError> for Failed {
    fn from(_: WireError) -> Failed {
        Failed
    }
}

impl From<crate::columns::Damaged> for Failed {
    fn from(_: crate::columns::Damaged) -> Failed {
        Failed
    }
}

/// Returns the batches that a server sends.
pub(crate) fn received(asked: Asked, watch: Arc<dyn Watch>) -> Result<RowBatches, CountError> {
    let (words, heard) = sync_channel(WAITING);
    let seen = Arc::clone(&watch);
    let receiving = move || {
        if receive(&asked, &seen, &words).is_ok() {
            let _ = words.send(Word::Ended);
        }
    };
    thread::Builder::new().name("receiving".into()).spawn(receiving).map_err(|_| CountError::Failed)?;
    Ok(Box::new(Batches { heard: Some(heard), watch }))
}

struct Batches {
    heard: Option<Receiver<Word>>,
    watch: Arc<dyn Watch>,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, CountError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.heard.as_ref()?.recv() {
            Ok(Word::Batch(batch)) => Some(Ok(batch)),
            Ok(Word::Ended) => {
                self.heard = None;
                None
            }
            // The thread is gone without its last word.
            Err(_) => {
                self.heard = None;
                Some(Err(if self.watch.is_cancelled() { CountError::Cancelled } else { CountError::Failed }))
            }
        }
    }
}

fn receive(asked: &Asked, watch: &Arc<dyn Watch>, words: &SyncSender<Word>) -> Result<(), Failed> {
    let attendant: Arc<dyn Attendant> = Arc::new(Watching(Arc::clone(watch)));
    let wire = begun(&asked.address, &attendant)?;
    if !is_unchanged(&wire, &asked.table, &asked.held)? {
        return Err(Failed);
    }
    let copy = format!("COPY ({}) TO STDOUT (FORMAT binary)", asked.sql);
    let stream = wire.wait_for_work(wire.client.copy_out(copy.as_str()))?.map_err(|_| Failed)?;
    let received = batches(&wire, stream, asked, watch, words);
    if received.is_err() {
        wire.stop_the_server();
    }
    received
}

fn batches(
    wire: &Wire,
    stream: CopyOutStream,
    asked: &Asked,
    watch: &Arc<dyn Watch>,
    words: &SyncSender<Word>,
) -> Result<(), Failed> {
    let mut stream = Box::pin(stream);
    let mut rows = CopiedRows::new(&asked.sent, Arc::clone(&asked.schema));
    loop {
        // Many rows for each wait: whoever asks to stop is heard while they come.
        let (stream, rows_now) = (&mut stream, &mut rows);
        let more = wire.wait_for_work(async {
            while !rows_now.is_full() {
                match stream.next().await {
                    None => return Ok::<_, WireError>(Ok(false)),
                    Some(bytes) => {
                        let bytes = bytes?;
                        watch.read(bytes.len() as u64);
                        if let Err(damaged) = rows_now.take(&bytes) {
                            return Ok(Err(damaged));
                        }
                    }
                }
            }
            Ok(Ok(true))
        });
        let more = more???;
        let batch = if more { rows.batch()? } else { rows.ended()? };
        let is_heard = batch.num_rows() == 0 || words.send(Word::Batch(batch)).is_ok();
        if !is_heard || watch.is_cancelled() {
            return Err(Failed);
        }
        if !more {
            return Ok(());
        }
    }
}
