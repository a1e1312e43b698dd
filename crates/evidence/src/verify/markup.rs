//! A page taken apart: its elements and texts, in the one form in which incrowd writes them.
//!
//! Whatever else a browser might understand is no page of incrowd: a script, a comment, a link to anything but its own
//! sections and the files of its folder, an attribute that acts, or anything before or behind the page. It must never
//! pass on a piece that it did not understand. It is separate because it knows markup and nothing about releases. Read
//! `report.rs` next.

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
const ELEMENTS: [&str; 44] = [
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "main",
    "section",
    "h1",
    "h2",
    "p",
    "ul",
    "li",
    "dl",
    "dt",
    "dd",
    "pre",
    "code",
    "div",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "span",
    "fieldset",
    "legend",
    "input",
    "label",
    "figure",
    "details",
    "summary",
    "nav",
    "blockquote",
    "a",
    "svg",
    "desc",
    "g",
    "rect",
    "circle",
    "polygon",
    "polyline",
    "text",
];
/// Attributes whose values are names and numbers, and act on nothing.
const PLAIN: [&str; 35] = [
    "lang",
    "charset",
    "name",
    "class",
    "role",
    "scope",
    "colspan",
    "rowspan",
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
///
/// A link leads to a section of the page or to one of these files, which the certificate lists.
pub(super) fn page<'p>(text: &'p str, files: &[&str]) -> Option<Vec<Piece<'p>>> {
    let pieces = pieces(text.strip_prefix(DOCTYPE)?)?;
    let is_whole = matches!(pieces.first(), Some(Piece::Open { name: "html", .. }))
        && matches!(pieces.as_slice(), [.., Piece::Close("html"), Piece::Text("\n")]);
    // One root: what is not inside of it is nothing but the end of the last line.
    let roots = pieces.iter().filter(|piece| matches!(piece, Piece::Open { name: "html", .. })).count();
    (is_whole && roots == 1 && leads_nowhere_else(&pieces, files)).then_some(pieces)
}

/// Whether every link leads to something with that name on the page, or to one of some files in the same folder.
fn leads_nowhere_else(pieces: &[Piece<'_>], files: &[&str]) -> bool {
    let values = |wanted: &'static str| {
        pieces.iter().flat_map(move |piece| {
            let attributes = match piece {
                Piece::Open { attributes, .. } => attributes.as_slice(),
                Piece::Close(_) | Piece::Text(_) => &[],
            };
            attributes.iter().filter(move |(name, _)| *name == wanted).map(|(_, value)| *value)
        })
    };
    values("href").all(|link| match link.strip_prefix('#') {
        Some(place) => values("id").any(|id| id == place),
        None => files.contains(&link),
    })
}

/// Returns the pieces of one drawing, which has no links; nothing if it is none.
pub(super) fn drawing(text: &str) -> Option<Vec<Piece<'_>>> {
    let pieces = pieces(text)?;
    let is_whole = matches!(pieces.first(), Some(Piece::Open { name: "svg", .. }))
        && matches!(pieces.last(), Some(Piece::Close("svg")));
    let roots = pieces.iter().filter(|piece| matches!(piece, Piece::Open { name: "svg", .. })).count();
    let links = pieces.iter().any(|piece| matches!(piece, Piece::Open { name: "a", .. }));
    (is_whole && roots == 1 && !links).then_some(pieces)
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
        // Where it leads is looked at once the whole page is known; a scheme has a colon.
        "href" => is_made_of("#.-_"),
        "download" => value.is_empty(),
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
    fn links_lead_to_sections_and_to_listed_files_alone() {
        let with = |inside: &str| format!("{DOCTYPE}<html lang=\"en\">\n<body>{inside}</body>\n</html>\n");
        let linked = with("<a href=\"#s1\">x</a><section id=\"s1\"></section><a href=\"counts.csv\" download>y</a>");
        assert!(page(&linked, &["counts.csv"]).is_some());
        assert!(page(&linked, &[]).is_none() && page(&linked, &["counts.csv.gz"]).is_none());
        assert!(page(&linked.replace("id=\"s1\"", "id=\"s2\""), &["counts.csv"]).is_none());
        assert!(drawing("<svg><text>x</text></svg>").is_some() && drawing("<svg><a href=\"#s\"></a></svg>").is_none());
    }

    #[test]
    fn a_page_is_whole_and_nothing_in_it_acts() {
        let with = |inside: &str| format!("{DOCTYPE}<html lang=\"en\">\n<body>{inside}</body>\n</html>\n");
        assert!(page(&with("<p class=\"quiet\">a &lt;b&gt; &amp; c</p><input type=\"radio\" checked>"), &[]).is_some());
        for acting in [
            "<script>x</script>",
            "<SCRIPT>x</SCRIPT>",
            "<p onclick=\"x\">a</p>",
            "<p class=\"a\"onclick=\"x\">a</p>",
            "<a href=\"x\">a</a>",
            "<a href=\"#x\">a</a>",
            "<a href=\"counts.csv#x\">a</a>",
            "<a href=\"../counts.csv\">a</a>",
            "<a href=\"other.csv\">a</a>",
            "<a href=\"javascript:x\">a</a>",
            "<a href=\"//x\">a</a>",
            "<a href=\"counts.csv\" download=\"x\">a</a>",
            "<a href=\"counts.csv\" target=\"x\">a</a>",
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
            assert!(page(&with(acting), &["counts.csv"]).is_none(), "{acting}");
        }
        for outside in
            [format!("{}<p></p>", with("")), format!("<p></p>{}", with("")), with("") + &with(""), with("") + "\n"]
        {
            assert!(page(&outside, &[]).is_none(), "{outside}");
        }
        assert!(page("", &[]).is_none() && page(DOCTYPE, &[]).is_none());
    }
}
