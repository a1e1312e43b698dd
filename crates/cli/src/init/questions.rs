//! A request step by step: questions on a terminal, each with a proposal that Enter takes.
//!
//! It asks for what is public and shows names and types only, never a value of the data. It is separate so that a test
//! can answer. Read `draft.rs` for what the answers become.

use super::draft::{Bin, BinLines, Draft, DraftPromise, PersonBy, Universe, printed, quoted};
use super::names;
use incrowd_engine::{ColumnType, PeriodUnit};
use incrowd_engine_datafusion::{Look, Proposed};
use incrowd_release::request::{Policy, Request};
use std::io::{self, BufRead, Write};

/// Somebody who answers, line by line.
pub(super) struct Dialogue<'a> {
    pub(super) answers: &'a mut dyn BufRead,
    pub(super) screen: &'a mut dyn Write,
}

/// Nobody answers any more.
pub(super) struct Stopped;

impl From<io::Error> for Stopped {
    fn from(_: io::Error) -> Stopped {
        Stopped
    }
}

/// Asks for everything that a request needs, and where to write it.
pub(super) fn ask<'a>(draft: &mut Draft<'a>, look: &'a Look, dialogue: &mut Dialogue<'_>) -> Result<String, Stopped> {
    dialogue.say("The columns are:")?;
    for (place, column) in look.columns.iter().enumerate() {
        let kind = column.kind.map_or("cannot be counted", ColumnType::as_str);
        dialogue.say(&format!("  {:>3}  {} ({kind})", place + 1, printed(&column.name)))?;
    }
    ask_person(draft, look, dialogue)?;
    ask_bins(draft, look, dialogue)?;
    draft.promise = ask_promise(draft, dialogue)?;
    dialogue.until("Write the request to which file?", "request.toml", |said| Ok(said.to_owned()))
}

/// Asks for a rule by its name, or for a size and odds.
fn ask_promise(draft: &Draft<'_>, dialogue: &mut Dialogue<'_>) -> Result<DraftPromise, Stopped> {
    dialogue.say("Which groups are small? A rule by its name, or a number: groups of fewer people are small.")?;
    for policy in Policy::all() {
        dialogue.say(&format!("  {:<14} {}", policy.name, policy.title))?;
    }
    let proposal = match &draft.promise {
        DraftPromise::Policy(policy) => policy.name.to_string(),
        DraftPromise::Odds { small, .. } => small.clone(),
    };
    let rule = dialogue.until("Which rule, or fewer than how many?", &proposal, |said| {
        if let Some(policy) = Policy::named(said) {
            return Ok(DraftPromise::Policy(policy));
        }
        let small = said.trim_start_matches("fewer than ");
        let accepted = promise_accepts(small, "55 %", "75 %");
        accepted
            .then(|| small.parse().ok())
            .flatten()
            .map(DraftPromise::below)
            .ok_or("a name of the list, or a number from 2 on")
    })?;
    let DraftPromise::Odds { small, small_odds, odds } = rule else { return Ok(rule) };
    let percent = "a percentage from 50 % to below 100 %, such as 55 %";
    let small_odds = dialogue.until(
        "From even odds, how sure may anybody become about a person in a small group?",
        &small_odds,
        |said| promise_accepts(&small, said, "99.9 %").then(|| said.to_owned()).ok_or(percent),
    )?;
    let proposal = if promise_accepts(&small, &small_odds, &odds) { odds } else { "95 %".into() };
    let odds = dialogue.until("And about a person in any other group?", &proposal, |said| {
        promise_accepts(&small, &small_odds, said)
            .then(|| said.to_owned())
            .ok_or("a percentage above that of small groups")
    })?;
    Ok(DraftPromise::Odds { small, small_odds, odds })
}

fn promise_accepts(small: &str, small_odds: &str, odds: &str) -> bool {
    let (small_odds, odds) = (quoted(small_odds), quoted(odds));
    Request::parse(&format!("[promise]\nsmall = {small}\nsmall-odds = {small_odds}\nodds = {odds}\n")).is_ok()
}

fn ask_person<'a>(draft: &mut Draft<'a>, look: &'a Look, dialogue: &mut Dialogue<'_>) -> Result<(), Stopped> {
    let proposal = draft.person.map_or("rows".to_string(), |(column, _)| column.name.clone());
    draft.person = dialogue.until(
        "Which column says whose row it is? (`rows` if each row is another person)",
        &proposal,
        |said| match said {
            "rows" => Ok(None),
            said => column(look, said).map(|column| Some((column, PersonBy::Said))),
        },
    )?;
    Ok(())
}

fn ask_bins<'a>(draft: &mut Draft<'a>, look: &'a Look, dialogue: &mut Dialogue<'_>) -> Result<(), Stopped> {
    let proposal = draft.bins.first().map_or(String::new(), |bin| bin.column.name.clone());
    let person = draft.person.map(|(column, _)| column.name.as_str());
    let chosen: Vec<&Proposed> =
        dialogue.until("Which columns is the table by? (names or numbers, with commas)", &proposal, |said| {
            let columns: Vec<&Proposed> =
                said.split(',').map(|each| column(look, each.trim())).collect::<Result<_, _>>()?;
            match columns.iter().find(|column| Some(column.name.as_str()) == person) {
                Some(_) => Err("a table by person has a bin for each: choose what people share"),
                None => Ok(columns),
            }
        })?;
    draft.bins.clear();
    for column in chosen {
        if names::is_identifier(&column.name) {
            dialogue.say(&format!(
                "  {} tells one from another by its name: hardly any of its bins will be shown.",
                printed(&column.name)
            ))?;
        }
        let mut bin = Bin::proposed(column);
        if let Some(cut) = ask_cut(column, dialogue)? {
            bin.cut = cut;
        }
        draft.bins.push(bin);
    }
    Ok(())
}

/// Asks for bands, values or periods; nothing for what names propose.
fn ask_cut(column: &Proposed, dialogue: &mut Dialogue<'_>) -> Result<Option<BinLines>, Stopped> {
    let name = printed(&column.name);
    match column.kind {
        Some(ColumnType::Integer | ColumnType::Number) if names::is_code(&column.name) => {
            let question = format!(
                "  Which codes of {name} are publicly known? (with commas; Enter if they are to be found in the data)"
            );
            dialogue.until(&question, "", |said| {
                if said.is_empty() {
                    return Ok(None);
                }
                let lines = format!("values = [{said}]\nother  = true");
                bin_accepts(&lines).then_some(()).ok_or("numbers with commas, such as 10, 20, 30")?;
                Ok(Some(BinLines { lines, universe: Universe::Declared }))
            })
        }
        Some(ColumnType::Integer | ColumnType::Number) => {
            let proposal = names::bands(&column.name).replace('\n', ", ");
            dialogue.say(&format!("  Bands of {name}, proposed from its name: {proposal}"))?;
            dialogue.until("  Other edges? (such as 0, 18, 65, 120; Enter for these)", "", |said| {
                if said.is_empty() {
                    return Ok(None);
                }
                let lines = format!("edges  = [{said}]\nother  = true");
                bin_accepts(&lines).then_some(()).ok_or("numbers that go up, with commas, such as 0, 18, 65, 120")?;
                Ok(Some(BinLines { lines, universe: Universe::Declared }))
            })
        }
        Some(ColumnType::Date | ColumnType::Timestamp) => {
            let unit = dialogue.until(&format!("  {name} by day, week, month or year?"), "month", |said| {
                let known = PeriodUnit::ALL.into_iter().find(|unit| unit.as_str() == said);
                known.ok_or("one of: day, week, month, year")
            })?;
            dialogue.until(
                "  From which day to before which day? (2025-01-01, 2026-01-01; Enter if unknown)",
                "",
                |said| {
                    let unit = unit.as_str();
                    let Some((from, to)) = said.split_once(',') else {
                        let lines = format!("truncate = \"{unit}\"");
                        return match said {
                            "" => Ok(Some(BinLines { lines, universe: Universe::Found })),
                            _ => Err("two days with a comma, such as 2025-01-01, 2026-01-01"),
                        };
                    };
                    let lines = format!("truncate = \"{unit}\"\nfrom   = {}\nto     = {}", from.trim(), to.trim());
                    bin_accepts(&lines).then_some(()).ok_or("two days with a comma, such as 2025-01-01, 2026-01-01")?;
                    Ok(Some(BinLines { lines, universe: Universe::Declared }))
                },
            )
        }
        Some(ColumnType::Text) => dialogue.until(
            &format!(
                "  Which values of {name} are publicly known? (with commas; Enter if they are to be found in the data)"
            ),
            "",
            |said| {
                if said.is_empty() {
                    return Ok(None);
                }
                let values: Vec<String> = said.split(',').map(|value| quoted(value.trim())).collect();
                let lines = format!("values = [{}]\nother  = true", values.join(", "));
                bin_accepts(&lines).then_some(()).ok_or("different texts with commas")?;
                Ok(Some(BinLines { lines, universe: Universe::Declared }))
            },
        ),
        Some(ColumnType::Boolean) | None => Ok(None),
    }
}

fn bin_accepts(lines: &str) -> bool {
    Request::parse(&format!(
        "release = \"histogram\"\n[[bins]]\nname = \"x\"\ncolumn = \"x\"\n{lines}\n[promise]\n\
         kind = \"differential-privacy\"\nepsilon = 1\n"
    ))
    .is_ok()
}

/// Returns the column of this name or number.
fn column<'a>(look: &'a Look, said: &str) -> Result<&'a Proposed, &'static str> {
    let by_name = look.columns.iter().find(|column| column.name == said);
    let number = said.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let by_number = number.and_then(|place| look.columns.get(place));
    let near = || {
        let mut alike = look.columns.iter().filter(|column| column.name.eq_ignore_ascii_case(said));
        alike.next().filter(|_| alike.next().is_none())
    };
    let found =
        by_name.or(by_number).or_else(near).ok_or("there is no such column: a name or a number from the list")?;
    if found.kind.is_some() { Ok(found) } else { Err("this column cannot be counted") }
}

impl Dialogue<'_> {
    fn say(&mut self, line: &str) -> Result<(), Stopped> {
        Ok(writeln!(self.screen, "{line}")?)
    }

    /// Asks until an answer is accepted; Enter takes the proposal.
    fn until<T>(
        &mut self,
        question: &str,
        proposal: &str,
        accept: impl Fn(&str) -> Result<T, &'static str>,
    ) -> Result<T, Stopped> {
        loop {
            let shown = if proposal.is_empty() { String::new() } else { format!(" [{}]", printed(proposal)) };
            write!(self.screen, "{question}{shown} ")?;
            self.screen.flush()?;
            let mut line = String::new();
            if self.answers.read_line(&mut line)? == 0 {
                writeln!(self.screen)?;
                return Err(Stopped);
            }
            let said = line.trim();
            match accept(if said.is_empty() { proposal } else { said }) {
                Ok(answer) => return Ok(answer),
                Err(reason) => self.say(&format!("  ({reason})"))?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_engine::Dialect;
    use incrowd_engine_datafusion::{FirstLine, LookEnd};

    fn look() -> Look {
        let columns = [
            ("id", Some(ColumnType::Integer)),
            ("region", Some(ColumnType::Text)),
            ("age", Some(ColumnType::Integer)),
            ("seen", Some(ColumnType::Date)),
            ("picture", None),
        ];
        let columns = columns.map(|(name, kind)| Proposed { name: name.into(), kind }).to_vec();
        Look {
            columns,
            rows: Some(3),
            end: LookEnd::Enough,
            first_line: FirstLine::Names,
            dialect: Dialect::default(),
            guessed: vec![],
            two_orders: vec![],
        }
    }

    fn answered(answers: &str) -> (Option<(String, String)>, String) {
        let look = look();
        let mut draft = Draft::proposed(&look);
        let (mut lines, mut screen) = (answers.as_bytes(), Vec::new());
        let path = ask(&mut draft, &look, &mut Dialogue { answers: &mut lines, screen: &mut screen });
        let text = path.ok().map(|path| (path, draft.text("people.csv", None)));
        (text, String::from_utf8(screen).expect("text"))
    }

    #[test]
    fn enter_takes_every_proposal() {
        let (answer, _) = answered(&"\n".repeat(9));
        let (path, text) = answer.expect("answered");
        assert_eq!(path, "request.toml");
        assert!(Request::parse(&text).is_ok(), "{text}");
        assert!(text.contains("person = \"id\"") && text.contains("column = \"region\""), "{text}");
        assert!(text.contains("\npolicy = \"fewer-than-11\"") && text.contains("\n[promise]\ndelta = "), "{text}");
    }

    #[test]
    fn a_rule_has_a_name_and_no_odds_are_asked_for() {
        let (answer, screen) = answered("rows\nage\n\nfewer-than-6\n\n");
        let (_, text) = answer.expect("answered");
        assert!(text.contains("\npolicy = \"fewer-than-6\"") && !text.contains("\nsmall"), "{text}");
        assert!(Request::parse(&text).is_ok(), "{text}");
        assert!(!screen.contains("how sure"), "{screen}");
    }

    #[test]
    fn answers_become_the_request() {
        let (answer, _) = answered(
            "rows\n2, age,4\nNorth, South\n0, 18, 65\nweek\n2025-01-01, 2026-01-01\n7\n60 %\n80%\nmine.toml\n",
        );
        let (path, text) = answer.expect("answered");
        assert_eq!(path, "mine.toml");
        assert!(Request::parse(&text).is_ok(), "{text}");
        for line in [
            "values = [\"North\", \"South\"]",
            "edges  = [0, 18, 65]",
            "truncate = \"week\"",
            "from   = 2025-01-01",
            "small      = 7 ",
            "small-odds = \"60 %\" ",
            "odds       = \"80%\" ",
            "small   = \"fewer than 7\"",
            "# delta ",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains("\nperson ="), "{text}");
    }

    #[test]
    fn what_cannot_be_is_asked_again() {
        let (answer, screen) =
            answered("nobody\n9\npicture\nid\nid\nregion\n\n20 people\n1\nfewer than 7\n0.6\n40 %\n80 %\n70 %\n\n\n");
        let (_, text) = answer.expect("answered");
        assert!(text.contains("small      = 7 ") && text.contains("small-odds = \"80 %\""), "{text}");
        assert!(text.contains("odds       = \"95 %\""), "{text}");
        assert_eq!(screen.matches("there is no such column").count(), 2, "{screen}");
        assert_eq!(screen.matches("cannot be counted)").count(), 2, "{screen}");
        assert_eq!(screen.matches("a bin for each").count(), 1, "{screen}");
        assert_eq!(screen.matches("a number from 2 on").count(), 2, "{screen}");
        assert_eq!(screen.matches("(a percentage").count(), 3, "{screen}");
    }

    #[test]
    fn nobody_who_answers_writes_nothing() {
        assert!(answered("").0.is_none());
        assert!(answered("id\nregion\n").0.is_none());
    }
}
