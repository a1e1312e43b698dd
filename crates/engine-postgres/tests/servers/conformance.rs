//! Every case of the kit, and many that nobody thought of, in a real server: counted there, and of rows that it sends.

use crate::stored::{asked, put};
use crate::{Tool, Watched, local};
use incrowd_conformance::{CaseTable, cases, counted_of, difference, generated_question, generated_table};
use incrowd_engine::Participants;
use incrowd_engine_postgres::Pushing;
use std::path::Path;

/// How many questions are generated, and how many of them about each table.
const QUESTIONS: u64 = 2_400;
const OF_A_TABLE: u64 = 60;

fn checked(pushing: Pushing) -> (Watched, usize) {
    let (engine, tool) = (Watched::new(pushing), Tool::new());
    let (mut agreed, mut differing) = (0, Vec::new());
    for (place, case) in cases().iter().enumerate() {
        let Some(table) = put(&tool, &case.table, &format!("case {place} {pushing:?}")) else { continue };
        let mut query = case.query.clone();
        // Files alone have a dialect.
        if !query.source.dialect.is_default() {
            continue;
        }
        query = asked(&query, table);
        let counted = counted_of(&engine, &query, case.participants());
        match difference(&counted, &case.expected) {
            None => agreed += 1,
            Some(difference) => differing.push(format!("{}: {difference}", case.name)),
        }
    }
    assert!(differing.is_empty(), "{} cases differ:\n{}", differing.len(), differing.join("\n"));
    (engine, agreed)
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn every_case_has_its_counts_on_the_server() {
    let (engine, agreed) = checked(Pushing::WhereItIsTheSame);
    assert!(agreed >= cases().len() / 2, "{agreed}");
    assert!(engine.pushed() >= 150, "{} were counted by the server", engine.pushed());
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn every_case_has_its_counts_of_delivered_rows() {
    let (engine, agreed) = checked(Pushing::Never);
    assert!(agreed >= cases().len() / 2, "{agreed}");
    assert_eq!((engine.pushed(), engine.delivered()), (0, agreed));
}

fn parquet(table: &CaseTable, folder: &Path) -> String {
    let (path, batch) = (folder.join(format!("{}.parquet", table.name)), table.batch());
    let file = std::fs::File::create(&path).expect("a file");
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
    path.to_string_lossy().into_owned()
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_server_counts_generated_questions_as_files_do() {
    let (tool, folder) = (Tool::new(), tempfile::tempdir().expect("a folder"));
    let (engine, delivering, files) = (Watched::new(Pushing::WhereItIsTheSame), Watched::new(Pushing::Never), local());
    let (mut differing, mut not_empty) = (Vec::new(), 0);
    for block in 0..QUESTIONS / OF_A_TABLE {
        let table = generated_table(block, 40 + 25 * block as usize);
        let file = parquet(&table, folder.path());
        let there = put(&tool, &table, &table.name).expect("every value is one of the server");
        for seed in block * OF_A_TABLE..(block + 1) * OF_A_TABLE {
            let question = generated_question(seed);
            let mut of_file = question.query.clone();
            of_file.source.location.clone_from(&file);
            let expected = counted_of(&files, &of_file, Participants::Everybody);
            not_empty += usize::from(!expected.is_empty());
            let of_server = asked(&question.query, there.clone());
            let counted = counted_of(&engine, &of_server, Participants::Everybody);
            if let Some(difference) = difference(&counted, &expected) {
                differing.push(format!("{seed}: {difference}\n{}", question.request));
            }
            if seed % 5 == 0 {
                let counted = counted_of(&delivering, &of_server, Participants::Everybody);
                if let Some(difference) = difference(&counted, &expected) {
                    differing.push(format!("{seed}, delivered: {difference}\n{}", question.request));
                }
            }
        }
    }
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing[..differing.len().min(5)].join("\n"));
    assert!(not_empty as u64 >= QUESTIONS / 2, "{not_empty}");
    assert!(engine.delivered() as u64 >= QUESTIONS / 20, "only {} were delivered", engine.delivered());
    assert!(engine.pushed() as u64 >= QUESTIONS * 3 / 4, "only {} were counted by the server", engine.pushed());
}
