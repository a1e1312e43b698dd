//! Letters that are wrong, as damage with a place and an advice.
//!
//! It must never name an encoding that the bytes do not speak for. It is separate because beginnings and whole files are
//! looked at alike. Read `letters.rs` for what is wrong with bytes.

use super::advice::{Advice, Change};
use super::damage::{Damage, DamageKind};
use super::findings::{Spot, SpotInFile};
use super::letters::LettersFault;
use incrowd_engine::Encoding;

/// Returns the words for letters that are wrong behind so many lines, and the encoding that they may have.
pub(super) fn damaged_letters(fault: LettersFault, lines: u64, file: Option<String>) -> (Damage, Option<Encoding>) {
    let line = |line: u64| Some(Spot { file: file.clone(), place: SpotInFile::Line(lines + line) });
    let known = |name: &str| Encoding::ALL.into_iter().find(|encoding| encoding.as_str() == name);
    let advice = |because: &str, encoding: Encoding| Advice {
        because: because.to_owned(),
        ways: vec![vec![Change::text("encoding", encoding.as_str())]],
        helped: None,
    };
    match fault {
        LettersFault::Utf16(name) => {
            let encoding = known(name);
            let spot = file.clone().map(|file| Spot { file: Some(file), place: SpotInFile::Line(1) });
            let advice = encoding.map(|encoding| advice("this is not UTF-8", encoding));
            (Damage { kind: DamageKind::Utf16, spot, advice }, encoding)
        }
        LettersFault::Nul { line: at } => {
            let change = Change::ByHand("write the file again without bytes of zero".into());
            let because = "no text has a byte of zero".to_owned();
            let advice = Advice { because, ways: vec![vec![change]], helped: None };
            (Damage { kind: DamageKind::Nul, spot: line(at), advice: Some(advice) }, None)
        }
        LettersFault::NotUtf8(wrong) => {
            let encoding = wrong.reads.as_ref().and_then(|_| known("windows-1252"));
            let because = "this is not UTF-8; it reads as windows-1252, if the line above looks right";
            let advice = encoding.map(|encoding| advice(because, encoding));
            let reads = wrong.reads.unwrap_or_default();
            let kind = DamageKind::NotUtf8 { byte: wrong.byte, place: wrong.place, reads };
            (Damage { kind, spot: line(wrong.line), advice }, encoding)
        }
    }
}
