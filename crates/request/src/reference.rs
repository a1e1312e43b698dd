//! Every key of a request on one page, for people.
//!
//! Printed from the table of keys, as the schema is; it must never know a key that the reader does not, nor a sentence
//! that the schema lacks. It is separate from the schema because people read it and editors do not. Read `sections.rs`
//! for the table.

use super::keys::{Key, Need, Section, Shape};
use super::promise::KINDS;
use super::sections::{MECHANISM, PROMISE, REQUEST};
use incrowd_privacy::MechanismName;

/// So many columns has a line.
const WIDTH: usize = 116;

/// Returns every key of a request as one page of Markdown: what it may hold, what holds without it, what it means.
pub fn reference() -> String {
    let mut page = String::from("# Every key of a request\n");
    paragraph(
        &mut page,
        "A request is a file in TOML. `incrowd init DATA` writes one, `incrowd plan` says what it means, and `incrowd \
            schema` prints the same keys as a JSON Schema for editors. This page is printed by `incrowd schema keys`.",
    );
    add_section(&mut page, &REQUEST);
    page
}

fn add_section(page: &mut String, section: &'static Section) {
    let title = if section.title.starts_with('[') { format!("`{}`", section.title) } else { "At the top".into() };
    page.push_str(&format!("\n## {title}\n"));
    paragraph(page, section.about);
    page.push('\n');
    for key in section.keys {
        item(page, &format!("**`{}`**: {}. {}{}", key.name, words(&key.shape), key.about, need(key)));
    }
    if std::ptr::eq(section, &PROMISE) {
        paragraph(page, "Which keys go with which `kind`, beside `delta` and `sampled-epsilon`:");
        page.push('\n');
        for kind in &KINDS {
            let may_have = kind.may_have.iter().map(|key| format!("`{key}` if wanted"));
            let own: Vec<String> = kind.needs.iter().map(|key| format!("`{key}`")).chain(may_have).collect();
            item(page, &format!("`{}`: {}", kind.name, own.join(", ")));
        }
    }
    if std::ptr::eq(section, &MECHANISM) {
        paragraph(page, "Which keys go with which `name`, beside `accounting` and `threshold`:");
        page.push('\n');
        for name in MechanismName::ALL {
            let own: Vec<String> = name.parameters().iter().map(|key| format!("`{key}`")).collect();
            let own = if own.is_empty() { "none".into() } else { own.join(", ") };
            item(page, &format!("`{}`: {own}", name.as_str()));
        }
    }
    for below in section.keys.iter().flat_map(|key| sections_of(&key.shape)) {
        add_section(page, below);
    }
}

/// Returns the sections that a value may be.
fn sections_of(shape: &'static Shape) -> Vec<&'static Section> {
    match shape {
        Shape::Section(below) | Shape::Repeated(below) => vec![below],
        Shape::AnyOf(shapes) => shapes.iter().flat_map(sections_of).collect(),
        Shape::Text
        | Shape::AnyText
        | Shape::Flag
        | Shape::Whole(_)
        | Shape::Integer
        | Shape::Number(_)
        | Shape::Epsilon
        | Shape::FewerThan
        | Shape::Odds
        | Shape::Choice(_)
        | Shape::Value
        | Shape::Edge
        | Shape::List(_)
        | Shape::AnyList(_)
        | Shape::Pair(_)
        | Shape::Free(_) => Vec::new(),
    }
}

/// Returns what may be written.
fn words(shape: &'static Shape) -> String {
    match shape {
        Shape::Text => "a text".into(),
        Shape::AnyText => "a text, possibly empty".into(),
        Shape::Flag => "`true` or `false`".into(),
        Shape::Whole(limits) => limits.words(),
        Shape::Integer => "a whole number within 10^12 either way".into(),
        Shape::Number(bounds) => format!("a number, {}", bounds.words()),
        Shape::Epsilon => "a number: 0, or between 1e-9 and 1000, or `\"infinite\"`".into(),
        Shape::FewerThan => "a whole number, or a text such as `\"fewer than 6\"`".into(),
        Shape::Odds => "a percentage such as `\"55 %\"`".into(),
        Shape::Choice(names) => {
            let listed: Vec<String> = names().iter().map(|name| format!("`\"{name}\"`")).collect();
            format!("one of {}", listed.join(", "))
        }
        Shape::Value => "a text, a whole number, `true`, `false` or a date".into(),
        Shape::Edge => "a number or a date".into(),
        Shape::List(each) => format!("a list, each {}", words(each)),
        Shape::AnyList(each) => format!("a list, possibly empty, each {}", words(each)),
        Shape::Pair(each) => format!("two in brackets, each {}", words(each)),
        Shape::AnyOf(shapes) => shapes.iter().map(words).collect::<Vec<_>>().join("; or "),
        Shape::Section(below) => format!("the section `{}`", below.title),
        Shape::Repeated(below) => format!("sections `{}`, as many as you like", below.title),
        Shape::Free(each) => format!("a section with keys of your own, each {}", words(each)),
    }
}

fn need(key: &Key) -> String {
    match key.need {
        Need::Required => " *Needed.*".into(),
        Need::Optional => String::new(),
        Need::Default(value) => format!(" *Unless said otherwise:* `{value}`."),
    }
}

fn paragraph(page: &mut String, text: &str) {
    page.push('\n');
    wrap(page, text, "", "");
}

fn item(page: &mut String, text: &str) {
    wrap(page, text, "- ", "  ");
}

/// Adds a text in lines of at most `WIDTH` columns, broken at blanks.
fn wrap(page: &mut String, text: &str, first: &str, others: &str) {
    let mut line = first.to_string();
    let mut begun = false;
    for word in text.split_whitespace() {
        if begun && line.chars().count() + 1 + word.chars().count() > WIDTH {
            page.push_str(&line);
            page.push('\n');
            line = others.to_string();
            begun = false;
        }
        if begun {
            line.push(' ');
        }
        line.push_str(word);
        begun = true;
    }
    page.push_str(&line);
    page.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_stands_on_the_page_with_what_it_means() {
        let page = reference();
        let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut sections = vec![&REQUEST];
        let mut keys = 0;
        while let Some(section) = sections.pop() {
            for key in section.keys {
                keys += 1;
                let about = key.about.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(flat.contains(&format!("**`{}`**", key.name)) && flat.contains(&about), "{}", key.name);
                sections.extend(sections_of(&key.shape));
            }
        }
        assert!(keys > 80, "{keys} keys were found");
        assert!(page.lines().all(|line| line.chars().count() <= 120), "a line is too long");
    }
}
