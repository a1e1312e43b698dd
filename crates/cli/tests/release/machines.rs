//! Every command for machines: one object, with its version.

use crate::place::{PLAIN, Place, TOWNS, request};
use serde_json::Value;

#[test]
fn every_object_has_its_version() {
    let place = Place::new();
    place.write("d.csv", "id,town\n1,Bern\n2,Chur\n");
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    place.write("batch.toml", request("d.csv", "", TOWNS, PLAIN));
    // Refusals and mistakes are objects on the other stream.
    let fails = [&["plan", "nowhere.toml"][..], &["release", "request.toml", "--folder", "out"]];
    for arguments in [
        &["init", "d.csv"][..],
        &["plan", "request.toml"],
        &["plan", "request.toml", "batch.toml"],
        &["compare", "request.toml"],
        &["law", "request.toml", "--count", "3"],
        &["draw", "request.toml", "--count", "3", "--times", "2"],
        &["ledger", "key", "raise.key"],
        &["ledger", "open", "people", "--epsilon", "9", "--raise-key", "raise.key"],
        &["ledger", "policy", "people", "--max-epsilon-per-release", "2"],
        &["release", "request.toml"],
        &["release", "request.toml", "--rehearse"],
        &["verify", "out"],
        &["export", "out", "--as", "registry", "--output", "entry.yaml"],
        &["ledger", "show"],
        &["ledger", "history"],
        &["ledger", "verify"],
        &["ledger", "verify", "--against", "out"],
        &["ledger", "exposure", "request.toml"],
        &["ledger", "report", "people", "--output", "account.html"],
        &["ledger", "export", "--as", "json"],
        &["ledger", "export", "--as", "csv", "--output", "book.csv"],
        &["example", "salaries", "company"],
    ]
    .into_iter()
    .chain(fails)
    {
        let output = place.command(&[arguments, &["--format", "json"]].concat()).output().expect("the binary runs");
        let bytes = if output.status.success() { output.stdout } else { output.stderr };
        let text = String::from_utf8(bytes).expect("text");
        let object: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"));
        let object = if let Value::Array(all) = &object { all[0].clone() } else { object };
        assert!(object["version"].is_u64(), "{arguments:?}: {object}");
        assert_eq!(output.status.success(), !fails.contains(&arguments), "{arguments:?}: {text}");
    }
}
