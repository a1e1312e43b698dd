//! The files of a folder: all that are listed, none that is not, each with its hash, all with the same rows.
//!
//! Parquet and Arrow files are written as CSV again and compared byte for byte; a file whose hash differs is not read any
//! further, and must never be. It is separate because files are opened here and nowhere else. Read `contents.rs` next.

use super::{Verdict, VerifyError, contents, report};
use crate::glance::Glance;
use crate::margins::Margins;
use crate::page::page;
use crate::plan::Plan;
use crate::request::Format;
use crate::table::Table;
use crate::write::{CsvText, Glances, hex};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use incrowd_counts::is_key_type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Files that every folder has.
const ALWAYS: [&str; 2] = ["certificate.json", "report.html"];

/// Checks the tables of a folder.
pub(super) fn check(
    folder: &Path,
    json: &Value,
    plan: Option<&Plan>,
    verdict: &mut Verdict,
) -> Result<(), VerifyError> {
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
        let path = folder.join(name);
        if !path.is_file() {
            verdict.failed("table hash", format!("{name} is missing"));
            continue;
        }
        if hash(&path)? == *sha256 {
            verdict.passed("table hash", format!("{name} is as certified"));
            sound.push(*name);
        } else {
            verdict.failed("table hash", format!("{name} is not what was certified"));
        }
    }
    let Some(plan) = plan else { return Ok(()) };
    let Ok(mut table) = Table::of(plan) else {
        verdict.failed("table contents", "the request has no table");
        return Ok(());
    };
    check_listed(&listed, plan, verdict);
    if let Some(glances) = check_contents(folder, &sound, plan, &mut table, verdict)? {
        // The report says what the certificate and the table say, or it is not the report of this release.
        report::check(folder, json, || page(plan, json, &glances), verdict);
    }
    Ok(())
}

/// Returns which table a file holds: counts or margins.
fn stem_of(name: &str) -> Option<&'static str> {
    let (stem, format) = name.split_once('.')?;
    let known = Format::ALL.iter().any(|known| known.as_str() == format);
    ["counts", "margins", "rows", "points"].into_iter().find(|table| known && *table == stem)
}

/// Every release has a table of counts; one with totals has them in the same formats, and no other has any.
fn check_listed(listed: &[(&str, &str)], plan: &Plan, verdict: &mut Verdict) {
    let formats = |table: &str| -> BTreeSet<&str> {
        let files = listed.iter().filter(|(name, _)| stem_of(name) == Some(table));
        files.filter_map(|(name, _)| name.rsplit('.').next()).collect()
    };
    let main = plan.main_table();
    let others = ["counts", "rows", "points"].into_iter().filter(|table| *table != main);
    let (counts, margins) = (formats(main), formats("margins"));
    let wanted = if Margins::of(plan).is_some() { counts.clone() } else { BTreeSet::new() };
    let margins = others.map(formats).find(|other| !other.is_empty()).unwrap_or(margins);
    verdict.judged(
        "tables",
        match !counts.is_empty() && margins == wanted {
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

fn hash(path: &Path) -> Result<String, VerifyError> {
    let mut file = File::open(path).map_err(|_| VerifyError::NotReadable)?;
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
    plan: &Plan,
    table: &mut Table<'_>,
    verdict: &mut Verdict,
) -> Result<Option<Glances>, VerifyError> {
    let mut texts = Vec::new();
    let main = plan.main_table();
    let schema = if plan.publishes_rows() { table.key_schema() } else { table.schema() };
    for name in sound.iter().filter(|name| stem_of(name) == Some(main)) {
        let path = folder.join(name);
        let text = match name.ends_with(".csv") {
            true => File::open(&path).ok(),
            false => as_csv(&path, &schema, &|column| table.is_found(column)),
        };
        let Some(mut text) = text else {
            verdict.failed("table contents", format!("{name} does not have the columns and types of the request"));
            continue;
        };
        let mut hash = Sha256::new();
        let rewound = io::copy(&mut text, &mut Hashing(&mut hash)).and_then(|_| text.seek(SeekFrom::Start(0)));
        rewound.map_err(|_| VerifyError::NotReadable)?;
        texts.push((name, hex(hash), text));
    }
    let Some((name, first, text)) = texts.first_mut() else { return Ok(None) };
    let text = BufReader::with_capacity(1 << 18, text);
    let checked = match plan.publishes_rows() {
        true => contents::check_rows(text, plan, table).map(|(glance, density)| (glance, None, density, Vec::new())),
        false => contents::check(text, plan, table).map(|(glance, margins, lines)| (glance, margins, None, lines)),
    };
    let checked = match checked {
        Ok((glance, margins, density, lines)) if plan.points.is_some() => {
            let said = "all on the grid of the request, in the order of their coordinates";
            verdict.passed("table contents", format!("{name}: {} points; {said}", glance.sum));
            Some((glance, margins, density, lines))
        }
        Ok((glance, margins, density, lines)) if plan.publishes_rows() => {
            let said = format!("each kind is shared by at least {} people, in order", plan.worst_crowd());
            verdict.passed("table contents", format!("{name}: {} rows of {} kinds; {said}", glance.sum, glance.length));
            Some((glance, margins, density, lines))
        }
        Ok((glance, margins, density, lines)) => {
            let said = "order, keys, statuses, intervals and estimates are as the plan allows";
            verdict.passed("table contents", format!("{name}: {} rows; {said}", glance.length));
            Some((glance, margins, density, lines))
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
    let margins = match margins {
        None => None,
        Some(margins) => match check_margins(folder, sound, plan, &margins, verdict)? {
            Some(glance) => Some(glance),
            None => return Ok(None),
        },
    };
    let density = density.map(|density| (density.glance(), density.outside()));
    Ok(Some(Glances { counts, margins, density, lines }))
}

/// Adds up the table of counts again and compares with the totals that were delivered.
fn check_margins(
    folder: &Path,
    sound: &[&str],
    plan: &Plan,
    margins: &Margins,
    verdict: &mut Verdict,
) -> Result<Option<Glance>, VerifyError> {
    let Some(rows) = margins.rows(&plan.request.bins) else { return Ok(None) };
    let mut text = CsvText::new();
    let mut again = text.header(&rows.schema()).to_vec();
    again.extend_from_slice(text.rows(&rows).map_err(|_| VerifyError::NotReadable)?);
    let mut good = true;
    for name in sound.iter().filter(|name| stem_of(name) == Some("margins")) {
        let path = folder.join(name);
        let file = match name.ends_with(".csv") {
            true => File::open(&path).ok(),
            false => as_csv(&path, &rows.schema(), &|_| false),
        };
        let mut found = Vec::new();
        let read = file.and_then(|file| file.take(again.len() as u64 + 1).read_to_end(&mut found).ok());
        let same = read.is_some() && found == again;
        good &= same;
        verdict.judged(
            "sums",
            match same {
                true => Ok(format!("{name} adds up the table of counts")),
                false => Err(format!("{name} does not add up the table of counts")),
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

/// Returns the rows of a Parquet or Arrow file as CSV; nothing if it is not such a file, or has other columns.
fn as_csv(path: &Path, schema: &SchemaRef, is_found: &dyn Fn(usize) -> bool) -> Option<File> {
    let mut text = CsvText::new();
    let mut output = io::BufWriter::with_capacity(1 << 18, tempfile::tempfile().ok()?);
    for batch in batches(path, schema, is_found)? {
        let batch = batch?;
        if output.stream_position().ok()? == 0 {
            output.write_all(text.header(&batch.schema())).ok()?;
        }
        output.write_all(text.rows(&batch).ok()?).ok()?;
    }
    if output.stream_position().ok()? == 0 {
        output.write_all(text.header(schema)).ok()?;
    }
    let mut file = output.into_inner().ok()?;
    file.seek(SeekFrom::Start(0)).ok()?;
    Some(file)
}

type Batches = Box<dyn Iterator<Item = Option<RecordBatch>>>;

fn batches(path: &Path, expected: &SchemaRef, is_found: &dyn Fn(usize) -> bool) -> Option<Batches> {
    let file = File::open(path).ok()?;
    if path.extension()? == "parquet" {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).ok()?;
        has_columns(builder.schema(), expected, is_found).then_some(())?;
        let reader = builder.with_batch_size(8192).build().ok()?;
        Some(Box::new(reader.map(Result::ok)))
    } else {
        let reader = arrow_ipc::reader::FileReader::try_new_buffered(file, None).ok()?;
        has_columns(&reader.schema(), expected, is_found).then_some(())?;
        Some(Box::new(reader.map(Result::ok)))
    }
}

/// Whether columns have the names and types of the table; found keys may have any type that a key can have.
fn has_columns(schema: &SchemaRef, expected: &SchemaRef, is_found: &dyn Fn(usize) -> bool) -> bool {
    let same = schema.fields().iter().zip(expected.fields()).enumerate().all(|(at, (has, wants))| {
        let found = is_found(at) && is_key_type(has.data_type()) && has.data_type() != &DataType::LargeUtf8;
        has.name() == wants.name() && (found || has.data_type() == wants.data_type())
    });
    same && schema.fields().len() == expected.fields().len()
}
