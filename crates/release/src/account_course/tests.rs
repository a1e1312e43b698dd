use super::*;
use crate::account_log::log;
use crate::ledger_report;
use crate::snapshot_names::SnapshotNames;
use incrowd_exact::testing::number;
use incrowd_ledger::{AccountName, Authority, Charge, Ledger, LedgerError, Period, Provenance, Receipt};
use incrowd_privacy::Epsilon;
use incrowd_report::{TextStyle, html, text_of_blocks};

fn at(day: &str) -> Moment {
    Moment::read(&format!("{day}T10:20:30Z")).expect("a moment")
}

fn name() -> AccountName {
    AccountName::new("people").expect("a name")
}

fn asking(epsilon: &str, snapshot: &str) -> Charge {
    Charge {
        account: name(),
        snapshot: snapshot.into(),
        plan_hash: format!("plan {epsilon} {snapshot}"),
        binning: "not a binning that anybody reads".into(),
        promise: format!(r#"{{"delta":null,"epsilon":"{epsilon}","kind":"differential-privacy"}}"#),
        kind: "differential-privacy".into(),
        epsilon: Epsilon::Finite(number(epsilon)),
        delta: Rational::ZERO,
        smallest_group: None,
    }
}

fn budget(epsilon: &str) -> Terms {
    Terms { epsilon: Some(number(epsilon)), ..Terms::unlimited() }
}

fn pay(book: &mut Ledger, epsilon: &str, snapshot: &str, day: &str) -> Result<Receipt, LedgerError> {
    book.charge(&asking(epsilon, snapshot), at(day))
}

/// A year: a release, one that failed, one whose end nobody knows, a refusal, and a budget that was cut.
fn year() -> Ledger {
    let mut book = Ledger::in_memory().expect("a book");
    book.written_by(Provenance {
        by: Some("Grace".into()),
        user: Some("grace".into()),
        host: Some("desk".into()),
        note: Some("yearly <b>report</b>".into()),
        ..Provenance::default()
    });
    book.open_account(&name(), &budget("3"), at("2026-01-01")).expect("opened");
    book.charged_for("People by town, from d.csv", std::path::Path::new("/srv/out"));
    let failed = pay(&mut book, "1/2", "2026", "2026-01-20").expect("paid");
    book.record_failure(failed.spend(), at("2026-01-20")).expect("written");
    drop(pay(&mut book, "1", "2026", "2026-03-02").expect("paid"));
    assert!(pay(&mut book, "2", "2026", "2026-03-05").is_err());
    book.change_terms(&name(), &budget("1"), Authority::Nobody, at("2026-06-01")).expect("stricter");
    book
}

fn cells(blocks: &[Block]) -> Vec<String> {
    let [Block::Meters(table)] = blocks else { panic!("{blocks:?}") };
    table
        .rows
        .iter()
        .map(|row| row.cells.iter().map(|cell| cell.clone().unwrap_or_default()).collect::<Vec<_>>().join(" | "))
        .collect()
}

fn meters(blocks: &[Block]) -> Vec<Option<Meter>> {
    let [Block::Meters(table)] = blocks else { panic!("{blocks:?}") };
    table.rows.iter().map(|row| row.meter).collect()
}

#[test]
fn every_month_says_what_was_spent_failed_refused_and_overdrawn() {
    let (accounts, entries) = year().everything().expect("read");
    let course = course(&accounts[0], &entries);
    let expected = [
        "2026-01 | 0.5 | 0.5 | 2.5 | 1 charge; 1 of them failed, and paid for all the same",
        "2026-02 |  |  |  | nothing",
        "2026-03 | 1 | 1.5 | 1.5 | 1 charge; 1 of them without a known end, and paid for all the same; 1 attempt refused",
        "2026-04 to 2026-05 |  |  |  | nothing",
        "2026-06 | 0 | 1.5 | overdrawn by\u{a0}0.5 | terms changed",
    ];
    assert_eq!(cells(&course), expected);
    let meter = |before, more, limit| Some(Meter { before, more, limit: Some(limit) });
    let expected = [
        meter(0, 1666, 10_000),
        meter(1666, 0, 10_000),
        meter(1666, 3334, 10_000),
        meter(5000, 0, 10_000),
        meter(5000, 0, 3333),
    ];
    assert_eq!(meters(&course), expected, "budgets are those of the time");
    let Block::Meters(all) = overview(&accounts, &entries) else { panic!("a table with pictures") };
    let row: Vec<&str> = all.rows[0].cells.iter().flatten().map(String::as_str).collect();
    assert_eq!(row[..3], ["people", "1.5", "overdrawn by\u{a0}0.5"]);
}

#[test]
fn an_account_as_of_its_last_entry_is_the_account_and_before_it_another() {
    let (accounts, entries) = year().everything().expect("read");
    let account = &accounts[0];
    let now = account.as_of(&entries);
    assert_eq!((now.standings(), &now.terms, now.refused), (account.standings(), &account.terms, account.refused));
    let before = account.as_of(&entries[..entries.len() - 1]);
    assert_eq!((before.standings() == account.standings(), before.terms == account.terms), (false, false));
    assert_eq!(account.as_of(&entries[..1]).charges(), 0);
}

#[test]
fn people_who_are_others_in_each_period_have_a_row_for_each() {
    let mut book = Ledger::in_memory().expect("a book");
    let terms = Terms { people: People::DisjointPerPeriod(Period::Month), ..budget("1") };
    book.open_account(&name(), &terms, at("2026-01-01")).expect("opened");
    drop(pay(&mut book, "1/2", "2026-02", "2026-03-02").expect("paid"));
    drop(pay(&mut book, "1", "2026-01", "2026-03-02").expect("paid"));
    assert!(pay(&mut book, "3/4", "2026-02", "2026-03-03").is_err());
    let (accounts, entries) = book.everything().expect("read");
    let open = "1 charge; 1 of them without a known end, and paid for all the same";
    let course = course(&accounts[0], &entries);
    assert_eq!(
        cells(&course),
        [format!("2026-01 | 1 | 0 | {open}"), format!("2026-02 | 0.5 | 0.5 | {open}; 1 attempt refused")]
    );
    assert_eq!(
        meters(&course)[0],
        Some(Meter { before: 0, more: 10_000, limit: Some(10_000) }),
        "spent, not overdrawn"
    );
}

#[test]
fn a_log_says_who_what_where_and_why_and_what_came_of_it() {
    let book = year();
    let (accounts, entries) = book.everything().expect("read");
    let snapshots = SnapshotNames::of(&book, &entries).expect("read");
    let text = text_of_blocks(log(&accounts[0], &entries, &snapshots), &TextStyle::plain(100));
    let heads: Vec<&str> = text.lines().filter(|line| line.contains(" UTC: ")).map(str::trim).collect();
    assert_eq!(
        heads,
        [
            "2026-06-01 10:20 UTC: terms changed",
            "2026-03-05 10:20 UTC: refused: epsilon 2 was asked for, nothing was paid",
            "2026-03-02 10:20 UTC: paid epsilon 1, and nobody knows how it ended",
            "2026-01-20 10:20 UTC: paid epsilon 1/2, and nothing was delivered",
            "2026-01-01 10:20 UTC: opened",
        ]
    );
    for words in [
        "what         People by town, from d.csv",
        "who          Grace (the system's user is grace on desk)",
        "where        /srv/out",
        "why          yearly <b>report</b>",
        "why not      more epsilon than is left (over-epsilon)",
        "state        snapshot 2026",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let page = html(&ledger_report::page(&accounts, &entries, &snapshots, "head"));
    assert!(page.contains("yearly &lt;b&gt;report&lt;/b&gt;") && page.contains("<li class=\"striking\">"), "{page}");
    assert!(page.contains("<tr class=\"over\">") && page.contains("class=\"over\" style=\"left:33.33%"), "{page}");
}
