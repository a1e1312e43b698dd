//! Where a Spark server is, and how to speak to it.
//!
//! It must never print a token, nor send one where somebody on the way could read it. It is separate because an address
//! is read before anybody speaks to a server. Read `wire/link.rs` for who does.

use incrowd_engine::SourceError;
use std::fmt;
use std::net::IpAddr;

/// The port that servers listen on unless they are told otherwise.
const USUAL_PORT: u16 = 15002;
/// The variable in which Spark's own clients look for a token.
const USUAL_VARIABLE: &str = "SPARK_CONNECT_AUTHENTICATE_TOKEN";

/// Where a server is, and how to speak to it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Address {
    host: String,
    port: u16,
    /// Whether the way is encrypted.
    pub(crate) way: Way,
    /// On whose behalf.
    pub(crate) user: String,
    /// What is said beside every call, by name.
    pub(crate) headers: Vec<(String, String)>,
    /// What opens the server; never shown.
    pub(crate) token: Option<String>,
}

/// Whether somebody on the way could read along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Nobody could.
    Encrypted,
    /// It does not leave this machine, or the address asks for it.
    Clear,
}

/// Says where, never who and how.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place())
    }
}

impl Address {
    /// Returns the address `sc://host:15002/;use_ssl=true;user_id=ann`, with the token that this variable holds, or the
    /// one of Spark's own clients.
    ///
    /// To another machine the way is encrypted, or there is none, unless the address says `use_ssl=false`.
    pub(crate) fn read(
        text: &str,
        variable: Option<&str>,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Address, SourceError> {
        let no_address = || SourceError {
            message: format!("{:?} is no address of a Spark server", place_of(text)),
            hint: "source = \"sc://host:15002\", with settings behind it: \"sc://host:15002/;use_ssl=true\"".into(),
        };
        let rest = text.strip_prefix("sc://").ok_or_else(no_address)?;
        let (place, settings) = rest.split_once(';').unwrap_or((rest, ""));
        let place = place.strip_suffix('/').unwrap_or(place);
        let (host, port) = host_and_port(place).ok_or_else(no_address)?;
        let mut address = Address {
            way: if is_this_machine(&host) { Way::Clear } else { Way::Encrypted },
            host,
            port,
            user: "incrowd".into(),
            headers: Vec::new(),
            token: None,
        };
        for setting in settings.split(';').filter(|setting| !setting.is_empty()) {
            address.set(setting)?;
        }
        address.token = token(variable, environment)?;
        if address.token.is_some() && address.way == Way::Clear && !address.is_on_this_machine() {
            return Err(SourceError {
                message: format!("the way to {} is not encrypted, and a token would be sent on it", address.place()),
                hint: "leave use_ssl=false out of `source`, or the token out of the environment".into(),
            });
        }
        Ok(address)
    }

    fn set(&mut self, setting: &str) -> Result<(), SourceError> {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        match (name.trim(), value.trim()) {
            ("use_ssl", "true") => self.way = Way::Encrypted,
            ("use_ssl", "false") => self.way = Way::Clear,
            ("user_id", user) if !user.is_empty() => self.user = user.to_owned(),
            (name, value) if is_header(name) && is_said(value) => {
                self.headers.push((name.to_owned(), value.to_owned()))
            }
            (name, _) => {
                return Err(SourceError {
                    message: format!("the setting {name:?} of `source` is not known, or has no such value"),
                    hint: "settings are use_ssl=true or false, user_id=NAME, and headers such as x-cluster-id=NAME"
                        .into(),
                });
            }
        }
        Ok(())
    }

    /// Whether the server is on this machine.
    pub(crate) fn is_on_this_machine(&self) -> bool {
        is_this_machine(&self.host)
    }

    /// The address as messages name it: without user, token and settings.
    pub(crate) fn place(&self) -> String {
        format!("sc://{}:{}", self.host, self.port)
    }

    /// The address as the transport wants it.
    pub(crate) fn endpoint(&self) -> String {
        let scheme = match self.way {
            Way::Encrypted => "https",
            Way::Clear => "http",
        };
        format!("{scheme}://{}:{}", self.host, self.port)
    }
}

/// Where a text says that a server is, without what may be secret behind it.
fn place_of(text: &str) -> &str {
    let end = text.find(';').unwrap_or(text.len());
    let start = text[..end].rfind('@').map_or(0, |at| at + 1);
    &text[start..end]
}

fn host_and_port(place: &str) -> Option<(String, u16)> {
    let (host, port) = match place.rsplit_once(':') {
        // The colons of an address in brackets are its own.
        Some((_, behind)) if behind.ends_with(']') => (place, USUAL_PORT),
        Some((host, port)) => (host, port.parse().ok()?),
        None => (place, USUAL_PORT),
    };
    let is_name = |host: &str| host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    let is_bracketed = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .is_some_and(|host| host.parse::<std::net::Ipv6Addr>().is_ok());
    (!host.is_empty() && (is_name(host) || is_bracketed)).then(|| (host.to_lowercase(), port))
}

fn is_this_machine(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Whether a name is one of a header that platforms define for themselves.
fn is_header(name: &str) -> bool {
    name.starts_with("x-")
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte.is_ascii_digit())
}

fn is_said(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Returns what the variable holds; the one of Spark's own clients may be unset.
fn token(variable: Option<&str>, environment: &dyn Fn(&str) -> Option<String>) -> Result<Option<String>, SourceError> {
    let found = environment(variable.unwrap_or(USUAL_VARIABLE)).filter(|token| !token.is_empty());
    let name = variable.unwrap_or(USUAL_VARIABLE);
    match found {
        Some(token) if is_said(&token) => Ok(Some(token)),
        Some(_) => Err(SourceError {
            message: format!("the environment variable {name} holds no token: a token is one word of ASCII signs"),
            hint: format!("set {name} anew, without a blank or a new line"),
        }),
        None if variable.is_some() => Err(SourceError {
            message: format!("the environment variable {name} is not set, and `password-env` names it"),
            hint: format!("export {name}=... before incrowd is started"),
        }),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, token: Option<&str>) -> Result<Address, SourceError> {
        Address::read(text, None, &|name| token.filter(|_| name == USUAL_VARIABLE).map(str::to_owned))
    }

    #[test]
    fn the_way_to_another_machine_is_encrypted_unless_the_address_says_otherwise() {
        for (text, way, endpoint) in [
            ("sc://localhost", Way::Clear, "http://localhost:15002"),
            ("sc://127.0.0.1:15003/", Way::Clear, "http://127.0.0.1:15003"),
            ("sc://[::1]:7", Way::Clear, "http://[::1]:7"),
            ("sc://[::1]", Way::Clear, "http://[::1]:15002"),
            ("sc://localhost/;use_ssl=true", Way::Encrypted, "https://localhost:15002"),
            ("sc://Spark.example:443", Way::Encrypted, "https://spark.example:443"),
            ("sc://10.0.0.7/;use_ssl=true;user_id=ann", Way::Encrypted, "https://10.0.0.7:15002"),
            ("sc://10.0.0.7/;use_ssl=false", Way::Clear, "http://10.0.0.7:15002"),
            ("sc://localhost.example", Way::Encrypted, "https://localhost.example:15002"),
        ] {
            let address = read(text, None).expect(text);
            assert_eq!((address.way, address.endpoint().as_str()), (way, endpoint), "{text}");
        }
    }

    #[test]
    fn a_token_is_never_sent_in_the_clear_to_another_machine() {
        assert!(read("sc://10.0.0.7/;use_ssl=false", Some("sesame")).is_err());
        assert!(read("sc://10.0.0.7", Some("sesame")).is_ok());
        assert!(read("sc://127.0.0.1", Some("sesame")).is_ok());
        for token in ["two words", "new\nline", "é"] {
            let refused = read("sc://127.0.0.1", Some(token)).expect_err("no token");
            assert!(!refused.message.contains(token) && !refused.hint.contains(token));
        }
    }

    #[test]
    fn a_variable_that_is_named_must_hold_a_token() {
        let found = Address::read("sc://spark", Some("HR"), &|name| (name == "HR").then(|| "sesame".to_owned()));
        assert_eq!(found.expect("an address").token.as_deref(), Some("sesame"));
        let refused = Address::read("sc://spark", Some("HR"), &|_| None).expect_err("unset");
        assert!(refused.message.contains("HR is not set"), "{}", refused.message);
    }

    #[test]
    fn nobody_and_nothing_secret_is_named() {
        let address = read("sc://spark:99/;user_id=ann;x-cluster-id=c7", Some("sesame")).expect("an address");
        assert_eq!(format!("{address:?}"), "sc://spark:99");
        assert_eq!(address.headers, [("x-cluster-id".to_owned(), "c7".to_owned())]);
        let refused = read("sc://ann:sesame@spark/;token=sesame", None).expect_err("no address");
        assert!(!format!("{refused:?}").contains("sesame"));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "sc://",
            "sc:///x",
            "sc://spark:port",
            "sc://spark:99999",
            "sc://spark/path",
            "sc://a,b",
            "sc://[1]",
            "sc://spark/;use_ssl=yes",
            "sc://spark/;session_id=1",
            "sc://spark/;x-a=b c",
            "sc://spark/;X-A=b",
            "http://spark",
        ] {
            assert!(read(text, None).is_err(), "{text}");
        }
    }
}
