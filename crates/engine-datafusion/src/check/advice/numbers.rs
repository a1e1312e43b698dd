//! Signs of numbers that would make unreadable ones readable.
//!
//! Every pair of signs that people use is tried on the unreadable texts. It must never choose between a sign of
//! fractions and one of thousands where a text could be either. It is separate because signs hold for all columns of
//! a file together. Read `../trial.rs` for how they are tried.

use super::Change;
use crate::check::trial::{Target, Tried, tried};
use incrowd_engine::{Dialect, Sign};

/// The sign of fractions and the sign of thousands; none stands for the point, and for none.
const SIGNS: [(Option<&str>, Option<&str>); 7] = [
    (Some(","), None),
    (None, Some(",")),
    (None, Some("'")),
    (None, Some(" ")),
    (Some(","), Some(".")),
    (Some(","), Some(" ")),
    (Some(","), Some("'")),
];

/// Unreadable texts of one column, each with how many rows have it.
pub(crate) struct UnreadTexts<'t> {
    pub(crate) target: Target<'t>,
    pub(crate) texts: Vec<(&'t str, u64)>,
    /// So many more rows have texts that are not among these.
    pub(crate) untried: u64,
}

impl UnreadTexts<'_> {
    /// Returns how many rows have these texts.
    pub(crate) fn rows(&self) -> u64 {
        self.texts.iter().map(|(_, rows)| rows).sum()
    }

    /// Returns the most frequent text that can be read in a dialect.
    pub(crate) fn first_read(&self, dialect: &Dialect) -> Option<&str> {
        let texts: Vec<&str> = self.texts.iter().map(|(text, _)| *text).collect();
        let read = tried(&texts, self.target, dialect).into_iter().zip(texts);
        read.filter(|(tried, _)| *tried == Tried::Read).map(|(_, text)| text).next()
    }

    /// Returns how many rows can be read in a dialect.
    pub(crate) fn read_rows(&self, dialect: &Dialect) -> u64 {
        let texts: Vec<&str> = self.texts.iter().map(|(text, _)| *text).collect();
        let read = tried(&texts, self.target, dialect).into_iter().zip(&self.texts);
        read.filter(|(tried, _)| *tried == Tried::Read).map(|(_, (_, rows))| rows).sum()
    }
}

/// A dialect with other signs, and what it would make readable.
pub(crate) struct OtherSigns {
    pub(crate) dialect: Dialect,
    pub(crate) rows: u64,
}

/// Returns the dialects that make the most rows readable, the simplest first; none where none helps.
pub(crate) fn other_signs(columns: &[UnreadTexts<'_>], dialect: &Dialect) -> Vec<OtherSigns> {
    let sign = |text: Option<&str>| text.and_then(Sign::of);
    let candidates = SIGNS.into_iter().map(|(decimal, thousands)| {
        let dialect = Dialect { decimal: sign(decimal), thousands: sign(thousands), ..dialect.clone() };
        let rows = columns.iter().map(|column| column.read_rows(&dialect)).sum();
        OtherSigns { dialect, rows }
    });
    let candidates: Vec<OtherSigns> = candidates.filter(|one| one.rows > 0 && one.dialect != *dialect).collect();
    let most = candidates.iter().map(|one| one.rows).max().unwrap_or(0);
    candidates.into_iter().filter(|one| one.rows == most).collect()
}

/// Whether two dialects take one sign for different things, so that `1,234` is one number or another.
pub(crate) fn contradict(one: &Dialect, other: &Dialect) -> bool {
    let crossed = |one: &Dialect, other: &Dialect| one.decimal.is_some() && one.decimal == other.thousands;
    crossed(one, other) || crossed(other, one)
}

/// Returns the changes that lead to a dialect's signs.
pub(crate) fn sign_changes(dialect: &Dialect) -> Vec<Change> {
    let decimal = dialect.decimal.map(|sign| Change::text("decimal", &sign.to_string()));
    let thousands = dialect.thousands.map(|sign| Change::text("thousands", &sign.to_string()));
    decimal.into_iter().chain(thousands).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_engine::ColumnType;

    fn signs(texts: &[&str], kind: ColumnType) -> Vec<String> {
        let texts = texts.iter().map(|text| (*text, 1)).collect();
        let columns = [UnreadTexts { target: Target { kind, timezone: "UTC" }, texts, untried: 0 }];
        let found = other_signs(&columns, &Dialect::default());
        found
            .iter()
            .map(|one| sign_changes(&one.dialect).iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn the_simplest_signs_that_read_the_most_come_first() {
        let first = |texts: &[&str], kind| signs(texts, kind).first().cloned().unwrap_or_default();
        assert_eq!(first(&["94606,00", "1,5"], ColumnType::Number), "[data] decimal = \",\"");
        assert_eq!(first(&["1,234,567.5", "12"], ColumnType::Number), "[data] thousands = \",\"");
        assert_eq!(first(&["1.234,50"], ColumnType::Number), "[data] decimal = \",\" [data] thousands = \".\"");
        assert_eq!(first(&["12'500"], ColumnType::Number), "[data] thousands = \"'\"");
        assert_eq!(first(&["12 500"], ColumnType::Integer), "[data] thousands = \" \"");
        assert_eq!(first(&["1.234"], ColumnType::Integer), "[data] decimal = \",\" [data] thousands = \".\"");
        assert!(signs(&["abc", "12 CHF"], ColumnType::Number).is_empty());
    }

    #[test]
    fn three_digits_behind_a_comma_may_be_thousands() {
        let texts = [UnreadTexts {
            target: Target { kind: ColumnType::Number, timezone: "UTC" },
            texts: vec![("1,234", 3), ("12,500", 1)],
            untried: 0,
        }];
        let found = other_signs(&texts, &Dialect::default());
        assert!(contradict(&found[0].dialect, &found[1].dialect));
        assert_eq!((found[0].rows, found[1].rows), (4, 4));
    }
}
