//! What would help, given the values that cannot be read and the values in no bin.
//!
//! Every change was tried on these texts by the release's own functions, of which the first few thousand different
//! ones are kept: what it was not tried on is told. Signs and days are tried on the whole data once more, so that
//! what can be read now is not broken for what cannot. It must never advise what helps nobody. It is separate from
//! the trials, which know no columns. Read `advice/numbers.rs`, `advice/dates.rs` and `advice/texts.rs`.

use super::advice::{
    Advice, Change, ContradictedWay, Helped, OtherSigns, OtherWays, UnreadTexts, cleaned, contradict, contradicted_way,
    name_of, other_signs, other_ways, renamed, sign_changes,
};
use super::findings::WordForNothing;
use super::nothing::is_word_for_nothing;
use super::read_steps::ReadStep;
use super::tally::{NO_UNIT, Tally};
use super::trial::Target;
use incrowd_engine::{ColumnType, Dialect, Query, Unit};
use std::collections::BTreeSet;

/// At most so many dialects are tried on the whole data.
const MOST_PASSES: usize = 4;

/// What cannot be read, or is in no bin, of all rows.
pub(super) struct Trouble<'a> {
    pub(super) query: &'a Query,
    pub(super) steps: &'a [ReadStep],
    pub(super) tally: &'a Tally,
    pub(super) words_for_nothing: &'a [WordForNothing],
}

/// Returns what would help. `unread_in` reads the whole data in another dialect, with other types, and returns how many
/// values cannot be read then; nothing if that fails.
pub(super) fn advise(trouble: &Trouble<'_>, unread_in: &dyn Fn(&Query) -> Option<u64>) -> Vec<Advice> {
    let mut advice = Vec::new();
    advice.extend(words(trouble));
    advice.extend(numbers(trouble, unread_in));
    advice.extend(dates(trouble, unread_in));
    advice.extend(trouble.without_identifier());
    advice.extend(trouble.emptied());
    advice.extend(trouble.fractions());
    advice.extend(trouble.cleaned());
    advice.extend(trouble.renamed());
    advice
}

impl<'a> Trouble<'a> {
    /// Returns the texts that cannot be read as one of some types, without words for nothing, by step.
    pub(super) fn texts(&self, kinds: &[ColumnType]) -> Vec<(&'a ReadStep, UnreadTexts<'a>)> {
        let steps = self.steps.iter().zip(&self.tally.unread);
        let steps = steps.filter(|(step, words)| step.is_of_texts && words.rows() > 0);
        let found = steps.filter_map(|(step, words)| {
            let kind = step.target().filter(|kind| kinds.contains(kind))?;
            let texts = words.by_frequency().into_iter().filter(|(text, _)| !is_word_for_nothing(text)).collect();
            let target = Target { kind, timezone: &self.query.source.timezone };
            Some((step, UnreadTexts { target, texts, untried: words.untried() }))
        });
        found.collect()
    }

    /// The types that must be declared for the dialect to reach these columns.
    fn undeclared(&self, steps: &[&ReadStep]) -> Vec<Change> {
        let free = steps.iter().filter(|step| !self.query.source.types.contains_key(&step.column));
        let changes = free.filter_map(|step| Some(Change::Type { column: step.column.clone(), kind: step.target()? }));
        let mut changes: Vec<Change> = changes.collect();
        changes.dedup();
        changes
    }

    /// Returns a query in another dialect, in which these columns have their types declared.
    fn query_in(&self, dialect: Dialect, steps: &[&ReadStep]) -> Query {
        let mut query = self.query.clone();
        query.source.dialect = dialect;
        for step in steps {
            if let Some(kind) = step.target() {
                query.source.types.entry(step.column.clone()).or_insert(kind);
            }
        }
        query
    }

    /// How many values cannot be read now where these columns have their types declared, which reads rows, too, that
    /// the condition leaves out.
    fn unread_with_types(&self, steps: &[&ReadStep], unread_in: &dyn Fn(&Query) -> Option<u64>) -> Option<u64> {
        if self.query.condition.is_none() && self.query.split.is_none() || self.undeclared(steps).is_empty() {
            return Some(self.unread());
        }
        unread_in(&self.query_in(self.query.source.dialect.clone(), steps))
    }

    /// How many values cannot be read now.
    pub(super) fn unread(&self) -> u64 {
        self.tally.unread.iter().map(|words| words.rows()).sum()
    }

    /// Rows that do not say whose they are, each of which is taken for a person.
    fn without_identifier(&self) -> Option<Advice> {
        let Unit::Person { column, .. } = &self.query.unit else { return None };
        let rows = self.tally.lost.get(usize::from(NO_UNIT)).copied().filter(|rows| *rows > 0)?;
        let known = format!("{} is not null", name_of(column)?);
        let left_out = match &self.query.condition {
            Some(_) => Change::ByHand(format!("[data] where with `and {known}` behind it")),
            None => Change::text("where", &known),
        };
        let kept = Change::ByHand("give each person an identifier in the file".into());
        Some(Advice {
            because: format!("{rows} rows have nothing in {column:?}, and are taken for a person each"),
            ways: vec![vec![left_out], vec![kept]],
            helped: None,
        })
    }

    /// Expressions that make empty texts, which are bins like any other.
    fn emptied(&self) -> Vec<Advice> {
        let empty = self.words_for_nothing.iter().filter(|word| word.word.is_empty());
        let found = empty.map(|word| Advice {
            because: format!(
                "the expression of {:?} makes an empty text, which is a bin of {} people",
                word.bin, word.people
            ),
            ways: vec![vec![Change::ByHand("write `nullif(EXPRESSION, '')`, and it is missing".into())]],
            helped: None,
        });
        found.collect()
    }

    /// Integers that have fractions.
    fn fractions(&self) -> Vec<Advice> {
        let found = self.texts(&[ColumnType::Integer]).into_iter().filter_map(|(step, texts)| {
            let target = Target { kind: ColumnType::Number, ..texts.target };
            let numbers = UnreadTexts { target, texts: texts.texts.clone(), untried: texts.untried };
            let rows = numbers.read_rows(&self.query.source.dialect);
            let first = numbers.first_read(&self.query.source.dialect)?;
            Some(Advice {
                because: format!("`{first}` in {:?} has a fraction", step.column),
                ways: vec![vec![Change::Type { column: step.column.clone(), kind: ColumnType::Number }]],
                helped: Some(Helped::Readable { rows, of: texts.rows(), untried: texts.untried }),
            })
        });
        found.collect()
    }

    /// Numbers with currencies, percent signs or blanks around them.
    fn cleaned(&self) -> Vec<Advice> {
        let found = self.texts(&[ColumnType::Integer, ColumnType::Number, ColumnType::Date, ColumnType::Boolean]);
        found.into_iter().filter_map(|(step, texts)| cleaned(self.query, step, &texts)).collect()
    }

    /// Texts that are listed but for blanks or capital letters.
    fn renamed(&self) -> Vec<Advice> {
        let dimensions = self.query.dimensions.iter().zip(&self.tally.outside).filter(|(_, words)| words.rows() > 0);
        dimensions.filter_map(|(dimension, words)| renamed(dimension, &words.by_frequency(), words.untried())).collect()
    }
}

/// Words that may stand for nothing, among what cannot be read and among bins that are found.
fn words(trouble: &Trouble<'_>) -> Option<Advice> {
    let unread = trouble.tally.unread.iter().flat_map(|words| words.by_frequency());
    let unread: Vec<(&str, u64)> = unread.filter(|(text, _)| is_word_for_nothing(text)).collect();
    let found = trouble.words_for_nothing.iter().filter(|word| !word.word.is_empty());
    let found = found.map(|word| (word.word.as_str(), word.people));
    let all: Vec<(&str, u64)> = unread.into_iter().chain(found).collect();
    let untried = trouble.tally.unread.iter().map(|words| words.untried()).sum();
    let known = trouble.query.source.dialect.missing.iter().map(String::as_str);
    let new: BTreeSet<&str> = all.iter().map(|(word, _)| *word).collect();
    let first = all.iter().max_by_key(|(word, rows)| (*rows, std::cmp::Reverse(*word)))?.0;
    let together: BTreeSet<&str> = known.chain(new).collect();
    Some(Advice {
        because: format!("`{first}` stands for nothing?"),
        ways: vec![vec![Change::texts("missing", together)]],
        helped: Some(Helped::Missing { rows: all.iter().map(|(_, rows)| rows).sum(), untried }),
    })
}

fn numbers(trouble: &Trouble<'_>, unread_in: &dyn Fn(&Query) -> Option<u64>) -> Option<Advice> {
    let (steps, texts): (Vec<_>, Vec<_>) =
        trouble.texts(&[ColumnType::Integer, ColumnType::Number]).into_iter().unzip();
    let dialect = &trouble.query.source.dialect;
    let candidates = other_signs(&texts, dialect);
    let first = candidates.first()?;
    let contradicts = candidates.iter().find(|other| contradict(&first.dialect, &other.dialect));
    // What can be read now must still be readable: the fewest unreadable values in the whole data win.
    let tried = candidates.iter().take(MOST_PASSES).filter_map(|candidate| {
        let unread = unread_in(&trouble.query_in(candidate.dialect.clone(), &steps))?;
        Some((unread, candidate))
    });
    let tried: Vec<(u64, &OtherSigns)> = tried.collect();
    let (unread, best) = tried.iter().min_by_key(|(unread, _)| *unread)?;
    let rows = trouble.unread_with_types(&steps, unread_in)?.checked_sub(*unread).filter(|rows| *rows > 0)?;
    let way = |dialect: &Dialect| {
        sign_changes(dialect).into_iter().chain(trouble.undeclared(&steps)).collect::<Vec<Change>>()
    };
    let as_good = contradicts
        .filter(|other| tried.iter().any(|(also, candidate)| also == unread && candidate.dialect == other.dialect));
    let mut ways = vec![way(&best.dialect)];
    ways.extend(as_good.filter(|other| other.dialect != best.dialect).map(|other| way(&other.dialect)));
    let example = texts.iter().find_map(|texts| texts.first_read(&best.dialect))?;
    let question = if best.dialect.decimal.is_some() && best.dialect.decimal != dialect.decimal {
        "a decimal comma?"
    } else {
        "a sign between thousands?"
    };
    let of = texts.iter().map(|texts| texts.rows() + texts.untried).sum::<u64>().max(rows);
    Some(Advice {
        because: format!("`{example}`: {question}"),
        ways,
        helped: Some(Helped::Readable { rows, of, untried: 0 }),
    })
}

fn dates(trouble: &Trouble<'_>, unread_in: &dyn Fn(&Query) -> Option<u64>) -> Option<Advice> {
    let (steps, texts): (Vec<_>, Vec<_>) =
        trouble.texts(&[ColumnType::Date, ColumnType::Timestamp]).into_iter().unzip();
    let dialect = &trouble.query.source.dialect;
    let OtherWays { ways, exchanged, is_mixed } = match other_ways(&texts, dialect) {
        Some(found) => found,
        None => return contradicted(&texts, dialect),
    };
    let with =
        |ways: &[String]| Dialect { dates: dialect.dates.iter().chain(ways).cloned().collect(), ..dialect.clone() };
    // The ways come from the texts that were kept: the whole data says what they help, and whether day or month is
    // first.
    let tried = [Some(ways), exchanged].into_iter().flatten().filter_map(|ways| {
        let unread = unread_in(&trouble.query_in(with(&ways), &steps))?;
        Some((unread, ways))
    });
    let tried: Vec<(u64, Vec<String>)> = tried.collect();
    let (unread, best) = tried.iter().min_by_key(|(unread, _)| *unread)?;
    let rows = trouble.unread_with_types(&steps, unread_in)?.checked_sub(*unread).filter(|rows| *rows > 0)?;
    // Where some texts fit one order alone and some the other, more of one kind does not make it right for the rest.
    let as_good = tried.iter().filter(|(also, ways)| (is_mixed || also == unread) && ways != best);
    let way = |ways: &[String]| {
        let all = dialect.dates.iter().chain(ways).map(String::as_str);
        [Change::texts("dates", all)].into_iter().chain(trouble.undeclared(&steps)).collect::<Vec<Change>>()
    };
    let example = texts.iter().find_map(|texts| texts.first_read(&with(best)))?;
    let of = texts.iter().map(|texts| texts.rows() + texts.untried).sum::<u64>().max(rows);
    let what = match is_mixed {
        true => "some days have the day first and some the month, so that no way is right for all. With the first",
        false => "another way to write days",
    };
    Some(Advice {
        because: format!("`{example}`: {what}"),
        ways: [way(best)].into_iter().chain(as_good.map(|(_, ways)| way(ways))).collect(),
        helped: Some(Helped::Readable { rows, of, untried: 0 }),
    })
}

/// Days of which the request says another order.
fn contradicted(texts: &[UnreadTexts<'_>], dialect: &Dialect) -> Option<Advice> {
    let ContradictedWay { said, other, rows } = contradicted_way(texts, dialect)?;
    let by_hand = "release the parts of the file that are written alike from files of their own";
    Some(Advice {
        because: format!("{rows} values fit {other:?}, which cannot stand beside {said:?}"),
        ways: vec![vec![Change::ByHand(by_hand.into())]],
        helped: None,
    })
}
