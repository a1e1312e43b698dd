//! Numbers as the ticks of an axis show them: 0.01, 1, 250, 1k, 2M, 1e-9. It must never round a tick: a decimal comes
//! in as digits and an exponent, and its label says exactly that. It is separate because labels are decided for a whole
//! axis at once, so that 2015 and 2020 do not become 2.015k and 2.02k. Read `ruler.rs` next, which chooses the ticks.

/// An exact decimal: `digits * 10^exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decimal {
    pub digits: i64,
    pub exponent: i32,
}

/// Returns one label per tick, all written in the same manner.
pub(super) fn labels(ticks: &[Decimal]) -> Vec<String> {
    let ticks: Vec<Decimal> = ticks.iter().map(|tick| tick.reduced()).collect();
    let four_figures_only = ticks.iter().all(|tick| tick.magnitude() == 3);
    let short = !four_figures_only && ticks.iter().all(|tick| tick.decimals_when_abbreviated() <= 1);
    ticks.iter().map(|tick| if short { tick.abbreviated() } else { tick.plain() }).collect()
}

/// Returns a value in three significant digits, for prose.
pub(super) fn roughly(value: f64) -> String {
    let text = format!("{value:.2e}");
    let parsed = text.split_once('e').and_then(|(mantissa, exponent)| {
        let digits = mantissa.replace('.', "").parse::<i64>().ok()?;
        Some(Decimal { digits, exponent: exponent.parse::<i32>().ok()? - 2 })
    });
    match parsed {
        Some(decimal) => decimal.reduced().plain(),
        None => text,
    }
}

impl Decimal {
    /// The same number with the fewest digits.
    fn reduced(self) -> Decimal {
        let Decimal { mut digits, mut exponent } = self;
        if digits == 0 {
            return Decimal { digits: 0, exponent: 0 };
        }
        while digits % 10 == 0 {
            digits /= 10;
            exponent += 1;
        }
        Decimal { digits, exponent }
    }

    /// The exponent of the leading digit: 0 for 7, 2 for 700, -1 for 0.7.
    fn magnitude(self) -> i32 {
        if self.digits == 0 { 0 } else { self.digits.unsigned_abs().ilog10() as i32 + self.exponent }
    }

    /// The power of ten that an abbreviation stands for, and its letter. B is a thousand million.
    fn unit(self) -> (i32, &'static str) {
        match self.magnitude() {
            3..=5 => (3, "k"),
            6..=8 => (6, "M"),
            9..=11 => (9, "B"),
            _ => (0, ""),
        }
    }

    fn decimals_when_abbreviated(self) -> i32 {
        let (power, letter) = self.unit();
        if letter.is_empty() { 0 } else { (power - self.exponent).max(0) }
    }

    fn abbreviated(self) -> String {
        let (power, letter) = self.unit();
        let scaled = Decimal { digits: self.digits, exponent: self.exponent - power };
        format!("{}{letter}", scaled.plain())
    }

    /// Digits in full where that stays short, else with an exponent.
    fn plain(self) -> String {
        let sign = if self.digits < 0 { "-" } else { "" };
        let digits = self.digits.unsigned_abs().to_string();
        let magnitude = self.magnitude();
        if !(-3..12).contains(&magnitude) {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            return format!("{sign}{first}{point}{rest}e{magnitude}");
        }
        if self.exponent >= 0 {
            return format!("{sign}{digits}{}", "0".repeat(self.exponent as usize));
        }
        let decimals = self.exponent.unsigned_abs() as usize;
        let padded = format!("{digits:0>width$}", width = decimals + 1);
        let (whole, fraction) = padded.split_at(padded.len() - decimals);
        format!("{sign}{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(ticks: &[(i64, i32)]) -> String {
        let ticks: Vec<Decimal> = ticks.iter().map(|&(digits, exponent)| Decimal { digits, exponent }).collect();
        labels(&ticks).join(" ")
    }

    #[test]
    fn decades_read_as_plain_numbers() {
        assert_eq!(axis(&[(1, -2), (1, 0), (1, 2), (1, 4), (1, 6), (1, 9)]), "0.01 1 100 10k 1M 1B");
        assert_eq!(axis(&[(1, -30), (2, -5), (1, -3), (5, 12)]), "1e-30 2e-5 0.001 5e12");
    }

    #[test]
    fn halves_of_thousands_are_abbreviated() {
        assert_eq!(axis(&[(0, 2), (5, 2), (10, 2), (15, 2)]), "0 500 1k 1.5k");
        assert_eq!(axis(&[(-5, 3), (0, 3), (5, 3)]), "-5k 0 5k");
    }

    #[test]
    fn years_keep_their_four_figures() {
        assert_eq!(axis(&[(2015, 0), (2020, 0), (2025, 0)]), "2015 2020 2025");
        assert_eq!(axis(&[(19, 2), (20, 2), (21, 2)]), "1900 2000 2100");
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(axis(&[(0, -1), (3, -1), (12, -1)]), "0 0.3 1.2");
        assert_eq!(axis(&[(1_000_001, 0), (1_000_002, 0)]), "1000001 1000002");
        assert_eq!(axis(&[(15, -8)]), "1.5e-7");
    }

    #[test]
    fn prose_gets_three_significant_digits() {
        assert_eq!(roughly(1.0 / 3.0), "0.333");
        assert_eq!(roughly(1234.0), "1230");
        assert_eq!(roughly(-1.5e-30), "-1.5e-30");
        assert_eq!(roughly(0.0), "0");
        assert_eq!(roughly(0.9999), "1");
    }
}
