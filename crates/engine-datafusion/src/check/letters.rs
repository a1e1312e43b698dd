//! What the bytes of a text file are, where they are not the letters that the request says.
//!
//! It must never look further than what it is given. It is separate because it knows bytes and no rows. Read
//! `diagnosis.rs` for who asks.

/// Bytes that Windows-1252 has no letter for.
const NO_LETTERS: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
/// So many characters of a line are shown.
const SHOWN: usize = 60;

/// What is wrong with the letters of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LettersFault {
    /// Two bytes for each letter; the name of the encoding.
    Utf16(&'static str),
    /// A byte of zero on a line.
    Nul { line: u64 },
    /// A byte that is no letter of UTF-8.
    NotUtf8(WrongByte),
}

/// A byte that is no letter of UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WrongByte {
    pub(super) line: u64,
    /// Its place in the line, from 1.
    pub(super) place: u64,
    pub(super) byte: u8,
    /// The line, read as Windows-1252; nothing if it has bytes that are no letters there.
    pub(super) reads: Option<String>,
}

/// Returns what is wrong with bytes that should be UTF-8; nothing if they are, up to a letter that is cut at the end.
pub(super) fn fault(bytes: &[u8]) -> Option<LettersFault> {
    if let Some(encoding) = utf16(bytes) {
        return Some(LettersFault::Utf16(encoding));
    }
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_some() => {
            Some(LettersFault::NotUtf8(wrong_byte(bytes, error.valid_up_to())))
        }
        Ok(_) | Err(_) => {
            let zero = bytes.iter().position(|byte| *byte == 0)?;
            Some(LettersFault::Nul { line: line_of(bytes, zero) })
        }
    }
}

/// Returns the encoding of a text with two bytes for each letter: by its mark, or because every second byte is zero.
fn utf16(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Some("utf-16");
    }
    let begin = &bytes[..bytes.len().min(1 << 12)];
    let zeros = |from: usize| begin.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), begin.len() / 2);
    match () {
        () if pairs < 2 => None,
        () if odd * 10 >= pairs * 7 && even * 10 <= pairs => Some("utf-16le"),
        () if even * 10 >= pairs * 7 && odd * 10 <= pairs => Some("utf-16be"),
        () => None,
    }
}

fn wrong_byte(bytes: &[u8], at: usize) -> WrongByte {
    let begin = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let end =
        bytes[at..].iter().position(|byte| matches!(byte, b'\r' | b'\n')).map_or(bytes.len(), |length| at + length);
    let line = &bytes[begin..end];
    let is_letters = !line.iter().any(|byte| NO_LETTERS.contains(byte));
    WrongByte {
        line: line_of(bytes, at),
        place: (at - begin + 1) as u64,
        byte: bytes[at],
        reads: is_letters.then(|| line.iter().take(SHOWN).map(|byte| windows_1252(*byte)).collect()),
    }
}

fn line_of(bytes: &[u8], at: usize) -> u64 {
    1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count() as u64
}

fn windows_1252(byte: u8) -> char {
    // What Windows-1252 has in the place of controls, from 0x80 on.
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        byte => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_other_encodings_are_told_apart() {
        assert_eq!(fault("Zürich €".as_bytes()), None);
        assert_eq!(fault(&"Zürich €".as_bytes()[..2]), None, "a letter that is cut at the end");
        assert_eq!(fault(b"\xff\xfea\0"), Some(LettersFault::Utf16("utf-16")));
        let wide: Vec<u8> = "town,land\nBern,CH\n".bytes().flat_map(|byte| [byte, 0]).collect();
        assert_eq!(fault(&wide), Some(LettersFault::Utf16("utf-16le")));
        let wide: Vec<u8> = "town,land\nBern,CH\n".bytes().flat_map(|byte| [0, byte]).collect();
        assert_eq!(fault(&wide), Some(LettersFault::Utf16("utf-16be")));
        assert_eq!(fault(b"town\nBe\0rn\n"), Some(LettersFault::Nul { line: 2 }));
        let expected = WrongByte { line: 2, place: 2, byte: 0xfc, reads: Some("Zürich €".into()) };
        assert_eq!(fault(b"town\nZ\xfcrich \x80\r\n"), Some(LettersFault::NotUtf8(expected)));
        let Some(LettersFault::NotUtf8(unknown)) = fault(b"a\x81\xfc") else { panic!("not UTF-8") };
        assert_eq!((unknown.line, unknown.place, unknown.reads), (1, 2, None));
    }
}
