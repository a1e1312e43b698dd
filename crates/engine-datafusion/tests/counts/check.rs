//! What `check` finds is what a release counts: the same sizes in every case, whoever is lost.

use crate::counting::counted;
use crate::stored::{Columns, Stored};
use incrowd_conformance::cases;
use incrowd_engine::{Query, Unit, Unwatched};
use incrowd_engine_datafusion::{DataFusionEngine, Findings, Settings};
use std::collections::BTreeMap;
use std::sync::Arc;

fn found(query: &Query, settings: Settings) -> Findings {
    let Ok(check) = DataFusionEngine::new(settings).check(query) else { panic!("{query:?} is not prepared") };
    check.reveal_findings(Arc::new(Unwatched)).unwrap_or_else(|_| panic!("{query:?} is not read"))
}

fn by_size(sizes: impl IntoIterator<Item = u64>) -> BTreeMap<u64, u64> {
    let mut bins = BTreeMap::new();
    sizes.into_iter().for_each(|size| *bins.entry(size).or_default() += 1);
    bins
}

#[test]
fn every_case_has_the_sizes_that_a_release_counts() {
    for (stored, threads) in [(Stored::Csv, 1), (Stored::Parquet(Columns::Usual), 3)] {
        let settings = || Settings { threads, ..Settings::default() };
        let folder = tempfile::tempdir().expect("a folder");
        let (mut looked, mut lost) = (0, 0);
        for case in cases() {
            let place = stored.write(&case.table, folder.path());
            let Some(query) = place.and_then(|place| case.asked_at(&place)) else { continue };
            let (counts, found) = (counted(&query, settings()), found(&query, settings()));
            assert_eq!(found.bins_by_size, by_size(counts.values().copied()), "{} {stored:?}", case.name);
            assert!(found.lost() <= found.people, "{}: {} of {}", case.name, found.lost(), found.people);
            assert!(found.filtered <= found.rows, "{}", case.name);
            let counted: u64 = counts.values().sum();
            match (&query.unit, query.time) {
                // Everybody has one bin, or none.
                (Unit::Row | Unit::People { .. }, None) => {
                    let misread = found.people - found.lost();
                    assert!(misread <= counted, "{}: {misread} and {counted}", case.name);
                }
                (Unit::Person { .. }, _) => {
                    let bounded = found.bounded.as_ref().expect("limits");
                    assert_eq!(bounded.counted, counted, "{}", case.name);
                    assert!(bounded.person_bins >= counted && bounded.people <= found.people, "{}", case.name);
                }
                (Unit::Row | Unit::People { .. }, Some(_)) => {}
            }
            looked += 1;
            lost += found.lost();
        }
        assert!(looked > 100 && lost > 100, "{looked} cases, {lost} lost: too few to tell anything");
    }
}

#[test]
fn what_was_found_is_mute() {
    let case = cases().into_iter().next().expect("a case");
    let folder = tempfile::tempdir().expect("a folder");
    let place = Stored::Csv.write(&case.table, folder.path()).expect("a place");
    let query = case.asked_at(&place).expect("a query");
    assert_eq!(format!("{:?}", found(&query, Settings::default())), "Findings");
}
