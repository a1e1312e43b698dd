//! Advice in the words of the request that is looked at.
//!
//! Whoever looks at data knows columns and dimensions, and not that columns of rows, axes and periods take no
//! expression, or that both sides of a pair are one bin. It must never advise a key that the request cannot have. It is
//! separate because it knows kinds of release. Read `fix.rs` for what becomes of it.

use incrowd_engine_datafusion::{Advice, Change};
use incrowd_release::request::Request;

/// Returns advice that a request of this kind can take.
pub fn fitting(advice: Vec<Advice>, request: &Request) -> Vec<Advice> {
    let mut fitting: Vec<Advice> = Vec::new();
    for mut advice in advice {
        advice.ways = advice.ways.into_iter().map(|way| in_words_of(way, request)).collect();
        // Both sides of a pair say the same.
        if !fitting.iter().any(|known| known.ways == advice.ways) {
            fitting.push(advice);
        }
    }
    fitting
}

fn in_words_of(way: Vec<Change>, request: &Request) -> Vec<Change> {
    let mut fitted = Vec::new();
    for change in way {
        match change {
            Change::Expression { bin, expression } => match request.kind.bin_of(&bin) {
                Some(written) => fitted.push(Change::Expression { bin: written.name.clone(), expression }),
                None => {
                    let what = format!(
                        "{bin:?} takes no expression: write its values into the file as `{expression}` would make them"
                    );
                    return vec![Change::ByHand(what)];
                }
            },
            change @ (Change::Data { .. } | Change::Type { .. } | Change::NoType { .. } | Change::ByHand(_)) => {
                fitted.push(change);
            }
        }
    }
    fitted
}
