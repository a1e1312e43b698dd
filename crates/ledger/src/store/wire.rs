//! The way to a PostgreSQL server: encrypted unless it is on this machine, and with a limit on the time of every step.
//!
//! A server that stops answering must never hold a release for ever, and nobody on the way may read a charge unasked.
//! It is separate because it knows nothing of books. Read `postgres.rs` for what is said over it.

use crate::attendant::Attendant;
use crate::error::{LedgerError, Trouble};
use rustls::{ClientConfig, RootCertStore};
use std::future::Future;
use std::net::IpAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long to wait for a server to answer.
pub(super) const ANSWER: Duration = Duration::from_secs(10);
/// How often somebody who wants to stop is heard, and after how long the first word is said.
const TICK: Duration = Duration::from_secs(1);

/// Where a server is, and how to speak to it.
#[derive(Clone)]
pub(super) struct Address {
    config: Config,
}

impl Address {
    /// Returns the address `postgres://user@host/database`, with the password from PGPASSWORD if it has none.
    ///
    /// To another machine the way is encrypted, or there is none, unless the address says `sslmode=disable`.
    pub fn read(text: &str) -> Result<Address, LedgerError> {
        let mut config = Config::from_str(text).map_err(|_| LedgerError::Address)?;
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        if !is_local(&config) && config.get_ssl_mode() == SslMode::Prefer {
            config.ssl_mode(SslMode::Require);
        }
        config.connect_timeout(ANSWER).tcp_user_timeout(2 * ANSWER).application_name("incrowd");
        config.keepalives(true).keepalives_idle(ANSWER).keepalives_interval(ANSWER / 2).keepalives_retries(3);
        Ok(Address { config })
    }

    /// Whether somebody on the way could read along, because the address asks for it.
    pub fn is_in_the_clear(&self) -> bool {
        !is_local(&self.config) && self.config.get_ssl_mode() == SslMode::Disable
    }

    /// The address as messages name it.
    pub fn place(&self) -> PathBuf {
        let host = match self.config.get_hosts().first() {
            Some(Host::Tcp(name)) => name.clone(),
            #[cfg(unix)]
            Some(Host::Unix(folder)) => folder.display().to_string(),
            None => "localhost".to_string(),
        };
        let port = self.config.get_ports().first().map(|port| format!(":{port}")).unwrap_or_default();
        PathBuf::from(format!("postgres://{host}{port}/{}", self.config.get_dbname().unwrap_or_default()))
    }
}

/// Whether every host is this machine.
fn is_local(config: &Config) -> bool {
    // An address beside a name is what is really spoken to.
    if !config.get_hostaddrs().is_empty() {
        return config.get_hostaddrs().iter().all(IpAddr::is_loopback);
    }
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback()),
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

/// A connection.
pub(super) struct Wire {
    runtime: Runtime,
    pub client: Client,
    attendant: Arc<dyn Attendant>,
}

impl Wire {
    /// Returns a connection to a server that syncs what it commits.
    pub fn connect(address: &Address, attendant: &Arc<dyn Attendant>) -> Result<Wire, LedgerError> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|_| trouble(Trouble::NoServer))?;
        let mut trusted = RootCertStore::empty();
        trusted.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let tls = tls.map_err(|_| trouble(Trouble::NotEncrypted))?;
        let tls = MakeRustlsConnect::new(tls.with_root_certificates(trusted).with_no_client_auth());
        let connected = waited(&runtime, &**attendant, ANSWER, address.config.connect(tls));
        let (client, connection) = match connected {
            Ok(connected) => connected.map_err(unconnected)?,
            Err(Silence::Stopped) => return Err(trouble(Trouble::Stopped)),
            Err(Silence::TooLong) => return Err(trouble(Trouble::NoServer)),
        };
        // Runs whenever an answer is waited for; ends with the runtime.
        runtime.spawn(async move {
            let _ = connection.await;
        });
        let wire = Wire { runtime, client, attendant: Arc::clone(attendant) };
        let fsync = wire.wait(ANSWER, wire.client.query_one("SHOW fsync", &[]))?;
        if fsync.get::<_, &str>(0) == "on" { Ok(wire) } else { Err(trouble(Trouble::NotDurable)) }
    }

    /// Has somebody else wait.
    pub fn attended_by(&mut self, attendant: Arc<dyn Attendant>) {
        self.attendant = attendant;
    }

    /// Waits for a step, but not longer than this, and not if somebody asks to stop.
    pub fn wait<T>(&self, limit: Duration, step: impl Future<Output = Result<T, Error>>) -> Result<T, LedgerError> {
        match waited(&self.runtime, &*self.attendant, limit, step) {
            Ok(answer) => answer.map_err(failed),
            Err(Silence::TooLong) => Err(trouble(Trouble::Unanswered)),
            Err(Silence::Stopped) => Err(trouble(Trouble::Stopped)),
        }
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
    limit: Duration,
    step: impl Future<Output = T>,
) -> Result<T, Silence> {
    runtime.block_on(async {
        let mut step = pin!(step);
        let begun = Instant::now();
        loop {
            let tick = TICK.min(limit.saturating_sub(begun.elapsed()));
            if let Ok(answer) = tokio::time::timeout(tick, step.as_mut()).await {
                return Ok(answer);
            }
            if attendant.is_cancelled() {
                return Err(Silence::Stopped);
            }
            if begun.elapsed() >= limit {
                return Err(Silence::TooLong);
            }
            attendant.waits();
        }
    })
}

pub(super) fn trouble(trouble: Trouble) -> LedgerError {
    LedgerError::Trouble { path: None, trouble }
}

fn unconnected(error: Error) -> LedgerError {
    if error.as_db_error().is_some() {
        return failed(error);
    }
    // The binding tells its kinds of failure in words only.
    let encrypting = error.to_string().contains("TLS");
    trouble(if encrypting { Trouble::NotEncrypted } else { Trouble::NoServer })
}

/// What the server or the way to it says, without its sentence.
pub(super) fn failed(error: Error) -> LedgerError {
    let Some(code) = error.code() else { return trouble(Trouble::Lost) };
    let denied =
        [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION, SqlState::INVALID_CATALOG_NAME];
    if denied.contains(code) {
        trouble(Trouble::NoAccess)
    } else if [SqlState::INSUFFICIENT_PRIVILEGE, SqlState::READ_ONLY_SQL_TRANSACTION].contains(code) {
        trouble(Trouble::NotAllowed)
    } else if [SqlState::UNDEFINED_TABLE, SqlState::UNDEFINED_COLUMN].contains(code) {
        use crate::damage::{DamagedPart, Fault};
        LedgerError::damaged(DamagedPart::File, Fault::Structure)
    } else if *code == SqlState::LOCK_NOT_AVAILABLE {
        trouble(Trouble::Locked)
    } else if *code == SqlState::DISK_FULL {
        trouble(Trouble::Full)
    } else if [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN].contains(code) {
        trouble(Trouble::Lost)
    } else if *code == SqlState::CANNOT_CONNECT_NOW {
        trouble(Trouble::NoServer)
    } else {
        let mut digits = [b'0'; 5];
        digits.iter_mut().zip(code.code().bytes()).for_each(|(digit, byte)| *digit = byte);
        trouble(Trouble::Server(digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_another_machine_is_encrypted_unless_the_address_says_otherwise() {
        for (text, mode, clear) in [
            ("postgres://u@localhost/x", SslMode::Prefer, false),
            ("postgres://u@127.0.0.1:5/x", SslMode::Prefer, false),
            ("postgres://u@[::1]/x", SslMode::Prefer, false),
            ("postgres://u@%2Fvar%2Frun/x", SslMode::Prefer, false),
            ("postgres://u@localhost/x?sslmode=disable", SslMode::Disable, false),
            ("postgres://u@db.example/x", SslMode::Require, false),
            ("postgres://u@db.example/x?sslmode=prefer", SslMode::Require, false),
            ("postgres://u@10.0.0.7/x", SslMode::Require, false),
            ("postgres://u@localhost,db.example/x", SslMode::Require, false),
            ("postgres://u@localhost/x?hostaddr=10.0.0.7", SslMode::Require, false),
            ("postgres://u@db.example/x?sslmode=disable", SslMode::Disable, true),
        ] {
            let address = Address::read(text).expect("an address");
            assert_eq!((address.config.get_ssl_mode(), address.is_in_the_clear()), (mode, clear), "{text}");
        }
    }

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
        assert_eq!(stopped, Some(trouble(Trouble::Stopped)));
        assert!(begun.elapsed() < ANSWER / 2, "who asks to stop is heard");
        let silence = Wire::connect(&address, &(Arc::new(crate::attendant::Nobody) as Arc<dyn Attendant>)).err();
        assert_eq!(silence, Some(trouble(Trouble::NoServer)));
        assert!(begun.elapsed() < 3 * ANSWER);
    }
}
