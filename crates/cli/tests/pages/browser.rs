//! A page as a browser takes it: well-formed, self-contained, and the words that are on it.
//!
//! It reads HTML with a reader that is not ours, and must never forgive a tag that is left open. It is separate so that
//! every test program reads pages alike. Read `kept.rs` for pages as text.

/// Returns the words of a page in their order, after a look at its form; missing cells have none.
pub fn words(html: &str) -> Vec<String> {
    for foreign in ["<script", "http://", "javascript:", "@import", "url("] {
        assert!(!html.replace("http://www.w3.org/2000/svg", "").contains(foreign), "{foreign}: {html}");
    }
    // All that HTML may leave open here is a meta tag; everything else reads as XML.
    let closed = |line: &str| match line.starts_with("<meta ") {
        true => line.replacen('>', "/>", 1),
        false => line.to_string(),
    };
    let body = html.strip_prefix("<!DOCTYPE html>\n").expect("a type of document");
    let text = body.lines().map(closed).collect::<Vec<_>>().join("\n");
    // Within a sentence code stands where a text has backticks.
    let text = text.replace("<pre><code>", "<pre>").replace("</code></pre>", "</pre>");
    let text = text.replace("<code>", "`").replace("</code>", "`");
    let tree = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {html}"));
    let main = tree.descendants().find(|node| node.has_tag_name("main")).expect("a main part");
    let words = main.descendants().filter(|node| node.is_text()).filter_map(|node| node.text());
    words.flat_map(str::split_whitespace).filter(|word| *word != "–").map(str::to_string).collect()
}

/// Checks that a text and a page have the same words in the same order; a browser draws bullets, which a text writes.
pub fn same_words(text: &str, html: &str) {
    let lines = text.lines().map(|line| line.strip_prefix("  - ").unwrap_or(line));
    let (shown, told) = (words(html), lines.flat_map(str::split_whitespace).collect::<Vec<_>>());
    let apart = shown.iter().zip(&told).position(|(shown, told)| shown != told);
    let around = |at: usize| (shown.get(at.saturating_sub(5)..at + 1), told.get(at.saturating_sub(5)..at + 1));
    assert_eq!(apart.map(around), None, "{text}");
    assert_eq!(shown.len(), told.len(), "{text}");
}
