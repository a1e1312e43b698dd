//! Every `ledger` command: text, objects for machines, and the page for people.

use super::{Page, place};

#[test]
fn every_command_of_the_ledger_has_a_page() {
    let place = place();
    for name in ["histogram", "sampled", "series", "rows"] {
        let text = std::fs::read_to_string(place.path(&format!("{name}.toml"))).expect("a request");
        let named = text.replace("synthetic = true\n", "").replace("[ledger]\n", "[ledger]\nsnapshot = \"2026\"\n");
        place.write(&format!("{name}.toml"), named);
    }
    let mut page = Page::of(&place);
    page.run(&["ledger", "show"], 2);
    page.run(&["ledger", "key", "raise.key"], 0);
    page.run(&["ledger", "key", "raise.key"], 2);
    page.run(&["ledger", "open", "people", "--epsilon", "3", "--delta", "1e-5", "--raise-key", "raise.key"], 0);
    page.run(&["ledger", "open", "people"], 2);
    page.run(
        &["ledger", "open", "visits", "--allow", "differential-privacy,simple-outlier-dp", "--splits", "region,week"],
        0,
    );
    page.run(
        &["ledger", "open", "months", "--epsilon", "1", "--people", "disjoint-per-period", "--refresh", "month"],
        0,
    );
    page.run(&["ledger", "open", "empty", "--format", "json"], 0);
    for name in ["histogram", "sampled", "series", "rows"] {
        page.run(&["release", &format!("{name}.toml"), "--folder", name, "--quiet", "--open"], 0);
    }
    page.run(&["ledger", "policy", "people", "--max-epsilon-per-release", "2", "--min-group", "5"], 0);
    page.run(&["ledger", "policy", "people", "--epsilon", "5"], 2);
    page.run(&["ledger", "policy", "people", "--epsilon", "5", "--key", "raise.key"], 0);
    page.run(&["ledger", "policy", "people", "--clear", "min-group", "--key", "raise.key", "--format", "json"], 0);
    page.run(&["ledger", "policy", "nobody", "--epsilon", "5"], 2);
    page.run(&["ledger", "key", "new", "next"], 0);
    page.run(&["ledger", "key", "show", "next.key"], 0);
    page.run(&["ledger", "key", "show", "next.pub", "--format", "json"], 0);
    page.run(&["ledger", "policy", "people", "--epsilon", "6", "--print-request", "raise.json"], 0);
    page.run(&["ledger", "sign", "raise.json"], 0);
    page.run(&["ledger", "sign", "raise.json", "--key", "next.key", "--output", "wrong.json"], 2);
    page.run(&["ledger", "policy", "people", "--signature", "raise.json"], 2);
    page.run(&["ledger", "sign", "raise.json", "--key", "raise.key"], 0);
    page.run(&["ledger", "policy", "people", "--signature", "raise.signed.json"], 0);
    page.run(&["ledger", "policy", "people", "--signature", "raise.signed.json"], 2);
    page.run(&["ledger", "key", "change", "people", "--to", "next.pub", "--key", "raise.key"], 0);
    place.write("weak.pub", format!("incrowd public key ed25519 01{}\n", "00".repeat(31)));
    page.run(&["ledger", "key", "change", "visits", "--to", "weak.pub"], 2);
    page.run(&["ledger", "setup", "ledger.sqlite"], 2);
    page.run(&["ledger", "set-aside"], 2);
    page.run(&["ledger", "show"], 0);
    page.run(&["ledger", "show", "people"], 0);
    page.run(&["ledger", "show", "nobody"], 2);
    page.run(&["ledger", "show", "people", "--format", "json"], 0);
    page.run(&["ledger", "history"], 0);
    page.run(&["ledger", "history", "visits"], 0);
    page.run(&["ledger", "history", "visits", "--format", "json"], 0);
    page.run(&["ledger", "verify"], 0);
    page.run(&["ledger", "verify", "--format", "json"], 0);
    page.run(&["ledger", "verify", "--against", "histogram", "series"], 0);
    page.run(&["ledger", "verify", "--head", &"0".repeat(64)], 1);
    place.write("series/counts.csv", "forged");
    page.run(&["ledger", "verify", "--against", "histogram", "series"], 1);
    page.run(&["ledger", "exposure", "histogram.toml"], 0);
    page.run(&["ledger", "exposure", "histogram.toml", "--format", "json"], 0);
    page.run(&["ledger", "exposure", "points.toml"], 2);
    page.run(&["ledger", "export"], 0);
    page.run(&["ledger", "export", "visits", "--as", "csv"], 0);
    page.run(&["ledger", "report", "--output", "book.html"], 0);
    page.run(&["ledger", "report", "--output", "book.html"], 2);
    page.name_book();
    page.check_file("book.html", "ledger.html");
    page.check("ledger.txt");
}
