//! A session on a Spark server, with settings that are ours.
//!
//! It must never take another session for its own: a server that was started anew has forgotten the settings, and says
//! so, because it is told which session is meant. It is separate from `running.rs` because names and types are asked
//! for before the charge, rows behind it. Read `running.rs` next.

use super::failure::WireError;
use super::link::{ANSWER, Caller, Link};
use super::messages::{
    AnalyzeRequest, AnalyzeResponse, ConfigOperation, ConfigRequest, ConfigResponse, ConfigSet, Empty, KeyValue, Plan,
    ReleaseSessionRequest, SchemaOf, StructField, TypeKind, UserContext,
};
use crate::address::Address;
use incrowd_engine::{Unwatched, Watch};
use std::time::Duration;

/// How long to wait for names and types: a cluster may have to ask a catalogue, or files far away.
const LOOK: Duration = Duration::from_secs(300);
/// How long to wait for a server to hear that a session is over.
const FAREWELL: Duration = Duration::from_secs(2);

const CONFIG: &str = "/spark.connect.SparkConnectService/Config";
const ANALYZE: &str = "/spark.connect.SparkConnectService/AnalyzePlan";
const RELEASE_SESSION: &str = "/spark.connect.SparkConnectService/ReleaseSession";

/// A session.
pub(crate) struct Session {
    pub(crate) link: Link,
    /// Which session it is.
    pub(crate) known: Known,
}

/// Which session is meant.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    /// Its name, ours.
    pub(crate) id: String,
    /// Its name, the server's.
    pub(crate) server_id: String,
    /// On whose behalf.
    pub(crate) user: String,
}

impl Known {
    /// Returns on whose behalf, as messages say it.
    pub(crate) fn user_context(&self) -> Option<UserContext> {
        Some(UserContext { user_id: self.user.clone() })
    }

    /// Returns the server's name of it, as messages say it.
    pub(crate) fn server_session_id(&self) -> Option<String> {
        Some(self.server_id.clone())
    }
}

impl Session {
    /// Returns a new session in which these settings hold.
    pub(crate) fn open(
        address: &Address,
        settings: &'static [(&'static str, &'static str)],
        watch: &dyn Watch,
    ) -> Result<Session, WireError> {
        let link = Link::connect(address, watch)?;
        let id = new_name().ok_or(WireError::NoServer)?;
        let known = Known { id, server_id: String::new(), user: address.user.clone() };
        let mut session = Session { link, known };
        match session.set(settings, watch) {
            Ok(server_id) => session.known.server_id = server_id,
            Err(WireError::Failed) => {
                // Which one it was.
                for (name, value) in settings {
                    session.set(&[(*name, *value)], watch).map_err(|error| match error {
                        WireError::Failed => WireError::NoSetting(name),
                        error => error,
                    })?;
                }
                return Err(WireError::Failed);
            }
            Err(error) => return Err(error),
        }
        Ok(session)
    }

    fn set(&self, settings: &[(&str, &str)], watch: &dyn Watch) -> Result<String, WireError> {
        let pair = |(key, value): &(&str, &str)| KeyValue { key: (*key).into(), value: Some((*value).into()) };
        let set = ConfigSet { pairs: settings.iter().map(pair).collect() };
        let request = ConfigRequest {
            session_id: self.known.id.clone(),
            user_context: self.known.user_context(),
            operation: Some(ConfigOperation { set: Some(set) }),
            server_session_id: None,
        };
        // A server that has just been started answers its first call late.
        let answer = self.link.wait(3 * ANSWER, watch, self.caller().ask::<_, ConfigResponse>(CONFIG, request))?;
        Ok(answer.server_session_id)
    }

    /// Returns the names and types of a query's columns. No row is read for it: the server analyses the query, and of
    /// files that carry their types reads those.
    pub(crate) fn columns_of(&self, query: &str, watch: &dyn Watch) -> Result<Vec<StructField>, WireError> {
        let request = AnalyzeRequest {
            session_id: self.known.id.clone(),
            user_context: self.known.user_context(),
            schema: Some(SchemaOf { plan: Some(Plan::of_query(query)) }),
            server_session_id: self.known.server_session_id(),
        };
        let answer: AnalyzeResponse = self.link.wait(LOOK, watch, self.caller().ask(ANALYZE, request))?;
        let kind = answer.schema.and_then(|found| found.schema).and_then(|schema| schema.kind);
        match kind {
            Some(TypeKind::Struct(columns)) => Ok(columns.fields),
            Some(_) | None => Err(WireError::Contract),
        }
    }

    pub(crate) fn caller(&self) -> Caller {
        self.link.caller.clone()
    }
}

impl Drop for Session {
    /// Has the server forget it, and stop what runs in it.
    fn drop(&mut self) {
        let request =
            ReleaseSessionRequest { session_id: self.known.id.clone(), user_context: self.known.user_context() };
        let _ = self.link.wait(FAREWELL, &Unwatched, self.caller().ask::<_, Empty>(RELEASE_SESSION, request));
    }
}

/// Returns a name that nobody else has, in the form that Spark asks for; nothing if there is no randomness.
pub(crate) fn new_name() -> Option<String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).ok()?;
    // Version 4, variant 1.
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(format!("{}-{}-{}-{}-{}", &digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]))
}
