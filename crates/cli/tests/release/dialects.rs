//! Files as programs of the world write them: one table in many dialects, what the book makes of it, and what is told.

use crate::place::{EXACT, FOUND_TOWNS, PLAIN, Place, TOWNS, WITH_DELTA, request};

/// A sum that is counted in bands, by town.
const BANDS: &str = "[[bins]]\nname = \"town\"\ncolumn = \"town\"\nvalues = [\"Zürich\", \"Chur\"]\n\
    [[bins]]\nname = \"sum\"\ncolumn = \"sum\"\nedges = [0, 1000, 100000]\n\
    [[bins]]\nname = \"day\"\ncolumn = \"day\"\ntruncate = \"month\"\nfrom = \"2026-01-01\"\nto = \"2026-03-01\"\n";
const TYPES: &str = "[data.types]\nsum = \"number\"\nday = \"date\"\n";

/// The rows of the table: town, sum in hundredths, day and month; nothing for what is missing.
const ROWS: [(&str, Option<u32>, u32, u32); 9] = [
    ("Zürich", Some(9_460_600), 18, 1),
    ("Zürich", Some(123_450), 18, 1),
    ("Zürich", Some(99_999), 2, 2),
    ("Zürich", Some(50), 3, 2),
    ("Chur", Some(100_000), 31, 1),
    ("Chur", Some(100_001), 1, 1),
    ("Chur", None, 28, 2),
    ("Uri; Altdorf", Some(100), 28, 2),
    ("Chur", Some(100_099), 10, 1),
];

/// How a file is written: signs, and texts of sums and days.
struct Way {
    name: &'static str,
    data: &'static str,
    names: Option<&'static str>,
    delimiter: &'static str,
    quote: &'static str,
    sum: fn(u32) -> String,
    missing: &'static str,
    day: fn(u32, u32) -> String,
    bytes: fn(&str) -> Vec<u8>,
    /// What stands among the rows and is none.
    bad: &'static str,
}

fn utf8(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).expect("a letter of Latin-1")).collect()
}

fn utf16(text: &str) -> Vec<u8> {
    format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect()
}

fn point(hundredths: u32) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

fn comma(hundredths: u32) -> String {
    point(hundredths).replace('.', ",")
}

fn grouped(hundredths: u32) -> String {
    let whole = (hundredths / 100).to_string();
    let groups: Vec<&str> =
        whole.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    format!("{},{:02}", groups.join("."), hundredths % 100)
}

const WAYS: [Way; 5] = [
    Way {
        name: "plain.csv",
        data: "",
        names: Some("town,sum,day"),
        delimiter: ",",
        quote: "\"",
        sum: point,
        missing: "",
        day: |day, month| format!("2026-{month:02}-{day:02}"),
        bytes: utf8,
        bad: "",
    },
    Way {
        name: "excel.csv",
        data: "delimiter = \";\"\nencoding = \"windows-1252\"\ndecimal = \",\"\nthousands = \".\"\nmissing = [\"k. A.\"]\n\
            dates = [\"%d.%m.%Y\"]\n",
        names: Some("town;sum;day"),
        delimiter: ";",
        quote: "\"",
        sum: grouped,
        missing: "k. A.",
        day: |day, month| format!("{day}.{month}.2026"),
        bytes: latin,
        bad: "",
    },
    Way {
        name: "wide.txt",
        data: "delimiter = \"|\"\nquote = \"'\"\nencoding = \"utf-16\"\ndecimal = \",\"\nmissing = [\"NA\"]\n\
            dates = [\"%m/%d/%y\"]\non-bad-row = \"skip\"\n",
        names: Some("town|sum|day"),
        delimiter: "|",
        quote: "'",
        sum: comma,
        missing: "NA",
        day: |day, month| format!("{month:02}/{day:02}/26"),
        bytes: utf16,
        bad: "total|5\r\n\r\nend of part|1|2|3\r\n",
    },
    Way {
        name: "tabs.tsv",
        data: "quote = \"none\"\ndates = [\"%d-%b-%Y\"]\n",
        names: Some("town\tsum\tday"),
        delimiter: "\t",
        quote: "",
        sum: point,
        missing: "",
        day: |day, month| format!("{day:02}-{}-2026", ["Jan", "FEB"][month as usize - 1]),
        bytes: utf8,
        bad: "",
    },
    Way {
        name: "headless",
        data: "format = \"csv\"\nheader = false\nmissing = [\"-\"]\n",
        names: None,
        delimiter: ",",
        quote: "\"",
        sum: point,
        missing: "-",
        day: |day, month| format!("2026-{month:02}-{day:02}"),
        bytes: utf8,
        bad: "",
    },
];

impl Way {
    fn file(&self) -> Vec<u8> {
        let mut text = self.names.map(|names| format!("{names}\r\n")).unwrap_or_default();
        for (place, (town, sum, day, month)) in ROWS.into_iter().enumerate() {
            let sum = sum.map_or(self.missing.to_owned(), self.sum);
            let fields = [format!("{0}{town}{0}", self.quote), sum, (self.day)(day, month)];
            text += &format!("{}\r\n", fields.join(self.delimiter));
            if place == 4 {
                text += self.bad;
            }
        }
        (self.bytes)(&text)
    }

    fn request(&self) -> String {
        let text = request(self.name, &format!("{}{TYPES}", self.data), BANDS, EXACT);
        match self.names {
            Some(_) => text,
            None => ["town", "sum", "day"].iter().zip(1..).fold(text, |text, (name, place)| {
                text.replace(&format!("column = \"{name}\""), &format!("column = \"column{place}\""))
                    .replace(&format!("\n{name} = "), &format!("\ncolumn{place} = "))
            }),
        }
    }
}

#[test]
fn one_table_has_one_count_in_every_dialect() {
    let mut all = Vec::new();
    for way in &WAYS {
        let place = Place::new();
        place.write(way.name, way.file());
        place.write("request.toml", way.request());
        place.released();
        let verified = place.run(&["verify", "out"]);
        assert_eq!(verified.code, 0, "{}: {}", way.name, verified.stdout);
        all.push((way.name, place.counts()));
    }
    let (_, plain) = &all[0];
    // Counted by hand; bins of fewer than two are hidden.
    for line in
        ["Zürich,\"[1000, 100000)\",2026-01-01,2,2,2,published,A", "Zürich,\"[0, 1000)\",2026-02-01,2,2,2,published,A"]
    {
        assert!(plain.iter().any(|counted| counted == line), "{plain:?}");
    }
    assert!(plain.iter().any(|line| line.starts_with("Chur,\"[1000, 100000)\",2026-01-01,3,")), "{plain:?}");
    for (name, counted) in &all {
        assert_eq!(counted, plain, "{name}");
    }
}

#[test]
fn two_dialects_are_two_readings_of_one_state() {
    let place = Place::new();
    let rows = "Bern,1\n".repeat(40) + &"Chur,2\n".repeat(30);
    place.write("d.csv", format!("town,n\n{rows}"));
    let released = |data: &str, promise: &str| {
        place.write("request.toml", request("d.csv", data, TOWNS, promise));
        let said = place.run(&["release", "request.toml", "--replace", "--again"]);
        (said.code, said.stderr)
    };
    // Exact counts of one definition say nothing new; those of another one may tell who differs.
    assert_eq!(released("", EXACT).0, 0);
    assert_eq!(released("", EXACT).0, 0);
    for other in ["missing = [\"Bern\"]\n", "on-bad-row = \"skip\"\n", "encoding = \"windows-1252\"\n"] {
        let (code, said) = released(other, EXACT);
        assert_eq!(code, 1, "{other}: {said}");
    }
    // Finite ones add up.
    let place = Place::new();
    place.write("d.csv", format!("town,n\n{rows}"));
    for (data, expected) in [("", "1"), ("missing = [\"NA\"]\n", "2"), ("missing = [\"-\"]\n", "3")] {
        place.write("request.toml", request("d.csv", data, TOWNS, PLAIN));
        assert_eq!(place.run(&["release", "request.toml", "--replace"]).code, 0);
        let text = std::fs::read_to_string(place.path("out/certificate.json")).expect("a certificate");
        let certificate: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(certificate["ledger"]["after"]["epsilon"], expected, "{data}");
        let stored = &certificate["reading"]["columns"]["town"];
        let dialect = &certificate["request"]["data"]["dialect"];
        let expected = if data.is_empty() { "text".to_owned() } else { format!("text({dialect})") };
        assert_eq!(stored, &serde_json::json!(expected));
        assert_eq!(place.run(&["verify", "out"]).code, 0);
    }
}

#[test]
fn rows_are_counted_by_their_dialect_even_where_no_column_is_asked_for() {
    let place = Place::new();
    place.write("d.csv", format!("town;n\n{}", "Bern;1\nBern,2\n".repeat(40)));
    let everybody = "[[bins]]\nname = \"all\"\nexpression = \"'all'\"\nvalues = [\"all\"]\n";
    let data = |delimiter| format!("on-bad-row = \"skip\"\ndelimiter = \"{delimiter}\"\n");
    let codes = [";", ","].map(|delimiter| {
        place.write("request.toml", request("d.csv", &data(delimiter), everybody, EXACT));
        place.run(&["release", "request.toml", "--replace"]).code
    });
    assert_eq!(codes, [0, 1], "how many rows have a comma is another count");
}

#[test]
fn a_wrong_dialect_that_names_tell_costs_nothing_and_is_explained() {
    let cases: [(&[u8], &str, &str); 5] = [
        (b"town;n\nBern;1\n", "", "hint: the first line has one name with semicolons in it: [data] delimiter = \";\""),
        (b"town\tn\nBern\t1\n", "", "hint: the first line has one name with tabs in it: [data] delimiter = \"tab\""),
        (b"t\0o\0w\0n\0\n\0B\0", "", "hint: set [data] encoding = \"utf-16le\", or run `incrowd init`"),
        (b"town,stra\xdfe\nBern,1\n", "", "hint: set [data] encoding = \"windows-1252\", or another one"),
        (b"town,n\nBern,1\n", "quote = \",\"\n", "hint: [data] quote = \"none\" for files without quotes"),
    ];
    for (bytes, data, hint) in cases {
        let place = Place::new();
        place.write("d.csv", bytes);
        place.write("request.toml", request("d.csv", data, TOWNS, PLAIN));
        let said = place.release();
        assert_eq!(said.code, 2, "{}", said.stderr);
        assert!(said.stderr.contains(hint), "{}", said.stderr);
        assert!(!said.stderr.contains("Bern"), "{}", said.stderr);
        assert!(!place.events().contains(&"charge".to_owned()));
    }
}

#[test]
fn damage_in_any_dialect_has_the_one_text() {
    let ways: [(&str, &[u8]); 5] = [
        ("", b"town,n\nBern,1\n\xff,2\n"),
        ("encoding = \"utf-16\"\n", b"t\0o\0w\0n\0,\0n\0\n\0B\0"),
        ("encoding = \"utf-16\"\n", b"t\0o\0w\0n\0,\0n\0\n\0B\0e"),
        ("on-bad-row = \"skip\"\n", b"town,n\nBern\nBern,\"1\n"),
        ("header = false\n", b"Bern,1\nBern\n"),
    ];
    let mut told = Vec::new();
    for (data, bytes) in ways {
        let place = Place::new();
        place.write("d.csv", bytes);
        let bins = if data.contains("header") {
            TOWNS.replace("column = \"town\"", "column = \"column1\"")
        } else {
            TOWNS.into()
        };
        place.write("request.toml", request("d.csv", data, &bins, PLAIN));
        let said = place.release();
        assert_eq!(said.code, 3, "{}", said.stderr);
        // The charge has another name each time.
        let told_of = |line: &str| line.split_once("): ").map(|(_, said)| said.to_owned());
        told.push(
            said.stderr.lines().filter(|line| line.starts_with("error:")).filter_map(told_of).collect::<String>(),
        );
    }
    assert!(told.iter().all(|text| text == &told[0] && !text.is_empty()), "{told:?}");
}

#[test]
fn no_value_of_a_first_row_without_names_leaves() {
    const CANARY: &str = "Canary";
    let place = Place::new();
    let rows = "Bern,1\n".repeat(200);
    place.write("d.csv", format!("{CANARY}-town,{CANARY}-secret\n{rows}"));
    let found = |data: &str, bins: &str| request("d.csv", data, bins, WITH_DELTA);
    let by_place = FOUND_TOWNS.replace("column = \"town\"", "column = \"column1\"");
    let typed = "header = false\n[data.types]\ncolumn1 = \"integer\"\n";
    let mut talk = Vec::new();
    for text in [
        found("header = false\n", &by_place),
        // Columns that are not there, or not of their type: what is told names the columns that there are.
        found("header = false\n", FOUND_TOWNS),
        found("header = false\n", &by_place.replace("column1", "column3")),
        found(typed, &format!("{by_place}edges = [0, 1]\n")),
        found("header = false\ndelimiter = \";\"\n", &by_place.replace("column1", "column2")),
    ] {
        place.write("request.toml", text);
        for command in [["plan", "request.toml", "--verbose"], ["release", "request.toml", "--verbose"]] {
            let said = place.run(&[&command[..], if command[0] == "release" { &["--replace"] } else { &[] }].concat());
            talk.push((command[0], said.code, said.stdout + &said.stderr));
        }
    }
    assert!(talk.iter().any(|(command, code, _)| *command == "release" && *code == 0), "{talk:?}");
    assert!(talk.iter().any(|(command, code, _)| *command == "release" && *code == 2), "{talk:?}");
    assert_eq!(place.run(&["verify", "out"]).code, 0);
    std::fs::remove_file(place.path("d.csv")).expect("the data goes away");
    for (command, _, said) in &talk {
        assert!(!said.contains(CANARY), "{command}: {said}");
    }
    for (path, bytes) in place.files() {
        let leaked = bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes());
        assert!(!leaked, "{} holds a value of the first row", path.display());
    }
}
