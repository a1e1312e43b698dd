//! A chance, and an error, as people read them.
//!
//! One style for plans, comparisons and reports: always per cent, larger chances never look smaller, and what is not
//! certain is never called 100 %; 0 % is none, or too little to have been summed. It is separate because screens and
//! reports must say the same. Read `words.rs` for sentences.

/// Returns a chance as people read it: 0 %, < 0.0001 %, 0.3 %, 12 %, 99.8 %, > 99.9 %; 100 % is certain.
pub fn percent(chance: f64) -> String {
    let hundredths = chance * 100.0;
    if !(chance > 0.0) {
        "0 %".into()
    } else if chance < 1e-6 {
        "< 0.0001 %".into()
    } else if chance < 0.1 {
        // Two digits that count.
        let places = (1.0 - hundredths.log10().floor()).max(0.0) as usize;
        let text = format!("{hundredths:.places$}");
        format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
    } else if chance < 0.99 {
        format!("{:.0} %", hundredths.round().min(99.0))
    } else if chance <= 0.999 {
        format!("{} %", (chance * 1000.0).floor() / 10.0)
    } else if chance < 1.0 {
        "> 99.9 %".into()
    } else {
        "100 %".into()
    }
}

/// Returns an error, or a chance that is no per cent, as people read it: 40, 1.1, 0.0021.
pub fn rounded(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor();
    if (-3.0..6.0).contains(&magnitude) {
        let places = if magnitude >= 2.0 { 0 } else { (1.0 - magnitude).max(0.0) as usize };
        let text = format!("{value:.places$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
    } else {
        format!("{value:.1e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_certainty_is_a_hundred_per_cent() {
        for (chance, said) in [
            (0.0, "0 %"),
            (5e-17, "< 0.0001 %"),
            (1e-6, "0.0001 %"),
            (0.00304, "0.3 %"),
            (0.0996, "10 %"),
            (0.124, "12 %"),
            (0.5, "50 %"),
            (0.9876, "99 %"),
            (0.9949, "99.4 %"),
            (0.998_76, "99.8 %"),
            (0.999_999, "> 99.9 %"),
            (1.0 - f64::EPSILON / 2.0, "> 99.9 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(percent(chance), said, "{chance}");
        }
    }

    #[test]
    fn larger_chances_never_look_smaller() {
        let value = |text: &str| {
            let number = text.trim_start_matches(['<', '>', ' ']).trim_end_matches(" %");
            let hair = if text.starts_with('<') {
                -1e-9
            } else if text.starts_with('>') {
                1e-9
            } else {
                0.0
            };
            number.parse::<f64>().expect("a number") + hair
        };
        let chances = (0..=200_000).map(|step| f64::from(step) / 200_000.0);
        let small = (0..1000).map(|step| 1e-9 * 1.02f64.powi(step)).filter(|chance| *chance < 1.0);
        let mut all: Vec<f64> = chances.chain(small).collect();
        all.sort_by(f64::total_cmp);
        for two in all.windows(2) {
            assert!(value(&percent(two[0])) <= value(&percent(two[1])), "{two:?}");
        }
    }
}
