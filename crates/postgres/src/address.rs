//! Where a server is, and how to speak to it.
//!
//! It must never print a password, nor say anything about how it cannot be read but that. It is separate because an
//! address is read before anybody speaks to a server. Read `wire.rs` next.

use crate::password::{self, Lock};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// How long to wait for a server to answer.
pub const ANSWER: Duration = Duration::from_secs(10);

/// The port that servers listen on unless they are told otherwise.
const USUAL_PORT: u16 = 5432;

/// Where a server is, and how to speak to it.
#[derive(Clone)]
pub struct Address {
    pub(crate) config: Config,
    has_password: bool,
}

/// Says where, never who and how.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place())
    }
}

impl Address {
    /// Returns the address `postgres://user@host/database`, with the password from PGPASSWORD or `.pgpass` if it has
    /// none; nothing if it is no address.
    ///
    /// To another machine the way is encrypted, or there is none, unless the address says `sslmode=disable`.
    pub fn read(text: &str) -> Option<Address> {
        let mut config = Config::from_str(text).ok()?;
        let has_password = config.get_password().is_some();
        if !has_password && let Some(password) = password::found(&lock(&config)) {
            config.password(password);
        }
        if !is_local(&config) && config.get_ssl_mode() == SslMode::Prefer {
            config.ssl_mode(SslMode::Require);
        }
        config.connect_timeout(ANSWER).tcp_user_timeout(2 * ANSWER).application_name("incrowd");
        config.keepalives(true).keepalives_idle(ANSWER).keepalives_interval(ANSWER / 2).keepalives_retries(3);
        Some(Address { config, has_password })
    }

    /// Returns the same address with this password.
    pub fn with_password(mut self, password: &str) -> Address {
        self.config.password(password);
        self
    }

    /// Whether the address itself holds a password.
    pub fn has_password(&self) -> bool {
        self.has_password
    }

    /// Whether somebody on the way could read along, because the address asks for it.
    pub fn is_in_the_clear(&self) -> bool {
        !is_local(&self.config) && self.config.get_ssl_mode() == SslMode::Disable
    }

    /// Whether the server is on this machine.
    pub fn is_on_this_machine(&self) -> bool {
        is_local(&self.config)
    }

    /// Whether it says by itself which database it means: without a name each user would have one of her own, and of
    /// several hosts the first that answers would be taken.
    pub fn names_one_database(&self) -> bool {
        let (hosts, addresses) = (self.config.get_hosts().len(), self.config.get_hostaddrs().len());
        self.config.get_dbname().is_some_and(|name| !name.is_empty()) && hosts <= 1 && addresses <= 1
    }

    /// The address as messages name it: without user, password and settings.
    pub fn place(&self) -> String {
        let host = host(&self.config).unwrap_or("localhost".to_owned());
        let port = self.config.get_ports().first().map(|port| format!(":{port}")).unwrap_or_default();
        format!("postgres://{host}{port}/{}", self.config.get_dbname().unwrap_or_default())
    }
}

fn host(config: &Config) -> Option<String> {
    Some(match config.get_hosts().first()? {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(folder) => folder.display().to_string(),
    })
}

/// Returns what a password would open: the first host of several.
fn lock(config: &Config) -> Lock {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(_)) => "localhost".to_owned(),
        None => config.get_hostaddrs().first().map_or("localhost".to_owned(), IpAddr::to_string),
    };
    let user = config.get_user().unwrap_or_default().to_owned();
    let database = config.get_dbname().map_or_else(|| user.clone(), str::to_owned);
    Lock { host, port: config.get_ports().first().copied().unwrap_or(USUAL_PORT), database, user }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_one_database_or_it_does_not() {
        for (text, one) in [
            ("postgres://u@localhost/x", true),
            ("postgres://u@localhost:5/x?sslmode=disable", true),
            ("postgres://u@localhost/", false),
            ("postgres://u@localhost", false),
            ("postgres://u@a,b/x", false),
            ("postgres://u@a/x?hostaddr=10.0.0.1,10.0.0.2", false),
        ] {
            assert_eq!(Address::read(text).expect("an address").names_one_database(), one, "{text}");
        }
    }

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
            assert_eq!(address.is_on_this_machine(), mode == SslMode::Prefer || text.contains("localhost/x?sslmode"));
        }
    }

    #[test]
    fn nobody_and_nothing_secret_is_named() {
        let address =
            Address::read("postgres://ann:sesame@db.example:99/people?options=-c%20x%3Dy").expect("an address");
        assert_eq!(address.place(), "postgres://db.example:99/people");
        assert_eq!(format!("{address:?}"), "postgres://db.example:99/people");
        assert!(address.has_password());
        assert!(!Address::read("postgres://ann@db.example/people").expect("an address").has_password());
        assert!(Address::read("postgres://[").is_none());
    }
}
