//! A page as one self-contained HTML file.
//! It must never hold a script, a link to anything but its own sections and files beside it, or a text that was not
//! escaped: names of bins come from anywhere.
//! It is separate from what the page says, so that nobody who writes a sentence has to think of markup.
//! Read `harmless.rs` next, for what becomes of hostile characters.

mod meters;

use crate::chart::{cell_map, shades, svg};
use crate::count::PageCount;
use crate::harmless::escaped;
use crate::page::{
    Align, Bar, Block, FileLink, Heat, Page, PageContents, PageTable, Picker, Section, Stamp, paragraphs,
};
use std::fmt::Write;

/// Cells longer than this are cut.
const LONGEST_CELL: usize = 200;

/// Returns the page as an HTML file.
pub fn html(page: &Page) -> String {
    let mut out = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    );
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    element("title", &page.title, &mut out);
    let body = match page.stamp {
        None => "<body>",
        Some(Stamp::Rehearsal) => "<body class=\"rehearsal\">",
        Some(Stamp::MadeUp) => "<body class=\"made-up\">",
    };
    let _ = write!(out, "<style>\n{}</style>\n</head>\n{body}\n<main>\n", include_str!("html/style.css"));
    element("h1", &page.title, &mut out);
    if !page.subtitle.is_empty() {
        quiet(&page.subtitle, &mut out);
    }
    if let Some(warning) = &page.warning {
        let _ = writeln!(out, "<p class=\"warning\" role=\"alert\">{}</p>", escaped(warning));
    }
    // What has no heading and comes first is what the title speaks of: it stands before the contents.
    let introduced = usize::from(page.sections.first().is_some_and(|first| first.heading.is_empty()));
    let (first, others) = page.sections.split_at(introduced);
    first.iter().for_each(|section| write_section(section, "", &mut out));
    match page.contents {
        PageContents::Unlisted => others.iter().for_each(|section| write_section(section, "", &mut out)),
        PageContents::Listed => {
            write_contents(others, &mut out);
            for (number, section) in others.iter().enumerate() {
                write_section(section, &format!(" id=\"s{}\"", number + 1), &mut out);
            }
        }
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn write_contents(sections: &[Section], out: &mut String) {
    out.push_str("<nav>\n<ul>\n");
    for (number, section) in sections.iter().enumerate() {
        let _ = writeln!(out, "<li><a href=\"#s{}\">{}</a></li>", number + 1, escaped(&section.heading));
    }
    out.push_str("</ul>\n</nav>\n");
}

fn write_section(section: &Section, id: &str, out: &mut String) {
    let _ = writeln!(out, "<section{id}>");
    if !section.heading.is_empty() {
        element("h2", &section.heading, out);
    }
    section.blocks.iter().for_each(|block| write_block(block, out));
    out.push_str("</section>\n");
}

fn write_block(block: &Block, out: &mut String) {
    match block {
        Block::Paragraph(text) => sentence("p", text, out),
        Block::List(lines) => {
            out.push_str("<ul>\n");
            lines.iter().for_each(|line| sentence("li", line, out));
            out.push_str("</ul>\n");
        }
        Block::Facts(facts) => write_facts(facts, out),
        Block::Command(text) => {
            let _ = writeln!(out, "<pre><code>{}</code></pre>", escaped(text));
        }
        Block::Note(text) => quiet(text, out),
        Block::Quote(text) => {
            out.push_str("<blockquote>\n");
            paragraphs(text).for_each(|part| element("p", part, out));
            out.push_str("</blockquote>\n");
        }
        Block::Files(files) => write_files(files, out),
        Block::GreyedTable { table, grey } => write_table(table, grey, out),
        Block::Fold { summary, blocks } => {
            let _ = writeln!(out, "<details class=\"fold\"><summary>{}</summary>", escaped(summary));
            blocks.iter().for_each(|block| write_block(block, out));
            out.push_str("</details>\n");
        }
        Block::FoldedBlocks { summary, blocks } => {
            let _ = writeln!(out, "<details><summary>{}</summary>", escaped(summary));
            blocks.iter().for_each(|block| write_block(block, out));
            out.push_str("</details>\n");
        }
        Block::Map(map) => {
            if let Ok(drawing) = cell_map(map) {
                let _ = writeln!(out, "<figure tabindex=\"0\">{drawing}</figure>");
            }
        }
        // A browser scrolls what is too wide.
        Block::Table(table) | Block::WideTable { table, .. } => write_table(table, &[], out),
        Block::Picker(picker) => write_picker(picker, out),
        Block::Bars(bars) => write_bars(bars, out),
        Block::Meters(table) => meters::write(table, out),
        Block::Log(entries) => meters::write_log(entries, out),
        Block::Heat(heat) => write_heat(heat, out),
        Block::Shades(map) => {
            if let Ok(drawing) = shades(map) {
                let _ = writeln!(out, "<figure tabindex=\"0\">{drawing}</figure>");
            }
        }
        Block::Folded { summary, text } => {
            let _ = writeln!(
                out,
                "<details><summary>{}</summary><pre><code>{}</code></pre></details>",
                escaped(summary),
                escaped(text)
            );
        }
        Block::Chart(chart) => {
            // A chart that cannot be drawn is left out: its values stand in the table.
            if let Ok(drawing) = svg(chart) {
                let from = drawing.find("<svg").unwrap_or(0);
                let _ = writeln!(out, "<figure tabindex=\"0\">{}</figure>", &drawing[from..]);
            }
        }
    }
}

fn write_facts(facts: &[(String, String)], out: &mut String) {
    out.push_str("<dl>\n");
    for (name, text) in facts {
        element("dt", name, out);
        sentence(if has_hash(text) { "dd class=\"hash\"" } else { "dd" }, text, out);
    }
    out.push_str("</dl>\n");
}

/// A name that leads to a file beside the page, and nowhere else.
fn is_plain_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain)
}

fn write_files(files: &[FileLink], out: &mut String) {
    out.push_str("<ul class=\"files\">\n");
    for FileLink { name, words } in files {
        let shown = match is_plain_name(name) {
            true => format!("<a href=\"{name}\" download>{name}</a>"),
            false => escaped(name),
        };
        let _ = writeln!(out, "<li>{shown} <span>{}</span></li>", escaped(words));
    }
    out.push_str("</ul>\n");
}

fn write_table(table: &PageTable, grey: &[usize], out: &mut String) {
    out.push_str("<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>");
    for column in &table.columns {
        let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(column.align), escaped(&column.heading));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (place, row) in table.rows.iter().enumerate() {
        let is_grey = grey.binary_search(&place).is_ok();
        out.push_str(if is_grey { "<tr class=\"uncertain\">" } else { "<tr>" });
        for (cell, column) in row.iter().zip(&table.columns) {
            let _ = match cell {
                Some(text) => write!(out, "<td{}>{}</td>", class_of(column.align, text), escaped(&cut(text))),
                None => write!(out, "<td{}><span class=\"quiet\">\u{2013}</span></td>", class(column.align)),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

/// Widths are whole ten-thousandths: the page is the same on every machine.
fn write_bars(bars: &[Bar], out: &mut String) {
    let ends = bars.iter().flat_map(|bar| bar.count.count().into_iter().chain(bar.interval.map(|(_, high)| high)));
    let most = ends.max().unwrap_or(1).max(1);
    let part = |value: i64| {
        let parts = i128::from(value.clamp(0, most)) * 10_000 / i128::from(most);
        format!("{}.{:02}%", parts / 100, parts % 100)
    };
    out.push_str("<table class=\"bars\">\n<tbody>\n");
    for bar in bars {
        let (row, words) = match &bar.count {
            PageCount::Uncertain { .. } => ("<tr class=\"uncertain\">", bar.count.words()),
            PageCount::Hidden => ("<tr>", Some("not shown".to_string())),
            PageCount::Count(_) => ("<tr>", bar.count.words()),
        };
        let _ = write!(
            out,
            "{row}<th scope=\"row\">{}</th><td class=\"picture\" aria-hidden=\"true\"><span class=\"track\">",
            escaped(&cut(&bar.label))
        );
        if let Some(count) = bar.count.count() {
            let _ = write!(out, "<span class=\"fill\" style=\"width:{}\"></span>", part(count));
        }
        if let Some((low, high)) = bar.interval {
            let width = part(high.max(0) - low.clamp(0, high.max(0)));
            let _ = write!(out, "<span class=\"range\" style=\"left:{};width:{width}\"></span>", part(low));
        }
        let _ = writeln!(out, "</span></td><td class=\"number\">{}</td></tr>", escaped(&words.unwrap_or_default()));
    }
    out.push_str("</tbody>\n</table>\n");
}

/// Radio buttons, a sheet of styles and no script: the answer that belongs to the checked one shows.
fn write_picker(picker: &Picker, out: &mut String) {
    let _ = writeln!(out, "<fieldset class=\"picker\"><legend>{}</legend>", escaped(&picker.question));
    for (index, (label, _)) in picker.answers.iter().enumerate() {
        let checked = if index == picker.first { " checked" } else { "" };
        let _ = writeln!(
            out,
            "<input type=\"radio\" name=\"pick\" id=\"pick-{index}\"{checked}><label for=\"pick-{index}\">{}</label>",
            escaped(label)
        );
    }
    out.push_str("<div class=\"answers\" aria-live=\"polite\">\n");
    picker.answers.iter().for_each(|(_, answer)| element("p", answer, out));
    out.push_str("</div>\n</fieldset>\n");
}

fn write_heat(heat: &Heat, out: &mut String) {
    let most =
        heat.rows.iter().flat_map(|(_, counts)| counts.iter().filter_map(PageCount::count)).max().unwrap_or(1).max(1);
    out.push_str("<div class=\"wide\" tabindex=\"0\"><table class=\"heat\">\n<thead><tr>");
    if heat.across.is_empty() {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(&heat.corner));
    } else {
        let _ = write!(
            out,
            "<th scope=\"col\" rowspan=\"2\">{}</th><th scope=\"colgroup\" colspan=\"{}\">{}</th></tr>\n<tr>",
            escaped(&heat.corner),
            heat.columns.len(),
            escaped(&heat.across)
        );
    }
    for column in &heat.columns {
        let class = class_of(Align::Right, column);
        let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", escaped(&cut(column)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (label, counts) in &heat.rows {
        let _ = write!(out, "<tr><th scope=\"row\"{}>{}</th>", class_of(Align::Left, label), escaped(&cut(label)));
        for count in counts {
            let _ = match count {
                PageCount::Count(count) => {
                    let tint = i128::from((*count).clamp(0, most)) * 60 / i128::from(most);
                    write!(out, "<td class=\"number\" style=\"--tint:{tint}%\">{count}</td>")
                }
                PageCount::Uncertain { words, .. } => {
                    write!(out, "<td class=\"number uncertain\">{}</td>", escaped(words))
                }
                PageCount::Hidden => write!(out, "<td class=\"number quiet\">\u{2013}</td>"),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => " class=\"number\"",
    }
}

/// The longest label that stays on one line, and the longest word that may widen a table.
const SHORT: usize = 24;
const LONGEST_WORD: usize = 32;

/// Where a cell's text stands, and how it breaks: short ones not at all, long words anywhere.
fn class_of(align: Align, text: &str) -> &'static str {
    let breaks = text.contains([' ', '-']);
    let short = breaks && text.chars().count() <= SHORT;
    let long = !short && text.split([' ', '-']).any(|word| word.chars().count() > LONGEST_WORD);
    let blocks = text.contains('\u{2588}') && text.chars().all(|c| c == '\u{2588}');
    match (align, short, long) {
        (Align::Left, _, _) if blocks => " class=\"blocks\"",
        (Align::Left, false, false) => "",
        (Align::Left, true, _) => " class=\"short\"",
        (Align::Left, false, true) => " class=\"long\"",
        (Align::Right, true, _) => " class=\"number short\"",
        (Align::Right, false, _) => " class=\"number\"",
    }
}

fn quiet(text: &str, out: &mut String) {
    sentence("p class=\"quiet\"", text, out);
}

/// Writes a text in which what stands between backticks is code; `tag` is an element with its attributes.
fn sentence(tag: &str, text: &str, out: &mut String) {
    let name = tag.split(' ').next().unwrap_or(tag);
    let _ = writeln!(out, "<{tag}>{}</{name}>", with_code(&escaped(text)));
}

/// Marks as code what stands between two backticks; where one is left over, all stay as they are.
fn with_code(escaped: &str) -> String {
    let parts: Vec<&str> = escaped.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped.to_string();
    }
    let part = |(place, part): (usize, &&str)| match place % 2 {
        0 => (*part).to_string(),
        _ => format!("<code>{part}</code>"),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Whether a text has a word that no line of a small screen holds, such as a hash.
fn has_hash(text: &str) -> bool {
    text.split(' ').any(|word| word.len() >= 40)
}

fn element(name: &str, text: &str, out: &mut String) {
    let _ = writeln!(out, "<{name}>{}</{name}>", escaped(text));
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_CELL) {
        None => text.to_string(),
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{LogEntry, LogWeight, MeterRow, MeterTable, PageColumn};

    #[test]
    fn no_text_can_become_markup() {
        let evil = "<script>alert(1)</script>\"'&\u{202e}\u{0}";
        let uncertain = PageCount::Uncertain { count: Some(i64::MAX), words: evil.into() };
        let page = Page {
            title: evil.into(),
            subtitle: evil.into(),
            warning: Some(evil.into()),
            stamp: Some(Stamp::Rehearsal),
            contents: PageContents::Listed,
            sections: vec![Section {
                heading: evil.into(),
                blocks: vec![
                    Block::Paragraph(evil.into()),
                    Block::Note(evil.into()),
                    Block::List(vec![evil.into()]),
                    Block::Facts(vec![(evil.into(), evil.into())]),
                    Block::Command(evil.into()),
                    Block::Table(PageTable {
                        columns: vec![PageColumn { heading: evil.into(), align: Align::Right }],
                        rows: vec![vec![Some(evil.into())], vec![None], vec![Some("x".repeat(1000))]],
                    }),
                    Block::Bars(vec![
                        Bar { label: evil.into(), count: PageCount::Count(-5), interval: Some((i64::MIN, i64::MAX)) },
                        Bar { label: "b".into(), count: PageCount::Hidden, interval: None },
                        Bar { label: "c".into(), count: uncertain.clone(), interval: None },
                    ]),
                    Block::Heat(Heat {
                        corner: evil.into(),
                        across: evil.into(),
                        columns: vec![evil.into()],
                        rows: vec![(
                            evil.into(),
                            vec![PageCount::Count(i64::MIN), PageCount::Count(i64::MAX), PageCount::Hidden, uncertain],
                        )],
                    }),
                    Block::Meters(MeterTable {
                        columns: [Align::Left, Align::Right]
                            .map(|align| PageColumn { heading: evil.into(), align })
                            .to_vec(),
                        rows: vec![MeterRow { cells: vec![Some(evil.into()); 2], meter: None }],
                    }),
                    Block::Log(vec![LogEntry {
                        heading: evil.into(),
                        weight: LogWeight::Striking,
                        facts: vec![(evil.into(), evil.into())],
                    }]),
                    Block::Quote(format!("{evil}\n\n{evil}")),
                    Block::Files(vec![
                        FileLink { name: evil.into(), words: evil.into() },
                        FileLink { name: "counts.csv".into(), words: "a table".into() },
                        FileLink { name: "../counts.csv".into(), words: "elsewhere".into() },
                    ]),
                    Block::Fold { summary: evil.into(), blocks: vec![Block::Paragraph(evil.into())] },
                    Block::Folded { summary: evil.into(), text: evil.into() },
                    Block::Picker(Picker {
                        question: evil.into(),
                        answers: vec![(evil.into(), evil.into())],
                        first: 0,
                    }),
                ],
            }],
        };
        let html = html(&page);
        assert_eq!(html.matches("<script").count(), 0);
        assert_eq!(html.matches("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\u{fffd}\u{fffd}").count(), 40);
        let links: Vec<&str> = html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(links, ["#s1", "counts.csv"], "no other name leads anywhere");
        assert!(!html.contains("http://") && !html.contains("https://") && !html.contains("javascript:"));
        assert!(html.contains(&format!("{}\u{2026}", "x".repeat(200))));
    }

    #[test]
    fn what_stands_between_backticks_is_code_and_a_lone_one_stays() {
        assert_eq!(with_code(&escaped("say `a<b` or `c`.")), "say <code>a&lt;b</code> or <code>c</code>.");
        assert_eq!(with_code("one ` alone"), "one ` alone");
    }

    #[test]
    fn short_labels_stay_on_one_line_and_long_words_break() {
        assert_eq!(class_of(Align::Left, "[20000, 40000)"), " class=\"short\"");
        assert_eq!(class_of(Align::Left, "Bern"), "");
        assert_eq!(class_of(Align::Left, &format!("a {}", "x".repeat(40))), " class=\"long\"");
        assert_eq!(class_of(Align::Left, "a sentence that may be broken where it has spaces"), "");
        assert_eq!(class_of(Align::Right, "997 to 1003"), " class=\"number short\"");
    }
}
