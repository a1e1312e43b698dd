//! Files whose scan failed, looked through again for the cause.
//!
//! By a walk of our own that goes on behind damage; what is advised was tried on the whole data. It must never be taken
//! for what a release reads. It is separate from the words for it, and from files that do not even begin well. Read
//! `damage.rs` for the words, `beginning.rs` for those files, `letters.rs` for bytes, `records.rs` for lines.

use super::advice::{Advice, Change};
use super::damage::{Damage, DamageKind};
use super::damaged_letters::damaged_letters;
use super::findings::{Spot, SpotInFile};
use super::letters::{LettersFault, fault};
use super::locate::{RowsSeen, fields_of, file_name};
use super::opened_text::opened_text;
use super::packed::broken_packing;
use super::records::{FieldOverLines, RecordSeen, WalkEnd, each_record};
use crate::file::bytes::open;
use crate::file::lines::behind_lines;
use crate::file::{LONGEST_RECORD, Signs};
use crate::ready::Ready;
use crate::scan::partitions;
use crate::source::{Files, Format, OneFile};
use datafusion_execution::TaskContext;
use futures::StreamExt;
use incrowd_engine::{BadRows, Dialect, Encoding, Quote, Unwatched};
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

/// So much of a file is looked at at a time.
const CHUNK: u64 = 1 << 20;
/// So many faults are told.
const MOST_FAULTS: usize = 8;

/// Whether the data can be read to its end in a dialect.
pub(super) type Reads<'r> = &'r dyn Fn(Dialect) -> bool;

/// Returns what is wrong with files whose scan failed.
pub(super) fn of_files(ready: &Ready, reads: Reads<'_>) -> Vec<Damage> {
    let mut found = Vec::new();
    for (place, file) in ready.files.files.iter().enumerate() {
        let damage = broken_packing(file, file_name(&ready.files, place)).or_else(|| match ready.files.format {
            Format::Csv | Format::Tsv => of_text(&ready.files, place, file, reads),
            Format::Json | Format::Parquet | Format::Arrow | Format::Xlsx | Format::Ods | Format::Sqlite => {
                of_rows(ready, place, file)
            }
        });
        found.extend(damage);
        if found.len() >= MOST_FAULTS {
            break;
        }
    }
    if found.is_empty() {
        found.push(Damage { kind: DamageKind::Unknown, spot: None, advice: None });
    }
    found
}

/// What is wrong with a text of fields between signs.
fn of_text(files: &Files, place: usize, file: &OneFile, reads: Reads<'_>) -> Option<Damage> {
    let name = file_name(files, place);
    if files.dialect.encoding == Encoding::UTF_8
        && let Some((mut damage, encoding)) = wrong_letters(file, files.dialect.skip_lines, name.clone())
    {
        let other = encoding.map(|encoding| Dialect { encoding, ..files.dialect.clone() });
        damage.advice = damage.advice.and_then(|advice| tried(advice, other?, reads));
        return Some(damage);
    }
    let line = |line: u64| Some(Spot { file: name.clone(), place: SpotInFile::Line(line) });
    let signs = Signs::of(files.format, &files.dialect);
    let (mut rows, mut ragged, mut long) = (RowsSeen::of(files), None, None);
    let (mut torn, mut all_torn) = (None, 0u64);
    let columns = fields_of(files);
    let walked = each_record(opened_text(file, files).ok()?, files.dialect.skip_lines, signs, |record| {
        if record.bytes > LONGEST_RECORD as u64 {
            long = long.or(Some(record));
        }
        let before = rows.uneven;
        rows.row(record);
        if rows.uneven > before {
            ragged = ragged.or(Some(record));
        }
        if let Some(field) = record.over_lines.filter(|field| field.is_torn) {
            torn = torn.or(Some((record, field)));
            all_torn += 1;
        }
        ControlFlow::Continue(())
    });
    let quoted = |kind: DamageKind, line: Option<Spot>| {
        let by_hand = vec![Change::ByHand("close the quote in the file".into())];
        let because = "a quote is open".to_owned();
        let closed = Advice { because, ways: vec![by_hand.clone()], helped: None };
        let because = "quotes mean nothing in this file?".to_owned();
        let none = Advice { because, ways: vec![vec![Change::text("quote", "none")]], helped: None };
        let mut advice = tried(none, Dialect { quote: Quote::None, ..files.dialect.clone() }, reads).unwrap_or(closed);
        // There are other quotes, which may be meant.
        if let DamageKind::LateQuote { .. } = kind
            && !advice.ways.contains(&by_hand)
        {
            advice.ways.insert(0, by_hand);
        }
        Damage { kind, spot: line, advice: Some(advice) }
    };
    // A quote that hides rows spoils what comes behind it: told first, but for another fault before it.
    let is_before = |other: &Option<RecordSeen>, at: u64| other.is_none_or(|other| at <= other.line);
    if let Some((record, field)) = torn
        && is_before(&ragged, record.line)
        && is_before(&long, record.line)
    {
        let FieldOverLines { opened, closed, .. } = field;
        let kind = DamageKind::LateQuote { closed, lines: closed - opened + 1, fields: all_torn };
        return Some(quoted(kind, line(opened)));
    }
    let open = |at: u64| Some(quoted(DamageKind::OpenQuote, line(at)));
    match (walked, long, ragged) {
        // Behind an open quote everything is one field: what comes before is told first only if it is another fault.
        (Ok(WalkEnd::OpenQuote { line: at }), _, None) => open(at),
        (Ok(WalkEnd::OpenQuote { line: at }), _, Some(first)) if at <= first.line => open(at),
        (_, Some(record), None) => {
            let by_hand = vec![Change::ByHand("shorten the record, or close a quote that is open, in the file".into())];
            let because = "no record may be so long".to_owned();
            let advice = Some(Advice { because, ways: vec![by_hand], helped: None });
            Some(Damage { kind: DamageKind::TooLong, spot: line(record.line), advice })
        }
        (Ok(_), _, Some(first)) => {
            let kind = DamageKind::Ragged { fields: first.fields, expected: columns, rows: rows.uneven };
            let skipped = if rows.uneven == 1 { "1 row is".to_owned() } else { format!("{} rows are", rows.uneven) };
            let way = vec![Change::text("on-bad-row", BadRows::Skip.as_str())];
            let advice = Advice { because: format!("{skipped} left out then"), ways: vec![way], helped: None };
            let advice = tried(advice, Dialect { bad_rows: BadRows::Skip, ..files.dialect.clone() }, reads);
            Some(Damage { kind, spot: line(first.line), advice })
        }
        (Err(_), _, _) => Some(Damage { kind: DamageKind::Broken, spot: None, advice: None }),
        (Ok(_), _, None) => None,
    }
}

/// Returns an advice whose dialect lets the data be read to its end; nothing for any other.
fn tried(mut advice: Advice, dialect: Dialect, reads: Reads<'_>) -> Option<Advice> {
    advice.because.push_str("; the data can be read to its end then");
    reads(dialect).then_some(advice)
}

/// Looks for the first byte of a file that is no letter of UTF-8, and for the encoding that it may have.
fn wrong_letters(file: &OneFile, skipped: u64, name: Option<String>) -> Option<(Damage, Option<Encoding>)> {
    let mut source = behind_lines(open(file, Arc::new(Unwatched)).ok()?, skipped);
    let (mut chunk, mut lines) = (Vec::new(), skipped);
    loop {
        let before = chunk.len();
        let read = source.by_ref().take(CHUNK).read_to_end(&mut chunk).ok()?;
        match fault(&chunk) {
            Some(LettersFault::Nul { .. }) | None => {}
            Some(found) => return Some(damaged_letters(found, lines, name)),
        }
        if read == 0 {
            return None;
        }
        // A line goes on in the next chunk.
        let kept = chunk[before..].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| before + at + 1);
        lines += chunk[..kept].iter().filter(|byte| **byte == b'\n').count() as u64;
        chunk.drain(..kept);
        if chunk.len() > LONGEST_RECORD {
            return None;
        }
    }
}

/// What is wrong with a file that is read row by row: behind which row the scan ends.
fn of_rows(ready: &Ready, place: usize, file: &OneFile) -> Option<Damage> {
    let name = file_name(&ready.files, place);
    let files = ready.files.only(file);
    let at = |row: u64| SpotInFile::Row(row);
    let spot = |row: u64| {
        let place = if ready.files.format == Format::Json { SpotInFile::Object(row) } else { at(row) };
        Some(Spot { file: name.clone(), place })
    };
    let opened = partitions(&files, Arc::clone(&ready.wanted), 1, 1, Arc::new(Unwatched));
    let Ok((_, streams)) = opened else {
        return Some(Damage { kind: DamageKind::Broken, spot: spot(1), advice: None });
    };
    let mut rows = 0u64;
    for stream in streams {
        let mut stream = stream.execute(Arc::new(TaskContext::default()));
        while let Some(batch) = futures::executor::block_on(stream.next()) {
            match batch {
                Ok(batch) => rows += batch.num_rows() as u64,
                Err(_) => return Some(Damage { kind: DamageKind::Broken, spot: spot(rows + 1), advice: None }),
            }
        }
    }
    None
}

/// Returns how many rows of text files have too few or too many fields and are left out.
pub(super) fn bad_rows(files: &Files) -> u64 {
    let is_text = matches!(files.format, Format::Csv | Format::Tsv);
    let Dialect { bad_rows: BadRows::Skip, .. } = files.dialect else { return 0 };
    if !is_text {
        return 0;
    }
    let of_file = |file: &OneFile| {
        let mut rows = RowsSeen::of(files);
        let text = opened_text(file, files).ok()?;
        let signs = Signs::of(files.format, &files.dialect);
        let walked = each_record(text, files.dialect.skip_lines, signs, |record| {
            rows.row(record);
            ControlFlow::Continue(())
        });
        walked.ok().map(|_| rows.uneven)
    };
    files.files.iter().filter_map(of_file).sum()
}
