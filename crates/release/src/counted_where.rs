//! Where a release counts, in words: for people to know before anything is charged.
//!
//! It must never say more of a server than that, nor anything that it answered. It is separate because plans, questions
//! and screens say the same. Read `incrowd_engine::CountedWhere` for what there is.

use crate::request::Request;
use incrowd_engine::CountedWhere;

/// Returns where a release counts, in words.
pub fn counted_words(counted: &CountedWhere) -> String {
    match counted {
        CountedWhere::OnThisMachine => "on this machine".into(),
        CountedWhere::AtTheSource => {
            "on the server: to this machine come bins and how many people are in each, and no row".into()
        }
        CountedWhere::OfDeliveredRows { reason } => {
            format!("on this machine: the server sends every row of the columns that are used, because {reason}")
        }
    }
}

/// Where it is counted indeed: coins of a fresh sample are secret, and are tossed on this machine.
pub(crate) fn counted_where(counted: CountedWhere, request: &Request) -> CountedWhere {
    let has_sample = request.data.as_ref().is_some_and(|data| data.sample.is_some());
    match counted {
        CountedWhere::AtTheSource if has_sample => CountedWhere::OfDeliveredRows {
            reason: "the coins of `sample` are secret, and no server may know them".into(),
        },
        other => other,
    }
}
