//! A request that was opened, and what can be done with it: plan, have it reviewed, rehearse, release.
//!
//! The order of a release stands here for every front end: the book, what an earlier release left, the periods of a
//! series, the plan, four eyes, the source of draws, and only then the story that charges and reads. It must never plan
//! one thing and release another. It is separate from `release.rs`, which knows neither files of requests nor where
//! books are. Read `release.rs` next.

use super::Session;
use super::consent::{Consent, Offer};
use super::error::ReleaseError;
use super::ledger_location::{LedgerLocation, LocationError};
use super::recovery::before_release;
use super::unknown_account::{Opening, known_account};
use super::{Draws, Released, ReleasedAs, Target, Warning};
use crate::audience::Attending;
use crate::certificate::Randomness;
use crate::charge::account;
use crate::folder::Existing;
use crate::plan::{Plan, RequestedPlan};
use crate::query::query;
use crate::recover::is_anything_left;
use crate::refusal::Refusal;
use crate::rehearsal::Rehearsal;
use crate::release::{Audience, Order, release};
use crate::resume_series::resume_series;
use incrowd_engine::Engine;
use incrowd_ledger::{AccountName, Ledger, Repeat, Repetition};
use incrowd_noise::ReleaseSecret;
use incrowd_noise::testing::known_secret;
use incrowd_request::Request;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A request that was opened.
pub struct OpenedRequest<'a> {
    pub(super) session: &'a Session,
    pub(super) name: String,
    pub(super) folder: PathBuf,
    pub(super) request: Request,
    pub(super) reviewed: Option<PathBuf>,
    pub(super) repetition: Repetition,
    pub(super) opening: Opening,
    pub(super) asked: Option<Box<Ask<'a>>>,
}

/// Somebody who is asked before a plan is paid for.
type Ask<'a> = dyn Fn(&Offer<'_>) -> Consent + 'a;

impl<'a> OpenedRequest<'a> {
    /// Returns what it was read from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the folder that its paths are relative to.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the session that it was opened in.
    pub(super) fn session(&self) -> &Session {
        self.session
    }

    /// Returns the request.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the request alone.
    pub fn into_request(self) -> Request {
        self.request
    }

    /// Returns what it would promise, cost and get wrong, at `counts` or at counts that are worth showing. Nothing is
    /// read or charged; a series is planned as it is written, whatever was released of it before.
    pub fn plan(&self, counts: Option<&[u64]>) -> Result<Plan, Refusal> {
        Plan::for_readers(&self.request, counts).and_then(Plan::with_its_statistics)
    }

    /// Returns where the book is that it is charged to.
    pub fn ledger(&self) -> Result<LedgerLocation, LocationError> {
        self.session.environment.ledger_of(&self.request, &self.folder)
    }

    /// From here on nothing is released or rehearsed but the plan that was saved in this file.
    pub fn must_be(mut self, saved: &Path) -> Self {
        self.reviewed = Some(saved.to_path_buf());
        self
    }

    /// From here on a request that was delivered before, or is under way, is released and paid for again.
    pub fn again(mut self) -> Self {
        self.repetition = Repetition::Meant;
        self
    }

    /// From here on a request that was charged before is not released, even if it was not delivered: for jobs, of which
    /// nobody reads why it failed.
    pub fn if_new(mut self) -> Self {
        self.repetition = Repetition::RefusedOnceTried;
        self
    }

    /// From here on an account that nobody opened is opened, without limits, also in a book that has others.
    pub fn opening(mut self) -> Self {
        self.opening = Opening::Meant;
        self
    }

    /// From here on nothing is released unless somebody who has seen what it costs agrees; rehearsals cost nothing and
    /// are not asked about.
    pub fn agreed_by(mut self, ask: impl Fn(&Offer<'_>) -> Consent + 'a) -> Self {
        self.asked = Some(Box::new(ask));
        self
    }

    /// Charges, counts, protects and delivers.
    ///
    /// A request that was delivered before, or is under way, is refused before anything is charged, unless it is meant
    /// [`again`](OpenedRequest::again): it would cost twice what can be had once.
    ///
    /// Draws from a known seed are charged to a book in memory, and made of data that is declared as made up alone.
    pub fn release(
        &self,
        target: &Target,
        draws: Draws,
        audience: Arc<dyn Audience>,
    ) -> Result<Released, ReleaseError> {
        let policy = self.session.environment.policy().map_err(ReleaseError::NoPolicy)?;
        self.must_be_allowed(policy.as_ref())?;
        let ledger = match draws {
            Draws::Private => self.ledger().map_err(ReleaseError::Location)?,
            Draws::Known { .. } => LedgerLocation::Memory,
        };
        let folder = self.target(target);
        let Ready { plan, book, .. } = self.ready(&ledger, &folder)?;
        let signed_by = self.must_be_reviewed(&plan, &ledger, &folder)?;
        let secret = self.secret(draws)?;
        let way = match (secret.origin(), &ledger) {
            (Randomness::KnownSeed, _) => ReleasedAs::KnownSeed,
            (Randomness::OperatingSystem, LedgerLocation::File(_) | LedgerLocation::Database(_)) => ReleasedAs::Charged,
            (Randomness::OperatingSystem, LedgerLocation::Memory) => ReleasedAs::Forgotten,
        };
        let (book, existing) = (self.book(book, &ledger)?, target.existing);
        self.must_be_new(&plan, &book, &folder)?;
        let account = account(plan.plan())?;
        let before = known_account(&account, &book, &ledger, self.opening)?.map_err(ReleaseError::UnknownAccount)?;
        if let (ReleasedAs::Charged, Some(policy)) = (way, &policy) {
            policy.judge_payment(&account, before.as_ref(), &signed_by).map_err(ReleaseError::Policy)?;
        }
        let (told, before) = (plan.plan(), before.as_ref());
        let offer = Offer { plan: told, account: &account, before, ledger: &ledger, folder: &folder };
        if self.asked.as_ref().is_some_and(|ask| ask(&offer) == Consent::Refused) {
            return Err(ReleaseError::NotAgreed);
        }
        self.walk(Walk { folder, existing, book, plan, secret, ledger, way }, &*self.session.engine, audience)
    }

    /// Walks the whole way on made-up counts of the declared shape: no data is read, no budget spent, nothing is
    /// private. The folder says so, and has a name of its own.
    pub fn rehearse(
        &self,
        target: &Target,
        draws: Draws,
        audience: Arc<dyn Audience>,
    ) -> Result<Released, ReleaseError> {
        let ledger = LedgerLocation::Memory;
        let folder = self.rehearsal_target(target);
        let Ready { mut request, plan, book } = self.ready(&ledger, &folder)?;
        // What is rehearsed is the release that was reviewed, with its book and its folder.
        if self.reviewed.is_some() {
            let charged = self.ledger().map_err(ReleaseError::Location)?;
            self.must_be_reviewed(&plan, &charged, &self.target(target))?;
        }
        // What is rehearsed is made up, and its certificate must say so.
        request.data.get_or_insert_default().synthetic = true;
        let plan = RequestedPlan::of(&request)?;
        let secret = known_secret(match draws {
            Draws::Private => 0,
            Draws::Known { seed } => seed,
        });
        let engine = Rehearsal::of(plan.plan());
        let (book, existing, way) = (self.book(book, &ledger)?, target.existing, ReleasedAs::Rehearsal);
        self.walk(Walk { folder, existing, book, plan, secret, ledger, way }, &engine, audience)
    }

    /// Returns what will run, and the book if it was needed to know it.
    fn ready(&self, ledger: &LedgerLocation, folder: &Path) -> Result<Ready, ReleaseError> {
        // A clock that is wrong is found out before anything is charged.
        let now = self.session.environment.now().map_err(ReleaseError::Clock)?;
        let mut book = None;
        if is_anything_left(folder) {
            let mut opened = self.book(book.take(), ledger)?;
            match before_release(folder, &mut opened, now).map_err(ReleaseError::Place)? {
                None => book = Some(opened),
                Some(leftover) => return Err(ReleaseError::Leftover(leftover)),
            }
        }
        let mut request = self.request.clone();
        if request.kind.series().is_some() {
            let opened = self.book(book.take(), ledger)?;
            resume_series(&mut request, &opened)?;
            book = Some(opened);
        }
        let plan = RequestedPlan::of(&request)?;
        Ok(Ready { request, plan, book })
    }

    /// Refuses what was delivered before, or is under way, whatever else may be in its way.
    ///
    /// The charge asks again, alone with the book: here it is asked so that nothing is prepared in vain.
    fn must_be_new(&self, plan: &RequestedPlan, book: &Ledger, folder: &Path) -> Result<(), ReleaseError> {
        let (plan, account) = (plan.plan(), account(plan.plan())?);
        let earlier = book.earlier(&account, &plan.request().request_hash())?;
        match earlier.filter(|earlier| self.repetition.refuses(earlier.state)) {
            None => Ok(()),
            Some(earlier) => {
                let epsilon = plan.cost().epsilon;
                Err(ReleaseError::repeated(Repeat { account, earlier, epsilon }, &self.places(folder)))
            }
        }
    }

    /// Where a delivery may be: the folder that is asked for, and the request's own.
    fn places(&self, folder: &Path) -> [PathBuf; 2] {
        [folder.to_path_buf(), self.target(&Target { folder: None, existing: Existing::Refuse })]
    }

    fn book(&self, opened: Option<Ledger>, ledger: &LedgerLocation) -> Result<Ledger, ReleaseError> {
        match opened {
            Some(opened) => Ok(opened),
            None => Ok(self.session.environment.open(ledger)?),
        }
    }

    fn secret(&self, draws: Draws) -> Result<ReleaseSecret, ReleaseError> {
        let synthetic = self.request.data.as_ref().is_some_and(|data| data.synthetic);
        match draws {
            Draws::Private => ReleaseSecret::fresh().map_err(ReleaseError::NoEntropy),
            Draws::Known { seed } if synthetic => Ok(known_secret(seed)),
            Draws::Known { .. } => Err(ReleaseError::KnownSeed),
        }
    }

    /// The folder that is made.
    pub(super) fn target(&self, target: &Target) -> PathBuf {
        match (&target.folder, &self.request.output.folder) {
            (Some(folder), _) => folder.clone(),
            (None, Some(folder)) => self.folder.join(folder),
            (None, None) => self.folder.join("out"),
        }
    }

    /// The folder of a rehearsal, beside it.
    fn rehearsal_target(&self, target: &Target) -> PathBuf {
        let folder = self.target(target);
        let mut name = folder.file_name().unwrap_or_default().to_os_string();
        name.push("-rehearsal");
        folder.with_file_name(name)
    }

    fn walk(&self, walk: Walk, engine: &dyn Engine, audience: Arc<dyn Audience>) -> Result<Released, ReleaseError> {
        let Walk { folder, existing, mut book, plan, secret, ledger, way } = walk;
        book.attended_by(Arc::new(Attending::of(&audience)));
        let (base, repetition) = (self.folder.as_path(), self.repetition);
        let order = Order { plan: &plan, base, folder: &folder, existing, repetition };
        // Nothing is copied without a word before it.
        if let Ok(query) = query(plan.plan().request(), &self.folder) {
            self.session.environment.warn_of_copy(engine, &query);
        }
        let clock = || self.session.environment.moment_of_charge();
        let delivered = release(&order, engine, &mut book, secret, &clock, Arc::clone(&audience))
            .map_err(|failure| ReleaseError::of(failure, &self.places(&folder)))?;
        audience.delivered(&folder);
        if delivered.opened_account && way == ReleasedAs::Charged {
            self.warn_of_new_account(&delivered.account, &book, &ledger);
        }
        let after = book.account(&delivered.account).ok().flatten();
        Ok(Released { plan: plan.into_plan(), delivered, way, target: folder, ledger, after })
    }

    fn warn_of_new_account(&self, account: &AccountName, book: &Ledger, ledger: &LedgerLocation) {
        let others = book.accounts().unwrap_or_default().into_iter().map(|other| other.name);
        let warning = Warning::NewAccount {
            account: account.clone(),
            ledger: ledger.clone(),
            others: others.filter(|other| other != account).collect(),
        };
        (self.session.environment.warn)(&warning);
    }
}

/// A request as it will run, with its plan.
struct Ready {
    request: Request,
    plan: RequestedPlan,
    book: Option<Ledger>,
}

/// Everything that the way to a folder needs.
struct Walk {
    folder: PathBuf,
    existing: Existing,
    book: Ledger,
    plan: RequestedPlan,
    secret: ReleaseSecret,
    ledger: LedgerLocation,
    way: ReleasedAs,
}
