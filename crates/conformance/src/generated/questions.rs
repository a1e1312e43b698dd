//! Requests about generated tables, put together of parts that are each what somebody may ask.
//!
//! Some parts a server can count, others it cannot: both must be counted alike in the end. It must never make a request
//! that is refused. It is separate from the tables because it writes text. Read `../generated.rs` for who asks.

use super::{Draws, TEXTS};
use serde_json::Value as Json;

/// Returns a request.
pub(super) fn request(draws: &mut Draws) -> String {
    match draws.below(10) {
        0 => pairs(draws),
        1 | 2 => series(draws),
        _ => histogram(draws),
    }
}

const LAST: &str = "[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n\
                    [ledger]\ndataset = \"cases\"\n";

fn histogram(draws: &mut Draws) -> String {
    let unit = match draws.below(5) {
        0 => "people = \"w\"\n".to_owned(),
        1 | 2 => {
            let column = draws.one_of(&["who", "number", "day", "d", "b", "f", "m", "z", "huge"]);
            format!("person = \"{column}\"\nbins-per-person = {}\n", 1 + draws.below(4))
        }
        _ => String::new(),
    };
    let zone = draws.one_of(&["", "", "", "", "timezone = \"Europe/Zurich\"\n", "timezone = \"America/New_York\"\n"]);
    let data =
        format!("release = \"histogram\"\n[data]\nsource = \"x\"\n{unit}{zone}{}{}", condition(draws), split(draws));
    let bins: String = (0..1 + draws.below(2)).map(|place| bin(draws, place)).collect();
    format!("{data}{bins}{LAST}")
}

fn pairs(draws: &mut Draws) -> String {
    let (item, person) = (draws.one_of(&["town", "n", "b", "day", "part"]), draws.one_of(&["who", "number"]));
    let condition = condition(draws);
    let pairs = 1 + draws.below(6);
    format!(
        "release = \"histogram\"\n[data]\nsource = \"x\"\nperson = \"{person}\"\nbins-per-person = {pairs}\n{condition}\
         [[bins]]\nname = \"item\"\ncolumn = \"{item}\"\nitems = \"pairs\"\n{LAST}"
    )
}

fn series(draws: &mut Draws) -> String {
    let unit = match draws.below(3) {
        0 => String::new(),
        1 => "people = \"w\"\n".to_owned(),
        _ => format!("person = \"who\"\nbins-per-person = {}\n", 1 + draws.below(3)),
    };
    let (mode, column) = (draws.one_of(&["per-period", "cumulative"]), draws.one_of(&["day", "day", "m", "z"]));
    let (condition, bin) = (condition(draws), bin(draws, 0));
    format!(
        "release = \"series\"\n[data]\nsource = \"x\"\n{unit}{condition}{bin}\
         [series]\nperiod = {{ column = \"{column}\", truncate = \"month\" }}\nmode = \"{mode}\"\npeople = \"many\"\n\
         from = 2025-12-01\nup-to = 2026-06-30\n{LAST}"
    )
}

fn condition(draws: &mut Draws) -> String {
    let mut test = one_condition(draws);
    for _ in 0..draws.below(3) {
        let joined = draws.one_of(&["and", "or", "and not", "or not"]);
        test = format!("({test}) {joined} ({})", one_condition(draws));
    }
    if draws.one_in(3) { format!("where = {}\n", written(&test)) } else { String::new() }
}

fn one_condition(draws: &mut Draws) -> String {
    let comparison = draws.one_of(&["=", "<>", "<", "<=", ">", ">=", "is distinct from"]);
    let text = quoted(draws.one_of(&TEXTS));
    match draws.below(16) {
        0 => format!("town {comparison} {text}"),
        1 => format!("town in ({text}, 'Aarau', 'ß')"),
        2 => "town is null".into(),
        3 => format!("n {comparison} {}", draws.below(120)),
        4 => format!("n between {} and {}", draws.below(30), 30 + draws.below(60)),
        5 => format!("d {comparison} {}", draws.one_of(&["0.5", "-1", "1.001", "1", "0.0005"])),
        6 => format!("f {comparison} {}", draws.one_of(&["0.3", "0.1e0", "0", "0.7e0", "5e-324"])),
        7 => "b".into(),
        8 => "b is not true".into(),
        9 => format!("day {comparison} date '2026-01-31'"),
        10 => format!("m {comparison} '2026-01-31T23:00:00'"),
        11 => format!("town like {}", draws.one_of(&["'A%'", "'%a%'", "'_arau'", "'a_b'", "'%'", "''"])),
        12 => format!("huge {comparison} {}", draws.one_of(&["9223372036854775807", "0", "9007199254740993"])),
        13 => format!("wide {comparison} {}", draws.one_of(&["99999999999999999999999999999999999999", "0", "7"])),
        14 => format!("coalesce(town, part) {comparison} {text}"),
        // What a server is not asked.
        _ => draws.one_of(&["length(town) > 2", "n + 1 > 20", "upper(town) = 'AARAU'", "town ilike 'a%'"]).into(),
    }
}

fn split(draws: &mut Draws) -> String {
    match draws.below(8) {
        0 => "[data.split]\ncolumn = \"part\"\npart = \"north\"\n".into(),
        1 => "[data.split]\ncolumn = \"number\"\npart = 2\n".into(),
        _ => String::new(),
    }
}

fn bin(draws: &mut Draws, place: usize) -> String {
    let listed = || {
        let texts: Vec<String> = ["Aarau", "aarau", "Zürich", "ß", "a'b", "a\\b", "Aarau ", "😀"].map(written).to_vec();
        format!("values = [{}]", texts.join(", "))
    };
    let (cut, may_have_others) = match draws.below(17) {
        0 => (format!("column = \"town\"\n{}", listed()), true),
        1 => ("column = \"town\"".into(), false),
        2 => ("column = \"n\"\nedges = [0, 7, 13.5, 50, 99]".into(), true),
        3 => ("column = \"n\"\nvalues = [1, 2, 3, 5, 8, 13, 21, 34]".into(), true),
        4 => ("column = \"n\"\nfrom = 0\nto = 100\nwidth = 10".into(), true),
        5 => ("column = \"huge\"\nedges = [-9223372036854775808, -1, 0, 9223372036854775807]".into(), true),
        6 => ("column = \"f\"\nedges = [-1, 0, 0.1, 0.3, 0.7, 1, 10]".into(), true),
        7 => ("column = \"f\"".into(), false),
        8 => ("column = \"d\"\nedges = [-1, 0, 0.0005, 0.5, 1.001, 3]".into(), true),
        9 => ("column = \"d\"\nfrom = 0\nto = 3\nwidth = 0.1".into(), true),
        10 => ("column = \"wide\"".into(), false),
        11 => ("column = \"b\"\nvalues = [false, true]".into(), true),
        12 => {
            let unit = draws.one_of(&["day", "week", "month", "year"]);
            (format!("column = \"day\"\ntruncate = \"{unit}\""), false)
        }
        13 => ("column = \"day\"\ntruncate = \"month\"\nfrom = 2025-11-01\nto = 2026-08-01".into(), false),
        14 => {
            let column = draws.one_of(&["m", "z"]);
            (format!("column = \"{column}\"\ntruncate = \"day\"\nfrom = 2026-01-20\nto = 2026-04-10"), false)
        }
        15 => (format!("column = {}", written("Odd \"name\"; --")), false),
        _ => {
            let expression = draws.one_of(&[
                "case when n < 18 then 'young' when n is null then town else part end",
                "coalesce(part, town)",
                "nullif(town, 'Aarau')",
                "n > 17",
                "date_trunc('quarter', day)",
                "lower(town)",
            ]);
            (format!("expression = {}", written(expression)), false)
        }
    };
    let other = if may_have_others && draws.one_in(2) { "other = true\n" } else { "" };
    let nulls = if draws.one_in(2) { "nulls = \"bin\"\n" } else { "" };
    format!("[[bins]]\nname = \"bin{place}\"\n{cut}\n{other}{nulls}")
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A text in quotes: what JSON escapes, TOML reads.
fn written(text: &str) -> String {
    Json::from(text).to_string()
}
