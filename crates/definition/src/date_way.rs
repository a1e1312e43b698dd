//! Days and moments that are written otherwise than 2026-11-18.
//!
//! A way to write them is matched from the first sign to the last. It must never take a text for a day that it could
//! also not say: where two numbers touch, both have all their digits. It is separate because requests, engines and
//! whoever looks at files ask the same of it. Read `date_way/two_days.rs` for ways that read one text as two days.

mod two_days;

pub use two_days::read_differently;

use crate::date::Date;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// How many letters of a month are its short name.
const SHORT: usize = 3;

/// Two digits are a year of this century below this number, and of the last one from it on.
const LAST_CENTURY: u16 = 69;

/// A way to write days or moments, such as `%d.%m.%Y %H:%M`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateWay(Vec<Item>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Sign(char),
    Part(Part, Width),
}

/// How many digits a part has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    /// It touches another number: all that it may have.
    All,
    /// As many as there are, up to all.
    Some,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Day,
    /// A day of the month whose first digit may be a blank.
    PaddedDay,
    Month,
    ShortMonth,
    LongMonth,
    Year,
    YearOfCentury,
    Hour,
    HourOfHalf,
    Half,
    Minute,
    Second,
    Fraction,
}

impl Part {
    fn of(letter: char) -> Option<Part> {
        Some(match letter {
            'd' => Part::Day,
            'e' => Part::PaddedDay,
            'm' => Part::Month,
            'b' => Part::ShortMonth,
            'B' => Part::LongMonth,
            'Y' => Part::Year,
            'y' => Part::YearOfCentury,
            'H' => Part::Hour,
            'I' => Part::HourOfHalf,
            'p' => Part::Half,
            'M' => Part::Minute,
            'S' => Part::Second,
            'f' => Part::Fraction,
            _ => return None,
        })
    }

    /// Returns how many digits it has at least and at most; nothing for a name.
    fn digits(self) -> Option<(usize, usize)> {
        match self {
            Part::ShortMonth | Part::LongMonth | Part::Half => None,
            Part::Year => Some((4, 4)),
            Part::YearOfCentury => Some((2, 2)),
            Part::Fraction => Some((1, 9)),
            Part::Day | Part::PaddedDay | Part::Month | Part::Hour | Part::HourOfHalf => Some((1, 2)),
            Part::Minute | Part::Second => Some((1, 2)),
        }
    }

    /// Returns which of the things that a way says once it says.
    fn says(self) -> Said {
        match self {
            Part::Day | Part::PaddedDay => Said::Day,
            Part::Month | Part::ShortMonth | Part::LongMonth => Said::Month,
            Part::Year | Part::YearOfCentury => Said::Year,
            Part::Hour | Part::HourOfHalf => Said::Hour,
            Part::Half => Said::Half,
            Part::Minute => Said::Minute,
            Part::Second => Said::Second,
            Part::Fraction => Said::Fraction,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Day,
    Month,
    Year,
    Hour,
    Half,
    Minute,
    Second,
    Fraction,
}

impl DateWay {
    /// Returns the way that a text of a request stands for; nothing if it does not say day, month and year once, says a
    /// part of the time without the one before it, or a half of the day without its hours or these without it.
    pub fn of(text: &str) -> Option<DateWay> {
        let mut items = Vec::new();
        let mut signs = text.chars();
        while let Some(sign) = signs.next() {
            items.push(match sign {
                '%' => match signs.next()? {
                    '%' => Item::Sign('%'),
                    letter => Item::Part(Part::of(letter)?, Width::Some),
                },
                sign => Item::Sign(sign),
            });
        }
        let parts: Vec<Part> = items.iter().filter_map(|item| item.part()).collect();
        let count = |said| parts.iter().filter(|part| part.says() == said).count();
        let is_dated = [Said::Day, Said::Month, Said::Year].into_iter().all(|said| count(said) == 1);
        let times = [Said::Hour, Said::Minute, Said::Second, Said::Fraction];
        let is_timed = times.into_iter().all(|said| count(said) <= 1)
            && times.windows(2).all(|pair| count(pair[0]) >= count(pair[1]));
        let is_halved = count(Said::Half) == usize::from(parts.contains(&Part::HourOfHalf));
        if !(is_dated && is_timed && is_halved) {
            return None;
        }
        let is_number = |place: Option<usize>| place.and_then(|place| items.get(place)).is_some_and(Item::is_number);
        let touches = |place: usize| is_number(place.checked_sub(1)) || is_number(place.checked_add(1));
        let wide = items.iter().enumerate().map(|(place, item)| match item {
            Item::Part(part, _) => Item::Part(*part, if touches(place) { Width::All } else { Width::Some }),
            Item::Sign(sign) => Item::Sign(*sign),
        });
        Some(DateWay(wide.collect()))
    }
}

impl Item {
    fn part(&self) -> Option<Part> {
        match self {
            Item::Part(part, _) => Some(*part),
            Item::Sign(_) => None,
        }
    }

    fn is_number(&self) -> bool {
        match self {
            Item::Part(part, _) => part.digits().is_some(),
            Item::Sign(sign) => sign.is_ascii_digit(),
        }
    }
}

/// Returns the day or moment that a text says, as `2026-11-18` or `2026-11-18T23:05:00`; nothing if the way does not
/// fit all of it, or if the calendar has no such day.
///
/// Days, months, hours, minutes and seconds have one digit or two, years four, or two: from 69 on of the last century.
/// Names of months are English, in any case.
pub fn date_written(text: &str, way: &DateWay) -> Option<String> {
    let mut found = Found::default();
    let mut rest = text;
    for item in &way.0 {
        rest = match item {
            Item::Sign(sign) => rest.strip_prefix(*sign)?,
            Item::Part(part, width) => found.take(*part, *width, rest)?,
        };
    }
    if !rest.is_empty() {
        return None;
    }
    found.text()
}

#[derive(Default)]
struct Found<'t> {
    year: u16,
    month: u8,
    day: u8,
    hour: Option<u8>,
    half: Option<u8>,
    minute: u8,
    second: u8,
    fraction: Option<&'t str>,
}

impl<'t> Found<'t> {
    /// Takes a part from the beginning of a text and returns what is left of it.
    fn take(&mut self, part: Part, width: Width, text: &'t str) -> Option<&'t str> {
        let Some((least, most)) = part.digits() else { return self.take_name(part, text) };
        let padded = if part == Part::PaddedDay { text.strip_prefix(' ') } else { None };
        // The blank stands for one of two digits.
        let (text, least, most) = padded.map_or((text, least, most), |text| (text, 1, 1));
        let least = if width == Width::All && part != Part::Fraction && padded.is_none() { most } else { least };
        let length = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
        if length < least {
            return None;
        }
        let (digits, rest) = text.split_at(length);
        let small = || digits.parse::<u8>().ok();
        match part {
            Part::Day | Part::PaddedDay => self.day = small()?,
            Part::Month => self.month = small()?,
            Part::Year => self.year = digits.parse().ok()?,
            Part::YearOfCentury => {
                let year: u16 = digits.parse().ok()?;
                self.year = year + if year < LAST_CENTURY { 2000 } else { 1900 };
            }
            Part::Hour => self.hour = Some(small().filter(|hour| *hour < 24)?),
            Part::HourOfHalf => self.hour = Some(small().filter(|hour| (1..=12).contains(hour))? % 12),
            Part::Minute => self.minute = small().filter(|minute| *minute < 60)?,
            Part::Second => self.second = small().filter(|second| *second < 60)?,
            Part::Fraction => self.fraction = Some(digits),
            Part::ShortMonth | Part::LongMonth | Part::Half => return None,
        }
        Some(rest)
    }

    fn take_name(&mut self, part: Part, text: &'t str) -> Option<&'t str> {
        let begins = |name: &str| text.get(..name.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(name));
        let length = match part {
            Part::Half => {
                self.half = Some(if begins("am") { 0 } else { begins("pm").then_some(12)? });
                2
            }
            Part::ShortMonth | Part::LongMonth => {
                let name = |month: &'static str| if part == Part::LongMonth { month } else { &month[..SHORT] };
                let place = MONTHS.iter().position(|month| begins(name(month)))?;
                self.month = u8::try_from(place + 1).ok()?;
                name(MONTHS[place]).len()
            }
            Part::Day
            | Part::PaddedDay
            | Part::Month
            | Part::Year
            | Part::YearOfCentury
            | Part::Hour
            | Part::HourOfHalf
            | Part::Minute
            | Part::Second
            | Part::Fraction => return None,
        };
        text.get(length..)
    }

    fn text(&self) -> Option<String> {
        let day = Date::new(self.year, self.month, self.day)?;
        let Some(hour) = self.hour else { return Some(day.to_string()) };
        let hour = hour + self.half.unwrap_or(0);
        let fraction = self.fraction.map(|digits| format!(".{digits}")).unwrap_or_default();
        Some(format!("{day}T{hour:02}:{:02}:{:02}{fraction}", self.minute, self.second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(text: &str, way: &str) -> Option<String> {
        date_written(text, &DateWay::of(way).unwrap_or_else(|| panic!("{way} is no way")))
    }

    #[test]
    fn days_and_moments_are_read_in_many_ways() {
        for (text, way, expected) in [
            ("18.11.2026", "%d.%m.%Y", "2026-11-18"),
            ("1.2.2026", "%d.%m.%Y", "2026-02-01"),
            ("11/18/26", "%m/%d/%y", "2026-11-18"),
            ("01/01/69", "%m/%d/%y", "1969-01-01"),
            ("01/01/68", "%m/%d/%y", "2068-01-01"),
            ("01/01/00", "%m/%d/%y", "2000-01-01"),
            ("01/01/99", "%m/%d/%y", "1999-01-01"),
            ("20261118", "%Y%m%d", "2026-11-18"),
            ("18-Nov-2026", "%d-%b-%Y", "2026-11-18"),
            ("18-NOV-2026", "%d-%b-%Y", "2026-11-18"),
            ("november 5, 2026", "%B %d, %Y", "2026-11-05"),
            ("May 5 2026", "%b %e %Y", "2026-05-05"),
            ("May  5 2026", "%b %e %Y", "2026-05-05"),
            ("18.11.2026 23:05", "%d.%m.%Y %H:%M", "2026-11-18T23:05:00"),
            ("18.11.2026 9:05:07", "%d.%m.%Y %H:%M:%S", "2026-11-18T09:05:07"),
            ("18.11.2026 9:05:07,250", "%d.%m.%Y %H:%M:%S,%f", "2026-11-18T09:05:07.250"),
            ("11/18/2026 12:05 AM", "%m/%d/%Y %I:%M %p", "2026-11-18T00:05:00"),
            ("11/18/2026 12:05 pm", "%m/%d/%Y %I:%M %p", "2026-11-18T12:05:00"),
            ("11/18/2026 01 PM", "%m/%d/%Y %I %p", "2026-11-18T13:00:00"),
            ("20261118230507", "%Y%m%d%H%M%S", "2026-11-18T23:05:07"),
            ("29.02.2024", "%d.%m.%Y", "2024-02-29"),
            ("100% 18.11.2026", "100%% %d.%m.%Y", "2026-11-18"),
        ] {
            assert_eq!(written(text, way).as_deref(), Some(expected), "{text} {way}");
        }
    }

    #[test]
    fn what_does_not_fit_as_a_whole_is_no_day() {
        for (text, way) in [
            ("", "%d.%m.%Y"),
            ("18.11.2026 ", "%d.%m.%Y"),
            (" 18.11.2026", "%d.%m.%Y"),
            ("18.11.26", "%d.%m.%Y"),
            ("18.11.02026", "%d.%m.%Y"),
            ("18.11.2026", "%d.%m.%y"),
            ("018.11.2026", "%d.%m.%Y"),
            ("31.02.2026", "%d.%m.%Y"),
            ("29.02.2026", "%d.%m.%Y"),
            ("00.11.2026", "%d.%m.%Y"),
            ("18.13.2026", "%d.%m.%Y"),
            ("18.11.0000", "%d.%m.%Y"),
            ("+8.11.2026", "%d.%m.%Y"),
            ("١٨.11.2026", "%d.%m.%Y"),
            ("2026111", "%Y%m%d"),
            ("18. 1.2026", "%d.%m.%Y"),
            ("18-Nov-2026", "%d-%B-%Y"),
            ("18-November-2026", "%d-%b-%Y"),
            ("18-Növ-2026", "%d-%b-%Y"),
            ("18.11.2026 24:00", "%d.%m.%Y %H:%M"),
            ("18.11.2026 23:60", "%d.%m.%Y %H:%M"),
            ("18.11.2026 23:59:60", "%d.%m.%Y %H:%M:%S"),
            ("11/18/2026 13:05 PM", "%m/%d/%Y %I:%M %p"),
            ("11/18/2026 00:05 AM", "%m/%d/%Y %I:%M %p"),
            ("18.11.2026 23:05:07.1234567890", "%d.%m.%Y %H:%M:%S.%f"),
        ] {
            assert_eq!(written(text, way), None, "{text} {way}");
        }
    }

    #[test]
    fn a_way_that_does_not_say_a_day_is_none() {
        for way in [
            "",
            "%d.%m",
            "%d.%m.%Y %d",
            "%d.%m.%b.%Y",
            "%d.%m.%y%Y",
            "%Q",
            "%d.%m.%Y %I:%M",
            "%d.%m.%Y %H:%M %p",
            "%d.%m.%Y %M",
            "%d.%m.%Y %H:%S",
            "%d.%m.%Y %H:%M:%S.%f%f",
            "%d.%m.%Y %",
        ] {
            assert_eq!(DateWay::of(way), None, "{way}");
        }
    }

    proptest! {
        #[test]
        fn every_day_is_found_again(number in -719_162i64..=2_932_896, way in prop::sample::select(vec!["%d.%m.%Y", "%Y%m%d", "%d-%b-%Y", "%B %e, %Y", "%Y/%m/%d"])) {
            let iso = Date::from_day_number(number).expect("a day").to_string();
            let (year, month, day) = (&iso[..4], &iso[5..7], &iso[8..]);
            let long = MONTHS[month.parse::<usize>().expect("a month") - 1];
            let text = way.replace("%Y", year).replace("%m", month).replace("%d", day)
                .replace("%e", day.trim_start_matches('0')).replace("%b", &long[..3]).replace("%B", long);
            prop_assert_eq!(written(&text, way), Some(iso));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,16}", way in prop::sample::select(vec!["%d.%m.%Y", "%Y%m%d%H%M%S", "%d-%b-%y", "%B %e, %Y %I%p"])) {
            let _ = written(&text, way);
        }
    }
}
