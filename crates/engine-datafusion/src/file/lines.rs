//! A text without its first lines.
//!
//! A line ends with a newline, a return, or both, wherever quotes stand: titles know no quotes. It must never leave out
//! more than was asked for, nor judge what it leaves out. It is separate because whoever opens a text begins behind
//! them. Read `letters.rs` for what comes before.

use super::bytes::buffered;
use std::io::{self, BufRead, BufReader, Read};

const MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns a text in UTF-8 behind so many lines.
pub(crate) fn behind_lines(text: Box<dyn Read + Send>, lines: u64) -> Box<dyn Read + Send> {
    if lines == 0 {
        return text;
    }
    Box::new(BehindLines { text: buffered(text), left: lines, before: Before::Anything })
}

struct BehindLines {
    text: BufReader<Box<dyn Read + Send>>,
    left: u64,
    before: Before,
}

/// What came before the next byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Anything,
    Return,
}

impl BehindLines {
    fn go_there(&mut self) -> io::Result<()> {
        while self.left > 0 || self.before == Before::Return {
            let chunk = self.text.fill_buf()?;
            let Some(byte) = chunk.first().copied() else {
                (self.left, self.before) = (0, Before::Anything);
                return Ok(());
            };
            match (self.before, byte) {
                // One end of a line, in two bytes.
                (Before::Return, b'\n') => {
                    self.before = Before::Anything;
                    self.text.consume(1);
                }
                (Before::Return, _) => self.before = Before::Anything,
                (Before::Anything, _) => match chunk.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
                    None => {
                        let all = chunk.len();
                        self.text.consume(all);
                    }
                    Some(end) => {
                        self.before = if chunk[end] == b'\r' { Before::Return } else { Before::Anything };
                        self.text.consume(end + 1);
                        self.left -= 1;
                    }
                },
            }
        }
        Ok(())
    }
}

impl Read for BehindLines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.go_there()?;
        self.text.read(buffer)
    }
}

/// Returns a text without the mark before it.
pub(crate) fn without_mark(text: Box<dyn Read + Send>) -> io::Result<BufReader<Box<dyn Read + Send>>> {
    let mut text = buffered(text);
    if text.fill_buf()?.starts_with(MARK) {
        text.consume(MARK.len());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str, lines: u64) -> String {
        let mut rest = String::new();
        behind_lines(Box::new(io::Cursor::new(text.to_owned())), lines).read_to_string(&mut rest).expect("a text");
        rest
    }

    #[test]
    fn lines_end_as_people_end_them_and_blank_ones_count() {
        assert_eq!(read("HR export\n\na,b\n1,2\n", 2), "a,b\n1,2\n");
        assert_eq!(read("one\r\n\r\na\r\n", 2), "a\r\n");
        assert_eq!(read("one\rtwo\r\na", 2), "a");
        assert_eq!(read("a \"quote\n\"b\n", 1), "\"b\n");
        assert_eq!(read("one", 1), "");
        assert_eq!(read("", 3), "");
        assert_eq!(read("a\n", 0), "a\n");
    }

    proptest! {
        #[test]
        fn as_many_lines_as_were_asked_for_are_left_out(text in "[a\r\n]{0,24}", lines in 1u64..6) {
            let plain = text.replace("\r\n", "\n").replace('\r', "\n");
            let rest = plain.splitn(usize::try_from(lines).expect("few") + 1, '\n').nth(usize::try_from(lines).expect("few"));
            let ours = read(&text, lines).replace("\r\n", "\n").replace('\r', "\n");
            prop_assert_eq!(ours, rest.unwrap_or_default());
        }
    }
}
