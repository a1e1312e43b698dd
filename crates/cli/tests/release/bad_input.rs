//! Bad input: a clear message, a non-zero exit, nothing charged where it can be known before reading, nothing leaked.

use crate::place::{EXACT, FOUND_TOWNS, PLAIN, Place, TOWNS, WITH_DELTA, request};
use std::io::Write;

/// A value that nobody may see.
const CANARY: &str = "Canary-7f3a";

/// A case that is refused before anything is charged.
struct Refused {
    title: &'static str,
    files: &'static [(&'static str, &'static [u8])],
    request: String,
    code: i32,
    says: &'static [&'static str],
}

fn check(case: &Refused) {
    let place = Place::new();
    for (name, content) in case.files {
        place.write(name, content);
    }
    place.write("request.toml", &case.request);
    let said = place.release();
    assert_eq!(said.code, case.code, "{}: {}", case.title, said.stderr);
    for part in case.says {
        assert!(said.stderr.contains(part), "{}: {}", case.title, said.stderr);
    }
    assert!(said.stderr.contains("hint:"), "{}: {}", case.title, said.stderr);
    assert!(!said.stderr.contains(CANARY), "{}: {}", case.title, said.stderr);
    assert!(!place.path("out").exists(), "{}", case.title);
    assert!(!place.events().contains(&"charge".to_string()), "{}: nothing may be charged", case.title);
}

#[test]
fn what_can_be_known_before_reading_costs_nothing() {
    const DATA: &[u8] = b"town,salary\nBern,5\nCanary-7f3a,7\n";
    let bin = |definition: &str| format!("[[bins]]\nname = \"x\"\n{definition}\n");
    let towns = |source: &str| request(source, "", TOWNS, PLAIN);
    let on = |more: &str, bins: &str| request("d.csv", more, bins, PLAIN);
    let cases = [
        Refused { title: "missing file", files: &[], request: towns("d.csv"), code: 2, says: &["there is no file"] },
        Refused {
            title: "folder without files",
            files: &[("data/readme.txt", b"x")],
            request: towns("data"),
            code: 2,
            says: &["no data files"],
        },
        Refused {
            title: "pattern without files",
            files: &[],
            request: towns("*.csv"),
            code: 2,
            says: &["no data files"],
        },
        Refused {
            title: "unknown format",
            files: &[("d.log", DATA)],
            request: towns("d.log"),
            code: 2,
            says: &[".parquet"],
        },
        Refused {
            title: "known format that is not read",
            files: &[("d.xls", DATA)],
            request: towns("d.xls"),
            code: 2,
            says: &["not read", "CSV UTF-8"],
        },
        Refused {
            title: "address of another machine",
            files: &[],
            request: towns("https://user:Canary-7f3a@example.com/d.csv"),
            code: 2,
            says: &["not on this machine", "download it first"],
        },
        Refused {
            title: "archive that is none",
            files: &[("d.zip", DATA)],
            request: towns("d.zip"),
            code: 2,
            says: &["no whole archive"],
        },
        Refused {
            title: "workbook that is none",
            files: &[("d.xlsx", DATA)],
            request: towns("d.xlsx"),
            code: 2,
            says: &["columns", "password"],
        },
        Refused {
            title: "database that is none",
            files: &[("d.sqlite", DATA)],
            request: towns("d.sqlite"),
            code: 2,
            says: &["no whole database"],
        },
        Refused {
            title: "sheet of a text",
            files: &[("d.csv", DATA)],
            request: on("sheet = \"One\"", TOWNS),
            code: 2,
            says: &["`sheet`", ".xlsx"],
        },
        Refused {
            title: "folders that say a column of the files",
            files: &[("data/town=Canary-7f3a/d.csv", DATA)],
            request: towns("data"),
            code: 2,
            says: &["\"town\" is a column of the files and of their folders"],
        },
        Refused {
            title: "standard input that may be anything",
            files: &[],
            request: towns("-"),
            code: 2,
            says: &["standard input", "format = \"csv\""],
        },
        Refused {
            title: "database on standard input",
            files: &[],
            request: request("-", "format = \"sqlite\"", TOWNS, PLAIN),
            code: 2,
            says: &["standard input", "save it as a file"],
        },
        Refused {
            title: "wrong column",
            files: &[("d.csv", DATA)],
            request: on("", &bin("column = \"salry\"\nedges = [0, 5]")),
            code: 2,
            says: &["salry", "did you mean", "salary"],
        },
        Refused {
            title: "wrong person",
            files: &[("d.csv", DATA)],
            request: on("person = \"towm\"", TOWNS),
            code: 2,
            says: &["`person`", "town"],
        },
        Refused {
            title: "duplicate header names",
            files: &[("d.csv", b"town,town\nBern,Chur\n")],
            request: towns("d.csv"),
            code: 2,
            says: &["two columns", "town"],
        },
        Refused {
            title: "empty file",
            files: &[("d.csv", b"")],
            request: towns("d.csv"),
            code: 2,
            says: &["is empty"],
        },
        Refused {
            title: "header that is not UTF-8",
            files: &[("d.csv", b"t\xffwn\nBern\n")],
            request: towns("d.csv"),
            code: 2,
            says: &["is not utf-8", "encoding = "],
        },
        Refused {
            title: "truncated Parquet",
            files: &[("d.parquet", b"PAR1 and then nothing")],
            request: towns("d.parquet"),
            code: 2,
            says: &["columns"],
        },
        Refused {
            title: "not gzip",
            files: &[("d.csv.gz", DATA)],
            request: towns("d.csv.gz"),
            code: 2,
            says: &["columns"],
        },
        Refused {
            title: "files of two formats",
            files: &[("data/a.csv", DATA), ("data/b.json", b"{}")],
            request: towns("data"),
            code: 2,
            says: &["more than one format"],
        },
        Refused {
            title: "files with other columns",
            files: &[("data/a.csv", DATA), ("data/b.csv", b"town\nBern\n")],
            request: towns("data"),
            code: 2,
            says: &["other columns"],
        },
        Refused {
            title: "not an expression",
            files: &[("d.csv", DATA)],
            request: on("where = \"salary >\"", TOWNS),
            code: 2,
            says: &["`where`"],
        },
        Refused {
            title: "a subquery",
            files: &[("d.csv", DATA)],
            request: on("where = \"salary > (select max(salary) from t)\"", TOWNS),
            code: 2,
            says: &["`where`"],
        },
        Refused {
            title: "a clock",
            files: &[("d.csv", DATA)],
            request: on("", &bin("expression = \"now()\"\nvalues = [\"a\"]")),
            code: 2,
            says: &["now", "refused"],
        },
        Refused {
            title: "a random number",
            files: &[("d.csv", DATA)],
            request: on("where = \"random() > 0.5\"", TOWNS),
            code: 2,
            says: &["random", "refused"],
        },
        Refused {
            title: "a type for a missing column",
            files: &[("d.csv", DATA)],
            request: on("[data.types]\nage = \"integer\"", TOWNS),
            code: 2,
            says: &["age"],
        },
        Refused {
            title: "values of two types",
            files: &[("d.csv", DATA)],
            request: on("", &bin("column = \"salary\"\nvalues = [1, \"a\"]")),
            code: 2,
            says: &["one kind"],
        },
        Refused {
            title: "no source",
            files: &[],
            request: format!("{TOWNS}[promise]\n{PLAIN}\n[ledger]\ndataset = \"x\"\n"),
            code: 1,
            says: &["where the data is"],
        },
        Refused {
            title: "no dataset",
            files: &[("d.csv", DATA)],
            request: format!("[data]\nsource = \"d.csv\"\n{TOWNS}[promise]\n{PLAIN}\n"),
            code: 1,
            says: &["which account pays"],
        },
        Refused { title: "no bins", files: &[("d.csv", DATA)], request: on("", ""), code: 1, says: &["[[bins]]"] },
        Refused {
            title: "found bins without a delta",
            files: &[("d.csv", DATA)],
            request: on("", FOUND_TOWNS),
            code: 1,
            says: &["delta"],
        },
    ];
    for case in &cases {
        check(case);
    }
}

#[test]
fn a_folder_that_cannot_be_made_costs_nothing() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place.write("out/old.txt", "kept");
    let said = place.release();
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("exists") && said.stderr.contains("--replace"), "{}", said.stderr);
    let said = place.run(&["release", "request.toml", "--replace"]);
    assert_eq!(said.code, 1, "a folder that is no release is not replaced: {}", said.stderr);
    assert_eq!(std::fs::read(place.path("out/old.txt")).expect("the old file"), b"kept");
    let said = place.run(&["release", "request.toml", "--folder", "nowhere/out"]);
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(!place.events().contains(&"charge".to_string()));
}

#[test]
fn a_release_is_replaced_only_on_request() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place.released();
    let before = std::fs::read(place.path("out/certificate.json")).expect("a certificate");
    assert_eq!(place.release().code, 1);
    assert_eq!(std::fs::read(place.path("out/certificate.json")).expect("a certificate"), before);
    let said = place.run(&["release", "request.toml", "--replace", "--again"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_ne!(std::fs::read(place.path("out/certificate.json")).expect("a certificate"), before);
    assert_eq!(place.events(), ["open", "charge", "delivered", "charge", "delivered"]);
}

/// Data that turns out to be damaged: charged, not delivered, one fixed message.
#[test]
fn damage_that_is_found_while_reading_says_nothing_about_the_data() {
    let ragged = format!("town,salary\nBern,5\n{CANARY}\n");
    let not_text = [b"town,salary\nBern,5\n".as_slice(), CANARY.as_bytes(), b"\xff,5\n"].concat();
    let late_quote = format!("town,salary\nBern,\"5\n{CANARY},6\nBern,\"7\"\n");
    let open_quote = format!("town,salary\nBern,5\n\"{CANARY},6\n");
    let mut gzip = Vec::new();
    let mut packer = flate2::write::GzEncoder::new(&mut gzip, flate2::Compression::default());
    for row in 0..20_000 {
        writeln!(packer, "{}", if row == 0 { "town,salary".into() } else { format!("{CANARY}{row},{row}") })
            .expect("packed");
    }
    packer.finish().expect("packed");
    gzip.truncate(gzip.len() / 2);
    let broken_json = format!("{{\"town\": \"Bern\"}}\n{{\"town\": \"{CANARY}\"\n");
    let cases: [(&str, &str, Vec<u8>); 6] = [
        ("ragged rows", "d.csv", ragged.into_bytes()),
        ("invalid UTF-8", "d.csv", not_text),
        ("a quote that is never closed", "d.csv", open_quote.into_bytes()),
        ("a quote that only a later quote closes", "d.csv", late_quote.into_bytes()),
        ("truncated gzip", "d.csv.gz", gzip),
        ("broken JSON", "d.json", broken_json.into_bytes()),
    ];
    let mut messages = Vec::new();
    for (title, name, content) in cases {
        let place = Place::new();
        place.write(name, content);
        place.write("request.toml", request(name, "", TOWNS, PLAIN));
        let said = place.release();
        assert_eq!(said.code, 3, "{title}: {}", said.stderr);
        assert!(said.stderr.contains("charged but not delivered"), "{title}: {}", said.stderr);
        assert!(!said.stderr.contains(CANARY), "{title}: {}", said.stderr);
        assert!(!place.path("out").exists(), "{title}");
        assert_eq!(place.events(), ["open", "charge", "failed"], "{title}");
        let left: Vec<_> =
            place.files().into_iter().filter(|(path, _)| path.to_string_lossy().contains(".incrowd-")).collect();
        assert!(left.is_empty(), "{title}: {} files are left aside", left.len());
        // The charge has a name of its own; the rest is the same text for all.
        let message: String = said.stderr.split_once("):").expect("a cause").1.to_string();
        messages.push(message);
    }
    assert!(messages.iter().all(|message| message == &messages[0]), "{messages:?}");
}

/// Data that is odd but whole is counted by its declared rules.
#[test]
fn odd_data_is_counted_as_declared() {
    let with = |content: &[u8], bins: &str, promise: &str, more: &str| {
        let place = Place::new();
        place.write("d.csv", content);
        place.write("request.toml", request("d.csv", more, bins, promise));
        place.released();
        place.counts()
    };
    let exact = |content: &[u8]| with(content, TOWNS, EXACT, "");
    // A byte order mark, CRLF, quoted newlines: three people in Bern, two in Chur.
    let odd = b"\xef\xbb\xbftown,note\r\nBern,\"a\nb\"\r\nBern,x\r\nBern,\r\nChur,\"\"\"\"\r\nChur,y\r\n";
    assert_eq!(exact(odd), ["Bern,3,3,3,published,A", "Chur,2,2,2,published,A"]);
    // Nobody at all.
    let nobody = exact(b"town\n");
    assert_eq!(nobody.len(), 2);
    assert!(nobody.iter().all(|line| line.ends_with(",at-most,F")), "{nobody:?}");
    // Only missing values.
    let missing = exact(b"town,x\n,1\n,1\n,1\n");
    assert!(missing.iter().all(|line| line.ends_with(",at-most,F")), "{missing:?}");
    let nulls = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"Bern\"]\nother = true\nnulls = \"bin\"\n";
    let counted = with(b"town,x\n,1\n,1\n,1\nUri,1\nUri,1\n", nulls, EXACT, "");
    assert_eq!(counted[1..], ["other,2,2,2,published,A", "(missing),3,3,3,published,A"]);
    // Decimals on an edge belong to the interval that begins there, though no float is three tenths.
    let tenths = "[[bins]]\nname = \"n\"\ncolumn = \"n\"\nedges = [0, 0.3, 0.6]\n";
    let counted = with(b"n\n0.3\n0.3\n0.1\n0.2\n0.6\n", tenths, EXACT, "");
    assert_eq!(counted, ["\"[0, 0.3)\",2,2,2,published,A", "\"[0.3, 0.6)\",2,2,2,published,A"]);
    // Numbers beyond 64 bits, NaN, infinities and words are missing or outside, never an error.
    let numbers = "[[bins]]\nname = \"n\"\ncolumn = \"n\"\nedges = [0, 10]\nother = true\nnulls = \"bin\"\n";
    let content = b"n\n5\n5\n123456789012345678901234567890\ninf\n-inf\nNaN\nword\n-0.0\n1e400\n";
    let counted = with(content, numbers, EXACT, "");
    assert_eq!(counted, ["\"[0, 10)\",3,3,3,published,A", "other,4,4,4,published,A", "(missing),2,2,2,published,A"]);
}

#[test]
fn hostile_keys_are_published_and_none_of_them_acts() {
    let place = Place::new();
    let long = "x".repeat(1 << 20);
    let keys = ["a,b", "say \"hi\"", "line\nbreak", "😀👩‍👩‍👧", "=1+1", " padded ", &long, "NULL", "other"];
    let mut content = String::from("town\n");
    for key in keys {
        for _ in 0..60 {
            content.push_str(&format!("\"{}\"\n", key.replace('"', "\"\"")));
        }
    }
    place.write("d.csv", content);
    place.write("request.toml", request("d.csv", "", FOUND_TOWNS, WITH_DELTA));
    let said = place.released();
    assert!(!said.stdout.contains('\u{1b}') && said.stdout.len() < 10_000, "the screen stays readable");
    let mut reader = csv::Reader::from_path(place.path("out/counts.csv")).expect("CSV");
    let published: Vec<String> = reader.records().map(|row| row.expect("a row")[0].to_string()).collect();
    let mut expected: Vec<String> = keys.iter().map(|key| (*key).to_string()).collect();
    expected.sort();
    // An apostrophe comes before what a spreadsheet would run; the order is that of the keys.
    let expected: Vec<String> = expected.into_iter().map(|key| key.replace("=1+1", "'=1+1")).collect();
    assert_eq!(published, expected);
    assert_eq!(place.run(&["verify", "out"]).code, 0);
}

/// A limit on file sizes stands for a full disk: the same errors, without a mount.
#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_leaves_nothing_behind() {
    let place = Place::new();
    place.write("d.csv", "n\n1\n2\n");
    let many = "[[bins]]\nname = \"n\"\ncolumn = \"n\"\nfrom = 0\nto = 100000\nwidth = 1\n";
    place.write("request.toml", request("d.csv", "", many, PLAIN));
    place.run(&["ledger", "open", "people"]);
    // In blocks of 512 or 1024 bytes: the ledger fits, the table does not.
    let limited = |blocks: u32| {
        let command = place.command(&["release", "request.toml"]);
        let line = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut shell = std::process::Command::new("bash");
        shell.arg("-c").arg(line).arg(command.get_program()).args(command.get_args());
        shell.current_dir(place.path(".")).env("INCROWD_LEDGER", place.path("ledger.sqlite"));
        let output = shell.output().expect("a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, stderr) = limited(200);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("the disk is full") && stderr.contains("hint:"), "{stderr}");
    assert_eq!(place.events(), ["open", "charge", "failed"]);
    assert!(!place.path("out").exists());
    assert!(place.files().iter().all(|(path, _)| !path.to_string_lossy().contains(".out")), "nothing is left aside");
    // Not even the ledger fits: nothing is charged.
    let (code, stderr) = limited(8);
    assert_eq!(code, Some(2), "{stderr}");
    assert_eq!(place.events(), ["open", "charge", "failed"]);
}

#[cfg(unix)]
#[test]
fn a_release_that_is_there_is_not_denied_because_its_summary_could_not_be_printed() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = place.command(&["release", "request.toml"]).stdout(full).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(place.path("out/counts.csv").exists());
}

#[test]
fn a_book_in_a_folder_that_is_not_there_is_refused_and_no_folder_is_made() {
    let place = Place::new();
    place.write("d.csv", "town\nBern\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    for command in [&["release", "request.toml"][..], &["ledger", "open", "people"], &["ledger", "show"]] {
        let said = place.run(&[command, &["--ledger", "nowhere/book.sqlite"]].concat());
        assert_eq!(said.code, 2, "{command:?}: {}", said.stderr);
        assert!(said.stderr.contains("the folder of this account book is not there"), "{command:?}: {}", said.stderr);
        assert!(said.stderr.contains("make the folder first"), "{command:?}: {}", said.stderr);
        assert!(!place.path("nowhere").exists() && !place.path("out").exists(), "{command:?}");
    }
    // The user's own is made with its folder.
    let mut release = place.command(&["release", "request.toml"]);
    assert!(release.env_remove("INCROWD_LEDGER").status().expect("the binary runs").success());
    assert!(place.path("home/incrowd/ledger.sqlite").exists());
}

#[test]
fn an_empty_file_is_called_empty_by_every_command() {
    let place = Place::new();
    place.write("d.csv", "");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    for command in [&["init", "d.csv"][..], &["check", "request.toml"], &["release", "request.toml"]] {
        let said = place.run(command);
        assert!(said.stderr.contains("\"d.csv\" is empty"), "{command:?}: {}", said.stderr);
        assert_eq!(said.code, if command[0] == "check" { 1 } else { 2 }, "{command:?}");
    }
    assert!(place.events().is_empty());
}
