//! Random texts and damaged requests: refused or accepted, never a panic.
//!
//! It must never need a special case for its own input. It is separate because it runs thousands of texts. Read
//! `../error.rs` for what they end in.

use super::super::{Colour, Request};
use super::examples;
use proptest::prelude::*;

fn read_and_show(text: &str) {
    match Request::parse(text) {
        Ok(request) => {
            assert_eq!(request.request_hash().len(), 64);
            assert_eq!(request.binning_hash(None).len(), 64);
            request.cells();
        }
        Err(error) => {
            let shown = error.render("request.toml", text, Colour::Plain);
            assert!(shown.starts_with("error: ") && shown.len() < 4000, "{shown}");
            assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read_and_show(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_text_never_panics(text in "\\PC{0,200}") {
        read_and_show(&text);
    }

    #[test]
    fn damaged_requests_never_panic(
        which in any::<prop::sample::Index>(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..20, "[ -~\n\u{e9}]{0,6}"), 1..6),
    ) {
        let all = examples::all();
        let mut text: Vec<char> = all[which.index(all.len())].chars().collect();
        for (at, removed, added) in edits {
            let start = at.index(text.len() + 1);
            let end = (start + removed).min(text.len());
            text.splice(start..end, added.chars());
        }
        read_and_show(&text.into_iter().collect::<String>());
    }

    #[test]
    fn swapped_values_never_panic(
        which in any::<prop::sample::Index>(),
        line in any::<prop::sample::Index>(),
        value in prop::sample::select(vec![
            "nan", "-inf", "1e400", "\"1/0\"", "[]", "[[]]", "{}", "\"\"", "true", "2020-02-29", "10:00:00", "-1", "0x1F",
            "1e300", "\"infinite\"", "[\"infinite\"]", "9223372036854775808", "1e-300", "[1, 1]", "\"\\u0000\"", "0001-01-01",
            "9999-12-31", "1_000_000_000_000", "[0, 1e300]", "[-1e300, 1e300]", "\"1e300/1e-300\"",
        ]),
    ) {
        let all = examples::all();
        let lines: Vec<&str> = all[which.index(all.len())].lines().collect();
        let chosen = line.index(lines.len());
        let changed = lines.iter().enumerate().map(|(index, line)| match line.split_once(" = ") {
            Some((key, _)) if index == chosen => format!("{key} = {value}\n"),
            Some(_) | None => format!("{line}\n"),
        });
        read_and_show(&changed.collect::<String>());
    }
}
