//! A request that is being drafted: what is known of it, and its text.
//!
//! It writes names, types and what a human said, and never a value of the data. It is separate because options and
//! questions lead to the same text. Read `names.rs` for what names propose, `questions.rs` for what humans say.

use super::names::{self, Person};
use incrowd_engine::{ColumnType, DataFormat, Dialect};
use incrowd_engine_datafusion::{Look, Proposed};
use incrowd_release::request::Policy;
use incrowd_release::request::ServerKind;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

/// Headings that what is published has for itself.
const TAKEN: [&str; 9] = ["count", "low", "high", "status", "estimate", "rounded", "shown", "quality", "counted"];

/// The policy that is proposed: what those of smaller sizes ask for, it keeps too.
const PROPOSED: &str = "fewer-than-11";

/// A request that is being drafted.
pub(super) struct Draft<'a> {
    look: &'a Look,
    /// Whose row it is, and how that is known.
    pub(super) person: Option<(&'a Proposed, PersonBy)>,
    /// The dimensions of the table.
    pub(super) bins: Vec<Bin<'a>>,
    /// What is promised.
    pub(super) promise: DraftPromise,
}

/// What is promised, in the words of people who publish.
pub(super) enum DraftPromise {
    /// By the name of a rule.
    Policy(&'static Policy),
    /// By odds.
    Odds {
        /// Groups of fewer people are small.
        small: String,
        /// How sure anybody may become about people in them.
        small_odds: String,
        /// And about everybody else.
        odds: String,
    },
}

impl DraftPromise {
    /// Returns the promise that protects groups of fewer people, with the odds that every policy has.
    pub(super) fn below(small: u64) -> DraftPromise {
        DraftPromise::Odds { small: small.to_string(), small_odds: "55 %".into(), odds: "75 %".into() }
    }

    /// Returns what is proposed where nobody says anything.
    fn proposed() -> DraftPromise {
        Policy::named(PROPOSED).map_or_else(|| DraftPromise::below(11), DraftPromise::Policy)
    }

    /// The line before any section, where there is one.
    fn write_on_top(&self, text: &mut String) {
        if let DraftPromise::Policy(policy) = self {
            let line = format!("policy = \"{}\"", policy.name);
            let _ = writeln!(text, "{line:<34}# what is promised, by the name of a rule: see [promise] below");
        }
    }

    /// The section, with what else could stand there.
    fn write(&self, text: &mut String, bins: Universe) {
        let _ = writeln!(
            text,
            "\n# What is promised to each person: best where groups are small. From even odds nobody who knows how many others\n\
             # are in her group becomes surer than this whether she is in the data."
        );
        match self {
            DraftPromise::Policy(policy) => {
                let _ = writeln!(
                    text,
                    "# `policy` at the top says it: `incrowd policies {}` shows all of it, `incrowd policies` all there are. To say\n\
                     # it yourself, delete that line and write here, for any sizes and odds:",
                    policy.name
                );
                policy.written.lines().for_each(|line| {
                    let _ = writeln!(text, "# {line}");
                });
                let heading = if bins == Universe::Found { "[promise]" } else { "# [promise]" };
                let _ = writeln!(text, "{heading}");
            }
            DraftPromise::Odds { small, small_odds, odds } => {
                let _ = writeln!(
                    text,
                    "# Several levels: small = [6, 20], small-odds = [\"55 %\", \"65 %\"]. By the name of a rule instead: `incrowd\n\
                     # policies` lists them.\n\
                     [promise]\n\
                     small      = {small:<20}# groups of fewer than this are small ...\n\
                     small-odds = {:<20}# ... and of people in them nobody becomes surer than this,\n\
                     odds       = {:<20}# of anybody else than this",
                    quoted(small_odds),
                    quoted(odds),
                );
            }
        }
        let comment = if bins == Universe::Found { "" } else { "# " };
        let _ = writeln!(
            text,
            "{comment}delta = \"1e-6\"                   # needed while some bin has no `values` or `edges`"
        );
    }

    /// How small values are shown, where no policy says it.
    fn write_output(&self, text: &mut String) {
        if let DraftPromise::Odds { small, .. } = self {
            let _ = writeln!(text, "small   = \"fewer than {small}\"      # shows published values below it so");
        }
    }
}

/// How it is known whose row it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PersonBy {
    /// Somebody said so.
    Said,
    /// By the name of the column.
    Name,
}

/// A dimension of the table.
pub(super) struct Bin<'a> {
    pub(super) column: &'a Proposed,
    pub(super) cut: BinLines,
}

/// The lines of a dimension behind its name and column.
pub(super) struct BinLines {
    pub(super) lines: String,
    /// Whether the bins are public, or found in the data.
    pub(super) universe: Universe,
}

/// Whether bins are public.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Universe {
    Declared,
    Found,
}

impl<'a> Draft<'a> {
    /// Returns what names and types propose.
    pub(super) fn proposed(look: &'a Look) -> Draft<'a> {
        let mut people: Vec<(Person, &Proposed)> = look
            .columns
            .iter()
            .filter(|column| matches!(column.kind, Some(ColumnType::Text | ColumnType::Integer)))
            .filter_map(|column| Some((names::person(&column.name)?, column)))
            .collect();
        // The surest name, of these the first.
        people.sort_by_key(|(sure, _)| *sure);
        let person = people.first().map(|(_, column)| (*column, PersonBy::Name));
        let mut countable =
            look.columns.iter().filter(|column| column.kind.is_some() && !names::is_identifier(&column.name));
        let bins = countable.next().map(Bin::proposed).into_iter().collect();
        Draft { look, person, bins, promise: DraftPromise::proposed() }
    }

    /// Returns the text of the request.
    pub(super) fn text(&self, data: &str, output: Option<&Path>) -> String {
        let mut text = String::from(
            "# What is published. `incrowd schema` describes every key; `incrowd plan` shows what it means.\n\
             release = \"histogram\"\n",
        );
        self.promise.write_on_top(&mut text);
        text.push_str("\n[data]\n");
        let _ = writeln!(text, "source = {}", quoted(&source(data, output)));
        self.dialect(&mut text);
        self.unit(&mut text);
        let _ = writeln!(text, "# where = \"...\"                  # an SQL condition on one row");
        self.types(&mut text);
        let _ = writeln!(
            text,
            "\n# What is counted: one section for each dimension of the table. The columns of the data are:"
        );
        for column in &self.look.columns {
            let kind = column.kind.map_or("cannot be counted", ColumnType::as_str);
            let _ = writeln!(text, "#   {} ({kind})", printed(&column.name));
        }
        self.bins.iter().for_each(|bin| bin.write(&mut text));
        if self.bins.is_empty() {
            let _ = writeln!(
                text,
                "# No column seems fit to be counted by: each of them tells one from another, or has no known type.\n\
                 # [[bins]]\n# name   = \"...\"\n# column = \"...\""
            );
        }
        let found = self.bins.iter().any(|bin| bin.cut.universe == Universe::Found);
        self.promise.write(&mut text, if found { Universe::Found } else { Universe::Declared });
        let _ = writeln!(
            text,
            "\n# Which account pays: all releases about the same people share one.\n[ledger]\ndataset = {}\n\
             # snapshot = \"2026-01\"            # names this state of the data; data that changed gets another name",
            quoted(&dataset(data))
        );
        let _ = writeln!(text, "\n[output]\nfolder  = \"out\"\nformats = [\"csv\"]");
        self.promise.write_output(&mut text);
        text
    }

    fn dialect(&self, text: &mut String) {
        let canonical = self.look.dialect.canonical();
        if canonical.is_empty() {
            return;
        }
        if !self.look.guessed.is_empty() {
            let _ = writeln!(
                text,
                "# How the file is written, guessed from a look at its first rows: `incrowd check` tells whether it holds."
            );
        }
        for (key, value) in &canonical {
            let why = self.look.guessed.iter().find(|guessed| guessed.key == key);
            let line = format!("{key} = {}", toml(value));
            let _ = match why {
                Some(guessed) => writeln!(text, "{line:<34}# {}", guessed.why),
                None => writeln!(text, "{line}"),
            };
        }
    }

    fn unit(&self, text: &mut String) {
        let _ = match &self.person {
            Some((column, by)) => {
                let taken = match by {
                    PersonBy::Said => String::new(),
                    PersonBy::Name => format!(" Taken to be {}, by its name.", printed(&column.name)),
                };
                writeln!(
                    text,
                    "# One person may have many rows.{taken} Delete these lines if each row is another person.\n\
                     person = {}\nbins-per-person = 1",
                    quoted(&column.name)
                )
            }
            None => writeln!(
                text,
                "# Each row counts as one person. If a person may have many rows, name the column:\n\
                 # person = \"person_id\"\n# bins-per-person = 1"
            ),
        };
    }

    fn types(&self, text: &mut String) {
        if self.look.rows.is_none() {
            return;
        }
        let _ = writeln!(
            text,
            "\n# Types are proposals from a look at no more than the first rows; a value that does not fit counts as missing.\n\
             [data.types]"
        );
        for mixed in &self.look.two_orders {
            let _ = writeln!(text, "# {}.", printed(&mixed.to_string()));
        }
        for column in self.look.columns.iter().filter(|column| column.kind != Some(ColumnType::Text)) {
            if let Some(kind) = column.kind {
                let _ = writeln!(text, "{} = \"{}\"", quoted(&column.name), kind.as_str());
            }
        }
    }
}

impl<'a> Bin<'a> {
    /// Returns a dimension as the column's name and type propose it.
    pub(super) fn proposed(column: &'a Proposed) -> Bin<'a> {
        let (lines, universe) = match column.kind {
            Some(ColumnType::Integer | ColumnType::Number) if names::is_code(&column.name) => (
                "# values = [1, 2, 3]            # by its name a code: list those that are publicly known, never those in the data\n\
                 # other  = true                # what is not listed"
                    .into(),
                Universe::Found,
            ),
            Some(ColumnType::Integer | ColumnType::Number) => (
                format!(
                    "{}\nother  = true\n# ^ bands proposed from the name alone: choose public ones; a band holds its lower edge",
                    names::bands(&column.name)
                ),
                Universe::Declared,
            ),
            Some(ColumnType::Date | ColumnType::Timestamp) => (
                "truncate = \"month\"              # day, week, month or year\n\
                 # from = 2025-01-01              # with from and to the list of periods is public, and costs less\n\
                 # to   = 2026-01-01"
                    .into(),
                Universe::Found,
            ),
            Some(ColumnType::Boolean) => ("values = [false, true]".into(), Universe::Declared),
            Some(ColumnType::Text) | None => (
                "# values = [\"...\", \"...\"]       # list what is publicly known, never what is in the data\n\
                 # other  = true                # what is not listed"
                    .into(),
                Universe::Found,
            ),
        };
        Bin { column, cut: BinLines { lines, universe } }
    }

    fn write(&self, text: &mut String) {
        let taken = TAKEN.contains(&self.column.name.as_str());
        let name = if taken { format!("{} of person", self.column.name) } else { self.column.name.clone() };
        let _ = writeln!(
            text,
            "\n[[bins]]\nname   = {}\ncolumn = {}\n{}\n# nulls = \"bin\"                  # count missing values too",
            quoted(&name),
            quoted(&self.column.name),
            self.cut.lines
        );
    }
}

/// Returns a dialect of what options say.
pub(super) fn said(format: Option<DataFormat>, sheet: Option<&str>, table: Option<&str>) -> Dialect {
    Dialect { format, sheet: sheet.map(str::to_owned), table: table.map(str::to_owned), ..Dialect::default() }
}

/// The name of the account that a file's name proposes.
pub(super) fn dataset(data: &str) -> String {
    let name = Path::new(data).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem: String = name
        .split('.')
        .next()
        .unwrap_or_default()
        .chars()
        .filter(|sign| sign.is_alphanumeric() || "-_".contains(*sign))
        .take(100)
        .collect();
    if stem.is_empty() || stem == "-" { "people".into() } else { stem }
}

/// Standard input, in place of a file.
pub(super) const STANDARD_INPUT: &str = "-";

/// The source as the request will name it: relative to where the request is written.
fn source(data: &str, output: Option<&Path>) -> String {
    if data == STANDARD_INPUT || ServerKind::of(data).is_some() {
        return data.to_string();
    }
    let folder = output.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        None => data.to_string(),
        Some(folder) => match Path::new(data).strip_prefix(folder) {
            Ok(inside) => inside.to_string_lossy().into_owned(),
            Err(_) => std::path::absolute(data).map_or(data.to_string(), |path| path.to_string_lossy().into_owned()),
        },
    }
}

/// A value of a canonical dialect as TOML: texts, truth values and lists of texts.
fn toml(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(texts) => format!("[{}]", texts.iter().map(toml).collect::<Vec<_>>().join(", ")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

/// A TOML text.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for sign in text.chars() {
        match sign {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            sign if sign.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", sign as u32);
            }
            sign => quoted.push(sign),
        }
    }
    quoted.push('"');
    quoted
}

/// A name in a comment, which ends with its line.
pub(super) fn printed(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}
