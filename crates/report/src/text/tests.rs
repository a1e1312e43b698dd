//! What pages look like as text.
//!
//! Layout is compared line by line; hostile texts are looked for character by character. It is separate to keep
//! `text.rs` short. Read `../text.rs` next.

use super::*;
use crate::chart::{Chart, ChartAxis, ChartSeries, ChartShape, Scale};
use crate::page::Picker;

fn facts(facts: &[(&str, &str)]) -> Block {
    Block::Facts(facts.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect())
}

fn of(blocks: Vec<Block>, width: usize) -> String {
    text_of_blocks(blocks, &TextStyle::plain(width))
}

#[test]
fn a_page_is_a_title_with_its_facts_then_sections_apart() {
    let mut page = Page::titled("A title");
    page.add("", vec![facts(&[("one", "first"), ("", "goes on"), ("two", "second")])]);
    page.add("A heading", vec![Block::Note("a note".into()), Block::Paragraph("a sentence".into())]);
    let expected = "A title\n  one          first\n               goes on\n  two          second\n\nA heading\n  a note\n\na sentence\n";
    assert_eq!(text(&page, &TextStyle::plain(80)), expected);
    page.warning = Some("BEWARE".into());
    page.subtitle = "of something".into();
    assert!(text(&page, &TextStyle::plain(80)).starts_with("BEWARE\nA title\nof something\n  one "));
}

#[test]
fn sentences_fold_behind_their_names_and_never_between_joined_words() {
    assert_eq!(
        of(vec![facts(&[("name", "some words that fold")])], 26),
        "  name         some words\n               that fold\n"
    );
    assert_eq!(
        of(vec![facts(&[("name", "some words\u{a0}that fold")])], 26),
        "  name         some\n               words that\n               fold\n"
    );
    assert_eq!(
        of(vec![facts(&[("漢字漢字漢字漢字", "x")]), facts(&[("a", "x")])], 80),
        "  漢字漢字漢字漢字  x\n  a            x\n"
    );
    assert_eq!(of(vec![Block::List(vec!["one two".into(), "three".into()])], 8), "  - one\n    two\n  - three\n");
    assert_eq!(of(vec![Block::Paragraph("x".repeat(30))], 8), format!("{}\n", "x".repeat(30)));
}

#[test]
fn emphasis_adds_codes_and_changes_no_word() {
    let mut table = PageTable::new(&[("head", Align::Left)]);
    table.row(["cell".into()]);
    let mut page = Page::titled("Title");
    page.add("", vec![facts(&[("name", "text"), ("", "more")]), Block::Table(table)]);
    let marked = text(&page, &TextStyle { emphasis: Emphasis::Ansi, ..TextStyle::plain(80) });
    for code in ["\u{1b}[1mTitle\u{1b}[0m", "\u{1b}[36mname\u{1b}[0m", "\u{1b}[4mhead\u{1b}[0m"] {
        assert!(marked.contains(code), "{marked:?}");
    }
    let stripped = ["\u{1b}[1m", "\u{1b}[36m", "\u{1b}[4m", "\u{1b}[0m"];
    let stripped = stripped.iter().fold(marked, |text, code| text.replace(code, ""));
    assert_eq!(stripped, text(&page, &TextStyle::plain(80)));
}

#[test]
fn no_text_can_speak_to_a_terminal() {
    let evil = "a\u{1b}[31m\u{202e}\u{2066}\u{0}\r\n\u{9b}b\u{200b}";
    let mut table = PageTable::new(&[(evil, Align::Right)]);
    table.row([evil.into()]);
    let mut page = Page::titled(evil);
    (page.subtitle, page.warning) = (evil.into(), Some(evil.into()));
    let chart = Chart {
        title: evil.into(),
        subtitle: Some(evil.into()),
        x: ChartAxis { label: evil.into(), scale: Scale::Linear },
        y: ChartAxis { label: evil.into(), scale: Scale::Linear },
        series: vec![ChartSeries { name: evil.into(), points: vec![(0.0, 1.0), (1.0, 2.0)], shape: ChartShape::Line }],
    };
    page.add(
        evil,
        vec![
            Block::Paragraph(evil.into()),
            Block::Note(evil.into()),
            Block::List(vec![evil.into()]),
            facts(&[(evil, evil)]),
            Block::Command(evil.into()),
            Block::Table(table.clone()),
            Block::GreyedTable { table: table.clone(), grey: vec![0] },
            Block::FoldedBlocks { summary: evil.into(), blocks: vec![Block::Paragraph(evil.into())] },
            Block::WideTable { table, names: 1 },
            Block::Bars(vec![Bar { label: evil.into(), count: PageCount::Hidden, interval: Some((-1, 2)) }]),
            Block::Heat(Heat {
                corner: evil.into(),
                across: evil.into(),
                columns: vec![evil.into()],
                rows: vec![(evil.into(), vec![PageCount::Hidden])],
            }),
            Block::Folded { summary: evil.into(), text: evil.into() },
            Block::Picker(Picker { question: evil.into(), answers: vec![(evil.into(), evil.into())], first: 0 }),
            Block::Chart(Box::new(chart)),
        ],
    );
    let shown = text(&page, &TextStyle::plain(80));
    for line in shown.lines() {
        assert!(!line.chars().any(crate::harmless::is_acting), "{line:?}");
        assert_eq!(line, line.trim_end(), "a line ends in spaces");
    }
    assert!(shown.matches("a\u{fffd}[31m\u{fffd}\u{fffd}\u{fffd}\u{fffd}").count() > 12, "{shown}");
}

#[test]
fn pictures_with_numbers_are_tables() {
    let uncertain = |count: i64, words: &str| PageCount::Uncertain { count: Some(count), words: words.into() };
    let bars = vec![
        Bar { label: "Bern".into(), count: PageCount::Count(12), interval: Some((10, 14)) },
        Bar { label: "Chur".into(), count: PageCount::Hidden, interval: None },
        Bar { label: "Thun".into(), count: uncertain(21, "at most 24"), interval: Some((0, 24)) },
    ];
    assert_eq!(
        of(vec![Block::Bars(bars)], 80),
        "             count  low to high\n  Bern          12     10 to 14\n  Chur   not shown\n  Thun  at most 24      0 to 24\n"
    );
    let heat = Heat {
        corner: "x".into(),
        across: String::new(),
        columns: vec!["a".into(), "b".into()],
        rows: vec![
            ("r".into(), vec![PageCount::Count(1), PageCount::Hidden]),
            ("s".into(), vec![uncertain(2, "at most 3"), PageCount::Hidden]),
        ],
    };
    assert_eq!(of(vec![Block::Heat(heat)], 80), "  x          a  b\n  r          1\n  s  at most 3\n");
}
