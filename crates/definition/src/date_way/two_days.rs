//! Texts that two ways to write days read as two different days, such as 01/02/2020.
//!
//! Days whose numbers could be a day, a month or a year are written in the one way and read in the other: where the
//! ways exchange them, it shows. It must never be what keeps a text from being misread, because other texts than these
//! may do it: whoever reads by several ways compares what they say. It is separate because it writes days, which
//! nothing else does. Read `../date_way.rs` for reading.

use super::{DateWay, Item, MONTHS, Part, SHORT, Width, date_written};

/// Each of these can be a day, a month, an hour and a year of a century.
const NUMBERS: [u8; 4] = [1, 2, 11, 12];
/// Years of a century, and centuries, that can be days or months, too.
const YEARS: [u16; 3] = [3, 10, 12];
const CENTURIES: [u16; 3] = [20, 10, 1];

/// A moment of a day that is written.
struct Sample {
    year: u16,
    month: u8,
    day: u8,
}

/// How many digits small numbers have.
#[derive(Clone, Copy)]
enum Zeros {
    Leading,
    None,
}

/// Returns a text that two ways read as two different days or moments; nothing where none was found.
pub fn read_differently(one: &DateWay, other: &DateWay) -> Option<String> {
    texts(one).chain(texts(other)).find(|text| {
        let (first, second) = (date_written(text, one), date_written(text, other));
        first.is_some() && second.is_some() && first != second
    })
}

fn texts(way: &DateWay) -> impl Iterator<Item = String> + '_ {
    let years = CENTURIES.iter().flat_map(|century| YEARS.iter().map(move |year| century * 100 + year));
    let samples = years.flat_map(|year| {
        let months = NUMBERS.iter().flat_map(|month| NUMBERS.iter().map(move |day| (*month, *day)));
        months.map(move |(month, day)| Sample { year, month, day })
    });
    samples.flat_map(|sample| [Zeros::Leading, Zeros::None].map(|zeros| written(&sample, way, zeros)))
}

/// Returns a day as a way writes it, at 10:11:12.
fn written(sample: &Sample, way: &DateWay, zeros: Zeros) -> String {
    let mut text = String::new();
    for item in &way.0 {
        match item {
            Item::Sign(sign) => text.push(*sign),
            Item::Part(part, width) => {
                let small = |number: u8| match (zeros, width) {
                    (Zeros::Leading, _) | (_, Width::All) => format!("{number:02}"),
                    (Zeros::None, Width::Some) => number.to_string(),
                };
                let month = MONTHS[usize::from(sample.month) - 1];
                text.push_str(&match part {
                    Part::Day | Part::PaddedDay => small(sample.day),
                    Part::Month => small(sample.month),
                    Part::ShortMonth => month[..SHORT].to_owned(),
                    Part::LongMonth => month.to_owned(),
                    Part::Year => format!("{:04}", sample.year),
                    Part::YearOfCentury => format!("{:02}", sample.year % 100),
                    Part::Hour | Part::HourOfHalf => small(10),
                    Part::Half => "pm".to_owned(),
                    Part::Minute => small(11),
                    Part::Second => small(12),
                    Part::Fraction => "5".to_owned(),
                });
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(one: &str, other: &str) -> Option<String> {
        let way = |text: &str| DateWay::of(text).unwrap_or_else(|| panic!("{text}"));
        read_differently(&way(one), &way(other))
    }

    #[test]
    fn ways_that_exchange_numbers_read_one_text_as_two_days() {
        for (one, other) in [
            ("%d/%m/%Y", "%m/%d/%Y"),
            ("%d.%m.%y", "%y.%m.%d"),
            ("%Y%m%d", "%d%m%Y"),
            ("%Y%m%d", "%y%m%d%H"),
            ("%Y-%m-%d", "%Y-%d-%m"),
            ("%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M"),
            ("%m/%d/%Y %H:%M", "%m/%d/%Y %M:%H"),
            ("%d %b %y", "%y %b %d"),
        ] {
            for (one, other) in [(one, other), (other, one)] {
                let text = found(one, other).unwrap_or_else(|| panic!("{one} {other}"));
                let read = |way: &str| date_written(&text, &DateWay::of(way).expect("a way"));
                assert!(read(one).is_some() && read(other).is_some(), "{text}");
                assert_ne!(read(one), read(other), "{text}");
            }
        }
        assert_eq!(found("%d/%m/%Y", "%m/%d/%Y").as_deref(), Some("02/01/2003"));
    }

    #[test]
    fn ways_with_other_signs_or_the_same_order_never_disagree() {
        for (one, other) in [
            ("%d.%m.%Y", "%m/%d/%Y"),
            ("%d/%m/%Y", "%d/%m/%Y %H:%M"),
            ("%d/%m/%Y", "%d/%m/%y"),
            ("%d/%m/%Y", "%e/%m/%Y"),
            ("%d %b %Y", "%d %B %Y"),
            ("%d/%m/%Y", "%d/%m/%Y"),
        ] {
            assert_eq!(found(one, other), None, "{one} {other}");
        }
    }
}
