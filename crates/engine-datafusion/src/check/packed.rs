//! Packed files that do not unpack to their ends.
//!
//! Looked for only where data could not be read. It must never take a file for whole that its own sums do not. It is
//! separate because every format may be packed, and none of them can tell. Read `diagnosis.rs` for who asks.

use super::advice::{Advice, Change};
use super::damage::{Damage, DamageKind};
use super::findings::{Spot, SpotInFile};
use crate::file::Compression;
use crate::file::bytes::open;
use crate::source::OneFile;
use incrowd_engine::Unwatched;
use std::io;
use std::sync::Arc;

/// Returns what is wrong with a packed file; nothing if it unpacks to its end, or is not packed.
pub(super) fn broken_packing(file: &OneFile, name: Option<String>) -> Option<Damage> {
    if file.compression == Compression::Plain {
        return None;
    }
    let unpacked = open(file, Arc::new(Unwatched)).and_then(|mut bytes| io::copy(&mut bytes, &mut io::sink()));
    Some(not_unpacked(&unpacked.err()?, file, name))
}

/// Returns the damage of a file whose bytes could not be read for this reason.
pub(super) fn not_unpacked(error: &io::Error, file: &OneFile, name: Option<String>) -> Damage {
    let spot = name.map(|name| Spot { file: Some(name), place: SpotInFile::End });
    let test = match file.compression {
        Compression::Plain => return Damage { kind: DamageKind::Broken, spot, advice: None },
        Compression::Gzip => "gzip -t",
        Compression::Zstandard => "zstd -t",
        Compression::Zip => "unzip -t",
    };
    let (kind, because) = match error.kind() {
        io::ErrorKind::UnexpectedEof => (DamageKind::CutOff, "its end is missing"),
        _ => (DamageKind::PackedBadly, "some of its bytes are not what was packed"),
    };
    let again = Change::ByHand(format!("copy or download the file again, or pack it again; `{test} FILE` tests it"));
    let advice = Advice { because: because.to_owned(), ways: vec![vec![again]], helped: None };
    Damage { kind, spot, advice: Some(advice) }
}
