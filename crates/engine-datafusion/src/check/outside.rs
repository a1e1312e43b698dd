//! Values that are in none of the listed bins, with what is near.
//!
//! It must never show more than a few. It is separate because what is near depends on how bins are listed. Read
//! `examine.rs` for how such values are found.

use super::findings::{Outside, OutsideValue};
use super::tally::Tally;
use incrowd_engine::{Cut, Dimension, Edges, Expression, ListedValues, Query, nearest};

/// So many values are shown of each dimension.
const SHOWN: usize = 8;

/// Returns the dimensions with values that are in none of their bins.
pub(super) fn of_dimensions(query: &Query, tally: &Tally) -> Vec<Outside> {
    let dimensions = query.dimensions.iter().zip(&tally.outside).filter(|(_, words)| words.rows() > 0);
    let outside = dimensions.map(|(dimension, words)| {
        let values = words.by_frequency().into_iter().take(SHOWN);
        let value =
            |(value, rows): (&str, u64)| OutsideValue { near: near(value, dimension), value: value.to_owned(), rows };
        Outside { bin: dimension.name.clone(), rows: words.rows(), values: values.map(value).collect() }
    });
    outside.collect()
}

/// Returns what is near to a value: a listed one in other letters, or an end of what is listed.
fn near(value: &str, dimension: &Dimension<Expression>) -> Option<String> {
    if value.contains('\0') {
        return Some("it has a byte of zero, which no text has".into());
    }
    match &dimension.cut {
        Cut::Found | Cut::Truncated(_) => None,
        Cut::Values(ListedValues::Texts(texts)) => near_text(value, texts.iter().map(String::as_str)),
        Cut::Named(pairs) => near_text(value, pairs.iter().map(|(text, _)| text.as_str())),
        Cut::Values(ListedValues::Integers(listed)) => near_integer(value, listed),
        Cut::Values(ListedValues::Booleans(_) | ListedValues::Days(_)) => None,
        Cut::Edges(edges) => near_edge(value, edges),
        Cut::Periods(periods) => {
            let first = periods.starts().next()?.to_string();
            // Days are written so that their texts have their order.
            let before = value < first.as_str();
            Some(if before {
                format!("before the first period, from {first} on")
            } else {
                "after the last period".into()
            })
        }
    }
}

/// Says on which side of all listed numbers a number is.
fn near_integer(value: &str, listed: &[i64]) -> Option<String> {
    let value: i64 = value.parse().ok()?;
    let (first, last) = (listed.iter().min()?, listed.iter().max()?);
    if value < *first {
        Some(format!("before the first, {first}"))
    } else if value > *last {
        Some(format!("after the last, {last}"))
    } else {
        None
    }
}

fn near_edge(value: &str, edges: &Edges) -> Option<String> {
    match edges {
        Edges::Dates(days) => {
            let first = days.first()?.to_string();
            let before = value < first.as_str();
            Some(if before {
                format!("before the first edge, {first}")
            } else {
                format!("from the last edge on, {}", days.last()?)
            })
        }
        Edges::Numbers(_) | Edges::Regular { .. } => {
            let shown = |edge: u64| edges.number(edge).map(|edge| incrowd_exact::decimal_text(&edge));
            // For a sentence alone: which end is the nearer one needs no exactness.
            let number: f64 = value.parse().ok()?;
            let first: f64 = shown(0)?.parse().ok()?;
            Some(if number < first {
                format!("below the first edge, {}", shown(0)?)
            } else {
                format!("from the last edge on, {}", shown(edges.intervals())?)
            })
        }
    }
}

/// Returns the listed text that a value is but for blanks, capital letters and accents, or the nearest one.
fn near_text<'t>(value: &str, mut listed: impl Iterator<Item = &'t str> + Clone) -> Option<String> {
    let bare = folded(value);
    let same = listed.clone().find(|text| folded(text) == bare);
    match same {
        Some(text) => {
            let difference = if text == value.trim() {
                "but for blanks around it"
            } else if text.to_lowercase() == value.trim().to_lowercase() {
                "but for capital letters"
            } else {
                "but for accents"
            };
            Some(format!("is {text:?} {difference}"))
        }
        None => nearest(value, listed.by_ref()).map(|text| format!("near to {text:?}")),
    }
}

/// A text without what people write in different ways: blanks around it, capital letters, accents of Latin letters.
fn folded(text: &str) -> String {
    let mut folded = String::new();
    for letter in text.trim().to_lowercase().chars() {
        match letter {
            'à'..='å' | 'ā' | 'ă' | 'ą' => folded.push('a'),
            'ç' | 'ć' | 'č' => folded.push('c'),
            'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => folded.push('e'),
            'ì'..='ï' | 'ī' | 'į' | 'ı' => folded.push('i'),
            'ñ' | 'ń' | 'ň' => folded.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => folded.push('o'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' => folded.push('u'),
            'ý' | 'ÿ' => folded.push('y'),
            'ś' | 'š' => folded.push('s'),
            'ź' | 'ż' | 'ž' => folded.push('z'),
            'ł' => folded.push('l'),
            'đ' | 'ď' => folded.push('d'),
            'ř' => folded.push('r'),
            'ť' => folded.push('t'),
            'ğ' => folded.push('g'),
            // Accents that stand behind their letter.
            '\u{300}'..='\u{36f}' => {}
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            letter => folded.push(letter),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_other_letters_is_recognised() {
        let listed = ["Zürich", "Bern", "Genève"];
        let near = |value: &str| near_text(value, listed.into_iter());
        assert_eq!(near("Bern ").as_deref(), Some("is \"Bern\" but for blanks around it"));
        assert_eq!(near("BERN").as_deref(), Some("is \"Bern\" but for capital letters"));
        assert_eq!(near("Zurich").as_deref(), Some("is \"Zürich\" but for accents"));
        assert_eq!(near("Gene\u{300}ve").as_deref(), Some("is \"Genève\" but for accents"));
        assert_eq!(near("Zürrich").as_deref(), Some("near to \"Zürich\""));
        assert_eq!(near("Wien"), None);
        let years = [2001, 2003, 2002, 2010];
        assert_eq!(near_integer("1999", &years).as_deref(), Some("before the first, 2001"));
        assert_eq!(near_integer("2011", &years).as_deref(), Some("after the last, 2010"));
        assert_eq!((near_integer("2005", &years), near_integer("x", &years)), (None, None));
    }
}
