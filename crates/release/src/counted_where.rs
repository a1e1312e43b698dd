//! Where a release counts, in words: for people to know before anything is charged.
//!
//! It must never say more of a server than that, nor anything that it answered. It is separate because plans, questions
//! and screens say the same. Read `incrowd_engine::CountedWhere` for what there is.

use crate::failure::ReleaseFailure;
use crate::query::query;
use crate::session::OpenedRequest;
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

impl OpenedRequest<'_> {
    /// Returns where a release of data on a server would count, by names and types alone, which the server is asked
    /// for; nothing where the data is in files.
    pub fn counted_where(&self) -> Option<Result<CountedWhere, ReleaseFailure>> {
        let data = self.request().data.as_ref()?;
        data.server()?;
        let asked = query(self.request(), self.folder());
        let prepared = asked.and_then(|asked| Ok(self.session().engine().prepare(&asked)?));
        Some(prepared.map(|prepared| counted_where(prepared.counted_where(), data.sample.is_some())))
    }
}

/// Where it is counted indeed: coins of a fresh sample are secret, and are tossed on this machine.
pub(crate) fn counted_where(counted: CountedWhere, has_sample: bool) -> CountedWhere {
    match counted {
        CountedWhere::AtTheSource if has_sample => CountedWhere::OfDeliveredRows {
            reason: "the coins of `sample` are secret, and no server may know them".into(),
        },
        other => other,
    }
}
