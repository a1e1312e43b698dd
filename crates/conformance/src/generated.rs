//! Tables and questions that nobody thought of, the same for everybody who names the same seed.
//!
//! What they count is not known here: two engines are asked, and must agree. It must never draw from anything but its
//! seed. It is separate from the cases because those have counts of their own. Read `generated/questions.rs` for what
//! is asked, `case.rs` for the cases.

mod questions;

use crate::table::{CaseColumn, CaseTable};
use crate::value::{CaseValue, read_type};
use incrowd_engine::{Query, RowType};
use incrowd_release::query::query;
use incrowd_release::request::Request;
use std::path::Path;

/// A question about a generated table; its location is to be replaced.
pub struct GeneratedQuestion {
    /// The request as a user would write it.
    pub request: String,
    /// The question.
    pub query: Query,
}

/// Returns a table of so many rows.
pub fn generated_table(seed: u64, rows: usize) -> CaseTable {
    let mut draws = Draws(seed);
    let columns = COLUMNS.iter().map(|(name, kind)| {
        let kind = read_type(kind).expect("a type");
        let values = (0..rows).map(|_| value(&mut draws, name, &kind)).collect();
        CaseColumn { name: (*name).to_owned(), kind, values }
    });
    CaseTable { name: format!("generated-{seed}"), columns: columns.collect() }
}

/// Returns a question about generated tables.
pub fn generated_question(seed: u64) -> GeneratedQuestion {
    let text = questions::request(&mut Draws(seed ^ 0x5DEE_CE66_D1CE_4E5B));
    let request = Request::parse(&text).unwrap_or_else(|error| panic!("{text}\n{}", error.message()));
    let mut query = query(&request, Path::new("")).unwrap_or_else(|refusal| panic!("{text}\n{refusal}"));
    query.bounding_key = "a generated key".into();
    GeneratedQuestion { request: text, query }
}

/// The columns of every generated table.
const COLUMNS: [(&str, &str); 16] = [
    ("row", "integer"),
    ("who", "text"),
    ("number", "integer"),
    ("town", "text"),
    ("n", "integer"),
    ("huge", "integer"),
    ("f", "number"),
    ("d", "decimal(12,3)"),
    ("wide", "decimal(38,0)"),
    ("b", "boolean"),
    ("day", "date"),
    ("m", "timestamp(us)"),
    ("z", "timestamp(us,UTC)"),
    ("w", "integer"),
    ("part", "text"),
    ("Odd \"name\"; --", "text"),
];

/// Texts that are easily taken for each other, or for something else.
pub(crate) const TEXTS: [&str; 24] = [
    "",
    "Aarau",
    "aarau",
    "AARAU",
    "Aarau ",
    " Aarau",
    "Zürich",
    "Zu\u{308}rich",
    "Zurich",
    "ß",
    "ss",
    "é",
    "e\u{301}",
    "a'b",
    "a\"b",
    "a\\b",
    "a%b",
    "a_b",
    "'; DROP TABLE x; --",
    "😀",
    "日本",
    "t1:x",
    "n0:",
    "\tTab\n",
];

/// Days around ends and changes of clocks.
const DAYS: [i32; 14] =
    [0, -1, 20_484, 20_485, 20_541, 20_542, 19_722, 19_723, 11_016, 11_017, -25_567, -719_162, 2_932_896, 10_956];

/// A generator that everybody can write: splitmix64.
pub(crate) struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Below a limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    pub(crate) fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}

fn value(draws: &mut Draws, name: &str, kind: &RowType) -> CaseValue {
    if name != "row" && draws.one_in(9) {
        return CaseValue::Missing;
    }
    match (name, kind) {
        // Few people, so that each has many rows.
        ("who", _) => CaseValue::Text(match draws.below(12) {
            few @ 0..7 => format!("p{few}"),
            other => TEXTS[other + 8].to_owned(),
        }),
        ("number", _) => CaseValue::Integer(draws.below(9) as i64 - 3),
        ("part", _) => CaseValue::Text(draws.one_of(&["north", "south", "North", "north "]).to_owned()),
        ("n", _) => CaseValue::Integer(draws.below(120) as i64 - 10),
        ("w", _) => CaseValue::Integer(draws.one_of(&[0, 1, 2, 3, -5, 1_000_000_007, i64::MAX])),
        (_, RowType::Text) => CaseValue::Text(draws.one_of(&TEXTS).to_owned()),
        (_, RowType::Integer) => {
            let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX, 1 << 53, (1 << 53) + 1];
            CaseValue::Integer(if draws.one_in(2) { draws.one_of(&ends) } else { draws.next() as i64 })
        }
        (_, RowType::Number) => CaseValue::Number(number(draws)),
        (_, RowType::Decimal { precision, .. }) => {
            let end = 10i128.pow(u32::from(*precision)) - 1;
            let small = draws.below(4_000) as i128 - 1_000;
            CaseValue::Decimal(draws.one_of(&[small, small, small * 10, small * 100, end, -end, 0]))
        }
        (_, RowType::Boolean) => CaseValue::Boolean(draws.one_in(2)),
        (_, RowType::Date) => {
            let near = 20_400 + draws.below(300) as i32;
            CaseValue::Date(if draws.one_in(3) { draws.one_of(&DAYS) } else { near })
        }
        (_, RowType::Timestamp { .. }) => {
            let day = if draws.one_in(3) { draws.one_of(&DAYS) } else { 20_400 + draws.below(300) as i32 };
            let seconds = draws.one_of(&[0i64, -1, 1, 3_599, 3_600, 43_200, 82_800, 86_399]);
            let fraction = draws.one_of(&[0i64, 0, 1, 999_999]);
            CaseValue::Timestamp((i64::from(day) * 86_400 + seconds) * 1_000_000 + fraction)
        }
        (_, RowType::Unsigned | RowType::Null | RowType::Foreign(_)) => CaseValue::Missing,
    }
}

fn number(draws: &mut Draws) -> f64 {
    let odd = [
        f64::NAN,
        -0.0,
        0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.1 + 0.2,
        0.3,
        0.30000000000000004,
        5e-324,
        f64::MAX,
        -f64::MAX,
        1.0 / 3.0,
        0.7,
        0.7f64.next_down(),
        1e16,
    ];
    match draws.below(3) {
        0 => draws.one_of(&odd),
        1 => draws.below(2_000) as f64 / 1_000.0 - 0.5,
        _ => f64::from_bits(draws.next()),
    }
}
