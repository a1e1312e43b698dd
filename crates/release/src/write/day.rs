//! Days and moments as text: `2026-01-31`, `2026-01-31T12:00:00.000Z`.
//!
//! The proleptic Gregorian calendar, for every day that a column can hold; it must never read a clock or a time zone. It is
//! separate from the request's days because those end with year 9999. Read `csv.rs` next.

/// Returns `2026-01-31`; years beyond 9999 and before 0 carry their sign.
pub(crate) fn day_text(days: i32) -> String {
    let mut text = Vec::with_capacity(10);
    write_day(i64::from(days), &mut text);
    text.into_iter().map(char::from).collect()
}

/// Appends a day, in days since 1970.
pub(super) fn write_day(days: i64, text: &mut Vec<u8>) {
    // Years that start in March put the leap day last; 400 years have 146,097 days.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * of_era + of_era / 4 - of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era * 400 + of_era + i64::from(month <= 2);
    let of_month = of_year - (153 * march_month + 2) / 5 + 1;
    match year {
        0..=9999 => {}
        10_000.. => text.push(b'+'),
        _ => text.push(b'-'),
    }
    write_padded(year.unsigned_abs(), 4, text);
    text.push(b'-');
    write_padded(month.unsigned_abs(), 2, text);
    text.push(b'-');
    write_padded(of_month.unsigned_abs(), 2, text);
}

/// Whether moments are on the clock of a place or on everybody's.
#[derive(Clone, Copy)]
pub(super) enum Clock {
    /// No time zone.
    Local,
    /// Universal time.
    Universal,
}

/// Appends a moment, in units of which a second has `per_second`.
pub(super) fn write_moment(value: i64, per_second: i64, clock: Clock, text: &mut Vec<u8>) {
    let (seconds, fraction) = (value.div_euclid(per_second), value.rem_euclid(per_second));
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400).unsigned_abs());
    write_day(days, text);
    text.push(b'T');
    write_padded(of_day / 3600, 2, text);
    text.push(b':');
    write_padded(of_day / 60 % 60, 2, text);
    text.push(b':');
    write_padded(of_day % 60, 2, text);
    if per_second > 1 {
        text.push(b'.');
        write_padded(fraction.unsigned_abs(), per_second.ilog10() as usize, text);
    }
    match clock {
        Clock::Local => {}
        Clock::Universal => text.push(b'Z'),
    }
}

fn write_padded(number: u64, width: usize, text: &mut Vec<u8>) {
    let mut digits = [b'0'; 20];
    let (mut at, mut left) = (20, number);
    while left > 0 || 20 - at < width {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    text.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_names_to_the_ends_of_the_column() {
        assert_eq!(day_text(0), "1970-01-01");
        assert_eq!(day_text(-1), "1969-12-31");
        assert_eq!(day_text(11_016), "2000-02-29");
        assert_eq!(day_text(2_932_896), "9999-12-31");
        assert_eq!(day_text(2_932_897), "+10000-01-01");
        assert_eq!(day_text(i32::MAX), "+5881580-07-11");
        assert_eq!(day_text(i32::MIN), "-5877641-06-23");
    }

    #[test]
    fn moments_keep_every_digit_of_their_unit() {
        let text = |value, per_second, clock| {
            let mut text = Vec::new();
            write_moment(value, per_second, clock, &mut text);
            String::from_utf8(text).expect("text")
        };
        assert_eq!(text(0, 1, Clock::Local), "1970-01-01T00:00:00");
        assert_eq!(text(-1, 1000, Clock::Universal), "1969-12-31T23:59:59.999Z");
        assert_eq!(text(86_399_000_001, 1_000_000, Clock::Universal), "1970-01-01T23:59:59.000001Z");
        assert_eq!(text(i64::MIN, 1_000_000_000, Clock::Local), "1677-09-21T00:12:43.145224192");
    }
}
