//! The batches of a query that runs, one after the other, for somebody who waits and may want to stop.
//!
//! It must never hold more than one answer beside the one that is taken, nor leave a query running that nobody wants
//! any longer. It is separate from `execution.rs` because it waits on a thread of its own kind: who takes batches may
//! be slow, and a slow taker makes the server wait, not this machine's memory grow. Read `../rows.rs` for who takes
//! them.

use super::execution::Execution;
use super::failure::WireError;
use super::link::{ANSWER, LARGEST};
use super::messages::{AnswerKind, ArrowBatch, Empty, InterruptRequest, Progress};
use super::session::{Session, new_name};
use incrowd_engine::{Unwatched, Watch};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

const INTERRUPT: &str = "/spark.connect.SparkConnectService/Interrupt";
/// `INTERRUPT_TYPE_OPERATION_ID`.
const BY_NAME: i32 = 3;
/// How often somebody is heard who wants to stop.
const TICK: Duration = Duration::from_millis(100);

/// A query that runs.
pub(crate) struct Running {
    session: Session,
    answers: Receiver<Result<AnswerKind, WireError>>,
    operation: String,
    watch: Arc<dyn Watch>,
    /// How many bytes of input were told of.
    told: u64,
    end: End,
}

/// Whether the server is still at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    NotYet,
    Reached,
}

impl Running {
    /// Has a query run in a session, which ends with it; a server that went away is looked for so long.
    pub(crate) fn start(
        session: Session,
        query: String,
        patience: Duration,
        watch: Arc<dyn Watch>,
    ) -> Result<Running, WireError> {
        let operation = new_name().ok_or(WireError::Failed)?;
        let mut execution = Execution::new(session.caller(), session.known.clone(), query, operation.clone(), patience);
        let (give, answers) = sync_channel(1);
        let handle = session.link.handle();
        let fetch = move || {
            loop {
                let answer = handle.block_on(execution.next()).transpose();
                let Some(answer) = answer else { return };
                let is_last = answer.is_err();
                // Nobody takes answers any longer, or there are none.
                if give.send(answer).is_err() || is_last {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("spark answers".into()).spawn(fetch).map_err(|_| WireError::Failed)?;
        Ok(Running { session, answers, operation, watch, told: 0, end: End::NotYet })
    }

    /// Returns the next batch, as a stream of Arrow; nothing after the last one.
    pub(crate) fn next_batch(&mut self) -> Result<Option<Vec<u8>>, WireError> {
        let mut joined: Vec<u8> = Vec::new();
        let mut chunks = 0;
        while let Some(batch) = self.next_chunk()? {
            let (chunk, of) = (batch.chunk.unwrap_or(0), batch.chunks.unwrap_or(1));
            if chunk != chunks {
                return Err(self.stopped_with(WireError::Contract));
            }
            if joined.len().saturating_add(batch.data.len()) > LARGEST {
                return Err(self.stopped_with(WireError::TooLarge));
            }
            if joined.is_empty() {
                joined = batch.data;
            } else {
                joined.extend_from_slice(&batch.data);
            }
            chunks += 1;
            if chunks >= of {
                return Ok(Some(joined));
            }
        }
        if chunks == 0 { Ok(None) } else { Err(WireError::Contract) }
    }

    fn next_chunk(&mut self) -> Result<Option<ArrowBatch>, WireError> {
        loop {
            if self.end == End::Reached {
                return Ok(None);
            }
            match self.answers.recv_timeout(TICK) {
                Ok(Ok(AnswerKind::Batch(batch))) => return Ok(Some(batch)),
                Ok(Ok(AnswerKind::Progress(progress))) => self.tell(&progress),
                Ok(Ok(AnswerKind::Complete(Empty {}))) | Err(RecvTimeoutError::Disconnected) => {
                    self.end = End::Reached;
                }
                Ok(Err(error)) => return Err(self.stopped_with(error)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.watch.is_cancelled() {
                return Err(self.stopped_with(WireError::Stopped));
            }
        }
    }

    /// Tells how much the server has read.
    fn tell(&mut self, progress: &Progress) {
        let read = progress.stages.iter().map(|stage| u64::try_from(stage.input_bytes).unwrap_or(0));
        let read = read.fold(0u64, u64::saturating_add);
        self.watch.read(read.saturating_sub(self.told));
        self.told = self.told.max(read);
    }

    fn stopped_with(&mut self, error: WireError) -> WireError {
        self.interrupt();
        error
    }

    /// Asks the server to stop the query, if it is still at it, and does not wait for long.
    fn interrupt(&mut self) {
        if std::mem::replace(&mut self.end, End::Reached) == End::Reached {
            return;
        }
        let request = InterruptRequest {
            session_id: self.session.known.id.clone(),
            user_context: self.session.known.user_context(),
            interrupt_type: BY_NAME,
            operation_id: Some(self.operation.clone()),
            server_session_id: self.session.known.server_session_id(),
        };
        let asked = self.session.caller().ask::<_, Empty>(INTERRUPT, request);
        let _ = self.session.link.wait(ANSWER / 2, &Unwatched, asked);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.interrupt();
    }
}
