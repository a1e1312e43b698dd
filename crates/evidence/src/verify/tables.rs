//! The files of a folder: all that are listed, none that is not, each with its hash, all with the same rows.
//!
//! Parquet and Arrow files are written again, as they are and as CSV, and compared byte for byte; a file whose hash
//! differs is not read any further, and must never be. It is separate because all formats hold the same rows. Read
//! `contents.rs` next, and `workbook.rs` for the file that is never read at all.

use super::certificate::Inputs;
use super::words::Author;
use super::{Verdict, VerifyError, contents, files, report, workbook};
use crate::csv::{CsvText, NotUnspelt, Spelling, unspelt};
use crate::files::{Again, FileLayout, hex};
use crate::glance::Glance;
use crate::kinds::{TABLES, TableRows};
use crate::page::{earlier_page, page};
use crate::plan::Plan;
use crate::request::{Format, KeyCells};
use crate::table::Table;
use crate::totals::{TotalsTable, totals_layout};
use crate::write::{Glances, main_layout};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use incrowd_published::is_key_type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

/// Files that every folder has.
const ALWAYS: [&str; 2] = ["certificate.json", "report.html"];

/// The listed tables, and those of them that are as certified.
pub(super) struct Listed<'c> {
    all: Vec<(&'c str, &'c str)>,
    sound: Vec<&'c str>,
}

/// Checks which files there are, and their hashes: quickly done, and before anything is computed from them.
pub(super) fn check_hashes<'c>(
    folder: &Path,
    json: &'c Value,
    verdict: &mut Verdict,
) -> Result<Listed<'c>, VerifyError> {
    let listed: Vec<(&str, &str)> = json["tables"]
        .as_array()
        .map_or(&[][..], Vec::as_slice)
        .iter()
        .filter_map(|table| Some((table.get("name")?.as_str()?, table.get("sha256")?.as_str()?)))
        .filter(|(name, _)| stem_of(name).is_some())
        .collect();
    check_names(folder, &listed, verdict)?;
    let mut sound = Vec::new();
    for (name, sha256) in &listed {
        match files::open(&folder.join(name)).map(hash) {
            Err(problem) => verdict.failed("table hash", format!("{name} {problem}")),
            Ok(found) => match found? == *sha256 {
                true => {
                    verdict.passed("table hash", format!("{name} is as certified"));
                    sound.push(*name);
                }
                false => verdict.failed("table hash", format!("{name} is not what was certified")),
            },
        }
    }
    if let Err(problem) = files::open(&folder.join("report.html")) {
        verdict.failed("report", format!("report.html {problem}"));
    }
    Ok(Listed { all: listed, sound })
}

/// Checks the rows of the tables, and the report; returns the rows of the main table, as bare CSV, if they are sound.
pub(super) fn check(
    folder: &Path,
    json: &Value,
    (plan, inputs): (&Plan, &Inputs),
    Listed { all: listed, sound }: Listed<'_>,
    verdict: &mut Verdict,
) -> Result<Option<File>, VerifyError> {
    let Some(mut table) = table_of(plan, inputs) else {
        verdict.failed("table contents", "the request has no table, or one with keys of other types");
        return Ok(None);
    };
    check_listed(&listed, plan, verdict);
    let found = check_contents(folder, &sound, (plan, Author::of(json)), &mut table, verdict)?;
    let Some((glances, rows)) = found else { return Ok(None) };
    workbook::check(&sound, (plan, inputs), &rows, verdict)?;
    // The report says what the certificate and the table say, or it is not the report of this release.
    let again = |author: Author<'_>| match author {
        Author::This => page(plan, json, &glances),
        Author::Another(_) => earlier_page(plan, json, &glances),
    };
    report::check(folder, json, again, verdict);
    Ok(Some(rows))
}

/// Returns the table of a plan, with keys of the types that are stated; nothing if there is none.
pub(super) fn table_of<'p>(plan: &'p Plan, inputs: &Inputs) -> Option<Table<'p>> {
    let table = Table::of(plan).ok()?;
    match &inputs.output.keys {
        KeyCells::Bare => Some(table),
        KeyCells::Named { .. } => table.with_key_types(&inputs.folder.key_types),
    }
}

/// Returns which table a file holds: a main one, or one of totals.
pub(super) fn stem_of(name: &str) -> Option<&'static str> {
    let (stem, format) = name.split_once('.')?;
    let known = Format::ALL.iter().any(|known| known.as_str() == format);
    TABLES.into_iter().chain(TotalsTable::ALL.map(TotalsTable::stem)).find(|table| known && *table == stem)
}

/// Every release has a table of counts; one with totals has them in the same formats, and no other has any.
fn check_listed(listed: &[(&str, &str)], plan: &Plan, verdict: &mut Verdict) {
    let formats = |table: &str| -> BTreeSet<&str> {
        let files = listed.iter().filter(|(name, _)| stem_of(name) == Some(table));
        files.filter_map(|(name, _)| name.rsplit('.').next()).collect()
    };
    let main = plan.kind().table();
    let others = TABLES.into_iter().filter(|table| *table != main);
    let counts = formats(main);
    // A workbook has them in sheets of their own.
    let apart: BTreeSet<&str> = counts.iter().copied().filter(|format| *format != Format::Xlsx.as_str()).collect();
    let is_right = |table: TotalsTable| match table.is_made(plan) {
        true => formats(table.stem()) == apart,
        false => formats(table.stem()).is_empty(),
    };
    let no_other = others.map(formats).all(|other| other.is_empty());
    verdict.judged(
        "tables",
        match !counts.is_empty() && no_other && TotalsTable::ALL.into_iter().all(is_right) {
            true => Ok("those that the certificate speaks of are listed".into()),
            false => {
                Err("a table that the certificate speaks of is not listed, or one that it does not speak of".into())
            }
        },
    );
}

fn check_names(folder: &Path, listed: &[(&str, &str)], verdict: &mut Verdict) -> Result<(), VerifyError> {
    let expected: BTreeSet<&str> = listed.iter().map(|(name, _)| *name).chain(ALWAYS).collect();
    let mut extra = 0;
    for entry in fs::read_dir(folder).map_err(|_| VerifyError::NoFolder)? {
        let name = entry.map_err(|_| VerifyError::NoFolder)?.file_name();
        extra += usize::from(!name.to_str().is_some_and(|name| expected.contains(name)));
    }
    verdict.judged(
        "files",
        match extra {
            0 => Ok("no file that is not listed".into()),
            some => Err(format!("files that the certificate does not list: {some}")),
        },
    );
    Ok(())
}

pub(super) fn hash(mut file: File) -> Result<String, VerifyError> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer).map_err(|_| VerifyError::NotReadable)? {
            0 => return Ok(hex(hash)),
            read => hash.update(&buffer[..read]),
        }
    }
}

/// Reads the rows of one file, and compares the others with it.
fn check_contents(
    folder: &Path,
    sound: &[&str],
    (plan, author): (&Plan, Author<'_>),
    table: &mut Table<'_>,
    verdict: &mut Verdict,
) -> Result<Option<(Glances, File)>, VerifyError> {
    let mut texts = Vec::new();
    let main = plan.kind().table();
    let (schema, layout) = (table.file_schema(plan), main_layout(table));
    // Version 2 does not say what found keys are.
    let is_found = |column: usize| plan.request().output.keys == KeyCells::Bare && table.is_found(column);
    for name in sound.iter().filter(|name| stem_of(name) == Some(main)) {
        let path = folder.join(name);
        let text = match format_of(name) {
            Some(Format::Csv) => bare_csv(&path, &layout),
            Some(Format::Parquet | Format::Arrow) => as_csv(&path, (&schema, &layout), author, &is_found),
            Some(Format::Xlsx) | None => continue,
        };
        let mut text = match text {
            Ok(text) => text,
            Err(problem) => {
                verdict.failed("table contents", format!("{name} {problem}"));
                continue;
            }
        };
        let mut hash = Sha256::new();
        let rewound = io::copy(&mut text, &mut Hashing(&mut hash)).and_then(|_| text.seek(SeekFrom::Start(0)));
        rewound.map_err(|_| VerifyError::NotReadable)?;
        texts.push((name, hex(hash), text));
    }
    let Some((name, first, text)) = texts.first_mut() else { return Ok(None) };
    let text = BufReader::with_capacity(1 << 18, text);
    let checked = match plan.kind().rows() {
        TableRows::Bins | TableRows::Items(_) => contents::check(text, plan, table).map(|(glance, margins, lines)| {
            let said = "order, keys, statuses, intervals and estimates are as the plan allows";
            (format!("{} rows; {said}", glance.length), (glance, margins, None, lines))
        }),
        TableRows::People(people) => contents::check_people(text, (plan, people), table).map(|(glance, density)| {
            let density = density.map(|density| (density.glance(), density.outside()));
            let said = people.checked_words(&glance.seen_rows(density.as_ref().map_or(0, |(_, outside)| *outside)));
            (said, (glance, None, density, Vec::new()))
        }),
    };
    let checked = match checked {
        Ok((said, checked)) => {
            verdict.passed("table contents", format!("{name}: {said}"));
            Some(checked)
        }
        Err(reason) => {
            verdict.failed("table contents", format!("{name}: {reason}"));
            None
        }
    };
    let (name, first) = (**name, first.clone());
    for (other, hash, _) in &texts[1..] {
        verdict.judged(
            "same rows",
            match hash == &first {
                true => Ok(format!("{other} holds the rows of {name}")),
                false => Err(format!("{other} does not hold the rows of {name}")),
            },
        );
    }
    let Some((counts, margins, density, lines)) = checked else { return Ok(None) };
    let mut totals = [None, None, None];
    if let Some(margins) = margins {
        for (kind, found) in TotalsTable::ALL.into_iter().zip(&mut totals).filter(|(kind, _)| kind.is_made(plan)) {
            let again = (kind, kind.rows(&margins, plan), totals_layout(kind, plan, table));
            match check_totals(folder, sound, author, again, verdict)? {
                Some(glance) => *found = Some(glance),
                None => return Ok(None),
            }
        }
    }
    let [margins, consistent, statistics] = totals;
    let mut rows = texts.swap_remove(0).2;
    rows.seek(SeekFrom::Start(0)).map_err(|_| VerifyError::NotReadable)?;
    Ok(Some((Glances { counts, margins, consistent, statistics, density, lines }, rows)))
}

/// Compares totals that were made again from the table of counts with those that were delivered.
fn check_totals(
    folder: &Path,
    sound: &[&str],
    author: Author<'_>,
    (table, rows, layout): (TotalsTable, Option<RecordBatch>, FileLayout),
    verdict: &mut Verdict,
) -> Result<Option<Glance>, VerifyError> {
    let Some(rows) = rows else { return Ok(None) };
    let (right, wrong) = match table {
        TotalsTable::Margins => ("adds up the table of counts", "does not add up the table of counts"),
        TotalsTable::Consistent => {
            ("is what the table of counts makes, and adds up", "is not what the table of counts makes")
        }
        TotalsTable::Statistics => ("is what the table of counts makes", "is not what the table of counts makes"),
    };
    let mut text = CsvText::bare();
    let mut again = text.header(&rows.schema()).to_vec();
    again.extend_from_slice(text.rows(&rows).map_err(|_| VerifyError::NotReadable)?);
    let mut good = true;
    for name in sound.iter().filter(|name| stem_of(name) == Some(table.stem())) {
        let path = folder.join(name);
        let file = match format_of(name) {
            Some(Format::Csv) => bare_csv(&path, &layout).ok(),
            Some(Format::Parquet | Format::Arrow) => as_csv(&path, (&rows.schema(), &layout), author, &|_| false).ok(),
            Some(Format::Xlsx) | None => None,
        };
        let mut found = Vec::new();
        let read = file.and_then(|file| file.take(again.len() as u64 + 1).read_to_end(&mut found).ok());
        let same = read.is_some() && found == again;
        good &= same;
        verdict.judged(
            "sums",
            match same {
                true => Ok(format!("{name} {right}")),
                false => Err(format!("{name} {wrong}")),
            },
        );
    }
    let mut glance = Glance::new(rows.schema().fields().iter().map(|field| field.name().clone()).collect());
    glance.see_batch(&rows).map_err(|_| VerifyError::NotReadable)?;
    Ok(good.then_some(glance))
}

struct Hashing<'h>(&'h mut Sha256);

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a Parquet or Arrow file may be wrong in.
const OTHER_COLUMNS: &str = "does not have the columns and types of the request";
const OTHER_BOUNDS: &str = "has bounds beside a label that are not the label's";
const OTHER_BYTES: &str = "is not byte for byte what incrowd writes for its rows";

const NOT_CSV: &str = "is not CSV as incrowd writes it";
const NO_ROOM: &str = "could not be read for want of room for temporary files";

fn format_of(name: &str) -> Option<Format> {
    Format::ALL.into_iter().find(|format| name.rsplit('.').next() == Some(format.as_str()))
}

/// Returns the rows of a CSV file without its spelling, or what is wrong with it.
pub(super) fn bare_csv(path: &Path, layout: &FileLayout) -> Result<File, &'static str> {
    let file = files::open(path).map_err(|_| "cannot be read")?;
    if layout.spelling == Spelling::BARE {
        return Ok(file);
    }
    let mut output = io::BufWriter::with_capacity(1 << 18, tempfile::tempfile().map_err(|_| NO_ROOM)?);
    let read = unspelt(BufReader::with_capacity(1 << 18, file), &layout.spelling, layout.places, &mut output);
    read.map_err(|problem| match problem {
        NotUnspelt::NotCsv => NOT_CSV,
        NotUnspelt::NoRoom => NO_ROOM,
    })?;
    rewound(output)
}

/// Returns the rows of a Parquet or Arrow file as bare CSV, or what is wrong with it.
///
/// The file is written again and must be the same byte for byte, so that nothing is hidden between its rows; of another
/// version of incrowd, whose libraries may have written otherwise, it must only have no words of its own. What stands
/// beside keys must follow from them.
fn as_csv(
    path: &Path,
    (expected, layout): (&SchemaRef, &FileLayout),
    author: Author<'_>,
    is_found: &dyn Fn(usize) -> bool,
) -> Result<File, &'static str> {
    let typed = layout.beside.schema(expected);
    let (schema, batches) = batches(path, &typed, is_found).ok_or(OTHER_COLUMNS)?;
    let own = Arc::new(schema.project(&layout.beside.places(schema.fields().len())).map_err(|_| OTHER_COLUMNS)?);
    let format = path.extension().and_then(|extension| format_of(extension.to_str()?));
    let mut again = match (author, format) {
        (Author::This, Some(format)) => Some(Again::new(format, &own, layout.clone()).map_err(|_| OTHER_BYTES)?),
        (Author::This, None) | (Author::Another(_), _) => None,
    };
    let mut text = CsvText::bare();
    let mut output = io::BufWriter::with_capacity(1 << 18, tempfile::tempfile().map_err(|_| NO_ROOM)?);
    output.write_all(text.header(&own)).map_err(|_| NO_ROOM)?;
    for batch in batches {
        let batch = batch.ok_or(OTHER_COLUMNS)?;
        let rows = layout.beside.without(&batch).ok_or(OTHER_COLUMNS)?;
        let rows = RecordBatch::try_new(Arc::clone(&own), rows.columns().to_vec()).map_err(|_| OTHER_COLUMNS)?;
        let same = layout.beside.rows(&rows).is_some_and(|again| again.columns() == batch.columns());
        if !same {
            return Err(OTHER_BOUNDS);
        }
        if let Some(again) = &mut again {
            again.write(&rows).map_err(|_| OTHER_BYTES)?;
        }
        output.write_all(text.rows(&rows).map_err(|_| OTHER_COLUMNS)?).map_err(|_| NO_ROOM)?;
    }
    if let Some(again) = again {
        let written = again.finish().map_err(|_| OTHER_BYTES)?;
        let there = files::open(path).ok().and_then(|file| hash(file).ok());
        if there.as_ref() != Some(&written) {
            return Err(OTHER_BYTES);
        }
    }
    rewound(output)
}

fn rewound(output: io::BufWriter<File>) -> Result<File, &'static str> {
    let mut file = output.into_inner().map_err(|_| NO_ROOM)?;
    file.seek(SeekFrom::Start(0)).map_err(|_| NO_ROOM)?;
    Ok(file)
}

type Batches = Box<dyn Iterator<Item = Option<RecordBatch>>>;

/// The one key of a Parquet file's own words: its columns as Arrow knows them.
const PARQUET_SCHEMA: &str = "ARROW:schema";

/// Returns the columns of a file as incrowd writes them, and its rows; nothing if it has other columns, or words of its
/// own.
fn batches(path: &Path, expected: &SchemaRef, is_found: &dyn Fn(usize) -> bool) -> Option<(SchemaRef, Batches)> {
    let file = files::open(path).ok()?;
    if path.extension()? == "parquet" {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).ok()?;
        let words = builder.metadata().file_metadata().key_value_metadata();
        let own = words.is_none_or(|words| words.iter().all(|word| word.key == PARQUET_SCHEMA));
        let schema = own.then(|| with_columns(builder.schema(), expected, is_found))??;
        let reader = builder.with_batch_size(8192).build().ok()?;
        Some((schema, Box::new(reader.map(Result::ok))))
    } else {
        let reader = arrow_ipc::reader::FileReader::try_new_buffered(file, None).ok()?;
        let own = reader.custom_metadata().is_empty();
        let schema = own.then(|| with_columns(&reader.schema(), expected, is_found))??;
        Some((schema, Box::new(reader.map(Result::ok))))
    }
}

/// Returns the table's columns with the types of found keys, which may be any that a key can have; nothing if the file
/// has other columns, or says anything beside them.
fn with_columns(has: &SchemaRef, expected: &SchemaRef, is_found: &dyn Fn(usize) -> bool) -> Option<SchemaRef> {
    if has.fields().len() != expected.fields().len() || !has.metadata().is_empty() {
        return None;
    }
    let column = |(at, (has, wants)): (usize, (&FieldRef, &FieldRef))| {
        let found = is_found(at) && is_key_type(has.data_type()) && has.data_type() != &DataType::LargeUtf8;
        let same = has.name() == wants.name() && has.metadata().is_empty();
        let kind = if found { has.data_type() } else { wants.data_type() };
        (same && has.data_type() == kind).then(|| Field::new(wants.name(), kind.clone(), wants.is_nullable()))
    };
    let columns = has.fields().iter().zip(expected.fields()).enumerate().map(column).collect::<Option<Vec<_>>>()?;
    Some(Arc::new(Schema::new(columns)))
}
