//! The few messages of Spark Connect that a count needs, by their numbers in `spark/connect/base.proto` and
//! `types.proto` (Spark 4).
//!
//! Fields that are left out here are skipped when they are read. It must never hold a field that carries a server's
//! sentence. It is separate, and written by hand, so that nobody needs a compiler of protocols
//! (`docs/decisions/0038-spark-connect.md`). Read `link.rs` for who sends them.

use prost::{Message, Oneof};
use std::collections::HashMap;
use std::fmt;

/// On whose behalf.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct UserContext {
    #[prost(string, tag = "1")]
    pub(crate) user_id: String,
}

/// A query as text.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Sql {
    #[prost(string, tag = "1")]
    pub(crate) query: String,
}

/// What gives rows.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Relation {
    #[prost(message, optional, tag = "10")]
    pub(crate) sql: Option<Sql>,
}

/// What is to be done.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Plan {
    #[prost(message, optional, tag = "1")]
    pub(crate) root: Option<Relation>,
}

impl Plan {
    /// Returns the plan of a query.
    pub(crate) fn of_query(query: &str) -> Plan {
        Plan { root: Some(Relation { sql: Some(Sql { query: query.to_owned() }) }) }
    }
}

/// Has a query run.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ExecuteRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    #[prost(message, optional, tag = "3")]
    pub(crate) plan: Option<Plan>,
    #[prost(message, repeated, tag = "5")]
    pub(crate) options: Vec<RequestOption>,
    #[prost(string, optional, tag = "6")]
    pub(crate) operation_id: Option<String>,
    #[prost(string, optional, tag = "8")]
    pub(crate) server_session_id: Option<String>,
}

/// How a query is to be run.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RequestOption {
    #[prost(oneof = "OptionKind", tags = "1, 2")]
    pub(crate) kind: Option<OptionKind>,
}

/// One way in which a query is to be run.
#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum OptionKind {
    #[prost(message, tag = "1")]
    Reattach(ReattachOptions),
    #[prost(message, tag = "2")]
    Chunking(ChunkingOptions),
}

/// Whether a query goes on when the connection breaks.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReattachOptions {
    #[prost(bool, tag = "1")]
    pub(crate) reattachable: bool,
}

/// Whether a batch may come in several messages.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ChunkingOptions {
    #[prost(bool, tag = "1")]
    pub(crate) allowed: bool,
    #[prost(int64, optional, tag = "2")]
    pub(crate) preferred_bytes: Option<i64>,
}

/// One of the answers to a query.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ExecuteResponse {
    #[prost(string, tag = "13")]
    pub(crate) response_id: String,
    #[prost(string, tag = "15")]
    pub(crate) server_session_id: String,
    #[prost(oneof = "AnswerKind", tags = "2, 14, 18")]
    pub(crate) kind: Option<AnswerKind>,
}

/// What an answer holds.
#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum AnswerKind {
    #[prost(message, tag = "2")]
    Batch(ArrowBatch),
    #[prost(message, tag = "14")]
    Complete(Empty),
    #[prost(message, tag = "18")]
    Progress(Progress),
}

/// Rows, or a chunk of them. Mute: what it holds is about people.
#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
pub(crate) struct ArrowBatch {
    #[prost(int64, tag = "1")]
    pub(crate) rows: i64,
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) data: Vec<u8>,
    #[prost(int64, optional, tag = "3")]
    pub(crate) start: Option<i64>,
    #[prost(int64, optional, tag = "4")]
    pub(crate) chunk: Option<i64>,
    #[prost(int64, optional, tag = "5")]
    pub(crate) chunks: Option<i64>,
}

/// How far a query is.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Progress {
    #[prost(message, repeated, tag = "1")]
    pub(crate) stages: Vec<Stage>,
}

/// How far a stage of a query is.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Stage {
    #[prost(int64, tag = "4")]
    pub(crate) input_bytes: i64,
}

/// Nothing.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Empty {}

/// Asks for the answers of a query from a place on.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReattachRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    #[prost(string, tag = "3")]
    pub(crate) operation_id: String,
    #[prost(string, optional, tag = "5")]
    pub(crate) last_response_id: Option<String>,
    #[prost(string, optional, tag = "6")]
    pub(crate) server_session_id: Option<String>,
}

/// Says which answers are not needed again.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReleaseRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    #[prost(string, tag = "3")]
    pub(crate) operation_id: String,
    #[prost(message, optional, tag = "6")]
    pub(crate) until: Option<ReleaseUntil>,
    #[prost(string, optional, tag = "7")]
    pub(crate) server_session_id: Option<String>,
}

/// Those up to this one.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReleaseUntil {
    #[prost(string, tag = "1")]
    pub(crate) response_id: String,
}

/// Asks to stop a query.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct InterruptRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    /// 3: the one of this name.
    #[prost(int32, tag = "4")]
    pub(crate) interrupt_type: i32,
    #[prost(string, optional, tag = "6")]
    pub(crate) operation_id: Option<String>,
    #[prost(string, optional, tag = "7")]
    pub(crate) server_session_id: Option<String>,
}

/// Ends a session.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ReleaseSessionRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
}

/// Sets what a session does.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConfigRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    #[prost(message, optional, tag = "3")]
    pub(crate) operation: Option<ConfigOperation>,
    #[prost(string, optional, tag = "8")]
    pub(crate) server_session_id: Option<String>,
}

/// What is done to settings.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConfigOperation {
    #[prost(message, optional, tag = "1")]
    pub(crate) set: Option<ConfigSet>,
}

/// Settings and their values.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConfigSet {
    #[prost(message, repeated, tag = "1")]
    pub(crate) pairs: Vec<KeyValue>,
}

/// A setting and its value.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct KeyValue {
    #[prost(string, tag = "1")]
    pub(crate) key: String,
    #[prost(string, optional, tag = "2")]
    pub(crate) value: Option<String>,
}

/// That settings were made.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ConfigResponse {
    #[prost(string, tag = "4")]
    pub(crate) server_session_id: String,
}

/// Asks for the names and types of a query's columns.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct AnalyzeRequest {
    #[prost(string, tag = "1")]
    pub(crate) session_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) user_context: Option<UserContext>,
    #[prost(message, optional, tag = "4")]
    pub(crate) schema: Option<SchemaOf>,
    #[prost(string, optional, tag = "17")]
    pub(crate) server_session_id: Option<String>,
}

/// The query whose columns are asked for.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SchemaOf {
    #[prost(message, optional, tag = "1")]
    pub(crate) plan: Option<Plan>,
}

/// Names and types.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct AnalyzeResponse {
    #[prost(message, optional, tag = "2")]
    pub(crate) schema: Option<SchemaFound>,
}

/// The type of a query's rows.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SchemaFound {
    #[prost(message, optional, tag = "1")]
    pub(crate) schema: Option<SparkType>,
}

/// A type.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SparkType {
    #[prost(oneof = "TypeKind", tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 28")]
    pub(crate) kind: Option<TypeKind>,
}

/// The types that can be told apart; all others are none of these.
#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum TypeKind {
    #[prost(message, tag = "1")]
    Null(Empty),
    #[prost(message, tag = "2")]
    Binary(Empty),
    #[prost(message, tag = "3")]
    Boolean(Empty),
    #[prost(message, tag = "4")]
    Byte(Empty),
    #[prost(message, tag = "5")]
    Short(Empty),
    #[prost(message, tag = "6")]
    Integer(Empty),
    #[prost(message, tag = "7")]
    Long(Empty),
    #[prost(message, tag = "8")]
    Float(Empty),
    #[prost(message, tag = "9")]
    Double(Empty),
    #[prost(message, tag = "10")]
    Decimal(DecimalType),
    #[prost(message, tag = "11")]
    Text(Empty),
    #[prost(message, tag = "12")]
    Char(Empty),
    #[prost(message, tag = "13")]
    VarChar(Empty),
    #[prost(message, tag = "14")]
    Date(Empty),
    #[prost(message, tag = "15")]
    Timestamp(Empty),
    #[prost(message, tag = "16")]
    TimestampWithoutZone(Empty),
    #[prost(message, tag = "17")]
    CalendarInterval(Empty),
    #[prost(message, tag = "18")]
    YearMonthInterval(Empty),
    #[prost(message, tag = "19")]
    DayTimeInterval(Empty),
    #[prost(message, tag = "21")]
    Struct(StructType),
    #[prost(message, tag = "28")]
    Time(Empty),
}

/// The digits of a decimal.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct DecimalType {
    #[prost(int32, optional, tag = "1")]
    pub(crate) scale: Option<i32>,
    #[prost(int32, optional, tag = "2")]
    pub(crate) precision: Option<i32>,
}

/// Columns.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct StructType {
    #[prost(message, repeated, tag = "1")]
    pub(crate) fields: Vec<StructField>,
}

/// A column.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct StructField {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) kind: Option<SparkType>,
}

/// What `grpc-status-details-bin` holds of a failure; its message is left out.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct FailureDetails {
    #[prost(message, repeated, tag = "3")]
    pub(crate) details: Vec<AnyDetail>,
}

/// One detail, of a kind that is named. Mute, too.
#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
pub(crate) struct AnyDetail {
    #[prost(string, tag = "1")]
    pub(crate) type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) value: Vec<u8>,
}

/// The kind of a failure: `errorClass` among what is told of it. Mute: the rest may quote rows.
#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
pub(crate) struct ErrorInfo {
    #[prost(map = "string, string", tag = "3")]
    pub(crate) metadata: HashMap<String, String>,
}

impl fmt::Debug for ArrowBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ArrowBatch")
    }
}

impl fmt::Debug for AnyDetail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyDetail")
    }
}

impl fmt::Debug for ErrorInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ErrorInfo")
    }
}
