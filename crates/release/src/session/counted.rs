//! Where a request would be counted, asked of its engine before anything is charged.
//!
//! A server is asked for names and types alone. It must never read a row, or fail where there is no server. It is
//! separate because only plans and questions ask it. Read `../counted_where.rs` for the words.

use super::opened::OpenedRequest;
use crate::counted_where::counted_where;
use crate::failure::ReleaseFailure;
use crate::query::query;
use incrowd_engine::CountedWhere;

impl OpenedRequest<'_> {
    /// Returns where a release of data on a server would count, by names and types alone, which the server is asked
    /// for; nothing where the data is in files.
    pub fn counted_where(&self) -> Option<Result<CountedWhere, ReleaseFailure>> {
        self.request().data.as_ref()?.server()?;
        let asked = query(self.request(), self.folder());
        let prepared = asked.and_then(|asked| Ok(self.session().engine().prepare(&asked)?));
        Some(prepared.map(|prepared| counted_where(prepared.counted_where(), self.request())))
    }
}
