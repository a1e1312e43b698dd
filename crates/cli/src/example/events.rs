//! Made-up events: searches in a library, purchases in a shop, accidents in a city, births in a country.
//!
//! A few things are frequent and many are rare, as everywhere; it must never read anything. It is separate from
//! `people.rs` because here a person has many rows, or a row stands for many people. Read
//! `examples/keywords/request.toml` for what is published of them.

use super::made_up::MadeUpNumbers;
use std::fmt::Write;

/// Words that readers search for, the most frequent first.
const KEYWORDS: [&str; 40] = [
    "tax",
    "garden",
    "history",
    "novel",
    "travel",
    "cooking",
    "chess",
    "gardening",
    "climate",
    "poetry",
    "bicycle",
    "knitting",
    "guitar",
    "pension",
    "divorce",
    "birds",
    "sailing",
    "astronomy",
    "beekeeping",
    "opera",
    "calligraphy",
    "origami",
    "mushrooms",
    "esperanto",
    "bankruptcy",
    "tattoo",
    "fencing",
    "falconry",
    "lace",
    "alchemy",
    "hieroglyphs",
    "bagpipe",
    "curling",
    "phrenology",
    "heraldry",
    "numismatics",
    "dowsing",
    "taxidermy",
    "glassblowing",
    "campanology",
];

/// Things by rank, the second half as frequent as the first, the third a third.
fn ranked<'a>(things: &[&'a str]) -> Vec<(&'a str, u64)> {
    things.iter().zip(1u64..).map(|(thing, rank)| (*thing, 100_000 / rank)).collect()
}

/// A quarter of searches in a library: most readers search for a few words, some of them again and again.
pub fn searches() -> String {
    let mut text = String::from("reader,keyword,day\n");
    let (keywords, mut chance) = (ranked(&KEYWORDS), MadeUpNumbers::of(9_000));
    for reader in 1..=9_000 {
        let favourite = chance.pick(&keywords);
        for _ in 0..1 + chance.below(5) {
            let keyword = if chance.below(3) == 0 { favourite } else { chance.pick(&keywords) };
            let (month, day) = (1 + chance.below(3), 1 + chance.below(28));
            let _ = writeln!(text, "R{reader:05},{keyword},2026-{month:02}-{day:02}");
        }
    }
    text
}

/// What is often bought together, and how often somebody comes for it.
const MEALS: [(&[&str], u64); 9] = [
    (&["bread", "butter", "milk"], 30),
    (&["pasta", "tomatoes", "cheese"], 25),
    (&["coffee", "milk", "sugar"], 18),
    (&["beer", "crisps"], 14),
    (&["rice", "onions", "chicken"], 12),
    (&["flour", "eggs", "sugar", "butter"], 10),
    (&["tea", "lemons"], 8),
    (&["nappies", "wipes"], 6),
    (&["candles", "wine", "cheese"], 4),
];
/// What is bought besides, the most frequent first.
const ARTICLES: [&str; 30] = [
    "bananas",
    "apples",
    "yoghurt",
    "water",
    "soap",
    "potatoes",
    "carrots",
    "salad",
    "juice",
    "chocolate",
    "biscuits",
    "toothpaste",
    "batteries",
    "honey",
    "jam",
    "mustard",
    "vinegar",
    "olives",
    "walnuts",
    "tofu",
    "saffron",
    "horseradish",
    "quince jelly",
    "shoe polish",
    "mousetrap",
    "birdseed",
    "piping bag",
    "oyster knife",
    "wig glue",
    "moth balls",
];

/// A shop: each customer comes for one meal, and takes something besides.
pub fn purchases() -> String {
    let mut text = String::from("customer,article\n");
    let (articles, mut chance) = (ranked(&ARTICLES), MadeUpNumbers::of(15_000));
    for customer in 1..=15_000 {
        for article in chance.pick(&MEALS).iter() {
            let _ = writeln!(text, "C{customer:05},{article}");
        }
        for _ in 0..chance.below(3) {
            let _ = writeln!(text, "C{customer:05},{}", chance.pick(&articles));
        }
    }
    text
}

/// Where a city's streets are, in thousandths of a degree: from, to, and how often something happens there.
const STREETS: [([i64; 4], u64); 7] = [
    ([8_410, 47_380, 8_630, 47_380], 22),
    ([8_520, 47_310, 8_520, 47_450], 22),
    ([8_440, 47_330, 8_600, 47_430], 14),
    ([8_460, 47_340, 8_580, 47_340], 10),
    ([8_580, 47_340, 8_580, 47_420], 10),
    ([8_580, 47_420, 8_460, 47_420], 10),
    ([8_460, 47_420, 8_460, 47_340], 10),
];

/// A city: a cross of main roads, a diagonal, and a ring; hardly anything happens between them.
pub fn accidents() -> String {
    let mut text = String::from("lng,lat\n");
    let mut chance = MadeUpNumbers::of(16_000);
    for _ in 0..16_000 {
        let ([west, south, east, north], along) = (chance.pick(&STREETS), chance.below(1_001).cast_signed());
        // In ten-thousandths of a degree, a hundred metres or so to either side.
        let lng = west * 10 + (east - west) * along / 100 + chance.around(12);
        let lat = south * 10 + (north - south) * along / 100 + chance.around(12);
        let _ = writeln!(text, "{}.{:04},{}.{:04}", lng / 10_000, lng % 10_000, lat / 10_000, lat % 10_000);
    }
    text
}

/// Names that children get: in the first year, and by how many more or fewer each year.
const NAMES: [(&str, u64, i64); 16] = [
    ("Emma", 1_900, -20),
    ("Noah", 1_450, 45),
    ("Mia", 1_200, 15),
    ("Liam", 900, 60),
    ("Anna", 1_300, -35),
    ("Luca", 800, 10),
    ("Sofia", 650, 20),
    ("Elias", 300, 30),
    ("Ida", 60, 12),
    ("Jan", 520, -20),
    ("Zoe", 210, 5),
    ("Levi", 30, 14),
    ("Ursula", 90, -5),
    ("Merlin", 20, 1),
    ("Aurelia", 6, 2),
    ("Wolfram", 12, -1),
];

/// Halves of names that hardly anybody has.
const FIRST_HALVES: [&str; 20] = [
    "Adel", "Bald", "Cun", "Diet", "Eber", "Frid", "Ger", "Hilde", "Ir", "Jor", "Kuni", "Leo", "Mecht", "Not", "Otti",
    "Rade", "Sieg", "Theo", "Wal", "Wine",
];
const SECOND_HALVES: [(&str, u64); 6] = [("gund", 1), ("bert", 1), ("hild", 1), ("mar", 1), ("trud", 1), ("fried", 1)];

/// Twenty years of births in a small country; a row stands for all children of a year with one name.
pub fn births() -> String {
    let mut text = String::from("year,name,births\n");
    let mut chance = MadeUpNumbers::of(20);
    for year in 2001..=2020 {
        for (name, first, more) in &NAMES {
            let trend = first.cast_signed() + more * (year - 2001);
            let births = trend + chance.around(1 + trend.unsigned_abs() / 20);
            if births > 0 {
                let _ = writeln!(text, "{year},{name},{births}");
            }
        }
        // Names that hardly anybody has, other ones each year.
        for first in FIRST_HALVES {
            let second = chance.pick(&SECOND_HALVES);
            let _ = writeln!(text, "{year},{first}{second},{}", 1 + chance.below(4));
        }
    }
    text
}
