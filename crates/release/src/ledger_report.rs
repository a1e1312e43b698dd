//! The report of an account book: what each account has promised, to whom, and what is left, for people.
//!
//! Made from the ledger's entries alone; it must never say anything that depends on data. It is separate from the
//! markup, which the crate `report` knows. Read `account_summary.rs` for the sentences.

use crate::account_course::{HEADING, course, overview};
use crate::account_log::log;
use crate::account_page::{left_words, overdrawn_words, policy_words, trust_words};
use crate::account_summary::AccountSummary;
use crate::odds::Odds;
use crate::refusal::{readable_below, short};
use crate::request::printable;
use crate::snapshot_names::SnapshotNames;
use incrowd_exact::{Rational, rare_rounding_down};
use incrowd_ledger::{Account, Entry, Left, Terms};
use incrowd_privacy::Epsilon;
use incrowd_report::{
    Align, Block, Chart, ChartAxis, ChartSeries, ChartShape, Facts, Page, PageColumn, PageTable, Scale, Section,
};

/// Returns the report of these accounts; `head` is the hash of the book's last entry.
pub fn page(accounts: &[Account], entries: &[Entry], snapshots: &SnapshotNames, head: &str) -> Page {
    let mut sections = vec![Section { heading: String::new(), blocks: vec![overview(accounts, entries)] }];
    for account in accounts {
        sections.extend(account_sections(account, entries, snapshots));
    }
    sections.push(Section {
        heading: "How to check this page".into(),
        blocks: vec![
            Block::Paragraph(
                "Every entry of the book carries the hash of the entry before it. The last hash is the head: keep it, and a book \
                 that was cut or changed later gives itself away."
                    .into(),
            ),
            Block::Facts(vec![("entries".into(), entries.len().to_string()), ("head".into(), head.into())]),
            Block::Command(format!("incrowd ledger verify --head {head}")),
            Block::Paragraph(
                "Sums hold whatever was released in between, also where one release was chosen in view of another. Releases \
                 that this book does not know of are not on this page. Whoever can rewrite the whole book, and everything that \
                 remembers its head, can hide a charge."
                    .into(),
            ),
        ],
    });
    let accounts_word = if accounts.len() == 1 { "1 account".into() } else { format!("{} accounts", accounts.len()) };
    Page {
        title: "What has been promised".into(),
        subtitle: format!("The account book of incrowd: {accounts_word}, {} entries", entries.len()),
        sections,
        ..Page::titled("What has been promised")
    }
}

fn account_sections(account: &Account, entries: &[Entry], snapshots: &SnapshotNames) -> Vec<Section> {
    let name = printable(account.name.as_str());
    let all = AccountSummary::of(account);
    let mut facts = Facts::default();
    facts.add("opened", account.created.to_string());
    facts.add("policy", policy_words(&account.terms));
    trust_words(account).into_iter().for_each(|words| facts.add("mind", words));
    let course = course(account, entries);
    if course.is_empty() {
        facts.add("releases", "none yet");
        facts.add("left", left_words(account, ""));
    }
    let mut sections = vec![Section { heading: name.clone(), blocks: vec![facts.block()] }];
    if !course.is_empty() {
        sections.push(Section { heading: format!("{name}: {}", HEADING.to_lowercase()), blocks: course });
        let heading = |period: &Option<String>| match period {
            Some(period) => format!("{name}, {}: what was promised", printable(period)),
            None => format!("{name}: what was promised"),
        };
        let part = |part: &AccountSummary| Section {
            heading: heading(&part.standing.period),
            blocks: part_blocks(part, &account.terms),
        };
        sections.extend(all.iter().map(part));
    }
    let log = log(account, entries, snapshots);
    sections.push(Section { heading: format!("{name}: who, what, where and why"), blocks: log });
    sections
}

fn part_blocks(part: &AccountSummary, terms: &Terms) -> Vec<Block> {
    if part.standing.charges == 0 {
        return vec![Block::Paragraph("Nothing has been released.".into()), left(terms, &part.standing.left)];
    }
    let mut blocks = vec![Block::Paragraph(sentence(&format!("Promised in all: {}", part.total_words())))];
    if let Some(words) = part.tighter_words() {
        blocks.push(Block::Paragraph(sentence(&format!("Composed more tightly: {words}"))));
    }
    blocks.push(left(terms, &part.standing.left));
    blocks.extend(overdrawn_words(terms, &part.standing).map(|words| Block::Paragraph(format!("Overdrawn: {words}."))));
    blocks.extend(part.weakness().map(|words| Block::Paragraph(sentence(&capital(&words)))));
    blocks.push(Block::Paragraph(sentence(&capital(&part.odds_heading()))));
    let rows = part.by_group.iter().map(|row| {
        vec![
            Some(row.who()),
            Some(match &row.epsilon {
                Epsilon::Finite(epsilon) => short(epsilon),
                Epsilon::Infinite => "no bound".into(),
            }),
            part.odds(row).map(|odds| format!("{} %", odds.surer_than)),
            part.odds(row).map(|odds| odds.chance_words().unwrap_or_else(|| "0".into())),
        ]
    });
    blocks.push(Block::Table(PageTable {
        columns: vec![
            column("a person", Align::Left),
            column("epsilon in all", Align::Right),
            column("at most this sure", Align::Right),
            column("but for a chance of", Align::Right),
        ],
        rows: rows.collect(),
    }));
    blocks.extend(odds_chart(part).map(|chart| Block::Chart(Box::new(chart))));
    blocks
}

/// The best guess by group size, where there is more than one size to tell apart.
fn odds_chart(part: &AccountSummary) -> Option<Chart> {
    let last = part.by_group.iter().filter_map(|row| row.up_to).max()?;
    let mut points = Vec::new();
    let mut from = 1.0;
    let odds: Vec<Option<Odds>> = part.by_group.iter().map(|row| part.odds(row)).collect();
    let chances = odds.iter().flatten().max_by(|one, other| one.chance.cmp(&other.chance));
    let except = chances.map(Odds::except_words).unwrap_or_default();
    for (row, odds) in part.by_group.iter().zip(&odds) {
        let Some(odds) = odds else { break };
        let percent = odds.surer_than.to_string().parse::<f64>().ok()?;
        points.push((from, percent));
        from = row.up_to.map_or(last as f64 * 10.0, |up_to| up_to as f64 + 1.0);
        points.push((from, percent));
    }
    (points.len() > 2).then(|| Chart {
        title: "How sure anybody can become that you are in the data".into(),
        subtitle: Some(part.odds_heading() + &except),
        x: ChartAxis { label: "people in your group".into(), scale: Scale::Logarithmic },
        y: ChartAxis { label: "at most sure, in percent".into(), scale: Scale::Linear },
        series: vec![ChartSeries { name: "best guess".into(), points, shape: ChartShape::Line }],
    })
}

fn left(terms: &Terms, left: &Left) -> Block {
    let of = |left: &Option<Rational>, budget: Option<Rational>, words: fn(&Rational) -> String| match (left, budget) {
        (Some(left), Some(budget)) => format!("{} of {}", words(left), words(&budget)),
        (_, None) | (None, _) => "without a limit".into(),
    };
    Block::Facts(vec![
        ("epsilon left".into(), of(&left.epsilon, terms.epsilon.clone(), readable_below)),
        ("delta left".into(), of(&left.delta, terms.delta_budget(), rare_rounding_down)),
    ])
}

fn column(heading: &str, align: Align) -> PageColumn {
    PageColumn { heading: heading.into(), align }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn sentence(text: &str) -> String {
    if text.ends_with('.') { text.to_string() } else { format!("{text}.") }
}
