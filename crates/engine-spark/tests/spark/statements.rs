//! Statements that make the tables of tests, and what stands between an engine and its server.

use incrowd_conformance::question;
use incrowd_engine::Query;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tonic::client::Grpc;
use tonic::transport::Endpoint;
use tonic_prost::ProstCodec;

/// A query, in the messages that a statement needs: `Plan.root.sql.query`.
#[derive(Clone, PartialEq, prost::Message)]
struct Execute {
    #[prost(string, tag = "1")]
    session_id: String,
    #[prost(message, optional, tag = "2")]
    user: Option<Named>,
    #[prost(message, optional, tag = "3")]
    plan: Option<Plan>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Named {
    #[prost(string, tag = "1")]
    name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Plan {
    #[prost(message, optional, tag = "1")]
    root: Option<Relation>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Relation {
    #[prost(message, optional, tag = "10")]
    sql: Option<Named>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Ignored {}

/// Has the server run a statement.
pub fn run(sql: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let address = crate::server::address().replace("sc://", "http://");
        let channel = Endpoint::from_shared(address).expect("an address").connect().await.expect("a server");
        let mut grpc = Grpc::new(channel).max_decoding_message_size(128 << 20);
        let request = Execute {
            session_id: "00112233-4455-4677-8899-aabbccddeeff".into(),
            user: Some(Named { name: "tests".into() }),
            plan: Some(Plan { root: Some(Relation { sql: Some(Named { name: sql.into() }) }) }),
        };
        let mut request = tonic::Request::new(request);
        let token = format!("Bearer {}", crate::server::variable("SPARK_CONNECT_AUTHENTICATE_TOKEN"));
        request.metadata_mut().insert("authorization", token.parse().expect("a token"));
        grpc.ready().await.expect("ready");
        let path = http::uri::PathAndQuery::from_static("/spark.connect.SparkConnectService/ExecutePlan");
        let codec = ProstCodec::<Execute, Ignored>::default();
        let mut answers = grpc.server_streaming(request, path, codec).await.expect("asked").into_inner();
        while answers.message().await.unwrap_or_else(|error| panic!("{sql}: {error}")).is_some() {}
    });
}

/// Returns the question of `[data]` with these lines, and `[[bins]]` with those.
pub fn asked(data: &str, bins: &str) -> Query {
    let path = crate::server::folder("requests").join(format!("{:?}.toml", std::thread::current().id()));
    let text = format!(
        "release = \"histogram\"\n[data]\n{data}\n{bins}\n\
         [promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n[ledger]\ndataset = \"cases\"\n"
    );
    std::fs::write(&path, text).expect("written");
    question(&path, std::path::Path::new(""))
}

/// Somebody between an engine and a server who may cut the connection.
pub struct Between {
    /// Where it is.
    pub port: u16,
    open: Arc<Mutex<Vec<TcpStream>>>,
    lets_in: Arc<AtomicBool>,
    /// How many bytes came from the server.
    pub came: Arc<AtomicU64>,
}

impl Between {
    /// Stands between whoever asks for its port and the server.
    pub fn stands() -> Between {
        let server = crate::server::address().replace("sc://", "");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let between =
            Between { port, open: Arc::default(), lets_in: Arc::new(AtomicBool::new(true)), came: Arc::default() };
        let (open, lets_in, came) = (between.open.clone(), between.lets_in.clone(), between.came.clone());
        std::thread::spawn(move || {
            for here in listener.incoming() {
                let here = here.expect("a connection");
                if !lets_in.load(Ordering::SeqCst) {
                    continue;
                }
                let there = TcpStream::connect(&server).expect("a server");
                open.lock().expect("a list").extend([here.try_clone().expect("one"), there.try_clone().expect("one")]);
                pass_on(here.try_clone().expect("one"), there.try_clone().expect("one"), Arc::default());
                pass_on(there, here, came.clone());
            }
        });
        between
    }

    /// Cuts every connection; others may follow.
    pub fn cut(&self) {
        for stream in self.open.lock().expect("a list").drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Cuts every connection, and lets nobody in any more.
    pub fn close(&self) {
        self.lets_in.store(false, Ordering::SeqCst);
        self.cut();
    }
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, count: Arc<AtomicU64>) {
    std::thread::spawn(move || {
        let mut bytes = [0u8; 16 << 10];
        while let Ok(read) = from.read(&mut bytes) {
            if read == 0 || to.write_all(&bytes[..read]).is_err() {
                break;
            }
            count.fetch_add(read as u64, Ordering::SeqCst);
        }
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    });
}
