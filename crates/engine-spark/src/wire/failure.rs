//! All that may be said about a Spark server that did not do what it was asked.
//!
//! It must never hold a sentence of the server or of a library: those quote rows ("The value 'Miller, HIV+' ... cannot
//! be cast") and tokens. It is separate because a failure means one thing before the charge and another after it. Read
//! `link.rs` for where failures come from, `../problem.rs` for what is said of them.

use super::messages::{ErrorInfo, FailureDetails};
use prost::Message;
use std::error::Error;
use tonic::{Code, Status};

/// What went wrong, by its kind alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WireError {
    /// No server answers there.
    NoServer,
    /// The way to the server cannot be encrypted, or its certificate is not trusted.
    NotEncrypted,
    /// Something answers there that is no Spark Connect server.
    NotSpark,
    /// The server does not let this user in.
    NoAccess,
    /// The server does not let this user do that.
    NotAllowed,
    /// A table, a path or a column is not there.
    NotThere,
    /// The server does not have what reads that format.
    NoFormat,
    /// The server cannot tell the types of what is there.
    NoTypes,
    /// The server does not let a session have this setting.
    NoSetting(&'static str),
    /// The way to the server broke, and what was asked with it.
    Lost,
    /// The server did not answer in time.
    Unanswered,
    /// The query was stopped.
    Stopped,
    /// The answer is larger than may be taken.
    TooLarge,
    /// The server could not do it.
    Failed,
    /// The server answered with something else than was asked for.
    Contract,
}

/// What becomes of a query whose stream of answers ended with a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Afterwards {
    /// The connection broke, or the server closed it: the query goes on there, and its answers can be asked for again.
    Reattach,
    /// The server does not know the query: it has never heard of it, if it gave no answer to it.
    Unknown,
    /// The query has failed.
    Failed(WireError),
}

impl WireError {
    /// Returns what a failed call says, without its sentence.
    pub(crate) fn of(status: &Status) -> WireError {
        if let Some(class) = error_class(status) {
            return of_class(&class);
        }
        match status.code() {
            Code::Unauthenticated => WireError::NoAccess,
            Code::PermissionDenied => WireError::NotAllowed,
            Code::Unimplemented => WireError::NotSpark,
            Code::OutOfRange | Code::ResourceExhausted => WireError::TooLarge,
            Code::DeadlineExceeded => WireError::Unanswered,
            Code::Cancelled => WireError::Stopped,
            Code::Unavailable => WireError::Lost,
            _ if is_of_transport(status) => WireError::Lost,
            _ => WireError::Failed,
        }
    }

    /// Returns why there is no connection.
    pub(crate) fn of_connecting(error: &tonic::transport::Error) -> WireError {
        // The kinds of failure of an encrypted way are told in words only, somewhere below.
        let mut cause: Option<&dyn Error> = Some(error);
        while let Some(error) = cause {
            let words = error.to_string();
            if ["certificate", "TLS", "tls", "HandshakeFailure", "corrupt message"]
                .iter()
                .any(|word| words.contains(word))
            {
                return WireError::NotEncrypted;
            }
            cause = error.source();
        }
        WireError::NoServer
    }
}

/// Returns what becomes of a query after this failure of its stream.
pub(crate) fn afterwards(status: &Status) -> Afterwards {
    match error_class(status).as_deref() {
        Some(class) if class.starts_with("INVALID_CURSOR.DISCONNECTED") => Afterwards::Reattach,
        Some(class) if class.starts_with("INVALID_HANDLE.OPERATION_NOT_FOUND") => Afterwards::Unknown,
        Some(class) => Afterwards::Failed(of_class(class)),
        None => match WireError::of(status) {
            WireError::Lost | WireError::Unanswered => Afterwards::Reattach,
            // Nobody here cancels a stream that is still wanted: the other side did.
            WireError::Stopped => Afterwards::Reattach,
            error => Afterwards::Failed(error),
        },
    }
}

/// Whether a failure came from below, so that no server said it.
fn is_of_transport(status: &Status) -> bool {
    status.source().is_some() || matches!(status.code(), Code::Unknown | Code::Internal) && status.details().is_empty()
}

/// Returns the name of the error among those that Spark has; nothing if the failure has none.
fn error_class(status: &Status) -> Option<String> {
    let details = FailureDetails::decode(status.details()).ok()?;
    let info = details.details.iter().find(|detail| detail.type_url.ends_with("google.rpc.ErrorInfo"))?;
    let mut info = ErrorInfo::decode(info.value.as_slice()).ok()?;
    // A failure of Spark without a name has still the names of its kinds.
    Some(info.metadata.remove("errorClass").unwrap_or_default())
}

fn of_class(class: &str) -> WireError {
    let (main, sub) = class.split_once('.').unwrap_or((class, ""));
    match main {
        "TABLE_OR_VIEW_NOT_FOUND"
        | "SCHEMA_NOT_FOUND"
        | "CATALOG_NOT_FOUND"
        | "PATH_NOT_FOUND"
        | "UNRESOLVED_COLUMN"
        | "INVALID_CATALOG"
        | "REQUIRES_SINGLE_PART_NAMESPACE"
        | "NO_SUCH_TABLE"
        | "DELTA_TABLE_NOT_FOUND"
        | "DELTA_PATH_DOES_NOT_EXIST"
        | "DELTA_MISSING_DELTA_TABLE" => WireError::NotThere,
        "DATA_SOURCE_NOT_FOUND" | "UNSUPPORTED_DATASOURCE_FOR_DIRECT_QUERY" => WireError::NoFormat,
        "UNABLE_TO_INFER_SCHEMA"
        | "FAILED_READ_FILE"
        | "CANNOT_READ_FILE_FOOTER"
        | "PARQUET_TYPE_ILLEGAL"
        | "COLUMN_ALREADY_EXISTS" => WireError::NoTypes,
        "INSUFFICIENT_PERMISSIONS" | "PERMISSION_DENIED" | "INSUFFICIENT_PERMISSIONS_NO_OWNER" => WireError::NotAllowed,
        "OPERATION_CANCELED" => WireError::Stopped,
        // The session is gone, and its settings with it: what is asked in another one may be read otherwise.
        "INVALID_HANDLE" if sub.starts_with("SESSION") => WireError::Lost,
        _ => WireError::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::messages::AnyDetail;
    use std::collections::HashMap;

    fn status(code: Code, class: Option<&str>) -> Status {
        let sentence = "The value 'Miller, HIV+' of the type \"STRING\" cannot be cast";
        let Some(class) = class else { return Status::new(code, sentence) };
        let metadata = HashMap::from([
            ("errorClass".to_owned(), class.to_owned()),
            ("messageParameters".to_owned(), "{\"expression\":\"'Miller, HIV+'\"}".to_owned()),
        ]);
        let value = ErrorInfo { metadata }.encode_to_vec();
        let detail = AnyDetail { type_url: "type.googleapis.com/google.rpc.ErrorInfo".into(), value };
        let details = FailureDetails { details: vec![detail] }.encode_to_vec();
        Status::with_details(code, sentence, details.into())
    }

    #[test]
    fn a_failure_is_known_by_its_name_and_says_no_more() {
        for (code, class, expected) in [
            (Code::Internal, Some("TABLE_OR_VIEW_NOT_FOUND"), WireError::NotThere),
            (Code::Internal, Some("CAST_INVALID_INPUT"), WireError::Failed),
            (Code::Internal, Some("UNRESOLVED_COLUMN.WITH_SUGGESTION"), WireError::NotThere),
            (Code::Internal, Some("INVALID_HANDLE.SESSION_CHANGED"), WireError::Lost),
            (Code::Unauthenticated, None, WireError::NoAccess),
            (Code::Unavailable, None, WireError::Lost),
            (Code::OutOfRange, None, WireError::TooLarge),
            (Code::Unimplemented, None, WireError::NotSpark),
        ] {
            let error = WireError::of(&status(code, class));
            assert_eq!(error, expected, "{class:?}");
            assert!(!format!("{error:?}").contains("Miller"));
        }
    }

    #[test]
    fn a_query_goes_on_when_its_way_broke_and_not_when_it_failed() {
        for (code, class, expected) in [
            (Code::Unavailable, None, Afterwards::Reattach),
            (Code::Unknown, None, Afterwards::Reattach),
            (Code::Internal, Some("INVALID_CURSOR.DISCONNECTED"), Afterwards::Reattach),
            (Code::Internal, Some("INVALID_HANDLE.OPERATION_NOT_FOUND"), Afterwards::Unknown),
            (Code::Internal, Some("INVALID_HANDLE.SESSION_NOT_FOUND"), Afterwards::Failed(WireError::Lost)),
            (Code::Internal, Some("OPERATION_CANCELED"), Afterwards::Failed(WireError::Stopped)),
            (Code::Internal, Some("DIVIDE_BY_ZERO"), Afterwards::Failed(WireError::Failed)),
            (Code::Unauthenticated, None, Afterwards::Failed(WireError::NoAccess)),
        ] {
            assert_eq!(afterwards(&status(code, class)), expected, "{code:?} {class:?}");
        }
    }
}
