//! A query that runs on a Spark server, whatever happens to the way there.
//!
//! The server keeps answers until it hears that they arrived. A stream that breaks, or that the server ends because it
//! lasted long, is asked for again from the last answer on; a query that the server has never heard of is sent again,
//! under the same name. It must never run a query anew of which an answer was seen, nor in another session. It is
//! separate from `running.rs` because it waits, and never for a person. Read `running.rs` for who takes the answers.

use super::failure::{Afterwards, WireError, afterwards};
use super::link::Caller;
use super::messages::{
    AnswerKind, ChunkingOptions, Empty, ExecuteRequest, ExecuteResponse, OptionKind, Plan, ReattachOptions,
    ReattachRequest, ReleaseRequest, ReleaseUntil, RequestOption,
};
use super::session::Known;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tonic::{Status, Streaming};

const EXECUTE: &str = "/spark.connect.SparkConnectService/ExecutePlan";
const REATTACH: &str = "/spark.connect.SparkConnectService/ReattachExecute";
const RELEASE: &str = "/spark.connect.SparkConnectService/ReleaseExecute";

/// How many bytes of a batch a message should have at most.
const CHUNK: i64 = 4 << 20;
/// After so long without a word the stream is asked for again: a server tells its progress every few seconds.
const SILENCE: Duration = Duration::from_secs(60);
/// The first pause before a server is looked for again; each is twice as long as the last one.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest of these pauses.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A query that runs.
pub(crate) struct Execution {
    caller: Caller,
    known: Known,
    query: String,
    /// The name of the query.
    pub(crate) operation: String,
    next: Next,
    stream: Option<Streaming<ExecuteResponse>>,
    /// The last answer that was seen.
    last: Option<String>,
    heard: Instant,
    pause: Duration,
    /// How long to look for a server that went away.
    patience: Duration,
}

/// What is asked of the server next, when there is no stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Send,
    Reattach,
}

impl Execution {
    /// Returns a query that has not been sent yet.
    pub(crate) fn new(caller: Caller, known: Known, query: String, operation: String, patience: Duration) -> Execution {
        let (heard, pause) = (Instant::now(), FIRST_PAUSE);
        Execution {
            caller,
            known,
            query,
            operation,
            next: Next::Send,
            stream: None,
            last: None,
            heard,
            pause,
            patience,
        }
    }

    /// Returns the next answer; nothing after the last one.
    pub(crate) async fn next(&mut self) -> Result<Option<AnswerKind>, WireError> {
        loop {
            let failed = match self.step().await {
                // What the server still keeps goes with the session.
                Ok(Some(AnswerKind::Complete(Empty {}))) => return Ok(None),
                Ok(Some(answer)) => return Ok(Some(answer)),
                // An answer of a kind that is not known, or the end of a stream that lasted long.
                Ok(None) => continue,
                Err(status) => afterwards(&status),
            };
            self.stream = None;
            match failed {
                Afterwards::Failed(error) => return Err(error),
                Afterwards::Unknown if self.last.is_some() => return Err(WireError::Lost),
                Afterwards::Unknown => self.next = Next::Send,
                Afterwards::Reattach => self.next = Next::Reattach,
            }
            if self.heard.elapsed() > self.patience {
                return Err(WireError::Lost);
            }
            tokio::time::sleep(self.pause).await;
            self.pause = LONGEST_PAUSE.min(self.pause * 2);
        }
    }

    async fn step(&mut self) -> Result<Option<AnswerKind>, Status> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => in_time(self.open()).await?,
        };
        let Some(answer) = in_time(stream.message()).await? else {
            self.next = Next::Reattach;
            return Ok(None);
        };
        self.stream = Some(stream);
        (self.heard, self.pause) = (Instant::now(), FIRST_PAUSE);
        if answer.server_session_id != self.known.server_id {
            // Not the session whose settings are ours.
            return Err(Status::failed_precondition(String::new()));
        }
        if !answer.response_id.is_empty() {
            let seen = self.last.replace(answer.response_id);
            if let (Some(response_id), Some(AnswerKind::Batch(_))) = (seen, &answer.kind) {
                self.release(response_id);
            }
        }
        Ok(answer.kind)
    }

    fn open(&self) -> impl Future<Output = Result<Streaming<ExecuteResponse>, Status>> + use<> {
        let (caller, next) = (self.caller.clone(), self.next);
        let execute = ExecuteRequest {
            session_id: self.known.id.clone(),
            user_context: self.known.user_context(),
            plan: Some(Plan::of_query(&self.query)),
            options: vec![
                RequestOption { kind: Some(OptionKind::Reattach(ReattachOptions { reattachable: true })) },
                RequestOption {
                    kind: Some(OptionKind::Chunking(ChunkingOptions { allowed: true, preferred_bytes: Some(CHUNK) })),
                },
            ],
            operation_id: Some(self.operation.clone()),
            server_session_id: self.known.server_session_id(),
        };
        let reattach = ReattachRequest {
            session_id: self.known.id.clone(),
            user_context: self.known.user_context(),
            operation_id: self.operation.clone(),
            last_response_id: self.last.clone(),
            server_session_id: self.known.server_session_id(),
        };
        async move {
            match next {
                Next::Send => caller.ask_for_many(EXECUTE, execute).await,
                Next::Reattach => caller.ask_for_many(REATTACH, reattach).await,
            }
        }
    }

    /// Tells the server up to which answer it need not keep them any longer; nobody waits for what it says.
    fn release(&self, response_id: String) {
        let request = ReleaseRequest {
            session_id: self.known.id.clone(),
            user_context: self.known.user_context(),
            operation_id: self.operation.clone(),
            until: Some(ReleaseUntil { response_id }),
            server_session_id: self.known.server_session_id(),
        };
        Handle::current().spawn(self.caller.clone().ask::<_, Empty>(RELEASE, request));
    }
}

async fn in_time<T>(step: impl Future<Output = Result<T, Status>>) -> Result<T, Status> {
    match tokio::time::timeout(SILENCE, step).await {
        Ok(answer) => answer,
        Err(_) => Err(Status::unavailable(String::new())),
    }
}
