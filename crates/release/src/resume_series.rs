//! A series goes on: which of its periods were released before.
//!
//! Taken from the account book alone; it must never look at the data to find a period. It is separate because only a
//! series depends on what was released before. Read `request/kinds/counts/series.rs` for the periods themselves.

use crate::refusal::Refusal;
use crate::release::ReleaseFailure;
use crate::request::Request;
use incrowd_definition::Reading;
use incrowd_ledger::{AccountName, Binning, Event, Ledger, LedgerError, ReleaseOutcome};
use std::collections::BTreeSet;

/// Makes a series begin after the last of its periods that was delivered before, unless the request itself says after
/// which.
///
/// A period that was charged and not delivered is released, and charged, again.
pub fn resume_series(request: &mut Request, ledger: &Ledger) -> Result<(), ReleaseFailure> {
    let Some(series) = request.kind.series() else { return Ok(()) };
    if series.span.ends().1.is_some() {
        return Ok(());
    }
    let Some(last) = released_up_to(request, ledger)? else { return Ok(()) };
    if request.continue_after(last) { Ok(()) } else { Err(Refusal::NothingNew.into()) }
}

/// Returns the number of the last period that was delivered of the same series, whatever was promised about it.
fn released_up_to(request: &Request, ledger: &Ledger) -> Result<Option<i64>, LedgerError> {
    let own = Binning::read(&request.binning_text(Some(&Reading::default().canonical())));
    let (Some(own), Some(dataset)) = (own.as_ref().and_then(Binning::series), &request.ledger.dataset) else {
        return Ok(None);
    };
    // A name that is none is refused when it comes to paying.
    let Ok(account) = AccountName::new(dataset) else { return Ok(None) };
    let history = ledger.history(Some(&account))?;
    let delivered: BTreeSet<String> = history
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::Ended { charge_id, outcome: ReleaseOutcome::Delivered, .. } => Some(charge_id.as_str().to_string()),
            Event::Ended { .. }
            | Event::Charged(_)
            | Event::Opened(_)
            | Event::TermsChanged { .. }
            | Event::Refused(_)
            | Event::SetAside(_) => None,
        })
        .collect();
    let hashes: BTreeSet<&str> = history
        .iter()
        .filter(|entry| entry.charge_id().is_some_and(|charge| delivered.contains(charge.as_str())))
        .filter_map(|entry| match &entry.event {
            Event::Charged(charged) => Some(charged.binning_hash.as_str()),
            Event::Ended { .. }
            | Event::Opened(_)
            | Event::TermsChanged { .. }
            | Event::Refused(_)
            | Event::SetAside(_) => None,
        })
        .collect();
    let definitions = ledger.definitions(&hashes.into_iter().collect::<Vec<_>>())?;
    let before = definitions.into_iter().flatten().filter_map(|text| Binning::read(&text));
    let runs = before.filter_map(|binning| binning.series().cloned());
    Ok(runs.filter(|run| run.identity == own.identity).map(|run| run.last).max())
}
