//! A share that somebody names: `5%`.
//!
//! It must never let a number through that is no share, NaN among them. It is separate because arguments are read
//! before anything is looked at. Read `check/verdict.rs` for what it decides.

/// A share of people or of their bins, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share(u64);

impl Share {
    /// Of the people, who may be lost unless more is allowed.
    pub const USUALLY_LOST: Share = Share(50_000);
    /// Of the bins that people are in, what may be cut unless more is allowed.
    pub const USUALLY_CUT: Share = Share(200_000);

    /// Reads `5%`, `5 %`, `0.5%` or `0.05`.
    pub fn parse(text: &str) -> Result<Share, String> {
        let wrong = || "a share such as 5% or 0.05, from 0 to 1".to_owned();
        let (digits, most) = match text.trim().strip_suffix('%') {
            Some(digits) => (digits.trim(), 100.0),
            None => (text.trim(), 1.0),
        };
        let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number: f64 = digits.parse().ok().filter(|_| is_plain).ok_or_else(wrong)?;
        if !(number <= most) {
            return Err(wrong());
        }
        Ok(Share((number / most * 1e6).round() as u64))
    }

    /// Whether so many of so many are more than this share.
    pub fn is_exceeded_by(self, some: u64, all: u64) -> bool {
        u128::from(some) * 1_000_000 > u128::from(self.0) * u128::from(all)
    }

    /// Returns it as a number from 0 to 1, to be shown.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_read_in_the_ways_people_write_it() {
        for (text, millionths) in
            [("5%", 50_000), ("5 %", 50_000), ("0.5%", 5_000), ("0.05", 50_000), ("0", 0), ("1", 1_000_000)]
        {
            assert_eq!(Share::parse(text), Ok(Share(millionths)), "{text}");
        }
        for text in ["", "%", "five", "-1%", "101%", "2", "nan", "inf", "1e-3"] {
            assert!(Share::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_usual_is_what_the_options_have_by_default() {
        use clap::Parser;
        let Ok(crate::args::Arguments { command: crate::args::Command::Check(check), .. }) =
            crate::args::Arguments::try_parse_from(["incrowd", "check", "request.toml"])
        else {
            panic!("a command")
        };
        assert_eq!((check.most_lost, check.most_cut), (Share::USUALLY_LOST, Share::USUALLY_CUT));
    }

    #[test]
    fn exactly_the_share_is_still_allowed() {
        let share = Share::parse("5%").expect("a share");
        assert!(!share.is_exceeded_by(5, 100));
        assert!(share.is_exceeded_by(6, 100));
        assert!(!share.is_exceeded_by(0, 0));
        assert!(share.is_exceeded_by(u64::MAX, u64::MAX));
    }
}
