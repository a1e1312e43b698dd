//! A request step by step: questions on a terminal, each with a proposal that Enter takes.
//!
//! It asks for what is public and shows names and types only, never a value of the data. It is separate so that a test
//! can answer. Read `draft.rs` for what the answers become.

use super::draft::{Bin, BinLines, Draft, PersonBy, Universe, printed, quoted};
use super::names;
use incrowd_engine::{ColumnType, PeriodUnit};
use incrowd_engine_datafusion::{Look, Proposed};
use incrowd_release::request::Request;
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
    draft.group = dialogue.until(
        "Groups of up to how many people are protected more strictly?",
        &draft.group.clone(),
        |said| promise_accepts(said, "1").then(|| said.to_owned()).ok_or("a whole number, such as 20"),
    )?;
    draft.epsilon = dialogue.until(
        "Which epsilon does everybody else get (1 is usual; smaller is stricter)?",
        &draft.epsilon.clone(),
        |said| promise_accepts("20", said).then(|| said.to_owned()).ok_or("a number above 0, such as 1 or 0.5"),
    )?;
    let group = draft.group.clone();
    if !promise_accepts(&group, &draft.epsilon) {
        dialogue.say("This group and this epsilon do not go together; epsilon is 1.")?;
        draft.epsilon = "1".into();
    }
    dialogue.until("Write the request to which file?", "request.toml", |said| Ok(said.to_owned()))
}

fn promise_accepts(group: &str, epsilon: &str) -> bool {
    Request::parse(&format!(
        "release = \"histogram\"\n[promise]\nkind = \"simple-outlier-dp\"\ngroup = {group}\nepsilon = {epsilon}\n"
    ))
    .is_ok()
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
    }

    #[test]
    fn answers_become_the_request() {
        let (answer, _) =
            answered("rows\n2, age,4\nNorth, South\n0, 18, 65\nweek\n2025-01-01, 2026-01-01\n5\n0.5\nmine.toml\n");
        let (path, text) = answer.expect("answered");
        assert_eq!(path, "mine.toml");
        assert!(Request::parse(&text).is_ok(), "{text}");
        for line in [
            "values = [\"North\", \"South\"]",
            "edges  = [0, 18, 65]",
            "truncate = \"week\"",
            "from   = 2025-01-01",
            "group   = 5",
            "epsilon = 0.5",
            "# delta ",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains("\nperson ="), "{text}");
    }

    #[test]
    fn what_cannot_be_is_asked_again() {
        let (answer, screen) = answered("nobody\n9\npicture\nid\nid\nregion\n\n20 people\n0\n7\n-1\n2\n\n");
        let (_, text) = answer.expect("answered");
        assert!(text.contains("group   = 7") && text.contains("epsilon = 2"), "{text}");
        assert_eq!(screen.matches("there is no such column").count(), 2, "{screen}");
        assert_eq!(screen.matches("cannot be counted)").count(), 2, "{screen}");
        assert_eq!(screen.matches("a bin for each").count(), 1, "{screen}");
        assert_eq!(screen.matches("a whole number").count(), 2, "{screen}");
    }

    #[test]
    fn nobody_who_answers_writes_nothing() {
        assert!(answered("").0.is_none());
        assert!(answered("id\nregion\n").0.is_none());
    }
}
