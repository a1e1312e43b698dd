//! Reads how a file writes its rows and values down.
//!
//! It must never open a file: what is not written here is what plain CSV files have. It is separate from `data.rs`
//! because most requests need none of it. Read `sections/dialect.rs` for what each key means.

use super::error::RequestError;
use super::fields::{Fields, Item};
use super::node::Node;
use super::number::Whole;
use incrowd_definition::{BadRows, DataFormat, DateWay, Dialect, Encoding, Header, Quote, Sign, read_differently};

/// The letters behind `%` that a way to write days may have.
const PARTS: &str = "dmyYbBeHIMSpf%";

/// Most ways to write days, and most texts for nothing.
const MOST_TEXTS: usize = 64;

/// Reads the keys of a dialect in `[data]`.
pub(super) fn read_dialect(fields: &Fields<'_>) -> Result<Dialect, RequestError> {
    let header = fields.flag("header")?.unwrap_or(true);
    let dialect = Dialect {
        format: fields.choice("format", &DataFormat::ALL, DataFormat::as_str)?,
        sheet: fields.text("sheet")?,
        table: fields.text("table")?,
        delimiter: read_sign(fields, "delimiter")?,
        quote: read_quote(fields)?,
        encoding: fields.choice("encoding", &Encoding::ALL, Encoding::as_str)?.unwrap_or_default(),
        skip_lines: fields.whole("skip-lines", Whole::LINES)?.unwrap_or(0),
        header: if header { Header::Names } else { Header::Row },
        bad_rows: fields.choice("on-bad-row", &BadRows::ALL, BadRows::as_str)?.unwrap_or_default(),
        // The point is what is read anyway: said or not, it is the same request.
        decimal: read_sign(fields, "decimal")?.filter(|sign| sign.byte() != b'.'),
        thousands: read_sign(fields, "thousands")?,
        missing: read_missing(fields)?,
        dates: read_dates(fields)?,
    };
    refuse_twins(&dialect, fields)?;
    Ok(dialect)
}

fn read_sign(fields: &Fields<'_>, key: &'static str) -> Result<Option<Sign>, RequestError> {
    let Some(item) = fields.item(key) else { return Ok(None) };
    let Node::Text(text) = item.value() else {
        return Err(item.refuse(format!("`{key}` must be one sign in quotes")));
    };
    match Sign::of(text) {
        Some(sign) => Ok(Some(sign)),
        None => Err(item
            .refuse(format!("`{key}` must be one sign of ASCII that is no letter and no digit"))
            .hint(format!("{key} = \";\"; a tab is written \"tab\""))),
    }
}

fn read_quote(fields: &Fields<'_>) -> Result<Quote, RequestError> {
    let none = matches!(fields.item("quote").as_ref().map(Item::value), Some(Node::Text(text)) if text == "none");
    if none {
        return Ok(Quote::None);
    }
    Ok(match read_sign(fields, "quote")? {
        None => Quote::Double,
        Some(sign) if sign.byte() == b'"' => Quote::Double,
        Some(sign) => Quote::Other(sign),
    })
}

fn read_missing(fields: &Fields<'_>) -> Result<Vec<String>, RequestError> {
    let mut words = Vec::new();
    for item in fields.list("missing")?.unwrap_or_default() {
        let Node::Text(text) = item.value() else {
            return Err(item
                .refuse("a text that stands for nothing must be in quotes")
                .hint("missing = [\"NA\", \"-\"]"));
        };
        // The empty text always stands for nothing.
        if !text.is_empty() {
            words.push(text.to_string());
        }
    }
    words.sort();
    words.dedup();
    if words.len() > MOST_TEXTS {
        return Err(fields.refuse_value("missing", format!("`missing` may have at most {MOST_TEXTS} texts")));
    }
    Ok(words)
}

fn read_dates(fields: &Fields<'_>) -> Result<Vec<String>, RequestError> {
    let mut ways = Vec::new();
    for item in fields.list("dates")?.unwrap_or_default() {
        let way = item.text()?;
        if let Some(wrong) = wrong_way(&way) {
            return Err(item
                .refuse(wrong)
                .hint("dates = [\"%d.%m.%Y\"]: day %d, month %m or %b, year %Y or %y, %H:%M:%S"));
        }
        ways.push(way);
    }
    if ways.len() > MOST_TEXTS {
        return Err(fields.refuse_value("dates", format!("`dates` may have at most {MOST_TEXTS} ways")));
    }
    refuse_two_days(&ways, fields)?;
    Ok(ways)
}

/// Refuses ways of which two read one text as two days: whichever came first, days would be wrong without a word.
fn refuse_two_days(ways: &[String], fields: &Fields<'_>) -> Result<(), RequestError> {
    let read: Vec<(&String, DateWay)> = ways.iter().filter_map(|way| Some((way, DateWay::of(way)?))).collect();
    for (place, (first, one)) in read.iter().enumerate() {
        for (second, other) in &read[place + 1..] {
            if let Some(text) = read_differently(one, other) {
                return Err(fields
                    .refuse_value("dates", format!("{first:?} and {second:?} read {text} as two different days"))
                    .hint(
                        "keep the one that is right. Where a file has both, no reading of it can be right: release its \
                         parts from files of their own, or make the day by an `expression` that tells which is meant",
                    ));
            }
        }
    }
    Ok(())
}

/// Returns what is wrong with a way to write days: each must name day, month and year once, and no time by halves.
fn wrong_way(way: &str) -> Option<&'static str> {
    let mut seen = String::new();
    let mut signs = way.chars();
    while let Some(sign) = signs.next() {
        if sign == '%' {
            match signs.next() {
                Some(part) if PARTS.contains(part) => seen.push(part),
                Some(_) | None => return Some("this way to write days has a part that is not known"),
            }
        }
    }
    let count = |parts: &str| seen.chars().filter(|part| parts.contains(*part)).count();
    let once = count("de") == 1 && count("mbB") == 1 && count("yY") == 1;
    if !once {
        return Some("a way to write days has one day, one month and one year");
    }
    let times = [count("HI"), count("M"), count("S"), count("f")];
    let in_order = times.iter().all(|each| *each <= 1) && times.windows(2).all(|pair| pair[0] >= pair[1]);
    if !in_order {
        return Some("a way to write moments has hours, then minutes, then seconds, then %f, each at most once");
    }
    (count("I") != count("p")).then_some("hours up to twelve, %I, and %p go together")
}

fn refuse_twins(dialect: &Dialect, fields: &Fields<'_>) -> Result<(), RequestError> {
    let decimal = dialect.decimal.or(Sign::of("."));
    if dialect.thousands.is_some() && dialect.thousands == decimal {
        return Err(fields
            .refuse_value("thousands", "`thousands` and `decimal` are the same sign")
            .hint("decimal = \",\" and thousands = \".\" for 94.606,00"));
    }
    match dialect.quote {
        Quote::Other(quote) if dialect.delimiter == Some(quote) => {
            Err(fields.refuse_value("quote", "`quote` and `delimiter` are the same sign"))
        }
        Quote::Double if dialect.delimiter == Sign::of("\"") => {
            Err(fields.refuse_value("delimiter", "`quote` and `delimiter` are the same sign"))
        }
        Quote::Double | Quote::Other(_) | Quote::None => Ok(()),
    }
}
