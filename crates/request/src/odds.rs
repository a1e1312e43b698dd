//! A promise said by odds: how sure anybody may become about a person, from even odds, in small groups and elsewhere.
//!
//! Each percentage becomes the largest epsilon that keeps it and is printed again as it was asked; it must never read
//! one through a float, nor round against the people. It is separate from `promise.rs` because these are the words of
//! people who publish, and those the names of the literature. Read `policy.rs` next.

use super::error::{RequestError, quoted};
use super::fields::{Fields, Item};
use super::node::Node;
use super::number::Whole;
use incrowd_exact::{Rational, parse_number};
use incrowd_privacy::{Epsilon, Promise, Sureness};

/// The keys that say a promise by odds.
pub(super) const KEYS: [&str; 3] = ["small", "small-odds", "odds"];

/// What a whole promise by odds looks like.
pub(super) const EXAMPLE: &str = "small = 6, small-odds = \"55 %\", odds = \"75 %\"";

/// Returns the promise that the keys stand for: a step for each size in `small`, or the same for everybody.
pub(super) fn read(fields: &Fields<'_>) -> Result<Promise, RequestError> {
    let Some(odds) = fields.item("odds") else {
        let message = "a promise by odds needs `odds`: how sure anybody may become about people in all other groups";
        let hint = format!("such as {EXAMPLE}; to promise nothing there, see kind = \"crowd-blending\"");
        return Err(fields.refuse(message).hint(hint));
    };
    let elsewhere = Level::read(&odds)?;
    match (fields.item("small"), fields.item("small-odds")) {
        (None, None) => Ok(Promise::DifferentialPrivacy { epsilon: Epsilon::Finite(elsewhere.epsilon) }),
        (Some(small), None) => Err(small.refuse("`small` needs `small-odds`").hint(format!("such as {EXAMPLE}"))),
        (None, Some(levels)) => {
            let message = "`small-odds` needs `small`: below which size groups are small";
            Err(levels.refuse(message).hint(format!("such as {EXAMPLE}")))
        }
        (Some(small), Some(levels)) => staircase(&small, &levels, elsewhere),
    }
}

/// Groups of fewer than `small` people are those of up to one less: that is what a staircase names.
fn staircase(small: &Item<'_>, levels: &Item<'_>, elsewhere: Level) -> Result<Promise, RequestError> {
    let sizes = one_or_more(small)?.iter().map(|item| item.whole(Whole::SMALL)).collect::<Result<Vec<u64>, _>>()?;
    let mut read = one_or_more(levels)?.iter().map(Level::read).collect::<Result<Vec<Level>, _>>()?;
    if sizes.len() != read.len() {
        let message =
            format!("`small` has {} and `small-odds` {}: one for each", count(sizes.len()), count(read.len()));
        return Err(levels.refuse(message).hint("small = [6, 20], small-odds = [\"55 %\", \"65 %\"]"));
    }
    if !sizes.windows(2).all(|pair| pair[0] < pair[1]) {
        return Err(small.refuse("`small` must be strictly ascending, the smallest groups first"));
    }
    read.push(elsewhere);
    if !read.windows(2).all(|pair| pair[0].percent < pair[1].percent) {
        let message =
            "small groups must be protected better: `small-odds` must be strictly ascending, and below `odds`";
        return Err(levels.refuse(message).hint("the smaller the group, the nearer to 50 %"));
    }
    Ok(Promise::Staircase {
        thresholds: sizes.iter().rev().map(|size| size - 1).collect(),
        epsilons: read.into_iter().rev().map(|level| Epsilon::Finite(level.epsilon)).collect(),
    })
}

fn one_or_more<'a>(item: &Item<'a>) -> Result<Vec<Item<'a>>, RequestError> {
    match item.value() {
        Node::List(_) => item.list(),
        Node::Text(_) | Node::Integer { .. } | Node::Float(_) | Node::Flag(_) | Node::Day(_) | Node::Section(_) => {
            Ok(vec![item.clone()])
        }
    }
}

fn count(entries: usize) -> String {
    if entries == 1 { "1 entry".into() } else { format!("{entries} entries") }
}

/// A percentage, and the epsilon that keeps it.
struct Level {
    percent: Rational,
    epsilon: Rational,
}

impl Level {
    fn read(item: &Item<'_>) -> Result<Level, RequestError> {
        let percent = percent(item)?;
        let Some(epsilon) = Sureness::epsilon_within(&percent) else {
            let message =
                "odds must be at least 50 %, which is knowing nothing, and below 100 %, which is being certain";
            return Err(item.refuse(message).hint("such as \"55 %\" for small groups and \"75 %\" elsewhere"));
        };
        let printed = Sureness::of(&epsilon);
        if !printed.prints(&percent) {
            let message = "odds have one decimal, and above 99.9 % as many as it takes to stay below 100 %";
            return Err(item.refuse(message).hint(format!("\"{printed} %\" is the next above")));
        }
        Ok(Level { percent, epsilon })
    }
}

/// Reads "55 %" or "55%"; a share such as 0.55, or a number alone, could be meant otherwise.
fn percent(item: &Item<'_>) -> Result<Rational, RequestError> {
    let text: &str = match item.value() {
        Node::Text(text) | Node::Float(text) | Node::Integer { digits: text, .. } => text,
        Node::Flag(_) | Node::Day(_) | Node::List(_) | Node::Section(_) => {
            return Err(item.refuse("odds are a percentage in quotes").hint("such as \"55 %\""));
        }
    };
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = |digits: &str| plain(digits).then(|| parse_number(digits).ok()).flatten();
    if let (Node::Text(_), Some(digits)) = (item.value(), text.trim().strip_suffix('%'))
        && let Some(percent) = number(digits.trim_end())
    {
        return Ok(percent);
    }
    let meant = number(text).map(|value| if value <= Rational::ONE { value * Rational::from(100u8) } else { value });
    let meant = meant.filter(|percent| percent >= &Rational::from(50u8) && percent < &Rational::from(100u8));
    let shown = meant.map_or_else(|| "55".into(), |percent| incrowd_exact::decimal_text(&percent));
    let refused = item.refuse(format!("odds are a percentage in quotes, not {}", quoted(text)));
    Err(refused.hint(format!("write \"{shown} %\"")))
}
