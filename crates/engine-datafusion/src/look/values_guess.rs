//! How the values of text columns seem to be written: types, decimal signs, ways to write days, words for nothing.
//!
//! A guess to be written into a request, where a human sees it; a release must never use one. Of the values only words
//! of lists that stand here are written down. It is separate from `bytes_guess.rs` because it needs rows. Read
//! `written.rs` of the contract for how a release reads by what is guessed here.

use super::{GuessReason, GuessedKey};
use incrowd_engine::written::{DateWay, NumberSigns, date_written, number_written, read_differently};
use incrowd_engine::{ColumnType, Dialect, Sign};
use std::borrow::Cow;

/// Words that stand for nothing, wherever they are found.
const NOTHING: [&str; 14] =
    ["NA", "N/A", "n/a", "#N/A", "NULL", "null", "\\N", "NaN", "nan", "-", "--", "?", ".", "None"];

/// Words of these that may well be a name of something: they stand for nothing only beside numbers, days or flags.
const DOUBTFUL: [&str; 2] = [".", "None"];

/// Signs before the fraction and between thousands, in the order in which they are tried.
const NUMBERS: [(&str, Option<&str>); 7] = [
    (".", None),
    (",", None),
    (",", Some(".")),
    (".", Some(",")),
    (",", Some(" ")),
    (".", Some(" ")),
    (".", Some("'")),
];

/// Ways to write days; each of those with a clock behind it is tried, too.
const DAYS: [&str; 12] = [
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%Y/%m/%d",
    "%d-%m-%Y",
    "%Y.%m.%d",
    "%d.%m.%y",
    "%d/%m/%y",
    "%m/%d/%y",
    "%d-%b-%Y",
    "%d %b %Y",
    "%b %d, %Y",
];

/// Clocks behind days.
const CLOCKS: [&str; 3] = ["", " %H:%M", " %H:%M:%S"];

/// Most ways to write days that one column is taken to have.
const MOST_WAYS: usize = 4;

/// What is guessed of some columns: the type of each, and how all of them are written.
pub(super) struct ValuesGuess {
    pub(super) kinds: Vec<ColumnType>,
    pub(super) dialect: Dialect,
    pub(super) keys: Vec<GuessedKey>,
    pub(super) mixed: Vec<MixedDays>,
}

/// A column of days that are written in two ways which read one text as two days.
pub(super) struct MixedDays {
    /// Its place.
    pub(super) column: usize,
    pub(super) one: String,
    pub(super) other: String,
}

/// Returns what the texts of columns seem to be; an empty text is none.
pub(super) fn of_columns(columns: &[Vec<&str>], mut dialect: Dialect) -> ValuesGuess {
    let mut keys = Vec::new();
    let is_nothing = |text: &&str| NOTHING.contains(text);
    // What is left of each column without words for nothing decides its type.
    let values: Vec<Vec<&str>> =
        columns.iter().map(|texts| texts.iter().copied().filter(|text| !is_nothing(text)).collect()).collect();
    let (decimal, thousands) = signs(&values);
    dialect.decimal = decimal;
    dialect.thousands = thousands;
    if let Some(sign) = decimal {
        keys.push(GuessedKey { key: "decimal", why: GuessReason::NumbersWith(sign) });
    }
    if let Some(sign) = thousands {
        keys.push(GuessedKey { key: "thousands", why: GuessReason::NumbersWith(sign) });
    }
    let (ways, DaysGuess { is_open, mixed, .. }) = ways(&values);
    dialect.dates = ways;
    if !dialect.dates.is_empty() {
        let why = if is_open { GuessReason::DaysOrMonths } else { GuessReason::DaysAsWritten };
        keys.push(GuessedKey { key: "dates", why });
    }
    let kinds: Vec<ColumnType> = values.iter().map(|texts| kind(texts, &dialect)).collect();
    let found = |word: &&&str| {
        columns
            .iter()
            .zip(&kinds)
            .any(|(texts, kind)| texts.contains(*word) && (*kind != ColumnType::Text || !DOUBTFUL.contains(*word)))
    };
    dialect.missing = NOTHING.iter().filter(found).map(|word| (*word).to_string()).collect();
    dialect.missing.sort();
    if !dialect.missing.is_empty() {
        keys.push(GuessedKey { key: "missing", why: GuessReason::WordsForNothing });
    }
    ValuesGuess { kinds, dialect, keys, mixed }
}

/// Returns the signs with which most columns are numbers; the usual ones where that is as many.
fn signs(columns: &[Vec<&str>]) -> (Option<Sign>, Option<Sign>) {
    let numbers = |decimal: Option<Sign>, thousands: Option<Sign>| {
        let dialect = Dialect { decimal, thousands, ..Dialect::default() };
        columns.iter().filter(|texts| is_number(texts, &dialect)).count()
    };
    let mut best = (None, None);
    let mut most = numbers(None, None);
    for (decimal, thousands) in NUMBERS {
        let decimal = Sign::of(decimal).filter(|sign| sign.byte() != b'.');
        let thousands = thousands.and_then(Sign::of);
        let found = numbers(decimal, thousands);
        if found > most {
            (best, most) = ((decimal, thousands), found);
        }
    }
    best
}

fn is_number(texts: &[&str], dialect: &Dialect) -> bool {
    !texts.is_empty() && texts.iter().all(|text| !is_code(text) && number(text, dialect).is_some())
}

/// Returns the number that a text says in a dialect, with a point.
fn number<'t>(text: &'t str, dialect: &Dialect) -> Option<Cow<'t, str>> {
    match NumberSigns::of(dialect) {
        Some(signs) => number_written(text, &signs),
        None => text.parse::<f64>().is_ok_and(f64::is_finite).then_some(Cow::Borrowed(text)),
    }
}

/// A leading zero is part of a code, such as a postal code, not of a number.
fn is_code(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0') && !text.starts_with("0.") && !text.starts_with("0,")
}

/// Ways to write days that make columns of days.
#[derive(Default)]
struct DaysGuess {
    /// Places in the list, no two of which read one text as two days.
    chosen: Vec<usize>,
    /// Whether some column could be read as well with days and months exchanged.
    is_open: bool,
    /// Columns of days that need ways that contradict each other, and two such ways.
    mixed: Vec<MixedDays>,
}

/// Returns the ways to write days that make columns of days, and the columns for which there are none that agree.
fn ways(columns: &[Vec<&str>]) -> (Vec<String>, DaysGuess) {
    let all: Vec<Way> = DAYS.iter().flat_map(|day| CLOCKS.iter().filter_map(|clock| Way::of(day, clock))).collect();
    let mut guess = DaysGuess::default();
    // Columns that leave nothing open come first: the others are then read as these are.
    let mut later = Vec::new();
    let of_days = columns.iter().enumerate().filter(|(_, texts)| !texts.is_empty());
    for (column, texts) in of_days {
        match of_column(texts, &all, &guess.chosen) {
            ColumnDays::Other => {}
            ColumnDays::Ways { own, open: false } => guess.chosen.extend(own),
            ColumnDays::Ways { open: true, .. } | ColumnDays::Mixed(_, _) => later.push(column),
        }
    }
    for column in later {
        match of_column(&columns[column], &all, &guess.chosen) {
            ColumnDays::Other => {}
            ColumnDays::Ways { own, open } => {
                guess.chosen.extend(own);
                guess.is_open |= open;
            }
            ColumnDays::Mixed(one, other) => {
                let way = |place: usize| all[place].text.clone();
                guess.mixed.push(MixedDays { column, one: way(one), other: way(other) });
            }
        }
    }
    guess.chosen.sort_unstable();
    guess.chosen.dedup();
    (guess.chosen.iter().map(|place| all[*place].text.clone()).collect(), guess)
}

/// How the days of one column are written.
enum ColumnDays {
    /// It has none, or other texts beside them.
    Other,
    /// So; open if with days and months exchanged they could be read as well.
    Ways { own: Vec<usize>, open: bool },
    /// By two ways that read one text as two days.
    Mixed(usize, usize),
}

fn of_column(texts: &[&str], all: &[Way], taken: &[usize]) -> ColumnDays {
    let mut left: Vec<&str> = texts.iter().copied().filter(|text| !is_day(text) && !is_moment(text)).collect();
    let (mut own, mut open, mut mixed): (Vec<usize>, bool, Option<(usize, usize)>) = (Vec::new(), false, None);
    while !left.is_empty() && own.len() < MOST_WAYS {
        let fits = |way: &Way| left.iter().filter(|text| date_written(text, &way.way).is_some()).count();
        let contradicted = |place: usize| {
            let known = taken.iter().chain(&own).copied();
            known.into_iter().find(|known| read_differently(&all[*known].way, &all[place].way).is_some())
        };
        // Of those that fit as many, what contradicts none before, then the first in the list.
        let best = all.iter().enumerate().rev().filter(|(_, way)| fits(way) > 0);
        let best = best.max_by_key(|(place, way)| (fits(way), contradicted(*place).is_none()));
        let Some((place, best)) = best else { break };
        mixed = mixed.or(contradicted(place).map(|known| (known, place)));
        let exchanged = best.exchanged();
        open |= all.iter().any(|way| exchanged.as_ref() == Some(&way.text) && fits(way) == fits(best));
        left.retain(|text| date_written(text, &best.way).is_none());
        own.push(place);
    }
    match (left.is_empty(), mixed) {
        (false, _) => ColumnDays::Other,
        (true, Some((one, other))) => ColumnDays::Mixed(one, other),
        (true, None) => ColumnDays::Ways { own, open },
    }
}

/// A way to write days, as a request has it and as it is read.
struct Way {
    text: String,
    way: DateWay,
}

impl Way {
    fn of(day: &str, clock: &str) -> Option<Way> {
        let text = format!("{day}{clock}");
        Some(Way { way: DateWay::of(&text)?, text })
    }

    /// The same way with day and month exchanged; nothing where months have names.
    fn exchanged(&self) -> Option<String> {
        let exchanged = self.text.replace("%d", "%\u{0}").replace("%m", "%d").replace("%\u{0}", "%m");
        self.text.contains("%m").then_some(exchanged)
    }
}

fn kind(texts: &[&str], dialect: &Dialect) -> ColumnType {
    let all = |holds: &dyn Fn(&str) -> bool| !texts.is_empty() && texts.iter().all(|text| holds(text));
    let ways: Vec<DateWay> = dialect.dates.iter().filter_map(|way| DateWay::of(way)).collect();
    let written = |text: &str| ways.iter().find_map(|way| date_written(text, way));
    let integer = |text: &str| number(text, dialect).is_some_and(|text| text.parse::<i64>().is_ok());
    if all(&|text| text == "true" || text == "false") {
        ColumnType::Boolean
    } else if all(&|text| !is_code(text) && integer(text)) {
        ColumnType::Integer
    } else if is_number(texts, dialect) {
        ColumnType::Number
    } else if all(&|text| is_day(text) || written(text).is_some_and(|iso| is_day(&iso))) {
        ColumnType::Date
    } else if all(&|text| is_day(text) || is_moment(text) || written(text).is_some()) {
        ColumnType::Timestamp
    } else {
        ColumnType::Text
    }
}

/// Whether a text is a day as it is always read: 2026-11-18.
pub(super) fn is_day(text: &str) -> bool {
    let shape = text.bytes().enumerate().all(|(place, byte)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    shape && text.len() == 10
}

/// Whether a text is a moment as it is always read: 2026-11-18T12:00:00.
fn is_moment(text: &str) -> bool {
    text.get(..10).is_some_and(is_day) && text.get(10..11).is_some_and(|sign| sign == "T" || sign == " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(columns: &[&[&str]]) -> ValuesGuess {
        let columns: Vec<Vec<&str>> = columns.iter().map(|texts| texts.to_vec()).collect();
        of_columns(&columns, Dialect::default())
    }

    #[test]
    fn plain_values_need_no_dialect() {
        let read =
            guess(&[&["1", "-2"], &["1.5", "2"], &["a", "b"], &["2020-01-01"], &["true"], &["0123", "0456"], &[]]);
        assert!(read.dialect.is_default());
        let expected = ["integer", "number", "text", "date", "boolean", "text", "text"];
        assert_eq!(read.kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>(), expected);
        assert_eq!(guess(&[&["2020-01-01T10:00:00", "2020-01-02"]]).kinds, [ColumnType::Timestamp]);
    }

    #[test]
    fn commas_before_fractions_are_seen() {
        let read = guess(&[&["94606,00", "12,5"]]);
        assert_eq!((read.dialect.decimal, read.dialect.thousands), (Sign::of(","), None));
        assert_eq!(read.kinds, [ColumnType::Number]);
        let read = guess(&[&["94.606,00", "1.234.567,89", "12,5"]]);
        assert_eq!((read.dialect.decimal, read.dialect.thousands), (Sign::of(","), Sign::of(".")));
        let read = guess(&[&["1,234", "1,234,567", "12"], &["1.5"]]);
        assert_eq!((read.dialect.decimal, read.dialect.thousands), (None, Sign::of(",")));
        // What may be either is taken as it is usual.
        assert!(guess(&[&["1.234", "5.678"]]).dialect.is_default());
    }

    #[test]
    fn ways_to_write_days_are_seen() {
        let read = guess(&[&["31.12.2020", "01.02.2021"]]);
        assert_eq!(read.dialect.dates, ["%d.%m.%Y"]);
        assert_eq!(read.kinds, [ColumnType::Date]);
        let read = guess(&[&["31.12.2020", "2020-01-05", "12/31/2020", "3 Jan 2021"]]);
        assert_eq!(read.dialect.dates, ["%d.%m.%Y", "%m/%d/%Y", "%d %b %Y"]);
        assert_eq!(read.kinds, [ColumnType::Date]);
        assert_eq!(guess(&[&["31.12.2020 10:30"]]).kinds, [ColumnType::Timestamp]);
        assert!(guess(&[&["31.12.2020", "soon"]]).dialect.is_default());
    }

    #[test]
    fn days_that_may_be_months_are_said_to_be() {
        let why = |texts: &[&str]| guess(&[texts]).keys.first().expect("a guess").why.clone();
        assert_eq!(why(&["01/02/2020", "03/04/2020"]), GuessReason::DaysOrMonths);
        assert_eq!(why(&["01/02/2020", "30/04/2020", "13/04/2020"]), GuessReason::DaysAsWritten);
        // Another column decides, and this one still could be read otherwise.
        let read = guess(&[&["01/02/2020", "03/04/2020"], &["12/31/2020"]]);
        assert_eq!(read.dialect.dates, ["%m/%d/%Y"]);
        assert_eq!(read.keys[0].why, GuessReason::DaysOrMonths);
    }

    #[test]
    fn two_ways_that_contradict_each_other_are_not_guessed() {
        for texts in [&["01/03/2020", "25/03/2020", "03/25/2020"][..], &["13/03/2020", "03/13/2020"]] {
            let read = guess(&[texts, &["31.12.2020"]]);
            assert_eq!(read.dialect.dates, ["%d.%m.%Y"], "{texts:?}");
            assert_eq!(read.kinds, [ColumnType::Text, ColumnType::Date]);
            let mixed: Vec<(usize, &str, &str)> =
                read.mixed.iter().map(|mixed| (mixed.column, &*mixed.one, &*mixed.other)).collect();
            assert_eq!(mixed, [(0, "%d/%m/%Y", "%m/%d/%Y")]);
        }
        // Also where each column by itself has one way.
        let read = guess(&[&["25/03/2020"], &["03/25/2020"]]);
        assert_eq!(
            (read.dialect.dates, read.kinds),
            (vec!["%d/%m/%Y".to_owned()], vec![ColumnType::Date, ColumnType::Text])
        );
        assert_eq!(read.mixed.len(), 1);
    }

    #[test]
    fn words_for_nothing_are_those_of_the_list() {
        let read = guess(&[&["1", "NA", "3"], &["x", "-", "None"], &["2020-01-01", "."]]);
        assert_eq!(read.dialect.missing, ["-", ".", "NA"]);
        assert_eq!(read.kinds, [ColumnType::Integer, ColumnType::Text, ColumnType::Date]);
        assert!(guess(&[&["x", "none", "missing"]]).dialect.missing.is_empty());
    }
}
