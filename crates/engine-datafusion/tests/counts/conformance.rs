//! Every case of the conformance kit, in every format, with several threads and with little memory.

use crate::stored::{Columns, Stored};
use incrowd_conformance::{Checked, Place, cases, check, counted_of, difference};
use incrowd_engine::DataFormat;
use incrowd_engine_datafusion::{DataFusionEngine, Settings};

fn checked(stored: Stored, settings: Settings) -> Checked {
    let folder = tempfile::tempdir().expect("a folder");
    check(&DataFusionEngine::new(settings), |table| stored.write(table, folder.path()))
}

fn threads(threads: usize) -> Settings {
    Settings { threads, ..Settings::default() }
}

#[test]
fn every_case_has_its_counts_in_every_format() {
    let all = cases().len();
    for stored in Stored::ALL {
        let Checked { agreed, left_out } = checked(stored, threads(3));
        assert_eq!(agreed.len() + left_out.len(), all);
        // What has no type in a request, or no text, is stored in its own type or not at all.
        let least = match stored {
            Stored::Parquet(Columns::Usual | Columns::Small) | Stored::Arrow(Columns::Usual | Columns::Small) => all,
            // A dialect has its own numbers and days, so fewer columns of other cases can be written in it.
            Stored::Written(_) => all / 3,
            _ => all / 2,
        };
        assert!(agreed.len() >= least, "{stored:?}: {} of {all}, not {left_out:?}", agreed.len());
    }
}

#[test]
fn every_case_has_its_counts_from_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    for (format, stored) in [
        (DataFormat::Csv, Stored::Csv),
        (DataFormat::Json, Stored::Json),
        (DataFormat::Parquet, Stored::Parquet(Columns::Usual)),
        (DataFormat::Arrow, Stored::Arrow(Columns::Usual)),
    ] {
        let mut agreed = 0;
        for case in cases() {
            let Some(place) = stored.write(&case.table, folder.path()) else { continue };
            let (location, place) = match place {
                Place::Typed(location) => (location, Place::Typed("-".into())),
                Place::Declared(location) => (location, Place::Declared("-".into())),
                Place::Written(location, dialect) => (location, Place::Written("-".into(), dialect)),
            };
            let Some(mut query) = case.asked_at(&place) else { continue };
            query.source.dialect.format = Some(format);
            let input = std::fs::File::open(location).expect("a file");
            let engine = DataFusionEngine::new(threads(2)).with_standard_input(input);
            let counted = counted_of(&engine, &query, case.participants());
            assert_eq!(difference(&counted, &case.expected), None, "{format:?}: {}", case.name);
            agreed += 1;
        }
        assert!(agreed >= cases().len() / 2, "{format:?}: {agreed}");
    }
}

#[test]
fn every_case_has_its_counts_on_one_thread() {
    for stored in [Stored::Csv, Stored::Arrow(Columns::Usual)] {
        checked(stored, threads(1));
    }
}

#[test]
fn every_case_has_its_counts_in_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings { memory: Some(32 << 20), threads: 3, spill: Some(folder.path().to_path_buf()) };
    checked(Stored::Parquet(Columns::Usual), settings);
}

#[test]
#[should_panic(expected = "cases differ")]
fn a_table_without_its_last_row_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    check(&DataFusionEngine::new(threads(1)), |table| {
        let mut shorter = table.clone();
        shorter.columns.iter_mut().for_each(|column| {
            column.values.pop();
        });
        Stored::Arrow(Columns::Usual).write(&shorter, folder.path())
    });
}
