//! `render`, and what `verify` and the book say of its folders.

use super::{Page, place};

#[test]
fn render_says_what_it_made_from_what_and_why_not() {
    let place = place();
    let text = std::fs::read_to_string(place.path("histogram.toml")).expect("a request");
    place.write("request.toml", text.replace("synthetic = true\n", ""));
    let said = place.run(&["release", "request.toml", "--folder", "out", "--quiet"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let mut page = Page::of(&place);
    page.run(
        &["render", "out", "--to", "new", "--formats", "csv,xlsx", "--margins", "none", "--statistics", "none"],
        0,
    );
    page.run(&["render", "new", "--to", "newer", "--rounding", "10", "--format", "json"], 0);
    page.run(&["verify", "new", "--parent", "out"], 0);
    page.run(&["verify", "newer", "--parent", "out"], 1);
    page.run(&["verify", "newer"], 0);
    page.run(&["verify", "out", "--parent", "new"], 1);
    page.run(&["ledger", "verify", "--against", "out", "new", "newer"], 0);
    page.run(&["render", "out", "--to", "new"], 2);
    page.run(&["render", "out", "--to", "other", "--formats", "xlsx"], 2);
    page.run(&["render", "out", "--to", "other", "--formats", "pdf"], 2);
    page.run(&["render", "out", "--to", "other", "--margins", "nobody"], 2);
    page.run(&["render", "out", "--to", "other", "--missing", "12"], 2);
    page.run(&["render", "out", "--to", "other", "--estimate", "best"], 2);
    page.run(&["render", "nowhere", "--to", "other"], 2);
    place.write("out/counts.csv", "forged");
    page.run(&["render", "out", "--to", "other", "--format", "json"], 1);
    page.name_book();
    for (folder, name) in [("new", "CERTIFICATE-OF-NEW"), ("newer", "CERTIFICATE-OF-NEWER")] {
        let bytes = std::fs::read(place.path(folder).join("certificate.json")).expect("a certificate");
        let hash = <sha2::Sha256 as sha2::Digest>::digest(&bytes);
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        page.names.push((hash, name.into()));
    }
    page.check("render.txt");
}
