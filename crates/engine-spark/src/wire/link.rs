//! A connection to a Spark server, the calls that it takes, and a limit on every wait.
//!
//! It must never wait without hearing somebody who asks to stop, nor send a token where others could read it. It is
//! separate from sessions because it knows nothing of what is said over it. Read `session.rs` next.

use super::failure::WireError;
use crate::address::{Address, Way};
use http::uri::PathAndQuery;
use incrowd_engine::Watch;
use prost::Message;
use std::future::Future;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tonic::client::Grpc;
use tonic::metadata::{Ascii, MetadataKey, MetadataMap, MetadataValue};
use tonic::transport::{Channel, ClientTlsConfig, Endpoint};
use tonic::{Request, Status, Streaming};
use tonic_prost::ProstCodec;

/// How long to wait for a server to answer.
pub(crate) const ANSWER: Duration = Duration::from_secs(10);
/// How often somebody is heard who wants to stop.
const TICK: Duration = Duration::from_millis(100);
/// No answer is taken that is larger: what Spark's own clients take.
pub(crate) const LARGEST: usize = 128 << 20;

/// A connection.
pub(crate) struct Link {
    background: Background,
    /// What calls over it.
    pub(crate) caller: Caller,
}

/// Where a connection runs; it ends without waiting for anybody, wherever it is dropped.
struct Background(Option<Runtime>);

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Link {
    /// Returns a connection to a server.
    pub(crate) fn connect(address: &Address, watch: &dyn Watch) -> Result<Link, WireError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|_| WireError::NoServer)?;
        let headers = headers(address).ok_or(WireError::NoAccess)?;
        let endpoint = endpoint(address)?;
        let handle = runtime.handle().clone();
        let background = Background(Some(runtime));
        let connected = waited(&handle, ANSWER, watch, async move { endpoint.connect().await });
        let channel = connected
            .map_err(|error| if error == WireError::Unanswered { WireError::NoServer } else { error })?
            .map_err(|error| WireError::of_connecting(&error))?;
        let grpc = Grpc::new(channel).max_decoding_message_size(LARGEST);
        Ok(Link { background, caller: Caller { grpc, headers: Arc::new(headers) } })
    }

    /// Waits for a call, but not longer than this, and not if somebody asks to stop.
    pub(crate) fn wait<T: Send + 'static>(
        &self,
        limit: Duration,
        watch: &dyn Watch,
        call: impl Future<Output = Result<T, Status>> + Send + 'static,
    ) -> Result<T, WireError> {
        waited(&self.handle(), limit, watch, call)?.map_err(|status| WireError::of(&status))
    }

    /// Returns where calls run.
    pub(crate) fn handle(&self) -> Handle {
        match &self.background.0 {
            Some(runtime) => runtime.handle().clone(),
            // Only `drop` takes it.
            None => Handle::current(),
        }
    }
}

/// Waits from any thread, also from one that runs other futures.
fn waited<T: Send + 'static>(
    handle: &Handle,
    limit: Duration,
    watch: &dyn Watch,
    step: impl Future<Output = T> + Send + 'static,
) -> Result<T, WireError> {
    let (done, answer) = channel();
    let task = handle.spawn(async move {
        let _ = done.send(step.await);
    });
    let begun = Instant::now();
    loop {
        let silence = match answer.recv_timeout(TICK.min(limit)) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Disconnected) => WireError::Lost,
            Err(RecvTimeoutError::Timeout) if watch.is_cancelled() => WireError::Stopped,
            Err(RecvTimeoutError::Timeout) if begun.elapsed() >= limit => WireError::Unanswered,
            Err(RecvTimeoutError::Timeout) => continue,
        };
        task.abort();
        return Err(silence);
    }
}

fn endpoint(address: &Address) -> Result<Endpoint, WireError> {
    let endpoint = Endpoint::from_shared(address.endpoint()).map_err(|_| WireError::NoServer)?;
    // Who does not answer at all is given up by the keep-alive of the connection.
    let endpoint = endpoint
        .connect_timeout(ANSWER)
        .tcp_nodelay(true)
        .tcp_keepalive(Some(ANSWER))
        .tcp_keepalive_interval(Some(ANSWER / 2))
        .tcp_keepalive_retries(Some(3));
    match address.way {
        Way::Clear => Ok(endpoint),
        Way::Encrypted => {
            let trusted = ClientTlsConfig::new().with_native_roots();
            endpoint.tls_config(trusted).map_err(|_| WireError::NotEncrypted)
        }
    }
}

/// Returns what is said beside every call; nothing if it cannot be said.
fn headers(address: &Address) -> Option<MetadataMap> {
    let mut headers = MetadataMap::new();
    for (name, value) in &address.headers {
        let name: MetadataKey<Ascii> = name.parse().ok()?;
        headers.insert(name, value.parse().ok()?);
    }
    if let Some(token) = &address.token {
        let mut value: MetadataValue<Ascii> = format!("Bearer {token}").parse().ok()?;
        value.set_sensitive(true);
        headers.insert("authorization", value);
    }
    Some(headers)
}

/// What calls a server.
#[derive(Clone)]
pub(crate) struct Caller {
    grpc: Grpc<Channel>,
    headers: Arc<MetadataMap>,
}

impl Caller {
    /// Asks once, and returns the answer.
    pub(crate) async fn ask<Q, A>(mut self, method: &'static str, question: Q) -> Result<A, Status>
    where
        Q: Message + Send + Sync + 'static,
        A: Message + Default + Send + Sync + 'static,
    {
        self.ready().await?;
        let codec = ProstCodec::<Q, A>::default();
        Ok(self.grpc.unary(self.request(question), path(method), codec).await?.into_inner())
    }

    /// Asks once, and returns the answers as they come.
    pub(crate) async fn ask_for_many<Q, A>(mut self, method: &'static str, question: Q) -> Result<Streaming<A>, Status>
    where
        Q: Message + Send + Sync + 'static,
        A: Message + Default + Send + Sync + 'static,
    {
        self.ready().await?;
        let codec = ProstCodec::<Q, A>::default();
        Ok(self.grpc.server_streaming(self.request(question), path(method), codec).await?.into_inner())
    }

    async fn ready(&mut self) -> Result<(), Status> {
        // Without the words of the transport, which name addresses.
        self.grpc.ready().await.map_err(|_| Status::unavailable(String::new()))
    }

    fn request<Q>(&self, question: Q) -> Request<Q> {
        let mut request = Request::new(question);
        *request.metadata_mut() = MetadataMap::clone(&self.headers);
        request
    }
}

fn path(method: &'static str) -> PathAndQuery {
    PathAndQuery::from_static(method)
}
