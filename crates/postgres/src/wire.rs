//! A connection, and a limit on every wait for what is said over it.
//!
//! It must never wait without hearing somebody who asks to stop. It is separate because it knows neither books nor
//! data. Read `wire_error.rs` for how a wait may end.

use crate::address::{ANSWER, Address};
use crate::attendant::Attendant;
use crate::wire_error::WireError;
use rustls::{ClientConfig, RootCertStore};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How often somebody who wants to stop is heard, and after how long the first word is said.
const TICK: Duration = Duration::from_secs(1);
/// How often somebody is heard who waits for what may take hours.
const QUICK: Duration = Duration::from_millis(100);

/// A connection.
pub struct Wire {
    runtime: Runtime,
    /// What speaks over it; every answer is waited for with [`Wire::wait`].
    pub client: Arc<Client>,
    attendant: Arc<dyn Attendant>,
    tls: MakeRustlsConnect,
}

impl Wire {
    /// Returns a connection to a server.
    pub fn connect(address: &Address, attendant: &Arc<dyn Attendant>) -> Result<Wire, WireError> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|_| WireError::NoServer)?;
        let mut trusted = RootCertStore::empty();
        trusted.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let tls = tls.map_err(|_| WireError::NotEncrypted)?;
        let tls = MakeRustlsConnect::new(tls.with_root_certificates(trusted).with_no_client_auth());
        let connected = waited(&runtime, &**attendant, Some(ANSWER), address.config.connect(tls.clone()));
        let (client, connection) = match connected {
            Ok(connected) => connected.map_err(|error| WireError::of_connecting(&error))?,
            Err(Silence::Stopped) => return Err(WireError::Stopped),
            Err(Silence::TooLong) => return Err(WireError::NoServer),
        };
        // Runs whenever an answer is waited for; ends with the runtime.
        runtime.spawn(async move {
            let _ = connection.await;
        });
        let client = Arc::new(client);
        Ok(Wire { runtime, client, attendant: Arc::clone(attendant), tls })
    }

    /// Has somebody else wait.
    pub fn attended_by(&mut self, attendant: Arc<dyn Attendant>) {
        self.attendant = attendant;
    }

    /// Waits for a step, but not longer than this, and not if somebody asks to stop.
    pub fn wait<T>(&self, limit: Duration, step: impl Future<Output = Result<T, Error>>) -> Result<T, WireError> {
        match waited(&self.runtime, &*self.attendant, Some(limit), step) {
            Ok(answer) => answer.map_err(|error| WireError::of(&error)),
            Err(Silence::TooLong) => Err(WireError::Unanswered),
            Err(Silence::Stopped) => Err(WireError::Stopped),
        }
    }

    /// Waits for a step that may take hours, unless somebody asks to stop: then the server is told to, as well. Who
    /// does not answer at all is given up by the keep-alive of the connection.
    pub fn wait_for_work<T, E: From<Error>>(
        &self,
        step: impl Future<Output = Result<T, E>>,
    ) -> Result<Result<T, E>, WireError> {
        match waited(&self.runtime, &*self.attendant, None, step) {
            Ok(answer) => Ok(answer),
            Err(Silence::Stopped | Silence::TooLong) => {
                self.stop_the_server();
                Err(WireError::Stopped)
            }
        }
    }

    /// Asks the server to stop what it does for this connection, and does not wait for long.
    pub fn stop_the_server(&self) {
        let token = self.client.cancel_token();
        let asked = token.cancel_query(self.tls.clone());
        let _ = self.runtime.block_on(async { tokio::time::timeout(ANSWER / 2, asked).await });
    }

    /// Whether the server answers.
    pub fn is_alive(&self) -> bool {
        !self.client.is_closed() && self.wait(ANSWER, self.client.batch_execute("")).is_ok()
    }
}

/// Why there is no answer.
enum Silence {
    TooLong,
    Stopped,
}

fn waited<T>(
    runtime: &Runtime,
    attendant: &dyn Attendant,
    limit: Option<Duration>,
    step: impl Future<Output = T>,
) -> Result<T, Silence> {
    runtime.block_on(async {
        let mut step = pin!(step);
        let begun = Instant::now();
        loop {
            let tick = limit.map_or(QUICK, |limit| TICK.min(limit.saturating_sub(begun.elapsed())));
            if let Ok(answer) = tokio::time::timeout(tick, step.as_mut()).await {
                return Ok(answer);
            }
            if attendant.is_cancelled() {
                return Err(Silence::Stopped);
            }
            if limit.is_some_and(|limit| begun.elapsed() >= limit) {
                return Err(Silence::TooLong);
            }
            attendant.waits();
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attendant::Unattended;

    #[test]
    fn a_server_that_says_nothing_is_not_waited_for_any_longer() {
        struct Impatient;
        impl Attendant for Impatient {
            fn waits(&self) {}
            fn is_cancelled(&self) -> bool {
                true
            }
        }
        let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = silent.local_addr().expect("an address").port();
        let address = Address::read(&format!("postgres://u@127.0.0.1:{port}/x")).expect("an address");
        let begun = Instant::now();
        let stopped = Wire::connect(&address, &(Arc::new(Impatient) as Arc<dyn Attendant>)).err();
        assert_eq!(stopped, Some(WireError::Stopped));
        assert!(begun.elapsed() < ANSWER / 2, "who asks to stop is heard");
        let silence = Wire::connect(&address, &(Arc::new(Unattended) as Arc<dyn Attendant>)).err();
        assert_eq!(silence, Some(WireError::NoServer));
        assert!(begun.elapsed() < 3 * ANSWER);
    }
}
