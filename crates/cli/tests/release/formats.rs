//! Every format gives the same table, and `init` writes a request that works.

use crate::place::{EXACT, Place, TOWNS, request};
use std::io::Write;

#[test]
fn csv_json_gzip_and_zstandard_are_read_alike() {
    let csv = "town,age\nBern,1\nBern,2\nChur,3\nChur,4\nUri,5\n";
    let lines =
        "{\"town\": \"Bern\"}\n{\"town\": \"Bern\", \"age\": 3}\n{\"town\": \"Chur\"}\n{\"town\": \"Chur\"}\n{}\n";
    let array =
        "[{\"town\": \"Bern\"}, {\"town\": \"Bern\"}, {\"town\": \"Chur\"}, {\"town\": \"Chur\"}, {\"town\": null}]";
    let gzip = |text: &str| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(text.as_bytes()).expect("packed");
        packer.finish().expect("packed")
    };
    let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).expect("packed");
    let files: [(&str, Vec<u8>); 7] = [
        ("d.csv", csv.into()),
        ("d.csv.gz", gzip(csv)),
        ("d.csv.zst", zstd(csv)),
        ("d.ndjson", lines.into()),
        ("d.json", array.into()),
        ("d.json.gz", gzip(lines)),
        ("folder/d.CSV", csv.into()),
    ];
    for (name, content) in files {
        let place = Place::new();
        place.write(name, content);
        let source = name.split('/').next().expect("a name");
        place.write("request.toml", request(source, "", TOWNS, EXACT));
        place.released();
        assert_eq!(place.counts(), ["Bern,2,2,2,published,A", "Chur,2,2,2,published,A"], "{name}");
    }
}

#[test]
fn many_files_are_one_table() {
    let place = Place::new();
    for part in 0..5 {
        place.write(&format!("data/part-{part}.csv"), "town\nBern\nChur\nChur\n");
    }
    for source in ["data", "data/*.csv", "data/part-[0-4].csv"] {
        place.write("request.toml", request(source, "", TOWNS, EXACT));
        let said = place.run(&["release", "request.toml", "--replace", "--again"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert_eq!(place.counts(), ["Bern,5,5,5,published,A", "Chur,10,10,10,published,A"], "{source}");
    }
}

#[test]
fn init_writes_a_request_that_can_be_planned_and_released() {
    let place = Place::new();
    let rows: String =
        (0..300).map(|row| format!("{row},Bern,{},2026-01-{:02},0{}\n", row % 90, row % 28 + 1, row)).collect();
    place.write("people.csv", format!("person_id,town,age,joined,zip\n{rows}"));
    let said = place.run(&["init", "people.csv", "--output", "request.toml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let text = std::fs::read_to_string(place.path("request.toml")).expect("a request");
    assert!(text.contains("person = \"person_id\"") && text.contains("\"age\" = \"integer\""), "{text}");
    assert!(text.contains("first rows") && text.contains("\"joined\" = \"date\""), "{text}");
    assert!(!text.contains("Bern") && !text.contains("\"zip\" ="), "no value, and a code is no number: {text}");
    assert_eq!(place.run(&["plan", "request.toml"]).code, 0);
    place.released();
    assert_eq!(place.run(&["init", "people.csv", "--output", "request.toml"]).code, 2, "a request is not overwritten");
    assert_eq!(place.run(&["init", "nowhere.csv"]).code, 2);
    place.write("people.ndjson", "{\"user_id\": 1, \"town\": \"Bern\", \"tall\": true}\n");
    let said = place.run(&["init", "people.ndjson"]);
    assert!(said.stdout.contains("\"tall\" = \"boolean\"") && !said.stdout.contains("Bern"), "{}", said.stdout);
}

#[test]
fn the_example_can_be_released_as_it_is() {
    let place = Place::new();
    let said = place.run(&["example", "salaries", "demo"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(place.run(&["example", "salaries", "demo"]).code, 2, "an example is not overwritten");
    for request in ["demo/request.toml", "demo/uniform.toml"] {
        let said = place.run(&["release", request]);
        assert_eq!(said.code, 0, "{}", said.stderr);
    }
    for folder in ["demo/out", "demo/uniform"] {
        assert_eq!(place.run(&["verify", folder]).code, 0);
    }
    // A hundred managers: plain differential privacy shows them to within a few.
    let managers = |folder: &str| -> i64 {
        let text = std::fs::read_to_string(place.path(folder).join("counts.csv")).expect("a table");
        let line = text.lines().find(|line| line.starts_with("Administration,\"[180000, 200000)\"")).expect("a line");
        line.rsplit(',').nth(3).expect("a count").parse().expect("a number")
    };
    // Further than 60 away has a chance below e^-60.
    assert!((managers("demo/uniform") - 100).abs() < 60);
}
