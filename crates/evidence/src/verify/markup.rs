//! A page taken apart: its elements and texts, in the one form in which incrowd writes them.
//!
//! Whatever else a browser might understand is no page of incrowd: a script, a comment, a link, an attribute that acts,
//! or anything before or behind the page. It must never pass on a piece that it did not understand. It is separate
//! because it knows markup and nothing about releases. Read `report.rs` next.

/// One piece of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece<'p> {
    /// An element begins.
    Open {
        /// What it is called.
        name: &'p str,
        /// Its attributes, as they are written.
        attributes: Vec<(&'p str, &'p str)>,
    },
    /// The element that began last ends.
    Close(&'p str),
    /// Text, as it is written.
    Text(&'p str),
}

/// What a page begins with.
const DOCTYPE: &str = "<!DOCTYPE html>\n";
/// Elements that have no end of their own.
const VOID: [&str; 2] = ["meta", "input"];
/// All elements: none loads, sends or runs anything.
const ELEMENTS: [&str; 41] = [
    "html", "head", "meta", "title", "style", "body", "main", "section", "h1", "h2", "p", "ul", "li", "dl", "dt", "dd",
    "pre", "code", "div", "table", "thead", "tbody", "tr", "th", "td", "span", "fieldset", "legend", "input", "label",
    "figure", "details", "summary", "svg", "desc", "g", "rect", "circle", "polygon", "polyline", "text",
];
/// Attributes whose values are names and numbers, and act on nothing.
const PLAIN: [&str; 33] = [
    "lang",
    "charset",
    "name",
    "class",
    "role",
    "scope",
    "tabindex",
    "aria-live",
    "aria-hidden",
    "type",
    "id",
    "checked",
    "for",
    "width",
    "height",
    "viewBox",
    "x",
    "y",
    "dy",
    "cx",
    "cy",
    "r",
    "points",
    "fill",
    "stroke",
    "stroke-width",
    "stroke-linejoin",
    "stroke-dasharray",
    "opacity",
    "text-anchor",
    "font-family",
    "font-size",
    "font-weight",
];
/// What the heads of pages say to browsers.
const CONTENTS: [&str; 3] =
    ["default-src 'none'; style-src 'unsafe-inline'", "width=device-width, initial-scale=1", "light dark"];

/// Returns the pieces of a whole page; nothing if there is one that no page of incrowd has.
pub(super) fn page(text: &str) -> Option<Vec<Piece<'_>>> {
    let pieces = pieces(text.strip_prefix(DOCTYPE)?)?;
    let is_whole = matches!(pieces.first(), Some(Piece::Open { name: "html", .. }))
        && matches!(pieces.as_slice(), [.., Piece::Close("html"), Piece::Text("\n")]);
    // One root: what is not inside of it is nothing but the end of the last line.
    let roots = pieces.iter().filter(|piece| matches!(piece, Piece::Open { name: "html", .. })).count();
    (is_whole && roots == 1).then_some(pieces)
}

/// Returns the pieces of one drawing; nothing if it is none.
pub(super) fn drawing(text: &str) -> Option<Vec<Piece<'_>>> {
    let pieces = pieces(text)?;
    let is_whole = matches!(pieces.first(), Some(Piece::Open { name: "svg", .. }))
        && matches!(pieces.last(), Some(Piece::Close("svg")));
    let roots = pieces.iter().filter(|piece| matches!(piece, Piece::Open { name: "svg", .. })).count();
    (is_whole && roots == 1).then_some(pieces)
}

fn pieces(text: &str) -> Option<Vec<Piece<'_>>> {
    let (mut rest, mut found, mut within) = (text, Vec::new(), Vec::new());
    while !rest.is_empty() {
        let (before, tagged) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        if !before.is_empty() {
            is_text(before).then(|| found.push(Piece::Text(before)))?;
        }
        if tagged.is_empty() {
            break;
        }
        let (tag, after) = tagged.strip_prefix('<')?.split_once('>')?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            (within.pop()? == name).then(|| found.push(Piece::Close(name)))?;
            continue;
        }
        let (tag, is_closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = element(tag)?;
        found.push(Piece::Open { name, attributes });
        if name == "style" {
            // The one text that is not for people: it has no end but its own.
            let (style, after) = rest.split_once("</style>")?;
            found.extend([Piece::Text(style), Piece::Close(name)]);
            rest = after;
        } else if is_closed {
            found.push(Piece::Close(name));
        } else if !VOID.contains(&name) {
            within.push(name);
        }
    }
    within.is_empty().then_some(found)
}

/// Returns the name and the attributes of a tag that is known and does nothing.
fn element(tag: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let (name, mut rest) = tag.split_at(tag.find([' ', '\n']).unwrap_or(tag.len()));
    ELEMENTS.contains(&name).then_some(())?;
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\n']);
        if rest.is_empty() {
            return Some((name, attributes));
        }
        let (attribute, after) = rest.split_at(rest.find(['=', ' ', '\n']).unwrap_or(rest.len()));
        let (value, after) = match after.strip_prefix("=\"") {
            Some(quoted) => quoted.split_once('"')?,
            None => ("", after),
        };
        let is_new = attributes.iter().all(|(known, _)| *known != attribute);
        // The next one stands apart.
        let is_apart = after.is_empty() || after.starts_with([' ', '\n']);
        (is_new && is_apart && is_harmless(attribute, value)).then(|| attributes.push((attribute, value)))?;
        rest = after;
    }
}

fn is_harmless(attribute: &str, value: &str) -> bool {
    let is_made_of = |marks: &str| value.chars().all(|c| c.is_ascii_alphanumeric() || marks.contains(c));
    match attribute {
        "xmlns" => value == "http://www.w3.org/2000/svg",
        "http-equiv" => value == "Content-Security-Policy",
        "content" => CONTENTS.contains(&value),
        "aria-label" => is_text(value),
        "style" => is_made_of("-:;.%"),
        plain => PLAIN.contains(&plain) && is_made_of(" #.,-"),
    }
}

/// Whether nothing in a text is markup, whole or half.
fn is_text(text: &str) -> bool {
    let marks = ["amp;", "lt;", "gt;", "quot;", "apos;", "#39;"];
    !text.contains(['<', '>']) && text.split('&').skip(1).all(|after| marks.iter().any(|mark| after.starts_with(mark)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_whole_and_nothing_in_it_acts() {
        let with = |inside: &str| format!("{DOCTYPE}<html lang=\"en\">\n<body>{inside}</body>\n</html>\n");
        assert!(page(&with("<p class=\"quiet\">a &lt;b&gt; &amp; c</p><input type=\"radio\" checked>")).is_some());
        for acting in [
            "<script>x</script>",
            "<SCRIPT>x</SCRIPT>",
            "<p onclick=\"x\">a</p>",
            "<p class=\"a\"onclick=\"x\">a</p>",
            "<a href=\"x\">a</a>",
            "<img src=\"x\">",
            "<iframe></iframe>",
            "<meta http-equiv=\"refresh\" content=\"light dark\">",
            "<meta content=\"0;url=x\">",
            "<td style=\"background:url(x)\">a</td>",
            "<rect fill=\"url(#x)\"/>",
            "<svg xmlns=\"x\"></svg>",
            "<form></form>",
            "<!-- a -->",
            "<![CDATA[a]]>",
            "<?a?>",
            "<p>a",
            "</p>",
            "<p><span></p></span>",
            "<p class='a'>a</p>",
            "<p class=a>a</p>",
            "<p class=\"a\" class=\"b\">a</p>",
            "a &#x3c; b",
            "a > b",
            "<",
        ] {
            assert!(page(&with(acting)).is_none(), "{acting}");
        }
        for outside in
            [format!("{}<p></p>", with("")), format!("<p></p>{}", with("")), with("") + &with(""), with("") + "\n"]
        {
            assert!(page(&outside).is_none(), "{outside}");
        }
        assert!(page("").is_none() && page(DOCTYPE).is_none());
    }
}
