//! The text of a file: valid UTF-8, without the mark that some programs put before it.
//!
//! It must never hand on half a character, nor a byte that was not checked: the CSV library checks many fields in one
//! piece and would not notice a character that a comma cuts in two. It is separate because CSV and JSON both begin
//! here. Read `csv.rs` and `json.rs` next.

use crate::file::bytes::BUFFER;
use std::io::{self, BufRead, Read};

const MARK: &[u8] = "\u{feff}".as_bytes();

/// Checked text, followed by an ending of our own that need not be text.
pub(super) struct Text {
    source: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// What of the buffer was taken.
    taken: usize,
    /// What of the buffer is known to be text.
    checked: usize,
    /// What of the buffer is filled.
    filled: usize,
    place: Place,
    ending: Vec<u8>,
}

#[derive(PartialEq)]
enum Place {
    Before,
    Inside,
    After,
}

impl Text {
    pub(super) fn new(source: Box<dyn Read + Send>, ending: Vec<u8>) -> Text {
        Text { source, buffer: vec![0; BUFFER], taken: 0, checked: 0, filled: 0, place: Place::Before, ending }
    }

    fn refill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.checked..self.filled, 0);
        self.filled -= self.checked;
        (self.taken, self.checked) = (0, 0);
        let read = self.source.read(&mut self.buffer[self.filled..])?;
        if read == 0 {
            if self.filled > 0 {
                return Err(io::ErrorKind::InvalidData.into());
            }
            self.place = Place::After;
            self.buffer = std::mem::take(&mut self.ending);
            (self.checked, self.filled) = (self.buffer.len(), self.buffer.len());
            return Ok(());
        }
        self.filled += read;
        self.checked = match std::str::from_utf8(&self.buffer[..self.filled]) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => return Err(io::ErrorKind::InvalidData.into()),
        };
        // The mark is one character: checked as a whole or not yet.
        if self.place == Place::Before && self.checked > 0 {
            self.place = Place::Inside;
            if self.buffer[..self.checked].starts_with(MARK) {
                self.taken = MARK.len();
            }
        }
        Ok(())
    }
}

impl BufRead for Text {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.taken == self.checked && self.place != Place::After {
            match self.refill() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                refilled => refilled?,
            }
        }
        Ok(&self.buffer[self.taken..self.checked])
    }

    fn consume(&mut self, bytes: usize) {
        self.taken = self.checked.min(self.taken + bytes);
    }
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let read = available.len().min(buffer.len());
        buffer[..read].copy_from_slice(&available[..read]);
        self.consume(read);
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

    fn read(bytes: &[u8], at_a_time: usize) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        Text::new(Box::new(Drops(bytes.to_vec(), at_a_time)), b"\xffend".to_vec()).read_to_end(&mut out)?;
        Ok(out)
    }

    proptest! {
        #[test]
        fn text_comes_out_as_it_went_in_and_only_text(bytes in prop::collection::vec(prop_oneof![Just(b'a'), any::<u8>()], 0..12), at_a_time in 1usize..5) {
            let text = std::str::from_utf8(&bytes).ok();
            let expected = text.map(|text| [text.strip_prefix('\u{feff}').unwrap_or(text).as_bytes(), b"\xffend"].concat());
            prop_assert_eq!(read(&bytes, at_a_time).ok(), expected);
        }

        #[test]
        fn characters_may_be_cut_anywhere(text in "\u{feff}?[aé€😀]{0,12}", at_a_time in 1usize..5) {
            let expected = [text.strip_prefix('\u{feff}').unwrap_or(&text).as_bytes(), b"\xffend"].concat();
            prop_assert_eq!(read(text.as_bytes(), at_a_time).ok(), Some(expected));
        }
    }

    #[test]
    fn half_a_character_at_the_end_is_damage() {
        assert!(read(b"a\xc3", 1).is_err());
        assert!(read(b"\xef\xbb", 1).is_err());
    }
}
