//! Rows of a table of SQLite, every column a text.
//!
//! The library lends its rows, so a thread of its own reads them and hands batches on, one at a time. It must never
//! take the end of that thread for the end of the rows, nor keep it running for nobody. It is separate from
//! `file/database.rs`, which knows no batches. Read `sheet.rs` for how texts become batches.

use super::sheet::TextBatches;
use super::{Batches, Fault, Reading};
use crate::file::OneFile;
use crate::file::database::Database;
use arrow_array::RecordBatch;
use incrowd_engine::Watch;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// How long a batch is waited for before somebody is asked whether to go on.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the thread says: another batch, or that there are no more.
type Said = Result<Option<RecordBatch>, Fault>;

/// Returns the rows of a table, all from one state of it.
pub(super) fn batches(file: &OneFile, reading: &Reading) -> Result<Batches, Fault> {
    let database = Database::open(file, &reading.dialect).map_err(Fault::damaged)?;
    let columns = database.columns().map_err(Fault::damaged)?;
    if !columns.iter().eq(reading.columns.fields().iter().map(|field| field.name())) {
        return Err(Fault::Damaged);
    }
    let stop = database.stop();
    let (say, said) = sync_channel(1);
    let texts = TextBatches::of(&reading.delivered, reading.batch_rows);
    let progress = Progress { watch: reading.watch.clone(), left: file.bytes };
    let (reading, watch) = (reading.clone(), reading.watch.clone());
    std::thread::spawn(move || {
        let ended = read(&database, &reading, texts, progress, &say);
        // Nobody listens any more, or hears how it ended.
        let _ = say.send(ended.map(|()| None));
    });
    Ok(Box::new(Rows { said, stop, watch, has_ended: false }))
}

fn read(
    database: &Database,
    reading: &Reading,
    mut texts: TextBatches,
    mut progress: Progress,
    say: &SyncSender<Said>,
) -> Result<(), Fault> {
    let columns: Vec<String> = reading.delivered.fields().iter().map(|field| field.name().clone()).collect();
    let mut fault = None;
    let asked = database.read(&columns, reading.dialect.decimal, |value| {
        let mut bytes = 0;
        let row: Result<Vec<Option<String>>, _> = (0..columns.len()).map(&mut *value).collect();
        let taken = row.map_err(Fault::damaged).and_then(|row| {
            bytes = row.iter().flatten().map(String::len).sum();
            texts.push(row.into_iter())
        });
        progress.advance(bytes as u64);
        let taken = taken.and_then(|()| if texts.has_room() { Ok(None) } else { texts.flush() });
        match taken {
            Ok(None) => Some(()),
            Ok(Some(batch)) => say.send(Ok(Some(batch))).ok(),
            Err(damage) => {
                fault = Some(damage);
                None
            }
        }
    });
    asked.map_err(Fault::damaged)?;
    if let Some(fault) = fault {
        return Err(fault);
    }
    if let Some(batch) = texts.flush()? {
        let _ = say.send(Ok(Some(batch)));
    }
    progress.end();
    Ok(())
}

/// How much was read, as far as values tell: the library does not say.
struct Progress {
    watch: Arc<dyn Watch>,
    left: u64,
}

impl Progress {
    fn advance(&mut self, bytes: u64) {
        let more = bytes.min(self.left);
        self.left -= more;
        self.watch.read(more);
    }

    fn end(&mut self) {
        self.advance(self.left);
    }
}

struct Rows {
    said: Receiver<Said>,
    stop: rusqlite::InterruptHandle,
    watch: Arc<dyn Watch>,
    has_ended: bool,
}

impl Drop for Rows {
    fn drop(&mut self) {
        self.stop.interrupt();
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        loop {
            match self.said.recv_timeout(PATIENCE) {
                Ok(said) => {
                    self.has_ended = !matches!(said, Ok(Some(_)));
                    return said.transpose();
                }
                Err(RecvTimeoutError::Timeout) if self.watch.is_cancelled() => {
                    self.has_ended = true;
                    return Some(Err(Fault::Stopped));
                }
                Err(RecvTimeoutError::Timeout) => {}
                // It ended without a word: it panicked.
                Err(RecvTimeoutError::Disconnected) => {
                    self.has_ended = true;
                    return Some(Err(Fault::Damaged));
                }
            }
        }
    }
}
