//! `release` and `verify` of each kind: what is printed, the certificate, the tables and the report.

use super::{KINDS, Page, place};

#[test]
fn every_kind_is_released_certified_and_verified_as_it_always_was() {
    let place = place();
    for kind in KINDS {
        let mut page = Page::of(&place);
        page.run(&["release", &format!("{kind}.toml"), "--test-seed", "7", "--folder", kind], 0);
        page.run(&["verify", kind], 0);
        page.file(&format!("{kind}/certificate.json"));
        let certificate = super::certificate(&place, kind);
        for table in certificate["tables"].as_array().expect("tables") {
            let name = table["name"].as_str().expect("a name");
            if name.ends_with(".csv") {
                page.file(&format!("{kind}/{name}"));
            } else {
                // A library of others writes these bytes.
                page.name(&table["sha256"], &format!("HASH-OF-{name}"));
            }
        }
        page.name_charge_of(kind);
        page.check_file(&format!("{kind}/report.html"), &format!("kinds/{kind}.html"));
        page.check(&format!("kinds/{kind}.txt"));
    }
}

#[test]
fn a_release_for_machines_keeps_its_fields() {
    let place = place();
    let mut page = Page::of(&place);
    let arguments = ["release", "histogram.toml", "--test-seed", "7", "--folder", "out", "--format", "json"];
    let said = page.run(&arguments, 0);
    let released: serde_json::Value = serde_json::from_str(&said.stdout).expect("an object");
    for file in released["files"].as_array().expect("files") {
        // What holds the time of the charge has another hash each time.
        let name = file["name"].as_str().expect("a name");
        if ["certificate.json", "report.html"].contains(&name) {
            page.name(&file["sha256"], &format!("HASH-OF-{name}"));
        }
        // Sizes hang on the number of the version, and on libraries of others.
        page.name(&format!("\"bytes\": {}", file["bytes"]).into(), "\"bytes\": SIZE");
    }
    page.run(&["verify", "out", "--format", "json"], 0);
    page.name_charge_of("out");
    let certificate = super::certificate(&place, "out");
    for table in certificate["tables"].as_array().expect("tables") {
        let name = table["name"].as_str().expect("a name");
        if !name.ends_with(".csv") {
            page.name(&table["sha256"], &format!("HASH-OF-{name}"));
        }
    }
    page.check("release.json.txt");
}

/// Exact counts of large groups are published as they are, so that a release that is really charged has a page, too.
#[test]
fn releases_that_are_charged_replaced_refused_and_rehearsed_say_so() {
    let place = place();
    let exact = std::fs::read_to_string(place.path("crowd.toml")).expect("a request").replace("synthetic = true\n", "");
    let exact = format!("{exact}snapshot = \"2026\"\n");
    place.write("exact.toml", &exact);
    place.write("other.toml", exact.replace("\"asthma\"", "\"asthma\", \"measles\""));
    let noisy = std::fs::read_to_string(place.path("histogram.toml")).expect("a request");
    place.write("noisy.toml", noisy.replace("synthetic = true\n", ""));
    let mut page = Page::of(&place);
    page.title("charged to an account that nobody opened");
    page.run(&["release", "exact.toml", "--folder", "out"], 0);
    page.title("it was delivered before");
    page.run(&["release", "exact.toml", "--folder", "out"], 1);
    page.run(&["release", "exact.toml", "--folder", "elsewhere", "--replace"], 1);
    page.run(&["release", "exact.toml", "--folder", "out", "--if-new"], 0);
    page.run(&["release", "exact.toml", "--folder", "out", "--if-new", "--format", "json"], 0);
    page.run(&["release", "exact.toml", "--folder", "out", "--if-new", "--again"], 2);
    page.title("the folder is there already");
    page.run(&["release", "exact.toml", "--folder", "out", "--again"], 1);
    page.run(&["release", "exact.toml", "--folder", "out", "--again", "--replace"], 0);
    page.title("another exact table about the same people");
    page.run(&["release", "other.toml", "--folder", "other"], 1);
    page.title("no budget is left");
    page.run(&["ledger", "open", "people", "--epsilon", "1/2"], 0);
    page.run(&["release", "noisy.toml", "--folder", "noisy"], 1);
    page.title("a known seed is for made-up data");
    page.run(&["release", "noisy.toml", "--folder", "noisy", "--test-seed", "7"], 2);
    page.title("no such data");
    let elsewhere = exact.replace("people-crowd", "people-nowhere");
    place.write("nowhere.toml", elsewhere.replace("people.csv", "nowhere.csv"));
    page.run(&["release", "nowhere.toml", "--folder", "nowhere"], 1);
    page.run(&["release", "nowhere.toml", "--folder", "nowhere", "--open"], 2);
    page.title("another plan than the one that was reviewed");
    page.run(&["plan", "exact.toml", "--no-chart", "--save", "plan.json", "--folder", "reviewed"], 0);
    page.run(&["release", "exact.toml", "--plan", "plan.json", "--folder", "reviewed", "--quiet", "--again"], 0);
    page.run(&["release", "other.toml", "--plan", "plan.json", "--folder", "other"], 1);
    page.title("rehearsed");
    page.run(&["release", "exact.toml", "--rehearse", "--folder", "out"], 0);
    page.name_charge_of("out-rehearsal");
    page.run(&["verify", "out-rehearsal"], 0);
    page.title("charged and not delivered: the data is damaged");
    let people = std::fs::read_to_string(place.path("people.csv")).expect("data");
    place.write("damaged.csv", people + "p,\"never closed\n");
    place.write("damaged.toml", exact.replace("people.csv", "damaged.csv").replace("people-crowd", "people-damaged"));
    page.run(&["release", "damaged.toml", "--folder", "damaged", "--open"], 3);
    page.name_book();
    page.check("release.txt");
}
