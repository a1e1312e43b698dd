//! The letters of a file, from the encoding that the request names to UTF-8.
//!
//! It must never put a sign in the place of bytes that are no letter: they are damage, told when they are reached and
//! not before. It is separate from `bytes.rs` because only texts have letters. Read `signs.rs` next.

use incrowd_engine::Encoding;
use std::io::{self, Read};

/// How much is decoded at a time.
const STEP: usize = 1 << 16;

/// The name under which the mark tells the order of bytes.
const EITHER_ORDER: &str = "utf-16";

/// The mark before UTF-16 whose high bytes come first.
const HIGH_FIRST: &[u8] = &[0xfe, 0xff];

/// Returns the same text in UTF-8, with the mark before it if there is one. UTF-8 itself is not looked at here: who
/// reads it checks it.
pub(crate) fn in_utf8(source: Box<dyn Read + Send>, encoding: Encoding) -> Box<dyn Read + Send> {
    if encoding == Encoding::UTF_8 {
        return source;
    }
    let input = Input { bytes: vec![0; STEP], taken: 0, filled: 0, is_whole: false };
    let state = State::Unknown(encoding);
    Box::new(Decoded { source, state, input, letters: vec![0; STEP], taken: 0, filled: 0 })
}

struct Decoded {
    source: Box<dyn Read + Send>,
    state: State,
    input: Input,
    letters: Vec<u8>,
    taken: usize,
    filled: usize,
}

struct Input {
    bytes: Vec<u8>,
    taken: usize,
    filled: usize,
    /// Whether there is no more to read.
    is_whole: bool,
}

enum State {
    /// Nothing was read yet.
    Unknown(Encoding),
    Decoding(Box<encoding_rs::Decoder>),
    /// Behind bytes that are no letter.
    Damaged,
    Ended,
}

impl Decoded {
    fn step(&mut self) -> io::Result<()> {
        match &mut self.state {
            State::Unknown(encoding) => {
                let encoding = *encoding;
                // The mark is two bytes, which may come one by one.
                while self.input.filled < HIGH_FIRST.len() && !self.input.is_whole {
                    self.input.fill(&mut self.source)?;
                }
                let begun = &self.input.bytes[..self.input.filled];
                self.state = match decoder(encoding, begun) {
                    Some(decoder) => State::Decoding(Box::new(decoder)),
                    None => State::Damaged,
                };
            }
            State::Decoding(decoder) => {
                if self.input.taken == self.input.filled && !self.input.is_whole {
                    (self.input.taken, self.input.filled) = (0, 0);
                    self.input.fill(&mut self.source)?;
                }
                let bytes = &self.input.bytes[self.input.taken..self.input.filled];
                let (result, read, written) =
                    decoder.decode_to_utf8_without_replacement(bytes, &mut self.letters, self.input.is_whole);
                self.input.taken += read;
                (self.taken, self.filled) = (0, written);
                match result {
                    encoding_rs::DecoderResult::InputEmpty if self.input.is_whole => self.state = State::Ended,
                    encoding_rs::DecoderResult::InputEmpty | encoding_rs::DecoderResult::OutputFull => {}
                    encoding_rs::DecoderResult::Malformed(_, _) => self.state = State::Damaged,
                }
            }
            State::Damaged => return Err(io::ErrorKind::InvalidData.into()),
            State::Ended => {}
        }
        Ok(())
    }
}

impl Input {
    fn fill(&mut self, source: &mut dyn Read) -> io::Result<()> {
        let read = source.read(&mut self.bytes[self.filled..])?;
        self.filled += read;
        self.is_whole = read == 0;
        Ok(())
    }
}

/// Returns the decoder of a file that begins so. `utf-16` has the low byte first, unless its mark says otherwise.
fn decoder(encoding: Encoding, begun: &[u8]) -> Option<encoding_rs::Decoder> {
    let known = if encoding.as_str() == EITHER_ORDER && begun.starts_with(HIGH_FIRST) {
        encoding_rs::UTF_16BE
    } else {
        encoding_rs::Encoding::for_label(encoding.as_str().as_bytes())?
    };
    // The mark goes on as a letter, and is taken away where that of UTF-8 is.
    Some(known.new_decoder_without_bom_handling())
}

impl Read for Decoded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.filled && !matches!(self.state, State::Ended) {
            self.step()?;
        }
        let read = (self.filled - self.taken).min(buffer.len());
        buffer[..read].copy_from_slice(&self.letters[self.taken..self.taken + read]);
        self.taken += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Gives so many bytes at a time.
    struct Drops(Vec<u8>, usize);

    impl Read for Drops {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.1.min(self.0.len()).min(buffer.len());
            buffer[..read].copy_from_slice(&self.0[..read]);
            self.0.drain(..read);
            Ok(read)
        }
    }

    fn encoding(name: &str) -> Encoding {
        Encoding::ALL.into_iter().find(|each| each.as_str() == name).expect("an encoding")
    }

    /// Returns what comes out before the end or the damage.
    fn read(bytes: &[u8], name: &str, at_a_time: usize) -> (String, io::Result<()>) {
        let mut source = in_utf8(Box::new(Drops(bytes.to_vec(), at_a_time)), encoding(name));
        let mut out = Vec::new();
        let ended = source.read_to_end(&mut out).map(|_| ());
        (String::from_utf8(out).expect("UTF-8"), ended)
    }

    fn whole(bytes: &[u8], name: &str) -> Option<String> {
        let (text, ended) = read(bytes, name, 3);
        ended.ok().map(|()| text)
    }

    #[test]
    fn every_encoding_of_a_request_is_known() {
        for each in Encoding::ALL {
            assert!(decoder(each, b"").is_some(), "{}", each.as_str());
            let ascii = "id;n\r\n1;2\n";
            let bytes = match each.as_str() {
                "utf-16" | "utf-16le" => ascii.bytes().flat_map(|byte| [byte, 0]).collect(),
                "utf-16be" => ascii.bytes().flat_map(|byte| [0, byte]).collect::<Vec<_>>(),
                _ => ascii.as_bytes().to_vec(),
            };
            assert_eq!(whole(&bytes, each.as_str()).as_deref(), Some(ascii), "{}", each.as_str());
        }
    }

    #[test]
    fn letters_of_one_byte_are_what_their_table_says() {
        assert_eq!(whole(b"Z\xfcrich \x80", "windows-1252").as_deref(), Some("Zürich €"));
        // The Encoding Standard reads ISO-8859-1 by the table of Windows-1252.
        assert_eq!(whole(b"Z\xfcrich \x80", "iso-8859-1").as_deref(), Some("Zürich €"));
        assert_eq!(whole(b"\xa4", "iso-8859-15").as_deref(), Some("€"));
        assert_eq!(whole(b"\xcf\xf0", "windows-1251").as_deref(), Some("Пр"));
        assert_eq!(whole(b"\x93\xfa\x96\x7b", "shift_jis").as_deref(), Some("日本"));
    }

    #[test]
    fn the_mark_of_utf16_tells_the_order_of_its_bytes() {
        assert_eq!(whole(b"\xff\xfea\0", "utf-16").as_deref(), Some("\u{feff}a"));
        assert_eq!(whole(b"\xfe\xff\0a", "utf-16").as_deref(), Some("\u{feff}a"));
        assert_eq!(whole(b"a\0", "utf-16").as_deref(), Some("a"), "the low byte first without");
        assert_eq!(whole(b"", "utf-16").as_deref(), Some(""));
        assert_eq!(whole(b"\0a", "utf-16be").as_deref(), Some("a"));
    }

    #[test]
    fn what_is_no_letter_is_damage_behind_all_letters_before_it() {
        for (bytes, name, before) in [
            (&b"a\0b"[..], "utf-16", "a"),
            (b"\xff", "utf-16", ""),
            (b"a\0\x00\xd8b\0", "utf-16le", "a"),
            (b"a\0\x00\xd8", "utf-16le", "a"),
            (b"a\x81", "shift_jis", "a"),
            (b"ab\xff\xffcd", "euc-kr", "ab"),
        ] {
            for at_a_time in [1, 2, 100] {
                let (text, ended) = read(bytes, name, at_a_time);
                assert_eq!((text.as_str(), ended.is_err()), (before, true), "{name} {bytes:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn utf16_comes_out_as_it_went_in(text in "[a;\n\u{feff}é€😀]{0,40}", at_a_time in 1usize..5, low_first in any::<bool>()) {
            let units = text.encode_utf16();
            let bytes: Vec<u8> = units.flat_map(|unit| if low_first { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect();
            let (read, ended) = read(&bytes, if low_first { "utf-16le" } else { "utf-16be" }, at_a_time);
            prop_assert!(ended.is_ok());
            prop_assert_eq!(read, text);
        }
    }

    #[test]
    fn more_than_a_step_is_decoded() {
        let bytes = vec![0xfc; 5 * STEP + 7];
        assert_eq!(whole(&bytes, "windows-1252").map(|text| text.chars().count()), Some(bytes.len()));
    }
}
