//! Tables as CSV files in dialects that programs have, written by a few lines that know nothing of the reader.

use super::Way;
use incrowd_conformance::{CaseColumn, CaseTable, CaseValue};
use incrowd_engine::{BadRows, Dialect, Encoding, Quote, Sign};

/// Returns what a request says of such a file.
pub fn dialect(way: Way) -> Dialect {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    match way {
        Way::Spreadsheet => Dialect {
            delimiter: Sign::of(";"),
            encoding: encoding("windows-1252"),
            bad_rows: BadRows::Skip,
            decimal: Sign::of(","),
            missing: texts(&["k. A."]),
            dates: texts(&["%d.%m.%Y", "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M:%S,%f"]),
            ..Dialect::default()
        },
        Way::Tabs => Dialect { quote: Quote::None, ..Dialect::default() },
        Way::Wide => Dialect {
            delimiter: Sign::of("|"),
            quote: Quote::Other(Sign::of("'").expect("a sign")),
            encoding: encoding("utf-16"),
            thousands: Sign::of(","),
            dates: texts(&["%m/%d/%Y", "%m/%d/%Y %I:%M:%S %p", "%m/%d/%Y %H:%M:%S.%f"]),
            ..Dialect::default()
        },
    }
}

fn encoding(name: &str) -> Encoding {
    Encoding::ALL.into_iter().find(|each| each.as_str() == name).expect("an encoding")
}

/// Returns the bytes of the file; nothing for what cannot be written so.
pub fn file(way: Way, table: &CaseTable) -> Option<Vec<u8>> {
    let mut lines = vec![table.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>()];
    for row in 0..table.rows() {
        lines.push(table.columns.iter().map(|column| field(way, column, &column.values[row])).collect::<Option<_>>()?);
    }
    let text = match way {
        Way::Spreadsheet => {
            let extra = vec!["x"; table.columns.len() + 1].join(";");
            lines.iter().map(|line| format!("{}\r\n{extra}\r\n", joined(line, ';', '"'))).collect::<String>()
        }
        Way::Tabs => {
            let is_bare = |text: &String| !text.contains(['\t', '\r', '\n']);
            if !lines.iter().flatten().all(is_bare) {
                return None;
            }
            lines.iter().map(|line| format!("{}\n", line.join("\t"))).collect()
        }
        Way::Wide => lines.iter().map(|line| format!("{}\r", joined(line, '|', '\''))).collect(),
    };
    Some(match way {
        Way::Spreadsheet => {
            let (bytes, _, is_lossy) = encoding_rs::WINDOWS_1252.encode(&text);
            if is_lossy {
                return None;
            }
            bytes.into_owned()
        }
        Way::Tabs => text.into_bytes(),
        Way::Wide => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect(),
    })
}

/// Every field in quotes.
fn joined(line: &[String], delimiter: char, quote: char) -> String {
    let quoted = |text: &String| format!("{quote}{}{quote}", text.replace(quote, &format!("{quote}{quote}")));
    line.iter().map(quoted).collect::<Vec<_>>().join(&delimiter.to_string())
}

fn field(way: Way, column: &CaseColumn, value: &CaseValue) -> Option<String> {
    let plain = value.text(&column.kind)?;
    Some(match (way, value) {
        (Way::Tabs, _) => plain,
        (Way::Spreadsheet, CaseValue::Missing) => "k. A.".into(),
        // A text that means nothing here is a text elsewhere.
        (Way::Spreadsheet, CaseValue::Text(text)) if text == "k. A." => return None,
        (Way::Spreadsheet | Way::Wide, CaseValue::Number(number)) if !number.is_finite() => return None,
        (Way::Spreadsheet, CaseValue::Number(_) | CaseValue::Decimal(_)) => plain.replace('.', ","),
        (Way::Wide, CaseValue::Integer(_) | CaseValue::Unsigned(_) | CaseValue::Number(_) | CaseValue::Decimal(_)) => {
            grouped(&plain)
        }
        (Way::Spreadsheet | Way::Wide, CaseValue::Date(_)) => day(way, &plain),
        (Way::Spreadsheet | Way::Wide, CaseValue::Timestamp(_)) => {
            let (date, time) = plain.split_once('T')?;
            format!("{} {}", day(way, date), clock(way, time)?)
        }
        (Way::Spreadsheet | Way::Wide, CaseValue::Missing | CaseValue::Text(_) | CaseValue::Boolean(_)) => plain,
        (Way::Spreadsheet, CaseValue::Integer(_) | CaseValue::Unsigned(_)) => plain,
    })
}

/// Commas between groups of three digits of the whole part.
fn grouped(number: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let end = rest.find(['.', 'e']).unwrap_or(rest.len());
    let (whole, fraction) = rest.split_at(end);
    let groups: Vec<_> =
        whole.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned()).collect();
    format!("{sign}{}{fraction}", groups.join(","))
}

fn day(way: Way, iso: &str) -> String {
    let (year, month, day) = (&iso[..4], &iso[5..7], &iso[8..]);
    match way {
        Way::Spreadsheet | Way::Tabs => format!("{day}.{month}.{year}"),
        Way::Wide => format!("{month}/{day}/{year}"),
    }
}

/// Returns the time of a moment; nothing for one that is labelled with a zone, which no way says.
fn clock(way: Way, time: &str) -> Option<String> {
    if time.ends_with('Z') {
        return None;
    }
    Some(match way {
        Way::Spreadsheet | Way::Tabs => time.replace('.', ","),
        Way::Wide if time.contains('.') => time.to_owned(),
        Way::Wide => {
            let hour: u32 = time[..2].parse().expect("an hour");
            let half = if hour < 12 { "am" } else { "PM" };
            format!("{:02}{} {half}", (hour + 11) % 12 + 1, &time[2..])
        }
    })
}
