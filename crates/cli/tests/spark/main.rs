//! A release of a table in a real Spark server, from end to end, by the commands of docs/spark-source.md:
//! `tests/spark/server cargo test --release --workspace --test spark -- --ignored --test-threads 1`.

#[allow(dead_code)]
#[path = "../release/place.rs"]
mod place;

use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use place::{Place, Said};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

const DOCUMENT: &str = include_str!("../../../../docs/spark-source.md");

/// Returns the first block of a language behind a line.
fn block<'d>(behind: &str, language: &str) -> &'d str {
    let (_, rest) = DOCUMENT.split_once(behind).expect("a heading");
    let (_, rest) = rest.split_once(&format!("```{language}\n")).expect("a block");
    rest.split_once("```").expect("its end").0
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run this by tests/spark/server"))
}

/// Returns a new folder that the server sees, too.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(variable("INCROWD_TEST_SPARK_FOLDER")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Visits of patients as CSV, each patient in one ward.
fn visits() -> String {
    let visit = |number: u32| {
        format!("p{},{},{}\n", number / 2, ["north", "south", "east"][number as usize / 2 % 3], number % 90)
    };
    std::iter::once("patient,ward,age\n".to_owned()).chain((0..6_000).map(visit)).collect()
}

/// Writes CSV as Parquet.
fn to_parquet(csv: &str, path: &Path) {
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let texts =
        |place: usize| -> ArrayRef { Arc::new(rows.iter().map(|row| Some(row[place])).collect::<StringArray>()) };
    let ages: Int32Array = rows.iter().map(|row| row[2].parse::<i32>().ok()).collect();
    let columns = [("patient", texts(0)), ("ward", texts(1)), ("age", Arc::new(ages) as ArrayRef)];
    let batch = RecordBatch::try_from_iter(columns).expect("a table");
    let mut writer =
        ArrowWriter::try_new(std::fs::File::create(path).expect("a file"), batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
}

/// Returns the request of the document, about files in a folder of the server.
fn request(folder: &Path) -> String {
    let request = block("## From beginning to end", "toml");
    assert!(request.contains("sc://spark.example:15002") && request.contains("parquet.`/data/visits`"));
    request
        .replace("sc://spark.example:15002", &variable("INCROWD_TEST_SPARK"))
        .replace("/data/visits", &folder.to_string_lossy())
}

fn typed(place: &Place, line: &str) -> Said {
    let words: Vec<&str> = line.strip_prefix("$ incrowd ").expect("a command of incrowd").split_whitespace().collect();
    place.run(&words)
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn the_walk_of_the_document_releases_a_table_of_a_cluster() {
    let (place, folder, csv) = (Place::new(), folder("visits"), visits());
    to_parquet(&csv, &folder.join("visits.parquet"));
    place.write("visits.toml", request(&folder));
    let mut said = Vec::new();
    for line in block("## From beginning to end", "console").lines().filter(|line| line.starts_with("$ ")) {
        let one = typed(&place, line);
        assert_eq!(one.code, 0, "{line}\n{}{}", one.stdout, one.stderr);
        said.push(one);
    }
    assert!(said[0].stdout.contains("on the server"), "{}", said[0].stdout);
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    let distinct: BTreeSet<(&str, &str)> = csv
        .lines()
        .skip(1)
        .map(|line| {
            line.split_once(',').map(|(who, rest)| (who, rest.split(',').next().unwrap_or_default())).expect("fields")
        })
        .collect();
    for (_, ward) in distinct {
        *expected.entry(ward.to_owned()).or_default() += 1;
    }
    // With this epsilon a count is itself but once in 10^8 times.
    let published = std::fs::read_to_string(place.path("visits/counts.csv")).expect("a table");
    for (ward, people) in expected {
        assert!(
            published.lines().any(|line| line.starts_with(&format!("{ward},{people},"))),
            "{ward} {people}\n{published}"
        );
    }
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn no_word_of_a_row_and_none_of_spark_is_said_when_a_count_fails() {
    let (place, folder, canary) = (Place::new(), folder("broken"), "Miller, HIV+");
    to_parquet(&visits(), &folder.join("a.parquet"));
    // Its names and types are read of the first file; the second one is none.
    std::fs::write(folder.join("b.parquet"), canary.repeat(500)).expect("written");
    place.write("visits.toml", request(&folder));
    let said = place.run(&["release", "visits.toml", "--yes"]);
    assert_eq!(said.code, 3, "{}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains("the data could not be counted"), "{}", said.stderr);
    for word in [canary, "parquet file", "SQLSTATE", "org.apache", "b.parquet"] {
        assert!(!said.stderr.contains(word) && !said.stdout.contains(word), "{word}\n{}", said.stderr);
    }
    for (path, bytes) in place.files() {
        assert!(!bytes.windows(canary.len()).any(|part| part == canary.as_bytes()), "{}", path.display());
    }
}

/// Passes bytes on between an encrypted way and the server; says its port. The server itself speaks in the clear.
const ENCRYPTED: &str = r#"
import socket, ssl, sys, threading
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
context.set_alpn_protocols(["h2"])
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
def pass_on(one, other):
    try:
        while data := one.recv(65536): other.sendall(data)
    except OSError: pass
    for end in (one, other):
        try: end.shutdown(socket.SHUT_RDWR)
        except OSError: pass
while True:
    raw, _ = listener.accept()
    try: here = context.wrap_socket(raw, server_side=True)
    except (OSError, ssl.SSLError): continue
    there = socket.create_connection(("127.0.0.1", int(sys.argv[3])))
    for pair in ((here, there), (there, here)): threading.Thread(target=pass_on, args=pair, daemon=True).start()
"#;

/// A process that ends with its test.
struct Ends(std::process::Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn an_encrypted_way_is_taken_only_to_a_server_that_is_trusted() {
    let (place, folder) = (Place::new(), folder("encrypted"));
    to_parquet(&visits(), &folder.join("visits.parquet"));
    let (certificate, key) = (place.path("certificate.pem"), place.path("key.pem"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
        .args(["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .stderr(Stdio::null())
        .status();
    assert!(made.expect("openssl").success());
    let server = variable("INCROWD_TEST_SPARK");
    let port = server.rsplit(':').next().expect("a port");
    let mut between = Command::new("python3");
    between.args(["-c", ENCRYPTED]).args([&certificate, &key]).arg(port);
    let mut between = Ends(between.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("python3"));
    let mut line = String::new();
    BufReader::new(between.0.stdout.take().expect("its words")).read_line(&mut line).expect("a port");
    let encrypted = format!("sc://127.0.0.1:{}/;use_ssl=true", line.trim());
    place.write("visits.toml", request(&folder).replace(&server, &encrypted));
    let mut trusting = place.command(&["release", "visits.toml", "--yes"]);
    let trusted = trusting.env("SSL_CERT_FILE", &certificate).output().expect("the binary runs");
    assert!(trusted.status.success(), "{}", String::from_utf8_lossy(&trusted.stderr));
    let other = place.run(&["release", "visits.toml", "--yes", "--again", "--replace"]);
    assert_eq!(other.code, 2, "{}", other.stderr);
    assert!(other.stderr.contains("cannot be encrypted, or its certificate is not trusted"), "{}", other.stderr);
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn a_request_is_begun_from_the_columns_of_a_table() {
    let (place, folder) = (Place::new(), folder("begun"));
    to_parquet(&visits(), &folder.join("visits.parquet"));
    let table = format!("parquet.`{}`", folder.display());
    let said = place.run(&["init", &variable("INCROWD_TEST_SPARK"), "--table", &table]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    for name in ["patient", "ward", "age", "sc://"] {
        assert!(said.stdout.contains(name), "{name}\n{}", said.stdout);
    }
}
