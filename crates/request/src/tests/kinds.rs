//! Kinds of release, as the ledger sees them and as tables do.
//!
//! Every example must be told by its canonical form for what it is; a kind that the ledger takes for counts of bins
//! would be added up by proofs that do not hold for it. It is separate because a new kind has to pass it. Read
//! `hashes.rs` next.

use super::super::{KeyColumn, Kind, Request};
use super::{accept, examples};
use incrowd_definition::{Binning, Reading};

/// All examples, of which the ledger needs to know the account.
fn all() -> Vec<Request> {
    let named = |text: &String| {
        let mut request = accept(text);
        request.ledger.dataset = Some("d".into());
        request
    };
    examples::all().iter().map(named).collect()
}

#[test]
fn the_ledger_takes_no_other_kind_for_counts_of_bins() {
    let mut seen = Vec::new();
    for request in all() {
        let name = request.kind.name();
        assert_eq!(request.canonical()["kind"].is_null(), name == "histogram", "{name}");
        let Some(binning) = Binning::read(&request.binning_text(Some(&Reading::default().canonical()))) else {
            assert!(request.kind.published().is_empty(), "{name} is not read");
            continue;
        };
        assert_eq!(binning.series().is_some(), name == "series", "{name}");
        let bin_by_bin = match &request.kind {
            Kind::Counts(_) => !request.kind.counts_pairs(),
            Kind::Chosen(_) | Kind::Rows(_) | Kind::Points(_) => false,
        };
        assert_eq!(binning.draws_bin_by_bin(), bin_by_bin, "{name}");
        seen.push(name);
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, ["histogram", "points", "rows", "series", "top"]);
}

#[test]
fn ranks_and_coordinates_are_published_and_never_counted() {
    for request in all() {
        let published = request.kind.published();
        let counted = match &request.kind {
            Kind::Counts(counts) => counts.counted(),
            Kind::Chosen(chosen) => chosen.counted(),
            Kind::Rows(rows) => rows.counted(),
            Kind::Points(points) => {
                assert_eq!(published.len(), points.axes.len());
                &[]
            }
        };
        let dimensions = published.iter().filter_map(|column| match column {
            KeyColumn::Counted(bin) => Some(*bin),
            KeyColumn::Numbered { .. } | KeyColumn::Drawn { .. } => None,
        });
        assert!(dimensions.eq(counted), "{}", request.kind.name());
    }
}
