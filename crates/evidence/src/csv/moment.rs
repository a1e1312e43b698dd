//! Moments as text: `2026-01-31T12:00:00.000Z`.
//!
//! For every moment that a column can hold; it must never read a clock or a time zone. It is separate from the moments
//! of the book because those are seconds. Read `csv.rs` next.

use incrowd_definition::calendar::{write_day, write_padded};

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

#[cfg(test)]
mod tests {
    use super::*;

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
