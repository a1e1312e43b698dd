//! The server that a request's data is on, if its `source` is an address.
//!
//! Everybody may read a request, so it must never hold a password or a token, and what it says of a server is shown
//! without the name of a user. It is separate because files and servers have nothing in common but the key `source`.
//! Read `data.rs` for who asks; the engines read addresses in full.

use super::error::RequestError;
use super::fields::Fields;
use incrowd_definition::Dialect;
use std::fmt;

/// So many bytes of a database's name are looked at by a PostgreSQL server.
const LONGEST_DATABASE: usize = 63;

/// What answers at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerKind {
    /// A PostgreSQL database.
    PostgreSql,
    /// A Spark cluster, by Spark Connect.
    Spark,
}

impl ServerKind {
    /// Returns what answers at an address; nothing where it is none of a server that is known.
    pub fn of(source: &str) -> Option<ServerKind> {
        let (scheme, _) = source.split_once("://")?;
        match scheme {
            "postgres" | "postgresql" => Some(ServerKind::PostgreSql),
            "sc" => Some(ServerKind::Spark),
            _ => None,
        }
    }

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            ServerKind::PostgreSql => "PostgreSQL",
            ServerKind::Spark => "Spark",
        }
    }
}

/// Where a server is, as it may be shown: without user, password, token and settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerPlace {
    /// What answers.
    pub kind: ServerKind,
    /// The host, with its port if it is said, in small letters.
    pub host: String,
    /// The database; nothing of a cluster.
    pub database: Option<String>,
}

impl ServerPlace {
    /// Returns the place of an address; nothing where it is none of a server that is known.
    pub fn of(source: &str) -> Option<ServerPlace> {
        let kind = ServerKind::of(source)?;
        let (_, rest) = source.split_once("://")?;
        let parts = Parts::of(rest);
        let database = match kind {
            ServerKind::PostgreSql => Some(decoded(parts.path)),
            ServerKind::Spark => None,
        };
        Some(ServerPlace { kind, host: decoded(parts.host).to_lowercase(), database })
    }

    /// Whether two places may be one: a host has many names, a database one.
    pub fn may_be(&self, other: &ServerPlace) -> bool {
        self.kind == other.kind && self.database == other.database
    }

    /// Whether an address says no more than this place: neither who asks, nor how.
    pub fn is_plain(&self, source: &str) -> bool {
        let rest = source.split_once("://").map_or("", |(_, rest)| rest);
        let parts = Parts::of(rest);
        parts.user.is_empty() && !rest.contains('@') && parts.settings.is_empty()
    }

    /// Whether its database has a name that a server keeps whole; a cluster has none.
    pub fn has_a_name(&self) -> bool {
        self.database.as_deref().is_none_or(is_database)
    }

    /// Returns what an address says behind the place, without who asks.
    pub fn settings_of(&self, source: &str) -> String {
        source.split_once("://").map_or("", |(_, rest)| Parts::of(rest).settings).to_owned()
    }
}

/// Returns a name with its signs written out: `h%72` is `hr`. What is no sign stays.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

impl fmt::Display for ServerPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, &self.database) {
            (ServerKind::PostgreSql, database) => {
                write!(f, "postgres://{}/{}", self.host, database.as_deref().unwrap_or_default())
            }
            (ServerKind::Spark, _) => write!(f, "sc://{}", self.host),
        }
    }
}

/// An address behind its scheme: `user:password@host:port/path?settings`, or `host:port/;setting=value`.
struct Parts<'a> {
    user: &'a str,
    host: &'a str,
    path: &'a str,
    settings: &'a str,
}

impl<'a> Parts<'a> {
    fn of(rest: &'a str) -> Parts<'a> {
        let end = rest.find(['?', ';']).unwrap_or(rest.len());
        let (before, settings) = rest.split_at(end);
        // A password may hold any sign, also a slash: what stands before the last @ is who.
        let (user, place) = before.rsplit_once('@').unwrap_or(("", before));
        let (host, path) = place.split_once('/').unwrap_or((place, ""));
        Parts { user, host, path, settings }
    }

    /// Returns the setting that says in other words where the server is, if there is one.
    fn elsewhere(&self) -> Option<&'static str> {
        let settings = decoded(self.settings).to_lowercase();
        let names = settings.split(['?', '&', ';']).filter_map(|setting| setting.split('=').next());
        let names: Vec<&str> = names.map(str::trim).collect();
        ["host", "hostaddr", "port", "dbname", "service"].into_iter().find(|name| names.contains(name))
    }

    /// Whether a password or a token is written in it, wherever a `?` or `;` may stand in one.
    fn holds_a_secret(rest: &str) -> bool {
        let parts = Parts::of(rest);
        let settings = decoded(parts.settings).to_lowercase();
        let is_secret = |setting: &str| {
            let name = setting.split('=').next().unwrap_or_default().trim();
            ["password", "token", "passfile", "sslpassword"].contains(&name)
        };
        // An @ behind the settings began with a password that holds a ? or a ;.
        parts.user.contains(':') || parts.settings.contains('@') || settings.split(['?', '&', ';']).any(is_secret)
    }
}

/// Whether a name is one of a database as a server has it: longer ones are cut there, and would name another one here.
fn is_database(name: &str) -> bool {
    (1..=LONGEST_DATABASE).contains(&name.len()) && !name.contains(['\0', '#', '@', '/'])
}

/// Whether what is no address of a server looks like one with a slip in it: a scheme in large letters, a wrong number
/// of slashes, another program's scheme, settings of a connection.
pub fn is_nearly_an_address(source: &str) -> bool {
    if ServerKind::of(source).is_some() {
        return false;
    }
    let low: String = source.to_lowercase().split_whitespace().collect();
    let scheme = low.split(['/', ':']).next().unwrap_or_default();
    let is_of_a_server = ["postgres", "postgresql", "pg", "pgsql", "psql", "sc"].contains(&scheme);
    let behind = low.get(scheme.len()..).unwrap_or_default();
    let has_settings = ["password=", "passwd=", "pwd=", "dbname=", "user="].iter().any(|setting| low.contains(setting));
    (is_of_a_server && (behind.starts_with(':') || behind.starts_with("//")))
        || (low.contains("://") && low.contains('@'))
        || (has_settings && !low.contains('/'))
        || (has_settings && low.contains("://"))
}

/// Refuses an address that cannot be meant, and keys that speak of files beside it.
pub(super) fn check_server(
    source: Option<&str>,
    password_variable: Option<&str>,
    dialect: &Dialect,
    fields: &Fields<'_>,
) -> Result<(), RequestError> {
    if source.is_some_and(is_nearly_an_address) {
        // Without its place, and without its words: a password may be anywhere in it.
        return Err(RequestError::new(
            "`source` is no address that is known, and is not repeated: it may hold a password",
        )
        .hint(
            "a server is source = \"postgres://user@host:5432/database\", or \"sc://host:15002\"; a file that is \
                 not on this machine: download it first",
        ));
    }
    let server = source.and_then(|source| Some((ServerKind::of(source)?, source.split_once("://")?.1)));
    let Some((kind, rest)) = server else {
        return match password_variable {
            None => Ok(()),
            Some(_) => Err(fields
                .refuse_key("password-env", "`password-env` goes with a server in `source`")
                .hint("source = \"postgres://user@host/database\"; files have no password here")),
        };
    };
    if Parts::holds_a_secret(rest) {
        // Without its place: the line would be shown.
        return Err(RequestError::new("`source` holds a password or a token, and many may read a request")
            .hint("leave it out, and name the environment variable that holds it: password-env = \"HR_PASSWORD\""));
    }
    let variable_is_name = |name: &str| {
        let mut letters = name.chars();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    if password_variable.is_some_and(|name| !variable_is_name(name)) {
        return Err(RequestError::new("`password-env` is the name of an environment variable, not what it holds")
            .hint("password-env = \"HR_PASSWORD\", and HR_PASSWORD is set where incrowd runs"));
    }
    let parts = Parts::of(rest);
    let (database, example) = match kind {
        ServerKind::PostgreSql => (is_database(&decoded(parts.path)), "postgres://user@host:5432/database"),
        ServerKind::Spark => (true, "sc://host:15002"),
    };
    let is_one_host = !parts.host.is_empty() && !parts.host.contains(',');
    if !is_one_host || !database || parts.user.contains('@') || parts.path.contains('/') {
        return Err(RequestError::new(format!("`source` is no address of a {} server", kind.as_str()))
            .hint(format!("source = \"{example}\", with @ as %40 inside names")));
    }
    if let Some(setting) = parts.elsewhere() {
        return Err(fields
            .refuse_key("source", format!("the setting `{setting}` of `source` could lead to another server"))
            .hint("write host, port and database before the settings: postgres://user@host:5432/database"));
    }
    if dialect.table.is_none() {
        return Err(fields
            .refuse_key("source", format!("a {} server has many tables, and none is named", kind.as_str()))
            .hint("table = \"schema.visits\" in [data]"));
    }
    match dialect.canonical().keys().find(|key| key.as_str() != "table") {
        None => Ok(()),
        Some(key) => Err(fields
            .refuse_key(key, format!("`{key}` says how a file is written, and the data is on a server"))
            .hint("leave it out; types of text columns can be declared in [data.types]")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Colour, Request};

    fn request(data: &str) -> String {
        format!(
            "[data]\n{data}\n[[bins]]\nname = \"sex\"\ncolumn = \"sex\"\nvalues = [\"F\", \"M\"]\n\
             [promise]\nkind = \"differential-privacy\"\nepsilon = 1\n"
        )
    }

    fn refused(data: &str) -> String {
        let text = request(data);
        let error = Request::parse(&text).expect_err(data);
        error.render("request.toml", &text, Colour::Plain)
    }

    #[test]
    fn a_place_is_shown_without_who_and_how() {
        for (source, shown) in [
            ("postgres://ann@DB.example:5433/hr", "postgres://db.example:5433/hr"),
            ("postgresql://db.example/hr?sslmode=disable", "postgres://db.example/hr"),
            ("sc://Spark.example:15002/;use_ssl=true;user_id=ann", "sc://spark.example:15002"),
        ] {
            assert_eq!(ServerPlace::of(source).expect(source).to_string(), shown);
        }
        for source in ["people.csv", "-", "/data/postgres://x", "http://x/y"] {
            assert_eq!(ServerPlace::of(source), None, "{source}");
        }
    }

    #[test]
    fn a_request_with_a_table_of_a_server_is_read() {
        for data in [
            "source = \"postgres://ann@db/hr\"\ntable = \"clinic.visits\"",
            "source = \"postgres://db:5433/hr?sslmode=disable\"\ntable = \"visits\"\npassword-env = \"HR\"",
            "source = \"sc://spark:15002/;use_ssl=true\"\ntable = \"main.clinic.visits\"",
        ] {
            let text = request(data);
            assert!(Request::parse(&text).is_ok(), "{:?}", Request::parse(&text));
        }
    }

    #[test]
    fn no_password_is_taken_or_said_back() {
        for source in [
            "postgres://ann:SESAME@db/hr",
            "postgres://ann:SES?AME@db/hr",
            "postgres://ann:SES;AME@db/hr",
            "postgres://ann:SES/AME@db/hr",
            "postgres://ann:@db/hr",
            "postgres://db/hr?password=SESAME",
            "postgres://db/hr?sslmode=disable&PASSWORD=SESAME",
            "sc://spark:15002/;token=SESAME",
            "sc://spark:15002/;use_ssl=true;Token=SESAME",
        ] {
            let said = refused(&format!("source = \"{source}\"\ntable = \"t\""));
            assert!(said.contains("holds a password or a token") && said.contains("password-env"), "{said}");
            assert!(!said.contains("SES") && !said.contains("AME"), "{said}");
        }
        for source in [
            "Postgres://ann:SESAME@db/hr",
            " postgres://ann:SESAME@db/hr",
            "postgres:/ann:SESAME@db/hr",
            "postgres:ann:SESAME@db/hr",
            "postgres//ann:SESAME@db/hr",
            "pg://ann:SESAME@db/hr",
            "jdbc:postgres://ann:SESAME@db/hr",
            "mysql://ann:SESAME@db/hr",
            "host=db user=ann password=SESAME",
        ] {
            let said = refused(&format!("source = \"{source}\"\ntable = \"t\""));
            assert!(said.contains("no address that is known") && !said.contains("SESAME"), "{said}");
        }
        for source in ["people.csv", "postgres/visits.csv", "C:/data/people.csv", "../user=x/people.csv", "s3://b/p"] {
            assert!(!is_nearly_an_address(source), "{source}");
        }
        // A line with another mistake hides it, too.
        let said = refused("source = postgres://ann:SESAME@db/hr");
        assert!(!said.contains("SESAME") && said.contains("@db/hr"), "{said}");
    }

    #[test]
    fn what_cannot_be_meant_of_a_server_is_refused() {
        for (data, expected) in [
            ("source = \"postgres://db/hr\"", "has many tables, and none is named"),
            ("source = \"postgres://db\"\ntable = \"t\"", "no address of a PostgreSQL server"),
            ("source = \"postgres://db/hr#SESAME\"\ntable = \"t\"", "no address of a PostgreSQL server"),
            (&format!("source = \"postgres://db/{}\"\ntable = \"t\"", "h".repeat(64)), "no address of a PostgreSQL"),
            ("source = \"postgres://db/hr\"\ntable = \"t\"\npassword-env = \"SES:AME\"", "not what it holds"),
            ("source = \"postgres://ann@\"\ntable = \"t\"", "no address of a PostgreSQL server"),
            ("source = \"postgres://a@b@db/hr\"\ntable = \"t\"", "no address of a PostgreSQL server"),
            ("source = \"sc:///\"\ntable = \"t\"", "no address of a Spark server"),
            ("source = \"postgres://one,two/hr\"\ntable = \"t\"", "no address of a PostgreSQL server"),
            ("source = \"postgres://db/hr?hostaddr=10.0.0.7\"\ntable = \"t\"", "`hostaddr` of `source` could lead"),
            ("source = \"postgres://db/hr?%68ost=other\"\ntable = \"t\"", "`host` of `source` could lead"),
            (
                "source = \"postgres://db/hr\"\ntable = \"t\"\ndelimiter = \";\"",
                "`delimiter` says how a file is written",
            ),
            ("source = \"sc://h:1\"\ntable = \"t\"\nformat = \"parquet\"", "`format` says how a file is written"),
            ("source = \"postgres://db/hr\"\ntable = \"t\"\npassword-env = \"A=B\"", "not what it holds"),
            ("source = \"people.csv\"\npassword-env = \"HR\"", "goes with a server"),
        ] {
            let said = refused(data);
            assert!(said.contains(expected), "{data}\n{said}");
        }
    }
}
